// The exact value of the cell under the cursor, which only Python knows.

import { make } from "../../../widget/browser/elements.mjs";
import { SILENCE_MS } from "./link.mjs";

const INVITATION = "Point at a cell to read its value.";

export class Readout {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./cursor.mjs").Cursor} cursor
   */
  constructor(store, cursor) {
    this.store = store;
    this.cursor = cursor;
    this.element = make("div", { class: "painter-readout", "aria-live": "polite" }, INVITATION);
  }

  /** Keep up with training: ask again for the cell that is pointed at, and forget one that was. */
  follow(step, pointed) {
    if (pointed) this.ask();
    else if (step !== this.step) this.element.textContent = INVITATION;
  }

  /** One question at a time: a kernel that is busy would answer each of them afterwards. */
  ask() {
    const now = performance.now();
    if (now - this.asked?.at < SILENCE_MS) return;
    const { cell } = this.cursor;
    this.asked = { cell, at: now };
    this.store.link.send({ kind: "value", cell });
  }

  /** Show the answer, or ask again if the cursor has moved on meanwhile. */
  show(answer) {
    const mine = answer.cell === this.asked?.cell;
    if (mine) this.asked = undefined;
    if (answer.cell === this.cursor.cell) {
      this.element.textContent = this.describe(answer);
      this.step = this.store.header.step;
    } else if (mine) this.ask();
  }

  describe({ cell, name, value, was }) {
    const { frozen, leaked } = this.store;
    const state = !frozen[cell] ? "free" : leaked[cell] ? "frozen, but changed" : "frozen";
    const then = frozen[cell] ? "when it was frozen" : "at the start";
    const change = value === was ? "" : `, ${was} ${then}`;
    return `${name}, ${state}: ${this.overlaid(cell)}${value}${change}`;
  }

  /** What the overlay that is viewed says of a cell, which comes before its weight. */
  overlaid(cell) {
    const { view } = this.cursor.choice;
    const heat = this.store.overlay(view);
    return heat ? `${view} ${Number(heat.values[cell].toPrecision(4))}; weight ` : "";
  }
}
