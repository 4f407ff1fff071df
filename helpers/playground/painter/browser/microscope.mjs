// The microscope: the curves of pinned cells, one panel a quantity, on one axis of steps.

import { alignedCopy } from "./bytes.mjs";
import { colourOf, DASHES } from "./curves.mjs";
import { make } from "../../../widget/browser/elements.mjs";
import { cellsOf, nearest, panelsOf, rangeOf, turns } from "./traces.mjs";

const PANEL = 74; // pixels from one panel to the next
const [LEFT, RIGHT, TOP, GAP] = [60, 8, 4, 12];
const BETWEEN = 10; // pixels from one text to the next
const BAR = 4; // pixels: the height of the bar while a cell is frozen
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Shows what the store's last frame has of pinned cells; hidden while none is pinned. */
export class Microscope {
  constructor(store) {
    this.store = store;
    this.list = make("div", { class: "painter-pins" });
    this.canvas = make("canvas", {
      class: "painter-traces", tabindex: "0", role: "img",
      "aria-label": "Curves of the pinned cells. Arrow keys move from step to step.",
    });
    this.values = make("div", { class: "painter-values", "aria-live": "polite" });
    this.element = make("section", { class: "painter-microscope", "aria-label": "Microscope", hidden: "" },
      make("div", { class: "painter-title" }, "Microscope"), this.list, this.canvas, this.values);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.pointAt(undefined));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    const { microscope } = this.store.header;
    this.element.hidden = !microscope?.cells.length;
    if (this.element.hidden) return;
    this.cells = cellsOf(microscope, new Float32Array(alignedCopy(this.store.traces)));
    this.listCells();
    this.draw();
    this.tellValues();
  }

  /** A line for each cell, with a button that unpins it. Built anew only when the cells change. */
  listCells() {
    const names = JSON.stringify(this.cells.map(({ name }) => name));
    if (names === this.listed) return;
    this.listed = names;
    this.list.replaceChildren(...this.cells.map((cell, i) => {
      const button = make("button", { type: "button", "aria-label": `Unpin ${cell.name}` }, "×");
      button.addEventListener("click", () => this.store.unpin(cell));
      return make("span", { class: "painter-pin", "data-curve": i }, sample(), cell.name, button);
    }));
  }

  // Drawing

  draw() {
    const panels = panelsOf(this.cells);
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, panels.length * PANEL + 16];
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    this.steps = longest(this.cells);
    const style = getComputedStyle(canvas);
    this.ink = style.color;
    this.paper = style.getPropertyValue("--surface");
    pen.font = "11px system-ui, sans-serif";
    panels.forEach((name, i) => this.panel(pen, name, i * PANEL + TOP, width));
    this.axis(pen, width, height);
    this.cursorLine(pen, height);
  }

  panel(pen, name, top, width) {
    const bottom = top + PANEL - GAP - TOP;
    const drawn = this.cells.map(({ curves }) => curves.get(name)).filter(Boolean);
    if (name === "weight") drawn.push(...this.cells.map(({ curves }) => curves.get("seen") ?? []));
    const [low, high] = rangeOf(drawn);
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    Object.assign(pen, { strokeStyle: this.ink, fillStyle: this.ink, globalAlpha: 0.35, lineWidth: 1 });
    pen.strokeRect(LEFT, top, width - LEFT - RIGHT, bottom - top);
    pen.globalAlpha = 1;
    Object.assign(pen, { textAlign: "right", textBaseline: "top" });
    pen.fillText(short(high), LEFT - 4, top);
    pen.textBaseline = "bottom";
    pen.fillText(short(low), LEFT - 4, bottom);
    Object.assign(pen, { textAlign: "left", textBaseline: "top" });
    this.cells.forEach((cell, i) => this.curve(pen, cell, name, i, y, width, bottom));
    // A rim in the colour of the page keeps the name legible where a curve runs through it.
    Object.assign(pen, { fillStyle: this.ink, strokeStyle: this.paper, lineWidth: 4, lineJoin: "round" });
    for (const write of ["strokeText", "fillText"]) pen[write](name.replaceAll("_", " "), LEFT + 5, top + 3);
  }

  /** A curve, and a bar at the foot of its panel while the cell is frozen. A band along the curve
   *  itself would look like the range of an error. */
  curve(pen, cell, name, number, y, width, bottom) {
    const values = cell.curves.get(name);
    if (!values) return;
    const x = (i) => this.x(cell.steps[i], width);
    const colour = colourOf(this.canvas, number);
    Object.assign(pen, { strokeStyle: colour, fillStyle: colour });
    const frozen = cell.curves.get("frozen");
    line(pen, values, x, () => bottom - BAR * (number + 0.5), BAR, [], (i) => frozen[i]);
    line(pen, values, x, y, 1.6, DASHES[number], () => true);
    if (name !== "weight") return;
    const seen = cell.curves.get("seen");
    if (seen) line(pen, seen, x, y, 0.8, [], () => true);
    for (const [i, held] of turns(frozen)) triangle(pen, x(i), y(values[i]), held);
  }

  /** The steps, and a dotted line where something else was chosen or turned. Of what is told there,
   *  the newest comes first; where a slider was pulled there is no room for all. */
  axis(pen, width, height) {
    const [first, last] = this.steps.map((step) => step.toLocaleString("en"));
    Object.assign(pen, { fillStyle: this.ink, strokeStyle: this.ink, textBaseline: "bottom", lineWidth: 1 });
    pen.fillText(`step ${first}`, LEFT, height);
    pen.textAlign = "right";
    pen.fillText(last, width - RIGHT, height);
    pen.textAlign = "left";
    const begin = LEFT + pen.measureText(`step ${first}`).width + BETWEEN;
    let end = width - RIGHT - pen.measureText(last).width - BETWEEN;
    const marks = new Map(this.cells.flatMap(({ marks }) => marks));
    pen.setLineDash([1, 3]);
    for (const [step, text] of [...marks].sort(([one], [other]) => other - one)) {
      const x = this.x(step, width);
      pen.beginPath();
      pen.moveTo(x, TOP);
      pen.lineTo(x, height - 14);
      pen.stroke();
      const fits = [text, numbersOf(text)].find((each) => each && pen.measureText(each).width <= end - begin);
      if (!fits) continue;
      const left = Math.min(x + 3, end - pen.measureText(fits).width);
      pen.fillText(fits, left, height);
      end = left - BETWEEN;
    }
    pen.setLineDash([]);
  }

  cursorLine(pen, height) {
    if (this.pointed === undefined) return;
    const x = this.x(this.pointed, this.canvas.clientWidth);
    pen.globalAlpha = 0.6;
    pen.fillRect(x, TOP, 1, height - 14 - TOP);
    pen.globalAlpha = 1;
  }

  /** Where a step stands, in pixels. */
  x(step, width) {
    const [first, last] = this.steps;
    return LEFT + ((step - first) / (last - first || 1)) * (width - LEFT - RIGHT);
  }

  // Values

  point(event) {
    if (!this.steps) return;
    const [first, last] = this.steps;
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    this.pointAt(first + Math.max(0, Math.min(1, share)) * (last - first));
  }

  pointAt(step) {
    this.pointed = step;
    this.draw();
    this.tellValues();
  }

  key(event) {
    const way = KEYS[event.key];
    if (way === undefined || !this.steps) return;
    event.preventDefault();
    event.stopPropagation();
    const { steps } = this.cells[0];
    const at = nearest(steps, this.pointed ?? steps.at(-1)) + way;
    this.pointAt(steps[Math.max(0, Math.min(steps.length - 1, at))]);
  }

  tellValues() {
    if (this.pointed === undefined) {
      this.values.textContent = "Point at the curves to read values.";
      return;
    }
    this.values.replaceChildren(...this.cells.filter(({ steps }) => steps.length).map((cell) => {
      const at = nearest(cell.steps, this.pointed);
      const told = [...cell.curves].filter(([name]) => name !== "frozen")
        .map(([name, values]) => `${name.replaceAll("_", " ")} ${short(values[at])}`);
      const state = cell.curves.get("frozen")[at] ? "frozen" : "free";
      return make("div", {}, `${cell.name}, step ${cell.steps[at]}, ${state}: ${told.join(", ")}`);
    }));
  }
}

/** Of what a step was taken with, the numbers that are turned: what stands behind technique and optimizer. */
const numbersOf = (text) => text.split(", ").slice(2).join(", ");

/** A number in few characters. */
export function short(value) {
  if (Number.isNaN(value)) return "none";
  const size = Math.abs(value);
  return size && (size < 1e-3 || size >= 1e4) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

/** The first and the last step of all the cells. */
function longest(cells) {
  const recorded = cells.filter(({ steps }) => steps.length);
  const firsts = recorded.map(({ steps }) => steps[0]);
  const lasts = recorded.map(({ steps }) => steps.at(-1));
  return recorded.length ? [Math.min(...firsts), Math.max(...lasts)] : [0, 1];
}

function sample() {
  return make("span", { class: "painter-sample", "aria-hidden": "true" });
}

/** Draw the places of a curve that `wanted` names, and leave gaps where there is no number. */
function line(pen, values, x, y, width, dashes, wanted) {
  pen.lineWidth = width;
  pen.setLineDash(dashes);
  pen.beginPath();
  let drawing = false;
  for (let i = 0; i < values.length; i++) {
    const there = wanted(i) && Number.isFinite(values[i]);
    if (there && drawing) pen.lineTo(x(i), y(values[i]));
    else if (there) pen.moveTo(x(i), y(values[i]));
    drawing = there;
  }
  pen.stroke();
  pen.setLineDash([]);
}

/** A triangle, full where a cell was frozen and empty where it was thawed. */
function triangle(pen, x, y, full) {
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x, y - 6);
  pen.lineTo(x + 5, y + 4);
  pen.lineTo(x - 5, y + 4);
  pen.closePath();
  if (full) pen.fill();
  else pen.stroke();
}
