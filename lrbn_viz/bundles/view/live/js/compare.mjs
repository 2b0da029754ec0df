// 8219d48485eb4415d8e655687899332e7e418e8236ff37991fcde8a86986a330
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
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
var captionedCard = (title, caption, ...content) => element("section", { class: "lv-card" }, element("h2", {}, title), caption.length ? element("p", { class: "lv-caption" }, ...caption) : null, ...content);
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
function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
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
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
var rowWords = (table) => table ? { row: "row", rows: "Rows", title: "Rows", cell: "observation", own: "Own observations" } : { row: "image", rows: "Image", title: "Images", cell: "pixel", own: "Own image" };
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
function legend(entries, title) {
  const samples = (mark, colours2) => colours2.split(" ").map((colour) => element("i", { "data-mark": mark, style: `--lv-swatch: var(--lv-${colour})` }));
  return element("div", { class: "lv-legend" }, title ? element("b", {}, title) : null, ...entries.map(([mark, colours2, words]) => element("span", {}, ...samples(mark, colours2), element("span", {}, ...[words].flat()))));
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
    const skip = ({ detail: part }) => {
      if (!this.root.isConnected) return;
      const node = this.placeOf(part) ?? this.root;
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
  placeOf(part) {
    return part ? null : this.root;
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
var SIDE = 112;
var GAP = 12;
var LETTER = 15;
var LINE = 20;
var NAMES = 260;
var NAMED = 150;
function sheet(title, note, rows, { image_shape, variables }, palette) {
  const [height, width] = variables ? [variables.length, 1] : image_shape, times = variables ? LINE : Math.max(1, Math.round(SIDE / Math.max(height, width))), named = variables ? NAMED : 0, across = Math.max(1, ...rows.map(({ images }) => images.length));
  const step = Math.max(width * times, 64) + GAP, canvas = element("canvas"), pen = penOf(canvas);
  const wrapped = (text) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines[lines.length - 1]} ${word}`.trim();
      if (pen.measureText(longer).width <= NAMES - GAP) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.filter(Boolean);
  };
  pen.font = `${LETTER}px ${FONT}`;
  const texts = rows.map(({ name, words }) => ({ bold: wrapped(name), plain: words.flatMap(wrapped) }));
  const tall = rows.map(({ below }, r) => Math.max(height * times + (below.length ? LINE : 0), LINE * (texts[r].bold.length + texts[r].plain.length)) + GAP);
  canvas.width = GAP + NAMES + named + across * step;
  canvas.height = 3 * GAP + 2 * LINE + tall.reduce((sum, value) => sum + value, 0);
  pen.fillStyle = palette.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "top";
  pen.fillStyle = palette.ink;
  pen.font = `650 ${LETTER + 3}px ${FONT}`;
  pen.fillText(title, GAP, GAP);
  pen.fillStyle = palette.muted;
  pen.font = `${LETTER}px ${FONT}`;
  pen.fillText(note, GAP, GAP + LINE + 4, canvas.width - 2 * GAP);
  let top = 2 * GAP + 2 * LINE;
  rows.forEach(({ images, below }, r) => {
    let line = top;
    for (const [kind, colour, weight] of [["bold", palette.ink, 650], ["plain", palette.muted, 400]]) {
      pen.fillStyle = colour;
      pen.font = `${weight} ${LETTER}px ${FONT}`;
      for (const text of texts[r][kind]) {
        pen.fillText(text, GAP, line);
        line += LINE;
      }
    }
    variables?.forEach((name, i) => pen.fillText(name, GAP + NAMES, top + i * times + (times - LETTER) / 2, NAMED - GAP));
    pen.imageSmoothingEnabled = false;
    images.forEach((colourAt, i) => {
      const small = element("canvas"), left = GAP + NAMES + named + i * step;
      new PixelView(small, height, width).paint(colourAt);
      pen.drawImage(small, left, top, width * times, height * times);
      pen.strokeStyle = palette.line;
      pen.strokeRect(left - 0.5, top - 0.5, width * times + 1, height * times + 1);
      if (below[i]) pen.fillText(below[i], left, top + height * times + 4);
    });
    top += tall[r];
  });
  return canvas;
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
var compare_default = ".lv-compare h2{margin-bottom:0.3em}.lv-compare h2+.lv-caption{margin-bottom:0.8em}.lv-compare .lv-legend{margin:0.7em 0}.lv-compare .lv-caption{max-width:62em;color:var(--lv-muted)}.lv-compare .lv-caption:empty{display:none}.lv-progress{min-height:1.5em;color:var(--lv-muted);margin-top:0.5em}.lv-row{display:flex;gap:0.4em;flex-wrap:wrap}.lv-systems{list-style:none;margin:0.6em 0 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(17em,1fr));gap:0.4em 1em}.lv-systems li{display:flex;gap:0.5em;align-items:flex-start}.lv-systems input{font:inherit;width:1.2em;height:1.2em;margin:0.35em 0 0;flex:none;accent-color:var(--lv-focus)}.lv-systems label{display:flex;gap:0.5em;align-items:flex-start;cursor:pointer;padding:0.15em 0;min-width:0}.lv-systems small{display:block;color:var(--lv-muted);font-size:0.88em}.lv-no{display:inline-grid;place-content:center;min-width:1.6em;height:1.6em;border-radius:0.4em;font-weight:650;font-size:0.9em;flex:none;color:var(--lv-surface);background:var(--lv-muted)}.lv-no[data-inference=states]{background:var(--lv-lane0);border-radius:50%}.lv-no[data-inference=exact]{background:var(--lv-lane1);border-radius:0.15em}.lv-no[data-inference=means]{background:var(--lv-minus)}.lv-compare .lv-own{margin-top:1.2em}.lv-systems .lv-none{grid-column:1 / -1}.lv-systems+.lv-caption{margin-top:0.6em}.lv-drawn+.lv-row,div+.lv-row{margin-top:0.6em}.lv-scroll{overflow-x:auto}.lv-scroll:focus-visible,.lv-name:focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv-seen{--lv-names: 13em;border-collapse:separate;border-spacing:0;table-layout:fixed;width:100%;min-width:calc(var(--lv-names) + var(--lv-n, 8) * 4.4em);font-size:0.95em}.lv-seen th,.lv-seen td{padding:0.35em 0.3em;text-align:center;vertical-align:top;font-weight:400;border-bottom:1px solid var(--lv-line)}.lv-seen tbody th,.lv-seen thead th:first-child{text-align:left;width:var(--lv-names);position:sticky;left:0;z-index:1;background:var(--lv-surface);padding-left:0.6em}.lv-seen :is(td,thead th+th) small{overflow-wrap:anywhere}.lv-seen small{display:block;color:var(--lv-muted);font-size:0.88em;line-height:1.35}.lv-seen img,.lv-strip-now img{max-width:7em;margin:0 auto}.lv-seen tr[data-chosen=true]>*{background:color-mix(in srgb,var(--lv-now) 16%,var(--lv-surface))}.lv-seen tr[data-chosen=true]>th{box-shadow:inset 4px 0 var(--lv-now)}.lv-name{font:inherit;font-weight:650;color:var(--lv-ink);background:none;border:0;padding:0.1em 0.2em;margin-left:-0.2em;cursor:pointer;text-align:left;border-radius:0.3em;display:inline-flex;gap:0.45em;align-items:center}.lv-name:hover{background:var(--lv-faint)}.lv-name[aria-pressed=true]{text-decoration:underline;text-decoration-color:var(--lv-now);text-decoration-thickness:0.2em;text-underline-offset:0.25em}.lv-figures{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.4em}.lv-figure{min-width:0;display:flex;flex-direction:column}.lv-figure-head{display:flex;flex-direction:column;gap:0.4em;margin-bottom:0.4em}.lv-compare h3{font-size:1em;font-weight:650}.lv-compare .lv-small{height:2em;padding:0 0.7em;min-width:3.2em}.lv-plot:has(.lv-plot-in){min-height:22em}.lv-plot-in{width:100%}.lv-figure figcaption{margin-top:0.5em}.lv-figure figcaption p+p{margin-top:0.4em}.lv-choose{display:flex;gap:0.2em 1em;flex-wrap:wrap;margin:0.3em 0 0.9em}.lv-now-chosen{border:1px solid var(--lv-line);border-left:4px solid var(--lv-now);border-radius:0.5em;padding:0.6em 0.8em;margin-bottom:1.2em}.lv-now-chosen p{margin-bottom:0.4em}.lv-strip-now{display:grid;grid-template-columns:repeat(var(--lv-n, 8),minmax(0,1fr));gap:0.4em;max-width:60em}.lv-drawn{display:grid;grid-template-columns:minmax(9em,13em) minmax(0,1fr);gap:0.6em 1em;align-items:center}.lv-drawn[data-chosen=true]{background:color-mix(in srgb,var(--lv-now) 16%,var(--lv-surface));box-shadow:inset 4px 0 var(--lv-now)}.lv-drawn{padding:0.4em 0.6em;border-bottom:1px solid var(--lv-line)}.lv-compare .lv-caption a{color:var(--lv-focus)}.lv-paper{border-collapse:collapse;width:100%;font-size:0.95em;margin:0.2em 0 0.6em}.lv-paper th,.lv-paper td{padding:0.3em 0.6em;border-bottom:1px solid var(--lv-line);text-align:left;font-weight:400;white-space:nowrap}.lv-figure-table{min-width:0}.lv-figure-table:empty{display:none}.lv-figure-table thead th{white-space:normal}.lv-figure:has(.lv-figure-table>*){grid-column:1 / -1;display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 1.8em;align-items:start}.lv-figure:has(.lv-figure-table>*)>:not(.lv-figure-table){grid-column:1}.lv-figure>.lv-figure-table{grid-column:2;grid-row:1 / span 3}.lv-figure:nth-child(odd):has(+.lv-figure>.lv-figure-table>*){grid-column:1 / -1;display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 1.8em;align-items:start}.lv-figure:nth-child(odd):has(+.lv-figure>.lv-figure-table>*)>.lv-figure-head{grid-column:1 / -1}.lv-paper thead th{color:var(--lv-muted);vertical-align:bottom}.lv-paper :is(td,th)[data-source=reported],.lv-paper :is(td,th)[data-source=measured]{text-align:right}.lv-paper :is(td,th)[data-source=reported]{background:var(--lv-faint)}.lv-paper small{color:var(--lv-muted)}.lv-papers>div+div{margin-top:1.4em}.lv-papers .lv-caption+.lv-caption{margin-top:0.3em}@container (max-width: 720px){.lv-figures{grid-template-columns:minmax(0,1fr)}.lv-figure:has(.lv-figure-table>*),.lv-figure:nth-child(odd):has(+.lv-figure>.lv-figure-table>*){grid-template-columns:minmax(0,1fr)}.lv-figure>.lv-figure-table{grid-column:1;grid-row:auto;margin-top:0.8em}.lv-drawn{grid-template-columns:minmax(0,1fr)}.lv-strip-now{grid-template-columns:repeat(6,minmax(0,1fr))}.lv-seen{--lv-names: 8.5em}.lv-systems{grid-template-columns:minmax(0,1fr)}}.lv-compare .lv-columns>figure{min-width:9.5em}.lv-compare .lv-columns>figure small{display:block;color:var(--lv-muted)}.lv-compare .lv-columns [data-chosen=true]{box-shadow:inset 3px 0 0 var(--lv-now);padding-left:0.5em}.lv-strip-now[data-table]{display:block}\n";
var mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
var colourOf = (x, truth, i, ink, signed) => x && truth && truth[i] !== x[i] ? signed[x[i] ? 510 : 0] : ink[x?.[i] ? 255 : 0];
var ComparePage = class extends Page {
  menu = { dataset: "", images: "", most: 0, systems: [], leftOut: "", chosen: "" };
  cards = [];
  painters = { seen: [], drawn: [], chosen: [] };
  systems = element("ul", { class: "lv-systems" });
  own = element("ul", { class: "lv-systems", "aria-label": "Models of this session" });
  leftOut = element("p", { class: "lv-caption" });
  most = element("p", { class: "lv-caption", role: "status" });
  progress = element("p", { class: "lv-progress", role: "status" });
  seen = element("div", { class: "lv-scroll", role: "region", "aria-label": "The same test images through all systems", tabindex: "0" });
  chooser = element("div", { class: "lv-choose", role: "group", "aria-label": "Highlight a system" });
  seenLegend = element("div");
  values = element("span");
  seenTitle = element("span");
  seenWords = element("span");
  drawnWords = element("span");
  chosen = element("div", { class: "lv-now-chosen", hidden: true });
  drawn = element("div");
  constructor(root, say, words, whole = () => true) {
    super(variables_default + compare_default, "lv lv-compare");
    this.words = words;
    this.whole = whole;
    setAttribute(this.systems, "aria-label", words.shipped);
    this.other = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => say({ type: "other" }, this.other.textContent ?? "") });
    this.legend(false);
    this.say = say;
    const save = (what, act) => element("button", { type: "button", class: "lv-btn lv-small", "data-kind": "images", "aria-label": `${what}: save as PNG`, onclick: act }, "Save as PNG");
    this.drawnCard = captionedCard("Samples", [this.drawnWords], this.drawn, element("div", { class: "lv-row" }, save("Samples of all systems", () => this.saveImages("samples"))));
    this.content = element("div", { class: "lv-in" }, captionedCard("Systems", [`Tick the systems that are compared. ${words.marks} `, this.values], this.systems, element("h3", { class: "lv-own" }, "Models of this session"), this.own, this.leftOut, this.most, this.progress), captionedCard(this.seenTitle, [this.seenWords], this.seen, this.seenLegend, element("div", { class: "lv-row" }, this.other, save("Reconstructions of all systems", () => this.saveImages("reconstructions")))), this.drawnCard);
    this.root.append(this.content, this.live, this.tipNode);
    this.appear(root, "lrbnComparisons", { key: () => {
    }, scheme: (dark) => {
      this.dark = dark;
      this.colours = coloursOf(dark);
      this.paintImages();
      for (const each of this.cards) each.embed(dark);
    }, resized: () => {
    } });
  }
  entry(name) {
    return this.menu.systems.find((system) => system.name === name);
  }
  get compared() {
    return this.menu.systems.filter(({ number: n }) => n).sort((a, b) => a.number - b.number);
  }
  highlight(name) {
    this.say({ type: "highlight", system: name }, "highlighting a system");
  }
  badge({ number: n, inference }) {
    return element("span", { class: "lv-no", "data-inference": inference, "aria-hidden": "true" }, String(n));
  }
  nameButton(entry) {
    return element("button", { type: "button", class: "lv-name", "data-system": entry.name, "aria-pressed": String(entry.name === this.menu.chosen), onclick: () => this.highlight(entry.name) }, this.badge(entry), element("span", {}, entry.title));
  }
  setMenu(menu) {
    const before = this.menu;
    this.menu = menu;
    if (JSON.stringify([before.systems, before.leftOut]) !== JSON.stringify([menu.systems, menu.leftOut]) || !this.own.firstChild) {
      this.fillSystems();
      const at = this.root.getRootNode().activeElement?.getAttribute("data-system");
      this.chooser.replaceChildren(...this.compared.map((entry) => this.nameButton(entry)));
      if (at) this.chooser.querySelector(`[data-system="${CSS.escape(at)}"]`)?.focus();
    }
    this.showChosen();
    if (before.chosen !== menu.chosen) this.live.textContent = menu.chosen ? `${this.entry(menu.chosen)?.title} is highlighted.` : "No system is highlighted.";
  }
  fillSystems() {
    const root = this.root.getRootNode(), focused = root.activeElement?.getAttribute("data-tick");
    const count = this.compared.length;
    const item = (entry) => {
      const tick = element("input", { type: "checkbox", "data-tick": entry.name, onchange: () => {
        const sent = this.say({ type: "compare", system: entry.name, on: tick.checked }, tick.checked ? "comparing one more system" : "comparing one system fewer");
        if (!sent) tick.checked = !tick.checked;
      } });
      tick.checked = entry.number > 0;
      tick.disabled = count === 1 && tick.checked || count >= this.menu.most && !tick.checked;
      return element("li", {}, element("label", {}, tick, entry.number ? this.badge(entry) : null, element("span", {}, entry.title, element("small", {}, entry.words))));
    };
    const own = this.menu.systems.filter((entry) => entry.own);
    this.systems.replaceChildren(...this.menu.systems.filter((entry) => !entry.own).map(item));
    this.own.replaceChildren(...own.length ? own.map(item) : [element("li", { class: "lv-none" }, element("small", {}, this.words.none))]);
    setText(this.leftOut, this.menu.leftOut);
    setText(this.most, count >= this.menu.most ? `${count} systems are compared, as many as fit. Untick one to compare another.` : "");
    if (focused) this.root.querySelector(`[data-tick="${CSS.escape(focused)}"]`)?.focus();
  }
  showChosen() {
    const { chosen } = this.menu;
    for (const node of this.root.querySelectorAll(".lv-name")) node.setAttribute("aria-pressed", String(node.getAttribute("data-system") === chosen));
    for (const node of this.root.querySelectorAll("[data-of]")) node.setAttribute("data-chosen", String(node.getAttribute("data-of") === chosen));
    for (const card of this.cards) card.highlight(chosen);
    this.fillChosen();
  }
  setProgress(text) {
    setText(this.progress, text);
    this.root.setAttribute("aria-busy", String(text !== ""));
  }
  setPictures(block) {
    const { meta, arrays } = unpack(block);
    this.pictures = meta;
    this.arrays = arrays;
    this.fillSeen();
    this.fillDrawn();
    this.fillChosen();
  }
  image(name, at) {
    const { pictures, arrays } = this;
    if (!pictures || !arrays?.[name]) return null;
    const [rows, columns] = pictures.image_shape, bytes = Math.ceil(rows * columns / 8);
    return unpackBits(arrays[name].subarray(at * bytes, (at + 1) * bytes), rows * columns);
  }
  table(part, label, variables, groups) {
    const table = new VariableTable(label);
    table.load(variables, groups.map(({ columns, made: made2 }) => ({ ...columns, n: made2.length })));
    const paint = () => {
      if (!this.colours) return;
      const { ink, signed, hatch } = this.colours.tables, unknown = (this.pictures?.rows ?? []).map((_, m) => this.image("unknown", m));
      groups.forEach(({ made: made2, truth, observed }, group) => table.paint(group, (m, i) => colourOf(made2[m], unknown[m]?.[i] ? null : truth?.[m] ?? null, i, ink, signed), observed && unknown[0] ? { unknown: (m, i) => unknown[m]?.[i] === 1, filled: truth !== null, colours: hatch } : null));
    };
    paint();
    this.painters[part].push(paint);
    return table.node;
  }
  seenTable({ rows, classes, seen }, variables) {
    const truth = rows.map((_, i) => this.image("x", i));
    const given = `${rows.map((row, i) => `${classes[i]}, no. ${row}`).join("; ")}`;
    return this.table("seen", "Test rows and reconstructions, by variable; scrolls", variables, [{ columns: { title: "Test rows", label: `test rows: ${given}`, foot: element("small", {}, given) }, made: truth, truth: null, observed: true }, ...seen.map((each, place) => {
      const entry = this.entry(each.name), title = entry?.title ?? each.name, wrong = each.done ? `${each.wrong.join(", ")} wrong` : "";
      return { columns: { title, label: `reconstructions of ${title}: ${wrong || each.error || "waiting"}`, foot: element("div", { "data-of": each.name, "data-chosen": String(each.name === this.menu.chosen) }, entry ? this.nameButton(entry) : each.name, ...[wrong, ...this.aboutSeen(each, "observations")].map((words) => element("small", {}, words))) }, made: rows.map((_, i) => each.done ? this.image(`${place}.made`, i) : null), truth, observed: true };
    })]);
  }
  aboutSeen(seen, cells) {
    return seen.done ? [`${number(mean(seen.wrong))} wrong ${cells}`, `${number(mean(seen.on))} latents on`, `${capital(seen.how)}: ${number(seen.milliseconds, seen.milliseconds < 0.1 ? 3 : seen.milliseconds < 10 ? 2 : 1)} ms ${cells === "pixels" ? "an image" : "a row"}`] : [seen.error || "is waiting for its turn"];
  }
  picture(part, pixels, truth, alt) {
    const [rows, columns] = this.pictures.image_shape;
    const image = element("img", { class: "lv-pixels", alt }), view = new StillView(image, rows, columns);
    const paint = () => {
      if (!this.colours) return;
      const { ink, signed } = this.colours.tables;
      view.paint((i) => colourOf(pixels, truth, i, ink, signed));
    };
    paint();
    this.painters[part].push(paint);
    return image;
  }
  paintImages() {
    for (const paint of Object.values(this.painters).flat()) paint();
  }
  legend(table) {
    const { row, cell: cell2 } = rowWords(table);
    setText(this.values, table ? "Each observation is 0 or 1." : "All images are thresholded: each pixel is 0 or 1.");
    setText(this.other, inRows("Other images", table));
    setText(this.seenTitle, inRows("The same test images", table));
    setText(this.seenWords, table ? "Each system infers its latents from a test row and decodes them again: a column for each row of the data, first as observed. The nearer the columns of a system are to these, the better. Press a name to highlight that system everywhere." : "Each system infers its latents from a test image and decodes them again. The nearer a row is to the images above it, the better. Press a name to highlight that system everywhere.");
    setText(this.drawnWords, `${table ? "Rows" : "Images"} that each system draws by itself, by the seed of this page: ${this.words.exact} The more they look like the test ${row}s, the better.`);
    this.seenLegend.replaceChildren(legend([["square", "ink", `${table ? "an" : "a"} ${cell2} that is 1`], ["square", "plus", "wrong: 1 in the reconstruction alone"], ["square", "minus", `wrong: 1 in the ${row} alone`]]));
  }
  fillSeen() {
    const { pictures } = this;
    if (!pictures) return;
    this.painters.seen = [];
    this.legend(pictures.variables !== null);
    if (pictures.variables) return this.seen.replaceChildren(this.seenTable(pictures, pictures.variables));
    const numbers = pictures.rows.map((_, i) => i);
    const head = element("tr", {}, element("th", { scope: "col" }, "Test image"), ...numbers.map((i) => element("th", { scope: "col" }, this.picture("seen", this.image("x", i), null, `test image ${pictures.rows[i]}`), element("small", {}, `${pictures.classes[i]}, no. ${pictures.rows[i]}`))));
    const rows = pictures.seen.map((seen, place) => {
      const entry = this.entry(seen.name);
      const about = this.aboutSeen(seen, "pixels");
      const cells = numbers.map((i) => {
        const made2 = seen.done ? this.image(`${place}.made`, i) : null;
        if (!made2) return element("td", {}, element("small", {}, seen.error ? "" : "…"));
        const wrong = seen.wrong[i];
        return element("td", {}, this.picture("seen", made2, this.image("x", i), `reconstruction of test image ${pictures.rows[i]}, ${wrong} pixels wrong`), element("small", {}, `${wrong} wrong`));
      });
      return element("tr", { "data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen) }, element("th", { scope: "row" }, entry ? this.nameButton(entry) : seen.name, ...about.map((words) => element("small", {}, words))), ...cells);
    });
    const root = this.root.getRootNode(), focused = this.seen.contains(root.activeElement) ? root.activeElement?.getAttribute("data-system") : null;
    this.seen.replaceChildren(element("table", { class: "lv-seen", style: `--lv-n: ${numbers.length}` }, element("thead", {}, head), element("tbody", {}, ...rows)));
    this.seen.append(element("p", { class: "lv-caption" }, this.words.timed));
    if (focused) this.seen.querySelector(`[data-system="${CSS.escape(focused)}"]`)?.focus();
  }
  fillDrawn() {
    const { pictures } = this;
    if (!pictures) return;
    this.painters.drawn = [];
    if (pictures.variables) return this.drawn.replaceChildren(this.table("drawn", "Samples of all systems, by variable; scrolls", pictures.variables, pictures.seen.map((seen, place) => {
      const entry = this.entry(seen.name), title = entry?.title ?? seen.name;
      return { columns: { title, label: `samples of ${title}`, foot: element("div", { "data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen) }, entry ? this.nameButton(entry) : title) }, made: pictures.rows.map((_, i) => seen.done ? this.image(`${place}.samples`, i) : null), truth: null };
    })));
    this.drawn.replaceChildren(...pictures.seen.map((seen, place) => {
      const entry = this.entry(seen.name), strip = element("div", { class: "lv-strip-now", style: `--lv-n: ${pictures.rows.length}` });
      if (seen.done) {
        strip.append(...pictures.rows.map((_, i) => this.picture("drawn", this.image(`${place}.samples`, i), null, `sample ${i + 1} of ${entry?.title}`)));
      } else strip.textContent = "…";
      return element("div", { class: "lv-drawn", "data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen) }, entry ? this.nameButton(entry) : element("span", {}, seen.name), strip);
    }));
  }
  async saveImages(kind) {
    const { pictures, colours: colours2 } = this;
    if (!pictures || !colours2) return;
    const { ink, signed } = colours2.tables, made2 = kind === "reconstructions";
    const plain = (x) => (i) => ink[x?.[i] ? 255 : 0];
    const marked = (x, truth) => (i) => colourOf(x, truth, i, ink, signed);
    const rows = [{ name: pictures.variables ? "Test rows" : "Test images", words: [this.menu.images], images: pictures.rows.map((_, i) => plain(this.image("x", i))), below: pictures.rows.map((row, i) => `${pictures.classes[i]}, no. ${row}`) }];
    pictures.seen.forEach((seen, place) => {
      const entry = this.entry(seen.name), of = pictures.rows.map((_, i) => this.image(`${place}.${made2 ? "made" : "samples"}`, i));
      rows.push({ name: `${entry?.number ?? ""} ${entry?.title ?? seen.name}`, images: of.flatMap((x, i) => x ? [made2 ? marked(x, this.image("x", i)) : plain(x)] : []), words: !seen.done ? [seen.error || "not done yet"] : made2 ? [`${number(mean(seen.wrong))} wrong ${pictures.variables ? "observations" : "pixels"}`, capital(seen.how)] : [entry?.words ?? ""], below: made2 && seen.done ? seen.wrong.map((wrong) => `${wrong} wrong`) : [] });
    });
    const kindOf = pictures.variables ? "row" : "image";
    const title = made2 ? `Reconstructions of test ${kindOf}s` : `Samples, below test ${kindOf}s`;
    const note = made2 ? `Orange: 1 in the reconstruction alone. Blue: 1 in the ${kindOf} alone.` : "Drawn by each system itself.";
    const blob = await new Promise((done) => sheet(title, note, rows, pictures, colours2.palette).toBlob(done, "image/png"));
    if (blob) download(blob, `${kind}-${this.menu.dataset}.png`);
  }
  fillChosen() {
    const { pictures } = this, place = pictures?.seen.findIndex(({ name }) => name === this.menu.chosen) ?? -1;
    const entry = this.entry(this.menu.chosen), seen = pictures?.seen[place];
    this.painters.chosen = [];
    this.chosen.hidden = !pictures || !entry || !seen;
    if (!pictures || !entry || !seen) return this.chosen.replaceChildren();
    const strip = element("div", { class: "lv-strip-now", style: `--lv-n: ${pictures.rows.length}` });
    strip.toggleAttribute("data-table", pictures.variables !== null);
    if (seen.done && pictures.variables) {
      const truth = pictures.rows.map((_, i) => this.image("x", i)), made2 = pictures.rows.map((_, i) => this.image(`${place}.made`, i));
      strip.append(this.table("chosen", "Test rows and reconstructions, by variable; scrolls", pictures.variables, [{ columns: { title: "Test rows", label: "test rows" }, made: truth, truth: null, observed: true }, { columns: { title: "Reconstructions", label: `reconstructions of ${entry.title}` }, made: made2, truth, observed: true }]));
    } else if (seen.done) {
      strip.append(...pictures.rows.map((row, i) => this.picture("chosen", this.image(`${place}.made`, i), this.image("x", i), `reconstruction of test image ${row}`)));
    }
    const words = seen.done ? `: ${number(mean(seen.wrong))} wrong ${pictures.variables ? "observations on these rows" : "pixels on these images"}, ${entry.words}` : " is waiting for its turn";
    this.chosen.replaceChildren(element("p", {}, element("b", {}, entry.title), words), strip);
  }
  state() {
    return { dataset: this.menu.dataset, chosen: this.menu.chosen, systems: this.compared.map(({ name }) => name), rows: this.pictures?.rows ?? [], done: this.pictures?.seen.filter(({ done }) => done).map(({ name }) => name) ?? [], progress: this.progress.textContent };
  }
  remove() {
    this.vanish?.();
  }
};
function cell(value, { digits }) {
  if (value === null) return "";
  if (typeof value === "number") return number(value, digits);
  if (typeof value === "string") return value;
  return number(value.value, digits) + (value.standard_error ? ` ± ${number(value.standard_error, digits)}` : "");
}
function tableNode({ title, columns, rows, notes }) {
  const head = columns.map(({ name, source }) => element("th", { scope: "col", "data-source": source }, name));
  const body = rows.map((row) => element("tr", {}, ...row.map((value, i) => element(i ? "td" : "th", { "data-source": columns[i].source, ...i ? {} : { scope: "row" } }, cell(value, columns[i])))));
  const region = element("div", { class: "lv-scroll", role: "region", "aria-label": title, tabindex: "0" }, element("table", { class: "lv-paper" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
  return element("div", {}, element("h3", {}, title), region, ...notes.map((note) => element("p", { class: "lv-caption" }, note)));
}
var table_default = { data: { kernels: 0, learning: 2048, measuring: 2048 }, constants: { lanes: 32, group: 4, gradients: { standard: 0, centred: 1, enhanced: 2 }, priors: { flat: 0, learned: 1, warmed: 2 }, annealing: { power: 3, n_chains: 500, n_sweeps: 100, max_enumerated: 20 }, precisions: { f8: { limits: [600, 600, 600], refresh: 1024, floor: 1e-280, tolerance: 1e-9 }, f4: { limits: [600, 80, 60], refresh: 256, floor: 1e-37, tolerance: 1e-4 } }, means: { kinds: { linear: 0, gaussian: 1, quadratic: 2, tilted: 3 }, scratch: 3 } }, tuples: { KernelParams: { gaussian: "?", W: "f8[:, :]", factor: "f8[:, :]", weight: "f8[:]", b: "f8[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f8[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f8[:, :]", on: "f8[:, :]", off: "f8[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" }, Record: { unit: "i4[:]", after: "u1[:]", flipped: "?[:]", log_odds: "f8[:]", log_joint: "f8[:]", sweep: "i4[:]" }, Machine: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", precision: "f8[:]" }, Visits: { unit: "i4[:]", after: "u1[:]", log_odds: "f8[:]", log_joint: "f8[:]" }, MeansParams: { kinds: "i8[:]", first: "i8[:]", n_v: "i8", weights: "f8[:]", bias: "f8[:]", exact: "?", experts: "f8[:, :]", offsets: "f8[:]", log_joints: "f8[:]" }, MeansState: { units: "f8[:, :]", tilts: "f8[:, :]", upper: "f8[:]", sums: "f8[:]" }, MeansRecord: { unit: "i4[:]", after: "f8[:]", flipped: "?[:]", log_odds: "f8[:]", bound: "f8[:]", sweep: "i4[:]" }, Rows: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]" }, GradientSteps: { learning_rate: "f8", decay_b: "?", decay_steps: "f8", prior: "i8", weight_decay: "f8", nonnegative: "?", warm_up: "f8", momentum: "f8" }, Centres: { mu: "f4[:]", lam: "f4[:]" }, LayerNetworks: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", V: "f4[:, :]", c: "f4[:]" }, Uniforms: { H: "f4[:, :]", dreamt_H: "f4[:, :]", dreamt_X: "f4[:, :]" }, KernelParams32: { gaussian: "?", W: "f4[:, :]", factor: "f4[:, :]", weight: "f8[:]", b: "f4[:]", d: "f8[:]", chunk: "i8[:]", whole: "?[:]", gram: "f8[:, :]", rows: "f4[:, :]", n_together: "i8", n_v: "i8", refresh: "i8", floor: "f8", tolerance: "f8" }, InferenceState32: { latent: "u1[:, :]", evidence: "f8[:, :]", base: "f8[:]", activation: "f4[:, :]", on: "f4[:, :]", off: "f4[:, :]", coupling: "f8[:, :]", squares: "f8[:, :]", since_refresh: "i8[:]", saturated: "?[:]", partly: "?[:]", unknown: "?[:, :]", stream: "u8[:]" } }, functions: { fill_thresholds: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", log_odds: "f8[:]" }, pass_up: { rows: "f8[:, :]", offset: "f8[:]", below: "f8[:]", scale: "f8", held: "f8[:]", log_odds: "f8[:]", means: "f8[:]" }, begin_means: { params: "MeansParams", state: "MeansState" }, update_means: { params: "MeansParams", state: "MeansState", units: "i4[:]", guess: "f8[:]", n_sweeps: "i8", most: "f8[:]", cursor: "i8[:]", record: "MeansRecord", n_visits: "i8" }, fill_factors: { W: "f8[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f8[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images: { params: "KernelParams", state: "InferenceState", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts: { params: "KernelParams", state: "InferenceState", paper: "?" }, fill_gram: { rows: "f8[:, :]", gram: "f8[:, :]" }, begin: { params: "KernelParams", state: "InferenceState" }, update_latents: { params: "KernelParams", state: "InferenceState", order: "i8", units: "i4[:, :]", temperatures: "f8[:]", at_once: "f8[:]", total: "f8[:]", cursor: "i8[:]", record: "Record", n_visits: "i8" }, fill_log_odds: { params: "KernelParams", state: "InferenceState", log_odds: "f8[:, :]" }, enumerate_joints: { params: "KernelParams", state: "InferenceState", log_joints: "f8[:]" }, place_visible: { machine: "Machine", x: "f8[:]", fixed: "f8[:]" }, visit_independent: { machine: "Machine", x: "f8[:]", fixed: "f8[:]", u: "f8[:]", h: "u1[:]", total: "f8[:]", cursor: "i8[:]", visits: "Visits", n_visits: "i8" }, fill_terms: { kind: "i8", w: "f8[:]", b: "f8[:]", x: "f8[:]", a: "f8[:]", evidence: "f8[:]", alone: "f8[:]", others: "f8[:]" }, activate_image: { rows: "f8[:, :]", b: "f8[:]", h: "u1[:]", a: "f8[:]" }, log_joint_of_layer: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", below: "f8[:]", latent: "u1[:]", top: "?", a: "f8[:]" }, errors_along: { rows: "f8[:, :]", h: "f8[:]", unit: "i4[:]", after: "f8[:]", target: "f8[:]", squared: "?", a: "f8[:]", errors: "f8[:]" }, fill_draws: { means: "f8[:, :]", uniforms: "f8[:, :]", states: "u1[:, :]" }, add_noise: { means: "f8[:, :]", normals: "f8[:, :]", precision: "f8[:]", X: "f8[:, :]" }, flip_along: { directed: "?", best: "?", first: "i8[:]", weights: "f8[:]", bias: "f8[:]", h: "u1[:]", a: "f8[:]", units: "i4[:]", log_joint: "f8[:]" }, draw_layer: { V: "f8[:, :]", c: "f8[:]", below: "u1[:, :]", held: "f8[:]", u: "f8[:, :]", z: "f8[:]", p: "f8[:]", H: "u1[:, :]", log_q: "f8[:]" }, weigh_along: { log_weights: "f8[:]", estimates: "f8[:]", shares: "f8[:]" }, means_along: { H: "u1[:, :]", shares: "f8[:]", means: "f8[:, :]" }, errors_of_means: { rows: "f8[:, :]", b: "f8[:]", means: "f8[:, :]", targets: "f8[:, :]", squared: "?", a: "f8[:]", errors: "f8[:]" }, normalise: { log_joints: "f8[:]", top: "f8", p: "f8[:]" }, fill_moments: { q: "f8[:]", rest: "f8[:]", part: "f8[:]", marginals: "f8[:]", covariance: "f8[:, :]" }, fill_product: { on: "f8[:]", q: "f8[:]" }, fill_feed_forward: { log_joints: "f8[:]", on: "f8[:]" }, fill_apart: { rows: "f8[:, :]", d: "f8[:]", x: "f8[:]", on: "f8[:]" }, turn_round: { log_joints: "f8[:]", turned: "f8[:]" }, ascend: { log_joints: "f8[:]", q: "f8[:]", max_sweeps: "i8", tolerance: "f8", expected: "f8[:]", weights: "f8[:]" }, measure_distance: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", q: "f8[:]", distance: "f8[:]" }, distances_of_states: { log_joints: "f8[:]", log_evidence: "f8", unit: "i4[:]", after: "u1[:]", code: "i8", kl: "f8[:]", variation: "f8[:]" }, distances_of_means: { log_joints: "f8[:]", log_evidence: "f8", p: "f8[:]", on: "f8[:]", unit: "i4[:]", after: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, distances_of_particles: { log_joints: "f8[:]", log_evidence: "f8", code: "i4[:]", place: "i4[:]", share: "f8[:]", q: "f8[:]", kl: "f8[:]", variation: "f8[:]" }, enumerate_independent: { rows: "f8[:, :]", b: "f8[:]", d: "f8[:]", x: "f8[:]", said: "f8[:]", a: "f8[:]", log_joints: "f8[:]" }, expected_visibles: { kind: "i8", rows: "f8[:, :]", b: "f8[:]", p: "f8[:, :]", a: "f8[:]", on: "f8[:, :]" }, infer_images: { params: "KernelParams", state: "InferenceState", temperatures: "f8[:]", max_sweeps: "i8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, fill_factors32: { W: "f4[:, :]", limits: "f8[:]", lanes: "f8[:]", tops: "f8[:]", factor: "f4[:, :]", chunk: "i8[:]", whole: "?[:]", weight: "f8[:]" }, place_images32: { params: "KernelParams32", state: "InferenceState32", X: "f8[:, :]", prior: "f8[:, :]" }, choose_starts32: { params: "KernelParams32", state: "InferenceState32", paper: "?" }, infer_images32: { params: "KernelParams32", state: "InferenceState32", temperatures: "f8[:]", max_sweeps: "i8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, learn_alone: { old: "Rows", X: "f8[:, :]", H: "u1[:, :]", steps: "GradientSteps", step: "i8", gradient: "Rows", velocity: "Rows", new: "Rows", figures: "f8[:]" }, measure_alone: { of: "Rows", X: "f8[:, :]", H: "u1[:, :]", figures: "f8[:]" }, fill_means: { gaussian: "?", rows: "f8[:, :]", b: "f8[:]", H: "u1[:, :]", means: "f8[:, :]" }, fill_cooling: { hottest: "f8", coldest: "f8", temperatures: "f8[:]" }, share_done: { n_done: "i8", n_steps: "i8" }, first_averaged: { average: "f8", n_steps: "i8" }, rate_at: { share: "f8", first: "f8", last: "f8" }, weigh: { values: "f8[:]", weight: "f8", weighted: "f8[:]" }, step_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", X: "u1[:, :]", particles: "u1[:, :]", persistent: "?", keys: "u8[:]", learning_rate: "f8", decay_steps: "f8", weight_decay: "f8", step: "i8", kind: "i8", centres: "Centres", figures: "f8[:]" }, gibbs_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", H: "u1[:, :]", keys: "u8[:]", X: "u1[:, :]" }, encode_alone: { W: "f4[:, :]", d: "f4[:]", X: "u1[:, :]", H: "u1[:, :]" }, decode_alone: { W: "f4[:, :]", b: "f4[:]", H: "u1[:, :]", means: "f8[:, :]" }, predict_alone: { W: "f4[:, :]", b: "f4[:]", d: "f4[:]", X: "u1[:, :]", pixels: "i8[:]", fields: "f8[:]", totals: "f8[:]" }, rws_step_alone: { of: "LayerNetworks", mean: "LayerNetworks", gradient: "LayerNetworks", X: "f4[:, :]", uniforms: "Uniforms", n_each: "i8", wakes: "?", sleeps: "?", learning_rate: "f8", decay_steps: "f8", momentum: "f8", generative_rate: "f8", recognition_rate: "f8", step: "i8", figures: "f8[:]" }, recognise_alone: { of: "LayerNetworks", X: "f4[:, :]", means: "f4[:, :]" }, generate_alone: { of: "LayerNetworks", H: "f4[:, :]", means: "f8[:, :]" }, dream_alone: { of: "LayerNetworks", uniforms: "Uniforms" }, draw_uniforms: { generator: "u8[:]", out: "f8[:, :]" }, summarise: { values: "f8[:]", found: "f8[:]" }, mean_weight: { log_weights: "f8[:]", found: "f8[:]" }, fill_betas: { power: "i8", betas: "f8[:]" }, place_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", base: "f8[:]" }, weigh_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", base: "f8[:]", fresh: "?", share: "f8", likelihood: "f8[:]", total: "f8[:]" }, move_chains: { params: "KernelParams32", state: "InferenceState32", evidence: "f8[:, :]", prior: "f8[:, :]", beta: "f8", visits: "i8[:]", flips: "i8[:]", converged: "?[:]" }, fill_fields: { weights: "f8[:, :]", offsets: "f8[:]", states: "u1[:, :]", fields: "f8[:, :]" }, fill_free_energies: { b: "f8[:]", X: "u1[:, :]", fields: "f8[:, :]", totals: "f8[:]" }, fill_offsets: { states: "u1[:, :]", offsets: "f8[:]" }, begin_machines: { b: "f8[:]", d: "f8[:]", uniforms: "f8[:, :]", X: "u1[:, :]", total: "f8[:]" }, weigh_machines: { b: "f8[:]", start_b: "f8[:]", start_d: "f8[:]", before: "f8", beta: "f8", X: "u1[:, :]", fields: "f8[:, :]", total: "f8[:]" }, draw_latents: { start_d: "f8[:]", beta: "f8", fields: "f8[:, :]", uniforms: "f8[:, :]", H: "u1[:, :]" }, draw_visibles: { b: "f8[:]", start_b: "f8[:]", beta: "f8", sums: "f8[:, :]", uniforms: "f8[:, :]", X: "u1[:, :]" } } };
var PAGE = 65536;
var STACK = 4 * PAGE;
var TUPLES = table_default.tuples;
var FUNCTIONS = table_default.functions;
var memory = null;
function kernels() {
  if (!memory) throw new Error("the kernels are not loaded");
  return memory;
}
var registry = new FinalizationRegistry((placed2) => placed2.forEach((each) => each.free()));
function keptWith(make) {
  const known = /* @__PURE__ */ new WeakMap();
  return (owner) => {
    const found = known.get(owner);
    if (found) return found;
    const { made: made2, placed: placed2 } = kernels().kept(() => make(owner));
    known.set(owner, made2);
    registry.register(owner, placed2);
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
function fill({ n_v, n_h, n_p, gaussian, precision, fields, rows }, W, b, d) {
  const memory2 = kernels(), { lanes, precisions } = CONSTANTS, into = rows.view;
  for (let j = 0; j < n_h; j++) into.set(W.subarray(j * n_v, (j + 1) * n_v), j * n_p);
  fields.b.view.set(b);
  fields.d.view.set(d);
  if (gaussian) memory2.call("fill_gram", { rows, gram: fields.gram });
  else memory2.scope(() => call("fill_factors", precision, { ...fields, limits: memory2.of("f8", precisions[precision].limits), lanes: memory2.array("f8", lanes), tops: memory2.array("f8", lanes) }));
}
var prepared = keptWith(({ n_v, n_h, exact, b, d, visible }) => {
  const at = roomFor({ n_v, n_h, gaussian: visible === "gaussian" });
  fill(at, exact, b, d);
  return at;
});
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
var { power: POWER, n_chains: N_CHAINS, n_sweeps: N_SWEEPS, max_enumerated: MAX_ENUMERATED } = CONSTANTS.annealing;
var { max_exact_interactive: MAX_EXACT, normaliser_chains: LEAST_CHAINS } = constants_default;
var MOST_SUMMED = 2 ** 26;
var isExact = ({ layers: [{ n_h, n_v }, ...above], factorised }) => !above.length && n_h <= MAX_ENUMERATED && (factorised || 2 ** n_h * n_v <= MOST_SUMMED);
var MAX_BYTES = 2 ** 28;
var TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 3988292384 ^ n >>> 1 : n >>> 1;
  return n;
});
var FIGURES = ["log_joint", "wrong_pixels", "gradient_norm", "units_on"];
var MEASURED = [...FIGURES, "dead_units"];
var machineOf = keptWith(({ n_h, n_v, exact, b, d, visible, precision }) => {
  const memory2 = kernels();
  return memory2.tuple("Machine", { gaussian: visible === "gaussian", rows: memory2.of("f8", exact, n_h, n_v), b: memory2.of("f8", b), d: memory2.of("f8", d), precision: memory2.of("f8", precision ?? new Float64Array(n_v).fill(1)) });
});
var { kinds: KINDS, scratch: SCRATCH } = CONSTANTS.means;
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
var { factorised: FACTORISED } = constants_default;
var jsonOf = (text) => JSON.parse(text.replace(/-?\bInfinity\b|\bNaN\b/g, "null"));
var { network, max_exact_interactive: MAX_EXACT2 } = constants_default;
var FACTORISED2 = constants_default.factorised;
var { max_exact_interactive: MAX_EXACT3, max_seed: MAX_SEED } = constants_default;
var RIVAL_STATE = constants_default.rival_state;
var ADDED = "added";
var compare_default2 = ".live-compared{grid-row:2;min-height:0}.live-choice{padding:0.5rem 1rem;font-size:0.9rem;color:var(--lv-ink);background:var(--lv-surface);border-bottom:1px solid var(--lv-line)}.live-choice[hidden]{display:none}.live-choice select,.live-ais select{font:inherit;color:inherit;background:var(--lv-surface);border:1px solid var(--lv-muted);border-radius:0.35rem;padding:0.2em 0.4em;min-height:2rem}.live-choice select:focus-visible,.live-ais select:focus-visible{outline:2px solid var(--lv-focus);outline-offset:1px}.live-ais{align-items:center;margin-bottom:0.6em}.live-ais progress{width:12em;accent-color:var(--lv-focus)}.live-ais progress[hidden]{display:none}.live-bring{margin-top:0.6em}.live-bring[hidden]{display:none}.live-how{margin-top:0.6em}.live-how summary{cursor:pointer}.live-how summary:focus-visible{outline:2px solid var(--lv-focus);outline-offset:1px}.live-how ul{margin:0.4em 0 0;padding-left:1.2em}\n";
var { most_compared: MOST, n_shown: SHOWN, max_seed: MAX_SEED2 } = constants_default;
var { images_measured: MEASURED2, images_bracketed: BRACKETED, narrow_nats: NARROW } = constants_default;
var FIRST = 4;
var TEMPERATURES = [100, 300, 1e3];
var USUAL = 300;
var WORDS = { shipped: "Models that come with this page", none: "No other model takes these images. Models that this page trains, or opens from a file, are listed here.", marks: "Each has a number: round where latents are inferred as states by a search, square where exactly.", timed: "Milliseconds are the time of inference for one image, measured just now in this browser, one image after another and with a record of every visit.", exact: "an LRBN exactly, an RBM by a Gibbs chain, with the random numbers of Python." };
var Helper = class {
  worker = null;
  fail = null;
  constructor(address, kernels2, module) {
    this.begin = () => {
      const worker = new Worker(address);
      worker.postMessage({ kernels: kernels2, module });
      return worker;
    };
  }
  ask(question, told = () => {
  }) {
    const worker = this.worker ??= this.begin();
    return new Promise((done, fail) => {
      this.fail = fail;
      worker.onmessage = ({ data }) => {
        if ("share" in data) told(data.share);
        else if ("failed" in data) fail(new Error(data.failed));
        else done(data.found);
      };
      worker.onerror = ({ message }) => fail(new Error(message));
      worker.postMessage(question);
    });
  }
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.fail?.(new Stopped());
  }
};
var Stopped = class extends Error {
};
var methodOf = ({ methods }, model, whole) => methods.find(({ whole_only }) => whole || !whole_only) ?? methods[0];
function fits(info, model) {
  if (model.visible !== "bernoulli" || model.top || info.key.startsWith(FACTORISED2)) return false;
  return model.factorised ? info.file !== null : info.directed && info.methods[0].kind === "visits";
}
var between = ({ lower, upper }) => upper - lower > NARROW ? `between ${number(lower, 1)} and ${number(upper, 1)}` : null;
var Comparison = class {
  seed = 0;
  chosen = "";
  n_temperatures = USUAL;
  estimating = false;
  working = false;
  session;
  followed = null;
  ticked = /* @__PURE__ */ new Map();
  found = /* @__PURE__ */ new Map();
  at = null;
  stale = true;
  constructor(page, main, { worker, kernels: kernels2, measuring }) {
    this.page = page;
    this.looks = new Helper(worker, kernels2, "kernels");
    this.measures = new Helper(worker, measuring, "measuring");
    this.session = page.session;
    const host = element("div", { class: "live-compared" });
    this.data = element("select", { "aria-label": "Data set", onchange: () => this.use(page.sessions[Number(this.data.value)]) });
    this.choice = element("label", { class: "live-choice" }, "Data set ", this.data);
    main.append(element("style", {}, compare_default2), this.choice, host);
    this.board = new ComparePage(host, (message) => {
      this.act(message);
      return true;
    }, WORDS);
    this.bring = element("button", { type: "button", class: "lv-btn lv-small live-bring", onclick: () => this.take() }, "Add the models in training as they are now");
    this.board.own.after(this.bring);
    this.words = element("span");
    this.how = element("ul");
    this.bar = element("progress", { max: "1", value: "0", "aria-label": "Measurement of log P(x)" });
    this.bar.hidden = true;
    this.said = element("span", { class: "lv-caption" });
    this.press = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.estimate() });
    this.temperatures = element("select", { "aria-label": "Temperatures of AIS", onchange: () => {
      this.n_temperatures = Number(this.temperatures.value);
      this.show();
    } }, ...TEMPERATURES.map((n) => element("option", { value: String(n) }, `${many(n)} temperatures`)));
    this.temperatures.value = String(USUAL);
    this.table = element("div", { class: "lv-papers" });
    this.board.drawnCard.before(captionedCard("log P(x) of test images", [this.words], element("div", { class: "lv-row live-ais" }, this.press, this.temperatures, this.bar, this.said), this.table, element("details", { class: "lv-caption live-how" }, element("summary", {}, "How it is measured"), this.how)));
    page.views.nav.addEventListener(ADDED, () => this.fillMenu());
    this.read({});
  }
  read({ seed: chosen_seed, data, systems }) {
    const { sessions, session } = this.page, seed = Number(chosen_seed);
    this.followed = session;
    const count = (each) => this.offered(each).length, most = sessions.reduce((best, each) => count(each) > count(best) ? each : best, session), asked = sessions.find(({ meta }) => meta.dataset === data);
    this.session = asked && count(asked) ? asked : count(session) > 1 ? session : most;
    if (Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED2) this.seed = seed;
    const names = this.offered(this.session).map(({ key }) => key), chosen = (systems ?? "").split(".").filter((name) => names.includes(name));
    if (chosen.length) this.ticked.set(this.session, new Set(chosen.slice(0, MOST)));
  }
  address() {
    const came = this.compared.filter((name) => this.session.came.has(name)).join(".");
    return { data: this.session.meta.dataset, ...came && { systems: came }, ...this.seed && { seed: String(this.seed) } };
  }
  async take() {
    const { training } = this.page;
    if (!training) return;
    const counts = this.page.sessions.map((each) => each.meta.models.length);
    await training.bring();
    const session = this.page.sessions.find((each, n) => each.meta.models.length > counts[n]);
    if (session) this.session = session;
    this.follow();
  }
  follow() {
    const { session } = this.page;
    if (session !== this.followed && this.offered(session).length > 1) this.session = session;
    this.followed = session;
    const { ticked } = this, names = ticked.get(this.session);
    for (const { key } of this.offered(this.session)) if (names && names.size < MOST && !this.session.came.has(key) && !this.known.has(key)) names.add(key);
    this.use(this.session);
  }
  known = /* @__PURE__ */ new Set();
  use(session) {
    if (session !== this.session) this.stop();
    this.session = session;
    for (const { key } of this.offered(session)) this.known.add(key);
    this.show();
  }
  offered(session) {
    if (!session.meta.binary) return [];
    const infos = session.meta.models.filter((info) => session.models.has(info.key) && fits(info, session.modelOf(info.key)));
    return [...infos.filter(({ key }) => session.came.has(key)), ...infos.filter(({ key }) => !session.came.has(key))];
  }
  get compared() {
    const names = this.offered(this.session).map(({ key }) => key), own = names.filter((name) => !this.session.came.has(name)), first = new Set([...own, ...names].slice(0, FIRST)), chosen = this.ticked.get(this.session) ?? first;
    this.ticked.set(this.session, chosen);
    return names.filter((name) => chosen.has(name));
  }
  act({ type, system, on }) {
    const { compared } = this, name = String(system);
    if (type === "other") this.seed = (this.seed + 1) % (MAX_SEED2 + 1);
    else if (type === "highlight") this.chosen = this.chosen === name ? "" : name;
    else if (type === "compare") {
      const names = new Set(compared);
      if (on) names.add(name);
      else names.delete(name);
      if (names.size && names.size <= MOST) this.ticked.set(this.session, names);
    }
    this.show();
  }
  get nMeasured() {
    return Math.min(MEASURED2, this.session.arrays.index.length);
  }
  get rows() {
    const drawn = new Generator(this.seed).permuted(Int32Array.from(Array(this.nMeasured).keys()));
    return Array.from(drawn.subarray(0, SHOWN));
  }
  images(rows) {
    const { n_v } = this.session, X = new Float64Array(rows.length * n_v);
    rows.forEach((row, m) => X.set(this.session.valuesAt(row), m * n_v));
    return X;
  }
  modelOf(name) {
    const { key, layers, factorised, visible, n_h, n_v, recognition } = this.session.modelOf(name);
    return { key, layers, factorised, visible, n_h, n_v, recognition };
  }
  keyOf(kind, name, ...of) {
    return JSON.stringify([kind, this.session.meta.dataset, name, ...of]);
  }
  lookKey = (name) => this.keyOf("look", name, this.rows);
  drawKey = (name) => this.keyOf("draw", name, this.seed);
  measureKey(name) {
    return this.keyOf("measure", name, isExact(this.modelOf(name)) ? 0 : this.n_temperatures);
  }
  next() {
    const { compared, session, rows, seed, n_temperatures } = this, unanswered = (keyOf2) => compared.find((name2) => !this.found.has(keyOf2(name2)));
    let name = unanswered(this.lookKey);
    if (name !== void 0) {
      const info = session.info(name), model2 = this.modelOf(name), X2 = this.images(rows), method = methodOf(info, session.modelOf(name), !X2.some(Number.isNaN)), start = method?.start || info.usual_start || info.opens_from;
      return { key: this.lookKey(name), name, ask: () => this.looks.ask({ kind: "look", model: model2, method, start, X: X2 }) };
    }
    name = unanswered(this.drawKey);
    if (name !== void 0) {
      const info = session.info(name), model2 = this.modelOf(name), settings = model2.factorised && info.file ? jsonOf(info.file.head.settings) : null;
      return { key: this.drawKey(name), name, ask: () => this.measures.ask({ kind: "draw", model: model2, settings, n: rows.length, seed }) };
    }
    const keyOf = (each) => this.measureKey(each);
    name = compared.find((each) => !this.found.has(keyOf(each)) && (this.estimating || isExact(this.modelOf(each))));
    if (name === void 0) return null;
    const model = this.modelOf(name), { title } = session.info(name), X = this.images(Array.from(Array(this.nMeasured).keys()));
    return { key: keyOf(name), name, ask: () => {
      this.tell({ title, share: 0 });
      const n_bracket = Math.min(BRACKETED, this.nMeasured), question = { kind: "measure", model, X, n_temperatures, n_bracket, seed: 0 };
      return this.measures.ask(question, (share) => this.tell({ title, share }));
    } };
  }
  async work() {
    if (this.working) return;
    this.working = true;
    for (let job = this.next(); job; job = this.next()) {
      const { key, ask } = job;
      setText(this.board.progress, "");
      if (key.startsWith('["look"')) this.board.setProgress(`${this.session.info(job.name).title} infers the latents.`);
      let answer;
      try {
        answer = await ask();
      } catch (error) {
        answer = error;
      }
      this.tell(null);
      if (answer instanceof Stopped) this.estimating = false;
      else this.found.set(key, answer);
      if (answer instanceof Stopped && this.isSum(key)) this.found.set(key, new Error("stopped"));
      this.fill();
    }
    this.estimating = false;
    this.working = false;
    this.board.setProgress("");
    this.fill();
  }
  isSum = (key) => JSON.parse(key).at(-1) === 0 && key.startsWith('["measure"');
  estimate() {
    if (this.at) return this.stop();
    for (const name of this.compared) if (this.found.get(this.measureKey(name)) instanceof Error) this.found.delete(this.measureKey(name));
    this.estimating = true;
    this.fill();
    this.work();
  }
  stop() {
    this.estimating = false;
    if (this.at) this.measures.stop();
  }
  tell(at) {
    const begun2 = Boolean(this.at) !== Boolean(at);
    this.at = at;
    this.bar.hidden = !at;
    if (at) this.bar.value = at.share;
    setText(this.said, at ? `${at.title}: ${number(100 * at.share, 0)} %` : "");
    if (begun2) this.fillPress();
  }
  show() {
    this.fillMenu();
    this.fill();
    this.page.views.write();
    this.work();
  }
  fillMenu() {
    const { sessions } = this.page, options = sessions.flatMap((each, n) => this.offered(each).length ? [element("option", { value: String(n) }, each.meta.data)] : []);
    this.data.replaceChildren(...options);
    this.data.value = String(sessions.indexOf(this.session));
    this.choice.hidden = options.length < 2;
    this.bring.hidden = !this.page.training;
  }
  measured(name) {
    const found = this.found.get(this.measureKey(name));
    return !found || found instanceof Error ? null : found;
  }
  wordsOf(name) {
    const { n_h } = this.session.modelOf(name), found = this.measured(name), latents = `${many(n_h)} latents`;
    return found ? `${latents}, ${between(found) ?? number(found.mean, 2)} nats${found.bound === "exact" ? ", exact" : ""}` : latents;
  }
  fill() {
    const { session, compared, rows } = this, { meta, arrays } = session, { row: word } = rowWords(Boolean(meta.variables)), offered = this.offered(session);
    if (!compared.includes(this.chosen)) this.chosen = "";
    const all = meta.models.filter(({ key }) => !key.startsWith(FACTORISED2)).length, left = all - offered.length;
    this.board.setMenu({ dataset: meta.dataset, images: meta.data, most: MOST, systems: offered.map(({ key, title }) => ({ name: key, title, inference: session.modelOf(key).factorised ? "exact" : "states", number: compared.indexOf(key) + 1, words: this.wordsOf(key), own: !session.came.has(key) })), leftOut: [left ? `Not here: ${many(left)} ${left === 1 ? "model" : "models"} of another kind, which the explorer compares.` : "", meta.part ? "" : `The ${word}s are those of the file: models trained here may have learned from them.`].filter(Boolean).join(" "), chosen: this.chosen });
    const X = rows.map((row) => session.valuesAt(row)), unknown = X.some((x) => x.some(Number.isNaN)), bits = (images) => Uint8Array.from(images.flatMap((x) => Array.from(packBits(x)))), parts = (all2) => rows.map((_, m) => all2.subarray(m * session.n_v, (m + 1) * session.n_v));
    const blocks = { x: bits(X.map((x) => Uint8Array.from(x, (value) => Number(value > 0.5)))), ...unknown && { unknown: bits(X.map((x) => Uint8Array.from(x, (value) => Number(Number.isNaN(value))))) } };
    const seen = compared.map((name, place) => {
      const looked = this.found.get(this.lookKey(name)), drawn = this.found.get(this.drawKey(name)), failed = [looked, drawn].find((each) => each instanceof Error);
      if (!looked || !drawn || looked instanceof Error || drawn instanceof Error) return { name, done: false, error: failed?.message ?? "", wrong: [], on: [], milliseconds: 0, how: "" };
      blocks[`${place}.made`] = bits(parts(looked.made));
      blocks[`${place}.samples`] = bits(parts(drawn));
      const { wrong, on, milliseconds } = looked, model = session.modelOf(name), how = model.factorised ? "exact, one pass" : methodOf(session.info(name), model, !unknown).title;
      return { name, done: true, error: "", wrong, on, milliseconds, how: how.split(";")[0] };
    });
    const classes = rows.map((row) => meta.class_names[arrays.label[row]]), about = { image_shape: meta.image_shape, variables: meta.variables, classes, one_means: "ink", seen }, block = pack({ ...about, rows: rows.map((row) => arrays.index[row]) }, blocks), text = JSON.stringify([about, rows]);
    if (text !== this.packed) this.board.setPictures(block.buffer);
    this.packed = text;
    this.fillTable();
    this.fillPress();
  }
  packed = "";
  fillPress() {
    const open = this.compared.filter((name) => !this.measured(name));
    setText(this.press, this.at ? "Stop" : "Estimate by AIS");
    this.press.disabled = !this.at && !open.length;
    this.temperatures.disabled = Boolean(this.at);
  }
  fillTable() {
    const { session, compared, rows, nMeasured } = this, { row: word } = rowWords(Boolean(session.meta.variables));
    setText(this.words, `In nats; higher is better. Of a model with few states the value is exact: a sum over all of them. Of the others it is estimated by annealed importance sampling (AIS), and the mean over the ${word}s lies between the two bounds.`);
    this.how.replaceChildren(...["Bounds hold in expectation. More temperatures bring them nearer to each other; where they are more than a nat apart, the interval stands in place of the mean.", `Of an LRBN, AIS is the lower bound. The upper one is as far above it as annealing back leads, on ${word}s that the model draws.`, "Of an RBM, AIS of log Z gives the upper bound. The lower one is as far below it as RAISE is.", `Values of single ${word}s are those of AIS.`, `± is one standard error: of the mean over the ${word}s, and of the estimate of log Z, which the bound does not contain.`].map((text2) => element("li", {}, text2)));
    const head = [{ name: "system", source: "", digits: 0 }, { name: `mean of ${many(nMeasured)} ${word}s`, source: "measured", digits: 2 }, { name: "lower bound", source: "measured", digits: 2 }, { name: "upper bound", source: "measured", digits: 2 }, { name: "how", source: "", digits: 0 }, { name: "error of log Z", source: "measured", digits: 2 }, ...rows.map((row) => ({ name: `no. ${session.arrays.index[row]}`, source: "measured", digits: 2 }))];
    const lines = compared.map((name) => {
      const { title } = session.info(name), found = this.found.get(this.measureKey(name));
      if (!found || found instanceof Error) {
        const exact = isExact(this.modelOf(name)), why = found ? `not measured: ${found.message}` : exact ? "waits for its turn" : "not estimated yet";
        return [title, null, null, null, why, ...Array(1 + rows.length).fill(null)];
      }
      const { values, bound, mean: mean2, standard_error, lower, upper, estimator_error, n_temperatures, n_chains } = found, how = { exact: "exact, summed over states", lower: `AIS, ${many(n_temperatures)} temperatures`, upper: `AIS of log Z, ${many(n_temperatures)} temperatures, ${many(n_chains)} chains` }[bound];
      return [title, between(found) ?? { value: mean2, standard_error }, lower, upper, how, bound === "upper" ? `± ${number(estimator_error, 2)}` : null, ...rows.map((row) => values[row])];
    });
    const table = { title: "", columns: head, rows: lines, notes: [] }, text = JSON.stringify(table);
    if (text === this.tabled) return;
    this.tabled = text;
    this.table.replaceChildren(tableNode({ ...table, title: `log P(x) of ${session.meta.data}` }));
  }
  tabled = "";
};
function createView(page, main, given) {
  const comparison = new Comparison(page, main, given);
  return { open(asked) {
    if (asked) comparison.read(asked);
    comparison.follow();
  }, close: () => comparison.stop(), address: () => comparison.address() };
}
export { createView };
