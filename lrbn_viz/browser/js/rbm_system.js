// Learning of a Bernoulli RBM by contrastive divergence, by Python's kernels: what lrbn_viz/rivals/rbm/system.py does around
// them. A state is changed in place.

import {CONSTANTS, kernels} from "./memory.js";

/** @typedef {import("./random.js").Generator} Generator */
/** @typedef {{W: Float32Array, b: Float32Array, d: Float32Array, particles: Uint8Array}} Parameters  weights (n_v, n_h), offsets, and latents of the persistent chains, a row each */

/**
 * Settings by the names of `RBMSystem` in Python.
 * @typedef {{
 *   n_h: number, method: "pcd" | "cd", gradient: keyof typeof CONSTANTS.gradients, n_gibbs: number, learning_rate: number, learning_rate_end: number | null, average: number,
 *   decay_steps: number, weight_decay: number, n_sample_sweeps: number,
 * }} Settings
 */

const FIELDS = /** @type {const} */ (["W", "b", "d", "particles", "mu", "lam"]);

// Keys of draws, of 53 random bits each.
/** @param {number} n @param {Generator} rng */
export function keysFor(n, rng) {
  const keys = kernels().array("u8", n);
  keys.view.set(new BigUint64Array(rng.uniforms(n).buffer));
  return keys;
}

// Parameters and chains in the kernels' memory.
export class RBMState {
  step = 0;

  /** @param {Parameters} parameters @param {boolean} centred */
  constructor({W, b, d, particles}, centred) {
    const memory = kernels(),
      [n_v, n_h] = [b.length, d.length],
      {made, placed} = memory.kept(() => {
        const arrays = {
          W: memory.of("f4", W, n_v, n_h),
          b: memory.of("f4", b),
          d: memory.of("f4", d),
          particles: memory.of("u1", particles, particles.length / n_h, n_h),
          mu: memory.array("f4", centred ? n_v : 0),
          lam: memory.array("f4", centred ? n_h : 0),
        };
        return {...arrays, centres: memory.tuple("Centres", {mu: arrays.mu, lam: arrays.lam})};
      });
    this.n_v = n_v;
    this.n_h = n_h;
    this.arrays = made;
    this.placed = placed;
  }

  get parameters() {
    const {W, b, d} = this.arrays;
    return {W, b, d};
  }

  // The filters, a row of weights for each latent, of these weights or those now.
  /** @param {Float32Array} [W] */
  filters(W = this.arrays.W.view) {
    const {n_v, n_h} = this,
      rows = new Float64Array(n_h * n_v);
    for (let j = 0; j < n_h; j++) for (let i = 0; i < n_v; i++) rows[j * n_v + i] = W[i * n_h + j];
    return rows;
  }

  // Copies of what a run goes on with.
  copy() {
    const arrays = FIELDS.map((name) => this.arrays[name].view.slice());
    return {step: this.step, arrays};
  }

  /** @param {ReturnType<RBMState["copy"]>} copied */
  restore({step, arrays}) {
    this.step = step;
    FIELDS.forEach((name, i) => this.arrays[name].view.set(arrays[i]));
  }

  free() {
    for (const each of this.placed) each.free();
  }
}

export class RBMSystem {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
  }

  // The state that continues training from given parameters, W as it is or by rows, one for each latent.
  /** @param {Parameters | (Omit<Parameters, "W"> & {rows: ArrayLike<number>})} given */
  fromParams(given) {
    const [n_v, n_h] = [given.b.length, given.d.length],
      W =
        "W" in given
          ? given.W
          : Float32Array.from(
              {length: n_v * n_h},
              (_, at) => given.rows[(at % n_h) * n_v + Math.floor(at / n_h)],
            );
    return new RBMState({...given, W}, this.settings.gradient === "centred");
  }

  // One gradient step; X holds 0 and 1.
  /** @param {RBMState} state @param {ArrayLike<number>} X @param {Generator} rng @param {Settings} settings  of this step */
  step(state, X, rng, settings = this.settings) {
    const {method, gradient, n_gibbs, learning_rate, decay_steps, weight_decay} = settings,
      {W, b, d, particles, centres} = state.arrays,
      memory = kernels();
    return memory.scope(() => {
      const figures = memory.array("f8", 5);
      memory.call("step_alone", {
        W,
        b,
        d,
        X: memory.of("u1", X, X.length / state.n_v, state.n_v),
        particles,
        persistent: method === "pcd",
        keys: keysFor(2 * n_gibbs, rng),
        learning_rate,
        decay_steps,
        weight_decay,
        step: state.step,
        kind: CONSTANTS.gradients[gradient],
        centres,
        figures,
      });
      state.step += 1;
      const [rate, activity, fantasy_activity, total, gradient_norm] = figures.view;
      if (!Number.isFinite(total))
        throw new Error(
          `a parameter is not finite after step ${state.step}, learning rate ${rate.toPrecision(3)}; use a smaller learning rate`,
        );
      return {learning_rate: rate, activity, fantasy_activity, gradient_norm};
    });
  }

  // The exact MAP state of each image.
  /** @param {RBMState} state @param {ArrayLike<number>} X */
  encode({n_v, n_h, arrays: {W, d}}, X) {
    const memory = kernels(),
      n = X.length / n_v;
    return memory.scope(() => {
      const H = memory.array("u1", n, n_h);
      memory.call("encode_alone", {W, d, X: memory.of("u1", X, n, n_v), H});
      return H.view.slice();
    });
  }

  // Figures of held-out images with their latents; the score decides which model is better.
  /** @param {RBMState} state @param {ArrayLike<number>} X @param {Uint8Array} H  as `encode` finds them @param {ArrayLike<number>} pixels  that are predicted */
  judge(state, X, H, pixels) {
    return {wrong_pixels: this.wrongPixels(state, X, H), score: this.pseudoLogLikelihood(state, X, pixels)};
  }

  // The mean of the images' pseudo-log-likelihoods, nats.
  /** @param {RBMState} state @param {ArrayLike<number>} X @param {ArrayLike<number>} pixels  that are predicted */
  pseudoLogLikelihood({n_v, n_h, arrays: {W, b, d}}, X, pixels) {
    const memory = kernels(),
      n = X.length / n_v;
    return memory.scope(() => {
      const given = {
          X: memory.of("u1", X, n, n_v),
          pixels: memory.array("i8", pixels.length),
          fields: memory.array("f8", n_h),
        },
        totals = memory.array("f8", n);
      given.pixels.view.set(Array.from(pixels, BigInt));
      memory.call("predict_alone", {W, b, d, ...given, totals});
      return totals.view.reduce((sum, total) => sum + total, 0) / n;
    });
  }

  // Mean of the images of the pixels that the reconstruction from H has wrong.
  /** @param {RBMState} state @param {ArrayLike<number>} X @param {Uint8Array} H */
  wrongPixels(state, X, H) {
    const memory = kernels(),
      {n_v, n_h} = state,
      n = X.length / n_v;
    return memory.scope(() => {
      const given = {
          rows: memory.of("f8", state.filters(), n_h, n_v),
          b: memory.of("f8", state.arrays.b.view),
          means: memory.of("f8", H, n, n_h),
          targets: memory.of("f8", X, n, n_v),
        },
        a = memory.array("f8", n_v),
        errors = memory.array("f8", n);
      memory.call("errors_of_means", {...given, squared: false, a, errors});
      return errors.view.reduce((sum, wrong) => sum + wrong, 0) / n;
    });
  }

  // The mean of x given each row of H.
  /** @param {RBMState} state @param {Uint8Array} H */
  decode({n_v, n_h, arrays: {W, b}}, H) {
    const memory = kernels(),
      n = H.length / n_h;
    return memory.scope(() => {
      const means = memory.array("f8", n, n_v);
      memory.call("decode_alone", {W, b, H: memory.of("u1", H, n, n_h), means});
      return means.view.slice();
    });
  }

  // The latents of the first n persistent chains.
  /** @param {RBMState} state @param {number} n */
  chains({n_h, arrays: {particles}}, n) {
    return particles.view.slice(0, n * n_h);
  }

  // Draw n images: each is the end of a Gibbs chain that starts at a random persistent one.
  /** @param {RBMState} state @param {number} n @param {Generator} rng */
  sample({n_v, n_h, arrays: {W, b, d, particles}}, n, rng) {
    const memory = kernels(),
      [n_chains] = particles.shape,
      H = new Uint8Array(n * n_h);
    for (let m = 0; m < n; m++) {
      const chain = rng.below(n_chains) * n_h;
      H.set(particles.view.subarray(chain, chain + n_h), m * n_h);
    }
    return memory.scope(() => {
      const X = memory.array("u1", n, n_v),
        keys = keysFor(2 * this.settings.n_sample_sweeps, rng);
      memory.call("gibbs_alone", {W, b, d, H: memory.of("u1", H, n, n_h), keys, X});
      return X.view.slice();
    });
  }
}
