// The training loop: passes over shuffled minibatches, which can be left at any step and resumed there, as
// lrbn_viz/training/loop.py does.

import constants from "../../io/constants.json" with {type: "json"};

const {max_parameter: MAX_PARAMETER, check_interval: CHECK_INTERVAL} = constants;

/** @typedef {import("./random.js").Generator} Generator */

/**
 * Parameters and all else that a step changes.
 * @typedef {{parameters: Record<string, KernelArray<any>>, copy(): any, restore(copied: any): void, free(): void}} State
 */
/**
 * A way of learning: HardEM (hard_em.js) or RBMSystem (rbm_system.js).
 * @typedef {{step(state: any, X: Float64Array, rng: Generator): Record<string, number>}} System
 */

/** @typedef {{X: ArrayLike<number>, n_v: number}} Images  rows of n_v pixels; NaN where it is not known */

export class Training {
  step = 0;
  epoch = 0;
  offset = 0; // images of this pass that were seen
  order = new Int32Array(0);

  /** @param {System} system  the next step uses it, so that it may be changed between two @param {State} state @param {Images} images @param {{batch_size: number, rng: Generator}} how */
  constructor(system, state, {X, n_v}, {batch_size, rng}) {
    this.system = system;
    this.state = state;
    this.X = X;
    this.n_v = n_v;
    this.n = X.length / n_v;
    this.batch_size = batch_size;
    this.rng = rng;
  }

  // Take one step; returns its figures and rows, and whether a pass over all images ended with it.
  next() {
    if (!this.order.length) this.order = this.rng.permuted(Int32Array.from({length: this.n}, (_, m) => m));
    const rows = this.order.subarray(this.offset, this.offset + this.batch_size),
      figures = this.system.step(this.state, this.batch(rows), this.rng);
    this.step += 1;
    this.offset += rows.length;
    const ended = this.offset >= this.n;
    if (ended || this.step % CHECK_INTERVAL === 0) this.check();
    if (ended) {
      this.epoch += 1;
      this.offset = 0;
      this.order = new Int32Array(0);
    }
    return {figures, rows, ended};
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

  /** @param {Int32Array} rows */
  batch(rows) {
    const {X, n_v} = this,
      batch = new Float64Array(rows.length * n_v);
    rows.forEach((m, k) => {
      for (let i = 0; i < n_v; i++) batch[k * n_v + i] = X[m * n_v + i];
    });
    return batch;
  }

  // All that the run needs to continue from here.
  snapshot() {
    const {step, epoch, offset, rng} = this;
    return {step, epoch, offset, order: this.order.slice(), state: this.state.copy(), rng: rng.copy()};
  }

  /** @param {ReturnType<Training["snapshot"]>} snapshot */
  restore({state, rng, order, ...places}) {
    Object.assign(this, places);
    this.order = order.slice();
    this.state.restore(state);
    this.rng.restore(rng);
  }
}
