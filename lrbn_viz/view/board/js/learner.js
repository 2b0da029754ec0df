// One lane of the training board: its model now, or at a stored moment.

import {part} from "../../player/js/decode.js";
import {element, penOf, setText} from "../../player/js/dom.js";
import {fitCanvas} from "../../player/js/draw.js";
import {brief, byte, many, number, signedColour, timeOfDay} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";
import {inRows} from "../../player/js/names.js";
import {VariableTable} from "../../player/js/variable_table.js";
import {FilterMosaic, FilterTable, useInWords} from "./mosaic.js";
import {PictureRows, paintStrip, strip} from "./picture_rows.js";
import {Ring} from "./ring.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {unknown_tone: UNKNOWN_TONE} = constants; // of a value that is not known

export class TrainLane {
  rate = 0;
  fine = false; // filters have full size
  said = "";
  stale = {strips: true, filters: true, usage: true};
  strips = {
    original: strip("eight held-out images"),
    reconstructions: strip("their reconstructions"),
    residual: strip("the errors"),
    samples: strip("eight samples of the model"),
  };
  table = new VariableTable("Held-out observations and samples, by variable; scrolls");
  usage = element("canvas", {role: "img"});
  numbers = element("div", {class: "lt-numbers"});
  error = element("p", {class: "lv-complaint"});
  dead = element("b");
  /** @type {Record<"strips" | "usage" | "filters", HTMLElement>} */
  stamped = {
    strips: element("small", {class: "lt-stamp"}),
    usage: element("small"),
    filters: element("small"),
  }; // number of the minibatch of each picture
  /** @type {Map<string, Ring>} */ rings = new Map();
  /** @type {Map<string, Ring>} */ parent = new Map(); // later curves of the parent run
  /** @type {Set<number>} */ touched = new Set(); // filters to be drawn
  /** @type {HTMLCanvasElement | null} */ atlas = null;
  /** @type {Colours | undefined} */ of;

  /** @param {import("./board.js").TrainBoard} board @param {RunMeta} run @param {number} index @param {Arrays} arrays */
  constructor(board, run, index, arrays) {
    this.board = board;
    this.run = run;
    this.index = index;
    this.meta = run.lanes[index];
    this.title = this.meta.title;
    this.n_h = this.meta.n_h;
    this.step = this.meta.step;
    this.seconds = this.meta.seconds;
    this.history = this.meta.history;
    this.stamps = {glance: this.meta.glance, probe: this.meta.probe, filters: this.step}; // minibatches of the pictures
    this.filterSteps = new Float64Array(this.n_h).fill(this.step);
    for (const name of run.figures) {
      this.rings.set(name, new Ring(arrays[`${index}.${name}`]));
      const later = arrays[`${index}.parent.${name}`];
      if (later) this.parent.set(name, new Ring(later));
    }
    /** @type {Pictures & {filters: Int8Array}} */
    const {original, reconstructions, samples, usage, rows, filters} = part(arrays, index);
    this.pictures = {
      original: original.slice(),
      reconstructions: reconstructions.slice(),
      samples: samples.slice(),
      usage: usage.slice(),
      rows: rows.slice(),
    };
    this.rows = new PictureRows(this);
    this.filters = filters.slice();
    this.mosaic = run.variables ? new FilterTable(this, run.variables) : new FilterMosaic(this);
    if (run.variables) this.fillTable(run.variables);
    const {binary} = run,
      upper = usage.length - this.n_h,
      units = upper > 0 ? `${this.n_h} + ${upper} units` : `${this.n_h} units`;
    const colours = binary
      ? legend(
          [
            ["square", "plus", "too much"],
            ["square", "minus", "too little; faint: the likelier value is right"],
          ],
          "Error",
        )
      : element("div", {class: "lt-legend"}, "residual \u22120.5", element("i"), "+0.5 of full ink");
    this.node = element(
      "section",
      {class: "lv-card lv-lane lt-lane", "data-lane": this.index % 2, "aria-label": this.title},
      element(
        "header",
        {},
        element(
          "h2",
          {title: this.meta.settings},
          element("span", {}, this.title),
          element("small", {}, units),
        ),
        this.numbers,
      ),
      this.error,
      element(
        "div",
        {class: "lt-views"},
        element(
          "div",
          {class: "lt-strips"},
          this.stamped.strips,
          ...(run.variables
            ? [this.table.node]
            : [
                ...Object.entries(this.titles).flatMap(([name, text]) => [
                  element("span", {}, text),
                  this.strips[/** @type {keyof TrainLane["strips"]} */ (name)],
                ]),
                ...this.rows.nodes,
                element("span"),
              ]),
          colours,
        ),
        element(
          "figure",
          {class: "lt-usage"},
          element(
            "div",
            {class: "lv-label"},
            element("span", {}, "Use of each unit ", this.stamped.usage),
            this.dead,
          ),
          element("div", {class: "lv-fill"}, this.usage),
          legend([
            [
              "square",
              `lane${index % 2}`,
              inRows("bar: share of held-out images that turn a unit on; the largest first", this.isTable),
            ],
            ["square", "bad", inRows("dead: no image does", this.isTable)],
          ]),
        ),
        element(
          "figure",
          {class: "lt-mosaic"},
          element(
            "div",
            {class: "lv-label"},
            element("span", {}, "Filters ", this.stamped.filters, ": press one to see it large"),
          ),
          this.mosaic.node,
          legend([
            ["square", "plus", this.isTable ? "makes the variable more probable" : "adds ink"],
            ["square", "minus", this.isTable ? "less" : "takes it away"],
            ["pale", "plus minus", "faint: a dead unit"],
          ]),
        ),
      ),
    );
  }

  // A unit and its usage in words.
  /** @param {number} unit */
  describe(unit) {
    return `unit ${unit}: ${useInWords(this.pictures.usage[unit] / 255, this.isTable)}`;
  }

  // Steps -> epochs or seconds
  /** @param {number} step */
  along(step) {
    if (this.board.axis === "seconds")
      return step <= 0 ? 0 : step >= this.step ? this.seconds : (this.rings.get("seconds")?.at(step) ?? 0);
    return step / this.meta.per_pass;
  }

  // Position of the displayed moment
  /** @param {PastLane[]} past */
  alongPast(past) {
    const {passes, seconds} = past[this.index];
    return this.board.axis === "seconds" ? seconds : passes;
  }

  /** @param {number} step */
  alongParent(step) {
    return this.board.axis === "seconds"
      ? (this.parent.get("seconds")?.at(step) ?? 0)
      : step / this.meta.per_pass;
  }

  // End of the parent's curves; 0 without any.
  parentEnd() {
    const seconds = this.parent.get("seconds");
    return seconds ? this.alongParent(seconds.lastX) : 0;
  }

  /** @param {FrameLane} frame */
  take(frame) {
    this.step = frame.step;
    this.seconds = frame.seconds;
    this.rate = frame.rate;
    this.history = frame.history;
    for (const [key, value] of frame.values) this.rings.get(this.run.figures[key])?.add(frame.step, value);
    if (frame.values.length) this.rings.get("seconds")?.add(frame.step, frame.seconds);
  }

  /** @param {FramePiece} given */
  piece({kind, index, content}) {
    if (kind === "filter") {
      if (this.fine) this.coarsen();
      this.filters.set(
        new Int8Array(content.buffer, content.byteOffset, content.length),
        index * content.length,
      );
      this.stale.filters = true;
      this.touched.add(index);
      this.filterSteps[index] = this.step;
      this.stamps.filters = Math.min(...this.filterSteps); // of the oldest filter
    }
  }

  // Whether the data are rows of named variables, and no images.
  get isTable() {
    return this.run.variables !== null;
  }

  get titles() {
    const {binary} = this.run;
    return {
      original: "held out",
      reconstructions: binary ? "P(x = 1)" : "mean",
      residual: binary ? "error" : "residual",
      samples: "samples",
    };
  }

  // Of a table: the variables' names once, and the rows of pictures as columns beside each other.
  /** @param {string[]} names */
  fillTable(names) {
    const n = this.pictures.original.length / names.length;
    this.table.load(names, [
      ...Object.entries(this.titles).map(([name, title]) => {
        const canvas = this.strips[/** @type {keyof TrainLane["strips"]} */ (name)];
        return {title, label: inRows(canvas.getAttribute("aria-label") ?? title, true), n, canvas};
      }),
      ...this.rows.groups,
    ]);
  }

  // New pictures; `arrays` has none while a stored moment is shown.
  /** @param {PicturesMeta["lanes"][number]} given @param {Partial<Pictures> & {filters?: Int8Array}} arrays */
  takePictures({steps, figures}, arrays) {
    for (const [name, value] of Object.entries(figures)) {
      const ring = this.rings.get(name);
      if (ring && steps.probe !== undefined && !(ring.lastX >= steps.probe)) ring.add(steps.probe, value);
    }
    this.replace(arrays);
    const {filters} = arrays;
    if (filters) {
      if (this.fine) this.coarsen();
      this.filters = filters.slice();
      this.filterSteps.fill(steps.filters ?? this.step);
      this.stale.filters = true;
      for (let j = 0; j < this.n_h; j++) this.touched.add(j);
    }
    if (Object.keys(arrays).length) Object.assign(this.stamps, steps);
  }

  /** @param {Partial<Pictures>} given */
  replace({reconstructions, samples, usage, rows}) {
    const {pictures, stale} = this;
    if (rows) pictures.rows = rows.slice();
    if (reconstructions) pictures.reconstructions = reconstructions.slice();
    if (samples) pictures.samples = samples.slice();
    if (usage) pictures.usage = usage.slice();
    stale.strips ||= Boolean(rows || reconstructions || samples);
    stale.usage ||= Boolean(usage);
  }

  // Filters are shown at reduced size again until new ones arrive.
  coarsen() {
    const [rows, columns] = this.run.image_shape,
      [r, c] = this.run.coarse_shape;
    const small = new Int8Array(this.n_h * r * c);
    for (let j = 0; j < this.n_h; j++) {
      for (let i = 0; i < r * c; i++) {
        const y = Math.min(rows - 1, Math.floor(((Math.floor(i / c) + 0.5) * rows) / r)),
          x = Math.min(columns - 1, Math.floor((((i % c) + 0.5) * columns) / c));
        small[j * r * c + i] = this.filters[j * rows * columns + y * columns + x];
      }
    }
    this.filters = small;
    this.fine = false;
    this.atlas = null;
  }

  // Whole filters, and pictures where there are any, of the model after `step` minibatches.
  /** @param {Arrays} arrays @param {number} step */
  show(arrays, step) {
    /** @type {Partial<Pictures> & {filters: Int8Array}} */
    const {filters, ...others} = part(arrays, this.index);
    this.replace(others);
    if (others.reconstructions) this.stamps.glance = step;
    if (others.samples) this.stamps.probe = step;
    this.stamps.filters = step;
    this.filterSteps.fill(step);
    this.filters = filters.slice();
    this.fine = true;
    this.touched.clear();
    this.anew();
  }

  anew() {
    this.atlas = null;
    this.stale = {strips: true, filters: true, usage: true};
  }

  /** @param {Colours} colours */
  paint(colours) {
    if (this.of !== colours) this.anew();
    this.of = colours;
    const grew = [this.mosaic.fit(), fitCanvas(this.usage)];
    if (this.stale.strips) this.paintStrips(colours.tables);
    if (this.stale.filters || grew[0]) this.paintMosaic(colours);
    if (this.stale.usage || grew[1]) this.paintUsage(colours.palette);
    this.stale = {strips: false, filters: false, usage: false};
    this.words();
  }

  /** @param {PixelTables} tables */
  paintStrips(tables) {
    const {run} = this,
      [rows, columns] = run.image_shape,
      n = this.pictures.original.length / (rows * columns),
      [low, high] = run.tones;
    const tone = Uint32Array.from({length: 256}, (_, i) => tables.ink[byte(low + ((high - low) * i) / 255)]);
    const {original, reconstructions, samples} = this.pictures;
    /** @param {number} at */
    const residual = (at) => {
      // mean - x, in intensities
      const x = original[at],
        difference = ((reconstructions[at] - x) / 255) * (high - low);
      return run.binary
        ? signedColour(tables.error[x > 127 ? 1 : 0], difference)
        : signedColour(tables.signed, 2 * difference);
    };
    /** @type {[HTMLCanvasElement, (at: number) => number][]} */
    const strips = [
      [this.strips.original, (at) => tone[original[at]]],
      [this.strips.reconstructions, (at) => tone[reconstructions[at]]],
      [this.strips.residual, residual],
      [this.strips.samples, (at) => tone[samples[at]]],
    ];
    if (!run.variables) {
      for (const [canvas, colour] of strips) paintStrip(canvas, run.image_shape, n, colour);
      this.rows.paint(tables, tone);
      return;
    }
    const {table} = this,
      unknown = (/** @type {number} */ m, /** @type {number} */ i) =>
        original[m * table.n + i] === UNKNOWN_TONE,
      hatch = (/** @type {boolean} */ filled) => ({unknown, filled, colours: tables.hatch});
    strips.forEach(([, colour], group) =>
      table.paint(
        group,
        (m, i) => colour(m * table.n + i),
        group === 3 || !original.includes(UNKNOWN_TONE) ? null : hatch(group === 1),
      ),
    );
    this.rows.paint(tables, tone, (row, colour) =>
      table.paint(strips.length + row, (m, i) => colour(m * table.n + i)),
    );
  }

  // All filters side by side in one picture; only changed ones are drawn again.
  /** @param {Colours} given */
  paintMosaic({tables, palette}) {
    if (this.mosaic instanceof FilterTable) {
      this.touched.clear();
      this.mosaic.paintCells(this.filters, this.pictures.usage, tables.signed);
      return;
    }
    const [rows, columns] = this.fine ? this.run.image_shape : this.run.coarse_shape,
      n_v = rows * columns;
    let {atlas} = this;
    if (!atlas) {
      this.atlas = atlas = element("canvas", {width: columns * this.n_h, height: rows});
      this.touched = new Set(Array.from({length: this.n_h}, (_, j) => j));
    }
    const pen = penOf(atlas),
      image = pen.createImageData(columns, rows),
      pixels = new Uint32Array(image.data.buffer);
    for (const j of this.touched) {
      for (let i = 0; i < n_v; i++) pixels[i] = tables.signed[255 + 2 * this.filters[j * n_v + i]];
      pen.putImageData(image, j * columns, 0);
    }
    this.touched.clear();
    this.mosaic.paint(atlas, [rows, columns], this.pictures.usage, palette);
  }

  /** @param {Palette} palette */
  paintUsage(palette) {
    const {usage} = this,
      context = penOf(usage),
      {width, height} = usage,
      sorted = Array.from(this.pictures.usage).sort((a, b) => b - a);
    const wide = width / sorted.length,
      dead = sorted.filter((value) => value === 0).length;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    context.fillStyle = palette.lanes[this.index % 2];
    sorted.forEach((value, j) =>
      context.fillRect(
        j * wide,
        height - Math.max(value ? 1 : 0, (value / 255) * height),
        Math.max(1, wide - (wide > 4 ? 1 : 0)),
        height,
      ),
    );
    if (dead) {
      context.fillStyle = palette.bad;
      context.fillRect(width - dead * wide, height - 3 * (window.devicePixelRatio || 1), dead * wide, height);
    }
    this.dead.textContent = dead ? `${dead} dead` : "none dead";
    usage.setAttribute(
      "aria-label",
      `${this.title}: use of the units, from ${brief((100 * sorted[0]) / 255)} % down to ${brief((100 * sorted[sorted.length - 1]) / 255)} % of held-out ${this.isTable ? "rows" : "images"}, ${dead} dead`,
    );
  }

  // The newest value, or that of the displayed moment; NaN if it has none or is not loaded yet.
  /** @param {string} name */
  figure(name) {
    return (
      (this.board.cursor < 0
        ? this.rings.get(name)?.last
        : this.board.pastLanes?.[this.index].figures[name]?.[0]) ?? NaN
    );
  }

  /** @param {number} step */
  at(step) {
    return `at ${this.board.unit} ${many(step)}`;
  }

  // Minibatch of each picture; samples and usage are computed less often than the eight reconstructions.
  stamp() {
    const {
      stamped,
      stamps: {glance, probe, filters},
    } = this;
    setText(
      stamped.strips,
      probe === glance ? this.at(glance) : `${this.at(glance)}, samples at ${many(probe)} (drawn less often)`,
    );
    setText(stamped.usage, this.at(probe));
    setText(stamped.filters, this.at(filters));
  }

  words() {
    const wrong = this.figure("probe_wrong_pixels"),
      dead = this.figure("probe_dead_units"),
      unit = !this.run.binary ? "sq. error" : this.isTable ? "observations wrong" : "px wrong";
    const parts = [],
      {probe} = this.stamps,
      seconds = this.board.cursor < 0 ? this.seconds : (this.board.pastLanes?.[this.index].seconds ?? NaN);
    this.stamp();
    if (Number.isFinite(wrong)) parts.push(element("span", {}, element("b", {}, brief(wrong)), ` ${unit}`));
    if (Number.isFinite(dead))
      parts.push(element("span", {}, element("b", {}, String(Math.round(dead))), " dead"));
    if (Number.isFinite(wrong))
      parts.push(
        element(
          "small",
          {
            title: inRows(
              "Wrong pixels and dead units are counted on all held-out images: less often than the eight below are shown, as it takes longer",
              this.isTable,
            ),
          },
          this.at(probe),
        ),
      );
    if (Number.isFinite(seconds))
      parts.push(
        element(
          "span",
          {
            title: `Seconds ${this.board.trainer.clock} in which this model took its own steps, on as many cores as they use: without the other's steps, the compilation of kernels, and the work for what is shown here. These are no CPU seconds`,
          },
          element("b", {}, number(seconds, seconds < 100 ? 1 : 0)),
          " s in its own steps, by the clock",
        ),
      );
    if (this.board.cursor >= 0 && !this.board.pastLanes) parts.push(element("span", {}, "\u2026"));
    if (this.rate > 0 && this.board.cursor < 0)
      parts.push(
        element(
          "span",
          {},
          element("b", {}, many(Math.round(this.rate))),
          this.isTable ? " rows/s" : " images/s",
        ),
      );
    if (this.board.lostAt) parts.push(element("span", {}, `as of ${timeOfDay(this.board.lostAt)}`));
    const text = parts.map((part) => part.textContent).join("\n");
    if (text !== this.said) this.numbers.replaceChildren(...parts);
    this.said = text;
    setText(this.error, this.meta.error);
  }
}
