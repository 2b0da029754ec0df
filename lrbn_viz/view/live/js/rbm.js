// Inference of an RBM in the page: lrbn_viz/rivals/rbm/model.py.

import {softplus, UNITS} from "../../player/js/units.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {min_flip_gain: MIN_FLIP_GAIN} = constants;

/** @typedef {import("../../../browser/js/lrbn.js").Trace} Trace */

// The pixels that are on; null where they have values between, or beside, off and on.
/** @param {ArrayLike<number>} x */
function placesOn(x) {
  const places = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i] === 1) places.push(i);
    else if (x[i] !== 0) return null;
  }
  return Int32Array.from(places);
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
