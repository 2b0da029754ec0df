// A menu as the browser's own <select>: its open list has the roles, keys and, on a phone, the picker that people
// know, which menus built from other elements lack.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {cssVariables, FONT, PALETTES} from "../../../view/player/js/theme.js";
import {nameDialog} from "./sidebar.js";

const CHOICE_STYLE = `
.lv-choice { ${cssVariables(PALETTES.light)} font-family: ${FONT}; font-size: .875rem; color: var(--lv-ink); background: none; }
.lv-choice[data-scheme="dark"] { ${cssVariables(PALETTES.dark)} color-scheme: dark; }
.lv-choice label { display: block; font-size: .86em; color: var(--lv-muted); margin: 0 0 .25em .1em; }
.lv-choice select { font: inherit; color: var(--lv-ink); background: var(--lv-surface); width: 100%; height: 2.5rem; box-sizing: border-box;
  padding: 0 .7em; border: 1px solid color-mix(in srgb, var(--lv-muted) 60%, var(--lv-surface)); border-radius: 4px; cursor: pointer; }
.lv-choice select:hover { border-color: var(--lv-muted); }
.lv-choice select:focus-visible { outline: 2px solid var(--lv-focus); outline-offset: 2px; }
`;

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
  const root = element("div", {class: "lv-choice"}, element("style", {}, CHOICE_STYLE), label, select);
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
