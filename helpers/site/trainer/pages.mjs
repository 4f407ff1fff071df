// The masks of all pages of a task, and what somebody predicts on each; one page is on the grid.

import { PaintedMask } from "./painted_mask.mjs";

export class Pages {
  /** @param {Pick<import("./tasks.mjs").Told, "shape" | "pages" | "page" | "words">} task */
  constructor({ shape: [rows, columns], pages, page, words }) {
    this.names = pages;
    this.words = words;
    this.columns = columns;
    this.cells = rows * columns;
    const masks = () => pages.map(() => new PaintedMask(this.cells));
    this.masks = masks();
    this.bets = masks();
    this.turn(page);
  }

  /** Lay another page on the grid. */
  turn(name) {
    this.at = this.names.indexOf(name);
  }

  /** The name of the page that is on the grid. */
  get page() {
    return this.names[this.at];
  }

  get mask() {
    return this.masks[this.at];
  }

  get bet() {
    return this.bets[this.at];
  }

  /** By what numbers a frame names the two. */
  get numbers() {
    return { mask: this.at, bets: this.names.length + this.at };
  }

  /** Whether such a number names a bet. */
  isBet(number) {
    return number >= this.names.length;
  }

  /** The mask that an operation was meant for: the one that its page saw. */
  of(number) {
    return (this.isBet(number) ? this.bets : this.masks)[number % this.names.length];
  }

  /** Where in the whole kernel a cell of a page stands. */
  place(page, cell) {
    return cell * this.names.length + this.names.indexOf(page);
  }

  /** What a cell of the page on the grid is called. */
  nameOf(cell) {
    const [row, column] = this.words;
    return `${row} ${Math.floor(cell / this.columns)}, ${column} ${cell % this.columns}`;
  }

  /** The cells of a whole kernel that stand on the grid. */
  grid(whole) {
    return Array.from({ length: this.cells }, (_, cell) => whole[cell * this.names.length + this.at]);
  }

  /** The masks of all pages as one, 1 = frozen. */
  get frozen() {
    const whole = new Uint8Array(this.cells * this.names.length);
    this.masks.forEach(({ frozen }, page) => {
      frozen.forEach((one, cell) => { whole[cell * this.names.length + page] = one; });
    });
    return whole;
  }
}
