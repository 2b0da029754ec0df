// The card of a lesson in the explorer: the server sends its content, and receives the choices.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {LessonCard} from "../../../view/player/js/lesson.js";
import LESSON_STYLE from "../../../view/player/js/lesson.css";
import {STYLE} from "../../../view/player/js/style.js";

/** @param {Rendered<{view: import("../../../view/player/js/lesson.js").LessonView}>} host */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host);
  const card = new LessonCard(
    {
      predict: (step, option) => send({type: "predict", step, option}, "your prediction"),
      walk: (way) => send({type: "walk", way}, "the next step"),
      leave: () => send({type: "leave"}, "leaving the lesson"),
      begin: (lesson) => send({type: "begin", lesson}, "another lesson"),
      list: () => send({type: "list"}, "the list of lessons"),
    },
    (id, step) => `?${new URLSearchParams({lesson: id, ...(step > 1 ? {step: String(step)} : {})})}`,
  );
  const root = element("div", {class: "lv"}, element("style", {}, STYLE + LESSON_STYLE), card.node);
  card.node.style.flex = "1";
  card.node.style.minHeight = "0";
  const show = () => {
    const view = host.get("view");
    if (view.id) card.show(view);
  };
  el.append(root);
  const unwatch = watchScheme(root);
  host.on("view", show);
  host.removed(() => {
    unwatch();
    card.remove();
  });
  show();
}

export default {render};
