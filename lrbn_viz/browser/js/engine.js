// The engine of a page, by the names that it has in Python: what a model infers, why, and how it learns. All of it is computed
// by Python's kernels (memory.js loads them): those of the module "kernels" infer, those of "learning" train.

import {KINDS} from "./formulas.js";
import {HardEM} from "./hard_em.js";
import {activation, errorsAlong as errorsOfStates, statesAfter, updateLatents, updateLayers} from "./lrbn.js";
import {kernels} from "./memory.js";
import {Generator} from "./random.js";
import {visitIndependent} from "./rbm.js";
import {guesses, meanField, passUp, startMeans} from "./means.js";
import {errorsAlong as errorsOfParticles, meansAfter, weighParticles} from "./particles.js";
import {observedPart} from "./observed.js";
import {drawPasses, noiseImage} from "./passes.js";
import {RBMSystem} from "./rbm_system.js";
import {RWSSystem} from "./rws_system.js";

/**
 * Description of a method, as Python's model declares it (page.py).
 * @typedef {{name: string, title: string, kind: "visits" | "mean-field" | "recognition" | "particles", bound: string, guess: boolean, order: import("./lrbn.js").Order, temperature: number | number[], max_sweeps: number, sampled: boolean, draws: boolean, start: string, n_particles: number, whole_only?: boolean, in_part?: string}} Method
 */

// Temperatures of all sweeps: a constant, or one for each sweep followed by ICM's.
/** @param {Method} method */
export function schedule({temperature, max_sweeps}) {
  const rest = new Array(max_sweeps);
  return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
}

/**
 * Every visit of the inference of one image's latents.
 * @param {Model} whole @param {Method} method @param {ArrayLike<number>} image  NaN where it is not known @param {import("./lrbn.js").Start} start
 * @param {Map<number, number>} held @param {number} seed
 */
export function trace(whole, method, image, start, held, seed) {
  if (whole.factorised) return visitIndependent(whole.layers[0], image);
  const {model, x} = observedPart(whole, image),
    {layers} = model;
  if (start === "recognition") start = guesses(model, x, new Map()).map((logOdds) => Number(logOdds > 0));
  const rng = new Generator(seed);
  const {bound, max_sweeps: sweeps} = method;
  if (method.kind === "particles") return weighParticles(model, x, method.n_particles, held, rng);
  if (bound === "top" || bound === "undirected") {
    const off = new Float64Array(model.n_h),
      guess = bound === "top" ? guesses(model, x, held) : method.guess ? passUp(model, x, held) : null;
    return meanField(model, x, off, held, sweeps, bound, guess);
  }
  if (method.kind !== "visits" && bound) {
    const none = /** @type {const} */ (["sequential", [], new Map(), rng]),
      begun =
        layers.length > 1
          ? updateLayers(layers, x, start, ...none)
          : updateLatents(layers[0], x, start, ...none);
    return meanField(model, x, begun.h0, held, sweeps, bound, guesses(model, x, held));
  }
  if (method.kind === "mean-field")
    return meanField(model, x, startMeans(layers[0], x, start, rng), held, sweeps);
  const how = /** @type {const} */ ([image, start, method.order, schedule(method), held, rng]);
  return layers.length > 1 ? updateLayers(whole.layers, ...how) : updateLatents(whole.layers[0], ...how);
}

// The states of a trace's latents after k visits, by default all; where it has means, the likelier ones.
/** @param {import("./lrbn.js").Trace} made @param {number} [k] */
export function latentsAfter(made, k = made.unit.length) {
  const h = made.particles ? meansAfter(made, k) : statesAfter(made, k);
  return Uint8Array.from(h, (value) => Number(value > 0.5));
}

// The latents of an image by the named method.
/** @param {Parameters<typeof trace>} given */
export const infer = (...given) => latentsAfter(trace(...given));

// Reconstruction error after each visit, of the pixels that are known.
/** @param {Model} whole @param {ArrayLike<number>} image @param {import("./lrbn.js").Trace} made */
export function errorsAlong(whole, image, made) {
  if (!made.particles) return errorsOfStates(whole.layers[0], image, made);
  const {model, x} = observedPart(whole, image);
  return errorsOfParticles(model, x, made);
}

/**
 * The terms of logit P(h_j = 1 | x, h_-j) under a directed model: its prior, and what each unit of the layer below it says
 * with all other latents off, costs in silence, and leaves after what the others say; nats. Equation (10).
 * @param {Model} model @param {ArrayLike<number>} x  NaN where it is not known @param {ArrayLike<number>} h  states of all layers, the lowest first
 * @param {number} j @returns {{prior: number, evidence: Float64Array, alone: Float64Array, others: Float64Array}}
 */
export function log_odds_terms({layers, factorised}, x, h, j) {
  if (factorised) throw new Error("expected a directed model, whose latents depend on each other given x");
  const n = layers.findLastIndex(({first}) => first <= j),
    layer = layers[n],
    {n_v, first} = layer,
    own = j - first,
    part = (/** @type {Layer} */ of) => Array.from({length: of.n_h}, (_, k) => h[of.first + k]),
    others = part(layer).map((state, k) => (k === own ? 0 : state)),
    above = n < layers.length - 1 ? activation(layers[n + 1], part(layers[n + 1])) : layer.d,
    memory = kernels();
  return memory.scope(() => {
    const terms = {
      evidence: memory.array("f8", n_v),
      alone: memory.array("f8", n_v),
      others: memory.array("f8", n_v),
    };
    memory.call("fill_terms", {
      kind: KINDS[/** @type {keyof typeof KINDS} */ (n ? "bernoulli" : layer.visible)],
      w: memory.of("f8", layer.exact.subarray(own * n_v, (own + 1) * n_v)),
      b: memory.of("f8", layer.b),
      x: memory.of("f8", n ? part(layers[n - 1]) : x),
      a: memory.of("f8", activation(layer, others)),
      ...terms,
    });
    const {evidence, alone, others: rest} = terms;
    return {
      prior: above[own],
      evidence: evidence.view.slice(),
      alone: alone.view.slice(),
      others: rest.view.slice(),
    };
  });
}

const SYSTEMS = {lrbn: HardEM, rbm: RBMSystem, rws: RWSSystem};
/** @typedef {keyof typeof SYSTEMS} Kind  ways of learning, by the names that Python's `kind` has */

// A way of learning with its settings, such as HardEM in Python.
/** @param {Kind} kind @param {any} settings */
export function systemOf(kind, settings) {
  if (!(kind in SYSTEMS))
    throw new Error(`expected a way of learning of ${Object.keys(SYSTEMS).join(", ")}; got ${kind}`);
  return new SYSTEMS[kind](settings);
}

/** @typedef {import("./training.js").System} System */

// Change a state by one step of its way of learning on a minibatch; returns the step's figures.
/** @param {System} system @param {any} state @param {Float64Array} X  (n, n_v) @param {Generator} rng @param {any} [settings]  of this step */
export const train_step = (system, state, X, rng, settings) => system.step(state, X, rng, settings);

// Draw n images from what was learned.
/** @param {System} system @param {any} state @param {number} n @param {Generator} rng @returns {ArrayLike<number>} */
export const sample = (system, state, n, rng) => system.sample(state, n, rng);

export {drawPasses as draw_passes, noiseImage as noise_image};
