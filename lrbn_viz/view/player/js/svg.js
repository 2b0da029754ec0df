// The part of a canvas context that our drawing uses, written as SVG: lines, rectangles and letters stay vectors,
// and only pixel maps become images. Coordinates are those of the page, without transformations.

import {element, penOf} from "./dom.js";

/** @type {Record<string, string>} */
const ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
/** @param {string} text */
const xml = (text) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
/** @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100);

// A CSS colour as hexadecimal RGB, which every program reads, and its opacity.
/** @param {string} colour @returns {[string, number]} */
function plainColour(colour) {
  const parts = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(colour);
  if (!parts) return [colour, 1];
  const hex = parts
    .slice(1, 4)
    .map((value) => Math.round(Number(value)).toString(16).padStart(2, "0"))
    .join("");
  return [`#${hex}`, parts[4] === undefined ? 1 : Number(parts[4])];
}

// The properties that `save` stores and `restore` sets again.
/** @type {(keyof SvgContext)[]} */
const SAVED = [
  "matrix",
  "inset",
  "globalAlpha",
  "lineWidth",
  "lineJoin",
  "strokeStyle",
  "fillStyle",
  "font",
  "letterSpacing",
  "textAlign",
  "textBaseline",
  "imageSmoothingEnabled",
  "dash",
];

/** @implements {Pen} */
export class SvgContext {
  matrix = [1, 0, 0, 1, 0, 0];
  inset = ""; // the current clip path
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin = /** @type {CanvasLineJoin} */ ("miter");
  strokeStyle = /** @type {Pen["strokeStyle"]} */ ("#000000");
  fillStyle = /** @type {Pen["fillStyle"]} */ ("#000000");
  font = "10px sans-serif";
  letterSpacing = "0px";
  textAlign = /** @type {CanvasTextAlign} */ ("left");
  textBaseline = /** @type {CanvasTextBaseline} */ ("alphabetic");
  imageSmoothingEnabled = true;
  dash = /** @type {number[]} */ ([]);

  out = /** @type {string[]} */ ([]);
  clips = /** @type {string[]} */ ([]);
  path = /** @type {string[]} */ ([]);
  shapes = /** @type {{left: number, top: number, width: number, height: number, r: number}[]} */ ([]);
  stack = /** @type {object[]} */ ([]);
  ruler = penOf(element("canvas"));

  /** @param {number} width @param {number} height @param {string} title @param {string} description */
  constructor(width, height, title, description) {
    this.width = width;
    this.height = height;
    this.title = title;
    this.description = description;
  }

  save() {
    this.stack.push(Object.fromEntries(SAVED.map((name) => [name, this[name]])));
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }

  /** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} e @param {number} f */
  transform(a, b, c, d, e, f) {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [
      A * a + C * b,
      B * a + D * b,
      A * c + C * d,
      B * c + D * d,
      A * e + C * f + E,
      B * e + D * f + F,
    ];
  }
  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y);
  }
  /** @param {number} x @param {number} y */
  scale(x, y) {
    this.transform(x, 0, 0, y, 0, 0);
  }
  /** @param {number} x @param {number} y */
  point(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }
  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.point(x, y).map(short).join(" ");
  }
  get size() {
    const [a, b] = this.matrix;
    return Math.hypot(a, b);
  }

  beginPath() {
    this.path = [];
    this.shapes = [];
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path.push(`M${this.at(x, y)}`);
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path.push(`L${this.at(x, y)}`);
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.roundRect(x, y, width, height, 0);
  }

  // Kept as a shape if it is the whole path and not rotated.
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2)),
      {size} = this,
      [, turned] = this.matrix;
    const [left, top] = this.point(x, y);
    if (!turned) this.shapes.push({left, top, width: width * size, height: height * size, r: r * size});
    /** @param {number} cx @param {number} cy */
    const corner = (cx, cy) => (r ? `A${short(r * size)} ${short(r * size)} 0 0 1 ${this.at(cx, cy)}` : "");
    const right = x + width,
      bottom = y + height;
    this.path.push(
      `M${this.at(x + r, y)}L${this.at(right - r, y)}${corner(right, y + r)}L${this.at(right, bottom - r)}${corner(right - r, bottom)}` +
        `L${this.at(x + r, bottom)}${corner(x, bottom - r)}L${this.at(x, y + r)}${corner(x + r, y)}Z`,
    );
  }

  // Only complete circles, which the marks use
  /** @param {number} x @param {number} y @param {number} radius */
  arc(x, y, radius) {
    const r = short(radius * this.size);
    this.path.push(
      `M${this.at(x - radius, y)}A${r} ${r} 0 1 1 ${this.at(x + radius, y)}A${r} ${r} 0 1 1 ${this.at(x - radius, y)}Z`,
    );
  }

  /** @param {string} tag @param {Record<string, string>} attributes @param {string} [content] */
  add(tag, attributes, content) {
    const all = Object.entries({...attributes, "clip-path": this.inset && `url(#${this.inset})`});
    const text = all
      .filter(([, value]) => value !== "" && value != null)
      .map(([name, value]) => ` ${name}="${xml(value)}"`)
      .join("");
    this.out.push(content === undefined ? `<${tag}${text}/>` : `<${tag}${text}>${content}</${tag}>`);
  }

  /** @param {Record<string, string>} attributes */
  outline(attributes) {
    if (this.shapes.length === 1 && this.path.length === 1) {
      const {left, top, width, height, r} = this.shapes[0];
      this.add("rect", {
        x: short(left),
        y: short(top),
        width: short(width),
        height: short(height),
        rx: r ? short(r) : "",
        ...attributes,
      });
    } else if (this.path.length) {
      this.add("path", {d: this.path.join(""), ...attributes});
    }
  }

  /** @param {string} name @param {Pen["fillStyle"]} style */
  paintOf(name, style) {
    const [colour, alpha] = plainColour(String(style)),
      opacity = alpha * this.globalAlpha;
    return {[name]: colour, [`${name}-opacity`]: opacity < 1 ? short(opacity) : ""};
  }

  fill() {
    this.outline(this.paintOf("fill", this.fillStyle));
  }

  stroke() {
    const {lineWidth, lineJoin, dash, strokeStyle} = this,
      {size} = this;
    this.outline({
      fill: "none",
      ...this.paintOf("stroke", strokeStyle),
      "stroke-width": short(lineWidth * size),
      "stroke-linejoin": lineJoin === "miter" ? "" : lineJoin,
      "stroke-dasharray": dash.map((length) => short(length * size)).join(" "),
    });
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  // Of nested clips only the inner one is written, as insets lie within their surroundings.
  clip() {
    this.inset = `clip${this.clips.length}`;
    this.clips.push(`<clipPath id="${this.inset}"><path d="${this.path.join("")}"/></clipPath>`);
  }

  /** @param {string} text */
  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const {font, letterSpacing, textAlign, textBaseline, fillStyle} = this;
    const {fontBoundingBoxAscent: up, fontBoundingBoxDescent: down, width} = this.measureText(text);
    const [left, base] = this.point(
      x,
      y + (textBaseline === "middle" ? (up - down) / 2 : textBaseline === "top" ? up : 0),
    );
    const {style, weight, size, family} = fontParts(font);
    this.add(
      "text",
      {
        x: short(left),
        y: short(base),
        "font-family": family,
        "font-size": short(size * this.size),
        "font-weight": weight === "400" ? "" : weight,
        "font-style": style === "normal" ? "" : style,
        "letter-spacing": parseFloat(letterSpacing) ? short(parseFloat(letterSpacing) * this.size) : "",
        textLength: short(width * this.size),
        lengthAdjust: "spacingAndGlyphs", // keeps the width with other fonts
        "text-anchor": textAlign === "center" ? "middle" : textAlign === "right" ? "end" : "",
        ...this.paintOf("fill", fillStyle),
      },
      xml(text),
    );
  }

  // A canvas, or the part of it at (sx, sy), as an image of its own pixels.
  /** @param {CanvasImageSource} source @param {number[]} place */
  drawImage(source, ...place) {
    if (!(source instanceof HTMLCanvasElement || source instanceof HTMLImageElement))
      throw new TypeError("SVG takes canvases and images only");
    const whole =
      source instanceof HTMLImageElement
        ? [source.naturalWidth, source.naturalHeight]
        : [source.width, source.height];
    const [sx, sy, sw, sh, x, y, width, height] = place.length === 8 ? place : [0, 0, ...whole, ...place];
    const part = element("canvas", {width: sw, height: sh});
    penOf(part).drawImage(source, sx, sy, sw, sh, 0, 0, sw, sh);
    const [left, top] = this.point(x, y),
      {size} = this,
      sharp = !this.imageSmoothingEnabled;
    this.add("image", {
      x: short(left),
      y: short(top),
      width: short(width * size),
      height: short(height * size),
      preserveAspectRatio: "none",
      opacity: this.globalAlpha < 1 ? short(this.globalAlpha) : "",
      style: sharp ? "image-rendering: pixelated" : "",
      "image-rendering": sharp ? "optimizeSpeed" : "",
      "xlink:href": part.toDataURL(),
    });
  }

  toString() {
    const {width, height, clips} = this;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${short(width)}" height="${short(height)}" ` +
      `viewBox="0 0 ${short(width)} ${short(height)}" role="img">\n<title>${xml(this.title)}</title>\n<desc>${xml(this.description)}</desc>\n` +
      `${clips.length ? `<defs>${clips.join("")}</defs>\n` : ""}${this.out.join("\n")}\n</svg>\n`
    );
  }
}

// A CSS font such as "italic 650 14.2px Inter, sans-serif", as the browser writes it, in parts.
/** @param {string} font */
function fontParts(font) {
  const [, before, size, family] = /^(.*?)([\d.]+)px(?:\/\S+)? (.*)$/.exec(font) ?? ["", "", "10", font];
  const weight = /\d{3}|bold/.exec(before)?.[0] || "400";
  return {
    style: before.includes("italic") ? "italic" : "normal",
    weight,
    size: Number(size),
    family: family.replaceAll('"', "'"),
  };
}
