// The curves beside the grid: the loss, and how much of the held-out data is right, over the steps.

import { make } from "../../../widget/browser/elements.mjs";

/** What tells curves apart beside their colours. */
export const DASHES = [[], [6, 3], [6, 3, 1, 3], [1, 2]];
const [LABEL, GRID_LEFT] = [12, 40]; // pixels: the height of a label, and the room for those of the scale
const MOST_LABEL = 0.4; // of the width: the room for the longest name at the end of a curve

/** The colour of the curve of this number. */
export function colourOf(element, number) {
  return getComputedStyle(element).getPropertyValue(`--curve-${number}`).trim() || "#0072b2";
}

export class Curves {
  /** @param {import("./store.mjs").Store} store */
  constructor(store) {
    this.store = store;
    const figure = (title, canvas) => make("div", {}, make("div", { class: "painter-title" }, title), canvas);
    this.loss = make("canvas", { class: "painter-curve", role: "img", "aria-label": "Loss curve" });
    this.accuracies = make("canvas", { class: "painter-accuracies", role: "img" });
    this.right = figure("Held-out accuracy", this.accuracies);
    this.element = make("div", { class: "painter-curves" }, figure("Loss", this.loss), this.right);
  }

  show() {
    const { store, accuracies: canvas } = this;
    const { held_out: names = [], step } = store.header;
    drawLosses(this.loss, store.curve);
    this.right.hidden = !names.length;
    if (!names.length) return;
    const [steps, ...shares] = rowsOf(store.accuracies, names.length + 1);
    const told = names.map((name, i) => `${name} ${steps.length ? percent(shares[i].at(-1)) : "not yet measured"}`);
    canvas.setAttribute("aria-label", `Curves of held-out accuracy; now: ${told.join(", ")}`);
    new Accuracies(canvas, names, step).draw(steps, shares);
  }
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** The rows of a table of `count` rows, which lie one behind the other. */
export function rowsOf(numbers, count) {
  const length = numbers.length / count;
  return Array.from({ length: count }, (_, i) => numbers.subarray(i * length, (i + 1) * length));
}

/** Places of labels, from 0 to `end`: near to where they are wanted, and LABEL pixels apart. */
export function labelPlaces(wanted, end) {
  const order = [...wanted.keys()].sort((one, other) => wanted[one] - wanted[other]);
  const places = [];
  for (const [rank, i] of order.entries()) {
    const lowest = rank ? places[order[rank - 1]] + LABEL : 0;
    // Those that come below need their room, too.
    places[i] = Math.max(lowest, Math.min(wanted[i], end - LABEL * (order.length - 1 - rank)));
  }
  return places;
}

/** One drawing of accuracies, from 0 to 100 %, over the steps up to `last`; each curve has its name at
 *  its end. */
class Accuracies {
  constructor(canvas, names, last) {
    const scale = window.devicePixelRatio || 1;
    this.canvas = canvas;
    this.names = names;
    this.last = last;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    [canvas.width, canvas.height] = [Math.round(this.width * scale), Math.round(this.height * scale)];
    this.pen = canvas.getContext("2d");
    this.pen.scale(scale, scale);
    this.pen.font = "11px system-ui, sans-serif";
    this.ink = getComputedStyle(canvas).color;
    const longest = Math.max(...names.map((name) => this.pen.measureText(name).width));
    this.label = Math.min(longest, MOST_LABEL * this.width);
    this.right = this.width - this.label - 8;
  }

  draw(steps, shares) {
    if (this.width <= GRID_LEFT) return;
    this.drawScale();
    if (!steps.length) return;
    const ends = shares.map((row) => this.y(row.at(-1)) - LABEL / 2);
    const places = labelPlaces(ends, this.height - LABEL).map((top) => top + LABEL / 2);
    shares.forEach((row, i) => this.drawCurve(steps, row, i));
    Object.assign(this.pen, { fillStyle: this.ink, textAlign: "left" });
    this.names.forEach((name, i) => this.pen.fillText(name, this.right + 6, places[i], this.label));
  }

  drawScale() {
    const { pen, ink } = this;
    Object.assign(pen, { fillStyle: ink, strokeStyle: ink, lineWidth: 1, textAlign: "right", textBaseline: "middle" });
    for (const share of [0, 0.5, 1]) {
      pen.globalAlpha = 1;
      pen.fillText(percent(share), GRID_LEFT - 4, this.y(share));
      pen.globalAlpha = 0.25;
      this.line([[GRID_LEFT, this.y(share)], [this.right, this.y(share)]]);
    }
    pen.globalAlpha = 1;
  }

  drawCurve(steps, row, number) {
    const { pen } = this;
    const colour = colourOf(this.canvas, number % DASHES.length);
    Object.assign(pen, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.8 });
    pen.setLineDash(DASHES[number % DASHES.length]);
    this.line([...row].map((share, i) => [this.x(steps[i]), this.y(share)]));
    pen.setLineDash([]);
    pen.beginPath();
    pen.arc(this.x(steps.at(-1)), this.y(row.at(-1)), 2.5, 0, 2 * Math.PI);
    pen.fill();
  }

  line(places) {
    this.pen.beginPath();
    for (const [x, y] of places) this.pen.lineTo(x, y);
    this.pen.stroke();
  }

  x(step) {
    return GRID_LEFT + (this.last ? step / this.last : 0) * (this.right - GRID_LEFT);
  }

  y(share) {
    return LABEL / 2 + (1 - share) * (this.height - LABEL);
  }
}

/** Draw losses over steps, on a logarithmic scale. `curve` has all the steps, then their losses. */
function drawLosses(canvas, curve) {
  const context = canvas.getContext("2d");
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const points = curve.length / 2;
  if (!width || points < 2) {
    context.clearRect(0, 0, canvas.width, canvas.height);
    return;
  }
  [canvas.width, canvas.height] = [width, height]; // this clears it, and its settings
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = 1.5;
  const losses = [...curve.subarray(points)].map((loss) => Math.log(Math.max(loss, 1e-12)));
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  context.beginPath();
  losses.forEach((loss, i) => {
    const x = (curve[i] / curve[points - 1]) * (width - 2) + 1;
    context.lineTo(x, height - 2 - ((loss - low) / (high - low || 1)) * (height - 4));
  });
  context.stroke();
}
