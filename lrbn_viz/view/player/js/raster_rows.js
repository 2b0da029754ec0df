// A row for the state after each sweep (after each visit where those are few).

import {byNumber} from "./orders.js";

const FEW_VISITS = 60,
  FEW_FLIPS = 120; // largest numbers of rows that can be distinguished

// Rows of states from the trace alone: `ends[r]` visits were made at the end of row r, of which row 0 is the start.
/** @param {Lane} lane */
export function rasterRows(lane) {
  const {n_h, n_visits, sweepStarts} = lane;
  const byVisit =
    lane.meta.particles ||
    n_visits <= FEW_VISITS ||
    (sweepStarts.length === 1 && !lane.independent && n_visits <= FEW_FLIPS);
  const ends = byVisit ? byNumber(n_visits + 1) : [0, ...sweepStarts.slice(1), n_visits];
  const states = new Uint8Array(ends.length * n_h),
    turns = new Int8Array(ends.length * n_h); // net change, 2: there and back
  const state = lane.h0.map(Math.round); // a mean counts as its more probable state
  states.set(state);
  for (let r = 1; r < ends.length; r++) {
    for (let k = ends[r - 1]; k < ends[r]; k++)
      for (const j of Array.from(lane.unitsAt(k))) {
        const at = r * n_h + j,
          after = Math.round(lane.valueAfter(k, j));
        if (state[j] === after) continue;
        state[j] = after;
        turns[at] =
          turns[at] === 0 ? (state[j] ? 1 : -1) : state[j] === states[at - n_h] ? 2 : state[j] ? 1 : -1;
      }
    states.set(state, r * n_h);
  }
  return {byVisit, ends, states, turns, count: ends.length};
}
