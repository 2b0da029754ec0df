// What the kernels of an LRBN's layer take: its parameters, and the state of images, in double or in single precision.

import {CONSTANTS, kernels} from "./memory.js";

/** @typedef {"f8" | "f4"} Precision */
/** @typedef {{n_v: number, n_h: number, gaussian: boolean}} Shape */
/** @typedef {import("./random.js").Generator} Generator */
/** @typedef {string | ArrayLike<number>} Start  a name, or states of all images */
/** @typedef {"fill_factors" | "place_images" | "choose_starts" | "infer_images"} Batched  kernels that there are in both */

/** @type {Record<Precision, string>} */
const SUFFIX = {f8: "", f4: "32"};

// Call the kernel of this name and precision.
/** @template {Batched} N @param {N} name @param {Precision} precision @param {KernelArguments[N]} values */
const call = (name, precision, values) =>
  kernels().call(/** @type {N} */ (name + SUFFIX[precision]), /** @type {any} */ (values));

/** @param {Precision} precision @param {string} name */
const tupleName = (precision, name) => /** @type {any} */ (name + SUFFIX[precision]);

/**
 * Parameters in the kernels' memory. Rows of weights and offsets are padded; `n_p` counts the padding.
 * @typedef {Shape & {precision: Precision, n_p: number, fields: KernelTuples["KernelParams"], params: KernelTuple<"KernelParams">, rows: KernelArray<"f8">}} Prepared
 */

// Room for the parameters of a layer; `n_together` is the number of images of a batch that are visited together.
/** @param {Shape} shape @param {Precision} precision @param {number} n_together @returns {Prepared} */
export function roomFor({n_v, n_h, gaussian}, precision = "f8", n_together = 1) {
  const memory = kernels(),
    {lanes, precisions} = CONSTANTS,
    {refresh, floor, tolerance} = precisions[precision],
    n_p = Math.ceil(n_v / lanes) * lanes,
    width = gaussian ? 0 : n_p, // of the arrays of Bernoulli units
    rows = /** @type {KernelArray<"f8">} */ (memory.array(precision, n_h, n_p)),
    none = /** @type {KernelArray<"f8">} */ (memory.array(precision, gaussian ? n_h : 0, 0));
  const fields = {
    gaussian,
    W: gaussian ? none : rows,
    factor: /** @type {KernelArray<"f8">} */ (memory.array(precision, n_h, width)),
    weight: memory.array("f8", n_h),
    b: /** @type {KernelArray<"f8">} */ (memory.array(precision, n_p)),
    d: memory.array("f8", n_h),
    chunk: memory.array("i8", n_h),
    whole: memory.array("?", n_h),
    gram: memory.array("f8", ...(gaussian ? [n_h, n_h] : [0, 0])),
    rows: gaussian ? rows : none,
    n_together,
    n_v,
    refresh,
    floor,
    tolerance,
  };
  const params = memory.tuple(tupleName(precision, "KernelParams"), fields);
  return {n_v, n_h, gaussian, precision, n_p, fields, params, rows};
}

// Fill such room with parameters: rows of weights (n_h, n_v), offsets and prior log-odds.
/** @param {Prepared} at @param {ArrayLike<number> & {subarray(from: number, to: number): ArrayLike<number>}} W @param {ArrayLike<number>} b @param {ArrayLike<number>} d */
export function fill({n_v, n_h, n_p, gaussian, precision, fields, rows}, W, b, d) {
  const memory = kernels(),
    {lanes, precisions} = CONSTANTS,
    into = rows.view;
  for (let j = 0; j < n_h; j++) into.set(W.subarray(j * n_v, (j + 1) * n_v), j * n_p);
  fields.b.view.set(b);
  fields.d.view.set(d);
  if (gaussian) memory.call("fill_gram", {rows, gram: fields.gram});
  else
    memory.scope(() =>
      call("fill_factors", precision, {
        ...fields,
        limits: memory.of("f8", precisions[precision].limits),
        lanes: memory.array("f8", lanes),
        tops: memory.array("f8", lanes),
      }),
    );
}

// The state of inference of n images, (n, n_v), in the memory until the scope ends.
/** @param {Prepared} at @param {ArrayLike<number>} X  NaN where it is not known @param {number} n @param {ArrayLike<number> | null} prior  log-odds of each image's latents in the place of d */
export function placed({n_v, n_h, n_p, gaussian, precision, params, fields: {d}}, X, n = 1, prior = null) {
  const memory = kernels(),
    images = memory.of("f8", X, n, n_v),
    partly = images.view.some(Number.isNaN),
    width = gaussian ? 0 : n_p;
  /** @param {number} wide */
  const array = (wide) => /** @type {KernelArray<"f8">} */ (memory.array(precision, n, wide));
  const fields = {
    latent: memory.array("u1", n, n_h),
    evidence: memory.array("f8", n, n_h),
    base: memory.array("f8", n),
    activation: array(gaussian && partly ? n_p : width),
    on: array(width),
    off: array(width),
    coupling: memory.array("f8", n, gaussian ? n_h : 0),
    squares: memory.array("f8", n, gaussian && partly ? n_h : 0),
    since_refresh: memory.array("i8", n),
    saturated: memory.array("?", n),
    partly: memory.array("?", n),
    unknown: memory.array("?", n, partly ? n_p : 0),
    stream: memory.array("u8", n),
  };
  // a copy of d, as the memory may grow for the array that takes it, which ends all views
  const state = memory.tuple(tupleName(precision, "InferenceState"), fields),
    odds = memory.of("f8", prior ?? d.view.slice(), prior ? n : 1, n_h);
  call("place_images", precision, {params, state, X: images, prior: odds});
  return {memory, params, state, images, ...fields};
}

// Choose the initial states. Line 2 of Algorithm 1.
/** @param {Prepared} prepared @param {ReturnType<typeof placed>} at @param {Start} start @param {Generator} rng */
export function begun({gaussian, precision}, {params, state, latent}, start, rng) {
  if (typeof start !== "string") return latent.view.set(start);
  if (start === "zeros") return;
  if (start === "random") return latent.view.set(rng.coins(latent.length));
  if (start !== "paper" && start !== "conditional")
    throw new Error(`expected conditional, paper, zeros, random or states, got ${start}`);
  if (start === "conditional" && !gaussian) rng.next64(); // as in Python, whose thresholds have a stream
  call("choose_starts", precision, {params, state, paper: start === "paper"});
}

// Make a sweep over all images at each temperature, then at most so many of ICM; returns visits and flips of each image,
// and whether ICM converged.
/** @param {Prepared} prepared @param {ReturnType<typeof placed>} at @param {ArrayLike<number>} temperatures @param {number} max_sweeps */
export function runSweeps({precision}, {memory, params, state, latent}, temperatures, max_sweeps) {
  const [n] = latent.shape,
    results = {visits: memory.array("i8", n), flips: memory.array("i8", n), converged: memory.array("?", n)},
    given = {params, state, temperatures: memory.of("f8", temperatures), max_sweeps};
  call("infer_images", precision, {...given, ...results});
  return results;
}
