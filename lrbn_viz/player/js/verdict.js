// Why a unit is on or off, in words: a question, and one sentence that answers it with numbers that sum to the log-odds.

import {signed} from "./format.js";

/**
 * @typedef {{
 *   unit: number, layer: number, layers: number, factorised: boolean, prior: number, evidenceSum: number, aloneSum: number, othersSum: number,
 *   logOdds: number, on: number, othersOn: number, decided: boolean, flipped: boolean, next: number | null, held: boolean, sampled: boolean,
 *   means: boolean, unitNames?: string[], events?: boolean,
 * }} Facts  `unitNames`: what units mean, where the model says so; `events`: whether it says what its visible units mean; `on`: the unit's state, after the decision if that is explained; `next`: its state after visit 1, at the start of a
 *   replay that begins with it; `othersOn`: how many others of its layer are on
 */

const LEAST = 0.05; // nats: what is written as 0.0 says nothing

/** @param {number} on */
const word = (on) => (on ? "on" : "off");
// Whether the log-odds are for a state.
/** @param {Facts} facts @param {number} on */
const against = ({logOdds}, on) => (on ? logOdds < -1e-6 : logOdds > 1e-6);

// "unit 12", or what it means.
/** @param {Pick<Facts, "unit" | "unitNames">} facts */
const called = ({unit, unitNames}) => unitNames?.[unit] ?? `unit ${unit}`;
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The card's title.
/** @param {Facts} facts */
export function question(facts) {
  const {on, decided, flipped, next, held, means} = facts, now = word(on), it = called(facts);
  if (means) return `${capital(it)}: mean ${on.toFixed(2)}`;
  if (decided) return flipped ? `Why did ${it} turn ${now}?` : `Why does ${it} stay ${now}?`;
  if (held) return `${capital(it)} is held ${now}`;
  if (next !== null) return `Will ${it} turn ${word(1 - on)}?`;
  return against(facts, on) ? `${capital(it)} is ${now} for now` : `Why is ${it} ${now}?`;
}

// "unit 12", "units 12, 40 and 3", "units 12, 40, 3 and 9 others"
/** @param {number[]} names @param {number} all @param {string[]} [unitNames] */
function listed(names, all, unitNames) {
  const more = all - names.length, words = [...names.map((unit) => unitNames?.[unit] ?? String(unit)), ...(more ? [more > 1 ? `${more} others` : "one other"] : [])];
  if (!names.length) return all > 1 ? `the ${all} others that are on` : "the other that is on";
  return `${unitNames ? "" : `unit${all > 1 ? "s" : ""} `}${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]}`;
}

// What the image says, what the prior adds, what the others change: each with its nats.
/** @param {Facts} facts @param {number[]} names  of others, the strongest first */
function clauses({unit, layer, layers, factorised, prior, evidenceSum, aloneSum, othersSum, othersOn, means, unitNames, events}, names) {
  const own = evidenceSum + aloneSum, it = called({unit, unitNames}), seen = !layer && events;
  const below = layer ? `The units of layer ${layer}` : seen ? "The observations" : "The pixels";
  const said = /** @type {{text: string, sign: number}[]} */ ([]);
  /** @param {string} text @param {number} nats */
  const say = (text, nats) => said.push({text: `${text} (${signed(nats, 1)})`, sign: Math.sign(nats)});
  if (Math.abs(own) < LEAST) said.push({text: `${below} say nothing of ${it}`, sign: 0});
  else say(own > 0 ? `${below} ${seen ? "speak for" : "want"} ${it}` : `${below} speak against ${it}`, own);
  if (Math.abs(prior) >= LEAST) {
    const who = layer + 1 < layers ? `layer ${layer + 2}` : factorised ? "its offset" : "its prior";
    say(`${who} ${prior > 0 ? "is for it" : "is against it"}`, prior);
  }
  if (factorised) said.push({text: layers > 1 ? "no other unit of its layer has a say" : "no other unit has a say", sign: NaN});
  else if (!othersOn) said.push({text: "no other unit is on", sign: NaN});
  else if (Math.abs(othersSum) < LEAST) said.push({text: "the others that are on change nothing", sign: NaN});
  else {
    const one = othersOn === 1 && !means, who = means ? "the others" : listed(names, othersOn, unitNames), draws = one ? "draws" : "draw";
    const them = own + prior + othersSum > 0 ? "part of them" : "them", too = own <= -LEAST ? " too" : "";
    if (othersSum > 0) say(`${who} ${one ? "supports" : "support"} it`, othersSum);
    else if (seen) say(own < LEAST ? `${who} ${one ? "speaks" : "speak"} against it${too}` : `${who} already ${one ? "explains" : "explain"} ${them}`, othersSum);
    else if (own < LEAST) say(`what ${who} ${draws} speaks against it${too}`, othersSum);
    else say(layer ? `${who} already ${one ? "accounts" : "account"} for ${them}` : `what ${who} already ${draws} covers ${them}`, othersSum);
  }
  return said;
}

/** @param {Facts} facts */
function outcome(facts) {
  const {on, decided, flipped, next, held, sampled, means, logOdds} = facts, now = word(on), unlikely = against(facts, on);
  if (means) return `its mean is ${on.toFixed(2)}`;
  if (decided) {
    const verb = `it ${flipped ? "turns" : "stays"} ${now}`;
    if (sampled && unlikely) return `${verb} all the same, drawn at a temperature above 0`;
    return sampled ? `${verb}, the likelier state` : verb;
  }
  if (held) return `it is held ${now}; free, it would more likely be ${word(logOdds > 0 ? 1 : 0)}`;
  const still = unlikely ? `it is ${now}, though ${word(1 - on)} is likelier` : `it is ${now}, the likelier state`;
  return next === null ? still : `${still}; visit 1 ${next === on ? "leaves" : "turns"} it ${word(next)}`;
}

// One sentence. `names`: those of the others that did most of what they all did; none while that is not known.
/** @param {Facts} facts @param {number[]} [names] */
export function verdict(facts, names = []) {
  const said = clauses(facts, names);
  let text = said[0].text, {sign} = said[0];
  said.slice(1).forEach((clause, n) => {
    const last = n === said.length - 2, but = clause.sign * sign < 0;
    text += `${but ? ", but" : last ? ", and" : ","} ${clause.text}`;
    if (clause.sign) sign = clause.sign;
  });
  return `${text}: ${outcome(facts)}.`;
}
