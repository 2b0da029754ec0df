// A run of two models in a page: what it tells the board of held-out images is Python's, whatever the messages.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";
import {kernels as memory} from "../../lrbn_viz/browser/js/memory.js";
import {PageRun} from "../../lrbn_viz/view/live/js/run.js";
import {unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {clockOf} from "./clock.js";

const folder = /** @type {string} */ (process.env.BLOCKS),
  kernels = readFileSync(new URL("../../lrbn_viz/browser/learning.wasm", import.meta.url));
/** @type {string[]} */
const names = JSON.parse(readFileSync(join(folder, "names.json"), "utf8"));

/** @param {string} name @returns {Block<any, any>} */
const block = (name) => unpack(readFileSync(join(folder, name)));

/** @param {string} name */
function opened(name) {
  /** @type {any[]} */
  const said = [],
    /** @type {(() => void)[]} */
    turns = [];
  const run = new PageRun((each) => said.push(each), clockOf(turns));
  run.handle({type: "open", kernels, ...block(`${name}.run`)});
  /** @param {number} step */
  const playTo = (step) => {
    run.handle({type: "start"});
    while (turns.length && run.lanes[0].run.step < step) /** @type {() => void} */ (turns.shift())();
    run.handle({type: "pause"});
    turns.splice(0).forEach((turn) => turn());
  };
  /** @param {string} kind @returns {Block<any, any>} */
  const last = (kind) => said.findLast(({meta}) => meta?.kind === kind);
  return {run, said, turns, playTo, last};
}

for (const name of names) {
  test(`${name}: figures, pictures and filters of a model are those of Python's probe`, () => {
    const {last, run} = opened(name),
      {arrays} = last("run"),
      {meta, arrays: expected} = block(`${name}.expected`);
    run.lanes.forEach((lane, n) => {
      const {wrong_pixels, wrong_pixels_factorised, dead_units, score} = meta.figures[n],
        {figures, usage} = lane.probe;
      assert.ok(Math.abs(figures.probe_wrong_pixels - wrong_pixels) < 1e-9);
      assert.equal(figures.probe_dead_units, dead_units);
      assert.ok(Math.abs(figures.probe_wrong_pixels_factorised - wrong_pixels_factorised) < 1e-9);
      assert.ok(Math.abs(figures.validation_score - score) < (n ? 1e-5 : 1e-9), `${score}`);
      usage.forEach((share, j) => assert.ok(Math.abs(share - expected[`${n}.usage`][j]) < 1e-12));
      for (const part of ["reconstructions", "filters"])
        arrays[`${n}.${part}`].forEach((/** @type {number} */ value, /** @type {number} */ at) =>
          assert.ok(Math.abs(value - expected[`${n}.${part}`][at]) <= 1, `${part} ${n} ${at}`),
        );
    });
  });

  test(`${name}: wrong pixels of all held-out images are counted in one call, for each model once`, () => {
    const {run} = opened(name),
      {call} = memory();
    /** @type {string[]} */
    const called = [];
    memory().call = function (kernel, values) {
      called.push(kernel);
      return call.call(this, kernel, values);
    };
    for (const lane of run.lanes) lane.look();
    memory().call = call;
    assert.deepEqual(
      called.filter((kernel) => ["measure_alone", "errors_of_means"].includes(kernel)),
      ["measure_alone", "measure_alone", "errors_of_means"],
      "an LRBN's once with its latents, and once with those that ignore each other",
    );
  });

  test(`${name}: both models take the same steps, and a pause shows the last minibatch`, () => {
    const {run, said, playTo, last} = opened(name);
    playTo(40);
    const [first, second] = run.lanes.map((lane) => lane.run.step);
    assert.ok(first >= 40 && first === second);
    assert.deepEqual(run.lanes[0].stored.rows, run.lanes[1].stored.rows);
    const {meta, arrays} = last("rest");
    assert.deepEqual(meta.steps, [first, second]);
    assert.equal(arrays.minibatch.length, meta.rows.length * run.n_v);
    for (const name of ["gradient_norm", "validation_score", "probe_wrong_pixels_factorised"])
      for (const lane of run.lanes) assert.ok(lane.rings.get(name)?.last, `${lane.info.title} has ${name}`);
    const frames = said.flatMap((each) => each.frames ?? []);
    assert.deepEqual(
      frames.map(({number}) => number),
      frames.map((_, n) => n + 1),
    );
    assert.deepEqual([frames[0].status, frames.at(-1).status], ["running", "paused"]);
    run.handle({type: "step"});
    assert.deepEqual(
      run.lanes.map((lane) => lane.run.step),
      [first + 1, first + 1],
    );
  });

  test(`${name}: slow motion shows the flips of the E-step that the M-step learns from`, (t) => {
    const {run, playTo, last} = opened(name),
      same = opened(name),
      n_v = run.n_v;
    let latents = 0,
      flipped = 0;
    for (const start of [0, 100]) {
      if (start) playTo(start);
      const {step: from} = run.lanes[0].run;
      const system = /** @type {any} */ (run.lanes[0].stored.system),
        infer = system.infer;
      /** @type {any} */
      let e_step = null;
      system.infer = function (/** @type {any[]} */ ...given) {
        const found = infer.apply(this, given);
        if (given[1].length === 20 * n_v) e_step ??= {X: given[1], ...found};
        return found;
      };
      const before = run.lanes.map((lane) => lane.weights().rows);
      run.handle({type: "slow"});
      system.infer = infer;
      const {meta, arrays} = last("slow");
      assert.deepEqual([meta.step, run.lanes[0].run.step, run.status], [from + 1, from + 1, "paused"]);
      assert.deepEqual(
        Array.from(arrays.minibatch),
        Array.from(e_step.X, (/** @type {number} */ x) => 255 * x),
      );
      assert.deepEqual([meta.lanes[1].e_step, arrays["1.unit"]], [null, undefined]);
      const {n_h} = meta.lanes[0],
        {unit, states, ends} = Object.fromEntries(
          ["unit", "states", "ends"].map((part) => [part, arrays[`0.${part}`]]),
        );
      assert.equal(ends.length, 20);
      ends.forEach((/** @type {number} */ end, /** @type {number} */ m) => {
        const at = (/** @type {number} */ k) => states.subarray(k * n_h, (k + 1) * n_h);
        for (let k = m ? ends[m - 1] : 0; k < end; k++) {
          if (unit[k] < 0) continue;
          const other = at(k).filter(
            (/** @type {number} */ on, /** @type {number} */ j) => on !== at(k - 1)[j],
          );
          assert.equal(other.length, 1);
          assert.notEqual(at(k)[unit[k]], at(k - 1)[unit[k]]);
          flipped += 1;
        }
        assert.deepEqual(at(end - 1), e_step.H.subarray(m * n_h, (m + 1) * n_h), `image ${m}`);
        latents += n_h;
      });
      assert.equal(arrays["0.means"].length, unit.length * n_v);
      /** @type {SlowLane[]} */ (meta.lanes).forEach(({units, largest}, n) => {
        const after = run.lanes[n].weights().rows;
        assert.equal(units.length, 12);
        assert.deepEqual(
          largest,
          largest.toSorted((one, other) => other - one),
        );
        units.forEach((j, k) => {
          const row = (/** @type {Float64Array} */ rows, at = j) => rows.subarray(at * n_v, (at + 1) * n_v);
          assert.deepEqual(row(arrays[`${n}.before`], k), row(before[n]));
          assert.deepEqual(row(arrays[`${n}.after`], k), row(after));
        });
        assert.ok(largest[0] > 0);
      });
      if (!start) {
        same.run.handle({type: "step"});
        assert.deepEqual(
          run.lanes.map((lane) => lane.copied()),
          same.run.lanes.map((lane) => lane.copied()),
          "it learns as a single minibatch does",
        );
      }
    }
    assert.ok(flipped > 40, `${flipped}`);
    t.diagnostic(`${latents} latents, ${flipped} flips`);
    run.handle({type: "start"});
    run.handle({type: "slow"});
    assert.equal(run.status, "paused", "it pauses a run that plays");
  });
}

for (const name of names.filter((each) => block(`${each}.run`).meta.image_shape[0] < 10)) {
  // the same whatever the images: small ones are enough
  test(`${name}: equal seeds give equal runs, and the next run has the seed that was chosen`, () => {
    const {run, last} = opened(name),
      parameters = () => run.lanes.map((lane) => lane.copied()),
      learned = (steps = 30) => {
        for (let step = 0; step < steps; step++) run.handle({type: "step"});
        return parameters();
      };
    const begun = parameters(),
      usual = learned();
    run.handle({type: "seed", value: 7});
    assert.equal(last("run").meta.seed, 0, "the run keeps its own");
    run.handle({type: "step"});
    run.handle({type: "reset"});
    assert.equal(last("run").meta.seed, 7);
    assert.deepEqual(parameters(), begun);
    const other = learned();
    assert.notDeepEqual(other, usual);
    run.handle({type: "reset"});
    assert.deepEqual(learned(), other);
    run.handle({type: "reset"});
    run.handle({type: "seed", value: 0}); // no step yet: it begins at once
    assert.equal(last("run").meta.seed, 0);
    assert.deepEqual(learned(), usual);
  });

  test(`${name}: a run that begins anew takes no more memory`, () => {
    const {run, playTo} = opened(name);
    playTo(20);
    run.handle({type: "reset"});
    const {used} = memory();
    for (let time = 0; time < 3; time++) {
      playTo(20);
      run.handle({type: "reset"});
    }
    assert.equal(memory().used, used);
  });

  test(`${name}: a stored moment is shown as it was, and the run goes on unchanged`, () => {
    const {run, playTo, last} = opened(name);
    playTo(20);
    const {step} = run.lanes[0].run,
      moments = run.lanes.map((lane) => lane.momentAt(step)),
      before = run.lanes.map((lane, n) => lane.at(moments[n], () => lane.look().pictures.reconstructions));
    playTo(90);
    const now = run.lanes.map((lane) => lane.copied());
    run.handle({type: "look", step: moments[0].step});
    const {meta, arrays} = last("moment");
    assert.equal(meta.step, moments[0].step);
    before.forEach((pictures, n) => assert.deepEqual(arrays[`${n}.reconstructions`], pictures));
    assert.deepEqual(
      run.lanes.map((lane) => lane.copied()),
      now,
    );
    run.handle({type: "filter", lane: 0, unit: 1});
    assert.equal(last("filter").arrays.steps.length, 12);
  });

  test(`${name}: what it learns after going back is the same again, and a branch keeps the later curves`, () => {
    const {run, playTo, last} = opened(name);
    playTo(64);
    const [end] = run.lanes.map((lane) => lane.run.step),
      learned = run.lanes.map((lane) => lane.copied());
    run.handle({type: "back", step: 32});
    const [at] = run.lanes.map((lane) => lane.run.step);
    assert.ok(at > 0 && at <= 32);
    assert.equal(last("run").meta.parent, null);
    while (run.lanes[0].run.step < end) run.handle({type: "step"});
    assert.deepEqual(
      run.lanes.map((lane) => lane.copied()),
      learned,
    );
    run.handle({type: "look", step: 32});
    run.handle({type: "branch"});
    const {meta, arrays} = last("run");
    assert.deepEqual([meta.name, meta.parent.name, meta.parent.step], ["Run 2", "Run 1", at]);
    const points = arrays["0.parent.log_joint"],
      steps = points.subarray(0, points.length / 2);
    assert.equal(steps.at(-1), end);
    assert.ok(arrays["0.log_joint"].subarray(0, arrays["0.log_joint"].length / 2).at(-1) <= at);
    run.handle({type: "set", lane: 0, name: "learning_rate", value: 0.01});
    run.handle({type: "step"});
    assert.equal(/** @type {any} */ (run.lanes[0].stored.system).settings.learning_rate, 0.01);
  });

  test(`${name}: a branch of a branch names all runs before it, and where each was left`, () => {
    const {run, playTo, last} = opened(name),
      branch = (/** @type {number} */ step) => {
        run.handle({type: "look", step});
        run.handle({type: "branch"});
        return run.lanes[0].run.step;
      };
    playTo(64);
    const first = branch(48);
    assert.deepEqual(last("run").meta.ancestors, []);
    playTo(100);
    const second = branch(90);
    assert.ok(second > first);
    const {meta} = last("run");
    assert.deepEqual(
      [meta.name, meta.parent, meta.ancestors],
      ["Run 3", {name: "Run 2", step: second, error: ""}, [{name: "Run 1", step: first}]],
    );
    run.handle({type: "back", step: first - 16}); // to where all three were one
    const now = last("run").meta,
      {step} = run.lanes[0].run;
    assert.ok(step < first);
    assert.deepEqual([now.parent.step, now.ancestors[0].step], [step, step]);
    run.handle({type: "reset"});
    assert.deepEqual([last("run").meta.parent, last("run").meta.ancestors], [null, []]);
  });

  test(`${name}: a run that diverges says so, and begins again`, () => {
    const {run, said, last} = opened(name);
    run.handle({type: "set", lane: 1, name: "learning_rate", value: 1e30});
    for (let step = 0; step < 100 && run.status !== "failed"; step++) run.handle({type: "step"});
    assert.equal(run.status, "failed");
    assert.match(last("run").meta.words.error, /rate|diverged/);
    run.handle({type: "set", lane: 1, name: "learning_rate", value: 0.1});
    run.handle({type: "step"});
    assert.deepEqual([run.status, run.lanes[1].run.step], ["paused", 1]);
    run.handle({type: "reset"});
    assert.equal(run.status, "new");
    assert.ok(said.length > 2);
  });
}
