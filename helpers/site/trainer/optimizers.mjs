// The step of each optimizer as Keras computes it, number by number in float32.

const { fround: f, sqrt } = Math;
const EPSILON = f(1e-7);

export const KNOBS = ["rate", "momentum", "decay"];
const LARGEST = 3.4e38; // a little less than float32 holds

/** @typedef {{ rate: number, momentum: number, decay: number }} Knobs */

/** How an optimizer steps one number. `slots` are its names in Keras; `prepare(knobs, t)` returns
 *  what all numbers of step t share, and `update(variable, slots, i, gradient, shared)` changes
 *  number i of a variable and of its slots, Float32Arrays of one length.
 * @typedef {object} Optimizer
 * @property {string[]} slots
 * @property {Partial<Knobs>} knobs what it begins with, but for the rate, which its task has; a knob
 *   that it has not is missing
 * @property {(knobs: Knobs, t: number) => any} prepare
 * @property {(variable: Float32Array, slots: Float32Array[], i: number, gradient: number, shared: any) => void} update
 * @property {(slots: Float32Array[], i: number, shared: any) => void} [spare] what becomes of a cell
 *   that the step leaves alone
 */

/** Weight decay of its own accord, before the step, whatever the gradient is. */
function shrink(variable, i, { decay, rate }) {
  if (decay) variable[i] = variable[i] - f(f(variable[i] * decay) * rate);
}

const sgd = {
  slots: [],
  prepare: ({ rate }) => ({ rate: f(rate) }),
  update(variable, _, i, gradient, { rate }) {
    variable[i] -= f(gradient * rate);
  },
};

const momentum = {
  slots: ["momentum"],
  prepare: (knobs) => ({ rate: f(knobs.rate), fading: f(knobs.momentum) }),
  update(variable, [past], i, gradient, { rate, fading }) {
    past[i] = f(past[i] * fading) - f(gradient * rate);
    variable[i] += past[i];
  },
};

const BETA_2 = 0.999;
const adam = {
  slots: ["momentum", "velocity"],
  prepare(knobs, t) {
    const [rate, decay] = [f(knobs.rate), f(knobs.decay ?? 0)];
    const [left1, left2] = [f(f(knobs.momentum) ** t), f(f(BETA_2) ** t)];
    const alpha = f(f(rate * f(sqrt(f(1 - left2)))) / f(1 - left1));
    return { rate, decay, alpha, new1: f(1 - knobs.momentum), new2: f(1 - BETA_2) };
  },
  update(variable, [m, v], i, gradient, shared) {
    shrink(variable, i, shared);
    m[i] += f(f(gradient - m[i]) * shared.new1);
    v[i] += f(f(f(gradient * gradient) - v[i]) * shared.new2);
    variable[i] -= f(f(m[i] * shared.alpha) / f(f(sqrt(v[i])) + EPSILON));
  },
};

const RHO = 0.9;
const rmsprop = {
  slots: ["velocity"],
  prepare: ({ rate }) => ({ rate: f(rate) }),
  update(variable, [v], i, gradient, { rate }) {
    v[i] = f(v[i] * f(RHO)) + f(f(1 - RHO) * f(gradient * gradient));
    variable[i] -= f(f(rate * gradient) / f(sqrt(f(v[i] + EPSILON))));
  },
};

/** @type {Record<string, Optimizer>} */
export const OPTIMIZERS = {
  sgd: { ...sgd, knobs: { rate: 0.01 } },
  momentum: { ...momentum, knobs: { rate: 0.01, momentum: 0.9 } },
  adam: { ...adam, knobs: { rate: 0.001, momentum: 0.9 } },
  adamw: { ...adam, knobs: { rate: 0.001, momentum: 0.9, decay: 0.01 } },
  rmsprop: { ...rmsprop, knobs: { rate: 0.001 } },
};

/** The optimizer that steps once for so many batches, by the mean of their gradients, as Keras does
 *  with `gradient_accumulation_steps`.
 * @param {Optimizer} optimizer
 * @param {number} batches
 * @returns {Optimizer} */
export const accumulating = ({ slots, knobs, prepare, update }, batches) => ({
  slots: [...slots, "gradient_accumulator"],
  knobs,
  prepare: (turned, t) => ({ due: t % batches === 0, step: prepare(turned, t / batches) }),
  update(variable, kept, i, gradient, { due, step }) {
    const sum = kept.at(-1);
    sum[i] += gradient;
    if (due) update(variable, kept, i, f(sum[i] / batches), step);
    if (due) sum[i] = 0;
  },
  /** What a cell had gathered before it was frozen ends with its round. */
  spare(kept, i, { due }) {
    if (due) kept.at(-1)[i] = 0;
  },
});

/** Raise an Error unless a knob of an optimizer can be turned to a number. */
export function checkKnob(optimizer, name, number) {
  const { knobs } = OPTIMIZERS[optimizer];
  if (!Object.hasOwn(knobs, name)) {
    throw new Error(`The ${name} ${number} arrived, and ${optimizer} has no ${name}; its knobs are: ${Object.keys(knobs).join(", ")}.`);
  }
  const below1 = name === "momentum"; // at 1 nothing would fade
  if (typeof number === "number" && number >= 0 && number < (below1 ? 1 : LARGEST)) return;
  throw new Error(`The ${name} ${number} arrived; a number from 0 ${below1 ? "to less than 1" : "up"} was wanted.`);
}
