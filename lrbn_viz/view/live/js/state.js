// The state of inference of an image, and its change when a latent flips: lrbn_viz/lrbn/state.py in double precision.
//
// For Bernoulli units the pixel probabilities on = sigmoid(a) and off = sigmoid(-a) of the activations a = W h + b, since
//   sum_i [softplus(a_i + w_ij) - softplus(a_i)] = log prod_i (off_i + on_i exp(w_ij)).
// For Gaussian units one number, the coupling to the latents that are on.

import {KernelLayer, KernelPixels} from "./kernel.js";

const LOG_2PI = Math.log(2 * Math.PI);
const REFRESH_FLIPS = 1024; // flips after which activations are recomputed
const PRODUCT_LIMIT = 1e150; // a product above it, or below its inverse, is replaced by its logarithm
const MAX_LOG_SUM = 300; // largest sum of logarithms, nats, between two checks of the product

/** @param {number} a */
export const softplus = (a) => Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));

/**
 * What the kernels read of a layer: weights, a row for each latent, their exponentials and sums, W'W without its diagonal,
 * and after how many pixels a product is looked at (0: logarithms are summed, as the weights are too large).
 * @typedef {{
 *   gaussian: boolean, n_v: number, n_h: number, W: Float64Array, factor: Float64Array, weight: Float64Array, gram: Float64Array,
 *   steps: Uint16Array, b: Float64Array, d: Float64Array, fast: KernelLayer | null,
 * }} KernelParams
 */

/** @type {WeakMap<Layer, KernelParams>} */
const prepared = new WeakMap();

/** @param {Layer} layer @returns {KernelParams} */
export function prepare(layer) {
  const known = prepared.get(layer);
  if (known) return known;
  const {n_v, n_h, b, d} = layer,
    gaussian = layer.visible === "gaussian",
    W = Float64Array.from(layer.exact);
  const weight = new Float64Array(n_h),
    steps = new Uint16Array(n_h),
    factor = gaussian ? W : W.map(Math.exp);
  for (let j = 0; j < n_h; j++) {
    let most = 0;
    for (let i = j * n_v; i < (j + 1) * n_v; i++) {
      weight[j] += W[i];
      most = Math.max(most, Math.abs(W[i]));
    }
    steps[j] = Math.min(64, Math.floor(MAX_LOG_SUM / most));
  }
  const gram = new Float64Array(gaussian ? n_h * n_h : 0);
  if (gaussian) {
    for (let j = 0; j < n_h; j++) {
      for (let k = 0; k < j; k++) {
        let sum = 0;
        for (let i = 0; i < n_v; i++) sum += W[j * n_v + i] * W[k * n_v + i];
        gram[j * n_h + k] = gram[k * n_h + j] = sum;
      }
    }
  }
  const found = {gaussian, n_v, n_h, W, factor, weight, gram, steps, b, d},
    params = {...found, fast: layer.brief ? null : KernelLayer.of(found)};
  prepared.set(layer, params);
  return params;
}

// The pixels, or units below, that are on; null where they have values between, or beside, off and on.
/** @param {ArrayLike<number>} x */
export function placesOn(x) {
  const places = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i] === 1) places.push(i);
    else if (x[i] !== 0) return null;
  }
  return Int32Array.from(places);
}

// The part of each latent's log-odds that does not depend on the other latents. Equations (11) and (12).
/** @param {KernelParams} params @param {ArrayLike<number>} x @param {Float64Array | null} prior  log-odds from a layer above, in the place of d */
export function evidence({gaussian, n_v, n_h, W, b, d}, x, prior) {
  const found = new Float64Array(n_h),
    on = gaussian ? null : placesOn(x);
  for (let j = 0; j < n_h; j++) {
    let sum = 0;
    const row = j * n_v;
    if (on) for (let p = 0; p < on.length; p++) sum += W[row + on[p]];
    else if (gaussian) for (let i = 0; i < n_v; i++) sum += W[row + i] * (x[i] - b[i] - 0.5 * W[row + i]);
    else for (let i = 0; i < n_v; i++) sum += W[row + i] * x[i];
    found[j] = sum + d[j] + (prior ? prior[j] - d[j] : 0);
  }
  return found;
}

/** @param {Layer} layer @param {ArrayLike<number>} h */
export function activation({n_v, n_h, exact: W, b}, h) {
  const a = Float64Array.from(b);
  for (let j = 0; j < n_h; j++)
    if (h[j]) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += h[j] * W[row + i];
  return a;
}

// Activations of one state, and the pixels' probabilities: KernelPixels in JavaScript.
class Pixels {
  /** @param {KernelParams} params */
  constructor(params) {
    this.params = params;
    this.activation = new Float64Array(params.n_v);
    this.on = new Float64Array(params.n_v);
    this.off = new Float64Array(params.n_v);
  }

  get kept() {
    return true;
  }

  /** @param {Float64Array} a */
  set(a) {
    this.activation.set(a);
    this.shift(0, 0);
  }

  // Add a multiple of a latent's weights to the activations.
  /** @param {number} j @param {number} sign */
  shift(j, sign) {
    const {
        params: {n_v, W},
        activation: a,
        on,
        off,
      } = this,
      row = j * n_v;
    for (let i = 0; i < n_v; i++) {
      const value = (a[i] += sign * W[row + i]),
        t = Math.exp(-Math.abs(value)),
        large = 1 / (1 + t),
        small = t * large;
      on[i] = value > 0 ? large : small;
      off[i] = value > 0 ? small : large;
    }
  }

  /** @param {number} j @param {number} sign @param {number} step */
  raised(j, sign, step) {
    const {
        params: {n_v, factor},
      } = this,
      row = j * n_v,
      up = sign > 0 ? this.on : this.off,
      down = sign > 0 ? this.off : this.on;
    let total = 0,
      product = 1;
    for (let start = 0; start < n_v; start += step) {
      const stop = Math.min(start + step, n_v);
      for (let i = start; i < stop; i++) product *= down[i] + up[i] * factor[row + i];
      if (product > PRODUCT_LIMIT || product < 1 / PRODUCT_LIMIT) {
        total += Math.log(product);
        product = 1;
      }
    }
    return total + Math.log(product);
  }
}

export class InferenceState {
  sinceRefresh = 0;

  // `known` is the evidence of x, if it was computed before.
  /** @param {KernelParams} params @param {ArrayLike<number>} x @param {Uint8Array} latent @param {Float64Array | null} prior @param {Float64Array} known */
  constructor(params, x, latent, prior, known) {
    const {gaussian, n_v, n_h, b} = params;
    this.params = params;
    this.latent = latent;
    this.evidence = known;
    let base = 0;
    for (let i = 0; i < n_v; i++) base += gaussian ? -0.5 * (x[i] - b[i]) ** 2 - 0.5 * LOG_2PI : x[i] * b[i];
    for (const logOdds of prior ?? params.d) base -= softplus(logOdds);
    this.base = base; // log P(x, h) at h = 0, for Bernoulli units without its softplus terms
    this.pixels = gaussian ? null : params.fast ? new KernelPixels(params.fast) : new Pixels(params);
    this.coupling = new Float64Array(gaussian ? n_h : 0);
    for (let j = 0; j < this.coupling.length; j++)
      for (let k = 0; k < n_h; k++) if (latent[k]) this.coupling[j] += params.gram[j * n_h + k];
    this.refresh();
  }

  /** @param {KernelParams} params @param {ArrayLike<number>} x @param {Uint8Array} latent */
  static of(params, x, latent) {
    return new InferenceState(params, x, latent, null, evidence(params, x, null));
  }

  // Compute activations from the latents, and probabilities from the activations.
  refresh() {
    this.sinceRefresh = 0;
    const {
      params: {n_v, n_h, W, b},
      latent,
      pixels,
    } = this;
    if (!pixels) return;
    const a = Float64Array.from(b);
    for (let j = 0; j < n_h; j++)
      if (latent[j]) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += W[row + i];
    pixels.set(a);
  }

  // Increase of the normaliser, nats, if `sign` times the latent's weights are added to the activations.
  /** @param {number} j @param {number} sign */
  explained(j, sign) {
    const {
        pixels,
        params: {n_v, W, weight, steps},
      } = this,
      row = j * n_v,
      step = steps[j];
    if (!pixels) return sign * this.coupling[j];
    if (!pixels.kept) this.refresh();
    if (step) return pixels.raised(j, sign, step) - (sign < 0 ? weight[j] : 0);
    const {activation: a} = pixels;
    let total = 0;
    for (let i = 0; i < n_v; i++) total += softplus(a[i] + sign * W[row + i]) - softplus(a[i]);
    return total;
  }

  // logit P(h_j = 1 | x, h_-j), nats. Equation (10).
  /** @param {number} j */
  logOdds(j) {
    return this.latent[j]
      ? this.evidence[j] + this.explained(j, -1)
      : this.evidence[j] - this.explained(j, 1);
  }

  /** @param {number} j */
  flip(j) {
    const {
        params: {n_h, gram},
        latent,
        coupling,
        pixels,
      } = this,
      sign = latent[j] ? -1 : 1;
    latent[j] = 1 - latent[j];
    if (!pixels) for (let k = 0; k < n_h; k++) coupling[k] += sign * gram[j * n_h + k];
    if (!pixels) return;
    if (++this.sinceRefresh >= REFRESH_FLIPS || !pixels.kept) this.refresh();
    else pixels.shift(j, sign);
  }

  // log P(x, h), normalised, computed from the state. Equations (3) and (6).
  logJoint() {
    let total = this.base;
    for (let j = 0; j < this.latent.length; j++)
      if (this.latent[j]) total += this.evidence[j] - (this.params.gaussian ? 0.5 * this.coupling[j] : 0);
    if (this.pixels && !this.pixels.kept) this.refresh();
    for (const a of this.pixels?.activation ?? []) total -= softplus(a);
    return total;
  }
}
