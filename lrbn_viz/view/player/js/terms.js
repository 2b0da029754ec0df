// The terms of the log-odds with the page's precision: a replay with rounded weights contains them (terms.py), and uses the
// weights only for pictures. They are the terms of each decision and, if there was room, those of every unit in every state.

import constants from "../../../io/constants.json" with {type: "json"};

const {term_step: STEP, term_fine: FINE} = constants;

/**
 * @typedef {{
 *   prior?: Float64Array, evidence?: Float64Array, alone?: Float64Array, others_fine?: Int8Array, decided_steps?: Uint8Array, log_odds_steps?: Uint8Array,
 * }} TermArrays
 * @typedef {{n_h: number, n_visits: number, flips: number[], unit: Uint16Array, previous: Int32Array, logOdds: ArrayLike<number>}} TermLane  whose terms they are
 */

// Integers from four rows of bytes, the lowest first, in zigzag encoding of negative numbers.
/** @param {Uint8Array} bytes */
function wholes(bytes) {
  const size = bytes.length / 4;
  return Float64Array.from({length: size}, (_, at) => {
    const folded =
      bytes[at] + 256 * bytes[size + at] + 65536 * bytes[2 * size + at] + 16777216 * bytes[3 * size + at];
    return folded % 2 ? -(folded + 1) / 2 : folded / 2;
  });
}

// Log-odds, prior and evidence on which visits decided, row by row; each visit's are what they add to the last one's to its unit.
/** @param {Uint8Array} bytes @param {Int32Array} previous */
export function decidedTerms(bytes, previous) {
  const {length} = previous,
    all = wholes(bytes);
  return [0, 1, 2].map((row) => {
    const steps = all.subarray(row * length, (row + 1) * length);
    for (let k = 0; k < length; k++) if (previous[k] >= 0) steps[k] += steps[previous[k]];
    return steps.map((step) => (step + 0.5) * FINE);
  });
}

export class KnownTerms {
  /** @type {Float64Array | null} */ logOdds = null; // of all units, state by state

  /** @param {TermLane} lane @param {Float64Array[] | null} decided @param {TermArrays & Required<Pick<TermArrays, "prior" | "evidence" | "alone" | "others_fine">>} arrays */
  constructor(lane, decided, {prior, evidence, alone, others_fine, log_odds_steps}) {
    this.lane = lane;
    this.decided = decided;
    this.prior = prior;
    this.evidence = evidence;
    this.alone = alone;
    this.fine = others_fine;
    if (!log_odds_steps) return;
    const {n_h} = lane,
      sums = wholes(log_odds_steps);
    for (let at = n_h; at < sums.length; at++) sums[at] += sums[at - n_h];
    this.logOdds = sums.map((sum) => sum * STEP);
  }

  // The terms on which visit k, from 1, decided: the sums as they were, the pixels as the weights have them.
  /** @param {LogOddsTerms} terms @param {number} k @param {Layer[]} layers @returns {LogOddsTerms} */
  decision(terms, k, layers) {
    const {decided, alone, fine, lane} = this,
      v = k - 1,
      j = lane.unit[v],
      {layer} = terms,
      top = layer === layers.length - 1;
    const prior = decided && !top ? decided[1][v] : this.prior[j],
      evidenceSum = decided && layer ? decided[2][v] : this.evidence[j];
    return withOthers(terms, prior, evidenceSum, alone[j], lane.logOdds[v], fine[v] * FINE);
  }

  // Those of a unit in the state after the first `row` flips. Where they did not travel, as the weights have them, but for
  // what no state changes.
  /** @param {LogOddsTerms} terms @param {number} row @param {Layer[]} layers @returns {LogOddsTerms} */
  inState(terms, row, layers) {
    const {unit: j, layer, othersSum} = terms,
      {n_h} = this.lane,
      aloneSum = this.alone[j];
    /** @param {Float64Array} table  of one row, or of a row a state */
    const of = (table) => table[(table.length > n_h ? row * n_h : 0) + j];
    if (this.logOdds)
      return withOthers(terms, of(this.prior), of(this.evidence), aloneSum, of(this.logOdds), 0);
    const prior = layer === layers.length - 1 ? this.prior[j] : terms.prior,
      evidenceSum = layer ? terms.evidenceSum : this.evidence[j];
    return {...terms, prior, evidenceSum, aloneSum, logOdds: prior + evidenceSum + aloneSum + othersSum};
  }

  // Change of the log-odds of unit j by flip n of another unit; null if it is not in the file.
  /** @param {number} n @param {number} j */
  change(n, j) {
    const {
      logOdds,
      lane: {n_h},
    } = this;
    return logOdds && logOdds[(n + 1) * n_h + j] - logOdds[n * n_h + j];
  }
}

// The others' term is the remainder of the log-odds plus a stored correction.
/** @param {LogOddsTerms} terms @param {number} prior @param {number} evidenceSum @param {number} aloneSum @param {number} logOdds @param {number} more */
function withOthers(terms, prior, evidenceSum, aloneSum, logOdds, more) {
  return {
    ...terms,
    prior,
    evidenceSum,
    aloneSum,
    othersSum: logOdds - prior - evidenceSum - aloneSum + more,
    logOdds,
  };
}

// Null if a trace has none: then the weights are exact, or there was no room for its terms.
/** @param {TermLane} lane @param {Float64Array[] | null} decided @param {TermArrays} arrays */
export function knownTerms(lane, decided, {prior, evidence, alone, others_fine, log_odds_steps}) {
  return prior && evidence && alone && others_fine
    ? new KnownTerms(lane, decided, {prior, evidence, alone, others_fine, log_odds_steps})
    : null;
}
