// A visitor's table: what is read as a state, what is refused, and the run that learns from it.
import assert from "node:assert/strict";
import {test} from "node:test";
import {readTable, runOn} from "../../lrbn_viz/view/live/js/own_table.js";
import {expected} from "./blocks.js";

for (const [name, {text, names, states, shape}] of Object.entries(expected.tables))
  test(`a table is read as Python reads it: ${name}`, () => {
    const table = readTable(text, name);
    assert.deepEqual(table.names, names);
    assert.deepEqual(Array.from(table.states), states);
    assert.deepEqual(table.shape, shape);
    assert.equal(table.n * table.n_v, states.length);
  });

const bad = {
  "one column": ["a\n1\n0", "2 to 1,000 columns, got 1"],
  nothing: ["", "2 to 1,000 columns, got 0"],
  "names alone": ["a,b\n", "1 to 50,000 rows below the names, got 0"],
  "a short row": ["a,b\n1,0\n1", "expected 2 cells in row 2, got 1"],
  "a number": ["a,b\n1,0\n1,3.5", "got \u201c3.5\u201d in row 2, column b"],
  "a word": ["a,b\nyes,no\nyes,perhaps", "got \u201cperhaps\u201d in row 2, column b"],
  "a name twice": ["a,a\n1,0", "expected names that differ, got \u201ca\u201d twice"],
  "no name": ["a,,b\n1,0,1", "expected a name of 1 to 60 characters"],
};
for (const [what, [text, words]] of Object.entries(bad))
  test(`${what} is refused in words`, () => {
    assert.throws(
      () => readTable(text, "x"),
      (/** @type {Error} */ {message}) => message.includes(words),
    );
  });

const own = expected.own_run;
/** @param {number} n */
const rows = (n) =>
  `a,b,c\n${Array.from({length: n}, (_, m) => `${m % 2},${m % 3 ? "yes" : "no"},${m % 5 ? 1 : ""}`).join("\n")}`;

test("models learn from rows of which all is known; a fifth is held out, and equal tables are equal runs", () => {
  const table = readTable(rows(100), "mine"),
    {meta, arrays} = runOn(table, own, 4);
  assert.deepEqual([meta.n_train, meta.n_held], [64, 16]);
  assert.ok(meta.about.includes("20 rows have cells that are not known"));
  assert.deepEqual([arrays.images.length, arrays.held.length], [64, 16]); // a byte for each row of three
  for (const [n, lane] of meta.lanes.entries()) {
    assert.deepEqual([lane.n_h, lane.settings.n_h], [4, 4]);
    assert.deepEqual([arrays[`${n}.W`].length, arrays[`${n}.b`].length, arrays[`${n}.d`].length], [12, 3, 4]);
    assert.ok(lane.info.file?.head.settings.includes('"n_components": 4'));
    assert.equal(lane.info.file?.head.columns, '["a","b","c"]');
  }
  assert.deepEqual(runOn(table, own, 4), {meta, arrays});
});

test("too few rows of which all is known teach nothing", () => {
  assert.throws(
    () => runOn(readTable(rows(24), "mine"), own, 4),
    (/** @type {Error} */ {message}) =>
      message.includes("at least 20 rows of which all is known") && message.endsWith("got 19"),
  );
});
