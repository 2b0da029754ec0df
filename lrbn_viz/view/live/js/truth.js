// Exact results for a small model's latents, beside approximations: lrbn_viz/view/player/truth.py, by the kernels of
// kernels/posterior.py, which measure/divergence.py and measure/ladder.py call, too. Each approximation is a distribution over
// all 2^n_h states; bit j of a state's number is h_j.

import {beliefsOf} from "./beliefs.js";
import {observedPart} from "../../../browser/js/observed.js";
import {trace as traceOf} from "../../../browser/js/engine.js";
import {apart, momentsOf} from "./states.js";
import {enumerated, statesAfter, updateLatents} from "../../../browser/js/lrbn.js";
import {kernels} from "../../../browser/js/memory.js";
import {Generator} from "../../../browser/js/random.js";
import constants from "../../../measure/approximations.json" with {type: "json"};

const {samples: SAMPLES, burn_in: BURN_IN} = constants.gibbs;
const {sweeps: SWEEPS, after_recognition: MEAN_FIELD_SWEEPS, max_sweeps: MAX_SWEEPS} = constants.mean_field;
const {tolerance: TOLERANCE, start_tolerance: START_TOLERANCE} = constants.mean_field;

/** @typedef {import("../../../browser/js/lrbn.js").Trace} Trace */
/** @typedef {{kl: number, total_variation: number, on: ArrayLike<number>}} Measured  how far a distribution is from the posterior, and its marginals */

/** @param {number} state @param {number} n_h */
const bitsOf = (state, n_h) => Float64Array.from({length: n_h}, (_, j) => (state >> j) & 1);
/** @param {ArrayLike<number>} h */
const codeOf = (h) => Array.from(h).reduce((code, on, j) => code | (Number(on > 0.5) << j), 0);

// P(h | x) by enumeration; its arrays are in the kernels' memory until the scope ends.
class Posterior {
  /** @param {Layer} layer @param {ArrayLike<number>} x */
  constructor(layer, x) {
    const memory = kernels();
    this.n_h = layer.n_h;
    this.logJoints = enumerated(layer, x);
    this.p = memory.array("f8", this.logJoints.length);
    const {view} = this.logJoints;
    this.best = view.reduce((top, value, s) => (value > view[top] ? s : top), 0);
    this.top = view[this.best];
    this.logEvidence = memory.call("normalise", {log_joints: this.logJoints, top: this.top, p: this.p});
    this.moments = momentsOf(this.p, this.n_h);
  }

  get joints() {
    return {log_joints: this.logJoints, log_evidence: this.logEvidence};
  }

  /** @param {KernelArray<"f8">} q  of every state @param {ArrayLike<number>} on  its marginals @returns {Measured} */
  measured(q, on) {
    const memory = kernels();
    return memory.scope(() => {
      const distance = memory.array("f8", 2);
      memory.call("measure_distance", {...this.joints, p: this.p, q, distance});
      const [kl, total_variation] = distance.view;
      return {kl, total_variation, on};
    });
  }

  // What `use` makes of the probability of every state under independent latents.
  /** @template Result @param {ArrayLike<number>} on @param {(q: KernelArray<"f8">) => Result} use @returns {Result} */
  product(on, use) {
    const memory = kernels();
    return memory.scope(() => {
      const q = memory.array("f8", this.p.length);
      memory.call("fill_product", {on: memory.of("f8", on), q});
      return use(q);
    });
  }

  /** @param {ArrayLike<number>} on */
  independent(on) {
    return this.product(on, (q) => this.measured(q, on));
  }

  // Each latent given that all others are off
  get feedForward() {
    const memory = kernels();
    return memory.scope(() => {
      const on = memory.array("f8", this.n_h);
      memory.call("fill_feed_forward", {log_joints: this.logJoints, on});
      return on.view.slice();
    });
  }

  // Coordinate ascent of independent latents, from the top bit down or from the lowest one up, as lanes visit them, until no
  // mean changes by more than `tolerance`.
  /** @param {ArrayLike<number>} start @param {number} sweeps  at most @param {number} tolerance @param {boolean} [up] */
  ascend(start, sweeps, tolerance, up = false) {
    const memory = kernels();
    return memory.scope(() => {
      const size = this.p.length,
        q = memory.of("f8", up ? Array.from(start).reverse() : start);
      let log_joints = this.logJoints;
      if (up) memory.call("turn_round", {log_joints, turned: (log_joints = memory.array("f8", size))});
      memory.call("ascend", {
        log_joints,
        q,
        max_sweeps: sweeps,
        tolerance,
        expected: memory.array("f8", size),
        weights: memory.array("f8", size),
      });
      return up ? q.view.slice().reverse() : q.view.slice();
    });
  }

  /** @param {ArrayLike<number> | null} start  null: the best end of three @param {number} [tolerance] @returns {Float64Array} */
  meanField(start, tolerance = TOLERANCE) {
    if (!start) {
      const ends = [this.feedForward, new Float64Array(this.n_h).fill(0.5), this.moments.marginals].map((q) =>
        this.independent(this.meanField(q, START_TOLERANCE)),
      );
      start = nearest(ends).on;
    }
    return this.ascend(start, MAX_SWEEPS, tolerance);
  }
}

// The first one of least divergence
/** @param {Measured[]} found */
const nearest = (found) => found.reduce((best, each) => (each.kl < best.kl ? each : best));

// The sure state as a product: each latent is on with probability 0 or 1.
/** @param {ArrayLike<number>} h */
const sure = (h) => Float64Array.from(h, (on) => Number(on > 0.5));

/**
 * Exact results of a lane with a small model, for LaneMeta and the lane's arrays: the posterior if the trace is one of
 * states, its distance if the weights have a factorised form, and the probabilities of all units. Of a factorised model
 * these alone.
 * @param {Model} whole @param {Pick<LiveModel, "methods" | "has_ladder" | "usual_start">} info @param {ArrayLike<number>} image @param {Trace} trace @param {Map<number, number>} [held]
 */
export function knownOf(whole, info, image, trace, held = new Map()) {
  const beliefs = beliefsOf(whole, image, held, info.has_ladder);
  if (whole.factorised) return {truth: null, distance: null, logEvidence: 0, beliefs};
  return kernels().scope(() => {
    const {model, x} = observedPart(whole, image),
      [layer] = model.layers,
      posterior = new Posterior(layer, x);
    return {
      beliefs,
      truth: trace.means ? null : truthOf(posterior, layer, info, x, trace),
      distance: info.has_ladder ? distanceOf(posterior, model, info, x, trace) : null,
      logEvidence: posterior.logEvidence,
    };
  });
}

/** @param {Posterior} posterior @param {Layer} layer @param {Pick<LiveModel, "methods" | "usual_start">} info @param {ArrayLike<number>} x @param {Trace} trace */
function truthOf(posterior, layer, {methods, usual_start}, x, trace) {
  const {n_h} = posterior,
    end = statesAfter(trace);
  /** @type {{name: string, kl: number, total_variation: number, samples: number | null}[]} */
  const approximations = [];
  const moments = [posterior.moments];
  /** @param {string} name @param {KernelArray<"f8">} q @param {number | null} samples */
  const add = (name, q, samples = null) => {
    const found = momentsOf(q, n_h),
      {kl, total_variation} = posterior.measured(q, found.marginals);
    approximations.push({name, kl, total_variation, samples});
    moments.push(found);
  };
  posterior.product(sure(end), (q) => add("state", q));
  posterior.product(posterior.feedForward, (q) => add("feed_forward", q));
  posterior.product(posterior.meanField(null), (q) => add("mean_field", q));
  posterior.product(posterior.moments.marginals, (q) => add("marginals", q));
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
    const memory = kernels();
    memory.scope(() => {
      const q = memory.array("f8", 2 ** n_h),
        {view} = q;
      for (let n = BURN_IN; n < BURN_IN + SAMPLES; n++)
        view[codeOf(chain.after.slice(n * n_h, (n + 1) * n_h))]++;
      view.forEach((count, s) => {
        view[s] = count / SAMPLES;
      });
      add("gibbs", q, SAMPLES);
    });
  }
  return {
    meta: {log_evidence: posterior.logEvidence, map_log_joint: posterior.top, approximations},
    map: Uint8Array.from(bitsOf(posterior.best, n_h)),
    marginals: Float64Array.from(moments.flatMap(({marginals}) => Array.from(marginals))),
    covariance: Float32Array.from(moments.flatMap(({covariance}) => Array.from(covariance))),
  };
}

/** @param {Posterior} posterior @param {Model} model @param {Pick<LiveModel, "methods" | "usual_start">} info @param {ArrayLike<number>} x @param {Trace} trace */
function distanceOf(posterior, model, {methods, usual_start}, x, trace) {
  const {n_h, best} = posterior,
    [layer] = model.layers,
    even = new Float64Array(n_h).fill(0.5);
  /** @type {[string, ArrayLike<number>][]} */
  const means = [
    ["factorised", apart(layer, x)],
    ["feed_forward", posterior.feedForward],
  ];
  if (model.recognition?.length && !layer.brief) {
    const [{V, c}] = model.recognition,
      guessed = apart({...layer, exact: V, d: c}, x);
    means.push(
      ["recognition", guessed],
      ["recognition_mean_field", posterior.ascend(guessed, MEAN_FIELD_SWEEPS, 0, true)],
    );
  }
  for (const n of SWEEPS) means.push([`mean_field_${n}`, posterior.ascend(even, n, 0, true)]);
  means.push(["marginals", posterior.moments.marginals]);
  /** @type {[string, ArrayLike<number>][]} */
  const states = [["map", bitsOf(best, n_h)]],
    icm = methods.find(({name}) => name === "icm");
  if (usual_start && icm) {
    const {h0, unit, after} = traceOf(model, icm, x, usual_start, new Map(), 0),
      h = Float64Array.from(h0);
    unit.forEach((j, k) => {
      h[j] = after[k];
    });
    states.push(["icm", sure(h)]);
  }
  /** @type {[string, Measured][]} */
  const rungs = [...means, ...states].map(([name, on]) => [name, posterior.independent(on)]);
  // from every rung, so that none is below the best
  const ends = [...means, ...states].map(([, start]) =>
      posterior.independent(posterior.meanField(start, START_TOLERANCE)),
    ),
    near = nearest([...ends, ...rungs.map(([, each]) => each)]);
  rungs.push(["best", nearest([near, posterior.independent(posterior.meanField(near.on))])]);
  return {
    meta: {rungs: rungs.map(([name, {kl, total_variation}]) => ({name, kl, total_variation}))},
    ...along(posterior, trace),
  };
}

// The distance of the lane's states, means or particles from the posterior after each visit.
/** @param {Posterior} posterior @param {Trace} trace */
function along({joints, p}, trace) {
  const memory = kernels(),
    n = trace.unit.length + 1;
  return memory.scope(() => {
    const kl = memory.array("f8", n),
      variation = memory.array("f8", n),
      into = {...joints, kl, variation};
    if (trace.particles) {
      const codes = [trace.h0, ...trace.particles].map(codeOf),
        found = Array.from(new Set(codes)),
        places = new Map(found.map((code, place) => [code, place]));
      memory.call("distances_of_particles", {
        ...into,
        code: memory.of("i4", found),
        place: memory.of(
          "i4",
          codes.map((code) => Number(places.get(code))),
        ),
        share: memory.of("f8", [1, ...trace.after]),
        q: memory.array("f8", found.length),
      });
    } else if (trace.means)
      memory.call("distances_of_means", {
        ...into,
        p,
        on: memory.of("f8", trace.h0),
        unit: memory.of("i4", trace.unit),
        after: memory.of("f8", trace.after),
        q: memory.array("f8", p.length),
      });
    else
      memory.call("distances_of_states", {
        ...into,
        unit: memory.of("i4", trace.unit),
        after: memory.of("u1", trace.after),
        code: codeOf(trace.h0),
      });
    return {kl: Float32Array.from(kl.view), variation: Float32Array.from(variation.view)};
  });
}
