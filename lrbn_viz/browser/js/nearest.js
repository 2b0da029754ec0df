// The nearest training image of each sample, as lrbn_viz/measure/nearest.py finds it: of equally near ones the first.

const BITS = Uint8Array.from({length: 256}, (_, byte) => byte.toString(2).replaceAll("0", "").length); // that are on, of a byte

/**
 * Rows of the nearest images, and the number of pixels that differ.
 * @param {Uint8Array} images  bits, a row of whole bytes each @param {Uint8Array} queries  the same @param {number} n_v
 */
export function nearestImages(images, queries, n_v) {
  const stride = Math.ceil(n_v / 8),
    n = queries.length / stride,
    row = new Uint32Array(n),
    distance = new Uint16Array(n).fill(n_v + 1);
  for (let m = 0; m < n; m++)
    for (let at = 0; at < images.length; at += stride) {
      let apart = 0;
      for (let i = 0; i < stride; i++) apart += BITS[images[at + i] ^ queries[m * stride + i]];
      if (apart < distance[m]) {
        distance[m] = apart;
        row[m] = at / stride;
      }
    }
  return {row, distance};
}
