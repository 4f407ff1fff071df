// Pointer and keys over the grid, and the strokes that they paint.

import { isBet } from "./controls.mjs";
import { block, cellsCrossed, cellsUnder, clamped } from "./geometry.mjs";

/** Paints into the store what is drawn by hand. While a stroke goes on, `from` and `last` are the
 *  places where it began and where it is, and `freezing` says whether it freezes or thaws. */
export class PointerInput {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   * @param {import("./canvas.mjs").Canvas} canvas
   * @param {import("./cursor.mjs").Cursor} cursor
   * @param {import("./readout.mjs").Readout} readout
   */
  constructor(store, choice, canvas, cursor, readout) {
    this.store = store;
    this.choice = choice;
    this.canvas = canvas;
    this.cursor = cursor;
    this.readout = readout;
  }

  /** Listen to the grid until `signal` is aborted. */
  listen(signal) {
    const { grid } = this.canvas;
    const on = (name, handler) => grid.addEventListener(name, handler, { signal });
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", () => this.endStroke());
    on("pointerleave", () => this.leave());
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => this.key(event));
    on("focus", () => this.cursor.show());
    on("blur", () => this.cursor.hide());
  }

  // The pointer

  press(event) {
    if (event.button !== 0 || this.last || !this.store.link.connected) return;
    event.preventDefault();
    this.canvas.grid.focus({ preventScroll: true });
    if (this.choice.tool === "pin") {
      this.store.pinOrUnpin(this.cellAt(this.canvas.place(event)));
      return;
    }
    this.canvas.grid.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.freezing = (this.choice.mode !== "thaw") !== event.shiftKey;
    this.store.beginStroke();
    this.from = this.last = this.canvas.place(event);
    this.strokeTo(this.last, event);
  }

  move(event) {
    if (this.last) this.drag(event);
    else this.hover(event);
  }

  drag(event) {
    if (event.pointerId !== this.pointer) return;
    const passed = event.getCoalescedEvents?.() ?? [];
    const steps = passed.length ? passed : [event];
    for (const step of steps) this.strokeTo(this.canvas.place(step), event);
  }

  hover(event) {
    this.cursor.moveTo(this.canvas.place(event));
    this.cursor.show();
    this.readout.ask();
  }

  leave() {
    if (!this.last) this.cursor.hide();
  }

  release(event) {
    if (!this.last || event.pointerId !== this.pointer) return;
    if (this.choice.tool === "rectangle") {
      const [from, to] = [this.cellAt(this.from), this.cellAt(this.last)];
      this.store.paint(block(from, to, this.store.columns), this.freezing, this.plane);
    }
    this.endStroke();
  }

  endStroke() {
    this.last = this.from = undefined;
    this.cursor.show();
  }

  /** Paint from the last place to the next one. */
  strokeTo(next, event) {
    const { rows, columns } = this.store;
    const crossed = cellsCrossed(this.last.x, this.last.y, next.x, next.y, rows, columns);
    this.last = next;
    this.cursor.moveTo(next);
    if (this.choice.tool === "rectangle") {
      this.cursor.show(clamped(this.from, rows, columns));
      return;
    }
    const changed = this.store.paint(this.under(crossed), this.freezing, this.plane);
    if (changed.length) this.tellDrawn(event);
  }

  /** Tell listeners (the bench) what has just been put on the screen. */
  tellDrawn(event) {
    const detail = { moved: event.timeStamp, seq: this.store.link.seq };
    this.canvas.grid.dispatchEvent(new CustomEvent("painter:drawn", { detail, bubbles: true }));
  }

  /** What is painted: the mask, or what somebody predicts. */
  get plane() {
    return isBet(this.choice.mode) ? "predicted" : "frozen";
  }

  cellAt(place) {
    const { row, column } = clamped(place, this.store.rows, this.store.columns);
    return row * this.store.columns + column;
  }

  /** The cells that the chosen tool touches when the hand crosses `cells`. */
  under(cells) {
    const { tool, size } = this.choice;
    return cellsUnder(cells, tool, size, this.store.rows, this.store.columns);
  }

  // The keys

  key(event) {
    if (!this.obey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Do what a key says; returns whether it says anything. */
  obey(event) {
    const control = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    const mask = this.store.maskOf(this.plane);
    if (control && letter === "z") this.store.operate(event.shiftKey ? "redo" : "undo", { mask });
    else if (control && letter === "y") this.store.operate("redo", { mask });
    else if (event.key === " " || event.key === "Enter") this.toggle();
    else if (!control && letter === "p") this.store.pinOrUnpin(this.cursor.cell);
    else if (!control) return this.step(event);
    else return false;
    return true;
  }

  /** Move the cursor by a key; with Shift held, paint where it arrives. */
  step(event) {
    const { rows, columns } = this.store;
    const { row, column } = this.cursor;
    const place = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, columns - 1],
      PageUp: [0, column],
      PageDown: [rows - 1, column],
    }[event.key];
    if (!place) return false;
    this.cursor.moveTo({ y: place[0], x: place[1] });
    this.cursor.show();
    if (event.shiftKey) this.paintCursor(this.choice.mode !== "thaw");
    this.readout.ask();
    return true;
  }

  toggle() {
    if (this.choice.tool === "pin") this.store.pinOrUnpin(this.cursor.cell);
    else this.paintCursor(!this.store[this.plane][this.cursor.cell]);
    this.readout.ask();
  }

  paintCursor(frozen) {
    if (this.choice.tool === "pin") return;
    this.store.beginStroke();
    this.store.paint(this.under([this.cursor.cell]), frozen, this.plane);
  }
}
