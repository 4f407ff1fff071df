// The grid on the screen: a picture of a pixel a cell, scaled up, and the hatch of frozen cells.

import { make } from "../../../widget/browser/elements.mjs";
import { changedBox } from "./geometry.mjs";
import { drawCells, drawHatch } from "./pixels.mjs";

// Room for the longer side of a grid, in pixels; one of many cells gets more.
const [ROOM, LARGE_ROOM, LARGE_SIDE] = [420, 512, 140];
const SMALLEST_ROOM = 16;

/** Draws the planes of a store in the view that is chosen. `cell` is the side of a cell in pixels,
 *  once `fit` has laid the grid out. */
export class Canvas {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   */
  constructor(store, choice) {
    this.store = store;
    this.choice = choice;
    const { rows, columns } = store;
    const { first, last } = store.model.get("names");
    this.picture = make("canvas", { class: "painter-picture", "aria-hidden": "true" });
    // A canvas is 300 × 150 until it is told otherwise, which fit() could take for fitting.
    this.hatch = make("canvas", { class: "painter-hatch", width: 0, height: 0, "aria-hidden": "true" });
    this.grid = make("div", {
      class: "painter-grid",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "grid of weights",
      "aria-label":
        `Mask over ${rows} rows and ${columns} columns, from ${first} to ${last}. Arrow keys move, space freezes or thaws ` +
        "the cell, Shift with an arrow key paints along.",
    }, this.picture, this.hatch);
    this.pictureContext = this.picture.getContext("2d");
    this.hatchContext = this.hatch.getContext("2d");
    [this.picture.width, this.picture.height] = [columns, rows];
    this.image = new ImageData(columns, rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.drawnStates = new Uint8Array(store.count);
  }

  /** Fit the grid into `width` pixels, with whole pixels a cell where that is possible. Returns
   *  whether its size has changed; then everything is to be drawn again. */
  fit(width) {
    const { rows, columns } = this.store;
    const longer = Math.max(rows, columns);
    const room = Math.min(width - 2, longer > LARGE_SIDE ? LARGE_ROOM : ROOM);
    if (room < SMALLEST_ROOM) return false;
    const exact = room / longer;
    this.cell = exact >= 1 ? Math.floor(exact) : exact;
    return this.resize(Math.round(columns * this.cell), Math.round(rows * this.cell));
  }

  resize(width, height) {
    if (this.hatch.width === width && this.hatch.height === height) return false;
    // Two pixels more for the border on both sides.
    Object.assign(this.grid.style, { width: `${width + 2}px`, height: `${height + 2}px` });
    [this.hatch.width, this.hatch.height] = [width, height];
    return true;
  }

  /** The pointer's place in cells from the grid's top left corner. */
  place(event) {
    const box = this.picture.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * this.store.columns,
      y: ((event.clientY - box.top) / box.height) * this.store.rows,
    };
  }

  drawPicture() {
    const { store, choice } = this;
    const heat = store.overlay(choice.view);
    // From 0 to the largest, as how far cells have moved.
    if (heat) drawCells(this.pixels, "moved", { moved: heat.codes }, store.tables);
    else drawCells(this.pixels, choice.view, store, store.tables);
    this.pictureContext.putImageData(this.image, 0, 0);
  }

  /** Draw the mask on a canvas that has been cleared, as it is when its size has changed. */
  drawMaskAnew() {
    this.drawnStates.fill(0);
    this.drawnFrom = undefined;
    this.drawChangedMask();
  }

  /** Draw again where the mask, or what has leaked, is not what stands on the screen. */
  drawChangedMask() {
    const { frozen, leaked, columns, count } = this.store;
    if (this.drawnFrom === frozen || !this.cell) return;
    const states = new Uint8Array(count);
    for (let cell = 0; cell < count; cell++) states[cell] = stateOf(cell, frozen, leaked);
    const box = changedBox(this.drawnStates, states, columns);
    if (box) this.drawMask(box);
    this.drawnFrom = frozen;
  }

  /** Draw a box of cells; their neighbours too, because their outlines depend on them. */
  drawMask(box) {
    const { store, cell: size } = this;
    if (!size) return;
    const area = {
      x0: Math.max(0, Math.floor((box.left - 1) * size)),
      y0: Math.max(0, Math.floor((box.top - 1) * size)),
      x1: Math.min(this.hatch.width, Math.ceil((box.right + 2) * size)),
      y1: Math.min(this.hatch.height, Math.ceil((box.bottom + 2) * size)),
    };
    const image = new ImageData(area.x1 - area.x0, area.y1 - area.y0);
    const pixels = new Uint32Array(image.data.buffer);
    drawHatch(pixels, area, size, store, store.rows, store.columns);
    this.hatchContext.putImageData(image, area.x0, area.y0);
    this.rememberStates(box);
  }

  rememberStates({ top, left, bottom, right }) {
    const { frozen, leaked, columns } = this.store;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = row * columns + column;
        this.drawnStates[cell] = stateOf(cell, frozen, leaked);
      }
    }
  }
}

/** How a cell's mask is drawn: 0 without hatch, 1 with hatch, 2 with the hatch of a leak. */
function stateOf(cell, frozen, leaked) {
  return frozen[cell] + (frozen[cell] & leaked[cell]);
}
