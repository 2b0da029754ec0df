// A run that messages steer: what it answers, and that it learns as one without them.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {Learner} from "../../lrbn_viz/browser/js/learner.js";
import {clockOf} from "./clock.js";

const kernels = readFileSync(new URL("../../lrbn_viz/browser/learning.wasm", import.meta.url));
const N_V = 12,
  N_H = 3,
  N = 40,
  X = Uint8Array.from({length: N * N_V}, (_, at) => Number((at * 7 + (at >> 3)) % 5 < 2));

const SETTINGS = {
  n_h: N_H,
  prior: "learned",
  warm_up: 1000,
  learning_rate: 0.2,
  learning_rate_end: null,
  average: 0,
  momentum: 0,
  decay_steps: Infinity,
  weight_decay: 0,
  decay_b: false,
  nonnegative: false,
  start: "conditional",
  e_step: "icm",
  max_sweeps: 50,
  warm_sweeps: 10,
  hottest: 3,
  coldest: 0.1,
  likelihood_weight: 1,
};

/** @param {any} [changed] */
function begun(changed = {}) {
  /** @type {any[]} */
  const answers = [],
    /** @type {(() => void)[]} */
    turns = [];
  const learner = new Learner((answer) => answers.push(answer), clockOf(turns));
  learner.handle({
    act: "begin",
    kernels,
    kind: "lrbn",
    settings: SETTINGS,
    parameters: {
      rows: Float64Array.from({length: N_H * N_V}, (_, at) => ((at * 5) % 7) / 20 - 0.15),
      b: new Float64Array(N_V),
      d: new Float64Array(N_H),
    },
    images: {X, n_v: N_V},
    batch_size: 10,
    seed: 4,
    n_iter: 30,
    ...changed,
  });
  const play = () => {
    while (turns.length) /** @type {() => void} */ (turns.shift())();
  };
  return {learner, answers, turns, play};
}

test("it begins, takes single steps, and plays to the end of its passes", () => {
  const {learner, answers, play} = begun();
  assert.deepEqual([answers[0].step, answers[0].over, answers[0].moments], [0, false, [0]]);
  learner.handle({act: "step"});
  const one = answers.at(-1);
  assert.deepEqual([one.step, one.rows.length, one.figures.log_joint.length], [1, 10, 1]);
  learner.handle({act: "play"});
  play();
  const end = answers.at(-1);
  assert.deepEqual([end.step, end.epoch, end.over, end.playing], [120, 30, true, false]);
  const seen = answers.slice(1).reduce((sum, {figures}) => sum + (figures.log_joint?.length ?? 0), 0);
  assert.equal(seen, 120, "the figures of every step are answered once");
  learner.handle({act: "step"});
  assert.equal(answers.at(-1).step, 120, "no step follows the last one");
});

test("it learns the same played as in single steps", () => {
  const [played, stepped] = [begun(), begun()];
  played.learner.handle({act: "play"});
  played.play();
  for (let step = 0; step < 120; step++) stepped.learner.handle({act: "step"});
  assert.deepEqual(played.answers.at(-1).state, stepped.answers.at(-1).state);
});

test("a pause comes between two turns", () => {
  const {learner, answers, turns} = begun({n_iter: 100000});
  learner.handle({act: "play"});
  /** @type {() => void} */ (turns.shift())();
  learner.handle({act: "pause"});
  const {step, playing} = answers.at(-1);
  assert.ok(step > 0 && !playing);
  for (const turn of turns.splice(0)) turn();
  assert.equal(learner.run?.training.step, step);
});

test("it goes back to a stored moment, and another branch begins there", () => {
  const {learner, answers} = begun();
  for (let step = 0; step < 20; step++) learner.handle({act: "step"});
  const once = answers.at(-1).state;
  learner.handle({act: "back", step: 8});
  assert.deepEqual([answers.at(-1).step, answers.at(-1).moments.at(-1)], [8, 8]);
  for (let step = 0; step < 12; step++) learner.handle({act: "step"});
  assert.deepEqual(answers.at(-1).state, once, "the same settings learn the same");
  learner.handle({act: "back", step: 8});
  learner.handle({act: "change", settings: {learning_rate: 0.01}});
  for (let step = 0; step < 12; step++) learner.handle({act: "step"});
  assert.notDeepEqual(answers.at(-1).state, once);
});

test("moments are thinned, and the first one stays", () => {
  const {learner, answers} = begun({n_iter: 100});
  for (let step = 0; step < 300; step++) learner.handle({act: "step"});
  const {moments} = answers.at(-1);
  assert.equal(moments[0], 0);
  assert.ok(moments.length > 30 && moments.length <= 64, moments.length);
  assert.ok(moments.at(-1) > 290);
});

test("a long run of a large model stays within its memory", () => {
  const n_v = 784,
    n_h = 200,
    images = Uint8Array.from({length: 20 * n_v}, (_, at) => Number(at % 3 < 1));
  const {learner, answers} = begun({
    parameters: {rows: new Float64Array(n_h * n_v), b: new Float64Array(n_v), d: new Float64Array(n_h)},
    images: {X: images, n_v},
    settings: {...SETTINGS, max_sweeps: 1},
  });
  const sizes = [];
  for (let step = 0; step < 60; step++) {
    learner.handle({act: "step"});
    const [{failed, moments}] = answers.splice(0).slice(-1);
    assert.equal(failed, undefined);
    sizes.push(moments.length);
  }
  const bytes = 2 * 8 * n_h * n_v; // of the weights in a moment, and of their running sum
  assert.ok(Math.max(...sizes) * bytes <= 64 * 2 ** 20, `${Math.max(...sizes)} moments`);
  assert.ok(Math.min(...sizes.slice(40)) >= 8, "and there are enough to go back to");
});

test("the mean of the last steps takes the parameters' place at the end", () => {
  const {answers, play, learner} = begun({n_iter: 3, settings: {...SETTINGS, average: 0.5}});
  learner.handle({act: "play"});
  play();
  const {averaged, step, state} = answers.at(-1);
  assert.deepEqual([averaged, step], [6, 12]);
  learner.handle({act: "back", step: 9});
  assert.equal(answers.at(-1).averaged, 0);
  learner.handle({act: "play"});
  play();
  assert.deepEqual(answers.at(-1).state, state);
});

test("what is wrong is said, and the run stays where it is", () => {
  /** @type {any[]} */
  const answers = [];
  new Learner((answer) => answers.push(answer), clockOf([])).handle({act: "play"});
  assert.match(answers[0].failed, /send them first/);
  const {learner, answers: others} = begun();
  learner.handle({act: "change", settings: {learning_rate: 1e300}});
  for (let step = 0; step < 4; step++) learner.handle({act: "step"});
  assert.match(others.at(-1).failed, /^training diverged: W reached .* in step 4; expected at most 500/);
  assert.match(
    begun({kind: "tree"}).answers[0].failed,
    /expected a way of learning of lrbn, rbm, rws; got tree/,
  );
});
