import assert from "node:assert/strict";
import { test } from "node:test";

import { short } from "../../../helpers/playground/painter/browser/microscope.mjs";
import { cellsOf, nearest, panelsOf, rangeOf, turns } from "../../../helpers/playground/painter/browser/traces.mjs";

const quantities = ["weight", "seen", "gradient", "frozen", "momentum", "step taken"];
const header = (...points) => ({
  quantities,
  cells: points.map((count, row) => ({ page: "3", row, column: 5, points: count, marks: [] })),
});
const NONE = [NaN, NaN];

test("each cell gets its own numbers", () => {
  const one = [[1, 2], [10, 11], [10, 11], [5, 6], [0, 1], [7, 8], [NaN, 1]].flat();
  const other = [[2], [20], [21], [4], [1], [NaN], [0.5]].flat();
  const [first, second] = cellsOf(header(2, 1), Float32Array.from([...one, ...other]));
  assert.deepEqual([...first.steps], [1, 2]);
  assert.deepEqual([...first.curves.get("gradient")], [5, 6]);
  assert.deepEqual([...second.curves.get("weight")], [20]);
  assert.equal(second.row, 1);
});

test("what the model sees is drawn only where it is not the weight", () => {
  const same = [[1, 2], [10, 11], [10, 11], [5, 6], [0, 1], [7, 8], [NaN, 1]].flat();
  const [cell] = cellsOf(header(2), Float32Array.from(same));
  assert.ok(!cell.curves.has("seen"));
  const [copied] = cellsOf(header(2), Float32Array.from(same.with(5, 10)));
  assert.deepEqual([...copied.curves.get("seen")], [10, 10]);
});

test("a slot that no optimizer in use has gets no panel", () => {
  const data = [[1, 2], [10, 11], [10, 11], [5, 6], [0, 1], NONE, [NaN, 1]].flat();
  const cells = cellsOf(header(2), Float32Array.from(data));
  assert.deepEqual(panelsOf(cells), ["weight", "step taken", "gradient"]);
  assert.deepEqual(panelsOf([]), []);
});

test("a cell of which nothing was recorded yet is no mistake", () => {
  const [cell] = cellsOf(header(0), new Float32Array());
  assert.equal(cell.steps.length, 0);
  assert.deepEqual(panelsOf([cell]), ["weight"]);
});

test("a range holds every finite number, and is never empty", () => {
  const [low, high] = rangeOf([[1, NaN], [3, Infinity]]);
  assert.ok(low < 1 && high > 3 && high < 4);
  assert.deepEqual(rangeOf([[NaN]]), [0, 1]);
  const [below, above] = rangeOf([[5, 5]]);
  assert.ok(below < 5 && above > 5);
  assert.deepEqual(rangeOf([[0]]), [-1, 1]);
});

test("the nearest step is found", () => {
  const steps = [1, 2, 8, 16];
  for (const [at, place] of [[-5, 0], [1, 0], [4.9, 1], [5.1, 2], [16, 3], [99, 3]]) {
    assert.equal(nearest(steps, at), place);
  }
  assert.equal(nearest([7], 3), 0);
});

test("triangles stand where a cell was frozen and thawed", () => {
  assert.deepEqual(turns([0, 0, 1, 1, 0]), [[2, true], [4, false]]);
  assert.deepEqual(turns([1, 0]), [[0, true], [1, false]]);
  assert.deepEqual(turns([]), []);
});

test("numbers and cells are told in few words", () => {
  assert.equal(short(0.123456), "0.123");
  assert.equal(short(0.0000123), "1.2e-5");
  assert.equal(short(0), "0");
  assert.equal(short(NaN), "none");
});
