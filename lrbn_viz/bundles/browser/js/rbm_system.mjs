// b9cae35956b2920136fae11608420e0ac7ab4c5949bbd1ee5d78623afb590fc9
var table_default = { data: { kernels: 0, learning: 5412 }, constants: { lanes: 32, group: 4, block: 208, gradients: { standard: 0, centred: 1, enhanced: 2 }, running_mean_rate: 0.01, precisions: { f8: { limits: [600, 600, 600], refresh: 1024, floor: 1e-280, tolerance: 1e-9 }, f4: { limits: [600, 80, 60], refresh: 256, floor: 1e-37, tolerance: 1e-4 } } }, tuples: { KernelParams: { gaussian: "?", W: "f8[:, :]", factor: "f8[:, :]", weight: "f8[:]", b: "f8[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f8[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f8[:, :]", on: "f8[:, :]", off: "f8[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" }, Record: { unit: "i4[:]", after: "u1[:]", flipped: "?[:]", log_odds: "f8[:]", log_joint: "f8[:]", sweep: "i4[:]" }, Machine: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", precision: "f8[:]" }, Visits: { unit: "i4[:]", after: "u1[:]", log_odds: "f8[:]", log_joint: "f8[:]" }, Slots: { images: "i8[:, :]", sweeps: "i8[:, :]", unchanged: "i8[:, :]" }, Results: { visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, Rows: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]" }, Room: { on: "i8[:, :]", images: "i8[:, :]", residual: "f8[:, :]", log_likelihood: "f8[:, :]", wrong: "f8[:, :]", squares: "f8[:]" }, Ascent: { rate: "f8", prior_rate: "f8", keep: "f8", keep_b: "f8", momentum: "f8", nonnegative: "?" }, Centres: { mu: "f4[:]", lam: "f4[:]" }, Networks: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", V: "f4[:, :]", c: "f4[:]" }, Uniforms: { H: "f4[:, :]", dreamt_H: "f4[:, :]", dreamt_X: "f4[:, :]" }, KernelParams32: { gaussian: "?", W: "f4[:, :]", factor: "f4[:, :]", weight: "f8[:]", b: "f4[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f4[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState32: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f4[:, :]", on: "f4[:, :]", off: "f4[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" } }, functions: { fill_factors: { W: "f8[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f8[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images: { params: "KernelParams", state: "InferenceState", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts: { params: "KernelParams", state: "InferenceState", paper: "?", thresholds: "f8[:]" }, fill_gram: { rows: "f8[:, :]", gram: "f8[:, :]" }, begin: { params: "KernelParams", state: "InferenceState" }, update_latents: { params: "KernelParams", state: "InferenceState", order: "i8", units: "i4[:, :]", temperatures: "f8[:]", at_once: "f8[:]", total: "f8[:]", cursor: "i8[:]", record: "Record", n_visits: "i8" }, fill_log_odds: { params: "KernelParams", state: "InferenceState", log_odds: "f8[:, :]" }, enumerate_joints: { params: "KernelParams", state: "InferenceState", log_joints: "f8[:]" }, place_visible: { machine: "Machine", x: "f8[:]", fixed: "f8[:]" }, visit_independent: { machine: "Machine", x: "f8[:]", fixed: "f8[:]", u: "f8[:]", h: "u1[:]", total: "f8[:]", cursor: "i8[:]", visits: "Visits", n_visits: "i8" }, activate_image: { rows: "f8[:, :]", b: "f8[:]", h: "u1[:]", a: "f8[:]" }, log_joint_of_layer: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", below: "f8[:]", latent: "u1[:]", top: "?", a: "f8[:]" }, errors_along: { rows: "f8[:, :]", h: "f8[:]", unit: "i4[:]", after: "f8[:]", target: "f8[:]", squared: "?", a: "f8[:]", errors: "f8[:]" }, draw_layer: { V: "f8[:, :]", c: "f8[:]", below: "u1[:, :]", held: "f8[:]", u: "f8[:, :]", z: "f8[:]", p: "f8[:]", H: "u1[:, :]", log_q: "f8[:]" }, weigh_along: { log_weights: "f8[:]", estimates: "f8[:]", shares: "f8[:]" }, means_along: { H: "u1[:, :]", shares: "f8[:]", means: "f8[:, :]" }, errors_of_means: { rows: "f8[:, :]", b: "f8[:]", means: "f8[:, :]", target: "f8[:]", squared: "?", a: "f8[:]", errors: "f8[:]" }, normalise: { log_joints: "f8[:]", top: "f8", p: "f8[:]" }, fill_moments: { q: "f8[:]", rest: "f8[:]", part: "f8[:]", marginals: "f8[:]", covariance: "f8[:, :]" }, fill_product: { on: "f8[:]", q: "f8[:]" }, fill_feed_forward: { log_joints: "f8[:]", on: "f8[:]" }, fill_apart: { rows: "f8[:, :]", d: "f8[:]", x: "f8[:]", on: "f8[:]" }, turn_round: { log_joints: "f8[:]", turned: "f8[:]" }, ascend: { log_joints: "f8[:]", q: "f8[:]", max_sweeps: "i8", tolerance: "f8", expected: "f8[:]", weights: "f8[:]" }, measure_distance: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", q: "f8[:]", distance: "f8[:]" }, distances_of_states: { log_joints: "f8[:]", log_evidence: "f8", unit: "i4[:]", after: "u1[:]", code: "i8", kl: "f8[:]", variation: "f8[:]" }, distances_of_means: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", on: "f8[:]", unit: "i4[:]", after: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, distances_of_particles: { log_joints: "f8[:]", log_evidence: "f8", code: "i4[:]", place: "i4[:]", share: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, enumerate_independent: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", x: "f8[:]", said: "f8[:]", a: "f8[:]", log_joints: "f8[:]" }, expected_visibles: { kind: "i8", rows: "f8[:, :]", b: "f8[:]", p: "f8[:, :]", a: "f8[:]", on: "f8[:, :]" }, infer_alone: { params: "KernelParams", state: "InferenceState", temperatures: "f8[:]", max_sweeps: "i8", n_workers: "i8", slots: "Slots", found: "f8[:, :]", counter: "i8[:]", bounds: "f8[:, :]", results: "Results" }, fill_factors32: { W: "f4[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f4[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images32: { params: "KernelParams32", state: "InferenceState32", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts32: { params: "KernelParams32", state: "InferenceState32", paper: "?", thresholds: "f8[:]" }, infer_alone32: { params: "KernelParams32", state: "InferenceState32", temperatures: "f8[:]", max_sweeps: "i8", n_workers: "i8", slots: "Slots", found: "f8[:, :]", counter: "i8[:]", bounds: "f8[:, :]", results: "Results" }, learn_alone: { old: "Rows", X: "f8[:, :]", H: "u1[:, :]", how: "Ascent", room: "Room", gradient: "Rows", velocity: "Rows", new: "Rows", figures: "f8[:]" }, fill_means: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", H: "u1[:, :]", means: "f8[:, :]" }, fill_draws: { means: "f8[:, :]", uniforms: "f8[:, :]", states: "u1[:, :]" }, fill_cooling: { hottest: "f8", coldest: "f8", temperatures: "f8[:]" }, falling_rate: { learning_rate: "f8", decay_steps: "f8", step: "f8" }, warmed_share: { warm_up: "f8", step: "f8" }, step_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", X: "u1[:, :]", particles: "u1[:, :]", persistent: "?", keys: "u8[:]", rate: "f4", keep: "f4", kind: "i8", centres: "Centres", slide: "f4", figures: "f8[:]" }, gibbs_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", H: "u1[:, :]", keys: "u8[:]", X: "u1[:, :]" }, encode_alone: { W: "f4[:, :]", d: "f4[:]", X: "u1[:, :]", H: "u1[:, :]" }, decode_alone: { W: "f4[:, :]", b: "f4[:]", H: "u1[:, :]", means: "f8[:, :]" }, rws_step_alone: { of: "Networks", mean: "Networks", gradient: "Networks", X: "f4[:, :]", uniforms: "Uniforms", n_each: "i8", wakes: "?", sleeps: "?", share: "f4", rates: "f4[:]", figures: "f8[:]" }, recognise_alone: { of: "Networks", X: "f4[:, :]", means: "f4[:, :]" }, generate_alone: { of: "Networks", H: "f4[:, :]", means: "f8[:, :]" }, dream_alone: { of: "Networks", uniforms: "Uniforms" } } };
var PAGE = 65536;
var STACK = 4 * PAGE;
var TUPLES = table_default.tuples;
var FUNCTIONS = table_default.functions;
var memory = null;
function kernels() {
  if (!memory) throw new Error("the kernels are not loaded");
  return memory;
}
var CONSTANTS = table_default.constants;
var FIELDS = ["W", "b", "d", "particles", "mu", "lam"];
function keysFor(n, rng) {
  const keys = kernels().array("u8", n);
  keys.view.set(new BigUint64Array(rng.uniforms(n).buffer));
  return keys;
}
var RBMState = class {
  step = 0;
  constructor({ W, b, d, particles }, centred) {
    const memory2 = kernels(), [n_v, n_h] = [b.length, d.length], { made, placed } = memory2.kept(() => {
      const arrays = { W: memory2.of("f4", W, n_v, n_h), b: memory2.of("f4", b), d: memory2.of("f4", d), particles: memory2.of("u1", particles, particles.length / n_h, n_h), mu: memory2.array("f4", centred ? n_v : 0), lam: memory2.array("f4", centred ? n_h : 0) };
      return { ...arrays, centres: memory2.tuple("Centres", { mu: arrays.mu, lam: arrays.lam }) };
    });
    this.n_v = n_v;
    this.n_h = n_h;
    this.arrays = made;
    this.placed = placed;
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
  fromParams(parameters) {
    return new RBMState(parameters, this.settings.gradient === "centred");
  }
  step(state, X, rng) {
    const { method, gradient, n_gibbs, learning_rate, decay_steps, weight_decay } = this.settings, { W, b, d, particles, centres } = state.arrays, memory2 = kernels();
    return memory2.scope(() => {
      const rate = memory2.call("falling_rate", { learning_rate, decay_steps, step: state.step }), figures = memory2.array("f8", 3);
      memory2.call("step_alone", { W, b, d, X: memory2.of("u1", X, X.length / state.n_v, state.n_v), particles, persistent: method === "pcd", keys: keysFor(2 * n_gibbs, rng), rate, keep: 1 - rate * weight_decay, kind: CONSTANTS.gradients[gradient], centres, slide: gradient === "centred" ? Math.max(CONSTANTS.running_mean_rate, 1 / (state.step + 1)) : 1, figures });
      state.step += 1;
      const [activity, fantasy_activity, total] = figures.view;
      if (!Number.isFinite(total)) throw new Error(`a parameter is not finite after step ${state.step}, learning rate ${rate.toPrecision(3)}; use a smaller learning rate`);
      return { learning_rate: rate, activity, fantasy_activity };
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
  decode({ n_v, n_h, arrays: { W, b } }, H) {
    const memory2 = kernels(), n = H.length / n_h;
    return memory2.scope(() => {
      const means = memory2.array("f8", n, n_v);
      memory2.call("decode_alone", { W, b, H: memory2.of("u1", H, n, n_h), means });
      return means.view.slice();
    });
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
export { RBMState, RBMSystem };
