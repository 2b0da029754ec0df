// a427a84694b0a87b4f431c557b99a790750795fd2f0d8e0fa9eb78664458f1b0
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from)) if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target, mod));
var require_decode = __commonJS({ "taken:view/player/js/decode.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/decode.js"];
} });
var require_dom = __commonJS({ "taken:view/player/js/dom.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/dom.js"];
} });
var require_draw = __commonJS({ "taken:view/player/js/draw.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/draw.js"];
} });
var require_format = __commonJS({ "taken:view/player/js/format.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/format.js"];
} });
var require_page = __commonJS({ "taken:view/player/js/page.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/page.js"];
} });
var require_scrub = __commonJS({ "taken:view/player/js/scrub.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/scrub.js"];
} });
var require_theme = __commonJS({ "taken:view/player/js/theme.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/theme.js"];
} });
var require_names = __commonJS({ "taken:view/player/js/names.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/names.js"];
} });
var require_legend = __commonJS({ "taken:view/player/js/legend.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/legend.js"];
} });
var require_variables = __commonJS({ "taken:view/player/js/variables.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/variables.js"];
} });
var require_model_file = __commonJS({ "taken:view/live/js/model_file.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/live/js/model_file.js"];
} });
var require_image_file = __commonJS({ "taken:view/player/js/image_file.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/image_file.js"];
} });
var require_known = __commonJS({ "taken:view/player/js/known.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/known.js"];
} });
var require_random = __commonJS({ "taken:browser/js/random.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["browser/js/random.js"];
} });
var require_write = __commonJS({ "taken:view/live/js/write.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/live/js/write.js"];
} });
var import_decode3 = __toESM(require_decode(), 1);
var import_dom11 = __toESM(require_dom(), 1);
var import_draw7 = __toESM(require_draw(), 1);
var import_format8 = __toESM(require_format(), 1);
var import_page = __toESM(require_page(), 1);
var import_scrub = __toESM(require_scrub(), 1);
var import_theme2 = __toESM(require_theme(), 1);
var import_dom = __toESM(require_dom(), 1);
Object.assign(import_dom.ICONS, { stop: "M6 6h12v12H6z", fresh: "M10.800 5h2.400v5.800H19v2.400h-5.800V19h-2.400v-5.800H5v-2.400h5.800z", rewind: "M9.500 4.500v3.800h4.700a5.200 5.200 0 0 1 0 10.400H8v-2.400h6.200a2.800 2.800 0 0 0 0-5.600H9.500v3.800L3.500 9.500z", slow: "M3 5h2v14H3zM7 5h2v14H7zM11 5v14l10.500-7z", branch: "M6 3v18h2.200v-6.200c4.800 0 6.300-2.700 6.300-5.600V8.600h2.800L13.400 3.500 9.500 8.600h2.800v.6c0 2-.9 3.400-4.100 3.400V3z" });
var import_dom2 = __toESM(require_dom(), 1);
var import_draw = __toESM(require_draw(), 1);
var HEADS = 14;
var VariableTable = class {
  names = (0, import_dom2.element)("ol", { class: "lv-columns-names" });
  node = (0, import_dom2.element)("div", { class: "lv-columns", tabindex: "0", role: "group" }, this.names);
  views = [];
  heads = [];
  n = 0;
  constructor(label) {
    this.node.setAttribute("aria-label", label);
  }
  load(names, groups) {
    const { node } = this;
    this.n = names.length;
    this.names.replaceChildren(...names.map((text) => (0, import_dom2.element)("li", { class: "lv-variable-name", title: text }, text)));
    node.style.setProperty("--lv-columns-rows", String(names.length));
    node.toggleAttribute("data-titled", groups.some(({ title }) => title));
    node.toggleAttribute("data-headed", groups.some(({ heads }) => heads));
    this.heads = [];
    this.views = [];
    node.replaceChildren(this.names, ...groups.map((group) => this.figure(group)));
  }
  figure({ title, label, n, canvas, foot, heads, press }) {
    const shown = canvas ?? (0, import_dom2.element)("canvas", { role: "img" }), columns = Math.max(1, n);
    shown.classList.add("lv-columns-cells");
    (0, import_dom2.setAttribute)(shown, "aria-label", label);
    this.views.push(new import_draw.PixelView(shown, this.n, columns));
    const step = [1, 2, 5, 10, 20, 50, 100].find((every) => columns / every <= HEADS) ?? columns;
    const numbers = (heads ?? []).map((text, at) => (0, import_dom2.element)("span", {}, at % step ? "" : text));
    this.heads.push(numbers);
    const figure = (0, import_dom2.element)("figure", {}, (0, import_dom2.element)("figcaption", { title }, title ?? ""), (0, import_dom2.element)("div", { class: "lv-columns-heads", "aria-hidden": "true" }, ...numbers), (0, import_dom2.element)("div", { class: "lv-columns-box" }, shown, press ? (0, import_dom2.element)("div", { class: "lv-columns-presses" }, ...Array.from({ length: n }, (_, at) => {
      const text = press.say(at);
      return (0, import_dom2.element)("button", { type: "button", "aria-label": text, title: text, onclick: () => press.go(at) });
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
      (0, import_dom2.setText)(node, n === at || n % step === 0 && (at < 0 || Math.abs(n - at) >= step) ? heads[n] : "");
    });
  }
};
var variables_default = '.lv-variables{list-style:none;margin:0;padding:0;max-height:34em;overflow-y:auto;overscroll-behavior:contain}.lv-whole .lv-variables{max-height:none}.lv-reconstruction .lv-variables[data-many]{columns:2 13em;column-gap:1.2em}.lv-variable{display:grid;grid-template-columns:minmax(4em,1.4fr) repeat(var(--lv-bars, 1),minmax(2.5em,1fr)) auto;gap:0 0.6em;align-items:center;min-height:1.7em;font-size:0.92em;break-inside:avoid}.lv-variable-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-variable-track{position:relative;height:0.85em;background:var(--lv-faint);border-radius:2px}.lv-variable-bar{position:absolute;inset:0;background:var(--lv-accent, var(--lv-lane0));border-radius:2px;transform:scaleX(0);transform-origin:left}.lv-signed .lv-variable-bar{left:50%}.lv-signed::before{content:"";position:absolute;left:50%;top:-0.15em;bottom:-0.15em;width:1px;background:var(--lv-line)}.lv-variable-bar[data-sign=plus]{background:var(--lv-plus)}.lv-variable-bar[data-sign=minus]{background:var(--lv-minus)}.lv-variable-mark{position:absolute;top:-0.22em;bottom:-0.22em;width:3px;margin-left:-1.5px;background:var(--lv-ink);border-radius:1px}.lv-variable-value{min-width:2.5em;text-align:right;font-weight:400;color:var(--lv-muted)}.lv-variable[data-wrong] .lv-variable-value{color:var(--lv-bad);font-weight:650}.lv-variables-head{color:var(--lv-muted);min-height:1.5em}.lv-variable-switch{font:inherit;font-size:0.95em;width:100%;min-height:1.9em;grid-template-columns:auto minmax(0,1fr) auto;color:var(--lv-ink);background:none;border:0;border-radius:0.3em;padding:0 0.25em;text-align:left;cursor:pointer}.lv-variable-switch:hover{background:var(--lv-faint)}.lv-variable-switch[aria-disabled=true]{cursor:default}.lv-variable-switch:focus-visible{outline-offset:-2px}.lv-variable-box{width:0.95em;height:0.95em;border:1.5px solid var(--lv-ink);border-radius:2px}.lv-variable-switch[data-state=on] .lv-variable-box{background:var(--lv-ink)}.lv-variable-switch[data-state=unknown] .lv-variable-box{border-color:var(--lv-muted);background:var(--lv-hatch)}.lv-variable[data-state=unknown] .lv-variable-track{background:var(--lv-hatch)}.lv-variable-state{color:var(--lv-muted)}.lv-variable-switch[data-state=on] :is(.lv-variable-name,.lv-variable-state){color:var(--lv-ink);font-weight:650}.lv-input[data-table] .lv-pixels,.lv-input[data-table] .lv-drawing-cursor,.lv-lane[data-table] .lv-error,.lv-lane[data-table] .lv-reconstruction .lv-pixels{display:none}.lv .lv-lane[data-table] .lv-views .lv-reconstruction .lv-label b{display:block}.lv-lane[data-table] .lv-views{grid-template-columns:35fr 30fr 35fr}.lv-lane[data-table] .lv-views .lv-fill{min-height:8.5em;max-height:32em}.lv-presents .lv-variables-box,.lv-presents .lv-input .lv-variables{font-size:0.66em}.lv-presents .lv-variables{max-height:14em}.lv-presents .lv-namer,.lv:is([data-sight~=quiet],[data-sight~=small]) .lv-namer{display:none}.lv.lv-presents[data-cards] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr) minmax(0,1.2fr)}.lv:is([data-sight~=small],[data-sight~=present]) .lv-variables{max-height:max(5.2em,var(--lv-tall))}.lv[data-sight~=small] .lv-input[data-table]>.lv-pixels-box{width:auto;max-width:none}.lv[data-sight~=small] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(9em,1.4fr) minmax(0,1.3fr) minmax(0,1.6fr)}.lv-presents .lv-foot-words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}:is(.lv-partners,.lv-who)[data-named] .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(6.5em,1fr))}.lv-partner .lv-variable-name{display:block}.lv-maps[data-table]{display:block}.lv-maps[data-table]>figure{display:none}.lv-foot-words{overflow-wrap:anywhere}.lv-namer input{font:inherit;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;height:2em;width:12em;max-width:100%;padding:0 0.4em}@container (max-width: 1000px){.lv-lane[data-table] .lv-views{grid-template-columns:1fr 1fr}}@container (max-width: 720px){.lv-lane[data-table] .lv-reconstruction{grid-column:1 / -1}.lv-input[data-table]>.lv-pixels-box{width:100%}.lv-variable-switch{min-height:2.4em}}.lv-namer:has(button:not([hidden])){margin-right:0.6em}.lv-columns{--lv-columns-row: 1.55em;display:flex;align-items:flex-start;gap:0 0.9em;max-height:36em;overflow:auto;overscroll-behavior:contain}.lv-columns-names{flex:none;position:sticky;left:0;z-index:1;list-style:none;margin:0;padding:0 0.3em 0 0;max-width:13em;background:var(--lv-surface)}.lv-columns[data-titled]>.lv-columns-names{padding-top:1.6em}.lv-columns[data-headed]>.lv-columns-names{padding-top:1.2em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:2.8em}.lv-columns-names>li{height:var(--lv-columns-row);line-height:var(--lv-columns-row);font-size:1em}.lv-columns>figure{flex:var(--lv-columns-n) 1 0;min-width:max(6.2em,calc(0.7em * var(--lv-columns-n)));max-width:max(6.2em,calc(2.4em * var(--lv-columns-n)));margin:0}.lv-columns figcaption,.lv-columns-heads{display:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--lv-muted)}.lv-columns[data-titled] figcaption{display:block;height:1.6em;line-height:1.6em}.lv-columns[data-headed] .lv-columns-heads{display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr));height:1.2em;overflow:visible}.lv-columns-heads>span{display:flex;justify-content:center;font-size:0.8em;font-variant-numeric:tabular-nums}.lv-columns-heads>[data-at]{color:var(--lv-ink);font-weight:650}.lv-columns-box{position:relative;line-height:0}.lv .lv-columns-cells{display:block;width:100%;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));image-rendering:pixelated;border:0;border-radius:0;outline-offset:-2px}.lv-columns-box::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row),linear-gradient(to right,var(--lv-surface) 1px,transparent 0) 0 0 / calc(100% / var(--lv-columns-n)) 100%}.lv-columns-presses{position:absolute;inset:0;z-index:1;display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr))}.lv .lv-columns-presses>button{min-width:0;padding:0;border:0;background:none;cursor:pointer}.lv .lv-columns-presses>button:hover{box-shadow:inset 0 0 0 2px var(--lv-ink)}.lv .lv-columns-presses>button[aria-current=true]{box-shadow:inset 0 0 0 2px var(--lv-now)}@container (min-width: 1000px){.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-in{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) :is(.lv-curve,.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why h2 small,.lv-board>.lv-legends){display:none}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label{font-size:0.74em;flex-wrap:nowrap}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label b{flex:1 0 6.6em}}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables-box{font-size:clamp(9px,calc(var(--lv-tall) / 12),0.66em)}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables{max-height:none}@container (max-width: 720px){.lv-columns{gap:0 0.5em}.lv-columns[data-titled] figcaption{height:3em;line-height:1.5em;white-space:normal}.lv-columns[data-titled]>.lv-columns-names{padding-top:3em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:4.2em}.lv-columns>figure{min-width:max(3.7em,calc(0.7em * var(--lv-columns-n)))}}\n';
var board_default = '.lt-lanes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30em),1fr));gap:1em}.lt-numbers{display:flex;gap:0.2em 1.1em;flex-wrap:wrap;color:var(--lv-muted)}.lt-numbers b{color:var(--lv-ink)}.lt-views{display:grid;grid-template-columns:minmax(0,64fr) minmax(0,36fr);gap:0.8em 1.2em}.lt-strips{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.45em 0.7em;align-items:center;align-self:start}.lt-strips>span{font-size:0.84em;color:var(--lv-muted);white-space:nowrap}.lv .lt-strips canvas{border-radius:0.15em}.lt-strips small{display:block}.lt-strips>.lt-stamp{grid-column:1 / -1}.lt .lv-label small,.lt-stamp,.lt-numbers small{font-variant-numeric:tabular-nums;color:var(--lv-muted)}.lt-numbers-below{display:grid;grid-template-columns:repeat(8,minmax(0,1fr));font-size:0.72em;line-height:1.3;text-align:center;color:var(--lv-muted);min-height:1.3em}.lt-mosaic,.lt-usage{display:flex;flex-direction:column;min-width:0}.lt-mosaic{grid-column:1 / -1}.lt-scroll{position:relative;overflow-y:auto;overflow-x:hidden}.lt-scroll canvas{position:sticky;top:0}.lv .lt-scroll canvas:focus-visible{outline-offset:-2px}.lt-usage .lv-fill{min-height:3em}.lt figure>.lv-legend{margin-top:0.3em}.lt .lv-label{font-size:0.84em;margin-bottom:0.25em;height:auto;line-height:1.3;flex-wrap:wrap;gap:0 0.8em;white-space:normal}.lt-legend{display:flex;gap:0.5em;align-items:center;font-size:0.8em;color:var(--lv-muted);white-space:nowrap}.lt-legend i{flex:1;height:0.7em;border-radius:0.2em;background:linear-gradient(90deg,var(--lv-minus),var(--lv-ground),var(--lv-plus))}.lt-curves>header{display:flex;align-items:baseline;gap:0.4em 1.2em;flex-wrap:wrap;margin-bottom:0.5em}.lt-curves>header select{margin-left:auto;font-size:0.9em}.lt-charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,12.5em),1fr));gap:0.7em 1.4em;align-items:end}.lv .lt-lineage{color:var(--lv-muted);font-size:0.88em;margin:-0.2em 0 0.6em;overflow-wrap:anywhere}.lv .lt-lineage:empty{display:none}.lv-key .lt-ghost{overflow-wrap:anywhere}.lv-key .lt-ghost::before{width:1.5em;flex:none;height:0;background:none;border-radius:0;border-top:2px dashed var(--lv-muted)}.lt-chart{min-width:0}.lv .lt-chart canvas{height:7.2em}.lt-chart figcaption{display:flex;justify-content:space-between;gap:0.6em;font-size:0.88em;font-weight:650;line-height:1.25;margin-bottom:0.2em}.lt-chart small{white-space:nowrap}.lt-chart b{white-space:nowrap;align-self:end}.lt-chart small{font-weight:400;color:var(--lv-muted)}.lt-chart b{display:flex;gap:0.7em}.lv-key .lt-now::before{width:2px;height:1em;border-radius:0}.lt-next>p{color:var(--lv-muted);margin:0.3em 0 0.6em}.lt-next-acts{flex-wrap:wrap;gap:0.5em}.lv .lt-next-acts .lv-small{color:var(--lv-ink);height:2.4em}.lt-thumbs{display:flex;flex-wrap:wrap;gap:0.4em;margin-top:0.6em}.lt-thumbs[data-table]{display:block}.lt-strips>.lv-columns,.lt-strips>.lv-columns~*{grid-column:1 / -1}.lt-strips>.lv-columns{font-size:0.92em;gap:0 0.6em}.lt-strips>.lv-columns>figure{min-width:3.8em}.lt-strips>.lv-columns figcaption{overflow:visible}.lt-thumb{width:2.9em;padding:0;border:0;background:none;cursor:pointer;border-radius:0.3em}.lt-thumb:hover{outline:2px solid var(--lv-now)}.lt-empty{max-width:46em;margin:6vh auto 0;padding:1.6em 1.8em;display:grid;gap:0.9em}.lt-empty h2{font-size:1.35em}.lt-empty p{color:var(--lv-muted);line-height:1.5}.lv .lt-go{justify-self:start;background:var(--lv-ink);color:var(--lv-surface);padding:0 1.2em 0 0.8em}.lv .lt-go:hover{opacity:0.88;background:var(--lv-ink)}.lv .lt-go span{display:inline}.lv .lt-transport{grid-template-columns:auto minmax(0,1fr);position:relative}.lt-transport::before{content:"";position:absolute;left:0;top:-2px;height:3px;width:var(--lt-progress, 0);background:var(--lv-now)}.lt-transport .lv-btn svg{width:1.25em;height:1.25em}.lt-transport .lv-btn.lv-main svg{width:1.45em;height:1.45em}.lt-transport .lv-btn span{font-size:0.92em;white-space:nowrap}.lt-transport .lv-scrub{grid-column:2}.lv .lt-transport .lv-buttons{grid-row:span 3}.lt-kept{grid-column:2;font-size:0.84em;color:var(--lv-muted);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;order:3}.lv .lt-error{padding:0.6em 0.9em;border:1px solid currentColor;border-radius:0.5em}.lv .lt-error:empty{display:none}.lt-work>header{display:flex;align-items:baseline;gap:0.3em 0.8em;flex-wrap:wrap}.lt-work>header a{margin-left:auto;text-decoration:none}.lt-where,.lv .lt-note{color:var(--lv-muted);overflow-wrap:anywhere;min-width:0}.lv .lt-note{font-size:0.88em;margin:0.5em 0 0}.lv .lt-note:empty{display:none}.lt-passes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22em),1fr));gap:0.5em 1.4em;margin-top:0.5em;font-variant-numeric:tabular-nums}.lt-passes:empty{display:none}.lt-pass progress{display:block;width:100%;height:0.4em;margin-top:0.3em;appearance:none;border:0;border-radius:0.2em;overflow:hidden;background:var(--lv-line)}.lt-pass progress::-webkit-progress-bar{background:var(--lv-line)}.lt-pass progress::-webkit-progress-value{background:var(--lv-now)}.lt-pass progress::-moz-progress-bar{background:var(--lv-now)}@container (min-width: 2400px){.lt-charts{grid-template-columns:repeat(auto-fit,minmax(25em,1fr));row-gap:1.4em}.lv .lt-chart canvas{height:13em}}@container (max-width: 1000px){.lv .lt-transport{grid-template-columns:minmax(0,1fr)}.lt-transport .lv-scrub,.lt-kept{grid-column:1;order:-1}.lt-kept{order:4}.lv .lt-transport .lv-buttons{justify-content:space-between;grid-row:auto}.lt-transport .lv-buttons .lv-btn span{display:inline}}@container (max-width: 720px){.lt-views{grid-template-columns:minmax(0,1fr)}.lt-kept{white-space:normal}.lt-transport .lv-buttons .lv-btn span{display:none}}\n';
var import_names4 = __toESM(require_names(), 1);
var import_dom3 = __toESM(require_dom(), 1);
var import_draw2 = __toESM(require_draw(), 1);
var import_format = __toESM(require_format(), 1);
var import_legend = __toESM(require_legend(), 1);
var import_theme = __toESM(require_theme(), 1);
var CHARTS = [{ title: "Training log P(x, h)", unit: "nats/image", series: [["log_joint"]], help: "of the minibatch, with the latents that the E-step found" }, { title: "Training bound on log P(x)", unit: "nats/image", series: [["bound"]], help: "of the minibatch, by the mean weight of each image's particles, or by mean field" }, { title: "Validation", unit: "nats/image", series: [["validation_score"]], scores: true }, { title: "Wrong pixels", unit: "per image", series: [["probe_wrong_pixels"], ["probe_wrong_pixels_factorised", [3, 3]]], help: "of held-out images", lines: ["the model's own inference", "every unit as if the others were off"], grey: "Squared error" }, { title: "Gradient norm", unit: "", series: [["gradient_norm"]], help: "of all parameters together" }, { title: "Dead units", unit: "never on", series: [["probe_dead_units"]], zero: true, help: "units that no held-out image turns on" }, { title: "Flips per E-step", unit: "per image", series: [["flips"]], zero: true, help: "latents that inference changed" }, { title: "Sweeps per E-step", unit: "per image", series: [["sweeps"]], zero: true, help: "visits to every unit until nothing changes" }, { title: "Effective sample size", unit: "particles", series: [["effective_sample_size"]], zero: true, help: "of each image's particles: how many of them share the weight" }, { title: "Variance of the learning signal", unit: "", series: [["signal_variance"], ["signal_variance_raw", [3, 3]]], zero: true, help: "of the factor by which a recognition network follows a particle", lines: ["with the baseline", "without it"] }, { title: "Stage of training", unit: "", series: [["stage"]], zero: true, help: "1: the lower layer learns, 2: the layer above it, on its latents, 3: all layers together" }, { title: "Layer 2: bound gap", unit: "nats", series: [["validation_upper_layer_gap"]], zero: true, low: [[0.1, "layer 2 is not used"], [0.5, "layer 2 is hardly used"]], help: "by how much the variational bound of a held-out image falls if the upper layer's means are replaced by their average over all images: near 0 the upper layer is not used. Known once both layers have learned together" }, { title: "Error of the prediction", unit: "", series: [["guess_error"]], zero: true, help: "error of the means that the recognition network predicts" }, { title: "Weights near 0", unit: "share", series: [["near_zero"]], zero: true, help: "less than two standard deviations from 0, by the posterior of variational Bayes" }, { title: "Layer 2: share of units on", unit: "", series: [["upper_activity"]], zero: true, help: "of the minibatch: the states that the E-step found, the means of mean field, or the recognition network's means given drawn lower latents" }, { title: "Share of units on", unit: "", series: [["units_on"], ["activity"], ["fantasy_activity", [3, 3]]], zero: true, help: "the two of an RBM agree in a model that fits", lines: ["given training images", "in the RBM's own chains"] }];
var Chart = class {
  canvas = (0, import_dom3.element)("canvas", { role: "img" });
  value = (0, import_dom3.element)("b");
  key = (0, import_dom3.element)("div");
  dotted = "";
  frame = { left: 0, right: 0, top: 0, bottom: 0 };
  labelled = "";
  painted = [];
  shown = [];
  constructor(board, spec, lanes, title, help) {
    this.board = board;
    this.spec = spec;
    this.lanes = lanes;
    this.node = (0, import_dom3.element)("figure", { class: "lt-chart", title: help }, (0, import_dom3.element)("figcaption", {}, (0, import_dom3.element)("span", {}, (0, import_format.unbroken)(title), (0, import_dom3.element)("small", {}, spec.unit ? ` ${spec.unit}` : "")), this.value), this.key, this.canvas);
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
    this.key.replaceChildren(...dotted ? [(0, import_legend.legend)([["line", lanes(false), lines[0]], ["broken", dotted, lines[1]]])] : []);
  }
  paint() {
    const { board, canvas, shown: lines } = this, { palette } = board.colours;
    if (!lines.length) return;
    const now = [palette, board.fontSize, board.endX(), board.axis, board.cursor, board.pastLanes, ...lines.flatMap(({ ring }) => [ring.n, ring.lastX, ring.last])];
    if (!(0, import_draw2.fitCanvas)(canvas) && this.painted.length === now.length && now.every((value, i) => Object.is(value, this.painted[i]))) return;
    this.painted = now;
    const context = (0, import_dom3.penOf)(canvas), { width, height } = canvas;
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
    const { ticks, digits } = (0, import_format.niceTicks)(low, high, 3);
    context.clearRect(0, 0, width, height);
    context.font = `${font}px ${import_theme.FONT}`;
    const texts = ticks.map((tick) => (0, import_format.number)(tick, digits));
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
      (0, import_draw2.segment)(context, frame.left, at, frame.right, at);
      context.fillText(texts[i], frame.left - font * 0.4, at);
    });
    const across = (0, import_format.niceTicks)(0, end, 4);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    across.ticks.forEach((tick) => context.fillText((0, import_format.number)(tick, across.digits), Math.min(x(tick), width - font), height - font * 0.25));
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
      if (!ghost && (!dash || ring.n < 2)) (0, import_draw2.dot)(context, last, y(ring.last), 2.6 * thick, palette.lanes[lane.index % 2]);
    }
    context.restore();
    if (board.cursor >= 0) {
      const at = x(board.pastLanes ? board.lanes[0].alongPast(board.pastLanes) : board.lanes[0].along(board.cursor));
      context.strokeStyle = palette.now;
      context.lineWidth = 2 * thick;
      (0, import_draw2.segment)(context, at, frame.top, at, frame.bottom);
    }
    if (board.cursor >= 0 && board.pastLanes) {
      for (const { lane, ghost } of lines) {
        for (const [key] of ghost ? [] : this.spec.series) {
          const value = lane.figure(key);
          if (Number.isFinite(value)) (0, import_draw2.dot)(context, x(lane.alongPast(board.pastLanes)), y(value), 2.6 * thick, palette.lanes[lane.index % 2]);
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
      return [{ lane, text: Number.isFinite(value) ? (0, import_format.brief)(value) + says : board.cursor < 0 || board.pastLanes ? "–" : "…", measured }];
    });
    const text = parts.map((part4) => part4.text).join("\n");
    if (text === this.labelled) return;
    this.labelled = text;
    this.value.replaceChildren(...parts.map(({ lane, text: text2, measured }) => (0, import_dom3.element)("span", { style: `color: var(--lv-lane${lane.index % 2})`, title: measured == null ? null : `measured at minibatch ${(0, import_format.number)(measured, 0)}` }, text2)));
    const before = this.lanes.map((lane) => {
      const ring = name.map(([key]) => lane.parent.get(key)).find((found) => found);
      return ring ? `, ${lane.title} of the parent, dashed, ends at ${(0, import_format.brief)(ring.last)}` : "";
    });
    this.canvas.setAttribute("aria-label", `${this.title}: ${parts.map(({ lane, text: text2 }) => `${lane.title} ${text2}`).join(", ")}${before.join("")}`);
  }
};
var import_dom4 = __toESM(require_dom(), 1);
var import_format2 = __toESM(require_format(), 1);
var DOES = { between: ["between two passes", ""], opening: ["reaching the cluster", ""], images: ["sending images", "piece"], e_step: ["E-step", "piece"], m_step: ["exchange of codes and M-step", "block"] };
var several = (count, word) => `${(0, import_format2.many)(count)} ${word}${count === 1 ? "" : "s"}`;
var PassesCard = class {
  text = "";
  where = (0, import_dom4.element)("span", { class: "lt-where" });
  link = (0, import_dom4.element)("a", { class: "lv-btn lv-small", target: "_blank", hidden: true }, "Dask’s dashboard ↗");
  lanes = (0, import_dom4.element)("div", { class: "lt-passes" });
  note = (0, import_dom4.element)("p", { class: "lt-note" });
  node = (0, import_dom4.card)({ class: "lt-work", "aria-label": "Passes", hidden: true }, ["Current pass"], [this.where, this.link], this.lanes, this.note);
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
    const found = ["on ", (0, import_dom4.element)("b", {}, several(workers, "worker")), " of a cluster"];
    if (gone) found.push(`, ${gone} gone${names?.length ? `: ${names.join(", ")}` : ""}`);
    return found;
  }
  lane({ title, what, done, of, left }) {
    const [does, piece] = DOES[what], rest = left === void 0 ? "" : `, ${(0, import_format2.clockText)(left)} left of it`;
    const said = of ? `${does}, ${(0, import_format2.many)(done)} of ${several(of, piece)}${rest}` : does;
    const bar = (0, import_dom4.element)("progress", { max: Math.max(of, 1), value: done, "aria-label": `${title}: ${does}` });
    return (0, import_dom4.element)("div", { class: "lt-pass" }, (0, import_dom4.element)("span", {}, (0, import_dom4.element)("b", {}, title), ` ${said}`), bar);
  }
};
var import_dom5 = __toESM(require_dom(), 1);
function confirmAct(root, { title, words, act, keep }) {
  const scope = root.getRootNode(), before = scope.activeElement;
  return new Promise((answer) => {
    const button = (text, value, attributes) => (0, import_dom5.element)("button", { type: "button", class: "lv-btn", onclick: () => dialog.close(value), ...attributes }, text);
    const ids = { "aria-labelledby": "lv-confirm-title", "aria-describedby": "lv-confirm-words" };
    const dialog = (0, import_dom5.element)("dialog", { class: "lv-confirm", role: "alertdialog", ...ids }, (0, import_dom5.element)("h2", { id: ids["aria-labelledby"] }, title), (0, import_dom5.element)("div", { id: ids["aria-describedby"], style: "display: block; margin: 0" }, ...words.map((line) => (0, import_dom5.element)("p", {}, line))), (0, import_dom5.element)("div", {}, button(keep, "", { autofocus: true }), button(act, "yes", { "data-act": true })));
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
var import_dom7 = __toESM(require_dom(), 1);
var import_draw4 = __toESM(require_draw(), 1);
var import_format4 = __toESM(require_format(), 1);
var import_variables = __toESM(require_variables(), 1);
var import_dom6 = __toESM(require_dom(), 1);
var import_draw3 = __toESM(require_draw(), 1);
var import_format3 = __toESM(require_format(), 1);
var import_names = __toESM(require_names(), 1);
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
  canvas = (0, import_dom6.element)("canvas", { role: "spinbutton", tabindex: "0", "aria-valuemin": "0" });
  tall = (0, import_dom6.element)("div", { class: "lt-tall" }, this.canvas);
  node = (0, import_dom6.element)("div", { class: "lt-scroll" }, this.tall);
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
    const last = this.lane.n_h - 1, move = (0, import_dom6.arrowMove)(event, this.shape.columns), end = (0, import_dom6.byKey)(event, { Home: 0, End: last });
    if (move) this.choose((0, import_format3.clamp)(this.at + move, 0, last));
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
    return (0, import_draw3.fitCanvas)(this.canvas);
  }
  paint(atlas, [rows, columns], usage, palette) {
    const { canvas, node, lane: { n_h }, shape } = this, context = (0, import_dom6.penOf)(canvas), ratio = canvas.width / Math.max(1, canvas.clientWidth || node.clientWidth);
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
var useInWords = (share, table = false) => (0, import_names.inRows)(share > 0 ? `on for ${(0, import_format3.brief)(100 * share)} % of held-out images` : "on for no held-out image", table);
var LargeFilter = class {
  unit = -1;
  asked = "";
  lane = null;
  map = null;
  past = null;
  title = (0, import_dom7.element)("h2");
  words = (0, import_dom7.element)("p", { role: "status" });
  now = (0, import_dom7.element)("div", { class: "lt-large-now" });
  moments = (0, import_dom7.element)("ol", { class: "lt-past" });
  about = (0, import_dom7.element)("p");
  bars = new import_variables.VariableBars([{ kind: "signed", title: "weight" }]);
  table = new VariableTable("The filter at stored moments, by variable; scrolls");
  constructor(board) {
    this.board = board;
    this.node = (0, import_dom7.element)("dialog", { class: "lv-help lt-large", "aria-label": "Filter", onclose: () => this.closed() }, (0, import_dom7.element)("header", {}, this.title, (0, import_dom7.iconButton)("back", "Unit before", "←", () => this.move(-1)), (0, import_dom7.iconButton)("step", "Next unit", "→", () => this.move(1)), (0, import_dom7.iconButton)("leave", "Close", "Escape", () => this.node.close())), (0, import_dom7.element)("div", { class: "lt-large-body" }, (0, import_dom7.element)("div", {}, this.now, this.words), (0, import_dom7.element)("div", {}, (0, import_dom7.element)("h3", {}, "At stored moments"), this.about, this.moments, this.table.node)));
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
    (0, import_dom7.setText)(this.title, `Unit ${unit} of ${lane.title}`);
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
      (0, import_dom7.setText)(this.about, "Looking them up …");
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
      this.table.load(this.names, [{ label: `the filter at ${steps.length} moments`, n: steps.length, heads: Array.from(passes, (pass) => (0, import_format4.number)(pass, pass < 10 ? 1 : 0)), title: "epoch", press: { say: (n) => `${this.board.unit} ${(0, import_format4.many)(steps[n])}, epoch ${(0, import_format4.number)(passes[n], 2)}, ${use(n)}, largest weight ${(0, import_format4.brief)(largest2[n])}; look at this moment`, go: (n) => this.board.scrub(steps[n]) } }]);
      (0, import_dom7.setText)(this.about, "A column for each moment, in shares of its own largest weight. Press one to look at that moment.");
      this.board.dirty();
      return;
    }
    this.maps = Array.from(steps, (step, n) => {
      const [rows, columns] = this.board.meta?.image_shape ?? [1, 1], map = new import_draw4.PixelMap(rows, columns, `the filter at ${this.board.unit} ${(0, import_format4.many)(step)}`);
      const button = (0, import_dom7.element)("button", { type: "button", class: "lv-tile", "data-step": step, title: `Minibatch ${(0, import_format4.many)(step)}: ${use(n)}; the largest weight is ${(0, import_format4.brief)(largest2[n])}. Press to look at this moment.`, "aria-label": `${this.board.unit} ${(0, import_format4.many)(step)}, epoch ${(0, import_format4.number)(passes[n], 2)}, ${use(n)}, largest weight ${(0, import_format4.brief)(largest2[n])}; look at this moment`, onclick: () => this.board.scrub(step) }, map.canvas, (0, import_dom7.element)("i", { style: `--lt-use: ${100 * usage[n]}%` }), (0, import_dom7.element)("b", {}, `epoch ${(0, import_format4.number)(passes[n], 2)}`), usage[n] > 0 ? `on ${(0, import_format4.brief)(100 * usage[n])} %` : "never on");
      return { map, button };
    });
    this.moments.replaceChildren(...this.maps.map(({ button }) => (0, import_dom7.element)("li", {}, button)));
    (0, import_dom7.setText)(this.about, "Each in shares of its own largest weight; the bar says how often the unit was on. Press one to look at that moment.");
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
    (0, import_dom7.setText)(this.words, `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255, true)}. To the right, a variable becomes more probable when the unit is on; to the left, less.`);
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
    if (this.map?.canvas.width !== columns || this.map.canvas.height !== rows) this.now.replaceChildren((this.map = new import_draw4.PixelMap(rows, columns, "the filter now")).canvas);
    this.map.paint((i) => lane.filters[unit * n_v + i], 127, signed2);
    (0, import_dom7.setText)(this.words, `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255)}. Orange adds ink, blue takes it away.${lane.fine ? "" : " Shrunk while it trains."}`);
    if (past?.meta.lane !== lane.index || past.meta.unit !== unit) return;
    const pixels = past.arrays.filters.length / this.maps.length;
    this.maps.forEach(({ map, button }, n) => {
      map.paint((i) => past.arrays.filters[n * pixels + i], 127, signed2);
      button.setAttribute("aria-current", String(board.cursor >= 0 && Number(button.dataset.step) === board.shown));
    });
  }
};
var large_default = '.lv .lt-large{width:min(52em,94vw);max-width:none}.lt-large>header{display:flex;align-items:center;gap:0.4em;margin-bottom:0.8em}.lt-large h2{flex:1;font-size:1.2em}.lt-large h3{font-size:1em;font-weight:650}.lt-large-body{display:grid;grid-template-columns:minmax(0,15em) minmax(0,1fr);gap:1em 1.6em;align-items:start}.lt-large p{color:var(--lv-muted);font-size:0.92em;margin-top:0.5em}.lt-past{display:grid;grid-template-columns:repeat(auto-fill,minmax(6em,1fr));gap:0.7em;list-style:none;margin:0.6em 0 0;padding:0}.lt-past button{width:100%;text-align:left}.lt-past button:hover{background:var(--lv-faint)}.lt-past button[aria-current=true]{outline:2px solid var(--lv-now)}.lt-past b{display:block;color:var(--lv-ink);font-weight:650}.lt-past i{display:block;height:4px;border-radius:2px;background:var(--lv-faint);margin:0.3em 0}.lt-past i::before{content:"";display:block;height:100%;width:var(--lt-use);border-radius:2px;background:var(--lt-lane)}@container (max-width: 720px){.lt-large-body{grid-template-columns:minmax(0,1fr)}.lt-large-now{max-width:14em}}\n';
var import_decode = __toESM(require_decode(), 1);
var import_dom9 = __toESM(require_dom(), 1);
var import_draw5 = __toESM(require_draw(), 1);
var import_format6 = __toESM(require_format(), 1);
var import_legend2 = __toESM(require_legend(), 1);
var import_names2 = __toESM(require_names(), 1);
var import_dom8 = __toESM(require_dom(), 1);
var import_format5 = __toESM(require_format(), 1);
var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, normaliser_chains: 100, most_compared: 8, images_measured: 100, images_bracketed: 25, narrow_nats: 1, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, held_log_odds: 1e3, figures: ["log_joint", "validation_score", "probe_wrong_pixels", "probe_wrong_pixels_factorised", "gradient_norm", "probe_dead_units", "flips", "sweeps", "units_on", "activity", "fantasy_activity", "bound", "effective_sample_size", "signal_variance", "signal_variance_raw", "stage", "guess_error", "near_zero", "validation_upper_layer_gap", "upper_activity", "seconds"], words_of_rows: { image: "row", pixel: "observation" }, table_words: { pairs: [["yes", "no"], ["true", "false"], ["y", "n"]], unknown: ["", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"] }, max_parameter: 500, check_interval: 100, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
var { n_shown: N_SHOWN } = constants_default;
var strip = (label) => (0, import_dom8.element)("canvas", { role: "img", "aria-label": label, class: "lv-pixels" });
function paintStrip(canvas, [rows, columns], n, colour) {
  const gap = Math.max(1, Math.round(columns / 10)), width = n * (columns + gap) - gap, n_v = rows * columns;
  if (canvas.width !== width || canvas.height !== rows) {
    canvas.width = width;
    canvas.height = rows;
  }
  const context = (0, import_dom8.penOf)(canvas), image = context.createImageData(width, rows), pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < n * n_v; at++) {
    const m = Math.floor(at / n_v), i = at % n_v;
    pixels[Math.floor(i / columns) * width + m * (columns + gap) + i % columns] = colour(at);
  }
  context.putImageData(image, 0, 0);
}
var WRITTEN = { "": () => "", share: (value) => `${(0, import_format5.number)(100 * value, 0)} %`, count: (value) => (0, import_format5.number)(value, 0), value: (value) => value > 0 && value < 5e-4 ? "<0.001" : (0, import_format5.number)(value, value && value < 0.095 ? 3 : 2) };
var PictureRows = class {
  constructor(lane) {
    this.lane = lane;
    this.rows = lane.meta.rows.map((row) => ({ row, canvas: strip(row.title), numbers: Array.from({ length: row.number ? N_SHOWN : 0 }, () => (0, import_dom8.element)("span")) }));
  }
  get nodes() {
    return this.rows.flatMap(({ row, canvas, numbers }) => [(0, import_dom8.element)("span", { title: row.help }, row.title, row.unit ? (0, import_dom8.element)("small", {}, row.unit) : ""), (0, import_dom8.element)("div", { title: row.help }, canvas, numbers.length ? (0, import_dom8.element)("div", { class: "lt-numbers-below", "aria-hidden": "true" }, ...numbers) : "")]);
  }
  get groups() {
    return this.rows.map(({ row, canvas, numbers }) => ({ title: row.title, label: row.help, n: N_SHOWN, canvas, foot: numbers.length ? (0, import_dom8.element)("div", { class: "lt-numbers-below", "aria-hidden": "true" }, ...numbers) : void 0 }));
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
        (0, import_dom8.setText)(node, text);
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
  usage = (0, import_dom9.element)("canvas", { role: "img" });
  numbers = (0, import_dom9.element)("div", { class: "lt-numbers" });
  error = (0, import_dom9.element)("p", { class: "lv-complaint" });
  dead = (0, import_dom9.element)("b");
  stamped = { strips: (0, import_dom9.element)("small", { class: "lt-stamp" }), usage: (0, import_dom9.element)("small"), filters: (0, import_dom9.element)("small") };
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
    const { original, reconstructions, samples, usage, rows, filters } = (0, import_decode.part)(arrays, index);
    this.pictures = { original: original.slice(), reconstructions: reconstructions.slice(), samples: samples.slice(), usage: usage.slice(), rows: rows.slice() };
    this.rows = new PictureRows(this);
    this.filters = filters.slice();
    this.mosaic = run.variables ? new FilterTable(this, run.variables) : new FilterMosaic(this);
    if (run.variables) this.fillTable(run.variables);
    const { binary } = run, upper = usage.length - this.n_h, units = upper > 0 ? `${this.n_h} + ${upper} units` : `${this.n_h} units`;
    const colours = binary ? (0, import_legend2.legend)([["square", "plus", "too much"], ["square", "minus", "too little; faint: the likelier value is right"]], "Error") : (0, import_dom9.element)("div", { class: "lt-legend" }, "residual −0.5", (0, import_dom9.element)("i"), "+0.5 of full ink");
    this.node = (0, import_dom9.element)("section", { class: "lv-card lv-lane lt-lane", "data-lane": this.index % 2, "aria-label": this.title }, (0, import_dom9.element)("header", {}, (0, import_dom9.element)("h2", { title: this.meta.settings }, (0, import_dom9.element)("span", {}, this.title), (0, import_dom9.element)("small", {}, units)), this.numbers), this.error, (0, import_dom9.element)("div", { class: "lt-views" }, (0, import_dom9.element)("div", { class: "lt-strips" }, this.stamped.strips, ...run.variables ? [this.table.node] : [...Object.entries(this.titles).flatMap(([name, text]) => [(0, import_dom9.element)("span", {}, text), this.strips[name]]), ...this.rows.nodes, (0, import_dom9.element)("span")], colours), (0, import_dom9.element)("figure", { class: "lt-usage" }, (0, import_dom9.element)("div", { class: "lv-label" }, (0, import_dom9.element)("span", {}, "Use of each unit ", this.stamped.usage), this.dead), (0, import_dom9.element)("div", { class: "lv-fill" }, this.usage), (0, import_legend2.legend)([["square", `lane${index % 2}`, (0, import_names2.inRows)("bar: share of held-out images that turn a unit on; the largest first", this.isTable)], ["square", "bad", (0, import_names2.inRows)("dead: no image does", this.isTable)]])), (0, import_dom9.element)("figure", { class: "lt-mosaic" }, (0, import_dom9.element)("div", { class: "lv-label" }, (0, import_dom9.element)("span", {}, "Filters ", this.stamped.filters, ": press one to see it large")), this.mosaic.node, (0, import_legend2.legend)([["square", "plus", this.isTable ? "makes the variable more probable" : "adds ink"], ["square", "minus", this.isTable ? "less" : "takes it away"], ["pale", "plus minus", "faint: a dead unit"]]))));
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
      return { title, label: (0, import_names2.inRows)(canvas.getAttribute("aria-label") ?? title, true), n, canvas };
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
    const { filters, ...others } = (0, import_decode.part)(arrays, this.index);
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
  paint(colours) {
    if (this.of !== colours) this.anew();
    this.of = colours;
    const grew = [this.mosaic.fit(), (0, import_draw5.fitCanvas)(this.usage)];
    if (this.stale.strips) this.paintStrips(colours.tables);
    if (this.stale.filters || grew[0]) this.paintMosaic(colours);
    if (this.stale.usage || grew[1]) this.paintUsage(colours.palette);
    this.stale = { strips: false, filters: false, usage: false };
    this.words();
  }
  paintStrips(tables) {
    const { run } = this, [rows, columns] = run.image_shape, n = this.pictures.original.length / (rows * columns), [low, high] = run.tones;
    const tone = Uint32Array.from({ length: 256 }, (_, i) => tables.ink[(0, import_format6.byte)(low + (high - low) * i / 255)]);
    const { original, reconstructions, samples } = this.pictures;
    const residual = (at) => {
      const x = original[at], difference = (reconstructions[at] - x) / 255 * (high - low);
      return run.binary ? (0, import_format6.signedColour)(tables.error[x > 127 ? 1 : 0], difference) : (0, import_format6.signedColour)(tables.signed, 2 * difference);
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
      this.atlas = atlas = (0, import_dom9.element)("canvas", { width: columns * this.n_h, height: rows });
      this.touched = new Set(Array.from({ length: this.n_h }, (_, j) => j));
    }
    const pen = (0, import_dom9.penOf)(atlas), image = pen.createImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
    for (const j of this.touched) {
      for (let i = 0; i < n_v; i++) pixels[i] = tables.signed[255 + 2 * this.filters[j * n_v + i]];
      pen.putImageData(image, j * columns, 0);
    }
    this.touched.clear();
    this.mosaic.paint(atlas, [rows, columns], this.pictures.usage, palette);
  }
  paintUsage(palette) {
    const { usage } = this, context = (0, import_dom9.penOf)(usage), { width, height } = usage, sorted = Array.from(this.pictures.usage).sort((a, b) => b - a);
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
    usage.setAttribute("aria-label", `${this.title}: use of the units, from ${(0, import_format6.brief)(100 * sorted[0] / 255)} % down to ${(0, import_format6.brief)(100 * sorted[sorted.length - 1] / 255)} % of held-out ${this.isTable ? "rows" : "images"}, ${dead} dead`);
  }
  figure(name) {
    return (this.board.cursor < 0 ? this.rings.get(name)?.last : this.board.pastLanes?.[this.index].figures[name]?.[0]) ?? NaN;
  }
  at(step) {
    return `at ${this.board.unit} ${(0, import_format6.many)(step)}`;
  }
  stamp() {
    const { stamped, stamps: { glance, probe, filters } } = this;
    (0, import_dom9.setText)(stamped.strips, probe === glance ? this.at(glance) : `${this.at(glance)}, samples at ${(0, import_format6.many)(probe)} (drawn less often)`);
    (0, import_dom9.setText)(stamped.usage, this.at(probe));
    (0, import_dom9.setText)(stamped.filters, this.at(filters));
  }
  words() {
    const wrong = this.figure("probe_wrong_pixels"), dead = this.figure("probe_dead_units"), unit = !this.run.binary ? "sq. error" : this.isTable ? "observations wrong" : "px wrong";
    const parts = [], { probe } = this.stamps, seconds = this.board.cursor < 0 ? this.seconds : this.board.pastLanes?.[this.index].seconds ?? NaN;
    this.stamp();
    if (Number.isFinite(wrong)) parts.push((0, import_dom9.element)("span", {}, (0, import_dom9.element)("b", {}, (0, import_format6.brief)(wrong)), ` ${unit}`));
    if (Number.isFinite(dead)) parts.push((0, import_dom9.element)("span", {}, (0, import_dom9.element)("b", {}, String(Math.round(dead))), " dead"));
    if (Number.isFinite(wrong)) parts.push((0, import_dom9.element)("small", { title: (0, import_names2.inRows)("Wrong pixels and dead units are counted on all held-out images: less often than the eight below are shown, as it takes longer", this.isTable) }, this.at(probe)));
    if (Number.isFinite(seconds)) parts.push((0, import_dom9.element)("span", { title: `Seconds ${this.board.trainer.clock} in which this model took its own steps, on as many cores as they use: without the other's steps, the compilation of kernels, and the work for what is shown here. These are no CPU seconds` }, (0, import_dom9.element)("b", {}, (0, import_format6.number)(seconds, seconds < 100 ? 1 : 0)), " s in its own steps, by the clock"));
    if (this.board.cursor >= 0 && !this.board.pastLanes) parts.push((0, import_dom9.element)("span", {}, "…"));
    if (this.rate > 0 && this.board.cursor < 0) parts.push((0, import_dom9.element)("span", {}, (0, import_dom9.element)("b", {}, (0, import_format6.many)(Math.round(this.rate))), this.isTable ? " rows/s" : " images/s"));
    if (this.board.lostAt) parts.push((0, import_dom9.element)("span", {}, `as of ${(0, import_format6.timeOfDay)(this.board.lostAt)}`));
    const text = parts.map((part4) => part4.textContent).join("\n");
    if (text !== this.said) this.numbers.replaceChildren(...parts);
    this.said = text;
    (0, import_dom9.setText)(this.error, this.meta.error);
  }
};
var import_decode2 = __toESM(require_decode(), 1);
var import_dom10 = __toESM(require_dom(), 1);
var import_draw6 = __toESM(require_draw(), 1);
var import_format7 = __toESM(require_format(), 1);
var import_legend3 = __toESM(require_legend(), 1);
var import_names3 = __toESM(require_names(), 1);
var STAGES = ["before", "gradient", "after"];
var MS = 600;
var CELL = 12;
var GAP = 3;
var METHODS = { icm: "ICM visits one latent after another, and sets each to its likelier state given the image and all other latents.", gibbs: "Gibbs sampling visits one latent after another, and draws each given the image and all other latents.", annealed: "Annealing visits one latent after another, and draws each given the image and all other latents, at a falling temperature; ICM ends it." };
var Flips = class {
  image = 0;
  timer;
  paints = [];
  images = (0, import_dom10.element)("div", { class: "lt-thumbs", role: "group", "aria-label": "Images of the minibatch" });
  latents = (0, import_dom10.element)("canvas", { role: "img", class: "lt-slow-latents" });
  states = new VariableTable("The row and its reconstruction, by variable");
  said = (0, import_dom10.element)("p", { role: "status" });
  range = (0, import_dom10.element)("input", { type: "range", min: 0, step: 1, oninput: () => this.rest() });
  back = (0, import_dom10.iconButton)("back", "Flip before", "", () => this.move(-1));
  next = (0, import_dom10.iconButton)("step", "Next flip", "", () => this.move(1));
  play = (0, import_dom10.element)("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.toggle() }, "Play");
  open = (0, import_dom10.element)("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.slow.inspect(this.image) });
  constructor(slow, lane, meta, arrays, rows) {
    this.slow = slow;
    this.lane = lane;
    this.meta = meta;
    this.arrays = arrays;
    const [height, width] = lane.run.image_shape;
    this.shape = (0, import_draw6.gridShape)(meta.n_h, width, height);
    this.x = new import_draw6.PixelMap(height, width, "the image");
    this.mean = new import_draw6.PixelMap(height, width, "its reconstruction");
    this.latents.width = this.shape.columns * (CELL + GAP) - GAP;
    this.latents.height = this.shape.rows * (CELL + GAP) - GAP;
    this.range.setAttribute("aria-label", `${lane.title}: flip of the E-step`);
    this.buttons = rows.slice(0, arrays.ends.length).map((row, n) => {
      const picture = (0, import_dom10.element)("img", { alt: "", class: "lv-pixels" }), view = new import_draw6.StillView(picture, height, width);
      this.paints.push(({ ink }) => view.paint((i) => ink[slow.pixels[n * height * width + i]]));
      const label = `Training image ${(0, import_format7.many)(row)}, ${this.count(n)}`;
      return (0, import_dom10.element)("button", { type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.choose(n) }, picture);
    });
    const { variables } = lane.run;
    (0, import_dom10.setText)(this.open, (0, import_names3.inRows)("Every visit of this image, in Inference", Boolean(variables)));
    if (variables) this.nameRows(variables, rows);
    else this.images.append(...this.buttons);
    const figure = (words, canvas) => (0, import_dom10.element)("figure", {}, (0, import_dom10.element)("figcaption", {}, words), canvas);
    this.node = (0, import_dom10.element)("section", { class: "lt-slow-part", "aria-label": `${lane.title}: E-step` }, (0, import_dom10.element)("h3", {}, `${lane.title}: E-step`), (0, import_dom10.element)("p", {}, (0, import_names3.inRows)(`The filters stay as they are. ${METHODS[meta.e_step ?? ""] ?? ""} Only visits that change a latent, its flips, are shown. Press one of the images to see its own.`, Boolean(variables))), this.images, (0, import_dom10.element)("div", { class: "lt-slow-states" }, ...variables ? [this.states.node] : [figure("image", this.x.canvas), figure("reconstruction", this.mean.canvas)], figure("latents", this.latents)), (0, import_dom10.element)("div", { class: "lt-slow-flips" }, this.back, this.range, this.next, this.play), this.said, (0, import_legend3.legend)([["square", "ink", "latent on"], ["square", "plus", "has just turned on"], ["square", "minus", "has just turned off"]]), this.open);
  }
  nameRows(variables, rows) {
    const n_v = variables.length, n = this.arrays.ends.length, all = new VariableTable("Rows of the minibatch, by variable; scrolls");
    all.load(variables, [{ label: `${n} training rows`, n, press: { say: (at) => `Training row ${(0, import_format7.many)(rows[at])}, ${this.count(at)}`, go: (at) => this.choose(at) } }]);
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
    return n ? `${(0, import_format7.many)(n)} flip${n === 1 ? "" : "s"}` : "no flip";
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
    (0, import_dom10.setText)(this.play, "Play");
    this.slow.board.dirty();
  }
  toggle() {
    if (this.timer !== void 0) return this.rest();
    if (this.range.value === this.range.max) this.range.value = "0";
    (0, import_dom10.setText)(this.play, "Pause");
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
    const pen = (0, import_dom10.penOf)(this.latents), { columns } = this.shape;
    pen.clearRect(0, 0, this.latents.width, this.latents.height);
    states.forEach((on2, j) => {
      pen.fillStyle = j === unit ? palette[on2 ? "plus" : "minus"] : on2 ? palette.ink : palette.faint;
      pen.fillRect(j % columns * (CELL + GAP), Math.floor(j / columns) * (CELL + GAP), CELL, CELL);
    });
    const on = states.reduce((sum, state) => sum + state, 0);
    this.latents.setAttribute("aria-label", `${lane.title}: ${on} of ${n_h} latents on`);
    const joint = `log P(x, h) = ${(0, import_format7.brief)(arrays.log_joint[at])} nats`, words = unit < 0 ? `Start: ${on} of ${n_h} latents on; ${joint}. The E-step makes ${this.count(image)}.` : `Flip ${flip} of ${this.range.max}, sweep ${arrays.sweep[at] + 1}: latent ${unit} turns ${states[unit] ? "on" : "off"}; its log-odds are ${(0, import_format7.signed)(arrays.log_odds[at])} nats. ${joint}.`;
    this.range.setAttribute("aria-valuetext", words);
    (0, import_dom10.setText)(this.said, words);
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
    this.scale = (0, import_draw6.largest)(steps);
    this.rows = units.map((unit, n) => {
      const own = (rows) => rows.subarray(n * n_v, (n + 1) * n_v), images = [{ name: STAGES[0], values: own(before), scale: 0 }, { name: STAGES[1], values: own(steps), scale: this.scale }, { name: STAGES[2], values: own(after), scale: 0 }], same = Math.max((0, import_draw6.largest)(own(before)), (0, import_draw6.largest)(own(after)));
      return { unit, size: sizes[n], pictures: images.map(({ name, values, scale }) => {
        const picture = (0, import_dom10.element)("img", { class: "lv-pixels", alt: `unit ${unit}: ${name}` });
        return { name, picture, values, scale: scale || same, view: new import_draw6.StillView(picture, height, width) };
      }) };
    });
    const { variables } = lane.run;
    if (variables) {
      this.table = new VariableTable(`${lane.title}: change of the filters, by variable; scrolls`);
      this.table.load(variables, STAGES.map((title2) => ({ title: title2, label: `${title2}: a column for each unit, the most changed first`, n: units.length, heads: units.map(String) })));
    }
    const title = e_step === null ? "gradient step" : "M-step", about = e_step === null ? "Given what is visible its latents are independent, so it needs no E-step. The gradient is a mean over the minibatch, less a mean over samples of the model." : "The latents stay as the E-step has left them. Each weight moves along the gradient of log P(x, h), averaged over the minibatch.";
    this.node = (0, import_dom10.element)("section", { class: "lt-slow-part", "aria-label": `${lane.title}: ${title}` }, (0, import_dom10.element)("h3", {}, `${lane.title}: ${title}`), (0, import_dom10.element)("p", {}, (0, import_names3.inRows)(`${about} The gradient is shown as it is applied: the filter after the step, less the filter before it.`, Boolean(variables))), this.table?.node ?? (0, import_dom10.element)("ol", { class: "lt-slow-units" }, ...this.rows.map(({ unit, size, pictures }) => (0, import_dom10.element)("li", {}, (0, import_dom10.element)("b", {}, `unit ${unit}`), (0, import_dom10.element)("small", {}, `largest change ${small(size)}`), (0, import_dom10.element)("div", {}, ...pictures.map(({ picture }) => picture)), (0, import_dom10.element)("div", { class: "lt-slow-names", "aria-hidden": "true" }, ...pictures.map(({ name }) => (0, import_dom10.element)("span", {}, name)))))), (0, import_legend3.legend)([["square", "plus", "a weight above 0, or one that rises"], ["square", "minus", "below 0, or one that falls"], ["pale", "plus minus", `full colour: ${small(this.scale)} in gradients; in a filter, its largest weight`]]));
  }
  anew({ signed: table }) {
    STAGES.forEach((_, stage) => this.table?.paint(stage, (unit, i) => {
      const { values, scale } = this.rows[unit].pictures[stage];
      return (0, import_format7.signedColour)(table, values[i] / scale);
    }));
    for (const { pictures } of this.rows) for (const { view, values, scale } of pictures) view.paint((i) => (0, import_format7.signedColour)(table, values[i] / scale));
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
  note = (0, import_dom10.element)("small");
  parts = (0, import_dom10.element)("div", { class: "lt-slow-parts" });
  constructor(board) {
    this.board = board;
    this.node = (0, import_dom10.card)({ class: "lt-slow", "aria-label": "Slow motion", tabindex: "-1", hidden: true }, ["Slow motion ", this.note], [(0, import_dom10.iconButton)("leave", "Close slow motion", "", () => this.close())], this.parts);
  }
  take({ step, rows, lanes }, arrays) {
    this.hide();
    this.step = step;
    this.rows = rows;
    this.pixels = arrays.minibatch.slice();
    const { variables } = this.board.lanes[0].run;
    (0, import_dom10.setText)(this.note, (0, import_names3.inRows)(`${this.board.unit} ${(0, import_format7.many)(step)}, ${(0, import_format7.many)(rows.length)} images`, Boolean(variables)));
    lanes.forEach((meta, n) => {
      const lane = this.board.lanes[n], own = (0, import_decode2.part)(arrays, n);
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
  inspect(number7) {
    this.board.say({ type: "inspect", number: number7 });
  }
  paint(colours) {
    if (this.node.hidden) return;
    if (this.painted !== colours.tables) {
      this.painted = colours.tables;
      for (const each of [...this.flips, ...this.changes]) each.anew(colours.tables);
    }
    for (const flips of this.flips) flips.paint(colours);
  }
};
var slow_default = ".lt-slow>header{display:flex;align-items:center;gap:0.4em}.lt-slow>header .lv-btn{margin-left:auto}.lt-slow:focus{outline:none}.lt-slow-parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24em),1fr));gap:1.2em 2em}.lt-slow-part{min-width:0}.lt-slow-part h3{font-size:1em;font-weight:650}.lt-slow-part>p{margin:0.3em 0 0.6em;color:var(--lv-muted)}.lt-slow-part>p[role=status]{color:var(--lv-ink);min-height:2.8em}.lt-slow .lt-thumb[aria-pressed=true]{outline:2px solid var(--lv-now)}.lt-slow-states{display:flex;flex-wrap:wrap;gap:1em;margin:0.8em 0}.lt-slow-states figure{width:7em}.lt-slow-states figcaption,.lt-slow-part small,.lt-slow-names{font-size:0.84em;color:var(--lv-muted)}.lv .lt-slow-states canvas{width:100%;height:auto}.lt-slow-flips{display:flex;align-items:center;gap:0.4em;max-width:30em}.lt-slow-flips input{flex:1;min-width:0}.lt-slow-part>.lv-small{margin-top:0.6em}.lt-slow-units{list-style:none;margin:0 0 0.6em;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5em,1fr));gap:0.9em 1.2em}.lt-slow-units small{float:right}.lt-slow-units div{display:grid;grid-template-columns:repeat(3,1fr);gap:0.3em}.lt-slow-units img{width:100%}.lt-slow-names span{text-align:center}\n";
var ON_SERVER = { lacks: ["slow"], titles: {}, clock: "by the clock of the server's machine", discards: "in memory and on disk" };
var IN_PAGE = { lacks: ["stop", "leave", "save"], titles: { reset: "Reset: from the beginning, with the chosen seed", branch: "Branch: learn on from the moment shown; curves of what came later stay, dashed", back: "Go back here and forget what came later" }, clock: "by the clock of this device", discards: "and its curves" };
var { unknown_tone: UNKNOWN_TONE2 } = constants_default;
var SAYS = { none: "No run yet", loading: "Preparing the run", new: "Ready", running: "Training", paused: "Paused", done: "Finished", failed: "Failed", cancelled: "Stopped" };
function rename(button, words) {
  const [key] = / \([^ ]+\)$/.exec(button.title) ?? [""];
  button.setAttribute("aria-label", words);
  button.title = words + key;
}
var TrainBoard = class extends import_page.Page {
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
  go = (0, import_dom11.element)("button", { type: "button", class: "lv-btn lt-go", onclick: () => this.say({ type: "start" }) }, (0, import_dom11.icon)("play"), (0, import_dom11.element)("span", {}, "Start training"));
  seen = (0, import_dom11.element)("p");
  empty = (0, import_dom11.element)("section", { class: "lv-card lt-empty" }, (0, import_dom11.element)("h2", {}, "Watch two models learn"), (0, import_dom11.element)("p", {}, "Press Start training to run the recipe at the side; the first recipe is small and takes ten seconds. This page shows how the models learn: filters form, units die or stay alive, and reconstructions sharpen."), this.seen, (0, import_dom11.element)("p", {}, "Pause at any time, step by single minibatches, drag back through the past, and branch from any moment with other settings."), this.go);
  cards = (0, import_dom11.element)("div", { class: "lt-lanes", hidden: true });
  axisChoice = (0, import_dom11.element)("select", { "aria-label": "Horizontal axis", onchange: () => {
    this.axis = this.axisChoice.value;
    this.dirty();
  } }, (0, import_dom11.element)("option", { value: "passes" }, "over epochs"), (0, import_dom11.element)("option", { value: "seconds" }, "over seconds"));
  multiples = (0, import_dom11.element)("div", { class: "lt-charts" });
  legend = (0, import_dom11.element)("div", { class: "lv-key" });
  moment = (0, import_dom11.element)("span", { class: "lt-now", style: "--lv-swatch: var(--lv-now)", hidden: true }, "moment looked at");
  lineage = (0, import_dom11.element)("p", { class: "lt-lineage" });
  curves = (0, import_dom11.card)({ class: "lt-curves", "aria-label": "Curves", hidden: true }, ["Curves"], [this.legend, this.axisChoice], this.lineage, this.multiples);
  start = (0, import_dom11.iconButton)("play", "Start training", "space", () => this.toggle());
  buttons = { step: (0, import_dom11.iconButton)("step", "Single minibatch", "→", () => this.say({ type: "step" }), "Step"), slow: (0, import_dom11.iconButton)("slow", "Slow motion: a single minibatch in its two parts, E-step and M-step", "s", () => this.say({ type: "slow" }), "Slow motion"), stop: (0, import_dom11.iconButton)("stop", "Stop and store a last checkpoint", "", () => this.say({ type: "stop" }), "Stop"), reset: (0, import_dom11.iconButton)("first", "Reset: the same seed from the beginning", "", () => this.say({ type: "reset" }), "Reset"), leave: (0, import_dom11.iconButton)("fresh", "New run: leave this one, which stays on disk", "", () => this.say({ type: "leave" }), "New"), branch: (0, import_dom11.iconButton)("branch", "Branch: a run of its own from the moment shown; this run stays as it is", "b", () => {
    this.branching = this.say({ type: "branch" });
  }, "Branch from here"), back: (0, import_dom11.iconButton)("rewind", "Go back here and discard what came later", "", () => this.goBack(), "Go back here"), present: (0, import_dom11.iconButton)("last", "Back to the present", "End", () => this.scrub(-1), "Now") };
  bar = new import_scrub.Scrub("Moment of the run, in minibatches", (step) => this.scrub(step));
  says = (0, import_dom11.box)();
  kept = (0, import_dom11.element)("div", { class: "lt-kept" });
  error = (0, import_dom11.element)("p", { class: "lv-complaint lt-error", role: "alert" });
  removed = (0, import_dom11.element)("div", { class: "lt-removed", hidden: true }, (0, import_dom11.element)("span", {}, "This run is in memory alone. "), (0, import_dom11.element)("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.say({ type: "write_again" }) }, "Write it to disk again"));
  transport = (0, import_dom11.element)("div", { class: "lv-transport lt-transport", role: "group", "aria-label": "Training" }, (0, import_dom11.element)("div", { class: "lv-row lv-buttons" }, this.start, ...Object.values(this.buttons)), this.bar.node, this.kept, (0, import_dom11.element)("div", { class: "lv-says" }, this.says));
  nextWords = (0, import_dom11.element)("p");
  nextActs = (0, import_dom11.element)("div", { class: "lv-row lt-next-acts" });
  next = (0, import_dom11.element)("section", { class: "lv-card lt-next", "aria-label": "What next", hidden: true }, (0, import_dom11.element)("h2", {}, "Finished: what next?"), this.nextWords, this.nextActs);
  thumbs = (0, import_dom11.element)("div", { class: "lt-thumbs" });
  batchNote = (0, import_dom11.element)("small");
  batchTitle = (0, import_dom11.element)("span", {}, "Last minibatch");
  batch = (0, import_dom11.element)("section", { class: "lv-card", "aria-label": "Last minibatch", hidden: true }, (0, import_dom11.element)("h2", {}, this.batchTitle, " ", this.batchNote), this.thumbs);
  large = new LargeFilter(this);
  slow = new SlowMotion(this);
  passes = new PassesCard();
  body = (0, import_dom11.element)("div", { class: "lv-in" }, this.error, this.removed, this.empty, this.next, this.passes.node, this.slow.node, this.cards, this.batch, this.curves);
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
      this.colours = (0, import_theme2.coloursOf)(dark);
      this.paintThumbs();
      this.dirty();
    }, resized: () => this.dirty() });
  }
  show({ meta, arrays }) {
    if (meta.kind === "none") {
      this.words(meta);
      (0, import_dom11.setText)(this.seen, meta.seen);
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
    meta.lanes.forEach((given, n) => this.lanes[n]?.takePictures(given, this.cursor < 0 ? (0, import_decode3.part)(arrays, n) : {}));
  }
  rest({ rows, steps }, arrays) {
    if (!this.meta) return;
    if (this.cursor < 0) this.lanes.forEach((lane, n) => lane.show(arrays, steps[n]));
    const [step] = steps;
    const [height, width] = this.meta.image_shape, [low, high] = this.meta.tones, n_v = height * width;
    const pixels = arrays.minibatch.slice(), paints = [], { variables } = this.meta;
    this.minibatch = { step, paints };
    const tone = (ink, at) => ink[(0, import_format8.byte)(low + (high - low) * pixels[at] / 255)];
    this.thumbs.toggleAttribute("data-table", variables !== null);
    if (variables) {
      const table = new VariableTable("Training rows, by variable; scrolls");
      table.load(variables, [{ label: `${rows.length} training rows`, n: rows.length, press: { say: (n) => `Inspect training row ${rows[n]} on the Inference page`, go: (number7) => this.say({ type: "inspect", number: number7 }) } }]);
      const unknown = (n, i) => pixels[n * n_v + i] === UNKNOWN_TONE2;
      paints.push(({ ink, hatch }) => table.paint(0, (n, i) => tone(ink, n * n_v + i), pixels.includes(UNKNOWN_TONE2) ? { unknown, filled: false, colours: hatch } : null));
      this.thumbs.replaceChildren(table.node);
      this.paintThumbs();
      this.batchNote.textContent = `${this.unit} ${(0, import_format8.many)(step)}, a column for each row of data: press one to see its E-step, visit by visit, on the Inference page`;
      return;
    }
    this.thumbs.replaceChildren(...rows.map((row, n) => {
      const image = (0, import_dom11.element)("img", { alt: "", class: "lv-pixels" }), view = new import_draw7.StillView(image, height, width);
      paints.push(({ ink }) => view.paint((i) => tone(ink, n * n_v + i)));
      const label = `Inspect training image ${row} on the Inference page`;
      return (0, import_dom11.element)("button", { type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.say({ type: "inspect", number: n }) }, image);
    }));
    this.paintThumbs();
    this.batchNote.textContent = `${this.unit} ${(0, import_format8.many)(step)}: press an image to see its E-step, visit by visit, on the Inference page`;
  }
  paintThumbs() {
    for (const paint of this.minibatch?.paints ?? []) paint(this.colours.tables);
  }
  load(meta, arrays) {
    this.large.node.close();
    this.slow.hide();
    this.meta = meta;
    this.batchTitle.textContent = meta.whole ? (0, import_names4.inRows)("First images", meta.variables !== null) : "Last minibatch";
    this.batch.setAttribute("aria-label", this.batchTitle.textContent);
    this.bar.range.setAttribute("aria-label", meta.whole ? "Moment of the run, in passes" : "Moment of the run, in minibatches");
    const one = meta.whole ? (0, import_names4.inRows)("One pass over all images", meta.variables !== null) : "Single minibatch";
    rename(this.buttons.step, one);
    this.cursor = -1;
    this.pastLanes = null;
    this.savedAt = meta.saved_at;
    for (const node of [this.cards, this.multiples]) (0, import_dom11.release)(node);
    this.lanes = meta.lanes.map((lane, index) => new TrainLane(this, meta, index, arrays));
    this.cards.replaceChildren(...this.lanes.map((lane) => lane.node));
    const table = meta.variables !== null;
    const specs = CHARTS.map((spec) => ({ ...spec, title: (0, import_names4.inRows)(spec.title, table), unit: (0, import_names4.inRows)(spec.unit, table), help: (0, import_names4.inRows)(spec.help ?? "", table) }));
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
    this.legend.replaceChildren(...this.lanes.map((lane) => (0, import_dom11.element)("span", { style: `--lv-swatch: var(--lv-lane${lane.index % 2})` }, lane.title)), this.moment);
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
    const act = (text, message, title) => ({ type: message.type, node: (0, import_dom11.element)("button", { type: "button", class: "lv-btn lv-small", title, onclick: () => this.say(message) }, text) });
    const again = max_seconds === null ? `${(0, import_format8.many)(n_iter)} more ${whole ? "pass" : "epoch"}${n_iter === 1 ? "" : whole ? "es" : "s"}` : `${(0, import_format8.number)(max_seconds, max_seconds < 10 ? 1 : 0)} s more for each model`;
    const these = lanes.length > 1 ? "these models" : "this model", offers = (type) => !this.trainer.lacks.includes(type);
    const acts = [act(`Look at ${these} in Inference`, { type: "show" }, (0, import_names4.inRows)("How the latents of any image are inferred, visit by visit", table)), act(`Watch ${these} draw in Generate`, { type: "draw" }, (0, import_names4.inRows)("Samples, pass by pass, with the training images nearest to them", table)), ...lanes.map(({ title }, lane) => act(`Save ${title}`, { type: "save", lane }, "A file, which this page and Python open")), act("Train on", { type: "on" }, again)];
    this.nextActs.replaceChildren(...acts.flatMap(({ type, node }) => offers(type) ? [node] : []));
    const ways = [offers("draw") && "watch them draw on the Generate page", offers("save") && "save one as a file", `or train on, ${again}`].filter(Boolean);
    this.nextWords.textContent = `Look at the models, ${table ? "row by row" : "image by image"}, on the Inference page; ${ways.join("; ")}.`;
  }
  lineageWords({ parent, ancestors = [] }) {
    const shown = this.lanes.some((lane) => lane.parent.size);
    this.lineage.textContent = !parent ? "" : `Branch of ${parent.name} at ${this.unit} ${(0, import_format8.many)(parent.step)}.` + (parent.error ? ` ${parent.name} ${parent.error}` : shown ? "" : ` ${parent.name} has not gone further.`) + ancestors.map(({ name, step }, n) => {
      const child = ancestors[n + 1]?.name ?? parent.name;
      return ` ${child} is a branch of ${name} at ${this.unit} ${(0, import_format8.many)(step)}.`;
    }).reverse().join("");
    if (parent && shown) this.legend.append((0, import_dom11.element)("span", { class: "lt-ghost" }, `parent: ${parent.name}`));
  }
  discarded(past) {
    const gone = this.lanes.map((lane, n) => lane.step - past[n].step), most = Math.max(...gone);
    const seconds = this.lanes.reduce((sum, lane, n) => sum + lane.seconds - past[n].seconds, 0);
    return { minibatches: most, passes: most / this.lanes[0].meta.per_pass, seconds };
  }
  async goBack() {
    if (!this.meta || !this.pastLanes) return;
    const step = this.shown, { minibatches, passes, seconds } = this.discarded(this.pastLanes);
    const yes = await confirmAct(this.root, { title: `Go back to ${this.unit} ${(0, import_format8.many)(step)}?`, words: [`This discards what ${this.meta.name} learned later: ${(0, import_format8.many)(minibatches)} ${this.unit}${minibatches === 1 ? "" : "es"}, ${this.meta.whole ? "" : `${(0, import_format8.number)(passes, 2)} epochs, `}${(0, import_format8.number)(seconds, seconds < 10 ? 1 : 0)} seconds of training, ${this.trainer.discards}.`, "It cannot be undone. To keep it, branch from here."], act: "Go back and discard", keep: "Cancel" });
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
    (0, import_scrub.setFace)(this.start, running ? "pause" : "play", running ? "Pause" : status === "paused" || status === "cancelled" ? "Go on" : "Start training");
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
      const [past] = this.pastLanes || [], said = past ? `${this.unit} ${(0, import_format8.many)(this.shown)}, ${meta.whole ? "" : `epoch ${(0, import_format8.number)(past.passes, 2)}, `}after ${(0, import_format8.number)(past.seconds, past.seconds < 10 ? 1 : 0)} s` : "";
      return said + (past && this.answered === this.cursor ? "" : `${said && "; "}looking for ${this.unit} ${(0, import_format8.many)(this.cursor)}…`);
    }
    const done = meta.max_seconds !== null ? `${(0, import_format8.number)(Math.max(...this.lanes.map((other) => other.seconds)), 0)} of ${(0, import_format8.number)(meta.max_seconds, 0)} s for each model` : `epoch ${(0, import_format8.number)(lane.step / lane.meta.per_pass, 2)} of ${(0, import_format8.many)(meta.n_iter)}`;
    if (meta.whole && meta.max_seconds === null) return `pass ${(0, import_format8.many)(Math.max(...this.lanes.map((other) => other.step)))} of ${(0, import_format8.many)(meta.n_iter)}`;
    return `${done}, ${this.unit} ${(0, import_format8.many)(lane.step)}`;
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
    (0, import_draw7.withSizes)([...this.lanes.flatMap((lane) => [lane.mosaic.canvas, lane.usage]), ...this.charts.map((chart) => chart.canvas), this.bar.canvas], () => {
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
      if (!running) this.bar.say(this.cursor < 0 ? `the present, ${this.unit} ${(0, import_format8.many)(this.lanes[0].step)}` : `${this.unit} ${(0, import_format8.many)(at)} of ${(0, import_format8.many)(end)}`);
      const count = Math.min(...this.lanes.map((lane) => lane.history[1])), mb = this.lanes.reduce((sum, lane) => sum + lane.history[3], 0);
      const text = `${(0, import_format8.many)(count)} moment${count === 1 ? "" : "s"} stored, ${(0, import_format8.number)(mb, mb < 10 ? 1 : 0)}${meta.budget_mb === null ? "" : ` of ${(0, import_format8.number)(meta.budget_mb, 0)}`} MB`;
      const saved = this.savedAt > 0 ? `checkpoint ${(0, import_format8.timeOfDay)(this.savedAt * 1e3)}` : "no checkpoint yet";
      const line = `${this.cursor < 0 ? "" : "Now: "}${text}${meta.checkpoint_seconds === null ? "" : ` · ${saved}, every ${(0, import_format8.number)(meta.checkpoint_seconds, 0)} s`}`;
      if (this.kept.textContent !== line) this.kept.textContent = line;
    } else {
      this.bar.hide();
      (0, import_dom11.setText)(this.kept, "");
    }
    const back = this.cursor >= 0 && this.status !== "loading";
    const parts = [(0, import_dom11.bold)(back ? "Looking back" : SAYS[this.status]), `: ${this.sentence()}`];
    if (back) parts.push(`. Now: ${this.unit} ${(0, import_format8.many)(this.lanes[0]?.step ?? 0)}, ${SAYS[this.status].toLowerCase()}`);
    if (this.lostAt && this.lanes.length) parts.push(", ", (0, import_dom11.bold)(`as of ${(0, import_format8.timeOfDay)(this.lostAt)}`));
    else if (this.status === "running" && Number.isFinite(this.left)) parts.push(", ", (0, import_dom11.bold)(`${(0, import_format8.clockText)(this.left)} left`));
    (0, import_dom11.setRich)(this.says, parts);
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
      return `${lane.title}${ghost ? " of the parent" : ""}, ${this.unit} ${(0, import_format8.many)(step)}: ${(0, import_format8.brief)(ring.at(step))}`;
    }).filter(Boolean);
    this.tip(lines.join("\n"), event);
  }
  key(event) {
    if (!(0, import_dom11.isPageKey)(event) || event.key === " " && event.composedPath()[0] instanceof HTMLAnchorElement) return;
    const press = (0, import_dom11.byKey)(event, { " ": this.start, ArrowRight: this.buttons.step, s: this.buttons.slow, b: this.buttons.branch, End: this.buttons.present });
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
var import_decode5 = __toESM(require_decode(), 1);
var import_dom13 = __toESM(require_dom(), 1);
var import_format10 = __toESM(require_format(), 1);
var import_model_file2 = __toESM(require_model_file(), 1);
var import_dom12 = __toESM(require_dom(), 1);
var NARROW = "(max-width: 700px)";
var labelled = (text, ...parts) => (0, import_dom12.element)("label", {}, ...parts.slice(0, -1), text, parts.at(-1) ?? "");
function menu(name, options, chosen, choose) {
  const select = (0, import_dom12.element)("select", { "aria-label": name, onchange: () => choose(select.value) }, ...options.map(([value, text]) => (0, import_dom12.element)("option", { value }, text)));
  select.value = chosen;
  return select;
}
var numberField = (name, title, value, changed) => (0, import_dom12.element)("input", { inputmode: "numeric", autocomplete: "off", class: "live-seed", "aria-label": name, title, value: String(value), onchange: changed });
function numberIn(field, most) {
  const text = field.value.trim();
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null;
}
function settingsOf(title, summary, signal, ...parts) {
  const node = (0, import_dom12.element)("details", { class: "live-course" }, (0, import_dom12.element)("summary", {}, summary), (0, import_dom12.element)("div", { role: "group", "aria-label": title }, ...parts)), narrow = window.matchMedia(NARROW), unfold = () => node.open = !narrow.matches;
  narrow.addEventListener("change", unfold, { signal });
  unfold();
  return node;
}
var import_decode4 = __toESM(require_decode(), 1);
var import_format9 = __toESM(require_format(), 1);
var import_image_file = __toESM(require_image_file(), 1);
var import_known = __toESM(require_known(), 1);
var import_random = __toESM(require_random(), 1);
var import_model_file = __toESM(require_model_file(), 1);
var import_write = __toESM(require_write(), 1);
var { table_words: { pairs, unknown: UNKNOWN_WORDS }, max_name_length: MAX_NAME } = constants_default;
var DELIMITERS = [",", ";", "	", "|"];
var SIDE = 16;
var MAX_PICTURES = 2e3;
var MAX_COLUMNS = 1e3;
var MAX_ROWS = 5e4;
var MIN_ROWS = 20;
var MAX_SHOWN = 2e3;
var MAX_HELD = 200;
var SPREAD = 0.1;
var STATES = new Map([...pairs.flatMap(([one, zero]) => [[one, 1], [zero, 0]]), ...UNKNOWN_WORDS.map((word) => [word, import_known.UNKNOWN])]);
function stateOf(cell) {
  const word = cell.trim().toLowerCase(), known = STATES.get(word);
  if (known !== void 0) return known;
  const number7 = Number(word);
  return number7 === 0 || number7 === 1 ? number7 : void 0;
}
function cellsOf(text, delimiter) {
  const rows = [], end = text.length;
  let row = [];
  for (let at = 0; at < end; ) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < end && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    }
    const start = at;
    while (at < end && text[at] !== delimiter && text[at] !== "\n") at++;
    row.push(cell + text.slice(start, at));
    if (text[at] !== delimiter || at + 1 === end) {
      if (text[at] === delimiter) row.push("");
      if (row.length > 1 || row[0].trim()) rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}
function readTable(text, name) {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"), [line] = plain.split("\n", 1), counts = DELIMITERS.map((delimiter) => line.split(delimiter).length), cells = cellsOf(plain, DELIMITERS[counts.indexOf(Math.max(...counts))]), n_v = cells[0]?.length ?? 0, named = cells.length > 0 && cells[0].some((cell) => stateOf(cell) === void 0), rows = named ? cells.slice(1) : cells;
  if (n_v < 2 || n_v > MAX_COLUMNS) throw new Error(`expected a table of 2 to ${(0, import_format9.many)(MAX_COLUMNS)} columns, got ${(0, import_format9.many)(n_v)}`);
  if (!rows.length || rows.length > MAX_ROWS) throw new Error(`expected 1 to ${(0, import_format9.many)(MAX_ROWS)} rows below the names, got ${(0, import_format9.many)(rows.length)}`);
  const names = named ? cells[0].map((cell) => cell.trim()) : null;
  if (names) checkNames(names);
  const states = new Uint8Array(rows.length * n_v);
  rows.forEach((row, m) => {
    const where = `row ${(0, import_format9.many)(m + 1)}`;
    if (row.length !== n_v) throw new Error(`expected ${(0, import_format9.many)(n_v)} cells in ${where}, got ${(0, import_format9.many)(row.length)}`);
    row.forEach((cell, i) => {
      const state = stateOf(cell);
      if (state === void 0) throw new Error(`expected yes or no, true or false, 1 or 0, or nothing in each cell, got “${cell.slice(0, 40)}” in ${where}, column ${names?.[i] ?? i + 1}: the explorer reads numbers and classes, too`);
      states[m * n_v + i] = state;
    });
  });
  const side = Math.sqrt(n_v), picture = !names && Number.isInteger(side) && side > 3;
  return { name: name.slice(0, MAX_NAME), names: picture ? null : names ?? Array.from({ length: n_v }, (_, i) => `column ${i + 1}`), shape: picture ? [side, side] : [1, n_v], n: rows.length, n_v, states };
}
async function readPictures(files, name) {
  if (files.length > MAX_PICTURES) throw new Error(`expected at most ${(0, import_format9.many)(MAX_PICTURES)} pictures, got ${(0, import_format9.many)(files.length)}`);
  const n_v = SIDE * SIDE, states = new Uint8Array(files.length * n_v);
  for (const [m, file] of files.entries()) {
    const bits = await (0, import_image_file.bitsOfFile)(file, SIDE, SIDE).catch(() => {
      throw new Error(`expected pictures that this browser can show, got ${file.name}`);
    });
    if (!bits) throw new Error(`expected pictures of two tones or more, got ${file.name}, which has one`);
    states.set(bits, m * n_v);
  }
  return { name, names: null, shape: [SIDE, SIDE], n: files.length, n_v, states };
}
function checkNames(names) {
  for (const [n, name] of names.entries()) {
    if (!name || name.length > MAX_NAME || /\p{C}/u.test(name)) throw new Error(`expected a name of 1 to ${MAX_NAME} characters for each column, got “${name.slice(0, 80)}” for column ${n + 1}`);
    if (names.indexOf(name) < n) throw new Error(`expected names that differ, got “${name}” twice`);
  }
}
function wholeRows({ n, n_v, states }, generator) {
  const rows = Array.from({ length: n }, (_, m) => states.subarray(m * n_v, (m + 1) * n_v)).filter((row) => !row.includes(import_known.UNKNOWN));
  return Array.from(generator.permuted(Int32Array.from(rows.keys())), (m) => rows[m]);
}
function bitsOf(rows, n_v) {
  const stride = Math.ceil(n_v / 8), bits = new Uint8Array(rows.length * stride);
  rows.forEach((row, m) => bits.set((0, import_decode4.packBits)(row), m * stride));
  return bits;
}
function runOn(table, own, n_h) {
  const { name, names, shape, n_v } = table, generator = new import_random.Generator(0), rows = wholeRows(table, generator);
  if (rows.length < MIN_ROWS) throw new Error(`expected at least ${MIN_ROWS} rows of which all is known, to learn from, got ${(0, import_format9.many)(rows.length)}`);
  const n_held = Math.min(MAX_HELD, Math.floor(rows.length / 5)), n_train = rows.length - n_held, left = table.n - rows.length;
  const arrays = { images: bitsOf(rows.slice(0, n_train), n_v), held: bitsOf(rows.slice(n_train), n_v) };
  own.lanes.forEach(({ n_particles, predicts, settings: { nonnegative } }, n) => {
    arrays[`${n}.W`] = generator.uniforms(n_h * n_v).map((share) => SPREAD * (nonnegative ? share : 2 * share - 1));
    arrays[`${n}.b`] = new Float64Array(n_v);
    arrays[`${n}.d`] = new Float64Array(n_h);
    if (predicts) arrays[`${n}.predicted`] = Uint16Array.from({ length: n_v }, (_, i) => i);
    if (n_particles) arrays[`${n}.particles`] = generator.coins(n_particles * n_h);
  });
  const lanes = own.lanes.map((lane) => ({ ...lane, n_h, settings: { ...lane.settings, n_h }, words: lane.words.replace(/(= )\d+/, `$1${n_h}`), per_pass: Math.ceil(n_train / own.batch_size), info: { ...lane.info, file: lane.info.file && (0, import_model_file.withSettings)({ ...lane.info.file, head: { ...lane.info.file.head, ...names && { columns: JSON.stringify(names) } } }, { n_components: n_h }) } }));
  const meta = { dataset: name, title: name, training_image: `${name}, training ${names ? "row" : "image"}`, about: !names ? own.about_pictures : left ? `${own.about} ${(0, import_format9.many)(left)} row${left === 1 ? " has a cell that is" : "s have cells that are"} not known: no model learns from ${left === 1 ? "it" : "them"}.` : own.about, image_shape: shape, variables: names, n_train, n_held, batch_size: own.batch_size, n_iter: own.n_iter, seed: 0, lanes, models: { image_shape: shape, models: own.models.map((model) => ({ ...model, ...names && { pixels: names } })) }, own, first: true };
  return { meta, arrays };
}
function blocksOf({ name, names, shape, n, n_v, states }, { meta, arrays }, file_kinds) {
  const shown = Math.min(n, MAX_SHOWN), rows = Array.from({ length: shown }, (_, m) => states.subarray(m * n_v, (m + 1) * n_v)), keys = meta.lanes.map(({ title }) => `${title} before learning from ${name}`), infos = meta.lanes.map(({ info }, n2) => ({ ...info, key: keys[n2], title: keys[n2], partner: keys[1 - n2] })), unknown = rows.map((row) => row.map((state) => Number(state === import_known.UNKNOWN)));
  const images = { models: infos, shown: keys, data: name, dataset: name, test_image: `${name}, ${names ? "row" : "image"}`, part: "", title: "", rounded: "", image: 0, class_names: [names ? "row" : "image"], variables: names, image_shape: shape, binary: true, lessons: [], predictions: "", opening: {}, file_kinds };
  return { models: (0, import_write.pack)({ ...meta.models, models: meta.models.models.map((model, n2) => ({ ...model, key: keys[n2] })) }, Object.fromEntries(Object.entries(arrays).filter(([name2]) => /^\d\.[Wbd]$/.test(name2)))), images: (0, import_write.pack)(images, { pixels: bitsOf(rows, n_v), unknown: bitsOf(unknown, n_v), index: Uint32Array.from(rows.keys()), label: new Uint16Array(shown) }), usage: null };
}
var import_write2 = __toESM(require_write(), 1);
var train_default = ".live-board .lt-views{grid-template:auto 1fr / minmax(0,11fr) minmax(0,10fr)}.live-board .lt-mosaic{grid-area:1 / 1 / 3 / 2}.live-board .lt-strips,.live-board .lt-usage{grid-column:2}.live-board .lt-lane>header{flex-wrap:wrap}.live-board .lt-numbers{flex-basis:100%;font-size:0.9em}.live-board .lt-stamp{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.live-board .lt-error,.live-board .lt-slow{order:-2}.live-board .lt-lanes{order:-1}@container (max-width: 720px){.live-board .lt-views{grid-template:auto / minmax(0,1fr)}.live-board .lt-views>*{grid-area:auto}.live-board .lt-mosaic{order:-1}}\n";
var { max_seed: MAX_SEED } = constants_default;
var LATENTS = [2, 4, 8, 16, 32, 64];
var OWN_LATENTS = 8;
var speeds = (per_pass) => [["full speed", null], ["an epoch a second", per_pass], ["10 minibatches a second", 10], ["2 minibatches a second", 2]];
var bytesIn = (array) => array;
function createTraining(page, given, own) {
  const { meta, arrays } = own?.run ?? (0, import_decode5.unpack)(given.run), { kernels } = given, closed = new AbortController(), { signal } = closed, worker = new Worker(given.worker);
  const tell = (message) => worker.postMessage(message);
  const main = (0, import_dom13.element)("main", { class: "live-view", "aria-label": "Train" }), style = (0, import_dom13.element)("style", {}, train_default);
  page.views.add({ name: "train", title: "Train", main, address: () => page.lesson.address });
  page.frame.append(style);
  page.training = { dataset: meta.dataset, images: [bytesIn(arrays.images), bytesIn(arrays.held)], arrange: (asked2) => arrange(asked2), bring: () => new Promise((done) => {
    brought = done;
    tell({ type: "show" });
  }) };
  const changes = (0, import_dom13.element)("p", { class: "live-changes", role: "status" });
  let changed = [];
  let altered = meta.lanes.map(() => ({}));
  const tellChanges = () => {
    const said = changed.map(({ what, step }) => `${what} from epoch ${(0, import_format10.number)(step / meta.lanes[0].per_pass, 2)}`);
    (0, import_dom13.setText)(changes, said.length ? `Changed: ${said.join("; ")}.` : "");
  };
  const seeded = (0, import_dom13.element)("p", { class: "live-changes", role: "status" });
  const seed = numberField("Seed", "Equal seeds and settings give equal runs: the seed draws the order of the images, and all random states. Initial parameters are the same for all.", meta.seed, () => {
    const value = readSeed();
    if (value !== null) tell({ type: "seed", value });
    tellSeed();
  });
  const readSeed = () => numberIn(seed, MAX_SEED);
  const tellSeed = () => {
    const value = readSeed(), of = board.meta?.seed;
    seed.setAttribute("aria-invalid", String(value === null));
    if (value === null) (0, import_dom13.setText)(seeded, `Seed: a whole number from 0 to ${(0, import_format10.many)(MAX_SEED)}.`);
    else (0, import_dom13.setText)(seeded, value === of ? "" : `Seed ${value} holds from the next Reset; this run has seed ${of}.`);
  };
  const pace = menu("Speed", speeds(meta.lanes[0].per_pass).map(([text]) => [text, text]), "full speed", (chosen) => {
    const [, value] = speeds(meta.lanes[0].per_pass).find(([text]) => text === chosen) ?? ["", null];
    tell({ type: "pace", value: value ?? Infinity });
  });
  const menus = [];
  const settings = meta.lanes.flatMap(({ title, offers, settings: of }, lane) => offers.map(({ name, label, values }) => {
    const select = menu(`${title}: ${label}`, values.map(([value, text]) => [String(value), text]), String(of[name]), (chosen) => {
      const [value, text] = values.find(([each]) => String(each) === chosen) ?? values[0], [{ step }] = board.lanes;
      tell({ type: "set", lane, name, value });
      altered[lane][name] = value;
      if (step) changed.push({ what: `${title}, ${label} ${text}`, step });
      tellChanges();
    });
    menus.push(() => select.value = String(altered[lane][name] ?? of[name]));
    return labelled(`${title}: ${label}`, (0, import_dom13.element)("i", { style: `background: var(--lv-lane${lane})`, "aria-hidden": "true" }), select);
  }));
  const latents = ({ table }) => menu("Latents of each model", LATENTS.map((n) => [String(n), String(n)]), String(meta.lanes[0].n_h), (chosen) => again({ table, run: runOn(table, meta.own, Number(chosen)) }));
  const course = settingsOf("Settings of the run", `Settings of the run: ${meta.title}`, signal, (0, import_dom13.element)("p", { class: "live-about" }, (0, import_dom13.element)("b", {}, meta.title), `: ${(0, import_format10.many)(meta.n_train)} training ${meta.variables ? "rows" : "images"}, ${(0, import_format10.many)(meta.n_held)} held out. ${meta.about}`), ...own ? [labelled("Latents of each model", latents(own))] : [], ...settings, labelled("Speed", pace), labelled("Seed", seed), changes, seeded);
  const host = (0, import_dom13.element)("div", { class: "live-body live-board" });
  main.append(course, host);
  let draws = false;
  const board = new TrainBoard(host, (message) => {
    if (message.type === "reset") changed = [];
    draws = message.type === "draw";
    tell(draws ? { type: "show" } : message);
    return true;
  }, () => true, IN_PAGE);
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = ({ message }) => (0, import_dom13.setText)(board.error, `Training ended: ${message}`);
  const receive = (said) => {
    if ("frames" in said) {
      for (const frame of said.frames) board.take(frame);
      if (said.pictures) board.show(said.pictures);
    } else if ("models" in said) infer(said.models);
    else if ("failed" in said) (0, import_dom13.setText)(board.error, said.failed);
    else {
      board.show(said);
      if (said.meta.kind !== "run") return;
      const [{ step }] = board.lanes;
      for (const each of changed) each.step = Math.min(each.step, step);
      tellChanges();
      tellSeed();
    }
  };
  let brought = null;
  const infer = ({ names, weights, step, row, x }) => {
    const at = `${row === null ? "after" : "before"} minibatch ${(0, import_format10.many)(step)}`, keys = names.map((name) => `${name} in training${own ? ` on ${meta.title}` : ""}, ${at}`), changes2 = changed.map(({ what, step: step2 }) => `${what}, from minibatch ${step2}`), provenance = JSON.stringify({ data: meta.dataset, minibatches: step, seed: board.meta?.seed ?? meta.seed, ...changes2.length && { changes: changes2 } }), infos = meta.lanes.map(({ info }, n) => ({ ...info, key: keys[n], title: keys[n], partner: keys[1 - n], file: info.file && (0, import_model_file2.withSettings)({ ...info.file, head: { ...info.file.head, provenance } }, altered[n]) }));
    const models = (0, import_write2.pack)({ ...meta.models, models: meta.models.models.map((model, n) => ({ ...model, key: keys[n] })) }, Object.fromEntries(weights.flatMap(({ rows: W, b, d }, n) => [[`${n}.W`, W], [`${n}.b`, b], [`${n}.d`, d]])));
    if (brought) {
      page.add(meta.dataset, models, infos);
      brought();
      brought = null;
      return;
    }
    page.views.show("");
    const origin = row === null ? "" : `${meta.training_image} ${(0, import_format10.many)(row)}, of minibatch ${(0, import_format10.many)(step)}`;
    page.present(meta.dataset, models, infos, meta.lanes.map(({ e_step }, n) => ({ key: keys[n], algorithm: e_step })), x, origin);
    if (draws) page.views.show("generate");
    draws = false;
  };
  const arrange = ({ settings: chosen, epochs }) => {
    if (own) return again();
    altered = chosen.map((of) => ({ ...of }));
    changed = [];
    for (const show of menus) show();
    seed.value = String(meta.seed);
    tell({ type: "arrange", settings: chosen, epochs });
    main.prepend(page.lesson.card);
    page.views.show("train");
  };
  tell({ type: "open", kernels, meta, arrays });
  const still = window.matchMedia("(prefers-reduced-motion: reduce)"), calm = () => tell({ type: "calm", on: still.matches });
  still.addEventListener("change", calm, { signal });
  calm();
  const { asked } = page.lesson;
  if (asked) arrange(asked);
  else if (own || meta.first && !location.hash) page.views.show("train");
  else page.views.follow();
  const again = (next) => {
    page.views.remove("train");
    closed.abort();
    worker.terminate();
    board.vanish?.();
    style.remove();
    window.lrbnTraining = createTraining(page, given, next);
  };
  page.learns(async (files) => {
    const [file] = files, pictures = !/\.(csv|tsv|txt)$/i.test(file.name), name = page.freeName(pictures ? `${(0, import_format10.many)(files.length)} pictures` : file.name.replace(/\.[^.]*$/, "")), table = pictures ? await readPictures(files, name) : readTable(await file.text(), name), next = { table, run: runOn(table, meta.own, OWN_LATENTS) };
    page.addSet(blocksOf(table, next.run, page.file_kinds));
    again(next);
  });
  return { board, tell };
}
export { createTraining };
