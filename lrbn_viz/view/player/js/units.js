// Kinds of visible units, as core/units.py has them: the mean of a unit given its activation a = W h + b, and what it says for
// a latent of weight w: `raise` is by how much the latent raises the unit's log normaliser. With all other latents off these are `evidence` and `alone`, the latent's threshold; the others that
// are on add byOthers(x, a, w) - byOthers(x, b, w), where a is the activation without the latent.

import constants from "../../../io/constants.json" with {type: "json"};

const facts = constants.visible_units;

/** @param {number} z */
export const sigmoid = (z) => 1 / (1 + Math.exp(-z));
/** @param {number} z */
export const softplus = (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));

/** @type {VisibleUnits} */
const bernoulli = {
  ...facts.bernoulli,
  mean: sigmoid,
  raise: (a, w) => softplus(a + w) - softplus(a),
  evidence: (x, b, w) => w * x,
  alone: (b, w) => softplus(b) - softplus(b + w),
  byOthers: (x, a, w) => softplus(a) - softplus(a + w),
  // softplus(a + change) - softplus(a) = log(u + s f), with s = sigmoid(a), u = 1 - s and f = exp(change)
  product: {share: (x, a) => [sigmoid(-a), sigmoid(a)], rate: 1, sign: -1},
};

/** @type {VisibleUnits} */
const gaussian = {
  ...facts.gaussian,
  mean: (a) => a,
  raise: (a, w) => w * a + w ** 2 / 2,
  evidence: (x, b, w) => w * (x - b),
  alone: (b, w) => -(w ** 2) / 2,
  byOthers: (x, a, w) => -w * a,
};

// log(1 - exp(-a)), of P(x = 1)
/** @param {number} a */
const logOn = (a) => Math.log(-Math.expm1(-a));

// P(x = 0) = exp(-a): only units that are on explain away.
/** @type {VisibleUnits} */
const noisyOr = {
  ...facts["noisy-or"],
  mean: (a) => -Math.expm1(-a),
  raise: (a, w) => w,
  evidence: (x, b, w) => (x ? w + logOn(b + w) - logOn(b) : 0),
  alone: (b, w) => -w,
  byOthers: (x, a, w) => (x ? w + logOn(a + w) - logOn(a) : 0),
  // log(1 - exp(-a - change)) - log(1 - exp(-a)) = log(u + s f), with s = -exp(-a) / (1 - exp(-a)), u = 1 - s, f = exp(-change)
  product: {share: (x, a) => (x ? [-1 / Math.expm1(-a), -1 / Math.expm1(a)] : [1, 0]), rate: -1, sign: 1},
};

/** @type {Record<Visible, VisibleUnits>} */
export const UNITS = {bernoulli, gaussian, "noisy-or": noisyOr};
