// Mean field in the page: coordinate ascent of the means of independent latents on a lower bound on log P(x). The bounds
// are those of lrbn_viz/lrbn/means: the evidence lower bound for Gaussian units and for few latents, else the tilted bound
// of Saul, Jaakkola and Jordan (1996).

import {allLogJoints, conditionalLogOdds, evidence} from "../../../browser/js/lrbn.js";
import {softplus} from "../../player/js/units.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {
  mean_change: MEAN_CHANGE,
  min_relative_gain: MIN_RELATIVE_GAIN,
  max_exact_interactive: MAX_EXACT,
} = constants;
const LOG_2PI = Math.log(2 * Math.PI);

/** @param {number} a */
export const sigmoid = (a) => {
  const t = Math.exp(-Math.abs(a));
  return (a >= 0 ? 1 : t) / (1 + t);
};
/** @param {number} a @param {number} b */
const logAddExp = (a, b) =>
  a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
/** @param {number} q @param {number} power  log(1 - q + q exp(power)) */
const logFactor = (q, power) => logAddExp(Math.log1p(-q), Math.log(q) + power);
/** @param {number} p */
const surprise = (p) => -p * Math.log(Math.max(p, 1e-300));

class Moments {
  /** @param {Layer} layer @param {ArrayLike<number>} x @param {ArrayLike<number>} q */
  constructor(layer, x, q) {
    const {n_v, n_h, exact, d} = (this.layer = layer);
    this.x = x;
    this.q = Float64Array.from(q);
    this.W = Float64Array.from(exact);
    this.n_v = n_v;
    this.n_h = n_h;
    this.mean = new Float64Array(n_v);
    this.variance = new Float64Array(n_v);
    this.fixed = d.reduce((sum, logOdds) => sum + softplus(logOdds), 0);
  }

  // Compute the moments from the means, without the rounding errors of many moves.
  refresh() {
    const {
      mean,
      variance,
      q,
      W,
      n_v,
      n_h,
      layer: {b},
    } = this;
    mean.set(b);
    variance.fill(0);
    for (let j = 0; j < n_h; j++) {
      const m = q[j],
        v = m * (1 - m);
      if (m)
        for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
          mean[i] += m * W[at];
          variance[i] += v * W[at] * W[at];
        }
    }
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    const {mean, variance, q, W, n_v} = this,
      old = q[j],
      change = to - old,
      spread = to * (1 - to) - old * (1 - old);
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
      mean[i] += W[at] * change;
      variance[i] += W[at] * W[at] * spread;
    }
    q[j] = to;
  }

  get entropy() {
    return this.q.reduce((sum, p) => sum + surprise(p) + surprise(1 - p), 0);
  }

  // The terms of the latents in the bound: prior and entropy, nats.
  get latents() {
    return this.q.reduce((sum, p, j) => sum + p * this.layer.d[j], 0) - this.fixed + this.entropy;
  }
}

// Moments with the bound of Jaakkola and Jordan (2000).
class QuadraticMoments extends Moments {
  bound() {
    let total = 0;
    for (let i = 0; i < this.n_v; i++) {
      const xi = this.root(i);
      total += (this.x[i] - 0.5) * this.mean[i] + 0.5 * xi - softplus(xi);
    }
    return total + this.latents;
  }

  /** @param {number} i */
  root(i) {
    return Math.sqrt(Math.max(this.mean[i] ** 2 + this.variance[i], 1e-24));
  }

  /** @param {number} j */
  logOdds(j) {
    const {
      W,
      n_v,
      mean,
      x,
      q: {[j]: q},
      layer: {d},
    } = this;
    let sum = d[j];
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
      const xi = this.root(i),
        w = W[at];
      sum += (x[i] - 0.5) * w - (Math.tanh(0.5 * xi) / (2 * xi)) * (w * (mean[i] - q * w) + 0.5 * w * w);
    }
    return sum;
  }
}

// The same for two layers, whose units are numbered consecutively, the lower layer's first.
class LayerMoments {
  /** @param {Layer[]} layers @param {ArrayLike<number>} x @param {Float64Array} q */
  constructor([low, high], x, q) {
    this.n_h = low.n_h;
    // the upper layer gives the prior of the lower latents; without it their prior log-odds are 0
    this.lower = new QuadraticMoments({...low, d: new Float64Array(low.n_h)}, x, q.subarray(0, low.n_h));
    this.upper = new QuadraticMoments(high, this.lower.q, q.subarray(low.n_h)); // shares the lower means, which are its data
  }

  get q() {
    return Float64Array.from([...this.lower.q, ...this.upper.q]);
  }

  refresh() {
    this.lower.refresh();
    this.upper.refresh();
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    if (j < this.n_h) this.lower.move(j, to);
    else this.upper.move(j - this.n_h, to);
  }

  bound() {
    return this.lower.bound() + this.n_h * Math.LN2 + this.upper.bound();
  }

  /** @param {number} j */
  logOdds(j) {
    return j < this.n_h ? this.lower.logOdds(j) + this.upper.mean[j] : this.upper.logOdds(j - this.n_h);
  }
}

// Moments of the lower latents of a deep belief network, with a bound on log P(x) + log Z at the optimal upper means.
class TopMoments extends QuadraticMoments {
  /** @param {Model} model @param {ArrayLike<number>} x @param {ArrayLike<number>} q */
  constructor({layers: [layer], top}, x, q) {
    super(layer, x, q);
    if (!top) throw new Error("a deep belief network has an RBM on top");
    this.top = top;
    this.upper = new Float64Array(top.e.length);
  }

  refresh() {
    super.refresh();
    const {
      top: {U, e},
      upper,
      q,
    } = this;
    upper.set(e);
    for (let j = 0; j < q.length; j++)
      for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) upper[k] += q[j] * U[at];
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    const {
        top: {U},
        upper,
      } = this,
      by = to - this.q[j];
    for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) upper[k] += by * U[at];
    super.move(j, to);
  }

  bound() {
    return super.bound() + this.fixed + this.upper.reduce((sum, a) => sum + softplus(a), 0);
  }

  /** @param {number} j */
  logOdds(j) {
    const {
      top: {U},
      upper,
    } = this;
    let sum = super.logOdds(j);
    for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) sum += U[at] * sigmoid(upper[k]);
    return sum;
  }
}

// Means of both layers of a deep Boltzmann machine, and their bound on log P(x) + log Z.
class LayerMeans {
  /** @param {Layer[]} layers @param {ArrayLike<number>} x @param {Float64Array} q */
  constructor([low, high], x, q) {
    this.low = low;
    this.high = high;
    this.q = Float64Array.from(q);
    this.ofImage = low.b.reduce((sum, bias, i) => sum + x[i] * bias, 0);
    this.field = fieldOf(low, x);
    this.lower = new Float64Array(low.n_h);
    this.upper = new Float64Array(high.n_h);
  }

  refresh() {
    const {low, high, q, lower, upper} = this;
    lower.set(this.field);
    upper.set(high.d);
    for (let k = 0; k < high.n_h; k++)
      for (let j = 0, at = k * low.n_h; j < low.n_h; j++, at++) {
        lower[j] += q[low.n_h + k] * high.exact[at];
        upper[k] += q[j] * high.exact[at];
      }
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    const {
        low: {n_h},
        high,
        q,
        lower,
        upper,
      } = this,
      by = to - q[j];
    q[j] = to;
    if (j < n_h) for (let k = 0; k < upper.length; k++) upper[k] += by * high.exact[k * n_h + j];
    else for (let i = 0; i < n_h; i++) lower[i] += by * high.exact[(j - n_h) * n_h + i];
  }

  bound() {
    const {
      low: {n_h},
      high,
      q,
      lower,
    } = this;
    let total = this.ofImage;
    for (let j = 0; j < q.length; j++)
      total += q[j] * (j < n_h ? lower[j] : high.d[j - n_h]) + surprise(q[j]) + surprise(1 - q[j]);
    return total;
  }

  /** @param {number} j */
  logOdds(j) {
    return j < this.low.n_h ? this.lower[j] : this.upper[j - this.low.n_h];
  }
}

// W'x + d: the log-odds of a layer's latents from the layer below alone
/** @param {Layer} layer @param {ArrayLike<number>} x */
export function fieldOf({n_v, n_h, exact: W, d}, x) {
  const field = Float64Array.from(d);
  for (let j = 0; j < n_h; j++) for (let i = 0, at = j * n_v; i < n_v; i++, at++) field[j] += x[i] * W[at];
  return field;
}

// Log-odds of one pass from the image up of a deep Boltzmann machine, in which the input of the image is doubled.
/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held */
export function passUp({layers: [low, high]}, x, held) {
  const odds = fieldOf(low, x).map((field, j) => 2 * field - low.d[j]),
    means = odds.map((value, j) => held.get(j) ?? sigmoid(value));
  return [...odds, ...fieldOf(high, means)];
}

class GaussianMoments extends Moments {
  bound() {
    let squares = 0;
    for (let i = 0; i < this.n_v; i++)
      squares += (this.x[i] - this.mean[i]) ** 2 + this.variance[i] + LOG_2PI;
    return -0.5 * squares + this.latents;
  }

  /** @param {number} j */
  logOdds(j) {
    const {
      W,
      n_v,
      mean,
      x,
      q,
      layer: {d},
    } = this;
    let sum = d[j];
    for (let i = 0, at = j * n_v; i < n_v; i++, at++)
      sum += W[at] * (x[i] - mean[i] + q[j] * W[at]) - 0.5 * W[at] * W[at];
    return sum;
  }
}

class ExactMoments extends Moments {
  /** @type {[number, number, number]} */ known = [-1, 0, 0]; // a latent, and E log P(x, h) with it off and on

  /** @param {Layer} layer @param {ArrayLike<number>} x @param {ArrayLike<number>} q */
  constructor(layer, x, q) {
    super(layer, x, q);
    this.joints = allLogJoints(layer, x);
  }

  refresh() {
    this.known = [-1, 0, 0];
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    this.q[j] = to;
    if (this.known[0] !== j) this.refresh();
  }

  /** @param {number} j  the others are averaged out, the top bit first @returns {[number, number, number]} */
  expected(j) {
    let table = this.joints,
      columns = 1;
    for (let k = this.n_h - 1; k >= 0; k--) {
      const rows = 1 << k,
        wide = k === j,
        next = new Float64Array(rows * columns * (wide ? 2 : 1)),
        {q} = this;
      for (let row = 0; row < rows; row++)
        for (let c = 0; c < columns; c++) {
          const low = table[row * columns + c],
            high = table[(row + rows) * columns + c];
          if (wide) [next[row * 2], next[row * 2 + 1]] = [low, high];
          else next[row * columns + c] = low + q[k] * (high - low);
        }
      table = next;
      if (wide) columns = 2;
    }
    return (this.known = [j, table[0], table[1]]);
  }

  bound() {
    const [j, off, on] = this.known[0] < 0 ? this.expected(0) : this.known;
    return off + this.q[j] * (on - off) + this.entropy;
  }

  /** @param {number} j */
  logOdds(j) {
    const [, off, on] = this.expected(j);
    return on - off;
  }
}

class TiltedMoments extends Moments {
  /** @type {Float64Array | null} */ tilts = null;

  /** @param {Layer} layer @param {ArrayLike<number>} x @param {ArrayLike<number>} q */
  constructor(layer, x, q) {
    super(layer, x, q);
    this.low = new Float64Array(this.n_v); // log E exp(-xi a)
    this.high = new Float64Array(this.n_v); // log E exp((1 - xi) a)
  }

  // Compute the moments from the means, and better tilts if there are any.
  refresh() {
    super.refresh();
    const {mean, variance, n_v} = this,
      tilts = new Float64Array(n_v);
    for (let i = 0; i < n_v; i++) {
      // optimal for a normal activation, by Newton's steps from below the root
      let z = mean[i] / (1 + 0.25 * variance[i]);
      for (let n = 0; n < 20; n++) {
        const s = sigmoid(z);
        z -= (z + variance[i] * (s - 0.5) - mean[i]) / (1 + variance[i] * s * (1 - s));
      }
      tilts[i] = sigmoid(z);
    }
    const {tilts: old} = this,
      found = this.logarithms(tilts);
    if (old) {
      const before = this.logarithms(old);
      for (let i = 0; i < n_v; i++) {
        const loss = old[i] * mean[i] + logAddExp(before.low[i], before.high[i]);
        if (
          tilts[i] * mean[i] + logAddExp(found.low[i], found.high[i]) <
          loss - MIN_RELATIVE_GAIN * (1 + Math.abs(loss))
        )
          continue;
        [tilts[i], found.low[i], found.high[i]] = [old[i], before.low[i], before.high[i]];
      }
    }
    Object.assign(this, {tilts, ...found});
  }

  /** @param {Float64Array} tilts */
  logarithms(tilts) {
    const {
        n_v,
        n_h,
        W,
        q,
        layer: {b},
      } = this,
      low = tilts.map((tilt, i) => -tilt * b[i]),
      high = tilts.map((tilt, i) => (1 - tilt) * b[i]);
    for (let j = 0; j < n_h; j++) {
      if (!q[j]) continue; // a factor of 1
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
        low[i] += logFactor(q[j], -tilts[i] * W[at]);
        high[i] += logFactor(q[j], (1 - tilts[i]) * W[at]);
      }
    }
    return {low, high};
  }

  /** @param {number} j @param {number} to */
  move(j, to) {
    const {
        low,
        high,
        W,
        n_v,
        q: {[j]: old},
      } = this,
      tilts = /** @type {Float64Array} */ (this.tilts);
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
      const down = -tilts[i] * W[at],
        up = (1 - tilts[i]) * W[at];
      low[i] += logFactor(to, down) - logFactor(old, down);
      high[i] += logFactor(to, up) - logFactor(old, up);
    }
    super.move(j, to);
  }

  bound() {
    const {x, mean, low, high} = this,
      tilts = /** @type {Float64Array} */ (this.tilts);
    let total = 0;
    for (let i = 0; i < this.n_v; i++) total += (x[i] - tilts[i]) * mean[i] - logAddExp(low[i], high[i]);
    return total + this.latents;
  }

  // By the bound's tangent; the remainder is convex, so that this mean never lowers the bound.
  /** @param {number} j */
  logOdds(j) {
    const {
        W,
        n_v,
        x,
        low,
        high,
        q: {[j]: q},
        layer: {d},
      } = this,
      tilts = /** @type {Float64Array} */ (this.tilts);
    let sum = d[j];
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
      const down = Math.max(-690, Math.min(690, -tilts[i] * W[at])),
        up = Math.max(-690, Math.min(690, (1 - tilts[i]) * W[at]));
      const slope =
        (sigmoid(low[i] - high[i]) * Math.expm1(down)) / (1 - q + q * Math.exp(down)) +
        (sigmoid(high[i] - low[i]) * Math.expm1(up)) / (1 - q + q * Math.exp(up));
      sum += (x[i] - tilts[i]) * W[at] - slope;
    }
    return sum;
  }
}

// The means of a model's latents with the bound that its kind names (Model.mean_field_bound in Python).
/** @param {Model} model @param {ArrayLike<number>} x @param {Float64Array} q @param {string} bound */
function momentsOf(model, x, q, bound) {
  const {
      layers,
      layers: [layer],
    } = model,
    few = layer.n_h <= MAX_EXACT;
  if (bound === "layers") return new LayerMoments(layers, x, q);
  if (bound === "undirected") return new LayerMeans(layers, x, q);
  if (bound === "top") return new TopMoments(model, x, q);
  if (bound === "quadratic" || (bound === "few-exact" && !few)) return new QuadraticMoments(layer, x, q);
  if (layer.visible === "gaussian") return new GaussianMoments(layer, x, q);
  return few && bound !== "tilted" ? new ExactMoments(layer, x, q) : new TiltedMoments(layer, x, q);
}

/**
 * A recognition network's pass where there is a guess, and sweeps over the means of an image's latents, until none moves by
 * more than `MEAN_CHANGE`.
 * @param {Model} model @param {ArrayLike<number>} x @param {ArrayLike<number>} start  means @param {Map<number, number>} held @param {number} sweeps  of mean field, at most
 * @param {string} [bound] @param {ArrayLike<number> | null} [guess]  log-odds
 * @returns {import("../../../browser/js/lrbn.js").Trace}
 */
export function meanField(model, x, start, held, sweeps, bound = "", guess = null) {
  const begun = Float64Array.from(start);
  for (const [unit, value] of held) begun[unit] = value;
  const moments = momentsOf(model, x, begun, bound),
    units = Array.from(begun.keys()).filter((j) => !held.has(j)),
    q = begun.slice();
  moments.refresh();
  /** @type {import("../../../browser/js/lrbn.js").Trace} */
  const trace = {
    h0: begun,
    unit: [],
    after: [],
    flipped: [],
    logOdds: [],
    logJoint: [moments.bound()],
    sweep: [],
    converged: true,
    sampled: false,
    means: true,
    atOnce: false,
  };
  for (let t = 0; t < sweeps + Number(guess !== null); t++) {
    const guessed = t ? null : guess;
    moments.refresh();
    let most = 0;
    for (const j of units) {
      const logOdds = guessed ? guessed[j] : moments.logOdds(j),
        mean = sigmoid(logOdds),
        change = Math.abs(mean - q[j]);
      moments.move(j, mean);
      q[j] = mean;
      most = Math.max(most, change);
      trace.unit.push(j);
      trace.after.push(mean);
      trace.flipped.push(change > MEAN_CHANGE);
      trace.logOdds.push(logOdds);
      trace.logJoint.push(moments.bound());
      trace.sweep.push(t);
    }
    trace.converged = most <= MEAN_CHANGE || (guessed !== null && sweeps === 0);
    if (!guessed && trace.converged) break;
  }
  return trace;
}

// A recognition network's log-odds of the latents of all layers; those of an upper layer given the means of the layer
// below, of which some are held.
/** @param {Model} model @param {ArrayLike<number>} x @param {Map<number, number>} held */
export function guesses({layers, recognition = []}, x, held) {
  /** @type {number[]} */
  const found = [];
  let below = Float64Array.from(x);
  layers.forEach(({first, n_v, n_h}, n) => {
    const {V, c} = recognition[n],
      odds = Float64Array.from(c);
    for (let j = 0; j < n_h; j++)
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) odds[j] += below[i] * V[at];
    found.push(...odds);
    below = odds.map((value, j) => held.get(first + j) ?? sigmoid(value));
  });
  return found;
}

// The initial means of a start: the probabilities from which a named start takes its states, or given states.
/** @param {Layer} layer @param {ArrayLike<number>} x @param {import("../../../browser/js/lrbn.js").Start} start @param {import("../../../browser/js/random.js").Generator} rng */
export function startMeans(layer, x, start, rng) {
  const {n_h, visible} = layer;
  if (start === "paper" || (start === "conditional" && visible === "gaussian"))
    return evidence(layer, x).map(sigmoid);
  if (start === "conditional") return conditionalLogOdds(layer, x, new Uint8Array(n_h)).map(sigmoid);
  if (start === "random") return Float64Array.from(rng.coins(n_h));
  return start === "zeros"
    ? new Float64Array(n_h)
    : Float64Array.from(/** @type {ArrayLike<number>} */ (start));
}
