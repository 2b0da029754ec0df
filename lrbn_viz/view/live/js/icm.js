// Algorithm 1 in the page, visit by visit, as in lrbn_viz/lrbn/icm.py and traced.py. A test compares every decision with
// Python's, for every order, start and kind of model.

import {softplus, UNITS} from "../../player/js/units.js";
import {evidence, InferenceState, placesOn, prepare} from "./state.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {min_flip_gain: MIN_FLIP_GAIN} = constants;

/** @typedef {"sequential" | "random" | "greedy" | "parallel"} Order */
/** @typedef {import("./random.js").Generator} Generator */
/** @typedef {string | ArrayLike<number>} Start  a name, or states */

/**
 * The record of inference: arrays with one entry per visit; `logJoint` has one more, for the start. With `particles`
 * (particles.js) a visit belongs to no unit, and adds one particle.
 * @typedef {{
 *   h0: ArrayLike<number>, unit: number[], after: number[], flipped: boolean[], logOdds: number[], logJoint: number[], sweep: number[], converged: boolean,
 *   sampled: boolean, means: boolean, atOnce: boolean, particles?: Uint8Array[],
 * }} Trace
 */

// The initial states of inference. Line 2 of Algorithm 1.
/** @param {import("./state.js").KernelParams} params @param {Float64Array} known  the evidence @param {Start} start @param {Generator} rng */
export function startLatents(params, known, start, rng) {
  const {n_h, n_v, gaussian} = params;
  if (typeof start !== "string") return Uint8Array.from(start);
  if (start === "zeros") return new Uint8Array(n_h);
  if (start === "random") return rng.coins(n_h);
  if (start === "paper" || gaussian) return Uint8Array.from(known, (logOdds) => Number(logOdds > 0));
  if (start !== "conditional")
    throw new Error(`expected conditional, paper, zeros, random or states, got ${start}`);
  const off = new InferenceState(
    params,
    new Uint8Array(n_v),
    new Uint8Array(n_h),
    null,
    new Float64Array(n_h),
  );
  rng.stream(); // as in Python, which makes a stream for these states, too
  return Uint8Array.from(known, (logOdds, j) => Number(logOdds > off.explained(j, 1)));
}

/**
 * Inference of one layer's latents, with its record. Units in `held` keep their states and are not visited.
 * @param {Layer} layer @param {ArrayLike<number>} x @param {Start} start @param {Order} order
 * @param {ArrayLike<number>} temperatures  of each sweep; 0 is ICM
 * @param {Map<number, number>} held @param {Generator} rng @param {Float64Array | null} [prior]  log-odds from a layer above
 * @returns {Trace}
 */
export function updateLatents(layer, x, start, order, temperatures, held, rng, prior = null) {
  const params = prepare(layer),
    known = evidence(params, x, prior);
  const latent = startLatents(params, known, start, rng);
  let stream = rng.stream();
  if (held.size) stream = rng.stream();
  for (const [unit, value] of held) latent[unit] = value;
  const state = new InferenceState(params, x, latent, prior, known),
    free = Int32Array.from(latent.keys()).filter((j) => !held.has(j)),
    n_free = free.length;
  /** @type {Trace} */
  const trace = {
    h0: latent.slice(),
    unit: [],
    after: [],
    flipped: [],
    logOdds: [],
    logJoint: [state.logJoint()],
    sweep: [],
    converged: n_free === 0,
    sampled: false,
    means: false,
    atOnce: order === "parallel",
  };
  let total = trace.logJoint[0],
    unchanged = 0;
  const atOnce = new Float64Array(n_free);

  /** @param {number} j @param {number} logOdds @param {number} t  the sweep */
  const visit = (j, logOdds, t) => {
    const before = latent[j],
      temperature = temperatures[t];
    let after = before;
    if (temperature === 0)
      after = before ? Number(!(logOdds < -MIN_FLIP_GAIN)) : Number(logOdds > MIN_FLIP_GAIN);
    else {
      const uniform = stream.next();
      after = Number(logOdds > temperature * Math.log(uniform / (1 - uniform)));
      trace.sampled = true;
    }
    if (after !== before) {
      const change = order === "parallel" ? state.logOdds(j) : logOdds;
      state.flip(j);
      total += after ? change : -change;
      if (!params.gaussian && state.sinceRefresh === 0) total = state.logJoint();
    }
    trace.unit.push(j);
    trace.after.push(after);
    trace.flipped.push(after !== before);
    trace.logOdds.push(logOdds);
    trace.logJoint.push(total);
    trace.sweep.push(t);
    unchanged = after !== before || temperature > 0 ? 0 : unchanged + 1;
  };

  for (let t = 0; t < temperatures.length && n_free; t++) {
    const units = order === "random" ? rng.permuted(free) : free;
    if (order === "parallel")
      units.forEach((j, p) => {
        atOnce[p] = state.logOdds(j);
      });
    for (let position = 0; position < n_free; position++) {
      if (order === "greedy") {
        let best = -1,
          gain = 0,
          logOdds = 0;
        for (const j of units) {
          const found = state.logOdds(j),
            here = latent[j] ? -found : found;
          if (here > gain + MIN_FLIP_GAIN) [best, gain, logOdds] = [j, here, found];
        }
        if (best < 0) return {...trace, converged: true};
        visit(best, logOdds, t);
        continue;
      }
      const j = units[position];
      visit(j, order === "parallel" ? atOnce[position] : state.logOdds(j), t);
      // n_free consecutive visits or, if sweeps have orders of their own or decide in parallel, a whole sweep
      if (unchanged >= n_free && (order === "sequential" || position === n_free - 1))
        return {...trace, converged: true};
    }
  }
  return trace;
}

// Inference of an RBM from an image of which a part is not known, which is summed out and so ties the latents together: ICM
// from all off, as rivals/rbm/model.py has it.
/** @param {Model} model @param {ArrayLike<number>} x @returns {Trace} */
export function summedOut({layers: [layer]}, x) {
  const {n_h, n_v, exact: W, b, d, visible, precision} = layer,
    {raise} = UNITS[visible],
    gaussian = visible === "gaussian",
    h = new Uint8Array(n_h),
    fixed = Float64Array.from(d),
    u = new Float64Array(n_v), // W h
    unknown = Array.from(x, (_, i) => i).filter((i) => Number.isNaN(x[i]));
  let total = 0;
  for (let i = 0; i < n_v; i++) {
    if (Number.isNaN(x[i])) continue;
    const scale = precision?.[i] ?? 1;
    total += gaussian ? -0.5 * (x[i] - b[i]) ** 2 * scale : x[i] * b[i];
    for (let j = 0; j < n_h; j++) fixed[j] += W[j * n_v + i] * x[i] * scale;
  }
  if (gaussian) for (const i of unknown) total += 0.5 * Math.log((2 * Math.PI) / (precision?.[i] ?? 1));
  else for (const i of unknown) total += softplus(b[i]);
  /** @type {Trace} */
  const trace = {
    h0: h.slice(),
    unit: [],
    after: [],
    flipped: [],
    logOdds: [],
    logJoint: [total],
    sweep: [],
    converged: true,
    sampled: false,
    means: false,
    atOnce: false,
  };
  for (let k = 0, unchanged = 0; unchanged < n_h; k++) {
    const j = k % n_h,
      before = h[j];
    let logOdds = fixed[j];
    for (const i of unknown) {
      const w = W[j * n_v + i];
      logOdds += raise(b[i] + u[i] - before * w, w) * (precision?.[i] ?? 1);
    }
    const after = before ? Number(!(logOdds < -MIN_FLIP_GAIN)) : Number(logOdds > MIN_FLIP_GAIN);
    if (after !== before) {
      total += after ? logOdds : -logOdds;
      h[j] = after;
      for (const i of unknown) u[i] += (after - before) * W[j * n_v + i];
    }
    unchanged = after === before ? unchanged + 1 : 0;
    trace.unit.push(j);
    trace.after.push(after);
    trace.flipped.push(after !== before);
    trace.logOdds.push(logOdds);
    trace.logJoint.push(total);
    trace.sweep.push(Math.floor(k / n_h));
  }
  return trace;
}

// Inference of an RBM: each latent once, from its evidence. With learned variances each pixel is weighted by its precision.
/** @param {Layer} layer @param {ArrayLike<number>} x @returns {Trace} */
export function factorised(layer, x) {
  const {n_h, n_v, exact: W, b, d, visible, precision} = layer,
    gaussian = visible === "gaussian",
    logOdds = new Float64Array(n_h),
    on = gaussian ? null : placesOn(x);
  const said = precision ? Float64Array.from(x, (value, i) => value * precision[i]) : x; // message of each pixel to the units
  let total = 0;
  for (let i = 0; i < n_v; i++)
    total += gaussian ? -0.5 * (x[i] - b[i]) ** 2 * (precision?.[i] ?? 1) : x[i] * b[i];
  const logJoint = [total];
  for (let j = 0; j < n_h; j++) {
    let sum = 0;
    const row = j * n_v;
    if (on) for (let p = 0; p < on.length; p++) sum += W[row + on[p]];
    else for (let i = 0; i < n_v; i++) sum += said[i] * W[row + i];
    logOdds[j] = sum + d[j];
    total += Math.max(logOdds[j], 0);
    logJoint.push(total);
  }
  const after = Array.from(logOdds, (value) => Number(value > 0));
  return {
    h0: new Uint8Array(n_h),
    unit: Array.from(after.keys()),
    after,
    flipped: after.map(Boolean),
    logOdds: Array.from(logOdds),
    logJoint,
    sweep: after.map(() => 0),
    converged: true,
    sampled: false,
    means: false,
    atOnce: false,
  };
}
