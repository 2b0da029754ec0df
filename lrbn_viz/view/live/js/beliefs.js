// Probabilities of each unit of a small model, with nothing known and given what is, by Python's kernels:
// lrbn_viz/view/player/beliefs.py.

import {KINDS} from "../../../browser/js/formulas.js";
import {enumerated} from "../../../browser/js/lrbn.js";
import {kernels} from "../../../browser/js/memory.js";
import {observedPart} from "../../../browser/js/observed.js";
import {apart, momentsOf} from "./states.js";
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

// log P(x, h) of every state, of what is known of x; in the memory until the scope ends.
/** @param {Model} whole @param {ArrayLike<number>} image  NaN where it is not known */
function logJointsOf(whole, image) {
  if (!whole.factorised) {
    const {model, x} = observedPart(whole, image);
    return enumerated(model.layers[0], x);
  }
  const memory = kernels(),
    [{n_h, n_v, exact, b, d}] = whole.layers,
    log_joints = memory.array("f8", 2 ** n_h);
  memory.call("enumerate_independent", {
    rows: memory.of("f8", exact, n_h, n_v),
    b: memory.of("f8", b),
    d: memory.of("f8", d),
    x: memory.of("f8", image),
    said: memory.array("f8", n_h),
    a: memory.array("f8", n_v),
    log_joints,
  });
  return log_joints;
}

// Fill the share of each state, and return the logarithm of the sum over all.
/** @param {KernelArray<"f8">} log_joints @param {KernelArray<"f8">} p */
function normalised(log_joints, p) {
  const top = log_joints.view.reduce((most, value) => Math.max(most, value), -Infinity);
  return kernels().call("normalise", {log_joints, top, p});
}

/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held */
function believed(model, x, held) {
  const memory = kernels(),
    [{n_h, n_v, exact, b}] = model.layers,
    size = 2 ** n_h;
  return memory.scope(() => {
    const p = memory.array("f8", size),
      prior = logJointsOf(model, new Float64Array(n_v).fill(NaN)),
      given = logJointsOf(model, x),
      both = memory.array("f8", 2, size),
      on = memory.array("f8", 2, n_v);
    normalised(prior, p);
    both.view.set(p.view);
    const latents = [momentsOf(p, n_h).marginals],
      logEvidence = normalised(given, p);
    // of what is held the likeliest state may be much less likely than the likeliest of all
    const states = Array.from(held);
    given.view.forEach((_, state, all) => {
      if (states.some(([j, value]) => ((state >> j) & 1) !== value)) all[state] = -Infinity;
    });
    normalised(given, p);
    both.view.set(p.view, size);
    latents.push(momentsOf(p, n_h).marginals);
    memory.call("expected_visibles", {
      kind: KINDS[model.visible],
      rows: memory.of("f8", exact, n_h, n_v),
      b: memory.of("f8", b),
      p: both,
      a: memory.array("f8", n_v),
      on,
    });
    const visibles = on.view.slice();
    for (let i = 0; i < n_v; i++) if (!Number.isNaN(x[i])) visibles[n_v + i] = x[i];
    return {latents: Float64Array.from(latents.flatMap((each) => Array.from(each))), visibles, logEvidence};
  });
}

// Each latent by itself, by its offset and what is observed: of nothing, and of x.
/** @param {Layer} layer @param {ArrayLike<number>} x @param {Map<number, number>} held */
function byThemselves(layer, x, held) {
  const nothing = new Float64Array(layer.n_v).fill(NaN),
    given = apart(layer, x).map((p, j) => held.get(j) ?? p);
  return Float64Array.from([...apart(layer, nothing), ...given]);
}

/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held @param {boolean} reads  whether its weights are also read factorised @returns {Believed | null} */
export function beliefsOf(model, x, held, reads) {
  if (!believes(model)) return null;
  const {latents, visibles, logEvidence} = believed(model, x, held);
  return {
    meta: {log_evidence: logEvidence},
    latents,
    visibles,
    apart: reads ? byThemselves(model.layers[0], x, held) : null,
  };
}
