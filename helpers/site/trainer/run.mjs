// A run of a task in which a technique freezes cells of the kernel: the steps that the playground's
// compiled loop takes.

import { accumulating, checkKnob, OPTIMIZERS } from "./optimizers.mjs";
import { TECHNIQUES } from "./techniques.mjs";

/** The loss, or the gradient of a free cell, is NaN or infinite. */
export class NotFinite extends Error {}

/** A variable, and what the optimizer in use keeps for each of its numbers. */
class Trained {
  constructor(start) {
    this.start = start;
    this.value = start.slice();
    this.forget([]);
  }

  /** Begin with empty slots. */
  forget(names) {
    this.slots = names.map(() => new Float32Array(this.value.length));
  }
}

export class Run {
  /** @param {Pick<import("./tasks.mjs").Task, "start" | "gradients" | "rates">} task */
  constructor(task) {
    const { start } = task;
    this.task = task;
    this.kernel = new Trained(start.kernel);
    this.bias = new Trained(start.bias);
    this.frozen = new Uint8Array(start.kernel.length);
    this.technique = "none";
    this.useOptimizer("adam");
    this.reset();
  }

  /** Take weights and optimizer back to the start; the mask stays. */
  reset() {
    this.step = 0;
    for (const trained of [this.kernel, this.bias]) trained.value.set(trained.start);
    this.shadow = this.kernel.value.slice();
    this.held = this.kernel.value.slice(); // what each frozen cell held when it was frozen
    this.since = new Int32Array(this.held.length); // and how many steps had been taken then
    this.asked = this.held.slice(); // what all cells held when `lastLeak` was asked before
    this.leakedAt = null;
    this.empty();
  }

  /** Train by another optimizer from the next step on; its state is empty. */
  useOptimizer(name) {
    this.optimizer = name;
    this.knobs = this.usual;
    this.accumulate(1);
  }

  /** Have the optimizer in use step once for so many batches; its state is empty. */
  accumulate(batches) {
    this.batches = batches;
    const optimizer = OPTIMIZERS[this.optimizer];
    this.inUse = batches > 1 ? accumulating(optimizer, batches) : optimizer;
    this.empty();
  }

  /** At which numbers the knobs of the optimizer in use stand of themselves. */
  get usual() {
    return { ...OPTIMIZERS[this.optimizer].knobs, rate: this.task.rates[this.optimizer] };
  }

  /** Turn a knob of the optimizer in use: the next step is taken with this number. */
  turn(name, number) {
    checkKnob(this.optimizer, name, number);
    this.knobs[name] = number;
  }

  /** The knobs that do not stand at the usual number of the optimizer in use. */
  get turned() {
    const { usual } = this;
    return Object.fromEntries(Object.entries(this.knobs).filter(([name, number]) => number !== usual[name]));
  }

  empty() {
    this.t = 0; // batches that this optimizer has seen
    this.packed = undefined; // the mask under which the free values are the variable
    for (const trained of [this.kernel, this.bias]) trained.forget(this.inUse.slots);
  }

  /** Freeze cells from the next step on, and thaw the others: 1 = frozen. */
  freeze(frozen) {
    for (let i = 0; i < frozen.length; i++) {
      if (frozen[i] && !this.frozen[i]) [this.held[i], this.since[i], this.asked[i]] = [this.seen[i], this.step, this.seen[i]];
      if (frozen[i] && !this.frozen[i]) this.shadow[i] = this.kernel.value[i];
    }
    this.frozen = Uint8Array.from(frozen);
    if (!this.frozen.some(Boolean)) this.leakedAt = null;
  }

  /** What the model computes with. */
  get seen() {
    const { seen } = TECHNIQUES[this.technique];
    return seen ? seen(this.shadow, this.kernel.value, this.frozen) : this.kernel.value;
  }

  /** Frozen cells whose bits have changed since they were frozen: 1 where one has. */
  get leaks() {
    return this.changedSince(this.held);
  }

  /** Note what the cells hold; return after how many steps a frozen cell was last found to hold
   * something else than when this was asked before, or null. */
  lastLeak() {
    if (this.changedSince(this.asked).some(Boolean)) this.leakedAt = this.step;
    this.asked = this.seen.slice();
    return this.leakedAt;
  }

  /** Frozen cells whose bits are others than these: 1 where they are. */
  changedSince(values) {
    const [now, before] = [this.seen, values].map((each) => new Uint32Array(each.slice().buffer));
    return this.frozen.map((frozen, i) => Number(frozen && now[i] !== before[i]));
  }

  /** Whether the momentum of any frozen cell holds gradients; where none is frozen, or nothing is
   * remembered, as if it did. */
  get remembers() {
    const slot = this.kernel.slots[this.quantities.indexOf("momentum")];
    if (!slot || !this.frozen.some(Boolean)) return true;
    return this.frozen.some((frozen, i) => frozen && slot[i] !== 0);
  }

  /** What the optimizer in use keeps for each cell, by Keras' names. */
  get quantities() {
    return this.inUse.slots;
  }

  /** Take a step; return its loss. NotFinite: nothing has changed. */
  take() {
    this.arrange();
    const technique = TECHNIQUES[this.technique];
    const found = this.task.gradients(this.step, this.seen, this.bias.value);
    if (technique.gradient) found.kernel = technique.gradient(found.kernel, this.frozen);
    this.check(found);
    this.gradient = found.kernel; // as the optimizer gets it
    const before = technique.after && this.kernel.value.slice();
    const { prepare, update, spare } = this.inUse;
    const shared = prepare(/** @type {any} */ (this.knobs), ++this.t);
    const step = ({ value, slots }, gradient, kept) => {
      for (let i = 0; i < value.length; i++) {
        if (!kept?.[i]) update(value, slots, i, gradient[i], shared);
        else spare?.(slots, i, shared);
      }
    };
    step(this.kernel, found.kernel, technique.keeps && this.frozen);
    step(this.bias, found.bias);
    if (technique.after) this.kernel.value = technique.after(before, this.kernel.value, this.frozen);
    this.step++;
    return found.loss;
  }

  /** Where the free values are the variable, a cell that has been frozen has no slots. */
  arrange() {
    const { free } = TECHNIQUES[this.technique];
    const same = this.packed?.every((frozen, i) => frozen === this.frozen[i]);
    if (this.packed && !(free && same)) {
      for (const slot of this.kernel.slots) {
        for (let i = 0; i < slot.length; i++) if (this.packed[i]) slot[i] = 0;
      }
      this.packed = undefined;
    }
    if (free) this.packed ??= this.frozen.slice();
  }

  check({ loss, kernel, bias }) {
    const free = kernel.every((gradient, i) => this.frozen[i] || Number.isFinite(gradient));
    if (Number.isFinite(loss) && free && bias.every(Number.isFinite)) return;
    throw new NotFinite(
      `The loss or a gradient was not finite at step ${this.step + 1}: training stopped, and the weights ` +
        "before that step are kept. Reset, and lower the learning rate or choose another optimizer.",
    );
  }
}
