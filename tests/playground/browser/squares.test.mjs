// The keys on the squares of the leak matrix.

import assert from "node:assert/strict";
import { test } from "node:test";

import { next, nextSquare } from "../../../helpers/leaks/laboratory/squares.mjs";

test("arrow keys go from one to the next, and stop at the ends", () => {
  assert.equal(next("ArrowRight", 0, 3), 1);
  assert.equal(next("ArrowRight", 2, 3), 2);
  assert.equal(next("ArrowLeft", 0, 3), 0);
  assert.equal(next("Home", 2, 3), 0);
  assert.equal(next("End", 0, 3), 2);
  assert.equal(next("ArrowDown", 0, 3), undefined);
  assert.equal(next("Enter", 0, 3), undefined);
});

test("in the table, up and down change the row, left and right the column", () => {
  assert.deepEqual(nextSquare("ArrowDown", [0, 1], 2, 3), [1, 1]);
  assert.deepEqual(nextSquare("ArrowDown", [1, 1], 2, 3), [1, 1]);
  assert.deepEqual(nextSquare("ArrowUp", [1, 2], 2, 3), [0, 2]);
  assert.deepEqual(nextSquare("ArrowRight", [1, 1], 2, 3), [1, 2]);
  assert.deepEqual(nextSquare("Home", [1, 2], 2, 3), [1, 0]);
  assert.deepEqual(nextSquare("End", [1, 0], 2, 3), [1, 2]);
  assert.equal(nextSquare("x", [1, 0], 2, 3), undefined);
});
