// The causes of a change in a unit's log-odds since an earlier state: the flips of other units, each with its effect in nats
// in the state after the flips before it, so that they sum to the change. measure/explanation.py computes the same.

import {layerAt} from "./decode.js";
import choices from "../choices.json" with {type: "json"};
import {lowerBound} from "./replay.js";
import {UNITS} from "./units.js";

/** @type {Record<string, string>} */
export const REFERENCES = choices.references;

// The explained log-odds of unit j at the cursor: those of the visit just made, if it was to the unit, else those of the
// state at the cursor. `now`: visits made in that state.
/** @param {Lane} lane @param {number} j */
export function askedOf(lane, j) {
  const decided = lane.k > 0 && !lane.meta.means && lane.currentUnit === j;
  return {decided, now: decided ? lane.decidedOn(lane.k) : lane.k};
}

/** @typedef {{visit: number, unit: number, after: number, nats: number}} Cause  visit 0: on since the start */
/** @typedef {{decided: boolean, now: number, since: number, first: boolean, about: boolean, sum: number, causes: Cause[]}} Change  since -1: all others off; first: the unit had not decided before; about: by rounded weights */

// `rest` are the activations of the unit's layer without the unit's own contribution.
class Walk {
  /** @param {Layer} layer @param {number} j @param {ArrayLike<number>} x  below the layer @param {Float64Array} rest @param {boolean} summed  by pixels that are summed out */
  constructor(layer, j, x, rest, summed) {
    this.layer = layer;
    this.summed = summed;
    this.x = x;
    this.at = (j - layer.first) * layer.n_v;
    this.rest = rest;
    this.value = this.explained();
  }

  // The terms of the log-odds that depend on the other units, with their sign.
  explained() {
    const {
      x,
      rest,
      at,
      summed,
      layer: {W, n_v, visible, precision},
    } = this;
    const {byOthers, raise} = UNITS[visible];
    let sum = 0;
    for (let i = 0; i < n_v; i++)
      if (Number.isNaN(x[i]) === summed)
        sum += summed
          ? raise(rest[i], W[at + i]) * (precision?.[i] ?? 1)
          : byOthers(x[i], rest[i], W[at + i]);
    return sum;
  }

  // The effect in nats of changing a unit of the layer.
  /** @param {number} unit @param {number} change */
  change(unit, change) {
    const {
      rest,
      value,
      layer: {W, n_v, first},
    } = this;
    for (let i = 0, from = (unit - first) * n_v; i < n_v; i++) rest[i] += change * W[from + i];
    return (this.value = this.explained()) - value;
  }
}

// A generator that returns the change; it pauses, as many flips take many milliseconds.
/** @param {Lane} lane  at its cursor @param {number} j @param {string} reference @returns {Generator<undefined, Change>} */
export function* whoChanged(lane, j, reference) {
  const {decided, now} = askedOf(lane, j),
    visit = lastVisit(lane, j, decided),
    first = !visit;
  const since = reference === "off" ? -1 : reference === "last" && visit ? lane.decidedOn(visit) : 0;
  const causes = /** @type {Cause[]} */ ([]),
    about = since < 0 ? lane.model.rounded : !lane.tellsAll;
  if (lane.independent) return {decided, now, since, first, about: false, sum: 0, causes};
  const state = lane.earlier(now),
    layer = lane.layerOf(j),
    {n_v, W, b} = layer,
    at = (j - layer.first) * n_v;
  const end = lowerBound(lane.flips, now),
    {summed} = lane,
    apart = summed && (lane.whole || layer.layer > 0);
  if (since < 0 && !apart) {
    const walk = new Walk(layer, j, state.under(layer).x, Float64Array.from(b), summed);
    for (const {visit, unit} of cameOn(lane, state.h, layer, end)) {
      if (unit !== j)
        causes.push({visit, unit, after: state.h[unit], nats: walk.change(unit, state.h[unit])});
      if (causes.length % 32 === 0) yield;
    }
  } else if (since >= 0) {
    const own = state.h[j],
      {x, a} = state.under(layer),
      walk = new Walk(
        layer,
        j,
        x,
        a.map((value, i) => value - own * W[at + i]),
        summed,
      );
    for (const {n, visit, unit, after, change} of lane.moves(since, now)) {
      // backwards from the explained state
      const its = layerAt(lane.model.layers, unit),
        up = its.layer - layer.layer;
      if (unit === j || (!up && apart)) continue;
      const nats =
        lane.known?.change(n, j) ??
        (!up
          ? -walk.change(unit, -change)
          : up === 1
            ? change * its.W[(unit - its.first) * its.n_v + j - layer.first] // the prior that the layer above gives
            : up === -1
              ? change * W[at + unit - its.first]
              : 0); // the evidence below
      causes.push({visit, unit, after, nats});
      if (causes.length % 32 === 0) yield;
    }
    causes.reverse();
  }
  return {decided, now, since, first, about, sum: causes.reduce((sum, {nats}) => sum + nats, 0), causes};
}

// The newest visit to unit j before the one that is explained, from 1; 0: none.
/** @param {Lane} lane @param {number} j @param {boolean} decided */
function lastVisit(lane, j, decided) {
  return (decided ? lane.previous[lane.k - 1] : lane.last[j]) + 1;
}

// The units of a layer that are on, in the order in which they turned on.
/** @param {Lane} lane @param {States} h @param {Layer} layer @param {number} end  of the flips */
function cameOn({flips, unit, meta}, h, {first, n_h}, end) {
  const came = new Map();
  for (let n = end - 1; n >= 0; n--) {
    const u = unit[flips[n]];
    if (!came.has(u)) came.set(u, flips[n] + 1);
  }
  return Array.from({length: n_h}, (_, n) => first + n)
    .filter((u) => h[u])
    .map((u) => ({unit: u, visit: /** @type {number} */ (came.get(u) ?? (meta.particles ? end : 0))}))
    .sort((one, other) => one.visit - other.visit || one.unit - other.unit);
}
