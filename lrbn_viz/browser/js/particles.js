// Importance-weighted particles in the page, by Python's kernels: lrbn_viz/kernels/particles.py. A visit draws one more
// state from the recognition network; latents are the weighted means of all so far.

import constants from "../../io/constants.json" with {type: "json"};
import {errorsOf, jointOf} from "./lrbn.js";
import {kernels} from "./memory.js";

/** @typedef {import("./lrbn.js").Trace} Trace */

// States of all layers, drawn from q(h1 | x) q(h2 | h1) ..., the lowest layer first; `logQ` of each.
/** @param {Model} model @param {ArrayLike<number>} x @param {number} n @param {Map<number, number>} held @param {import("./random.js").Generator} rng */
function draw({layers, recognition = []}, x, n, held, rng) {
  const memory = kernels();
  return memory.scope(() => {
    const log_q = memory.array("f8", n);
    let below = memory.of("u1", x, 1, x.length); // which all particles have in common
    const found = layers.map(({first, n_v, n_h}, layer) => {
      const {V: rows, c} = recognition[layer],
        V = memory.array("f8", n_v, n_h),
        H = memory.array("u1", n, n_h),
        {view} = V;
      for (let j = 0, at = 0; j < n_h; j++) for (let i = 0; i < n_v; i++, at++) view[i * n_h + j] = rows[at];
      memory.call("draw_layer", {
        V,
        c: memory.of("f8", c),
        below,
        held: memory.of(
          "f8",
          Array.from({length: n_h}, (_, j) => {
            const state = held.get(first + j);
            if (state === undefined) return NaN;
            return state ? constants.held_log_odds : -constants.held_log_odds;
          }),
        ),
        u: memory.of("f8", rng.uniforms(n * n_h), n, n_h),
        z: memory.array("f8", n_h),
        p: memory.array("f8", n_h),
        H,
        log_q,
      });
      below = H;
      return Array.from({length: n}, (_, k) => H.view.slice(k * n_h, (k + 1) * n_h));
    });
    return {logQ: log_q.view.slice(), found};
  });
}

/** @param {Model} model @param {ArrayLike<number>} x @param {number} n @param {Map<number, number>} held @param {import("./random.js").Generator} rng @returns {Trace} */
export function weighParticles(model, x, n, held, rng) {
  const {layers} = model,
    {logQ, found} = draw(model, x, n, held, rng);
  const states = Array.from({length: n}, (_, k) => Uint8Array.from(found.flatMap((of) => Array.from(of[k]))));
  /** @param {number} k */
  const jointWith = (k) =>
    jointOf(
      layers,
      x,
      found.map((of) => of[k]),
    );
  const memory = kernels();
  return memory.scope(() => {
    const log_weights = memory.of(
        "f8",
        logQ.map((value, k) => jointWith(k) - value),
      ),
      estimates = memory.array("f8", n),
      shares = memory.array("f8", n);
    memory.call("weigh_along", {log_weights, estimates, shares});
    return {
      h0: Float64Array.from(states[0]),
      unit: new Array(n - 1).fill(0),
      after: Array.from(shares.view.subarray(1)),
      logOdds: Array.from(log_weights.view.subarray(1)),
      logJoint: Array.from(estimates.view),
      sweep: new Array(n - 1).fill(0),
      converged: false,
      sampled: true,
      means: true,
      atOnce: false,
      particles: states.slice(1),
    };
  });
}

// The weighted means at the start and after each visit, a row each; in the memory until the scope ends.
/** @param {Trace} trace */
function placedMeans({h0, after, particles = []}) {
  const memory = kernels(),
    n = particles.length + 1,
    n_h = h0.length,
    H = memory.array("u1", n, n_h),
    means = memory.array("f8", n, n_h);
  H.view.set(h0);
  particles.forEach((state, k) => H.view.set(state, (k + 1) * n_h));
  memory.call("means_along", {H, shares: memory.of("f8", [1, ...after]), means});
  return means;
}

// The weighted means after k visits.
/** @param {Trace} trace @param {number} k */
export const meansAfter = (trace, k) =>
  kernels().scope(() => placedMeans(trace).view.slice(k * trace.h0.length, (k + 1) * trace.h0.length));

// Wrong pixels of the reconstruction after each visit.
/** @param {Model} model @param {ArrayLike<number>} x @param {Trace} trace */
export const errorsAlong = ({layers: [layer]}, x, trace) =>
  kernels().scope(() => errorsOf(layer, x, placedMeans(trace)));
