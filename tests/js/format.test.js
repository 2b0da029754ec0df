// Numbers as text.
import assert from "node:assert/strict";
import {test} from "node:test";
import {
  brief,
  chance,
  clockText,
  fileName,
  many,
  mebibytes,
  niceTicks,
  number,
  signed,
} from "../../lrbn_viz/view/player/js/format.js";

test("numbers have a true minus sign, and a sign where that is the message", () => {
  assert.deepEqual(
    [number(-1.26), number(2, 2), signed(0.5), signed(-0.5), signed(0), number(-0.04), signed(-0.001)],
    ["\u22121.3", "2.00", "+0.50", "\u22120.50", "+0.00", "0.0", "+0.00"],
  );
  assert.deepEqual(
    [brief(123.4), brief(12.34), brief(1.234), brief(-0.1)],
    ["123", "12.3", "1.23", "\u22120.10"],
  );
});

test("chances are per cent, or a power of ten where they are small", () => {
  assert.deepEqual(
    [chance(0), chance(1), chance(0.152), chance(0.0152)],
    ["0.00\u00a0%", "100.0\u00a0%", "15.2\u00a0%", "1.52\u00a0%"],
  );
  assert.equal(chance(3.2e-7), "3.2 \u00d7 10\u207b\u2077");
});

test("amounts and times are written as people say them", () => {
  assert.deepEqual([many(1234567), mebibytes(3 * 2 ** 20 + 2 ** 19)], ["1,234,567", "3.5"]);
  assert.deepEqual(
    [clockText(0.2), clockText(60), clockText(125), clockText(3725)],
    ["1 s", "1 min 0 s", "2 min 5 s", "1 h 2 min"],
  );
});

test("ticks are round, lie within, and have the digits that tell them apart", () => {
  for (const [low, high, count] of [
    [0, 1, 4],
    [-231.4, -180.2, 4],
    [0, 7, 3],
    [1e-7, 3e-7, 5],
    [-5, 90000, 4],
  ]) {
    const {ticks, digits} = niceTicks(low, high, count),
      step = ticks[1] - ticks[0];
    assert.ok(ticks.length >= 2 && ticks.length <= count + 1, `${ticks}`);
    assert.ok(
      ticks.every((tick) => tick >= low - 1e-9 * step && tick <= high + 1e-8 * step),
      `${ticks}`,
    );
    assert.equal(new Set(ticks.map((tick) => tick.toFixed(digits))).size, ticks.length);
  }
});

test("a picture's file is called after its image and visit", () => {
  assert.equal(
    fileName({caption: "MNIST subset, test image 0, changed", title: "7"}, 650, "png"),
    "mnist-subset-test-image-0-changed-visit-650.png",
  );
  assert.equal(fileName({caption: "", title: "../../\u00e9"}, 0, "svg"), "trace-visit-0.svg");
});
