// Every unit's filter as a small picture: those that are on stand out. Redrawn when the cursor rests.

class MosaicCard {
  constructor(player) {
    this.player = player;
    this.pictures = element("div", {class: "lv-mosaics"});
    this.meaning = element("p", {class: "lv-caption lv-meaning"});
    this.node = element("section", {class: "lv-card lv-mosaic", "aria-label": "Filters"},
      element("header", {}, element("h2", {}, "Filters ", element("small", {}, "what each unit draws: orange adds ink, blue takes it away")), orderMenu(player, "Order of the filters")),
      this.pictures, this.meaning);
  }

  load(lanes) {
    this.lanes = lanes;
    if (this.views?.length !== lanes.length) this.makeViews();
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
  }

  makeViews() {
    this.views = this.lanes.map((_, index) => {
      const canvas = element("canvas", {role: "img", "aria-label": "filters of all units"}), box = element("div", {class: "lv-fill"}, canvas);
      const view = {canvas, title: element("span"), value: element("b"), atlas: null};
      const at = (event) => latentAt(canvas, this.lanes[index], event.offsetX, event.offsetY);
      canvas.addEventListener("click", (event) => { const j = at(event); if (j >= 0) this.player.select(index, j); });
      canvas.addEventListener("pointermove", (event) => {
        const j = at(event);
        this.player.tip(j < 0 ? null : this.player.cards[index].describe(j), event);
      });
      canvas.addEventListener("pointerleave", () => this.player.tip(null));
      view.node = element("figure", {}, element("div", {class: "lv-label"}, view.title, view.value), box);
      return view;
    });
    this.pictures.replaceChildren(...this.views.map((view) => view.node));
  }

  // All filters of a model side by side, drawn once per model and theme
  atlas(lane, table) {
    const {rows, columns, n_h, n_v, filters: W} = lane.model;
    const canvas = element("canvas", {width: columns * n_h, height: rows});
    const context = canvas.getContext("2d"), image = context.createImageData(columns * n_h, rows);
    const pixels = new Uint32Array(image.data.buffer);
    for (let j = 0; j < n_h; j++) {
      const at = j * n_v, top = largest(W, at, at + n_v);
      for (let i = 0; i < n_v; i++) {
        const r = Math.floor(i / columns), c = i % columns;
        pixels[r * columns * n_h + j * columns + c] = table[255 + Math.round(255 * W[at + i] / top)];
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  rest(colours) {
    if (!this.lanes) return;
    this.colours = colours;
    this.lanes.forEach((lane, index) => {
      const view = this.views[index], {canvas} = view;
      if (view.of !== colours || view.model !== lane.model) {
        Object.assign(view, {atlas: this.atlas(lane, colours.tables.signed), of: colours, model: lane.model});
      }
      fitCanvas(canvas);
      canvas.vector = (context) => this.draw(context, lane, index);
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
      canvas.vector(canvas.getContext("2d"));
      const on = lane.h.reduce((sum, bit) => sum + bit, 0);
      view.value.textContent = `${on} on`;
      canvas.setAttribute("aria-label", `${lane.meta.title}: filters of ${lane.n_h} units, ${on} on`);
    });
    this.meaning.textContent = this.player.orderInWords();
  }

  draw(context, lane, index) {
    const {canvas, atlas} = this.views[index], {palette} = this.colours, {rows, columns} = lane.model, {selected} = this.player;
    const {columns: across, size} = gridShape(lane.n_h, canvas.width, canvas.height), gap = Math.max(1.5, size * 0.1), side = size - 2 * gap;
    context.imageSmoothingEnabled = side < columns; // shrinking needs it, growing must stay sharp
    lane.order.forEach((j, at) => {
      const x = (at % across) * size + gap, y = Math.floor(at / across) * size + gap, on = lane.h[j] === 1;
      const chosen = selected.lane === index && selected.unit === j;
      if (on || chosen) {
        context.strokeStyle = chosen ? palette.now : palette.lanes[index % 2];
        context.lineWidth = gap * 0.8;
        context.strokeRect(x - gap * 0.4, y - gap * 0.4, side + gap * 0.8, side + gap * 0.8);
      }
      context.globalAlpha = on ? 1 : 0.45;
      context.drawImage(atlas, j * columns, 0, columns, rows, x, y, side, side * rows / columns);
      context.globalAlpha = 1;
    });
  }
}
