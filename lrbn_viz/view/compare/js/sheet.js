// A canvas with the images of several systems side by side and their names, to be saved as PNG.

import {element, penOf} from "../../player/js/dom.js";
import {PixelView} from "../../player/js/draw.js";
import {FONT} from "../../player/js/theme.js";

const SIDE = 112,
  GAP = 12,
  LETTER = 15,
  LINE = 20,
  NAMES = 260, // pixels; of the longer side of an image about
  NAMED = 150; // of the names of variables

/** @typedef {{name: string, words: string[], images: ((i: number) => number)[], below: string[]}} SheetRow */

// `rows` hold, for each image, the colour of each of its pixels.
// Those of a table are columns of cells, with the names of the variables before them.
/** @param {string} title @param {string} note @param {SheetRow[]} rows @param {{image_shape: [number, number], variables: string[] | null}} data @param {Palette} palette */
export function sheet(title, note, rows, {image_shape, variables}, palette) {
  const [height, width] = variables ? [variables.length, 1] : image_shape,
    times = variables ? LINE : Math.max(1, Math.round(SIDE / Math.max(height, width))),
    named = variables ? NAMED : 0,
    across = Math.max(1, ...rows.map(({images}) => images.length));
  const step = Math.max(width * times, 64) + GAP,
    canvas = element("canvas"),
    pen = penOf(canvas);
  /** @type {(text: string) => string[]} */
  const wrapped = (text) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines[lines.length - 1]} ${word}`.trim();
      if (pen.measureText(longer).width <= NAMES - GAP) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.filter(Boolean);
  };
  pen.font = `${LETTER}px ${FONT}`;
  const texts = rows.map(({name, words}) => ({bold: wrapped(name), plain: words.flatMap(wrapped)}));
  const tall = rows.map(
    ({below}, r) =>
      Math.max(
        height * times + (below.length ? LINE : 0),
        LINE * (texts[r].bold.length + texts[r].plain.length),
      ) + GAP,
  );
  canvas.width = GAP + NAMES + named + across * step;
  canvas.height = 3 * GAP + 2 * LINE + tall.reduce((sum, value) => sum + value, 0);
  pen.fillStyle = palette.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "top";
  pen.fillStyle = palette.ink;
  pen.font = `650 ${LETTER + 3}px ${FONT}`;
  pen.fillText(title, GAP, GAP);
  pen.fillStyle = palette.muted;
  pen.font = `${LETTER}px ${FONT}`;
  pen.fillText(note, GAP, GAP + LINE + 4, canvas.width - 2 * GAP);
  let top = 2 * GAP + 2 * LINE;
  rows.forEach(({images, below}, r) => {
    let line = top;
    for (const [kind, colour, weight] of /** @type {["bold" | "plain", string, number][]} */ ([
      ["bold", palette.ink, 650],
      ["plain", palette.muted, 400],
    ])) {
      pen.fillStyle = colour;
      pen.font = `${weight} ${LETTER}px ${FONT}`;
      for (const text of texts[r][kind]) {
        pen.fillText(text, GAP, line);
        line += LINE;
      }
    }
    variables?.forEach((name, i) =>
      pen.fillText(name, GAP + NAMES, top + i * times + (times - LETTER) / 2, NAMED - GAP),
    );
    pen.imageSmoothingEnabled = false;
    images.forEach((colourAt, i) => {
      const small = element("canvas"),
        left = GAP + NAMES + named + i * step;
      new PixelView(small, height, width).paint(colourAt);
      pen.drawImage(small, left, top, width * times, height * times);
      pen.strokeStyle = palette.line;
      pen.strokeRect(left - 0.5, top - 0.5, width * times + 1, height * times + 1);
      if (below[i]) pen.fillText(below[i], left, top + height * times + 4);
    });
    top += tall[r];
  });
  return canvas;
}
