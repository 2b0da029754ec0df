// The training board: two lanes in training, their curves, the run's stored moments, and the transport.

import {part} from "../../player/js/decode.js";
import {
  bold,
  box,
  byKey,
  card,
  element,
  icon,
  iconButton,
  isPageKey,
  release,
  setRich,
  setText,
} from "../../player/js/dom.js";
import {StillView, withSizes} from "../../player/js/draw.js";
import {brief, byte, clockText, many, number, timeOfDay} from "../../player/js/format.js";
import {Page} from "../../player/js/page.js";
import {Scrub, setFace} from "../../player/js/scrub.js";
import {coloursOf} from "../../player/js/theme.js";
import "./icons.js";
import {VariableTable} from "../../player/js/variable_table.js";
import VARIABLES_STYLE from "../../player/js/variables.css";
import BOARD_STYLE from "./board.css";
import {inRows} from "../../player/js/names.js";
import {Chart, CHARTS} from "./charts.js";
import {PassesCard} from "./passes.js";
import {confirmAct} from "./confirm.js";
import CONFIRM_STYLE from "./confirm.css";
import {LargeFilter} from "./large.js";
import LARGE_STYLE from "./large.css";
import {TrainLane} from "./learner.js";
import {SlowMotion} from "./slow.js";
import SLOW_STYLE from "./slow.css";
import {momentOf} from "./ring.js";
import {ON_SERVER} from "./trainer.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {unknown_tone: UNKNOWN_TONE} = constants; // of a value that is not known

/** @type {Record<string, string>} */
const SAYS = {
  none: "No run yet",
  loading: "Preparing the run",
  new: "Ready",
  running: "Training",
  paused: "Paused",
  done: "Finished",
  failed: "Failed",
  cancelled: "Stopped",
};

// Give a button another title, beside which its key stays.
/** @param {HTMLButtonElement} button @param {string} words */
function rename(button, words) {
  const [key] = / \([^ ]+\)$/.exec(button.title) ?? [""];
  button.setAttribute("aria-label", words);
  button.title = words + key;
}

export class TrainBoard extends Page {
  cursor = -1; // step of the displayed moment; -1: the present
  shown = -1; // the loaded moment, and the requested one
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
  /** @type {{name: string, step: number} | null} */ wanted = null; // a requested moment that is not loaded yet
  /** @type {{step: number, paints: ((tables: PixelTables) => void)[]} | null} */ minibatch = null;
  stats = {frames: 0, painted: 0, bytes: 0, largest: 0, inOrder: true, number: -1, paintMs: 0};
  /** @type {RunMeta | null} */ meta = null;
  /** @type {TrainLane[]} */ lanes = [];
  /** @type {Chart[]} */ charts = [];
  /** @type {PastLane[] | null} */ pastLanes = null;
  /** @type {number | null} */ lostAt = null;
  /** @type {unknown} */ taken; // the run that was training when the page was reloaded
  /** @type {Timer | undefined} */ timer;
  go = element(
    "button",
    {type: "button", class: "lv-btn lt-go", onclick: () => this.say({type: "start"})},
    icon("play"),
    element("span", {}, "Start training"),
  );
  seen = element("p"); // sentence on the images that both models see, from the form
  empty = element(
    "section",
    {class: "lv-card lt-empty"},
    element("h2", {}, "Watch two models learn"),
    element(
      "p",
      {},
      "Press Start training to run the recipe at the side; the first recipe is small and takes ten seconds. This page shows how the models learn: filters form, units die or stay alive, and reconstructions sharpen.",
    ),
    this.seen,
    element(
      "p",
      {},
      "Pause at any time, step by single minibatches, drag back through the past, and branch from any moment with other settings.",
    ),
    this.go,
  );
  cards = element("div", {class: "lt-lanes", hidden: true});
  axisChoice = element(
    "select",
    {
      "aria-label": "Horizontal axis",
      onchange: () => {
        this.axis = this.axisChoice.value;
        this.dirty();
      },
    },
    element("option", {value: "passes"}, "over epochs"),
    element("option", {value: "seconds"}, "over seconds"),
  );
  multiples = element("div", {class: "lt-charts"});
  legend = element("div", {class: "lv-key"});
  moment = element(
    "span",
    {class: "lt-now", style: "--lv-swatch: var(--lv-now)", hidden: true},
    "moment looked at",
  );
  lineage = element("p", {class: "lt-lineage"});
  curves = card(
    {class: "lt-curves", "aria-label": "Curves", hidden: true},
    ["Curves"],
    [this.legend, this.axisChoice],
    this.lineage,
    this.multiples,
  );
  start = iconButton("play", "Start training", "space", () => this.toggle());
  buttons = {
    step: iconButton("step", "Single minibatch", "\u2192", () => this.say({type: "step"}), "Step"),
    slow: iconButton(
      "slow",
      "Slow motion: a single minibatch in its two parts, E-step and M-step",
      "s",
      () => this.say({type: "slow"}),
      "Slow motion",
    ),
    stop: iconButton("stop", "Stop and store a last checkpoint", "", () => this.say({type: "stop"}), "Stop"),
    reset: iconButton(
      "first",
      "Reset: the same seed from the beginning",
      "",
      () => this.say({type: "reset"}),
      "Reset",
    ),
    leave: iconButton(
      "fresh",
      "New run: leave this one, which stays on disk",
      "",
      () => this.say({type: "leave"}),
      "New",
    ),
    branch: iconButton(
      "branch",
      "Branch: a run of its own from the moment shown; this run stays as it is",
      "b",
      () => {
        this.branching = this.say({type: "branch"});
      },
      "Branch from here",
    ),
    back: iconButton(
      "rewind",
      "Go back here and discard what came later",
      "",
      () => this.goBack(),
      "Go back here",
    ),
    present: iconButton("last", "Back to the present", "End", () => this.scrub(-1), "Now"),
  };
  bar = new Scrub("Moment of the run, in minibatches", (step) => this.scrub(step));
  says = box();
  kept = element("div", {class: "lt-kept"});
  error = element("p", {class: "lv-complaint lt-error", role: "alert"});
  removed = element(
    "div",
    {class: "lt-removed", hidden: true},
    element("span", {}, "This run is in memory alone. "),
    element(
      "button",
      {type: "button", class: "lv-btn lv-small", onclick: () => this.say({type: "write_again"})},
      "Write it to disk again",
    ),
  );
  transport = element(
    "div",
    {class: "lv-transport lt-transport", role: "group", "aria-label": "Training"},
    element("div", {class: "lv-row lv-buttons"}, this.start, ...Object.values(this.buttons)),
    this.bar.node,
    this.kept,
    element("div", {class: "lv-says"}, this.says),
  );
  nextWords = element("p");
  nextActs = element("div", {class: "lv-row lt-next-acts"});
  next = element(
    "section",
    {class: "lv-card lt-next", "aria-label": "What next", hidden: true},
    element("h2", {}, "Finished: what next?"),
    this.nextWords,
    this.nextActs,
  );
  thumbs = element("div", {class: "lt-thumbs"});
  batchNote = element("small");
  batchTitle = element("span", {}, "Last minibatch");
  batch = element(
    "section",
    {class: "lv-card", "aria-label": "Last minibatch", hidden: true},
    element("h2", {}, this.batchTitle, " ", this.batchNote),
    this.thumbs,
  );
  large = new LargeFilter(this);
  slow = new SlowMotion(this);
  passes = new PassesCard();
  body = element(
    "div",
    {class: "lv-in"},
    this.error,
    this.removed,
    this.empty,
    this.next,
    this.passes.node,
    this.slow.node,
    this.cards,
    this.batch,
    this.curves,
  );

  // `asks(what)`: whether an action would be sent now; if not, the page shows a message.
  /** @param {HTMLElement} root @param {Send} say @param {(what: string) => boolean} asks @param {import("./trainer.js").Trainer} [trainer] */
  constructor(root, say, asks, trainer = ON_SERVER) {
    super(VARIABLES_STYLE + BOARD_STYLE + CONFIRM_STYLE + LARGE_STYLE + SLOW_STYLE, "lv lt");
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
    this.appear(root, "lrbnBoards", {
      key: (event) => this.key(event),
      scheme: (dark) => {
        this.colours = coloursOf(dark);
        this.paintThumbs();
        this.dirty();
      },
      resized: () => this.dirty(),
    });
  }

  // Show what a feeder sends: a whole run, a stored moment, pictures, or the words of a page without a run.
  /** @param {Block<BoardMeta, BoardArrays>} block */
  show({meta, arrays}) {
    if (meta.kind === "none") {
      this.words(meta);
      setText(this.seen, meta.seen);
    } else if (meta.kind === "run") this.load(meta, arrays);
    else if (meta.kind === "moment") this.past(meta, arrays);
    else if (meta.kind === "filter") this.large.take(meta, arrays);
    else if (meta.kind === "pictures") this.pictures(meta, arrays);
    else if (meta.kind === "slow") this.slow.take(meta, arrays);
    else this.rest(meta, arrays);
    this.controls();
    this.dirty();
  }

  // Pictures of the present models, each with the number of its minibatch.
  /** @param {PicturesMeta} meta @param {Arrays} arrays */
  pictures(meta, arrays) {
    meta.lanes.forEach((given, n) =>
      this.lanes[n]?.takePictures(given, this.cursor < 0 ? part(arrays, n) : {}),
    );
  }

  // The run is paused: whole filters, and the images of its last minibatch.
  /** @param {RestMeta} given @param {Arrays & {minibatch: Uint8Array}} arrays */
  rest({rows, steps}, arrays) {
    if (!this.meta) return;
    if (this.cursor < 0) this.lanes.forEach((lane, n) => lane.show(arrays, steps[n]));
    const [step] = steps;
    const [height, width] = this.meta.image_shape,
      [low, high] = this.meta.tones,
      n_v = height * width;
    const pixels = arrays.minibatch.slice(),
      paints = /** @type {((tables: PixelTables) => void)[]} */ ([]),
      {variables} = this.meta;
    this.minibatch = {step, paints};
    const tone = (/** @type {Uint32Array} */ ink, /** @type {number} */ at) =>
      ink[byte(low + ((high - low) * pixels[at]) / 255)];
    this.thumbs.toggleAttribute("data-table", variables !== null);
    if (variables) {
      const table = new VariableTable("Training rows, by variable; scrolls");
      table.load(variables, [
        {
          label: `${rows.length} training rows`,
          n: rows.length,
          press: {
            say: (n) => `Inspect training row ${rows[n]} on the Inference page`,
            go: (number) => this.say({type: "inspect", number}),
          },
        },
      ]);
      const unknown = (/** @type {number} */ n, /** @type {number} */ i) =>
        pixels[n * n_v + i] === UNKNOWN_TONE;
      paints.push(({ink, hatch}) =>
        table.paint(
          0,
          (n, i) => tone(ink, n * n_v + i),
          pixels.includes(UNKNOWN_TONE) ? {unknown, filled: false, colours: hatch} : null,
        ),
      );
      this.thumbs.replaceChildren(table.node);
      this.paintThumbs();
      this.batchNote.textContent = `${this.unit} ${many(step)}, a column for each row of data: press one to see its E-step, visit by visit, on the Inference page`;
      return;
    }
    this.thumbs.replaceChildren(
      ...rows.map((row, n) => {
        const image = element("img", {alt: "", class: "lv-pixels"}),
          view = new StillView(image, height, width);
        paints.push(({ink}) => view.paint((i) => tone(ink, n * n_v + i)));
        const label = `Inspect training image ${row} on the Inference page`;
        return element(
          "button",
          {
            type: "button",
            class: "lt-thumb",
            "aria-label": label,
            title: label,
            onclick: () => this.say({type: "inspect", number: n}),
          },
          image,
        );
      }),
    );
    this.paintThumbs();
    this.batchNote.textContent = `${this.unit} ${many(step)}: press an image to see its E-step, visit by visit, on the Inference page`;
  }

  paintThumbs() {
    for (const paint of this.minibatch?.paints ?? []) paint(this.colours.tables);
  }

  /** @param {RunMeta} meta @param {Arrays} arrays */
  load(meta, arrays) {
    this.large.node.close(); // another run, or a return to an earlier moment
    this.slow.hide();
    this.meta = meta;
    this.batchTitle.textContent = meta.whole
      ? inRows("First images", meta.variables !== null)
      : "Last minibatch";
    this.batch.setAttribute("aria-label", this.batchTitle.textContent);
    this.bar.range.setAttribute(
      "aria-label",
      meta.whole ? "Moment of the run, in passes" : "Moment of the run, in minibatches",
    );
    const one = meta.whole ? inRows("One pass over all images", meta.variables !== null) : "Single minibatch";
    rename(this.buttons.step, one);
    this.cursor = -1;
    this.pastLanes = null;
    this.savedAt = meta.saved_at;
    for (const node of [this.cards, this.multiples]) release(node);
    this.lanes = meta.lanes.map((lane, index) => new TrainLane(this, meta, index, arrays));
    this.cards.replaceChildren(...this.lanes.map((lane) => lane.node));
    const table = meta.variables !== null;
    const specs = CHARTS.map((spec) => ({
      ...spec,
      title: inRows(spec.title, table),
      unit: inRows(spec.unit, table),
      help: inRows(spec.help ?? "", table),
    }));
    this.charts = specs.flatMap((spec) => {
      const title = !meta.binary && spec.grey ? spec.grey : spec.title;
      if (!spec.scores) return [new Chart(this, spec, this.lanes, title, spec.help ?? "")];
      return [...new Set(this.lanes.map((lane) => lane.meta.score))].map((meaning) => {
        const lanes = this.lanes.filter((lane) => lane.meta.score === meaning);
        const whose =
          lanes.length === this.lanes.length ? "" : `, ${lanes.map((lane) => lane.title).join(" and ")}`;
        return new Chart(this, spec, lanes, `${title} ${lanes[0].meta.score_name}${whose}`, meaning);
      });
    });
    this.multiples.replaceChildren(...this.charts.map((chart) => chart.node));
    this.legend.replaceChildren(
      ...this.lanes.map((lane) =>
        element("span", {style: `--lv-swatch: var(--lv-lane${lane.index % 2})`}, lane.title),
      ),
      this.moment,
    );
    this.offerNext(meta);
    this.lineageWords(meta);
    this.axis = this.axisChoice.value = meta.level_by;
    this.thumbs.replaceChildren(); // those of another run
    this.empty.hidden = true;
    this.curves.hidden = this.cards.hidden = false;
    this.words(meta.words);
    this.cursor = momentOf(meta, this.wanted);
  }

  /** @param {RunWords} given */
  words({status, error, cursor, removed, passes}) {
    this.passes.show(passes, status);
    this.error.textContent = error;
    this.removed.hidden = !removed;
    if (cursor < 0 && this.pastLanes) this.present();
    if (status === "running") this.wanted = null; // training continues from the present
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

  // Time since which the connection is lost and the figures are old; null: they are current.
  /** @param {number | null} since */
  lose(since) {
    this.lostAt = since;
    this.dirty();
  }

  // A run that was training when the server ended continues from its last checkpoint.
  takeUp() {
    if (!this.taken || this.meta?.name !== this.taken || !["new", "paused"].includes(this.status)) return;
    this.taken = null;
    this.say({type: "start"});
  }

  /** @param {string} status */
  setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    if (status !== "loading") this.branching = false;
    this.takeUp();
    this.live.textContent = `${SAYS[status]}. ${this.sentence()}`;
    this.controls();
    this.dirty();
  }

  // Take in new data of both lanes.
  /** @param {Frame} frame @param {number} [bytes]  its size, where it was sent */
  take(frame, bytes = 0) {
    if (!this.meta) return;
    this.stats.frames++;
    this.stats.bytes = bytes;
    this.stats.largest = Math.max(this.stats.largest, bytes);
    this.stats.inOrder &&= frame.number > this.stats.number;
    this.stats.number = frame.number;
    if (frame.number % 8 === 0) this.say({type: "seen", number: frame.number});
    frame.lanes.forEach((lane, index) => this.lanes[index]?.take(lane));
    this.progress = frame.progress;
    this.left = frame.left;
    this.savedAt = frame.savedAt;
    for (const piece of frame.pieces) {
      if (piece.kind === "words") this.words(JSON.parse(new TextDecoder().decode(piece.content)));
      else if (this.cursor < 0) this.lanes[piece.lane]?.piece(piece);
    }
    if (this.meta) this.setStatus(frame.status);
    if (this.minibatch?.step !== this.lanes[0]?.step) this.batch.hidden = true; // until the images of the newest one arrive
    this.unpainted = true;
    this.dirty();
  }

  /** @param {MomentMeta} meta @param {Arrays} arrays */
  past(meta, arrays) {
    if (this.cursor < 0) return; // the present was requested meanwhile
    this.pastLanes = meta.lanes;
    this.shown = meta.step;
    this.answered = meta.asked;
    if (this.wanted?.step === meta.asked) this.wanted = null;
    this.lanes.forEach((lane, n) => lane.show(arrays, meta.lanes[n].step));
    this.live.textContent = `Shown now: ${this.sentence()}.`;
  }

  // Options after a run has used its budget.
  /** @param {RunMeta} meta */
  offerNext({lanes, max_seconds, n_iter, whole, variables}) {
    const table = variables !== null;
    /** @param {string} text @param {Message} message @param {string} title */
    const act = (text, message, title) => ({
      type: message.type,
      node: element(
        "button",
        {type: "button", class: "lv-btn lv-small", title, onclick: () => this.say(message)},
        text,
      ),
    });
    const again =
      max_seconds === null
        ? `${many(n_iter)} more ${whole ? "pass" : "epoch"}${n_iter === 1 ? "" : whole ? "es" : "s"}`
        : `${number(max_seconds, max_seconds < 10 ? 1 : 0)} s more for each model`;
    const these = lanes.length > 1 ? "these models" : "this model",
      offers = (/** @type {string} */ type) => !this.trainer.lacks.includes(type);
    const acts = [
      act(
        `Look at ${these} in Inference`,
        {type: "show"},
        inRows("How the latents of any image are inferred, visit by visit", table),
      ),
      act(
        `Watch ${these} draw in Generate`,
        {type: "draw"},
        inRows("Samples, pass by pass, with the training images nearest to them", table),
      ),
      ...lanes.map(({title}, lane) =>
        act(`Save ${title}`, {type: "save", lane}, "A file, which this page and Python open"),
      ),
      act("Train on", {type: "on"}, again),
    ];
    this.nextActs.replaceChildren(...acts.flatMap(({type, node}) => (offers(type) ? [node] : [])));
    const ways = [
      offers("draw") && "watch them draw on the Generate page",
      offers("save") && "save one as a file",
      `or train on, ${again}`,
    ].filter(Boolean);
    this.nextWords.textContent = `Look at the models, ${table ? "row by row" : "image by image"}, on the Inference page; ${ways.join("; ")}.`;
  }

  // The step at which this run branched from another, and that run's later curves, drawn beside its own.
  /** @param {RunMeta} given */
  lineageWords({parent, ancestors = []}) {
    const shown = this.lanes.some((lane) => lane.parent.size);
    this.lineage.textContent = !parent
      ? ""
      : `Branch of ${parent.name} at ${this.unit} ${many(parent.step)}.` +
        (parent.error
          ? ` ${parent.name} ${parent.error}`
          : shown
            ? ""
            : ` ${parent.name} has not gone further.`) +
        ancestors
          .map(({name, step}, n) => {
            const child = ancestors[n + 1]?.name ?? parent.name;
            return ` ${child} is a branch of ${name} at ${this.unit} ${many(step)}.`;
          })
          .reverse()
          .join("");
    if (parent && shown) this.legend.append(element("span", {class: "lt-ghost"}, `parent: ${parent.name}`));
  }

  // Steps that a return would discard, of the furthest lane, and the time of all lanes.
  /** @param {PastLane[]} past */
  discarded(past) {
    const gone = this.lanes.map((lane, n) => lane.step - past[n].step),
      most = Math.max(...gone);
    const seconds = this.lanes.reduce((sum, lane, n) => sum + lane.seconds - past[n].seconds, 0);
    return {minibatches: most, passes: most / this.lanes[0].meta.per_pass, seconds};
  }

  async goBack() {
    if (!this.meta || !this.pastLanes) return;
    const step = this.shown,
      {minibatches, passes, seconds} = this.discarded(this.pastLanes);
    const yes = await confirmAct(this.root, {
      title: `Go back to ${this.unit} ${many(step)}?`,
      words: [
        `This discards what ${this.meta.name} learned later: ${many(minibatches)} ${this.unit}${minibatches === 1 ? "" : "es"}, ${this.meta.whole ? "" : `${number(passes, 2)} epochs, `}${number(seconds, seconds < 10 ? 1 : 0)} seconds of training, ${this.trainer.discards}.`,
        "It cannot be undone. To keep it, branch from here.",
      ],
      act: "Go back and discard",
      keep: "Cancel",
    });
    if (!yes || this.cursor < 0) return;
    this.start.focus(); // the button is disabled after the return
    this.say({type: "back", step});
  }

  // Show the last stored moment before a minibatch, or with -1 the present; at most ten requests per second.
  /** @param {number} step */
  scrub(step) {
    const end = this.end();
    if (step >= end) step = -1;
    if (!this.asks("looking back")) return this.dirty();
    this.cursor = step;
    this.wanted = step < 0 || !this.meta ? null : {name: this.meta.name, step};
    if (step < 0) this.pastLanes = null;
    this.controls();
    this.dirty();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say({type: "look", step}), step < 0 ? 0 : 60);
  }

  // The quantity on the horizontal axis.
  get unit() {
    return this.meta?.whole ? "pass" : "minibatch";
  }

  end() {
    return Math.max(1, ...this.lanes.map((lane) => lane.step));
  }

  endX() {
    const max_seconds = this.meta?.max_seconds ?? null,
      reached = Math.max(...this.lanes.map((lane) => Math.max(lane.along(lane.step), lane.parentEnd())));
    const whole = this.axis === "passes" ? (max_seconds === null ? this.meta?.n_iter : 0) : max_seconds;
    // an axis up to a distant budget would compress the curves; one that grows all the time would never rest
    const grown = 1e-3 * 1.25 ** Math.ceil(Math.log(Math.max(reached, 1e-3) / 1e-3) / Math.log(1.25));
    const end = !whole ? grown : whole <= 4 * grown ? whole : Math.max(4 * grown, whole / 20);
    return 1.02 * Math.max(end, reached);
  }

  toggle() {
    this.say({type: this.status === "running" ? "pause" : "start"});
  }

  controls() {
    const {status, buttons} = this,
      running = status === "running",
      some = !["none", "loading"].includes(status);
    setFace(
      this.start,
      running ? "pause" : "play",
      running ? "Pause" : status === "paused" || status === "cancelled" ? "Go on" : "Start training",
    );
    this.start.disabled = status === "loading" || status === "done";
    buttons.step.disabled = running || status === "loading" || status === "done";
    buttons.slow.disabled = status === "loading" || status === "done";
    if (running || this.cursor >= 0 || this.slow.step !== this.lanes[0]?.step) this.slow.hide();
    buttons.stop.disabled = !(running || status === "paused");
    buttons.reset.disabled = buttons.leave.disabled = !some;
    buttons.branch.disabled = running || status === "loading" || this.cursor < 0;
    buttons.back.disabled =
      buttons.branch.disabled ||
      !this.pastLanes ||
      this.answered !== this.cursor ||
      this.discarded(this.pastLanes).minibatches < 1;
    buttons.present.disabled = this.cursor < 0;
    this.bar.range.disabled = !some;
    this.moment.hidden = this.cursor < 0;
    this.batch.hidden =
      running ||
      !some ||
      !this.thumbs.childElementCount ||
      this.cursor >= 0 ||
      this.minibatch?.step !== this.lanes[0]?.step;
    this.go.disabled = status === "loading";
    this.next.hidden = status !== "done" || this.cursor >= 0;
  }

  sentence() {
    const [lane] = this.lanes,
      {meta} = this;
    if (!lane || !meta)
      return this.status === "loading"
        ? "loading images and compiling: about a minute the first time."
        : "Choose a recipe at the side and start.";
    if (this.branching && this.status === "loading")
      return `storing ${meta.name} as it is, and making a branch from it.`;
    if (this.cursor >= 0) {
      const [past] = this.pastLanes || [],
        said = past
          ? `${this.unit} ${many(this.shown)}, ${meta.whole ? "" : `epoch ${number(past.passes, 2)}, `}after ${number(past.seconds, past.seconds < 10 ? 1 : 0)} s`
          : "";
      return (
        said +
        (past && this.answered === this.cursor
          ? ""
          : `${said && "; "}looking for ${this.unit} ${many(this.cursor)}\u2026`)
      );
    }
    const done =
      meta.max_seconds !== null
        ? `${number(Math.max(...this.lanes.map((other) => other.seconds)), 0)} of ${number(meta.max_seconds, 0)} s for each model`
        : `epoch ${number(lane.step / lane.meta.per_pass, 2)} of ${many(meta.n_iter)}`;
    if (meta.whole && meta.max_seconds === null)
      return `pass ${many(Math.max(...this.lanes.map((other) => other.step)))} of ${many(meta.n_iter)}`;
    return `${done}, ${this.unit} ${many(lane.step)}`;
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
    withSizes(
      [
        ...this.lanes.flatMap((lane) => [lane.mosaic.canvas, lane.usage]),
        ...this.charts.map((chart) => chart.canvas),
        this.bar.canvas,
      ],
      () => {
        if (shown) {
          for (const lane of this.lanes) lane.paint(this.colours);
          for (const chart of this.charts) chart.paint();
          this.large.paint(this.colours.tables);
          this.slow.paint(this.colours);
        }
        this.paintTransport();
      },
    );
    if (this.unpainted) {
      this.stats.painted++;
      this.unpainted = false;
    }
    this.stats.paintMs = performance.now() - begin;
  }

  paintTransport() {
    const {palette} = this.colours,
      end = this.end(),
      {meta} = this;
    this.bar.fit();
    const {context, width, height, ratio, x} = this.bar.ground(palette);
    if (meta && this.lanes.length) {
      const [every, kept, until] = this.lanes[0].history;
      context.fillStyle = palette.lanes[0];
      if (kept > 1 && width / (until / every) > 2 * ratio)
        for (let k = 0; k <= until; k += every)
          context.fillRect(x(k / end) - 0.5 * ratio, height * 0.36, ratio, height * 0.28);
      else if (kept > 1) {
        context.globalAlpha = 0.5;
        context.fillRect(x(0), height * 0.4, x(until / end) - x(0), height * 0.2);
        context.globalAlpha = 1;
      }
      const running = this.status === "running" && this.cursor < 0;
      const at = this.pastLanes && this.answered === this.cursor ? this.shown : this.cursor; // the thumb rests at a stored moment
      this.bar.show(this.cursor < 0 ? end : at, end, palette, running);
      if (!running)
        this.bar.say(
          this.cursor < 0
            ? `the present, ${this.unit} ${many(this.lanes[0].step)}`
            : `${this.unit} ${many(at)} of ${many(end)}`,
        );
      const count = Math.min(...this.lanes.map((lane) => lane.history[1])),
        mb = this.lanes.reduce((sum, lane) => sum + lane.history[3], 0);
      const text = `${many(count)} moment${count === 1 ? "" : "s"} stored, ${number(mb, mb < 10 ? 1 : 0)}${meta.budget_mb === null ? "" : ` of ${number(meta.budget_mb, 0)}`} MB`;
      const saved = this.savedAt > 0 ? `checkpoint ${timeOfDay(this.savedAt * 1000)}` : "no checkpoint yet";
      const line = `${this.cursor < 0 ? "" : "Now: "}${text}${meta.checkpoint_seconds === null ? "" : ` \u00b7 ${saved}, every ${number(meta.checkpoint_seconds, 0)} s`}`;
      if (this.kept.textContent !== line) this.kept.textContent = line;
    } else {
      this.bar.hide();
      setText(this.kept, "");
    }
    const back = this.cursor >= 0 && this.status !== "loading";
    const parts = [bold(back ? "Looking back" : SAYS[this.status]), `: ${this.sentence()}`];
    if (back)
      parts.push(`. Now: ${this.unit} ${many(this.lanes[0]?.step ?? 0)}, ${SAYS[this.status].toLowerCase()}`);
    if (this.lostAt && this.lanes.length) parts.push(", ", bold(`as of ${timeOfDay(this.lostAt)}`));
    else if (this.status === "running" && Number.isFinite(this.left))
      parts.push(", ", bold(`${clockText(this.left)} left`));
    setRich(this.says, parts);
    this.transport.style.setProperty(
      "--lt-progress",
      `${100 * (this.lanes.length ? this.progress || 0 : 0)}%`,
    );
  }

  /** @param {Chart} chart @param {MouseEvent} event */
  hover(chart, event) {
    const parent = this.meta?.parent;
    const {left, right} = chart.frame,
      ratio = chart.canvas.width / chart.canvas.clientWidth;
    const share = (event.offsetX * ratio - left) / (right - left);
    if (share < 0 || share > 1) return this.tip(null);
    const lines = chart
      .lines()
      .filter((line) => !line.dash)
      .map(({lane, ring, ghost}) => {
        const along = (/** @type {number} */ step) => (ghost ? lane.alongParent(step) : lane.along(step));
        let step = 0,
          high = ghost ? ring.lastX : lane.step; // along() rises with the step
        while (step < high) {
          const middle = (step + high + 1) >> 1;
          if (along(middle) <= share * this.endX()) step = middle;
          else high = middle - 1;
        }
        if (ghost && parent && step < parent.step) return null; // both are one run until then
        return `${lane.title}${ghost ? " of the parent" : ""}, ${this.unit} ${many(step)}: ${brief(ring.at(step))}`;
      })
      .filter(Boolean);
    this.tip(lines.join("\n"), event);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!isPageKey(event) || (event.key === " " && event.composedPath()[0] instanceof HTMLAnchorElement))
      return;
    const press = byKey(event, {
      " ": this.start,
      ArrowRight: this.buttons.step,
      s: this.buttons.slow,
      b: this.buttons.branch,
      End: this.buttons.present,
    });
    if (event.key === "ArrowLeft" && this.lanes.length) {
      const [every] = this.lanes[0].history,
        from = this.cursor < 0 ? this.end() : this.cursor;
      this.scrub(Math.max(0, (Math.ceil(from / every) - 1) * every));
    } else if (event.key === "ArrowRight" && this.cursor >= 0)
      this.scrub(this.cursor + this.lanes[0].history[0]);
    else if (press && !press.disabled) press.click();
    else return;
    event.preventDefault();
  }

  // The displayed state, for tests and other scripts of the page.
  state() {
    return {
      status: this.status,
      cursor: this.cursor,
      shown: this.pastLanes ? this.shown : null,
      progress: this.progress,
      stats: {...this.stats},
      error: this.error.textContent,
      name: this.meta?.name,
      parent: this.meta?.parent ?? null,
      lanes: this.lanes.map((lane) => ({
        title: lane.title,
        step: lane.step,
        seconds: lane.seconds,
        rate: lane.rate,
        history: lane.history,
        fine: lane.fine,
        points: Object.fromEntries(Array.from(lane.rings, ([name, ring]) => [name, ring.n])),
        parentPoints: Object.fromEntries(Array.from(lane.parent, ([name, ring]) => [name, ring.n])),
        last: Object.fromEntries(
          Array.from(lane.rings, ([name, ring]) => [name, Number.isFinite(ring.last) ? ring.last : null]),
        ),
        stamps: lane.stamps,
        filterSide: lane.mosaic.shape.side,
        filterSum: lane.filters.reduce((sum, value) => sum + Math.abs(value), 0),
      })),
    };
  }

  remove() {
    clearTimeout(this.timer);
    this.slow.hide();
    cancelAnimationFrame(this.requested);
    this.vanish?.();
  }
}
