// What somebody predicts of cells, that they will leak or that they will not move: a ring in each on the
// grid; after training, what came of it.

import { make } from "../../../widget/browser/elements.mjs";

const SMALLEST = 7; // pixels a cell, for a sign that can be told from another
// Strokes of each sign, in a cell from (0, 0) to (1, 1): lists of points, or a ring.
const SIGNS = {
  predicted: { ring: true },
  right: { lines: [[[0.25, 0.55], [0.43, 0.73], [0.77, 0.3]]] },
  wrong: { lines: [[[0.28, 0.28], [0.72, 0.72]], [[0.72, 0.28], [0.28, 0.72]]] },
  missed: { lines: [[[0.5, 0.2], [0.5, 0.6]], [[0.5, 0.76], [0.5, 0.8]]] },
};

/** Where it has come as a claim says, 0 or 1 a cell: the cell leaks, or has not moved by a bit. */
export function outcomeOf(claim, leaked, moved) {
  return claim === "stay" ? moved.map((distance) => Number(distance === 0)) : leaked;
}

/** What is to be told of a cell: its sign, or undefined. `came` says whether it came so. */
export function signOf(predicted, came, judged) {
  if (!judged) return predicted ? "predicted" : undefined;
  if (predicted) return came ? "right" : "wrong";
  return came ? "missed" : undefined;
}

/** How many cells have each sign. */
export function tally(predicted, came) {
  const count = { right: 0, missed: 0, wrong: 0 };
  for (let cell = 0; cell < predicted.length; cell++) {
    const sign = signOf(predicted[cell], came[cell], true);
    if (sign) count[sign]++;
  }
  return count;
}

export class Bets {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./canvas.mjs").Canvas} canvas
   */
  constructor(store, canvas) {
    this.store = store;
    this.canvas = canvas;
    this.picture = make("canvas", { class: "painter-bets", width: 0, height: 0, "aria-hidden": "true" });
    canvas.grid.append(this.picture);
    this.element = make("output", { class: "painter-verdict" });
  }

  /** Whether training has put to the test what was predicted. */
  get judged() {
    return this.store.header.judged && this.store.model.get("status") !== "training";
  }

  show() {
    const { predicted, leaked, moved, version, header } = this.store;
    const [judged, size] = [this.judged, this.canvas.cell];
    const told = [version, judged, size, header.claim, judged && header.step].join();
    if (told === this.drawn || !size) return;
    this.drawn = told;
    const [before, made] = [this.made, predicted.some(Boolean)];
    this.made = made;
    if (!made && !before) return; // nothing stands there, and nothing is to
    const came = outcomeOf(header.claim, leaked, moved);
    this.element.textContent = made ? describe(judged, tally(predicted, came), predicted, header.claim) : "";
    [this.picture.width, this.picture.height] = [this.canvas.hatch.width, this.canvas.hatch.height];
    if (made) this.draw(judged, size, came);
  }

  draw(judged, size, came) {
    const { predicted, columns, count } = this.store;
    const pen = this.picture.getContext("2d");
    for (let cell = 0; cell < count; cell++) {
      const sign = signOf(predicted[cell], came[cell], judged);
      if (sign) drawSign(pen, sign, (cell % columns) * size, Math.floor(cell / columns) * size, size);
    }
  }
}

function describe(judged, { right, missed, wrong }, predicted, claim) {
  if (judged) return `Your prediction: ${right} right (✓), ${missed} missed (!), ${wrong} wrong (✗)`;
  const count = predicted.reduce((sum, one) => sum + one, 0);
  return `You predict that ${count} ${count === 1 ? "cell" : "cells"} will ${claim === "stay" ? "not move" : "leak"}`;
}

function drawSign(pen, sign, left, top, size) {
  if (size < SMALLEST) {
    pen.fillStyle = { predicted: "#000", right: "#00a878", wrong: "#000", missed: "#e1141e" }[sign];
    pen.fillRect(left, top, Math.max(1, size / 2), Math.max(1, size / 2));
    return;
  }
  // Black in a white rim can be seen on every colour of the grid.
  for (const { colour, width } of [{ colour: "#fff", width: 0.22 }, { colour: "#000", width: 0.1 }]) {
    Object.assign(pen, { strokeStyle: colour, lineWidth: Math.max(1.5, width * size), lineCap: "round" });
    pen.beginPath();
    if (SIGNS[sign].ring) pen.arc(left + size / 2, top + size / 2, size * 0.28, 0, 2 * Math.PI);
    for (const line of SIGNS[sign].lines ?? []) {
      line.forEach(([x, y], i) => pen[i ? "lineTo" : "moveTo"](left + x * size, top + y * size));
    }
    pen.stroke();
  }
}
