// Explanation of a unit's state in words: a question, and one sentence that answers it. Names and numbers of terms are those
// of the bars; a term that rounds to +0.00 is left out.

import {capital, isZero, signed} from "./format.js";
import {termName} from "./glossary.js";
import {COMPETE} from "./interactions.js";
import {shortUnitName, unitName} from "./names.js";

/**
 * @typedef {{
 *   unit: number, layer: number, layers: number, factorised: boolean, prior: number, evidenceSum: number, aloneSum: number, othersSum: number,
 *   logOdds: number, on: number, othersOn: number, decided: boolean, flipped: boolean, next: number | null, held: boolean, sampled: boolean,
 *   means: boolean, unitNames?: string[], events?: boolean, summed?: boolean,
 * }} Facts  `summed`: whether others matter by way of pixels that are not known, as in an undirected model; `unitNames`: what units mean, where the model says so; `events`: whether its visible units are named variables and no pixels; `on`: the unit's state, after the decision if that is explained; `next`: its state after visit 1, at the start of a
 *   replay that begins with it; `othersOn`: how many others of its layer are on
 */

/** @param {number} on */
const word = (on) => (on ? "on" : "off");
// Whether the log-odds are against a state.
/** @param {Facts} facts @param {number} on */
const against = ({logOdds}, on) => (on ? logOdds < -1e-6 : logOdds > 1e-6);

// "unit 12", or its name.
/** @param {Pick<Facts, "unit" | "unitNames">} facts */
const called = ({unit, unitNames}) => unitName({names: unitNames}, unit);

// The card's title.
/** @param {Facts} facts */
export function question(facts) {
  const {on, decided, flipped, next, held, means} = facts,
    now = word(on),
    it = called(facts);
  if (means) return `${capital(it)}: mean ${on.toFixed(2)}`;
  if (decided) return flipped ? `Why did ${it} turn ${now}?` : `Why does ${it} stay ${now}?`;
  if (held) return `${capital(it)} is held ${now}`;
  if (next !== null) return `Will ${it} turn ${word(1 - on)}?`;
  return against(facts, on) ? `${capital(it)} is ${now} for now` : `Why is ${it} ${now}?`;
}

// "unit 12", "units 12, 40 and 3", "units 12, 40, 3 and 9 others"
/** @param {number[]} names @param {number} all @param {string[]} [unitNames] */
function listed(names, all, unitNames) {
  const more = all - names.length,
    words = [
      ...names.map((unit) => shortUnitName({names: unitNames}, unit)),
      ...(more ? [more > 1 ? `${more} others` : "one other"] : []),
    ];
  if (!names.length) return all > 1 ? `the ${all} others that are on` : "the other that is on";
  return `${unitNames ? "" : `unit${all > 1 ? "s" : ""} `}${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]}`;
}

// The terms for and against the unit, each with its nats; `sign` is the term's, 0 if it is left out.
/** @param {Facts} facts @param {number[]} names  of others, the strongest first @returns {{text: string, sign: number}[]} */
function clauses(facts, names) {
  const evidence = evidenceClause(facts),
    own = ownClauses(facts);
  return [evidence, ...own, othersClause(facts, names, (own.at(-1) ?? evidence).sign < 0)];
}

/** @param {Facts} facts */
function evidenceClause({unit, layer, evidenceSum, unitNames, events}) {
  const it = called({unit, unitNames}),
    below = layer ? `The units of layer ${layer}` : events ? "The observations" : "The pixels";
  if (isZero(evidenceSum)) return {text: `${below} are no evidence for ${it}`, sign: 0};
  return {
    text: `${below} ${evidenceSum > 0 ? "support" : "are against"} ${it} (${termName("evidence")} ${signed(evidenceSum)})`,
    sign: Math.sign(evidenceSum),
  };
}

// The prior and the threshold, in one clause if both are for the unit or both against it.
/** @param {Facts} facts */
function ownClauses({layer, layers, prior, aloneSum}) {
  const above = layer + 1 < layers,
    given = /** @type {[string, number][]} */ ([
      [
        above
          ? `layer ${layer + 2} (${termName("prior")} ${signed(prior)})`
          : `its ${termName("prior")} (${signed(prior)})`,
        prior,
      ],
      [`${above ? "the unit's own" : "its"} ${termName("alone")} (${signed(aloneSum)})`, aloneSum],
    ]).filter(([, nats]) => !isZero(nats));
  /** @param {[string, number][]} terms */
  const clause = (terms) => {
    const sign = Math.sign(terms[0][1]);
    return {
      text: `${terms.map(([text]) => text).join(" and ")} ${terms.length > 1 ? "are" : "is"} ${sign > 0 ? "for" : "against"} it`,
      sign,
    };
  };
  if (given.length === 2 && given[0][1] * given[1][1] < 0) return given.map((term) => clause([term]));
  return given.length ? [clause(given)] : [];
}

/** @param {Facts} facts @param {number[]} names @param {boolean} againstIt  the term before is against the unit */
function othersClause(
  {layer, layers, factorised, evidenceSum, aloneSum, othersSum, othersOn, means, unitNames, events, summed},
  names,
  againstIt,
) {
  if (factorised)
    return {text: `it does not depend on other units${layers > 1 ? " of its layer" : ""}`, sign: NaN};
  if (!othersOn) return {text: "no other unit is on", sign: NaN};
  if (isZero(othersSum)) return {text: "the others that are on change nothing", sign: NaN};
  const one = othersOn === 1 && !means,
    who = means ? "the others" : listed(names, othersOn, unitNames),
    draws = one ? "draws" : "draw";
  const them = evidenceSum + aloneSum + othersSum > 0 ? "part of them" : "them",
    seen = !layer && events;
  const wanted = evidenceSum > 0 && !isZero(evidenceSum),
    nats = `(${termName("others")} ${signed(othersSum)})`,
    sign = Math.sign(othersSum);
  if (summed)
    return {
      text: `${who} ${sign > 0 ? (one ? "supports" : "support") : one ? "is against" : "are against"} it by way of ${events ? "what is not observed" : "the pixels that are not known"} ${nats}`,
      sign,
    };
  if (othersSum > 0) return {text: `${who} ${one ? "supports" : "support"} it ${nats}`, sign};
  if (!wanted)
    return {text: `${who} ${one ? "is" : "are"} against it${againstIt ? " as well" : ""} ${nats}`, sign};
  const already = seen
    ? one
      ? "explains"
      : "explain"
    : layer
      ? `${one ? "accounts" : "account"} for`
      : draws;
  return {text: `${who} already ${already} ${them} ${nats}`, sign};
}

/** @param {Facts} facts */
function outcome(facts) {
  const {on, decided, flipped, next, held, sampled, means, logOdds} = facts,
    now = word(on),
    unlikely = against(facts, on);
  if (means) return `its mean is ${on.toFixed(2)}`;
  if (decided) {
    const verb = `it ${flipped ? "turns" : "stays"} ${now}`;
    if (sampled && unlikely) return `${verb} all the same, drawn at a temperature above 0`;
    return sampled ? `${verb}, the likelier state` : verb;
  }
  if (held) return `it is held ${now}; free, it would more likely be ${word(logOdds > 0 ? 1 : 0)}`;
  const still = unlikely
    ? `it is ${now}, though ${word(1 - on)} is likelier`
    : `it is ${now}, the likelier state`;
  return next === null ? still : `${still}; visit 1 ${next === on ? "leaves" : "turns"} it ${word(next)}`;
}

// One sentence. `names`: the other units with the largest effects; empty if they are not known yet.
/** @param {Facts} facts @param {number[]} [names] */
export function verdict(facts, names = []) {
  const said = clauses(facts, names);
  let text = said[0].text,
    {sign} = said[0],
    turns = 0;
  said.slice(1).forEach((clause, n) => {
    const last = n === said.length - 2,
      but = clause.sign * sign < 0 && (turns++ % 2 ? "yet" : "but");
    text += `, ${but || (last ? "and" : "")}`.trimEnd() + ` ${clause.text}`;
    if (clause.sign) sign = clause.sign;
  });
  return `${text}: ${outcome(facts)}.`;
}

// Below an empty list of competitors (`sign` -1) or allies (1): many units may have an effect together.
/** @param {Facts} facts @param {number} sign @param {number[]} names  of the others that did most */
export function emptyListWords(facts, sign, names) {
  const {othersSum, unitNames, summed} = facts;
  if (sign * othersSum <= COMPETE) return "none";
  const against = summed ? `are against ${called(facts)}` : `explain ${called(facts)} away`,
    does = sign < 0 ? against : `support ${called(facts)}`,
    most = names.length ? `; ${listed(names, names.length, unitNames)} most` : "";
  return (
    `None by itself: no single unit ${sign < 0 ? "lowers" : "raises"} the log-odds by more than half a nat. ` +
    `The units that are on ${does} together (${termName("others")} ${signed(othersSum)})${most}.`
  );
}
