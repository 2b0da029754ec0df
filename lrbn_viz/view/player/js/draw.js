// Drawing: each function paints one canvas from a lane's replay at its cursor, and keeps nothing but buffers.

import {element, penOf} from "./dom.js";
import {byte, signedColour} from "./format.js";
import {UNKNOWN} from "./known.js";
import {unitName, variablesOf} from "./names.js";
import {FONT} from "./theme.js";

export const HATCH = 6; // dots across a pixel of a picture in which some are not known

/** @typedef {{unknown: (i: number) => boolean, filled: boolean, colours: Uint32Array}} Hatch  filled: over what was filled in, in thinner lines; colours: of the ground, and of the lines */

// A canvas of one image, a pixel a value; CSS scales it up without smoothing. Where some pixels are hatched each has as many
// dots as that needs.
export class PixelView {
  fine = 0; // dots across a pixel
  /** @type {ImageData} */ image;
  /** @type {Uint32Array} */ pixels;

  /** @param {HTMLCanvasElement} canvas @param {number} rows @param {number} columns */
  constructor(canvas, rows, columns) {
    this.canvas = canvas;
    this.columns = columns;
    this.rows = rows;
    this.context = penOf(canvas);
    this.dotted(1);
  }

  // The view of a canvas with so many pixels: the one that it has, if it fits.
  /** @param {PixelView | undefined} view @param {HTMLCanvasElement} canvas @param {number} rows @param {number} columns */
  static of(view, canvas, rows, columns) {
    return view?.rows === rows && view.columns === columns ? view : new PixelView(canvas, rows, columns);
  }

  /** @param {number} fine  dots across a pixel */
  dotted(fine) {
    const {canvas, columns, rows} = this,
      [width, height] = [fine * columns, fine * rows];
    this.fine = fine;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // `colour(i)` is the 32-bit colour of pixel i
  /** @param {(i: number) => number} colour @param {Hatch | null} [hatch] */
  paint(colour, hatch = null) {
    const fine = hatch ? HATCH : 1;
    if (this.fine !== fine) this.dotted(fine);
    const {pixels} = this;
    if (hatch) this.hatched(colour, hatch);
    else for (let i = 0; i < pixels.length; i++) pixels[i] = colour(i);
    this.context.putImageData(this.image, 0, 0);
  }

  /** @param {(i: number) => number} colour @param {Hatch} hatch */
  hatched(colour, {unknown, filled, colours: [ground, line]}) {
    const {pixels, rows, columns} = this,
      width = HATCH * columns,
      lines = filled ? 1 : 2;
    for (let i = 0; i < rows * columns; i++) {
      const is = unknown(i),
        under = is && !filled ? ground : colour(i),
        over = filled ? halfOf(under, line) : line,
        corner = HATCH * (Math.floor(i / columns) * width + (i % columns));
      for (let down = 0; down < HATCH; down++)
        for (let across = 0; across < HATCH; across++)
          pixels[corner + down * width + across] = is && (down + across) % HATCH < lines ? over : under;
    }
  }
}

// The colour between two opaque ones.
/** @param {number} one @param {number} other */
const halfOf = (one, other) => ((((one & 0xfefefe) >>> 1) + ((other & 0xfefefe) >>> 1)) | 0xff000000) >>> 0;

// What hatches the unknown pixels of a lane; null where all are known.
/** @param {Lane} lane @param {PixelTables} tables @param {boolean} filled @returns {Hatch | null} */
const hatchOf = ({whole, x}, {hatch}, filled) =>
  whole ? null : {unknown: (i) => Number.isNaN(x[i]), filled, colours: hatch};

// An <img> of one image, for pictures that are many and seldom change: every canvas in a page is a layer of its own,
// and the browser goes through all layers at every frame. They are painted on one canvas for all of a shape: a browser
// frees the memory of canvases late.
export class StillView {
  /** @type {Map<string, PixelView>} */
  static views = new Map(); // by shape

  /** @param {HTMLImageElement} image @param {number} rows @param {number} columns */
  constructor(image, rows, columns) {
    const {views} = StillView,
      shape = `${rows} x ${columns}`;
    let view = views.get(shape);
    if (!view) {
      const canvas = element("canvas");
      penOf(canvas, {willReadFrequently: true});
      views.set(shape, (view = new PixelView(canvas, rows, columns)));
    }
    image.width = columns; // so that the browser knows its shape before it has read it
    image.height = rows;
    this.view = view;
    this.shown = image;
  }

  /** @param {(i: number) => number} colour @param {Hatch | null} [hatch] */
  paint(colour, hatch = null) {
    this.view.paint(colour, hatch);
    this.shown.src = this.view.canvas.toDataURL();
  }
}

export class PixelMap {
  /** @param {number} rows @param {number} columns @param {string} label */
  constructor(rows, columns, label) {
    this.canvas = element("canvas", {class: "lv-pixels", role: "img", "aria-label": label});
    this.view = new PixelView(this.canvas, rows, columns);
  }

  /** @param {(i: number) => number} valueAt @param {number} scale @param {Uint32Array} table */
  paint(valueAt, scale, table) {
    paintSigned(this.view, valueAt, scale, table);
  }
}

const BARS_COLUMNS = 60, // about, of a picture of bars; one for each variable if there are more
  MAX_BARS_ROWS = 61; // odd, for the line in the middle

// Rows and columns of the picture of a unit's filter: those of an image, or, where the data are no pictures, of bars side by
// side, one for each variable, up for more and down for less.
/** @param {Model} model */
export function filterShape(model) {
  const {rows, columns, n_v} = model;
  if (!variablesOf(model)) return {rows, columns};
  const across = n_v * Math.max(1, Math.round(BARS_COLUMNS / n_v));
  return {rows: Math.min(MAX_BARS_ROWS, 2 * Math.round(across / 4) + 1), columns: across};
}

// The colours of the pixels of that picture.
/** @param {Model} model @param {number} j @param {Uint32Array} table @returns {(p: number) => number} */
export function filterColours(model, j, table) {
  const {filters, n_v} = model,
    at = j * n_v,
    top = largest(filters, at, at + n_v);
  if (!variablesOf(model)) return (p) => signedColour(table, filters[at + p] / top);
  const {rows, columns} = filterShape(model),
    wide = columns / n_v,
    middle = (rows - 1) / 2;
  return (p) => {
    const up = middle - Math.floor(p / columns),
      column = p % columns,
      share = filters[at + Math.floor(column / wide)] / top,
      gap = wide > 2 && column % wide >= wide - Math.ceil(wide / 6);
    const within = !gap && up * share >= 0 && Math.abs(up) <= Math.round(Math.abs(share) * middle);
    return signedColour(table, within && Math.abs(share) > 0.01 ? Math.sign(share) : 0);
  };
}

// A unit's filter, as a picture that stays.
/** @param {Lane} lane @param {number} j @param {PixelTables} tables */
export function filterPicture({model}, j, tables) {
  const {rows, columns} = filterShape(model),
    picture = element("img", {class: "lv-pixels", alt: `filter of ${unitName(model, j)}`});
  new StillView(picture, rows, columns).paint(filterColours(model, j, tables.signed));
  return picture;
}

// Signed values; `scale` is the value shown in full colour
/** @param {PixelView} view @param {(i: number) => number} valueAt @param {number} scale @param {Uint32Array} table */
export function paintSigned(view, valueAt, scale, table) {
  view.paint((i) => signedColour(table, valueAt(i) / scale));
}

// The largest size of some values, for their scale.
/** @param {ArrayLike<number>} values */
export function largest(values, begin = 0, end = values.length) {
  let top = 1e-9;
  for (let i = begin; i < end; i++) top = Math.max(top, Math.abs(values[i]));
  return top;
}

/** @param {PixelView} view @param {Lane} lane @param {PixelTables} tables */
export function paintInput(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.x[i], i))], hatchOf(lane, tables, false));
}

// States of the pixels of a binary image.
/** @param {PixelView} view @param {ArrayLike<number>} states @param {PixelTables} tables */
export function paintStates(view, states, {ink, hatch}) {
  const some = Array.prototype.includes.call(states, UNKNOWN);
  view.paint(
    (i) => ink[states[i] === 1 ? 255 : 0],
    some ? {unknown: (i) => states[i] === UNKNOWN, filled: false, colours: hatch} : null,
  );
}

/** @param {PixelView} view @param {Lane} lane @param {PixelTables} tables */
export function paintReconstruction(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.mean(i), i))], hatchOf(lane, tables, true));
}

/** @param {PixelView} view @param {Lane} lane @param {PixelTables} tables */
export function paintError(view, lane, tables) {
  const hatch = hatchOf(lane, tables, false);
  if (lane.shades) {
    // the residual in shares of ink, twice as strong, as the training board has it
    return view.paint(
      (i) => signedColour(tables.signed, (lane.shade(lane.mean(i), i) - lane.shade(lane.x[i], i)) / 0.5),
      hatch,
    );
  }
  view.paint((i) => signedColour(tables.error[lane.x[i] > 0.5 ? 1 : 0], lane.mean(i) - lane.x[i]), hatch);
}

// Sizes are read before painting: during a paint, after a text has changed, each read would cause a layout of the page.
/** @type {Map<HTMLCanvasElement, number[]>} */
const askedSizes = new Map();

/** @param {HTMLCanvasElement[]} canvases @param {() => void} paint @param {{get(canvas: HTMLCanvasElement): number[] | undefined}} known */
export function withSizes(canvases, paint, known = new Map()) {
  for (const canvas of canvases)
    askedSizes.set(canvas, known.get(canvas) || [canvas.clientWidth, canvas.clientHeight]);
  try {
    paint();
  } finally {
    askedSizes.clear();
  }
}

// Make the drawing buffer as fine as the screen; true if it changed size.
/** @param {HTMLCanvasElement} canvas */
export function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = askedSizes.get(canvas) || [canvas.clientWidth, canvas.clientHeight];
  const width = Math.max(1, Math.round(across * ratio));
  const height = Math.max(1, Math.round(down * ratio));
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}

// Draw a whole canvas again.
/** @param {HTMLCanvasElement} canvas @param {Painter} draw */
export function repaint(canvas, draw) {
  const context = penOf(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  draw(context);
}

// Changing the font of a canvas in the page causes a layout; this canvas is not in the page.
/** @type {Pen | undefined} */
let ruler;

/** @param {string} text @param {string} font */
export function textWidth(text, font) {
  ruler ||= penOf(element("canvas"));
  ruler.font = font;
  return ruler.measureText(text).width;
}

// The style of a vertical scale: lines across the chart, and numbers that end where they are placed.
/** @param {Pen} context @param {Palette} palette @param {number} font @param {number} ratio */
export function styleScale(context, palette, font, ratio) {
  context.font = `${font}px ${FONT}`;
  context.lineWidth = ratio;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.textAlign = "right";
  context.textBaseline = "middle";
}

/** @param {Pen} context @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
export function segment(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** @param {Pen} context @param {number} x @param {number} y @param {number} radius @param {string} colour */
export function dot(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = colour;
  context.fill();
}

// The mark of a held unit, `side` wide.
/** @param {Pen} context @param {number} x @param {number} y @param {number} arm @param {number} side @param {string} colour */
export function cross(context, x, y, arm, side, colour) {
  context.beginPath();
  for (const way of [-1, 1]) {
    context.moveTo(x - arm, y - way * arm);
    context.lineTo(x + arm, y + way * arm);
  }
  context.lineWidth = Math.max(1.5, side * 0.14);
  context.strokeStyle = colour;
  context.stroke();
}

// Rows and columns for n squares in a box: about the largest squares, without a ragged last row if that is close.
/** @param {number} n @param {number} width @param {number} height */
export function gridShape(n, width, height) {
  let best = {columns: n, rows: 1, size: 0},
    score = 0;
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const size = Math.min(width / columns, height / rows);
    const value = n % columns ? size : 1.15 * size; // a full rectangle is worth slightly smaller squares
    if (value > score) [best, score] = [{columns, rows, size}, value];
  }
  return best;
}

// Colours of units by their means: the higher, the closer to ink, which is dark on a light page and light on a dark one.
/** @param {Pen} context @param {Lane} lane @param {Palette} palette @param {(place: number, grow: number) => void} box */
function drawMeans(context, lane, palette, box) {
  for (let place = 0; place < lane.n_h; place++) {
    box(place, 0);
    context.fillStyle = palette.faint;
    context.fill();
    context.globalAlpha = lane.h[lane.order[place]];
    context.fillStyle = palette.ink;
    context.fill();
    context.globalAlpha = 1;
  }
}

// Names of the units in their squares, if the model has any and there is room.
/**
 * @param {Pen} context @param {string[] | undefined} names @param {Palette} palette @param {number} size @param {number} columns @param {number} n_h
 * @param {(place: number) => number} unitAt @param {(j: number) => boolean} isOn
 */
export function nameUnits(context, names, palette, size, columns, n_h, unitAt, isOn) {
  if (!names) return;
  const longest = Math.max(...names.map((name) => name.length)),
    least = 8 * (window.devicePixelRatio || 1),
    wide = 0.56 * longest;
  const font = Math.max(least, Math.min(0.14 * size, (0.8 * size) / wide));
  if (font * wide > size) return;
  context.font = `${font}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (let place = 0; place < n_h; place++) {
    const j = unitAt(place);
    context.fillStyle = isOn(j) ? palette.surface : palette.ink;
    context.fillText(names[j], ((place % columns) + 0.5) * size, (Math.floor(place / columns) + 0.8) * size);
  }
}

// Number of units between two names under columns of a width; null without names.
/** @param {Pen} context @param {Lane} lane @param {number} wide @param {number} gap */
export function namedTicks(context, {model: {names}, n_h}, wide, gap) {
  if (!names) return null;
  const widest = Math.max(...names.map((name) => context.measureText(name).width)) + gap;
  return [1, 2, 5, 10, 20, 50].find((n) => n * wide >= widest) ?? n_h;
}

// The latent grid: filled = on, tint = P(h_j = 1 | rest) at its newest visit, dot = flipped in this sweep,
// heavy ring = the unit just visited, thin ring = the selected unit, cross = held, never visited. Units of upper layers
// are round.
/** @param {Pen} context @param {Size} size @param {Lane} lane @param {Palette} palette @param {string} accent @param {number} selected @param {number} current */
export function drawLatents(context, {width, height}, lane, palette, accent, selected, current) {
  const {columns, size} = gridShape(lane.n_h, width, height);
  const gap = Math.max(1, size * 0.14),
    side = Math.max(0, size - gap),
    radius = side * 0.18; // 0 for a hidden canvas
  /** @param {number} place @param {number} grow */
  const addBox = (place, grow) => {
    const x = (place % columns) * size + gap / 2,
      y = Math.floor(place / columns) * size + gap / 2;
    const corner = lane.order[place] < lane.model.layers[0].n_h ? radius : side / 2;
    context.roundRect(x - grow, y - grow, side + 2 * grow, side + 2 * grow, Math.max(0, corner + grow / 2));
  };
  /** @param {number} place @param {number} grow */
  const box = (place, grow) => {
    context.beginPath();
    addBox(place, grow);
  };
  // all units off, then all on: two paths cost far less than one per unit
  for (const state of [0, 1]) {
    context.beginPath();
    for (let place = 0; place < lane.n_h; place++) if (lane.h[lane.order[place]] === state) addBox(place, 0);
    context.fillStyle = state ? accent : palette.faint;
    context.fill();
  }
  if (lane.meta.means) drawMeans(context, lane, palette, box);
  for (let place = 0; place < lane.n_h; place++) {
    const j = lane.order[place],
      midX = ((place % columns) + 0.5) * size,
      midY = (Math.floor(place / columns) + 0.5) * size;
    const on = lane.h[j] === 1;
    const probability = on || lane.meta.means ? 0 : (lane.conditional(j) ?? 0);
    if (probability > 0.02) {
      box(place, 0);
      context.globalAlpha = 0.55 * probability;
      context.fillStyle = accent;
      context.fill();
      context.globalAlpha = 1;
    }
    if (lane.flippedThisSweep(j)) dot(context, midX, midY, side * 0.19, on ? palette.surface : accent);
    if (lane.held.has(j)) cross(context, midX, midY, side * 0.3, side, on ? palette.surface : palette.ink);
  }
  nameUnits(
    context,
    lane.model.names,
    palette,
    size,
    columns,
    lane.n_h,
    (place) => lane.order[place],
    (j) => lane.h[j] > 0.5,
  );
  const widest = height * 0.04; // limits the rings of few, large units
  if (selected >= 0 && selected < lane.n_h) {
    context.lineWidth = Math.max(1.5, Math.min(size * 0.09, widest));
    box(lane.order.indexOf(selected), (gap - context.lineWidth) / 2); // all of it within the unit's place
    context.strokeStyle = palette.ink;
    context.setLineDash([2.4, 1.6].map((times) => times * context.lineWidth));
    context.stroke();
    context.setLineDash([]);
  }
  if (current >= 0) {
    context.lineWidth = Math.max(2, Math.min(gap * 1.1, 1.5 * widest));
    box(lane.order.indexOf(current), 0);
    context.strokeStyle = palette.now;
    context.stroke();
  }
}

// Number of the square under a point of the grid (CSS pixels), or -1.
/** @param {HTMLCanvasElement} canvas @param {number} n @param {MouseEvent} event */
export function placeAt(canvas, n, {offsetX: x, offsetY: y}) {
  const ratio = canvas.width / canvas.clientWidth,
    {columns, size} = gridShape(n, canvas.width, canvas.height);
  const column = Math.floor((x * ratio) / size),
    row = Math.floor((y * ratio) / size),
    place = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && place < n ? place : -1;
}

// The unit under a point, by the lane's order.
/** @param {HTMLCanvasElement} canvas @param {Lane} lane @param {MouseEvent} event */
export const latentAt = (canvas, lane, event) => lane.order[placeAt(canvas, lane.n_h, event)] ?? -1;
