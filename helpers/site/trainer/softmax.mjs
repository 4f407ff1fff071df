// Softmax regression: a kernel (inputs, classes), row by row, and a bias, both Float32Arrays.

/** Loss and gradients of a batch.
 *
 *  `images` has an image a row, and `labels` a class each; `chosen` are the batch's rows of both.
 * @param {{ images: Float32Array, labels: Uint8Array }} data
 * @param {Int32Array} chosen
 * @param {Float32Array} kernel what the model computes with
 * @param {Float32Array} bias
 * @returns {{ loss: number, kernel: Float32Array, bias: Float32Array }} the mean loss, and gradients
 */
export function gradients(data, chosen, kernel, bias) {
  const [classes, inputs] = [bias.length, kernel.length / bias.length];
  const [ofKernel, ofBias] = [new Float64Array(kernel.length), new Float64Array(classes)];
  let loss = 0;
  for (const row of chosen) {
    const image = data.images.subarray(row * inputs, (row + 1) * inputs);
    const error = shares(image, kernel, bias);
    loss -= Math.log(error[data.labels[row]]);
    error[data.labels[row]] -= 1;
    for (let c = 0; c < classes; c++) ofBias[c] += error[c];
    for (let i = 0; i < inputs; i++) {
      if (!image[i]) continue;
      for (let c = 0; c < classes; c++) ofKernel[i * classes + c] += image[i] * error[c];
    }
  }
  const mean = (sums) => new Float32Array(sums.map((sum) => sum / chosen.length));
  return { loss: loss / chosen.length, kernel: mean(ofKernel), bias: mean(ofBias) };
}

/** How likely each class is for an image: numbers that sum to 1. */
export function shares(image, kernel, bias) {
  const logits = new Float64Array(bias);
  for (let i = 0; i < image.length; i++) {
    if (!image[i]) continue;
    for (let c = 0; c < logits.length; c++) logits[c] += image[i] * kernel[i * logits.length + c];
  }
  const largest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - largest));
  const sum = powers.reduce((total, power) => total + power);
  return powers.map((power) => power / sum);
}
