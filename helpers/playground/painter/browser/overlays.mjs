// Arrays that a page brings along, drawn over the grid as heat in place of the weights.

import { alignedCopy } from "./bytes.mjs";

/** An overlay on one page: its numbers, a code from 0 to 255 for each, and the largest of all pages. A
 *  code is rounded up, so that 0 stands for 0 alone.
 * @typedef {{ values: Float32Array, codes: Uint8Array, largest: number }} Heat */

export class Overlays {
  /** @param {import("../../../widget/browser/model.mjs").Model} model */
  constructor(model) {
    /** @type {import("./messages.mjs").Overlay[]} */
    this.given = model.get("overlays") ?? [];
    /** @type {Map<DataView, Heat>} */
    this.made = new Map();
  }

  /** Their names, which the tool *View* offers. */
  get names() {
    return this.given.map(({ name }) => name);
  }

  /** The overlay of this name on a page, if there is one.
   * @param {string} view
   * @param {string} page
   * @returns {Heat | undefined} */
  on(view, page) {
    const overlay = this.given.find(({ name }) => name === view);
    const bytes = overlay?.pages[page];
    if (!bytes) return undefined;
    if (!this.made.has(bytes)) this.made.set(bytes, heatOf(bytes, overlay.largest));
    return this.made.get(bytes);
  }
}

function heatOf(bytes, largest) {
  const values = new Float32Array(alignedCopy(bytes));
  const codes = Uint8Array.from(values, (value) => (value ? Math.ceil((255 * value) / largest) : 0));
  return { values, codes, largest };
}
