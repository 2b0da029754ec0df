// One filter, enlarged, with its stored moments and the usage of the unit. Arrow keys go to the next unit; pressing a
// moment shows it on the whole page.

import {element, iconButton, setText} from "../../player/js/dom.js";
import {PixelMap} from "../../player/js/draw.js";
import {brief, many, number} from "../../player/js/format.js";
import {VariableTable} from "../../player/js/variable_table.js";
import {VariableBars} from "../../player/js/variables.js";
import {useInWords} from "./mosaic.js";

/** @typedef {{kind: "filter", lane: number, unit: number}} FilterMeta */
/** @typedef {{filters: Int8Array, largest: Float32Array, usage: Float32Array, steps: Uint32Array, passes: Float32Array}} FilterArrays */

export class LargeFilter {
  unit = -1;
  asked = "";
  /** @type {import("./learner.js").TrainLane | null} */ lane = null;
  /** @type {PixelMap | null} */ map = null;
  /** @type {{meta: FilterMeta, arrays: FilterArrays} | null} */ past = null;
  title = element("h2");
  words = element("p", {role: "status"});
  now = element("div", {class: "lt-large-now"});
  moments = element("ol", {class: "lt-past"});
  about = element("p");
  // of named variables, instead of pictures
  bars = new VariableBars([{kind: "signed", title: "weight"}]);
  table = new VariableTable("The filter at stored moments, by variable; scrolls");

  /** @param {import("./board.js").TrainBoard} board */
  constructor(board) {
    this.board = board;
    this.node = element(
      "dialog",
      {class: "lv-help lt-large", "aria-label": "Filter", onclose: () => this.closed()},
      element(
        "header",
        {},
        this.title,
        iconButton("back", "Unit before", "\u2190", () => this.move(-1)),
        iconButton("step", "Next unit", "\u2192", () => this.move(1)),
        iconButton("leave", "Close", "Escape", () => this.node.close()),
      ),
      element(
        "div",
        {class: "lt-large-body"},
        element("div", {}, this.now, this.words),
        element("div", {}, element("h3", {}, "At stored moments"), this.about, this.moments, this.table.node),
      ),
    );
    this.node.addEventListener("click", (event) => {
      if (event.target === this.node) this.node.close();
    });
    this.node.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the page ignores keys meanwhile
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      event.preventDefault();
      this.move(by);
    });
  }

  /** @param {import("./learner.js").TrainLane} lane @param {number} unit */
  open(lane, unit) {
    this.lane = lane;
    this.unit = unit;
    this.map = null;
    setText(this.title, `Unit ${unit} of ${lane.title}`);
    this.node.style.setProperty("--lt-lane", `var(--lv-lane${lane.index % 2})`);
    this.ask();
    if (!this.node.open) this.node.showModal();
    this.board.dirty();
  }

  /** @param {number} by */
  move(by) {
    if (this.lane) this.lane.mosaic.open((this.unit + by + this.lane.n_h) % this.lane.n_h);
  }

  closed() {
    this.lane?.mosaic.canvas.focus();
    this.lane = null;
  }

  // Request the past again if there is more of it, after a run has paused.
  ask() {
    const {lane, unit, board} = this;
    if (!lane || !board.meta) return;
    const asked = [board.meta.name, lane.index, unit, board.status, lane.history.join()].join();
    if (asked === this.asked) return;
    this.asked = asked;
    const known = this.past?.meta.lane === lane.index && this.past.meta.unit === unit;
    if (!known) {
      this.moments.replaceChildren();
      this.table.load([], []);
      setText(this.about, "Looking them up \u2026");
    }
    board.say({type: "filter", lane: lane.index, unit});
  }

  /** @param {FilterMeta} meta @param {FilterArrays} arrays */
  take(meta, arrays) {
    if (meta.lane !== this.lane?.index || meta.unit !== this.unit) return;
    const {usage, steps, largest, passes} = arrays;
    this.past = {meta, arrays};
    this.moments.hidden = this.names !== null;
    this.table.node.hidden = this.names === null;
    const use = (/** @type {number} */ n) => useInWords(usage[n], this.names !== null);
    if (this.names) {
      this.maps = [];
      this.table.load(this.names, [
        {
          label: `the filter at ${steps.length} moments`,
          n: steps.length,
          heads: Array.from(passes, (pass) => number(pass, pass < 10 ? 1 : 0)),
          title: "epoch",
          press: {
            say: (n) =>
              `${this.board.unit} ${many(steps[n])}, epoch ${number(passes[n], 2)}, ${use(n)}, largest weight ${brief(largest[n])}; look at this moment`,
            go: (n) => this.board.scrub(steps[n]),
          },
        },
      ]);
      setText(
        this.about,
        "A column for each moment, in shares of its own largest weight. Press one to look at that moment.",
      );
      this.board.dirty();
      return;
    }
    this.maps = Array.from(steps, (step, n) => {
      const [rows, columns] = this.board.meta?.image_shape ?? [1, 1],
        map = new PixelMap(rows, columns, `the filter at ${this.board.unit} ${many(step)}`);
      const button = element(
        "button",
        {
          type: "button",
          class: "lv-tile",
          "data-step": step,
          title: `Minibatch ${many(step)}: ${use(n)}; the largest weight is ${brief(largest[n])}. Press to look at this moment.`,
          "aria-label": `${this.board.unit} ${many(step)}, epoch ${number(passes[n], 2)}, ${use(n)}, largest weight ${brief(largest[n])}; look at this moment`,
          onclick: () => this.board.scrub(step),
        },
        map.canvas,
        element("i", {style: `--lt-use: ${100 * usage[n]}%`}),
        element("b", {}, `epoch ${number(passes[n], 2)}`),
        usage[n] > 0 ? `on ${brief(100 * usage[n])} %` : "never on",
      );
      return {map, button};
    });
    this.moments.replaceChildren(...this.maps.map(({button}) => element("li", {}, button)));
    setText(
      this.about,
      "Each in shares of its own largest weight; the bar says how often the unit was on. Press one to look at that moment.",
    );
    this.board.dirty();
  }

  /** @type {{map: PixelMap, button: HTMLButtonElement}[]} */ maps = [];

  get names() {
    return this.board.meta?.variables ?? null;
  }

  // Of a table: bars of the weights now, and a column of them for each stored moment.
  /** @param {string[]} names @param {Uint32Array} signed */
  paintVariables(names, signed) {
    const {lane, unit, board, past, bars} = this;
    if (!lane) return;
    bars.load(names);
    if (this.now.firstElementChild !== bars.node) this.now.replaceChildren(bars.node);
    names.forEach((_, i) => bars.bar(i, 0, lane.filters[unit * names.length + i] / 127));
    bars.say(
      (i) => `weight ${Math.round((100 * lane.filters[unit * names.length + i]) / 127)} % of the largest`,
    );
    setText(
      this.words,
      `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255, true)}. To the right, a variable becomes more probable when the unit is on; to the left, less.`,
    );
    if (past?.meta.lane !== lane.index || past.meta.unit !== unit || !this.table.views.length) return;
    const {filters, steps} = past.arrays;
    this.table.paint(0, (n, i) => signed[255 + 2 * filters[n * names.length + i]]);
    this.table.node.querySelectorAll("button").forEach((button, n) => {
      button.setAttribute("aria-current", String(board.cursor >= 0 && steps[n] === board.shown));
    });
  }

  /** @param {PixelTables} tables */
  paint({signed}) {
    const {lane, unit, board, past} = this;
    if (!this.node.open || !lane || !board.meta) return;
    if (board.status !== "running" && board.status !== "loading") this.ask();
    if (this.names) {
      this.paintVariables(this.names, signed);
      return;
    }
    const [rows, columns] = lane.fine ? board.meta.image_shape : board.meta.coarse_shape,
      n_v = rows * columns;
    if (this.map?.canvas.width !== columns || this.map.canvas.height !== rows)
      this.now.replaceChildren((this.map = new PixelMap(rows, columns, "the filter now")).canvas);
    this.map.paint((i) => lane.filters[unit * n_v + i], 127, signed);
    setText(
      this.words,
      `${board.cursor < 0 ? "Now" : "Then"} ${useInWords(lane.pictures.usage[unit] / 255)}. Orange adds ink, blue takes it away.${lane.fine ? "" : " Shrunk while it trains."}`,
    );
    if (past?.meta.lane !== lane.index || past.meta.unit !== unit) return;
    const pixels = past.arrays.filters.length / this.maps.length;
    this.maps.forEach(({map, button}, n) => {
      map.paint((i) => past.arrays.filters[n * pixels + i], 127, signed);
      button.setAttribute(
        "aria-current",
        String(board.cursor >= 0 && Number(button.dataset.step) === board.shown),
      );
    });
  }
}
