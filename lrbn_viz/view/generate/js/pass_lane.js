// The card of one lane: what the latents are drawn from, the latents, the mean of x, x, and the nearest training
// image; below it the samples so far, each over its nearest training image.

import {arrowMove, byKey, element, penOf, setText} from "../../player/js/dom.js";
import {darker, legend} from "../../player/js/legend.js";
import {cross, fitCanvas, gridShape, nameUnits, PixelView, placeAt, StillView} from "../../player/js/draw.js";
import {rowWords, variablesOf} from "../../player/js/names.js";
import {VariableTable} from "../../player/js/variable_table.js";

const THUMBS_ROW = 24; // samples beside each other where there is room

/** @typedef {import("./passes.js").Timeline} Timeline */

// A labelled part of the card.
/** @template {HTMLElement} Content @param {string} kind @param {Content} content @param {(Node | string)[]} label */
function figure(kind, content, ...label) {
  const value = element("b"),
    name = element("span", {}, ...label);
  return {
    node: element("figure", {class: `lv-${kind}`}, element("div", {class: "lv-label"}, name, value), content),
    value,
    name,
    canvas: content,
  };
}

/** @param {string} kind @param {(Node | string)[]} label */
const picture = (kind, ...label) =>
  figure(kind, element("canvas", {class: "lv-pixels", role: "img"}), ...label);

export class PassLaneCard {
  selected = -1;
  done = 0;
  shownPass = -1;
  stale = true;
  grid = element("canvas", {role: "spinbutton", tabindex: "0"});
  latents = figure(
    "latents",
    element("div", {class: "lv-fill"}, this.grid),
    "Latents ",
    element("i", {}, "h"),
  );
  from = picture("from", "From");
  mean = picture("mean", "Mean of ", element("i", {}, "x"));
  x = picture("drawn", "Drawn ", element("i", {}, "x"));
  near = picture("near", "Nearest");
  title = element("span");
  subtitle = element("small");
  check = element("span", {class: "lv-check"});
  strip = element("div", {class: "lv-strip", role: "listbox", "aria-label": "Samples", tabindex: -1});
  stripWords = element("span");
  // of named variables, instead of pictures
  table = new VariableTable("What is drawn, by variable; scrolls");
  names = element("ol", {class: "lv-columns-names"});
  words = rowWords(false);
  note = element("p", {class: "lv-caption"});
  change = element("b");
  // of binary images alone: of others the nearest is shown as it is
  differences = element("div");
  /** @type {{node: HTMLElement, x: StillView, near: StillView | null}[]} */ thumbs = [];
  /** @type {Timeline["lanes"][number]} */ lane;
  /** @type {Record<"from" | "mean" | "x" | "near", PixelView>} */ views;
  /** @type {Colours | undefined} */ colours;

  /** @param {number} index @param {import("./page.js").GeneratePage} page */
  constructor(index, page) {
    this.index = index;
    this.page = page;
    this.free = element(
      "button",
      {type: "button", class: "lv-btn lv-small", hidden: true, onclick: () => page.hold(index, -1, "free")},
      "Free all units",
    );
    this.node = element(
      "section",
      {class: "lv-card lv-lane lv-pass", "data-lane": index},
      element(
        "header",
        {},
        element("h2", {}, this.title, this.subtitle),
        element("div", {class: "lv-row"}, this.free, this.check),
      ),
      element(
        "div",
        {class: "lv-pass-views"},
        ...[this.from, this.latents, this.mean, this.x, this.near, this.table].map((view) => view.node),
      ),
      element("div", {class: "lv-strip-label lv-label"}, this.stripWords, this.change),
      element("div", {class: "lv-strip-box"}, this.names, this.strip),
      element(
        "div",
        {class: "lv-legends"},
        legend([
          ["square", `lane${index}`, "on"],
          ["square", "faint", "off"],
          ["pale", `lane${index}`, ["not yet drawn; the ", ...darker(), ", the likelier on"]],
          ["ring", "now", "just drawn; the pass shown"],
          ["dashes", "ink", "chosen"],
        ]),
        this.differences,
      ),
      this.note,
    );
    this.listen();
  }

  listen() {
    const {grid, page} = this;
    const unitAt = (/** @type {MouseEvent} */ event) => placeAt(grid, this.lane.n_h, event);
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
        const {columns} = this.shape();
        const move = arrowMove(event, columns);
        if (!move || event.shiftKey) return;
        this.selected =
          this.selected < 0 ? 0 : Math.max(0, Math.min(this.lane.n_h - 1, this.selected + move));
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
      const path = /** @type {HTMLElement[]} */ (event.composedPath()),
        option = path.find((node) => node.dataset?.pass);
      if (option) this.go(Number(option.dataset.pass));
    });
    this.strip.addEventListener("keydown", (event) => {
      const at = Number(/** @type {HTMLElement} */ (event.composedPath()[0]).dataset?.pass ?? -1);
      const to = byKey(event, {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.thumbs.length - 1});
      if (at < 0 || (to === undefined && event.key !== "Enter")) return;
      const next = Math.max(0, Math.min(this.thumbs.length - 1, to ?? at));
      this.thumbs[next].node.focus();
      this.go(next);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param {number} t */
  go(t) {
    this.page.pause();
    this.page.seek(this.page.timeline.find(t, -1));
  }

  // Free -> on -> off -> free.
  /** @param {number} j */
  turn(j) {
    if (j >= this.lane.meta.latents) return; // summed out wherever the model is asked
    const now = this.lane.held.get(j);
    this.page.hold(this.index, j, now === undefined ? "on" : now ? "off" : "free");
  }

  shape() {
    return gridShape(this.lane.n_h, this.grid.width, this.grid.height);
  }

  /** @param {Timeline["lanes"][number]} lane @param {Timeline} timeline */
  load(lane, timeline) {
    this.lane = lane;
    this.title.textContent = lane.meta.title;
    const deep = lane.layers.length > 1,
      {state} = lane.meta;
    this.subtitle.textContent =
      (lane.meta.same ? "the same weights in an RBM, " : "") +
      {
        "": `ancestral sampling: ${deep ? "the top layer from its prior, each other from the one above" : "latents from the prior"}`,
        image: "Gibbs chain: latents from the image before",
        latents:
          "Gibbs chain of the RBM on top: layer 2 from layer 1 before, layer 1 from layer 2; the image from layer 1",
        "image and latents":
          "Gibbs chain: layer 2 from layer 1 before, layer 1 from layer 2 and the image before; the image from layer 1",
      }[state];
    const names = variablesOf(lane.model);
    this.words = rowWords(names !== null);
    this.from.name.textContent = state.startsWith("image")
      ? `${names ? "Row" : "Image"} before`
      : "Offsets alone";
    this.fillViews(names, timeline);
    this.free.hidden = lane.held.size === 0;
    this.differences.hidden = !lane.binary || !lane.nearest;
    this.near.node.hidden = !lane.nearest;
    this.node.toggleAttribute("data-alone", !lane.nearest);
    this.note.textContent = lane.meta.flat
      ? "This model's prior is flat: every code is as likely, and most codes belong to no digit. One with a learned prior draws better."
      : "";
    setText(
      this.stripWords,
      !lane.nearest
        ? "Samples"
        : names
          ? "Samples, each beside its nearest row of the training data"
          : "Samples, over their nearest training images",
    );
    this.fillStrip(lane, timeline);
    this.stale = true;
    this.shownPass = -1;
  }

  // Four pictures; or, of a table, four columns beside the names of the variables.
  /** @param {string[] | null} names @param {Timeline} timeline */
  fillViews(names, {rows, columns}) {
    const {table, from, mean, x, near} = this,
      figures = [from, mean, x, ...(this.lane.nearest ? [near] : [])];
    this.node.toggleAttribute("data-table", names !== null);
    this.differences.replaceChildren(
      legend([
        ["square", "plus", "nearest: in the sample alone"],
        ["square", "minus", `in the training ${this.words.row} alone`],
      ]),
    );
    this.names.replaceChildren(
      ...(names ?? []).map((text) => element("li", {class: "lv-variable-name", title: text}, text)),
    );
    this.node.style.setProperty("--lv-columns-rows", String(names?.length ?? 1));
    if (!names) {
      table.load([], []);
      for (const {node, canvas, value} of figures) {
        canvas.classList.remove("lv-columns-cells");
        node.firstElementChild?.append(value);
        node.append(canvas);
      }
    } else
      table.load(
        names,
        figures.map(({name, canvas, value}) => ({
          title: name.textContent ?? "",
          label: "",
          n: 1,
          canvas,
          foot: value,
        })),
      );
    const [a, b, c, d] = names
      ? table.views
      : figures.map(({canvas}) => new PixelView(canvas, rows, columns));
    this.views = {from: a, mean: b, x: c, near: d};
  }

  /** @param {Timeline["lanes"][number]} lane @param {Timeline} timeline */
  fillStrip(lane, timeline) {
    const focused = /** @type {HTMLElement | null} */ (this.strip.querySelector(":focus"))?.dataset.pass;
    const [rows, columns] = variablesOf(lane.model) ? [lane.n_v, 1] : [timeline.rows, timeline.columns],
      {row, cell} = this.words;
    this.thumbs = lane.x.map((_, t) => {
      const still = () => element("img", {class: "lv-pixels", alt: ""}),
        x = still(),
        {nearest} = lane,
        near = nearest && still();
      const [what, apart, figure] = nearest
        ? [
            `nearest training ${row} ${nearest.row[t]}`,
            lane.apart(nearest.distance[t], `${cell}s`),
            lane.figure(nearest.distance[t]),
          ]
        : [];
      const class_name = nearest?.label && timeline.meta.class_names[nearest.label[t]];
      const node = element(
        "div",
        {
          class: "lv-sample",
          role: "option",
          tabindex: -1,
          "data-pass": t,
          "aria-selected": "false",
          "aria-label": `pass ${t + 1}${what ? `: ${what}${class_name ? `, class ${class_name}` : ""}, ${apart}` : ""}`,
          title: `pass ${t + 1}${what ? `\n${what}${class_name ? ` (${class_name})` : ""}\n${apart}` : ""}`,
        },
        x,
        ...(near ? [near] : []),
        element("span", {}, figure ?? String(t + 1)),
      );
      return {node, x: new StillView(x, rows, columns), near: near && new StillView(near, rows, columns)};
    });
    this.strip.replaceChildren(...this.thumbs.map((thumb) => thumb.node));
    this.strip.style.setProperty(
      "--lv-across",
      String(Math.min(THUMBS_ROW, Math.max(12, this.thumbs.length))),
    );
    if (focused !== undefined) this.thumbs[Math.min(Number(focused), this.thumbs.length - 1)].node.focus();
  }

  /** @param {Moment} at @param {Colours} colours */
  paint(at, colours) {
    const {lane} = this,
      {palette, tables} = colours,
      {ink} = tables,
      {t} = at,
      {image, mean} = lane.inks;
    const empty = ink[0];
    const source = lane.source(t);
    const {b} = lane.model; // a directed model starts from nothing: the picture is what the offsets alone would draw
    this.views.from.paint((i) => ink[source ? image(source[i], i) : mean(b[i], i)]);
    const a = lane.activations(t, Math.min(at.added, lane.on[t].length));
    this.views.mean.paint((i) => ink[mean(a[i], i)]);
    const drawn = at.rows * this.page.timeline.columns,
      x = lane.x[t];
    this.views.x.paint((i) => (i < drawn ? ink[image(x[i], i)] : empty));
    const {nearest} = lane,
      near = at.whole && nearest ? nearest.near[t] : null;
    if (nearest) this.views.near.paint((i) => this.nearColour(near, x, i, tables));
    this.paintGrid(at, palette);
    this.latents.value.textContent = `${this.countOn(at)} of ${lane.n_h} on${lane.held.size ? `, ${lane.held.size} held (\u00d7)` : ""}`;
    this.mean.value.textContent = at.added
      ? `${Math.min(at.added, lane.on[t].length)} filters`
      : "offsets only";
    this.x.value.textContent = at.rows ? (at.whole ? `pass ${t + 1}` : `row ${at.rows}`) : "";
    this.near.value.textContent = near && nearest ? lane.apart(nearest.distance[t]) : "";
    this.near.node.dataset.empty = String(!near);
    this.from.value.textContent =
      source && !t ? (this.page.timeline.meta.begins === "noise" ? "noise" : "data") : "";
    this.paintStrip(at, colours);
  }

  // The nearest training image in grey, pixels in which a binary sample differs in the colours of too much and too little.
  /** @param {Pixels | null} near @param {Pixels} x @param {number} i @param {PixelTables} tables */
  nearColour(near, x, i, tables) {
    if (!near) return tables.ink[0];
    if (!this.lane.binary) return tables.ink[this.lane.inks.image(near[i], i)];
    if (near[i] === x[i]) return tables.ink[near[i] ? 90 : 0];
    return tables.error[near[i]][x[i] ? 510 : 0];
  }

  /** @param {Moment} at */
  countOn(at) {
    const {lane} = this,
      h = lane.h[at.t];
    let on = 0;
    for (let j = 0; j < lane.n_h; j++) if (lane.place[j] < at.drawn) on += h[j];
    return on;
  }

  // Filled = on, tint = P(h_j = 1) of a unit not yet drawn, ring = the unit in hand, cross = held, dashes = chosen.
  /** @param {Moment} at @param {Palette} palette */
  paintGrid(at, palette) {
    const {grid, lane, index} = this,
      context = penOf(grid),
      accent = palette.lanes[index],
      h = lane.h[at.t],
      {names} = lane.model,
      lowest = lane.layers[0].n;
    fitCanvas(grid);
    const {columns, size} = this.shape(),
      gap = Math.max(1, size * 0.14),
      side = size - gap;
    context.clearRect(0, 0, grid.width, grid.height);
    const adding = at.phase === 1 ? lane.on[at.t][at.added - 1] : -1,
      drawing = at.phase === 0 && at.step > 0 ? lane.sequence[at.drawn - 1] : -1;
    const isKnown = (/** @type {number} */ j) => lane.place[j] < at.drawn || lane.held.has(j),
      isOn = (/** @type {number} */ j) => isKnown(j) && h[j] === 1;
    for (let j = 0; j < lane.n_h; j++) {
      const x = (j % columns) * size + gap / 2,
        y = Math.floor(j / columns) * size + gap / 2,
        corner = j < lowest ? 0.18 : 0.5; // units of upper layers are round
      const on = isOn(j),
        p = isKnown(j) ? null : lane.probability(at.t, j, at.drawn);
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
      if (lane.held.has(j))
        cross(context, x + side / 2, y + side / 2, side * 0.28, side, on ? palette.surface : palette.ink);
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

  /** @param {Moment} at @param {Colours} colours */
  paintStrip(at, colours) {
    const done = at.whole ? at.t + 1 : at.t;
    if (!this.stale && this.done === done && this.colours === colours && this.shownPass === at.t) return;
    const {lane} = this,
      {ink} = colours.tables,
      {image} = lane.inks;
    if (this.stale || this.colours !== colours) {
      this.thumbs.forEach((thumb, t) => {
        const near = lane.nearest?.near[t];
        thumb.x.paint((i) => ink[image(lane.x[t][i], i)]);
        if (near)
          thumb.near?.paint((i) => ink[Math.round((lane.binary ? 130 / 255 : 1) * image(near[i], i))]);
      });
    }
    this.thumbs.forEach(({node}, t) => {
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
    const {lane} = this,
      copies = Array.from(lane.nearest?.distance.slice(0, this.done) ?? []).filter((d) => d === 0).length;
    const {pixels} = lane.model,
      top = lane.layers[lane.layers.length - 1].first,
      byHand = Array.from(lane.held.keys()).some((j) => j < top);
    const text = lane.meta.chain
      ? "each pass depends on the one before"
      : byHand
        ? "independent samples; a unit held below the top is set by hand, and changes nothing above it"
        : lane.held.size
          ? "exact samples given what is held"
          : "exact, independent samples";
    if (pixels || !lane.nearest) {
      // of a few events all combinations were seen before
      this.check.textContent = text;
      this.check.dataset.ok = lane.meta.chain ? "" : "yes";
      return;
    }
    this.check.textContent = copies ? `${text}; ${copies} equal a training image` : `${text}; none is a copy`;
    this.check.dataset.ok = copies ? "no" : lane.meta.chain ? "" : "yes";
    if (!this.done) this.check.textContent = text;
  }

  /** @param {number} j */
  describe(j) {
    const {lane} = this,
      at = this.page.at(),
      p = lane.probability(at.t, j, at.drawn),
      held = lane.held.get(j),
      who = lane.called(j);
    const next = held === undefined ? "hold it on" : held ? "hold it off" : "free it",
      can = j < lane.meta.latents ? `\nclick: ${next}` : "";
    if (held !== undefined) return `${who}: held ${held ? "on" : "off"}${can}`;
    const drawn = lane.place[j] < at.drawn ? (lane.h[at.t][j] ? "on" : "off") : "not yet drawn";
    return `${who}: ${drawn}, ${p === null ? "after the layer above" : `P(on) ${p.toFixed(3)}`}${can}`;
  }

  // What a reader who cannot see the canvases needs; set when the cursor rests.
  label() {
    const {lane} = this,
      at = this.page.at(),
      title = lane.meta.title,
      set = (/** @type {{canvas: HTMLElement}} */ view, /** @type {string} */ text) =>
        view.canvas.setAttribute("aria-label", `${title}: ${text}`);
    set(
      this.from,
      lane.meta.state.startsWith("image")
        ? `the ${this.words.row} before, from which latents are drawn`
        : `what the offsets alone draw; latents come from ${lane.meta.chain ? "those before" : "the prior"}`,
    );
    set(this.mean, `mean of the ${this.words.row} given the latents drawn`);
    set(this.x, at.whole ? `${this.words.row} drawn in pass ${at.t + 1}` : `${this.words.row} being drawn`);
    set(
      this.near,
      at.whole && lane.nearest
        ? `nearest training ${this.words.row}, ${lane.apart(lane.nearest.distance[at.t], `of ${lane.n_v} ${this.words.cell}s`)}`
        : `nearest training ${this.words.row}, once the ${this.words.row} is drawn`,
    );
    const unit = Math.max(0, this.selected),
      {grid} = this;
    grid.setAttribute("aria-label", `${title}: latent units, Enter holds one on, off, or frees it`);
    for (const [name, value] of Object.entries({min: 0, max: lane.n_h - 1, now: unit}))
      grid.setAttribute(`aria-value${name}`, String(value));
    grid.setAttribute(
      "aria-valuetext",
      this.describe(unit).replace("\nclick: ", ", Enter to ").replaceAll("\n", ", "),
    );
  }

  // One clause about the newest step, for the transport.
  /** @param {Moment} at */
  says(at) {
    const {lane} = this,
      {t} = at,
      title = lane.meta.title;
    if (at.phase === 0 && at.step) {
      if (at.drawn > lane.n_h) return `${title} has drawn its latents`;
      const j = lane.sequence[at.drawn - 1],
        who = lane.called(j);
      const state = lane.h[t][j] ? "on" : "off";
      if (lane.held.has(j)) return `${title} ${who} is held ${state}`;
      const u = lane.uniform[t * lane.n_h + j] / 65536;
      return `${title} ${who}: drew ${u.toFixed(2)} against P ${lane.probabilities(t)[j].toFixed(2)}, ${state}`;
    }
    if (at.phase === 1) {
      const j = lane.on[t][at.added - 1];
      return j === undefined ? `${title} has its mean` : `${title} adds the filter of ${lane.called(j)}`;
    }
    if (at.whole && !lane.nearest)
      return `${title} has drawn ${lane.model.pixels ? "the observations" : "all rows"}`;
    return at.whole && lane.nearest
      ? `${title}: ${lane.figure(lane.nearest.distance[t])}${lane.binary && !lane.model.pixels ? " px" : ""} from the nearest training ${this.words.row}`
      : `${title} draws ${lane.model.pixels ? "the observations" : `row ${at.rows}`}`;
  }
}
