// What units are called: by their names, or, where a model has none, by their numbers.

import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {Pick<Model, "names">} Named */

/** @param {Named} model @param {number} j */
export const unitName = ({names}, j) => names?.[j] ?? `unit ${j}`;

// The same where a heading already says that these are units.
/** @param {Named} model @param {number} j */
export const shortUnitName = ({names}, j) => names?.[j] ?? String(j);

/** @param {Pick<Model, "pixels" | "columns">} model @param {number} i */
export const visibleName = ({pixels, columns}, i) =>
  pixels?.[i] ?? `row ${Math.floor(i / columns) + 1}, column ${(i % columns) + 1}`;

// The named variables of a model whose data are no pictures; null for images.
/** @param {Pick<Model, "pixels" | "rows">} model */
export const variablesOf = ({pixels, rows}) => (pixels && rows === 1 ? pixels : null);

// "fever, cough and 2 more", "none"
/** @param {string[]} words @param {number} most */
export function someOf(words, most) {
  const left = words.length - most;
  return left > 0 ? `${words.slice(0, most).join(", ")} and ${left} more` : words.join(", ") || "none";
}

// What rows of data that are no pictures, and their values, are called, and images.
/** @param {boolean} table */
export const rowWords = (table) =>
  table
    ? {row: "row", rows: "Rows", title: "Rows", cell: "observation", own: "Own observations"}
    : {row: "image", rows: "Image", title: "Images", cell: "pixel", own: "Own image"};

// A text about images and pixels, of data that are a table: about rows and observations.
/** @param {string} text @param {boolean} table */
export const inRows = (text, table) =>
  table
    ? Object.entries(constants.words_of_rows).reduce(
        (said, [from, to]) => said.replaceAll(new RegExp(`\\b${from}(?=s?\\b)`, "g"), to),
        text,
      )
    : text;

// The names of a model's units once one of them has another name, or with an empty one its number; none if all have numbers.
/** @param {Pick<Model, "names" | "n_h">} model @param {number} j @param {string} name */
export function renamed(model, j, name) {
  const names = Array.from(
    {length: model.n_h},
    (_, k) => (k === j && name) || unitName(k === j ? {} : model, k),
  );
  return names.some((each, k) => each !== unitName({}, k)) ? names : undefined;
}
