// Which cells a pointer touches, and the boxes around them. A cell is its flat index; a place is
// given in cells from the grid's top left corner.

/** Flat indexes of the cells that the segment from (x0, y0) to (x1, y1) crosses, in order.
 *  Coordinates are in cells from the top left corner; cells outside the grid are left out.
 *  After Amanatides and Woo, "A Fast Voxel Traversal Algorithm", Eurographics 1987. */
export function cellsCrossed(x0, y0, x1, y1, rows, columns) {
  let [column, row] = [Math.floor(x0), Math.floor(y0)];
  const [lastColumn, lastRow] = [Math.floor(x1), Math.floor(y1)];
  const horizontal = walk(x0, x1);
  const vertical = walk(y0, y1);
  const cells = [];
  let left = Math.abs(lastColumn - column) + Math.abs(lastRow - row);
  for (;;) {
    if (row >= 0 && row < rows && column >= 0 && column < columns) cells.push(row * columns + column);
    if (left-- <= 0) return cells;
    const sideways = row === lastRow || (column !== lastColumn && horizontal.next < vertical.next);
    if (sideways) {
      column += horizontal.step;
      horizontal.next += horizontal.gap;
    } else {
      row += vertical.step;
      vertical.next += vertical.gap;
    }
  }
}

/** How one coordinate meets cell borders: `next` border and `gap` between borders, as fractions. */
function walk(from, to) {
  const length = Math.abs(to - from);
  const ahead = to > from ? Math.floor(from) + 1 - from : from - Math.floor(from);
  return { step: to > from ? 1 : -1, next: ahead / length, gap: 1 / length };
}

/** The cells under a square brush of odd `size` centred on each of `cells`, each once. */
export function brushed(cells, size, rows, columns) {
  if (size === 1) return Int32Array.from(new Set(cells));
  const reach = (size - 1) / 2;
  const touched = new Set();
  for (const cell of cells) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const right = Math.min(columns - 1, column + reach);
    const bottom = Math.min(rows - 1, row + reach);
    for (let r = Math.max(0, row - reach); r <= bottom; r++) {
      for (let c = Math.max(0, column - reach); c <= right; c++) touched.add(r * columns + c);
    }
  }
  return Int32Array.from(touched);
}

/** The cells of the rectangle between two opposite corner cells, borders included. */
export function block(from, to, columns) {
  const [r0, r1] = [Math.floor(from / columns), Math.floor(to / columns)].sort((a, b) => a - b);
  const [c0, c1] = [from % columns, to % columns].sort((a, b) => a - b);
  const cells = new Int32Array((r1 - r0 + 1) * (c1 - c0 + 1));
  let i = 0;
  for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) cells[i++] = r * columns + c;
  return cells;
}

/** The smallest box of cells outside which two planes agree, or null where they are equal. */
export function changedBox(before, after, columns) {
  let [top, bottom, left, right] = [Infinity, -1, Infinity, -1];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const [row, column] = [(i / columns) | 0, i % columns];
    if (row < top) top = row;
    if (row > bottom) bottom = row;
    if (column < left) left = column;
    if (column > right) right = column;
  }
  return bottom < 0 ? null : { top, left, bottom, right };
}

/** The smallest box around a list of cells. */
export function boxOf(cells, columns) {
  const box = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
  for (const cell of cells) {
    const [row, column] = [(cell / columns) | 0, cell % columns];
    box.top = Math.min(box.top, row);
    box.bottom = Math.max(box.bottom, row);
    box.left = Math.min(box.left, column);
    box.right = Math.max(box.right, column);
  }
  return box;
}

/** The row and column of the cell at a place, or of the nearest one in the grid. */
export function clamped({ x, y }, rows, columns) {
  const inside = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
  return { row: inside(y, rows), column: inside(x, columns) };
}

/** The cells that a tool with a brush of `size` paints when the pointer crosses `cells`. */
export function cellsUnder(cells, tool, size, rows, columns) {
  if (tool === "brush") return brushed(cells, size, rows, columns);
  if (tool === "rectangle") return Int32Array.from(cells); // by keys, a cell at a time
  if (tool !== "row" && tool !== "column") throw new Error(`no tool is named ${tool}`);
  const lines = new Set(cells.map((c) => (tool === "row" ? Math.floor(c / columns) : c % columns)));
  const line = (n) => {
    if (tool === "row") return block(n * columns, n * columns + columns - 1, columns);
    return block(n, (rows - 1) * columns + n, columns);
  };
  return Int32Array.from([...lines].flatMap((n) => [...line(n)]));
}
