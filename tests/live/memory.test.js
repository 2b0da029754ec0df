// Arrays and tuples in the memory of Python's kernels, and calls of these.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {loadKernels, Memory} from "../../lrbn_viz/browser/js/memory.js";

const [MODULE, LEARNING] = ["kernels", "learning"].map((name) =>
  readFileSync(new URL(`../../lrbn_viz/browser/${name}.wasm`, import.meta.url)),
);

test("a browser without what the module needs is told so, and one with it is not", () => {
  assert.equal(loadKernels(new Uint8Array(16)), false);
  assert.equal(loadKernels(MODULE), true);
  assert.equal(loadKernels(MODULE), true, "once for all");
});

test("a kernel fills the array that it is given", () => {
  const memory = new Memory(MODULE),
    rows = memory.of("f8", [1, 2, 3, 4, 5, 6], 2, 3),
    gram = memory.array("f8", 2, 2);
  memory.call("fill_gram", {rows, gram});
  assert.deepEqual(Array.from(gram.view), [0, 32, 32, 0]);
});

test("a kernel returns a number", () => {
  const memory = new Memory(MODULE),
    [rows, b, d] = [memory.of("f8", [1, -1], 1, 2), memory.of("f8", [0, 0]), memory.of("f8", [0])],
    below = memory.of("f8", [1, NaN]),
    latent = memory.of("u1", [1]),
    a = memory.array("f8", 2);
  const found = memory.call("log_joint_of_layer", {gaussian: false, rows, b, d, below, latent, top: true, a});
  assert.ok(Math.abs(found - (1 - Math.log1p(Math.E) - Math.LN2)) < 1e-12);
});

test("a missing argument, and one of another type, are refused by name", () => {
  const memory = new Memory(MODULE),
    rows = memory.array("f8", 2, 3);
  assert.throws(() => memory.call("fill_gram", /** @type {any} */ ({rows})), /missing: gram/);
  assert.throws(
    () => memory.call("fill_gram", /** @type {any} */ ({rows, gram: memory.array("f4", 2, 2)})),
    /gram: expected f8\[:, :\], got f4 of 2 axes/,
  );
  assert.throws(
    () => memory.call("fill_gram", {rows, gram: memory.array("f8", 4)}),
    /gram: expected f8\[:, :\], got f8 of 1 axes/,
  );
});

test("what a scope has placed is freed at its end, after an error too, and only that", () => {
  const memory = new Memory(MODULE),
    outside = memory.of("f8", [7]);
  const first = memory.scope(() => memory.array("f8", 100).address);
  assert.throws(() =>
    memory.scope(() => {
      assert.equal(memory.array("f8", 100).address, first, "the same place");
      throw new Error("lost");
    }),
  );
  memory.scope(() => {
    const {made, placed} = memory.kept(() => memory.of("f8", new Float64Array(100).fill(3)));
    assert.equal(made.address, first);
    assert.deepEqual(placed, [made]);
  });
  assert.notEqual(memory.array("f8", 100).address, first, "what is kept stays");
  assert.deepEqual(Array.from(outside.view), [7]);
});

test("memory grows, new arrays are zeros, and old ones keep their numbers", () => {
  const memory = new Memory(MODULE),
    before = memory.bytes.buffer.byteLength,
    small = memory.of("f8", [1, 2, 3]);
  memory.scope(() => memory.of("f8", new Float64Array(1 << 20).fill(5)));
  const large = memory.array("f8", 1 << 20);
  assert.ok(memory.bytes.buffer.byteLength > before);
  assert.ok(large.view.every((value) => value === 0));
  assert.deepEqual(Array.from(small.view), [1, 2, 3]);
});

test("an array is made of a view of the memory although the memory grows for it", () => {
  const memory = new Memory(MODULE),
    ones = memory.of("f8", new Float64Array(1e5).fill(1));
  for (let n = 0; n < 20; n++)
    assert.equal(
      memory.of("f8", ones.view).view.reduce((sum, value) => sum + value, 0),
      1e5,
    );
});

test("the exponential of a kernel becomes 0 where a library's does", () => {
  const memory = new Memory(LEARNING, "learning");
  /** @param {number} a */
  const sigmoid = (a) => {
    const means = memory.array("f8", 1, 1);
    memory.call("fill_means", {
      gaussian: false,
      rows: memory.array("f8", 0, 1),
      b: memory.of("f8", [a]),
      H: memory.array("u1", 1, 0),
      means,
    });
    return means.view[0];
  };
  assert.equal(sigmoid(-1e4), 0);
  assert.equal(sigmoid(1e4), 1);
  for (const a of [-720, -700, -1, 0, 3]) {
    const odds = Math.exp(a); // below the least normal number at -720
    assert.ok(Math.abs(sigmoid(a) / (odds / (1 + odds)) - 1) < 1e-9, `${a}`);
  }
});
