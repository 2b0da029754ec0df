// The order in which a lane's units stand beside each other: in the latent grid, the filters and the raster alike, so
// that a unit has the same place in each. Orders that depend on the state follow the cursor when it rests.

import {signed} from "./format.js";
import {chainOrder, Interactions} from "./interactions.js";
import {logOddsTerms} from "./logodds.js";
import {atOnce} from "./pieces.js";

/** @type {Record<string, [string, string]>} */
export const UNIT_ORDERS = {
  number: ["by number", "Units are in the order of their numbers, as in the model."],
  weight: ["by log-odds", "Units are in the order of their log-odds at the cursor, the highest first."],
  usage: [
    "by usage",
    "Units are in the order of their usage over the test images: the one that is on most often first",
  ],
  contribution: [
    "by contribution",
    "Units are in the order of their contribution: the nats that log P(x, h) would lose if this unit alone were turned off at the cursor. " +
      "Units that are off contribute nothing and follow by number.",
  ],
  cluster: [
    "by interaction",
    "Units are next to those with which they interact: a chain through the explain-away matrix at the cursor, strongest neighbours first. " +
      "Units of a factorised model, such as an RBM, do not interact and remain in the order of their numbers.",
  ],
};

/** @param {number} n */
export const byNumber = (n) => Array.from({length: n}, (_, j) => j);

// What an order goes by, one value a unit; null where it goes by none. There is no `usage` until it was counted.
/** @param {Lane} lane @param {string} name @param {ArrayLike<number>} [usage] */
function unitValues(lane, name, usage) {
  if (name === "usage") return usage?.length === lane.n_h ? usage : null;
  if (name !== "weight" && name !== "contribution") return null;
  const values = Float64Array.from(byNumber(lane.n_h), (j) =>
    name === "weight" || lane.h[j] ? lane.exactly(logOddsTerms(lane, j), lane.k).logOdds : -Infinity,
  );
  return values; // log P(x, h) changes by a unit's log-odds when it turns on, so that is what a unit that is on adds
}

// Units of a layer stay together.
/** @param {Lane} lane @param {string} name @param {ArrayLike<number>} [usage] */
export function orderUnits(lane, name, usage) {
  const order = byNumber(lane.n_h),
    values = (lane.values = unitValues(lane, name, usage));
  if (values) order.sort((j, k) => values[k] - values[j] || j - k);
  if (name !== "cluster" || lane.model.factorised) return apart(lane, order);
  lane.interactions ||= new Interactions(lane);
  return apart(lane, chainOrder(atOnce(lane.interactions.matrix()), lane.n_h));
}

/** @param {Lane} lane @param {number[]} order */
function apart({model: {layers}}, order) {
  return layers.length === 1
    ? order
    : layers.flatMap(({first, n_h}) => order.filter((j) => j >= first && j < first + n_h));
}

// What the order says of one unit, for its tip.
/** @param {Lane} lane @param {string} name @param {number} j */
export function valueInWords(lane, name, j) {
  if (!lane.values) return "";
  if (name === "usage") return `, on in ${Math.round(100 * lane.values[j])} % of the test images`;
  if (name === "contribution" && lane.h[j]) return `, adds ${signed(lane.values[j])} nats`;
  return "";
}
