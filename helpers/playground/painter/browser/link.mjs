// The browser's end of the conversation with Python. Its protocol, messages and guarantees, stands
// at the top of link.py.

const OPERATIONS_IN_FLIGHT = 3;
const BEAT_MS = 250; // between acknowledgements, while training
const LAST_REPEAT = 2; // acknowledgements of one frame, after which the beat stops
export const SILENCE_MS = 4000;

/** Who is told what comes, and that `connected` or `silent` has changed.
 * @typedef {object} Listener
 * @property {(header: import("./messages.mjs").Header, planes: import("./messages.mjs").Planes) => void} takeFrame
 * @property {(message: import("./messages.mjs").Value | import("./messages.mjs").Text) => void} takeReply
 * @property {() => void} connectionChanged
 */

/** An operation that no frame has named as applied; `sent` is a time in ms, or undefined while it
 *  waits for its turn.
 * @typedef {{ seq: number, message: any, buffers: ArrayBuffer[], sent?: number }} Pending */

/** Speaks to whoever owns the mask through a widget's model, for one page. */
export class Link {
  /**
   * @param {import("../../../widget/browser/model.mjs").Model} model
   * @param {Listener} listener
   */
  constructor(model, listener) {
    this.model = model;
    this.listener = listener;
    this.client = Math.random().toString(36).slice(2);
    this.seq = 0;
    this.seen = 0;
    /** @type {Pending[]} */
    this.pending = [];
    this.connected = true;
    this.silent = false;
    this.heard = performance.now();
  }

  /** Pass on the frame that the model was made with, and say hello. */
  open() {
    this.model.on("msg:custom", (message, buffers) => this.receive(message, buffers));
    this.model.on("comm_live_update", () => this.disconnect());
    this.watchdog = setInterval(() => this.checkSilence(), 1000);
    const { header, ...planes } = this.model.get("frame");
    this.takeFrame(header, planes);
    this.send({ kind: "hello", ...this.sender });
  }

  close() {
    clearInterval(this.watchdog);
    this.stopBeat();
  }

  send(message, buffers = []) {
    try {
      this.model.send(message, undefined, buffers);
    } catch {
      this.disconnect();
    }
  }

  disconnect() {
    this.connected = false;
    this.listener.connectionChanged();
  }

  receive(message, buffers) {
    this.heard = performance.now();
    if (message.kind !== "frame") {
      this.listener.takeReply(message);
      return;
    }
    this.takeFrame(message, Object.fromEntries(message.planes.map((name, i) => [name, buffers[i]])));
  }

  takeFrame(header, planes) {
    this.header = header;
    // A page that Python has forgotten goes on with its numbers.
    this.seen = Math.max(this.seen, header.applied[this.client] ?? 0);
    this.pending = this.pending.filter((operation) => operation.seq > this.seen);
    this.listener.takeFrame(header, planes);
    this.flush();
  }

  /** Who speaks, and its last operation that it has seen applied. */
  get sender() {
    return { client: this.client, seen: this.seen };
  }

  // Operations

  /** Ask Python for an operation, as soon as few enough are on their way. */
  ask(message, buffers = []) {
    const seq = ++this.seq;
    this.pending.push({ seq, buffers, message: { ...message, seq } });
    this.flush();
  }

  /** The newest operation, if it still waits for its turn: its buffers may yet be replaced. */
  get waiting() {
    const last = this.pending.at(-1);
    return last && !last.sent ? last : undefined;
  }

  get underWay() {
    return this.pending.filter((operation) => operation.sent);
  }

  flush() {
    const free = OPERATIONS_IN_FLIGHT - this.underWay.length;
    const waiting = this.pending.filter((operation) => !operation.sent);
    for (const operation of waiting.slice(0, Math.max(0, free))) {
      operation.sent = performance.now();
      this.sendOperation(operation);
    }
  }

  sendOperation({ message, buffers }) {
    this.send({ ...message, ...this.sender }, buffers);
  }

  /** Operations that stay unanswered mean that nobody is there to answer them, or that they were
   *  lost on the way; Python carries out none twice. */
  checkSilence() {
    const now = performance.now();
    const oldest = this.underWay[0];
    const silent = Boolean(oldest) && now - Math.max(oldest.sent, this.heard) > SILENCE_MS;
    if (silent !== this.silent) {
      this.silent = silent;
      this.listener.connectionChanged();
    }
    if (oldest && now - oldest.sent > SILENCE_MS) this.sendAgain();
  }

  sendAgain() {
    for (const operation of this.underWay) this.sendOperation(operation);
  }

  // Acknowledgements

  get training() {
    return this.model.get("status") === "training";
  }

  /** Tell Python which frame is on the screen: at once while nothing trains, else at a steady, slow
   *  beat. For JupyterLab each message makes the kernel busy and then idle again: it redraws its
   *  status, and loads another icon for the browser's tab, each time. One message a frame would
   *  take the page longer than all its drawing. */
  shown() {
    if (!this.training) {
      this.beat();
    } else if (this.beating === undefined) {
      this.beating = setInterval(() => this.beat(), BEAT_MS);
    }
  }

  beat() {
    if (globalThis.document?.hidden) return; // training that nobody sees rests after a while
    const { frame } = this.header;
    this.repeats = frame === this.acknowledged ? this.repeats + 1 : 0;
    this.acknowledged = frame;
    this.send({ kind: "shown", frame, ...this.sender });
    // A beat that hears nothing new stops; the next frame starts another.
    if (!this.training || this.repeats >= LAST_REPEAT) this.stopBeat();
  }

  stopBeat() {
    clearInterval(this.beating);
    this.beating = undefined;
  }
}
