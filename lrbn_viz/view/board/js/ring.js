// Curve of one figure of a lane in bounded memory: means over equally many neighbouring steps. When the memory is full,
// neighbours are merged in pairs, so that it always covers the whole run.

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
