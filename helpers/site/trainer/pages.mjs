// The masks of all classes, and what somebody predicts on each; one class is on the grid.

import { PaintedMask } from "./painted_mask.mjs";

export const [SIDE, CELLS, CLASSES] = [8, 64, 10];

/** What a cell is called, by the words for a row and a column. */
export const nameOf = (cell, [row, column]) => `${row} ${Math.floor(cell / SIDE)}, ${column} ${cell % SIDE}`;

export class Pages {
  /** @param {number} page the class that is on the grid */
  constructor(page) {
    const masks = () => Array.from({ length: CLASSES }, () => new PaintedMask(CELLS));
    this.masks = masks();
    this.bets = masks();
    this.page = page;
  }

  get mask() {
    return this.masks[this.page];
  }

  get bet() {
    return this.bets[this.page];
  }

  /** By what numbers a frame names the two. */
  get numbers() {
    return { mask: this.page, bets: CLASSES + this.page };
  }

  /** Whether such a number names a bet. */
  isBet(number) {
    return number >= CLASSES;
  }

  /** The mask that an operation was meant for: the one that its page saw. */
  of(number) {
    return (this.isBet(number) ? this.bets : this.masks)[number % CLASSES];
  }

  /** The cells of a whole kernel (cells, classes) that stand on the grid. */
  grid(whole) {
    return Array.from({ length: CELLS }, (_, cell) => whole[cell * CLASSES + this.page]);
  }

  /** The masks of all classes as one, 1 = frozen. */
  get frozen() {
    const whole = new Uint8Array(CELLS * CLASSES);
    this.masks.forEach(({ frozen }, page) => {
      frozen.forEach((one, cell) => { whole[cell * CLASSES + page] = one; });
    });
    return whole;
  }
}
