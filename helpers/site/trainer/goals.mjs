// The conditions of a page's goals, as goals.py has them; the sentences come from there.

/**
 * @typedef {object} State how things stand on the grid between two steps; a number a cell, row by row
 * @property {ArrayLike<number>} frozen 1 = frozen
 * @property {ArrayLike<number>} leaked 1 where a frozen cell has changed since it was frozen
 * @property {ArrayLike<number>} since how many steps had been taken when each frozen cell was frozen
 * @property {number} columns
 * @property {number} step how many steps have been taken
 * @property {number} accuracy the share of held-out data that is right, 0 to 1
 * @property {number} examined how many steps had been taken when it was measured
 */

/** @type {Record<string, (state: State, parameters: any) => boolean>} */
export const CONDITIONS = {
  leak({ leaked }, { cells }) {
    return count(leaked, (one) => one) >= cells;
  },
  hold({ frozen, leaked, since, step, columns }, { row, steps }) {
    const held = Array.from(frozen, (one, i) => one && !leaked[i] && step - since[i] >= steps);
    const rows = Array.from({ length: held.length / columns }, (_, at) => held.slice(at * columns, (at + 1) * columns));
    return (row === null ? rows : [rows[row]]).some((cells) => cells.every(Boolean));
  },
  /** By the steps that had been taken when the accuracy was measured, which is a little ago. */
  stay_above(state, { accuracy, frozen, steps }) {
    const trained = count(state.frozen, (one, i) => one && state.examined - state.since[i] >= steps);
    const wanted = frozen * state.frozen.length - 0.5; // of whole cells the nearest, as masks have them
    return trained >= wanted && state.accuracy > accuracy;
  },
};

const count = (cells, wanted) => Array.from(cells).filter(wanted).length;

/** Which of some goals have been reached ; a goal stays reached. */
export class Reached {
  /** @param {{ condition: string, parameters: object }[]} goals */
  constructor(goals) {
    this.goals = goals;
    this.ticks = this.goals.map(() => false);
  }

  /** Tick off what is reached in this state, and return what is ticked.
   * @param {() => State} state is asked only where a goal is open */
  judge(state) {
    if (this.ticks.every(Boolean)) return this.ticks;
    const now = state();
    this.ticks = this.goals.map(({ condition, parameters }, i) =>
      this.ticks[i] || CONDITIONS[condition](now, parameters));
    return this.ticks;
  }
}
