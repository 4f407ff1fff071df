// What a button opens over the grid, and not above it, which must not move; one at a time.

import { HINTS } from "./controls.mjs";
import { make } from "../../../widget/browser/elements.mjs";

export class Popup {
  /** A tool's `button` and the `panel` that it opens; those in the set `popups` close for it. */
  constructor(tool, label, popups) {
    const [text, hint] = HINTS[tool];
    this.button = make("button", {
      type: "button", title: hint, "aria-label": label, "aria-expanded": "false",
    }, text);
    this.panel = make("div", { class: "painter-popup", role: "region", "aria-label": label, hidden: "" });
    this.button.addEventListener("click", () => this.show(this.panel.hidden));
    for (const element of [this.button, this.panel]) {
      element.addEventListener("keydown", (event) => this.key(event));
    }
    this.popups = popups.add(this);
  }

  show(open) {
    if (open) for (const other of this.popups) other.show(false);
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) this.panel.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.key !== "Escape" || this.panel.hidden) return;
    event.stopPropagation();
    this.show(false);
    this.button.focus();
  }
}
