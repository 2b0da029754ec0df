// A table of figures: the paper's beside ours, as the server sends it, or those of a live page.

import {element} from "../../player/js/dom.js";
import {number} from "../../player/js/format.js";

/** @typedef {{name: string, source: string, digits: number}} TableColumn */
/** @typedef {{value: number, standard_error: number | null}} TableMeasured */
/** @typedef {{title: string, columns: TableColumn[], rows: (string | number | TableMeasured | null)[][], notes: string[]}} PaperTable */

/** @param {PaperTable["rows"][number][number]} value @param {TableColumn} column */
function cell(value, {digits}) {
  if (value === null) return "";
  if (typeof value === "number") return number(value, digits);
  if (typeof value === "string") return value;
  return (
    number(value.value, digits) + (value.standard_error ? ` ± ${number(value.standard_error, digits)}` : "")
  );
}

/** @param {PaperTable} table */
export function tableNode({title, columns, rows, notes}) {
  const head = columns.map(({name, source}) => element("th", {scope: "col", "data-source": source}, name));
  const body = rows.map((row) =>
    element(
      "tr",
      {},
      ...row.map((value, i) =>
        element(
          i ? "td" : "th",
          {"data-source": columns[i].source, ...(i ? {} : {scope: "row"})},
          cell(value, columns[i]),
        ),
      ),
    ),
  );
  const region = element(
    "div",
    {class: "lv-scroll", role: "region", "aria-label": title, tabindex: "0"},
    element(
      "table",
      {class: "lv-paper"},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...body),
    ),
  );
  return element(
    "div",
    {},
    element("h3", {}, title),
    region,
    ...notes.map((note) => element("p", {class: "lv-caption"}, note)),
  );
}
