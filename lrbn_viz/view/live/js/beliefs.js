// Probabilities of each unit of a small model, with nothing known and given what is: lrbn_viz/view/player/beliefs.py.

import {allLogJoints} from "../../../browser/js/lrbn.js";
import {softplus} from "../../player/js/units.js";
import {sigmoid} from "../../../browser/js/means.js";
import {observedPart} from "./observed.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {network, max_exact_interactive: MAX_EXACT} = constants;

/** @typedef {{meta: Pick<Beliefs, "log_evidence">, latents: Float64Array, visibles: Float64Array, apart: Float64Array | null}} Believed */

// Whether the network of a model is drawn with the probabilities of its units.
/** @param {Pick<Model, "layers" | "visible">} model */
export const believes = ({layers, visible}) =>
  layers.length === 1 &&
  visible === "bernoulli" &&
  layers[0].n_h <= MAX_EXACT &&
  layers[0].n_v <= network.visibles;

// The activations of the visible units in every state, a row each: those of the state without its lowest unit, and its weights.
/** @param {Layer} layer */
function activationsOf({n_h, n_v, exact, b}) {
  const rows = new Float64Array(2 ** n_h * n_v);
  rows.set(b);
  for (let state = 1; state < 2 ** n_h; state++) {
    const without = state & (state - 1),
      j = 31 - Math.clz32(state ^ without);
    for (let i = 0; i < n_v; i++) rows[state * n_v + i] = rows[without * n_v + i] + exact[j * n_v + i];
  }
  return rows;
}

// log P(x, h) of every state, of what is known of x.
/** @param {Model} whole @param {Float64Array} rows @param {ArrayLike<number>} image  NaN where it is not known @param {boolean} directed */
function logJointsOf(whole, rows, image, directed) {
  if (directed) {
    const {model, x} = observedPart(whole, image);
    return allLogJoints(model.layers[0], x);
  }
  const [{n_h, n_v, d}] = whole.layers;
  // of an RBM an unknown unit is summed out, and leaves log(1 + exp(a)) behind
  const joints = new Float64Array(2 ** n_h);
  for (let state = 0; state < joints.length; state++) {
    let sum = 0;
    for (let j = 0; j < n_h; j++) if ((state >> j) & 1) sum += d[j];
    for (let i = 0; i < n_v; i++) {
      const a = rows[state * n_v + i];
      sum += Number.isNaN(image[i]) ? softplus(a) : image[i] * a;
    }
    joints[state] = sum;
  }
  return joints;
}

// The share of each state, of those that agree with what is held, and the logarithm of the sum over all.
/** @param {Float64Array} logJoints @param {Map<number, number>} held */
function sharesOf(logJoints, held) {
  // of what is held the likeliest state may be much less likely than the likeliest of all
  const agrees = (/** @type {number} */ state) =>
      Array.from(held).every(([j, value]) => ((state >> j) & 1) === value),
    given = logJoints.map((value, state) => (agrees(state) ? value : -Infinity)),
    logSum = logSumExp(given);
  return {shares: given.map((value) => Math.exp(value - logSum)), logSum: logSumExp(logJoints)};
}

/** @param {Float64Array} values */
function logSumExp(values) {
  const top = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return top + Math.log(values.reduce((total, value) => total + Math.exp(value - top), 0));
}

/** @param {Model} model @param {Float64Array} rows @param {ArrayLike<number>} x @param {Map<number, number>} held @param {boolean} directed */
function believed(model, rows, x, held, directed) {
  const [{n_h, n_v}] = model.layers,
    prior = sharesOf(logJointsOf(model, rows, new Float64Array(n_v).fill(NaN), directed), new Map()),
    posterior = sharesOf(logJointsOf(model, rows, x, directed), held),
    latents = new Float64Array(2 * n_h),
    visibles = new Float64Array(2 * n_v);
  [prior, posterior].forEach(({shares}, row) => {
    shares.forEach((share, state) => {
      if (!share) return;
      for (let j = 0; j < n_h; j++) if ((state >> j) & 1) latents[row * n_h + j] += share;
      for (let i = 0; i < n_v; i++) visibles[row * n_v + i] += share * sigmoid(rows[state * n_v + i]);
    });
  });
  for (let i = 0; i < n_v; i++) if (!Number.isNaN(x[i])) visibles[n_v + i] = x[i];
  return {latents: latents.map((p) => Math.min(1, p)), visibles, logEvidence: posterior.logSum};
}

// Each latent by itself, by its offset and what is observed: of nothing, and of x.
/** @param {Layer} layer @param {ArrayLike<number>} x @param {Map<number, number>} held */
function byThemselves({n_h, n_v, exact: W, d}, x, held) {
  const found = new Float64Array(2 * n_h);
  for (let j = 0; j < n_h; j++) {
    let sum = d[j];
    for (let i = 0; i < n_v; i++) if (x[i] === 1) sum += W[j * n_v + i];
    found[j] = sigmoid(d[j]);
    found[n_h + j] = held.get(j) ?? sigmoid(sum);
  }
  return found;
}

/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held @param {boolean} reads  whether its weights are also read factorised @returns {Believed | null} */
export function beliefsOf(model, x, held, reads) {
  if (!believes(model)) return null;
  const rows = activationsOf(model.layers[0]),
    {latents, visibles, logEvidence} = believed(model, rows, x, held, !model.factorised);
  return {
    meta: {log_evidence: logEvidence},
    latents,
    visibles,
    apart: reads ? byThemselves(model.layers[0], x, held) : null,
  };
}
