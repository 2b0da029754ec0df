// A clock that a test moves: each look at it takes a millisecond, and turns wait until the test runs them.

/** @param {(() => void)[]} turns @param {{now: number, waits: number[]}} [at] @returns {import("../../lrbn_viz/browser/js/turns.js").Clock} */
export const clockOf = (turns, at = {now: 0, waits: []}) => ({
  now: () => (at.now += 1),
  later: (turn) => turns.push(turn),
  wait(turn, ms) {
    at.waits.push(ms);
    turns.push(turn);
  },
});
