// One model's inference of one image, by the name of a method that the model offers.

import {updateLayers} from "./deep.js";
import {factorised, updateLatents} from "./icm.js";
import {meanField, startMeans} from "./moments.js";
import {Generator} from "./random.js";

/**
 * How a method infers, as Python's model declares it (page.py).
 * @typedef {{name: string, title: string, kind: "visits" | "mean-field", order: import("./icm.js").Order, temperature: number | number[], max_sweeps: number, sampled: boolean, draws: boolean}} Method
 */

// Temperatures of all sweeps: one for all of them, or one each and then those of ICM.
/** @param {Method} method */
export function schedule({temperature, max_sweeps}) {
  const rest = new Array(max_sweeps);
  return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
}

/**
 * @param {Model} model @param {Method} method @param {ArrayLike<number>} x @param {import("./icm.js").Start} start
 * @param {Map<number, number>} held @param {number} seed
 */
export function infer(model, method, x, start, held, seed) {
  const {layers} = model;
  if (model.factorised) return factorised(layers[0], x);
  if (method.kind === "mean-field") return meanField(layers[0], x, startMeans(layers[0], x, start, new Generator(seed)), held, method.max_sweeps);
  const how = /** @type {const} */ ([x, start, method.order, schedule(method), held, new Generator(seed)]);
  return layers.length > 1 ? updateLayers(layers, ...how) : updateLatents(layers[0], ...how);
}

// How wrong the reconstruction is after each visit: pixels, or for Gaussian units the squared distance. Equation (24).
/** @param {Model} model @param {ArrayLike<number>} x @param {import("./icm.js").Trace} trace */
export function errorsAlong({layers: [{n_v, n_h, exact: W, b}], visible}, x, trace) {
  const a = Float64Array.from(b), errors = new Float64Array(trace.unit.length + 1);
  /** @param {number} j @param {number} change */
  const add = (j, change) => { if (j < n_h) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += change * W[row + i]; };
  const count = () => {
    let total = 0;
    for (let i = 0; i < n_v; i++) total += visible === "gaussian" ? (a[i] - x[i]) ** 2 : Number(a[i] > 0 !== x[i] > 0);
    return total;
  };
  const h = Float64Array.from(trace.h0);
  h.forEach((value, j) => { if (value) add(j, value); });
  errors[0] = count();
  trace.unit.forEach((j, k) => {
    const change = trace.after[k] - h[j];
    h[j] = trace.after[k];
    if (change) add(j, change);
    errors[k + 1] = change ? count() : errors[k];
  });
  return errors;
}
