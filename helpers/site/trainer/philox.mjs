// TensorFlow's own random numbers: Philox 4×32 with ten rounds (Salmon and others 2011, "Parallel
// random numbers: as easy as 1, 2, 3"), keyed as tf.random.stateless_uniform does.

const [MULTIPLY_0, MULTIPLY_1] = [0xd2511f53, 0xcd9e8d57];
const [ADD_0, ADD_1] = [0x9e3779b9, 0xbb67ae85];
const ROUNDS = 10;
// The key under which the two seeds are mixed before they are used.
const [MIX_0, MIX_1] = [0x3ec8f720, 0x02461e29];

/** The upper half of a product of two unsigned 32-bit numbers; Math.imul has the lower one. */
function upper(a, b) {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return a1 * b1 + Math.floor((a0 * b1 + middle) / 0x10000);
}

/** Four random 32-bit numbers of a counter (four numbers) under a key (two). */
function block(counter, key) {
  let [[c0, c1, c2, c3], [k0, k1]] = [counter, key];
  for (let round = 0; round < ROUNDS; round++) {
    const [high0, low0] = [upper(MULTIPLY_0, c0 >>> 0), Math.imul(MULTIPLY_0, c0)];
    const [high1, low1] = [upper(MULTIPLY_1, c2 >>> 0), Math.imul(MULTIPLY_1, c2)];
    [c0, c1, c2, c3] = [high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0];
    [k0, k1] = [(k0 + ADD_0) | 0, (k1 + ADD_1) | 0];
  }
  return [c0 >>> 0, c1 >>> 0, c2 >>> 0, c3 >>> 0];
}

/** `count` whole numbers from 0 up and below `bound`: those of tf.random.stateless_uniform((count,),
 *  (first, second), 0, bound, tf.int32), for seeds from 0 up. */
export function uniform(first, second, count, bound) {
  const halves = (seed) => [seed | 0, Math.floor(seed / 2 ** 32)];
  const [k0, k1, c2, c3] = block([...halves(first), ...halves(second)], [MIX_0, MIX_1]);
  const numbers = new Int32Array(count);
  for (let at = 0; at < count; at += 4) {
    const four = block([at / 4, 0, c2, c3], [k0, k1]);
    for (let i = 0; i < 4 && at + i < count; i++) numbers[at + i] = four[i] % bound;
  }
  return numbers;
}
