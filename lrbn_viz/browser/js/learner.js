// A run of training that messages steer: it plays, pauses, takes single steps, goes on with other settings, and goes back to
// earlier moments. A worker has one (training_worker.js), which hands over to the page the arrays of its answers: all are copies.

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
/**
 * Messages to a run. "back" names the step to go back to: the latest stored moment that is not after it.
 * @typedef {{act: "begin"} & Beginning | {act: "play" | "pause" | "step"} | {act: "change", settings: object} | {act: "back", step: number}} Act
 */
/**
 * Answers: where a run stands with its parameters, those of `averaged` steps at its end, and the figures of all steps since the last answer, or why it ended.
 * @typedef {{
 *   step: number, epoch: number, over: boolean, playing: boolean, averaged: number, rows: Int32Array, figures: Record<string, Float64Array>,
 *   state: any, moments: number[],
 * } | {failed: string}} Answer
 */

const AT_A_TIME = 12, // ms of steps between two looks for messages
  BETWEEN = 100, // ms between two answers while it plays
  MOMENTS = 64, // that are stored at most; when there are more, every second one goes
  MOMENTS_SIZE = 64 * 2 ** 20; // bytes that they may take together

// Bytes of all arrays in a value.
/** @param {any} value @returns {number} */
export function sizeOf(value) {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0);
}

export class Learner {
  /** @type {Training | null} */ run = null;
  /** @type {any} */ system = null;
  playing = false;
  waiting = false; // for its next turn
  answered = 0;
  averaged = 0;
  /** @type {ReturnType<Training["snapshot"]>[]} */ moments = []; // the oldest first
  every = 1; // steps between moments
  most = MOMENTS; // of these settings and images
  /** @type {Record<string, number>[]} */ figures = []; // since the last answer
  rows = new Int32Array(0);

  /** @param {(answer: Answer) => void} post @param {(turn: () => void) => void} later  runs a turn once messages have been read */
  constructor(post, later) {
    this.post = post;
    this.later = later;
  }

  /** @param {Act} message */
  handle(message) {
    try {
      this.act(message);
    } catch (error) {
      this.playing = false;
      this.post({failed: error instanceof Error ? error.message : String(error)});
    }
  }

  /** @param {Act} message */
  act(message) {
    if (message.act === "begin") return this.begin(message);
    const run = this.run;
    if (!run) throw new Error("a run begins with its images and settings: send them first");
    if (message.act === "play") {
      this.playing = !this.over;
      return this.turnLater();
    }
    this.playing = false;
    if (message.act === "step" && !this.over) this.step(run);
    if (message.act === "change") this.system.settings = {...this.system.settings, ...message.settings};
    if (message.act === "back") this.back(run, message.step);
    this.answer(run);
  }

  get over() {
    return this.run !== null && this.run.over;
  }

  /** @param {Beginning} beginning */
  begin({kernels, kind, settings, parameters, images, batch_size, seed, n_iter}) {
    if (!loadKernels(kernels, "learning")) throw new Error(WITHOUT);
    const system = systemOf(kind, settings);
    this.run?.state.free();
    this.system = system;
    this.playing = false;
    this.run = new Training(system, system.fromParams(parameters), images, {
      batch_size,
      rng: new Generator(seed),
      n_iter,
    });
    this.moments = [this.run.snapshot()];
    this.most = Math.min(MOMENTS, Math.max(2, Math.floor(MOMENTS_SIZE / sizeOf(this.moments))));
    this.every = 1;
    this.averaged = 0;
    this.figures = [];
    this.answer(this.run);
  }

  /** @param {Training} run */
  step(run) {
    const {figures, rows} = run.next();
    this.figures.push(figures);
    this.rows = rows;
    if (run.over) this.averaged = run.end();
    if (run.step % this.every) return;
    this.moments.push(run.snapshot());
    if (this.moments.length <= this.most) return;
    this.every *= 2;
    this.moments = this.moments.filter(({step}) => step % this.every === 0);
  }

  // What follows that moment is forgotten: the run goes on from there, with other settings perhaps.
  /** @param {Training} run @param {number} step */
  back(run, step) {
    this.moments = this.moments.filter((moment, n) => n === 0 || moment.step <= step);
    run.restore(/** @type {ReturnType<Training["snapshot"]>} */ (this.moments.at(-1)));
    this.figures = [];
    this.averaged = 0;
  }

  turnLater() {
    if (this.waiting || !this.playing) return;
    this.waiting = true;
    this.later(() => {
      this.waiting = false;
      this.turn();
    });
  }

  turn() {
    const run = this.run;
    if (!run || !this.playing) return;
    const began = performance.now();
    try {
      while (!this.over && performance.now() - began < AT_A_TIME) this.step(run);
    } catch (error) {
      this.playing = false;
      return this.post({failed: error instanceof Error ? error.message : String(error)});
    }
    if (this.over) this.playing = false;
    if (!this.playing || performance.now() - this.answered >= BETWEEN) this.answer(run);
    this.turnLater();
  }

  /** @param {Training} run */
  answer(run) {
    const names = Object.keys(this.figures[0] ?? {}),
      figures = Object.fromEntries(
        names.map((name) => [name, Float64Array.from(this.figures, (each) => each[name])]),
      );
    this.answered = performance.now();
    this.figures = [];
    this.post({
      step: run.step,
      epoch: run.epoch,
      over: this.over,
      playing: this.playing,
      averaged: this.averaged,
      rows: this.rows.slice(),
      figures,
      state: run.state.copy(),
      moments: this.moments.map(({step}) => step),
    });
  }
}
