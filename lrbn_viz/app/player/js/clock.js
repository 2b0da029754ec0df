// The transport's clock: the cursor in visits, played at a speed, painted at most once per animation frame.

const SPEEDS = [2, 5, 10, 30, 60, 120, 300, 1000];

// Who asks for less motion sees the same replay in still pictures, this far apart, and not a flicker of visits.
const STILL_MS = 400;
const lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

// Work in pieces: a generator that pauses. Each piece may be a task of its own, after clicks that wait; or all run now.
const soon = (() => {
  const {port1, port2} = new MessageChannel(), waiting = [];
  port1.onmessage = () => waiting.shift()();
  return (callback) => { waiting.push(callback); port2.postMessage(0); };
})();

function atOnce(pieces) {
  let step = pieces.next();
  while (!step.done) step = pieces.next();
  return step.value;
}

class Clock {
  constructor(paint, rested) {
    Object.assign(this, {paint, rested, k: 0, end: 0, speed: 60, playing: false, settling: false});
    this.stats = {frames: 0, painted: 0, paintMs: 0};
    this.requested = 0;
  }

  // Ask for one paint at the next animation frame, however often this is called before it.
  dirty() {
    this.stale = true;
    if (!this.requested) this.requested = requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.requested = 0;
    if (this.playing) {
      this.stats.frames++;
      // a tab that was hidden resumes where it was; it does not leap
      const elapsed = Math.min(0.1, (now - this.before) / 1000);
      this.before = now;
      this.position += elapsed * this.speed;
      const k = Math.min(this.end, Math.floor(this.position));
      const due = !lessMotion.matches || now - this.shown >= STILL_MS || k >= this.end;
      if (k !== this.k && due) { this.k = k; this.stale = true; this.shown = now; }
      if (this.k >= this.end) this.pause();
      else this.requested = requestAnimationFrame((later) => this.frame(later));
    }
    if (!this.stale) return;
    this.stale = false;
    const begin = performance.now();
    this.paint(this.k);
    this.stats.painted++;
    this.stats.paintMs = performance.now() - begin;
  }

  seek(k) {
    this.k = Math.max(0, Math.min(this.end, Math.round(k)));
    this.position = this.k;
    this.dirty();
    if (!this.playing) this.settle();
  }

  // Tell the rest of the page where the cursor is, once it rests.
  settle() {
    clearTimeout(this.timer);
    this.settling = true;
    this.timer = setTimeout(() => { this.settling = false; this.rested(this.k); }, 120);
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

  pause() {
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
