// The inner loops in WebAssembly (kernel.py), if the browser supports it: the pixel probabilities of a state, in the
// kernel's memory, and the product over them. Otherwise state.js computes the same in JavaScript.

const BLOCK = 8; // pixels of one step of the product
const PLACES = 4; // states per layer in memory, more than are in use at the same time
const GROWS_BY = 65536; // bytes
const BYTES = 8; // of a number

/**
 * @typedef {{
 *   raised(down: number, up: number, factor: number, n: number, step: number, exponent: number): number,
 *   shift(a: number, on: number, off: number, w: number, sign: number, n: number): void,
 * }} Functions  of addresses
 */

class Kernel {
  memory = new WebAssembly.Memory({initial: 1});
  used = BYTES; // the first place holds an exponent
  exponent = new Int32Array(this.memory.buffer, 0, 1);

  /** @param {BufferSource} bytes */
  constructor(bytes) {
    const {exports} = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      env: {__linear_memory: this.memory},
    });
    this.functions = /** @type {Functions} */ (/** @type {unknown} */ (exports));
  }

  /** @param {number} n  numbers @returns {number} their address */
  room(n) {
    const {memory, used} = this,
      lacking = used + n * BYTES - memory.buffer.byteLength;
    if (lacking > 0) {
      memory.grow(Math.ceil(lacking / GROWS_BY));
      this.exponent = new Int32Array(memory.buffer, 0, 1);
    }
    this.used += n * BYTES;
    return used;
  }

  // View of a part of the memory, valid until the memory grows.
  /** @param {number} at @param {number} n */
  numbers(at, n) {
    return new Float64Array(this.memory.buffer, at, n);
  }
}

/** @type {Kernel | null} */
let kernel = null;

// Load the kernel for layers prepared from now on; returns false without bytes, or if the browser rejects the module.
/** @param {BufferSource | null} bytes */
export function useKernel(bytes) {
  try {
    kernel = bytes && new Kernel(bytes);
  } catch {
    // no SIMD in this browser, or no WebAssembly in this page
    kernel = null;
  }
  return kernel !== null;
}

// A layer's weights and their exponentials in the kernel's memory, one row per latent, and places for states.
export class KernelLayer {
  /** @type {(KernelPixels | null)[]} */ owners = new Array(PLACES).fill(null);
  turn = 0;

  /** @param {Kernel} kernel @param {Pick<import("./state.js").KernelParams, "n_v" | "n_h" | "W" | "factor">} params */
  constructor(kernel, {n_v, n_h, W, factor}) {
    const n = (this.n = Math.ceil(n_v / BLOCK) * BLOCK);
    this.kernel = kernel;
    this.n_v = n_v;
    this.places = kernel.room(3 * n * PLACES);
    this.W = kernel.room(n_h * n);
    this.factor = kernel.room(n_h * n);
    const weights = kernel.numbers(this.W, n_h * n),
      factors = kernel.numbers(this.factor, n_h * n).fill(1); // pixels beyond the last one change nothing
    for (let j = 0; j < n_h; j++) {
      weights.set(W.subarray(j * n_v, (j + 1) * n_v), j * n);
      factors.set(factor.subarray(j * n_v, (j + 1) * n_v), j * n);
    }
  }

  // A layer in the kernel's memory; null without a kernel, or if weights are so large that a step of a product overflows.
  /** @param {Omit<import("./state.js").KernelParams, "fast">} params */
  static of(params) {
    return kernel && !params.gaussian && params.steps.every((step) => step >= BLOCK)
      ? new KernelLayer(kernel, params)
      : null;
  }
}

// Activations of one state, and the pixels' probabilities of them.
export class KernelPixels {
  place = -1;

  /** @param {KernelLayer} layer */
  constructor(layer) {
    this.layer = layer;
  }

  // Whether they are still in memory, as places are reused.
  get kept() {
    return this.place >= 0 && this.layer.owners[this.place] === this;
  }

  // Address of activations (0), of the probabilities of on (1) and of off (2).
  /** @param {number} part */
  at(part) {
    return this.layer.places + (3 * this.place + part) * this.layer.n * BYTES;
  }

  get activation() {
    return this.layer.kernel.numbers(this.at(0), this.layer.n_v);
  }

  /** @param {Float64Array} a */
  set(a) {
    const {
      layer,
      layer: {n, kernel},
    } = this;
    if (!this.kept) {
      this.place = layer.turn = (layer.turn + 1) % PLACES;
      layer.owners[this.place] = this;
    }
    const kept = kernel.numbers(this.at(0), n).fill(0);
    kept.set(a);
    this.shift(0, 0);
  }

  /** @param {number} j @param {number} sign */
  shift(j, sign) {
    const {kernel, W, n} = this.layer;
    kernel.functions.shift(this.at(0), this.at(1), this.at(2), W + j * n * BYTES, sign, n);
  }

  // log prod_i (down_i + up_i exp(w_ij)), nats
  /** @param {number} j @param {number} sign @param {number} step  pixels that a product has room for */
  raised(j, sign, step) {
    const {kernel, factor, n} = this.layer,
      up = sign > 0 ? 1 : 2;
    const mantissa = kernel.functions.raised(
      this.at(3 - up),
      this.at(up),
      factor + j * n * BYTES,
      n,
      step - (step % BLOCK),
      0,
    );
    return Math.log(mantissa) + kernel.exponent[0] * Math.LN2;
  }
}
