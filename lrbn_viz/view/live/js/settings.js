// The settings above a view of a live page, folded on a phone.

import {element} from "../../player/js/dom.js";

const NARROW = "(max-width: 700px)"; // as in views.css

/** @param {string} text @param {HTMLElement[]} parts */
export const labelled = (text, ...parts) =>
  element("label", {}, ...parts.slice(0, -1), text, parts.at(-1) ?? "");

/** @param {string} name @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} choose */
export function menu(name, options, chosen, choose) {
  const select = element(
    "select",
    {"aria-label": name, onchange: () => choose(select.value)},
    ...options.map(([value, text]) => element("option", {value}, text)),
  );
  select.value = chosen;
  return select;
}

// A field for a whole number.
/** @param {string} name @param {string} title @param {number} value @param {() => void} changed */
export const numberField = (name, title, value, changed) =>
  element("input", {
    inputmode: "numeric",
    autocomplete: "off",
    class: "live-seed",
    "aria-label": name,
    title,
    value: String(value),
    onchange: changed,
  });

// Its number; null if it is none from 0 to `most`.
/** @param {HTMLInputElement} field @param {number} most */
export function numberIn(field, most) {
  const text = field.value.trim();
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** @param {string} title @param {string} summary @param {AbortSignal} signal  ends it @param {(Node | string)[]} parts */
export function settingsOf(title, summary, signal, ...parts) {
  const node = element(
      "details",
      {class: "live-course"},
      element("summary", {}, summary),
      element("div", {role: "group", "aria-label": title}, ...parts),
    ),
    narrow = window.matchMedia(NARROW),
    unfold = () => (node.open = !narrow.matches); // a phone shows the models first
  narrow.addEventListener("change", unfold, {signal});
  unfold();
  return node;
}
