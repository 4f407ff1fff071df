// What stands beside the grid: the leak meter, how training goes, and the legend of the colours.

import { total } from "./bytes.mjs";
import { Curves } from "./curves.mjs";
import { make } from "../../../widget/browser/elements.mjs";

const A_WHILE = 20; // steps

export class Meters {
  /**
   * @param {import("./store.mjs").Store} store
   * @param {import("./view.mjs").Choice} choice
   */
  constructor(store, choice) {
    this.store = store;
    this.choice = choice;
    this.leaks = make("output", { class: "painter-leaks" });
    this.bar = make("div", { class: "painter-bar" }, make("div"));
    this.since = make("div", { class: "painter-facts painter-since" });
    this.facts = make("div", { class: "painter-facts" });
    this.accuracy = make("div", { class: "painter-facts painter-accuracy" });
    this.bars = new Bars();
    this.curves = new Curves(store);
    this.ramp = make("canvas", { class: "painter-ramp", width: 256, height: 1, "aria-hidden": "true" });
    this.ends = [0, 1, 2].map(() => make("span"));
    this.legend = make("div", { class: "painter-legend" }, this.ramp,
      make("div", { class: "painter-ends" }, ...this.ends));
    const title = (text) => make("div", { class: "painter-title" }, text);
    this.elements = [title("Leak meter"), this.leaks, this.bar, this.since, title("Training"), this.facts, this.accuracy,
      this.bars.element, this.curves.element, this.legend];
  }

  show() {
    this.showLeaks();
    this.showFacts();
    this.curves.show();
    this.drawLegend();
  }

  /** How many frozen cells there are, and how many of them have changed. */
  showLeaks() {
    const [count, leaked] = [total(this.store.frozen), total(this.store.leaked)];
    const cells = count === 1 ? "cell has" : "cells have";
    this.leaks.textContent = count
      ? `${leaked.toLocaleString("en")} of ${count.toLocaleString("en")} frozen ${cells} changed`
      : "Nothing is frozen yet";
    this.bar.firstChild.style.width = `${count ? (100 * leaked) / count : 0}%`;
    this.leaking = leaked > 0;
    // What has leaked stays counted when it has come to rest.
    const { step, leaked_at: last } = this.store.header;
    this.rests = this.leaking && last != null && step - last >= A_WHILE;
    this.since.textContent = this.rests ? `None has changed since step ${last.toLocaleString("en")}.` : "";
  }

  showFacts() {
    const { step, goal, loss, speed, device } = this.store.header;
    if (step === undefined) return;
    const facts = [`step ${step.toLocaleString("en")}`];
    if (goal) facts[0] += ` of ${goal.toLocaleString("en")}`;
    if (loss != null) facts.push(`loss ${loss.toPrecision(3)}`);
    if (speed) facts.push(`${Math.round(speed).toLocaleString("en")} steps/s`);
    this.facts.textContent = [...facts, device].join(" · ");
    this.showAccuracy();
  }

  /** How much of the held-out data is right: of all, of the page on the grid, of each task. */
  showAccuracy() {
    const { accuracy = {}, by_page: byPage = {}, page } = this.store.header;
    this.bars.show(byPage, page);
    this.accuracy.textContent = Object.entries(accuracy)
      .map(([name, share]) => `${accuracyName(name, page)} ${(100 * share).toFixed(1)} %`).join(" · ");
  }

  drawLegend() {
    const { view } = this.choice;
    this.legend.style.visibility = view === "leaked" ? "hidden" : "";
    const heat = this.store.overlay(view);
    const [table, labels] = heat ? this.overlayLegend(view, heat)
      : view === "moved" ? this.movedLegend() : this.weightsLegend();
    const image = new ImageData(256, 1);
    new Uint32Array(image.data.buffer).set(table);
    this.ramp.getContext("2d").putImageData(image, 0, 0);
    this.ends.forEach((end, i) => {
      end.textContent = labels[i];
    });
  }

  /** @returns {[Uint32Array, string[]]} the colours of the ramp, and what stands below it */
  movedLegend() {
    const { moved_scale: farthest } = this.store.header;
    return [this.store.tables[1], ["not one bit", "", farthest.toPrecision(2)]];
  }

  /** @returns {[Uint32Array, string[]]} the same for an overlay */
  overlayLegend(name, { largest }) {
    return [this.store.tables[1], ["0", name, largest.toPrecision(2)]];
  }

  /** @returns {[Uint32Array, string[]]} the same for the view of weights */
  weightsLegend() {
    const [table] = this.store.tables;
    const scale = this.store.header.scale.toPrecision(2);
    // The first colour is the exception, a weight that is not finite; it has no place on the ramp.
    return [Uint32Array.of(table[1], ...table.slice(1)), [`−${scale}`, "0", `+${scale}`]];
  }
}

/** A bar for each class: how much of its own held-out data is right. */
class Bars {
  constructor() {
    this.element = make("div", { class: "painter-bars", role: "img" });
  }

  /** @param {Record<string, number | null>} shares of each page, 0 to 1; null where not measured yet
   *  @param {string | undefined} page the one on the grid */
  show(shares, page) {
    const pages = Object.keys(shares);
    this.element.hidden = pages.length < 2;
    if (this.element.childElementCount !== pages.length) {
      this.element.replaceChildren(...pages.map((one) => make("div", { "data-page": one }, make("div"))));
    }
    pages.forEach((one, i) => {
      const bar = this.element.children[i];
      bar.firstChild.style.height = `${100 * (shares[one] ?? 0)}%`;
      bar.classList.toggle("on-grid", one === page);
    });
    const told = pages.filter((one) => shares[one] !== null)
      .map((one) => `${one} ${(100 * shares[one]).toFixed(0)} %`);
    this.element.setAttribute("aria-label", `Right of each one's held-out data: ${told.join(", ") || "not yet measured"}`);
  }
}

/** What an accuracy is called: of all that is held out, of the page's class, or of one task. */
export function accuracyName(name, page) {
  return { all: "right on held-out data:", page: `of class ${page}:` }[name] ?? `${name}:`;
}
