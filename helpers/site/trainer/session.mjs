// A run and who looks at it: what session.py is in the kernel, here in a worker of the page. It takes
// the messages of painter/messages.py, and answers with traits and frames.

import { OPTIMIZERS } from "./optimizers.mjs";
import { PaintedMask } from "./painted_mask.mjs";
import { pack, planesOf } from "./planes.mjs";
import { Run } from "./run.mjs";
import { shares } from "./softmax.mjs";
import { TECHNIQUES } from "./techniques.mjs";

const [SIDE, CLASSES] = [8, 10];
const CELLS = SIDE * SIDE;
const CHUNK_MS = 4;
const FRAME_MS = 15;
const ACCURACY_MS = 250;
const CURVE_POINTS = 256;

/** The loss at every n-th step, n a power of two, so that a curve that grows keeps its points. */
class Curve {
  constructor() {
    [this.stride, this.losses, this.steps] = [1, [], 0];
  }

  add(loss) {
    if (this.steps++ % this.stride === 0) this.losses.push(loss);
    this.last = loss;
    if (this.losses.length > CURVE_POINTS) {
      this.losses = this.losses.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
    }
  }

  get points() {
    return Float32Array.from([...this.losses.keys()].map((i) => i * this.stride + 1).concat(this.losses));
  }
}

export class Session {
  /**
   * @param {{ train: object, test: object, start: object, stations: object }} given the digits, the
   *   values to begin with, and what happens where in a step
   * @param {(traits: object) => void} tell changes traits of the page's model
   * @param {(message: object, buffers: ArrayBuffer[]) => void} send sends it a message
   */
  constructor(given, tell, send) {
    [this.given, this.tell, this.send] = [given, tell, send];
    this.run = new Run(given.train, given.start);
    this.masks = this.pages(() => new PaintedMask(CELLS));
    this.bets = this.pages(() => new PaintedMask(CELLS));
    [this.page, this.claim, this.speed, this.applied] = [3, "leak", 200, {}];
    [this.frames, this.left, this.credit, this.framed] = [0, 0, 0, 0];
    this.soon = new MessageChannel(); // a timer would wait for four milliseconds each time
    this.soon.port2.onmessage = () => { if (this.left) this.turn(); };
    this.begin();
  }

  pages(make) {
    return Array.from({ length: CLASSES }, make);
  }

  begin() {
    [this.curve, this.betAt, this.marks, this.rate] = [new Curve(), 0, undefined, undefined];
  }

  /** What a page is told when it opens. */
  get traits() {
    const { technique, optimizer } = this.run;
    return {
      technique, optimizer, page: String(this.page), speed: this.speed, status: "paused", error: "",
      stations: this.stations, frame: this.frame(),
    };
  }

  get stations() {
    return this.given.stations[this.run.optimizer][this.run.technique];
  }

  // --- what the page asks for --------------------------------------------------------------

  /** Handle a message of the page; what is wrong with it is told there, and changes nothing. */
  receive(message, buffers) {
    try {
      if (message.kind === "value") this.tellValue(message.cell);
      else if ("seq" in message) this.operate(message, buffers);
    } catch (error) {
      this.tell({ error: error.message });
    }
    if (message.kind !== "value" && message.kind !== "shown") this.publish(true);
  }

  operate(message, buffers) {
    this.applied = { ...this.applied, [message.client]: message.seq };
    if (message.kind !== "paint") this.tell({ error: "" });
    const operation = this[message.kind];
    if (!OPERATIONS.includes(message.kind)) throw new Error(`Nothing is done by ${message.kind} here.`);
    operation.call(this, message, buffers);
    if (message.kind === "bet" || message.mask >= CLASSES) this.betAt = this.run.step;
    this.putInForce();
  }

  /** The mask that an operation was meant for. */
  maskOf({ mask }) {
    return (mask < CLASSES ? this.masks : this.bets)[mask % CLASSES];
  }

  paint(message, [cells]) {
    this.maskOf(message).paint(new Int32Array(cells), message.frozen, `${message.client} ${message.stroke}`);
  }

  undo(message) {
    this.maskOf(message).undo();
  }

  redo(message) {
    this.maskOf(message).redo();
  }

  invert(message) {
    const mask = this.maskOf(message);
    mask.replace(mask.frozen.map((frozen) => 1 - frozen));
  }

  clear(message) {
    this.maskOf(message).replace(new Uint8Array(CELLS));
  }

  /** Freeze the largest weights of the page. */
  largest(message) {
    const values = this.grid(this.run.seen);
    const order = [...values.keys()].sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]));
    this.freezeFirst(message, order);
  }

  random(message) {
    const order = [...Array(CELLS).keys()].map((cell) => [Math.random(), cell]).sort(([a], [b]) => a - b);
    this.freezeFirst(message, order.map(([, cell]) => cell));
  }

  freezeFirst(message, order) {
    const frozen = new Uint8Array(CELLS);
    for (const cell of order.slice(0, Math.round(message.fraction * CELLS))) frozen[cell] = 1;
    this.maskOf(message).replace(frozen);
  }

  train() {
    this.go(Infinity);
  }

  step() {
    this.go(1);
  }

  pause() {
    this.go(0);
  }

  reset() {
    this.run.reset();
    this.begin();
    this.go(0);
  }

  bet({ claim }) {
    this.claim = claim;
  }

  choose({ name, value }) {
    const put = {
      technique: () => { this.run.technique = known(value, TECHNIQUES); },
      optimizer: () => this.run.useOptimizer(known(value, OPTIMIZERS)),
      page: () => { this.page = Number(known(value, this.masks)); },
      speed: () => { this.speed = value; },
    };
    put[known(name, put)]();
    this.tell({ [name]: value, stations: this.stations });
  }

  tellValue(cell) {
    const nine = (values) => String(Number(this.grid(values)[cell].toPrecision(9)));
    const row = `row ${Math.floor(cell / SIDE)}`;
    this.send({ kind: "value", cell, row, value: nine(this.run.seen), was: nine(this.run.kernel.start) }, []);
  }

  // --- what a console may ask for ----------------------------------------------------------

  /** The functions behind window.playground, by their names; cells are row · columns + column. */
  get asked() {
    const putInForce = () => {
      this.putInForce();
      this.publish(true);
    };
    return {
      paint: (cells, frozen = true) => {
        this.masks[this.page].paint(cells.map(ofGrid), frozen);
        putInForce();
      },
      train: (steps) => this.go(whole(steps), true),
      use: (choices) => {
        for (const [name, value] of Object.entries(choices)) this.use(name, value);
        putInForce();
      },
      reset: () => this.reset(),
      leaks: () => this.grid(this.run.leaks).map(Boolean),
      weights: () => this.grid(this.run.seen),
      frozen: () => this.grid(this.run.frozen).map(Boolean),
      steps: () => this.run.step,
    };
  }

  /** Choose a setting, or turn a knob. */
  use(name, value) {
    if (!["rate", "momentum", "decay"].includes(name)) {
      this.choose({ name, value });
      return;
    }
    if (!(name in this.run.knobs)) throw new Error(`${this.run.optimizer} has no ${name}.`);
    if (!(value >= 0) || !Number.isFinite(value)) throw new Error(`${value} arrived; a number from 0 up was wanted.`);
    this.run.knobs[name] = value;
  }

  // --- training ----------------------------------------------------------------------------

  /** Take so many steps, at the chosen speed or as fast as it goes; return when they are taken. */
  go(steps, atOnce = false) {
    [this.left, this.credit, this.last, this.atOnce] = [steps, 0, performance.now(), atOnce];
    this.tell({ status: steps ? "training" : "paused" });
    clearTimeout(this.timer);
    this.done?.(); // whoever waits for steps that are taken no more
    const over = new Promise((done) => { this.done = done; });
    if (steps) this.turn();
    else this.done();
    return over;
  }

  /** Take as many steps as are due, show them, and come back. */
  turn() {
    const now = performance.now();
    const fast = this.speed === null || this.atOnce;
    const due = fast || this.left < Infinity ? this.left : this.dueBy(now);
    try {
      for (let taken = 0; taken < due && performance.now() - now < CHUNK_MS; taken++, this.left--) {
        this.curve.add(this.run.take());
        this.credit--;
      }
    } catch (error) {
      this.left = 0;
      this.tell({ status: "failed", error: error.message });
      this.publish(true);
      this.done();
      return;
    }
    this.publish(!this.left);
    if (!this.left) this.pause();
    else if (fast) this.soon.port1.postMessage("");
    else this.timer = setTimeout(() => this.turn(), CHUNK_MS);
  }

  /** Steps for which the chosen speed has made room since the last turn. */
  dueBy(now) {
    this.credit = Math.min(this.credit + ((now - this.last) * this.speed) / 1000, Math.max(1, this.speed / 20));
    this.last = now;
    return Math.floor(this.credit);
  }

  putInForce() {
    const whole = new Uint8Array(CELLS * CLASSES);
    this.masks.forEach(({ frozen }, page) => frozen.forEach((one, cell) => { whole[cell * CLASSES + page] = one; }));
    this.run.freeze(whole);
  }

  // --- frames ------------------------------------------------------------------------------

  /** The cells of a whole kernel that stand on the grid. */
  grid(whole) {
    return Array.from({ length: CELLS }, (_, cell) => whole[cell * CLASSES + this.page]);
  }

  publish(atOnce) {
    const now = performance.now();
    if (!atOnce && now - this.framed < FRAME_MS) return;
    this.framed = now;
    const { header, ...planes } = this.frame();
    this.send({ kind: "frame", planes: Object.keys(planes), ...header }, Object.values(planes));
  }

  frame() {
    const { run } = this;
    const leaked = this.grid(run.leaks);
    const [scales, planes] = planesOf(this.grid(run.seen), this.grid(run.kernel.start), this.grid(run.frozen), leaked);
    const header = {
      ...scales, frame: ++this.frames, applied: this.applied, mask: this.page, bets: CLASSES + this.page,
      step: run.step, loss: this.curve.last ?? null, speed: this.pace(), goal: null, device: "this page",
      accuracy: this.accuracy(), page: String(this.page), claim: this.claim,
      judged: run.step > this.betAt, microscope: { cells: [], quantities: [] },
    };
    const predicted = pack(this.bets[this.page].frozen);
    return { header, ...planes, predicted, curve: this.curve.points, traces: new Float32Array(0) };
  }

  /** Steps a second, over the last half second or so. */
  pace() {
    const now = performance.now();
    if (!this.left) this.rate = undefined;
    else if (!this.rate) this.rate = { at: now, step: this.run.step };
    else if (now - this.rate.at > 500) {
      this.rate = { at: now, step: this.run.step, told: (1000 * (this.run.step - this.rate.step)) / (now - this.rate.at) };
    }
    return this.rate?.told ?? null;
  }

  /** The shares of held-out digits that are read right: of all, and of the page's. */
  accuracy() {
    const now = performance.now();
    if (!this.marks || (this.marks.step !== this.run.step && (!this.left || now - this.marks.at > ACCURACY_MS))) {
      this.marks = { at: now, step: this.run.step, right: this.examine() };
    }
    const mean = (right) => right.filter(Boolean).length / right.length;
    const { labels } = this.given.test;
    return { all: mean(this.marks.right), page: mean(this.marks.right.filter((_, i) => labels[i] === this.page)) };
  }

  examine() {
    const { images, labels } = this.given.test;
    return Array.from(labels, (label, i) => {
      const found = shares(images.subarray(i * CELLS, (i + 1) * CELLS), this.run.seen, this.run.bias.value);
      return found.indexOf(Math.max(...found)) === label;
    });
  }
}

const OPERATIONS = ["paint", "undo", "redo", "invert", "clear", "largest", "random"];
OPERATIONS.push("train", "pause", "step", "reset", "choose", "bet");

/** A cell of the grid, by its number. */
function ofGrid(cell) {
  if (Number.isInteger(cell) && cell >= 0 && cell < CELLS) return cell;
  throw new Error(`Cell ${cell} arrived; one from 0 to ${CELLS - 1} was wanted.`);
}

function whole(steps) {
  if (Number.isInteger(steps) && steps >= 0) return steps;
  throw new Error(`${steps} steps arrived; a whole number from 0 up was wanted.`);
}

function known(name, table) {
  if (!Object.hasOwn(table, name)) throw new Error(`${name} arrived; known are ${Object.keys(table).join(", ")}.`);
  return name;
}
