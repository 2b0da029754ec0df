// Filters on the Train page are large enough to be read, whatever the room and however many there are.
import assert from "node:assert/strict";
import {test} from "node:test";
import {mosaicShape} from "../../lrbn_viz/view/board/js/mosaic.js";

for (const letters of [13, 14, 22, 30]) {
  test(`with letters of ${letters} pixels no filter is smaller than 24, nor is the box wider or higher than its room`, () => {
    for (const width of [120, 300, 316, 500, 530, 1000, 1650, 1800]) {
      for (const n of [1, 2, 6, 12, 40, 64, 200, 201, 400, 1000, 5000]) {
        const {columns, side, high, room} = mosaicShape(n, width, letters),
          at = `${n} in ${width}: ${side}`;
        assert.ok(side >= Math.max(24, 1.75 * letters), at);
        assert.ok(columns * side <= width + 1e-9, at);
        assert.ok(Math.abs(high - Math.ceil(n / columns) * side) < 1e-9, at);
        assert.ok(room <= high && room <= 30 * letters, at);
        assert.ok(side <= 5.5 * letters, at);
      }
    }
  });
}

test("few filters are larger than many, and a wide page shows larger ones than a narrow one", () => {
  assert.ok(mosaicShape(12, 530, 14).side > 2 * mosaicShape(200, 530, 14).side);
  assert.ok(mosaicShape(200, 1650, 22).side > mosaicShape(200, 530, 14).side);
});
