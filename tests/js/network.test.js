import assert from "node:assert/strict";
import test from "node:test";

import {drawNetwork, edgesOf, told, usualThreshold} from "../../lrbn_viz/view/player/js/network_arrows.js";

/** @param {number} layer @param {number} first @param {number} n_v @param {number[]} W */
const layerOf = (layer, first, n_v, W) =>
  /** @type {Layer} */ (
    /** @type {any} */ ({layer, first, n_v, n_h: W.length / n_v, W: Float32Array.from(W)})
  );

test("an edge leads from each latent to each unit below it, of whatever layer", () => {
  const layers = [layerOf(0, 0, 2, [1, 2, 3, 4]), layerOf(1, 2, 2, [5, 6])];
  assert.deepEqual(
    edgesOf({layers, n_h: 3}).map(({from, to, weight}) => [from, to, weight]),
    [
      [0, 3, 1],
      [0, 4, 2],
      [1, 3, 3],
      [1, 4, 4],
      [2, 0, 5],
      [2, 1, 6],
    ],
  );
});

test("at first weights below a tenth of the strongest are left out, and all but the strongest sixty", () => {
  const edges = [5, -4, 0.4, 0].map((weight) => ({from: 0, to: 1, weight}));
  assert.equal(usualThreshold(edges), 0.5);
  const many = Array.from({length: 100}, (_, n) => ({from: 0, to: 1, weight: 100 - n}));
  assert.equal(usualThreshold(many), 41);
  assert.equal(usualThreshold([]), 0);
});

test("nats that are written as 0.00 are not told", () => {
  const edge = {from: 0, to: 1, weight: 1};
  assert.equal(told([[edge, 0.004]]).size, 0);
  assert.equal(told([[edge, -0.006]]).get(edge), -0.006);
});

// A context that notes what is drawn.
function recorder() {
  const said = /** @type {{way: string, text?: string, alpha: number, x?: number, y?: number}[]} */ ([]);
  const pen = /** @type {any} */ ({globalAlpha: 1});
  for (const way of ["beginPath", "moveTo", "lineTo", "roundRect", "setLineDash"]) pen[way] = () => {};
  pen.measureText = (/** @type {string} */ text) => ({width: 6 * text.length});
  for (const way of ["stroke", "fill"]) pen[way] = () => said.push({way, alpha: pen.globalAlpha});
  pen.fillText = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) =>
    said.push({way: "text", text, alpha: 1, x, y});
  return {pen, said};
}

const BOXES = [
  {x: 0, y: 0, width: 100, height: 40},
  {x: 200, y: 0, width: 100, height: 40},
  {x: 0, y: 140, width: 100, height: 40},
  {x: 200, y: 140, width: 100, height: 40},
];
const EDGES = [
  {from: 0, to: 2, weight: 5},
  {from: 1, to: 2, weight: -5},
  {from: 1, to: 3, weight: 0.1},
  {from: 0, to: 3, weight: 0},
];
const PALETTE = /** @type {Palette} */ (/** @type {any} */ ({plus: "p", minus: "m", surface: "s"}));
/** @param {object} more */
const network = (more) =>
  /** @type {any} */ ({
    edges: EDGES,
    boxes: BOXES,
    strongest: 5,
    heads: true,
    nats: new Map(),
    arcs: [],
    about: "",
    ...more,
  });

test("weights from the threshold on are drawn, with heads in a directed model alone", () => {
  for (const [heads, threshold, lines] of /** @type {[boolean, number, number][]} */ ([
    [true, 0, 3],
    [false, 0, 3],
    [true, 1, 2],
  ])) {
    const {pen, said} = recorder();
    assert.equal(drawNetwork(pen, network({heads}), threshold, 10, PALETTE), lines);
    assert.equal(said.filter(({way}) => way === "stroke").length, lines);
    assert.equal(said.filter(({way}) => way === "fill").length, heads ? lines : 0);
  }
});

test("a decision's arrows stand out, with their nats outside of all boxes, and an arc from the other cause", () => {
  const {pen, said} = recorder(),
    nats = new Map([[EDGES[0], 2.94]]),
    arcs = [{from: 1, to: 0, nats: -2.89}];
  drawNetwork(pen, network({nats, arcs}), 0, 10, PALETTE);
  const strokes = said.filter(({way}) => way === "stroke");
  assert.deepEqual(
    strokes.map(({alpha}) => alpha === 1),
    [false, false, true, true],
  );
  const words = said.filter(({way}) => way === "text");
  assert.deepEqual(
    words.map(({text}) => text),
    ["+2.94", "\u22122.89"],
  );
  for (const {x = 0, y = 0} of words)
    for (const box of BOXES)
      assert.ok(x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height, `${x}, ${y}`);
});
