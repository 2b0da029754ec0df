// All filters of one lane side by side, each large enough to be recognised: they fill the available room, and scroll if
// they are too many. Arrow keys choose one, Enter or a click opens it.

import {arrowMove, byKey, element, penOf} from "../../player/js/dom.js";
import {fitCanvas} from "../../player/js/draw.js";
import {brief, clamp} from "../../player/js/format.js";
import {inRows} from "../../player/js/names.js";
import {VariableTable} from "../../player/js/variable_table.js";

const LEAST = 24,
  LEAST_LETTERS = 1.75; // pixels of a filter's side at least, or so many times the letters
const MOST_LETTERS = 5.5,
  HIGH_LETTERS = 20,
  ROOM_LETTERS = 30; // of a side; of a mosaic that need not scroll; of one that does

// Columns for n filters in a box so wide, the side of each, and how high the box is: as large as they fit into the height
// that is usual, but never too small to be read.
/** @param {number} n @param {number} width @param {number} letters  pixels of the font */
export function mosaicShape(n, width, letters) {
  const least = Math.max(LEAST, LEAST_LETTERS * letters),
    most = MOST_LETTERS * letters;
  let columns = Math.max(1, Math.ceil(width / most));
  while (
    columns < n &&
    (Math.ceil(n / columns) * width) / columns > HIGH_LETTERS * letters &&
    width / (columns + 1) >= least
  )
    columns++;
  const side = Math.min(width / columns, most),
    high = Math.ceil(n / columns) * side;
  return {columns, side, high, room: Math.min(high, ROOM_LETTERS * letters)};
}

export class FilterMosaic {
  at = 0; // unit chosen by keys
  shape = {columns: 1, side: 1, high: 1, room: 1};
  canvas = element("canvas", {role: "spinbutton", tabindex: "0", "aria-valuemin": "0"});
  tall = element("div", {class: "lt-tall"}, this.canvas);
  node = element("div", {class: "lt-scroll"}, this.tall);
  shown = "";

  /** @param {import("./learner.js").TrainLane} lane */
  constructor(lane) {
    const {canvas, node} = this,
      {board} = lane;
    this.lane = lane;
    canvas.setAttribute("aria-valuemax", String(lane.n_h - 1));
    canvas.addEventListener("pointermove", (event) => {
      const unit = this.unitAt(event);
      canvas.style.cursor = unit < 0 ? "" : "zoom-in";
      board.tip(unit < 0 ? null : lane.describe(unit), event);
    });
    canvas.addEventListener("pointerleave", () => board.tip(null));
    canvas.addEventListener("click", (event) => {
      const unit = this.unitAt(event);
      if (unit >= 0) this.open(unit);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.stale());
    node.addEventListener("scroll", () => this.stale());
  }

  stale() {
    this.lane.stale.filters = true;
    this.lane.board.dirty();
  }

  /** @param {number} unit */
  open(unit) {
    this.choose(unit);
    this.lane.board.large.open(this.lane, unit);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.lane.n_h - 1,
      move = arrowMove(event, this.shape.columns),
      end = byKey(event, {Home: 0, End: last});
    if (move) this.choose(clamp(this.at + move, 0, last));
    else if (end !== undefined) this.choose(end);
    else if (event.key === "Enter") this.open(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page's keys would step and scrub
  }

  // Scroll to the chosen unit.
  /** @param {number} unit */
  choose(unit) {
    const {
        node,
        shape: {columns, side, room},
      } = this,
      top = Math.floor(unit / columns) * side;
    this.at = unit;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + side > node.scrollTop + room) node.scrollTop = top + side - room;
    this.label();
    this.stale();
  }

  label() {
    const {canvas, lane, at} = this,
      label = `${lane.title}: filters of ${lane.n_h} units, faint ones on for no held-out ${lane.isTable ? "row" : "image"}; arrow keys choose one, Enter opens it`;
    if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
    canvas.setAttribute("aria-valuenow", String(at));
    canvas.setAttribute("aria-valuetext", lane.describe(at));
  }

  /** @param {MouseEvent} event */
  unitAt({offsetX: x, offsetY: y}) {
    const {
        node,
        shape: {columns, side},
      } = this,
      column = Math.floor(x / side),
      unit = Math.floor((y + node.scrollTop) / side) * columns + column;
    return column < columns && unit >= 0 && unit < this.lane.n_h ? unit : -1;
  }

  // Before a paint: adapt the box to its filters.
  /** @param {number} letters */
  makeRoom(letters) {
    const {node, tall, canvas, lane} = this,
      width = node.clientWidth,
      key = [width, letters, lane.n_h].join();
    if (key === this.shown || !width) return;
    this.shown = key;
    const {high, room} = (this.shape = mosaicShape(lane.n_h, width, letters));
    node.style.height = canvas.style.height = `${Math.ceil(room)}px`;
    tall.style.height = `${Math.ceil(high)}px`;
    this.label();
  }

  fit() {
    return fitCanvas(this.canvas);
  }

  // Draw the visible filters from a picture of all, `rows` by `columns` each.
  /** @param {HTMLCanvasElement} atlas @param {[number, number]} size @param {Uint8Array} usage @param {Palette} palette */
  paint(atlas, [rows, columns], usage, palette) {
    const {
        canvas,
        node,
        lane: {n_h},
        shape,
      } = this,
      context = penOf(canvas),
      ratio = canvas.width / Math.max(1, canvas.clientWidth || node.clientWidth);
    const size = shape.side * ratio,
      above = node.scrollTop * ratio,
      gap = Math.max(1, size * 0.05),
      side = size - 2 * gap,
      tall = rows / columns;
    const wide = tall > 1 ? side / tall : side,
      high = tall > 1 ? side : side * tall;
    const first = Math.floor(above / size) * shape.columns,
      end = Math.min(n_h, Math.ceil((above + canvas.height) / size) * shape.columns);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = side < columns;
    for (let j = first; j < end; j++) {
      context.globalAlpha = usage[j] === 0 ? 0.4 : 1;
      context.drawImage(
        atlas,
        j * columns,
        0,
        columns,
        rows,
        (j % shape.columns) * size + gap,
        Math.floor(j / shape.columns) * size - above + gap,
        wide,
        high,
      );
    }
    context.globalAlpha = 1;
    if (this.node.getRootNode().activeElement !== canvas) return;
    context.lineWidth = Math.max(2, 2 * gap);
    context.strokeStyle = palette.focus;
    context.strokeRect(
      (this.at % shape.columns) * size + gap / 2,
      Math.floor(this.at / shape.columns) * size - above + gap / 2,
      size - gap,
      size - gap,
    );
  }
}

// The same of a table: a row for each variable, whose names stand once, and a column for each unit.
export class FilterTable extends FilterMosaic {
  table = new VariableTable("Filters, by variable; scrolls");

  /** @param {import("./learner.js").TrainLane} lane @param {string[]} names */
  constructor(lane, names) {
    super(lane);
    this.units = Array.from({length: lane.n_h}, (_, j) => String(j));
    this.table.load(names, [{label: "", n: lane.n_h, canvas: this.canvas, heads: this.units}]);
    this.node = this.table.node;
    this.shape = {columns: 1, side: 1, high: 1, room: 1}; // an arrow key up or down goes to the next unit, too
  }

  /** @override @param {number} unit */
  choose(unit) {
    const {node, canvas, lane} = this,
      wide = canvas.clientWidth / lane.n_h,
      left = canvas.getBoundingClientRect().left - node.getBoundingClientRect().left + unit * wide,
      names = this.table.names.offsetWidth;
    this.at = unit;
    if (left < names) node.scrollLeft += left - names;
    else if (left + wide > node.clientWidth) node.scrollLeft += left + wide - node.clientWidth;
    this.label();
    this.stale();
  }

  /** @override @param {MouseEvent} event */
  unitAt({offsetX: x}) {
    const {canvas, lane} = this,
      unit = Math.floor((x / canvas.clientWidth) * lane.n_h);
    return unit >= 0 && unit < lane.n_h ? unit : -1;
  }

  /** @override */
  makeRoom() {
    this.label();
  }

  /** @override */
  fit() {
    return false;
  }

  // Units that no held-out image turns on are faint.
  /** @param {Int8Array} filters @param {Uint8Array} usage @param {Uint32Array} signed */
  paintCells(filters, usage, signed) {
    const {table, canvas} = this;
    table.paint(0, (j, i) => signed[255 + Math.round((usage[j] ? 2 : 0.8) * filters[j * table.n + i])]);
    table.mark(0, this.node.getRootNode().activeElement === canvas ? this.at : -1, this.units);
  }
}

// Usage of a unit in words.
/** @param {number} share */
export const useInWords = (share, table = false) =>
  inRows(share > 0 ? `on for ${brief(100 * share)} % of held-out images` : "on for no held-out image", table);
