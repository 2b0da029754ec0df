// The log-joint curve over visits: axes and the whole line are drawn once into layers, each frame only shows
// the part up to the cursor, so that a frame costs two image copies however long the trace. In the first frame of a
// trace the line is drawn without them: under a pen each trace has but one.

import {element, penOf} from "./dom.js";
import {dot, segment, styleScale} from "./draw.js";
import {many, niceTicks, number} from "./format.js";

export class CurveView {
  k = 0;
  n_visits = 1;
  ratio = 1;
  font = 0; // pixels of the canvas
  accent = "";
  frame = {left: 0, right: 0, top: 0, bottom: 0, rug: 0, low: false};
  limits = {low: 0, high: 1, ticks: [0], digits: 0};
  faint = element("canvas");
  bright = element("canvas");
  /** @type {"none" | "wanted" | "made"} */ layers = "none";
  /** @type {Lane | undefined} */ ranged;
  /** @type {Lane} */ lane;
  /** @type {Palette} */ palette;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    canvas.vector = (context) => this.draw(context);
  }

  /** @param {Lane} lane */
  range(lane) {
    if (this.ranged === lane) return this.limits;
    let low = Infinity,
      high = -Infinity;
    for (const value of lane.logJoint) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (lane.meta.optimum != null) {
      low = Math.min(low, lane.meta.optimum);
      high = Math.max(high, lane.meta.optimum);
    }
    if (high - low < 1e-6) {
      low -= 1;
      high += 1;
    } // the start is an optimum: only rounding errors change it
    const room = (high - low) * 0.06;
    this.ranged = lane;
    this.limits = {low: low - room, high: high + room, ...niceTicks(low - room, high + room, 4)};
    return this.limits;
  }

  // Width of the numbers at the left; the player gives all lanes the largest, so that their visits are aligned.
  /** @param {Lane} lane @param {number} fontSize */
  axisWidth(lane, fontSize) {
    const {ticks, digits} = this.range(lane);
    return (
      Math.max(...ticks.map((tick) => number(tick, digits).length)) * fontSize * 0.82 * 0.58 + fontSize * 0.6
    );
  }

  // Called when the trace, the size or the colours change.
  /** @param {Lane} lane @param {number} n_visits @param {Palette} palette @param {string} accent @param {number} fontSize @param {number} axis */
  prepare(lane, n_visits, palette, accent, fontSize, axis) {
    const {canvas} = this,
      {width, height} = canvas;
    const screen = window.devicePixelRatio || 1,
      font = fontSize * 0.82 * screen;
    const ratio = screen * Math.max(1, fontSize / 14); // on a projector lines scale with the letters
    this.lane = lane;
    this.n_visits = Math.max(1, n_visits);
    this.palette = palette;
    this.accent = accent;
    this.ratio = ratio;
    this.font = font;
    this.range(lane);
    const low = height < 5 * font; // large letters: the curve needs the room of the sweeps' numbers
    const rug = font * (low ? 0.6 : 1.15); // height of the strip of flip marks
    this.layers = "none";
    const left = axis * screen,
      named = lane.meta.optimum == null ? 0 : 1.3 * font + 3 * ratio; // room for the optimum's name
    this.frame = {
      left,
      right: width - 4 * ratio,
      top: 3 * ratio + named,
      bottom: height - (low ? 0 : font * 1.7) - rug,
      rug,
      low,
    };
  }

  makeLayers() {
    this.line(this.emptied(this.bright), 1);
    const faint = penOf(this.faint); // which has the axes since the first frame
    faint.globalAlpha = 0.3;
    faint.drawImage(this.bright, 0, 0);
    faint.globalAlpha = 1;
  }

  // The pen of a layer, empty and of this canvas's size; a new one for every trace would cost more than drawing on it.
  /** @param {HTMLCanvasElement} layer */
  emptied(layer) {
    const {width, height} = this.canvas,
      context = penOf(layer);
    if (layer.width !== width || layer.height !== height) Object.assign(layer, {width, height});
    else context.clearRect(0, 0, width, height);
    return context;
  }

  /** @param {number} k */
  x(k) {
    return this.frame.left + ((this.frame.right - this.frame.left) * k) / this.n_visits;
  }
  /** @param {number} value */
  y(value) {
    const {
      frame: {top, bottom},
      limits: {low, high},
    } = this;
    return bottom - ((value - low) / (high - low)) * (bottom - top);
  }

  /** @param {Pen} context */
  axes(context) {
    const {frame, palette, lane, font, ratio} = this,
      {ticks, digits} = this.limits;
    styleScale(context, palette, font, ratio);
    const apart = ticks.length > 1 ? this.y(ticks[0]) - this.y(ticks[1]) : font,
      every = Math.ceil((1.2 * font) / apart); // large letters in a low chart: fewer ticks
    ticks
      .filter((_, n) => n % every === 0)
      .forEach((tick) => {
        const y = Math.round(this.y(tick)) + 0.5;
        segment(context, frame.left, y, frame.right, y);
        context.fillText(number(tick, digits), frame.left - font * 0.5, Math.max(y, font * 0.6));
      });
    if (lane.meta.optimum != null) this.optimum(context, lane.meta.optimum);
    if (frame.low) return;
    // one mark per sweep except under a word, and as many numbers as fit
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const word = "sweep ",
      base = this.canvas.height - font * 0.35;
    let free = 0;
    if (lane.meta.particles)
      context.fillText(`particles 1 to ${many(lane.n_visits + 1)}`, (frame.left + frame.right) / 2, base);
    lane.sweepStarts.forEach((k, t) => {
      const x = this.x(k),
        end = this.x(lane.sweepStarts[t + 1] ?? lane.n_visits),
        text = t ? String(t + 1) : `${word}1`;
      const centre = (x + end) / 2,
        half = context.measureText(text).width / 2;
      if (end - x > 3 * ratio && x >= free - font * 0.6)
        segment(context, Math.round(x) + 0.5, frame.bottom + frame.rug, Math.round(x) + 0.5, base);
      const at = Math.max(centre, x + half + font * 0.3);
      if (at - half > free && at + half <= frame.right + font && (t === 0 || end - x > half)) {
        context.fillText(text, at, base);
        free = at + half + font * 0.6;
      }
    });
  }

  // The exact optimum, if all states can be enumerated.
  /** @param {Pen} context @param {number} value */
  optimum(context, value) {
    const {frame, palette, font, ratio} = this,
      y = this.y(value);
    context.save();
    context.strokeStyle = palette.good;
    context.lineWidth = 1.5 * ratio;
    context.setLineDash([6 * ratio, 4 * ratio]);
    segment(context, frame.left, y, frame.right, y);
    context.fillStyle = palette.good;
    context.textAlign = "right";
    context.textBaseline = "alphabetic";
    const what = this.lane.meta.particles ? "log P(x)" : "optimum",
      digits = number(value, 2);
    const words =
      [`exact ${what} ${digits}`, `${what} ${digits}`].find(
        (each) => context.measureText(each).width <= frame.right - frame.left,
      ) ?? digits;
    context.fillText(words, frame.right, y - 5.5 * ratio - 0.25 * font); // above the curve and the cursor's dot
    context.restore();
  }

  /** @param {Pen} context @param {number} alpha */
  line(context, alpha) {
    const {frame, lane, accent, palette, ratio} = this;
    context.globalAlpha = alpha;
    context.lineWidth = 2 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = accent;
    context.beginPath();
    context.moveTo(this.x(0), this.y(lane.logJoint[0]));
    let previous = lane.logJoint[0];
    for (const k of this.steps()) {
      // a step function: the value is constant between visits
      context.lineTo(this.x(k), this.y(previous));
      previous = lane.logJoint[k];
      context.lineTo(this.x(k), this.y(previous));
    }
    context.lineTo(this.x(lane.n_visits), this.y(previous));
    context.stroke();
    if (lane.n_visits < this.n_visits) {
      // a finished lane waits for the other
      context.setLineDash([ratio * 2, ratio * 4]);
      segment(context, this.x(lane.n_visits), this.y(previous), frame.right, this.y(previous));
      context.setLineDash([]);
    }
    const middle = frame.bottom + frame.rug * 0.5;
    for (const wanted of [1, 0]) {
      context.strokeStyle = wanted ? palette.plus : palette.minus;
      context.lineWidth = Math.max(1, 1.2 * ratio);
      context.beginPath();
      for (const k of lane.flips) {
        if (lane.after[k] !== wanted) continue;
        const x = this.x(k + 1);
        context.moveTo(x, middle);
        context.lineTo(x, middle + (wanted ? -1 : 1) * frame.rug * 0.42);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  *steps() {
    const {logJoint, n_visits} = this.lane;
    for (let k = 1; k <= n_visits; k++) if (logJoint[k] !== logJoint[k - 1]) yield k;
  }

  /** @param {number} k */
  paint(k) {
    if (!this.lane) return;
    const {canvas} = this,
      context = penOf(canvas),
      width = Math.ceil(this.x(k));
    this.k = k;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (this.layers === "none") {
      this.layers = "wanted";
      this.axes(this.emptied(this.faint)); // letters on a canvas in the page would cause a layout of the page
      context.drawImage(this.faint, 0, 0);
      return this.trace(context);
    }
    if (this.layers === "wanted") this.makeLayers();
    this.layers = "made";
    context.drawImage(this.faint, 0, 0);
    if (width > 0) context.drawImage(this.bright, 0, 0, width, canvas.height, 0, 0, width, canvas.height);
    this.cursor(context);
  }

  // The same without layers, for a picture in lines and letters.
  /** @param {Pen} context */
  draw(context) {
    this.axes(context);
    this.trace(context);
  }

  /** @param {Pen} context */
  trace(context) {
    if (this.k < this.n_visits) this.line(context, 0.3);
    context.save();
    context.beginPath();
    context.rect(0, 0, this.k < this.n_visits ? this.x(this.k) : this.canvas.width, this.canvas.height);
    context.clip();
    this.line(context, 1);
    context.restore();
    this.cursor(context);
  }

  /** @param {Pen} context */
  cursor(context) {
    const {frame, palette, lane, ratio, k} = this,
      x = this.x(k),
      shown = Math.min(k, lane.n_visits);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * ratio;
    segment(context, x, frame.top, x, frame.bottom + frame.rug);
    dot(context, x, this.y(lane.logJoint[shown]), 4.5 * ratio, palette.now);
    context.lineWidth = 1.5 * ratio;
    context.strokeStyle = palette.surface;
    context.stroke();
  }

  // Visit under a point (CSS pixels)
  /** @param {number} x */
  visitAt(x) {
    const {left, right} = this.frame;
    const share = ((x * this.canvas.width) / this.canvas.clientWidth - left) / (right - left);
    return Math.round(Math.max(0, Math.min(1, share)) * this.n_visits);
  }
}
