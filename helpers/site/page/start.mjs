// Puts the live grid on the page, in place of its picture.

import { WorkerModel } from "./model.mjs";
// @ts-expect-error: build.py writes it
import painter from "./painter.mjs";

const place = document.querySelector("#live");
const model = new WorkerModel(new Worker(new URL("worker.mjs", import.meta.url), { type: "module" }));
await model.ready;
const widget = painter();
await widget.initialize({ model });
place.replaceChildren();
widget.render({ model, el: place, signal: new AbortController().signal });
performance.mark("playground");

/** The state of the grid stands in the address: what *Share* copies. */
const openAddress = () => { if (location.hash.length > 1) model.ask("open", location.hash.slice(1)); };
addEventListener("hashchange", openAddress);
openAddress();

// For the console: await playground.paint([9, 10], true), playground.train(100), playground.leaks(), …
const CALLS = ["paint", "train", "use", "reset", "leaks", "weights", "frozen", "steps", "open"];
/** @type {any} */ (window).playground = Object.fromEntries(CALLS.map((call) => [call, (...values) => model.ask(call, ...values)]));
