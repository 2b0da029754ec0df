// Packed blocks, as wire.py writes them: the engine's results reach the player as bytes, like those of a server.

import {packBits} from "../../player/js/decode.js";
import {isWhole} from "../../../browser/js/whole.js";
import {errorsAlong} from "../../../browser/js/engine.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @type {Record<string, string>} */
const DTYPES = {
  Uint8Array: "u1",
  Uint16Array: "u2",
  Uint32Array: "u4",
  Float32Array: "f4",
  Float64Array: "f8",
};

/** @param {object} meta @param {Record<string, Numbers>} arrays @returns {Uint8Array<ArrayBuffer>} */
export function pack(meta, arrays) {
  /** @type {Record<string, {dtype: string, shape: number[], offset: number}>} */
  const entries = {};
  let size = 0;
  for (const [name, array] of Object.entries(arrays)) {
    entries[name] = {dtype: DTYPES[array.constructor.name], shape: [array.length], offset: size};
    size += Math.ceil(array.byteLength / 8) * 8;
  }
  const header = new TextEncoder().encode(JSON.stringify({meta, arrays: entries})),
    start = Math.ceil((8 + header.length) / 8) * 8;
  const block = new Uint8Array(start + size);
  block.set(new TextEncoder().encode(constants.packed_block));
  new DataView(block.buffer).setUint32(4, start - 8, true);
  block.fill(32, 8, start);
  block.set(header, 8);
  for (const [name, array] of Object.entries(arrays))
    block.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + entries[name].offset);
  return block;
}

/** @typedef {ReturnType<typeof import("./truth.js").knownOf>} Known  of a small model's lane */

// Add exact results of a lane, if they are known, to its metadata and arrays (view/player/truth.py).
/** @param {{meta: LaneMeta, arrays: Record<string, Numbers>}} lane @param {Known | null} known */
export function tell({meta, arrays}, known) {
  if (!known) return;
  const {truth, distance, beliefs, logEvidence} = known;
  if (beliefs) {
    const {meta: found, apart, ...rows} = beliefs;
    meta.beliefs = found;
    for (const [name, row] of Object.entries({...rows, ...(apart && {apart})}))
      arrays[`beliefs.${name}`] = row;
  }
  if (meta.particles && distance && !Object.keys(meta.held).length) meta.optimum = logEvidence; // limit of the mean weight
  if (truth) {
    meta.truth = truth.meta;
    meta.optimum = truth.meta.map_log_joint;
    Object.assign(arrays, {
      "truth.map": packBits(truth.map),
      "truth.marginals": truth.marginals,
      "truth.covariance": truth.covariance,
    });
  }
  if (!distance) return;
  meta.distance = distance.meta;
  Object.assign(arrays, {"distance.kl": distance.kl, "distance.variation": distance.variation});
}

/**
 * A lane of the player: its trace as arrays, and its metadata.
 * @param {Model} model @param {ArrayLike<number>} x @param {import("../../../browser/js/lrbn.js").Trace} trace
 * @param {Pick<LaneMeta, "title" | "subtitle" | "model_title" | "start" | "seed" | "held">} words
 * @returns {{meta: LaneMeta, arrays: Record<string, Numbers>}}
 */
export function laneOf(model, x, trace, words) {
  const bernoulli = model.visible === "bernoulli",
    errors = errorsAlong(model, x, trace);
  /** @param {ArrayLike<number>} values */
  const states = (values) => (trace.means ? Float32Array.from(values) : packBits(values));
  const {unit, after, logOdds, logJoint, sweep, h0} = trace;
  return {
    meta: {
      model: model.key,
      ...words,
      normalised: !model.factorised,
      sampled: trace.sampled,
      means: trace.means,
      at_once: trace.atOnce,
      off: 0,
      optimum: null,
      truth: null,
      converged: trace.converged,
      ...(trace.particles ? {particles: true} : {}),
      n_h: model.n_h,
      n_v: model.n_v,
      n_visits: unit.length,
    },
    arrays: {
      x: bernoulli ? packBits(x) : Float32Array.from(x),
      ...(isWhole(x) ? {} : {unknown: packBits(Array.from(x, (value) => Number(Number.isNaN(value))))}),
      h0: states(h0),
      unit: Uint16Array.from(unit),
      after: states(after),
      log_odds: Float32Array.from(logOdds),
      log_joint: Float64Array.from(logJoint),
      sweep: Uint16Array.from(sweep),
      wrong: bernoulli ? Uint16Array.from(errors) : Float32Array.from(errors),
      ...(trace.particles
        ? {particles: packBits(trace.particles.flatMap((state) => Array.from(state)))}
        : {}),
    },
  };
}

/** @param {object} words @param {ReturnType<typeof laneOf>[]} lanes */
export function packTrace(words, lanes) {
  /** @type {Record<string, Numbers>} */
  const arrays = {};
  lanes.forEach((lane, n) => {
    for (const [name, array] of Object.entries(lane.arrays)) arrays[`${n}.${name}`] = array;
  });
  return pack({kind: "trace", ...words, lanes: lanes.map((lane) => lane.meta)}, arrays);
}
