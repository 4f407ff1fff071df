// How a training is getting on, as progress.py collects it: loss curve, accuracy, and how fast it goes.

import { shares } from "./softmax.mjs";

const CURVE_POINTS = 256;
const [RATE_MS, EXAMINE_MS] = [500, 250];
// While the steps are few, the accuracy is measured more often, but takes no more than a share of the time.
const [GROWTH, COST] = [1 / 16, 10];

/** The loss at every `stride`-th step; the stride doubles when the points get too many. */
export class Curve {
  constructor() {
    this.stride = 1;
    this.losses = [];
    this.steps = 0;
    this.last = null;
  }

  add(loss) {
    if (this.steps++ % this.stride === 0) this.losses.push(loss);
    this.last = loss;
    if (this.losses.length > CURVE_POINTS) {
      this.losses = this.losses.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
    }
  }

  /** All steps, counted from 1, and then their losses. */
  get points() {
    const steps = this.losses.map((_, i) => i * this.stride + 1);
    return Float32Array.from([...steps, ...this.losses]);
  }
}

/** Shares of right answers, measured after some of the steps; the points move apart when they get too
 *  many. */
export class AccuracyCurve {
  /** @param {string[]} names what the shares are of */
  constructor(names) {
    this.names = names;
    this.rows = [];
    this.apart = 1;
  }

  /** Take note of the shares after so many steps; the newest always stays. */
  add(step, shares) {
    const { rows } = this;
    if (rows.length > 1 && rows.at(-1)[0] - rows.at(-2)[0] < this.apart) rows.pop();
    rows.push([step, ...shares]);
    if (rows.length <= CURVE_POINTS) return;
    this.rows = rows.filter((_, i) => i % 2 === 0);
    this.apart = (2 * step) / CURVE_POINTS;
  }

  /** All steps, and then the shares of each name. */
  get points() {
    return Float32Array.from(["step", ...this.names].flatMap((_, i) => this.rows.map((row) => row[i])));
  }
}

/** Steps a second, over the last half second or so; null while nothing trains. */
export class StepRate {
  constructor() {
    this.rest();
  }

  rest() {
    this.speed = null;
    this.steps = 0;
    this.since = performance.now();
  }

  add(steps) {
    this.steps += steps;
    const took = performance.now() - this.since;
    if (took < RATE_MS) return;
    const speed = (1000 * this.steps) / took;
    this.rest();
    this.speed = speed;
  }
}

/** The shares of held-out pictures that are read right: of all, and of each class. Of a task that
 *  holds out nothing there are none. */
export class HeldOutAccuracy {
  /** @param {import("./tasks.mjs").Pictures} [heldOut] */
  constructor(heldOut) {
    const { images, labels } = heldOut ?? { images: new Float32Array(0), labels: new Uint8Array(0) };
    this.images = images;
    this.labels = labels;
    this.inputs = images.length / labels.length;
    this.at = -Infinity;
    this.took = 0;
    this.step = 0;
    this.right = [];
  }

  /** Whether the last time was long enough ago, when so many steps have been taken. */
  due(step) {
    const passed = performance.now() - this.at;
    return passed >= EXAMINE_MS || (step >= this.step * (1 + GROWTH) && passed >= COST * this.took);
  }

  /** Examine the model after so many steps. */
  take(kernel, bias, step) {
    const began = performance.now();
    this.right = Array.from(this.labels, (label, i) => {
      const image = this.images.subarray(i * this.inputs, (i + 1) * this.inputs);
      const found = shares(image, kernel, bias);
      return found.indexOf(Math.max(...found)) === label;
    });
    this.byPage = Object.fromEntries([...new Set(this.labels)].map((label) => [label, this.of(label)]));
    this.at = performance.now();
    this.took = this.at - began;
    this.step = step;
  }

  /** The share of the pictures of one class that are read right. */
  of(label) {
    return mean(this.right.filter((_, i) => this.labels[i] === label));
  }

  /** The share of all pictures that are read right. */
  get share() {
    return mean(this.right);
  }

  /** What is shown beside the grid of a class. */
  report(page) {
    return this.right.length ? { all: this.share, page: this.byPage[page] } : {};
  }
}

function mean(right) {
  return right.filter(Boolean).length / right.length;
}
