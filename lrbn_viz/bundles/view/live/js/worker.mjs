// dd21029321c3255caf411e2b81580bc34c8c5b1f00ffca288ad6c97fc1762115
"use strict";
(() => {
  var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, min_flip_gain: 1e-9, held_log_odds: 1e3, mean_change: 1e-3, min_relative_gain: 1e-10, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
  var facts = constants_default.visible_units;
  var sigmoid = (z) => 1 / (1 + Math.exp(-z));
  var softplus = (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
  var bernoulli = { ...facts.bernoulli, mean: sigmoid, raise: (a, w) => softplus(a + w) - softplus(a), evidence: (x, b, w) => w * x, alone: (b, w) => softplus(b) - softplus(b + w), byOthers: (x, a, w) => softplus(a) - softplus(a + w), product: { share: (x, a) => [sigmoid(-a), sigmoid(a)], rate: 1, sign: -1 } };
  var gaussian = { ...facts.gaussian, mean: (a) => a, raise: (a, w) => w * a + w ** 2 / 2, evidence: (x, b, w) => w * (x - b), alone: (b, w) => -(w ** 2) / 2, byOthers: (x, a, w) => -w * a };
  var logOn = (a) => Math.log(-Math.expm1(-a));
  var noisyOr = { ...facts["noisy-or"], mean: (a) => -Math.expm1(-a), raise: (a, w) => w, evidence: (x, b, w) => x ? w + logOn(b + w) - logOn(b) : 0, alone: (b, w) => -w, byOthers: (x, a, w) => x ? w + logOn(a + w) - logOn(a) : 0, product: { share: (x, a) => x ? [-1 / Math.expm1(-a), -1 / Math.expm1(a)] : [1, 0], rate: -1, sign: 1 } };
  var UNITS = { bernoulli, gaussian, "noisy-or": noisyOr };
  var BLOCK = 8;
  var PLACES = 4;
  var GROWS_BY = 65536;
  var BYTES = 8;
  var Kernel = class {
    memory = new WebAssembly.Memory({ initial: 1 });
    used = BYTES;
    exponent = new Int32Array(this.memory.buffer, 0, 1);
    constructor(bytes) {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { __linear_memory: this.memory } });
      this.functions = exports;
    }
    room(n) {
      const { memory, used } = this, lacking = used + n * BYTES - memory.buffer.byteLength;
      if (lacking > 0) {
        memory.grow(Math.ceil(lacking / GROWS_BY));
        this.exponent = new Int32Array(memory.buffer, 0, 1);
      }
      this.used += n * BYTES;
      return used;
    }
    numbers(at, n) {
      return new Float64Array(this.memory.buffer, at, n);
    }
  };
  var kernel = null;
  function useKernel(bytes) {
    try {
      kernel = bytes && new Kernel(bytes);
    } catch {
      kernel = null;
    }
    return kernel !== null;
  }
  var KernelLayer = class _KernelLayer {
    owners = new Array(PLACES).fill(null);
    turn = 0;
    constructor(kernel2, { n_v, n_h, W, factor }) {
      const n = this.n = Math.ceil(n_v / BLOCK) * BLOCK;
      this.kernel = kernel2;
      this.n_v = n_v;
      this.places = kernel2.room(3 * n * PLACES);
      this.W = kernel2.room(n_h * n);
      this.factor = kernel2.room(n_h * n);
      const weights = kernel2.numbers(this.W, n_h * n), factors = kernel2.numbers(this.factor, n_h * n).fill(1);
      for (let j = 0; j < n_h; j++) {
        weights.set(W.subarray(j * n_v, (j + 1) * n_v), j * n);
        factors.set(factor.subarray(j * n_v, (j + 1) * n_v), j * n);
      }
    }
    static of(params) {
      return kernel && !params.gaussian && params.steps.every((step) => step >= BLOCK) ? new _KernelLayer(kernel, params) : null;
    }
  };
  var KernelPixels = class {
    place = -1;
    constructor(layer) {
      this.layer = layer;
    }
    get kept() {
      return this.place >= 0 && this.layer.owners[this.place] === this;
    }
    at(part) {
      return this.layer.places + (3 * this.place + part) * this.layer.n * BYTES;
    }
    get activation() {
      return this.layer.kernel.numbers(this.at(0), this.layer.n_v);
    }
    set(a) {
      const { layer, layer: { n, kernel: kernel2 } } = this;
      if (!this.kept) {
        this.place = layer.turn = (layer.turn + 1) % PLACES;
        layer.owners[this.place] = this;
      }
      const kept = kernel2.numbers(this.at(0), n).fill(0);
      kept.set(a);
      this.shift(0, 0);
    }
    shift(j, sign) {
      const { kernel: kernel2, W, n } = this.layer;
      kernel2.functions.shift(this.at(0), this.at(1), this.at(2), W + j * n * BYTES, sign, n);
    }
    raised(j, sign, step) {
      const { kernel: kernel2, factor, n } = this.layer, up = sign > 0 ? 1 : 2;
      const mantissa = kernel2.functions.raised(this.at(3 - up), this.at(up), factor + j * n * BYTES, n, step - step % BLOCK, 0);
      return Math.log(mantissa) + kernel2.exponent[0] * Math.LN2;
    }
  };
  var LOG_2PI = Math.log(2 * Math.PI);
  var REFRESH_FLIPS = 1024;
  var PRODUCT_LIMIT = 1e150;
  var MAX_LOG_SUM = 300;
  var softplus2 = (a) => Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
  var prepared = /* @__PURE__ */ new WeakMap();
  function prepare(layer) {
    const known = prepared.get(layer);
    if (known) return known;
    const { n_v, n_h, b, d } = layer, gaussian2 = layer.visible === "gaussian", W = Float64Array.from(layer.exact);
    const weight = new Float64Array(n_h), steps = new Uint16Array(n_h), factor = gaussian2 ? W : W.map(Math.exp);
    for (let j = 0; j < n_h; j++) {
      let most = 0;
      for (let i = j * n_v; i < (j + 1) * n_v; i++) {
        weight[j] += W[i];
        most = Math.max(most, Math.abs(W[i]));
      }
      steps[j] = Math.min(64, Math.floor(MAX_LOG_SUM / most));
    }
    const gram = new Float64Array(gaussian2 ? n_h * n_h : 0);
    if (gaussian2) {
      for (let j = 0; j < n_h; j++) {
        for (let k = 0; k < j; k++) {
          let sum = 0;
          for (let i = 0; i < n_v; i++) sum += W[j * n_v + i] * W[k * n_v + i];
          gram[j * n_h + k] = gram[k * n_h + j] = sum;
        }
      }
    }
    const found = { gaussian: gaussian2, n_v, n_h, W, factor, weight, gram, steps, b, d }, params = { ...found, fast: layer.brief ? null : KernelLayer.of(found) };
    prepared.set(layer, params);
    return params;
  }
  function placesOn(x) {
    const places = [];
    for (let i = 0; i < x.length; i++) {
      if (x[i] === 1) places.push(i);
      else if (x[i] !== 0) return null;
    }
    return Int32Array.from(places);
  }
  function evidence({ gaussian: gaussian2, n_v, n_h, W, b, d }, x, prior) {
    const found = new Float64Array(n_h), on = gaussian2 ? null : placesOn(x);
    for (let j = 0; j < n_h; j++) {
      let sum = 0;
      const row = j * n_v;
      if (on) for (let p = 0; p < on.length; p++) sum += W[row + on[p]];
      else if (gaussian2) for (let i = 0; i < n_v; i++) sum += W[row + i] * (x[i] - b[i] - 0.5 * W[row + i]);
      else for (let i = 0; i < n_v; i++) sum += W[row + i] * x[i];
      found[j] = sum + d[j] + (prior ? prior[j] - d[j] : 0);
    }
    return found;
  }
  function activation({ n_v, n_h, exact: W, b }, h) {
    const a = Float64Array.from(b);
    for (let j = 0; j < n_h; j++) if (h[j]) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += h[j] * W[row + i];
    return a;
  }
  var Pixels = class {
    constructor(params) {
      this.params = params;
      this.activation = new Float64Array(params.n_v);
      this.on = new Float64Array(params.n_v);
      this.off = new Float64Array(params.n_v);
    }
    get kept() {
      return true;
    }
    set(a) {
      this.activation.set(a);
      this.shift(0, 0);
    }
    shift(j, sign) {
      const { params: { n_v, W }, activation: a, on, off } = this, row = j * n_v;
      for (let i = 0; i < n_v; i++) {
        const value = a[i] += sign * W[row + i], t = Math.exp(-Math.abs(value)), large = 1 / (1 + t), small = t * large;
        on[i] = value > 0 ? large : small;
        off[i] = value > 0 ? small : large;
      }
    }
    raised(j, sign, step) {
      const { params: { n_v, factor } } = this, row = j * n_v, up = sign > 0 ? this.on : this.off, down = sign > 0 ? this.off : this.on;
      let total = 0, product2 = 1;
      for (let start = 0; start < n_v; start += step) {
        const stop = Math.min(start + step, n_v);
        for (let i = start; i < stop; i++) product2 *= down[i] + up[i] * factor[row + i];
        if (product2 > PRODUCT_LIMIT || product2 < 1 / PRODUCT_LIMIT) {
          total += Math.log(product2);
          product2 = 1;
        }
      }
      return total + Math.log(product2);
    }
  };
  var InferenceState = class _InferenceState {
    sinceRefresh = 0;
    constructor(params, x, latent, prior, known) {
      const { gaussian: gaussian2, n_v, n_h, b } = params;
      this.params = params;
      this.latent = latent;
      this.evidence = known;
      let base = 0;
      for (let i = 0; i < n_v; i++) base += gaussian2 ? -0.5 * (x[i] - b[i]) ** 2 - 0.5 * LOG_2PI : x[i] * b[i];
      for (const logOdds of prior ?? params.d) base -= softplus2(logOdds);
      this.base = base;
      this.pixels = gaussian2 ? null : params.fast ? new KernelPixels(params.fast) : new Pixels(params);
      this.coupling = new Float64Array(gaussian2 ? n_h : 0);
      for (let j = 0; j < this.coupling.length; j++) for (let k = 0; k < n_h; k++) if (latent[k]) this.coupling[j] += params.gram[j * n_h + k];
      this.refresh();
    }
    static of(params, x, latent) {
      return new _InferenceState(params, x, latent, null, evidence(params, x, null));
    }
    refresh() {
      this.sinceRefresh = 0;
      const { params: { n_v, n_h, W, b }, latent, pixels } = this;
      if (!pixels) return;
      const a = Float64Array.from(b);
      for (let j = 0; j < n_h; j++) if (latent[j]) for (let i = 0, row = j * n_v; i < n_v; i++) a[i] += W[row + i];
      pixels.set(a);
    }
    explained(j, sign) {
      const { pixels, params: { n_v, W, weight, steps } } = this, row = j * n_v, step = steps[j];
      if (!pixels) return sign * this.coupling[j];
      if (!pixels.kept) this.refresh();
      if (step) return pixels.raised(j, sign, step) - (sign < 0 ? weight[j] : 0);
      const { activation: a } = pixels;
      let total = 0;
      for (let i = 0; i < n_v; i++) total += softplus2(a[i] + sign * W[row + i]) - softplus2(a[i]);
      return total;
    }
    logOdds(j) {
      return this.latent[j] ? this.evidence[j] + this.explained(j, -1) : this.evidence[j] - this.explained(j, 1);
    }
    flip(j) {
      const { params: { n_h, gram }, latent, coupling, pixels } = this, sign = latent[j] ? -1 : 1;
      latent[j] = 1 - latent[j];
      if (!pixels) for (let k = 0; k < n_h; k++) coupling[k] += sign * gram[j * n_h + k];
      if (!pixels) return;
      if (++this.sinceRefresh >= REFRESH_FLIPS || !pixels.kept) this.refresh();
      else pixels.shift(j, sign);
    }
    logJoint() {
      let total = this.base;
      for (let j = 0; j < this.latent.length; j++) if (this.latent[j]) total += this.evidence[j] - (this.params.gaussian ? 0.5 * this.coupling[j] : 0);
      if (this.pixels && !this.pixels.kept) this.refresh();
      for (const a of this.pixels?.activation ?? []) total -= softplus2(a);
      return total;
    }
  };
  var { min_flip_gain: MIN_FLIP_GAIN } = constants_default;
  function startLatents(params, known, start, rng) {
    const { n_h, n_v, gaussian: gaussian2 } = params;
    if (typeof start !== "string") return Uint8Array.from(start);
    if (start === "zeros") return new Uint8Array(n_h);
    if (start === "random") return rng.coins(n_h);
    if (start === "paper" || gaussian2) return Uint8Array.from(known, (logOdds) => Number(logOdds > 0));
    if (start !== "conditional") throw new Error(`expected conditional, paper, zeros, random or states, got ${start}`);
    const off = new InferenceState(params, new Uint8Array(n_v), new Uint8Array(n_h), null, new Float64Array(n_h));
    rng.stream();
    return Uint8Array.from(known, (logOdds, j) => Number(logOdds > off.explained(j, 1)));
  }
  function updateLatents(layer, x, start, order, temperatures, held, rng, prior = null) {
    const params = prepare(layer), known = evidence(params, x, prior);
    const latent = startLatents(params, known, start, rng);
    let stream = rng.stream();
    if (held.size) stream = rng.stream();
    for (const [unit, value] of held) latent[unit] = value;
    const state = new InferenceState(params, x, latent, prior, known), free = Int32Array.from(latent.keys()).filter((j) => !held.has(j)), n_free = free.length;
    const trace = { h0: latent.slice(), unit: [], after: [], flipped: [], logOdds: [], logJoint: [state.logJoint()], sweep: [], converged: n_free === 0, sampled: false, means: false, atOnce: order === "parallel" };
    let total = trace.logJoint[0], unchanged = 0;
    const atOnce = new Float64Array(n_free);
    const visit = (j, logOdds, t) => {
      const before = latent[j], temperature = temperatures[t];
      let after = before;
      if (temperature === 0) after = before ? Number(!(logOdds < -MIN_FLIP_GAIN)) : Number(logOdds > MIN_FLIP_GAIN);
      else {
        const uniform = stream.next();
        after = Number(logOdds > temperature * Math.log(uniform / (1 - uniform)));
        trace.sampled = true;
      }
      if (after !== before) {
        const change = order === "parallel" ? state.logOdds(j) : logOdds;
        state.flip(j);
        total += after ? change : -change;
        if (!params.gaussian && state.sinceRefresh === 0) total = state.logJoint();
      }
      trace.unit.push(j);
      trace.after.push(after);
      trace.flipped.push(after !== before);
      trace.logOdds.push(logOdds);
      trace.logJoint.push(total);
      trace.sweep.push(t);
      unchanged = after !== before || temperature > 0 ? 0 : unchanged + 1;
    };
    for (let t = 0; t < temperatures.length && n_free; t++) {
      const units = order === "random" ? rng.permuted(free) : free;
      if (order === "parallel") units.forEach((j, p) => {
        atOnce[p] = state.logOdds(j);
      });
      for (let position = 0; position < n_free; position++) {
        if (order === "greedy") {
          let best = -1, gain = 0, logOdds = 0;
          for (const j2 of units) {
            const found = state.logOdds(j2), here = latent[j2] ? -found : found;
            if (here > gain + MIN_FLIP_GAIN) [best, gain, logOdds] = [j2, here, found];
          }
          if (best < 0) return { ...trace, converged: true };
          visit(best, logOdds, t);
          continue;
        }
        const j = units[position];
        visit(j, order === "parallel" ? atOnce[position] : state.logOdds(j), t);
        if (unchanged >= n_free && (order === "sequential" || position === n_free - 1)) return { ...trace, converged: true };
      }
    }
    return trace;
  }
  function summedOut({ layers: [layer] }, x) {
    const { n_h, n_v, exact: W, b, d, visible, precision } = layer, { raise } = UNITS[visible], gaussian2 = visible === "gaussian", h = new Uint8Array(n_h), fixed = Float64Array.from(d), u = new Float64Array(n_v), unknown = Array.from(x, (_, i) => i).filter((i) => Number.isNaN(x[i]));
    let total = 0;
    for (let i = 0; i < n_v; i++) {
      if (Number.isNaN(x[i])) continue;
      const scale = precision?.[i] ?? 1;
      total += gaussian2 ? -0.5 * (x[i] - b[i]) ** 2 * scale : x[i] * b[i];
      for (let j = 0; j < n_h; j++) fixed[j] += W[j * n_v + i] * x[i] * scale;
    }
    if (gaussian2) for (const i of unknown) total += 0.5 * Math.log(2 * Math.PI / (precision?.[i] ?? 1));
    else for (const i of unknown) total += softplus(b[i]);
    const trace = { h0: h.slice(), unit: [], after: [], flipped: [], logOdds: [], logJoint: [total], sweep: [], converged: true, sampled: false, means: false, atOnce: false };
    for (let k = 0, unchanged = 0; unchanged < n_h; k++) {
      const j = k % n_h, before = h[j];
      let logOdds = fixed[j];
      for (const i of unknown) {
        const w = W[j * n_v + i];
        logOdds += raise(b[i] + u[i] - before * w, w) * (precision?.[i] ?? 1);
      }
      const after = before ? Number(!(logOdds < -MIN_FLIP_GAIN)) : Number(logOdds > MIN_FLIP_GAIN);
      if (after !== before) {
        total += after ? logOdds : -logOdds;
        h[j] = after;
        for (const i of unknown) u[i] += (after - before) * W[j * n_v + i];
      }
      unchanged = after === before ? unchanged + 1 : 0;
      trace.unit.push(j);
      trace.after.push(after);
      trace.flipped.push(after !== before);
      trace.logOdds.push(logOdds);
      trace.logJoint.push(total);
      trace.sweep.push(Math.floor(k / n_h));
    }
    return trace;
  }
  function factorised(layer, x) {
    const { n_h, n_v, exact: W, b, d, visible, precision } = layer, gaussian2 = visible === "gaussian", logOdds = new Float64Array(n_h), on = gaussian2 ? null : placesOn(x);
    const said = precision ? Float64Array.from(x, (value, i) => value * precision[i]) : x;
    let total = 0;
    for (let i = 0; i < n_v; i++) total += gaussian2 ? -0.5 * (x[i] - b[i]) ** 2 * (precision?.[i] ?? 1) : x[i] * b[i];
    const logJoint2 = [total];
    for (let j = 0; j < n_h; j++) {
      let sum = 0;
      const row = j * n_v;
      if (on) for (let p = 0; p < on.length; p++) sum += W[row + on[p]];
      else for (let i = 0; i < n_v; i++) sum += said[i] * W[row + i];
      logOdds[j] = sum + d[j];
      total += Math.max(logOdds[j], 0);
      logJoint2.push(total);
    }
    const after = Array.from(logOdds, (value) => Number(value > 0));
    return { h0: new Uint8Array(n_h), unit: Array.from(after.keys()), after, flipped: after.map(Boolean), logOdds: Array.from(logOdds), logJoint: logJoint2, sweep: after.map(() => 0), converged: true, sampled: false, means: false, atOnce: false };
  }
  var MASK_64 = (1n << 64n) - 1n;
  var MASK_128 = (1n << 128n) - 1n;
  var MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
  var GOLDEN = 0x9e3779b97f4a7c15n;
  var MIX_1 = 0xbf58476d1ce4e5b9n;
  var MIX_2 = 0x94d049bb133111ebn;
  function seedWords(seed, n) {
    const entropy = [];
    for (let rest = BigInt(seed); rest > 0n || !entropy.length; rest >>= 32n) entropy.push(Number(rest & 0xffffffffn));
    let constant = 1135663077;
    const hashed = (value) => {
      value = (value ^ constant) >>> 0;
      constant = Math.imul(constant, 2468251765) >>> 0;
      value = Math.imul(value, constant) >>> 0;
      return (value ^ value >>> 16) >>> 0;
    };
    const mixed = (a, b) => {
      const value = Math.imul(3389127133, a) - Math.imul(1232336661, b) >>> 0;
      return (value ^ value >>> 16) >>> 0;
    };
    const pool = [0, 1, 2, 3].map((i) => hashed(entropy[i] ?? 0));
    for (let from = 0; from < 4; from++) for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
    for (const word of entropy.slice(4)) for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word));
    constant = 2337405405;
    return Array.from({ length: n }, (_, i) => {
      let value = (pool[i % 4] ^ constant) >>> 0;
      constant = Math.imul(constant, 1492356589) >>> 0;
      value = Math.imul(value, constant) >>> 0;
      return (value ^ value >>> 16) >>> 0;
    });
  }
  var Generator = class {
    half = null;
    constructor(seed) {
      const words = seedWords(seed, 8).map(BigInt);
      const [high, low, streamHigh, streamLow] = [0, 2, 4, 6].map((i) => words[i] | words[i + 1] << 32n);
      this.increment = ((streamHigh << 64n | streamLow) << 1n | 1n) & MASK_128;
      this.state = 0n;
      this.advance();
      this.state = this.state + (high << 64n | low) & MASK_128;
      this.advance();
    }
    advance() {
      this.state = this.state * MULTIPLIER + this.increment & MASK_128;
    }
    next64() {
      this.advance();
      const value = this.state >> 64n ^ this.state & MASK_64, turn = this.state >> 122n;
      return (value >> turn | value << (64n - turn & 63n)) & MASK_64;
    }
    next32() {
      if (this.half !== null) {
        const { half } = this;
        this.half = null;
        return half;
      }
      const both = this.next64();
      this.half = Number(both >> 32n);
      return Number(both & 0xffffffffn);
    }
    upTo(most) {
      const mask = most && 4294967295 >>> Math.clz32(most);
      for (; ; ) {
        const value = most && (this.next32() & mask) >>> 0;
        if (value <= most) return value;
      }
    }
    coins(n) {
      const coins = new Uint8Array(n);
      let bytes = 0;
      for (let i = 0; i < n; i++) {
        bytes = i % 4 ? bytes >>> 8 : this.next32();
        coins[i] = bytes >> 7 & 1;
      }
      return coins;
    }
    uniforms(n) {
      return Float64Array.from({ length: n }, () => Number(this.next64() >> 11n) * 2 ** -53);
    }
    permuted(list) {
      const shuffled = list.slice();
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = this.upTo(i);
        [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
      }
      return shuffled;
    }
    stream() {
      return new Stream(this.next64());
    }
  };
  var Stream = class {
    constructor(state) {
      this.state = state;
    }
    next() {
      let z = this.state = this.state + GOLDEN & MASK_64;
      z = (z ^ z >> 30n) * MIX_1 & MASK_64;
      z = (z ^ z >> 27n) * MIX_2 & MASK_64;
      z ^= z >> 31n;
      return (Number(z >> 11n) + 0.5) * 2 ** -53;
    }
  };
  function packBits(bits) {
    const bytes = new Uint8Array(Math.ceil(bits.length / 8));
    for (let i = 0; i < bits.length; i++) if (bits[i]) bytes[i >> 3] |= 128 >> (i & 7);
    return bytes;
  }
  var isWhole = (x) => !Array.prototype.some.call(x, Number.isNaN);
  function logJoint(layers, x, H) {
    let total = 0, below = x;
    layers.forEach((layer, n) => {
      const a = activation(layer, H[n]);
      if (layer.visible === "gaussian") for (let i = 0; i < a.length; i++) total -= 0.5 * ((below[i] - a[i]) ** 2 + Math.log(2 * Math.PI));
      else for (let i = 0; i < a.length; i++) total += below[i] * a[i] - softplus2(a[i]);
      if (n === layers.length - 1) for (let j = 0; j < layer.n_h; j++) total += H[n][j] * layer.d[j] - softplus2(layer.d[j]);
      below = H[n];
    });
    return total;
  }
  function updateLayers(layers, x, start, order, temperatures, held, rng) {
    const H = [];
    for (const layer of layers) {
      const below = H.at(-1) ?? x, params = prepare(layer);
      if (typeof start !== "string") H.push(Uint8Array.from({ length: layer.n_h }, (_, j) => start[layer.first + j]));
      else {
        H.push(startLatents(params, evidence(params, below, null), start, rng));
        rng.stream();
      }
    }
    const holds = layers.map(({ first, n_h }) => new Map(Array.from(held, ([unit, value]) => [unit - first, value]).filter(([unit]) => unit >= 0 && unit < n_h)));
    holds.forEach((of, n) => {
      for (const [unit, value] of of) H[n][unit] = value;
    });
    const joined = new Uint8Array(H.reduce((sum, h) => sum + h.length, 0));
    layers.forEach(({ first }, n) => joined.set(H[n], first));
    let joint = logJoint(layers, x, H);
    const trace = { h0: joined, unit: [], after: [], flipped: [], logOdds: [], logJoint: [joint], sweep: [], converged: false, sampled: false, means: false, atOnce: false };
    for (let t = 0; t < temperatures.length; t++) {
      let moved = false;
      layers.forEach((layer, n) => {
        const prior = n < layers.length - 1 ? activation(layers[n + 1], H[n + 1]) : null;
        const part = updateLatents(layer, n ? H[n - 1] : x, H[n], order, [temperatures[t]], holds[n], rng, prior);
        const rest = joint - part.logJoint[0];
        part.unit.forEach((j, k) => {
          H[n][j] = part.after[k];
          trace.unit.push(layer.first + j);
          trace.after.push(part.after[k]);
          trace.flipped.push(part.flipped[k]);
          trace.logOdds.push(part.logOdds[k]);
          trace.logJoint.push(part.logJoint[k + 1] + rest);
          trace.sweep.push(t);
          moved ||= part.flipped[k];
        });
        trace.sampled ||= part.sampled;
        joint = logJoint(layers, x, H);
      });
      if (temperatures[t] === 0 && !moved) return { ...trace, converged: true };
    }
    return trace;
  }
  var { mean_change: MEAN_CHANGE, min_relative_gain: MIN_RELATIVE_GAIN, max_exact_interactive: MAX_EXACT } = constants_default;
  var LOG_2PI2 = Math.log(2 * Math.PI);
  var sigmoid2 = (a) => {
    const t = Math.exp(-Math.abs(a));
    return (a >= 0 ? 1 : t) / (1 + t);
  };
  var logAddExp = (a, b) => a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
  var logFactor = (q, power) => logAddExp(Math.log1p(-q), Math.log(q) + power);
  var surprise = (p) => -p * Math.log(Math.max(p, 1e-300));
  var Moments = class {
    constructor(layer, x, q) {
      const { n_v, n_h, W, d } = this.params = prepare(layer);
      this.x = x;
      this.q = Float64Array.from(q);
      this.W = W;
      this.n_v = n_v;
      this.n_h = n_h;
      this.mean = new Float64Array(n_v);
      this.variance = new Float64Array(n_v);
      this.fixed = d.reduce((sum, logOdds) => sum + softplus2(logOdds), 0);
    }
    refresh() {
      const { mean, variance, q, W, n_v, n_h, params: { b } } = this;
      mean.set(b);
      variance.fill(0);
      for (let j = 0; j < n_h; j++) {
        const m = q[j], v = m * (1 - m);
        if (m) for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
          mean[i] += m * W[at];
          variance[i] += v * W[at] * W[at];
        }
      }
    }
    move(j, to) {
      const { mean, variance, q, W, n_v } = this, old = q[j], change = to - old, spread = to * (1 - to) - old * (1 - old);
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
        mean[i] += W[at] * change;
        variance[i] += W[at] * W[at] * spread;
      }
      q[j] = to;
    }
    get entropy() {
      return this.q.reduce((sum, p) => sum + surprise(p) + surprise(1 - p), 0);
    }
    get latents() {
      return this.q.reduce((sum, p, j) => sum + p * this.params.d[j], 0) - this.fixed + this.entropy;
    }
  };
  var QuadraticMoments = class extends Moments {
    bound() {
      let total = 0;
      for (let i = 0; i < this.n_v; i++) {
        const xi = this.root(i);
        total += (this.x[i] - 0.5) * this.mean[i] + 0.5 * xi - softplus2(xi);
      }
      return total + this.latents;
    }
    root(i) {
      return Math.sqrt(Math.max(this.mean[i] ** 2 + this.variance[i], 1e-24));
    }
    logOdds(j) {
      const { W, n_v, mean, x, q: { [j]: q }, params: { d } } = this;
      let sum = d[j];
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
        const xi = this.root(i), w = W[at];
        sum += (x[i] - 0.5) * w - Math.tanh(0.5 * xi) / (2 * xi) * (w * (mean[i] - q * w) + 0.5 * w * w);
      }
      return sum;
    }
  };
  var LayerMoments = class {
    constructor([low, high], x, q) {
      this.n_h = low.n_h;
      this.lower = new QuadraticMoments({ ...low, d: new Float64Array(low.n_h) }, x, q.subarray(0, low.n_h));
      this.upper = new QuadraticMoments(high, this.lower.q, q.subarray(low.n_h));
    }
    get q() {
      return Float64Array.from([...this.lower.q, ...this.upper.q]);
    }
    refresh() {
      this.lower.refresh();
      this.upper.refresh();
    }
    move(j, to) {
      if (j < this.n_h) this.lower.move(j, to);
      else this.upper.move(j - this.n_h, to);
    }
    bound() {
      return this.lower.bound() + this.n_h * Math.LN2 + this.upper.bound();
    }
    logOdds(j) {
      return j < this.n_h ? this.lower.logOdds(j) + this.upper.mean[j] : this.upper.logOdds(j - this.n_h);
    }
  };
  var TopMoments = class extends QuadraticMoments {
    constructor({ layers: [layer], top }, x, q) {
      super(layer, x, q);
      if (!top) throw new Error("a deep belief network has an RBM on top");
      this.top = top;
      this.upper = new Float64Array(top.e.length);
    }
    refresh() {
      super.refresh();
      const { top: { U, e }, upper, q } = this;
      upper.set(e);
      for (let j = 0; j < q.length; j++) for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) upper[k] += q[j] * U[at];
    }
    move(j, to) {
      const { top: { U }, upper } = this, by = to - this.q[j];
      for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) upper[k] += by * U[at];
      super.move(j, to);
    }
    bound() {
      return super.bound() + this.fixed + this.upper.reduce((sum, a) => sum + softplus2(a), 0);
    }
    logOdds(j) {
      const { top: { U }, upper } = this;
      let sum = super.logOdds(j);
      for (let k = 0, at = j * upper.length; k < upper.length; k++, at++) sum += U[at] * sigmoid2(upper[k]);
      return sum;
    }
  };
  var LayerMeans = class {
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
      const { low, high, q, lower, upper } = this;
      lower.set(this.field);
      upper.set(high.d);
      for (let k = 0; k < high.n_h; k++) for (let j = 0, at = k * low.n_h; j < low.n_h; j++, at++) {
        lower[j] += q[low.n_h + k] * high.exact[at];
        upper[k] += q[j] * high.exact[at];
      }
    }
    move(j, to) {
      const { low: { n_h }, high, q, lower, upper } = this, by = to - q[j];
      q[j] = to;
      if (j < n_h) for (let k = 0; k < upper.length; k++) upper[k] += by * high.exact[k * n_h + j];
      else for (let i = 0; i < n_h; i++) lower[i] += by * high.exact[(j - n_h) * n_h + i];
    }
    bound() {
      const { low: { n_h }, high, q, lower } = this;
      let total = this.ofImage;
      for (let j = 0; j < q.length; j++) total += q[j] * (j < n_h ? lower[j] : high.d[j - n_h]) + surprise(q[j]) + surprise(1 - q[j]);
      return total;
    }
    logOdds(j) {
      return j < this.low.n_h ? this.lower[j] : this.upper[j - this.low.n_h];
    }
  };
  function fieldOf({ n_v, n_h, exact: W, d }, x) {
    const field = Float64Array.from(d);
    for (let j = 0; j < n_h; j++) for (let i = 0, at = j * n_v; i < n_v; i++, at++) field[j] += x[i] * W[at];
    return field;
  }
  function passUp({ layers: [low, high] }, x, held) {
    const odds = fieldOf(low, x).map((field, j) => 2 * field - low.d[j]), means = odds.map((value, j) => held.get(j) ?? sigmoid2(value));
    return [...odds, ...fieldOf(high, means)];
  }
  var GaussianMoments = class extends Moments {
    bound() {
      let squares = 0;
      for (let i = 0; i < this.n_v; i++) squares += (this.x[i] - this.mean[i]) ** 2 + this.variance[i] + LOG_2PI2;
      return -0.5 * squares + this.latents;
    }
    logOdds(j) {
      const { W, n_v, mean, x, q, params: { d } } = this;
      let sum = d[j];
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) sum += W[at] * (x[i] - mean[i] + q[j] * W[at]) - 0.5 * W[at] * W[at];
      return sum;
    }
  };
  var ExactMoments = class extends Moments {
    known = [-1, 0, 0];
    constructor(layer, x, q) {
      super(layer, x, q);
      this.joints = allLogJoints(layer, x);
    }
    refresh() {
      this.known = [-1, 0, 0];
    }
    move(j, to) {
      this.q[j] = to;
      if (this.known[0] !== j) this.refresh();
    }
    expected(j) {
      let table = this.joints, columns = 1;
      for (let k = this.n_h - 1; k >= 0; k--) {
        const rows = 1 << k, wide = k === j, next = new Float64Array(rows * columns * (wide ? 2 : 1)), { q } = this;
        for (let row = 0; row < rows; row++) for (let c = 0; c < columns; c++) {
          const low = table[row * columns + c], high = table[(row + rows) * columns + c];
          if (wide) [next[row * 2], next[row * 2 + 1]] = [low, high];
          else next[row * columns + c] = low + q[k] * (high - low);
        }
        table = next;
        if (wide) columns = 2;
      }
      return this.known = [j, table[0], table[1]];
    }
    bound() {
      const [j, off, on] = this.known[0] < 0 ? this.expected(0) : this.known;
      return off + this.q[j] * (on - off) + this.entropy;
    }
    logOdds(j) {
      const [, off, on] = this.expected(j);
      return on - off;
    }
  };
  var TiltedMoments = class extends Moments {
    tilts = null;
    constructor(layer, x, q) {
      super(layer, x, q);
      this.low = new Float64Array(this.n_v);
      this.high = new Float64Array(this.n_v);
    }
    refresh() {
      super.refresh();
      const { mean, variance, n_v } = this, tilts = new Float64Array(n_v);
      for (let i = 0; i < n_v; i++) {
        let z = mean[i] / (1 + 0.25 * variance[i]);
        for (let n = 0; n < 20; n++) {
          const s = sigmoid2(z);
          z -= (z + variance[i] * (s - 0.5) - mean[i]) / (1 + variance[i] * s * (1 - s));
        }
        tilts[i] = sigmoid2(z);
      }
      const { tilts: old } = this, found = this.logarithms(tilts);
      if (old) {
        const before = this.logarithms(old);
        for (let i = 0; i < n_v; i++) {
          const loss = old[i] * mean[i] + logAddExp(before.low[i], before.high[i]);
          if (tilts[i] * mean[i] + logAddExp(found.low[i], found.high[i]) < loss - MIN_RELATIVE_GAIN * (1 + Math.abs(loss))) continue;
          [tilts[i], found.low[i], found.high[i]] = [old[i], before.low[i], before.high[i]];
        }
      }
      Object.assign(this, { tilts, ...found });
    }
    logarithms(tilts) {
      const { n_v, n_h, W, q, params: { b } } = this, low = tilts.map((tilt, i) => -tilt * b[i]), high = tilts.map((tilt, i) => (1 - tilt) * b[i]);
      for (let j = 0; j < n_h; j++) {
        if (!q[j]) continue;
        for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
          low[i] += logFactor(q[j], -tilts[i] * W[at]);
          high[i] += logFactor(q[j], (1 - tilts[i]) * W[at]);
        }
      }
      return { low, high };
    }
    move(j, to) {
      const { low, high, W, n_v, q: { [j]: old } } = this, tilts = this.tilts;
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
        const down = -tilts[i] * W[at], up = (1 - tilts[i]) * W[at];
        low[i] += logFactor(to, down) - logFactor(old, down);
        high[i] += logFactor(to, up) - logFactor(old, up);
      }
      super.move(j, to);
    }
    bound() {
      const { x, mean, low, high } = this, tilts = this.tilts;
      let total = 0;
      for (let i = 0; i < this.n_v; i++) total += (x[i] - tilts[i]) * mean[i] - logAddExp(low[i], high[i]);
      return total + this.latents;
    }
    logOdds(j) {
      const { W, n_v, x, low, high, q: { [j]: q }, params: { d } } = this, tilts = this.tilts;
      let sum = d[j];
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) {
        const down = Math.max(-690, Math.min(690, -tilts[i] * W[at])), up = Math.max(-690, Math.min(690, (1 - tilts[i]) * W[at]));
        const slope = sigmoid2(low[i] - high[i]) * Math.expm1(down) / (1 - q + q * Math.exp(down)) + sigmoid2(high[i] - low[i]) * Math.expm1(up) / (1 - q + q * Math.exp(up));
        sum += (x[i] - tilts[i]) * W[at] - slope;
      }
      return sum;
    }
  };
  function allLogJoints(layer, x) {
    const params = prepare(layer), state = InferenceState.of(params, x, new Uint8Array(params.n_h)), joints = new Float64Array(2 ** params.n_h);
    let total = joints[0] = state.logJoint();
    for (let step = 1, number = 0; step < joints.length; step++) {
      const j = 31 - Math.clz32(step & -step), change = state.logOdds(j);
      state.flip(j);
      number ^= 1 << j;
      total = step % 256 ? total + (number >> j & 1 ? change : -change) : state.logJoint();
      joints[number] = total;
    }
    return joints;
  }
  function momentsOf(model, x, q, bound) {
    const { layers, layers: [layer] } = model, few = layer.n_h <= MAX_EXACT;
    if (bound === "layers") return new LayerMoments(layers, x, q);
    if (bound === "undirected") return new LayerMeans(layers, x, q);
    if (bound === "top") return new TopMoments(model, x, q);
    if (bound === "quadratic" || bound === "few-exact" && !few) return new QuadraticMoments(layer, x, q);
    if (layer.visible === "gaussian") return new GaussianMoments(layer, x, q);
    return few && bound !== "tilted" ? new ExactMoments(layer, x, q) : new TiltedMoments(layer, x, q);
  }
  function meanField(model, x, start, held, sweeps, bound = "", guess = null) {
    const begun = Float64Array.from(start);
    for (const [unit, value] of held) begun[unit] = value;
    const moments = momentsOf(model, x, begun, bound), units = Array.from(begun.keys()).filter((j) => !held.has(j)), q = begun.slice();
    moments.refresh();
    const trace = { h0: begun, unit: [], after: [], flipped: [], logOdds: [], logJoint: [moments.bound()], sweep: [], converged: true, sampled: false, means: true, atOnce: false };
    for (let t = 0; t < sweeps + Number(guess !== null); t++) {
      const guessed = t ? null : guess;
      moments.refresh();
      let most = 0;
      for (const j of units) {
        const logOdds = guessed ? guessed[j] : moments.logOdds(j), mean = sigmoid2(logOdds), change = Math.abs(mean - q[j]);
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
      trace.converged = most <= MEAN_CHANGE || guessed !== null && sweeps === 0;
      if (!guessed && trace.converged) break;
    }
    return trace;
  }
  function guesses({ layers, recognition = [] }, x, held) {
    const found = [];
    let below = Float64Array.from(x);
    layers.forEach(({ first, n_v, n_h }, n) => {
      const { V, c } = recognition[n], odds = Float64Array.from(c);
      for (let j = 0; j < n_h; j++) for (let i = 0, at = j * n_v; i < n_v; i++, at++) odds[j] += below[i] * V[at];
      found.push(...odds);
      below = odds.map((value, j) => held.get(first + j) ?? sigmoid2(value));
    });
    return found;
  }
  function startMeans(layer, x, start, rng) {
    const params = prepare(layer), off = InferenceState.of(params, x, new Uint8Array(params.n_h));
    if (start === "paper" || start === "conditional" && params.gaussian) return off.evidence.map(sigmoid2);
    if (start === "conditional") return Float64Array.from(off.latent, (_, j) => sigmoid2(off.logOdds(j)));
    if (start === "random") return Float64Array.from(rng.coins(params.n_h));
    return start === "zeros" ? new Float64Array(params.n_h) : Float64Array.from(start);
  }
  var logAddExp2 = (a, b) => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
  function draw({ layers, recognition = [] }, x, n, held, rng) {
    const logQ = new Float64Array(n);
    const found = [];
    layers.forEach(({ first, n_v, n_h }, layer) => {
      const { V, c } = recognition[layer], uniforms = rng.uniforms(n * n_h);
      const odds = (below) => {
        const z = Float64Array.from(c);
        for (let j = 0; j < n_h; j++) for (let i = 0, at = j * n_v; i < n_v; i++, at++) if (below[i]) z[j] += below[i] * V[at];
        for (const [unit, state] of held) if (unit >= first && unit < first + n_h) z[unit - first] = state ? constants_default.held_log_odds : -constants_default.held_log_odds;
        return z;
      };
      const same = layer ? null : odds(x);
      found.push(Array.from({ length: n }, (_, k) => {
        const z = same ?? odds(found[layer - 1][k]), h = z.map((value, j) => Number(uniforms[k * n_h + j] < sigmoid2(value)));
        for (let j = 0; j < n_h; j++) logQ[k] += h[j] * z[j] - softplus2(z[j]);
        return Uint8Array.from(h);
      }));
    });
    return { logQ, found };
  }
  function weighParticles(model, x, n, held, rng) {
    const { layers } = model, { logQ, found } = draw(model, x, n, held, rng);
    const states = Array.from({ length: n }, (_, k) => Uint8Array.from(found.flatMap((of) => Array.from(of[k]))));
    const weights = Array.from(logQ, (value, k) => logJoint(layers, x, found.map((of) => of[k])) - value), sums = weights.slice(0, 1);
    for (const weight of weights.slice(1)) sums.push(logAddExp2(sums.at(-1), weight));
    return { h0: Float64Array.from(states[0]), unit: new Array(n - 1).fill(0), after: weights.slice(1).map((weight, k) => Math.exp(weight - sums[k + 1])), flipped: new Array(n - 1).fill(false), logOdds: weights.slice(1), logJoint: sums.map((sum, k) => sum - Math.log(k + 1)), sweep: new Array(n - 1).fill(0), converged: false, sampled: true, means: true, atOnce: false, particles: states.slice(1) };
  }
  function allOthersOff({ n_v, n_h, exact, b, d, visible }) {
    const { alone } = UNITS[visible], V = Float64Array.from(exact);
    return { V, c: Float64Array.from({ length: n_h }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < n_v; i++) sum += alone(b[i], V[j * n_v + i]);
      return d[j] + sum;
    }) };
  }
  function observedPart(model, x) {
    if (isWhole(x)) return { model, x };
    const seen = Array.from(x, (_, i) => i).filter((i) => !Number.isNaN(x[i])), [lowest, ...upper] = model.layers;
    const rowsOf = (W2) => {
      const { n_v, n_h } = lowest, found = new W2.constructor(n_h * seen.length);
      for (let j = 0, at = 0; j < n_h; j++) for (const i of seen) found[at++] = W2[j * n_v + i];
      return found;
    };
    const those = (values) => Float64Array.from(seen, (i) => values[i]);
    const exact = rowsOf(lowest.exact), W = lowest.exact === lowest.W ? exact : rowsOf(lowest.W);
    const layer = { ...lowest, n_v: seen.length, exact, W, b: those(lowest.b), precision: lowest.precision && those(lowest.precision), brief: true };
    return { model: { ...model, n_v: seen.length, W, b: layer.b, layers: [layer, ...upper], recognition: model.recognition?.length ? [layer, ...upper].map(allOthersOff) : [] }, x: those(Float64Array.from(x)) };
  }
  function schedule({ temperature, max_sweeps }) {
    const rest = new Array(max_sweeps);
    return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
  }
  function infer(whole, method, image, start, held, seed) {
    if (whole.factorised) return isWhole(image) ? factorised(whole.layers[0], image) : summedOut(whole, image);
    const { model, x } = observedPart(whole, image), { layers } = model;
    if (start === "recognition") start = guesses(model, x, /* @__PURE__ */ new Map()).map((logOdds) => Number(logOdds > 0));
    const rng = new Generator(seed);
    const { bound, max_sweeps: sweeps } = method;
    if (method.kind === "particles") return weighParticles(model, x, method.n_particles, held, rng);
    if (bound === "top" || bound === "undirected") {
      const off = new Float64Array(model.n_h), guess = bound === "top" ? guesses(model, x, held) : method.guess ? passUp(model, x, held) : null;
      return meanField(model, x, off, held, sweeps, bound, guess);
    }
    if (method.kind !== "visits" && bound) {
      const none = ["sequential", [], /* @__PURE__ */ new Map(), rng], begun = layers.length > 1 ? updateLayers(layers, x, start, ...none) : updateLatents(layers[0], x, start, ...none);
      return meanField(model, x, begun.h0, held, sweeps, bound, guesses(model, x, held));
    }
    if (method.kind === "mean-field") return meanField(model, x, startMeans(layers[0], x, start, rng), held, sweeps);
    const how = [x, start, method.order, schedule(method), held, rng];
    return layers.length > 1 ? updateLayers(layers, ...how) : updateLatents(layers[0], ...how);
  }
  var DTYPES = { Uint8Array: "u1", Uint16Array: "u2", Uint32Array: "u4", Float32Array: "f4", Float64Array: "f8" };
  function pack(meta, arrays) {
    const entries = {};
    let size = 0;
    for (const [name, array] of Object.entries(arrays)) {
      entries[name] = { dtype: DTYPES[array.constructor.name], shape: [array.length], offset: size };
      size += Math.ceil(array.byteLength / 8) * 8;
    }
    const header = new TextEncoder().encode(JSON.stringify({ meta, arrays: entries })), start = Math.ceil((8 + header.length) / 8) * 8;
    const block = new Uint8Array(start + size);
    block.set(new TextEncoder().encode(constants_default.packed_block));
    new DataView(block.buffer).setUint32(4, start - 8, true);
    block.fill(32, 8, start);
    block.set(header, 8);
    for (const [name, array] of Object.entries(arrays)) block.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + entries[name].offset);
    return block;
  }
  var basins_default = { densities: [0.05, 0.1, 0.25, 0.5], starts: 1e3, starts_of_many: 500, few_latents: 50 };
  var { densities: DENSITIES } = basins_default;
  var pageStarts = (n_h) => n_h <= basins_default.few_latents ? basins_default.starts : basins_default.starts_of_many;
  var SWEEPS = new Float64Array(1e4);
  function findBasins(layer, x, n_starts, more = {}) {
    const params = prepare(layer), { n_h } = params, known = evidence(params, x, null), rng = new Generator(0), none = new Generator(0);
    const named = Object.fromEntries(["conditional", "paper", "zeros"].map((name) => [name, startLatents(params, known, name, none)]));
    Object.assign(named, { ones: new Uint8Array(n_h).fill(1) }, more);
    const starts = Object.values(named).map((h) => Uint8Array.from(h)), kinds = [...Object.keys(named), ...DENSITIES.map((share) => `random, ${Math.round(100 * share)} % on`)];
    const kind = Array.from(starts.keys());
    for (let n = 0; starts.length < n_starts; n++) {
      const density = n % DENSITIES.length;
      starts.push(Uint8Array.from(rng.uniforms(n_h), (u) => Number(u < DENSITIES[density])));
      kind.push(kinds.length - DENSITIES.length + density);
    }
    const found = /* @__PURE__ */ new Map();
    starts.forEach((start, n) => {
      const trace = updateLatents(layer, x, start, "sequential", SWEEPS, /* @__PURE__ */ new Map(), none), h = start.slice();
      trace.unit.forEach((j, k) => {
        h[j] = trace.after[k];
      });
      const key = h.join("");
      let optimum = found.get(key);
      if (!optimum) {
        const logJoint2 = new InferenceState(params, x, h, null, known).logJoint();
        found.set(key, optimum = { h, start, byKind: new Uint16Array(kinds.length), logJoint: logJoint2 });
      }
      optimum.byKind[kind[n]]++;
    });
    const optima = Array.from(found).sort(([a, { logJoint: first }], [b, { logJoint: second }]) => second - first || (a < b ? -1 : 1)).map(([, optimum]) => optimum);
    return { kinds, optima };
  }
  function packBasins({ kinds, optima }, layer, x, question, lane, titles) {
    const bytes = Math.ceil(optima.length / 8), H = new Uint8Array(layer.n_h * bytes), gaussian2 = layer.visible === "gaussian";
    for (let j = 0; j < layer.n_h; j++) H.set(packBits(optima.map(({ h }) => h[j])), j * bytes);
    const wrong = optima.map(({ h }) => activation(layer, h).reduce((sum, a, i) => sum + (gaussian2 ? (a - x[i]) ** 2 : Number(a > 0 !== x[i] > 0)), 0));
    const counts = optima.map(({ byKind }) => byKind.reduce((sum, count) => sum + count, 0));
    const arrays = { H, log_joint: Float64Array.from(optima, ({ logJoint: logJoint2 }) => logJoint2), counts: Uint16Array.from(counts), counts_by_kind: Uint16Array.from(optima.flatMap(({ byKind }) => Array.from(byKind))), wrong: gaussian2 ? Float32Array.from(wrong) : Uint16Array.from(wrong) };
    const all = { ...titles, ones: "all units on" };
    return pack({ kind: "basins", question, kinds: { [lane]: kinds.map((name) => all[name] ?? name) } }, Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${lane}.${name}`, array])));
  }
  var { network, max_exact_interactive: MAX_EXACT2 } = constants_default;
  var believes = ({ layers, visible }) => layers.length === 1 && visible === "bernoulli" && layers[0].n_h <= MAX_EXACT2 && layers[0].n_v <= network.visibles;
  function activationsOf({ n_h, n_v, exact, b }) {
    const rows = new Float64Array(2 ** n_h * n_v);
    rows.set(b);
    for (let state = 1; state < 2 ** n_h; state++) {
      const without = state & state - 1, j = 31 - Math.clz32(state ^ without);
      for (let i = 0; i < n_v; i++) rows[state * n_v + i] = rows[without * n_v + i] + exact[j * n_v + i];
    }
    return rows;
  }
  function logJointsOf(whole, rows, image, directed) {
    if (directed) {
      const { model, x } = observedPart(whole, image);
      return allLogJoints(model.layers[0], x);
    }
    const [{ n_h, n_v, d }] = whole.layers;
    const joints = new Float64Array(2 ** n_h);
    for (let state = 0; state < joints.length; state++) {
      let sum = 0;
      for (let j = 0; j < n_h; j++) if (state >> j & 1) sum += d[j];
      for (let i = 0; i < n_v; i++) {
        const a = rows[state * n_v + i];
        sum += Number.isNaN(image[i]) ? softplus2(a) : image[i] * a;
      }
      joints[state] = sum;
    }
    return joints;
  }
  function sharesOf(logJoints, held) {
    const top = logJoints.reduce((most, value) => Math.max(most, value), -Infinity), all = logJoints.map((value) => Math.exp(value - top)), agrees = (state) => Array.from(held).every(([j, value]) => (state >> j & 1) === value), given = all.map((weight, state) => agrees(state) ? weight : 0), sum = given.reduce((total, weight) => total + weight, 0);
    return { shares: given.map((weight) => weight / sum), logSum: top + Math.log(all.reduce((total, weight) => total + weight, 0)) };
  }
  function believed(model, rows, x, held, directed) {
    const [{ n_h, n_v }] = model.layers, prior = sharesOf(logJointsOf(model, rows, new Float64Array(n_v).fill(NaN), directed), /* @__PURE__ */ new Map()), posterior = sharesOf(logJointsOf(model, rows, x, directed), held), latents = new Float64Array(2 * n_h), visibles = new Float64Array(2 * n_v);
    [prior, posterior].forEach(({ shares }, row) => {
      shares.forEach((share, state) => {
        if (!share) return;
        for (let j = 0; j < n_h; j++) if (state >> j & 1) latents[row * n_h + j] += share;
        for (let i = 0; i < n_v; i++) visibles[row * n_v + i] += share * sigmoid2(rows[state * n_v + i]);
      });
    });
    for (let i = 0; i < n_v; i++) if (!Number.isNaN(x[i])) visibles[n_v + i] = x[i];
    return { latents: latents.map((p) => Math.min(1, p)), visibles, logEvidence: posterior.logSum };
  }
  function byThemselves({ n_h, n_v, exact: W, d }, x, held) {
    const found = new Float64Array(2 * n_h);
    for (let j = 0; j < n_h; j++) {
      let sum = d[j];
      for (let i = 0; i < n_v; i++) if (x[i] === 1) sum += W[j * n_v + i];
      found[j] = sigmoid2(d[j]);
      found[n_h + j] = held.get(j) ?? sigmoid2(sum);
    }
    return found;
  }
  function beliefsOf(model, x, held, reads) {
    if (!believes(model)) return null;
    const rows = activationsOf(model.layers[0]), { latents, visibles, logEvidence } = believed(model, rows, x, held, !model.factorised);
    return { meta: { log_evidence: logEvidence }, latents, visibles, apart: reads ? byThemselves(model.layers[0], x, held) : null };
  }
  var approximations_default = { gibbs: { samples: 1e3, burn_in: 100 }, mean_field: { sweeps: [1, 2, 10], after_recognition: 10, max_sweeps: 1e3, tolerance: 1e-8, start_tolerance: 1e-3 } };
  var { samples: SAMPLES, burn_in: BURN_IN } = approximations_default.gibbs;
  var { sweeps: SWEEPS2, after_recognition: MEAN_FIELD_SWEEPS, max_sweeps: MAX_SWEEPS } = approximations_default.mean_field;
  var { tolerance: TOLERANCE, start_tolerance: START_TOLERANCE } = approximations_default.mean_field;
  function exactPosterior(layer, x) {
    const logJoints = allLogJoints(layer, x), best = logJoints.reduce((top2, value, s) => value > logJoints[top2] ? s : top2, 0), top = logJoints[best];
    const weights = logJoints.map((value) => Math.exp(value - top)), sum = weights.reduce((total, weight) => total + weight, 0), logEvidence = top + Math.log(sum);
    weights.forEach((weight, s) => {
      weights[s] = weight / sum;
    });
    return { logJoints, p: logJoints.map((value) => Math.exp(value - logEvidence)), weights, logEvidence, best, marginals: marginalsOf(weights, layer.n_h), n_h: layer.n_h };
  }
  var bitsOf = (state, n_h) => Float64Array.from({ length: n_h }, (_, j) => state >> j & 1);
  var codeOf = (h) => Array.from(h).reduce((code, on, j) => code | Number(on > 0.5) << j, 0);
  function marginalsOf(q, n_h) {
    const on = new Float64Array(n_h);
    for (let s = 0; s < q.length; s++) for (let j = 0; j < n_h; j++) if (s >> j & 1) on[j] += q[s];
    return on.map((p) => Math.min(1, p));
  }
  function covarianceOf(q, on) {
    const n_h = on.length, both = new Float64Array(n_h * n_h), units = new Int32Array(n_h);
    for (let s = 0; s < q.length; s++) {
      if (!q[s]) continue;
      let n = 0;
      for (let j = 0; j < n_h; j++) if (s >> j & 1) units[n++] = j;
      for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) both[units[a] * n_h + units[b]] += q[s];
    }
    return both.map((p, at) => Math.min(1, p) - on[Math.floor(at / n_h)] * on[at % n_h]);
  }
  function product(on) {
    const q = new Float64Array(2 ** on.length);
    q[0] = 1;
    for (let j = 0, size = 1; j < on.length; j++, size *= 2) for (let s = 0; s < size; s++) {
      q[s + size] = q[s] * on[j];
      q[s] *= 1 - on[j];
    }
    return q;
  }
  function measured({ logJoints, logEvidence, p }, q, on) {
    let kl = 0, apart = 0;
    for (let s = 0; s < q.length; s++) {
      if (q[s] > 0) kl += q[s] * (Math.log(q[s]) - (logJoints[s] - logEvidence));
      apart += Math.abs(q[s] - p[s]);
    }
    return { kl: Math.max(0, kl), total_variation: Math.min(1, 0.5 * apart), on };
  }
  var independent = (posterior, on) => measured(posterior, product(on), on);
  function pointMass(posterior, h) {
    const q = new Float64Array(posterior.p.length);
    q[codeOf(h)] = 1;
    return measured(posterior, q, Float64Array.from(h));
  }
  var feedForward = ({ logJoints, n_h }) => Float64Array.from({ length: n_h }, (_, j) => sigmoid2(logJoints[1 << j] - logJoints[0]));
  function ascend(logJoints, start, sweeps, tolerance) {
    const q = Float64Array.from(start), n_h = q.length, expected = new Float64Array(logJoints.length), weights = new Float64Array(logJoints.length);
    for (let t = 0; t < sweeps; t++) {
      expected.set(logJoints);
      weights[0] = 1;
      for (let j = 0; j < n_h - 1; j++) for (let s = 0, size = 1 << j; s < size; s++) {
        weights[s + size] = weights[s] * q[j];
        weights[s] *= 1 - q[j];
      }
      let change = 0;
      for (let j = n_h - 1; j >= 0; j--) {
        const half = 1 << j;
        let logOdds = 0;
        for (let s = 0; s < half; s++) logOdds += weights[s] * (expected[s + half] - expected[s]);
        const on = sigmoid2(logOdds);
        change = Math.max(change, Math.abs(on - q[j]));
        q[j] = on;
        for (let s = 0; s < half; s++) expected[s] += on * (expected[s + half] - expected[s]);
        for (let s = 0; s < half >> 1; s++) weights[s] += weights[s + (half >> 1)];
      }
      if (change <= tolerance) break;
    }
    return q;
  }
  function meanField2(posterior, start, tolerance = TOLERANCE) {
    const { logJoints, n_h, marginals } = posterior;
    if (!start) {
      const ends = [feedForward(posterior), new Float64Array(n_h).fill(0.5), marginals].map((q) => independent(posterior, meanField2(posterior, q, START_TOLERANCE)));
      start = nearest(ends).on;
    }
    return ascend(logJoints, start, MAX_SWEEPS, tolerance);
  }
  var nearest = (found) => found.reduce((best, each) => each.kl < best.kl ? each : best);
  function swept({ logJoints, n_h }, start, sweeps) {
    const turned = new Float64Array(logJoints.length);
    for (let s = 0; s < turned.length; s++) {
      let other = 0;
      for (let j = 0; j < n_h; j++) other |= (s >> j & 1) << n_h - 1 - j;
      turned[other] = logJoints[s];
    }
    return ascend(turned, Array.from(start).reverse(), sweeps, 0).reverse();
  }
  function knownOf(whole, info, image, trace, held = /* @__PURE__ */ new Map()) {
    const beliefs = beliefsOf(whole, image, held, info.has_ladder);
    if (whole.factorised) return { truth: null, distance: null, logEvidence: 0, beliefs };
    const { model, x } = observedPart(whole, image), [layer] = model.layers, posterior = exactPosterior(layer, x);
    return { beliefs, truth: trace.means ? null : truthOf(posterior, layer, info, x, trace), distance: info.has_ladder ? distanceOf(posterior, model, info, x, trace) : null, logEvidence: posterior.logEvidence };
  }
  function truthOf(posterior, layer, { methods, usual_start }, x, trace) {
    const { n_h } = posterior, end = Float64Array.from(trace.h0);
    trace.unit.forEach((j, k) => {
      end[j] = trace.after[k];
    });
    const found = [];
    const add = (name, each, covariance = diagonal(each.on), samples = null) => {
      found.push([name, each, covariance, samples]);
    };
    add("state", pointMass(posterior, end));
    add("feed_forward", independent(posterior, feedForward(posterior)));
    add("mean_field", independent(posterior, meanField2(posterior, null)));
    add("marginals", independent(posterior, posterior.marginals));
    if (usual_start && methods.some(({ name }) => name === "gibbs")) {
      const chain = updateLatents(layer, x, usual_start, "sequential", new Float64Array(BURN_IN + SAMPLES).fill(1), /* @__PURE__ */ new Map(), new Generator(0));
      const q = new Float64Array(posterior.p.length);
      for (let n = BURN_IN; n < BURN_IN + SAMPLES; n++) q[codeOf(chain.after.slice(n * n_h, (n + 1) * n_h))]++;
      q.forEach((count, s) => {
        q[s] = count / SAMPLES;
      });
      const on = marginalsOf(q, n_h);
      add("gibbs", measured(posterior, q, on), covarianceOf(q, on), SAMPLES);
    }
    return { meta: { log_evidence: posterior.logEvidence, map_log_joint: posterior.logJoints[posterior.best], approximations: found.map(([name, { kl, total_variation }, , samples]) => ({ name, kl, total_variation, samples })) }, map: Uint8Array.from(bitsOf(posterior.best, n_h)), marginals: Float64Array.from([posterior.marginals, ...found.map(([, { on }]) => on)].flatMap((on) => Array.from(on))), covariance: Float32Array.from([covarianceOf(posterior.weights, posterior.marginals), ...found.map(([, , covariance]) => covariance)].flatMap((each) => Array.from(each))) };
  }
  function diagonal(on) {
    const covariance = new Float64Array(on.length ** 2);
    for (let j = 0; j < on.length; j++) covariance[j * on.length + j] = on[j] - on[j] * on[j];
    return covariance;
  }
  function distanceOf(posterior, model, { methods, usual_start }, x, trace) {
    const { n_h, marginals, best } = posterior, [layer] = model.layers, even = new Float64Array(n_h).fill(0.5);
    const means = [["factorised", meansFromEvidence(layer, x)], ["feed_forward", feedForward(posterior)]];
    if (model.recognition?.length && !layer.brief) {
      const guessed = guesses(model, x, /* @__PURE__ */ new Map()).map(sigmoid2);
      means.push(["recognition", guessed], ["recognition_mean_field", swept(posterior, guessed, MEAN_FIELD_SWEEPS)]);
    }
    for (const n of SWEEPS2) means.push([`mean_field_${n}`, swept(posterior, even, n)]);
    means.push(["marginals", marginals]);
    const states = [["map", bitsOf(best, n_h)]], icm = methods.find(({ name }) => name === "icm");
    if (usual_start && icm) {
      const { h0, unit, after } = infer(model, icm, x, usual_start, /* @__PURE__ */ new Map(), 0), h = Float64Array.from(h0);
      unit.forEach((j, k) => {
        h[j] = after[k];
      });
      states.push(["icm", h]);
    }
    const rungs = [...means.map(([name, on]) => [name, independent(posterior, on)]), ...states.map(([name, h]) => [name, pointMass(posterior, h)])];
    const ends = [...means, ...states].map(([, start]) => independent(posterior, meanField2(posterior, start, START_TOLERANCE))), near = nearest([...ends, ...rungs.map(([, each]) => each)]);
    rungs.push(["best", nearest([near, independent(posterior, meanField2(posterior, near.on))])]);
    return { meta: { rungs: rungs.map(([name, { kl, total_variation }]) => ({ name, kl, total_variation })) }, ...along(posterior, trace) };
  }
  function meansFromEvidence(layer, x) {
    const { n_v, n_h, W, d } = prepare(layer);
    if (layer.visible === "bernoulli") return evidence(prepare(layer), x, null).map(sigmoid2);
    return Float64Array.from({ length: n_h }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < n_v; i++) sum += x[i] * W[j * n_v + i];
      return sigmoid2(d[j] + sum);
    });
  }
  function along(posterior, trace) {
    if (trace.particles) return alongParticles(posterior, [Uint8Array.from(trace.h0), ...trace.particles], trace.after);
    const n = trace.unit.length + 1, kl = new Float32Array(n), variation = new Float32Array(n), q = Float64Array.from(trace.h0);
    for (let k = 0; k < n; k++) {
      if (k) q[trace.unit[k - 1]] = trace.after[k - 1];
      if (trace.means) {
        const { kl: nats, total_variation } = independent(posterior, q);
        kl[k] = nats;
        variation[k] = total_variation;
      } else {
        kl[k] = Math.max(0, posterior.logEvidence - posterior.logJoints[codeOf(q)]);
        variation[k] = -Math.expm1(-Math.max(0, posterior.logEvidence - posterior.logJoints[codeOf(q)]));
      }
    }
    return { kl, variation };
  }
  function alongParticles({ logJoints, logEvidence, p }, particles, after) {
    const n = particles.length, kl = new Float32Array(n), variation = new Float32Array(n), codes = particles.map(codeOf), found = Array.from(new Set(codes));
    const elsewhere = Math.max(0, 1 - found.reduce((sum, code) => sum + p[code], 0)), q = new Map(found.map((code) => [code, 0]));
    codes.forEach((code, k) => {
      const share = k ? after[k - 1] : 1;
      for (const [other, weight] of q) q.set(other, weight * (1 - share));
      q.set(code, (q.get(code) ?? 0) + share);
      let nats = 0, apart = elsewhere;
      for (const [other, weight] of q) {
        if (weight > 0) nats += weight * (Math.log(weight) - (logJoints[other] - logEvidence));
        apart += Math.abs(weight - p[other]);
      }
      kl[k] = Math.max(0, nats);
      variation[k] = Math.min(1, 0.5 * apart);
    });
    return { kl, variation };
  }
  var scope = self;
  scope.onmessage = ({ data }) => {
    useKernel(data.kernel);
    if (data.kind === "truth") return scope.postMessage(data.lanes.map((lane2) => knownOf(...lane2)));
    const { question, lane, layer, x, titles, starts } = data;
    const found = findBasins(layer, x, pageStarts(layer.n_h), starts);
    scope.postMessage({ block: packBasins(found, layer, x, question, lane, titles), starts: found.optima.map(({ start }) => start) });
  };
})();
