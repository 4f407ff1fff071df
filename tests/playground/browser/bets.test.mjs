import assert from "node:assert/strict";
import { test } from "node:test";

import { outcomeOf, signOf, tally } from "../../../helpers/playground/painter/browser/bets.mjs";

test("until training has judged, a cell shows only whether it was predicted", () => {
  assert.equal(signOf(1, 1, false), "predicted");
  assert.equal(signOf(0, 1, false), undefined);
});

test("afterwards hits, misses and false alarms have signs of their own", () => {
  assert.equal(signOf(1, 1, true), "right");
  assert.equal(signOf(1, 0, true), "wrong");
  assert.equal(signOf(0, 1, true), "missed");
  assert.equal(signOf(0, 0, true), undefined);
});

test("signs are counted", () => {
  assert.deepEqual(tally([1, 1, 0, 0, 1], [1, 0, 1, 0, 1]), { right: 2, missed: 1, wrong: 1 });
});

test("what is bet is that cells leak, or that not one of their bits moves", () => {
  const [leaked, moved] = [Uint8Array.of(1, 0, 0), Uint8Array.of(9, 1, 0)];
  assert.deepEqual([...outcomeOf("leak", leaked, moved)], [1, 0, 0]);
  assert.deepEqual([...outcomeOf("stay", leaked, moved)], [0, 0, 1]);
});
