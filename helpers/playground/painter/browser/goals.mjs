// What a page asks somebody to do, below the grid: a list that ticks itself off.

import { make } from "../../../widget/browser/elements.mjs";

const NAMES = { true: "reached", false: "not yet reached" };

export class Goals {
  /** @param {import("./store.mjs").Store} store */
  constructor(store) {
    this.store = store;
    this.told = "";
    /** @type {boolean[] | undefined} as the last frame had it */
    this.reached = undefined;
    this.list = make("ul", { class: "painter-goals", "aria-label": "Goals" });
    this.said = make("div", { class: "painter-aloud", role: "status" });
    this.element = make("section", { class: "painter-goal-list", "aria-label": "Goals", hidden: "" },
      make("div", { class: "painter-title" }, "Goals"), this.list, this.said);
  }

  /** Show the goals that the model has, and which of them the last frame says are reached. */
  show() {
    const texts = this.store.model.get("goals") ?? [];
    const { goals: reached = texts.map(() => false) } = this.store.header;
    const told = JSON.stringify([texts, reached]);
    if (told === this.told) return;
    const before = this.reached;
    const newly = before && texts.filter((_, i) => reached[i] && !before[i]);
    this.told = told;
    this.reached = reached;
    this.element.hidden = !texts.length;
    this.list.replaceChildren(...texts.map((text, i) => goal(text, Boolean(reached[i]))));
    if (newly) this.said.textContent = newly.map((text) => `Reached: ${text}`).join(" ");
  }
}

function goal(text, reached) {
  const box = make("span", { class: "painter-box", role: "img", "aria-label": NAMES[String(reached)] });
  return make("li", { "data-reached": reached }, box, make("span", {}, text));
}
