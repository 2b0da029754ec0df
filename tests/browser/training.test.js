// Runs of training in the browser are Python's, step by step, on runs that Python made a moment ago.
import assert from "node:assert/strict";
import {test} from "node:test";
import {HardEM} from "../../lrbn_viz/browser/js/hard_em.js";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {Generator} from "../../lrbn_viz/browser/js/random.js";
import {Training} from "../../lrbn_viz/browser/js/training.js";
import {unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected, near} from "../js/blocks.js";

/** @typedef {{name: string, settings: any, seed: number, batch: number, steps: number, figures: string[], validated: Record<string, number>}} Run */

assert.ok(loadKernels(block("kernel.wasm")));
const MOST = 1e-6; // of a parameter after all steps

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
  test(`${meta.name}: a run that goes back learns the same again`, () => {
    for (let step = 0; step < 7; step++) run.next();
    const then = run.snapshot();
    for (let step = 0; step < 25; step++) run.next();
    const once = run.snapshot();
    run.restore(then);
    for (let step = 0; step < 25; step++) run.next();
    assert.deepEqual(run.snapshot(), once);
  });
}
