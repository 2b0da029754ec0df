// Common functions of cards with exact results: the choice of the lane, and marking results of an earlier image.

import {setAttribute} from "./dom.js";
import constants from "../../../io/constants.json" with {type: "json"};

export const MAX_EXACT = constants.max_exact_interactive; // latents up to which a posterior is enumerated

// Whether a lane has the results, or too many latents for them, which the card explains.
/** @param {(lane: Lane) => boolean} has @returns {(lane: Lane) => boolean} */
export const explains = (has) => (lane) => has(lane) || (lane.n_h > MAX_EXACT && !lane.model.factorised);

// The selected lane if it has the results; if no lane has any, one with too many latents.
/** @param {import("./lane_choice.js").LaneChoice} which @param {Lane[]} lanes @param {(lane: Lane) => boolean} has */
export const chooseExact = (which, lanes, has) => which.choose(lanes, lanes.some(has) ? has : explains(has));

/**
 * Whether a card still shows results of an earlier image, as those of the current one are not computed yet; marks the card.
 * @param {HTMLElement} card @param {boolean} filled  whether it shows any @param {Lane[]} lanes
 */
export function staysStale(card, filled, lanes) {
  const stale = filled && lanes.some((lane) => lane.meta.pending);
  setAttribute(card, "data-stale", String(stale));
  return stale;
}
