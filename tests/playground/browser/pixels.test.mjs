// What a cell looks like.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawCells, drawHatch, pixelTable } from "../../../helpers/playground/painter/browser/pixels.mjs";
import { plane, randoms, range } from "./shared.mjs";

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
  const drawn = overlay(plane(12, 5, 6), plane(12), 3, 4, size);
  const left = pixelsOf(drawn, 1, 1, size);
  const column = (x) => range(size).map((y) => left[y * size + x]);
  assert.ok(column(0).every(dark) && left.slice(0, size).every(dark));
  assert.ok(left.slice(-size).every(dark));
  assert.ok(!column(size - 1).every(dark));
});

test("leaked cells are hatched in red, other frozen cells are not", () => {
  const drawn = overlay(plane(2, 0, 1), plane(2, 1), 1, 2, 16);
  const isRed = (pixel) => channels(pixel)[0] > channels(pixel)[1] + 100;
  assert.ok(!pixelsOf(drawn, 0, 0, 16).some(isRed));
  assert.ok(pixelsOf(drawn, 0, 1, 16).some(isRed));
});

test("leaked cells are crossed: their hatch is the same in a mirror, that of others is not", () => {
  const size = 36; // whole periods of both
  const inked = (leaked) => {
    const drawn = overlay(plane(9, ...range(9)), plane(9, ...(leaked ? range(9) : [])), 3, 3, size);
    return pixelsOf(drawn, 1, 1, size).map((pixel) => channels(pixel)[3] === 255);
  };
  const alike = (cell) => {
    let same = 0;
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++) same += cell[y * size + x] === cell[y * size + ((size - x) % size)];
    return same / cell.length;
  };
  assert.ok(alike(inked(true)) > 0.7, `${alike(inked(true))}`);
  assert.ok(alike(inked(false)) < 0.66, `${alike(inked(false))}`);
});

test("a leak plane colours no free cell", () => {
  const drawn = overlay(plane(2), plane(2, 0, 1), 1, 2, 16);
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
