// The live grids of the start page: one for each task, of which one is shown.

import { taskIn } from "../trainer/share.mjs";
import { begin } from "./live.mjs";

const parts = [...document.querySelectorAll("[data-task]")].map((part) => /** @type {HTMLElement} */ (part));
const select = /** @type {HTMLSelectElement} */ (document.querySelector("#task"));
/** @type {Record<string, Promise<import("./model.mjs").WorkerModel>>} the grids that have been begun */
const grids = {};

/** Show the grid of a task, which begins when it is first seen; that of another one pauses. */
async function show(task) {
  const before = select.value;
  select.value = task;
  for (const part of parts) part.hidden = part.dataset.task !== task;
  if (before !== task) (await grids[before])?.ask("train", 0);
  grids[task] ??= begin(parts.find((part) => !part.hidden && part.matches(".live")));
  await grids[task];
}

/** The state of a grid stands in the address: what *Share* copies. */
async function openAddress() {
  const [line, named] = [location.hash.slice(1), taskIn(location.hash)?.split("-")[0]];
  const known = parts.some(({ dataset: { task } }) => task === named);
  await show(known ? named : select.value);
  if (line) (await grids[select.value]).ask("open", line);
}

addEventListener("hashchange", openAddress);
select.addEventListener("change", () => {
  history.replaceState(null, "", location.pathname + location.search); // whose line was another grid's
  show(select.value);
});
await openAddress();
select.disabled = false;
performance.mark("playground");

// For the console: await playground.paint([9, 10], true), playground.train(100), playground.leaks(), …
const CALLS = ["paint", "train", "use", "reset", "leaks", "weights", "frozen", "steps", "open"];
const asked = (call) => async (...values) => (await grids[select.value]).ask(call, ...values);
/** @type {any} */ (window).playground = Object.fromEntries(CALLS.map((call) => [call, asked(call)]));
