// Training curves: small multiples over one horizontal axis, passes or seconds.

const CHARTS = [
  {title: "Training log P(x, h)", unit: "nats per image", series: [["log_joint"]], help: "of the minibatch, with the latents that the E-step found"},
  {title: "Validation score", unit: "nats per image", series: [["validation_score"]], split: true,
    help: {LRBN: "log P(x, h) of held-out images", RBM: "pseudo-log-likelihood of held-out images: not comparable to log P(x, h)"}},
  {title: "Wrong pixels", unit: "per held-out image", series: [["probe_wrong_pixels"], ["probe_wrong_pixels_factorised", [3, 3]]],
    help: "solid: the model's own inference; dashed: every unit as if the others were off", grey: "Squared error"},
  {title: "Gradient norm", unit: "", series: [["gradient_norm"]], help: "of all parameters together"},
  {title: "Dead units", unit: "on for no held-out image", series: [["probe_dead_units"]], zero: true, help: "units that no held-out image turns on"},
  {title: "Flips per E-step", unit: "per image", series: [["flips"]], zero: true, help: "latents that inference changed"},
  {title: "Sweeps per E-step", unit: "per image", series: [["sweeps"]], zero: true, help: "visits to every unit until nothing changes"},
  {title: "Share of units on", unit: "", series: [["units_on"], ["activity"], ["fantasy_activity", [3, 3]]], zero: true,
    help: "per training image; dashed: in the RBM's own chains, which agree in a model that fits"},
];

class Chart {
  constructor(board, spec, lanes, title, help) {
    Object.assign(this, {board, spec, lanes});
    this.canvas = element("canvas", {role: "img"});
    this.value = element("b");
    this.node = element("figure", {class: "lt-chart", title: help},
      element("figcaption", {}, element("span", {}, title, element("small", {}, spec.unit ? ` ${spec.unit}` : "")), this.value), this.canvas);
    this.title = title;
    this.canvas.addEventListener("pointermove", (event) => board.hover(this, event));
    this.canvas.addEventListener("pointerleave", () => board.hover(null));
  }

  lines() {
    return this.lanes.flatMap((lane) => this.spec.series.map(([name, dash]) => ({lane, dash, ring: lane.rings.get(name)})))
      .filter((line) => line.ring && (line.ring.n || Number.isFinite(line.ring.last)));
  }

  // Before a paint: a chart without values takes up no room.
  makeRoom() {
    this.shown = this.lines();
    if (this.node.hidden !== !this.shown.length) this.node.hidden = !this.shown.length;
  }

  paint() {
    const {board, canvas, shown: lines} = this, {palette} = board.colours;
    if (!lines.length) return;
    const now = [palette, board.fontSize, board.endX(), board.axis, board.cursor, ...lines.flatMap(({ring}) => [ring.n, ring.lastX, ring.last])];
    if (!fitCanvas(canvas) && this.painted?.length === now.length && now.every((value, i) => Object.is(value, this.painted[i]))) return;
    this.painted = now;
    const context = canvas.getContext("2d"), {width, height} = canvas;
    const screen = window.devicePixelRatio || 1, font = board.fontSize * 0.76 * screen, thick = Math.max(1, board.fontSize / 14) * screen;
    let low = this.spec.zero ? 0 : Infinity, high = -Infinity;
    for (const {ring} of lines) {
      // the wild first steps would flatten the rest: a line's scale begins after its first twentieth
      const from = ring.n > 40 && !this.spec.zero ? Math.floor(ring.n / 20) : 0;
      for (let i = from; i < ring.n; i++) { low = Math.min(low, ring.y[i]); high = Math.max(high, ring.y[i]); }
      low = Math.min(low, ring.last); high = Math.max(high, ring.last);
    }
    if (!(high > low)) { high = low + Math.max(1, Math.abs(low) * 0.1); if (!this.spec.zero) low -= Math.max(1, Math.abs(low) * 0.1); }
    const room = (high - low) * 0.07;
    if (!this.spec.zero) low -= room;
    high += room;
    const {ticks, digits} = niceTicks(low, high, 3);
    context.clearRect(0, 0, width, height);
    context.font = `${font}px ${FONT}`;
    const texts = ticks.map((tick) => number(tick, digits));
    const left = Math.max(font * 2.4, ...texts.map((text) => context.measureText(text).width)) + font * 0.6;
    const frame = this.frame = {left, right: width - 5 * thick, top: 4 * thick, bottom: height - font * 1.5};
    const end = board.endX(), x = (value) => frame.left + (frame.right - frame.left) * value / end;
    const y = (value) => frame.bottom - (value - low) / (high - low) * (frame.bottom - frame.top);
    context.lineWidth = thick;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    ticks.forEach((tick, i) => {
      const at = Math.round(y(tick)) + 0.5;
      context.beginPath(); context.moveTo(frame.left, at); context.lineTo(frame.right, at); context.stroke();
      context.fillText(texts[i], frame.left - font * 0.4, at);
    });
    const across = niceTicks(0, end, 4);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    across.ticks.forEach((tick) => context.fillText(number(tick, across.digits), Math.min(x(tick), width - font), height - font * 0.25));
    context.save();
    context.beginPath(); context.rect(frame.left, 0, frame.right - frame.left + 5 * thick, frame.bottom + thick); context.clip();
    for (const {lane, ring, dash} of lines) {
      context.strokeStyle = palette.lanes[lane.index % 2];
      context.lineWidth = 1.8 * thick;
      context.lineJoin = "round";
      context.setLineDash((dash || []).map((length) => length * thick));
      context.beginPath();
      let before = -Infinity;
      for (let i = 0; i < ring.n; i++) {
        const at = x(lane.along(ring.x[i]));
        if (at - before < 0.6 && i < ring.n - 1) continue; // no finer than the screen
        if (i) context.lineTo(at, y(ring.y[i])); else context.moveTo(at, y(ring.y[i]));
        before = at;
      }
      const last = x(lane.along(ring.lastX));
      if (ring.n) context.lineTo(last, y(ring.last));
      context.stroke();
      context.setLineDash([]);
      if (!dash || ring.n < 2) {
        context.beginPath(); context.arc(last, y(ring.last), 2.6 * thick, 0, 7);
        context.fillStyle = palette.lanes[lane.index % 2]; context.fill();
      }
    }
    context.restore();
    if (board.cursor >= 0) {
      const at = x(board.lanes[0].along(board.cursor));
      context.strokeStyle = palette.now;
      context.lineWidth = 2 * thick;
      context.beginPath(); context.moveTo(at, frame.top); context.lineTo(at, frame.bottom); context.stroke();
    }
    this.label();
  }

  // Both lanes' newest values, or those of the moment looked at, as text.
  label() {
    const {board} = this, name = this.spec.series;
    const parts = this.lanes.map((lane) => {
      const ring = name.map(([key]) => lane.rings.get(key)).find((found) => found && Number.isFinite(found.last));
      return ring ? {lane, text: brief(board.cursor < 0 ? ring.last : ring.at(board.cursor))} : null;
    }).filter(Boolean);
    const text = parts.map((part) => part.text).join("\n");
    if (text === this.labelled) return;
    this.labelled = text;
    this.value.replaceChildren(...parts.map(({lane, text}) => element("span", {style: `color: var(--lv-lane${lane.index % 2})`}, text)));
    this.canvas.setAttribute("aria-label", `${this.title}: ${parts.map(({lane, text}) => `${lane.title} ${text}`).join(", ")}`);
  }
}

const brief = (value) => number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
