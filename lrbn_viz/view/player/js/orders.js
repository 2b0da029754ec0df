// Orders of a lane's units, common to the latent grid, the filters and the raster, so that a unit has the same place in
// each. Orders that depend on the state follow the cursor when it rests.

import {signed} from "./format.js";
import {chainOrder, Interactions} from "./interactions.js";
import {logOddsTerms} from "./logodds.js";
import {atOnce} from "./pieces.js";
import choices from "../choices.json" with {type: "json"};

// Title and meaning of each order by its name in addresses.
/** @type {Record<string, [string, string]>} */
export const UNIT_ORDERS = /** @type {any} */ (choices.unit_orders);

/** @param {number} n */
export const byNumber = (n) => Array.from({length: n}, (_, j) => j);

// Values of the units by which an order sorts; null for the order by number. `usage` is missing until it was counted.
/** @param {Lane} lane @param {string} name @param {ArrayLike<number>} [usage] */
function unitValues(lane, name, usage) {
  if (name === "usage") return usage?.length === lane.n_h ? usage : null;
  if (name !== "weight" && name !== "contribution") return null;
  const values = Float64Array.from(byNumber(lane.n_h), (j) =>
    name === "weight" || lane.h[j] ? lane.exactly(logOddsTerms(lane, j), lane.k).logOdds : -Infinity,
  );
  return values; // log P(x, h) changes by a unit's log-odds when it turns on, which is thus the contribution of a unit that is on
}

// Units of a layer stay together.
/** @param {Lane} lane @param {string} name @param {ArrayLike<number>} [usage] */
export function orderUnits(lane, name, usage) {
  const order = byNumber(lane.n_h),
    values = (lane.values = unitValues(lane, name, usage));
  if (values) order.sort((j, k) => values[k] - values[j] || j - k);
  if (name !== "cluster" || lane.independent) return apart(lane, order);
  lane.interactions ||= new Interactions(lane);
  return apart(lane, chainOrder(atOnce(lane.interactions.matrix()), lane.n_h));
}

/** @param {Lane} lane @param {number[]} order */
function apart({model: {layers}}, order) {
  return layers.length === 1
    ? order
    : layers.flatMap(({first, n_h}) => order.filter((j) => j >= first && j < first + n_h));
}

// The value of one unit in words, for its tip.
/** @param {Lane} lane @param {string} name @param {number} j */
export function valueInWords(lane, name, j) {
  if (!lane.values) return "";
  if (name === "usage") return `, on in ${Math.round(100 * lane.values[j])} % of the test images`;
  if (name === "contribution" && lane.h[j]) return `, adds ${signed(lane.values[j])} nats`;
  return "";
}
