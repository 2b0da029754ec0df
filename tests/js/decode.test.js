// Packed blocks: every type of array comes out as Python put it in, wherever the bytes lie.
import assert from "node:assert/strict";
import {test} from "node:test";
import {decodeModels, unpack, unpackBits} from "../../lrbn_viz/view/player/js/decode.js";
import {block, expected} from "./blocks.js";

test("arrays of every type are those that Python packed", () => {
  const {meta, arrays} = unpack(block("arrays.bin"));
  assert.equal(meta.title, "Umlaut \u00e4");
  for (const kind of ["i1", "u1", "u2", "u4", "f2", "f4", "f8"])
    assert.deepEqual(Array.from(arrays[kind]), expected[kind], kind);
  assert.equal(arrays.none.length, 0);
});

test("half precision keeps signs of zero, subnormal numbers and infinities", () => {
  const {arrays} = unpack(block("arrays.bin")),
    wanted = expected.half.map((/** @type {string} */ text) => Number(text.replace("inf", "Infinity")));
  assert.equal(arrays.half.length, wanted.length);
  wanted.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
    assert.ok(Object.is(arrays.half[i], Math.fround(value)), `${arrays.half[i]} is not ${value}`),
  );
});

test("bytes that begin anywhere in a buffer are read alike", () => {
  const whole = new Uint8Array(block("arrays.bin"));
  for (const shift of [0, 1, 4, 8]) {
    const buffer = new ArrayBuffer(whole.length + shift);
    new Uint8Array(buffer, shift).set(whole);
    for (const view of [new Uint8Array(buffer, shift), new DataView(buffer, shift)]) {
      assert.deepEqual(Array.from(unpack(view).arrays.f8), expected.f8, `from byte ${shift}`);
    }
  }
});

test("what is no packed block is refused", () => {
  assert.throws(() => unpack(new Uint8Array([147, 78, 85, 77, 80, 89, 0, 0])), /not a packed block/);
});

test("bits are read from the highest of each byte on", () => {
  assert.deepEqual(
    Array.from(unpackBits(new Uint8Array([0b10110000, 0b01000000]), 10)),
    [1, 0, 1, 1, 0, 0, 0, 0, 0, 1],
  );
});

test("models have one row of weights a unit, and units of all layers are numbered through", () => {
  const models = decodeModels(block("models.bin"));
  assert.deepEqual(Array.from(models.keys()), [
    "lrbn",
    "rbm",
    "gaussian",
    "deep",
    "same",
    "learned",
    "noisy_or",
  ]);
  const deep = models.get("deep");
  assert.ok(deep);
  assert.deepEqual(
    deep.layers.map(({first, n_h, n_v}) => [first, n_h, n_v]),
    [
      [0, 9, 12],
      [9, 5, 9],
    ],
  );
  assert.equal(deep.n_h, 14);
  assert.deepEqual([deep.rows, deep.columns], [3, 4]);
  const [low, high] = deep.layers,
    j = 2; // what an upper unit does to the image goes by way of the units below it
  for (let i = 0; i < 12; i++) {
    let sum = 0;
    for (let k = 0; k < 9; k++) sum += high.W[j * 9 + k] * low.W[k * 12 + i];
    assert.ok(Math.abs(deep.filters[(9 + j) * 12 + i] - sum) < 1e-4);
  }
  assert.equal(models.get("rbm")?.factorised, true);
  assert.equal(models.get("lrbn")?.factorised, false);
});
