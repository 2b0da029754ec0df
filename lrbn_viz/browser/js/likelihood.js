// log P(x) of images, and samples, by Python's kernels of the module "measuring": what lrbn_viz/measure/likelihood.py,
// lrbn_viz/lrbn/ais.py and lrbn_viz/rivals/rbm/partition.py do around them, with the same random numbers.

import {fill, placed, roomFor, runSweeps} from "./layer.js";
import {enumerated} from "./lrbn.js";
import {CONSTANTS, kernels} from "./memory.js";
import {Generator} from "./random.js";
import {keysFor} from "./rbm_system.js";
import constants from "../../io/constants.json" with {type: "json"};

/** @typedef {(share: number) => void} Tell  the share that is done */
/** @typedef {"exact" | "lower" | "upper"} Bound  kind of bound in expectation */
/**
 * As in Python; `estimator_error` is NaN where it is a part of `standard_error` alone.
 * @typedef {{values: Float64Array, bound: Bound, mean: number, standard_error: number, lower: number, upper: number, estimator_error: number, n_temperatures: number, n_chains: number}} LogLikelihood
 */
/** @typedef {Pick<Layer, "n_v" | "n_h" | "exact" | "b" | "d" | "visible">} Weights */

const {
  power: POWER,
  n_chains: N_CHAINS,
  n_sweeps: N_SWEEPS,
  max_enumerated: MAX_ENUMERATED,
} = CONSTANTS.annealing;
const {max_exact_interactive: MAX_EXACT, normaliser_chains: LEAST_CHAINS} = constants;
const TOGETHER = 4; // images that are visited together
const MOST_SUMMED = 2 ** 26; // terms of each image's sum over a directed model's states: some tenths of a second
const START_SHARE = 0.2, // of the time of AIS, for what is about the RBM's means
  ESTIMATE_SHARE = 0.6; // of the time of a measurement, for the estimate; the rest is for its other bound

// Whether log P(x) is summed exactly, and not estimated.
/** @param {{layers: Pick<Layer, "n_h" | "n_v">[], factorised: boolean}} model */
export const isExact = ({layers: [{n_h, n_v}, ...above], factorised}) =>
  !above.length && n_h <= MAX_ENUMERATED && (factorised || 2 ** n_h * n_v <= MOST_SUMMED);

/** @param {KernelArray<"f8">} log_joints  of all states, of whose exponentials the logarithm of the sum is returned */
function summed(log_joints) {
  const memory = kernels();
  return memory.scope(() => {
    const p = memory.array("f8", log_joints.length),
      top = log_joints.view.reduce((most, value) => Math.max(most, value), -Infinity);
    return memory.call("normalise", {log_joints, top, p});
  });
}

/** @param {ArrayLike<number>} X @param {number} m @param {number} n_v */
const row = (X, m, n_v) => Float64Array.from({length: n_v}, (_, i) => X[m * n_v + i]);

// log of the sum of an RBM's unnormalised P(x, h) over latents, and over visible units that are NaN.
/** @param {Weights} layer @param {ArrayLike<number>} x */
function summedOut({n_h, n_v, exact, b, d}, x) {
  const memory = kernels();
  return memory.scope(() => {
    const log_joints = memory.array("f8", 2 ** n_h);
    memory.scope(() =>
      memory.call("enumerate_independent", {
        rows: memory.of("f8", exact, n_h, n_v),
        b: memory.of("f8", b),
        d: memory.of("f8", d),
        x: memory.of("f8", x),
        said: memory.array("f8", n_h),
        a: memory.array("f8", n_v),
        log_joints,
      }),
    );
    return summed(log_joints);
  });
}

// log P(x) + log Z of each image.
/** @param {Weights} layer @param {ArrayLike<number>} X @param {number} n */
function logMarginal(layer, X, n) {
  const {n_h, n_v, exact, b, d} = layer,
    memory = kernels();
  if (Array.prototype.some.call(X, Number.isNaN)) {
    if (n_h > MAX_EXACT)
      throw new Error(
        `log P(x) of what is known in part is summed over the states of at most ${MAX_EXACT} latents`,
      );
    return Float64Array.from({length: n}, (_, m) => summedOut(layer, row(X, m, n_v)));
  }
  return memory.scope(() => {
    const states = memory.of("u1", X, n, n_v),
      fields = memory.array("f8", n, n_h),
      totals = memory.array("f8", n),
      weights = memory.of("f8", turned(exact, n_h, n_v), n_v, n_h);
    memory.call("fill_fields", {weights, offsets: memory.of("f8", d), states, fields});
    memory.call("fill_free_energies", {b: memory.of("f8", b), X: states, fields, totals});
    return totals.view.slice();
  });
}

// Rows as columns.
/** @param {ArrayLike<number>} rows @param {number} n @param {number} width */
const turned = (rows, n, width) =>
  Float64Array.from({length: n * width}, (_, at) => rows[(at % n) * width + Math.floor(at / n)]);

/** @param {number} power @param {number} n */
function betasOf(power, n) {
  const memory = kernels();
  return memory.scope(() => {
    const betas = memory.array("f8", n + 1);
    memory.call("fill_betas", {power, betas});
    return betas.view.slice();
  });
}

// Fill an array with the generator's next numbers in [0, 1), by a kernel: BigInts would take a hundred times as long.
/** @param {Generator} rng @param {KernelArray<"f8">} out */
function drawUniforms(rng, out) {
  const memory = kernels();
  memory.scope(() => {
    const generator = memory.array("u8", 4),
      {state, increment} = rng,
      halves = [state >> 64n, state, increment >> 64n, increment].map((each) => BigInt.asUintN(64, each));
    generator.view.set(halves);
    memory.call("draw_uniforms", {generator, out});
    const [high, low] = generator.view;
    rng.state = (high << 64n) | low;
  });
}

// -- samples

/** @param {{n_h: number, n_v: number, exact: ArrayLike<number>, b: ArrayLike<number>}} layer @param {ArrayLike<number>} H @param {number} n @param {boolean} gaussian  true: the activations */
function meansOf({n_h, n_v, exact, b}, H, n, gaussian = false) {
  const memory = kernels();
  return memory.scope(() => {
    const means = memory.array("f8", n, n_v);
    memory.call("fill_means", {
      gaussian,
      rows: memory.of("f8", exact, n_h, n_v),
      b: memory.of("f8", b),
      H: memory.of("u1", H, n, n_h),
      means,
    });
    return means.view.slice();
  });
}

/** @param {Float64Array} means @param {number} n @param {Generator} rng */
function drawn(means, n, rng) {
  const memory = kernels(),
    width = means.length / n;
  return memory.scope(() => {
    const uniforms = memory.array("f8", n, width),
      states = memory.array("u1", n, width);
    drawUniforms(rng, uniforms);
    memory.call("fill_draws", {means: memory.of("f8", means, n, width), uniforms, states});
    return states.view.slice();
  });
}

// Latents of all layers from the prior, the top one first.
/** @param {Weights[]} layers  the lowest first @param {number} n @param {Generator} rng @returns {Uint8Array[]} */
function sampleLatents(layers, n, rng) {
  const {d, n_h} = layers[layers.length - 1],
    prior = meansOf({n_h: 0, n_v: n_h, exact: [], b: d}, [], n);
  const H = [drawn(prior, n, rng)];
  for (let l = layers.length - 1; l > 0; l--) H.unshift(drawn(meansOf(layers[l], H[0], n), n, rng));
  return H;
}

// Images by ancestral sampling, with their latents.
/** @param {Weights[]} layers @param {number} n @param {Generator} rng */
function sampleJoint(layers, n, rng) {
  const H = sampleLatents(layers, n, rng);
  return {X: drawn(meansOf(layers[0], H[0], n), n, rng), H};
}

/** @param {Weights[]} layers @param {number} n @param {number} seed */
export const sampleDirected = (layers, n, seed) => sampleJoint(layers, n, new Generator(seed)).X;

// Images at the ends of an RBM's Gibbs chains, of the settings that Python's RBM has.
/** @param {Weights} layer @param {{n_particles: number | null, batch_size: number, n_temperatures: number, n_sample_sweeps: number}} settings @param {number} n @param {number} seed */
export function sampleMachine(layer, settings, n, seed) {
  const {n_particles, batch_size, n_temperatures, n_sample_sweeps} = settings,
    {n_h} = layer,
    rng = new Generator(seed),
    n_chains = n_temperatures * (n_particles ?? batch_size),
    particles = rng.coins(n_chains * n_h),
    H = new Uint8Array(n * n_h);
  for (let m = 0; m < n; m++) {
    const chain = rng.below(n_chains) * n_h;
    H.set(particles.subarray(chain, chain + n_h), m * n_h);
  }
  return gibbs(layer, H, n_sample_sweeps, rng).X;
}

// The ends of block Gibbs chains, one from each row of H.
/** @param {Weights} layer @param {Uint8Array} from @param {number} n_sweeps @param {Generator} rng @param {Tell} [tell] */
function gibbs({n_h, n_v, exact, b, d}, from, n_sweeps, rng, tell = () => {}) {
  const memory = kernels(),
    n = from.length / n_h;
  return memory.scope(() => {
    const chain = {
        W: memory.of("f4", turned(exact, n_h, n_v), n_v, n_h),
        b: memory.of("f4", b),
        d: memory.of("f4", d),
      },
      H = memory.of("u1", from, n, n_h),
      X = memory.array("u1", n, n_v);
    for (let sweep = 0; sweep < n_sweeps; sweep++) {
      memory.scope(() => memory.call("gibbs_alone", {...chain, H, keys: keysFor(2, rng), X}));
      tell((sweep + 1) / n_sweeps);
    }
    return {X: X.view.slice(), H: H.view.slice()};
  });
}

// -- annealed importance sampling

// Layers with their latents in reverse order, so that a sweep visits the last one first.
/** @param {Weights[]} layers @returns {Weights[]} */
const turnedRound = (layers) =>
  layers.map(({n_v, n_h, exact, b, d, visible}, l) => {
    const rows = Array.from({length: n_h}, (_, j) => exact.slice(j * n_v, (j + 1) * n_v)).reverse(),
      turn = (/** @type {Float64Array | Float32Array} */ row) => (l ? row.slice().reverse() : row);
    return {
      n_v,
      n_h,
      exact: Float64Array.from(rows.flatMap((row) => Array.from(turn(row)))),
      b: Float64Array.from(turn(b)),
      d: d.slice().reverse(),
      visible,
    };
  });

// The log weight of one chain of each image: from the prior of a directed model to its posterior, or back from draws of that.
/** @param {Weights[]} given @param {ArrayLike<number>} X @param {number} n @param {number} n_temperatures @param {Generator} rng @param {Tell} tell @param {Uint8Array[] | null} [posterior]  latents of each layer */
export function annealedWeights(given, X, n, n_temperatures, rng, tell, posterior = null) {
  const memory = kernels(),
    betas = betasOf(POWER, n_temperatures),
    layers = posterior ? turnedRound(given) : given,
    start = posterior
      ? posterior.map((H, l) => {
          const {n_h} = layers[l];
          return H.map((_, at) => H[at + n_h - 1 - 2 * (at % n_h)]);
        })
      : sampleLatents(layers, n, rng);
  return memory.scope(() => {
    const states = layers.map(({n_v, n_h, exact, b, d}, l) => {
      const room = roomFor({n_v, n_h, gaussian: false}, "f4", TOGETHER);
      fill(room, exact, b, d);
      const at = placed(room, l ? start[l - 1] : X, n);
      at.latent.view.set(start[l]);
      at.stream.view.set(Array.from({length: n}, () => rng.next64()));
      return {room, ...at};
    });
    const [low] = states,
      single = /** @type {any} */ ({params: low.params, state: low.state}), // of kernels in single precision
      evidence = memory.array("f8", n, layers[0].n_h),
      base = memory.array("f8", n),
      likelihood = memory.array("f8", n),
      total = memory.array("f8", n),
      counts = {visits: memory.array("i8", n), flips: memory.array("i8", n), converged: memory.array("?", n)};
    memory.call("place_chains", {...single, evidence, base});
    // log-odds of a layer's latents: its own, or those that the layer above gives them
    const priorOf = (/** @type {number} */ l) => {
      if (l === layers.length - 1) return memory.of("f8", layers[l].d, 1, layers[l].n_h);
      const above = meansOf(layers[l + 1], states[l + 1].latent.view.slice(), n, true);
      return memory.of("f8", above, n, layers[l].n_h);
    };
    const order = posterior ? [...states.keys()].reverse() : [...states.keys()];
    const move = (/** @type {number} */ beta) =>
      order.forEach((l) =>
        memory.scope(() => {
          const prior = priorOf(l),
            each = states[l];
          if (!l) return memory.call("move_chains", {...single, evidence, prior, beta, ...counts});
          each.images.view.set(states[l - 1].latent.view);
          const upper = /** @type {any} */ ({params: each.params, state: each.state});
          memory.call("place_images32", {...upper, X: each.images, prior});
          runSweeps(each.room, each, [1], 0);
        }),
      );
    for (let t = 0; t < n_temperatures; t++) {
      const step = posterior ? n_temperatures - t : t + 1,
        share = betas[step] - betas[step - 1];
      memory.call("weigh_chains", {...single, evidence, base, fresh: !t, share, likelihood, total});
      if (t < n_temperatures - 1) move(betas[posterior ? step - 1 : step]);
      tell((t + 1) / n_temperatures);
    }
    return total.view.slice();
  });
}

// Offsets of independent units whose means are about the RBM's.
/** @param {Weights} layer @param {Tell} tell */
export function startOf(layer, tell) {
  const memory = kernels(),
    {n_h, n_v} = layer,
    rng = new Generator(0),
    {X, H} = gibbs(layer, rng.coins(N_CHAINS * n_h), N_SWEEPS, rng, tell);
  const offsets = (/** @type {Uint8Array} */ states, /** @type {number} */ width) =>
    memory.scope(() => {
      const found = memory.array("f8", width);
      memory.call("fill_offsets", {states: memory.of("u1", states, N_CHAINS, width), offsets: found});
      return found.view.slice();
    });
  return {start_b: offsets(X, n_v), start_d: offsets(H, n_h)};
}

// What the models between independent units and an RBM need, in the kernels' memory until the scope ends.
/** @param {Weights} layer @param {ReturnType<typeof startOf>} start @param {number} n  chains */
function pathOf({n_h, n_v, exact, b, d}, start, n) {
  const memory = kernels(),
    start_b = memory.of("f8", start.start_b),
    start_d = memory.of("f8", start.start_d),
    own = {b: memory.of("f8", b), d: memory.of("f8", d)},
    none = memory.array("f8", n_v),
    rows = memory.of("f8", exact, n_h, n_v),
    columns = memory.of("f8", turned(exact, n_h, n_v), n_v, n_h);
  const X = memory.array("u1", n, n_v),
    H = memory.array("u1", n, n_h),
    fields = memory.array("f8", n, n_h),
    sums = memory.array("f8", n, n_v),
    of_x = memory.array("f8", n, n_v),
    of_h = memory.array("f8", n, n_h),
    total = memory.array("f8", n);
  return {
    X,
    fields,
    total,
    b: own.b,
    // chains at the independent units, and log Z of these in each total
    /** @param {Generator} rng */
    begin(rng) {
      drawUniforms(rng, of_x);
      memory.call("begin_machines", {b: start_b, d: start_d, uniforms: of_x, X, total});
    },
    look() {
      memory.call("fill_fields", {weights: columns, offsets: own.d, states: X, fields});
    },
    /** @param {number} before @param {number} beta */
    weigh(before, beta) {
      memory.call("weigh_machines", {b: own.b, start_b, start_d, before, beta, X, fields, total});
    },
    // latents, and x from these
    /** @param {number} beta @param {Generator} rng */
    step(beta, rng) {
      drawUniforms(rng, of_h);
      memory.call("draw_latents", {start_d, beta, fields, uniforms: of_h, H});
      memory.call("fill_fields", {weights: rows, offsets: none, states: H, fields: sums});
      drawUniforms(rng, of_x);
      memory.call("draw_visibles", {b: own.b, start_b, beta, sums, uniforms: of_x, X});
    },
  };
}

// Log weights of chains whose mean weight is an RBM's Z.
/** @param {Weights} layer @param {ReturnType<typeof startOf>} start @param {number} n_temperatures @param {number} n @param {Generator} rng @param {Tell} tell */
export function annealedNormaliser(layer, start, n_temperatures, n, rng, tell) {
  const betas = betasOf(1, n_temperatures);
  return kernels().scope(() => {
    const path = pathOf(layer, start, n);
    path.begin(rng);
    for (let t = 1; t <= n_temperatures; t++) {
      path.look();
      path.weigh(betas[t - 1], betas[t]);
      if (t < n_temperatures) path.step(betas[t], rng);
      tell(t / n_temperatures);
    }
    return path.total.view.slice();
  });
}

// Log weights of chains that run back from images, one for each (RAISE).
/** @param {Weights} layer @param {ReturnType<typeof startOf>} start @param {ArrayLike<number>} images @param {number} n_temperatures @param {Generator} rng @param {Tell} tell */
export function reverseWeights(layer, start, images, n_temperatures, rng, tell) {
  const memory = kernels(),
    betas = betasOf(1, n_temperatures),
    n = images.length / layer.n_v;
  return memory.scope(() => {
    const path = pathOf(layer, start, n),
      {X, fields, total, b} = path,
      totals = memory.array("f8", n);
    path.begin(new Generator(0)); // for log Z alone
    X.view.set(images);
    path.look();
    memory.call("fill_free_energies", {b, X, fields, totals});
    const normaliser = total.view.slice();
    total.view.set(totals.view.map((value, m) => value - normaliser[m]));
    for (let t = n_temperatures; t > 0; t--) {
      path.step(betas[t], rng);
      path.look();
      path.weigh(betas[t], betas[t - 1]);
      tell((n_temperatures - t + 1) / n_temperatures);
    }
    return total.view.slice();
  });
}

// -- log P(x)

// The mean of values and its standard error, or the logarithm of the mean weight and its standard error.
/** @param {"summarise" | "mean_weight"} how @param {ArrayLike<number>} values */
function meanOf(how, values) {
  const memory = kernels();
  return memory.scope(() => {
    const found = memory.array("f8", 2),
      given = memory.of("f8", values);
    if (how === "summarise") memory.call(how, {values: given, found});
    else memory.call(how, {log_weights: given, found});
    return found.view.slice();
  });
}

// A callback that tells a part's share as the whole's, which has done so much before it.
/** @param {Tell} tell @param {number} done @param {number} share @returns {Tell} */
const partOf = (tell, done, share) => (part) => tell(done + share * part);

/** @param {Float64Array} values @param {Partial<LogLikelihood> & {bound: Bound}} how @param {ArrayLike<number>} widths  of images between the bounds @returns {LogLikelihood} */
function described(values, how, widths = []) {
  const [mean, standard_error] = meanOf("summarise", values),
    width = widths.length ? Math.max(0, meanOf("summarise", widths)[0]) : 0, // by chance it may come out below 0
    [lower, upper] = how.bound === "upper" ? [mean - width, mean] : [mean, mean + width];
  const none = {estimator_error: 0, n_temperatures: 0, n_chains: 0};
  return {values, mean, standard_error, lower, upper, ...none, ...how};
}

/**
 * log P(x) of each image, and the bounds between which the mean lies: summed over all states where these are few, else by AIS,
 * with bounds by annealing both ways (lrbn_viz/measure/bracket.py).
 * @param {{layers: Layer[], factorised: boolean}} model @param {ArrayLike<number>} X  (n, n_v), NaN where it is not known
 * @param {{n_temperatures: number, seed: number, n_bracket: number}} how  of AIS @param {Tell} tell @returns {LogLikelihood}
 */
export function logLikelihood(model, X, {n_temperatures, seed, n_bracket}, tell) {
  const {layers, factorised} = model,
    [low] = layers,
    {n_v} = low,
    n = X.length / n_v,
    estimated = partOf(tell, 0, ESTIMATE_SHARE),
    bracketed = partOf(tell, ESTIMATE_SHARE, 1 - ESTIMATE_SHARE);
  if (factorised) {
    const marginals = logMarginal(low, X, n);
    if (isExact(model)) {
      const log_z = summedOut(low, new Float64Array(n_v).fill(NaN));
      return described(
        marginals.map((value) => value - log_z),
        {bound: "exact"},
      );
    }
    if (Array.prototype.some.call(X, Number.isNaN))
      throw new Error("what is known in part is measured of models whose states are few");
    const start = startOf(low, partOf(estimated, 0, START_SHARE)),
      rest = partOf(estimated, START_SHARE, 1 - START_SHARE),
      weights = annealedNormaliser(low, start, n_temperatures, LEAST_CHAINS, new Generator(seed), rest),
      [log_z, estimator_error] = meanOf("mean_weight", weights),
      values = marginals.map((value) => value - log_z),
      first = Array.prototype.slice.call(X, 0, n_bracket * n_v),
      back = reverseWeights(low, start, first, n_temperatures, new Generator(seed), bracketed);
    return described(
      values,
      {bound: "upper", estimator_error, n_temperatures, n_chains: LEAST_CHAINS},
      back.map((value, m) => values[m] - value),
    );
  }
  if (isExact(model)) {
    const values = Float64Array.from({length: n}, (_, m) => {
      tell(m / n);
      return kernels().scope(() => summed(enumerated(low, row(X, m, n_v))));
    });
    return described(values, {bound: "exact"});
  }
  const values = annealedWeights(layers, X, n, n_temperatures, new Generator(seed), estimated),
    rng = new Generator(seed),
    {X: images, H} = sampleJoint(layers, n_bracket, rng),
    parts = [partOf(bracketed, 0, 0.5), partOf(bracketed, 0.5, 0.5)],
    [below, above] = [null, H].map((posterior, n) =>
      annealedWeights(layers, images, n_bracket, n_temperatures, rng, parts[n], posterior),
    );
  return described(
    values,
    {bound: "lower", estimator_error: NaN, n_temperatures, n_chains: 1},
    above.map((value, m) => value - below[m]),
  );
}
