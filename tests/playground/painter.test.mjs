// The pure functions of painter.mjs, imported from the shipped file: node --test tests/playground/painter.test.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const source = new URL("../../helpers/playground/painter/painter.mjs", import.meta.url);
const painter = await import(source);
const { block, brushed, cellsCrossed, changedBox, drawCells, drawHatch, pixelTable, unpackBits } =
  painter;

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randoms(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const sorted = (cells) => [...cells].sort((a, b) => a - b);
const range = (count) => Array.from({ length: count }, (_, i) => i);
const plane = (rows, columns, ...cells) => {
  const made = new Uint8Array(rows * columns);
  for (const cell of cells) made[cell] = 1;
  return made;
};

// --- cellsCrossed --------------------------------------------------------------------------

/** The stretch, from 0 to 1, of a segment that lies in a closed cell; null outside. */
function stretch([x0, y0, x1, y1], row, column) {
  let [from, to] = [0, 1];
  for (const [start, end, low] of [[x0, x1, column], [y0, y1, row]]) {
    if (start === end) {
      if (start < low || start > low + 1) return null;
      continue;
    }
    const [a, b] = [(low - start) / (end - start), (low + 1 - start) / (end - start)];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to + 1e-9 ? to - from : null;
}

/** Check a segment's cells against every cell of the grid, one by one. */
function checkSegment(segment, rows, columns) {
  const cells = cellsCrossed(...segment, rows, columns);
  const what = `segment ${segment} over ${rows}×${columns}: ${cells}`;
  const found = new Set(cells);
  assert.equal(found.size, cells.length, `a cell comes twice, ${what}`);
  for (const cell of cells) {
    assert.ok(Number.isInteger(cell) && cell >= 0 && cell < rows * columns, what);
    const length = stretch(segment, Math.floor(cell / columns), cell % columns);
    assert.notEqual(length, null, `cell ${cell} is not touched, ${what}`);
  }
  for (const cell of range(rows * columns)) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const onBorder = segment[0] === segment[2] && segment[0] === column + 1
      || segment[1] === segment[3] && segment[1] === row + 1;
    if (!onBorder && stretch(segment, row, column) > 1e-9) {
      assert.ok(found.has(cell), `cell ${cell} is missing, ${what}`);
    }
  }
  return cells;
}

/** Every cell is a neighbour of the one before, as long as the segment stays in the grid. */
function checkConnected(cells, columns) {
  for (let i = 1; i < cells.length; i++) {
    const [a, b] = [cells[i - 1], cells[i]];
    const apart = Math.abs(Math.floor(a / columns) - Math.floor(b / columns))
      + Math.abs((a % columns) - (b % columns));
    assert.equal(apart, 1, `${a} and ${b} are not neighbours`);
  }
}

test("a segment crosses the cells that it runs through, in order", () => {
  const random = randoms(1);
  for (let i = 0; i < 4000; i++) {
    const [rows, columns] = [1 + Math.floor(random() * 9), 1 + Math.floor(random() * 9)];
    const segment = [random() * columns, random() * rows, random() * columns, random() * rows];
    const cells = checkSegment(segment, rows, columns);
    checkConnected(cells, columns);
    const at = (x, y) => Math.floor(y) * columns + Math.floor(x);
    assert.equal(cells[0], at(segment[0], segment[1]));
    assert.equal(cells.at(-1), at(segment[2], segment[3]));
  }
});

test("a segment that leaves the grid, or never enters it, crosses the cells inside", () => {
  const random = randoms(2);
  for (let i = 0; i < 4000; i++) {
    const [rows, columns] = [1 + Math.floor(random() * 7), 1 + Math.floor(random() * 7)];
    const anywhere = () => (random() - 0.5) * 40;
    checkSegment([anywhere(), anywhere(), anywhere(), anywhere()], rows, columns);
  }
  assert.deepEqual(cellsCrossed(-5, -5, -1, 9, 4, 4), []);
  assert.deepEqual(cellsCrossed(-1.5, 0.5, 9, 0.5, 1, 3), [0, 1, 2]);
});

test("segments from, to and along borders cross no cell that they do not touch", () => {
  const random = randoms(3);
  for (let i = 0; i < 4000; i++) {
    const [rows, columns] = [1 + Math.floor(random() * 6), 1 + Math.floor(random() * 6)];
    const onGrid = (side) => Math.round(random() * 2 * side) / 2;
    checkSegment([onGrid(columns), onGrid(rows), onGrid(columns), onGrid(rows)], rows, columns);
  }
});

test("along a border the cells on the right and below are crossed, both ways", () => {
  assert.deepEqual(cellsCrossed(0.5, 1, 3.5, 1, 3, 4), [4, 5, 6, 7]);
  assert.deepEqual(cellsCrossed(3.5, 1, 0.5, 1, 3, 4), [7, 6, 5, 4]);
  assert.deepEqual(cellsCrossed(2, 0.5, 2, 2.5, 3, 4), [2, 6, 10]);
  assert.deepEqual(cellsCrossed(2, 2.5, 2, 0.5, 3, 4), [10, 6, 2]);
});

test("a press without a move is one cell, and outside the grid none", () => {
  assert.deepEqual(cellsCrossed(2.3, 1.9, 2.3, 1.9, 3, 4), [6]);
  assert.deepEqual(cellsCrossed(2, 1, 2, 1, 3, 4), [6]);
  assert.deepEqual(cellsCrossed(4, 3, 4, 3, 3, 4), []);
});

test("the same stroke in two parts crosses the same cells", () => {
  const random = randoms(4);
  for (let i = 0; i < 1000; i++) {
    const [x0, y0, x1, y1] = range(4).map(() => random() * 8);
    const [xm, ym] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const parts = [...cellsCrossed(x0, y0, xm, ym, 8, 8), ...cellsCrossed(xm, ym, x1, y1, 8, 8)];
    const whole = cellsCrossed(x0, y0, x1, y1, 8, 8);
    assert.deepEqual(sorted(new Set(parts)), sorted(whole));
  }
});

test("a long segment over the largest grid ends", () => {
  assert.equal(cellsCrossed(0.5, 0.5, 511.5, 511.5, 512, 512).length, 1023);
  assert.equal(cellsCrossed(-3000, 7.5, 3000, 7.5, 512, 512).length, 512);
});

// --- brushed and block ---------------------------------------------------------------------

test("a brush covers the square around each cell, cut at the grid's border, each cell once", () => {
  const random = randoms(5);
  for (let i = 0; i < 500; i++) {
    const [rows, columns] = [1 + Math.floor(random() * 9), 1 + Math.floor(random() * 9)];
    const size = [1, 3, 5, 9][Math.floor(random() * 4)];
    const cells = range(1 + Math.floor(random() * 4)).map(() => Math.floor(random() * rows * columns));
    const wanted = range(rows * columns).filter((cell) =>
      cells.some((centre) =>
        Math.abs(Math.floor(cell / columns) - Math.floor(centre / columns)) <= (size - 1) / 2
        && Math.abs((cell % columns) - (centre % columns)) <= (size - 1) / 2));
    const covered = brushed(cells, size, rows, columns);
    assert.ok(covered instanceof Int32Array);
    assert.deepEqual(sorted(covered), wanted);
  }
});

test("a block is the rectangle between its corners, whichever two are given", () => {
  const columns = 7;
  for (const from of range(5 * columns)) {
    for (const to of range(5 * columns)) {
      const [rows, cols] = [[from, to].map((c) => Math.floor(c / columns)), [from, to].map((c) => c % columns)];
      const inside = (value, pair) => value >= Math.min(...pair) && value <= Math.max(...pair);
      const wanted = range(5 * columns).filter(
        (cell) => inside(Math.floor(cell / columns), rows) && inside(cell % columns, cols));
      const made = block(from, to, columns);
      assert.ok(made instanceof Int32Array);
      assert.deepEqual([...made], wanted);
    }
  }
});

test("corners are compared as numbers, not as text", () => {
  assert.deepEqual([...block(9, 10, 20)], [9, 10]);
  assert.deepEqual([...block(9, 10, 1)], [9, 10]);
  assert.equal(block(0, 10 * 20 + 9, 20).length, 11 * 10);
});

// --- unpackBits and changedBox -------------------------------------------------------------

test("bits come out as Python packs them, the first cell in the lowest bit", () => {
  assert.deepEqual([...unpackBits(Uint8Array.of(0b00000101, 0b10), 10)], [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
  const random = randoms(6);
  for (const count of [1, 7, 8, 9, 64, 129]) {
    const bits = range(count).map(() => Math.round(random()));
    const bytes = new Uint8Array(Math.ceil(count / 8));
    bits.forEach((bit, i) => (bytes[Math.floor(i / 8)] += bit * 2 ** (i % 8)));
    assert.deepEqual([...unpackBits(bytes, count)], bits);
  }
});

test("the changed box is the smallest outside which nothing differs", () => {
  const random = randoms(7);
  for (let i = 0; i < 500; i++) {
    const [rows, columns] = [1 + Math.floor(random() * 8), 1 + Math.floor(random() * 8)];
    const before = Uint8Array.from(range(rows * columns), () => Math.floor(random() * 3));
    const after = before.map((value) => (random() < 0.1 ? (value + 1) % 3 : value));
    const changed = range(rows * columns).filter((cell) => before[cell] !== after[cell]);
    const at = changed.map((cell) => [Math.floor(cell / columns), cell % columns]);
    const wanted = changed.length === 0 ? null : {
      top: Math.min(...at.map(([row]) => row)),
      bottom: Math.max(...at.map(([row]) => row)),
      left: Math.min(...at.map(([, column]) => column)),
      right: Math.max(...at.map(([, column]) => column)),
    };
    assert.deepEqual(changedBox(before, after, columns), wanted);
  }
});

// --- pixels --------------------------------------------------------------------------------

/** Red, green, blue and alpha of a 32-bit pixel, as a canvas reads it. */
const channels = (pixel) => [...new Uint8Array(Uint32Array.of(pixel).buffer)];

test("a pixel table has the colours as they were sent, and no transparency", () => {
  const bytes = Uint8Array.from(range(768), (i) => (i * 7) % 256);
  const table = pixelTable(bytes);
  assert.equal(table.length, 256);
  for (const code of range(256)) {
    assert.deepEqual(channels(table[code]), [...bytes.subarray(3 * code, 3 * code + 3), 255]);
  }
});

const tables = [Uint32Array.from(range(256), (i) => 1000 + i), Uint32Array.from(range(256), (i) => 2000 + i)];

test("weights are drawn from the first table, the exception at its start", () => {
  const pixels = new Uint32Array(4);
  drawCells(pixels, "weights", { weights: Int8Array.of(-128, -127, 0, 127) }, tables);
  assert.deepEqual([...pixels], [1000, 1001, 1128, 1255]);
});

test("moved is drawn from the second table, the exception at its start", () => {
  const pixels = new Uint32Array(3);
  drawCells(pixels, "moved", { moved: Uint8Array.of(0, 1, 255) }, tables);
  assert.deepEqual([...pixels], [2000, 2001, 2255]);
});

test("the view of leaks tells free, intact and leaked cells apart, and only frozen ones leak", () => {
  const pixels = new Uint32Array(4);
  const planes = { frozen: Uint8Array.of(0, 1, 1, 0), leaked: Uint8Array.of(0, 0, 1, 1) };
  drawCells(pixels, "leaked", planes, tables);
  const [free, intact, leaked, thawed] = pixels;
  assert.equal(new Set([free, intact, leaked]).size, 3);
  assert.equal(thawed, free);
  const [red, green] = channels(leaked);
  assert.ok(red > green + 100);
});

/** Draw a whole overlay. */
function overlay(frozen, leaked, rows, columns, size) {
  const box = { x0: 0, y0: 0, x1: Math.round(columns * size), y1: Math.round(rows * size) };
  const pixels = new Uint32Array(box.x1 * box.y1).fill(1);
  drawHatch(pixels, box, size, { frozen, leaked }, rows, columns);
  return { pixels, width: box.x1, height: box.y1 };
}

/** The pixels of one cell. */
function pixelsOf({ pixels, width }, row, column, size) {
  return range(size * size).map((i) =>
    pixels[(row * size + Math.floor(i / size)) * width + column * size + (i % size)]);
}

test("every frozen cell shows hatch at any size, and free cells show nothing", () => {
  const random = randoms(8);
  for (const size of [1, 2, 3, 5, 8, 16, 52]) {
    const frozen = Uint8Array.from(range(12), () => Math.round(random()));
    const drawn = overlay(frozen, new Uint8Array(12), 3, 4, size);
    for (const cell of range(12)) {
      const inked = pixelsOf(drawn, Math.floor(cell / 4), cell % 4, size).filter((pixel) => pixel);
      if (!frozen[cell]) assert.equal(inked.length, 0);
      else assert.ok(inked.length > 0, `cell ${cell} at size ${size}`);
    }
  }
});

test("cells inside a frozen area show hatch too, and let the weight through", () => {
  for (const size of [8, 16, 52]) {
    const drawn = overlay(new Uint8Array(25).fill(1), new Uint8Array(25), 5, 5, size);
    const middle = pixelsOf(drawn, 2, 2, size);
    const share = middle.filter((pixel) => pixel).length / middle.length;
    assert.ok(share > 0.2 && share < 0.8, `${share} at size ${size}`);
  }
});

test("the outline runs around an area, not between its cells", () => {
  const [size, dark] = [16, (pixel) => channels(pixel)[3] === 255];
  const drawn = overlay(plane(3, 4, 5, 6), plane(3, 4), 3, 4, size);
  const left = pixelsOf(drawn, 1, 1, size);
  const column = (x) => range(size).map((y) => left[y * size + x]);
  assert.ok(column(0).every(dark) && left.slice(0, size).every(dark));
  assert.ok(left.slice(-size).every(dark));
  assert.ok(!column(size - 1).every(dark));
});

test("leaked cells are hatched in red, other frozen cells are not", () => {
  const drawn = overlay(plane(1, 2, 0, 1), plane(1, 2, 1), 1, 2, 16);
  const isRed = (pixel) => channels(pixel)[0] > channels(pixel)[1] + 100;
  assert.ok(!pixelsOf(drawn, 0, 0, 16).some(isRed));
  assert.ok(pixelsOf(drawn, 0, 1, 16).some(isRed));
});

test("a leak plane colours no free cell", () => {
  const drawn = overlay(plane(1, 2), plane(1, 2, 0, 1), 1, 2, 16);
  assert.ok(drawn.pixels.every((pixel) => pixel === 0));
});

test("a part drawn by itself is that part of the whole", () => {
  const random = randoms(9);
  for (const size of [1, 0.8, 3, 16, 8.75]) {
    const [rows, columns] = [6, 5];
    const frozen = Uint8Array.from(range(30), () => Math.round(random()));
    const leaked = Uint8Array.from(range(30), () => Math.round(random()));
    const whole = overlay(frozen, leaked, rows, columns, size);
    for (let i = 0; i < 20; i++) {
      const [x0, y0] = [Math.floor(random() * whole.width), Math.floor(random() * whole.height)];
      const [x1, y1] = [x0 + 1, y0 + 1].map((low, axis) =>
        low + Math.floor(random() * ((axis ? whole.height : whole.width) - low + 1)));
      const part = new Uint32Array((x1 - x0) * (y1 - y0));
      drawHatch(part, { x0, y0, x1, y1 }, size, { frozen, leaked }, rows, columns);
      part.forEach((pixel, at) => {
        const [x, y] = [x0 + (at % (x1 - x0)), y0 + Math.floor(at / (x1 - x0))];
        assert.equal(pixel, whole.pixels[y * whole.width + x]);
      });
    }
  }
});

// --- the file ------------------------------------------------------------------------------

test("the module stands alone: a widget's module cannot import its neighbours", () => {
  const text = readFileSync(source, "utf8");
  assert.doesNotMatch(text, /^\s*import\s|\bimport\(|^\s*export\s.*\bfrom\s*["']/m);
  assert.equal(typeof painter.default, "function");
  assert.deepEqual(Object.keys(painter.default()).sort(), ["initialize", "render"]);
});
