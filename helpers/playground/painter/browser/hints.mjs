// One plain sentence on each tool.

import { HINTS } from "./controls.mjs";
import { make } from "../../../widget/browser/elements.mjs";
import { Popup } from "./popup.mjs";

export class Hints extends Popup {
  constructor(popups) {
    super("hints", "What the tools do", popups);
    this.panel.tabIndex = 0; // so that keys can scroll it
    this.panel.setAttribute("data-lm-suppress-shortcuts", "true");
  }

  /** Tell of these tools. */
  tellOf(names) {
    const rows = names.flatMap((name) => [make("dt", {}, HINTS[name][0]), make("dd", {}, HINTS[name][1])]);
    this.panel.replaceChildren(make("dl", {}, ...rows));
  }
}
