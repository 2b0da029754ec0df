// Runs of training in the browser are Python's, step by step, on runs that Python made a moment ago.
import assert from "node:assert/strict";
import {test} from "node:test";
import {HardEM} from "../../lrbn_viz/browser/js/hard_em.js";
import {kernels, loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {RBMSystem} from "../../lrbn_viz/browser/js/rbm_system.js";
import {RWSSystem} from "../../lrbn_viz/browser/js/rws_system.js";
import {Generator} from "../../lrbn_viz/browser/js/random.js";
import {Training} from "../../lrbn_viz/browser/js/training.js";
import {unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected, near} from "../js/blocks.js";

/** @typedef {{name: string, settings: any, seed: number, batch: number, steps: number, figures: string[], validated: Record<string, number>}} Run */

assert.ok(loadKernels(block("kernel.wasm"), "learning"));
const MOST = 1e-6, // difference of a parameter after all steps
  MOST_SINGLE = 1e-5; // of one in single precision

/** @param {number} n */
function begin(n) {
  const {meta, arrays} = /** @type {{meta: Run, arrays: Arrays}} */ (unpack(block(`run${n}.bin`))),
    {X, rows, b, d} = /** @type {Record<string, any>} */ (arrays),
    settings = {...meta.settings, decay_steps: meta.settings.decay_steps ?? Infinity},
    system = new HardEM(settings, "f8"),
    state = system.fromParams({rows, b, d}),
    how = {batch_size: meta.batch, rng: new Generator(meta.seed)};
  return {
    meta,
    arrays: /** @type {Record<string, any>} */ (arrays),
    system,
    state,
    run: new Training(system, state, {X, n_v: b.length}, how),
  };
}

for (let n = 0; n < expected.runs; n++) {
  const {meta, arrays, system, state, run} = begin(n);
  test(`${meta.name}: ${meta.steps} steps have Python's latents, figures and parameters`, (t) => {
    /** @type {number[]} */
    const H = [],
      infer = system.infer.bind(system);
    system.infer = (...given) => {
      const found = infer(...given);
      H.push(...found.H);
      return found;
    };
    for (let step = 0; step < meta.steps; step++) {
      const {figures} = run.next(),
        wanted = arrays.figures.subarray(step * meta.figures.length, (step + 1) * meta.figures.length);
      near(
        meta.figures.map((name) => /** @type {any} */ (figures)[name]),
        wanted,
        1e-6,
      );
    }
    system.infer = infer;
    const other = H.filter((on, at) => on !== arrays.H[at]).length;
    t.diagnostic(`${H.length} latents inferred, ${other} other decisions`);
    assert.equal(H.length, arrays.H.length);
    assert.equal(other, 0, "all latents are Python's");
    near(state.layers.own.rows.view, arrays.end_rows, MOST);
    near(state.layers.own.b.view, arrays.end_b, MOST);
    near(state.layers.own.d.view, arrays.end_d, MOST);
    const X = Float64Array.from(arrays.X);
    const {H: codes} = system.infer(state, X, new Generator(9), "icm");
    assert.deepEqual(codes, arrays.codes);
    assert.deepEqual(system.sample(state, 7, new Generator(11)), arrays.samples);
    const found = /** @type {Record<string, number>} */ (system.validate(state, X, new Generator(0)));
    for (const [name, value] of Object.entries(meta.validated)) near([found[name]], [value], 1e-6);
  });
  test(`${meta.name}: a run that goes back learns the same again`, () => goesBack(run));
}

// Take steps, go back, and take them again.
/** @param {Training} run */
function goesBack(run) {
  for (let step = 0; step < 7; step++) run.next();
  const then = run.snapshot();
  for (let step = 0; step < 25; step++) run.next();
  const once = run.snapshot();
  run.restore(then);
  for (let step = 0; step < 25; step++) run.next();
  assert.deepEqual(run.snapshot(), once);
}

for (let n = 0; n < expected.rbms; n++) {
  const {meta, arrays} = /** @type {{meta: Run, arrays: Record<string, any>}} */ (
      unpack(block(`rbm${n}.bin`))
    ),
    {"begin.W": W, "begin.b": b, "begin.d": d, "begin.particles": particles, X} = arrays,
    settings = {...meta.settings, decay_steps: meta.settings.decay_steps ?? Infinity},
    system = new RBMSystem(settings),
    state = system.fromParams({W, b, d, particles}),
    how = {batch_size: meta.batch, rng: new Generator(meta.seed)},
    run = new Training(system, state, {X, n_v: b.length}, how);
  test(`${meta.name}: ${meta.steps} steps have Python's chains, figures and parameters`, (t) => {
    let other = 0,
      used = 0;
    for (let step = 0; step < meta.steps; step++) {
      if (step === 20) used = kernels().used;
      const {figures} = run.next(),
        found = state.arrays.particles.view;
      other += found.filter((on, at) => on !== arrays.chains[step * found.length + at]).length;
      near(
        meta.figures.map((name) => /** @type {any} */ (figures)[name]),
        arrays.figures.subarray(step * meta.figures.length, (step + 1) * meta.figures.length),
        1e-5,
      );
    }
    assert.equal(kernels().used, used, "what the kernels allocate is freed at the end of each step");
    t.diagnostic(`${arrays.chains.length} latents of chains drawn, ${other} other draws`);
    assert.equal(other, 0, "all chains are Python's");
    near(state.arrays.W.view, arrays["end.W"], MOST_SINGLE);
    near(state.arrays.b.view, arrays["end.b"], MOST_SINGLE);
    near(state.arrays.d.view, arrays["end.d"], MOST_SINGLE);
    assert.deepEqual(system.encode(state, X), arrays.codes);
    near(system.decode(state, arrays.codes.subarray(0, 5 * d.length)), arrays.means, 1e-5);
    assert.deepEqual(system.sample(state, 7, new Generator(11)), arrays.samples);
  });
  test(`${meta.name}: a run that goes back learns the same again`, () => goesBack(run));
}

for (let n = 0; n < expected.networks; n++) {
  const {meta, arrays} = /** @type {{meta: Run, arrays: Record<string, any>}} */ (
      unpack(block(`network${n}.bin`))
    ),
    {"begin.W": W, "begin.b": b, "begin.d": d, "begin.V": V, "begin.c": c, X} = arrays,
    settings = {...meta.settings, decay_steps: meta.settings.decay_steps ?? Infinity},
    system = new RWSSystem(settings),
    state = system.fromParams({W, b, d, V, c}),
    how = {batch_size: meta.batch, rng: new Generator(meta.seed)},
    run = new Training(system, state, {X, n_v: b.length}, how);
  test(`${meta.name}: ${meta.steps} steps have Python's figures and parameters`, () => {
    for (let step = 0; step < meta.steps; step++) {
      const {figures} = run.next();
      // a particle drawn otherwise changes the effective number of them by a hundredth and more
      near(
        meta.figures.map((name) => /** @type {any} */ (figures)[name]),
        arrays.figures.subarray(step * meta.figures.length, (step + 1) * meta.figures.length),
        1e-4,
      );
    }
    for (const name of /** @type {const} */ (["W", "b", "d", "V", "c"]))
      near(state.networks.own[name].view, arrays[`end.${name}`], MOST_SINGLE);
    near(system.encode(state, X), arrays.codes, MOST_SINGLE);
    near(system.decode(state, arrays.codes.subarray(0, 5 * d.length)), arrays.means, MOST_SINGLE);
    assert.deepEqual(system.sample(state, 7, new Generator(11)), arrays.samples);
  });
  test(`${meta.name}: a run that goes back learns the same again`, () => goesBack(run));
}
