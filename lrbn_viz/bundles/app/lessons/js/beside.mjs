// 918e63835c789ff5896bf6154385a987c9f180fc7af13bddad5d9aff042953d9
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
function shutByItself(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
var closeButton = () => element("form", { method: "dialog" }, element("button", { class: "lv-btn lv-small" }, "close"));
function setText(node, text) {
  const { firstChild } = node;
  if (firstChild instanceof Text && !firstChild.nextSibling) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}
function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function ancestors(node) {
  const found = [];
  for (let at = node; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at instanceof Element) found.push(at);
  return found;
}
var pageAround = (node) => ancestors(node).reverse().find(({ classList }) => classList.contains("mui-light") || classList.contains("mui-dark"));
function watchScheme(node, changed) {
  const system = window.matchMedia("(prefers-color-scheme: dark)"), page = document.documentElement;
  const marked = pageAround(node);
  let now;
  const check = () => {
    const { theme } = page.dataset, dark = marked ? marked.classList.contains("mui-dark") : theme ? theme === "dark" : system.matches;
    if (dark === now) return;
    now = dark;
    node.dataset.scheme = dark ? "dark" : "light";
    changed?.(dark);
  };
  const observer = new MutationObserver(check);
  for (const at of marked ? [page, marked] : [page]) observer.observe(at, { attributes: true, attributeFilter: ["class", "data-theme"] });
  system.addEventListener("change", check);
  check();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", check);
  };
}
var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, chain_starts: { noise: "noise", data: "a test image" }, walk_ways: { best: "one unit at a time, best flip first", number: "one unit at a time, by number", straight: "all units at once, by degrees" }, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, normaliser_chains: 100, most_compared: 8, images_measured: 100, images_bracketed: 25, narrow_nats: 1, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, held_log_odds: 1e3, figures: ["log_joint", "validation_score", "probe_wrong_pixels", "probe_wrong_pixels_factorised", "gradient_norm", "probe_dead_units", "flips", "sweeps", "units_on", "activity", "fantasy_activity", "bound", "effective_sample_size", "signal_variance", "signal_variance_raw", "stage", "guess_error", "near_zero", "validation_upper_layer_gap", "upper_activity", "seconds"], words_of_rows: { image: "row", pixel: "observation" }, table_words: { pairs: [["yes", "no"], ["true", "false"], ["y", "n"]], unknown: ["", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"] }, max_parameter: 500, check_interval: 100, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
var isWidget = (model) => "save_changes" in model;
function hostOf(model) {
  const ends = [], removed = (callback) => {
    ends.push(callback);
  };
  const end = () => {
    for (const callback of ends.splice(0)) callback();
  };
  if (isWidget(model)) {
    return { get: (name) => model.get(name), set: (name, value) => {
      model.set(name, value);
      model.save_changes();
    }, on: (name, callback) => {
      model.on(`change:${name}`, callback);
      removed(() => model.off(`change:${name}`, callback));
    }, send: (message) => model.send(message), removed, end };
  }
  const panel = model;
  panel.on("remove", end);
  return { get: (name) => panel[name], set: (name, value) => {
    panel[name] = value;
  }, on: (name, callback) => panel.on(name, callback), send: (message) => panel.send_msg(message), removed, end };
}
var ACTS = { image: "another image", lane: "choosing what a lane shows", swap: "swapping the lanes", to_training: "going back to training", draw: "drawing", hold: "holding a unit", name: "naming a unit", basins: "the search for optima", climb: "the way to an optimum", compare: "loading the model", usage: "counting how often units are on", choose: "choosing from the menu", class: "another class of images", more: "more images", start: "starting the run", pause: "pausing the run", step: "one minibatch", stop: "stopping the run", reset: "restarting the run", leave: "leaving the run", branch: "branching", back: "going back", look: "looking back", inspect: "inspecting an image", filter: "looking up the filter's past", attach: "opening the run", delete: "deleting the run", undo: "restoring the run", edit: "changing the form", carry: "changing the form", list: "showing the run to others", end: "ending the run", show: "opening the model", save: "saving the model", begin: "sending the file", cancel: "cancelling the file", accept: "using the data", make: "making the file", write_again: "writing the run to disk", walk: "the interpolation", go: "opening the page", sweep: "opening the sweep", again: "looking for new results", train: "opening the Train page", on: "training on" };
var RETRY_MS = 100;
var MAX_WAIT_MS = 2e4;
function sayInOrder() {
  const waiting = window.lrbnEarly ?? [], behind = /* @__PURE__ */ new Set(), left = [];
  let held = false, again = false;
  for (const each of waiting.splice(0)) {
    if (each.live() && !behind.has(each.host) && !(each.isAct && held)) {
      try {
        each.go();
        continue;
      } catch (error) {
        if (performance.now() - each.at > MAX_WAIT_MS) {
          reportError(error);
          continue;
        }
        again = true;
      }
    }
    left.push(each);
    behind.add(each.host);
    if (each.isAct && !held && performance.now() - each.at < MAX_WAIT_MS) {
      held = true;
      setTimeout(sayInOrder, MAX_WAIT_MS);
    }
  }
  waiting.unshift(...left);
  if (again) setTimeout(sayInOrder, RETRY_MS);
}
function outbox(host, then) {
  const live = () => host.get("live") !== false;
  host.on("live", () => {
    if (!live()) return;
    sayInOrder();
    then?.();
  });
  const say = (message, what) => {
    (window.lrbnEarly ??= []).push({ host, live, isAct: what !== "", at: performance.now(), go: () => host.send(message) });
    sayInOrder();
  };
  const send = (message, what = ACTS[message.type] || "") => {
    if (window.lrbnConnection) return window.lrbnConnection.act(what, () => say(message, what));
    say(message, what);
    return true;
  };
  return { live, send, keep: (key, value, go) => {
    if (window.lrbnConnection) window.lrbnConnection.keep(key, value, go);
    else go();
  }, left: (key) => window.lrbnConnection?.left(key), open: (what) => window.lrbnConnection?.act(what, () => {
  }, true) ?? true };
}
var glossary_default = { name: "Latent Regression Bayesian Network", terms: { lrbn: { name: "LRBN: Latent Regression Bayesian Network", equation: "3", text: "A directed model. Latent units h, on or off, generate the image x; each has a filter of its own, a column of W. Given the image the units depend on each other, so that one can explain another away." }, rbm: { name: "RBM: restricted Boltzmann machine", equation: "4", text: "An undirected model with the same parts. Given the image its units are independent of each other, so that one pass decides each of them exactly." }, dbn: { name: "DBN: deep belief network", equation: null, text: "A model with two layers of latents: an RBM between both layers on top, and directed connections from the lower layer to the image. Its own inference is one upward pass, which is approximate." }, dbm: { name: "DBM: deep Boltzmann machine", equation: null, text: "An undirected model with two layers of latents. A unit depends on the layers directly below and above its own, and on no unit of its own layer. Inference is by mean field." }, factorised: { name: "Factorised", equation: "4", text: "Each unit is inferred as in an RBM: from its prior and the image alone. What other units already draw is ignored." }, lane: { name: "Lane", equation: null, text: "One model with one way of inference, shown beside the other lane on the same image, visit by visit." }, inference: { name: "Inference", equation: "8", text: "How the states of the latent units are found, given the image." }, icm: { name: "ICM: iterated conditional modes", equation: "10", text: "ICM visits one unit at a time and sets it to its likelier state, given the image and all other units. One sweep follows another until no unit changes." }, "icm-random": { name: "ICM in random order", equation: "10", text: "As ICM, but each sweep visits the units in a new random order." }, "icm-greedy": { name: "ICM, best flip first", equation: "10", text: "As ICM, but each visit goes to the unit whose change raises log P(x, h) most." }, "icm-parallel": { name: "All units at once", equation: "theorem", text: "All units of a sweep decide on the state before the sweep. Theorem 1 does not hold then: log P(x, h) can decrease." }, gibbs: { name: "Gibbs sampling", equation: "10", text: "Gibbs sampling visits one unit at a time and draws its state at random: on with probability P(h_j = 1 given x and all other units). log P(x, h) may decrease." }, annealed: { name: "Annealing", equation: "10", text: "Gibbs sampling at a falling temperature: at first states are drawn almost freely, at the end almost as ICM decides, and ICM follows. Annealing escapes poor local optima." }, recognition: { name: "Recognition network", equation: null, text: "A network that estimates the probability of each latent unit from the image in one pass, as if the units were independent given the image." }, "mean-field": { name: "Mean field", equation: null, text: "Each visit sets the mean of one unit to the value that raises a lower bound on log P(x) most. The units are treated as independent given the image. The bound is the evidence lower bound or, where that cannot be computed, a bound below it." }, particles: { name: "Importance-weighted particles", equation: null, text: "States drawn from a recognition network. Each has the weight P(x, h) / q(h given x); the mean weight estimates P(x) without bias. The effective sample size says how many particles share the weight. Probable states that no particle has drawn are missed." }, "bottom-up": { name: "One pass up", equation: null, text: "Each layer gets its means from the layer below alone. That input counts twice, since nothing is known from above yet. Mean field begins there." }, start: { name: "Start", equation: null, text: "The states of the latent units before the first visit." }, conditional: { name: "Conditional at h = 0", equation: "start", text: "Each unit starts on if it would be on with all others off: where prior, evidence and threshold sum to more than 0. All units that fit the image start on, even two with the same stroke." }, paper: { name: "The paper's start", equation: "11", text: "Each unit starts on where prior and evidence sum to more than 0. The threshold is left out." }, visit: { name: "Visit", equation: "10", text: "One look at one unit: its log-odds are computed from the image and all other units, and it is set on or off." }, sweep: { name: "Sweep", equation: "10", text: "One visit to every unit that is not held." }, nats: { name: "Nats", equation: "10", text: "The unit in which log-odds and log-probabilities are measured, with natural logarithms. One nat more makes the odds 2.7 times as large." }, theorem: { name: "Theorem 1", equation: "theorem", text: "Setting one unit at a time to its likelier state never lowers log P(x, h). For ICM the number of decreases is therefore 0. Units that decide at once, or are drawn at random, can lower it." }, "log-joint": { name: "log P(x, h)", equation: "3", text: "The log-probability of the image together with the states of all units. ICM raises it, and stops when no change of a single unit raises it further." }, "explain-away": { name: "Explaining away", equation: "terms", text: "Two causes of one thing compete: once one is known, the other is needed less. Here units that are on already draw pixels, and so lower the log-odds of another unit that draws the same pixels: others is below 0." }, prior: { name: "Prior", equation: "1", text: "What is known before the image is seen: the unit's own offset d, or what the layer above generates." }, evidence: { name: "Evidence", equation: "terms", text: "What the image, or the layer below, says for the unit, pixel by pixel: its filter times the image." }, alone: { name: "Threshold", equation: "terms", text: "What the evidence must exceed. Turned on while all others are off, the unit raises the normalisers of the pixels that it draws, and that rise is subtracted. It is the same for every image and in every state." }, others: { name: "Others", equation: "terms", text: "How the units that are on change the log-odds. Below 0 they explain this unit away, above 0 they support it; while none is on, it is 0." }, "log-odds": { name: "Log-odds", equation: "10", text: "The sum of the four bars. Above 0 the unit is likelier on than off, and ICM turns it on; below 0 ICM turns it off." } }, equations: [{ key: "1", number: "1", what: "Prior of the latent units", formula: "P(h_j = 1) = σ(d_j),   σ(z) = 1 / (1 + e^{−z})" }, { key: "2", number: "2", what: "Pixels given the latent units; a = W h + b", formula: "P(x_i = 1 | h) = σ(a_i)" }, { key: "3", number: "3", what: "Joint of the LRBN; softplus(z) = log(1 + e^z)", formula: "log P(x, h) = Σ_i [x_i a_i − softplus(a_i)] + Σ_j [d_j h_j − softplus(d_j)]" }, { key: "4", number: "4", what: "Joint of the RBM", formula: "log P(x, h) = Σ_i x_i a_i + Σ_j d_j h_j − log Z" }, { key: "5", number: "5", what: "Grey pixels given the latent units", formula: "x | h ~ N(W h + b, 1)" }, { key: "6", number: "6", what: "Joint of the LRBN, grey pixels", formula: "log P(x, h) = −½ ‖x − b − W h‖^2 + Σ_j [d_j h_j − softplus(d_j)] − ½ n_v log 2π" }, { key: "7", number: "7", what: "Joint of the RBM, grey pixels", formula: "log P(x, h) = −½ ‖x − b‖^2 + Σ_{ij} w_{ij} x_i h_j + Σ_j d_j h_j − log Z" }, { key: "8", number: "8", what: "The most probable states", formula: "h* = argmax_h P(h | x)" }, { key: "9", number: "9", what: "Pseudo-likelihood", formula: "P(h | x) ≈ Π_j P(h_j | x, h_{−j})" }, { key: "10", number: "10", what: "A visit of ICM", formula: "h_j ← argmax P(h_j | x, h_{−j})" }, { key: "theorem", number: "Theorem 1", what: "After a visit of ICM, from h to h'", formula: "log P(x, h') ≥ log P(x, h)" }, { key: "terms", number: "10, with 3", what: "The four bars: prior, evidence, threshold, others; with −j raised: without unit j", formula: "logit P(h_j = 1 | x, h_{−j}) = d_j + Σ_i w_{ij} x_i − Σ_i [softplus(b_i + w_{ij}) − softplus(b_i)] + others_j\nothers_j = −Σ_i [softplus(a^{−j}_i + w_{ij}) − softplus(a^{−j}_i) − softplus(b_i + w_{ij}) + softplus(b_i)]" }, { key: "start", number: "10, at h = 0", what: "The start called conditional at h = 0", formula: "h_j = 1 where d_j + Σ_i [w_{ij} x_i − softplus(b_i + w_{ij}) + softplus(b_i)] > 0" }, { key: "11", number: "11", what: "The paper's start", formula: "P(h_j = 1 | x) = σ(Σ_i w_{ij} x_i + d_j)" }, { key: "12", number: "12", what: "The paper's start, grey pixels", formula: "P(h_j = 1 | x) = σ(Σ_i w_{ij} (x_i − b_i) + d_j − ½ Σ_i w_{ij}^2)" }, { key: "14", number: "14", what: "What hard EM raises, over the training images m", formula: "Σ_m log max_h P(x^m, h)" }, { key: "15", number: "15", what: "Gradient by a weight", formula: "(x_i − P(x_i = 1 | h)) h_j" }, { key: "16", number: "16", what: "Gradient by an offset", formula: "x_i − P(x_i = 1 | h)" }, { key: "17", number: "17", what: "Grey pixels: weights and offsets in closed form, by least squares", formula: "min_{W, b} Σ_m ‖x^m − b − W h^m‖^2" }, { key: "19", number: "19", what: "Several layers: what is raised", formula: "Σ_m log max P(x^m, h^1, h^2, …)" }, { key: "20", number: "20", what: "A layer, given its neighbours", formula: "h^l = argmax P(h^l | h^{l−1}, h^{l+1})" }, { key: "21", number: "21, 22", what: "Several layers: the gradients 15 and 16 of the layers on either side of h^l", formula: "(h^{l−1}_i − P(h^{l−1}_i = 1 | h^l)) h^l_j,   (h^l_i − P(h^l_i = 1 | h^{l+1})) h^{l+1}_j" }, { key: "24", number: "24", what: "Reconstruction; its error is the number of wrong pixels", formula: "argmax_x P(x | h*)" }, { key: "25", number: "25", what: "Conservative sampling-based log-likelihood, over states s drawn from the model", formula: "log mean_s P(x | h^s)" }] };
var unbroken = (text) => text.replace(/(log )?P(\*?)\(x, h\)/g, (_, log, star) => `${log ? "log " : ""}P${star}(x, h)`);
var TERMS = glossary_default.terms;
var EQUATIONS = glossary_default.equations;
var CLOSE_DELAY_MS = 250;
var boxes = 0;
var numberOf = (key) => EQUATIONS.find((equation) => equation.key === key)?.number ?? "";
var equationName = (number) => /^\d/.test(number) ? `equation ${number}` : number;
var Glossary = class {
  open = null;
  pinned = false;
  timer;
  name = element("b");
  text = element("p", { id: `lv-term-${++boxes}` });
  constructor(showEquation) {
    this.link = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => {
      const term = this.open, { equation } = TERMS[term?.dataset.term ?? ""] ?? {};
      this.hide();
      term?.focus();
      this.hide();
      if (equation) showEquation(equation);
    } });
    this.node = element("div", { class: "lv-explains", popover: "manual", role: "group", "aria-label": "What it means" }, this.name, this.text, this.link);
    this.node.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.node.addEventListener("pointerleave", () => this.hideSoon());
    this.node.addEventListener("focusout", () => this.hideSoon());
    this.node.addEventListener("keydown", (event) => this.escape(event));
    this.node.addEventListener("click", (event) => event.stopPropagation());
  }
  word(key, ...content) {
    const node = element("button", { type: "button", class: "lv-term", "data-term": key, onclick: (event) => {
      event.stopPropagation();
      if (this.open === node && this.pinned) return this.hide();
      this.show(node);
      this.pinned = true;
    } }, ...content);
    node.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType === "mouse" && this.open !== node) this.show(node);
    });
    node.addEventListener("pointerleave", () => this.hideSoon());
    node.addEventListener("focus", () => {
      if (node.matches(":focus-visible")) this.show(node);
    });
    node.addEventListener("blur", () => this.hideSoon());
    node.addEventListener("keydown", (event) => this.escape(event));
    return node;
  }
  glued(content) {
    const found = [], rest = [...content];
    for (let node = rest.shift(); node !== void 0; node = rest.shift()) {
      const before = found.at(-1), after = rest[0];
      if (!(node instanceof HTMLElement) || !node.matches(".lv-term")) {
        found.push(typeof node === "string" ? unbroken(node) : node);
        continue;
      }
      const open = typeof before === "string" ? /[([]*$/.exec(before)?.[0] ?? "" : "", close = typeof after === "string" ? /^[.,;:!?)\]]*/.exec(after)?.[0] ?? "" : "";
      if (open) found[found.length - 1] = before.slice(0, -open.length);
      if (close) rest[0] = after.slice(close.length);
      found.push(open || close ? element("span", { class: "lv-glued" }, open, node, close) : node);
    }
    return found;
  }
  pressed(event) {
    const path = event.composedPath();
    if (this.open && !path.includes(this.open) && !path.includes(this.node)) this.hide();
  }
  set(node, key) {
    setAttribute(node, "data-term", key);
  }
  show(term) {
    clearTimeout(this.timer);
    if (this.open === term) return;
    this.hide();
    const { name, text, equation } = TERMS[term.dataset.term ?? ""];
    setText(this.name, name);
    setText(this.text, text);
    this.link.hidden = !equation;
    if (equation) setText(this.link, equationName(numberOf(equation)));
    term.after(this.node);
    this.node.showPopover();
    this.open = term;
    term.setAttribute("aria-describedby", this.text.id);
    this.place(term);
  }
  place(term) {
    const at = term.getBoundingClientRect(), { width, height } = this.node.getBoundingClientRect();
    const below = at.bottom + 6, above = at.top - height - 6;
    this.node.style.left = `${Math.max(6, Math.min(at.left, window.innerWidth - width - 6))}px`;
    this.node.style.top = `${Math.max(6, below + height > window.innerHeight - 6 ? above : below)}px`;
  }
  hide() {
    clearTimeout(this.timer);
    if (!this.open) return;
    this.open.removeAttribute("aria-describedby");
    this.open = null;
    this.pinned = false;
    this.node.hidePopover();
  }
  scrolled() {
    if (!this.open) return;
    if (this.pinned || this.open.matches(":focus-visible") || this.node.matches(":focus-within")) this.place(this.open);
    else this.hide();
  }
  hideSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const root = this.node.getRootNode(), focused = root.activeElement;
      const stays = this.pinned || this.node.matches(":hover") || this.node.contains(focused) || this.open && focused === this.open && this.open.matches(":focus-visible");
      if (!stays) this.hide();
    }, CLOSE_DELAY_MS);
  }
  escape(event) {
    if (event.key !== "Escape" || !this.open) return;
    event.stopPropagation();
    const term = this.open;
    if (this.node.contains(this.node.getRootNode().activeElement)) term.focus();
    this.hide();
  }
};
function typeset(text, small = false) {
  const parts = [];
  for (const [whole, mark, braced, single, word] of text.matchAll(/([_^])(?:\{([^}]*)\}|(\S))|([A-Za-z]+)|[^A-Za-z_^]+/g)) {
    if (mark) parts.push(element(mark === "_" ? "sub" : "sup", {}, ...typeset(braced ?? single, true)));
    else if (word && (small || word.length === 1)) parts.push(element("i", {}, word));
    else parts.push(whole);
  }
  return parts;
}
var Equations = class {
  rows = /* @__PURE__ */ new Map();
  node = shutByItself(element("dialog", { class: "lv-help lv-equations", "aria-label": "Equations" }));
  fill() {
    for (const { key, number, what, formula } of EQUATIONS) this.rows.set(key, element("div", { tabindex: -1 }, element("h3", {}, element("b", {}, equationName(number)), ` ${what}`), ...formula.split("\n").map((line) => element("p", { class: "lv-formula" }, ...typeset(line)))));
    this.node.append(element("h2", {}, "Equations"), element("p", { class: "lv-caption" }, "The numbers are those of the paper, Latent Regression Bayesian Network for Data Representation."), ...this.rows.values(), closeButton());
  }
  show(key) {
    if (!this.rows.size) this.fill();
    const row = this.rows.get(key ?? "");
    for (const other of this.rows.values()) other.toggleAttribute("data-asked", other === row);
    this.node.showModal();
    row?.scrollIntoView({ block: "center" });
    row?.focus();
  }
};
var ELEMENTS = /* @__PURE__ */ new Set(["p", "strong", "em", "ul", "ol", "li", "blockquote", "h4", "code", "pre", "br"]);
var CONTROLS = { draw: ["image", '[data-part="draw"]'], images: ["image", '[data-part="images"]'], hold: ["why", ".lv-hold"], model: ["lane2", ".lv-lane[data-lane='1'] .lv-lane-menus"] };
var CARDS = { image: ".lv-input", lane1: ".lv-lane[data-lane='0']", lane2: ".lv-lane[data-lane='1']" };
function wordsOf({ phase, round, mine }) {
  if (phase === "asked") return "Think about it. The vote has not begun.";
  if (phase === "closed") return `Vote ${round} has ended. Discuss the question with your neighbours; the answer comes later.`;
  if (mine !== null) return `Your vote is counted (vote ${round}). The answer comes later.`;
  return round > 1 ? "Vote 2: choose again, after the discussion." : "Vote 1: choose what you expect.";
}
var votesOf = (votes, option) => votes.map((counts, n) => `vote ${n + 1}: ${counts[option]}`).join(", ");
var LessonCard = class {
  view = null;
  shown = null;
  pointed = [];
  equations = new Equations();
  glossary = new Glossary((equation) => this.equations.show(equation));
  inner = element("div", { class: "lv-lesson-in" });
  status = element("div", { class: "lv-sr", role: "status" });
  node = element("section", { class: "lv-lesson", "aria-label": "Lesson", tabindex: -1 }, this.inner, this.status, this.equations.node);
  constructor(acts, linkTo) {
    this.acts = acts;
    this.linkTo = linkTo;
    this.node.addEventListener("pointerdown", (event) => this.glossary.pressed(event));
    this.node.addEventListener("scroll", () => this.glossary.scrolled());
  }
  content(tree) {
    return this.glossary.glued(tree.map((node) => {
      if (typeof node === "string") return node;
      const [kind, ...rest] = node;
      if (kind === "term" && TERMS[rest[0]]) return this.glossary.word(rest[0], ...this.content(rest.slice(1)));
      if (kind === "a" && /^(https?:\/\/|\?)/.test(rest[0])) return element("a", { href: rest[0], target: "_blank" }, ...this.content(rest.slice(1)));
      if (ELEMENTS.has(kind)) return element(kind, {}, ...this.content(rest));
      return element("span", {}, ...this.content(rest.slice(1)));
    }));
  }
  text(tree, name = "") {
    return element("div", { class: `lv-lesson-text ${name}` }, ...this.content(tree));
  }
  show(view) {
    const before = this.view, answers = Boolean(before && before.id === view.id && before.step === view.step && !before.answered && view.answered && view.options.length);
    const moves = before !== null && !(before.id === view.id && before.step === view.step);
    this.shown = before;
    this.view = view;
    this.glossary.hide();
    const title = element("h2", { tabindex: -1 }, view.title);
    const parts = [element("header", {}, element("span", {}, view.lesson), element("span", {}, `Step ${view.step} of ${view.steps}`)), title];
    if (view.opening.length) parts.push(this.text(view.opening));
    if (view.text.length) parts.push(this.text(view.text));
    const asked = view.options.length ? this.question(view) : null;
    if (asked) parts.push(asked);
    const found = view.answered && view.options.length ? element("h3", { tabindex: -1 }, view.chosen === -1 ? "This is what happens." : view.chosen === view.right ? "That is what happens." : "Not what you expected: this is what happens.") : null;
    if (found) parts.push(found);
    if (view.reveal?.length) parts.push(this.text(view.reveal));
    if (view.take_home?.length) parts.push(element("div", { class: "lv-lesson-home" }, element("h3", {}, "To take home"), this.text([["p", ...view.take_home]])));
    if (view.do.length) parts.push(element("p", { class: "lv-lesson-do" }, element("b", {}, view.options.length && !view.answered ? "First answer, then do: " : "Do: "), element("span", {}, ...this.content(view.do))));
    if (!view.led) parts.push(this.ways(view));
    this.inner.replaceChildren(...parts);
    if (view.led?.phase === "voting" && before?.led?.phase !== "voting") asked?.scrollIntoView({ block: "nearest" });
    if (view.led && !answers && !moves) setText(this.status, view.refusal || wordsOf(view.led));
    if (answers && found) {
      setText(this.status, found.textContent ?? "");
      found.focus({ preventScroll: true });
      found.scrollIntoView({ block: "nearest" });
      if (this.node.scrollHeight > this.node.clientHeight) this.node.scrollTop = Math.max(0, found.offsetTop - this.node.offsetTop - 8);
    } else if (moves) {
      setText(this.status, `Step ${view.step} of ${view.steps}: ${view.title}`);
      this.node.scrollTop = 0;
      title.focus({ preventScroll: true });
    }
    if (view.everything) this.point([], [], []);
    else this.point(view.look, view.now, view.use);
  }
  question(view) {
    const { led } = view, name = `lesson-${view.id}-${view.step}`, chosen = view.answered ? view.chosen : led?.mine, fixed = view.answered || Boolean(led && (led.phase !== "voting" || led.mine !== null)), picked = fixed ? -1 : this.picked(view);
    const says = element("p", { class: "lv-lesson-says", role: led ? null : "status" }, view.refusal || (led && !view.answered ? wordsOf(led) : ""));
    const options = view.options.map((tree, n) => {
      const right = view.answered && n === view.right, mine = n === chosen, why = view.answered && view.why?.[n] || [];
      const words = [right ? mine ? "the result, as you predicted" : "the result" : mine ? "your prediction" : "", view.answered && led?.votes.length ? votesOf(led.votes, n) : ""].filter(Boolean);
      const radio = element("input", { type: "radio", name, value: String(n), onchange: () => {
        if (!led) setText(says, "");
        check.setAttribute("aria-disabled", "false");
      } });
      radio.checked = mine || n === picked;
      radio.disabled = fixed;
      return element("label", { "data-right": right }, radio, element("span", {}, ...this.content(tree), words.length ? element("small", {}, words.join("; ")) : null, why.length ? element("small", { class: "lv-lesson-why" }, ...this.content(why)) : null));
    });
    const check = element("button", { type: "button", class: "lv-btn lv-do", "data-main": true, "aria-disabled": String(picked < 0), onclick: () => {
      const chosen2 = options.findIndex((label) => label.firstElementChild.checked);
      if (chosen2 < 0) setText(says, "Choose what you expect first: a guess is enough.");
      else this.acts.predict(view.step, chosen2);
    } }, led ? "Vote" : "See what happens");
    return element("fieldset", { "data-answered": fixed }, element("legend", {}, ...this.content(view.question)), element("div", {}, ...options), fixed ? null : check, view.answered ? null : says);
  }
  picked({ id, step, led }) {
    const { shown } = this, again = shown && shown.id === id && shown.step === step && shown.led?.round === led?.round;
    if (!again) return -1;
    const radios = [...this.inner.querySelectorAll("label > input")];
    return radios.findIndex(({ checked, disabled }) => checked && !disabled);
  }
  ways(view) {
    const last = view.step === view.steps, [after, title] = view.after ?? [];
    const button = (words, act, main = false) => element("button", { type: "button", class: "lv-btn lv-do", "data-main": main, onclick: act }, words);
    const next = button("Next", () => {
      if (view.answered) this.acts.walk("next");
      else setText(this.status, "Answer the question first.");
    }, view.answered);
    if (!view.answered) next.setAttribute("aria-disabled", "true");
    return element("nav", { "aria-label": view.guide ? "Steps" : "Steps of the lesson", class: view.guide ? "lv-guide" : null }, view.step > 1 ? button("Back", () => this.acts.walk("back")) : null, last ? null : next, last && view.answered && after ? button(view.guide ? "Begin the first lesson" : `Next lesson: ${title}`, () => this.acts.begin(after), true) : null, last && view.answered && !(view.guide && after) ? button("All lessons", () => this.acts.list(), !after) : null, view.guide ? button(view.everything ? "Show less" : "Show all", () => this.acts.all()) : null, button(view.guide ? last ? "Close" : "Skip" : "Leave the lesson", () => this.acts.leave()), view.guide ? null : element("a", { href: this.linkTo(view.id, view.step) }, "Link to this step"));
  }
  point(look, now, use, patience = 100) {
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    this.pointed = [];
    clearTimeout(this.timer);
    const player = window.lrbnPlayers?.[0];
    if (!player?.lanes) {
      if (patience > 0) this.timer = setTimeout(() => this.point(look, now, use, patience - 1), 100);
      return;
    }
    this.pointed = this.nodesOf(player, look);
    for (const node of this.pointed) node.classList.add("lv-pointed");
    const used = (cards) => use.flatMap((name) => {
      const [card, control] = CONTROLS[name] ?? [];
      return control && cards.includes(card) ? Array.from(player.root.querySelectorAll(control)) : [];
    });
    player.sight.show(this, [...this.pointed, ...used(look)], [...this.nodesOf(player, now), ...used(now)]);
  }
  nodesOf(player, names) {
    return names.flatMap((name) => Array.from(player.root.querySelectorAll(CARDS[name] ?? `[data-part="${CSS.escape(name)}"]`)));
  }
  end() {
    clearTimeout(this.timer);
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    window.lrbnPlayers?.[0]?.sight.end(this);
    this.pointed = [];
    this.view = null;
  }
  remove() {
    this.end();
    this.node.remove();
  }
};
var lesson_default = ".lv-lesson{font-size:clamp(15px,calc(9px + 0.42vw),27px);line-height:1.5;background:var(--lv-surface);border-right:1px solid var(--lv-line);overflow-y:auto}.lv-lesson-in{padding:1.1em 1.2em 1.6em;display:flex;flex-direction:column;gap:0.8em;max-width:44em;margin:0 auto;width:100%;overflow-wrap:anywhere}.lv-lesson header{display:flex;flex-wrap:wrap;align-items:baseline;gap:0.2em 1em;justify-content:space-between;color:var(--lv-muted);font-size:0.95em}.lv-lesson h2{font-size:1.25em}.lv-lesson h2:focus-visible,.lv-lesson h3:focus-visible{outline-offset:4px}.lv-lesson h3{font-size:1.08em;font-weight:650}.lv-lesson h4{margin:0;font-size:1em}.lv-lesson-text{display:flex;flex-direction:column;gap:0.6em}.lv-lesson :is(ul,ol){margin:0;padding-left:1.4em}.lv-lesson a{color:var(--lv-focus)}.lv-lesson pre{white-space:pre-wrap;margin:0}.lv-lesson blockquote{margin:0;padding-left:0.8em;border-left:3px solid var(--lv-line)}.lv-lesson fieldset{border:1px solid var(--lv-line);border-left:4px solid var(--lv-now);border-radius:0.5em;padding:0.5em 0.9em 0.8em;margin:0;min-width:0}.lv-lesson legend{font-weight:650;padding:0;float:left;width:100%;margin-bottom:0.5em}.lv-lesson legend+*{clear:left}.lv-lesson label{display:flex;gap:0.6em;align-items:flex-start;padding:0.5em 0.4em;border-radius:0.4em;cursor:pointer;min-height:2.7em}.lv-lesson label:hover{background:var(--lv-faint)}.lv-lesson label input{width:1.25em;height:1.25em;margin:0.12em 0 0;flex:none;accent-color:var(--lv-focus)}.lv-lesson fieldset[data-answered] label{cursor:default;background:none}.lv-lesson label small{display:block;font-size:0.88em;font-weight:400;color:var(--lv-muted)}.lv-lesson label .lv-lesson-why{color:var(--lv-ink)}.lv-lesson label[data-right]{font-weight:650;box-shadow:inset 3px 0 var(--lv-good)}.lv-lesson label[data-right] small{color:var(--lv-good);font-weight:650}.lv-lesson .lv-do{height:auto;min-height:2.7em;padding:0.4em 1.1em;text-align:start;line-height:1.3;border-color:var(--lv-line);color:var(--lv-ink)}.lv-lesson .lv-do[data-main]{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)}.lv-lesson .lv-do[data-main]:hover{opacity:0.88}.lv-lesson [aria-disabled=true]{opacity:0.45;cursor:default}.lv-lesson nav{display:flex;flex-wrap:wrap;gap:0.6em;align-items:center}.lv-lesson nav.lv-guide{position:sticky;bottom:0;padding:0.5em 0;background:var(--lv-surface)}.lv-lesson-do{margin:0;padding:0.7em 0.9em;background:color-mix(in srgb,var(--lv-now) 14%,var(--lv-surface));border-left:4px solid var(--lv-now);border-radius:0.4em}.lv-lesson-home{border-radius:0.5em;padding:0.8em 1em;background:var(--lv-faint)}.lv-lesson-says{color:var(--lv-muted);min-height:1.5em}.lv-lesson-says:empty{display:none}@media(max-width:1000px){.lv-lesson{border-right:0;border-bottom:3px solid var(--lv-now)}.lv-lesson-in{padding:0.7em 1em 1em;gap:0.6em}}\n";
var theme_default = { font: 'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif', light: { page: "#f3f5f7", surface: "#ffffff", ink: "#17202a", muted: "#566270", line: "#dbe0e6", faint: "#edf0f3", lanes: ["#00755a", "#7b4bb3"], plus: "#c94f00", minus: "#0067b0", now: "#d98a00", focus: "#0067b0", good: "#00755a", bad: "#b3261e", ground: "#fbfcfd", stroke: "#17202a", shadow: "0 1px 2px rgb(23 32 42 / .06)", lift: "0 -2px 16px rgb(23 32 42 / .10)" }, dark: { page: "#0f1419", surface: "#182028", ink: "#e8edf2", muted: "#a0acb8", line: "#2c3742", faint: "#222c36", lanes: ["#3ecf9f", "#c29bf0"], plus: "#ff9147", minus: "#5cb4f5", now: "#ffc53d", focus: "#8ecbff", good: "#3ecf9f", bad: "#ff8a80", ground: "#0b0f13", stroke: "#e8edf2", shadow: "none", lift: "0 -2px 18px rgb(0 0 0 / .5)" }, header: { ground: "#17202a", ink: "#e8edf2", link: "#c3ccd6", current: "#ffffff", mark: "#ffc53d", focus: "#8ecbff", line: "#566270", lost: "#7a2417", back: "#0b5c47" }, sizes: { letters: "clamp(13px, calc(9.6px + .38cqi), 30px)", side_bar: 288 } };
var FONT = theme_default.font;
var PALETTES = { light: theme_default.light, dark: theme_default.dark };
var properties = (values) => values.map(([name, value]) => `--lv-${name}: ${value};`).join(" ");
var colours = ({ lanes, ...plain }) => [...Object.entries(plain), ["lane0", lanes[0]], ["lane1", lanes[1]]];
var themed = (selector, dark = `${selector}[data-scheme="dark"]`) => `${selector} { ${properties([...colours(theme_default.light), ["font", theme_default.font], ["letters", theme_default.sizes.letters]])} }
${dark} { ${properties(colours(theme_default.dark))} }
`;
var style_default = '.lv,.lv *{box-sizing:border-box}.lv [hidden],.lv [data-hidden]{display:none!important}.lv{--lv-hatch: repeating-linear-gradient(135deg, var(--lv-muted) 0 1.5px, var(--lv-line) 1.5px 5px);container-type:inline-size;background:var(--lv-page);color:var(--lv-ink);font-family:var(--lv-font);height:100%;width:100%;display:flex;flex-direction:column}.lv[data-scheme=dark]{color-scheme:dark}.lv-in{font-size:var(--lv-letters);line-height:1.35;padding:1.1em;display:flex;flex-direction:column;gap:1em;flex:1;min-height:0;overflow-y:auto;font-variant-numeric:tabular-nums}.lv-card{background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.75em;padding:0.85em 1em 1em;box-shadow:var(--lv-shadow);min-width:0;position:relative}.lv-save-card{position:absolute;right:0.5em;bottom:0.5em;display:flex;gap:0.3em;opacity:0}.lv-card:hover>.lv-save-card,.lv-save-card:focus-within{opacity:1}.lv-save-card .lv-btn{background:var(--lv-surface)}@media(hover:none){.lv-save-card{position:static;justify-content:flex-end;margin-top:0.5em;opacity:1}}.lv-in>[data-part]{content-visibility:auto;contain-intrinsic-size:auto 30em;flex-shrink:0}.lv-whole>[data-part]{content-visibility:visible}.lv h2,.lv h3,.lv p,.lv figure{margin:0}.lv h2{font-size:1.08em;font-weight:650;letter-spacing:-0.005em;display:flex;align-items:baseline;gap:0.5em;flex-wrap:wrap}.lv h2 small{font-weight:400;font-size:0.88em;color:var(--lv-muted)}.lv canvas,.lv img{display:block;width:100%}.lv img{height:auto}.lv .lv-pixels{image-rendering:pixelated;border-radius:0.3em;outline:1px solid var(--lv-line);background:var(--lv-ground)}.lv-label{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 0.6em;font-size:0.9em;color:var(--lv-muted);margin-bottom:0.4em;min-height:1.6em;line-height:1.6em}.lv-views .lv-label{flex-wrap:nowrap;white-space:nowrap;height:1.6em}.lv-label b{color:var(--lv-ink);font-weight:650;font-size:1.1em}.lv-box{display:block;contain:strict;width:100%;height:1.45em;line-height:1.45em;white-space:nowrap;text-overflow:ellipsis}.lv-box.lv-long{contain:none}.lv-views .lv-label,.lv-why h2{align-items:center}.lv-views .lv-label b{flex:1 0 6.8em;text-align:right}.lv-views .lv-latents .lv-box{display:flex;flex-wrap:wrap;justify-content:flex-end;align-content:flex-start;height:1.45em;overflow:hidden}.lv-views .lv-latents .lv-held-words{white-space:pre}.lv-views .lv-reconstruction .lv-label b{display:none}.lv-label i{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.08em}.lv-board{display:grid;grid-template-columns:minmax(9em,15%) minmax(0,1fr);gap:1em}.lv-input{grid-row:span 2;display:flex;flex-direction:column;gap:0.6em;align-self:stretch}.lv-lane{border-top:3px solid var(--lv-accent)}.lv-lane[data-lane="0"]{--lv-accent: var(--lv-lane0)}.lv-lane[data-lane="1"]{--lv-accent: var(--lv-lane1)}.lv-lane>header,.lv-why>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-lane>header{align-items:center}.lv-lane h2>span{color:var(--lv-accent)}.lv-lane-menus{display:flex;flex:1;align-items:center;gap:0.3em 0.45em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.88em;min-width:0}.lv-lane-menus select,.lv-lane-menus input{font:inherit;font-size:1em;color:var(--lv-ink);background:var(--lv-surface);field-sizing:content;max-width:min(100%,24em);height:2em;padding:0 0.3em;border:1px solid var(--lv-line);border-radius:0.45em}.lv-lane-menus>select{max-width:min(100%,38em)}.lv-lane-pair{display:inline-flex;align-items:center;gap:0.45em;min-width:0}.lv-lane-menus .lv-seed{min-width:3em;max-width:8em}.lv-lane-menus .lv-seed[aria-invalid=true]{border-color:var(--lv-bad)}.lv-lane-menus .lv-small{font-size:1em;height:2em;min-width:0;padding:0 0.6em}.lv-lane-menus .lv-complaint{flex-basis:100%}.lv-views{display:grid;grid-template-columns:17.5fr 17.5fr 30fr 35fr;gap:1.2em;align-items:start}.lv-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}.lv-fill{flex:1;min-height:0;position:relative}.lv-fill canvas{position:absolute;inset:0;height:100%}.lv-latents .lv-fill{cursor:pointer}.lv-curve .lv-fill{cursor:ew-resize;touch-action:pan-y}.lv-check{font-size:0.86em;color:var(--lv-muted);display:inline-flex;align-items:center;gap:0.4em;white-space:nowrap}.lv-check::before{content:"";width:0.6em;height:0.6em;border-radius:50%;background:currentColor}.lv-check[data-ok=yes]{color:var(--lv-good)}.lv-check[data-ok=no]{color:var(--lv-bad);font-weight:650}.lv-check[data-ok=no]::before{border-radius:0;transform:rotate(45deg)}.lv-key{display:flex;gap:0.3em 1em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.86em}.lv-key span{display:inline-flex;align-items:center;gap:0.4em}.lv-key span::before{content:"";width:0.75em;height:0.75em;border-radius:0.15em;background:var(--lv-swatch)}.lv-btn{font:inherit;color:var(--lv-ink);background:none;border:1px solid transparent;border-radius:0.5em;min-width:2.7em;height:2.7em;padding:0 0.45em;display:inline-flex;align-items:center;justify-content:center;gap:0.3em;cursor:pointer}.lv-btn svg{width:1.45em;height:1.45em;fill:currentColor;flex:none}.lv-btn:hover{background:var(--lv-faint)}.lv-btn:disabled{opacity:0.35;cursor:default;background:none}.lv kbd{font:inherit;font-size:0.74em;line-height:1;color:var(--lv-muted)}.lv-btn kbd{position:absolute;bottom:0.05em;left:0;right:0;text-align:center}.lv-btn{position:relative}.lv-btn.lv-main kbd{bottom:0.15em;color:inherit}.lv-btn:has(kbd)>svg{margin-bottom:0.3em}.lv-told{order:1}.lv-told>.lv-row{order:1}.lv-foot{order:2}.lv-transport{order:3}@media(hover:none){.lv kbd{display:none}}.lv-btn.lv-main{background:var(--lv-ink);color:var(--lv-surface);border-radius:50%;min-width:3em;width:3em;height:3em;padding:0}.lv-btn.lv-main:hover{opacity:0.88}.lv :focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv :is([data-part=draw],[data-part=images],.lv-hold,.lt-thumbs,.lv-walk-choice),.lt-transport :is(.lv-buttons,.lv-scrub),.lv .lt-go,.lv-needs{filter:opacity(var(--lv-offline, 1))}@container (min-width: 721px){.lv-input [data-part=images] .lv-btn{flex:0 1 2.7em;min-width:0;padding:0}}.lv-tools{flex-wrap:wrap;margin-top:0.45em}.lv-tools .lv-btn{min-width:2.15em;width:2.15em;height:2.15em;padding:0}.lv-btn[aria-pressed=true]{background:var(--lv-ink);color:var(--lv-surface)}.lv-complaint{color:var(--lv-bad);font-size:0.95em;overflow-wrap:anywhere}.lv-complaint:empty{display:none}.lv-input .lv-caption{min-height:4.05em;margin-top:0.3em;overflow-wrap:anywhere}.lv-pixels-frame{position:relative}.lv-drawing-cursor{position:absolute;pointer-events:none;outline:2px solid var(--lv-now);box-shadow:0 0 0 3px var(--lv-ink)}.lv-legends{grid-column:1 / -1;display:flex;flex-wrap:wrap;gap:0.15em 1.8em}.lv-legend{display:flex;flex-wrap:wrap;gap:0.15em 0.9em;color:var(--lv-muted);font-size:0.82em}.lv-legend>span{display:inline-flex;align-items:center;gap:0.35em}.lv-legend b{font-weight:650}.lv-card>:is(.lv-legend,.lv-legends){margin-top:0.7em}.lv-legend i{width:0.8em;height:0.8em;flex:none;border-radius:0.15em;background:var(--lv-swatch)}.lv-legend i[data-mark=square]{box-shadow:inset 0 0 0 1px var(--lv-line)}.lv-legend i[data-mark=hatch]{background:var(--lv-hatch)}.lv-legend i[data-mark=pale]{opacity:0.3}.lv-legend i[data-mark=dot]{width:0.5em;height:0.5em;border-radius:50%}.lv-legend i[data-mark=line]{height:3px}.lv-legend i[data-mark=broken]{height:0;background:none;border-top:3px dotted var(--lv-swatch)}.lv-legend i:is([data-mark=ring],[data-mark=dashes]){background:none;border:2px solid var(--lv-swatch)}.lv-legend i[data-mark=dashes]{border-style:dashed}.lv:not([data-scheme=dark]) .lv-on-dark,.lv[data-scheme=dark] .lv-on-light{display:none}.lv-why>.lv-legends{margin-top:0.7em}.lv-full-colour{flex:1 1 30em;font-size:0.82em}.lv-of{color:var(--lv-accent, inherit)}.lv-of select{font-size:0.88em;font-weight:400}.lv-scale{margin-top:0.8em}.lv-scale canvas{height:0.8em;border-radius:0.2em}.lv-scale>div{display:flex;justify-content:space-between;font-size:0.86em;color:var(--lv-muted);margin:0.15em 0 0.4em}.lv-row{display:flex;align-items:center;gap:0.2em}.lv-transport{flex:none;z-index:5;background:var(--lv-surface);border-top:1px solid var(--lv-line);box-shadow:var(--lv-lift);padding:0.5em 1.1em 0.6em;display:grid;gap:0.15em 1.2em;align-items:center;grid-template-columns:auto minmax(0,1fr) auto;font-size:var(--lv-letters);font-variant-numeric:tabular-nums}.lv-scrub{position:relative;height:2.5em}.lv-scrub canvas{position:absolute;inset:0;height:100%}.lv-range{position:absolute;inset:0;contain:size layout style}.lv-scrub input{-webkit-appearance:none;appearance:none;position:absolute;inset:0;width:100%;height:100%;margin:0;background:none;cursor:pointer}.lv-scrub input::-webkit-slider-thumb{-webkit-appearance:none;width:14px;height:1.7em;opacity:0}.lv-scrub input::-moz-range-thumb{width:14px;height:1.7em;border:0;opacity:0}.lv-scrub input::-webkit-slider-runnable-track,.lv-scrub input::-moz-range-track{background:none}.lv-scrub input:focus-visible{border-radius:0.4em}.lv-says{grid-column:2 / 3}.lv-buttons{grid-row:span 2}.lv-side{grid-row:span 2;display:flex;gap:0.4em 1em;align-items:end}.lv-side>*{flex:none}.lv-side .lv-small{font-size:inherit;min-width:2.9em;height:2.3em;padding:0 0.6em}.lv-side select{height:2.19em;padding:0 0.4em}.lv .lv-ask{font-size:0.86em;font-weight:650}.lv-speed{display:flex;flex-direction:column;gap:0.15em;font-size:0.86em;color:var(--lv-muted)}.lv select{font:inherit;font-size:1.05em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-says-key{display:flex;flex-wrap:wrap;gap:0.2em 1.4em;align-items:baseline}.lv-says-key>:first-child{flex:1 1 22em;min-width:0}.lv-flips>span{gap:0.3em}.lv-flips>span::before{display:none}.lv-flips>[data-mark]::before{display:block;width:0.8em;height:0.75em;border-radius:0;background:var(--lv-plus);clip-path:polygon(0 100%,50% 0,100% 100%)}.lv-flips>[data-mark=off]::before{background:var(--lv-minus);clip-path:polygon(0 0,100% 0,50% 100%)}.lv-flips>[data-mark=sweep]::before{width:2px;height:0.9em;background:var(--lv-muted);clip-path:none}:where(.lv-term){font:inherit;letter-spacing:inherit;color:inherit;background:none;border:0;margin:0;padding:0;text-align:inherit;cursor:help;text-decoration:underline dotted;text-decoration-thickness:0.08em;text-underline-offset:0.22em}.lv-glued{white-space:nowrap}.lv-bars small .lv-term{display:block;width:100%}.lv-term:hover{text-decoration-style:solid}.lv-explains{position:fixed;inset:auto;margin:0;width:max-content;max-width:min(26em,92vw);padding:0.7em 0.9em;border:1px solid var(--lv-line);border-radius:0.6em;background:var(--lv-surface);color:var(--lv-ink);box-shadow:0 4px 22px rgb(0 0 0 / 0.22);font-family:var(--lv-font);font-size:clamp(13px,calc(9.5px + 0.35cqi),26px);font-weight:400;line-height:1.4;text-align:left;white-space:normal;letter-spacing:normal}.lv-explains b{font-weight:650;font-size:1em}.lv-explains p{margin:0.25em 0 0}.lv-explains .lv-small{margin-top:0.6em;font-size:0.95em}.lv-equations>div{margin:1em 0;padding:0.1em 0.6em;border-left:3px solid transparent}.lv-equations>[data-asked]{border-color:var(--lv-now);background:var(--lv-faint)}.lv-equations h3{font-size:1em;font-weight:400;color:var(--lv-muted)}.lv-equations h3 b{color:var(--lv-ink);font-weight:650}.lv-formula{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.12em;line-height:1.7;overflow-wrap:anywhere}.lv-equations.lv-help{max-width:min(48em,94vw)}.lv-told{flex:none;z-index:5;display:flex;flex-wrap:wrap;gap:0.4em 1.6em;align-items:center;background:var(--lv-surface);border-top:3px solid var(--lv-now);padding:0.6em 1.1em;font-size:var(--lv-letters);line-height:1.4}.lv-told-texts{flex:1 1 24em;display:grid;max-width:84em}.lv-told-texts>div{grid-area:1 / 1;visibility:hidden}.lv-told-texts>[data-shown=true]{visibility:visible}.lv-told p{font-size:1.06em}.lv-told a{color:var(--lv-focus);white-space:nowrap}.lv-told>.lv-row{gap:0.5em;margin-left:auto}.lv-told .lv-small{color:var(--lv-ink);height:2.5em;min-width:2.9em;font-size:0.95em}.lv .lv-told-next{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)}.lv .lv-told-next:hover{background:var(--lv-ink);opacity:0.88}.lv-told [aria-disabled=true]{opacity:0.35;cursor:default}.lv-told-count{color:var(--lv-muted);font-size:0.95em;white-space:nowrap}.lv-pointed{box-shadow:0 0 0 3px var(--lv-surface),0 0 0 6px var(--lv-now);border-radius:0.4em}.lv-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.lv-tip{position:fixed;z-index:20;pointer-events:none;background:var(--lv-ink);color:var(--lv-surface);font-size:clamp(12.5px,calc(8.5px + 0.35cqi),26px);line-height:1.4;padding:0.35em 0.6em;border-radius:0.4em;white-space:pre}.lv-caption,.lv-says{color:var(--lv-muted);font-size:0.95em}:is(.lv-caption,.lv-says) b{color:var(--lv-ink);font-weight:650}.lv-small{height:2em;font-size:0.88em;color:var(--lv-muted);border-color:var(--lv-line);padding:0 0.8em}.lv .lv-small[aria-pressed=true]{color:var(--lv-surface)}.lv-hold{color:var(--lv-muted);font-size:0.95em;margin-right:0.6em}.lv-hold>span{margin-right:0.3em}.lv-hold .lv-btn{min-width:0}.lv-why-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-maps{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0.8em}.lv-bars{display:grid;grid-template:repeat(4,1.95em) 2.3em / minmax(6.4em,auto) minmax(0,1fr) auto;column-gap:0.8em;align-items:center;padding-top:1.5em}.lv-bars>span{grid-column:1;color:var(--lv-muted);line-height:1.1}.lv-bars small{display:block;height:1.1em;font-size:0.82em}.lv-bars small .lv-box{height:1.1em;line-height:1.1em;color:var(--lv-ink)}.lv-bars>b{grid-column:3;text-align:right;font-weight:650;width:4.6em}.lv-bars>span:nth-last-child(2){color:var(--lv-ink);font-weight:650}.lv-why-title{flex:0 0 14.2em}.lv-verdict{margin:-0.2em 0 0.9em!important;max-width:76em}.lv-verdict .lv-box{white-space:normal;height:2.9em}.lv-verdict .lv-long{height:auto;min-height:2.9em}.lv-track{grid-area:1 / 2 / 6 / 3;align-self:stretch;position:relative}.lv-track canvas{position:absolute;inset:0;height:100%}.lv-who{min-height:11.5em}.lv-who-head{display:flex;align-items:center;flex-wrap:wrap;gap:0.3em 0.5em;color:var(--lv-muted);font-size:0.9em;margin-bottom:0.5em;white-space:nowrap}.lv-who-head b{color:var(--lv-ink);margin-left:auto}.lv-who select{min-width:0;flex:0 1 auto;padding:0.15em 0.3em}.lv-who[data-stale=true]{opacity:0.3}.lv-who .lv-caption{margin-top:0.4em}.lv .lv-hold-it{display:flex;width:100%;min-width:0;padding:0 0.2em;height:1.9em;font-size:0.8em;white-space:nowrap;margin-top:0.2em}.lv-partners{display:grid;grid-template-columns:1fr 1fr;gap:0.3em 1.6em;grid-column:1 / -1}.lv-partners[data-stale=true]{opacity:0.3}.lv-chips-row{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:0.4em}.lv-partners .lv-chips-row{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-partner>span{display:block;white-space:nowrap}.lv-who .lv-partner{width:100%}.lv-who .lv-partner>span:last-child{color:var(--lv-ink);font-weight:650}.lv-tile{font:inherit;font-size:0.84em;color:var(--lv-muted);background:none;border:0;padding:2px;border-radius:0.4em;cursor:pointer}.lv-partner{text-align:center}.lv-partner:hover{background:var(--lv-faint)}.lv-partner[data-on="1"]{color:var(--lv-ink);font-weight:650}.lv .lv-partner[data-on="1"] img{outline:2px solid var(--lv-lane0)}.lv-mosaics{display:grid;grid-template-columns:1fr 1fr;gap:1.6em}.lv-mosaics .lv-fill{aspect-ratio:2;cursor:pointer}.lv-rasters{display:grid;gap:0.8em}.lv-rasters[data-wide=false]{grid-template-columns:1fr 1fr;gap:1.6em}.lv-rasters .lv-fill{flex:none;cursor:pointer;touch-action:pan-y}.lv-meaning{margin-top:0.8em!important;max-width:60em}.lv-label small{font-size:0.9em}.lv-help{border:1px solid var(--lv-line);border-radius:0.75em;background:var(--lv-surface);color:var(--lv-ink);padding:1.2em 1.5em;font-size:clamp(15px,calc(10.5px + 0.34cqi),27px);max-width:min(34em,92vw);max-height:90vh;overflow-y:auto}.lv-help summary{cursor:pointer}.lv-help details,.lv-help .lv-caption{margin:0.9em 0}.lv-help::backdrop{background:rgb(0 0 0 / 0.45)}.lv-help dl{display:grid;grid-template-columns:auto auto;gap:0.4em 1.4em;margin:0.9em 0}.lv-words dl{display:block}.lv-words dt{margin-top:0.8em}.lv-help dt{font-weight:650}.lv-help dd{margin:0;color:var(--lv-muted)}.lv-matrix>header,.lv-mosaic>header,.lv-raster>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-matrix-body{display:grid;grid-template-columns:minmax(0,2.4fr) minmax(0,1fr);gap:1.6em}.lv-matrices{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.2em}.lv-matrices canvas{cursor:crosshair}.lv-pairs[data-named]{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr)}.lv-pairs:not([data-named]) .lv-axis{display:none}.lv-axis{list-style:none;margin:0;padding:0 0.4em 0 0;display:flex;flex-direction:column;font-size:0.82em;color:var(--lv-muted)}.lv-axis>li{flex:1 1 0;min-height:0;max-width:8em;display:flex;align-items:center;justify-content:flex-end;overflow:hidden;white-space:nowrap}.lv-axis:last-child{grid-column:2;flex-direction:row;padding:0.4em 0 0}.lv-axis:last-child>li{min-width:0;max-width:none;max-height:8em;writing-mode:vertical-rl;justify-content:flex-start}.lv-matrix[data-stale=true] .lv-matrices{opacity:0.35}.lv-pair-maps{display:grid;grid-template-columns:1fr 1fr;gap:0.8em}.lv-pair-value{font-size:1.6em;margin:0.5em 0 0.1em!important}.lv-truth>header,.lv-basins>header{display:flex;justify-content:space-between;align-items:baseline;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-truth-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-truth-body .lv-fill{height:15em}.lv-truth-body .lv-fill canvas{cursor:pointer}.lv-truth-body .lv-maps+p{margin-top:0.6em;font-size:0.86em}.lv-truth-body .lv-maps canvas{cursor:crosshair}.lv-truth,.lv-basins{contain:layout style}.lv-truth[data-stale=true] .lv-truth-body{opacity:0.35}.lv-table{border-collapse:collapse;table-layout:fixed;width:100%;font-size:0.95em}.lv-table th{font-weight:400;color:var(--lv-muted);text-align:left;padding:0.38em 0.6em 0.38em 0}.lv-table thead th{vertical-align:bottom;border-bottom:1px solid var(--lv-line)}.lv-table thead th+th,.lv-table td{text-align:right;padding-right:0;padding-left:0.9em}.lv-table thead th+th{width:22%}.lv-table td{position:relative}.lv-table b{font-weight:650}.lv-table tbody tr:first-child>*{border-bottom:1px solid var(--lv-line)}.lv-ladder-table tbody tr:first-child>*{border:0}.lv-rung{display:flex;height:4px;margin-top:0.2em}.lv-rung i{background:var(--lv-muted)}.lv-rung i+i{background:var(--lv-accent)}.lv-share{position:absolute;right:0;bottom:0.15em;max-width:calc(100% - 0.9em);height:3px;border-radius:2px;background:var(--lv-accent)}.lv .lv-mark{display:inline-block;width:1em;height:1em;margin-right:0.5em;vertical-align:-0.12em}.lv-absent{display:grid;gap:0.8em}.lv-absent .lv-row{gap:0.5em;flex-wrap:wrap}.lv-absent p{max-width:62em}.lv sup{line-height:0}.lv-basins-body{display:grid;grid-template-columns:minmax(0,61fr) minmax(0,39fr);gap:1.6em;min-height:14.5em}.lv-basins-body .lv-fill{min-height:14.5em}.lv-basins-body .lv-fill canvas{cursor:pointer}.lv-basins[data-stale=true] canvas{visibility:hidden}.lv-waiting{position:absolute;inset:0;display:grid;place-content:center;text-align:center}.lv-optimum{display:grid;grid-template-columns:minmax(5em,36%) minmax(0,1fr);gap:1.2em;align-items:start;align-content:start}.lv-optimum h3{font-size:1em;font-weight:650;margin-bottom:0.4em}.lv-optimum dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.15em 0.9em;margin:0 0 0.8em;font-size:0.95em}.lv-optimum dt{color:var(--lv-muted)}.lv-optimum dd{margin:0;grid-column:2}@container (max-width: 1280px){.lv-says .lv-box{white-space:normal;height:2.9em}}@container (max-width: 1000px){.lv-transport{padding:0.35em 0.6em 0.5em}.lv-buttons,.lv-side{grid-row:auto}.lv-says{grid-column:1 / -1}.lv-buttons .lv-btn span,.lv-speed-word{display:none}.lv-truth-body{grid-template-columns:1fr 1fr}.lv-truth-body>:last-child{grid-column:1 / -1}.lv-basins-body{grid-template-columns:minmax(0,1fr)}.lv-optimum{grid-template-columns:9em minmax(0,1fr)}.lv-mosaics,.lv-rasters[data-wide=false]{grid-template-columns:minmax(0,1fr)}.lv-matrix-body{grid-template-columns:minmax(0,1fr)}.lv-pair{max-width:22em}.lv-why-body{grid-template-columns:1fr 1fr}.lv-who{grid-column:1 / -1;min-height:9em}.lv-who .lv-chips-row{grid-template-columns:repeat(6,minmax(0,7em))}.lv-views{grid-template-columns:1fr 1fr 2fr}.lv-curve{grid-column:1 / -1}.lv-curve .lv-fill{min-height:8em}.lv-board{grid-template-columns:minmax(9em,14%) minmax(0,1fr)}}@container (max-width: 860px){.lv-transport{grid-template-columns:minmax(0,1fr) auto}.lv-scrub{grid-column:1 / -1;order:-1}.lv-buttons{justify-content:space-between}}@container (max-width: 720px){.lv-buttons,.lv-says,.lv-side{grid-column:1 / -1}.lv-says{order:3}.lv-side{order:4;justify-content:space-between;align-items:center}.lv-speed-word{display:inline}.lv-lane-menus{order:3;flex-basis:100%}.lv-in{padding:0.6em;gap:0.6em}.lv-board{grid-template-columns:minmax(0,1fr);gap:0.6em}.lv-input{flex-direction:row;grid-row:auto;align-items:flex-start;flex-wrap:wrap}.lv-input>.lv-pixels-box{width:6.5em}.lv-input>div:last-child{flex:1}.lv-input .lv-caption{min-height:2.7em}.lv-views{grid-template-columns:1fr 1fr;gap:0.8em}.lv-latents{grid-column:1 / -1}.lv-latents .lv-fill{aspect-ratio:2;flex:none}.lv-full-colour .lv-box{white-space:normal;height:2.9em}.lv-matrices .lv-label{flex-direction:column;height:auto;gap:0}.lv-truth-body{grid-template-columns:minmax(0,1fr);gap:1em}.lv-optimum{grid-template-columns:6.5em minmax(0,1fr);gap:0.8em}.lv-why-body,.lv-partners{grid-template-columns:minmax(0,1fr);gap:0.8em}.lv-bars{padding-top:0}.lv-verdict .lv-box,.lv-verdict .lv-long{height:5.8em;min-height:5.8em}.lv-verdict .lv-long{height:auto}.lv-chips-row,.lv-partners .lv-chips-row,.lv-who .lv-chips-row{grid-template-columns:repeat(4,minmax(0,1fr))}.lv-says-key>:first-child{flex-basis:100%}.lv-told{padding:0.5em 0.6em;gap:0.4em}.lv-speed{flex-direction:row;align-items:center;gap:0.4em}.lv-btn{min-width:2.4em;padding:0}.lv-btn span{display:none}.lv-why>header .lv-row{flex-wrap:wrap;gap:0.35em}.lv .lv-small{min-width:2.6em;height:2.3em;padding:0 0.7em}}@media(max-height:560px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport){max-height:3.7em;overflow-y:auto;overscroll-behavior:contain;grid-template-columns:auto minmax(0,1fr);align-items:start;padding-top:0.3em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{order:0;grid-column:1;grid-row:auto}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-scrub{order:1;grid-column:2}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-says,.lv-side){grid-column:1 / -1;order:3}}@media(max-height:560px)and (min-width:481px){@container (max-width: 600px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{flex-wrap:wrap;justify-content:flex-start;width:14em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons>:is(:first-child,:nth-child(6),:nth-child(7),:last-child){order:1}}}@media(max-height:560px)and (max-width:480px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-buttons,.lv-scrub){grid-column:1 / -1}}@media print{.lv{height:auto;zoom:0.8}.lv,.lv-in{display:block;overflow:visible}.lv-in{padding:0}.lv-in>*{margin-bottom:1em}.lv-in>[data-part]{content-visibility:visible}.lv-card{break-inside:avoid;box-shadow:none}.lv-fill canvas{object-fit:contain}.lv-transport,.lv-told,.lv-foot,.lv .lv-btn,.lv-save-card{display:none}}@media(prefers-reduced-motion:no-preference){.lv-btn{transition:background 0.12s}}@media(forced-colors:active){.lv-check::before,.lv-key span::before,.lv-legend i{forced-color-adjust:none}.lv-pointed{outline:3px solid Highlight}}\n';
var STYLE = themed(".lv") + style_default;
var rememberGuide = () => {
  document.cookie = `${constants_default.guide_cookie}=1; path=/; max-age=31536000; SameSite=Lax`;
};
function render({ model, el }) {
  const host = hostOf(model), { send } = outbox(host);
  const card = new LessonCard({ predict: (step, option) => send({ type: "predict", step, option }, "your prediction"), walk: (way) => send({ type: "walk", way }, "the next step"), leave: () => {
    if (host.get("view").guide) rememberGuide();
    send({ type: "leave" }, "leaving the lesson");
  }, all: () => send({ type: "all" }, "all of the page"), begin: (lesson) => send({ type: "begin", lesson }, "another lesson"), list: () => send({ type: "list" }, "the list of lessons") }, (id, step) => `?${new URLSearchParams({ lesson: id, ...step > 1 ? { step: String(step) } : {} })}`);
  const root = element("div", { class: "lv" }, element("style", {}, STYLE + lesson_default), card.node);
  card.node.style.flex = "1";
  card.node.style.minHeight = "0";
  const show = () => {
    const view = host.get("view");
    if (!view.id) return;
    card.show(view);
    if (view.guide && view.step === view.steps) rememberGuide();
  };
  el.append(root);
  const unwatch = watchScheme(root);
  host.on("view", show);
  host.removed(() => {
    unwatch();
    card.remove();
  });
  show();
}
var beside_default = { render };
export { beside_default as default };
