// Orders of the units: every one is a permutation, goes by what it says, and keeps layers together.
import assert from "node:assert/strict";
import {test} from "node:test";
import {decodeModels} from "../../lrbn_viz/view/player/js/decode.js";
import {chainOrder} from "../../lrbn_viz/view/player/js/interactions.js";
import {logOddsTerms} from "../../lrbn_viz/view/player/js/logodds.js";
import {orderUnits, UNIT_ORDERS, valueInWords} from "../../lrbn_viz/view/player/js/orders.js";
import {decodeTrace} from "../../lrbn_viz/view/player/js/replay.js";
import {block} from "./blocks.js";

const {lanes} = decodeTrace(block("trace.bin"), decodeModels(block("models.bin")));
const [lrbn, rbm, , deep] = lanes;
for (const lane of lanes) lane.seek(lane.n_visits);

for (const name of Object.keys(UNIT_ORDERS)) {
  test(`${name}: each unit once, the lower layer first`, () => {
    for (const lane of lanes) {
      const order = orderUnits(
        lane,
        name,
        Float32Array.from({length: lane.n_h}, (_, j) => (j * 5) % 7),
      );
      assert.deepEqual(
        order.toSorted((j, k) => j - k),
        Array.from({length: lane.n_h}, (_, j) => j),
      );
    }
    const layers = orderUnits(deep, name, new Float32Array(deep.n_h)).map((j) => (j < 9 ? 0 : 1));
    assert.deepEqual(layers, layers.toSorted());
  });
}

test("by log-odds: the surest unit first", () => {
  const values = orderUnits(lrbn, "weight").map((j) => logOddsTerms(lrbn, j).logOdds);
  assert.deepEqual(
    values,
    values.toSorted((a, b) => b - a),
  );
});

test("by contribution: units that are off come last, by number", () => {
  const order = orderUnits(lrbn, "contribution"),
    states = order.map((j) => lrbn.h[j]);
  assert.deepEqual(
    states,
    states.toSorted((a, b) => b - a),
  );
  const off = order.filter((j) => !lrbn.h[j]);
  assert.deepEqual(
    off,
    off.toSorted((a, b) => a - b),
  );
  const on = order.find((j) => lrbn.h[j]);
  assert.match(valueInWords(lrbn, "contribution", Number(on)), /^, adds [+\u2212]\d+\.\d\d nats$/);
});

test("by usage: by number until it is counted, then the most used first", () => {
  assert.deepEqual(
    orderUnits(lrbn, "usage"),
    Array.from({length: lrbn.n_h}, (_, j) => j),
  );
  const usage = Float32Array.from({length: lrbn.n_h}, (_, j) => ((j * 4) % 9) / 9);
  const shares = orderUnits(lrbn, "usage", usage).map((j) => usage[j]);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
  assert.equal(valueInWords(lrbn, "usage", 1), ", on in 44 % of the test images");
});

test("by interaction: units of an RBM stay by number, strong neighbours of others stand together", () => {
  assert.deepEqual(
    orderUnits(rbm, "cluster"),
    Array.from({length: rbm.n_h}, (_, j) => j),
  );
  const pairs = new Float32Array(16); // 0-2 and 1-3 are bound, and 2-3 less
  for (const [j, k, value] of [
    [0, 2, -9],
    [1, 3, 8],
    [2, 3, -1],
  ])
    pairs[j * 4 + k] = pairs[k * 4 + j] = value;
  assert.deepEqual(chainOrder(pairs, 4), [2, 0, 1, 3]);
  assert.deepEqual(
    chainOrder(pairs, 4, [0, 1, 3]),
    [1, 3, 0],
    "of some units, by what they are to each other",
  );
  assert.deepEqual(chainOrder(pairs, 4, []), []);
  assert.deepEqual(
    chainOrder(new Float32Array(16), 4, [1, 2, 3]),
    [1, 2, 3],
    "units that do not interact stay by number",
  );
});
