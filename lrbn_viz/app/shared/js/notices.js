// One-time notices at the top of the page, until they are dismissed.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/style.js";
import NOTICES_STYLE from "./notices.css";

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
