// Written by lrbn_viz/browser/build.py: what the kernels in the browser take.

type KernelArray<D extends import("../lrbn_viz/browser/js/memory.js").Dtype> =
  import("../lrbn_viz/browser/js/memory.js").KernelArray<D>;
type KernelTuple<N extends keyof KernelTuples> = import("../lrbn_viz/browser/js/memory.js").KernelTuple<N>;

interface KernelTuples {
  KernelParams: {
    gaussian: boolean;
    W: KernelArray<"f8">;
    factor: KernelArray<"f8">;
    weight: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    chunk: KernelArray<"i8">;
    whole: KernelArray<"?">;
    gram: KernelArray<"f8">;
    rows: KernelArray<"f8">;
    n_together: number;
    n_v: number;
    refresh: number;
    floor: number;
    tolerance: number;
  };
  InferenceState: {
    latent: KernelArray<"u1">;
    evidence: KernelArray<"f8">;
    base: KernelArray<"f8">;
    activation: KernelArray<"f8">;
    on: KernelArray<"f8">;
    off: KernelArray<"f8">;
    coupling: KernelArray<"f8">;
    squares: KernelArray<"f8">;
    since_refresh: KernelArray<"i8">;
    saturated: KernelArray<"?">;
    partly: KernelArray<"?">;
    unknown: KernelArray<"?">;
    stream: KernelArray<"u8">;
  };
  Record: {
    unit: KernelArray<"i4">;
    after: KernelArray<"u1">;
    flipped: KernelArray<"?">;
    log_odds: KernelArray<"f8">;
    log_joint: KernelArray<"f8">;
    sweep: KernelArray<"i4">;
  };
  Machine: {
    gaussian: boolean;
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    precision: KernelArray<"f8">;
  };
  Visits: {
    unit: KernelArray<"i4">;
    after: KernelArray<"u1">;
    log_odds: KernelArray<"f8">;
    log_joint: KernelArray<"f8">;
  };
  MeansParams: {
    kinds: KernelArray<"i8">;
    first: KernelArray<"i8">;
    n_v: number;
    weights: KernelArray<"f8">;
    bias: KernelArray<"f8">;
    exact: boolean;
    experts: KernelArray<"f8">;
    offsets: KernelArray<"f8">;
    log_joints: KernelArray<"f8">;
  };
  MeansState: {
    units: KernelArray<"f8">;
    tilts: KernelArray<"f8">;
    upper: KernelArray<"f8">;
    sums: KernelArray<"f8">;
  };
  MeansRecord: {
    unit: KernelArray<"i4">;
    after: KernelArray<"f8">;
    flipped: KernelArray<"?">;
    log_odds: KernelArray<"f8">;
    bound: KernelArray<"f8">;
    sweep: KernelArray<"i4">;
  };
  Rows: {
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
  };
  GradientSteps: {
    learning_rate: number;
    decay_b: boolean;
    decay_steps: number;
    prior: number;
    weight_decay: number;
    nonnegative: boolean;
    warm_up: number;
    momentum: number;
  };
  Centres: {
    mu: KernelArray<"f4">;
    lam: KernelArray<"f4">;
  };
  LayerNetworks: {
    W: KernelArray<"f4">;
    b: KernelArray<"f4">;
    d: KernelArray<"f4">;
    V: KernelArray<"f4">;
    c: KernelArray<"f4">;
  };
  Uniforms: {
    H: KernelArray<"f4">;
    dreamt_H: KernelArray<"f4">;
    dreamt_X: KernelArray<"f4">;
  };
  KernelParams32: {
    gaussian: boolean;
    W: KernelArray<"f4">;
    factor: KernelArray<"f4">;
    weight: KernelArray<"f8">;
    b: KernelArray<"f4">;
    d: KernelArray<"f8">;
    chunk: KernelArray<"i8">;
    whole: KernelArray<"?">;
    gram: KernelArray<"f8">;
    rows: KernelArray<"f4">;
    n_together: number;
    n_v: number;
    refresh: number;
    floor: number;
    tolerance: number;
  };
  InferenceState32: {
    latent: KernelArray<"u1">;
    evidence: KernelArray<"f8">;
    base: KernelArray<"f8">;
    activation: KernelArray<"f4">;
    on: KernelArray<"f4">;
    off: KernelArray<"f4">;
    coupling: KernelArray<"f8">;
    squares: KernelArray<"f8">;
    since_refresh: KernelArray<"i8">;
    saturated: KernelArray<"?">;
    partly: KernelArray<"?">;
    unknown: KernelArray<"?">;
    stream: KernelArray<"u8">;
  };
}

interface KernelArguments {
  fill_thresholds: {
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    log_odds: KernelArray<"f8">;
  };
  pass_up: {
    rows: KernelArray<"f8">;
    offset: KernelArray<"f8">;
    below: KernelArray<"f8">;
    scale: number;
    held: KernelArray<"f8">;
    log_odds: KernelArray<"f8">;
    means: KernelArray<"f8">;
  };
  begin_means: {
    params: KernelTuple<"MeansParams">;
    state: KernelTuple<"MeansState">;
  };
  update_means: {
    params: KernelTuple<"MeansParams">;
    state: KernelTuple<"MeansState">;
    units: KernelArray<"i4">;
    guess: KernelArray<"f8">;
    n_sweeps: number;
    most: KernelArray<"f8">;
    cursor: KernelArray<"i8">;
    record: KernelTuple<"MeansRecord">;
    n_visits: number;
  };
  fill_factors: {
    W: KernelArray<"f8">;
    limits: KernelArray<"f8">;
    lanes: KernelArray<"f8">;
    tops: KernelArray<"f8">;
    factor: KernelArray<"f8">;
    chunk: KernelArray<"i8">;
    whole: KernelArray<"?">;
    weight: KernelArray<"f8">;
  };
  place_images: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    X: KernelArray<"f8">;
    prior: KernelArray<"f8">;
  };
  choose_starts: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    paper: boolean;
  };
  fill_gram: {
    rows: KernelArray<"f8">;
    gram: KernelArray<"f8">;
  };
  begin: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
  };
  update_latents: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    order: number;
    units: KernelArray<"i4">;
    temperatures: KernelArray<"f8">;
    at_once: KernelArray<"f8">;
    total: KernelArray<"f8">;
    cursor: KernelArray<"i8">;
    record: KernelTuple<"Record">;
    n_visits: number;
  };
  fill_log_odds: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    log_odds: KernelArray<"f8">;
  };
  enumerate_joints: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    log_joints: KernelArray<"f8">;
  };
  place_visible: {
    machine: KernelTuple<"Machine">;
    x: KernelArray<"f8">;
    fixed: KernelArray<"f8">;
  };
  visit_independent: {
    machine: KernelTuple<"Machine">;
    x: KernelArray<"f8">;
    fixed: KernelArray<"f8">;
    u: KernelArray<"f8">;
    h: KernelArray<"u1">;
    total: KernelArray<"f8">;
    cursor: KernelArray<"i8">;
    visits: KernelTuple<"Visits">;
    n_visits: number;
  };
  fill_terms: {
    kind: number;
    w: KernelArray<"f8">;
    b: KernelArray<"f8">;
    x: KernelArray<"f8">;
    a: KernelArray<"f8">;
    evidence: KernelArray<"f8">;
    alone: KernelArray<"f8">;
    others: KernelArray<"f8">;
  };
  activate_image: {
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    h: KernelArray<"u1">;
    a: KernelArray<"f8">;
  };
  log_joint_of_layer: {
    gaussian: boolean;
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    below: KernelArray<"f8">;
    latent: KernelArray<"u1">;
    top: boolean;
    a: KernelArray<"f8">;
  };
  errors_along: {
    rows: KernelArray<"f8">;
    h: KernelArray<"f8">;
    unit: KernelArray<"i4">;
    after: KernelArray<"f8">;
    target: KernelArray<"f8">;
    squared: boolean;
    a: KernelArray<"f8">;
    errors: KernelArray<"f8">;
  };
  fill_draws: {
    means: KernelArray<"f8">;
    uniforms: KernelArray<"f8">;
    states: KernelArray<"u1">;
  };
  add_noise: {
    means: KernelArray<"f8">;
    normals: KernelArray<"f8">;
    precision: KernelArray<"f8">;
    X: KernelArray<"f8">;
  };
  flip_along: {
    directed: boolean;
    best: boolean;
    first: KernelArray<"i8">;
    weights: KernelArray<"f8">;
    bias: KernelArray<"f8">;
    h: KernelArray<"u1">;
    a: KernelArray<"f8">;
    units: KernelArray<"i4">;
    log_joint: KernelArray<"f8">;
  };
  draw_layer: {
    V: KernelArray<"f8">;
    c: KernelArray<"f8">;
    below: KernelArray<"u1">;
    held: KernelArray<"f8">;
    u: KernelArray<"f8">;
    z: KernelArray<"f8">;
    p: KernelArray<"f8">;
    H: KernelArray<"u1">;
    log_q: KernelArray<"f8">;
  };
  weigh_along: {
    log_weights: KernelArray<"f8">;
    estimates: KernelArray<"f8">;
    shares: KernelArray<"f8">;
  };
  means_along: {
    H: KernelArray<"u1">;
    shares: KernelArray<"f8">;
    means: KernelArray<"f8">;
  };
  errors_of_means: {
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    means: KernelArray<"f8">;
    targets: KernelArray<"f8">;
    squared: boolean;
    a: KernelArray<"f8">;
    errors: KernelArray<"f8">;
  };
  normalise: {
    log_joints: KernelArray<"f8">;
    top: number;
    p: KernelArray<"f8">;
  };
  fill_moments: {
    q: KernelArray<"f8">;
    rest: KernelArray<"f8">;
    part: KernelArray<"f8">;
    marginals: KernelArray<"f8">;
    covariance: KernelArray<"f8">;
  };
  fill_product: {
    on: KernelArray<"f8">;
    q: KernelArray<"f8">;
  };
  fill_feed_forward: {
    log_joints: KernelArray<"f8">;
    on: KernelArray<"f8">;
  };
  fill_apart: {
    rows: KernelArray<"f8">;
    d: KernelArray<"f8">;
    x: KernelArray<"f8">;
    on: KernelArray<"f8">;
  };
  turn_round: {
    log_joints: KernelArray<"f8">;
    turned: KernelArray<"f8">;
  };
  ascend: {
    log_joints: KernelArray<"f8">;
    q: KernelArray<"f8">;
    max_sweeps: number;
    tolerance: number;
    expected: KernelArray<"f8">;
    weights: KernelArray<"f8">;
  };
  measure_distance: {
    log_joints: KernelArray<"f8">;
    log_evidence: number;
    p: KernelArray<"f8">;
    q: KernelArray<"f8">;
    distance: KernelArray<"f8">;
  };
  distances_of_states: {
    log_joints: KernelArray<"f8">;
    log_evidence: number;
    unit: KernelArray<"i4">;
    after: KernelArray<"u1">;
    code: number;
    kl: KernelArray<"f8">;
    variation: KernelArray<"f8">;
  };
  distances_of_means: {
    log_joints: KernelArray<"f8">;
    log_evidence: number;
    p: KernelArray<"f8">;
    on: KernelArray<"f8">;
    unit: KernelArray<"i4">;
    after: KernelArray<"f8">;
    q: KernelArray<"f8">;
    kl: KernelArray<"f8">;
    variation: KernelArray<"f8">;
  };
  distances_of_particles: {
    log_joints: KernelArray<"f8">;
    log_evidence: number;
    code: KernelArray<"i4">;
    place: KernelArray<"i4">;
    share: KernelArray<"f8">;
    q: KernelArray<"f8">;
    kl: KernelArray<"f8">;
    variation: KernelArray<"f8">;
  };
  enumerate_independent: {
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    x: KernelArray<"f8">;
    said: KernelArray<"f8">;
    a: KernelArray<"f8">;
    log_joints: KernelArray<"f8">;
  };
  expected_visibles: {
    kind: number;
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    p: KernelArray<"f8">;
    a: KernelArray<"f8">;
    on: KernelArray<"f8">;
  };
  infer_images: {
    params: KernelTuple<"KernelParams">;
    state: KernelTuple<"InferenceState">;
    temperatures: KernelArray<"f8">;
    max_sweeps: number;
    visits: KernelArray<"i8">;
    flips: KernelArray<"i8">;
    converged: KernelArray<"?">;
  };
  fill_factors32: {
    W: KernelArray<"f4">;
    limits: KernelArray<"f8">;
    lanes: KernelArray<"f8">;
    tops: KernelArray<"f8">;
    factor: KernelArray<"f4">;
    chunk: KernelArray<"i8">;
    whole: KernelArray<"?">;
    weight: KernelArray<"f8">;
  };
  place_images32: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    X: KernelArray<"f8">;
    prior: KernelArray<"f8">;
  };
  choose_starts32: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    paper: boolean;
  };
  infer_images32: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    temperatures: KernelArray<"f8">;
    max_sweeps: number;
    visits: KernelArray<"i8">;
    flips: KernelArray<"i8">;
    converged: KernelArray<"?">;
  };
  learn_alone: {
    old: KernelTuple<"Rows">;
    X: KernelArray<"f8">;
    H: KernelArray<"u1">;
    steps: KernelTuple<"GradientSteps">;
    step: number;
    gradient: KernelTuple<"Rows">;
    velocity: KernelTuple<"Rows">;
    new: KernelTuple<"Rows">;
    figures: KernelArray<"f8">;
  };
  measure_alone: {
    of: KernelTuple<"Rows">;
    X: KernelArray<"f8">;
    H: KernelArray<"u1">;
    figures: KernelArray<"f8">;
  };
  fill_means: {
    gaussian: boolean;
    rows: KernelArray<"f8">;
    b: KernelArray<"f8">;
    H: KernelArray<"u1">;
    means: KernelArray<"f8">;
  };
  fill_cooling: {
    hottest: number;
    coldest: number;
    temperatures: KernelArray<"f8">;
  };
  share_done: {
    n_done: number;
    n_steps: number;
  };
  first_averaged: {
    average: number;
    n_steps: number;
  };
  rate_at: {
    share: number;
    first: number;
    last: number;
  };
  weigh: {
    values: KernelArray<"f8">;
    weight: number;
    weighted: KernelArray<"f8">;
  };
  step_alone: {
    W: KernelArray<"f4">;
    b: KernelArray<"f4">;
    d: KernelArray<"f4">;
    X: KernelArray<"u1">;
    particles: KernelArray<"u1">;
    persistent: boolean;
    keys: KernelArray<"u8">;
    learning_rate: number;
    decay_steps: number;
    weight_decay: number;
    step: number;
    kind: number;
    centres: KernelTuple<"Centres">;
    figures: KernelArray<"f8">;
  };
  gibbs_alone: {
    W: KernelArray<"f4">;
    b: KernelArray<"f4">;
    d: KernelArray<"f4">;
    H: KernelArray<"u1">;
    keys: KernelArray<"u8">;
    X: KernelArray<"u1">;
  };
  encode_alone: {
    W: KernelArray<"f4">;
    d: KernelArray<"f4">;
    X: KernelArray<"u1">;
    H: KernelArray<"u1">;
  };
  decode_alone: {
    W: KernelArray<"f4">;
    b: KernelArray<"f4">;
    H: KernelArray<"u1">;
    means: KernelArray<"f8">;
  };
  predict_alone: {
    W: KernelArray<"f4">;
    b: KernelArray<"f4">;
    d: KernelArray<"f4">;
    X: KernelArray<"u1">;
    pixels: KernelArray<"i8">;
    fields: KernelArray<"f8">;
    totals: KernelArray<"f8">;
  };
  rws_step_alone: {
    of: KernelTuple<"LayerNetworks">;
    mean: KernelTuple<"LayerNetworks">;
    gradient: KernelTuple<"LayerNetworks">;
    X: KernelArray<"f4">;
    uniforms: KernelTuple<"Uniforms">;
    n_each: number;
    wakes: boolean;
    sleeps: boolean;
    learning_rate: number;
    decay_steps: number;
    momentum: number;
    generative_rate: number;
    recognition_rate: number;
    step: number;
    figures: KernelArray<"f8">;
  };
  recognise_alone: {
    of: KernelTuple<"LayerNetworks">;
    X: KernelArray<"f4">;
    means: KernelArray<"f4">;
  };
  generate_alone: {
    of: KernelTuple<"LayerNetworks">;
    H: KernelArray<"f4">;
    means: KernelArray<"f8">;
  };
  dream_alone: {
    of: KernelTuple<"LayerNetworks">;
    uniforms: KernelTuple<"Uniforms">;
  };
  draw_uniforms: {
    generator: KernelArray<"u8">;
    out: KernelArray<"f8">;
  };
  summarise: {
    values: KernelArray<"f8">;
    found: KernelArray<"f8">;
  };
  mean_weight: {
    log_weights: KernelArray<"f8">;
    found: KernelArray<"f8">;
  };
  fill_betas: {
    power: number;
    betas: KernelArray<"f8">;
  };
  place_chains: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    evidence: KernelArray<"f8">;
    base: KernelArray<"f8">;
  };
  weigh_chains: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    evidence: KernelArray<"f8">;
    base: KernelArray<"f8">;
    fresh: boolean;
    share: number;
    likelihood: KernelArray<"f8">;
    total: KernelArray<"f8">;
  };
  move_chains: {
    params: KernelTuple<"KernelParams32">;
    state: KernelTuple<"InferenceState32">;
    evidence: KernelArray<"f8">;
    prior: KernelArray<"f8">;
    beta: number;
    visits: KernelArray<"i8">;
    flips: KernelArray<"i8">;
    converged: KernelArray<"?">;
  };
  fill_fields: {
    weights: KernelArray<"f8">;
    offsets: KernelArray<"f8">;
    states: KernelArray<"u1">;
    fields: KernelArray<"f8">;
  };
  fill_free_energies: {
    b: KernelArray<"f8">;
    X: KernelArray<"u1">;
    fields: KernelArray<"f8">;
    totals: KernelArray<"f8">;
  };
  fill_offsets: {
    states: KernelArray<"u1">;
    offsets: KernelArray<"f8">;
  };
  begin_machines: {
    b: KernelArray<"f8">;
    d: KernelArray<"f8">;
    uniforms: KernelArray<"f8">;
    X: KernelArray<"u1">;
    total: KernelArray<"f8">;
  };
  weigh_machines: {
    b: KernelArray<"f8">;
    start_b: KernelArray<"f8">;
    start_d: KernelArray<"f8">;
    before: number;
    beta: number;
    X: KernelArray<"u1">;
    fields: KernelArray<"f8">;
    total: KernelArray<"f8">;
  };
  draw_latents: {
    start_d: KernelArray<"f8">;
    beta: number;
    fields: KernelArray<"f8">;
    uniforms: KernelArray<"f8">;
    H: KernelArray<"u1">;
  };
  draw_visibles: {
    b: KernelArray<"f8">;
    start_b: KernelArray<"f8">;
    beta: number;
    sums: KernelArray<"f8">;
    uniforms: KernelArray<"f8">;
    X: KernelArray<"u1">;
  };
}
