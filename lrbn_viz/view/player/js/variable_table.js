// Many rows of named variables beside each other: the names stand once, and each column is an observation, a unit or a
// moment. Columns belong to groups, such as what is observed and what is reconstructed.

import {element, setAttribute, setText} from "./dom.js";
import {PixelView} from "./draw.js";

/**
 * @typedef {object} Columns  a group of columns
 * @property {string} [title]
 * @property {string} label  in words, for screen readers
 * @property {number} n
 * @property {HTMLCanvasElement} [canvas]  where others listen to it
 * @property {HTMLElement} [foot]
 * @property {string[]} [heads]  of the columns; those that have room are shown
 * @property {{say: (column: number) => string, go: (column: number) => void}} [press]
 */

const HEADS = 14; // numbers above the columns of a group, at most about

export class VariableTable {
  names = element("ol", {class: "lv-columns-names"});
  node = element("div", {class: "lv-columns", tabindex: "0", role: "group"}, this.names);
  /** @type {PixelView[]} */ views = [];
  /** @type {HTMLElement[][]} */ heads = [];
  n = 0; // variables

  /** @param {string} label */
  constructor(label) {
    this.node.setAttribute("aria-label", label);
  }

  /** @param {string[]} names @param {Columns[]} groups */
  load(names, groups) {
    const {node} = this;
    this.n = names.length;
    this.names.replaceChildren(
      ...names.map((text) => element("li", {class: "lv-variable-name", title: text}, text)),
    );
    node.style.setProperty("--lv-columns-rows", String(names.length));
    node.toggleAttribute(
      "data-titled",
      groups.some(({title}) => title),
    );
    node.toggleAttribute(
      "data-headed",
      groups.some(({heads}) => heads),
    );
    this.heads = [];
    this.views = [];
    node.replaceChildren(this.names, ...groups.map((group) => this.figure(group)));
  }

  /** @param {Columns} group */
  figure({title, label, n, canvas, foot, heads, press}) {
    const shown = canvas ?? element("canvas", {role: "img"}),
      columns = Math.max(1, n);
    shown.classList.add("lv-columns-cells");
    setAttribute(shown, "aria-label", label);
    this.views.push(new PixelView(shown, this.n, columns));
    const step = [1, 2, 5, 10, 20, 50, 100].find((every) => columns / every <= HEADS) ?? columns;
    const numbers = (heads ?? []).map((text, at) => element("span", {}, at % step ? "" : text));
    this.heads.push(numbers);
    const figure = element(
      "figure",
      {},
      element("figcaption", {title}, title ?? ""),
      element("div", {class: "lv-columns-heads", "aria-hidden": "true"}, ...numbers),
      element(
        "div",
        {class: "lv-columns-box"},
        shown,
        press
          ? element(
              "div",
              {class: "lv-columns-presses"},
              ...Array.from({length: n}, (_, at) => {
                const text = press.say(at);
                return element("button", {
                  type: "button",
                  "aria-label": text,
                  title: text,
                  onclick: () => press.go(at),
                });
              }),
            )
          : null,
      ),
      foot ?? null,
    );
    figure.style.setProperty("--lv-columns-n", String(columns));
    return figure;
  }

  // Paint a group; `colour` and `unknown` are of a column's variable.
  /** @param {number} group @param {(column: number, i: number) => number} colour @param {{unknown: (column: number, i: number) => boolean, filled: boolean, colours: Uint32Array} | null} [hatch] */
  paint(group, colour, hatch = null) {
    const view = this.views[group],
      {columns} = view;
    view.paint(
      (p) => colour(p % columns, Math.floor(p / columns)),
      hatch && {...hatch, unknown: (p) => hatch.unknown(p % columns, Math.floor(p / columns))},
    );
  }

  // The number of a column, where it is marked or has room.
  /** @param {number} group @param {number} at @param {string[]} heads */
  mark(group, at, heads) {
    const numbers = this.heads[group],
      step = [1, 2, 5, 10, 20, 50, 100].find((every) => numbers.length / every <= HEADS) ?? numbers.length;
    numbers.forEach((node, n) => {
      node.toggleAttribute("data-at", n === at);
      setText(node, n === at || (n % step === 0 && (at < 0 || Math.abs(n - at) >= step)) ? heads[n] : "");
    });
  }
}
