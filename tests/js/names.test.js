import assert from "node:assert/strict";
import test from "node:test";

import {
  renamed,
  rowWords,
  shortUnitName,
  someOf,
  unitName,
  variablesOf,
  visibleName,
} from "../../lrbn_viz/view/player/js/names.js";

test("a named unit is called by its name, and another by its number", () => {
  assert.equal(unitName({names: ["burglary", "earthquake"]}, 1), "earthquake");
  assert.equal(unitName({}, 7), "unit 7");
  assert.equal(shortUnitName({}, 7), "7");
  assert.equal(visibleName({pixels: ["fever"], columns: 1}, 0), "fever");
  assert.equal(visibleName({columns: 28}, 30), "row 2, column 3");
});

test("named visibles in one row are variables, and those of an image are pixels", () => {
  assert.deepEqual(variablesOf({pixels: ["alarm", "radio"], rows: 1}), ["alarm", "radio"]);
  assert.equal(variablesOf({pixels: ["row 0, column 0"], rows: 8}), null);
  assert.equal(variablesOf({rows: 1}), null);
  assert.deepEqual([rowWords(true).cell, rowWords(false).cell], ["observation", "pixel"]);
});

test("a long list says how many more there are", () => {
  assert.equal(someOf(["a", "b", "c", "d"], 2), "a, b and 2 more");
  assert.equal(someOf(["a", "b"], 2), "a, b");
  assert.equal(someOf([], 2), "none");
});

test("one unit is renamed and the others keep their names or numbers", () => {
  assert.deepEqual(renamed({n_h: 3}, 1, "flu"), ["unit 0", "flu", "unit 2"]);
  assert.deepEqual(renamed({n_h: 2, names: ["flu", "cold"]}, 0, ""), ["unit 0", "cold"]);
  assert.equal(renamed({n_h: 2, names: ["unit 0", "cold"]}, 1, ""), undefined);
});
