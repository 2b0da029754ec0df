// 73261066375c53761a0df097233883816c8a887b5e8971d24d8a5da69c917dde
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
var require_clock = __commonJS({ "taken:view/player/js/clock.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/clock.js"];
} });
var require_dom = __commonJS({ "taken:view/player/js/dom.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/dom.js"];
} });
var require_page = __commonJS({ "taken:view/player/js/page.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/page.js"];
} });
var require_theme = __commonJS({ "taken:view/player/js/theme.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/theme.js"];
} });
var require_legend = __commonJS({ "taken:view/player/js/legend.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/legend.js"];
} });
var require_draw = __commonJS({ "taken:view/player/js/draw.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/draw.js"];
} });
var require_names = __commonJS({ "taken:view/player/js/names.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/names.js"];
} });
var require_controls = __commonJS({ "taken:view/player/js/controls.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/controls.js"];
} });
var require_format = __commonJS({ "taken:view/player/js/format.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/format.js"];
} });
var require_scrub = __commonJS({ "taken:view/player/js/scrub.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/scrub.js"];
} });
var require_decode = __commonJS({ "taken:view/player/js/decode.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/decode.js"];
} });
var require_units = __commonJS({ "taken:view/player/js/units.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/player/js/units.js"];
} });
var require_whole = __commonJS({ "taken:browser/js/whole.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["browser/js/whole.js"];
} });
var require_held = __commonJS({ "taken:view/live/js/held.js"(exports, module) {
  "use strict";
  module.exports = globalThis.lrbnModules["view/live/js/held.js"];
} });
var import_clock = __toESM(require_clock(), 1);
var import_dom5 = __toESM(require_dom(), 1);
var import_page = __toESM(require_page(), 1);
var import_theme2 = __toESM(require_theme(), 1);
var import_dom2 = __toESM(require_dom(), 1);
var import_legend = __toESM(require_legend(), 1);
var import_draw2 = __toESM(require_draw(), 1);
var import_names = __toESM(require_names(), 1);
var import_dom = __toESM(require_dom(), 1);
var import_draw = __toESM(require_draw(), 1);
var HEADS = 14;
var VariableTable = class {
  names = (0, import_dom.element)("ol", { class: "lv-columns-names" });
  node = (0, import_dom.element)("div", { class: "lv-columns", tabindex: "0", role: "group" }, this.names);
  views = [];
  heads = [];
  n = 0;
  constructor(label) {
    this.node.setAttribute("aria-label", label);
  }
  load(names, groups) {
    const { node } = this;
    this.n = names.length;
    this.names.replaceChildren(...names.map((text) => (0, import_dom.element)("li", { class: "lv-variable-name", title: text }, text)));
    node.style.setProperty("--lv-columns-rows", String(names.length));
    node.toggleAttribute("data-titled", groups.some(({ title }) => title));
    node.toggleAttribute("data-headed", groups.some(({ heads }) => heads));
    this.heads = [];
    this.views = [];
    node.replaceChildren(this.names, ...groups.map((group) => this.figure(group)));
  }
  figure({ title, label, n, canvas, foot, heads, press }) {
    const shown = canvas ?? (0, import_dom.element)("canvas", { role: "img" }), columns = Math.max(1, n);
    shown.classList.add("lv-columns-cells");
    (0, import_dom.setAttribute)(shown, "aria-label", label);
    this.views.push(new import_draw.PixelView(shown, this.n, columns));
    const step = [1, 2, 5, 10, 20, 50, 100].find((every) => columns / every <= HEADS) ?? columns;
    const numbers = (heads ?? []).map((text, at) => (0, import_dom.element)("span", {}, at % step ? "" : text));
    this.heads.push(numbers);
    const figure2 = (0, import_dom.element)("figure", {}, (0, import_dom.element)("figcaption", { title }, title ?? ""), (0, import_dom.element)("div", { class: "lv-columns-heads", "aria-hidden": "true" }, ...numbers), (0, import_dom.element)("div", { class: "lv-columns-box" }, shown, press ? (0, import_dom.element)("div", { class: "lv-columns-presses" }, ...Array.from({ length: n }, (_, at) => {
      const text = press.say(at);
      return (0, import_dom.element)("button", { type: "button", "aria-label": text, title: text, onclick: () => press.go(at) });
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
      (0, import_dom.setText)(node, n === at || n % step === 0 && (at < 0 || Math.abs(n - at) >= step) ? heads[n] : "");
    });
  }
};
var THUMBS_ROW = 24;
function figure(kind, content, ...label) {
  const value = (0, import_dom2.element)("b"), name = (0, import_dom2.element)("span", {}, ...label);
  return { node: (0, import_dom2.element)("figure", { class: `lv-${kind}` }, (0, import_dom2.element)("div", { class: "lv-label" }, name, value), content), value, name, canvas: content };
}
var picture = (kind, ...label) => figure(kind, (0, import_dom2.element)("canvas", { class: "lv-pixels", role: "img" }), ...label);
var PassLaneCard = class {
  selected = -1;
  done = 0;
  shownPass = -1;
  stale = true;
  grid = (0, import_dom2.element)("canvas", { role: "spinbutton", tabindex: "0" });
  latents = figure("latents", (0, import_dom2.element)("div", { class: "lv-fill" }, this.grid), "Latents ", (0, import_dom2.element)("i", {}, "h"));
  from = picture("from", "From");
  mean = picture("mean", "Mean of ", (0, import_dom2.element)("i", {}, "x"));
  x = picture("drawn", "Drawn ", (0, import_dom2.element)("i", {}, "x"));
  near = picture("near", "Nearest");
  title = (0, import_dom2.element)("span");
  subtitle = (0, import_dom2.element)("small");
  check = (0, import_dom2.element)("span", { class: "lv-check" });
  strip = (0, import_dom2.element)("div", { class: "lv-strip", role: "listbox", "aria-label": "Samples", tabindex: -1 });
  stripWords = (0, import_dom2.element)("span");
  table = new VariableTable("What is drawn, by variable; scrolls");
  names = (0, import_dom2.element)("ol", { class: "lv-columns-names" });
  words = (0, import_names.rowWords)(false);
  note = (0, import_dom2.element)("p", { class: "lv-caption" });
  change = (0, import_dom2.element)("b");
  differences = (0, import_dom2.element)("div");
  thumbs = [];
  lane;
  views;
  colours;
  constructor(index, page) {
    this.index = index;
    this.page = page;
    this.free = (0, import_dom2.element)("button", { type: "button", class: "lv-btn lv-small", hidden: true, onclick: () => page.hold(index, -1, "free") }, "Free all units");
    this.node = (0, import_dom2.element)("section", { class: "lv-card lv-lane lv-pass", "data-lane": index }, (0, import_dom2.element)("header", {}, (0, import_dom2.element)("h2", {}, this.title, this.subtitle), (0, import_dom2.element)("div", { class: "lv-row" }, this.free, this.check)), (0, import_dom2.element)("div", { class: "lv-pass-views" }, ...[this.from, this.latents, this.mean, this.x, this.near, this.table].map((view) => view.node)), (0, import_dom2.element)("div", { class: "lv-strip-label lv-label" }, this.stripWords, this.change), (0, import_dom2.element)("div", { class: "lv-strip-box" }, this.names, this.strip), (0, import_dom2.element)("div", { class: "lv-legends" }, (0, import_legend.legend)([["square", `lane${index}`, "on"], ["square", "faint", "off"], ["pale", `lane${index}`, ["not yet drawn; the ", ...(0, import_legend.darker)(), ", the likelier on"]], ["ring", "now", "just drawn; the pass shown"], ["dashes", "ink", "chosen"]]), this.differences), this.note);
    this.listen();
  }
  listen() {
    const { grid, page } = this;
    const unitAt = (event) => (0, import_draw2.placeAt)(grid, this.lane.n_h, event);
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
        const move = (0, import_dom2.arrowMove)(event, columns);
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
      const to = (0, import_dom2.byKey)(event, { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.thumbs.length - 1 });
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
    return (0, import_draw2.gridShape)(this.lane.n_h, this.grid.width, this.grid.height);
  }
  load(lane, timeline) {
    this.lane = lane;
    this.title.textContent = lane.meta.title;
    const deep = lane.layers.length > 1, { state } = lane.meta;
    this.subtitle.textContent = (lane.meta.same ? "the same weights in an RBM, " : "") + { "": `ancestral sampling: ${deep ? "the top layer from its prior, each other from the one above" : "latents from the prior"}`, image: "Gibbs chain: latents from the image before", latents: "Gibbs chain of the RBM on top: layer 2 from layer 1 before, layer 1 from layer 2; the image from layer 1", "image and latents": "Gibbs chain: layer 2 from layer 1 before, layer 1 from layer 2 and the image before; the image from layer 1" }[state];
    const names = (0, import_names.variablesOf)(lane.model);
    this.words = (0, import_names.rowWords)(names !== null);
    this.from.name.textContent = state.startsWith("image") ? `${names ? "Row" : "Image"} before` : "Offsets alone";
    this.fillViews(names, timeline);
    this.free.hidden = lane.held.size === 0;
    this.differences.hidden = !lane.binary || !lane.nearest;
    this.near.node.hidden = !lane.nearest;
    this.node.toggleAttribute("data-alone", !lane.nearest);
    this.note.textContent = lane.meta.flat ? "This model's prior is flat: every code is as likely, and most codes belong to no digit. One with a learned prior draws better." : "";
    (0, import_dom2.setText)(this.stripWords, !lane.nearest ? "Samples" : names ? "Samples, each beside its nearest row of the training data" : "Samples, over their nearest training images");
    this.fillStrip(lane, timeline);
    this.stale = true;
    this.shownPass = -1;
  }
  fillViews(names, { rows, columns }) {
    const { table, from, mean, x, near } = this, figures = [from, mean, x, ...this.lane.nearest ? [near] : []];
    this.node.toggleAttribute("data-table", names !== null);
    this.differences.replaceChildren((0, import_legend.legend)([["square", "plus", "nearest: in the sample alone"], ["square", "minus", `in the training ${this.words.row} alone`]]));
    this.names.replaceChildren(...(names ?? []).map((text) => (0, import_dom2.element)("li", { class: "lv-variable-name", title: text }, text)));
    this.node.style.setProperty("--lv-columns-rows", String(names?.length ?? 1));
    if (!names) {
      table.load([], []);
      for (const { node, canvas, value } of figures) {
        canvas.classList.remove("lv-columns-cells");
        node.firstElementChild?.append(value);
        node.append(canvas);
      }
    } else table.load(names, figures.map(({ name, canvas, value }) => ({ title: name.textContent ?? "", label: "", n: 1, canvas, foot: value })));
    const [a, b, c, d] = names ? table.views : figures.map(({ canvas }) => new import_draw2.PixelView(canvas, rows, columns));
    this.views = { from: a, mean: b, x: c, near: d };
  }
  fillStrip(lane, timeline) {
    const focused = this.strip.querySelector(":focus")?.dataset.pass;
    const [rows, columns] = (0, import_names.variablesOf)(lane.model) ? [lane.n_v, 1] : [timeline.rows, timeline.columns], { row, cell } = this.words;
    this.thumbs = lane.x.map((_, t) => {
      const still = () => (0, import_dom2.element)("img", { class: "lv-pixels", alt: "" }), x = still(), { nearest } = lane, near = nearest && still();
      const [what, apart, figure2] = nearest ? [`nearest training ${row} ${nearest.row[t]}`, lane.apart(nearest.distance[t], `${cell}s`), lane.figure(nearest.distance[t])] : [];
      const class_name = nearest?.label && timeline.meta.class_names[nearest.label[t]];
      const node = (0, import_dom2.element)("div", { class: "lv-sample", role: "option", tabindex: -1, "data-pass": t, "aria-selected": "false", "aria-label": `pass ${t + 1}${what ? `: ${what}${class_name ? `, class ${class_name}` : ""}, ${apart}` : ""}`, title: `pass ${t + 1}${what ? `
${what}${class_name ? ` (${class_name})` : ""}
${apart}` : ""}` }, x, ...near ? [near] : [], (0, import_dom2.element)("span", {}, figure2 ?? String(t + 1)));
      return { node, x: new import_draw2.StillView(x, rows, columns), near: near && new import_draw2.StillView(near, rows, columns) };
    });
    this.strip.replaceChildren(...this.thumbs.map((thumb) => thumb.node));
    this.strip.style.setProperty("--lv-across", String(Math.min(THUMBS_ROW, Math.max(12, this.thumbs.length))));
    if (focused !== void 0) this.thumbs[Math.min(Number(focused), this.thumbs.length - 1)].node.focus();
  }
  paint(at, colours) {
    const { lane } = this, { palette, tables } = colours, { ink } = tables, { t } = at, { image, mean } = lane.inks;
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
    this.paintStrip(at, colours);
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
    const { grid, lane, index } = this, context = (0, import_dom2.penOf)(grid), accent = palette.lanes[index], h = lane.h[at.t], { names } = lane.model, lowest = lane.layers[0].n;
    (0, import_draw2.fitCanvas)(grid);
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
      if (lane.held.has(j)) (0, import_draw2.cross)(context, x + side / 2, y + side / 2, side * 0.28, side, on ? palette.surface : palette.ink);
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
    (0, import_draw2.nameUnits)(context, names, palette, size, columns, lane.n_h, (j) => j, isOn);
  }
  paintStrip(at, colours) {
    const done = at.whole ? at.t + 1 : at.t;
    if (!this.stale && this.done === done && this.colours === colours && this.shownPass === at.t) return;
    const { lane } = this, { ink } = colours.tables, { image } = lane.inks;
    if (this.stale || this.colours !== colours) {
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
    this.colours = colours;
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
    if (at.whole && !lane.nearest) return `${title} has drawn ${lane.model.pixels ? "them" : "all rows"}`;
    return at.whole && lane.nearest ? `${title}: ${lane.figure(lane.nearest.distance[t])}${lane.binary && !lane.model.pixels ? " px" : ""} from the nearest training ${this.words.row}` : `${title} draws ${lane.model.pixels ? "the observations" : `row ${at.rows}`}`;
  }
};
var import_controls = __toESM(require_controls(), 1);
var import_dom3 = __toESM(require_dom(), 1);
var import_format = __toESM(require_format(), 1);
var import_scrub = __toESM(require_scrub(), 1);
var PASS_SPEEDS = [10, 30, 60, 120, 300, 1e3, 3e3];
Object.assign(import_dom3.ICONS, { phase: import_dom3.ICONS.flip, pass: import_dom3.ICONS.sweep });
var PassTransport = class extends import_controls.Controls {
  timeline;
  constructor(page, speed) {
    super(page, "Step", PASS_SPEEDS, "steps/s");
    this.page = page;
    this.speed.value = String(speed);
    this.more = (0, import_dom3.element)("button", { type: "button", class: "lv-btn lv-small lv-needs", onclick: () => page.say({ type: "more" }) }, "Draw more");
    this.node = this.arrange([this.go("phase", "Next phase", "Shift+→"), this.go("pass", "Next pass", "Page Down")], [this.speedMenu(), this.more], (0, import_dom3.element)("div", { class: "lv-says" }, this.says));
  }
  load(timeline, most) {
    this.timeline = timeline;
    this.more.disabled = timeline.passes >= most;
    this.more.title = this.more.disabled ? `at most ${(0, import_format.many)(most)} passes` : `draw ${(0, import_format.many)(Math.min(most, 2 * timeline.passes) - timeline.passes)} more passes`;
    this.stale = true;
  }
  paint(k, palette) {
    if (this.scrub.fit() || this.stale || this.palette !== palette) this.paintStrip(palette);
    const { playing } = this.page.clock;
    this.scrub.show(k, this.timeline.end, palette, playing);
    (0, import_scrub.setFace)(this.playButton, playing ? "pause" : "play", playing ? "Pause" : "Play");
    (0, import_dom3.setRich)(this.says, this.words());
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
    const at = this.page.at(), pass = `${(0, import_format.many)(at.t + 1)} of ${(0, import_format.many)(this.timeline.passes)}`;
    if (!at.step && !at.t) return ["Nothing is drawn yet: ", ...this.beginnings()];
    return ["Pass ", (0, import_dom3.bold)(pass), ". ", this.page.cards.map((card2) => card2.says(at)).join("; ")];
  }
  beginnings() {
    const { lanes, meta } = this.timeline;
    return lanes.flatMap(({ meta: { title, chain } }, i) => {
      const who = `${i ? ", " : ""}the ${title}${chain ? "'s chain" : ""}${i ? "" : " begins"} with `;
      return chain ? [who, (0, import_dom3.bold)(meta.begins)] : [`${who}its prior`];
    });
  }
  sentence() {
    return `${(0, import_dom3.plainText)(this.words())}.`;
  }
};
var import_decode = __toESM(require_decode(), 1);
var import_format2 = __toESM(require_format(), 1);
var import_names2 = __toESM(require_names(), 1);
var import_units = __toESM(require_units(), 1);
function bitRows(packed, n) {
  const stride = Math.ceil(n / 8);
  return Array.from({ length: packed.length / stride }, (_, t) => (0, import_decode.unpackBits)(packed.subarray(t * stride, (t + 1) * stride), n));
}
function imageRows(values, n) {
  if (values instanceof Uint8Array) return bitRows(values, n);
  return Array.from({ length: values.length / n }, (_, t) => values.subarray(t * n, (t + 1) * n));
}
var meanOf = (model) => import_units.UNITS[model.visible].mean;
function inksOf(model, shades) {
  const image = shades ? (value, i) => (0, import_format2.byte)(value * shades[i] + shades[model.n_v + i]) : import_format2.byte, mean = meanOf(model);
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
    this.binary = import_units.UNITS[model.visible].binary;
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
    return `${(0, import_names2.unitName)(this.model, j)}${this.layers.length > 1 ? ` (layer ${this.layerOf(j) + 1})` : ""}`;
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
      return new DrawnLane(lane, model, (0, import_decode.part)(arrays, i), arrays.shades);
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
var import_decode2 = __toESM(require_decode(), 1);
var import_dom4 = __toESM(require_dom(), 1);
var import_draw3 = __toESM(require_draw(), 1);
var import_format3 = __toESM(require_format(), 1);
var import_legend2 = __toESM(require_legend(), 1);
var import_names3 = __toESM(require_names(), 1);
var import_theme = __toESM(require_theme(), 1);
var WALK_PICTURES = 11;
var pixels = () => (0, import_dom4.element)("canvas", { class: "lv-pixels", role: "img", "aria-label": "" });
var WalkLane = class {
  share = 0.5;
  steps = 0;
  way = "";
  name = "";
  stale = true;
  frame = { left: 0, right: 1 };
  now = pixels();
  ends = [pixels(), pixels()];
  title = (0, import_dom4.element)("span");
  value = (0, import_dom4.element)("b");
  flip = (0, import_dom4.element)("small");
  pictures = (0, import_dom4.element)("div", { class: "lv-walk-pictures" });
  table = new VariableTable("The interpolation, by variable; scrolls");
  curve = (0, import_dom4.element)("canvas", { role: "img" });
  curveLabel = (0, import_dom4.element)("span");
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
    const end = (name, canvas) => (0, import_dom4.element)("figure", {}, (0, import_dom4.element)("div", { class: "lv-label" }, name), canvas);
    this.node = (0, import_dom4.element)("div", { class: "lv-walk-lane", "data-lane": index }, (0, import_dom4.element)("h3", {}, this.title, this.flip), (0, import_dom4.element)("div", { class: "lv-walk-body" }, (0, import_dom4.element)("figure", { class: "lv-walk-now" }, (0, import_dom4.element)("div", { class: "lv-label" }, "At the cursor"), this.now), (0, import_dom4.element)("div", { class: "lv-walk-way" }, this.table.node, (0, import_dom4.element)("div", { class: "lv-walk-row" }, end("From", this.ends[0]), (0, import_dom4.element)("figure", {}, (0, import_dom4.element)("div", { class: "lv-label" }, "Reconstructions on the way"), this.pictures), end("To", this.ends[1])), (0, import_dom4.element)("figure", {}, (0, import_dom4.element)("div", { class: "lv-label" }, this.curveLabel, this.value), (0, import_dom4.element)("div", { class: "lv-fill" }, this.curve)))));
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
    this.start = (0, import_decode2.unpackBits)(arrays.start, model.n_h);
    this.end = (0, import_decode2.unpackBits)(arrays.end, model.n_h);
    this.title.textContent = title;
    this.curveLabel.replaceChildren((0, import_dom4.element)("i", {}, constant ? "log P*(x, h)" : "log P(x, h)"), constant ? " of the best x, nats + constant" : " of the best x, nats");
    const names = (0, import_names3.variablesOf)(model);
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
    const view = (canvas) => new import_draw3.PixelView(canvas, model.rows, model.columns);
    this.views = { now: view(this.now), ends: this.ends.map(view) };
    this.table.load([], []);
    this.pictureNodes = Array.from({ length: WALK_PICTURES }, (_, i) => {
      const image = (0, import_dom4.element)("img", { class: "lv-pixels", alt: "", onclick: () => this.card.seek(i / (WALK_PICTURES - 1), true) });
      return { image, view: new import_draw3.StillView(image, model.rows, model.columns) };
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
  paint(share, colours) {
    const { tables } = colours, { image, mean } = this.inks, show = (view, a) => view.paint((i) => tables.ink[mean(a[i], i)]);
    show(this.views.now, this.activations(share));
    if (this.stale || this.colours !== colours) {
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
    if ((0, import_draw3.fitCanvas)(this.curve) || this.stale || this.colours !== colours || this.share !== share) this.paintCurve(share, colours);
    this.stale = false;
    this.colours = colours;
    this.share = share;
    const k = this.stepOf(share), value = this.joint[k], straight = this.way === "straight";
    this.value.textContent = Number.isFinite(value) ? (0, import_format3.number)(value, 1) : "not a state of the model";
    this.flip.textContent = this.steps === 0 ? "both codes are equal" : straight ? `${Math.round(100 * share)} % of the way` : k ? `flip ${k} of ${this.steps}: ${(0, import_names3.unitName)(this.model, this.unit[k - 1])} ${this.stateAfter(k)}` : `${this.steps} units differ`;
  }
  stateAfter(k) {
    return this.start[this.unit[k - 1]] ? "off" : "on";
  }
  paintCurve(share, { palette }) {
    const { curve, joint, index } = this, context = (0, import_dom4.penOf)(curve), { width, height } = curve;
    const ratio = window.devicePixelRatio || 1, font = parseFloat(getComputedStyle(curve).fontSize) * 0.82 * ratio;
    const values = Array.from(joint).filter(Number.isFinite), low = Math.min(...values), high = Math.max(...values), room = Math.max(1, high - low) * 0.12;
    const digits = Math.max(0, Math.ceil(-Math.log10(high - low || 1)));
    const texts = [low, high].map((value2) => (0, import_format3.number)(value2, digits));
    context.font = `${font}px ${import_theme.FONT}`;
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
      (0, import_draw3.segment)(context, left, at2, right, at2);
      context.fillText((0, import_format3.number)(value2, digits), left - font * 0.4, at2);
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
    (0, import_draw3.segment)(context, at, 0, at, height);
    if (Number.isFinite(value)) (0, import_draw3.dot)(context, at, y(value), 4.5 * ratio, palette.now);
  }
  shareAt(x) {
    const { left, right } = this.frame;
    return Math.max(0, Math.min(1, (x * this.curve.width / this.curve.clientWidth - left) / (right - left)));
  }
  label() {
    this.now.setAttribute("aria-label", `${this.name}: reconstruction here on the way`);
    this.ends.forEach((canvas, e) => canvas.setAttribute("aria-label", `${this.name}: image at the ${e ? "end" : "start"} of the interpolation`));
    this.curve.setAttribute("aria-label", `${this.name}: log joint along the interpolation, from ${(0, import_format3.number)(this.joint[0])} to ${(0, import_format3.number)(this.joint[this.joint.length - 1])} nats, here ${this.value.textContent}`);
  }
};
var WalkCard = class {
  share = 0.5;
  lanes = [new WalkLane(0, this), new WalkLane(1, this)];
  meta;
  timer;
  constructor(page) {
    this.page = page;
    this.way = (0, import_dom4.element)("select", { "aria-label": "Kind of interpolation", onchange: () => this.ask() });
    this.pickers = ["From", "To"].map((name) => this.picker(name));
    this.range = (0, import_dom4.element)("input", { type: "range", min: 0, max: 1e3, step: 1, value: 500, class: "lv-walk-range", "aria-label": "Position between the two codes", oninput: () => this.seek(Number(this.range.value) / 1e3, true) });
    this.node = (0, import_dom4.card)({ class: "lv-walk", "aria-label": "Interpolation between two codes", hidden: true }, ["Interpolation between two codes ", (0, import_dom4.element)("small", {}, "each model infers or has drawn the codes; the menu says in which order units change")], [(0, import_dom4.element)("div", { class: "lv-row lv-walk-choice" }, ...this.pickers.map((picker) => picker.node), this.way)], ...this.lanes.map((lane) => lane.node), (0, import_legend2.legend)([["line", "lane0 lane1", "log-joint of each code with its best image"], ["line", "now", "cursor"], ["ring", "now", "the picture nearest to the cursor"]]), (0, import_dom4.element)("label", { class: "lv-walk-slider" }, (0, import_dom4.element)("span", { class: "lv-caption" }, "From"), this.range, (0, import_dom4.element)("span", { class: "lv-caption" }, "To")));
  }
  picker(name) {
    const kind = (0, import_dom4.element)("select", { "aria-label": `${name}: kind of image`, onchange: () => {
      this.bound(picker);
      this.ask();
    } }, (0, import_dom4.element)("option", { value: "t" }, "test image"), (0, import_dom4.element)("option", { value: "s" }, "sample of pass"));
    const count = (0, import_dom4.element)("input", { type: "number", min: 0, step: 1, "aria-label": `${name}: number`, class: "lv-number", onchange: () => this.ask() });
    const picker = { kind, count, node: (0, import_dom4.element)("span", { class: "lv-row lv-picker" }, (0, import_dom4.element)("span", { class: "lv-caption" }, name), kind, count) };
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
    this.way.replaceChildren(...meta.ways.map(([value, text]) => (0, import_dom4.element)("option", { value }, text)));
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
      this.lanes[i].load(lane, model, (0, import_decode2.part)(arrays, i), arrays.shades, meta.way);
    });
    if (first) this.seek(meta.at < 0 ? 0.5 : meta.at / 1e3, false);
    this.page.clock.dirty();
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
  paint(colours) {
    if (this.meta) this.lanes.forEach((lane) => lane.paint(this.share, colours));
  }
};
var variables_default = '.lv-variables{list-style:none;margin:0;padding:0;max-height:34em;overflow-y:auto;overscroll-behavior:contain}.lv-whole .lv-variables{max-height:none}.lv-reconstruction .lv-variables[data-many]{columns:2 13em;column-gap:1.2em}.lv-variable{display:grid;grid-template-columns:minmax(4em,1.4fr) repeat(var(--lv-bars, 1),minmax(2.5em,1fr)) auto;gap:0 0.6em;align-items:center;min-height:1.7em;font-size:0.92em;break-inside:avoid}.lv-variable-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lv-variable-track{position:relative;height:0.85em;background:var(--lv-faint);border-radius:2px}.lv-variable-bar{position:absolute;inset:0;background:var(--lv-accent, var(--lv-lane0));border-radius:2px;transform:scaleX(0);transform-origin:left}.lv-signed .lv-variable-bar{left:50%}.lv-signed::before{content:"";position:absolute;left:50%;top:-0.15em;bottom:-0.15em;width:1px;background:var(--lv-line)}.lv-variable-bar[data-sign=plus]{background:var(--lv-plus)}.lv-variable-bar[data-sign=minus]{background:var(--lv-minus)}.lv-variable-mark{position:absolute;top:-0.22em;bottom:-0.22em;width:3px;margin-left:-1.5px;background:var(--lv-ink);border-radius:1px}.lv-variable-value{min-width:2.5em;text-align:right;font-weight:400;color:var(--lv-muted)}.lv-variable[data-wrong] .lv-variable-value{color:var(--lv-bad);font-weight:650}.lv-variables-head{color:var(--lv-muted);min-height:1.5em}.lv-variable-switch{font:inherit;font-size:0.95em;width:100%;min-height:1.9em;grid-template-columns:auto minmax(0,1fr) auto;color:var(--lv-ink);background:none;border:0;border-radius:0.3em;padding:0 0.25em;text-align:left;cursor:pointer}.lv-variable-switch:hover{background:var(--lv-faint)}.lv-variable-switch[aria-disabled=true]{cursor:default}.lv-variable-switch:focus-visible{outline-offset:-2px}.lv-variable-box{width:0.95em;height:0.95em;border:1.5px solid var(--lv-ink);border-radius:2px}.lv-variable-switch[data-state=on] .lv-variable-box{background:var(--lv-ink)}.lv-variable-switch[data-state=unknown] .lv-variable-box{border-color:var(--lv-muted);background:var(--lv-hatch)}.lv-variable[data-state=unknown] .lv-variable-track{background:var(--lv-hatch)}.lv-variable-state{color:var(--lv-muted)}.lv-variable-switch[data-state=on] :is(.lv-variable-name,.lv-variable-state){color:var(--lv-ink);font-weight:650}.lv-input[data-table] .lv-pixels,.lv-input[data-table] .lv-drawing-cursor,.lv-lane[data-table] .lv-error,.lv-lane[data-table] .lv-reconstruction .lv-pixels{display:none}.lv .lv-lane[data-table] .lv-views .lv-reconstruction .lv-label b{display:block}.lv-lane[data-table] .lv-views{grid-template-columns:35fr 30fr 35fr}.lv-lane[data-table] .lv-views .lv-fill{min-height:8.5em;max-height:32em}.lv-presents .lv-variables-box,.lv-presents .lv-input .lv-variables{font-size:0.66em}.lv-presents .lv-variables{max-height:14em}.lv-presents .lv-namer,.lv:is([data-sight~=quiet],[data-sight~=small]) .lv-namer{display:none}.lv.lv-presents[data-cards] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr) minmax(0,1.2fr)}.lv:is([data-sight~=small],[data-sight~=present]) .lv-variables{max-height:max(5.2em,var(--lv-tall))}.lv[data-sight~=small] .lv-input[data-table]>.lv-pixels-box{width:auto;max-width:none}.lv[data-sight~=small] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(9em,1.4fr) minmax(0,1.3fr) minmax(0,1.6fr)}.lv-presents .lv-foot-words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}:is(.lv-partners,.lv-who)[data-named] .lv-chips-row{grid-template-columns:repeat(auto-fill,minmax(6.5em,1fr))}.lv-partner .lv-variable-name{display:block}.lv-maps[data-table]{display:block}.lv-maps[data-table]>figure{display:none}.lv-foot-words{overflow-wrap:anywhere}.lv-namer input{font:inherit;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;height:2em;width:12em;max-width:100%;padding:0 0.4em}@container (max-width: 1000px){.lv-lane[data-table] .lv-views{grid-template-columns:1fr 1fr}}@container (max-width: 720px){.lv-lane[data-table] .lv-reconstruction{grid-column:1 / -1}.lv-input[data-table]>.lv-pixels-box{width:100%}.lv-variable-switch{min-height:2.4em}}.lv-namer:has(button:not([hidden])){margin-right:0.6em}.lv-columns{--lv-columns-row: 1.55em;display:flex;align-items:flex-start;gap:0 0.9em;max-height:36em;overflow:auto;overscroll-behavior:contain}.lv-columns-names{flex:none;position:sticky;left:0;z-index:1;list-style:none;margin:0;padding:0 0.3em 0 0;max-width:13em;background:var(--lv-surface)}.lv-columns[data-titled]>.lv-columns-names{padding-top:1.6em}.lv-columns[data-headed]>.lv-columns-names{padding-top:1.2em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:2.8em}.lv-columns-names>li{height:var(--lv-columns-row);line-height:var(--lv-columns-row);font-size:1em}.lv-columns>figure{flex:var(--lv-columns-n) 1 0;min-width:max(6.2em,calc(0.7em * var(--lv-columns-n)));max-width:max(6.2em,calc(2.4em * var(--lv-columns-n)));margin:0}.lv-columns figcaption,.lv-columns-heads{display:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--lv-muted)}.lv-columns[data-titled] figcaption{display:block;height:1.6em;line-height:1.6em}.lv-columns[data-headed] .lv-columns-heads{display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr));height:1.2em;overflow:visible}.lv-columns-heads>span{display:flex;justify-content:center;font-size:0.8em;font-variant-numeric:tabular-nums}.lv-columns-heads>[data-at]{color:var(--lv-ink);font-weight:650}.lv-columns-box{position:relative;line-height:0}.lv .lv-columns-cells{display:block;width:100%;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));image-rendering:pixelated;border:0;border-radius:0;outline-offset:-2px}.lv-columns-box::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row),linear-gradient(to right,var(--lv-surface) 1px,transparent 0) 0 0 / calc(100% / var(--lv-columns-n)) 100%}.lv-columns-presses{position:absolute;inset:0;z-index:1;display:grid;grid-template-columns:repeat(var(--lv-columns-n),minmax(0,1fr))}.lv .lv-columns-presses>button{min-width:0;padding:0;border:0;background:none;cursor:pointer}.lv .lv-columns-presses>button:hover{box-shadow:inset 0 0 0 2px var(--lv-ink)}.lv .lv-columns-presses>button[aria-current=true]{box-shadow:inset 0 0 0 2px var(--lv-now)}@container (min-width: 1000px){.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-in{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) :is(.lv-curve,.lv-maps,.lv-who,.lv-why .lv-legends,.lv-why h2 small,.lv-board>.lv-legends){display:none}.lv.lv-presents[data-cards^=lane][data-cards$=".why"]:has(.lv-lane[data-table]) .lv-why-body{grid-template-columns:minmax(0,1fr)}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label{font-size:0.74em;flex-wrap:nowrap}.lv.lv-presents[data-sight~=present][data-cards^=lane][data-cards$=".why"] .lv-lane[data-table] .lv-views .lv-label b{flex:1 0 6.6em}}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables-box{font-size:clamp(9px,calc(var(--lv-tall) / 12),0.66em)}.lv.lv-presents[data-sight~=present] .lv-lane[data-table] .lv-variables{max-height:none}@container (max-width: 720px){.lv-columns{gap:0 0.5em}.lv-columns[data-titled] figcaption{height:3em;line-height:1.5em;white-space:normal}.lv-columns[data-titled]>.lv-columns-names{padding-top:3em}.lv-columns[data-titled][data-headed]>.lv-columns-names{padding-top:4.2em}.lv-columns>figure{min-width:max(3.7em,calc(0.7em * var(--lv-columns-n)))}}\n';
var generate_default = '.lv-passes{display:grid;gap:1em}.lv-pass>header .lv-row{gap:0.3em 0.8em;flex-wrap:wrap}.lv-pass .lv-small{white-space:nowrap;min-width:max-content}.lv-pass .lv-small span{display:inline}.lv-pass-views{display:grid;grid-template-columns:12.5fr 34fr 12.5fr 12.5fr 12.5fr;gap:1.2em;align-items:start}.lv-pass-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}.lv-pass[data-alone] .lv-pass-views{grid-template-columns:12.5fr 34fr 12.5fr 12.5fr}.lv-pass-views>[hidden]{display:none}.lv-latents .lv-fill{min-height:4em}.lv-near[data-empty=true] canvas{opacity:0.5}.lv-pass[data-table] .lv-pass-views{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}.lv-pass[data-table] .lv-pass-views>:is(.lv-from,.lv-mean,.lv-drawn,.lv-near),.lv-pass:not([data-table]) :is(.lv-pass-views>.lv-columns,.lv-columns-names),.lv-walk-lane[data-table] :is(.lv-walk-now,.lv-walk-row),.lv-walk-lane:not([data-table]) .lv-columns{display:none}.lv-walk-lane[data-table] .lv-walk-body{grid-template-columns:minmax(0,1fr)}.lv-walk-lane .lv-columns figcaption{text-overflow:clip}.lv-pass .lv-columns>figure>b{font-weight:400;color:var(--lv-muted)}.lv-strip-label{margin-top:0.5em}.lv-pass[data-table] .lv-strip-box{--lv-columns-row: 1.55em;position:relative;display:flex;gap:0.9em;overflow-x:auto}.lv-pass[data-table] .lv-strip-box>.lv-columns-names{padding-top:2px}.lv-pass[data-table] .lv-strip{grid-template-columns:repeat(var(--lv-across, 24),minmax(1.7em,3.4em));grid-auto-flow:column;grid-auto-columns:minmax(1.7em,3.4em);flex:1}.lv-pass[data-table] .lv-sample{grid-template-columns:1fr 1fr;grid-template-rows:calc(var(--lv-columns-row) / 0.74 * var(--lv-columns-rows)) auto;gap:1px}.lv-pass[data-table] .lv-sample>img{width:100%;height:100%;aspect-ratio:auto}.lv-pass[data-table] .lv-sample>span{grid-column:1 / -1}.lv-pass[data-table] .lv-strip-box::after{content:"";position:absolute;inset:2px 0 auto;height:calc(var(--lv-columns-row) * var(--lv-columns-rows));pointer-events:none;background:linear-gradient(var(--lv-surface) 2px,transparent 0) 0 -1px / 100% var(--lv-columns-row)}.lv-strip{display:grid;grid-template-columns:repeat(var(--lv-across, 24),minmax(0,1fr));gap:0.35em}.lv-sample{cursor:pointer;border-radius:0.35em;display:grid;gap:2px;padding:2px;text-align:center;font-size:0.74em;color:var(--lv-muted);line-height:1.25}.lv-sample[data-done=false]{opacity:0.28}.lv-sample[aria-selected=true]{background:var(--lv-now);color:var(--lv-on-now);font-weight:650;opacity:1}.lv-pass .lv-caption:empty{display:none}.lv-pass .lv-caption{margin-top:0.6em}.lv-walk{display:grid;gap:1em}.lv-walk>header{display:flex;justify-content:space-between;align-items:center;gap:0.5em 1.2em;flex-wrap:wrap}.lv-walk-choice{gap:0.5em 1em;flex-wrap:wrap}.lv-picker{gap:0.4em}.lv-number{font:inherit;font-size:1.05em;width:4.6em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-walk h3{font-size:1em;font-weight:650;display:flex;gap:0.6em;align-items:baseline;margin-bottom:0.3em}.lv-walk h3 small{font-weight:400;color:var(--lv-muted)}.lv-walk-lane[data-lane="0"] h3>span{color:var(--lv-lane0)}.lv-walk-lane[data-lane="1"] h3>span{color:var(--lv-lane1)}.lv-walk-body{display:grid;grid-template-columns:minmax(0,12fr) minmax(0,88fr);gap:1.2em;align-items:start}.lv-walk-way{display:grid;gap:0.5em}.lv-walk-row{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,var(--lv-walk-wide)) minmax(0,1fr);gap:1em;align-items:end}.lv-walk-pictures{display:grid;grid-template-columns:repeat(var(--lv-walk-pictures),minmax(0,1fr));gap:0.4em}.lv-walk-pictures img{cursor:pointer}.lv .lv-walk-pictures img[data-now=true]{outline:3px solid var(--lv-now)}.lv-walk .lv-fill{height:4.6em;cursor:ew-resize;touch-action:pan-y}.lv-walk-slider{display:flex;gap:0.8em;align-items:center}.lv-walk-range{flex:1;min-width:0;accent-color:var(--lv-now);height:1.8em;cursor:pointer}@container (max-width: 860px){.lv-pass[data-table] .lv-pass-views{grid-template-columns:minmax(0,1fr)}.lv-pass-views{grid-template-columns:1fr 1fr 1fr 1fr}.lv-pass .lv-latents{grid-column:1 / -1;grid-row:2}.lv-pass .lv-latents .lv-fill{aspect-ratio:4;flex:none}.lv-strip{grid-template-columns:repeat(12,minmax(0,1fr))}}@container (max-width: 720px){.lv .lv-strip-label{flex-wrap:wrap;height:auto;gap:0 0.6em}.lv-pass-views{grid-template-columns:1fr 1fr;gap:0.7em}.lv-pass .lv-latents .lv-fill{aspect-ratio:2.4}.lv-pass .lv-latents{grid-row:auto;order:-1}.lv-strip{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-walk-row{gap:0.5em;grid-template-columns:minmax(0,1fr) minmax(0,var(--lv-walk-narrow)) minmax(0,1fr)}.lv-walk-body{grid-template-columns:minmax(0,1fr)}.lv-walk-now{width:6.5em}.lv-walk-pictures{grid-template-columns:repeat(6,minmax(0,1fr))}.lv-walk-pictures img:nth-child(even){display:none}}@media(max-height:560px)and (min-width:481px){.lv .lv-pass-views{grid-template-columns:repeat(4,minmax(0,1fr));gap:0.4em 1.2em}.lv .lv-pass .lv-latents{grid-column:1 / -1;grid-row:auto;order:-1}.lv .lv-pass .lv-latents .lv-fill{aspect-ratio:auto;flex:none;height:4.6em;min-height:0}.lv .lv-pass .lv-pixels{max-width:7em}}\n';
var constants_default = { packed_block: "LRB1", kept_files: "LRB@", frame: "LRF1", frame_pieces: ["filter", "words"], guide_cookie: "lrbn_viz_guided", factorised: "factorised:", factorised_titles: ["Factorised", "the same weights, each unit by itself"], undirected_titles: ["As an RBM", "the same weights, as an RBM's"], rival_state: "rival", typed_characters: 1e4, piece_bytes: 393216, thumbnails: 60, max_passes: 240, max_presented: 2, rounding: 1e-6, term_step: 1e-5, term_fine: 5e-4, max_seed: 2147483647, max_exact_interactive: 16, normaliser_chains: 100, most_compared: 8, images_measured: 100, images_bracketed: 25, narrow_nats: 1, network: { latents: 24, visibles: 40 }, n_shown: 8, unknown_tone: 128, max_name_length: 60, held_log_odds: 1e3, figures: ["log_joint", "validation_score", "probe_wrong_pixels", "probe_wrong_pixels_factorised", "gradient_norm", "probe_dead_units", "flips", "sweeps", "units_on", "activity", "fantasy_activity", "bound", "effective_sample_size", "signal_variance", "signal_variance_raw", "stage", "guess_error", "near_zero", "validation_upper_layer_gap", "upper_activity", "seconds"], words_of_rows: { image: "row", pixel: "observation" }, table_words: { pairs: [["yes", "no"], ["true", "false"], ["y", "n"]], unknown: ["", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"] }, max_parameter: 500, check_interval: 100, open_on_inference: 2, visible_units: { bernoulli: { binary: true, threshold: 0, in_browser: true }, gaussian: { binary: false, threshold: 0, in_browser: true }, "noisy-or": { binary: true, threshold: 0.6931471805599453, in_browser: false } } };
var SIZES = `.lv { --lv-on-now: ${import_theme2.PALETTES.light.ink}; --lv-walk-pictures: ${WALK_PICTURES};
  --lv-walk-wide: ${WALK_PICTURES + 0.6}fr; --lv-walk-narrow: ${WALK_PICTURES / 2 + 0.6}fr; }
`;
var GeneratePage = class extends import_page.Page {
  clock = new import_clock.Clock(() => this.paint(), () => this.rest());
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
    this.root.append((0, import_dom5.element)("div", { class: "lv-in" }, (0, import_dom5.element)("div", { class: "lv-passes" }, ...this.cards.map((card2) => card2.node)), this.walk.node), this.transport.node, this.live, this.tipNode);
    this.appear(root, "lrbnGenerators", { key: (event) => this.key(event), scheme: (dark) => {
      this.colours = (0, import_theme2.coloursOf)(dark);
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
    this.walk.load(block, this.models);
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
    if (!this.timeline || !this.root.isConnected || !(0, import_dom5.isPageKey)(event, this.transport.scrub.range)) return;
    const way = (0, import_dom5.byKey)(event, event.shiftKey ? { ArrowRight: "phase", ArrowLeft: "phaseBack" } : { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", PageDown: "pass", PageUp: "passBack" });
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }
  state() {
    const at = this.at(), { lanes } = this.timeline;
    return { k: this.clock.k, end: this.clock.end, playing: this.clock.playing, ...at, key: this.timeline.meta.key, passes: this.timeline.passes, lanes: lanes.map((lane) => ({ title: lane.meta.title, h: Array.from(lane.h[at.t]), x: Array.from(lane.x[at.t]), ...lane.nearest && { near: Array.from(lane.nearest.near[at.t]), row: lane.nearest.row[at.t], distance: lane.nearest.distance[at.t] }, held: Object.fromEntries(lane.held), p: Array.from(lane.probabilities(at.t)), mean: Array.from(lane.activations(at.t, Math.min(at.added, lane.on[at.t].length)), meanOf(lane.model)) })), walk: this.walk.meta && { share: this.walk.share, way: this.walk.meta.way, from: this.walk.meta.from, to: this.walk.meta.to, lanes: this.walk.lanes.map((lane) => ({ steps: lane.steps, unit: Array.from(lane.unit), joint: Array.from(lane.joint), mean: Array.from(lane.activations(this.walk.share), meanOf(lane.model)) })) } };
  }
  remove() {
    this.clock.stop();
    clearTimeout(this.walk.timer);
    this.vanish?.();
  }
};
var import_dom7 = __toESM(require_dom(), 1);
var import_format4 = __toESM(require_format(), 1);
var import_whole = __toESM(require_whole(), 1);
var import_held = __toESM(require_held(), 1);
var import_dom6 = __toESM(require_dom(), 1);
var NARROW = "(max-width: 700px)";
var labelled = (text, ...parts) => (0, import_dom6.element)("label", {}, ...parts.slice(0, -1), text, parts.at(-1) ?? "");
var numberField = (name, title, value, changed) => (0, import_dom6.element)("input", { inputmode: "numeric", autocomplete: "off", class: "live-seed", "aria-label": name, title, value: String(value), onchange: changed });
function numberIn(field, most) {
  const text = field.value.trim();
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null;
}
function settingsOf(title, summary, signal, ...parts) {
  const node = (0, import_dom6.element)("details", { class: "live-course" }, (0, import_dom6.element)("summary", {}, summary), (0, import_dom6.element)("div", { role: "group", "aria-label": title }, ...parts)), narrow = window.matchMedia(NARROW), unfold = () => node.open = !narrow.matches;
  narrow.addEventListener("change", unfold, { signal });
  unfold();
  return node;
}
var { factorised: FACTORISED, max_passes: MAX_PASSES, max_seed: MAX_SEED } = constants_default;
var CHAIN_STARTS = [["noise", "noise"], ["data", "a test image"]];
var USUAL = { seed: 0, begin: "noise", index: 0, passes: 24, shown: -1, step: -1 };
var LiveGeneration = class {
  lanes = [];
  settings = { ...USUAL };
  session;
  worker = null;
  followed = "";
  drawn = "";
  constructor(page, main) {
    this.page = page;
    this.generator = this.select("Model", (key) => this.compare(key));
    this.beside = this.select("Beside it", (key) => this.standBeside(key));
    this.begin = this.select("Chains start from", (begin) => this.change({ begin }));
    this.begin.replaceChildren(...CHAIN_STARTS.map(([value, text]) => (0, import_dom7.element)("option", { value }, text)));
    this.index = this.number("Test image", "index");
    this.passes = this.number("Passes", "passes");
    this.seed = this.number("Seed", "seed");
    this.beginning = labelled("Chains start from", this.begin);
    this.image = labelled("Test image", this.index);
    this.status = (0, import_dom7.element)("p", { class: "live-changes", role: "status" });
    const host = (0, import_dom7.element)("div", { class: "live-body" });
    main.append(settingsOf("Settings of the samples", "Models and settings of the samples", new AbortController().signal, labelled("Model", this.generator), labelled("Beside it", this.beside), this.beginning, this.image, labelled("Passes", this.passes), labelled("Seed", this.seed), (0, import_dom7.element)("button", { type: "button", class: "live-another", onclick: () => this.change({ seed: (this.settings.seed + 1) % (MAX_SEED + 1) }) }, "Another seed"), this.status), host);
    this.view = new GeneratePage(host, (message) => this.hear(message));
  }
  select(name, choose) {
    const made = (0, import_dom7.element)("select", { "aria-label": name, onchange: () => choose(made.value) });
    return made;
  }
  number(name, setting) {
    const field = numberField(name, "", USUAL[setting], () => {
      const value = numberIn(field, MAX_SEED), wrong = value === null ? "not a whole number" : this.refused(setting, value);
      field.setAttribute("aria-invalid", String(wrong !== ""));
      (0, import_dom7.setText)(this.status, wrong && `${name}: ${wrong}.`);
      if (value !== null && !wrong) this.change({ [setting]: value });
    });
    return field;
  }
  refused(setting, value) {
    if (setting === "index") {
      const at = this.session.arrays.index.indexOf(value);
      if (at < 0) return `this page has no image ${(0, import_format4.many)(value)}`;
      return (0, import_whole.isWhole)(this.session.valuesAt(at)) ? "" : `a chain starts from a whole image`;
    }
    const [least, most] = setting === "passes" ? [1, MAX_PASSES] : [0, MAX_SEED];
    return value >= least && value <= most ? "" : `expected a whole number from ${least} to ${(0, import_format4.many)(most)}`;
  }
  modelsOf({ meta }) {
    return meta.models.filter(({ key, draws_passes }) => draws_passes && !key.startsWith(FACTORISED)).map(({ key, title }) => [key, title]);
  }
  draws(session, key) {
    return Boolean(session.infos.get(key)?.draws_passes);
  }
  sessionOf(key) {
    return [this.page.session, ...this.page.sessions].find((session) => this.draws(session, key));
  }
  partnerOf(session, key) {
    const { partner } = session.info(key);
    return this.draws(session, partner) ? partner : key;
  }
  take(key, beside) {
    const session = key !== void 0 && this.sessionOf(key) || [this.page.session, ...this.page.sessions].find((each) => this.modelsOf(each).length) || this.page.session;
    const first = key !== void 0 && this.draws(session, key) ? key : this.modelsOf(session)[0][0], second = beside !== void 0 && this.draws(session, beside) ? beside : this.partnerOf(session, first);
    if (this.session !== session) Object.assign(this.settings, { index: session.index });
    this.session = session;
    this.lanes = [first, second].map((key2) => ({ key: key2, held: /* @__PURE__ */ new Map() }));
  }
  compare(key) {
    this.take(key);
    this.change({});
  }
  standBeside(key) {
    this.lanes[1] = { key, held: /* @__PURE__ */ new Map() };
    this.change({});
  }
  change(settings) {
    Object.assign(this.settings, settings);
    if (this.settings.shown >= this.settings.passes) Object.assign(this.settings, { shown: -1, step: -1 });
    this.fill();
    this.page.views.write();
    this.draw();
  }
  hear({ type, ...said }) {
    const { settings } = this;
    if (type === "cursor") {
      Object.assign(settings, { shown: said.shown, step: said.step });
      if (this.page.views.shown === "generate") this.page.views.write();
    } else if (type === "more") this.change({ passes: Math.min(MAX_PASSES, 2 * settings.passes), shown: settings.passes - 1, step: -1 });
    else if (type === "hold") this.hold(Number(said.lane), Number(said.unit), String(said.state));
  }
  hold(lane, unit, state) {
    const { held } = this.lanes[lane];
    if (unit < 0) held.clear();
    else if (state === "free") held.delete(unit);
    else held.set(unit, Number(state === "on"));
    this.change({});
  }
  fill() {
    const { session, settings } = this, [first, second] = this.lanes.map(({ key }) => key), groups = [session, ...this.page.sessions.filter((each) => each !== session)].map((each) => [each.meta.data, this.modelsOf(each)]).filter(([, models]) => models.length);
    if (!groups[0][1].some(([key]) => key === first)) groups[0] = [groups[0][0], [[first, session.info(first).title], ...groups[0][1]]];
    const options = (models) => models.map(([value, text]) => (0, import_dom7.element)("option", { value }, text));
    this.generator.replaceChildren(...groups.map(([label, models]) => (0, import_dom7.element)("optgroup", { label }, ...options(models))));
    const others = this.modelsOf(session);
    for (const key of [FACTORISED + first, second]) if (session.infos.has(key) && !others.some(([other]) => other === key)) others.unshift([key, session.info(key).title]);
    this.beside.replaceChildren(...options(others));
    this.generator.value = first;
    this.beside.value = second;
    this.begin.value = settings.begin;
    this.index.value = String(settings.index);
    this.passes.value = String(settings.passes);
    this.seed.value = String(settings.seed);
    for (const field of [this.index, this.passes, this.seed]) field.setAttribute("aria-invalid", "false");
    this.beginning.hidden = this.lanes.every(({ key }) => session.info(key).directed);
    this.image.hidden = this.beginning.hidden || settings.begin !== "data";
  }
  get start() {
    const { session, settings } = this, row = session.arrays.index.indexOf(settings.index);
    return settings.begin === "noise" || row < 0 ? null : Float64Array.from(session.valuesAt(row));
  }
  get training() {
    const { training } = this.page;
    if (training?.dataset !== this.session.meta.dataset) return null;
    const [some, held] = training.images, images = new Uint8Array(some.length + held.length);
    images.set(some);
    images.set(held, some.length);
    return images;
  }
  async draw() {
    const { session, lanes, page } = this, { passes, seed } = this.settings;
    if (lanes.some(({ key }) => session.lacks(key))) {
      (0, import_dom7.setText)(this.status, "The models are being fetched.");
      try {
        await page.fetchAll();
      } catch {
        return (0, import_dom7.setText)(this.status, "The models cannot be fetched. Check the connection, and choose again.");
      }
      if (lanes !== this.lanes) return;
      (0, import_dom7.setText)(this.status, "");
    }
    const { training, start: x0 } = this, drawers = lanes.map(({ key, held }) => {
      const { layers, factorised, top, recognition, restricted } = session.modelOf(key), { directed } = session.info(key);
      return { model: { layers, factorised, top, recognition, restricted, directed }, x0, held: new Map(held) };
    });
    this.worker?.terminate();
    this.drawn = this.question;
    this.worker = page.ask({ kind: "passes", draw: { passes, seed, training, lanes: drawers } }, (found) => {
      this.worker = null;
      this.show(found);
    });
  }
  get question() {
    const { seed, passes } = this.settings;
    return JSON.stringify([this.key, seed, passes, this.lanes.map(({ held }) => (0, import_held.textOfHeld)(held)), Boolean(this.training)]);
  }
  get begins() {
    return this.settings.begin === "noise" ? "noise" : `test image ${this.settings.index}`;
  }
  get key() {
    return `${this.lanes.map(({ key }) => key).join(" ")} ${this.settings.seed} ${this.begins}`;
  }
  show(found) {
    const { session, settings, lanes } = this, titles = session.titlesOf(lanes.map(({ key }) => key));
    const arrays = {};
    const metas = lanes.map(({ key, held }, lane) => {
      const model = session.modelOf(key), { directed } = session.info(key), state = directed ? "" : model.top ? "latents" : model.restricted ? "image and latents" : "image", sizes = model.layers.map(({ n_h }) => n_h);
      for (const [name, array] of Object.entries(found[lane])) arrays[`${lane}.${name}`] = array;
      return { model: key, title: titles[lane], chain: !directed, state, sizes: model.top ? [...sizes, model.top.e.length] : sizes, latents: model.n_h, same: key.startsWith(FACTORISED), flat: directed && model.layers.length === 1 && !model.d.some(Boolean), held: Object.fromEntries(held) };
    });
    this.view.setModels(session.models);
    this.view.setPasses({ meta: { lanes: metas, passes: settings.passes, begins: this.begins, class_names: session.meta.class_names, shown: settings.shown, step: settings.step, key: this.key }, arrays });
  }
  open(asked) {
    const now = this.page.session.lanes.map(({ model }) => model);
    if (asked) this.read(asked);
    else if (!this.lanes.length || now.join(" ") !== this.followed) this.take(now[0], now[1]);
    this.followed = now.join(" ");
    this.fill();
    this.page.views.write();
    if (this.question !== this.drawn) this.draw();
  }
  read(asked) {
    const ignored = [];
    const [first, second] = this.page.session.lanes.map(({ model }) => model), { generator, generator_beside: beside } = asked;
    this.settings = { ...USUAL };
    this.take(generator ?? first, beside ?? (generator === void 0 ? second : void 0));
    [generator, beside].forEach((wanted, n) => {
      if (wanted !== void 0 && wanted !== this.lanes[n].key) ignored.push(`this page draws nothing of a model called “${wanted.slice(0, 60)}”`);
    });
    const whole = (name, setting) => {
      const text = asked[name];
      if (text === void 0) return;
      const wrong = /^\d{1,10}$/.test(text) ? this.refused(setting, Number(text)) : "not a whole number";
      if (wrong) ignored.push(`${name}: ${wrong}`);
      else this.settings[setting] = Number(text);
    };
    whole("draw_seed", "seed");
    whole("passes", "passes");
    if (asked.chain === "data") {
      this.settings.begin = "data";
      whole("chain_image", "index");
    }
    ["generator_clamp", "generator_beside_clamp"].forEach((name, n) => {
      const held = (0, import_held.heldOfText)(asked[name] ?? "", this.session.info(this.lanes[n].key) ? this.unitsOf(n) : 0);
      if (held) this.lanes[n].held = held;
      else ignored.push(`${name}: expected units with their states, such as 3on.17off`);
    });
    for (const [name, setting] of [["pass", "shown"], ["pass_step", "step"]]) if (/^\d{1,7}$/.test(asked[name] ?? "")) this.settings[setting] = Number(asked[name]);
    (0, import_dom7.setText)(this.status, ignored.length ? `Some of this link was ignored: ${ignored.join("; ")}.` : "");
  }
  unitsOf(lane) {
    return this.session.models.get(this.lanes[lane].key)?.n_h ?? 0;
  }
  address() {
    const { settings, lanes } = this, [first, second] = lanes;
    if (!first) return {};
    const found = { generator: first.key, generator_beside: second.key };
    if (settings.seed) found.draw_seed = String(settings.seed);
    if (settings.begin === "data") Object.assign(found, { chain: "data", chain_image: String(settings.index) });
    if (settings.passes !== USUAL.passes) found.passes = String(settings.passes);
    if (first.held.size) found.generator_clamp = (0, import_held.textOfHeld)(first.held);
    if (second.held.size) found.generator_beside_clamp = (0, import_held.textOfHeld)(second.held);
    if (settings.shown >= 0) found.pass = String(settings.shown);
    if (settings.step >= 0) found.pass_step = String(settings.step);
    return found;
  }
};
var createView = (page, main) => new LiveGeneration(page, main);
export { createView };
