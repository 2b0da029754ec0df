// A control with a label in the side bar, in the page's colours.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {themed} from "../../../view/player/js/theme.js";
import {nameDialog} from "./sidebar.js";
import FIELD_STYLE from "./field.css";

/**
 * Show a control with its label, and return the label.
 * @param {Rendered<{label: string}>} rendered @param {HTMLElement} control @param {...HTMLElement} below  elements below it
 */
export function showField({model, el}, control, ...below) {
  const label = element("label", {for: control.id}, model.label);
  const root = element(
    "div",
    {class: "lv-field"},
    element("style", {}, themed(".lv-field") + FIELD_STYLE),
    label,
    control,
    ...below,
  );
  el.append(root);
  nameDialog(el);
  const unwatch = watchScheme(root);
  model.on("remove", () => {
    unwatch();
    root.remove();
  });
  return label;
}
