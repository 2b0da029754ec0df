// Rows of images side by side, and the picture rows that a system declares (system.py).

import {element, penOf, setText} from "../../player/js/dom.js";
import {number} from "../../player/js/format.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {n_shown: N_SHOWN} = constants;

/** @param {string} label */
export const strip = (label) => element("canvas", {role: "img", "aria-label": label, class: "lv-pixels"});

// Paint n images, given one value after another.
/** @param {HTMLCanvasElement} canvas @param {[number, number]} shape @param {number} n @param {(at: number) => number} colour */
export function paintStrip(canvas, [rows, columns], n, colour) {
  const gap = Math.max(1, Math.round(columns / 10)),
    width = n * (columns + gap) - gap,
    n_v = rows * columns;
  if (canvas.width !== width || canvas.height !== rows) {
    canvas.width = width;
    canvas.height = rows;
  }
  const context = penOf(canvas),
    image = context.createImageData(width, rows),
    pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < n * n_v; at++) {
    const m = Math.floor(at / n_v),
      i = at % n_v;
    pixels[Math.floor(i / columns) * width + m * (columns + gap) + (i % columns)] = colour(at);
  }
  context.putImageData(image, 0, 0);
}

/** @type {Record<PictureRow["number"], (value: number) => string>} */
const WRITTEN = {
  "": () => "",
  share: (value) => `${number(100 * value, 0)} %`,
  count: (value) => number(value, 0),
  value: (value) => (value > 0 && value < 0.0005 ? "<0.001" : number(value, value && value < 0.095 ? 3 : 2)),
};

export class PictureRows {
  /** @param {import("./learner.js").TrainLane} lane */
  constructor(lane) {
    this.lane = lane;
    this.rows = lane.meta.rows.map((row) => ({
      row,
      canvas: strip(row.title),
      numbers: Array.from({length: row.number ? N_SHOWN : 0}, () => element("span")),
    }));
  }

  // A name and a picture for each row, for the grid of rows.
  get nodes() {
    return this.rows.flatMap(({row, canvas, numbers}) => [
      element("span", {title: row.help}, row.title, row.unit ? element("small", {}, row.unit) : ""),
      element(
        "div",
        {title: row.help},
        canvas,
        numbers.length ? element("div", {class: "lt-numbers-below", "aria-hidden": "true"}, ...numbers) : "",
      ),
    ]);
  }

  // The same as groups of columns, for a table.
  get groups() {
    return this.rows.map(({row, canvas, numbers}) => ({
      title: row.title,
      label: row.help,
      n: N_SHOWN,
      canvas,
      foot: numbers.length
        ? element("div", {class: "lt-numbers-below", "aria-hidden": "true"}, ...numbers)
        : undefined,
    }));
  }

  // `put` paints a row, given one value after another; without it as a strip of images.
  /** @param {PixelTables} tables @param {Uint32Array} tone  of a byte between black and white @param {(row: number, colour: (at: number) => number) => void} [put] */
  paint(tables, tone, put) {
    const {
        lane: {
          run: {image_shape},
          pictures: {rows: bytes},
          title,
        },
      } = this,
      n_v = image_shape[0] * image_shape[1],
      size = N_SHOWN * (n_v + 4);
    this.rows.forEach(({row, canvas, numbers}, n) => {
      const first = n * size,
        view = new DataView(bytes.buffer, bytes.byteOffset + first + N_SHOWN * n_v);
      /** @param {number} at */
      const colour = (at) => (row.most ? tables.signed[255 + bytes[first + at]] : tone[bytes[first + at]]);
      if (put) put(n, colour);
      else paintStrip(canvas, image_shape, N_SHOWN, colour);
      const words = numbers
        .map((node, m) => {
          const value = view.getFloat32(4 * m, true),
            text = Number.isNaN(value) ? "" : WRITTEN[row.number](value);
          setText(node, text);
          return text;
        })
        .filter(Boolean);
      canvas.setAttribute(
        "aria-label",
        `${title}: ${row.title}, ${row.help}${words.length ? `; ${row.unit}: ${words.join(", ")}` : ""}`,
      );
    });
  }
}
