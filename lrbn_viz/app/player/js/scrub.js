// A slider over a strip with marks. Its thumb is painted: moving the browser's own would have the page laid out at each
// frame. So while things move the slider is told nothing; it is before a key or a pointer changes it. The strip is kept
// beside the page: one canvas in it costs less at every frame than two.

const THUMB = 14; // pixels, as wide as the slider's own

class Scrub {
  constructor(label, moved) {
    this.canvas = element("canvas", {"aria-hidden": "true"});
    this.strip = element("canvas");
    const changed = () => moved(this.k = Number(this.range.value)); // a second key may come before the next paint
    this.range = element("input", {type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": label, oninput: changed});
    for (const name of ["keydown", "pointerdown", "focus"]) this.range.addEventListener(name, () => this.tell(), true);
    this.node = element("div", {class: "lv-scrub"}, this.canvas, element("div", {class: "lv-range"}, this.range));
  }

  // Before the strip is painted: true if it is empty, as its size has changed.
  fit() {
    fitCanvas(this.canvas);
    const {canvas: {width, height}, strip} = this;
    if (strip.width === width && strip.height === height) return false;
    Object.assign(strip, {width, height});
    return true;
  }

  // The strip alone: there is nowhere to go.
  hide() {
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.strip, 0, 0);
    return context;
  }

  show(k, end, palette, moving) {
    Object.assign(this, {k, end});
    const {width, height} = this.canvas, context = this.hide(), ratio = window.devicePixelRatio || 1;
    const x = (width - THUMB * ratio) * k / Math.max(1, end), tall = height * 0.68, top = (height - tall) / 2;
    for (const [inset, colour] of [[0, palette.muted], [1, palette.surface], [3, palette.now]]) {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(x + inset * ratio, top + inset * ratio, (THUMB - 2 * inset) * ratio, tall - 2 * inset * ratio, (6 - inset) * ratio);
      context.fill();
    }
    if (!moving) this.tell();
  }

  tell() {
    if (this.range.max !== String(this.end)) this.range.max = String(this.end);
    if (this.range.value !== String(this.k)) this.range.value = String(this.k);
  }

  say(text) { setAttribute(this.range, "aria-valuetext", text); }
}
