// Every recipe for freezing cells, acting where techniques.py has it: at what the model sees, at the
// gradient, or after the step. `frozen` is 1 where a cell is frozen.

const where = (frozen, one, other) => other.map((value, i) => (frozen[i] ? one(i) : value));
const zeroed = (gradient, frozen) => where(frozen, () => 0, gradient);
const putBack = (before, after, frozen) => where(frozen, (i) => before[i], after);

/**
 * @typedef {object} Technique
 * @property {(shadow: Float32Array, value: Float32Array, frozen: Uint8Array) => Float32Array} [seen]
 * @property {(gradient: Float32Array, frozen: Uint8Array) => Float32Array} [gradient]
 * @property {(before: Float32Array, after: Float32Array, frozen: Uint8Array) => Float32Array} [after]
 * @property {boolean} [keeps] the optimizer leaves frozen cells and what it keeps for them alone
 * @property {boolean} [free] the free values alone are the variable
 */

/** @type {Record<string, Technique>} */
export const TECHNIQUES = {
  none: {},
  gradient_times_mask: { gradient: (gradient, frozen) => gradient.map((g, i) => g * (1 - frozen[i])) },
  where_gradient: { gradient: zeroed },
  stop_gradient: { gradient: zeroed }, // none comes back through tf.stop_gradient
  shadow_copy: { seen: (shadow, value, frozen) => putBack(shadow, value, frozen), gradient: zeroed },
  scatter_update: { after: putBack },
  restore: { after: putBack },
  free_values: { keeps: true, free: true },
  exact: { keeps: true },
};
