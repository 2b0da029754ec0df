// One lane of the training board: what its model looks like now, or did at a past moment.

class TrainLane {
  constructor(board, index, meta, arrays) {
    Object.assign(this, {board, index, meta, title: meta.title, n_h: meta.n_h, step: meta.step, seconds: meta.seconds, rate: 0, history: meta.history});
    this.rings = new Map();
    for (const name of board.meta.figures) {
      const ring = new Ring(), points = arrays[`${index}.${name}`];
      if (points) ring.fill(points);
      this.rings.set(name, ring);
    }
    this.pictures = {};
    for (const name of ["original", "reconstructions", "samples", "usage"]) this.pictures[name] = arrays[`${index}.${name}`].slice();
    this.filters = arrays[`${index}.filters`].slice();
    this.fine = false;
    this.stale = {strips: true, filters: true, usage: true};
    this.touched = new Set();
    this.build();
  }

  build() {
    const canvas = (label) => element("canvas", {role: "img", "aria-label": label, class: "lv-pixels"});
    const {binary} = this.board.meta;
    this.strips = {original: canvas("eight held-out images"), reconstructions: canvas("their reconstructions"), residual: canvas("the errors"), samples: canvas("eight samples of the model")};
    const row = (name, text) => [element("span", {}, text), this.strips[name]];
    this.mosaic = element("canvas", {role: "img"});
    this.usage = element("canvas", {role: "img"});
    this.numbers = element("div", {class: "lt-numbers"});
    this.error = element("p", {class: "lv-complaint"});
    const settings = Object.entries(this.meta.settings).map(([name, value]) => `${name.replace("n_components", "n_h")} ${value}`).join(", ");
    this.dead = element("b");
    this.node = element("section", {class: "lv-card lv-lane lt-lane", "data-lane": this.index % 2, "aria-label": this.title},
      element("header", {}, element("h2", {title: settings}, element("span", {}, this.title), element("small", {}, `${this.n_h} units`)), this.numbers),
      this.error,
      element("div", {class: "lt-views"},
        element("div", {class: "lt-strips"}, ...row("original", "held out"), ...row("reconstructions", binary ? "P(x = 1)" : "mean"), ...row("residual", binary ? "error" : "residual"), ...row("samples", "samples")),
        element("figure", {class: "lt-mosaic"}, element("div", {class: "lv-label"}, element("span", {}, "Filters"), element("span", {}, "orange adds ink, blue takes it away")), element("div", {class: "lv-fill"}, this.mosaic)),
        element("figure", {class: "lt-usage"}, element("div", {class: "lv-label"}, element("span", {}, "Use of each unit, sorted"), this.dead), element("div", {class: "lv-fill"}, this.usage))));
    if (!binary) this.node.querySelector(".lt-strips").append(element("span"), this.legend = element("div", {class: "lt-legend"}));
    const describe = (event) => {
      const at = this.unitAt(event);
      this.board.tip(at < 0 ? null : `unit ${at}: on for ${brief(100 * this.pictures.usage[at] / 255)} % of held-out images`, event);
    };
    this.mosaic.addEventListener("pointermove", describe);
    this.mosaic.addEventListener("pointerleave", () => this.board.tip(null));
  }

  unitAt(event) {
    const {mosaic} = this, ratio = mosaic.width / mosaic.clientWidth, {columns, size} = gridShape(this.n_h, mosaic.width, mosaic.height);
    const column = Math.floor(event.offsetX * ratio / size), j = Math.floor(event.offsetY * ratio / size) * columns + column;
    return column < columns && j < this.n_h ? j : -1;
  }

  // Steps -> passes or seconds
  along(step) {
    if (this.board.axis === "seconds") return step <= 0 ? 0 : step >= this.step ? this.seconds : this.rings.get("seconds").at(step);
    return step / this.meta.per_pass;
  }

  take(frame) {
    Object.assign(this, {step: frame.step, seconds: frame.seconds, rate: frame.rate, history: frame.history});
    const {figures} = this.board.meta;
    for (const [key, value] of frame.values) this.rings.get(figures[key]).add(frame.step, value);
    if (frame.values.length) this.rings.get("seconds").add(frame.step, frame.seconds);
  }

  piece({kind, index, content}) {
    if (kind === "filter") {
      if (this.fine) this.coarsen();
      this.filters.set(new Int8Array(content.buffer, content.byteOffset, content.length), index * content.length);
      this.stale.filters = true;
      this.touched.add(index);
    } else if (kind === "usage") {
      this.pictures.usage.set(content, index);
      this.stale.usage = true;
    } else {
      this.pictures[`${kind}s`].set(content, index);
      this.stale.strips = true;
    }
  }

  // What was shown in full is shown small again, until the new ones arrive.
  coarsen() {
    const [rows, columns] = this.board.meta.image_shape, [r, c] = this.board.meta.coarse_shape;
    const small = new Int8Array(this.n_h * r * c);
    for (let j = 0; j < this.n_h; j++) {
      for (let i = 0; i < r * c; i++) {
        const y = Math.min(rows - 1, Math.floor((Math.floor(i / c) + 0.5) * rows / r)), x = Math.min(columns - 1, Math.floor((i % c + 0.5) * columns / c));
        small[j * r * c + i] = this.filters[j * rows * columns + y * columns + x];
      }
    }
    Object.assign(this, {filters: small, fine: false, atlas: null});
  }

  show(arrays, fine) {
    for (const name of ["reconstructions", "samples", "usage"]) if (arrays[`${this.index}.${name}`]) this.pictures[name] = arrays[`${this.index}.${name}`].slice();
    Object.assign(this, {filters: arrays[`${this.index}.filters`].slice(), fine, atlas: null, stale: {strips: true, filters: true, usage: true}});
    this.touched.clear();
  }

  paint(colours) {
    if (this.of !== colours) Object.assign(this, {of: colours, atlas: null, stale: {strips: true, filters: true, usage: true}});
    const grew = [fitCanvas(this.mosaic), fitCanvas(this.usage)];
    if (this.stale.strips) this.paintStrips(colours.tables);
    if (this.stale.filters || grew[0]) this.paintMosaic(colours);
    if (this.stale.usage || grew[1]) this.paintUsage(colours.palette);
    this.stale = {};
    this.words();
  }

  paintStrips(tables) {
    const {meta} = this.board, [rows, columns] = meta.image_shape, n_v = rows * columns, gap = Math.max(1, Math.round(columns / 10));
    const n = this.pictures.original.length / n_v, [low, high] = meta.tones;
    const tone = Uint32Array.from({length: 256}, (_, i) => tables.ink[byte(low + (high - low) * i / 255)]);
    const {original, reconstructions} = this.pictures;
    const residual = (at) => { // mean - x, in intensities
      const x = original[at], difference = (reconstructions[at] - x) / 255 * (high - low);
      if (meta.binary) return tables.error[x > 127 ? 1 : 0][255 + Math.round(255 * difference)];
      return tables.signed[255 + Math.round(255 * Math.max(-1, Math.min(1, 2 * difference)))];
    };
    const colour = {original: (at) => tone[original[at]], reconstructions: (at) => tone[reconstructions[at]], residual, samples: (at) => tone[this.pictures.samples[at]]};
    for (const [name, canvas] of Object.entries(this.strips)) {
      const width = n * (columns + gap) - gap;
      if (canvas.width !== width || canvas.height !== rows) { canvas.width = width; canvas.height = rows; }
      const context = canvas.getContext("2d"), image = context.createImageData(width, rows), pixels = new Uint32Array(image.data.buffer);
      for (let at = 0; at < n * n_v; at++) {
        const m = Math.floor(at / n_v), i = at % n_v;
        pixels[Math.floor(i / columns) * width + m * (columns + gap) + i % columns] = colour[name](at);
      }
      context.putImageData(image, 0, 0);
    }
    if (this.legend && !this.legend.childElementCount) this.legend.replaceChildren("residual \u22120.5", element("i"), "+0.5 of full ink");
  }

  // All filters side by side in one picture, of which only those that changed are drawn anew.
  paintMosaic({palette, tables}) {
    const [rows, columns] = this.fine ? this.board.meta.image_shape : this.board.meta.coarse_shape, n_v = rows * columns;
    if (!this.atlas) {
      this.atlas = element("canvas", {width: columns * this.n_h, height: rows});
      this.touched = new Set(Array.from({length: this.n_h}, (_, j) => j));
    }
    const atlas = this.atlas.getContext("2d"), image = atlas.createImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
    for (const j of this.touched) {
      for (let i = 0; i < n_v; i++) pixels[i] = tables.signed[255 + 2 * this.filters[j * n_v + i]];
      atlas.putImageData(image, j * columns, 0);
    }
    this.touched.clear();
    const {mosaic} = this, context = mosaic.getContext("2d"), {columns: across, size} = gridShape(this.n_h, mosaic.width, mosaic.height);
    const gap = Math.max(1, size * 0.06), side = size - 2 * gap, ratio = rows / columns;
    context.clearRect(0, 0, mosaic.width, mosaic.height);
    context.imageSmoothingEnabled = side < columns;
    for (let j = 0; j < this.n_h; j++) {
      const dead = this.pictures.usage[j] === 0;
      context.globalAlpha = dead ? 0.4 : 1;
      const high = ratio > 1 ? side : side * ratio, wide = ratio > 1 ? side / ratio : side;
      context.drawImage(this.atlas, j * columns, 0, columns, rows, (j % across) * size + gap, Math.floor(j / across) * size + gap, wide, high);
    }
    context.globalAlpha = 1;
    mosaic.setAttribute("aria-label", `${this.title}: filters of ${this.n_h} units; faint ones are on for no held-out image`);
    this.palette = palette;
  }

  paintUsage(palette) {
    const {usage} = this, context = usage.getContext("2d"), {width, height} = usage, sorted = Array.from(this.pictures.usage).sort((a, b) => b - a);
    const wide = width / sorted.length, dead = sorted.filter((value) => value === 0).length;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    context.fillStyle = palette.lanes[this.index % 2];
    sorted.forEach((value, j) => context.fillRect(j * wide, height - Math.max(value ? 1 : 0, value / 255 * height), Math.max(1, wide - (wide > 4 ? 1 : 0)), height));
    if (dead) { context.fillStyle = palette.bad; context.fillRect(width - dead * wide, height - 3 * (window.devicePixelRatio || 1), dead * wide, height); }
    this.dead.textContent = dead ? `${dead} dead` : "none dead";
    usage.setAttribute("aria-label", `${this.title}: use of the units, from ${brief(100 * sorted[0] / 255)} % down to ${brief(100 * sorted.at(-1) / 255)} % of held-out images, ${dead} dead`);
  }

  figure(name) {
    const ring = this.rings.get(name), {board} = this;
    return board.cursor < 0 ? ring.last : board.pastFigures?.[this.index]?.[name.replace("probe_", "")] ?? ring.at(board.cursor);
  }

  words() {
    const wrong = this.figure("probe_wrong_pixels"), dead = this.figure("probe_dead_units"), unit = this.board.meta.binary ? "px wrong" : "sq. error";
    const parts = [];
    if (Number.isFinite(wrong)) parts.push(element("span", {}, element("b", {}, brief(wrong)), ` ${unit}`));
    if (Number.isFinite(dead)) parts.push(element("span", {}, element("b", {}, String(Math.round(dead))), " dead"));
    if (this.rate > 0) parts.push(element("span", {}, element("b", {}, Math.round(this.rate).toLocaleString("en")), " images/s"));
    const text = parts.map((part) => part.textContent).join("\n");
    if (text !== this.said) this.numbers.replaceChildren(...parts);
    this.said = text;
    setText(this.error, this.meta.error);
  }
}
