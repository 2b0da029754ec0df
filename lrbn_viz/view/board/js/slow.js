// Slow motion: one minibatch of training, in its two parts. The E-step sets the latents of each image, with the filters as they
// are; the M-step changes the filters, with these latents. A model without an E-step has its gradient step alone.

import {part} from "../../player/js/decode.js";
import {card, element, iconButton, penOf, setText} from "../../player/js/dom.js";
import {gridShape, largest, PixelMap, StillView} from "../../player/js/draw.js";
import {brief, many, signed, signedColour} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";

/** @typedef {import("./learner.js").TrainLane} TrainLane */

const MS = 600, // of a flip, while they play
  CELL = 12, // dots of a latent's square in its canvas, and between two
  GAP = 3;

// Of each method, what a flip is.
/** @type {Record<string, string>} */
const METHODS = {
  icm: "ICM visits one latent after another, and sets each to its likelier state given the image and all other latents.",
  gibbs:
    "Gibbs sampling visits one latent after another, and draws each given the image and all other latents.",
  annealed:
    "Annealing visits one latent after another, and draws each given the image and all other latents, at a falling temperature; ICM ends it.",
};

// The E-step of one lane: the images of the minibatch, and the states of the chosen one, flip by flip.
class Flips {
  image = 0;
  /** @type {Timer | undefined} */ timer;
  /** @type {((tables: PixelTables) => void)[]} */ paints = [];
  images = element("div", {class: "lt-thumbs", role: "group", "aria-label": "Images of the minibatch"});
  latents = element("canvas", {role: "img", class: "lt-slow-latents"});
  said = element("p", {role: "status"});
  range = element("input", {type: "range", min: 0, step: 1, oninput: () => this.rest()});
  back = iconButton("back", "Flip before", "", () => this.move(-1));
  next = iconButton("step", "Next flip", "", () => this.move(1));
  play = element("button", {type: "button", class: "lv-btn lv-small", onclick: () => this.toggle()}, "Play");
  open = element(
    "button",
    {type: "button", class: "lv-btn lv-small", onclick: () => this.slow.inspect(this.image)},
    "Every visit of this image, in Inference",
  );

  /** @param {SlowMotion} slow @param {TrainLane} lane @param {SlowLane} meta @param {FlipArrays} arrays @param {number[]} rows  training images of the minibatch */
  constructor(slow, lane, meta, arrays, rows) {
    this.slow = slow;
    this.lane = lane;
    this.meta = meta;
    this.arrays = arrays;
    const [height, width] = lane.run.image_shape;
    this.shape = gridShape(meta.n_h, width, height);
    this.x = new PixelMap(height, width, "the image");
    this.mean = new PixelMap(height, width, "its reconstruction");
    this.latents.width = this.shape.columns * (CELL + GAP) - GAP;
    this.latents.height = this.shape.rows * (CELL + GAP) - GAP;
    this.range.setAttribute("aria-label", `${lane.title}: flip of the E-step`);
    this.buttons = rows.slice(0, arrays.ends.length).map((row, n) => {
      const picture = element("img", {alt: "", class: "lv-pixels"}),
        view = new StillView(picture, height, width);
      this.paints.push(({ink}) => view.paint((i) => ink[slow.pixels[n * height * width + i]]));
      const label = `Training image ${many(row)}, ${this.count(n)}`;
      return element(
        "button",
        {type: "button", class: "lt-thumb", "aria-label": label, title: label, onclick: () => this.choose(n)},
        picture,
      );
    });
    this.images.append(...this.buttons);
    const figure = (/** @type {string} */ words, /** @type {HTMLElement} */ canvas) =>
      element("figure", {}, element("figcaption", {}, words), canvas);
    this.node = element(
      "section",
      {class: "lt-slow-part", "aria-label": `${lane.title}: E-step`},
      element("h3", {}, `${lane.title}: E-step`),
      element(
        "p",
        {},
        `The filters stay as they are. ${METHODS[meta.e_step ?? ""] ?? ""} Only visits that change a latent, its flips, are shown. Press an image to see its own.`,
      ),
      this.images,
      element(
        "div",
        {class: "lt-slow-states"},
        figure("image", this.x.canvas),
        figure("reconstruction", this.mean.canvas),
        figure("latents", this.latents),
      ),
      element("div", {class: "lt-slow-flips"}, this.back, this.range, this.next, this.play),
      this.said,
      legend([
        ["square", "ink", "latent on"],
        ["square", "plus", "has just turned on"],
        ["square", "minus", "has just turned off"],
      ]),
      this.open,
    );
  }

  // The first state of an image among all, which is its start.
  /** @param {number} image */
  first(image) {
    return image ? this.arrays.ends[image - 1] : 0;
  }

  // Flips of an image.
  /** @param {number} image */
  flips(image) {
    return this.arrays.ends[image] - this.first(image) - 1;
  }

  /** @param {number} image */
  count(image) {
    const n = this.flips(image);
    return n ? `${many(n)} flip${n === 1 ? "" : "s"}` : "no flip";
  }

  /** @param {number} image */
  choose(image) {
    this.image = image;
    this.buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n === image)));
    this.range.max = String(this.flips(image));
    this.range.value = "0";
    this.range.disabled = this.play.disabled = !this.flips(image);
    this.rest();
  }

  // Go to another flip; returns whether there is one.
  /** @param {number} by */
  step(by) {
    const before = this.range.value;
    this.range.value = String(Number(before) + by);
    this.slow.board.dirty();
    return this.range.value !== before;
  }

  /** @param {number} by */
  move(by) {
    this.step(by);
    this.rest();
  }

  // Stop playing.
  rest() {
    clearInterval(this.timer);
    this.timer = undefined;
    setText(this.play, "Play");
    this.slow.board.dirty();
  }

  toggle() {
    if (this.timer !== undefined) return this.rest();
    if (this.range.value === this.range.max) this.range.value = "0";
    setText(this.play, "Pause");
    this.timer = setInterval(() => this.step(1) || this.rest(), MS);
    this.slow.board.dirty();
  }

  /** @param {Colours} colours */
  paint({palette, tables}) {
    const {arrays, image, lane} = this,
      flip = Number(this.range.value),
      at = this.first(image) + flip,
      {n_h} = this.meta,
      n_v = this.slow.pixels.length / this.slow.rows.length,
      unit = arrays.unit[at],
      states = arrays.states.subarray(at * n_h, (at + 1) * n_h);
    this.x.view.paint((i) => tables.ink[this.slow.pixels[image * n_v + i]]);
    this.mean.view.paint((i) => tables.ink[arrays.means[at * n_v + i]]);
    const pen = penOf(this.latents),
      {columns} = this.shape;
    pen.clearRect(0, 0, this.latents.width, this.latents.height);
    states.forEach((on, j) => {
      pen.fillStyle = j === unit ? palette[on ? "plus" : "minus"] : on ? palette.ink : palette.faint;
      pen.fillRect((j % columns) * (CELL + GAP), Math.floor(j / columns) * (CELL + GAP), CELL, CELL);
    });
    const on = states.reduce((sum, state) => sum + state, 0);
    this.latents.setAttribute("aria-label", `${lane.title}: ${on} of ${n_h} latents on`);
    const joint = `log P(x, h) = ${brief(arrays.log_joint[at])} nats`,
      words =
        unit < 0
          ? `Start: ${on} of ${n_h} latents on; ${joint}. The E-step makes ${this.count(image)}.`
          : `Flip ${flip} of ${this.range.max}, sweep ${arrays.sweep[at] + 1}: latent ${unit} turns ${states[unit] ? "on" : "off"}; its log-odds are ${signed(arrays.log_odds[at])} nats. ${joint}.`;
    this.range.setAttribute("aria-valuetext", words);
    setText(this.said, words);
    this.back.disabled = flip === 0;
    this.next.disabled = flip === Number(this.range.max);
  }

  /** @param {PixelTables} tables */
  anew(tables) {
    for (const paint of this.paints) paint(tables);
  }
}

// The change of filters of one lane, the most changed first.
class Changes {
  /** @param {TrainLane} lane @param {SlowLane} meta @param {SlowArrays} arrays */
  constructor(lane, {e_step, units, largest: sizes}, {before, after}) {
    const [height, width] = lane.run.image_shape,
      n_v = height * width,
      steps = after.map((w, at) => w - before[at]);
    this.scale = largest(steps); // of all units, so that their steps compare
    this.rows = units.map((unit, n) => {
      const own = (/** @type {Float64Array} */ rows) => rows.subarray(n * n_v, (n + 1) * n_v),
        images = [
          {name: "before", values: own(before), scale: 0},
          {name: "gradient", values: own(steps), scale: this.scale},
          {name: "after", values: own(after), scale: 0},
        ],
        same = Math.max(largest(own(before)), largest(own(after)));
      return {
        unit,
        size: sizes[n],
        pictures: images.map(({name, values, scale}) => {
          const picture = element("img", {class: "lv-pixels", alt: `unit ${unit}: ${name}`});
          return {name, picture, values, scale: scale || same, view: new StillView(picture, height, width)};
        }),
      };
    });
    const title = e_step === null ? "gradient step" : "M-step",
      about =
        e_step === null
          ? "Given an image its latents are independent, so it needs no E-step. The gradient is a mean over the minibatch, less a mean over samples of the model."
          : "The latents stay as the E-step has left them. Each weight moves along the gradient of log P(x, h), averaged over the minibatch.";
    this.node = element(
      "section",
      {class: "lt-slow-part", "aria-label": `${lane.title}: ${title}`},
      element("h3", {}, `${lane.title}: ${title}`),
      element(
        "p",
        {},
        `${about} The gradient is shown as it is applied: the filter after the step, less the filter before it.`,
      ),
      element(
        "ol",
        {class: "lt-slow-units"},
        ...this.rows.map(({unit, size, pictures}) =>
          element(
            "li",
            {},
            element("b", {}, `unit ${unit}`),
            element("small", {}, `largest change ${small(size)}`),
            element("div", {}, ...pictures.map(({picture}) => picture)),
            element(
              "div",
              {class: "lt-slow-names", "aria-hidden": "true"},
              ...pictures.map(({name}) => element("span", {}, name)),
            ),
          ),
        ),
      ),
      legend([
        ["square", "plus", "a weight above 0, or one that rises"],
        ["square", "minus", "below 0, or one that falls"],
        [
          "pale",
          "plus minus",
          `full colour: ${small(this.scale)} in gradients; in a filter, its largest weight`,
        ],
      ]),
    );
  }

  /** @param {PixelTables} tables */
  anew({signed: table}) {
    for (const {pictures} of this.rows)
      for (const {view, values, scale} of pictures) view.paint((i) => signedColour(table, values[i] / scale));
  }
}

// A change of a weight, to two digits.
/** @param {number} value */
const small = (value) => (value ? value.toPrecision(2) : "0");

export class SlowMotion {
  step = -1;
  /** @type {number[]} */ rows = [];
  pixels = new Uint8Array(0);
  /** @type {Flips[]} */ flips = [];
  /** @type {Changes[]} */ changes = [];
  /** @type {PixelTables | null} */ painted = null;
  note = element("small");
  parts = element("div", {class: "lt-slow-parts"});

  /** @param {import("./board.js").TrainBoard} board */
  constructor(board) {
    this.board = board;
    this.node = card(
      {class: "lt-slow", "aria-label": "Slow motion", tabindex: "-1", hidden: true},
      ["Slow motion ", this.note],
      [iconButton("leave", "Close slow motion", "", () => this.close())],
      this.parts,
    );
  }

  /** @param {SlowMeta} meta @param {Arrays & {minibatch: Uint8Array}} arrays */
  take({step, rows, lanes}, arrays) {
    this.hide();
    this.step = step;
    this.rows = rows;
    this.pixels = arrays.minibatch.slice();
    setText(this.note, `${this.board.unit} ${many(step)}, ${many(rows.length)} images`);
    lanes.forEach((meta, n) => {
      const lane = this.board.lanes[n],
        /** @type {SlowArrays} */
        own = part(arrays, n);
      if (meta.e_step !== null)
        this.flips.push(new Flips(this, lane, meta, /** @type {FlipArrays} */ (own), rows));
      this.changes.push(new Changes(lane, meta, own));
    });
    this.parts.replaceChildren(...this.flips.map(({node}) => node), ...this.changes.map(({node}) => node));
    for (const flips of this.flips) flips.choose(0);
    this.node.hidden = false;
    this.node.scrollIntoView({block: "nearest"});
    this.node.focus({preventScroll: true});
  }

  close() {
    this.hide();
    this.board.buttons.slow.focus();
  }

  // It belongs to one step, and goes when another is shown.
  hide() {
    for (const flips of this.flips) flips.rest();
    this.flips = [];
    this.changes = [];
    this.painted = null;
    this.node.hidden = true;
  }

  /** @param {number} number  of an image of the minibatch */
  inspect(number) {
    this.board.say({type: "inspect", number});
  }

  /** @param {Colours} colours */
  paint(colours) {
    if (this.node.hidden) return;
    if (this.painted !== colours.tables) {
      this.painted = colours.tables;
      for (const each of [...this.flips, ...this.changes]) each.anew(colours.tables);
    }
    for (const flips of this.flips) flips.paint(colours);
  }
}
