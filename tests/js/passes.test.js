// What the models drew, pass by pass, and the frames of a training board.
import assert from "node:assert/strict";
import {test} from "node:test";
import {readFrame} from "../../lrbn_viz/app/train/js/frames.js";
import {Ring} from "../../lrbn_viz/view/board/js/ring.js";
import {Timeline} from "../../lrbn_viz/view/generate/js/passes.js";
import {decodeModels, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected, near} from "./blocks.js";

const NAMES = ["flat", "layers"]; // a prior of independent units, and one of two layers
/** @param {string} name */
const timeline = (name) =>
  new Timeline(unpack(block(`${name}_passes.bin`)), decodeModels(block(`${name}_generation.bin`)));

for (const name of NAMES)
  test(`${name}: each pass draws latents, adds filters and draws pixels, in both lanes`, () => {
    const line = timeline(name);
    assert.ok(line.passes > 0);
    line.lanes.forEach((lane, index) => {
      const wanted = expected.passes[name][index];
      assert.deepEqual(
        lane.h.map((h) => Array.from(h)),
        wanted.h,
      );
      assert.deepEqual(
        lane.x.map((x) => Array.from(x).reduce((sum, bit) => sum + bit, 0)),
        wanted.x_on,
      );
      assert.equal(lane.x0 !== null, wanted.chain);
      for (let t = 0; t < line.passes; t++) {
        const {W, b} = lane.model,
          a = Array.from(b);
        for (const j of lane.on[t]) for (let i = 0; i < lane.n_v; i++) a[i] += W[j * lane.n_v + i];
        near(lane.activations(t, lane.on[t].length), a, 1e-4);
        let compared = 0;
        // a latent is on where its random number is below its probability; numbers travel in 65536 steps
        lane.probabilities(t).forEach((p, j) => {
          const drawn = lane.uniform[t * lane.n_h + j] / 65536;
          if (Math.abs(drawn - p) > 2 / 65536 && !lane.held.has(j) && ++compared)
            assert.equal(lane.h[t][j], drawn < p ? 1 : 0, `pass ${t}, unit ${j}: ${drawn} against ${p}`);
        });
        assert.ok(compared > lane.n_h / 2);
      }
    });
  });

test("the top layer is drawn first, and of the one below nothing is known until then", () => {
  const [deep, rbm] = timeline("layers").lanes;
  assert.deepEqual(
    [deep.n_h, deep.sequence[0], deep.sequence[199], deep.sequence[200], deep.sequence[399]],
    [400, 200, 399, 0, 199],
  );
  assert.deepEqual(
    [deep.probability(0, 5, 199), deep.probability(0, 5, 200)],
    [null, deep.probabilities(0)[5]],
  );
  assert.equal(deep.probability(0, 300, 0), deep.probabilities(0)[300]);
  assert.ok(
    deep.on.every((on) => on.every((j) => j < 200)),
    "only the lowest layer has filters",
  );
  assert.deepEqual(
    [deep.called(5), deep.called(300), rbm.called(5)],
    ["unit 5 (layer 1)", "unit 300 (layer 2)", "unit 5"],
  );
  assert.equal(rbm.probability(0, 5, 0), rbm.probabilities(0)[5]);
});

for (const name of NAMES)
  test(`${name}: the cursor knows its pass and phase at every step`, () => {
    const line = timeline(name);
    for (let k = 0; k <= line.end; k++) {
      const {t, step, drawn, added, rows, whole} = line.at(k);
      assert.equal(line.find(t, step), k);
      assert.equal(drawn + added + rows, step);
      assert.equal(whole, k === line.starts[t + 1]);
    }
    assert.equal(line.find(-1, -1), line.end);
    assert.equal(line.stops().at(-1), line.end);
  });

test("a frame says what Python put in it", () => {
  const {statuses, kinds, values} = expected.frame,
    frame = readFrame(block("frame.bin"), statuses, kinds);
  const {number, status, progress, left, savedAt, lanes, pieces} = frame;
  assert.deepEqual([number, status, progress, left, savedAt], [7, "running", 0.25, 90, 1.7e9]);
  assert.equal(lanes.length, 2);
  assert.deepEqual([lanes[1].step, lanes[1].seconds, lanes[1].rate], [40, 2.5, 810]);
  assert.deepEqual(lanes[1].history, [10, 4, 40, 1.25]);
  assert.deepEqual(
    lanes[1].values.map(([, value]) => value),
    values,
  );
  assert.deepEqual(
    pieces.map(({kind, lane, index}) => [kind, lane, index]),
    [
      ["filter", 1, 7],
      ["words", 0, 0],
    ],
  );
  assert.deepEqual(
    Array.from(pieces[0].content),
    Array.from({length: 20}, (_, i) => i),
  );
  assert.equal(new TextDecoder().decode(pieces[1].content), '{"trouble":""}');
});

test("a ring covers the whole run in bounded memory", () => {
  const ring = new Ring(),
    n = 100000;
  for (let x = 0; x < n; x++) ring.add(x, 2 * x);
  ring.add(n, NaN); // what is no number leaves no mark
  assert.ok(ring.n <= ring.x.length);
  assert.equal(ring.last, 2 * (n - 1));
  for (let i = 0; i < ring.n; i++) near([ring.y[i]], [2 * ring.x[i]], 1e-6);
  assert.ok(ring.x[0] < n / 100 && ring.x[ring.n - 1] > 0.98 * n);
  near([ring.at(n / 2)], [n], 2 * ring.stride * 2);
});
