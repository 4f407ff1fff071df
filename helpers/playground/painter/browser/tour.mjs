// A tour of five steps over the live figure, for whoever opens it first: once in each browser.

import { make } from "../../../widget/browser/elements.mjs";

const SEEN = "freezing-tour";
const APART = 10; // pixels from what a step explains
/** What each step points at, what it says, and on which sides of that it may stand, the best first.
 * @type {[selector: string, text: string, sides: Side[]][]}
 * @typedef {"right" | "below" | "above"} Side */
const STEPS = [
  [".painter-grid", "Each square is a weight. Drag over some to freeze them; Tab and the arrow keys lead there, too.", ["right", "below"]],
  ["[data-action=train]", "Train takes steps until you press it again. You can go on painting meanwhile.", ["below"]],
  ["[data-setting=technique]", "Freeze by chooses the recipe that is to keep the frozen cells still. Not all of them do.", ["below"]],
  [".painter-leaks", "The leak meter counts the frozen cells that have changed all the same.", ["below"]],
  [".painter-unfold", "More tools unfolds all the others: shapes to paint, undo, views, predictions.", ["above", "below"]],
];

let toured = false; // also where nothing can be kept, it comes once a page

/** Whether somebody has seen it here before. Where the browser keeps nothing, nobody knows. */
function seen() {
  try {
    return toured || localStorage.getItem(SEEN) !== null;
  } catch {
    return toured;
  }
}

function remember() {
  toured = true;
  try {
    localStorage.setItem(SEEN, "seen");
  } catch {
    // A browser that keeps nothing shows the tour again on another day.
  }
}

/** Leads over the figure `frame`, until `signal` is aborted. It takes no focus that nobody gave it, and
 *  covers nothing that it explains. */
export class Tour {
  /**
   * @param {HTMLElement} frame
   * @param {AbortSignal} signal
   */
  constructor(frame, signal) {
    this.frame = frame;
    this.at = 0;
    this.text = make("p", { class: "painter-tour-text", "aria-live": "polite" });
    this.count = make("span", { class: "painter-tour-count" });
    this.next = pushed("Next", () => this.go(this.at + 1));
    this.skip = pushed("Skip", () => this.end());
    this.panel = make("div", { class: "painter-tour", role: "region", "aria-label": "A short tour", hidden: "" },
      this.text, make("div", { class: "painter-tour-row" }, this.count, this.skip, this.next));
    this.over = new AbortController();
    signal.addEventListener("abort", () => this.over.abort());
  }

  /** Begin when the figure can be seen, if nobody has seen the tour in this browser. */
  offer() {
    if (seen() || this.watcher) return;
    this.watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.begin();
    }, { threshold: 0.3 });
    // It comes after the grid, and on a narrow page below it, where the first step is to be read.
    this.watcher.observe(this.frame.querySelector(".painter-side"));
    this.over.signal.addEventListener("abort", () => this.watcher.disconnect());
  }

  begin() {
    this.watcher.disconnect();
    if (seen() || this.over.signal.aborted) return;
    remember();
    this.frame.prepend(this.panel);
    const { signal } = this.over;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    const watcher = new ResizeObserver(() => this.place());
    watcher.observe(this.frame);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.go(0);
  }

  /** Go to a step, and end behind the last one; a step whose tool is not shown is passed over. */
  go(step) {
    const at = STEPS.findIndex(([selector], i) => i >= step && this.find(selector));
    if (at < 0) {
      this.end();
      return;
    }
    const [, text] = STEPS[at];
    this.at = at;
    this.text.textContent = text;
    this.count.textContent = `${at + 1} of ${STEPS.length}`;
    this.skip.hidden = at === STEPS.length - 1;
    this.next.textContent = this.skip.hidden ? "Done" : "Next";
    this.panel.hidden = false;
    this.place();
    if (step === 0) return; // nobody has asked for it, and a page must not move by itself
    for (const part of [this.panel, this.find(STEPS[at][0])]) part.scrollIntoView({ block: "nearest" });
  }

  /** What a step points at, if it is to be seen. */
  find(selector) {
    const found = /** @type {HTMLElement} */ (this.frame.querySelector(selector));
    return found?.offsetParent ? found : null;
  }

  /** Put the panel beside what it explains, on the first side where there is room for it. */
  place() {
    const [selector, , sides] = STEPS[this.at];
    const target = this.find(selector);
    for (const marked of this.frame.querySelectorAll("[data-toured]")) marked.removeAttribute("data-toured");
    if (!target || this.panel.hidden) return;
    target.setAttribute("data-toured", "");
    const [box, frame] = [target, this.frame].map((element) => element.getBoundingClientRect());
    const size = { width: this.panel.offsetWidth, height: this.panel.offsetHeight };
    const around = { left: box.left - frame.left, top: box.top - frame.top, width: box.width, height: box.height };
    const { side, left, top } = placed(around, size, frame.width, sides);
    Object.assign(this.panel.style, { left: `${left}px`, top: `${top}px` });
    this.panel.dataset.side = side;
    const middle = Math.max(12, Math.min(size.width - 24, around.left + Math.min(around.width / 2, 40) - left - 8));
    this.panel.style.setProperty("--tip", `${middle}px`);
  }

  key(event) {
    if (event.key === "Escape") this.end();
  }

  end() {
    const focused = this.panel.contains(document.activeElement);
    this.over.abort();
    for (const marked of this.frame.querySelectorAll("[data-toured]")) marked.removeAttribute("data-toured");
    this.panel.remove();
    if (focused) this.frame.querySelector("button")?.focus({ preventScroll: true });
  }
}

/** Where a panel of a size goes beside a box, both in the coordinates of a frame of this width: on the
 *  first side on which it fits, else on the last one. It never overlaps the box. */
export function placed(box, { width, height }, frameWidth, sides) {
  const along = Math.max(0, Math.min(box.left, frameWidth - width));
  const places = {
    right: { left: box.left + box.width + APART, top: box.top + APART },
    below: { left: along, top: box.top + box.height + APART },
    above: { left: along, top: box.top - height - APART },
  };
  const fits = { right: places.right.left + width <= frameWidth, below: true, above: places.above.top >= 0 };
  const side = sides.find((one) => fits[one]) ?? sides.at(-1);
  return { side, ...places[side] };
}

function pushed(text, press) {
  const made = make("button", { type: "button" }, text);
  made.addEventListener("click", press);
  return made;
}
