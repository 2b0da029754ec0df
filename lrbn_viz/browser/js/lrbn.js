// Inference of an LRBN by Python's kernels: what lrbn_viz/lrbn/traced.py and lrbn_viz/lrbn/deep/trace.py do around them.

import {begun, fill, placed, roomFor} from "./layer.js";
import {kernels, keptWith} from "./memory.js";

/** @typedef {"sequential" | "random" | "greedy" | "parallel"} Order */
/** @typedef {import("./random.js").Generator} Generator */
/** @typedef {import("./layer.js").Start} Start */

/**
 * The record of inference: arrays with one entry per visit; `logJoint` has one more, for the start. With `particles`
 * (particles.js) a visit belongs to no unit, and adds one particle.
 * @typedef {{
 *   h0: ArrayLike<number>, unit: number[], after: number[], logOdds: number[], logJoint: number[], sweep: number[], converged: boolean,
 *   sampled: boolean, means: boolean, atOnce: boolean, particles?: Uint8Array[],
 * }} Trace
 */

/** @type {Order[]} */
const ORDERS = ["sequential", "random", "greedy", "parallel"];
const CURSOR = {visits: 0, sweep: 1, done: 4, converged: 5}; // places, of six
const VISITS = 4096; // at a time

/** @typedef {import("./layer.js").Prepared} Prepared */

// A layer's parameters in the kernels' memory.
export const prepared = keptWith((/** @type {Layer} */ {n_v, n_h, exact, b, d, visible}) => {
  const at = roomFor({n_v, n_h, gaussian: visible === "gaussian"});
  fill(at, exact, b, d);
  return at;
});

// The state of inference of an image, in the memory until the scope ends.
/** @param {Layer} layer @param {ArrayLike<number>} x  NaN where it is not known @param {ArrayLike<number> | null} [prior]  log-odds in the place of d */
const placedIn = (layer, x, prior = null) => placed(prepared(layer), x, 1, prior);

// The initial states by name, or states.
/** @param {Layer} layer @param {ArrayLike<number>} x @param {Start} start @param {Generator} rng */
export function startLatents(layer, x, start, rng) {
  return kernels().scope(() => {
    const at = placedIn(layer, x);
    begun(prepared(layer), at, start, rng);
    return at.latent.view.slice();
  });
}

// logit P(h_j = 1 | x, h_-j) of every latent, nats. Equation (10).
/** @param {Layer} layer @param {ArrayLike<number>} x @param {ArrayLike<number>} h */
export function conditionalLogOdds(layer, x, h) {
  return kernels().scope(() => {
    const {memory, params, state, latent} = placedIn(layer, x),
      log_odds = memory.array("f8", 1, layer.n_h);
    latent.view.set(h);
    memory.call("begin", {params, state});
    memory.call("fill_log_odds", {params, state, log_odds});
    return log_odds.view.slice();
  });
}

// The part of each latent's log-odds that does not depend on the other latents. Equations (11) and (12).
/** @param {Layer} layer @param {ArrayLike<number>} x */
export const evidence = (layer, x) => kernels().scope(() => placedIn(layer, x).evidence.view.slice());

// log P(x, h), normalised. Equations (3) and (6).
/** @param {Layer} layer @param {ArrayLike<number>} x @param {ArrayLike<number>} h */
export function logJoint(layer, x, h) {
  return kernels().scope(() => {
    const {memory, params, state, latent} = placedIn(layer, x);
    latent.view.set(h);
    return memory.call("begin", {params, state});
  });
}

// log P(x, h) of every state of few latents; bit j of the index is h_j.
/** @param {Layer} layer @param {ArrayLike<number>} x */
export const allLogJoints = (layer, x) => kernels().scope(() => enumerated(layer, x).view.slice());

// The same in the kernels' memory, until the scope ends.
/** @param {Layer} layer @param {ArrayLike<number>} x */
export function enumerated(layer, x) {
  const memory = kernels(),
    log_joints = memory.array("f8", 2 ** layer.n_h);
  memory.scope(() => {
    const {params, state} = placedIn(layer, x);
    memory.call("enumerate_joints", {params, state, log_joints});
  });
  return log_joints;
}

// a = W h + b, or W h and other offsets
/** @param {Layer} layer @param {ArrayLike<number>} h  states @param {ArrayLike<number> | null} [offsets]  (n_v,) */
export function activation(layer, h, offsets = null) {
  return kernels().scope(() => {
    const memory = kernels(),
      {
        rows,
        fields: {b},
        n_p,
      } = prepared(layer),
      a = memory.array("f8", n_p),
      own = offsets ? memory.array("f8", n_p) : b;
    if (offsets) own.view.set(offsets);
    memory.call("activate_image", {rows, b: own, h: memory.of("u1", h), a});
    return a.view.slice(0, layer.n_v);
  });
}

/**
 * Inference of one layer's latents, with its record. Units in `held` keep their states and are not visited.
 * @param {Layer} layer @param {ArrayLike<number>} x  NaN where it is not known @param {Start} start @param {Order} order
 * @param {ArrayLike<number>} temperatures  of each sweep; 0 is ICM
 * @param {Map<number, number>} held @param {Generator} rng @param {ArrayLike<number> | null} [prior]  log-odds from a layer above
 * @returns {Trace}
 */
export function updateLatents(layer, x, start, order, temperatures, held, rng, prior = null) {
  return kernels().scope(() => {
    const at = placedIn(layer, x, prior),
      {memory, params, state, latent, stream} = at;
    begun(prepared(layer), at, start, rng);
    stream.view[0] = rng.next64();
    if (held.size) stream.view[0] = rng.next64();
    for (const [unit, value] of held) latent.view[unit] = value;
    const h0 = latent.view.slice(),
      free = Int32Array.from(h0.keys()).filter((j) => !held.has(j)),
      n_free = free.length,
      n_sweeps = n_free ? temperatures.length : 0,
      random = order === "random";
    const given = {
      order: ORDERS.indexOf(order),
      units: memory.array("i4", random ? n_sweeps : 1, n_free),
      temperatures: memory.of("f8", temperatures),
      at_once: memory.array("f8", n_free),
      total: memory.array("f8", 1),
      cursor: memory.array("i8", 6),
    };
    const joint = memory.call("begin", {params, state}),
      record = new Record(h0, joint);
    given.total.view[0] = joint;
    if (!random) given.units.view.set(free);
    // as many sweeps at a time as their random orders are drawn for
    const together = Math.max(1, Math.floor(VISITS / Math.max(n_free, 1)));
    for (let t = 0; t < n_sweeps && !given.cursor.view[CURSOR.done]; t += together) {
      const sweeps = Math.min(together, n_sweeps - t);
      if (random) for (let s = t; s < t + sweeps; s++) given.units.view.set(rng.permuted(free), s * n_free);
      record.visits({params, state, ...given}, sweeps * n_free);
    }
    const converged = n_free === 0 || Boolean(given.cursor.view[CURSOR.converged]);
    return record.trace({
      converged,
      sampled: isSampled(record.sweep, temperatures),
      atOnce: order === "parallel",
    });
  });
}

// A trace of visits that are made some at a time.
export class Record {
  /** @type {number[]} */ unit = [];
  /** @type {number[]} */ after = [];
  /** @type {number[]} */ logOdds = [];
  /** @type {number[]} */ sweep = [];

  /** @param {ArrayLike<number>} h0 @param {number} joint  log joint, or bound, of the start */
  constructor(h0, joint) {
    this.h0 = h0;
    this.logJoint = [joint];
  }

  /** @param {Omit<KernelArguments["update_latents"], "record" | "n_visits">} given @param {number} n_visits  further ones, at most */
  visits(given, n_visits) {
    const memory = kernels();
    memory.scope(() => {
      const columns = memory.columns("Record", n_visits);
      given.cursor.view[CURSOR.visits] = 0n; // these begin a record of their own
      memory.call("update_latents", {...given, record: memory.tuple("Record", columns), n_visits});
      this.add(columns, columns.log_joint, Number(given.cursor.view[CURSOR.visits]));
    });
  }

  /**
   * @param {Pick<KernelTuples["Visits" | "MeansRecord"], "unit" | "after" | "log_odds"> & {sweep?: KernelArray<"i4">}} columns
   * @param {KernelArray<"f8">} logJoint @param {number} made  rows that are filled
   */
  add({unit, after, log_odds, sweep}, logJoint, made) {
    for (const [column, part] of /** @type {[number[], KernelArray<"f8"> | undefined][]} */ ([
      [this.unit, unit],
      [this.after, after],
      [this.logOdds, log_odds],
      [this.logJoint, logJoint],
      [this.sweep, sweep],
    ]))
      if (part) column.push(...part.view.subarray(0, made));
  }

  /** @param {Partial<Trace>} what  it is, unless of states by ICM, one unit at a time, to its end @returns {Trace} */
  trace(what) {
    return {...this, converged: true, sampled: false, means: false, atOnce: false, ...what};
  }
}

// Whether a sweep was made at a temperature above 0.
/** @param {number[]} sweep @param {ArrayLike<number>} temperatures */
const isSampled = (sweep, temperatures) =>
  sweep.length > 0 &&
  Array.from(temperatures)
    .slice(0, sweep[sweep.length - 1] + 1)
    .some(Boolean);

// Visible units with as much padding, of units that are not known, as rows of weights have; the shape is (n_p,) or (1, n_p).
/** @param {ArrayLike<number>} x @param {number[]} shape */
function padded(x, ...shape) {
  const made = kernels().array("f8", ...shape);
  made.view.fill(NaN).set(x);
  return made;
}

// The states, or means, after k visits of a trace, by default all.
/** @param {Pick<Trace, "h0" | "unit" | "after">} trace */
export function statesAfter({h0, unit, after}, k = unit.length) {
  const h = Float64Array.from(h0);
  for (let v = 0; v < Math.min(k, unit.length); v++) h[unit[v]] = after[v];
  return h;
}

// log P(x, h^1, ..., h^L), normalised. Equation (19).
/** @param {Layer[]} layers @param {ArrayLike<number>} x @param {ArrayLike<number>[]} H */
export function jointOf(layers, x, H) {
  const memory = kernels();
  return memory.scope(() => {
    let total = 0,
      below = x;
    layers.forEach((layer, n) => {
      const {
          rows,
          fields: {b, d},
          n_p,
          gaussian,
        } = prepared(layer),
        a = memory.array("f8", n_p),
        latent = memory.of("u1", H[n]),
        top = n === layers.length - 1,
        given = {gaussian, rows, b, d, below: padded(below, n_p), latent, top, a};
      total += memory.call("log_joint_of_layer", given);
      below = H[n];
    });
    return total;
  });
}

/**
 * Joint inference of several layers. Units of all are numbered through, the lowest layer's first; a sweep goes from the
 * lowest layer up.
 * @param {Layer[]} layers @param {ArrayLike<number>} x @param {Start} start  a name starts each layer from the one below it
 * @param {Order} order @param {ArrayLike<number>} temperatures @param {Map<number, number>} held @param {Generator} rng
 * @returns {Trace}
 */
export function updateLayers(layers, x, start, order, temperatures, held, rng) {
  /** @type {Uint8Array[]} */
  const H = [];
  for (const layer of layers) {
    if (typeof start !== "string")
      H.push(Uint8Array.from({length: layer.n_h}, (_, j) => start[layer.first + j]));
    else {
      H.push(startLatents(layer, H.at(-1) ?? x, start, rng));
      rng.next64();
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
  let joint = jointOf(layers, x, H),
    converged = false;
  const record = new Record(Uint8Array.from(H.flatMap((h) => Array.from(h))), joint);
  for (let t = 0; t < temperatures.length && !converged; t++) {
    let moved = false;
    layers.forEach((layer, n) => {
      const prior = n < layers.length - 1 ? activation(layers[n + 1], H[n + 1]) : null,
        below = n ? H[n - 1] : x,
        part = updateLatents(layer, below, H[n], order, [temperatures[t]], holds[n], rng, prior),
        rest = joint - part.logJoint[0]; // the other terms of the joint are constant while this layer changes
      part.unit.forEach((j, k) => {
        moved ||= H[n][j] !== part.after[k];
        H[n][j] = part.after[k];
      });
      record.unit.push(...part.unit.map((j) => layer.first + j));
      record.after.push(...part.after);
      record.logOdds.push(...part.logOdds);
      record.logJoint.push(...part.logJoint.slice(1).map((value) => value + rest));
      record.sweep.push(...part.unit.map(() => t));
      joint = jointOf(layers, x, H);
    });
    converged = temperatures[t] === 0 && !moved;
  }
  return record.trace({converged, sampled: isSampled(record.sweep, temperatures)});
}

// The reconstruction error at the start and after each visit, of the pixels that are known. Equation (24).
/** @param {Layer} layer  the lowest @param {ArrayLike<number>} x @param {Trace} trace  of states or means */
export function errorsAlong(layer, x, {h0, unit, after}) {
  const memory = kernels();
  return memory.scope(() => {
    const {
        rows,
        fields: {b},
        n_p,
        gaussian,
      } = prepared(layer),
      errors = memory.array("f8", unit.length + 1);
    memory.call("errors_along", {
      rows,
      h: memory.of("f8", Array.from(h0).slice(0, layer.n_h)),
      unit: memory.of("i4", unit),
      after: memory.of("f8", after),
      target: padded(x, n_p),
      squared: gaussian,
      a: memory.of("f8", b.view),
      errors,
    });
    return errors.view.slice();
  });
}

// The reconstruction error of each of several states or means, a row each, of the pixels that are known. Equation (24).
/** @param {Layer} layer  the lowest @param {ArrayLike<number>} x @param {KernelArray<"f8">} means */
export function errorsOf(layer, x, means) {
  const memory = kernels();
  return memory.scope(() => {
    const {
        rows,
        fields: {b},
        n_p,
        gaussian,
      } = prepared(layer),
      targets = padded(x, 1, n_p),
      a = memory.array("f8", n_p),
      errors = memory.array("f8", means.shape[0]);
    memory.call("errors_of_means", {rows, b, means, targets, squared: gaussian, a, errors});
    return errors.view.slice();
  });
}
