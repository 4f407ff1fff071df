// The tools above the grid, and what is chosen among them.

import { make } from "./elements.mjs";

const TOOLS = [
  ["brush", "Brush", "Drag to paint the cells under the pointer"],
  ["rectangle", "Rectangle", "Drag from corner to corner"],
  ["row", "Row", "Paint whole rows"],
  ["column", "Column", "Paint whole columns"],
];
const MODES = [
  ["freeze", "Freeze", "Painting freezes (hold Shift to thaw)"],
  ["thaw", "Thaw", "Painting thaws"],
];
const VIEWS = [
  ["weights", "Weights", "The weights: blue below zero, orange above"],
  ["moved", "Moved", "How far each cell has moved since the start"],
  ["leaked", "Leaked", "Frozen cells whose bits have changed since they were frozen"],
];
const BUTTONS = [
  ["undo", "Undo", "Take back the last stroke (Ctrl+Z)"],
  ["redo", "Redo", "Paint it again (Ctrl+Y)"],
  ["invert", "Invert", "Freeze what is free, thaw what is frozen"],
  ["clear", "Clear", "Thaw every cell"],
];
const PRESETS = [
  ["", "Presets"],
  ["largest 0.1", "largest 10 %"],
  ["largest 0.5", "largest 50 %"],
  ["largest 0.9", "largest 90 %"],
  ["random 0.1", "random 10 %"],
  ["random 0.5", "random 50 %"],
  ["random 0.9", "random 90 %"],
];
const SIZES = [1, 3, 5, 9, 17, 33];

/** The row of tools. What is chosen stands in `choice`: tool, mode, view, and the brush's size in
 *  cells; `viewChanged` is called when another view was chosen. */
export class Toolbar {
  constructor(store, choice, viewChanged) {
    Object.assign(this, { store, choice, viewChanged });
    this.element = make("div", { class: "painter-tools" },
      this.segments("mode", "Mode", MODES), this.segments("tool", "Tool", TOOLS), this.sizes(),
      this.actions(), this.presets(), this.segments("view", "View", VIEWS));
  }

  /** A row of buttons of which one is pressed, the first one to begin with. */
  segments(name, label, choices) {
    const buttons = choices.map(([value, text, title]) => {
      const button = make("button", { type: "button", title, "data-choice": value }, text);
      button.addEventListener("click", () => this.choose(name, value, buttons));
      return button;
    });
    press(buttons, choices[0][0]);
    return make("div", { class: "painter-group", role: "group", "aria-label": label }, ...buttons);
  }

  choose(name, value, buttons) {
    this.choice[name] = value;
    press(buttons, value);
    if (name === "view") this.viewChanged();
  }

  sizes() {
    const select = make("select", { "aria-label": "Brush size", title: "Brush size, in cells" });
    const fitting = SIZES.filter((cells) => cells <= Math.max(3, this.store.rows));
    select.append(...fitting.map((cells) => make("option", { value: cells }, `${cells}×${cells}`)));
    select.addEventListener("change", () => {
      this.choice.size = Number(select.value);
    });
    return select;
  }

  actions() {
    const buttons = BUTTONS.map(([name, label, title]) => {
      const button = make("button", { type: "button", title, "data-action": name }, label);
      button.addEventListener("click", () => this.store.operate(name));
      return button;
    });
    return make("div", { class: "painter-group" }, ...buttons);
  }

  presets() {
    const select = make("select", { "aria-label": "Preset masks", title: "Freeze by a rule" });
    select.append(...PRESETS.map(([value, label]) => make("option", { value }, label)));
    select.addEventListener("change", () => this.preset(select));
    return select;
  }

  preset(select) {
    const [kind, fraction] = select.value.split(" ");
    if (kind) this.store.operate(kind, { fraction: Number(fraction) });
    select.value = "";
  }
}

function press(buttons, value) {
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.choice === value));
  }
}
