// Options of an animation for slides, a button that makes it, and its progress.

import {unpack} from "../../../view/player/js/decode.js";
import {download, element, setText, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/style.js";
import ANIMATION_STYLE from "./animation.css";
import FIELDS_STYLE from "./side_fields.css";

const SPEEDS = [2, 4, 8, 16, 30]; // changes a second
const USUAL_SPEED = 8,
  USUAL_SIZE = "medium";

let number = 0; // of the component on its page, for unique ids of labels

/** @param {Rendered<{formats: [string, string][], sizes: [string, string][], share: number, words: string, made: ArrayBuffer}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model)),
    name = `lv-animation-${++number}`;
  /** @param {string} key @param {string} label @param {[string, string][]} options @param {string} value */
  const choice = (key, label, options, value) => {
    const select = element(
      "select",
      {id: `${name}-${key}`},
      ...options.map(([each, title]) => element("option", {value: each}, title)),
    );
    select.value = value;
    return {select, nodes: [element("label", {for: select.id}, label), select]};
  };
  const format = choice("format", "Format", model.formats, model.formats[0][0]);
  const size = choice("size", "Size, pixels", model.sizes, USUAL_SIZE);
  const speed = choice(
    "speed",
    "Frames a second",
    SPEEDS.map((each) => [String(each), String(each)]),
    String(USUAL_SPEED),
  );
  const act = () =>
    send(
      model.share >= 0
        ? {type: "stop"}
        : {
            type: "make",
            format: format.select.value,
            size: size.select.value,
            speed: Number(speed.select.value),
            theme: node.dataset.scheme,
          },
    );
  const button = element("button", {type: "button", class: "lv-btn lv-small", onclick: act});
  const bar = element("progress", {max: "1", "aria-label": "Animation"}),
    words = element("p", {role: "status"});
  const node = element(
    "div",
    {class: "lv lv-side-fields lv-animation"},
    element("style", {}, STYLE + FIELDS_STYLE + ANIMATION_STYLE),
    element("h2", {}, "Animation for slides"),
    element("p", {}, "What is shown, as a moving picture with captions, in this page's colours."),
    element("div", {class: "lv-choices"}, ...format.nodes, ...size.nodes, ...speed.nodes),
    button,
    bar,
    words,
  );
  const follow = () => {
    const busy = model.share >= 0;
    setText(button, busy ? "Stop" : "Make the animation");
    bar.hidden = !busy;
    bar.value = Math.max(model.share, 0);
    setText(words, model.words);
  };
  follow();
  model.on("share", follow);
  model.on("words", follow);
  el.append(node);
  const unwatch = watchScheme(node);
  model.on("made", () => {
    /** @type {Block<{name: string, type: string}, {content: Uint8Array<ArrayBuffer>}>} */
    const {meta, arrays} = unpack(model.made);
    setText(words, `${meta.name} is made.`);
    download(new Blob([arrays.content], {type: meta.type}), meta.name);
  });
  model.on("remove", () => {
    unwatch();
    node.remove();
  });
}

export default {render};
