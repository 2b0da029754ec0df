// Importance-weighted particles in the page: lrbn_viz/rivals/sbn/weighted.py and ParticleTrace of lrbn_viz/core/trace.py. A
// visit draws one more state from the recognition network; latents are the weighted means of all so far.

import constants from "../../../io/constants.json" with {type: "json"};
import {jointOf} from "../../../browser/js/lrbn.js";
import {softplus} from "../../player/js/units.js";
import {sigmoid} from "../../../browser/js/means.js";

/** @typedef {import("../../../browser/js/lrbn.js").Trace} Trace */

/** @param {number} a @param {number} b */
const logAddExp = (a, b) => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));

// States of all layers, drawn from q(h1 | x) q(h2 | h1) ..., the lowest layer first; `logQ` of each.
/** @param {Model} model @param {ArrayLike<number>} x @param {number} n @param {Map<number, number>} held @param {import("../../../browser/js/random.js").Generator} rng */
function draw({layers, recognition = []}, x, n, held, rng) {
  const logQ = new Float64Array(n);
  /** @type {Uint8Array[][]} */
  const found = [];
  layers.forEach(({first, n_v, n_h}, layer) => {
    const {V, c} = recognition[layer],
      uniforms = rng.uniforms(n * n_h);
    /** @param {ArrayLike<number>} below */
    const odds = (below) => {
      const z = Float64Array.from(c);
      for (let j = 0; j < n_h; j++)
        for (let i = 0, at = j * n_v; i < n_v; i++, at++) if (below[i]) z[j] += below[i] * V[at];
      for (const [unit, state] of held)
        if (unit >= first && unit < first + n_h)
          z[unit - first] = state ? constants.held_log_odds : -constants.held_log_odds;
      return z;
    };
    const same = layer ? null : odds(x); // of the lowest layer, whose particles have the image in common
    found.push(
      Array.from({length: n}, (_, k) => {
        const z = same ?? odds(found[layer - 1][k]),
          h = z.map((value, j) => Number(uniforms[k * n_h + j] < sigmoid(value)));
        for (let j = 0; j < n_h; j++) logQ[k] += h[j] * z[j] - softplus(z[j]);
        return Uint8Array.from(h);
      }),
    );
  });
  return {logQ, found};
}

/** @param {Model} model @param {ArrayLike<number>} x @param {number} n @param {Map<number, number>} held @param {import("../../../browser/js/random.js").Generator} rng @returns {Trace} */
export function weighParticles(model, x, n, held, rng) {
  const {layers} = model,
    {logQ, found} = draw(model, x, n, held, rng);
  const states = Array.from({length: n}, (_, k) => Uint8Array.from(found.flatMap((of) => Array.from(of[k]))));
  const weights = Array.from(
      logQ,
      (value, k) =>
        jointOf(
          layers,
          x,
          found.map((of) => of[k]),
        ) - value,
    ),
    sums = weights.slice(0, 1);
  for (const weight of weights.slice(1)) sums.push(logAddExp(/** @type {number} */ (sums.at(-1)), weight));
  return {
    h0: Float64Array.from(states[0]),
    unit: new Array(n - 1).fill(0),
    after: weights.slice(1).map((weight, k) => Math.exp(weight - sums[k + 1])),
    flipped: new Array(n - 1).fill(false),
    logOdds: weights.slice(1),
    logJoint: sums.map((sum, k) => sum - Math.log(k + 1)),
    sweep: new Array(n - 1).fill(0),
    converged: false,
    sampled: true,
    means: true,
    atOnce: false,
    particles: states.slice(1),
  };
}

// The weighted means at the start and after each visit.
/** @param {Trace} trace @returns {Float64Array[]} */
export function meansAlong({h0, after, particles = []}) {
  const rows = [Float64Array.from(h0)];
  particles.forEach((state, k) => rows.push(rows[k].map((mean, j) => mean + after[k] * (state[j] - mean))));
  return rows;
}

// Wrong pixels of the reconstruction after each visit. Equation (24).
/** @param {Model} model @param {ArrayLike<number>} x @param {Trace} trace */
export function errorsOf({layers: [layer]}, x, trace) {
  return Float64Array.from(meansAlong(trace), (means) => {
    const {n_v, n_h, exact: W, b} = layer,
      a = Float64Array.from(b);
    for (let j = 0; j < n_h; j++)
      if (means[j]) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += means[j] * W[row + i];
    return a.reduce((wrong, value, i) => wrong + Number(value > 0 !== x[i] > 0), 0);
  });
}
