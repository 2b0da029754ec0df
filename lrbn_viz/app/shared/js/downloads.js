// Download buttons; the server makes a file when its button is pressed.

import {unpack} from "../../../view/player/js/decode.js";
import {download, element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/style.js";
import DOWNLOADS_STYLE from "./downloads.css";

/** @param {Rendered<{files: [string, string][], made: ArrayBuffer}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const buttons = element("div"),
    node = element(
      "div",
      {class: "lv lv-downloads"},
      element("style", {}, STYLE + DOWNLOADS_STYLE),
      element("h2", {}, "Downloads"),
      buttons,
    );
  const offer = () =>
    buttons.replaceChildren(
      ...model.files.map(([name, title]) =>
        element(
          "button",
          {type: "button", class: "lv-btn lv-small", onclick: () => send({type: "make", name})},
          title,
        ),
      ),
    );
  offer();
  model.on("files", offer);
  el.append(node);
  const unwatch = watchScheme(node);
  model.on("made", () => {
    /** @type {Block<{name: string, type: string}, {content: Uint8Array<ArrayBuffer>}>} */
    const {meta, arrays} = unpack(model.made);
    download(new Blob([arrays.content], {type: meta.type}), meta.name);
  });
  model.on("remove", () => {
    unwatch();
    node.remove();
  });
}

export default {render};
