// The cell that the pointer or the keys point at, and its mark on the grid.

import { make } from "./elements.mjs";
import { clamped } from "./geometry.mjs";

export class Cursor {
  constructor(store, choice, canvas) {
    Object.assign(this, { store, choice, canvas, row: 0, column: 0 });
    this.mark = make("div", { class: "painter-mark", hidden: "" });
    canvas.grid.append(this.mark);
  }

  /** The flat index of the cell. */
  get cell() {
    return this.row * this.store.columns + this.column;
  }

  /** Move to the cell at a place, or to the nearest one in the grid. */
  moveTo(place) {
    Object.assign(this, clamped(place, this.store.rows, this.store.columns));
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
