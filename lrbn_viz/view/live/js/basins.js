// The local optima that ICM reaches from many starts: lrbn_viz/measure/basins.py, with the same starts.

import {errorsOf, logJoint, startLatents, statesAfter, updateLatents} from "../../../browser/js/lrbn.js";
import {kernels} from "../../../browser/js/memory.js";
import {Generator} from "../../../browser/js/random.js";
import {packBits} from "../../player/js/decode.js";
import {pack} from "./write.js";
import constants from "../../../measure/basins.json" with {type: "json"};

const {densities: DENSITIES} = constants;

/** @param {number} n_h */
export const pageStarts = (n_h) =>
  n_h <= constants.few_latents ? constants.starts : constants.starts_of_many;
const SWEEPS = new Float64Array(10_000); // temperatures of ICM's sweeps; it ends long before, as every flip raises the joint

/**
 * @param {Layer} layer @param {ArrayLike<number>} x @param {number} n_starts @param {Record<string, ArrayLike<number>>} [more]  named starts
 */
export function findBasins(layer, x, n_starts, more = {}) {
  const {n_h} = layer,
    rng = new Generator(0),
    none = new Generator(0);
  /** @type {Record<string, ArrayLike<number>>} */
  const named = Object.fromEntries(
    ["conditional", "paper", "zeros"].map((name) => [name, startLatents(layer, x, name, none)]),
  );
  Object.assign(named, {ones: new Uint8Array(n_h).fill(1)}, more);
  const starts = Object.values(named).map((h) => Uint8Array.from(h)),
    kinds = [...Object.keys(named), ...DENSITIES.map((share) => `random, ${Math.round(100 * share)} % on`)];
  const kind = Array.from(starts.keys());
  for (let n = 0; starts.length < n_starts; n++) {
    const density = n % DENSITIES.length;
    starts.push(Uint8Array.from(rng.uniforms(n_h), (u) => Number(u < DENSITIES[density])));
    kind.push(kinds.length - DENSITIES.length + density);
  }
  /** @type {Map<string, {h: Uint8Array, start: Uint8Array, byKind: Uint16Array, logJoint: number}>} */
  const found = new Map();
  starts.forEach((start, n) => {
    const trace = updateLatents(layer, x, start, "sequential", SWEEPS, new Map(), none),
      h = Uint8Array.from(statesAfter(trace));
    const key = h.join("");
    let optimum = found.get(key);
    if (!optimum) {
      const joint = logJoint(layer, x, h);
      found.set(key, (optimum = {h, start, byKind: new Uint16Array(kinds.length), logJoint: joint}));
    }
    optimum.byKind[kind[n]]++;
  });
  const optima = Array.from(found)
    .sort(([a, {logJoint: first}], [b, {logJoint: second}]) => second - first || (a < b ? -1 : 1))
    .map(([, optimum]) => optimum);
  return {kinds, optima};
}

// Packed for the player, as in app/inference/wire.py.
/**
 * @param {ReturnType<typeof findBasins>} basins @param {Layer} layer @param {ArrayLike<number>} x
 * @param {string} question @param {number} lane @param {Record<string, string>} titles  of named starts
 */
export function packBasins({kinds, optima}, layer, x, question, lane, titles) {
  const bytes = Math.ceil(optima.length / 8),
    H = new Uint8Array(layer.n_h * bytes),
    gaussian = layer.visible === "gaussian";
  for (let j = 0; j < layer.n_h; j++) H.set(packBits(optima.map(({h}) => h[j])), j * bytes);
  const memory = kernels(),
    wrong = memory.scope(() => {
      const states = memory.array("f8", optima.length, layer.n_h);
      optima.forEach(({h}, row) => states.view.set(h, row * layer.n_h));
      return errorsOf(layer, x, states);
    });
  const counts = optima.map(({byKind}) => byKind.reduce((sum, count) => sum + count, 0));
  /** @type {Record<string, Numbers>} */
  const arrays = {
    H,
    log_joint: Float64Array.from(optima, ({logJoint}) => logJoint),
    counts: Uint16Array.from(counts),
    counts_by_kind: Uint16Array.from(optima.flatMap(({byKind}) => Array.from(byKind))),
    wrong: gaussian ? Float32Array.from(wrong) : Uint16Array.from(wrong),
  };
  const all = {...titles, ones: "all units on"};
  return pack(
    {
      kind: "basins",
      question,
      kinds: {[lane]: kinds.map((name) => all[/** @type {"ones"} */ (name)] ?? name)},
    },
    Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${lane}.${name}`, array])),
  );
}
