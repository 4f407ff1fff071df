// Puts a live grid on the page, in place of its picture.

import { WorkerModel } from "./model.mjs";
// @ts-expect-error: build.py writes it
import painter from "./painter.mjs";

/**
 * Have a grid train in a worker of its own, and show it.
 * @param {HTMLElement} place what it stands in; in `data-choices`, what it begins with, if not with
 *   what every grid does
 * @returns {Promise<WorkerModel>} once it can be painted on
 */
export async function begin(place) {
  const trainer = new URL("worker.mjs", import.meta.url);
  trainer.search = new URLSearchParams({ choices: place.dataset.choices ?? "{}" }).toString();
  const model = new WorkerModel(new Worker(trainer, { type: "module" }));
  await model.ready;
  const widget = painter();
  await widget.initialize({ model });
  place.replaceChildren();
  widget.render({ model, el: place, signal: new AbortController().signal });
  return model;
}
