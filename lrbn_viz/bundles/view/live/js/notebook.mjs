// 7d131b0ea76833ffffdb8f41883a70e7a993d6a986cc33f4a5b533ab2e0fc381
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
var card = (attributes, heading, beside, ...content) => element("section", { ...attributes, class: `lv-card ${attributes.class}` }, element("header", {}, element("h2", {}, ...heading), ...beside), ...content);
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
function penOf(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("this browser lends no 2d context to a canvas; close other pages that draw, and open this one again");
  return context;
}
function box() {
  return element("span", { class: "lv-box" });
}
function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}
function setRich(node, parts) {
  if (node.textContent === plainText(parts)) return;
  node.replaceChildren(...parts.map((part2) => typeof part2 === "string" ? part2 : element(part2.tag, {}, part2.text)));
}
var plainText = (parts) => parts.map((part2) => typeof part2 === "string" ? part2 : part2.text).join("");
var bold = (text) => ({ tag: "b", text });
function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}
var ICONS = { first: "M5 5h2.2v14H5zM19.5 5v14L8.5 12z", back: "M16.8 5H19v14h-2.2zM15.5 5v14L5 12z", play: "M7.5 4.5v15l12.5-7.5z", pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z", step: "M5 5h2.2v14H5zM8.5 5v14L19 12z", flip: "M3.5 5.5v13L13 12zM17.5 8.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6z", off: "M3.5 5.500v13L12 12zM13.500 8.500h8.500L17.750 16z", offBack: "M20.500 5.500v13L12 12zM2 8.500h8.500L6.250 16z", sweep: "M4 5.5v13l8-6.5zM12.5 5.5v13l8-6.5z", last: "M4.5 5v14l11-7zM16.8 5H19v14h-2.2z", present: "M3 4h18v12H3zM5 6v8h14V6zM8 18h8v2H8z", leave: "M6.400 5L12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z", previousImage: "M15.5 4.5v15L6 12z", nextImage: "M8.5 4.5v15L18 12z", shuffle: "M17 4l4 3.5L17 11V8.5h-2.2L7.3 17H3v-2h3.4l7.5-8.5H17zM3 6.500h4.300l2.400 2.700-1.300 1.500L6.400 8.500H3zM17 13l4 3.500L17 20v-2.500h-3l-2.600-3 1.300-1.500 2.100 2.500H17z" };
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
function iconButton(name, label2, keys, onclick, text) {
  const button = element("button", { type: "button", class: "lv-btn", "aria-label": label2, title: keys ? `${label2} (${keys})` : label2, "data-do": name, onclick }, icon(name));
  if (text) button.append(element("span", {}, text));
  if (keys) button.append(element("kbd", { "aria-hidden": "true" }, shortKeys(keys)));
  return button;
}
var shortKeys = (keys) => keys.replace("Shift+", "⇧").replace("Page Down", "PgDn");
var byKey = ({ key }, table) => table[key];
var arrowMove = (event, columns) => byKey(event, { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns });
function isPageKey(event, slider) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const target = event.composedPath()[0], { tagName } = target;
  if (target !== slider && (["INPUT", "TEXTAREA", "SELECT"].includes(tagName) || target.isContentEditable)) return false;
  return event.key !== " " || tagName !== "BUTTON";
}
function ancestors(node) {
  const found = [];
  for (let at = node; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at instanceof Element) found.push(at);
  return found;
}
var pageAround = (node) => ancestors(node).reverse().find(({ classList }) => classList.contains("mui-light") || classList.contains("mui-dark"));
var widthAround = (node) => pageAround(node)?.getBoundingClientRect().width ?? window.innerWidth;
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
var ARRAY_TYPES = { i1: Int8Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f2: Uint8Array, f4: Float32Array, f8: Float64Array };
function toBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
function unpack(data) {
  let bytes = toBytes(data);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== constants_default.packed_block) throw new Error("not a packed block");
  if (bytes.byteOffset % 8) bytes = bytes.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) {
    const count = entry.shape.reduce((product, n) => product * n, 1);
    const isHalf = entry.dtype === "f2", raw = new ARRAY_TYPES[entry.dtype](bytes.buffer, bytes.byteOffset + 8 + length + entry.offset, isHalf ? 2 * count : count);
    arrays[name] = isHalf ? fromHalf(raw, count) : raw;
  }
  return { meta: header.meta, arrays };
}
function part(arrays, number2) {
  const prefix = `${number2}.`, found = Object.entries(arrays).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(found.map(([name, array]) => [name.slice(prefix.length), array]));
}
function fromHalf(raw, count) {
  const out = new Float32Array(count);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < count; i++) {
    const upper = raw[i], sign = (upper & 128) << 24, exponent = upper >> 2 & 31, fraction = (upper & 3) << 8 | raw[count + i];
    if (exponent === 0) {
      const value = fraction * 2 ** -24;
      out[i] = sign ? -value : value;
    } else if (exponent === 31) {
      bits[i] = sign | 2139095040 | fraction << 13;
    } else {
      bits[i] = sign | exponent + 112 << 23 | fraction << 13;
    }
  }
  return out;
}
function unpackBits(packed, count) {
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = packed[i >> 3] >> 7 - (i & 7) & 1;
  return out;
}
function packBits(values, one = 1) {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (let i = 0; i < values.length; i++) if (values[i] === one) bytes[i >> 3] |= 128 >> (i & 7);
  return bytes;
}
function scaled(W, scale, n_v) {
  return scale ? Float32Array.from(W, (value, at) => value * scale[Math.floor(at / n_v)]) : W;
}
function layersOf(arrays, visible) {
  const layers = [];
  for (let layer = 0, first = 0; arrays[`b${layer || ""}`]; layer++) {
    const of = (name) => arrays[`${name}${layer || ""}`];
    const W = of("W"), scale = of("scale"), b = of("b"), d = of("d");
    const precision = layer ? void 0 : arrays.precision;
    const single = W instanceof Float64Array ? Float32Array.from(W) : scaled(W, scale, b.length);
    layers.push({ layer, first, n_v: b.length, n_h: d.length, W: single, exact: W instanceof Float64Array ? W : single, b, d, visible: layer ? "bernoulli" : visible, precision });
    first += d.length;
  }
  return layers;
}
var layerAt = (layers, unit) => layers[layers.findLastIndex((layer) => layer.first <= unit)];
function recognitionOf(arrays) {
  const networks = [];
  for (let layer = 0; arrays[`V${layer || ""}`]; layer++) networks.push({ V: Float64Array.from(arrays[`V${layer || ""}`]), c: arrays[`c${layer || ""}`] });
  return networks;
}
var topOf = ({ U, e }) => U ? { U: Float64Array.from(U), e } : void 0;
function filtersOf(layers) {
  const [{ n_v, W }] = layers;
  if (layers.length === 1) return W;
  const { first, n_h } = layers[layers.length - 1], filters = new Float32Array((first + n_h) * n_v);
  filters.set(W);
  for (const upper of layers.slice(1)) {
    const below = layers[upper.layer - 1].first;
    for (let k = 0; k < upper.n_h; k++) for (let j = 0; j < upper.n_v; j++) {
      const weight = upper.W[k * upper.n_v + j], from = (below + j) * n_v, to = (upper.first + k) * n_v;
      for (let i = 0; i < n_v; i++) filters[to + i] += weight * filters[from + i];
    }
  }
  return filters;
}
function decodeModels(...blocks) {
  return new Map(blocks.flatMap((data) => {
    const { meta: { models, image_shape: [rows, columns] }, arrays } = unpack(data);
    return models.map((model, i) => {
      const own = model.of ?? i, layers = layersOf(part(arrays, own), model.visible), [{ n_v, W, b, d }] = layers;
      const n_h = layers.reduce((sum, layer) => sum + layer.n_h, 0), rounded = `${own}.scale` in arrays && !model.own;
      return [model.key, { ...model, layers, recognition: recognitionOf(part(arrays, i)), top: topOf(part(arrays, i)), rounded, filters: filtersOf(layers), n_v, n_h, W, b, d, rows, columns }];
    });
  }));
}
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
function together(acts, host) {
  let changed = new Set(Object.keys(acts)), gone = false;
  host.removed(() => {
    gone = true;
  });
  let waiting2;
  const all = () => {
    const now = changed;
    changed = /* @__PURE__ */ new Set();
    const due = new Map(Object.entries(acts).filter(([name]) => now.has(name)).map(([name, act]) => [act, host.get(name)]));
    for (const [act, value] of due) {
      const done = waiting2 ? waiting2.then(() => gone ? void 0 : act(value)) : act(value);
      if (!done) continue;
      const mine = waiting2 = done.catch(reportError).then(() => {
        if (waiting2 === mine) waiting2 = void 0;
      });
    }
    return waiting2;
  };
  for (const name of Object.keys(acts)) {
    host.on(name, () => {
      if (!changed.size) queueMicrotask(all);
      changed.add(name);
    });
  }
  return all;
}
function withBlocks(data, take) {
  const bytes = toBytes(data), begin2 = new TextDecoder().decode(bytes.subarray(0, 4));
  if (begin2 !== constants_default.kept_files) return take(data);
  const addresses = new TextDecoder().decode(bytes.subarray(4)).split("\n");
  return Promise.all(addresses.map(async (address) => {
    const asked = window.lrbnAsked?.get(address);
    window.lrbnAsked?.delete(address);
    const answer = await (asked ?? fetch(address));
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.arrayBuffer();
  })).then((blocks) => take(...blocks));
}
var ACTS = { image: "another image", lane: "choosing what a lane shows", swap: "swapping the lanes", to_training: "going back to training", draw: "drawing", hold: "holding a unit", name: "naming a unit", basins: "the search for optima", climb: "the way to an optimum", compare: "loading the model", usage: "counting how often units are on", choose: "choosing from the menu", class: "another class of images", more: "more images", start: "starting the run", pause: "pausing the run", step: "one minibatch", stop: "stopping the run", reset: "restarting the run", leave: "leaving the run", branch: "branching", back: "going back", look: "looking back", inspect: "inspecting an image", filter: "looking up the filter's past", attach: "opening the run", delete: "deleting the run", undo: "restoring the run", edit: "changing the form", carry: "changing the form", list: "showing the run to others", end: "ending the run", show: "opening the model", save: "saving the model", begin: "sending the file", cancel: "cancelling the file", accept: "using the data", make: "making the file", write_again: "writing the run to disk", walk: "the interpolation", go: "opening the page", sweep: "opening the sweep", again: "looking for new results", train: "opening the Train page", on: "training on" };
var RETRY_MS = 100;
var MAX_WAIT_MS = 2e4;
function sayInOrder() {
  const waiting2 = window.lrbnEarly ?? [], behind = /* @__PURE__ */ new Set(), left = [];
  let held = false, again = false;
  for (const each of waiting2.splice(0)) {
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
  waiting2.unshift(...left);
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
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var signed = (value, digits = 2) => number(value, digits).replace(/^(?=\d)/, "+");
var isZero = (value) => signed(value) === signed(0);
var brief = (value) => number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
function chance(p) {
  if (p >= 1e-3 || p === 0) return `${number(100 * p, p >= 0.1 ? 1 : 2)} %`;
  const [digits, power] = p.toExponential(1).split("e");
  return `${digits} × 10${Array.from(power, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] || "⁻").join("")}`;
}
var unbroken = (text) => text.replace(/(log )?P(\*?)\(x, h\)/g, (_, log, star) => `${log ? "log " : ""}P${star}(x, h)`);
var capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
function niceTicks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough) ?? 10);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) ticks.push(tick);
  return { ticks, digits: Math.max(0, -Math.floor(Math.log10(step))) };
}
function fileName({ caption, title }, k, kind, card2) {
  const words = (caption || title || "trace").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${words || "trace"}-visit-${k}${card2 ? `-${card2}` : ""}.${kind}`;
}
var clamp = (value, low, high) => Math.max(low, Math.min(high, value));
var byte = (value) => clamp(Math.round(255 * value), 0, 255);
var signedColour = (table, value) => table[255 + Math.round(255 * clamp(value, -1, 1))];
var TERMS = glossary_default.terms;
var EQUATIONS = glossary_default.equations;
var termName = (key) => TERMS[key].name.toLowerCase();
var CLOSE_DELAY_MS = 250;
var boxes = 0;
var numberOf = (key) => EQUATIONS.find((equation) => equation.key === key)?.number ?? "";
var equationName = (number2) => /^\d/.test(number2) ? `equation ${number2}` : number2;
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
var choices_default = { cards: { image: "The image", lane1: "Lane 1", lane2: "Lane 2" }, unit_orders: { number: ["by number", "Units are in the order of their numbers, as in the model."], weight: ["by log-odds", "Units are in the order of their log-odds at the cursor, the highest first."], usage: ["by usage", "Units are in the order of their usage over the test images: the one that is on most often first"], contribution: ["by contribution", "Units are in the order of their contribution: the nats that log P(x, h) would lose if this unit alone were turned off at the cursor. Units that are off contribute nothing and follow by number."], cluster: ["by interaction", "Units are next to those with which they interact: a chain through the explain-away matrix at the cursor, strongest neighbours first. Units of a factorised model, such as an RBM, do not interact and remain in the order of their numbers."] }, references: { last: "its own last visit", start: "the start", off: "all others off" }, still: "data-lrbn-still", story_parts: { input: ".lv-input .lv-pixels, .lv-input .lv-variables", latents: "[data-lane='0'] .lv-latents .lv-fill", "latents below": "[data-lane='1'] .lv-latents .lv-fill", errors: ".lv-error .lv-pixels, [data-table] .lv-reconstruction .lv-variables", filter: ".lv-maps figure:first-child canvas, .lv-maps .lv-variables", who: ".lv-who", bars: ".lv-bars", verdict: ".lv-verdict", tools: ".lv-tools", "turned off": "[data-do='off']" } };
var STORED = "lrbn-viz-first-look";
var PARTS = choices_default.story_parts;
var told = { begun: false, at: 0 };
function stored(act) {
  try {
    return act(window.localStorage);
  } catch {
    return void 0;
  }
}
function tellAgain() {
  stored((storage) => storage.removeItem(STORED));
  window.location.assign(window.location.pathname);
}
var keyOf = ({ question: question2, lanes }) => JSON.stringify([question2, lanes.map(({ model, subtitle, start, seed, held, n_visits }) => [model, subtitle, start, seed, held, n_visits])]);
function isSeen(node, within) {
  const { top, bottom, height } = node.getBoundingClientRect(), room = within.getBoundingClientRect();
  return height > 0 && top >= room.top && bottom <= room.bottom;
}
var Story = class {
  captions = [];
  at = -1;
  key = "";
  count = element("span", { class: "lv-told-count" });
  texts = element("div", { class: "lv-told-texts" });
  status = element("div", { class: "lv-sr", role: "status" });
  pointed = [];
  answers = false;
  constructor(player) {
    this.player = player;
    const button = (text, label2, onclick) => element("button", { type: "button", class: "lv-btn lv-small", "aria-label": label2, onclick }, text);
    this.back = button("Back", "Back: previous caption", () => this.go(this.at - 1));
    this.next = button("Next", "Next caption", () => this.go(this.at + 1));
    this.next.classList.add("lv-told-next");
    this.close = button("×", "Dismiss the captions", () => this.end(true));
    this.node = element("section", { class: "lv-told", "aria-label": "What is shown, in captions", hidden: true }, element("div", { class: "lv-row" }, this.count, this.back, this.next, element("kbd", { "aria-hidden": "true" }, "C"), this.close), this.texts, this.status);
  }
  get shown() {
    return this.at >= 0;
  }
  tell(captions) {
    if (!captions.length || stored((storage) => storage.getItem(STORED)) === "dismissed") return false;
    const { begun: begun2 } = told;
    told.begun = true;
    this.captions = captions;
    this.key = keyOf(this.player.meta);
    this.texts.replaceChildren(...captions.map((caption) => element("div", {}, element("h2", {}, caption.title), element("p", {}, ...this.content(caption)))));
    this.node.hidden = false;
    this.show(told.at);
    return !begun2;
  }
  content({ text, link, words, here }) {
    const parts = text.split(/\[([^\]]+)\]\(([\w-]+)\)/), { glossary } = this.player;
    const content = glossary.glued(parts.flatMap((part2, n) => n % 3 === 2 ? [] : n % 3 === 1 ? [TERMS[parts[n + 1]] ? glossary.word(parts[n + 1], part2) : part2] : [part2]));
    if (link) content.push(" ", element("a", { href: link, target: here ? null : "_blank" }, words));
    return content;
  }
  show(at) {
    const { captions, player: { root } } = this;
    this.at = told.at = at;
    Array.from(this.texts.children, (node, n) => setAttribute(node, "data-shown", String(n === at)));
    setText(this.count, `${at + 1} of ${captions.length}`);
    setAttribute(this.back, "aria-disabled", String(at === 0));
    setText(this.next, at + 1 < captions.length ? "Next" : "Done");
    setAttribute(this.next, "aria-label", at + 1 < captions.length ? "Next caption" : "Done: dismiss the captions");
    const nodes = captions[at].parts.flatMap((part2) => Array.from(root.querySelectorAll(PARTS[part2])));
    this.point(nodes.filter((node) => !node.closest("[hidden]")));
  }
  point(nodes) {
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    this.pointed = nodes;
    for (const node of nodes) node.classList.add("lv-pointed");
    this.answers = false;
    this.player.sight.show(this, nodes);
  }
  asked(lane, unit) {
    if (!this.shown) return;
    const { panels, cards, sight, presenter } = this.player, answer = panels.why?.node;
    if (unit < 0) {
      if (this.answers) sight.show(this, this.pointed);
      this.answers = false;
    } else if (answer && !presenter.on && !isSeen(answer, this.player.inner)) {
      const latents = cards[lane].node.querySelector(".lv-latents");
      sight.show(this, [latents, answer], [answer]);
      this.answers = true;
    }
  }
  go(at) {
    const { captions, player } = this;
    if (!this.shown || at < 0) return;
    if (at >= captions.length) return this.end(true);
    player.pause();
    if (player.selected.unit >= 0 || player.selected.lane) player.select(0, -1);
    player.seek(captions[at].visit);
    this.show(at);
    setText(this.status, `${this.count.textContent}: ${this.texts.children[at].textContent}`);
  }
  follow(meta) {
    if (this.shown && keyOf(meta) !== this.key) this.end(this.at === this.captions.length - 1);
  }
  end(dismissed) {
    if (!this.shown) return;
    const within = this.node.contains(this.node.getRootNode().activeElement);
    this.point([]);
    this.at = -1;
    this.player.glossary.hide();
    this.node.hidden = true;
    if (within) this.player.transport.playButton.focus();
    if (dismissed) stored((storage) => storage.setItem(STORED, "dismissed"));
  }
};
var SPEEDS = [2, 5, 10, 30, 60, 120, 300, 1e3];
var STILL_MS = 400;
var Clock = class {
  k = 0;
  end = 0;
  speed = 60;
  until = Infinity;
  position = 0;
  before = 0;
  shown = 0;
  requested = 0;
  playing = false;
  settling = false;
  stale = false;
  stats = { frames: 0, painted: 0, paintMs: 0 };
  lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
  timer;
  constructor(paint, rested) {
    this.paint = paint;
    this.rested = rested;
  }
  dirty() {
    this.stale = true;
    if (!this.requested) this.requested = requestAnimationFrame((now) => this.frame(now));
  }
  frame(now) {
    this.requested = 0;
    if (this.playing) {
      this.stats.frames++;
      const elapsed = Math.max(0, Math.min(0.1, (now - this.before) / 1e3));
      this.before = now;
      this.position += elapsed * this.speed;
      const end = Math.min(this.end, this.until), k = Math.min(end, Math.floor(this.position));
      const due = !this.lessMotion.matches || now - this.shown >= STILL_MS || k >= end;
      if (k !== this.k && due) {
        this.k = k;
        this.stale = true;
        this.shown = now;
      }
      if (this.k >= end) this.pause();
      else this.requested = requestAnimationFrame((later) => this.frame(later));
    }
    if (!this.stale) return;
    this.stale = false;
    const begin2 = performance.now();
    this.paint(this.k);
    this.stats.painted++;
    this.stats.paintMs = performance.now() - begin2;
  }
  seek(k) {
    this.k = Math.max(0, Math.min(this.end, Math.round(k)));
    this.position = this.k;
    this.dirty();
    if (!this.playing) this.settle();
  }
  settle() {
    clearTimeout(this.timer);
    this.settling = true;
    this.timer = setTimeout(() => {
      this.settling = false;
      this.rested(this.k);
    }, 120);
  }
  play() {
    if (this.playing || !this.end) return;
    if (this.k >= this.end) this.seek(0);
    clearTimeout(this.timer);
    this.settling = false;
    this.playing = true;
    this.position = this.k;
    this.before = this.shown = performance.now();
    this.dirty();
  }
  playTo(k) {
    this.pause();
    if (k <= this.k) return;
    this.until = k;
    this.play();
  }
  pause() {
    this.until = Infinity;
    if (!this.playing) return;
    this.playing = false;
    this.dirty();
    this.settle();
  }
  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.requested);
    this.requested = 0;
  }
};
var UNKNOWN = 2;
var statesOf = (x) => Uint8Array.from(x, (value) => Number.isNaN(value) ? UNKNOWN : Number(value > 0.5));
function statesOfBits({ x, unknown }, n_v) {
  const states = unpackBits(x, n_v);
  if (unknown) unpackBits(unknown, n_v).forEach((is, i) => {
    if (is) states[i] = UNKNOWN;
  });
  return states;
}
var valuesOf = (states) => states.includes(UNKNOWN) ? Float32Array.from(states, (state) => state === UNKNOWN ? NaN : state) : states;
function textOfStates(states) {
  const on = packBits(states), unknown = packBits(states, UNKNOWN), bytes = unknown.some(Boolean) ? [...on, ...unknown] : on;
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function statesOfText(text, n) {
  const bytes = Math.ceil(n / 8);
  let raw;
  try {
    raw = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
  if (raw.length !== bytes && raw.length !== 2 * bytes) return null;
  const states = unpackBits(raw, n);
  if (raw.length === bytes) return states;
  const unknown = unpackBits(raw.subarray(bytes), n);
  return states.some((on, i) => on && unknown[i]) ? null : states.map((on, i) => unknown[i] ? UNKNOWN : on);
}
var unitName = ({ names }, j) => names?.[j] ?? `unit ${j}`;
var shortUnitName = ({ names }, j) => names?.[j] ?? String(j);
var visibleName = ({ pixels, columns }, i) => pixels?.[i] ?? `row ${Math.floor(i / columns) + 1}, column ${i % columns + 1}`;
var variablesOf = ({ pixels, rows }) => pixels && rows === 1 ? pixels : null;
function someOf(words, most) {
  const left = words.length - most;
  return left > 0 ? `${words.slice(0, most).join(", ")} and ${left} more` : words.join(", ") || "none";
}
var rowWords = (table) => table ? { row: "row", rows: "Rows", title: "Rows", cell: "observation", own: "Own observations" } : { row: "image", rows: "Image", title: "Images", cell: "pixel", own: "Own image" };
function renamed(model, j, name) {
  const names = Array.from({ length: model.n_h }, (_, k) => k === j && name || unitName(k === j ? {} : model, k));
  return names.some((each, k) => each !== unitName({}, k)) ? names : void 0;
}
var theme_default = { font: 'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif', light: { page: "#f3f5f7", surface: "#ffffff", ink: "#17202a", muted: "#566270", line: "#dbe0e6", faint: "#edf0f3", lanes: ["#00755a", "#7b4bb3"], plus: "#c94f00", minus: "#0067b0", now: "#d98a00", focus: "#0067b0", good: "#00755a", bad: "#b3261e", ground: "#fbfcfd", stroke: "#17202a", shadow: "0 1px 2px rgb(23 32 42 / .06)", lift: "0 -2px 16px rgb(23 32 42 / .10)" }, dark: { page: "#0f1419", surface: "#182028", ink: "#e8edf2", muted: "#a0acb8", line: "#2c3742", faint: "#222c36", lanes: ["#3ecf9f", "#c29bf0"], plus: "#ff9147", minus: "#5cb4f5", now: "#ffc53d", focus: "#8ecbff", good: "#3ecf9f", bad: "#ff8a80", ground: "#0b0f13", stroke: "#e8edf2", shadow: "none", lift: "0 -2px 18px rgb(0 0 0 / .5)" }, header: { ground: "#17202a", ink: "#e8edf2", link: "#c3ccd6", current: "#ffffff", mark: "#ffc53d", focus: "#8ecbff", line: "#566270", lost: "#7a2417", back: "#0b5c47" }, sizes: { letters: "clamp(13px, calc(9.6px + .38cqi), 30px)", side_bar: 288 } };
var FONT = theme_default.font;
var PALETTES = { light: theme_default.light, dark: theme_default.dark };
var properties = (values) => values.map(([name, value]) => `--lv-${name}: ${value};`).join(" ");
var colours = ({ lanes, ...plain }) => [...Object.entries(plain), ["lane0", lanes[0]], ["lane1", lanes[1]]];
var themed = (selector, dark = `${selector}[data-scheme="dark"]`) => `${selector} { ${properties([...colours(theme_default.light), ["font", theme_default.font], ["letters", theme_default.sizes.letters]])} }
${dark} { ${properties(colours(theme_default.dark))} }
`;
var rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
var pack32 = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
var mix = (from, to, t) => from.map((value, c) => Math.round(value + (to[c] - value) * t));
function pixelTables(palette) {
  const ground = rgb(palette.ground), stroke = rgb(palette.stroke), plus = rgb(palette.plus), minus = rgb(palette.minus);
  const ink = Uint32Array.from({ length: 256 }, (_, i) => pack32(mix(ground, stroke, i / 255)));
  const error = [0, 1].map((x) => {
    const base = mix(ground, stroke, x ? 0.13 : 0);
    return Uint32Array.from({ length: 511 }, (_, i) => {
      const value = (i - 255) / 255, size = Math.abs(value);
      const strength = size > 0.5 ? 0.7 + 0.6 * (size - 0.5) : 0.6 * size;
      return pack32(mix(base, value > 0 ? plus : minus, strength));
    });
  });
  const signed2 = Uint32Array.from({ length: 511 }, (_, i) => {
    const value = (i - 255) / 255;
    return pack32(mix(ground, value > 0 ? plus : minus, Math.abs(value) ** 0.7));
  });
  const hatch = Uint32Array.from([palette.line, palette.muted], (colour) => pack32(rgb(colour)));
  return { ink, error, signed: signed2, hatch };
}
var made = /* @__PURE__ */ new Map();
function coloursOf(dark) {
  const palette = PALETTES[dark ? "dark" : "light"], colours2 = made.get(palette) ?? { palette, tables: pixelTables(palette) };
  made.set(palette, colours2);
  return colours2;
}
var HATCH = 6;
var PixelView = class _PixelView {
  fine = 0;
  image;
  pixels;
  constructor(canvas, rows, columns) {
    this.canvas = canvas;
    this.columns = columns;
    this.rows = rows;
    this.context = penOf(canvas);
    this.dotted(1);
  }
  static of(view, canvas, rows, columns) {
    return view?.rows === rows && view.columns === columns ? view : new _PixelView(canvas, rows, columns);
  }
  dotted(fine) {
    const { canvas, columns, rows } = this, [width, height] = [fine * columns, fine * rows];
    this.fine = fine;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }
  paint(colour, hatch = null) {
    const fine = hatch ? HATCH : 1;
    if (this.fine !== fine) this.dotted(fine);
    const { pixels } = this;
    if (hatch) this.hatched(colour, hatch);
    else for (let i = 0; i < pixels.length; i++) pixels[i] = colour(i);
    this.context.putImageData(this.image, 0, 0);
  }
  hatched(colour, { unknown, filled, colours: [ground, line2] }) {
    const { pixels, rows, columns } = this, width = HATCH * columns, lines = filled ? 1 : 2;
    for (let i = 0; i < rows * columns; i++) {
      const is = unknown(i), under = is && !filled ? ground : colour(i), over = filled ? halfOf(under, line2) : line2, corner = HATCH * (Math.floor(i / columns) * width + i % columns);
      for (let down = 0; down < HATCH; down++) for (let across = 0; across < HATCH; across++) pixels[corner + down * width + across] = is && (down + across) % HATCH < lines ? over : under;
    }
  }
};
var halfOf = (one, other) => (((one & 16711422) >>> 1) + ((other & 16711422) >>> 1) | 4278190080) >>> 0;
var hatchOf = ({ whole, x }, { hatch }, filled) => whole ? null : { unknown: (i) => Number.isNaN(x[i]), filled, colours: hatch };
var StillView = class _StillView {
  static views = /* @__PURE__ */ new Map();
  constructor(image, rows, columns) {
    const { views } = _StillView, shape = `${rows} x ${columns}`;
    let view = views.get(shape);
    if (!view) {
      const canvas = element("canvas");
      penOf(canvas, { willReadFrequently: true });
      views.set(shape, view = new PixelView(canvas, rows, columns));
    }
    image.width = columns;
    image.height = rows;
    this.view = view;
    this.shown = image;
  }
  paint(colour, hatch = null) {
    this.view.paint(colour, hatch);
    this.shown.src = this.view.canvas.toDataURL();
  }
};
var PixelMap = class {
  constructor(rows, columns, label2) {
    this.canvas = element("canvas", { class: "lv-pixels", role: "img", "aria-label": label2 });
    this.view = new PixelView(this.canvas, rows, columns);
  }
  paint(valueAt, scale, table) {
    paintSigned(this.view, valueAt, scale, table);
  }
};
var BARS_COLUMNS = 60;
var MAX_BARS_ROWS = 61;
function filterShape(model) {
  const { rows, columns, n_v } = model;
  if (!variablesOf(model)) return { rows, columns };
  const across = n_v * Math.max(1, Math.round(BARS_COLUMNS / n_v));
  return { rows: Math.min(MAX_BARS_ROWS, 2 * Math.round(across / 4) + 1), columns: across };
}
function filterColours(model, j, table) {
  const { filters, n_v } = model, at = j * n_v, top = largest(filters, at, at + n_v);
  if (!variablesOf(model)) return (p) => signedColour(table, filters[at + p] / top);
  const { rows, columns } = filterShape(model), wide = columns / n_v, middle = (rows - 1) / 2;
  return (p) => {
    const up = middle - Math.floor(p / columns), column = p % columns, share = filters[at + Math.floor(column / wide)] / top, gap = wide > 2 && column % wide >= wide - Math.ceil(wide / 6);
    const within = !gap && up * share >= 0 && Math.abs(up) <= Math.round(Math.abs(share) * middle);
    return signedColour(table, within && Math.abs(share) > 0.01 ? Math.sign(share) : 0);
  };
}
function filterPicture({ model }, j, tables) {
  const { rows, columns } = filterShape(model), picture = element("img", { class: "lv-pixels", alt: `filter of ${unitName(model, j)}` });
  new StillView(picture, rows, columns).paint(filterColours(model, j, tables.signed));
  return picture;
}
function paintSigned(view, valueAt, scale, table) {
  view.paint((i) => signedColour(table, valueAt(i) / scale));
}
function largest(values, begin2 = 0, end = values.length) {
  let top = 1e-9;
  for (let i = begin2; i < end; i++) top = Math.max(top, Math.abs(values[i]));
  return top;
}
function paintInput(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.x[i], i))], hatchOf(lane, tables, false));
}
function paintStates(view, states, { ink, hatch }) {
  const some = Array.prototype.includes.call(states, UNKNOWN);
  view.paint((i) => ink[states[i] === 1 ? 255 : 0], some ? { unknown: (i) => states[i] === UNKNOWN, filled: false, colours: hatch } : null);
}
function paintReconstruction(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.mean(i), i))], hatchOf(lane, tables, true));
}
function paintError(view, lane, tables) {
  const hatch = hatchOf(lane, tables, false);
  if (lane.shades) {
    return view.paint((i) => signedColour(tables.signed, (lane.shade(lane.mean(i), i) - lane.shade(lane.x[i], i)) / 0.5), hatch);
  }
  view.paint((i) => signedColour(tables.error[lane.x[i] > 0.5 ? 1 : 0], lane.mean(i) - lane.x[i]), hatch);
}
var askedSizes = /* @__PURE__ */ new Map();
function withSizes(canvases, paint, known = /* @__PURE__ */ new Map()) {
  for (const canvas of canvases) askedSizes.set(canvas, known.get(canvas) || [canvas.clientWidth, canvas.clientHeight]);
  try {
    paint();
  } finally {
    askedSizes.clear();
  }
}
function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = askedSizes.get(canvas) || [canvas.clientWidth, canvas.clientHeight];
  const width = Math.max(1, Math.round(across * ratio));
  const height = Math.max(1, Math.round(down * ratio));
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}
function repaint(canvas, draw2) {
  const context = penOf(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  draw2(context);
}
var ruler;
function textWidth(text, font) {
  ruler ||= penOf(element("canvas"));
  ruler.font = font;
  return ruler.measureText(text).width;
}
function styleScale(context, palette, font, ratio) {
  context.font = `${font}px ${FONT}`;
  context.lineWidth = ratio;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.textAlign = "right";
  context.textBaseline = "middle";
}
function segment(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
function dot(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = colour;
  context.fill();
}
function cross(context, x, y, arm, side, colour) {
  context.beginPath();
  for (const way of [-1, 1]) {
    context.moveTo(x - arm, y - way * arm);
    context.lineTo(x + arm, y + way * arm);
  }
  context.lineWidth = Math.max(1.5, side * 0.14);
  context.strokeStyle = colour;
  context.stroke();
}
function gridShape(n, width, height) {
  let best = { columns: n, rows: 1, size: 0 }, score = 0;
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const size = Math.min(width / columns, height / rows);
    const value = n % columns ? size : 1.15 * size;
    if (value > score) [best, score] = [{ columns, rows, size }, value];
  }
  return best;
}
function drawMeans(context, lane, palette, box2) {
  for (let place = 0; place < lane.n_h; place++) {
    box2(place, 0);
    context.fillStyle = palette.faint;
    context.fill();
    context.globalAlpha = lane.h[lane.order[place]];
    context.fillStyle = palette.ink;
    context.fill();
    context.globalAlpha = 1;
  }
}
function nameUnits(context, names, palette, size, columns, n_h, unitAt, isOn) {
  if (!names) return;
  const longest = Math.max(...names.map((name) => name.length)), least = 8 * (window.devicePixelRatio || 1), wide = 0.56 * longest;
  const font = Math.max(least, Math.min(0.14 * size, 0.8 * size / wide));
  if (font * wide > size) return;
  context.font = `${font}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (let place = 0; place < n_h; place++) {
    const j = unitAt(place);
    context.fillStyle = isOn(j) ? palette.surface : palette.ink;
    context.fillText(names[j], (place % columns + 0.5) * size, (Math.floor(place / columns) + 0.8) * size);
  }
}
function namedTicks(context, { model: { names }, n_h }, wide, gap) {
  if (!names) return null;
  const widest = Math.max(...names.map((name) => context.measureText(name).width)) + gap;
  return [1, 2, 5, 10, 20, 50].find((n) => n * wide >= widest) ?? n_h;
}
function drawLatents(context, { width, height }, lane, palette, accent, selected, current) {
  const { columns, size } = gridShape(lane.n_h, width, height);
  const gap = Math.max(1, size * 0.14), side = Math.max(0, size - gap), radius = side * 0.18;
  const addBox = (place, grow) => {
    const x = place % columns * size + gap / 2, y = Math.floor(place / columns) * size + gap / 2;
    const corner = lane.order[place] < lane.model.layers[0].n_h ? radius : side / 2;
    context.roundRect(x - grow, y - grow, side + 2 * grow, side + 2 * grow, Math.max(0, corner + grow / 2));
  };
  const box2 = (place, grow) => {
    context.beginPath();
    addBox(place, grow);
  };
  for (const state of [0, 1]) {
    context.beginPath();
    for (let place = 0; place < lane.n_h; place++) if (lane.h[lane.order[place]] === state) addBox(place, 0);
    context.fillStyle = state ? accent : palette.faint;
    context.fill();
  }
  if (lane.meta.means) drawMeans(context, lane, palette, box2);
  for (let place = 0; place < lane.n_h; place++) {
    const j = lane.order[place], midX = (place % columns + 0.5) * size, midY = (Math.floor(place / columns) + 0.5) * size;
    const on = lane.h[j] === 1;
    const probability = on || lane.meta.means ? 0 : lane.conditional(j) ?? 0;
    if (probability > 0.02) {
      box2(place, 0);
      context.globalAlpha = 0.55 * probability;
      context.fillStyle = accent;
      context.fill();
      context.globalAlpha = 1;
    }
    if (lane.flippedThisSweep(j)) dot(context, midX, midY, side * 0.19, on ? palette.surface : accent);
    if (lane.held.has(j)) cross(context, midX, midY, side * 0.3, side, on ? palette.surface : palette.ink);
  }
  nameUnits(context, lane.model.names, palette, size, columns, lane.n_h, (place) => lane.order[place], (j) => lane.h[j] > 0.5);
  const widest = height * 0.04;
  if (selected >= 0 && selected < lane.n_h) {
    context.lineWidth = Math.max(1.5, Math.min(size * 0.09, widest));
    box2(lane.order.indexOf(selected), (gap - context.lineWidth) / 2);
    context.strokeStyle = palette.ink;
    context.setLineDash([2.4, 1.6].map((times) => times * context.lineWidth));
    context.stroke();
    context.setLineDash([]);
  }
  if (current >= 0) {
    context.lineWidth = Math.max(2, Math.min(gap * 1.1, 1.5 * widest));
    box2(lane.order.indexOf(current), 0);
    context.strokeStyle = palette.now;
    context.stroke();
  }
}
function placeAt(canvas, n, { offsetX: x, offsetY: y }) {
  const ratio = canvas.width / canvas.clientWidth, { columns, size } = gridShape(n, canvas.width, canvas.height);
  const column = Math.floor(x * ratio / size), row = Math.floor(y * ratio / size), place = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && place < n ? place : -1;
}
var latentAt = (canvas, lane, event) => lane.order[placeAt(canvas, lane.n_h, event)] ?? -1;
function typeset(text, small = false) {
  const parts = [];
  for (const [whole, mark, braced, single, word2] of text.matchAll(/([_^])(?:\{([^}]*)\}|(\S))|([A-Za-z]+)|[^A-Za-z_^]+/g)) {
    if (mark) parts.push(element(mark === "_" ? "sub" : "sup", {}, ...typeset(braced ?? single, true)));
    else if (word2 && (small || word2.length === 1)) parts.push(element("i", {}, word2));
    else parts.push(whole);
  }
  return parts;
}
var Equations = class {
  rows = /* @__PURE__ */ new Map();
  node = shutByItself(element("dialog", { class: "lv-help lv-equations", "aria-label": "Equations" }));
  fill() {
    for (const { key, number: number2, what, formula } of EQUATIONS) this.rows.set(key, element("div", { tabindex: -1 }, element("h3", {}, element("b", {}, equationName(number2)), ` ${what}`), ...formula.split("\n").map((line2) => element("p", { class: "lv-formula" }, ...typeset(line2)))));
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
var DRAWING_KEYS = "arrow keys move a cursor, space or Enter draws there, E erases there, U makes the pixel unknown, shift and arrow keys draw on the way";
var WORDS = ["empty", "ink", "not known"];
var DrawingCursor = class {
  row = -1;
  column = -1;
  rows = 1;
  columns = 1;
  corner = null;
  node = element("div", { class: "lv-drawing-cursor", hidden: true });
  said = element("p", { class: "lv-sr", role: "status" });
  constructor(card2) {
    const { canvas } = this.card = card2;
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => {
      this.node.hidden = true;
      this.corner = null;
    });
    canvas.addEventListener("pointerdown", () => {
      this.node.hidden = true;
    });
    canvas.addEventListener("focus", () => {
      if (canvas.matches(":focus-visible")) this.show();
    });
  }
  fit(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    if (this.row < 0) [this.row, this.column] = [rows >> 1, columns >> 1];
    this.row = Math.min(this.row, rows - 1);
    this.column = Math.min(this.column, columns - 1);
    if (!this.node.hidden) this.show();
  }
  place([x, y]) {
    this.row = Math.max(0, Math.min(this.rows - 1, Math.floor(y)));
    this.column = Math.max(0, Math.min(this.columns - 1, Math.floor(x)));
  }
  show() {
    const { node: { style }, rows, columns } = this;
    this.node.hidden = false;
    style.left = `${100 * this.column / columns}%`;
    style.top = `${100 * this.row / rows}%`;
    style.width = `${100 / columns}%`;
    style.height = `${100 / rows}%`;
  }
  key(event) {
    const { card: card2 } = this;
    if (!card2.drawable || !card2.states || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = byKey(event, { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] });
    if (move) this.move(move, event.shiftKey);
    else if (event.key === " " || event.key === "Enter") this.use();
    else if (event.key.toLowerCase() === "e") this.draw("erase", this.centre);
    else if (event.key.toLowerCase() === "u" && card2.takesUnknown) this.draw("unknown", this.centre);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  get centre() {
    return [this.column + 0.5, this.row + 0.5];
  }
  get pen() {
    const { tool } = this.card;
    return tool === "erase" || tool === "unknown" ? tool : "draw";
  }
  move([down, right], drawing) {
    const from = this.centre;
    this.row = Math.max(0, Math.min(this.rows - 1, this.row + down));
    this.column = Math.max(0, Math.min(this.columns - 1, this.column + right));
    this.show();
    if (drawing) this.draw(this.pen, from);
    else this.say(WORDS[this.card.states?.[this.row * this.columns + this.column] ?? 0]);
  }
  use() {
    const { tool } = this.card;
    if (tool !== "occlude" && tool !== "hide") return this.draw(this.pen, this.centre);
    const { corner, row, column } = this;
    this.corner = corner ? null : [row, column];
    const verb = tool === "hide" ? "hide" : "cover";
    if (!corner) return this.say(`one corner; press again at the other to ${verb} what is between`);
    if (!this.begin()) return;
    this.card.stroke([Math.min(corner[1], column), Math.min(corner[0], row)], [Math.max(corner[1], column) + 1, Math.max(corner[0], row) + 1]);
    this.say(tool === "hide" ? "hidden: not known" : "covered");
  }
  draw(tool, from) {
    if (!this.begin()) return;
    if (!this.card.tool) this.card.hold("draw");
    this.card.stroke(from, this.centre, tool);
    this.say({ draw: "drawn", erase: "erased", unknown: "not known" }[tool]);
  }
  begin() {
    const { card: card2 } = this;
    if (!card2.states || !card2.heard()) return false;
    card2.before = card2.states.slice();
    this.show();
    return true;
  }
  say(what) {
    const { model } = this.card.lane;
    this.said.textContent = `${visibleName(model, this.row * this.columns + this.column)}: ${what}`;
  }
};
var KINDS = { "bernoulli": 0, "gaussian": 1, "noisy-or": 2 };
function scalarSigmoid(a) {
  const t = Math.exp(-Math.abs(a));
  return (a >= 0 ? 1 : t) / (1 + t);
}
function scalarSoftplus(a) {
  return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
}
function meanOf(kind, a) {
  if (kind === 0) return scalarSigmoid(a);
  return kind === 1 ? a : 1 - Math.exp(-a);
}
function logOn(a) {
  return Math.log(-Math.expm1(-a));
}
function raisedBy(kind, a, w) {
  if (kind === 0) return scalarSoftplus(a + w) - scalarSoftplus(a);
  return kind === 1 ? w * a + 0.5 * (w * w) : w;
}
function byOthers(kind, x, a, w) {
  if (kind === 0) return scalarSoftplus(a) - scalarSoftplus(a + w);
  if (kind === 1) return -w * a;
  return x > 0.5 ? w + logOn(a + w) - logOn(a) : 0;
}
function evidenceOf(kind, x, b, w) {
  if (kind === 0) return w * x;
  return kind === 1 ? w * (x - b) : byOthers(kind, x, b, w);
}
function aloneOf(kind, b, w) {
  if (kind === 0) return byOthers(kind, 0, b, w);
  return kind === 1 ? -0.5 * (w * w) : -w;
}
function shareOn(kind, x, a) {
  if (kind === 0) return scalarSigmoid(a);
  return x > 0.5 ? -1 / Math.expm1(a) : 0;
}
function shareOff(kind, x, a) {
  if (kind === 0) return scalarSigmoid(-a);
  return x > 0.5 ? -1 / Math.expm1(-a) : 1;
}
function probabilityOf(log_joint, log_evidence) {
  return Math.min(1, Math.exp(log_joint - log_evidence));
}
function movedMean(before, share, state) {
  return before + share * (state - before);
}
function joinedSquares(before, share) {
  return before * ((1 - share) * (1 - share)) + share * share;
}
var facts = constants_default.visible_units;
var PRODUCTS = { bernoulli: { rate: 1, sign: -1 }, "noisy-or": { rate: -1, sign: 1 } };
function unitsOf(name) {
  const kind = KINDS[name], product = name === "gaussian" ? void 0 : PRODUCTS[name];
  return { ...facts[name], mean: (a) => meanOf(kind, a), raise: (a, w) => raisedBy(kind, a, w), evidence: (x, b, w) => evidenceOf(kind, x, b, w), alone: (b, w) => aloneOf(kind, b, w), byOthers: (x, a, w) => byOthers(kind, x, a, w), product: product && { ...product, share: (x, a) => [shareOff(kind, x, a), shareOn(kind, x, a)] } };
}
var UNITS = { bernoulli: unitsOf("bernoulli"), gaussian: unitsOf("gaussian"), "noisy-or": unitsOf("noisy-or") };
var COMPETE = 0.5;
var LayerInteractions = class {
  constructor({ n_h, n_v, W, visible, precision }, h, { x, a }, summed) {
    this.n_v = n_v;
    this.W = W;
    this.product = UNITS[visible].product;
    this.way = summed ? -1 : 1;
    this.part = Float64Array.from({ length: n_v }, (_, i) => Number.isNaN(x[i]) === summed ? precision?.[i] ?? 1 : 0);
    this.u = new Float64Array(n_v);
    this.s = new Float64Array(n_v);
    this.sign = Float64Array.from(h, (on) => on ? -1 : 1);
    this.factor = new Float64Array(this.product ? n_h * n_v : 0);
    this.single = new Float64Array(n_h);
    this.block = 1;
    if (!this.product) return;
    const { share, rate } = this.product;
    for (let i = 0; i < n_v; i++) [this.u[i], this.s[i]] = this.part[i] ? share(x[i], a[i]) : [1, 0];
    let top = 1e-3;
    for (let j = 0, at = 0; j < n_h; j++) {
      const sign = rate * this.sign[j];
      for (let i = 0; i < n_v; i++, at++) {
        const w = sign * W[at];
        this.factor[at] = Math.exp(w);
        top = Math.max(top, Math.abs(w));
      }
    }
    this.block = Math.max(1, Math.min(64, Math.floor(600 / (2 * top))));
    for (let j = 0; j < n_h; j++) this.single[j] = this.logProduct(j, -1);
  }
  logProduct(j, k) {
    const { n_v, s, u, factor, block } = this, J = j * n_v, K = k * n_v;
    let total = 0;
    for (let begin2 = 0; begin2 < n_v; begin2 += block) {
      const end = Math.min(n_v, begin2 + block);
      let product = 1;
      if (k < 0) for (let i = begin2; i < end; i++) product *= u[i] + s[i] * factor[J + i];
      else for (let i = begin2; i < end; i++) product *= u[i] + s[i] * factor[J + i] * factor[K + i];
      total += Math.log(product);
    }
    return total;
  }
  pair(j, k) {
    if (!this.product) {
      let dot2 = 0;
      for (let i = 0; i < this.n_v; i++) dot2 += this.part[i] * this.W[j * this.n_v + i] * this.W[k * this.n_v + i];
      return -this.way * dot2;
    }
    const both = this.logProduct(j, k) - this.single[j] - this.single[k];
    return this.way * this.product.sign * this.sign[j] * this.sign[k] * both;
  }
};
var Interactions = class {
  all;
  constructor(lane) {
    const { n_h, model, h } = lane, apart3 = lane.summed;
    this.n_h = n_h;
    this.zero = lane.independent;
    this.layers = model.layers;
    this.within = apart3 && lane.whole ? [] : this.layers.slice(0, apart3 ? 1 : void 0).map((layer) => new LayerInteractions(layer, h.subarray(layer.first, layer.first + layer.n_h), lane.under(layer), apart3));
  }
  pair(j, k) {
    if (this.zero || j === k) return 0;
    if (this.layers.length === 1) return this.within[0]?.pair(j, k) ?? 0;
    const [low, high] = [layerAt(this.layers, Math.min(j, k)), layerAt(this.layers, Math.max(j, k))];
    if (low === high) return this.within[low.layer]?.pair(j - low.first, k - low.first) ?? 0;
    return high.layer === low.layer + 1 ? high.W[(Math.max(j, k) - high.first) * high.n_v + Math.min(j, k) - low.first] : 0;
  }
  row(j) {
    return Float64Array.from({ length: this.n_h }, (_, k) => this.pair(j, k));
  }
  *matrix() {
    if (this.all) return this.all;
    const { n_h } = this, out = new Float32Array(n_h * n_h);
    for (let j = 0; j < n_h && !this.zero; j++) {
      for (let k = 0; k < j; k++) out[j * n_h + k] = out[k * n_h + j] = this.pair(j, k);
      yield;
    }
    return this.all = out;
  }
};
function chainOrder(matrix, n, units = Array.from({ length: n }, (_, j) => j)) {
  const left = new Set(units), order = [];
  let at = -1, top = -1;
  for (const j of units) {
    const strength = units.reduce((sum, k) => sum + Math.abs(matrix[j * n + k]), 0);
    if (strength > top) [at, top] = [j, strength];
  }
  while (at >= 0) {
    order.push(at);
    left.delete(at);
    let best = -1, most = -1;
    for (const k of left) if (Math.abs(matrix[at * n + k]) > most) {
      most = Math.abs(matrix[at * n + k]);
      best = k;
    }
    at = best;
  }
  return order;
}
var ALONE = /* @__PURE__ */ new WeakMap();
function aloneOf2(layer, j, shared) {
  let known = ALONE.get(layer);
  if (!known) ALONE.set(layer, known = /* @__PURE__ */ new Map());
  let values = known.get(j);
  if (!values) {
    const { W, b, n_v, visible } = layer, at = j * n_v;
    values = Float64Array.from(b, (offset, i) => UNITS[visible].alone(offset, W[at + i]));
    known.set(j, values);
  }
  return shared ? values : values.slice();
}
function logOddsTerms(state, j) {
  const { model, h } = state, layer = state.layerOf(j), { W, b, n_v, first, precision } = layer, at = (j - first) * n_v;
  const { x, a } = state.under(layer), above = model.layers[layer.layer + 1], units = UNITS[layer.visible];
  const apart3 = state.summed, alone = apart3 ? new Float64Array(n_v) : aloneOf2(layer, j - first, state.whole || layer.layer > 0);
  const evidence2 = new Float64Array(n_v), others = new Float64Array(n_v);
  let evidenceSum = 0, aloneSum = 0, othersSum = 0;
  for (let i = 0; i < n_v; i++) {
    const w = W[at + i], rest = a[i] - h[j] * w, scale = precision ? precision[i] : 1;
    if (!Number.isNaN(x[i])) {
      evidence2[i] = (apart3 ? w * x[i] : units.evidence(x[i], b[i], w)) * scale;
      if (!apart3) others[i] = units.byOthers(x[i], rest, w) - units.byOthers(x[i], b[i], w);
    } else if (apart3) {
      alone[i] = units.raise(b[i], w) * scale;
      others[i] = units.raise(rest, w) * scale - alone[i];
    } else alone[i] = 0;
    evidenceSum += evidence2[i];
    aloneSum += alone[i];
    othersSum += others[i];
  }
  const prior = above ? state.under(above).a[j - first] : layer.d[j - first];
  return { unit: j, layer: layer.layer, prior, evidence: evidence2, alone, others, evidenceSum, aloneSum, othersSum, logOdds: prior + evidenceSum + aloneSum + othersSum };
}
var waiting = [];
var channel;
function soon(callback) {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  waiting.push(callback);
  channel.port2.postMessage(0);
}
function atOnce(pieces) {
  let step = pieces.next();
  while (!step.done) step = pieces.next();
  return step.value;
}
var UNIT_ORDERS = choices_default.unit_orders;
var byNumber = (n) => Array.from({ length: n }, (_, j) => j);
function unitValues(lane, name, usage) {
  if (name === "usage") return usage?.length === lane.n_h ? usage : null;
  if (name !== "weight" && name !== "contribution") return null;
  const values = Float64Array.from(byNumber(lane.n_h), (j) => name === "weight" || lane.h[j] ? lane.exactly(logOddsTerms(lane, j), lane.k).logOdds : -Infinity);
  return values;
}
function orderUnits(lane, name, usage) {
  const order = byNumber(lane.n_h), values = lane.values = unitValues(lane, name, usage);
  if (values) order.sort((j, k) => values[k] - values[j] || j - k);
  if (name !== "cluster" || lane.independent) return apart(lane, order);
  lane.interactions ||= new Interactions(lane);
  return apart(lane, chainOrder(atOnce(lane.interactions.matrix()), lane.n_h));
}
function apart({ model: { layers } }, order) {
  return layers.length === 1 ? order : layers.flatMap(({ first, n_h }) => order.filter((j) => j >= first && j < first + n_h));
}
function valueInWords(lane, name, j) {
  if (!lane.values) return "";
  if (name === "usage") return `, on in ${Math.round(100 * lane.values[j])} % of the test images`;
  if (name === "contribution" && lane.h[j]) return `, adds ${signed(lane.values[j])} nats`;
  return "";
}
var KEYS = [["space", "play or pause"], ["→  ←", "next visit, previous visit"], ["shift + →  ←", "next flip, previous flip, of the lane asked about"], ["o  shift + o", "next, previous unit that turns off"], ["page down / up", "next sweep, previous sweep"], ["home / end", "start, end"], ["n  p  r", "next, previous, random image"], ["arrows in a grid", "select a unit"], ["in the input image", `to draw: ${DRAWING_KEYS}`], ["arrows, enter", "in the chart of other starts: choose an optimum, go to it"], ["c  shift + c", "next, previous caption"], ["escape", "follow the visits again; dismiss the captions"], ["f", "presenter mode: one or two cards, enlarged; Escape leaves it"], ["s", "save a picture of this view"], ["?", "this list"]];
var Help = class {
  keys = element("dl");
  title = element("h2", { tabindex: -1 }, "Keyboard");
  constructor(player) {
    this.player = player;
    this.back = element("p", { class: "lv-caption" }, "Parts of this page are hidden. ", this.leadsTo("show all panels and controls", () => player.showAll()));
    const { callbacks: { lane }, equations, words } = player;
    this.words = this.leadsTo("glossary", () => words.show());
    this.list = this.leadsTo("equations", () => equations.show());
    this.again = element("button", { type: "button", class: "lv-btn lv-small", hidden: !lane, onclick: tellAgain }, "the first look, with captions");
    const orders = Object.values(UNIT_ORDERS).flatMap(([name, meaning]) => [element("dt", {}, name), element("dd", {}, meaning)]);
    this.node = shutByItself(element("dialog", { class: "lv-help", "aria-label": "Keyboard" }, this.title, this.keys, this.back, element("details", {}, element("summary", {}, "Orders of the units"), element("dl", {}, ...orders)), element("p", { class: "lv-row" }, this.words, this.list, this.again), closeButton()));
  }
  leadsTo(label2, show) {
    const onclick = () => {
      this.node.close();
      show();
    };
    return element("button", { type: "button", class: "lv-btn lv-small", onclick }, label2);
  }
  show() {
    const { callbacks, hidden } = this.player, gone = { "n  p  r": !callbacks.image || hidden.has("images"), "in the input image": !this.player.input.drawable, "c  shift + c": !this.player.story.shown, s: hidden.has("export"), f: hidden.has("view") };
    this.keys.replaceChildren(...KEYS.filter(([key]) => !gone[key]).flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)]));
    this.back.hidden = !hidden.size;
    this.node.showModal();
    this.title.focus();
    this.node.scrollTop = 0;
  }
};
async function bitsOfFile(file, rows, columns) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(columns / picture.width, rows / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale)), height = Math.max(1, Math.round(picture.height * scale));
  const context = penOf(element("canvas", { width, height }), { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  const { data } = context.getImageData(0, 0, width, height);
  const tone = Float64Array.from({ length: width * height }, (_, i) => 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]);
  const low = Math.min(...tone), high = Math.max(...tone), middle = (low + high) / 2;
  if (high - low < 16) return null;
  const border = Array.from(tone).filter((_, i) => i < width || i >= tone.length - width || i % width === 0 || i % width === width - 1);
  const onLight = 2 * border.filter((value) => value > middle).length > border.length;
  const bits = new Uint8Array(rows * columns), top = rows - height >> 1, left = columns - width >> 1;
  tone.forEach((value, i) => {
    bits[(top + Math.floor(i / width)) * columns + left + i % width] = value > middle !== onLight ? 1 : 0;
  });
  return bits;
}
var MANY = 12;
var observationOf = (x, i) => Number.isNaN(x[i]) || x[i] === UNKNOWN ? "unknown" : x[i] > 0.5 ? "on" : "off";
var stateWord = (x, i) => {
  const found = observationOf(x, i);
  return found === "unknown" ? "not known" : found;
};
var observedWords = (x, i) => {
  const word2 = stateWord(x, i);
  return observationOf(x, i) === "unknown" ? word2 : `observed ${word2}`;
};
var PRESSED = { on: "true", off: "false", unknown: "mixed" };
var Rows = class {
  list = element("ul", { class: "lv-variables" });
  names = [];
  take(names) {
    const same = names.length === this.names.length && names.every((name, i) => name === this.names[i]);
    this.names = names;
    this.list.toggleAttribute("data-many", names.length > MANY);
    return !same;
  }
};
var VariableBars = class extends Rows {
  rows = [];
  constructor(columns) {
    super();
    this.columns = columns;
    this.titles = columns.map(({ title, help }) => element("span", { title: help }, title));
    this.head = element("div", { class: "lv-variable lv-variables-head", hidden: columns.length < 2 }, element("span", {}), ...this.titles);
    this.node = element("div", { class: "lv-variables-box" }, this.head, this.list);
    this.node.style.setProperty("--lv-bars", String(columns.length));
  }
  load(names) {
    if (!this.take(names)) return;
    this.rows = names.map((text) => this.row(text));
    this.list.replaceChildren(...this.rows.map(({ item }) => item));
    if (names.length > MANY) this.list.tabIndex = 0;
    else this.list.removeAttribute("tabindex");
  }
  row(text) {
    const name = element("span", { class: "lv-variable-name", title: text }, text), bars = this.columns.map(() => element("i", { class: "lv-variable-bar" })), mark = this.columns[0].kind === "share" ? element("i", { class: "lv-variable-mark", hidden: true }) : null, value = element("b", { class: "lv-variable-value", "aria-hidden": "true", hidden: mark === null }), said = element("span", { class: "lv-sr" });
    const tracks = bars.map((bar, n) => element("span", { class: `lv-variable-track lv-${this.columns[n].kind}` }, bar, n ? null : mark));
    return { item: element("li", { class: "lv-variable" }, name, ...tracks, value, said), name, bars, mark, value, said };
  }
  bar(i, column, share) {
    const { style, dataset } = this.rows[i].bars[column], signed2 = this.columns[column].kind === "signed", size = Math.max(signed2 ? -1 : 0, Math.min(1, share || 0)), way = `scaleX(${size.toFixed(4)})`;
    if (style.transform !== way) style.transform = way;
    const sign = signed2 ? size < 0 ? "minus" : "plus" : "";
    if (signed2 && dataset.sign !== sign) dataset.sign = sign;
  }
  observed(i, x, wrong, text) {
    const { item, mark, value } = this.rows[i];
    const unknown = Number.isNaN(x);
    if (mark) {
      if (mark.hidden !== unknown) mark.hidden = unknown;
      const at = unknown ? "" : `${(100 * Math.max(0, Math.min(1, x))).toFixed(2)}%`;
      if (mark.style.left !== at) mark.style.left = at;
    }
    setAttribute(item, "data-state", unknown ? "unknown" : x > 0.5 ? "on" : "off");
    const missed = wrong && !unknown;
    if (item.hasAttribute("data-wrong") !== missed) item.toggleAttribute("data-wrong", missed);
    setText(value, text);
  }
  say(text) {
    this.rows.forEach(({ said }, i) => setText(said, `: ${text(i)}`));
  }
};
var VariableSwitches = class extends Rows {
  buttons = [];
  enabled = true;
  constructor(press) {
    super();
    this.press = press;
    this.list.setAttribute("aria-label", "Observations");
    this.list.addEventListener("keydown", (event) => this.key(event));
  }
  load(names, enabled) {
    this.enabled = enabled;
    if (this.take(names)) {
      this.buttons = names.map((text, i) => element("button", { type: "button", class: "lv-variable lv-variable-switch", title: text, tabindex: i ? -1 : 0, onclick: () => {
        this.stop(i);
        this.press(i);
      } }, element("i", { class: "lv-variable-box" }), element("span", { class: "lv-variable-name" }, text), element("span", { class: "lv-variable-state" })));
      this.list.replaceChildren(...this.buttons.map((button) => element("li", {}, button)));
    }
    for (const button of this.buttons) setAttribute(button, "aria-disabled", String(!enabled));
  }
  paint(x) {
    this.buttons.forEach((button, i) => {
      const state = observationOf(x, i);
      if (button.dataset.state === state) return;
      button.dataset.state = state;
      button.setAttribute("aria-pressed", PRESSED[state]);
      const word2 = stateWord(x, i);
      setAttribute(button, "aria-label", `${this.names[i]}: ${word2}`);
      setText(button.lastElementChild, state === "unknown" ? "?" : word2);
    });
  }
  stop(i) {
    this.buttons.forEach((button, n) => setAttribute(button, "tabindex", n === i ? "0" : "-1"));
  }
  key(event) {
    const at = this.buttons.indexOf(event.composedPath()[0]), last = this.buttons.length - 1;
    const to = byKey(event, { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: last });
    if (at < 0 || to === void 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = Math.max(0, Math.min(last, to));
    this.stop(next);
    this.buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }
};
var TOOLS = { draw: ["Draw", "M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19zM15 5.500l3.500 3.500"], erase: ["Erase", "M9 19h11v1.500H7.500L3 16l9.500-10.500L19 12l-6.500 7zM6 15.700l3.700 3.800"], unknown: ["Not known: paint what is not observed", "M12 3a5.500 5.500 0 0 0-5.500 5.500h3a2.500 2.500 0 1 1 3.900 2c-2 1.300-2.900 2.300-2.900 4.500h3c0-1.100.5-1.600 1.900-2.500A5.500 5.500 0 0 0 12 3zM10.500 17.500h3v3h-3z"], occlude: ["Cover a rectangle with paper: drag over the image", "M4 6h16v12H4z"], hide: ["Hide a rectangle, which is then not known: drag over the image", "M3 5h18v14H3zM5 7v4l4-4zM5 14v3h1L16 7h-4zM9 17h4l6-6V7.500zM16 17h3v-3z"] };
var UNKNOWN_TOOLS = /* @__PURE__ */ new Set(["unknown", "hide"]);
var MAKES = { draw: 1, erase: 0, occlude: 0, unknown: UNKNOWN, hide: UNKNOWN };
var RECTANGLES = /* @__PURE__ */ new Set(["occlude", "hide"]);
var ACTIONS = { noise: ["Flip one pixel in twenty", "M4 4h3v3H4zM11 6h3v3h-3zM17 3h3v3h-3zM6 11h3v3H6zM14 12h3v3h-3zM4 17h3v3H4zM10 18h3v3h-3zM18 17h3v3h-3z"], invert: ["Invert", "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 5v14a7 7 0 1 1 0-14z"], upload: ["Open an image file", "M5 19h14v2H5zM11 16h2V8l3 3 1.400-1.400L12 4.200 6.600 9.600 8 11l3-3z"], clear: ["Start from an empty image", "M5 5h14v14H5zM7 7v10h10V7z"], forget: ["Nothing known: no pixel is observed", "M4 4h16v16H4zM6 6v12h12V6zM12 7a3.300 3.300 0 0 0-3.300 3.300h1.800a1.500 1.500 0 1 1 2.300 1.200c-1.200.8-1.700 1.400-1.700 2.700h1.800c0-.7.3-1 1.100-1.500A3.300 3.300 0 0 0 12 7zM11.100 15.300h1.800v1.800h-1.800z"], reset: ["Back to the data set's image", "M5 4v5h5L8 7a6 6 0 1 1-1.800 6.500l-2 .6A8 8 0 1 0 6.600 5.600z"] };
var LIST_ACTIONS = { invert: "Turn every observation round", clear: "Nothing observed on", forget: "Nothing known", reset: "Back to the data set's row" };
var takesStrokes = (lane) => Boolean(lane && UNITS[lane.model.visible].binary);
var InputCard = class {
  stale = true;
  sending = false;
  waiting = false;
  frame = 0;
  canvas = element("canvas", { class: "lv-pixels", role: "img", "aria-label": "input image" });
  caption = element("p", { class: "lv-caption" });
  heading = element("span", {}, "Input ");
  switches = new VariableSwitches((i) => this.toggle(i));
  actions = [];
  file = element("input", { type: "file", accept: "image/*", hidden: true, onchange: () => this.open(this.file.files?.[0]) });
  complaint = element("p", { class: "lv-complaint", role: "alert" });
  toolButtons = [];
  words = "Input image";
  tool = null;
  states = null;
  rectangle = null;
  from = null;
  before;
  lane;
  view;
  timeout;
  constructor(player) {
    this.player = player;
    const { callbacks } = player;
    const choose = (name, label2, way, keys) => iconButton(name, label2, keys, () => callbacks.image?.(way));
    this.tools = callbacks.draw ? this.makeTools() : null;
    this.cursor = callbacks.draw ? new DrawingCursor(this) : null;
    this.back = element("button", { type: "button", class: "lv-btn lv-small", "data-part": "pages", hidden: true, onclick: () => callbacks.back?.() });
    this.node = element("section", { class: "lv-card lv-input", "aria-label": "Input image" }, element("div", { class: "lv-pixels-box" }, element("div", { class: "lv-label" }, element("span", {}, this.heading, element("i", {}, "x"))), element("div", { class: "lv-pixels-frame" }, this.canvas, this.cursor?.node, this.switches.list), this.cursor?.said), element("div", { class: "lv-input-side" }, callbacks.image ? element("div", { class: "lv-row", "data-part": "images" }, choose("previousImage", "Previous image", "previous", "P"), choose("shuffle", "Random image", "random", "R"), choose("nextImage", "Next image", "next", "N")) : null, ...this.tools ? [this.tools, this.file] : [], this.caption, this.back, ...this.tools ? [this.complaint] : []));
  }
  makeTools() {
    const button = (name, [label2, path], onclick) => {
      ICONS[name] ||= path;
      return iconButton(name, label2, "", onclick);
    };
    this.toolButtons = Object.entries(TOOLS).map(([name, entry]) => {
      const node = button(name, entry, () => this.take(name));
      node.setAttribute("aria-pressed", "false");
      return [name, node];
    });
    const { canvas } = this;
    this.actions = Object.entries(ACTIONS).map(([name, entry]) => button(name, entry, () => this.act(name)));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.drawable || !this.states || !this.heard()) return;
      if (!this.tool) this.hold("draw");
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      this.before = this.states.slice();
      const from = this.from = this.point(event);
      this.cursor?.place(from);
      this.stroke(from, from);
    });
    canvas.addEventListener("onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove", (event) => {
      let { from } = this;
      if (!from) return;
      let inked = false;
      for (const part2 of event.getCoalescedEvents?.() || [event]) {
        const to = this.point(part2);
        inked = this.ink(from, to) || inked;
        if (!RECTANGLES.has(this.tool ?? "")) this.from = from = to;
      }
      if (inked) this.changed();
    });
    const up = () => {
      this.from = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    return element("div", { class: "lv-row lv-tools", role: "group", "aria-label": "Change the image", "data-part": "draw" }, ...this.toolButtons.map(([, node]) => node), ...this.actions);
  }
  get variables() {
    return this.lane ? variablesOf(this.lane.model) : null;
  }
  toggle(i) {
    if (!this.states || !this.drawable || !this.heard()) return;
    const state = this.states[i], afterOff = this.takesUnknown ? UNKNOWN : 1;
    this.states[i] = state === UNKNOWN ? 1 : state ? 0 : afterOff;
    this.changed();
  }
  get takesUnknown() {
    const { menus } = this.player;
    return menus.length > 0 && menus.every(({ unknown }) => unknown);
  }
  take(name) {
    const { rectangle, states, tool } = this;
    this.hold(tool === name ? null : name);
    if (!RECTANGLES.has(name) || !rectangle || rectangle.tool === name || !states || !this.heard()) return;
    if (states.some((state, i) => state !== rectangle.after[i])) return;
    this.before = rectangle.before;
    this.stroke(...rectangle.corners, name);
  }
  lead(words) {
    setText(this.back, words);
    this.back.hidden = !words;
  }
  heard() {
    return this.player.callbacks.open?.("drawing") ?? true;
  }
  hold(tool) {
    this.tool = tool;
    for (const [name, node] of this.toolButtons) node.setAttribute("aria-pressed", String(name === tool));
    this.canvas.style.cursor = tool ? "crosshair" : "";
    this.canvas.style.touchAction = tool ? "none" : "";
  }
  get drawable() {
    return Boolean(this.tools) && takesStrokes(this.lane) && this.player.shows("draw");
  }
  follow() {
    const { canvas, drawable } = this;
    if (!this.tools) return;
    this.tools.hidden = !takesStrokes(this.lane);
    if (!drawable || this.variables) this.hold(null);
    for (const [name, node] of this.toolButtons) node.hidden = Boolean(this.variables) || UNKNOWN_TOOLS.has(name) && !this.takesUnknown;
    if (this.tool && UNKNOWN_TOOLS.has(this.tool) && !this.takesUnknown) this.hold(null);
    for (const node of this.actions) {
      const { do: name = "" } = node.dataset, words = this.variables && LIST_ACTIONS[name] || ACTIONS[name][0];
      node.hidden = Boolean(this.variables) && !(name in LIST_ACTIONS) || name === "forget" && !this.takesUnknown;
      setAttribute(node, "aria-label", words);
      setAttribute(node, "title", words);
    }
    setAttribute(canvas, "role", drawable ? "application" : "img");
    if (drawable) setAttribute(canvas, "tabindex", "0");
    else canvas.removeAttribute("tabindex");
    setAttribute(canvas, "aria-label", this.words + (drawable ? `. To draw: ${DRAWING_KEYS}` : ""));
  }
  point(event) {
    const box2 = this.canvas.getBoundingClientRect(), { rows, columns } = this.lane.model;
    return [(event.clientX - box2.left) / box2.width * columns, (event.clientY - box2.top) / box2.height * rows];
  }
  stroke(from, to, tool = this.tool) {
    if (this.ink(from, to, tool)) this.changed();
  }
  ink([x0, y0], [x1, y1], tool = this.tool) {
    if (!this.states || !tool) return false;
    const { states, lane: { model: { rows, columns } } } = this, before = states.slice(), made2 = MAKES[tool];
    if (RECTANGLES.has(tool)) {
      const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)], [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
      states.set(this.before);
      for (let r = Math.floor(top); r < bottom; r++) for (let c = Math.floor(left); c < right; c++) {
        if (r >= 0 && r < rows && c >= 0 && c < columns) states[r * columns + c] = made2;
      }
      this.rectangle = { tool, corners: [[x0, y0], [x1, y1]], before: this.before, after: states.slice() };
    } else {
      const radius = Math.max(0.75, columns / 22);
      const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) || 1;
      for (let n = 0; n <= steps; n++) {
        const x = x0 + (x1 - x0) * n / steps, y = y0 + (y1 - y0) * n / steps;
        for (let r = Math.floor(y - radius); r <= y + radius; r++) for (let c = Math.floor(x - radius); c <= x + radius; c++) {
          const inside = Math.hypot(c + 0.5 - x, r + 0.5 - y) <= radius;
          if (inside && r >= 0 && r < rows && c >= 0 && c < columns) states[r * columns + c] = made2;
        }
      }
    }
    return states.some((state, i) => state !== before[i]);
  }
  act(name) {
    if (!this.states) return;
    this.complaint.textContent = "";
    if (!this.heard()) return;
    if (name === "upload") return this.file.click();
    if (name === "reset") {
      this.sending = false;
      this.waiting = false;
      return this.player.callbacks.draw?.("");
    }
    const { states } = this;
    for (let i = 0; i < states.length; i++) {
      const turns = name === "invert" || name === "noise" && Math.random() < 0.05;
      if (turns && states[i] !== UNKNOWN) states[i] = 1 - states[i];
      if (name === "clear") states[i] = 0;
      if (name === "forget") states[i] = UNKNOWN;
    }
    if (name === "clear") this.hold("draw");
    this.changed();
  }
  async open(file) {
    if (!file) return;
    this.file.value = "";
    let bits = null, complaint = "";
    try {
      bits = await bitsOfFile(file, this.lane.model.rows, this.lane.model.columns);
      if (!bits) complaint = `${file.name} shows one even tone. Choose an image with ink on paper.`;
    } catch {
      complaint = `${file.name} is no image that the browser can read. Choose a PNG or JPEG file.`;
    }
    this.complaint.textContent = complaint;
    if (!bits || !this.states || !this.heard()) return;
    this.states = bits;
    this.changed();
  }
  changed() {
    if (this.frame) this.waiting = true;
    else this.show();
  }
  show() {
    if (this.states) this.paintStates(this.states);
    this.ask();
  }
  ask() {
    if (this.sending) {
      this.waiting = true;
      return;
    }
    const { states } = this, shown = statesOf(this.lane.x);
    if (!states || states.every((state, i) => state === shown[i])) return;
    this.sending = true;
    this.player.callbacks.draw?.(textOfStates(states));
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.answered(), 1e3);
  }
  answered() {
    clearTimeout(this.timeout);
    if (this.sending) this.frame ||= requestAnimationFrame(() => this.painted());
    this.sending = false;
  }
  painted() {
    this.frame = 0;
    if (!this.waiting) return;
    this.waiting = false;
    this.show();
  }
  load(lane) {
    const { rows, columns, visible } = lane.model;
    this.lane = lane;
    this.view = PixelView.of(this.view, this.canvas, rows, columns);
    this.answered();
    if (!this.waiting && !this.from) this.states = UNITS[visible].binary ? statesOf(lane.x) : null;
    this.cursor?.fit(rows, columns);
    this.stale = true;
  }
  describe(meta) {
    const { variables } = this, what = variables ? "Observations" : "Input";
    setRich(this.caption, [bold(meta.title || ""), meta.caption ? ` ${meta.caption}` : ""]);
    this.words = `${variables ? what : "Input image"}: ${[meta.title, meta.caption].filter(Boolean).join(" ")}`;
    setText(this.heading, `${what} `);
    setAttribute(this.node, "aria-label", variables ? what : "Input image");
    this.node.toggleAttribute("data-table", variables !== null);
    this.switches.list.hidden = !variables;
    this.switches.load(variables ?? [], this.drawable);
    if (!this.tools) setAttribute(this.canvas, "aria-label", this.words);
    this.follow();
  }
  paintStates(states) {
    if (this.variables) this.switches.paint(states);
    paintStates(this.view, states, this.player.colours.tables);
  }
  paint(tables) {
    if (this.stale) {
      this.paintOn(this.view, tables);
      if (this.variables) this.switches.paint(this.states ?? Float64Array.from(this.lane.x, this.lane.shade, this.lane));
    }
    this.stale = false;
  }
  get observedWords() {
    const { variables, lane, states } = this, x = states ?? lane?.x;
    if (!variables) return "";
    const those = (what) => variables.filter((_, i) => observationOf(x, i) === what), unknown = those("unknown");
    return `On: ${someOf(those("on"), 8)}${unknown.length ? `. Not known: ${someOf(unknown, 8)}` : ""}`;
  }
  paintOn(view, tables) {
    const { states } = this;
    if (states) paintStates(view, states, tables);
    else paintInput(view, this.lane, tables);
  }
};
var CurveView = class {
  k = 0;
  n_visits = 1;
  ratio = 1;
  font = 0;
  accent = "";
  frame = { left: 0, right: 0, top: 0, bottom: 0, rug: 0, low: false };
  limits = { low: 0, high: 1, ticks: [0], digits: 0 };
  faint = element("canvas");
  bright = element("canvas");
  layers = "none";
  ranged;
  lane;
  palette;
  constructor(canvas) {
    this.canvas = canvas;
    canvas.vector = (context) => this.draw(context);
  }
  range(lane) {
    if (this.ranged === lane) return this.limits;
    let low = Infinity, high = -Infinity;
    for (const value of lane.logJoint) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (lane.meta.optimum != null) {
      low = Math.min(low, lane.meta.optimum);
      high = Math.max(high, lane.meta.optimum);
    }
    if (high - low < 1e-6) {
      low -= 1;
      high += 1;
    }
    const room = (high - low) * 0.06;
    this.ranged = lane;
    this.limits = { low: low - room, high: high + room, ...niceTicks(low - room, high + room, 4) };
    return this.limits;
  }
  axisWidth(lane, fontSize) {
    const { ticks, digits } = this.range(lane);
    return Math.max(...ticks.map((tick) => number(tick, digits).length)) * fontSize * 0.82 * 0.58 + fontSize * 0.6;
  }
  prepare(lane, n_visits, palette, accent, fontSize, axis) {
    const { canvas } = this, { width, height } = canvas;
    const screen = window.devicePixelRatio || 1, font = fontSize * 0.82 * screen;
    const ratio = screen * Math.max(1, fontSize / 14);
    this.lane = lane;
    this.n_visits = Math.max(1, n_visits);
    this.palette = palette;
    this.accent = accent;
    this.ratio = ratio;
    this.font = font;
    this.range(lane);
    const low = height < 5 * font;
    const rug = font * (low ? 0.6 : 1.15);
    this.layers = "none";
    const left = axis * screen, named = lane.meta.optimum == null ? 0 : 1.3 * font + 3 * ratio;
    this.frame = { left, right: width - 4 * ratio, top: 3 * ratio + named, bottom: height - (low ? 0 : font * 1.7) - rug, rug, low };
  }
  makeLayers() {
    this.line(this.emptied(this.bright), 1);
    const faint = penOf(this.faint);
    faint.globalAlpha = 0.3;
    faint.drawImage(this.bright, 0, 0);
    faint.globalAlpha = 1;
  }
  emptied(layer) {
    const { width, height } = this.canvas, context = penOf(layer);
    if (layer.width !== width || layer.height !== height) Object.assign(layer, { width, height });
    else context.clearRect(0, 0, width, height);
    return context;
  }
  x(k) {
    return this.frame.left + (this.frame.right - this.frame.left) * k / this.n_visits;
  }
  y(value) {
    const { frame: { top, bottom }, limits: { low, high } } = this;
    return bottom - (value - low) / (high - low) * (bottom - top);
  }
  axes(context) {
    const { frame, palette, lane, font, ratio } = this, { ticks, digits } = this.limits;
    styleScale(context, palette, font, ratio);
    const apart3 = ticks.length > 1 ? this.y(ticks[0]) - this.y(ticks[1]) : font, every = Math.ceil(1.2 * font / apart3);
    ticks.filter((_, n) => n % every === 0).forEach((tick) => {
      const y = Math.round(this.y(tick)) + 0.5;
      segment(context, frame.left, y, frame.right, y);
      context.fillText(number(tick, digits), frame.left - font * 0.5, Math.max(y, font * 0.6));
    });
    if (lane.meta.optimum != null) this.optimum(context, lane.meta.optimum);
    if (frame.low) return;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const word2 = "sweep ", base = this.canvas.height - font * 0.35;
    let free = 0;
    if (lane.meta.particles) context.fillText(`particles 1 to ${many(lane.n_visits + 1)}`, (frame.left + frame.right) / 2, base);
    lane.sweepStarts.forEach((k, t) => {
      const x = this.x(k), end = this.x(lane.sweepStarts[t + 1] ?? lane.n_visits), text = t ? String(t + 1) : `${word2}1`;
      const centre = (x + end) / 2, half = context.measureText(text).width / 2;
      if (end - x > 3 * ratio && x >= free - font * 0.6) segment(context, Math.round(x) + 0.5, frame.bottom + frame.rug, Math.round(x) + 0.5, base);
      const at = Math.max(centre, x + half + font * 0.3);
      if (at - half > free && at + half <= frame.right + font && (t === 0 || end - x > half)) {
        context.fillText(text, at, base);
        free = at + half + font * 0.6;
      }
    });
  }
  optimum(context, value) {
    const { frame, palette, font, ratio } = this, y = this.y(value);
    context.save();
    context.strokeStyle = palette.good;
    context.lineWidth = 1.5 * ratio;
    context.setLineDash([6 * ratio, 4 * ratio]);
    segment(context, frame.left, y, frame.right, y);
    context.fillStyle = palette.good;
    context.textAlign = "right";
    context.textBaseline = "alphabetic";
    const what = this.lane.meta.particles ? "log P(x)" : "optimum", digits = number(value, 2);
    const words = [`exact ${what} ${digits}`, `${what} ${digits}`].find((each) => context.measureText(each).width <= frame.right - frame.left) ?? digits;
    context.fillText(words, frame.right, y - 5.5 * ratio - 0.25 * font);
    context.restore();
  }
  line(context, alpha) {
    const { frame, lane, accent, palette, ratio } = this;
    context.globalAlpha = alpha;
    context.lineWidth = 2 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = accent;
    context.beginPath();
    context.moveTo(this.x(0), this.y(lane.logJoint[0]));
    let previous = lane.logJoint[0];
    for (const k of this.steps()) {
      context.lineTo(this.x(k), this.y(previous));
      previous = lane.logJoint[k];
      context.lineTo(this.x(k), this.y(previous));
    }
    context.lineTo(this.x(lane.n_visits), this.y(previous));
    context.stroke();
    if (lane.n_visits < this.n_visits) {
      context.setLineDash([ratio * 2, ratio * 4]);
      segment(context, this.x(lane.n_visits), this.y(previous), frame.right, this.y(previous));
      context.setLineDash([]);
    }
    const middle = frame.bottom + frame.rug * 0.5;
    for (const wanted of [1, 0]) {
      context.strokeStyle = wanted ? palette.plus : palette.minus;
      context.lineWidth = Math.max(1, 1.2 * ratio);
      context.beginPath();
      for (const k of lane.flips) {
        if (lane.after[k] !== wanted) continue;
        const x = this.x(k + 1);
        context.moveTo(x, middle);
        context.lineTo(x, middle + (wanted ? -1 : 1) * frame.rug * 0.42);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }
  *steps() {
    const { logJoint, n_visits } = this.lane;
    for (let k = 1; k <= n_visits; k++) if (logJoint[k] !== logJoint[k - 1]) yield k;
  }
  paint(k) {
    if (!this.lane) return;
    const { canvas } = this, context = penOf(canvas), width = Math.ceil(this.x(k));
    this.k = k;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (this.layers === "none") {
      this.layers = "wanted";
      this.axes(this.emptied(this.faint));
      context.drawImage(this.faint, 0, 0);
      return this.trace(context);
    }
    if (this.layers === "wanted") this.makeLayers();
    this.layers = "made";
    context.drawImage(this.faint, 0, 0);
    if (width > 0) context.drawImage(this.bright, 0, 0, width, canvas.height, 0, 0, width, canvas.height);
    this.cursor(context);
  }
  draw(context) {
    this.axes(context);
    this.trace(context);
  }
  trace(context) {
    if (this.k < this.n_visits) this.line(context, 0.3);
    context.save();
    context.beginPath();
    context.rect(0, 0, this.k < this.n_visits ? this.x(this.k) : this.canvas.width, this.canvas.height);
    context.clip();
    this.line(context, 1);
    context.restore();
    this.cursor(context);
  }
  cursor(context) {
    const { frame, palette, lane, ratio, k } = this, x = this.x(k), shown = Math.min(k, lane.n_visits);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * ratio;
    segment(context, x, frame.top, x, frame.bottom + frame.rug);
    dot(context, x, this.y(lane.logJoint[shown]), 4.5 * ratio, palette.now);
    context.lineWidth = 1.5 * ratio;
    context.strokeStyle = palette.surface;
    context.stroke();
  }
  visitAt(x) {
    const { left, right } = this.frame;
    const share = (x * this.canvas.width / this.canvas.clientWidth - left) / (right - left);
    return Math.round(Math.max(0, Math.min(1, share)) * this.n_visits);
  }
};
var darker = () => [element("span", { class: "lv-on-light" }, "darker"), element("span", { class: "lv-on-dark" }, "lighter")];
function legend(entries, title) {
  const samples = (mark, colours2) => colours2.split(" ").map((colour) => element("i", { "data-mark": mark, style: `--lv-swatch: var(--lv-${colour})` }));
  return element("div", { class: "lv-legend" }, title ? element("b", {}, title) : null, ...entries.map(([mark, colours2, words]) => element("span", {}, ...samples(mark, colours2), element("span", {}, ...[words].flat()))));
}
var { max_seed: MAX_SEED } = constants_default;
function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, title]) => element("option", { value }, title)));
  select.value = chosen;
}
var LaneMenus = class {
  choices;
  key = "";
  constructor(index, player) {
    this.index = index;
    this.player = player;
    const lane = `lane ${index + 1}`;
    const select = (part2, label2) => {
      const node = element("select", { "aria-label": `${label2} in ${lane}`, onchange: () => this.choose(part2, node.value, node.selectedOptions[0]?.text ?? "") });
      return node;
    };
    const pair = (part2, text, ...controls) => element("span", { class: "lv-lane-pair", "data-part": part2 }, text, ...controls);
    const word2 = (key, what) => {
      const node = player.glossary.word(key, what);
      node.setAttribute("aria-label", `${what}: what this one is, in ${lane}`);
      return node;
    };
    this.by = word2("inference", "inference");
    this.from = word2("start", "start");
    this.model = select("model", "Model");
    this.model.dataset.part = "model";
    this.algorithm = select("algorithm", "Inference");
    this.start = select("start", "Start");
    this.startPair = pair("start", this.from, this.start);
    this.resume = element("button", { type: "button", class: "lv-btn lv-small", "data-part": "start", "aria-label": `Continue from the cursor in ${lane}`, title: "Begin again from the state at the cursor", onclick: () => this.choose("start", "last", "the state at the cursor") }, "continue");
    this.seed = element("input", { type: "text", inputmode: "numeric", autocomplete: "off", class: "lv-seed", "aria-label": `Seed in ${lane}`, onchange: () => this.chooseSeed() });
    this.seedPair = pair("seed", element("span", { "aria-hidden": "true" }, "seed"), this.seed);
    this.swap = element("button", { type: "button", class: "lv-btn lv-small", "data-part": "model", "aria-label": "Swap the lanes", title: "Swap the lanes", onclick: () => player.callbacks.swap?.() }, "swap");
    this.complaint = element("p", { class: "lv-complaint", role: "alert" });
    this.node = element("div", { class: "lv-lane-menus", role: "group", "aria-label": `What ${lane} shows`, hidden: true }, this.model, pair("algorithm", this.by, this.algorithm), this.startPair, this.resume, this.seedPair, ...index ? [this.swap] : [], this.complaint);
  }
  get offered() {
    return Boolean(this.choices);
  }
  load(choices) {
    const key = JSON.stringify(choices);
    if (key === this.key) return;
    this.key = key;
    this.choices = choices;
    this.node.hidden = !choices;
    if (!choices) return;
    const { models, model, algorithms, algorithm, starts, start, note, seed } = choices;
    const grouped = models.length > 1;
    this.model.replaceChildren(...models.flatMap(([group, entries]) => {
      const options = entries.map(([value, title]) => element("option", { value }, title));
      return grouped ? [element("optgroup", { label: group }, ...options)] : options;
    }));
    this.model.value = model;
    this.model.title = this.model.selectedOptions[0]?.text ?? "";
    fill(this.algorithm, algorithms, algorithm);
    fill(this.start, starts, start);
    this.start.title = note;
    this.player.glossary.set(this.by, algorithm in TERMS ? algorithm : "inference");
    this.player.glossary.set(this.from, start in TERMS ? start : "start");
    this.startPair.hidden = this.resume.hidden = !starts.length;
    this.seed.value = String(seed ?? 0);
    this.seedPair.hidden = seed === null;
    this.complain("");
    for (const node of this.node.querySelectorAll("[data-part]")) node.toggleAttribute("data-hidden", !this.player.shows(node.dataset.part ?? ""));
  }
  choose(part2, value, title) {
    const { lane } = this.player.callbacks;
    if (lane?.(this.index, part2, value, `choosing “${title}”`)) return;
    this.key = "";
    this.load(this.choices);
  }
  chooseSeed() {
    const text = this.seed.value.trim();
    if (!/^[0-9]{1,10}$/.test(text) || Number(text) > MAX_SEED) return this.complain(`Expected a whole number from 0 to ${many(MAX_SEED)}, got ${text ? `“${text.slice(0, 40)}”` : "nothing"}.`);
    this.complain("");
    this.choose("seed", text, `seed ${text}`);
  }
  complain(text) {
    setText(this.complaint, text);
    this.seed.setAttribute("aria-invalid", String(Boolean(text)));
  }
};
var { term_step: STEP, term_fine: FINE } = constants_default;
function wholes(bytes) {
  const size = bytes.length / 4;
  return Float64Array.from({ length: size }, (_, at) => {
    const folded = bytes[at] + 256 * bytes[size + at] + 65536 * bytes[2 * size + at] + 16777216 * bytes[3 * size + at];
    return folded % 2 ? -(folded + 1) / 2 : folded / 2;
  });
}
function decidedTerms(bytes, previous) {
  const { length } = previous, all = wholes(bytes);
  return [0, 1, 2].map((row) => {
    const steps = all.subarray(row * length, (row + 1) * length);
    for (let k = 0; k < length; k++) if (previous[k] >= 0) steps[k] += steps[previous[k]];
    return steps.map((step) => (step + 0.5) * FINE);
  });
}
var KnownTerms = class {
  logOdds = null;
  constructor(lane, decided, { prior, evidence: evidence2, alone, others_fine, log_odds_steps }) {
    this.lane = lane;
    this.decided = decided;
    this.prior = prior;
    this.evidence = evidence2;
    this.alone = alone;
    this.fine = others_fine;
    if (!log_odds_steps) return;
    const { n_h } = lane, sums = wholes(log_odds_steps);
    for (let at = n_h; at < sums.length; at++) sums[at] += sums[at - n_h];
    this.logOdds = sums.map((sum) => sum * STEP);
  }
  decision(terms, k, layers) {
    const { decided, alone, fine, lane } = this, v = k - 1, j = lane.unit[v], { layer } = terms, top = layer === layers.length - 1;
    const prior = decided && !top ? decided[1][v] : this.prior[j], evidenceSum = decided && layer ? decided[2][v] : this.evidence[j];
    return withOthers(terms, prior, evidenceSum, alone[j], lane.logOdds[v], fine[v] * FINE);
  }
  inState(terms, row, layers) {
    const { unit: j, layer, othersSum } = terms, { n_h } = this.lane, aloneSum = this.alone[j];
    const of = (table) => table[(table.length > n_h ? row * n_h : 0) + j];
    if (this.logOdds) return withOthers(terms, of(this.prior), of(this.evidence), aloneSum, of(this.logOdds), 0);
    const prior = layer === layers.length - 1 ? this.prior[j] : terms.prior, evidenceSum = layer ? terms.evidenceSum : this.evidence[j];
    return { ...terms, prior, evidenceSum, aloneSum, logOdds: prior + evidenceSum + aloneSum + othersSum };
  }
  change(n, j) {
    const { logOdds, lane: { n_h } } = this;
    return logOdds && logOdds[(n + 1) * n_h + j] - logOdds[n * n_h + j];
  }
};
function withOthers(terms, prior, evidenceSum, aloneSum, logOdds, more) {
  return { ...terms, prior, evidenceSum, aloneSum, othersSum: logOdds - prior - evidenceSum - aloneSum + more, logOdds };
}
function knownTerms(lane, decided, { prior, evidence: evidence2, alone, others_fine, log_odds_steps }) {
  return prior && evidence2 && alone && others_fine ? new KnownTerms(lane, decided, { prior, evidence: evidence2, alone, others_fine, log_odds_steps }) : null;
}
function isWhole(x) {
  for (let i = 0; i < x.length; i++) if (Number.isNaN(x[i])) return false;
  return true;
}
var CHECKPOINT_EVERY = 256;
var LatentState = class {
  upper = null;
  constructor(model, x, h, a) {
    this.model = model;
    this.x = x;
    this.h = h;
    this.a = a;
    this.whole = isWhole(x);
  }
  get summed() {
    return this.model.factorised || Boolean(this.model.restricted);
  }
  get independent() {
    return this.model.factorised && this.whole;
  }
  layerOf(j) {
    return layerAt(this.model.layers, j);
  }
  under({ layer, first, n_v, n_h, W, b }) {
    if (!layer) return { x: this.x, a: this.a };
    this.upper ||= [];
    if (!this.upper[layer]) {
      const a = Float64Array.from(b);
      for (let k = 0; k < n_h; k++) if (this.h[first + k]) for (let i = 0; i < n_v; i++) a[i] += this.h[first + k] * W[k * n_v + i];
      this.upper[layer] = a;
    }
    return { x: this.h.subarray(first - n_v, first), a: this.upper[layer] };
  }
  addRow(j, share) {
    const { a, model: { n_v, W } } = this;
    for (let i = 0, at = j * n_v; i < n_v; i++, at++) a[i] += share * W[at];
  }
};
var LaneReplay = class extends LatentState {
  k = 0;
  drift = 0;
  stale = true;
  flips = [];
  offs = [];
  sweepStarts = [];
  falls = [];
  checkpoints = [];
  interactions = null;
  values = null;
  constructor(meta, model, arrays) {
    const { n_visits, n_h, n_v } = meta;
    const h0 = meta.means ? arrays.h0 : unpackBits(arrays.h0, n_h);
    super(model, UNITS[model.visible].binary ? valuesOf(statesOfBits(arrays, n_v)) : arrays.x, h0.slice(), new Float64Array(n_v));
    this.meta = meta;
    this.held = new Map(Object.entries(meta.held).map(([j, on]) => [Number(j), on]));
    this.n_visits = n_visits;
    this.n_h = n_h;
    this.n_v = n_v;
    this.h0 = h0;
    this.after = meta.means ? arrays.after : unpackBits(arrays.after, n_visits);
    this.unit = arrays.unit;
    this.shades = arrays.shades;
    this.logJoint = arrays.log_joint;
    this.sweep = arrays.sweep;
    this.wrong = arrays.wrong;
    this.truth = meta.truth && { ...meta.truth, map: unpackBits(arrays["truth.map"], n_h), marginals: arrays["truth.marginals"], covariance: arrays["truth.covariance"] };
    this.distance = meta.distance ? { ...meta.distance, kl: arrays["distance.kl"], variation: arrays["distance.variation"] } : null;
    this.beliefs = meta.beliefs ? { ...meta.beliefs, latents: arrays["beliefs.latents"], visibles: arrays["beliefs.visibles"], apart: arrays["beliefs.apart"] ?? null } : null;
    this.order = Array.from({ length: n_h }, (_, j) => j);
    this.previous = new Int32Array(n_visits);
    this.last = new Int32Array(n_h).fill(-1);
    this.index();
    const decided = arrays.decided_steps ? decidedTerms(arrays.decided_steps, this.previous) : null;
    this.logOdds = decided ? decided[0] : arrays.log_odds;
    this.known = knownTerms(this, decided, arrays);
  }
  index() {
    const { n_visits } = this, state = this.h0.slice(), last = this.last.slice();
    for (let k = 0; k < n_visits; k++) {
      if (k % CHECKPOINT_EVERY === 0) this.checkpoints.push({ h: state.slice(), last: last.slice() });
      if (k === 0 || this.sweep[k] !== this.sweep[k - 1]) this.sweepStarts.push(k);
      const j = this.unit[k];
      this.previous[k] = last[j];
      last[j] = k;
      if (state[j] !== this.after[k]) {
        this.flips.push(k);
        if (!this.after[k] && !this.meta.means) this.offs.push(k);
        state[j] = this.after[k];
      }
      if (this.logJoint[k + 1] < this.logJoint[k] - constants_default.rounding) this.falls.push(k);
    }
  }
  activate() {
    this.a.set(this.model.b);
    for (let j = 0; j < this.model.layers[0].n_h; j++) if (this.h[j]) this.addRow(j, this.h[j]);
    this.drift = 0;
  }
  stateOf(j) {
    if (this.meta.means) return `mean ${this.h[j].toFixed(2)}`;
    return this.h[j] ? "on" : "off";
  }
  get onInWords() {
    let on = 0;
    for (let j = 0; j < this.n_h; j++) on += this.h[j];
    return this.meta.means ? `mean ${on.toFixed(this.n_h > 200 ? 0 : 1)} of ${this.n_h} on` : `${on} of ${this.n_h} on`;
  }
  unitName(j) {
    return unitName(this.model, j);
  }
  nameOf(j) {
    return this.model.layers.length > 1 ? `${this.unitName(j)} (layer ${this.layerOf(j).layer + 1})` : this.unitName(j);
  }
  get howInWords() {
    const { model_title, title, subtitle, start, seed } = this.meta;
    return [model_title === title ? "" : model_title, subtitle, start ? `from ${start}` : "", seed == null ? "" : `seed ${seed}`].filter(Boolean).join(", ");
  }
  addRow(j, share) {
    super.addRow(j, share);
    this.drift++;
  }
  decidedOn(k) {
    return this.meta.at_once ? this.sweepStarts[lowerBound(this.sweepStarts, k) - 1] : k - 1;
  }
  unitsAt(v) {
    return [this.unit[v]];
  }
  valueAfter(v) {
    return this.after[v];
  }
  *moves(since, now) {
    for (let n = lowerBound(this.flips, now) - 1; n >= 0 && this.flips[n] >= since; n--) {
      const v = this.flips[n], after = this.after[v];
      yield { n, visit: v + 1, unit: this.unit[v], after, change: after - this.stateBefore(v) };
    }
  }
  stateBefore(v) {
    return this.previous[v] < 0 ? this.h0[this.unit[v]] : this.after[this.previous[v]];
  }
  earlier(d) {
    if (d >= this.k) return this;
    const state = new LatentState(this.model, this.x, this.h.slice(), this.a.slice());
    for (let n = lowerBound(this.flips, this.k) - 1; n >= 0 && this.flips[n] >= d; n--) {
      const v = this.flips[n], j = this.unit[v], before = this.stateBefore(v);
      if (j < this.model.layers[0].n_h) state.addRow(j, before - state.h[j]);
      state.h[j] = before;
    }
    return state;
  }
  get about() {
    return this.model.rounded ? "≈" : "";
  }
  get tellsAll() {
    return !this.model.rounded || this.known !== null && (this.known.logOdds !== null || this.independent);
  }
  get offInWords() {
    return this.known ? `at most ${number(this.meta.off ?? 0, 2)} nats off` : "by rounded weights";
  }
  decision(terms, k) {
    return this.known ? this.known.decision(terms, k, this.model.layers) : terms;
  }
  exactly(terms, visits) {
    return this.known ? this.known.inState(terms, lowerBound(this.flips, visits), this.model.layers) : terms;
  }
  seek(k) {
    k = Math.max(0, Math.min(k, this.n_visits));
    if (k !== this.k) this.interactions = null;
    if (Math.abs(k - this.k) > CHECKPOINT_EVERY) this.restore(k);
    const flips = lowerBound(this.flips, k) - lowerBound(this.flips, this.k);
    if (Math.abs(flips) > this.n_h / 4) this.stale = true;
    while (this.k < k) this.forward();
    while (this.k > k) this.back();
    if (this.stale || this.drift > 512) this.activate();
    this.stale = false;
  }
  restore(k) {
    const c = Math.min(Math.floor(k / CHECKPOINT_EVERY), this.checkpoints.length - 1);
    if (c < 0) return;
    this.h.set(this.checkpoints[c].h);
    this.last.set(this.checkpoints[c].last);
    this.k = c * CHECKPOINT_EVERY;
    this.upper = null;
    this.stale = true;
  }
  forward() {
    const k = this.k++, j = this.unit[k], after = this.after[k];
    this.last[j] = k;
    if (this.h[j] !== after) this.setUnit(j, after);
  }
  back() {
    const k = --this.k, j = this.unit[k], previous = this.previous[k];
    this.last[j] = previous;
    const before = this.stateBefore(k);
    if (this.h[j] !== before) this.setUnit(j, before);
  }
  setUnit(j, value) {
    const change = value - this.h[j];
    this.h[j] = value;
    if (j >= this.model.layers[0].n_h) this.upper = null;
    else if (!this.stale) this.addRow(j, change);
  }
  shade(value, i) {
    return this.shades ? value * this.shades[i] + this.shades[this.n_v + i] : value;
  }
  get wrongInWords() {
    return UNITS[this.model.visible].binary ? `${this.wrongNow} ${this.variables ? `of ${this.n_v - this.nUnknown}` : "px"} wrong` : `squared error ${this.wrongNow.toFixed(1)}`;
  }
  get nUnknown() {
    return Array.from(this.x).filter(Number.isNaN).length;
  }
  get variables() {
    return variablesOf(this.model);
  }
  mean(i) {
    return UNITS[this.model.visible].mean(this.a[i]);
  }
  get currentUnit() {
    return this.k > 0 ? this.unit[this.k - 1] : -1;
  }
  get currentSweep() {
    return this.k > 0 ? this.sweep[this.k - 1] : 0;
  }
  get wrongNow() {
    return this.wrong[this.k];
  }
  get logJointNow() {
    return this.logJoint[this.k];
  }
  get flippedNow() {
    const at = lowerBound(this.flips, this.k - 1);
    return this.k > 0 && this.flips[at] === this.k - 1;
  }
  conditional(j) {
    return this.last[j] < 0 ? null : scalarSigmoid(this.logOdds[this.last[j]]);
  }
  flippedThisSweep(j) {
    const at = this.last[j];
    if (at < 0 || this.k === 0 || this.sweep[at] !== this.sweep[this.k - 1]) return false;
    const previous = this.previous[at];
    return this.after[at] !== (previous < 0 ? this.h0[j] : this.after[previous]);
  }
};
var ParticleReplay = class extends LaneReplay {
  constructor(meta, model, arrays) {
    super(meta, model, arrays);
    const { n_h, n_visits } = meta, bits = unpackBits(arrays.particles, n_visits * n_h), rows = this.rows = new Float32Array((n_visits + 1) * n_h);
    this.sizes = [1];
    rows.set(this.h0);
    for (let k = 0, at = n_h, squares = 1; k < n_visits; k++) {
      const share = this.after[k];
      for (const end = at + n_h; at < end; at++) rows[at] = movedMean(rows[at - n_h], share, bits[at - n_h]);
      squares = joinedSquares(squares, share);
      this.sizes.push(1 / squares);
    }
  }
  index() {
    for (let k = 0; k < this.n_visits; k++) {
      this.flips.push(k);
      if (this.logJoint[k + 1] < this.logJoint[k]) this.falls.push(k);
    }
  }
  row(k) {
    return this.rows.subarray(k * this.n_h, (k + 1) * this.n_h);
  }
  seek(k) {
    k = Math.max(0, Math.min(k, this.n_visits));
    if (k === this.k && !this.stale) return;
    this.k = k;
    this.h.set(this.row(k));
    this.last.fill(k - 1);
    this.upper = this.interactions = null;
    this.stale = false;
    this.activate();
  }
  unitsAt() {
    return this.order;
  }
  valueAfter(v, unit) {
    return this.row(v + 1)[unit];
  }
  *moves(since, now) {
    const before = this.row(since);
    for (const [unit, after] of this.row(now).entries()) if (after !== before[unit]) yield { n: -1, visit: now, unit, after, change: after - before[unit] };
  }
  get currentUnit() {
    return -1;
  }
  conditional() {
    return null;
  }
  flippedThisSweep() {
    return false;
  }
  get sizeInWords() {
    return `effective sample size ${number(this.sizes[this.k], 1)} of ${this.k + 1}`;
  }
};
function lowerBound(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
function decodeTrace(data, models) {
  const { meta, arrays } = unpack(data);
  const lanes = meta.lanes.map((lane, i) => {
    const model = models.get(lane.model);
    if (!model) throw new Error(`the trace needs model ${lane.model}, which was not sent`);
    return new (lane.particles ? ParticleReplay : LaneReplay)(lane, model, part(arrays, i));
  });
  return { meta, lanes, n_visits: Math.max(0, ...lanes.map((lane) => lane.n_visits)) };
}
var boardLegend = (flips = legend([["line", "plus", "turned on"], ["line", "minus", "turned off"]]), error = legend([["square", "plus", "too much"], ["square", "minus", "too little; faint: the likelier value is right"]], "Error"), bars = legend([["square", "lane0 lane1", "mean given the latents"], ["line", "ink", "what was observed"]], "Reconstruction"), unknown = legend([["hatch", "muted", "not known; in the reconstruction, filled in"]])) => Object.assign(element("div", { class: "lv-legends" }, legend([["square", "lane0 lane1", "on"], ["square", "faint", ["off; the ", ...darker(), ", the likelier on"]], ["dot", "lane0 lane1", "changed in this sweep"], ["ring", "now", "just visited"], ["dashes", "ink", "selected"]], "Latents"), error, bars, unknown, legend([["line", "lane0 lane1", "so far; faint: still to come"], ["line", "now", "cursor"]], "Curve"), flips), { flips, error, bars, unknown });
var LaneCard = class {
  stale = true;
  axis = 0;
  bars = new VariableBars([{ kind: "share", title: "mean" }]);
  lane;
  views;
  colours;
  constructor(index, player) {
    this.index = index;
    this.player = player;
    const figure = (kind, label2, fill3, attributes = {}) => {
      const canvas = element("canvas", { role: "img", "aria-label": kind, ...attributes });
      const value = box(), frame = fill3 ? element("div", { class: "lv-fill" }, canvas) : canvas;
      if (!fill3) canvas.classList.add("lv-pixels");
      const node = element("figure", { class: `lv-${kind}` }, element("div", { class: "lv-label" }, label2, element("b", {}, value)), frame);
      return { canvas, label: label2, value, node };
    };
    const span = (...parts) => element("span", {}, ...parts);
    this.reconstruction = figure("reconstruction", span("Reconstruction"), false);
    this.bars.node.hidden = true;
    this.reconstruction.node.append(this.bars.node);
    this.error = figure("error", span("Error"), false);
    this.orderName = element("small");
    this.latents = figure("latents", span("Latents ", element("i", {}, "h"), this.orderName), true, { role: "spinbutton", tabindex: "0", "aria-label": "Latent units: arrow keys select one" });
    const { glossary } = player;
    this.onWords = span();
    this.heldWords = element("span", { class: "lv-held-words" });
    this.latents.value.append(this.onWords, this.heldWords);
    this.symbol = element("i");
    this.constant = span();
    this.quantity = glossary.word("log-joint", this.symbol);
    this.curve = figure("curve", span(this.quantity, ", ", glossary.word("nats", "nats"), this.constant), true);
    this.title = glossary.word("lane");
    this.subtitle = element("small");
    this.check = glossary.word("theorem");
    this.check.classList.add("lv-check");
    this.menus = new LaneMenus(index, player);
    this.node = element("section", { class: "lv-card lv-lane", "data-lane": index }, element("header", {}, element("h2", {}, span(this.title), this.subtitle), this.menus.node, this.check), element("div", { class: "lv-views" }, ...[this.reconstruction, this.error, this.latents, this.curve].map((view) => view.node)));
    this.curveView = new CurveView(this.curve.canvas);
    this.listen();
  }
  listen() {
    const { player, index } = this, grid = this.latents.canvas, curve = this.curve.canvas;
    grid.addEventListener("click", (event) => {
      const j = latentAt(grid, this.lane, event);
      if (j >= 0) player.select(index, player.selected.lane === index && player.selected.unit === j ? -1 : j);
    });
    grid.addEventListener("pointermove", (event) => {
      const j = latentAt(grid, this.lane, event);
      player.tip(j < 0 ? null : this.describe(j), event);
    });
    grid.addEventListener("pointerleave", () => player.tip(null));
    grid.addEventListener("keydown", (event) => {
      const { columns } = gridShape(this.lane.n_h, grid.width, grid.height);
      const move = arrowMove(event, columns);
      if (!move || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const from = player.selected.lane === index && player.selected.unit >= 0 ? player.selected.unit : Math.max(0, this.lane.currentUnit);
      const place = this.lane.order.indexOf(from) + move;
      player.select(index, this.lane.order[Math.max(0, Math.min(this.lane.n_h - 1, place))]);
    });
    const scrub = (event) => {
      if (event.buttons & 1) player.seek(this.curveView.visitAt(event.offsetX));
    };
    curve.addEventListener("pointerdown", (event) => {
      curve.setPointerCapture(event.pointerId);
      scrub(event);
    });
    curve.addEventListener("pointermove", scrub);
  }
  load(lane, rows, columns) {
    this.lane = lane;
    this.views = { reconstruction: PixelView.of(this.views?.reconstruction, this.reconstruction.canvas, rows, columns), error: PixelView.of(this.views?.error, this.error.canvas, rows, columns) };
    const { variables } = lane;
    this.node.toggleAttribute("data-table", variables !== null);
    setHidden(this.bars.node, !variables);
    this.bars.load(variables ?? []);
    setAttribute(this.reconstruction.label, "title", variables ? "Bar: the mean of each variable given the latents. Mark: what was observed" : "");
    setText(this.error.label, lane.shades ? "Residual" : "Error");
    setText(this.title, lane.meta.title);
    const kind = lane.meta.title.split(/[^a-z]/i)[0].toLowerCase();
    this.player.glossary.set(this.title, kind in TERMS ? kind : "lane");
    this.menus.load(this.player.menus[this.index]);
    setHidden(this.subtitle, this.menus.offered);
    setText(this.subtitle, lane.howInWords);
    const { normalised: normalised2 } = lane.meta, symbol = this.isBound ? this.boundInWords : normalised2 ? "log P(x, h)" : "log P*(x, h)";
    setText(this.symbol, symbol);
    this.player.glossary.set(this.quantity, this.isBound ? this.boundTerm : "log-joint");
    setText(this.constant, normalised2 ? "" : " + constant");
    this.stale = true;
  }
  describe(j) {
    const { lane } = this, probability = lane.conditional(j);
    const state = lane.stateOf(j);
    const name = lane.nameOf(j);
    if (lane.held.has(j)) return `${name}: held ${state}, never visited`;
    if (lane.meta.particles) return `${name}: ${state} of the weighted particles`;
    if (probability === null) return `${name}: ${state}, not yet visited`;
    return `${name}: ${state}
log-odds ${signed(lane.logOdds[lane.last[j]])}, P ${probability.toFixed(3)}
at its newest visit${valueInWords(lane, this.player.order, j)}`;
  }
  get isBound() {
    return this.lane.meta.means;
  }
  get boundTerm() {
    return this.lane.meta.particles ? "particles" : "mean-field";
  }
  get boundInWords() {
    const { held, meta } = this.lane;
    return meta.particles ? `estimate of log P(x${held.size ? " and held units" : ""})` : "bound on log P(x)";
  }
  get fitted() {
    return [this.latents.canvas, this.curve.canvas];
  }
  axisWidth(fontSize) {
    return this.curveView.axisWidth(this.lane, fontSize);
  }
  paint(k, colours2, fontSize, axis) {
    const { lane } = this;
    const { palette, tables } = colours2, accent = palette.lanes[this.index % 2];
    lane.seek(k);
    if (lane.variables) this.paintVariables();
    else {
      paintReconstruction(this.views.reconstruction, lane, tables);
      paintError(this.views.error, lane, tables);
    }
    const grid = this.latents.canvas, { selected } = this.player;
    fitCanvas(grid);
    repaint(grid, grid.vector = (context) => drawLatents(context, grid, lane, palette, accent, selected.lane === this.index ? selected.unit : -1, k > lane.n_visits ? -1 : lane.currentUnit));
    const depth = lane.model.layers.length, round = depth > 2 ? `layers 2 to ${depth} round` : "layer 2 round";
    const notes = [this.player.order === "number" ? "" : UNIT_ORDERS[this.player.order][0], depth > 1 ? round : ""].filter(Boolean);
    setText(this.orderName, notes.length ? ` ${notes.join(", ")}` : "");
    if (fitCanvas(this.curve.canvas) || this.stale || this.colours !== colours2 || this.axis !== axis) {
      this.curveView.prepare(lane, this.player.clock.end, palette, accent, fontSize, axis);
      this.stale = false;
      this.colours = colours2;
      this.axis = axis;
    }
    this.curveView.paint(k);
    setText(this.reconstruction.value, lane.variables ? lane.wrongInWords : "");
    setText(this.error.value, lane.shades ? `SSE ${lane.wrongNow.toFixed(1)}` : lane.wrongInWords);
    setText(this.onWords, lane.onInWords);
    setText(this.heldWords, lane.held.size ? `, ${lane.held.size} held (×)` : "");
    setText(this.curve.value, number(lane.logJointNow, 2));
    this.paintCheck();
  }
  paintVariables() {
    const { lane, bars } = this, { binary, threshold } = UNITS[lane.model.visible];
    for (let i = 0; i < lane.n_v; i++) {
      const mean = lane.mean(i), x = lane.x[i];
      bars.bar(i, 0, lane.shade(mean, i));
      bars.observed(i, lane.shade(x, i), binary && lane.a[i] > threshold !== x > 0.5, mean.toFixed(binary ? 2 : 1));
    }
  }
  paintCheck() {
    const { lane } = this;
    const falls = lowerBound(lane.falls, lane.k);
    const done = lane.k >= lane.n_visits;
    const what = this.isBound ? "the bound" : "log P", often = falls === 1 ? "once" : `${falls} times`;
    let ok = "yes", text = `${what} never decreased`;
    if (falls && lane.meta.sampled) [ok, text] = ["", `${what} decreased ${often}, as sampling may`];
    else if (lane.meta.sampled) [ok, text] = ["", `${what} has not decreased; sampling may lower it`];
    else if (falls && lane.meta.means) [ok, text] = ["", `${what} decreased ${often}, as an upward pass may`];
    else if (falls) [ok, text] = ["no", `${what} decreased ${often}: Theorem 1 does not hold here`];
    else if (lane.independent) [ok, text] = ["", done ? "exact in one pass: units do not interact" : "one pass"];
    const short2 = lane.meta.optimum == null ? null : lane.meta.optimum - lane.logJointNow;
    if (done && short2 !== null) text += short2 < 1e-6 ? ", at the exact optimum" : `, ${number(short2, 2)} nats below the exact optimum`;
    else if (done && lane.meta.converged && !lane.independent) text += ", converged";
    if (lane instanceof ParticleReplay) [ok, text] = ["", lane.sizeInWords];
    setText(this.check, text);
    this.player.glossary.set(this.check, this.isBound ? this.boundTerm : lane.independent && ok === "" ? "factorised" : "theorem");
    setAttribute(this.check, "data-ok", ok);
  }
  label() {
    const { lane } = this, title = lane.meta.title;
    const set = (view, text) => view.canvas.setAttribute("aria-label", text);
    set(this.reconstruction, `${title}: reconstruction of the image`);
    if (lane.variables) {
      const { binary } = UNITS[lane.model.visible];
      this.bars.list.setAttribute("aria-label", `${title}: reconstruction of the observations, ${lane.wrongInWords}`);
      this.bars.say((i) => binary ? `probability ${lane.mean(i).toFixed(2)}, ${observedWords(lane.x, i)}` : `mean ${lane.mean(i).toFixed(2)}, ${Number.isNaN(lane.x[i]) ? "not known" : `observed ${lane.x[i].toFixed(2)}`}`);
    }
    set(this.error, `${title}: ${lane.shades ? "residual" : "error"} map of ${lane.n_v} pixels, ${lane.wrongInWords}`);
    set(this.curve, `${title}: ${this.isBound ? this.boundInWords : "log joint"} ${number(lane.logJointNow, 2)} nats at visit ${many(lane.k)} of ${many(lane.n_visits)}`);
    const { selected } = this.player, grid = this.latents.canvas;
    const unit = selected.lane === this.index && selected.unit >= 0 ? selected.unit : Math.max(0, lane.currentUnit);
    grid.setAttribute("aria-label", `${title}: latent units`);
    grid.setAttribute("aria-valuemin", "0");
    grid.setAttribute("aria-valuemax", String(lane.n_h - 1));
    grid.setAttribute("aria-valuenow", String(unit));
    grid.setAttribute("aria-valuetext", this.describe(unit).replaceAll("\n", ", "));
  }
};
var style_default = '.lv,.lv *{box-sizing:border-box}.lv [hidden],.lv [data-hidden]{display:none!important}.lv{--lv-hatch: repeating-linear-gradient(135deg, var(--lv-muted) 0 1.5px, var(--lv-line) 1.5px 5px);container-type:inline-size;background:var(--lv-page);color:var(--lv-ink);font-family:var(--lv-font);height:100%;width:100%;display:flex;flex-direction:column}.lv[data-scheme=dark]{color-scheme:dark}.lv-in{font-size:var(--lv-letters);line-height:1.35;padding:1.1em;display:flex;flex-direction:column;gap:1em;flex:1;min-height:0;overflow-y:auto;font-variant-numeric:tabular-nums}.lv-card{background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.75em;padding:0.85em 1em 1em;box-shadow:var(--lv-shadow);min-width:0;position:relative}.lv-save-card{position:absolute;right:0.5em;bottom:0.5em;display:flex;gap:0.3em;opacity:0}.lv-card:hover>.lv-save-card,.lv-save-card:focus-within{opacity:1}.lv-save-card .lv-btn{background:var(--lv-surface)}@media(hover:none){.lv-save-card{position:static;justify-content:flex-end;margin-top:0.5em;opacity:1}}.lv-in>[data-part]{content-visibility:auto;contain-intrinsic-size:auto 30em;flex-shrink:0}.lv-whole>[data-part]{content-visibility:visible}.lv h2,.lv h3,.lv p,.lv figure{margin:0}.lv h2{font-size:1.08em;font-weight:650;letter-spacing:-0.005em;display:flex;align-items:baseline;gap:0.5em;flex-wrap:wrap}.lv h2 small{font-weight:400;font-size:0.88em;color:var(--lv-muted)}.lv canvas,.lv img{display:block;width:100%}.lv img{height:auto}.lv .lv-pixels{image-rendering:pixelated;border-radius:0.3em;outline:1px solid var(--lv-line);background:var(--lv-ground)}.lv-label{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 0.6em;font-size:0.9em;color:var(--lv-muted);margin-bottom:0.4em;min-height:1.6em;line-height:1.6em}.lv-views .lv-label{flex-wrap:nowrap;white-space:nowrap;height:1.6em}.lv-label b{color:var(--lv-ink);font-weight:650;font-size:1.1em}.lv-box{display:block;contain:strict;width:100%;height:1.45em;line-height:1.45em;white-space:nowrap;text-overflow:ellipsis}.lv-box.lv-long{contain:none}.lv-views .lv-label,.lv-why h2{align-items:center}.lv-views .lv-label b{flex:1 0 6.8em;text-align:right}.lv-views .lv-latents .lv-box{display:flex;flex-wrap:wrap;justify-content:flex-end;align-content:flex-start;height:1.45em;overflow:hidden}.lv-views .lv-latents .lv-held-words{white-space:pre}.lv-views .lv-reconstruction .lv-label b{display:none}.lv-label i{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.08em}.lv-board{display:grid;grid-template-columns:minmax(9em,15%) minmax(0,1fr);gap:1em}.lv-input{grid-row:span 2;display:flex;flex-direction:column;gap:0.6em;align-self:stretch}.lv-lane{border-top:3px solid var(--lv-accent)}.lv-lane[data-lane="0"]{--lv-accent: var(--lv-lane0)}.lv-lane[data-lane="1"]{--lv-accent: var(--lv-lane1)}.lv-lane>header,.lv-why>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-lane>header{align-items:center}.lv-lane h2>span{color:var(--lv-accent)}.lv-lane-menus{display:flex;flex:1;align-items:center;gap:0.3em 0.45em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.88em;min-width:0}.lv-lane-menus select,.lv-lane-menus input{font:inherit;font-size:1em;color:var(--lv-ink);background:var(--lv-surface);field-sizing:content;max-width:min(100%,24em);height:2em;padding:0 0.3em;border:1px solid var(--lv-line);border-radius:0.45em}.lv-lane-menus>select{max-width:min(100%,38em)}.lv-lane-pair{display:inline-flex;align-items:center;gap:0.45em;min-width:0}.lv-lane-menus .lv-seed{min-width:3em;max-width:8em}.lv-lane-menus .lv-seed[aria-invalid=true]{border-color:var(--lv-bad)}.lv-lane-menus .lv-small{font-size:1em;height:2em;min-width:0;padding:0 0.6em}.lv-lane-menus .lv-complaint{flex-basis:100%}.lv-views{display:grid;grid-template-columns:17.5fr 17.5fr 30fr 35fr;gap:1.2em;align-items:start}.lv-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}.lv-fill{flex:1;min-height:0;position:relative}.lv-fill canvas{position:absolute;inset:0;height:100%}.lv-latents .lv-fill{cursor:pointer}.lv-curve .lv-fill{cursor:ew-resize;touch-action:pan-y}.lv-check{font-size:0.86em;color:var(--lv-muted);display:inline-flex;align-items:center;gap:0.4em;white-space:nowrap}.lv-check::before{content:"";width:0.6em;height:0.6em;border-radius:50%;background:currentColor}.lv-check[data-ok=yes]{color:var(--lv-good)}.lv-check[data-ok=no]{color:var(--lv-bad);font-weight:650}.lv-check[data-ok=no]::before{border-radius:0;transform:rotate(45deg)}.lv-key{display:flex;gap:0.3em 1em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.86em}.lv-key span{display:inline-flex;align-items:center;gap:0.4em}.lv-key span::before{content:"";width:0.75em;height:0.75em;border-radius:0.15em;background:var(--lv-swatch)}.lv-btn{font:inherit;color:var(--lv-ink);background:none;border:1px solid transparent;border-radius:0.5em;min-width:2.7em;height:2.7em;padding:0 0.45em;display:inline-flex;align-items:center;justify-content:center;gap:0.3em;cursor:pointer}.lv-btn svg{width:1.45em;height:1.45em;fill:currentColor;flex:none}.lv-btn:hover{background:var(--lv-faint)}.lv-btn:disabled{opacity:0.35;cursor:default;background:none}.lv kbd{font:inherit;font-size:0.74em;line-height:1;color:var(--lv-muted)}.lv-btn kbd{position:absolute;bottom:0.05em;left:0;right:0;text-align:center}.lv-btn{position:relative}.lv-btn.lv-main kbd{bottom:0.15em;color:inherit}.lv-btn:has(kbd)>svg{margin-bottom:0.3em}.lv-told{order:1}.lv-told>.lv-row{order:1}.lv-foot{order:2}.lv-transport{order:3}@media(hover:none){.lv kbd{display:none}}.lv-btn.lv-main{background:var(--lv-ink);color:var(--lv-surface);border-radius:50%;min-width:3em;width:3em;height:3em;padding:0}.lv-btn.lv-main:hover{opacity:0.88}.lv :focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv :is([data-part=draw],[data-part=images],.lv-hold,.lt-thumbs,.lv-walk-choice),.lt-transport :is(.lv-buttons,.lv-scrub),.lv .lt-go,.lv-needs{filter:opacity(var(--lv-offline, 1))}@container (min-width: 721px){.lv-input [data-part=images] .lv-btn{flex:0 1 2.7em;min-width:0;padding:0}}.lv-tools{flex-wrap:wrap;margin-top:0.45em}.lv-tools .lv-btn{min-width:2.15em;width:2.15em;height:2.15em;padding:0}.lv-btn[aria-pressed=true]{background:var(--lv-ink);color:var(--lv-surface)}.lv-complaint{color:var(--lv-bad);font-size:0.95em;overflow-wrap:anywhere}.lv-complaint:empty{display:none}.lv-input .lv-caption{min-height:4.05em;margin-top:0.3em;overflow-wrap:anywhere}.lv-pixels-frame{position:relative}.lv-drawing-cursor{position:absolute;pointer-events:none;outline:2px solid var(--lv-now);box-shadow:0 0 0 3px var(--lv-ink)}.lv-legends{grid-column:1 / -1;display:flex;flex-wrap:wrap;gap:0.15em 1.8em}.lv-legend{display:flex;flex-wrap:wrap;gap:0.15em 0.9em;color:var(--lv-muted);font-size:0.82em}.lv-legend>span{display:inline-flex;align-items:center;gap:0.35em}.lv-legend b{font-weight:650}.lv-card>:is(.lv-legend,.lv-legends){margin-top:0.7em}.lv-legend i{width:0.8em;height:0.8em;flex:none;border-radius:0.15em;background:var(--lv-swatch)}.lv-legend i[data-mark=square]{box-shadow:inset 0 0 0 1px var(--lv-line)}.lv-legend i[data-mark=hatch]{background:var(--lv-hatch)}.lv-legend i[data-mark=pale]{opacity:0.3}.lv-legend i[data-mark=dot]{width:0.5em;height:0.5em;border-radius:50%}.lv-legend i[data-mark=line]{height:3px}.lv-legend i[data-mark=broken]{height:0;background:none;border-top:3px dotted var(--lv-swatch)}.lv-legend i:is([data-mark=ring],[data-mark=dashes]){background:none;border:2px solid var(--lv-swatch)}.lv-legend i[data-mark=dashes]{border-style:dashed}.lv:not([data-scheme=dark]) .lv-on-dark,.lv[data-scheme=dark] .lv-on-light{display:none}.lv-why>.lv-legends{margin-top:0.7em}.lv-full-colour{flex:1 1 30em;font-size:0.82em}.lv-of{color:var(--lv-accent, inherit)}.lv-of select{font-size:0.88em;font-weight:400}.lv-scale{margin-top:0.8em}.lv-scale canvas{height:0.8em;border-radius:0.2em}.lv-scale>div{display:flex;justify-content:space-between;font-size:0.86em;color:var(--lv-muted);margin:0.15em 0 0.4em}.lv-row{display:flex;align-items:center;gap:0.2em}.lv-transport{flex:none;z-index:5;background:var(--lv-surface);border-top:1px solid var(--lv-line);box-shadow:var(--lv-lift);padding:0.5em 1.1em 0.6em;display:grid;gap:0.15em 1.2em;align-items:center;grid-template-columns:auto minmax(0,1fr) auto;font-size:var(--lv-letters);font-variant-numeric:tabular-nums}.lv-scrub{position:relative;height:2.5em}.lv-scrub canvas{position:absolute;inset:0;height:100%}.lv-range{position:absolute;inset:0;contain:size layout style}.lv-scrub input{-webkit-appearance:none;appearance:none;position:absolute;inset:0;width:100%;height:100%;margin:0;background:none;cursor:pointer}.lv-scrub input::-webkit-slider-thumb{-webkit-appearance:none;width:14px;height:1.7em;opacity:0}.lv-scrub input::-moz-range-thumb{width:14px;height:1.7em;border:0;opacity:0}.lv-scrub input::-webkit-slider-runnable-track,.lv-scrub input::-moz-range-track{background:none}.lv-scrub input:focus-visible{border-radius:0.4em}.lv-says{grid-column:2 / 3}.lv-buttons{grid-row:span 2}.lv-side{grid-row:span 2;display:flex;gap:0.4em 1em;align-items:end}.lv-side>*{flex:none}.lv-side .lv-small{font-size:inherit;min-width:2.9em;height:2.3em;padding:0 0.6em}.lv-side select{height:2.19em;padding:0 0.4em}.lv .lv-ask{font-size:0.86em;font-weight:650}.lv-speed{display:flex;flex-direction:column;gap:0.15em;font-size:0.86em;color:var(--lv-muted)}.lv select{font:inherit;font-size:1.05em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-says-key{display:flex;flex-wrap:wrap;gap:0.2em 1.4em;align-items:baseline}.lv-says-key>:first-child{flex:1 1 22em;min-width:0}.lv-flips>span{gap:0.3em}.lv-flips>span::before{display:none}.lv-flips>[data-mark]::before{display:block;width:0.8em;height:0.75em;border-radius:0;background:var(--lv-plus);clip-path:polygon(0 100%,50% 0,100% 100%)}.lv-flips>[data-mark=off]::before{background:var(--lv-minus);clip-path:polygon(0 0,100% 0,50% 100%)}.lv-flips>[data-mark=sweep]::before{width:2px;height:0.9em;background:var(--lv-muted);clip-path:none}:where(.lv-term){font:inherit;letter-spacing:inherit;color:inherit;background:none;border:0;margin:0;padding:0;text-align:inherit;cursor:help;text-decoration:underline dotted;text-decoration-thickness:0.08em;text-underline-offset:0.22em}.lv-glued{white-space:nowrap}.lv-bars small .lv-term{display:block;width:100%}.lv-term:hover{text-decoration-style:solid}.lv-explains{position:fixed;inset:auto;margin:0;width:max-content;max-width:min(26em,92vw);padding:0.7em 0.9em;border:1px solid var(--lv-line);border-radius:0.6em;background:var(--lv-surface);color:var(--lv-ink);box-shadow:0 4px 22px rgb(0 0 0 / 0.22);font-family:var(--lv-font);font-size:clamp(13px,calc(9.5px + 0.35cqi),26px);font-weight:400;line-height:1.4;text-align:left;white-space:normal;letter-spacing:normal}.lv-explains b{font-weight:650;font-size:1em}.lv-explains p{margin:0.25em 0 0}.lv-explains .lv-small{margin-top:0.6em;font-size:0.95em}.lv-equations>div{margin:1em 0;padding:0.1em 0.6em;border-left:3px solid transparent}.lv-equations>[data-asked]{border-color:var(--lv-now);background:var(--lv-faint)}.lv-equations h3{font-size:1em;font-weight:400;color:var(--lv-muted)}.lv-equations h3 b{color:var(--lv-ink);font-weight:650}.lv-formula{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.12em;line-height:1.7;overflow-wrap:anywhere}.lv-equations.lv-help{max-width:min(48em,94vw)}.lv-told{flex:none;z-index:5;display:flex;flex-wrap:wrap;gap:0.4em 1.6em;align-items:center;background:var(--lv-surface);border-top:3px solid var(--lv-now);padding:0.6em 1.1em;font-size:var(--lv-letters);line-height:1.4}.lv-told-texts{flex:1 1 24em;display:grid;max-width:84em}.lv-told-texts>div{grid-area:1 / 1;visibility:hidden}.lv-told-texts>[data-shown=true]{visibility:visible}.lv-told p{font-size:1.06em}.lv-told a{color:var(--lv-focus);white-space:nowrap}.lv-told>.lv-row{gap:0.5em;margin-left:auto}.lv-told .lv-small{color:var(--lv-ink);height:2.5em;min-width:2.9em;font-size:0.95em}.lv .lv-told-next{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)}.lv .lv-told-next:hover{background:var(--lv-ink);opacity:0.88}.lv-told [aria-disabled=true]{opacity:0.35;cursor:default}.lv-told-count{color:var(--lv-muted);font-size:0.95em;white-space:nowrap}.lv-pointed{box-shadow:0 0 0 3px var(--lv-surface),0 0 0 6px var(--lv-now);border-radius:0.4em}.lv-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.lv-tip{position:fixed;z-index:20;pointer-events:none;background:var(--lv-ink);color:var(--lv-surface);font-size:clamp(12.5px,calc(8.5px + 0.35cqi),26px);line-height:1.4;padding:0.35em 0.6em;border-radius:0.4em;white-space:pre}.lv-caption,.lv-says{color:var(--lv-muted);font-size:0.95em}:is(.lv-caption,.lv-says) b{color:var(--lv-ink);font-weight:650}.lv-small{height:2em;font-size:0.88em;color:var(--lv-muted);border-color:var(--lv-line);padding:0 0.8em}.lv .lv-small[aria-pressed=true]{color:var(--lv-surface)}.lv-hold{color:var(--lv-muted);font-size:0.95em;margin-right:0.6em}.lv-hold>span{margin-right:0.3em}.lv-hold .lv-btn{min-width:0}.lv-why-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-maps{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0.8em}.lv-bars{display:grid;grid-template:repeat(4,1.95em) 2.3em / minmax(6.4em,auto) minmax(0,1fr) auto;column-gap:0.8em;align-items:center;padding-top:1.5em}.lv-bars>span{grid-column:1;color:var(--lv-muted);line-height:1.1}.lv-bars small{display:block;height:1.1em;font-size:0.82em}.lv-bars small .lv-box{height:1.1em;line-height:1.1em;color:var(--lv-ink)}.lv-bars>b{grid-column:3;text-align:right;font-weight:650;width:4.6em}.lv-bars>span:nth-last-child(2){color:var(--lv-ink);font-weight:650}.lv-why-title{flex:0 0 14.2em}.lv-verdict{margin:-0.2em 0 0.9em!important;max-width:76em}.lv-verdict .lv-box{white-space:normal;height:2.9em}.lv-verdict .lv-long{height:auto;min-height:2.9em}.lv-track{grid-area:1 / 2 / 6 / 3;align-self:stretch;position:relative}.lv-track canvas{position:absolute;inset:0;height:100%}.lv-who{min-height:11.5em}.lv-who-head{display:flex;align-items:center;flex-wrap:wrap;gap:0.3em 0.5em;color:var(--lv-muted);font-size:0.9em;margin-bottom:0.5em;white-space:nowrap}.lv-who-head b{color:var(--lv-ink);margin-left:auto}.lv-who select{min-width:0;flex:0 1 auto;padding:0.15em 0.3em}.lv-who[data-stale=true]{opacity:0.3}.lv-who .lv-caption{margin-top:0.4em}.lv .lv-hold-it{display:flex;width:100%;min-width:0;padding:0 0.2em;height:1.9em;font-size:0.8em;white-space:nowrap;margin-top:0.2em}.lv-partners{display:grid;grid-template-columns:1fr 1fr;gap:0.3em 1.6em;grid-column:1 / -1}.lv-partners[data-stale=true]{opacity:0.3}.lv-chips-row{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:0.4em}.lv-partners .lv-chips-row{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-partner>span{display:block;white-space:nowrap}.lv-who .lv-partner{width:100%}.lv-who .lv-partner>span:last-child{color:var(--lv-ink);font-weight:650}.lv-tile{font:inherit;font-size:0.84em;color:var(--lv-muted);background:none;border:0;padding:2px;border-radius:0.4em;cursor:pointer}.lv-partner{text-align:center}.lv-partner:hover{background:var(--lv-faint)}.lv-partner[data-on="1"]{color:var(--lv-ink);font-weight:650}.lv .lv-partner[data-on="1"] img{outline:2px solid var(--lv-lane0)}.lv-mosaics{display:grid;grid-template-columns:1fr 1fr;gap:1.6em}.lv-mosaics .lv-fill{aspect-ratio:2;cursor:pointer}.lv-rasters{display:grid;gap:0.8em}.lv-rasters[data-wide=false]{grid-template-columns:1fr 1fr;gap:1.6em}.lv-rasters .lv-fill{flex:none;cursor:pointer;touch-action:pan-y}.lv-meaning{margin-top:0.8em!important;max-width:60em}.lv-label small{font-size:0.9em}.lv-help{border:1px solid var(--lv-line);border-radius:0.75em;background:var(--lv-surface);color:var(--lv-ink);padding:1.2em 1.5em;font-size:clamp(15px,calc(10.5px + 0.34cqi),27px);max-width:min(34em,92vw);max-height:90vh;overflow-y:auto}.lv-help summary{cursor:pointer}.lv-help details,.lv-help .lv-caption{margin:0.9em 0}.lv-help::backdrop{background:rgb(0 0 0 / 0.45)}.lv-help dl{display:grid;grid-template-columns:auto auto;gap:0.4em 1.4em;margin:0.9em 0}.lv-words dl{display:block}.lv-words dt{margin-top:0.8em}.lv-help dt{font-weight:650}.lv-help dd{margin:0;color:var(--lv-muted)}.lv-matrix>header,.lv-mosaic>header,.lv-raster>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-matrix-body{display:grid;grid-template-columns:minmax(0,2.4fr) minmax(0,1fr);gap:1.6em}.lv-matrices{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.2em}.lv-matrices canvas{cursor:crosshair}.lv-pairs[data-named]{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr)}.lv-pairs:not([data-named]) .lv-axis{display:none}.lv-axis{list-style:none;margin:0;padding:0 0.4em 0 0;display:flex;flex-direction:column;font-size:0.82em;color:var(--lv-muted)}.lv-axis>li{flex:1 1 0;min-height:0;max-width:8em;display:flex;align-items:center;justify-content:flex-end;overflow:hidden;white-space:nowrap}.lv-axis:last-child{grid-column:2;flex-direction:row;padding:0.4em 0 0}.lv-axis:last-child>li{min-width:0;max-width:none;max-height:8em;writing-mode:vertical-rl;justify-content:flex-start}.lv-matrix[data-stale=true] .lv-matrices{opacity:0.35}.lv-pair-maps{display:grid;grid-template-columns:1fr 1fr;gap:0.8em}.lv-pair-value{font-size:1.6em;margin:0.5em 0 0.1em!important}.lv-truth>header,.lv-basins>header{display:flex;justify-content:space-between;align-items:baseline;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-truth-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-truth-body .lv-fill{height:15em}.lv-truth-body .lv-fill canvas{cursor:pointer}.lv-truth-body .lv-maps+p{margin-top:0.6em;font-size:0.86em}.lv-truth-body .lv-maps canvas{cursor:crosshair}.lv-truth,.lv-basins{contain:layout style}.lv-truth[data-stale=true] .lv-truth-body{opacity:0.35}.lv-table{border-collapse:collapse;table-layout:fixed;width:100%;font-size:0.95em}.lv-table th{font-weight:400;color:var(--lv-muted);text-align:left;padding:0.38em 0.6em 0.38em 0}.lv-table thead th{vertical-align:bottom;border-bottom:1px solid var(--lv-line)}.lv-table thead th+th,.lv-table td{text-align:right;padding-right:0;padding-left:0.9em}.lv-table thead th+th{width:22%}.lv-table td{position:relative}.lv-table b{font-weight:650}.lv-table tbody tr:first-child>*{border-bottom:1px solid var(--lv-line)}.lv-ladder-table tbody tr:first-child>*{border:0}.lv-rung{display:flex;height:4px;margin-top:0.2em}.lv-rung i{background:var(--lv-muted)}.lv-rung i+i{background:var(--lv-accent)}.lv-share{position:absolute;right:0;bottom:0.15em;max-width:calc(100% - 0.9em);height:3px;border-radius:2px;background:var(--lv-accent)}.lv .lv-mark{display:inline-block;width:1em;height:1em;margin-right:0.5em;vertical-align:-0.12em}.lv-absent{display:grid;gap:0.8em}.lv-absent .lv-row{gap:0.5em;flex-wrap:wrap}.lv-absent p{max-width:62em}.lv sup{line-height:0}.lv-basins-body{display:grid;grid-template-columns:minmax(0,61fr) minmax(0,39fr);gap:1.6em;min-height:14.5em}.lv-basins-body .lv-fill{min-height:14.5em}.lv-basins-body .lv-fill canvas{cursor:pointer}.lv-basins[data-stale=true] canvas{visibility:hidden}.lv-waiting{position:absolute;inset:0;display:grid;place-content:center;text-align:center}.lv-optimum{display:grid;grid-template-columns:minmax(5em,36%) minmax(0,1fr);gap:1.2em;align-items:start;align-content:start}.lv-optimum h3{font-size:1em;font-weight:650;margin-bottom:0.4em}.lv-optimum dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.15em 0.9em;margin:0 0 0.8em;font-size:0.95em}.lv-optimum dt{color:var(--lv-muted)}.lv-optimum dd{margin:0;grid-column:2}@container (max-width: 1280px){.lv-says .lv-box{white-space:normal;height:2.9em}}@container (max-width: 1000px){.lv-transport{padding:0.35em 0.6em 0.5em}.lv-buttons,.lv-side{grid-row:auto}.lv-says{grid-column:1 / -1}.lv-buttons .lv-btn span,.lv-speed-word{display:none}.lv-truth-body{grid-template-columns:1fr 1fr}.lv-truth-body>:last-child{grid-column:1 / -1}.lv-basins-body{grid-template-columns:minmax(0,1fr)}.lv-optimum{grid-template-columns:9em minmax(0,1fr)}.lv-mosaics,.lv-rasters[data-wide=false]{grid-template-columns:minmax(0,1fr)}.lv-matrix-body{grid-template-columns:minmax(0,1fr)}.lv-pair{max-width:22em}.lv-why-body{grid-template-columns:1fr 1fr}.lv-who{grid-column:1 / -1;min-height:9em}.lv-who .lv-chips-row{grid-template-columns:repeat(6,minmax(0,7em))}.lv-views{grid-template-columns:1fr 1fr 2fr}.lv-curve{grid-column:1 / -1}.lv-curve .lv-fill{min-height:8em}.lv-board{grid-template-columns:minmax(9em,14%) minmax(0,1fr)}}@container (max-width: 860px){.lv-transport{grid-template-columns:minmax(0,1fr) auto}.lv-scrub{grid-column:1 / -1;order:-1}.lv-buttons{justify-content:space-between}}@container (max-width: 720px){.lv-buttons,.lv-says,.lv-side{grid-column:1 / -1}.lv-says{order:3}.lv-side{order:4;justify-content:space-between;align-items:center}.lv-speed-word{display:inline}.lv-lane-menus{order:3;flex-basis:100%}.lv-in{padding:0.6em;gap:0.6em}.lv-board{grid-template-columns:minmax(0,1fr);gap:0.6em}.lv-input{flex-direction:row;grid-row:auto;align-items:flex-start;flex-wrap:wrap}.lv-input>.lv-pixels-box{width:6.5em}.lv-input>div:last-child{flex:1}.lv-input .lv-caption{min-height:2.7em}.lv-views{grid-template-columns:1fr 1fr;gap:0.8em}.lv-latents{grid-column:1 / -1}.lv-latents .lv-fill{aspect-ratio:2;flex:none}.lv-full-colour .lv-box{white-space:normal;height:2.9em}.lv-matrices .lv-label{flex-direction:column;height:auto;gap:0}.lv-truth-body{grid-template-columns:minmax(0,1fr);gap:1em}.lv-optimum{grid-template-columns:6.5em minmax(0,1fr);gap:0.8em}.lv-why-body,.lv-partners{grid-template-columns:minmax(0,1fr);gap:0.8em}.lv-bars{padding-top:0}.lv-verdict .lv-box,.lv-verdict .lv-long{height:5.8em;min-height:5.8em}.lv-verdict .lv-long{height:auto}.lv-chips-row,.lv-partners .lv-chips-row,.lv-who .lv-chips-row{grid-template-columns:repeat(4,minmax(0,1fr))}.lv-says-key>:first-child{flex-basis:100%}.lv-told{padding:0.5em 0.6em;gap:0.4em}.lv-speed{flex-direction:row;align-items:center;gap:0.4em}.lv-btn{min-width:2.4em;padding:0}.lv-btn span{display:none}.lv-why>header .lv-row{flex-wrap:wrap;gap:0.35em}.lv .lv-small{min-width:2.6em;height:2.3em;padding:0 0.7em}}@media(max-height:560px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport){max-height:3.7em;overflow-y:auto;overscroll-behavior:contain;grid-template-columns:auto minmax(0,1fr);align-items:start;padding-top:0.3em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{order:0;grid-column:1;grid-row:auto}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-scrub{order:1;grid-column:2}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-says,.lv-side){grid-column:1 / -1;order:3}}@media(max-height:560px)and (min-width:481px){@container (max-width: 600px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{flex-wrap:wrap;justify-content:flex-start;width:14em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons>:is(:first-child,:nth-child(6),:nth-child(7),:last-child){order:1}}}@media(max-height:560px)and (max-width:480px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-buttons,.lv-scrub){grid-column:1 / -1}}@media print{.lv{height:auto;zoom:0.8}.lv,.lv-in{display:block;overflow:visible}.lv-in{padding:0}.lv-in>*{margin-bottom:1em}.lv-in>[data-part]{content-visibility:visible}.lv-card{break-inside:avoid;box-shadow:none}.lv-fill canvas{object-fit:contain}.lv-transport,.lv-told,.lv-foot,.lv .lv-btn,.lv-save-card{display:none}}@media(prefers-reduced-motion:no-preference){.lv-btn{transition:background 0.12s}}@media(forced-colors:active){.lv-check::before,.lv-key span::before,.lv-legend i{forced-color-adjust:none}.lv-pointed{outline:3px solid Highlight}}\n';
var STYLE = themed(".lv") + style_default;
var Page = class {
  live = element("div", { class: "lv-sr", role: "status", "aria-live": "polite" });
  tipNode = element("div", { class: "lv-tip", hidden: true });
  colours;
  constructor(style = "", name = "lv") {
    this.root = element("div", { class: name, "data-scheme": "light" }, element("style", {}, STYLE + style));
  }
  appear(parent, list, { key, scheme, resized }) {
    const all = window[list] ||= [], resizes = new ResizeObserver(resized);
    const skip = ({ detail: part2 }) => {
      if (!this.root.isConnected) return;
      const node = this.placeOf(part2) ?? this.root;
      if (node.tabIndex < 0) node.tabIndex = -1;
      node.focus();
    };
    const keyed = (event) => {
      if (this.root.getClientRects().length) key(event);
    };
    parent.append(this.root);
    const unwatch = watchScheme(this.root, scheme);
    resizes.observe(this.root);
    document.addEventListener("keydown", keyed);
    window.addEventListener("lrbn-skip", skip);
    all.push(this);
    this.vanish = () => {
      unwatch();
      resizes.disconnect();
      document.removeEventListener("keydown", keyed);
      window.removeEventListener("lrbn-skip", skip);
      all.splice(all.indexOf(this), 1);
      this.root.remove();
    };
    return resizes;
  }
  placeOf(part2) {
    return part2 ? null : this.root;
  }
  tip(text, event) {
    const { tipNode } = this;
    tipNode.hidden = !text;
    if (!text || !event) return;
    tipNode.textContent = text;
    const { width, height } = tipNode.getBoundingClientRect();
    tipNode.style.left = `${Math.min(event.clientX + 14, window.innerWidth - width - 6)}px`;
    tipNode.style.top = `${Math.min(event.clientY + 16, window.innerHeight - height - 6)}px`;
  }
};
var ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
var xml = (text) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
var short = (value) => String(Math.round(value * 100) / 100);
function plainColour(colour) {
  const parts = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(colour);
  if (!parts) return [colour, 1];
  const hex = parts.slice(1, 4).map((value) => Math.round(Number(value)).toString(16).padStart(2, "0")).join("");
  return [`#${hex}`, parts[4] === void 0 ? 1 : Number(parts[4])];
}
var SAVED = ["matrix", "inset", "globalAlpha", "lineWidth", "lineJoin", "strokeStyle", "fillStyle", "font", "letterSpacing", "textAlign", "textBaseline", "imageSmoothingEnabled", "dash"];
var SvgContext = class {
  matrix = [1, 0, 0, 1, 0, 0];
  inset = "";
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin = "miter";
  strokeStyle = "#000000";
  fillStyle = "#000000";
  font = "10px sans-serif";
  letterSpacing = "0px";
  textAlign = "left";
  textBaseline = "alphabetic";
  imageSmoothingEnabled = true;
  dash = [];
  out = [];
  clips = [];
  path = [];
  shapes = [];
  stack = [];
  ruler = penOf(element("canvas"));
  constructor(width, height, title, description) {
    this.width = width;
    this.height = height;
    this.title = title;
    this.description = description;
  }
  save() {
    this.stack.push(Object.fromEntries(SAVED.map((name) => [name, this[name]])));
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }
  transform(a, b, c, d, e, f) {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }
  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y);
  }
  scale(x, y) {
    this.transform(x, 0, 0, y, 0, 0);
  }
  point(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }
  at(x, y) {
    return this.point(x, y).map(short).join(" ");
  }
  get size() {
    const [a, b] = this.matrix;
    return Math.hypot(a, b);
  }
  beginPath() {
    this.path = [];
    this.shapes = [];
  }
  moveTo(x, y) {
    this.path.push(`M${this.at(x, y)}`);
  }
  lineTo(x, y) {
    this.path.push(`L${this.at(x, y)}`);
  }
  rect(x, y, width, height) {
    this.roundRect(x, y, width, height, 0);
  }
  roundRect(x, y, width, height, radius) {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2)), { size } = this, [, turned] = this.matrix;
    const [left, top] = this.point(x, y);
    if (!turned) this.shapes.push({ left, top, width: width * size, height: height * size, r: r * size });
    const corner = (cx, cy) => r ? `A${short(r * size)} ${short(r * size)} 0 0 1 ${this.at(cx, cy)}` : "";
    const right = x + width, bottom = y + height;
    this.path.push(`M${this.at(x + r, y)}L${this.at(right - r, y)}${corner(right, y + r)}L${this.at(right, bottom - r)}${corner(right - r, bottom)}L${this.at(x + r, bottom)}${corner(x, bottom - r)}L${this.at(x, y + r)}${corner(x + r, y)}Z`);
  }
  arc(x, y, radius) {
    const r = short(radius * this.size);
    this.path.push(`M${this.at(x - radius, y)}A${r} ${r} 0 1 1 ${this.at(x + radius, y)}A${r} ${r} 0 1 1 ${this.at(x - radius, y)}Z`);
  }
  add(tag, attributes, content) {
    const all = Object.entries({ ...attributes, "clip-path": this.inset && `url(#${this.inset})` });
    const text = all.filter(([, value]) => value !== "" && value != null).map(([name, value]) => ` ${name}="${xml(value)}"`).join("");
    this.out.push(content === void 0 ? `<${tag}${text}/>` : `<${tag}${text}>${content}</${tag}>`);
  }
  outline(attributes) {
    if (this.shapes.length === 1 && this.path.length === 1) {
      const { left, top, width, height, r } = this.shapes[0];
      this.add("rect", { x: short(left), y: short(top), width: short(width), height: short(height), rx: r ? short(r) : "", ...attributes });
    } else if (this.path.length) {
      this.add("path", { d: this.path.join(""), ...attributes });
    }
  }
  paintOf(name, style) {
    const [colour, alpha] = plainColour(String(style)), opacity = alpha * this.globalAlpha;
    return { [name]: colour, [`${name}-opacity`]: opacity < 1 ? short(opacity) : "" };
  }
  fill() {
    this.outline(this.paintOf("fill", this.fillStyle));
  }
  stroke() {
    const { lineWidth, lineJoin, dash, strokeStyle } = this, { size } = this;
    this.outline({ fill: "none", ...this.paintOf("stroke", strokeStyle), "stroke-width": short(lineWidth * size), "stroke-linejoin": lineJoin === "miter" ? "" : lineJoin, "stroke-dasharray": dash.map((length) => short(length * size)).join(" ") });
  }
  setLineDash(dash) {
    this.dash = dash;
  }
  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }
  clip() {
    this.inset = `clip${this.clips.length}`;
    this.clips.push(`<clipPath id="${this.inset}"><path d="${this.path.join("")}"/></clipPath>`);
  }
  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  fillText(text, x, y) {
    const { font, letterSpacing, textAlign, textBaseline, fillStyle } = this;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down, width } = this.measureText(text);
    const [left, base] = this.point(x, y + (textBaseline === "middle" ? (up - down) / 2 : textBaseline === "top" ? up : 0));
    const { style, weight, size, family } = fontParts(font);
    this.add("text", { x: short(left), y: short(base), "font-family": family, "font-size": short(size * this.size), "font-weight": weight === "400" ? "" : weight, "font-style": style === "normal" ? "" : style, "letter-spacing": parseFloat(letterSpacing) ? short(parseFloat(letterSpacing) * this.size) : "", textLength: short(width * this.size), lengthAdjust: "spacingAndGlyphs", "text-anchor": textAlign === "center" ? "middle" : textAlign === "right" ? "end" : "", ...this.paintOf("fill", fillStyle) }, xml(text));
  }
  drawImage(source, ...place) {
    if (!(source instanceof HTMLCanvasElement || source instanceof HTMLImageElement)) throw new TypeError("SVG takes canvases and images only");
    const whole = source instanceof HTMLImageElement ? [source.naturalWidth, source.naturalHeight] : [source.width, source.height];
    const [sx, sy, sw, sh, x, y, width, height] = place.length === 8 ? place : [0, 0, ...whole, ...place];
    const part2 = element("canvas", { width: sw, height: sh });
    penOf(part2).drawImage(source, sx, sy, sw, sh, 0, 0, sw, sh);
    const [left, top] = this.point(x, y), { size } = this, sharp = !this.imageSmoothingEnabled;
    this.add("image", { x: short(left), y: short(top), width: short(width * size), height: short(height * size), preserveAspectRatio: "none", opacity: this.globalAlpha < 1 ? short(this.globalAlpha) : "", style: sharp ? "image-rendering: pixelated" : "", "image-rendering": sharp ? "optimizeSpeed" : "", "xlink:href": part2.toDataURL() });
  }
  toString() {
    const { width, height, clips } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}" role="img">
<title>${xml(this.title)}</title>
<desc>${xml(this.description)}</desc>
${clips.length ? `<defs>${clips.join("")}</defs>
` : ""}${this.out.join("\n")}
</svg>
`;
  }
};
function fontParts(font) {
  const [, before, size, family] = /^(.*?)([\d.]+)px(?:\/\S+)? (.*)$/.exec(font) ?? ["", "", "10", font];
  const weight = /\d{3}|bold/.exec(before)?.[0] || "400";
  return { style: before.includes("italic") ? "italic" : "normal", weight, size: Number(size), family: family.replaceAll('"', "'") };
}
var LEFT_OUT = ".lv-btn, .lv-row.lv-tools, .lv-hold, .lv-drawing-cursor, input, label, style, dialog, .lv-sr, .lv-tip, .lv-explains";
var PNG_SCALE = 2;
var MOST_PIXELS = 6e7;
var lengthOf = (text) => parseFloat(text) || 0;
var seen = (colour) => !/^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(colour);
var Picture = class {
  constructor(player, card2) {
    const { inner } = player, box2 = (card2 ?? inner).getBoundingClientRect();
    this.player = player;
    this.nodes = card2 ? [card2] : Array.from(inner.children);
    this.fontSize = parseFloat(getComputedStyle(player.board).fontSize);
    this.margin = lengthOf(getComputedStyle(inner).paddingTop);
    const around2 = card2 ? this.margin : 0, shown = this.nodes.map((node) => node.getBoundingClientRect());
    this.origin = { left: box2.left - around2, top: box2.top - around2 - (card2 ? 0 : inner.scrollTop) };
    this.width = box2.width + 2 * around2;
    this.bottom = Math.max(...shown.map((at) => at.bottom)) - this.origin.top;
    const measure = penOf(element("canvas"));
    this.lines = this.caption().flatMap(([font, text]) => {
      measure.font = font;
      return wrap(measure, text, this.width - 2 * this.margin).map((line2) => [font, line2]);
    });
    this.height = Math.ceil(this.bottom + 0.9 * this.margin + this.lines.length * 1.5 * this.fontSize + this.margin);
  }
  caption() {
    const { meta, lanes = [], transport, k } = this.player, size = `${this.fontSize}px ${FONT}`;
    const image = [meta.title, meta.caption].filter(Boolean).join(", ");
    const runs = lanes.map((lane) => `${lane.meta.title}: ${lane.howInWords}`).join("; ");
    const lines = [[`650 ${size}`, image], [size, `${transport.said(k)}.`], [size, `${runs}.`]];
    return lines.filter(([, text]) => text);
  }
  draw(context) {
    const { palette } = this.player.colours;
    context.fillStyle = palette.page;
    context.fillRect(0, 0, this.width, this.height);
    for (const node of this.nodes) this.node(context, node, 1);
    context.fillStyle = palette.ink;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.globalAlpha = 1;
    this.lines.forEach(([font, text], n) => {
      context.font = font;
      context.fillText(text, this.margin, this.bottom + 0.9 * this.margin + (1.5 * n + 1) * this.fontSize);
    });
  }
  place(box2) {
    return { x: box2.left - this.origin.left, y: box2.top - this.origin.top, width: box2.width, height: box2.height };
  }
  node(context, node, alpha) {
    if (node.matches(LEFT_OUT)) return;
    const style = getComputedStyle(node), box2 = this.place(node.getBoundingClientRect());
    if (style.display === "none" || style.visibility === "hidden" || !box2.width || !box2.height) return;
    const now = alpha * Number(style.opacity);
    context.globalAlpha = now;
    if (node instanceof HTMLSelectElement) return this.chosen(context, node, style, box2);
    const pixels = node instanceof HTMLCanvasElement || node instanceof HTMLImageElement;
    this.box(context, style, box2, pixels);
    this.mark(context, getComputedStyle(node, "::before"), style, box2);
    if (pixels) this.canvas(context, node, style, box2);
    if (style.outlineStyle !== "none" && !node.matches(":focus-visible")) this.outlineOf(context, style, box2);
    context.save();
    if (style.overflowX === "hidden") {
      context.beginPath();
      context.rect(box2.x, box2.y, box2.width, box2.height);
      context.clip();
    }
    for (const child of node.childNodes) {
      if (child instanceof Text) {
        context.globalAlpha = now;
        this.text(context, child, style);
      } else if (child instanceof Element) this.node(context, child, now);
    }
    context.restore();
  }
  box(context, style, { x, y, width, height }, square) {
    const radius = square ? 0 : lengthOf(style.borderTopLeftRadius);
    if (seen(style.backgroundColor)) {
      context.fillStyle = style.backgroundColor;
      context.beginPath();
      context.roundRect(x, y, width, height, style.borderTopLeftRadius.endsWith("%") ? Math.min(width, height) / 2 : radius);
      context.fill();
    }
    const side = (name) => style[`border${name}Style`] === "none" ? 0 : lengthOf(style[`border${name}Width`]);
    const top = side("Top"), right = side("Right"), bottom = side("Bottom"), left = side("Left");
    if (right && right === bottom && right === left) {
      context.strokeStyle = style.borderRightColor;
      context.lineWidth = right;
      context.beginPath();
      context.roundRect(x + right / 2, y + right / 2, width - right, height - right, Math.max(0, radius - right / 2));
      context.stroke();
    }
    if (!top || top === right && style.borderTopColor === style.borderRightColor) return;
    context.save();
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    if (radius) context.clip();
    context.fillStyle = style.borderTopColor;
    context.fillRect(x, y, width, top);
    context.restore();
  }
  outlineOf(context, style, { x, y, width, height }) {
    const line2 = lengthOf(style.outlineWidth);
    context.strokeStyle = style.outlineColor;
    context.lineWidth = line2;
    context.strokeRect(x - line2 / 2, y - line2 / 2, width + line2, height + line2);
  }
  mark(context, before, style, { x, y, height }) {
    if (before.content === "none" || !seen(before.backgroundColor)) return;
    const wide = lengthOf(before.width), high = lengthOf(before.height), round = before.borderTopLeftRadius.endsWith("%");
    context.save();
    context.translate(x + lengthOf(style.paddingLeft) + wide / 2, y + height / 2);
    if (before.transform !== "none") {
      const { a, b, c, d, e, f } = new DOMMatrix(before.transform);
      context.transform(a, b, c, d, e, f);
    }
    context.fillStyle = before.backgroundColor;
    context.beginPath();
    context.roundRect(-wide / 2, -high / 2, wide, high, round ? wide / 2 : lengthOf(before.borderTopLeftRadius));
    context.fill();
    context.restore();
  }
  canvas(context, canvas, style, { x, y, width, height }) {
    if (!("vector" in canvas && canvas.vector)) {
      context.imageSmoothingEnabled = style.imageRendering !== "pixelated";
      return context.drawImage(canvas, x, y, width, height);
    }
    context.save();
    context.translate(x, y);
    context.scale(width / canvas.width, height / canvas.height);
    canvas.vector(context);
    context.restore();
  }
  chosen(context, select, style, { x, y, width, height }) {
    const edge = lengthOf(style.paddingRight);
    this.letters(context, style);
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(select.selectedOptions[0]?.textContent || "", x + width - edge, y + height / 2);
  }
  letters(context, style) {
    context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    context.fillStyle = style.color;
  }
  text(context, node, style) {
    if (!node.data.trim()) return;
    const range = document.createRange(), lines = [];
    for (const { 0: word2, index } of node.data.matchAll(/\S+\s*/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word2.trimEnd().length);
      const box2 = range.getClientRects()[0], last = lines.at(-1);
      if (!box2) continue;
      if (last && Math.abs(last.box.top - box2.top) < 2) last.text += word2;
      else lines.push({ box: box2, text: word2 });
    }
    this.letters(context, style);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (const { box: box2, text } of lines) {
      const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText(text), { x, y, height } = this.place(box2);
      context.fillText(text.replace(/\s+/g, " ").trimEnd(), x, y + (height - up - down) / 2 + up);
    }
  }
  get title() {
    return this.lines.map(([, text]) => text).join(" ");
  }
  svg() {
    const context = new SvgContext(this.width, this.height, this.title, this.player.transport.sentence(this.player.k));
    this.draw(context);
    return new Blob([context.toString()], { type: "image/svg+xml" });
  }
  png() {
    const scale = Math.min(PNG_SCALE, Math.sqrt(MOST_PIXELS / (this.width * this.height)));
    const canvas = element("canvas", { width: Math.ceil(this.width * scale), height: Math.ceil(this.height * scale) });
    const context = penOf(canvas);
    context.scale(scale, scale);
    this.draw(context);
    return new Promise((done, fail) => {
      canvas.toBlob((blob) => {
        if (blob) done(blob);
        else fail(new Error("the browser made no picture of this size"));
      }, "image/png");
    });
  }
};
function wrap(context, text, width) {
  const lines = [];
  for (const word2 of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word2}` : word2;
    if (lines.length && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word2);
  }
  return lines;
}
function saveCard(player, name) {
  const title = player.presenter.titles[name];
  const button = (kind) => element("button", { type: "button", class: "lv-btn lv-small", "aria-label": `Save “${title}” as ${kind.toUpperCase()}`, title: `Save this card as ${kind.toUpperCase()}`, onclick: () => player.save(kind, name) }, kind.toUpperCase());
  return element("div", { class: "lv-save-card", role: "group", "aria-label": `Picture of “${title}”`, "data-part": "export" }, button("png"), button("svg"));
}
function bringIntoView(node) {
  let { top, bottom } = node.getBoundingClientRect();
  const page = document.scrollingElement;
  for (let at = around(node); at; at = around(at)) {
    if (at !== page && !/auto|scroll/.test(getComputedStyle(at).overflowY)) continue;
    const first = at === page ? 0 : at.getBoundingClientRect().top + at.clientTop;
    const above = top - first, below = bottom - first - at.clientHeight;
    const wanted = above * below > 0 ? above > 0 ? Math.min(above, below) : Math.max(above, below) : 0;
    const by = Math.min(Math.max(wanted, -at.scrollTop), at.scrollHeight - at.clientHeight - at.scrollTop);
    if (by) at.scrollBy({ top: by, behavior: "instant" });
    top = Math.max(top - by, first);
    bottom = Math.min(bottom - by, first + at.clientHeight);
  }
}
function around(node) {
  if (node.assignedSlot ?? node.parentElement) return node.assignedSlot ?? node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
var PICTURE_HEIGHTS = [220, 170, 130, 100, 76, 60, 46];
var LAYOUTS = [["whole", 0], ["quiet", 0], ...["quiet small", "quiet small beside", "quiet small lean"].flatMap((name) => PICTURE_HEIGHTS.map((tall) => [name, tall]))];
var TIGHT_HEIGHT = 76;
var PRESENTED = [...Array.from({ length: 24 }, (_, n) => ["present", 524 - 20 * n]), ...Array.from({ length: 25 }, (_, n) => ["present brief", 524 - 20 * n])];
var FIT_MIN_WIDTH = 1e3;
var SIDE_BY_SIDE_WIDTH = 560;
var MARGIN = 8;
function between(nodes) {
  const boxes2 = nodes.map((node) => node.getBoundingClientRect());
  return [Math.min(...boxes2.map(({ top }) => top)), Math.max(...boxes2.map(({ bottom }) => bottom))];
}
var Sight = class {
  owner = null;
  wanted = [];
  nodes = [];
  key = "";
  tight = false;
  tall = 0;
  whole = false;
  layout = 0;
  constructor(player) {
    this.player = player;
    this.resizes = new ResizeObserver(() => this.follow());
  }
  show(owner, nodes, now = nodes) {
    const { inner } = this.player, within = [nodes, now].map((some) => some.filter((node) => inner.contains(node)));
    this.clear();
    this.owner = owner;
    this.wanted = now.length < nodes.length ? within : within.slice(0, 1);
    if (!within[0].length) return this.end(owner);
    for (const node of [inner, ...within[0]]) this.resizes.observe(node);
    this.key = "";
    this.follow();
  }
  mark(nodes) {
    const { root, inner } = this.player;
    for (const node of root.querySelectorAll("[data-told]")) delete node.dataset.told;
    for (const node of nodes) {
      for (let at = node; at !== inner; at = at.parentElement) at.dataset.told ??= "in";
    }
    for (const node of nodes) node.dataset.told = "self";
    this.nodes = nodes;
  }
  end(owner) {
    if (this.owner !== owner) return;
    this.clear();
    this.owner = null;
    this.wanted = [];
    this.player.refresh();
  }
  clear() {
    this.resizes.disconnect();
    this.mark([]);
    this.set(null);
    this.player.root.removeAttribute("data-no-legends");
  }
  set(layout) {
    const { root } = this.player;
    root.toggleAttribute("data-input", Boolean(layout && this.player.input.node.dataset.told));
    if (!layout) {
      delete root.dataset.sight;
      return;
    }
    [root.dataset.sight] = layout;
    root.style.setProperty("--lv-tall", `${layout[1]}px`);
  }
  get seen() {
    return this.nodes.filter((node) => node.getClientRects().length);
  }
  get drawn() {
    return this.wanted[0].filter((node) => !node.closest("[data-hidden], [hidden]")).length;
  }
  get extent() {
    const [top, bottom] = between(this.seen);
    return { top: top - MARGIN, height: bottom - top + 2 * MARGIN };
  }
  get kept() {
    return between(this.tight ? this.seen.slice(0, 1) : this.seen);
  }
  get keptInRoom() {
    const [top, bottom] = this.kept, room = this.player.inner.getBoundingClientRect();
    return top >= room.top - 1 && bottom <= room.bottom + 1;
  }
  get fits() {
    return this.extent.height <= this.player.inner.clientHeight;
  }
  follow() {
    const { player } = this, { inner, presenter } = player;
    if (presenter.on) return this.present();
    if (!this.owner) {
      if (player.root.dataset.sight) this.clear();
      return;
    }
    if (!inner.clientHeight || !this.drawn) return;
    const key = [inner.clientWidth, window.innerHeight, this.drawn].join();
    if (key === this.key && (this.fits || this.tight)) {
      if (!this.whole) return;
      if (!this.keptInRoom) {
        if (this.tight) bringIntoView(this.seen[0]);
        else this.scroll();
      }
      this.remember();
      return;
    }
    this.key = key;
    const before = player.root.dataset.sight, layouts = LAYOUTS.filter(([name]) => !name.endsWith("beside") || inner.clientWidth >= SIDE_BY_SIDE_WIDTH);
    this.tight = !this.wanted.some((nodes) => {
      this.mark(nodes);
      return layouts.some((layout) => {
        this.set(layout);
        return this.fits;
      });
    });
    if (this.tight) this.set(["quiet small", TIGHT_HEIGHT]);
    this.scroll();
    player.sizes = /* @__PURE__ */ new WeakMap();
    if (before !== player.root.dataset.sight) player.refresh();
    else player.clock.dirty();
  }
  present() {
    const { player } = this, { inner, presenter } = player;
    this.resizes.observe(inner);
    const key = ["present", window.innerWidth, window.innerHeight, ...presenter.cards, presenter.captions].join(), anew = key !== this.key;
    const cards = presenter.cards.map((name) => presenter.nodes[name]).filter(Boolean);
    for (const node of cards) this.resizes.observe(node);
    const fits2 = () => {
      const boxes2 = cards.map((node) => node.getBoundingClientRect());
      return Math.max(...boxes2.map(({ bottom }) => bottom)) - Math.min(...boxes2.map(({ top }) => top)) <= inner.clientHeight - 2 * MARGIN;
    };
    if (!cards.length) return;
    if (!anew && (this.tight || fits2())) return;
    const first = anew ? 0 : this.layout;
    this.key = key;
    this.tight = inner.clientWidth < FIT_MIN_WIDTH || !PRESENTED.some((layout, n) => {
      if (n < first) return false;
      this.set(layout);
      this.layout = n;
      return fits2();
    });
    if (this.tight) this.set(null);
    this.showLegends();
    player.sizes = /* @__PURE__ */ new WeakMap();
    player.clock.dirty();
  }
  showLegends() {
    const { root, inner } = this.player;
    root.removeAttribute("data-no-legends");
    root.toggleAttribute("data-no-legends", !this.tight && inner.scrollHeight > inner.clientHeight);
  }
  scroll() {
    const { inner } = this.player, box2 = inner.getBoundingClientRect(), { top, height } = this.extent, spare = inner.clientHeight - height;
    inner.scrollBy({ top: top - box2.top - inner.clientTop - Math.max(0, spare) / 2, behavior: "instant" });
    bringIntoView(this.seen[0]);
    this.remember();
  }
  remember() {
    const [top, bottom] = this.kept;
    this.tall = bottom - top;
    this.whole = this.keptInRoom;
  }
  scrolled() {
    if (!this.owner || !this.seen.length) return;
    const [top, bottom] = this.kept;
    if (bottom - top === this.tall) this.remember();
  }
  remove() {
    this.resizes.disconnect();
  }
};
var sight_default = '.lv[data-sight] .lv-in>[data-part]{content-visibility:visible}.lv[data-sight~=quiet] :is(.lv-in>:not([data-told]),.lv-lane:not([data-told]),.lv-legends,.lv-card>.lv-legend,.lv-partners,.lv-lane-menus:not([data-told]),.lv-hold:not([data-told]),.lv-save-card,.lv-input-side:not([data-told])){display:none!important}.lv[data-sight~=quiet] .lv-in{padding:0.6em;gap:0.6em}.lv[data-sight~=quiet] .lv-board{gap:0.6em}.lv[data-sight~=quiet] .lv-card{padding:0.45em 0.8em 0.6em}.lv[data-sight~=quiet] .lv-card>header{margin-bottom:0.2em}.lv[data-sight~=quiet] :is(.lv-who,.lv-basins-body){min-height:0}.lv[data-sight~=quiet] .lv-verdict{margin:0 0 0.4em!important}.lv[data-sight~=quiet] .lv-verdict .lv-box{height:auto;min-height:0;contain:none}.lv[data-sight~=quiet] .lv-bars{padding-top:0}.lv[data-sight~=small] :is(.lv-input:not([data-told]),.lv-lane[data-told=in] figure:not([data-told]),.lv-why[data-told=in]>.lv-verdict:not([data-told]),.lv-why[data-told=in] .lv-why-body>:not([data-told]),.lv-why h2 small){display:none!important}.lv[data-sight~=small]:not([data-input]) .lv-board{grid-template-columns:minmax(0,1fr)}.lv[data-sight~=small] .lv-pixels{max-width:var(--lv-tall)}.lv[data-sight~=small] .lv-views .lv-fill{flex:none;height:var(--lv-tall);min-height:0;aspect-ratio:auto}.lv[data-sight~=small] .lv-input>.lv-pixels-box{width:var(--lv-tall);max-width:8em}.lv[data-sight~=small] .lv-views{grid-template-columns:minmax(6.9em,1fr) minmax(6em,1fr) minmax(0,1.6fr) minmax(0,1.8fr);gap:0.6em}.lv[data-sight~=small] .lv-views>figure{grid-column:auto;height:auto}.lv[data-sight~=small] [data-told=in] .lv-views{display:flex}.lv[data-sight~=small] [data-told=in] .lv-views>figure{flex:1}.lv[data-sight~=small] .lv-why[data-told=in] .lv-why-body{grid-template-columns:none;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr)}.lv[data-sight~=small] .lv-bars{grid-template-rows:repeat(4,1.85em) 2.18em;font-size:0.92em}.lv[data-sight~=small] .lv-curve .lv-label>span>span:last-child{display:none}.lv[data-sight~=small] .lv-truth-body .lv-fill{height:var(--lv-tall)}.lv[data-sight~=beside] .lv-board{display:flex;align-items:flex-start}.lv[data-sight~=beside] .lv-lane{flex:1 1 0}.lv[data-sight~=beside] .lv-lane:not([data-told=in]) .lv-views{grid-template-columns:1fr 1fr}.lv[data-sight~=beside] .lv-check{display:none}.lv.lv-presents[data-sight~=present] .lv-card .lv-pixels{max-width:var(--lv-tall)}.lv[data-sight~=present] .lv-views .lv-fill{flex:none;height:var(--lv-tall);min-height:0}.lv[data-sight~=present] .lv-views>figure{height:auto}.lv.lv-presents[data-no-legends] .lv-board>.lv-legends{display:none}.lv.lv-presents[data-sight~=brief] .lv-verdict{display:none}.lv.lv-presents[data-sight~=present] .lv-in{padding:0.3em 0.5em;gap:0.3em}.lv.lv-presents[data-sight~=present] .lv-card{padding:0.25em 0.7em 0.35em}.lv.lv-presents[data-sight~=present] .lv-card :is(header,.lv-label){margin-bottom:0.05em}@container (max-width: 1500px){.lv.lv-presents[data-sight~=present] .lv-card>.lv-legends,.lv.lv-presents[data-sight~=present][data-cards^=lane] .lv-curve .lv-label>span>span:last-child{display:none}.lv.lv-presents[data-sight~=present][data-cards^="image."] .lv-input-side>:not(.lv-tools){display:none}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who-head>span{flex:1 0 100%}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who-head{flex-wrap:wrap;gap:0.1em 0.4em;margin-bottom:0.2em}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who-head select{font-size:0.78em;padding:0.1em 0.2em}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who .lv-chips-row{grid-template-columns:repeat(3,minmax(0,1fr))}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who .lv-pixels{max-width:min(var(--lv-tall),2.6em);margin:0 auto}.lv.lv-presents[data-sight~=present][data-cards^=lane] .lv-label b{flex:0 0 6.4em}.lv.lv-presents[data-sight~=present][data-cards^=lane] .lv-curve .lv-label b{flex-basis:4.6em}.lv.lv-presents[data-sight~=present][data-cards="lane1.why"] .lv-views,.lv.lv-presents[data-sight~=present][data-cards="lane2.why"] .lv-views{grid-template-columns:6.4em 9.2em minmax(0,30fr) minmax(0,32fr)}.lv.lv-presents[data-sight~=present]:is([data-cards="lane1.why"],[data-cards="lane2.why"]) :is(.lv-reconstruction,.lv-error) .lv-pixels{max-width:min(var(--lv-tall),6.4em)}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-why-body{grid-template-columns:minmax(0,37fr) minmax(0,34fr) minmax(0,29fr)}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-maps .lv-pixels{max-width:5em}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-why-body>.lv-bars{grid-template-rows:repeat(4,1.5em) 1.85em}}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who{min-height:0}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who .lv-chips-row>:nth-child(n+4){display:none}.lv.lv-presents[data-sight~=present][data-cards*=lane] .lv-who :is(.lv-hold-it,.lv-caption){display:none}@container (max-width: 720px){.lv[data-sight] .lv-transport{max-height:6.6em;overflow-y:auto;overscroll-behavior:contain;align-items:start}.lv[data-sight~=quiet] :is(.lv-input:not([data-told])){display:none!important}.lv[data-sight~=quiet] .lv-in{padding:0.4em;gap:0.4em}.lv[data-sight~=small] .lv-held-words{display:none}.lv[data-sight~=lean] .lv-lane>header{flex-wrap:nowrap;white-space:nowrap}.lv[data-sight~=lean] .lv-check{display:block;min-width:0;overflow:hidden;text-overflow:ellipsis}.lv[data-sight~=lean] .lv-check::before{display:inline-block;margin-right:0.4em}.lv[data-sight~=small] .lv-views .lv-label{flex-direction:column;align-items:stretch;height:auto;gap:0;min-height:0;line-height:1.35}.lv[data-sight~=small] .lv-views .lv-label b{text-align:left;flex:none}.lv[data-sight~=small] .lv-why[data-told=self] .lv-who{display:none}.lv[data-sight~=small] .lv-why-body{gap:0.4em}.lv[data-sight~=small] .lv-why .lv-pixels{margin:0 auto}.lv[data-sight~=small] .lv-who .lv-chips-row{grid-template-columns:repeat(6,minmax(0,1fr))}.lv[data-sight~=small] .lv-truth[data-told=self] :is(.lv-legend,.lv-truth-body .lv-caption):not([data-told]){display:none}.lv[data-sight~=small] .lv-truth[data-told=self] :is(th,td){padding-block:0.1em}.lv[data-sight~=small] .lv-truth-body{gap:0.4em}.lv-told{max-height:42vh;overflow-y:auto}.lv-told-texts>:not([data-shown=true]){display:none}.lv-told p{font-size:1em}}@container (max-width: 559px){.lv[data-sight] .lv-transport{max-height:8.7em}.lv[data-sight] .lv-scrub{height:2.1em}.lv[data-sight~=small] .lv-why[data-told=in] .lv-why-body{grid-auto-flow:row}}@media(max-height:560px){.lv-told{max-height:34vh;overflow-y:auto;padding:0.3em 0.8em;flex-wrap:nowrap;align-items:flex-start}.lv-told-texts{flex-basis:0}.lv-told>.lv-row{position:sticky;top:0}.lv-told-texts>:not([data-shown=true]){display:none}.lv[data-sight~=small] .lv-why[data-told=self] .lv-why-body{grid-template-columns:minmax(0,4fr) minmax(0,5fr);gap:0.6em;align-items:center}.lv[data-sight~=small] .lv-why[data-told=self] .lv-bars{grid-template-rows:repeat(4,1.75em) 1.9em}.lv[data-sight~=small] .lv-why[data-told=self]>header{margin-bottom:0}}\n';
var views_default = { why: "Why is this unit on or off?", raster: "Units over sweeps", truth: "The exact posterior", ladder: "Distance from the posterior", basins: "Local optima", matrix: "Explain-away matrix", mosaic: "Filters", network: "Network" };
var MAKERS = /* @__PURE__ */ new Map();
function registerView(name, make) {
  if (!(name in views_default)) throw new Error(`views.json has no title for the view ${name}`);
  if (MAKERS.has(name)) throw new Error(`two views are called ${name}`);
  MAKERS.set(name, make);
}
var viewTitles = () => views_default;
var makeViews = (player) => Object.fromEntries(Object.keys(views_default).map((name) => {
  const make = MAKERS.get(name);
  if (!make) throw new Error(`no file of views.js registers the view ${name}`);
  return [name, make(player)];
}));
function seclude(node) {
  const made2 = [];
  for (let at = node; at !== document.body && at.parentNode; ) {
    const { parentNode } = at, parent = parentNode;
    for (const beside of parent.children) {
      if (beside !== at && beside instanceof HTMLElement && !beside.inert) {
        beside.inert = true;
        made2.push(beside);
      }
    }
    at = parent instanceof ShadowRoot ? parent.host : parent;
  }
  return () => {
    for (const each of made2) each.inert = false;
  };
}
var Presenter = class {
  cards = [];
  captions = true;
  before = ["lane1", "why"];
  letBack = null;
  view;
  happens = element("b");
  because = element("span");
  constructor(player) {
    this.player = player;
    this.titles = { ...choices_default.cards, ...viewTitles() };
    this.button = iconButton("present", "Presenter mode", "F", () => this.enter());
    this.button.classList.add("lv-present-it");
    this.button.dataset.part = "view";
    this.button.hidden = player.inNotebook;
    this.menus = [0, 1].map((at) => element("select", { "aria-label": at ? "Second card" : "First card", onchange: () => this.choose(this.menus.map(({ value }) => value)) }));
    const button = (text, title, onclick) => element("button", { type: "button", class: "lv-btn lv-small", title, onclick }, text);
    this.captionButton = button("captions", "Say below what happens", () => {
      this.say(!this.captions);
      player.callbacks.chose?.("captions");
    });
    this.themeButton = button("", "Dark or light page", () => {
      window.lrbnTheme?.choose(!window.lrbnTheme.dark);
      this.fill();
    });
    this.leaveButton = button("leave", "Leave presenter mode (Escape)", () => this.leave());
    this.leaveButton.setAttribute("aria-label", "Leave presenter mode");
    this.leaveButton.prepend(icon("leave"));
    this.seen = element("span", { class: "lv-foot-words", hidden: true });
    this.line = element("p", { class: "lv-caption-line" }, this.happens, " ", this.because);
    this.picture = element("canvas", { class: "lv-pixels lv-foot-image", role: "img", "aria-label": "Input image" });
    this.node = element("div", { class: "lv-foot", role: "group", "aria-label": "Presenter mode", hidden: true }, this.picture, this.seen, this.line, element("div", { class: "lv-presenter" }, ...this.menus, this.captionButton, this.themeButton, this.leaveButton));
  }
  get on() {
    return this.cards.length > 0;
  }
  get nodes() {
    const { input, cards, panels } = this.player, lanes = cards.map(({ node }, index) => [`lane${index + 1}`, node]);
    return Object.fromEntries([["image", input.node], ...lanes, ...Object.entries(panels).map(([name, { node }]) => [name, node])]);
  }
  presents(name) {
    return !this.on || this.cards.includes(name);
  }
  enter() {
    if (!this.player.inNotebook) this.choose(this.on ? this.cards : this.before);
  }
  leave() {
    if (!this.on) return;
    this.choose([]);
    this.button.focus();
  }
  choose(names) {
    const begins = !this.on;
    this.show(names);
    this.player.callbacks.chose?.("present");
    if (begins && this.on) this.leaveButton.focus();
  }
  show(names) {
    const wanted = new Set(names);
    this.cards = Object.keys(this.titles).filter((name) => wanted.has(name) && this.player.shows(name)).slice(0, constants_default.max_presented);
    if (this.on) this.before = this.cards;
    this.fill();
    this.player.refresh();
  }
  say(captions) {
    this.captions = captions;
    this.fill();
    this.player.refresh();
  }
  fill() {
    const { player, on, cards } = this, { root, board } = player;
    if (!on && !root.classList.contains("lv-presents")) return;
    player.sizes = /* @__PURE__ */ new WeakMap();
    root.classList.toggle("lv-presents", on);
    root.classList.toggle("lv-captions", this.captions);
    root.dataset.cards = cards.join(".");
    for (const [name, node] of Object.entries(this.nodes)) node.toggleAttribute("data-aside", on && !cards.includes(name));
    board.toggleAttribute("data-aside", on && !cards.some((name) => /^(image|lane\d)$/.test(name)));
    this.node.hidden = !on;
    const table = Boolean(player.lanes?.[0].variables);
    this.picture.hidden = cards.includes("image") || table;
    this.seen.hidden = cards.includes("image") || !table;
    if (player.lanes) {
      const [{ model: { rows, columns } }] = player.lanes;
      this.view = new PixelView(this.picture, rows, columns);
      this.picture.style.setProperty("--lv-shape", `${columns} / ${rows}`);
    }
    this.line.hidden = !this.captions;
    setAttribute(this.captionButton, "aria-pressed", String(this.captions));
    this.themeButton.hidden = !window.lrbnTheme;
    setText(this.themeButton, window.lrbnTheme?.dark ? "light" : "dark");
    this.menus.forEach((menu, at) => {
      const there = Object.keys(this.titles).filter((name) => name in this.nodes && player.shows(name) && name !== cards[1 - at]);
      menu.replaceChildren(...at ? [element("option", { value: "" }, "no second card")] : [], ...there.map((name) => element("option", { value: name }, this.titles[name])));
      menu.value = cards[at] ?? "";
    });
    if (on && !this.letBack && root.isConnected) this.letBack = seclude(root);
    if (!on) {
      this.letBack?.();
      this.letBack = null;
    }
    player.sight.follow();
  }
  paint(k) {
    if (!this.on) return;
    if (this.view && !this.picture.hidden && this.player.colours) this.player.input.paintOn(this.view, this.player.colours.tables);
    if (!this.seen.hidden) setText(this.seen, this.player.input.observedWords);
    if (!this.captions) return;
    setText(this.happens, `${this.player.transport.said(k)}.`);
    setText(this.because, Object.values(this.player.panels).map((panel) => panel.caption?.() ?? "").join(""));
  }
};
var present_default = '.lv [data-aside]{display:none!important}.lv.lv-presents{position:fixed;inset:var(--lv-lost, 0px) 0 0;width:auto;height:auto;z-index:1400}.lv-presents .lv-in,.lv-presents .lv-caption-line{font-size:calc(2 * var(--lv-letters))}.lv-presents .lv-in{padding:0.5em;gap:0.5em}.lv-presents .lv-card{padding:0.5em 0.7em 0.6em}.lv-presents .lv-board{grid-template-columns:minmax(0,1fr);gap:0.5em}.lv-presents .lv-input{grid-row:auto}.lv-presents[data-cards^="image.lane"] .lv-board{grid-template-columns:minmax(0,24%) minmax(0,1fr)}.lv-presents[data-cards=image] .lv-board{grid-template-columns:minmax(0,min(100%,62vh));justify-content:center}.lv-presents .lv-views{grid-template-columns:minmax(0,1fr) minmax(0,1fr) minmax(0,1.7fr)}.lv-presents .lv-curve{grid-column:1 / -1}.lv-presents .lv-curve .lv-fill{min-height:4.5em}.lv-presents[data-cards^="image.lane"] .lv-views{grid-template-columns:minmax(0,1fr) minmax(9.4em,1fr) minmax(0,1.7fr)}.lv-presents[data-cards="lane1.lane2"] .lv-views{grid-template-columns:minmax(7em,15fr) minmax(9.6em,19fr) minmax(11.4em,24fr) minmax(0,42fr);gap:0.6em}.lv-presents[data-cards="lane1.lane2"] .lv-curve{grid-column:auto}.lv-presents .lv-why-body{grid-template-columns:minmax(0,30fr) minmax(0,36fr) minmax(0,34fr);gap:0.8em}.lv-presents .lv-partners{display:none}.lv-presents .lv-maps{grid-template-columns:minmax(0,1fr)}.lv-presents[data-cards*="."] .lv-maps{grid-template-columns:repeat(3,minmax(0,1fr))}.lv-presents[data-cards=why] .lv-why-body{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.lv-presents[data-cards=why] .lv-maps{grid-template-columns:repeat(3,minmax(0,1fr))}.lv-presents:is([data-cards=lane1],[data-cards=lane2]) .lv-curve .lv-fill{min-height:7em}.lv-presents .lv-truth-body{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.lv-presents .lv-truth-body>:last-child{grid-column:1 / -1}.lv-presents .lv-truth-body .lv-maps{grid-template-columns:repeat(auto-fit,minmax(6em,1fr))}.lv-presents .lv-why-title{flex-basis:auto}.lv-presents .lv-why-title .lv-box{contain:none}.lv-presents.lv-captions :is(.lv-verdict,.lv-says),.lv-presents .lv-lane-menus,.lv-presents .lv-told{display:none}.lv-presents .lv-save-card{display:none}.lv-foot{flex:none;background:var(--lv-surface);border-top:1px solid var(--lv-line);padding:0.4em 1em 0;display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 1em}.lv-foot>:not(.lv-foot-image){grid-column:2}.lv .lv-foot-image{grid-row:1 / span 2;width:auto;height:6.5rem;aspect-ratio:var(--lv-shape);align-self:center}.lv-foot+.lv-transport{border-top:0;box-shadow:none}.lv-presents:not(.lv-captions) .lv-foot{align-items:center}.lv-presents:not(.lv-captions) .lv-foot-image{height:4rem;grid-row:1}.lv .lv-caption-line{line-height:1.3;min-height:2.6em;max-width:60em;margin:0 auto;text-wrap:balance}.lv-caption-line b{font-weight:650}.lv-caption-line span{color:var(--lv-muted)}.lv-presenter{display:flex;flex-wrap:wrap;gap:0.3em 0.6em;align-items:center;justify-content:center;font-size:var(--lv-letters);color:var(--lv-muted);padding-top:0.3em}.lv-presenter select{max-width:15em}.lv .lv-presenter .lv-small{font-size:0.95em}.lv-presenter svg{width:1.2em;height:1.2em}.lv-side .lv-present-it{min-width:2.4em;height:2.3em;border-color:var(--lv-line)}.lv-presents .lv-side{display:none}.lv-presents .lv-who .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(4.6em,1fr))}@container (min-width: 1100px){.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-views{grid-template-columns:minmax(6.4em,20vh) minmax(8.8em,20vh) 27fr 35fr;gap:0.8em}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-error canvas{max-width:20vh}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-error .lv-label b{flex-basis:6em}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-curve{grid-column:auto}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-board{display:contents}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-board>.lv-legends{order:1}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-bars{grid-template-rows:repeat(4,1.62em) 2em;padding-top:0}.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-card>header{margin-bottom:0.1em}}@container (min-width: 1100px) and (max-width: 1800px){.lv-presents[data-cards^=lane][data-cards$=".why"] .lv-hold{display:none}}@container (min-width: 1000px){.lv-presents[data-cards="why.matrix"] .lv-in{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);place-content:start stretch;align-items:start}.lv-presents[data-cards="why.matrix"] .lv-why-body{grid-template-columns:minmax(0,1fr) minmax(0,3fr);grid-template-rows:auto 1fr;gap:0.4em 0.8em}.lv-presents[data-cards="why.matrix"] .lv-maps{grid-template-columns:minmax(0,1fr);grid-row:1 / span 2;gap:0.2em}.lv-presents[data-cards="why.matrix"] .lv-bars{grid-template-rows:repeat(4,1.5em) 1.85em;padding-top:0;column-gap:0.5em}.lv-presents[data-cards="why.matrix"] .lv-who{min-height:0}.lv-presents[data-cards="why.matrix"] .lv-who-head{margin-bottom:0.2em}.lv-presents[data-cards="why.matrix"] .lv-who .lv-chips-row{grid-template-columns:repeat(3,minmax(0,1fr))}.lv-presents[data-cards="why.matrix"] .lv-who .lv-pixels{max-width:min(var(--lv-tall),2.6em);margin:0 auto}.lv-presents[data-cards="why.matrix"] .lv-who .lv-chips-row>:nth-child(n+4),.lv-presents[data-cards="why.matrix"] :is(.lv-hold,.lv-hold-it,.lv-who .lv-caption),.lv-presents[data-cards="why.matrix"] .lv-matrix :is(h2 small,p.lv-caption){display:none}.lv-presents[data-cards="why.matrix"] .lv-matrix-body{grid-template-columns:minmax(0,1fr);gap:0.3em}.lv-presents[data-cards="why.matrix"] .lv-matrices{gap:0.6em}.lv.lv-presents[data-cards="why.matrix"] .lv-matrix .lv-matrices .lv-pixels{max-width:min(24vh,var(--lv-tall, 24vh));margin:0 auto}.lv-presents[data-cards="why.matrix"] .lv-scale{margin-top:0.3em}.lv-presents[data-cards="why.matrix"] .lv-pair{display:flex;align-items:center;gap:0.8em;max-width:none}.lv-presents[data-cards="why.matrix"] .lv-pair-maps{gap:0 0.8em}.lv-presents[data-cards="why.matrix"] .lv-pair .lv-pixels{max-width:3em}.lv-presents[data-cards="why.matrix"] .lv-pair-value{font-size:1.1em;margin:0!important}}@container (min-width: 1000px) and (max-width: 1500px){.lv-presents[data-cards="why.matrix"] :is(.lv-pair .lv-pixels,.lv-why h2 small,.lv-who-head>span,.lv-scale span:nth-child(even)){display:none}.lv-presents[data-cards="why.matrix"] :is(.lv-matrix>header,.lv-who-head) select{font-size:0.78em;padding:0.1em 0.2em}.lv-presents[data-cards="why.matrix"] .lv-matrices .lv-label{height:auto;line-height:1.3}.lv-presents[data-cards="why.matrix"] .lv-matrices .lv-label b{font-size:0.78em}}@container (min-width: 721px){.lv-presents[data-cards=why] .lv-bars{grid-column:2;grid-row:1 / span 2}.lv-presents[data-cards=why] :is(.lv-maps,.lv-who){grid-column:1}}@container (max-width: 720px){.lv-side .lv-speed-word{display:none}.lv-presents .lv-board,.lv-presents .lv-why-body,.lv-presents .lv-truth-body{grid-template-columns:minmax(0,1fr)!important}.lv-presents .lv-views{grid-template-columns:1fr 1fr!important}.lv-presents .lv-latents,.lv-presents .lv-curve{grid-column:1 / -1!important}.lv-presents .lv-maps{grid-template-columns:repeat(3,minmax(0,1fr))}.lv-presents .lv-in select{max-width:100%}.lv-presents .lv-check{white-space:normal}.lv-presents .lv-views .lv-label{flex-wrap:wrap;white-space:normal;height:auto}}@container (max-width: 600px){.lv-presents .lv-in,.lv-presents .lv-card{padding:0.3em 0.4em}.lv-presents .lv-views,.lv-presents .lv-matrices,.lv-presents .lv-mosaics,.lv-presents .lv-rasters{grid-template-columns:minmax(0,1fr)!important}.lv-presents .lv-maps{grid-template-columns:repeat(auto-fit,minmax(5em,1fr))!important}.lv-presents .lv-bars{grid-template-columns:minmax(5.2em,auto) minmax(0,1fr) auto;column-gap:0.3em}.lv-presents .lv-bars>b{width:auto;min-width:3.9em}.lv-presents .lv-why-title{flex:1 1 100%}.lv-presents .lv-why-title .lv-box{white-space:normal;height:auto}.lv-presents .lv-in select{font-size:0.7em}.lv-presents .lv-table{table-layout:auto}.lv-presents .lv-table thead th+th{width:auto}.lv-presents .lv-table thead th+th,.lv-presents .lv-table td{padding-left:0.3em}.lv-presents .lv-scale span:nth-child(even){display:none}.lv-presents .lv-verdict .lv-box{height:auto;min-height:8.7em;contain:none}}\n';
var network_default = '.lv-network{border-top:3px solid var(--lv-accent)}.lv-network>header{display:flex;justify-content:space-between;align-items:center;gap:0.4em 1em;flex-wrap:wrap}.lv-network[data-stale=true] .lv-network-said{opacity:0.35}.lv-network-limit{display:inline-flex;align-items:center;gap:0.4em;color:var(--lv-muted);font-size:0.88em}.lv-network-limit b{color:var(--lv-ink);min-width:4.6em}.lv-network-limit input{width:9em;accent-color:var(--lv-accent)}.lv-network-stage.lv-fill{padding:3em 0 0.3em}.lv-network-stage canvas{pointer-events:none}.lv-network-row{display:flex;flex-wrap:wrap;justify-content:space-evenly;gap:1.6em 0.7em;max-width:calc(24em * var(--lv-nodes));margin-inline:auto}.lv-network-row+.lv-network-row{margin-top:var(--lv-network-gap, 6em)}.lv-node{position:relative;z-index:1;font:inherit;text-align:left;width:12.5em;max-width:100%;color:var(--lv-ink);background:var(--lv-surface);border:2px solid var(--lv-line);border-radius:0.35em;padding:0.35em 0.6em 0.45em;cursor:pointer}.lv-node[data-kind=latent]{border-radius:1.1em;padding:0.35em 0.9em 0.5em}.lv-network-row[data-many] .lv-node{width:10.6em;padding-inline:0.6em}.lv-node:hover{background:var(--lv-faint)}.lv-node[data-kind=visible][aria-disabled=true]{cursor:default}.lv-node[data-state=on]{border-color:var(--lv-ink)}.lv-node[data-kind=latent][data-state=on]{border-color:var(--lv-accent)}.lv-node[data-state=unknown]{border-style:dashed;border-color:var(--lv-muted)}.lv-node[data-decided]:not(:focus-visible){outline:3px solid var(--lv-now);outline-offset:2px}.lv-node-head{display:flex;justify-content:space-between;align-items:baseline;gap:0.5em}.lv-node-name{font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-node-state{font-size:0.88em;color:var(--lv-muted);white-space:nowrap}.lv-node[data-state=on] .lv-node-state{color:var(--lv-ink);font-weight:650}.lv-node-bars{display:grid;grid-template-columns:auto minmax(1.5em,1fr) auto;gap:0.05em 0.5em;align-items:center;font-size:0.82em;color:var(--lv-muted)}.lv-node-bars b{font-weight:400;color:var(--lv-ink)}.lv-node-track{height:0.7em;background:var(--lv-faint);border-radius:2px}.lv-node:hover .lv-node-track{background:var(--lv-line)}.lv-node-track i{display:block;height:100%;width:0;border-radius:2px;background:var(--lv-accent)}.lv-node-track i[data-bar=prior]{background:var(--lv-muted)}.lv-node-track i[data-bar=apart]{background:var(--lv-apart)}.lv-network-said{margin-top:0.9em!important;min-height:2.7em;max-width:62em}.lv-network-body>.lv-caption{font-size:0.88em;min-height:1.35em}.lv[data-sight~=quiet] .lv-network-body>.lv-caption,.lv[data-sight~=quiet] .lv-network-limit,.lv-presents .lv-network :is(.lv-caption,.lv-legends),.lv-presents .lv-network-limit,.lv-presents.lv-captions .lv-network-said{display:none}.lv-presents .lv-network-stage{font-size:0.74em}.lv-presents .lv-network h2 small{font-size:0.66em}.lv-presents[data-sight~=present] .lv-network-row+.lv-network-row{margin-top:clamp(3.6em,var(--lv-tall) / 3,8em)}@container (min-width: 1000px){.lv-presents[data-cards="why.network"] .lv-in{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.2fr);align-items:start}.lv-presents[data-cards="why.network"] .lv-why{order:-1}.lv-presents[data-cards="why.network"] .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv-presents[data-cards="why.network"] :is(.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why>header .lv-row,.lv-why h2 small,.lv-network h2 small){display:none}.lv-presents[data-cards="why.network"] .lv-bars{padding-top:0}.lv-presents[data-cards="why.network"] .lv-network-stage{font-size:0.66em}}.lv[data-sight~=small] .lv-network-stage.lv-fill{padding-top:2.4em}.lv[data-sight~=small] .lv-network-row+.lv-network-row{margin-top:clamp(3em,var(--lv-tall) / 3,6em)}@container (max-width: 720px){.lv-network-said{min-height:6.75em}.lv-network-body>.lv-caption{min-height:2.7em}.lv-network-row{gap:1.2em 0.5em}.lv-node{width:11.5em;padding:0.3em 0.45em 0.4em}.lv-node[data-kind=latent]{padding:0.3em 0.7em 0.45em}.lv-network-stage[data-columns]{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);column-gap:5.5em;padding:0.6em 0 0.3em 1.4em!important}.lv-network-stage[data-columns] .lv-network-row{flex-flow:column;gap:0.7em;margin:0!important;max-width:none}.lv-network-stage[data-columns] .lv-node{width:100%;padding-inline:0.4em}.lv-network-stage[data-columns] .lv-node-bars{column-gap:0.25em}}@media print{.lv-network-limit{display:none}.lv-network-stage{margin-inline:auto}}@media(forced-colors:active){.lv-node-track i{forced-color-adjust:none}}.lv.lv-presents[data-sight~=present] .lv-network-stage{font-size:clamp(9px,calc(var(--lv-tall) / 9),0.74em)}.lv.lv-presents[data-sight~=present] .lv-network-stage.lv-fill{padding-top:1.8em}.lv.lv-presents[data-sight~=present] .lv-network-row{gap:0.9em 0.7em}.lv.lv-presents[data-sight~=present] .lv-network-row+.lv-network-row{margin-top:clamp(3.2em,calc(var(--lv-tall) / 3),8em)}\n';
var THUMB = 14;
function setFace(button, face, word2) {
  const title = `${word2} (space)`;
  if (button.title === title && button.dataset.face === face) return;
  const keys = button.querySelector("kbd");
  button.replaceChildren(icon(face), ...keys ? [keys] : []);
  button.dataset.face = face;
  button.setAttribute("aria-label", word2);
  button.title = title;
}
var Scrub = class {
  k = 0;
  end = 0;
  canvas = element("canvas", { "aria-hidden": "true" });
  strip = element("canvas");
  constructor(label2, moved) {
    const changed = () => moved(this.k = Number(this.range.value));
    this.range = element("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": label2, oninput: changed });
    for (const name of ["keydown", "pointerdown", "focus"]) this.range.addEventListener(name, () => this.tell(), true);
    this.node = element("div", { class: "lv-scrub" }, this.canvas, element("div", { class: "lv-range" }, this.range));
  }
  fit() {
    fitCanvas(this.canvas);
    const { canvas: { width, height }, strip } = this;
    if (strip.width === width && strip.height === height) return false;
    Object.assign(strip, { width, height });
    return true;
  }
  ground(palette) {
    const { strip, strip: { width, height } } = this, context = penOf(strip), ratio = window.devicePixelRatio || 1, inset = THUMB / 2 * ratio;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.faint;
    context.beginPath();
    context.roundRect(inset, height * 0.3, width - 2 * inset, height * 0.4, 3 * ratio);
    context.fill();
    const x = (share) => inset + (width - 2 * inset) * share;
    return { context, width, height, ratio, x };
  }
  hide() {
    const context = penOf(this.canvas);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.strip, 0, 0);
    return context;
  }
  show(k, end, palette, moving) {
    this.k = k;
    this.end = end;
    const { width, height } = this.canvas, context = this.hide(), ratio = window.devicePixelRatio || 1;
    const x = (width - THUMB * ratio) * k / Math.max(1, end), tall = height * 0.68, top = (height - tall) / 2;
    const rings = [[0, palette.muted], [1, palette.surface], [3, palette.now]];
    for (const [inset, colour] of rings) {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(x + inset * ratio, top + inset * ratio, (THUMB - 2 * inset) * ratio, tall - 2 * inset * ratio, (6 - inset) * ratio);
      context.fill();
    }
    if (!moving) this.tell();
  }
  tell() {
    if (this.range.max !== String(this.end)) this.range.max = String(this.end);
    if (this.range.value !== String(this.k)) this.range.value = String(this.k);
  }
  say(text) {
    setAttribute(this.range, "aria-valuetext", text);
  }
};
var Controls = class {
  stale = true;
  says = box();
  palette;
  constructor(played, place, speeds, unit) {
    this.played = played;
    this.playButton = iconButton("play", "Play", "space", () => played.toggle());
    this.playButton.classList.add("lv-main");
    this.scrub = new Scrub(place, (k) => {
      played.pause();
      played.seek(k);
    });
    this.speed = element("select", { "aria-label": "Speed", onchange: () => played.setSpeed(Number(this.speed.value)) }, ...speeds.map((speed) => element("option", { value: speed }, `${many(speed)} ${unit}`)));
  }
  go(name, label2, keys, text) {
    return iconButton(name, label2, keys, () => this.played.move(name), text);
  }
  arrange(farther, side, says) {
    return element("div", { class: "lv-transport", role: "group", "aria-label": "Transport" }, element("div", { class: "lv-row lv-buttons" }, this.go("first", "First", "Home"), this.go("back", "Step back", "←"), this.playButton, this.go("step", "Step", "→"), ...farther, this.go("last", "Last", "End")), this.scrub.node, element("div", { class: "lv-side" }, ...side), says);
  }
  speedMenu(attributes = {}) {
    return element("label", { class: "lv-speed", ...attributes }, element("span", { class: "lv-speed-word" }, "Speed"), this.speed);
  }
};
var Transport = class extends Controls {
  n_visits = 0;
  lanes;
  of = 0;
  constructor(player) {
    super(player, "Visit", SPEEDS, "visits/s");
    this.player = player;
    this.showSpeed(player.clock.speed);
    const save = (kind, what) => element("button", { type: "button", class: "lv-btn lv-small", "aria-label": `Save this view as ${kind.toUpperCase()}`, title: what, onclick: () => player.save(kind) }, kind.toUpperCase());
    const { glossary } = player;
    this.flips = [element("span", { "data-mark": "on" }, "turns on"), element("span", { "data-mark": "off" }, "turns off")];
    this.act = document.createTextNode("at a ");
    this.key = element("div", { class: "lv-key lv-flips" }, ...this.flips, element("span", {}, this.act, glossary.word("visit", "visit")), element("span", { "data-mark": "sweep" }, "new ", glossary.word("sweep", "sweep")));
    this.node = this.arrange([this.go("flip", "Next flip", "Shift+→", "flip"), this.go("offBack", "Previous turned-off unit", "Shift+O"), this.go("off", "Next turned-off unit", "O", "off"), this.go("sweep", "Next sweep", "Page Down", "sweep")], [this.speedMenu({ "data-part": "speed" }), element("div", { class: "lv-speed", role: "group", "aria-label": "Picture of this view", "data-part": "export" }, element("span", { class: "lv-speed-word" }, "Picture"), element("div", { class: "lv-row" }, save("png", "Picture of this view, for slides (S)"), save("svg", "Picture of this view in lines and letters, for print"))), player.presenter.button, element("button", { type: "button", class: "lv-btn lv-small lv-ask", "aria-label": "Keys and help", title: "Keys and help (?)", onclick: () => player.help.show() }, "?")], element("div", { class: "lv-says lv-says-key" }, element("div", {}, this.says), this.key));
  }
  load(lanes, n_visits) {
    this.lanes = lanes;
    this.n_visits = n_visits;
    this.stale = true;
  }
  showSpeed(speed) {
    if (this.speed.value !== String(speed)) this.speed.value = String(speed);
  }
  paint(k, palette) {
    const { player } = this;
    if (this.scrub.fit() || this.stale || this.palette !== palette || this.of !== player.selected.lane) this.paintStrip(palette);
    const playing = player.clock.playing;
    this.scrub.show(k, this.n_visits, palette, playing);
    setFace(this.playButton, playing ? "pause" : "play", playing ? "Pause" : "Play");
    setRich(this.says, this.words(k));
    if (!playing) this.scrub.say(`visit ${many(k)} of ${many(this.n_visits)}`);
  }
  paintStrip(palette) {
    const { lane: of } = this.player.selected, lane = this.lanes[of], { context, height, ratio, x: along2 } = this.scrub.ground(palette), x = (k) => along2(k / Math.max(1, this.n_visits));
    context.fillStyle = palette.surface;
    if (lane.sweepStarts.length < 80) for (const k of lane.sweepStarts.slice(1)) context.fillRect(x(k) - ratio, height * 0.3, 2 * ratio, height * 0.4);
    const { flips, after, meta: { means } } = lane, half = 0.085 * height;
    for (const mark of this.flips) mark.hidden = Boolean(means);
    this.act.data = means ? "a bar: moved at a " : "at a ";
    if (means) {
      context.fillStyle = palette.lanes[of % 2];
      for (const k of flips) context.fillRect(x(k + 1) - 0.6 * ratio, height * 0.36, 1.2 * ratio, height * 0.28);
    } else for (const on of [1, 0]) {
      const [base, tip] = on ? [height * 0.3, height * 0.06] : [height * 0.7, height * 0.94];
      context.fillStyle = on ? palette.plus : palette.minus;
      context.beginPath();
      for (const k of flips) if (after[k] === on) {
        const at = x(k + 1);
        context.moveTo(at - half, base);
        context.lineTo(at + half, base);
        context.lineTo(at, tip);
        context.rect(at - half / 5, on ? base : height * 0.5, 0.4 * half, height * 0.2);
      }
      context.fill();
    }
    this.of = of;
    this.stale = false;
    this.palette = palette;
  }
  words(k) {
    const { lane: of } = this.player.selected, lane = this.lanes[of], at = `${many(k)} of ${many(this.n_visits)}`, { title, start } = lane.meta;
    if (k === 0) return ["Visit ", bold(at), `: the start${of || start ? ` (${[...of ? [title] : [], ...start ? [start] : []].join(": ")})` : ""}`];
    if (k > lane.n_visits) return ["Visit ", bold(at), `: ${lane.meta.title} has finished`];
    if (lane instanceof ParticleReplay) {
      return ["Visit ", bold(at), `, ${of ? `${title}, ` : ""}particle ${k + 1}: log weight ${number(lane.logOdds[k - 1], 2)}, `, bold(`${number(100 * lane.after[k - 1], 1)} %`), ` of the weight so far`];
    }
    const j = lane.currentUnit, flipped = lane.flippedNow, now = lane.stateOf(j);
    return ["Visit ", bold(at), `, ${of ? `${title}, ` : ""}sweep ${lane.currentSweep + 1}: ${lane.unitName(j)} `, flipped ? bold(`${lane.meta.means ? "moved to" : "turned"} ${now}`) : `stays ${now}`, `, log-odds ${signed(lane.logOdds[k - 1])}`];
  }
  said(k) {
    return plainText(this.words(k));
  }
  sentence(k) {
    const counts = this.lanes.map((lane) => `${lane.meta.title} ${lane.wrongInWords.replace("px wrong", "wrong pixels")}`).join(", ");
    return `${this.said(k)}. ${counts}.`;
  }
};
var variables_default = '.lv-variables{list-style:none;margin:0;padding:0;max-height:34em;overflow-y:auto;overscroll-behavior:contain}.lv-whole .lv-variables{max-height:none}.lv-reconstruction .lv-variables[data-many]{columns:2 13em;column-gap:1.2em}.lv-variable{display:grid;grid-template-columns:minmax(2.4em,1.4fr) repeat(var(--lv-bars, 1),minmax(1.2em,1fr)) auto;gap:0 0.5em;align-items:center;min-height:1.7em;font-size:0.92em;break-inside:avoid}.lv-variable-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-variable-track{position:relative;height:0.85em;background:var(--lv-faint);border-radius:2px}.lv-variable-bar{position:absolute;inset:0;background:var(--lv-accent, var(--lv-lane0));border-radius:2px;transform:scaleX(0);transform-origin:left}.lv-signed .lv-variable-bar{left:50%}.lv-signed::before{content:"";position:absolute;left:50%;top:-0.15em;bottom:-0.15em;width:1px;background:var(--lv-line)}.lv-variable-bar[data-sign=plus]{background:var(--lv-plus)}.lv-variable-bar[data-sign=minus]{background:var(--lv-minus)}.lv-variable-mark{position:absolute;top:-0.22em;bottom:-0.22em;width:3px;margin-left:-1.5px;background:var(--lv-ink);border-radius:1px}.lv-variable-value{min-width:2.5em;text-align:right;font-weight:400;color:var(--lv-muted)}.lv-variable[data-wrong] .lv-variable-value{color:var(--lv-bad);font-weight:650}.lv-variables-head{color:var(--lv-muted);min-height:1.5em}.lv-variable-switch{font:inherit;font-size:0.95em;width:100%;min-height:1.9em;grid-template-columns:auto minmax(0,1fr) auto;color:var(--lv-ink);background:none;border:0;border-radius:0.3em;padding:0 0.25em;text-align:left;cursor:pointer}.lv-variable-switch:hover{background:var(--lv-faint)}.lv-variable-switch[aria-disabled=true]{cursor:default}.lv-variable-switch:focus-visible{outline-offset:-2px}.lv-variable-box{width:0.95em;height:0.95em;border:1.5px solid var(--lv-ink);border-radius:2px}.lv-variable-switch[data-state=on] .lv-variable-box{background:var(--lv-ink)}.lv-variable-switch[data-state=unknown] .lv-variable-box{border-color:var(--lv-muted);background:var(--lv-hatch)}.lv-variable[data-state=unknown] .lv-variable-track{background:var(--lv-hatch)}.lv-variable-state{color:var(--lv-muted)}.lv-variable-switch[data-state=on] :is(.lv-variable-name,.lv-variable-state){color:var(--lv-ink);font-weight:650}.lv-input[data-table] .lv-pixels,.lv-input[data-table] .lv-drawing-cursor,.lv-lane[data-table] .lv-error,.lv-lane[data-table] .lv-reconstruction .lv-pixels{display:none}.lv .lv-lane[data-table] .lv-views .lv-reconstruction .lv-label b{display:block}.lv-lane[data-table] .lv-views{grid-template-columns:35fr 30fr 35fr}.lv-lane[data-table] .lv-views .lv-fill{min-height:8.5em;max-height:32em}.lv-presents .lv-variables-box,.lv-presents .lv-input .lv-variables{font-size:0.66em}.lv-presents .lv-variables{max-height:14em}.lv-presents .lv-namer,.lv:is([data-sight~=quiet],[data-sight~=small]) .lv-namer{display:none}.lv.lv-presents[data-cards] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr) minmax(0,1.2fr)}.lv:is([data-sight~=small],[data-sight~=present]) .lv-variables{max-height:max(5.2em,var(--lv-tall))}.lv[data-sight~=small] .lv-input[data-table]>.lv-pixels-box{width:auto;max-width:none}.lv[data-sight~=small] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(9em,1.4fr) minmax(0,1.3fr) minmax(0,1.6fr)}.lv-presents .lv-foot-words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}:is(.lv-partners,.lv-who)[data-named] .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(6.5em,1fr))}.lv-partner .lv-variable-name{display:block}.lv-maps[data-table]{display:block}.lv-maps[data-table]>figure{display:none}.lv-foot-words{overflow-wrap:anywhere}.lv-namer input{font:inherit;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;height:2em;width:12em;max-width:100%;padding:0 0.4em}@container (max-width: 1000px){.lv-lane[data-table] .lv-views{grid-template-columns:1fr 1fr}}@container (max-width: 720px){.lv-lane[data-table] .lv-reconstruction{grid-column:1 / -1}.lv-input[data-table]>.lv-pixels-box{width:100%}.lv-variable-switch{min-height:2.4em}}.lv-namer:has(button:not([hidden])){margin-right:0.6em}.lv-columns{--lv-columns-row: 1.55em;display:flex;align-items:flex-start;gap:0 0.9em;max-height:36em;overflow:auto;overscroll-behavior:contain}.lv-columns-names{flex:none;position:sticky;left:0;z-index:1;list-style:none;margin:0;padding:0 0.3em 0 0;max-width:13em;background:var(--lv-surface)}.lv-columns[data-titled]>.lv-columns-names{padding-top:1.6em}.lv-columns[data-headed]>.lv-columns-names{padding-top:1.2em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:2.8em}.lv-columns-names>li{height:var(--lv-columns-row);line-height:var(--lv-columns-row);font-size:1em}.lv-columns>figure{flex:var(--lv-columns-n) 1 0;min-width:max(6.2em,calc(0.7em * var(--lv-columns-n)));max-width:max(6.2em,calc(2.4em * var(--lv-columns-n)));margin:0}.lv-columns figcaption,.lv-columns-heads{display:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--lv-muted)}.lv-columns[data-titled] figcaption{display:block;height:1.6em;line-height:1.6em}.lv-columns[data-headed] .lv-columns-heads{display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr));height:1.2em;overflow:visible}.lv-columns-heads>span{display:flex;justify-content:center;font-size:0.8em;font-variant-numeric:tabular-nums}.lv-columns-heads>[data-at]{color:var(--lv-ink);font-weight:650}.lv-columns-box{position:relative;line-height:0}.lv .lv-columns-cells{display:block;width:100%;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));image-rendering:pixelated;border:0;border-radius:0;outline-offset:-2px}.lv-columns-box::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row),linear-gradient(to right,var(--lv-surface) 1px,transparent 0) 0 0 / calc(100% / var(--lv-columns-n)) 100%}.lv-columns-presses{position:absolute;inset:0;z-index:1;display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr))}.lv .lv-columns-presses>button{min-width:0;padding:0;border:0;background:none;cursor:pointer}.lv .lv-columns-presses>button:hover{box-shadow:inset 0 0 0 2px var(--lv-ink)}.lv .lv-columns-presses>button[aria-current=true]{box-shadow:inset 0 0 0 2px var(--lv-now)}@container (min-width: 1000px){.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-in{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) :is(.lv-curve,.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why h2 small,.lv-board>.lv-legends){display:none}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label{font-size:0.74em;flex-wrap:nowrap}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label b{flex:1 0 6.6em}}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables-box{font-size:clamp(9px,calc(var(--lv-tall) / 12),0.66em)}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables{max-height:none}@container (max-width: 720px){.lv-columns{gap:0 0.5em}.lv-columns[data-titled] figcaption{height:3em;line-height:1.5em;white-space:normal}.lv-columns[data-titled]>.lv-columns-names{padding-top:3em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:4.2em}.lv-columns>figure{min-width:max(3.7em,calc(0.7em * var(--lv-columns-n)))}}\n';
var Words = class {
  node = shutByItself(element("dialog", { class: "lv-help lv-words", "aria-label": "Glossary" }));
  constructor(equations) {
    this.equations = equations;
  }
  fill() {
    const entries = Object.entries(TERMS).sort(([, one], [, other]) => one.name.localeCompare(other.name, "en"));
    this.node.append(element("h2", {}, "Glossary"), element("p", { class: "lv-caption" }, "The words with a dotted underline on these pages, explained."), element("dl", {}, ...entries.flatMap(([key, { name, text, equation }]) => {
      const number2 = EQUATIONS.find((one) => one.key === equation)?.number;
      const lead = number2 && element("button", { type: "button", class: "lv-btn lv-small", "aria-label": `${name}: ${equationName(number2)}`, onclick: () => this.equations.show(equation ?? void 0) }, equationName(number2));
      return [element("dt", { "data-word": key }, name), element("dd", {}, text, ...lead ? [" ", lead] : [])];
    })), closeButton());
  }
  show() {
    if (!this.node.childElementCount) this.fill();
    this.node.showModal();
    this.node.scrollTop = 0;
  }
};
var REFERENCES = choices_default.references;
function askedOf(lane, j) {
  const decided = lane.k > 0 && !lane.meta.means && lane.currentUnit === j;
  return { decided, now: decided ? lane.decidedOn(lane.k) : lane.k };
}
var Walk = class {
  constructor(layer, j, x, rest, summed) {
    this.layer = layer;
    this.summed = summed;
    this.x = x;
    this.at = (j - layer.first) * layer.n_v;
    this.rest = rest;
    this.value = this.explained();
  }
  explained() {
    const { x, rest, at, summed, layer: { W, n_v, visible, precision } } = this;
    const { byOthers: byOthers2, raise } = UNITS[visible];
    let sum = 0;
    for (let i = 0; i < n_v; i++) if (Number.isNaN(x[i]) === summed) sum += summed ? raise(rest[i], W[at + i]) * (precision?.[i] ?? 1) : byOthers2(x[i], rest[i], W[at + i]);
    return sum;
  }
  change(unit, change) {
    const { rest, value, layer: { W, n_v, first } } = this;
    for (let i = 0, from = (unit - first) * n_v; i < n_v; i++) rest[i] += change * W[from + i];
    return (this.value = this.explained()) - value;
  }
};
function* whoChanged(lane, j, reference) {
  const { decided, now } = askedOf(lane, j), visit = lastVisit(lane, j, decided), first = !visit;
  const since = reference === "off" ? -1 : reference === "last" && visit ? lane.decidedOn(visit) : 0;
  const causes = [], about = since < 0 ? lane.model.rounded : !lane.tellsAll;
  if (lane.independent) return { decided, now, since, first, about: false, sum: 0, causes };
  const state = lane.earlier(now), layer = lane.layerOf(j), { n_v, W, b } = layer, at = (j - layer.first) * n_v;
  const end = lowerBound(lane.flips, now), { summed } = lane, apart3 = summed && (lane.whole || layer.layer > 0);
  if (since < 0 && !apart3) {
    const walk = new Walk(layer, j, state.under(layer).x, Float64Array.from(b), summed);
    for (const { visit: visit2, unit } of cameOn(lane, state.h, layer, end)) {
      if (unit !== j) causes.push({ visit: visit2, unit, after: state.h[unit], nats: walk.change(unit, state.h[unit]) });
      if (causes.length % 32 === 0) yield;
    }
  } else if (since >= 0) {
    const own = state.h[j], { x, a } = state.under(layer), walk = new Walk(layer, j, x, a.map((value, i) => value - own * W[at + i]), summed);
    for (const { n, visit: visit2, unit, after, change } of lane.moves(since, now)) {
      const its = layerAt(lane.model.layers, unit), up = its.layer - layer.layer;
      if (unit === j || !up && apart3) continue;
      const nats = lane.known?.change(n, j) ?? (!up ? -walk.change(unit, -change) : up === 1 ? change * its.W[(unit - its.first) * its.n_v + j - layer.first] : up === -1 ? change * W[at + unit - its.first] : 0);
      causes.push({ visit: visit2, unit, after, nats });
      if (causes.length % 32 === 0) yield;
    }
    causes.reverse();
  }
  return { decided, now, since, first, about, sum: causes.reduce((sum, { nats }) => sum + nats, 0), causes };
}
function lastVisit(lane, j, decided) {
  return (decided ? lane.previous[lane.k - 1] : lane.last[j]) + 1;
}
function cameOn({ flips, unit, meta }, h, { first, n_h }, end) {
  const came = /* @__PURE__ */ new Map();
  for (let n = end - 1; n >= 0; n--) {
    const u = unit[flips[n]];
    if (!came.has(u)) came.set(u, flips[n] + 1);
  }
  return Array.from({ length: n_h }, (_, n) => first + n).filter((u) => h[u]).map((u) => ({ unit: u, visit: came.get(u) ?? (meta.particles ? end : 0) })).sort((one, other) => one.visit - other.visit || one.unit - other.unit);
}
var NAMED = 3;
function subjectOf({ selected: { lane: index, unit }, cards }) {
  const { lane } = cards[index];
  if (unit >= 0) return { index, j: unit, lane };
  return { index, j: lane.k > 0 ? Math.max(0, lane.currentUnit) : lane.n_visits ? lane.unit[0] : 0, lane };
}
function termsAt(lane, j) {
  const { decided, now } = askedOf(lane, j);
  const state = decided && lane.meta.at_once ? lane.earlier(now) : lane, seen2 = logOddsTerms(state, j), terms = decided ? lane.decision(seen2, lane.k) : lane.exactly(seen2, now);
  return { decided, now, state, terms, facts: factsOf(lane, state.h, terms, decided) };
}
function factsOf(lane, h, terms, decided) {
  const { model, meta } = lane, { unit: j } = terms, { first, n_h, layer } = lane.layerOf(j), on = lane.h[j];
  const begins = lane.k === 0 && lane.n_visits > 0 && lane.unit[0] === j && !meta.means;
  let othersOn = 0;
  for (let u = first; u < first + n_h; u++) if (u !== j && h[u]) othersOn++;
  return { ...terms, layer, layers: model.layers.length, factorised: lane.summed && (lane.whole || layer > 0), summed: lane.summed, on, othersOn, decided, flipped: decided && lane.flippedNow, next: begins ? lane.after[0] : null, held: lane.held.has(j), sampled: meta.sampled, means: meta.means, unitNames: model.names, events: Boolean(variablesOf(model)) };
}
var namedCauses = (causes, othersSum) => causes.filter(({ nats }) => nats * othersSum > 0).sort((one, other) => Math.abs(other.nats) - Math.abs(one.nats)).slice(0, NAMED).map(({ unit }) => unit);
var UnitNamer = class {
  of = null;
  constructor(player, subject) {
    this.player = player;
    this.subject = subject;
    this.button = element("button", { type: "button", class: "lv-btn lv-small lv-name-it", onclick: () => this.begin() }, "name");
    this.field = element("input", { type: "text", maxlength: String(constants_default.max_name_length), autocomplete: "off", hidden: true, onkeydown: (event) => this.key(event), onblur: () => this.end() });
    this.complaint = element("span", { class: "lv-complaint", role: "alert" });
    this.node = element("div", { class: "lv-row lv-namer" }, this.button, this.field, this.complaint);
  }
  show(lane, j) {
    const offered = Boolean(this.player.callbacks.name);
    if (this.node.hidden === offered) this.node.hidden = !offered;
    if (!this.of) setAttribute(this.button, "aria-label", `Name ${unitName(lane.model, j)}`);
  }
  begin() {
    const of = this.of = this.subject(), { names } = of.lane.model;
    this.player.pause();
    this.field.value = names?.[of.j] ?? "";
    this.field.placeholder = unitName({}, of.j);
    this.field.setAttribute("aria-label", `Name of ${unitName(of.lane.model, of.j)}; Enter keeps it, Escape does not`);
    this.field.hidden = false;
    this.button.hidden = true;
    this.field.focus();
    this.field.select();
  }
  end(focus = false) {
    if (!this.of) return;
    this.of = null;
    setText(this.complaint, "");
    this.button.hidden = false;
    if (focus) this.button.focus();
    this.field.hidden = true;
  }
  key(event) {
    event.stopPropagation();
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Escape") this.end(true);
    else if (this.of) this.keep(this.of);
  }
  keep({ j, index, lane }) {
    const name = this.field.value.trim(), { model } = lane;
    const taken = Array.from({ length: model.n_h }, (_, k) => k).find((k) => k !== j && name !== "" && unitName(model, k) === name);
    if (taken !== void 0) return setText(this.complaint, `Another unit is called “${name}”. Choose a different name.`);
    this.end(true);
    this.player.callbacks.name?.(j, name, index);
  }
};
var word = (on) => on ? "on" : "off";
var against = ({ logOdds }, on) => on ? logOdds < -1e-6 : logOdds > 1e-6;
var called = ({ unit, unitNames }) => unitName({ names: unitNames }, unit);
function question(facts2) {
  const { on, decided, flipped, next, held, means } = facts2, now = word(on), it = called(facts2);
  if (means) return `${capital(it)}: mean ${on.toFixed(2)}`;
  if (decided) return flipped ? `Why did ${it} turn ${now}?` : `Why does ${it} stay ${now}?`;
  if (held) return `${capital(it)} is held ${now}`;
  if (next !== null) return `Will ${it} turn ${word(1 - on)}?`;
  return against(facts2, on) ? `${capital(it)} is ${now} for now` : `Why is ${it} ${now}?`;
}
function listed(names, all, unitNames) {
  const more = all - names.length, words = [...names.map((unit) => shortUnitName({ names: unitNames }, unit)), ...more ? [more > 1 ? `${more} others` : "one other"] : []];
  if (!names.length) return all > 1 ? `the ${all} others that are on` : "the other that is on";
  return `${unitNames ? "" : `unit${all > 1 ? "s" : ""} `}${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]}`;
}
function clauses(facts2, names) {
  const evidence2 = evidenceClause(facts2), own = ownClauses(facts2);
  return [evidence2, ...own, othersClause(facts2, names, (own.at(-1) ?? evidence2).sign < 0)];
}
function evidenceClause({ unit, layer, evidenceSum, unitNames, events }) {
  const it = called({ unit, unitNames }), below = layer ? `The units of layer ${layer}` : events ? "The observations" : "The pixels";
  if (isZero(evidenceSum)) return { text: `${below} are no evidence for ${it}`, sign: 0 };
  return { text: `${below} ${evidenceSum > 0 ? "support" : "are against"} ${it} (${termName("evidence")} ${signed(evidenceSum)})`, sign: Math.sign(evidenceSum) };
}
function ownClauses({ layer, layers, prior, aloneSum }) {
  const above = layer + 1 < layers, given = [[above ? `layer ${layer + 2} (${termName("prior")} ${signed(prior)})` : `its ${termName("prior")} (${signed(prior)})`, prior], [`${above ? "the unit's own" : "its"} ${termName("alone")} (${signed(aloneSum)})`, aloneSum]].filter(([, nats]) => !isZero(nats));
  const clause = (terms) => {
    const sign = Math.sign(terms[0][1]);
    return { text: `${terms.map(([text]) => text).join(" and ")} ${terms.length > 1 ? "are" : "is"} ${sign > 0 ? "for" : "against"} it`, sign };
  };
  if (given.length === 2 && given[0][1] * given[1][1] < 0) return given.map((term) => clause([term]));
  return given.length ? [clause(given)] : [];
}
function othersClause({ layer, layers, factorised, evidenceSum, aloneSum, othersSum, othersOn, means, unitNames, events, summed }, names, againstIt) {
  if (factorised) return { text: `it does not depend on other units${layers > 1 ? " of its layer" : ""}`, sign: NaN };
  if (!othersOn) return { text: "no other unit is on", sign: NaN };
  if (isZero(othersSum)) return { text: "the others that are on change nothing", sign: NaN };
  const one = othersOn === 1 && !means, who = means ? "the others" : listed(names, othersOn, unitNames), draws = one ? "draws" : "draw";
  const them = evidenceSum + aloneSum + othersSum > 0 ? "part of them" : "them", seen2 = !layer && events;
  const wanted = evidenceSum > 0 && !isZero(evidenceSum), nats = `(${termName("others")} ${signed(othersSum)})`, sign = Math.sign(othersSum);
  if (summed) return { text: `${who} ${sign > 0 ? one ? "supports" : "support" : one ? "is against" : "are against"} it by way of ${events ? "what is not observed" : "the pixels that are not known"} ${nats}`, sign };
  if (othersSum > 0) return { text: `${who} ${one ? "supports" : "support"} it ${nats}`, sign };
  if (!wanted) return { text: `${who} ${one ? "is" : "are"} against it${againstIt ? " as well" : ""} ${nats}`, sign };
  const already = seen2 ? one ? "explains" : "explain" : layer ? `${one ? "accounts" : "account"} for` : draws;
  return { text: `${who} already ${already} ${them} ${nats}`, sign };
}
function outcome(facts2) {
  const { on, decided, flipped, next, held, sampled, means, logOdds } = facts2, now = word(on), unlikely = against(facts2, on);
  if (means) return `its mean is ${on.toFixed(2)}`;
  if (decided) {
    const verb = `it ${flipped ? "turns" : "stays"} ${now}`;
    if (sampled && unlikely) return `${verb} all the same, drawn at a temperature above 0`;
    return sampled ? `${verb}, the likelier state` : verb;
  }
  if (held) return `it is held ${now}; free, it would more likely be ${word(logOdds > 0 ? 1 : 0)}`;
  const still = unlikely ? `it is ${now}, though ${word(1 - on)} is likelier` : `it is ${now}, the likelier state`;
  return next === null ? still : `${still}; visit 1 ${next === on ? "leaves" : "turns"} it ${word(next)}`;
}
function verdict(facts2, names = []) {
  const said = clauses(facts2, names);
  let text = said[0].text, { sign } = said[0], turns = 0;
  said.slice(1).forEach((clause, n) => {
    const last = n === said.length - 2, but = clause.sign * sign < 0 && (turns++ % 2 ? "yet" : "but");
    text += `, ${but || (last ? "and" : "")}`.trimEnd() + ` ${clause.text}`;
    if (clause.sign) sign = clause.sign;
  });
  return `${text}: ${outcome(facts2)}.`;
}
function emptyListWords(facts2, sign, names) {
  const { othersSum, unitNames, summed } = facts2;
  if (sign * othersSum <= COMPETE) return "none";
  const against2 = summed ? `are against ${called(facts2)}` : `explain ${called(facts2)} away`, does = sign < 0 ? against2 : `support ${called(facts2)}`, most = names.length ? `; ${listed(names, names.length, unitNames)} most` : "";
  return `None by itself: no single unit ${sign < 0 ? "lowers" : "raises"} the log-odds by more than half a nat. The units that are on ${does} together (${termName("others")} ${signed(othersSum)})${most}.`;
}
var MIN_RANGE = 1;
var ROUNDS_TO_ZERO = 5e-3;
function paintWaterfall(canvas, terms, sum, palette, last) {
  fitCanvas(canvas);
  let at = 0;
  const bars = terms.map((value) => [at, at += value]), all = [...bars.flat(), sum];
  bars.push([0, sum]);
  let low = Math.min(0, ...all), high = Math.max(0, ...all);
  const spare = Math.max(0, MIN_RANGE - (high - low)) / 2;
  low -= spare;
  high += spare;
  repaint(canvas, canvas.vector = (pen) => {
    const { width, height } = canvas, ratio = window.devicePixelRatio || 1, row = height * (1 - last) / terms.length, half = row * 0.28;
    const x = (value) => ratio + (width - 2 * ratio) * (value - low) / (high - low);
    const y = (n) => n < terms.length ? (n + 0.5) * row : height * (1 - last / 2);
    pen.fillStyle = palette.line;
    pen.fillRect(0, height * (1 - last), width, ratio);
    pen.fillStyle = palette.muted;
    pen.fillRect(x(0) - ratio / 2, 0, ratio, height);
    bars.forEach(([from, to], n) => {
      pen.fillStyle = Math.abs(to - from) < ROUNDS_TO_ZERO ? palette.muted : to > from ? palette.plus : palette.minus;
      pen.fillRect(x(Math.min(from, to)), y(n) - half, Math.max(2 * ratio, x(Math.max(from, to)) - x(Math.min(from, to))), 2 * half);
      if (n === terms.length) return;
      pen.fillStyle = palette.muted;
      pen.fillRect(x(to) - ratio / 2, y(n) + half, ratio, y(n + 1) - y(n) - 2 * half);
    });
  });
}
var MOST = 6;
var WhoView = class {
  sum = element("b");
  tiles = element("div", { class: "lv-chips-row" });
  words = element("p", { class: "lv-caption" });
  kept = null;
  constructor(player) {
    this.player = player;
    this.reference = element("select", { "aria-label": "Compared with", "data-part": "since", onchange: () => player.compareWith(this.reference.value) }, ...Object.entries(REFERENCES).map(([value, text]) => element("option", { value }, text)));
    this.node = element("div", { class: "lv-who", role: "group", "aria-label": "Changes of the log-odds" }, element("div", { class: "lv-who-head" }, element("span", {}, "Changes compared with"), this.reference, this.sum), this.tiles, this.words);
  }
  choose(reference) {
    if (this.reference.value !== reference) this.reference.value = reference;
  }
  clear() {
    this.tiles.replaceChildren();
    this.words.textContent = this.sum.textContent = "";
  }
  show(lane, index, j, change, colours2) {
    const { causes, sum } = change, nearly = change.about ? "≈" : "", strongest = causes.filter(({ nats }) => nats !== 0).sort((one, other) => Math.abs(other.nats) - Math.abs(one.nats));
    const kept = this.keptFor(lane, index, j), shown = kept ? kept.map((unit) => together2(causes, unit, lane)) : strongest.slice(0, MOST);
    const left = strongest.filter(({ unit }) => !shown.some((cause) => cause.unit === unit));
    const within = this.tiles.contains(this.node.getRootNode().activeElement);
    const units = shown.map(({ unit }) => unit), before = within ? this.focused : void 0;
    this.tiles.replaceChildren(...shown.map((cause) => this.tile(lane, index, j, cause, colours2, nearly, units)));
    const same = before ? this.tiles.querySelector(before) : null;
    if (within) (same ?? this.tiles.querySelector("button") ?? this.reference).focus();
    this.sum.textContent = lane.independent ? "" : `${nearly}${signed(sum)} nats`;
    this.words.textContent = this.inWords(lane, change, shown.length, left);
    setAttribute(this.node, "aria-label", `Changes of the log-odds: ${lane.independent ? "no other unit" : `${nearly}${signed(sum)} nats compared with ${REFERENCES[this.reference.value]}`}`);
  }
  nameOf(index, j) {
    return [index, j, this.reference.value, this.player.meta.caption].join(".");
  }
  keptFor(lane, index, j) {
    const { kept } = this;
    if (!kept) return null;
    if (kept.k === null && lane !== kept.before) kept.k = lane.k;
    if (kept.of !== this.nameOf(index, j) || (kept.k ?? lane.k) !== lane.k) this.kept = null;
    return this.kept && this.kept.units;
  }
  get focused() {
    const button = this.node.getRootNode().activeElement, unit = button?.dataset.unit;
    return unit === void 0 ? void 0 : `[data-unit="${unit}"]${button?.dataset.part ? "[data-part]" : ":not([data-part])"}`;
  }
  inWords(lane, { since, first, about }, shown, left) {
    if (lane.independent) return `Given the image, the units of this model do not depend on each other: each decides by itself, so two units that ${lane.variables ? "cause the same event are both taken to be its cause" : "draw the same stroke both draw it"}.`;
    const { particles } = lane.meta, from = since < 0 ? "" : this.reference.value === "last" ? particles && !first ? "Since the particle before. " : first ? "It was not visited before: since the start. " : `Since the state in which it was last visited, ${since ? `after visit ${many(since)}` : "the start"}. ` : "";
    const units = since < 0 || particles ? "unit" : "flip", more = left.reduce((all, { nats }) => all + nats, 0);
    const off = about ? `≈: ${since < 0 ? "by rounded weights" : lane.offInWords}.` : "";
    if (left.length) return `${from}${left.length} more ${units}${left.length > 1 ? "s" : ""}: ${about ? "≈" : ""}${signed(more)} nats together. ${off}`;
    if (shown) return from + off;
    if (since < 0 && lane.model.restricted && lane.whole) return "Units of one layer of this model do not depend on each other.";
    return from + (since < 0 ? "No other unit of its layer is on." : `No ${particles ? "change" : "flip"} of another unit changed it.`);
  }
  tile(lane, index, j, { visit, unit, after, nats }, { tables }, nearly, units) {
    const { player } = this, means = lane.meta.means, now = means ? `mean ${after.toFixed(2)}` : after ? "on" : "off";
    const came = lane.held.has(unit) ? `is held ${now}` : visit ? `${means ? "moved to" : "turned"} ${now} at visit ${many(visit)}` : `${now} since the start`;
    const go = element("button", { type: "button", class: "lv-tile lv-partner", "data-visit": visit, "data-unit": unit, title: `${lane.nameOf(unit)} ${came}: ${nearly}${signed(nats)} nats. Go there.`, "aria-label": `${lane.nameOf(unit)} ${came}, ${nearly}${signed(nats)} nats; go there`, onclick: () => {
      player.pause();
      player.seek(visit);
    } }, filterPicture(lane, unit, tables), element("span", {}, `${shortUnitName(lane.model, unit)} ${means ? "" : now}`), element("span", {}, `${nearly}${signed(nats, 1)}`));
    if (!player.holds(index) || means) return element("div", {}, go);
    const held = lane.held.has(unit), state = held ? "free" : after ? "off" : "on";
    const hold = element("button", { type: "button", class: "lv-btn lv-small lv-hold-it", "data-part": "hold", "data-unit": unit, "aria-label": held ? `Free ${lane.unitName(unit)}` : `Hold ${lane.unitName(unit)} ${state}, and see`, title: held ? "Free this unit" : `Hold ${lane.unitName(unit)} ${state}, as it was before, and see`, onclick: () => {
      this.kept = { of: this.nameOf(index, j), units, before: lane, k: null };
      player.select(index, j);
      player.callbacks.hold?.(unit, state, index);
    } }, held ? "free" : `hold ${state}`);
    hold.toggleAttribute("data-hidden", !player.shows("hold"));
    return element("div", {}, go, hold);
  }
};
function together2(causes, unit, lane) {
  const its = causes.filter((cause) => cause.unit === unit), last = its.at(-1);
  return { visit: last?.visit ?? 0, unit, after: last?.after ?? lane.h[unit], nats: its.reduce((sum, { nats }) => sum + nats, 0) };
}
var TERMS2 = [["prior", "prior"], ["evidence", "evidence"], ["alone", "alone"], ["others", "others"], ["logOdds", "log-odds"]];
var LAST = 2.3 / (4 * 1.95 + 2.3);
var MIN_FULL_COLOUR = 0.01;
var PARTNERS = 8;
var WhyCard = class {
  waits = true;
  title = box();
  note = element("small");
  verdict = box();
  effect = box();
  fullColour = box();
  maps = element("div", { class: "lv-maps" });
  variables = new VariableBars([{ kind: "signed", title: "Weight", help: "The unit's weight for each" }, { kind: "signed", title: "Evidence", help: "What each says for the unit" }, { kind: "signed", title: "Others", help: "What the units that are on change: blue explains away, orange supports" }]);
  partners = element("div", { class: "lv-partners" });
  bars = element("canvas", { "aria-hidden": "true" });
  values = { prior: box(), evidence: box(), alone: box(), others: box(), logOdds: box() };
  shape = [0, 0];
  under = null;
  model;
  views;
  terms;
  interactions;
  change;
  facts;
  named = { of: "", units: [] };
  constructor(player) {
    this.player = player;
    this.who = new WhoView(player);
    this.follow = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => player.select(player.selected.lane, -1) }, "follow the visits");
    const hold = (state, text, label2) => element("button", { type: "button", class: "lv-btn lv-small", "data-state": state, "aria-label": label2, onclick: () => {
      const { j, index } = this.subject();
      player.hold(j, state, index);
    } }, text);
    this.holds = [hold("on", "on", "Hold this unit on"), hold("off", "off", "Hold this unit off"), hold("free", "free", "Free this unit")];
    this.freeAll = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => player.hold(-1, "free", this.subject().index) }, "free all");
    this.holding = element("div", { class: "lv-row lv-hold", role: "group", "aria-label": "Hold the unit", "data-part": "hold" }, element("span", {}, "hold"), ...this.holds, this.freeAll);
    this.namer = new UnitNamer(player, () => this.subject());
    this.effectTerm = player.glossary.word("explain-away", this.effect);
    const rows = TERMS2.map(([name, key]) => [element("span", {}, player.glossary.word(key, termName(key)), name === "others" ? element("small", {}, this.effectTerm) : null), element("b", {}, this.values[name])]);
    this.table = element("div", { class: "lv-bars", role: "group", "aria-label": "the terms of the log-odds" }, element("div", { class: "lv-track" }, this.bars), ...rows.flat());
    this.node = card({ class: "lv-why", "aria-label": "Why is this unit on or off?" }, [element("span", { class: "lv-why-title" }, this.title), this.note], [element("div", { class: "lv-row" }, this.namer.node, this.holding, this.follow)], element("p", { class: "lv-verdict" }, this.verdict), element("div", { class: "lv-why-body" }, this.maps, this.table, this.who.node, this.partners), element("div", { class: "lv-legends" }, legend([["square", "plus", "for the unit"], ["square", "minus", "against it"], ["ring", "lane0", "a unit that is on"]]), element("span", { class: "lv-caption lv-full-colour" }, this.fullColour)));
  }
  load([{ model }]) {
    const { rows, columns } = model;
    if (this.shape[0] !== rows || this.shape[1] !== columns) this.views = this.makeMaps(rows, columns);
    if (this.model !== model) {
      this.partners.replaceChildren();
      this.who.clear();
    }
    this.model = model;
    for (const node of [this.partners, this.who.node]) node.toggleAttribute("data-named", Boolean(model.names));
    this.maps.toggleAttribute("data-table", Boolean(variablesOf(model)));
    this.variables.node.hidden = !variablesOf(model);
    this.under = null;
    this.named.of = "";
    this.waits = true;
  }
  makeMaps(rows, columns) {
    this.shape = [rows, columns];
    this.under = null;
    const view = (text, help) => Object.assign(new PixelMap(rows, columns, text), { text, help, label: element("span", {}, text) });
    const views = { filter: view("Filter", ""), evidence: view("Evidence", "what each says for the unit"), others: view("Others", "what the units that are on change: blue explains away, orange supports") };
    this.maps.replaceChildren(...Object.values(views).map(({ canvas, label: label2 }) => element("figure", {}, element("div", { class: "lv-label" }, label2), canvas)), this.variables.node);
    return views;
  }
  fitMaps({ layer, n_v, first }) {
    if (this.under === layer || !this.model) return;
    this.under = layer;
    const variables = variablesOf(this.model);
    if (variables) {
      const { model } = this, below = layer ? Array.from({ length: n_v }, (_, i) => unitName(model, first - n_v + i)) : variables;
      this.variables.load(below);
      this.variables.list.setAttribute("aria-label", layer ? `The units of layer ${layer}` : "The observations");
      return;
    }
    const across = layer ? Math.ceil(Math.sqrt(n_v)) : this.shape[1], down = layer ? Math.ceil(n_v / across) : this.shape[0];
    for (const map of [this.views.evidence, this.views.others]) {
      map.view = new PixelView(map.canvas, down, across);
      map.canvas.setAttribute("aria-label", layer ? `${map.text}, by unit of layer ${layer}` : map.text);
      map.label.title = `${map.help}; ${layer ? `by unit of layer ${layer}: ${first - n_v} to ${first - 1}, row by row` : "by pixel"}`;
    }
    this.views.filter.label.title = layer ? "what the unit does to the image, by way of the units below it" : "the unit's weights";
  }
  subject() {
    return subjectOf(this.player);
  }
  explain() {
    const { index, j, lane } = this.subject(), { decided, now, terms, facts: facts2 } = termsAt(lane, j);
    this.terms = { lane: index, decided, now, ...terms };
    this.facts = facts2;
    return { index, j, lane, decided, now, terms, facts: facts2, said: verdict(facts2, this.named.of === this.nameOf(lane, j) ? this.named.units : []) };
  }
  caption() {
    return this.explain().said;
  }
  paint(k, colours2) {
    const { index, j, lane, decided, now, terms, facts: facts2, said } = this.explain(), { tables, palette } = colours2, { filters } = lane.model, at = j * lane.n_v;
    this.fitMaps(lane.layerOf(j));
    this.namer.show(lane, j);
    const top = largest(filters, at, at + lane.n_v), strongest = Math.max(MIN_FULL_COLOUR, largest(terms.evidence), largest(terms.others));
    if (lane.variables) this.paintVariables(lane, j, terms, strongest);
    else {
      setText(this.fullColour, `Full colour: ${brief(strongest)} nats a pixel in Evidence and Others; the strongest weight in Filter`);
      this.views.filter.paint((i) => filters[at + i], top, tables.signed);
      this.views.evidence.paint((i) => terms.evidence[i], strongest, tables.signed);
      this.views.others.paint((i) => terms.others[i], strongest, tables.signed);
    }
    const pinned = this.player.selected.unit >= 0, stale = this.player.clock.playing || this.waits;
    setText(this.title, question(facts2));
    setText(this.verdict, said);
    this.verdict.classList.toggle("lv-long", !stale);
    setText(this.note, this.noteOf(lane, j, decided, now));
    this.paintHolding(lane, index, j);
    if (this.follow.hidden === pinned) this.follow.hidden = !pinned;
    this.paintBars(terms, palette);
    this.who.choose(this.player.reference);
    for (const part2 of [this.partners, this.who.node]) setAttribute(part2, "data-stale", String(stale));
  }
  paintVariables(lane, j, terms, strongest) {
    const { W, n_v, first } = lane.layerOf(j), at = (j - first) * n_v, top = largest(W, at, at + n_v);
    setText(this.fullColour, `Longest bar: ${brief(strongest)} nats in Evidence and Others; the strongest weight in Weight`);
    for (let i = 0; i < n_v; i++) {
      this.variables.bar(i, 0, W[at + i] / top);
      this.variables.bar(i, 1, terms.evidence[i] / strongest);
      this.variables.bar(i, 2, terms.others[i] / strongest);
    }
  }
  noteOf(lane, j, decided, now) {
    const { layers, without } = lane.model, exact = lane.tellsAll || decided && lane.known, which = [lane.meta.title, ...layers.length > 1 ? [`layer ${lane.layerOf(j).layer + 1}`] : [], ...exact ? [] : [`terms ${lane.offInWords}`], ...without ? [`without what ${without} says`] : []].join(", ");
    if (decided && lane.meta.at_once) return `${which}: as visit ${many(lane.k)} decided, on ${now ? `the state after visit ${many(now)}` : "the start"}, with its whole sweep`;
    if (decided) return `${which}: as visit ${many(lane.k)} decided`;
    const state = lane.k ? `the state after visit ${many(lane.k)}` : "the start";
    if (lane.meta.means) return `${which}: ${state}, the others at their means`;
    if (lane.held.has(j)) return `${which}: ${state}; it is never visited`;
    return `${which}: ${state}, not a decision`;
  }
  nameOf(lane, j) {
    return `${lane.meta.title}.${lane.k}.${j}`;
  }
  paintHolding(lane, index, j) {
    const hidden = !this.player.holds(index);
    if (this.holding.hidden !== hidden) this.holding.hidden = hidden;
    const state = lane.held.has(j) ? lane.held.get(j) ? "on" : "off" : "free";
    for (const button of this.holds) setAttribute(button, "aria-pressed", String(button.dataset.state === state));
    const { size } = lane.held;
    if (this.freeAll.disabled === size > 0) this.freeAll.disabled = !size;
    setText(this.freeAll, size ? `free all ${size}` : "free all");
  }
  paintBars({ prior, evidenceSum, aloneSum, othersSum, logOdds }, palette) {
    paintWaterfall(this.bars, [prior, evidenceSum, aloneSum, othersSum], logOdds, palette, LAST);
    const values = { prior, evidence: evidenceSum, alone: aloneSum, others: othersSum, logOdds };
    for (const [name] of TERMS2) setText(this.values[name], signed(values[name]));
    const effect = this.effectOf(othersSum);
    setText(this.effect, effect);
    if (this.effectTerm.hidden !== !effect) this.effectTerm.hidden = !effect;
    this.player.glossary.set(this.effectTerm, othersSum < 0 ? "explain-away" : "others");
  }
  effectOf(nats) {
    if (isZero(nats)) return "";
    return nats > 0 ? "supported" : this.facts.summed ? "opposed" : "explained away";
  }
  get snapshot() {
    return { ...this.terms, interactions: Array.from(this.interactions || []), title: this.title.textContent, verdict: this.verdict.textContent, note: this.note.textContent, change: this.change };
  }
  *rest(colours2) {
    const { index, j, lane } = this.subject(), { prior, evidenceSum, aloneSum, othersSum, logOdds } = this.terms, { reference } = this.player;
    if (lane.variables) {
      const { W, n_v, first } = lane.layerOf(j), { evidence: evidence2, others } = this.terms;
      this.variables.say((i) => `weight ${signed(W[(j - first) * n_v + i])}, evidence ${signed(evidence2[i])} nats, others ${signed(others[i])} nats`);
    }
    this.table.setAttribute("aria-label", `${capital(lane.unitName(j))}: prior ${signed(prior)}, evidence ${signed(evidenceSum)}, ${termName("alone")} ${signed(aloneSum)}, others ${signed(othersSum)}${this.effectOf(othersSum) && `, ${this.effectOf(othersSum)}`}, log-odds ${signed(logOdds)}`);
    const change = this.change = yield* whoChanged(lane, j, reference);
    this.who.show(lane, index, j, change, colours2);
    yield;
    const { causes } = reference === "off" ? change : yield* whoChanged(lane, j, "off");
    this.named = { of: this.nameOf(lane, j), units: namedCauses(causes, othersSum) };
    yield;
    lane.interactions ||= new Interactions(lane);
    const values = this.interactions = lane.interactions.row(j), order = Array.from(values.keys()).sort((k, l) => values[k] - values[l]);
    const list = (name, help, units, sign) => element("div", {}, element("div", { class: "lv-label" }, element("span", { title: help }, name)), element("div", { class: "lv-chips-row" }, ...units.slice(0, PARTNERS).map((k) => this.partner(lane, index, k, values[k], colours2))), units.length ? "" : element("p", { class: "lv-caption" }, emptyListWords(this.facts, sign, this.named.units)));
    if (lane.independent) this.partners.replaceChildren();
    else {
      this.partners.replaceChildren(list(`Competitors (below ${signed(-COMPETE, 1)} nats)`, "Turning one on lowers this unit's log-odds by more than half a nat; the strongest first", order.filter((k) => values[k] < -COMPETE), -1), list(`Allies (above ${signed(COMPETE, 1)} nats)`, "Turning one on raises this unit's log-odds by more than half a nat; the strongest first", order.reverse().filter((k) => values[k] > COMPETE), 1));
    }
    this.waits = false;
    for (const part2 of [this.partners, this.who.node]) part2.dataset.stale = "false";
    setText(this.verdict, verdict(this.facts, this.named.units));
    this.verdict.classList.add("lv-long");
    this.player.presenter.paint(lane.k);
  }
  partner(lane, index, k, value, { tables }) {
    return element("button", { type: "button", class: "lv-tile lv-partner", "data-on": lane.h[k], "data-unit": k, title: `${lane.unitName(k)}, ${lane.stateOf(k)}: ${lane.about}${signed(value)} nats`, "aria-label": `${lane.unitName(k)}, ${lane.stateOf(k)}, interaction ${lane.about}${signed(value)} nats`, onclick: () => this.player.select(index, k) }, filterPicture(lane, k, tables), lane.model.names ? element("span", { class: "lv-variable-name" }, lane.unitName(k)) : null, element("span", {}, `${lane.about}${signed(value, 1)}`));
  }
};
registerView("why", (player) => new WhyCard(player));
function orderMenu(player, label2) {
  const select = element("select", { "aria-label": label2, "data-part": "order", onchange: () => player.sort(select.value) }, ...Object.entries(UNIT_ORDERS).map(([value, [text]]) => element("option", { value }, text)));
  player.orderMenus.push(select);
  return select;
}
var FEW_VISITS = 60;
var FEW_FLIPS = 120;
function rasterRows(lane) {
  const { n_h, n_visits, sweepStarts } = lane;
  const byVisit = lane.meta.particles || n_visits <= FEW_VISITS || sweepStarts.length === 1 && !lane.independent && n_visits <= FEW_FLIPS;
  const ends = byVisit ? byNumber(n_visits + 1) : [0, ...sweepStarts.slice(1), n_visits];
  const states = new Uint8Array(ends.length * n_h), turns = new Int8Array(ends.length * n_h);
  const state = lane.h0.map(Math.round);
  states.set(state);
  for (let r = 1; r < ends.length; r++) {
    for (let k = ends[r - 1]; k < ends[r]; k++) for (const j of Array.from(lane.unitsAt(k))) {
      const at = r * n_h + j, after = Math.round(lane.valueAfter(k, j));
      if (state[j] === after) continue;
      state[j] = after;
      turns[at] = turns[at] === 0 ? state[j] ? 1 : -1 : state[j] === states[at - n_h] ? 2 : state[j] ? 1 : -1;
    }
    states.set(state, r * n_h);
  }
  return { byVisit, ends, states, turns, count: ends.length };
}
var RasterView = class {
  stale = true;
  k = 0;
  selected = -1;
  accent = "";
  orderText = "";
  font = 0;
  line = 1;
  pitch = 1;
  wide = 1;
  gaps = [0, 0];
  frame = { left: 0, right: 0, top: 0, bottom: 0 };
  order = [];
  faint;
  bright;
  lane;
  rows;
  palette;
  constructor(canvas) {
    this.canvas = canvas;
    canvas.vector = (context) => this.draw(context);
  }
  load(lane) {
    this.lane = lane;
    this.rows = rasterRows(lane);
    this.stale = true;
  }
  height(fontSize) {
    const { count } = this.rows;
    return Math.round(count * Math.max(0.45 * fontSize, Math.min(1.5 * fontSize, 24 * fontSize / count)) + 1.7 * fontSize);
  }
  prepare(palette, accent, fontSize) {
    const { canvas, lane, rows } = this, ratio = window.devicePixelRatio || 1, font = 0.82 * fontSize * ratio;
    this.palette = palette;
    this.accent = accent;
    this.font = font;
    this.line = ratio * Math.max(1, fontSize / 14);
    this.order = lane.order;
    this.stale = false;
    const left = Math.round(textWidth("sweep 1", `${font}px ${FONT}`) + font), bottom = canvas.height - Math.round(font * 1.6);
    this.frame = { left, right: canvas.width - Math.ceil(this.line), top: Math.ceil(this.line), bottom };
    this.pitch = (bottom - this.frame.top) / rows.count;
    this.wide = (this.frame.right - left) / lane.n_h;
    const gap = Math.round(this.line);
    this.gaps = [this.wide > 4 * this.line ? gap : 0, this.pitch > 3.5 * this.line ? gap : 0];
    this.faint = this.layer(0.3);
    this.bright = this.layer(1);
  }
  layer(alpha) {
    const { canvas } = this, layer = element("canvas", { width: canvas.width, height: canvas.height }), context = penOf(layer);
    if (alpha < 1) this.axes(context);
    context.globalAlpha = alpha;
    this.cells(context, 0, this.rows.count);
    return layer;
  }
  x(place) {
    return Math.round(this.frame.left + place * this.wide);
  }
  y(row) {
    return Math.round(this.frame.top + row * this.pitch);
  }
  cells(context, from, to, shown) {
    const { lane, rows, palette, accent, order, gaps: [across, down] } = this, { n_h } = lane;
    const kinds = [[palette.faint, (at) => !rows.states[at], 1], [accent, (at) => rows.states[at] > 0, 1], [palette.plus, (at) => rows.turns[at] === 1, 0.45], [palette.minus, (at) => rows.turns[at] === -1, 0.45], [palette.muted, (at) => rows.turns[at] === 2, 0.45]];
    for (const [colour, wanted, share] of kinds) {
      context.beginPath();
      context.fillStyle = colour;
      for (let r = from; r < to; r++) {
        const y = this.y(r), height = Math.max(1, Math.round((this.y(r + 1) - y - down) * share));
        for (let p = 0; p < n_h; p++) {
          const here = (q) => q < n_h && wanted(r * n_h + order[q]) && (!shown || shown(order[q]));
          if (!here(p)) continue;
          const x = this.x(p);
          if (!across) while (here(p + 1)) p++;
          context.rect(x, y, Math.max(1, this.x(p + 1) - x - across), height);
        }
      }
      context.fill();
    }
  }
  axes(context) {
    const { lane, rows, frame, palette, font, pitch, order, line: line2 } = this;
    context.font = `${font}px ${FONT}`;
    context.fillStyle = palette.muted;
    context.strokeStyle = palette.line;
    context.lineWidth = line2;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const word2 = rows.byVisit ? "visit 1" : "sweep 1", every = [1, 2, 5, 10, 20].find((n) => n * pitch >= 1.25 * font) || 50;
    for (let r = 0; r < rows.count; r++) {
      const named = r === 0 || r === every || every > 1 && r === 1 && pitch * (every - 1) >= 2.5 * font || r % every === 0;
      const text = r === 0 ? "start" : r === 1 ? word2 : String(r);
      if (named && (r === 0 || r * pitch >= 1.2 * font)) context.fillText(text, frame.left - 0.6 * font, this.y(r) + pitch / 2);
    }
    if (rows.byVisit) this.sweeps(context);
    context.textBaseline = "alphabetic";
    const base = frame.bottom + 1.35 * font;
    if (order.some((j, p) => j !== p)) {
      context.textAlign = "left";
      context.fillText(`${lane.unitName(order[0])} first, then ${this.orderText}`, frame.left, base);
      context.textAlign = "right";
      context.fillText(`${lane.unitName(order[order.length - 1])} last`, frame.right, base);
      return;
    }
    const names = namedTicks(context, lane, this.wide, font), step = names ?? ([1, 2, 5, 10, 20, 50, 100].find((n) => n * this.wide >= 2.6 * font) || 200);
    context.textAlign = "center";
    let free = 0;
    for (let j = 0; j < lane.n_h; j += step) {
      const text = names ? lane.unitName(j) : j ? String(j) : "unit 0", x = this.x(j) + this.wide / 2, half = context.measureText(text).width / 2;
      const at = j ? x : Math.max(x, frame.left + half);
      if (at - half < free) continue;
      context.fillText(text, at, base);
      free = at + half + 0.3 * font;
    }
  }
  sweeps(context) {
    const { frame } = this;
    context.strokeStyle = this.palette.muted;
    context.beginPath();
    for (const k of this.lane.sweepStarts) {
      const y = this.y(k + 1) - this.line / 2;
      context.moveTo(frame.left - 0.4 * this.font, y);
      context.lineTo(frame.right, y);
    }
    context.stroke();
  }
  rowAt(k) {
    return lowerBound(this.rows.ends, Math.min(k, this.lane.n_visits));
  }
  paint(k, selected) {
    const { canvas } = this, context = penOf(canvas), row = this.rowAt(k);
    this.k = k;
    this.selected = selected;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.faint, 0, 0);
    const done = this.y(this.finished(row) ? row + 1 : row);
    context.drawImage(this.bright, 0, 0, canvas.width, done, 0, 0, canvas.width, done);
    this.overlay(context, row);
  }
  draw(context) {
    const row = this.rowAt(this.k), done = this.finished(row) ? row + 1 : row;
    this.axes(context);
    this.cells(context, 0, done);
    context.globalAlpha = 0.3;
    this.cells(context, done, this.rows.count);
    context.globalAlpha = 1;
    this.overlay(context, row);
  }
  finished(row) {
    return Math.min(this.k, this.lane.n_visits) >= this.rows.ends[row];
  }
  overlay(context, row) {
    const { lane, rows, frame, palette, line: line2 } = this;
    if (!this.finished(row)) {
      const begin2 = rows.ends[row - 1], visited = /* @__PURE__ */ new Set();
      for (let k = begin2; k < Math.min(this.k, lane.n_visits); k++) visited.add(lane.unit[k]);
      this.cells(context, row, row + 1, (j) => visited.has(j));
    }
    if (this.selected >= 0) this.column(context, lane.order.indexOf(this.selected));
    if (rows.byVisit && row && !lane.meta.particles) this.ring(context, row);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * line2;
    context.strokeRect(frame.left - line2, this.y(row) - line2, frame.right - frame.left + line2, this.y(row + 1) - this.y(row) + line2);
  }
  column(context, place) {
    const { frame, palette, line: line2 } = this, x = this.x(place) - line2, width = this.x(place + 1) - this.x(place) + line2;
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.5 * line2;
    context.setLineDash([3 * line2, 2 * line2]);
    context.strokeRect(x, frame.top - line2 / 2, width, frame.bottom - frame.top);
    context.setLineDash([]);
  }
  ring(context, row) {
    const { lane, palette, line: line2 } = this, place = lane.order.indexOf(lane.unit[this.rows.ends[row] - 1]);
    context.strokeStyle = palette.now;
    context.lineWidth = 3 * line2;
    context.strokeRect(this.x(place), this.y(row), this.x(place + 1) - this.x(place) - line2, this.y(row + 1) - this.y(row) - line2);
  }
  at(x, y) {
    const ratio = this.canvas.width / this.canvas.clientWidth, { frame, lane } = this;
    const place = Math.floor((x * ratio - frame.left) / this.wide), row = Math.floor((y * ratio - frame.top) / this.pitch);
    if (place < 0 || place >= lane.n_h || row < 0 || row >= this.rows.count) return null;
    return { row, unit: lane.order[place] };
  }
  rowNear(y) {
    const row = Math.floor((y * this.canvas.width / this.canvas.clientWidth - this.frame.top) / this.pitch);
    return Math.max(0, Math.min(this.rows.count - 1, row));
  }
  describe({ row, unit }) {
    const { lane, rows } = this, at = row * lane.n_h + unit, state = rows.states[at] ? "on" : "off";
    const when = !row ? "at the start" : rows.byVisit ? `after visit ${many(row)}${lane.meta.particles ? "" : `, sweep ${lane.sweep[row - 1] + 1}`}` : `after sweep ${row}`;
    const turn = ["turned off", "", "turned on", "turned there and back"][1 + rows.turns[at]];
    return `${this.lane.unitName(unit)} ${when}: ${state}${turn ? `
${turn} in this ${rows.byVisit ? "visit" : "sweep"}` : ""}`;
  }
};
var RasterCard = class {
  views = [];
  pictures = element("div", { class: "lv-rasters" });
  rowIs = element("small");
  constructor(player) {
    this.player = player;
    const key = legend([["square", "lane0 lane1", "on"], ["square", "faint", "off"], ["pale", "lane0", "still to come"], ["line", "plus", "turned on"], ["line", "minus", "turned off"], ["line", "muted", "there and back"], ["ring", "now", "the cursor's row, the unit visited"], ["dashes", "ink", "selected unit"]]);
    this.node = card({ class: "lv-raster", "aria-label": "Units over sweeps" }, ["Units over sweeps ", this.rowIs], [orderMenu(player, "Order of the columns")], this.pictures, key);
  }
  load(lanes) {
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => {
      this.views[index].raster.load(lane);
      setText(this.views[index].title, lane.meta.title);
    });
    const kinds = new Set(this.views.map(({ raster }) => raster.rows.byVisit ? "visit" : "sweep"));
    setText(this.rowIs, `a row is the state after a ${Array.from(kinds).join(" or ")}; click one to go there${lanes.some(({ meta }) => meta.means) ? "; a mean counts as its likelier state" : ""}`);
    setAttribute(this.pictures, "data-wide", String(lanes.some((lane) => lane.n_h > 32)));
  }
  makeView(index) {
    const { player } = this, canvas = element("canvas", { role: "img", "aria-label": "states of all units, row by row" }), raster = new RasterView(canvas);
    const title = element("span"), value = element("b"), box2 = element("div", { class: "lv-fill" }, canvas);
    const go = (event) => {
      player.pause();
      player.seek(raster.rows.ends[raster.rowNear(event.offsetY)]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      const cell = raster.at(event.offsetX, event.offsetY);
      if (cell) player.select(index, cell.unit);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
      const cell = raster.at(event.offsetX, event.offsetY);
      player.tip(cell && raster.describe(cell), event);
    });
    canvas.addEventListener("pointerleave", () => player.tip(null));
    return { canvas, raster, title, value, box: box2, node: element("figure", { "data-lane": index }, element("div", { class: "lv-label" }, title, value), box2) };
  }
  makeRoom(fontSize) {
    for (const { raster, box: box2 } of this.views) {
      const height = `${raster.height(fontSize)}px`;
      if (box2.style.height !== height) box2.style.height = height;
    }
  }
  paint(k, colours2, fontSize) {
    const { palette } = colours2, { selected } = this.player;
    this.views.forEach(({ canvas, raster, value }, index) => {
      const { lane, rows } = raster;
      raster.orderText = UNIT_ORDERS[this.player.order][0];
      if (fitCanvas(canvas) || raster.stale || raster.palette !== palette || raster.order !== lane.order) raster.prepare(palette, palette.lanes[index % 2], fontSize);
      raster.paint(k, selected.lane === index ? selected.unit : -1);
      const row = raster.rowAt(k), last = rows.count - 1, what = rows.byVisit ? "visit" : "sweep";
      setText(value, row ? `${what} ${row} of ${last}` : "the start");
    });
  }
  rest() {
    for (const { canvas, raster: { lane, rows }, value } of this.views) {
      const flips = lane.flips.length;
      canvas.setAttribute("aria-label", `${lane.meta.title}: state of ${lane.n_h} units after each of ${rows.count - 1} ${rows.byVisit ? "visits" : "sweeps"}, ${flips} flips; shown: ${value.textContent}`);
    }
  }
};
registerView("raster", (player) => new RasterCard(player));
function distanceTable(rows, also = "") {
  const letter = (name) => element("i", {}, name);
  const head2 = (...words) => element("th", { scope: "col" }, ...words);
  return element("table", { class: `lv-table ${also}` }, element("thead", {}, element("tr", {}, head2("approxi­mation ", letter("q")), head2("KL(", letter("q"), " ‖ ", letter("p"), "), nats"), head2("total varia­tion"))), rows);
}
var LaneChoice = class {
  index = 0;
  asked = -1;
  title = element("span");
  among;
  constructor(player, label2) {
    this.player = player;
    this.menu = element("select", { "aria-label": label2, onchange: () => player.select(Number(this.menu.value), -1) });
    this.node = element("span", { class: "lv-of" }, this.title, this.menu);
  }
  choose(lanes, has) {
    const { selected } = this.player;
    if (lanes === this.among && selected.lane === this.asked) return lanes[this.index];
    this.among = lanes;
    this.asked = selected.lane;
    const able = lanes.filter(has), asked = lanes[selected.lane];
    this.index = Math.max(0, lanes.indexOf(able.includes(asked) ? asked : able[0] ?? asked));
    const lane = lanes[this.index];
    this.menu.hidden = able.length < 2;
    this.title.hidden = !this.menu.hidden || lanes.length < 2;
    setText(this.title, lane.meta.title);
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.index % 2})`);
    const options = able.map((each) => [String(lanes.indexOf(each)), each.meta.title]), key = JSON.stringify(options);
    if (this.menu.dataset.key !== key) {
      this.menu.dataset.key = key;
      this.menu.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    }
    this.menu.value = String(this.index);
    return lane;
  }
};
var MAX_EXACT = constants_default.max_exact_interactive;
var explains = (has) => (lane) => has(lane) || lane.n_h > MAX_EXACT && !lane.model.factorised;
var chooseExact = (which, lanes, has) => which.choose(lanes, lanes.some(has) ? has : explains(has));
function staysStale(card2, filled, lanes) {
  const stale = filled && lanes.some((lane) => lane.meta.pending);
  setAttribute(card2, "data-stale", String(stale));
  return stale;
}
var APPROXIMATIONS = { state: ["end of the lane", "all probability on the state in which the lane ends"], feed_forward: ["feed-forward", "independent units, each by its conditional with all others off: what a factorised model does with these weights"], mean_field: ["mean field", "independent units, fitted to the posterior one at a time until none changes"], marginals: ["exact marginals", "independent units, each with its exact probability"], gibbs: ["Gibbs", "the states after each sweep of a Gibbs chain"] };
var MARKS = { state: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]], feed_forward: [[0, -1], [1, 0.8], [-1, 0.8]], mean_field: Array.from({ length: 16 }, (_, n) => [0.95 * Math.sin(n * Math.PI / 8), 0.95 * Math.cos(n * Math.PI / 8)]), gibbs: [[0, -1.15], [1.15, 0], [0, 1.15], [-1.15, 0]] };
var MARKED = Object.keys(MARKS);
var hasPosterior = (lane) => Boolean(lane.truth);
function drawMark(context, name, x, y, size, palette) {
  context.beginPath();
  const [first] = MARKS[name];
  for (const corner of [...MARKS[name], first]) context[corner === first ? "moveTo" : "lineTo"](x + corner[0] * size, y + corner[1] * size);
  const fills = { state: palette.ink, feed_forward: palette.minus, mean_field: palette.lanes[1], gibbs: palette.plus };
  context.fillStyle = fills[name];
  context.fill();
  context.lineWidth = size * 0.3;
  context.strokeStyle = palette.surface;
  context.stroke();
}
var TruthCard = class {
  drawn = "";
  state = "";
  saysAbsent = "";
  fontSize = 0;
  worst = 0;
  frame = { left: 0, wide: 1, box: 0, line: 1, rows: { "exact MAP": 0, cursor: 0 } };
  title = element("small");
  chance = element("b");
  live = element("span", { class: "lv-caption" }, "P(", element("i", {}, "h"), " | ", element("i", {}, "x"), ") of the state at the cursor ", this.chance);
  chart = element("canvas", { role: "img", "aria-label": "exact marginals" });
  rows = element("tbody");
  maps = element("div", { class: "lv-maps" });
  absent = element("div", { class: "lv-absent" });
  layer = element("canvas");
  lanes = [];
  small = [];
  marks = [];
  covariances = [];
  of;
  lane;
  truth = null;
  row;
  colours;
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the exact posterior");
    this.chart.vector = (context) => {
      if (this.truth) this.drawAll(context, this.truth);
    };
    this.table = distanceTable(this.rows);
    this.body = element("div", { class: "lv-truth-body" }, element("figure", {}, element("div", { class: "lv-label" }, element("span", {}, "How often each unit is on")), element("div", { class: "lv-fill" }, this.chart), legend([["pale", "lane0 lane1", "bar: exactly"], ["square", "lane0 lane1", "below: on"], ["square", "faint", "off"], ["ring", "now", "differs from the exact MAP"], ["square", "line", "column: selected unit"]]), element("p", { class: "lv-caption" }, "Marks: the approximations of the table, each with its own.")), this.table, element("div", {}, this.maps, element("p", { class: "lv-caption" }, "Covariance of each pair of units: orange, on together; blue, one instead of the other. Diagonal: variance.")));
    this.node = card({ class: "lv-truth", "aria-label": "The exact posterior" }, ["The exact posterior ", this.which.node, this.title], [this.live], this.body, this.absent);
    this.listen();
  }
  listen() {
    this.chart.addEventListener("pointermove", (event) => this.player.tip(this.describe(this.unitAt(event.offsetX)), event));
    this.chart.addEventListener("pointerleave", () => this.player.tip(null));
    this.chart.addEventListener("click", (event) => {
      const j = this.unitAt(event.offsetX);
      if (j >= 0) this.player.select(this.which.index, j);
    });
  }
  load(lanes, meta) {
    if (staysStale(this.node, this.truth !== null, lanes)) return;
    this.lanes = lanes;
    this.small = meta.small || [];
    this.of = void 0;
    this.follow();
  }
  follow() {
    const { lanes } = this, lane = chooseExact(this.which, lanes, hasPosterior), { truth, n_h } = lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    this.truth = truth;
    this.drawn = "";
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.which.index % 2})`);
    this.node.hidden = !explains(hasPosterior)(lane);
    this.live.hidden = this.body.hidden = !truth;
    this.absent.hidden = Boolean(truth);
    setText(this.title, truth ? `all ${many(2 ** n_h)} states of ${n_h} units enumerated` : "");
    if (!truth) return this.loadAbsent(n_h, this.small);
    const { approximations } = truth;
    this.row = this.addRows(approximations);
    const of = (name, title) => {
      const at = approximations.findIndex((entry) => entry.name === name), { samples } = approximations[at] ?? {};
      return this.covariance(samples ? `${title}, ${many(samples)}` : title, truth.covariance, 1 + at);
    };
    this.covariances = [of("", "exact"), of("mean_field", "independent"), of("gibbs", "Gibbs")];
    this.maps.replaceChildren(...this.covariances.map((view) => view.node));
  }
  loadAbsent(n_h, small) {
    const { compare } = this.player.callbacks, says = JSON.stringify([n_h, small]);
    if (this.saysAbsent === says) return;
    this.saysAbsent = says;
    const buttons = compare ? small.map(([name, title]) => element("button", { type: "button", class: "lv-btn lv-small", onclick: () => compare(name) }, title)) : [];
    this.absent.replaceChildren(element("p", { class: "lv-caption" }, `${n_h} units have 2`, element("sup", {}, String(n_h)), ` states: too many to enumerate, so the exact posterior is not known. For a model of at most ${MAX_EXACT} units this card shows the posterior, its most probable state and its covariances, and how far each approximation is from it.`), ...buttons.length ? [element("div", { class: "lv-row" }, ...buttons)] : []);
  }
  addRows(approximations) {
    this.worst = Math.max(...approximations.map((entry) => entry.kl), 1e-9);
    this.marks = [];
    const row = (name, title, help, samples) => {
      const mark = element("canvas", { class: "lv-mark", "aria-hidden": "true" });
      if (MARKS[name]) {
        const draw2 = mark.vector = (context) => drawMark(context, name, mark.width / 2, mark.height / 2, mark.width * 0.36, this.colours.palette);
        this.marks.push(() => {
          fitCanvas(mark);
          repaint(mark, draw2);
        });
      }
      const cell = () => {
        const value = element("b"), bar = element("i", { class: "lv-share" });
        return { value, bar, node: element("td", {}, value, bar) };
      };
      const kl = cell(), variation = cell(), words = samples ? `${title}, ${many(samples)} states` : title;
      return { kl, variation, node: element("tr", { title: help }, element("th", { scope: "row" }, mark, words), kl.node, variation.node) };
    };
    const cursor = row("", "state at the cursor", "all probability on the state at the cursor");
    this.rows.replaceChildren(cursor.node, ...approximations.map(({ name, kl, total_variation: variation, samples }) => {
      const [title, help] = APPROXIMATIONS[name] ?? [name, ""], parts = row(name, title, help, samples);
      this.fill(parts, kl, variation);
      return parts.node;
    }));
    return cursor;
  }
  fill({ kl, variation }, nats, share) {
    kl.value.textContent = number(nats, 3);
    variation.value.textContent = number(share, 3);
    kl.bar.style.width = `${(100 * Math.min(1, nats / this.worst)).toFixed(1)}%`;
    variation.bar.style.width = `${(100 * share).toFixed(1)}%`;
  }
  covariance(title, all, row) {
    const { n_h } = this.lane, values = all.subarray(row * n_h * n_h, (row + 1) * n_h * n_h);
    const map = new PixelMap(n_h, n_h, title), value = element("b");
    const at = (event) => {
      const size = map.canvas.clientWidth / n_h;
      return [event.offsetY, event.offsetX].map((place) => this.lane.order[Math.floor(place / size)]);
    };
    map.canvas.addEventListener("pointermove", (event) => {
      const [j, k] = at(event);
      this.player.tip(j === void 0 || k === void 0 ? null : this.describePair(j, k), event);
    });
    map.canvas.addEventListener("pointerleave", () => this.player.tip(null));
    map.canvas.addEventListener("click", (event) => {
      const [j] = at(event);
      if (j !== void 0) this.player.select(this.which.index, j);
    });
    let strongest = 0;
    for (let j = 0; j < n_h; j++) for (let k = 0; k < j; k++) if (Math.abs(values[j * n_h + k]) > Math.abs(strongest)) strongest = values[j * n_h + k];
    const independent = Math.abs(strongest) < 1e-9;
    value.textContent = independent ? "0" : signed(strongest, 2);
    const label2 = `${title}: covariances of ${n_h} units, ${independent ? "all zero" : `strongest ${signed(strongest, 3)}`}`;
    map.canvas.setAttribute("aria-label", label2);
    const node = element("figure", {}, element("div", { class: "lv-label" }, element("span", {}, title), value), map.canvas);
    return { title, values, strongest, map, node };
  }
  paint(k, colours2, fontSize) {
    this.follow();
    if (!this.truth) return;
    const { lane, truth, chart, player: { selected } } = this, state = lane.h.join("");
    const drawn = `${selected.lane} ${selected.unit} ${lane.order.join()}`;
    const same = !fitCanvas(chart) && drawn === this.drawn && this.colours === colours2 && this.fontSize === fontSize;
    if (same && state === this.state) return;
    this.drawn = drawn;
    this.state = state;
    this.colours = colours2;
    this.fontSize = fontSize;
    const p = probabilityOf(lane.logJointNow, truth.log_evidence);
    this.chance.textContent = chance(p);
    this.fill(this.row, Math.max(0, truth.log_evidence - lane.logJointNow), 1 - p);
    if (!same) {
      this.layer = element("canvas", { width: chart.width, height: chart.height });
      this.draw(penOf(this.layer), truth);
    }
    const context = penOf(chart);
    context.clearRect(0, 0, chart.width, chart.height);
    context.drawImage(this.layer, 0, 0);
    this.drawState(context, "cursor", lane.h, truth.map);
  }
  rest(colours2) {
    if (!this.truth) return;
    const { lane, truth: { marginals, map } } = this, { n_h, order } = lane, { ink, signed: table } = colours2.tables;
    const top = Math.max(0.01, ...this.covariances.map((view) => Math.abs(view.strongest)));
    for (const { values, map: { view } } of this.covariances) {
      view.paint((p) => {
        const j = order[Math.floor(p / n_h)], k = order[p % n_h], value = values[j * n_h + k];
        return j === k ? ink[byte(value)] : signedColour(table, value / top);
      });
    }
    for (const paintMark of this.marks) paintMark();
    const said = Array.from(lane.h, (_, j) => `${lane.unitName(j)} ${marginals[j].toFixed(2)}`).join(", ");
    const differs = Array.from(lane.h).reduce((sum, on, j) => sum + (on ^ map[j]), 0);
    this.chart.setAttribute("aria-label", `Exact probability that each unit is on: ${said}. The state at the cursor differs from the exact MAP state in ${differs} unit${differs === 1 ? "" : "s"}.`);
  }
  describe(j) {
    if (!this.truth || j < 0) return null;
    const { lane, truth: { marginals, map, approximations } } = this, { n_h } = lane;
    const others = approximations.map(({ name }, row) => `${(APPROXIMATIONS[name] ?? [name])[0]} ${marginals[(1 + row) * n_h + j].toFixed(3)}`);
    return `${lane.unitName(j)} is on with probability ${marginals[j].toFixed(3)}
${others.join("\n")}
exact MAP ${map[j] ? "on" : "off"}, at the cursor ${lane.h[j] ? "on" : "off"}`;
  }
  describePair(j, k) {
    const { n_h } = this.lane, values = this.covariances.map(({ title, values: values2 }) => `${title} ${signed(values2[j * n_h + k], 3)}`);
    return `${j === k ? `variance of ${this.lane.unitName(j)}` : `covariance of ${this.lane.unitName(j)} and ${this.lane.unitName(k)}`}
${values.join("\n")}`;
  }
  unitAt(x) {
    const place = Math.floor((x * this.chart.width / this.chart.clientWidth - this.frame.left) / this.frame.wide);
    return this.lane.order[place] ?? -1;
  }
  draw(context, truth) {
    const { marginals, map, approximations } = truth, { chart, lane, colours: { palette }, player: { selected } } = this, { n_h, order } = lane;
    const screen = window.devicePixelRatio || 1, font = 0.82 * this.fontSize * screen, line2 = screen * Math.max(1, this.fontSize / 14);
    context.font = `${font}px ${FONT}`;
    const left = context.measureText("exact MAP").width + font * 0.6, wide = Math.max(0, chart.width - left) / n_h, box2 = Math.min(wide * 0.72, font * 1.25);
    const top = font * 0.6, bottom = chart.height - 2 * (box2 + font * 0.35) - font * 1.7, y = (p) => bottom - p * (bottom - top), x = (place) => left + place * wide;
    this.frame = { left, wide, box: box2, line: line2, rows: { "exact MAP": bottom + font * 0.55, cursor: bottom + font * 0.9 + box2 } };
    const chosen = selected.lane === this.which.index ? order.indexOf(selected.unit) : -1;
    if (chosen >= 0) {
      context.fillStyle = palette.faint;
      context.fillRect(x(chosen), top, wide, chart.height - top);
    }
    context.lineWidth = line2;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const p of [0, 0.5, 1]) {
      segment(context, left, y(p), chart.width, y(p));
      context.fillText(String(p), left - font * 0.5, y(p));
    }
    for (const [text, from] of Object.entries(this.frame.rows)) context.fillText(text, left - font * 0.5, from + box2 / 2);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const size = Math.min(wide * 0.14, font * 0.42), names = namedTicks(context, lane, wide, font), every = names ?? (context.measureText("88").width > wide ? 2 : 1);
    order.forEach((j, place) => {
      const middle = x(place) + wide / 2, value = y(marginals[j]);
      context.globalAlpha = 0.45;
      context.fillStyle = palette.lanes[this.which.index % 2];
      context.fillRect(x(place) + wide * 0.08, value, wide * 0.84, bottom - value);
      context.globalAlpha = 1;
      context.fillRect(x(place) + wide * 0.08, value - line2, wide * 0.84, 2 * line2);
      MARKED.forEach((name, n) => {
        const row = 1 + approximations.findIndex((entry) => entry.name === name);
        drawMark(context, name, middle + (n - 1.5) * wide * 0.22, y(marginals[row * n_h + j]), size, palette);
      });
      context.fillStyle = palette.muted;
      if (place % every === 0) context.fillText(names ? lane.unitName(j) : String(j), middle, chart.height - font * 0.3);
    });
    this.drawState(context, "exact MAP", map, map);
  }
  drawAll(context, truth) {
    this.draw(context, truth);
    this.drawState(context, "cursor", this.lane.h, truth.map);
  }
  drawState(context, row, state, map) {
    const { lane: { order }, colours: { palette }, frame: { left, wide, box: box2, line: line2, rows } } = this;
    context.lineWidth = 2 * line2;
    context.strokeStyle = palette.now;
    order.forEach((j, place) => {
      context.beginPath();
      context.roundRect(left + (place + 0.5) * wide - box2 / 2, rows[row], box2, box2, box2 * 0.18);
      context.fillStyle = state[j] ? palette.lanes[this.which.index % 2] : palette.faint;
      context.fill();
      if (state[j] !== map[j]) context.stroke();
    });
  }
};
registerView("truth", (player) => new TruthCard(player));
var RUNGS = { factorised: ["factorised", "independent units, each by sigmoid(d + W'x), by its prior and the evidence of what is known alone"], feed_forward: ["feed-forward", "independent units, each by its conditional with all others off"], recognition: ["recognition network", "independent units, with the means that the recognition network gives in one pass"], recognition_mean_field: ["recognition network, then mean field", "10 sweeps of mean field from the recognition network's means"], mean_field_1: ["mean field, 1 sweep", "independent units after one sweep from even odds"], mean_field_2: ["mean field, 2 sweeps", "independent units after two sweeps from even odds"], mean_field_10: ["mean field, 10 sweeps", "independent units after ten sweeps from even odds"], marginals: ["exact marginals", "independent units, each with its exact probability"], icm: ["ICM's state", "all probability on the state that ICM finds"], map: ["most probable state", "all probability on the exact MAP state"], best: ["best product found", "independent units: the least divergence that mean field reaches from any of the others"] };
function splitRungs(rungs) {
  const best = rungs.find(({ name }) => name === "best")?.kl ?? 0;
  return rungs.toSorted((a, b) => b.kl - a.kl).map((rung) => ({ ...rung, shared: Math.min(best, rung.kl), own: Math.max(0, rung.kl - best) }));
}
function gapsOf(rungs) {
  const own = (name) => splitRungs(rungs).find((rung) => rung.name === name)?.own ?? null;
  return { approximation: rungs.find(({ name }) => name === "best")?.kl ?? 0, explainingAway: own("factorised"), amortisation: own("recognition") };
}
var hasDistances = (lane) => Boolean(lane.distance);
var CHARTS = [["kl", "KL, nats", "Kullback-Leibler divergence from the posterior, in nats"], ["variation", "Total variation", "total variation from the posterior"]];
var DistanceChart = class {
  frame = { left: 0, right: 1, top: 0, bottom: 1 };
  k = 0;
  highest = 1;
  ratio = 1;
  font = 12;
  value = element("b");
  canvas = element("canvas", { role: "img" });
  layer = element("canvas");
  lanes = [];
  places = [];
  colours;
  constructor(player, what, title, spoken) {
    this.player = player;
    this.what = what;
    this.spoken = spoken;
    setAttribute(this.canvas, "aria-label", spoken);
    this.node = element("figure", {}, element("div", { class: "lv-label" }, element("span", {}, title), this.value), element("div", { class: "lv-fill" }, this.canvas));
    this.canvas.vector = (context) => {
      this.axes(context);
      this.cursor(context);
    };
    const scrub = (event) => {
      if (event.buttons & 1) player.seek(this.visitAt(event.offsetX));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.canvas.addEventListener("pointermove", scrub);
  }
  at(lane, k) {
    return lane.distance ? lane.distance[this.what][Math.min(k, lane.n_visits)] : 0;
  }
  x(k) {
    return this.frame.left + (this.frame.right - this.frame.left) * k / Math.max(1, this.player.clock.end);
  }
  y(value) {
    return this.frame.bottom - (this.frame.bottom - this.frame.top) * value / this.highest;
  }
  visitAt(across) {
    const { left, right } = this.frame, share = (across * this.canvas.width / this.canvas.clientWidth - left) / (right - left);
    return Math.round(Math.max(0, Math.min(1, share)) * this.player.clock.end);
  }
  paint(places, k, colours2, fontSize, stale, asked) {
    const { canvas } = this, resized = fitCanvas(canvas);
    const lanes = this.lanes = places.filter((lane) => lane.distance);
    this.places = places;
    this.colours = colours2;
    this.k = k;
    if (stale || resized) {
      const screen = window.devicePixelRatio || 1, font = 0.82 * fontSize * screen;
      this.ratio = screen * Math.max(1, fontSize / 14);
      this.font = font;
      this.highest = Math.max(1e-3, ...lanes.flatMap((lane) => Array.from(lane.distance?.[this.what] ?? [])));
      if (this.what === "variation") this.highest = 1;
      this.frame = { left: font * 2.6, right: canvas.width - 6 * this.ratio, top: font * 0.7, bottom: canvas.height - font * 1.6 };
      Object.assign(this.layer, { width: canvas.width, height: canvas.height });
      repaint(this.layer, (context) => this.axes(context));
    }
    repaint(canvas, (context) => {
      context.drawImage(this.layer, 0, 0);
      this.cursor(context);
    });
    const now = this.at(asked, k);
    setText(this.value, number(now, 3));
    setAttribute(canvas, "aria-label", `${this.spoken}: ${lanes.map((lane) => `${lane.meta.title} ${number(this.at(lane, k), 3)}`).join(", ")} at visit ${many(k)} of ${many(this.player.clock.end)}`);
  }
  axes(context) {
    const { colours: colours2, frame: { left, right, bottom }, font, ratio } = this;
    if (!colours2) return;
    const { palette } = colours2, { ticks, digits } = niceTicks(0, this.highest, 4);
    styleScale(context, palette, font, ratio);
    for (const tick of ticks) {
      segment(context, left, this.y(tick), right, this.y(tick));
      context.fillText(number(tick, digits), left - font * 0.5, this.y(tick));
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillText(`visit 0 to ${many(this.player.clock.end)}`, (left + right) / 2, bottom + font * 1.3);
    for (const lane of this.lanes) {
      const values = lane.distance?.[this.what];
      if (!values) continue;
      context.strokeStyle = palette.lanes[this.places.indexOf(lane) % 2];
      context.lineWidth = 2 * ratio;
      context.beginPath();
      context.moveTo(this.x(0), this.y(values[0]));
      for (let k = 1; k < values.length; k++) {
        if (values[k] === values[k - 1]) continue;
        context.lineTo(this.x(k), this.y(values[k - 1]));
        context.lineTo(this.x(k), this.y(values[k]));
      }
      context.lineTo(this.x(values.length - 1), this.y(values[values.length - 1]));
      context.stroke();
    }
  }
  cursor(context) {
    const { colours: colours2, frame: { top, bottom }, ratio, k } = this;
    if (!colours2) return;
    context.strokeStyle = colours2.palette.now;
    context.lineWidth = 2 * ratio;
    segment(context, this.x(k), top, this.x(k), bottom);
    for (const lane of this.lanes) dot(context, this.x(Math.min(k, lane.n_visits)), this.y(this.at(lane, k)), 4 * ratio, colours2.palette.lanes[this.places.indexOf(lane) % 2]);
  }
};
var LadderCard = class {
  of;
  lane;
  lanes = [];
  colours;
  fontSize = 0;
  stale = true;
  title = element("small");
  rows = element("tbody");
  words = element("p", { class: "lv-caption" });
  absent = element("div", { class: "lv-absent" }, element("p", { class: "lv-caption" }, `For a model of at most ${MAX_EXACT} units this card shows how far each approximation is from the exact posterior. With more units the exact posterior is not known.`));
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the ladder");
    this.charts = CHARTS.map(([what, title, spoken]) => new DistanceChart(player, what, title, spoken));
    this.table = distanceTable(this.rows, "lv-ladder-table");
    this.body = element("div", { class: "lv-truth-body" }, element("div", {}, this.table, legend([["square", "muted", "approximation gap: the distance of the best product found"], ["square", "lane0 lane1", "its own: amortisation gap, explaining away"]]), this.words), ...this.charts.map((chart) => chart.node));
    this.node = card({ class: "lv-truth lv-ladder", "aria-label": "Distance from the exact posterior" }, ["Distance from the posterior ", this.which.node, this.title], [], this.body, this.absent);
  }
  load(lanes) {
    if (staysStale(this.node, Boolean(this.lane?.distance), lanes)) return;
    this.lanes = lanes;
    this.of = void 0;
    this.follow();
  }
  follow() {
    const { lanes } = this, lane = chooseExact(this.which, lanes, hasDistances), { distance } = lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    this.stale = true;
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.which.index % 2})`);
    this.node.hidden = !explains(hasDistances)(lane);
    this.body.hidden = !distance;
    this.absent.hidden = Boolean(distance);
    setText(this.title, distance ? `p: all ${many(2 ** lane.n_h)} states of ${lane.n_h} units enumerated` : "");
    if (distance) this.fill(distance.rungs, lane.meta.particles);
  }
  fill(rungs, particles) {
    const split = splitRungs(rungs), most = Math.max(1e-9, split[0].kl);
    this.rows.replaceChildren(...split.map(({ name, kl, total_variation: variation, shared, own }) => {
      const [title, help] = RUNGS[name] ?? [name, ""];
      const bar = (nats, part2) => {
        const node = element("i", { "data-part-of": part2 });
        node.style.width = `${(100 * nats / most).toFixed(1)}%`;
        return node;
      };
      return element("tr", { title: help, "data-rung": name }, element("th", { scope: "row" }, title, element("span", { class: "lv-rung", "aria-hidden": "true" }, bar(shared, "gap"), bar(own, "own"))), element("td", {}, element("b", {}, number(kl, 3))), element("td", {}, element("b", {}, number(variation, 3))));
    }));
    const { approximation, explainingAway, amortisation } = gapsOf(rungs);
    setText(this.words, `Approximation gap ${number(approximation, 2)} nats: the best independent units found. ` + (explainingAway === null ? "" : `Explaining away ${number(explainingAway, 2)} nats: what factorised units lose besides, as they ignore each other. `) + (amortisation === null ? "" : `Amortisation gap ${number(amortisation, 2)} nats: what one pass of the recognition network loses besides. `) + (particles ? "The lane's curves are those of the weighted particles themselves, not of independent units with their means." : ""));
  }
  paint(k, colours2, fontSize) {
    this.follow();
    const { lane } = this;
    if (!lane.distance) return;
    const stale = this.stale || this.colours !== colours2 || this.fontSize !== fontSize;
    this.stale = false;
    this.colours = colours2;
    this.fontSize = fontSize;
    for (const chart of this.charts) chart.paint(this.lanes, k, colours2, fontSize, stale, lane);
  }
};
registerView("ladder", (player) => new LadderCard(player));
var climbs = (lane) => !lane.model.factorised && lane.model.layers.length === 1 && !lane.meta.means;
var BasinsCard = class {
  at = 0;
  hovered = -1;
  own = -1;
  fontSize = 0;
  inSight = false;
  rested = false;
  note = element("small");
  chart = element("canvas", { role: "spinbutton", tabindex: "0", "aria-valuemin": "1" });
  waiting = element("p", { class: "lv-caption lv-waiting", role: "status" });
  detail = element("div", { class: "lv-optimum" });
  average = element("p", { class: "lv-caption" });
  layer = element("canvas");
  lanes = [];
  states = [];
  found = null;
  block;
  laidOut = null;
  question;
  asked;
  of;
  lane;
  end;
  colours;
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the other starts");
    this.chart.vector = (context) => {
      this.draw(context);
      this.drawCursor(context);
    };
    this.node = card({ class: "lv-basins", "aria-label": "Where other starts end" }, ["Where other starts end ", this.which.node, this.note], [], element("div", { class: "lv-basins-body" }, element("div", { class: "lv-fill" }, this.chart, this.waiting), this.detail), legend([["square", "lane0 lane1", "an optimum; its height: how many starts end there"], ["square", "now", "the end of this lane"], ["ring", "ink", "the optimum beside the chart"], ["line", "now", "log P(x, h) at the cursor"]]), this.average);
    this.sight = new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      this.ask();
    });
    this.sight.observe(this.node);
    this.listen();
  }
  listen() {
    const { chart } = this, hover = (row) => {
      if (row !== this.hovered) {
        this.hovered = row;
        this.show();
      }
    };
    chart.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") hover(this.optimumAt(event.offsetX, event.offsetY));
    });
    chart.addEventListener("pointerleave", () => hover(-1));
    chart.addEventListener("click", (event) => this.go(this.optimumAt(event.offsetX, event.offsetY)));
    chart.addEventListener("keydown", (event) => {
      if (!this.found || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      const last = this.found.n - 1;
      const row = byKey(event, { ArrowRight: this.at - 1, ArrowUp: this.at - 1, ArrowLeft: this.at + 1, ArrowDown: this.at + 1, Home: last, End: 0 });
      if (row !== void 0) {
        this.at = Math.max(0, Math.min(last, row));
        this.show();
      } else if (event.key === "Enter" || event.key === " ") this.go(this.at);
      else return;
      event.preventDefault();
    });
  }
  load(lanes, meta) {
    this.lanes = lanes;
    this.question = meta.question;
    this.rested = false;
    this.of = void 0;
    this.follow();
  }
  follow() {
    const lane = this.which.choose(this.lanes, climbs);
    if (lane === this.of) return;
    const end = lane.h0.slice();
    for (let k = 0; k < lane.n_visits; k++) end[lane.unit[k]] = lane.after[k];
    this.of = this.lane = lane;
    this.end = end;
    this.hovered = -1;
    this.settle();
  }
  take(data) {
    const { meta: { question: question2, kinds }, arrays } = unpack(data);
    const lanes = Object.keys(kinds).map((lane) => {
      const found = part(arrays, Number(lane)), { counts } = found;
      return [Number(lane), { ...found, kinds: kinds[lane], n: counts.length, starts: counts.reduce((sum, count) => sum + count, 0) }];
    });
    this.block = { question: question2, lanes: new Map(lanes) };
    if (this.lane) this.settle();
  }
  settle() {
    const { block, lane, end } = this;
    const found = this.found = block?.question === this.question && block?.lanes.get(this.which.index) || null;
    if (found) {
      const bytes = Math.ceil(found.n / 8), units = byNumber(lane.n_h).map((j) => unpackBits(found.H.subarray(j * bytes, (j + 1) * bytes), found.n));
      this.states = byNumber(found.n).map((row) => Uint8Array.from(units, (bits) => bits[row]));
      this.own = this.states.findIndex((state) => state.every((on, j) => on === end[j]));
      this.at = Math.max(0, this.own);
    }
    this.node.hidden = !climbs(lane) || !this.found && !this.player.callbacks.basins;
    this.say();
    this.show();
  }
  say() {
    const { found, lane } = this, waits = !found && this.asked === this.key;
    setText(this.average, this.player.menus[this.which.index]?.note ?? "");
    setAttribute(this.node, "aria-busy", String(waits));
    setAttribute(this.node, "data-stale", String(!found));
    this.waiting.hidden = Boolean(found);
    this.chart.tabIndex = found ? 0 : -1;
    setText(this.waiting, found ? "" : waits ? "Looking for other optima …" : "Other starts are tried once the cursor rests.");
    if (!found) return setText(this.note, "");
    const { n, starts } = found;
    this.note.textContent = `ICM from ${many(starts)} starts ends in ${n === 1 ? "one optimum" : n === starts ? `${many(n)} optima, none of them twice` : `${many(n)} optima`}` + (lane.held.size ? ", with no unit held" : "");
  }
  get key() {
    return `${this.question} ${this.which.index}`;
  }
  ask() {
    const { player: { callbacks, clock }, question: question2, key } = this;
    if (!this.inSight || !this.rested || this.node.hidden || this.found || this.asked === key || clock.playing || !callbacks.basins || question2 === void 0) return;
    this.asked = key;
    callbacks.basins(question2, this.which.index);
    this.say();
  }
  rest(colours2) {
    if (!this.lane) return;
    this.colours = colours2;
    this.rested = true;
    this.ask();
    this.show();
  }
  go(row) {
    const { callbacks } = this.player;
    if (!this.found || row < 0 || !callbacks.climb || this.question === void 0) return;
    this.at = row;
    this.player.pause();
    if (row === this.own) this.player.move("last");
    else callbacks.climb(this.question, row, this.which.index);
    this.show();
  }
  get shown() {
    return this.hovered >= 0 ? this.hovered : this.at;
  }
  pictureOf(a, label2) {
    const { lane } = this, { rows, columns, visible } = lane.model, map = new PixelMap(rows, columns, label2);
    map.view.paint((i) => this.colours.tables.ink[byte(lane.shade(UNITS[visible].mean(a[i]), i))]);
    return map.canvas;
  }
  listOf(variables, a, label2) {
    const { lane } = this, { mean, binary, threshold } = UNITS[lane.model.visible], bars = new VariableBars([{ kind: "share", title: "mean" }]);
    bars.load(variables);
    bars.list.setAttribute("aria-label", label2);
    variables.forEach((_, i) => {
      const share = mean(a[i]), x = lane.x[i];
      bars.bar(i, 0, lane.shade(share, i));
      bars.observed(i, lane.shade(x, i), binary && a[i] > threshold !== x > 0.5, share.toFixed(binary ? 2 : 1));
    });
    bars.say((i) => `mean ${mean(a[i]).toFixed(2)}, ${observedWords(lane.x, i)}`);
    return bars.node;
  }
  show() {
    this.laidOut = null;
    this.player.clock.dirty();
    if (!this.found || !this.colours) return this.detail.replaceChildren();
    const { found, lane, shown, player } = this, { n, starts } = found, { W, b, visible } = lane.model, { variables } = lane;
    const state = this.states[shown], a = Float64Array.from(b);
    for (let j = 0; j < lane.n_h; j++) if (state[j]) for (let i = 0; i < lane.n_v; i++) a[i] += W[j * lane.n_v + i];
    const label2 = `Reconstruction at optimum ${shown + 1}`, picture = variables ? this.listOf(variables, a, label2) : this.pictureOf(a, label2);
    const value = found.log_joint[shown], count = found.counts[shown], wrong = found.wrong[shown], row = (name, ...texts) => [element("dt", {}, name), ...texts.map((text) => element("dd", {}, text))];
    const words = { below: shown ? `${number(found.log_joint[0] - value, 2)} nats below the best` : "the best found", reached: `${many(count)} of ${many(starts)} (${chance(count / starts)})`, from: this.kinds(found), wrong: UNITS[visible].binary ? `${wrong} of ${lane.n_v}` : number(wrong, 2) };
    const title = shown === this.own ? "The end of this lane" : n === 1 ? "The only optimum" : `Optimum ${shown + 1} of ${many(n)}`;
    const button = player.callbacks.climb && shown !== this.own ? element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.go(this.at) }, "show how ICM gets there") : null;
    this.detail.replaceChildren(picture, element("div", {}, element("h3", {}, title), element("dl", {}, ...row("log P(x, h)", `${number(value, 2)} nats`, words.below), ...lane.truth ? row("P(h | x)", chance(probabilityOf(value, lane.truth.log_evidence))) : [], ...row("reached from", words.reached, words.from), ...row(UNITS[visible].binary ? variables ? "wrong" : "wrong pixels" : "squared error", words.wrong), ...shown ? row("differs from the best", `${state.reduce((sum, on, j) => sum + (on ^ this.states[0][j]), 0)} of ${lane.n_h} units`) : []), button));
    const said = `${title}: ${number(value, 2)} nats, ${words.below}, reached from ${words.reached}, ${UNITS[visible].binary ? `${words.wrong} ${variables ? "" : "pixels "}wrong` : `squared error ${words.wrong}`}`;
    const { chart } = this;
    chart.setAttribute("aria-label", "Optima by log P(x, h): arrow keys choose one, Enter shows how ICM gets there");
    chart.setAttribute("aria-valuemax", String(n));
    chart.setAttribute("aria-valuenow", String(shown + 1));
    chart.setAttribute("aria-valuetext", said);
  }
  kinds({ kinds, counts_by_kind: by }) {
    const { shown } = this, named = [];
    let random = 0;
    kinds.forEach((kind, n) => {
      const count = by[shown * kinds.length + n];
      if (kind.startsWith("random,")) random += count;
      else if (count) named.push(kind.replaceAll(" = ", " = "));
    });
    if (random) named.push(`${many(random)} random`);
    return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0];
  }
  paint(k, colours2, fontSize) {
    this.follow();
    if (!this.found) return;
    const { chart } = this;
    if (fitCanvas(chart) || !this.laidOut || this.colours !== colours2 || this.fontSize !== fontSize) {
      this.colours = colours2;
      this.fontSize = fontSize;
      this.laidOut = this.layOut(this.found);
      this.layer = element("canvas", { width: chart.width, height: chart.height });
      this.draw(penOf(this.layer));
    }
    const context = penOf(chart);
    context.clearRect(0, 0, chart.width, chart.height);
    context.drawImage(this.layer, 0, 0);
    this.drawCursor(context);
  }
  layOut(found) {
    const { chart, lane, fontSize } = this, screen = window.devicePixelRatio || 1, font = 0.82 * fontSize * screen, line2 = screen * Math.max(1, fontSize / 14);
    const values = [...found.log_joint, lane.logJoint[lane.n_visits], ...lane.meta.optimum == null ? [] : [lane.meta.optimum]];
    let low = Math.min(...values), high = Math.max(...values);
    const room = Math.max(0.5, 0.04 * (high - low));
    low -= room;
    high += room;
    const left = font * 2.9, right = chart.width - font * 0.3, top = font * 3.1, bottom = chart.height - font * 3;
    const wide = Math.max(5 * line2, Math.min(16 * line2, (right - left) / (3 * found.n))), bins = Math.max(1, Math.floor((right - left) / wide));
    const x = (value) => left + (value - low) / (high - low) * (right - left);
    const totals = new Float64Array(bins);
    const places = Array.from(found.counts, (count, row) => {
      const bin = Math.min(bins - 1, Math.floor((x(found.log_joint[row]) - left) / wide)), from = totals[bin];
      totals[bin] += count;
      return { bin, from, to: totals[bin] };
    });
    const most = Math.max(...totals), y = (count) => bottom - count / most * (bottom - top);
    return { font, line: line2, low, high, left, right, top, bottom, wide, bins, totals, places, most, x, y };
  }
  box(row) {
    if (!this.laidOut) return [0, 0, 0, 0];
    const { left, wide, places, y, line: line2 } = this.laidOut, { bin, from, to } = places[row];
    const high = Math.max(y(from) - y(to), 2 * line2), gap = wide > 7 * line2 ? line2 : 0, split = y(from) - y(to) > 4 * line2 ? line2 : 0;
    return [left + bin * wide + gap / 2, y(from) - high, wide - gap, high - split];
  }
  draw(context) {
    const { colours: { palette }, found, laidOut, lane, own, shown } = this;
    if (!found || !laidOut) return;
    const { font, line: line2, low, high, left, right, top, bottom, most, x, y } = laidOut;
    const text = (words, at, base, align = "center", colour = palette.muted) => {
      context.fillStyle = colour;
      context.textAlign = align;
      context.fillText(words, at, base);
    };
    context.font = `${font}px ${FONT}`;
    context.textBaseline = "alphabetic";
    context.lineWidth = line2;
    context.strokeStyle = palette.line;
    const counts = niceTicks(0, most, 3).ticks.filter((tick) => Number.isInteger(tick));
    for (const tick of counts) {
      segment(context, left, y(tick), right, y(tick));
      text(many(tick), left - font * 0.5, y(tick) + font * 0.35, "right");
    }
    text("starts", 0, top - font * 0.9, "left");
    const { ticks, digits } = niceTicks(low, high, Math.max(2, Math.min(8, (right - left) / (font * 6))));
    for (const tick of ticks) {
      segment(context, x(tick), bottom, x(tick), bottom + font * 0.3);
      const words = number(tick, digits);
      if (x(tick) + context.measureText(words).width / 2 <= right) text(words, x(tick), bottom + font * 1.3);
    }
    text("log P(x, h) of the optimum, nats", (left + right) / 2, bottom + font * 2.6);
    for (let row = 0; row < found.n; row++) {
      context.fillStyle = row === own ? palette.now : palette.lanes[this.which.index % 2];
      context.beginPath();
      context.rect(...this.box(row));
      context.fill();
    }
    if (found.n > 1) {
      context.strokeStyle = palette.ink;
      context.lineWidth = 2 * line2;
      context.beginPath();
      context.rect(...this.box(shown));
      context.stroke();
    }
    const mark = (value, words, base, colour, dash) => {
      const at = x(value), half = context.measureText(words).width / 2;
      context.strokeStyle = colour;
      context.lineWidth = 1.5 * line2;
      context.setLineDash(dash.map((length) => length * line2));
      segment(context, at, base + font * 0.35, at, bottom);
      context.setLineDash([]);
      text(words, clamp(at, left + half, right - half), base, "center", colour);
    };
    if (lane.meta.optimum != null) mark(lane.meta.optimum, "exact optimum", font * 0.9, palette.good, [6, 4]);
    if (own < 0) mark(lane.logJoint[lane.n_visits], "end of this lane, reached by none", font * 2.1, palette.ink, [2, 3]);
    else {
      const { wide, places, totals } = laidOut, { bin } = places[own], words = "end of this lane", half = context.measureText(words).width / 2;
      const at = clamp(left + (bin + 0.5) * wide, left + half, right - half), base = y(totals[bin]) - font * 0.5;
      context.globalAlpha = 0.85;
      context.fillStyle = palette.surface;
      context.fillRect(at - half - font * 0.3, base - font * 0.95, 2 * half + font * 0.6, font * 1.3);
      context.globalAlpha = 1;
      text(words, at, base, "center", palette.ink);
    }
  }
  drawCursor(context) {
    if (!this.laidOut) return;
    const { lane, colours: { palette } } = this, { left, right, top, bottom, line: line2, x } = this.laidOut, at = clamp(x(lane.logJointNow), left, right);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * line2;
    segment(context, at, top, at, bottom);
    dot(context, at, bottom, 4 * line2, palette.now);
  }
  optimumAt(offsetX, offsetY) {
    if (!this.found || !this.laidOut) return -1;
    const ratio = this.chart.width / this.chart.clientWidth, { left, wide, bins, totals, places, y, line: line2 } = this.laidOut;
    const wanted = (offsetX * ratio - left) / wide - 0.5;
    let bin = -1, best = -1;
    for (let n = 0; n < bins; n++) if (totals[n] && (bin < 0 || Math.abs(n - wanted) < Math.abs(bin - wanted))) bin = n;
    if (Math.abs(bin - wanted) * wide > 14 * line2) return -1;
    places.forEach((place, row) => {
      if (place.bin === bin && (best < 0 || y(place.from) >= offsetY * ratio)) best = row;
    });
    return best;
  }
  remove() {
    this.sight.disconnect();
  }
};
registerView("basins", (player) => new BasinsCard(player));
var ORDERS = { on: "units that are on, by interaction", chain: "all units, by interaction", number: "units that are on, by number", index: "all units, by number" };
var POWER = 0.6;
var SCALE = [-1, -0.5, 0, 0.5, 1];
var MOST_NAMED = 20;
var MatrixCard = class {
  pointed = false;
  ms = 0;
  pictures = element("div", { class: "lv-matrices" });
  detail = element("div", { class: "lv-pair" });
  rounded = element("span");
  scale = element("canvas", { width: 101, height: 1, "aria-hidden": "true" });
  ticks = SCALE.map(() => element("span"));
  lanes = [];
  matrices = null;
  views = [];
  colours;
  constructor(player) {
    this.player = player;
    this.order = element("select", { "aria-label": "Units shown", "data-part": "order", onchange: () => this.player.rest(this.player.k) }, ...Object.entries(ORDERS).map(([value, text]) => element("option", { value }, text)));
    this.node = card({ class: "lv-matrix", "aria-label": "Explain-away matrix" }, ["Explain-away matrix ", element("small", {}, `change of a row unit's log-odds, in nats, when a column unit turns on; below ${signed(-COMPETE, 1)} they compete`)], [this.order], element("div", { class: "lv-matrix-body" }, element("div", {}, this.pictures, element("div", { class: "lv-scale" }, this.scale, element("div", {}, ...this.ticks)), element("p", { class: "lv-caption" }, "Nats, on one scale for all lanes: blue, competitors; orange, allies. The diagonal, a unit with itself, is 0.", this.rounded)), this.detail));
  }
  load(lanes) {
    this.lanes = lanes;
    this.matrices = null;
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
    setText(this.rounded, lanes.some(({ about, independent }) => about && !independent) ? " ≈: by rounded weights." : "");
  }
  makeView(index) {
    const canvas = element("canvas", { class: "lv-pixels", role: "img", "aria-label": "interactions of all pairs of units, known once the cursor rests" });
    const title = element("span"), value = element("b"), order = [], rows = element("ol", { class: "lv-axis", "aria-hidden": "true" }), columns = element("ol", { class: "lv-axis", "aria-hidden": "true" }), pairs = element("div", { class: "lv-pairs" }, rows, canvas, columns);
    const view = { canvas, title, value, order, name: (names) => {
      pairs.toggleAttribute("data-named", names.length > 0);
      for (const axis of [rows, columns]) axis.replaceChildren(...names.map((text) => element("li", { title: text }, text)));
    }, node: element("figure", {}, element("div", { class: "lv-label" }, title, value), pairs) };
    const at = ({ offsetX, offsetY }) => {
      const { order: order2 } = view, size = canvas.clientWidth / Math.max(1, order2.length), row = Math.floor(offsetY / size), column = Math.floor(offsetX / size);
      return this.matrices && row in order2 && column in order2 ? [order2[row], order2[column]] : null;
    };
    canvas.addEventListener("pointermove", (event) => {
      const pair = at(event);
      this.pointed = pair !== null;
      if (pair) this.show(index, ...pair);
    });
    canvas.addEventListener("pointerleave", () => {
      this.pointed = false;
    });
    canvas.addEventListener("click", (event) => {
      const pair = at(event);
      if (pair) this.player.select(index, pair[0]);
    });
    return view;
  }
  paint() {
    setAttribute(this.node, "data-stale", String(this.player.clock.playing || !this.matrices));
  }
  *rest(colours2) {
    this.colours = colours2;
    const begin2 = performance.now(), matrices = [];
    for (const lane of this.lanes) {
      lane.interactions ||= new Interactions(lane);
      matrices.push(yield* lane.interactions.matrix());
    }
    this.matrices = matrices;
    this.node.dataset.stale = "false";
    const top = Math.max(COMPETE, ...matrices.map((matrix) => largest(matrix)));
    this.lanes.forEach((lane, index) => {
      const { n_h } = lane, matrix = matrices[index], view = this.views[index];
      const { value: asked } = this.order, units = byNumber(n_h).filter((j) => asked === "chain" || asked === "index" || lane.h[j] > 0.5);
      view.order = asked === "on" || asked === "chain" ? chainOrder(matrix, n_h, units) : units;
      const { order } = view, table = colours2.tables.signed, m = Math.max(1, order.length);
      view.name(lane.model.names && order.length <= MOST_NAMED ? order.map((j) => lane.unitName(j)) : []);
      new PixelView(view.canvas, m, m).paint((p) => {
        const value = order.length ? matrix[order[Math.floor(p / m)] * n_h + order[p % m]] / top : 0;
        return signedColour(table, Math.sign(value) * Math.abs(value) ** POWER);
      });
      let competing = 0;
      for (const j of order) for (const k of order) if (matrix[j * n_h + k] < -COMPETE) competing++;
      const pairs = order.length * Math.max(0, order.length - 1) / 2;
      view.value.textContent = lane.independent ? "exactly zero" : `${lane.about}${many(competing / 2)} of ${many(pairs)} pairs compete`;
      view.canvas.setAttribute("aria-label", `${lane.meta.title}: ${m} by ${m} interactions, ` + (lane.independent ? "all exactly zero" : `strongest ${lane.about}${number(top, 1)} nats, ${lane.about}${many(competing / 2)} of ${many(pairs)} pairs compete: below ${signed(-COMPETE, 1)} nats`));
    });
    this.paintScale(top);
    this.ms = performance.now() - begin2;
    if (!this.pointed) this.showStrongest(matrices[0]);
  }
  paintScale(top) {
    const { width } = this.scale, table = this.colours.tables.signed;
    new PixelView(this.scale, 1, width).paint((p) => signedColour(table, 2 * p / (width - 1) - 1));
    SCALE.forEach((share, n) => setText(this.ticks[n], share ? `${signed(Math.sign(share) * top * Math.abs(share) ** (1 / POWER), top < 10 ? 2 : 1)} nats` : "0"));
  }
  showStrongest(matrix) {
    const { n_h } = this.lanes[0], { order } = this.views[0];
    let worst = [order[0] ?? 0, order[0] ?? 0];
    for (const j of order) for (const k of order) if (matrix[j * n_h + k] < matrix[worst[0] * n_h + worst[1]]) worst = [j, k];
    this.show(0, ...worst);
  }
  weights(lane, units) {
    const { filters, n_v } = lane.model, top = Math.max(...units.map((unit) => largest(filters, unit * n_v, (unit + 1) * n_v))), bars = new VariableBars(units.map((unit) => ({ kind: "signed", title: `${lane.nameOf(unit)}, ${lane.stateOf(unit)}`, help: "weights: right, the variable becomes more probable when the unit is on; left, less" })));
    bars.load(lane.variables ?? []);
    for (let i = 0; i < n_v; i++) units.forEach((unit, n) => bars.bar(i, n, filters[unit * n_v + i] / top));
    bars.say((i) => units.map((unit) => `${lane.nameOf(unit)} ${signed(filters[unit * n_v + i])}`).join(", "));
    return bars.node;
  }
  show(index, j, k) {
    if (!this.matrices) return;
    const lane = this.lanes[index], value = this.matrices[index][j * lane.n_h + k], { tables } = this.colours;
    const filter = (unit) => {
      return element("figure", {}, element("div", { class: "lv-label" }, element("span", {}, `${lane.nameOf(unit)}, ${lane.stateOf(unit)}`)), filterPicture(lane, unit, tables));
    };
    const words = lane.independent ? "Units of this model never interact once the image is known." : j === k ? "A unit with itself." : lane.model.restricted && lane.whole && lane.layerOf(j) === lane.layerOf(k) ? "Units of one layer of this model do not depend on each other." : lane.layerOf(j) !== lane.layerOf(k) ? "Units of two layers: when one is on, the other is more or less probable by so much." : lane.summed ? "They depend on each other only by way of what is not known, which an undirected model sums out." : Math.abs(value) <= COMPETE ? `Neither competitors nor allies: less than ${COMPETE} nats.` : value < 0 ? "Competitors: when one is on, the other has less left to explain." : "Allies: when one is on, the other fits better.";
    this.detail.replaceChildren(lane.variables ? this.weights(lane, [j, k]) : element("div", { class: "lv-pair-maps" }, filter(j), filter(k)), element("p", { class: "lv-pair-value" }, element("b", {}, j === k ? "" : `${lane.independent ? "" : lane.about}${signed(value)} nats`)), element("p", { class: "lv-caption" }, words));
  }
};
registerView("matrix", (player) => new MatrixCard(player));
var MosaicCard = class {
  pictures = element("div", { class: "lv-mosaics" });
  does = element("small");
  meaning = element("p", { class: "lv-caption lv-meaning" });
  lanes = [];
  views = [];
  constructor(player) {
    this.player = player;
    this.node = card({ class: "lv-mosaic", "aria-label": "Filters" }, ["Filters ", this.does], [orderMenu(player, "Order of the filters")], this.pictures, legend([["square", "plus", "more"], ["square", "minus", "less"], ["ring", "lane0 lane1", "on; faint: off"], ["ring", "now", "selected"]]), this.meaning);
  }
  load(lanes) {
    this.lanes = lanes;
    setText(this.does, `${lanes[0].variables ? "what each unit makes likelier or less likely" : "what each unit draws: more ink or less"}, each on a scale of its own`);
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
  }
  makeView(index) {
    const canvas = element("canvas", { role: "img", "aria-label": "filters of all units" }), title = element("span"), value = element("b");
    canvas.addEventListener("click", (event) => {
      const j = latentAt(canvas, this.lanes[index], event);
      if (j >= 0) this.player.select(index, j);
    });
    canvas.addEventListener("pointermove", (event) => {
      const j = latentAt(canvas, this.lanes[index], event);
      this.player.tip(j < 0 ? null : this.player.cards[index].describe(j), event);
    });
    canvas.addEventListener("pointerleave", () => this.player.tip(null));
    const node = element("figure", {}, element("div", { class: "lv-label" }, title, value), element("div", { class: "lv-fill" }, canvas));
    let drawn;
    return { canvas, title, value, node, drawn };
  }
  atlas(lane, table) {
    const { model } = lane, { n_h } = model, { rows, columns } = filterShape(model);
    const canvas = element("canvas", { width: columns * n_h, height: rows });
    const context = penOf(canvas), image = context.createImageData(columns * n_h, rows);
    const pixels = new Uint32Array(image.data.buffer);
    for (let j = 0; j < n_h; j++) {
      const colour = filterColours(model, j, table);
      for (let r = 0, p = 0; r < rows; r++) for (let c = 0; c < columns; c++, p++) pixels[r * columns * n_h + j * columns + c] = colour(p);
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }
  rest(colours2) {
    this.lanes.forEach((lane, index) => {
      const view = this.views[index], { canvas } = view;
      if (view.drawn?.of !== colours2 || view.drawn.model !== lane.model) view.drawn = { atlas: this.atlas(lane, colours2.tables.signed), of: colours2, model: lane.model };
      const { atlas } = view.drawn;
      fitCanvas(canvas);
      repaint(canvas, canvas.vector = (context) => this.draw(context, lane, index, atlas, colours2.palette));
      const on = Number(Array.from(lane.h).reduce((sum, value) => sum + value, 0).toFixed(1));
      view.value.textContent = `${on} on`;
      canvas.setAttribute("aria-label", `${lane.meta.title}: filters of ${lane.n_h} units, ${on} on`);
    });
    this.meaning.textContent = this.player.orderInWords();
  }
  draw(context, lane, index, atlas, palette) {
    const { canvas } = this.views[index], { rows, columns } = filterShape(lane.model), { selected } = this.player;
    const { columns: across, size } = gridShape(lane.n_h, canvas.width, canvas.height), gap = Math.max(1.5, size * 0.1), side = size - 2 * gap;
    context.imageSmoothingEnabled = side < columns;
    lane.order.forEach((j, at) => {
      const x = at % across * size + gap, y = Math.floor(at / across) * size + gap, on = lane.h[j] > 0.5;
      const chosen = selected.lane === index && selected.unit === j;
      if (on || chosen) {
        context.strokeStyle = chosen ? palette.now : palette.lanes[index % 2];
        context.lineWidth = gap * 0.8;
        context.strokeRect(x - gap * 0.4, y - gap * 0.4, side + gap * 0.8, side + gap * 0.8);
      }
      context.globalAlpha = on ? 1 : 0.45;
      context.drawImage(atlas, j * columns, 0, columns, rows, x, y, side, side * rows / columns);
      context.globalAlpha = 1;
    });
    if (lane.variables) nameUnits(context, lane.model.names, palette, size, across, lane.n_h, (place) => lane.order[place], () => false);
  }
};
registerView("mosaic", (player) => new MosaicCard(player));
var SHARE = 0.1;
var MANY2 = 60;
var PORTS = 0.72;
var ASIDE = 0.25;
var RING = 0.45;
var RISE = 3.4;
var CURVE = 16;
var LABEL_AT = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
var LETTER = 0.82;
var edgesOf = ({ layers, n_h }) => layers.flatMap(({ layer, first, n_v, W }) => Array.from(W, (weight, at) => ({ from: first + Math.floor(at / n_v), to: layer ? first - n_v + at % n_v : n_h + at % n_v, weight })));
function usualThreshold(edges) {
  const sizes = edges.map(({ weight }) => Math.abs(weight)).sort((a, b) => b - a);
  return Math.max(SHARE * (sizes[0] ?? 0), sizes[MANY2 - 1] ?? 0);
}
function ports(edges, boxes2, side, across) {
  const other = side === "from" ? "to" : "from", long = (node) => across ? boxes2[node].height : boxes2[node].width, middle = (node) => (across ? boxes2[node].y : boxes2[node].x) + long(node) / 2;
  const byNode = /* @__PURE__ */ new Map();
  for (const edge of edges) byNode.set(edge[side], [...byNode.get(edge[side]) ?? [], edge]);
  const found = /* @__PURE__ */ new Map();
  for (const [node, group] of byNode) {
    group.sort((one, two) => middle(one[other]) - middle(two[other]));
    group.forEach((edge, n) => found.set(edge, middle(node) + long(node) * PORTS * ((n + 0.5) / group.length - 0.5)));
  }
  return found;
}
function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], n) => n ? context.lineTo(x, y) : context.moveTo(x, y));
  context.stroke();
}
function head(context, [x0, y0], [x, y], size) {
  const length = Math.hypot(x - x0, y - y0) || 1, [u, v] = [(x - x0) / length, (y - y0) / length];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - size * (u + 0.5 * v), y - size * (v - 0.5 * u));
  context.lineTo(x - size * (u - 0.5 * v), y - size * (v + 0.5 * u));
  context.lineTo(x, y);
  context.fill();
}
function label(context, text, places, font, palette, colour, taken) {
  context.font = `650 ${font}px ${FONT}`;
  const width = context.measureText(text).width + 0.7 * font, height = 1.6 * font, boxes2 = places.map(([x, y]) => ({ x: x - width / 2, y: y - height / 2, width, height })), box2 = boxes2.find((each) => !taken.some((other) => overlap(each, other))) ?? boxes2[0];
  taken.push(box2);
  context.globalAlpha = 1;
  context.fillStyle = palette.surface;
  context.beginPath();
  context.roundRect(box2.x, box2.y, width, height, 0.3 * font);
  context.fill();
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, box2.x + width / 2, box2.y + height / 2);
}
var overlap = (one, two) => one.x < two.x + two.width && two.x < one.x + one.width && one.y < two.y + two.height && two.y < one.y + one.height;
function arcOf(from, to, font) {
  const below = Math.sign(to.y - from.y), apart3 = Math.abs(to.y - from.y) > from.height / 2, towards = Math.sign(from.x - to.x) || 1, side = apart3 ? 0 : ASIDE * towards, start = [from.x + from.width * (0.5 - side), from.y + (apart3 && below > 0 ? from.height : 0)], end = [to.x + to.width * (0.5 + side), apart3 && below < 0 ? to.y + to.height + RING * font : to.y - RING * font], middle = [(start[0] + end[0]) / 2, apart3 ? (start[1] + end[1]) / 2 : Math.min(from.y, to.y) - RISE * font];
  return Array.from({ length: CURVE + 1 }, (_, n) => {
    const t = n / CURVE, at = (axis) => (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * middle[axis] + t * t * end[axis];
    return [at(0), at(1)];
  });
}
var besideOf = (from, to, font) => Array.from({ length: CURVE + 1 }, (_, n) => {
  const t = n / CURVE, [start, end] = [from, to].map(({ y, height }) => y + height / 2);
  return [Math.min(from.x, to.x) - RING * font - 2 * t * (1 - t) * RISE * font, (1 - t) * start + t * end];
});
var isAcross = (edges, boxes2) => edges.length > 0 && edges.every(({ from, to }) => boxes2[from].x + boxes2[from].width <= boxes2[to].x);
function drawNetwork(context, network2, threshold, font, palette) {
  const { edges, boxes: boxes2, strongest, heads, nats, arcs, about } = network2, drawn = edges.filter(({ weight }) => weight && Math.abs(weight) >= threshold), across = isAcross(edges, boxes2), begins = ports(drawn, boxes2, "from", across), ends = ports(drawn, boxes2, "to", across), told3 = nats.size + arcs.length > 0;
  const labels = [], taken = [...boxes2];
  const colour = (value) => value < 0 ? palette.minus : palette.plus;
  for (const edge of drawn.sort((one, two) => Number(nats.has(one)) - Number(nats.has(two)))) {
    const { from, to, weight } = edge, share = Math.abs(weight) / strongest, width = font * (0.07 + 0.3 * share), size = heads ? font * (0.5 + 0.55 * share) : 0;
    const [begin2, end] = [begins.get(edge) ?? 0, ends.get(edge) ?? 0], gap = heads ? 1 : 0, start = across ? [boxes2[from].x + boxes2[from].width, begin2] : [begin2, boxes2[from].y + boxes2[from].height], tip = across ? [boxes2[to].x - gap, end] : [end, boxes2[to].y - gap], length = Math.hypot(tip[0] - start[0], tip[1] - start[1]) || 1, shaft = 1 - 0.97 * size / length;
    context.globalAlpha = !told3 || nats.has(edge) ? 1 : 0.28;
    context.strokeStyle = context.fillStyle = colour(weight);
    context.lineWidth = width;
    line(context, [start, [start[0] + shaft * (tip[0] - start[0]), start[1] + shaft * (tip[1] - start[1])]]);
    if (heads) head(context, start, tip, size);
    const value = nats.get(edge);
    if (value !== void 0) labels.push(() => label(context, `${about}${signed(value)}`, LABEL_AT.map((t) => [start[0] + t * (tip[0] - start[0]), start[1] + t * (tip[1] - start[1])]), LETTER * font, palette, colour(value), taken));
  }
  context.globalAlpha = 1;
  for (const { from, to, nats: value } of arcs) {
    const points = across ? besideOf(boxes2[from], boxes2[to], font) : arcOf(boxes2[from], boxes2[to], font);
    context.strokeStyle = context.fillStyle = colour(value);
    context.lineWidth = font * 0.16;
    context.setLineDash([0.4 * font, 0.3 * font]);
    line(context, points.slice(0, -1));
    context.setLineDash([]);
    head(context, points[CURVE - 2], points[CURVE], 0.7 * font);
    labels.push(() => label(context, `${about}${signed(value)}`, LABEL_AT.map((t) => points[Math.round(t * CURVE)]), LETTER * font, palette, colour(value), taken));
  }
  for (const paint of labels) paint();
  return drawn.length;
}
var told2 = (entries) => new Map(entries.filter(([, nats]) => !isZero(nats)));
var DIGITS = 4;
var inDigits = (value) => value === null ? "–" : value.toFixed(DIGITS);
var NetworkNode = class {
  name = element("span", { class: "lv-node-name" });
  state = element("span", { class: "lv-node-state" });
  bars = element("span", { class: "lv-node-bars" });
  rows = [];
  constructor(kind, unit, press) {
    this.kind = kind;
    this.unit = unit;
    this.button = element("button", { type: "button", class: "lv-node", tabindex: -1, "data-kind": kind, "data-unit": unit, onclick: press }, element("span", { class: "lv-node-head" }, this.name, this.state), this.bars);
  }
  show(name, { state, words, bars, decided, able }) {
    const { button } = this;
    setText(this.name, name);
    setAttribute(this.name, "title", name);
    setText(this.state, words);
    setAttribute(button, "data-state", state);
    if (button.hasAttribute("data-decided") !== decided) button.toggleAttribute("data-decided", decided);
    setAttribute(button, "aria-disabled", String(!able));
    if (this.rows.length !== bars.length) this.rows = this.makeRows(bars.length);
    bars.forEach(({ name: colour, title, value }, n) => {
      const row = this.rows[n], width = `${(100 * (value ?? 0)).toFixed(2)}%`;
      setText(row.title, title);
      setText(row.value, inDigits(value));
      setAttribute(row.bar, "data-bar", colour);
      if (row.bar.style.width !== width) row.bar.style.width = width;
    });
  }
  say(name, { words, bars }, does) {
    const numbers = bars.filter(({ value }) => value !== null).map(({ title, value }) => `${title} ${inDigits(value)}`).join(", ");
    setAttribute(this.button, "aria-label", `${name}, ${this.kind === "latent" ? "latent" : "observation"}: ${words}. ${numbers ? `${numbers}. ` : ""}${does}`);
  }
  makeRows(n) {
    const rows = Array.from({ length: n }, () => ({ title: element("span"), bar: element("i"), value: element("b") }));
    this.bars.replaceChildren(...rows.flatMap(({ title, bar, value }) => [title, element("span", { class: "lv-node-track" }, bar), value]));
    return rows;
  }
};
var Roving = class {
  nodes = [];
  constructor(stage) {
    stage.addEventListener("keydown", (event) => this.key(event));
  }
  load(nodes) {
    this.nodes = nodes;
    this.stop(nodes[0]);
  }
  stop(node) {
    for (const { button } of this.nodes) setAttribute(button, "tabindex", button === node.button ? "0" : "-1");
  }
  key(event) {
    const at = this.nodes.findIndex(({ button }) => button === event.composedPath()[0]);
    if (at < 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.nodes.length - 1, to = byKey(event, { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last }), way = byKey(event, { ArrowDown: 1, ArrowUp: -1 });
    const next = to !== void 0 ? this.nodes[to] : way ? this.beside(this.nodes[at], way) : void 0;
    if (!next) return;
    this.stop(next);
    next.button.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  beside(node, way) {
    const middle = ({ button }) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2, height };
    }, here = middle(node);
    const there = this.nodes.map((other) => ({ other, at: middle(other) })).filter(({ at }) => way * (at.y - here.y) > here.height / 2);
    const row = Math.min(...there.map(({ at }) => way * (at.y - here.y))), inRow = there.filter(({ at }) => way * (at.y - here.y) < row + here.height / 2);
    return inRow.sort((one, two) => Math.abs(one.at.x - here.x) - Math.abs(two.at.x - here.x))[0]?.other ?? node;
  }
};
var { latents: MAX_LATENTS, visibles: MAX_VISIBLES } = constants_default.network;
var FEW = 5;
var NARROW = 2;
var STEPS = 100;
var PAPER = { width: "500px", fontSize: "13px" };
var CHANGED = 5e-5;
var fits = ({ n_h, n_v, model }) => n_h <= MAX_LATENTS && n_v <= MAX_VISIBLES && UNITS[model.visible].binary;
function inferred(lane, j) {
  const { meta, h, unit, after, k } = lane;
  if (meta.particles) return { title: "share of weight", value: h[j] };
  if (meta.means) return { title: "mean", value: h[j] };
  if (lane.model.factorised) return { title: "probability", value: lane.conditional(j) };
  if (!meta.sampled) return { title: "state", value: h[j] };
  let visits = 0, on = 0;
  for (let v = 0; v < k; v++) {
    if (unit[v] !== j) continue;
    visits++;
    on += after[v];
  }
  return { title: "share of samples", value: visits ? on / visits : null };
}
var NetworkCard = class {
  title = element("small");
  stage = element("div", { class: "lv-network-stage lv-fill" });
  canvas = element("canvas", { "aria-hidden": "true" });
  said = element("p", { class: "lv-network-said" });
  sum = element("p", { class: "lv-caption" });
  help = element("p", { class: "lv-caption" });
  announced = element("div", { class: "lv-sr", role: "status", "aria-live": "polite" });
  slider = element("input", { type: "range", min: "0", max: String(STEPS), step: "1", oninput: () => this.limit(Number(this.slider.value) / STEPS * this.strongest) });
  limitWords = element("b");
  absent = element("p", { class: "lv-caption lv-absent" });
  threshold = 0;
  strongest = 1;
  fontSize = 12;
  letters = 12;
  drawnArrows = 0;
  layout = "";
  pressed = "";
  nodes = [];
  boxes = [];
  edges = [];
  network = null;
  lanes = [];
  of;
  lane;
  model;
  colours;
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the network");
    this.roving = new Roving(this.stage);
    this.canvas.vector = (context) => this.draw(context);
    this.slider.setAttribute("aria-label", "Smallest weight that has an arrow");
    this.limiter = element("label", { class: "lv-network-limit" }, element("span", {}, "arrows from "), this.limitWords, this.slider);
    this.apart = legend([["square", "apart", "the same weights, each unit by itself"]]);
    this.bars = legend([["square", "muted", "prior: nothing known"], ["square", "accent", "posterior: given what is observed"]]);
    this.body = element("div", { class: "lv-network-body" }, this.stage, this.said, this.sum, element("div", { class: "lv-legends" }, this.bars, this.apart, legend([["line", "plus", "weight above 0"], ["line", "minus", "below 0"], ["ring", "now", "the unit that is explained"]])), this.help);
    this.node = card({ class: "lv-network", "aria-label": "Network" }, ["Network ", this.which.node, this.title], [], this.body, this.absent, this.announced);
    window.addEventListener("beforeprint", this.paper);
    window.addEventListener("afterprint", this.screen);
  }
  paper = () => this.fix(PAPER);
  screen = () => this.fix({ width: "", fontSize: "" });
  fix(size) {
    if (this.body.hidden || !this.colours) return;
    Object.assign(this.stage.style, size);
    this.layout = "";
    this.measure();
    repaint(this.canvas, (context) => this.draw(context));
  }
  remove() {
    window.removeEventListener("beforeprint", this.paper);
    window.removeEventListener("afterprint", this.screen);
  }
  load(lanes) {
    const same = lanes.some(({ model }) => model === this.model);
    if (staysStale(this.node, same && Boolean(this.lane?.beliefs), lanes)) return;
    this.lanes = lanes;
    this.of = void 0;
    this.follow();
  }
  follow() {
    const lane = this.which.choose(this.lanes, fits), before = this.of ?? this.lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    const offered = fits(lane);
    this.body.hidden = !offered;
    if (offered) this.node.querySelector("header")?.append(this.limiter);
    else this.limiter.remove();
    this.absent.hidden = offered;
    this.place(offered && variablesOf(lane.model) !== null);
    if (!offered) return this.loadAbsent(lane);
    const { index } = this.which;
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${index % 2})`);
    this.node.style.setProperty("--lv-apart", `var(--lv-lane${(index + 1) % 2})`);
    if (this.model !== lane.model) this.loadModel(lane);
    this.apart.hidden = !lane.beliefs?.apart;
    setText(this.title, this.titleOf(lane));
    setText(this.help, this.helpWords);
    this.announce(before, lane);
  }
  place(first) {
    const { inner } = this.player;
    if (first === (inner.firstElementChild === this.node)) return;
    if (first) inner.prepend(this.node);
    else inner.append(this.node);
  }
  loadAbsent({ n_h, n_v, model }) {
    setText(this.title, "");
    const limits = `at most ${MAX_LATENTS} latents and ${MAX_VISIBLES} visible units that are on or off`, has = `${n_h} latents and ${many(n_v)} visible units${UNITS[model.visible].binary ? "" : " of real values"}`;
    setText(this.absent, `Models of ${limits} are drawn here as a network that one can press; this one has ${has}.`);
  }
  titleOf({ beliefs, meta, n_h }) {
    if (!beliefs) return "probabilities by the lane's inference";
    const evidence2 = meta.normalised ? `; log P(x) ${number(beliefs.log_evidence, 4)} nats` : "";
    return `all ${many(2 ** n_h)} states of ${n_h} latents enumerated${evidence2}`;
  }
  get helpWords() {
    const { player, lane } = this, parts = [];
    if (player.input.drawable) parts.push(`Press an observation to make it ${player.input.takesUnknown ? "not known, on, or off" : "on or off"}.`);
    if (this.canHold) parts.push("Press a latent to hold it on, then off, then free.");
    if (!lane.model.factorised && !lane.model.restricted) parts.push("Numbers on arrows: what each observation says for the explained unit, in nats; dashed: what another latent takes from it or adds.");
    return parts.join(" ");
  }
  loadModel({ model, n_h, n_v }) {
    this.model = model;
    this.edges = edgesOf(model);
    this.strongest = Math.max(1e-9, ...this.edges.map(({ weight }) => Math.abs(weight)));
    this.threshold = usualThreshold(this.edges);
    this.slider.value = String(Math.round(STEPS * this.threshold / this.strongest));
    this.nodes = [...Array.from({ length: n_h }, (_, j) => new NetworkNode("latent", j, () => this.press(j))), ...Array.from({ length: n_v }, (_, i) => new NetworkNode("visible", i, () => this.press(n_h + i)))];
    const { layers } = model;
    const row = (label2, nodes) => element("div", { class: "lv-network-row", role: "group", "aria-label": label2, style: `--lv-nodes: ${nodes.length}`, "data-many": nodes.length > FEW }, ...nodes.map(({ button }) => button));
    const rows = layers.map(({ layer, first, n_h: n }) => row(layers.length > 1 ? `Layer ${layer + 1}` : "Latents", this.nodes.slice(first, first + n))).reverse();
    this.stage.replaceChildren(this.canvas, ...rows, row("Observations", this.nodes.slice(n_h)));
    this.stage.toggleAttribute("data-columns", layers.length === 1 && Math.max(n_h, n_v) > NARROW);
    const order = layers.flatMap((_, n) => {
      const { first, n_h: size } = layers[layers.length - 1 - n];
      return this.nodes.slice(first, first + size);
    });
    this.roving.load([...order, ...this.nodes.slice(n_h)]);
    this.layout = "";
  }
  limit(threshold) {
    this.threshold = threshold;
    this.player.clock.dirty();
  }
  press(node) {
    const { player, lane, which, nodes } = this, { kind, unit } = nodes[node];
    this.roving.stop(nodes[node]);
    if (kind === "visible") {
      if (!player.input.drawable) return;
      this.pressed = visibleName(lane.model, unit);
      return player.input.toggle(unit);
    }
    const { selected } = player, chosen = selected.lane === which.index && selected.unit === unit;
    if (!this.canHold) return player.select(which.index, chosen ? -1 : unit);
    this.pressed = lane.unitName(unit);
    player.hold(unit, this.nextHold(unit), which.index);
  }
  actionOf({ kind, unit }) {
    if (kind === "visible") return this.player.input.drawable ? `Press to make it ${this.nextObservation(unit)}.` : "";
    if (!this.canHold) return "Press to explain it.";
    const next = this.nextHold(unit);
    return next === "free" ? "Press to free it." : `Press to hold it ${next}.`;
  }
  get canHold() {
    const { player, which } = this;
    return player.holds(which.index) && player.shows("hold");
  }
  nextHold(j) {
    const { held } = this.lane;
    return !held.has(j) ? "on" : held.get(j) ? "off" : "free";
  }
  nextObservation(i) {
    const off = this.player.input.takesUnknown ? "not known" : "on";
    return { unknown: "on", on: "off", off }[observationOf(this.lane.x, i)];
  }
  announce(before, lane) {
    const { pressed } = this;
    if (!pressed) return;
    this.pressed = "";
    const node = this.nodes.findIndex((_, n) => this.nameOf(n) === pressed), { words } = this.factsOf(node), { n_h } = lane;
    const changes = Array.from({ length: n_h }, (_, j) => j).flatMap((j) => {
      const [now, was] = [lane, before].map((each) => each?.beliefs?.latents[n_h + j]);
      return now !== void 0 && was !== void 0 && Math.abs(now - was) >= CHANGED ? [`${lane.unitName(j)} ${now.toFixed(2)}, before ${was.toFixed(2)}`] : [];
    });
    const changed = lane.beliefs ? `${changes.join("; ") || "No latent's probability changes"}.` : "";
    setText(this.announced, `${pressed}: ${words}. ${changed}`);
  }
  nameOf(node) {
    const { kind, unit } = this.nodes[node];
    return kind === "latent" ? this.lane.unitName(unit) : visibleName(this.lane.model, unit);
  }
  factsOf(node) {
    const { lane, player } = this, { beliefs, n_h, n_v, held } = lane, { kind, unit } = this.nodes[node], decided = kind === "latent" && unit === this.explained;
    if (kind === "visible") {
      return { state: observationOf(lane.x, unit), words: stateWord(lane.x, unit), decided, able: player.input.drawable, bars: beliefs ? [{ name: "prior", title: "prior", value: beliefs.visibles[unit] }, { name: "posterior", title: "posterior", value: beliefs.visibles[n_v + unit] }] : [{ name: "posterior", title: "mean", value: lane.mean(unit) }] };
    }
    const on = lane.h[unit], holds = held.has(unit);
    const bars = beliefs ? [{ name: "prior", title: "prior", value: beliefs.latents[unit] }, { name: "posterior", title: "posterior", value: beliefs.latents[n_h + unit] }, ...beliefs.apart ? [{ name: "apart", title: "by itself", value: beliefs.apart[n_h + unit] }] : []] : [{ name: "posterior", ...inferred(lane, unit) }];
    return { state: on === 1 ? "on" : on ? "between" : "off", words: holds ? `held ${held.get(unit) ? "on" : "off"}` : lane.stateOf(unit), decided, able: true, bars };
  }
  get explained() {
    const { index, j } = subjectOf(this.player), { selected } = this.player, { k, currentUnit, n_h } = this.lane;
    const found = index === this.which.index && j < n_h && (selected.unit >= 0 || k > 0 && currentUnit >= 0);
    return found ? j : -1;
  }
  decision(j) {
    const { lane, edges } = this;
    if (j < 0) return null;
    const { terms, facts: facts2 } = termsAt(lane, j), { first, n_h, layer } = lane.layerOf(j), { causes } = atOnce(whoChanged(lane, j, "off")), below = layer ? first - lane.layerOf(j).n_v : lane.n_h;
    const nats = told2(edges.flatMap((edge) => {
      if (edge.from === j && edge.to >= below) return [[edge, terms.evidence[edge.to - below] + terms.alone[edge.to - below]]];
      return edge.to === j && edge.from >= first + n_h ? [[edge, edge.weight * lane.h[edge.from]]] : [];
    }));
    const arcs = causes.filter(({ nats: value }) => Math.abs(value) >= 5e-3).map(({ unit, nats: value }) => ({ from: unit, to: j, nats: value }));
    return { terms, facts: facts2, nats, arcs, said: verdict(facts2, namedCauses(causes, terms.othersSum)) };
  }
  paint(k, colours2, fontSize) {
    if (!this.lanes.length) return;
    this.follow();
    if (this.body.hidden) return;
    const { lane, nodes } = this;
    this.colours = colours2;
    this.fontSize = fontSize;
    nodes.forEach((node, n) => node.show(this.nameOf(n), this.factsOf(n)));
    const j = this.explained, found = this.decision(j);
    setRich(this.said, found ? [bold(question(found.facts)), ` ${found.said}`] : [this.restWords]);
    setText(this.sum, found ? this.sumOf(j, found) : "");
    this.measure();
    this.network = { edges: this.edges, boxes: this.boxes, strongest: this.strongest, heads: !lane.model.factorised && !lane.model.restricted, nats: found?.nats ?? /* @__PURE__ */ new Map(), arcs: found?.arcs ?? [], about: lane.about };
    repaint(this.canvas, (context) => this.draw(context));
    setText(this.limitWords, `${number(this.threshold, 2)} nats`);
  }
  get restWords() {
    return "Each visit decides one latent: the arrows that made the decision then have their nats.";
  }
  sumOf(j, { terms, nats, arcs }) {
    const { lane, about } = { lane: this.lane, about: this.lane.about }, above = lane.layerOf(j).first + lane.layerOf(j).n_h;
    const parts = Array.from(nats, ([{ from, to }, value]) => [this.nameOf(from === j ? to : from), value, from]);
    const words = [`${termName("prior")} ${signed(terms.prior)}`, ...parts.filter(([, , from]) => Number(from) < above).map(([name, value]) => `${name} ${about}${signed(Number(value))}`), ...arcs.map(({ from, nats: value }) => `${lane.unitName(from)} ${about}${signed(value)}`)];
    return `${words.join(", ")}; ${termName("log-odds")} ${signed(terms.logOdds)}.`;
  }
  measure() {
    const { canvas, nodes } = this;
    fitCanvas(canvas);
    const layout = [canvas.width, canvas.height, this.fontSize].join();
    if (layout === this.layout) return;
    this.layout = layout;
    this.letters = parseFloat(getComputedStyle(this.stage).fontSize);
    this.boxes = nodes.map(({ button: { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } }) => ({ x, y, width, height }));
  }
  draw(context) {
    if (!this.network || !this.boxes.length) return;
    const ratio = window.devicePixelRatio || 1;
    context.save();
    context.scale(ratio, ratio);
    this.drawnArrows = drawNetwork(context, this.network, this.threshold, this.letters, this.colours.palette);
    context.restore();
  }
  rest() {
    if (this.body.hidden || !this.lanes.length) return;
    this.nodes.forEach((node, n) => node.say(this.nameOf(n), this.factsOf(n), this.actionOf(node)));
    setText(this.help, this.helpWords);
    const some = this.edges.filter(({ weight }) => weight).length;
    setAttribute(this.slider, "aria-valuetext", `${number(this.threshold, 2)} nats: ${this.drawnArrows} of ${some} arrows`);
  }
  get snapshot() {
    const { lane, body, nodes, network: network2 } = this;
    if (!lane || body.hidden) return { offered: false };
    return { offered: true, lane: this.which.index, evidence: lane.beliefs?.log_evidence ?? null, threshold: this.threshold, arrows: this.drawnArrows, explained: this.explained, nats: Array.from(network2?.nats ?? [], ([{ from, to }, nats]) => ({ from, to, nats })), arcs: network2?.arcs ?? [], nodes: nodes.map((_, n) => ({ name: this.nameOf(n), ...this.factsOf(n) })) };
  }
};
registerView("network", (player) => new NetworkCard(player));
var CHOICES = ["selected", "unit_order", "reference", "hidden", "present", "captions"];
var partOf = (node) => node.dataset.part ?? "";
function isNotebookDark() {
  const { classList, dataset } = document.body, has = (name) => classList.contains(`vscode-${name}`);
  if (dataset.jpThemeLight !== void 0) return dataset.jpThemeLight === "false";
  if (["light", "dark", "high-contrast"].some(has)) return !has("light") && !has("high-contrast-light");
  return void 0;
}
var Player = class extends Page {
  unloaded = false;
  behind = false;
  answers = false;
  penRests = false;
  pageDark = false;
  wanted = { lane: 0, unit: -1 };
  order = "number";
  reference = "last";
  fontSize = 0;
  usageImages = 0;
  whole = () => true;
  clock = new Clock((k) => this.paint(k), (k) => this.rest(k));
  equations = new Equations();
  words = new Words(this.equations);
  glossary = new Glossary((equation) => this.equations.show(equation));
  models = /* @__PURE__ */ new Map();
  cards = [];
  rehearsals = [];
  orderMenus = [];
  usage = /* @__PURE__ */ new Map();
  hidden = /* @__PURE__ */ new Set();
  far = /* @__PURE__ */ new Set();
  sizes = /* @__PURE__ */ new WeakMap();
  lanes;
  meta = { lanes: [] };
  menus = [];
  chosenSpeed;
  resting = null;
  themes;
  constructor(root, callbacks = {}, { inNotebook = false } = {}) {
    super(variables_default + network_default + present_default + sight_default);
    this.callbacks = callbacks;
    this.inNotebook = inNotebook;
    this.input = new InputCard(this);
    this.legend = boardLegend();
    this.board = element("div", { class: "lv-board" }, this.input.node, this.legend);
    this.panels = makeViews(this);
    for (const [name, panel] of Object.entries(this.panels)) panel.node.dataset.part = name;
    this.help = new Help(this);
    this.dialogs = [this.help, this.words, this.equations];
    this.presenter = new Presenter(this);
    this.transport = new Transport(this);
    this.sight = new Sight(this);
    this.story = new Story(this);
    this.inner = element("div", { class: "lv-in" }, this.board, ...Object.values(this.panels).map((panel) => panel.node));
    this.root.append(this.story.node, this.transport.node, this.inner, this.presenter.node, this.live, this.tipNode, this.help.node, this.words.node, this.equations.node);
    this.inner.addEventListener("scroll", () => {
      this.glossary.scrolled();
      this.sight.scrolled();
    });
    this.root.addEventListener("pointerdown", (event) => this.glossary.pressed(event));
    if (inNotebook) this.settleIn();
    this.sights = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.far[isIntersecting ? "delete" : "add"](partOf(target));
      this.clock.dirty();
    });
    for (const { node } of Object.values(this.panels)) this.sights.observe(node);
    for (const [name, node] of Object.entries(this.presenter.nodes)) node.append(saveCard(this, name));
    this.resizes = this.appear(root, "lrbnPlayers", { key: (event) => this.key(event), scheme: (dark) => this.setScheme(dark), resized: (entries) => {
      if (this.presenter.on) this.sight.follow();
      for (const { target, contentRect: { width, height } } of entries) if (target !== this.root) this.sizes.set(target, [Math.round(width), Math.round(height)]);
      this.clock.dirty();
    } });
  }
  settleIn() {
    this.root.tabIndex = -1;
    this.root.style.outline = "none";
    this.root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
    this.themes = new MutationObserver(() => this.setScheme(this.pageDark));
    this.themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  }
  setModels(...blocks) {
    this.models = decodeModels(...blocks);
  }
  setTrace(data) {
    const { meta, lanes, n_visits } = decodeTrace(data, this.models);
    const model = lanes[0].model;
    while (this.cards.length > lanes.length) this.cards.pop()?.node.remove();
    while (this.cards.length < lanes.length) {
      const card2 = new LaneCard(this.cards.length, this);
      this.cards.push(card2);
      card2.node.append(saveCard(this, `lane${this.cards.length}`));
      this.board.lastElementChild?.before(card2.node);
    }
    lanes.forEach((lane, i) => {
      const before = this.lanes?.[i];
      lane.order = before?.model === lane.model ? before.order : byNumber(lane.n_h);
    });
    this.lanes = lanes;
    this.meta = meta;
    this.story.follow(meta);
    this.wanted = this.selected;
    for (const name of CHOICES) if (meta.choices?.[name] !== void 0) this.adopt(name, meta.choices[name]);
    this.askUsage();
    lanes.forEach((lane, i) => this.cards[i].load(lane, model.rows, model.columns));
    setHidden(this.legend.error, lanes[0].variables !== null);
    setHidden(this.legend.bars, lanes[0].variables === null);
    setHidden(this.legend.unknown, lanes[0].whole);
    setHidden(this.legend.flips, lanes.every((lane) => lane.meta.means));
    const begun2 = this.clock.stats.painted > 0 && !this.clock.playing;
    this.answers = begun2 && this.input.sending;
    this.input.load(lanes[0]);
    this.presenter.fill();
    this.clock.end = n_visits;
    this.unloaded = true;
    if (!this.input.from) {
      if (!this.answers) this.loadRest();
      this.guessSpeed(n_visits);
    }
    const { cursor = 0 } = meta;
    this.seek(cursor < 0 ? n_visits : cursor);
    if (begun2) this.clock.frame(performance.now());
    if (this.answers && !this.input.from) requestAnimationFrame(() => requestAnimationFrame(() => {
      if (this.unloaded) this.clock.dirty();
    }));
    this.answers = false;
  }
  rehearse(data) {
    const { lanes, n_visits } = decodeTrace(data, this.models);
    lanes.forEach((lane, i) => {
      const shown = this.cards[i], card2 = this.rehearsals[i] ??= new LaneCard(i, this), sizes = new Map(card2.fitted.map((canvas, n) => [canvas, this.sizes.get(shown.fitted[n]) ?? [1, 1]]));
      lane.order = shown.lane.order;
      card2.load(lane, lane.model.rows, lane.model.columns);
      const paint = () => card2.paint(n_visits, this.colours, this.fontSize, card2.axisWidth(this.fontSize));
      withSizes(card2.fitted, paint, sizes);
    });
  }
  placeOf(part2) {
    if (!this.lanes) return null;
    if (part2 === "captions") return this.story.shown ? this.story.next : null;
    if (part2 === "transport") return this.transport.playButton;
    if (part2 === "input") return this.input.canvas;
    return part2 === "lanes" ? this.cards[0].latents.canvas : null;
  }
  setMenus(menus) {
    this.menus = menus;
    this.cards.forEach((card2, index) => {
      if (card2.lane) card2.menus.load(menus[index]);
    });
  }
  loadRest() {
    if (!this.unloaded || !this.lanes) return;
    this.unloaded = false;
    this.input.describe(this.meta);
    for (const panel of Object.values(this.panels)) panel.load(this.lanes, this.meta);
    this.transport.load(this.lanes, this.clock.end);
    this.transport.showSpeed(this.clock.speed);
  }
  give(name, data) {
    this.panels[name]?.take?.(data);
  }
  setScheme(dark) {
    this.pageDark = dark;
    if (this.inNotebook) dark = isNotebookDark() ?? dark;
    this.root.dataset.scheme = dark ? "dark" : "light";
    this.colours = coloursOf(dark);
    this.input.stale = true;
    this.refresh();
  }
  get asked() {
    return this.lanes?.[this.selected.lane];
  }
  get k() {
    return this.clock.k;
  }
  seek(k) {
    this.resting = null;
    this.clock.seek(k);
  }
  play() {
    this.resting = null;
    this.clock.play();
  }
  pause() {
    this.clock.pause();
  }
  toggle() {
    if (this.clock.playing) this.pause();
    else this.play();
  }
  setSpeed(speed) {
    this.chosenSpeed = this.clock.speed = speed;
    this.transport.showSpeed(speed);
  }
  tell(captions) {
    if (!this.lanes || !this.story.tell(captions) || this.clock.lessMotion.matches) return;
    const [{ visit }] = captions;
    this.guessSpeed(visit, 6);
    this.seek(0);
    this.resting = null;
    this.clock.playTo(visit);
  }
  guessSpeed(n_visits, seconds = 12) {
    if (this.chosenSpeed) return;
    const wanted = Math.log(Math.max(1, n_visits) / seconds);
    this.clock.speed = SPEEDS.reduce((best, speed) => Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best);
    if (!this.unloaded) this.transport.showSpeed(this.clock.speed);
  }
  move(way) {
    const { k, asked: lane } = this;
    if (!lane) return;
    this.pause();
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(this.clock.end);
    if (way === "back") return this.seek(k - 1);
    if (way === "step") return this.seek(k + 1);
    if (way === "flip") return this.seek((lane.flips[lowerBound(lane.flips, k)] ?? this.clock.end - 1) + 1);
    if (way === "flipBack") return this.seek((lane.flips[lowerBound(lane.flips, k - 1) - 1] ?? -1) + 1);
    const offs = lane.offs;
    if (way === "off") return this.seek((offs[lowerBound(offs, k)] ?? this.clock.end - 1) + 1);
    if (way === "offBack") return this.seek((offs[lowerBound(offs, k - 1) - 1] ?? -1) + 1);
    const ends = [...lane.sweepStarts, this.clock.end];
    if (way === "sweep") return this.seek(ends[lowerBound(ends, k + 1)] ?? this.clock.end);
    return this.seek(ends[lowerBound(ends, k) - 1] ?? 0);
  }
  get selected() {
    return this.wanted.unit < (this.lanes?.[this.wanted.lane]?.n_h ?? -1) ? this.wanted : { lane: 0, unit: -1 };
  }
  select(lane, unit) {
    this.wanted = { lane, unit };
    this.story.asked(lane, unit);
    this.refresh();
    this.callbacks.chose?.("selected");
  }
  refresh() {
    this.clock.dirty();
    if (!this.clock.playing) this.clock.settle();
  }
  sort(order) {
    this.setOrder(order);
    this.callbacks.chose?.("unit_order");
  }
  setOrder(order) {
    this.order = order;
    for (const menu of this.orderMenus) menu.value = order;
    this.askUsage();
    if (this.lanes) this.reorder();
    this.refresh();
  }
  compareWith(reference) {
    this.reference = reference;
    this.refresh();
    this.callbacks.chose?.("reference");
  }
  get lacksUsage() {
    return this.order === "usage" && Boolean(this.lanes?.some((lane) => !this.usage.has(lane.meta.model)));
  }
  askUsage() {
    if (this.lacksUsage) this.callbacks.usage?.();
  }
  reorder() {
    let moved = false;
    for (const lane of this.lanes ?? []) {
      const order = orderUnits(lane, this.order, this.usage.get(lane.meta.model));
      if (order.some((j, place) => j !== lane.order[place])) {
        lane.order = order;
        moved = true;
      }
    }
    return moved;
  }
  orderInWords() {
    if (this.lacksUsage) return this.callbacks.usage ? "Counting how often each unit is on over the test images …" : "How often each unit is on was not counted here; units are in the order of their numbers.";
    return UNIT_ORDERS[this.order][1] + (this.order === "usage" ? ` (${this.usageImages} images, MAP states).` : "");
  }
  setUsage(data) {
    const { meta, arrays } = unpack(data);
    meta.models.forEach((key, i) => this.usage.set(key, arrays[String(i)]));
    this.usageImages = meta.images;
    if (this.lanes && this.order === "usage") this.setOrder("usage");
  }
  hide(names) {
    this.hidden = new Set(names.split(".").filter(Boolean));
    for (const node of this.root.querySelectorAll("[data-part]")) node.toggleAttribute("data-hidden", !this.shows(partOf(node)));
    this.input.follow();
    this.presenter.show(this.presenter.cards);
    this.refresh();
  }
  shows(name) {
    return !this.hidden.has(name);
  }
  showAll() {
    this.hide("");
    this.callbacks.chose?.("hidden");
  }
  get choices() {
    const { lane, unit } = this.wanted;
    const { presenter: { cards, captions } } = this, hidden = Array.from(this.hidden).join(".");
    return { selected: unit >= 0 ? `${lane}.${unit}` : lane ? `lane${lane + 1}` : "", unit_order: this.order, reference: this.reference, hidden, present: cards.join("."), captions: captions ? "on" : "off" };
  }
  adopt(name, value) {
    if (value === this.choices[name]) return;
    if (name === "hidden") return this.hide(value);
    if (name === "unit_order") return this.setOrder(value);
    if (name === "present") return this.presenter.show(value.split("."));
    if (name === "captions") return this.presenter.say(value !== "off");
    if (name === "reference") {
      this.reference = value;
      return this.refresh();
    }
    const visited = value.startsWith("lane"), [lane, unit] = value && !visited ? value.split(".").map(Number) : [visited ? Number(value.slice(4)) - 1 : 0, -1];
    this.wanted = { lane, unit };
    this.refresh();
  }
  holds(lane) {
    return Boolean(this.callbacks.hold) && (this.menus[lane]?.holds ?? lane === 0);
  }
  hold(unit, state, lane = 0) {
    if (unit >= 0) this.select(lane, unit);
    this.callbacks.hold?.(unit, state, lane);
  }
  paint(k) {
    if (!this.lanes || !this.colours) return;
    this.behind = (this.answers || Boolean(this.input.from)) && !this.penRests;
    this.penRests = false;
    const fontSize = this.fontSize = this.behind && this.fontSize || parseFloat(getComputedStyle(this.board).fontSize);
    if (!this.behind) this.loadRest();
    if (!this.behind) for (const panel of this.inSight()) panel.makeRoom?.(fontSize);
    withSizes(this.behind ? this.cards.flatMap((card2) => card2.fitted) : this.canvases, () => this.paintAll(k, fontSize), this.sizes);
  }
  get canvases() {
    const canvases = Array.from(this.root.querySelectorAll(".lv-fill > canvas, .lv-scrub > canvas, .lv-track > canvas"));
    for (const canvas of canvases) if (!this.sizes.has(canvas)) this.resizes.observe(canvas);
    return canvases;
  }
  paintAll(k, fontSize) {
    this.input.paint(this.colours.tables);
    const axis = Math.max(...this.cards.map((card2) => card2.axisWidth(fontSize)));
    this.cards.forEach((card2, index) => {
      if (this.presenter.presents(`lane${index + 1}`)) card2.paint(k, this.colours, fontSize, axis);
      else card2.lane.seek(k);
    });
    if (this.behind) return;
    this.transport.paint(k, this.colours.palette);
    for (const panel of this.inSight()) panel.paint?.(k, this.colours, fontSize);
    this.presenter.paint(k);
  }
  inSight() {
    return Object.entries(this.panels).flatMap(([name, panel]) => this.shows(name) && this.presenter.presents(name) && !this.far.has(name) ? [panel] : []);
  }
  rest(k) {
    if (!this.lanes) return;
    if (this.input.from) {
      this.penRests = this.behind;
      if (this.behind) this.clock.dirty();
      return this.clock.settle();
    }
    this.resting = this.restInPieces(k);
    this.restOn();
  }
  *restInPieces(k) {
    if (this.behind) this.clock.stale = true;
    if (this.clock.stale) this.clock.frame(performance.now());
    if (this.reorder()) this.clock.dirty();
    for (const card2 of this.cards) card2.label();
    this.live.textContent = this.transport.sentence(k);
    this.callbacks.rested?.(k);
    for (const [name, panel] of Object.entries(this.panels)) {
      if (!this.shows(name) || !(this.presenter.presents(name) || panel.caption)) continue;
      if (this.far.has(name)) {
        panel.makeRoom?.(this.fontSize);
        withSizes(this.canvases, () => panel.paint?.(k, this.colours, this.fontSize));
      }
      const pieces = panel.rest?.(this.colours);
      if (pieces) yield* pieces;
      yield;
    }
  }
  restOn() {
    const { resting } = this, until = performance.now() + 6;
    while (resting && !resting.next().done) {
      if (performance.now() > until) return soon(() => {
        if (this.resting === resting) this.restOn();
      });
    }
    this.resting = null;
  }
  get atRest() {
    return !this.clock.playing && !this.clock.settling && !this.resting && !this.clock.stale;
  }
  restAtOnce() {
    this.resting = null;
    atOnce(this.restInPieces(this.k));
  }
  async save(kind, card2) {
    this.pause();
    this.restAtOnce();
    if (this.clock.stale) this.clock.frame(performance.now());
    const alone = card2 ? this.presenter.nodes[card2] : void 0;
    const unknown = Object.values(this.panels).map((panel) => panel.node).filter((node) => node !== alone && node.matches('[data-stale="true"]:not([data-hidden])'));
    for (const node of unknown) node.setAttribute("data-hidden", "");
    this.inner.classList.add("lv-whole");
    const file = new Picture(this, alone)[kind]();
    this.inner.classList.remove("lv-whole");
    for (const node of unknown) node.removeAttribute("data-hidden");
    download(await file, fileName(this.meta, this.k, kind, card2));
  }
  key(event) {
    if (this.inNotebook && !event.composedPath().includes(this.root)) return;
    if (!this.lanes || this.dialogs.some(({ node }) => node.open) || !isPageKey(event, this.transport.scrub.range)) return;
    const image = byKey(event, { n: "next", p: "previous", r: "random" });
    if (image && this.callbacks.image && this.shows("images")) return this.callbacks.image(image);
    const way = byKey(event, event.shiftKey ? { ArrowRight: "flip", ArrowLeft: "flipBack" } : { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", PageDown: "sweep", PageUp: "sweepBack" }) ?? byKey(event, { o: "off", O: "offBack" });
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else if (event.key === "Escape" && this.presenter.on) this.presenter.leave();
    else if (event.key === "Escape" && this.selected.unit < 0 && this.story.shown) this.story.end(true);
    else if (event.key === "Escape") this.select(0, -1);
    else if (event.key === "c" && this.story.shown) this.story.go(this.story.at + 1);
    else if (event.key === "C" && this.story.shown) this.story.go(this.story.at - 1);
    else if (event.key === "f" && this.shows("view")) this.presenter.enter();
    else if (event.key === "?") this.help.show();
    else if (event.key === "s" && this.shows("export")) this.save("png");
    else return;
    event.preventDefault();
  }
  state() {
    for (const lane of this.lanes || []) lane.seek(this.k);
    return { k: this.k, end: this.clock.end, playing: this.clock.playing, stats: { ...this.clock.stats }, lanes: (this.lanes || []).map((lane) => ({ title: lane.meta.title, k: lane.k, h: Array.from(lane.h), unit: lane.currentUnit, wrong: lane.wrongNow, logJoint: lane.logJointNow, flips: lane.flips, falls: lane.falls })), ...Object.fromEntries(Object.entries(this.panels).flatMap(([name, { snapshot }]) => snapshot ? [[name, snapshot]] : [])) };
  }
  latents(index, k) {
    const { lane } = this.cards[index], kept = lane.k;
    lane.seek(k);
    const h = Array.from(lane.h);
    lane.seek(kept);
    return h;
  }
  remove() {
    this.resting = null;
    this.sights.disconnect();
    this.clock.stop();
    this.presenter.letBack?.();
    this.sight.remove();
    this.themes?.disconnect();
    for (const panel of Object.values(this.panels)) panel.remove?.();
    this.vanish?.();
  }
};
function createPlayer(root, callbacks, options) {
  return new Player(root, callbacks, options);
}
function begin({ model, el }) {
  const host = hostOf(model);
  const read = (name, take) => {
    const data = host.get(name);
    if (data?.byteLength) take(data);
  };
  const { live, send, keep, left, open } = outbox(host, () => {
    const k = left("cursor");
    if (typeof k === "number") player.seek(k);
    for (const name of CHOICES) {
      const value = left(name);
      if (typeof value === "string") player.adopt(name, value);
    }
    const speed = left("speed");
    if (typeof speed === "number") player.setSpeed(speed);
    if (left("playing")) player.play();
    if (!player.clock.playing) rested(player.k);
    CHOICES.forEach(share);
  });
  const rested = (k) => {
    if (live() && host.get("cursor") !== k) keep("cursor", k, () => host.set("cursor", k));
  };
  const share = (name) => {
    const value = player.choices[name], known = host.get(name);
    if (live() && known !== void 0 && known !== value) keep(name, value, () => host.set(name, value));
  };
  const player = createPlayer(el, { rested, open, chose: share, usage: host.get("offers_usage") ? () => send({ type: "usage" }) : void 0, basins: host.get("offers_basins") ? (key, lane) => send({ type: "basins", key, lane }) : void 0, climb: host.get("offers_basins") ? (key, row, lane) => send({ type: "climb", key, row, lane }) : void 0, compare: host.get("offers_models") ? (model2) => send({ type: "compare", model: model2 }) : void 0, hold: host.get("offers_holding") ? (unit, state, lane = 0) => send({ type: "hold", unit, state, lane }) : void 0, name: host.get("offers_names") ? (unit, name, lane) => send({ type: "name", unit, name, lane }) : void 0, lane: (lane, part2, value, what) => send({ type: "lane", lane, part: part2, value }, what), swap: () => send({ type: "swap" }), back: () => send({ type: "to_training" }), draw: host.get("offers_drawing") ? (bits) => send({ type: "draw", bits }) : void 0, image: host.get("offers_images") ? (way) => send({ type: "image", way }) : void 0 }, { inNotebook: Boolean(host.get("in_notebook")) });
  player.whole = live;
  if (host.get("offers_images") && widthAround(el) < 600) send({ type: "narrow" });
  const load = together({ models: (data) => {
    if (data?.byteLength) return withBlocks(data, (...blocks) => player.setModels(...blocks));
  }, trace: (data) => {
    if (data?.byteLength) player.setTrace(data);
  } }, host);
  host.on("cursor", () => {
    if (host.get("cursor") !== player.k) player.seek(host.get("cursor"));
  });
  host.on("basins", () => read("basins", (data) => player.give("basins", data)));
  host.on("usage", () => read("usage", (data) => player.setUsage(data)));
  const offer = () => {
    player.setMenus(host.get("menus") ?? []);
    player.input.lead(host.get("back") ?? "");
  };
  host.on("menus", offer);
  host.on("back", offer);
  for (const name of CHOICES) host.on(name, () => player.adopt(name, host.get(name)));
  const leave = ({ detail: states }) => {
    states.push(["cursor", player.k], ["playing", player.clock.playing]);
    if (player.chosenSpeed) states.push(["speed", player.chosenSpeed]);
  };
  window.addEventListener("lrbn-leave", leave);
  host.removed(() => {
    window.removeEventListener("lrbn-leave", leave);
    player.remove();
  });
  offer();
  const first = () => {
    if (player.lanes) player.seek(host.get("cursor"));
    for (const name of CHOICES) if (host.get(name)) player.adopt(name, host.get(name));
    read("basins", (data) => player.give("basins", data));
    player.tell(host.get("story") ?? []);
  };
  const waiting2 = load();
  if (waiting2) waiting2.then(first);
  else first();
  return { player, remove: host.end };
}
var SHARED = "IPY_MODEL_";
async function inflate(data) {
  if (!data?.byteLength) return new ArrayBuffer(0);
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
var sharedBy = (widget, name) => widget.widget_manager.get_model(widget.get(name).slice(SHARED.length));
var sharedBytes = async (widget, name) => inflate((await sharedBy(widget, name)).get("content"));
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
    const made2 = this.noted(new KernelArray(this, dtype, shape));
    new Uint8Array(this.bytes.buffer, made2.address, made2.view.byteLength).fill(0);
    return made2;
  }
  of(dtype, values, ...shape) {
    if (ArrayBuffer.isView(values) && values.buffer === this.bytes.buffer) values = Array.from(values);
    const made2 = this.noted(new KernelArray(this, dtype, shape.length ? shape : [values.length]));
    made2.view.set(values);
    return made2;
  }
  tuple(name, fields) {
    return this.noted(new KernelTuple(this, name, fields));
  }
  columns(name, n) {
    const made2 = Object.entries(TUPLES[name]).map(([field, type]) => [field, this.array(dtypeOf(type), n)]);
    return Object.fromEntries(made2);
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
    const { made: made2, placed: placed3 } = kernels().kept(() => make(owner));
    known.set(owner, made2);
    registry.register(owner, placed3);
    return made2;
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
function fill2({ n_v, n_h, n_p, gaussian, precision, fields, rows }, W, b, d) {
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
var ORDERS2 = ["sequential", "random", "greedy", "parallel"];
var CURSOR = { visits: 0, sweep: 1, done: 4, converged: 5 };
var VISITS = 4096;
var prepared = keptWith(({ n_v, n_h, exact, b, d, visible }) => {
  const at = roomFor({ n_v, n_h, gaussian: visible === "gaussian" });
  fill2(at, exact, b, d);
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
    const given = { order: ORDERS2.indexOf(order), units: memory2.array("i4", random ? n_sweeps : 1, n_free), temperatures: memory2.of("f8", temperatures), at_once: memory2.array("f8", n_free), total: memory2.array("f8", 1), cursor: memory2.array("i8", 6) };
    const joint = memory2.call("begin", { params, state }), record = new Record(h0, joint);
    given.total.view[0] = joint;
    if (!random) given.units.view.set(free);
    const together3 = Math.max(1, Math.floor(VISITS / Math.max(n_free, 1)));
    for (let t = 0; t < n_sweeps && !given.cursor.view[CURSOR.done]; t += together3) {
      const sweeps = Math.min(together3, n_sweeps - t);
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
  add({ unit, after, log_odds, sweep }, logJoint, made2) {
    for (const [column, part2] of [[this.unit, unit], [this.after, after], [this.logOdds, log_odds], [this.logJoint, logJoint], [this.sweep, sweep]]) if (part2) column.push(...part2.view.subarray(0, made2));
  }
  trace(what) {
    return { ...this, converged: true, sampled: false, means: false, atOnce: false, ...what };
  }
};
var isSampled = (sweep, temperatures) => sweep.length > 0 && Array.from(temperatures).slice(0, sweep[sweep.length - 1] + 1).some(Boolean);
function padded(x, ...shape) {
  const made2 = kernels().array("f8", ...shape);
  made2.view.fill(NaN).set(x);
  return made2;
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
      const prior = n < layers.length - 1 ? activation(layers[n + 1], H[n + 1]) : null, below = n ? H[n - 1] : x, part2 = updateLatents(layer, below, H[n], order, [temperatures[t]], holds[n], rng, prior), rest = joint - part2.logJoint[0];
      part2.unit.forEach((j, k) => {
        moved ||= H[n][j] !== part2.after[k];
        H[n][j] = part2.after[k];
      });
      record.unit.push(...part2.unit.map((j) => layer.first + j));
      record.after.push(...part2.after);
      record.logOdds.push(...part2.logOdds);
      record.logJoint.push(...part2.logJoint.slice(1).map((value) => value + rest));
      record.sweep.push(...part2.unit.map(() => t));
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
var { kinds: KINDS2, scratch: SCRATCH } = CONSTANTS.means;
var CURSOR2 = { visits: 0, done: 3, converged: 4 };
var ROWS = 6;
var SWEEPS = 16;
function boundOf([{ n_h, visible }], name) {
  const { linear, quadratic } = KINDS2, few = n_h <= constants_default.max_exact_interactive;
  if (name === "undirected") return { visible: linear, latent: linear };
  if (name === "top") return { visible: quadratic, latent: linear };
  if (name === "layers" || name === "quadratic" || name === "few-exact" && !few) return { visible: quadratic, latent: quadratic };
  if (visible === "gaussian") return { visible: KINDS2.gaussian, latent: quadratic };
  return { visible: KINDS2.tilted, latent: quadratic, exact: few && name !== "tilted" };
}
function integers(values) {
  const made2 = kernels().array("i8", values.length);
  made2.view.set(values.map(BigInt));
  return made2;
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
  const state = memory2.tuple("MeansState", { units, tilts: memory2.array("f8", ROWS, visible === KINDS2.tilted && !exact ? n_v : 0), upper: memory2.array("f8", top ? top.e.length : 0), sums: memory2.array("f8", SCRATCH + (exact ? 2 ** q.length : 0)) });
  return { params, state };
}
function meanField(model, x, start, held, n_sweeps, name = "", guess = null) {
  const h0 = Float64Array.from(start);
  for (const [unit, value] of held) h0[unit] = value;
  const memory2 = kernels(), free = Int32Array.from(h0.keys()).filter((j) => !held.has(j)), n_visits = free.length * Math.min(SWEEPS, n_sweeps + Number(guess !== null));
  return memory2.scope(() => {
    const at = placed2(model, x, h0, boundOf(model.layers, name)), logJoint0 = memory2.call("begin_means", at), record = new Record(h0, logJoint0);
    const given = { ...at, units: memory2.of("i4", free), guess: memory2.of("f8", guess ?? []), n_sweeps, most: memory2.array("f8", 1), cursor: memory2.array("i8", 5), n_visits };
    const { cursor } = given;
    while (n_visits && !cursor.view[CURSOR2.done]) memory2.scope(() => {
      const columns = memory2.columns("MeansRecord", n_visits);
      cursor.view[CURSOR2.visits] = 0n;
      memory2.call("update_means", { ...given, record: memory2.tuple("MeansRecord", columns) });
      record.add(columns, columns.bound, Number(cursor.view[CURSOR2.visits]));
    });
    return record.trace({ converged: !n_visits || Boolean(cursor.view[CURSOR2.converged]), means: true });
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
function observedPart(model, x) {
  if (isWhole(x)) return { model, x };
  const seen2 = Array.from(x, (_, i) => i).filter((i) => !Number.isNaN(x[i])), [lowest, ...upper] = model.layers;
  const rowsOf = (W2) => {
    const { n_v, n_h } = lowest, found = new W2.constructor(n_h * seen2.length);
    for (let j = 0, at = 0; j < n_h; j++) for (const i of seen2) found[at++] = W2[j * n_v + i];
    return found;
  };
  const those = (values) => Float64Array.from(seen2, (i) => values[i]);
  const exact = rowsOf(lowest.exact), W = lowest.exact === lowest.W ? exact : rowsOf(lowest.W);
  const layer = { ...lowest, n_v: seen2.length, exact, W, b: those(lowest.b), precision: lowest.precision && those(lowest.precision), brief: true };
  return { model: { ...model, n_v: seen2.length, W, b: layer.b, layers: [layer, ...upper], recognition: model.recognition?.length ? [layer, ...upper].map(allOthersOff) : [] }, x: those(Float64Array.from(x)) };
}
function momentsOf(q, n_h) {
  const memory2 = kernels();
  return memory2.scope(() => {
    const marginals = memory2.array("f8", n_h), covariance = memory2.array("f8", n_h, n_h), rest = memory2.array("f8", q.length), part2 = memory2.array("f8", q.length / 2);
    memory2.call("fill_moments", { q, rest, part: part2, marginals, covariance });
    return { marginals: marginals.view.slice(), covariance: covariance.view.slice() };
  });
}
function apart2({ n_h, n_v, exact, d }, x) {
  const memory2 = kernels();
  return memory2.scope(() => {
    const on = memory2.array("f8", n_h), rows = memory2.of("f8", exact, n_h, n_v);
    memory2.call("fill_apart", { rows, d: memory2.of("f8", d), x: memory2.of("f8", x), on });
    return on.view.slice();
  });
}
var { network, max_exact_interactive: MAX_EXACT2 } = constants_default;
var believes = ({ layers, visible }) => layers.length === 1 && visible === "bernoulli" && layers[0].n_h <= MAX_EXACT2 && layers[0].n_v <= network.visibles;
function logJointsOf(whole, image) {
  if (!whole.factorised) {
    const { model, x } = observedPart(whole, image);
    return enumerated(model.layers[0], x);
  }
  const memory2 = kernels(), [{ n_h, n_v, exact, b, d }] = whole.layers, log_joints = memory2.array("f8", 2 ** n_h);
  memory2.call("enumerate_independent", { rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), x: memory2.of("f8", image), said: memory2.array("f8", n_h), a: memory2.array("f8", n_v), log_joints });
  return log_joints;
}
function normalised(log_joints, p) {
  const top = log_joints.view.reduce((most, value) => Math.max(most, value), -Infinity);
  return kernels().call("normalise", { log_joints, top, p });
}
function believed(model, x, held) {
  const memory2 = kernels(), [{ n_h, n_v, exact, b }] = model.layers, size = 2 ** n_h;
  return memory2.scope(() => {
    const p = memory2.array("f8", size), prior = logJointsOf(model, new Float64Array(n_v).fill(NaN)), given = logJointsOf(model, x), both = memory2.array("f8", 2, size), on = memory2.array("f8", 2, n_v);
    normalised(prior, p);
    both.view.set(p.view);
    const latents = [momentsOf(p, n_h).marginals], logEvidence = normalised(given, p);
    const states = Array.from(held);
    given.view.forEach((_, state, all) => {
      if (states.some(([j, value]) => (state >> j & 1) !== value)) all[state] = -Infinity;
    });
    normalised(given, p);
    both.view.set(p.view, size);
    latents.push(momentsOf(p, n_h).marginals);
    memory2.call("expected_visibles", { kind: KINDS[model.visible], rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), p: both, a: memory2.array("f8", n_v), on });
    const visibles = on.view.slice();
    for (let i = 0; i < n_v; i++) if (!Number.isNaN(x[i])) visibles[n_v + i] = x[i];
    return { latents: Float64Array.from(latents.flatMap((each) => Array.from(each))), visibles, logEvidence };
  });
}
function byThemselves(layer, x, held) {
  const nothing = new Float64Array(layer.n_v).fill(NaN), given = apart2(layer, x).map((p, j) => held.get(j) ?? p);
  return Float64Array.from([...apart2(layer, nothing), ...given]);
}
function beliefsOf(model, x, held, reads) {
  if (!believes(model)) return null;
  const { latents, visibles, logEvidence } = believed(model, x, held);
  return { meta: { log_evidence: logEvidence }, latents, visibles, apart: reads ? byThemselves(model.layers[0], x, held) : null };
}
var textOfHeld = (held) => Array.from(held).sort(([a], [b]) => a - b).map(([unit, value]) => `${unit}${value ? "on" : "off"}`).join(".");
function heldOfText(text, n_h) {
  const held = /* @__PURE__ */ new Map();
  for (const part2 of text ? text.split(".") : []) {
    const match = /^([0-9]{1,6})(on|off)$/.exec(part2);
    if (!match || Number(match[1]) >= n_h) return null;
    held.set(Number(match[1]), Number(match[2] === "on"));
  }
  return held;
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
  for (const word2 of entropy.slice(4)) for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word2));
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
  const density = (x) => Math.exp(-0.5 * x * x), edges = new Float64Array(256), width = new Float64Array(256), sure2 = new Float64Array(256), height = new Float64Array(256), lowest = AREA / density(TAIL);
  edges[255] = TAIL;
  for (let i = 254; i > 0; i--) edges[i] = Math.sqrt(-2 * Math.log(AREA / edges[i + 1] + density(edges[i + 1])));
  for (let i = 1; i < 256; i++) {
    width[i] = edges[i] / UNIT;
    height[i] = density(edges[i]);
    sure2[i] = Math.trunc(edges[i - 1] / edges[i] * UNIT);
  }
  width[0] = lowest / UNIT;
  height[0] = 1;
  sure2[0] = Math.trunc(TAIL / lowest * UNIT);
  return { width, sure: sure2, height };
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
    const { width, sure: sure2, height } = normal ??= layersOfNormal(), uniform = () => Number(this.next64() >> 11n) * 2 ** -53;
    return Float64Array.from({ length: n }, () => {
      for (; ; ) {
        const word2 = this.next64(), layer = Number(word2 & 255n), sign = word2 & 256n ? -1 : 1, share = Number(word2 >> 9n & 0xfffffffffffffn), x = share * width[layer];
        if (share < sure2[layer]) return sign * x;
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
var SWEEPS2 = 16;
var CURSOR3 = { visits: 0, done: 2 };
var machineOf = keptWith(({ n_h, n_v, exact, b, d, visible, precision }) => {
  const memory2 = kernels();
  return memory2.tuple("Machine", { gaussian: visible === "gaussian", rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), precision: memory2.of("f8", precision ?? new Float64Array(n_v).fill(1)) });
});
function visitIndependent(layer, x) {
  const memory2 = kernels(), { n_h, n_v } = layer, machine = machineOf(layer);
  return memory2.scope(() => {
    const image = memory2.of("f8", Float64Array.from(x)), fixed = memory2.array("f8", n_h), joint = memory2.call("place_visible", { machine, x: image, fixed }), cursor = memory2.array("i8", 3), n_visits = SWEEPS2 * n_h, columns = memory2.columns("Visits", n_visits);
    const given = { machine, x: image, fixed, u: memory2.array("f8", n_v), h: memory2.array("u1", n_h), total: memory2.of("f8", [joint]), cursor, visits: memory2.tuple("Visits", columns), n_visits };
    const record = new Record(new Uint8Array(n_h), joint);
    while (!cursor.view[CURSOR3.done]) {
      cursor.view[CURSOR3.visits] = 0n;
      memory2.call("visit_independent", given);
      record.add(columns, columns.log_joint, Number(cursor.view[CURSOR3.visits]));
    }
    record.sweep = record.unit.map((_, k) => Math.floor(k / n_h));
    return record.trace({});
  });
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
function latentsAfter(made2, k = made2.unit.length) {
  const h = made2.particles ? meansAfter(made2, k) : statesAfter(made2, k);
  return Uint8Array.from(h, (value) => Number(value > 0.5));
}
function errorsAlong3(whole, image, made2) {
  if (!made2.particles) return errorsAlong(whole.layers[0], image, made2);
  const { model, x } = observedPart(whole, image);
  return errorsAlong2(model, x, made2);
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
function tell({ meta, arrays }, known) {
  if (!known) return;
  const { truth, distance, beliefs, logEvidence } = known;
  if (beliefs) {
    const { meta: found, apart: apart3, ...rows } = beliefs;
    meta.beliefs = found;
    for (const [name, row] of Object.entries({ ...rows, ...apart3 && { apart: apart3 } })) arrays[`beliefs.${name}`] = row;
  }
  if (meta.particles && distance && !Object.keys(meta.held).length) meta.optimum = logEvidence;
  if (truth) {
    meta.truth = truth.meta;
    meta.optimum = truth.meta.map_log_joint;
    Object.assign(arrays, { "truth.map": packBits(truth.map), "truth.marginals": truth.marginals, "truth.covariance": truth.covariance });
  }
  if (!distance) return;
  meta.distance = distance.meta;
  Object.assign(arrays, { "distance.kl": distance.kl, "distance.variation": distance.variation });
}
function laneOf(model, x, trace2, words) {
  const bernoulli = model.visible === "bernoulli", errors = errorsAlong3(model, x, trace2);
  const states = (values) => trace2.means ? Float32Array.from(values) : packBits(values);
  const { unit, after, logOdds, logJoint, sweep, h0 } = trace2;
  return { meta: { model: model.key, ...words, normalised: !model.factorised, sampled: trace2.sampled, means: trace2.means, at_once: trace2.atOnce, off: 0, optimum: null, truth: null, converged: trace2.converged, ...trace2.particles ? { particles: true } : {}, n_h: model.n_h, n_v: model.n_v, n_visits: unit.length }, arrays: { x: bernoulli ? packBits(x) : Float32Array.from(x), ...isWhole(x) ? {} : { unknown: packBits(Array.from(x, (value) => Number(Number.isNaN(value)))) }, h0: states(h0), unit: Uint16Array.from(unit), after: states(after), log_odds: Float32Array.from(logOdds), log_joint: Float64Array.from(logJoint), sweep: Uint16Array.from(sweep), wrong: bernoulli ? Uint16Array.from(errors) : Float32Array.from(errors), ...trace2.particles ? { particles: packBits(trace2.particles.flatMap((state) => Array.from(state))) } : {} } };
}
function packTrace(words, lanes) {
  const arrays = {};
  lanes.forEach((lane, n) => {
    for (const [name, array] of Object.entries(lane.arrays)) arrays[`${n}.${name}`] = array;
  });
  return pack({ kind: "trace", ...words, lanes: lanes.map((lane) => lane.meta) }, arrays);
}
var FACTORISED = constants_default.factorised;
var { max_exact_interactive: MAX_EXACT3, max_seed: MAX_SEED2 } = constants_default;
var RIVAL_STATE = constants_default.rival_state;
function bitsOfText(text, n) {
  const states = statesOfText(text, n);
  return states?.includes(UNKNOWN) ? null : states;
}
var Session = class {
  cursor = 0;
  drawn = null;
  kept;
  origin = "";
  refused = "";
  traces = [];
  known = /* @__PURE__ */ new WeakMap();
  selected = "";
  elsewhere = [];
  constructor(models, meta, arrays) {
    this.models = models;
    this.meta = meta;
    this.arrays = arrays;
    this.n_v = meta.image_shape[0] * meta.image_shape[1];
    this.infos = new Map(meta.models.map((info) => [info.key, info]));
    this.came = new Set(this.infos.keys());
    this.image = Math.max(0, arrays.index.indexOf(meta.image));
    this.lanes = [this.usual(meta.shown[0]), this.usual(meta.shown[1])];
    this.shows = 2;
  }
  info(name) {
    const info = this.infos.get(name);
    if (!info) throw new Error(`this page has no model called ${name}`);
    return info;
  }
  modelOf(name) {
    return this.models.get(name);
  }
  usual(model) {
    return { model, algorithm: this.info(model).methods[0].name, start: "", state: null, held: /* @__PURE__ */ new Map(), seed: 0 };
  }
  valuesAt(image) {
    const { arrays, n_v } = this, stride = Math.ceil(n_v / 8), row = (rows) => rows.subarray(image * stride, (image + 1) * stride);
    if (arrays.x) return arrays.x.subarray(image * n_v, (image + 1) * n_v);
    return valuesOf(statesOfBits({ x: row(arrays.pixels), unknown: arrays.unknown && row(arrays.unknown) }, n_v));
  }
  get seen() {
    const { n_v, image, drawn } = this;
    if (this.kept?.image === image && this.kept.drawn === drawn) return this.kept;
    const given = this.valuesAt(image), x = drawn ? valuesOf(drawn) : given, before = statesOf(given);
    let unknown = 0, changed = 0;
    for (let i = 0; i < n_v; i++) {
      if (Number.isNaN(x[i])) unknown++;
      else if (drawn && drawn[i] !== before[i]) changed++;
    }
    return this.kept = { image, drawn, given, x, unknown, changed, whole: !unknown };
  }
  get x() {
    return this.seen.x;
  }
  get whole() {
    return this.seen.whole;
  }
  get pixelsChanged() {
    return this.seen.changed;
  }
  makeWhole() {
    const titles = this.lanes.slice(0, this.shows).map(({ model }) => this.info(model)).filter((info) => !info.takes_unknown).map(({ title }) => title);
    this.refused = "";
    const { x, given, whole } = this.seen;
    if (!titles.length || whole) return;
    this.drawn = Uint8Array.from(x, (value, i) => Number((Number.isNaN(value) ? given[i] : value) > 0.5));
    if (this.drawn.every((state, i) => state === given[i])) this.drawn = null;
    this.refused = `${Array.from(new Set(titles)).join(" and ")}: infers whole images only, so that every pixel has a value again. An LRBN or an RBM takes images of which a part is not known.`;
  }
  get nVisits() {
    return Math.max(0, ...this.traces.map((trace2) => trace2.unit.length));
  }
  startsOf(lane) {
    const [mine, other] = [this.lanes[lane], this.lanes[1 - lane]].map(({ model }) => this.info(model));
    if (!mine.starts.length || this.methodOf(lane).start) return /* @__PURE__ */ new Map();
    const starts = new Map(mine.starts.filter(([name]) => this.whole || !mine.whole_starts.includes(name))), same = this.shows > 1 && this.modelOf(mine.key).n_h === this.modelOf(other.key).n_h && !mine.several_layers && !other.several_layers;
    const waits = this.lanes[1 - lane].start === RIVAL_STATE && same && other.starts.length;
    if (same && !waits) starts.set(RIVAL_STATE, `the ${other.short}'s ${this.modelOf(other.key).factorised ? "MAP state" : "last state"}`);
    return starts.set("last", "the state at the cursor");
  }
  startOf(lane) {
    const starts = this.startsOf(lane), { start, model } = this.lanes[lane];
    return [start, this.info(model).opens_from].find((each) => starts.has(each)) ?? starts.keys().next().value ?? "";
  }
  methodsOf(lane) {
    const { methods } = this.info(this.lanes[lane].model);
    return methods.filter(({ whole_only }) => this.whole || !whole_only);
  }
  called({ title, in_part }) {
    return !this.whole && in_part || title;
  }
  methodOf(lane) {
    const methods = this.methodsOf(lane);
    return methods.find(({ name }) => name === this.lanes[lane].algorithm) ?? methods[0];
  }
  draws(lane) {
    return this.methodOf(lane).draws || this.startOf(lane) === "random";
  }
  infer() {
    this.makeWhole();
    const atEnd = this.drawn !== null || this.traces.length > 0 && this.cursor >= this.nVisits, first = !this.traces.length;
    const traces = [];
    for (const lane of this.startOf(0) === RIVAL_STATE ? [1, 0] : [0, 1].slice(0, this.shows)) {
      const { state } = this.lanes[lane], name = this.startOf(lane);
      let start = name;
      if (name === RIVAL_STATE) start = latentsAfter(traces[1 - lane]);
      else if (name === "last" && state) start = state;
      traces[lane] = this.traceOf(lane, start);
    }
    this.traces = traces;
    if (!first) this.cursor = atEnd ? this.nVisits : 0;
  }
  rehearsed() {
    const { traces, cursor, refused } = this;
    this.infer();
    const block = this.packed();
    Object.assign(this, { traces, cursor, refused });
    return block;
  }
  traceOf(lane, start) {
    const { model, held, seed } = this.lanes[lane];
    return trace(this.modelOf(model), this.methodOf(lane), this.x, start, held, seed);
  }
  choose(way) {
    const n = this.arrays.index.length;
    if (way === "random") this.image = Math.floor(Math.random() * n);
    else if (typeof way === "number") this.image = Math.max(0, this.arrays.index.indexOf(way));
    else this.image = (this.image + (way === "next" ? 1 : n - 1)) % n;
    this.drawn = null;
    this.origin = "";
    this.infer();
  }
  add(models, infos) {
    for (const [key, model] of models) this.models.set(key, model);
    for (const info of infos) this.infos.set(info.key, info);
    this.meta.models = [...infos, ...this.meta.models.filter(({ key }) => !models.has(key))];
  }
  adopt(shown, x, origin) {
    this.lanes = [this.usual(shown[0].key), this.usual(shown[1].key)];
    shown.forEach(({ algorithm }, lane) => {
      if (algorithm) this.lanes[lane].algorithm = algorithm;
    });
    if (x) Object.assign(this, { drawn: x, origin });
    this.selected = "";
    this.traces = [];
    this.settle();
    this.infer();
    this.cursor = 0;
  }
  draw(text) {
    this.origin = "";
    this.drawn = text ? statesOfText(text, this.n_v) : null;
    this.infer();
  }
  hold(unit, state, lane) {
    const { held, model } = this.lanes[lane], { n_h } = this.modelOf(model);
    if (!this.info(model).takes_clamp) return;
    for (const j of unit < 0 ? Array(n_h).keys() : [unit]) {
      held.delete(j);
      if (state !== "free") held.set(j, Number(state === "on"));
    }
    const { cursor } = this, before = this.traces[lane], [of, asked] = this.selected.split(".").map(Number);
    this.infer();
    if (of !== lane || asked === void 0 || before?.unit[cursor - 1] !== asked) return;
    const { unit: units, sweep } = this.traces[lane], k = units.findIndex((j, n) => j === asked && sweep[n] === before.sweep[cursor - 1]);
    if (k >= 0) this.cursor = k + 1;
  }
  nameUnit(unit, name, lane) {
    const key = this.lanes[lane].model.replace(FACTORISED, "");
    for (const each of [key, FACTORISED + key]) {
      const model = this.models.get(each);
      if (model) model.names = renamed(model, unit, name);
    }
  }
  chooseIn(lane, part2, value) {
    const mine = this.lanes[lane];
    if (part2 === "model") this.showModel(lane, value);
    else if (part2 === "algorithm") mine.algorithm = value;
    else if (part2 === "seed") mine.seed = Math.min(MAX_SEED2, Number(value) || 0);
    else {
      mine.start = value;
      mine.state = null;
      if (value === "last") {
        mine.state = this.stateAt(lane, this.cursor);
        this.cursor = 0;
      }
    }
    this.infer();
  }
  showModel(lane, name) {
    const before = this.lanes[lane].model, beside = this.lanes[1 - lane].model, names = [before, beside];
    names[0] = name;
    if (lane === 0 && beside === this.info(before).partner) names[1] = this.info(name).partner;
    else if (beside === FACTORISED + before) names[1] = this.info(name).has_rbm_parameters ? FACTORISED + name : this.info(name).partner;
    [lane, 1 - lane].forEach((at, n) => {
      const mine = this.lanes[at];
      if (mine.model !== names[n]) this.lanes[at] = { ...this.usual(names[n]), algorithm: mine.algorithm, start: mine.start === this.info(mine.model).opens_from ? "" : mine.start, seed: mine.seed };
    });
    this.settle();
    this.selected = /^(1\.|lane2)/.test(this.selected) ? "lane2" : "";
  }
  settle() {
    this.lanes.forEach((mine, lane) => {
      mine.algorithm = this.methodOf(lane).name;
      if (mine.start === "last" && !mine.state) mine.start = "";
      if (!this.startsOf(lane).has(mine.start)) mine.start = "";
    });
  }
  swap() {
    const { cursor } = this, [lane, unit] = this.selected.split(".");
    this.lanes.reverse();
    this.selected = unit ? `${1 - Number(lane)}.${unit}` : "";
    this.infer();
    this.cursor = cursor;
  }
  stateAt(lane, k) {
    return latentsAfter(this.traces[lane], k);
  }
  get unknown() {
    return this.traces.flatMap((trace2, lane) => {
      const model = this.modelOf(this.lanes[lane].model), { layers: [{ n_h }], layers, factorised } = model;
      const { directed } = this.info(this.lanes[lane].model), small = directed && layers.length === 1 && n_h <= MAX_EXACT3 && !factorised;
      return (small || factorised && believes(model)) && !this.known.has(trace2) ? [lane] : [];
    });
  }
  modelsFor(lane) {
    const shown = this.lanes[lane].model, other = this.lanes[1 - lane].model;
    const found = /* @__PURE__ */ new Map();
    if (this.info(other).has_rbm_parameters) found.set(FACTORISED + other, this.readAs[1]);
    for (const { key, title } of this.meta.models) if (!key.startsWith(FACTORISED)) found.set(key, title);
    return found.has(shown) ? Array.from(found) : [[shown, this.info(shown).title], ...found];
  }
  get readAs() {
    return this.whole ? constants_default.factorised_titles : constants_default.undirected_titles;
  }
  titleOf({ title }) {
    return title.replace(constants_default.factorised_titles[1], this.readAs[1]);
  }
  get group() {
    const { data, models } = this.meta, own = models.filter(({ key }) => !key.startsWith(FACTORISED));
    return [data, own.map(({ key, title }) => [key, title])];
  }
  get titles() {
    return this.titlesOf(this.lanes.map(({ model }) => model));
  }
  titlesOf(names) {
    const infos = names.map((name) => this.info(name)), kinds = infos.map(({ key, short: short2 }) => key.startsWith(FACTORISED) ? this.readAs[0] : short2);
    if (kinds[0] !== kinds[1]) return kinds;
    return infos[0] === infos[1] ? kinds.map((kind, n) => `${kind} ${n + 1}`) : infos.map((info) => this.titleOf(info));
  }
  get menus() {
    return this.lanes.slice(0, this.shows).map(({ model, seed }, lane) => ({ models: [[this.meta.data, this.modelsFor(lane)], ...lane ? [] : this.elsewhere], model, algorithms: this.methodsOf(lane).map((method) => [method.name, this.called(method)]), algorithm: this.methodOf(lane).name, starts: Array.from(this.startsOf(lane)), start: this.startOf(lane), note: this.startsOf(lane).size ? this.info(model).note : "", seed: this.draws(lane) ? seed : null, holds: this.info(model).takes_clamp, unknown: this.info(model).takes_unknown }));
  }
  get small() {
    return this.meta.models.flatMap(({ key, title, directed }) => {
      const model = this.models.get(key);
      if (!model) return [];
      const { n_h, layers, factorised } = model;
      return directed && n_h <= MAX_EXACT3 && layers.length === 1 && !factorised ? [[key, title]] : [];
    });
  }
  get index() {
    return this.arrays.index[this.image];
  }
  get label() {
    return this.meta.class_names[this.arrays.label[this.image]];
  }
  get words() {
    const { changed, unknown } = this.seen, { model } = this.lanes[0], words = rowWords(Boolean(this.meta.variables));
    const counted = (n, what) => n ? `, ${many(n)} ${words.cell}${n === 1 ? "" : "s"} ${what}` : "";
    return { question: `${model}.${this.lanes[1].model}.${this.drawn ? textOfStates(this.drawn) : this.index}`, small: this.small, title: this.origin ? "" : changed ? words.own : this.label, cursor: this.cursor, caption: this.origin || `${this.meta.test_image} ${this.index}${counted(changed, "changed")}${counted(unknown, "not known")}` };
  }
  packed(choices = {}) {
    return packTrace({ ...this.words, choices }, this.traces.map((_, lane) => this.packedLane(lane)));
  }
  packedLane(lane) {
    const { model, seed, held } = this.lanes[lane], info = this.info(model), found = this.modelOf(model), trace2 = this.traces[lane], { shades } = this.arrays;
    const packed = laneOf(found, this.x, trace2, { title: this.titles[lane], subtitle: this.called(this.methodOf(lane)) + (found.layers.length > 1 ? ", layer by layer" : ""), model_title: this.titleOf(info), start: this.methodOf(lane).start || (this.startsOf(lane).get(this.startOf(lane)) ?? ""), seed: this.draws(lane) ? seed : null, held: Object.fromEntries(held) });
    packed.meta.sampled = this.methodOf(lane).sampled;
    packed.meta.normalised = info.directed;
    if (this.unknown.includes(lane)) packed.meta.pending = true;
    tell(packed, this.known.get(trace2) ?? null);
    if (shades) packed.arrays.shades = shades;
    return packed;
  }
  get address() {
    const found = { model: this.lanes[0].model, rival: this.lanes[1].model, image: String(this.index) };
    if (this.drawn) found.drawn = textOfStates(this.drawn);
    this.lanes.forEach((mine, lane) => {
      const prefix = lane ? "rival_" : "";
      if (this.methodOf(lane) !== this.info(mine.model).methods[0] || !lane) found[`${prefix}algorithm`] = this.methodOf(lane).name;
      if (this.startsOf(lane).size && (!lane || mine.start)) found[`${prefix}start`] = this.startOf(lane);
      if (this.startOf(lane) === "last" && mine.state) found[`${prefix}from`] = textOfStates(mine.state);
      if (mine.held.size) found[`${prefix}clamp`] = textOfHeld(mine.held);
      if (mine.seed || !lane) found[`${prefix}seed`] = String(mine.seed);
    });
    return { ...found, visit: String(this.cursor) };
  }
  namesOf(address, unknown) {
    const names = [...this.meta.shown];
    for (const [n, name] of ["model", "rival"].entries()) {
      const wanted = address[name];
      if (wanted === void 0) {
        if (n && address.model !== void 0 && this.infos.has(names[0])) names[1] = this.info(names[0]).partner;
      } else if (this.infos.has(wanted)) names[n] = wanted;
      else unknown?.(name, wanted, names[n]);
    }
    return names;
  }
  lacks(name) {
    return !this.models.has(name) || !this.models.has(this.info(name).partner);
  }
  open(address) {
    const ignored = [];
    const leaveOut = (name, why, instead) => ignored.push(`${name}: ${why}; ${instead}.`);
    const whole = (name, text, most) => {
      if (/^[0-9]{1,10}$/.test(text) && Number(text) <= most) return Number(text);
      leaveOut(name, `expected a whole number from 0 to ${many(most)}, got “${text.slice(0, 40)}”`, "0 is used");
      return 0;
    };
    const names = this.namesOf(address, (name, wanted, shown) => leaveOut(name, `this page has no model called “${wanted.slice(0, 60)}”`, `${this.info(shown).title} is shown`));
    this.lanes = [this.usual(names[0]), this.usual(names[1])];
    this.drawn = null;
    this.origin = "";
    this.traces = [];
    const row = address.image === void 0 ? this.meta.image : Number(address.image);
    this.image = this.arrays.index.indexOf(row);
    if (this.image < 0) {
      leaveOut("image", `this page has no test image ${String(address.image).slice(0, 20)}`, `image ${this.meta.image} is shown`);
      this.image = Math.max(0, this.arrays.index.indexOf(this.meta.image));
    }
    if (address.drawn) {
      this.drawn = this.meta.binary ? statesOfText(address.drawn, this.n_v) : null;
      if (!this.drawn) leaveOut("drawn", `expected ${this.n_v} pixels of a binary image`, "the image is shown as it is");
    }
    this.lanes.forEach((mine, lane) => {
      const prefix = lane ? "rival_" : "", { n_h } = this.modelOf(mine.model);
      const of = (name) => address[prefix + name];
      if (of("algorithm") !== void 0) {
        mine.algorithm = of("algorithm");
        if (this.methodOf(lane).name !== mine.algorithm) leaveOut(`${prefix}algorithm`, `${this.info(mine.model).title} has no inference called “${mine.algorithm.slice(0, 40)}”`, "its usual one is used");
      }
      if (of("from")) mine.state = bitsOfText(of("from"), n_h);
      if (of("start") !== void 0) {
        mine.start = of("start");
        if (mine.start === "last" && !mine.state) {
          leaveOut(`${prefix}start`, `last needs the state that it begins from, in the setting ${prefix}from`, "the usual one is used");
          mine.start = "";
        } else if (!this.startsOf(lane).has(mine.start)) {
          leaveOut(`${prefix}start`, `${this.info(mine.model).title} has no start called “${mine.start.slice(0, 40)}”`, "its usual one is used");
        }
      }
      if (of("clamp")) {
        const held = heldOfText(of("clamp"), n_h);
        if (held) mine.held = held;
        else leaveOut(`${prefix}clamp`, `expected units below ${n_h} with their states, such as 3on.17off`, "no unit is held");
      }
      if (of("seed") !== void 0) mine.seed = whole(`${prefix}seed`, of("seed"), MAX_SEED2);
    });
    this.settle();
    this.infer();
    this.cursor = address.visit === "end" ? this.nVisits : Math.min(this.nVisits, whole("visit", address.visit ?? "0", MAX_SEED2));
    return ignored;
  }
  gallery(label2, most) {
    const { arrays, meta } = this, rows = Array.from(arrays.index.keys()).filter((row) => label2 < 0 || arrays.label[row] === label2), shown = rows.slice(0, most);
    const rowsOf = (of) => {
      const size = of.length / arrays.index.length, found = new Uint8Array(shown.length * size);
      shown.forEach((row, n) => found.set(of.subarray(row * size, (row + 1) * size), n * size));
      return found;
    };
    return { meta: { binary: meta.binary, variables: meta.variables, class_names: meta.class_names, image_shape: meta.image_shape, total: rows.length }, arrays: { pixels: rowsOf(arrays.pixels), ...arrays.unknown ? { unknown: rowsOf(arrays.unknown) } : {}, index: Uint32Array.from(shown, (row) => arrays.index[row]), label: Uint16Array.from(shown, (row) => arrays.label[row]) } };
  }
};
var approximations_default = { gibbs: { samples: 1e3, burn_in: 100 }, mean_field: { sweeps: [1, 2, 10], after_recognition: 10, max_sweeps: 1e3, tolerance: 1e-8, start_tolerance: 1e-3 } };
var { samples: SAMPLES, burn_in: BURN_IN } = approximations_default.gibbs;
var { sweeps: SWEEPS3, after_recognition: MEAN_FIELD_SWEEPS, max_sweeps: MAX_SWEEPS } = approximations_default.mean_field;
var { tolerance: TOLERANCE, start_tolerance: START_TOLERANCE } = approximations_default.mean_field;
var bitsOf = (state, n_h) => Float64Array.from({ length: n_h }, (_, j) => state >> j & 1);
var codeOf = (h) => Array.from(h).reduce((code, on, j) => code | Number(on > 0.5) << j, 0);
var Posterior = class {
  constructor(layer, x) {
    const memory2 = kernels();
    this.n_h = layer.n_h;
    this.logJoints = enumerated(layer, x);
    this.p = memory2.array("f8", this.logJoints.length);
    const { view } = this.logJoints;
    this.best = view.reduce((top, value, s) => value > view[top] ? s : top, 0);
    this.top = view[this.best];
    this.logEvidence = memory2.call("normalise", { log_joints: this.logJoints, top: this.top, p: this.p });
    this.moments = momentsOf(this.p, this.n_h);
  }
  get joints() {
    return { log_joints: this.logJoints, log_evidence: this.logEvidence };
  }
  measured(q, on) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const distance = memory2.array("f8", 2);
      memory2.call("measure_distance", { ...this.joints, p: this.p, q, distance });
      const [kl, total_variation] = distance.view;
      return { kl, total_variation, on };
    });
  }
  product(on, use) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const q = memory2.array("f8", this.p.length);
      memory2.call("fill_product", { on: memory2.of("f8", on), q });
      return use(q);
    });
  }
  independent(on) {
    return this.product(on, (q) => this.measured(q, on));
  }
  get feedForward() {
    const memory2 = kernels();
    return memory2.scope(() => {
      const on = memory2.array("f8", this.n_h);
      memory2.call("fill_feed_forward", { log_joints: this.logJoints, on });
      return on.view.slice();
    });
  }
  ascend(start, sweeps, tolerance, up = false) {
    const memory2 = kernels();
    return memory2.scope(() => {
      const size = this.p.length, q = memory2.of("f8", up ? Array.from(start).reverse() : start);
      let log_joints = this.logJoints;
      if (up) memory2.call("turn_round", { log_joints, turned: log_joints = memory2.array("f8", size) });
      memory2.call("ascend", { log_joints, q, max_sweeps: sweeps, tolerance, expected: memory2.array("f8", size), weights: memory2.array("f8", size) });
      return up ? q.view.slice().reverse() : q.view.slice();
    });
  }
  meanField(start, tolerance = TOLERANCE) {
    if (!start) {
      const ends = [this.feedForward, new Float64Array(this.n_h).fill(0.5), this.moments.marginals].map((q) => this.independent(this.meanField(q, START_TOLERANCE)));
      start = nearest(ends).on;
    }
    return this.ascend(start, MAX_SWEEPS, tolerance);
  }
};
var nearest = (found) => found.reduce((best, each) => each.kl < best.kl ? each : best);
var sure = (h) => Float64Array.from(h, (on) => Number(on > 0.5));
function knownOf(whole, info, image, trace2, held = /* @__PURE__ */ new Map()) {
  const beliefs = beliefsOf(whole, image, held, info.has_ladder);
  if (whole.factorised) return { truth: null, distance: null, logEvidence: 0, beliefs };
  return kernels().scope(() => {
    const { model, x } = observedPart(whole, image), [layer] = model.layers, posterior = new Posterior(layer, x);
    return { beliefs, truth: trace2.means ? null : truthOf(posterior, layer, info, x, trace2), distance: info.has_ladder ? distanceOf(posterior, model, info, x, trace2) : null, logEvidence: posterior.logEvidence };
  });
}
function truthOf(posterior, layer, { methods, usual_start }, x, trace2) {
  const { n_h } = posterior, end = statesAfter(trace2);
  const approximations = [];
  const moments = [posterior.moments];
  const add = (name, q, samples = null) => {
    const found = momentsOf(q, n_h), { kl, total_variation } = posterior.measured(q, found.marginals);
    approximations.push({ name, kl, total_variation, samples });
    moments.push(found);
  };
  posterior.product(sure(end), (q) => add("state", q));
  posterior.product(posterior.feedForward, (q) => add("feed_forward", q));
  posterior.product(posterior.meanField(null), (q) => add("mean_field", q));
  posterior.product(posterior.moments.marginals, (q) => add("marginals", q));
  if (usual_start && methods.some(({ name }) => name === "gibbs")) {
    const chain = updateLatents(layer, x, usual_start, "sequential", new Float64Array(BURN_IN + SAMPLES).fill(1), /* @__PURE__ */ new Map(), new Generator(0));
    const memory2 = kernels();
    memory2.scope(() => {
      const q = memory2.array("f8", 2 ** n_h), { view } = q;
      for (let n = BURN_IN; n < BURN_IN + SAMPLES; n++) view[codeOf(chain.after.slice(n * n_h, (n + 1) * n_h))]++;
      view.forEach((count, s) => {
        view[s] = count / SAMPLES;
      });
      add("gibbs", q, SAMPLES);
    });
  }
  return { meta: { log_evidence: posterior.logEvidence, map_log_joint: posterior.top, approximations }, map: Uint8Array.from(bitsOf(posterior.best, n_h)), marginals: Float64Array.from(moments.flatMap(({ marginals }) => Array.from(marginals))), covariance: Float32Array.from(moments.flatMap(({ covariance }) => Array.from(covariance))) };
}
function distanceOf(posterior, model, { methods, usual_start }, x, trace2) {
  const { n_h, best } = posterior, [layer] = model.layers, even = new Float64Array(n_h).fill(0.5);
  const means = [["factorised", apart2(layer, x)], ["feed_forward", posterior.feedForward]];
  if (model.recognition?.length && !layer.brief) {
    const [{ V, c }] = model.recognition, guessed = apart2({ ...layer, exact: V, d: c }, x);
    means.push(["recognition", guessed], ["recognition_mean_field", posterior.ascend(guessed, MEAN_FIELD_SWEEPS, 0, true)]);
  }
  for (const n of SWEEPS3) means.push([`mean_field_${n}`, posterior.ascend(even, n, 0, true)]);
  means.push(["marginals", posterior.moments.marginals]);
  const states = [["map", bitsOf(best, n_h)]], icm = methods.find(({ name }) => name === "icm");
  if (usual_start && icm) {
    const { h0, unit, after } = trace(model, icm, x, usual_start, /* @__PURE__ */ new Map(), 0), h = Float64Array.from(h0);
    unit.forEach((j, k) => {
      h[j] = after[k];
    });
    states.push(["icm", sure(h)]);
  }
  const rungs = [...means, ...states].map(([name, on]) => [name, posterior.independent(on)]);
  const ends = [...means, ...states].map(([, start]) => posterior.independent(posterior.meanField(start, START_TOLERANCE))), near = nearest([...ends, ...rungs.map(([, each]) => each)]);
  rungs.push(["best", nearest([near, posterior.independent(posterior.meanField(near.on))])]);
  return { meta: { rungs: rungs.map(([name, { kl, total_variation }]) => ({ name, kl, total_variation })) }, ...along(posterior, trace2) };
}
function along({ joints, p }, trace2) {
  const memory2 = kernels(), n = trace2.unit.length + 1;
  return memory2.scope(() => {
    const kl = memory2.array("f8", n), variation = memory2.array("f8", n), into = { ...joints, kl, variation };
    if (trace2.particles) {
      const codes = [trace2.h0, ...trace2.particles].map(codeOf), found = Array.from(new Set(codes)), places = new Map(found.map((code, place) => [code, place]));
      memory2.call("distances_of_particles", { ...into, code: memory2.of("i4", found), place: memory2.of("i4", codes.map((code) => Number(places.get(code)))), share: memory2.of("f8", [1, ...trace2.after]), q: memory2.array("f8", found.length) });
    } else if (trace2.means) memory2.call("distances_of_means", { ...into, p, on: memory2.of("f8", trace2.h0), unit: memory2.of("i4", trace2.unit), after: memory2.of("f8", trace2.after), q: memory2.array("f8", p.length) });
    else memory2.call("distances_of_states", { ...into, unit: memory2.of("i4", trace2.unit), after: memory2.of("u1", trace2.after), code: codeOf(trace2.h0) });
    return { kl: Float32Array.from(kl.view), variation: Float32Array.from(variation.view) };
  });
}
var RECORDED = "recorded";
var REST_MS = 250;
function recordedLane(meta, arrays) {
  const { n_h, n_visits, means, sampled, converged, at_once: atOnce2 = false } = meta;
  const states = (values, n) => means ? Float64Array.from(values) : unpackBits(values, n);
  const h0 = states(arrays.h0, n_h), after = Array.from(states(arrays.after, n_visits)), unit = Array.from(arrays.unit);
  const particles = meta.particles && { particles: Array.from({ length: n_visits }, (_, k) => unpackBits(arrays.particles, n_visits * n_h).subarray(k * n_h, (k + 1) * n_h)) };
  return { meta, arrays, trace: { ...particles, h0, unit, after, logOdds: Array.from(arrays.log_odds), logJoint: Array.from(arrays.log_joint), sweep: Array.from(arrays.sweep), converged, sampled, means, atOnce: atOnce2 } };
}
var NotebookSession = class extends Session {
  constructor(models, meta, arrays, given) {
    super(models, meta, arrays);
    this.shows = given.meta.lanes.length;
    this.given = given.meta;
    this.recorded = new Map(given.meta.lanes.map((lane, n) => [this.lanes[n], recordedLane(lane, part(given.arrays, n))]));
    for (const [lane, { meta: { held } }] of this.recorded) {
      lane.algorithm = RECORDED;
      lane.held = new Map(Object.entries(held).map(([unit, state]) => [Number(unit), state]));
    }
    this.infer();
    this.cursor = given.meta.cursor ?? 0;
  }
  recordOf(lane) {
    return this.lanes[lane].algorithm === RECORDED ? this.recorded.get(this.lanes[lane]) : void 0;
  }
  traceOf(lane, start) {
    return this.recordOf(lane)?.trace ?? super.traceOf(lane, start);
  }
  packedLane(lane) {
    return this.recordOf(lane) ?? super.packedLane(lane);
  }
  leave(lane) {
    if (this.recordOf(lane)) this.lanes[lane].algorithm = this.info(this.lanes[lane].model).methods[0].name;
  }
  draw(text) {
    if (text) this.lanes.forEach((_, lane) => this.leave(lane));
    super.draw(text);
  }
  hold(unit, state, lane) {
    this.leave(lane);
    super.hold(unit, state, lane);
  }
  chooseIn(lane, part2, value) {
    if (value === RECORDED && part2 === "algorithm") {
      this.drawn = null;
      this.lanes[lane].held = new Map(Object.entries(this.recorded.get(this.lanes[lane])?.meta.held ?? {}).map(([unit, state]) => [Number(unit), state]));
    } else if (part2 !== "model") this.leave(lane);
    super.chooseIn(lane, part2, value);
  }
  settle() {
    const kept = this.lanes.filter((_, lane) => this.recordOf(lane));
    super.settle();
    for (const lane of kept) lane.algorithm = RECORDED;
  }
  get unknown() {
    return super.unknown.filter((lane) => !this.recordOf(lane));
  }
  get titles() {
    const titles = super.titles;
    return this.lanes.map((lane, n) => this.recorded.get(lane)?.meta.title ?? titles[n]);
  }
  get menus() {
    return super.menus.map((menu, n) => {
      const record = this.recorded.get(this.lanes[n]);
      if (!record) return menu;
      const algorithms = [[RECORDED, `as recorded: ${record.meta.subtitle}`], ...menu.algorithms];
      return this.recordOf(n) ? { ...menu, algorithms, algorithm: RECORDED, starts: [], start: "", seed: null } : { ...menu, algorithms };
    });
  }
  get words() {
    const { pixelsChanged: changed, given: { title = "", caption = "" } } = this;
    if (!changed) return { ...super.words, title, caption };
    return { ...super.words, title: "Own image", caption: `${[title, caption].filter(Boolean).join(", ") || "the image"}, ${changed} pixel${changed === 1 ? "" : "s"} changed` };
  }
};
async function blocksOf(widget) {
  const [models, kernels2, trace2, engine] = await Promise.all([sharedBytes(widget, "weights"), sharedBytes(widget, "kernels"), inflate(widget.get("trace")), inflate(widget.get("engine"))]);
  return { models, kernels: kernels2, trace: trace2, engine };
}
var Answering = class {
  listeners = /* @__PURE__ */ new Map();
  own = {};
  player;
  timer;
  session;
  constructor(widget, blocks) {
    this.widget = widget;
    this.take(blocks);
  }
  take(blocks) {
    clearTimeout(this.timer);
    this.own = { ...blocks };
    if (!blocks.engine.byteLength) return;
    const { meta, arrays } = unpack(blocks.engine), drawing = this.widget.get("drawing");
    if (!loadKernels(blocks.kernels)) return;
    const session = this.session = new NotebookSession(decodeModels(blocks.models), meta, arrays, unpack(blocks.trace));
    Object.assign(this.own, { offers_drawing: true, offers_holding: true });
    if (drawing) {
      session.draw(drawing);
      this.own.trace = session.packed().buffer;
    }
    this.own.menus = session.menus;
  }
  show(blocks) {
    this.take(blocks);
    for (const name of ["menus", "models", "trace"]) this.tell(name);
  }
  get(name) {
    return name in this.own ? this.own[name] : this.widget.get(name);
  }
  set(name, value) {
    this.widget.set(name, value);
  }
  save_changes() {
    this.widget.save_changes();
  }
  on(event, callback) {
    this.listeners.set(event, [...this.listeners.get(event) ?? [], callback]);
    if (!(event.slice("change:".length) in this.own)) this.widget.on(event, callback);
  }
  off(event, callback) {
    this.listeners.set(event, (this.listeners.get(event) ?? []).filter((each) => each !== callback));
    this.widget.off(event, callback);
  }
  tell(name) {
    for (const callback of this.listeners.get(`change:${name}`) ?? []) callback();
  }
  send(message) {
    const { session, player } = this, { type, lane, part: changed, value, bits, unit, state } = message;
    if (!session || !["draw", "hold", "lane", "swap"].includes(type)) return;
    session.cursor = player?.k ?? 0;
    session.selected = player?.choices.selected ?? "";
    if (type === "draw") session.draw(bits);
    else if (type === "hold") session.hold(unit, state, lane);
    else if (type === "lane") session.chooseIn(lane, changed, value);
    else session.swap();
    this.pack(session, { selected: session.selected });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(session), REST_MS);
  }
  pack(session, choices) {
    Object.assign(this.own, { trace: session.packed(choices).buffer, menus: session.menus });
    this.tell("menus");
    this.tell("trace");
  }
  rest(session) {
    this.report(session);
    const { unknown } = session;
    for (const lane of unknown) {
      const { model, held } = session.lanes[lane];
      session.known.set(session.traces[lane], knownOf(session.modelOf(model), session.info(model), Float64Array.from(session.x), session.traces[lane], held));
    }
    if (!unknown.length) return;
    session.cursor = this.player?.k ?? 0;
    this.pack(session);
  }
  report(session) {
    const now = { drawing: session.drawn ? textOfStates(session.drawn) : "", end: session.nVisits };
    if (this.widget.get("drawing") === now.drawing && this.widget.get("end") === now.end) return;
    this.widget.set("drawing", now.drawing);
    this.widget.set("end", now.end);
    this.widget.save_changes();
  }
};
async function render({ model, el }) {
  const box2 = element("div", { class: "lrbn-notebook" });
  let answering;
  let remove = () => {
  }, gone = false, asked = 0;
  const open = async () => {
    const mine = ++asked, blocks = await blocksOf(model);
    if (gone || mine !== asked) return;
    if (answering && Boolean(answering.session) === blocks.engine.byteLength > 0) return answering.show(blocks);
    remove();
    answering = new Answering(model, blocks);
    const begun2 = begin({ model: answering, el: box2 });
    answering.player = begun2.player;
    remove = begun2.remove;
  };
  const size = () => {
    box2.style.height = `${model.get("height")}px`;
  };
  const again = () => {
    open().catch(reportError);
  };
  size();
  el.append(box2);
  model.on("change:height", size);
  model.on("change:turn", again);
  await open();
  const style = element("style", {}, `[${choices_default.still}="${model.get("still")}"] { display: none; }`);
  if (model.get("still")) (el.getRootNode() instanceof ShadowRoot ? document.head : el).append(style);
  return () => {
    gone = true;
    model.off("change:height", size);
    model.off("change:turn", again);
    clearTimeout(answering?.timer);
    remove();
    style.remove();
    el.replaceChildren();
  };
}
var notebook_default = { render };
export { NotebookSession, notebook_default as default, render };
