// A menu as the browser's own <select>: its open list has the roles, keys and, on a phone, the picker that people
// know, which menus built from other elements lack.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {themed} from "../../../view/player/js/theme.js";
import {nameDialog} from "./sidebar.js";
import CHOICE_STYLE from "./choice.css";

/** @param {Rendered<{label: string, value: string, options: [string, string][]}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const select = element("select", {
    id: "choice",
    onchange: () => {
      const what = `setting \u201c${model.label}\u201d to \u201c${select.selectedOptions[0]?.text}\u201d`;
      if (!send({type: "choose", value: select.value}, what)) select.value = model.value;
    },
  });
  const label = element("label", {for: "choice"}, model.label);
  const root = element(
    "div",
    {class: "lv-choice"},
    element("style", {}, themed(".lv-choice") + CHOICE_STYLE),
    label,
    select,
  );
  const fill = () => {
    select.replaceChildren(...model.options.map(([value, title]) => element("option", {value}, title)));
    select.value = model.value;
  };
  fill();
  el.append(root);
  nameDialog(el);
  const unwatch = watchScheme(root);
  model.on("options", fill);
  model.on("value", () => {
    select.value = model.value;
  });
  model.on("remove", () => {
    unwatch();
    root.remove();
  });
}

export default {render};
