// A model's variables as tiles, and buttons that each run a line of code in the kernel. What is
// shown is what Python says; a press changes nothing by itself.

import { make } from "../widget/browser/elements.mjs";

const DISCONNECTED = "The kernel is gone. Run the cell again.";
const MARKS = {
  right: ["✓", "you said so"], missed: ["!", "you did not say so"], wrong: ["✗", "it did not move"], "": ["", ""],
};

/** What a tile shows below its name, and what is told of it. */
export function fate({ moved, bet, mark }) {
  const did = moved === null ? "" : moved ? "moved" : "stayed";
  const [sign, told] = MARKS[mark];
  return { did, sign: sign || (bet ? "?" : ""), told: told || (bet ? "you bet that it moves" : "") };
}

/** The words on a switch, by the label that it turns over. */
export function label(trainable) {
  return trainable ? "trainable" : "not trainable";
}

/** One place in which the board is shown. */
class View {
  constructor(model, element, signal) {
    this.model = model;
    this.rows = make("div", { class: "board-rows" });
    this.buttons = make("div", { class: "board-buttons", role: "toolbar", "aria-label": "Lines of code to run" });
    this.log = make("ol");
    this.alert = make("p", { class: "board-alert", role: "alert" });
    this.root = make("div", { class: "freezing-widget board" }, this.buttons, this.rows, this.alert,
      make("div", { class: "board-log", role: "log", "aria-label": "Lines that were run" }, this.log));
    element.classList.add("board-place");
    element.append(this.root);
    this.listen(signal);
    this.follow();
  }

  listen(signal) {
    const follow = () => this.follow();
    this.model.on("change:state", follow);
    this.model.on("comm_live_update", () => this.disconnect());
    signal?.addEventListener("abort", () => {
      this.model.off(null, follow);
      this.root.remove(); // the notebook keeps the place of each output that has been cleared
    });
    // Buttons that are made anew under a pressed pointer would never hear of its click.
    this.root.addEventListener("pointerdown", () => { this.held = true; }, { signal });
    for (const end of ["pointerup", "pointercancel"]) {
      window.addEventListener(end, () => setTimeout(() => this.release()), { signal });
    }
  }

  release() {
    if (!this.held) return;
    this.held = false;
    if (this.late) this.follow();
  }

  /** Show what Python says; what has the focus keeps it. */
  follow() {
    this.late = this.held;
    if (this.held) return;
    const { rows, buttons, log } = this.model.get("state");
    const active = /** @type {HTMLElement} */ (document.activeElement);
    const focused = this.root.contains(active) && active.dataset.what;
    this.root.removeAttribute("aria-busy");
    this.buttons.replaceChildren(...this.makeButtons(buttons));
    this.rows.replaceChildren(...rows.map((row) => this.makeRow(row)));
    this.log.replaceChildren(...log.map(entry));
    this.log.parentElement.scrollTop = this.log.parentElement.scrollHeight;
    const again = [...this.root.querySelectorAll("button")].find(({ dataset }) => dataset.what === focused);
    again?.focus();
  }

  makeButtons({ prepare, train }) {
    const group = (name, lines) => make("span", { class: "board-group", role: "group", "aria-label": name },
      ...lines.map((line) => this.button("run", line, { class: "board-code" }, line)));
    const over = this.button("reset", "", { title: "Make the model anew, and forget what was run" }, "Start over");
    return [group("Prepare", prepare), group("Train", train), over];
  }

  makeRow({ key, name, about, depth, trainable, lockable, tiles }) {
    const head = make("div", { class: "board-head" }, make("strong", {}, name), make("small", {}, about));
    if (lockable) head.append(this.switch(key, name, trainable));
    const row = make("div", { class: "board-row", role: "group", "aria-label": name }, head,
      make("div", { class: "board-tiles" }, ...tiles.map((tile) => this.makeTile(tile))));
    row.style.setProperty("--depth", depth);
    return row;
  }

  makeTile(tile) {
    const { key, name, about, trainable, lockable, moved, bet } = tile;
    const { did, sign, told } = fate(tile);
    const title = [key, about, did, told].filter(Boolean).join(", ");
    const face = this.button("bet", key, {
      class: "board-tile", title: `${title}. Press to bet that it moves.`, "aria-label": title, "aria-pressed": String(bet),
    }, make("strong", {}, name), make("small", {}, about), make("span", { class: "board-did" }, did),
    make("span", { class: "board-sign", "aria-hidden": "true" }, sign));
    face.dataset.moved = String(moved);
    const below = lockable ? this.switch(key, key, trainable) : fixed(trainable);
    return make("div", { class: "board-place-of-tile" }, face, below);
  }

  switch(key, name, trainable) {
    return this.button("switch", key, {
      class: "board-switch", role: "switch", "aria-checked": String(trainable), "aria-label": `${name} trainable`,
      title: `trainable = ${trainable ? "True" : "False"}. Press to turn it over.`,
    }, label(trainable));
  }

  button(what, key, attributes, ...children) {
    const button = make("button", { type: "button", ...attributes }, ...children);
    button.dataset.what = `${what} ${key}`;
    button.addEventListener("click", () => this.press(what, key));
    return button;
  }

  /** Tell Python, which carries presses out one after the other. */
  press(what, key) {
    try {
      this.model.send({ press: what, key });
    } catch {
      this.disconnect();
      return;
    }
    this.root.setAttribute("aria-busy", "true");
  }

  disconnect() {
    this.alert.textContent = DISCONNECTED;
  }
}

/** The label of what has no switch. */
function fixed(trainable) {
  return make("span", { class: "board-fixed" }, trainable === null ? "" : label(trainable));
}

/** A line that was run, and what it led to. */
function entry({ line, told, failed, turned }) {
  const kind = failed ? "board-failed" : turned ? "board-turned" : "";
  return make("li", kind ? { class: kind } : {}, make("code", {}, line), " ", make("span", {}, told));
}

export default () => ({
  render({ model, el, signal }) {
    new View(model, el, signal);
  },
});
