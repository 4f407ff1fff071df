// Marks on the grid where cells are pinned, in the colours of their curves.

import { make } from "../../../widget/browser/elements.mjs";

export class Pins {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./canvas.mjs").Canvas} canvas
   */
  constructor(store, canvas) {
    this.store = store;
    this.canvas = canvas;
    this.marks = [];
  }

  show() {
    const { microscope, page } = this.store.header;
    const cells = (microscope?.cells ?? []).map((cell, curve) => ({ ...cell, curve }));
    const here = cells.filter((cell) => cell.page === page);
    const told = JSON.stringify([here.map(({ row, column, curve }) => [row, column, curve]), this.canvas.cell]);
    if (told === this.drawn) return;
    this.drawn = told;
    for (const mark of this.marks) mark.remove();
    this.marks = here.map((cell) => this.mark(cell));
    this.canvas.grid.append(...this.marks);
  }

  mark({ row, column, curve }) {
    const size = this.canvas.cell;
    const mark = make("div", { class: "painter-pinned", "data-curve": curve, "aria-hidden": "true" }, String(curve + 1));
    Object.assign(mark.style, {
      transform: `translate(${column * size}px, ${row * size}px)`,
      width: `${size}px`,
      height: `${size}px`,
    });
    return mark;
  }
}
