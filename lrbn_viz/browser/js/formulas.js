// Written by lrbn_viz/browser/build.py: functions of numbers in lrbn_viz/kernels.

export const KINDS = {"bernoulli": 0, "gaussian": 1, "noisy-or": 2};

// Return 1 / (1 + exp(-a)) of one number, in double precision, without overflow.
/** @param {number} a @returns {number} */
export function scalarSigmoid(a) {
  const t = Math.exp(-Math.abs(a));
  return (a >= 0 ? 1 : t) / (1 + t);
}

// Return log(1 + exp(a)) of one number, in double precision.
/** @param {number} a @returns {number} */
export function scalarSoftplus(a) {
  return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
}

// Return the mean of a unit of activation a: a probability of binary ones.
/** @param {number} kind @param {number} a @returns {number} */
export function meanOf(kind, a) {
  if (kind === 0) return scalarSigmoid(a);
  return kind === 1 ? a : 1 - Math.exp(-a);
}

// Return log(1 - exp(-a)), of a noisy-or unit log P(x = 1).
/** @param {number} a @returns {number} */
export function logOn(a) {
  return Math.log(-Math.expm1(-a));
}

// Return by how much a latent of weight w raises the unit's log normaliser, nats.
/** @param {number} kind @param {number} a @param {number} w @returns {number} */
export function raisedBy(kind, a, w) {
  if (kind === 0) return scalarSoftplus(a + w) - scalarSoftplus(a);
  return kind === 1 ? w * a + 0.5 * (w * w) : w;
}

// Return the part of a latent's log-odds that depends on the others, up to what x and w give, nats.
//
// a is the activation without the latent.
/** @param {number} kind @param {number} x @param {number} a @param {number} w @returns {number} */
export function byOthers(kind, x, a, w) {
  if (kind === 0) return scalarSoftplus(a) - scalarSoftplus(a + w);
  if (kind === 1) return -w * a;
  return x > 0.5 ? w + logOn(a + w) - logOn(a) : 0;
}

// Return what the unit says for a latent with all other latents off, nats.
/** @param {number} kind @param {number} x @param {number} b @param {number} w @returns {number} */
export function evidenceOf(kind, x, b, w) {
  if (kind === 0) return w * x;
  return kind === 1 ? w * (x - b) : byOthers(kind, x, b, w);
}

// Return the log-odds of a latent by way of the unit, were it silent and all others off, nats.
/** @param {number} kind @param {number} b @param {number} w @returns {number} */
export function aloneOf(kind, b, w) {
  if (kind === 0) return byOthers(kind, 0, b, w);
  return kind === 1 ? -0.5 * (w * w) : -w;
}

// Return s of log(1 - s + s f), by which a flip changes a binary unit's log-likelihood but for what
// x gives.
//
// The flip changes the activation a by c; f is exp(c), of noisy-or units exp(-c).
/** @param {number} kind @param {number} x @param {number} a @returns {number} */
export function shareOn(kind, x, a) {
  if (kind === 0) return scalarSigmoid(a);
  return x > 0.5 ? -1 / Math.expm1(a) : 0;
}

// Return 1 - s of share_on, without its rounding error where s is near 1.
/** @param {number} kind @param {number} x @param {number} a @returns {number} */
export function shareOff(kind, x, a) {
  if (kind === 0) return scalarSigmoid(-a);
  return x > 0.5 ? -1 / Math.expm1(-a) : 1;
}

// Return P(h | x), given log P(x, h) and log P(x), nats.
/** @param {number} log_joint @param {number} log_evidence @returns {number} */
export function probabilityOf(log_joint, log_evidence) {
  return Math.min(1, Math.exp(log_joint - log_evidence));
}

// Return a latent's weighted mean when a particle joins whose share of all weights is share.
/** @param {number} before @param {number} share @param {number} state @returns {number} */
export function movedMean(before, share, state) {
  return before + share * (state - before);
}

// Return the sum of all particles' squared shares when one joins whose share is share.
/** @param {number} before @param {number} share @returns {number} */
export function joinedSquares(before, share) {
  return before * ((1 - share) * (1 - share)) + share * share;
}
