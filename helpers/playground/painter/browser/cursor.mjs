// The cell that the pointer or the keys point at, and its mark on the grid.

import { make } from "../../../widget/browser/elements.mjs";
import { clamped } from "./geometry.mjs";

export class Cursor {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   * @param {import("./canvas.mjs").Canvas} canvas
   */
  constructor(store, choice, canvas) {
    this.store = store;
    this.choice = choice;
    this.canvas = canvas;
    this.row = 0;
    this.column = 0;
    this.mark = make("div", { class: "painter-mark", hidden: "" });
    canvas.grid.append(this.mark);
  }

  /** The flat index of the cell. */
  get cell() {
    return this.row * this.store.columns + this.column;
  }

  /** Move to the cell at a place, or to the nearest one in the grid. */
  moveTo(place) {
    const { row, column } = clamped(place, this.store.rows, this.store.columns);
    [this.row, this.column] = [row, column];
  }

  hide() {
    this.mark.hidden = true;
  }

  /** Outline the cursor with the brush's size, or the rectangle from the cell `corner` to it. */
  show(corner) {
    const { rows, columns } = this.store;
    const reach = this.choice.tool === "brush" && !corner ? (this.choice.size - 1) / 2 : 0;
    const opposite = corner ?? this;
    const top = Math.max(0, Math.min(this.row, opposite.row) - reach);
    const left = Math.max(0, Math.min(this.column, opposite.column) - reach);
    const bottom = Math.min(rows, Math.max(this.row, opposite.row) + reach + 1);
    const right = Math.min(columns, Math.max(this.column, opposite.column) + reach + 1);
    this.outline(top, left, bottom, right);
  }

  outline(top, left, bottom, right) {
    const { cell } = this.canvas;
    Object.assign(this.mark.style, {
      transform: `translate(${left * cell}px, ${top * cell}px)`,
      width: `${(right - left) * cell}px`,
      height: `${(bottom - top) * cell}px`,
    });
    this.mark.hidden = false;
  }
}
