// log P(x) and samples in the browser are Python's, of models that Python packed a moment ago.
import assert from "node:assert/strict";
import {test} from "node:test";
import {
  annealedNormaliser,
  annealedWeights,
  logLikelihood,
  sampleDirected,
  sampleMachine,
  startOf,
} from "../../lrbn_viz/browser/js/likelihood.js";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {Generator} from "../../lrbn_viz/browser/js/random.js";
import {decodeModels, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected, near} from "../js/blocks.js";

assert.ok(loadKernels(block("kernels.wasm"), "measuring"));

const models = decodeModels(block("models")),
  {arrays} = unpack(block("arrays")),
  none = () => {};

/** @param {string} name */
const modelOf = (name) => /** @type {Model} */ (models.get(name));
/** @param {string} name */
const X = (name) => Float64Array.from(arrays[`${name}.X`]);

for (const name of expected.exact)
  test(`log P(x) by enumeration: ${name}`, () => {
    const found = logLikelihood(modelOf(name), X(name), {n_temperatures: 1, n_bracket: 1, seed: 0}, none);
    assert.equal(found.bound, "exact");
    near(found.values, arrays[`${name}.values`], 1e-6);
    const [mean, error] = expected.means[name];
    near([found.mean, found.standard_error], [mean, error], 1e-6);
  });

for (const name of expected.annealed)
  test(`log weights of annealing: ${name}`, (t) => {
    const {layers, factorised, n_v} = modelOf(name),
      n = X(name).length / n_v,
      wanted = arrays[`${name}.weights`];
    /** @type {number[]} */
    const told = [],
      rng = new Generator(expected.seed),
      tell = (/** @type {number} */ share) => told.push(share);
    const [low] = layers,
      steps = expected.n_temperatures,
      found = factorised
        ? annealedNormaliser(low, startOf(low, none), steps, wanted.length, rng, tell)
        : annealedWeights(layers, X(name), n, steps, rng, tell);
    const other = found.filter((value, m) => !(Math.abs(value - wanted[m]) < 1e-2)).length;
    t.diagnostic(`${name}: ${found.length} chains, ${other} other ones`);
    assert.ok(other <= 0.02 * found.length, `${other} of ${found.length} chains are others`);
    assert.equal(told.at(-1), 1);
    assert.ok(told.every((share, i) => !i || share >= told[i - 1]));
  });

for (const name of expected.annealed)
  test(`bounds are Python's: ${name}`, () => {
    const {n_temperatures, n_bracket, seed} = expected,
      found = logLikelihood(modelOf(name), X(name), {n_temperatures, n_bracket, seed}, none);
    near([found.mean, found.lower, found.upper], expected.bounds[name], 0.05);
    assert.ok(found.lower < found.upper);
  });

for (const name of expected.estimated)
  test(`an estimate agrees with the exact value: ${name}`, () => {
    const model = modelOf(name),
      {n_temperatures, n_bracket, seed} = expected;
    // as a model of too many latents for an exact sum, by a unit that says nothing
    const found = logLikelihood(widened(model), X(name), {n_temperatures, n_bracket, seed}, none),
      wanted = arrays[`${name}.values`],
      mean = wanted.reduce((/** @type {number} */ sum, /** @type {number} */ value) => sum + value, 0);
    assert.notEqual(found.bound, "exact");
    const exact = mean / wanted.length,
      [error, estimate, lower, upper] = expected.estimates[name];
    near([found.mean], [estimate], 0.05);
    near([found.mean], [exact], 4 * error);
    near([found.lower, found.upper], [lower, upper], 0.05);
    assert.ok(found.lower <= found.upper);
    if (found.bound === "upper") near([found.estimator_error], [error], 0.02);
  });

// The same model with latents of weight 0, whose number no exact sum takes.
/** @param {Model} model @returns {Model} */
function widened(model) {
  const [layer] = model.layers,
    more = expected.more,
    {n_h, n_v} = layer;
  const exact = new Float64Array((n_h + more) * n_v),
    d = new Float64Array(n_h + more);
  exact.set(layer.exact);
  d.set(layer.d);
  return {...model, n_h: n_h + more, layers: [{...layer, n_h: n_h + more, exact, d}]};
}

for (const name of expected.sampled)
  test(`samples are Python's: ${name}`, () => {
    const {layers, factorised} = modelOf(name),
      wanted = arrays[`${name}.samples`],
      n = wanted.length / layers[0].n_v;
    const found = factorised
      ? sampleMachine(layers[0], expected.settings, n, expected.seed)
      : sampleDirected(layers, n, expected.seed);
    assert.deepEqual(Array.from(found), Array.from(wanted));
  });
