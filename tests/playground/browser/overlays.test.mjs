// Arrays that a page brings along, as heat.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Overlays } from "../../../helpers/playground/painter/browser/overlays.mjs";
import { Model } from "./shared.mjs";

const bytes = (...numbers) => new DataView(Float32Array.from(numbers).buffer);
const fisher = { name: "Fisher", largest: 4, pages: { 3: bytes(0, 1e-9, 2, 4), 4: bytes(1, 1, 0, 0) } };
const zeros = { name: "zeros", largest: 0, pages: { 3: bytes(0, 0) } };
const made = () => new Overlays(new Model({ overlays: [fisher, zeros] }));

test("codes go from 0 to the largest of all pages, and nothing but 0 is 0", () => {
  const heat = made().on("Fisher", "3");
  assert.deepEqual([...heat.codes], [0, 1, 128, 255]);
  assert.deepEqual([...heat.values], [0, Math.fround(1e-9), 2, 4]);
  assert.deepEqual([...made().on("Fisher", "4").codes], [64, 64, 0, 0]);
  assert.deepEqual([...made().on("zeros", "3").codes], [0, 0]);
});

test("an overlay is made once a page", () => {
  const overlays = made();
  assert.equal(overlays.on("Fisher", "3"), overlays.on("Fisher", "3"));
  assert.notEqual(overlays.on("Fisher", "3"), overlays.on("Fisher", "4"));
});

test("other views and pages have none, nor has a grid to which none was given", () => {
  assert.deepEqual(made().names, ["Fisher", "zeros"]);
  for (const [view, page] of [["weights", "3"], ["zeros", "4"], ["Fisher", undefined]]) {
    assert.equal(made().on(view, page), undefined);
  }
  const none = new Overlays(new Model({}));
  assert.deepEqual([none.names, none.on("Fisher", "3")], [[], undefined]);
});
