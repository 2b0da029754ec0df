// How much every unit explains away every other: M[j][k] is the change of unit j's log-odds when unit k goes from
// off to on, given the image and all others as at the cursor. A second difference of log P(x, h), so symmetric;
// exactly 0 where the model is factorised and every pixel known. A pixel that is not known has no part in it in a directed
// model, and all of it in an undirected one.
//
// Pixel by pixel, what a change of a does to its log-likelihood is log(u + s f) but for what x alone gives, with s and u = 1 - s
// of a (`product` in units.js) and f_j the exponential of the change when unit j flips. So a pair costs one multiplication
// and one addition a pixel and a logarithm a block of pixels. Of Gaussian units it is a dot product.

import {layerAt} from "./decode.js";
import {UNITS} from "./units.js";

export const COMPETE = 0.5; // nats: a pair below minus this competes, above it are allies

class LayerInteractions {
  /** @param {Layer} layer @param {States} h @param {{x: ArrayLike<number>, a: Float64Array}} under @param {boolean} summed  by pixels that are summed out, not by those that are known */
  constructor({n_h, n_v, W, visible, precision}, h, {x, a}, summed) {
    this.n_v = n_v;
    this.W = W;
    this.product = UNITS[visible].product;
    this.way = summed ? -1 : 1;
    // how much each pixel counts
    this.part = Float64Array.from({length: n_v}, (_, i) =>
      Number.isNaN(x[i]) === summed ? (precision?.[i] ?? 1) : 0,
    );
    this.u = new Float64Array(n_v);
    this.s = new Float64Array(n_v);
    this.sign = Float64Array.from(h, (on) => (on ? -1 : 1));
    this.factor = new Float64Array(this.product ? n_h * n_v : 0);
    this.single = new Float64Array(n_h);
    this.block = 1;
    if (!this.product) return;
    const {share, rate} = this.product;
    for (let i = 0; i < n_v; i++) [this.u[i], this.s[i]] = this.part[i] ? share(x[i], a[i]) : [1, 0];
    let top = 1e-3;
    for (let j = 0, at = 0; j < n_h; j++) {
      const sign = rate * this.sign[j];
      for (let i = 0; i < n_v; i++, at++) {
        const w = sign * W[at];
        this.factor[at] = Math.exp(w);
        top = Math.max(top, Math.abs(w));
      }
    }
    // 600 < log of the largest double: so many factors cannot overflow; 1 keeps even |w| = 300 right
    this.block = Math.max(1, Math.min(64, Math.floor(600 / (2 * top))));
    for (let j = 0; j < n_h; j++) this.single[j] = this.logProduct(j, -1);
  }

  // sum_i log(u_i + s_i f_ij f_ik); k = -1 leaves f_ik out
  /** @param {number} j @param {number} k */
  logProduct(j, k) {
    const {n_v, s, u, factor, block} = this,
      J = j * n_v,
      K = k * n_v;
    let total = 0;
    for (let begin = 0; begin < n_v; begin += block) {
      const end = Math.min(n_v, begin + block);
      let product = 1;
      if (k < 0) for (let i = begin; i < end; i++) product *= u[i] + s[i] * factor[J + i];
      else for (let i = begin; i < end; i++) product *= u[i] + s[i] * factor[J + i] * factor[K + i];
      total += Math.log(product);
    }
    return total;
  }

  /** @param {number} j @param {number} k */
  pair(j, k) {
    if (!this.product) {
      let dot = 0;
      for (let i = 0; i < this.n_v; i++)
        dot += this.part[i] * this.W[j * this.n_v + i] * this.W[k * this.n_v + i];
      return -this.way * dot;
    }
    const both = this.logProduct(j, k) - this.single[j] - this.single[k];
    return this.way * this.product.sign * this.sign[j] * this.sign[k] * both;
  }
}

// Of all units. Between two layers the second difference is the weight itself, whatever the state.
export class Interactions {
  /** @type {Float32Array | undefined} */ all;

  /** @param {Lane} lane */
  constructor(lane) {
    const {n_h, model, h} = lane,
      apart = lane.summed;
    this.n_h = n_h;
    this.zero = lane.independent;
    this.layers = model.layers;
    this.within =
      apart && lane.whole
        ? []
        : this.layers
            .slice(0, apart ? 1 : undefined)
            .map(
              (layer) =>
                new LayerInteractions(
                  layer,
                  h.subarray(layer.first, layer.first + layer.n_h),
                  lane.under(layer),
                  apart,
                ),
            );
  }

  /** @param {number} j @param {number} k */
  pair(j, k) {
    if (this.zero || j === k) return 0;
    if (this.layers.length === 1) return this.within[0]?.pair(j, k) ?? 0;
    const [low, high] = [layerAt(this.layers, Math.min(j, k)), layerAt(this.layers, Math.max(j, k))];
    if (low === high) return this.within[low.layer]?.pair(j - low.first, k - low.first) ?? 0;
    return high.layer === low.layer + 1
      ? high.W[(Math.max(j, k) - high.first) * high.n_v + Math.min(j, k) - low.first]
      : 0;
  }

  /** @param {number} j */
  row(j) {
    return Float64Array.from({length: this.n_h}, (_, k) => this.pair(j, k));
  }

  // A generator of pauses, one a row, that returns the matrix: a click need not wait for all of it.
  *matrix() {
    if (this.all) return this.all;
    const {n_h} = this,
      out = new Float32Array(n_h * n_h);
    for (let j = 0; j < n_h && !this.zero; j++) {
      for (let k = 0; k < j; k++) out[j * n_h + k] = out[k * n_h + j] = this.pair(j, k);
      yield;
    }
    return (this.all = out);
  }
}

// An order in which strongly interacting units are neighbours: a chain, each next the one most bound to the last. Of some
// of the n units, where these are given; equals stand by number.
/** @param {ArrayLike<number>} matrix @param {number} n @param {number[]} [units] */
export function chainOrder(matrix, n, units = Array.from({length: n}, (_, j) => j)) {
  const left = new Set(units),
    order = /** @type {number[]} */ ([]);
  let at = -1,
    top = -1;
  for (const j of units) {
    const strength = units.reduce((sum, k) => sum + Math.abs(matrix[j * n + k]), 0);
    if (strength > top) [at, top] = [j, strength];
  }
  while (at >= 0) {
    order.push(at);
    left.delete(at);
    let best = -1,
      most = -1;
    for (const k of left)
      if (Math.abs(matrix[at * n + k]) > most) {
        most = Math.abs(matrix[at * n + k]);
        best = k;
      }
    at = best;
  }
  return order;
}
