// The tools above the grid, and what is chosen among them.

import { groupsOf, HINTS, isBet, PAINTING } from "./controls.mjs";
import { Knob } from "./knobs.mjs";
import { make } from "../../../widget/browser/elements.mjs";
import { List, orderButton, TrainButton } from "./run.mjs";

const TOOLS = [
  ["brush", "Brush", "Drag to paint the cells under the pointer"],
  ["rectangle", "Rectangle", "Drag from corner to corner"],
  ["row", "Row", "Paint whole rows"],
  ["column", "Column", "Paint whole columns"],
];
const PIN = ["pin", "Pin", "Click a cell to see what it goes through, step by step (P)"];
const MODES = [
  ["freeze", "Freeze", "Painting freezes (hold Shift to thaw)"],
  ["thaw", "Thaw", "Painting thaws"],
];
const PREDICT = [
  ["leak", "Predict leaks", "Paint the cells that you think will leak; then train, and see"],
  ["stay", "Predict still", "Paint the cells that you think will not move; then train, and see"],
];
const VIEWS = [
  ["weights", "Weights", "The weights: blue below zero, orange above"],
  ["moved", "Moved", "How far each cell has moved since the start"],
  ["leaked", "Leaked", "Frozen cells whose bits have changed since they were frozen"],
];
const UNDO = [
  ["undo", "Undo", "Take back the last stroke (Ctrl+Z)"],
  ["redo", "Redo", "Paint it again (Ctrl+Y)"],
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

/** The rows of tools. What is chosen for painting stands in `choice`: tool, mode, view, and the
 *  brush's size in cells; `viewChanged` is called when another view was chosen. `hints` and `share` are
 *  the popups that two of the tools open. */
export class Toolbar {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   * @param {{ hints: import("./hints.mjs").Hints, share: import("./share.mjs").Share }} popups
   * @param {() => void} viewChanged
   */
  constructor(store, choice, { hints, share }, viewChanged) {
    this.store = store;
    this.choice = choice;
    this.hints = hints;
    this.share = share;
    this.viewChanged = viewChanged;
    this.element = make("div", { class: "painter-tools" });
    this.follow();
  }

  /** Show how things stand, where that has changed. */
  follow() {
    const { model } = this.store;
    const groups = groupsOf(model.get("controls") ?? PAINTING, model.get("choices"));
    if (JSON.stringify(groups) !== this.built) this.build(groups);
    for (const one of this.following) one.follow();
  }

  build(groups) {
    this.built = JSON.stringify(groups);
    this.following = [];
    const names = groups.flatMap(([, , members]) => members);
    this.pins = names.includes("pin");
    this.tools = names.includes("tool");
    this.predicts = names.includes("predict");
    this.modes = names.includes("freeze");
    this.element.replaceChildren(...groups.map(([name, label, members]) => make("div",
      { class: "painter-group", role: "group", "aria-label": label, "data-group": name },
      ...members.map((member) => this.make(member)))));
    this.hints.tellOf(names);
    for (const popup of ["hints", "share"]) if (!names.includes(popup)) this[popup].show(false);
  }

  make(name) {
    switch (name) {
      case "train": return this.keep(new TrainButton(this.store));
      case "step":
      case "reset": return orderButton(this.store, name);
      case "freeze": return this.segments("mode", "Mode", this.predicts ? [...MODES, ...PREDICT] : MODES);
      // Beside the modes, where these are shown.
      case "predict": return this.modes ? "" : this.segments("mode", "Mode", [MODES[0], ...PREDICT]);
      case "tool": return this.segments("tool", "Tool", this.pins ? [...TOOLS, PIN] : TOOLS);
      case "size": return this.sizes();
      case "undo": return this.actions(UNDO);
      case "invert":
      case "clear": return this.actions([[name, ...HINTS[name]]]);
      case "presets": return this.presets();
      // Among the tools, where these are shown.
      case "pin": return this.tools ? "" : this.segments("tool", "Tool", [TOOLS[0], PIN]);
      case "drawing": return ""; // it stands below the grid
      case "view": return this.segments("view", "View", VIEWS);
      case "share":
      case "hints": return this[name].button;
      case "rate":
      case "momentum":
      case "decay": return this.keep(new Knob(this.store, name));
      default: return this.keep(new List(this.store, name));
    }
  }

  /** Keep a part that follows the model; returns its element. */
  keep(part) {
    this.following.push(part);
    return part.element;
  }

  /** A row of buttons of which one is pressed. */
  segments(name, label, choices) {
    const buttons = choices.map(([value, text, title]) => {
      const button = make("button", { type: "button", title, "data-choice": value }, text);
      button.addEventListener("click", () => this.choose(name, value, buttons));
      return button;
    });
    press(buttons, this.choice[name]);
    return make("div", { class: "painter-segments", role: "group", "aria-label": label }, ...buttons);
  }

  choose(name, value, buttons) {
    this.choice[name] = value;
    press(buttons, value);
    if (name === "view") this.viewChanged();
    else if (isBet(value)) this.store.operate("bet", { claim: value });
  }

  sizes() {
    const select = make("select", { "aria-label": "Brush size", title: HINTS.size[1] });
    const fitting = SIZES.filter((cells) => cells <= Math.max(3, this.store.rows));
    select.append(...fitting.map((cells) => make("option", { value: cells }, `${cells}×${cells}`)));
    select.value = this.choice.size;
    select.addEventListener("change", () => {
      this.choice.size = Number(select.value);
    });
    return select;
  }

  actions(rows) {
    const buttons = rows.map(([name, label, title]) => {
      const button = make("button", { type: "button", title, "data-action": name }, label);
      button.addEventListener("click", () => this.store.operate(name, { mask: this.mask }));
      return button;
    });
    return make("div", { class: "painter-segments" }, ...buttons);
  }

  /** The mask that is painted on in the mode that is chosen. */
  get mask() {
    return this.store.maskOf(isBet(this.choice.mode) ? "predicted" : "frozen");
  }

  presets() {
    const select = make("select", { "aria-label": "Preset masks", title: HINTS.presets[1] });
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
