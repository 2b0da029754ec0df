// e08880fff883656139bb1f5430f17da0971bf859c0771e82e2f5a8fe620ec9fe
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
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
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
var LETTER2 = 16;
var HEIGHT = 360;
var DARK = /* @__PURE__ */ new Map();
for (const [name, light] of Object.entries(PALETTES.light)) {
  const dark = PALETTES.dark[name];
  const others = [dark].flat();
  [light].flat().forEach((from, i) => {
    if (from.startsWith("#") && !DARK.has(from)) DARK.set(from, others[i]);
  });
}
var FigureCard = class {
  plot = element("div", { class: "lv-plot" });
  title = element("h3");
  caption = element("p", { class: "lv-caption" });
  missing = element("p", { class: "lv-caption" });
  table = element("div", { class: "lv-figure-table" });
  turn = 0;
  embedding = Promise.resolve();
  view;
  sources = [];
  chosen = "";
  constructor(choose) {
    this.choose = choose;
    const button = (kind) => element("button", { type: "button", class: "lv-btn lv-small", "data-kind": kind, onclick: () => this.save(kind) }, kind.toUpperCase());
    this.buttons = ["png", "svg", "csv"].map((kind) => button(kind));
    this.node = element("figure", { class: "lv-figure" }, element("div", { class: "lv-figure-head" }, this.title, element("div", { class: "lv-row" }, ...this.buttons)), this.plot, element("figcaption", {}, this.caption, this.missing), this.table);
  }
  async show(data, dataset, dark) {
    this.data = data;
    this.file = `${data.name}-${dataset}`;
    this.title.textContent = data.title;
    this.caption.textContent = data.caption;
    this.missing.textContent = data.missing;
    this.table.replaceChildren(...data.table ? [tableNode(data.table)] : []);
    for (const button of this.buttons) {
      const kind = button.dataset.kind;
      button.setAttribute("aria-label", `${data.title}: save ${kind === "csv" ? "its data as CSV" : `as ${kind?.toUpperCase()}`}`);
      button.disabled = kind !== "csv" && !data.item;
    }
    await this.embed(dark);
  }
  embed(dark) {
    this.embedding = this.draw(dark);
    return this.embedding;
  }
  async draw(dark) {
    const mine = ++this.turn, { data } = this;
    if (!data) return;
    this.clear();
    this.plot.setAttribute("role", "group");
    this.plot.setAttribute("aria-label", `${data.title}, drawn; its data can be saved as CSV${data.table ? ", and are in the table beside it" : ""}`);
    if (!data.item) {
      this.plot.replaceChildren(element("p", { class: "lv-caption" }, "No system that is compared has these figures."));
      return;
    }
    const scale = Math.max(1, parseFloat(getComputedStyle(this.plot).fontSize) / LETTER2);
    const text = JSON.stringify(data.item).replace(/"(\d+)px"/g, (_, size) => `"${Math.round(size * scale)}px"`);
    const item = JSON.parse(dark ? text.replace(/#[0-9a-f]{6}/g, (colour) => DARK.get(colour) ?? colour) : text);
    const { surface } = PALETTES[dark ? "dark" : "light"], { attributes } = item.doc.roots[0];
    Object.assign(attributes, { background_fill_color: surface, border_fill_color: surface });
    attributes.height = Math.round((attributes.height ?? HEIGHT) * scale);
    const holder = element("div", { class: "lv-plot-in" });
    this.plot.replaceChildren(holder);
    const views = await window.Bokeh.embed.embed_item(item, holder).catch((error) => {
      if (holder.isConnected) throw error;
    });
    if (!views) return;
    const [view] = [...views];
    if (mine !== this.turn) return view.model.document?.clear();
    this.view = view;
    const events = view.canvas_view?.events_el;
    if (events) events.tabIndex = -1;
    const drawn = view.model.renderers.map((renderer) => renderer.data_source);
    this.sources = drawn.filter((source) => source !== void 0).filter((source) => source.get_column("system"));
    for (const source of this.sources) source.selected.on_change(source.selected.properties.indices, () => this.tapped(source));
    this.highlight(this.chosen);
  }
  tapped(source) {
    if (this.setting) return;
    const [at] = source.selected.indices, name = at === void 0 ? "" : String(source.get_column("system")?.[at]);
    if (name !== this.chosen) this.choose(name || this.chosen);
  }
  highlight(name) {
    this.chosen = name;
    this.setting = true;
    for (const source of this.sources) {
      source.selected.indices = Array.from(source.get_column("system") ?? []).flatMap((of, i) => of === name ? [i] : []);
    }
    this.setting = false;
  }
  async save(kind) {
    if (!this.data) return;
    if (kind === "csv") {
      download(new Blob([this.data.csv], { type: "text/csv" }), `${this.file}.csv`);
      return;
    }
    for (let turn = -1; turn !== this.turn; ) {
      ({ turn } = this);
      await this.embedding;
    }
    if (this.view) download(await this.view.export(kind, true).to_blob(), `${this.file}.${kind}`);
  }
  clear() {
    const document2 = this.view?.model.document;
    this.view = void 0;
    this.sources = [];
    document2?.clear();
    const all = window.Bokeh.documents, at = document2 ? all.indexOf(document2) : -1;
    if (at >= 0) all.splice(at, 1);
  }
  remove() {
    this.turn += 1;
    this.clear();
  }
};
var WORDS = { shipped: "Models that come with the package", none: "No model of this session takes these images. Train one on the Train page, or open one from a file there: it is then listed here.", marks: "Each has a number, which stands beside its mark in the figures: round where latents are inferred as states, square where exactly, a triangle where as means.", timed: "Milliseconds are the time of inference for one image, measured just now on the server's machine with all these images at once.", exact: "an LRBN and other directed networks exactly, an RBM, a DBN and a DBM by a Gibbs chain." };
var ServedComparison = class extends ComparePage {
  data = [];
  drawings = [];
  figures = element("div", { class: "lv-figures" });
  papers = element("div", { class: "lv-papers" });
  paper = element("a", { target: "_blank" });
  constructor(root, say, whole) {
    super(root, say, WORDS, whole);
    this.drawnCard.before(captionedCard("Figures", ["All figures are of test images. Those of shipped models were measured once; those of models of this session are measured now, on fewer images and within seconds, by the estimator that the table names. Press a mark, or a name, to highlight a system and to see its images."], this.chooser, this.chosen, this.figures));
    this.content.append(captionedCard("The paper's tables", ["Figures that the paper reports, and those measured here, in columns of their own. The paper: ", this.paper, "."], this.papers));
  }
  setMenu(menu) {
    setText(this.paper, menu.paper.words);
    setAttribute(this.paper, "href", menu.paper.address);
    super.setMenu(menu);
  }
  setFigures(text) {
    this.data = text ? JSON.parse(text) : [];
    const { drawings } = this;
    while (drawings.length > this.data.length) drawings.pop()?.remove();
    while (drawings.length < this.data.length) drawings.push(new FigureCard((name) => this.highlight(name)));
    this.cards = drawings;
    this.figures.replaceChildren(...drawings.map(({ node }) => node));
    drawings.forEach((card, i) => {
      card.chosen = this.menu.chosen;
      card.show(this.data[i], this.menu.dataset, this.dark === true);
    });
  }
  setTables(tables) {
    this.papers.replaceChildren(...tables.map(tableNode));
  }
  state() {
    return { ...super.state(), figures: this.drawings.map((card) => ({ name: card.data?.name, drawn: Boolean(card.view), selected: card.sources.map((source) => Array.from(source.selected.indices)) })) };
  }
  remove() {
    for (const card of this.drawings) card.remove();
    this.cards = this.drawings = [];
    super.remove();
  }
};
function render({ model, el }) {
  const host = hostOf(model), { live, send } = outbox(host), page = new ServedComparison(el, send, live);
  const load = together({ menu: (menu) => page.setMenu(menu), pictures: (block) => {
    if (block.byteLength) page.setPictures(block);
  }, figures: (text) => page.setFigures(text), tables: (tables) => page.setTables(tables), progress: (text) => page.setProgress(text) }, host);
  if (widthAround(el) < 600) send({ type: "narrow" });
  host.removed(() => page.remove());
  load();
  return () => page.remove();
}
var compare_default2 = { render };
export { compare_default2 as default };
