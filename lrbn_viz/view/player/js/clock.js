// The transport's clock: the cursor in visits, played at a speed, painted at most once per animation frame.

export const SPEEDS = [2, 5, 10, 30, 60, 120, 300, 1000];

// With reduced motion the replay shows still pictures at this interval instead of every visit.
const STILL_MS = 400;

export class Clock {
  k = 0;
  end = 0;
  speed = 60;
  until = Infinity; // visit at which playing ends
  position = 0; // k plus the elapsed part of the next visit
  before = 0;
  shown = 0;
  requested = 0;
  playing = false;
  settling = false;
  stale = false;
  stats = {frames: 0, painted: 0, paintMs: 0};
  lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Timer | undefined} */ timer;

  /** @param {(k: number) => void} paint @param {(k: number) => void} rested */
  constructor(paint, rested) {
    this.paint = paint;
    this.rested = rested;
  }

  // Request one paint at the next animation frame, even if called repeatedly.
  dirty() {
    this.stale = true;
    if (!this.requested) this.requested = requestAnimationFrame((now) => this.frame(now));
  }

  /** @param {number} now */
  frame(now) {
    this.requested = 0;
    if (this.playing) {
      this.stats.frames++;
      // a hidden tab resumes at its position without a jump. A frame may have begun before its request.
      const elapsed = Math.max(0, Math.min(0.1, (now - this.before) / 1000));
      this.before = now;
      this.position += elapsed * this.speed;
      const end = Math.min(this.end, this.until),
        k = Math.min(end, Math.floor(this.position));
      const due = !this.lessMotion.matches || now - this.shown >= STILL_MS || k >= end;
      if (k !== this.k && due) {
        this.k = k;
        this.stale = true;
        this.shown = now;
      }
      if (this.k >= end) this.pause();
      else this.requested = requestAnimationFrame((later) => this.frame(later));
    }
    if (!this.stale) return;
    this.stale = false;
    const begin = performance.now();
    this.paint(this.k);
    this.stats.painted++;
    this.stats.paintMs = performance.now() - begin;
  }

  /** @param {number} k */
  seek(k) {
    this.k = Math.max(0, Math.min(this.end, Math.round(k)));
    this.position = this.k;
    this.dirty();
    if (!this.playing) this.settle();
  }

  // Report the cursor's position when it rests.
  settle() {
    clearTimeout(this.timer);
    this.settling = true;
    this.timer = setTimeout(() => {
      this.settling = false;
      this.rested(this.k);
    }, 120);
  }

  play() {
    if (this.playing || !this.end) return;
    if (this.k >= this.end) this.seek(0);
    clearTimeout(this.timer);
    this.settling = false;
    this.playing = true;
    this.position = this.k;
    this.before = this.shown = performance.now();
    this.dirty();
  }

  // Play up to visit k, and stop there.
  /** @param {number} k */
  playTo(k) {
    this.pause();
    if (k <= this.k) return;
    this.until = k;
    this.play();
  }

  pause() {
    this.until = Infinity;
    if (!this.playing) return;
    this.playing = false;
    this.dirty();
    this.settle();
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.requested);
    this.requested = 0;
  }
}
