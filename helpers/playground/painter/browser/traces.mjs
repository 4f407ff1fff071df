// What was recorded of pinned cells, as Python sends it, made ready for drawing.

const FIRST_PANEL = ["weight", "seen", "frozen"];
const STEP = "step taken";

/** The cells of a frame: for each its name and `curves`, a map from a quantity to its values, a
 *  number a step. `steps` has their numbers, and `marks` the [step, text] of what began with a step.
 *  `data` is float32: for each cell the steps, then the quantities that `header` names. */
export function cellsOf(header, data) {
  let at = 0;
  return header.cells.map(({ points, ...cell }) => {
    const next = () => data.subarray(at, (at += points));
    const steps = next();
    const curves = new Map(header.quantities.map((name) => [name, next()]));
    return { ...cell, steps, curves: shown(curves) };
  });
}

/** The curves that have something to show, in the order in which they are drawn. */
function shown(curves) {
  const { weight, seen, frozen } = Object.fromEntries(curves);
  const rest = [...curves].filter(([name, values]) =>
    !FIRST_PANEL.includes(name) && values.some((value) => !Number.isNaN(value)));
  const copied = seen.some((value, i) => !Object.is(value, weight[i]));
  const all = [["weight", weight], ...(copied ? [["seen", seen]] : []), ["frozen", frozen]];
  return new Map([...all, ...rest]);
}

/** The panels that a few cells need: what is drawn in each, the weight first. */
export function panelsOf(cells) {
  const names = new Set(cells.flatMap(({ curves }) => [...curves.keys()]));
  for (const name of FIRST_PANEL) names.delete(name);
  const rest = [...names].filter((name) => name !== STEP);
  return cells.length ? ["weight", ...(names.has(STEP) ? [STEP] : []), ...rest] : [];
}

/** The least and the greatest finite number of some curves, a little apart where they are one. */
export function rangeOf(curves) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of curves) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - room, high + room];
}

/** The place of the step nearest to `step` in a row of steps that grow. */
export function nearest(steps, step) {
  let [low, high] = [0, steps.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle;
    else high = middle;
  }
  return Math.abs(steps[high] - step) < Math.abs(steps[low] - step) ? high : low;
}

/** The [place, frozen] at which a cell is frozen or thawed, from the row that says when it was. */
export function turns(frozen) {
  /** @type {[number, boolean][]} */
  const found = [];
  for (let i = 0; i < frozen.length; i++) {
    const before = i ? frozen[i - 1] : 0;
    if (frozen[i] !== before) found.push([i, Boolean(frozen[i])]);
  }
  return found;
}
