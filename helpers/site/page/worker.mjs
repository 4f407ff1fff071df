// The trainer's side of the page, in a thread of its own.

import { Session } from "../trainer/session.mjs";

const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

/** The digits in a file of bytes: 64 of ink from 0 to 16 and a label, for each picture. */
function pictures(bytes) {
  const count = bytes.length / 65;
  const images = Float32Array.from(bytes.subarray(0, 64 * count), (ink) => ink / 16);
  return { images, labels: bytes.subarray(64 * count) };
}

const get = async (name) => (await fetch(new URL(`../${name}`, import.meta.url))).arrayBuffer();
const [train, test, start] = await Promise.all(["train.bin", "test.bin", "start.json"].map(get));
const given = JSON.parse(new TextDecoder().decode(start));
// Of a grid on a page of the course; what it does not say is as on the start page.
const { controls = given.traits.controls, goals = given.goals, ...chosen } =
  JSON.parse(new URLSearchParams(location.search).get("choices") ?? "{}");
const session = new Session(
  {
    train: pictures(new Uint8Array(train)),
    test: pictures(new Uint8Array(test)),
    start: { kernel: floats(given.kernel), bias: floats(given.bias) },
    goals,
    words: given.words,
    stations: given.stations,
    rest: given.rest,
    address: new URL("..", import.meta.url).href,
    labels: Object.fromEntries(given.traits.choices.technique),
  },
  (traits) => postMessage({ traits }),
  (message, buffers) => postMessage({ message, buffers }),
);
const colours = Uint8Array.from(given.traits.colours);
const told = { controls, colours, goals: goals.map(({ text }) => text) };
postMessage({ traits: { ...given.traits, ...told, ...session.traits } });
for (const [name, value] of Object.entries(chosen)) session.choose(name, value);
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
