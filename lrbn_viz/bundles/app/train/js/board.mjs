// c02b54d04c7d22fc77411df445e89fb613e0cdc039904ef3f13c42c159a85739
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
function release(node) {
  for (const canvas of node.querySelectorAll("canvas")) canvas.width = canvas.height = 0;
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
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var signed = (value, digits = 2) => number(value, digits).replace(/^(?=\d)/, "+");
var brief = (value) => number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
var unbroken = (text) => text.replace(/(log )?P(\*?)\(x, h\)/g, (_, log, star) => `${log ? "log " : ""}P${star}(x, h)`);
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
function clockText(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
function niceTicks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough) ?? 10);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) ticks.push(tick);
  return { ticks, digits: Math.max(0, -Math.floor(Math.log10(step))) };
}
var clamp = (value, low, high) => Math.max(low, Math.min(high, value));
var byte = (value) => clamp(Math.round(255 * value), 0, 255);
var signedColour = (table, value) => table[255 + Math.round(255 * clamp(value, -1, 1))];
var timeOfDay = (at) => new Date(at).toLocaleTimeString("en-GB");
var inRows = (text, table) => table ? Object.entries(constants_default.words_of_rows).reduce((said, [from, to]) => said.replaceAll(new RegExp(`\\b${from}(?=s?\\b)`, "g"), to), text) : text;
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
  hatched(colour, { unknown, filled, colours: [ground, line] }) {
    const { pixels, rows, columns } = this, width = HATCH * columns, lines = filled ? 1 : 2;
    for (let i = 0; i < rows * columns; i++) {
      const is = unknown(i), under = is && !filled ? ground : colour(i), over = filled ? halfOf(under, line) : line, corner = HATCH * (Math.floor(i / columns) * width + i % columns);
      for (let down = 0; down < HATCH; down++) for (let across = 0; across < HATCH; across++) pixels[corner + down * width + across] = is && (down + across) % HATCH < lines ? over : under;
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
var PixelMap = class {
  constructor(rows, columns, label) {
    this.canvas = element("canvas", { class: "lv-pixels", role: "img", "aria-label": label });
    this.view = new PixelView(this.canvas, rows, columns);
  }
  paint(valueAt, scale, table) {
    paintSigned(this.view, valueAt, scale, table);
  }
};
function paintSigned(view, valueAt, scale, table) {
  view.paint((i) => signedColour(table, valueAt(i) / scale));
}
function largest(values, begin = 0, end = values.length) {
  let top = 1e-9;
  for (let i = begin; i < end; i++) top = Math.max(top, Math.abs(values[i]));
  return top;
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
    const { canvas: { width, height }, strip: strip2 } = this;
    if (strip2.width === width && strip2.height === height) return false;
    Object.assign(strip2, { width, height });
    return true;
  }
  ground(palette) {
    const { strip: strip2, strip: { width, height } } = this, context = penOf(strip2), ratio = window.devicePixelRatio || 1, inset = THUMB / 2 * ratio;
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
Object.assign(ICONS, { stop: "M6 6h12v12H6z", fresh: "M10.800 5h2.400v5.800H19v2.400h-5.800V19h-2.400v-5.800H5v-2.400h5.800z", rewind: "M9.500 4.500v3.800h4.700a5.200 5.200 0 0 1 0 10.400H8v-2.400h6.200a2.800 2.800 0 0 0 0-5.600H9.500v3.800L3.500 9.500z", slow: "M3 5h2v14H3zM7 5h2v14H7zM11 5v14l10.500-7z", branch: "M6 3v18h2.200v-6.200c4.800 0 6.300-2.700 6.300-5.600V8.600h2.800L13.400 3.500 9.500 8.600h2.800v.6c0 2-.9 3.400-4.100 3.400V3z" });
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
    const figure = element("figure", {}, element("figcaption", { title }, title ?? ""), element("div", { class: "lv-columns-heads", "aria-hidden": "true" }, ...numbers), element("div", { class: "lv-columns-box" }, shown, press ? element("div", { class: "lv-columns-presses" }, ...Array.from({ length: n }, (_, at) => {
      const text = press.say(at);
      return element("button", { type: "button", "aria-label": text, title: text, onclick: () => press.go(at) });
    })) : null), foot ?? null);
    figure.style.setProperty("--lv-columns-n", String(columns));
    return figure;
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
var variables_default = '.lv-variables{list-style:none;margin:0;padding:0;max-height:34em;overflow-y:auto;overscroll-behavior:contain}.lv-whole .lv-variables{max-height:none}.lv-reconstruction .lv-variables[data-many]{columns:2 13em;column-gap:1.2em}.lv-variable{display:grid;grid-template-columns:minmax(2.4em,1.4fr) repeat(var(--lv-bars, 1),minmax(1.2em,1fr)) auto;gap:0 0.5em;align-items:center;min-height:1.7em;font-size:0.92em;break-inside:avoid}.lv-variable-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-variable-track{position:relative;height:0.85em;background:var(--lv-faint);border-radius:2px}.lv-variable-bar{position:absolute;inset:0;background:var(--lv-accent, var(--lv-lane0));border-radius:2px;transform:scaleX(0);transform-origin:left}.lv-signed .lv-variable-bar{left:50%}.lv-signed::before{content:"";position:absolute;left:50%;top:-0.15em;bottom:-0.15em;width:1px;background:var(--lv-line)}.lv-variable-bar[data-sign=plus]{background:var(--lv-plus)}.lv-variable-bar[data-sign=minus]{background:var(--lv-minus)}.lv-variable-mark{position:absolute;top:-0.22em;bottom:-0.22em;width:3px;margin-left:-1.5px;background:var(--lv-ink);border-radius:1px}.lv-variable-value{min-width:2.5em;text-align:right;font-weight:400;color:var(--lv-muted)}.lv-variable[data-wrong] .lv-variable-value{color:var(--lv-bad);font-weight:650}.lv-variables-head{color:var(--lv-muted);min-height:1.5em}.lv-variable-switch{font:inherit;font-size:0.95em;width:100%;min-height:1.9em;grid-template-columns:auto minmax(0,1fr) auto;color:var(--lv-ink);background:none;border:0;border-radius:0.3em;padding:0 0.25em;text-align:left;cursor:pointer}.lv-variable-switch:hover{background:var(--lv-faint)}.lv-variable-switch[aria-disabled=true]{cursor:default}.lv-variable-switch:focus-visible{outline-offset:-2px}.lv-variable-box{width:0.95em;height:0.95em;border:1.5px solid var(--lv-ink);border-radius:2px}.lv-variable-switch[data-state=on] .lv-variable-box{background:var(--lv-ink)}.lv-variable-switch[data-state=unknown] .lv-variable-box{border-color:var(--lv-muted);background:var(--lv-hatch)}.lv-variable[data-state=unknown] .lv-variable-track{background:var(--lv-hatch)}.lv-variable-state{color:var(--lv-muted)}.lv-variable-switch[data-state=on] :is(.lv-variable-name,.lv-variable-state){color:var(--lv-ink);font-weight:650}.lv-input[data-table] .lv-pixels,.lv-input[data-table] .lv-drawing-cursor,.lv-lane[data-table] .lv-error,.lv-lane[data-table] .lv-reconstruction .lv-pixels{display:none}.lv .lv-lane[data-table] .lv-views .lv-reconstruction .lv-label b{display:block}.lv-lane[data-table] .lv-views{grid-template-columns:35fr 30fr 35fr}.lv-lane[data-table] .lv-views .lv-fill{min-height:8.5em;max-height:32em}.lv-presents .lv-variables-box,.lv-presents .lv-input .lv-variables{font-size:0.66em}.lv-presents .lv-variables{max-height:14em}.lv-presents .lv-namer,.lv:is([data-sight~=quiet],[data-sight~=small]) .lv-namer{display:none}.lv.lv-presents[data-cards] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr) minmax(0,1.2fr)}.lv:is([data-sight~=small],[data-sight~=present]) .lv-variables{max-height:max(5.2em,var(--lv-tall))}.lv[data-sight~=small] .lv-input[data-table]>.lv-pixels-box{width:auto;max-width:none}.lv[data-sight~=small] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(9em,1.4fr) minmax(0,1.3fr) minmax(0,1.6fr)}.lv-presents .lv-foot-words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}:is(.lv-partners,.lv-who)[data-named] .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(6.5em,1fr))}.lv-partner .lv-variable-name{display:block}.lv-maps[data-table]{display:block}.lv-maps[data-table]>figure{display:none}.lv-foot-words{overflow-wrap:anywhere}.lv-namer input{font:inherit;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;height:2em;width:12em;max-width:100%;padding:0 0.4em}@container (max-width: 1000px){.lv-lane[data-table] .lv-views{grid-template-columns:1fr 1fr}}@container (max-width: 720px){.lv-lane[data-table] .lv-reconstruction{grid-column:1 / -1}.lv-input[data-table]>.lv-pixels-box{width:100%}.lv-variable-switch{min-height:2.4em}}.lv-namer:has(button:not([hidden])){margin-right:0.6em}.lv-columns{--lv-columns-row: 1.55em;display:flex;align-items:flex-start;gap:0 0.9em;max-height:36em;overflow:auto;overscroll-behavior:contain}.lv-columns-names{flex:none;position:sticky;left:0;z-index:1;list-style:none;margin:0;padding:0 0.3em 0 0;max-width:13em;background:var(--lv-surface)}.lv-columns[data-titled]>.lv-columns-names{padding-top:1.6em}.lv-columns[data-headed]>.lv-columns-names{padding-top:1.2em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:2.8em}.lv-columns-names>li{height:var(--lv-columns-row);line-height:var(--lv-columns-row);font-size:1em}.lv-columns>figure{flex:var(--lv-columns-n) 1 0;min-width:max(6.2em,calc(0.7em * var(--lv-columns-n)));max-width:max(6.2em,calc(2.4em * var(--lv-columns-n)));margin:0}.lv-columns figcaption,.lv-columns-heads{display:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--lv-muted)}.lv-columns[data-titled] figcaption{display:block;height:1.6em;line-height:1.6em}.lv-columns[data-headed] .lv-columns-heads{display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr));height:1.2em;overflow:visible}.lv-columns-heads>span{display:flex;justify-content:center;font-size:0.8em;font-variant-numeric:tabular-nums}.lv-columns-heads>[data-at]{color:var(--lv-ink);font-weight:650}.lv-columns-box{position:relative;line-height:0}.lv .lv-columns-cells{display:block;width:100%;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));image-rendering:pixelated;border:0;border-radius:0;outline-offset:-2px}.lv-columns-box::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row),linear-gradient(to right,var(--lv-surface) 1px,transparent 0) 0 0 / calc(100% / var(--lv-columns-n)) 100%}.lv-columns-presses{position:absolute;inset:0;z-index:1;display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr))}.lv .lv-columns-presses>button{min-width:0;padding:0;border:0;background:none;cursor:pointer}.lv .lv-columns-presses>button:hover{box-shadow:inset 0 0 0 2px var(--lv-ink)}.lv .lv-columns-presses>button[aria-current=true]{box-shadow:inset 0 0 0 2px var(--lv-now)}@container (min-width: 1000px){.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-in{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) :is(.lv-curve,.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why h2 small,.lv-board>.lv-legends){display:none}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label{font-size:0.74em;flex-wrap:nowrap}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label b{flex:1 0 6.6em}}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables-box{font-size:clamp(9px,calc(var(--lv-tall) / 12),0.66em)}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables{max-height:none}@container (max-width: 720px){.lv-columns{gap:0 0.5em}.lv-columns[data-titled] figcaption{height:3em;line-height:1.5em;white-space:normal}.lv-columns[data-titled]>.lv-columns-names{padding-top:3em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:4.2em}.lv-columns>figure{min-width:max(3.7em,calc(0.7em * var(--lv-columns-n)))}}\n';
var board_default = '.lt-lanes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30em),1fr));gap:1em}.lt-numbers{display:flex;gap:0.2em 1.1em;flex-wrap:wrap;color:var(--lv-muted)}.lt-numbers b{color:var(--lv-ink)}.lt-views{display:grid;grid-template-columns:minmax(0,64fr) minmax(0,36fr);gap:0.8em 1.2em}.lt-strips{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.45em 0.7em;align-items:center;align-self:start}.lt-strips>span{font-size:0.84em;color:var(--lv-muted);white-space:nowrap}.lv .lt-strips canvas{border-radius:0.15em}.lt-strips small{display:block}.lt-strips>.lt-stamp{grid-column:1 / -1}.lt .lv-label small,.lt-stamp,.lt-numbers small{font-variant-numeric:tabular-nums;color:var(--lv-muted)}.lt-numbers-below{display:grid;grid-template-columns:repeat(8,minmax(0,1fr));font-size:0.72em;line-height:1.3;text-align:center;color:var(--lv-muted);min-height:1.3em}.lt-mosaic,.lt-usage{display:flex;flex-direction:column;min-width:0}.lt-mosaic{grid-column:1 / -1}.lt-scroll{position:relative;overflow-y:auto;overflow-x:hidden}.lt-scroll canvas{position:sticky;top:0}.lv .lt-scroll canvas:focus-visible{outline-offset:-2px}.lt-usage .lv-fill{min-height:3em}.lt figure>.lv-legend{margin-top:0.3em}.lt .lv-label{font-size:0.84em;margin-bottom:0.25em;height:auto;line-height:1.3;flex-wrap:wrap;gap:0 0.8em;white-space:normal}.lt-legend{display:flex;gap:0.5em;align-items:center;font-size:0.8em;color:var(--lv-muted);white-space:nowrap}.lt-legend i{flex:1;height:0.7em;border-radius:0.2em;background:linear-gradient(90deg,var(--lv-minus),var(--lv-ground),var(--lv-plus))}.lt-curves>header{display:flex;align-items:baseline;gap:0.4em 1.2em;flex-wrap:wrap;margin-bottom:0.5em}.lt-curves>header select{margin-left:auto;font-size:0.9em}.lt-charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,12.5em),1fr));gap:0.7em 1.4em;align-items:end}.lv .lt-lineage{color:var(--lv-muted);font-size:0.88em;margin:-0.2em 0 0.6em;overflow-wrap:anywhere}.lv .lt-lineage:empty{display:none}.lv-key .lt-ghost{overflow-wrap:anywhere}.lv-key .lt-ghost::before{width:1.5em;flex:none;height:0;background:none;border-radius:0;border-top:2px dashed var(--lv-muted)}.lt-chart{min-width:0}.lv .lt-chart canvas{height:7.2em}.lt-chart figcaption{display:flex;justify-content:space-between;gap:0.6em;font-size:0.88em;font-weight:650;line-height:1.25;margin-bottom:0.2em}.lt-chart small{white-space:nowrap}.lt-chart b{white-space:nowrap;align-self:end}.lt-chart small{font-weight:400;color:var(--lv-muted)}.lt-chart b{display:flex;gap:0.7em}.lv-key .lt-now::before{width:2px;height:1em;border-radius:0}.lt-next>p{color:var(--lv-muted);margin:0.3em 0 0.6em}.lt-next-acts{flex-wrap:wrap;gap:0.5em}.lv .lt-next-acts .lv-small{color:var(--lv-ink);height:2.4em}.lt-thumbs{display:flex;flex-wrap:wrap;gap:0.4em;margin-top:0.6em}.lt-thumbs[data-table]{display:block}.lt-strips>.lv-columns,.lt-strips>.lv-columns~*{grid-column:1 / -1}.lt-strips>.lv-columns{font-size:0.92em;gap:0 0.6em}.lt-strips>.lv-columns>figure{min-width:3.8em}.lt-strips>.lv-columns figcaption{overflow:visible}.lt-thumb{width:2.9em;padding:0;border:0;background:none;cursor:pointer;border-radius:0.3em}.lt-thumb:hover{outline:2px solid var(--lv-now)}.lt-empty{max-width:46em;margin:6vh auto 0;padding:1.6em 1.8em;display:grid;gap:0.9em}.lt-empty h2{font-size:1.35em}.lt-empty p{color:var(--lv-muted);line-height:1.5}.lv .lt-go{justify-self:start;background:var(--lv-ink);color:var(--lv-surface);padding:0 1.2em 0 0.8em}.lv .lt-go:hover{opacity:0.88;background:var(--lv-ink)}.lv .lt-go span{display:inline}.lv .lt-transport{grid-template-columns:auto minmax(0,1fr);position:relative}.lt-transport::before{content:"";position:absolute;left:0;top:-2px;height:3px;width:var(--lt-progress, 0);background:var(--lv-now)}.lt-transport .lv-btn svg{width:1.25em;height:1.25em}.lt-transport .lv-btn.lv-main svg{width:1.45em;height:1.45em}.lt-transport .lv-btn span{font-size:0.92em;white-space:nowrap}.lt-transport .lv-scrub{grid-column:2}.lv .lt-transport .lv-buttons{grid-row:span 3}.lt-kept{grid-column:2;font-size:0.84em;color:var(--lv-muted);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;order:3}.lv .lt-error{padding:0.6em 0.9em;border:1px solid currentColor;border-radius:0.5em}.lv .lt-error:empty{display:none}.lt-work>header{display:flex;align-items:baseline;gap:0.3em 0.8em;flex-wrap:wrap}.lt-work>header a{margin-left:auto;text-decoration:none}.lt-where,.lv .lt-note{color:var(--lv-muted);overflow-wrap:anywhere;min-width:0}.lv .lt-note{font-size:0.88em;margin:0.5em 0 0}.lv .lt-note:empty{display:none}.lt-passes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22em),1fr));gap:0.5em 1.4em;margin-top:0.5em;font-variant-numeric:tabular-nums}.lt-passes:empty{display:none}.lt-pass progress{display:block;width:100%;height:0.4em;margin-top:0.3em;appearance:none;border:0;border-radius:0.2em;overflow:hidden;background:var(--lv-line)}.lt-pass progress::-webkit-progress-bar{background:var(--lv-line)}.lt-pass progress::-webkit-progress-value{background:var(--lv-now)}.lt-pass progress::-moz-progress-bar{background:var(--lv-now)}@container (min-width: 2400px){.lt-charts{grid-template-columns:repeat(auto-fit,minmax(25em,1fr));row-gap:1.4em}.lv .lt-chart canvas{height:13em}}@container (max-width: 1000px){.lv .lt-transport{grid-template-columns:minmax(0,1fr)}.lt-transport .lv-scrub,.lt-kept{grid-column:1;order:-1}.lt-kept{order:4}.lv .lt-transport .lv-buttons{justify-content:space-between;grid-row:auto}.lt-transport .lv-buttons .lv-btn span{display:inline}}@container (max-width: 720px){.lt-views{grid-template-columns:minmax(0,1fr)}.lt-kept{white-space:normal}.lt-transport .lv-buttons .lv-btn span{display:none}}\n';
function legend(entries, title) {
  const samples = (mark, colours2) => colours2.split(" ").map((colour) => element("i", { "data-mark": mark, style: `--lv-swatch: var(--lv-${colour})` }));
  return element("div", { class: "lv-legend" }, title ? element("b", {}, title) : null, ...entries.map(([mark, colours2, words]) => element("span", {}, ...samples(mark, colours2), element("span", {}, ...[words].flat()))));
}
var CHARTS = [{ title: "Training log P(x, h)", unit: "nats/image", series: [["log_joint"]], help: "of the minibatch, with the latents that the E-step found" }, { title: "Training bound on log P(x)", unit: "nats/image", series: [["bound"]], help: "of the minibatch, by the mean weight of each image's particles, or by mean field" }, { title: "Validation", unit: "nats/image", series: [["validation_score"]], scores: true }, { title: "Wrong pixels", unit: "per image", series: [["probe_wrong_pixels"], ["probe_wrong_pixels_factorised", [3, 3]]], help: "of held-out images", lines: ["the model's own inference", "every unit as if the others were off"], grey: "Squared error" }, { title: "Gradient norm", unit: "", series: [["gradient_norm"]], help: "of all parameters together" }, { title: "Dead units", unit: "never on", series: [["probe_dead_units"]], zero: true, help: "units that no held-out image turns on" }, { title: "Flips per E-step", unit: "per image", series: [["flips"]], zero: true, help: "latents that inference changed" }, { title: "Sweeps per E-step", unit: "per image", series: [["sweeps"]], zero: true, help: "visits to every unit until nothing changes" }, { title: "Effective sample size", unit: "particles", series: [["effective_sample_size"]], zero: true, help: "of each image's particles: how many of them share the weight" }, { title: "Variance of the learning signal", unit: "", series: [["signal_variance"], ["signal_variance_raw", [3, 3]]], zero: true, help: "of the factor by which a recognition network follows a particle", lines: ["with the baseline", "without it"] }, { title: "Stage of training", unit: "", series: [["stage"]], zero: true, help: "1: the lower layer learns, 2: the layer above it, on its latents, 3: all layers together" }, { title: "Layer 2: bound gap", unit: "nats", series: [["validation_upper_layer_gap"]], zero: true, low: [[0.1, "layer 2 is not used"], [0.5, "layer 2 is hardly used"]], help: "by how much the variational bound of a held-out image falls if the upper layer's means are replaced by their average over all images: near 0 the upper layer is not used. Known once both layers have learned together" }, { title: "Error of the prediction", unit: "", series: [["guess_error"]], zero: true, help: "error of the means that the recognition network predicts" }, { title: "Weights near 0", unit: "share", series: [["near_zero"]], zero: true, help: "less than two standard deviations from 0, by the posterior of variational Bayes" }, { title: "Layer 2: share of units on", unit: "", series: [["upper_activity"]], zero: true, help: "of the minibatch: the states that the E-step found, the means of mean field, or the recognition network's means given drawn lower latents" }, { title: "Share of units on", unit: "", series: [["units_on"], ["activity"], ["fantasy_activity", [3, 3]]], zero: true, help: "the two of an RBM agree in a model that fits", lines: ["given training images", "in the RBM's own chains"] }];
var Chart = class {
  canvas = element("canvas", { role: "img" });
  value = element("b");
  key = element("div");
  dotted = "";
  frame = { left: 0, right: 0, top: 0, bottom: 0 };
  labelled = "";
  painted = [];
  shown = [];
  constructor(board, spec, lanes, title, help) {
    this.board = board;
    this.spec = spec;
    this.lanes = lanes;
    this.node = element("figure", { class: "lt-chart", title: help }, element("figcaption", {}, element("span", {}, unbroken(title), element("small", {}, spec.unit ? ` ${spec.unit}` : "")), this.value), this.key, this.canvas);
    this.title = title;
    this.canvas.addEventListener("pointermove", (event) => board.hover(this, event));
    this.canvas.addEventListener("pointerleave", () => board.tip(null));
  }
  lines() {
    const of = (lane, ghost) => this.spec.series.flatMap(([name, dash]) => {
      const ring = (ghost ? lane.parent : lane.rings).get(name);
      return ring && (ring.n || Number.isFinite(ring.last)) ? [{ lane, dash, ghost, ring }] : [];
    });
    return this.lanes.flatMap((lane) => [...of(lane, true), ...of(lane, false)]);
  }
  makeRoom() {
    this.shown = this.lines();
    if (this.node.hidden !== !this.shown.length) this.node.hidden = !this.shown.length;
    const lanes = (dotted2) => Array.from(new Set(this.shown.filter(({ dash }) => Boolean(dash) === dotted2).map(({ lane }) => `lane${lane.index % 2}`))).join(" ");
    const dotted = lanes(true), { lines } = this.spec;
    if (dotted === this.dotted || !lines) return;
    this.dotted = dotted;
    this.key.replaceChildren(...dotted ? [legend([["line", lanes(false), lines[0]], ["broken", dotted, lines[1]]])] : []);
  }
  paint() {
    const { board, canvas, shown: lines } = this, { palette } = board.colours;
    if (!lines.length) return;
    const now = [palette, board.fontSize, board.endX(), board.axis, board.cursor, board.pastLanes, ...lines.flatMap(({ ring }) => [ring.n, ring.lastX, ring.last])];
    if (!fitCanvas(canvas) && this.painted.length === now.length && now.every((value, i) => Object.is(value, this.painted[i]))) return;
    this.painted = now;
    const context = penOf(canvas), { width, height } = canvas;
    const screen = window.devicePixelRatio || 1, font = board.fontSize * 0.76 * screen, thick = Math.max(1, board.fontSize / 14) * screen;
    let low = this.spec.zero ? 0 : Infinity, high = -Infinity;
    for (const { ring, ghost } of lines) {
      const from = ring.n > 40 && !this.spec.zero && !ghost ? Math.floor(ring.n / 20) : 0;
      for (let i = from; i < ring.n; i++) {
        low = Math.min(low, ring.y[i]);
        high = Math.max(high, ring.y[i]);
      }
      low = Math.min(low, ring.last);
      high = Math.max(high, ring.last);
    }
    if (!(high > low)) {
      high = low + Math.max(1, Math.abs(low) * 0.1);
      if (!this.spec.zero) low -= Math.max(1, Math.abs(low) * 0.1);
    }
    const room = (high - low) * 0.07;
    if (!this.spec.zero) low -= room;
    high += room;
    const { ticks, digits } = niceTicks(low, high, 3);
    context.clearRect(0, 0, width, height);
    context.font = `${font}px ${FONT}`;
    const texts = ticks.map((tick) => number(tick, digits));
    const left = Math.max(font * 2.4, ...texts.map((text) => context.measureText(text).width)) + font * 0.6;
    const frame = this.frame = { left, right: width - 5 * thick, top: 4 * thick, bottom: height - font * 1.5 };
    const end = board.endX(), x = (value) => frame.left + (frame.right - frame.left) * value / end;
    const y = (value) => frame.bottom - (value - low) / (high - low) * (frame.bottom - frame.top);
    context.lineWidth = thick;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    ticks.forEach((tick, i) => {
      const at = Math.round(y(tick)) + 0.5;
      segment(context, frame.left, at, frame.right, at);
      context.fillText(texts[i], frame.left - font * 0.4, at);
    });
    const across = niceTicks(0, end, 4);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    across.ticks.forEach((tick) => context.fillText(number(tick, across.digits), Math.min(x(tick), width - font), height - font * 0.25));
    context.save();
    context.beginPath();
    context.rect(frame.left, 0, frame.right - frame.left + 5 * thick, frame.bottom + thick);
    context.clip();
    for (const { lane, ring, dash, ghost } of lines) {
      const along = (step) => ghost ? lane.alongParent(step) : lane.along(step);
      context.strokeStyle = palette.lanes[lane.index % 2];
      context.lineWidth = (ghost ? 1.1 : 1.8) * thick;
      context.globalAlpha = ghost ? 0.6 : 1;
      context.lineJoin = "round";
      context.setLineDash((dash || (ghost ? [7, 4] : [])).map((length) => length * thick));
      context.beginPath();
      let before = -Infinity;
      for (let i = 0; i < ring.n; i++) {
        const at = x(along(ring.x[i]));
        if (at - before < 0.6 && i < ring.n - 1) continue;
        if (i) context.lineTo(at, y(ring.y[i]));
        else context.moveTo(at, y(ring.y[i]));
        before = at;
      }
      const last = x(along(ring.lastX));
      if (ring.n) context.lineTo(last, y(ring.last));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      if (!ghost && (!dash || ring.n < 2)) dot(context, last, y(ring.last), 2.6 * thick, palette.lanes[lane.index % 2]);
    }
    context.restore();
    if (board.cursor >= 0) {
      const at = x(board.pastLanes ? board.lanes[0].alongPast(board.pastLanes) : board.lanes[0].along(board.cursor));
      context.strokeStyle = palette.now;
      context.lineWidth = 2 * thick;
      segment(context, at, frame.top, at, frame.bottom);
    }
    if (board.cursor >= 0 && board.pastLanes) {
      for (const { lane, ghost } of lines) {
        for (const [key] of ghost ? [] : this.spec.series) {
          const value = lane.figure(key);
          if (Number.isFinite(value)) dot(context, x(lane.alongPast(board.pastLanes)), y(value), 2.6 * thick, palette.lanes[lane.index % 2]);
        }
      }
    }
    this.label();
  }
  label() {
    const { board } = this, name = this.spec.series;
    const parts = this.lanes.flatMap((lane) => {
      const [key] = name.find(([key2]) => Number.isFinite(lane.rings.get(key2)?.last)) ?? [];
      if (!key) return [];
      const value = lane.figure(key), measured = board.cursor >= 0 ? board.pastLanes?.[lane.index].figures[key]?.[1] : void 0;
      const low = this.spec.low?.find(([below]) => value < below), says = low ? `: ${low[1]}` : "";
      return [{ lane, text: Number.isFinite(value) ? brief(value) + says : board.cursor < 0 || board.pastLanes ? "–" : "…", measured }];
    });
    const text = parts.map((part2) => part2.text).join("\n");
    if (text === this.labelled) return;
    this.labelled = text;
    this.value.replaceChildren(...parts.map(({ lane, text: text2, measured }) => element("span", { style: `color: var(--lv-lane${lane.index % 2})`, title: measured == null ? null : `measured at minibatch ${number(measured, 0)}` }, text2)));
    const before = this.lanes.map((lane) => {
      const ring = name.map(([key]) => lane.parent.get(key)).find((found) => found);
      return ring ? `, ${lane.title} of the parent, dashed, ends at ${brief(ring.last)}` : "";
    });
    this.canvas.setAttribute("aria-label", `${this.title}: ${parts.map(({ lane, text: text2 }) => `${lane.title} ${text2}`).join(", ")}${before.join("")}`);
  }
};
var DOES = { between: ["between two passes", ""], opening: ["reaching the cluster", ""], images: ["sending images", "piece"], e_step: ["E-step", "piece"], m_step: ["exchange of codes and M-step", "block"] };
var several = (count, word) => `${many(count)} ${word}${count === 1 ? "" : "s"}`;
var PassesCard = class {
  text = "";
  where = element("span", { class: "lt-where" });
  link = element("a", { class: "lv-btn lv-small", target: "_blank", hidden: true }, "Dask’s dashboard ↗");
  lanes = element("div", { class: "lt-passes" });
  note = element("p", { class: "lt-note" });
  node = card({ class: "lt-work", "aria-label": "Passes", hidden: true }, ["Current pass"], [this.where, this.link], this.lanes, this.note);
  constructor() {
    this.link.setAttribute("rel", "noopener noreferrer");
  }
  show(words, status) {
    const text = JSON.stringify([words, status]);
    if (text === this.text) return;
    this.text = text;
    this.node.hidden = !words;
    if (!words) return;
    this.where.replaceChildren(...this.place(words));
    this.link.hidden = !words.link;
    if (words.link) this.link.setAttribute("href", words.link);
    this.lanes.replaceChildren(...words.lanes.map((lane) => this.lane(lane)));
    const going = words.lanes.some(({ what }) => what !== "between");
    this.note.textContent = status === "paused" && going ? "The current pass is completed; then the run is paused. Stop discards it and keeps the last whole pass." : status === "running" ? "Pause takes effect after this pass; Stop at once, and keeps the last whole pass." : "";
  }
  place({ workers, gone, names }) {
    if (workers === null) return ["in this process"];
    const found = ["on ", element("b", {}, several(workers, "worker")), " of a cluster"];
    if (gone) found.push(`, ${gone} gone${names?.length ? `: ${names.join(", ")}` : ""}`);
    return found;
  }
  lane({ title, what, done, of, left }) {
    const [does, piece] = DOES[what], rest = left === void 0 ? "" : `, ${clockText(left)} left of it`;
    const said = of ? `${does}, ${many(done)} of ${several(of, piece)}${rest}` : does;
    const bar = element("progress", { max: Math.max(of, 1), value: done, "aria-label": `${title}: ${does}` });
    return element("div", { class: "lt-pass" }, element("span", {}, element("b", {}, title), ` ${said}`), bar);
  }
};
function confirmAct(root, { title, words, act, keep }) {
  const scope = root.getRootNode(), before = scope.activeElement;
  return new Promise((answer) => {
    const button = (text, value, attributes) => element("button", { type: "button", class: "lv-btn", onclick: () => dialog.close(value), ...attributes }, text);
    const ids = { "aria-labelledby": "lv-confirm-title", "aria-describedby": "lv-confirm-words" };
    const dialog = element("dialog", { class: "lv-confirm", role: "alertdialog", ...ids }, element("h2", { id: ids["aria-labelledby"] }, title), element("div", { id: ids["aria-describedby"], style: "display: block; margin: 0" }, ...words.map((line) => element("p", {}, line))), element("div", {}, button(keep, "", { autofocus: true }), button(act, "yes", { "data-act": true })));
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus();
      answer(dialog.returnValue === "yes");
    });
    root.append(dialog);
    dialog.showModal();
  });
}
var confirm_default = ".lv dialog.lv-confirm{width:min(32em,calc(100vw - 2em));padding:1.2em 1.3em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.75em;box-shadow:0 8px 40px rgb(0 0 0 / 0.3);font-size:15px;line-height:1.45;overflow-wrap:anywhere}.lv-confirm::backdrop{background:rgb(0 0 0 / 0.45)}.lv .lv-confirm h2{display:block;margin:0 0 0.5em}.lv .lv-confirm p{margin:0 0 0.6em}.lv-confirm p:last-of-type{color:var(--lv-muted)}.lv-confirm>div{display:flex;flex-wrap:wrap;justify-content:flex-end;gap:0.6em;margin-top:1em}.lv .lv-confirm button{padding:0 1em;border-color:color-mix(in srgb,var(--lv-muted) 60%,var(--lv-surface))}.lv .lv-confirm button[data-act]{background:var(--lv-bad);border-color:var(--lv-bad);color:var(--lv-surface);font-weight:650}\n";
var MANY = 12;
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
var LEAST = 24;
var LEAST_LETTERS = 1.75;
var MOST_LETTERS = 5.5;
var HIGH_LETTERS = 20;
var ROOM_LETTERS = 30;
function mosaicShape(n, width, letters) {
  const least = Math.max(LEAST, LEAST_LETTERS * letters), most = MOST_LETTERS * letters;
  let columns = Math.max(1, Math.ceil(width / most));
  while (columns < n && Math.ceil(n / columns) * width / columns > HIGH_LETTERS * letters && width / (columns + 1) >= least) columns++;
  const side = Math.min(width / columns, most), high = Math.ceil(n / columns) * side;
  return { columns, side, high, room: Math.min(high, ROOM_LETTERS * letters) };
}
var FilterMosaic = class {
  at = 0;
  shape = { columns: 1, side: 1, high: 1, room: 1 };
  canvas = element("canvas", { role: "spinbutton", tabindex: "0", "aria-valuemin": "0" });
  tall = element("div", { class: "lt-tall" }, this.canvas);
  node = element("div", { class: "lt-scroll" }, this.tall);
  shown = "";
  constructor(lane) {
    const { canvas, node } = this, { board } = lane;
    this.lane = lane;
    canvas.setAttribute("aria-valuemax", String(lane.n_h - 1));
    canvas.addEventListener("pointermove", (event) => {
      const unit = this.unitAt(event);
      canvas.style.cursor = unit < 0 ? "" : "zoom-in";
      board.tip(unit < 0 ? null : lane.describe(unit), event);
    });
    canvas.addEventListener("pointerleave", () => board.tip(null));
    canvas.addEventListener("click", (event) => {
      const unit = this.unitAt(event);
      if (unit >= 0) this.open(unit);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.stale());
    node.addEventListener("scroll", () => this.stale());
  }
  stale() {
    this.lane.stale.filters = true;
    this.lane.board.dirty();
  }
  open(unit) {
    this.choose(unit);
    this.lane.board.large.open(this.lane, unit);
  }
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.lane.n_h - 1, move = arrowMove(event, this.shape.columns), end = byKey(event, { Home: 0, End: last });
    if (move) this.choose(clamp(this.at + move, 0, last));
    else if (end !== void 0) this.choose(end);
    else if (event.key === "Enter") this.open(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  choose(unit) {
    const { node, shape: { columns, side, room } } = this, top = Math.floor(unit / columns) * side;
    this.at = unit;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + side > node.scrollTop + room) node.scrollTop = top + side - room;
    this.label();
    this.stale();
  }
  label() {
    const { canvas, lane, at } = this, label = `${lane.title}: filters of ${lane.n_h} units, faint ones on for no held-out ${lane.isTable ? "row" : "image"}; arrow keys choose one, Enter opens it`;
    if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
    canvas.setAttribute("aria-valuenow", String(at));
    canvas.setAttribute("aria-valuetext", lane.describe(at));
  }
  unitAt({ offsetX: x, offsetY: y }) {
    const { node, shape: { columns, side } } = this, column = Math.floor(x / side), unit = Math.floor((y + node.scrollTop) / side) * columns + column;
    return column < columns && unit >= 0 && unit < this.lane.n_h ? unit : -1;
  }
  makeRoom(letters) {
    const { node, tall, canvas, lane } = this, width = node.clientWidth, key = [width, letters, lane.n_h].join();
    if (key === this.shown || !width) return;
    this.shown = key;
    const { high, room } = this.shape = mosaicShape(lane.n_h, width, letters);
    node.style.height = canvas.style.height = `${Math.ceil(room)}px`;
    tall.style.height = `${Math.ceil(high)}px`;
    this.label();
  }
  fit() {
    return fitCanvas(this.canvas);
  }
  paint(atlas, [rows, columns], usage, palette) {
    const { canvas, node, lane: { n_h }, shape } = this, context = penOf(canvas), ratio = canvas.width / Math.max(1, canvas.clientWidth || node.clientWidth);
    const size = shape.side * ratio, above = node.scrollTop * ratio, gap = Math.max(1, size * 0.05), side = size - 2 * gap, tall = rows / columns;
    const wide = tall > 1 ? side / tall : side, high = tall > 1 ? side : side * tall;
    const first = Math.floor(above / size) * shape.columns, end = Math.min(n_h, Math.ceil((above + canvas.height) / size) * shape.columns);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = side < columns;
    for (let j = first; j < end; j++) {
      context.globalAlpha = usage[j] === 0 ? 0.4 : 1;
      context.drawImage(atlas, j * columns, 0, columns, rows, j % shape.columns * size + gap, Math.floor(j / shape.columns) * size - above + gap, wide, high);
    }
    context.globalAlpha = 1;
    if (this.node.getRootNode().activeElement !== canvas) return;
    context.lineWidth = Math.max(2, 2 * gap);
    context.strokeStyle = palette.focus;
    context.strokeRect(this.at % shape.columns * size + gap / 2, Math.floor(this.at / shape.columns) * size - above + gap / 2, size - gap, size - gap);
  }
};
var FilterTable = class extends FilterMosaic {
  table = new VariableTable("Filters, by variable; scrolls");
  constructor(lane, names) {
    super(lane);
    this.units = Array.from({ length: lane.n_h }, (_, j) => String(j));
    this.table.load(names, [{ label: "", n: lane.n_h, canvas: this.canvas, heads: this.units }]);
    this.node = this.table.node;
    this.shape = { columns: 1, side: 1, high: 1, room: 1 };
  }
  choose(unit) {
    const { node, canvas, lane } = this, wide = canvas.clientWidth / lane.n_h, left = canvas.getBoundingClientRect().left - node.getBoundingClientRect().left + unit * wide, names = this.table.names.offsetWidth;
    this.at = unit;
    if (left < names) node.scrollLeft += left - names;
    else if (left + wide > node.clientWidth) node.scrollLeft += left + wide - node.clientWidth;
    this.label();
    this.stale();
  }
  unitAt({ offsetX: x }) {
    const { canvas, lane } = this, unit = Math.floor(x / canvas.clientWidth * lane.n_h);
    return unit >= 0 && unit < lane.n_h ? unit : -1;
  }
  makeRoom() {
    this.label();
  }
  fit() {
    return false;
  }
  paintCells(filters, usage, signed2) {
    const { table, canvas } = this;
    table.paint(0, (j, i) => signed2[255 + Math.round((usage[j] ? 2 : 0.8) * filters[j * table.n + i])]);
    table.mark(0, this.node.getRootNode().activeElement === canvas ? this.at : -1, this.units);
  }
};
var useInWords = (share, table = false) => inRows(share > 0 ? `on for ${brief(100 * share)} % of held-out images` : "on for no held-out image", table);
var LargeFilter = class {
  unit = -1;
  asked = "";
  lane = null;
  map = null;
  past = null;
  title = element("h2");
  words = element("p", { role: "status" });
  now = element("div", { class: "lt-large-now" });
  moments = element("ol", { class: "lt-past" });
  about = element("p");
  bars = new VariableBars([{ kind: "signed", title: "weight" }]);
  table = new VariableTable("The filter at stored moments, by variable; scrolls");
  constructor(board) {
    this.board = board;
    this.node = element("dialog", { class: "lv-help lt-large", "aria-label": "Filter", onclose: () => this.closed() }, element("header", {}, this.title, iconButton("back", "Unit before", "←", () => this.move(-1)), iconButton("step", "Next unit", "→", () => this.move(1)), iconButton("leave", "Close", "Escape", () => this.node.close())), element("div", { class: "lt-large-body" }, element("div", {}, this.now, this.words), element("div", {}, element("h3", {}, "At stored moments"), this.about, this.moments, this.table.node)));
    this.node.addEventListener("click", (event) => {
      if (event.target === this.node) this.node.close();
    });
    this.node.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      event.preventDefault();
      this.move(by);
    });
  }
  open(lane, unit) {
    this.lane = lane;
    this.unit = unit;
    this.map = null;
    setText(this.title, `Unit ${unit} of ${lane.title}`);
    this.node.style.setProperty("--lt-lane", `var(--lv-lane${lane.index % 2})`);
    this.ask();
    if (!this.node.open) this.node.showModal();
    this.board.dirty();
  }
  move(by) {
    if (this.lane) this.lane.mosaic.open((this.unit + by + this.lane.n_h) % this.lane.n_h);
  }
  closed() {
    this.lane?.mosaic.canvas.focus();
    this.lane = null;
  }
  ask() {
    const { lane, unit, board } = this;
    if (!lane || !board.meta) return;
    const asked = [board.meta.name, lane.index, unit, board.status, lane.history.join()].join();
    if (asked === this.asked) return;
    this.asked = asked;
    const known = this.past?.meta.lane === lane.index && this.past.meta.unit === unit;
    if (!known) {
      this.moments.replaceChildren();
      this.table.load([], []);
      setText(this.about, "Looking them up …");
    }
    board.say({ type: "filter", lane: lane.index, unit });
  }
  take(meta, arrays) {
    if (meta.lane !== this.lane?.index || meta.unit !== this.unit) return;
    const { usage, steps, largest: largest2, passes } = arrays;
    this.past = { meta, arrays };
    this.moments.hidden = this.names !== null;
    this.table.node.hidden = this.names === null;
    const use = (n) => useInWords(usage[n], this.names !== null);
    if (this.names) {
      this.maps = [];
      this.table.load(this.names, [{ label: `the filter at ${steps.length} moments`, n: steps.length, heads: Array.from(passes, (pass) => number(pass, pass < 10 ? 1 : 0)), title: "epoch", press: { say: (n) => `${this.board.unit} ${many(steps[n])}, epoch ${number(passes[n], 2)}, ${use(n)}, largest weight ${brief(largest2[n])}; look at this moment`, go: (n) => this.board.scrub(steps[n]) } }]);
      setText(this.about, "A column for each moment, in shares of its own largest weight. Press one to look at that moment.");
      this.board.dirty();
      return;
    }
    this.maps = Array.from(steps, (step, n) => {
      const [rows, columns] = this.board.meta?.image_shape ?? [1, 1], map = new PixelMap(rows, columns, `the filter at ${this.board.unit} ${many(step)}`);
      const button = element("button", { type: "button", class: "lv-tile", "data-step": step, title: `Minibatch ${many(step)}: ${use(n)}; the largest weight is ${brief(largest2[n])}. Press to look at this moment.`, "aria-label": `${this.board.unit} ${many(step)}, epoch ${number(passes[n], 2)}, ${use(n)}, largest weight ${brief(largest2[n])}; look at this moment`, onclick: () => this.board.scrub(step) }, map.canvas, element("i", { style: `--lt-use: ${100 * usage[n]}%` }), element("b", {}, `epoch ${number(passes[n], 2)}`), usage[n] > 0 ? `on ${brief(100 * usage[n])} %` : "never on");
      return { map, button };
    });
    this.moments.replaceChildren(...this.maps.map(({ button }) => element("li", {}, button)));
    setText(this.about, "Each in shares of its own largest weight; the bar says how often the unit was on. Press one to look at that moment.");
    this.board.dirty();
  }
  maps = [];
  get names() {
    return this.board.meta?.variables ?? null;
  }
  paintVariables(names, signed2) {
    const { lane, unit, board, past, bars } = this;
    if (!lane) return;
    bars.load(names);
    if (this.now.firstElementChild !== bars.node) this.now.replaceChildren(bars.node);
    names.forEach((_, i) => bars.bar(i, 0, lane.filters[unit * names.length + i] / 127));
    bars.say((i) => `weight ${Math.round(100 * lane.filters[unit * names.length + i] / 127)} % of the largest`);
    setText(this.words, `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255, true)}. To the right, a variable becomes more probable when the unit is on; to the left, less.`);
    if (past?.meta.lane !== lane.index || past.meta.unit !== unit || !this.table.views.length) return;
    const { filters, steps } = past.arrays;
    this.table.paint(0, (n, i) => signed2[255 + 2 * filters[n * names.length + i]]);
    this.table.node.querySelectorAll("button").forEach((button, n) => {
      button.setAttribute("aria-current", String(board.cursor >= 0 && steps[n] === board.shown));
    });
  }
  paint({ signed: signed2 }) {
    const { lane, unit, board, past } = this;
    if (!this.node.open || !lane || !board.meta) return;
    if (board.status !== "running" && board.status !== "loading") this.ask();
    if (this.names) {
      this.paintVariables(this.names, signed2);
      return;
    }
    const [rows, columns] = lane.fine ? board.meta.image_shape : board.meta.coarse_shape, n_v = rows * columns;
    if (this.map?.canvas.width !== columns || this.map.canvas.height !== rows) this.now.replaceChildren((this.map = new PixelMap(rows, columns, "the filter now")).canvas);
    this.map.paint((i) => lane.filters[unit * n_v + i], 127, signed2);
    setText(this.words, `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255)}. Orange adds ink, blue takes it away.${lane.fine ? "" : " Shrunk while it trains."}`);
    if (past?.meta.lane !== lane.index || past.meta.unit !== unit) return;
    const pixels = past.arrays.filters.length / this.maps.length;
    this.maps.forEach(({ map, button }, n) => {
      map.paint((i) => past.arrays.filters[n * pixels + i], 127, signed2);
      button.setAttribute("aria-current", String(board.cursor >= 0 && Number(button.dataset.step) === board.shown));
    });
  }
};
var large_default = '.lv .lt-large{width:min(52em,94vw);max-width:none}.lt-large>header{display:flex;align-items:center;gap:0.4em;margin-bottom:0.8em}.lt-large h2{flex:1;font-size:1.2em}.lt-large h3{font-size:1em;font-weight:650}.lt-large-body{display:grid;grid-template-columns:minmax(0,15em) minmax(0,1fr);gap:1em 1.6em;align-items:start}.lt-large p{color:var(--lv-muted);font-size:0.92em;margin-top:0.5em}.lt-past{display:grid;grid-template-columns:repeat(auto-fill,minmax(6em,1fr));gap:0.7em;list-style:none;margin:0.6em 0 0;padding:0}.lt-past button{width:100%;text-align:left}.lt-past button:hover{background:var(--lv-faint)}.lt-past button[aria-current=true]{outline:2px solid var(--lv-now)}.lt-past b{display:block;color:var(--lv-ink);font-weight:650}.lt-past i{display:block;height:4px;border-radius:2px;background:var(--lv-faint);margin:0.3em 0}.lt-past i::before{content:"";display:block;height:100%;width:var(--lt-use);border-radius:2px;background:var(--lt-lane)}@container (max-width: 720px){.lt-large-body{grid-template-columns:minmax(0,1fr)}.lt-large-now{max-width:14em}}\n';
var { n_shown: N_SHOWN } = constants_default;
var strip = (label) => element("canvas", { role: "img", "aria-label": label, class: "lv-pixels" });
function paintStrip(canvas, [rows, columns], n, colour) {
  const gap = Math.max(1, Math.round(columns / 10)), width = n * (columns + gap) - gap, n_v = rows * columns;
  if (canvas.width !== width || canvas.height !== rows) {
    canvas.width = width;
    canvas.height = rows;
  }
  const context = penOf(canvas), image = context.createImageData(width, rows), pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < n * n_v; at++) {
    const m = Math.floor(at / n_v), i = at % n_v;
    pixels[Math.floor(i / columns) * width + m * (columns + gap) + i % columns] = colour(at);
  }
  context.putImageData(image, 0, 0);
}
var WRITTEN = { "": () => "", share: (value) => `${number(100 * value, 0)} %`, count: (value) => number(value, 0), value: (value) => value > 0 && value < 5e-4 ? "<0.001" : number(value, value && value < 0.095 ? 3 : 2) };
var PictureRows = class {
  constructor(lane) {
    this.lane = lane;
    this.rows = lane.meta.rows.map((row) => ({ row, canvas: strip(row.title), numbers: Array.from({ length: row.number ? N_SHOWN : 0 }, () => element("span")) }));
  }
  get nodes() {
    return this.rows.flatMap(({ row, canvas, numbers }) => [element("span", { title: row.help }, row.title, row.unit ? element("small", {}, row.unit) : ""), element("div", { title: row.help }, canvas, numbers.length ? element("div", { class: "lt-numbers-below", "aria-hidden": "true" }, ...numbers) : "")]);
  }
  get groups() {
    return this.rows.map(({ row, canvas, numbers }) => ({ title: row.title, label: row.help, n: N_SHOWN, canvas, foot: numbers.length ? element("div", { class: "lt-numbers-below", "aria-hidden": "true" }, ...numbers) : void 0 }));
  }
  paint(tables, tone, put) {
    const { lane: { run: { image_shape }, pictures: { rows: bytes }, title } } = this, n_v = image_shape[0] * image_shape[1], size = N_SHOWN * (n_v + 4);
    this.rows.forEach(({ row, canvas, numbers }, n) => {
      const first = n * size, view = new DataView(bytes.buffer, bytes.byteOffset + first + N_SHOWN * n_v);
      const colour = (at) => row.most ? tables.signed[255 + bytes[first + at]] : tone[bytes[first + at]];
      if (put) put(n, colour);
      else paintStrip(canvas, image_shape, N_SHOWN, colour);
      const words = numbers.map((node, m) => {
        const value = view.getFloat32(4 * m, true), text = Number.isNaN(value) ? "" : WRITTEN[row.number](value);
        setText(node, text);
        return text;
      }).filter(Boolean);
      canvas.setAttribute("aria-label", `${title}: ${row.title}, ${row.help}${words.length ? `; ${row.unit}: ${words.join(", ")}` : ""}`);
    });
  }
};
var RING_POINTS = 1024;
var Ring = class {
  x = new Float64Array(RING_POINTS);
  y = new Float64Array(RING_POINTS);
  n = 0;
  stride = 1;
  pending = 0;
  sumX = 0;
  sumY = 0;
  last = NaN;
  lastX = NaN;
  constructor(points = []) {
    const half = points.length / 2;
    for (let i = 0; i < half; i++) this.add(points[i], points[half + i]);
  }
  add(x, y) {
    if (!Number.isFinite(y)) return;
    this.last = y;
    this.lastX = x;
    this.sumX += x;
    this.sumY += y;
    if (++this.pending < this.stride) return;
    this.x[this.n] = this.sumX / this.pending;
    this.y[this.n++] = this.sumY / this.pending;
    this.pending = this.sumX = this.sumY = 0;
    if (this.n < RING_POINTS) return;
    this.n /= 2;
    for (let i = 0; i < this.n; i++) {
      this.x[i] = (this.x[2 * i] + this.x[2 * i + 1]) / 2;
      this.y[i] = (this.y[2 * i] + this.y[2 * i + 1]) / 2;
    }
    this.stride *= 2;
  }
  at(x) {
    if (!this.n) return this.last;
    if (x >= this.lastX) return this.last;
    let low = 0, high = this.n;
    while (low < high) {
      const middle = low + high >> 1;
      if (this.x[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return this.y[Math.max(0, low - 1)];
  }
};
var momentOf = (meta, wanted) => wanted?.name === meta.name ? wanted.step : meta.words.cursor;
var { unknown_tone: UNKNOWN_TONE } = constants_default;
var TrainLane = class {
  rate = 0;
  fine = false;
  said = "";
  stale = { strips: true, filters: true, usage: true };
  strips = { original: strip("eight held-out images"), reconstructions: strip("their reconstructions"), residual: strip("the errors"), samples: strip("eight samples of the model") };
  table = new VariableTable("Held-out observations and samples, by variable; scrolls");
  usage = element("canvas", { role: "img" });
  numbers = element("div", { class: "lt-numbers" });
  error = element("p", { class: "lv-complaint" });
  dead = element("b");
  stamped = { strips: element("small", { class: "lt-stamp" }), usage: element("small"), filters: element("small") };
  rings = /* @__PURE__ */ new Map();
  parent = /* @__PURE__ */ new Map();
  touched = /* @__PURE__ */ new Set();
  atlas = null;
  of;
  constructor(board, run, index, arrays) {
    this.board = board;
    this.run = run;
    this.index = index;
    this.meta = run.lanes[index];
    this.title = this.meta.title;
    this.n_h = this.meta.n_h;
    this.step = this.meta.step;
    this.seconds = this.meta.seconds;
    this.history = this.meta.history;
    this.stamps = { glance: this.meta.glance, probe: this.meta.probe, filters: this.step };
    this.filterSteps = new Float64Array(this.n_h).fill(this.step);
    for (const name of run.figures) {
      this.rings.set(name, new Ring(arrays[`${index}.${name}`]));
      const later = arrays[`${index}.parent.${name}`];
      if (later) this.parent.set(name, new Ring(later));
    }
    const { original, reconstructions, samples, usage, rows, filters } = part(arrays, index);
    this.pictures = { original: original.slice(), reconstructions: reconstructions.slice(), samples: samples.slice(), usage: usage.slice(), rows: rows.slice() };
    this.rows = new PictureRows(this);
    this.filters = filters.slice();
    this.mosaic = run.variables ? new FilterTable(this, run.variables) : new FilterMosaic(this);
    if (run.variables) this.fillTable(run.variables);
    const { binary } = run, upper = usage.length - this.n_h, units = upper > 0 ? `${this.n_h} + ${upper} units` : `${this.n_h} units`;
    const colours2 = binary ? legend([["square", "plus", "too much"], ["square", "minus", "too little; faint: the likelier value is right"]], "Error") : element("div", { class: "lt-legend" }, "residual −0.5", element("i"), "+0.5 of full ink");
    this.node = element("section", { class: "lv-card lv-lane lt-lane", "data-lane": this.index % 2, "aria-label": this.title }, element("header", {}, element("h2", { title: this.meta.settings }, element("span", {}, this.title), element("small", {}, units)), this.numbers), this.error, element("div", { class: "lt-views" }, element("div", { class: "lt-strips" }, this.stamped.strips, ...run.variables ? [this.table.node] : [...Object.entries(this.titles).flatMap(([name, text]) => [element("span", {}, text), this.strips[name]]), ...this.rows.nodes, element("span")], colours2), element("figure", { class: "lt-usage" }, element("div", { class: "lv-label" }, element("span", {}, "Use of each unit ", this.stamped.usage), this.dead), element("div", { class: "lv-fill" }, this.usage), legend([["square", `lane${index % 2}`, inRows("bar: share of held-out images that turn a unit on; the largest first", this.isTable)], ["square", "bad", inRows("dead: no image does", this.isTable)]])), element("figure", { class: "lt-mosaic" }, element("div", { class: "lv-label" }, element("span", {}, "Filters ", this.stamped.filters, ": press one to see it large")), this.mosaic.node, legend([["square", "plus", this.isTable ? "makes the variable more probable" : "adds ink"], ["square", "minus", this.isTable ? "less" : "takes it away"], ["pale", "plus minus", "faint: a dead unit"]]))));
  }
  describe(unit) {
    return `unit ${unit}: ${useInWords(this.pictures.usage[unit] / 255, this.isTable)}`;
  }
  along(step) {
    if (this.board.axis === "seconds") return step <= 0 ? 0 : step >= this.step ? this.seconds : this.rings.get("seconds")?.at(step) ?? 0;
    return step / this.meta.per_pass;
  }
  alongPast(past) {
    const { passes, seconds } = past[this.index];
    return this.board.axis === "seconds" ? seconds : passes;
  }
  alongParent(step) {
    return this.board.axis === "seconds" ? this.parent.get("seconds")?.at(step) ?? 0 : step / this.meta.per_pass;
  }
  parentEnd() {
    const seconds = this.parent.get("seconds");
    return seconds ? this.alongParent(seconds.lastX) : 0;
  }
  take(frame) {
    this.step = frame.step;
    this.seconds = frame.seconds;
    this.rate = frame.rate;
    this.history = frame.history;
    for (const [key, value] of frame.values) this.rings.get(this.run.figures[key])?.add(frame.step, value);
    if (frame.values.length) this.rings.get("seconds")?.add(frame.step, frame.seconds);
  }
  piece({ kind, index, content }) {
    if (kind === "filter") {
      if (this.fine) this.coarsen();
      this.filters.set(new Int8Array(content.buffer, content.byteOffset, content.length), index * content.length);
      this.stale.filters = true;
      this.touched.add(index);
      this.filterSteps[index] = this.step;
      this.stamps.filters = Math.min(...this.filterSteps);
    }
  }
  get isTable() {
    return this.run.variables !== null;
  }
  get titles() {
    const { binary } = this.run;
    return { original: "held out", reconstructions: binary ? "P(x = 1)" : "mean", residual: binary ? "error" : "residual", samples: "samples" };
  }
  fillTable(names) {
    const n = this.pictures.original.length / names.length;
    this.table.load(names, [...Object.entries(this.titles).map(([name, title]) => {
      const canvas = this.strips[name];
      return { title, label: inRows(canvas.getAttribute("aria-label") ?? title, true), n, canvas };
    }), ...this.rows.groups]);
  }
  takePictures({ steps, figures }, arrays) {
    for (const [name, value] of Object.entries(figures)) {
      const ring = this.rings.get(name);
      if (ring && steps.probe !== void 0 && !(ring.lastX >= steps.probe)) ring.add(steps.probe, value);
    }
    this.replace(arrays);
    const { filters } = arrays;
    if (filters) {
      if (this.fine) this.coarsen();
      this.filters = filters.slice();
      this.filterSteps.fill(steps.filters ?? this.step);
      this.stale.filters = true;
      for (let j = 0; j < this.n_h; j++) this.touched.add(j);
    }
    if (Object.keys(arrays).length) Object.assign(this.stamps, steps);
  }
  replace({ reconstructions, samples, usage, rows }) {
    const { pictures, stale } = this;
    if (rows) pictures.rows = rows.slice();
    if (reconstructions) pictures.reconstructions = reconstructions.slice();
    if (samples) pictures.samples = samples.slice();
    if (usage) pictures.usage = usage.slice();
    stale.strips ||= Boolean(rows || reconstructions || samples);
    stale.usage ||= Boolean(usage);
  }
  coarsen() {
    const [rows, columns] = this.run.image_shape, [r, c] = this.run.coarse_shape;
    const small2 = new Int8Array(this.n_h * r * c);
    for (let j = 0; j < this.n_h; j++) {
      for (let i = 0; i < r * c; i++) {
        const y = Math.min(rows - 1, Math.floor((Math.floor(i / c) + 0.5) * rows / r)), x = Math.min(columns - 1, Math.floor((i % c + 0.5) * columns / c));
        small2[j * r * c + i] = this.filters[j * rows * columns + y * columns + x];
      }
    }
    this.filters = small2;
    this.fine = false;
    this.atlas = null;
  }
  show(arrays, step) {
    const { filters, ...others } = part(arrays, this.index);
    this.replace(others);
    if (others.reconstructions) this.stamps.glance = step;
    if (others.samples) this.stamps.probe = step;
    this.stamps.filters = step;
    this.filterSteps.fill(step);
    this.filters = filters.slice();
    this.fine = true;
    this.touched.clear();
    this.anew();
  }
  anew() {
    this.atlas = null;
    this.stale = { strips: true, filters: true, usage: true };
  }
  paint(colours2) {
    if (this.of !== colours2) this.anew();
    this.of = colours2;
    const grew = [this.mosaic.fit(), fitCanvas(this.usage)];
    if (this.stale.strips) this.paintStrips(colours2.tables);
    if (this.stale.filters || grew[0]) this.paintMosaic(colours2);
    if (this.stale.usage || grew[1]) this.paintUsage(colours2.palette);
    this.stale = { strips: false, filters: false, usage: false };
    this.words();
  }
  paintStrips(tables) {
    const { run } = this, [rows, columns] = run.image_shape, n = this.pictures.original.length / (rows * columns), [low, high] = run.tones;
    const tone = Uint32Array.from({ length: 256 }, (_, i) => tables.ink[byte(low + (high - low) * i / 255)]);
    const { original, reconstructions, samples } = this.pictures;
    const residual = (at) => {
      const x = original[at], difference = (reconstructions[at] - x) / 255 * (high - low);
      return run.binary ? signedColour(tables.error[x > 127 ? 1 : 0], difference) : signedColour(tables.signed, 2 * difference);
    };
    const strips = [[this.strips.original, (at) => tone[original[at]]], [this.strips.reconstructions, (at) => tone[reconstructions[at]]], [this.strips.residual, residual], [this.strips.samples, (at) => tone[samples[at]]]];
    if (!run.variables) {
      for (const [canvas, colour] of strips) paintStrip(canvas, run.image_shape, n, colour);
      this.rows.paint(tables, tone);
      return;
    }
    const { table } = this, unknown = (m, i) => original[m * table.n + i] === UNKNOWN_TONE, hatch = (filled) => ({ unknown, filled, colours: tables.hatch });
    strips.forEach(([, colour], group) => table.paint(group, (m, i) => colour(m * table.n + i), group === 3 || !original.includes(UNKNOWN_TONE) ? null : hatch(group === 1)));
    this.rows.paint(tables, tone, (row, colour) => table.paint(strips.length + row, (m, i) => colour(m * table.n + i)));
  }
  paintMosaic({ tables, palette }) {
    if (this.mosaic instanceof FilterTable) {
      this.touched.clear();
      this.mosaic.paintCells(this.filters, this.pictures.usage, tables.signed);
      return;
    }
    const [rows, columns] = this.fine ? this.run.image_shape : this.run.coarse_shape, n_v = rows * columns;
    let { atlas } = this;
    if (!atlas) {
      this.atlas = atlas = element("canvas", { width: columns * this.n_h, height: rows });
      this.touched = new Set(Array.from({ length: this.n_h }, (_, j) => j));
    }
    const pen = penOf(atlas), image = pen.createImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
    for (const j of this.touched) {
      for (let i = 0; i < n_v; i++) pixels[i] = tables.signed[255 + 2 * this.filters[j * n_v + i]];
      pen.putImageData(image, j * columns, 0);
    }
    this.touched.clear();
    this.mosaic.paint(atlas, [rows, columns], this.pictures.usage, palette);
  }
  paintUsage(palette) {
    const { usage } = this, context = penOf(usage), { width, height } = usage, sorted = Array.from(this.pictures.usage).sort((a, b) => b - a);
    const wide = width / sorted.length, dead = sorted.filter((value) => value === 0).length;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    context.fillStyle = palette.lanes[this.index % 2];
    sorted.forEach((value, j) => context.fillRect(j * wide, height - Math.max(value ? 1 : 0, value / 255 * height), Math.max(1, wide - (wide > 4 ? 1 : 0)), height));
    if (dead) {
      context.fillStyle = palette.bad;
      context.fillRect(width - dead * wide, height - 3 * (window.devicePixelRatio || 1), dead * wide, height);
    }
    this.dead.textContent = dead ? `${dead} dead` : "none dead";
    usage.setAttribute("aria-label", `${this.title}: use of the units, from ${brief(100 * sorted[0] / 255)} % down to ${brief(100 * sorted[sorted.length - 1] / 255)} % of held-out ${this.isTable ? "rows" : "images"}, ${dead} dead`);
  }
  figure(name) {
    return (this.board.cursor < 0 ? this.rings.get(name)?.last : this.board.pastLanes?.[this.index].figures[name]?.[0]) ?? NaN;
  }
  at(step) {
    return `at ${this.board.unit} ${many(step)}`;
  }
  stamp() {
    const { stamped, stamps: { glance, probe, filters } } = this;
    setText(stamped.strips, probe === glance ? this.at(glance) : `${this.at(glance)}, samples at ${many(probe)} (drawn less often)`);
    setText(stamped.usage, this.at(probe));
    setText(stamped.filters, this.at(filters));
  }
  words() {
    const wrong = this.figure("probe_wrong_pixels"), dead = this.figure("probe_dead_units"), unit = !this.run.binary ? "sq. error" : this.isTable ? "observations wrong" : "px wrong";
    const parts = [], { probe } = this.stamps, seconds = this.board.cursor < 0 ? this.seconds : this.board.pastLanes?.[this.index].seconds ?? NaN;
    this.stamp();
    if (Number.isFinite(wrong)) parts.push(element("span", {}, element("b", {}, brief(wrong)), ` ${unit}`));
    if (Number.isFinite(dead)) parts.push(element("span", {}, element("b", {}, String(Math.round(dead))), " dead"));
    if (Number.isFinite(wrong)) parts.push(element("small", { title: inRows("Wrong pixels and dead units are counted on all held-out images: less often than the eight below are shown, as it takes longer", this.isTable) }, this.at(probe)));
    if (Number.isFinite(seconds)) parts.push(element("span", { title: `Seconds ${this.board.trainer.clock} in which this model took its own steps, on as many cores as they use: without the other's steps, the compilation of kernels, and the work for what is shown here. These are no CPU seconds` }, element("b", {}, number(seconds, seconds < 100 ? 1 : 0)), " s in its own steps, by the clock"));
    if (this.board.cursor >= 0 && !this.board.pastLanes) parts.push(element("span", {}, "…"));
    if (this.rate > 0 && this.board.cursor < 0) parts.push(element("span", {}, element("b", {}, many(Math.round(this.rate))), this.isTable ? " rows/s" : " images/s"));
    if (this.board.lostAt) parts.push(element("span", {}, `as of ${timeOfDay(this.board.lostAt)}`));
    const text = parts.map((part2) => part2.textContent).join("\n");
    if (text !== this.said) this.numbers.replaceChildren(...parts);
    this.said = text;
    setText(this.error, this.meta.error);
  }
};
var STAGES = ["before", "gradient", "after"];
var MS = 600;
var CELL = 12;
var GAP = 3;
var METHODS = { icm: "ICM visits one latent after another, and sets each to its likelier state given the image and all other latents.", gibbs: "Gibbs sampling visits one latent after another, and draws each given the image and all other latents.", annealed: "Annealing visits one latent after another, and draws each given the image and all other latents, at a falling temperature; ICM ends it." };
var Flips = class {
  image = 0;
  timer;
  paints = [];
  images = element("div", { class: "lt-thumbs", role: "group", "aria-label": "Images of the minibatch" });
  latents = element("canvas", { role: "img", class: "lt-slow-latents" });
  states = new VariableTable("The row and its reconstruction, by variable");
  said = element("p", { role: "status" });
  range = element("input", { type: "range", min: 0, step: 1, oninput: () => this.rest() });
  back = iconButton("back", "Flip before", "", () => this.move(-1));
  next = iconButton("step", "Next flip", "", () => this.move(1));
  play = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.toggle() }, "Play");
  open = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.slow.inspect(this.image) });
  constructor(slow, lane, meta, arrays, rows) {
    this.slow = slow;
    this.lane = lane;
    this.meta = meta;
    this.arrays = arrays;
    const [height, width] = lane.run.image_shape;
    this.shape = gridShape(meta.n_h, width, height);
    this.x = new PixelMap(height, width, "the image");
    this.mean = new PixelMap(height, width, "its reconstruction");
    this.latents.width = this.shape.columns * (CELL + GAP) - GAP;
    this.latents.height = this.shape.rows * (CELL + GAP) - GAP;
    this.range.setAttribute("aria-label", `${lane.title}: flip of the E-step`);
    this.buttons = rows.slice(0, arrays.ends.length).map((row, n) => {
      const picture = element("img", { alt: "", class: "lv-pixels" }), view = new StillView(picture, height, width);
      this.paints.push(({ ink }) => view.paint((i) => ink[slow.pixels[n * height * width + i]]));
      const label = `Training image ${many(row)}, ${this.count(n)}`;
      return element("button", { type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.choose(n) }, picture);
    });
    const { variables } = lane.run;
    setText(this.open, inRows("Every visit of this image, in Inference", Boolean(variables)));
    if (variables) this.nameRows(variables, rows);
    else this.images.append(...this.buttons);
    const figure = (words, canvas) => element("figure", {}, element("figcaption", {}, words), canvas);
    this.node = element("section", { class: "lt-slow-part", "aria-label": `${lane.title}: E-step` }, element("h3", {}, `${lane.title}: E-step`), element("p", {}, inRows(`The filters stay as they are. ${METHODS[meta.e_step ?? ""] ?? ""} Only visits that change a latent, its flips, are shown. Press one of the images to see its own.`, Boolean(variables))), this.images, element("div", { class: "lt-slow-states" }, ...variables ? [this.states.node] : [figure("image", this.x.canvas), figure("reconstruction", this.mean.canvas)], figure("latents", this.latents)), element("div", { class: "lt-slow-flips" }, this.back, this.range, this.next, this.play), this.said, legend([["square", "ink", "latent on"], ["square", "plus", "has just turned on"], ["square", "minus", "has just turned off"]]), this.open);
  }
  nameRows(variables, rows) {
    const n_v = variables.length, n = this.arrays.ends.length, all = new VariableTable("Rows of the minibatch, by variable; scrolls");
    all.load(variables, [{ label: `${n} training rows`, n, press: { say: (at) => `Training row ${many(rows[at])}, ${this.count(at)}`, go: (at) => this.choose(at) } }]);
    this.buttons = [...all.node.querySelectorAll("button")];
    this.paints = [({ ink }) => all.paint(0, (at, i) => ink[this.slow.pixels[at * n_v + i]])];
    this.images.append(all.node);
    this.states.load(variables, ["row", "reconstruction"].map((title) => ({ title, label: title, n: 1 })));
  }
  first(image) {
    return image ? this.arrays.ends[image - 1] : 0;
  }
  flips(image) {
    return this.arrays.ends[image] - this.first(image) - 1;
  }
  count(image) {
    const n = this.flips(image);
    return n ? `${many(n)} flip${n === 1 ? "" : "s"}` : "no flip";
  }
  choose(image) {
    this.image = image;
    this.buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n === image)));
    this.range.max = String(this.flips(image));
    this.range.value = "0";
    this.range.disabled = this.play.disabled = !this.flips(image);
    this.rest();
  }
  step(by) {
    const before = this.range.value;
    this.range.value = String(Number(before) + by);
    this.slow.board.dirty();
    return this.range.value !== before;
  }
  move(by) {
    this.step(by);
    this.rest();
  }
  rest() {
    clearInterval(this.timer);
    this.timer = void 0;
    setText(this.play, "Play");
    this.slow.board.dirty();
  }
  toggle() {
    if (this.timer !== void 0) return this.rest();
    if (this.range.value === this.range.max) this.range.value = "0";
    setText(this.play, "Pause");
    this.timer = setInterval(() => this.step(1) || this.rest(), MS);
    this.slow.board.dirty();
  }
  paint({ palette, tables }) {
    const { arrays, image, lane } = this, flip = Number(this.range.value), at = this.first(image) + flip, { n_h } = this.meta, n_v = this.slow.pixels.length / this.slow.rows.length, unit = arrays.unit[at], states = arrays.states.subarray(at * n_h, (at + 1) * n_h);
    this.x.view.paint((i) => tables.ink[this.slow.pixels[image * n_v + i]]);
    this.mean.view.paint((i) => tables.ink[arrays.means[at * n_v + i]]);
    if (this.states.n) {
      this.states.paint(0, (_, i) => tables.ink[this.slow.pixels[image * n_v + i]]);
      this.states.paint(1, (_, i) => tables.ink[arrays.means[at * n_v + i]]);
    }
    const pen = penOf(this.latents), { columns } = this.shape;
    pen.clearRect(0, 0, this.latents.width, this.latents.height);
    states.forEach((on2, j) => {
      pen.fillStyle = j === unit ? palette[on2 ? "plus" : "minus"] : on2 ? palette.ink : palette.faint;
      pen.fillRect(j % columns * (CELL + GAP), Math.floor(j / columns) * (CELL + GAP), CELL, CELL);
    });
    const on = states.reduce((sum, state) => sum + state, 0);
    this.latents.setAttribute("aria-label", `${lane.title}: ${on} of ${n_h} latents on`);
    const joint = `log P(x, h) = ${brief(arrays.log_joint[at])} nats`, words = unit < 0 ? `Start: ${on} of ${n_h} latents on; ${joint}. The E-step makes ${this.count(image)}.` : `Flip ${flip} of ${this.range.max}, sweep ${arrays.sweep[at] + 1}: latent ${unit} turns ${states[unit] ? "on" : "off"}; its log-odds are ${signed(arrays.log_odds[at])} nats. ${joint}.`;
    this.range.setAttribute("aria-valuetext", words);
    setText(this.said, words);
    this.back.disabled = flip === 0;
    this.next.disabled = flip === Number(this.range.max);
  }
  anew(tables) {
    for (const paint of this.paints) paint(tables);
  }
};
var Changes = class {
  table;
  constructor(lane, { e_step, units, largest: sizes }, { before, after }) {
    const [height, width] = lane.run.image_shape, n_v = height * width, steps = after.map((w, at) => w - before[at]);
    this.scale = largest(steps);
    this.rows = units.map((unit, n) => {
      const own = (rows) => rows.subarray(n * n_v, (n + 1) * n_v), images = [{ name: STAGES[0], values: own(before), scale: 0 }, { name: STAGES[1], values: own(steps), scale: this.scale }, { name: STAGES[2], values: own(after), scale: 0 }], same = Math.max(largest(own(before)), largest(own(after)));
      return { unit, size: sizes[n], pictures: images.map(({ name, values, scale }) => {
        const picture = element("img", { class: "lv-pixels", alt: `unit ${unit}: ${name}` });
        return { name, picture, values, scale: scale || same, view: new StillView(picture, height, width) };
      }) };
    });
    const { variables } = lane.run;
    if (variables) {
      this.table = new VariableTable(`${lane.title}: change of the filters, by variable; scrolls`);
      this.table.load(variables, STAGES.map((title2) => ({ title: title2, label: `${title2}: a column for each unit, the most changed first`, n: units.length, heads: units.map(String) })));
    }
    const title = e_step === null ? "gradient step" : "M-step", about = e_step === null ? "Given what is visible its latents are independent, so it needs no E-step. The gradient is a mean over the minibatch, less a mean over samples of the model." : "The latents stay as the E-step has left them. Each weight moves along the gradient of log P(x, h), averaged over the minibatch.";
    this.node = element("section", { class: "lt-slow-part", "aria-label": `${lane.title}: ${title}` }, element("h3", {}, `${lane.title}: ${title}`), element("p", {}, inRows(`${about} The gradient is shown as it is applied: the filter after the step, less the filter before it.`, Boolean(variables))), this.table?.node ?? element("ol", { class: "lt-slow-units" }, ...this.rows.map(({ unit, size, pictures }) => element("li", {}, element("b", {}, `unit ${unit}`), element("small", {}, `largest change ${small(size)}`), element("div", {}, ...pictures.map(({ picture }) => picture)), element("div", { class: "lt-slow-names", "aria-hidden": "true" }, ...pictures.map(({ name }) => element("span", {}, name)))))), legend([["square", "plus", "a weight above 0, or one that rises"], ["square", "minus", "below 0, or one that falls"], ["pale", "plus minus", `full colour: ${small(this.scale)} in gradients; in a filter, its largest weight`]]));
  }
  anew({ signed: table }) {
    STAGES.forEach((_, stage) => this.table?.paint(stage, (unit, i) => {
      const { values, scale } = this.rows[unit].pictures[stage];
      return signedColour(table, values[i] / scale);
    }));
    for (const { pictures } of this.rows) for (const { view, values, scale } of pictures) view.paint((i) => signedColour(table, values[i] / scale));
  }
};
var small = (value) => value ? value.toPrecision(2) : "0";
var SlowMotion = class {
  step = -1;
  rows = [];
  pixels = new Uint8Array(0);
  flips = [];
  changes = [];
  painted = null;
  note = element("small");
  parts = element("div", { class: "lt-slow-parts" });
  constructor(board) {
    this.board = board;
    this.node = card({ class: "lt-slow", "aria-label": "Slow motion", tabindex: "-1", hidden: true }, ["Slow motion ", this.note], [iconButton("leave", "Close slow motion", "", () => this.close())], this.parts);
  }
  take({ step, rows, lanes }, arrays) {
    this.hide();
    this.step = step;
    this.rows = rows;
    this.pixels = arrays.minibatch.slice();
    const { variables } = this.board.lanes[0].run;
    setText(this.note, inRows(`${this.board.unit} ${many(step)}, ${many(rows.length)} images`, Boolean(variables)));
    lanes.forEach((meta, n) => {
      const lane = this.board.lanes[n], own = part(arrays, n);
      if (meta.e_step !== null) this.flips.push(new Flips(this, lane, meta, own, rows));
      this.changes.push(new Changes(lane, meta, own));
    });
    this.parts.replaceChildren(...this.flips.map(({ node }) => node), ...this.changes.map(({ node }) => node));
    for (const flips of this.flips) flips.choose(0);
    this.node.hidden = false;
    this.node.scrollIntoView({ block: "nearest" });
    this.node.focus({ preventScroll: true });
  }
  close() {
    this.hide();
    this.board.buttons.slow.focus();
  }
  hide() {
    for (const flips of this.flips) flips.rest();
    this.flips = [];
    this.changes = [];
    this.painted = null;
    this.node.hidden = true;
  }
  inspect(number2) {
    this.board.say({ type: "inspect", number: number2 });
  }
  paint(colours2) {
    if (this.node.hidden) return;
    if (this.painted !== colours2.tables) {
      this.painted = colours2.tables;
      for (const each of [...this.flips, ...this.changes]) each.anew(colours2.tables);
    }
    for (const flips of this.flips) flips.paint(colours2);
  }
};
var slow_default = ".lt-slow>header{display:flex;align-items:center;gap:0.4em}.lt-slow>header .lv-btn{margin-left:auto}.lt-slow:focus{outline:none}.lt-slow-parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24em),1fr));gap:1.2em 2em}.lt-slow-part{min-width:0}.lt-slow-part h3{font-size:1em;font-weight:650}.lt-slow-part>p{margin:0.3em 0 0.6em;color:var(--lv-muted)}.lt-slow-part>p[role=status]{color:var(--lv-ink);min-height:2.8em}.lt-slow .lt-thumb[aria-pressed=true]{outline:2px solid var(--lv-now)}.lt-slow-states{display:flex;flex-wrap:wrap;gap:1em;margin:0.8em 0}.lt-slow-states figure{width:7em}.lt-slow-states figcaption,.lt-slow-part small,.lt-slow-names{font-size:0.84em;color:var(--lv-muted)}.lv .lt-slow-states canvas{width:100%;height:auto}.lt-slow-flips{display:flex;align-items:center;gap:0.4em;max-width:30em}.lt-slow-flips input{flex:1;min-width:0}.lt-slow-part>.lv-small{margin-top:0.6em}.lt-slow-units{list-style:none;margin:0 0 0.6em;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5em,1fr));gap:0.9em 1.2em}.lt-slow-units small{float:right}.lt-slow-units div{display:grid;grid-template-columns:repeat(3,1fr);gap:0.3em}.lt-slow-units img{width:100%}.lt-slow-names span{text-align:center}\n";
var ON_SERVER = { lacks: ["slow"], titles: {}, clock: "by the clock of the server's machine", discards: "in memory and on disk" };
var { unknown_tone: UNKNOWN_TONE2 } = constants_default;
var SAYS = { none: "No run yet", loading: "Preparing the run", new: "Ready", running: "Training", paused: "Paused", done: "Finished", failed: "Failed", cancelled: "Stopped" };
function rename(button, words) {
  const [key] = / \([^ ]+\)$/.exec(button.title) ?? [""];
  button.setAttribute("aria-label", words);
  button.title = words + key;
}
var TrainBoard = class extends Page {
  cursor = -1;
  shown = -1;
  answered = -1;
  status = "none";
  axis = "passes";
  savedAt = 0;
  progress = 0;
  left = NaN;
  fontSize = 0;
  requested = 0;
  unpainted = false;
  branching = false;
  wanted = null;
  minibatch = null;
  stats = { frames: 0, painted: 0, bytes: 0, largest: 0, inOrder: true, number: -1, paintMs: 0 };
  meta = null;
  lanes = [];
  charts = [];
  pastLanes = null;
  lostAt = null;
  taken;
  timer;
  go = element("button", { type: "button", class: "lv-btn lt-go", onclick: () => this.say({ type: "start" }) }, icon("play"), element("span", {}, "Start training"));
  seen = element("p");
  empty = element("section", { class: "lv-card lt-empty" }, element("h2", {}, "Watch two models learn"), element("p", {}, "Press Start training to run the recipe at the side; the first recipe is small and takes ten seconds. This page shows how the models learn: filters form, units die or stay alive, and reconstructions sharpen."), this.seen, element("p", {}, "Pause at any time, step by single minibatches, drag back through the past, and branch from any moment with other settings."), this.go);
  cards = element("div", { class: "lt-lanes", hidden: true });
  axisChoice = element("select", { "aria-label": "Horizontal axis", onchange: () => {
    this.axis = this.axisChoice.value;
    this.dirty();
  } }, element("option", { value: "passes" }, "over epochs"), element("option", { value: "seconds" }, "over seconds"));
  multiples = element("div", { class: "lt-charts" });
  legend = element("div", { class: "lv-key" });
  moment = element("span", { class: "lt-now", style: "--lv-swatch: var(--lv-now)", hidden: true }, "moment looked at");
  lineage = element("p", { class: "lt-lineage" });
  curves = card({ class: "lt-curves", "aria-label": "Curves", hidden: true }, ["Curves"], [this.legend, this.axisChoice], this.lineage, this.multiples);
  start = iconButton("play", "Start training", "space", () => this.toggle());
  buttons = { step: iconButton("step", "Single minibatch", "→", () => this.say({ type: "step" }), "Step"), slow: iconButton("slow", "Slow motion: a single minibatch in its two parts, E-step and M-step", "s", () => this.say({ type: "slow" }), "Slow motion"), stop: iconButton("stop", "Stop and store a last checkpoint", "", () => this.say({ type: "stop" }), "Stop"), reset: iconButton("first", "Reset: the same seed from the beginning", "", () => this.say({ type: "reset" }), "Reset"), leave: iconButton("fresh", "New run: leave this one, which stays on disk", "", () => this.say({ type: "leave" }), "New"), branch: iconButton("branch", "Branch: a run of its own from the moment shown; this run stays as it is", "b", () => {
    this.branching = this.say({ type: "branch" });
  }, "Branch from here"), back: iconButton("rewind", "Go back here and discard what came later", "", () => this.goBack(), "Go back here"), present: iconButton("last", "Back to the present", "End", () => this.scrub(-1), "Now") };
  bar = new Scrub("Moment of the run, in minibatches", (step) => this.scrub(step));
  says = box();
  kept = element("div", { class: "lt-kept" });
  error = element("p", { class: "lv-complaint lt-error", role: "alert" });
  removed = element("div", { class: "lt-removed", hidden: true }, element("span", {}, "This run is in memory alone. "), element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.say({ type: "write_again" }) }, "Write it to disk again"));
  transport = element("div", { class: "lv-transport lt-transport", role: "group", "aria-label": "Training" }, element("div", { class: "lv-row lv-buttons" }, this.start, ...Object.values(this.buttons)), this.bar.node, this.kept, element("div", { class: "lv-says" }, this.says));
  nextWords = element("p");
  nextActs = element("div", { class: "lv-row lt-next-acts" });
  next = element("section", { class: "lv-card lt-next", "aria-label": "What next", hidden: true }, element("h2", {}, "Finished: what next?"), this.nextWords, this.nextActs);
  thumbs = element("div", { class: "lt-thumbs" });
  batchNote = element("small");
  batchTitle = element("span", {}, "Last minibatch");
  batch = element("section", { class: "lv-card", "aria-label": "Last minibatch", hidden: true }, element("h2", {}, this.batchTitle, " ", this.batchNote), this.thumbs);
  large = new LargeFilter(this);
  slow = new SlowMotion(this);
  passes = new PassesCard();
  body = element("div", { class: "lv-in" }, this.error, this.removed, this.empty, this.next, this.passes.node, this.slow.node, this.cards, this.batch, this.curves);
  constructor(root, say, asks, trainer = ON_SERVER) {
    super(variables_default + board_default + confirm_default + large_default + slow_default, "lv lt");
    this.say = say;
    this.asks = asks;
    this.trainer = trainer;
    for (const [name, button] of Object.entries(this.buttons)) {
      if (trainer.lacks.includes(name)) button.remove();
      if (trainer.titles[name]) rename(button, trainer.titles[name]);
    }
    this.start.classList.add("lv-main");
    this.root.append(this.body, this.transport, this.live, this.tipNode, this.large.node);
    this.controls();
    this.appear(root, "lrbnBoards", { key: (event) => this.key(event), scheme: (dark) => {
      this.colours = coloursOf(dark);
      this.paintThumbs();
      this.dirty();
    }, resized: () => this.dirty() });
  }
  show({ meta, arrays }) {
    if (meta.kind === "none") {
      this.words(meta);
      setText(this.seen, meta.seen);
    } else if (meta.kind === "run") this.load(meta, arrays);
    else if (meta.kind === "moment") this.past(meta, arrays);
    else if (meta.kind === "filter") this.large.take(meta, arrays);
    else if (meta.kind === "pictures") this.pictures(meta, arrays);
    else if (meta.kind === "slow") this.slow.take(meta, arrays);
    else this.rest(meta, arrays);
    this.controls();
    this.dirty();
  }
  pictures(meta, arrays) {
    meta.lanes.forEach((given, n) => this.lanes[n]?.takePictures(given, this.cursor < 0 ? part(arrays, n) : {}));
  }
  rest({ rows, steps }, arrays) {
    if (!this.meta) return;
    if (this.cursor < 0) this.lanes.forEach((lane, n) => lane.show(arrays, steps[n]));
    const [step] = steps;
    const [height, width] = this.meta.image_shape, [low, high] = this.meta.tones, n_v = height * width;
    const pixels = arrays.minibatch.slice(), paints = [], { variables } = this.meta;
    this.minibatch = { step, paints };
    const tone = (ink, at) => ink[byte(low + (high - low) * pixels[at] / 255)];
    this.thumbs.toggleAttribute("data-table", variables !== null);
    if (variables) {
      const table = new VariableTable("Training rows, by variable; scrolls");
      table.load(variables, [{ label: `${rows.length} training rows`, n: rows.length, press: { say: (n) => `Inspect training row ${rows[n]} on the Inference page`, go: (number2) => this.say({ type: "inspect", number: number2 }) } }]);
      const unknown = (n, i) => pixels[n * n_v + i] === UNKNOWN_TONE2;
      paints.push(({ ink, hatch }) => table.paint(0, (n, i) => tone(ink, n * n_v + i), pixels.includes(UNKNOWN_TONE2) ? { unknown, filled: false, colours: hatch } : null));
      this.thumbs.replaceChildren(table.node);
      this.paintThumbs();
      this.batchNote.textContent = `${this.unit} ${many(step)}, a column for each row of data: press one to see its E-step, visit by visit, on the Inference page`;
      return;
    }
    this.thumbs.replaceChildren(...rows.map((row, n) => {
      const image = element("img", { alt: "", class: "lv-pixels" }), view = new StillView(image, height, width);
      paints.push(({ ink }) => view.paint((i) => tone(ink, n * n_v + i)));
      const label = `Inspect training image ${row} on the Inference page`;
      return element("button", { type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.say({ type: "inspect", number: n }) }, image);
    }));
    this.paintThumbs();
    this.batchNote.textContent = `${this.unit} ${many(step)}: press an image to see its E-step, visit by visit, on the Inference page`;
  }
  paintThumbs() {
    for (const paint of this.minibatch?.paints ?? []) paint(this.colours.tables);
  }
  load(meta, arrays) {
    this.large.node.close();
    this.slow.hide();
    this.meta = meta;
    this.batchTitle.textContent = meta.whole ? inRows("First images", meta.variables !== null) : "Last minibatch";
    this.batch.setAttribute("aria-label", this.batchTitle.textContent);
    this.bar.range.setAttribute("aria-label", meta.whole ? "Moment of the run, in passes" : "Moment of the run, in minibatches");
    const one = meta.whole ? inRows("One pass over all images", meta.variables !== null) : "Single minibatch";
    rename(this.buttons.step, one);
    this.cursor = -1;
    this.pastLanes = null;
    this.savedAt = meta.saved_at;
    for (const node of [this.cards, this.multiples]) release(node);
    this.lanes = meta.lanes.map((lane, index) => new TrainLane(this, meta, index, arrays));
    this.cards.replaceChildren(...this.lanes.map((lane) => lane.node));
    const table = meta.variables !== null;
    const specs = CHARTS.map((spec) => ({ ...spec, title: inRows(spec.title, table), unit: inRows(spec.unit, table), help: inRows(spec.help ?? "", table) }));
    this.charts = specs.flatMap((spec) => {
      const title = !meta.binary && spec.grey ? spec.grey : spec.title;
      if (!spec.scores) return [new Chart(this, spec, this.lanes, title, spec.help ?? "")];
      return [...new Set(this.lanes.map((lane) => lane.meta.score))].map((meaning) => {
        const lanes = this.lanes.filter((lane) => lane.meta.score === meaning);
        const whose = lanes.length === this.lanes.length ? "" : `, ${lanes.map((lane) => lane.title).join(" and ")}`;
        return new Chart(this, spec, lanes, `${title} ${lanes[0].meta.score_name}${whose}`, meaning);
      });
    });
    this.multiples.replaceChildren(...this.charts.map((chart) => chart.node));
    this.legend.replaceChildren(...this.lanes.map((lane) => element("span", { style: `--lv-swatch: var(--lv-lane${lane.index % 2})` }, lane.title)), this.moment);
    this.offerNext(meta);
    this.lineageWords(meta);
    this.axis = this.axisChoice.value = meta.level_by;
    this.thumbs.replaceChildren();
    this.empty.hidden = true;
    this.curves.hidden = this.cards.hidden = false;
    this.words(meta.words);
    this.cursor = momentOf(meta, this.wanted);
  }
  words({ status, error, cursor, removed, passes }) {
    this.passes.show(passes, status);
    this.error.textContent = error;
    this.removed.hidden = !removed;
    if (cursor < 0 && this.pastLanes) this.present();
    if (status === "running") this.wanted = null;
    if (status === "none") {
      this.lanes = [];
      this.charts = [];
      this.meta = null;
      this.empty.hidden = false;
      this.curves.hidden = this.cards.hidden = true;
    }
    this.setStatus(status);
  }
  present() {
    this.cursor = -1;
    this.wanted = null;
    this.pastLanes = null;
    this.dirty();
  }
  lose(since) {
    this.lostAt = since;
    this.dirty();
  }
  takeUp() {
    if (!this.taken || this.meta?.name !== this.taken || !["new", "paused"].includes(this.status)) return;
    this.taken = null;
    this.say({ type: "start" });
  }
  setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    if (status !== "loading") this.branching = false;
    this.takeUp();
    this.live.textContent = `${SAYS[status]}. ${this.sentence()}`;
    this.controls();
    this.dirty();
  }
  take(frame, bytes = 0) {
    if (!this.meta) return;
    this.stats.frames++;
    this.stats.bytes = bytes;
    this.stats.largest = Math.max(this.stats.largest, bytes);
    this.stats.inOrder &&= frame.number > this.stats.number;
    this.stats.number = frame.number;
    if (frame.number % 8 === 0) this.say({ type: "seen", number: frame.number });
    frame.lanes.forEach((lane, index) => this.lanes[index]?.take(lane));
    this.progress = frame.progress;
    this.left = frame.left;
    this.savedAt = frame.savedAt;
    for (const piece of frame.pieces) {
      if (piece.kind === "words") this.words(JSON.parse(new TextDecoder().decode(piece.content)));
      else if (this.cursor < 0) this.lanes[piece.lane]?.piece(piece);
    }
    if (this.meta) this.setStatus(frame.status);
    if (this.minibatch?.step !== this.lanes[0]?.step) this.batch.hidden = true;
    this.unpainted = true;
    this.dirty();
  }
  past(meta, arrays) {
    if (this.cursor < 0) return;
    this.pastLanes = meta.lanes;
    this.shown = meta.step;
    this.answered = meta.asked;
    if (this.wanted?.step === meta.asked) this.wanted = null;
    this.lanes.forEach((lane, n) => lane.show(arrays, meta.lanes[n].step));
    this.live.textContent = `Shown now: ${this.sentence()}.`;
  }
  offerNext({ lanes, max_seconds, n_iter, whole, variables }) {
    const table = variables !== null;
    const act = (text, message, title) => ({ type: message.type, node: element("button", { type: "button", class: "lv-btn lv-small", title, onclick: () => this.say(message) }, text) });
    const again = max_seconds === null ? `${many(n_iter)} more ${whole ? "pass" : "epoch"}${n_iter === 1 ? "" : whole ? "es" : "s"}` : `${number(max_seconds, max_seconds < 10 ? 1 : 0)} s more for each model`;
    const these = lanes.length > 1 ? "these models" : "this model", offers = (type) => !this.trainer.lacks.includes(type);
    const acts = [act(`Look at ${these} in Inference`, { type: "show" }, inRows("How the latents of any image are inferred, visit by visit", table)), act(`Watch ${these} draw in Generate`, { type: "draw" }, inRows("Samples, pass by pass, with the training images nearest to them", table)), ...lanes.map(({ title }, lane) => act(`Save ${title}`, { type: "save", lane }, "A file, which this page and Python open")), act("Train on", { type: "on" }, again)];
    this.nextActs.replaceChildren(...acts.flatMap(({ type, node }) => offers(type) ? [node] : []));
    const ways = [offers("draw") && "watch them draw on the Generate page", offers("save") && "save one as a file", `or train on, ${again}`].filter(Boolean);
    this.nextWords.textContent = `Look at the models, ${table ? "row by row" : "image by image"}, on the Inference page; ${ways.join("; ")}.`;
  }
  lineageWords({ parent, ancestors: ancestors2 = [] }) {
    const shown = this.lanes.some((lane) => lane.parent.size);
    this.lineage.textContent = !parent ? "" : `Branch of ${parent.name} at ${this.unit} ${many(parent.step)}.` + (parent.error ? ` ${parent.name} ${parent.error}` : shown ? "" : ` ${parent.name} has not gone further.`) + ancestors2.map(({ name, step }, n) => {
      const child = ancestors2[n + 1]?.name ?? parent.name;
      return ` ${child} is a branch of ${name} at ${this.unit} ${many(step)}.`;
    }).reverse().join("");
    if (parent && shown) this.legend.append(element("span", { class: "lt-ghost" }, `parent: ${parent.name}`));
  }
  discarded(past) {
    const gone = this.lanes.map((lane, n) => lane.step - past[n].step), most = Math.max(...gone);
    const seconds = this.lanes.reduce((sum, lane, n) => sum + lane.seconds - past[n].seconds, 0);
    return { minibatches: most, passes: most / this.lanes[0].meta.per_pass, seconds };
  }
  async goBack() {
    if (!this.meta || !this.pastLanes) return;
    const step = this.shown, { minibatches, passes, seconds } = this.discarded(this.pastLanes);
    const yes = await confirmAct(this.root, { title: `Go back to ${this.unit} ${many(step)}?`, words: [`This discards what ${this.meta.name} learned later: ${many(minibatches)} ${this.unit}${minibatches === 1 ? "" : "es"}, ${this.meta.whole ? "" : `${number(passes, 2)} epochs, `}${number(seconds, seconds < 10 ? 1 : 0)} seconds of training, ${this.trainer.discards}.`, "It cannot be undone. To keep it, branch from here."], act: "Go back and discard", keep: "Cancel" });
    if (!yes || this.cursor < 0) return;
    this.start.focus();
    this.say({ type: "back", step });
  }
  scrub(step) {
    const end = this.end();
    if (step >= end) step = -1;
    if (!this.asks("looking back")) return this.dirty();
    this.cursor = step;
    this.wanted = step < 0 || !this.meta ? null : { name: this.meta.name, step };
    if (step < 0) this.pastLanes = null;
    this.controls();
    this.dirty();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say({ type: "look", step }), step < 0 ? 0 : 60);
  }
  get unit() {
    return this.meta?.whole ? "pass" : "minibatch";
  }
  end() {
    return Math.max(1, ...this.lanes.map((lane) => lane.step));
  }
  endX() {
    const max_seconds = this.meta?.max_seconds ?? null, reached = Math.max(...this.lanes.map((lane) => Math.max(lane.along(lane.step), lane.parentEnd())));
    const whole = this.axis === "passes" ? max_seconds === null ? this.meta?.n_iter : 0 : max_seconds;
    const grown = 1e-3 * 1.25 ** Math.ceil(Math.log(Math.max(reached, 1e-3) / 1e-3) / Math.log(1.25));
    const end = !whole ? grown : whole <= 4 * grown ? whole : Math.max(4 * grown, whole / 20);
    return 1.02 * Math.max(end, reached);
  }
  toggle() {
    this.say({ type: this.status === "running" ? "pause" : "start" });
  }
  controls() {
    const { status, buttons } = this, running = status === "running", some = !["none", "loading"].includes(status);
    setFace(this.start, running ? "pause" : "play", running ? "Pause" : status === "paused" || status === "cancelled" ? "Go on" : "Start training");
    this.start.disabled = status === "loading" || status === "done";
    buttons.step.disabled = running || status === "loading" || status === "done";
    buttons.slow.disabled = status === "loading" || status === "done";
    if (running || this.cursor >= 0 || this.slow.step !== this.lanes[0]?.step) this.slow.hide();
    buttons.stop.disabled = !(running || status === "paused");
    buttons.reset.disabled = buttons.leave.disabled = !some;
    buttons.branch.disabled = running || status === "loading" || this.cursor < 0;
    buttons.back.disabled = buttons.branch.disabled || !this.pastLanes || this.answered !== this.cursor || this.discarded(this.pastLanes).minibatches < 1;
    buttons.present.disabled = this.cursor < 0;
    this.bar.range.disabled = !some;
    this.moment.hidden = this.cursor < 0;
    this.batch.hidden = running || !some || !this.thumbs.childElementCount || this.cursor >= 0 || this.minibatch?.step !== this.lanes[0]?.step;
    this.go.disabled = status === "loading";
    this.next.hidden = status !== "done" || this.cursor >= 0;
  }
  sentence() {
    const [lane] = this.lanes, { meta } = this;
    if (!lane || !meta) return this.status === "loading" ? "loading images and compiling: about a minute the first time." : "Choose a recipe at the side and start.";
    if (this.branching && this.status === "loading") return `storing ${meta.name} as it is, and making a branch from it.`;
    if (this.cursor >= 0) {
      const [past] = this.pastLanes || [], said = past ? `${this.unit} ${many(this.shown)}, ${meta.whole ? "" : `epoch ${number(past.passes, 2)}, `}after ${number(past.seconds, past.seconds < 10 ? 1 : 0)} s` : "";
      return said + (past && this.answered === this.cursor ? "" : `${said && "; "}looking for ${this.unit} ${many(this.cursor)}…`);
    }
    const done = meta.max_seconds !== null ? `${number(Math.max(...this.lanes.map((other) => other.seconds)), 0)} of ${number(meta.max_seconds, 0)} s for each model` : `epoch ${number(lane.step / lane.meta.per_pass, 2)} of ${many(meta.n_iter)}`;
    if (meta.whole && meta.max_seconds === null) return `pass ${many(Math.max(...this.lanes.map((other) => other.step)))} of ${many(meta.n_iter)}`;
    return `${done}, ${this.unit} ${many(lane.step)}`;
  }
  dirty() {
    if (!this.requested) this.requested = requestAnimationFrame(() => this.paint());
  }
  paint() {
    this.requested = 0;
    if (!this.colours) return;
    const begin = performance.now();
    const shown = this.lanes.length && this.root.clientWidth > 0;
    if (shown) {
      this.fontSize = parseFloat(getComputedStyle(this.body).fontSize);
      for (const chart of this.charts) chart.makeRoom();
      for (const lane of this.lanes) lane.mosaic.makeRoom(this.fontSize);
    }
    withSizes([...this.lanes.flatMap((lane) => [lane.mosaic.canvas, lane.usage]), ...this.charts.map((chart) => chart.canvas), this.bar.canvas], () => {
      if (shown) {
        for (const lane of this.lanes) lane.paint(this.colours);
        for (const chart of this.charts) chart.paint();
        this.large.paint(this.colours.tables);
        this.slow.paint(this.colours);
      }
      this.paintTransport();
    });
    if (this.unpainted) {
      this.stats.painted++;
      this.unpainted = false;
    }
    this.stats.paintMs = performance.now() - begin;
  }
  paintTransport() {
    const { palette } = this.colours, end = this.end(), { meta } = this;
    this.bar.fit();
    const { context, width, height, ratio, x } = this.bar.ground(palette);
    if (meta && this.lanes.length) {
      const [every, kept, until] = this.lanes[0].history;
      context.fillStyle = palette.lanes[0];
      if (kept > 1 && width / (until / every) > 2 * ratio) for (let k = 0; k <= until; k += every) context.fillRect(x(k / end) - 0.5 * ratio, height * 0.36, ratio, height * 0.28);
      else if (kept > 1) {
        context.globalAlpha = 0.5;
        context.fillRect(x(0), height * 0.4, x(until / end) - x(0), height * 0.2);
        context.globalAlpha = 1;
      }
      const running = this.status === "running" && this.cursor < 0;
      const at = this.pastLanes && this.answered === this.cursor ? this.shown : this.cursor;
      this.bar.show(this.cursor < 0 ? end : at, end, palette, running);
      if (!running) this.bar.say(this.cursor < 0 ? `the present, ${this.unit} ${many(this.lanes[0].step)}` : `${this.unit} ${many(at)} of ${many(end)}`);
      const count = Math.min(...this.lanes.map((lane) => lane.history[1])), mb = this.lanes.reduce((sum, lane) => sum + lane.history[3], 0);
      const text = `${many(count)} moment${count === 1 ? "" : "s"} stored, ${number(mb, mb < 10 ? 1 : 0)}${meta.budget_mb === null ? "" : ` of ${number(meta.budget_mb, 0)}`} MB`;
      const saved = this.savedAt > 0 ? `checkpoint ${timeOfDay(this.savedAt * 1e3)}` : "no checkpoint yet";
      const line = `${this.cursor < 0 ? "" : "Now: "}${text}${meta.checkpoint_seconds === null ? "" : ` · ${saved}, every ${number(meta.checkpoint_seconds, 0)} s`}`;
      if (this.kept.textContent !== line) this.kept.textContent = line;
    } else {
      this.bar.hide();
      setText(this.kept, "");
    }
    const back = this.cursor >= 0 && this.status !== "loading";
    const parts = [bold(back ? "Looking back" : SAYS[this.status]), `: ${this.sentence()}`];
    if (back) parts.push(`. Now: ${this.unit} ${many(this.lanes[0]?.step ?? 0)}, ${SAYS[this.status].toLowerCase()}`);
    if (this.lostAt && this.lanes.length) parts.push(", ", bold(`as of ${timeOfDay(this.lostAt)}`));
    else if (this.status === "running" && Number.isFinite(this.left)) parts.push(", ", bold(`${clockText(this.left)} left`));
    setRich(this.says, parts);
    this.transport.style.setProperty("--lt-progress", `${100 * (this.lanes.length ? this.progress || 0 : 0)}%`);
  }
  hover(chart, event) {
    const parent = this.meta?.parent;
    const { left, right } = chart.frame, ratio = chart.canvas.width / chart.canvas.clientWidth;
    const share = (event.offsetX * ratio - left) / (right - left);
    if (share < 0 || share > 1) return this.tip(null);
    const lines = chart.lines().filter((line) => !line.dash).map(({ lane, ring, ghost }) => {
      const along = (step2) => ghost ? lane.alongParent(step2) : lane.along(step2);
      let step = 0, high = ghost ? ring.lastX : lane.step;
      while (step < high) {
        const middle = step + high + 1 >> 1;
        if (along(middle) <= share * this.endX()) step = middle;
        else high = middle - 1;
      }
      if (ghost && parent && step < parent.step) return null;
      return `${lane.title}${ghost ? " of the parent" : ""}, ${this.unit} ${many(step)}: ${brief(ring.at(step))}`;
    }).filter(Boolean);
    this.tip(lines.join("\n"), event);
  }
  key(event) {
    if (!isPageKey(event) || event.key === " " && event.composedPath()[0] instanceof HTMLAnchorElement) return;
    const press = byKey(event, { " ": this.start, ArrowRight: this.buttons.step, s: this.buttons.slow, b: this.buttons.branch, End: this.buttons.present });
    if (event.key === "ArrowLeft" && this.lanes.length) {
      const [every] = this.lanes[0].history, from = this.cursor < 0 ? this.end() : this.cursor;
      this.scrub(Math.max(0, (Math.ceil(from / every) - 1) * every));
    } else if (event.key === "ArrowRight" && this.cursor >= 0) this.scrub(this.cursor + this.lanes[0].history[0]);
    else if (press && !press.disabled) press.click();
    else return;
    event.preventDefault();
  }
  state() {
    return { status: this.status, cursor: this.cursor, shown: this.pastLanes ? this.shown : null, progress: this.progress, stats: { ...this.stats }, error: this.error.textContent, name: this.meta?.name, parent: this.meta?.parent ?? null, lanes: this.lanes.map((lane) => ({ title: lane.title, step: lane.step, seconds: lane.seconds, rate: lane.rate, history: lane.history, fine: lane.fine, points: Object.fromEntries(Array.from(lane.rings, ([name, ring]) => [name, ring.n])), parentPoints: Object.fromEntries(Array.from(lane.parent, ([name, ring]) => [name, ring.n])), last: Object.fromEntries(Array.from(lane.rings, ([name, ring]) => [name, Number.isFinite(ring.last) ? ring.last : null])), stamps: lane.stamps, filterSide: lane.mosaic.shape.side, filterSum: lane.filters.reduce((sum, value) => sum + Math.abs(value), 0) })) };
  }
  remove() {
    clearTimeout(this.timer);
    this.slow.hide();
    cancelAnimationFrame(this.requested);
    this.vanish?.();
  }
};
function readFrame(data, statuses, kinds) {
  const bytes = toBytes(data), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frame = { number: view.getUint32(4, true), status: statuses[view.getUint8(8)], progress: view.getFloat32(12, true), left: view.getFloat32(16, true), savedAt: view.getFloat64(20, true), lanes: [], pieces: [] };
  let at = 28;
  for (let n = view.getUint8(9); n > 0; n--) {
    const lane = { step: view.getUint32(at, true), seconds: view.getFloat32(at + 4, true), rate: view.getFloat32(at + 8, true), history: [view.getUint32(at + 12, true), view.getUint32(at + 16, true), view.getUint32(at + 20, true), view.getFloat32(at + 24, true)], values: [] };
    const count = view.getUint8(at + 28);
    at += 29;
    for (let i = 0; i < count; i++, at += 5) lane.values.push([view.getUint8(at), view.getFloat32(at + 1, true)]);
    frame.lanes.push(lane);
  }
  for (let n = view.getUint16(10, true); n > 0; n--) {
    const length = view.getUint16(at + 6, true);
    frame.pieces.push({ kind: kinds[view.getUint8(at)], lane: view.getUint8(at + 1), index: view.getUint32(at + 2, true), content: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return frame;
}
function receive(board, data) {
  const bytes = toBytes(data);
  if (new TextDecoder().decode(bytes.subarray(0, 4)) !== constants_default.frame) board.show(unpack(bytes));
  else if (board.meta) board.take(readFrame(bytes, board.meta.statuses, constants_default.frame_pieces), bytes.length);
}
function render({ model, el }) {
  const { send, left, open: asks } = outbox(hostOf(model), () => {
    board.taken = left("run");
  });
  const board = new TrainBoard(el, send, asks);
  const follow = ({ detail: { open, since } }) => {
    board.lose(open ? null : since);
    if (open) send({ type: "open" });
  };
  const leave = ({ detail: states }) => {
    if (board.status === "running" && board.meta) states.push(["run", board.meta.name]);
  };
  const sight = () => send({ type: "sight", on: document.visibilityState === "visible" });
  document.addEventListener("visibilitychange", sight);
  window.addEventListener("lrbn-connection", follow);
  window.addEventListener("lrbn-leave", leave);
  model.on("msg:custom", (data) => receive(board, data));
  model.on("remove", () => {
    document.removeEventListener("visibilitychange", sight);
    window.removeEventListener("lrbn-connection", follow);
    window.removeEventListener("lrbn-leave", leave);
    board.remove();
  });
  send({ type: "open" });
  if (document.visibilityState !== "visible") sight();
  if (widthAround(el) < 600) send({ type: "narrow" });
}
var board_default2 = { render };
export { board_default2 as default };
