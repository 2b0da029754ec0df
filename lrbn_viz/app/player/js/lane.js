// The card of one lane: reconstruction, error, latents, curve, each under a label with its number.

class LaneCard {
  constructor(index, player) {
    Object.assign(this, {index, player});
    const figure = (kind, label, fill, attributes = {}) => {
      const canvas = element("canvas", {role: "img", "aria-label": kind, ...attributes});
      const value = box(), frame = fill ? element("div", {class: "lv-fill"}, canvas) : canvas;
      if (!fill) canvas.classList.add("lv-pixels");
      const node = element("figure", {class: `lv-${kind}`}, element("div", {class: "lv-label"}, label, element("b", {}, value)), frame);
      return {canvas, value, node};
    };
    const span = (...parts) => element("span", {}, ...parts);
    this.reconstruction = figure("reconstruction", span("Reconstruction"), false);
    this.error = figure("error", span("Error"), false);
    this.orderName = element("small");
    this.latents = figure("latents", span("Latents ", element("i", {}, "h"), this.orderName), true,
      {role: "spinbutton", tabindex: "0", "aria-label": "Latent units: arrow keys select one"});
    this.curve = figure("curve", span(), true);
    this.title = element("span");
    this.subtitle = element("small");
    this.check = element("span", {class: "lv-check"});
    this.node = element("section", {class: "lv-card lv-lane", "data-lane": index},
      element("header", {}, element("h2", {}, this.title, this.subtitle), this.check),
      element("div", {class: "lv-views"},
        ...[this.reconstruction, this.error, this.latents, this.curve].map((view) => view.node)));
    this.curveView = new CurveView(this.curve.canvas);
    this.listen();
  }

  listen() {
    const {player, index} = this, grid = this.latents.canvas, curve = this.curve.canvas;
    grid.addEventListener("click", (event) => {
      const j = latentAt(grid, this.lane, event.offsetX, event.offsetY);
      if (j >= 0) player.select(index, player.selected.lane === index && player.selected.unit === j ? -1 : j);
    });
    grid.addEventListener("pointermove", (event) => {
      const j = latentAt(grid, this.lane, event.offsetX, event.offsetY);
      player.tip(j < 0 ? null : this.describe(j), event);
    });
    grid.addEventListener("pointerleave", () => player.tip(null));
    grid.addEventListener("keydown", (event) => {
      const {columns} = gridShape(this.lane.n_h, grid.width, grid.height);
      const move = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns}[event.key];
      if (!move || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const from = player.selected.lane === index && player.selected.unit >= 0 ? player.selected.unit : Math.max(0, this.lane.currentUnit);
      const place = this.lane.order.indexOf(from) + move;
      player.select(index, this.lane.order[Math.max(0, Math.min(this.lane.n_h - 1, place))]);
    });
    const scrub = (event) => {
      if (event.buttons & 1) player.seek(this.curveView.visitAt(event.offsetX));
    };
    curve.addEventListener("pointerdown", (event) => { curve.setPointerCapture(event.pointerId); scrub(event); });
    curve.addEventListener("pointermove", scrub);
  }

  load(lane, rows, columns) {
    this.lane = lane;
    const pixels = (view) => new PixelView(view.canvas, rows, columns);
    this.views = {reconstruction: pixels(this.reconstruction), error: pixels(this.error)};
    setText(this.error.node.querySelector(".lv-label span"), lane.shades ? "Residual" : "Error");
    setText(this.title, lane.meta.title);
    setText(this.subtitle, lane.meta.subtitle);
    const {normalised} = lane.meta;
    setRich(this.curve.node.querySelector(".lv-label span"),
      [{tag: "i", text: normalised ? "log P(x, h)" : "log P*(x, h)"}, normalised ? ", nats" : ", nats + constant"]);
    this.stale = true;
  }

  describe(j) {
    const {lane} = this, probability = lane.conditional(j);
    const state = lane.h[j] ? "on" : "off";
    const name = lane.nameOf(j);
    if (lane.held.has(j)) return `${name}: held ${state}, never visited`;
    if (probability === null) return `${name}: ${state}, not yet visited`;
    return `${name}: ${state}\nlog-odds ${signed(lane.logOdds[lane.last[j]])}, P ${probability.toFixed(3)}\nat its newest visit${valueInWords(lane, this.player.order, j)}`;
  }

  axisWidth(fontSize) { return this.curveView.axisWidth(this.lane, fontSize); }

  paint(k, colours, fontSize, axis) {
    const {lane} = this;
    const {palette, tables} = colours, accent = palette.lanes[this.index % 2];
    lane.seek(k);
    paintReconstruction(this.views.reconstruction, lane, tables);
    paintError(this.views.error, lane, tables);
    const grid = this.latents.canvas, {selected} = this.player;
    fitCanvas(grid);
    grid.vector = (context) => drawLatents(context, grid, lane, palette, accent, selected.lane === this.index ? selected.unit : -1,
      k > lane.n_visits ? -1 : lane.currentUnit);
    grid.getContext("2d").clearRect(0, 0, grid.width, grid.height);
    grid.vector(grid.getContext("2d"));
    const depth = lane.model.layers.length, round = depth > 2 ? `layers 2 to ${depth} are round` : "layer 2 is round";
    const notes = [this.player.order === "number" ? "" : UNIT_ORDERS[this.player.order][0], depth > 1 ? round : ""].filter(Boolean);
    setText(this.orderName, notes.length ? ` ${notes.join(", ")}` : "");
    if (fitCanvas(this.curve.canvas) || this.stale || this.colours !== colours || this.axis !== axis) {
      this.curveView.prepare(lane, this.player.clock.end, palette, accent, fontSize, axis);
      Object.assign(this, {stale: false, colours, axis});
    }
    this.curveView.paint(k);
    let on = 0;
    for (let j = 0; j < lane.n_h; j++) on += lane.h[j];
    setText(this.error.value, lane.wrongInWords);
    this.latents.value.classList.toggle("lv-long", lane.held.size > 0);
    setText(this.latents.value, `${on} of ${lane.n_h} on${lane.held.size ? `, ${lane.held.size} held (\u00d7)` : ""}`);
    setText(this.curve.value, number(lane.logJointNow, 2));
    this.paintCheck();
  }

  // Theorem 1 at the cursor: has log P(x, h) fallen so far?
  paintCheck() {
    const {lane} = this;
    const falls = lowerBound(lane.falls, lane.k);
    const done = lane.k >= lane.n_visits;
    let ok = "yes", text = "never fell";
    if (falls && lane.meta.sampled) [ok, text] = ["", `fell ${falls}\u00d7, as sampling may`];
    else if (falls) [ok, text] = ["no", `fell ${falls}\u00d7: the theorem does not hold here`];
    else if (lane.meta.factorised) [ok, text] = ["", done ? "exact in one pass: units do not interact" : "one pass"];
    const short = lane.meta.optimum == null ? null : lane.meta.optimum - lane.logJointNow;
    if (done && short !== null) text += short < 1e-6 ? ", at the exact optimum" : `, ${number(short, 2)} nats below the exact optimum`;
    else if (done && lane.meta.converged && !lane.meta.factorised) text += ", converged";
    setText(this.check, text);
    setAttribute(this.check, "data-ok", ok);
  }

  // What a reader who cannot see the canvases needs; set when the cursor rests.
  label() {
    const {lane} = this, title = lane.meta.title;
    const set = (view, text) => view.canvas.setAttribute("aria-label", text);
    set(this.reconstruction, `${title}: reconstruction of the image`);
    set(this.error, `${title}: ${lane.shades ? "residual" : "error"} map of ${lane.n_v} pixels, ${lane.wrongInWords}`);
    set(this.curve, `${title}: log joint ${lane.logJointNow.toFixed(2)} nats at visit ${lane.k} of ${lane.n_visits}`);
    const {selected} = this.player, grid = this.latents.canvas;
    const unit = selected.lane === this.index && selected.unit >= 0 ? selected.unit : Math.max(0, lane.currentUnit);
    grid.setAttribute("aria-label", `${title}: latent units`);
    grid.setAttribute("aria-valuemin", "0");
    grid.setAttribute("aria-valuemax", String(lane.n_h - 1));
    grid.setAttribute("aria-valuenow", String(unit));
    grid.setAttribute("aria-valuetext", this.describe(unit).replaceAll("\n", ", "));
  }
}
