// A slider over a strip with marks. Its thumb is painted, as moving the browser's own causes a layout at each frame. The
// slider's value is therefore set only before a key or a pointer changes it. The strip is a canvas outside of the page, as
// one canvas in it costs less per frame than two.

import {element, icon, penOf, setAttribute} from "./dom.js";
import {fitCanvas} from "./draw.js";

const THUMB = 14; // pixels, the width of the slider's own thumb

// Label of the button that plays or pauses.
/** @param {HTMLButtonElement} button @param {"play" | "pause"} face @param {string} word */
export function setFace(button, face, word) {
  const title = `${word} (space)`;
  if (button.title === title && button.dataset.face === face) return;
  const keys = button.querySelector("kbd");
  button.replaceChildren(icon(face), ...(keys ? [keys] : []));
  button.dataset.face = face;
  button.setAttribute("aria-label", word);
  button.title = title;
}

export class Scrub {
  k = 0;
  end = 0;
  canvas = element("canvas", {"aria-hidden": "true"});
  strip = element("canvas");

  /** @param {string} label @param {(k: number) => void} moved */
  constructor(label, moved) {
    const changed = () => moved((this.k = Number(this.range.value))); // a second key event may come before the next paint
    this.range = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 1,
      value: 0,
      "aria-label": label,
      oninput: changed,
    });
    for (const name of ["keydown", "pointerdown", "focus"])
      this.range.addEventListener(name, () => this.tell(), true);
    this.node = element(
      "div",
      {class: "lv-scrub"},
      this.canvas,
      element("div", {class: "lv-range"}, this.range),
    );
  }

  // Before the strip is painted: true if it is empty, as its size has changed.
  fit() {
    fitCanvas(this.canvas);
    const {
      canvas: {width, height},
      strip,
    } = this;
    if (strip.width === width && strip.height === height) return false;
    Object.assign(strip, {width, height});
    return true;
  }

  // An empty strip with the bar for the marks: its pen and measures, and `x(share)`, the position of the thumb's centre from
  // the beginning to the end.
  /** @param {Palette} palette */
  ground(palette) {
    const {
        strip,
        strip: {width, height},
      } = this,
      context = penOf(strip),
      ratio = window.devicePixelRatio || 1,
      inset = (THUMB / 2) * ratio;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.faint;
    context.beginPath();
    context.roundRect(inset, height * 0.3, width - 2 * inset, height * 0.4, 3 * ratio);
    context.fill();
    /** @param {number} share */
    const x = (share) => inset + (width - 2 * inset) * share;
    return {context, width, height, ratio, x};
  }

  // Show the strip only, if there is nothing to scrub.
  hide() {
    const context = penOf(this.canvas);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.strip, 0, 0);
    return context;
  }

  /** @param {number} k @param {number} end @param {Palette} palette @param {boolean} moving */
  show(k, end, palette, moving) {
    this.k = k;
    this.end = end;
    const {width, height} = this.canvas,
      context = this.hide(),
      ratio = window.devicePixelRatio || 1;
    const x = ((width - THUMB * ratio) * k) / Math.max(1, end),
      tall = height * 0.68,
      top = (height - tall) / 2;
    /** @type {[number, string][]} */
    const rings = [
      [0, palette.muted],
      [1, palette.surface],
      [3, palette.now],
    ];
    for (const [inset, colour] of rings) {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(
        x + inset * ratio,
        top + inset * ratio,
        (THUMB - 2 * inset) * ratio,
        tall - 2 * inset * ratio,
        (6 - inset) * ratio,
      );
      context.fill();
    }
    if (!moving) this.tell();
  }

  tell() {
    if (this.range.max !== String(this.end)) this.range.max = String(this.end);
    if (this.range.value !== String(this.k)) this.range.value = String(this.k);
  }

  /** @param {string} text */
  say(text) {
    setAttribute(this.range, "aria-valuetext", text);
  }
}
