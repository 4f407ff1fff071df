// What is trained: the playground's tasks, as tasks.py has them, made from the files that given.py
// writes.

import * as linear from "./linear.mjs";
import { normal, uniform } from "./philox.mjs";
import * as softmax from "./softmax.mjs";

const [BATCH, SEED] = [32, 0];
const FIRST = 0.02; // standard deviation of a snowflake's weights before the first step

/** @typedef {{ images: Float32Array, labels: Uint8Array }} Pictures */

/** What given.py tells of a task.
 * @typedef {object} Told
 * @property {number[]} shape of the grid: rows, columns
 * @property {string[]} pages the slices of the kernel of which one stands on the grid
 * @property {string} page the one to begin with
 * @property {[string, string]} words what a row and a column of the grid are called
 * @property {object} names what a browser is told of the names of rows and columns
 * @property {Record<string, number>} rates optimizer -> its usual learning rate here
 * @property {{ condition: string, parameters: object, text: string }[]} goals
 * @property {string} line what a line that is shared calls the task
 * @property {string} [kernel] float32 as Base64: the values before the first step
 * @property {string} [bias]
 */

/** In the kernel the cells lie as on the grid, row by row, and all pages of a cell side by side.
 * @typedef {object} Trains
 * @property {{ kernel: Float32Array, bias: Float32Array }} start the values before the first step
 * @property {(step: number, kernel: Float32Array, bias: Float32Array) =>
 *   { loss: number, kernel: Float32Array, bias: Float32Array }} gradients loss and gradients of a step
 * @property {Pictures} [heldOut] what it does not train on
 */

/** @typedef {Omit<Told, "kernel" | "bias"> & Trains} Task */

/** @type {Record<string, { files: string[], make: (told: Told, ...files: ArrayBuffer[]) => Trains }>} */
const TASKS = {
  /** Softmax regression on handwritten digits; a page a class. */
  digits: {
    files: ["train.bin", "test.bin"],
    make({ kernel, bias }, ...files) {
      const [train, heldOut] = files.map(pictures);
      const batch = (step) => uniform(step, SEED, BATCH, train.labels.length);
      return {
        start: { kernel: floats(kernel), bias: floats(bias) },
        gradients: (step, ...values) => softmax.gradients(train, batch(step), ...values),
        heldOut,
      };
    },
  },
  /** A linear layer that learns a picture, cell by cell; a single page. */
  snowflake: {
    files: ["snowflake.bin"],
    make({ shape: [rows] }, file) {
      const picture = new Float32Array(file);
      const batch = (step) => normal(step, SEED, BATCH * rows);
      return {
        start: { kernel: normal(SEED, 0, picture.length).map((one) => one * FIRST), bias: new Float32Array(0) },
        gradients: (step, kernel) => linear.gradients(batch(step), picture, kernel, rows),
      };
    },
  },
};

/** Make a task; `get` returns the bytes of a file of the site, or a promise of them.
 * @param {string} name
 * @param {Told | Promise<Told>} told
 * @param {(name: string) => any} get
 * @returns {Promise<Task>} */
export async function made(name, told, get) {
  const { files, make } = TASKS[name];
  const [known, ...found] = await Promise.all([told, ...files.map(get)]);
  return { ...known, ...make(known, ...found) };
}

/** The digits in a file: 64 bytes of ink from 0 to 16 for each picture, and all labels. */
function pictures(file) {
  const bytes = new Uint8Array(file);
  const count = bytes.length / 65;
  const images = Float32Array.from(bytes.subarray(0, 64 * count), (ink) => ink / 16);
  return { images, labels: bytes.subarray(64 * count) };
}

const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
