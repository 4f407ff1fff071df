// Bytes and bits as Python sends them.

/** The bytes of a message's buffer, where they lie. */
export function bytesOf(data) {
  return new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
}

/** A copy of them, aligned so that arrays of larger numbers can read it. */
export function alignedCopy(data) {
  return bytesOf(data).slice().buffer;
}

/** Whether two arrays hold the same numbers; nothing equals an array that is not there. */
export function equal(a, b) {
  if (a.length !== b?.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** `count` bits as bytes of 0 or 1; the first cell stands in the lowest bit. */
export function unpackBits(bytes, count) {
  const bits = new Uint8Array(count);
  for (let i = 0; i < count; i++) bits[i] = (bytes[i >> 3] >> (i & 7)) & 1;
  return bits;
}

/** The sum of a plane, for one of 0 and 1 the number of its ones. */
export function total(plane) {
  let sum = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i];
  return sum;
}
