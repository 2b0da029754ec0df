// The card of a lesson in the explorer: the server sends its content, and receives the choices.

import {element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {LessonCard} from "../../../view/player/js/lesson.js";
import LESSON_STYLE from "../../../view/player/js/lesson.css";
import {STYLE} from "../../../view/player/js/style.js";
import constants from "../../../io/constants.json" with {type: "json"};

// The server sees that this visitor has been shown the guide, or has skipped it, and begins with the page itself.
const rememberGuide = () => {
  document.cookie = `${constants.guide_cookie}=1; path=/; max-age=31536000; SameSite=Lax`;
};

/** @param {Rendered<{view: import("../../../view/player/js/lesson.js").LessonView}>} host */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host);
  const card = new LessonCard(
    {
      predict: (step, option) => send({type: "predict", step, option}, "your prediction"),
      walk: (way) => send({type: "walk", way}, "the next step"),
      leave: () => {
        if (host.get("view").guide) rememberGuide();
        send({type: "leave"}, "leaving the lesson");
      },
      all: () => send({type: "all"}, "all of the page"),
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
    if (!view.id) return;
    card.show(view);
    if (view.guide && view.step === view.steps) rememberGuide();
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
