// One plain sentence on each tool, over the grid and not above it, which must not move.

import { HINTS } from "./controls.mjs";
import { make } from "./elements.mjs";

export class Hints {
  constructor() {
    const [label, hint] = HINTS.hints;
    this.button = make("button", {
      type: "button", title: hint, "aria-label": "What the tools do", "aria-expanded": "false",
    }, label);
    this.panel = make("div", {
      class: "painter-hints", role: "region", "aria-label": "What the tools do", tabindex: "0", hidden: "",
    });
    this.button.addEventListener("click", () => this.show(this.panel.hidden));
    for (const element of [this.button, this.panel]) {
      element.addEventListener("keydown", (event) => this.key(event));
    }
  }

  /** Tell of these tools. */
  tellOf(names) {
    const rows = names.flatMap((name) => [make("dt", {}, HINTS[name][0]), make("dd", {}, HINTS[name][1])]);
    this.panel.replaceChildren(make("dl", {}, ...rows));
    if (!names.includes("hints")) this.show(false);
  }

  show(open) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }

  key(event) {
    if (event.key !== "Escape" || this.panel.hidden) return;
    event.stopPropagation();
    this.show(false);
    this.button.focus();
  }
}
