// The planes of the grid: frames are taken over, and what Python has not seen stays on top.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../../../helpers/playground/painter/browser/store.mjs";
import { Model, plane, stopTime } from "./shared.mjs";

const [ROWS, COLUMNS] = [2, 4];
const COUNT = ROWS * COLUMNS;

const pack = (...cells) => Uint8Array.of(cells.reduce((byte, cell) => byte + 2 ** cell, 0));

/** The planes of a frame in which `frozen`, `leaked` and `predicted` are lists of cells. */
function planes(frozen, leaked = [], predicted = []) {
  return {
    weights: new Int8Array(COUNT),
    moved: new Uint8Array(COUNT),
    curve: new Uint8Array(8),
    frozen: pack(...frozen),
    leaked: pack(...leaked),
    predicted: pack(...predicted),
  };
}

/** A store in which nothing is frozen; `told` is what its only view was told. */
function open(context) {
  const pass = stopTime(context);
  const header = { frame: 0, applied: {}, mask: 0, bets: 7 };
  const model = new Model({
    shape: [ROWS, COLUMNS],
    colours: new Uint8Array(2 * 256 * 3),
    frame: { header, ...planes([]) },
  });
  const store = new Store(model);
  context.after(() => store.close());
  const told = [];
  const tell = (name) => (...values) => told.push([name, ...values]);
  const names = ["frameArrived", "cellsChanged", "showValue", "showShared", "showStatus", "settingsChanged"];
  store.views.add(Object.fromEntries(names.map((name) => [name, tell(name)])));
  const answer = (applied, frozen, mask = 0, leaked = []) =>
    model.frame({ applied: { [store.link.client]: applied }, mask }, planes(frozen, leaked));
  const frozen = () => [...store.frozen.keys()].filter((cell) => store.frozen[cell]);
  return { pass, model, store, told, answer, frozen };
}

const paint = (store, cells, frozen = true) => store.paint(Int32Array.from(cells), frozen);
const cellsOf = ({ buffers }) => [...new Int32Array(buffers[0])];

test("a frame's planes are taken over, and the views are told", (context) => {
  const { model, store, told } = open(context);
  const sent = planes([1, 6], [6]);
  sent.weights = Int8Array.of(-128, 0, 1, 2, 3, 4, 5, 127);
  sent.curve = new Uint8Array(Float32Array.of(1, 0.5).buffer);
  model.frame({ applied: {}, mask: 0, scale: 3 }, sent);
  assert.deepEqual(store.frozen, plane(COUNT, 1, 6));
  assert.deepEqual(store.leaked, plane(COUNT, 6));
  assert.deepEqual(store.weights, sent.weights);
  assert.deepEqual([...store.curve], [1, 0.5]);
  assert.equal(store.header.scale, 3);
  assert.deepEqual(told, [["frameArrived"]]);
});

test("what is painted shows at once, goes to Python, and is told with its box", (context) => {
  const { model, store, told, frozen } = open(context);
  assert.deepEqual([...paint(store, [1, 6])], [1, 6]);
  assert.deepEqual(frozen(), [1, 6]);
  const [message] = model.all("paint");
  assert.deepEqual(cellsOf(message), [1, 6]);
  assert.equal(message.frozen, true);
  assert.deepEqual(told, [["cellsChanged", { top: 0, left: 1, bottom: 1, right: 2 }]]);
});

test("cells that are so already are not painted again", (context) => {
  const { model, store } = open(context);
  paint(store, [1]);
  assert.deepEqual([...paint(store, [1, 2])], [2]);
  assert.equal(paint(store, [1, 2]).length, 0);
  assert.deepEqual(model.all("paint").map(cellsOf), [[1], [2]]);
});

test("what Python has not seen stays on top of its frames until it has", (context) => {
  const { store, answer, frozen } = open(context);
  paint(store, [1]);
  paint(store, [1], false);
  paint(store, [2]);
  answer(0, [5]);
  assert.deepEqual(frozen(), [2, 5]);
  answer(1, [1, 5]);
  assert.deepEqual(frozen(), [2, 5]);
  answer(3, [2, 5]);
  assert.deepEqual(frozen(), [2, 5]);
});

test("a refused stroke is gone with the next frame, though its mask is the one before", (context) => {
  const { store, answer, frozen } = open(context);
  answer(0, [5]);
  paint(store, [1]);
  answer(1, [5]);
  assert.deepEqual(frozen(), [5]);
});

test("the same masks are not unpacked again, while nobody paints", (context) => {
  const { store, answer } = open(context);
  answer(0, [5]);
  const before = store.frozen;
  answer(0, [5]);
  assert.equal(store.frozen, before);
  answer(0, [5], 0, [5]);
  assert.notEqual(store.frozen, before);
});

test("a stroke grows while it waits, another stroke or kind is an operation of its own", (context) => {
  const { model, store, answer } = open(context);
  store.beginStroke();
  for (const cell of [0, 1, 2, 3, 4]) paint(store, [cell]);
  paint(store, [0], false);
  store.beginStroke();
  paint(store, [5]);
  store.operate("undo");
  paint(store, [6]);
  assert.deepEqual(model.all("paint").map(cellsOf), [[0], [1], [2]]);
  answer(3, [0, 1, 2]);
  answer(6, []);
  assert.deepEqual(model.all("paint").map(cellsOf), [[0], [1], [2], [3, 4], [0], [5], [6]]);
  assert.deepEqual(model.all("paint").map(({ stroke }) => stroke), [1, 1, 1, 1, 1, 2, 2]);
  assert.equal(model.all("undo").length, 1);
});

test("an operation names the mask that was seen when it was asked for", (context) => {
  const { model, store, answer } = open(context);
  paint(store, [1]);
  store.operate("largest", { fraction: 0.5 });
  answer(0, [], 3);
  store.operate("clear");
  const asked = model.sent.filter(({ seq }) => seq);
  assert.deepEqual(asked.map(({ kind, mask }) => [kind, mask]), [["paint", 0], ["largest", 0], ["clear", 3]]);
  assert.equal(asked[1].fraction, 0.5);
});

test("what was painted on one mask is not shown on another, and goes on its way", (context) => {
  const { model, store, answer, frozen } = open(context);
  for (const cell of [0, 1, 2, 3]) paint(store, [cell]); // one stroke, whose last part waits
  answer(0, [7], 1);
  assert.deepEqual(frozen(), [7]);
  paint(store, [6]);
  assert.deepEqual(frozen(), [6, 7]);
  answer(3, [7], 1);
  const asked = model.all("paint").map((message) => [message.mask, ...cellsOf(message)]);
  assert.deepEqual(asked, [[0, 0], [0, 1], [0, 2], [0, 3], [1, 6]]);
  answer(5, [0, 1, 2, 3], 0);
  assert.deepEqual(frozen(), [0, 1, 2, 3]);
});

test("without a connection nothing is painted or asked for", (context) => {
  const { model, store, told, frozen } = open(context);
  model.say("comm_live_update");
  assert.deepEqual(told, [["showStatus"]]);
  assert.equal(paint(store, [1]).length, 0);
  store.operate("undo");
  assert.deepEqual(frozen(), []);
  assert.deepEqual(model.sent.map(({ kind }) => kind), ["hello"]);
});

test("views are told of values, lines of text, status, errors and settings", (context) => {
  const { model, told } = open(context);
  const value = { kind: "value", cell: 1, value: "0.5", was: "0" };
  const line = { kind: "code", text: "freeze1.digits-0" };
  model.say("msg:custom", value, []);
  model.say("msg:custom", line, []);
  model.say("change:status");
  model.say("change:error");
  model.say("change:technique");
  assert.deepEqual(told, [["showValue", value], ["showShared", line], ["showStatus"], ["settingsChanged"], ["showStatus"], ["settingsChanged"]]);
});

test("what is predicted is painted on a mask of its own, and the mask stays", (context) => {
  const { store, model, frozen } = open(context);
  store.beginStroke();
  assert.deepEqual([...store.paint(Int32Array.of(2, 3), true, "predicted")], [2, 3]);
  assert.deepEqual(store.predicted, plane(COUNT, 2, 3));
  assert.deepEqual(frozen(), []);
  const [{ message }] = store.link.pending;
  assert.equal(message.mask, 7);
  model.frame({ applied: {}, mask: 0, bets: 7 }, planes([5]));
  assert.deepEqual(store.predicted, plane(COUNT, 2, 3));
  assert.deepEqual(frozen(), [5]);
  model.frame({ applied: { [store.link.client]: 1 }, mask: 0, bets: 7 }, planes([5], [], [2]));
  assert.deepEqual(store.predicted, plane(COUNT, 2));
});

test("a prediction on its way is not shown on another page", (context) => {
  const { store, model } = open(context);
  store.paint(Int32Array.of(2), true, "predicted");
  model.frame({ applied: {}, mask: 1, bets: 8 }, planes([]));
  assert.deepEqual(store.predicted, plane(COUNT));
});

test("every change of the planes is counted", (context) => {
  const { store, answer } = open(context);
  const before = store.version;
  paint(store, [1]);
  assert.ok(store.version > before);
  const painted = store.version;
  answer(1, [1]);
  answer(1, [1]);
  assert.equal(store.version, painted + 1);
});
