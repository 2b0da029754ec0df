// Where things stand on a canvas, and what a key or a colour stands for: the parts of drawing that need no page.
import assert from "node:assert/strict";
import {test} from "node:test";
import {momentOf} from "../../lrbn_viz/view/board/js/ring.js";
import {part} from "../../lrbn_viz/view/player/js/decode.js";
import {arrowMove, bold, plainText} from "../../lrbn_viz/view/player/js/dom.js";
import {gridShape, largest, nameUnits, placeAt} from "../../lrbn_viz/view/player/js/draw.js";
import {byte, clamp, signedColour} from "../../lrbn_viz/view/player/js/format.js";
import {coloursOf, PALETTES} from "../../lrbn_viz/view/player/js/theme.js";

test("a grid holds all squares within its box, about as large as they can be", () => {
  for (const [n, width, height] of [
    [1, 10, 10],
    [7, 300, 200],
    [200, 640, 320],
    [500, 90, 700],
  ]) {
    const {columns, rows, size} = gridShape(n, width, height);
    assert.ok(columns * rows >= n && columns * (rows - 1) < n, `${columns} by ${rows} for ${n}`);
    assert.ok(columns * size <= width + 1e-9 && rows * size <= height + 1e-9);
    assert.ok(
      size >= 0.8 * Math.sqrt((width * height) / n) * 0.7,
      `${size} for ${n} in ${width} by ${height}`,
    );
  }
});

test("the square under a point is the one drawn there, and beside the grid there is none", () => {
  const canvas = /** @type {HTMLCanvasElement} */ ({width: 600, height: 300, clientWidth: 300}),
    n = 17;
  const {columns, size} = gridShape(n, canvas.width, canvas.height);
  /** @param {number} x @param {number} y */
  const at = (x, y) => placeAt(canvas, n, /** @type {MouseEvent} */ ({offsetX: x / 2, offsetY: y / 2})); // two pixels a CSS pixel
  for (let place = 0; place < n; place++)
    assert.equal(at(((place % columns) + 0.5) * size, (Math.floor(place / columns) + 0.5) * size), place);
  assert.deepEqual([at(-1, 5), at(5, -1), at(columns * size + 1, 5), at(5, 10 * size)], [-1, -1, -1, -1]);
});

test("arrow keys move by one, or by a row; others do not", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home"];
  assert.deepEqual(
    keys.map((key) => arrowMove(/** @type {KeyboardEvent} */ ({key}), 20)),
    [1, -1, 20, -20, undefined],
  );
});

test("values become bytes and colours within their tables", () => {
  assert.deepEqual([byte(0), byte(0.5), byte(1), byte(1.7), byte(-3)], [0, 128, 255, 255, 0]);
  assert.deepEqual([clamp(5, 0, 3), clamp(-5, 0, 3), clamp(2, 0, 3)], [3, 0, 2]);
  const table = Uint32Array.from({length: 511}, (_, i) => i);
  assert.deepEqual(
    [-2, -1, 0, 0.5, 1, 9].map((value) => signedColour(table, value)),
    [0, 0, 255, 383, 510, 510],
  );
  assert.equal(largest([1, -5, 3]), 5);
  assert.equal(largest([1, -5, 3], 2), 3);
});

test("no ink is the ground, full ink the stroke, and no error the ground of its pixel, light and dark", () => {
  for (const dark of [false, true]) {
    const {palette, tables} = coloursOf(dark);
    /** @param {number} pixel */
    const hex = (pixel) =>
      `#${[pixel, pixel >> 8, pixel >> 16].map((channel) => (channel & 255).toString(16).padStart(2, "0")).join("")}`;
    assert.equal(palette, PALETTES[dark ? "dark" : "light"]);
    assert.deepEqual(
      [hex(tables.ink[0]), hex(tables.ink[255]), hex(tables.signed[255]), hex(tables.error[0][255])],
      [palette.ground, palette.stroke, palette.ground, palette.ground],
    );
    assert.deepEqual([hex(tables.signed[510]), hex(tables.signed[0])], [palette.plus, palette.minus]);
  }
});

test("a part of a block has its arrays by their own names", () => {
  const arrays = {
    "0.x": new Uint8Array(1),
    "1.x": new Uint8Array(2),
    "1.truth.map": new Uint8Array(3),
    "11.x": new Uint8Array(4),
    shades: new Float32Array(5),
  };
  /** @type {Record<string, Numbers>} */
  const found = part(arrays, 1);
  assert.deepEqual(
    Object.entries(found).map(([name, {length}]) => [name, length]),
    [
      ["x", 2],
      ["truth.map", 3],
    ],
  );
});

test("marked text without its marks", () => {
  assert.equal(plainText(["Visit ", bold("3 of 9"), ": stays on"]), "Visit 3 of 9: stays on");
});

test("a board that is drawn anew shows the moment asked for, and else the one that the server shows", () => {
  const meta = {name: "run-1", words: {status: "paused", error: "", cursor: 40, removed: false}};
  assert.equal(momentOf(meta, {name: "run-1", step: 20}), 20);
  assert.equal(momentOf(meta, {name: "run-2", step: 20}), 40); // of another run
  assert.equal(momentOf(meta, null), 40);
});

test("units bear their names in their squares, as large as there is room, and none where a name is wider than its square", () => {
  const {palette} = coloursOf(false),
    names = ["burglary", "earthquake"];
  Object.defineProperty(globalThis, "window", {value: {devicePixelRatio: 1}, configurable: true});
  /** @param {number} size @returns {[string, number][]} */
  const said = (size) => {
    /** @type {[string, number][]} */
    const found = [],
      pen = {
        font: "",
        fillText(/** @type {string} */ text) {
          found.push([text, parseFloat(this.font)]);
        },
      };
    nameUnits(
      /** @type {any} */ (pen),
      names,
      palette,
      size,
      2,
      2,
      (place) => place,
      () => true,
    );
    return found;
  };
  assert.deepEqual(
    said(200).map(([name]) => name),
    names,
  );
  for (const size of [46, 60, 90, 200]) {
    const [[, letters]] = said(size);
    assert.ok(letters >= 8 && letters * 0.56 * 10 <= size, `${letters} pixels in ${size}`);
  }
  assert.deepEqual(said(40), []);
});
