// A run of training with stored moments, to which it can go back.

import {systemOf} from "./engine.js";
import {loadKernels, WITHOUT} from "./memory.js";
import {Generator} from "./random.js";
import {Training} from "./training.js";

/**
 * What a run begins with: the ways of learning by the names that Python's `kind` has, parameters as arrays of their own,
 * and training images, a row of n_v numbers each.
 * @typedef {{
 *   kernels: BufferSource, kind: import("./engine.js").Kind, settings: object, parameters: any, images: {X: ArrayLike<number>, n_v: number},
 *   batch_size: number, seed: number, n_iter: number,
 * }} Beginning
 */
/** @typedef {ReturnType<Training["snapshot"]>} Moment */

const MOMENTS = 64, // that are stored at most; when there are more, every second one goes
  MOMENTS_SIZE = 64 * 2 ** 20; // bytes that they may take together

// Bytes of all arrays in a value.
/** @param {any} value @returns {number} */
export function sizeOf(value) {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0);
}

export class StoredRun {
  averaged = 0; // steps whose mean the parameters are, at the end
  every = 1; // steps between moments
  rows = new Int32Array(0); // images of the last minibatch

  /** @param {Beginning} beginning */
  constructor({kernels, kind, settings, parameters, images, batch_size, seed, n_iter}) {
    if (!loadKernels(kernels, "learning")) throw new Error(WITHOUT);
    this.system = systemOf(kind, settings);
    this.training = new Training(this.system, this.system.fromParams(parameters), images, {
      batch_size,
      rng: new Generator(seed),
      n_iter,
    });
    /** @type {Moment[]} */
    this.moments = [this.training.snapshot()]; // the oldest first
    this.most = Math.min(MOMENTS, Math.max(2, Math.floor(MOMENTS_SIZE / sizeOf(this.moments)))); // moments
  }

  get over() {
    return this.training.over;
  }

  // Take one step; returns its figures.
  step() {
    const {training} = this,
      {figures, rows} = training.next();
    this.rows = rows;
    if (training.over) this.averaged = training.end();
    if (training.step % this.every === 0) this.store();
    return figures;
  }

  store() {
    this.moments.push(this.training.snapshot());
    if (this.moments.length <= this.most) return;
    this.every *= 2;
    this.moments = this.moments.filter(({step}) => step % this.every === 0);
  }

  // Learn on with other values of settings.
  /** @param {object} settings */
  change(settings) {
    this.system.settings = {...this.system.settings, ...settings};
  }

  // Go back to the latest stored moment that is not after a step. What follows it is forgotten: the run goes on from there,
  // with other settings perhaps.
  /** @param {number} step */
  back(step) {
    this.moments = this.moments.filter((moment, n) => n === 0 || moment.step <= step);
    this.training.restore(/** @type {Moment} */ (this.moments.at(-1)));
    this.averaged = 0;
  }

  // Its memory is that of other arrays from now on.
  free() {
    this.training.state.free();
  }
}
