// Legends: what each colour and each mark of a chart means, as a small sample before a few words. Samples are elements of
// their own, so that a picture of the page has them too.

import {element} from "./dom.js";

/** @typedef {"square" | "pale" | "ring" | "dashes" | "dot" | "line" | "broken"} Mark */

// The word for what is stronger: a light page's strong colours are darker than its ground, a dark page's are lighter.
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
