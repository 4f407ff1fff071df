// The microscope: what pinned cells go through, step by step, as microscope.py and recording.py have it.

const MOST = 4; // cells
const LONGEST = 20_000; // steps that are kept of each
const POINTS = 256; // of a curve, as it is shown
const FIRST = ["weight", "seen", "gradient", "frozen"];

export class Microscope {
  /** @param {import("./pages.mjs").Pages} pages */
  constructor(pages) {
    this.pages = pages;
    this.pins = [];
  }

  /** Record a cell of a page from the next step on, or no more. */
  pin(page, cell, pinned) {
    const others = this.pins.filter((one) => one.page !== page || one.cell !== cell);
    if (!pinned) this.pins = others;
    if (!pinned || others.length < this.pins.length) return;
    if (others.length === MOST) throw new Error(`${MOST} cells are pinned already: unpin one of them first.`);
    this.pins = [...others, { page, cell, rows: [], marks: [] }];
  }

  /** Forget what was recorded; the same cells stay pinned. */
  restart() {
    for (const pin of this.pins) [pin.rows, pin.marks, pin.under] = [[], [], undefined];
  }

  /** Write down a step that a run has just taken; `under` says under which choices. */
  note(run, under) {
    for (const pin of this.pins) {
      const at = this.pages.place(pin.page, pin.cell);
      const slots = run.kernel.slots.map((slot) => slot[at]);
      const weight = run.kernel.value[at];
      const change = weight - (pin.rows.at(-1)?.values[0] ?? NaN);
      const values = [weight, run.seen[at], run.gradient[at], run.frozen[at], ...slots, change];
      pin.rows.push({ step: run.step, names: run.quantities, values });
      if (pin.rows.length > 2 * LONGEST) pin.rows = pin.rows.slice(-LONGEST);
      if (pin.under !== undefined && pin.under !== under) pin.marks.push([run.step, under]);
      pin.under = under;
    }
  }

  /** What a frame has of it: names in the header, and curves as one plane of numbers. */
  curves() {
    const seen = this.pins.flatMap(({ rows }) => rows.map(({ names }) => names));
    const slots = [...new Set(seen.flat())];
    const quantities = [...FIRST, ...slots, "step taken"];
    const cells = this.pins.map((pin) => this.cell(pin));
    const planes = this.pins.map(({ rows }) => curvesOf(thinned(rows), quantities));
    return [{ cells, quantities }, Float32Array.from(planes.flat(2))];
  }

  cell({ page, cell, rows, marks }) {
    const { columns, names } = this.pages;
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const name = `${names.length > 1 ? `class ${page}, ` : ""}${this.pages.nameOf(cell)}`;
    return { page, row, column, marks, name, points: thinned(rows).length };
  }
}

/** Every n-th step, n a power of two, so that a curve that grows keeps its points; and the last one. */
function thinned(rows) {
  let every = 1;
  while (rows.length > every * (POINTS - 1)) every *= 2;
  return rows.filter((_, i) => i % every === 0 || i === rows.length - 1);
}

/** The steps, and a curve for each quantity: NaN where an optimizer does not keep it. */
function curvesOf(rows, quantities) {
  const valueOf = ({ names, values }, quantity) => {
    const known = [...FIRST, ...names, "step taken"];
    const place = known.indexOf(quantity);
    return place < 0 ? NaN : values[place];
  };
  return [rows.map(({ step }) => step), ...quantities.map((one) => rows.map((row) => valueOf(row, one)))];
}
