// Learning of an LRBN's layer of Bernoulli units by hard EM, by Python's kernels: what lrbn_viz/lrbn/hard_em.py and m_step.py
// do around them. A state is changed in place, since a copy of all weights at each step takes as long as a part of it.

import {begun, fill, placed, roomFor, runSweeps} from "./layer.js";
import {updateLatents} from "./lrbn.js";
import {CONSTANTS, kernels} from "./memory.js";
import {Generator} from "./random.js";

/** @typedef {import("./layer.js").Precision} Precision */
/** @typedef {{rows: Float64Array, b: Float64Array, d: Float64Array}} Parameters  rows of weights (n_h, n_v), offsets, prior log-odds */
/** @typedef {Record<"log_joint" | "wrong_pixels" | "gradient_norm" | "units_on" | "flips" | "sweeps", number>} Figures  of a minibatch; nats and pixels of an image */

/**
 * Settings by the names of `HardEM` in Python.
 * @typedef {{
 *   n_h: number, prior: "learned" | "flat" | "warmed", warm_up: number, learning_rate: number, learning_rate_end: number | null,
 *   average: number, momentum: number, decay_steps: number, weight_decay: number, decay_b: boolean, nonnegative: boolean, start: string, e_step: "icm" | "annealed" | "gibbs",
 *   max_sweeps: number, warm_sweeps: number, hottest: number, coldest: number, likelihood_weight: number, weight_scale: number,
 * }} Settings
 */

const TOGETHER = 4, // images that are visited together
  CHUNK = 256, // images whose pixel probabilities are stored at a time, as in Python
  FIGURES = ["log_joint", "wrong_pixels", "gradient_norm", "units_on"],
  MEASURED = [...FIGURES, "dead_units"];

/** @param {string[]} names @param {Float64Array} values @returns {Record<string, number>} */
const named = (names, values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));

// Parameters in the kernels' memory, and those of the gradient and of the running sum of past ones.
export class State {
  step = 0;

  /** @param {number} n_v @param {number} n_h */
  constructor(n_v, n_h) {
    const memory = kernels(),
      layer = () => {
        const fields = {
          rows: memory.array("f8", n_h, n_v),
          b: memory.array("f8", n_v),
          d: memory.array("f8", n_h),
        };
        return {...fields, tuple: memory.tuple("Rows", fields)};
      };
    const {made, placed: all} = memory.kept(() => ({own: layer(), gradient: layer(), velocity: layer()}));
    this.n_v = n_v;
    this.n_h = n_h;
    this.layers = made;
    this.placed = all;
  }

  get parameters() {
    const {rows, b, d} = this.layers.own;
    return {W: rows, b, d};
  }

  // The filters, a row of weights for each latent, of these weights or those now.
  /** @param {Float64Array} [W] */
  filters(W = this.layers.own.rows.view) {
    return W.slice();
  }

  // Copies of the parameters, and of what a run goes on with.
  /** @returns {{step: number, own: Parameters, velocity: Parameters}} */
  copy() {
    /** @param {typeof this.layers.own} layer */
    const of = ({rows, b, d}) => ({rows: rows.view.slice(), b: b.view.slice(), d: d.view.slice()});
    return {step: this.step, own: of(this.layers.own), velocity: of(this.layers.velocity)};
  }

  /** @param {ReturnType<State["copy"]>} copied */
  restore({step, ...copied}) {
    this.step = step;
    for (const name of /** @type {const} */ (["own", "velocity"]))
      for (const field of /** @type {const} */ (["rows", "b", "d"]))
        this.layers[name][field].view.set(copied[name][field]);
  }

  free() {
    for (const each of this.placed) each.free();
  }
}

export class HardEM {
  /** @param {Settings} settings @param {Precision} precision  of the E-step; Python's is single */
  constructor(settings, precision = "f4") {
    this.settings = settings;
    this.precision = precision;
  }

  // The state that continues training from given parameters.
  /** @param {Parameters} parameters */
  fromParams({rows, b, d}) {
    const state = new State(b.length, d.length),
      {own} = state.layers;
    own.rows.view.set(rows);
    own.b.view.set(b);
    own.d.view.set(d);
    return state;
  }

  // The temperature of each sweep before ICM, and the bound on ICM's own sweeps.
  /** @param {Settings["e_step"]} method */
  schedule(method) {
    const {warm_sweeps, hottest, coldest, max_sweeps} = this.settings,
      memory = kernels();
    if (method === "gibbs") return {temperatures: new Float64Array(warm_sweeps).fill(1), max_sweeps: 0};
    return memory.scope(() => {
      const temperatures = memory.array("f8", method === "annealed" ? warm_sweeps : 0);
      memory.call("fill_cooling", {hottest, coldest, temperatures});
      return {temperatures: temperatures.view.slice(), max_sweeps};
    });
  }

  // The latents of each image by the named method, and the visits and flips that it took.
  /** @param {State} state @param {Float64Array} X  (n, n_v), NaN where it is not known @param {Generator} rng @param {Settings["e_step"]} method @param {number} weight  exponent of the likelihood */
  infer(state, X, rng, method, weight = 1, precision = this.precision) {
    const {n_v, n_h, layers} = state,
      {start} = this.settings,
      n = X.length / n_v,
      H = new Uint8Array(n * n_h),
      {temperatures, max_sweeps} = this.schedule(method);
    let visits = 0,
      flips = 0;
    return kernels().scope(() => {
      const at = roomFor({n_v, n_h, gaussian: false}, precision, TOGETHER);
      // before the views are taken, as the memory may grow for it, which ends them
      const prior = this.weighed(layers.own.d.view, weight),
        cooler = this.weighed(temperatures, weight);
      fill(at, layers.own.rows.view, layers.own.b.view, prior);
      for (let first = 0; first < n; first += CHUNK)
        kernels().scope(() => {
          const part = X.subarray(first * n_v, (first + CHUNK) * n_v),
            images = placed(at, part, part.length / n_v);
          begun(at, images, start, rng);
          for (let m = 0; m < part.length / n_v; m++) images.stream.view[m] = rng.next64();
          const results = runSweeps(at, images, cooler, max_sweeps);
          H.set(images.latent.view, first * n_h);
          for (const count of results.visits.view) visits += Number(count);
          for (const count of results.flips.view) flips += Number(count);
        });
      return {H, visits, flips};
    });
  }

  // Every visit of the E-step that `step` makes from here: a trace for each image, in double precision.
  /** @param {State} state @param {Float64Array} X @param {Generator} rng @param {Settings} settings  of this step @returns {import("./lrbn.js").Trace[]} */
  traces({n_v, n_h, layers: {own}}, X, rng, {e_step, likelihood_weight, start}) {
    const {temperatures, max_sweeps} = this.schedule(e_step),
      n = X.length / n_v,
      [W, b, d] = [own.rows, own.b, own.d].map(({view}) => view.slice()),
      // no image is held in part, and the Bernoulli layer is one whose visits kernels record
      layer = /** @type {any} */ ({n_v, n_h, exact: W, b, d, visible: "bernoulli"}),
      prior = this.weighed(d, likelihood_weight),
      cooler = [...this.weighed(temperatures, likelihood_weight), ...new Array(max_sweeps).fill(0)];
    /** @type {import("./lrbn.js").Trace[]} */
    const found = [];
    for (let first = 0; first < n; first += CHUNK) {
      const part = X.subarray(first * n_v, (first + CHUNK) * n_v),
        images = Array.from({length: part.length / n_v}, (_, m) => part.subarray(m * n_v, (m + 1) * n_v));
      const starts = this.starts(layer, part, prior, start, rng),
        streams = images.map(() => rng.next64());
      images.forEach((x, m) => {
        const draws = /** @type {any} */ ({next64: () => streams[m]}), // the image's own stream
          from = starts.subarray(m * n_h, (m + 1) * n_h);
        found.push(updateLatents(layer, x, from, "sequential", cooler, new Map(), draws, prior));
      });
    }
    return found;
  }

  // The states in which inference of these images begins.
  /** @param {any} layer @param {Float64Array} X @param {Float64Array} prior @param {string} start @param {Generator} rng */
  starts({n_v, n_h, exact, b}, X, prior, start, rng) {
    return kernels().scope(() => {
      const at = roomFor({n_v, n_h, gaussian: false});
      fill(at, exact, b, prior);
      const images = placed(at, X, X.length / n_v);
      begun(at, images, start, rng);
      return images.latent.view.slice();
    });
  }

  // Prior log-odds or temperatures for a likelihood with this exponent.
  /** @param {Float64Array} values @param {number} weight */
  weighed(values, weight) {
    const memory = kernels();
    return memory.scope(() => {
      const given = {values: memory.of("f8", values), weight},
        weighted = memory.array("f8", values.length);
      memory.call("weigh", {...given, weighted});
      return weighted.view.slice();
    });
  }

  // The M-step on images and their latents.
  /** @param {State} state @param {Float64Array} X @param {Uint8Array} H @param {Settings} settings @returns {Record<string, number>} */
  learn({step, n_v, n_h, layers: {own, gradient, velocity}}, X, H, {prior, ...settings}) {
    const memory = kernels(),
      n = X.length / n_v;
    return memory.scope(() => {
      const figures = memory.array("f8", FIGURES.length);
      memory.call("learn_alone", {
        old: own.tuple,
        X: memory.of("f8", X, n, n_v),
        H: memory.of("u1", H, n, n_h),
        steps: memory.tuple("GradientSteps", {...settings, prior: CONSTANTS.priors[prior]}),
        step,
        gradient: gradient.tuple,
        velocity: settings.momentum ? velocity.tuple : gradient.tuple,
        new: own.tuple,
        figures,
      });
      return named(FIGURES, figures.view);
    });
  }

  // One round of Algorithm 1 on a minibatch.
  /** @param {State} state @param {Float64Array} X @param {Generator} rng @param {Settings} settings  of this step @returns {Figures} */
  step(state, X, rng, settings = this.settings) {
    const {e_step, likelihood_weight} = settings,
      n = X.length / state.n_v,
      {H, visits, flips} = this.infer(state, X, rng, e_step, likelihood_weight),
      figures = /** @type {Figures} */ (this.learn(state, X, H, settings)),
      {layers} = state;
    state.step += 1;
    // without momentum the last gradient is what a step with momentum would go on from
    if (!settings.momentum) [layers.gradient, layers.velocity] = [layers.velocity, layers.gradient];
    if (!Number.isFinite(figures.log_joint))
      throw new Error(`log P(x, h) became ${figures.log_joint} at step ${state.step}: training diverged.`);
    return {...figures, flips: flips / n, sweeps: visits / (n * state.n_h)};
  }

  // The latents of each image by ICM in double precision.
  /** @param {State} state @param {Float64Array} X @param {Generator} rng */
  encode(state, X, rng) {
    return this.infer(state, X, rng, "icm", 1, "f8").H;
  }

  // The more probable state of each latent given the image and all others off.
  /** @param {State} state @param {Float64Array} X */
  encodeFactorised({n_v, n_h, layers: {own}}, X) {
    const [exact, b, d] = [own.rows, own.b, own.d].map(({view}) => view.slice());
    return this.starts({n_v, n_h, exact, b}, X, d, "conditional", new Generator(0));
  }

  // Figures of held-out images with their latents; the score decides which model is better.
  /** @param {State} state @param {Float64Array} X @param {Uint8Array} H  as `encode` finds them */
  judge({n_v, n_h, layers}, X, H) {
    const memory = kernels(),
      n = X.length / n_v;
    return memory.scope(() => {
      const figures = memory.array("f8", MEASURED.length);
      memory.call("measure_alone", {
        of: layers.own.tuple,
        X: memory.of("f8", X, n, n_v),
        H: memory.of("u1", H, n, n_h),
        figures,
      });
      const {log_joint, wrong_pixels, dead_units} = named(MEASURED, figures.view);
      return {score: log_joint, log_joint, wrong_pixels, dead_units};
    });
  }

  // The same with the latents that ICM infers.
  /** @param {State} state @param {Float64Array} X @param {Generator} rng */
  validate(state, X, rng) {
    return this.judge(state, X, this.encode(state, X, rng));
  }

  // The mean of x given each row of H.
  /** @param {State} state @param {Uint8Array} H */
  decode({n_v, n_h, layers: {own}}, H) {
    const memory = kernels(),
      n = H.length / n_h;
    return memory.scope(() => {
      const means = memory.array("f8", n, n_v);
      memory.call("fill_means", {
        gaussian: false,
        rows: own.rows,
        b: own.b,
        H: memory.of("u1", H, n, n_h),
        means,
      });
      return means.view.slice();
    });
  }

  // Draw n images by ancestral sampling.
  /** @param {State} state @param {number} n @param {Generator} rng */
  sample(state, n, rng) {
    const {n_h, layers} = state,
      memory = kernels();
    /** @param {Float64Array} means @param {number} width */
    const drawn = (means, width) =>
      memory.scope(() => {
        const states = memory.array("u1", n, width);
        memory.call("fill_draws", {
          means: memory.of("f8", means, n, width),
          uniforms: memory.of("f8", rng.uniforms(n * width), n, width),
          states,
        });
        return states.view.slice();
      });
    const prior = memory.scope(() => {
      const means = memory.array("f8", n, n_h),
        none = {rows: memory.array("f8", 0, n_h), H: memory.array("u1", n, 0)};
      memory.call("fill_means", {gaussian: false, ...none, b: layers.own.d, means});
      return means.view.slice();
    });
    return drawn(this.decode(state, drawn(prior, n_h)), state.n_v);
  }
}
