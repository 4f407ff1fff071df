// A linear layer that learns a picture from random inputs: kernel (rows, columns), row by row.

/** Loss and gradients of a batch: half of the squares by which outputs differ from those of the
 *  picture, summed over the columns; the mean over the inputs.
 * @param {Float32Array} inputs a batch, `rows` numbers each
 * @param {Float32Array} picture what the kernel is to become
 * @param {Float32Array} kernel what the model computes with
 * @param {number} rows of both; there are four columns, or eight, or twelve and so on
 */
export function gradients(inputs, picture, kernel, rows) {
  const [columns, count] = [kernel.length / rows, inputs.length / rows];
  const missing = new Float64Array(kernel).map((value, i) => value - picture[i]);
  const errors = product(inputs, [rows, 1], missing, [count, rows, columns]);
  const sums = product(inputs, [1, rows], errors, [rows, count, columns]);
  const loss = errors.reduce((sum, error) => sum + error * error, 0) / (2 * count);
  return { loss, kernel: new Float32Array(sums.map((sum) => sum / count)), bias: new Float32Array(0) };
}

/** The product of two matrices. It takes nearly all of the time of a step, and four columns at once
 *  halve it.
 * @param {Float32Array} left
 * @param {number[]} steps how far apart its rows lie, and its columns
 * @param {Float64Array} right row by row
 * @param {number[]} size rows of `left`, columns of `left`, columns of `right`
 */
function product(left, [down, across], right, [rows, inner, columns]) {
  const found = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column += 4) {
      let a = 0, b = 0, c = 0, d = 0;
      for (let k = 0, i = column; k < inner; k++, i += columns) {
        const factor = left[row * down + k * across];
        a += factor * right[i];
        b += factor * right[i + 1];
        c += factor * right[i + 2];
        d += factor * right[i + 3];
      }
      const at = row * columns + column;
      found[at] = a;
      found[at + 1] = b;
      found[at + 2] = c;
      found[at + 3] = d;
    }
  }
  return found;
}
