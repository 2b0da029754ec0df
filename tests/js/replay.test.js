// A lane's replay says at every visit what the engine's trace says, in whatever order visits are asked for.
import assert from "node:assert/strict";
import {describe, test} from "node:test";
import {decodeModels} from "../../lrbn_viz/view/player/js/decode.js";
import {signed} from "../../lrbn_viz/view/player/js/format.js";
import {Interactions} from "../../lrbn_viz/view/player/js/interactions.js";
import {logOddsTerms} from "../../lrbn_viz/view/player/js/logodds.js";
import {atOnce} from "../../lrbn_viz/view/player/js/pieces.js";
import {rasterRows} from "../../lrbn_viz/view/player/js/raster_rows.js";
import {decodeTrace, lowerBound} from "../../lrbn_viz/view/player/js/replay.js";
import {whoChanged} from "../../lrbn_viz/view/player/js/who.js";
import {block, expected, near} from "./blocks.js";

// What the card, its sentence and the transport write of the prior, the evidence, alone, the others and the log-odds.
/** @param {number[]} sums */
const writtenSums = ([prior, evidence, alone, others, logOdds]) => [
  ...[prior, evidence, alone, others, logOdds].map((value) => signed(value)),
  ...[prior, evidence + alone, others].map((value) => signed(value, 1)),
];
/** @param {LogOddsTerms} terms */
const written = (terms) =>
  writtenSums([terms.prior, terms.evidenceSum, terms.aloneSum, terms.othersSum, terms.logOdds]);
const load = () => decodeTrace(block("trace.bin"), decodeModels(block("models.bin")));

test("a trace of a model that was not sent is refused by name", () => {
  assert.throws(() => decodeTrace(block("trace.bin"), new Map()), /needs model lrbn/);
});

test("the trace is as long as its longest lane, and begins where Python says", () => {
  const {meta, lanes, n_visits} = load();
  assert.equal(meta.cursor, 3);
  assert.equal(
    n_visits,
    Math.max(...expected.lanes.map((/** @type {{unit: number[]}} */ lane) => lane.unit.length)),
  );
  assert.deepEqual(
    lanes.map((lane) => lane.meta.title),
    [
      "LRBN",
      "RBM",
      "GAUSSIAN",
      "DEEP",
      "SAME",
      "LEARNED",
      "NOISY_OR",
      "PARALLEL",
      "GIBBS",
      "ANNEALED",
      "DEEP_GIBBS",
      "LRBN_IN_PART",
      "RBM_IN_PART",
      "GAUSSIAN_IN_PART",
      "DEEP_IN_PART",
      "LEARNED_IN_PART",
    ],
  );
  assert.ok(lanes.every((lane) => lane.meta.optimum === -1.5));
});

test("weights that two models share come once, and units bear the names that their model gives them", () => {
  const models = decodeModels(block("models.bin")),
    same = models.get("same"),
    lrbn = models.get("lrbn");
  assert.equal(same?.W.buffer, lrbn?.W.buffer);
  assert.ok(same?.factorised && !lrbn?.factorised);
  const {lanes} = load();
  assert.equal(lanes[4].nameOf(3), "cause 3");
  assert.equal(lanes[0].nameOf(3), "unit 3");
  assert.equal(lanes[3].nameOf(9), "unit 9 (layer 2)");
  assert.equal(lanes[0].howInWords, "by ICM, from a state, seed 7");
  assert.deepEqual(Array.from(lanes[4].held), [[2, 1]]);
});

for (const [index, kind] of [
  "lrbn",
  "rbm",
  "gaussian",
  "deep",
  "same",
  "learned",
  "noisy_or",
  "parallel",
  "gibbs",
  "annealed",
  "deep_gibbs",
  "lrbn_in_part",
  "rbm_in_part",
  "gaussian_in_part",
  "deep_in_part",
  "learned_in_part",
].entries()) {
  describe(kind, () => {
    const wanted = expected.lanes[index],
      end = wanted.unit.length;

    test("states, figures and flips are the engine's, forwards, backwards and by leaps", () => {
      const lane = load().lanes[index],
        ways = Array.from({length: end + 1}, (_, k) => k);
      for (const k of [...ways, ...ways.toReversed(), ...ways.map((k) => (k * 7) % (end + 1)), -5, end + 9]) {
        const at = Math.max(0, Math.min(end, k));
        lane.seek(k);
        assert.deepEqual(Array.from(lane.h), wanted.latents[at], `latents after visit ${k}`);
        assert.equal(lane.logJointNow, wanted.log_joint[at]);
        near([lane.wrongNow], [wanted.wrong[at]], 1e-6 * (1 + wanted.wrong[at]));
        assert.equal(lane.currentUnit, at ? wanted.unit[at - 1] : -1);
        assert.equal(lane.flippedNow, at > 0 && wanted.flips.includes(at - 1));
      }
      assert.deepEqual(lane.flips, wanted.flips);
      assert.deepEqual(
        lane.offs,
        wanted.flips.filter((/** @type {number} */ k) => !wanted.latents[k + 1][wanted.unit[k]]),
      );
    });

    test("means of the pixels are the reconstruction", () => {
      const lane = load().lanes[index];
      wanted.some.forEach((/** @type {number} */ k, /** @type {number} */ n) => {
        lane.seek(k);
        near(
          Array.from({length: lane.n_v}, (_, i) => lane.mean(i)),
          wanted.reconstructions[n],
          1e-6,
        );
      });
    });

    test("log-odds, their terms and the pairs are those of the engine", () => {
      const lane = load().lanes[index];
      wanted.some.forEach((/** @type {number} */ k, /** @type {number} */ n) => {
        lane.seek(k);
        const pairs = new Interactions(lane);
        for (let j = 0; j < lane.n_h; j++) {
          const terms = logOddsTerms(lane, j);
          near([terms.logOdds], [wanted.logits[n][j]], 1e-9);
          near([terms.prior], wanted.terms.prior[n][j], 1e-9);
          for (const name of /** @type {const} */ (["evidence", "alone", "others"]))
            near(terms[name], wanted.terms[name][n][j], 1e-9);
          near(pairs.row(j), wanted.interactions[n][j], 1e-4);
        }
      });
    });

    test("the state on which a visit decided is found, and its log-odds are the trace's", () => {
      const lane = load().lanes[index];
      for (let k = 1; k <= end; k++) {
        lane.seek(k);
        assert.equal(lane.decidedOn(k), wanted.decided_on[k - 1]);
        const state = lane.earlier(lane.decidedOn(k));
        assert.deepEqual(Array.from(state.h), wanted.latents[wanted.decided_on[k - 1]]);
        near([logOddsTerms(state, lane.unit[k - 1]).logOdds], [wanted.log_odds[k - 1]], 1e-9);
      }
    });

    test("who changed the log-odds is the engine's, flip by flip, and the flips sum to the change", () => {
      const lane = load().lanes[index];
      for (const {unit, k, reference, decided, since, before, after, causes} of wanted.changes) {
        lane.seek(k);
        const found = atOnce(whoChanged(lane, unit, reference));
        assert.equal(found.decided, decided);
        near([found.sum], [after - before], 1e-9);
        if (lane.independent) {
          assert.equal(found.sum, 0);
          continue;
        }
        assert.equal(found.since, since);
        assert.deepEqual(
          found.causes.map((cause) => [cause.visit, cause.unit, cause.after]),
          causes.map((/** @type {number[]} */ cause) => cause.slice(0, 3)),
        );
        near(
          found.causes.map(({nats}) => nats),
          causes.map((/** @type {number[]} */ cause) => cause[3]),
          1e-9,
        );
      }
    });

    test("where weights are rounded, terms and who changed them are the engine's all the same", () => {
      const lane = decodeTrace(block("rounded_trace.bin"), decodeModels(block("rounded_models.bin"))).lanes[
          index
        ],
        {terms: told} = wanted;
      let off = 0;
      wanted.some.forEach((/** @type {number} */ k, /** @type {number} */ n) => {
        lane.seek(k);
        for (let j = 0; j < lane.n_h; j++) {
          const rounded = logOddsTerms(lane, j),
            terms = lane.exactly(rounded, k);
          off = Math.max(off, Math.abs(rounded.logOdds - wanted.logits[n][j]));
          near([terms.logOdds], [wanted.logits[n][j]], 6e-6);
          near([terms.prior], told.prior[n][j], 1e-9);
          /** @param {"evidence" | "alone" | "others"} name */
          const sum = (name) =>
            told[name][n][j].reduce(
              (/** @type {number} */ all, /** @type {number} */ value) => all + value,
              0,
            );
          near(
            [terms.evidenceSum, terms.aloneSum, terms.othersSum],
            [sum("evidence"), sum("alone"), sum("others")],
            6e-6,
          );
        }
      });
      assert.ok(off > 0.1, "weights so coarse give other numbers");
      for (const {unit, k, reference, before, after, causes} of wanted.changes) {
        lane.seek(k);
        const found = atOnce(whoChanged(lane, unit, reference));
        assert.equal(found.about, !lane.independent && reference === "off");
        if (found.about || lane.independent) continue;
        near([found.sum], [after - before], 2e-5);
        near(
          found.causes.map(({nats}) => nats),
          causes.map((/** @type {number[]} */ cause) => cause[3]),
          2e-5,
        );
      }
    });

    for (const packed of ["rounded_trace.bin", "rounded_decided.bin"]) {
      test(`where weights are rounded, each decision is written as the engine's, digit by digit: ${packed}`, () => {
        const lane = decodeTrace(block(packed), decodeModels(block("rounded_models.bin"))).lanes[index];
        let otherwise = 0;
        for (let k = 1; k <= end; k++) {
          lane.seek(k);
          const rounded = logOddsTerms(lane.earlier(lane.decidedOn(k)), lane.unit[k - 1]);
          const wanted_ = wanted.decisions[k - 1],
            found = written(lane.decision(rounded, k));
          assert.deepEqual(found, writtenSums(wanted_), `visit ${k}`);
          assert.equal(signed(lane.logOdds[k - 1]), signed(wanted_[4]), `the transport at visit ${k}`);
          if (written(rounded).join() !== found.join()) otherwise++;
        }
        assert.ok(otherwise > end / 3, "weights so coarse give other numbers");
      });
    }

    test("where only decisions are told, terms of other units and who changed them are off by no more than is said", () => {
      const lane = decodeTrace(block("rounded_decided.bin"), decodeModels(block("rounded_models.bin"))).lanes[
          index
        ],
        {off = NaN} = lane.meta;
      let most = 0;
      for (const {k, terms} of wanted.states) {
        lane.seek(k);
        terms.forEach((/** @type {number[]} */ exact, /** @type {number} */ j) => {
          const found = lane.exactly(logOddsTerms(lane, j), k);
          [found.prior, found.evidenceSum, found.aloneSum, found.othersSum, found.logOdds].forEach(
            (value, n) => {
              most = Math.max(most, Math.abs(value - exact[n]));
            },
          );
        });
      }
      assert.ok(most <= off + 1e-6, `${most} nats off, where at most ${off} was said`);
      assert.equal(lane.tellsAll, lane.independent);
      if (lane.independent) assert.ok(most < 1e-9 && off === 0);
      else assert.ok(most > 0.1 && off <= 2 * most + 1e-6, `${most} nats off, where at most ${off} was said`);
      for (const {unit, k, reference, before, after, causes} of wanted.changes) {
        lane.seek(k);
        const found = atOnce(whoChanged(lane, unit, reference));
        assert.equal(found.about, !lane.independent);
        if (lane.independent || reference === "off") continue;
        near([found.sum], [after - before], off + 1e-6);
        near(
          found.causes.map(({nats}) => nats),
          causes.map((/** @type {number[]} */ cause) => cause[3]),
          off + 1e-6,
        );
      }
    });

    test("conditionals are those of each unit's newest visit", () => {
      const lane = load().lanes[index],
        newest = new Map();
      for (let k = 0; k <= end; k++) {
        lane.seek(k);
        if (k) newest.set(wanted.unit[k - 1], wanted.log_odds[k - 1]);
        for (let j = 0; j < lane.n_h; j++) {
          const p = lane.conditional(j);
          if (newest.has(j)) near([Number(p)], [1 / (1 + Math.exp(-newest.get(j)))], 1e-6);
          else assert.equal(p, null);
        }
      }
    });

    test("rows of the raster are states of the trace", () => {
      const lane = load().lanes[index],
        {ends, states, count} = rasterRows(lane);
      assert.equal(ends[count - 1], end);
      ends.forEach((k, r) =>
        assert.deepEqual(Array.from(states.subarray(r * lane.n_h, (r + 1) * lane.n_h)), wanted.latents[k]),
      );
    });
  });
}

test("lowerBound finds the first place that is not before a value", () => {
  const list = [1, 3, 3, 8];
  assert.deepEqual(
    [0, 1, 2, 3, 4, 8, 9].map((value) => lowerBound(list, value)),
    [0, 0, 1, 1, 3, 3, 4],
  );
  assert.equal(lowerBound([], 5), 0);
});

test("latents that are means are replayed as numbers, forwards, backwards and by leaps, and said as such", () => {
  const {
      lanes: [lane],
      n_visits: end,
    } = decodeTrace(block("means.bin"), decodeModels(block("means_models.bin"))),
    wanted = expected.means;
  assert.equal(lane.meta.means, true);
  const ways = Array.from({length: end + 1}, (_, k) => k);
  for (const k of [...ways, ...ways.toReversed(), ...ways.map((k) => (k * 7) % (end + 1))]) {
    lane.seek(k);
    near(Array.from(lane.h), wanted.latents[k], 1e-6);
    assert.equal(lane.wrongNow, wanted.wrong[k]);
  }
  lane.seek(end);
  near(
    Array.from({length: lane.n_v}, (_, i) => lane.mean(i)),
    wanted.reconstruction,
    1e-4,
  );
  assert.equal(lane.stateOf(0), `mean ${wanted.latents[end][0].toFixed(2)}`);
  assert.match(lane.onInWords, /^mean [0-9.]+ of \d+ on$/);
});

test("units of a deep Boltzmann machine hear the layers beside their own, and no unit of their own", () => {
  const {
      lanes: [lane],
      n_visits: end,
    } = decodeTrace(block("dbm.bin"), decodeModels(block("dbm_models.bin"))),
    wanted = expected.dbm;
  lane.seek(end);
  near(Array.from(lane.h), wanted.latents, 1e-6);
  const pairs = new Interactions(lane);
  for (let j = 0; j < lane.n_h; j++) {
    const {prior, evidenceSum, aloneSum, othersSum, logOdds} = logOddsTerms(lane, j);
    near([prior, evidenceSum, logOdds], [wanted.prior[j], wanted.evidence[j], wanted.log_odds[j]], 1e-4);
    assert.deepEqual([aloneSum, othersSum], [0, 0]);
    near(pairs.row(j), wanted.interactions[j], 1e-5);
  }
  const {causes, sum} = atOnce(whoChanged(lane, 0, "start")),
    first = lane.model.layers[1].first;
  assert.ok(causes.length > 0 && causes.every(({unit}) => unit >= first), "only the upper layer changed it");
  lane.seek(0);
  const before = logOddsTerms(lane, 0).logOdds;
  near([sum], [wanted.log_odds[0] - before], 1e-3);
  lane.seek(end);
  assert.deepEqual(atOnce(whoChanged(lane, 0, "off")).causes, []);
});
