// The live grid of the start page.

import { begin } from "./live.mjs";

const model = await begin(document.querySelector(".live"));
performance.mark("playground");

/** The state of the grid stands in the address: what *Share* copies. */
const openAddress = () => { if (location.hash.length > 1) model.ask("open", location.hash.slice(1)); };
addEventListener("hashchange", openAddress);
openAddress();

// For the console: await playground.paint([9, 10], true), playground.train(100), playground.leaks(), …
const CALLS = ["paint", "train", "use", "reset", "leaks", "weights", "frozen", "steps", "open"];
/** @type {any} */ (window).playground = Object.fromEntries(CALLS.map((call) => [call, (...values) => model.ask(call, ...values)]));
