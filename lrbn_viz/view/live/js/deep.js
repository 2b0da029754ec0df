// The joint inference of several layers: lrbn_viz/lrbn/deep/trace.py. Units of all layers are numbered through, the lowest
// layer's first; a sweep goes from the lowest layer up.

import {startLatents, updateLatents} from "./icm.js";
import {activation, evidence, prepare, softplus} from "./state.js";

/** @typedef {import("./icm.js").Trace} Trace */

// log P(x, h^1, ..., h^L), normalised. Equation (19).
/** @param {Layer[]} layers @param {ArrayLike<number>} x @param {Uint8Array[]} H */
export function logJoint(layers, x, H) {
  let total = 0,
    below = x;
  layers.forEach((layer, n) => {
    const a = activation(layer, H[n]);
    if (layer.visible === "gaussian")
      for (let i = 0; i < a.length; i++) total -= 0.5 * ((below[i] - a[i]) ** 2 + Math.log(2 * Math.PI));
    else for (let i = 0; i < a.length; i++) total += below[i] * a[i] - softplus(a[i]);
    if (n === layers.length - 1)
      for (let j = 0; j < layer.n_h; j++) total += H[n][j] * layer.d[j] - softplus(layer.d[j]);
    below = H[n];
  });
  return total;
}

/**
 * @param {Layer[]} layers @param {ArrayLike<number>} x @param {import("./icm.js").Start} start  a name starts each layer from the one below it
 * @param {import("./icm.js").Order} order @param {ArrayLike<number>} temperatures @param {Map<number, number>} held @param {import("./random.js").Generator} rng
 * @returns {Trace}
 */
export function updateLayers(layers, x, start, order, temperatures, held, rng) {
  /** @type {Uint8Array[]} */
  const H = [];
  for (const layer of layers) {
    const below = H.at(-1) ?? x,
      params = prepare(layer);
    if (typeof start !== "string")
      H.push(Uint8Array.from({length: layer.n_h}, (_, j) => start[layer.first + j]));
    else {
      H.push(startLatents(params, evidence(params, below, null), start, rng));
      rng.stream();
    }
  }
  const holds = layers.map(
    ({first, n_h}) =>
      new Map(
        Array.from(held, ([unit, value]) => /** @type {[number, number]} */ ([unit - first, value])).filter(
          ([unit]) => unit >= 0 && unit < n_h,
        ),
      ),
  );
  holds.forEach((of, n) => {
    for (const [unit, value] of of) H[n][unit] = value;
  });
  const joined = new Uint8Array(H.reduce((sum, h) => sum + h.length, 0));
  layers.forEach(({first}, n) => joined.set(H[n], first));
  let joint = logJoint(layers, x, H);
  /** @type {Trace} */
  const trace = {
    h0: joined,
    unit: [],
    after: [],
    flipped: [],
    logOdds: [],
    logJoint: [joint],
    sweep: [],
    converged: false,
    sampled: false,
    means: false,
    atOnce: false,
  };
  for (let t = 0; t < temperatures.length; t++) {
    let moved = false;
    layers.forEach((layer, n) => {
      const prior = n < layers.length - 1 ? activation(layers[n + 1], H[n + 1]) : null;
      const part = updateLatents(
        layer,
        n ? H[n - 1] : x,
        H[n],
        order,
        [temperatures[t]],
        holds[n],
        rng,
        prior,
      );
      const rest = joint - part.logJoint[0]; // the other terms of the joint are constant while this layer changes
      part.unit.forEach((j, k) => {
        H[n][j] = part.after[k];
        trace.unit.push(layer.first + j);
        trace.after.push(part.after[k]);
        trace.flipped.push(part.flipped[k]);
        trace.logOdds.push(part.logOdds[k]);
        trace.logJoint.push(part.logJoint[k + 1] + rest);
        trace.sweep.push(t);
        moved ||= part.flipped[k];
      });
      trace.sampled ||= part.sampled;
      joint = logJoint(layers, x, H);
    });
    if (temperatures[t] === 0 && !moved) return {...trace, converged: true};
  }
  return trace;
}
