// The sentence about a unit: true in every case, with the numbers of the bars.
import assert from "node:assert/strict";
import {test} from "node:test";
import {signed} from "../../lrbn_viz/view/player/js/format.js";
import {emptyListWords, question, verdict} from "../../lrbn_viz/view/player/js/verdict.js";

/** @param {Partial<import("../../lrbn_viz/view/player/js/verdict.js").Facts>} facts */
function of(facts) {
  const whole = {
    unit: 28,
    layer: 0,
    layers: 1,
    factorised: false,
    prior: 0,
    evidenceSum: 75,
    aloneSum: -3,
    othersSum: -78.8,
    on: 0,
    othersOn: 3,
    decided: true,
    flipped: true,
    next: null,
    held: false,
    sampled: false,
    means: false,
    ...facts,
  };
  return {...whole, logOdds: whole.prior + whole.evidenceSum + whole.aloneSum + whole.othersSum};
}

/** @type {[string, Partial<import("../../lrbn_viz/view/player/js/verdict.js").Facts>, number[], string, string][]} */
const CASES = [
  [
    "a unit that turns off",
    {},
    [12, 40, 3],
    "Why did unit 28 turn off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it turns off.",
  ],
  [
    "more others than are named",
    {othersOn: 12, flipped: false},
    [12, 40, 3],
    "Why does unit 28 stay off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40, 3 and 9 others already draw them (others \u221278.80): it stays off.",
  ],
  [
    "one more than are named",
    {othersOn: 4, flipped: false},
    [12, 40, 3],
    "Why does unit 28 stay off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40, 3 and one other already draw them (others \u221278.80): it stays off.",
  ],
  [
    "one other",
    {othersOn: 1},
    [12],
    "Why did unit 28 turn off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and unit 12 already draws them (others \u221278.80): it turns off.",
  ],
  [
    "units with names",
    {unit: 0, unitNames: ["burglary", "earthquake"], othersOn: 1},
    [1],
    "Why did burglary turn off?",
    "The pixels support burglary (evidence +75.00), but its threshold (\u22123.00) is against it, and earthquake already draws them (others \u221278.80): it turns off.",
  ],
  [
    "others that are not named yet",
    {othersOn: 7},
    [],
    "Why did unit 28 turn off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and the 7 others that are on already draw them (others \u221278.80): it turns off.",
  ],
  [
    "explained away in part",
    {othersSum: -20, on: 1},
    [12, 40, 3],
    "Why did unit 28 turn on?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw part of them (others \u221220.00): it turns on.",
  ],
  [
    "supported against its pixels and its prior",
    {evidenceSum: 2, prior: -2, othersSum: 6, on: 1},
    [5, 6, 7],
    "Why did unit 28 turn on?",
    "The pixels support unit 28 (evidence +2.00), but its prior (\u22122.00) and its threshold (\u22123.00) are against it, yet units 5, 6 and 7 support it (others +6.00): it turns on.",
  ],
  [
    "all against it",
    {evidenceSum: -2, prior: -2, othersSum: -6},
    [5, 6, 7],
    "Why did unit 28 turn off?",
    "The pixels are against unit 28 (evidence \u22122.00), its prior (\u22122.00) and its threshold (\u22123.00) are against it, and units 5, 6 and 7 are against it as well (others \u22126.00): it turns off.",
  ],
  [
    "no other on",
    {othersSum: 0, othersOn: 0, on: 1, flipped: false},
    [],
    "Why does unit 28 stay on?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and no other unit is on: it stays on.",
  ],
  [
    "an RBM",
    {factorised: true, prior: -4, evidenceSum: 3, aloneSum: 0, othersSum: 0, othersOn: 9, flipped: false},
    [],
    "Why does unit 28 stay off?",
    "The pixels support unit 28 (evidence +3.00), but its prior (\u22124.00) is against it, and it does not depend on other units: it stays off.",
  ],
  [
    "drawn against the odds",
    {sampled: true, on: 1},
    [12, 40, 3],
    "Why did unit 28 turn on?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it turns on all the same, drawn at a temperature above 0.",
  ],
  [
    "drawn with the odds",
    {sampled: true},
    [12, 40, 3],
    "Why did unit 28 turn off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it turns off, the likelier state.",
  ],
  [
    "a state, and no decision",
    {decided: false, flipped: false},
    [12, 40, 3],
    "Why is unit 28 off?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it is off, the likelier state.",
  ],
  [
    "a state that the next visit would change",
    {decided: false, flipped: false, on: 1},
    [12, 40, 3],
    "Unit 28 is on for now",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it is on, though off is likelier.",
  ],
  [
    "the start",
    {decided: false, flipped: false, othersSum: 0, othersOn: 0, next: 1},
    [],
    "Will unit 28 turn on?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and no other unit is on: it is off, though on is likelier; visit 1 turns it on.",
  ],
  [
    "a start that stays",
    {decided: false, flipped: false, next: 0},
    [12, 40, 3],
    "Will unit 28 turn on?",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it is off, the likelier state; visit 1 leaves it off.",
  ],
  [
    "held",
    {decided: false, flipped: false, held: true, on: 1},
    [12, 40, 3],
    "Unit 28 is held on",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and units 12, 40 and 3 already draw them (others \u221278.80): it is held on; free, it would more likely be off.",
  ],
  [
    "means",
    {means: true, decided: false, flipped: false, on: 0.25},
    [],
    "Unit 28: mean 0.25",
    "The pixels support unit 28 (evidence +75.00), but its threshold (\u22123.00) is against it, and the others already draw them (others \u221278.80): its mean is 0.25.",
  ],
  [
    "a lower layer below another",
    {layers: 2, prior: -1.5, othersSum: 0, on: 1},
    [],
    "Why did unit 28 turn on?",
    "The pixels support unit 28 (evidence +75.00), but layer 2 (prior \u22121.50) and the unit's own threshold (\u22123.00) are against it, and the others that are on change nothing: it turns on.",
  ],
  [
    "an upper layer",
    {layer: 1, layers: 2, prior: 0.5},
    [210, 233, 250],
    "Why did unit 28 turn off?",
    "The units of layer 1 support unit 28 (evidence +75.00), its prior (+0.50) is for it, but its threshold (\u22123.00) is against it, and units 210, 233 and 250 already account for them (others \u221278.80): it turns off.",
  ],
  [
    "events and causes with names",
    {
      unit: 0,
      unitNames: ["burglary", "earthquake"],
      events: true,
      evidenceSum: 5,
      aloneSum: -2,
      othersSum: -2.8,
      prior: -2.2,
      othersOn: 1,
      decided: true,
    },
    [1],
    "Why did burglary turn off?",
    "The observations support burglary (evidence +5.00), but its prior (\u22122.20) and its threshold (\u22122.00) are against it, and earthquake already explains part of them (others \u22122.80): it turns off.",
  ],
  [
    "events that are no evidence for a cause",
    {
      unit: 0,
      unitNames: ["burglary", "earthquake"],
      events: true,
      evidenceSum: 0,
      aloneSum: -2,
      othersSum: -1.5,
      othersOn: 1,
    },
    [1],
    "Why did burglary turn off?",
    "The observations are no evidence for burglary, its threshold (\u22122.00) is against it, and earthquake is against it as well (others \u22121.50): it turns off.",
  ],
  [
    "pixels that say nothing",
    {evidenceSum: 0.004, aloneSum: -3, othersSum: -2},
    [1, 2, 3],
    "Why did unit 28 turn off?",
    "The pixels are no evidence for unit 28, its threshold (\u22123.00) is against it, and units 1, 2 and 3 are against it as well (others \u22122.00): it turns off.",
  ],
];

for (const [name, facts, names, asked, sentence] of CASES) {
  test(name, () => {
    assert.equal(question(of(facts)), asked);
    assert.equal(verdict(of(facts), names), sentence);
  });
}

/** @param {string} sentence */
const numbersOf = (sentence) =>
  [...sentence.matchAll(/(\w+) \((?:(\w+) )?([+\u2212][\d.]+)\)/g)].map(([, before, name, nats]) => [
    name ?? before,
    nats,
  ]);
/** @param {number} low @param {number} high */
const between = (low, high) => low + (high - low) * Math.random();

test("the sentence names the terms as the bars do, with their numbers, and leaves out those that are written as +0.00", () => {
  for (let n = 0; n < 5000; n++) {
    const size = 10 ** between(-3, 3),
      [prior, evidenceSum, aloneSum, othersSum] = [1, 2, 3, 4].map(() => between(-size, size)),
      factorised = n % 5 === 0;
    const layers = 1 + (n % 2),
      whole = of({
        layers,
        layer: n % 4 === 1 ? 1 : 0,
        prior,
        evidenceSum,
        factorised,
        aloneSum: factorised ? 0 : aloneSum,
        othersSum: factorised ? 0 : othersSum,
        othersOn: 1 + (n % 6),
        decided: n % 3 > 0,
        flipped: n % 3 > 1,
        events: n % 7 === 0,
        on: n % 2,
      });
    const bars = [
      ["evidence", whole.evidenceSum],
      ["prior", whole.prior],
      ["threshold", whole.aloneSum],
      ["others", whole.othersSum],
    ];
    const sentence = verdict(whole, [3, 5, 7].slice(0, Math.min(3, whole.othersOn)));
    assert.deepEqual(
      numbersOf(sentence),
      bars.map(([name, nats]) => [name, signed(Number(nats))]).filter(([, nats]) => nats !== "+0.00"),
      sentence,
    );
  }
});

test("an empty list of competitors or allies says what many units do together", () => {
  const facts = of({unit: 171, othersSum: -178.98, othersOn: 29});
  assert.equal(
    emptyListWords(facts, -1, [186, 187, 192]),
    "None by itself: no single unit lowers the log-odds by more than half a nat. " +
      "The units that are on explain unit 171 away together (others \u2212178.98); units 186, 187 and 192 most.",
  );
  assert.equal(
    emptyListWords(of({othersSum: 0.6}), 1, []),
    "None by itself: no single unit raises the log-odds by more than half a nat. " +
      "The units that are on support unit 28 together (others +0.60).",
  );
  for (const [nats, sign] of [
    [-178.98, 1],
    [0, -1],
    [-0.5, -1],
    [0.5, 1],
    [3, -1],
  ])
    assert.equal(emptyListWords(of({othersSum: nats}), sign, [1]), "none");
});
