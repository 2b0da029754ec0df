// The training board: two lanes that learn, their curves, the run's past, and the transport.

const PIECES = ["filter", "reconstruction", "sample", "usage", "words"];
const SAYS = {
  none: "No run yet", loading: "Preparing the run", new: "Ready", running: "Training", paused: "Paused", done: "Finished", failed: "Failed",
  cancelled: "Stopped",
};

class TrainBoard {
  constructor(root, callbacks) {
    Object.assign(this, {callbacks, lanes: [], charts: [], cursor: -1, axis: "passes", status: "none", stats: {frames: 0, painted: 0, bytes: 0}});
    this.root = element("div", {class: "lv lt", "data-scheme": "light"}, element("style", {}, STYLE + BOARD_STYLE));
    this.build();
    root.append(this.root);
    this.unwatch = watchScheme(this.root, (dark) => {
      this.root.dataset.scheme = dark ? "dark" : "light";
      const palette = PALETTES[dark ? "dark" : "light"];
      this.colours = {palette, tables: pixelTables(palette)};
      this.dirty();
    });
    this.resizes = new ResizeObserver(() => this.dirty());
    this.resizes.observe(this.root);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    (window.lrbnBoards ||= []).push(this);
  }

  build() {
    const say = this.callbacks.say;
    const button = (name, label, keys, text, pressed) => iconButton(name, label, keys, pressed, text);
    this.empty = element("section", {class: "lv-card lt-empty"},
      element("h2", {}, "Watch two models learn"),
      element("p", {}, "Choose a data set and a recipe at the side, then press Start. Both models see the same minibatches, and everything here moves while they learn: filters form, units die or stay alive, reconstructions sharpen."),
      element("p", {}, "Pause at any time, step by single minibatches, drag back through the past, and go on from there with other settings."),
      element("button", {type: "button", class: "lv-btn lt-go", onclick: () => say({type: "start"})}, icon("play"), element("span", {}, "Start training")));
    this.cards = element("div", {class: "lt-lanes"});
    this.axisChoice = element("select", {"aria-label": "Horizontal axis", onchange: () => { this.axis = this.axisChoice.value; this.dirty(); }},
      element("option", {value: "passes"}, "over passes"), element("option", {value: "seconds"}, "over seconds"));
    this.multiples = element("div", {class: "lt-charts"});
    this.legend = element("div", {class: "lv-key"});
    this.curves = element("section", {class: "lv-card lt-curves", "aria-label": "Curves"},
      element("header", {}, element("h2", {}, "Curves"), this.legend, this.axisChoice), this.multiples);
    this.start = button("play", "Start training", "space", null, () => this.toggle());
    this.start.classList.add("lv-main");
    this.buttons = {
      step: button("step", "Single minibatch", "\u2192", "Step", () => say({type: "step"})),
      stop: button("stop", "Stop and keep a last checkpoint", "", "Stop", () => say({type: "stop"})),
      reset: button("first", "Reset: the same seed from the beginning", "", "Reset", () => say({type: "reset"})),
      leave: button("fresh", "New run: leave this one, which stays on disk", "", "New", () => say({type: "leave"})),
      branch: button("branch", "Branch: go on from the moment looked at", "b", "Branch from here", () => say({type: "branch"})),
      present: button("last", "Back to the present", "End", "Now", () => this.scrub(-1)),
    };
    this.bar = new Scrub("Moment of the run, in minibatches", (step) => this.scrub(step));
    this.says = box();
    this.kept = element("div", {class: "lt-kept"});
    this.live = element("div", {class: "lv-sr", role: "status", "aria-live": "polite"});
    this.trouble = element("p", {class: "lv-complaint lt-trouble", role: "alert"});
    this.tipNode = element("div", {class: "lv-tip", hidden: true});
    this.transport = element("div", {class: "lv-transport lt-transport", role: "group", "aria-label": "Training"},
      element("div", {class: "lv-row lv-buttons"}, this.start, ...Object.values(this.buttons)),
      this.bar.node, this.kept, element("div", {class: "lv-says"}, this.says));
    this.thumbs = element("div", {class: "lt-thumbs"});
    this.batchNote = element("small");
    this.batch = element("section", {class: "lv-card", "aria-label": "Last minibatch", hidden: true},
      element("h2", {}, "Last minibatch ", this.batchNote), this.thumbs);
    this.body = element("div", {class: "lv-in"}, this.trouble, this.empty, this.cards, this.batch, this.curves);
    this.root.append(this.body, this.transport, this.live, this.tipNode);
    this.curves.hidden = this.cards.hidden = true;
    this.controls();
  }

  receive(data) {
    const bytes = toBytes(data);
    if (bytes[3] === 49 && bytes[2] === 70) return this.frame(bytes); // "LRF1"
    const block = unpack(bytes), {meta, arrays} = block;
    if (meta.kind === "none") this.words(meta);
    else if (meta.kind === "run") this.load(meta, arrays);
    else if (meta.kind === "moment") this.past(meta, arrays);
    else if (meta.kind === "rest") this.rest(meta, arrays);
    this.controls();
    this.dirty();
  }

  // The run stands still: whole filters, and the images of its last minibatch.
  rest({rows, step}, arrays) {
    if (this.cursor < 0) for (const lane of this.lanes) lane.show(arrays, true);
    const [height, width] = this.meta.image_shape, [low, high] = this.meta.tones;
    this.minibatch = {rows, step, pixels: arrays.minibatch.slice()};
    this.thumbs.replaceChildren(...rows.map((row, n) => {
      const image = element("img", {alt: "", class: "lv-pixels"}), {pixels} = this.minibatch, {ink} = this.colours.tables;
      new StillView(image, height, width).paint((i) => ink[byte(low + (high - low) * pixels[n * this.n_v + i] / 255)]);
      const label = `Inspect training image ${row} on the Inference page`;
      return element("button", {type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.callbacks.say({type: "inspect", number: n})}, image);
    }));
    this.batchNote.textContent = `minibatch ${step}: press an image to see its E-step, visit by visit, on the Inference page`;
  }

  load(meta, arrays) {
    Object.assign(this, {meta, n_v: meta.image_shape[0] * meta.image_shape[1], cursor: -1, pastFigures: null, savedAt: meta.saved_at});
    this.lanes = meta.lanes.map((lane, index) => new TrainLane(this, index, lane, arrays));
    this.cards.replaceChildren(...this.lanes.map((lane) => lane.node));
    this.charts = CHARTS.flatMap((spec) => {
      const title = !meta.binary && spec.grey ? spec.grey : spec.title;
      const kinds = new Set(this.lanes.map((lane) => lane.meta.system));
      if (!spec.split || kinds.size < 2) return [new Chart(this, spec, this.lanes, title, spec.split ? spec.help[this.lanes[0].meta.system] : spec.help)];
      return this.lanes.map((lane) => new Chart(this, spec, [lane], `${title}, ${lane.title}`, spec.help[lane.meta.system]));
    });
    this.multiples.replaceChildren(...this.charts.map((chart) => chart.node));
    this.legend.replaceChildren(...this.lanes.map((lane) => element("span", {style: `--lv-swatch: var(--lv-lane${lane.index % 2})`}, lane.title)));
    this.axis = this.axisChoice.value = meta.level_by;
    this.thumbs.replaceChildren(); // those of another run
    this.empty.hidden = true;
    this.curves.hidden = this.cards.hidden = false;
    this.words(meta.words);
  }

  words({status, trouble, cursor}) {
    this.trouble.textContent = trouble;
    if (cursor < 0 && this.pastFigures) this.present();
    if (status === "none" || status === "loading") {
      if (status === "none") {
        this.lanes = []; this.charts = []; this.meta = null;
        this.empty.hidden = false;
        this.curves.hidden = this.cards.hidden = true;
      }
    }
    this.setStatus(status);
  }

  present() {
    this.cursor = -1;
    this.pastFigures = null;
    this.dirty();
  }

  setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.live.textContent = `${SAYS[status]}. ${this.sentence()}`;
    this.controls();
    this.dirty();
  }

  frame(bytes) {
    if (!this.meta) return;
    const frame = readFrame(bytes, this.meta.statuses, PIECES);
    this.stats.frames++;
    this.stats.bytes = bytes.length;
    this.stats.largest = Math.max(this.stats.largest || 0, bytes.length);
    this.stats.inOrder = (this.stats.inOrder ?? true) && !(frame.number <= this.stats.number);
    this.stats.number = frame.number;
    if (frame.number % 8 === 0) this.callbacks.say({type: "seen", number: frame.number});
    frame.lanes.forEach((lane, index) => this.lanes[index]?.take(lane));
    Object.assign(this, {progress: frame.progress, left: frame.left, savedAt: frame.savedAt});
    for (const piece of frame.pieces) {
      if (piece.kind === "words") this.words(JSON.parse(new TextDecoder().decode(piece.content)));
      else if (this.cursor < 0) this.lanes[piece.lane]?.piece(piece);
    }
    if (this.meta) this.setStatus(frame.status);
    if (this.minibatch?.step !== this.lanes[0]?.step) this.batch.hidden = true; // until the newest one's images are here
    this.unpainted = true;
    this.dirty();
  }

  past(meta, arrays) {
    if (this.cursor < 0) return; // the present was asked for meanwhile
    this.pastFigures = meta.lanes.map((lane) => lane.figures);
    this.shown = meta.step;
    for (const lane of this.lanes) lane.show(arrays, true);
    this.live.textContent = `Minibatch ${meta.step} of ${this.lanes[0].step}. ${this.sentence()}`;
  }

  // Look at the kept moment nearest before a minibatch, or with -1 at the present; at most ten asked a second.
  scrub(step) {
    const end = this.end();
    if (step >= end) step = -1;
    this.cursor = step;
    if (step < 0) this.pastFigures = null;
    this.controls();
    this.dirty();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.callbacks.say({type: "look", step}), step < 0 ? 0 : 60);
  }

  end() { return Math.max(1, ...this.lanes.map((lane) => lane.step)); }

  endX() {
    const {meta} = this, reached = Math.max(...this.lanes.map((lane) => lane.along(lane.step)));
    const whole = this.axis === "passes" ? (meta.max_seconds == null ? meta.n_iter : 0) : meta.max_seconds || 0;
    // a budget far ahead would squeeze what there is into a corner; and an axis that grew all the time would never stand still
    const grown = 1e-3 * 1.25 ** Math.ceil(Math.log(Math.max(reached, 1e-3) / 1e-3) / Math.log(1.25));
    const end = !whole ? grown : whole <= 4 * grown ? whole : Math.max(4 * grown, whole / 20);
    return 1.02 * Math.max(end, reached);
  }

  toggle() {
    this.callbacks.say({type: this.status === "running" ? "pause" : "start"});
  }

  controls() {
    const {status, buttons} = this, running = status === "running", some = !["none", "loading"].includes(status);
    const face = running ? "pause" : "play", word = running ? "Pause" : status === "paused" || status === "cancelled" ? "Go on" : "Start training";
    if (this.face !== face) this.start.replaceChildren(icon(this.face = face));
    this.start.setAttribute("aria-label", word);
    this.start.title = `${word} (space)`;
    this.start.disabled = status === "loading" || status === "done";
    buttons.step.disabled = running || status === "loading" || status === "done";
    buttons.stop.disabled = !(running || status === "paused");
    buttons.reset.disabled = buttons.leave.disabled = !some;
    buttons.branch.disabled = running || this.cursor < 0;
    buttons.present.disabled = this.cursor < 0;
    this.bar.range.disabled = !some;
    this.batch.hidden = running || !some || !this.thumbs.childElementCount || this.cursor >= 0 || this.minibatch.step !== this.lanes[0]?.step;
    this.empty.querySelector("button").disabled = status === "loading";
  }

  sentence() {
    if (!this.lanes.length) return this.status === "loading" ? "Loading images and compiling, which takes about a minute the first time." : "Choose a recipe at the side and start.";
    const [lane] = this.lanes, {meta} = this;
    if (this.cursor >= 0) return `Minibatch ${this.shown ?? this.cursor}, pass ${number((this.shown ?? this.cursor) / lane.meta.per_pass, 2)}, of ${lane.step} so far.`;
    const seconds = meta.max_seconds != null;
    const done = seconds ? `${number(Math.max(...this.lanes.map((other) => other.seconds)), 0)} of ${number(meta.max_seconds, 0)} s a model` : `pass ${number(lane.step / lane.meta.per_pass, 2)} of ${meta.n_iter}`;
    return `${done}, minibatch ${lane.step}`;
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
    }
    withSizes([...this.lanes.flatMap((lane) => [lane.mosaic, lane.usage]), ...this.charts.map((chart) => chart.canvas), this.bar.canvas], () => {
      if (shown) {
        for (const lane of this.lanes) lane.paint(this.colours);
        for (const chart of this.charts) chart.paint();
      }
      this.paintTransport();
    });
    if (this.unpainted) { this.stats.painted++; this.unpainted = false; }
    this.stats.paintMs = performance.now() - begin;
  }

  paintTransport() {
    const {palette} = this.colours, end = this.end(), {strip} = this.bar;
    this.bar.fit();
    const context = strip.getContext("2d"), {width, height} = strip, ratio = window.devicePixelRatio || 1, inset = THUMB / 2 * ratio;
    const x = (share) => inset + (width - 2 * inset) * share;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.faint;
    context.beginPath(); context.roundRect(inset, height * 0.3, width - 2 * inset, height * 0.4, 3 * ratio); context.fill();
    if (this.lanes.length) {
      const [every, kept, until] = this.lanes[0].history;
      context.fillStyle = palette.lanes[0];
      if (kept > 1 && (width / (until / every)) > 2 * ratio) for (let k = 0; k <= until; k += every) context.fillRect(x(k / end) - 0.5 * ratio, height * 0.36, ratio, height * 0.28);
      else if (kept > 1) { context.globalAlpha = 0.5; context.fillRect(x(0), height * 0.4, x(until / end) - x(0), height * 0.2); context.globalAlpha = 1; }
      const running = this.status === "running" && this.cursor < 0;
      this.bar.show(this.cursor < 0 ? end : this.cursor, end, palette, running);
      if (!running) this.bar.say(this.cursor < 0 ? `the present, minibatch ${this.lanes[0].step}` : `minibatch ${this.cursor} of ${end}`);
      const count = Math.min(...this.lanes.map((lane) => lane.history[1])), mb = this.lanes.reduce((sum, lane) => sum + lane.history[3], 0);
      const text = `${count} moments kept, ${number(mb, mb < 10 ? 1 : 0)} of ${number(this.meta.budget_mb, 0)} MB`;
      const saved = this.savedAt > 0 ? `checkpoint ${new Date(this.savedAt * 1000).toLocaleTimeString()}` : "no checkpoint yet";
      const line = `${text} \u00b7 ${saved}, every ${number(this.meta.checkpoint_seconds, 0)} s`;
      if (this.kept.textContent !== line) this.kept.textContent = line;
    } else {
      this.bar.hide();
      setText(this.kept, "");
    }
    const parts = [bold(this.cursor >= 0 ? "Looking back" : SAYS[this.status]), `: ${this.sentence()}`];
    if (this.status === "running" && Number.isFinite(this.left)) parts.push(", ", bold(`${clockText(this.left)} left`));
    setRich(this.says, parts);
    this.transport.style.setProperty("--lt-progress", `${100 * (this.lanes.length ? this.progress || 0 : 0)}%`);
  }

  hover(chart, event) {
    if (!chart?.frame) return this.tip(null);
    const {left, right} = chart.frame, ratio = chart.canvas.width / chart.canvas.clientWidth;
    const share = (event.offsetX * ratio - left) / (right - left);
    if (share < 0 || share > 1) return this.tip(null);
    const lines = chart.lines().filter((line) => !line.dash).map(({lane, ring}) => {
      let step = 0, high = lane.step; // along() rises with the step
      while (step < high) { const middle = (step + high + 1) >> 1; if (lane.along(middle) <= share * this.endX()) step = middle; else high = middle - 1; }
      return `${lane.title}, minibatch ${step}: ${brief(ring.at(step))}`;
    });
    this.tip(lines.join("\n"), event);
  }

  tip(text, event) {
    this.tipNode.hidden = !text;
    if (!text) return;
    this.tipNode.textContent = text;
    const {width, height} = this.tipNode.getBoundingClientRect();
    this.tipNode.style.left = `${Math.min(event.clientX + 14, window.innerWidth - width - 6)}px`;
    this.tipNode.style.top = `${Math.min(event.clientY + 16, window.innerHeight - height - 6)}px`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.composedPath()[0], tag = target.tagName;
    if (["INPUT", "TEXTAREA", "SELECT"].includes(tag) || target.isContentEditable) return;
    if (event.key === " " && (tag === "BUTTON" || tag === "A")) return;
    const press = {" ": this.start, ArrowRight: this.buttons.step, b: this.buttons.branch, End: this.buttons.present}[event.key];
    if (event.key === "ArrowLeft" && this.lanes.length) {
      const [every] = this.lanes[0].history, from = this.cursor < 0 ? this.end() : this.cursor;
      this.scrub(Math.max(0, (Math.ceil(from / every) - 1) * every));
    } else if (event.key === "ArrowRight" && this.cursor >= 0) this.scrub(this.cursor + this.lanes[0].history[0]);
    else if (press && !press.disabled) press.click();
    else return;
    event.preventDefault();
  }

  // What is shown, for tests and for other scripts on the page.
  state() {
    return {
      status: this.status, cursor: this.cursor, shown: this.pastFigures ? this.shown : null, progress: this.progress, stats: {...this.stats},
      trouble: this.trouble.textContent, name: this.meta?.name,
      lanes: this.lanes.map((lane) => ({
        title: lane.title, step: lane.step, seconds: lane.seconds, rate: lane.rate, history: lane.history, fine: lane.fine,
        points: Object.fromEntries(Array.from(lane.rings, ([name, ring]) => [name, ring.n])),
        last: Object.fromEntries(Array.from(lane.rings, ([name, ring]) => [name, Number.isFinite(ring.last) ? ring.last : null])),
        filterSum: lane.filters.reduce((sum, value) => sum + Math.abs(value), 0),
      })),
    };
  }

  remove() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.requested);
    this.unwatch();
    this.resizes.disconnect();
    document.removeEventListener("keydown", this.onkey);
    window.lrbnBoards = window.lrbnBoards.filter((board) => board !== this);
    this.root.remove();
  }
}

function clockText(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

function render({model, el}) {
  const root = el || document.createElement("div"), host = hostOf(model), {send} = outbox(host);
  const board = new TrainBoard(root, {say: send});
  model.on("msg:custom", (data) => board.receive(data));
  model.on("remove", () => board.remove());
  send({type: "open"});
  if (window.innerWidth < 600) send({type: "narrow"}); // the open form would cover the board
  return el ? undefined : root;
}

export default {render};
