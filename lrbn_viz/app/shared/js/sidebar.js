// What stands in the side bar, which on a phone is a dialog to which its library can give no name.

import {ancestors} from "../../../view/player/js/dom.js";

/** @param {HTMLElement} node */
export function nameDialog(node) {
  for (const at of ancestors(node))
    if (at.getAttribute("role") === "dialog") at.setAttribute("aria-label", "Settings");
}
