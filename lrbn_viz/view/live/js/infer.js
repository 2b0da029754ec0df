// Inference of one image by one of the methods that a model offers.

import {updateLayers} from "./deep.js";
import {isWhole} from "../../player/js/known.js";
import {factorised, summedOut, updateLatents} from "./icm.js";
import {guesses, meanField, passUp, startMeans} from "./moments.js";
import {errorsOf, weighParticles} from "./particles.js";
import {Generator} from "./random.js";
import {observedPart} from "./observed.js";
import {activation} from "./state.js";

/**
 * Description of a method, as Python's model declares it (page.py).
 * @typedef {{name: string, title: string, kind: "visits" | "mean-field" | "recognition" | "particles", bound: string, guess: boolean, order: import("./icm.js").Order, temperature: number | number[], max_sweeps: number, sampled: boolean, draws: boolean, start: string, n_particles: number, whole_only?: boolean, in_part?: string}} Method
 */

// Temperatures of all sweeps: a constant, or one for each sweep followed by ICM's.
/** @param {Method} method */
export function schedule({temperature, max_sweeps}) {
  const rest = new Array(max_sweeps);
  return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
}

/**
 * @param {Model} whole @param {Method} method @param {ArrayLike<number>} image  NaN where it is not known @param {import("./icm.js").Start} start
 * @param {Map<number, number>} held @param {number} seed
 */
export function infer(whole, method, image, start, held, seed) {
  if (whole.factorised) return isWhole(image) ? factorised(whole.layers[0], image) : summedOut(whole, image);
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
  const how = /** @type {const} */ ([x, start, method.order, schedule(method), held, rng]);
  return layers.length > 1 ? updateLayers(layers, ...how) : updateLatents(layers[0], ...how);
}

// Reconstruction error of activations plus a multiple of a row of weights: wrong pixels, or for Gaussian units the squared
// distance. Equation (24).
/** @param {Float64Array} a  modified @param {ArrayLike<number>} x @param {boolean} gaussian @param {Float32Array | Float64Array} W @param {number} row @param {number} times */
function wrongAfter(a, x, gaussian, W, row, times) {
  let total = 0;
  if (gaussian) {
    for (let i = 0; i < a.length; i++) {
      const distance = (a[i] += times * W[row + i]) - x[i];
      total += distance * distance;
    }
    return total;
  }
  for (let i = 0; i < a.length; i++) {
    a[i] += times * W[row + i];
    if (a[i] > 0 !== x[i] > 0) total++;
  }
  return total;
}

// Reconstruction error after each visit, of the pixels that are known.
/** @param {Model} whole @param {ArrayLike<number>} image @param {import("./icm.js").Trace} trace */
export function errorsAlong(whole, image, trace) {
  const {model, x} = observedPart(whole, image);
  if (trace.particles) return errorsOf(model, x, trace);
  const {
    layers: [layer],
    visible,
  } = model;
  const {n_v, n_h, exact: W} = layer,
    h = Float64Array.from(trace.h0),
    a = activation(layer, h.subarray(0, n_h)),
    pixels = Float64Array.from(x),
    gaussian = visible === "gaussian";
  const errors = new Float64Array(trace.unit.length + 1);
  errors[0] = wrongAfter(a, pixels, gaussian, W, 0, 0);
  trace.unit.forEach((j, k) => {
    const change = trace.after[k] - h[j];
    h[j] = trace.after[k];
    errors[k + 1] = change && j < n_h ? wrongAfter(a, pixels, gaussian, W, j * n_v, change) : errors[k];
  });
  return errors;
}
