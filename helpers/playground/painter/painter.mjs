// The mask-painting widget, browser side. Python owns the mask; this file paints at once what it
// asks Python to paint, and shows what Python says in whole frames. One unbundled file, because a
// widget's module is loaded from a Blob and cannot import its neighbours.
//
//   geometry   which cells a pointer touches; exported, tested with `node --test`
//   pixels     what a cell looks like; exported likewise
//   Store      one for each widget: mask, operations under way, the latest frame
//   View       one for each place where the widget is shown: canvases, tools, keys, meters

const IN_FLIGHT = 3;
const LAST_REPEAT = 10;
const SILENCE_MS = 4000;
const METER_MS = 100;

// --- geometry ------------------------------------------------------------------------------

/** Flat indexes of the cells that the segment from (x0, y0) to (x1, y1) crosses, in order.
 *  Coordinates are in cells from the top left corner; cells outside the grid are left out.
 *  After Amanatides and Woo, "A Fast Voxel Traversal Algorithm", Eurographics 1987. */
export function cellsCrossed(x0, y0, x1, y1, rows, columns) {
  let [column, row] = [Math.floor(x0), Math.floor(y0)];
  const [lastColumn, lastRow] = [Math.floor(x1), Math.floor(y1)];
  const horizontal = walk(x0, x1);
  const vertical = walk(y0, y1);
  const cells = [];
  let left = Math.abs(lastColumn - column) + Math.abs(lastRow - row);
  for (;;) {
    if (row >= 0 && row < rows && column >= 0 && column < columns) cells.push(row * columns + column);
    if (left-- <= 0) return cells;
    const sideways = row === lastRow || (column !== lastColumn && horizontal.next < vertical.next);
    if (sideways) {
      column += horizontal.step;
      horizontal.next += horizontal.gap;
    } else {
      row += vertical.step;
      vertical.next += vertical.gap;
    }
  }
}

/** How one coordinate meets cell borders: `next` border and `gap` between borders, as fractions. */
function walk(from, to) {
  const length = Math.abs(to - from);
  const ahead = to > from ? Math.floor(from) + 1 - from : from - Math.floor(from);
  return { step: to > from ? 1 : -1, next: ahead / length, gap: 1 / length };
}

/** The cells under a square brush of odd `size` centred on each of `cells`, each once. */
export function brushed(cells, size, rows, columns) {
  if (size === 1) return Int32Array.from(new Set(cells));
  const reach = (size - 1) / 2;
  const touched = new Set();
  for (const cell of cells) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const right = Math.min(columns - 1, column + reach);
    const bottom = Math.min(rows - 1, row + reach);
    for (let r = Math.max(0, row - reach); r <= bottom; r++) {
      for (let c = Math.max(0, column - reach); c <= right; c++) touched.add(r * columns + c);
    }
  }
  return Int32Array.from(touched);
}

/** The cells of the rectangle between two opposite corner cells, borders included. */
export function block(from, to, columns) {
  const [r0, r1] = [Math.floor(from / columns), Math.floor(to / columns)].sort((a, b) => a - b);
  const [c0, c1] = [from % columns, to % columns].sort((a, b) => a - b);
  const cells = new Int32Array((r1 - r0 + 1) * (c1 - c0 + 1));
  let i = 0;
  for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) cells[i++] = r * columns + c;
  return cells;
}

/** `count` bits as bytes of 0 or 1; the first cell stands in the lowest bit. */
export function unpackBits(bytes, count) {
  const bits = new Uint8Array(count);
  for (let i = 0; i < count; i++) bits[i] = (bytes[i >> 3] >> (i & 7)) & 1;
  return bits;
}

/** The smallest box of cells outside which two planes agree, or null where they are equal. */
export function changedBox(before, after, columns) {
  let [top, bottom, left, right] = [Infinity, -1, Infinity, -1];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const [row, column] = [(i / columns) | 0, i % columns];
    if (row < top) top = row;
    if (row > bottom) bottom = row;
    if (column < left) left = column;
    if (column > right) right = column;
  }
  return bottom < 0 ? null : { top, left, bottom, right };
}

/** The smallest box around a list of cells. */
function boxOf(cells, columns) {
  const box = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
  for (const cell of cells) {
    const [row, column] = [(cell / columns) | 0, cell % columns];
    box.top = Math.min(box.top, row);
    box.bottom = Math.max(box.bottom, row);
    box.left = Math.min(box.left, column);
    box.right = Math.max(box.right, column);
  }
  return box;
}

// --- pixels --------------------------------------------------------------------------------

const rgba = (r, g, b, a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
const HATCH = [0, rgba(20, 20, 20), rgba(225, 20, 30)];
const HALO = rgba(255, 255, 255, 190);
const HATCH_PERIOD = 8;
const [FREE, INTACT, LEAKED] = [rgba(238, 238, 234), rgba(70, 110, 150), rgba(225, 20, 30)];

/** Colours of 256 codes, from three bytes each, as 32-bit pixels. */
export function pixelTable(bytes) {
  return Uint32Array.from({ length: 256 }, (_, i) => rgba(...bytes.subarray(3 * i, 3 * i + 3)));
}

/** Fill `pixels`, one a cell, with the picture of one of the three views. */
export function drawCells(pixels, view, planes, tables) {
  const { weights, moved, frozen, leaked } = planes;
  const last = pixels.length;
  if (view === "weights") for (let i = 0; i < last; i++) pixels[i] = tables[0][weights[i] + 128];
  else if (view === "moved") for (let i = 0; i < last; i++) pixels[i] = tables[1][moved[i]];
  else for (let i = 0; i < last; i++) pixels[i] = !frozen[i] ? FREE : leaked[i] ? LEAKED : INTACT;
}

/** Fill `pixels`, the box x0…x1, y0…y1 of the overlay, with hatch and outline of frozen cells.
 *  `size` is the side of a cell in pixels; the hatch runs on across cells, so that it shows at
 *  any size; leaked cells are hatched in red. */
export function drawHatch(pixels, box, size, planes, rows, columns) {
  const { frozen, leaked } = planes;
  const edge = Math.max(1, Math.min(3, Math.round(size / 16)));
  const width = box.x1 - box.x0;
  for (let y = box.y0; y < box.y1; y++) {
    const row = Math.min(rows - 1, (y / size) | 0);
    const [toTop, toBottom] = [y - row * size < edge, (row + 1) * size - y <= edge];
    for (let x = box.x0; x < box.x1; x++) {
      const column = Math.min(columns - 1, (x / size) | 0);
      const cell = row * columns + column;
      const at = (y - box.y0) * width + x - box.x0;
      if (!frozen[cell]) {
        pixels[at] = 0;
        continue;
      }
      const colour = HATCH[leaked[cell] ? 2 : 1];
      const outline =
        (toTop && (row === 0 || !frozen[cell - columns])) ||
        (toBottom && (row === rows - 1 || !frozen[cell + columns])) ||
        (x - column * size < edge && (column === 0 || !frozen[cell - 1])) ||
        ((column + 1) * size - x <= edge && (column === columns - 1 || !frozen[cell + 1]));
      const phase = (x + y) % HATCH_PERIOD;
      pixels[at] = outline || phase < 2 ? colour : phase === 2 || phase === 7 ? HALO : 0;
    }
  }
}

// --- Store ---------------------------------------------------------------------------------

/** What one widget knows, shared by all the places where it is shown. */
class Store {
  constructor(model) {
    this.model = model;
    [this.rows, this.columns] = model.get("shape");
    this.count = this.rows * this.columns;
    this.views = new Set();
    this.client = Math.random().toString(36).slice(2);
    this.seq = 0;
    this.stroke = 0;
    this.operations = []; // asked for, and not yet in a frame
    this.connected = true;
    this.heard = performance.now();
    const colours = bytesOf(model.get("colours"));
    this.tables = [pixelTable(colours.subarray(0, 768)), pixelTable(colours.subarray(768))];
    const { header, ...planes } = model.get("frame");
    this.receive(header, planes);
    this.listen();
    this.send({ kind: "hello", client: this.client });
  }

  listen() {
    this.model.on("msg:custom", (message, buffers) => {
      this.heard = performance.now();
      if (message.kind === "frame") {
        const planes = Object.fromEntries(message.planes.map((name, i) => [name, buffers[i]]));
        this.receive(message, planes);
      } else if (message.kind === "value") this.notify("showValue", message);
    });
    this.model.on("change:status change:error", () => this.notify("showStatus"));
    this.model.on("comm_live_update", () => this.disconnect());
    this.watchdog = setInterval(() => this.checkSilence(), 1000);
  }

  close() {
    clearInterval(this.watchdog);
    clearInterval(this.beating);
  }

  notify(method, ...values) {
    for (const view of this.views) view[method](...values);
  }

  disconnect() {
    this.connected = false;
    this.notify("showStatus");
  }

  /** Operations that stay unanswered mean that nobody is there to answer them. */
  checkSilence() {
    const oldest = this.operations.find((operation) => operation.sent);
    const since = oldest && performance.now() - Math.max(oldest.sent, this.heard);
    const silent = since > SILENCE_MS;
    if (silent !== this.silent) {
      this.silent = silent;
      this.notify("showStatus");
    }
    if (oldest && performance.now() - oldest.sent > SILENCE_MS) this.repeat();
  }

  /** Send again what may have been lost on the way; Python carries out no operation twice. */
  repeat() {
    for (const operation of this.operations) if (operation.sent) this.post(operation);
  }

  send(message, buffers = []) {
    try {
      this.model.send(message, undefined, buffers);
    } catch {
      this.disconnect();
    }
  }

  /** Take a frame, and put on top of its mask what Python has not yet seen. */
  receive(header, planes) {
    this.header = header;
    this.weights = new Int8Array(bytesOf(planes.weights).buffer);
    this.moved = bytesOf(planes.moved);
    this.curve = new Float32Array(bytesOf(planes.curve).buffer);
    this.takeMasks(bytesOf(planes.frozen), bytesOf(planes.leaked));
    this.flush();
    this.notify("frameArrived");
  }

  takeMasks(frozen, leaked) {
    // While nobody paints, most frames bring the same masks again; unpacking them would be waste.
    const same = !this.operations.length && equal(frozen, this.bits?.frozen) && equal(leaked, this.bits?.leaked);
    if (same) return;
    this.bits = { frozen, leaked };
    this.frozen = unpackBits(frozen, this.count);
    this.leaked = unpackBits(leaked, this.count);
    const applied = this.header.applied[this.client] ?? 0;
    this.operations = this.operations.filter((operation) => operation.seq > applied);
    for (const { cells, frozen } of this.operations) {
      if (cells) for (const cell of cells) this.frozen[cell] = frozen;
    }
  }

  /** Tell Python which frame is on the screen: at once while nothing trains, else at a steady beat.
   *  Each message costs JupyterLab a redraw of its status line, so not one a frame. But small frames
   *  need a fast beat: the Jupyter server holds a message back until its last one is acknowledged,
   *  and the browser's side delays that by 40 ms unless it has something to say. */
  shown() {
    if (this.model.get("status") !== "training") this.beat();
    else this.beating ??= setInterval(() => this.beat(), this.header.beat);
  }

  beat() {
    const { frame, beat } = this.header;
    this.repeats = frame === this.acknowledged ? this.repeats + 1 : 0;
    this.acknowledged = frame;
    this.send({ kind: "shown", frame });
    // A beat that hears nothing new stops, and one that should be another starts anew at a frame.
    const goesOn = this.model.get("status") === "training" && this.repeats < LAST_REPEAT;
    if (goesOn && beat === this.rhythm) return;
    this.rhythm = beat;
    clearInterval(this.beating);
    this.beating = undefined;
  }

  /** Paint at once, and ask Python to. Returns the cells that changed. */
  paint(cells, frozen) {
    if (!this.connected) return [];
    const changed = cells.filter((cell) => this.frozen[cell] !== Number(frozen));
    if (!changed.length) return changed;
    for (const cell of changed) this.frozen[cell] = Number(frozen);
    const last = this.operations.at(-1);
    if (last && !last.sent && last.cells && last.stroke === this.stroke && last.frozen === frozen) {
      last.cells = Int32Array.from([...last.cells, ...changed]);
    } else {
      this.ask({ kind: "paint", stroke: this.stroke, frozen }, Int32Array.from(changed));
    }
    this.flush();
    this.notify("cellsChanged", boxOf(changed, this.columns));
    return changed;
  }

  /** Ask Python for an operation that only it can carry out, such as undo. */
  operate(kind, details = {}) {
    if (!this.connected) return;
    this.ask({ kind, ...details });
    this.flush();
  }

  ask(message, cells) {
    const seq = ++this.seq;
    const { stroke, frozen } = message;
    this.operations.push({ seq, cells, stroke, frozen, message: { ...message, client: this.client, seq } });
  }

  /** Send what is waiting, as long as few enough operations are on their way. */
  flush() {
    let free = IN_FLIGHT - this.operations.filter((operation) => operation.sent).length;
    for (const operation of this.operations) {
      if (operation.sent || free-- <= 0) continue;
      operation.sent = performance.now();
      this.post(operation);
    }
  }

  post({ message, cells }) {
    this.send(message, cells ? [cells.buffer] : []);
  }
}

/** A copy of the bytes of a message's buffer, aligned so that any typed array can read it. */
function bytesOf(data) {
  return new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength).slice();
}

function equal(a, b) {
  if (a.length !== b?.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// --- View ----------------------------------------------------------------------------------

const TOOLS = [
  ["brush", "Brush", "Drag to paint the cells under the pointer"],
  ["rectangle", "Rectangle", "Drag from corner to corner"],
  ["row", "Row", "Paint whole rows"],
  ["column", "Column", "Paint whole columns"],
];
const MODES = [
  ["freeze", "Freeze", "Painting freezes (hold Shift to thaw)"],
  ["thaw", "Thaw", "Painting thaws"],
];
const VIEWS = [
  ["weights", "Weights", "The weights: blue below zero, orange above"],
  ["moved", "Moved", "How far each cell has moved since the start"],
  ["leaked", "Leaked", "Frozen cells whose bits have changed since they were frozen"],
];
const BUTTONS = [
  ["undo", "Undo", "Take back the last stroke (Ctrl+Z)"],
  ["redo", "Redo", "Paint it again (Ctrl+Y)"],
  ["invert", "Invert", "Freeze what is free, thaw what is frozen"],
  ["clear", "Clear", "Thaw every cell"],
];
const PRESETS = [
  ["", "Presets"],
  ["largest 0.1", "largest 10 %"],
  ["largest 0.5", "largest 50 %"],
  ["largest 0.9", "largest 90 %"],
  ["random 0.1", "random 10 %"],
  ["random 0.5", "random 50 %"],
  ["random 0.9", "random 90 %"],
];

/** Make an element: attributes, then children. JupyterLab leaves marked elements their keys. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (["button", "select"].includes(tag) || "tabindex" in attributes) {
    element.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  element.append(...children);
  return element;
}

class View {
  constructor(store, root, signal) {
    Object.assign(this, { store, root, signal });
    this.choice = { tool: "brush", mode: "freeze", view: "weights", size: 1 };
    this.cursor = { row: 0, column: 0 };
    this.build();
    this.bind();
    store.views.add(this);
    signal.addEventListener("abort", () => store.views.delete(this));
    this.showStatus();
  }

  // Building

  build() {
    this.picture = make("canvas", { class: "painter-picture", "aria-hidden": "true" });
    // A canvas is 300 × 150 until it is told otherwise, which layout() could take for fitting.
    this.hatch = make("canvas", { class: "painter-hatch", width: 0, height: 0, "aria-hidden": "true" });
    this.mark = make("div", { class: "painter-mark", hidden: "" });
    const { rows, columns } = this.store;
    this.grid = make("div", {
      class: "painter-grid",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "grid of weights",
      "aria-label":
        `Mask over ${rows} rows and ${columns} columns. Arrow keys move, space freezes or thaws ` +
        "the cell, Shift with an arrow key paints along.",
    }, this.picture, this.hatch, this.mark);
    this.readout = make("div", { class: "painter-readout", "aria-live": "polite" },
      "Point at a cell to read its value.");
    this.alert = make("div", { class: "painter-alert", role: "alert", hidden: "" });
    // What comes and goes stands beside or below the grid, which must not move under the pointer.
    const body = make("div", { class: "painter-body" }, this.grid, this.buildMeters());
    this.frame = make("div", { class: "painter" }, this.buildTools(), this.readout, body);
    this.root.append(this.frame);
    this.pictureContext = this.picture.getContext("2d");
    this.hatchContext = this.hatch.getContext("2d");
    [this.picture.width, this.picture.height] = [columns, rows];
    this.pixels = new ImageData(columns, rows);
    this.words = new Uint32Array(this.pixels.data.buffer);
  }

  buildTools() {
    const size = make("select", { "aria-label": "Brush size", title: "Brush size, in cells" });
    for (const cells of [1, 3, 5, 9, 17, 33]) {
      if (cells <= Math.max(3, this.store.rows)) {
        size.append(make("option", { value: cells }, `${cells}×${cells}`));
      }
    }
    size.addEventListener("change", () => (this.choice.size = Number(size.value)));
    const presets = make("select", { "aria-label": "Preset masks", title: "Freeze by a rule" });
    presets.append(...PRESETS.map(([value, label]) => make("option", { value }, label)));
    presets.addEventListener("change", () => this.preset(presets));
    const actions = BUTTONS.map(([name, label, title]) => {
      const button = make("button", { type: "button", title, "data-action": name }, label);
      button.addEventListener("click", () => this.store.operate(name));
      return button;
    });
    return make("div", { class: "painter-tools" },
      this.segments("mode", "Mode", MODES), this.segments("tool", "Tool", TOOLS), size,
      make("div", { class: "painter-group" }, ...actions), presets,
      this.segments("view", "View", VIEWS));
  }

  /** A row of buttons of which one is pressed. */
  segments(name, label, choices) {
    const buttons = choices.map(([value, text, title]) => {
      const button = make("button", { type: "button", title, "data-choice": value }, text);
      button.addEventListener("click", () => this.choose(name, value, buttons));
      return button;
    });
    this.choose(name, choices[0][0], buttons);
    return make("div", { class: "painter-group", role: "group", "aria-label": label }, ...buttons);
  }

  choose(name, value, buttons) {
    this.choice[name] = value;
    for (const b of buttons) b.setAttribute("aria-pressed", String(b.dataset.choice === value));
    if (name === "view" && this.pixels) this.draw();
  }

  preset(select) {
    const [kind, fraction] = select.value.split(" ");
    if (kind) this.store.operate(kind, { fraction: Number(fraction) });
    select.value = "";
  }

  buildMeters() {
    this.leaks = make("output", { class: "painter-leaks" });
    this.bar = make("div", { class: "painter-bar" }, make("div"));
    this.facts = make("div", { class: "painter-facts" });
    this.spark = make("canvas", { class: "painter-curve", role: "img", "aria-label": "Loss curve" });
    this.ramp = make("canvas", { class: "painter-ramp", width: 256, height: 1, "aria-hidden": "true" });
    this.ends = [0, 1, 2].map(() => make("span"));
    return make("div", { class: "painter-meters" }, this.alert,
      make("div", { class: "painter-title" }, "Leak meter"), this.leaks, this.bar,
      make("div", { class: "painter-title" }, "Training"), this.facts, this.spark,
      this.legend = make("div", { class: "painter-legend" }, this.ramp,
        make("div", { class: "painter-ends" }, ...this.ends)));
  }

  // Pointer and keys

  bind() {
    const { grid, signal } = this;
    const on = (name, handler) => grid.addEventListener(name, handler, { signal });
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => (this.last ? this.drag(event) : this.hover(event)));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", () => this.abandon());
    on("pointerleave", () => this.last || (this.mark.hidden = true));
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => this.key(event));
    on("focus", () => this.showMark());
    on("blur", () => (this.mark.hidden = true));
    const watcher = new ResizeObserver(() => this.layout());
    watcher.observe(this.frame);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  /** The pointer's place in cells from the grid's top left corner. */
  place(event) {
    const box = this.picture.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * this.store.columns,
      y: ((event.clientY - box.top) / box.height) * this.store.rows,
    };
  }

  press(event) {
    if (event.button !== 0 || this.last || !this.store.connected) return;
    event.preventDefault();
    this.grid.focus({ preventScroll: true });
    this.grid.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.freezing = (this.choice.mode === "freeze") !== event.shiftKey;
    this.store.stroke++;
    this.from = this.last = this.place(event);
    this.stroke(this.last, event);
  }

  drag(event) {
    if (event.pointerId !== this.pointer) return;
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const step of passed.length ? passed : [event]) this.stroke(this.place(step), event);
  }

  /** Paint from the last place to the next one. */
  stroke(next, event) {
    const { rows, columns } = this.store;
    const crossed = cellsCrossed(this.last.x, this.last.y, next.x, next.y, rows, columns);
    this.last = next;
    this.moveCursor(next);
    if (this.choice.tool === "rectangle") return this.showMark(this.clamped(this.from));
    const changed = this.store.paint(this.cellsUnder(crossed), this.freezing);
    if (changed.length) this.tell("drawn", { moved: event.timeStamp, seq: this.store.seq });
  }

  /** The cells that the tool touches when the pointer crosses `cells`. */
  cellsUnder(cells) {
    const { rows, columns } = this.store;
    const { tool, size } = this.choice;
    if (tool === "brush") return brushed(cells, size, rows, columns);
    if (tool === "rectangle") return Int32Array.from(cells); // by keys, a cell at a time
    const lines = new Set(cells.map((c) => (tool === "row" ? Math.floor(c / columns) : c % columns)));
    const line = (n) =>
      tool === "row" ? block(n * columns, n * columns + columns - 1, columns)
        : block(n, (rows - 1) * columns + n, columns);
    return Int32Array.from([...lines].flatMap((n) => [...line(n)]));
  }

  release(event) {
    if (!this.last || event.pointerId !== this.pointer) return;
    const { columns } = this.store;
    if (this.choice.tool === "rectangle") {
      const [from, to] = [this.clamped(this.from), this.clamped(this.last)];
      const corner = (place) => place.row * columns + place.column;
      this.store.paint(block(corner(from), corner(to), columns), this.freezing);
    }
    this.abandon();
  }

  abandon() {
    this.last = this.from = undefined;
    this.showMark();
  }

  hover(event) {
    this.moveCursor(this.place(event));
    this.showMark();
    this.askValue();
  }

  clamped({ x, y }) {
    const inside = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
    return { row: inside(y, this.store.rows), column: inside(x, this.store.columns) };
  }

  moveCursor(place) {
    this.cursor = this.clamped(place);
  }

  /** Outline the cursor with the brush's size, or the rectangle from `corner` to it. */
  showMark(corner) {
    const { cursor, cell } = this;
    const reach = this.choice.tool === "brush" && !corner ? (this.choice.size - 1) / 2 : 0;
    const opposite = corner ?? cursor;
    const top = Math.max(0, Math.min(cursor.row, opposite.row) - reach);
    const left = Math.max(0, Math.min(cursor.column, opposite.column) - reach);
    const bottom = Math.min(this.store.rows, Math.max(cursor.row, opposite.row) + reach + 1);
    const right = Math.min(this.store.columns, Math.max(cursor.column, opposite.column) + reach + 1);
    Object.assign(this.mark.style, {
      transform: `translate(${left * cell}px, ${top * cell}px)`,
      width: `${(right - left) * cell}px`,
      height: `${(bottom - top) * cell}px`,
    });
    this.mark.hidden = false;
  }

  key(event) {
    const control = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (control && letter === "z") this.store.operate(event.shiftKey ? "redo" : "undo");
    else if (control && letter === "y") this.store.operate("redo");
    else if (event.key === " " || event.key === "Enter") this.toggle();
    else if (!control && this.step(event)) this.askValue();
    else return;
    event.preventDefault();
    event.stopPropagation();
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
    this.cursor = this.clamped({ x: place[1], y: place[0] });
    this.showMark();
    if (event.shiftKey) this.paintCursor(this.choice.mode === "freeze");
    return true;
  }

  get cursorCell() {
    return this.cursor.row * this.store.columns + this.cursor.column;
  }

  toggle() {
    this.paintCursor(!this.store.frozen[this.cursorCell]);
    this.askValue();
  }

  paintCursor(frozen) {
    this.store.stroke++;
    this.store.paint(this.cellsUnder([this.cursorCell]), frozen);
  }

  // Showing

  /** Tell listeners (the bench, a test) what has just been put on the screen. */
  tell(name, detail) {
    this.frame.dispatchEvent(new CustomEvent(`painter:${name}`, { detail, bubbles: true }));
  }

  /** Fit the grid into the room there is, with whole pixels a cell where that is possible. */
  layout() {
    const { rows, columns } = this.store;
    const room = Math.min(this.frame.clientWidth - 2, Math.max(rows, columns) > 140 ? 512 : 420);
    const exact = room / Math.max(rows, columns);
    if (room < 16) return;
    this.cell = exact >= 1 ? Math.floor(exact) : exact;
    const [width, height] = [Math.round(columns * this.cell), Math.round(rows * this.cell)];
    if (this.hatch.width === width && this.hatch.height === height) return;
    // Two pixels more for the border on both sides.
    Object.assign(this.grid.style, { width: `${width + 2}px`, height: `${height + 2}px` });
    [this.hatch.width, this.hatch.height] = [width, height];
    this.draw();
    this.drawMask({ top: 0, left: 0, bottom: rows - 1, right: columns - 1 });
  }

  frameArrived() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = undefined;
      this.draw();
      this.drawChangedMask();
      this.store.shown();
      this.tell("frame", { frame: this.store.header.frame, step: this.store.header.step });
    });
  }

  draw() {
    const { store } = this;
    drawCells(this.words, this.choice.view, store, store.tables);
    this.pictureContext.putImageData(this.pixels, 0, 0);
    this.showMeters();
  }

  cellsChanged(box) {
    this.drawMask(box);
    if (this.choice.view === "leaked") this.draw();
  }

  /** Draw again where the mask, or what has leaked, is not what stands on the screen. */
  drawChangedMask() {
    const { frozen, leaked, columns, count } = this.store;
    if (this.drawnFrom === frozen || !this.cell) return;
    const state = new Uint8Array(count);
    for (let i = 0; i < count; i++) state[i] = frozen[i] + (frozen[i] & leaked[i]);
    const box = changedBox(this.drawnState, state, columns);
    if (box) this.drawMask(box);
    this.drawnFrom = frozen;
  }

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
    this.rememberState(box);
  }

  rememberState({ top, left, bottom, right }) {
    const { frozen, leaked, columns, count } = this.store;
    this.drawnState ??= new Uint8Array(count);
    for (let r = top; r <= bottom; r++) {
      for (let i = r * columns + left; i <= r * columns + right; i++) {
        this.drawnState[i] = frozen[i] + (frozen[i] & leaked[i]);
      }
    }
  }

  /** Numbers change too fast to read; ten times a second is enough. */
  showMeters() {
    const now = performance.now();
    clearTimeout(this.metersLater);
    if (now - this.metersAt < METER_MS) {
      this.metersLater = setTimeout(() => this.showMeters(), METER_MS);
      return;
    }
    this.metersAt = now;
    this.showLeaks();
    this.showFacts();
    this.drawCurve();
    this.drawLegend();
  }

  showLeaks() {
    const [count, leaked] = [total(this.store.frozen), total(this.store.leaked)];
    this.leaks.textContent = count
      ? `${leaked.toLocaleString("en")} of ${count.toLocaleString("en")} frozen ${count === 1 ? "cell has" : "cells have"} changed`
      : "Nothing is frozen yet";
    this.frame.dataset.leaking = String(leaked > 0);
    this.bar.firstChild.style.width = `${count ? (100 * leaked) / count : 0}%`;
  }

  showFacts() {
    const { step, goal, loss, speed, device } = this.store.header;
    if (step === undefined) return;
    const parts = [`step ${step.toLocaleString("en")}${goal ? ` of ${goal.toLocaleString("en")}` : ""}`];
    if (loss != null) parts.push(`loss ${loss.toPrecision(3)}`);
    if (speed) parts.push(`${Math.round(speed).toLocaleString("en")} steps/s`);
    if (!this.mark.hidden) this.askValue();
    this.facts.textContent = [...parts, device].join(" · ");
  }

  drawCurve() {
    const { curve } = this.store;
    const canvas = this.spark;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const points = curve.length / 2;
    if (!width || points < 2) return canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    [canvas.width, canvas.height] = [width, height];
    const losses = [...curve.subarray(points)].map((loss) => Math.log(Math.max(loss, 1e-12)));
    const [low, high] = [Math.min(...losses), Math.max(...losses)];
    const context = canvas.getContext("2d");
    context.strokeStyle = getComputedStyle(canvas).color;
    context.lineWidth = 1.5;
    context.beginPath();
    losses.forEach((loss, i) => {
      const x = (curve[i] / curve[points - 1]) * (width - 2) + 1;
      context.lineTo(x, height - 2 - ((loss - low) / (high - low || 1)) * (height - 4));
    });
    context.stroke();
  }

  drawLegend() {
    const { view } = this.choice;
    const { scale, moved_scale: farthest } = this.store.header;
    this.legend.hidden = view === "leaked";
    const table = this.store.tables[view === "moved" ? 1 : 0];
    const image = new ImageData(256, 1);
    // The first colour is the exception, a weight that is not finite; it has no place on the ramp.
    new Uint32Array(image.data.buffer).set(view === "moved" ? table : [table[1], ...table.slice(1)]);
    this.ramp.getContext("2d").putImageData(image, 0, 0);
    const labels = view === "moved" ? ["not one bit", "", farthest.toPrecision(2)]
      : [`−${scale.toPrecision(2)}`, "0", `+${scale.toPrecision(2)}`];
    this.ends.forEach((end, i) => (end.textContent = labels[i]));
  }

  /** One question at a time: a kernel that is busy would answer each of them afterwards. */
  askValue() {
    const now = performance.now();
    if (now - this.asked?.at < SILENCE_MS) return;
    this.asked = { cell: this.cursorCell, at: now };
    this.store.send({ kind: "value", cell: this.cursorCell });
  }

  showValue({ cell, value, was }) {
    const mine = cell === this.asked?.cell;
    if (mine) this.asked = undefined;
    if (cell !== this.cursorCell) return mine && this.askValue();
    const { frozen, leaked } = this.store;
    const state = !frozen[cell] ? "free" : leaked[cell] ? "frozen, but changed" : "frozen";
    const { row, column } = this.cursor;
    const change = value === was ? "" : `, was ${was}`;
    this.readout.textContent = `row ${row}, column ${column}, ${state}: ${value}${change}`;
  }

  showStatus() {
    const { model, connected, silent } = this.store;
    const error = model.get("error");
    const text = !connected
      ? "Disconnected: the kernel was restarted or shut down. Run the cell again to paint."
      : error || (silent ? "The kernel does not answer. What you painted is kept until it does." : "");
    const state = !connected ? "disconnected" : error ? "failed" : silent ? "silent" : model.get("status");
    this.alert.textContent = text;
    this.alert.hidden = !text;
    this.frame.dataset.status = state;
    this.grid.setAttribute("aria-disabled", String(!connected));
  }
}

function total(plane) {
  let sum = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i];
  return sum;
}

// A function, not an object: it runs once for each widget, whose views then share one store.
export default () => {
  let store;
  return {
    initialize({ model }) {
      store = new Store(model);
      return () => store.close();
    },
    render({ el, signal }) {
      new View(store, el, signal);
    },
  };
};
