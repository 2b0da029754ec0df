// Drawing by keys: a cursor on the input image, one pixel large. Arrow keys move it, and it draws with the pen's tools.

import {byKey, element} from "./dom.js";
import {visibleName} from "./names.js";

export const DRAWING_KEYS =
  "arrow keys move a cursor, space or Enter draws there, E erases there, U makes the pixel unknown, shift and arrow keys draw on the way";

const WORDS = ["empty", "ink", "not known"]; // of a pixel's state

export class DrawingCursor {
  row = -1; // -1 until the image is known; then the middle
  column = -1;
  rows = 1;
  columns = 1;
  /** @type {[number, number] | null} */ corner = null; // first corner of a rectangle to be covered: row and column
  node = element("div", {class: "lv-drawing-cursor", hidden: true});
  said = element("p", {class: "lv-sr", role: "status"});

  /** @param {import("./input.js").InputCard} card */
  constructor(card) {
    const {canvas} = (this.card = card);
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => {
      this.node.hidden = true;
      this.corner = null;
    });
    canvas.addEventListener("pointerdown", () => {
      this.node.hidden = true;
    });
    canvas.addEventListener("focus", () => {
      if (canvas.matches(":focus-visible")) this.show();
    });
  }

  // Keep the cursor within the image, whose size may have changed.
  /** @param {number} rows @param {number} columns */
  fit(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    if (this.row < 0) [this.row, this.column] = [rows >> 1, columns >> 1];
    this.row = Math.min(this.row, rows - 1);
    this.column = Math.min(this.column, columns - 1);
    if (!this.node.hidden) this.show();
  }

  // Follow the pointer, so that keys continue from there.
  /** @param {[number, number]} point */
  place([x, y]) {
    this.row = Math.max(0, Math.min(this.rows - 1, Math.floor(y)));
    this.column = Math.max(0, Math.min(this.columns - 1, Math.floor(x)));
  }

  show() {
    const {
      node: {style},
      rows,
      columns,
    } = this;
    this.node.hidden = false;
    style.left = `${(100 * this.column) / columns}%`;
    style.top = `${(100 * this.row) / rows}%`;
    style.width = `${100 / columns}%`;
    style.height = `${100 / rows}%`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const {card} = this;
    if (!card.drawable || !card.states || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = byKey(event, {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]});
    if (move) this.move(move, event.shiftKey);
    else if (event.key === " " || event.key === "Enter") this.use();
    else if (event.key.toLowerCase() === "e") this.draw("erase", this.centre);
    else if (event.key.toLowerCase() === "u" && card.takesUnknown) this.draw("unknown", this.centre);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page would move the cursor of the replay
  }

  /** @returns {[number, number]} */
  get centre() {
    return [this.column + 0.5, this.row + 0.5];
  }
  // The chosen tool; without one, or with the tool for rectangles, strokes are those of the pen.
  get pen() {
    const {tool} = this.card;
    return tool === "erase" || tool === "unknown" ? tool : "draw";
  }

  /** @param {number[]} move @param {boolean} drawing */
  move([down, right], drawing) {
    const from = this.centre;
    this.row = Math.max(0, Math.min(this.rows - 1, this.row + down));
    this.column = Math.max(0, Math.min(this.columns - 1, this.column + right));
    this.show();
    if (drawing) this.draw(this.pen, from);
    else this.say(WORDS[this.card.states?.[this.row * this.columns + this.column] ?? 0]);
  }

  // Store the first corner of a rectangle until the second is chosen.
  use() {
    const {tool} = this.card;
    if (tool !== "occlude" && tool !== "hide") return this.draw(this.pen, this.centre);
    const {corner, row, column} = this;
    this.corner = corner ? null : [row, column];
    const verb = tool === "hide" ? "hide" : "cover";
    if (!corner) return this.say(`one corner; press again at the other to ${verb} what is between`);
    if (!this.begin()) return;
    this.card.stroke(
      [Math.min(corner[1], column), Math.min(corner[0], row)],
      [Math.max(corner[1], column) + 1, Math.max(corner[0], row) + 1],
    );
    this.say(tool === "hide" ? "hidden: not known" : "covered");
  }

  /** @param {"draw" | "erase" | "unknown"} tool @param {[number, number]} from */
  draw(tool, from) {
    if (!this.begin()) return;
    if (!this.card.tool) this.card.hold("draw");
    this.card.stroke(from, this.centre, tool);
    this.say({draw: "drawn", erase: "erased", unknown: "not known"}[tool]);
  }

  // Whether a change would be accepted; a rectangle is cut out of the current image.
  begin() {
    const {card} = this;
    if (!card.states || !card.heard()) return false;
    card.before = card.states.slice();
    this.show();
    return true;
  }

  /** @param {string} what */
  say(what) {
    const {model} = this.card.lane;
    this.said.textContent = `${visibleName(model, this.row * this.columns + this.column)}: ${what}`;
  }
}
