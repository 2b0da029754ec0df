// Pictures of the player, or of one of its cards, for slides and print. The page's boxes, letters and canvases are drawn into
// a context: that of a canvas for PNG, or one that writes SVG. A canvas with a function `vector` draws itself again, sharp
// at any size. Controls are left out.

import {element, penOf} from "./dom.js";
import {SvgContext} from "./svg.js";
import {FONT} from "./theme.js";

const LEFT_OUT =
  ".lv-btn, .lv-row.lv-tools, .lv-hold, .lv-drawing-cursor, input, label, style, dialog, .lv-sr, .lv-tip, .lv-explains";
const PNG_SCALE = 2,
  MOST_PIXELS = 6e7; // larger canvases fail in some browsers

/** @param {string} text */
const lengthOf = (text) => parseFloat(text) || 0;
/** @param {string} colour */
const seen = (colour) => !/^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(colour);

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

export class Picture {
  /** @param {Player} player @param {Element} [card]  which card alone; else all */
  constructor(player, card) {
    const {inner} = player,
      box = (card ?? inner).getBoundingClientRect();
    this.player = player;
    this.nodes = card ? [card] : Array.from(inner.children);
    this.fontSize = parseFloat(getComputedStyle(player.board).fontSize);
    this.margin = lengthOf(getComputedStyle(inner).paddingTop);
    const around = card ? this.margin : 0,
      shown = this.nodes.map((node) => node.getBoundingClientRect()); // the page includes a margin
    this.origin = {left: box.left - around, top: box.top - around - (card ? 0 : inner.scrollTop)};
    this.width = box.width + 2 * around;
    this.bottom = Math.max(...shown.map((at) => at.bottom)) - this.origin.top;
    const measure = penOf(element("canvas"));
    this.lines = this.caption().flatMap(([font, text]) => {
      measure.font = font;
      return wrap(measure, text, this.width - 2 * this.margin).map(
        (line) => /** @type {const} */ ([font, line]),
      );
    });
    this.height = Math.ceil(
      this.bottom + 0.9 * this.margin + this.lines.length * 1.5 * this.fontSize + this.margin,
    );
  }

  caption() {
    const {meta, lanes = [], transport, k} = this.player,
      size = `${this.fontSize}px ${FONT}`;
    const image = [meta.title, meta.caption].filter(Boolean).join(", ");
    const runs = lanes.map((lane) => `${lane.meta.title}: ${lane.howInWords}`).join("; ");
    const lines = /** @type {[string, string][]} */ ([
      [`650 ${size}`, image],
      [size, `${transport.said(k)}.`],
      [size, `${runs}.`],
    ]);
    return lines.filter(([, text]) => text);
  }

  // The whole picture; coordinates are CSS pixels from its corner.
  /** @param {Pen} context */
  draw(context) {
    const {palette} = this.player.colours;
    context.fillStyle = palette.page;
    context.fillRect(0, 0, this.width, this.height);
    for (const node of this.nodes) this.node(context, node, 1);
    context.fillStyle = palette.ink;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.globalAlpha = 1;
    this.lines.forEach(([font, text], n) => {
      context.font = font;
      context.fillText(text, this.margin, this.bottom + 0.9 * this.margin + (1.5 * n + 1) * this.fontSize);
    });
  }

  /** @param {DOMRect} box */
  place(box) {
    return {
      x: box.left - this.origin.left,
      y: box.top - this.origin.top,
      width: box.width,
      height: box.height,
    };
  }

  /** @param {Pen} context @param {Element} node @param {number} alpha */
  node(context, node, alpha) {
    if (node.matches(LEFT_OUT)) return;
    const style = getComputedStyle(node),
      box = this.place(node.getBoundingClientRect());
    if (style.display === "none" || style.visibility === "hidden" || !box.width || !box.height) return;
    const now = alpha * Number(style.opacity);
    context.globalAlpha = now;
    if (node instanceof HTMLSelectElement) return this.chosen(context, node, style, box);
    const pixels = node instanceof HTMLCanvasElement || node instanceof HTMLImageElement;
    this.box(context, style, box, pixels);
    this.mark(context, getComputedStyle(node, "::before"), style, box);
    if (pixels) this.canvas(context, node, style, box);
    if (style.outlineStyle !== "none" && !node.matches(":focus-visible")) this.outlineOf(context, style, box);
    context.save();
    if (style.overflowX === "hidden") {
      context.beginPath();
      context.rect(box.x, box.y, box.width, box.height);
      context.clip();
    }
    for (const child of node.childNodes) {
      if (child instanceof Text) {
        context.globalAlpha = now;
        this.text(context, child, style);
      } else if (child instanceof Element) this.node(context, child, now);
    }
    context.restore();
  }

  // Ground and border; a side that differs from the others is drawn as a strip.
  /** @param {Pen} context @param {CSSStyleDeclaration} style @param {Box} given @param {boolean} square */
  box(context, style, {x, y, width, height}, square) {
    const radius = square ? 0 : lengthOf(style.borderTopLeftRadius);
    if (seen(style.backgroundColor)) {
      context.fillStyle = style.backgroundColor;
      context.beginPath();
      context.roundRect(
        x,
        y,
        width,
        height,
        style.borderTopLeftRadius.endsWith("%") ? Math.min(width, height) / 2 : radius,
      );
      context.fill();
    }
    /** @param {"Top" | "Right" | "Bottom" | "Left"} name */
    const side = (name) =>
      style[`border${name}Style`] === "none" ? 0 : lengthOf(style[`border${name}Width`]);
    const top = side("Top"),
      right = side("Right"),
      bottom = side("Bottom"),
      left = side("Left");
    if (right && right === bottom && right === left) {
      context.strokeStyle = style.borderRightColor;
      context.lineWidth = right;
      context.beginPath();
      context.roundRect(
        x + right / 2,
        y + right / 2,
        width - right,
        height - right,
        Math.max(0, radius - right / 2),
      );
      context.stroke();
    }
    if (!top || (top === right && style.borderTopColor === style.borderRightColor)) return;
    context.save();
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    if (radius) context.clip();
    context.fillStyle = style.borderTopColor;
    context.fillRect(x, y, width, top);
    context.restore();
  }

  /** @param {Pen} context @param {CSSStyleDeclaration} style @param {Box} given */
  outlineOf(context, style, {x, y, width, height}) {
    const line = lengthOf(style.outlineWidth);
    context.strokeStyle = style.outlineColor;
    context.lineWidth = line;
    context.strokeRect(x - line / 2, y - line / 2, width + line, height + line);
  }

  // The coloured square, dot or diamond before a word
  /** @param {Pen} context @param {CSSStyleDeclaration} before @param {CSSStyleDeclaration} style @param {Box} given */
  mark(context, before, style, {x, y, height}) {
    if (before.content === "none" || !seen(before.backgroundColor)) return;
    const wide = lengthOf(before.width),
      high = lengthOf(before.height),
      round = before.borderTopLeftRadius.endsWith("%");
    context.save();
    context.translate(x + lengthOf(style.paddingLeft) + wide / 2, y + height / 2);
    if (before.transform !== "none") {
      const {a, b, c, d, e, f} = new DOMMatrix(before.transform);
      context.transform(a, b, c, d, e, f);
    }
    context.fillStyle = before.backgroundColor;
    context.beginPath();
    context.roundRect(
      -wide / 2,
      -high / 2,
      wide,
      high,
      round ? wide / 2 : lengthOf(before.borderTopLeftRadius),
    );
    context.fill();
    context.restore();
  }

  /** @param {Pen} context @param {HTMLCanvasElement | HTMLImageElement} canvas @param {CSSStyleDeclaration} style @param {Box} given */
  canvas(context, canvas, style, {x, y, width, height}) {
    if (!("vector" in canvas && canvas.vector)) {
      context.imageSmoothingEnabled = style.imageRendering !== "pixelated";
      return context.drawImage(canvas, x, y, width, height);
    }
    context.save();
    context.translate(x, y);
    context.scale(width / canvas.width, height / canvas.height);
    canvas.vector(context);
    context.restore();
  }

  // A menu is drawn as its value.
  /** @param {Pen} context @param {HTMLSelectElement} select @param {CSSStyleDeclaration} style @param {Box} given */
  chosen(context, select, style, {x, y, width, height}) {
    const edge = lengthOf(style.paddingRight);
    this.letters(context, style);
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(select.selectedOptions[0]?.textContent || "", x + width - edge, y + height / 2);
  }

  /** @param {Pen} context @param {CSSStyleDeclaration} style */
  letters(context, style) {
    context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    context.fillStyle = style.color;
  }

  // Letters at their positions in the page, line by line.
  /** @param {Pen} context @param {Text} node @param {CSSStyleDeclaration} style */
  text(context, node, style) {
    if (!node.data.trim()) return;
    const range = document.createRange(),
      lines = /** @type {{box: DOMRect, text: string}[]} */ ([]);
    for (const {0: word, index} of node.data.matchAll(/\S+\s*/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.trimEnd().length);
      const box = range.getClientRects()[0],
        last = lines.at(-1);
      if (!box) continue;
      if (last && Math.abs(last.box.top - box.top) < 2) last.text += word;
      else lines.push({box, text: word});
    }
    this.letters(context, style);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (const {box, text} of lines) {
      const {fontBoundingBoxAscent: up, fontBoundingBoxDescent: down} = context.measureText(text),
        {x, y, height} = this.place(box);
      context.fillText(text.replace(/\s+/g, " ").trimEnd(), x, y + (height - up - down) / 2 + up);
    }
  }

  // Description of the picture in words, also inside the SVG file.
  get title() {
    return this.lines.map(([, text]) => text).join(" ");
  }

  svg() {
    const context = new SvgContext(
      this.width,
      this.height,
      this.title,
      this.player.transport.sentence(this.player.k),
    );
    this.draw(context);
    return new Blob([context.toString()], {type: "image/svg+xml"});
  }

  /** @returns {Promise<Blob>} */
  png() {
    const scale = Math.min(PNG_SCALE, Math.sqrt(MOST_PIXELS / (this.width * this.height)));
    const canvas = element("canvas", {
      width: Math.ceil(this.width * scale),
      height: Math.ceil(this.height * scale),
    });
    const context = penOf(canvas);
    context.scale(scale, scale);
    this.draw(context);
    return new Promise((done, fail) => {
      canvas.toBlob((blob) => {
        if (blob) done(blob);
        else fail(new Error("the browser made no picture of this size"));
      }, "image/png");
    });
  }
}

// Break a text into lines of at most `width`.
/** @param {Pen} context @param {string} text @param {number} width */
function wrap(context, text, width) {
  const lines = /** @type {string[]} */ ([]);
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
