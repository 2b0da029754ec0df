// The exact posterior of a model that is small enough for enumeration, beside approximations.

import {probabilityOf} from "../../../browser/js/formulas.js";
import {distanceTable} from "./distance_table.js";
import {card, element, penOf, setText} from "./dom.js";
import {fitCanvas, namedTicks, PixelMap, repaint, segment} from "./draw.js";
import {byte, chance, many, number, signed, signedColour} from "./format.js";
import {LaneChoice} from "./lane_choice.js";
import {chooseExact, explains, MAX_EXACT, staysStale} from "./exact.js";
import {legend} from "./legend.js";
import {registerView} from "./registry.js";
import {FONT} from "./theme.js";

// Title and description by name in the packed block.
/** @type {Record<string, [string, string]>} */
const APPROXIMATIONS = {
  state: ["end of the lane", "all probability on the state in which the lane ends"],
  feed_forward: [
    "feed-forward",
    "independent units, each by its conditional with all others off: what a factorised model does with these weights",
  ],
  mean_field: ["mean field", "independent units, fitted to the posterior one at a time until none changes"],
  marginals: ["exact marginals", "independent units, each with its exact probability"],
  gibbs: ["Gibbs", "the states after each sweep of a Gibbs chain"],
};

// Corners of each approximation's mark around (0, 0), so that shapes distinguish them as well as colours; bars show the exact
// marginals.
/** @type {Record<string, [number, number][]>} */
const MARKS = {
  state: [
    [-0.8, -0.8],
    [0.8, -0.8],
    [0.8, 0.8],
    [-0.8, 0.8],
  ],
  feed_forward: [
    [0, -1],
    [1, 0.8],
    [-1, 0.8],
  ],
  mean_field: Array.from({length: 16}, (_, n) => [
    0.95 * Math.sin((n * Math.PI) / 8),
    0.95 * Math.cos((n * Math.PI) / 8),
  ]),
  gibbs: [
    [0, -1.15],
    [1.15, 0],
    [0, 1.15],
    [-1.15, 0],
  ],
};
const MARKED = Object.keys(MARKS);

/** @param {Lane} lane */
const hasPosterior = (lane) => Boolean(lane.truth);

/** @param {Pen} context @param {string} name @param {number} x @param {number} y @param {number} size @param {Palette} palette */
function drawMark(context, name, x, y, size, palette) {
  context.beginPath();
  const [first] = MARKS[name];
  for (const corner of [...MARKS[name], first])
    context[corner === first ? "moveTo" : "lineTo"](x + corner[0] * size, y + corner[1] * size);
  /** @type {Record<string, string>} */
  const fills = {
    state: palette.ink,
    feed_forward: palette.minus,
    mean_field: palette.lanes[1],
    gibbs: palette.plus,
  };
  context.fillStyle = fills[name];
  context.fill();
  context.lineWidth = size * 0.3;
  context.strokeStyle = palette.surface;
  context.stroke();
}

class TruthCard {
  drawn = "";
  state = "";
  saysAbsent = "";
  fontSize = 0;
  worst = 0;
  frame = {left: 0, wide: 1, box: 0, line: 1, rows: {"exact MAP": 0, cursor: 0}};
  title = element("small");
  chance = element("b");
  live = element(
    "span",
    {class: "lv-caption"},
    "P(",
    element("i", {}, "h"),
    " | ",
    element("i", {}, "x"),
    ") of the state at the cursor ",
    this.chance,
  );
  chart = element("canvas", {role: "img", "aria-label": "exact marginals"});
  rows = element("tbody");
  maps = element("div", {class: "lv-maps"});
  absent = element("div", {class: "lv-absent"});
  layer = element("canvas");
  /** @type {Lane[]} */ lanes = [];
  /** @type {[string, string][]} */ small = [];
  /** @type {(() => void)[]} */ marks = [];
  /** @type {ReturnType<TruthCard["covariance"]>[]} */ covariances = [];
  /** @type {Lane | undefined} */ of; // the lane whose results are shown
  /** @type {Lane} */ lane;
  /** @type {Truth | null} */ truth = null;
  /** @type {ReturnType<TruthCard["addRows"]>} */ row;
  /** @type {Colours} */ colours;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the exact posterior");
    this.chart.vector = (context) => {
      if (this.truth) this.drawAll(context, this.truth);
    };
    this.table = distanceTable(this.rows);
    this.body = element(
      "div",
      {class: "lv-truth-body"},
      element(
        "figure",
        {},
        element("div", {class: "lv-label"}, element("span", {}, "How often each unit is on")),
        element("div", {class: "lv-fill"}, this.chart),
        legend([
          ["pale", "lane0 lane1", "bar: exactly"],
          ["square", "lane0 lane1", "below: on"],
          ["square", "faint", "off"],
          ["ring", "now", "differs from the exact MAP"],
          ["square", "line", "column: selected unit"],
        ]),
        element("p", {class: "lv-caption"}, "Marks: the approximations of the table, each with its own."),
      ),
      this.table,
      element(
        "div",
        {},
        this.maps,
        element(
          "p",
          {class: "lv-caption"},
          "Covariance of each pair of units: orange, on together; blue, one instead of the other. Diagonal: variance.",
        ),
      ),
    );
    this.node = card(
      {class: "lv-truth", "aria-label": "The exact posterior"},
      ["The exact posterior ", this.which.node, this.title],
      [this.live],
      this.body,
      this.absent,
    );
    this.listen();
  }

  listen() {
    this.chart.addEventListener("pointermove", (event) =>
      this.player.tip(this.describe(this.unitAt(event.offsetX)), event),
    );
    this.chart.addEventListener("pointerleave", () => this.player.tip(null));
    this.chart.addEventListener("click", (event) => {
      const j = this.unitAt(event.offsetX);
      if (j >= 0) this.player.select(this.which.index, j);
    });
  }

  /** @param {Lane[]} lanes @param {TraceMeta} meta */
  load(lanes, meta) {
    if (staysStale(this.node, this.truth !== null, lanes)) return;
    this.lanes = lanes;
    this.small = meta.small || [];
    this.of = undefined;
    this.follow();
  }

  // Show the results of the selected lane.
  follow() {
    const {lanes} = this,
      lane = chooseExact(this.which, lanes, hasPosterior),
      {truth, n_h} = lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    this.truth = truth;
    this.drawn = "";
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.which.index % 2})`);
    this.node.hidden = !explains(hasPosterior)(lane);
    this.live.hidden = this.body.hidden = !truth;
    this.absent.hidden = Boolean(truth);
    setText(this.title, truth ? `all ${many(2 ** n_h)} states of ${n_h} units enumerated` : "");
    if (!truth) return this.loadAbsent(n_h, this.small);
    const {approximations} = truth;
    this.row = this.addRows(approximations);
    /** @param {string} name @param {string} title */
    const of = (name, title) => {
      const at = approximations.findIndex((entry) => entry.name === name),
        {samples} = approximations[at] ?? {};
      return this.covariance(samples ? `${title}, ${many(samples)}` : title, truth.covariance, 1 + at);
    };
    this.covariances = [of("", "exact"), of("mean_field", "independent"), of("gibbs", "Gibbs")];
    this.maps.replaceChildren(...this.covariances.map((view) => view.node));
  }

  /** @param {number} n_h @param {[string, string][]} small */
  loadAbsent(n_h, small) {
    const {compare} = this.player.callbacks,
      says = JSON.stringify([n_h, small]);
    if (this.saysAbsent === says) return;
    this.saysAbsent = says;
    const buttons = compare
      ? small.map(([name, title]) =>
          element("button", {type: "button", class: "lv-btn lv-small", onclick: () => compare(name)}, title),
        )
      : [];
    this.absent.replaceChildren(
      element(
        "p",
        {class: "lv-caption"},
        `${n_h} units have 2`,
        element("sup", {}, String(n_h)),
        " states: too many to enumerate, so the exact posterior is not known. " +
          `For a model of at most ${MAX_EXACT} units this card shows the posterior, its most probable state and its covariances, and how far each approximation is from it.`,
      ),
      ...(buttons.length ? [element("div", {class: "lv-row"}, ...buttons)] : []),
    );
  }

  // One row per approximation, after the row of the state at the cursor.
  /** @param {Approximation[]} approximations */
  addRows(approximations) {
    this.worst = Math.max(...approximations.map((entry) => entry.kl), 1e-9);
    this.marks = [];
    /** @param {string} name @param {string} title @param {string} help @param {number | null} [samples] */
    const row = (name, title, help, samples) => {
      const mark = element("canvas", {class: "lv-mark", "aria-hidden": "true"});
      if (MARKS[name]) {
        const draw = (mark.vector = (/** @type {Pen} */ context) =>
          drawMark(context, name, mark.width / 2, mark.height / 2, mark.width * 0.36, this.colours.palette));
        this.marks.push(() => {
          fitCanvas(mark);
          repaint(mark, draw);
        });
      }
      const cell = () => {
        const value = element("b"),
          bar = element("i", {class: "lv-share"});
        return {value, bar, node: element("td", {}, value, bar)};
      };
      const kl = cell(),
        variation = cell(),
        words = samples ? `${title}, ${many(samples)} states` : title;
      return {
        kl,
        variation,
        node: element(
          "tr",
          {title: help},
          element("th", {scope: "row"}, mark, words),
          kl.node,
          variation.node,
        ),
      };
    };
    const cursor = row("", "state at the cursor", "all probability on the state at the cursor");
    this.rows.replaceChildren(
      cursor.node,
      ...approximations.map(({name, kl, total_variation: variation, samples}) => {
        const [title, help] = APPROXIMATIONS[name] ?? [name, ""],
          parts = row(name, title, help, samples);
        this.fill(parts, kl, variation);
        return parts.node;
      }),
    );
    return cursor;
  }

  /** @param {Pick<ReturnType<TruthCard["addRows"]>, "kl" | "variation">} given @param {number} nats @param {number} share */
  fill({kl, variation}, nats, share) {
    kl.value.textContent = number(nats, 3);
    variation.value.textContent = number(share, 3);
    kl.bar.style.width = `${(100 * Math.min(1, nats / this.worst)).toFixed(1)}%`;
    variation.bar.style.width = `${(100 * share).toFixed(1)}%`;
  }

  /** @param {string} title @param {Float32Array} all @param {number} row */
  covariance(title, all, row) {
    const {n_h} = this.lane,
      values = all.subarray(row * n_h * n_h, (row + 1) * n_h * n_h);
    const map = new PixelMap(n_h, n_h, title),
      value = element("b");
    /** @param {MouseEvent} event */
    const at = (event) => {
      const size = map.canvas.clientWidth / n_h;
      return [event.offsetY, event.offsetX].map((place) => this.lane.order[Math.floor(place / size)]);
    };
    map.canvas.addEventListener("pointermove", (event) => {
      const [j, k] = at(event);
      this.player.tip(j === undefined || k === undefined ? null : this.describePair(j, k), event);
    });
    map.canvas.addEventListener("pointerleave", () => this.player.tip(null));
    map.canvas.addEventListener("click", (event) => {
      const [j] = at(event);
      if (j !== undefined) this.player.select(this.which.index, j);
    });
    let strongest = 0;
    for (let j = 0; j < n_h; j++)
      for (let k = 0; k < j; k++)
        if (Math.abs(values[j * n_h + k]) > Math.abs(strongest)) strongest = values[j * n_h + k];
    const independent = Math.abs(strongest) < 1e-9;
    value.textContent = independent ? "0" : signed(strongest, 2);
    const label = `${title}: covariances of ${n_h} units, ${independent ? "all zero" : `strongest ${signed(strongest, 3)}`}`;
    map.canvas.setAttribute("aria-label", label);
    const node = element(
      "figure",
      {},
      element("div", {class: "lv-label"}, element("span", {}, title), value),
      map.canvas,
    );
    return {title, values, strongest, map, node};
  }

  // Each frame: update the parts that depend on the state at the cursor.
  /** @param {number} k @param {Colours} colours @param {number} fontSize */
  paint(k, colours, fontSize) {
    this.follow();
    if (!this.truth) return;
    const {
        lane,
        truth,
        chart,
        player: {selected},
      } = this,
      state = lane.h.join("");
    const drawn = `${selected.lane} ${selected.unit} ${lane.order.join()}`;
    const same =
      !fitCanvas(chart) && drawn === this.drawn && this.colours === colours && this.fontSize === fontSize;
    if (same && state === this.state) return;
    this.drawn = drawn;
    this.state = state;
    this.colours = colours;
    this.fontSize = fontSize;
    const p = probabilityOf(lane.logJointNow, truth.log_evidence);
    this.chance.textContent = chance(p);
    this.fill(this.row, Math.max(0, truth.log_evidence - lane.logJointNow), 1 - p);
    if (!same) {
      this.layer = element("canvas", {width: chart.width, height: chart.height});
      this.draw(penOf(this.layer), truth);
    }
    const context = penOf(chart);
    context.clearRect(0, 0, chart.width, chart.height);
    context.drawImage(this.layer, 0, 0);
    this.drawState(context, "cursor", lane.h, truth.map);
  }

  // At rest: update the pictures that do not depend on the cursor, and the text for screen readers.
  /** @param {Colours} colours */
  rest(colours) {
    if (!this.truth) return;
    const {
        lane,
        truth: {marginals, map},
      } = this,
      {n_h, order} = lane,
      {ink, signed: table} = colours.tables;
    const top = Math.max(0.01, ...this.covariances.map((view) => Math.abs(view.strongest)));
    for (const {
      values,
      map: {view},
    } of this.covariances) {
      view.paint((p) => {
        const j = order[Math.floor(p / n_h)],
          k = order[p % n_h],
          value = values[j * n_h + k];
        return j === k ? ink[byte(value)] : signedColour(table, value / top);
      });
    }
    for (const paintMark of this.marks) paintMark();
    const said = Array.from(lane.h, (_, j) => `${lane.unitName(j)} ${marginals[j].toFixed(2)}`).join(", ");
    const differs = Array.from(lane.h).reduce((sum, on, j) => sum + (on ^ map[j]), 0);
    this.chart.setAttribute(
      "aria-label",
      `Exact probability that each unit is on: ${said}. The state at the cursor differs from the exact MAP state in ${differs} unit${differs === 1 ? "" : "s"}.`,
    );
  }

  /** @param {number} j */
  describe(j) {
    if (!this.truth || j < 0) return null;
    const {
        lane,
        truth: {marginals, map, approximations},
      } = this,
      {n_h} = lane;
    const others = approximations.map(
      ({name}, row) => `${(APPROXIMATIONS[name] ?? [name])[0]} ${marginals[(1 + row) * n_h + j].toFixed(3)}`,
    );
    return `${lane.unitName(j)} is on with probability ${marginals[j].toFixed(3)}\n${others.join("\n")}\nexact MAP ${map[j] ? "on" : "off"}, at the cursor ${lane.h[j] ? "on" : "off"}`;
  }

  /** @param {number} j @param {number} k */
  describePair(j, k) {
    const {n_h} = this.lane,
      values = this.covariances.map(({title, values}) => `${title} ${signed(values[j * n_h + k], 3)}`);
    return `${j === k ? `variance of ${this.lane.unitName(j)}` : `covariance of ${this.lane.unitName(j)} and ${this.lane.unitName(k)}`}\n${values.join("\n")}`;
  }

  /** @param {number} x */
  unitAt(x) {
    const place = Math.floor(
      ((x * this.chart.width) / this.chart.clientWidth - this.frame.left) / this.frame.wide,
    );
    return this.lane.order[place] ?? -1;
  }

  // A column per unit: the exact probability as a bar, a mark for each approximation, below them the exact MAP state;
  // the row of the state at the cursor stays empty.
  /** @param {Pen} context @param {Truth} truth */
  draw(context, truth) {
    const {marginals, map, approximations} = truth,
      {
        chart,
        lane,
        colours: {palette},
        player: {selected},
      } = this,
      {n_h, order} = lane;
    const screen = window.devicePixelRatio || 1,
      font = 0.82 * this.fontSize * screen,
      line = screen * Math.max(1, this.fontSize / 14);
    context.font = `${font}px ${FONT}`;
    const left = context.measureText("exact MAP").width + font * 0.6,
      wide = Math.max(0, chart.width - left) / n_h,
      box = Math.min(wide * 0.72, font * 1.25);
    const top = font * 0.6,
      bottom = chart.height - 2 * (box + font * 0.35) - font * 1.7,
      y = (/** @type {number} */ p) => bottom - p * (bottom - top),
      x = (/** @type {number} */ place) => left + place * wide;
    this.frame = {
      left,
      wide,
      box,
      line,
      rows: {"exact MAP": bottom + font * 0.55, cursor: bottom + font * 0.9 + box},
    };
    const chosen = selected.lane === this.which.index ? order.indexOf(selected.unit) : -1;
    if (chosen >= 0) {
      context.fillStyle = palette.faint;
      context.fillRect(x(chosen), top, wide, chart.height - top);
    }
    context.lineWidth = line;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const p of [0, 0.5, 1]) {
      segment(context, left, y(p), chart.width, y(p));
      context.fillText(String(p), left - font * 0.5, y(p));
    }
    for (const [text, from] of Object.entries(this.frame.rows))
      context.fillText(text, left - font * 0.5, from + box / 2);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const size = Math.min(wide * 0.14, font * 0.42),
      names = namedTicks(context, lane, wide, font),
      every = names ?? (context.measureText("88").width > wide ? 2 : 1);
    order.forEach((j, place) => {
      const middle = x(place) + wide / 2,
        value = y(marginals[j]);
      context.globalAlpha = 0.45;
      context.fillStyle = palette.lanes[this.which.index % 2];
      context.fillRect(x(place) + wide * 0.08, value, wide * 0.84, bottom - value);
      context.globalAlpha = 1;
      context.fillRect(x(place) + wide * 0.08, value - line, wide * 0.84, 2 * line);
      MARKED.forEach((name, n) => {
        const row = 1 + approximations.findIndex((entry) => entry.name === name);
        drawMark(context, name, middle + (n - 1.5) * wide * 0.22, y(marginals[row * n_h + j]), size, palette);
      });
      context.fillStyle = palette.muted;
      if (place % every === 0)
        context.fillText(names ? lane.unitName(j) : String(j), middle, chart.height - font * 0.3);
    });
    this.drawState(context, "exact MAP", map, map);
  }

  /** @param {Pen} context @param {Truth} truth */
  drawAll(context, truth) {
    this.draw(context, truth);
    this.drawState(context, "cursor", this.lane.h, truth.map);
  }

  // A row of squares; differences from the exact MAP state are framed.
  /** @param {Pen} context @param {"exact MAP" | "cursor"} row @param {ArrayLike<number>} state @param {Uint8Array} map */
  drawState(context, row, state, map) {
    const {
      lane: {order},
      colours: {palette},
      frame: {left, wide, box, line, rows},
    } = this;
    context.lineWidth = 2 * line;
    context.strokeStyle = palette.now;
    order.forEach((j, place) => {
      context.beginPath();
      context.roundRect(left + (place + 0.5) * wide - box / 2, rows[row], box, box, box * 0.18);
      context.fillStyle = state[j] ? palette.lanes[this.which.index % 2] : palette.faint;
      context.fill();
      if (state[j] !== map[j]) context.stroke();
    });
  }
}

registerView("truth", (player) => new TruthCard(player));
