// The interpolation between two codes: images along the path in both lanes, and log P(x, h) of each code with its best image.

import {part, unpackBits} from "../../player/js/decode.js";
import {card, element, penOf} from "../../player/js/dom.js";
import {dot, fitCanvas, PixelView, segment, StillView} from "../../player/js/draw.js";
import {number} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";
import {unitName, variablesOf} from "../../player/js/names.js";
import {FONT} from "../../player/js/theme.js";
import {VariableTable} from "../../player/js/variable_table.js";
import {imageRows, inksOf} from "./passes.js";

export const WALK_PICTURES = 11;

const pixels = () => element("canvas", {class: "lv-pixels", role: "img", "aria-label": ""});

class WalkLane {
  share = 0.5;
  steps = 0;
  way = "";
  name = "";
  stale = true;
  frame = {left: 0, right: 1};
  now = pixels();
  ends = [pixels(), pixels()];
  title = element("span");
  value = element("b");
  flip = element("small");
  pictures = element("div", {class: "lv-walk-pictures"});
  table = new VariableTable("The interpolation, by variable; scrolls"); // of named variables, instead of pictures
  curve = element("canvas", {role: "img"});
  curveLabel = element("span");
  /** @type {{image: HTMLImageElement, view: StillView}[]} */ pictureNodes = [];
  /** @type {Model} */ model;
  /** @type {Uint8Array} */ start;
  /** @type {Uint8Array} */ end;
  /** @type {Uint16Array} */ unit;
  /** @type {Float32Array} */ joint;
  /** @type {Pixels[]} */ images;
  /** @type {ReturnType<typeof inksOf>} */ inks;
  /** @type {{now: PixelView, ends: PixelView[]}} */ views;
  /** @type {Colours | undefined} */ colours;

  /** @param {number} index @param {WalkCard} card */
  constructor(index, card) {
    this.index = index;
    this.card = card;
    /** @param {string} name @param {HTMLElement} canvas */
    const end = (name, canvas) => element("figure", {}, element("div", {class: "lv-label"}, name), canvas);
    this.node = element(
      "div",
      {class: "lv-walk-lane", "data-lane": index},
      element("h3", {}, this.title, this.flip),
      element(
        "div",
        {class: "lv-walk-body"},
        element(
          "figure",
          {class: "lv-walk-now"},
          element("div", {class: "lv-label"}, "At the cursor"),
          this.now,
        ),
        element(
          "div",
          {class: "lv-walk-way"},
          this.table.node,
          element(
            "div",
            {class: "lv-walk-row"},
            end("From", this.ends[0]),
            element(
              "figure",
              {},
              element("div", {class: "lv-label"}, "Reconstructions on the way"),
              this.pictures,
            ),
            end("To", this.ends[1]),
          ),
          element(
            "figure",
            {},
            element("div", {class: "lv-label"}, this.curveLabel, this.value),
            element("div", {class: "lv-fill"}, this.curve),
          ),
        ),
      ),
    );
    const scrub = (/** @type {PointerEvent} */ event) => {
      if (event.buttons & 1) card.seek(this.shareAt(event.offsetX), true);
    };
    this.curve.addEventListener("pointerdown", (event) => {
      this.curve.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.curve.addEventListener("pointermove", scrub);
  }

  /** @param {WalkMeta["lanes"][number]} given @param {Model} model @param {WalkArrays} arrays @param {Float32Array | undefined} shades @param {string} way */
  load({title, steps, constant}, model, arrays, shades, way) {
    this.name = title;
    this.steps = steps;
    this.model = model;
    this.way = way;
    this.unit = arrays.unit;
    this.joint = arrays.log_joint;
    this.images = imageRows(arrays.images, model.n_v);
    this.inks = inksOf(model, shades);
    this.start = unpackBits(arrays.start, model.n_h);
    this.end = unpackBits(arrays.end, model.n_h);
    this.title.textContent = title;
    this.curveLabel.replaceChildren(
      element("i", {}, constant ? "log P*(x, h)" : "log P(x, h)"),
      constant ? " of the best x, nats + constant" : " of the best x, nats",
    );
    const names = variablesOf(model);
    this.node.toggleAttribute("data-table", names !== null);
    if (names) this.fillTable(names);
    else this.fillPictures(model);
    this.stale = true;
  }

  // Of a table: the names of the variables, and columns: at the cursor, and on the way from one end to the other.
  /** @param {string[]} names */
  fillTable(names) {
    const column = (/** @type {string} */ title) => ({title, label: `${this.name}: ${title}`, n: 1});
    const share = (/** @type {number} */ i) => i / (WALK_PICTURES - 1);
    this.table.load(names, [
      column("At the cursor"),
      column("From"),
      {
        title: "Reconstructions on the way",
        label: `${this.name}: reconstructions on the way`,
        n: WALK_PICTURES,
        press: {
          say: (i) => `Go to ${Math.round(100 * share(i))} % of the way`,
          go: (i) => this.card.seek(share(i), true),
        },
      },
      column("To"),
    ]);
    const [now, from, , to] = this.table.views;
    this.views = {now, ends: [from, to]};
    this.pictureNodes = [];
    this.pictures.replaceChildren();
  }

  /** @param {Model} model */
  fillPictures(model) {
    const view = (/** @type {HTMLCanvasElement} */ canvas) =>
      new PixelView(canvas, model.rows, model.columns);
    this.views = {now: view(this.now), ends: this.ends.map(view)};
    this.table.load([], []);
    this.pictureNodes = Array.from({length: WALK_PICTURES}, (_, i) => {
      const image = element("img", {
        class: "lv-pixels",
        alt: "",
        onclick: () => this.card.seek(i / (WALK_PICTURES - 1), true),
      });
      return {image, view: new StillView(image, model.rows, model.columns)};
    });
    this.pictures.replaceChildren(...this.pictureNodes.map(({image}) => image));
  }

  /** @param {number} share */
  stepOf(share) {
    return Math.round(share * this.steps);
  }

  // Activations of the code at a share of the way, from 0 to 1.
  /** @param {number} share */
  activations(share) {
    const {W, b, n_v} = this.model,
      a = Float64Array.from(b);
    const add = (/** @type {number} */ j, /** @type {number} */ amount) => {
      for (let i = 0, at = j * n_v; i < n_v; i++, at++) a[i] += amount * W[at];
    };
    const [{n_h}] = this.model.layers; // units of upper layers have no filters of pixels
    if (this.way === "straight") {
      this.start.forEach((on, j) => {
        const amount = (1 - share) * on + share * this.end[j];
        if (amount && j < n_h) add(j, amount);
      });
    } else {
      const h = this.start.slice();
      for (const j of this.unit.subarray(0, this.stepOf(share))) h[j] ^= 1;
      h.forEach((on, j) => {
        if (on && j < n_h) add(j, 1);
      });
    }
    return a;
  }

  /** @param {number} share @param {Colours} colours */
  paint(share, colours) {
    const {tables} = colours,
      {image, mean} = this.inks,
      show = (/** @type {PixelView | StillView} */ view, /** @type {Float64Array} */ a) =>
        view.paint((i) => tables.ink[mean(a[i], i)]);
    show(this.views.now, this.activations(share));
    if (this.stale || this.colours !== colours) {
      this.views.ends.forEach((view, e) => view.paint((i) => tables.ink[image(this.images[e][i], i)]));
      this.pictureNodes.forEach(({view}, i) => show(view, this.activations(i / (WALK_PICTURES - 1))));
      if (this.table.n) {
        const way = Array.from({length: WALK_PICTURES}, (_, i) => this.activations(i / (WALK_PICTURES - 1)));
        this.table.paint(2, (n, i) => tables.ink[mean(way[n][i], i)]);
      }
    }
    const nearest = Math.round(share * (WALK_PICTURES - 1));
    this.pictureNodes.forEach(({image}, i) => {
      image.dataset.now = String(i === nearest);
    });
    this.table.node.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-current", String(i === nearest));
    });
    if (fitCanvas(this.curve) || this.stale || this.colours !== colours || this.share !== share)
      this.paintCurve(share, colours);
    this.stale = false;
    this.colours = colours;
    this.share = share;
    const k = this.stepOf(share),
      value = this.joint[k],
      straight = this.way === "straight";
    this.value.textContent = Number.isFinite(value) ? number(value, 1) : "not a state of the model";
    this.flip.textContent =
      this.steps === 0
        ? "both codes are equal"
        : straight
          ? `${Math.round(100 * share)} % of the way`
          : k
            ? `flip ${k} of ${this.steps}: ${unitName(this.model, this.unit[k - 1])} ${this.stateAfter(k)}`
            : `${this.steps} units differ`;
  }

  /** @param {number} k */
  stateAfter(k) {
    return this.start[this.unit[k - 1]] ? "off" : "on";
  }

  /** @param {number} share @param {Colours} given */
  paintCurve(share, {palette}) {
    const {curve, joint, index} = this,
      context = penOf(curve),
      {width, height} = curve;
    const ratio = window.devicePixelRatio || 1,
      font = parseFloat(getComputedStyle(curve).fontSize) * 0.82 * ratio;
    const values = Array.from(joint).filter(Number.isFinite),
      low = Math.min(...values),
      high = Math.max(...values),
      room = Math.max(1, high - low) * 0.12;
    const digits = Math.max(0, Math.ceil(-Math.log10(high - low || 1))); // enough digits to distinguish both ends
    const texts = [low, high].map((value) => number(value, digits));
    context.font = `${font}px ${FONT}`;
    const left = Math.max(...texts.map((text) => context.measureText(text).width)) + font * 0.6,
      right = width - 5 * ratio;
    const x = (/** @type {number} */ k) => left + ((right - left) * k) / Math.max(1, this.steps);
    const y = (/** @type {number} */ value) =>
      height - 3 * ratio - ((value - low + room) / (high - low + 2 * room)) * (height - 6 * ratio);
    this.frame = {left, right};
    context.clearRect(0, 0, width, height);
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.lineWidth = ratio;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const apart = Math.abs(y(low) - y(high)) > font;
    (apart ? [low, high] : [high]).forEach((value) => {
      const at = Math.round(y(value)) + 0.5;
      segment(context, left, at, right, at);
      context.fillText(number(value, digits), left - font * 0.4, at);
    });
    context.strokeStyle = context.fillStyle = palette.lanes[index];
    context.lineWidth = 2 * ratio;
    context.lineJoin = "round";
    context.beginPath();
    if (this.way === "straight") {
      for (const k of [0, this.steps]) {
        context.moveTo(x(k) + 3 * ratio, y(joint[k]));
        context.arc(x(k), y(joint[k]), 3 * ratio, 0, 7);
      }
      context.fill();
    } else {
      joint.forEach((value, k) => context.lineTo(x(k), y(value)));
      context.stroke();
    }
    const at = this.way === "straight" ? left + (right - left) * share : x(this.stepOf(share)),
      value = joint[this.stepOf(share)];
    context.strokeStyle = context.fillStyle = palette.now;
    segment(context, at, 0, at, height);
    if (Number.isFinite(value)) dot(context, at, y(value), 4.5 * ratio, palette.now);
  }

  /** @param {number} x */
  shareAt(x) {
    const {left, right} = this.frame;
    return Math.max(
      0,
      Math.min(1, ((x * this.curve.width) / this.curve.clientWidth - left) / (right - left)),
    );
  }

  label() {
    this.now.setAttribute("aria-label", `${this.name}: reconstruction here on the way`);
    this.ends.forEach((canvas, e) =>
      canvas.setAttribute(
        "aria-label",
        `${this.name}: image at the ${e ? "end" : "start"} of the interpolation`,
      ),
    );
    this.curve.setAttribute(
      "aria-label",
      `${this.name}: log joint along the interpolation, from ${number(this.joint[0])} to ${number(this.joint[this.joint.length - 1])} nats, here ${this.value.textContent}`,
    );
  }
}

export class WalkCard {
  share = 0.5;
  lanes = [new WalkLane(0, this), new WalkLane(1, this)];
  /** @type {WalkMeta | undefined} */ meta;
  /** @type {Timer | undefined} */ timer;

  /** @param {import("./page.js").GeneratePage} page */
  constructor(page) {
    this.page = page;
    this.way = element("select", {"aria-label": "Kind of interpolation", onchange: () => this.ask()});
    this.pickers = ["From", "To"].map((name) => this.picker(name));
    this.range = element("input", {
      type: "range",
      min: 0,
      max: 1000,
      step: 1,
      value: 500,
      class: "lv-walk-range",
      "aria-label": "Position between the two codes",
      oninput: () => this.seek(Number(this.range.value) / 1000, true),
    });
    this.node = card(
      {class: "lv-walk", "aria-label": "Interpolation between two codes", hidden: true},
      [
        "Interpolation between two codes ",
        element(
          "small",
          {},
          "each model infers or has drawn the codes; the menu says in which order units change",
        ),
      ],
      [
        element(
          "div",
          {class: "lv-row lv-walk-choice"},
          ...this.pickers.map((picker) => picker.node),
          this.way,
        ),
      ],
      ...this.lanes.map((lane) => lane.node),
      legend([
        ["line", "lane0 lane1", "log-joint of each code with its best image"],
        ["line", "now", "cursor"],
        ["ring", "now", "the picture nearest to the cursor"],
      ]),
      element(
        "label",
        {class: "lv-walk-slider"},
        element("span", {class: "lv-caption"}, "From"),
        this.range,
        element("span", {class: "lv-caption"}, "To"),
      ),
    );
  }

  /** @param {string} name */
  picker(name) {
    const kind = element(
      "select",
      {
        "aria-label": `${name}: kind of image`,
        onchange: () => {
          this.bound(picker);
          this.ask();
        },
      },
      element("option", {value: "t"}, "test image"),
      element("option", {value: "s"}, "sample of pass"),
    );
    const count = element("input", {
      type: "number",
      min: 0,
      step: 1,
      "aria-label": `${name}: number`,
      class: "lv-number",
      onchange: () => this.ask(),
    });
    const picker = {
      kind,
      count,
      node: element(
        "span",
        {class: "lv-row lv-picker"},
        element("span", {class: "lv-caption"}, name),
        kind,
        count,
      ),
    };
    return picker;
  }

  // Passes are counted from 1, rows of test images from 0.
  /** @param {{kind: HTMLSelectElement, count: HTMLInputElement}} given */
  bound({kind, count}) {
    if (!this.meta) return;
    const least = kind.value === "s" ? 1 : 0,
      most = kind.value === "s" ? this.meta.passes : this.meta.n_test - 1;
    count.min = String(least);
    count.max = String(most);
    const value = Math.round(Number(count.value));
    count.value = String(Math.max(least, Math.min(most, Number.isFinite(value) ? value : least)));
  }

  ask() {
    const [start, end] = this.pickers.map((picker) => {
      this.bound(picker);
      return `${picker.kind.value}${Number(picker.count.value) - Number(picker.count.min)}`;
    });
    this.page.say({type: "walk", start, end, way: this.way.value});
  }

  /** @param {WalksBlock} block @param {Map<string, Model>} models */
  load({meta, arrays}, models) {
    const first = !this.meta;
    this.meta = meta;
    this.node.hidden = false;
    this.way.replaceChildren(...meta.ways.map(([value, text]) => element("option", {value}, text)));
    this.way.value = meta.way;
    [meta.from, meta.to].forEach((text, e) => {
      const {kind, count} = this.pickers[e];
      if (count.getRootNode().activeElement === count) return; // the field is being edited
      kind.value = text[0];
      count.value = String(Number(text.slice(1)) + (text[0] === "s" ? 1 : 0));
      this.bound(this.pickers[e]);
    });
    meta.lanes.forEach((lane, i) => {
      const model = models.get(lane.model);
      if (!model) throw new Error(`the interpolation needs model ${lane.model}, which was not sent`);
      this.lanes[i].load(lane, model, part(arrays, i), arrays.shades, meta.way);
    });
    if (first) this.seek(meta.at < 0 ? 0.5 : meta.at / 1000, false);
    this.page.clock.dirty();
  }

  leave() {
    this.meta = undefined;
    this.node.hidden = true;
  }

  /** @param {number} share @param {boolean} tell */
  seek(share, tell) {
    this.share = share;
    this.range.value = String(Math.round(1000 * share));
    this.page.clock.dirty();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.label();
      if (tell) this.page.say({type: "walked", at: Math.round(1000 * share)});
    }, 120);
  }

  label() {
    if (!this.meta) return;
    this.lanes.forEach((lane) => lane.label());
    this.range.setAttribute(
      "aria-valuetext",
      this.lanes.map((lane) => `${lane.name} ${lane.flip.textContent}, ${lane.value.textContent}`).join("; "),
    );
  }

  /** @param {Colours} colours */
  paint(colours) {
    if (this.meta) this.lanes.forEach((lane) => lane.paint(this.share, colours));
  }
}
