// A slider over a strip with marks. Its thumb is painted: moving the browser's own would have the page laid out at each
// frame. So while things move the slider is told nothing; it is before a key or a pointer changes it.

const THUMB = 14; // pixels, as wide as the slider's own

class Scrub {
  constructor(label, moved) {
    this.strip = element("canvas", {"aria-hidden": "true"});
    this.thumb = element("canvas", {"aria-hidden": "true"});
    const changed = () => moved(this.k = Number(this.range.value)); // a second key may come before the next paint
    this.range = element("input", {type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": label, oninput: changed});
    for (const name of ["keydown", "pointerdown", "focus"]) this.range.addEventListener(name, () => this.tell(), true);
    this.node = element("div", {class: "lv-scrub"}, this.strip, this.thumb, element("div", {class: "lv-range"}, this.range));
  }

  show(k, end, palette, moving) {
    Object.assign(this, {k, end});
    fitCanvas(this.thumb);
    const {width, height} = this.thumb, context = this.thumb.getContext("2d"), ratio = window.devicePixelRatio || 1;
    const x = (width - THUMB * ratio) * k / Math.max(1, end), tall = height * 0.68, top = (height - tall) / 2;
    context.clearRect(0, 0, width, height);
    for (const [inset, colour] of [[0, palette.muted], [1, palette.surface], [3, palette.now]]) {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(x + inset * ratio, top + inset * ratio, (THUMB - 2 * inset) * ratio, tall - 2 * inset * ratio, (6 - inset) * ratio);
      context.fill();
    }
    if (!moving) this.tell();
  }

  hide() { this.thumb.getContext("2d").clearRect(0, 0, this.thumb.width, this.thumb.height); }

  tell() {
    if (this.range.max !== String(this.end)) this.range.max = String(this.end);
    if (this.range.value !== String(this.k)) this.range.value = String(this.k);
  }

  say(text) { setAttribute(this.range, "aria-valuetext", text); }
}
