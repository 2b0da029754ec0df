// The training loop: passes over shuffled minibatches, which can be left at any step and resumed there, as
// lrbn_viz/training/loop.py does.

import {train_step} from "./engine.js";
import {kernels} from "./memory.js";
import constants from "../../io/constants.json" with {type: "json"};

const {max_parameter: MAX_PARAMETER, check_interval: CHECK_INTERVAL} = constants;

/** @typedef {import("./random.js").Generator} Generator */

/**
 * Parameters and all else that a step changes.
 * @typedef {{parameters: Record<string, KernelArray<any>>, copy(): any, restore(copied: any): void, free(): void}} State
 */
/**
 * A way of learning: HardEM (hard_em.js), RBMSystem (rbm_system.js) or RWSSystem (rws_system.js). The settings that it takes
 * for a step are its own, or what they are after so many steps.
 * @typedef {{learning_rate: number, learning_rate_end: number | null, average: number}} Paced
 * @typedef {{settings: any, step(state: any, X: Float64Array, rng: Generator, settings?: any): Record<string, number>, sample(state: any, n: number, rng: Generator): ArrayLike<number>}} System
 */

/** @typedef {{X: ArrayLike<number>, n_v: number}} Images  rows of n_v pixels; NaN where it is not known */

export class Training {
  step = 0;
  epoch = 0;
  offset = 0; // images of this pass that were seen
  order = new Int32Array(0);
  averaged = 0; // steps whose parameters `total` sums up
  /** @type {Record<string, Float64Array | Float32Array>} */ total = {};

  /** @param {System} system  the next step uses it, so that it may be changed between two @param {State} state @param {Images} images @param {{batch_size: number, rng: Generator, n_iter: number}} how */
  constructor(system, state, {X, n_v}, {batch_size, rng, n_iter}) {
    this.system = system;
    this.state = state;
    this.X = X;
    this.n_v = n_v;
    this.n = X.length / n_v;
    this.batch_size = batch_size;
    this.images = new Float64Array(batch_size * n_v); // of a minibatch
    this.rng = rng;
    this.n_iter = n_iter;
  }

  get over() {
    return this.epoch >= this.n_iter;
  }

  // Steps of the whole run, and those of them that were taken.
  get n_steps() {
    return this.n_iter * this.perPass;
  }

  get n_done() {
    return this.epoch * this.perPass + Math.ceil(this.offset / this.batch_size);
  }

  get perPass() {
    return Math.ceil(this.n / this.batch_size);
  }

  // The settings of the next step.
  get acting() {
    const {settings} = this.system,
      {learning_rate, learning_rate_end} = /** @type {Paced} */ (settings),
      {n_done, n_steps} = this;
    if (learning_rate_end === null) return settings;
    const share = kernels().call("share_done", {n_done, n_steps}),
      rate = kernels().call("rate_at", {share, first: learning_rate, last: learning_rate_end});
    return {...settings, learning_rate: rate};
  }

  // Take one step; returns its figures and rows, and whether a pass over all images ended with it.
  next() {
    const rows = this.nextRows(),
      figures = train_step(this.system, this.state, this.batch(rows), this.rng, this.acting);
    this.step += 1;
    this.offset += rows.length;
    this.takeIntoAverage();
    const ended = this.offset >= this.n;
    if (ended || this.step % CHECK_INTERVAL === 0) this.check();
    if (ended) {
      this.epoch += 1;
      this.offset = 0;
      this.order = new Int32Array(0);
    }
    return {figures, rows, ended};
  }

  // The rows of the next minibatch.
  nextRows() {
    if (!this.order.length) this.order = this.rng.permuted(Int32Array.from({length: this.n}, (_, m) => m));
    return this.order.subarray(this.offset, this.offset + this.batch_size);
  }

  // Count the parameters that a step has left, if it is among the last ones.
  takeIntoAverage() {
    const {average} = /** @type {Paced} */ (this.system.settings),
      {n_done, n_steps} = this;
    if (!average || n_done <= kernels().call("first_averaged", {average, n_steps})) {
      this.averaged = 0;
      return;
    }
    this.averaged += 1;
    for (const [name, {view}] of Object.entries(this.state.parameters))
      if (this.averaged === 1) this.total[name] = view.slice();
      else for (let k = 0; k < view.length; k++) this.total[name][k] += view[k];
  }

  // At the end of all passes the mean over the last steps takes the parameters' place, where the settings ask for it; returns
  // the number of these steps.
  end() {
    const {averaged, total} = this;
    if (averaged)
      for (const [name, {view}] of Object.entries(this.state.parameters))
        view.set(total[name].map((sum) => sum / averaged));
    this.averaged = 0;
    return averaged;
  }

  // A parameter that is too large for a model that has learned ends the run, and one that is not finite.
  check() {
    for (const [name, {view}] of Object.entries(this.state.parameters))
      for (const value of view)
        if (!(Math.abs(value) <= MAX_PARAMETER))
          throw new Error(
            `training diverged: ${name} reached ${value.toPrecision(3)} in step ${this.step}; expected at most ` +
              `${MAX_PARAMETER}. Lower learning_rate, for example to a tenth.`,
          );
  }

  // Images of a minibatch, in an array that the next one overwrites.
  /** @param {Int32Array} rows */
  batch(rows) {
    const {X, n_v} = this,
      batch = this.images.subarray(0, rows.length * n_v);
    rows.forEach((m, k) => {
      for (let i = 0; i < n_v; i++) batch[k * n_v + i] = X[m * n_v + i];
    });
    return batch;
  }

  // All that the run needs to continue from here.
  snapshot() {
    const {step, epoch, offset, averaged, rng} = this,
      sums = Object.entries(averaged ? this.total : {}).map(([name, sum]) => [name, sum.slice()]);
    return {
      step,
      epoch,
      offset,
      averaged,
      order: this.order.slice(),
      total: /** @type {Training["total"]} */ (Object.fromEntries(sums)),
      state: this.state.copy(),
      rng: rng.copy(),
    };
  }

  /** @param {ReturnType<Training["snapshot"]>} snapshot */
  restore({state, rng, order, total, ...places}) {
    Object.assign(this, places);
    this.order = order.slice();
    this.total = Object.fromEntries(Object.entries(total).map(([name, sum]) => [name, sum.slice()]));
    this.state.restore(state);
    this.rng.restore(rng);
  }
}
