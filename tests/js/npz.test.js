// Files of NumPy's savez, as Python wrote them, as the page writes them, and damaged.
import assert from "node:assert/strict";
import {test} from "node:test";
import {readNpz, writeNpz} from "../../lrbn_viz/view/live/js/npz.js";
import {block, expected} from "./blocks.js";

const stored = new Uint8Array(block("arrays.npz"));

test("what Python wrote is read", async () => {
  const arrays = await readNpz(stored);
  assert.deepEqual([...arrays.keys()].sort(), Object.keys(expected.arrays).sort());
  for (const [name, {shape, values, text}] of Object.entries(expected.arrays)) {
    const array = /** @type {import("../../lrbn_viz/view/live/js/npz.js").NpyArray} */ (arrays.get(name));
    assert.deepEqual(array.shape, shape);
    if ("text" in array) assert.equal(array.text, text);
    else assert.deepEqual(Array.from(array.values), values.map(Number));
  }
});

test("what is written is read again, and equal arrays are equal files", async () => {
  const arrays = {
      W: {shape: [2, 3], fortran: true, values: Float64Array.of(0.1, -2, 3e-300, 4, 5, 6)},
      n: {shape: [], fortran: false, values: Int32Array.of(2)},
      said: {shape: [], text: "\u00e9, a \u{1F4A1} and 'quotes'"},
      none: {shape: [], text: ""},
    },
    files = await Promise.all([writeNpz(arrays), writeNpz(arrays)]),
    [bytes, others] = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  assert.deepEqual(bytes, others);
  const again = await readNpz(bytes);
  for (const [name, array] of Object.entries(arrays)) {
    const found = /** @type {any} */ (again.get(name));
    if ("text" in array) assert.equal(found.text, array.text);
    else {
      assert.deepEqual([found.shape, found.fortran], [array.shape, array.fortran]);
      assert.deepEqual(Array.from(found.values), Array.from(array.values));
    }
  }
});

test("a damaged file is refused in words, whatever byte is wrong, and wherever it is cut", async () => {
  const first = await readNpz(stored);
  let refused = 0;
  for (let at = 0; at < stored.length; at += 7) {
    const wrong = stored.slice();
    wrong[at] ^= 0x55;
    for (const bytes of [wrong, stored.subarray(0, at)])
      try {
        assert.deepEqual(await readNpz(bytes), first, "a byte that says nothing of the arrays");
      } catch (error) {
        assert.ok(error instanceof Error && error.message.length > 10, String(error));
        refused++;
      }
  }
  assert.ok(refused > stored.length / 10);
});
