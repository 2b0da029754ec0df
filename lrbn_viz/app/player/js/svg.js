// The part of a canvas context that our drawing uses, written as SVG: lines, rectangles and letters stay what they are,
// and only pixel maps become images. Coordinates are written as they are on the page, without transformations.

const xml = (text) => String(text).replace(/[&<>"]/g, (letter) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[letter]));
const short = (value) => String(Math.round(value * 100) / 100);

// A CSS colour as a name that every program reads, and its opacity.
function plainColour(colour) {
  const parts = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(colour);
  if (!parts) return [colour, 1];
  const hex = parts.slice(1, 4).map((value) => Math.round(Number(value)).toString(16).padStart(2, "0")).join("");
  return [`#${hex}`, parts[4] === undefined ? 1 : Number(parts[4])];
}

class SvgContext {
  constructor(width, height, title, description) {
    Object.assign(this, {width, height, title, description, out: [], clips: [], stack: [], path: [], shapes: []});
    this.measure = document.createElement("canvas").getContext("2d");
    this.state = {
      matrix: [1, 0, 0, 1, 0, 0], clip: "", globalAlpha: 1, lineWidth: 1, lineJoin: "miter", strokeStyle: "#000000", fillStyle: "#000000",
      font: "10px sans-serif", letterSpacing: "0px", textAlign: "left", textBaseline: "alphabetic", imageSmoothingEnabled: true, dash: [],
    };
    for (const name of Object.keys(this.state)) {
      if (name in this) continue;
      Object.defineProperty(this, name, {get: () => this.state[name], set: (value) => { this.state[name] = value; }});
    }
  }

  save() { this.stack.push({...this.state}); }
  restore() { this.state = this.stack.pop() || this.state; }

  transform(a, b, c, d, e, f) {
    const [A, B, C, D, E, F] = this.state.matrix;
    this.state.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }
  translate(x, y) { this.transform(1, 0, 0, 1, x, y); }
  scale(x, y) { this.transform(x, 0, 0, y, 0, 0); }
  point(x, y) { const [a, b, c, d, e, f] = this.state.matrix; return [a * x + c * y + e, b * x + d * y + f]; }
  at(x, y) { return this.point(x, y).map(short).join(" "); }
  get size() { const [a, b] = this.state.matrix; return Math.hypot(a, b); }

  beginPath() { this.path = []; this.shapes = []; }
  moveTo(x, y) { this.path.push(`M${this.at(x, y)}`); }
  lineTo(x, y) { this.path.push(`L${this.at(x, y)}`); }
  rect(x, y, width, height) { this.roundRect(x, y, width, height, 0); }

  // Kept as a shape where it is all there is to draw, and it lies straight.
  roundRect(x, y, width, height, radius) {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2)), {size} = this, [, turned] = this.state.matrix;
    const [left, top] = this.point(x, y);
    if (!turned) this.shapes.push({left, top, width: width * size, height: height * size, r: r * size});
    const corner = (cx, cy) => (r ? `A${short(r * size)} ${short(r * size)} 0 0 1 ${this.at(cx, cy)}` : "");
    const right = x + width, bottom = y + height;
    this.path.push(`M${this.at(x + r, y)}L${this.at(right - r, y)}${corner(right, y + r)}L${this.at(right, bottom - r)}${corner(right - r, bottom)}` +
      `L${this.at(x + r, bottom)}${corner(x, bottom - r)}L${this.at(x, y + r)}${corner(x + r, y)}Z`);
  }

  // Whole circles only: our marks
  arc(x, y, radius) {
    const r = short(radius * this.size);
    this.path.push(`M${this.at(x - radius, y)}A${r} ${r} 0 1 1 ${this.at(x + radius, y)}A${r} ${r} 0 1 1 ${this.at(x - radius, y)}Z`);
  }

  add(tag, attributes, content) {
    const all = Object.entries({...attributes, "clip-path": this.state.clip && `url(#${this.state.clip})`});
    const text = all.filter(([, value]) => value !== "" && value != null).map(([name, value]) => ` ${name}="${xml(value)}"`).join("");
    this.out.push(content === undefined ? `<${tag}${text}/>` : `<${tag}${text}>${content}</${tag}>`);
  }

  outline(attributes) {
    if (this.shapes.length === 1 && this.path.length === 1) {
      const {left, top, width, height, r} = this.shapes[0];
      this.add("rect", {x: short(left), y: short(top), width: short(width), height: short(height), rx: r ? short(r) : "", ...attributes});
    } else if (this.path.length) {
      this.add("path", {d: this.path.join(""), ...attributes});
    }
  }

  paintOf(name, style) {
    const [colour, alpha] = plainColour(style), opacity = alpha * this.state.globalAlpha;
    return {[name]: colour, [`${name}-opacity`]: opacity < 1 ? short(opacity) : ""};
  }

  fill() { this.outline(this.paintOf("fill", this.state.fillStyle)); }

  stroke() {
    const {lineWidth, lineJoin, dash, strokeStyle} = this.state, {size} = this;
    this.outline({
      fill: "none", ...this.paintOf("stroke", strokeStyle), "stroke-width": short(lineWidth * size),
      "stroke-linejoin": lineJoin === "miter" ? "" : lineJoin, "stroke-dasharray": dash.map((length) => short(length * size)).join(" "),
    });
  }

  setLineDash(dash) { this.state.dash = dash; }
  fillRect(x, y, width, height) { this.beginPath(); this.rect(x, y, width, height); this.fill(); }
  strokeRect(x, y, width, height) { this.beginPath(); this.rect(x, y, width, height); this.stroke(); }

  // A clip within a clip is the inner one alone: our insets lie within what they are in.
  clip() {
    this.state.clip = `clip${this.clips.length}`;
    this.clips.push(`<clipPath id="${this.state.clip}"><path d="${this.path.join("")}"/></clipPath>`);
  }

  measureText(text) { this.measure.font = this.state.font; return this.measure.measureText(text); }

  fillText(text, x, y) {
    const {font, letterSpacing, textAlign, textBaseline, fillStyle} = this.state;
    const {fontBoundingBoxAscent: up, fontBoundingBoxDescent: down, width} = this.measureText(text);
    const [left, base] = this.point(x, y + ({middle: (up - down) / 2, top: up}[textBaseline] ?? 0));
    const {style, weight, size, family} = fontParts(font);
    this.add("text", {
      x: short(left), y: short(base), "font-family": family, "font-size": short(size * this.size), "font-weight": weight === "400" ? "" : weight,
      "font-style": style === "normal" ? "" : style, "letter-spacing": parseFloat(letterSpacing) ? short(parseFloat(letterSpacing) * this.size) : "",
      textLength: short(width * this.size), lengthAdjust: "spacingAndGlyphs", // another reader has other fonts
      "text-anchor": {center: "middle", right: "end"}[textAlign] || "", ...this.paintOf("fill", fillStyle),
    }, xml(text));
  }

  // A canvas, or the part of it at (sx, sy), as an image of its own pixels.
  drawImage(source, ...place) {
    const [sx, sy, sw, sh, x, y, width, height] = place.length === 8 ? place : [0, 0, source.naturalWidth || source.width, source.naturalHeight || source.height, ...place];
    const part = element("canvas", {width: sw, height: sh});
    part.getContext("2d").drawImage(source, sx, sy, sw, sh, 0, 0, sw, sh);
    const [left, top] = this.point(x, y), {size} = this, sharp = !this.state.imageSmoothingEnabled;
    this.add("image", {
      x: short(left), y: short(top), width: short(width * size), height: short(height * size), preserveAspectRatio: "none",
      opacity: this.state.globalAlpha < 1 ? short(this.state.globalAlpha) : "", style: sharp ? "image-rendering: pixelated" : "",
      "image-rendering": sharp ? "optimizeSpeed" : "", "xlink:href": part.toDataURL(),
    });
  }

  toString() {
    const {width, height, clips} = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${short(width)}" height="${short(height)}" ` +
      `viewBox="0 0 ${short(width)} ${short(height)}" role="img">\n<title>${xml(this.title)}</title>\n<desc>${xml(this.description)}</desc>\n` +
      `${clips.length ? `<defs>${clips.join("")}</defs>\n` : ""}${this.out.join("\n")}\n</svg>\n`;
  }
}

// A CSS font such as "italic 650 14.2px Inter, sans-serif", as the browser writes it, in parts.
function fontParts(font) {
  const [, before, size, family] = /^(.*?)([\d.]+)px(?:\/\S+)? (.*)$/.exec(font);
  const weight = /\d{3}|bold/.exec(before)?.[0] || "400";
  return {style: before.includes("italic") ? "italic" : "normal", weight, size: Number(size), family: family.replaceAll('"', "'")};
}
