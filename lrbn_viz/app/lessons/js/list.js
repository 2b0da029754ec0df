// The Lessons page: a link for each lesson, with its minutes; invalid files of a teacher's folder, with reasons.

import {captionedCard, element} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {Page} from "../../../view/player/js/page.js";
import LIST_STYLE from "./list.css";

/** @typedef {{id: string, title: string, minutes: number, steps: number, summary: string}} Listed */
/** @typedef {{file: string, words: string[]}} Refused */

/** @param {Rendered<{lessons: Listed[], refused: Refused[]}>} host */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host);
  const page = new Page(LIST_STYLE, "lv lv-lessons");
  /** @param {MouseEvent} event @param {string} lesson @param {string} title */
  const begin = (event, lesson, title) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // left to the browser: a new tab
    event.preventDefault();
    send({type: "begin", lesson}, `beginning "${title}"`);
  };
  const list = element("ol", {}),
    bad = element("ul", {}),
    refused = captionedCard("Files that are no lessons", [], bad);
  const fill = () => {
    list.replaceChildren(
      ...host
        .get("lessons")
        .map(({id, title, minutes, steps, summary}) =>
          element(
            "li",
            {},
            element(
              "a",
              {
                href: `?${new URLSearchParams({lesson: id})}`,
                onclick: (event) => begin(/** @type {MouseEvent} */ (event), id, title),
              },
              element("b", {}, title),
              element("small", {}, `${minutes} min, ${steps} step${steps === 1 ? "" : "s"}`),
              element("span", {}, summary),
            ),
          ),
        ),
    );
    const files = host.get("refused");
    bad.replaceChildren(
      ...files.map(({file, words}) =>
        element(
          "li",
          {},
          element("b", {}, file),
          ...words.map((line) => element("p", {class: "lv-caption"}, line)),
        ),
      ),
    );
    refused.hidden = !files.length;
  };
  page.root.append(
    element(
      "div",
      {class: "lv-in"},
      captionedCard("Lessons", [
        "Each lesson asks for a prediction, and then shows the result on the page itself. A wrong prediction teaches as much as a right one. The lessons build on one another; the first assumes no knowledge of the subject.",
      ]),
      list,
      refused,
    ),
    page.live,
    page.tipNode,
  );
  fill();
  host.on("lessons", fill);
  host.on("refused", fill);
  page.appear(el, "lrbnLessons", {key: () => {}, scheme: () => {}, resized: () => {}});
  host.removed(() => page.vanish?.());
}

export default {render};
