// The other tools: they unfold below the grid, which must not move, and stay as a person leaves them.

import { HINTS } from "./controls.mjs";
import { make } from "../../../widget/browser/elements.mjs";

/** The button *More tools*, and the panel that it unfolds; the choice `unfolded` is a person's own. */
export class More {
  /**
   * @param {import("./view.mjs").Choice} choice
   * @param {() => void} changed is called when it was unfolded or folded up
   */
  constructor(choice, changed) {
    this.choice = choice;
    this.changed = changed;
    const [label, hint] = HINTS.more;
    this.button = make("button", { type: "button", class: "painter-unfold", title: hint }, label);
    this.button.addEventListener("click", () => this.toggle());
    this.panel = make("div", { class: "painter-rest", role: "group", "aria-label": label });
    this.element = make("div", { class: "painter-more" }, this.button, this.panel);
    this.show([]);
  }

  /** Hold these tools; without any there is nothing to unfold. */
  show(tools) {
    this.panel.replaceChildren(...tools);
    this.element.hidden = !tools.length;
    this.follow();
  }

  toggle() {
    this.choice.unfolded = !this.choice.unfolded;
    this.follow();
    this.changed();
  }

  follow() {
    this.panel.hidden = !this.choice.unfolded;
    this.button.setAttribute("aria-expanded", String(this.choice.unfolded));
  }
}
