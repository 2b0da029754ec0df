// Named variables, one a row: data that are no pictures. A row has the variable's name, bars on one scale each, and perhaps a
// number; or it is a button that changes what is observed. `data-state` of a row says what is observed: "on", "off" or
// "unknown".

import {byKey, element, setAttribute, setText} from "./dom.js";
import {UNKNOWN} from "./known.js";

/** @typedef {"share" | "signed"} BarKind  from 0 to 1, with a mark where the observation is; or from -1 to 1 */
/** @typedef {{kind: BarKind, title: string, help?: string}} BarColumn */
/** @typedef {{item: HTMLElement, name: HTMLElement, bars: HTMLElement[], mark: HTMLElement | null, value: HTMLElement, said: HTMLElement}} Row */

const MANY = 12; // rows from which there are two columns of them where there is room

/** @typedef {"on" | "off" | "unknown"} Observation */

// What is observed of variable i, from values or from states of them.
/** @param {ArrayLike<number>} x @param {number} i @returns {Observation} */
export const observationOf = (x, i) =>
  Number.isNaN(x[i]) || x[i] === UNKNOWN ? "unknown" : x[i] > 0.5 ? "on" : "off";

/** @param {ArrayLike<number>} x @param {number} i */
export const stateWord = (x, i) => {
  const found = observationOf(x, i);
  return found === "unknown" ? "not known" : found;
};

/** @param {ArrayLike<number>} x @param {number} i */
export const observedWords = (x, i) => {
  const word = stateWord(x, i);
  return observationOf(x, i) === "unknown" ? word : `observed ${word}`;
};

/** @type {Record<Observation, string>} */
const PRESSED = {on: "true", off: "false", unknown: "mixed"};

class Rows {
  list = element("ul", {class: "lv-variables"});
  /** @type {string[]} */ names = [];

  /** @param {string[]} names @returns {boolean} whether they differ from those before */
  take(names) {
    const same = names.length === this.names.length && names.every((name, i) => name === this.names[i]);
    this.names = names;
    this.list.toggleAttribute("data-many", names.length > MANY);
    return !same;
  }
}

export class VariableBars extends Rows {
  /** @type {Row[]} */ rows = [];

  /** @param {BarColumn[]} columns */
  constructor(columns) {
    super();
    this.columns = columns;
    this.titles = columns.map(({title, help}) => element("span", {title: help}, title));
    this.head = element(
      "div",
      {class: "lv-variable lv-variables-head", hidden: columns.length < 2},
      element("span", {}),
      ...this.titles,
    );
    this.node = element("div", {class: "lv-variables-box"}, this.head, this.list);
    this.node.style.setProperty("--lv-bars", String(columns.length));
  }

  /** @param {string[]} names */
  load(names) {
    if (!this.take(names)) return;
    this.rows = names.map((text) => this.row(text));
    this.list.replaceChildren(...this.rows.map(({item}) => item));
    if (names.length > MANY)
      this.list.tabIndex = 0; // long lists scroll, by keys too
    else this.list.removeAttribute("tabindex");
  }

  /** @param {string} text @returns {Row} */
  row(text) {
    const name = element("span", {class: "lv-variable-name", title: text}, text),
      bars = this.columns.map(() => element("i", {class: "lv-variable-bar"})),
      mark =
        this.columns[0].kind === "share" ? element("i", {class: "lv-variable-mark", hidden: true}) : null,
      value = element("b", {class: "lv-variable-value", "aria-hidden": "true", hidden: mark === null}),
      said = element("span", {class: "lv-sr"});
    const tracks = bars.map((bar, n) =>
      element("span", {class: `lv-variable-track lv-${this.columns[n].kind}`}, bar, n ? null : mark),
    );
    return {
      item: element("li", {class: "lv-variable"}, name, ...tracks, value, said),
      name,
      bars,
      mark,
      value,
      said,
    };
  }

  // A bar of row i, by its column; of a signed one the sign says its side and colour.
  /** @param {number} i @param {number} column @param {number} share */
  bar(i, column, share) {
    const {style, dataset} = this.rows[i].bars[column],
      signed = this.columns[column].kind === "signed",
      size = Math.max(signed ? -1 : 0, Math.min(1, share || 0)),
      way = `scaleX(${size.toFixed(4)})`;
    if (style.transform !== way) style.transform = way;
    const sign = signed ? (size < 0 ? "minus" : "plus") : "";
    if (signed && dataset.sign !== sign) dataset.sign = sign;
  }

  // The observation of row i, between 0 and 1 or NaN, and whether the reconstruction differs from it.
  /** @param {number} i @param {number} x @param {boolean} wrong @param {string} text */
  observed(i, x, wrong, text) {
    const {item, mark, value} = this.rows[i];
    const unknown = Number.isNaN(x);
    if (mark) {
      if (mark.hidden !== unknown) mark.hidden = unknown;
      const at = unknown ? "" : `${(100 * Math.max(0, Math.min(1, x))).toFixed(2)}%`;
      if (mark.style.left !== at) mark.style.left = at;
    }
    setAttribute(item, "data-state", unknown ? "unknown" : x > 0.5 ? "on" : "off");
    const missed = wrong && !unknown;
    if (item.hasAttribute("data-wrong") !== missed) item.toggleAttribute("data-wrong", missed);
    setText(value, text);
  }

  // Rows in words, for screen readers.
  /** @param {(i: number) => string} text */
  say(text) {
    this.rows.forEach(({said}, i) => setText(said, `: ${text(i)}`));
  }
}

// Buttons: one for each variable, one Tab stop for all.
export class VariableSwitches extends Rows {
  /** @type {HTMLButtonElement[]} */ buttons = [];
  enabled = true;

  /** @param {(i: number) => void} press */
  constructor(press) {
    super();
    this.press = press;
    this.list.setAttribute("aria-label", "Observations");
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {string[]} names @param {boolean} enabled  whether a press changes something */
  load(names, enabled) {
    this.enabled = enabled;
    if (this.take(names)) {
      this.buttons = names.map((text, i) =>
        element(
          "button",
          {
            type: "button",
            class: "lv-variable lv-variable-switch",
            title: text,
            tabindex: i ? -1 : 0,
            onclick: () => {
              this.stop(i);
              this.press(i);
            },
          },
          element("i", {class: "lv-variable-box"}),
          element("span", {class: "lv-variable-name"}, text),
          element("span", {class: "lv-variable-state"}),
        ),
      );
      this.list.replaceChildren(...this.buttons.map((button) => element("li", {}, button)));
    }
    for (const button of this.buttons) setAttribute(button, "aria-disabled", String(!enabled));
  }

  /** @param {ArrayLike<number>} x */
  paint(x) {
    this.buttons.forEach((button, i) => {
      const state = observationOf(x, i);
      if (button.dataset.state === state) return;
      button.dataset.state = state;
      button.setAttribute("aria-pressed", PRESSED[state]);
      const word = stateWord(x, i);
      setAttribute(button, "aria-label", `${this.names[i]}: ${word}`);
      // beside the hatched box a sign is enough, and leaves the name its room
      setText(/** @type {Element} */ (button.lastElementChild), state === "unknown" ? "?" : word);
    });
  }

  /** @param {number} i  the Tab stop */
  stop(i) {
    this.buttons.forEach((button, n) => setAttribute(button, "tabindex", n === i ? "0" : "-1"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.composedPath()[0])),
      last = this.buttons.length - 1;
    const to = byKey(event, {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: last,
    });
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = Math.max(0, Math.min(last, to));
    this.stop(next);
    this.buttons[next].focus();
    event.preventDefault();
    event.stopPropagation(); // the page would move the cursor of the replay
  }
}
