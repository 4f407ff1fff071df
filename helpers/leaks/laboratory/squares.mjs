// The leak matrix as buttons. Tabs choose the situation; the buttons are one stop of the Tab key,
// and the arrow keys go from one to the next.

import { make } from "../../widget/browser/elements.mjs";

const INVITED =
  "Press a square: its run opens in a playground, paused before the step in which cells leak or are harmed.";
const SIGNS =
  "✓ holds. Else: how far the worst cell gets, in units in the last place and, above it, how many "
  + "leak or are harmed, if not all; the darker, the farther. Yellow: NaN. A dash: no run.";
const DISCONNECTED = "The kernel is gone. Run the cell again.";

/** Where a key leads from one of `count` things in a row, or undefined. */
export function next(key, now, count, back = "ArrowLeft", on = "ArrowRight") {
  return { [back]: Math.max(0, now - 1), [on]: Math.min(count - 1, now + 1), Home: 0, End: count - 1 }[key];
}

/** Where a key leads in a table of `rows` × `columns`, as [row, column], or undefined.
 *  @returns {[number, number] | undefined} */
export function nextSquare(key, [row, column], rows, columns) {
  const down = ["ArrowUp", "ArrowDown"].includes(key);
  const to = down ? next(key, row, rows, "ArrowUp", "ArrowDown") : next(key, column, columns);
  if (to === undefined) return undefined;
  return down ? [to, column] : [row, to];
}

/** A situation's squares in small: so that all situations are seen at once. */
function thumbnail(rows) {
  const lines = rows.map(({ squares }) => make("span", {}, ...squares.map((square) => {
    const dot = make("i");
    dot.style.background = square?.face ?? "";
    return dot;
  })));
  return make("span", { class: "leaks-thumbnail", "aria-hidden": "true" }, ...lines);
}

/** One place in which the squares are shown. */
class View {
  constructor(model, element, signal) {
    this.model = model;
    this.id = `leaks-${Math.random().toString(36).slice(2)}`;
    this.optimizers = model.get("optimizers");
    this.panels = model.get("panels");
    const opened = model.get("opened")[2];
    this.tab = Math.max(0, this.panels.findIndex(({ situation }) => situation === opened));
    /** @type {[number, number]} row and column at which the Tab key stops */
    this.at = [0, 0];
    this.build(element);
    this.listen(signal);
    this.choose(this.tab);
  }

  build(element) {
    this.tabs = this.panels.map((panel, number) => this.makeTab(panel, number));
    this.about = make("p");
    this.table = make("table", { role: "grid", "aria-label": "Cells that leak, by technique and optimizer" });
    this.said = make("p", { class: "leaks-outlook", role: "status" });
    this.error = make("p", { class: "leaks-error", role: "alert" });
    this.panel = make("div", { role: "tabpanel", id: this.id }, this.about, this.table);
    element.classList.add("leaks-place");
    this.root = make("div", { class: "freezing-widget leaks" },
      make("div", { class: "leaks-tabs", role: "tablist", "aria-label": "Situation" }, ...this.tabs),
      this.panel, make("p", { class: "leaks-signs" }, SIGNS), this.error, this.said);
    element.append(this.root);
  }

  listen(signal) {
    const names = ["preparing", "opened", "outlook", "error"];
    const follow = () => this.follow();
    this.model.on(names.map((name) => `change:${name}`).join(" "), follow);
    this.model.on("comm_live_update", () => this.disconnect());
    signal?.addEventListener("abort", () => {
      this.model.off(null, follow);
      this.root.remove(); // the notebook keeps the place of each output that has been cleared
    });
    this.table.addEventListener("keydown", (event) => this.key(event));
  }

  // The tabs

  makeTab({ situation, harmed, rows }, number) {
    const count = rows.length * this.optimizers.length;
    const tab = make("button", {
      type: "button", role: "tab", id: `${this.id}-${number}`, "aria-controls": this.id,
      title: `${harmed} of ${count} squares leak or do harm`,
    }, situation, thumbnail(rows), make("span", { class: "leaks-count" }, harmed ? `${harmed} leak` : "✓"));
    tab.addEventListener("click", () => this.choose(number));
    tab.addEventListener("keydown", (event) => this.tabKey(event));
    return tab;
  }

  tabKey(event) {
    const to = next(event.key, this.tab, this.tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    this.choose(to);
    this.tabs[to].focus();
  }

  /** Show a situation. */
  choose(number) {
    this.tab = number;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === number));
      tab.tabIndex = i === number ? 0 : -1;
    });
    this.panel.setAttribute("aria-labelledby", this.tabs[number].id);
    this.about.textContent = this.panels[number].about;
    this.fill(this.panels[number]);
    this.follow();
  }

  // The table

  fill({ situation, rows }) {
    const names = this.optimizers.map((name) => make("th", { scope: "col" }, name));
    this.squares = rows.map(({ technique, label, squares }) => squares.map((square, column) =>
      this.makeSquare(square, label, [technique, this.optimizers[column], situation])));
    const lines = rows.map(({ label }, row) => make("tr", {},
      make("th", { scope: "row" }, ...breakable(label)),
      ...this.squares[row].map((square) => make("td", { role: "gridcell" }, square))));
    this.table.replaceChildren(
      make("thead", {}, make("tr", {}, make("td"), ...names)), make("tbody", {}, ...lines));
    const [row, column] = this.at;
    this.goTo([Math.min(row, rows.length - 1), Math.min(column, names.length - 1)]);
  }

  makeSquare(square, label, names) {
    const { face, ink, text, far, told } = square ?? { text: "–", told: "not judged" };
    const title = `${label}, ${names[1]}: ${told}`;
    const button = make("button", { type: "button", title, "aria-label": title, "data-square": names.join() });
    button.append(text, make("small", {}, far ?? ""));
    Object.assign(button.style, { background: face ?? "", color: ink ?? "" });
    if (square) button.addEventListener("click", () => this.press(button, names));
    else button.setAttribute("aria-disabled", "true");
    return button;
  }

  key(event) {
    const [rows, columns] = [this.squares.length, this.optimizers.length];
    const to = nextSquare(event.key, this.at, rows, columns);
    if (to === undefined) return;
    event.preventDefault();
    this.goTo(to);
    this.squares[to[0]][to[1]].focus();
  }

  /** Make a square the one at which the Tab key stops.
   *  @param {[number, number]} place its row and column */
  goTo(place) {
    this.at = place;
    this.squares.forEach((line, row) => line.forEach((square, column) => {
      square.tabIndex = row === place[0] && column === place[1] ? 0 : -1;
    }));
  }

  press(button, names) {
    const place = this.squares.flatMap((line, row) => line.map((square, column) => [square, row, column]));
    this.goTo(place.find(([square]) => square === button).slice(1));
    if (this.asked || this.model.get("preparing").length) return;
    this.asked = names;
    try {
      this.model.send({ square: names });
    } catch {
      this.disconnect();
    }
    this.follow();
  }

  // What Python says

  disconnect() {
    this.gone = true;
    this.follow();
  }

  follow() {
    const [preparing, opened] = [this.model.get("preparing"), this.model.get("opened")];
    if (preparing.length) this.heard = true;
    else if (this.heard) [this.asked, this.heard] = [undefined, false];
    const waited = preparing.length ? preparing : (this.asked ?? []);
    for (const square of this.squares.flat()) {
      square.setAttribute("aria-busy", String(square.dataset.square === waited.join()));
      square.parentElement.setAttribute("aria-selected", String(square.dataset.square === opened.join()));
    }
    this.error.textContent = this.gone ? DISCONNECTED : this.model.get("error");
    this.said.replaceChildren(...this.outlook(waited, opened));
  }

  outlook(waited, opened) {
    if (this.gone) return [];
    if (waited.length) return [`Preparing ${waited.join(", ")} …`];
    if (!opened.length) return [INVITED];
    return [make("strong", {}, `${opened.join(", ")}:`), " ", this.model.get("outlook")];
  }
}

/** A name that may go on in the next line behind its underscores. */
function breakable(name) {
  return name.split("_").flatMap((word, i) => (i ? ["_", make("wbr"), word] : [word]));
}

export default () => ({
  render({ model, el, signal }) {
    new View(model, el, signal);
  },
});
