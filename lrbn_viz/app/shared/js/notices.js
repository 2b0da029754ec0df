// What the page has to say once, above everything else, until it is dismissed.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/theme.js";

const NOTICES_STYLE = `
.lv.lv-notices { height: auto; font-size: .9375rem; line-height: 1.45; }
.lv-notices > div { margin: 1.1rem 1.1rem 0; padding: .7em .6em .7em 1em; background: var(--lv-surface); border: 1px solid var(--lv-line); border-left: 4px solid var(--lv-now);
  border-radius: .6em; box-shadow: var(--lv-shadow); display: flex; gap: .8em; align-items: flex-start; max-height: 40vh; overflow-y: auto; }
.lv-notices ul { flex: 1; min-width: 0; margin: 0; padding: 0; list-style: none; } .lv-notices li { overflow-wrap: anywhere; } .lv-notices li + li { margin-top: .3em; }
.lv.lv-notices .lv-btn { height: 2.2em; padding: 0 .8em; font-size: .94em; border-color: var(--lv-line); flex: none; position: sticky; top: 0; background: var(--lv-surface); }
@media (max-width: 600px) { .lv-notices > div { margin: .6rem .6rem 0; flex-direction: column; align-items: stretch; } .lv-notices .lv-btn { align-self: flex-end; } }
`;

/** @param {Rendered<{texts: string[]}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const list = element("ul");
  const dismiss = element(
    "button",
    {
      type: "button",
      class: "lv-btn",
      "aria-label": "Dismiss these notices",
      onclick: () => send({type: "dismiss"}),
    },
    "Dismiss",
  );
  const box = element("div", {}, list, dismiss);
  const root = element(
    "section",
    {class: "lv lv-notices", role: "status", "aria-label": "Notices"},
    element("style", {}, STYLE + NOTICES_STYLE),
    box,
  );
  const fill = () => {
    box.hidden = !model.texts.length;
    list.replaceChildren(...model.texts.map((text) => element("li", {}, text)));
  };
  fill();
  el.append(root);
  const unwatch = watchScheme(root);
  model.on("texts", fill);
  model.on("remove", () => {
    unwatch();
    root.remove();
  });
}

export default {render};
