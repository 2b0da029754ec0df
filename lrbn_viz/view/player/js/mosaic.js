// Every unit's filter as a small picture: those that are on stand out. Redrawn when the cursor rests.

import {card, element, penOf, setText} from "./dom.js";
import {filterColours, filterShape, fitCanvas, gridShape, latentAt, nameUnits, repaint} from "./draw.js";
import {legend} from "./legend.js";
import {orderMenu} from "./order_menu.js";
import {registerView} from "./registry.js";

class MosaicCard {
  pictures = element("div", {class: "lv-mosaics"});
  does = element("small");
  meaning = element("p", {class: "lv-caption lv-meaning"});
  /** @type {Lane[]} */ lanes = [];
  /** @type {ReturnType<MosaicCard["makeView"]>[]} */ views = [];

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.node = card(
      {class: "lv-mosaic", "aria-label": "Filters"},
      ["Filters ", this.does],
      [orderMenu(player, "Order of the filters")],
      this.pictures,
      legend([
        ["square", "plus", "more"],
        ["square", "minus", "less"],
        ["ring", "lane0 lane1", "on; faint: off"],
        ["ring", "now", "selected"],
      ]),
      this.meaning,
    );
  }

  /** @param {Lane[]} lanes */
  load(lanes) {
    this.lanes = lanes;
    setText(
      this.does,
      `${lanes[0].variables ? "what each unit makes likelier or less likely" : "what each unit draws: more ink or less"}, each on a scale of its own`,
    );
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
  }

  /** @param {number} index */
  makeView(index) {
    const canvas = element("canvas", {role: "img", "aria-label": "filters of all units"}),
      title = element("span"),
      value = element("b");
    canvas.addEventListener("click", (event) => {
      const j = latentAt(canvas, this.lanes[index], event);
      if (j >= 0) this.player.select(index, j);
    });
    canvas.addEventListener("pointermove", (event) => {
      const j = latentAt(canvas, this.lanes[index], event);
      this.player.tip(j < 0 ? null : this.player.cards[index].describe(j), event);
    });
    canvas.addEventListener("pointerleave", () => this.player.tip(null));
    const node = element(
      "figure",
      {},
      element("div", {class: "lv-label"}, title, value),
      element("div", {class: "lv-fill"}, canvas),
    );
    /** @type {{atlas: HTMLCanvasElement, of: Colours, model: Model} | undefined} */
    let drawn;
    return {canvas, title, value, node, drawn};
  }

  // All filters of a model side by side, drawn once per model and theme
  /** @param {Lane} lane @param {Uint32Array} table */
  atlas(lane, table) {
    const {model} = lane,
      {n_h} = model,
      {rows, columns} = filterShape(model);
    const canvas = element("canvas", {width: columns * n_h, height: rows});
    const context = penOf(canvas),
      image = context.createImageData(columns * n_h, rows);
    const pixels = new Uint32Array(image.data.buffer);
    for (let j = 0; j < n_h; j++) {
      const colour = filterColours(model, j, table);
      for (let r = 0, p = 0; r < rows; r++)
        for (let c = 0; c < columns; c++, p++) pixels[r * columns * n_h + j * columns + c] = colour(p);
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** @param {Colours} colours */
  rest(colours) {
    this.lanes.forEach((lane, index) => {
      const view = this.views[index],
        {canvas} = view;
      if (view.drawn?.of !== colours || view.drawn.model !== lane.model)
        view.drawn = {atlas: this.atlas(lane, colours.tables.signed), of: colours, model: lane.model};
      const {atlas} = view.drawn;
      fitCanvas(canvas);
      repaint(canvas, (canvas.vector = (context) => this.draw(context, lane, index, atlas, colours.palette)));
      const on = Number(
        Array.from(lane.h)
          .reduce((sum, value) => sum + value, 0)
          .toFixed(1),
      );
      view.value.textContent = `${on} on`;
      canvas.setAttribute("aria-label", `${lane.meta.title}: filters of ${lane.n_h} units, ${on} on`);
    });
    this.meaning.textContent = this.player.orderInWords();
  }

  /** @param {Pen} context @param {Lane} lane @param {number} index @param {HTMLCanvasElement} atlas @param {Palette} palette */
  draw(context, lane, index, atlas, palette) {
    const {canvas} = this.views[index],
      {rows, columns} = filterShape(lane.model),
      {selected} = this.player;
    const {columns: across, size} = gridShape(lane.n_h, canvas.width, canvas.height),
      gap = Math.max(1.5, size * 0.1),
      side = size - 2 * gap;
    context.imageSmoothingEnabled = side < columns; // smooth when reduced, sharp when enlarged
    lane.order.forEach((j, at) => {
      const x = (at % across) * size + gap,
        y = Math.floor(at / across) * size + gap,
        on = lane.h[j] > 0.5;
      const chosen = selected.lane === index && selected.unit === j;
      if (on || chosen) {
        context.strokeStyle = chosen ? palette.now : palette.lanes[index % 2];
        context.lineWidth = gap * 0.8;
        context.strokeRect(x - gap * 0.4, y - gap * 0.4, side + gap * 0.8, side + gap * 0.8);
      }
      context.globalAlpha = on ? 1 : 0.45;
      context.drawImage(atlas, j * columns, 0, columns, rows, x, y, side, (side * rows) / columns);
      context.globalAlpha = 1;
    });
    // pictures of bars leave room for a name below
    if (lane.variables)
      nameUnits(
        context,
        lane.model.names,
        palette,
        size,
        across,
        lane.n_h,
        (place) => lane.order[place],
        () => false,
      );
  }
}

registerView("mosaic", (player) => new MosaicCard(player));
