// The browser's end of the conversation with Python; its protocol stands in link.py.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Link } from "../../../helpers/playground/painter/browser/link.mjs";
import { Model, range, stopTime } from "./shared.mjs";

const BEAT = 250;

/** A link that has said hello; `heard` is what its listener was told. */
function open(context) {
  const pass = stopTime(context);
  const first = { header: { frame: 0, applied: {} }, picture: "first" };
  const model = new Model({ frame: first });
  const heard = { frames: [], replies: [], changes: [] };
  const link = new Link(model, {
    takeFrame: (header, planes) => heard.frames.push({ header, planes, pending: link.pending.length }),
    takeReply: (message) => heard.replies.push(message),
    connectionChanged: () => heard.changes.push([link.connected, link.silent]),
  });
  link.open();
  context.after(() => link.close());
  let frame = 0;
  const answer = (applied = 0, header = {}) => {
    frame += 1;
    model.frame({ frame, applied: { [link.client]: applied }, ...header }, { picture: `${frame}` });
  };
  const operations = () => model.sent.filter((message) => message.seq);
  return { pass, model, link, heard, answer, operations };
}

const numbers = (operations) => operations.map(({ seq }) => seq);
const ask = (link, ...kinds) => kinds.forEach((kind) => link.ask({ kind }, [Int32Array.of(7).buffer]));

// --- frames and replies --------------------------------------------------------------------

test("a link passes on the frame it finds, and says hello", (context) => {
  const { model, link, heard } = open(context);
  assert.deepEqual(heard.frames[0].planes, { picture: "first" });
  assert.deepEqual(model.sent, [{ kind: "hello", client: link.client, seen: 0, buffers: [] }]);
});

test("frames and replies go to the listener", (context) => {
  const { model, heard, answer } = open(context);
  answer();
  model.say("msg:custom", { kind: "value", cell: 3 }, []);
  assert.deepEqual(heard.frames[1].planes, { picture: "1" });
  assert.deepEqual(heard.replies, [{ kind: "value", cell: 3 }]);
});

test("two links are two clients", (context) => {
  assert.notEqual(open(context).link.client, new Link(new Model({}), {}).client);
});

// --- operations ----------------------------------------------------------------------------

test("operations leave at once, numbered, with their buffers and their client", (context) => {
  const { link, operations } = open(context);
  ask(link, "paint", "undo");
  assert.deepEqual(numbers(operations()), [1, 2]);
  const [first] = operations();
  assert.equal(first.client, link.client);
  assert.deepEqual([...new Int32Array(first.buffers[0])], [7]);
});

test("at most three are under way, and the others follow in order", (context) => {
  const { link, operations, answer } = open(context);
  ask(link, "a", "b", "c", "d", "e", "f");
  assert.deepEqual(numbers(operations()), [1, 2, 3]);
  answer(0);
  assert.deepEqual(numbers(operations()), [1, 2, 3]);
  answer(1);
  assert.deepEqual(numbers(operations()), [1, 2, 3, 4]);
  answer(4);
  assert.deepEqual(numbers(operations()), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(operations().map(({ kind }) => kind), ["a", "b", "c", "d", "e", "f"]);
});

test("what a frame has applied is pending no more when the listener sees it", (context) => {
  const { link, heard, answer } = open(context);
  ask(link, "a", "b", "c", "d");
  answer(2);
  assert.equal(heard.frames.at(-1).pending, 2);
  assert.deepEqual(numbers(link.pending), [3, 4]);
});

test("what another page has had applied settles nothing here", (context) => {
  const { model, link } = open(context);
  ask(link, "a");
  model.frame({ frame: 9, applied: { another: 5 } }, {});
  assert.equal(link.pending.length, 1);
});

test("the newest operation may grow as long as it waits", (context) => {
  const { link, operations, answer } = open(context);
  ask(link, "a", "b", "c");
  assert.equal(link.waiting, undefined);
  ask(link, "d");
  link.waiting.buffers = ["grown"];
  answer(1);
  assert.deepEqual(operations().at(-1).buffers, ["grown"]);
  assert.equal(link.waiting, undefined);
});

test("every message names the last operation that was seen applied, as things stand when it is sent", (context) => {
  const { pass, model, link, operations, answer } = open(context);
  ask(link, "a", "b", "c", "d");
  answer(2);
  assert.deepEqual(operations().map(({ seen }) => seen), [0, 0, 0, 2]);
  link.shown();
  assert.equal(model.all("shown").at(-1).seen, 2);
  assert.equal(model.all("shown").at(-1).client, link.client);
  pass(5000);
  assert.deepEqual(operations().slice(4).map(({ seq, seen }) => [seq, seen]), [[3, 2], [4, 2]]);
});

test("a page that Python has forgotten goes on with its numbers", (context) => {
  const { model, link, operations, answer } = open(context);
  ask(link, "a", "b");
  answer(2);
  model.frame({ frame: 9, applied: {} }, {});
  ask(link, "c");
  assert.deepEqual(operations().map(({ seq, seen }) => [seq, seen]), [[1, 0], [2, 0], [3, 2]]);
  assert.deepEqual(numbers(link.pending), [3]);
});

// --- silence -------------------------------------------------------------------------------

test("after four seconds of silence all under way are sent again, in order, and so on", (context) => {
  const { pass, link, operations } = open(context);
  ask(link, "a", "b", "c", "d");
  pass(3900);
  assert.deepEqual(numbers(operations()), [1, 2, 3]);
  pass(1100);
  assert.deepEqual(numbers(operations()), [1, 2, 3, 1, 2, 3]);
  pass(1000);
  assert.deepEqual(numbers(operations()), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
});

test("while frames come in, what they do not settle is sent again, and nobody is silent", (context) => {
  const { pass, link, operations, answer } = open(context);
  ask(link, "a");
  for (const _ of range(10)) {
    pass(500);
    answer(0);
  }
  assert.deepEqual(numbers(operations()), [1, 1]);
  assert.equal(link.silent, false);
});

test("silence is told once, and its end too", (context) => {
  const { pass, link, heard, answer } = open(context);
  pass(20_000);
  assert.deepEqual(heard.changes, []); // nothing was asked for
  ask(link, "a");
  pass(10_000);
  assert.deepEqual(heard.changes, [[true, true]]);
  answer(1);
  pass(1000);
  assert.deepEqual(heard.changes, [[true, true], [true, false]]);
});

test("a kernel that is gone is told", (context) => {
  const { model, heard } = open(context);
  model.say("comm_live_update");
  assert.deepEqual(heard.changes, [[false, false]]);
});

test("what cannot be sent means that the kernel is gone", (context) => {
  const { model, link, heard } = open(context);
  model.gone = true;
  ask(link, "a");
  assert.deepEqual(heard.changes, [[false, false]]);
});

test("a closed link is still", (context) => {
  const { pass, model, link, answer } = open(context);
  model.state.status = "training";
  ask(link, "a");
  answer();
  link.shown();
  const { length } = model.sent;
  link.close();
  pass(20_000);
  assert.equal(model.sent.length, length);
});

// --- acknowledgements ----------------------------------------------------------------------

const acknowledged = (model) => model.all("shown").map(({ frame }) => frame);

test("while nothing trains each frame is acknowledged at once", (context) => {
  const { pass, model, link, answer } = open(context);
  for (const _ of range(3)) {
    answer();
    link.shown();
  }
  assert.deepEqual(acknowledged(model), [1, 2, 3]);
  pass(1000);
  assert.equal(acknowledged(model).length, 3);
});

test("while training the last frame is acknowledged at a steady beat", (context) => {
  const { pass, model, link, answer } = open(context);
  model.state.status = "training";
  for (const _ of range(20)) {
    answer();
    link.shown();
    pass(100);
  }
  assert.deepEqual(acknowledged(model), [3, 5, 8, 10, 13, 15, 18, 20]);
});

test("a beat that hears nothing new stops after two times, and begins again at a frame", (context) => {
  const { pass, model, link, answer } = open(context);
  model.state.status = "training";
  answer();
  link.shown();
  pass(2000);
  assert.deepEqual(acknowledged(model), [1, 1, 1]);
  answer();
  link.shown();
  pass(BEAT);
  assert.equal(acknowledged(model).at(-1), 2);
});

test("when training ends the beat ends with one acknowledgement more", (context) => {
  const { pass, model, link, answer } = open(context);
  model.state.status = "training";
  answer();
  link.shown();
  model.state.status = "paused";
  pass(1000);
  assert.deepEqual(acknowledged(model), [1]);
});
