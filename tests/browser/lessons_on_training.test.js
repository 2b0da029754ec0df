// Runs of a live page that its lessons show: their figures, for Python, which asks the claims of these lessons.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";
import {PageRun} from "../../lrbn_viz/view/live/js/run.js";
import {unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {clockOf} from "./clock.js";

const folder = /** @type {string} */ (process.env.BLOCKS),
  kernels = readFileSync(new URL("../../lrbn_viz/browser/learning.wasm", import.meta.url));
/** @type {{dataset: string, settings: Record<string, unknown>[], epochs: number}[]} */
const asked = JSON.parse(readFileSync(join(folder, "asked.json"), "utf8"));
/** @param {string} name @returns {Block<any, any>} */
const block = (name) => unpack(readFileSync(join(folder, name)));

/** @param {string} dataset */
function opened(dataset) {
  /** @type {(() => void)[]} */
  const turns = [];
  const run = new PageRun(() => {}, clockOf(turns));
  run.handle({type: "open", kernels, ...block(`${dataset}.run`)});
  /** @param {Record<string, unknown>[]} settings @param {number} epochs */
  const arrange = (settings, epochs) => {
    run.handle({type: "arrange", settings, epochs});
    while (turns.length) /** @type {() => void} */ (turns.shift())();
    return run.lanes.map(({probe: {figures, step}, info: {n_h, per_pass}}) => {
      assert.equal(step, epochs * per_pass, "what is told is told of the last step");
      return {
        n_units: n_h,
        n_dead: figures.probe_dead_units,
        wrong_held: figures.probe_wrong_pixels,
        wrong_apart: figures.probe_wrong_pixels_factorised,
        score: figures.validation_score,
      };
    });
  };
  return {run, arrange};
}

test("each run that a lesson shows is trained to its epoch, and told", () => {
  const found = asked.map(({dataset, settings, epochs}) => opened(dataset).arrange(settings, epochs));
  writeFileSync(join(folder, "told.json"), JSON.stringify(found));
});

test("a run that goes on to a later epoch is the run that was trained to it at once", () => {
  const [{dataset}] = asked,
    {arrange, run} = opened(dataset),
    settings = [{prior: "learned"}, {}];
  arrange(settings, 1);
  const {step} = run.lanes[0].run;
  assert.deepEqual(arrange(settings, 2), opened(dataset).arrange(settings, 2));
  assert.equal(run.lanes[0].run.step, 2 * step);
  assert.deepEqual(arrange(settings, 1), opened(dataset).arrange(settings, 1), "and back, anew");
  run.handle({type: "start"});
  assert.equal(run.status, "running", "the visitor may let it go on");
  run.handle({type: "pause"});
  run.handle({type: "set", lane: 0, name: "prior", value: "flat"});
  assert.deepEqual(arrange(settings, 1), opened(dataset).arrange(settings, 1), "whatever has been changed");
});
