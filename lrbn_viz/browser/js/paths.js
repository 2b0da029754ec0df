// The path from one code to another, as lrbn_viz/measure/interpolation.py finds it.

import {kernels} from "./memory.js";

export const STRAIGHT_STEPS = 40;

/** @typedef {{unit: Int32Array, logJoint: Float64Array}} Path  units that flip, none on a straight line; nats of each code with its best image, NaN between the ends of a straight line */

// Whether there are paths between a model's codes: of an LRBN of any depth or an RBM, of binary images.
/** @param {import("./passes.js").Drawn} model */
export const hasPaths = ({directed, factorised, layers: [{visible}]}) =>
  (directed || factorised) && visible === "bernoulli";

/**
 * @param {import("./passes.js").Drawn} model @param {ArrayLike<number>} start  states of all layers, the lowest first @param {ArrayLike<number>} end
 * @param {string} way  best flip first, by number, or straight @returns {Path}
 */
export function interpolate({layers, directed}, start, end, way) {
  const memory = kernels(),
    differing = Array.from(start).flatMap((state, j) => (state === end[j] ? [] : [j])),
    last = layers[layers.length - 1],
    first = [0, layers[0].n_v];
  for (const {n_h} of layers) first.push(first[first.length - 1] + n_h);
  return memory.scope(() => {
    const place = memory.array("i8", first.length);
    place.view.set(first.map(BigInt));
    const weights = memory.array(
      "f8",
      layers.reduce((sum, {exact}) => sum + exact.length, 0),
    );
    layers.reduce((at, {exact}) => {
      weights.view.set(exact, at);
      return at + exact.length;
    }, 0);
    const units = memory.of("i4", differing),
      log_joint = memory.array("f8", differing.length + 1);
    memory.call("flip_along", {
      directed,
      best: way === "best",
      first: place,
      weights,
      bias: memory.of(
        "f8",
        [...layers.map(({b}) => b), last.d].flatMap((each) => Array.from(each)),
      ),
      h: memory.of("u1", start),
      a: memory.array("f8", first[first.length - 1]),
      units,
      log_joint,
    });
    if (way !== "straight") return {unit: units.view.slice(), logJoint: log_joint.view.slice()};
    const ends = new Float64Array(STRAIGHT_STEPS + 1).fill(NaN);
    [ends[0], ends[STRAIGHT_STEPS]] = [log_joint.view[0], log_joint.view[differing.length]];
    return {unit: new Int32Array(STRAIGHT_STEPS), logJoint: ends};
  });
}
