// Computation in workers, which run the engine only: local optima, and the posterior of small models.

import {observedPart} from "../../../browser/js/observed.js";
import {RIVAL_STATE} from "./session.js";
import {latentsAfter} from "../../../browser/js/engine.js";

/** @typedef {{question: string, lane: number, block: Uint8Array, starts: Uint8Array[]}} Answer */

// Start workers of the engine.
export class Engine {
  /** @param {string} address  of the worker's script, which is no module: a page opened from a file could not start one @param {ArrayBuffer} kernels  their module */
  constructor(address, kernels) {
    this.kernels = kernels;
    this.address = address;
  }

  // Send a question to a new worker, which ends after its answer.
  /** @param {object} message @param {(data: any) => void} answered */
  ask(message, answered) {
    const worker = new Worker(this.address);
    worker.onmessage = ({data}) => {
      worker.terminate();
      answered(data);
    };
    worker.postMessage({kernels: this.kernels, ...message});
    return worker;
  }
}

export class Optima {
  /** @type {Worker | null} */ worker = null;
  /** @type {Map<string, Answer>} */ known = new Map(); // answers by question and lane
  /** @type {string | null} */ asked = null;

  /** @param {Engine} engine @param {import("./session.js").Session} session @param {(block: Uint8Array) => void} give */
  constructor(engine, session, give) {
    this.engine = engine;
    this.session = session;
    this.give = give;
  }

  // A newer question replaces one that is being answered.
  /** @param {string} question @param {number} lane */
  ask(question, lane) {
    const {session} = this,
      key = `${question}.${lane}`,
      known = this.known.get(key);
    if (known) return this.give(known.block);
    if (this.asked === key) return;
    this.worker?.terminate();
    this.asked = key;
    const [mine, other] = [session.lanes[lane], session.lanes[1 - lane]].map(({model}) =>
        session.modelOf(model),
      ),
      titles = session.startsOf(lane);
    const fits = other.factorised && other.n_h === mine.n_h,
      {model, x} = observedPart(mine, session.x);
    this.worker = this.engine.ask(
      {
        kind: "optima",
        question,
        lane,
        layer: model.layers[0],
        x: Float64Array.from(x),
        titles: Object.fromEntries(titles),
        starts: fits ? {[RIVAL_STATE]: latentsAfter(session.traces[1 - lane])} : {},
      },
      (data) => {
        this.asked = null;
        const answer = {question, lane, ...data};
        this.known.set(key, answer);
        if (this.known.size > 8) this.known.delete(/** @type {string} */ (this.known.keys().next().value));
        this.give(answer.block);
      },
    );
  }

  // The first start that ended in an optimum.
  /** @param {string} question @param {number} row @param {number} lane */
  startOf(question, row, lane) {
    return this.known.get(`${question}.${lane}`)?.starts[row] ?? null;
  }
}

// The exact posterior under small models, and the distances of approximations from it. It takes some tenths of a second, and
// therefore comes after the traces.
export class Truths {
  /** @type {Worker | null} */ worker = null;

  /** @param {Engine} engine @param {import("./session.js").Session} session @param {() => void} follow  all that was unknown is known */
  constructor(engine, session, follow) {
    this.engine = engine;
    this.session = session;
    this.follow = follow;
  }

  // Compute the missing results for the current traces; earlier requests for others are dropped.
  find() {
    const {session, engine} = this,
      {unknown, traces} = session;
    this.worker?.terminate();
    this.worker = null;
    if (!unknown.length) return;
    const x = Float64Array.from(session.x),
      lanes = unknown.map((lane) => {
        const {model, held} = session.lanes[lane],
          {key, layers, recognition, visible, factorised} = session.modelOf(model),
          {methods, has_ladder, usual_start} = session.info(key);
        return [
          {key, layers, recognition, visible, factorised},
          {methods, has_ladder, usual_start},
          x,
          traces[lane],
          held,
        ];
      });
    this.worker = engine.ask({kind: "truth", lanes}, (/** @type {import("./write.js").Known[]} */ found) => {
      this.worker = null;
      found.forEach((known, n) => session.known.set(traces[unknown[n]], known));
      this.follow();
    });
  }
}
