// The tools above the grid, and what is chosen among them.

import { HINTS, isBet, PAINTING, placesOf } from "./controls.mjs";
import { Knob } from "./knobs.mjs";
import { make } from "../../../widget/browser/elements.mjs";
import { More } from "./more.mjs";
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

/** The rows of tools: `element` above the grid, and `more` below it. What is chosen for painting stands
 *  in `choice`: tool, mode, view, and the brush's size in cells; `viewChanged` is called when another
 *  view was chosen. `hints` and `share` are the popups that two of the tools open. */
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
    this.more = new More(choice, () => this.unfolded());
    this.follow();
  }

  /** Show how things stand, where that has changed. */
  follow() {
    const { model } = this.store;
    const places = placesOf(model.get("controls") ?? PAINTING, model.get("choices"));
    if (JSON.stringify(places) !== this.built) this.build(places);
    for (const one of this.following) one.follow();
  }

  build({ first, rest }) {
    this.built = JSON.stringify({ first, rest });
    this.following = [];
    this.segmented = {};
    const names = (groups) => groups.flatMap(([, , members]) => members);
    this.first = names(first);
    this.rest = names(rest);
    this.element.replaceChildren(...this.groups(first, this.first));
    this.more.show(this.groups(rest, this.rest));
    this.hints.tellOf([...this.first, ...this.rest].filter((name) => name !== "tour"));
    for (const popup of [this.hints, this.share]) if (!popup.button.isConnected) popup.show(false);
  }

  /** The elements of some groups, which stand in one place with the tools `here`. */
  groups(groups, here) {
    return groups.flatMap(([name, label, members]) => {
      const tools = members.map((member) => this.make(member, here)).filter(Boolean);
      const of = { class: "painter-group", role: "group", "aria-label": label, "data-group": name };
      return tools.length ? [make("div", of, ...tools)] : [];
    });
  }

  make(name, here) {
    switch (name) {
      case "train": return this.keep(new TrainButton(this.store));
      case "step":
      case "reset": return orderButton(this.store, name);
      case "freeze": return this.segments("mode", "Mode", here.includes("predict") ? [...MODES, ...PREDICT] : MODES);
      case "predict": return this.beside("freeze", here, "mode", "Prediction", MODES[0], PREDICT);
      case "tool": return this.segments("tool", "Tool", here.includes("pin") ? [...TOOLS, PIN] : TOOLS);
      case "size": return this.sizes();
      case "undo": return this.actions(UNDO);
      case "invert":
      case "clear": return this.actions([[name, ...HINTS[name]]]);
      case "presets": return this.presets();
      case "pin": return this.beside("tool", here, "tool", "Pins", TOOLS[0], [PIN]);
      case "drawing": // it stands below the grid
      case "more":
      case "tour": return undefined;
      case "view": return this.segments("view", "View", this.views);
      case "share":
      case "hints": return this.popup(name, here);
      case "rate":
      case "momentum":
      case "decay": return this.keep(new Knob(this.store, name));
      default: return this.keep(new List(this.store, name));
    }
  }

  /** What the grid can be viewed as: weights, movement, leaks, and what the page brings along. */
  get views() {
    const title = (name) => `${name}: a number of each cell, the larger, the darker`;
    return [...VIEWS, ...this.store.overlays.names.map((name) => [name, name, title(name)])];
  }

  /** Choices that stand among those of another tool where that is shown in the same place, and have a
   *  way back of their own where it is not to be seen at all. */
  beside(other, here, name, label, back, choices) {
    if (here.includes(other)) return undefined;
    return this.segments(name, label, this.first.includes(other) ? choices : [back, ...choices]);
  }

  /** The button of a popup, which opens at the end of the grid that is nearer. */
  popup(name, here) {
    const { button, panel } = this[name];
    panel.classList.toggle("painter-low", here === this.rest);
    return button;
  }

  /** What is folded up leaves nothing open behind it. */
  unfolded() {
    for (const popup of ["hints", "share"]) if (this.rest.includes(popup)) this[popup].show(false);
    this.viewChanged();
  }

  /** Keep a part that follows the model; returns its element. */
  keep(part) {
    this.following.push(part);
    return part.element;
  }

  /** A row of buttons of which one is pressed; others of the same name may stand elsewhere. */
  segments(name, label, choices) {
    const buttons = choices.map(([value, text, title]) => {
      const button = make("button", { type: "button", title, "data-choice": value }, text);
      button.addEventListener("click", () => this.choose(name, value));
      return button;
    });
    this.segmented[name] = [...(this.segmented[name] ?? []), ...buttons];
    this.press(name);
    return make("div", { class: "painter-segments", role: "group", "aria-label": label }, ...buttons);
  }

  press(name) {
    for (const button of this.segmented[name]) {
      button.setAttribute("aria-pressed", String(button.dataset.choice === this.choice[name]));
    }
  }

  choose(name, value) {
    this.choice[name] = value;
    this.press(name);
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
