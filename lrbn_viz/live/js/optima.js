// Local optima, looked for beside the page: in a worker, which runs the engine alone.

import {endOf, RIVAL_STATE} from "./session.js";

/** @typedef {{question: string, lane: number, block: Uint8Array, starts: Uint8Array[]}} Answer */

export class Optima {
  /** @type {Worker | null} */ worker = null;
  /** @type {Map<string, Answer>} */ known = new Map(); // by the question and the lane
  /** @type {string | null} */ asked = null;

  /** @param {string} engine  text of the worker's script @param {ArrayBuffer | null} kernel  its inner loops @param {import("./session.js").Session} session @param {(block: Uint8Array) => void} give */
  constructor(engine, kernel, session, give) {
    this.engine = engine;
    this.kernel = kernel;
    this.session = session;
    this.give = give;
  }

  // A newer question takes the place of one that is being answered.
  /** @param {string} question @param {number} lane */
  ask(question, lane) {
    const {session} = this, key = `${question}.${lane}`, known = this.known.get(key);
    if (known) return this.give(known.block);
    if (this.asked === key) return;
    this.worker?.terminate();
    this.asked = key;
    const [mine, other] = [session.lanes[lane], session.lanes[1 - lane]].map(({model}) => session.modelOf(model)), titles = session.startsOf(lane);
    const worker = this.worker = new Worker(URL.createObjectURL(new Blob([this.engine], {type: "text/javascript"}))); // no module: a page that was opened from a disk may begin none
    worker.onmessage = ({data}) => {
      this.asked = null;
      const answer = {question, lane, ...data};
      this.known.set(key, answer);
      if (this.known.size > 8) this.known.delete(/** @type {string} */ (this.known.keys().next().value));
      this.give(answer.block);
      worker.terminate();
    };
    const fits = other.factorised && other.n_h === mine.n_h;
    worker.postMessage({
      question, lane, kernel: this.kernel, layer: mine.layers[0], x: Float64Array.from(session.x), titles: Object.fromEntries(titles), starts: fits ? {[RIVAL_STATE]: endOf(session.traces[1 - lane])} : {},
    });
  }

  // The first start that led to an optimum.
  /** @param {string} question @param {number} row @param {number} lane */
  startOf(question, row, lane) { return this.known.get(`${question}.${lane}`)?.starts[row] ?? null; }
}

