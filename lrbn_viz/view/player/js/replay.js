// One lane's replay: the state after k visits, for any k, from the trace and the model's weights alone.

import {layerAt, part, unpack, unpackBits} from "./decode.js";
import {number} from "./format.js";
import {statesOfBits, valuesOf} from "./known.js";
import {unitName, variablesOf} from "./names.js";
import {decidedTerms, knownTerms} from "./terms.js";
import {sigmoid, UNITS} from "./units.js";
import {joinedSquares, movedMean} from "../../../browser/js/formulas.js";
import {isWhole} from "../../../browser/js/whole.js";
import constants from "../../../io/constants.json" with {type: "json"};

const CHECKPOINT_EVERY = 256;

/**
 * @typedef {{
 *   x: Uint8Array | Float32Array, unknown?: Uint8Array, h0: States, after: States, unit: Uint16Array, sweep: Uint16Array, shades?: Float32Array, log_odds: Float32Array,
 *   log_joint: Float64Array, wrong: Uint16Array | Float32Array,
 *   "truth.map": Uint8Array, "truth.marginals": Float64Array, "truth.covariance": Float32Array,
 *   "distance.kl": Float32Array, "distance.variation": Float32Array, particles: Uint8Array,
 *   "beliefs.latents": Float64Array, "beliefs.visibles": Float64Array, "beliefs.apart"?: Float64Array,
 * } & import("./terms.js").TermArrays} LaneArrays
 */

// Latents in one state, with the units above and below each layer.
export class LatentState {
  /** @type {Float64Array[] | null} */ upper = null;

  /** @param {Model} model @param {ArrayLike<number>} x @param {States} h @param {Float64Array} a  of the lowest layer */
  constructor(model, x, h, a) {
    this.model = model;
    this.x = x;
    this.h = h;
    this.a = a;
    this.whole = isWhole(x);
  }

  // Whether pixels that are not known are summed out and tie latents together; in a directed model they drop out.
  get summed() {
    return this.model.factorised || Boolean(this.model.restricted);
  }

  // Whether, given the image, no latent depends on another.
  get independent() {
    return this.model.factorised && this.whole;
  }

  // The layer that unit j belongs to.
  /** @param {number} j */
  layerOf(j) {
    return layerAt(this.model.layers, j);
  }

  // The units below a layer, x or latents, and their activations.
  /** @param {Layer} layer @returns {{x: ArrayLike<number>, a: Float64Array}} */
  under({layer, first, n_v, n_h, W, b}) {
    if (!layer) return {x: this.x, a: this.a};
    this.upper ||= [];
    if (!this.upper[layer]) {
      const a = Float64Array.from(b);
      for (let k = 0; k < n_h; k++)
        if (this.h[first + k]) for (let i = 0; i < n_v; i++) a[i] += this.h[first + k] * W[k * n_v + i];
      this.upper[layer] = a;
    }
    return {x: this.h.subarray(first - n_v, first), a: this.upper[layer]};
  }

  /** @param {number} j @param {number} share */
  addRow(j, share) {
    const {
      a,
      model: {n_v, W},
    } = this;
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) a[i] += share * W[at];
  }
}

export class LaneReplay extends LatentState {
  k = 0;
  drift = 0;
  stale = true; // activations are computed when they are needed
  /** @type {number[]} */ flips = [];
  /** @type {number[]} */ offs = []; // visits that turn a unit off; means have none
  /** @type {number[]} */ sweepStarts = [];
  /** @type {number[]} */ falls = [];
  /** @type {{h: States, last: Int32Array}[]} */ checkpoints = [];
  /** @type {import("./interactions.js").Interactions | null} */ interactions = null;
  /** @type {ArrayLike<number> | null} */ values = null;

  /** @param {LaneMeta} meta @param {Model} model @param {LaneArrays} arrays */
  constructor(meta, model, arrays) {
    const {n_visits, n_h, n_v} = meta;
    // States are bits; means (of mean field and recognition networks) are numbers from 0 to 1.
    const h0 = meta.means ? arrays.h0 : unpackBits(arrays.h0, n_h);
    super(
      model,
      UNITS[model.visible].binary ? valuesOf(statesOfBits(arrays, n_v)) : arrays.x,
      h0.slice(),
      new Float64Array(n_v),
    );
    this.meta = meta;
    this.held = new Map(Object.entries(meta.held).map(([j, on]) => [Number(j), on]));
    this.n_visits = n_visits;
    this.n_h = n_h;
    this.n_v = n_v;
    this.h0 = h0;
    this.after = meta.means ? arrays.after : unpackBits(arrays.after, n_visits);
    this.unit = arrays.unit;
    this.shades = arrays.shades; // slopes, then offsets; missing if values are shares of ink
    this.logJoint = arrays.log_joint; // element k belongs to the state after k visits
    this.sweep = arrays.sweep;
    this.wrong = arrays.wrong;
    /** @type {Truth | null} */
    this.truth = meta.truth && {
      ...meta.truth,
      map: unpackBits(arrays["truth.map"], n_h),
      marginals: arrays["truth.marginals"],
      covariance: arrays["truth.covariance"],
    };
    /** @type {Distance | null} */
    this.distance = meta.distance
      ? {...meta.distance, kl: arrays["distance.kl"], variation: arrays["distance.variation"]}
      : null;
    /** @type {Beliefs | null} */
    this.beliefs = meta.beliefs
      ? {
          ...meta.beliefs,
          latents: arrays["beliefs.latents"],
          visibles: arrays["beliefs.visibles"],
          apart: arrays["beliefs.apart"] ?? null,
        }
      : null;
    this.order = Array.from({length: n_h}, (_, j) => j);
    this.previous = new Int32Array(n_visits); // the visit before this one to the same unit, -1 if none
    this.last = new Int32Array(n_h).fill(-1); // the newest visit to each unit before the cursor
    this.index();
    const decided = arrays.decided_steps ? decidedTerms(arrays.decided_steps, this.previous) : null;
    /** @type {ArrayLike<number>} */
    this.logOdds = decided ? decided[0] : arrays.log_odds;
    this.known = knownTerms(this, decided, arrays);
  }

  // One pass over the trace: which visits flip, where sweeps begin, what each visit follows, checkpoints.
  index() {
    const {n_visits} = this,
      state = this.h0.slice(),
      last = this.last.slice();
    for (let k = 0; k < n_visits; k++) {
      if (k % CHECKPOINT_EVERY === 0) this.checkpoints.push({h: state.slice(), last: last.slice()});
      if (k === 0 || this.sweep[k] !== this.sweep[k - 1]) this.sweepStarts.push(k);
      const j = this.unit[k];
      this.previous[k] = last[j];
      last[j] = k;
      if (state[j] !== this.after[k]) {
        this.flips.push(k);
        if (!this.after[k] && !this.meta.means) this.offs.push(k);
        state[j] = this.after[k];
      }
      // above rounding errors of a sum over all pixels, below any real decrease
      if (this.logJoint[k + 1] < this.logJoint[k] - constants.rounding) this.falls.push(k);
    }
  }

  // a = b + sum of the rows of W of the units that are on
  activate() {
    this.a.set(this.model.b);
    for (let j = 0; j < this.model.layers[0].n_h; j++) if (this.h[j]) this.addRow(j, this.h[j]);
    this.drift = 0;
  }

  // The state of unit j at the cursor in words: "on", "off", or its mean.
  /** @param {number} j */
  stateOf(j) {
    if (this.meta.means) return `mean ${this.h[j].toFixed(2)}`;
    return this.h[j] ? "on" : "off";
  }

  // Number of units that are on, in words; of means the expected number.
  get onInWords() {
    let on = 0;
    for (let j = 0; j < this.n_h; j++) on += this.h[j];
    return this.meta.means
      ? `mean ${on.toFixed(this.n_h > 200 ? 0 : 1)} of ${this.n_h} on`
      : `${on} of ${this.n_h} on`;
  }

  // The unit's name in the model, such as "burglary"; without one, "unit 213".
  /** @param {number} j */
  unitName(j) {
    return unitName(this.model, j);
  }

  // The same with the layer, if the model has several.
  /** @param {number} j */
  nameOf(j) {
    return this.model.layers.length > 1
      ? `${this.unitName(j)} (layer ${this.layerOf(j).layer + 1})`
      : this.unitName(j);
  }

  // The model, its inference, the start and the seed, in words.
  get howInWords() {
    const {model_title, title, subtitle, start, seed} = this.meta;
    return [
      model_title === title ? "" : model_title,
      subtitle,
      start ? `from ${start}` : "",
      seed == null ? "" : `seed ${seed}`,
    ]
      .filter(Boolean)
      .join(", ");
  }

  /** @param {number} j @param {number} share */
  addRow(j, share) {
    super.addRow(j, share);
    this.drift++;
  }

  // How many visits had been made in the state on which visit k, from 1, decided: where a sweep decides at once, those
  // before it.
  /** @param {number} k */
  decidedOn(k) {
    return this.meta.at_once ? this.sweepStarts[lowerBound(this.sweepStarts, k) - 1] : k - 1;
  }

  // The units of the visit that follows v others.
  /** @param {number} v @returns {ArrayLike<number>} */
  unitsAt(v) {
    return [this.unit[v]];
  }

  // What the visit that follows v others left of a unit of it.
  /** @type {(v: number, unit: number) => number} */
  valueAfter(v) {
    return this.after[v];
  }

  // What flips of visits from `since` to `now` did, the newest first; n: the flip's place.
  /** @param {number} since @param {number} now @returns {Generator<{n: number, visit: number, unit: number, after: number, change: number}>} */
  *moves(since, now) {
    for (let n = lowerBound(this.flips, now) - 1; n >= 0 && this.flips[n] >= since; n--) {
      const v = this.flips[n],
        after = this.after[v];
      yield {n, visit: v + 1, unit: this.unit[v], after, change: after - this.stateBefore(v)};
    }
  }

  // What the unit of the visit that follows v others was before it.
  /** @param {number} v */
  stateBefore(v) {
    return this.previous[v] < 0 ? this.h0[this.unit[v]] : this.after[this.previous[v]];
  }

  // The state after d visits, of the cursor's and before it: the lane's own, or one beside it.
  /** @param {number} d @returns {LatentState} */
  earlier(d) {
    if (d >= this.k) return this;
    const state = new LatentState(this.model, this.x, this.h.slice(), this.a.slice());
    for (let n = lowerBound(this.flips, this.k) - 1; n >= 0 && this.flips[n] >= d; n--) {
      const v = this.flips[n],
        j = this.unit[v],
        before = this.stateBefore(v);
      if (j < this.model.layers[0].n_h) state.addRow(j, before - state.h[j]);
      state.h[j] = before;
    }
    return state;
  }

  // Prefix of a number computed from rounded weights.
  get about() {
    return this.model.rounded ? "\u2248" : "";
  }

  // Whether all terms are the page's, in whatever state: the weights are the model's own, or the terms came with the trace.
  get tellsAll() {
    return !this.model.rounded || (this.known !== null && (this.known.logOdds !== null || this.independent));
  }

  // Error bound of numbers from rounded weights, in words.
  get offInWords() {
    return this.known ? `at most ${number(this.meta.off ?? 0, 2)} nats off` : "by rounded weights";
  }

  // The terms on which visit k, from 1, decided, with the page's precision.
  /** @param {LogOddsTerms} terms  by the weights that are here @param {number} k */
  decision(terms, k) {
    return this.known ? this.known.decision(terms, k, this.model.layers) : terms;
  }

  // The terms of a unit's log-odds in the state after a number of visits.
  /** @param {LogOddsTerms} terms  in that state, by the weights that are here @param {number} visits */
  exactly(terms, visits) {
    return this.known ? this.known.inState(terms, lowerBound(this.flips, visits), this.model.layers) : terms;
  }

  // Move to the state after k visits (k beyond the end means the end: a lane that has finished stays).
  /** @param {number} k */
  seek(k) {
    k = Math.max(0, Math.min(k, this.n_visits));
    if (k !== this.k) this.interactions = null; // they belong to another state
    if (Math.abs(k - this.k) > CHECKPOINT_EVERY) this.restore(k);
    const flips = lowerBound(this.flips, k) - lowerBound(this.flips, this.k);
    if (Math.abs(flips) > this.n_h / 4) this.stale = true; // a new sum takes fewer rows than the changes
    while (this.k < k) this.forward();
    while (this.k > k) this.back();
    if (this.stale || this.drift > 512) this.activate();
    this.stale = false;
  }

  /** @param {number} k */
  restore(k) {
    const c = Math.min(Math.floor(k / CHECKPOINT_EVERY), this.checkpoints.length - 1);
    if (c < 0) return;
    this.h.set(this.checkpoints[c].h);
    this.last.set(this.checkpoints[c].last);
    this.k = c * CHECKPOINT_EVERY;
    this.upper = null;
    this.stale = true; // activations are computed once, at the end of the jump
  }

  forward() {
    const k = this.k++,
      j = this.unit[k],
      after = this.after[k];
    this.last[j] = k;
    if (this.h[j] !== after) this.setUnit(j, after);
  }

  back() {
    const k = --this.k,
      j = this.unit[k],
      previous = this.previous[k];
    this.last[j] = previous;
    const before = this.stateBefore(k);
    if (this.h[j] !== before) this.setUnit(j, before);
  }

  /** @param {number} j @param {number} value */
  setUnit(j, value) {
    const change = value - this.h[j];
    this.h[j] = value;
    if (j >= this.model.layers[0].n_h) this.upper = null;
    else if (!this.stale) this.addRow(j, change);
  }

  // A value of pixel i as a share of ink.
  /** @param {number} value @param {number} i */
  shade(value, i) {
    return this.shades ? value * this.shades[i] + this.shades[this.n_v + i] : value;
  }

  // The reconstruction error at the cursor in words.
  get wrongInWords() {
    return UNITS[this.model.visible].binary
      ? `${this.wrongNow} ${this.variables ? `of ${this.n_v - this.nUnknown}` : "px"} wrong`
      : `squared error ${this.wrongNow.toFixed(1)}`;
  }

  // Number of visible units that are not known.
  get nUnknown() {
    return Array.from(this.x).filter(Number.isNaN).length;
  }

  // The names of the variables that are observed, where they are no pixels.
  get variables() {
    return variablesOf(this.model);
  }

  // Mean of pixel i given h.
  /** @param {number} i */
  mean(i) {
    return UNITS[this.model.visible].mean(this.a[i]);
  }

  get currentUnit() {
    return this.k > 0 ? this.unit[this.k - 1] : -1;
  }
  get currentSweep() {
    return this.k > 0 ? this.sweep[this.k - 1] : 0;
  }
  get wrongNow() {
    return this.wrong[this.k];
  }
  get logJointNow() {
    return this.logJoint[this.k];
  }
  get flippedNow() {
    const at = lowerBound(this.flips, this.k - 1);
    return this.k > 0 && this.flips[at] === this.k - 1;
  }

  // P(h_j = 1 | rest) as of the newest visit to unit j; null before the first.
  /** @param {number} j */
  conditional(j) {
    return this.last[j] < 0 ? null : sigmoid(this.logOdds[this.last[j]]);
  }

  /** @param {number} j */
  flippedThisSweep(j) {
    const at = this.last[j];
    if (at < 0 || this.k === 0 || this.sweep[at] !== this.sweep[this.k - 1]) return false;
    const previous = this.previous[at];
    return this.after[at] !== (previous < 0 ? this.h0[j] : this.after[previous]);
  }
}

// Particles, one more with each visit, which moves the weighted means of all units at once. `after` are the shares of the
// weight so far that the visits' particles have, `logOdds` their log weights.
export class ParticleReplay extends LaneReplay {
  /** @param {LaneMeta} meta @param {Model} model @param {LaneArrays} arrays */
  constructor(meta, model, arrays) {
    super(meta, model, arrays);
    const {n_h, n_visits} = meta,
      bits = unpackBits(arrays.particles, n_visits * n_h),
      rows = (this.rows = new Float32Array((n_visits + 1) * n_h));
    this.sizes = [1]; // effective sample sizes
    rows.set(this.h0);
    for (let k = 0, at = n_h, squares = 1; k < n_visits; k++) {
      const share = this.after[k];
      for (const end = at + n_h; at < end; at++) rows[at] = movedMean(rows[at - n_h], share, bits[at - n_h]);
      squares = joinedSquares(squares, share);
      this.sizes.push(1 / squares);
    }
  }

  /** @override */
  index() {
    for (let k = 0; k < this.n_visits; k++) {
      this.flips.push(k);
      if (this.logJoint[k + 1] < this.logJoint[k]) this.falls.push(k);
    }
  }

  // The means after k visits.
  /** @param {number} k */
  row(k) {
    return this.rows.subarray(k * this.n_h, (k + 1) * this.n_h);
  }

  /** @override @param {number} k */
  seek(k) {
    k = Math.max(0, Math.min(k, this.n_visits));
    if (k === this.k && !this.stale) return;
    this.k = k;
    this.h.set(this.row(k));
    this.last.fill(k - 1);
    this.upper = this.interactions = null;
    this.stale = false;
    this.activate();
  }

  /** @override */
  unitsAt() {
    return this.order;
  }
  /** @override @param {number} v @param {number} unit */
  valueAfter(v, unit) {
    return this.row(v + 1)[unit];
  }

  /** @override @param {number} since @param {number} now */
  *moves(since, now) {
    const before = this.row(since);
    for (const [unit, after] of this.row(now).entries())
      if (after !== before[unit]) yield {n: -1, visit: now, unit, after, change: after - before[unit]};
  }

  /** @override */
  get currentUnit() {
    return -1;
  }
  /** @override */
  conditional() {
    return null;
  }
  /** @override */
  flippedThisSweep() {
    return false;
  }

  // The effective number of particles.
  get sizeInWords() {
    return `effective sample size ${number(this.sizes[this.k], 1)} of ${this.k + 1}`;
  }
}

// First position in sorted `list` whose value is >= value.
/** @param {ArrayLike<number>} list @param {number} value */
export function lowerBound(list, value) {
  let low = 0,
    high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Bytes} data @param {Map<string, Model>} models */
export function decodeTrace(data, models) {
  /** @type {Block<TraceMeta, Arrays>} */
  const {meta, arrays} = unpack(data);
  const lanes = meta.lanes.map((lane, i) => {
    const model = models.get(lane.model);
    if (!model) throw new Error(`the trace needs model ${lane.model}, which was not sent`);
    return new (lane.particles ? ParticleReplay : LaneReplay)(lane, model, part(arrays, i));
  });
  return {meta, lanes, n_visits: Math.max(0, ...lanes.map((lane) => lane.n_visits))};
}
