// The ladder of approximations: the farthest first, and the parts of each distance sum to it.
import assert from "node:assert/strict";
import {test} from "node:test";
import {gapsOf, RUNGS, splitRungs} from "../../lrbn_viz/view/player/js/ladder_rows.js";
import {decodeModels} from "../../lrbn_viz/view/player/js/decode.js";
import {decodeTrace} from "../../lrbn_viz/view/player/js/replay.js";
import {block, expected, near} from "./blocks.js";

const RUNG = (/** @type {string} */ name, /** @type {number} */ kl) => ({name, kl, total_variation: kl / 10});
const ALL = [RUNG("factorised", 5), RUNG("best", 0.5), RUNG("recognition", 1.5), RUNG("map", 2)];

test("the farthest rung is first, and each distance is what it shares with the best and its own", () => {
  const split = splitRungs(ALL);
  assert.deepEqual(
    split.map(({name}) => name),
    ["factorised", "map", "recognition", "best"],
  );
  for (const {kl, shared, own} of split) assert.equal(shared + own, kl);
  assert.deepEqual(
    split.map(({own}) => own),
    [4.5, 1.5, 1, 0],
  );
  assert.equal(ALL[0].name, "factorised", "what is given stays");
});

test("gaps are differences to the best, and there is no amortisation gap without a recognition network", () => {
  assert.deepEqual(gapsOf(ALL), {approximation: 0.5, explainingAway: 4.5, amortisation: 1});
  assert.equal(gapsOf(ALL.filter(({name}) => name !== "recognition")).amortisation, null);
});

test("a packed trace brings the distances that the engine found, and names of rungs that are known", () => {
  const [lane, other] = decodeTrace(block("distance.bin"), decodeModels(block("distance_models.bin"))).lanes;
  assert.ok(lane.distance);
  near(lane.distance.kl, expected.distance.kl, 1e-5);
  near(lane.distance.variation, expected.distance.variation, 1e-6);
  assert.deepEqual(lane.distance.rungs, expected.distance.rungs);
  for (const {name} of lane.distance.rungs) assert.ok(name in RUNGS, name);
  assert.equal(other.distance, null);
});
