// Inference of one image by one of the methods that a model offers.

import {errorsAlong as errorsOfStates, updateLatents, updateLayers} from "../../../browser/js/lrbn.js";
import {Generator} from "../../../browser/js/random.js";
import {visitIndependent} from "../../../browser/js/rbm.js";
import {guesses, meanField, passUp, startMeans} from "../../../browser/js/means.js";
import {errorsAlong as errorsOfParticles, weighParticles} from "./particles.js";
import {observedPart} from "./observed.js";

/**
 * Description of a method, as Python's model declares it (page.py).
 * @typedef {{name: string, title: string, kind: "visits" | "mean-field" | "recognition" | "particles", bound: string, guess: boolean, order: import("../../../browser/js/lrbn.js").Order, temperature: number | number[], max_sweeps: number, sampled: boolean, draws: boolean, start: string, n_particles: number, whole_only?: boolean, in_part?: string}} Method
 */

// Temperatures of all sweeps: a constant, or one for each sweep followed by ICM's.
/** @param {Method} method */
export function schedule({temperature, max_sweeps}) {
  const rest = new Array(max_sweeps);
  return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
}

/**
 * @param {Model} whole @param {Method} method @param {ArrayLike<number>} image  NaN where it is not known @param {import("../../../browser/js/lrbn.js").Start} start
 * @param {Map<number, number>} held @param {number} seed
 */
export function infer(whole, method, image, start, held, seed) {
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

// Reconstruction error after each visit, of the pixels that are known.
/** @param {Model} whole @param {ArrayLike<number>} image @param {import("../../../browser/js/lrbn.js").Trace} trace */
export function errorsAlong(whole, image, trace) {
  if (!trace.particles) return errorsOfStates(whole.layers[0], image, trace);
  const {model, x} = observedPart(whole, image);
  return errorsOfParticles(model, x, trace);
}
