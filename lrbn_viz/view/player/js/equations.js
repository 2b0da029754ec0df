// The list of equations, by the paper's numbers: it comes with the player, so it is there offline.

import {closeButton, element, shutByItself} from "./dom.js";
import {EQUATIONS, equationName} from "./glossary.js";

// TeX's _ and ^, with or without braces, as the browser's own; letters that stand for something are italic.
/** @param {string} text @returns {(Node | string)[]} */
function typeset(text, small = false) {
  const parts = /** @type {(Node | string)[]} */ ([]);
  for (const [whole, mark, braced, single, word] of text.matchAll(
    /([_^])(?:\{([^}]*)\}|(\S))|([A-Za-z]+)|[^A-Za-z_^]+/g,
  )) {
    if (mark) parts.push(element(mark === "_" ? "sub" : "sup", {}, ...typeset(braced ?? single, true)));
    else if (word && (small || word.length === 1)) parts.push(element("i", {}, word));
    else parts.push(whole);
  }
  return parts;
}

export class Equations {
  /** @type {Map<string, HTMLElement>} */ rows = new Map(); // made when they are first shown
  node = shutByItself(element("dialog", {class: "lv-help lv-equations", "aria-label": "Equations"}));

  fill() {
    for (const {key, number, what, formula} of EQUATIONS)
      this.rows.set(
        key,
        element(
          "div",
          {tabindex: -1},
          element("h3", {}, element("b", {}, equationName(number)), ` ${what}`),
          ...formula.split("\n").map((line) => element("p", {class: "lv-formula"}, ...typeset(line))),
        ),
      );
    this.node.append(
      element("h2", {}, "Equations"),
      element(
        "p",
        {class: "lv-caption"},
        "The numbers are those of the paper, Latent Regression Bayesian Network for Data Representation.",
      ),
      ...this.rows.values(),
      closeButton(),
    );
  }

  // Show the list, scrolled to one equation if it is named.
  /** @param {string} [key] */
  show(key) {
    if (!this.rows.size) this.fill();
    const row = this.rows.get(key ?? "");
    for (const other of this.rows.values()) other.toggleAttribute("data-asked", other === row);
    this.node.showModal();
    row?.scrollIntoView({block: "center"});
    row?.focus();
  }
}
