// What is painted and chosen as one line of text: the same that share.py writes and reads.
//
//     freeze1.digits-0.restore.adam.3.Y2BgAAI.5d3c1a90

import { checkKnob, KNOBS, OPTIMIZERS } from "./optimizers.mjs";
import { CELLS, CLASSES } from "./pages.mjs";
import { TECHNIQUES } from "./techniques.mjs";

const FORMAT = "freeze1";
const TASK = "digits-0"; // of another seed, the weights begin elsewhere
const Streams = /** @type {any} */ (globalThis); // TypeScript 4 does not know them
const BYTES = (CELLS * CLASSES) / 8;

/** What a line holds.
 * @typedef {object} Shared
 * @property {string} technique
 * @property {string} optimizer
 * @property {Partial<import("./optimizers.mjs").Knobs>} turned its knobs that do not stand as usual
 * @property {number} page
 * @property {Uint8Array[]} masks a mask for each class, 1 = frozen
 */

/** Return the line of what is painted and chosen.
 * @param {Shared} shared */
export async function lineOf({ technique, optimizer, turned, page, masks }) {
  const packed = new Uint8Array(BYTES);
  masks.forEach((mask, at) => mask.forEach((one, cell) => {
    const bit = at * CELLS + cell;
    packed[bit >> 3] |= one << (7 - (bit & 7));
  }));
  const words = [FORMAT, TASK, technique, turnedWord(optimizer, turned), page, letters(await deflate(packed))];
  const line = words.join(".");
  return `${line}.${checksum(line)}`;
}

/** Return what a line holds, or that at the end of an address; an Error says what is wrong with it.
 * @returns {Promise<Shared>} */
export async function read(text) {
  const line = decoded(text).replace(/^.*#/s, "").replace(/\s/g, "");
  const [format, task, technique, word, page, mask, sum, ...more] = line.split(".");
  if (format !== FORMAT) throw new Error(`A line that begins with ${FORMAT}. was wanted; ${short(line)} arrived.`);
  const whole = sum === checksum(line.slice(0, line.lastIndexOf("."))) && !more.length;
  if (!whole) throw new Error(`The line ${short(line)} is not whole: copy all of it again.`);
  if (task !== TASK) throw new Error(`The line is one of the task ${short(task)}; this page has ${TASK}. Open it in the course.`);
  if (!Object.hasOwn(TECHNIQUES, technique)) throw new Error(`The line names the technique ${short(technique)}, which this page has not.`);
  const [optimizer, turned] = optimizerOf(word);
  if (!Object.hasOwn(OPTIMIZERS, optimizer)) throw new Error(`The line names the optimizer ${short(optimizer)}, which this page has not.`);
  if (!/^[0-9]$/.test(page)) throw new Error(`The line names the class ${short(page)}; there are 0 to 9.`);
  for (const [name, number] of Object.entries(turned)) checkKnob(optimizer, name, number);
  return { technique, optimizer, turned, page: Number(page), masks: masksOf(await inflate(bytesOf(mask))) };
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

function masksOf(packed) {
  if (packed?.length !== BYTES) throw new Error("The masks in the line are not those of ten classes.");
  const bit = (n) => (packed[n >> 3] >> (7 - (n & 7))) & 1;
  const mask = (page) => Uint8Array.from({ length: CELLS }, (_, cell) => bit(page * CELLS + cell));
  return Array.from({ length: CLASSES }, (_, page) => mask(page));
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
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new Streams.DecompressionStream("deflate-raw")).getReader();
  const found = [];
  try {
    while (found.length <= BYTES) {
      const { done, value } = await reader.read();
      if (done) return Uint8Array.from(found);
      for (const byte of value.subarray(0, BYTES + 1)) found.push(byte);
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
