// One lane's replay: the state after k visits, for any k, from the trace and the model's weights alone.

const CHECKPOINT_EVERY = 256;

const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const softplus = (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));

class LaneReplay {
  constructor(meta, model, arrays, prefix) {
    Object.assign(this, {meta, model, n_visits: meta.n_visits, n_h: meta.n_h, n_v: meta.n_v});
    const field = (name) => arrays[`${prefix}.${name}`];
    this.x = model.visible === "bernoulli" ? unpackBits(field("x"), this.n_v) : field("x");
    this.h0 = unpackBits(field("h0"), this.n_h);
    this.unit = field("unit");
    this.after = unpackBits(field("after"), this.n_visits);
    this.shades = field("shades"); // slopes, then offsets; none where values are shares of ink already
    this.logOdds = field("log_odds");
    this.logJoint = field("log_joint"); // element k belongs to the state after k visits
    this.sweep = field("sweep");
    this.wrong = field("wrong");
    this.truth = meta.truth && {
      ...meta.truth, map: unpackBits(field("truth.map"), this.n_h), marginals: field("truth.marginals"), covariance: field("truth.covariance"),
    };
    this.h = this.h0.slice();
    this.a = new Float64Array(this.n_v);
    this.k = 0;
    this.index();
    this.stale = true; // activations wait until it is known where to
  }

  // One pass over the trace: which visits flip, where sweeps begin, what each visit follows, checkpoints.
  index() {
    const {n_visits, n_h} = this;
    const state = this.h0.slice();
    const last = new Int32Array(n_h).fill(-1);
    this.previous = new Int32Array(n_visits); // the visit before this one to the same unit, -1 if none
    this.flips = [];
    this.sweepStarts = [];
    this.falls = [];
    this.checkpoints = [];
    for (let k = 0; k < n_visits; k++) {
      if (k % CHECKPOINT_EVERY === 0) this.checkpoints.push({h: state.slice(), last: last.slice()});
      if (k === 0 || this.sweep[k] !== this.sweep[k - 1]) this.sweepStarts.push(k);
      const j = this.unit[k];
      this.previous[k] = last[j];
      last[j] = k;
      if (state[j] !== this.after[k]) {
        this.flips.push(k);
        state[j] = this.after[k];
      }
      // float noise of a sum over all pixels is far below this; a real fall is not
      if (this.logJoint[k + 1] < this.logJoint[k] - 1e-6) this.falls.push(k);
    }
    this.last = new Int32Array(n_h).fill(-1); // the newest visit to each unit before the cursor
  }

  // a = b + sum of the rows of W of the units that are on
  activate() {
    this.a.set(this.model.b);
    for (let j = 0; j < this.model.layers[0].n_h; j++) if (this.h[j]) this.addRow(j, 1);
    this.drift = 0;
  }

  // The layer that unit j belongs to.
  layerOf(j) { return this.model.layers.findLast((layer) => layer.first <= j); }

  // What a layer's latents are inferred from, and its activations: of x, or of the latents below.
  under({layer, first, n_v, n_h, W, b}) {
    if (!layer) return {x: this.x, a: this.a};
    this.upper ||= [];
    if (!this.upper[layer]) {
      const a = Float64Array.from(b);
      for (let k = 0; k < n_h; k++) if (this.h[first + k]) for (let i = 0; i < n_v; i++) a[i] += W[k * n_v + i];
      this.upper[layer] = a;
    }
    return {x: this.h.subarray(first - n_v, first), a: this.upper[layer]};
  }

  // "unit 213", and of a model of several layers which one it is in.
  nameOf(j) { return this.model.layers.length > 1 ? `unit ${j} (layer ${this.layerOf(j).layer + 1})` : `unit ${j}`; }

  addRow(j, sign) {
    const {a, n_v} = this, W = this.model.W;
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) a[i] += sign * W[at];
    this.drift++;
  }

  // Move to the state after k visits (k beyond the end means the end: a lane that has finished stays).
  seek(k) {
    k = Math.max(0, Math.min(k, this.n_visits));
    if (k !== this.k) this.interactions = null; // those of another state
    if (Math.abs(k - this.k) > CHECKPOINT_EVERY) this.restore(k);
    const flips = lowerBound(this.flips, k) - lowerBound(this.flips, this.k);
    if (Math.abs(flips) > this.n_h / 4) this.stale = true; // the sum anew takes fewer rows than so many changes
    while (this.k < k) this.forward();
    while (this.k > k) this.back();
    if (this.stale || this.drift > 512) this.activate();
    this.stale = false;
  }

  restore(k) {
    const c = Math.min(Math.floor(k / CHECKPOINT_EVERY), this.checkpoints.length - 1);
    if (c < 0) return;
    this.h.set(this.checkpoints[c].h);
    this.last.set(this.checkpoints[c].last);
    this.k = c * CHECKPOINT_EVERY;
    this.upper = null;
    this.stale = true; // activations follow once, at the end of the jump
  }

  forward() {
    const k = this.k++, j = this.unit[k], after = this.after[k];
    this.last[j] = k;
    if (this.h[j] !== after) this.setUnit(j, after);
  }

  back() {
    const k = --this.k, j = this.unit[k], previous = this.previous[k];
    this.last[j] = previous;
    const before = previous < 0 ? this.h0[j] : this.after[previous];
    if (this.h[j] !== before) this.setUnit(j, before);
  }

  setUnit(j, value) {
    this.h[j] = value;
    if (j >= this.model.layers[0].n_h) this.upper = null;
    else if (!this.stale) this.addRow(j, value ? 1 : -1);
  }

  // A value of pixel i as a share of ink.
  shade(value, i) { return this.shades ? value * this.shades[i] + this.shades[this.n_v + i] : value; }

  // What of the reconstruction is wrong at the cursor, in words.
  get wrongInWords() { return this.model.visible === "bernoulli" ? `${this.wrongNow} px wrong` : `squared error ${this.wrongNow.toFixed(1)}`; }

  // Mean of pixel i given h.
  mean(i) {
    return this.model.visible === "bernoulli" ? sigmoid(this.a[i]) : this.a[i];
  }

  // The visit that led to the cursor's state, or -1 at the start.
  get visit() { return this.k - 1; }
  get currentUnit() { return this.k > 0 ? this.unit[this.k - 1] : -1; }
  get currentSweep() { return this.k > 0 ? this.sweep[this.k - 1] : 0; }
  get wrongNow() { return this.wrong[this.k]; }
  get logJointNow() { return this.logJoint[this.k]; }
  get flippedNow() {
    const at = lowerBound(this.flips, this.k - 1);
    return this.k > 0 && this.flips[at] === this.k - 1;
  }

  // P(h_j = 1 | rest) as of the newest visit to unit j; null before the first.
  conditional(j) { return this.last[j] < 0 ? null : sigmoid(this.logOdds[this.last[j]]); }

  flippedThisSweep(j) {
    const at = this.last[j];
    if (at < 0 || this.k === 0 || this.sweep[at] !== this.sweep[this.k - 1]) return false;
    const previous = this.previous[at];
    return this.after[at] !== (previous < 0 ? this.h0[j] : this.after[previous]);
  }
}

// First position in sorted `list` whose value is >= value.
function lowerBound(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

function decodeTrace(data, models) {
  const {meta, arrays} = unpack(data);
  const lanes = meta.lanes.map((lane, i) => {
    const model = models.get(lane.model);
    if (!model) throw new Error(`the trace needs model ${lane.model}, which was not sent`);
    return new LaneReplay(lane, model, arrays, String(i));
  });
  return {meta, lanes, n_visits: Math.max(0, ...lanes.map((lane) => lane.n_visits))};
}
