// Every decision of the engine is Python's, on traces that Python made a moment ago.
import assert from "node:assert/strict";
import {existsSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {Generator} from "../../lrbn_viz/browser/js/random.js";
import {findBasins} from "../../lrbn_viz/view/live/js/basins.js";
import {errorsAlong, infer, log_odds_terms, trace as traceOf} from "../../lrbn_viz/browser/js/engine.js";
import {knownOf} from "../../lrbn_viz/view/live/js/truth.js";
import {decodeModels, packBits, part, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected, near} from "../js/blocks.js";

let count = 0, // of traces compared
  explained = 0; // terms of decisions
assert.ok(loadKernels(block("kernel.wasm")));
const MOST = 1e-9; // nats, of a log-odds as large as one; of larger ones a share
const MOST_OF_MEANS = 1e-8; // the same of mean field, where rounding chooses between tilts that are nearly as good

/** @param {string} name @returns {Model} */
const modelIn = (name) => /** @type {Model} */ (decodeModels(block(name)).values().next().value);
/** @param {ArrayLike<number>} values */
const largest = (values) => Math.max(1, ...Array.from(values, Math.abs));

test("random numbers are NumPy's", () => {
  const {meta, arrays} = unpack(block("random.bin"));
  for (const seed of /** @type {{seeds: number[]}} */ (meta).seeds) {
    const rng = new Generator(seed),
      wanted = part(/** @type {Arrays} */ (arrays), seed),
      range = Int32Array.from({length: 20}, (_, i) => i);
    for (const [name, found] of /** @type {[string, ArrayLike<number>][]} */ ([
      ["first", rng.uniforms(3)],
      ["coins", rng.coins(13)],
      ["order", rng.permuted(range)],
      ["again", rng.permuted(range.slice(0, 7))],
      ["below", Array.from({length: 9}, () => rng.below(20))],
      ["floats", rng.floats(5)],
      ["last", rng.uniforms(5)],
    ]))
      assert.deepEqual(
        Array.from(found),
        Array.from(/** @type {Arrays} */ (wanted)[name]),
        `${name} of seed ${seed}`,
      );
    // but for rounding, also in the tails, from which one of 4,000 comes
    near(new Generator(seed).normals(20000), /** @type {Arrays} */ (wanted).normals, 1e-13);
  }
});

for (let n = 0; existsSync(join(process.env.BLOCKS ?? "", `traces${n}.bin`)); n++) {
  /** @type {Block<{name: string, model: LiveModel, traces: {method: string, start: string, held: [number, number][], seed: number, converged: boolean, sampled: boolean}[]}, Arrays>} */
  const {meta, arrays} = unpack(block(`traces${n}.bin`));
  test(`${meta.name}: all ${meta.traces.length} traces are equal, visit by visit`, () => {
    const model = modelIn(`model${n}.bin`);
    assert.equal(model.rounded, false, "its weights are its own");
    meta.traces.forEach(({method: name, start, held, seed, converged, sampled}, i) => {
      /** @type {Arrays} */
      const wanted = part(arrays, i),
        method = meta.model.methods.find((each) => each.name === name),
        said = `${name} from ${start}, seed ${seed}`;
      assert.ok(method, said);
      const trace = traceOf(model, method, wanted.x, start, new Map(held), seed);
      near(trace.h0, wanted.h0, trace.means ? 1e-9 : 0);
      assert.deepEqual(trace.unit, Array.from(wanted.unit), `units of ${said}`);
      near(trace.after, wanted.after, trace.means ? 1e-9 : 0);
      assert.deepEqual(trace.sweep, Array.from(wanted.sweep), `sweeps of ${said}`);
      assert.deepEqual([trace.converged, trace.sampled], [converged, sampled], said);
      const most = trace.means ? MOST_OF_MEANS : MOST;
      near(trace.logOdds, wanted.log_odds, most * largest(wanted.log_odds));
      near(trace.logJoint, wanted.log_joint, most * largest(wanted.log_joint));
      near(errorsAlong(model, wanted.x, trace), wanted.wrong, MOST * largest(wanted.wrong));
      if (wanted["terms.prior"]) {
        const h = infer(model, method, wanted.x, start, new Map(held), seed);
        for (const [name, terms] of Object.entries(log_odds_terms(model, wanted.x, h, seed % model.n_h))) {
          const known = wanted[`terms.${name}`];
          near(typeof terms === "number" ? [terms] : terms, known, MOST * largest(known));
          explained++;
        }
      }
      count++;
    });
  });
}

for (let n = 0; existsSync(join(process.env.BLOCKS ?? "", `known${n}.bin`)); n++) {
  /** @type {Block<{name: string, model: LiveModel, lanes: {method: string, truth: any, rungs: any, held: [number, number][], beliefs: any}[]}, Arrays>} */
  const {meta, arrays} = unpack(block(`known${n}.bin`));
  test(`${meta.name}: the posterior, the distances from it and the probabilities of all units are Python's`, () => {
    const model = modelIn(`known_model${n}.bin`);
    meta.lanes.forEach(({method: name, truth, rungs, held, beliefs}, i) => {
      /** @type {Arrays} */
      const wanted = part(arrays, i),
        method = meta.model.methods.find((each) => each.name === name);
      assert.ok(method, name);
      const found = knownOf(
        model,
        meta.model,
        wanted.x,
        traceOf(model, method, wanted.x, "conditional", new Map(), 3),
        new Map(held),
      );
      assert.equal(Boolean(found.beliefs), Boolean(beliefs), name);
      if (found.beliefs) {
        near(
          [found.beliefs.meta.log_evidence],
          [beliefs.log_evidence],
          MOST * largest([beliefs.log_evidence]),
        );
        near(found.beliefs.latents, wanted["beliefs.latents"], 1e-8);
        near(found.beliefs.visibles, wanted["beliefs.visibles"], 1e-8);
        assert.equal(Boolean(found.beliefs.apart), "beliefs.apart" in wanted, name);
        if (found.beliefs.apart) near(found.beliefs.apart, wanted["beliefs.apart"], 1e-8);
      }
      assert.equal(Boolean(found.truth), Boolean(truth), name);
      if (found.truth) {
        const most = MOST * largest([truth.log_evidence]);
        near(
          [found.truth.meta.log_evidence, found.truth.meta.map_log_joint],
          [truth.log_evidence, truth.map_log_joint],
          most,
        );
        assert.deepEqual(
          found.truth.meta.approximations.map((each) => [each.name, each.samples]),
          truth.approximations.map((/** @type {any} */ each) => [each.name, each.samples]),
        );
        for (const part of /** @type {const} */ (["kl", "total_variation"]))
          near(
            found.truth.meta.approximations.map((each) => each[part]),
            truth.approximations.map((/** @type {any} */ each) => each[part]),
            1e-7 * largest([truth.log_evidence]),
          );
        assert.deepEqual(packBits(found.truth.map), wanted["truth.map"]);
        near(found.truth.marginals, wanted["truth.marginals"], 1e-8);
        near(found.truth.covariance, wanted["truth.covariance"], 1e-6);
      }
      assert.equal(Boolean(found.distance), Boolean(rungs), name);
      if (!found.distance) return;
      assert.deepEqual(
        found.distance.meta.rungs.map((each) => each.name),
        rungs.map((/** @type {any} */ each) => each.name),
      );
      for (const part of /** @type {const} */ (["kl", "total_variation"]))
        near(
          found.distance.meta.rungs.map((each) => each[part]),
          rungs.map((/** @type {any} */ each) => each[part]),
          1e-7 * largest(rungs.map((/** @type {any} */ each) => each.kl)),
        );
      near(found.distance.kl, wanted["distance.kl"], 1e-6 * largest(wanted["distance.kl"]));
      near(found.distance.variation, wanted["distance.variation"], 1e-6);
    });
  });
}

test("every trace was compared, and decisions of directed models are explained", () => {
  assert.equal(count, expected.traces);
  assert.ok(explained > count, `${explained} kinds of terms`);
});

test("local optima are those that Python finds, from the same starts", () => {
  const {meta, arrays} = unpack(block("optima.bin")),
    {x, rival, H, log_joint, counts_by_kind, starts} = /** @type {Arrays} */ (arrays);
  const {kinds, n} = /** @type {{kinds: string[], n: number}} */ (meta),
    [layer] = modelIn("optima_model.bin").layers;
  const found = findBasins(layer, x, 60, {rbm: rival});
  assert.equal(found.optima.length, n);
  assert.deepEqual(found.kinds, kinds);
  assert.deepEqual(
    found.optima.flatMap(({h}) => Array.from(h)),
    Array.from(H),
  );
  assert.deepEqual(
    found.optima.flatMap(({start}) => Array.from(start)),
    Array.from(starts),
  );
  assert.deepEqual(
    found.optima.flatMap(({byKind}) => Array.from(byKind)),
    Array.from(counts_by_kind),
  );
  near(
    found.optima.map(({logJoint}) => logJoint),
    log_joint,
    MOST * largest(log_joint),
  );
});
