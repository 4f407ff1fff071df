// One place on the page where the widget is shown.

import { Bets } from "./bets.mjs";
import { Canvas } from "./canvas.mjs";
import { Cursor } from "./cursor.mjs";
import { make } from "../../../widget/browser/elements.mjs";
import { Goals } from "./goals.mjs";
import { Hints } from "./hints.mjs";
import { Meters } from "./meters.mjs";
import { Microscope } from "./microscope.mjs";
import { Pins } from "./pins.mjs";
import { PointerInput } from "./pointer.mjs";
import { Readout } from "./readout.mjs";
import { Share } from "./share.mjs";
import { Stations } from "./stations.mjs";
import { Ticks } from "./ticks.mjs";
import { Toolbar } from "./toolbar.mjs";
import { Tour } from "./tour.mjs";

const METER_MS = 100;
const THEME_MS = 700; // a page says that its theme has changed before the new colours are there

/** What somebody has chosen for one place: tool, what painting does, what the colours show, how many
 *  cells wide the brush is, and whether *More tools* are unfolded.
 * @typedef {{ tool: string, mode: string, view: string, size: number, unfolded: boolean }} Choice */

/** Puts the parts together below `root`, until `signal` is aborted. The store tells it of frames,
 *  painted cells, values and the status. */
export class View {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {HTMLElement} root
   * @param {AbortSignal} signal
   */
  constructor(store, root, signal) {
    this.store = store;
    /** @type {Choice} */
    this.choice = { tool: "brush", mode: "freeze", view: "weights", size: 1, unfolded: false };
    this.canvas = new Canvas(store, this.choice);
    this.ticks = new Ticks(store, this.canvas);
    this.cursor = new Cursor(store, this.choice, this.canvas);
    this.readout = new Readout(store, this.cursor);
    this.meters = new Meters(store, this.choice);
    this.pins = new Pins(store, this.canvas);
    this.bets = new Bets(store, this.canvas);
    this.goals = new Goals(store);
    this.stations = new Stations(store, this.choice);
    this.microscope = new Microscope(store);
    this.build(root);
    this.tour = new Tour(this.frame, signal);
    new PointerInput(store, this.choice, this.canvas, this.cursor, this.readout).listen(signal);
    this.follow(signal);
    this.showStatus();
  }

  /** A few tools above; the grid with the readout; beside it, where there is room, `side` with the
   *  meters; more tools and `below` all of them, over the whole width. Instruments to come stand in
   *  `side` and `below`. */
  build(root) {
    const popups = new Set();
    const [hints, share] = [new Hints(popups), new Share(this.store, popups)];
    this.share = share;
    this.toolbar = new Toolbar(this.store, this.choice, { hints, share }, () => this.draw());
    this.alert = make("div", { class: "painter-alert", role: "alert", hidden: "" });
    // What comes and goes lies on top of what is there: the grid must not move under the pointer.
    this.side = make("div", { class: "painter-side" }, ...this.meters.elements,
      this.bets.element, this.alert);
    this.below = make("div", { class: "painter-below" },
      this.stations.element, this.microscope.element);
    const body = make("div", { class: "painter-body" }, this.ticks.element, this.side);
    const stage = make("div", { class: "painter-stage" }, this.readout.element, body,
      share.panel, hints.panel);
    this.frame = make("div", { class: "freezing-widget painter" }, this.toolbar.element, stage,
      this.goals.element, this.toolbar.more.element, this.below);
    root.classList.add("painter-place");
    root.append(this.frame);
  }

  follow(signal) {
    const watcher = new ResizeObserver(() => this.layout());
    watcher.observe(this.frame);
    // Curves are drawn in the colours of the page.
    const theme = new MutationObserver(() => setTimeout(() => this.showNumbers(), THEME_MS));
    theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
    this.store.views.add(this);
    signal.addEventListener("abort", () => {
      watcher.disconnect();
      theme.disconnect();
      this.store.views.delete(this);
      this.frame.remove(); // the notebook keeps the place of each output that has been cleared
    });
  }

  layout() {
    if (!this.ticks.fit(this.frame.clientWidth)) {
      this.showNumbers(); // beside a grid of its full size, curves grow with the page
      return;
    }
    this.draw();
    this.canvas.drawMaskAnew();
    this.pins.show();
    this.bets.show();
  }

  draw() {
    this.canvas.drawPicture();
    this.showNumbers();
  }

  /** Numbers change too fast to read; ten times a second is enough. */
  showNumbers() {
    const now = performance.now();
    clearTimeout(this.numbersLater);
    if (now - this.numbersAt < METER_MS) {
      this.numbersLater = setTimeout(() => this.showNumbers(), METER_MS);
      return;
    }
    this.numbersAt = now;
    this.meters.show();
    this.frame.dataset.leaking = String(this.meters.leaking);
    this.goals.show();
    this.stations.show(this.meters.leaking && !this.meters.rests);
    this.microscope.show();
    const { step } = this.store.header;
    if (step !== undefined) this.readout.follow(step, !this.cursor.mark.hidden);
  }

  // What the store tells

  frameArrived() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = undefined;
      this.toolbar.follow();
      this.draw();
      this.canvas.drawChangedMask();
      this.pins.show();
      this.bets.show();
      this.store.link.shown();
      this.tellFrame();
      if (this.store.model.get("controls")?.includes("tour")) this.tour.offer();
    });
  }

  /** Tell listeners (the bench) which frame has just been put on the screen. */
  tellFrame() {
    const { frame, step } = this.store.header;
    const event = new CustomEvent("painter:frame", { detail: { frame, step }, bubbles: true });
    this.frame.dispatchEvent(event);
  }

  cellsChanged(box) {
    this.canvas.drawMask(box);
    this.bets.show();
    if (this.choice.view === "leaked") this.draw();
  }

  settingsChanged() {
    this.toolbar.follow();
    this.showNumbers();
    this.bets.show();
  }

  showValue(answer) {
    this.readout.show(answer);
  }

  showShared(message) {
    this.share.take(message);
  }

  showStatus() {
    const { connected } = this.store.link;
    const [state, text] = this.status();
    this.alert.textContent = text;
    this.alert.hidden = !text;
    this.alert.dataset.state = state;
    this.frame.dataset.status = state;
    this.canvas.grid.setAttribute("aria-disabled", String(!connected));
  }

  /** One word on how things stand, and what a person should be told about it, if anything. */
  status() {
    const { model, link } = this.store;
    const [error, texts] = [model.get("error"), model.get("texts")];
    if (!link.connected) return ["disconnected", texts.disconnected];
    if (error) return [model.get("calm") ? model.get("status") : "failed", error];
    return link.silent ? ["silent", texts.silent] : [model.get("status"), ""];
  }
}
