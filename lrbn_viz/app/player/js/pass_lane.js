// The card of one lane: what the latents are drawn from, the latents, the mean of x, x, and the nearest training
// image; below it the samples so far, each over its nearest training image.

const THUMBS_ROW = 24; // samples beside each other where there is room

class PassLaneCard {
  constructor(index, page) {
    Object.assign(this, {index, page, selected: -1});
    const figure = (kind, label, ...parts) => {
      const value = element("b"), name = element("span", {}, ...label);
      const node = element("figure", {class: `lv-${kind}`}, element("div", {class: "lv-label"}, name, value), ...parts);
      return {node, value, name, canvas: parts[0]};
    };
    const pixels = () => element("canvas", {class: "lv-pixels", role: "img"});
    this.from = figure("from", ["From"], pixels());
    this.grid = element("canvas", {role: "spinbutton", tabindex: "0"});
    this.latents = figure("latents", ["Latents ", element("i", {}, "h")], element("div", {class: "lv-fill"}, this.grid));
    this.mean = figure("mean", ["Mean of ", element("i", {}, "x")], pixels());
    this.x = figure("drawn", ["Drawn ", element("i", {}, "x")], pixels());
    this.near = figure("near", ["Nearest"], pixels());
    this.title = element("span"); this.subtitle = element("small");
    this.check = element("span", {class: "lv-check"});
    this.free = element("button", {type: "button", class: "lv-btn lv-small", hidden: true, onclick: () => page.hold(index, -1, "free")}, "Free all units");
    this.strip = element("div", {class: "lv-strip", role: "listbox", "aria-label": "Samples", tabindex: -1});
    this.note = element("p", {class: "lv-caption"});
    this.node = element("section", {class: "lv-card lv-lane lv-pass", "data-lane": index},
      element("header", {}, element("h2", {}, this.title, this.subtitle), element("div", {class: "lv-row"}, this.free, this.check)),
      element("div", {class: "lv-pass-views"}, ...[this.from, this.latents, this.mean, this.x, this.near].map((view) => view.node)),
      element("div", {class: "lv-strip-label lv-label"}, element("span", {}, "Samples, over their nearest training images"), this.change = element("b")),
      this.strip, this.note);
    this.listen();
  }

  listen() {
    const {grid, page, index} = this;
    const unitAt = (event) => this.unitAt(event.offsetX, event.offsetY);
    grid.addEventListener("click", (event) => { const j = unitAt(event); if (j >= 0) { this.selected = j; this.turn(j); } });
    grid.addEventListener("pointermove", (event) => { const j = unitAt(event); page.tip(j < 0 ? null : this.describe(j), event); });
    grid.addEventListener("pointerleave", () => page.tip(null));
    grid.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.selected >= 0) this.turn(this.selected);
      else {
        const {columns} = this.shape();
        const move = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns}[event.key];
        if (!move || event.shiftKey) return;
        this.selected = this.selected < 0 ? 0 : Math.max(0, Math.min(this.lane.n_h - 1, this.selected + move));
        this.label();
        page.clock.dirty();
      }
      event.preventDefault();
      event.stopPropagation();
    });
    grid.addEventListener("blur", () => { this.selected = -1; page.clock.dirty(); });
    this.strip.addEventListener("click", (event) => {
      const option = event.composedPath().find((node) => node.dataset?.pass);
      if (option) this.go(Number(option.dataset.pass));
    });
    this.strip.addEventListener("keydown", (event) => {
      const at = Number(event.composedPath()[0].dataset?.pass ?? -1);
      const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.thumbs.length - 1}[event.key];
      if (at < 0 || (to === undefined && event.key !== "Enter")) return;
      const next = Math.max(0, Math.min(this.thumbs.length - 1, to ?? at));
      this.thumbs[next].node.focus();
      this.go(next);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  go(t) { this.page.pause(); this.page.seek(this.page.timeline.find(t, -1)); }

  // Free -> on -> off -> free.
  turn(j) {
    const now = this.lane.held.get(j);
    this.page.hold(this.index, j, now === undefined ? "on" : now ? "off" : "free");
  }

  shape() { return gridShape(this.lane.n_h, this.grid.width, this.grid.height); }

  unitAt(x, y) {
    const ratio = this.grid.width / this.grid.clientWidth, {columns, size} = this.shape();
    const column = Math.floor(x * ratio / size), j = Math.floor(y * ratio / size) * columns + column;
    return column >= 0 && column < columns && j >= 0 && j < this.lane.n_h ? j : -1;
  }

  load(lane, timeline) {
    this.lane = lane;
    const view = (canvas) => new PixelView(canvas, timeline.rows, timeline.columns);
    this.views = {from: view(this.from.canvas), mean: view(this.mean.canvas), x: view(this.x.canvas), near: view(this.near.canvas)};
    this.title.textContent = lane.meta.title;
    this.subtitle.textContent = lane.meta.chain ? "Gibbs chain: latents from the image before" : "ancestral sampling: latents from the prior";
    this.from.name.textContent = lane.meta.chain ? "Image before" : "Offsets alone";
    this.free.hidden = lane.held.size === 0;
    this.note.textContent = lane.meta.flat ? "This model's prior is flat: every code is as likely, and most codes belong to no digit. One with a learned prior draws better." : "";
    this.fillStrip(lane, timeline);
    this.stale = true;
    this.shownPass = -1;
  }

  fillStrip(lane, timeline) {
    const focused = this.strip.querySelector(":focus")?.dataset.pass;
    this.thumbs = lane.x.map((_, t) => {
      const still = () => element("img", {class: "lv-pixels", alt: ""}), x = still(), near = still();
      const class_name = timeline.meta.class_names[lane.label[t]];
      const node = element("div", {
        class: "lv-sample", role: "option", tabindex: -1, "data-pass": t, "aria-selected": "false",
        "aria-label": `pass ${t + 1}: nearest training image ${lane.row[t]}, class ${class_name}, ${lane.distance[t]} pixels differ`,
        title: `pass ${t + 1}\nnearest: training image ${lane.row[t]} (${class_name})\n${lane.distance[t]} pixels differ`,
      }, x, near, element("span", {}, String(lane.distance[t])));
      return {node, x: new StillView(x, timeline.rows, timeline.columns), near: new StillView(near, timeline.rows, timeline.columns)};
    });
    this.strip.replaceChildren(...this.thumbs.map((thumb) => thumb.node));
    this.strip.style.setProperty("--lv-across", Math.min(THUMBS_ROW, Math.max(12, this.thumbs.length)));
    if (focused !== undefined) this.thumbs[Math.min(Number(focused), this.thumbs.length - 1)].node.focus();
  }

  paint(at, colours) {
    const {lane} = this, {palette, tables} = colours, {ink} = tables, {t} = at;
    const empty = ink[0];
    const source = lane.source(t);
    if (source) this.views.from.paint((i) => ink[source[i] ? 255 : 0]);
    else this.paintPrior(tables);
    const a = lane.activations(t, Math.min(at.added, lane.on[t].length));
    this.views.mean.paint((i) => ink[byte(logistic(a[i]))]);
    const drawn = at.rows * this.page.timeline.columns, x = lane.x[t];
    this.views.x.paint((i) => (i < drawn && x[i] ? ink[255] : empty));
    const near = at.whole ? lane.near[t] : null;
    this.views.near.paint((i) => this.nearColour(near, x, i, tables));
    this.paintGrid(at, palette);
    this.latents.value.textContent = `${this.countOn(at)} of ${lane.n_h} on${lane.held.size ? `, ${lane.held.size} held (\u00d7)` : ""}`;
    this.mean.value.textContent = at.added ? `${Math.min(at.added, lane.on[t].length)} filters` : "offsets only";
    this.x.value.textContent = at.rows ? (at.whole ? `pass ${t + 1}` : `row ${at.rows}`) : "";
    this.near.value.textContent = at.whole ? `${lane.distance[t]} px differ` : "";
    this.near.node.dataset.empty = String(!at.whole);
    this.from.value.textContent = lane.meta.chain && !t ? (this.page.timeline.meta.begins === "noise" ? "noise" : "data") : "";
    this.paintStrip(at, colours);
  }

  // The nearest training image in grey, pixels in which the sample differs in the colours of too much and too little.
  nearColour(near, x, i, tables) {
    if (!near) return tables.ink[0];
    if (near[i] === x[i]) return tables.ink[near[i] ? 90 : 0];
    return tables.error[near[i]][x[i] ? 510 : 0];
  }

  // An LRBN starts from nothing: the picture is what the offsets alone would draw.
  paintPrior(tables) {
    const {b} = this.lane.model;
    this.views.from.paint((i) => tables.ink[byte(logistic(b[i]))]);
  }

  countOn(at) {
    const {lane} = this, h = lane.h[at.t];
    let on = 0;
    for (let j = 0; j < lane.n_h; j++) if (j < at.drawn) on += h[j];
    return on;
  }

  // Filled = on, tint = P(h_j = 1) of a unit not yet drawn, ring = the unit in hand, cross = held, dashes = chosen.
  paintGrid(at, palette) {
    const {grid, lane, index} = this, context = grid.getContext("2d"), accent = palette.lanes[index], p = lane.probabilities(at.t), h = lane.h[at.t];
    fitCanvas(grid);
    const {columns, size} = this.shape(), gap = Math.max(1, size * 0.14), side = size - gap;
    context.clearRect(0, 0, grid.width, grid.height);
    const adding = at.phase === 1 ? lane.on[at.t][at.added - 1] : -1;
    for (let j = 0; j < lane.n_h; j++) {
      const x = (j % columns) * size + gap / 2, y = Math.floor(j / columns) * size + gap / 2, known = j < at.drawn || lane.held.has(j);
      const on = known && h[j] === 1;
      context.beginPath();
      context.roundRect(x, y, side, side, side * 0.18);
      context.fillStyle = on ? accent : palette.faint;
      context.fill();
      if (!known) { context.globalAlpha = 0.6 * p[j]; context.fillStyle = accent; context.fill(); context.globalAlpha = 1; }
      if (lane.held.has(j)) {
        const arm = side * 0.28, cx = x + side / 2, cy = y + side / 2;
        context.beginPath();
        for (const way of [-1, 1]) { context.moveTo(cx - arm, cy - way * arm); context.lineTo(cx + arm, cy + way * arm); }
        context.lineWidth = Math.max(1.5, side * 0.14);
        context.strokeStyle = on ? palette.surface : palette.ink;
        context.stroke();
      }
      const current = (at.phase === 0 && j === at.drawn - 1 && at.step > 0) || j === adding;
      if (current || j === this.selected) {
        context.beginPath();
        context.roundRect(x - gap / 2, y - gap / 2, side + gap, side + gap, side * 0.2);
        context.lineWidth = Math.max(2, gap * 1.1);
        context.strokeStyle = current ? palette.now : palette.ink;
        if (!current) context.setLineDash([size * 0.22, size * 0.14]);
        context.stroke();
        context.setLineDash([]);
      }
    }
  }

  paintStrip(at, colours) {
    const done = at.whole ? at.t + 1 : at.t;
    if (!this.stale && this.done === done && this.colours === colours && this.shownPass === at.t) return;
    const {lane} = this, {ink} = colours.tables;
    if (this.stale || this.colours !== colours) {
      this.thumbs.forEach((thumb, t) => {
        thumb.x.paint((i) => ink[lane.x[t][i] ? 255 : 0]);
        thumb.near.paint((i) => ink[lane.near[t][i] ? 130 : 0]);
      });
    }
    this.thumbs.forEach(({node}, t) => {
      node.dataset.done = String(t < done);
      node.setAttribute("aria-selected", String(t === at.t));
      node.tabIndex = t === at.t ? 0 : -1;
    });
    const change = done ? lane.change(done - 1) : null;
    this.change.textContent = change === null ? "" : `${change} px differ from the one before`;
    Object.assign(this, {stale: false, colours, done, shownPass: at.t});
    this.verdict();
  }

  verdict() {
    const {lane} = this, copies = lane.distance.slice(0, this.done).filter((d) => d === 0).length;
    const text = lane.meta.chain ? "each pass depends on the one before" : lane.held.size ? "exact samples given what is held" : "exact, independent samples";
    this.check.textContent = copies ? `${text}; ${copies} equal a training image` : `${text}; none is a copy`;
    this.check.dataset.ok = copies ? "no" : lane.meta.chain ? "" : "yes";
    if (!this.done) this.check.textContent = text;
  }

  describe(j) {
    const {lane} = this, at = this.page.at(), p = lane.probabilities(at.t)[j], held = lane.held.get(j);
    const next = held === undefined ? "hold it on" : held ? "hold it off" : "let it go";
    if (held !== undefined) return `unit ${j}: held ${held ? "on" : "off"}\nclick: ${next}`;
    const drawn = j < at.drawn ? (lane.h[at.t][j] ? "on" : "off") : "not yet drawn";
    return `unit ${j}: ${drawn}, P(on) ${p.toFixed(3)}\nclick: ${next}`;
  }

  // What a reader who cannot see the canvases needs; set when the cursor rests.
  label() {
    const {lane} = this, at = this.page.at(), title = lane.meta.title, set = (view, text) => view.canvas.setAttribute("aria-label", `${title}: ${text}`);
    set(this.from, lane.meta.chain ? "the image before, from which latents are drawn" : "what the offsets alone draw; latents come from the prior");
    set(this.mean, "mean of the image given the latents drawn");
    set(this.x, at.whole ? `image drawn in pass ${at.t + 1}` : "image being drawn");
    set(this.near, at.whole ? `nearest training image, ${lane.distance[at.t]} of ${lane.n_v} pixels differ` : "nearest training image, once the image is drawn");
    const unit = Math.max(0, this.selected), {grid} = this;
    grid.setAttribute("aria-label", `${title}: latent units, Enter holds one on, off, or lets it go`);
    for (const [name, value] of [["min", 0], ["max", lane.n_h - 1], ["now", unit]]) grid.setAttribute(`aria-value${name}`, String(value));
    grid.setAttribute("aria-valuetext", this.describe(unit).replace("\nclick: ", ", Enter to ").replaceAll("\n", ", "));
  }

  // One clause about the newest step, for the transport.
  says(at) {
    const {lane} = this, {t} = at, title = lane.meta.title;
    if (at.phase === 0 && at.step) {
      const j = at.drawn - 1;
      if (j >= lane.n_h) return `${title} has drawn its latents`;
      const state = lane.h[t][j] ? "on" : "off";
      if (lane.held.has(j)) return `${title} unit ${j} is held ${state}`;
      const u = lane.uniform[t * lane.n_h + j] / 65536;
      return `${title} unit ${j}: drew ${u.toFixed(2)} against P ${lane.probabilities(t)[j].toFixed(2)}, ${state}`;
    }
    if (at.phase === 1) {
      const j = lane.on[t][at.added - 1];
      return j === undefined ? `${title} has its mean` : `${title} adds the filter of unit ${j}`;
    }
    return at.whole ? `${title}: ${lane.distance[t]} px from the nearest training image` : `${title} draws row ${at.rows}`;
  }
}
