// d56262b29b54645b4d463de15fa35996e713dd034b6da3f8b952a4deed828140
"use strict";
(() => {
  function scalarSigmoid(a) {
    const t = Math.exp(-Math.abs(a));
    return (a >= 0 ? 1 : t) / (1 + t);
  }
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
        for (const placed3 of this.scopes.pop()) placed3.free();
      }
    }
    kept(work) {
      const placed3 = [];
      this.scopes.push(placed3);
      try {
        return { made: work(), placed: placed3 };
      } finally {
        this.scopes.pop();
      }
    }
    noted(placed3) {
      this.scopes.at(-1)?.push(placed3);
      return placed3;
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
  var registry = new FinalizationRegistry((placed3) => placed3.forEach((each) => each.free()));
  function keptWith(make) {
    const known = /* @__PURE__ */ new WeakMap();
    return (owner) => {
      const found = known.get(owner);
      if (found) return found;
      const { made, placed: placed3 } = kernels().kept(() => make(owner));
      known.set(owner, made);
      registry.register(owner, placed3);
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
  function startLatents(layer, x, start, rng) {
    return kernels().scope(() => {
      const at = placedIn(layer, x);
      begun(prepared(layer), at, start, rng);
      return at.latent.view.slice();
    });
  }
  function conditionalLogOdds(layer, x, h) {
    return kernels().scope(() => {
      const { memory: memory2, params, state, latent } = placedIn(layer, x), log_odds = memory2.array("f8", 1, layer.n_h);
      latent.view.set(h);
      memory2.call("begin", { params, state });
      memory2.call("fill_log_odds", { params, state, log_odds });
      return log_odds.view.slice();
    });
  }
  var evidence = (layer, x) => kernels().scope(() => placedIn(layer, x).evidence.view.slice());
  var allLogJoints = (layer, x) => kernels().scope(() => enumerated(layer, x).view.slice());
  function enumerated(layer, x) {
    const memory2 = kernels(), log_joints = memory2.array("f8", 2 ** layer.n_h);
    memory2.scope(() => {
      const { params, state } = placedIn(layer, x);
      memory2.call("enumerate_joints", { params, state, log_joints });
    });
    return log_joints;
  }
  function activation(layer, h, offsets = null) {
    return kernels().scope(() => {
      const memory2 = kernels(), { rows, fields: { b }, n_p } = prepared(layer), a = memory2.array("f8", n_p), own = offsets ? memory2.array("f8", n_p) : b;
      if (offsets) own.view.set(offsets);
      memory2.call("activate_image", { rows, b: own, h: memory2.of("u1", h), a });
      return a.view.slice(0, layer.n_v);
    });
  }
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
  function padded(x, ...shape) {
    const made = kernels().array("f8", ...shape);
    made.view.fill(NaN).set(x);
    return made;
  }
  function statesAfter({ h0, unit, after }, k = unit.length) {
    const h = Float64Array.from(h0);
    for (let v = 0; v < Math.min(k, unit.length); v++) h[unit[v]] = after[v];
    return h;
  }
  function jointOf(layers, x, H) {
    const memory2 = kernels();
    return memory2.scope(() => {
      let total = 0, below = x;
      layers.forEach((layer, n) => {
        const { rows, fields: { b, d }, n_p, gaussian } = prepared(layer), a = memory2.array("f8", n_p), latent = memory2.of("u1", H[n]), top = n === layers.length - 1, given = { gaussian, rows, b, d, below: padded(below, n_p), latent, top, a };
        total += memory2.call("log_joint_of_layer", given);
        below = H[n];
      });
      return total;
    });
  }
  function updateLayers(layers, x, start, order, temperatures, held, rng) {
    const H = [];
    for (const layer of layers) {
      if (typeof start !== "string") H.push(Uint8Array.from({ length: layer.n_h }, (_, j) => start[layer.first + j]));
      else {
        H.push(startLatents(layer, H.at(-1) ?? x, start, rng));
        rng.next64();
      }
    }
    const holds = layers.map(({ first, n_h }) => new Map(Array.from(held, ([unit, value]) => [unit - first, value]).filter(([unit]) => unit >= 0 && unit < n_h)));
    holds.forEach((of, n) => {
      for (const [unit, value] of of) H[n][unit] = value;
    });
    let joint = jointOf(layers, x, H), converged = false;
    const record = new Record(Uint8Array.from(H.flatMap((h) => Array.from(h))), joint);
    for (let t = 0; t < temperatures.length && !converged; t++) {
      let moved = false;
      layers.forEach((layer, n) => {
        const prior = n < layers.length - 1 ? activation(layers[n + 1], H[n + 1]) : null, below = n ? H[n - 1] : x, part = updateLatents(layer, below, H[n], order, [temperatures[t]], holds[n], rng, prior), rest = joint - part.logJoint[0];
        part.unit.forEach((j, k) => {
          moved ||= H[n][j] !== part.after[k];
          H[n][j] = part.after[k];
        });
        record.unit.push(...part.unit.map((j) => layer.first + j));
        record.after.push(...part.after);
        record.logOdds.push(...part.logOdds);
        record.logJoint.push(...part.logJoint.slice(1).map((value) => value + rest));
        record.sweep.push(...part.unit.map(() => t));
        joint = jointOf(layers, x, H);
      });
      converged = temperatures[t] === 0 && !moved;
    }
    return record.trace({ converged, sampled: isSampled(record.sweep, temperatures) });
  }
  function errorsAlong(layer, x, { h0, unit, after }) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const { rows, fields: { b }, n_p, gaussian } = prepared(layer), errors = memory2.array("f8", unit.length + 1);
      memory2.call("errors_along", { rows, h: memory2.of("f8", Array.from(h0).slice(0, layer.n_h)), unit: memory2.of("i4", unit), after: memory2.of("f8", after), target: padded(x, n_p), squared: gaussian, a: memory2.of("f8", b.view), errors });
      return errors.view.slice();
    });
  }
  function errorsOf(layer, x, means) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const { rows, fields: { b }, n_p, gaussian } = prepared(layer), targets = padded(x, 1, n_p), a = memory2.array("f8", n_p), errors = memory2.array("f8", means.shape[0]);
      memory2.call("errors_of_means", { rows, b, means, targets, squared: gaussian, a, errors });
      return errors.view.slice();
    });
  }
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
  var FIGURES = ["log_joint", "wrong_pixels", "gradient_norm", "units_on"];
  var MEASURED = [...FIGURES, "dead_units"];
  var SWEEPS = 16;
  var CURSOR2 = { visits: 0, done: 2 };
  var machineOf = keptWith(({ n_h, n_v, exact, b, d, visible, precision }) => {
    const memory2 = kernels();
    return memory2.tuple("Machine", { gaussian: visible === "gaussian", rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), precision: memory2.of("f8", precision ?? new Float64Array(n_v).fill(1)) });
  });
  function visitIndependent(layer, x) {
    const memory2 = kernels(), { n_h, n_v } = layer, machine = machineOf(layer);
    return memory2.scope(() => {
      const image = memory2.of("f8", Float64Array.from(x)), fixed = memory2.array("f8", n_h), joint = memory2.call("place_visible", { machine, x: image, fixed }), cursor = memory2.array("i8", 3), n_visits = SWEEPS * n_h, columns = memory2.columns("Visits", n_visits);
      const given = { machine, x: image, fixed, u: memory2.array("f8", n_v), h: memory2.array("u1", n_h), total: memory2.of("f8", [joint]), cursor, visits: memory2.tuple("Visits", columns), n_visits };
      const record = new Record(new Uint8Array(n_h), joint);
      while (!cursor.view[CURSOR2.done]) {
        cursor.view[CURSOR2.visits] = 0n;
        memory2.call("visit_independent", given);
        record.add(columns, columns.log_joint, Number(cursor.view[CURSOR2.visits]));
      }
      record.sweep = record.unit.map((_, k) => Math.floor(k / n_h));
      return record.trace({});
    });
  }
  var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, chain_starts: { noise: "noise", data: "a test image" }, walk_ways: { best: "one unit at a time, best flip first", number: "one unit at a time, by number", straight: "all units at once, by degrees" }, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, normaliser_chains: 100, most_compared: 8, images_measured: 100, images_bracketed: 25, narrow_nats: 1, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, held_log_odds: 1e3, figures: ["log_joint", "validation_score", "probe_wrong_pixels", "probe_wrong_pixels_factorised", "gradient_norm", "probe_dead_units", "flips", "sweeps", "units_on", "activity", "fantasy_activity", "bound", "effective_sample_size", "signal_variance", "signal_variance_raw", "stage", "guess_error", "near_zero", "validation_upper_layer_gap", "upper_activity", "seconds"], words_of_rows: { image: "row", pixel: "observation" }, table_words: { pairs: [["yes", "no"], ["true", "false"], ["y", "n"]], unknown: ["", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"] }, max_parameter: 500, check_interval: 100, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
  var { kinds: KINDS, scratch: SCRATCH } = CONSTANTS.means;
  var CURSOR3 = { visits: 0, done: 3, converged: 4 };
  var ROWS = 6;
  var SWEEPS2 = 16;
  function boundOf([{ n_h, visible }], name) {
    const { linear, quadratic } = KINDS, few = n_h <= constants_default.max_exact_interactive;
    if (name === "undirected") return { visible: linear, latent: linear };
    if (name === "top") return { visible: quadratic, latent: linear };
    if (name === "layers" || name === "quadratic" || name === "few-exact" && !few) return { visible: quadratic, latent: quadratic };
    if (visible === "gaussian") return { visible: KINDS.gaussian, latent: quadratic };
    return { visible: KINDS.tilted, latent: quadratic, exact: few && name !== "tilted" };
  }
  function integers(values) {
    const made = kernels().array("i8", values.length);
    made.view.set(values.map(BigInt));
    return made;
  }
  function placed2({ layers, top }, x, q, { visible, latent, exact }) {
    const memory2 = kernels(), n_v = x.length, first = [0, n_v], last = layers[layers.length - 1];
    for (const { n_h } of layers) first.push(first[first.length - 1] + n_h);
    const n_units = first[first.length - 1], weights = memory2.array("f8", layers.reduce((sum, { exact: rows }) => sum + rows.length, 0));
    layers.reduce((at, { exact: rows }) => {
      weights.view.set(rows, at);
      return at + rows.length;
    }, 0);
    const params = memory2.tuple("MeansParams", { kinds: integers([visible, ...layers.map(() => latent)]), first: integers(first), weights, n_v, exact: Boolean(exact), bias: memory2.of("f8", [...layers.map(({ b }) => b), last.d].flatMap((each) => Array.from(each))), experts: top ? memory2.of("f8", top.U, last.n_h, top.e.length) : memory2.array("f8", last.n_h, 0), offsets: memory2.of("f8", top ? top.e : []), log_joints: memory2.of("f8", exact ? allLogJoints(layers[0], x) : []) });
    const units = memory2.array("f8", ROWS, n_units);
    units.view.set(Float64Array.from(x));
    units.view.set(q, n_v);
    const state = memory2.tuple("MeansState", { units, tilts: memory2.array("f8", ROWS, visible === KINDS.tilted && !exact ? n_v : 0), upper: memory2.array("f8", top ? top.e.length : 0), sums: memory2.array("f8", SCRATCH + (exact ? 2 ** q.length : 0)) });
    return { params, state };
  }
  function meanField(model, x, start, held, n_sweeps, name = "", guess = null) {
    const h0 = Float64Array.from(start);
    for (const [unit, value] of held) h0[unit] = value;
    const memory2 = kernels(), free = Int32Array.from(h0.keys()).filter((j) => !held.has(j)), n_visits = free.length * Math.min(SWEEPS2, n_sweeps + Number(guess !== null));
    return memory2.scope(() => {
      const at = placed2(model, x, h0, boundOf(model.layers, name)), logJoint0 = memory2.call("begin_means", at), record = new Record(h0, logJoint0);
      const given = { ...at, units: memory2.of("i4", free), guess: memory2.of("f8", guess ?? []), n_sweeps, most: memory2.array("f8", 1), cursor: memory2.array("i8", 5), n_visits };
      const { cursor } = given;
      while (n_visits && !cursor.view[CURSOR3.done]) memory2.scope(() => {
        const columns = memory2.columns("MeansRecord", n_visits);
        cursor.view[CURSOR3.visits] = 0n;
        memory2.call("update_means", { ...given, record: memory2.tuple("MeansRecord", columns) });
        record.add(columns, columns.bound, Number(cursor.view[CURSOR3.visits]));
      });
      return record.trace({ converged: !n_visits || Boolean(cursor.view[CURSOR3.converged]), means: true });
    });
  }
  function passed({ V, c }, below, held = /* @__PURE__ */ new Map(), first = 0, scale = 1) {
    const memory2 = kernels(), n_h = c.length;
    return memory2.scope(() => {
      const log_odds = memory2.array("f8", n_h), means = memory2.array("f8", n_h);
      memory2.call("pass_up", { rows: memory2.of("f8", V, n_h, below.length), offset: memory2.of("f8", c), below: memory2.of("f8", Float64Array.from(below)), scale, held: memory2.of("f8", Float64Array.from({ length: n_h }, (_, j) => held.get(first + j) ?? NaN)), log_odds, means });
      return { logOdds: log_odds.view.slice(), means: means.view.slice() };
    });
  }
  function guesses({ layers, recognition = [] }, x, held) {
    let below = x;
    return layers.flatMap(({ first }, n) => {
      const { logOdds, means } = passed(recognition[n], below, held, first);
      below = means;
      return Array.from(logOdds);
    });
  }
  var fieldOf = ({ exact, d }, x) => passed({ V: exact, c: d }, x).logOdds;
  function passUp({ layers: [low, high] }, x, held) {
    const { logOdds, means } = passed({ V: low.exact, c: low.d }, x, held, low.first, 2);
    return [...logOdds, ...fieldOf(high, means)];
  }
  function allOthersOff({ n_v, n_h, exact, b, d }) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const log_odds = memory2.array("f8", n_h);
      memory2.call("fill_thresholds", { rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), log_odds });
      return { V: Float64Array.from(exact), c: log_odds.view.slice() };
    });
  }
  function startMeans(layer, x, start, rng) {
    const { n_h, visible } = layer;
    if (start === "paper" || start === "conditional" && visible === "gaussian") return evidence(layer, x).map(scalarSigmoid);
    if (start === "conditional") return conditionalLogOdds(layer, x, new Uint8Array(n_h)).map(scalarSigmoid);
    if (start === "random") return Float64Array.from(rng.coins(n_h));
    return start === "zeros" ? new Float64Array(n_h) : Float64Array.from(start);
  }
  function draw({ layers, recognition = [] }, x, n, held, rng) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const log_q = memory2.array("f8", n);
      let below = memory2.of("u1", x, 1, x.length);
      const found = layers.map(({ first, n_v, n_h }, layer) => {
        const { V: rows, c } = recognition[layer], V = memory2.array("f8", n_v, n_h), H = memory2.array("u1", n, n_h), { view } = V;
        for (let j = 0, at = 0; j < n_h; j++) for (let i = 0; i < n_v; i++, at++) view[i * n_h + j] = rows[at];
        memory2.call("draw_layer", { V, c: memory2.of("f8", c), below, held: memory2.of("f8", Array.from({ length: n_h }, (_, j) => {
          const state = held.get(first + j);
          if (state === void 0) return NaN;
          return state ? constants_default.held_log_odds : -constants_default.held_log_odds;
        })), u: memory2.of("f8", rng.uniforms(n * n_h), n, n_h), z: memory2.array("f8", n_h), p: memory2.array("f8", n_h), H, log_q });
        below = H;
        return Array.from({ length: n }, (_, k) => H.view.slice(k * n_h, (k + 1) * n_h));
      });
      return { logQ: log_q.view.slice(), found };
    });
  }
  function weighParticles(model, x, n, held, rng) {
    const { layers } = model, { logQ, found } = draw(model, x, n, held, rng);
    const states = Array.from({ length: n }, (_, k) => Uint8Array.from(found.flatMap((of) => Array.from(of[k]))));
    const jointWith = (k) => jointOf(layers, x, found.map((of) => of[k]));
    const memory2 = kernels();
    return memory2.scope(() => {
      const log_weights = memory2.of("f8", logQ.map((value, k) => jointWith(k) - value)), estimates = memory2.array("f8", n), shares = memory2.array("f8", n);
      memory2.call("weigh_along", { log_weights, estimates, shares });
      return { h0: Float64Array.from(states[0]), unit: new Array(n - 1).fill(0), after: Array.from(shares.view.subarray(1)), logOdds: Array.from(log_weights.view.subarray(1)), logJoint: Array.from(estimates.view), sweep: new Array(n - 1).fill(0), converged: false, sampled: true, means: true, atOnce: false, particles: states.slice(1) };
    });
  }
  function placedMeans({ h0, after, particles = [] }) {
    const memory2 = kernels(), n = particles.length + 1, n_h = h0.length, H = memory2.array("u1", n, n_h), means = memory2.array("f8", n, n_h);
    H.view.set(h0);
    particles.forEach((state, k) => H.view.set(state, (k + 1) * n_h));
    memory2.call("means_along", { H, shares: memory2.of("f8", [1, ...after]), means });
    return means;
  }
  var meansAfter = (trace2, k) => kernels().scope(() => placedMeans(trace2).view.slice(k * trace2.h0.length, (k + 1) * trace2.h0.length));
  var errorsAlong2 = ({ layers: [layer] }, x, trace2) => kernels().scope(() => errorsOf(layer, x, placedMeans(trace2)));
  function isWhole(x) {
    for (let i = 0; i < x.length; i++) if (Number.isNaN(x[i])) return false;
    return true;
  }
  function observedPart(model, x) {
    if (isWhole(x)) return { model, x };
    const seen = Array.from(x, (_, i) => i).filter((i) => !Number.isNaN(x[i])), [lowest, ...upper] = model.layers;
    const rowsOf2 = (W2) => {
      const { n_v, n_h } = lowest, found = new W2.constructor(n_h * seen.length);
      for (let j = 0, at = 0; j < n_h; j++) for (const i of seen) found[at++] = W2[j * n_v + i];
      return found;
    };
    const those = (values) => Float64Array.from(seen, (i) => values[i]);
    const exact = rowsOf2(lowest.exact), W = lowest.exact === lowest.W ? exact : rowsOf2(lowest.W);
    const layer = { ...lowest, n_v: seen.length, exact, W, b: those(lowest.b), precision: lowest.precision && those(lowest.precision), brief: true };
    return { model: { ...model, n_v: seen.length, W, b: layer.b, layers: [layer, ...upper], recognition: model.recognition?.length ? [layer, ...upper].map(allOthersOff) : [] }, x: those(Float64Array.from(x)) };
  }
  function keysFor(n, rng) {
    const keys = kernels().array("u8", n);
    keys.view.set(new BigUint64Array(rng.uniforms(n).buffer));
    return keys;
  }
  function schedule({ temperature, max_sweeps }) {
    const rest = new Array(max_sweeps);
    return typeof temperature === "number" ? rest.fill(temperature) : [...temperature, ...rest.fill(0)];
  }
  function trace(whole, method, image, start, held, seed) {
    if (whole.factorised) return visitIndependent(whole.layers[0], image);
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
      const none = ["sequential", [], /* @__PURE__ */ new Map(), rng], begun2 = layers.length > 1 ? updateLayers(layers, x, start, ...none) : updateLatents(layers[0], x, start, ...none);
      return meanField(model, x, begun2.h0, held, sweeps, bound, guesses(model, x, held));
    }
    if (method.kind === "mean-field") return meanField(model, x, startMeans(layers[0], x, start, rng), held, sweeps);
    const how = [image, start, method.order, schedule(method), held, rng];
    return layers.length > 1 ? updateLayers(whole.layers, ...how) : updateLatents(whole.layers[0], ...how);
  }
  function latentsAfter(made, k = made.unit.length) {
    const h = made.particles ? meansAfter(made, k) : statesAfter(made, k);
    return Uint8Array.from(h, (value) => Number(value > 0.5));
  }
  function errorsAlong3(whole, image, made) {
    if (!made.particles) return errorsAlong(whole.layers[0], image, made);
    const { model, x } = observedPart(whole, image);
    return errorsAlong2(model, x, made);
  }
  var { power: POWER, n_chains: N_CHAINS, n_sweeps: N_SWEEPS, max_enumerated: MAX_ENUMERATED } = CONSTANTS.annealing;
  var { max_exact_interactive: MAX_EXACT, normaliser_chains: LEAST_CHAINS } = constants_default;
  var TOGETHER = 4;
  var MOST_SUMMED = 2 ** 26;
  var START_SHARE = 0.2;
  var ESTIMATE_SHARE = 0.6;
  var isExact = ({ layers: [{ n_h, n_v }, ...above], factorised }) => !above.length && n_h <= MAX_ENUMERATED && (factorised || 2 ** n_h * n_v <= MOST_SUMMED);
  function summed(log_joints) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const p = memory2.array("f8", log_joints.length), top = log_joints.view.reduce((most, value) => Math.max(most, value), -Infinity);
      return memory2.call("normalise", { log_joints, top, p });
    });
  }
  var row = (X, m, n_v) => Float64Array.from({ length: n_v }, (_, i) => X[m * n_v + i]);
  function summedOut({ n_h, n_v, exact, b, d }, x) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const log_joints = memory2.array("f8", 2 ** n_h);
      memory2.scope(() => memory2.call("enumerate_independent", { rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), x: memory2.of("f8", x), said: memory2.array("f8", n_h), a: memory2.array("f8", n_v), log_joints }));
      return summed(log_joints);
    });
  }
  function logMarginal(layer, X, n) {
    const { n_h, n_v, exact, b, d } = layer, memory2 = kernels();
    if (Array.prototype.some.call(X, Number.isNaN)) {
      if (n_h > MAX_EXACT) throw new Error(`log P(x) of what is known in part is summed over the states of at most ${MAX_EXACT} latents`);
      return Float64Array.from({ length: n }, (_, m) => summedOut(layer, row(X, m, n_v)));
    }
    return memory2.scope(() => {
      const states = memory2.of("u1", X, n, n_v), fields = memory2.array("f8", n, n_h), totals = memory2.array("f8", n), weights = memory2.of("f8", turned(exact, n_h, n_v), n_v, n_h);
      memory2.call("fill_fields", { weights, offsets: memory2.of("f8", d), states, fields });
      memory2.call("fill_free_energies", { b: memory2.of("f8", b), X: states, fields, totals });
      return totals.view.slice();
    });
  }
  var turned = (rows, n, width) => Float64Array.from({ length: n * width }, (_, at) => rows[at % n * width + Math.floor(at / n)]);
  function betasOf(power, n) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const betas = memory2.array("f8", n + 1);
      memory2.call("fill_betas", { power, betas });
      return betas.view.slice();
    });
  }
  function drawUniforms(rng, out) {
    const memory2 = kernels();
    memory2.scope(() => {
      const generator = memory2.array("u8", 4), { state, increment } = rng, halves = [state >> 64n, state, increment >> 64n, increment].map((each) => BigInt.asUintN(64, each));
      generator.view.set(halves);
      memory2.call("draw_uniforms", { generator, out });
      const [high, low] = generator.view;
      rng.state = high << 64n | low;
    });
  }
  function meansOf({ n_h, n_v, exact, b }, H, n, gaussian = false) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const means = memory2.array("f8", n, n_v);
      memory2.call("fill_means", { gaussian, rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), H: memory2.of("u1", H, n, n_h), means });
      return means.view.slice();
    });
  }
  function drawn(means, n, rng) {
    const memory2 = kernels(), width = means.length / n;
    return memory2.scope(() => {
      const uniforms = memory2.array("f8", n, width), states = memory2.array("u1", n, width);
      drawUniforms(rng, uniforms);
      memory2.call("fill_draws", { means: memory2.of("f8", means, n, width), uniforms, states });
      return states.view.slice();
    });
  }
  function sampleLatents(layers, n, rng) {
    const { d, n_h } = layers[layers.length - 1], prior = meansOf({ n_h: 0, n_v: n_h, exact: [], b: d }, [], n);
    const H = [drawn(prior, n, rng)];
    for (let l = layers.length - 1; l > 0; l--) H.unshift(drawn(meansOf(layers[l], H[0], n), n, rng));
    return H;
  }
  function sampleJoint(layers, n, rng) {
    const H = sampleLatents(layers, n, rng);
    return { X: drawn(meansOf(layers[0], H[0], n), n, rng), H };
  }
  var sampleDirected = (layers, n, seed) => sampleJoint(layers, n, new Generator(seed)).X;
  function sampleMachine(layer, settings, n, seed) {
    const { n_particles, batch_size, n_temperatures, n_sample_sweeps } = settings, { n_h } = layer, rng = new Generator(seed), n_chains = n_temperatures * (n_particles ?? batch_size), particles = rng.coins(n_chains * n_h), H = new Uint8Array(n * n_h);
    for (let m = 0; m < n; m++) {
      const chain = rng.below(n_chains) * n_h;
      H.set(particles.subarray(chain, chain + n_h), m * n_h);
    }
    return gibbs(layer, H, n_sample_sweeps, rng).X;
  }
  function gibbs({ n_h, n_v, exact, b, d }, from, n_sweeps, rng, tell = () => {
  }) {
    const memory2 = kernels(), n = from.length / n_h;
    return memory2.scope(() => {
      const chain = { W: memory2.of("f4", turned(exact, n_h, n_v), n_v, n_h), b: memory2.of("f4", b), d: memory2.of("f4", d) }, H = memory2.of("u1", from, n, n_h), X = memory2.array("u1", n, n_v);
      for (let sweep = 0; sweep < n_sweeps; sweep++) {
        memory2.scope(() => memory2.call("gibbs_alone", { ...chain, H, keys: keysFor(2, rng), X }));
        tell((sweep + 1) / n_sweeps);
      }
      return { X: X.view.slice(), H: H.view.slice() };
    });
  }
  var turnedRound = (layers) => layers.map(({ n_v, n_h, exact, b, d, visible }, l) => {
    const rows = Array.from({ length: n_h }, (_, j) => exact.slice(j * n_v, (j + 1) * n_v)).reverse(), turn = (row2) => l ? row2.slice().reverse() : row2;
    return { n_v, n_h, exact: Float64Array.from(rows.flatMap((row2) => Array.from(turn(row2)))), b: Float64Array.from(turn(b)), d: d.slice().reverse(), visible };
  });
  function annealedWeights(given, X, n, n_temperatures, rng, tell, posterior = null) {
    const memory2 = kernels(), betas = betasOf(POWER, n_temperatures), layers = posterior ? turnedRound(given) : given, start = posterior ? posterior.map((H, l) => {
      const { n_h } = layers[l];
      return H.map((_, at) => H[at + n_h - 1 - 2 * (at % n_h)]);
    }) : sampleLatents(layers, n, rng);
    return memory2.scope(() => {
      const states = layers.map(({ n_v, n_h, exact, b, d }, l) => {
        const room = roomFor({ n_v, n_h, gaussian: false }, "f4", TOGETHER);
        fill(room, exact, b, d);
        const at = placed(room, l ? start[l - 1] : X, n);
        at.latent.view.set(start[l]);
        at.stream.view.set(Array.from({ length: n }, () => rng.next64()));
        return { room, ...at };
      });
      const [low] = states, single = { params: low.params, state: low.state }, evidence2 = memory2.array("f8", n, layers[0].n_h), base = memory2.array("f8", n), likelihood = memory2.array("f8", n), total = memory2.array("f8", n), counts = { visits: memory2.array("i8", n), flips: memory2.array("i8", n), converged: memory2.array("?", n) };
      memory2.call("place_chains", { ...single, evidence: evidence2, base });
      const priorOf = (l) => {
        if (l === layers.length - 1) return memory2.of("f8", layers[l].d, 1, layers[l].n_h);
        const above = meansOf(layers[l + 1], states[l + 1].latent.view.slice(), n, true);
        return memory2.of("f8", above, n, layers[l].n_h);
      };
      const order = posterior ? [...states.keys()].reverse() : [...states.keys()];
      const move = (beta) => order.forEach((l) => memory2.scope(() => {
        const prior = priorOf(l), each = states[l];
        if (!l) return memory2.call("move_chains", { ...single, evidence: evidence2, prior, beta, ...counts });
        each.images.view.set(states[l - 1].latent.view);
        const upper = { params: each.params, state: each.state };
        memory2.call("place_images32", { ...upper, X: each.images, prior });
        runSweeps(each.room, each, [1], 0);
      }));
      for (let t = 0; t < n_temperatures; t++) {
        const step = posterior ? n_temperatures - t : t + 1, share = betas[step] - betas[step - 1];
        memory2.call("weigh_chains", { ...single, evidence: evidence2, base, fresh: !t, share, likelihood, total });
        if (t < n_temperatures - 1) move(betas[posterior ? step - 1 : step]);
        tell((t + 1) / n_temperatures);
      }
      return total.view.slice();
    });
  }
  function startOf(layer, tell) {
    const memory2 = kernels(), { n_h, n_v } = layer, rng = new Generator(0), { X, H } = gibbs(layer, rng.coins(N_CHAINS * n_h), N_SWEEPS, rng, tell);
    const offsets = (states, width) => memory2.scope(() => {
      const found = memory2.array("f8", width);
      memory2.call("fill_offsets", { states: memory2.of("u1", states, N_CHAINS, width), offsets: found });
      return found.view.slice();
    });
    return { start_b: offsets(X, n_v), start_d: offsets(H, n_h) };
  }
  function pathOf({ n_h, n_v, exact, b, d }, start, n) {
    const memory2 = kernels(), start_b = memory2.of("f8", start.start_b), start_d = memory2.of("f8", start.start_d), own = { b: memory2.of("f8", b), d: memory2.of("f8", d) }, none = memory2.array("f8", n_v), rows = memory2.of("f8", exact, n_h, n_v), columns = memory2.of("f8", turned(exact, n_h, n_v), n_v, n_h);
    const X = memory2.array("u1", n, n_v), H = memory2.array("u1", n, n_h), fields = memory2.array("f8", n, n_h), sums = memory2.array("f8", n, n_v), of_x = memory2.array("f8", n, n_v), of_h = memory2.array("f8", n, n_h), total = memory2.array("f8", n);
    return { X, fields, total, b: own.b, begin(rng) {
      drawUniforms(rng, of_x);
      memory2.call("begin_machines", { b: start_b, d: start_d, uniforms: of_x, X, total });
    }, look() {
      memory2.call("fill_fields", { weights: columns, offsets: own.d, states: X, fields });
    }, weigh(before, beta) {
      memory2.call("weigh_machines", { b: own.b, start_b, start_d, before, beta, X, fields, total });
    }, step(beta, rng) {
      drawUniforms(rng, of_h);
      memory2.call("draw_latents", { start_d, beta, fields, uniforms: of_h, H });
      memory2.call("fill_fields", { weights: rows, offsets: none, states: H, fields: sums });
      drawUniforms(rng, of_x);
      memory2.call("draw_visibles", { b: own.b, start_b, beta, sums, uniforms: of_x, X });
    } };
  }
  function annealedNormaliser(layer, start, n_temperatures, n, rng, tell) {
    const betas = betasOf(1, n_temperatures);
    return kernels().scope(() => {
      const path = pathOf(layer, start, n);
      path.begin(rng);
      for (let t = 1; t <= n_temperatures; t++) {
        path.look();
        path.weigh(betas[t - 1], betas[t]);
        if (t < n_temperatures) path.step(betas[t], rng);
        tell(t / n_temperatures);
      }
      return path.total.view.slice();
    });
  }
  function reverseWeights(layer, start, images, n_temperatures, rng, tell) {
    const memory2 = kernels(), betas = betasOf(1, n_temperatures), n = images.length / layer.n_v;
    return memory2.scope(() => {
      const path = pathOf(layer, start, n), { X, fields, total, b } = path, totals = memory2.array("f8", n);
      path.begin(new Generator(0));
      X.view.set(images);
      path.look();
      memory2.call("fill_free_energies", { b, X, fields, totals });
      const normaliser = total.view.slice();
      total.view.set(totals.view.map((value, m) => value - normaliser[m]));
      for (let t = n_temperatures; t > 0; t--) {
        path.step(betas[t], rng);
        path.look();
        path.weigh(betas[t], betas[t - 1]);
        tell((n_temperatures - t + 1) / n_temperatures);
      }
      return total.view.slice();
    });
  }
  function meanOf(how, values) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const found = memory2.array("f8", 2), given = memory2.of("f8", values);
      if (how === "summarise") memory2.call(how, { values: given, found });
      else memory2.call(how, { log_weights: given, found });
      return found.view.slice();
    });
  }
  var partOf = (tell, done, share) => (part) => tell(done + share * part);
  function described(values, how, widths = []) {
    const [mean, standard_error] = meanOf("summarise", values), width = widths.length ? Math.max(0, meanOf("summarise", widths)[0]) : 0, [lower, upper] = how.bound === "upper" ? [mean - width, mean] : [mean, mean + width];
    const none = { estimator_error: 0, n_temperatures: 0, n_chains: 0 };
    return { values, mean, standard_error, lower, upper, ...none, ...how };
  }
  function logLikelihood(model, X, { n_temperatures, seed, n_bracket }, tell) {
    const { layers, factorised } = model, [low] = layers, { n_v } = low, n = X.length / n_v, estimated = partOf(tell, 0, ESTIMATE_SHARE), bracketed = partOf(tell, ESTIMATE_SHARE, 1 - ESTIMATE_SHARE);
    if (factorised) {
      const marginals = logMarginal(low, X, n);
      if (isExact(model)) {
        const log_z2 = summedOut(low, new Float64Array(n_v).fill(NaN));
        return described(marginals.map((value) => value - log_z2), { bound: "exact" });
      }
      if (Array.prototype.some.call(X, Number.isNaN)) throw new Error("what is known in part is measured of models whose states are few");
      const start = startOf(low, partOf(estimated, 0, START_SHARE)), rest = partOf(estimated, START_SHARE, 1 - START_SHARE), weights = annealedNormaliser(low, start, n_temperatures, LEAST_CHAINS, new Generator(seed), rest), [log_z, estimator_error] = meanOf("mean_weight", weights), values2 = marginals.map((value) => value - log_z), first = Array.prototype.slice.call(X, 0, n_bracket * n_v), back = reverseWeights(low, start, first, n_temperatures, new Generator(seed), bracketed);
      return described(values2, { bound: "upper", estimator_error, n_temperatures, n_chains: LEAST_CHAINS }, back.map((value, m) => values2[m] - value));
    }
    if (isExact(model)) {
      const values2 = Float64Array.from({ length: n }, (_, m) => {
        tell(m / n);
        return kernels().scope(() => summed(enumerated(low, row(X, m, n_v))));
      });
      return described(values2, { bound: "exact" });
    }
    const values = annealedWeights(layers, X, n, n_temperatures, new Generator(seed), estimated), rng = new Generator(seed), { X: images, H } = sampleJoint(layers, n_bracket, rng), parts = [partOf(bracketed, 0, 0.5), partOf(bracketed, 0.5, 0.5)], [below, above] = [null, H].map((posterior, n2) => annealedWeights(layers, images, n_bracket, n_temperatures, rng, parts[n2], posterior));
    return described(values, { bound: "lower", estimator_error: NaN, n_temperatures, n_chains: 1 }, above.map((value, m) => value - below[m]));
  }
  var RETIMED_MS = 250;
  var TURNS = 3;
  var scope = self;
  var rowsOf = (X, n_v) => Array.from({ length: X.length / n_v }, (_, m) => X.subarray(m * n_v, (m + 1) * n_v));
  function look({ model, method, start, X }) {
    const { n_v } = model, images = rowsOf(X, n_v), infer = () => images.map((x) => trace(model, method, x, start, /* @__PURE__ */ new Map(), 0));
    const traces = infer(), begun2 = performance.now();
    let shortest = Infinity;
    for (let turn = 0; turn < TURNS && performance.now() - begun2 < RETIMED_MS; turn++) {
      const at = performance.now();
      infer();
      shortest = Math.min(shortest, performance.now() - at);
    }
    const made = new Uint8Array(X.length), [low] = model.layers, states = traces.map((found) => latentsAfter(found));
    states.forEach((h, m) => made.set(Array.from(activation(low, h.subarray(0, low.n_h)), (a) => Number(a > 0)), m * n_v));
    return { made, wrong: traces.map((found, m) => Number(errorsAlong3(model, images[m], found).at(-1))), on: states.map((h) => h.reduce((sum, on) => sum + on, 0)), milliseconds: shortest / images.length };
  }
  var draw2 = ({ model: { layers }, settings, n, seed }) => settings ? sampleMachine(layers[0], settings, n, seed) : sampleDirected(layers, n, seed);
  function measure({ model, X, ...how }) {
    let told = performance.now();
    return logLikelihood(model, X, how, (share) => {
      if (performance.now() - told < 100) return;
      told = performance.now();
      scope.postMessage({ share });
    });
  }
  var ANSWERS = { look, draw: draw2, measure };
  scope.onmessage = ({ data: { kernels: kernels2, module, ...question } }) => {
    if (kernels2) return loadKernels(kernels2, module);
    try {
      scope.postMessage({ found: ANSWERS[question.kind](question) });
    } catch (error) {
      scope.postMessage({ failed: error.message });
    }
  };
})();
