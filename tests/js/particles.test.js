// A lane of importance-weighted particles: its means, sizes and estimates are the engine's at every visit.
import assert from "node:assert/strict";
import {test} from "node:test";
import {decodeModels} from "../../lrbn_viz/view/player/js/decode.js";
import {logOddsTerms} from "../../lrbn_viz/view/player/js/logodds.js";
import {atOnce} from "../../lrbn_viz/view/player/js/pieces.js";
import {rasterRows} from "../../lrbn_viz/view/player/js/raster_rows.js";
import {decodeTrace, ParticleReplay} from "../../lrbn_viz/view/player/js/replay.js";
import {whoChanged} from "../../lrbn_viz/view/player/js/who.js";
import {block, expected, near} from "./blocks.js";

const load = () =>
  decodeTrace(block("particles.bin"), decodeModels(block("particle_models.bin"))).lanes.map((lane) => {
    assert.ok(lane instanceof ParticleReplay);
    return lane;
  });

for (const [index, name] of ["one layer", "two layers"].entries()) {
  const wanted = expected.particles[index],
    end = wanted.latents.length - 1;

  test(`${name}: means, sizes, weights and estimates, forwards, backwards and by leaps`, () => {
    const lane = load()[index],
      ways = Array.from({length: end + 1}, (_, k) => k);
    assert.equal(lane.n_visits, 99);
    for (const k of [...ways, ...ways.toReversed(), ...ways.map((k) => (k * 37) % (end + 1)), -5, end + 9]) {
      const at = Math.max(0, Math.min(end, k));
      lane.seek(k);
      near(Array.from(lane.h), wanted.latents[at], 1e-5);
      near([lane.sizes[at]], [wanted.sizes[at]], 1e-3 * wanted.sizes[at]);
      assert.equal(lane.logJointNow, wanted.estimates[at]);
      assert.equal(lane.wrongNow, wanted.wrong[at]);
      if (at) near([lane.logOdds[at - 1]], [wanted.log_weights[at]], 1e-4);
      assert.equal(lane.currentUnit, -1);
    }
    near(
      Array.from({length: lane.n_v}, (_, i) => lane.mean(i)),
      wanted.reconstruction,
      1e-5,
    );
    assert.match(lane.sizeInWords, /^effective sample size [\d.]+ of 100$/);
    assert.deepEqual(
      lane.falls,
      wanted.estimates
        .slice(1)
        .flatMap((/** @type {number} */ value, /** @type {number} */ k) =>
          value < wanted.estimates[k] ? [k] : [],
        ),
    );
  });

  test(`${name}: who changed a unit's log-odds since the start sums to the change, whatever the layer`, () => {
    const lane = load()[index];
    for (const k of [1, 40, end])
      for (let j = 0; j < lane.n_h; j += 3) {
        lane.seek(0);
        // the unit's own value is no term of its log-odds, but in the activations; so both states have the same
        const before = logOddsTerms(lane, j).logOdds;
        lane.seek(k);
        const {sum, causes, decided, since} = atOnce(whoChanged(lane, j, "start"));
        assert.equal(decided, false);
        assert.equal(since, 0);
        assert.ok(causes.every(({unit, visit}) => unit !== j && visit === k));
        near([sum], [logOddsTerms(lane, j).logOdds - before], 1e-3);
        assert.equal(atOnce(whoChanged(lane, j, "last")).since, k - 1);
      }
  });
}

test("a row of the raster is the likelier state of the means after each visit", () => {
  for (const lane of load()) {
    const {byVisit, count, states, turns} = rasterRows(lane);
    assert.ok(byVisit);
    assert.equal(count, end(lane) + 1);
    for (const k of [0, 1, 50, end(lane)]) {
      lane.seek(k);
      const row = Array.from(states.subarray(k * lane.n_h, (k + 1) * lane.n_h));
      assert.deepEqual(row, Array.from(lane.h, Math.round));
      if (k)
        for (let j = 0; j < lane.n_h; j++)
          assert.equal(turns[k * lane.n_h + j], row[j] - states[(k - 1) * lane.n_h + j]);
    }
  }
});

/** @param {Lane} lane */
const end = (lane) => lane.n_visits;
