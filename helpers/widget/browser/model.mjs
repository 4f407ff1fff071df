// What a widget's browser side asks of its model: anywidget brings one that speaks to the kernel. A
// trainer that lives in the browser is another, and needs no more than these three.

/**
 * @typedef {object} Model
 * @property {(name: string) => any} get what a trait holds now
 * @property {(events: string, listener: (...values: any[]) => void) => void} on call a listener at
 *   each of these events, with spaces between them: "msg:custom" brings a message and its buffers,
 *   "change:<trait>" comes when a trait has changed, "comm_live_update" when the other side is gone
 * @property {(message: object, callbacks: undefined, buffers: ArrayBuffer[]) => void} send
 */

export {};
