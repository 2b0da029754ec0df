// The unit that is explained, the terms of its log-odds, and the facts on which sentences about them depend: the same for all
// cards that tell of a decision.

import {logOddsTerms} from "./logodds.js";
import {variablesOf} from "./names.js";
import {askedOf} from "./who.js";

const NAMED = 3; // other units that a sentence names, at most

// The selected unit, else the one just visited in the selected lane (at the start, the first).
/** @param {Player} player */
export function subjectOf({selected: {lane: index, unit}, cards}) {
  const {lane} = cards[index];
  if (unit >= 0) return {index, j: unit, lane};
  return {index, j: lane.k > 0 ? Math.max(0, lane.currentUnit) : lane.n_visits ? lane.unit[0] : 0, lane};
}

// The terms of unit j at the cursor: those of the visit just made, if it was to the unit, else in the state at the cursor.
/** @param {Lane} lane @param {number} j */
export function termsAt(lane, j) {
  const {decided, now} = askedOf(lane, j);
  // before a visit's decision only its own unit had another state, which changes no term
  const state = decided && lane.meta.at_once ? lane.earlier(now) : lane,
    seen = logOddsTerms(state, j),
    terms = decided ? lane.decision(seen, lane.k) : lane.exactly(seen, now);
  return {decided, now, state, terms, facts: factsOf(lane, state.h, terms, decided)};
}

/** @param {Lane} lane @param {States} h @param {LogOddsTerms} terms @param {boolean} decided @returns {import("./verdict.js").Facts} */
function factsOf(lane, h, terms, decided) {
  const {model, meta} = lane,
    {unit: j} = terms,
    {first, n_h, layer} = lane.layerOf(j),
    on = lane.h[j];
  const begins = lane.k === 0 && lane.n_visits > 0 && lane.unit[0] === j && !meta.means;
  let othersOn = 0;
  for (let u = first; u < first + n_h; u++) if (u !== j && h[u]) othersOn++;
  return {
    ...terms,
    layer,
    layers: model.layers.length,
    factorised: lane.summed && (lane.whole || layer > 0),
    summed: lane.summed,
    on,
    othersOn,
    decided,
    flipped: decided && lane.flippedNow,
    next: begins ? lane.after[0] : null,
    held: lane.held.has(j),
    sampled: meta.sampled,
    means: meta.means,
    unitNames: model.names,
    events: Boolean(variablesOf(model)),
  };
}

// The others whose effect has the sign of all others together, the strongest first: a sentence names them.
/** @param {import("./who.js").Cause[]} causes  with all others off @param {number} othersSum */
export const namedCauses = (causes, othersSum) =>
  causes
    .filter(({nats}) => nats * othersSum > 0)
    .sort((one, other) => Math.abs(other.nats) - Math.abs(one.nats))
    .slice(0, NAMED)
    .map(({unit}) => unit);
