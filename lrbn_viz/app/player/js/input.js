// Pixels of an image file as the data set has them: fitted into rows x columns, 1 where there is ink. Ink is what
// differs from the paper, and the paper is what most of the border shows, dark or light. Null if all is one tone.
async function bitsOfFile(file, rows, columns) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(columns / picture.width, rows / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale)), height = Math.max(1, Math.round(picture.height * scale));
  const context = element("canvas", {width, height}).getContext("2d", {willReadFrequently: true});
  context.fillStyle = "#fff"; // behind what is transparent
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  const {data} = context.getImageData(0, 0, width, height);
  const tone = Float64Array.from({length: width * height}, (_, i) => 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]);
  const low = Math.min(...tone), high = Math.max(...tone), middle = (low + high) / 2;
  if (high - low < 16) return null;
  const border = Array.from(tone).filter((_, i) => i < width || i >= tone.length - width || i % width === 0 || i % width === width - 1);
  const onLight = 2 * border.filter((value) => value > middle).length > border.length;
  const bits = new Uint8Array(rows * columns), top = (rows - height) >> 1, left = (columns - width) >> 1;
  tone.forEach((value, i) => { bits[(top + Math.floor(i / width)) * columns + left + i % width] = (value > middle) !== onLight ? 1 : 0; });
  return bits;
}

// The input card: the image, the way to other images, and tools that change it; inference follows every stroke.

const TOOLS = {
  draw: ["Draw", "M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19zM15 5.500l3.500 3.500"],
  erase: ["Erase", "M9 19h11v1.500H7.500L3 16l9.500-10.500L19 12l-6.500 7zM6 15.700l3.700 3.800"],
  occlude: ["Cover a rectangle: drag over the image", "M4 6h16v12H4z"],
};
const ACTIONS = {
  noise: ["Flip one pixel in twenty", "M4 4h3v3H4zM11 6h3v3h-3zM17 3h3v3h-3zM6 11h3v3H6zM14 12h3v3h-3zM4 17h3v3H4zM10 18h3v3h-3zM18 17h3v3h-3z"],
  invert: ["Invert", "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 5v14a7 7 0 1 1 0-14z"],
  upload: ["Open an image file", "M5 19h14v2H5zM11 16h2V8l3 3 1.400-1.400L12 4.200 6.600 9.600 8 11l3-3z"],
  clear: ["Start from an empty image", "M5 5h14v14H5zM7 7v10h10V7z"],
  reset: ["Back to the data set's image", "M5 4v5h5L8 7a6 6 0 1 1-1.800 6.500l-2 .6A8 8 0 1 0 6.600 5.600z"],
};

class InputCard {
  constructor(player) {
    this.player = player;
    const {callbacks} = player;
    this.canvas = element("canvas", {class: "lv-pixels", role: "img", "aria-label": "input image"});
    this.caption = element("p", {class: "lv-caption"});
    const choose = (name, label, way, keys) => iconButton(name, label, keys, () => callbacks.image(way));
    const key = element("div", {class: "lv-key lv-key-input"}, ...[["plus", "ink too much"], ["minus", "ink missing"], ["now", "unit just visited"]]
      .map(([name, text]) => element("span", {style: `--lv-swatch: var(--lv-${name})`}, text)));
    this.tools = callbacks.draw ? element("div", {class: "lv-row lv-tools", role: "group", "aria-label": "Change the image", "data-part": "draw"}) : null;
    this.node = element("section", {class: "lv-card lv-input", "aria-label": "Input image"},
      element("div", {class: "lv-pixels-box"},
        element("div", {class: "lv-label"}, element("span", {}, "Input ", element("i", {}, "x"))), this.canvas),
      element("div", {class: "lv-input-side"}, this.caption,
        callbacks.image ? element("div", {class: "lv-row", "data-part": "images"},
          choose("previousImage", "Previous image", "previous", "P"), choose("shuffle", "Random image", "random", "R"),
          choose("nextImage", "Next image", "next", "N")) : null,
        this.tools, key));
    if (this.tools) this.makeTools();
  }

  makeTools() {
    const button = (name, [label, path], onclick) => {
      ICONS[name] ||= path;
      const node = iconButton(name, label, "", onclick);
      this.tools.append(node);
      return node;
    };
    this.toolButtons = Object.entries(TOOLS).map(([name, entry]) => {
      const node = button(name, entry, () => this.hold(this.tool === name ? null : name));
      node.setAttribute("aria-pressed", "false");
      return [name, node];
    });
    for (const [name, entry] of Object.entries(ACTIONS)) button(name, entry, () => this.act(name));
    this.file = element("input", {type: "file", accept: "image/*", hidden: true, onchange: () => this.open(this.file.files[0])});
    this.complaint = element("p", {class: "lv-complaint", role: "alert"});
    this.tools.after(this.file, this.complaint);
    const {canvas, player} = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.bits || !player.shows("draw")) return;
      if (!this.tool) this.hold("draw");
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      this.before = this.bits.slice();
      this.from = this.point(event);
      this.stroke(this.from, this.from);
    });
    // where the browser tells of moves as they come, and not once a frame, the answer comes a frame sooner
    canvas.addEventListener("onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove", (event) => {
      if (!this.from) return;
      for (const part of event.getCoalescedEvents?.() || [event]) {
        const to = this.point(part);
        this.stroke(this.from, to);
        if (this.tool !== "occlude") this.from = to;
      }
    });
    const up = () => { this.from = null; };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  }

  hold(tool) {
    this.tool = tool;
    for (const [name, node] of this.toolButtons) node.setAttribute("aria-pressed", String(name === tool));
    this.canvas.style.cursor = tool ? "crosshair" : "";
    this.canvas.style.touchAction = tool ? "none" : "";
  }

  letGo() { if (this.tools) this.hold(null); }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * this.columns, (event.clientY - box.top) / box.height * this.rows];
  }

  stroke([x0, y0], [x1, y1]) {
    const {bits, rows, columns} = this, before = bits.slice();
    if (this.tool === "occlude") {
      const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)], [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
      bits.set(this.before);
      for (let r = Math.floor(top); r < bottom; r++) for (let c = Math.floor(left); c < right; c++) {
        if (r >= 0 && r < rows && c >= 0 && c < columns) bits[r * columns + c] = 0;
      }
    } else {
      const radius = Math.max(0.75, columns / 22), ink = this.tool === "erase" ? 0 : 1;
      const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) || 1;
      for (let n = 0; n <= steps; n++) {
        const x = x0 + (x1 - x0) * n / steps, y = y0 + (y1 - y0) * n / steps;
        for (let r = Math.floor(y - radius); r <= y + radius; r++) for (let c = Math.floor(x - radius); c <= x + radius; c++) {
          const inside = Math.hypot(c + 0.5 - x, r + 0.5 - y) <= radius;
          if (inside && r >= 0 && r < rows && c >= 0 && c < columns) bits[r * columns + c] = ink;
        }
      }
    }
    if (bits.some((bit, i) => bit !== before[i])) this.changed(); // else there is nothing to paint, nor to say
  }

  act(name) {
    if (!this.bits) return;
    this.complaint.textContent = "";
    if (name === "upload") return this.file.click();
    if (name === "reset") { this.sending = false; this.waiting = false; return this.player.callbacks.draw(""); }
    for (let i = 0; i < this.bits.length; i++) {
      if (name === "invert" || (name === "noise" && Math.random() < 0.05)) this.bits[i] = 1 - this.bits[i];
      if (name === "clear") this.bits[i] = 0;
    }
    this.changed();
  }

  async open(file) {
    if (!file) return;
    this.file.value = ""; // so that the same file can be chosen again
    let bits = null, complaint = "";
    try {
      bits = await bitsOfFile(file, this.rows, this.columns);
      if (!bits) complaint = `${file.name} shows one even tone. Choose an image with ink on paper.`;
    } catch {
      complaint = `${file.name} is no image that the browser can read. Choose a PNG or JPEG file.`;
    }
    this.complaint.textContent = complaint;
    if (!bits || !this.bits) return;
    this.bits = bits;
    this.changed();
  }

  // Show the stroke now; send the newest image as soon as the answer to the one before is here.
  changed() {
    this.paintBits();
    this.ask();
  }

  ask() {
    if (this.sending) { this.waiting = true; return; }
    if (this.bits.every((bit, i) => bit === this.lane.x[i])) return; // shown already: no answer would come
    this.sending = true;
    this.player.callbacks.draw(this.text());
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.answered(), 1000); // an answer that never comes must not stop the pen
  }

  answered() {
    clearTimeout(this.timeout);
    this.sending = false;
    if (this.waiting) { this.waiting = false; this.ask(); }
  }

  // The image as base64 for addresses: eight pixels a byte, first pixel the highest bit.
  text() {
    const bytes = new Uint8Array(Math.ceil(this.bits.length / 8));
    this.bits.forEach((bit, i) => { bytes[i >> 3] |= bit << (7 - (i & 7)); });
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  load(lane, meta) {
    const {rows, columns, visible} = lane.model;
    Object.assign(this, {rows, columns, lane});
    this.view = new PixelView(this.canvas, rows, columns);
    if (this.tools) this.tools.hidden = visible !== "bernoulli";
    this.answered();
    if (!this.sending && !this.from) this.bits = visible === "bernoulli" ? Uint8Array.from(lane.x) : null;
    setRich(this.caption, [bold(meta.title || ""), meta.caption ? ` ${meta.caption}` : ""]);
    setAttribute(this.canvas, "aria-label", `Input image ${meta.title || ""} ${meta.caption || ""}`);
    this.stale = true;
  }

  paintBits() {
    const {ink} = this.player.colours.tables;
    this.view.paint((i) => ink[this.bits[i] ? 255 : 0]);
  }

  paint(tables) {
    if (this.stale) {
      if (this.bits) this.paintBits();
      else paintInput(this.view, this.lane, tables);
    }
    this.stale = false;
  }
}
