// Exact results for a small model's latents, beside approximations: lrbn_viz/view/player/truth.py, with the measures of
// measure/divergence.py and the rungs of measure/ladder.py. Each approximation is a distribution over all 2^n_h states; bit
// j of a state's number is h_j.

import {beliefsOf} from "./beliefs.js";
import {observedPart} from "./observed.js";
import {infer} from "./infer.js";
import {fieldOf, guesses, sigmoid} from "../../../browser/js/means.js";
import {allLogJoints, updateLatents} from "../../../browser/js/lrbn.js";
import {Generator} from "../../../browser/js/random.js";
import constants from "../../../measure/approximations.json" with {type: "json"};

const {samples: SAMPLES, burn_in: BURN_IN} = constants.gibbs;
const {sweeps: SWEEPS, after_recognition: MEAN_FIELD_SWEEPS, max_sweeps: MAX_SWEEPS} = constants.mean_field;
const {tolerance: TOLERANCE, start_tolerance: START_TOLERANCE} = constants.mean_field;

/** @typedef {import("../../../browser/js/lrbn.js").Trace} Trace */
/** @typedef {{logJoints: Float64Array, p: Float64Array, weights: Float64Array, logEvidence: number, best: number, marginals: Float64Array, n_h: number}} Posterior */
/** @typedef {{kl: number, total_variation: number, on: ArrayLike<number>}} Measured  how far a distribution is from the posterior, and its marginals */

// P(h | x) by enumeration.
/** @param {Layer} layer @param {ArrayLike<number>} x @returns {Posterior} */
export function exactPosterior(layer, x) {
  const logJoints = allLogJoints(layer, x),
    best = logJoints.reduce((top, value, s) => (value > logJoints[top] ? s : top), 0),
    top = logJoints[best];
  const weights = logJoints.map((value) => Math.exp(value - top)),
    sum = weights.reduce((total, weight) => total + weight, 0),
    logEvidence = top + Math.log(sum);
  weights.forEach((weight, s) => {
    weights[s] = weight / sum;
  });
  return {
    logJoints,
    p: logJoints.map((value) => Math.exp(value - logEvidence)),
    weights,
    logEvidence,
    best,
    marginals: marginalsOf(weights, layer.n_h),
    n_h: layer.n_h,
  };
}

/** @param {number} state @param {number} n_h */
const bitsOf = (state, n_h) => Float64Array.from({length: n_h}, (_, j) => (state >> j) & 1);
/** @param {ArrayLike<number>} h */
const codeOf = (h) => Array.from(h).reduce((code, on, j) => code | (Number(on > 0.5) << j), 0);

/** @param {Float64Array} q  of every state @param {number} n_h */
function marginalsOf(q, n_h) {
  const on = new Float64Array(n_h);
  for (let s = 0; s < q.length; s++) for (let j = 0; j < n_h; j++) if ((s >> j) & 1) on[j] += q[s];
  return on.map((p) => Math.min(1, p));
}

/** @param {Float64Array} q  of every state @param {Float64Array} on  its marginals */
function covarianceOf(q, on) {
  const n_h = on.length,
    both = new Float64Array(n_h * n_h),
    units = new Int32Array(n_h);
  for (let s = 0; s < q.length; s++) {
    if (!q[s]) continue;
    let n = 0;
    for (let j = 0; j < n_h; j++) if ((s >> j) & 1) units[n++] = j;
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) both[units[a] * n_h + units[b]] += q[s];
  }
  return both.map((p, at) => Math.min(1, p) - on[Math.floor(at / n_h)] * on[at % n_h]);
}

// The probability of every state under independent latents.
/** @param {ArrayLike<number>} on */
function product(on) {
  const q = new Float64Array(2 ** on.length);
  q[0] = 1;
  for (let j = 0, size = 1; j < on.length; j++, size *= 2)
    for (let s = 0; s < size; s++) {
      q[s + size] = q[s] * on[j];
      q[s] *= 1 - on[j];
    }
  return q;
}

/** @param {Posterior} posterior @param {Float64Array} q @param {ArrayLike<number>} on @returns {Measured} */
function measured({logJoints, logEvidence, p}, q, on) {
  let kl = 0,
    apart = 0;
  for (let s = 0; s < q.length; s++) {
    if (q[s] > 0) kl += q[s] * (Math.log(q[s]) - (logJoints[s] - logEvidence));
    apart += Math.abs(q[s] - p[s]);
  }
  return {kl: Math.max(0, kl), total_variation: Math.min(1, 0.5 * apart), on};
}

/** @param {Posterior} posterior @param {ArrayLike<number>} on */
const independent = (posterior, on) => measured(posterior, product(on), on);

// All probability on one state
/** @param {Posterior} posterior @param {ArrayLike<number>} h */
function pointMass(posterior, h) {
  const q = new Float64Array(posterior.p.length);
  q[codeOf(h)] = 1;
  return measured(posterior, q, Float64Array.from(h));
}

/** @param {Posterior} posterior */
const feedForward = ({logJoints, n_h}) =>
  Float64Array.from({length: n_h}, (_, j) => sigmoid(logJoints[1 << j] - logJoints[0]));

// Coordinate ascent of independent latents, from the top bit down, until no mean changes by more than `tolerance`.
/** @param {Float64Array} logJoints @param {ArrayLike<number>} start @param {number} sweeps  at most @param {number} tolerance */
function ascend(logJoints, start, sweeps, tolerance) {
  const q = Float64Array.from(start),
    n_h = q.length,
    expected = new Float64Array(logJoints.length),
    weights = new Float64Array(logJoints.length);
  for (let t = 0; t < sweeps; t++) {
    expected.set(logJoints);
    weights[0] = 1; // q of the latents below the top one, in each of their states
    for (let j = 0; j < n_h - 1; j++)
      for (let s = 0, size = 1 << j; s < size; s++) {
        weights[s + size] = weights[s] * q[j];
        weights[s] *= 1 - q[j];
      }
    let change = 0;
    for (let j = n_h - 1; j >= 0; j--) {
      // latents already updated are averaged out once, for all that follow
      const half = 1 << j;
      let logOdds = 0;
      for (let s = 0; s < half; s++) logOdds += weights[s] * (expected[s + half] - expected[s]);
      const on = sigmoid(logOdds);
      change = Math.max(change, Math.abs(on - q[j]));
      q[j] = on;
      for (let s = 0; s < half; s++) expected[s] += on * (expected[s + half] - expected[s]);
      for (let s = 0; s < half >> 1; s++) weights[s] += weights[s + (half >> 1)];
    }
    if (change <= tolerance) break;
  }
  return q;
}

/** @param {Posterior} posterior @param {ArrayLike<number> | null} start  null: the best end of three @param {number} [tolerance] @returns {Float64Array} */
function meanField(posterior, start, tolerance = TOLERANCE) {
  const {logJoints, n_h, marginals} = posterior;
  if (!start) {
    const ends = [feedForward(posterior), new Float64Array(n_h).fill(0.5), marginals].map((q) =>
      independent(posterior, meanField(posterior, q, START_TOLERANCE)),
    );
    start = nearest(ends).on;
  }
  return ascend(logJoints, start, MAX_SWEEPS, tolerance);
}

// The first one of least divergence
/** @param {Measured[]} found */
const nearest = (found) => found.reduce((best, each) => (each.kl < best.kl ? each : best));

// Means after a number of sweeps over the units in order, as lanes visit them.
/** @param {Posterior} posterior @param {ArrayLike<number>} start @param {number} sweeps */
function swept({logJoints, n_h}, start, sweeps) {
  const turned = new Float64Array(logJoints.length); // with the latents in reverse order
  for (let s = 0; s < turned.length; s++) {
    let other = 0;
    for (let j = 0; j < n_h; j++) other |= ((s >> j) & 1) << (n_h - 1 - j);
    turned[other] = logJoints[s];
  }
  return ascend(turned, Array.from(start).reverse(), sweeps, 0).reverse();
}

/**
 * Exact results of a lane with a small model, for LaneMeta and the lane's arrays: the posterior if the trace is one of
 * states, its distance if the weights have a factorised form, and the probabilities of all units. Of a factorised model
 * these alone.
 * @param {Model} whole @param {Pick<LiveModel, "methods" | "has_ladder" | "usual_start">} info @param {ArrayLike<number>} image @param {Trace} trace @param {Map<number, number>} [held]
 */
export function knownOf(whole, info, image, trace, held = new Map()) {
  const beliefs = beliefsOf(whole, image, held, info.has_ladder);
  if (whole.factorised) return {truth: null, distance: null, logEvidence: 0, beliefs};
  const {model, x} = observedPart(whole, image),
    [layer] = model.layers,
    posterior = exactPosterior(layer, x);
  return {
    beliefs,
    truth: trace.means ? null : truthOf(posterior, layer, info, x, trace),
    distance: info.has_ladder ? distanceOf(posterior, model, info, x, trace) : null,
    logEvidence: posterior.logEvidence,
  };
}

/** @param {Posterior} posterior @param {Layer} layer @param {Pick<LiveModel, "methods" | "usual_start">} info @param {ArrayLike<number>} x @param {Trace} trace */
function truthOf(posterior, layer, {methods, usual_start}, x, trace) {
  const {n_h} = posterior,
    end = Float64Array.from(trace.h0);
  trace.unit.forEach((j, k) => {
    end[j] = trace.after[k];
  });
  /** @type {[string, Measured, Float64Array, number | null][]} */
  const found = [];
  /** @param {string} name @param {Measured} each */
  const add = (name, each, covariance = diagonal(each.on), samples = /** @type {number | null} */ (null)) => {
    found.push([name, each, covariance, samples]);
  };
  add("state", pointMass(posterior, end));
  add("feed_forward", independent(posterior, feedForward(posterior)));
  add("mean_field", independent(posterior, meanField(posterior, null)));
  add("marginals", independent(posterior, posterior.marginals));
  if (usual_start && methods.some(({name}) => name === "gibbs")) {
    const chain = updateLatents(
      layer,
      x,
      usual_start,
      "sequential",
      new Float64Array(BURN_IN + SAMPLES).fill(1),
      new Map(),
      new Generator(0),
    );
    const q = new Float64Array(posterior.p.length);
    for (let n = BURN_IN; n < BURN_IN + SAMPLES; n++) q[codeOf(chain.after.slice(n * n_h, (n + 1) * n_h))]++;
    q.forEach((count, s) => {
      q[s] = count / SAMPLES;
    });
    const on = marginalsOf(q, n_h);
    add("gibbs", measured(posterior, q, on), covarianceOf(q, on), SAMPLES);
  }
  return {
    meta: {
      log_evidence: posterior.logEvidence,
      map_log_joint: posterior.logJoints[posterior.best],
      approximations: found.map(([name, {kl, total_variation}, , samples]) => ({
        name,
        kl,
        total_variation,
        samples,
      })),
    },
    map: Uint8Array.from(bitsOf(posterior.best, n_h)),
    marginals: Float64Array.from(
      [posterior.marginals, ...found.map(([, {on}]) => on)].flatMap((on) => Array.from(on)),
    ),
    covariance: Float32Array.from(
      [
        covarianceOf(posterior.weights, posterior.marginals),
        ...found.map(([, , covariance]) => covariance),
      ].flatMap((each) => Array.from(each)),
    ),
  };
}

// The covariance of independent latents.
/** @param {ArrayLike<number>} on */
function diagonal(on) {
  const covariance = new Float64Array(on.length ** 2);
  for (let j = 0; j < on.length; j++) covariance[j * on.length + j] = on[j] - on[j] * on[j];
  return covariance;
}

/** @param {Posterior} posterior @param {Model} model @param {Pick<LiveModel, "methods" | "usual_start">} info @param {ArrayLike<number>} x @param {Trace} trace */
function distanceOf(posterior, model, {methods, usual_start}, x, trace) {
  const {n_h, marginals, best} = posterior,
    [layer] = model.layers,
    even = new Float64Array(n_h).fill(0.5);
  /** @type {[string, ArrayLike<number>][]} */
  const means = [
    // of an RBM with these weights; for Gaussian units from W'x, not from x - b
    ["factorised", fieldOf(layer, x).map(sigmoid)],
    ["feed_forward", feedForward(posterior)],
  ];
  if (model.recognition?.length && !layer.brief) {
    const guessed = guesses(model, x, new Map()).map(sigmoid);
    means.push(
      ["recognition", guessed],
      ["recognition_mean_field", swept(posterior, guessed, MEAN_FIELD_SWEEPS)],
    );
  }
  for (const n of SWEEPS) means.push([`mean_field_${n}`, swept(posterior, even, n)]);
  means.push(["marginals", marginals]);
  /** @type {[string, ArrayLike<number>][]} */
  const states = [["map", bitsOf(best, n_h)]],
    icm = methods.find(({name}) => name === "icm");
  if (usual_start && icm) {
    const {h0, unit, after} = infer(model, icm, x, usual_start, new Map(), 0),
      h = Float64Array.from(h0);
    unit.forEach((j, k) => {
      h[j] = after[k];
    });
    states.push(["icm", h]);
  }
  /** @type {[string, Measured][]} */
  const rungs = [
    ...means.map(([name, on]) => /** @type {[string, Measured]} */ ([name, independent(posterior, on)])),
    ...states.map(([name, h]) => /** @type {[string, Measured]} */ ([name, pointMass(posterior, h)])),
  ];
  // from every rung, so that none is below the best
  const ends = [...means, ...states].map(([, start]) =>
      independent(posterior, meanField(posterior, start, START_TOLERANCE)),
    ),
    near = nearest([...ends, ...rungs.map(([, each]) => each)]);
  rungs.push(["best", nearest([near, independent(posterior, meanField(posterior, near.on))])]);
  return {
    meta: {rungs: rungs.map(([name, {kl, total_variation}]) => ({name, kl, total_variation}))},
    ...along(posterior, trace),
  };
}

// The distance of the lane's states from the posterior after each visit.
/** @param {Posterior} posterior @param {Trace} trace */
function along(posterior, trace) {
  if (trace.particles)
    return alongParticles(posterior, [Uint8Array.from(trace.h0), ...trace.particles], trace.after);
  const n = trace.unit.length + 1,
    kl = new Float32Array(n),
    variation = new Float32Array(n),
    q = Float64Array.from(trace.h0);
  for (let k = 0; k < n; k++) {
    if (k) q[trace.unit[k - 1]] = trace.after[k - 1];
    if (trace.means) {
      const {kl: nats, total_variation} = independent(posterior, q);
      kl[k] = nats;
      variation[k] = total_variation;
    } else {
      kl[k] = Math.max(0, posterior.logEvidence - posterior.logJoints[codeOf(q)]);
      variation[k] = -Math.expm1(-Math.max(0, posterior.logEvidence - posterior.logJoints[codeOf(q)]));
    }
  }
  return {kl, variation};
}

// The distance of the weighted particles from the posterior, which are on few of all states.
/** @param {Posterior} posterior @param {Uint8Array[]} particles @param {number[]} after  shares of the weight so far */
function alongParticles({logJoints, logEvidence, p}, particles, after) {
  const n = particles.length,
    kl = new Float32Array(n),
    variation = new Float32Array(n),
    codes = particles.map(codeOf),
    found = Array.from(new Set(codes));
  const elsewhere = Math.max(0, 1 - found.reduce((sum, code) => sum + p[code], 0)),
    q = new Map(found.map((code) => [code, 0]));
  codes.forEach((code, k) => {
    const share = k ? after[k - 1] : 1;
    for (const [other, weight] of q) q.set(other, weight * (1 - share));
    q.set(code, (q.get(code) ?? 0) + share);
    let nats = 0,
      apart = elsewhere;
    for (const [other, weight] of q) {
      if (weight > 0) nats += weight * (Math.log(weight) - (logJoints[other] - logEvidence));
      apart += Math.abs(weight - p[other]);
    }
    kl[k] = Math.max(0, nats);
    variation[k] = Math.min(1, 0.5 * apart);
  });
  return {kl, variation};
}
