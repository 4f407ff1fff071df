// What one widget knows of its grid, shared by all the places where it is shown. Python owns the
// mask; the store paints at once what it asks Python to paint, and takes over what frames say.

import { alignedCopy, bytesOf, equal, unpackBits } from "./bytes.mjs";
import { boxOf } from "./geometry.mjs";
import { Link } from "./link.mjs";
import { Overlays } from "./overlays.mjs";
import { pixelTable } from "./pixels.mjs";

const SETTINGS = ["technique", "optimizer", "page", "speed", "rate", "momentum", "decay", "status", "choices",
  "controls", "stations", "goals"];

/** The planes of the grid, a number a cell: `weights` and `moved` as frames bring them, `frozen` and
 *  `leaked` as 0 or 1; `frozen` has on top of the last frame's mask what Python has not yet seen.
 *  `predicted` is 1 where somebody bets on a leak; `version` counts the changes of these planes.
 *  `header`, `curve` and `accuracies` are the last frame's. Views in `views` are told what changes. */
export class Store {
  /** @param {import("../../../widget/browser/model.mjs").Model} model */
  constructor(model) {
    this.model = model;
    const [rows, columns] = model.get("shape");
    this.rows = rows;
    this.columns = columns;
    this.count = rows * columns;
    this.frozen = new Uint8Array(this.count);
    this.leaked = new Uint8Array(this.count);
    this.predicted = new Uint8Array(this.count);
    /** @type {Set<import("./view.mjs").View>} */
    this.views = new Set();
    this.overlays = new Overlays(model);
    this.stroke = 0;
    this.version = 0;
    const colours = bytesOf(model.get("colours"));
    this.tables = [pixelTable(colours.subarray(0, 768)), pixelTable(colours.subarray(768))];
    model.on("change:status change:error", () => this.connectionChanged());
    model.on(SETTINGS.map((name) => `change:${name}`).join(" "), () => this.notify("settingsChanged"));
    this.link = new Link(model, this);
    this.link.open();
  }

  close() {
    this.link.close();
  }

  notify(method, ...values) {
    for (const view of this.views) view[method](...values);
  }

  // What the link hears

  /**
   * @param {import("./messages.mjs").Header} header
   * @param {import("./messages.mjs").Planes} planes
   */
  takeFrame(header, planes) {
    this.header = header;
    const weights = bytesOf(planes.weights);
    this.weights = new Int8Array(weights.buffer, weights.byteOffset, weights.length);
    this.moved = bytesOf(planes.moved);
    this.curve = new Float32Array(alignedCopy(planes.curve));
    this.accuracies = new Float32Array(alignedCopy(planes.accuracies ?? new ArrayBuffer(0)));
    this.traces = planes.traces;
    this.takeMasks(bytesOf(planes.frozen), bytesOf(planes.leaked), bytesOf(planes.predicted));
    this.notify("frameArrived");
  }

  takeMasks(frozen, leaked, predicted) {
    // While nobody paints, most frames bring the same masks again; unpacking them would be waste.
    const bits = { frozen, leaked, predicted };
    const same = Object.keys(bits).every((name) => equal(bits[name], this.bits?.[name]));
    if (same && !this.paintedOnTop) return;
    this.bits = bits;
    this.version++;
    for (const name of Object.keys(bits)) this[name] = unpackBits(bits[name], this.count);
    this.paintedOnTop = false;
    for (const { message, buffers } of this.link.pending) {
      // What is on its way to another mask does not belong on this one.
      const plane = message.kind === "paint" && this.planeOf(message.mask);
      if (plane) this.fill(new Int32Array(buffers[0]), message.frozen, plane);
    }
  }

  /** @param {import("./messages.mjs").Value | import("./messages.mjs").Text} message */
  takeReply(message) {
    this.notify(message.kind === "value" ? "showValue" : "showShared", message);
  }

  /** The overlay of this name on the page that is shown; undefined for every other view. */
  overlay(view) {
    return this.overlays.on(view, this.header.page ?? this.model.get("page"));
  }

  connectionChanged() {
    this.notify("showStatus");
  }

  // What a hand does

  /** From now on, what is painted is another stroke, which undo takes back by itself. */
  beginStroke() {
    this.stroke++;
  }

  /** The number of the mask on which a plane is painted: that of frozen cells, or that of the bets. */
  maskOf(plane) {
    return plane === "predicted" ? this.header.bets : this.header.mask;
  }

  /** The plane that shows the mask of this number, if one does now. */
  planeOf(mask) {
    return ["frozen", "predicted"].find((plane) => this.maskOf(plane) === mask);
  }

  /** Paint a plane at once, and ask Python to. Returns the cells that changed. */
  paint(cells, value, plane = "frozen") {
    if (!this.link.connected) return [];
    const changed = cells.filter((cell) => this[plane][cell] !== Number(value));
    if (!changed.length) return changed;
    this.fill(changed, value, plane);
    this.askToPaint(changed, value, plane);
    this.notify("cellsChanged", boxOf(changed, this.columns));
    return changed;
  }

  fill(cells, value, plane) {
    for (const cell of cells) this[plane][cell] = Number(value);
    this.paintedOnTop = true;
    this.version++;
  }

  /** Add the cells to the operation that waits, if it is of the same stroke, or ask for another. */
  askToPaint(cells, value, plane) {
    const mask = this.maskOf(plane);
    const message = { kind: "paint", mask, stroke: this.stroke, frozen: value };
    const { waiting } = this.link;
    if (waiting && Object.keys(message).every((name) => waiting.message[name] === message[name])) {
      const before = new Int32Array(waiting.buffers[0]);
      waiting.buffers = [Int32Array.from([...before, ...cells]).buffer];
    } else {
      this.link.ask(message, [Int32Array.from(cells).buffer]);
    }
  }

  /** Pin the cell of the page that is shown, or unpin it. */
  pinOrUnpin(cell) {
    const { microscope, page } = this.header;
    if (!microscope) return;
    const [row, column] = [Math.floor(cell / this.columns), cell % this.columns];
    const same = (one) => one.page === page && one.row === row && one.column === column;
    this.operate("pin", { page, cell, pinned: !microscope.cells.some(same) });
  }

  unpin({ page, row, column }) {
    this.operate("pin", { page, cell: row * this.columns + column, pinned: false });
  }

  /** Ask Python for an operation that only it can carry out, such as undo. */
  operate(kind, details = {}) {
    if (this.link.connected) this.link.ask({ kind, mask: this.header.mask, ...details });
  }
}
