// What the tiles of a board say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fate, label } from "../../../helpers/board/tiles.mjs";

test("a tile says whether it moved, once something has trained", () => {
  const told = (moved) => fate({ moved, bet: false, mark: "" }).did;
  assert.deepEqual([null, true, false].map(told), ["", "moved", "stayed"]);
});

test("a bet has a sign before and after it is judged", () => {
  const sign = (mark, bet = true) => fate({ moved: true, bet, mark }).sign;
  assert.deepEqual(["", "right", "missed", "wrong"].map((mark) => sign(mark)), ["?", "✓", "!", "✗"]);
  assert.equal(sign("", false), "");
});

test("a label is told in words", () => {
  assert.notEqual(label(true), label(false));
});
