// The card of one lane: reconstruction, error, latents, curve, each under a label with its number.

import {CurveView} from "./curve.js";
import {arrowMove, box, element, setAttribute, setHidden, setText} from "./dom.js";
import {
  drawLatents,
  fitCanvas,
  gridShape,
  latentAt,
  paintError,
  paintReconstruction,
  PixelView,
  repaint,
} from "./draw.js";
import {many, number, signed} from "./format.js";
import {TERMS} from "./glossary.js";
import {darker, legend} from "./legend.js";
import {LaneMenus} from "./lane_menus.js";
import {UNIT_ORDERS, valueInWords} from "./orders.js";
import {lowerBound, ParticleReplay} from "./replay.js";
import {UNITS} from "./units.js";
import {observedWords, VariableBars} from "./variables.js";

// Legend of the colours and marks of all lanes; entries with `flips` do not apply to means.
export const boardLegend = (
  flips = legend([
    ["line", "plus", "turned on"],
    ["line", "minus", "turned off"],
  ]),
  error = legend(
    [
      ["square", "plus", "too much"],
      ["square", "minus", "too little; faint: the likelier value is right"],
    ],
    "Error",
  ),
  bars = legend(
    [
      ["square", "lane0 lane1", "mean given the latents"],
      ["line", "ink", "what was observed"],
    ],
    "Reconstruction",
  ),
  unknown = legend([["hatch", "muted", "not known; in the reconstruction, filled in"]]),
) =>
  Object.assign(
    element(
      "div",
      {class: "lv-legends"},
      legend(
        [
          ["square", "lane0 lane1", "on"],
          ["square", "faint", ["off; the ", ...darker(), ", the likelier on"]],
          ["dot", "lane0 lane1", "changed in this sweep"],
          ["ring", "now", "just visited"],
          ["dashes", "ink", "selected"],
        ],
        "Latents",
      ),
      error,
      bars,
      unknown,
      legend(
        [
          ["line", "lane0 lane1", "so far; faint: still to come"],
          ["line", "now", "cursor"],
        ],
        "Curve",
      ),
      flips,
    ),
    {flips, error, bars, unknown},
  );

export class LaneCard {
  stale = true;
  axis = 0;
  bars = new VariableBars([{kind: "share", title: "mean"}]); // in place of pictures, where the data are none
  /** @type {Lane} */ lane;
  /** @type {{reconstruction: PixelView, error: PixelView}} */ views;
  /** @type {Colours | undefined} */ colours;

  /** @param {number} index @param {Player} player */
  constructor(index, player) {
    this.index = index;
    this.player = player;
    /** @param {string} kind @param {HTMLElement} label @param {boolean} fill @param {Attributes} attributes */
    const figure = (kind, label, fill, attributes = {}) => {
      const canvas = element("canvas", {role: "img", "aria-label": kind, ...attributes});
      const value = box(),
        frame = fill ? element("div", {class: "lv-fill"}, canvas) : canvas;
      if (!fill) canvas.classList.add("lv-pixels");
      const node = element(
        "figure",
        {class: `lv-${kind}`},
        element("div", {class: "lv-label"}, label, element("b", {}, value)),
        frame,
      );
      return {canvas, label, value, node};
    };
    /** @param {(Node | string)[]} parts */
    const span = (...parts) => element("span", {}, ...parts);
    this.reconstruction = figure("reconstruction", span("Reconstruction"), false);
    this.bars.node.hidden = true;
    this.reconstruction.node.append(this.bars.node);
    this.error = figure("error", span("Error"), false);
    this.orderName = element("small");
    this.latents = figure("latents", span("Latents ", element("i", {}, "h"), this.orderName), true, {
      role: "spinbutton",
      tabindex: "0",
      "aria-label": "Latent units: arrow keys select one",
    });
    const {glossary} = player;
    this.onWords = span();
    this.heldWords = element("span", {class: "lv-held-words"});
    this.latents.value.append(this.onWords, this.heldWords);
    this.symbol = element("i");
    this.constant = span();
    this.quantity = glossary.word("log-joint", this.symbol);
    this.curve = figure(
      "curve",
      span(this.quantity, ", ", glossary.word("nats", "nats"), this.constant),
      true,
    );
    this.title = glossary.word("lane");
    this.subtitle = element("small");
    this.check = glossary.word("theorem");
    this.check.classList.add("lv-check");
    this.menus = new LaneMenus(index, player);
    this.node = element(
      "section",
      {class: "lv-card lv-lane", "data-lane": index},
      element("header", {}, element("h2", {}, span(this.title), this.subtitle), this.menus.node, this.check),
      element(
        "div",
        {class: "lv-views"},
        ...[this.reconstruction, this.error, this.latents, this.curve].map((view) => view.node),
      ),
    );
    this.curveView = new CurveView(this.curve.canvas);
    this.listen();
  }

  listen() {
    const {player, index} = this,
      grid = this.latents.canvas,
      curve = this.curve.canvas;
    grid.addEventListener("click", (event) => {
      const j = latentAt(grid, this.lane, event);
      if (j >= 0) player.select(index, player.selected.lane === index && player.selected.unit === j ? -1 : j);
    });
    grid.addEventListener("pointermove", (event) => {
      const j = latentAt(grid, this.lane, event);
      player.tip(j < 0 ? null : this.describe(j), event);
    });
    grid.addEventListener("pointerleave", () => player.tip(null));
    grid.addEventListener("keydown", (event) => {
      const {columns} = gridShape(this.lane.n_h, grid.width, grid.height);
      const move = arrowMove(event, columns);
      if (!move || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const from =
        player.selected.lane === index && player.selected.unit >= 0
          ? player.selected.unit
          : Math.max(0, this.lane.currentUnit);
      const place = this.lane.order.indexOf(from) + move;
      player.select(index, this.lane.order[Math.max(0, Math.min(this.lane.n_h - 1, place))]);
    });
    /** @param {PointerEvent} event */
    const scrub = (event) => {
      if (event.buttons & 1) player.seek(this.curveView.visitAt(event.offsetX));
    };
    curve.addEventListener("pointerdown", (event) => {
      curve.setPointerCapture(event.pointerId);
      scrub(event);
    });
    curve.addEventListener("pointermove", scrub);
  }

  /** @param {Lane} lane @param {number} rows @param {number} columns */
  load(lane, rows, columns) {
    this.lane = lane;
    this.views = {
      reconstruction: PixelView.of(this.views?.reconstruction, this.reconstruction.canvas, rows, columns),
      error: PixelView.of(this.views?.error, this.error.canvas, rows, columns),
    };
    const {variables} = lane;
    this.node.toggleAttribute("data-table", variables !== null);
    setHidden(this.bars.node, !variables);
    this.bars.load(variables ?? []);
    setAttribute(
      this.reconstruction.label,
      "title",
      variables ? "Bar: the mean of each variable given the latents. Mark: what was observed" : "",
    );
    setText(this.error.label, lane.shades ? "Residual" : "Error");
    setText(this.title, lane.meta.title);
    const kind = lane.meta.title.split(/[^a-z]/i)[0].toLowerCase(); // kind of the model, or a word of its name
    this.player.glossary.set(this.title, kind in TERMS ? kind : "lane");
    this.menus.load(this.player.menus[this.index]);
    setHidden(this.subtitle, this.menus.offered); // the menus contain it
    setText(this.subtitle, lane.howInWords);
    const {normalised} = lane.meta,
      symbol = this.isBound ? this.boundInWords : normalised ? "log P(x, h)" : "log P*(x, h)";
    setText(this.symbol, symbol);
    this.player.glossary.set(this.quantity, this.isBound ? this.boundTerm : "log-joint");
    setText(this.constant, normalised ? "" : " + constant");
    this.stale = true;
  }

  /** @param {number} j */
  describe(j) {
    const {lane} = this,
      probability = lane.conditional(j);
    const state = lane.stateOf(j);
    const name = lane.nameOf(j);
    if (lane.held.has(j)) return `${name}: held ${state}, never visited`;
    if (lane.meta.particles) return `${name}: ${state} of the weighted particles`;
    if (probability === null) return `${name}: ${state}, not yet visited`;
    return `${name}: ${state}\nlog-odds ${signed(lane.logOdds[lane.last[j]])}, P ${probability.toFixed(3)}\nat its newest visit${valueInWords(lane, this.player.order, j)}`;
  }

  // Whether the curve shows a bound on log P(x), or an estimate of it, instead of log P(x, h), and how it is called.
  get isBound() {
    return this.lane.meta.means;
  }
  get boundTerm() {
    return this.lane.meta.particles ? "particles" : "mean-field";
  }
  get boundInWords() {
    const {held, meta} = this.lane;
    return meta.particles ? `estimate of log P(x${held.size ? " and held units" : ""})` : "bound on log P(x)";
  }

  // Its canvases that are as large as their boxes.
  get fitted() {
    return [this.latents.canvas, this.curve.canvas];
  }

  /** @param {number} fontSize */
  axisWidth(fontSize) {
    return this.curveView.axisWidth(this.lane, fontSize);
  }

  /** @param {number} k @param {Colours} colours @param {number} fontSize @param {number} axis */
  paint(k, colours, fontSize, axis) {
    const {lane} = this;
    const {palette, tables} = colours,
      accent = palette.lanes[this.index % 2];
    lane.seek(k);
    if (lane.variables) this.paintVariables();
    else {
      paintReconstruction(this.views.reconstruction, lane, tables);
      paintError(this.views.error, lane, tables);
    }
    const grid = this.latents.canvas,
      {selected} = this.player;
    fitCanvas(grid);
    repaint(
      grid,
      (grid.vector = (context) =>
        drawLatents(
          context,
          grid,
          lane,
          palette,
          accent,
          selected.lane === this.index ? selected.unit : -1,
          k > lane.n_visits ? -1 : lane.currentUnit,
        )),
    );
    const depth = lane.model.layers.length,
      round = depth > 2 ? `layers 2 to ${depth} round` : "layer 2 round";
    const notes = [
      this.player.order === "number" ? "" : UNIT_ORDERS[this.player.order][0],
      depth > 1 ? round : "",
    ].filter(Boolean);
    setText(this.orderName, notes.length ? ` ${notes.join(", ")}` : "");
    if (fitCanvas(this.curve.canvas) || this.stale || this.colours !== colours || this.axis !== axis) {
      this.curveView.prepare(lane, this.player.clock.end, palette, accent, fontSize, axis);
      this.stale = false;
      this.colours = colours;
      this.axis = axis;
    }
    this.curveView.paint(k);
    setText(this.reconstruction.value, lane.variables ? lane.wrongInWords : "");
    setText(this.error.value, lane.shades ? `SSE ${lane.wrongNow.toFixed(1)}` : lane.wrongInWords); // no room for the full term
    setText(this.onWords, lane.onInWords);
    setText(this.heldWords, lane.held.size ? `, ${lane.held.size} held (\u00d7)` : "");
    setText(this.curve.value, number(lane.logJointNow, 2));
    this.paintCheck();
  }

  // The mean of each variable given the latents, and what was observed.
  paintVariables() {
    const {lane, bars} = this,
      {binary, threshold} = UNITS[lane.model.visible];
    for (let i = 0; i < lane.n_v; i++) {
      const mean = lane.mean(i),
        x = lane.x[i];
      bars.bar(i, 0, lane.shade(mean, i));
      bars.observed(
        i,
        lane.shade(x, i),
        binary && lane.a[i] > threshold !== x > 0.5,
        mean.toFixed(binary ? 2 : 1),
      );
    }
  }

  // Theorem 1 at the cursor: whether log P(x, h) has decreased so far.
  paintCheck() {
    const {lane} = this;
    const falls = lowerBound(lane.falls, lane.k);
    const done = lane.k >= lane.n_visits;
    const what = this.isBound ? "the bound" : "log P",
      often = falls === 1 ? "once" : `${falls} times`;
    let ok = "yes",
      text = `${what} never decreased`;
    if (falls && lane.meta.sampled) [ok, text] = ["", `${what} decreased ${often}, as sampling may`];
    else if (lane.meta.sampled) [ok, text] = ["", `${what} has not decreased; sampling may lower it`];
    else if (falls && lane.meta.means) [ok, text] = ["", `${what} decreased ${often}, as an upward pass may`];
    else if (falls) [ok, text] = ["no", `${what} decreased ${often}: Theorem 1 does not hold here`];
    else if (lane.independent)
      [ok, text] = ["", done ? "exact in one pass: units do not interact" : "one pass"];
    const short = lane.meta.optimum == null ? null : lane.meta.optimum - lane.logJointNow;
    if (done && short !== null)
      text += short < 1e-6 ? ", at the exact optimum" : `, ${number(short, 2)} nats below the exact optimum`;
    else if (done && lane.meta.converged && !lane.independent) text += ", converged";
    if (lane instanceof ParticleReplay) [ok, text] = ["", lane.sizeInWords];
    setText(this.check, text);
    this.player.glossary.set(
      this.check,
      this.isBound ? this.boundTerm : lane.independent && ok === "" ? "factorised" : "theorem",
    );
    setAttribute(this.check, "data-ok", ok);
  }

  // Text for screen readers; set when the cursor rests.
  label() {
    const {lane} = this,
      title = lane.meta.title;
    /** @param {{canvas: HTMLCanvasElement}} view @param {string} text */
    const set = (view, text) => view.canvas.setAttribute("aria-label", text);
    set(this.reconstruction, `${title}: reconstruction of the image`);
    if (lane.variables) {
      const {binary} = UNITS[lane.model.visible];
      this.bars.list.setAttribute(
        "aria-label",
        `${title}: reconstruction of the observations, ${lane.wrongInWords}`,
      );
      this.bars.say((i) =>
        binary
          ? `probability ${lane.mean(i).toFixed(2)}, ${observedWords(lane.x, i)}`
          : `mean ${lane.mean(i).toFixed(2)}, ${Number.isNaN(lane.x[i]) ? "not known" : `observed ${lane.x[i].toFixed(2)}`}`,
      );
    }
    set(
      this.error,
      `${title}: ${lane.shades ? "residual" : "error"} map of ${lane.n_v} pixels, ${lane.wrongInWords}`,
    );
    set(
      this.curve,
      `${title}: ${this.isBound ? this.boundInWords : "log joint"} ${number(lane.logJointNow, 2)} nats at visit ${many(lane.k)} of ${many(lane.n_visits)}`,
    );
    const {selected} = this.player,
      grid = this.latents.canvas;
    const unit =
      selected.lane === this.index && selected.unit >= 0 ? selected.unit : Math.max(0, lane.currentUnit);
    grid.setAttribute("aria-label", `${title}: latent units`);
    grid.setAttribute("aria-valuemin", "0");
    grid.setAttribute("aria-valuemax", String(lane.n_h - 1));
    grid.setAttribute("aria-valuenow", String(unit));
    grid.setAttribute("aria-valuetext", this.describe(unit).replaceAll("\n", ", "));
  }
}
