// Training curves: small multiples over one horizontal axis, epochs or seconds.

import {element, penOf} from "../../player/js/dom.js";
import {dot, fitCanvas, segment} from "../../player/js/draw.js";
import {brief, niceTicks, number, unbroken} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";
import {FONT} from "../../player/js/theme.js";

/**
 * @typedef {object} ChartSpec
 * @property {string} title
 * @property {string} unit
 * @property {[name: string, dash?: number[]][]} series
 * @property {string} [help]
 * @property {boolean} [scores]  lanes share a chart only where their scores mean the same; its title names it
 * @property {[solid: string, dotted: string]} [lines]  what its lines are, where there are dotted ones
 * @property {string} [grey]  its title where images are grey
 * @property {boolean} [zero]  its axis begins at 0
 * @property {[below: number, words: string][]} [low]  what a newest value below a bound says, the lowest bound first
 */

/** @typedef {import("./learner.js").TrainLane} TrainLane */

/** @type {ChartSpec[]} */
export const CHARTS = [
  {
    title: "Training log P(x, h)",
    unit: "nats/image",
    series: [["log_joint"]],
    help: "of the minibatch, with the latents that the E-step found",
  },
  {
    title: "Training bound on log P(x)",
    unit: "nats/image",
    series: [["bound"]],
    help: "of the minibatch, by the mean weight of each image's particles, or by mean field",
  },
  {title: "Validation", unit: "nats/image", series: [["validation_score"]], scores: true}, // each model names its score
  {
    title: "Wrong pixels",
    unit: "per image",
    series: [["probe_wrong_pixels"], ["probe_wrong_pixels_factorised", [3, 3]]],
    help: "of held-out images",
    lines: ["the model's own inference", "every unit as if the others were off"],
    grey: "Squared error",
  },
  {title: "Gradient norm", unit: "", series: [["gradient_norm"]], help: "of all parameters together"},
  {
    title: "Dead units",
    unit: "never on",
    series: [["probe_dead_units"]],
    zero: true,
    help: "units that no held-out image turns on",
  },
  {
    title: "Flips per E-step",
    unit: "per image",
    series: [["flips"]],
    zero: true,
    help: "latents that inference changed",
  },
  {
    title: "Sweeps per E-step",
    unit: "per image",
    series: [["sweeps"]],
    zero: true,
    help: "visits to every unit until nothing changes",
  },
  {
    title: "Effective sample size",
    unit: "particles",
    series: [["effective_sample_size"]],
    zero: true,
    help: "of each image's particles: how many of them share the weight",
  },
  {
    title: "Variance of the learning signal",
    unit: "",
    series: [["signal_variance"], ["signal_variance_raw", [3, 3]]],
    zero: true,
    help: "of the factor by which a recognition network follows a particle",
    lines: ["with the baseline", "without it"],
  },
  {
    title: "Stage of training",
    unit: "",
    series: [["stage"]],
    zero: true,
    help: "1: the lower layer learns, 2: the layer above it, on its latents, 3: all layers together",
  },
  {
    title: "Layer 2: bound gap",
    unit: "nats",
    series: [["validation_upper_layer_gap"]],
    zero: true,
    low: [
      [0.1, "layer 2 is not used"],
      [0.5, "layer 2 is hardly used"],
    ],
    help: "by how much the variational bound of a held-out image falls if the upper layer's means are replaced by their average over all images: near 0 the upper layer is not used. Known once both layers have learned together",
  },
  {
    title: "Error of the prediction",
    unit: "",
    series: [["guess_error"]],
    zero: true,
    help: "error of the means that the recognition network predicts",
  },
  {
    title: "Weights near 0",
    unit: "share",
    series: [["near_zero"]],
    zero: true,
    help: "less than two standard deviations from 0, by the posterior of variational Bayes",
  },
  {
    title: "Layer 2: share of units on",
    unit: "",
    series: [["upper_activity"]],
    zero: true,
    help: "of the minibatch: the states that the E-step found, the means of mean field, or the recognition network's means given drawn lower latents",
  },
  {
    title: "Share of units on",
    unit: "",
    series: [["units_on"], ["activity"], ["fantasy_activity", [3, 3]]],
    zero: true,
    help: "the two of an RBM agree in a model that fits",
    lines: ["given training images", "in the RBM's own chains"],
  },
];

export class Chart {
  canvas = element("canvas", {role: "img"});
  value = element("b");
  key = element("div");
  dotted = ""; // lanes with dotted lines
  frame = {left: 0, right: 0, top: 0, bottom: 0};
  labelled = "";
  /** @type {unknown[]} */ painted = [];
  /** @type {ReturnType<Chart["lines"]>} */ shown = [];

  /** @param {import("./board.js").TrainBoard} board @param {ChartSpec} spec @param {TrainLane[]} lanes @param {string} title @param {string} help */
  constructor(board, spec, lanes, title, help) {
    this.board = board;
    this.spec = spec;
    this.lanes = lanes;
    this.node = element(
      "figure",
      {class: "lt-chart", title: help},
      element(
        "figcaption",
        {},
        element("span", {}, unbroken(title), element("small", {}, spec.unit ? ` ${spec.unit}` : "")),
        this.value,
      ),
      this.key,
      this.canvas,
    );
    this.title = title;
    this.canvas.addEventListener("pointermove", (event) => board.hover(this, event));
    this.canvas.addEventListener("pointerleave", () => board.tip(null));
  }

  lines() {
    /** @param {TrainLane} lane @param {boolean} ghost */
    const of = (lane, ghost) =>
      this.spec.series.flatMap(([name, dash]) => {
        const ring = (ghost ? lane.parent : lane.rings).get(name);
        return ring && (ring.n || Number.isFinite(ring.last)) ? [{lane, dash, ghost, ring}] : [];
      });
    return this.lanes.flatMap((lane) => [...of(lane, true), ...of(lane, false)]); // the run's own line over its parent's
  }

  // Before a paint: hide charts without values.
  makeRoom() {
    this.shown = this.lines();
    if (this.node.hidden !== !this.shown.length) this.node.hidden = !this.shown.length;
    const lanes = (/** @type {boolean} */ dotted) =>
      Array.from(
        new Set(
          this.shown.filter(({dash}) => Boolean(dash) === dotted).map(({lane}) => `lane${lane.index % 2}`),
        ),
      ).join(" ");
    const dotted = lanes(true),
      {lines} = this.spec;
    if (dotted === this.dotted || !lines) return;
    this.dotted = dotted;
    this.key.replaceChildren(
      ...(dotted
        ? [
            legend([
              ["line", lanes(false), lines[0]],
              ["broken", dotted, lines[1]],
            ]),
          ]
        : []),
    );
  }

  paint() {
    const {board, canvas, shown: lines} = this,
      {palette} = board.colours;
    if (!lines.length) return;
    const now = [
      palette,
      board.fontSize,
      board.endX(),
      board.axis,
      board.cursor,
      board.pastLanes,
      ...lines.flatMap(({ring}) => [ring.n, ring.lastX, ring.last]),
    ];
    if (
      !fitCanvas(canvas) &&
      this.painted.length === now.length &&
      now.every((value, i) => Object.is(value, this.painted[i]))
    )
      return;
    this.painted = now;
    const context = penOf(canvas),
      {width, height} = canvas;
    const screen = window.devicePixelRatio || 1,
      font = board.fontSize * 0.76 * screen,
      thick = Math.max(1, board.fontSize / 14) * screen;
    let low = this.spec.zero ? 0 : Infinity,
      high = -Infinity;
    for (const {ring, ghost} of lines) {
      // the scale ignores the first twentieth of a line, whose extreme values would flatten the rest
      const from = ring.n > 40 && !this.spec.zero && !ghost ? Math.floor(ring.n / 20) : 0;
      for (let i = from; i < ring.n; i++) {
        low = Math.min(low, ring.y[i]);
        high = Math.max(high, ring.y[i]);
      }
      low = Math.min(low, ring.last);
      high = Math.max(high, ring.last);
    }
    if (!(high > low)) {
      high = low + Math.max(1, Math.abs(low) * 0.1);
      if (!this.spec.zero) low -= Math.max(1, Math.abs(low) * 0.1);
    }
    const room = (high - low) * 0.07;
    if (!this.spec.zero) low -= room;
    high += room;
    const {ticks, digits} = niceTicks(low, high, 3);
    context.clearRect(0, 0, width, height);
    context.font = `${font}px ${FONT}`;
    const texts = ticks.map((tick) => number(tick, digits));
    const left = Math.max(font * 2.4, ...texts.map((text) => context.measureText(text).width)) + font * 0.6;
    const frame = (this.frame = {
      left,
      right: width - 5 * thick,
      top: 4 * thick,
      bottom: height - font * 1.5,
    });
    const end = board.endX(),
      x = (/** @type {number} */ value) => frame.left + ((frame.right - frame.left) * value) / end;
    const y = (/** @type {number} */ value) =>
      frame.bottom - ((value - low) / (high - low)) * (frame.bottom - frame.top);
    context.lineWidth = thick;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    ticks.forEach((tick, i) => {
      const at = Math.round(y(tick)) + 0.5;
      segment(context, frame.left, at, frame.right, at);
      context.fillText(texts[i], frame.left - font * 0.4, at);
    });
    const across = niceTicks(0, end, 4);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    across.ticks.forEach((tick) =>
      context.fillText(number(tick, across.digits), Math.min(x(tick), width - font), height - font * 0.25),
    );
    context.save();
    context.beginPath();
    context.rect(frame.left, 0, frame.right - frame.left + 5 * thick, frame.bottom + thick);
    context.clip();
    for (const {lane, ring, dash, ghost} of lines) {
      const along = (/** @type {number} */ step) => (ghost ? lane.alongParent(step) : lane.along(step));
      context.strokeStyle = palette.lanes[lane.index % 2];
      context.lineWidth = (ghost ? 1.1 : 1.8) * thick;
      context.globalAlpha = ghost ? 0.6 : 1;
      context.lineJoin = "round";
      context.setLineDash((dash || (ghost ? [7, 4] : [])).map((length) => length * thick));
      context.beginPath();
      let before = -Infinity;
      for (let i = 0; i < ring.n; i++) {
        const at = x(along(ring.x[i]));
        if (at - before < 0.6 && i < ring.n - 1) continue; // at most one point per pixel
        if (i) context.lineTo(at, y(ring.y[i]));
        else context.moveTo(at, y(ring.y[i]));
        before = at;
      }
      const last = x(along(ring.lastX));
      if (ring.n) context.lineTo(last, y(ring.last));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      if (!ghost && (!dash || ring.n < 2))
        dot(context, last, y(ring.last), 2.6 * thick, palette.lanes[lane.index % 2]);
    }
    context.restore();
    if (board.cursor >= 0) {
      const at = x(
        board.pastLanes ? board.lanes[0].alongPast(board.pastLanes) : board.lanes[0].along(board.cursor),
      );
      context.strokeStyle = palette.now;
      context.lineWidth = 2 * thick;
      segment(context, at, frame.top, at, frame.bottom);
    }
    if (board.cursor >= 0 && board.pastLanes) {
      for (const {lane, ghost} of lines) {
        for (const [key] of ghost ? [] : this.spec.series) {
          const value = lane.figure(key);
          if (Number.isFinite(value))
            dot(
              context,
              x(lane.alongPast(board.pastLanes)),
              y(value),
              2.6 * thick,
              palette.lanes[lane.index % 2],
            );
        }
      }
    }
    this.label();
  }

  // The newest values of both lanes, or those of the displayed moment, as text.
  label() {
    const {board} = this,
      name = this.spec.series;
    const parts = this.lanes.flatMap((lane) => {
      const [key] = name.find(([key]) => Number.isFinite(lane.rings.get(key)?.last)) ?? [];
      if (!key) return [];
      const value = lane.figure(key),
        measured = board.cursor >= 0 ? board.pastLanes?.[lane.index].figures[key]?.[1] : undefined;
      const low = this.spec.low?.find(([below]) => value < below),
        says = low ? `: ${low[1]}` : "";
      return [
        {
          lane,
          text: Number.isFinite(value)
            ? brief(value) + says
            : board.cursor < 0 || board.pastLanes
              ? "\u2013"
              : "\u2026",
          measured,
        },
      ];
    });
    const text = parts.map((part) => part.text).join("\n");
    if (text === this.labelled) return;
    this.labelled = text;
    this.value.replaceChildren(
      ...parts.map(({lane, text, measured}) =>
        element(
          "span",
          {
            style: `color: var(--lv-lane${lane.index % 2})`,
            title: measured == null ? null : `measured at minibatch ${number(measured, 0)}`,
          },
          text,
        ),
      ),
    );
    const before = this.lanes.map((lane) => {
      const ring = name.map(([key]) => lane.parent.get(key)).find((found) => found);
      return ring ? `, ${lane.title} of the parent, dashed, ends at ${brief(ring.last)}` : "";
    });
    this.canvas.setAttribute(
      "aria-label",
      `${this.title}: ${parts.map(({lane, text}) => `${lane.title} ${text}`).join(", ")}${before.join("")}`,
    );
  }
}
