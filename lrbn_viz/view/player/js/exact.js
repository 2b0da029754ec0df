// Cards of exact results of one lane: of which lane, and until when those of the image before stay.

import {setAttribute} from "./dom.js";
import constants from "../../../io/constants.json" with {type: "json"};

export const MAX_EXACT = constants.max_exact_interactive; // latents up to which a posterior is enumerated

// Whether a lane has the results or, as its model has too many latents, can say why not.
/** @param {(lane: Lane) => boolean} has @returns {(lane: Lane) => boolean} */
export const explains = (has) => (lane) => has(lane) || (lane.n_h > MAX_EXACT && !lane.model.factorised);

// The lane asked about if it has the results; if no lane has any, one that can say why not.
/** @param {import("./lane_choice.js").LaneChoice} which @param {Lane[]} lanes @param {(lane: Lane) => boolean} has */
export const chooseExact = (which, lanes, has) => which.choose(lanes, lanes.some(has) ? has : explains(has));

/**
 * Whether a card still shows results of the image before, as those of this one are not computed yet. It is marked so.
 * @param {HTMLElement} card @param {boolean} filled  whether it shows any @param {Lane[]} lanes
 */
export function staysStale(card, filled, lanes) {
  const stale = filled && lanes.some((lane) => lane.meta.pending);
  setAttribute(card, "data-stale", String(stale));
  return stale;
}
