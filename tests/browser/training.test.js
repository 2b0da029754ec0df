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

/**
 * @typedef {{
 *   name: string, settings: any, seed: number, batch: number, n_iter: number, steps: number, figures: string[],
 *   validated: Record<string, number>, averaged: number,
 * }} Run
 * @typedef {{meta: Run, arrays: Record<string, any>, system: any, state: any, run: Training}} Begun
 */
/**
 * A way of learning: its system, the largest differences of a figure and of a parameter, what to look at before all steps and
 * after each, and after all of them.
 * @typedef {{
 *   file: string, count: number, System: (settings: any) => any, figures: number, parameters: number,
 *   watch(of: Begun): {after(step: number): void, end(t: import("node:test").TestContext): void}, used(of: Begun): void,
 * }} Way
 */

assert.ok(loadKernels(block("kernel.wasm"), "learning"));

/** @type {Way[]} */
const WAYS = [
  {
    file: "run",
    count: expected.runs,
    System: (settings) => new HardEM(settings, "f8"),
    figures: 1e-6,
    parameters: 1e-6,
    watch({system, arrays}) {
      /** @type {number[]} */
      const H = [],
        infer = system.infer.bind(system);
      system.infer = (/** @type {any[]} */ ...given) => {
        const found = infer(...given);
        H.push(...found.H);
        return found;
      };
      return {
        after() {},
        end(t) {
          system.infer = infer;
          const other = H.filter((on, at) => on !== arrays.H[at]).length;
          t.diagnostic(`${H.length} latents inferred, ${other} other decisions`);
          assert.equal(H.length, arrays.H.length);
          assert.equal(other, 0, "all latents are Python's");
        },
      };
    },
    used({meta, system, state, arrays}) {
      const X = Float64Array.from(arrays.X);
      assert.deepEqual(system.infer(state, X, new Generator(9), "icm").H, arrays.codes);
      const found = system.validate(state, X, new Generator(0));
      for (const [name, value] of Object.entries(meta.validated)) near([found[name]], [value], 1e-6);
    },
  },
  {
    file: "rbm",
    count: expected.rbms,
    System: (settings) => new RBMSystem(settings),
    figures: 1e-5,
    parameters: 1e-5,
    watch({state, arrays}) {
      let other = 0,
        used = 0;
      return {
        after(step) {
          if (step === 20) used = kernels().used;
          const found = state.arrays.particles.view;
          other += found.filter(
            (/** @type {number} */ on, /** @type {number} */ at) =>
              on !== arrays.chains[step * found.length + at],
          ).length;
        },
        end(t) {
          assert.equal(kernels().used, used, "what the kernels allocate is freed at the end of each step");
          t.diagnostic(`${arrays.chains.length} latents of chains drawn, ${other} other draws`);
          assert.equal(other, 0, "all chains are Python's");
        },
      };
    },
    used({system, state, arrays}) {
      assert.deepEqual(system.encode(state, arrays.X), arrays.codes);
      near(system.decode(state, arrays.codes.subarray(0, 5 * state.n_h)), arrays.means, 1e-5);
    },
  },
  {
    file: "network",
    count: expected.networks,
    System: (settings) => new RWSSystem(settings),
    figures: 1e-4, // a particle drawn otherwise changes the effective number of them by a hundredth and more
    parameters: 1e-5,
    watch: () => ({after() {}, end() {}}),
    used({system, state, arrays}) {
      near(system.encode(state, arrays.X), arrays.codes, 1e-5);
      near(system.decode(state, arrays.codes.subarray(0, 5 * state.n_h)), arrays.means, 1e-5);
    },
  },
];

// The arrays of a run whose names begin so.
/** @param {Record<string, any>} arrays @param {string} part @returns {Record<string, any>} */
const partOf = (arrays, part) =>
  Object.fromEntries(
    Object.entries(arrays)
      .filter(([name]) => name.startsWith(part))
      .map(([name, array]) => [name.slice(part.length), array]),
  );

/** @param {Way} way @param {number} n @returns {Begun} */
function begin({file, System}, n) {
  const {meta, arrays} = /** @type {{meta: Run, arrays: Record<string, any>}} */ (
      unpack(block(`${file}${n}.bin`))
    ),
    system = System({...meta.settings, decay_steps: meta.settings.decay_steps ?? Infinity}),
    first = partOf(arrays, "begin."),
    state = system.fromParams(first),
    how = {batch_size: meta.batch, rng: new Generator(meta.seed), n_iter: meta.n_iter};
  return {
    meta,
    arrays,
    system,
    state,
    run: new Training(system, state, {X: arrays.X, n_v: first.b.length}, how),
  };
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

for (const way of WAYS)
  for (let n = 0; n < way.count; n++) {
    const begun = begin(way, n),
      {meta, arrays, system, state, run} = begun;
    test(`${meta.name}: ${meta.steps} steps are Python's`, (t) => {
      const watched = way.watch(begun),
        width = meta.figures.length;
      for (let step = 0; step < meta.steps; step++) {
        const {figures} = run.next();
        near(
          meta.figures.map((name) => figures[name]),
          arrays.figures.subarray(step * width, (step + 1) * width),
          way.figures,
        );
        watched.after(step);
      }
      watched.end(t);
      assert.equal(run.over, meta.averaged > 0, "a run that averages is whole");
      assert.equal(run.end(), meta.averaged);
      for (const [name, array] of Object.entries(partOf(arrays, "end.")))
        near(state.parameters[name].view, array, way.parameters);
      way.used(begun);
      assert.deepEqual(system.sample(state, 7, new Generator(11)), arrays.samples);
    });
    test(`${meta.name}: a run that goes back learns the same again`, () => goesBack(run));
  }
