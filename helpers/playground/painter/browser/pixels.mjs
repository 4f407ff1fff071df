// What a cell looks like, as 32-bit pixels.

const rgba = (r, g, b, a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
const [INK, LEAKED_INK] = [rgba(20, 20, 20), rgba(225, 20, 30)];
const HALO = rgba(255, 255, 255, 190);
const [HATCH_PERIOD, CROSS_PERIOD] = [8, 12];
const [FREE, INTACT, LEAKED] = [rgba(238, 238, 234), rgba(70, 110, 150), rgba(225, 20, 30)];

/** Colours of 256 codes, from three bytes each, as 32-bit pixels. */
export function pixelTable(bytes) {
  return Uint32Array.from({ length: 256 }, (_, i) => rgba(...bytes.subarray(3 * i, 3 * i + 3)));
}

/** Fill `pixels`, one a cell, with the picture of one of the three views. */
export function drawCells(pixels, view, planes, tables) {
  const { weights, moved, frozen, leaked } = planes;
  const last = pixels.length;
  if (view === "weights") for (let i = 0; i < last; i++) pixels[i] = tables[0][weights[i] + 128];
  else if (view === "moved") for (let i = 0; i < last; i++) pixels[i] = tables[1][moved[i]];
  else for (let i = 0; i < last; i++) pixels[i] = !frozen[i] ? FREE : leaked[i] ? LEAKED : INTACT;
}

/** Fill `pixels`, the box x0…x1, y0…y1 of the hatch's canvas, with hatch and outline of frozen cells.
 *  `size` is the side of a cell in pixels; the hatch runs on across cells, so that it shows at
 *  any size; leaked cells are crossed, in red. */
export function drawHatch(pixels, box, size, planes, rows, columns) {
  const { frozen, leaked } = planes;
  const grid = { frozen, size, rows, columns, edge: Math.max(1, Math.min(3, Math.round(size / 16))) };
  let at = 0;
  for (let y = box.y0; y < box.y1; y++) {
    const row = Math.min(rows - 1, (y / size) | 0);
    for (let x = box.x0; x < box.x1; x++, at++) {
      const column = Math.min(columns - 1, (x / size) | 0);
      const cell = row * columns + column;
      if (!frozen[cell]) pixels[at] = 0;
      else pixels[at] = hatch(x, y, onOutline(x, y, row, column, grid), leaked[cell]);
    }
  }
}

/** The pixel of a frozen cell: a stripe two pixels wide between its halos, or the outline. Stripes
 *  of a leaked cell run both ways, for eyes that do not tell red from black. */
function hatch(x, y, outline, leaked) {
  const period = leaked ? CROSS_PERIOD : HATCH_PERIOD;
  const phase = (x + y) % period;
  const across = leaked ? (x + (period - 1) * y) % period : phase; // as x - y, but never negative
  if (outline || phase < 2 || across < 2) return leaked ? LEAKED_INK : INK;
  const beside = (one) => one === 2 || one === period - 1;
  return beside(phase) || beside(across) ? HALO : 0;
}

/** Whether a pixel lies at a side of its frozen cell beyond which no cell is frozen. */
function onOutline(x, y, row, column, { frozen, size, rows, columns, edge }) {
  const cell = row * columns + column;
  return (
    (y - row * size < edge && (row === 0 || !frozen[cell - columns])) ||
    ((row + 1) * size - y <= edge && (row === rows - 1 || !frozen[cell + columns])) ||
    (x - column * size < edge && (column === 0 || !frozen[cell - 1])) ||
    ((column + 1) * size - x <= edge && (column === columns - 1 || !frozen[cell + 1]))
  );
}
