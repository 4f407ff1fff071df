// A run and who looks at it: what session.py is in the kernel, here in a worker of the page. It takes
// the messages of painter/messages.py, and answers with traits and frames.

import { Reached } from "./goals.mjs";
import { Microscope } from "./microscope.mjs";
import { OPERATIONS } from "./operations.mjs";
import { checkKnob, KNOBS, OPTIMIZERS } from "./optimizers.mjs";
import { Pace, speedOf } from "./pace.mjs";
import { Pages } from "./pages.mjs";
import { pack, planesOf } from "./planes.mjs";
import { AccuracyCurve, Curve, HeldOutAccuracy, StepRate } from "./progress.mjs";
import { Run } from "./run.mjs";
import { lineOf, read } from "./share.mjs";
import { TECHNIQUES } from "./techniques.mjs";

const CHUNK_MS = 4;
const FRAME_MS = 15;

/**
 * @typedef {object} Given
 * @property {import("./tasks.mjs").Task} task
 * @property {string} address that of the page
 * @property {{ after: number, text: string }} rest seconds unwatched after which training rests, and
 *   what is told then
 * @property {number[]} pauses numbers of steps at which training stops that nobody has given a number of steps
 * @property {string} pause what is told then
 * @property {Record<string, string>} labels what the techniques are called on screen
 * @property {{ condition: string, parameters: object }[]} goals what the page asks somebody to do
 * @property {Record<string, Record<string, object[]>>} stations what happens where in a step, by
 *   optimizer, with the knobs that stand at 0 behind its name, and technique
 */

export class Session {
  /**
   * @param {Given} given
   * @param {(traits: object) => void} tell changes traits of the page's model
   * @param {(message: object, planes: ArrayBufferView[]) => void} send sends it a message
   */
  constructor(given, tell, send) {
    this.given = given;
    this.tell = tell;
    this.send = send;
    this.run = new Run(given.task);
    this.pages = new Pages(given.task);
    this.accuracy = new HeldOutAccuracy(given.task.heldOut);
    this.microscope = new Microscope(this.pages);
    this.goals = new Reached(given.goals);
    this.claim = "leak";
    this.pace = new Pace();
    this.applied = {};
    this.framed = 0; // when the last frame left
    this.frames = 0;
    this.left = 0;
    this.heard = 0; // when the page last said that it is looked at
    this.done = () => {};
    this.soon = new MessageChannel(); // a timer would wait for four milliseconds each time
    this.soon.port2.onmessage = () => { if (this.left) this.turn(); };
    this.begin();
  }

  begin() {
    this.curve = new Curve();
    this.accuracies = new AccuracyCurve(this.given.task.heldOut ? ["held out"] : []);
    this.rate = new StepRate();
    this.betAt = 0;
    this.microscope.restart();
    this.examine();
  }

  /** Measure how much of the held-out data is right. */
  examine() {
    this.examined = this.run.step;
    this.accuracy.take(this.run.seen, this.run.bias.value, this.examined);
    if (this.accuracies.names.length) this.accuracies.add(this.examined, [this.accuracy.share]);
  }

  /** What is in force, by the names of `settings`. */
  get chosen() {
    const { technique, optimizer } = this.run;
    return { technique, optimizer, page: this.pages.page, speed: this.pace.speed, ...this.knobs };
  }

  /** What a page's model holds when it opens. */
  get traits() {
    return { ...this.chosen, status: "paused", error: "", stations: this.stations, frame: this.frame() };
  }

  /** What the next step is taken with, as the lists call it, and what of that is turned. */
  get choices() {
    const { technique, optimizer, turned } = this.run;
    const numbers = Object.entries(turned).map(([name, number]) => `${name} ${number}`);
    return [this.given.labels[technique], optimizer, ...numbers].join(", ");
  }

  /** At which numbers the knobs stand; null where the optimizer has none. */
  get knobs() {
    return Object.fromEntries(KNOBS.map((name) => [name, this.run.knobs[name] ?? null]));
  }

  get stations() {
    const { optimizer, technique, knobs, remembers } = this.run;
    const at0 = ["momentum", "decay"].filter((name) => knobs[name] === 0 || (name === "momentum" && !remembers));
    return this.given.stations[[optimizer, ...at0].join(" ")][technique];
  }

  // --- what the page asks for --------------------------------------------------------------

  /** Handle a message of the page; what goes wrong is told there. */
  receive(message, buffers) {
    this.heard = performance.now();
    try {
      if (message.kind === "value") this.tellValue(message.cell);
      else if ("seq" in message) this.operate(message, buffers);
    } catch (error) {
      this.tell({ error: error.message });
    }
    if (message.kind === "hello" || "seq" in message) this.publish(true);
  }

  operate(message, buffers) {
    this.applied = { ...this.applied, [message.client]: message.seq };
    this.tell({ calm: false, error: "" });
    const { kind, mask } = message;
    if (kind in OPERATIONS) {
      OPERATIONS[kind](this.pages.of(mask), message, buffers, this.pages.grid(this.run.seen));
      if (this.pages.isBet(mask)) this.betAt = this.run.step;
    } else {
      const done = Promise.resolve(this.orders[known(kind, Object.keys(this.orders))](message));
      done.catch((error) => this.tell({ error: error.message }));
    }
    this.freeze();
  }

  /** Put what is painted in force, and tell if that changes whether memory can move a frozen cell. */
  freeze() {
    this.run.freeze(this.pages.frozen);
    const { stations } = this;
    if (stations !== this.drawn) this.tell({ stations });
    this.drawn = stations;
  }

  get orders() {
    return {
      train: () => this.go(Infinity),
      step: () => this.go(1),
      pause: () => this.go(0),
      reset: () => this.reset(),
      pin: ({ page, cell, pinned }) => this.microscope.pin(page, this.cellOf(cell), pinned),
      share: async () => this.send({ kind: "code", text: await this.address() }, []),
      paste: async ({ line }) => {
        await this.open(line);
        this.send({ kind: "pasted", text: "" }, []);
      },
      choose: ({ name, value }) => this.use({ [name]: value }),
      bet: ({ claim }) => {
        this.claim = claim;
        this.betAt = this.run.step;
      },
    };
  }

  /** The address at which what is painted and chosen opens. */
  async address() {
    const { technique, optimizer, turned, batches } = this.run;
    if (batches > 1) throw new Error(`${optimizer} with a step for ${batches} batches arrived, and a line holds a name and its knobs alone: choose an optimizer again, and Reset.`);
    const masks = this.pages.masks.map(({ frozen }) => frozen);
    const shared = { technique, optimizer, turned, page: this.pages.page, masks };
    return `${this.given.address}#${await lineOf(this.given.task, shared)}`;
  }

  /** Put in force what a line says; steps and weights stay. An Error says what is wrong with it. */
  async open(line) {
    const { masks, turned, ...choices } = await read(this.given.task, line);
    this.use({ ...choices, ...turned });
    masks.forEach((mask, page) => this.pages.masks[page].replace(mask));
    this.freeze();
    this.publish(true);
  }

  reset() {
    this.run.reset();
    this.begin();
    return this.go(0);
  }

  /** What can be chosen: how a value is checked and put in force. The optimizer comes before its
   *  knobs. */
  get settings() {
    const { run, pages } = this;
    const knob = (name) => [name, {
      check: (value, optimizer) => checkKnob(optimizer, name, value),
      put: (value) => run.turn(name, value),
    }];
    return {
      optimizer: {
        check: (value) => known(value, Object.keys(OPTIMIZERS)),
        put: (value) => run.useOptimizer(value),
      },
      technique: {
        check: (value) => known(value, Object.keys(TECHNIQUES)),
        put: (value) => { run.technique = value; },
      },
      page: { check: (value) => known(String(value), pages.names), put: (value) => pages.turn(String(value)) },
      speed: { check: speedOf, put: (value) => { this.pace.speed = value; } },
      ...Object.fromEntries(KNOBS.map(knob)),
    };
  }

  /** Put choices in force, which have names: all of them, or none and an Error. */
  use(choices) {
    const { settings } = this;
    for (const name of Object.keys(choicesOf(choices))) known(name, Object.keys(settings));
    const { optimizer = this.run.optimizer } = choices;
    const names = Object.keys(settings).filter((name) => Object.hasOwn(choices, name));
    for (const name of names) settings[name].check(choices[name], optimizer);
    for (const name of names) settings[name].put(choices[name]);
    const { chosen } = this;
    const told = Object.fromEntries(names.map((name) => [name, chosen[name]]));
    this.tell({ ...told, ...this.knobs, stations: this.stations });
  }

  /** A cell of the grid, by its number. */
  cellOf(cell) {
    const { cells } = this.pages;
    if (Number.isInteger(cell) && cell >= 0 && cell < cells) return cell;
    throw new Error(`Cell ${cell} arrived; one from 0 to ${cells - 1} was wanted.`);
  }

  tellValue(cell) {
    const nine = (values) => String(Number(this.pages.grid(values)[cell].toPrecision(9)));
    const { frozen, held, kernel, seen } = this.run;
    const told = { value: nine(seen), was: nine(this.pages.grid(frozen)[cell] ? held : kernel.start) };
    this.send({ kind: "value", cell, name: this.pages.nameOf(cell), ...told }, []);
  }

  /** The functions behind window.playground, by their names; cells are row · columns + column. */
  get asked() {
    const { run, pages } = this;
    const shown = (act) => {
      act();
      this.freeze();
      this.publish(true);
    };
    return {
      paint: (cells, frozen = true) => shown(() => pages.mask.paint(cells.map((cell) => this.cellOf(cell)), frozen)),
      train: (steps) => this.go(wholeOf(steps), true),
      use: (choices) => shown(() => this.use(choices)),
      reset: () => shown(() => this.reset()),
      open: (line) => this.open(line).catch((error) => this.tell({ error: error.message })),
      leaks: () => pages.grid(run.leaks).map(Boolean),
      weights: () => pages.grid(run.seen),
      frozen: () => pages.grid(run.frozen).map(Boolean),
      steps: () => run.step,
    };
  }

  // --- training ----------------------------------------------------------------------------

  /** Take so many steps, at the chosen speed or as fast as it goes; return when they are over. */
  go(steps, fast = false) {
    this.left = steps;
    this.fast = fast || steps < Infinity;
    this.pace.begin();
    this.rate.rest();
    clearTimeout(this.timer);
    this.done(); // to whoever waits for steps that are taken no more
    this.tell({ status: steps ? "training" : "paused" });
    const over = new Promise((done) => { this.done = () => done(undefined); });
    if (steps) this.turn();
    else this.done();
    return over;
  }

  /** Take as many steps as are due, show them, and come back. */
  turn() {
    if (this.left === Infinity && this.unwatched > this.given.rest.after) {
      this.go(0);
      this.tell({ calm: true, error: this.given.rest.text });
      return;
    }
    const fast = this.fast || this.pace.speed === null;
    const first = this.run.step;
    try {
      this.take(Math.min(fast ? this.left : this.pace.due(), this.toPause));
    } catch (error) {
      this.go(0);
      this.tell({ status: "failed", calm: false, error: error.message });
      return;
    }
    if (this.run.step > first) this.pauseIfDue();
    if (!this.left || this.accuracy.due(this.run.step)) this.examine();
    this.publish(!this.left);
    if (!this.left) this.go(0);
    else if (fast) this.soon.port1.postMessage("");
    else this.timer = setTimeout(() => this.turn(), CHUNK_MS);
  }

  /** Steps to the next pause; there is none on the way through steps that somebody has counted. */
  get toPause() {
    const ahead = this.given.pauses.map((step) => step - this.run.step).filter((steps) => steps > 0);
    return this.left === Infinity ? Math.min(...ahead) : Infinity;
  }

  /** Stop where the page wants it. */
  pauseIfDue() {
    const { step } = this.run;
    if (this.left < Infinity || !this.given.pauses.includes(step)) return;
    this.left = 0;
    this.tell({ calm: true, error: this.given.pause.replace("{step}", step.toLocaleString("en")) });
  }

  /** Seconds since the page was heard, which is silent while it is out of sight. */
  get unwatched() {
    return (performance.now() - this.heard) / 1000;
  }

  /** Take up to so many steps, for as long as a chunk lasts. */
  take(most) {
    const [began, first, under] = [performance.now(), this.run.step, this.choices];
    while (this.run.step - first < most && performance.now() - began < CHUNK_MS) {
      this.curve.add(this.run.take());
      this.microscope.note(this.run, under);
    }
    const taken = this.run.step - first;
    this.left -= taken;
    this.pace.took(taken);
    this.rate.add(taken);
  }

  // --- frames ------------------------------------------------------------------------------

  publish(atOnce) {
    const now = performance.now();
    if (!atOnce && now - this.framed < FRAME_MS) return;
    this.framed = now;
    const { header, ...planes } = this.frame();
    this.send({ kind: "frame", planes: Object.keys(planes), ...header }, Object.values(planes));
  }

  /** All that is to be seen: a header and planes, as messages.py has them. */
  frame() {
    const { run, pages } = this;
    const grids = [run.seen, run.kernel.start, run.frozen, run.leaks].map((whole) => pages.grid(whole));
    const [scales, planes] = planesOf(...grids);
    const [microscope, traces] = this.microscope.curves();
    const goals = this.goals.judge(() => this.state(grids[2], grids[3]));
    const told = { frame: ++this.frames, applied: this.applied, microscope, goals };
    const header = { ...scales, ...pages.numbers, ...this.progress(), ...told };
    const curves = { curve: this.curve.points, accuracies: this.accuracies.points, traces };
    return { header, ...planes, predicted: pack(pages.bet.frozen), ...curves };
  }

  /** What a goal is judged by. */
  state(frozen, leaked) {
    const { run, pages, examined } = this;
    const accuracy = this.accuracy.report(pages.page).all;
    return { frozen, leaked, since: pages.grid(run.since), columns: pages.columns, step: run.step, accuracy, examined };
  }

  /** @returns {import("../../playground/painter/browser/messages.mjs").Progress} */
  progress() {
    const { run, curve, pages } = this;
    return {
      step: run.step, loss: curve.last, speed: this.rate.speed, goal: null, device: "in this page",
      accuracy: this.accuracy.report(pages.page), by_page: this.accuracy.byPage, page: pages.page,
      held_out: this.accuracies.names,
      claim: this.claim, leaked_at: run.lastLeak(),
      judged: run.step > this.betAt,
    };
  }
}

function wholeOf(steps) {
  if (Number.isInteger(steps) && steps >= 0) return steps;
  throw new Error(`${steps} steps arrived; a whole number from 0 up was wanted.`);
}

function known(name, names) {
  if (names.includes(name)) return name;
  throw new Error(`${name} arrived; the known ones are ${names.join(", ")}.`);
}

function choicesOf(value) {
  if (value && Object.getPrototypeOf(value) === Object.prototype) return value;
  throw new Error(`${value} arrived; choices by their names were wanted, such as {technique: "exact", rate: 0.01}.`);
}
