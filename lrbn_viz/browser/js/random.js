// The random numbers of the engine: the functions of NumPy's default generator that inference uses, which are no formula of a
// model, and which Python takes from NumPy. Equal seeds give the same numbers as in Python, and therefore equal traces.

const MASK_64 = (1n << 64n) - 1n,
  MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n; // of PCG64 (O'Neill 2014)

// The words of NumPy's SeedSequence: the seed is mixed into a pool of four words, which are then hashed.
/** @param {number[]} seeds  whole numbers at or above 0 @param {number} n */
function seedWords(seeds, n) {
  const entropy = seeds.flatMap((seed) => {
    const words = [Number(BigInt(seed) & 0xffffffffn)];
    for (let rest = BigInt(seed) >> 32n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
    return words;
  });
  let constant = 0x43b0d7e5;
  /** @param {number} value */
  const hashed = (value) => {
    value = (value ^ constant) >>> 0;
    constant = Math.imul(constant, 0x931e8875) >>> 0;
    value = Math.imul(value, constant) >>> 0;
    return (value ^ (value >>> 16)) >>> 0;
  };
  /** @param {number} a @param {number} b */
  const mixed = (a, b) => {
    const value = (Math.imul(0xca01f9dd, a) - Math.imul(0x4973f715, b)) >>> 0;
    return (value ^ (value >>> 16)) >>> 0;
  };
  const pool = [0, 1, 2, 3].map((i) => hashed(entropy[i] ?? 0));
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  for (const word of entropy.slice(4))
    for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word));
  constant = 0x8b51f9dd;
  return Array.from({length: n}, (_, i) => {
    let value = (pool[i % 4] ^ constant) >>> 0;
    constant = Math.imul(constant, 0x58f38ded) >>> 0;
    value = Math.imul(value, constant) >>> 0;
    return (value ^ (value >>> 16)) >>> 0;
  });
}

const TAIL = 3.6541528853610088, // of the normal density, from which on the lowest of its 256 layers has no rectangle
  AREA = 0.004928673233974658, // of each layer
  UNIT = 2 ** 52;

// The layers of the normal density (Marsaglia and Tsang 2000): widths, the numbers below which a layer's are accepted at once,
// and the density at its edge. NumPy's tables differ in the last digits.
function layersOfNormal() {
  const density = (/** @type {number} */ x) => Math.exp(-0.5 * x * x),
    edges = new Float64Array(256),
    width = new Float64Array(256),
    sure = new Float64Array(256),
    height = new Float64Array(256),
    lowest = AREA / density(TAIL);
  edges[255] = TAIL;
  for (let i = 254; i > 0; i--)
    edges[i] = Math.sqrt(-2 * Math.log(AREA / edges[i + 1] + density(edges[i + 1])));
  for (let i = 1; i < 256; i++) {
    width[i] = edges[i] / UNIT;
    height[i] = density(edges[i]);
    sure[i] = Math.trunc((edges[i - 1] / edges[i]) * UNIT);
  }
  width[0] = lowest / UNIT;
  height[0] = 1;
  sure[0] = Math.trunc((TAIL / lowest) * UNIT);
  return {width, sure, height};
}

/** @type {ReturnType<typeof layersOfNormal> | undefined} */
let normal;

// numpy.random.default_rng(seed)
export class Generator {
  /** @type {number | null} */ half = null; // unused half of the last 64 bits

  /** @param {number | number[]} seed */
  constructor(seed) {
    const words = seedWords([seed].flat(), 8).map(BigInt);
    const [high, low, streamHigh, streamLow] = [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
    this.increment = ((((streamHigh << 64n) | streamLow) << 1n) | 1n) & MASK_128;
    this.state = 0n;
    this.advance();
    this.state = (this.state + ((high << 64n) | low)) & MASK_128;
    this.advance();
  }

  copy() {
    const {state, half} = this;
    return {state, half};
  }

  /** @param {{state: bigint, half: number | null}} copied */
  restore(copied) {
    Object.assign(this, copied);
  }

  advance() {
    this.state = (this.state * MULTIPLIER + this.increment) & MASK_128;
  }

  // 64 bits, as `integers(0, 2**64)` draws them
  next64() {
    this.advance();
    const value = (this.state >> 64n) ^ (this.state & MASK_64),
      turn = this.state >> 122n;
    return ((value >> turn) | (value << ((64n - turn) & 63n))) & MASK_64;
  }

  next32() {
    if (this.half !== null) {
      const {half} = this;
      this.half = null;
      return half;
    }
    const both = this.next64();
    this.half = Number(both >> 32n);
    return Number(both & 0xffffffffn);
  }

  // A uniform integer from 0 to `most`, below 2^32, by rejection
  /** @param {number} most */
  upTo(most) {
    const mask = most && 0xffffffff >>> Math.clz32(most);
    for (;;) {
      const value = most && (this.next32() & mask) >>> 0;
      if (value <= most) return value;
    }
  }

  // A uniform integer below `n`, at most 2^32, as `integers(0, n)` draws it (Lemire 2019)
  /** @param {number} n */
  below(n) {
    const least = (2 ** 32 - n) % n;
    for (;;) {
      const product = BigInt(this.next32()) * BigInt(n);
      if (n === 1 || Number(product & 0xffffffffn) >= least) return Number(product >> 32n);
    }
  }

  // n fair bits, as `integers(0, 2, n, dtype=uint8)` draws them: a byte each
  /** @param {number} n */
  coins(n) {
    const coins = new Uint8Array(n);
    let bytes = 0;
    for (let i = 0; i < n; i++) {
      bytes = i % 4 ? bytes >>> 8 : this.next32();
      coins[i] = (bytes >> 7) & 1;
    }
    return coins;
  }

  // Numbers in [0, 1), as `random(n)` draws them
  /** @param {number} n */
  uniforms(n) {
    return Float64Array.from({length: n}, () => Number(this.next64() >> 11n) * 2 ** -53);
  }

  // Normal numbers, as `standard_normal(n)` draws them but for rounding
  /** @param {number} n */
  normals(n) {
    const {width, sure, height} = (normal ??= layersOfNormal()),
      uniform = () => Number(this.next64() >> 11n) * 2 ** -53;
    return Float64Array.from({length: n}, () => {
      for (;;) {
        const word = this.next64(),
          layer = Number(word & 255n),
          sign = word & 256n ? -1 : 1,
          share = Number((word >> 9n) & 0xfffffffffffffn),
          x = share * width[layer];
        if (share < sure[layer]) return sign * x;
        if (layer) {
          if ((height[layer - 1] - height[layer]) * uniform() + height[layer] < Math.exp(-0.5 * x * x))
            return sign * x;
          continue;
        }
        for (;;) {
          const far = -Math.log1p(-uniform()) / TAIL,
            other = -Math.log1p(-uniform());
          if (2 * other > far * far) return Math.floor(share / 256) % 2 ? -(TAIL + far) : TAIL + far;
        }
      }
    });
  }

  // Numbers in [0, 1) in single precision, as `random(n, dtype=float32)` draws them
  /** @param {number} n */
  floats(n) {
    return Float32Array.from({length: n}, () => (this.next32() >>> 8) * 2 ** -24);
  }

  // A list in a random order, as `permuted` draws it
  /** @param {Int32Array} list */
  permuted(list) {
    const shuffled = list.slice();
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.upTo(i);
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    return shuffled;
  }
}
