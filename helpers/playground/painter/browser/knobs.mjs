// Knobs: numbers of the optimizer in use, as sliders. Each position of a slider is a number that a person
// would choose; one that comes from elsewhere stands beside the slider as it is.

import { chosen, HINTS } from "./controls.mjs";
import { make } from "../../../widget/browser/elements.mjs";

/** From 10 to the power of `low` up to `high`: six numbers each time they grow tenfold. */
const decades = (low, high) => [
  ...Array.from({ length: high - low }, (_, i) => ["1", "1.5", "2", "3", "5", "7"].map((each) => Number(`${each}e${low + i}`))).flat(),
  10 ** high,
];
/** The numbers of each knob, from left to right. */
export const STOPS = {
  rate: decades(-5, 1),
  momentum: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999],
  decay: [0, ...decades(-4, 1)],
};
export const KNOBS = Object.keys(STOPS);

/** The place among `stops`, which grow, of the one that is nearest to a number by its ratio. */
export function placeOf(stops, number) {
  const above = stops.findIndex((stop) => stop >= number);
  if (above < 1) return above ? stops.length - 1 : 0;
  const middle = stops[above - 1] ? Math.sqrt(stops[above - 1] * stops[above]) : stops[above] / 2;
  return number < middle ? above - 1 : above;
}

/** A number in few digits. */
export const written = (number) => String(Number(number.toPrecision(4)));

/** By which symbols the drawing of a step calls each knob. */
const SYMBOLS = { rate: ["rate"], momentum: ["β₁", "μ"], decay: ["λ"] };

/** The numbers in use of those symbols that a formula has, a line each. */
export function numbersIn(terms, model) {
  const told = KNOBS.filter((name) => model.get(name) !== null).flatMap((name) =>
    SYMBOLS[name].filter((symbol) => symbol in terms).map((symbol) => `${symbol} = ${written(model.get(name))}\n`));
  return told.join("");
}

/** A slider that shows, and turns, one of the panel's knobs. */
export class Knob {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {string} name
   */
  constructor(store, name) {
    this.store = store;
    this.name = name;
    this.stops = STOPS[name];
    const [label] = HINTS[name];
    this.slider = make("input", {
      type: "range", min: 0, max: this.stops.length - 1, step: 1, "aria-label": label, "data-setting": name,
    });
    this.slider.addEventListener("input", () => this.turn(this.stops[Number(this.slider.value)]));
    this.number = make("span", { class: "painter-number", "aria-hidden": "true" });
    this.element = make("label", { class: "painter-knob" },
      make("span", { "aria-hidden": "true" }, label), this.slider, this.number);
    this.follow();
  }

  /** Ask for a number. While one still waits for its turn, the new one takes its place. */
  turn(value) {
    const { waiting } = this.store.link;
    const same = waiting?.message.kind === "choose" && waiting.message.name === this.name;
    if (same) waiting.message.value = value;
    else this.store.operate("choose", { name: this.name, value });
    this.follow();
  }

  /** Show where it stands, and touch nothing that shows it already. */
  follow() {
    const { model, link } = this.store;
    const optimizer = chosen("optimizer", link.pending, model.get("optimizer"));
    const value = chosen(this.name, link.pending, model.get(this.name)) ?? null;
    const shown = JSON.stringify([optimizer, value]);
    if (shown === this.shown) return;
    this.shown = shown;
    const text = value === null ? "none" : written(value);
    this.slider.value = String(value === null ? 0 : placeOf(this.stops, value));
    this.slider.disabled = value === null;
    this.slider.setAttribute("aria-valuetext", text);
    this.element.title = value === null ? `${optimizer} has no ${this.name}.` : HINTS[this.name][1];
    this.number.textContent = text;
  }
}
