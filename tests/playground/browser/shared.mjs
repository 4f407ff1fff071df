// What several of these test files share.

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randoms(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const sorted = (cells) => [...cells].sort((a, b) => a - b);
export const range = (count) => Array.from({ length: count }, (_, i) => i);
/** A plane of 0 with 1 at some cells. */
export const plane = (count, ...cells) => Uint8Array.from(range(count), (i) => Number(cells.includes(i)));

/** A widget's model with nobody behind it: keeps what is sent, and says what a test has it say. */
export class Model {
  constructor(state) {
    this.state = { status: "paused", error: "", ...state };
    this.sent = [];
    this.handlers = [];
  }

  get(name) {
    return this.state[name];
  }

  on(names, handler) {
    for (const name of names.split(" ")) this.handlers.push([name, handler]);
  }

  send(message, _, buffers) {
    if (this.gone) throw new Error("the comm is gone");
    this.sent.push({ ...message, buffers });
  }

  say(name, ...values) {
    for (const [heard, handler] of this.handlers) if (heard === name) handler(...values);
  }

  /** Send a frame: what its header says, and planes by their names. */
  frame(header, planes) {
    const message = { kind: "frame", planes: Object.keys(planes), ...header };
    this.say("msg:custom", message, Object.values(planes));
  }

  /** The messages of one kind that were sent, in order. */
  all(kind) {
    return this.sent.filter((message) => message.kind === kind);
  }
}

/** Let a test move time: it stands still, and goes on by `pass(ms)`. Node's own mock of timers does
 *  not let a timer end itself. */
export function stopTime({ mock }) {
  let now = 1000;
  const timers = new Set();
  mock.method(performance, "now", () => now);
  mock.method(globalThis, "clearInterval", (timer) => timers.delete(timer));
  mock.method(globalThis, "setInterval", (run, every) => {
    const timer = { run, every, next: now + every };
    timers.add(timer);
    return timer;
  });
  return (milliseconds) => {
    for (const end = now + milliseconds; now < end; now++) {
      for (const timer of timers) {
        if (now + 1 < timer.next) continue;
        timer.next += timer.every;
        timer.run();
      }
    }
  };
}
