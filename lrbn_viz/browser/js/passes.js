// Samples of models, pass by pass, as lrbn_viz/measure/passes.py draws them: equal seeds give equal samples.

import {scalarSigmoid} from "./formulas.js";
import {activation} from "./lrbn.js";
import {guesses, passUp} from "./means.js";
import {kernels} from "./memory.js";
import {Generator} from "./random.js";
import {latentLogOdds} from "./rbm.js";

/** @typedef {Pick<Model, "layers" | "factorised" | "top" | "recognition" | "restricted"> & {directed: boolean}} Drawn */
/**
 * A row for each pass: its units, the model's latents first, the image, the numbers that units were drawn with, and their
 * probabilities; and the image that the first pass starts from, null where passes start from nothing.
 * @typedef {{H: Uint8Array[], X: ArrayLike<number>[], uniforms: Float64Array[], probabilities: Float64Array[], x0: ArrayLike<number> | null}} Passes
 */
/** @typedef {{h: Uint8Array, p: Float64Array}} Units */

/** @type {Map<number, number>} */
const NONE = new Map(); // held

// Units that are on where their number is below their probability, or as they are held. Held ones are numbered from `first`.
/** @param {ArrayLike<number>} logOdds @param {Float64Array} u @param {Map<number, number>} held @returns {Units} */
function drawn(logOdds, u, held, first = 0) {
  const p = Float64Array.from(logOdds, scalarSigmoid),
    memory = kernels(),
    h = memory.scope(() => {
      const [means, uniforms] = [p, u].map((each) => memory.of("f8", each, 1, p.length)),
        states = memory.array("u1", 1, p.length);
      memory.call("fill_draws", {means, uniforms, states});
      return states.view.slice();
    });
  for (const [unit, state] of held) if (unit >= first) h[unit - first] = state; // beyond the last one nothing is set
  return {h, p};
}

// Of a directed model: the top layer from its prior, each other from the one above it.
/** @param {Layer[]} layers @param {Float64Array} u @param {Map<number, number>} held @returns {Units} */
function ancestral(layers, u, held) {
  const n = u.length,
    h = new Uint8Array(n),
    p = new Float64Array(n);
  /** @type {ArrayLike<number>} */
  let logOdds = layers[layers.length - 1].d;
  for (const layer of layers.toReversed()) {
    const {first, n_h} = layer,
      part = drawn(logOdds, u.subarray(first, first + n_h), held, first);
    h.set(part.h, first);
    p.set(part.p, first);
    logOdds = activation(layer, part.h);
  }
  return {h, p};
}

// The RBM of the lower and the upper latents of a DBN, or of a DBM; null of other models.
/** @param {Drawn} model @returns {Layer | null} */
function upperOf({layers: [low, high], top, restricted}) {
  if (restricted) return high;
  if (!top) return null;
  return {
    ...low,
    n_v: low.n_h,
    n_h: top.e.length,
    W: new Float32Array(),
    exact: columns(top.U, low.n_h),
    b: low.d,
    d: top.e,
    visible: "bernoulli",
  };
}

// Rows of a matrix of `n` rows, as columns.
/** @param {Float64Array} rows @param {number} n */
function columns(rows, n) {
  const width = rows.length / n,
    turned = new Float64Array(rows.length);
  for (let j = 0; j < n; j++) for (let k = 0; k < width; k++) turned[k * n + j] = rows[j * width + k];
  return turned;
}

/**
 * Draw n images: ancestral samples of a directed model, else a Gibbs chain from `x0`.
 * @param {Drawn} model @param {number} n @param {ArrayLike<number>} x0 @param {Map<number, number>} held @param {number} seed
 * @returns {Passes}
 */
export function drawPasses(model, n, x0, held, seed) {
  const {layers, directed} = model,
    [low] = layers,
    upper = directed ? null : upperOf(model),
    sizes = upper ? [low.n_h, upper.n_h] : layers.map(({n_h}) => n_h),
    n_units = sizes.reduce((sum, size) => sum + size, 0);
  let x = x0;
  /** @type {Uint8Array} */
  let h = new Uint8Array(n_units);
  if (upper) h.set(startOf(model, x0).map((logOdds) => Number(logOdds > 0)));
  // g given h, then h given g, and the image if it counts
  /** @param {Layer} above @param {Float64Array} u @returns {Units} */
  const sweep = (above, u) => {
    const {n_h} = low,
      g = drawn(latentLogOdds(above, h.subarray(0, n_h)), u.subarray(n_h), held, n_h),
      alone = model.restricted ? latentLogOdds(low, x) : above.b,
      lower = drawn(activation(above, g.h, alone), u.subarray(0, n_h), held);
    return {h: Uint8Array.of(...lower.h, ...g.h), p: Float64Array.of(...lower.p, ...g.p)};
  };
  /** @type {Passes} */
  const made = {H: [], X: [], uniforms: [], probabilities: [], x0: directed ? null : x0};
  for (let t = 0; t < n; t++) {
    const rng = new Generator([seed, Number(!directed), t]),
      u = rng.uniforms(n_units),
      units = directed
        ? ancestral(layers, u, held)
        : upper
          ? sweep(upper, u)
          : drawn(latentLogOdds(low, x), u, held);
    ({h} = units);
    x = imageOf(low, h, rng);
    made.H.push(h);
    made.X.push(x);
    made.uniforms.push(u);
    made.probabilities.push(units.p);
  }
  return made;
}

// An image given the latents of the lowest layer.
/** @param {Layer} layer @param {Uint8Array} h  of all layers @param {Generator} rng @returns {ArrayLike<number>} */
function imageOf(layer, h, rng) {
  const {n_v, n_h, visible, precision} = layer,
    a = activation(layer, h.subarray(0, n_h));
  if (visible !== "gaussian") return drawn(a, rng.uniforms(n_v), NONE).h;
  const memory = kernels();
  return memory.scope(() => {
    const X = memory.array("f8", 1, n_v);
    memory.call("add_noise", {
      means: memory.of("f8", a, 1, n_v),
      normals: memory.of("f8", rng.normals(n_v), 1, n_v),
      precision: memory.of("f8", precision ?? new Float64Array(n_v).fill(1)),
      X,
    });
    return X.view.slice();
  });
}

// Log-odds of the lower latents before the first pass of a chain.
/** @param {Drawn} model @param {ArrayLike<number>} x0 @returns {number[]} */
function startOf(model, x0) {
  const [{n_h}] = model.layers,
    of = /** @type {any} */ (model),
    found = model.top ? guesses(of, x0, new Map()) : passUp(of, x0, new Map());
  return Array.from(found).slice(0, n_h);
}

// Noise for a chain to start from: fair coins, or of real-valued images normal numbers.
/** @param {number} n_v @param {number} seed @returns {ArrayLike<number>} */
export const noiseImage = (n_v, seed, gaussian = false) => {
  const rng = new Generator([seed, 2]);
  return gaussian ? rng.normals(n_v) : rng.coins(n_v);
};
