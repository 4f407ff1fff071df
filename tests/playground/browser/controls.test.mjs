// What the toolbar holds, and what its lists and its first button show.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chosen, GROUPS, groupsOf, HINTS, offered, PAINTING, placesOf, trains } from "../../../helpers/playground/painter/browser/controls.mjs";

const all = GROUPS.flatMap(([, , members]) => members);
const pages = (count) => ({ page: Array.from({ length: count }, (_, i) => [`${i}`, `${i}`]) });
const members = (groups) => groups.flatMap(([, , names]) => names);

test("each tool stands in one group, and has a name and a sentence of its own", () => {
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(Object.keys(HINTS), all);
  const sentences = Object.values(HINTS).map(([, sentence]) => sentence);
  assert.equal(new Set(sentences).size, all.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});

test("the groups hold what is to be shown, in the toolbar's order, and none is empty", () => {
  assert.deepEqual(members(groupsOf(all, pages(2))), all);
  assert.deepEqual(groupsOf([], pages(2)), []);
  const some = groupsOf(["undo", "technique", "train"], pages(2));
  assert.deepEqual(some.map(([name, , names]) => [name, ...names]), [["run", "train"], ["paint", "undo"], ["how", "technique"]]);
});

test("what nobody asks for unfolds under more tools, and nowhere without them", () => {
  const { first, rest } = placesOf(["train", "more"], pages(2));
  assert.deepEqual(members(first), ["train", "more"]);
  assert.deepEqual(members(rest), all.filter((name) => !["train", "more", "tour"].includes(name)));
  assert.deepEqual(placesOf(["train"], pages(2)).rest, []);
  assert.ok(!members(placesOf(["more"], pages(1)).rest).includes("page"));
});

test("pages are offered where there is more than one", () => {
  assert.ok(!members(groupsOf(all, pages(1))).includes("page"));
  assert.ok(!members(groupsOf(all)).includes("page"));
});

test("a grid that nobody trains has the tools to paint and to look", () => {
  assert.deepEqual(members(groupsOf(PAINTING)), PAINTING);
  assert.ok(!PAINTING.includes("train") && !PAINTING.includes("technique"));
});

test("a speed that is not on the list joins it while it is chosen", () => {
  const speeds = [[1, "slow"], [null, "fast"]];
  assert.equal(offered(speeds, null), speeds);
  assert.deepEqual(offered(speeds, 37), [...speeds, [37, "37 steps a second"]]);
});

const operations = (...messages) => messages.map((message) => ({ message }));

test("a list shows the last choice on its way, else what Python says", () => {
  const pending = operations(
    { kind: "choose", name: "technique", value: "restore" },
    { kind: "choose", name: "technique", value: "exact" },
    { kind: "choose", name: "speed", value: null });
  assert.equal(chosen("technique", pending, "none"), "exact");
  assert.equal(chosen("speed", pending, 200), null);
  assert.equal(chosen("optimizer", pending, "adam"), "adam");
});

test("the first button knows of an order on its way, and else goes by the status", () => {
  assert.equal(trains([], "training"), true);
  for (const status of ["paused", "failed", "closed"]) assert.equal(trains([], status), false);
  assert.equal(trains(operations({ kind: "train" }, { kind: "undo" }), "paused"), true);
  for (const kind of ["pause", "step", "reset"]) {
    assert.equal(trains(operations({ kind: "train" }, { kind }), "training"), false);
  }
});
