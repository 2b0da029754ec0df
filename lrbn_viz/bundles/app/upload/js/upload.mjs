// b1decfb0ff50b59fc344fdda7f475f0f06cb16256b18db039f420a0620e4d5d5
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
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
var mebibytes = (n) => (n / 2 ** 20).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
var clamp = (value, low, high) => Math.max(low, Math.min(high, value));
var signedColour = (table, value) => table[255 + Math.round(255 * clamp(value, -1, 1))];
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
var style_default = '.lv,.lv *{box-sizing:border-box}.lv [hidden],.lv [data-hidden]{display:none!important}.lv{--lv-hatch: repeating-linear-gradient(135deg, var(--lv-muted) 0 1.5px, var(--lv-line) 1.5px 5px);container-type:inline-size;background:var(--lv-page);color:var(--lv-ink);font-family:var(--lv-font);height:100%;width:100%;display:flex;flex-direction:column}.lv[data-scheme=dark]{color-scheme:dark}.lv-in{font-size:var(--lv-letters);line-height:1.35;padding:1.1em;display:flex;flex-direction:column;gap:1em;flex:1;min-height:0;overflow-y:auto;font-variant-numeric:tabular-nums}.lv-card{background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.75em;padding:0.85em 1em 1em;box-shadow:var(--lv-shadow);min-width:0;position:relative}.lv-save-card{position:absolute;right:0.5em;bottom:0.5em;display:flex;gap:0.3em;opacity:0}.lv-card:hover>.lv-save-card,.lv-save-card:focus-within{opacity:1}.lv-save-card .lv-btn{background:var(--lv-surface)}@media(hover:none){.lv-save-card{position:static;justify-content:flex-end;margin-top:0.5em;opacity:1}}.lv-in>[data-part]{content-visibility:auto;contain-intrinsic-size:auto 30em;flex-shrink:0}.lv-whole>[data-part]{content-visibility:visible}.lv h2,.lv h3,.lv p,.lv figure{margin:0}.lv h2{font-size:1.08em;font-weight:650;letter-spacing:-0.005em;display:flex;align-items:baseline;gap:0.5em;flex-wrap:wrap}.lv h2 small{font-weight:400;font-size:0.88em;color:var(--lv-muted)}.lv canvas,.lv img{display:block;width:100%}.lv img{height:auto}.lv .lv-pixels{image-rendering:pixelated;border-radius:0.3em;outline:1px solid var(--lv-line);background:var(--lv-ground)}.lv-label{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 0.6em;font-size:0.9em;color:var(--lv-muted);margin-bottom:0.4em;min-height:1.6em;line-height:1.6em}.lv-views .lv-label{flex-wrap:nowrap;white-space:nowrap;height:1.6em}.lv-label b{color:var(--lv-ink);font-weight:650;font-size:1.1em}.lv-box{display:block;contain:strict;width:100%;height:1.45em;line-height:1.45em;white-space:nowrap;text-overflow:ellipsis}.lv-box.lv-long{contain:none}.lv-views .lv-label,.lv-why h2{align-items:center}.lv-views .lv-label b{flex:1 0 6.8em;text-align:right}.lv-views .lv-latents .lv-box{display:flex;flex-wrap:wrap;justify-content:flex-end;align-content:flex-start;height:1.45em;overflow:hidden}.lv-views .lv-latents .lv-held-words{white-space:pre}.lv-views .lv-reconstruction .lv-label b{display:none}.lv-label i{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.08em}.lv-board{display:grid;grid-template-columns:minmax(9em,15%) minmax(0,1fr);gap:1em}.lv-input{grid-row:span 2;display:flex;flex-direction:column;gap:0.6em;align-self:stretch}.lv-lane{border-top:3px solid var(--lv-accent)}.lv-lane[data-lane="0"]{--lv-accent: var(--lv-lane0)}.lv-lane[data-lane="1"]{--lv-accent: var(--lv-lane1)}.lv-lane>header,.lv-why>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-lane>header{align-items:center}.lv-lane h2>span{color:var(--lv-accent)}.lv-lane-menus{display:flex;flex:1;align-items:center;gap:0.3em 0.45em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.88em;min-width:0}.lv-lane-menus select,.lv-lane-menus input{font:inherit;font-size:1em;color:var(--lv-ink);background:var(--lv-surface);field-sizing:content;max-width:min(100%,24em);height:2em;padding:0 0.3em;border:1px solid var(--lv-line);border-radius:0.45em}.lv-lane-menus>select{max-width:min(100%,38em)}.lv-lane-pair{display:inline-flex;align-items:center;gap:0.45em;min-width:0}.lv-lane-menus .lv-seed{min-width:3em;max-width:8em}.lv-lane-menus .lv-seed[aria-invalid=true]{border-color:var(--lv-bad)}.lv-lane-menus .lv-small{font-size:1em;height:2em;min-width:0;padding:0 0.6em}.lv-lane-menus .lv-complaint{flex-basis:100%}.lv-views{display:grid;grid-template-columns:17.5fr 17.5fr 30fr 35fr;gap:1.2em;align-items:start}.lv-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}.lv-fill{flex:1;min-height:0;position:relative}.lv-fill canvas{position:absolute;inset:0;height:100%}.lv-latents .lv-fill{cursor:pointer}.lv-curve .lv-fill{cursor:ew-resize;touch-action:pan-y}.lv-check{font-size:0.86em;color:var(--lv-muted);display:inline-flex;align-items:center;gap:0.4em;white-space:nowrap}.lv-check::before{content:"";width:0.6em;height:0.6em;border-radius:50%;background:currentColor}.lv-check[data-ok=yes]{color:var(--lv-good)}.lv-check[data-ok=no]{color:var(--lv-bad);font-weight:650}.lv-check[data-ok=no]::before{border-radius:0;transform:rotate(45deg)}.lv-key{display:flex;gap:0.3em 1em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.86em}.lv-key span{display:inline-flex;align-items:center;gap:0.4em}.lv-key span::before{content:"";width:0.75em;height:0.75em;border-radius:0.15em;background:var(--lv-swatch)}.lv-btn{font:inherit;color:var(--lv-ink);background:none;border:1px solid transparent;border-radius:0.5em;min-width:2.7em;height:2.7em;padding:0 0.45em;display:inline-flex;align-items:center;justify-content:center;gap:0.3em;cursor:pointer}.lv-btn svg{width:1.45em;height:1.45em;fill:currentColor;flex:none}.lv-btn:hover{background:var(--lv-faint)}.lv-btn:disabled{opacity:0.35;cursor:default;background:none}.lv kbd{font:inherit;font-size:0.74em;line-height:1;color:var(--lv-muted)}.lv-btn kbd{position:absolute;bottom:0.05em;left:0;right:0;text-align:center}.lv-btn{position:relative}.lv-btn.lv-main kbd{bottom:0.15em;color:inherit}.lv-btn:has(kbd)>svg{margin-bottom:0.3em}.lv-told{order:1}.lv-told>.lv-row{order:1}.lv-foot{order:2}.lv-transport{order:3}@media(hover:none){.lv kbd{display:none}}.lv-btn.lv-main{background:var(--lv-ink);color:var(--lv-surface);border-radius:50%;min-width:3em;width:3em;height:3em;padding:0}.lv-btn.lv-main:hover{opacity:0.88}.lv :focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv :is([data-part=draw],[data-part=images],.lv-hold,.lt-thumbs,.lv-walk-choice),.lt-transport :is(.lv-buttons,.lv-scrub),.lv .lt-go,.lv-needs{filter:opacity(var(--lv-offline, 1))}@container (min-width: 721px){.lv-input [data-part=images] .lv-btn{flex:0 1 2.7em;min-width:0;padding:0}}.lv-tools{flex-wrap:wrap;margin-top:0.45em}.lv-tools .lv-btn{min-width:2.15em;width:2.15em;height:2.15em;padding:0}.lv-btn[aria-pressed=true]{background:var(--lv-ink);color:var(--lv-surface)}.lv-complaint{color:var(--lv-bad);font-size:0.95em;overflow-wrap:anywhere}.lv-complaint:empty{display:none}.lv-input .lv-caption{min-height:4.05em;margin-top:0.3em;overflow-wrap:anywhere}.lv-pixels-frame{position:relative}.lv-drawing-cursor{position:absolute;pointer-events:none;outline:2px solid var(--lv-now);box-shadow:0 0 0 3px var(--lv-ink)}.lv-legends{grid-column:1 / -1;display:flex;flex-wrap:wrap;gap:0.15em 1.8em}.lv-legend{display:flex;flex-wrap:wrap;gap:0.15em 0.9em;color:var(--lv-muted);font-size:0.82em}.lv-legend>span{display:inline-flex;align-items:center;gap:0.35em}.lv-legend b{font-weight:650}.lv-card>:is(.lv-legend,.lv-legends){margin-top:0.7em}.lv-legend i{width:0.8em;height:0.8em;flex:none;border-radius:0.15em;background:var(--lv-swatch)}.lv-legend i[data-mark=square]{box-shadow:inset 0 0 0 1px var(--lv-line)}.lv-legend i[data-mark=hatch]{background:var(--lv-hatch)}.lv-legend i[data-mark=pale]{opacity:0.3}.lv-legend i[data-mark=dot]{width:0.5em;height:0.5em;border-radius:50%}.lv-legend i[data-mark=line]{height:3px}.lv-legend i[data-mark=broken]{height:0;background:none;border-top:3px dotted var(--lv-swatch)}.lv-legend i:is([data-mark=ring],[data-mark=dashes]){background:none;border:2px solid var(--lv-swatch)}.lv-legend i[data-mark=dashes]{border-style:dashed}.lv:not([data-scheme=dark]) .lv-on-dark,.lv[data-scheme=dark] .lv-on-light{display:none}.lv-why>.lv-legends{margin-top:0.7em}.lv-full-colour{flex:1 1 30em;font-size:0.82em}.lv-of{color:var(--lv-accent, inherit)}.lv-of select{font-size:0.88em;font-weight:400}.lv-scale{margin-top:0.8em}.lv-scale canvas{height:0.8em;border-radius:0.2em}.lv-scale>div{display:flex;justify-content:space-between;font-size:0.86em;color:var(--lv-muted);margin:0.15em 0 0.4em}.lv-row{display:flex;align-items:center;gap:0.2em}.lv-transport{flex:none;z-index:5;background:var(--lv-surface);border-top:1px solid var(--lv-line);box-shadow:var(--lv-lift);padding:0.5em 1.1em 0.6em;display:grid;gap:0.15em 1.2em;align-items:center;grid-template-columns:auto minmax(0,1fr) auto;font-size:var(--lv-letters);font-variant-numeric:tabular-nums}.lv-scrub{position:relative;height:2.5em}.lv-scrub canvas{position:absolute;inset:0;height:100%}.lv-range{position:absolute;inset:0;contain:size layout style}.lv-scrub input{-webkit-appearance:none;appearance:none;position:absolute;inset:0;width:100%;height:100%;margin:0;background:none;cursor:pointer}.lv-scrub input::-webkit-slider-thumb{-webkit-appearance:none;width:14px;height:1.7em;opacity:0}.lv-scrub input::-moz-range-thumb{width:14px;height:1.7em;border:0;opacity:0}.lv-scrub input::-webkit-slider-runnable-track,.lv-scrub input::-moz-range-track{background:none}.lv-scrub input:focus-visible{border-radius:0.4em}.lv-says{grid-column:2 / 3}.lv-buttons{grid-row:span 2}.lv-side{grid-row:span 2;display:flex;gap:0.4em 1em;align-items:end}.lv-side>*{flex:none}.lv-side .lv-small{font-size:inherit;min-width:2.9em;height:2.3em;padding:0 0.6em}.lv-side select{height:2.19em;padding:0 0.4em}.lv .lv-ask{font-size:0.86em;font-weight:650}.lv-speed{display:flex;flex-direction:column;gap:0.15em;font-size:0.86em;color:var(--lv-muted)}.lv select{font:inherit;font-size:1.05em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-says-key{display:flex;flex-wrap:wrap;gap:0.2em 1.4em;align-items:baseline}.lv-says-key>:first-child{flex:1 1 22em;min-width:0}.lv-flips>span{gap:0.3em}.lv-flips>span::before{display:none}.lv-flips>[data-mark]::before{display:block;width:0.8em;height:0.75em;border-radius:0;background:var(--lv-plus);clip-path:polygon(0 100%,50% 0,100% 100%)}.lv-flips>[data-mark=off]::before{background:var(--lv-minus);clip-path:polygon(0 0,100% 0,50% 100%)}.lv-flips>[data-mark=sweep]::before{width:2px;height:0.9em;background:var(--lv-muted);clip-path:none}:where(.lv-term){font:inherit;letter-spacing:inherit;color:inherit;background:none;border:0;margin:0;padding:0;text-align:inherit;cursor:help;text-decoration:underline dotted;text-decoration-thickness:0.08em;text-underline-offset:0.22em}.lv-glued{white-space:nowrap}.lv-bars small .lv-term{display:block;width:100%}.lv-term:hover{text-decoration-style:solid}.lv-explains{position:fixed;inset:auto;margin:0;width:max-content;max-width:min(26em,92vw);padding:0.7em 0.9em;border:1px solid var(--lv-line);border-radius:0.6em;background:var(--lv-surface);color:var(--lv-ink);box-shadow:0 4px 22px rgb(0 0 0 / 0.22);font-family:var(--lv-font);font-size:clamp(13px,calc(9.5px + 0.35cqi),26px);font-weight:400;line-height:1.4;text-align:left;white-space:normal;letter-spacing:normal}.lv-explains b{font-weight:650;font-size:1em}.lv-explains p{margin:0.25em 0 0}.lv-explains .lv-small{margin-top:0.6em;font-size:0.95em}.lv-equations>div{margin:1em 0;padding:0.1em 0.6em;border-left:3px solid transparent}.lv-equations>[data-asked]{border-color:var(--lv-now);background:var(--lv-faint)}.lv-equations h3{font-size:1em;font-weight:400;color:var(--lv-muted)}.lv-equations h3 b{color:var(--lv-ink);font-weight:650}.lv-formula{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.12em;line-height:1.7;overflow-wrap:anywhere}.lv-equations.lv-help{max-width:min(48em,94vw)}.lv-told{flex:none;z-index:5;display:flex;flex-wrap:wrap;gap:0.4em 1.6em;align-items:center;background:var(--lv-surface);border-top:3px solid var(--lv-now);padding:0.6em 1.1em;font-size:var(--lv-letters);line-height:1.4}.lv-told-texts{flex:1 1 24em;display:grid;max-width:84em}.lv-told-texts>div{grid-area:1 / 1;visibility:hidden}.lv-told-texts>[data-shown=true]{visibility:visible}.lv-told p{font-size:1.06em}.lv-told a{color:var(--lv-focus);white-space:nowrap}.lv-told>.lv-row{gap:0.5em;margin-left:auto}.lv-told .lv-small{color:var(--lv-ink);height:2.5em;min-width:2.9em;font-size:0.95em}.lv .lv-told-next{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)}.lv .lv-told-next:hover{background:var(--lv-ink);opacity:0.88}.lv-told [aria-disabled=true]{opacity:0.35;cursor:default}.lv-told-count{color:var(--lv-muted);font-size:0.95em;white-space:nowrap}.lv-pointed{box-shadow:0 0 0 3px var(--lv-surface),0 0 0 6px var(--lv-now);border-radius:0.4em}.lv-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.lv-tip{position:fixed;z-index:20;pointer-events:none;background:var(--lv-ink);color:var(--lv-surface);font-size:clamp(12.5px,calc(8.5px + 0.35cqi),26px);line-height:1.4;padding:0.35em 0.6em;border-radius:0.4em;white-space:pre}.lv-caption,.lv-says{color:var(--lv-muted);font-size:0.95em}:is(.lv-caption,.lv-says) b{color:var(--lv-ink);font-weight:650}.lv-small{height:2em;font-size:0.88em;color:var(--lv-muted);border-color:var(--lv-line);padding:0 0.8em}.lv .lv-small[aria-pressed=true]{color:var(--lv-surface)}.lv-hold{color:var(--lv-muted);font-size:0.95em;margin-right:0.6em}.lv-hold>span{margin-right:0.3em}.lv-hold .lv-btn{min-width:0}.lv-why-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-maps{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0.8em}.lv-bars{display:grid;grid-template:repeat(4,1.95em) 2.3em / minmax(6.4em,auto) minmax(0,1fr) auto;column-gap:0.8em;align-items:center;padding-top:1.5em}.lv-bars>span{grid-column:1;color:var(--lv-muted);line-height:1.1}.lv-bars small{display:block;height:1.1em;font-size:0.82em}.lv-bars small .lv-box{height:1.1em;line-height:1.1em;color:var(--lv-ink)}.lv-bars>b{grid-column:3;text-align:right;font-weight:650;width:4.6em}.lv-bars>span:nth-last-child(2){color:var(--lv-ink);font-weight:650}.lv-why-title{flex:0 0 14.2em}.lv-verdict{margin:-0.2em 0 0.9em!important;max-width:76em}.lv-verdict .lv-box{white-space:normal;height:2.9em}.lv-verdict .lv-long{height:auto;min-height:2.9em}.lv-track{grid-area:1 / 2 / 6 / 3;align-self:stretch;position:relative}.lv-track canvas{position:absolute;inset:0;height:100%}.lv-who{min-height:11.5em}.lv-who-head{display:flex;align-items:center;flex-wrap:wrap;gap:0.3em 0.5em;color:var(--lv-muted);font-size:0.9em;margin-bottom:0.5em;white-space:nowrap}.lv-who-head b{color:var(--lv-ink);margin-left:auto}.lv-who select{min-width:0;flex:0 1 auto;padding:0.15em 0.3em}.lv-who[data-stale=true]{opacity:0.3}.lv-who .lv-caption{margin-top:0.4em}.lv .lv-hold-it{display:flex;width:100%;min-width:0;padding:0 0.2em;height:1.9em;font-size:0.8em;white-space:nowrap;margin-top:0.2em}.lv-partners{display:grid;grid-template-columns:1fr 1fr;gap:0.3em 1.6em;grid-column:1 / -1}.lv-partners[data-stale=true]{opacity:0.3}.lv-chips-row{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:0.4em}.lv-partners .lv-chips-row{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-partner>span{display:block;white-space:nowrap}.lv-who .lv-partner{width:100%}.lv-who .lv-partner>span:last-child{color:var(--lv-ink);font-weight:650}.lv-tile{font:inherit;font-size:0.84em;color:var(--lv-muted);background:none;border:0;padding:2px;border-radius:0.4em;cursor:pointer}.lv-partner{text-align:center}.lv-partner:hover{background:var(--lv-faint)}.lv-partner[data-on="1"]{color:var(--lv-ink);font-weight:650}.lv .lv-partner[data-on="1"] img{outline:2px solid var(--lv-lane0)}.lv-mosaics{display:grid;grid-template-columns:1fr 1fr;gap:1.6em}.lv-mosaics .lv-fill{aspect-ratio:2;cursor:pointer}.lv-rasters{display:grid;gap:0.8em}.lv-rasters[data-wide=false]{grid-template-columns:1fr 1fr;gap:1.6em}.lv-rasters .lv-fill{flex:none;cursor:pointer;touch-action:pan-y}.lv-meaning{margin-top:0.8em!important;max-width:60em}.lv-label small{font-size:0.9em}.lv-help{border:1px solid var(--lv-line);border-radius:0.75em;background:var(--lv-surface);color:var(--lv-ink);padding:1.2em 1.5em;font-size:clamp(15px,calc(10.5px + 0.34cqi),27px);max-width:min(34em,92vw);max-height:90vh;overflow-y:auto}.lv-help summary{cursor:pointer}.lv-help details,.lv-help .lv-caption{margin:0.9em 0}.lv-help::backdrop{background:rgb(0 0 0 / 0.45)}.lv-help dl{display:grid;grid-template-columns:auto auto;gap:0.4em 1.4em;margin:0.9em 0}.lv-words dl{display:block}.lv-words dt{margin-top:0.8em}.lv-help dt{font-weight:650}.lv-help dd{margin:0;color:var(--lv-muted)}.lv-matrix>header,.lv-mosaic>header,.lv-raster>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-matrix-body{display:grid;grid-template-columns:minmax(0,2.4fr) minmax(0,1fr);gap:1.6em}.lv-matrices{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.2em}.lv-matrices canvas{cursor:crosshair}.lv-pairs[data-named]{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr)}.lv-pairs:not([data-named]) .lv-axis{display:none}.lv-axis{list-style:none;margin:0;padding:0 0.4em 0 0;display:flex;flex-direction:column;font-size:0.82em;color:var(--lv-muted)}.lv-axis>li{flex:1 1 0;min-height:0;max-width:8em;display:flex;align-items:center;justify-content:flex-end;overflow:hidden;white-space:nowrap}.lv-axis:last-child{grid-column:2;flex-direction:row;padding:0.4em 0 0}.lv-axis:last-child>li{min-width:0;max-width:none;max-height:8em;writing-mode:vertical-rl;justify-content:flex-start}.lv-matrix[data-stale=true] .lv-matrices{opacity:0.35}.lv-pair-maps{display:grid;grid-template-columns:1fr 1fr;gap:0.8em}.lv-pair-value{font-size:1.6em;margin:0.5em 0 0.1em!important}.lv-truth>header,.lv-basins>header{display:flex;justify-content:space-between;align-items:baseline;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-truth-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-truth-body .lv-fill{height:15em}.lv-truth-body .lv-fill canvas{cursor:pointer}.lv-truth-body .lv-maps+p{margin-top:0.6em;font-size:0.86em}.lv-truth-body .lv-maps canvas{cursor:crosshair}.lv-truth,.lv-basins{contain:layout style}.lv-truth[data-stale=true] .lv-truth-body{opacity:0.35}.lv-table{border-collapse:collapse;table-layout:fixed;width:100%;font-size:0.95em}.lv-table th{font-weight:400;color:var(--lv-muted);text-align:left;padding:0.38em 0.6em 0.38em 0}.lv-table thead th{vertical-align:bottom;border-bottom:1px solid var(--lv-line)}.lv-table thead th+th,.lv-table td{text-align:right;padding-right:0;padding-left:0.9em}.lv-table thead th+th{width:22%}.lv-table td{position:relative}.lv-table b{font-weight:650}.lv-table tbody tr:first-child>*{border-bottom:1px solid var(--lv-line)}.lv-ladder-table tbody tr:first-child>*{border:0}.lv-rung{display:flex;height:4px;margin-top:0.2em}.lv-rung i{background:var(--lv-muted)}.lv-rung i+i{background:var(--lv-accent)}.lv-share{position:absolute;right:0;bottom:0.15em;max-width:calc(100% - 0.9em);height:3px;border-radius:2px;background:var(--lv-accent)}.lv .lv-mark{display:inline-block;width:1em;height:1em;margin-right:0.5em;vertical-align:-0.12em}.lv-absent{display:grid;gap:0.8em}.lv-absent .lv-row{gap:0.5em;flex-wrap:wrap}.lv-absent p{max-width:62em}.lv sup{line-height:0}.lv-basins-body{display:grid;grid-template-columns:minmax(0,61fr) minmax(0,39fr);gap:1.6em;min-height:14.5em}.lv-basins-body .lv-fill{min-height:14.5em}.lv-basins-body .lv-fill canvas{cursor:pointer}.lv-basins[data-stale=true] canvas{visibility:hidden}.lv-waiting{position:absolute;inset:0;display:grid;place-content:center;text-align:center}.lv-optimum{display:grid;grid-template-columns:minmax(5em,36%) minmax(0,1fr);gap:1.2em;align-items:start;align-content:start}.lv-optimum h3{font-size:1em;font-weight:650;margin-bottom:0.4em}.lv-optimum dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.15em 0.9em;margin:0 0 0.8em;font-size:0.95em}.lv-optimum dt{color:var(--lv-muted)}.lv-optimum dd{margin:0;grid-column:2}@container (max-width: 1280px){.lv-says .lv-box{white-space:normal;height:2.9em}}@container (max-width: 1000px){.lv-transport{padding:0.35em 0.6em 0.5em}.lv-buttons,.lv-side{grid-row:auto}.lv-says{grid-column:1 / -1}.lv-buttons .lv-btn span,.lv-speed-word{display:none}.lv-truth-body{grid-template-columns:1fr 1fr}.lv-truth-body>:last-child{grid-column:1 / -1}.lv-basins-body{grid-template-columns:minmax(0,1fr)}.lv-optimum{grid-template-columns:9em minmax(0,1fr)}.lv-mosaics,.lv-rasters[data-wide=false]{grid-template-columns:minmax(0,1fr)}.lv-matrix-body{grid-template-columns:minmax(0,1fr)}.lv-pair{max-width:22em}.lv-why-body{grid-template-columns:1fr 1fr}.lv-who{grid-column:1 / -1;min-height:9em}.lv-who .lv-chips-row{grid-template-columns:repeat(6,minmax(0,7em))}.lv-views{grid-template-columns:1fr 1fr 2fr}.lv-curve{grid-column:1 / -1}.lv-curve .lv-fill{min-height:8em}.lv-board{grid-template-columns:minmax(9em,14%) minmax(0,1fr)}}@container (max-width: 860px){.lv-transport{grid-template-columns:minmax(0,1fr) auto}.lv-scrub{grid-column:1 / -1;order:-1}.lv-buttons{justify-content:space-between}}@container (max-width: 720px){.lv-buttons,.lv-says,.lv-side{grid-column:1 / -1}.lv-says{order:3}.lv-side{order:4;justify-content:space-between;align-items:center}.lv-speed-word{display:inline}.lv-lane-menus{order:3;flex-basis:100%}.lv-in{padding:0.6em;gap:0.6em}.lv-board{grid-template-columns:minmax(0,1fr);gap:0.6em}.lv-input{flex-direction:row;grid-row:auto;align-items:flex-start;flex-wrap:wrap}.lv-input>.lv-pixels-box{width:6.5em}.lv-input>div:last-child{flex:1}.lv-input .lv-caption{min-height:2.7em}.lv-views{grid-template-columns:1fr 1fr;gap:0.8em}.lv-latents{grid-column:1 / -1}.lv-latents .lv-fill{aspect-ratio:2;flex:none}.lv-full-colour .lv-box{white-space:normal;height:2.9em}.lv-matrices .lv-label{flex-direction:column;height:auto;gap:0}.lv-truth-body{grid-template-columns:minmax(0,1fr);gap:1em}.lv-optimum{grid-template-columns:6.5em minmax(0,1fr);gap:0.8em}.lv-why-body,.lv-partners{grid-template-columns:minmax(0,1fr);gap:0.8em}.lv-bars{padding-top:0}.lv-verdict .lv-box,.lv-verdict .lv-long{height:5.8em;min-height:5.8em}.lv-verdict .lv-long{height:auto}.lv-chips-row,.lv-partners .lv-chips-row,.lv-who .lv-chips-row{grid-template-columns:repeat(4,minmax(0,1fr))}.lv-says-key>:first-child{flex-basis:100%}.lv-told{padding:0.5em 0.6em;gap:0.4em}.lv-speed{flex-direction:row;align-items:center;gap:0.4em}.lv-btn{min-width:2.4em;padding:0}.lv-btn span{display:none}.lv-why>header .lv-row{flex-wrap:wrap;gap:0.35em}.lv .lv-small{min-width:2.6em;height:2.3em;padding:0 0.7em}}@media(max-height:560px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport){max-height:3.7em;overflow-y:auto;overscroll-behavior:contain;grid-template-columns:auto minmax(0,1fr);align-items:start;padding-top:0.3em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{order:0;grid-column:1;grid-row:auto}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-scrub{order:1;grid-column:2}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-says,.lv-side){grid-column:1 / -1;order:3}}@media(max-height:560px)and (min-width:481px){@container (max-width: 600px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{flex-wrap:wrap;justify-content:flex-start;width:14em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons>:is(:first-child,:nth-child(6),:nth-child(7),:last-child){order:1}}}@media(max-height:560px)and (max-width:480px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-buttons,.lv-scrub){grid-column:1 / -1}}@media print{.lv{height:auto;zoom:0.8}.lv,.lv-in{display:block;overflow:visible}.lv-in{padding:0}.lv-in>*{margin-bottom:1em}.lv-in>[data-part]{content-visibility:visible}.lv-card{break-inside:avoid;box-shadow:none}.lv-fill canvas{object-fit:contain}.lv-transport,.lv-told,.lv-foot,.lv .lv-btn,.lv-save-card{display:none}}@media(prefers-reduced-motion:no-preference){.lv-btn{transition:background 0.12s}}@media(forced-colors:active){.lv-check::before,.lv-key span::before,.lv-legend i{forced-color-adjust:none}.lv-pointed{outline:3px solid Highlight}}\n';
var STYLE = themed(".lv") + style_default;
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
var PIECE_TIMEOUT_MS = 3e4;
var FileSender = class {
  number = 0;
  sent = -1;
  file = null;
  waiting;
  constructor(send, failed) {
    this.send = send;
    this.failed = failed;
  }
  begin(file, words = {}) {
    this.stop();
    this.file = file;
    this.number += 1;
    this.send({ type: "begin", name: file.name, size: file.size, number: this.number, ...words });
  }
  concerns(number) {
    return !this.number || number === this.number;
  }
  async next(received) {
    const { file } = this;
    if (!file || received <= this.sent || received >= file.size) return;
    this.sent = received;
    let bytes;
    try {
      bytes = new Uint8Array(await file.slice(received, received + constants_default.piece_bytes).arrayBuffer());
    } catch {
      if (this.file === file) {
        this.stop();
        this.failed(file);
      }
      return;
    }
    if (this.file !== file) return;
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    this.send({ type: "piece", at: received, bytes: btoa(text) });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.again(received), PIECE_TIMEOUT_MS);
  }
  again(received) {
    if (this.sent !== received) return;
    this.sent = received - 1;
    this.next(received);
  }
  stop() {
    clearTimeout(this.waiting);
    this.file = null;
    this.sent = -1;
  }
};
var sending_default = ".lv progress{appearance:none;display:block;width:100%;height:0.5em;border:0;border-radius:0.25em;background:var(--lv-line);overflow:hidden}.lv progress::-webkit-progress-bar{background:var(--lv-line)}.lv progress::-webkit-progress-value{background:var(--lv-focus)}.lv progress::-moz-progress-bar{background:var(--lv-focus)}.lv progress:indeterminate{background:linear-gradient(90deg,var(--lv-line),var(--lv-focus),var(--lv-line)) 0 / 200% 100%;animation:lv-waiting 1.6s linear infinite}.lv progress:indeterminate::-webkit-progress-bar{background:none}@keyframes lv-waiting{to{background-position:-200% 0}}@media(prefers-reduced-motion:reduce){.lv progress:indeterminate{animation:none}}\n";
var upload_default = ".lv-own{height:auto;background:none;font-size:0.875rem;padding:0.4em 0.85em 0.9em}.lv-own-open{width:100%;border-color:color-mix(in srgb,var(--lv-muted) 60%,var(--lv-surface));height:2.5em}.lv-own dialog{visibility:visible;width:min(58em,calc(100vw - 1.5em));max-height:calc(100vh - 1.5em);overflow-y:auto;padding:1.2em 1.4em;border:1px solid var(--lv-line);border-radius:0.75em;background:var(--lv-surface);color:var(--lv-ink);font-size:0.9375rem;line-height:1.4}.lv-own dialog::backdrop{background:rgb(0 0 0 / 0.45)}.lv-own h2{justify-content:space-between;margin-bottom:0.6em}.lv-own h2 small{min-width:0;overflow-wrap:anywhere}.lv-drop{border:2px dashed color-mix(in srgb,var(--lv-muted) 60%,var(--lv-surface));border-radius:0.6em;padding:1.6em 1em;text-align:center;display:grid;gap:0.6em;justify-items:center}.lv-drop[data-over=true]{border-color:var(--lv-focus);background:var(--lv-faint)}.lv-drop .lv-btn,.lv-own footer .lv-btn{border-color:var(--lv-muted);padding:0 1em}.lv-own-scale{display:flex;gap:0.7em;align-items:end;margin-top:0.7em}.lv-own-scale label{flex:1;font-size:0.9em;color:var(--lv-muted)}.lv-own-scale .lv-btn{border-color:var(--lv-muted);white-space:nowrap}.lv-own-body{display:grid;grid-template-columns:minmax(0,55fr) minmax(0,45fr);gap:1.2em 1.6em;align-items:start}.lv-own-images{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:0.4em}.lv-own-fields{display:grid;grid-template-columns:minmax(0,1fr);gap:0.7em}.lv-own-fields .lv-label{flex-wrap:wrap;height:auto}.lv-own-fields label{display:grid;gap:0.15em;font-size:0.9em;color:var(--lv-muted)}.lv-own-fields label.lv-inline{display:flex;gap:0.5em;align-items:center;color:var(--lv-ink);font-size:1em}.lv-own input:not([type=range],[type=radio],[type=checkbox]),.lv-own select{font:inherit;font-size:1rem;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-muted);border-radius:0.4em;padding:0.3em 0.45em;width:100%;min-width:0}.lv-own-two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0.7em}.lv-own fieldset{border:0;padding:0;margin:0;display:flex;gap:0.3em 1.2em;flex-wrap:wrap}.lv-own legend{font-size:0.9em;color:var(--lv-muted);padding:0;margin-bottom:0.15em}.lv-own-histogram{height:5.5em;position:relative}.lv-own-histogram canvas{position:absolute;inset:0;height:100%}.lv-own .lv-label .lv-small{height:1.7em;min-width:0;padding:0 0.6em;margin-left:0.6em}.lv-own-range{width:100%;margin:0;accent-color:var(--lv-now);height:1.6em}.lv-own-facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.1em 0.9em;margin:0 0 0.9em;font-size:0.95em}.lv-own-facts dt{color:var(--lv-muted)}.lv-own-facts dd{margin:0}.lv-own footer{display:flex;justify-content:flex-end;gap:0.7em;margin-top:1.1em}.lv-own .lv-primary{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)!important;font-weight:650}.lv-own .lv-primary:hover{opacity:0.88;background:var(--lv-ink)}.lv-own-table{display:grid;gap:0.5em;margin-bottom:1em}.lv-own-table>label{display:grid;gap:0.15em;font-size:0.9em;color:var(--lv-muted);max-width:26em}.lv-own .lv-own-table .lv-complaint{margin:0}.lv-own-columns{border:1px solid var(--lv-line);border-radius:0.5em;max-height:17em;overflow-y:auto}.lv-own-columns>div{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,14em);gap:0.2em 1em;align-items:center;padding:0.3em 0.7em}.lv-own-columns>div+div{border-top:1px solid var(--lv-line)}.lv-own-columns .lv-inline{display:flex;gap:0.5em;align-items:baseline;min-width:0;overflow-wrap:anywhere}.lv-own-columns small{color:var(--lv-muted)}.lv-own-cut{display:flex;gap:0.5em;align-items:center;white-space:nowrap;color:var(--lv-muted);font-size:0.9em}.lv-own-columns [data-class=true] .lv-own-cut:not(.lv-own-class),.lv-own-columns :not([data-class=true])>.lv-own-class{display:none}.lv-own .lv-complaint{margin:0.7em 0 0;font-size:1em}.lv-own-done{color:var(--lv-good);margin-top:0.5em!important}@media(max-width:640px){.lv-own-body,.lv-own-columns>div{grid-template-columns:minmax(0,1fr)}.lv-own-columns>div>.lv-own-cut{padding-left:1.9em}.lv-own dialog{padding:0.9em}.lv-own .lv-btn span{display:inline}}\n";
var field = (label, node) => element("label", {}, label, node);
var inline = (node, text) => element("label", { class: "lv-inline" }, node, text);
var UploadBox = class {
  turn = 0;
  told = "";
  shown = null;
  meta;
  arrays;
  views = [];
  colours;
  file = element("input", { type: "file", accept: ".npz,.npy,.csv,.tsv,.txt,.zip,.gz", hidden: true, "aria-label": "File", onchange: () => this.begin(this.file.files?.[0]) });
  limit = element("p", { class: "lv-caption" });
  drop = element("div", { class: "lv-drop", ondragover: (event) => {
    event.preventDefault();
    this.drop.dataset.over = "true";
  }, ondragleave: () => {
    this.drop.dataset.over = "false";
  }, ondrop: (event) => {
    event.preventDefault();
    this.drop.dataset.over = "false";
    this.begin(event.dataTransfer?.files[0]);
  } }, element("p", {}, "Drop a file here, or"), element("button", { type: "button", class: "lv-btn", onclick: () => this.file.click() }, "Choose a file"), this.file, element("p", { class: "lv-caption" }, ".npz or .npy arrays, a .csv table with one image per line, or a .zip of PNG or JPEG images, one folder per class"), this.limit);
  scale = [this.number(1, 128), this.number(1, 128)];
  scaling = element("form", { class: "lv-own-scale", onsubmit: (event) => {
    event.preventDefault();
    this.rescale();
  } }, field("Height, pixels", this.scale[0]), field("Width, pixels", this.scale[1]), element("button", { type: "submit", class: "lv-btn" }, "Scale to this size"));
  progress = element("progress", { max: 1, value: 0, "aria-label": "Progress of the upload" });
  working = element("p", { class: "lv-caption", role: "status" });
  wait = element("div", {}, this.working, this.progress);
  complaint = element("p", { class: "lv-complaint", role: "alert" });
  done = element("p", { class: "lv-caption lv-own-done", role: "status" });
  name = element("input", { type: "text", maxlength: 60, onchange: () => this.tell() });
  height = this.number(1, 128, () => this.tell());
  width = this.number(1, 128, () => this.tell());
  share = this.number(5, 50, () => this.tell());
  seed = this.number(0, constants_default.max_seed, () => this.tell());
  labels = element("select", { onchange: () => this.tell() });
  question = element("p", { class: "lv-complaint", role: "alert", hidden: true });
  columns = element("div", { class: "lv-own-columns", role: "group", "aria-label": "Columns that are read" });
  table = element("div", { class: "lv-own-table", hidden: true }, this.question, field("Column of the classes", this.labels), this.columns);
  listed;
  said = "";
  rows = [];
  binary = element("input", { type: "radio", name: "kind", value: "binary", onchange: () => this.change() });
  grey = element("input", { type: "radio", name: "kind", value: "grey", onchange: () => this.change() });
  invert = element("input", { type: "checkbox", onchange: () => this.change() });
  threshold = element("input", { type: "range", min: 0.01, max: 0.99, step: 0.01, class: "lv-own-range", "aria-label": "Threshold", oninput: () => this.paint(), onchange: () => this.tell() });
  best = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => {
    this.threshold.value = String(this.meta?.otsu);
    this.change();
  } }, "Best");
  histogram = element("canvas", { role: "img" });
  thresholdLabel = element("span");
  thresholdValue = element("b");
  thresholds = element("figure", {}, element("div", { class: "lv-label" }, this.thresholdLabel, element("span", { class: "lv-row" }, this.thresholdValue, this.best)), element("div", { class: "lv-own-histogram" }, this.histogram), this.threshold);
  shareField = field("For testing, %", this.share);
  images = element("div", { class: "lv-own-images", role: "img" });
  facts = element("dl", { class: "lv-own-facts" });
  imagesLabel = element("span");
  cells = new VariableTable("Training rows, by variable; scrolls");
  become = element("span");
  inverts = element("span");
  shape = element("div", { class: "lv-own-two" }, field("Height, pixels", this.height), field("Width, pixels", this.width));
  preview = element("div", { class: "lv-own-body" }, element("div", {}, this.facts, element("div", { class: "lv-label" }, this.imagesLabel), this.images, this.cells.node), element("div", { class: "lv-own-fields" }, field("Name", this.name), element("fieldset", {}, element("legend", {}, this.become), inline(this.binary, "binary"), inline(this.grey, "standardised")), this.thresholds, element("label", { class: "lv-inline" }, this.invert, this.inverts), this.shape, element("div", { class: "lv-own-two" }, this.shareField, field("Seed of the split", this.seed))));
  accept = element("button", { type: "button", class: "lv-btn lv-primary", onclick: () => this.send({ type: "accept" }) }, "Accept");
  title = element("small");
  dialog = element("dialog", { "aria-labelledby": "own-title", oncancel: (event) => {
    event.preventDefault();
    this.close();
  }, onkeydown: (event) => event.stopPropagation() }, element("h2", { id: "own-title" }, "Your own data ", this.title), this.drop, this.wait, this.table, this.preview, this.complaint, this.scaling, element("footer", {}, element("button", { type: "button", class: "lv-btn", onclick: () => this.close() }, "Cancel"), this.accept));
  root = element("div", { class: "lv lv-own" }, element("style", {}, STYLE + sending_default + variables_default + upload_default), element("button", { type: "button", class: "lv-btn lv-own-open", onclick: () => this.open() }, "Use your own data…"), this.done, this.dialog);
  constructor(root, model, send) {
    this.model = model;
    this.send = send;
    this.sender = new FileSender(send, (file) => {
      this.complaint.textContent = `${file.name} can no longer be read. Choose it again.`;
    });
    root.append(this.root);
    this.unwatch = watchScheme(this.root, (dark) => {
      this.colours = coloursOf(dark);
      this.paint();
    });
    this.resizes = new ResizeObserver(() => this.paint());
    this.resizes.observe(this.histogram);
  }
  number(least, most, onchange) {
    return element("input", { type: "number", min: least, max: most, step: 1, onchange });
  }
  change() {
    this.paint();
    this.tell();
  }
  open() {
    this.done.textContent = "";
    this.follow();
    this.dialog.showModal();
  }
  close() {
    this.sender.stop();
    this.file.value = "";
    this.complaint.textContent = "";
    this.send({ type: "cancel" });
    this.dialog.close();
  }
  begin(file) {
    this.file.value = "";
    if (!file) return;
    this.complaint.textContent = "";
    this.sender.begin(file);
  }
  choose(choices) {
    this.turn = Math.max(this.turn, this.meta?.turn ?? 0) + 1;
    this.send({ type: "choose", turn: this.turn, ...choices });
  }
  ofTable() {
    const chosen = this.rows.map(({ read, cut }) => ({ read: read.checked || read.disabled, cut: cut?.value ?? "" }));
    return { labels: this.labels.value || "auto", left_out: chosen.flatMap(({ read }, n) => read ? [] : [n]), thresholds: chosen.map(({ cut }) => cut) };
  }
  tell() {
    if (!this.meta || this.preview.hidden) {
      this.tellDefaults({});
      return;
    }
    const whole = (node) => Math.max(-(2 ** 53), Math.min(2 ** 53, Math.round(Number(node.value)))) || 0;
    this.choose({ name: this.name.value, ...this.ofTable(), height: whole(this.height), width: whole(this.width), binary: this.binary.checked, threshold: Number(this.threshold.value), invert: this.invert.checked, share: Number(this.share.value) / 100, seed: whole(this.seed) });
  }
  rescale() {
    const [height, width] = this.scale.map((node) => Math.round(Number(node.value)) || 0);
    this.tellDefaults({ height, width });
  }
  tellDefaults({ height = 0, width = 0 }) {
    this.choose({ name: "", ...this.ofTable(), height, width, binary: true, threshold: 0.5, invert: false, share: 0.2, seed: 0 });
  }
  follow() {
    const { model } = this, { stage } = model, mib = 2 ** 20;
    if (!this.sender.concerns(model.number)) return;
    this.limit.textContent = `at most ${(model.limit / mib).toLocaleString("en", { maximumFractionDigits: 1 })} MiB, images of at most 128 × 128 pixels`;
    this.drop.hidden = stage !== "empty";
    this.wait.hidden = !["receiving", "reading", "accepting"].includes(stage);
    this.title.textContent = model.filename;
    if (stage === "reading" || stage === "preview") this.sender.stop();
    const { file } = this.sender;
    if (stage === "receiving" && file) {
      this.working.textContent = `Sending ${file.name}: ${mebibytes(model.received)} of ${mebibytes(file.size)} MiB`;
      this.progress.value = model.received / Math.max(1, file.size);
      this.sender.next(model.received);
    } else if (stage === "reading" || stage === "accepting") {
      this.working.textContent = stage === "reading" ? `Reading ${model.filename}…` : "Making the data set…";
      this.progress.removeAttribute("value");
    }
    this.complaint.textContent = model.error;
    this.scaling.hidden = !model.asks_shape;
    this.putTable();
    const known = model.preview?.byteLength ? model.preview : null;
    this.preview.hidden = this.accept.hidden = !known;
    this.accept.disabled = stage !== "preview";
    if (known && this.shown !== known) this.show(known);
    if (!model.accepted) this.told = "";
    else if (model.accepted !== this.told) {
      this.told = model.accepted;
      this.done.textContent = `${model.accepted} is in the menu of data sets.`;
      if (this.dialog.open) this.dialog.close();
    }
  }
  putChoices(meta) {
    const put = (node, value) => {
      if (node.getRootNode().activeElement !== node) node.value = String(value);
    };
    put(this.name, meta.name);
    put(this.threshold, meta.threshold);
    put(this.share, Math.round(100 * meta.test_share));
    put(this.seed, meta.seed);
    put(this.height, meta.image_shape?.[0] ?? "");
    put(this.width, meta.image_shape?.[1] ?? "");
    this[meta.binary ? "binary" : "grey"].checked = true;
    this.invert.checked = meta.invert;
  }
  putTable() {
    const { model, question } = this, known = "columns" in model.table ? model.table : void 0;
    this.table.hidden = !known || model.stage === "receiving";
    setText(question, model.question);
    question.hidden = !model.question;
    if (known === this.listed) return;
    this.listed = known;
    const { columns, turn } = known ?? { columns: [], turn: this.turn }, said = JSON.stringify(columns);
    if (said !== this.said || !known) {
      this.said = said;
      this.rows = columns.map((column) => this.row(column));
      this.columns.replaceChildren(...this.rows.map(({ node }) => node));
      this.columns.hidden = !columns.some((column) => column[8]);
      const places = columns.length ? columns.map(([n, , entry]) => [String(n), entry]) : [["0", "the first"], ["-1", "the last"]];
      this.labels.replaceChildren(...[["auto", "detect automatically"], ["none", "none"], ...places].map(([value, text]) => element("option", { value }, text)));
    }
    if (!known || turn < this.turn) return;
    const cuts = new Map(known.thresholds);
    this.labels.value = known.labels;
    this.rows.forEach(({ node, read, cut }, n) => {
      const isClass = known.labels === String(n);
      read.checked = !isClass && !known.left_out.includes(n);
      read.disabled = isClass;
      node.dataset.class = String(isClass);
      if (cut && cut.getRootNode().activeElement !== cut) cut.value = cuts.get(n) ?? "";
      if (cut) cut.disabled = isClass;
    });
  }
  row([, title, , kind, first, words, low, high]) {
    const read = element("input", { type: "checkbox", "aria-label": `Read ${title}`, onchange: () => this.tell() });
    let cut = null;
    const say = () => {
      if (cut?.value) read.checked = true;
      this.tell();
    };
    if (kind === "numbers") cut = element("input", { type: "number", step: "any", "aria-label": `${title} is 1 from`, onchange: say });
    else if (kind === "words") cut = element("select", { "aria-label": `${title} is 1 for`, onchange: say }, ...["", ...words].map((word) => element("option", { value: word }, word || "–")));
    const what = cut ? element("span", { class: "lv-own-cut" }, kind === "numbers" ? "1 from" : "1 for", cut) : element("span", { class: "lv-own-cut" }, `${words.find((word) => /^[yt]/i.test(word)) ?? "yes"} is 1`);
    const node = element("div", {}, element("label", { class: "lv-inline" }, read, element("span", {}, title, " ", element("small", {}, `${first}, …${kind === "numbers" ? ` (${low} to ${high})` : ""}`))), what, element("span", { class: "lv-own-cut lv-own-class" }, "the class"));
    return { node, read, cut };
  }
  show(data) {
    this.shown = data;
    const { meta, arrays } = unpack(data);
    this.meta = meta;
    this.arrays = arrays;
    if (meta.turn >= this.turn) this.putChoices(meta);
    this.shareField.hidden = meta.own_split;
    const names = meta.classes.map(([name, n2]) => `${name} (${n2})`);
    const facts = { [meta.variables ? "Rows" : "Images"]: `${many(meta.n)}: ${many(meta.n_train)} for training and ${many(meta.n_test)} for testing${meta.own_split ? ", as the file says" : ""}`, [meta.variables ? "Variables" : "Pixels"]: meta.variables ? many(meta.n_v) : meta.image_shape ? meta.image_shape.join(" × ") : `${meta.n_v}, of unknown height and width`, Values: `${meta.low} to ${meta.high}${meta.two_valued ? ", two values: binary as they are" : ""}`, Classes: names.length ? names.slice(0, 10).join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "") : "none" };
    if (meta.n_unknown) facts["Not known"] = `${many(meta.n_unknown)} of ${many(meta.n * meta.n_v)} values, ${meta.variables ? "hatched" : "shown in grey"}`;
    if (meta.notes.length) facts.Note = meta.notes.join(" ");
    this.facts.replaceChildren(...Object.entries(facts).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
    const [rows, columns] = meta.image_shape || [1, meta.n_v], n = arrays.intensity.length / meta.n_v;
    const canvases = Array.from({ length: n }, () => element("canvas", { class: "lv-pixels", "aria-hidden": "true" }));
    const { variables } = meta;
    setText(this.become, variables ? "Values become" : "Pixels become");
    setText(this.inverts, variables ? "1 stands for no (invert)" : "Ink is dark (invert)");
    this.shape.hidden = variables !== null;
    const label = `${n} training ${variables ? "rows" : "images"} as they will be trained on`;
    this.views = variables ? [] : canvases.map((canvas) => new PixelView(canvas, rows, columns));
    this.images.hidden = variables !== null;
    this.cells.node.hidden = variables === null;
    this.cells.load(variables ?? [], variables ? [{ label, n }] : []);
    this.images.replaceChildren(...variables ? [] : canvases);
    this.images.setAttribute("aria-label", label);
    this.paint();
  }
  paint() {
    if (!this.meta || !this.colours) return;
    const { meta, arrays, colours: { palette, tables } } = this, { n_v } = meta, binary = this.binary.checked, invert = this.invert.checked, at = Number(this.threshold.value);
    const grey = tables.ink[128];
    const middle = meta.two_valued ? 0.5 * (meta.least + meta.most) : at;
    const [rows, each] = meta.variables ? ["Training rows, a column for each", "variable's"] : ["Training images", "pixel's"];
    this.imagesLabel.textContent = binary ? `${rows}, as they will be trained on` : `${rows}, standardised: orange above each ${each} mean, blue below`;
    const colour = (at2) => {
      const value = binary ? arrays.intensity[at2] : arrays.standard[at2];
      if (Number.isNaN(value)) return grey;
      if (binary) return tables.ink[value >= middle - 1e-7 !== invert ? 255 : 0];
      return signedColour(tables.signed, (invert ? -1 : 1) * value / 3);
    };
    this.views.forEach((view, m) => view.paint((i) => colour(m * n_v + i)));
    if (meta.variables) {
      const unknown = (m, i) => Number.isNaN(arrays.intensity[m * n_v + i]);
      const hatch = meta.n_unknown ? { unknown, filled: false, colours: tables.hatch } : null;
      this.cells.paint(0, (m, i) => colour(m * n_v + i), hatch);
    }
    const cutting = binary && !meta.two_valued;
    this.threshold.hidden = this.best.hidden = !cutting;
    this.thresholdLabel.textContent = (meta.variables ? "Values" : "Intensities") + (cutting ? ", and the threshold" : "");
    this.thresholdValue.textContent = cutting ? at.toFixed(2) : "";
    this.paintHistogram(arrays.histogram, cutting ? at : null, invert, palette);
  }
  paintHistogram(counts, at, invert, palette) {
    const { histogram: canvas } = this;
    fitCanvas(canvas);
    const context = penOf(canvas), { width, height } = canvas, top = Math.log1p(counts.reduce((most, n) => Math.max(most, n), 1)), step = width / counts.length;
    context.clearRect(0, 0, width, height);
    let ink = 0, all = 0;
    counts.forEach((n, bin) => {
      const full = at === null || (bin + 0.5) / counts.length >= at !== invert, tall = n ? Math.max(1, Math.log1p(n) / top * (height - 4)) : 0;
      context.fillStyle = full ? palette.muted : palette.line;
      context.fillRect(bin * step, height - tall, Math.max(1, step - 0.5), tall);
      all += n;
      if (full) ink += n;
    });
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    if (at !== null) {
      context.fillStyle = palette.now;
      context.fillRect(at * width - 1.5, 0, 3, height);
    }
    const share = `${Math.round(100 * ink / all)} % of all ${this.meta?.variables ? "observations are on" : "pixels are ink"}`;
    if (at !== null) this.thresholdValue.textContent = `${at.toFixed(2)}: ${share.replace(/ of all \w+ are/, "")}`;
    canvas.setAttribute("aria-label", `Histogram of intensities${at === null ? "" : `, threshold ${at.toFixed(2)}, ${share}`}`);
  }
  remove() {
    this.sender.stop();
    this.unwatch();
    this.resizes.disconnect();
    this.root.remove();
  }
};
function render({ model, el }) {
  const host = hostOf(model), { send } = outbox(host), box = new UploadBox(el, model, send);
  const follow = () => box.follow();
  together({ stage: follow, number: follow, received: follow, filename: follow, error: follow, question: follow, asks_shape: follow, table: follow, preview: follow, accepted: follow, limit: follow }, host)();
  const back = ({ detail: { open } }) => {
    if (open) setTimeout(() => box.sender.again(model.received), 1500);
  };
  window.addEventListener("lrbn-connection", back);
  model.on("remove", () => {
    window.removeEventListener("lrbn-connection", back);
    box.remove();
  });
}
var upload_default2 = { render };
export { upload_default2 as default };
