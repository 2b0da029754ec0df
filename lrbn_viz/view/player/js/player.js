// The player: lanes in lock-step over one image, a transport, and the adapters to its hosts.

import {Story} from "./story.js";
import {Clock, SPEEDS} from "./clock.js";
import {decodeModels, unpack} from "./decode.js";
import {byKey, download, element, isPageKey, setHidden} from "./dom.js";
import {withSizes} from "./draw.js";
import {Equations} from "./equations.js";
import {fileName} from "./format.js";
import {Help} from "./help.js";
import {InputCard} from "./input.js";
import {boardLegend, LaneCard} from "./lane.js";
import {byNumber, orderUnits, UNIT_ORDERS} from "./orders.js";
import {Page} from "./page.js";
import {Picture} from "./picture.js";
import {saveCard} from "./save_card.js";
import {atOnce, soon} from "./pieces.js";
import {Sight} from "./sight.js";
import SIGHT_STYLE from "./sight.css";
import {Presenter} from "./present.js";
import PRESENT_STYLE from "./present.css";
import NETWORK_STYLE from "./network.css";
import {makeViews} from "./registry.js";
import {decodeTrace, lowerBound} from "./replay.js";
import {Glossary} from "./glossary.js";
import {coloursOf} from "./theme.js";
import {Transport} from "./transport.js";
import VARIABLES_STYLE from "./variables.css";
import {Words} from "./words.js";
import "./views.js";

/** @type {(keyof Choices)[]} */
export const CHOICES = ["selected", "unit_order", "reference", "hidden", "present", "captions"];

/** @param {Element} node */
const partOf = (node) => /** @type {HTMLElement} */ (node).dataset.part ?? "";

/** @typedef {"captions" | "transport" | "input" | "lanes"} Place  to which links of the header lead */

// Whether a notebook is dark, by the attributes of JupyterLab or the classes that VS Code documents.
function isNotebookDark() {
  const {classList, dataset} = document.body,
    has = (/** @type {string} */ name) => classList.contains(`vscode-${name}`);
  if (dataset.jpThemeLight !== undefined) return dataset.jpThemeLight === "false";
  if (["light", "dark", "high-contrast"].some(has)) return !has("light") && !has("high-contrast-light");
  return undefined;
}

export class Player extends Page {
  unloaded = false; // a trace has arrived that not all parts have loaded
  behind = false; // a pen moves, or its last image has just been inferred: only the input card and the lanes are updated
  answers = false; // the next paint answers a change of the image
  penRests = false;
  pageDark = false;
  wanted = {lane: 0, unit: -1}; // the selected lane and unit; -1: the unit just visited
  order = "number";
  reference = "last"; // state with which the Why card compares
  fontSize = 0;
  usageImages = 0;
  whole = () => true;
  clock = new Clock(
    (k) => this.paint(k),
    (k) => this.rest(k),
  );
  equations = new Equations();
  words = new Words(this.equations);
  glossary = new Glossary((equation) => this.equations.show(equation));
  /** @type {Map<string, Model>} */ models = new Map();
  /** @type {LaneCard[]} */ cards = [];
  /** @type {LaneCard[]} */ rehearsals = []; // outside of the page
  /** @type {HTMLSelectElement[]} */ orderMenus = [];
  /** @type {Map<string, Numbers>} */ usage = new Map();
  /** @type {Set<string>} */ hidden = new Set();
  /** @type {Set<string>} */ far = new Set(); // names of panels outside of the viewport, painted only when the cursor rests
  /** @type {WeakMap<Element, [number, number]>} */ sizes = new WeakMap(); // last reported sizes of canvases that fill their boxes
  /** @type {Lane[] | undefined} */ lanes;
  /** @type {TraceMeta} */ meta = {lanes: []};
  /** @type {LaneChoices[]} */ menus = []; // options of each lane; empty if the host offers no choices
  /** @type {number | undefined} */ chosenSpeed;
  /** @type {Generator<unknown, unknown> | null} */ resting = null;
  /** @type {MutationObserver | undefined} */ themes;

  // callbacks, each optional: rested(k), chose(name of a choice), usage(), image("previous" | "next" | "random"),
  // draw(base64), hold(unit or -1 for all, "on" | "off" | "free", lane), lane(index, part, value, words) and swap() where
  // lanes can be chosen, back() to where the models came from
  // options: inNotebook, see settleIn
  /** @param {HTMLElement} root @param {Callbacks} callbacks */
  constructor(root, callbacks = {}, {inNotebook = false} = {}) {
    super(VARIABLES_STYLE + NETWORK_STYLE + PRESENT_STYLE + SIGHT_STYLE);
    this.callbacks = callbacks;
    this.inNotebook = inNotebook;
    this.input = new InputCard(this);
    this.legend = boardLegend();
    this.board = element("div", {class: "lv-board"}, this.input.node, this.legend);
    this.panels = makeViews(this); // by name, in their order on the page
    for (const [name, panel] of Object.entries(this.panels)) panel.node.dataset.part = name;
    this.help = new Help(this);
    /** @type {{node: HTMLDialogElement}[]} */
    this.dialogs = [this.help, this.words, this.equations]; // an open one receives all keys
    this.presenter = new Presenter(this);
    this.transport = new Transport(this);
    this.sight = new Sight(this);
    this.story = new Story(this);
    this.inner = element(
      "div",
      {class: "lv-in"},
      this.board,
      ...Object.values(this.panels).map((panel) => panel.node),
    );
    // the transport comes first in the Tab order, though it stands below (theme.js)
    this.root.append(
      this.story.node,
      this.transport.node,
      this.inner,
      this.presenter.node,
      this.live,
      this.tipNode,
      this.help.node,
      this.words.node,
      this.equations.node,
    );
    this.inner.addEventListener("scroll", () => {
      this.glossary.scrolled();
      this.sight.scrolled();
    });
    this.root.addEventListener("pointerdown", (event) => this.glossary.pressed(event));
    if (inNotebook) this.settleIn();
    this.sights = new IntersectionObserver((entries) => {
      for (const {target, isIntersecting} of entries)
        this.far[isIntersecting ? "delete" : "add"](partOf(target));
      this.clock.dirty();
    });
    for (const {node} of Object.values(this.panels)) this.sights.observe(node);
    for (const [name, node] of Object.entries(this.presenter.nodes)) node.append(saveCard(this, name));
    this.resizes = this.appear(root, "lrbnPlayers", {
      key: (event) => this.key(event),
      scheme: (dark) => this.setScheme(dark),
      resized: (entries) => {
        if (this.presenter.on) this.sight.follow();
        for (const {
          target,
          contentRect: {width, height},
        } of entries)
          if (target !== this.root) this.sizes.set(target, [Math.round(width), Math.round(height)]);
        this.clock.dirty();
      },
    });
  }

  // A notebook has keys of its own, and may hold several players: one listens only while the focus is within it, which
  // a click anywhere on it brings about. JupyterLab leaves a key alone where the focused element itself bears its
  // mark.
  settleIn() {
    this.root.tabIndex = -1;
    this.root.style.outline = "none";
    this.root.addEventListener("focusin", (event) =>
      /** @type {Element} */ (event.target).setAttribute("data-lm-suppress-shortcuts", "true"),
    );
    this.themes = new MutationObserver(() => this.setScheme(this.pageDark));
    this.themes.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light", "class"]});
  }

  /** @param {Bytes[]} blocks */
  setModels(...blocks) {
    this.models = decodeModels(...blocks);
  }

  /** @param {Bytes} data */
  setTrace(data) {
    const {meta, lanes, n_visits} = decodeTrace(data, this.models);
    const model = lanes[0].model;
    while (this.cards.length > lanes.length) this.cards.pop()?.node.remove();
    while (this.cards.length < lanes.length) {
      const card = new LaneCard(this.cards.length, this);
      this.cards.push(card);
      card.node.append(saveCard(this, `lane${this.cards.length}`));
      this.board.lastElementChild?.before(card.node);
    }
    lanes.forEach((lane, i) => {
      // until the cursor rests
      const before = this.lanes?.[i];
      lane.order = before?.model === lane.model ? before.order : byNumber(lane.n_h);
    });
    this.lanes = lanes;
    this.meta = meta;
    this.story.follow(meta);
    this.wanted = this.selected;
    for (const name of CHOICES) if (meta.choices?.[name] !== undefined) this.adopt(name, meta.choices[name]);
    this.askUsage();
    lanes.forEach((lane, i) => this.cards[i].load(lane, model.rows, model.columns));
    setHidden(this.legend.error, lanes[0].variables !== null);
    setHidden(this.legend.bars, lanes[0].variables === null);
    setHidden(this.legend.unknown, lanes[0].whole);
    setHidden(
      this.legend.flips,
      lanes.every((lane) => lane.meta.means),
    );
    const begun = this.clock.stats.painted > 0 && !this.clock.playing;
    this.answers = begun && this.input.sending;
    this.input.load(lanes[0]);
    this.presenter.fill();
    this.clock.end = n_visits;
    this.unloaded = true;
    if (!this.input.from) {
      if (!this.answers) this.loadRest();
      this.guessSpeed(n_visits);
    }
    const {cursor = 0} = meta;
    this.seek(cursor < 0 ? n_visits : cursor);
    // an answer is painted at once, and the parts beside the lanes one frame later
    if (begun) this.clock.frame(performance.now());
    if (this.answers && !this.input.from)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (this.unloaded) this.clock.dirty();
        }),
      );
    this.answers = false;
  }

  // Read and paint the shown trace once more, at its end, on canvases outside of the page: a browser compiles what has run
  // some times, and then answers the first stroke of a pen as fast as others. Nothing that is shown changes.
  /** @param {Bytes} data */
  rehearse(data) {
    const {lanes, n_visits} = decodeTrace(data, this.models);
    lanes.forEach((lane, i) => {
      const shown = this.cards[i],
        card = (this.rehearsals[i] ??= new LaneCard(i, this)),
        sizes = new Map(card.fitted.map((canvas, n) => [canvas, this.sizes.get(shown.fitted[n]) ?? [1, 1]]));
      lane.order = shown.lane.order;
      card.load(lane, lane.model.rows, lane.model.columns);
      const paint = () => card.paint(n_visits, this.colours, this.fontSize, card.axisWidth(this.fontSize));
      withSizes(card.fitted, paint, sizes);
    });
  }

  /** @param {string} part @returns {HTMLElement | null} */
  placeOf(part) {
    if (!this.lanes) return null;
    if (part === "captions") return this.story.shown ? this.story.next : null;
    if (part === "transport") return this.transport.playButton;
    if (part === "input") return this.input.canvas;
    return part === "lanes" ? this.cards[0].latents.canvas : null;
  }

  // Options in each lane's header, and the chosen ones.
  /** @param {LaneChoices[]} menus */
  setMenus(menus) {
    this.menus = menus;
    this.cards.forEach((card, index) => {
      if (card.lane) card.menus.load(menus[index]);
    });
  }

  // Load a trace into all parts except the lanes and the input's picture, once the pen pauses.
  loadRest() {
    if (!this.unloaded || !this.lanes) return;
    this.unloaded = false;
    this.input.describe(this.meta);
    for (const panel of Object.values(this.panels)) panel.load(this.lanes, this.meta);
    this.transport.load(this.lanes, this.clock.end);
    this.transport.showSpeed(this.clock.speed);
  }

  // Results of the server for one view: a packed block, by the view's name.
  /** @param {string} name @param {Bytes} data */
  give(name, data) {
    this.panels[name]?.take?.(data);
  }

  /** @param {boolean} dark */
  setScheme(dark) {
    this.pageDark = dark;
    if (this.inNotebook) dark = isNotebookDark() ?? dark;
    this.root.dataset.scheme = dark ? "dark" : "light";
    this.colours = coloursOf(dark);
    this.input.stale = true;
    this.refresh();
  }

  // The selected lane, to which the transport, the exact posterior and the other optima belong.
  get asked() {
    return this.lanes?.[this.selected.lane];
  }

  get k() {
    return this.clock.k;
  }
  /** @param {number} k */
  seek(k) {
    this.resting = null;
    this.clock.seek(k);
  }
  play() {
    this.resting = null;
    this.clock.play();
  }
  pause() {
    this.clock.pause();
  }
  toggle() {
    if (this.clock.playing) this.pause();
    else this.play();
  }
  /** @param {number} speed */
  setSpeed(speed) {
    this.chosenSpeed = this.clock.speed = speed;
    this.transport.showSpeed(speed);
  }

  // Captions about the displayed traces: the page stops at their first visit, to which it plays the first time.
  /** @param {import("./story.js").Caption[]} captions */
  tell(captions) {
    if (!this.lanes || !this.story.tell(captions) || this.clock.lessMotion.matches) return;
    const [{visit}] = captions;
    this.guessSpeed(visit, 6);
    this.seek(0);
    this.resting = null;
    this.clock.playTo(visit);
  }

  // Default speed, which plays all visits in about twelve seconds.
  /** @param {number} n_visits */
  guessSpeed(n_visits, seconds = 12) {
    if (this.chosenSpeed) return;
    const wanted = Math.log(Math.max(1, n_visits) / seconds);
    this.clock.speed = SPEEDS.reduce((best, speed) =>
      Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best,
    );
    // another value in the menu causes a layout of the page: with the parts beside the lanes
    if (!this.unloaded) this.transport.showSpeed(this.clock.speed);
  }

  // Moves of the transport; flips are those of the selected lane.
  /** @param {string} way */
  move(way) {
    const {k, asked: lane} = this;
    if (!lane) return;
    this.pause();
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(this.clock.end);
    if (way === "back") return this.seek(k - 1);
    if (way === "step") return this.seek(k + 1);
    if (way === "flip") return this.seek((lane.flips[lowerBound(lane.flips, k)] ?? this.clock.end - 1) + 1);
    if (way === "flipBack") return this.seek((lane.flips[lowerBound(lane.flips, k - 1) - 1] ?? -1) + 1);
    const offs = lane.offs;
    if (way === "off") return this.seek((offs[lowerBound(offs, k)] ?? this.clock.end - 1) + 1);
    if (way === "offBack") return this.seek((offs[lowerBound(offs, k - 1) - 1] ?? -1) + 1);
    const ends = [...lane.sweepStarts, this.clock.end];
    if (way === "sweep") return this.seek(ends[lowerBound(ends, k + 1)] ?? this.clock.end);
    return this.seek(ends[lowerBound(ends, k) - 1] ?? 0);
  }

  // The requested unit if the lanes have it: a host may name a unit before its lanes arrive.
  get selected() {
    return this.wanted.unit < (this.lanes?.[this.wanted.lane]?.n_h ?? -1) ? this.wanted : {lane: 0, unit: -1};
  }

  /** @param {number} lane @param {number} unit */
  select(lane, unit) {
    this.wanted = {lane, unit};
    this.story.asked(lane, unit);
    this.refresh();
    this.callbacks.chose?.("selected");
  }

  // The display has changed, but not the cursor.
  refresh() {
    this.clock.dirty();
    if (!this.clock.playing) this.clock.settle();
  }

  /** @param {string} order */
  sort(order) {
    this.setOrder(order);
    this.callbacks.chose?.("unit_order");
  }

  /** @param {string} order */
  setOrder(order) {
    this.order = order;
    for (const menu of this.orderMenus) menu.value = order;
    this.askUsage();
    if (this.lanes) this.reorder();
    this.refresh();
  }

  // The state with which the Why card compares the log-odds.
  /** @param {string} reference */
  compareWith(reference) {
    this.reference = reference;
    this.refresh();
    this.callbacks.chose?.("reference");
  }

  get lacksUsage() {
    return this.order === "usage" && Boolean(this.lanes?.some((lane) => !this.usage.has(lane.meta.model)));
  }
  askUsage() {
    if (this.lacksUsage) this.callbacks.usage?.();
  }

  // Order the units; returns true if a place has changed.
  reorder() {
    let moved = false;
    for (const lane of this.lanes ?? []) {
      const order = orderUnits(lane, this.order, this.usage.get(lane.meta.model));
      if (order.some((j, place) => j !== lane.order[place])) {
        lane.order = order;
        moved = true;
      }
    }
    return moved;
  }

  orderInWords() {
    if (this.lacksUsage)
      return this.callbacks.usage
        ? "Counting how often each unit is on over the test images \u2026"
        : "How often each unit is on was not counted here; units are in the order of their numbers.";
    return (
      UNIT_ORDERS[this.order][1] +
      (this.order === "usage" ? ` (${this.usageImages} images, MAP states).` : "")
    );
  }

  // Usage of each unit over test images by model, which the order by usage needs.
  /** @param {Bytes} data */
  setUsage(data) {
    /** @type {Block<{models: string[], images: number}, Arrays>} */
    const {meta, arrays} = unpack(data);
    meta.models.forEach((key, i) => this.usage.set(key, arrays[String(i)]));
    this.usageImages = meta.images;
    if (this.lanes && this.order === "usage") this.setOrder("usage");
  }

  // Hide cards and controls by name, such as "matrix.seed", also from keys and screen readers.
  /** @param {string} names */
  hide(names) {
    this.hidden = new Set(names.split(".").filter(Boolean));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-part]")))
      node.toggleAttribute("data-hidden", !this.shows(partOf(node)));
    this.input.follow();
    this.presenter.show(this.presenter.cards);
    this.refresh();
  }

  /** @param {string} name */
  shows(name) {
    return !this.hidden.has(name);
  }

  showAll() {
    this.hide("");
    this.callbacks.chose?.("hidden");
  }

  // The user's choices except the cursor, as in the host's properties of these names.
  /** @returns {Choices} */
  get choices() {
    const {lane, unit} = this.wanted;
    const {
        presenter: {cards, captions},
      } = this,
      hidden = Array.from(this.hidden).join(".");
    return {
      selected: unit >= 0 ? `${lane}.${unit}` : lane ? `lane${lane + 1}` : "",
      unit_order: this.order,
      reference: this.reference,
      hidden,
      present: cards.join("."),
      captions: captions ? "on" : "off",
    };
  }

  /** @param {keyof Choices} name @param {string} value */
  adopt(name, value) {
    if (value === this.choices[name]) return;
    if (name === "hidden") return this.hide(value);
    if (name === "unit_order") return this.setOrder(value);
    if (name === "present") return this.presenter.show(value.split("."));
    if (name === "captions") return this.presenter.say(value !== "off");
    if (name === "reference") {
      this.reference = value;
      return this.refresh();
    }
    const visited = value.startsWith("lane"),
      [lane, unit] =
        value && !visited ? value.split(".").map(Number) : [visited ? Number(value.slice(4)) - 1 : 0, -1];
    this.wanted = {lane, unit};
    this.refresh();
  }

  // Whether units of a lane can be held.
  /** @param {number} lane */
  holds(lane) {
    return Boolean(this.callbacks.hold) && (this.menus[lane]?.holds ?? lane === 0);
  }

  // Hold a unit of a lane, which stays selected.
  /** @param {number} unit @param {string} state */
  hold(unit, state, lane = 0) {
    if (unit >= 0) this.select(lane, unit);
    this.callbacks.hold?.(unit, state, lane);
  }

  /** @param {number} k */
  paint(k) {
    if (!this.lanes || !this.colours) return;
    // while a pen moves only the input card and the lanes are updated; the others follow when it pauses
    this.behind = (this.answers || Boolean(this.input.from)) && !this.penRests;
    this.penRests = false;
    // reading the font size would cause a layout; it is that of the last frame
    const fontSize = (this.fontSize =
      (this.behind && this.fontSize) || parseFloat(getComputedStyle(this.board).fontSize));
    if (!this.behind) this.loadRest();
    if (!this.behind) for (const panel of this.inSight()) panel.makeRoom?.(fontSize);
    withSizes(
      this.behind ? this.cards.flatMap((card) => card.fitted) : this.canvases,
      () => this.paintAll(k, fontSize),
      this.sizes,
    );
  }

  // Canvases that fill their boxes; a box may change its size without the player, for instance when a text grows.
  /** @returns {HTMLCanvasElement[]} */
  get canvases() {
    const canvases = Array.from(
      /** @type {NodeListOf<HTMLCanvasElement>} */ (
        this.root.querySelectorAll(".lv-fill > canvas, .lv-scrub > canvas, .lv-track > canvas")
      ),
    );
    for (const canvas of canvases) if (!this.sizes.has(canvas)) this.resizes.observe(canvas); // repeated calls do no harm
    return canvases;
  }

  /** @param {number} k @param {number} fontSize */
  paintAll(k, fontSize) {
    this.input.paint(this.colours.tables);
    const axis = Math.max(...this.cards.map((card) => card.axisWidth(fontSize)));
    this.cards.forEach((card, index) => {
      if (this.presenter.presents(`lane${index + 1}`)) card.paint(k, this.colours, fontSize, axis);
      else card.lane.seek(k); // others read the lane
    });
    if (this.behind) return;
    this.transport.paint(k, this.colours.palette);
    for (const panel of this.inSight()) panel.paint?.(k, this.colours, fontSize);
    this.presenter.paint(k);
  }

  inSight() {
    return Object.entries(this.panels).flatMap(([name, panel]) =>
      this.shows(name) && this.presenter.presents(name) && !this.far.has(name) ? [panel] : [],
    );
  }

  // The cursor rests: update texts and the server, which is too slow for each frame.
  /** @param {number} k */
  rest(k) {
    if (!this.lanes) return;
    if (this.input.from) {
      // a pause of the pen is not the end of a stroke
      this.penRests = this.behind;
      if (this.behind) this.clock.dirty();
      return this.clock.settle();
    }
    this.resting = this.restInPieces(k);
    this.restOn();
  }

  /** @param {number} k */
  *restInPieces(k) {
    if (this.behind) this.clock.stale = true;
    if (this.clock.stale) this.clock.frame(performance.now());
    if (this.reorder()) this.clock.dirty();
    for (const card of this.cards) card.label();
    this.live.textContent = this.transport.sentence(k);
    this.callbacks.rested?.(k);
    for (const [name, panel] of Object.entries(this.panels)) {
      if (!this.shows(name) || !(this.presenter.presents(name) || panel.caption)) continue;
      if (this.far.has(name)) {
        panel.makeRoom?.(this.fontSize);
        withSizes(this.canvases, () => panel.paint?.(k, this.colours, this.fontSize));
      }
      const pieces = panel.rest?.(this.colours); // undefined, or a generator
      if (pieces) yield* pieces;
      yield;
    }
  }

  // Run a few milliseconds at a time, so that clicks are answered at once; cancelled when the cursor moves.
  restOn() {
    const {resting} = this,
      until = performance.now() + 6;
    while (resting && !resting.next().done) {
      if (performance.now() > until)
        return soon(() => {
          if (this.resting === resting) this.restOn();
        });
    }
    this.resting = null;
  }

  // Whether all updates after the cursor's rest are finished.
  get atRest() {
    return !this.clock.playing && !this.clock.settling && !this.resting && !this.clock.stale;
  }

  restAtOnce() {
    this.resting = null;
    atOnce(this.restInPieces(this.k));
  }

  // Save the view, or one of its cards by name, as a file.
  /** @param {"png" | "svg"} kind @param {string} [card] */
  async save(kind, card) {
    this.pause();
    this.restAtOnce();
    if (this.clock.stale) this.clock.frame(performance.now());
    const alone = card ? this.presenter.nodes[card] : undefined;
    // what is not known yet is no part of a picture of all; it is drawn when the call returns, before the page is painted again
    const unknown = Object.values(this.panels)
      .map((panel) => panel.node)
      .filter((node) => node !== alone && node.matches('[data-stale="true"]:not([data-hidden])'));
    for (const node of unknown) node.setAttribute("data-hidden", "");
    this.inner.classList.add("lv-whole"); // what is out of sight takes up its own room, and no guessed one
    const file = new Picture(this, alone)[kind]();
    this.inner.classList.remove("lv-whole");
    for (const node of unknown) node.removeAttribute("data-hidden");
    download(await file, fileName(this.meta, this.k, kind, card));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.inNotebook && !event.composedPath().includes(this.root)) return;
    if (
      !this.lanes ||
      this.dialogs.some(({node}) => node.open) ||
      !isPageKey(event, this.transport.scrub.range)
    )
      return;
    const image = byKey(event, {n: "next", p: "previous", r: "random"});
    if (image && this.callbacks.image && this.shows("images")) return this.callbacks.image(image);
    const way =
      byKey(
        event,
        event.shiftKey
          ? {ArrowRight: "flip", ArrowLeft: "flipBack"}
          : {
              ArrowRight: "step",
              ArrowLeft: "back",
              Home: "first",
              End: "last",
              PageDown: "sweep",
              PageUp: "sweepBack",
            },
      ) ?? byKey(event, {o: "off", O: "offBack"});
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else if (event.key === "Escape" && this.presenter.on) this.presenter.leave();
    else if (event.key === "Escape" && this.selected.unit < 0 && this.story.shown) this.story.end(true);
    else if (event.key === "Escape") this.select(0, -1);
    else if (event.key === "c" && this.story.shown) this.story.go(this.story.at + 1);
    else if (event.key === "C" && this.story.shown) this.story.go(this.story.at - 1);
    else if (event.key === "f" && this.shows("view")) this.presenter.enter();
    else if (event.key === "?") this.help.show();
    else if (event.key === "s" && this.shows("export")) this.save("png");
    else return;
    event.preventDefault();
  }

  // The state at the cursor, for tests and other scripts of the page.
  state() {
    for (const lane of this.lanes || []) lane.seek(this.k); // correct also between a move and its paint
    return {
      k: this.k,
      end: this.clock.end,
      playing: this.clock.playing,
      stats: {...this.clock.stats},
      lanes: (this.lanes || []).map((lane) => ({
        title: lane.meta.title,
        k: lane.k,
        h: Array.from(lane.h),
        unit: lane.currentUnit,
        wrong: lane.wrongNow,
        logJoint: lane.logJointNow,
        flips: lane.flips,
        falls: lane.falls,
      })),
      ...Object.fromEntries(
        Object.entries(this.panels).flatMap(([name, {snapshot}]) => (snapshot ? [[name, snapshot]] : [])),
      ),
    };
  }

  // The latents of a lane after k visits, without moving the cursor (the painted state is put back).
  /** @param {number} index @param {number} k */
  latents(index, k) {
    const {lane} = this.cards[index],
      kept = lane.k;
    lane.seek(k);
    const h = Array.from(lane.h);
    lane.seek(kept);
    return h;
  }

  remove() {
    this.resting = null;
    this.sights.disconnect();
    this.clock.stop();
    this.presenter.letBack?.();
    this.sight.remove();
    this.themes?.disconnect();
    for (const panel of Object.values(this.panels)) panel.remove?.();
    this.vanish?.();
  }
}
