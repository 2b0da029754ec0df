// 063f8f9c038d37e0b266f6d6f8eb5f8abdad602fd5d2d8361896b007c50022eb
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
var FIELDS = ["W", "b", "d", "V", "c"];
var FIGURES = ["bound", "effective_sample_size", "activity"];
function uniforms(rng, n, n_h, n_v, { n_each, dreams }) {
  const memory2 = kernels(), drawn = (used, rows, width) => used ? memory2.of("f4", rng.floats(rows * width), rows, width) : memory2.array("f4", 0, width), H = drawn(n_each > 0, n * n_each, n_h), dreamt_H = drawn(dreams, n, n_h), dreamt_X = drawn(dreams, n, n_v);
  return { tuple: memory2.tuple("Uniforms", { H, dreamt_H, dreamt_X }), dreamt_X };
}
var RWSState = class {
  step = 0;
  constructor({ W, b, d, V, c }) {
    const memory2 = kernels(), [n_v, n_h] = [b.length, d.length], networks = (of) => {
      const fields = { W: memory2.array("f4", n_v, n_h), b: memory2.array("f4", n_v), d: memory2.array("f4", n_h), V: memory2.array("f4", n_v, n_h), c: memory2.array("f4", n_h) };
      if (of) for (const name of FIELDS) fields[name].view.set(of[name]);
      return { ...fields, tuple: memory2.tuple("Networks", fields) };
    }, { made, placed } = memory2.kept(() => ({ own: networks({ W, b, d, V, c }), mean: networks(null), gradient: networks(null) }));
    this.n_v = n_v;
    this.n_h = n_h;
    this.networks = made;
    this.placed = placed;
  }
  copy() {
    const { own, mean } = this.networks, of = (networks) => FIELDS.map((name) => networks[name].view.slice());
    return { step: this.step, own: of(own), mean: of(mean) };
  }
  restore({ step, own, mean }) {
    this.step = step;
    FIELDS.forEach((name, i) => {
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
  step(state, X, rng) {
    const { n_particles, phases, learning_rate, decay_steps, momentum, generative_rate, recognition_rate } = this.settings, { n_v, n_h, networks } = state, n = X.length / n_v, sleeps = phases !== "wake", memory2 = kernels();
    return memory2.scope(() => {
      const rate = memory2.call("falling_rate", { learning_rate, decay_steps, step: state.step }), figures = memory2.array("f8", FIGURES.length + 1);
      memory2.call("rws_step_alone", { of: networks.own.tuple, mean: networks.mean.tuple, gradient: networks.gradient.tuple, X: memory2.of("f4", X, n, n_v), uniforms: uniforms(rng, n, n_h, n_v, { n_each: n_particles, dreams: sleeps }).tuple, n_each: n_particles, wakes: phases !== "sleep", sleeps, share: 1 - momentum, rates: memory2.of("f4", [rate * generative_rate, rate * recognition_rate]), figures });
      state.step += 1;
      const values = figures.view;
      if (!Number.isFinite(values[FIGURES.length])) throw new Error(`a parameter is not finite after step ${state.step}, learning rate ${rate.toPrecision(3)}; use a smaller learning rate.`);
      return { ...Object.fromEntries(FIGURES.map((name, i) => [name, values[i]])), learning_rate: rate };
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
export { RWSState, RWSSystem };
