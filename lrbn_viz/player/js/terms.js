// The log-odds of every unit in every state of a trace, and their terms, as the page had them: a handed-out replay
// brings them (terms.py) where it has rounded the weights, which then only draw pictures.

const STEP = 1e-5; // nats, as terms.py has it

/** @typedef {{log_odds_steps?: Uint8Array, prior?: Float64Array, evidence?: Float64Array, alone?: Float64Array}} TermArrays */

export class KnownTerms {
  /** @param {number} n_h @param {number} flips @param {Required<TermArrays>} arrays */
  constructor(n_h, flips, {log_odds_steps: bytes, prior, evidence, alone}) {
    const size = (flips + 1) * n_h;
    this.n_h = n_h;
    this.prior = prior;
    this.evidence = evidence;
    this.alone = alone;
    this.logOdds = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      const folded = bytes[at] + 256 * bytes[size + at] + 65536 * bytes[2 * size + at] + 16777216 * bytes[3 * size + at];
      const added = folded % 2 ? -(folded + 1) / 2 : folded / 2;
      this.logOdds[at] = added + (at < n_h ? 0 : this.logOdds[at - n_h]);
    }
    for (let at = 0; at < size; at++) this.logOdds[at] *= STEP;
  }

  // The value of a table of one row, or of a row a state.
  /** @param {Float64Array} table @param {number} row @param {number} j */
  of(table, row, j) { return table[(table.length > this.n_h ? row * this.n_h : 0) + j]; }

  // The terms in the state after the first `row` flips: the sums as they were, the pixels as the weights have them.
  /** @param {LogOddsTerms} terms @param {number} row @returns {LogOddsTerms} */
  correct(terms, row) {
    const j = terms.unit, logOdds = this.of(this.logOdds, row, j);
    const prior = this.of(this.prior, row, j), evidenceSum = this.of(this.evidence, row, j), aloneSum = this.alone[j];
    return {...terms, prior, evidenceSum, aloneSum, othersSum: logOdds - prior - evidenceSum - aloneSum, logOdds};
  }

  // By how much a flip of another unit changed the log-odds of unit j.
  /** @param {number} n  of the flips @param {number} j */
  change(n, j) { return this.of(this.logOdds, n + 1, j) - this.of(this.logOdds, n, j); }
}

// Null where a trace brings no such table: then the weights are the model's own, or there was no room for it.
/** @param {number} n_h @param {number} flips @param {TermArrays} arrays */
export function knownTerms(n_h, flips, {log_odds_steps, prior, evidence, alone}) {
  return log_odds_steps && prior && evidence && alone ? new KnownTerms(n_h, flips, {log_odds_steps, prior, evidence, alone}) : null;
}
