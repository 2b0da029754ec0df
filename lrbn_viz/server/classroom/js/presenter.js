// The lecturer's notes: the present part of the plan, its time, and the one key that goes on.

import {byKey, element, isPageKey, setText} from "../../../view/player/js/dom.js";
import {Lecturer, found, labelOf, wordsOf} from "./lecturer.js";

/** @typedef {import("../../../view/player/js/lesson.js").TreeNode} TreeNode */
const MINUTE = 60; // seconds
const PLAIN = new Set(["p", "strong", "em", "ul", "ol", "li", "blockquote", "h4", "code", "pre", "br"]);
const [next, back] = ["next", "back"].map(found);
let shown = -2; // number of the part whose notes are shown

// Nodes of a text (view/lessons/markup.py); links and terms are plain words.
/** @param {TreeNode[]} tree @returns {(Node | string)[]} */
const content = (tree) =>
  tree.map((node) => {
    if (typeof node === "string") return node;
    const [kind, ...rest] = node;
    return PLAIN.has(kind)
      ? element(/** @type {"p"} */ (kind), {}, ...content(rest))
      : element("span", {}, ...content(rest.slice(1)));
  });

// A time as minutes and seconds, of so many planned.
/** @param {number} seconds @param {number} minutes */
const time = (seconds, minutes) =>
  `${Math.floor(seconds / MINUTE)}:${String(Math.floor(seconds % MINUTE)).padStart(2, "0")} of ${minutes} min`;

function paint() {
  const {board, lost, refusal} = lecturer,
    said = found("said");
  if (!board)
    return setText(said, lost ? "The server does not answer." : "The page of the class is being prepared.");
  const {lecture, led} = board;
  if (!lecture) return setText(said, "No plan is served: begin the server with --plan.");
  const {at, parts, asks} = lecture,
    part = parts[at],
    after = parts[at + 1];
  setText(found("title"), lecture.title);
  setText(found("total"), time(lecture.seconds, lecture.minutes));
  setText(found("place"), part ? `Part ${at + 1} of ${parts.length}` : `${parts.length} parts`);
  setText(found("part"), part?.title ?? "The lecture has not begun");
  setText(found("time"), part ? time(lecture.part_seconds, part.minutes) : "");
  found("time").toggleAttribute("data-late", Boolean(part) && lecture.part_seconds > part.minutes * MINUTE);
  if (shown !== at) found("notes").replaceChildren(...content(part?.notes ?? []));
  shown = at;
  setText(next, `${asks ? labelOf(led) : part ? "Go on" : "Begin"} (\u2192)`);
  next.toggleAttribute("disabled", !asks && !after);
  back.toggleAttribute("disabled", at < 1);
  setText(found("after"), after ? `Next: ${after.title} (${after.minutes} min)` : "This is the last part.");
  setText(
    said,
    [refusal, lost ? "The server does not answer; this is its last word." : "", wordsOf(led)]
      .filter(Boolean)
      .join(" "),
  );
}
const lecturer = new Lecturer(() => {}, paint),
  go = () => lecturer.lead("next"),
  goBack = () => lecturer.lead("back");
next.addEventListener("click", go);
back.addEventListener("click", goBack);
document.addEventListener("keydown", (event) => {
  const act =
    !event.repeat &&
    isPageKey(event) &&
    byKey(event, {ArrowRight: go, PageDown: go, " ": go, ArrowLeft: goBack, PageUp: goBack});
  if (!act) return;
  event.preventDefault();
  act();
});
paint();
lecturer.follow();
