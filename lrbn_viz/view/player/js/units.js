// Kinds of visible units, as core/units.py has them: the mean of a unit given its activation a = W h + b, and what it says for
// a latent of weight w: `raise` is by how much the latent raises the unit's log normaliser. With all other latents off these
// are `evidence` and `alone`, the latent's threshold; the others that are on add byOthers(x, a, w) - byOthers(x, b, w), where a
// is the activation without the latent. The formulas are Python's: formulas.js is translated from kernels/units.py.

import * as formulas from "../../../browser/js/formulas.js";
import constants from "../../../io/constants.json" with {type: "json"};

export {scalarSigmoid as sigmoid, scalarSoftplus as softplus} from "../../../browser/js/formulas.js";

const facts = constants.visible_units;

// By what a flip that changes the activation by c multiplies the shares: exp(rate c); and the sign of their logarithm.
const PRODUCTS = {bernoulli: {rate: 1, sign: -1}, "noisy-or": {rate: -1, sign: 1}};

/** @param {Visible} name @returns {VisibleUnits} */
function unitsOf(name) {
  const kind = formulas.KINDS[name],
    product = name === "gaussian" ? undefined : PRODUCTS[name];
  return {
    ...facts[name],
    mean: (a) => formulas.meanOf(kind, a),
    raise: (a, w) => formulas.raisedBy(kind, a, w),
    evidence: (x, b, w) => formulas.evidenceOf(kind, x, b, w),
    alone: (b, w) => formulas.aloneOf(kind, b, w),
    byOthers: (x, a, w) => formulas.byOthers(kind, x, a, w),
    product: product && {
      ...product,
      share: (x, a) => [formulas.shareOff(kind, x, a), formulas.shareOn(kind, x, a)],
    },
  };
}

/** @type {Record<Visible, VisibleUnits>} */
export const UNITS = {
  bernoulli: unitsOf("bernoulli"),
  gaussian: unitsOf("gaussian"),
  "noisy-or": unitsOf("noisy-or"),
};
