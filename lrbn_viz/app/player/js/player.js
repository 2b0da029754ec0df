// The player: lanes in lock-step over one image, a transport, and the adapters to its hosts.

class Player {
  // callbacks, each optional: rested(k), chose(name of a choice), usage(), image("previous" | "next" | "random"),
  // draw(base64), hold(unit of the first lane or -1 for all, "on" | "off" | "free")
  // options: inNotebook, see settleIn
  constructor(root, callbacks = {}, {inNotebook = false} = {}) {
    Object.assign(this, {callbacks, inNotebook, whole: () => true, models: new Map(), cards: [], selected: {lane: 0, unit: -1}});
    Object.assign(this, {order: "number", orderMenus: [], usage: new Map(), hidden: new Set()});
    this.root = element("div", {class: "lv", "data-scheme": "light"}, element("style", {}, STYLE));
    this.clock = new Clock((k) => this.paint(k), (k) => this.rest(k));
    this.build();
    if (inNotebook) this.settleIn();
    root.append(this.root);
    this.unwatch = watchScheme(this.root, (dark) => this.setScheme(dark));
    this.sizes = new WeakMap(); // of canvases as large as their boxes, as the browser last told them
    this.resizes = new ResizeObserver((entries) => {
      for (const {target, contentRect} of entries) {
        if (target !== this.root) this.sizes.set(target, [Math.round(contentRect.width), Math.round(contentRect.height)]);
      }
      this.clock.dirty();
    });
    this.resizes.observe(this.root);
    this.far = new Set(); // panels out of sight, by name: painted only when the cursor rests
    this.sights = new IntersectionObserver((entries) => {
      for (const {target, isIntersecting} of entries) this.far[isIntersecting ? "delete" : "add"](target.dataset.part);
      this.clock.dirty();
    });
    for (const {node} of Object.values(this.panels)) this.sights.observe(node);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    (window.lrbnPlayers ||= []).push(this);
  }

  build() {
    this.input = new InputCard(this);
    this.board = element("div", {class: "lv-board"}, this.input.node);
    this.why = new WhyCard(this);
    this.raster = new RasterCard(this);
    this.truth = new TruthCard(this);
    this.basins = new BasinsCard(this);
    this.matrix = new MatrixCard(this);
    this.mosaic = new MosaicCard(this);
    // by these names panels are hidden; they stand in this order
    this.panels = {why: this.why, raster: this.raster, truth: this.truth, basins: this.basins, matrix: this.matrix, mosaic: this.mosaic};
    for (const [name, panel] of Object.entries(this.panels)) panel.node.dataset.part = name;
    this.help = new Help(this);
    this.live = element("div", {class: "lv-sr", role: "status", "aria-live": "polite"});
    this.tipNode = element("div", {class: "lv-tip", hidden: true});
    this.transport = new Transport(this);
    this.inner = element("div", {class: "lv-in"}, this.board, ...Object.values(this.panels).map((panel) => panel.node));
    this.root.append(this.inner, this.transport.node, this.live, this.tipNode, this.help.node);
  }

  // A notebook has keys of its own, and may hold several players: one listens only while the focus is within it, which
  // a click anywhere on it brings about. JupyterLab leaves a key alone where the focused element itself bears its
  // mark, and says whether it is dark by another.
  settleIn() {
    this.root.tabIndex = -1;
    this.root.style.outline = "none";
    this.root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
    this.themes = new MutationObserver(() => this.setScheme(this.pageDark));
    this.themes.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light"]});
  }

  setModels(data) { this.models = decodeModels(data); }

  setTrace(data) {
    const {meta, lanes, n_visits} = decodeTrace(data, this.models);
    const model = lanes[0].model;
    for (const lane of lanes) lane.meta.factorised = lane.model.factorised;
    lanes.forEach((lane, i) => { lane.held = new Map(i ? [] : Object.entries(meta.held || {}).map(([j, on]) => [Number(j), on])); });
    while (this.cards.length > lanes.length) this.cards.pop().node.remove();
    while (this.cards.length < lanes.length) {
      const card = new LaneCard(this.cards.length, this);
      this.cards.push(card);
      this.board.append(card.node);
    }
    lanes.forEach((lane, i) => { // until the cursor rests
      const before = this.lanes?.[i];
      lane.order = before?.model === lane.model ? before.order : byNumber(lane.n_h);
    });
    this.lanes = lanes;
    this.meta = meta;
    if (this.selected.unit >= (lanes[this.selected.lane]?.n_h ?? 0)) this.selected = {lane: 0, unit: -1};
    for (const [name, value] of Object.entries(meta.choices || {})) this.adopt(name, value);
    this.askUsage();
    lanes.forEach((lane, i) => this.cards[i].load(lane, model.rows, model.columns));
    this.input.load(lanes[0], meta);
    this.clock.end = n_visits;
    this.unloaded = true;
    if (!this.input.from) {
      this.loadRest();
      this.guessSpeed(n_visits);
    }
    this.seek(meta.cursor < 0 ? n_visits : meta.cursor || 0);
    // an answer does not wait for the next frame to begin
    if (this.clock.stats.painted && !this.clock.playing) this.clock.frame(performance.now());
  }

  // All but the lanes and the input take in a trace once the pen pauses.
  loadRest() {
    if (!this.unloaded) return;
    this.unloaded = false;
    const {lanes, meta} = this, {rows, columns} = lanes[0].model;
    this.why.load(rows, columns);
    this.raster.load(lanes);
    this.truth.load(lanes, meta);
    this.basins.load(lanes, meta);
    this.matrix.load(lanes, rows, columns);
    this.mosaic.load(lanes);
    this.transport.load(lanes, this.clock.end);
  }

  // The optima of other starts, for the image that the block names.
  setBasins(data) { this.basins.setBasins(data); }

  setScheme(dark) {
    this.pageDark = dark;
    const light = this.inNotebook ? document.body.dataset.jpThemeLight : undefined;
    if (light !== undefined) dark = light === "false";
    this.root.dataset.scheme = dark ? "dark" : "light";
    const palette = PALETTES[dark ? "dark" : "light"];
    this.colours = {palette, tables: pixelTables(palette)};
    this.input.stale = true;
    this.refresh();
  }

  get k() { return this.clock.k; }
  seek(k) { this.resting = null; this.clock.seek(k); }
  play() { this.resting = null; this.clock.play(); }
  pause() { this.clock.pause(); }
  toggle() { if (this.clock.playing) this.pause(); else this.play(); }
  setSpeed(speed) { this.chosenSpeed = this.clock.speed = speed; this.transport.showSpeed(speed); }

  // Until someone chooses: the speed that plays the whole trace in about twelve seconds.
  guessSpeed(n_visits) {
    if (this.chosenSpeed) return;
    const wanted = Math.log(Math.max(1, n_visits) / 12);
    this.clock.speed = SPEEDS.reduce((best, speed) => (Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best));
    this.transport.showSpeed(this.clock.speed);
  }

  // Moves of the transport. A flip is one in either lane's first, the LRBN's, trace.
  move(way) {
    const lane = this.lanes[0], {k} = this;
    this.pause();
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(this.clock.end);
    if (way === "back") return this.seek(k - 1);
    if (way === "step") return this.seek(k + 1);
    if (way === "flip") return this.seek((lane.flips[lowerBound(lane.flips, k)] ?? this.clock.end - 1) + 1);
    if (way === "flipBack") return this.seek((lane.flips[lowerBound(lane.flips, k - 1) - 1] ?? -1) + 1);
    const ends = [...lane.sweepStarts, this.clock.end];
    if (way === "sweep") return this.seek(ends[lowerBound(ends, k + 1)] ?? this.clock.end);
    return this.seek(ends[lowerBound(ends, k) - 1] ?? 0);
  }

  select(lane, unit) {
    this.selected = {lane, unit};
    this.refresh();
    this.callbacks.chose?.("selected");
  }

  // What is shown has changed, though not the cursor.
  refresh() {
    this.clock.dirty();
    if (!this.clock.playing) this.clock.settle();
  }

  sort(order) {
    this.setOrder(order);
    this.callbacks.chose?.("unit_order");
  }

  setOrder(order) {
    this.order = order;
    for (const menu of this.orderMenus) menu.value = order;
    this.askUsage();
    if (this.lanes) this.reorder();
    this.refresh();
  }

  get lacksUsage() { return this.order === "usage" && Boolean(this.lanes?.some((lane) => !this.usage.has(lane.meta.model))); }
  askUsage() { if (this.lacksUsage) this.callbacks.usage?.(); }

  // Units take their places; true if one has another than before.
  reorder() {
    let moved = false;
    for (const lane of this.lanes) {
      const order = orderUnits(lane, this.order, this.usage.get(lane.meta.model));
      if (order.some((j, place) => j !== lane.order[place])) { lane.order = order; moved = true; }
    }
    return moved;
  }

  orderInWords() {
    if (this.lacksUsage) return this.callbacks.usage ? "Counting how often each unit is on over the test images \u2026" : "How often each unit is on was not counted here; units stand by number.";
    return UNIT_ORDERS[this.order][1] + (this.order === "usage" ? ` (${this.usageImages} images, MAP states).` : "");
  }

  // How often each unit is on over test images, by model; the order by usage waits for it.
  setUsage(data) {
    const {meta, arrays} = unpack(data);
    meta.models.forEach((key, i) => this.usage.set(key, arrays[String(i)]));
    this.usageImages = meta.images;
    if (this.lanes && this.order === "usage") this.setOrder("usage");
  }

  // Cards and controls by name, such as "matrix.seed": out of sight, and out of reach of keys and screen readers.
  hide(names) {
    this.hidden = new Set(names.split(".").filter(Boolean));
    for (const node of this.root.querySelectorAll("[data-part]")) node.toggleAttribute("data-hidden", !this.shows(node.dataset.part));
    if (!this.shows("draw")) this.input.letGo();
    this.refresh();
  }

  shows(name) { return !this.hidden.has(name); }

  showAll() {
    this.hide("");
    this.callbacks.chose?.("hidden");
  }

  // What a person chose beside the cursor, as the host's properties of these names hold it.
  get choices() {
    const {lane, unit} = this.selected;
    return {selected: unit < 0 ? "" : `${lane}.${unit}`, unit_order: this.order, hidden: Array.from(this.hidden).join(".")};
  }

  adopt(name, value) {
    if (value === this.choices[name]) return;
    if (name === "hidden") return this.hide(value);
    if (name === "unit_order") return this.setOrder(value);
    const [lane, unit] = value ? value.split(".").map(Number) : [0, -1];
    this.selected = {lane, unit};
    this.refresh();
  }

  // Hold a unit of the first lane, which then stays the one asked about.
  hold(unit, state) {
    if (unit >= 0) this.select(0, unit);
    this.callbacks.hold(unit, state);
  }

  paint(k) {
    if (!this.lanes || !this.colours) return;
    const fontSize = this.fontSize = parseFloat(getComputedStyle(this.board).fontSize);
    // a pen that moves is answered in its own card and in the lanes; all else follows when it pauses
    this.behind = Boolean(this.input.from) && !this.penRests;
    this.penRests = false;
    if (!this.behind) this.loadRest();
    if (this.shows("raster") && !this.behind && !this.far.has("raster")) this.raster.makeRoom(fontSize);
    withSizes(this.canvases, () => this.paintAll(k, fontSize), this.sizes);
  }

  // Those as large as their boxes; a box may change its size without the player, for instance when a text grows.
  get canvases() {
    const canvases = Array.from(this.root.querySelectorAll(".lv-fill > canvas, .lv-scrub > canvas, .lv-track > canvas"));
    for (const canvas of canvases) if (!this.sizes.has(canvas)) this.resizes.observe(canvas); // more than once does no harm
    return canvases;
  }

  paintAll(k, fontSize) {
    this.input.paint(this.colours.tables);
    const axis = Math.max(...this.cards.map((card) => card.axisWidth(fontSize)));
    for (const card of this.cards) card.paint(k, this.colours, fontSize, axis);
    if (this.behind) return;
    this.transport.paint(k, this.colours.palette);
    for (const [name, panel] of Object.entries(this.panels)) {
      if (this.shows(name) && !this.far.has(name)) panel.paint?.(k, this.colours, fontSize);
    }
  }

  // The cursor rests: now, and not sixty times a second, the words and the server are told.
  rest(k) {
    if (!this.lanes) return;
    if (this.input.from) { // a pen that pauses has not come to rest
      this.penRests = this.behind;
      if (this.behind) this.clock.dirty();
      return this.clock.settle();
    }
    this.resting = this.restInPieces(k);
    this.restOn();
  }

  * restInPieces(k) {
    if (this.behind) this.clock.stale = true;
    if (this.clock.stale) this.clock.frame(performance.now());
    if (this.reorder()) this.clock.dirty();
    for (const card of this.cards) card.label();
    this.live.textContent = this.transport.sentence(k);
    this.callbacks.rested?.(k);
    for (const [name, panel] of Object.entries(this.panels)) {
      if (!this.shows(name)) continue;
      if (this.far.has(name)) {
        panel.makeRoom?.(this.fontSize);
        withSizes(this.canvases, () => panel.paint?.(k, this.colours, this.fontSize));
      }
      const pieces = panel.rest(this.colours); // nothing, or a generator of pauses
      if (pieces) yield* pieces;
      yield;
    }
  }

  // A few milliseconds at a time, so that a click in between is answered at once; given up when the cursor moves on.
  restOn() {
    const {resting} = this, until = performance.now() + 6;
    while (!resting.next().done) {
      if (performance.now() > until) return soon(() => { if (this.resting === resting) this.restOn(); });
    }
    this.resting = null;
  }

  // Whether all that follows a resting cursor is shown.
  get atRest() { return !this.clock.playing && !this.clock.settling && !this.resting && !this.clock.stale; }

  restAtOnce() {
    this.resting = null;
    atOnce(this.restInPieces(this.k));
  }

  // The view as a file of its own, "png" or "svg".
  async save(kind) {
    this.pause();
    this.restAtOnce();
    if (this.clock.stale) this.clock.frame(performance.now());
    // what is not known yet is no part of a picture; it is drawn when the call returns, before the page is painted again
    const unknown = Object.values(this.panels).map((panel) => panel.node).filter((node) => node.matches('[data-stale="true"]:not([data-hidden])'));
    for (const node of unknown) node.setAttribute("data-hidden", "");
    this.inner.classList.add("lv-whole"); // what is out of sight takes up its own room, and no guessed one
    const file = new Picture(this)[kind]();
    this.inner.classList.remove("lv-whole");
    for (const node of unknown) node.removeAttribute("data-hidden");
    download(await file, fileName(this.meta, this.k, kind));
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
    if (this.inNotebook && !event.composedPath().includes(this.root)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.lanes) return;
    if (this.help.node.open) return;
    const target = event.composedPath()[0], tag = target.tagName;
    const scrubbing = target === this.transport.range;
    if (!scrubbing && (["INPUT", "TEXTAREA", "SELECT"].includes(tag) || target.isContentEditable)) return;
    if (event.key === " " && tag === "BUTTON") return; // the button's own press
    if (this.callbacks.image && this.shows("images") && {n: 1, p: 1, r: 1}[event.key]) {
      return this.callbacks.image({n: "next", p: "previous", r: "random"}[event.key]);
    }
    const way = event.shiftKey
      ? {ArrowRight: "flip", ArrowLeft: "flipBack"}[event.key]
      : {ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", PageDown: "sweep", PageUp: "sweepBack"}[event.key];
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else if (event.key === "Escape") this.select(0, -1);
    else if (event.key === "?") this.help.show();
    else if (event.key === "s" && this.shows("export")) this.save("png");
    else return;
    event.preventDefault();
  }

  // What is shown at the cursor, for tests and for other scripts on the page.
  state() {
    for (const lane of this.lanes || []) lane.seek(this.k); // also between a move and its paint
    return {
      k: this.k, end: this.clock.end, playing: this.clock.playing, stats: {...this.clock.stats},
      lanes: (this.lanes || []).map((lane) => ({
        title: lane.meta.title, k: lane.k, h: Array.from(lane.h), unit: lane.currentUnit, wrong: lane.wrongNow,
        logJoint: lane.logJointNow, flips: lane.flips, falls: lane.falls,
      })),
      matrixMs: this.matrix.ms,
      why: {...this.why.terms, interactions: Array.from(this.why.values || [])},
    };
  }

  // The latents of a lane after k visits, without moving the cursor (the painted state is put back).
  latents(index, k) {
    const lane = this.lanes[index], kept = lane.k;
    lane.seek(k);
    const h = Array.from(lane.h);
    lane.seek(kept);
    return h;
  }

  remove() {
    this.resting = null;
    this.sights.disconnect();
    this.clock.stop();
    this.unwatch();
    this.themes?.disconnect();
    this.basins.remove();
    this.resizes.disconnect();
    document.removeEventListener("keydown", this.onkey);
    window.lrbnPlayers = window.lrbnPlayers.filter((player) => player !== this);
    this.root.remove();
  }
}

function createPlayer(root, callbacks, options) { return new Player(root, callbacks, options); }
