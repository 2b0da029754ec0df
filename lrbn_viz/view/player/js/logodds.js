// The four terms of one unit's log-odds in one state, pixel by pixel; each has the sign with which it enters the sum.
//
//   prior     d_j, or what the layer above generates for the unit: its activation there
//   evidence  w_ij x_i; of Gaussian units w_ij (x_i - b_i), or in a factorised model w_ij x_i / variance of x_i. Further up x
//             is the states of the units below
//   alone     -[softplus(b_i + w_ij) - softplus(b_i)]: its own normaliser, were all others off; Gaussian: -w_ij^2 / 2
//   others    -[softplus(a_i + w_ij) - softplus(a_i)] less alone, a without unit j; Gaussian: -w_ij (a_i - b_i).
//             Below 0 the others explain the unit away, above 0 they support it
//
// These are of Bernoulli and Gaussian units; units.js has all kinds.
//
// Units of a factorised model do not look at each other, nor do those of one layer of a restricted model: alone and others
// are 0. Where a pixel is not known it is the other way round: in a directed model it drops out, and in an undirected one it
// is summed out, so that only there it ties the units together:
//
//   alone     softplus(b_i + w_ij) - softplus(b_i); Gaussian: (w_ij b_i + w_ij^2 / 2) / variance of x_i
//   others    the same by a in the place of b, less alone

import {UNITS} from "./units.js";

/** @type {WeakMap<Layer, Map<number, Float64Array>>} */
const ALONE = new WeakMap(); // by unit of the layer: no state changes it

/** @param {Layer} layer @param {number} j  number in the layer @param {boolean} shared  not to be changed */
function aloneOf(layer, j, shared) {
  let known = ALONE.get(layer);
  if (!known) ALONE.set(layer, (known = new Map()));
  let values = known.get(j);
  if (!values) {
    const {W, b, n_v, visible} = layer,
      at = j * n_v;
    values = Float64Array.from(b, (offset, i) => UNITS[visible].alone(offset, W[at + i]));
    known.set(j, values);
  }
  return shared ? values : values.slice();
}

/** @param {LatentState} state @param {number} j @returns {LogOddsTerms} */
export function logOddsTerms(state, j) {
  const {model, h} = state,
    layer = state.layerOf(j),
    {W, b, n_v, first, precision} = layer,
    at = (j - first) * n_v;
  const {x, a} = state.under(layer),
    above = model.layers[layer.layer + 1],
    units = UNITS[layer.visible];
  const apart = state.summed,
    alone = apart ? new Float64Array(n_v) : aloneOf(layer, j - first, state.whole || layer.layer > 0);
  const evidence = new Float64Array(n_v),
    others = new Float64Array(n_v);
  let evidenceSum = 0,
    aloneSum = 0,
    othersSum = 0;
  for (let i = 0; i < n_v; i++) {
    const w = W[at + i],
      rest = a[i] - h[j] * w,
      scale = precision ? precision[i] : 1;
    if (!Number.isNaN(x[i])) {
      evidence[i] = (apart ? w * x[i] : units.evidence(x[i], b[i], w)) * scale;
      if (!apart) others[i] = units.byOthers(x[i], rest, w) - units.byOthers(x[i], b[i], w);
    } else if (apart) {
      alone[i] = units.raise(b[i], w) * scale;
      others[i] = units.raise(rest, w) * scale - alone[i];
    } else alone[i] = 0;
    evidenceSum += evidence[i];
    aloneSum += alone[i];
    othersSum += others[i];
  }
  const prior = above ? state.under(above).a[j - first] : layer.d[j - first];
  return {
    unit: j,
    layer: layer.layer,
    prior,
    evidence,
    alone,
    others,
    evidenceSum,
    aloneSum,
    othersSum,
    logOdds: prior + evidenceSum + aloneSum + othersSum,
  };
}
