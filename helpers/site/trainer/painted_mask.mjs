// A mask that a person paints on, 1 = frozen: strokes go in, and can be undone and redone one by one.

const LONGEST_HISTORY = 200;

export class PaintedMask {
  constructor(count) {
    this.frozen = new Uint8Array(count);
    this.done = [];
    this.undone = [];
  }

  /** Freeze (or thaw) the cells of these flat indexes, as a part of a stroke. */
  paint(cells, frozen, stroke) {
    const after = this.frozen.slice();
    for (const cell of cells) after[cell] = Number(frozen);
    this.replace(after, stroke);
  }

  /** Make this the mask, as an edit that undo takes back; all edits in a row of one stroke are one. */
  replace(after, stroke) {
    const flipped = [...after.keys()].filter((cell) => after[cell] !== this.frozen[cell]);
    if (!flipped.length) return;
    this.flip(flipped);
    this.undone = [];
    const last = this.done.at(-1);
    if (stroke !== undefined && last?.stroke === stroke) {
      for (const cell of flipped) if (!last.cells.delete(cell)) last.cells.add(cell);
    } else {
      this.done.push({ stroke, cells: new Set(flipped) });
    }
    this.done = this.done.filter(({ cells }) => cells.size).slice(-LONGEST_HISTORY);
  }

  undo() {
    this.move(this.done, this.undone);
  }

  redo() {
    this.move(this.undone, this.done);
  }

  move(from, to) {
    const edit = from.pop();
    if (!edit) return;
    this.flip(edit.cells);
    to.push({ cells: edit.cells }); // without its stroke it cannot grow by what is painted next
  }

  flip(cells) {
    for (const cell of cells) this.frozen[cell] ^= 1;
  }
}
