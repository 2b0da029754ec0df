// 5deb9444b5f9cc6a5c1b03f65dfd1b0eff79bd4ca80ab9fa8618e9e25e2a3dd0
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
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
var mebibytes = (n) => (n / 2 ** 20).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
function clockText(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
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
var side_fields_default = ".lv.lv-side-fields{background:none;font-size:0.875rem;height:auto}.lv-side-fields label:not([class]){color:var(--lv-muted);font-size:0.92em}.lv.lv-side-fields input[type=text],.lv.lv-side-fields select{font:inherit;font-size:0.95em;width:100%;height:2.3em;padding:0 0.5em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid color-mix(in srgb,var(--lv-muted) 60%,var(--lv-surface));border-radius:4px}.lv.lv-side-fields select{padding:0 0.2em}.lv.lv-side-fields :is(input,select):disabled{color:var(--lv-muted);background:var(--lv-faint);cursor:not-allowed}.lv.lv-side-fields [aria-invalid=true]{border-color:var(--lv-bad);outline:1px solid var(--lv-bad)}\n";
function nameDialog(node) {
  for (const at of ancestors(node)) if (at.getAttribute("role") === "dialog") at.setAttribute("aria-label", "Settings");
}
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
var form_default = '.lv.lt-form{padding:0.9em;display:block}.lt-form fieldset{border:0;margin:0 0 1em;padding:0;min-width:0}.lt-form legend{font-weight:650;padding:0;margin-bottom:0.4em}.lt-form legend[data-lane="0"]{color:var(--lv-lane0)}.lt-form legend[data-lane="1"]{color:var(--lv-lane1)}.lt-field{display:grid;grid-template-columns:minmax(0,1fr) 8.9em;gap:0.1em 0.6em;align-items:center;margin-bottom:0.4em}.lt-field label small{font-size:0.92em}.lt-field[data-wide]{grid-template-columns:minmax(0,1fr)}.lt-field>p{grid-column:1 / -1;color:var(--lv-bad);font-size:0.86em;margin:0;overflow-wrap:anywhere}.lt-field>p:empty{display:none}.lt-field>.lt-help{display:none;color:var(--lv-muted);line-height:1.35}.lt-form[data-explain=true] .lt-help:not(:empty){display:block;margin-bottom:0.3em}.lv.lt-form .lt-explain{height:2.2em;margin-bottom:0.9em}.lv.lt-form .lt-explain[aria-pressed=false]{color:var(--lv-ink)}.lt-about{color:var(--lv-muted);font-size:0.88em;line-height:1.4}.lt-tick{display:flex;gap:0.5em;align-items:center;font-size:0.94em;margin-bottom:0.8em}.lt-row{display:flex;gap:0.4em;flex-wrap:wrap;margin:0.3em 0}.lv .lt-row .lv-small{color:var(--lv-ink);height:2.2em}.lt-file>p{margin:0 0 0.3em;font-size:0.86em;line-height:1.4;color:var(--lv-muted);overflow-wrap:anywhere}.lt-file>p:empty{margin:0}.lt-file>p[data-kind=bad]{color:var(--lv-bad)}.lt-file>p[data-kind=good]{color:var(--lv-good)}.lt-file progress{margin-bottom:0.5em}.lt-more{margin-bottom:1em}.lt-more>summary{font-weight:650;cursor:pointer;padding:0.35em 0}.lt-more[open]>summary{margin-bottom:0.5em}.lt-runs{list-style:none;margin:0;padding:0;max-height:16em;overflow-y:auto}.lt-runs li{padding:0.45em 0;border-top:1px solid var(--lv-line);font-size:0.9em}.lt-runs li>div:first-child{overflow-wrap:anywhere}.lt-runs b{font-weight:650}.lt-result{font-size:0.92em;font-variant-numeric:tabular-nums}.lt-runs small{color:var(--lv-muted)}.lt-trash>div{display:flex;align-items:center;gap:0.3em 0.7em;padding:0.5em 0.7em;margin-bottom:0.4em;background:var(--lv-faint);border-radius:0.5em;font-size:0.9em}.lt-trash span{flex:1;min-width:0;overflow-wrap:anywhere}.lv .lt-trash .lv-small{color:var(--lv-ink);height:2.2em;flex:none}\n';
var LINKS = [["page=train&", "Link", "to", "A link to this run"], ["", "Models", "of", "Its models on the Inference page"], ["page=generate&", "Samples", "of", "Samples of its models on the Generate page"]];
var { open_on_inference: OPEN_ON_INFERENCE } = constants_default;
var NO_FILE = { stage: "empty", filename: "", size: 0, received: 0, words: "", refused: false, number: 0 };
var TrainForm = class {
  fields = /* @__PURE__ */ new Map();
  shape = "";
  modelsKey = "";
  runsKey = "";
  refusal = "";
  restored = "";
  deletes = "";
  saving = [];
  stored = [];
  deleted = /* @__PURE__ */ new Map();
  rows = [];
  file = NO_FILE;
  ticking;
  groups = element("div");
  explain = element("button", { type: "button", class: "lv-btn lv-small lt-explain", "aria-pressed": "false", onclick: () => this.toggleHelp() }, "Explain the settings");
  moreTitle = element("summary", {}, "More settings");
  more = element("details", { class: "lt-more" });
  about = element("p", { class: "lt-about" });
  estimate = element("p", { class: "lt-about", role: "status" });
  carry = element("input", { type: "checkbox", id: "carry", onchange: () => this.say({ type: "carry", on: this.carry.checked }) });
  list = element("input", { type: "checkbox", id: "list", onchange: () => this.say({ type: "list", on: this.list.checked }) });
  listBox = element("label", { class: "lt-tick", for: "list", hidden: true }, this.list, "Let other visitors watch this run");
  models = element("fieldset");
  fileWords = element("p", { role: "status" });
  fileProgress = element("progress", { max: 1, "aria-label": "Progress of the model file" });
  fileCancel = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.cancelFile() }, "Cancel");
  fileBox = element("div", { class: "lt-file" }, this.fileWords, this.fileProgress, this.fileCancel);
  runs = element("ul", { class: "lt-runs" });
  trash = element("div", { class: "lt-trash" });
  announced = element("p", { class: "lv-sr", role: "status" });
  runsBox = element("fieldset", {}, element("legend", {}, "Stored runs"), this.announced, this.trash, this.runs);
  root = element("div", { class: "lv lv-side-fields lt-form" }, element("style", {}, STYLE + sending_default + side_fields_default + form_default + confirm_default), this.models, this.runsBox, this.groups, this.estimate, this.explain, this.more, element("label", { class: "lt-tick", for: "carry" }, this.carry, "Go on when I close this tab"), this.listBox);
  constructor(root, say, limit) {
    this.say = say;
    this.limit = limit;
    this.sender = new FileSender(say, (file) => {
      this.refusal = `${file.name} can no longer be read. Choose it again.`;
      this.cancelFile();
    });
    root.append(this.root);
    this.unwatch = watchScheme(this.root);
  }
  load(form) {
    if (!form.groups) return;
    const shape = JSON.stringify(form.groups.map((group) => group.fields.map(({ path, label, unit, help, options }) => [path, label, unit, help, options?.length])));
    if (shape !== this.shape) this.build(form.groups, shape);
    for (const group of form.groups) {
      for (const field of group.fields) {
        const built = this.fields.get(field.path);
        if (built) this.update(built, field);
      }
    }
    this.about.textContent = form.about;
    setText(this.estimate, form.estimate);
    if (form.groups.some(({ more, fields }) => more && fields.some(({ message }) => message))) this.more.open = true;
    this.carry.checked = form.carry_on;
    this.loadModels(form);
  }
  build(groups, shape) {
    this.shape = shape;
    const focused = this.root.getRootNode().activeElement?.id;
    this.fields.clear();
    const made = (group) => {
      const fields = group.fields.map((field) => this.field(field));
      for (const field of fields) this.fields.set(field.path, field);
      const legend = element("legend", { "data-lane": group.lane }, group.title);
      return element("fieldset", {}, legend, ...fields.map((field) => field.node), group.about ? this.about : null);
    };
    this.groups.replaceChildren(...groups.filter(({ more }) => !more).map(made));
    this.more.replaceChildren(this.moreTitle, ...groups.filter(({ more }) => more).map(made));
    if (focused) this.root.getRootNode().getElementById(focused)?.focus();
  }
  toggleHelp() {
    const on = this.root.dataset.explain !== "true";
    this.root.dataset.explain = String(on);
    this.explain.setAttribute("aria-pressed", String(on));
  }
  field({ path, label, unit, options, help, wide }) {
    const id = `f-${path}`, note = element("p", { id: `${id}-note`, role: "status" });
    const described = { id, "aria-describedby": `${id}-help ${id}-note` };
    const edit = () => this.say({ type: "edit", path, text: input.value.slice(0, constants_default.typed_characters) });
    const input = options ? element("select", { ...described, onchange: edit }, ...options.map(([value, title]) => element("option", { value }, title))) : element("input", { ...described, type: "text", inputmode: "decimal", autocomplete: "off", oninput: edit });
    const name = element("label", { for: id }, label, ...unit ? [" ", element("small", {}, `(${unit})`)] : []);
    const words = element("p", { id: `${id}-help`, class: "lt-help" }, help);
    const node = element("div", { class: "lt-field", "data-wide": Boolean(wide) }, name, input, words, note);
    return { path, node, input, note, words, help };
  }
  update({ node, input, note, words, help }, { value, message, fixed }) {
    if (input.value !== value && input !== this.root.getRootNode().activeElement) input.value = value;
    if (input.tagName === "SELECT") input.value = value;
    input.disabled = Boolean(fixed);
    node.title = fixed || help;
    setText(words, [fixed, help].filter(Boolean).join(" "));
    input.setAttribute("aria-invalid", String(Boolean(message)));
    if (note.textContent !== message) note.textContent = message;
  }
  loadModels({ lanes, running, given, shown }) {
    const key = JSON.stringify([lanes, running, given, shown]);
    if (key === this.modelsKey) return;
    this.modelsKey = key;
    const rows = lanes.map((title, index) => element("button", { type: "button", class: "lv-btn lv-small", "data-save": shown < 0 ? title : `${title} of minibatch ${many(shown)}`, "data-lane": index, onclick: () => this.say({ type: "save", lane: index }) }));
    const show = (lane, title) => element("button", { type: "button", class: "lv-btn lv-small", "data-show": lane, title: "On the Inference page, visit by visit", onclick: () => this.say({ type: "show", lane }) }, `Open ${title}`);
    const shows = lanes.map((title, index) => show(index, title));
    if (lanes.length > 1) shows.push(show(-1, "both"));
    shows.push(element("button", { type: "button", class: "lv-btn lv-small", "data-draw": "", title: "On the Generate page, pass by pass", onclick: () => this.say({ type: "draw" }) }, lanes.length > 1 ? "Draw with both" : `Draw with ${lanes[0]}`));
    const picks = [0, 1, OPEN_ON_INFERENCE].map((lane) => {
      const side = lane ? "right" : "left", taken = given.includes(lane);
      const label = lane === OPEN_ON_INFERENCE ? "Model file for the Inference page" : `Model file for the ${side} lane`;
      const text = lane === OPEN_ON_INFERENCE ? "Open a file" : taken ? `${lane ? "Right" : "Left"}: from a file` : `Begin ${side} from a file`;
      const file = element("input", { type: "file", accept: ".npz", hidden: true, "aria-label": label, onchange: () => this.give(lane, file) });
      return [file, element("button", { type: "button", class: "lv-btn lv-small", "data-begin": lane, title: lane === OPEN_ON_INFERENCE ? "On the Inference page, visit by visit" : null, onclick: () => file.click() }, text)];
    });
    this.models.replaceChildren(element("legend", {}, "Models"), ...rows.length ? [element("div", { class: "lt-row" }, ...shows), element("div", { class: "lt-row" }, ...rows)] : [], element("div", { class: "lt-row" }, ...picks.flat()), this.fileBox);
    this.showSaving();
    this.showFile();
  }
  showSaving() {
    for (const button of this.models.querySelectorAll("[data-save]")) {
      const busy = this.saving.includes(Number(button.dataset.lane));
      setText(button, `${busy ? "Saving" : "Save"} ${button.dataset.save}${busy ? "…" : ""}`);
      button.disabled = busy;
    }
  }
  give(lane, input) {
    const [file] = input.files ?? [], most = this.limit;
    input.value = "";
    if (!file) return;
    if (!/\.npz$/i.test(file.name)) this.refusal = `${file.name} is no .npz file. Choose a model that was saved here, or with save() in Python.`;
    else if (!file.size) this.refusal = `${file.name} is empty. Choose another file.`;
    else if (file.size > most) this.refusal = `${file.name} has ${mebibytes(file.size)} MiB; at most ${mebibytes(most)} MiB can be read. Save the model in less precision: save(path, dtype=numpy.float32).`;
    else {
      this.refusal = "";
      this.sender.begin(file, { lane });
      this.file = { ...NO_FILE, stage: "receiving", filename: file.name, size: file.size };
    }
    this.showFile();
  }
  cancelFile() {
    this.sender.stop();
    this.say({ type: "cancel" });
    this.file = NO_FILE;
    this.showFile();
  }
  followFile(file) {
    if (!this.sender.concerns(file.number)) return;
    if (file.stage === "receiving" && !this.sender.file) return;
    if (file.stage === "receiving") this.sender.next(file.received);
    else this.sender.stop();
    this.file = file;
    this.showFile();
  }
  showFile() {
    const { stage, filename, size, received, words, refused } = this.file, busy = stage === "receiving" || stage === "reading";
    const doing = stage === "reading" ? `Reading ${filename}…` : `Sending ${filename}: ${mebibytes(received)} of ${mebibytes(size)} MiB`;
    setText(this.fileWords, this.refusal || (busy ? doing : words));
    this.fileWords.dataset.kind = this.refusal || refused ? "bad" : busy ? "busy" : "good";
    if (stage === "reading") this.fileProgress.removeAttribute("value");
    else this.fileProgress.value = busy ? received / Math.max(1, size) : 0;
    this.fileProgress.hidden = this.fileCancel.hidden = !busy;
    for (const button of this.models.querySelectorAll("[data-begin]")) button.disabled = busy;
  }
  loadRuns({ stored = [], name, deleting, deleted = [], listed = null }) {
    this.loadTrash({ deleted });
    this.listBox.hidden = listed === null;
    this.list.checked = Boolean(listed);
    this.runsBox.hidden = !stored.length && !this.deleted.size;
    const key = JSON.stringify([stored, name, deleting]);
    if (key === this.runsKey) return;
    this.runsKey = key;
    const focused = this.root.getRootNode().activeElement?.getAttribute("aria-label");
    this.stored = stored;
    const shown = new Map(Array.from(this.runs.children, (item) => [item.dataset.key, item]));
    const items = stored.map((run) => {
      const here = run.name === name, gone = run.name === deleting, entry = JSON.stringify([run, here, gone]);
      return shown.get(entry) || this.runItem(run, here, gone, entry);
    });
    items.forEach((item, n) => {
      if (this.runs.children[n] !== item) this.runs.insertBefore(item, this.runs.children[n] || null);
    });
    while (this.runs.childElementCount > items.length) this.runs.lastElementChild?.remove();
    if (focused) {
      for (const button of this.runs.querySelectorAll("button")) if (button.getAttribute("aria-label") === focused) button.focus();
    }
    if (this.restored && this.focus(this.runs, `[data-run="${this.restored}"] button`)) this.restored = "";
  }
  runItem(run, here, gone, key) {
    const word = !run.owned ? "Watch" : run.live ? "Attach" : "Resume";
    const button = (text, act) => element("button", { type: "button", class: "lv-btn lv-small", "aria-label": `${text} ${run.name}`, onclick: act }, text);
    const buttons = gone ? [element("small", { role: "status" }, "is being deleted…")] : [here ? [element("small", {}, "on this page")] : run.can_open ? [button(word, () => this.say({ type: "attach", name: run.name }))] : [], run.can_end ? [button("End", () => this.say({ type: "end", name: run.name }))] : [], run.can_link ? LINKS.map(([page, text, preposition, title]) => element("a", { class: "lv-btn lv-small", href: `?${page}run=${run.name}`, title, "aria-label": `${text} ${preposition} ${run.name}` }, text)) : [], !here && run.can_delete ? [button("Delete", () => this.askToDelete(run, this.stored))] : []].flat();
    return element("li", { "data-run": run.name, "data-key": key, "aria-busy": gone ? "true" : null }, element("div", {}, element("b", {}, run.title), ...run.results.map((text) => element("div", { class: "lt-result" }, text)), " ", element("small", {}, run.words)), buttons.length ? element("div", { class: "lt-row" }, ...buttons) : null);
  }
  async askToDelete(run, stored) {
    const branches = stored.filter((other) => other.parent === run.name).length;
    const yes = await confirmAct(this.root, { title: "Delete this run?", words: [`${run.title}, ${run.words.replace(/\.$/, "")}.`, "You can undo this for 10 minutes. Then it is removed for good." + (branches ? ` Its ${branches === 1 ? "branch stays" : `${branches} branches stay`}, without this run's curves beside its own.` : "")], act: "Delete", keep: "Cancel" });
    if (!yes) return;
    this.deletes = run.name;
    this.say({ type: "delete", name: run.name });
  }
  loadTrash({ deleted }) {
    const now = performance.now();
    const before = this.deleted;
    this.deleted = new Map(deleted.map(({ key, name, seconds_left }) => [key, { name, until: before.get(key)?.until ?? now + 1e3 * seconds_left }]));
    if ([...before.keys()].join() === [...this.deleted.keys()].join()) return;
    const undo = (key, name) => {
      this.restored = name;
      this.say({ type: "undo", key });
    };
    this.rows = Array.from(this.deleted, ([key, { name, until }]) => {
      const left = element("small"), button = element("button", { type: "button", class: "lv-btn lv-small", "aria-label": `Undo: restore ${name}`, onclick: () => undo(key, name) }, "Undo");
      return { left, until, node: element("div", { "data-key": key }, element("span", {}, `${name} was deleted. `, left), button) };
    });
    this.trash.replaceChildren(...this.rows.map(({ node }) => node));
    this.tick();
    clearInterval(this.ticking);
    if (this.deleted.size) this.ticking = setInterval(() => this.tick(), 1e3);
    const [first] = this.deleted.values();
    if (this.deletes && first?.name === this.deletes) {
      this.announced.textContent = `${first.name} was deleted. You can undo this for 10 minutes.`;
      this.deletes = "";
      this.focus(this.trash, "button");
    }
  }
  tick() {
    for (const { node, left, until } of this.rows) {
      const seconds = (until - performance.now()) / 1e3;
      node.hidden = seconds <= 0;
      setText(left, `${clockText(Math.max(0, seconds))} left to undo.`);
    }
  }
  focus(list, selector) {
    const found = list.querySelector(selector);
    found?.focus();
    return Boolean(found);
  }
  remove() {
    this.sender.stop();
    clearInterval(this.ticking);
    this.unwatch();
    this.root.remove();
  }
};
function render({ model, el }) {
  const { send } = outbox(hostOf(model));
  const form = new TrainForm(el, send, model.limit);
  form.load(model.form);
  form.loadRuns(model.runs);
  if (model.file?.filename) form.followFile(model.file);
  nameDialog(el);
  model.on("form", () => form.load(model.form));
  model.on("runs", () => form.loadRuns(model.runs));
  model.on("saving", () => {
    form.saving = model.saving;
    form.showSaving();
  });
  model.on("file", () => form.followFile(model.file));
  model.on("msg:custom", (data) => {
    const { meta, arrays } = unpack(data);
    download(new Blob([arrays.content], { type: "application/octet-stream" }), meta.name);
  });
  model.on("remove", () => form.remove());
}
var form_default2 = { render };
export { form_default2 as default };
