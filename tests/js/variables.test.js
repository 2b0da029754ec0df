import assert from "node:assert/strict";
import test from "node:test";

import {filterColours, filterShape} from "../../lrbn_viz/view/player/js/draw.js";
import {stateWord} from "../../lrbn_viz/view/player/js/variables.js";

/** @param {number[]} weights @param {object} more @returns {Model} */
const model = (weights, more = {}) =>
  /** @type {any} */ ({
    filters: Float32Array.from(weights),
    n_v: weights.length,
    rows: 1,
    columns: weights.length,
    pixels: weights.map((_, i) => `finding ${i}`),
    ...more,
  });

test("a filter of variables is bars beside each other, up for more and down for less", () => {
  const given = model([2, -1, 0]),
    {rows, columns} = filterShape(given),
    table = Uint32Array.from({length: 511}, (_, i) => i), // its middle is nothing
    colour = filterColours(given, 0, table);
  assert.deepEqual([rows, columns], [31, 60]);
  /** @param {number} column */
  const heights = (column) => {
    const cells = Array.from({length: rows}, (_, r) => Math.sign(colour(r * columns + column) - 255));
    return [cells.filter((sign) => sign > 0).length, cells.filter((sign) => sign < 0).length];
  };
  assert.deepEqual(
    [heights(2), heights(22), heights(42)],
    [
      [16, 0],
      [0, 9],
      [0, 0],
    ],
  );
});

test("a filter of pixels has the shape of the image", () => {
  assert.deepEqual(filterShape(model([1, 2, 3, 4], {rows: 2, columns: 2})), {rows: 2, columns: 2});
  assert.deepEqual(filterShape(model([1, 2, 3, 4], {pixels: undefined})), {rows: 1, columns: 4});
});

test("many variables have a column each", () => {
  assert.deepEqual(filterShape(model(Array(300).fill(1))), {rows: 61, columns: 300});
});

test("an observation is on or off in words", () => {
  assert.deepEqual([stateWord([0, 1], 0), stateWord([0, 1], 1)], ["off", "on"]);
});
