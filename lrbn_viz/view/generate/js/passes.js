// What the models drew, pass by pass. A pass has three phases in both lanes: every latent is drawn, the filters of
// those that are on add up to the mean of x, and x is drawn from it row by row. Lanes go in lock-step.

import {part, unpackBits} from "../../player/js/decode.js";
import {byte} from "../../player/js/format.js";
import {unitName} from "../../player/js/names.js";
import {UNITS} from "../../player/js/units.js";

/** @param {Uint8Array} packed @param {number} n */
function bitRows(packed, n) {
  const stride = Math.ceil(n / 8);
  return Array.from({length: packed.length / stride}, (_, t) =>
    unpackBits(packed.subarray(t * stride, (t + 1) * stride), n),
  );
}

// The same of real-valued images, which travel as they are.
/** @param {Pixels} values @param {number} n @returns {Pixels[]} */
export function imageRows(values, n) {
  if (values instanceof Uint8Array) return bitRows(values, n);
  return Array.from({length: values.length / n}, (_, t) => values.subarray(t * n, (t + 1) * n));
}

// Mean of a pixel given its activation.
/** @param {Model} model @returns {(a: number) => number} */
export const meanOf = (model) => UNITS[model.visible].mean;

// Bytes of ink of a pixel's value in an image, and of its mean given its activation. `shades` are slopes and then offsets
// that turn values into shares of ink; none where they are such shares.
/** @param {Model} model @param {Float32Array | undefined} shades */
export function inksOf(model, shades) {
  /** @type {(value: number, i: number) => number} */
  const image = shades ? (value, i) => byte(value * shades[i] + shades[model.n_v + i]) : byte,
    mean = meanOf(model);
  /** @type {(a: number, i: number) => number} */
  const ofMean = (a, i) => image(mean(a), i);
  return {image, mean: ofMean};
}

class DrawnLane {
  mean = {t: -1, count: -1}; // what is in `a`

  /** @param {PassLaneMeta} meta @param {Model} model @param {PassArrays} arrays @param {Float32Array | undefined} shades */
  constructor(meta, model, arrays, shades) {
    const {n_v} = model,
      {sizes} = meta,
      n_h = sizes.reduce((sum, n) => sum + n, 0);
    this.meta = meta;
    this.model = model;
    this.n_h = n_h;
    this.n_v = n_v;
    this.layers = sizes.map((n, l) => ({n, first: sizes.slice(0, l).reduce((sum, below) => sum + below, 0)}));
    // the top layer is drawn first, and each other given the one above
    this.sequence = this.layers
      .toReversed()
      .flatMap(({n, first}) => Array.from({length: n}, (_, j) => first + j));
    this.place = new Uint16Array(n_h);
    this.sequence.forEach((j, place) => {
      this.place[j] = place;
    });
    this.h = bitRows(arrays.h, n_h);
    this.x = imageRows(arrays.x, n_v);
    this.x0 = arrays.x0 ? imageRows(arrays.x0, n_v)[0] : null;
    this.binary = UNITS[model.visible].binary;
    this.inks = inksOf(model, shades);
    this.uniform = arrays.uniform;
    this.p = arrays.p;
    const {near, row, label, distance} = arrays;
    // null: no training images are at hand
    this.nearest = near && row && distance ? {near: imageRows(near, n_v), row, label, distance} : null;
    this.held = new Map(Object.entries(meta.held).map(([unit, state]) => [Number(unit), state]));
    this.on = this.h.map((h) => Array.from(h.keys()).filter((j) => h[j] && j < sizes[0])); // those with filters
    this.a = new Float64Array(n_v);
  }

  // The image that the latents of pass t are drawn from: none where the chain looks at none.
  /** @param {number} t */
  source(t) {
    return this.meta.state.startsWith("image") ? (t ? this.x[t - 1] : this.x0) : null;
  }

  // What unit j means where the model says so, else its number, and of several layers which one it is in.
  /** @param {number} j */
  called(j) {
    return `${unitName(this.model, j)}${this.layers.length > 1 ? ` (layer ${this.layerOf(j) + 1})` : ""}`;
  }

  /** @param {number} j */
  layerOf(j) {
    return this.layers.findLastIndex(({first}) => first <= j);
  }

  // P(h_j = 1) as the model drew from it in pass t.
  /** @param {number} t */
  probabilities(t) {
    return this.p.subarray(t * this.n_h, (t + 1) * this.n_h);
  }

  // The same of one unit once so many are drawn; null while the layer above it is not.
  /** @param {number} t @param {number} j @param {number} drawn */
  probability(t, j, drawn) {
    const {first} = this.layers[this.layerOf(j)];
    return drawn >= this.place[first] ? this.probabilities(t)[j] : null;
  }

  // Activations with the filters of the first `count` units of pass t that are on; the next frame mostly adds one.
  /** @param {number} t @param {number} count */
  activations(t, count) {
    const {a, mean, n_v} = this,
      {W, b} = this.model;
    if (mean.t !== t || mean.count > count) {
      a.set(b);
      mean.t = t;
      mean.count = 0;
    }
    for (; mean.count < count; mean.count++) {
      const at = this.on[t][mean.count] * n_v;
      for (let i = 0; i < n_v; i++) a[i] += W[at + i];
    }
    return a;
  }

  // How far pass t is from the image before it: pixels that differ, or a distance; null where there is none.
  /** @param {number} t */
  change(t) {
    const before = t ? this.x[t - 1] : this.x0;
    if (!before) return null;
    let squared = 0;
    for (let i = 0; i < this.n_v; i++) squared += (before[i] - this.x[t][i]) ** 2;
    return this.binary ? squared : Math.sqrt(squared);
  }

  // How far two images are from each other, in words and, where there is no room for them, in figures.
  /** @param {number} distance */
  apart(distance, pixels = "px") {
    return this.binary
      ? `${distance} ${this.model.pixels ? "" : `${pixels} `}differ`
      : `distance ${this.figure(distance)}`;
  }
  /** @param {number} distance */
  figure(distance) {
    return this.binary ? String(distance) : distance.toFixed(1);
  }
}

export class Timeline {
  /** @type {number[] | undefined} */ stopList;

  /** @param {PassesBlock} block @param {Map<string, Model>} models */
  constructor({meta, arrays}, models) {
    this.meta = meta;
    this.lanes = meta.lanes.map((lane, i) => {
      const model = models.get(lane.model);
      if (!model) throw new Error(`the passes need model ${lane.model}, which was not sent`);
      return new DrawnLane(lane, model, part(arrays, i), arrays.shades);
    });
    const [
      {
        model: {rows, columns},
      },
    ] = this.lanes;
    this.rows = rows;
    this.columns = columns;
    this.passes = meta.passes;
    this.n_h = Math.max(...this.lanes.map((lane) => lane.n_h));
    this.starts = [0]; // step at which each pass begins; the last entry is the end
    for (let t = 0; t < this.passes; t++)
      this.starts.push(this.starts[t] + this.n_h + this.adding(t) + this.rows);
    this.end = this.starts[this.passes];
  }

  // Steps of the second phase: one filter a step in each lane, until both are done.
  /** @param {number} t */
  adding(t) {
    return Math.max(1, ...this.lanes.map((lane) => lane.on[t].length));
  }

  // Steps done -> pass, steps done in it, and how far each phase is. The end of a pass belongs to that pass.
  /** @param {number} k */
  at(k) {
    let t = 0;
    while (t < this.passes - 1 && this.starts[t + 1] < k) t++;
    const step = k - this.starts[t],
      adding = this.adding(t);
    const drawn = Math.min(step, this.n_h),
      added = Math.max(0, Math.min(step - this.n_h, adding)),
      rows = Math.max(0, step - this.n_h - adding);
    const phase = step <= this.n_h ? 0 : step <= this.n_h + adding ? 1 : 2;
    return {t, step, drawn, added, rows, phase, whole: rows === this.rows};
  }

  // The step of a pass and of steps in it; -1 is the last pass, and all of its steps.
  /** @param {number} shown @param {number} step */
  find(shown, step) {
    const t = shown < 0 ? this.passes - 1 : Math.min(shown, this.passes - 1),
      length = this.starts[t + 1] - this.starts[t];
    return this.starts[t] + (step < 0 ? length : Math.min(step, length));
  }

  // Where the phases end, over all passes.
  stops() {
    return (this.stopList ||= this.starts
      .slice(0, -1)
      .flatMap((start, t) => [start + this.n_h, start + this.n_h + this.adding(t), this.starts[t + 1]]));
  }
}
