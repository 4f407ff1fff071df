// The drawing of a training step, live: its stations in a row, lit where the technique acts, with an
// arrow where a leak enters. What they say comes from Python (stations.py).

import { make } from "../../../widget/browser/elements.mjs";
import { KNOBS, numbersIn } from "./knobs.mjs";

export class Stations {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   */
  constructor(store, choice) {
    this.store = store;
    this.choice = choice;
    this.row = make("div", { class: "painter-stations", role: "group", "aria-label": "Stations of a step" });
    this.told = make("div", { class: "painter-station-text", "aria-live": "polite" });
    this.element = make("section", { class: "painter-step", "aria-label": "A training step", hidden: "" },
      make("div", { class: "painter-title" }, "A training step"), this.row, this.told);
  }

  /** Show the stations that the model has, and arrows if something leaks now. */
  show(leaking) {
    const { model } = this.store;
    const controls = model.get("controls") ?? [];
    const wanted = controls.includes("drawing") || (controls.includes("more") && this.choice.unfolded);
    const stations = wanted ? model.get("stations") : [];
    this.element.hidden = !stations.length;
    const told = JSON.stringify([stations, leaking]);
    if (told !== this.drawn) {
      this.drawn = told;
      this.stations = stations;
      this.leaking = leaking;
      this.row.replaceChildren(...stations.map((station) => this.button(station)));
      this.tell();
    }
    const numbers = KNOBS.map((name) => model.get(name)).join();
    if (numbers !== this.numbers) this.tell();
    this.numbers = numbers;
  }

  button(station) {
    const escapes = this.leaking && station.leak;
    const button = make("button", {
      type: "button", class: "painter-station", "data-station": station.key,
      "data-acts": station.acts, "data-used": station.used, "data-leaks": Boolean(escapes),
      "aria-expanded": String(this.open === station.key), "aria-label": labelOf(station, escapes),
    }, station.name, ...(escapes ? [make("span", { class: "painter-arrow" }, `↑ ${station.arrow}`)] : []));
    if (station.leak) button.style.minWidth = `${station.arrow.length + 4}ch`; // the next one has room for its own
    button.addEventListener("click", () => this.choose(station.key));
    return button;
  }

  choose(key) {
    this.open = this.open === key ? undefined : key;
    for (const button of this.row.children) {
      button.setAttribute("aria-expanded", String(button.dataset.station === this.open));
    }
    this.tell();
    if (this.open) this.told.scrollIntoView({ block: "nearest" });
  }

  /** What happens at the station that is open: a sentence, the numbers in use and its formula, and what
   *  the symbols mean. */
  tell() {
    const station = this.stations.find(({ key }) => key === this.open);
    if (!station) {
      this.told.replaceChildren();
      return;
    }
    const terms = Object.entries(station.terms).flatMap(([symbol, words]) =>
      [make("dt", {}, symbol), make("dd", {}, words)]);
    const leak = this.leaking && station.leak ? [make("p", { class: "painter-leak" }, station.leak)] : [];
    const formula = numbersIn(station.terms, this.store.model) + station.formula;
    this.told.replaceChildren(make("p", {}, station.text), make("pre", {}, formula),
      make("dl", {}, ...terms), ...leak);
  }
}

function labelOf({ name, acts, used }, escapes) {
  const states = [acts && "the technique acts here", !used && "not used", escapes && "a leak enters here"];
  return [name, ...states.filter(Boolean)].join(", ");
}
