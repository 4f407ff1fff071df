// Which cells a pointer touches.

import assert from "node:assert/strict";
import { test } from "node:test";

import { block, boxOf, brushed, cellsCrossed, cellsUnder, changedBox, clamped } from "../../../helpers/playground/painter/browser/geometry.mjs";
import { randoms, range, sorted } from "./shared.mjs";

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
  const distinct = new Set(cells);
  assert.equal(distinct.size, cells.length, `a cell comes twice, ${what}`);
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
      assert.ok(distinct.has(cell), `cell ${cell} is missing, ${what}`);
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
      const covered = block(from, to, columns);
      assert.ok(covered instanceof Int32Array);
      assert.deepEqual([...covered], wanted);
    }
  }
});

test("corners are compared as numbers, not as text", () => {
  assert.deepEqual([...block(9, 10, 20)], [9, 10]);
  assert.deepEqual([...block(9, 10, 1)], [9, 10]);
  assert.equal(block(0, 10 * 20 + 9, 20).length, 11 * 10);
});

// --- tools ---------------------------------------------------------------------------------

test("each tool paints its own cells around those that are crossed, each once", () => {
  const under = (tool, ...cells) => sorted(cellsUnder(cells, tool, 3, 3, 4));
  assert.deepEqual(under("brush", 0), [0, 1, 4, 5]);
  assert.deepEqual(under("rectangle", 5, 6), [5, 6]);
  assert.deepEqual(under("row", 5, 6), [4, 5, 6, 7]);
  assert.deepEqual(under("column", 2, 5), [1, 2, 5, 6, 9, 10]);
  for (const tool of ["brush", "rectangle", "row", "column"]) {
    assert.ok(cellsUnder([5], tool, 1, 3, 4) instanceof Int32Array);
    assert.equal(cellsUnder([], tool, 1, 3, 4).length, 0);
  }
});

test("a place outside the grid is taken to the nearest cell", () => {
  assert.deepEqual(clamped({ x: 2.9, y: 1.1 }, 3, 4), { row: 1, column: 2 });
  assert.deepEqual(clamped({ x: -7, y: 99 }, 3, 4), { row: 2, column: 0 });
  assert.deepEqual(clamped({ x: 4, y: -0.1 }, 3, 4), { row: 0, column: 3 });
});

// --- boxes ---------------------------------------------------------------------------------

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

test("the box of a list of cells is the smallest around them", () => {
  assert.deepEqual(boxOf([6], 4), { top: 1, bottom: 1, left: 2, right: 2 });
  assert.deepEqual(boxOf([3, 8, 5], 4), { top: 0, bottom: 2, left: 0, right: 3 });
});
