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
 * @typedef {{values: Float64Array, bound: Bound, mean: number, standard_error: number, estimator_error: number, n_temperatures: number, n_chains: number}} LogLikelihood
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
const START_SHARE = 0.2; // of the time of AIS, for what is about the RBM's means

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

// Images by ancestral sampling.
/** @param {Weights[]} layers @param {number} n @param {number} seed */
export function sampleDirected(layers, n, seed) {
  const rng = new Generator(seed),
    [H] = sampleLatents(layers, n, rng);
  return drawn(meansOf(layers[0], H, n), n, rng);
}

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

// The log weight of one chain of each image, from the prior of a directed model to its posterior.
/** @param {Weights[]} layers @param {ArrayLike<number>} X @param {number} n @param {number} n_temperatures @param {Generator} rng @param {Tell} tell */
export function annealedWeights(layers, X, n, n_temperatures, rng, tell) {
  const memory = kernels(),
    betas = betasOf(POWER, n_temperatures),
    start = sampleLatents(layers, n, rng);
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
    const move = (/** @type {number} */ beta) =>
      states.forEach((each, l) =>
        memory.scope(() => {
          const prior = priorOf(l);
          if (!l) return memory.call("move_chains", {...single, evidence, prior, beta, ...counts});
          each.images.view.set(states[l - 1].latent.view);
          const upper = /** @type {any} */ ({params: each.params, state: each.state});
          memory.call("place_images32", {...upper, X: each.images, prior});
          runSweeps(each.room, each, [1], 0);
        }),
      );
    for (let t = 0; t < n_temperatures; t++) {
      const share = betas[t + 1] - betas[t];
      memory.call("weigh_chains", {...single, evidence, base, fresh: !t, share, likelihood, total});
      if (t < n_temperatures - 1) move(betas[t + 1]);
      tell((t + 1) / n_temperatures);
    }
    return total.view.slice();
  });
}

// Offsets of independent units whose means are about the RBM's.
/** @param {Weights} layer @param {Tell} tell */
function startOf(layer, tell) {
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

// Log weights of chains whose mean weight is an RBM's Z.
/** @param {Weights} layer @param {number} n_temperatures @param {number} n @param {Generator} rng @param {Tell} tell */
export function annealedNormaliser(layer, n_temperatures, n, rng, tell) {
  const memory = kernels(),
    {n_h, n_v, exact} = layer,
    betas = betasOf(1, n_temperatures),
    start = startOf(layer, (share) => tell(START_SHARE * share));
  return memory.scope(() => {
    const start_b = memory.of("f8", start.start_b),
      start_d = memory.of("f8", start.start_d),
      b = memory.of("f8", layer.b),
      d = memory.of("f8", layer.d),
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
    drawUniforms(rng, of_x);
    memory.call("begin_machines", {b: start_b, d: start_d, uniforms: of_x, X, total});
    for (let t = 1; t <= n_temperatures; t++) {
      const beta = betas[t];
      memory.call("fill_fields", {weights: columns, offsets: d, states: X, fields});
      memory.call("weigh_machines", {b, start_b, start_d, before: betas[t - 1], beta, X, fields, total});
      if (t < n_temperatures) {
        drawUniforms(rng, of_h);
        memory.call("draw_latents", {start_d, beta, fields, uniforms: of_h, H});
        memory.call("fill_fields", {weights: rows, offsets: none, states: H, fields: sums});
        drawUniforms(rng, of_x);
        memory.call("draw_visibles", {b, start_b, beta, sums, uniforms: of_x, X});
      }
      tell(START_SHARE + ((1 - START_SHARE) * t) / n_temperatures);
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

/** @param {Float64Array} values @param {Partial<LogLikelihood> & {bound: Bound}} how @returns {LogLikelihood} */
function described(values, how) {
  const [mean, standard_error] = meanOf("summarise", values);
  return {values, mean, standard_error, estimator_error: 0, n_temperatures: 0, n_chains: 0, ...how};
}

/**
 * log P(x) of each image: summed over all states where these are few, else by AIS.
 * @param {{layers: Layer[], factorised: boolean}} model @param {ArrayLike<number>} X  (n, n_v), NaN where it is not known
 * @param {{n_temperatures: number, seed: number}} how  of AIS @param {Tell} tell @returns {LogLikelihood}
 */
export function logLikelihood(model, X, {n_temperatures, seed}, tell) {
  const {layers, factorised} = model,
    [low] = layers,
    {n_v} = low,
    n = X.length / n_v,
    rng = new Generator(seed);
  if (factorised) {
    const marginals = logMarginal(low, X, n);
    if (isExact(model)) {
      const log_z = summedOut(low, new Float64Array(n_v).fill(NaN));
      return described(
        marginals.map((value) => value - log_z),
        {bound: "exact"},
      );
    }
    const weights = annealedNormaliser(low, n_temperatures, LEAST_CHAINS, rng, tell),
      [log_z, estimator_error] = meanOf("mean_weight", weights);
    return described(
      marginals.map((value) => value - log_z),
      {bound: "upper", estimator_error, n_temperatures, n_chains: LEAST_CHAINS},
    );
  }
  if (isExact(model)) {
    const values = Float64Array.from({length: n}, (_, m) => {
      tell(m / n);
      return kernels().scope(() => summed(enumerated(low, row(X, m, n_v))));
    });
    return described(values, {bound: "exact"});
  }
  const values = annealedWeights(layers, X, n, n_temperatures, rng, tell);
  return described(values, {bound: "lower", estimator_error: NaN, n_temperatures, n_chains: 1});
}
