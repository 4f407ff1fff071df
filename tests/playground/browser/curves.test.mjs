// The curves beside the grid: what their drawing is made of.

import assert from "node:assert/strict";
import { test } from "node:test";

import { labelPlaces, rowsOf } from "../../../helpers/playground/painter/browser/curves.mjs";
import { randoms, range } from "./shared.mjs";

test("a table's rows lie one behind the other", () => {
  const rows = rowsOf(Float32Array.of(0, 5, 0.5, 1, 0.25, 0.125), 3);
  assert.deepEqual(rows.map((row) => [...row]), [[0, 5], [0.5, 1], [0.25, 0.125]]);
  assert.deepEqual(rowsOf(new Float32Array(0), 2).map((row) => row.length), [0, 0]);
});

test("labels stand where their curves end, if there is room", () => {
  assert.deepEqual(labelPlaces([50, 0, 30], 84), [50, 0, 30]);
});

test("labels never overlap, never leave the drawing, and keep their order", () => {
  const random = randoms(1);
  for (let i = 0; i < 500; i++) {
    const wanted = range(1 + Math.floor(random() * 6)).map(() => random() * 84);
    const places = labelPlaces(wanted, 84);
    const order = [...wanted.keys()].sort((one, other) => wanted[one] - wanted[other]);
    const sorted = order.map((place) => places[place]);
    assert.ok(sorted.every((place, at) => place >= 0 && place <= 84 && (!at || place - sorted[at - 1] >= 12 - 1e-9)));
  }
});
