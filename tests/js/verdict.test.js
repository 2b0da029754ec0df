// The sentence about a unit: true in every case, with numbers that sum to the log-odds.
import assert from "node:assert/strict";
import {test} from "node:test";
import {question, verdict} from "../../lrbn_viz/player/js/verdict.js";

/** @param {Partial<import("../../lrbn_viz/player/js/verdict.js").Facts>} facts */
function of(facts) {
  const whole = {
    unit: 28, layer: 0, layers: 1, factorised: false, prior: 0, evidenceSum: 75, aloneSum: -3, othersSum: -78.8, on: 0, othersOn: 3, decided: true,
    flipped: true, next: null, held: false, sampled: false, means: false, ...facts,
  };
  return {...whole, logOdds: whole.prior + whole.evidenceSum + whole.aloneSum + whole.othersSum};
}

/** @type {[string, Partial<import("../../lrbn_viz/player/js/verdict.js").Facts>, number[], string, string][]} */
const CASES = [
  ["a unit that turns off", {}, [12, 40, 3], "Why did unit 28 turn off?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it turns off."],
  ["more others than are named", {othersOn: 12, flipped: false}, [12, 40, 3], "Why does unit 28 stay off?",
    "The pixels want unit 28 (+72.0), but what units 12, 40, 3 and 9 others already draw covers them (\u221278.8): it stays off."],
  ["one more than are named", {othersOn: 4, flipped: false}, [12, 40, 3], "Why does unit 28 stay off?",
    "The pixels want unit 28 (+72.0), but what units 12, 40, 3 and one other already draw covers them (\u221278.8): it stays off."],
  ["one other", {othersOn: 1}, [12], "Why did unit 28 turn off?",
    "The pixels want unit 28 (+72.0), but what unit 12 already draws covers them (\u221278.8): it turns off."],
  ["units with names", {unit: 0, unitNames: ["burglary", "earthquake"], othersOn: 1}, [1], "Why did burglary turn off?",
    "The pixels want burglary (+72.0), but what earthquake already draws covers them (\u221278.8): it turns off."],
  ["others that are not named yet", {othersOn: 7}, [], "Why did unit 28 turn off?",
    "The pixels want unit 28 (+72.0), but what the 7 others that are on already draw covers them (\u221278.8): it turns off."],
  ["explained away in part", {othersSum: -20, on: 1}, [12, 40, 3], "Why did unit 28 turn on?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers part of them (\u221220.0): it turns on."],
  ["supported against its pixels and its prior", {evidenceSum: 2, prior: -2, othersSum: 6, on: 1}, [5, 6, 7], "Why did unit 28 turn on?",
    "The pixels speak against unit 28 (\u22121.0), its prior is against it (\u22122.0), but units 5, 6 and 7 support it (+6.0): it turns on."],
  ["all against it", {evidenceSum: -2, prior: -2, othersSum: -6}, [5, 6, 7], "Why did unit 28 turn off?",
    "The pixels speak against unit 28 (\u22125.0), its prior is against it (\u22122.0), and what units 5, 6 and 7 draw speaks against it too (\u22126.0): it turns off."],
  ["no other on", {othersSum: 0, othersOn: 0, on: 1, flipped: false}, [], "Why does unit 28 stay on?",
    "The pixels want unit 28 (+72.0), and no other unit is on: it stays on."],
  ["an RBM", {factorised: true, prior: -4, evidenceSum: 3, aloneSum: 0, othersSum: 0, othersOn: 9, flipped: false}, [], "Why does unit 28 stay off?",
    "The pixels want unit 28 (+3.0), but its offset is against it (\u22124.0), and no other unit has a say: it stays off."],
  ["drawn against the odds", {sampled: true, on: 1}, [12, 40, 3], "Why did unit 28 turn on?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it turns on all the same, drawn at a temperature above 0."],
  ["drawn with the odds", {sampled: true}, [12, 40, 3], "Why did unit 28 turn off?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it turns off, the likelier state."],
  ["a state, and no decision", {decided: false, flipped: false}, [12, 40, 3], "Why is unit 28 off?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it is off, the likelier state."],
  ["a state that the next visit would change", {decided: false, flipped: false, on: 1}, [12, 40, 3], "Unit 28 is on for now",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it is on, though off is likelier."],
  ["the start", {decided: false, flipped: false, othersSum: 0, othersOn: 0, next: 1}, [], "Will unit 28 turn on?",
    "The pixels want unit 28 (+72.0), and no other unit is on: it is off, though on is likelier; visit 1 turns it on."],
  ["a start that stays", {decided: false, flipped: false, next: 0}, [12, 40, 3], "Will unit 28 turn on?",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it is off, the likelier state; visit 1 leaves it off."],
  ["held", {decided: false, flipped: false, held: true, on: 1}, [12, 40, 3], "Unit 28 is held on",
    "The pixels want unit 28 (+72.0), but what units 12, 40 and 3 already draw covers them (\u221278.8): it is held on; free, it would more likely be off."],
  ["means", {means: true, decided: false, flipped: false, on: 0.25}, [], "Unit 28: mean 0.25",
    "The pixels want unit 28 (+72.0), but what the others already draw covers them (\u221278.8): its mean is 0.25."],
  ["a lower layer below another", {layers: 2, prior: -1.5, othersSum: 0, on: 1}, [], "Why did unit 28 turn on?",
    "The pixels want unit 28 (+72.0), but layer 2 is against it (\u22121.5), and the others that are on change nothing: it turns on."],
  ["an upper layer", {layer: 1, layers: 2, prior: 0.5}, [210, 233, 250], "Why did unit 28 turn off?",
    "The units of layer 1 want unit 28 (+72.0), its prior is for it (+0.5), but units 210, 233 and 250 already account for them (\u221278.8): it turns off."],
  ["events and causes with names", {unit: 0, unitNames: ["burglary", "earthquake"], events: true, evidenceSum: 5, aloneSum: -2, othersSum: -2.8, prior: -2.2, othersOn: 1, decided: true}, [1],
    "Why did burglary turn off?",
    "The observations speak for burglary (+3.0), but its prior is against it (\u22122.2), and earthquake already explains them (\u22122.8): it turns off."],
  ["an event that speaks against a cause", {unit: 0, unitNames: ["burglary", "earthquake"], events: true, evidenceSum: 0, aloneSum: -2, othersSum: -1.5, othersOn: 1}, [1],
    "Why did burglary turn off?", "The observations speak against burglary (\u22122.0), and earthquake speaks against it too (\u22121.5): it turns off."],
  ["pixels that say nothing", {evidenceSum: 3, aloneSum: -3, othersSum: -2}, [1, 2, 3], "Why did unit 28 turn off?",
    "The pixels say nothing of unit 28, and what units 1, 2 and 3 draw speaks against it (\u22122.0): it turns off."],
];

for (const [name, facts, names, asked, sentence] of CASES) {
  test(name, () => {
    assert.equal(question(of(facts)), asked);
    assert.equal(verdict(of(facts), names), sentence);
  });
}

test("the numbers of the sentence sum to the log-odds", () => {
  for (const [, facts, names] of CASES) {
    const whole = of(facts), numbers = verdict(whole, names).match(/\([+\u2212][\d.]+\)/g) ?? [];
    const sum = numbers.reduce((all, text) => all + Number(text.slice(1, -1).replace("\u2212", "-")), 0);
    assert.ok(Math.abs(sum - whole.logOdds) < 0.05 * 3, `${sum} of ${whole.logOdds}`);
  }
});
