// Mean field by Python's kernels: what lrbn_viz/lrbn/means/moments.py and trace.py do around them.

import {allLogJoints, conditionalLogOdds, evidence, Record} from "./lrbn.js";
import {scalarSigmoid} from "./formulas.js";
import {CONSTANTS, kernels} from "./memory.js";
import constants from "../../io/constants.json" with {type: "json"};

/** @typedef {import("./lrbn.js").Trace} Trace */
/** @typedef {{visible: number, latent: number, exact?: boolean}} Bound  kinds of blocks; or a sum over all states */

const {kinds: KINDS, scratch: SCRATCH} = CONSTANTS.means;
const CURSOR = {visits: 0, done: 3, converged: 4}; // places, of five
const ROWS = 6; // of the units' terms, and of the tilts'
const SWEEPS = 16; // at a time

// The bound of a kind of model (Model.mean_field_bound in Python).
/** @param {Layer[]} layers @param {string} name @returns {Bound} */
function boundOf([{n_h, visible}], name) {
  const {linear, quadratic} = KINDS,
    few = n_h <= constants.max_exact_interactive;
  if (name === "undirected") return {visible: linear, latent: linear};
  if (name === "top") return {visible: quadratic, latent: linear};
  if (name === "layers" || name === "quadratic" || (name === "few-exact" && !few))
    return {visible: quadratic, latent: quadratic};
  if (visible === "gaussian") return {visible: KINDS.gaussian, latent: quadratic};
  return {visible: KINDS.tilted, latent: quadratic, exact: few && name !== "tilted"};
}

/** @param {number[]} values */
function integers(values) {
  const made = kernels().array("i8", values.length);
  made.view.set(values.map(BigInt));
  return made;
}

// The model, and the image with means q, as the kernels take them, until the scope ends.
/** @param {Model} model @param {ArrayLike<number>} x @param {Float64Array} q @param {Bound} bound */
function placed({layers, top}, x, q, {visible, latent, exact}) {
  const memory = kernels(),
    n_v = x.length,
    first = [0, n_v],
    last = layers[layers.length - 1];
  for (const {n_h} of layers) first.push(first[first.length - 1] + n_h);
  const n_units = first[first.length - 1],
    weights = memory.array(
      "f8",
      layers.reduce((sum, {exact: rows}) => sum + rows.length, 0),
    );
  layers.reduce((at, {exact: rows}) => {
    weights.view.set(rows, at);
    return at + rows.length;
  }, 0);
  const params = memory.tuple("MeansParams", {
    kinds: integers([visible, ...layers.map(() => latent)]),
    first: integers(first),
    weights,
    n_v,
    exact: Boolean(exact),
    bias: memory.of(
      "f8",
      [...layers.map(({b}) => b), last.d].flatMap((each) => Array.from(each)),
    ),
    experts: top ? memory.of("f8", top.U, last.n_h, top.e.length) : memory.array("f8", last.n_h, 0),
    offsets: memory.of("f8", top ? top.e : []),
    log_joints: memory.of("f8", exact ? allLogJoints(layers[0], x) : []),
  });
  const units = memory.array("f8", ROWS, n_units);
  units.view.set(Float64Array.from(x));
  units.view.set(q, n_v);
  const state = memory.tuple("MeansState", {
    units,
    tilts: memory.array("f8", ROWS, visible === KINDS.tilted && !exact ? n_v : 0),
    upper: memory.array("f8", top ? top.e.length : 0),
    sums: memory.array("f8", SCRATCH + (exact ? 2 ** q.length : 0)),
  });
  return {params, state};
}

/**
 * A recognition network's pass where there is a guess, and sweeps over the means of an image's latents, until none changes.
 * @param {Model} model @param {ArrayLike<number>} x @param {ArrayLike<number>} start  means @param {Map<number, number>} held @param {number} n_sweeps  of mean field, at most
 * @param {string} [name]  of the bound @param {ArrayLike<number> | null} [guess]  log-odds
 * @returns {Trace}
 */
export function meanField(model, x, start, held, n_sweeps, name = "", guess = null) {
  const h0 = Float64Array.from(start);
  for (const [unit, value] of held) h0[unit] = value;
  const memory = kernels(),
    free = Int32Array.from(h0.keys()).filter((j) => !held.has(j)),
    n_visits = free.length * Math.min(SWEEPS, n_sweeps + Number(guess !== null));
  return memory.scope(() => {
    const at = placed(model, x, h0, boundOf(model.layers, name)),
      logJoint0 = memory.call("begin_means", at),
      record = new Record(h0, logJoint0);
    const given = {
      ...at,
      units: memory.of("i4", free),
      guess: memory.of("f8", guess ?? []),
      n_sweeps,
      most: memory.array("f8", 1),
      cursor: memory.array("i8", 5),
      n_visits,
    };
    const {cursor} = given;
    while (n_visits && !cursor.view[CURSOR.done])
      memory.scope(() => {
        const columns = memory.columns("MeansRecord", n_visits);
        cursor.view[CURSOR.visits] = 0n; // these begin a record of their own
        memory.call("update_means", {...given, record: memory.tuple("MeansRecord", columns)});
        record.add(columns, columns.bound, Number(cursor.view[CURSOR.visits]));
      });
    return record.trace({converged: !n_visits || Boolean(cursor.view[CURSOR.converged]), means: true});
  });
}

// Log-odds and means of latents from the units below alone: those of `held`, numbered from `first` on, have their states.
/**
 * @param {{V: ArrayLike<number>, c: ArrayLike<number>}} network @param {ArrayLike<number>} below
 * @param {Map<number, number>} [held] @param {number} [first] @param {number} [scale]  how often the units below count
 */
function passed({V, c}, below, held = new Map(), first = 0, scale = 1) {
  const memory = kernels(),
    n_h = c.length;
  return memory.scope(() => {
    const log_odds = memory.array("f8", n_h),
      means = memory.array("f8", n_h);
    memory.call("pass_up", {
      rows: memory.of("f8", V, n_h, below.length),
      offset: memory.of("f8", c),
      below: memory.of("f8", Float64Array.from(below)),
      scale,
      held: memory.of(
        "f8",
        Float64Array.from({length: n_h}, (_, j) => held.get(first + j) ?? NaN),
      ),
      log_odds,
      means,
    });
    return {logOdds: log_odds.view.slice(), means: means.view.slice()};
  });
}

// A recognition network's log-odds of the latents of all layers; those of an upper layer given the means of the layer
// below, of which some are held.
/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held */
export function guesses({layers, recognition = []}, x, held) {
  let below = x;
  return layers.flatMap(({first}, n) => {
    const {logOdds, means} = passed(recognition[n], below, held, first);
    below = means;
    return Array.from(logOdds);
  });
}

// W'x + d: the log-odds of a layer's latents from the layer below alone.
/** @param {Layer} layer @param {ArrayLike<number>} x */
export const fieldOf = ({exact, d}, x) => passed({V: exact, c: d}, x).logOdds;

// Log-odds of one pass from the image up of a deep Boltzmann machine, in which the image counts twice.
/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held */
export function passUp({layers: [low, high]}, x, held) {
  const {logOdds, means} = passed({V: low.exact, c: low.d}, x, held, low.first, 2);
  return [...logOdds, ...fieldOf(high, means)];
}

// In the place of a recognition network, which has never seen an image of which a part is not known: what the model itself
// says of each latent while all others are off.
/** @param {Layer} layer @returns {Recognition} */
export function allOthersOff({n_v, n_h, exact, b, d}) {
  const memory = kernels();
  return memory.scope(() => {
    const log_odds = memory.array("f8", n_h);
    memory.call("fill_thresholds", {
      rows: memory.of("f8", exact, n_h, n_v),
      b: memory.of("f8", b),
      d: memory.of("f8", d),
      log_odds,
    });
    return {V: Float64Array.from(exact), c: log_odds.view.slice()};
  });
}

// The initial means of a start: the probabilities from which a named start takes its states, or given states.
/** @param {Layer} layer @param {ArrayLike<number>} x @param {import("./lrbn.js").Start} start @param {import("./random.js").Generator} rng */
export function startMeans(layer, x, start, rng) {
  const {n_h, visible} = layer;
  if (start === "paper" || (start === "conditional" && visible === "gaussian"))
    return evidence(layer, x).map(scalarSigmoid);
  if (start === "conditional") return conditionalLogOdds(layer, x, new Uint8Array(n_h)).map(scalarSigmoid);
  if (start === "random") return Float64Array.from(rng.coins(n_h));
  return start === "zeros"
    ? new Float64Array(n_h)
    : Float64Array.from(/** @type {ArrayLike<number>} */ (start));
}
