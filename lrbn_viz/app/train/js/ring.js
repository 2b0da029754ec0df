// Curve of one figure of a lane in bounded memory: means over equally many neighbouring steps. When the memory is full,
// neighbours are merged in pairs, so that it always covers the whole run.

import {toBytes} from "../../../view/player/js/decode.js";

const RING_POINTS = 1024;

export class Ring {
  x = new Float64Array(RING_POINTS);
  y = new Float64Array(RING_POINTS);
  n = 0;
  stride = 1;
  pending = 0;
  sumX = 0;
  sumY = 0;
  last = NaN;
  lastX = NaN;

  // Set points of a block, which the server has thinned out.
  /** @param {ArrayLike<number>} points */
  constructor(points = []) {
    const half = points.length / 2;
    for (let i = 0; i < half; i++) this.add(points[i], points[half + i]);
  }

  /** @param {number} x @param {number} y */
  add(x, y) {
    if (!Number.isFinite(y)) return;
    this.last = y;
    this.lastX = x;
    this.sumX += x;
    this.sumY += y;
    if (++this.pending < this.stride) return;
    this.x[this.n] = this.sumX / this.pending;
    this.y[this.n++] = this.sumY / this.pending;
    this.pending = this.sumX = this.sumY = 0;
    if (this.n < RING_POINTS) return;
    this.n /= 2;
    for (let i = 0; i < this.n; i++) {
      this.x[i] = (this.x[2 * i] + this.x[2 * i + 1]) / 2;
      this.y[i] = (this.y[2 * i] + this.y[2 * i + 1]) / 2;
    }
    this.stride *= 2;
  }

  // The last value at or before x; the first value if there is none.
  /** @param {number} x */
  at(x) {
    if (!this.n) return this.last;
    if (x >= this.lastX) return this.last;
    let low = 0,
      high = this.n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return this.y[Math.max(0, low - 1)];
  }
}

// The moment that a board shows when its run is loaded: the one displayed before the board was drawn again or, if the
// server did not know it yet, the requested one.
/** @param {Pick<RunMeta, "name" | "words">} meta @param {{name: string, step: number} | null} wanted */
export const momentOf = (meta, wanted) => (wanted?.name === meta.name ? wanted.step : meta.words.cursor);

// Decoding of frames, whose format frames.py describes.
/** @param {Bytes} data @param {string[]} statuses @param {string[]} kinds */
export function readFrame(data, statuses, kinds) {
  const bytes = toBytes(data),
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Frame} */
  const frame = {
    number: view.getUint32(4, true),
    status: statuses[view.getUint8(8)],
    progress: view.getFloat32(12, true),
    left: view.getFloat32(16, true),
    savedAt: view.getFloat64(20, true),
    lanes: [],
    pieces: [],
  };
  let at = 28;
  for (let n = view.getUint8(9); n > 0; n--) {
    /** @type {FrameLane} */
    const lane = {
      step: view.getUint32(at, true),
      seconds: view.getFloat32(at + 4, true),
      rate: view.getFloat32(at + 8, true),
      history: [
        view.getUint32(at + 12, true),
        view.getUint32(at + 16, true),
        view.getUint32(at + 20, true),
        view.getFloat32(at + 24, true),
      ],
      values: [],
    };
    const count = view.getUint8(at + 28);
    at += 29;
    for (let i = 0; i < count; i++, at += 5)
      lane.values.push([view.getUint8(at), view.getFloat32(at + 1, true)]);
    frame.lanes.push(lane);
  }
  for (let n = view.getUint16(10, true); n > 0; n--) {
    const length = view.getUint16(at + 6, true);
    frame.pieces.push({
      kind: kinds[view.getUint8(at)],
      lane: view.getUint8(at + 1),
      index: view.getUint32(at + 2, true),
      content: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length;
  }
  return frame;
}
