// The names of rows and columns beside the grid, where they have names and there is room.

import { make } from "../../../widget/browser/elements.mjs";

const READABLE = 10; // pixels a cell, for a name that can be read
const LETTER = 7; // pixels, about

/** Lays out the grid of a canvas with the names that its model has: `element` holds both. */
export class Ticks {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./canvas.mjs").Canvas} canvas
   */
  constructor(store, canvas) {
    this.canvas = canvas;
    const { rows, columns } = store.model.get("names");
    this.names = { rows, columns };
    this.left = axis("painter-row-names", rows);
    this.top = axis("painter-column-names", columns);
    this.element = make("div", { class: "painter-field" }, this.top, this.left, canvas.grid);
  }

  /** Fit grid and names into `width` pixels. Returns whether the grid's size has changed. */
  fit(width) {
    const { rows, columns } = this.names;
    if (!rows.length && !columns.length) return this.canvas.fit(width);
    const before = this.canvas.cell;
    this.show(true);
    this.canvas.fit(width - this.left.offsetWidth);
    if (this.canvas.cell < READABLE) {
      this.show(false);
      this.canvas.fit(width);
    }
    this.layOut();
    return this.canvas.cell !== before;
  }

  show(shown) {
    this.left.hidden = !shown || !this.names.rows.length;
    this.top.hidden = !shown || !this.names.columns.length;
  }

  /** A name a cell; those that are wider than a column stand upright. */
  layOut() {
    const { cell } = this.canvas;
    const longest = Math.max(0, ...this.names.columns.map((name) => name.length));
    this.top.dataset.upright = String(longest * LETTER > cell);
    for (const name of this.left.children) name.style.height = `${cell}px`;
    for (const name of this.top.children) name.style.width = `${cell}px`;
  }
}

/** Names in a row or a column; those who do not see them hear the name of each cell. */
function axis(className, names) {
  return make("div", { class: className, "aria-hidden": "true", hidden: "" },
    ...names.map((name) => make("span", { title: name }, name)));
}
