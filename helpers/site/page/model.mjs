// A widget's model whose other side is a worker of this page; see widget/browser/model.mjs.

export class WorkerModel {
  /** @param {Worker} worker whose first message has all traits */
  constructor(worker) {
    this.worker = worker;
    this.traits = {};
    this.listeners = new Map();
    this.asked = [];
    this.ready = new Promise((open) => { this.open = open; });
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", () => this.call("comm_live_update"));
  }

  hear({ traits, message, buffers, id, value, error }) {
    if (message) this.call("msg:custom", message, buffers);
    if (id !== undefined) this.settle(id, value, error);
    Object.assign(this.traits, traits);
    for (const name of Object.keys(traits ?? {})) this.call(`change:${name}`);
    this.open();
  }

  call(event, ...values) {
    for (const listener of this.listeners.get(event) ?? []) listener(...values);
  }

  /** Have a function of the worker's called; a promise of what it returns. */
  ask(call, ...values) {
    const id = this.asked.length;
    this.worker.postMessage({ call, values, id });
    return new Promise((resolve, reject) => this.asked.push({ resolve, reject }));
  }

  settle(id, value, error) {
    if (error === undefined) this.asked[id].resolve(value);
    else this.asked[id].reject(new Error(error));
  }

  get(name) {
    return this.traits[name];
  }

  on(events, listener) {
    for (const event of events.split(" ")) {
      this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    }
  }

  send(message, _, buffers) {
    this.worker.postMessage({ message, buffers });
  }
}
