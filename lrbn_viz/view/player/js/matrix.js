// The explain-away matrices of the lanes at the resting cursor, side by side, and the pair under the pointer.

import {card, element, setAttribute, setText} from "./dom.js";
import {filterPicture, largest, PixelView} from "./draw.js";
import {many, number, signed, signedColour} from "./format.js";
import {chainOrder, COMPETE, Interactions} from "./interactions.js";
import {byNumber} from "./orders.js";
import {registerView} from "./registry.js";
import {VariableBars} from "./variables.js";

// At first the units that interact most are adjacent, so that competitors and allies form blocks.
/** @type {Record<string, string>} */
const ORDERS = {
  on: "units that are on, by interaction",
  chain: "all units, by interaction",
  number: "units that are on, by number",
  index: "all units, by number",
};
const POWER = 0.6; // exponent of a value's share of the largest one, which makes the many weak values visible
const SCALE = [-1, -0.5, 0, 0.5, 1]; // of full colour

const MOST_NAMED = 20; // units whose names have room along the axes

class MatrixCard {
  pointed = false;
  ms = 0;
  pictures = element("div", {class: "lv-matrices"});
  detail = element("div", {class: "lv-pair"});
  rounded = element("span");
  scale = element("canvas", {width: 101, height: 1, "aria-hidden": "true"});
  ticks = SCALE.map(() => element("span"));
  /** @type {Lane[]} */ lanes = [];
  /** @type {Float32Array[] | null} */ matrices = null;
  /** @type {ReturnType<MatrixCard["makeView"]>[]} */ views = [];
  /** @type {Colours} */ colours;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.order = element(
      "select",
      {"aria-label": "Units shown", "data-part": "order", onchange: () => this.player.rest(this.player.k)},
      ...Object.entries(ORDERS).map(([value, text]) => element("option", {value}, text)),
    );
    this.node = card(
      {class: "lv-matrix", "aria-label": "Explain-away matrix"},
      [
        "Explain-away matrix ",
        element(
          "small",
          {},
          `change of a row unit's log-odds, in nats, when a column unit turns on; below ${signed(-COMPETE, 1)} they compete`,
        ),
      ],
      [this.order],
      element(
        "div",
        {class: "lv-matrix-body"},
        element(
          "div",
          {},
          this.pictures,
          element("div", {class: "lv-scale"}, this.scale, element("div", {}, ...this.ticks)),
          element(
            "p",
            {class: "lv-caption"},
            "Nats, on one scale for all lanes: blue, competitors; orange, allies. The diagonal, a unit with itself, is 0.",
            this.rounded,
          ),
        ),
        this.detail,
      ),
    );
  }

  /** @param {Lane[]} lanes */
  load(lanes) {
    this.lanes = lanes;
    this.matrices = null; // the displayed matrices are of an earlier image until the cursor rests
    if (this.views.length !== lanes.length) {
      this.views = lanes.map((_, index) => this.makeView(index));
      this.pictures.replaceChildren(...this.views.map((view) => view.node));
    }
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
    setText(
      this.rounded,
      lanes.some(({about, independent}) => about && !independent) ? " \u2248: by rounded weights." : "",
    );
  }

  /** @param {number} index */
  makeView(index) {
    const canvas = element("canvas", {
      class: "lv-pixels",
      role: "img",
      "aria-label": "interactions of all pairs of units, known once the cursor rests",
    });
    const title = element("span"),
      value = element("b"),
      order = /** @type {number[]} */ ([]),
      rows = element("ol", {class: "lv-axis", "aria-hidden": "true"}),
      columns = element("ol", {class: "lv-axis", "aria-hidden": "true"}),
      pairs = element("div", {class: "lv-pairs"}, rows, canvas, columns);
    const view = {
      canvas,
      title,
      value,
      order,
      /** @param {string[]} names  of the rows, and of the columns; none where they have no room or no names */
      name: (names) => {
        pairs.toggleAttribute("data-named", names.length > 0);
        for (const axis of [rows, columns])
          axis.replaceChildren(...names.map((text) => element("li", {title: text}, text)));
      },
      node: element("figure", {}, element("div", {class: "lv-label"}, title, value), pairs),
    };
    // Row and column under the pointer; null outside of the matrix, and before it is known.
    /** @param {MouseEvent} event @returns {[number, number] | null} */
    const at = ({offsetX, offsetY}) => {
      const {order} = view,
        size = canvas.clientWidth / Math.max(1, order.length),
        row = Math.floor(offsetY / size),
        column = Math.floor(offsetX / size);
      return this.matrices && row in order && column in order ? [order[row], order[column]] : null;
    };
    canvas.addEventListener("pointermove", (event) => {
      const pair = at(event);
      this.pointed = pair !== null;
      if (pair) this.show(index, ...pair);
    });
    canvas.addEventListener("pointerleave", () => {
      this.pointed = false;
    });
    canvas.addEventListener("click", (event) => {
      const pair = at(event);
      if (pair) this.player.select(index, pair[0]);
    });
    return view;
  }

  paint() {
    setAttribute(this.node, "data-stale", String(this.player.clock.playing || !this.matrices));
  }

  /** @param {Colours} colours */
  *rest(colours) {
    this.colours = colours;
    const begin = performance.now(),
      matrices = /** @type {Float32Array[]} */ ([]);
    for (const lane of this.lanes) {
      lane.interactions ||= new Interactions(lane);
      matrices.push(yield* lane.interactions.matrix());
    }
    this.matrices = matrices;
    this.node.dataset.stale = "false";
    // one scale for all lanes, so that they can be compared
    const top = Math.max(COMPETE, ...matrices.map((matrix) => largest(matrix)));
    this.lanes.forEach((lane, index) => {
      const {n_h} = lane,
        matrix = matrices[index],
        view = this.views[index];
      const {value: asked} = this.order,
        units = byNumber(n_h).filter((j) => asked === "chain" || asked === "index" || lane.h[j] > 0.5);
      view.order = asked === "on" || asked === "chain" ? chainOrder(matrix, n_h, units) : units;
      const {order} = view,
        table = colours.tables.signed,
        m = Math.max(1, order.length);
      view.name(lane.model.names && order.length <= MOST_NAMED ? order.map((j) => lane.unitName(j)) : []);
      new PixelView(view.canvas, m, m).paint((p) => {
        const value = order.length ? matrix[order[Math.floor(p / m)] * n_h + order[p % m]] / top : 0;
        return signedColour(table, Math.sign(value) * Math.abs(value) ** POWER);
      });
      let competing = 0;
      for (const j of order) for (const k of order) if (matrix[j * n_h + k] < -COMPETE) competing++;
      const pairs = (order.length * Math.max(0, order.length - 1)) / 2;
      view.value.textContent = lane.independent
        ? "exactly zero"
        : `${lane.about}${many(competing / 2)} of ${many(pairs)} pairs compete`;
      view.canvas.setAttribute(
        "aria-label",
        `${lane.meta.title}: ${m} by ${m} interactions, ` +
          (lane.independent
            ? "all exactly zero"
            : `strongest ${lane.about}${number(top, 1)} nats, ${lane.about}${many(competing / 2)} of ${many(pairs)} pairs compete: below ${signed(-COMPETE, 1)} nats`),
      );
    });
    this.paintScale(top);
    this.ms = performance.now() - begin;
    if (!this.pointed) this.showStrongest(matrices[0]);
  }

  // From the strongest competitors to the strongest allies, even in colour, with the nats of five of them.
  /** @param {number} top */
  paintScale(top) {
    const {width} = this.scale,
      table = this.colours.tables.signed;
    new PixelView(this.scale, 1, width).paint((p) => signedColour(table, (2 * p) / (width - 1) - 1));
    SCALE.forEach((share, n) =>
      setText(
        this.ticks[n],
        share
          ? `${signed(Math.sign(share) * top * Math.abs(share) ** (1 / POWER), top < 10 ? 2 : 1)} nats`
          : "0",
      ),
    );
  }

  // Without a pointer: the strongest competitors.
  /** @param {Float32Array} matrix */
  showStrongest(matrix) {
    const {n_h} = this.lanes[0],
      {order} = this.views[0];
    let worst = /** @type {[number, number]} */ ([order[0] ?? 0, order[0] ?? 0]);
    for (const j of order)
      for (const k of order) if (matrix[j * n_h + k] < matrix[worst[0] * n_h + worst[1]]) worst = [j, k];
    this.show(0, ...worst);
  }

  // The weights of two units as bars of the variables, on one scale.
  /** @param {Lane} lane @param {[number, number]} units */
  weights(lane, units) {
    const {filters, n_v} = lane.model,
      top = Math.max(...units.map((unit) => largest(filters, unit * n_v, (unit + 1) * n_v))),
      bars = new VariableBars(
        units.map((unit) => ({
          kind: "signed",
          title: `${lane.nameOf(unit)}, ${lane.stateOf(unit)}`,
          help: "weights: right, the variable becomes more probable when the unit is on; left, less",
        })),
      );
    bars.load(lane.variables ?? []);
    for (let i = 0; i < n_v; i++) units.forEach((unit, n) => bars.bar(i, n, filters[unit * n_v + i] / top));
    bars.say((i) =>
      units.map((unit) => `${lane.nameOf(unit)} ${signed(filters[unit * n_v + i])}`).join(", "),
    );
    return bars.node;
  }

  /** @param {number} index @param {number} j @param {number} k */
  show(index, j, k) {
    if (!this.matrices) return;
    const lane = this.lanes[index],
      value = this.matrices[index][j * lane.n_h + k],
      {tables} = this.colours;
    /** @param {number} unit */
    const filter = (unit) => {
      return element(
        "figure",
        {},
        element(
          "div",
          {class: "lv-label"},
          element("span", {}, `${lane.nameOf(unit)}, ${lane.stateOf(unit)}`),
        ),
        filterPicture(lane, unit, tables),
      );
    };
    const words = lane.independent
      ? "Units of this model never interact once the image is known."
      : j === k
        ? "A unit with itself."
        : lane.model.restricted && lane.whole && lane.layerOf(j) === lane.layerOf(k)
          ? "Units of one layer of this model do not depend on each other."
          : lane.layerOf(j) !== lane.layerOf(k)
            ? "Units of two layers: when one is on, the other is more or less probable by so much."
            : lane.summed
              ? "They depend on each other only by way of what is not known, which an undirected model sums out."
              : Math.abs(value) <= COMPETE
                ? `Neither competitors nor allies: less than ${COMPETE} nats.`
                : value < 0
                  ? "Competitors: when one is on, the other has less left to explain."
                  : "Allies: when one is on, the other fits better.";
    this.detail.replaceChildren(
      lane.variables
        ? this.weights(lane, [j, k])
        : element("div", {class: "lv-pair-maps"}, filter(j), filter(k)),
      element(
        "p",
        {class: "lv-pair-value"},
        element("b", {}, j === k ? "" : `${lane.independent ? "" : lane.about}${signed(value)} nats`),
      ),
      element("p", {class: "lv-caption"}, words),
    );
  }
}

registerView("matrix", (player) => new MatrixCard(player));
