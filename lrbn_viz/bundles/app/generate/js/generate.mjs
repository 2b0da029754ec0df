// 55767462ccef88d8b387ffb5ad965925539035de3488cc402cc2b077111bef14
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
function setRich(node, parts) {
  if (node.textContent === plainText(parts)) return;
  node.replaceChildren(...parts.map((part2) => typeof part2 === "string" ? part2 : element(part2.tag, {}, part2.text)));
}
var plainText = (parts) => parts.map((part2) => typeof part2 === "string" ? part2 : part2.text).join("");
var bold = (text) => ({ tag: "b", text });
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
function iconButton(name, label, keys, onclick, text) {
  const button = element("button", { type: "button", class: "lv-btn", "aria-label": label, title: keys ? `${label} (${keys})` : label, "data-do": name, onclick }, icon(name));
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
  let waiting;
  const all = () => {
    const now = changed;
    changed = /* @__PURE__ */ new Set();
    const due = new Map(Object.entries(acts).filter(([name]) => now.has(name)).map(([name, act]) => [act, host.get(name)]));
    for (const [act, value] of due) {
      const done = waiting ? waiting.then(() => gone ? void 0 : act(value)) : act(value);
      if (!done) continue;
      const mine = waiting = done.catch(reportError).then(() => {
        if (waiting === mine) waiting = void 0;
      });
    }
    return waiting;
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
  const bytes = toBytes(data), begin = new TextDecoder().decode(bytes.subarray(0, 4));
  if (begin !== constants_default.kept_files) return take(data);
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
    const begin = performance.now();
    this.paint(this.k);
    this.stats.painted++;
    this.stats.paintMs = performance.now() - begin;
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
  const signed = Uint32Array.from({ length: 511 }, (_, i) => {
    const value = (i - 255) / 255;
    return pack32(mix(ground, value > 0 ? plus : minus, Math.abs(value) ** 0.7));
  });
  const hatch = Uint32Array.from([palette.line, palette.muted], (colour) => pack32(rgb(colour)));
  return { ink, error, signed, hatch };
}
var made = /* @__PURE__ */ new Map();
function coloursOf(dark) {
  const palette = PALETTES[dark ? "dark" : "light"], colours2 = made.get(palette) ?? { palette, tables: pixelTables(palette) };
  made.set(palette, colours2);
  return colours2;
}
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
var darker = () => [element("span", { class: "lv-on-light" }, "darker"), element("span", { class: "lv-on-dark" }, "lighter")];
function legend(entries, title) {
  const samples = (mark, colours2) => colours2.split(" ").map((colour) => element("i", { "data-mark": mark, style: `--lv-swatch: var(--lv-${colour})` }));
  return element("div", { class: "lv-legend" }, title ? element("b", {}, title) : null, ...entries.map(([mark, colours2, words]) => element("span", {}, ...samples(mark, colours2), element("span", {}, ...[words].flat()))));
}
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
var clamp = (value, low, high) => Math.max(low, Math.min(high, value));
var byte = (value) => clamp(Math.round(255 * value), 0, 255);
var unitName = ({ names }, j) => names?.[j] ?? `unit ${j}`;
var variablesOf = ({ pixels: pixels2, rows }) => pixels2 && rows === 1 ? pixels2 : null;
var rowWords = (table) => table ? { row: "row", rows: "Rows", title: "Rows", cell: "observation", own: "Own observations" } : { row: "image", rows: "Image", title: "Images", cell: "pixel", own: "Own image" };
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
    const { pixels: pixels2 } = this;
    if (hatch) this.hatched(colour, hatch);
    else for (let i = 0; i < pixels2.length; i++) pixels2[i] = colour(i);
    this.context.putImageData(this.image, 0, 0);
  }
  hatched(colour, { unknown, filled, colours: [ground, line] }) {
    const { pixels: pixels2, rows, columns } = this, width = HATCH * columns, lines = filled ? 1 : 2;
    for (let i = 0; i < rows * columns; i++) {
      const is = unknown(i), under = is && !filled ? ground : colour(i), over = filled ? halfOf(under, line) : line, corner = HATCH * (Math.floor(i / columns) * width + i % columns);
      for (let down = 0; down < HATCH; down++) for (let across = 0; across < HATCH; across++) pixels2[corner + down * width + across] = is && (down + across) % HATCH < lines ? over : under;
    }
  }
};
var halfOf = (one, other) => (((one & 16711422) >>> 1) + ((other & 16711422) >>> 1) | 4278190080) >>> 0;
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
var askedSizes = /* @__PURE__ */ new Map();
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
function placeAt(canvas, n, { offsetX: x, offsetY: y }) {
  const ratio = canvas.width / canvas.clientWidth, { columns, size } = gridShape(n, canvas.width, canvas.height);
  const column = Math.floor(x * ratio / size), row = Math.floor(y * ratio / size), place = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && place < n ? place : -1;
}
var HEADS = 14;
var VariableTable = class {
  names = element("ol", { class: "lv-columns-names" });
  node = element("div", { class: "lv-columns", tabindex: "0", role: "group" }, this.names);
  views = [];
  heads = [];
  n = 0;
  constructor(label) {
    this.node.setAttribute("aria-label", label);
  }
  load(names, groups) {
    const { node } = this;
    this.n = names.length;
    this.names.replaceChildren(...names.map((text) => element("li", { class: "lv-variable-name", title: text }, text)));
    node.style.setProperty("--lv-columns-rows", String(names.length));
    node.toggleAttribute("data-titled", groups.some(({ title }) => title));
    node.toggleAttribute("data-headed", groups.some(({ heads }) => heads));
    this.heads = [];
    this.views = [];
    node.replaceChildren(this.names, ...groups.map((group) => this.figure(group)));
  }
  figure({ title, label, n, canvas, foot, heads, press }) {
    const shown = canvas ?? element("canvas", { role: "img" }), columns = Math.max(1, n);
    shown.classList.add("lv-columns-cells");
    setAttribute(shown, "aria-label", label);
    this.views.push(new PixelView(shown, this.n, columns));
    const step = [1, 2, 5, 10, 20, 50, 100].find((every) => columns / every <= HEADS) ?? columns;
    const numbers = (heads ?? []).map((text, at) => element("span", {}, at % step ? "" : text));
    this.heads.push(numbers);
    const figure2 = element("figure", {}, element("figcaption", { title }, title ?? ""), element("div", { class: "lv-columns-heads", "aria-hidden": "true" }, ...numbers), element("div", { class: "lv-columns-box" }, shown, press ? element("div", { class: "lv-columns-presses" }, ...Array.from({ length: n }, (_, at) => {
      const text = press.say(at);
      return element("button", { type: "button", "aria-label": text, title: text, onclick: () => press.go(at) });
    })) : null), foot ?? null);
    figure2.style.setProperty("--lv-columns-n", String(columns));
    return figure2;
  }
  paint(group, colour, hatch = null) {
    const view = this.views[group], { columns } = view;
    view.paint((p) => colour(p % columns, Math.floor(p / columns)), hatch && { ...hatch, unknown: (p) => hatch.unknown(p % columns, Math.floor(p / columns)) });
  }
  mark(group, at, heads) {
    const numbers = this.heads[group], step = [1, 2, 5, 10, 20, 50, 100].find((every) => numbers.length / every <= HEADS) ?? numbers.length;
    numbers.forEach((node, n) => {
      node.toggleAttribute("data-at", n === at);
      setText(node, n === at || n % step === 0 && (at < 0 || Math.abs(n - at) >= step) ? heads[n] : "");
    });
  }
};
var THUMBS_ROW = 24;
function figure(kind, content, ...label) {
  const value = element("b"), name = element("span", {}, ...label);
  return { node: element("figure", { class: `lv-${kind}` }, element("div", { class: "lv-label" }, name, value), content), value, name, canvas: content };
}
var picture = (kind, ...label) => figure(kind, element("canvas", { class: "lv-pixels", role: "img" }), ...label);
var PassLaneCard = class {
  selected = -1;
  done = 0;
  shownPass = -1;
  stale = true;
  grid = element("canvas", { role: "spinbutton", tabindex: "0" });
  latents = figure("latents", element("div", { class: "lv-fill" }, this.grid), "Latents ", element("i", {}, "h"));
  from = picture("from", "From");
  mean = picture("mean", "Mean of ", element("i", {}, "x"));
  x = picture("drawn", "Drawn ", element("i", {}, "x"));
  near = picture("near", "Nearest");
  title = element("span");
  subtitle = element("small");
  check = element("span", { class: "lv-check" });
  strip = element("div", { class: "lv-strip", role: "listbox", "aria-label": "Samples", tabindex: -1 });
  stripWords = element("span");
  table = new VariableTable("What is drawn, by variable; scrolls");
  names = element("ol", { class: "lv-columns-names" });
  words = rowWords(false);
  note = element("p", { class: "lv-caption" });
  change = element("b");
  differences = element("div");
  thumbs = [];
  lane;
  views;
  colours;
  constructor(index, page) {
    this.index = index;
    this.page = page;
    this.free = element("button", { type: "button", class: "lv-btn lv-small", hidden: true, onclick: () => page.hold(index, -1, "free") }, "Free all units");
    this.node = element("section", { class: "lv-card lv-lane lv-pass", "data-lane": index }, element("header", {}, element("h2", {}, this.title, this.subtitle), element("div", { class: "lv-row" }, this.free, this.check)), element("div", { class: "lv-pass-views" }, ...[this.from, this.latents, this.mean, this.x, this.near, this.table].map((view) => view.node)), element("div", { class: "lv-strip-label lv-label" }, this.stripWords, this.change), element("div", { class: "lv-strip-box" }, this.names, this.strip), element("div", { class: "lv-legends" }, legend([["square", `lane${index}`, "on"], ["square", "faint", "off"], ["pale", `lane${index}`, ["not yet drawn; the ", ...darker(), ", the likelier on"]], ["ring", "now", "just drawn; the pass shown"], ["dashes", "ink", "chosen"]]), this.differences), this.note);
    this.listen();
  }
  listen() {
    const { grid, page } = this;
    const unitAt = (event) => placeAt(grid, this.lane.n_h, event);
    grid.addEventListener("click", (event) => {
      const j = unitAt(event);
      if (j >= 0) {
        this.selected = j;
        this.turn(j);
      }
    });
    grid.addEventListener("pointermove", (event) => {
      const j = unitAt(event);
      page.tip(j < 0 ? null : this.describe(j), event);
    });
    grid.addEventListener("pointerleave", () => page.tip(null));
    grid.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.selected >= 0) this.turn(this.selected);
      else {
        const { columns } = this.shape();
        const move = arrowMove(event, columns);
        if (!move || event.shiftKey) return;
        this.selected = this.selected < 0 ? 0 : Math.max(0, Math.min(this.lane.n_h - 1, this.selected + move));
        this.label();
        page.clock.dirty();
      }
      event.preventDefault();
      event.stopPropagation();
    });
    grid.addEventListener("blur", () => {
      this.selected = -1;
      page.clock.dirty();
    });
    this.strip.addEventListener("click", (event) => {
      const path = event.composedPath(), option = path.find((node) => node.dataset?.pass);
      if (option) this.go(Number(option.dataset.pass));
    });
    this.strip.addEventListener("keydown", (event) => {
      const at = Number(event.composedPath()[0].dataset?.pass ?? -1);
      const to = byKey(event, { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.thumbs.length - 1 });
      if (at < 0 || to === void 0 && event.key !== "Enter") return;
      const next = Math.max(0, Math.min(this.thumbs.length - 1, to ?? at));
      this.thumbs[next].node.focus();
      this.go(next);
      event.preventDefault();
      event.stopPropagation();
    });
  }
  go(t) {
    this.page.pause();
    this.page.seek(this.page.timeline.find(t, -1));
  }
  turn(j) {
    if (j >= this.lane.meta.latents) return;
    const now = this.lane.held.get(j);
    this.page.hold(this.index, j, now === void 0 ? "on" : now ? "off" : "free");
  }
  shape() {
    return gridShape(this.lane.n_h, this.grid.width, this.grid.height);
  }
  load(lane, timeline) {
    this.lane = lane;
    this.title.textContent = lane.meta.title;
    const deep = lane.layers.length > 1, { state } = lane.meta;
    this.subtitle.textContent = (lane.meta.same ? "the same weights in an RBM, " : "") + { "": `ancestral sampling: ${deep ? "the top layer from its prior, each other from the one above" : "latents from the prior"}`, image: "Gibbs chain: latents from the image before", latents: "Gibbs chain of the RBM on top: layer 2 from layer 1 before, layer 1 from layer 2; the image from layer 1", "image and latents": "Gibbs chain: layer 2 from layer 1 before, layer 1 from layer 2 and the image before; the image from layer 1" }[state];
    const names = variablesOf(lane.model);
    this.words = rowWords(names !== null);
    this.from.name.textContent = state.startsWith("image") ? `${names ? "Row" : "Image"} before` : "Offsets alone";
    this.fillViews(names, timeline);
    this.free.hidden = lane.held.size === 0;
    this.differences.hidden = !lane.binary || !lane.nearest;
    this.near.node.hidden = !lane.nearest;
    this.node.toggleAttribute("data-alone", !lane.nearest);
    this.note.textContent = lane.meta.flat ? "This model's prior is flat: every code is as likely, and most codes belong to no digit. One with a learned prior draws better." : "";
    setText(this.stripWords, !lane.nearest ? "Samples" : names ? "Samples, each beside its nearest row of the training data" : "Samples, over their nearest training images");
    this.fillStrip(lane, timeline);
    this.stale = true;
    this.shownPass = -1;
  }
  fillViews(names, { rows, columns }) {
    const { table, from, mean, x, near } = this, figures = [from, mean, x, ...this.lane.nearest ? [near] : []];
    this.node.toggleAttribute("data-table", names !== null);
    this.differences.replaceChildren(legend([["square", "plus", "nearest: in the sample alone"], ["square", "minus", `in the training ${this.words.row} alone`]]));
    this.names.replaceChildren(...(names ?? []).map((text) => element("li", { class: "lv-variable-name", title: text }, text)));
    this.node.style.setProperty("--lv-columns-rows", String(names?.length ?? 1));
    if (!names) {
      table.load([], []);
      for (const { node, canvas, value } of figures) {
        canvas.classList.remove("lv-columns-cells");
        node.firstElementChild?.append(value);
        node.append(canvas);
      }
    } else table.load(names, figures.map(({ name, canvas, value }) => ({ title: name.textContent ?? "", label: "", n: 1, canvas, foot: value })));
    const [a, b, c, d] = names ? table.views : figures.map(({ canvas }) => new PixelView(canvas, rows, columns));
    this.views = { from: a, mean: b, x: c, near: d };
  }
  fillStrip(lane, timeline) {
    const focused = this.strip.querySelector(":focus")?.dataset.pass;
    const [rows, columns] = variablesOf(lane.model) ? [lane.n_v, 1] : [timeline.rows, timeline.columns], { row, cell } = this.words;
    this.thumbs = lane.x.map((_, t) => {
      const still = () => element("img", { class: "lv-pixels", alt: "" }), x = still(), { nearest } = lane, near = nearest && still();
      const [what, apart, figure2] = nearest ? [`nearest training ${row} ${nearest.row[t]}`, lane.apart(nearest.distance[t], `${cell}s`), lane.figure(nearest.distance[t])] : [];
      const class_name = nearest?.label && timeline.meta.class_names[nearest.label[t]];
      const node = element("div", { class: "lv-sample", role: "option", tabindex: -1, "data-pass": t, "aria-selected": "false", "aria-label": `pass ${t + 1}${what ? `: ${what}${class_name ? `, class ${class_name}` : ""}, ${apart}` : ""}`, title: `pass ${t + 1}${what ? `
${what}${class_name ? ` (${class_name})` : ""}
${apart}` : ""}` }, x, ...near ? [near] : [], element("span", {}, figure2 ?? String(t + 1)));
      return { node, x: new StillView(x, rows, columns), near: near && new StillView(near, rows, columns) };
    });
    this.strip.replaceChildren(...this.thumbs.map((thumb) => thumb.node));
    this.strip.style.setProperty("--lv-across", String(Math.min(THUMBS_ROW, Math.max(12, this.thumbs.length))));
    if (focused !== void 0) this.thumbs[Math.min(Number(focused), this.thumbs.length - 1)].node.focus();
  }
  paint(at, colours2) {
    const { lane } = this, { palette, tables } = colours2, { ink } = tables, { t } = at, { image, mean } = lane.inks;
    const empty = ink[0];
    const source = lane.source(t);
    const { b } = lane.model;
    this.views.from.paint((i) => ink[source ? image(source[i], i) : mean(b[i], i)]);
    const a = lane.activations(t, Math.min(at.added, lane.on[t].length));
    this.views.mean.paint((i) => ink[mean(a[i], i)]);
    const drawn = at.rows * this.page.timeline.columns, x = lane.x[t];
    this.views.x.paint((i) => i < drawn ? ink[image(x[i], i)] : empty);
    const { nearest } = lane, near = at.whole && nearest ? nearest.near[t] : null;
    if (nearest) this.views.near.paint((i) => this.nearColour(near, x, i, tables));
    this.paintGrid(at, palette);
    this.latents.value.textContent = `${this.countOn(at)} of ${lane.n_h} on${lane.held.size ? `, ${lane.held.size} held (×)` : ""}`;
    this.mean.value.textContent = at.added ? `${Math.min(at.added, lane.on[t].length)} filters` : "offsets only";
    this.x.value.textContent = at.rows ? at.whole ? `pass ${t + 1}` : `row ${at.rows}` : "";
    this.near.value.textContent = near && nearest ? lane.apart(nearest.distance[t]) : "";
    this.near.node.dataset.empty = String(!near);
    this.from.value.textContent = source && !t ? this.page.timeline.meta.begins === "noise" ? "noise" : "data" : "";
    this.paintStrip(at, colours2);
  }
  nearColour(near, x, i, tables) {
    if (!near) return tables.ink[0];
    if (!this.lane.binary) return tables.ink[this.lane.inks.image(near[i], i)];
    if (near[i] === x[i]) return tables.ink[near[i] ? 90 : 0];
    return tables.error[near[i]][x[i] ? 510 : 0];
  }
  countOn(at) {
    const { lane } = this, h = lane.h[at.t];
    let on = 0;
    for (let j = 0; j < lane.n_h; j++) if (lane.place[j] < at.drawn) on += h[j];
    return on;
  }
  paintGrid(at, palette) {
    const { grid, lane, index } = this, context = penOf(grid), accent = palette.lanes[index], h = lane.h[at.t], { names } = lane.model, lowest = lane.layers[0].n;
    fitCanvas(grid);
    const { columns, size } = this.shape(), gap = Math.max(1, size * 0.14), side = size - gap;
    context.clearRect(0, 0, grid.width, grid.height);
    const adding = at.phase === 1 ? lane.on[at.t][at.added - 1] : -1, drawing = at.phase === 0 && at.step > 0 ? lane.sequence[at.drawn - 1] : -1;
    const isKnown = (j) => lane.place[j] < at.drawn || lane.held.has(j), isOn = (j) => isKnown(j) && h[j] === 1;
    for (let j = 0; j < lane.n_h; j++) {
      const x = j % columns * size + gap / 2, y = Math.floor(j / columns) * size + gap / 2, corner = j < lowest ? 0.18 : 0.5;
      const on = isOn(j), p = isKnown(j) ? null : lane.probability(at.t, j, at.drawn);
      context.beginPath();
      context.roundRect(x, y, side, side, side * corner);
      context.fillStyle = on ? accent : palette.faint;
      context.fill();
      if (p !== null) {
        context.globalAlpha = 0.6 * p;
        context.fillStyle = accent;
        context.fill();
        context.globalAlpha = 1;
      }
      if (lane.held.has(j)) cross(context, x + side / 2, y + side / 2, side * 0.28, side, on ? palette.surface : palette.ink);
      const current = j === drawing || j === adding;
      if (current || j === this.selected) {
        context.beginPath();
        context.roundRect(x - gap / 2, y - gap / 2, side + gap, side + gap, side * (corner + 0.02));
        context.lineWidth = Math.max(2, gap * 1.1);
        context.strokeStyle = current ? palette.now : palette.ink;
        if (!current) context.setLineDash([size * 0.22, size * 0.14]);
        context.stroke();
        context.setLineDash([]);
      }
    }
    nameUnits(context, names, palette, size, columns, lane.n_h, (j) => j, isOn);
  }
  paintStrip(at, colours2) {
    const done = at.whole ? at.t + 1 : at.t;
    if (!this.stale && this.done === done && this.colours === colours2 && this.shownPass === at.t) return;
    const { lane } = this, { ink } = colours2.tables, { image } = lane.inks;
    if (this.stale || this.colours !== colours2) {
      this.thumbs.forEach((thumb, t) => {
        const near = lane.nearest?.near[t];
        thumb.x.paint((i) => ink[image(lane.x[t][i], i)]);
        if (near) thumb.near?.paint((i) => ink[Math.round((lane.binary ? 130 / 255 : 1) * image(near[i], i))]);
      });
    }
    this.thumbs.forEach(({ node }, t) => {
      node.dataset.done = String(t < done);
      node.setAttribute("aria-selected", String(t === at.t));
      node.tabIndex = t === at.t ? 0 : -1;
    });
    const change = done ? lane.change(done - 1) : null;
    this.change.textContent = change === null ? "" : `${lane.apart(change)} from the one before`;
    this.stale = false;
    this.colours = colours2;
    this.done = done;
    this.shownPass = at.t;
    this.verdict();
  }
  verdict() {
    const { lane } = this, copies = Array.from(lane.nearest?.distance.slice(0, this.done) ?? []).filter((d) => d === 0).length;
    const { pixels: pixels2 } = lane.model, top = lane.layers[lane.layers.length - 1].first, byHand = Array.from(lane.held.keys()).some((j) => j < top);
    const text = lane.meta.chain ? "each pass depends on the one before" : byHand ? "independent samples; a unit held below the top is set by hand, and changes nothing above it" : lane.held.size ? "exact samples given what is held" : "exact, independent samples";
    if (pixels2 || !lane.nearest) {
      this.check.textContent = text;
      this.check.dataset.ok = lane.meta.chain ? "" : "yes";
      return;
    }
    this.check.textContent = copies ? `${text}; ${copies} equal a training image` : `${text}; none is a copy`;
    this.check.dataset.ok = copies ? "no" : lane.meta.chain ? "" : "yes";
    if (!this.done) this.check.textContent = text;
  }
  describe(j) {
    const { lane } = this, at = this.page.at(), p = lane.probability(at.t, j, at.drawn), held = lane.held.get(j), who = lane.called(j);
    const next = held === void 0 ? "hold it on" : held ? "hold it off" : "free it", can = j < lane.meta.latents ? `
click: ${next}` : "";
    if (held !== void 0) return `${who}: held ${held ? "on" : "off"}${can}`;
    const drawn = lane.place[j] < at.drawn ? lane.h[at.t][j] ? "on" : "off" : "not yet drawn";
    return `${who}: ${drawn}, ${p === null ? "after the layer above" : `P(on) ${p.toFixed(3)}`}${can}`;
  }
  label() {
    const { lane } = this, at = this.page.at(), title = lane.meta.title, set = (view, text) => view.canvas.setAttribute("aria-label", `${title}: ${text}`);
    set(this.from, lane.meta.state.startsWith("image") ? `the ${this.words.row} before, from which latents are drawn` : `what the offsets alone draw; latents come from ${lane.meta.chain ? "those before" : "the prior"}`);
    set(this.mean, `mean of the ${this.words.row} given the latents drawn`);
    set(this.x, at.whole ? `${this.words.row} drawn in pass ${at.t + 1}` : `${this.words.row} being drawn`);
    set(this.near, at.whole && lane.nearest ? `nearest training ${this.words.row}, ${lane.apart(lane.nearest.distance[at.t], `of ${lane.n_v} ${this.words.cell}s`)}` : `nearest training ${this.words.row}, once the ${this.words.row} is drawn`);
    const unit = Math.max(0, this.selected), { grid } = this;
    grid.setAttribute("aria-label", `${title}: latent units, Enter holds one on, off, or frees it`);
    for (const [name, value] of Object.entries({ min: 0, max: lane.n_h - 1, now: unit })) grid.setAttribute(`aria-value${name}`, String(value));
    grid.setAttribute("aria-valuetext", this.describe(unit).replace("\nclick: ", ", Enter to ").replaceAll("\n", ", "));
  }
  says(at) {
    const { lane } = this, { t } = at, title = lane.meta.title;
    if (at.phase === 0 && at.step) {
      if (at.drawn > lane.n_h) return `${title} has drawn its latents`;
      const j = lane.sequence[at.drawn - 1], who = lane.called(j);
      const state = lane.h[t][j] ? "on" : "off";
      if (lane.held.has(j)) return `${title} ${who} is held ${state}`;
      const u = lane.uniform[t * lane.n_h + j] / 65536;
      return `${title} ${who}: drew ${u.toFixed(2)} against P ${lane.probabilities(t)[j].toFixed(2)}, ${state}`;
    }
    if (at.phase === 1) {
      const j = lane.on[t][at.added - 1];
      return j === void 0 ? `${title} has its mean` : `${title} adds the filter of ${lane.called(j)}`;
    }
    if (at.whole && !lane.nearest) return `${title} has drawn ${lane.model.pixels ? "the observations" : "all rows"}`;
    return at.whole && lane.nearest ? `${title}: ${lane.figure(lane.nearest.distance[t])}${lane.binary && !lane.model.pixels ? " px" : ""} from the nearest training ${this.words.row}` : `${title} draws ${lane.model.pixels ? "the observations" : `row ${at.rows}`}`;
  }
};
var THUMB = 14;
function setFace(button, face, word) {
  const title = `${word} (space)`;
  if (button.title === title && button.dataset.face === face) return;
  const keys = button.querySelector("kbd");
  button.replaceChildren(icon(face), ...keys ? [keys] : []);
  button.dataset.face = face;
  button.setAttribute("aria-label", word);
  button.title = title;
}
var Scrub = class {
  k = 0;
  end = 0;
  canvas = element("canvas", { "aria-hidden": "true" });
  strip = element("canvas");
  constructor(label, moved) {
    const changed = () => moved(this.k = Number(this.range.value));
    this.range = element("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": label, oninput: changed });
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
  go(name, label, keys, text) {
    return iconButton(name, label, keys, () => this.played.move(name), text);
  }
  arrange(farther, side, says) {
    return element("div", { class: "lv-transport", role: "group", "aria-label": "Transport" }, element("div", { class: "lv-row lv-buttons" }, this.go("first", "First", "Home"), this.go("back", "Step back", "←"), this.playButton, this.go("step", "Step", "→"), ...farther, this.go("last", "Last", "End")), this.scrub.node, element("div", { class: "lv-side" }, ...side), says);
  }
  speedMenu(attributes = {}) {
    return element("label", { class: "lv-speed", ...attributes }, element("span", { class: "lv-speed-word" }, "Speed"), this.speed);
  }
};
var PASS_SPEEDS = [10, 30, 60, 120, 300, 1e3, 3e3];
Object.assign(ICONS, { phase: ICONS.flip, pass: ICONS.sweep });
var PassTransport = class extends Controls {
  timeline;
  constructor(page, speed) {
    super(page, "Step", PASS_SPEEDS, "steps/s");
    this.page = page;
    this.speed.value = String(speed);
    this.more = element("button", { type: "button", class: "lv-btn lv-small lv-needs", onclick: () => page.say({ type: "more" }) }, "Draw more");
    this.node = this.arrange([this.go("phase", "Next phase", "Shift+→"), this.go("pass", "Next pass", "Page Down")], [this.speedMenu(), this.more], element("div", { class: "lv-says" }, this.says));
  }
  load(timeline, most) {
    this.timeline = timeline;
    this.more.disabled = timeline.passes >= most;
    this.more.title = this.more.disabled ? `at most ${many(most)} passes` : `draw ${many(Math.min(most, 2 * timeline.passes) - timeline.passes)} more passes`;
    this.stale = true;
  }
  paint(k, palette) {
    if (this.scrub.fit() || this.stale || this.palette !== palette) this.paintStrip(palette);
    const { playing } = this.page.clock;
    this.scrub.show(k, this.timeline.end, palette, playing);
    setFace(this.playButton, playing ? "pause" : "play", playing ? "Pause" : "Play");
    setRich(this.says, this.words());
    if (!playing) this.scrub.say(this.sentence());
  }
  paintStrip(palette) {
    const { timeline } = this, { context, height, ratio, x: along } = this.scrub.ground(palette), x = (k) => along(k / timeline.end);
    const top = height * 0.3, tall = height * 0.4;
    timeline.starts.slice(1).forEach((end, t) => {
      context.fillStyle = palette.line;
      const begin = x(end - timeline.rows);
      context.fillRect(begin, top, x(end) - begin, tall);
      if (t < timeline.passes - 1 && timeline.passes < 100) {
        context.fillStyle = palette.surface;
        context.fillRect(x(end) - ratio, top, 2 * ratio, tall);
      }
    });
    this.stale = false;
    this.palette = palette;
  }
  words() {
    const at = this.page.at(), pass = `${many(at.t + 1)} of ${many(this.timeline.passes)}`;
    if (!at.step && !at.t) return ["Nothing is drawn yet: ", ...this.beginnings()];
    return ["Pass ", bold(pass), ". ", this.page.cards.map((card2) => card2.says(at)).join("; ")];
  }
  beginnings() {
    const { lanes, meta } = this.timeline;
    return lanes.flatMap(({ meta: { title, chain } }, i) => {
      const who = `${i ? ", " : ""}the ${title}${chain ? "'s chain" : ""}${i ? "" : " begins"} with `;
      return chain ? [who, bold(meta.begins)] : [`${who}its prior`];
    });
  }
  sentence() {
    return `${plainText(this.words())}.`;
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
var facts = constants_default.visible_units;
var PRODUCTS = { bernoulli: { rate: 1, sign: -1 }, "noisy-or": { rate: -1, sign: 1 } };
function unitsOf(name) {
  const kind = KINDS[name], product = name === "gaussian" ? void 0 : PRODUCTS[name];
  return { ...facts[name], mean: (a) => meanOf(kind, a), raise: (a, w) => raisedBy(kind, a, w), evidence: (x, b, w) => evidenceOf(kind, x, b, w), alone: (b, w) => aloneOf(kind, b, w), byOthers: (x, a, w) => byOthers(kind, x, a, w), product: product && { ...product, share: (x, a) => [shareOff(kind, x, a), shareOn(kind, x, a)] } };
}
var UNITS = { bernoulli: unitsOf("bernoulli"), gaussian: unitsOf("gaussian"), "noisy-or": unitsOf("noisy-or") };
function bitRows(packed, n) {
  const stride = Math.ceil(n / 8);
  return Array.from({ length: packed.length / stride }, (_, t) => unpackBits(packed.subarray(t * stride, (t + 1) * stride), n));
}
function imageRows(values, n) {
  if (values instanceof Uint8Array) return bitRows(values, n);
  return Array.from({ length: values.length / n }, (_, t) => values.subarray(t * n, (t + 1) * n));
}
var meanOf2 = (model) => UNITS[model.visible].mean;
function inksOf(model, shades) {
  const image = shades ? (value, i) => byte(value * shades[i] + shades[model.n_v + i]) : byte, mean = meanOf2(model);
  const ofMean = (a, i) => image(mean(a), i);
  return { image, mean: ofMean };
}
var DrawnLane = class {
  mean = { t: -1, count: -1 };
  constructor(meta, model, arrays, shades) {
    const { n_v } = model, { sizes } = meta, n_h = sizes.reduce((sum, n) => sum + n, 0);
    this.meta = meta;
    this.model = model;
    this.n_h = n_h;
    this.n_v = n_v;
    this.layers = sizes.map((n, l) => ({ n, first: sizes.slice(0, l).reduce((sum, below) => sum + below, 0) }));
    this.sequence = this.layers.toReversed().flatMap(({ n, first }) => Array.from({ length: n }, (_, j) => first + j));
    this.place = new Uint16Array(n_h);
    this.sequence.forEach((j, place) => {
      this.place[j] = place;
    });
    this.h = bitRows(arrays.h, n_h);
    this.x = imageRows(arrays.x, n_v);
    this.x0 = arrays.x0 ? imageRows(arrays.x0, n_v)[0] : null;
    this.binary = UNITS[model.visible].binary;
    this.inks = inksOf(model, shades);
    this.uniform = arrays.uniform;
    this.p = arrays.p;
    const { near, row, label, distance } = arrays;
    this.nearest = near && row && distance ? { near: imageRows(near, n_v), row, label, distance } : null;
    this.held = new Map(Object.entries(meta.held).map(([unit, state]) => [Number(unit), state]));
    this.on = this.h.map((h) => Array.from(h.keys()).filter((j) => h[j] && j < sizes[0]));
    this.a = new Float64Array(n_v);
  }
  source(t) {
    return this.meta.state.startsWith("image") ? t ? this.x[t - 1] : this.x0 : null;
  }
  called(j) {
    return `${unitName(this.model, j)}${this.layers.length > 1 ? ` (layer ${this.layerOf(j) + 1})` : ""}`;
  }
  layerOf(j) {
    return this.layers.findLastIndex(({ first }) => first <= j);
  }
  probabilities(t) {
    return this.p.subarray(t * this.n_h, (t + 1) * this.n_h);
  }
  probability(t, j, drawn) {
    const { first } = this.layers[this.layerOf(j)];
    return drawn >= this.place[first] ? this.probabilities(t)[j] : null;
  }
  activations(t, count) {
    const { a, mean, n_v } = this, { W, b } = this.model;
    if (mean.t !== t || mean.count > count) {
      a.set(b);
      mean.t = t;
      mean.count = 0;
    }
    for (; mean.count < count; mean.count++) {
      const at = this.on[t][mean.count] * n_v;
      for (let i = 0; i < n_v; i++) a[i] += W[at + i];
    }
    return a;
  }
  change(t) {
    const before = t ? this.x[t - 1] : this.x0;
    if (!before) return null;
    let squared = 0;
    for (let i = 0; i < this.n_v; i++) squared += (before[i] - this.x[t][i]) ** 2;
    return this.binary ? squared : Math.sqrt(squared);
  }
  apart(distance, pixels2 = "px") {
    return this.binary ? `${distance} ${this.model.pixels ? "" : `${pixels2} `}differ` : `distance ${this.figure(distance)}`;
  }
  figure(distance) {
    return this.binary ? String(distance) : distance.toFixed(1);
  }
};
var Timeline = class {
  stopList;
  constructor({ meta, arrays }, models) {
    this.meta = meta;
    this.lanes = meta.lanes.map((lane, i) => {
      const model = models.get(lane.model);
      if (!model) throw new Error(`the passes need model ${lane.model}, which was not sent`);
      return new DrawnLane(lane, model, part(arrays, i), arrays.shades);
    });
    const [{ model: { rows, columns } }] = this.lanes;
    this.rows = rows;
    this.columns = columns;
    this.passes = meta.passes;
    this.n_h = Math.max(...this.lanes.map((lane) => lane.n_h));
    this.starts = [0];
    for (let t = 0; t < this.passes; t++) this.starts.push(this.starts[t] + this.n_h + this.adding(t) + this.rows);
    this.end = this.starts[this.passes];
  }
  adding(t) {
    return Math.max(1, ...this.lanes.map((lane) => lane.on[t].length));
  }
  at(k) {
    let t = 0;
    while (t < this.passes - 1 && this.starts[t + 1] < k) t++;
    const step = k - this.starts[t], adding = this.adding(t);
    const drawn = Math.min(step, this.n_h), added = Math.max(0, Math.min(step - this.n_h, adding)), rows = Math.max(0, step - this.n_h - adding);
    const phase = step <= this.n_h ? 0 : step <= this.n_h + adding ? 1 : 2;
    return { t, step, drawn, added, rows, phase, whole: rows === this.rows };
  }
  find(shown, step) {
    const t = shown < 0 ? this.passes - 1 : Math.min(shown, this.passes - 1), length = this.starts[t + 1] - this.starts[t];
    return this.starts[t] + (step < 0 ? length : Math.min(step, length));
  }
  stops() {
    return this.stopList ||= this.starts.slice(0, -1).flatMap((start, t) => [start + this.n_h, start + this.n_h + this.adding(t), this.starts[t + 1]]);
  }
};
var WALK_PICTURES = 11;
var pixels = () => element("canvas", { class: "lv-pixels", role: "img", "aria-label": "" });
var WalkLane = class {
  share = 0.5;
  steps = 0;
  way = "";
  name = "";
  stale = true;
  frame = { left: 0, right: 1 };
  now = pixels();
  ends = [pixels(), pixels()];
  title = element("span");
  value = element("b");
  flip = element("small");
  pictures = element("div", { class: "lv-walk-pictures" });
  table = new VariableTable("The interpolation, by variable; scrolls");
  curve = element("canvas", { role: "img" });
  curveLabel = element("span");
  pictureNodes = [];
  model;
  start;
  end;
  unit;
  joint;
  images;
  inks;
  views;
  colours;
  constructor(index, card2) {
    this.index = index;
    this.card = card2;
    const end = (name, canvas) => element("figure", {}, element("div", { class: "lv-label" }, name), canvas);
    this.node = element("div", { class: "lv-walk-lane", "data-lane": index }, element("h3", {}, this.title, this.flip), element("div", { class: "lv-walk-body" }, element("figure", { class: "lv-walk-now" }, element("div", { class: "lv-label" }, "At the cursor"), this.now), element("div", { class: "lv-walk-way" }, this.table.node, element("div", { class: "lv-walk-row" }, end("From", this.ends[0]), element("figure", {}, element("div", { class: "lv-label" }, "Reconstructions on the way"), this.pictures), end("To", this.ends[1])), element("figure", {}, element("div", { class: "lv-label" }, this.curveLabel, this.value), element("div", { class: "lv-fill" }, this.curve)))));
    const scrub = (event) => {
      if (event.buttons & 1) card2.seek(this.shareAt(event.offsetX), true);
    };
    this.curve.addEventListener("pointerdown", (event) => {
      this.curve.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.curve.addEventListener("pointermove", scrub);
  }
  load({ title, steps, constant }, model, arrays, shades, way) {
    this.name = title;
    this.steps = steps;
    this.model = model;
    this.way = way;
    this.unit = arrays.unit;
    this.joint = arrays.log_joint;
    this.images = imageRows(arrays.images, model.n_v);
    this.inks = inksOf(model, shades);
    this.start = unpackBits(arrays.start, model.n_h);
    this.end = unpackBits(arrays.end, model.n_h);
    this.title.textContent = title;
    this.curveLabel.replaceChildren(element("i", {}, constant ? "log P*(x, h)" : "log P(x, h)"), constant ? " of the best x, nats + constant" : " of the best x, nats");
    const names = variablesOf(model);
    this.node.toggleAttribute("data-table", names !== null);
    if (names) this.fillTable(names);
    else this.fillPictures(model);
    this.stale = true;
  }
  fillTable(names) {
    const column = (title) => ({ title, label: `${this.name}: ${title}`, n: 1 });
    const share = (i) => i / (WALK_PICTURES - 1);
    this.table.load(names, [column("At the cursor"), column("From"), { title: "Reconstructions on the way", label: `${this.name}: reconstructions on the way`, n: WALK_PICTURES, press: { say: (i) => `Go to ${Math.round(100 * share(i))} % of the way`, go: (i) => this.card.seek(share(i), true) } }, column("To")]);
    const [now, from, , to] = this.table.views;
    this.views = { now, ends: [from, to] };
    this.pictureNodes = [];
    this.pictures.replaceChildren();
  }
  fillPictures(model) {
    const view = (canvas) => new PixelView(canvas, model.rows, model.columns);
    this.views = { now: view(this.now), ends: this.ends.map(view) };
    this.table.load([], []);
    this.pictureNodes = Array.from({ length: WALK_PICTURES }, (_, i) => {
      const image = element("img", { class: "lv-pixels", alt: "", onclick: () => this.card.seek(i / (WALK_PICTURES - 1), true) });
      return { image, view: new StillView(image, model.rows, model.columns) };
    });
    this.pictures.replaceChildren(...this.pictureNodes.map(({ image }) => image));
  }
  stepOf(share) {
    return Math.round(share * this.steps);
  }
  activations(share) {
    const { W, b, n_v } = this.model, a = Float64Array.from(b);
    const add = (j, amount) => {
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) a[i] += amount * W[at];
    };
    const [{ n_h }] = this.model.layers;
    if (this.way === "straight") {
      this.start.forEach((on, j) => {
        const amount = (1 - share) * on + share * this.end[j];
        if (amount && j < n_h) add(j, amount);
      });
    } else {
      const h = this.start.slice();
      for (const j of this.unit.subarray(0, this.stepOf(share))) h[j] ^= 1;
      h.forEach((on, j) => {
        if (on && j < n_h) add(j, 1);
      });
    }
    return a;
  }
  paint(share, colours2) {
    const { tables } = colours2, { image, mean } = this.inks, show = (view, a) => view.paint((i) => tables.ink[mean(a[i], i)]);
    show(this.views.now, this.activations(share));
    if (this.stale || this.colours !== colours2) {
      this.views.ends.forEach((view, e) => view.paint((i) => tables.ink[image(this.images[e][i], i)]));
      this.pictureNodes.forEach(({ view }, i) => show(view, this.activations(i / (WALK_PICTURES - 1))));
      if (this.table.n) {
        const way = Array.from({ length: WALK_PICTURES }, (_, i) => this.activations(i / (WALK_PICTURES - 1)));
        this.table.paint(2, (n, i) => tables.ink[mean(way[n][i], i)]);
      }
    }
    const nearest = Math.round(share * (WALK_PICTURES - 1));
    this.pictureNodes.forEach(({ image: image2 }, i) => {
      image2.dataset.now = String(i === nearest);
    });
    this.table.node.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-current", String(i === nearest));
    });
    if (fitCanvas(this.curve) || this.stale || this.colours !== colours2 || this.share !== share) this.paintCurve(share, colours2);
    this.stale = false;
    this.colours = colours2;
    this.share = share;
    const k = this.stepOf(share), value = this.joint[k], straight = this.way === "straight";
    this.value.textContent = Number.isFinite(value) ? number(value, 1) : "not a state of the model";
    this.flip.textContent = this.steps === 0 ? "both codes are equal" : straight ? `${Math.round(100 * share)} % of the way` : k ? `flip ${k} of ${this.steps}: ${unitName(this.model, this.unit[k - 1])} ${this.stateAfter(k)}` : `${this.steps} units differ`;
  }
  stateAfter(k) {
    return this.start[this.unit[k - 1]] ? "off" : "on";
  }
  paintCurve(share, { palette }) {
    const { curve, joint, index } = this, context = penOf(curve), { width, height } = curve;
    const ratio = window.devicePixelRatio || 1, font = parseFloat(getComputedStyle(curve).fontSize) * 0.82 * ratio;
    const values = Array.from(joint).filter(Number.isFinite), low = Math.min(...values), high = Math.max(...values), room = Math.max(1, high - low) * 0.12;
    const digits = Math.max(0, Math.ceil(-Math.log10(high - low || 1)));
    const texts = [low, high].map((value2) => number(value2, digits));
    context.font = `${font}px ${FONT}`;
    const left = Math.max(...texts.map((text) => context.measureText(text).width)) + font * 0.6, right = width - 5 * ratio;
    const x = (k) => left + (right - left) * k / Math.max(1, this.steps);
    const y = (value2) => height - 3 * ratio - (value2 - low + room) / (high - low + 2 * room) * (height - 6 * ratio);
    this.frame = { left, right };
    context.clearRect(0, 0, width, height);
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.lineWidth = ratio;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const apart = Math.abs(y(low) - y(high)) > font;
    (apart ? [low, high] : [high]).forEach((value2) => {
      const at2 = Math.round(y(value2)) + 0.5;
      segment(context, left, at2, right, at2);
      context.fillText(number(value2, digits), left - font * 0.4, at2);
    });
    context.strokeStyle = context.fillStyle = palette.lanes[index];
    context.lineWidth = 2 * ratio;
    context.lineJoin = "round";
    context.beginPath();
    if (this.way === "straight") {
      for (const k of [0, this.steps]) {
        context.moveTo(x(k) + 3 * ratio, y(joint[k]));
        context.arc(x(k), y(joint[k]), 3 * ratio, 0, 7);
      }
      context.fill();
    } else {
      joint.forEach((value2, k) => context.lineTo(x(k), y(value2)));
      context.stroke();
    }
    const at = this.way === "straight" ? left + (right - left) * share : x(this.stepOf(share)), value = joint[this.stepOf(share)];
    context.strokeStyle = context.fillStyle = palette.now;
    segment(context, at, 0, at, height);
    if (Number.isFinite(value)) dot(context, at, y(value), 4.5 * ratio, palette.now);
  }
  shareAt(x) {
    const { left, right } = this.frame;
    return Math.max(0, Math.min(1, (x * this.curve.width / this.curve.clientWidth - left) / (right - left)));
  }
  label() {
    this.now.setAttribute("aria-label", `${this.name}: reconstruction here on the way`);
    this.ends.forEach((canvas, e) => canvas.setAttribute("aria-label", `${this.name}: image at the ${e ? "end" : "start"} of the interpolation`));
    this.curve.setAttribute("aria-label", `${this.name}: log joint along the interpolation, from ${number(this.joint[0])} to ${number(this.joint[this.joint.length - 1])} nats, here ${this.value.textContent}`);
  }
};
var WalkCard = class {
  share = 0.5;
  lanes = [new WalkLane(0, this), new WalkLane(1, this)];
  meta;
  timer;
  constructor(page) {
    this.page = page;
    this.way = element("select", { "aria-label": "Kind of interpolation", onchange: () => this.ask() });
    this.pickers = ["From", "To"].map((name) => this.picker(name));
    this.range = element("input", { type: "range", min: 0, max: 1e3, step: 1, value: 500, class: "lv-walk-range", "aria-label": "Position between the two codes", oninput: () => this.seek(Number(this.range.value) / 1e3, true) });
    this.node = card({ class: "lv-walk", "aria-label": "Interpolation between two codes", hidden: true }, ["Interpolation between two codes ", element("small", {}, "each model infers or has drawn the codes; the menu says in which order units change")], [element("div", { class: "lv-row lv-walk-choice" }, ...this.pickers.map((picker) => picker.node), this.way)], ...this.lanes.map((lane) => lane.node), legend([["line", "lane0 lane1", "log-joint of each code with its best image"], ["line", "now", "cursor"], ["ring", "now", "the picture nearest to the cursor"]]), element("label", { class: "lv-walk-slider" }, element("span", { class: "lv-caption" }, "From"), this.range, element("span", { class: "lv-caption" }, "To")));
  }
  picker(name) {
    const kind = element("select", { "aria-label": `${name}: kind of image`, onchange: () => {
      this.bound(picker);
      this.ask();
    } }, element("option", { value: "t" }, "test image"), element("option", { value: "s" }, "sample of pass"));
    const count = element("input", { type: "number", min: 0, step: 1, "aria-label": `${name}: number`, class: "lv-number", onchange: () => this.ask() });
    const picker = { kind, count, node: element("span", { class: "lv-row lv-picker" }, element("span", { class: "lv-caption" }, name), kind, count) };
    return picker;
  }
  bound({ kind, count }) {
    if (!this.meta) return;
    const least = kind.value === "s" ? 1 : 0, most = kind.value === "s" ? this.meta.passes : this.meta.n_test - 1;
    count.min = String(least);
    count.max = String(most);
    const value = Math.round(Number(count.value));
    count.value = String(Math.max(least, Math.min(most, Number.isFinite(value) ? value : least)));
  }
  ask() {
    const [start, end] = this.pickers.map((picker) => {
      this.bound(picker);
      return `${picker.kind.value}${Number(picker.count.value) - Number(picker.count.min)}`;
    });
    this.page.say({ type: "walk", start, end, way: this.way.value });
  }
  load({ meta, arrays }, models) {
    const first = !this.meta;
    this.meta = meta;
    this.node.hidden = false;
    this.way.replaceChildren(...meta.ways.map(([value, text]) => element("option", { value }, text)));
    this.way.value = meta.way;
    [meta.from, meta.to].forEach((text, e) => {
      const { kind, count } = this.pickers[e];
      if (count.getRootNode().activeElement === count) return;
      kind.value = text[0];
      count.value = String(Number(text.slice(1)) + (text[0] === "s" ? 1 : 0));
      this.bound(this.pickers[e]);
    });
    meta.lanes.forEach((lane, i) => {
      const model = models.get(lane.model);
      if (!model) throw new Error(`the interpolation needs model ${lane.model}, which was not sent`);
      this.lanes[i].load(lane, model, part(arrays, i), arrays.shades, meta.way);
    });
    if (first) this.seek(meta.at < 0 ? 0.5 : meta.at / 1e3, false);
    this.page.clock.dirty();
  }
  leave() {
    this.meta = void 0;
    this.node.hidden = true;
  }
  seek(share, tell) {
    this.share = share;
    this.range.value = String(Math.round(1e3 * share));
    this.page.clock.dirty();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.label();
      if (tell) this.page.say({ type: "walked", at: Math.round(1e3 * share) });
    }, 120);
  }
  label() {
    if (!this.meta) return;
    this.lanes.forEach((lane) => lane.label());
    this.range.setAttribute("aria-valuetext", this.lanes.map((lane) => `${lane.name} ${lane.flip.textContent}, ${lane.value.textContent}`).join("; "));
  }
  paint(colours2) {
    if (this.meta) this.lanes.forEach((lane) => lane.paint(this.share, colours2));
  }
};
var variables_default = '.lv-variables{list-style:none;margin:0;padding:0;max-height:34em;overflow-y:auto;overscroll-behavior:contain}.lv-whole .lv-variables{max-height:none}.lv-reconstruction .lv-variables[data-many]{columns:2 13em;column-gap:1.2em}.lv-variable{display:grid;grid-template-columns:minmax(2.4em,1.4fr) repeat(var(--lv-bars, 1),minmax(1.2em,1fr)) auto;gap:0 0.5em;align-items:center;min-height:1.7em;font-size:0.92em;break-inside:avoid}.lv-variable-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-variable-track{position:relative;height:0.85em;background:var(--lv-faint);border-radius:2px}.lv-variable-bar{position:absolute;inset:0;background:var(--lv-accent, var(--lv-lane0));border-radius:2px;transform:scaleX(0);transform-origin:left}.lv-signed .lv-variable-bar{left:50%}.lv-signed::before{content:"";position:absolute;left:50%;top:-0.15em;bottom:-0.15em;width:1px;background:var(--lv-line)}.lv-variable-bar[data-sign=plus]{background:var(--lv-plus)}.lv-variable-bar[data-sign=minus]{background:var(--lv-minus)}.lv-variable-mark{position:absolute;top:-0.22em;bottom:-0.22em;width:3px;margin-left:-1.5px;background:var(--lv-ink);border-radius:1px}.lv-variable-value{min-width:2.5em;text-align:right;font-weight:400;color:var(--lv-muted)}.lv-variable[data-wrong] .lv-variable-value{color:var(--lv-bad);font-weight:650}.lv-variables-head{color:var(--lv-muted);min-height:1.5em}.lv-variable-switch{font:inherit;font-size:0.95em;width:100%;min-height:1.9em;grid-template-columns:auto minmax(0,1fr) auto;color:var(--lv-ink);background:none;border:0;border-radius:0.3em;padding:0 0.25em;text-align:left;cursor:pointer}.lv-variable-switch:hover{background:var(--lv-faint)}.lv-variable-switch[aria-disabled=true]{cursor:default}.lv-variable-switch:focus-visible{outline-offset:-2px}.lv-variable-box{width:0.95em;height:0.95em;border:1.5px solid var(--lv-ink);border-radius:2px}.lv-variable-switch[data-state=on] .lv-variable-box{background:var(--lv-ink)}.lv-variable-switch[data-state=unknown] .lv-variable-box{border-color:var(--lv-muted);background:var(--lv-hatch)}.lv-variable[data-state=unknown] .lv-variable-track{background:var(--lv-hatch)}.lv-variable-state{color:var(--lv-muted)}.lv-variable-switch[data-state=on] :is(.lv-variable-name,.lv-variable-state){color:var(--lv-ink);font-weight:650}.lv-input[data-table] .lv-pixels,.lv-input[data-table] .lv-drawing-cursor,.lv-lane[data-table] .lv-error,.lv-lane[data-table] .lv-reconstruction .lv-pixels{display:none}.lv .lv-lane[data-table] .lv-views .lv-reconstruction .lv-label b{display:block}.lv-lane[data-table] .lv-views{grid-template-columns:35fr 30fr 35fr}.lv-lane[data-table] .lv-views .lv-fill{min-height:8.5em;max-height:32em}.lv-presents .lv-variables-box,.lv-presents .lv-input .lv-variables{font-size:0.66em}.lv-presents .lv-variables{max-height:14em}.lv-presents .lv-namer,.lv:is([data-sight~=quiet],[data-sight~=small]) .lv-namer{display:none}.lv.lv-presents[data-cards] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr) minmax(0,1.2fr)}.lv:is([data-sight~=small],[data-sight~=present]) .lv-variables{max-height:max(5.2em,var(--lv-tall))}.lv[data-sight~=small] .lv-input[data-table]>.lv-pixels-box{width:auto;max-width:none}.lv[data-sight~=small] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(9em,1.4fr) minmax(0,1.3fr) minmax(0,1.6fr)}.lv-presents .lv-foot-words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}:is(.lv-partners,.lv-who)[data-named] .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(6.5em,1fr))}.lv-partner .lv-variable-name{display:block}.lv-maps[data-table]{display:block}.lv-maps[data-table]>figure{display:none}.lv-foot-words{overflow-wrap:anywhere}.lv-namer input{font:inherit;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;height:2em;width:12em;max-width:100%;padding:0 0.4em}@container (max-width: 1000px){.lv-lane[data-table] .lv-views{grid-template-columns:1fr 1fr}}@container (max-width: 720px){.lv-lane[data-table] .lv-reconstruction{grid-column:1 / -1}.lv-input[data-table]>.lv-pixels-box{width:100%}.lv-variable-switch{min-height:2.4em}}.lv-namer:has(button:not([hidden])){margin-right:0.6em}.lv-columns{--lv-columns-row: 1.55em;display:flex;align-items:flex-start;gap:0 0.9em;max-height:36em;overflow:auto;overscroll-behavior:contain}.lv-columns-names{flex:none;position:sticky;left:0;z-index:1;list-style:none;margin:0;padding:0 0.3em 0 0;max-width:13em;background:var(--lv-surface)}.lv-columns[data-titled]>.lv-columns-names{padding-top:1.6em}.lv-columns[data-headed]>.lv-columns-names{padding-top:1.2em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:2.8em}.lv-columns-names>li{height:var(--lv-columns-row);line-height:var(--lv-columns-row);font-size:1em}.lv-columns>figure{flex:var(--lv-columns-n) 1 0;min-width:max(6.2em,calc(0.7em * var(--lv-columns-n)));max-width:max(6.2em,calc(2.4em * var(--lv-columns-n)));margin:0}.lv-columns figcaption,.lv-columns-heads{display:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--lv-muted)}.lv-columns[data-titled] figcaption{display:block;height:1.6em;line-height:1.6em}.lv-columns[data-headed] .lv-columns-heads{display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr));height:1.2em;overflow:visible}.lv-columns-heads>span{display:flex;justify-content:center;font-size:0.8em;font-variant-numeric:tabular-nums}.lv-columns-heads>[data-at]{color:var(--lv-ink);font-weight:650}.lv-columns-box{position:relative;line-height:0}.lv .lv-columns-cells{display:block;width:100%;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));image-rendering:pixelated;border:0;border-radius:0;outline-offset:-2px}.lv-columns-box::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row),linear-gradient(to right,var(--lv-surface) 1px,transparent 0) 0 0 / calc(100% / var(--lv-columns-n)) 100%}.lv-columns-presses{position:absolute;inset:0;z-index:1;display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr))}.lv .lv-columns-presses>button{min-width:0;padding:0;border:0;background:none;cursor:pointer}.lv .lv-columns-presses>button:hover{box-shadow:inset 0 0 0 2px var(--lv-ink)}.lv .lv-columns-presses>button[aria-current=true]{box-shadow:inset 0 0 0 2px var(--lv-now)}@container (min-width: 1000px){.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-in{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) :is(.lv-curve,.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why h2 small,.lv-board>.lv-legends){display:none}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label{font-size:0.74em;flex-wrap:nowrap}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label b{flex:1 0 6.6em}}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables-box{font-size:clamp(9px,calc(var(--lv-tall) / 12),0.66em)}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables{max-height:none}@container (max-width: 720px){.lv-columns{gap:0 0.5em}.lv-columns[data-titled] figcaption{height:3em;line-height:1.5em;white-space:normal}.lv-columns[data-titled]>.lv-columns-names{padding-top:3em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:4.2em}.lv-columns>figure{min-width:max(3.7em,calc(0.7em * var(--lv-columns-n)))}}\n';
var generate_default = '.lv-passes{display:grid;gap:1em}.lv-pass>header .lv-row{gap:0.3em 0.8em;flex-wrap:wrap}.lv-pass .lv-small{white-space:nowrap;min-width:max-content}.lv-pass .lv-small span{display:inline}.lv-pass-views{display:grid;grid-template-columns:12.5fr 34fr 12.5fr 12.5fr 12.5fr;gap:1.2em;align-items:start}.lv-pass-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}@container (min-width: 861px){.lv-pass[data-alone]:not([data-table]) .lv-pass-views{grid-template-columns:12.5fr 34fr 12.5fr 12.5fr}}@container (max-width: 860px){.lv-pass[data-alone]:not([data-table]) .lv-pass-views{grid-template-columns:1fr 1fr 1fr}.lv-pass[data-alone]:not([data-table]) .lv-pass-views>figure:not(.lv-latents){justify-content:end}}.lv-pass[data-alone][data-table] .lv-sample{grid-template-columns:1fr}.lv-pass-views>[hidden]{display:none}.lv-latents .lv-fill{min-height:4em}.lv-near[data-empty=true] canvas{opacity:0.5}.lv-pass[data-table] .lv-pass-views{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}.lv-pass[data-table] .lv-pass-views>:is(.lv-from,.lv-mean,.lv-drawn,.lv-near),.lv-pass:not([data-table]) :is(.lv-pass-views>.lv-columns,.lv-columns-names),.lv-walk-lane[data-table] :is(.lv-walk-now,.lv-walk-row),.lv-walk-lane:not([data-table]) .lv-columns{display:none}.lv-walk-lane[data-table] .lv-walk-body{grid-template-columns:minmax(0,1fr)}.lv-walk-lane .lv-columns figcaption{text-overflow:clip}.lv-pass .lv-columns>figure>b{font-weight:400;color:var(--lv-muted)}.lv-strip-label{margin-top:0.5em}.lv-pass[data-table] .lv-strip-box{--lv-columns-row: 1.55em;position:relative;display:flex;gap:0.9em;overflow-x:auto}.lv-pass[data-table] .lv-strip-box>.lv-columns-names{padding-top:2px}.lv-pass[data-table] .lv-strip{grid-template-columns:repeat(var(--lv-across, 24),minmax(1.7em,3.4em));grid-auto-flow:column;grid-auto-columns:minmax(1.7em,3.4em);flex:1}.lv-pass[data-table] .lv-sample{grid-template-columns:1fr 1fr;grid-template-rows:calc(var(--lv-columns-row) / 0.74 * var(--lv-columns-rows)) auto;gap:1px}.lv-pass[data-table] .lv-sample>img{width:100%;height:100%;aspect-ratio:auto}.lv-pass[data-table] .lv-sample>span{grid-column:1 / -1}.lv-pass[data-table] .lv-strip-box::after{content:"";position:absolute;inset:2px 0 auto;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row)}.lv-strip{display:grid;grid-template-columns:repeat(var(--lv-across, 24),minmax(0,1fr));gap:0.35em}.lv-sample{cursor:pointer;border-radius:0.35em;display:grid;gap:2px;padding:2px;text-align:center;font-size:0.74em;color:var(--lv-muted);line-height:1.25}.lv-sample[data-done=false]{opacity:0.28}.lv-sample[aria-selected=true]{background:var(--lv-now);color:var(--lv-on-now);font-weight:650;opacity:1}.lv-pass .lv-caption:empty{display:none}.lv-pass .lv-caption{margin-top:0.6em}.lv-walk{display:grid;gap:1em}.lv-walk>header{display:flex;justify-content:space-between;align-items:center;gap:0.5em 1.2em;flex-wrap:wrap}.lv-walk-choice{gap:0.5em 1em;flex-wrap:wrap}.lv-picker{gap:0.4em}.lv-number{font:inherit;font-size:1.05em;width:4.6em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-walk h3{font-size:1em;font-weight:650;display:flex;gap:0.6em;align-items:baseline;margin-bottom:0.3em}.lv-walk h3 small{font-weight:400;color:var(--lv-muted)}.lv-walk-lane[data-lane="0"] h3>span{color:var(--lv-lane0)}.lv-walk-lane[data-lane="1"] h3>span{color:var(--lv-lane1)}.lv-walk-body{display:grid;grid-template-columns:minmax(0,12fr) minmax(0,88fr);gap:1.2em;align-items:start}.lv-walk-way{display:grid;gap:0.5em}.lv-walk-row{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,var(--lv-walk-wide)) minmax(0,1fr);gap:1em;align-items:end}.lv-walk-pictures{display:grid;grid-template-columns:repeat(var(--lv-walk-pictures),minmax(0,1fr));gap:0.4em}.lv-walk-pictures img{cursor:pointer}.lv .lv-walk-pictures img[data-now=true]{outline:3px solid var(--lv-now)}.lv-walk .lv-fill{height:4.6em;cursor:ew-resize;touch-action:pan-y}.lv-walk-slider{display:flex;gap:0.8em;align-items:center}.lv-walk-range{flex:1;min-width:0;accent-color:var(--lv-now);height:1.8em;cursor:pointer}@container (max-width: 860px){.lv-pass[data-table] .lv-pass-views{grid-template-columns:minmax(0,1fr)}.lv-pass-views{grid-template-columns:1fr 1fr 1fr 1fr}.lv-pass .lv-latents{grid-column:1 / -1;grid-row:2}.lv-pass .lv-latents .lv-fill{aspect-ratio:4;flex:none}.lv-strip{grid-template-columns:repeat(12,minmax(0,1fr))}}@container (max-width: 720px){.lv .lv-strip-label{flex-wrap:wrap;height:auto;gap:0 0.6em}.lv-pass-views{grid-template-columns:1fr 1fr;gap:0.7em}.lv-pass .lv-latents .lv-fill{aspect-ratio:2.4}.lv-pass .lv-latents{grid-row:auto;order:-1}.lv-strip{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-walk-row{gap:0.5em;grid-template-columns:minmax(0,1fr) minmax(0,var(--lv-walk-narrow)) minmax(0,1fr)}.lv-walk-body{grid-template-columns:minmax(0,1fr)}.lv-walk-now{width:6.5em}.lv-walk-pictures{grid-template-columns:repeat(6,minmax(0,1fr))}.lv-walk-pictures img:nth-child(even){display:none}}@media(max-height:560px)and (min-width:481px){.lv .lv-pass-views{grid-template-columns:repeat(4,minmax(0,1fr));gap:0.4em 1.2em}.lv .lv-pass .lv-latents{grid-column:1 / -1;grid-row:auto;order:-1}.lv .lv-pass .lv-latents .lv-fill{aspect-ratio:auto;flex:none;height:4.6em;min-height:0}.lv .lv-pass .lv-pixels{max-width:7em}}\n';
var SIZES = `.lv { --lv-on-now: ${PALETTES.light.ink}; --lv-walk-pictures: ${WALK_PICTURES};
  --lv-walk-wide: ${WALK_PICTURES + 0.6}fr; --lv-walk-narrow: ${WALK_PICTURES / 2 + 0.6}fr; }
`;
var GeneratePage = class extends Page {
  clock = new Clock(() => this.paint(), () => this.rest());
  models = /* @__PURE__ */ new Map();
  timeline;
  constructor(root, say, whole = () => true) {
    super(SIZES + variables_default + generate_default);
    this.say = say;
    this.whole = whole;
    this.clock.speed = 120;
    this.cards = [0, 1].map((index) => new PassLaneCard(index, this));
    this.walk = new WalkCard(this);
    this.transport = new PassTransport(this, this.clock.speed);
    this.root.append(element("div", { class: "lv-in" }, element("div", { class: "lv-passes" }, ...this.cards.map((card2) => card2.node)), this.walk.node), this.transport.node, this.live, this.tipNode);
    this.appear(root, "lrbnGenerators", { key: (event) => this.key(event), scheme: (dark) => {
      this.colours = coloursOf(dark);
      this.clock.dirty();
    }, resized: () => this.clock.dirty() });
  }
  setModels(models) {
    this.models = models;
  }
  setPasses(block) {
    const old = this.timeline, timeline = new Timeline(block, this.models), { meta } = timeline;
    const at = old?.meta.key === meta.key ? this.at() : null;
    this.timeline = timeline;
    timeline.lanes.forEach((lane, i) => this.cards[i].load(lane, timeline));
    this.clock.end = timeline.end;
    this.transport.load(timeline, constants_default.max_passes);
    const k = at ? timeline.find(Math.min(at.t, timeline.passes - 1), at.whole ? -1 : at.step) : timeline.find(meta.shown, meta.step);
    if (this.clock.playing) this.clock.k = this.clock.position = k;
    else this.seek(k);
    this.clock.dirty();
  }
  setWalks(block) {
    if (block) this.walk.load(block, this.models);
    else this.walk.leave();
  }
  at() {
    return this.timeline.at(this.clock.k);
  }
  seek(k) {
    this.clock.seek(k);
  }
  pause() {
    this.clock.pause();
  }
  toggle() {
    if (this.clock.playing) this.pause();
    else this.clock.play();
  }
  setSpeed(speed) {
    this.clock.speed = speed;
    this.transport.speed.value = String(speed);
  }
  hold(lane, unit, state) {
    this.say({ type: "hold", lane, unit, state });
  }
  move(way) {
    const { k, end } = this.clock, { timeline } = this;
    this.pause();
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(end);
    if (way === "back" || way === "step") return this.seek(k + (way === "step" ? 1 : -1));
    const stops = way.startsWith("phase") ? timeline.stops() : timeline.starts.slice(1);
    return this.seek(way.endsWith("Back") ? stops.findLast((stop) => stop < k) ?? 0 : stops.find((stop) => stop > k) ?? end);
  }
  paint() {
    if (!this.timeline || !this.colours || !this.root.getClientRects().length) return;
    const at = this.at();
    for (const card2 of this.cards) card2.paint(at, this.colours);
    this.walk.paint(this.colours);
    this.transport.paint(this.clock.k, this.colours.palette);
  }
  rest() {
    if (!this.timeline) return;
    if (this.clock.stale) this.clock.frame(performance.now());
    for (const card2 of this.cards) card2.label();
    this.walk.label();
    this.live.textContent = this.transport.sentence();
    const at = this.at(), last = at.t === this.timeline.passes - 1 && at.whole;
    this.say({ type: "cursor", shown: last ? -1 : at.t, step: at.whole ? -1 : at.step });
  }
  key(event) {
    if (!this.timeline || !this.root.isConnected || !isPageKey(event, this.transport.scrub.range)) return;
    const way = byKey(event, event.shiftKey ? { ArrowRight: "phase", ArrowLeft: "phaseBack" } : { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", PageDown: "pass", PageUp: "passBack" });
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }
  state() {
    const at = this.at(), { lanes } = this.timeline;
    return { k: this.clock.k, end: this.clock.end, playing: this.clock.playing, ...at, key: this.timeline.meta.key, passes: this.timeline.passes, lanes: lanes.map((lane) => ({ title: lane.meta.title, h: Array.from(lane.h[at.t]), x: Array.from(lane.x[at.t]), ...lane.nearest && { near: Array.from(lane.nearest.near[at.t]), row: lane.nearest.row[at.t], distance: lane.nearest.distance[at.t] }, held: Object.fromEntries(lane.held), p: Array.from(lane.probabilities(at.t)), mean: Array.from(lane.activations(at.t, Math.min(at.added, lane.on[at.t].length)), meanOf2(lane.model)) })), walk: this.walk.meta && { share: this.walk.share, way: this.walk.meta.way, from: this.walk.meta.from, to: this.walk.meta.to, lanes: this.walk.lanes.map((lane) => ({ steps: lane.steps, unit: Array.from(lane.unit), joint: Array.from(lane.joint), mean: Array.from(lane.activations(this.walk.share), meanOf2(lane.model)) })) } };
  }
  remove() {
    this.clock.stop();
    clearTimeout(this.walk.timer);
    this.vanish?.();
  }
};
function render({ model, el }) {
  const host = hostOf(model), STATES = ["cursor", "walked"];
  const { live, send, keep, left } = outbox(host, () => {
    const cursor = left("cursor");
    const walked = left("walked");
    if (cursor && page.timeline) page.seek(page.timeline.find(cursor.shown, cursor.step));
    if (walked) page.walk.seek(walked.at / 1e3, true);
    const speed = left("speed");
    if (typeof speed === "number") page.setSpeed(speed);
    if (left("playing")) page.clock.play();
  });
  const say = (message) => {
    if (STATES.includes(message.type)) keep(message.type, message, () => send(message));
    else send(message);
  };
  const page = new GeneratePage(el, say, live);
  const load = together({ models: (data) => {
    if (data.byteLength) return withBlocks(data, (...blocks) => page.setModels(decodeModels(...blocks)));
  }, passes: (data) => {
    if (data.byteLength) page.setPasses(unpack(data));
  }, walks: (data) => {
    if (data.byteLength) page.setWalks(unpack(data));
  } }, host);
  if (widthAround(el) < 600) send({ type: "narrow" });
  const leave = ({ detail: states }) => {
    states.push(["playing", page.clock.playing], ["speed", page.clock.speed]);
  };
  window.addEventListener("lrbn-leave", leave);
  host.removed(() => {
    window.removeEventListener("lrbn-leave", leave);
    page.remove();
  });
  load();
  return () => page.remove();
}
var generate_default2 = { render };
export { generate_default2 as default };
