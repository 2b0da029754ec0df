// The table of approximations q of the posterior p: of each its divergence and its total variation.

import {element} from "./dom.js";

// Long words may break where a soft hyphen stands: twice as large on a narrow page the three columns still fit.
/** @param {HTMLElement} rows @param {string} [also]  a class besides */
export function distanceTable(rows, also = "") {
  const letter = (/** @type {string} */ name) => element("i", {}, name);
  /** @param {(Node | string)[]} words */
  const head = (...words) => element("th", {scope: "col"}, ...words);
  return element(
    "table",
    {class: `lv-table ${also}`},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        head("approxi\u00admation ", letter("q")),
        head("KL(", letter("q"), " \u2016 ", letter("p"), "), nats"),
        head("total varia\u00adtion"),
      ),
    ),
    rows,
  );
}
