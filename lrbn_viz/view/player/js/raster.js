// The raster: a row for the state after each sweep (after each visit where those are few), a column for each unit,
// with a mark where a unit turned on or off. Rows beyond the cursor are faint; the row of the cursor is framed.

import {card, element, penOf, setAttribute, setText} from "./dom.js";
import {fitCanvas, namedTicks, textWidth} from "./draw.js";
import {many} from "./format.js";
import {legend} from "./legend.js";
import {orderMenu} from "./order_menu.js";
import {UNIT_ORDERS} from "./orders.js";
import {rasterRows} from "./raster_rows.js";
import {registerView} from "./registry.js";
import {lowerBound} from "./replay.js";
import {FONT} from "./theme.js";

class RasterView {
  stale = true;
  k = 0;
  selected = -1;
  accent = "";
  orderText = "";
  font = 0; // this and the sizes below: pixels of the canvas
  line = 1;
  pitch = 1; // height of a row
  wide = 1; // width of a column
  gaps = [0, 0]; // between columns, between rows
  frame = {left: 0, right: 0, top: 0, bottom: 0};
  /** @type {number[]} */ order = [];
  /** @type {HTMLCanvasElement} */ faint;
  /** @type {HTMLCanvasElement} */ bright;
  /** @type {Lane} */ lane;
  /** @type {RasterRows} */ rows;
  /** @type {Palette} */ palette;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    canvas.vector = (context) => this.draw(context);
  }

  /** @param {Lane} lane */
  load(lane) {
    this.lane = lane;
    this.rows = rasterRows(lane);
    this.stale = true;
  }

  // CSS pixels: visible if rows are few, and of limited height if they are many
  /** @param {number} fontSize */
  height(fontSize) {
    const {count} = this.rows;
    return Math.round(
      count * Math.max(0.45 * fontSize, Math.min(1.5 * fontSize, (24 * fontSize) / count)) + 1.7 * fontSize,
    );
  }

  /** @param {Palette} palette @param {string} accent @param {number} fontSize */
  prepare(palette, accent, fontSize) {
    const {canvas, lane, rows} = this,
      ratio = window.devicePixelRatio || 1,
      font = 0.82 * fontSize * ratio;
    this.palette = palette;
    this.accent = accent;
    this.font = font;
    this.line = ratio * Math.max(1, fontSize / 14);
    this.order = lane.order;
    this.stale = false;
    const left = Math.round(textWidth("sweep 1", `${font}px ${FONT}`) + font),
      bottom = canvas.height - Math.round(font * 1.6);
    this.frame = {left, right: canvas.width - Math.ceil(this.line), top: Math.ceil(this.line), bottom};
    this.pitch = (bottom - this.frame.top) / rows.count;
    this.wide = (this.frame.right - left) / lane.n_h;
    const gap = Math.round(this.line);
    this.gaps = [this.wide > 4 * this.line ? gap : 0, this.pitch > 3.5 * this.line ? gap : 0];
    this.faint = this.layer(0.3);
    this.bright = this.layer(1);
  }

  /** @param {number} alpha */
  layer(alpha) {
    const {canvas} = this,
      layer = element("canvas", {width: canvas.width, height: canvas.height}),
      context = penOf(layer);
    if (alpha < 1) this.axes(context);
    context.globalAlpha = alpha;
    this.cells(context, 0, this.rows.count);
    return layer;
  }

  /** @param {number} place */
  x(place) {
    return Math.round(this.frame.left + place * this.wide);
  }
  /** @param {number} row */
  y(row) {
    return Math.round(this.frame.top + row * this.pitch);
  }

  // Rows from..to, a path for each colour: on, off, and over them the marks of the turns. `shown(j)` leaves units out.
  /** @param {Pen} context @param {number} from @param {number} to @param {((j: number) => boolean)} [shown] */
  cells(context, from, to, shown) {
    const {
        lane,
        rows,
        palette,
        accent,
        order,
        gaps: [across, down],
      } = this,
      {n_h} = lane;
    /** @type {[string, (at: number) => boolean, number][]} */
    const kinds = [
      [palette.faint, (at) => !rows.states[at], 1],
      [accent, (at) => rows.states[at] > 0, 1],
      [palette.plus, (at) => rows.turns[at] === 1, 0.45],
      [palette.minus, (at) => rows.turns[at] === -1, 0.45],
      [palette.muted, (at) => rows.turns[at] === 2, 0.45],
    ];
    for (const [colour, wanted, share] of kinds) {
      context.beginPath();
      context.fillStyle = colour;
      for (let r = from; r < to; r++) {
        const y = this.y(r),
          height = Math.max(1, Math.round((this.y(r + 1) - y - down) * share));
        for (let p = 0; p < n_h; p++) {
          /** @param {number} q */
          const here = (q) => q < n_h && wanted(r * n_h + order[q]) && (!shown || shown(order[q]));
          if (!here(p)) continue;
          const x = this.x(p);
          if (!across) while (here(p + 1)) p++; // adjacent cells of one colour make one rectangle
          context.rect(x, y, Math.max(1, this.x(p + 1) - x - across), height);
        }
      }
      context.fill();
    }
  }

  /** @param {Pen} context */
  axes(context) {
    const {lane, rows, frame, palette, font, pitch, order, line} = this;
    context.font = `${font}px ${FONT}`;
    context.fillStyle = palette.muted;
    context.strokeStyle = palette.line;
    context.lineWidth = line;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const word = rows.byVisit ? "visit 1" : "sweep 1",
      every = [1, 2, 5, 10, 20].find((n) => n * pitch >= 1.25 * font) || 50;
    for (let r = 0; r < rows.count; r++) {
      const named =
        r === 0 ||
        r === every ||
        (every > 1 && r === 1 && pitch * (every - 1) >= 2.5 * font) ||
        r % every === 0;
      const text = r === 0 ? "start" : r === 1 ? word : String(r);
      if (named && (r === 0 || r * pitch >= 1.2 * font))
        context.fillText(text, frame.left - 0.6 * font, this.y(r) + pitch / 2);
    }
    if (rows.byVisit) this.sweeps(context);
    context.textBaseline = "alphabetic";
    const base = frame.bottom + 1.35 * font;
    if (order.some((j, p) => j !== p)) {
      context.textAlign = "left";
      context.fillText(`${lane.unitName(order[0])} first, then ${this.orderText}`, frame.left, base);
      context.textAlign = "right";
      context.fillText(`${lane.unitName(order[order.length - 1])} last`, frame.right, base);
      return;
    }
    const names = namedTicks(context, lane, this.wide, font),
      step = names ?? ([1, 2, 5, 10, 20, 50, 100].find((n) => n * this.wide >= 2.6 * font) || 200);
    context.textAlign = "center";
    let free = 0;
    for (let j = 0; j < lane.n_h; j += step) {
      const text = names ? lane.unitName(j) : j ? String(j) : "unit 0",
        x = this.x(j) + this.wide / 2,
        half = context.measureText(text).width / 2;
      const at = j ? x : Math.max(x, frame.left + half);
      if (at - half < free) continue;
      context.fillText(text, at, base);
      free = at + half + 0.3 * font;
    }
  }

  // A line under each sweep if rows are visits.
  /** @param {Pen} context */
  sweeps(context) {
    const {frame} = this;
    context.strokeStyle = this.palette.muted;
    context.beginPath();
    for (const k of this.lane.sweepStarts) {
      const y = this.y(k + 1) - this.line / 2;
      context.moveTo(frame.left - 0.4 * this.font, y);
      context.lineTo(frame.right, y);
    }
    context.stroke();
  }

  // The row that the cursor is in: that of the newest visit.
  /** @param {number} k */
  rowAt(k) {
    return lowerBound(this.rows.ends, Math.min(k, this.lane.n_visits));
  }

  /** @param {number} k @param {number} selected */
  paint(k, selected) {
    const {canvas} = this,
      context = penOf(canvas),
      row = this.rowAt(k);
    this.k = k;
    this.selected = selected;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.faint, 0, 0);
    const done = this.y(this.finished(row) ? row + 1 : row);
    context.drawImage(this.bright, 0, 0, canvas.width, done, 0, 0, canvas.width, done);
    this.overlay(context, row);
  }

  /** @param {Pen} context */
  draw(context) {
    const row = this.rowAt(this.k),
      done = this.finished(row) ? row + 1 : row;
    this.axes(context);
    this.cells(context, 0, done);
    context.globalAlpha = 0.3;
    this.cells(context, done, this.rows.count);
    context.globalAlpha = 1;
    this.overlay(context, row);
  }

  /** @param {number} row */
  finished(row) {
    return Math.min(this.k, this.lane.n_visits) >= this.rows.ends[row];
  }

  // The cursor's row so far, its frame, and the selected unit's column.
  /** @param {Pen} context @param {number} row */
  overlay(context, row) {
    const {lane, rows, frame, palette, line} = this;
    if (!this.finished(row)) {
      const begin = rows.ends[row - 1],
        visited = new Set();
      for (let k = begin; k < Math.min(this.k, lane.n_visits); k++) visited.add(lane.unit[k]);
      this.cells(context, row, row + 1, (j) => visited.has(j));
    }
    if (this.selected >= 0) this.column(context, lane.order.indexOf(this.selected));
    if (rows.byVisit && row && !lane.meta.particles) this.ring(context, row);
    context.strokeStyle = palette.now;
    context.lineWidth = 2 * line;
    context.strokeRect(
      frame.left - line,
      this.y(row) - line,
      frame.right - frame.left + line,
      this.y(row + 1) - this.y(row) + line,
    );
  }

  /** @param {Pen} context @param {number} place */
  column(context, place) {
    const {frame, palette, line} = this,
      x = this.x(place) - line,
      width = this.x(place + 1) - this.x(place) + line;
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.5 * line;
    context.setLineDash([3 * line, 2 * line]);
    context.strokeRect(x, frame.top - line / 2, width, frame.bottom - frame.top);
    context.setLineDash([]);
  }

  // The visited unit if rows are visits.
  /** @param {Pen} context @param {number} row */
  ring(context, row) {
    const {lane, palette, line} = this,
      place = lane.order.indexOf(lane.unit[this.rows.ends[row] - 1]);
    context.strokeStyle = palette.now;
    context.lineWidth = 3 * line;
    context.strokeRect(
      this.x(place),
      this.y(row),
      this.x(place + 1) - this.x(place) - line,
      this.y(row + 1) - this.y(row) - line,
    );
  }

  // Row and unit under a point (CSS pixels); null outside of the cells.
  /** @param {number} x @param {number} y */
  at(x, y) {
    const ratio = this.canvas.width / this.canvas.clientWidth,
      {frame, lane} = this;
    const place = Math.floor((x * ratio - frame.left) / this.wide),
      row = Math.floor((y * ratio - frame.top) / this.pitch);
    if (place < 0 || place >= lane.n_h || row < 0 || row >= this.rows.count) return null;
    return {row, unit: lane.order[place]};
  }

  /** @param {number} y */
  rowNear(y) {
    const row = Math.floor(((y * this.canvas.width) / this.canvas.clientWidth - this.frame.top) / this.pitch);
    return Math.max(0, Math.min(this.rows.count - 1, row));
  }

  /** @param {{row: number, unit: number}} given */
  describe({row, unit}) {
    const {lane, rows} = this,
      at = row * lane.n_h + unit,
      state = rows.states[at] ? "on" : "off";
    const when = !row
      ? "at the start"
      : rows.byVisit
        ? `after visit ${many(row)}${lane.meta.particles ? "" : `, sweep ${lane.sweep[row - 1] + 1}`}`
        : `after sweep ${row}`;
    const turn = ["turned off", "", "turned on", "turned there and back"][1 + rows.turns[at]];
    return `${this.lane.unitName(unit)} ${when}: ${state}${turn ? `\n${turn} in this ${rows.byVisit ? "visit" : "sweep"}` : ""}`;
  }
}

class RasterCard {
  /** @type {ReturnType<RasterCard["makeView"]>[]} */ views = [];
  pictures = element("div", {class: "lv-rasters"});
  rowIs = element("small");

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    const key = legend([
      ["square", "lane0 lane1", "on"],
      ["square", "faint", "off"],
      ["pale", "lane0", "still to come"],
      ["line", "plus", "turned on"],
      ["line", "minus", "turned off"],
      ["line", "muted", "there and back"],
      ["ring", "now", "the cursor's row, the unit visited"],
      ["dashes", "ink", "selected unit"],
    ]);
    this.node = card(
      {class: "lv-raster", "aria-label": "Units over sweeps"},
      ["Units over sweeps ", this.rowIs],
      [orderMenu(player, "Order of the columns")],
      this.pictures,
      key,
    );
  }

  /** @param {Lane[]} lanes */
  load(lanes) {
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => {
      this.views[index].raster.load(lane);
      setText(this.views[index].title, lane.meta.title);
    });
    const kinds = new Set(this.views.map(({raster}) => (raster.rows.byVisit ? "visit" : "sweep")));
    setText(
      this.rowIs,
      `a row is the state after a ${Array.from(kinds).join(" or ")}; click one to go there${lanes.some(({meta}) => meta.means) ? "; a mean counts as its likelier state" : ""}`,
    );
    setAttribute(this.pictures, "data-wide", String(lanes.some((lane) => lane.n_h > 32)));
  }

  /** @param {number} index */
  makeView(index) {
    const {player} = this,
      canvas = element("canvas", {role: "img", "aria-label": "states of all units, row by row"}),
      raster = new RasterView(canvas);
    const title = element("span"),
      value = element("b"),
      box = element("div", {class: "lv-fill"}, canvas);
    /** @param {PointerEvent} event */
    const go = (event) => {
      player.pause();
      player.seek(raster.rows.ends[raster.rowNear(event.offsetY)]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      const cell = raster.at(event.offsetX, event.offsetY);
      if (cell) player.select(index, cell.unit);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
      const cell = raster.at(event.offsetX, event.offsetY);
      player.tip(cell && raster.describe(cell), event);
    });
    canvas.addEventListener("pointerleave", () => player.tip(null));
    return {
      canvas,
      raster,
      title,
      value,
      box,
      node: element("figure", {"data-lane": index}, element("div", {class: "lv-label"}, title, value), box),
    };
  }

  // Before a paint: adapt the height to the rows.
  /** @param {number} fontSize */
  makeRoom(fontSize) {
    for (const {raster, box} of this.views) {
      const height = `${raster.height(fontSize)}px`;
      if (box.style.height !== height) box.style.height = height;
    }
  }

  /** @param {number} k @param {Colours} colours @param {number} fontSize */
  paint(k, colours, fontSize) {
    const {palette} = colours,
      {selected} = this.player;
    this.views.forEach(({canvas, raster, value}, index) => {
      const {lane, rows} = raster;
      raster.orderText = UNIT_ORDERS[this.player.order][0];
      if (fitCanvas(canvas) || raster.stale || raster.palette !== palette || raster.order !== lane.order)
        raster.prepare(palette, palette.lanes[index % 2], fontSize);
      raster.paint(k, selected.lane === index ? selected.unit : -1);
      const row = raster.rowAt(k),
        last = rows.count - 1,
        what = rows.byVisit ? "visit" : "sweep";
      setText(value, row ? `${what} ${row} of ${last}` : "the start");
    });
  }

  // Text for screen readers, when the cursor rests.
  rest() {
    for (const {
      canvas,
      raster: {lane, rows},
      value,
    } of this.views) {
      const flips = lane.flips.length;
      canvas.setAttribute(
        "aria-label",
        `${lane.meta.title}: state of ${lane.n_h} units after each of ${rows.count - 1} ` +
          `${rows.byVisit ? "visits" : "sweeps"}, ${flips} flips; shown: ${value.textContent}`,
      );
    }
  }
}

registerView("raster", (player) => new RasterCard(player));
