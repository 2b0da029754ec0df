// Learning of a sigmoid belief network of one layer by reweighted wake-sleep, by Python's kernels: what
// lrbn_viz/rivals/sbn/rws.py and system.py do around them. A state is changed in place.

import {kernels} from "./memory.js";

/** @typedef {import("./random.js").Generator} Generator */
/** @typedef {Record<"W" | "b" | "d" | "V" | "c", Float32Array>} Parameters  both networks: weights (n_v, n_h), offsets */

/**
 * Settings by the names of `RWSSystem` in Python.
 * @typedef {{
 *   n_h: number, n_particles: number, phases: "both" | "wake" | "sleep", learning_rate: number, learning_rate_end: number | null, average: number, decay_steps: number,
 *   momentum: number, generative_rate: number, recognition_rate: number,
 * }} Settings
 */

const FIELDS = /** @type {const} */ (["W", "b", "d", "V", "c"]),
  FIGURES = ["bound", "effective_sample_size", "activity", "learning_rate"];

// Numbers that states are drawn by, which become the states.
/** @param {Generator} rng @param {number} n @param {number} n_h @param {number} n_v @param {{n_each: number, dreams: boolean}} how */
function uniforms(rng, n, n_h, n_v, {n_each, dreams}) {
  const memory = kernels(),
    drawn = (/** @type {boolean} */ used, /** @type {number} */ rows, /** @type {number} */ width) =>
      used ? memory.of("f4", rng.floats(rows * width), rows, width) : memory.array("f4", 0, width),
    H = drawn(n_each > 0, n * n_each, n_h),
    dreamt_H = drawn(dreams, n, n_h),
    dreamt_X = drawn(dreams, n, n_v);
  return {tuple: memory.tuple("Uniforms", {H, dreamt_H, dreamt_X}), dreamt_X};
}

// Parameters in the kernels' memory, their gradients and the running means of these.
export class RWSState {
  step = 0;

  /** @param {Parameters} parameters */
  constructor({W, b, d, V, c}) {
    const memory = kernels(),
      [n_v, n_h] = [b.length, d.length],
      networks = (/** @type {Parameters | null} */ of) => {
        const fields = {
          W: memory.array("f4", n_v, n_h),
          b: memory.array("f4", n_v),
          d: memory.array("f4", n_h),
          V: memory.array("f4", n_v, n_h),
          c: memory.array("f4", n_h),
        };
        if (of) for (const name of FIELDS) fields[name].view.set(of[name]);
        return {...fields, tuple: memory.tuple("LayerNetworks", fields)};
      },
      {made, placed} = memory.kept(() => ({
        own: networks({W, b, d, V, c}),
        mean: networks(null),
        gradient: networks(null),
      }));
    this.n_v = n_v;
    this.n_h = n_h;
    this.networks = made;
    this.placed = placed;
  }

  get parameters() {
    const {W, b, d, V, c} = this.networks.own;
    return {W, b, d, V, c};
  }

  // Copies of what a run goes on with.
  copy() {
    const {own, mean} = this.networks,
      of = (/** @type {typeof own} */ networks) => FIELDS.map((name) => networks[name].view.slice());
    return {step: this.step, own: of(own), mean: of(mean)};
  }

  /** @param {ReturnType<RWSState["copy"]>} copied */
  restore({step, own, mean}) {
    this.step = step;
    FIELDS.forEach((name, i) => {
      this.networks.own[name].view.set(own[i]);
      this.networks.mean[name].view.set(mean[i]);
    });
  }

  free() {
    for (const each of this.placed) each.free();
  }
}

export class RWSSystem {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
  }

  // The state that continues training from given parameters.
  /** @param {Parameters} parameters */
  fromParams(parameters) {
    return new RWSState(parameters);
  }

  // One step along the gradients of both networks; X holds 0 and 1.
  /** @param {RWSState} state @param {ArrayLike<number>} X @param {Generator} rng @param {Settings} settings  of this step */
  step(state, X, rng, settings = this.settings) {
    const {n_particles, phases} = settings,
      {n_v, n_h, networks} = state,
      n = X.length / n_v,
      sleeps = phases !== "wake",
      memory = kernels();
    return memory.scope(() => {
      const figures = memory.array("f8", FIGURES.length + 1);
      memory.call("rws_step_alone", {
        of: networks.own.tuple,
        mean: networks.mean.tuple,
        gradient: networks.gradient.tuple,
        X: memory.of("f4", X, n, n_v),
        uniforms: uniforms(rng, n, n_h, n_v, {n_each: n_particles, dreams: sleeps}).tuple,
        n_each: n_particles,
        wakes: phases !== "sleep",
        sleeps,
        ...settings,
        step: state.step,
        figures,
      });
      state.step += 1;
      const values = figures.view,
        said = Object.fromEntries(FIGURES.map((name, i) => [name, values[i]]));
      if (!Number.isFinite(values[FIGURES.length]))
        throw new Error(
          `a parameter is not finite after step ${state.step}, learning rate ${said.learning_rate.toPrecision(3)}; use a smaller learning rate.`,
        );
      return said;
    });
  }

  // The means of q(h | x) of each image.
  /** @param {RWSState} state @param {ArrayLike<number>} X */
  encode({n_v, n_h, networks}, X) {
    const memory = kernels(),
      n = X.length / n_v;
    return memory.scope(() => {
      const means = memory.array("f4", n, n_h);
      memory.call("recognise_alone", {of: networks.own.tuple, X: memory.of("f4", X, n, n_v), means});
      return means.view.slice();
    });
  }

  // The mean of x given each row of states or means H.
  /** @param {RWSState} state @param {ArrayLike<number>} H */
  decode({n_v, n_h, networks}, H) {
    const memory = kernels(),
      n = H.length / n_h;
    return memory.scope(() => {
      const means = memory.array("f8", n, n_v);
      memory.call("generate_alone", {of: networks.own.tuple, H: memory.of("f4", H, n, n_h), means});
      return means.view.slice();
    });
  }

  // Draw n images by ancestral sampling.
  /** @param {RWSState} state @param {number} n @param {Generator} rng */
  sample({n_v, n_h, networks}, n, rng) {
    const memory = kernels();
    return memory.scope(() => {
      const {tuple, dreamt_X} = uniforms(rng, n, n_h, n_v, {n_each: 0, dreams: true});
      memory.call("dream_alone", {of: networks.own.tuple, uniforms: tuple});
      return Uint8Array.from(dreamt_X.view);
    });
  }
}
