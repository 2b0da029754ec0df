// Legends of charts: a sample of each colour or mark before its meaning. Samples are elements, so that pictures of the page
// contain them.

import {element} from "./dom.js";

/** @typedef {"square" | "hatch" | "pale" | "ring" | "dashes" | "dot" | "line" | "broken"} Mark */

// The word for stronger colours: darker than the ground on a light page, lighter on a dark one.
export const darker = () => [
  element("span", {class: "lv-on-light"}, "darker"),
  element("span", {class: "lv-on-dark"}, "lighter"),
];

// Colours are names of the theme's, such as "plus" or "lane0"; of two, each has a sample.
/** @param {[Mark, string, string | (string | Node)[]][]} entries  mark, colours, words @param {string} [title] */
export function legend(entries, title) {
  const samples = (/** @type {Mark} */ mark, /** @type {string} */ colours) =>
    colours
      .split(" ")
      .map((colour) => element("i", {"data-mark": mark, style: `--lv-swatch: var(--lv-${colour})`}));
  return element(
    "div",
    {class: "lv-legend"},
    title ? element("b", {}, title) : null,
    ...entries.map(([mark, colours, words]) =>
      element("span", {}, ...samples(mark, colours), element("span", {}, ...[words].flat())),
    ),
  );
}
