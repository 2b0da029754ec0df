// Slow motion: one minibatch of training, in its two parts. The E-step sets the latents of each image, with the filters as they
// are; the M-step changes the filters, with these latents. A model without an E-step has its gradient step alone.

import {part} from "../../player/js/decode.js";
import {card, element, iconButton, penOf, setText} from "../../player/js/dom.js";
import {gridShape, largest, PixelMap, StillView} from "../../player/js/draw.js";
import {brief, many, signed, signedColour} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";
import {inRows} from "../../player/js/names.js";
import {VariableTable} from "../../player/js/variable_table.js";

/** @typedef {import("./learner.js").TrainLane} TrainLane */

const STAGES = ["before", "gradient", "after"]; // of a filter

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
  states = new VariableTable("The row and its reconstruction, by variable"); // of data that are no pictures
  said = element("p", {role: "status"});
  range = element("input", {type: "range", min: 0, step: 1, oninput: () => this.rest()});
  back = iconButton("back", "Flip before", "", () => this.move(-1));
  next = iconButton("step", "Next flip", "", () => this.move(1));
  play = element("button", {type: "button", class: "lv-btn lv-small", onclick: () => this.toggle()}, "Play");
  open = element("button", {
    type: "button",
    class: "lv-btn lv-small",
    onclick: () => this.slow.inspect(this.image),
  });

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
    const {variables} = lane.run;
    setText(this.open, inRows("Every visit of this image, in Inference", Boolean(variables)));
    if (variables) this.nameRows(variables, rows);
    else this.images.append(...this.buttons);
    const figure = (/** @type {string} */ words, /** @type {HTMLElement} */ canvas) =>
      element("figure", {}, element("figcaption", {}, words), canvas);
    this.node = element(
      "section",
      {class: "lt-slow-part", "aria-label": `${lane.title}: E-step`},
      element("h3", {}, `${lane.title}: E-step`),
      element(
        "p",
        {},
        inRows(
          `The filters stay as they are. ${METHODS[meta.e_step ?? ""] ?? ""} Only visits that change a latent, its flips, are shown. Press one of the images to see its own.`,
          Boolean(variables),
        ),
      ),
      this.images,
      element(
        "div",
        {class: "lt-slow-states"},
        ...(variables
          ? [this.states.node]
          : [figure("image", this.x.canvas), figure("reconstruction", this.mean.canvas)]),
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

  // Rows of data that are no pictures, by the names of their variables.
  /** @param {string[]} variables @param {number[]} rows */
  nameRows(variables, rows) {
    const n_v = variables.length,
      n = this.arrays.ends.length,
      all = new VariableTable("Rows of the minibatch, by variable; scrolls");
    all.load(variables, [
      {
        label: `${n} training rows`,
        n,
        press: {
          say: (at) => `Training row ${many(rows[at])}, ${this.count(at)}`,
          go: (at) => this.choose(at),
        },
      },
    ]);
    this.buttons = [...all.node.querySelectorAll("button")];
    this.paints = [({ink}) => all.paint(0, (at, i) => ink[this.slow.pixels[at * n_v + i]])];
    this.images.append(all.node);
    this.states.load(
      variables,
      ["row", "reconstruction"].map((title) => ({title, label: title, n: 1})),
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
    if (this.states.n) {
      this.states.paint(0, (_, i) => tables.ink[this.slow.pixels[image * n_v + i]]);
      this.states.paint(1, (_, i) => tables.ink[arrays.means[at * n_v + i]]);
    }
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
  /** @type {VariableTable | undefined} */ table; // of data that are no pictures: a column a unit

  /** @param {TrainLane} lane @param {SlowLane} meta @param {SlowArrays} arrays */
  constructor(lane, {e_step, units, largest: sizes}, {before, after}) {
    const [height, width] = lane.run.image_shape,
      n_v = height * width,
      steps = after.map((w, at) => w - before[at]);
    this.scale = largest(steps); // of all units, so that their steps compare
    this.rows = units.map((unit, n) => {
      const own = (/** @type {Float64Array} */ rows) => rows.subarray(n * n_v, (n + 1) * n_v),
        images = [
          {name: STAGES[0], values: own(before), scale: 0},
          {name: STAGES[1], values: own(steps), scale: this.scale},
          {name: STAGES[2], values: own(after), scale: 0},
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
    const {variables} = lane.run;
    if (variables) {
      this.table = new VariableTable(`${lane.title}: change of the filters, by variable; scrolls`);
      this.table.load(
        variables,
        STAGES.map((title) => ({
          title,
          label: `${title}: a column for each unit, the most changed first`,
          n: units.length,
          heads: units.map(String),
        })),
      );
    }
    const title = e_step === null ? "gradient step" : "M-step",
      about =
        e_step === null
          ? "Given what is visible its latents are independent, so it needs no E-step. The gradient is a mean over the minibatch, less a mean over samples of the model."
          : "The latents stay as the E-step has left them. Each weight moves along the gradient of log P(x, h), averaged over the minibatch.";
    this.node = element(
      "section",
      {class: "lt-slow-part", "aria-label": `${lane.title}: ${title}`},
      element("h3", {}, `${lane.title}: ${title}`),
      element(
        "p",
        {},
        inRows(
          `${about} The gradient is shown as it is applied: the filter after the step, less the filter before it.`,
          Boolean(variables),
        ),
      ),
      this.table?.node ??
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
    STAGES.forEach((_, stage) =>
      this.table?.paint(stage, (unit, i) => {
        const {values, scale} = this.rows[unit].pictures[stage];
        return signedColour(table, values[i] / scale);
      }),
    );
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
    const {variables} = this.board.lanes[0].run;
    setText(
      this.note,
      inRows(`${this.board.unit} ${many(step)}, ${many(rows.length)} images`, Boolean(variables)),
    );
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
