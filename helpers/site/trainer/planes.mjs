// The planes of a frame that draw the grid, as planes.py has them.

const largest = (values) => {
  const most = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  return most > 1e-30 ? most : 1;
};

/** Bits of an array of 0 and 1, eight a byte, the first in the lowest bit. */
export function pack(bits) {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => { bytes[i >> 3] |= bit << (i & 7); });
  return bytes;
}

/** Header and planes for a grid: weights now and at the start, and which cells are frozen and leaked.
 *  @param {number[][]} grids */
export function planesOf(...grids) {
  const [values, initial, frozen, leaked] = grids;
  const scale = largest(values);
  const moved = values.map((value, i) => Math.abs(value - initial[i]));
  const farthest = largest(moved);
  const [now, before] = [values, initial].map((one) => new Uint32Array(Float32Array.from(one).buffer));
  const code = (distance) => Math.min(255, Math.max(1, Math.ceil((distance * 255) / farthest)));
  return [{ scale, moved_scale: farthest }, {
    weights: Int8Array.from(values, (value) => Math.round((value * 127) / scale)),
    moved: Uint8Array.from(moved, (distance, i) => (now[i] === before[i] ? 0 : code(distance))),
    leaked: pack(leaked),
    frozen: pack(frozen),
  }];
}
