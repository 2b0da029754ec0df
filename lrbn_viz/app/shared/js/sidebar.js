// The side bar, which on a phone is a dialog; its library cannot name it.

import {ancestors} from "../../../view/player/js/dom.js";

/** @param {HTMLElement} node */
export function nameDialog(node) {
  for (const at of ancestors(node))
    if (at.getAttribute("role") === "dialog") at.setAttribute("aria-label", "Settings");
}
