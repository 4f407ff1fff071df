// Carries out what a page asks of a painted mask, as operations.py does: one short function each. All
// get the mask, the message, its buffers, and the values that stand on the grid.

/** @type {Record<string, (mask: import("./painted_mask.mjs").PaintedMask, message: any, buffers: ArrayBuffer[], values: number[]) => void>} */
export const OPERATIONS = {
  paint(mask, { client, stroke, frozen }, [cells]) {
    mask.paint(new Int32Array(cells), frozen, `${client} ${stroke}`);
  },
  undo: (mask) => mask.undo(),
  redo: (mask) => mask.redo(),
  invert: (mask) => mask.replace(mask.frozen.map((one) => 1 - one)),
  clear: (mask) => mask.replace(new Uint8Array(mask.frozen.length)),
  /** Freeze the fraction of cells with the largest weights. */
  largest: (mask, { fraction }, _, values) => freezeMost(mask, fraction, values.map(Math.abs)),
  /** Freeze a random fraction of the cells. */
  random: (mask, { fraction }, _, values) => freezeMost(mask, fraction, values.map(() => Math.random())),
};

/** Freeze the fraction of cells of the largest numbers, and no others. */
function freezeMost(mask, fraction, numbers) {
  const order = [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a]);
  const frozen = new Uint8Array(numbers.length);
  for (const cell of order.slice(0, Math.round(fraction * numbers.length))) frozen[cell] = 1;
  mask.replace(frozen);
}
