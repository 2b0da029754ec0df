// Inference from an image of which a part is not known: by a model of the part that is known. In a directed model that is
// exact, since visible units are independent given the latents, so that an unknown one drops out of P(x, h).

import {allOthersOff} from "./means.js";
import {isWhole} from "./whole.js";

/**
 * The model without the pixels that are not known, and the others: the model itself where all are known. Rows of its weights
 * are new arrays.
 * @param {Model} model @param {ArrayLike<number>} x @returns {{model: Model, x: ArrayLike<number>}}
 */
export function observedPart(model, x) {
  if (isWhole(x)) return {model, x};
  const seen = Array.from(x, (_, i) => i).filter((i) => !Number.isNaN(x[i])),
    [lowest, ...upper] = model.layers;
  /** @template {Float32Array | Float64Array} Rows @param {Rows} W @returns {Rows} */
  const rowsOf = (W) => {
    const {n_v, n_h} = lowest,
      found = /** @type {Rows} */ (new /** @type {any} */ (W.constructor)(n_h * seen.length));
    for (let j = 0, at = 0; j < n_h; j++) for (const i of seen) found[at++] = W[j * n_v + i];
    return found;
  };
  /** @param {Float64Array} values */
  const those = (values) => Float64Array.from(seen, (i) => values[i]);
  const exact = rowsOf(lowest.exact),
    W = lowest.exact === lowest.W ? /** @type {Float32Array} */ (exact) : rowsOf(lowest.W);
  const layer = {
    ...lowest,
    n_v: seen.length,
    exact,
    W,
    b: those(lowest.b),
    precision: lowest.precision && those(lowest.precision),
    brief: true, // of this image only
  };
  return {
    model: {
      ...model,
      n_v: seen.length,
      W,
      b: layer.b,
      layers: [layer, ...upper],
      recognition: model.recognition?.length ? [layer, ...upper].map(allOthersOff) : [],
    },
    x: those(Float64Array.from(x)),
  };
}
