// The nodes of the network view: a button for each unit, with its state and its probabilities.

import {byKey, element, setAttribute, setText} from "./dom.js";

/** @typedef {"prior" | "posterior" | "apart"} BarName */
/** @typedef {{name: BarName, title: string, value: number | null}} NodeBar  null: nothing is known of it */
/** @typedef {{state: string, words: string, bars: NodeBar[], decided: boolean, able: boolean}} NodeFacts  `state` is "on", "off", "unknown" or "between" */

const DIGITS = 4;

/** @param {number | null} value */
const inDigits = (value) => (value === null ? "\u2013" : value.toFixed(DIGITS));

export class NetworkNode {
  name = element("span", {class: "lv-node-name"});
  state = element("span", {class: "lv-node-state"});
  bars = element("span", {class: "lv-node-bars"});
  /** @type {{title: HTMLElement, bar: HTMLElement, value: HTMLElement}[]} */ rows = [];

  /** @param {"latent" | "visible"} kind @param {number} unit @param {() => void} press */
  constructor(kind, unit, press) {
    this.kind = kind;
    this.unit = unit;
    this.button = element(
      "button",
      {type: "button", class: "lv-node", tabindex: -1, "data-kind": kind, "data-unit": unit, onclick: press},
      element("span", {class: "lv-node-head"}, this.name, this.state),
      this.bars,
    );
  }

  /** @param {string} name @param {NodeFacts} facts */
  show(name, {state, words, bars, decided, able}) {
    const {button} = this;
    setText(this.name, name);
    setAttribute(this.name, "title", name);
    setText(this.state, words);
    setAttribute(button, "data-state", state);
    if (button.hasAttribute("data-decided") !== decided) button.toggleAttribute("data-decided", decided);
    setAttribute(button, "aria-disabled", String(!able));
    if (this.rows.length !== bars.length) this.rows = this.makeRows(bars.length);
    bars.forEach(({name: colour, title, value}, n) => {
      const row = this.rows[n],
        width = `${(100 * (value ?? 0)).toFixed(2)}%`;
      setText(row.title, title);
      setText(row.value, inDigits(value));
      setAttribute(row.bar, "data-bar", colour);
      if (row.bar.style.width !== width) row.bar.style.width = width;
    });
  }

  // For screen readers, when the cursor rests.
  /** @param {string} name @param {NodeFacts} facts @param {string} does  what a press does */
  say(name, {words, bars}, does) {
    const numbers = bars
      .filter(({value}) => value !== null)
      .map(({title, value}) => `${title} ${inDigits(value)}`)
      .join(", ");
    setAttribute(
      this.button,
      "aria-label",
      `${name}, ${this.kind === "latent" ? "latent" : "observation"}: ${words}. ${numbers ? `${numbers}. ` : ""}${does}`,
    );
  }

  /** @param {number} n */
  makeRows(n) {
    const rows = Array.from({length: n}, () => ({
      title: element("span"),
      bar: element("i"),
      value: element("b"),
    }));
    this.bars.replaceChildren(
      ...rows.flatMap(({title, bar, value}) => [
        title,
        element("span", {class: "lv-node-track"}, bar),
        value,
      ]),
    );
    return rows;
  }
}

// One Tab stop for all nodes: arrow keys move to the next in its row, or to the nearest in the row above or below.
export class Roving {
  /** @type {NetworkNode[]} */ nodes = [];

  /** @param {HTMLElement} stage */
  constructor(stage) {
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {NetworkNode[]} nodes  in reading order */
  load(nodes) {
    this.nodes = nodes;
    this.stop(nodes[0]);
  }

  /** @param {NetworkNode} node  the Tab stop */
  stop(node) {
    for (const {button} of this.nodes) setAttribute(button, "tabindex", button === node.button ? "0" : "-1");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.nodes.findIndex(({button}) => button === event.composedPath()[0]);
    if (at < 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.nodes.length - 1,
      to = byKey(event, {
        ArrowRight: Math.min(last, at + 1),
        ArrowLeft: Math.max(0, at - 1),
        Home: 0,
        End: last,
      }),
      way = byKey(event, {ArrowDown: 1, ArrowUp: -1});
    const next = to !== undefined ? this.nodes[to] : way ? this.beside(this.nodes[at], way) : undefined;
    if (!next) return;
    this.stop(next);
    next.button.focus();
    event.preventDefault();
    event.stopPropagation(); // the page would move the cursor of the replay
  }

  // The nearest node of the next row in a direction; the node itself in the last row.
  /** @param {NetworkNode} node @param {number} way */
  beside(node, way) {
    const middle = (/** @type {NetworkNode} */ {button}) => {
        const {left, top, width, height} = button.getBoundingClientRect();
        return {x: left + width / 2, y: top + height / 2, height};
      },
      here = middle(node);
    const there = this.nodes
      .map((other) => ({other, at: middle(other)}))
      .filter(({at}) => way * (at.y - here.y) > here.height / 2);
    const row = Math.min(...there.map(({at}) => way * (at.y - here.y))),
      inRow = there.filter(({at}) => way * (at.y - here.y) < row + here.height / 2);
    return (
      inRow.sort((one, two) => Math.abs(one.at.x - here.x) - Math.abs(two.at.x - here.x))[0]?.other ?? node
    );
  }
}
