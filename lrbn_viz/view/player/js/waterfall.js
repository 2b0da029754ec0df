// The bars of a sum: each begins where the one above ends, with a line from end to begin; the last is the sum, from zero.
// One canvas instead of boxes, which would cause a layout at each frame.

import {fitCanvas, repaint} from "./draw.js";

const MIN_RANGE = 1; // least range of the width, nats, so that noise does not fill it
const ROUNDS_TO_ZERO = 0.005; // nats below which a value is written as 0.00, without a sign

// Rows have equal heights but for the last, below a line. `last`: its share of the height.
/** @param {HTMLCanvasElement & {vector?: Painter}} canvas @param {number[]} terms @param {number} sum @param {Palette} palette @param {number} last */
export function paintWaterfall(canvas, terms, sum, palette, last) {
  fitCanvas(canvas);
  let at = 0;
  const bars = terms.map((value) => [at, (at += value)]),
    all = [...bars.flat(), sum];
  bars.push([0, sum]);
  let low = Math.min(0, ...all),
    high = Math.max(0, ...all);
  const spare = Math.max(0, MIN_RANGE - (high - low)) / 2;
  low -= spare;
  high += spare;
  repaint(
    canvas,
    (canvas.vector = (pen) => {
      const {width, height} = canvas,
        ratio = window.devicePixelRatio || 1,
        row = (height * (1 - last)) / terms.length,
        half = row * 0.28;
      const x = (/** @type {number} */ value) => ratio + ((width - 2 * ratio) * (value - low)) / (high - low);
      const y = (/** @type {number} */ n) => (n < terms.length ? (n + 0.5) * row : height * (1 - last / 2));
      pen.fillStyle = palette.line;
      pen.fillRect(0, height * (1 - last), width, ratio);
      pen.fillStyle = palette.muted;
      pen.fillRect(x(0) - ratio / 2, 0, ratio, height);
      bars.forEach(([from, to], n) => {
        pen.fillStyle =
          Math.abs(to - from) < ROUNDS_TO_ZERO ? palette.muted : to > from ? palette.plus : palette.minus;
        pen.fillRect(
          x(Math.min(from, to)),
          y(n) - half,
          Math.max(2 * ratio, x(Math.max(from, to)) - x(Math.min(from, to))),
          2 * half,
        );
        if (n === terms.length) return;
        pen.fillStyle = palette.muted;
        pen.fillRect(x(to) - ratio / 2, y(n) + half, ratio, y(n + 1) - y(n) - 2 * half);
      });
    }),
  );
}
