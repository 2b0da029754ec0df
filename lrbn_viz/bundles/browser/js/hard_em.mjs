// 47dafeaed84fa25b33304840eb33c9e852775b2e8a4a4aea6207cdfbc94ec9ed
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
function begun({ gaussian, n_h, precision }, { memory: memory2, params, state, latent }, start, rng) {
  if (typeof start !== "string") return latent.view.set(start);
  if (start === "zeros") return;
  if (start === "random") return latent.view.set(rng.coins(latent.length));
  if (start !== "paper" && start !== "conditional") throw new Error(`expected conditional, paper, zeros, random or states, got ${start}`);
  if (start === "conditional" && !gaussian) rng.next64();
  const thresholds = memory2.array("f8", n_h);
  call("choose_starts", precision, { params, state, paper: start === "paper", thresholds });
}
function runSweeps({ n_h, precision }, { memory: memory2, params, state, latent }, temperatures, max_sweeps) {
  const [n] = latent.shape, results = { visits: memory2.array("i8", n), flips: memory2.array("i8", n), converged: memory2.array("?", n) };
  call("infer_alone", precision, { params, state, temperatures: memory2.of("f8", temperatures), max_sweeps, n_workers: 1, slots: memory2.tuple("Slots", { images: memory2.array("i8", 1, 8), sweeps: memory2.array("i8", 1, 8), unchanged: memory2.array("i8", 1, 8) }), found: memory2.array("f8", 1, 8), counter: memory2.array("i8", 1), bounds: memory2.array("f8", n, n_h), results: memory2.tuple("Results", results) });
  return results;
}
var TOGETHER = 4;
var CHUNK = 256;
var FIGURES = ["log_joint", "wrong_pixels", "gradient_norm", "units_on"];
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
      fill(at, layers.own.rows.view, layers.own.b.view, layers.own.d.view.map((odds) => odds / weight));
      const cooler = temperatures.map((temperature) => temperature / weight);
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
  ascent(step) {
    const memory2 = kernels(), { learning_rate, decay_steps, weight_decay, decay_b, prior, warm_up, momentum, nonnegative } = this.settings, rate = memory2.call("falling_rate", { learning_rate, decay_steps, step }), share = prior === "warmed" ? memory2.call("warmed_share", { warm_up, step }) : Number(prior === "learned"), keep = 1 - rate * weight_decay;
    return { rate, prior_rate: rate * share, keep, keep_b: decay_b ? keep : 1, momentum, nonnegative };
  }
  learn({ n_v, n_h, layers: { own, gradient, velocity } }, X, H, how) {
    const memory2 = kernels(), n = X.length / n_v, blocks = Math.ceil(n_v / CONSTANTS.block);
    return memory2.scope(() => {
      const figures = memory2.array("f8", FIGURES.length), room = memory2.tuple("Room", { on: memory2.array("i8", n, n_h + 1), images: memory2.array("i8", n_h, n + 1), residual: memory2.array("f8", n, n_v), log_likelihood: memory2.array("f8", blocks, n), wrong: memory2.array("f8", blocks, n), squares: memory2.array("f8", blocks) });
      memory2.call("learn_alone", { old: own.tuple, X: memory2.of("f8", X, n, n_v), H: memory2.of("u1", H, n, n_h), how: memory2.tuple("Ascent", how), room, gradient: gradient.tuple, velocity: how.momentum ? velocity.tuple : gradient.tuple, new: own.tuple, figures });
      return Object.fromEntries(FIGURES.map((name, i) => [name, figures.view[i]]));
    });
  }
  step(state, X, rng) {
    const { e_step, likelihood_weight } = this.settings, n = X.length / state.n_v, { H, visits, flips } = this.infer(state, X, rng, e_step, likelihood_weight), how = this.ascent(state.step), figures = this.learn(state, X, H, how), { layers } = state;
    state.step += 1;
    if (!how.momentum) [layers.gradient, layers.velocity] = [layers.velocity, layers.gradient];
    if (!Number.isFinite(figures.log_joint)) throw new Error(`log P(x, h) became ${figures.log_joint} at step ${state.step}: training diverged.`);
    return { ...figures, flips: flips / n, sweeps: visits / (n * state.n_h) };
  }
  validate(state, X, rng) {
    const { H } = this.infer(state, X, rng, "icm", 1, "f8"), still = { rate: 0, prior_rate: 0, keep: 1, keep_b: 1, momentum: 0, nonnegative: false }, { log_joint, wrong_pixels } = this.learn(state, X, H, still), dead = Array.from({ length: state.n_h }, (_, j) => H.every((on, at) => at % state.n_h !== j || !on));
    return { score: log_joint, log_joint, wrong_pixels, dead_units: dead.filter(Boolean).length };
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
export { HardEM, State };
