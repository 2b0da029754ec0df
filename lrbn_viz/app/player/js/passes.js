// What the models drew, pass by pass. A pass has three phases in both lanes: every latent is drawn, the filters of
// those that are on add up to the mean of x, and x is drawn from it row by row. Lanes go in lock-step.

const logistic = (z) => 1 / (1 + Math.exp(-z));
const PHASES = ["latents", "mean", "pixels"];

function bitRows(packed, n) {
  const stride = Math.ceil(n / 8);
  return Array.from({length: packed.length / stride}, (_, t) => unpackBits(packed.subarray(t * stride, (t + 1) * stride), n));
}

class DrawnLane {
  constructor(meta, model, arrays, prefix) {
    Object.assign(this, {meta, model, n_h: model.n_h, n_v: model.n_v});
    const field = (name) => arrays[`${prefix}.${name}`];
    this.h = bitRows(field("h"), this.n_h);
    this.x = bitRows(field("x"), this.n_v);
    this.near = bitRows(field("near"), this.n_v);
    this.x0 = meta.chain ? unpackBits(field("x0"), this.n_v) : null;
    this.uniform = field("uniform");
    this.row = field("row"); this.label = field("label"); this.distance = field("distance");
    this.held = new Map(Object.entries(meta.held).map(([unit, state]) => [Number(unit), state]));
    this.on = this.h.map((h) => Array.from(h.keys()).filter((j) => h[j]));
    this.cached = {t: -1};
    this.a = new Float64Array(this.n_v);
    this.mean = {t: -1, count: -1};
  }

  // The image that the latents of pass t are drawn from: none in an LRBN.
  source(t) { return this.meta.chain ? (t ? this.x[t - 1] : this.x0) : null; }

  // P(h_j = 1) as pass t draws from it: the prior, or the posterior given the image before.
  probabilities(t) {
    if (this.cached.t === t) return this.cached.p;
    const {W, d} = this.model, {n_h, n_v} = this, x = this.source(t), p = new Float64Array(n_h);
    for (let j = 0; j < n_h; j++) {
      let a = d[j];
      if (x) for (let i = 0, at = j * n_v; i < n_v; i++, at++) if (x[i]) a += W[at];
      p[j] = logistic(a);
    }
    this.cached = {t, p};
    return p;
  }

  // Activations with the filters of the first `count` units of pass t that are on; the next frame mostly adds one.
  activations(t, count) {
    const {a, mean, n_v} = this, {W, b} = this.model;
    if (mean.t !== t || mean.count > count) { a.set(b); Object.assign(mean, {t, count: 0}); }
    for (; mean.count < count; mean.count++) {
      const at = this.on[t][mean.count] * n_v;
      for (let i = 0; i < n_v; i++) a[i] += W[at + i];
    }
    return a;
  }

  // Pixels of pass t that differ from the image before it; null where there is none.
  change(t) {
    const before = t ? this.x[t - 1] : this.x0;
    return before && before.reduce((sum, bit, i) => sum + (bit !== this.x[t][i]), 0);
  }
}

class Timeline {
  constructor(data, models) {
    const {meta, arrays} = unpack(data);
    this.meta = meta;
    this.lanes = meta.lanes.map((lane, i) => new DrawnLane(lane, models.get(lane.title), arrays, String(i)));
    const [first] = this.lanes;
    Object.assign(this, {rows: first.model.rows, columns: first.model.columns, passes: meta.passes});
    this.n_h = Math.max(...this.lanes.map((lane) => lane.n_h));
    this.starts = [0]; // step at which each pass begins; the last entry is the end
    for (let t = 0; t < this.passes; t++) this.starts.push(this.starts[t] + this.n_h + this.adding(t) + this.rows);
    this.end = this.starts[this.passes];
  }

  // Steps of the second phase: one filter a step in each lane, until both are done.
  adding(t) { return Math.max(1, ...this.lanes.map((lane) => lane.on[t].length)); }

  // Steps done -> pass, steps done in it, and how far each phase is. The end of a pass belongs to that pass.
  at(k) {
    let t = 0;
    while (t < this.passes - 1 && this.starts[t + 1] < k) t++;
    const step = k - this.starts[t], adding = this.adding(t);
    const drawn = Math.min(step, this.n_h), added = Math.max(0, Math.min(step - this.n_h, adding)), rows = Math.max(0, step - this.n_h - adding);
    const phase = step <= this.n_h ? 0 : step <= this.n_h + adding ? 1 : 2;
    return {t, step, drawn, added, rows, phase, whole: rows === this.rows};
  }

  // The step of a pass and of steps in it; -1 is the last pass, and all of its steps.
  find(shown, step) {
    const t = shown < 0 ? this.passes - 1 : Math.min(shown, this.passes - 1), length = this.starts[t + 1] - this.starts[t];
    return this.starts[t] + (step < 0 ? length : Math.min(step, length));
  }

  // Where the phases end, over all passes.
  stops() {
    return this.stopList ||= this.starts.slice(0, -1).flatMap((start, t) => [start + this.n_h, start + this.n_h + this.adding(t), this.starts[t + 1]]);
  }
}
