// Bytes and bits as Python sends them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alignedCopy, bytesOf, equal, total, unpackBits } from "../../../helpers/playground/painter/browser/bytes.mjs";
import { randoms, range } from "./shared.mjs";

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

test("a message's buffer is read, wherever in its memory it begins, or copied", () => {
  const memory = Uint8Array.of(9, 1, 0, 0, 0, 2, 0, 0, 0);
  for (const data of [new DataView(memory.buffer, 1), memory.subarray(1)]) {
    assert.deepEqual([...bytesOf(data)], [...memory.subarray(1)]);
    const copy = new Int32Array(alignedCopy(data));
    assert.deepEqual([...copy], [1, 2]);
    copy[0] = 7;
  }
  assert.equal(bytesOf(memory.buffer).length, 9);
  assert.equal(memory[1], 1);
});

test("arrays are equal when their numbers are", () => {
  const array = Uint8Array.of(1, 2);
  assert.ok(equal(array, array.slice()));
  for (const other of [Uint8Array.of(1, 3), Uint8Array.of(1, 2, 3), undefined]) {
    assert.ok(!equal(array, other));
  }
});

test("a total counts the ones", () => assert.equal(total(Uint8Array.of(1, 0, 1)), 2));
