// Models compared on threads of their own: one infers images, by the kernels of inference, and another one draws samples
// and measures log P(x), by those that measure.

import {errorsAlong, latentsAfter, trace} from "../../../browser/js/engine.js";
import {logLikelihood, sampleDirected, sampleMachine} from "../../../browser/js/likelihood.js";
import {activation} from "../../../browser/js/lrbn.js";
import {loadKernels} from "../../../browser/js/memory.js";

/** @typedef {Pick<Model, "key" | "layers" | "factorised" | "visible" | "n_h" | "n_v" | "recognition" | "top">} Compared */
/** @typedef {{kind: "look", model: Compared, method: import("../../../browser/js/engine.js").Method, start: string, X: Float64Array}} Look */
/** @typedef {{kind: "draw", model: Compared, settings: Parameters<typeof sampleMachine>[1] | null, n: number, seed: number}} Draw */
/** @typedef {{kind: "measure", model: Compared, X: Float64Array, n_temperatures: number, n_bracket: number, seed: number}} Measure */
/** @typedef {{wrong: number[], on: number[], milliseconds: number, made: Uint8Array}} Looked  made: a row of pixels for each image */

const RETIMED_MS = 250, // of inference that is timed once, as on the server
  TURNS = 3;

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);

/** @param {Float64Array} X @param {number} n_v */
const rowsOf = (X, n_v) => Array.from({length: X.length / n_v}, (_, m) => X.subarray(m * n_v, (m + 1) * n_v));

/** @param {Look} question @returns {Looked} */
function look({model, method, start, X}) {
  const {n_v} = model,
    images = rowsOf(X, n_v),
    infer = () => images.map((x) => trace(/** @type {Model} */ (model), method, x, start, new Map(), 0));
  const traces = infer(), // compilation is not timed
    begun = performance.now();
  let shortest = Infinity;
  for (let turn = 0; turn < TURNS && performance.now() - begun < RETIMED_MS; turn++) {
    const at = performance.now();
    infer();
    shortest = Math.min(shortest, performance.now() - at);
  }
  const made = new Uint8Array(X.length),
    [low] = model.layers,
    states = traces.map((found) => latentsAfter(found));
  states.forEach((h, m) =>
    made.set(
      Array.from(activation(low, h.subarray(0, low.n_h)), (a) => Number(a > 0)),
      m * n_v,
    ),
  );
  return {
    made,
    wrong: traces.map((found, m) =>
      Number(errorsAlong(/** @type {Model} */ (model), images[m], found).at(-1)),
    ),
    on: states.map((h) => h.reduce((sum, on) => sum + on, 0)),
    milliseconds: shortest / images.length,
  };
}

/** @param {Draw} question */
const draw = ({model: {layers}, settings, n, seed}) =>
  settings ? sampleMachine(layers[0], settings, n, seed) : sampleDirected(layers, n, seed);

/** @param {Measure} question */
function measure({model, X, ...how}) {
  let told = performance.now();
  return logLikelihood(/** @type {Model} */ (model), X, how, (share) => {
    if (performance.now() - told < 100) return; // as often as anybody can see
    told = performance.now();
    scope.postMessage({share});
  });
}

const ANSWERS = {look, draw, measure};

scope.onmessage = ({data: {kernels, module, ...question}}) => {
  if (kernels) return loadKernels(kernels, module);
  try {
    scope.postMessage({found: ANSWERS[/** @type {"look"} */ (question.kind)](question)});
  } catch (error) {
    scope.postMessage({failed: /** @type {Error} */ (error).message});
  }
};
