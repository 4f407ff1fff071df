// The trainer's side of the page, in a thread of its own.

import { Session } from "../trainer/session.mjs";
import { made } from "../trainer/tasks.mjs";

const get = async (name) => (await fetch(new URL(`../${name}`, import.meta.url))).arrayBuffer();
const start = get("start.json").then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
// Of one grid; what it does not say is as on the start page.
const { task: name = "digits", ...choices } = JSON.parse(new URLSearchParams(location.search).get("choices") ?? "{}");
const task = await made(name, start.then(({ tasks }) => tasks[name]), get);
const given = await start;
const { controls = given.traits.controls, goals = task.goals, frozen = [], pauses = [], batches = 1, ...chosen } = choices;
const session = new Session(
  {
    task,
    goals,
    stations: given.stations,
    rest: given.rest,
    pause: given.pause,
    pauses,
    address: new URL("..", import.meta.url).href,
    labels: Object.fromEntries(given.traits.choices.technique),
  },
  (traits) => postMessage({ traits }),
  (message, buffers) => postMessage({ message, buffers }),
);
const { shape, names, pages } = task;
const told = {
  shape, names, controls,
  colours: Uint8Array.from(given.traits.colours),
  choices: { ...given.traits.choices, page: pages.map((page) => [page, page]) },
  goals: goals.map(({ text }) => text),
};
postMessage({ traits: { ...given.traits, ...told, ...session.traits } });
session.use(chosen);
if (batches > 1) session.run.accumulate(batches);
session.asked.paint(frozen);
addEventListener("message", async ({ data: { message, buffers, call, id, values } }) => {
  if (message) session.receive(message, buffers);
  else postMessage({ id, ...(await answer(call, values)) });
});

/** What a function of window.playground returns, or says instead. */
async function answer(call, values) {
  try {
    return { value: await session.asked[call](...values) };
  } catch (error) {
    return { error: error.message };
  }
}
