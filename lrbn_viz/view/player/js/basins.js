// Where ICM ends from many other starts: each optimum at its log P(x, h), as high as starts lead there. Optima that
// would cover each other stand on one another, so that many rare ones make a histogram and few frequent ones bars.

import {probabilityOf} from "../../../browser/js/formulas.js";
import {part, unpack, unpackBits} from "./decode.js";
import {byKey, card, element, penOf, setAttribute, setText} from "./dom.js";
import {dot, fitCanvas, PixelMap, segment} from "./draw.js";
import {byte, chance, clamp, many, niceTicks, number} from "./format.js";
import {LaneChoice} from "./lane_choice.js";
import {legend} from "./legend.js";
import {byNumber} from "./orders.js";
import {registerView} from "./registry.js";
import {UNITS} from "./units.js";
import {observedWords, VariableBars} from "./variables.js";
import {FONT} from "./theme.js";

// Where a lane has optima to be looked for.
/** @param {Lane} lane */
const climbs = (lane) => !lane.model.factorised && lane.model.layers.length === 1 && !lane.meta.means;

/**
 * @typedef {{
 *   kinds: string[], H: Uint8Array, log_joint: Float64Array, counts: Uint16Array, counts_by_kind: Uint16Array, wrong: Uint16Array | Float32Array,
 *   n: number, starts: number,
 * }} Basins
 */

class BasinsCard {
  at = 0;
  hovered = -1;
  own = -1;
  fontSize = 0;
  inSight = false;
  rested = false;
  note = element("small");
  chart = element("canvas", {role: "spinbutton", tabindex: "0", "aria-valuemin": "1"});
  waiting = element("p", {class: "lv-caption lv-waiting", role: "status"});
  detail = element("div", {class: "lv-optimum"});
  average = element("p", {class: "lv-caption"}); // what each start ends with, on many images
  layer = element("canvas");
  /** @type {Lane[]} */ lanes = [];
  /** @type {Uint8Array[]} */ states = [];
  /** @type {Basins | null} */ found = null;
  /** @type {{question: string, lanes: Map<number, Basins>} | undefined} */ block;
  /** @type {ReturnType<BasinsCard["layOut"]> | null} */ laidOut = null;
  /** @type {string | undefined} */ question;
  /** @type {string | undefined} */ asked; // the question and the lane
  /** @type {Lane | undefined} */ of; // of which all is that stands
  /** @type {Lane} */ lane;
  /** @type {States} */ end;
  /** @type {Colours} */ colours;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the other starts");
    this.chart.vector = (context) => {
      this.draw(context);
      this.drawCursor(context);
    };
    this.node = card(
      {class: "lv-basins", "aria-label": "Where other starts end"},
      ["Where other starts end ", this.which.node, this.note],
      [],
      element(
        "div",
        {class: "lv-basins-body"},
        element("div", {class: "lv-fill"}, this.chart, this.waiting),
        this.detail,
      ),
      legend([
        ["square", "lane0 lane1", "an optimum; its height: how many starts end there"],
        ["square", "now", "the end of this lane"],
        ["ring", "ink", "the optimum beside the chart"],
        ["line", "now", "log P(x, h) at the cursor"],
      ]),
      this.average,
    );
    this.sight = new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      this.ask();
    });
    this.sight.observe(this.node);
    this.listen();
  }

  listen() {
    const {chart} = this,
      hover = (/** @type {number} */ row) => {
        if (row !== this.hovered) {
          this.hovered = row;
          this.show();
        }
      };
    chart.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") hover(this.optimumAt(event.offsetX, event.offsetY));
    });
    chart.addEventListener("pointerleave", () => hover(-1));
    chart.addEventListener("click", (event) => this.go(this.optimumAt(event.offsetX, event.offsetY)));
    chart.addEventListener("keydown", (event) => {
      if (!this.found || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      const last = this.found.n - 1; // the best stand at the right
      const row = byKey(event, {
        ArrowRight: this.at - 1,
        ArrowUp: this.at - 1,
        ArrowLeft: this.at + 1,
        ArrowDown: this.at + 1,
        Home: last,
        End: 0,
      });
      if (row !== undefined) {
        this.at = Math.max(0, Math.min(last, row));
        this.show();
      } else if (event.key === "Enter" || event.key === " ") this.go(this.at);
      else return;
      event.preventDefault();
    });
  }

  /** @param {Lane[]} lanes @param {TraceMeta} meta */
  load(lanes, meta) {
    this.lanes = lanes;
    this.question = meta.question;
    this.rested = false;
    this.of = undefined;
    this.follow();
  }

  // Show what the lane asked about has.
  follow() {
    const lane = this.which.choose(this.lanes, climbs);
    if (lane === this.of) return;
    const end = lane.h0.slice();
    for (let k = 0; k < lane.n_visits; k++) end[lane.unit[k]] = lane.after[k];
    this.of = this.lane = lane;
    this.end = end;
    this.hovered = -1;
    this.settle();
  }

  // The block that the server sends; it may come late, for an image that is no longer shown.
  /** @param {Bytes} data */
  take(data) {
    /** @type {Block<{question: string, kinds: Record<string, string[]>}, Arrays>} */
    const {
      meta: {question, kinds},
      arrays,
    } = unpack(data);
    const lanes = Object.keys(kinds).map((lane) => {
      const found = /** @type {Omit<Basins, "kinds" | "n" | "starts">} */ (part(arrays, Number(lane))),
        {counts} = found;
      return /** @type {[number, Basins]} */ ([
        Number(lane),
        {
          ...found,
          kinds: kinds[lane],
          n: counts.length,
          starts: counts.reduce((sum, count) => sum + count, 0),
        },
      ]);
    });
    this.block = {question, lanes: new Map(lanes)};
    if (this.lane) this.settle();
  }

  settle() {
    const {block, lane, end} = this;
    const found = (this.found =
      (block?.question === this.question && block?.lanes.get(this.which.index)) || null);
    if (found) {
      const bytes = Math.ceil(found.n / 8),
        units = byNumber(lane.n_h).map((j) =>
          unpackBits(found.H.subarray(j * bytes, (j + 1) * bytes), found.n),
        );
      this.states = byNumber(found.n).map((row) => Uint8Array.from(units, (bits) => bits[row]));
      this.own = this.states.findIndex((state) => state.every((on, j) => on === end[j]));
      this.at = Math.max(0, this.own);
    }
    this.node.hidden = !climbs(lane) || (!this.found && !this.player.callbacks.basins);
    this.say();
    this.show();
  }

  say() {
    const {found, lane} = this,
      waits = !found && this.asked === this.key;
    setText(this.average, this.player.menus[this.which.index]?.note ?? "");
    setAttribute(this.node, "aria-busy", String(waits));
    setAttribute(this.node, "data-stale", String(!found));
    this.waiting.hidden = Boolean(found);
    this.chart.tabIndex = found ? 0 : -1;
    setText(
      this.waiting,
      found
        ? ""
        : waits
          ? "Looking for other optima \u2026"
          : "Other starts are tried once the cursor rests.",
    );
    if (!found) return setText(this.note, "");
    const {n, starts} = found;
    this.note.textContent =
      `ICM from ${many(starts)} starts ends in ${n === 1 ? "one optimum" : n === starts ? `${many(n)} optima, none of them twice` : `${many(n)} optima`}` +
      (lane.held.size ? ", with no unit held" : "");
  }

  get key() {
    return `${this.question} ${this.which.index}`;
  }

  // Looking takes a second of a processor: only where someone sees it, and only once nothing moves.
  ask() {
    const {
      player: {callbacks, clock},
      question,
      key,
    } = this;
    if (
      !this.inSight ||
      !this.rested ||
      this.node.hidden ||
      this.found ||
      this.asked === key ||
      clock.playing ||
      !callbacks.basins ||
      question === undefined
    )
      return;
    this.asked = key;
    callbacks.basins(question, this.which.index);
    this.say();
  }

  /** @param {Colours} colours */
  rest(colours) {
    if (!this.lane) return;
    this.colours = colours;
    this.rested = true;
    this.ask();
    this.show();
  }

  // Go to an optimum, by way of the first start that led there.
  /** @param {number} row */
  go(row) {
    const {callbacks} = this.player;
    if (!this.found || row < 0 || !callbacks.climb || this.question === undefined) return;
    this.at = row;
    this.player.pause();
    if (row === this.own) this.player.move("last");
    else callbacks.climb(this.question, row, this.which.index);
    this.show();
  }

  get shown() {
    return this.hovered >= 0 ? this.hovered : this.at;
  }

  // A reconstruction as a picture, and as a list of variables; `a` are the activations.
  /** @param {Float64Array} a @param {string} label */
  pictureOf(a, label) {
    const {lane} = this,
      {rows, columns, visible} = lane.model,
      map = new PixelMap(rows, columns, label);
    map.view.paint((i) => this.colours.tables.ink[byte(lane.shade(UNITS[visible].mean(a[i]), i))]);
    return map.canvas;
  }

  /** @param {string[]} variables @param {Float64Array} a @param {string} label */
  listOf(variables, a, label) {
    const {lane} = this,
      {mean, binary, threshold} = UNITS[lane.model.visible],
      bars = new VariableBars([{kind: "share", title: "mean"}]);
    bars.load(variables);
    bars.list.setAttribute("aria-label", label);
    variables.forEach((_, i) => {
      const share = mean(a[i]),
        x = lane.x[i];
      bars.bar(i, 0, lane.shade(share, i));
      bars.observed(
        i,
        lane.shade(x, i),
        binary && a[i] > threshold !== x > 0.5,
        share.toFixed(binary ? 2 : 1),
      );
    });
    bars.say((i) => `mean ${mean(a[i]).toFixed(2)}, ${observedWords(lane.x, i)}`);
    return bars.node;
  }

  // The optimum asked about, in the chart and beside it.
  show() {
    this.laidOut = null;
    this.player.clock.dirty();
    if (!this.found || !this.colours) return this.detail.replaceChildren();
    const {found, lane, shown, player} = this,
      {n, starts} = found,
      {W, b, visible} = lane.model,
      {variables} = lane;
    const state = this.states[shown],
      a = Float64Array.from(b);
    for (let j = 0; j < lane.n_h; j++)
      if (state[j]) for (let i = 0; i < lane.n_v; i++) a[i] += W[j * lane.n_v + i];
    const label = `Reconstruction at optimum ${shown + 1}`,
      picture = variables ? this.listOf(variables, a, label) : this.pictureOf(a, label);
    const value = found.log_joint[shown],
      count = found.counts[shown],
      wrong = found.wrong[shown],
      row = (/** @type {string} */ name, /** @type {string[]} */ ...texts) => [
        element("dt", {}, name),
        ...texts.map((text) => element("dd", {}, text)),
      ];
    const words = {
      below: shown ? `${number(found.log_joint[0] - value, 2)} nats below the best` : "the best found",
      reached: `${many(count)} of ${many(starts)} (${chance(count / starts)})`,
      from: this.kinds(found),
      wrong: UNITS[visible].binary ? `${wrong} of ${lane.n_v}` : number(wrong, 2),
    };
    const title =
      shown === this.own
        ? "The end of this lane"
        : n === 1
          ? "The only optimum"
          : `Optimum ${shown + 1} of ${many(n)}`;
    const button =
      player.callbacks.climb && shown !== this.own
        ? element(
            "button",
            {type: "button", class: "lv-btn lv-small", onclick: () => this.go(this.at)},
            "show how ICM gets there",
          )
        : null;
    this.detail.replaceChildren(
      picture,
      element(
        "div",
        {},
        element("h3", {}, title),
        element(
          "dl",
          {},
          ...row("log P(x, h)", `${number(value, 2)} nats`, words.below),
          ...(lane.truth ? row("P(h | x)", chance(probabilityOf(value, lane.truth.log_evidence))) : []),
          ...row("reached from", words.reached, words.from),
          ...row(
            UNITS[visible].binary ? (variables ? "wrong" : "wrong pixels") : "squared error",
            words.wrong,
          ),
          ...(shown
            ? row(
                "differs from the best",
                `${state.reduce((sum, on, j) => sum + (on ^ this.states[0][j]), 0)} of ${lane.n_h} units`,
              )
            : []),
        ),
        button,
      ),
    );
    const said = `${title}: ${number(value, 2)} nats, ${words.below}, reached from ${words.reached}, ${UNITS[visible].binary ? `${words.wrong} ${variables ? "" : "pixels "}wrong` : `squared error ${words.wrong}`}`;
    const {chart} = this;
    chart.setAttribute(
      "aria-label",
      "Optima by log P(x, h): arrow keys choose one, Enter shows how ICM gets there",
    );
    chart.setAttribute("aria-valuemax", String(n));
    chart.setAttribute("aria-valuenow", String(shown + 1));
    chart.setAttribute("aria-valuetext", said);
  }

  // "all units off and 95 random ones"
  /** @param {Basins} given */
  kinds({kinds, counts_by_kind: by}) {
    const {shown} = this,
      named = /** @type {string[]} */ ([]);
    let random = 0;
    kinds.forEach((kind, n) => {
      const count = by[shown * kinds.length + n];
      if (kind.startsWith("random,")) random += count;
      else if (count) named.push(kind.replaceAll(" = ", "\u00a0=\u00a0"));
    });
    if (random) named.push(`${many(random)} random`);
    return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0];
  }

  // Each frame: the cursor's line over the chart, which is drawn anew only when it changes.
  /** @param {number} k @param {Colours} colours @param {number} fontSize */
  paint(k, colours, fontSize) {
    this.follow();
    if (!this.found) return;
    const {chart} = this;
    if (fitCanvas(chart) || !this.laidOut || this.colours !== colours || this.fontSize !== fontSize) {
      this.colours = colours;
      this.fontSize = fontSize;
      this.laidOut = this.layOut(this.found);
      this.layer = element("canvas", {width: chart.width, height: chart.height});
      this.draw(penOf(this.layer));
    }
    const context = penOf(chart);
    context.clearRect(0, 0, chart.width, chart.height);
    context.drawImage(this.layer, 0, 0);
    this.drawCursor(context);
  }

  // Where each optimum stands: bars of one width side by side, in each of them the optima that fall there, best below.
  /** @param {Basins} found */
  layOut(found) {
    const {chart, lane, fontSize} = this,
      screen = window.devicePixelRatio || 1,
      font = 0.82 * fontSize * screen,
      line = screen * Math.max(1, fontSize / 14);
    const values = [
      ...found.log_joint,
      lane.logJoint[lane.n_visits],
      ...(lane.meta.optimum == null ? [] : [lane.meta.optimum]),
    ];
    let low = Math.min(...values),
      high = Math.max(...values);
    const room = Math.max(0.5, 0.04 * (high - low));
    low -= room;
    high += room;
    const left = font * 2.9,
      right = chart.width - font * 0.3,
      top = font * 3.1,
      bottom = chart.height - font * 3;
    const wide = Math.max(5 * line, Math.min(16 * line, (right - left) / (3 * found.n))),
      bins = Math.max(1, Math.floor((right - left) / wide));
    /** @param {number} value */
    const x = (value) => left + ((value - low) / (high - low)) * (right - left);
    const totals = new Float64Array(bins);
    const places = Array.from(found.counts, (count, row) => {
      const bin = Math.min(bins - 1, Math.floor((x(found.log_joint[row]) - left) / wide)),
        from = totals[bin];
      totals[bin] += count;
      return {bin, from, to: totals[bin]};
    });
    const most = Math.max(...totals),
      y = (/** @type {number} */ count) => bottom - (count / most) * (bottom - top);
    return {font, line, low, high, left, right, top, bottom, wide, bins, totals, places, most, x, y};
  }

  /** @param {number} row @returns {[x: number, y: number, width: number, height: number]} */
  box(row) {
    if (!this.laidOut) return [0, 0, 0, 0];
    const {left, wide, places, y, line} = this.laidOut,
      {bin, from, to} = places[row];
    const high = Math.max(y(from) - y(to), 2 * line),
      gap = wide > 7 * line ? line : 0,
      split = y(from) - y(to) > 4 * line ? line : 0;
    return [left + bin * wide + gap / 2, y(from) - high, wide - gap, high - split];
  }

  /** @param {Pen} context */
  draw(context) {
    const {
      colours: {palette},
      found,
      laidOut,
      lane,
      own,
      shown,
    } = this;
    if (!found || !laidOut) return;
    const {font, line, low, high, left, right, top, bottom, most, x, y} = laidOut;
    /** @param {string} words @param {number} at @param {number} base @param {CanvasTextAlign} align */
    const text = (words, at, base, align = "center", colour = palette.muted) => {
      context.fillStyle = colour;
      context.textAlign = align;
      context.fillText(words, at, base);
    };
    context.font = `${font}px ${FONT}`;
    context.textBaseline = "alphabetic";
    context.lineWidth = line;
    context.strokeStyle = palette.line;
    const counts = niceTicks(0, most, 3).ticks.filter((tick) => Number.isInteger(tick));
    for (const tick of counts) {
      segment(context, left, y(tick), right, y(tick));
      text(many(tick), left - font * 0.5, y(tick) + font * 0.35, "right");
    }
    text("starts", 0, top - font * 0.9, "left");
    const {ticks, digits} = niceTicks(low, high, Math.max(2, Math.min(8, (right - left) / (font * 6))));
    for (const tick of ticks) {
      segment(context, x(tick), bottom, x(tick), bottom + font * 0.3);
      const words = number(tick, digits);
      if (x(tick) + context.measureText(words).width / 2 <= right) text(words, x(tick), bottom + font * 1.3);
    }
    text("log P(x, h) of the optimum, nats", (left + right) / 2, bottom + font * 2.6);
    for (let row = 0; row < found.n; row++) {
      context.fillStyle = row === own ? palette.now : palette.lanes[this.which.index % 2];
      context.beginPath();
      context.rect(...this.box(row));
      context.fill();
    }
    if (found.n > 1) {
      // the optimum asked about
      context.strokeStyle = palette.ink;
      context.lineWidth = 2 * line;
      context.beginPath();
      context.rect(...this.box(shown));
      context.stroke();
    }
    /** @param {number} value @param {string} words @param {number} base @param {string} colour @param {number[]} dash */
    const mark = (value, words, base, colour, dash) => {
      const at = x(value),
        half = context.measureText(words).width / 2;
      context.strokeStyle = colour;
      context.lineWidth = 1.5 * line;
      context.setLineDash(dash.map((length) => length * line));
      segment(context, at, base + font * 0.35, at, bottom);
      context.setLineDash([]);
      text(words, clamp(at, left + half, right - half), base, "center", colour);
    };
    if (lane.meta.optimum != null) mark(lane.meta.optimum, "exact optimum", font * 0.9, palette.good, [6, 4]);
    if (own < 0)
      mark(
        lane.logJoint[lane.n_visits],
        "end of this lane, reached by none",
        font * 2.1,
        palette.ink,
        [2, 3],
      );
    else {
      // above the column in which the lane ends, within the chart, on a ground of its own where other columns are higher
      const {wide, places, totals} = laidOut,
        {bin} = places[own],
        words = "end of this lane",
        half = context.measureText(words).width / 2;
      const at = clamp(left + (bin + 0.5) * wide, left + half, right - half),
        base = y(totals[bin]) - font * 0.5;
      context.globalAlpha = 0.85;
      context.fillStyle = palette.surface;
      context.fillRect(at - half - font * 0.3, base - font * 0.95, 2 * half + font * 0.6, font * 1.3);
      context.globalAlpha = 1;
      text(words, at, base, "center", palette.ink);
    }
  }

  // log P(x, h) at the cursor; where it is below all optima, at the left edge
  /** @param {Pen} context */
  drawCursor(context) {
    if (!this.laidOut) return;
    const {
        lane,
        colours: {palette},
      } = this,
      {left, right, top, bottom, line, x} = this.laidOut,
      at = clamp(x(lane.logJointNow), left, right);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * line;
    segment(context, at, top, at, bottom);
    dot(context, at, bottom, 4 * line, palette.now);
  }

  // The optimum under a point (CSS pixels): of those in the nearest column, the one at that height; -1 where there is none near.
  /** @param {number} offsetX @param {number} offsetY */
  optimumAt(offsetX, offsetY) {
    if (!this.found || !this.laidOut) return -1;
    const ratio = this.chart.width / this.chart.clientWidth,
      {left, wide, bins, totals, places, y, line} = this.laidOut;
    const wanted = (offsetX * ratio - left) / wide - 0.5;
    let bin = -1,
      best = -1;
    for (let n = 0; n < bins; n++)
      if (totals[n] && (bin < 0 || Math.abs(n - wanted) < Math.abs(bin - wanted))) bin = n;
    if (Math.abs(bin - wanted) * wide > 14 * line) return -1;
    places.forEach((place, row) => {
      if (place.bin === bin && (best < 0 || y(place.from) >= offsetY * ratio)) best = row;
    });
    return best;
  }

  remove() {
    this.sight.disconnect();
  }
}

registerView("basins", (player) => new BasinsCard(player));
