// Knobs: the positions of their sliders, and the numbers in a formula.

import assert from "node:assert/strict";
import { test } from "node:test";

import { KNOBS, numbersIn, placeOf, STOPS, written } from "../../../helpers/playground/painter/browser/knobs.mjs";

test("the numbers of a slider grow, and each has its place", () => {
  for (const name of KNOBS) {
    STOPS[name].forEach((stop, place) => {
      assert.equal(placeOf(STOPS[name], stop), place);
      if (place) assert.ok(stop > STOPS[name][place - 1]);
    });
  }
  assert.ok(STOPS.momentum.at(-1) < 1);
  assert.equal(STOPS.rate[0], 1e-5);
});

test("another number is shown at the nearest place, whatever its size", () => {
  assert.equal(STOPS.rate[placeOf(STOPS.rate, 0.0122)], 0.01);
  assert.equal(STOPS.rate[placeOf(STOPS.rate, 0.0123)], 0.015);
  assert.equal(placeOf(STOPS.rate, 0), 0);
  assert.equal(placeOf(STOPS.rate, 1e30), STOPS.rate.length - 1);
  assert.equal(placeOf(STOPS.decay, 0.00002), 0);
  assert.equal(placeOf(STOPS.decay, 0.00009), 1);
});

test("numbers are written in few digits", () => {
  assert.deepEqual([0.05, 0, 1 / 3, 1e-5, 0.30000000000000004].map(written), ["0.05", "0", "0.3333", "0.00001", "0.3"]);
});

test("a formula gets the numbers of the symbols that it has", () => {
  const model = { get: (name) => ({ rate: 0.05, momentum: 0.9, decay: null })[name] };
  assert.equal(numbersIn({ rate: "", g: "" }, model), "rate = 0.05\n");
  assert.equal(numbersIn({ "β₁": "", "β₂": "", λ: "" }, model), "β₁ = 0.9\n");
  assert.equal(numbersIn({ μ: "", rate: "" }, model), "rate = 0.05\nμ = 0.9\n");
  assert.equal(numbersIn({ w: "" }, model), "");
});
