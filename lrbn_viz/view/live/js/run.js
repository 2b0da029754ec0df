// A run of two models in a page's worker. It answers the training board's messages as the server's feed does (app/train),
// with the same blocks and frames, which are no bytes here.

import {StoredRun} from "../../../browser/js/stored_run.js";
import {Turns} from "../../../browser/js/turns.js";
import {unpackBits} from "../../player/js/decode.js";
import {LaneRun, sharesOf} from "./lane_run.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {{frames: Frame[], pictures: Block<PicturesMeta, Arrays> | null} | Block<BoardMeta, Arrays> | {models: Trained} | {failed: string}} Said */
/** @typedef {{names: string[], weights: import("./lane_run.js").Weights[], step: number, row: number | null, x: Uint8Array | null}} Trained  for the Inference view: the models, and an image */
/** @typedef {{type: "open", kernels: BufferSource, meta: PageRunMeta, arrays: Arrays}} Open */

const {figures: FIGURES} = constants;
const BETWEEN = 100, // ms between two messages while it plays
  CALM = 1000, // the same for who wants few movements
  TOGETHER = 10, // minibatches of whose figures a curve has the mean
  PROBES = 250, // ms between two probes while it plays, which are made after a pass over all images
  WINDOW = 2000, // ms over which images per second are counted
  MOMENTS_SHOWN = 12, // of a filter
  SHOWN = 40; // images of the last minibatch

// Images from bits, a row of whole bytes each.
/** @param {Numbers} bits @param {number} n_v */
function imagesOf(bits, n_v) {
  const stride = Math.ceil(n_v / 8),
    n = bits.length / stride,
    images = new Float64Array(n * n_v);
  for (let m = 0; m < n; m++)
    images.set(unpackBits(bits.subarray(m * stride, (m + 1) * stride), n_v), m * n_v);
  return images;
}

export class PageRun {
  status = "none";
  error = "";
  cursor = -1; // the step that is looked at; -1: the present
  number = 0; // of the last frame
  branches = 0;
  /** @type {RunMeta["parent"]} */ parent = null;
  /** @type {{name: string, step: number}[]} */ ancestors = []; // of the parent, the first run first, and where each was left
  n_iter = 0; // passes over all images
  arranged = 0; // how many times a lesson has asked for a run
  between = BETWEEN;
  framed = 0;
  probed = 0;
  ended = false; // whether a pass over all images has ended since the last turn
  /** @type {Frame[]} */ frames = []; // that the board was not told of
  /** @type {LaneRun[]} */ lanes = [];
  /** @type {Record<string, unknown>[]} */ chosen = []; // settings of each lane that the visitor has changed
  seed = 0; // of the next run
  own_seed = 0; // of this one
  until = Infinity; // the step at which it pauses
  /** @type {{at: number, steps: number[]}[]} */ rates = [];

  /** @param {(said: Said) => void} post @param {import("../../../browser/js/turns.js").Clock} clock */
  constructor(post, clock) {
    this.post = post;
    this.clock = clock;
    const run = this;
    this.turns = new Turns(clock, {
      get over() {
        return run.over || run.reached;
      },
      step: () => run.step(),
      after: (now) => run.after(now),
      fail: (error) => run.fail(error),
    });
  }

  /** @param {Message | Open} message */
  handle(message) {
    try {
      this.act(/** @type {any} */ (message));
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.turns.pause();
    this.error = error instanceof Error ? error.message : String(error);
    if (!this.lanes.length) return this.post({failed: this.error});
    this.status = "failed";
    this.tellRun();
  }

  /** @param {any} message */
  act(message) {
    const {type} = message;
    if (type === "open") this.open(message);
    else if (type === "start") this.start();
    else if (type === "pause") this.rest("paused");
    else if (type === "step") this.single();
    else if (type === "slow") this.slow();
    else if (type === "reset") this.begin();
    else if (type === "on") this.on();
    else if (type === "look") this.lookAt(message.step);
    else if (type === "back") this.back(message.step, false);
    else if (type === "branch") this.back(this.cursor, true);
    else if (type === "filter") this.filter(message.lane, message.unit);
    else if (type === "set") this.set(message.lane, message.name, message.value);
    else if (type === "arrange") this.arrange(message.settings, message.epochs);
    else if (type === "seed") this.sow(message.value);
    else if (type === "pace") this.turns.pace = message.value;
    else if (type === "calm") this.between = message.on ? CALM : BETWEEN;
    else if (type === "show") this.present(null);
    else if (type === "inspect") this.present(message.number);
  }

  /** @param {Open} message */
  open({kernels, meta, arrays}) {
    this.meta = meta;
    this.kernels = kernels;
    this.arrays = arrays;
    this.X = imagesOf(arrays.images, this.n_v);
    this.held = imagesOf(arrays.held, this.n_v);
    this.chosen = meta.lanes.map(() => ({}));
    this.n_iter = meta.n_iter;
    this.seed = meta.seed;
    this.begin();
  }

  get n_v() {
    const [rows, columns] = /** @type {PageRunMeta} */ (this.meta).image_shape;
    return rows * columns;
  }

  // A run from the beginning, with the settings as they are now.
  begin() {
    const meta = /** @type {PageRunMeta} */ (this.meta),
      {n_v} = this;
    this.turns.pause();
    const lanes = meta.lanes.map((info, n) => {
      const stored = new StoredRun({
        kernels: /** @type {BufferSource} */ (this.kernels),
        kind: info.kind,
        settings: {...info.settings, decay_steps: info.settings.decay_steps ?? Infinity, ...this.chosen[n]},
        parameters: this.parameters(n),
        images: {X: /** @type {Float64Array} */ (this.X), n_v},
        batch_size: meta.batch_size,
        seed: this.seed,
        n_iter: meta.n_iter,
      });
      return new LaneRun(
        info,
        stored,
        /** @type {Float64Array} */ (this.held),
        meta.seed,
        /** @type {Arrays} */ (this.arrays)[`${n}.predicted`],
      );
    });
    for (const {stored} of this.lanes) stored.free();
    this.lanes = lanes;
    this.own_seed = this.seed;
    this.n_iter = meta.n_iter;
    this.frames = [];
    this.status = "new";
    this.error = "";
    this.parent = null;
    this.ancestors = [];
    this.cursor = -1;
    this.until = Infinity;
    this.tellRun();
  }

  // Show a run with these settings, and the file's seed, after so many epochs: this one, if it is such a run and no further.
  /** @param {Record<string, unknown>[]} settings  those of each lane that differ from the file's @param {number} epochs */
  arrange(settings, epochs) {
    const {seed, lanes} = /** @type {PageRunMeta} */ (this.meta),
      same = JSON.stringify(this.chosen) === JSON.stringify(settings) && this.own_seed === seed,
      until = epochs * lanes[0].per_pass;
    this.arranged++;
    if (!same || this.parent || this.status === "failed" || this.lanes[0].run.step > until) {
      this.chosen = settings.map((of) => ({...of}));
      this.seed = seed;
      this.begin();
    }
    if (this.lanes[0].run.step === until) return;
    this.start();
    this.until = until;
  }

  // What a lane begins with.
  /** @param {number} n */
  parameters(n) {
    const arrays = /** @type {Arrays} */ (this.arrays),
      [rows, b, d] = ["W", "b", "d"].map((name) => Float64Array.from(arrays[`${n}.${name}`]));
    return {rows, b, d, particles: arrays[`${n}.particles`]};
  }

  get over() {
    return this.lanes.every(({stored}) => stored.over);
  }

  get reached() {
    return this.lanes[0].run.step >= this.until;
  }

  get progress() {
    return Math.min(1, this.lanes[0].run.step / this.total);
  }

  // -- learning

  start() {
    if (this.status === "failed") this.begin(); // its models cannot learn on
    if (this.status === "running" || this.over) return;
    this.cursor = -1;
    this.status = "running";
    this.until = Infinity;
    this.rates = [];
    this.frame();
    this.turns.play();
  }

  // Every lane takes its next minibatch, the same images in the same order.
  advance() {
    for (const lane of this.lanes) lane.advance();
  }

  single() {
    if (this.status === "failed") this.begin();
    if (this.over || this.status === "running") return;
    this.cursor = -1;
    this.advance();
    this.rest(this.over ? "done" : "paused");
  }

  // A single minibatch in slow motion; it pauses the run.
  slow() {
    if (this.status === "failed") this.begin();
    if (this.over) return;
    this.cursor = -1;
    const lanes = this.lanes.map((lane) => lane.slowly(SHOWN));
    this.rest(this.over ? "done" : "paused");
    const {rows, arrays} = this.minibatch,
      [{run}] = this.lanes;
    for (const [n, lane] of lanes.entries())
      for (const [name, array] of Object.entries(lane.arrays)) arrays[`${n}.${name}`] = array;
    this.post({meta: {kind: "slow", step: run.step, rows, lanes: lanes.map(({meta}) => meta)}, arrays});
  }

  // While it plays.
  step() {
    this.advance();
    this.ended ||= this.lanes[0].run.offset === 0;
    if (this.lanes[0].run.step % TOGETHER === 0) this.note();
  }

  // Between two turns.
  /** @param {number} now */
  after(now) {
    if (this.over) return this.rest("done");
    if (this.reached) return this.rest("paused");
    if (now - this.framed >= this.between) this.frame();
    if (this.ended && now - this.probed >= Math.max(PROBES, this.between)) this.probe();
    this.ended = false;
  }

  // Pause, with all that is shown of the present model.
  /** @param {string} status */
  rest(status) {
    this.turns.pause();
    this.status = status;
    for (const lane of this.lanes) lane.refresh();
    this.frame(true);
    if (this.cursor >= 0) return;
    this.post(this.pictures(true));
    const arrays = Object.fromEntries(
      this.lanes.map((lane, n) => [`${n}.filters`, sharesOf(lane.weights().rows, this.n_v)]),
    );
    const {rows, arrays: images} = this.minibatch;
    /** @type {RestMeta} */
    const meta = {kind: "rest", rows, steps: this.lanes.map(({run}) => run.step), arranged: this.arranged};
    this.post({meta, arrays: {...arrays, ...images}});
  }

  // The first images of the last minibatch: their rows, and bytes.
  get minibatch() {
    const {n_v} = this,
      X = /** @type {Float64Array} */ (this.X),
      rows = Array.from(this.lanes[0].stored.rows.subarray(0, SHOWN)),
      bytes = new Uint8Array(rows.length * n_v);
    rows.forEach((row, k) => {
      for (let i = 0; i < n_v; i++) bytes[k * n_v + i] = 255 * X[row * n_v + i];
    });
    /** @type {Arrays & {minibatch: Uint8Array}} */
    const arrays = {minibatch: bytes};
    return {rows, arrays};
  }

  probe() {
    for (const lane of this.lanes) lane.refresh();
    if (this.cursor < 0) this.post(this.pictures(true));
    this.probed = this.clock.now();
  }

  on() {
    this.n_iter += /** @type {PageRunMeta} */ (this.meta).n_iter;
    for (const {run} of this.lanes) run.n_iter = this.n_iter;
    this.status = "paused";
    this.tellRun();
    this.start();
  }

  // Choose the seed of the next run, which begins at once where this one has not.
  /** @param {number} seed */
  sow(seed) {
    this.seed = seed;
    if (this.status === "new" && !this.lanes[0].run.step) this.begin();
  }

  // Learn on with another value of a setting.
  /** @param {number} lane @param {string} name @param {unknown} value */
  set(lane, name, value) {
    this.chosen[lane] = {...this.chosen[lane], [name]: value};
    this.lanes[lane].stored.change({[name]: value});
  }

  // -- what the board is told

  /** @returns {RunWords} */
  get words() {
    return {status: this.status, error: this.error, cursor: this.cursor, removed: false};
  }

  tellRun() {
    const meta = /** @type {PageRunMeta} */ (this.meta);
    /** @type {Arrays} */
    const arrays = {};
    this.frames = []; // the curves have their figures
    const lanes = this.lanes.map((lane, n) => {
      lane.drain();
      const pictures = {
        original: Uint8Array.from(lane.shown, (x) => 255 * x),
        ...lane.probe.pictures,
        filters: sharesOf(lane.weights().rows, this.n_v),
        ...lane.curves(lane.rings),
      };
      for (const [name, array] of Object.entries(pictures)) arrays[`${n}.${name}`] = array;
      for (const [name, array] of Object.entries(lane.curves(lane.parent)))
        arrays[`${n}.parent.${name}`] = array;
      const {title, rows, score, score_name, words, n_h, per_pass} = lane.info;
      return {
        title,
        rows,
        system: title,
        score,
        score_name,
        settings: words,
        n_h,
        per_pass,
        n_train: lane.run.n,
        step: lane.run.step,
        glance: lane.probe.step,
        probe: lane.probe.step,
        seconds: lane.seconds,
        history: lane.history,
        error: "",
      };
    });
    /** @type {RunMeta} */
    const run = {
      kind: "run",
      name: this.branches ? `Run ${1 + this.branches}` : "Run 1",
      parent: this.parent,
      ancestors: this.ancestors,
      dataset: meta.dataset,
      binary: true,
      tones: [0, 1],
      image_shape: meta.image_shape,
      coarse_shape: meta.image_shape,
      variables: meta.variables,
      figures: FIGURES,
      statuses: [],
      n_iter: this.n_iter,
      max_seconds: null,
      level_by: "passes",
      whole: false,
      checkpoint_seconds: null,
      budget_mb: null,
      saved_at: 0,
      seed: this.own_seed,
      arranged: this.arranged,
      words: this.words,
      lanes,
    };
    this.post({meta: run, arrays});
  }

  // Take the figures of the minibatches since the last frame into one.
  note() {
    this.frames.push({
      number: ++this.number,
      status: this.status,
      progress: this.progress,
      left: NaN,
      savedAt: 0,
      lanes: this.lanes.map((lane) => ({
        values: Object.entries(lane.drain()).flatMap(([name, value]) => {
          const at = FIGURES.indexOf(name);
          return at < 0 ? [] : [/** @type {[number, number]} */ ([at, value])];
        }),
        step: lane.run.step,
        seconds: lane.seconds,
        rate: 0,
        history: lane.history,
      })),
      pieces: [],
    });
  }

  // Tell the board of new figures of both lanes; with `whole` of no pictures, which come after it.
  frame(whole = false) {
    this.note();
    const now = this.clock.now(),
      frames = this.frames.splice(0);
    this.framed = now;
    this.rates.push({at: now, steps: this.lanes.map(({run}) => run.step)});
    while (this.rates.length > 2 && now - this.rates[0].at > WINDOW) this.rates.shift();
    const [then] = this.rates,
      span = (now - then.at) / 1000,
      running = this.status === "running";
    const [step] = this.lanes.map(({run}) => run.step),
      left = (span * (this.total - step)) / (step - then.steps[0]);
    const newest = frames[frames.length - 1];
    newest.left = running && span > 0.2 ? left : NaN;
    newest.lanes.forEach((lane, n) => {
      const {batch_size} = /** @type {PageRunMeta} */ (this.meta);
      lane.rate = running && span > 0.2 ? ((lane.step - then.steps[n]) * batch_size) / span : 0;
    });
    this.post({frames, pictures: !whole && running && this.cursor < 0 ? this.pictures(false) : null});
  }

  // Minibatches of the whole run.
  get total() {
    return this.lanes[0].info.per_pass * this.n_iter;
  }

  // Pictures of the present models; those of a probe where there is a new one.
  /** @param {boolean} probed */
  pictures(probed) {
    /** @type {Arrays} */
    const arrays = {};
    const lanes = this.lanes.map((lane, n) => {
      const {step} = lane.run,
        {probe} = lane,
        pictures = probed ? probe.pictures : lane.glance();
      for (const [name, array] of Object.entries(pictures)) arrays[`${n}.${name}`] = array;
      arrays[`${n}.filters`] = sharesOf(lane.weights().rows, this.n_v);
      return {
        steps: {glance: probed ? probe.step : step, filters: step, ...(probed && {probe: probe.step})},
        figures: probed ? probe.figures : {},
      };
    });
    return {meta: /** @type {PicturesMeta} */ ({kind: "pictures", lanes}), arrays};
  }

  // -- the past

  /** @param {number} step  -1: the present */
  lookAt(step) {
    this.cursor = step;
    if (step < 0) {
      if (this.status !== "running") this.rest(this.status);
      else this.probe();
      return;
    }
    /** @type {Arrays} */
    const arrays = {};
    const lanes = this.lanes.map((lane, n) => {
      const moment = lane.momentAt(step),
        mark = lane.marks.get(moment.step);
      const {probe, filters} = lane.at(moment, () => ({
        probe: lane.look(),
        filters: sharesOf(lane.weights().rows, this.n_v),
      }));
      for (const [name, array] of Object.entries({...probe.pictures, filters}))
        arrays[`${n}.${name}`] = array;
      const figures = {...mark?.figures, ...probe.figures, seconds: mark?.seconds ?? 0};
      return {
        step: moment.step,
        passes: moment.epoch + moment.offset / lane.run.n,
        seconds: mark?.seconds ?? 0,
        figures: Object.fromEntries(
          Object.entries(figures).map(([name, value]) => [
            name,
            /** @type {[number, number]} */ ([Math.fround(value), moment.step]),
          ]),
        ),
      };
    });
    const first = Math.min(...lanes.map((lane) => lane.step));
    this.post({meta: {kind: "moment", step: first, asked: step, lanes, words: this.words}, arrays});
  }

  // Learn on from the last stored moment before a step.
  /** @param {number} step @param {boolean} ghosts  its later curves stay, beside those of the branch */
  back(step, ghosts) {
    if (step < 0 || this.status === "running") return;
    const name = `Run ${1 + this.branches}`;
    for (const lane of this.lanes) lane.back(step, ghosts);
    const {step: at} = this.lanes[0].run;
    if (ghosts) {
      this.branches += 1;
      if (this.parent) this.ancestors.push({name: this.parent.name, step: this.parent.step});
      this.parent = {name, step: at, error: ""};
    }
    // before a branch, a run and its parent are one
    for (const each of [this.parent, ...this.ancestors]) if (each) each.step = Math.min(each.step, at);
    this.cursor = -1;
    this.status = this.lanes[0].run.step ? "paused" : "new";
    this.tellRun();
  }

  /** @param {number} number @param {number} unit */
  filter(number, unit) {
    const lane = this.lanes[number],
      {moments} = lane.stored,
      last = moments.length - 1,
      n = Math.min(MOMENTS_SHOWN, moments.length),
      places = Array.from({length: n}, (_, k) => Math.round((k * last) / Math.max(1, n - 1)));
    const found = places.map((place) => {
      const moment = moments[place];
      return lane.at(moment, () => {
        const {rows} = lane.weights(),
          row = rows.subarray(unit * this.n_v, (unit + 1) * this.n_v);
        return {
          shares: sharesOf(row, this.n_v),
          largest: row.reduce((most, w) => Math.max(most, Math.abs(w)), 0),
          usage: lane.look().usage[unit],
          step: moment.step,
          pass: moment.epoch + moment.offset / lane.run.n,
        };
      });
    });
    const filters = new Int8Array(n * this.n_v);
    found.forEach(({shares}, k) => filters.set(shares, k * this.n_v));
    this.post({
      meta: {kind: "filter", lane: number, unit},
      arrays: {
        filters,
        largest: Float32Array.from(found, ({largest}) => largest),
        usage: Float32Array.from(found, ({usage}) => usage),
        steps: Uint32Array.from(found, ({step}) => step),
        passes: Float32Array.from(found, ({pass}) => pass),
      },
    });
  }

  // The models for the Inference view: as they are, or, with an image of the last minibatch, as its E-step had them.
  /** @param {number | null} number */
  present(number) {
    const row = number === null ? null : this.lanes[0].stored.rows[number],
      X = /** @type {Float64Array} */ (this.X),
      {n_v} = this;
    this.post({
      models: {
        names: this.lanes.map(({info}) => info.title),
        weights: this.lanes.map((lane) => (row === null ? lane.weights() : lane.before)),
        step: this.lanes[0].run.step,
        row,
        x: row === null ? null : Uint8Array.from(X.subarray(row * n_v, (row + 1) * n_v)),
      },
    });
  }
}
