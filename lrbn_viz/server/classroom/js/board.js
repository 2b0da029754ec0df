// The lecturer's page: counts of the class's answers to a question, requested from the server once a second.

import {element, setText} from "../../../view/player/js/dom.js";
import {many} from "../../../view/player/js/format.js";

/** @typedef {{lesson: string, step: number, title: string, question: string, options: string[], right: number, counts: number[]}} Question */

const EVERY_MS = 1000;
const key = new URLSearchParams(window.location.search).get("key") ?? "";
/** @type {<Found extends HTMLElement>(id: string) => Found} */
const found = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {HTMLSelectElement} */ const which = found("which");
/** @type {HTMLButtonElement} */ const answer = found("answer");
/** @type {HTMLButtonElement} */ const forget = found("forget");
const shown = found("shown");
/** @type {Question[]} */ let questions = [];
let newest = ""; // question of the last prediction; the page follows the class until the lecturer chooses one
let chosen = false;
let lost = false;

/** @param {{lesson: string, step: number}} question */
const nameOf = ({lesson, step}) => `${lesson}.${step}`;

function paint() {
  const question = questions.find((each) => nameOf(each) === which.value);
  if (!question) return;
  const total = question.counts.reduce((sum, count) => sum + count, 0),
    marked = answer.getAttribute("aria-pressed") === "true";
  const bars = question.options.map((option, n) => {
    const right = marked && n === question.right,
      share = total ? question.counts[n] / total : 0;
    return element(
      "div",
      {class: "bar", "data-right": right ? "" : null},
      element("span", {}, right ? `${option} (right)` : option),
      element("output", {}, many(question.counts[n])),
      element("div", {}, element("div", {style: `width: ${100 * share}%`})),
    );
  });
  const people = total === 1 ? "1 prediction" : `${many(total)} predictions`;
  shown.replaceChildren(
    element("p", {}, element("b", {}, question.question)),
    ...bars,
    element(
      "p",
      {class: "muted"},
      lost ? `${people}. The server does not answer; these are its last counts.` : people,
    ),
  );
}

async function ask() {
  try {
    const reply = await fetch(`counts?key=${encodeURIComponent(key)}`);
    if (!reply.ok) throw new Error(reply.statusText);
    const board = await reply.json();
    lost = false;
    if (!questions.length)
      which.replaceChildren(
        ...board.questions.map((/** @type {Question} */ each) =>
          element("option", {value: nameOf(each)}, each.title),
        ),
      );
    questions = board.questions;
    const now = board.newest ? `${board.newest[0]}.${board.newest[1]}` : "";
    if (now !== newest && !chosen) which.value = now;
    newest = now;
  } catch {
    lost = true;
  }
  paint();
  setTimeout(ask, EVERY_MS);
}

which.addEventListener("change", () => {
  chosen = true;
  answer.setAttribute("aria-pressed", "false");
  setText(answer, "Mark the right answer");
  paint();
});
answer.addEventListener("click", () => {
  const marked = answer.getAttribute("aria-pressed") !== "true";
  answer.setAttribute("aria-pressed", String(marked));
  setText(answer, marked ? "Hide the right answer" : "Mark the right answer");
  paint();
});
forget.addEventListener("click", async () => {
  const [lesson, step] = which.value.split(".");
  await fetch(`counts?${new URLSearchParams({key, lesson, step})}`, {method: "DELETE"});
});
ask();
