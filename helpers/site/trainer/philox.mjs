// TensorFlow's own random numbers: Philox 4×32 with ten rounds (Salmon and others 2011, "Parallel
// random numbers: as easy as 1, 2, 3"), keyed as tf.random.stateless_uniform does.

const [MULTIPLY_0, MULTIPLY_1] = [0xd2511f53, 0xcd9e8d57];
const [ADD_0, ADD_1] = [0x9e3779b9, 0xbb67ae85];
const ROUNDS = 10;
// The key under which the two seeds are mixed before they are used.
const [MIX_0, MIX_1] = [0x3ec8f720, 0x02461e29];

/** The upper half of a product of two 32-bit numbers; Math.imul has the lower one. No product of two
 *  halves is more than 32 bits, so that all stays whole numbers, which is fast. */
function upper(a, b) {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16);
  const other = Math.imul(a0, b1) + (middle & 0xffff);
  return (Math.imul(a1, b1) + (middle >>> 16) + (other >>> 16)) | 0;
}

/** Turn counters into random numbers where they stand: four 32-bit numbers each, under one key. */
function encrypt(counters, k0, k1) {
  for (let at = 0; at < counters.length; at += 4) {
    let [c0, c1, c2, c3] = [counters[at] | 0, counters[at + 1] | 0, counters[at + 2] | 0, counters[at + 3] | 0];
    for (let round = 0; round < ROUNDS; round++) {
      const [high0, high1] = [upper(MULTIPLY_0, c0), upper(MULTIPLY_1, c2)];
      const [key0, key1] = [k0 + Math.imul(round, ADD_0), k1 + Math.imul(round, ADD_1)];
      [c0, c1, c2, c3] = [high1 ^ c1 ^ key0, Math.imul(MULTIPLY_1, c2), high0 ^ c3 ^ key1, Math.imul(MULTIPLY_0, c0)];
    }
    counters[at] = c0;
    counters[at + 1] = c1;
    counters[at + 2] = c2;
    counters[at + 3] = c3;
  }
  return counters;
}

/** `count` random 32-bit numbers, and up to three more: those from which tf.random.stateless_* make
 *  what they return for the seed (first, second); both are from 0 up. */
function bits(first, second, count) {
  const halves = (seed) => [seed | 0, Math.floor(seed / 2 ** 32)];
  const [k0, k1, c2, c3] = encrypt(Uint32Array.of(...halves(first), ...halves(second)), MIX_0, MIX_1);
  const counters = new Uint32Array(4 * Math.ceil(count / 4));
  for (let at = 0; at < counters.length; at += 4) [counters[at], counters[at + 2], counters[at + 3]] = [at / 4, c2, c3];
  return encrypt(counters, k0, k1);
}

/** `count` whole numbers from 0 up and below `bound`: those of tf.random.stateless_uniform((count,),
 *  (first, second), 0, bound, tf.int32). */
export function uniform(first, second, count, bound) {
  return Int32Array.from(bits(first, second, count).subarray(0, count), (number) => number % bound);
}

const { fround: f } = Math;
const SMALLEST = f(1e-7); // whose logarithm is taken

/** `count` numbers of a standard normal distribution, by Box and Muller: those of
 *  tf.random.stateless_normal((count,), (first, second)), up to the last bit of a logarithm or a sine. */
export function normal(first, second, count) {
  const drawn = bits(first, second, count);
  const numbers = new Float32Array(drawn.length);
  for (let i = 0; i < drawn.length; i += 2) {
    const share = Math.max((drawn[i] & 0x7fffff) / 2 ** 23, SMALLEST);
    const radius = f(Math.sqrt(f(-2 * f(Math.log(share)))));
    const angle = f((2 * Math.PI * (drawn[i + 1] & 0x7fffff)) / 2 ** 23);
    numbers[i] = f(Math.sin(angle)) * radius;
    numbers[i + 1] = f(Math.cos(angle)) * radius;
  }
  return numbers.subarray(0, count);
}
