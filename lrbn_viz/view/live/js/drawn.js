// Samples of a model in the format of the Generate view (app/generate/wire.py), which a worker of the page makes.

import {draw_passes, infer, noise_image} from "../../../browser/js/engine.js";
import {nearestImages} from "../../../browser/js/nearest.js";
import {hasPaths, interpolate} from "../../../browser/js/paths.js";
import {packBits} from "../../player/js/decode.js";

/** @typedef {{model: import("../../../browser/js/passes.js").Drawn, method: import("../../../browser/js/engine.js").Method, usual_start: string, x0: ArrayLike<number> | null, held: Map<number, number>}} DrawnLane */
// An end of a path: a test image, or the number of a pass.
/** @typedef {{x: ArrayLike<number> | null, pass: number}} End */
// `x0`: the image that a chain starts from, null: noise
/** @typedef {{passes: number, seed: number, training: Uint8Array | null, ends: End[], way: string, lanes: DrawnLane[]}} Draw  `training` images: bits, a row each */

// Rows of states as bits, each from a byte of its own.
/** @param {ArrayLike<number>[]} rows */
function bitsOf(rows) {
  const packed = rows.map((row) => packBits(row)),
    bits = new Uint8Array(packed.reduce((sum, {length}) => sum + length, 0));
  packed.reduce((at, row) => {
    bits.set(row, at);
    return at + row.length;
  }, 0);
  return bits;
}

/** @param {ArrayLike<number>[]} rows */
const floatsOf = (rows) => Float32Array.from(rows.flatMap((row) => Array.from(row)));

// Of each lane, the arrays of its passes, and of its path between two codes; null where it has none.
/** @param {Draw} draw @returns {{passes: PassArrays, walk: WalkArrays | null}[]} */
export function drawnArrays({passes, seed, training, ends, way, lanes}) {
  return lanes.map(({model, method, usual_start, x0, held}) => {
    const [{n_v, visible}] = model.layers,
      gaussian = visible === "gaussian",
      start = x0 ?? noise_image(n_v, seed, gaussian),
      {H, X, uniforms, probabilities, x0: from} = draw_passes(model, passes, start, held, seed),
      imagesOf = (/** @type {ArrayLike<number>[]} */ rows) => (gaussian ? floatsOf(rows) : bitsOf(rows)),
      x = imagesOf(X);
    const arrays = {
      h: bitsOf(H),
      x,
      uniform: Uint16Array.from(
        uniforms.flatMap((row) => Array.from(row)),
        (u) => u * 65536,
      ),
      p: floatsOf(probabilities),
      ...(from && {x0: imagesOf([from])}),
      ...(training && x instanceof Uint8Array && nearestOf(training, x, n_v)),
    };
    if (!hasPaths(model)) return {passes: arrays, walk: null};
    const images = ends.map((end) => end.x ?? X[end.pass]),
      [code, last] = ends.map((end) =>
        end.x
          ? infer(/** @type {any} */ (model), method, end.x, usual_start, new Map(), 0)
          : H[/** @type {End} */ (end).pass],
      ),
      {unit, logJoint} = interpolate(model, code, last, way);
    return {
      passes: arrays,
      walk: {
        start: packBits(code),
        end: packBits(last),
        unit: Uint16Array.from(unit),
        log_joint: Float32Array.from(logJoint),
        images: bitsOf(images),
      },
    };
  });
}

/** @param {Uint8Array} training @param {Uint8Array} x @param {number} n_v */
function nearestOf(training, x, n_v) {
  const found = nearestImages(training, x, n_v),
    stride = Math.ceil(n_v / 8),
    near = new Uint8Array(x.length);
  found.row.forEach((row, m) => near.set(training.subarray(row * stride, (row + 1) * stride), m * stride));
  return {...found, near};
}
