// 4f997be639ff51faf179505d9a67542d4c6687fc78ca5192bce93c3ddda18cff
"use strict";
(() => {
  var table_default = { data: { kernels: 0, learning: 2048, measuring: 2048 }, constants: { lanes: 32, group: 4, gradients: { standard: 0, centred: 1, enhanced: 2 }, priors: { flat: 0, learned: 1, warmed: 2 }, annealing: { power: 3, n_chains: 500, n_sweeps: 100, max_enumerated: 20 }, precisions: { f8: { limits: [600, 600, 600], refresh: 1024, floor: 1e-280, tolerance: 1e-9 }, f4: { limits: [600, 80, 60], refresh: 256, floor: 1e-37, tolerance: 1e-4 } }, means: { kinds: { linear: 0, gaussian: 1, quadratic: 2, tilted: 3 }, scratch: 3 } }, tuples: { KernelParams: { gaussian: "?", W: "f8[:, :]", factor: "f8[:, :]", weight: "f8[:]", b: "f8[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f8[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f8[:, :]", on: "f8[:, :]", off: "f8[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" }, Record: { unit: "i4[:]", after: "u1[:]", flipped: "?[:]", log_odds: "f8[:]", log_joint: "f8[:]", sweep: "i4[:]" }, Machine: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", precision: "f8[:]" }, Visits: { unit: "i4[:]", after: "u1[:]", log_odds: "f8[:]", log_joint: "f8[:]" }, MeansParams: { kinds: "i8[:]", first: "i8[:]", n_v: "i8", weights: "f8[:]", bias: "f8[:]", exact: "?", experts: "f8[:, :]", offsets: "f8[:]", log_joints: "f8[:]" }, MeansState: { units: "f8[:, :]", tilts: "f8[:, :]", upper: "f8[:]", sums: "f8[:]" }, MeansRecord: { unit: "i4[:]", after: "f8[:]", flipped: "?[:]", log_odds: "f8[:]", bound: "f8[:]", sweep: "i4[:]" }, Rows: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]" }, GradientSteps: { learning_rate: "f8", decay_b: "?", decay_steps: "f8", prior: "i8", weight_decay: "f8", nonnegative: "?", warm_up: "f8", momentum: "f8" }, Centres: { mu: "f4[:]", lam: "f4[:]" }, LayerNetworks: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", V: "f4[:, :]", c: "f4[:]" }, Uniforms: { H: "f4[:, :]", dreamt_H: "f4[:, :]", dreamt_X: "f4[:, :]" }, KernelParams32: { gaussian: "?", W: "f4[:, :]", factor: "f4[:, :]", weight: "f8[:]", b: "f4[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f4[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState32: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f4[:, :]", on: "f4[:, :]", off: "f4[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" } }, functions: { fill_thresholds: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", log_odds: "f8[:]" }, pass_up: { rows: "f8[:, :]", offset: "f8[:]", below: "f8[:]", scale: "f8", held: "f8[:]", log_odds: "f8[:]", means: "f8[:]" }, begin_means: { params: "MeansParams", state: "MeansState" }, update_means: { params: "MeansParams", state: "MeansState", units: "i4[:]", guess: "f8[:]", n_sweeps: "i8", most: "f8[:]", cursor: "i8[:]", record: "MeansRecord", n_visits: "i8" }, fill_factors: { W: "f8[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f8[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images: { params: "KernelParams", state: "InferenceState", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts: { params: "KernelParams", state: "InferenceState", paper: "?" }, fill_gram: { rows: "f8[:, :]", gram: "f8[:, :]" }, begin: { params: "KernelParams", state: "InferenceState" }, update_latents: { params: "KernelParams", state: "InferenceState", order: "i8", units: "i4[:, :]", temperatures: "f8[:]", at_once: "f8[:]", total: "f8[:]", cursor: "i8[:]", record: "Record", n_visits: "i8" }, fill_log_odds: { params: "KernelParams", state: "InferenceState", log_odds: "f8[:, :]" }, enumerate_joints: { params: "KernelParams", state: "InferenceState", log_joints: "f8[:]" }, place_visible: { machine: "Machine", x: "f8[:]", fixed: "f8[:]" }, visit_independent: { machine: "Machine", x: "f8[:]", fixed: "f8[:]", u: "f8[:]", h: "u1[:]", total: "f8[:]", cursor: "i8[:]", visits: "Visits", n_visits: "i8" }, fill_terms: { kind: "i8", w: "f8[:]", b: "f8[:]", x: "f8[:]", a: "f8[:]", evidence: "f8[:]", alone: "f8[:]", others: "f8[:]" }, activate_image: { rows: "f8[:, :]", b: "f8[:]", h: "u1[:]", a: "f8[:]" }, log_joint_of_layer: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", below: "f8[:]", latent: "u1[:]", top: "?", a: "f8[:]" }, errors_along: { rows: "f8[:, :]", h: "f8[:]", unit: "i4[:]", after: "f8[:]", target: "f8[:]", squared: "?", a: "f8[:]", errors: "f8[:]" }, fill_draws: { means: "f8[:, :]", uniforms: "f8[:, :]", states: "u1[:, :]" }, add_noise: { means: "f8[:, :]", normals: "f8[:, :]", precision: "f8[:]", X: "f8[:, :]" }, flip_along: { directed: "?", best: "?", first: "i8[:]", weights: "f8[:]", bias: "f8[:]", h: "u1[:]", a: "f8[:]", units: "i4[:]", log_joint: "f8[:]" }, draw_layer: { V: "f8[:, :]", c: "f8[:]", below: "u1[:, :]", held: "f8[:]", u: "f8[:, :]", z: "f8[:]", p: "f8[:]", H: "u1[:, :]", log_q: "f8[:]" }, weigh_along: { log_weights: "f8[:]", estimates: "f8[:]", shares: "f8[:]" }, means_along: { H: "u1[:, :]", shares: "f8[:]", means: "f8[:, :]" }, errors_of_means: { rows: "f8[:, :]", b: "f8[:]", means: "f8[:, :]", targets: "f8[:, :]", squared: "?", a: "f8[:]", errors: "f8[:]" }, normalise: { log_joints: "f8[:]", top: "f8", p: "f8[:]" }, fill_moments: { q: "f8[:]", rest: "f8[:]", part: "f8[:]", marginals: "f8[:]", covariance: "f8[:, :]" }, fill_product: { on: "f8[:]", q: "f8[:]" }, fill_feed_forward: { log_joints: "f8[:]", on: "f8[:]" }, fill_apart: { rows: "f8[:, :]", d: "f8[:]", x: "f8[:]", on: "f8[:]" }, turn_round: { log_joints: "f8[:]", turned: "f8[:]" }, ascend: { log_joints: "f8[:]", q: "f8[:]", max_sweeps: "i8", tolerance: "f8", expected: "f8[:]", weights: "f8[:]" }, measure_distance: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", q: "f8[:]", distance: "f8[:]" }, distances_of_states: { log_joints: "f8[:]", log_evidence: "f8", unit: "i4[:]", after: "u1[:]", code: "i8", kl: "f8[:]", variation: "f8[:]" }, distances_of_means: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", on: "f8[:]", unit: "i4[:]", after: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, distances_of_particles: { log_joints: "f8[:]", log_evidence: "f8", code: "i4[:]", place: "i4[:]", share: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, enumerate_independent: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", x: "f8[:]", said: "f8[:]", a: "f8[:]", log_joints: "f8[:]" }, expected_visibles: { kind: "i8", rows: "f8[:, :]", b: "f8[:]", p: "f8[:, :]", a: "f8[:]", on: "f8[:, :]" }, infer_images: { params: "KernelParams", state: "InferenceState", temperatures: "f8[:]", max_sweeps: "i8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, fill_factors32: { W: "f4[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f4[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images32: { params: "KernelParams32", state: "InferenceState32", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts32: { params: "KernelParams32", state: "InferenceState32", paper: "?" }, infer_images32: { params: "KernelParams32", state: "InferenceState32", temperatures: "f8[:]", max_sweeps: "i8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, learn_alone: { old: "Rows", X: "f8[:, :]", H: "u1[:, :]", steps: "GradientSteps", step: "i8", gradient: "Rows", velocity: "Rows", new: "Rows", figures: "f8[:]" }, measure_alone: { of: "Rows", X: "f8[:, :]", H: "u1[:, :]", figures: "f8[:]" }, fill_means: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", H: "u1[:, :]", means: "f8[:, :]" }, fill_cooling: { hottest: "f8", coldest: "f8", temperatures: "f8[:]" }, share_done: { n_done: "i8", n_steps: "i8" }, first_averaged: { average: "f8", n_steps: "i8" }, rate_at: { share: "f8", first: "f8", last: "f8" }, weigh: { values: "f8[:]", weight: "f8", weighted: "f8[:]" }, step_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", X: "u1[:, :]", particles: "u1[:, :]", persistent: "?", keys: "u8[:]", learning_rate: "f8", decay_steps: "f8", weight_decay: "f8", step: "i8", kind: "i8", centres: "Centres", figures: "f8[:]" }, gibbs_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", H: "u1[:, :]", keys: "u8[:]", X: "u1[:, :]" }, encode_alone: { W: "f4[:, :]", d: "f4[:]", X: "u1[:, :]", H: "u1[:, :]" }, decode_alone: { W: "f4[:, :]", b: "f4[:]", H: "u1[:, :]", means: "f8[:, :]" }, predict_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", X: "u1[:, :]", pixels: "i8[:]", fields: "f8[:]", totals: "f8[:]" }, rws_step_alone: { of: "LayerNetworks", mean: "LayerNetworks", gradient: "LayerNetworks", X: "f4[:, :]", uniforms: "Uniforms", n_each: "i8", wakes: "?", sleeps: "?", learning_rate: "f8", decay_steps: "f8", momentum: "f8", generative_rate: "f8", recognition_rate: "f8", step: "i8", figures: "f8[:]" }, recognise_alone: { of: "LayerNetworks", X: "f4[:, :]", means: "f4[:, :]" }, generate_alone: { of: "LayerNetworks", H: "f4[:, :]", means: "f8[:, :]" }, dream_alone: { of: "LayerNetworks", uniforms: "Uniforms" }, draw_uniforms: { generator: "u8[:]", out: "f8[:, :]" }, summarise: { values: "f8[:]", found: "f8[:]" }, mean_weight: { log_weights: "f8[:]", found: "f8[:]" }, fill_betas: { power: "i8", betas: "f8[:]" }, place_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", base: "f8[:]" }, weigh_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", base: "f8[:]", fresh: "?", share: "f8", likelihood: "f8[:]", total: "f8[:]" }, move_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", prior: "f8[:, :]", beta: "f8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, fill_fields: { weights: "f8[:, :]", offsets: "f8[:]", states: "u1[:, :]", fields: "f8[:, :]" }, fill_free_energies: { b: "f8[:]", X: "u1[:, :]", fields: "f8[:, :]", totals: "f8[:]" }, fill_offsets: { states: "u1[:, :]", offsets: "f8[:]" }, begin_machines: { b: "f8[:]", d: "f8[:]", uniforms: "f8[:, :]", X: "u1[:, :]", total: "f8[:]" }, weigh_machines: { b: "f8[:]", start_b: "f8[:]", start_d: "f8[:]", before: "f8", beta: "f8", X: "u1[:, :]", fields: "f8[:, :]", total: "f8[:]" }, draw_latents: { start_d: "f8[:]", beta: "f8", fields: "f8[:, :]", uniforms: "f8[:, :]", H: "u1[:, :]" }, draw_visibles: { b: "f8[:]", start_b: "f8[:]", beta: "f8", sums: "f8[:, :]", uniforms: "f8[:, :]", X: "u1[:, :]" } } };
  var SLOT = 8;
  var PAGE = 65536;
  var STACK = 4 * PAGE;
  var SMALLEST = 64;
  var BLOCK = 1024;
  var VIEWS = { f8: Float64Array, f4: Float32Array, i8: BigInt64Array, i4: Int32Array, u8: BigUint64Array, u2: Uint16Array, u1: Uint8Array, "?": Uint8Array };
  var TUPLES = table_default.tuples;
  var FUNCTIONS = table_default.functions;
  var dtypeOf = (type) => type.split("[")[0];
  var KernelArray = class {
    constructor(memory2, dtype, shape) {
      this.memory = memory2;
      this.dtype = dtype;
      this.shape = shape;
      this.length = shape.reduce((product, n) => product * n, 1);
      this.address = memory2.room(this.length * VIEWS[dtype].BYTES_PER_ELEMENT);
    }
    get view() {
      const View = VIEWS[this.dtype];
      return new View(this.memory.bytes.buffer, this.address, this.length);
    }
    free() {
      this.memory.free(this.address, this.length * VIEWS[this.dtype].BYTES_PER_ELEMENT);
    }
  };
  var KernelTuple = class {
    constructor(memory2, name, fields) {
      this.memory = memory2;
      this.fields = fields;
      this.size = SLOT * Object.values(TUPLES[name]).reduce((sum, type) => sum + slotsOf(type), 0);
      this.address = memory2.room(this.size);
      memory2.write(this.address, TUPLES[name], fields);
    }
    free() {
      this.memory.free(this.address, this.size);
    }
  };
  var slotsOf = (type) => type in TUPLES ? 1 : 1 + type.split(":").length - 1;
  var Memory = class _Memory {
    unused = /* @__PURE__ */ new Map();
    scopes = [];
    allocated = [];
    constructor(module, name = "kernels") {
      const data = table_default.data[name];
      this.bytes = new WebAssembly.Memory({ initial: 1 + Math.ceil((data + STACK) / PAGE) });
      this.used = Math.ceil(data / SMALLEST) * SMALLEST + STACK;
      const stack = new WebAssembly.Global({ value: "i32", mutable: true }, this.used), allocate = (size) => this.allocate(size), env = { __linear_memory: this.bytes, __stack_pointer: stack, allocate };
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env });
      this.functions = exports;
      this.block = this.room(BLOCK);
    }
    static sizeOf(size) {
      return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(size || 1)));
    }
    room(size) {
      const whole = _Memory.sizeOf(size), left = this.unused.get(whole)?.pop();
      if (left !== void 0) return left;
      const address = this.used, lacking = (this.used += whole) - this.bytes.buffer.byteLength;
      if (lacking > 0) this.bytes.grow(Math.ceil(lacking / PAGE));
      return address;
    }
    allocate(size) {
      const address = this.room(size);
      this.allocated.push([address, size]);
      return address;
    }
    free(address, size) {
      const whole = _Memory.sizeOf(size);
      const left = this.unused.get(whole);
      if (left) left.push(address);
      else this.unused.set(whole, [address]);
    }
    scope(work) {
      this.scopes.push([]);
      try {
        return work();
      } finally {
        for (const placed2 of this.scopes.pop()) placed2.free();
      }
    }
    kept(work) {
      const placed2 = [];
      this.scopes.push(placed2);
      try {
        return { made: work(), placed: placed2 };
      } finally {
        this.scopes.pop();
      }
    }
    noted(placed2) {
      this.scopes.at(-1)?.push(placed2);
      return placed2;
    }
    array(dtype, ...shape) {
      const made = this.noted(new KernelArray(this, dtype, shape));
      new Uint8Array(this.bytes.buffer, made.address, made.view.byteLength).fill(0);
      return made;
    }
    of(dtype, values, ...shape) {
      if (ArrayBuffer.isView(values) && values.buffer === this.bytes.buffer) values = Array.from(values);
      const made = this.noted(new KernelArray(this, dtype, shape.length ? shape : [values.length]));
      made.view.set(values);
      return made;
    }
    tuple(name, fields) {
      return this.noted(new KernelTuple(this, name, fields));
    }
    columns(name, n) {
      const made = Object.entries(TUPLES[name]).map(([field, type]) => [field, this.array(dtypeOf(type), n)]);
      return Object.fromEntries(made);
    }
    write(at, types, values) {
      const view = new DataView(this.bytes.buffer);
      for (const [name, type] of Object.entries(types)) {
        const value = values[name];
        if (value === void 0) throw new TypeError(`a kernel's argument is missing: ${name}, ${type}`);
        if (typeof value === "object") {
          const { address, shape = [], dtype } = value;
          if (dtype !== void 0 && (dtype !== dtypeOf(type) || slotsOf(type) !== 1 + shape.length)) throw new TypeError(`${name}: expected ${type}, got ${dtype} of ${shape.length} axes`);
          view.setInt32(at, address, true);
          shape.forEach((n, axis) => view.setInt32(at + SLOT * (1 + axis), n, true));
        } else if (type === "f8") view.setFloat64(at, Number(value), true);
        else if (type === "f4") view.setFloat32(at, Number(value), true);
        else view.setInt32(at, Number(value), true);
        at += SLOT * slotsOf(type);
      }
    }
    call(name, values) {
      this.write(this.block, FUNCTIONS[name], values);
      try {
        this.functions[name](this.block);
      } finally {
        for (const [address, size] of this.allocated.splice(0)) this.free(address, size);
      }
      return new DataView(this.bytes.buffer).getFloat64(this.block, true);
    }
  };
  var memory = null;
  var WITHOUT = "This page computes by WebAssembly with vectors of 128 bits, which this browser does not offer. Chrome and Edge have them since version 91, Firefox since 89, Safari since 16.4.";
  function loadKernels(module, name) {
    try {
      memory ??= new Memory(module, name);
    } catch {
      return false;
    }
    return true;
  }
  function kernels() {
    if (!memory) throw new Error("the kernels are not loaded");
    return memory;
  }
  var registry = new FinalizationRegistry((placed2) => placed2.forEach((each) => each.free()));
  function keptWith(make) {
    const known = /* @__PURE__ */ new WeakMap();
    return (owner) => {
      const found = known.get(owner);
      if (found) return found;
      const { made, placed: placed2 } = kernels().kept(() => make(owner));
      known.set(owner, made);
      registry.register(owner, placed2);
      return made;
    };
  }
  var CONSTANTS = table_default.constants;
  var SUFFIX = { f8: "", f4: "32" };
  var call = (name, precision, values) => kernels().call(name + SUFFIX[precision], values);
  var tupleName = (precision, name) => name + SUFFIX[precision];
  function roomFor({ n_v, n_h, gaussian }, precision = "f8", n_together = 1) {
    const memory2 = kernels(), { lanes, precisions } = CONSTANTS, { refresh, floor, tolerance } = precisions[precision], n_p = Math.ceil(n_v / lanes) * lanes, width = gaussian ? 0 : n_p, rows = memory2.array(precision, n_h, n_p), none = memory2.array(precision, gaussian ? n_h : 0, 0);
    const fields = { gaussian, W: gaussian ? none : rows, factor: memory2.array(precision, n_h, width), weight: memory2.array("f8", n_h), b: memory2.array(precision, n_p), d: memory2.array("f8", n_h), chunk: memory2.array("i8", n_h), whole: memory2.array("?", n_h), gram: memory2.array("f8", ...gaussian ? [n_h, n_h] : [0, 0]), rows: gaussian ? rows : none, n_together, n_v, refresh, floor, tolerance };
    const params = memory2.tuple(tupleName(precision, "KernelParams"), fields);
    return { n_v, n_h, gaussian, precision, n_p, fields, params, rows };
  }
  function fill({ n_v, n_h, n_p, gaussian, precision, fields, rows }, W, b, d) {
    const memory2 = kernels(), { lanes, precisions } = CONSTANTS, into = rows.view;
    for (let j = 0; j < n_h; j++) into.set(W.subarray(j * n_v, (j + 1) * n_v), j * n_p);
    fields.b.view.set(b);
    fields.d.view.set(d);
    if (gaussian) memory2.call("fill_gram", { rows, gram: fields.gram });
    else memory2.scope(() => call("fill_factors", precision, { ...fields, limits: memory2.of("f8", precisions[precision].limits), lanes: memory2.array("f8", lanes), tops: memory2.array("f8", lanes) }));
  }
  function placed({ n_v, n_h, n_p, gaussian, precision, params, fields: { d } }, X, n = 1, prior = null) {
    const memory2 = kernels(), images = memory2.of("f8", X, n, n_v), partly = images.view.some(Number.isNaN), width = gaussian ? 0 : n_p;
    const array = (wide) => memory2.array(precision, n, wide);
    const fields = { latent: memory2.array("u1", n, n_h), evidence: memory2.array("f8", n, n_h), base: memory2.array("f8", n), activation: array(gaussian && partly ? n_p : width), on: array(width), off: array(width), coupling: memory2.array("f8", n, gaussian ? n_h : 0), squares: memory2.array("f8", n, gaussian && partly ? n_h : 0), since_refresh: memory2.array("i8", n), saturated: memory2.array("?", n), partly: memory2.array("?", n), unknown: memory2.array("?", n, partly ? n_p : 0), stream: memory2.array("u8", n) };
    const state = memory2.tuple(tupleName(precision, "InferenceState"), fields), odds = memory2.of("f8", prior ?? d.view.slice(), prior ? n : 1, n_h);
    call("place_images", precision, { params, state, X: images, prior: odds });
    return { memory: memory2, params, state, images, ...fields };
  }
  function begun({ gaussian, precision }, { params, state, latent }, start, rng) {
    if (typeof start !== "string") return latent.view.set(start);
    if (start === "zeros") return;
    if (start === "random") return latent.view.set(rng.coins(latent.length));
    if (start !== "paper" && start !== "conditional") throw new Error(`expected conditional, paper, zeros, random or states, got ${start}`);
    if (start === "conditional" && !gaussian) rng.next64();
    call("choose_starts", precision, { params, state, paper: start === "paper" });
  }
  function runSweeps({ precision }, { memory: memory2, params, state, latent }, temperatures, max_sweeps) {
    const [n] = latent.shape, results = { visits: memory2.array("i8", n), flips: memory2.array("i8", n), converged: memory2.array("?", n) }, given = { params, state, temperatures: memory2.of("f8", temperatures), max_sweeps };
    call("infer_images", precision, { ...given, ...results });
    return results;
  }
  var ORDERS = ["sequential", "random", "greedy", "parallel"];
  var CURSOR = { visits: 0, sweep: 1, done: 4, converged: 5 };
  var VISITS = 4096;
  var prepared = keptWith(({ n_v, n_h, exact, b, d, visible }) => {
    const at = roomFor({ n_v, n_h, gaussian: visible === "gaussian" });
    fill(at, exact, b, d);
    return at;
  });
  var placedIn = (layer, x, prior = null) => placed(prepared(layer), x, 1, prior);
  function updateLatents(layer, x, start, order, temperatures, held, rng, prior = null) {
    return kernels().scope(() => {
      const at = placedIn(layer, x, prior), { memory: memory2, params, state, latent, stream } = at;
      begun(prepared(layer), at, start, rng);
      stream.view[0] = rng.next64();
      if (held.size) stream.view[0] = rng.next64();
      for (const [unit, value] of held) latent.view[unit] = value;
      const h0 = latent.view.slice(), free = Int32Array.from(h0.keys()).filter((j) => !held.has(j)), n_free = free.length, n_sweeps = n_free ? temperatures.length : 0, random = order === "random";
      const given = { order: ORDERS.indexOf(order), units: memory2.array("i4", random ? n_sweeps : 1, n_free), temperatures: memory2.of("f8", temperatures), at_once: memory2.array("f8", n_free), total: memory2.array("f8", 1), cursor: memory2.array("i8", 6) };
      const joint = memory2.call("begin", { params, state }), record = new Record(h0, joint);
      given.total.view[0] = joint;
      if (!random) given.units.view.set(free);
      const together = Math.max(1, Math.floor(VISITS / Math.max(n_free, 1)));
      for (let t = 0; t < n_sweeps && !given.cursor.view[CURSOR.done]; t += together) {
        const sweeps = Math.min(together, n_sweeps - t);
        if (random) for (let s = t; s < t + sweeps; s++) given.units.view.set(rng.permuted(free), s * n_free);
        record.visits({ params, state, ...given }, sweeps * n_free);
      }
      const converged = n_free === 0 || Boolean(given.cursor.view[CURSOR.converged]);
      return record.trace({ converged, sampled: isSampled(record.sweep, temperatures), atOnce: order === "parallel" });
    });
  }
  var Record = class {
    unit = [];
    after = [];
    logOdds = [];
    sweep = [];
    constructor(h0, joint) {
      this.h0 = h0;
      this.logJoint = [joint];
    }
    visits(given, n_visits) {
      const memory2 = kernels();
      memory2.scope(() => {
        const columns = memory2.columns("Record", n_visits);
        given.cursor.view[CURSOR.visits] = 0n;
        memory2.call("update_latents", { ...given, record: memory2.tuple("Record", columns), n_visits });
        this.add(columns, columns.log_joint, Number(given.cursor.view[CURSOR.visits]));
      });
    }
    add({ unit, after, log_odds, sweep }, logJoint, made) {
      for (const [column, part] of [[this.unit, unit], [this.after, after], [this.logOdds, log_odds], [this.logJoint, logJoint], [this.sweep, sweep]]) if (part) column.push(...part.view.subarray(0, made));
    }
    trace(what) {
      return { ...this, converged: true, sampled: false, means: false, atOnce: false, ...what };
    }
  };
  var isSampled = (sweep, temperatures) => sweep.length > 0 && Array.from(temperatures).slice(0, sweep[sweep.length - 1] + 1).some(Boolean);
  var MASK_64 = (1n << 64n) - 1n;
  var MASK_128 = (1n << 128n) - 1n;
  var MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
  function seedWords(seeds, n) {
    const entropy = seeds.flatMap((seed) => {
      const words = [Number(BigInt(seed) & 0xffffffffn)];
      for (let rest = BigInt(seed) >> 32n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
      return words;
    });
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
  var TAIL = 3.654152885361009;
  var AREA = 0.004928673233974658;
  var UNIT = 2 ** 52;
  function layersOfNormal() {
    const density = (x) => Math.exp(-0.5 * x * x), edges = new Float64Array(256), width = new Float64Array(256), sure = new Float64Array(256), height = new Float64Array(256), lowest = AREA / density(TAIL);
    edges[255] = TAIL;
    for (let i = 254; i > 0; i--) edges[i] = Math.sqrt(-2 * Math.log(AREA / edges[i + 1] + density(edges[i + 1])));
    for (let i = 1; i < 256; i++) {
      width[i] = edges[i] / UNIT;
      height[i] = density(edges[i]);
      sure[i] = Math.trunc(edges[i - 1] / edges[i] * UNIT);
    }
    width[0] = lowest / UNIT;
    height[0] = 1;
    sure[0] = Math.trunc(TAIL / lowest * UNIT);
    return { width, sure, height };
  }
  var normal;
  var Generator = class {
    half = null;
    constructor(seed) {
      const words = seedWords([seed].flat(), 8).map(BigInt);
      const [high, low, streamHigh, streamLow] = [0, 2, 4, 6].map((i) => words[i] | words[i + 1] << 32n);
      this.increment = ((streamHigh << 64n | streamLow) << 1n | 1n) & MASK_128;
      this.state = 0n;
      this.advance();
      this.state = this.state + (high << 64n | low) & MASK_128;
      this.advance();
    }
    copy() {
      const { state, half } = this;
      return { state, half };
    }
    restore(copied) {
      Object.assign(this, copied);
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
    below(n) {
      const least = (2 ** 32 - n) % n;
      for (; ; ) {
        const product = BigInt(this.next32()) * BigInt(n);
        if (n === 1 || Number(product & 0xffffffffn) >= least) return Number(product >> 32n);
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
    normals(n) {
      const { width, sure, height } = normal ??= layersOfNormal(), uniform = () => Number(this.next64() >> 11n) * 2 ** -53;
      return Float64Array.from({ length: n }, () => {
        for (; ; ) {
          const word = this.next64(), layer = Number(word & 255n), sign = word & 256n ? -1 : 1, share = Number(word >> 9n & 0xfffffffffffffn), x = share * width[layer];
          if (share < sure[layer]) return sign * x;
          if (layer) {
            if ((height[layer - 1] - height[layer]) * uniform() + height[layer] < Math.exp(-0.5 * x * x)) return sign * x;
            continue;
          }
          for (; ; ) {
            const far = -Math.log1p(-uniform()) / TAIL, other = -Math.log1p(-uniform());
            if (2 * other > far * far) return Math.floor(share / 256) % 2 ? -(TAIL + far) : TAIL + far;
          }
        }
      });
    }
    floats(n) {
      return Float32Array.from({ length: n }, () => (this.next32() >>> 8) * 2 ** -24);
    }
    permuted(list) {
      const shuffled = list.slice();
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = this.upTo(i);
        [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
      }
      return shuffled;
    }
  };
  var TOGETHER = 4;
  var CHUNK = 256;
  var FIGURES = ["log_joint", "wrong_pixels", "gradient_norm", "units_on"];
  var MEASURED = [...FIGURES, "dead_units"];
  var named = (names, values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));
  var State = class {
    step = 0;
    constructor(n_v, n_h) {
      const memory2 = kernels(), layer = () => {
        const fields = { rows: memory2.array("f8", n_h, n_v), b: memory2.array("f8", n_v), d: memory2.array("f8", n_h) };
        return { ...fields, tuple: memory2.tuple("Rows", fields) };
      };
      const { made, placed: all } = memory2.kept(() => ({ own: layer(), gradient: layer(), velocity: layer() }));
      this.n_v = n_v;
      this.n_h = n_h;
      this.layers = made;
      this.placed = all;
    }
    get parameters() {
      const { rows, b, d } = this.layers.own;
      return { W: rows, b, d };
    }
    filters(W = this.layers.own.rows.view) {
      return W.slice();
    }
    copy() {
      const of = ({ rows, b, d }) => ({ rows: rows.view.slice(), b: b.view.slice(), d: d.view.slice() });
      return { step: this.step, own: of(this.layers.own), velocity: of(this.layers.velocity) };
    }
    restore({ step, ...copied }) {
      this.step = step;
      for (const name of ["own", "velocity"]) for (const field of ["rows", "b", "d"]) this.layers[name][field].view.set(copied[name][field]);
    }
    free() {
      for (const each of this.placed) each.free();
    }
  };
  var HardEM = class {
    constructor(settings, precision = "f4") {
      this.settings = settings;
      this.precision = precision;
    }
    fromParams({ rows, b, d }) {
      const state = new State(b.length, d.length), { own } = state.layers;
      own.rows.view.set(rows);
      own.b.view.set(b);
      own.d.view.set(d);
      return state;
    }
    schedule(method) {
      const { warm_sweeps, hottest, coldest, max_sweeps } = this.settings, memory2 = kernels();
      if (method === "gibbs") return { temperatures: new Float64Array(warm_sweeps).fill(1), max_sweeps: 0 };
      return memory2.scope(() => {
        const temperatures = memory2.array("f8", method === "annealed" ? warm_sweeps : 0);
        memory2.call("fill_cooling", { hottest, coldest, temperatures });
        return { temperatures: temperatures.view.slice(), max_sweeps };
      });
    }
    infer(state, X, rng, method, weight = 1, precision = this.precision) {
      const { n_v, n_h, layers } = state, { start } = this.settings, n = X.length / n_v, H = new Uint8Array(n * n_h), { temperatures, max_sweeps } = this.schedule(method);
      let visits = 0, flips = 0;
      return kernels().scope(() => {
        const at = roomFor({ n_v, n_h, gaussian: false }, precision, TOGETHER);
        const prior = this.weighed(layers.own.d.view, weight), cooler = this.weighed(temperatures, weight);
        fill(at, layers.own.rows.view, layers.own.b.view, prior);
        for (let first = 0; first < n; first += CHUNK) kernels().scope(() => {
          const part = X.subarray(first * n_v, (first + CHUNK) * n_v), images = placed(at, part, part.length / n_v);
          begun(at, images, start, rng);
          for (let m = 0; m < part.length / n_v; m++) images.stream.view[m] = rng.next64();
          const results = runSweeps(at, images, cooler, max_sweeps);
          H.set(images.latent.view, first * n_h);
          for (const count of results.visits.view) visits += Number(count);
          for (const count of results.flips.view) flips += Number(count);
        });
        return { H, visits, flips };
      });
    }
    traces({ n_v, n_h, layers: { own } }, X, rng, { e_step, likelihood_weight, start }) {
      const { temperatures, max_sweeps } = this.schedule(e_step), n = X.length / n_v, [W, b, d] = [own.rows, own.b, own.d].map(({ view }) => view.slice()), layer = { n_v, n_h, exact: W, b, d, visible: "bernoulli" }, prior = this.weighed(d, likelihood_weight), cooler = [...this.weighed(temperatures, likelihood_weight), ...new Array(max_sweeps).fill(0)];
      const found = [];
      for (let first = 0; first < n; first += CHUNK) {
        const part = X.subarray(first * n_v, (first + CHUNK) * n_v), images = Array.from({ length: part.length / n_v }, (_, m) => part.subarray(m * n_v, (m + 1) * n_v));
        const starts = this.starts(layer, part, prior, start, rng), streams = images.map(() => rng.next64());
        images.forEach((x, m) => {
          const draws = { next64: () => streams[m] }, from = starts.subarray(m * n_h, (m + 1) * n_h);
          found.push(updateLatents(layer, x, from, "sequential", cooler, /* @__PURE__ */ new Map(), draws, prior));
        });
      }
      return found;
    }
    starts({ n_v, n_h, exact, b }, X, prior, start, rng) {
      return kernels().scope(() => {
        const at = roomFor({ n_v, n_h, gaussian: false });
        fill(at, exact, b, prior);
        const images = placed(at, X, X.length / n_v);
        begun(at, images, start, rng);
        return images.latent.view.slice();
      });
    }
    weighed(values, weight) {
      const memory2 = kernels();
      return memory2.scope(() => {
        const given = { values: memory2.of("f8", values), weight }, weighted = memory2.array("f8", values.length);
        memory2.call("weigh", { ...given, weighted });
        return weighted.view.slice();
      });
    }
    learn({ step, n_v, n_h, layers: { own, gradient, velocity } }, X, H, { prior, ...settings }) {
      const memory2 = kernels(), n = X.length / n_v;
      return memory2.scope(() => {
        const figures = memory2.array("f8", FIGURES.length);
        memory2.call("learn_alone", { old: own.tuple, X: memory2.of("f8", X, n, n_v), H: memory2.of("u1", H, n, n_h), steps: memory2.tuple("GradientSteps", { ...settings, prior: CONSTANTS.priors[prior] }), step, gradient: gradient.tuple, velocity: settings.momentum ? velocity.tuple : gradient.tuple, new: own.tuple, figures });
        return named(FIGURES, figures.view);
      });
    }
    step(state, X, rng, settings = this.settings) {
      const { e_step, likelihood_weight } = settings, n = X.length / state.n_v, { H, visits, flips } = this.infer(state, X, rng, e_step, likelihood_weight), figures = this.learn(state, X, H, settings), { layers } = state;
      state.step += 1;
      if (!settings.momentum) [layers.gradient, layers.velocity] = [layers.velocity, layers.gradient];
      if (!Number.isFinite(figures.log_joint)) throw new Error(`log P(x, h) became ${figures.log_joint} at step ${state.step}: training diverged.`);
      return { ...figures, flips: flips / n, sweeps: visits / (n * state.n_h) };
    }
    encode(state, X, rng) {
      return this.infer(state, X, rng, "icm", 1, "f8").H;
    }
    encodeFactorised({ n_v, n_h, layers: { own } }, X) {
      const [exact, b, d] = [own.rows, own.b, own.d].map(({ view }) => view.slice());
      return this.starts({ n_v, n_h, exact, b }, X, d, "conditional", new Generator(0));
    }
    judge({ n_v, n_h, layers }, X, H) {
      const memory2 = kernels(), n = X.length / n_v;
      return memory2.scope(() => {
        const figures = memory2.array("f8", MEASURED.length);
        memory2.call("measure_alone", { of: layers.own.tuple, X: memory2.of("f8", X, n, n_v), H: memory2.of("u1", H, n, n_h), figures });
        const { log_joint, wrong_pixels, dead_units } = named(MEASURED, figures.view);
        return { score: log_joint, log_joint, wrong_pixels, dead_units };
      });
    }
    validate(state, X, rng) {
      return this.judge(state, X, this.encode(state, X, rng));
    }
    decode({ n_v, n_h, layers: { own } }, H) {
      const memory2 = kernels(), n = H.length / n_h;
      return memory2.scope(() => {
        const means = memory2.array("f8", n, n_v);
        memory2.call("fill_means", { gaussian: false, rows: own.rows, b: own.b, H: memory2.of("u1", H, n, n_h), means });
        return means.view.slice();
      });
    }
    sample(state, n, rng) {
      const { n_h, layers } = state, memory2 = kernels();
      const drawn = (means, width) => memory2.scope(() => {
        const states = memory2.array("u1", n, width);
        memory2.call("fill_draws", { means: memory2.of("f8", means, n, width), uniforms: memory2.of("f8", rng.uniforms(n * width), n, width), states });
        return states.view.slice();
      });
      const prior = memory2.scope(() => {
        const means = memory2.array("f8", n, n_h), none = { rows: memory2.array("f8", 0, n_h), H: memory2.array("u1", n, 0) };
        memory2.call("fill_means", { gaussian: false, ...none, b: layers.own.d, means });
        return means.view.slice();
      });
      return drawn(this.decode(state, drawn(prior, n_h)), state.n_v);
    }
  };
  var machineOf = keptWith(({ n_h, n_v, exact, b, d, visible, precision }) => {
    const memory2 = kernels();
    return memory2.tuple("Machine", { gaussian: visible === "gaussian", rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), precision: memory2.of("f8", precision ?? new Float64Array(n_v).fill(1)) });
  });
  var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, chain_starts: { noise: "noise", data: "a test image" }, walk_ways: { best: "one unit at a time, best flip first", number: "one unit at a time, by number", straight: "all units at once, by degrees" }, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, normaliser_chains: 100, most_compared: 8, images_measured: 100, images_bracketed: 25, narrow_nats: 1, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, held_log_odds: 1e3, figures: ["log_joint", "validation_score", "probe_wrong_pixels", "probe_wrong_pixels_factorised", "gradient_norm", "probe_dead_units", "flips", "sweeps", "units_on", "activity", "fantasy_activity", "bound", "effective_sample_size", "signal_variance", "signal_variance_raw", "stage", "guess_error", "near_zero", "validation_upper_layer_gap", "upper_activity", "seconds"], words_of_rows: { image: "row", pixel: "observation" }, table_words: { pairs: [["yes", "no"], ["true", "false"], ["y", "n"]], unknown: ["", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"] }, max_parameter: 500, check_interval: 100, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
  var { kinds: KINDS, scratch: SCRATCH } = CONSTANTS.means;
  var FIELDS = ["W", "b", "d", "particles", "mu", "lam"];
  function keysFor(n, rng) {
    const keys = kernels().array("u8", n);
    keys.view.set(new BigUint64Array(rng.uniforms(n).buffer));
    return keys;
  }
  var RBMState = class {
    step = 0;
    constructor({ W, b, d, particles }, centred) {
      const memory2 = kernels(), [n_v, n_h] = [b.length, d.length], { made, placed: placed2 } = memory2.kept(() => {
        const arrays = { W: memory2.of("f4", W, n_v, n_h), b: memory2.of("f4", b), d: memory2.of("f4", d), particles: memory2.of("u1", particles, particles.length / n_h, n_h), mu: memory2.array("f4", centred ? n_v : 0), lam: memory2.array("f4", centred ? n_h : 0) };
        return { ...arrays, centres: memory2.tuple("Centres", { mu: arrays.mu, lam: arrays.lam }) };
      });
      this.n_v = n_v;
      this.n_h = n_h;
      this.arrays = made;
      this.placed = placed2;
    }
    get parameters() {
      const { W, b, d } = this.arrays;
      return { W, b, d };
    }
    filters(W = this.arrays.W.view) {
      const { n_v, n_h } = this, rows = new Float64Array(n_h * n_v);
      for (let j = 0; j < n_h; j++) for (let i = 0; i < n_v; i++) rows[j * n_v + i] = W[i * n_h + j];
      return rows;
    }
    copy() {
      const arrays = FIELDS.map((name) => this.arrays[name].view.slice());
      return { step: this.step, arrays };
    }
    restore({ step, arrays }) {
      this.step = step;
      FIELDS.forEach((name, i) => this.arrays[name].view.set(arrays[i]));
    }
    free() {
      for (const each of this.placed) each.free();
    }
  };
  var RBMSystem = class {
    constructor(settings) {
      this.settings = settings;
    }
    fromParams(given) {
      const [n_v, n_h] = [given.b.length, given.d.length], W = "W" in given ? given.W : Float32Array.from({ length: n_v * n_h }, (_, at) => given.rows[at % n_h * n_v + Math.floor(at / n_h)]);
      return new RBMState({ ...given, W }, this.settings.gradient === "centred");
    }
    step(state, X, rng, settings = this.settings) {
      const { method, gradient, n_gibbs, learning_rate, decay_steps, weight_decay } = settings, { W, b, d, particles, centres } = state.arrays, memory2 = kernels();
      return memory2.scope(() => {
        const figures = memory2.array("f8", 5);
        memory2.call("step_alone", { W, b, d, X: memory2.of("u1", X, X.length / state.n_v, state.n_v), particles, persistent: method === "pcd", keys: keysFor(2 * n_gibbs, rng), learning_rate, decay_steps, weight_decay, step: state.step, kind: CONSTANTS.gradients[gradient], centres, figures });
        state.step += 1;
        const [rate, activity, fantasy_activity, total, gradient_norm] = figures.view;
        if (!Number.isFinite(total)) throw new Error(`a parameter is not finite after step ${state.step}, learning rate ${rate.toPrecision(3)}; use a smaller learning rate`);
        return { learning_rate: rate, activity, fantasy_activity, gradient_norm };
      });
    }
    encode({ n_v, n_h, arrays: { W, d } }, X) {
      const memory2 = kernels(), n = X.length / n_v;
      return memory2.scope(() => {
        const H = memory2.array("u1", n, n_h);
        memory2.call("encode_alone", { W, d, X: memory2.of("u1", X, n, n_v), H });
        return H.view.slice();
      });
    }
    judge(state, X, H, pixels) {
      return { wrong_pixels: this.wrongPixels(state, X, H), score: this.pseudoLogLikelihood(state, X, pixels) };
    }
    pseudoLogLikelihood({ n_v, n_h, arrays: { W, b, d } }, X, pixels) {
      const memory2 = kernels(), n = X.length / n_v;
      return memory2.scope(() => {
        const given = { X: memory2.of("u1", X, n, n_v), pixels: memory2.array("i8", pixels.length), fields: memory2.array("f8", n_h) }, totals = memory2.array("f8", n);
        given.pixels.view.set(Array.from(pixels, BigInt));
        memory2.call("predict_alone", { W, b, d, ...given, totals });
        return totals.view.reduce((sum, total) => sum + total, 0) / n;
      });
    }
    wrongPixels(state, X, H) {
      const memory2 = kernels(), { n_v, n_h } = state, n = X.length / n_v;
      return memory2.scope(() => {
        const given = { rows: memory2.of("f8", state.filters(), n_h, n_v), b: memory2.of("f8", state.arrays.b.view), means: memory2.of("f8", H, n, n_h), targets: memory2.of("f8", X, n, n_v) }, a = memory2.array("f8", n_v), errors = memory2.array("f8", n);
        memory2.call("errors_of_means", { ...given, squared: false, a, errors });
        return errors.view.reduce((sum, wrong) => sum + wrong, 0) / n;
      });
    }
    decode({ n_v, n_h, arrays: { W, b } }, H) {
      const memory2 = kernels(), n = H.length / n_h;
      return memory2.scope(() => {
        const means = memory2.array("f8", n, n_v);
        memory2.call("decode_alone", { W, b, H: memory2.of("u1", H, n, n_h), means });
        return means.view.slice();
      });
    }
    chains({ n_h, arrays: { particles } }, n) {
      return particles.view.slice(0, n * n_h);
    }
    sample({ n_v, n_h, arrays: { W, b, d, particles } }, n, rng) {
      const memory2 = kernels(), [n_chains] = particles.shape, H = new Uint8Array(n * n_h);
      for (let m = 0; m < n; m++) {
        const chain = rng.below(n_chains) * n_h;
        H.set(particles.view.subarray(chain, chain + n_h), m * n_h);
      }
      return memory2.scope(() => {
        const X = memory2.array("u1", n, n_v), keys = keysFor(2 * this.settings.n_sample_sweeps, rng);
        memory2.call("gibbs_alone", { W, b, d, H: memory2.of("u1", H, n, n_h), keys, X });
        return X.view.slice();
      });
    }
  };
  var FIELDS2 = ["W", "b", "d", "V", "c"];
  var FIGURES2 = ["bound", "effective_sample_size", "activity", "learning_rate"];
  function uniforms(rng, n, n_h, n_v, { n_each, dreams }) {
    const memory2 = kernels(), drawn = (used, rows, width) => used ? memory2.of("f4", rng.floats(rows * width), rows, width) : memory2.array("f4", 0, width), H = drawn(n_each > 0, n * n_each, n_h), dreamt_H = drawn(dreams, n, n_h), dreamt_X = drawn(dreams, n, n_v);
    return { tuple: memory2.tuple("Uniforms", { H, dreamt_H, dreamt_X }), dreamt_X };
  }
  var RWSState = class {
    step = 0;
    constructor({ W, b, d, V, c }) {
      const memory2 = kernels(), [n_v, n_h] = [b.length, d.length], networks = (of) => {
        const fields = { W: memory2.array("f4", n_v, n_h), b: memory2.array("f4", n_v), d: memory2.array("f4", n_h), V: memory2.array("f4", n_v, n_h), c: memory2.array("f4", n_h) };
        if (of) for (const name of FIELDS2) fields[name].view.set(of[name]);
        return { ...fields, tuple: memory2.tuple("LayerNetworks", fields) };
      }, { made, placed: placed2 } = memory2.kept(() => ({ own: networks({ W, b, d, V, c }), mean: networks(null), gradient: networks(null) }));
      this.n_v = n_v;
      this.n_h = n_h;
      this.networks = made;
      this.placed = placed2;
    }
    get parameters() {
      const { W, b, d, V, c } = this.networks.own;
      return { W, b, d, V, c };
    }
    copy() {
      const { own, mean } = this.networks, of = (networks) => FIELDS2.map((name) => networks[name].view.slice());
      return { step: this.step, own: of(own), mean: of(mean) };
    }
    restore({ step, own, mean }) {
      this.step = step;
      FIELDS2.forEach((name, i) => {
        this.networks.own[name].view.set(own[i]);
        this.networks.mean[name].view.set(mean[i]);
      });
    }
    free() {
      for (const each of this.placed) each.free();
    }
  };
  var RWSSystem = class {
    constructor(settings) {
      this.settings = settings;
    }
    fromParams(parameters) {
      return new RWSState(parameters);
    }
    step(state, X, rng, settings = this.settings) {
      const { n_particles, phases } = settings, { n_v, n_h, networks } = state, n = X.length / n_v, sleeps = phases !== "wake", memory2 = kernels();
      return memory2.scope(() => {
        const figures = memory2.array("f8", FIGURES2.length + 1);
        memory2.call("rws_step_alone", { of: networks.own.tuple, mean: networks.mean.tuple, gradient: networks.gradient.tuple, X: memory2.of("f4", X, n, n_v), uniforms: uniforms(rng, n, n_h, n_v, { n_each: n_particles, dreams: sleeps }).tuple, n_each: n_particles, wakes: phases !== "sleep", sleeps, ...settings, step: state.step, figures });
        state.step += 1;
        const values = figures.view, said = Object.fromEntries(FIGURES2.map((name, i) => [name, values[i]]));
        if (!Number.isFinite(values[FIGURES2.length])) throw new Error(`a parameter is not finite after step ${state.step}, learning rate ${said.learning_rate.toPrecision(3)}; use a smaller learning rate.`);
        return said;
      });
    }
    encode({ n_v, n_h, networks }, X) {
      const memory2 = kernels(), n = X.length / n_v;
      return memory2.scope(() => {
        const means = memory2.array("f4", n, n_h);
        memory2.call("recognise_alone", { of: networks.own.tuple, X: memory2.of("f4", X, n, n_v), means });
        return means.view.slice();
      });
    }
    decode({ n_v, n_h, networks }, H) {
      const memory2 = kernels(), n = H.length / n_h;
      return memory2.scope(() => {
        const means = memory2.array("f8", n, n_v);
        memory2.call("generate_alone", { of: networks.own.tuple, H: memory2.of("f4", H, n, n_h), means });
        return means.view.slice();
      });
    }
    sample({ n_v, n_h, networks }, n, rng) {
      const memory2 = kernels();
      return memory2.scope(() => {
        const { tuple, dreamt_X } = uniforms(rng, n, n_h, n_v, { n_each: 0, dreams: true });
        memory2.call("dream_alone", { of: networks.own.tuple, uniforms: tuple });
        return Uint8Array.from(dreamt_X.view);
      });
    }
  };
  var SYSTEMS = { lrbn: HardEM, rbm: RBMSystem, rws: RWSSystem };
  function systemOf(kind, settings) {
    if (!(kind in SYSTEMS)) throw new Error(`expected a way of learning of ${Object.keys(SYSTEMS).join(", ")}; got ${kind}`);
    return new SYSTEMS[kind](settings);
  }
  var train_step = (system, state, X, rng, settings) => system.step(state, X, rng, settings);
  var { max_parameter: MAX_PARAMETER, check_interval: CHECK_INTERVAL } = constants_default;
  var Training = class {
    step = 0;
    epoch = 0;
    offset = 0;
    order = new Int32Array(0);
    averaged = 0;
    total = {};
    constructor(system, state, { X, n_v }, { batch_size, rng, n_iter }) {
      this.system = system;
      this.state = state;
      this.X = X;
      this.n_v = n_v;
      this.n = X.length / n_v;
      this.batch_size = batch_size;
      this.images = new Float64Array(batch_size * n_v);
      this.rng = rng;
      this.n_iter = n_iter;
    }
    get over() {
      return this.epoch >= this.n_iter;
    }
    get n_steps() {
      return this.n_iter * this.perPass;
    }
    get n_done() {
      return this.epoch * this.perPass + Math.ceil(this.offset / this.batch_size);
    }
    get perPass() {
      return Math.ceil(this.n / this.batch_size);
    }
    get acting() {
      const { settings } = this.system, { learning_rate, learning_rate_end } = settings, { n_done, n_steps } = this;
      if (learning_rate_end === null) return settings;
      const share = kernels().call("share_done", { n_done, n_steps }), rate = kernels().call("rate_at", { share, first: learning_rate, last: learning_rate_end });
      return { ...settings, learning_rate: rate };
    }
    next() {
      const rows = this.nextRows(), figures = train_step(this.system, this.state, this.batch(rows), this.rng, this.acting);
      this.step += 1;
      this.offset += rows.length;
      this.takeIntoAverage();
      const ended = this.offset >= this.n;
      if (ended || this.step % CHECK_INTERVAL === 0) this.check();
      if (ended) {
        this.epoch += 1;
        this.offset = 0;
        this.order = new Int32Array(0);
      }
      return { figures, rows, ended };
    }
    nextRows() {
      if (!this.order.length) this.order = this.rng.permuted(Int32Array.from({ length: this.n }, (_, m) => m));
      return this.order.subarray(this.offset, this.offset + this.batch_size);
    }
    takeIntoAverage() {
      const { average } = this.system.settings, { n_done, n_steps } = this;
      if (!average || n_done <= kernels().call("first_averaged", { average, n_steps })) {
        this.averaged = 0;
        return;
      }
      this.averaged += 1;
      for (const [name, { view }] of Object.entries(this.state.parameters)) if (this.averaged === 1) this.total[name] = view.slice();
      else for (let k = 0; k < view.length; k++) this.total[name][k] += view[k];
    }
    end() {
      const { averaged, total } = this;
      if (averaged) for (const [name, { view }] of Object.entries(this.state.parameters)) view.set(total[name].map((sum) => sum / averaged));
      this.averaged = 0;
      return averaged;
    }
    check() {
      for (const [name, { view }] of Object.entries(this.state.parameters)) for (const value of view) if (!(Math.abs(value) <= MAX_PARAMETER)) throw new Error(`training diverged: ${name} reached ${value.toPrecision(3)} in step ${this.step}; expected at most ${MAX_PARAMETER}. Lower learning_rate, for example to a tenth.`);
    }
    batch(rows) {
      const { X, n_v } = this, batch = this.images.subarray(0, rows.length * n_v);
      rows.forEach((m, k) => {
        for (let i = 0; i < n_v; i++) batch[k * n_v + i] = X[m * n_v + i];
      });
      return batch;
    }
    snapshot() {
      const { step, epoch, offset, averaged, rng } = this, sums = Object.entries(averaged ? this.total : {}).map(([name, sum]) => [name, sum.slice()]);
      return { step, epoch, offset, averaged, order: this.order.slice(), total: Object.fromEntries(sums), state: this.state.copy(), rng: rng.copy() };
    }
    restore({ state, rng, order, total, ...places }) {
      Object.assign(this, places);
      this.order = order.slice();
      this.total = Object.fromEntries(Object.entries(total).map(([name, sum]) => [name, sum.slice()]));
      this.state.restore(state);
      this.rng.restore(rng);
    }
  };
  var MOMENTS = 64;
  var MOMENTS_SIZE = 64 * 2 ** 20;
  function sizeOf(value) {
    if (ArrayBuffer.isView(value)) return value.byteLength;
    if (typeof value !== "object" || value === null) return 0;
    return Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0);
  }
  var StoredRun = class {
    averaged = 0;
    every = 1;
    rows = new Int32Array(0);
    constructor({ kernels: kernels2, kind, settings, parameters, images, batch_size, seed, n_iter }) {
      if (!loadKernels(kernels2, "learning")) throw new Error(WITHOUT);
      this.system = systemOf(kind, settings);
      this.training = new Training(this.system, this.system.fromParams(parameters), images, { batch_size, rng: new Generator(seed), n_iter });
      this.moments = [this.training.snapshot()];
      this.most = Math.min(MOMENTS, Math.max(2, Math.floor(MOMENTS_SIZE / sizeOf(this.moments))));
    }
    get over() {
      return this.training.over;
    }
    step() {
      const { training } = this, { figures, rows } = training.next();
      this.rows = rows;
      if (training.over) this.averaged = training.end();
      if (training.step % this.every === 0) this.store();
      return figures;
    }
    store() {
      this.moments.push(this.training.snapshot());
      if (this.moments.length <= this.most) return;
      this.every *= 2;
      this.moments = this.moments.filter(({ step }) => step % this.every === 0);
    }
    change(settings) {
      this.system.settings = { ...this.system.settings, ...settings };
    }
    back(step) {
      this.moments = this.moments.filter((moment, n) => n === 0 || moment.step <= step);
      this.training.restore(this.moments.at(-1));
      this.averaged = 0;
    }
    free() {
      this.training.state.free();
    }
  };
  var AT_A_TIME = 12;
  var WAIT = 8;
  var AHEAD = 50;
  function clockOfWorker() {
    const channel = new MessageChannel();
    const waiting = [];
    channel.port1.onmessage = () => waiting.shift()?.();
    return { now: () => performance.now(), later(turn) {
      waiting.push(turn);
      channel.port2.postMessage(null);
    }, wait: (turn, ms) => setTimeout(turn, ms) };
  }
  var Turns = class {
    playing = false;
    waiting = false;
    due = 0;
    turned = 0;
    steps = Infinity;
    constructor(clock, work) {
      this.clock = clock;
      this.work = work;
    }
    get pace() {
      return this.steps;
    }
    set pace(steps) {
      this.steps = steps;
      this.due = 0;
    }
    play() {
      this.playing = !this.work.over;
      this.due = 0;
      this.turned = this.clock.now();
      this.turnLater();
    }
    pause() {
      this.playing = false;
    }
    turnLater() {
      if (this.waiting || !this.playing) return;
      this.waiting = true;
      const turn = () => {
        this.waiting = false;
        this.turn();
      };
      if (this.due < 1 && this.pace !== Infinity) this.clock.wait(turn, WAIT);
      else this.clock.later(turn);
    }
    turn() {
      if (!this.playing) return;
      const { clock, work, pace } = this, began = clock.now();
      this.due = pace === Infinity ? Infinity : this.due + pace * (began - this.turned) / 1e3;
      this.turned = began;
      try {
        while (!work.over && this.due >= 1 && clock.now() - began < AT_A_TIME) {
          work.step();
          this.due -= 1;
        }
      } catch (error) {
        this.playing = false;
        return work.fail(error);
      }
      if (pace !== Infinity) this.due = Math.min(this.due, 1 + pace / AHEAD);
      if (work.over) this.playing = false;
      work.after(clock.now());
      this.turnLater();
    }
  };
  var BETWEEN = 100;
  var Learner = class {
    run = null;
    answered = 0;
    figures = [];
    constructor(post, clock) {
      this.post = post;
      this.clock = clock;
      this.turns = new Turns(clock, this);
    }
    handle(message) {
      try {
        this.act(message);
      } catch (error) {
        this.turns.pause();
        this.fail(error);
      }
    }
    fail(error) {
      this.post({ failed: error instanceof Error ? error.message : String(error) });
    }
    act(message) {
      if (message.act === "begin") {
        const begun2 = new StoredRun(message);
        this.run?.free();
        this.run = begun2;
        this.figures = [];
      }
      const { run } = this;
      if (!run) throw new Error("a run begins with its images and settings: send them first");
      if (message.act === "play") return this.turns.play();
      this.turns.pause();
      if (message.act === "step" && !this.over) this.step();
      if (message.act === "change") run.change(message.settings);
      if (message.act === "back") {
        run.back(message.step);
        this.figures = [];
      }
      this.answer(run);
    }
    get over() {
      return this.run !== null && this.run.over;
    }
    step() {
      if (this.run) this.figures.push(this.run.step());
    }
    after(now) {
      if (this.run && (!this.turns.playing || now - this.answered >= BETWEEN)) this.answer(this.run);
    }
    answer({ training, averaged, rows, moments }) {
      const names = Object.keys(this.figures[0] ?? {}), figures = Object.fromEntries(names.map((name) => [name, Float64Array.from(this.figures, (each) => each[name])]));
      this.answered = this.clock.now();
      this.figures = [];
      this.post({ step: training.step, epoch: training.epoch, over: this.over, playing: this.turns.playing, averaged, rows: rows.slice(), figures, state: training.state.copy(), moments: moments.map(({ step }) => step) });
    }
  };
  var scope = self;
  var learner = new Learner((answer) => scope.postMessage(answer, buffersOf(answer)), clockOfWorker());
  function buffersOf(value) {
    if (ArrayBuffer.isView(value)) return [value.buffer];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersOf) : [];
  }
  scope.onmessage = ({ data }) => learner.handle(data);
})();
