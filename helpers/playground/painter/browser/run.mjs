// The buttons that train, and the lists to choose from while it does.

import { chosen, HINTS, offered, trains } from "./controls.mjs";
import { make } from "../../../widget/browser/elements.mjs";

/** A button with an icon that the style sheet draws, and a text. */
function iconButton(name, press) {
  const [label, hint] = HINTS[name];
  const icon = make("span", { class: "painter-icon", "data-icon": name, "aria-hidden": "true" });
  const text = make("span", {}, label);
  const button = make("button", { type: "button", title: hint, "data-action": name }, icon, text);
  button.addEventListener("click", press);
  return button;
}

/** Train and Pause: one button, which says what a press would do now. */
export class TrainButton {
  constructor(store) {
    this.store = store;
    this.element = iconButton("train", () => this.press());
    this.element.classList.add("painter-primary");
    this.follow();
  }

  get trains() {
    return trains(this.store.link.pending, this.store.model.get("status"));
  }

  press() {
    this.store.operate(this.trains ? "pause" : "train");
    this.follow();
  }

  follow() {
    const [icon, text] = this.element.children;
    const now = this.trains ? "pause" : "train";
    if (icon.dataset.icon === now) return;
    icon.dataset.icon = now;
    text.textContent = now === "pause" ? "Pause" : "Train";
  }
}

/** A button for one order, such as "step". */
export function orderButton(store, name) {
  return iconButton(name, () => store.operate(name));
}

/** A list that shows, and lets choose, one of the panel's settings. */
export class List {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {string} name
   */
  constructor(store, name) {
    this.store = store;
    this.name = name;
    const [label, hint] = HINTS[name];
    this.select = make("select", { "aria-label": label, title: hint, "data-setting": name });
    this.select.addEventListener("change", () => this.choose());
    this.element = make("label", { class: "painter-list" },
      make("span", { "aria-hidden": "true" }, label), this.select);
    this.follow();
  }

  choose() {
    const [value] = this.pairs[this.select.selectedIndex];
    this.store.operate("choose", { name: this.name, value });
    this.follow();
  }

  /** Show what is offered and chosen now, and touch nothing that shows it already. */
  follow() {
    const { model, link } = this.store;
    const value = chosen(this.name, link.pending, model.get(this.name));
    const pairs = offered(model.get("choices")[this.name], value);
    if (JSON.stringify(pairs) !== JSON.stringify(this.pairs)) {
      this.pairs = pairs;
      this.select.replaceChildren(...pairs.map(([each, label]) => make("option", { value: each ?? "" }, label)));
    }
    const index = pairs.findIndex(([each]) => each === value);
    if (this.select.selectedIndex !== index) this.select.selectedIndex = index;
  }
}
