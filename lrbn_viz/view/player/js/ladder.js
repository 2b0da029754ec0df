// How far each lane is from the exact posterior along its visits, and the ladder of approximations of the image at hand.

import {distanceTable} from "./distance_table.js";
import {card, element, setAttribute, setText} from "./dom.js";
import {dot, fitCanvas, repaint, segment, styleScale} from "./draw.js";
import {many, niceTicks, number} from "./format.js";
import {gapsOf, RUNGS, splitRungs} from "./ladder_rows.js";
import {LaneChoice} from "./lane_choice.js";
import {chooseExact, explains, MAX_EXACT, staysStale} from "./exact.js";
import {legend} from "./legend.js";
import {registerView} from "./registry.js";

/** @param {Lane} lane */
const hasDistances = (lane) => Boolean(lane.distance);

/** @typedef {"kl" | "variation"} What */
/** @type {[What, string, string][]} */
const CHARTS = [
  ["kl", "KL, nats", "Kullback-Leibler divergence from the posterior, in nats"],
  ["variation", "Total variation", "total variation from the posterior"],
];

class DistanceChart {
  frame = {left: 0, right: 1, top: 0, bottom: 1};
  k = 0;
  highest = 1;
  ratio = 1;
  font = 12;
  value = element("b");
  canvas = element("canvas", {role: "img"});
  layer = element("canvas");
  /** @type {Lane[]} */ lanes = [];
  /** @type {Lane[]} */ places = []; // all lanes; their positions give the colours
  /** @type {Colours | undefined} */ colours;

  /** @param {Player} player @param {What} what @param {string} title @param {string} spoken */
  constructor(player, what, title, spoken) {
    this.player = player;
    this.what = what;
    this.spoken = spoken;
    setAttribute(this.canvas, "aria-label", spoken); // until there is a description
    this.node = element(
      "figure",
      {},
      element("div", {class: "lv-label"}, element("span", {}, title), this.value),
      element("div", {class: "lv-fill"}, this.canvas),
    );
    this.canvas.vector = (context) => {
      this.axes(context);
      this.cursor(context);
    };
    /** @param {PointerEvent} event */
    const scrub = (event) => {
      if (event.buttons & 1) player.seek(this.visitAt(event.offsetX));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.canvas.addEventListener("pointermove", scrub);
  }

  /** @param {Lane} lane @param {number} k */
  at(lane, k) {
    return lane.distance ? lane.distance[this.what][Math.min(k, lane.n_visits)] : 0;
  }

  /** @param {number} k */
  x(k) {
    return this.frame.left + ((this.frame.right - this.frame.left) * k) / Math.max(1, this.player.clock.end);
  }

  /** @param {number} value */
  y(value) {
    return this.frame.bottom - ((this.frame.bottom - this.frame.top) * value) / this.highest;
  }

  /** @param {number} across  CSS pixels */
  visitAt(across) {
    const {left, right} = this.frame,
      share = ((across * this.canvas.width) / this.canvas.clientWidth - left) / (right - left);
    return Math.round(Math.max(0, Math.min(1, share)) * this.player.clock.end);
  }

  /** @param {Lane[]} places @param {number} k @param {Colours} colours @param {number} fontSize @param {boolean} stale @param {Lane} asked */
  paint(places, k, colours, fontSize, stale, asked) {
    const {canvas} = this,
      resized = fitCanvas(canvas);
    const lanes = (this.lanes = places.filter((lane) => lane.distance));
    this.places = places;
    this.colours = colours;
    this.k = k;
    if (stale || resized) {
      const screen = window.devicePixelRatio || 1,
        font = 0.82 * fontSize * screen;
      this.ratio = screen * Math.max(1, fontSize / 14);
      this.font = font;
      this.highest = Math.max(1e-3, ...lanes.flatMap((lane) => Array.from(lane.distance?.[this.what] ?? [])));
      if (this.what === "variation") this.highest = 1;
      this.frame = {
        left: font * 2.6,
        right: canvas.width - 6 * this.ratio,
        top: font * 0.7,
        bottom: canvas.height - font * 1.6,
      };
      Object.assign(this.layer, {width: canvas.width, height: canvas.height});
      repaint(this.layer, (context) => this.axes(context));
    }
    repaint(canvas, (context) => {
      context.drawImage(this.layer, 0, 0);
      this.cursor(context);
    });
    const now = this.at(asked, k);
    setText(this.value, number(now, 3));
    setAttribute(
      canvas,
      "aria-label",
      `${this.spoken}: ${lanes.map((lane) => `${lane.meta.title} ${number(this.at(lane, k), 3)}`).join(", ")} at visit ${many(k)} of ${many(this.player.clock.end)}`,
    );
  }

  /** @param {Pen} context */
  axes(context) {
    const {
      colours,
      frame: {left, right, bottom},
      font,
      ratio,
    } = this;
    if (!colours) return;
    const {palette} = colours,
      {ticks, digits} = niceTicks(0, this.highest, 4);
    styleScale(context, palette, font, ratio);
    for (const tick of ticks) {
      segment(context, left, this.y(tick), right, this.y(tick));
      context.fillText(number(tick, digits), left - font * 0.5, this.y(tick));
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillText(`visit 0 to ${many(this.player.clock.end)}`, (left + right) / 2, bottom + font * 1.3);
    for (const lane of this.lanes) {
      const values = lane.distance?.[this.what];
      if (!values) continue;
      context.strokeStyle = palette.lanes[this.places.indexOf(lane) % 2];
      context.lineWidth = 2 * ratio;
      context.beginPath();
      context.moveTo(this.x(0), this.y(values[0]));
      for (let k = 1; k < values.length; k++) {
        // a step function: the value is constant between visits
        if (values[k] === values[k - 1]) continue;
        context.lineTo(this.x(k), this.y(values[k - 1]));
        context.lineTo(this.x(k), this.y(values[k]));
      }
      context.lineTo(this.x(values.length - 1), this.y(values[values.length - 1]));
      context.stroke();
    }
  }

  /** @param {Pen} context */
  cursor(context) {
    const {
      colours,
      frame: {top, bottom},
      ratio,
      k,
    } = this;
    if (!colours) return;
    context.strokeStyle = colours.palette.now;
    context.lineWidth = 2 * ratio;
    segment(context, this.x(k), top, this.x(k), bottom);
    for (const lane of this.lanes)
      dot(
        context,
        this.x(Math.min(k, lane.n_visits)),
        this.y(this.at(lane, k)),
        4 * ratio,
        colours.palette.lanes[this.places.indexOf(lane) % 2],
      );
  }
}

class LadderCard {
  /** @type {Lane | undefined} */ of;
  /** @type {Lane} */ lane;
  /** @type {Lane[]} */ lanes = [];
  /** @type {Colours | undefined} */ colours;
  fontSize = 0;
  stale = true;
  title = element("small");
  rows = element("tbody");
  words = element("p", {class: "lv-caption"});
  absent = element(
    "div",
    {class: "lv-absent"},
    element(
      "p",
      {class: "lv-caption"},
      `For a model of at most ${MAX_EXACT} units this card shows how far each approximation is from the exact posterior. With more units the exact posterior is not known.`,
    ),
  );

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the ladder");
    this.charts = CHARTS.map(([what, title, spoken]) => new DistanceChart(player, what, title, spoken));
    this.table = distanceTable(this.rows, "lv-ladder-table");
    this.body = element(
      "div",
      {class: "lv-truth-body"},
      element(
        "div",
        {},
        this.table,
        legend([
          ["square", "muted", "approximation gap: the distance of the best product found"],
          ["square", "lane0 lane1", "its own: amortisation gap, explaining away"],
        ]),
        this.words,
      ),
      ...this.charts.map((chart) => chart.node),
    );
    this.node = card(
      {class: "lv-truth lv-ladder", "aria-label": "Distance from the exact posterior"},
      ["Distance from the posterior ", this.which.node, this.title],
      [],
      this.body,
      this.absent,
    );
  }

  /** @param {Lane[]} lanes */
  load(lanes) {
    if (staysStale(this.node, Boolean(this.lane?.distance), lanes)) return;
    this.lanes = lanes;
    this.of = undefined;
    this.follow();
  }

  follow() {
    const {lanes} = this,
      lane = chooseExact(this.which, lanes, hasDistances),
      {distance} = lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    this.stale = true;
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.which.index % 2})`);
    this.node.hidden = !explains(hasDistances)(lane);
    this.body.hidden = !distance;
    this.absent.hidden = Boolean(distance);
    setText(
      this.title,
      distance ? `p: all ${many(2 ** lane.n_h)} states of ${lane.n_h} units enumerated` : "",
    );
    if (distance) this.fill(distance.rungs, lane.meta.particles);
  }

  /** @param {Rung[]} rungs @param {boolean} [particles] */
  fill(rungs, particles) {
    const split = splitRungs(rungs),
      most = Math.max(1e-9, split[0].kl);
    this.rows.replaceChildren(
      ...split.map(({name, kl, total_variation: variation, shared, own}) => {
        const [title, help] = RUNGS[name] ?? [name, ""];
        /** @param {number} nats @param {string} part */
        const bar = (nats, part) => {
          const node = element("i", {"data-part-of": part});
          node.style.width = `${((100 * nats) / most).toFixed(1)}%`;
          return node;
        };
        return element(
          "tr",
          {title: help, "data-rung": name},
          element(
            "th",
            {scope: "row"},
            title,
            element("span", {class: "lv-rung", "aria-hidden": "true"}, bar(shared, "gap"), bar(own, "own")),
          ),
          element("td", {}, element("b", {}, number(kl, 3))),
          element("td", {}, element("b", {}, number(variation, 3))),
        );
      }),
    );
    const {approximation, explainingAway, amortisation} = gapsOf(rungs);
    setText(
      this.words,
      `Approximation gap ${number(approximation, 2)} nats: the best independent units found. ` +
        (explainingAway === null
          ? ""
          : `Explaining away ${number(explainingAway, 2)} nats: what factorised units lose besides, as they ignore each other. `) +
        (amortisation === null
          ? ""
          : `Amortisation gap ${number(amortisation, 2)} nats: what one pass of the recognition network loses besides. `) +
        (particles
          ? "The lane's curves are those of the weighted particles themselves, not of independent units with their means."
          : ""),
    );
  }

  /** @param {number} k @param {Colours} colours @param {number} fontSize */
  paint(k, colours, fontSize) {
    this.follow();
    const {lane} = this;
    if (!lane.distance) return;
    const stale = this.stale || this.colours !== colours || this.fontSize !== fontSize;
    this.stale = false;
    this.colours = colours;
    this.fontSize = fontSize;
    for (const chart of this.charts) chart.paint(this.lanes, k, colours, fontSize, stale, lane);
  }
}

registerView("ladder", (player) => new LadderCard(player));
