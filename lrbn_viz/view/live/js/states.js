// Of few latents: distributions over all their states, and each latent by itself, by the kernels of kernels/posterior.py.

import {kernels} from "../../../browser/js/memory.js";

// Marginals and covariance of a distribution over all states.
/** @param {KernelArray<"f8">} q @param {number} n_h */
export function momentsOf(q, n_h) {
  const memory = kernels();
  return memory.scope(() => {
    const marginals = memory.array("f8", n_h),
      covariance = memory.array("f8", n_h, n_h),
      rest = memory.array("f8", q.length),
      part = memory.array("f8", q.length / 2);
    memory.call("fill_moments", {q, rest, part, marginals, covariance});
    return {marginals: marginals.view.slice(), covariance: covariance.view.slice()};
  });
}

// Each latent by itself, by its offset and what is known of x, sigmoid(d + W'x): in a factorised model, of Gaussian units
// too, and by a recognition network.
/** @param {{n_h: number, n_v: number, exact: ArrayLike<number>, d: ArrayLike<number>}} layer @param {ArrayLike<number>} x  NaN where it is not known */
export function apart({n_h, n_v, exact, d}, x) {
  const memory = kernels();
  return memory.scope(() => {
    const on = memory.array("f8", n_h),
      rows = memory.of("f8", exact, n_h, n_v);
    memory.call("fill_apart", {rows, d: memory.of("f8", d), x: memory.of("f8", x), on});
    return on.view.slice();
  });
}
