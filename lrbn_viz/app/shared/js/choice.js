// A menu as the browser's own <select>: its list has the usual roles and keys and, on a
// phone, the usual picker, which menus of other elements lack.

import {element} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {showField} from "./field.js";

/** @param {Rendered<{label: string, value: string, options: [string, string][]}>} rendered */
function render(rendered) {
  const {model} = rendered;
  const {send} = outbox(hostOf(model));
  const select = element("select", {
    id: "choice",
    onchange: () => {
      const what = `setting \u201c${model.label}\u201d to \u201c${select.selectedOptions[0]?.text}\u201d`;
      if (!send({type: "choose", value: select.value}, what)) select.value = model.value;
    },
  });
  const fill = () => {
    select.replaceChildren(...model.options.map(([value, title]) => element("option", {value}, title)));
    select.value = model.value;
  };
  fill();
  showField(rendered, select);
  model.on("options", fill);
  model.on("value", () => {
    select.value = model.value;
  });
}

export default {render};
