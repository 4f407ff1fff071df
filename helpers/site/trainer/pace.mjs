// How many steps are due at the speed that somebody chose.

export class Pace {
  constructor() {
    /** @type {number | null} steps a second; null for as fast as it goes */
    this.speed = 200;
    this.begin();
  }

  /** No step is due yet. */
  begin() {
    this.credit = 0;
    this.last = performance.now();
  }

  /** Steps for which the chosen speed has made room: never more than a twentieth of a second's. */
  due() {
    const now = performance.now();
    const room = this.credit + ((now - this.last) * this.speed) / 1000;
    this.credit = Math.min(room, Math.max(1, this.speed / 20));
    this.last = now;
    return Math.floor(this.credit);
  }

  /** So many steps have been taken. */
  took(steps) {
    this.credit -= steps;
  }
}

/** Steps a second, or null for as fast as it goes. */
export function speedOf(value) {
  if (value === null || (value > 0 && value < Infinity)) return value;
  throw new Error(`A speed of ${value} arrived; a positive number of steps a second was wanted.`);
}
