// One of the two models of a run that learns in a worker: its learner, what it has recorded, and its pictures.

import {sizeOf} from "../../../browser/js/stored_run.js";
import {Generator} from "../../../browser/js/random.js";
import {Ring} from "../../board/js/ring.js";
import {byte} from "../../player/js/format.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {n_shown: N_SHOWN} = constants;
const UNITS_SHOWN = 12; // of a step in slow motion

/** @typedef {import("../../../browser/js/stored_run.js").StoredRun} StoredRun */
/** @typedef {{seconds: number, figures: Record<string, number>}} Mark  what is known of a stored moment beside its parameters */
/** @typedef {{step: number, figures: Record<string, number>, usage: Float64Array, pictures: Record<string, Numbers>}} Probe  of held-out images; the pictures are bytes */
/** @typedef {{rows: Float64Array, b: Float64Array, d: Float64Array}} Weights  a row for each latent */

// Probabilities as bytes between black and white.
/** @param {ArrayLike<number>} means */
const tonesOf = (means) => Uint8Array.from(means, (mean) => byte(mean));

// Filters as shares of each one's largest weight.
/** @param {Float64Array} rows @param {number} n_v */
export function sharesOf(rows, n_v) {
  const shares = new Int8Array(rows.length);
  for (let first = 0; first < rows.length; first += n_v) {
    let most = 1e-30;
    for (let i = first; i < first + n_v; i++) most = Math.max(most, Math.abs(rows[i]));
    for (let i = first; i < first + n_v; i++) shares[i] = Math.round((127 * rows[i]) / most);
  }
  return shares;
}

export class LaneRun {
  seconds = 0; // in its own steps
  step = 0; // of the last frame
  /** @type {Map<string, Ring>} */ rings = new Map();
  /** @type {Map<string, Ring>} */ parent = new Map(); // curves of the run that this one branched from, after the branch
  /** @type {Map<number, Mark>} */ marks = new Map(); // by step
  /** @type {Record<string, number>} */ last = {}; // figures of the last step
  /** @type {Record<string, number>[]} */ fresh = []; // those of steps since the last frame
  /** @type {Probe} */ probe;
  size = 0; // bytes of a stored moment

  /** @param {RunLane} info @param {StoredRun} stored @param {Float64Array} held  images that it does not learn from @param {number} seed @param {Numbers} [pixels]  that the score predicts, if it is a pseudo-likelihood */
  constructor(info, stored, held, seed, pixels) {
    this.info = info;
    this.stored = stored;
    this.held = held;
    this.seed = seed;
    this.pixels = pixels;
    this.n_v = this.run.n_v;
    this.kept = this.copied(); // before the last step
    this.size = sizeOf(stored.moments[0]);
    this.mark();
    this.probe = this.look();
    this.record(this.probe.step, this.probe.figures);
  }

  get run() {
    return this.stored.training;
  }

  get system() {
    return /** @type {any} */ (this.stored.system);
  }

  get state() {
    return /** @type {any} */ (this.run.state);
  }

  // Copies of the parameters as the kernels have them.
  copied() {
    const {W, b, d} = this.state.parameters;
    return {W: W.view.slice(), b: b.view.slice(), d: d.view.slice()};
  }

  /** @returns {Weights} */
  weights({W, b, d} = this.copied()) {
    return {rows: this.state.filters(W), b: Float64Array.from(b), d: Float64Array.from(d)};
  }

  // The model that the last E-step had.
  get before() {
    return this.weights(this.kept);
  }

  // Remember what stored moments do not hold, of those that are stored.
  mark() {
    const {moments} = this.stored,
      {step} = this.run;
    if (/** @type {{step: number}} */ (moments.at(-1)).step !== step) return;
    this.marks.set(step, {seconds: this.seconds, figures: this.last});
    if (this.marks.size <= moments.length) return;
    const stored = new Set(moments.map((moment) => moment.step));
    for (const at of this.marks.keys()) if (!stored.has(at)) this.marks.delete(at);
  }

  // One minibatch.
  advance() {
    const began = performance.now(),
      {W, b, d} = this.state.parameters;
    // into the arrays that are there: thousands of new ones a second would fill the memory until they are collected
    this.kept.W.set(W.view);
    this.kept.b.set(b.view);
    this.kept.d.set(d.view);
    this.last = this.stored.step();
    this.seconds += (performance.now() - began) / 1000;
    this.fresh.push(this.last);
    this.mark();
  }

  // One minibatch with all that is shown of it in slow motion: the flips of its first images' E-step, if the model has one, and
  // weights before and after of the units that it has changed most.
  /** @param {number} n_images @returns {{meta: SlowLane, arrays: SlowArrays}} */
  slowly(n_images) {
    const {run} = this,
      moment = run.snapshot(),
      settings = run.acting;
    this.advance();
    const [{rows: old}, {rows: now}] = [this.before, this.weights()],
      {n_v} = this,
      n_h = now.length / n_v;
    const changes = Array.from({length: n_h}, (_, j) =>
        now
          .subarray(j * n_v, (j + 1) * n_v)
          .reduce((most, w, i) => Math.max(most, Math.abs(w - old[j * n_v + i])), 0),
      ),
      units = Array.from(changes.keys())
        .sort((one, other) => changes[other] - changes[one])
        .slice(0, UNITS_SHOWN);
    const of = (/** @type {Float64Array} */ rows) =>
      Float64Array.from(units.flatMap((j) => [...rows.subarray(j * n_v, (j + 1) * n_v)]));
    return {
      meta: {
        e_step: this.system.traces ? settings.e_step : null,
        n_h,
        units,
        largest: units.map((j) => changes[j]),
      },
      arrays: {
        before: of(old),
        after: of(now),
        ...(this.system.traces && this.at(moment, () => this.flips(settings, n_images))),
      },
    };
  }

  // The states of the next E-step, image after image: the start, and what each flip leaves.
  /** @param {object} settings @param {number} n_images @returns {FlipArrays} */
  flips(settings, n_images) {
    const {run, state, system} = this;
    /** @type {import("../../../browser/js/lrbn.js").Trace[]} */
    const traces = system.traces(state, run.batch(run.nextRows()), run.rng, settings).slice(0, n_images);
    /** @type {{ends: number[], unit: number[], sweep: number[], log_odds: number[], log_joint: number[]}} */
    const made = {ends: [], unit: [], sweep: [], log_odds: [], log_joint: []};
    /** @type {number[]} */
    const states = [];
    for (const {h0, unit, after, logOdds, logJoint, sweep} of traces) {
      const h = Uint8Array.from(h0);
      /** @param {number} v  a visit; -1: the start */
      const add = (v) => {
        made.unit.push(unit[v] ?? -1);
        made.sweep.push(sweep[v] ?? 0);
        made.log_odds.push(logOdds[v] ?? NaN);
        made.log_joint.push(logJoint[v + 1]);
        states.push(...h);
      };
      add(-1);
      unit.forEach((j, v) => {
        if (h[j] === after[v]) return;
        h[j] = after[v];
        add(v);
      });
      made.ends.push(made.unit.length);
    }
    return {
      ends: Uint32Array.from(made.ends),
      unit: Int32Array.from(made.unit),
      sweep: Uint32Array.from(made.sweep),
      log_odds: Float64Array.from(made.log_odds),
      log_joint: Float64Array.from(made.log_joint),
      states: Uint8Array.from(states),
      means: tonesOf(system.decode(state, Uint8Array.from(states))),
    };
  }

  // Take the means of the figures since the last frame into the curves; returns them.
  drain() {
    const {fresh} = this,
      {step} = this.run;
    this.fresh = [];
    this.step = step;
    if (!fresh.length) return {};
    const means = Object.fromEntries(
      Object.keys(fresh[0]).map((name) => [
        name,
        fresh.reduce((sum, each) => sum + each[name], 0) / fresh.length,
      ]),
    );
    this.record(step, {...means, seconds: this.seconds});
    return means;
  }

  /** @param {number} step @param {Record<string, number>} figures */
  record(step, figures) {
    for (const [name, value] of Object.entries(figures)) {
      const ring = this.rings.get(name) ?? new Ring();
      this.rings.set(name, ring);
      if (!(ring.lastX >= step)) ring.add(step, value);
    }
  }

  // The model's results on the held-out images, equal for equal models.
  /** @returns {Probe} */
  look() {
    const {held, n_v, state} = this,
      {system} = this,
      n = held.length / n_v,
      {n_h} = state;
    const H = /** @type {Uint8Array} */ (system.encode(state, held, new Generator(this.seed))),
      usage = new Float64Array(n_h);
    H.forEach((on, at) => (usage[at % n_h] += on / n));
    const {wrong_pixels, score} = system.judge(state, held, H, this.pixels),
      apart = system.encodeFactorised?.(state, held);
    const figures = {
      probe_wrong_pixels: wrong_pixels,
      probe_wrong_pixels_factorised: apart ? system.judge(state, held, apart).wrong_pixels : wrong_pixels,
      probe_dead_units: usage.filter((share) => share === 0).length,
      validation_score: score,
    };
    const samples = system.sample(state, N_SHOWN, new Generator(this.seed));
    return {
      step: this.run.step,
      figures,
      usage,
      pictures: {
        ...this.glance(H.subarray(0, N_SHOWN * n_h)),
        samples: tonesOf(samples),
        usage: tonesOf(usage),
      },
    };
  }

  // Pictures of the first held-out images.
  glance(H = this.system.encode(this.state, this.shown, new Generator(this.seed))) {
    return {reconstructions: tonesOf(this.system.decode(this.state, H)), rows: this.rowsOfPictures()};
  }

  get shown() {
    return this.held.subarray(0, N_SHOWN * this.n_v);
  }

  // The means of x given the persistent chains, for the row of pictures that an RBM has.
  rowsOfPictures() {
    const {system} = this;
    if (!system.chains) return new Uint8Array(0);
    const images = tonesOf(system.decode(this.state, system.chains(this.state, N_SHOWN))),
      bytes = new Uint8Array(N_SHOWN * (this.n_v + 4));
    bytes.set(images);
    new Float32Array(bytes.buffer, N_SHOWN * this.n_v).fill(NaN); // no numbers below
    return bytes;
  }

  // Probe the model as it is, and record the figures.
  refresh() {
    if (this.probe.step === this.run.step) return false;
    this.probe = this.look();
    this.record(this.probe.step, this.probe.figures);
    return true;
  }

  // The last stored moment that is not after a step.
  /** @param {number} step */
  momentAt(step) {
    const {moments} = this.stored;
    return moments.findLast((moment) => moment.step <= step) ?? moments[0];
  }

  // Run `work` with the model of a stored moment.
  /** @template Result @param {ReturnType<LaneRun["momentAt"]>} moment @param {() => Result} work @returns {Result} */
  at(moment, work) {
    const now = this.run.snapshot();
    this.run.restore(moment);
    try {
      return work();
    } finally {
      this.run.restore(now);
    }
  }

  // Forget what came after a step; with `ghosts` its curves stay, as those of a parent.
  /** @param {number} step @param {boolean} ghosts */
  back(step, ghosts) {
    this.drain();
    this.stored.back(step);
    const at = this.run.step,
      mark = this.marks.get(at);
    this.parent = new Map();
    for (const [name, ring] of this.rings) {
      if (ghosts && ring.lastX > at)
        this.parent.set(name, new Ring(pointsOf(ring, (x) => x >= at - ring.stride)));
      this.rings.set(name, new Ring(pointsOf(ring, (x) => x <= at)));
    }
    this.seconds = mark?.seconds ?? 0;
    this.last = mark?.figures ?? {};
    this.kept = this.copied();
    this.probe = this.look();
    this.record(at, this.probe.figures);
  }

  // What the board knows of stored moments: the steps between two, how many they are, the last one's step, and their MB.
  get history() {
    const {moments, every} = this.stored;
    return [
      every,
      moments.length,
      /** @type {{step: number}} */ (moments.at(-1)).step,
      (moments.length * this.size) / 2 ** 20,
    ];
  }

  // Curves as a block has them, by name: steps, then values.
  /** @param {Map<string, Ring>} rings */
  curves(rings) {
    return Object.fromEntries(
      Array.from(rings, ([name, ring]) => [name, Float32Array.from(pointsOf(ring, () => true))]),
    );
  }
}

// The points of a curve for which `keep` says so, the newest included: steps, then values.
/** @param {Ring} ring @param {(x: number) => boolean} keep */
function pointsOf(ring, keep) {
  const points = Array.from({length: ring.n}, (_, i) => [ring.x[i], ring.y[i]]);
  if (!points.length || /** @type {number[]} */ (points.at(-1))[0] < ring.lastX)
    points.push([ring.lastX, ring.last]);
  const kept = points.filter(([x, y]) => Number.isFinite(y) && keep(x));
  return [...kept.map(([x]) => x), ...kept.map(([, y]) => y)];
}
