// A run of training that messages steer: it plays, pauses, takes single steps, goes on with other settings, and goes back to
// earlier moments. A worker has one (training_worker.js), which hands over to the page the arrays of its answers: all are copies.

import {StoredRun} from "./stored_run.js";
import {Turns} from "./turns.js";

/**
 * Messages to a run. "back" names the step to go back to: the latest stored moment that is not after it.
 * @typedef {{act: "begin"} & import("./stored_run.js").Beginning | {act: "play" | "pause" | "step"} | {act: "change", settings: object} | {act: "back", step: number}} Act
 */
/**
 * Answers: where a run stands with its parameters, those of `averaged` steps at its end, and the figures of all steps since the last answer, or why it ended.
 * @typedef {{
 *   step: number, epoch: number, over: boolean, playing: boolean, averaged: number, rows: Int32Array, figures: Record<string, Float64Array>,
 *   state: any, moments: number[],
 * } | {failed: string}} Answer
 */

const BETWEEN = 100; // ms between two answers while it plays

export class Learner {
  /** @type {StoredRun | null} */ run = null;
  answered = 0;
  /** @type {Record<string, number>[]} */ figures = []; // since the last answer

  /** @param {(answer: Answer) => void} post @param {import("./turns.js").Clock} clock */
  constructor(post, clock) {
    this.post = post;
    this.clock = clock;
    this.turns = new Turns(clock, this);
  }

  /** @param {Act} message */
  handle(message) {
    try {
      this.act(message);
    } catch (error) {
      this.turns.pause();
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.post({failed: error instanceof Error ? error.message : String(error)});
  }

  /** @param {Act} message */
  act(message) {
    if (message.act === "begin") {
      const begun = new StoredRun(message);
      this.run?.free();
      this.run = begun;
      this.figures = [];
    }
    const {run} = this;
    if (!run) throw new Error("a run begins with its images and settings: send them first");
    if (message.act === "play") return this.turns.play();
    this.turns.pause();
    if (message.act === "step" && !this.over) this.step();
    if (message.act === "change") run.change(message.settings);
    if (message.act === "back") {
      run.back(message.step);
      this.figures = [];
    }
    this.answer(run);
  }

  get over() {
    return this.run !== null && this.run.over;
  }

  step() {
    if (this.run) this.figures.push(this.run.step());
  }

  // Between two turns.
  /** @param {number} now */
  after(now) {
    if (this.run && (!this.turns.playing || now - this.answered >= BETWEEN)) this.answer(this.run);
  }

  /** @param {StoredRun} run */
  answer({training, averaged, rows, moments}) {
    const names = Object.keys(this.figures[0] ?? {}),
      figures = Object.fromEntries(
        names.map((name) => [name, Float64Array.from(this.figures, (each) => each[name])]),
      );
    this.answered = this.clock.now();
    this.figures = [];
    this.post({
      step: training.step,
      epoch: training.epoch,
      over: this.over,
      playing: this.turns.playing,
      averaged,
      rows: rows.slice(),
      figures,
      state: training.state.copy(),
      moments: moments.map(({step}) => step),
    });
  }
}
