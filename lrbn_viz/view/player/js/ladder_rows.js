// The ladder of approximations q of the posterior: which rungs there are, and how the distance of each splits.

// Title and description by name in the packed block.
/** @type {Record<string, [string, string]>} */
export const RUNGS = {
  factorised: [
    "factorised",
    "independent units, each by sigmoid(d + W'x), by its prior and the evidence of what is known alone",
  ],
  feed_forward: ["feed-forward", "independent units, each by its conditional with all others off"],
  recognition: [
    "recognition network",
    "independent units, with the means that the recognition network gives in one pass",
  ],
  recognition_mean_field: [
    "recognition network, then mean field",
    "10 sweeps of mean field from the recognition network's means",
  ],
  mean_field_1: ["mean field, 1 sweep", "independent units after one sweep from even odds"],
  mean_field_2: ["mean field, 2 sweeps", "independent units after two sweeps from even odds"],
  mean_field_10: ["mean field, 10 sweeps", "independent units after ten sweeps from even odds"],
  marginals: ["exact marginals", "independent units, each with its exact probability"],
  icm: ["ICM's state", "all probability on the state that ICM finds"],
  map: ["most probable state", "all probability on the exact MAP state"],
  best: [
    "best product found",
    "independent units: the least divergence that mean field reaches from any of the others",
  ],
};

/** @typedef {Rung & {shared: number, own: number}} Split */

// Rows in order of decreasing distance, each split into the distance of the best product found and the rest.
/** @param {Rung[]} rungs @returns {Split[]} */
export function splitRungs(rungs) {
  const best = rungs.find(({name}) => name === "best")?.kl ?? 0;
  return rungs
    .toSorted((a, b) => b.kl - a.kl)
    .map((rung) => ({...rung, shared: Math.min(best, rung.kl), own: Math.max(0, rung.kl - best)}));
}

// Parts of the distances of two rungs, nats; the amortisation gap is null without a recognition network.
/** @param {Rung[]} rungs */
export function gapsOf(rungs) {
  /** @param {string} name */
  const own = (name) => splitRungs(rungs).find((rung) => rung.name === name)?.own ?? null;
  return {
    approximation: rungs.find(({name}) => name === "best")?.kl ?? 0,
    explainingAway: own("factorised"),
    amortisation: own("recognition"),
  };
}
