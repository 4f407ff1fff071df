// What is painted and chosen as one line of text: the same that share.py writes and reads.
//
//     freeze1.digits-0.restore.adam.3.Y2BgAAI.5d3c1a90

import { checkKnob, KNOBS, OPTIMIZERS } from "./optimizers.mjs";
import { TECHNIQUES } from "./techniques.mjs";

const FORMAT = "freeze1";
const Streams = /** @type {any} */ (globalThis); // TypeScript 4 does not know them

/** What a line holds.
 * @typedef {object} Shared
 * @property {string} technique
 * @property {string} optimizer
 * @property {Partial<import("./optimizers.mjs").Knobs>} turned its knobs that do not stand as usual
 * @property {string} page
 * @property {Uint8Array[]} masks a mask for each page, 1 = frozen
 */

/** What a line says of its task, whose sizes decide on the masks in it.
 * @typedef {Pick<import("./tasks.mjs").Told, "line" | "shape" | "pages">} Task */

const cellsOf = ({ shape }) => shape[0] * shape[1];
const bytesFor = (task) => Math.ceil((cellsOf(task) * task.pages.length) / 8);

/** Return the line of what is painted and chosen.
 * @param {Task} task
 * @param {Shared} shared */
export async function lineOf(task, { technique, optimizer, turned, page, masks }) {
  const packed = new Uint8Array(bytesFor(task));
  masks.forEach((mask, at) => mask.forEach((one, cell) => {
    const bit = at * cellsOf(task) + cell;
    packed[bit >> 3] |= one << (7 - (bit & 7));
  }));
  const words = [FORMAT, task.line, technique, turnedWord(optimizer, turned), page, letters(await deflate(packed))];
  const line = words.join(".");
  return `${line}.${checksum(line)}`;
}

const lineIn = (text) => decoded(text).replace(/^.*#/s, "").replace(/\s/g, "");

/** Return what a line says of its task: snowflake-0-48-48; undefined if it is none.
 * @param {string} text a line, or an address that ends with one */
export function taskIn(text) {
  const [format, task] = lineIn(text).split(".");
  return format === FORMAT ? task : undefined;
}

/** Return what a line of a task holds, or that at the end of an address; an Error says what is wrong
 *  with it.
 * @param {Task} task
 * @param {string} text
 * @returns {Promise<Shared>} */
export async function read(task, text) {
  const line = lineIn(text);
  const [format, of, technique, word, page, mask, sum, ...more] = line.split(".");
  if (format !== FORMAT) throw new Error(`A line that begins with ${FORMAT}. was wanted; ${short(line)} arrived.`);
  const whole = sum === checksum(line.slice(0, line.lastIndexOf("."))) && !more.length;
  if (!whole) throw new Error(`The line ${short(line)} is not whole: copy all of it again.`);
  if (of !== task.line) throw new Error(`The line is one of the task ${short(of)}; this grid has ${task.line}. Open the line at the end of the start page's address, or in the course.`);
  if (!Object.hasOwn(TECHNIQUES, technique)) throw new Error(`The line names the technique ${short(technique)}, which this page has not.`);
  const [optimizer, turned] = optimizerOf(word);
  if (!Object.hasOwn(OPTIMIZERS, optimizer)) throw new Error(`The line names the optimizer ${short(optimizer)}, which this page has not.`);
  if (!task.pages.includes(page)) throw new Error(`The line names the class ${short(page)}; there are: ${task.pages.join(", ")}.`);
  for (const [name, number] of Object.entries(turned)) checkKnob(optimizer, name, number);
  return { technique, optimizer, turned, page, masks: masksOf(task, await inflate(bytesOf(mask), bytesFor(task))) };
}

/** The word that stands for an optimizer and its turned knobs: adam-rate5e-2. */
const turnedWord = (optimizer, turned) =>
  [optimizer, ...Object.entries(turned).map(([name, number]) => `${name}${digits(number)}`)].join("-");

/** A number from 0 up as its digits and a power of ten, without a point: 0.05 is 5e-2. */
function digits(number) {
  const [, whole, fraction = "", power] = number.toExponential().match(/^(\d)(?:\.(\d+))?e(.+)$/);
  const left = Number(power) - fraction.length;
  return left && number ? `${whole}${fraction}e${left}` : `${whole}${fraction}`;
}

/** An optimizer's name, and the knobs that are turned. */
function optimizerOf(word) {
  const [name, ...knobs] = word.split(new RegExp(`-(?=${KNOBS.join("|")})`));
  const turned = knobs.map((knob) => knob.match(/^([a-z]+)(\d+(?:e-?\d+)?)$/));
  if (!turned.every(Boolean)) throw new Error(`The line names the optimizer ${short(word)}; a name was wanted, and a number for each knob.`);
  return [name, Object.fromEntries(turned.map(([, knob, number]) => [knob, Number(number)]))];
}

function masksOf(task, packed) {
  if (packed?.length !== bytesFor(task)) throw new Error(`The masks in the line are not those of the task ${task.line}.`);
  const [bit, cells] = [(n) => (packed[n >> 3] >> (7 - (n & 7))) & 1, cellsOf(task)];
  return task.pages.map((_, page) => Uint8Array.from({ length: cells }, (_, cell) => bit(page * cells + cell)));
}

const short = (text) => (text.length > 40 ? `${text.slice(0, 36)}…` : text);

/** A text without the signs that an address has for others; as it is, if they stand for none. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Bytes as letters, digits, "-" and "_", and back; nothing for other letters. */
const letters = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function bytesOf(word) {
  if (!/^[\w-]+$/.test(word)) return new Uint8Array(0);
  try {
    return Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

const deflate = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new Streams.CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** What was deflated, but no more of it than shows that it is too long; undefined if it was not. */
async function inflate(bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(new Streams.DecompressionStream("deflate-raw")).getReader();
  const found = [];
  try {
    while (found.length <= most) {
      const { done, value } = await reader.read();
      if (done) return Uint8Array.from(found);
      for (const byte of value.subarray(0, most + 1)) found.push(byte);
    }
  } catch {
    return undefined;
  }
  await reader.cancel();
  return undefined;
}

/** The CRC-32 of a line, as eight hexadecimal digits. */
function checksum(line) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(line)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}
