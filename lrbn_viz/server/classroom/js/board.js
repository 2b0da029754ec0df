// The lecturer's board: one question, its votes, and the commands that lead the class from one to the next.

import {byKey, element, isPageKey, setHidden, setText} from "../../../view/player/js/dom.js";
import {many} from "../../../view/player/js/format.js";
import {Lecturer, found, labelOf, named, withKey, wordsOf} from "./lecturer.js";

/** @typedef {import("./lecturer.js").Board} Board */

const SIZES = [1.5, 0.5], // largest and smallest size of letters, of the usual one
  LANE_WIDTH = 1440; // pixels of the window that the lane is drawn for, and then made smaller
/** @type {HTMLSelectElement} */ const which = found("which");
/** @type {HTMLIFrameElement} */ const lane = found("lane");
/** @type {HTMLAnchorElement} */ const table = found("table");
const [open, pace, next, reveal, votes, answer, forget] = /** @type {HTMLButtonElement[]} */ (
  ["open", "pace", "next", "reveal", "votes", "answer", "forget"].map(found)
);
const shown = found("shown"),
  said = found("said"),
  around = /** @type {HTMLElement} */ (lane.parentElement),
  root = /** @type {HTMLElement} */ (shown.parentElement);
let newest = ""; // question of the last prediction; the page follows the class until the lecturer chooses one
let chosen = false;

/** @param {{lesson: string, step: number}} question */
const nameOf = ({lesson, step}) => `${lesson}.${step}`;
const isPressed = (/** @type {Element} */ button) => button.getAttribute("aria-pressed") === "true";
const press = (/** @type {Element} */ button, /** @type {boolean} */ on) =>
  button.setAttribute("aria-pressed", String(on));

// One row of counts for an option: a bar, its number, and which vote it is.
/** @param {string} title @param {number} count @param {number} total */
const bar = (title, count, total) =>
  element(
    "div",
    {class: "bar"},
    element("small", {}, title),
    element("div", {}, element("div", {style: `width: ${total ? (100 * count) / total : 0}%`})),
    element("output", {}, many(count)),
  );
const sum = (/** @type {number[]} */ counts) => counts.reduce((total, count) => total + count, 0);

function paint() {
  const {board, lost, refusal} = lecturer;
  if (!board)
    return setText(said, lost ? "The server does not answer." : "The page of the class is being prepared.");
  const {led, questions, lecture} = board,
    leads = led.phase !== "own",
    asked = named(led.question),
    question = questions.find((each) => nameOf(each) === (asked || which.value)),
    marks = leads ? led.phase === "revealed" : isPressed(answer),
    label = lecture && !lecture.asks ? partWords(lecture) : labelOf(led);
  root.dataset.phase = led.show ? "shown" : led.phase;
  press(pace, leads);
  setText(pace, leads ? "Leave the class its own pace (L)" : "Lead the class (L)");
  setText(next, `${label} (\u2192)`);
  setHidden(next, !leads && !lecture);
  setHidden(open, !leads || asked === which.value || !(asked || lecture)); // else the next command opens it
  setHidden(reveal, led.phase !== "closed" || led.following === "reveal");
  setHidden(votes, !led.round || led.phase === "voting");
  setText(votes, isPressed(votes) ? "Hide the votes (V)" : "Show the votes (V)");
  setHidden(answer, leads);
  setHidden(forget, leads);
  setHidden(around, !asked && !led.show);
  if (leads && !lane.src) lane.src = "live.html?board";
  if (led.show !== demonstrated) show(led.show);
  if (led.show) shown.replaceChildren(element("h2", {}, lecture?.parts[lecture.at]?.title));
  else if (question) {
    /** @type {[string, number[]][]} */
    const rows = leads
      ? isPressed(votes) && led.phase !== "voting"
        ? led.votes.map((counts, n) => [`vote ${n + 1}`, counts])
        : []
      : [["", question.counts]];
    const options = question.options.map((option, n) => {
      const right = marks && n === question.right,
        why = led.answer?.why[n];
      return element(
        "li",
        {"data-right": right},
        element("span", {}, right ? `${option} (right)` : option),
        why ? element("p", {class: "why"}, why) : null,
        element("div", {class: "bars"}, ...rows.map(([title, counts]) => bar(title, counts[n], sum(counts)))),
      );
    });
    shown.replaceChildren(
      led.answer ? "" : element("p", {class: "asks"}, question.text), // the answer needs the room
      element("h2", {}, question.question),
      element("ol", {}, ...options),
      ...(led.answer ? [element("p", {class: "told"}, led.answer.reveal)] : []),
    );
  }
  const total = question ? sum(question.counts) : 0,
    counted = total === 1 ? "1 prediction" : `${many(total)} predictions`;
  setText(
    said,
    [
      refusal,
      lost ? "The server does not answer; this is its last word." : "",
      leads ? wordsOf(led) : counted,
    ]
      .filter(Boolean)
      .join(" "),
  );
  fit();
}

let demonstrated = ""; // address that the lane shows of a plan's part
/** @param {string} query */
function show(query) {
  demonstrated = query;
  if (query) lane.src = `live.html?board#${query.slice(1)}`;
}

// The words for the part of the plan that comes next.
/** @param {import("./lecturer.js").Lecture} lecture */
function partWords({parts, at}) {
  const part = parts[at + 1];
  return part ? `Go on: ${part.title}` : "The plan has ended";
}

// Letters as large as the question, its options and what is said of them leave room for.
function fit() {
  const [largest, smallest] = SIZES,
    {clientWidth, clientHeight} = around;
  if (clientWidth) {
    const scale = clientWidth / LANE_WIDTH;
    lane.style.width = `${LANE_WIDTH}px`;
    lane.style.height = `${clientHeight / scale}px`;
    lane.style.transform = `scale(${scale})`;
  }
  for (let size = largest; size >= smallest; size -= 0.05) {
    shown.style.fontSize = `${size}em`;
    if (shown.scrollHeight <= shown.clientHeight) return;
  }
}

/** @param {Board} now @param {Board | null} before */
function took(now, before) {
  if (!before)
    which.replaceChildren(
      ...now.questions.map((each) => element("option", {value: nameOf(each)}, each.title)),
    );
  const asked = named(now.led.question);
  if (asked && asked !== named(before?.led.question ?? null)) which.value = asked;
  const latest = named(now.newest);
  if (now.led.phase === "own" && latest && latest !== newest && !chosen) which.value = latest;
  newest = latest;
}
const lecturer = new Lecturer(took, paint),
  lead = (/** @type {string} */ command) => lecturer.lead(command, which.value);

const acts = {
  next() {
    const {board} = lecturer;
    if (!board || next.hidden) return;
    const {led, lecture} = board,
      isOpen = named(led.question) === which.value;
    if (lecture) return lead("next");
    if (led.following === "open" && isOpen)
      which.selectedIndex += which.selectedIndex + 1 < which.length ? 1 : 0;
    lead(led.following);
  },
  open() {
    const {board} = lecturer;
    if (board && board.led.phase !== "own") lead("open");
  },
  reveal() {
    if (!reveal.hidden) lead("reveal");
  },
  pace() {
    const {board} = lecturer;
    if (board) lead(board.led.phase === "own" ? "lead" : "own");
  },
  votes() {
    press(votes, !isPressed(votes));
    paint();
  },
  /** @param {number} by */
  choose(by) {
    which.selectedIndex = Math.min(Math.max(which.selectedIndex + by, 0), which.length - 1);
    choose();
  },
};
const choose = () => {
  chosen = true;
  mark(false);
};
/** @param {boolean} on */
const mark = (on) => {
  press(answer, on);
  setText(answer, on ? "Hide the right answer" : "Mark the right answer");
  paint();
};

table.href = withKey("counts.csv");
which.addEventListener("change", choose);
for (const [button, act] of /** @type {[HTMLElement, () => void][]} */ ([
  [open, acts.open],
  [pace, acts.pace],
  [next, acts.next],
  [reveal, acts.reveal],
  [votes, acts.votes],
  [answer, () => mark(!isPressed(answer))],
]))
  button.addEventListener("click", act);
forget.addEventListener("click", async () => {
  const [lesson, step] = which.value.split(".");
  await fetch(`${withKey("counts")}&${new URLSearchParams({lesson, step})}`, {method: "DELETE"});
});
document.addEventListener("keydown", (event) => {
  const act =
    !event.repeat &&
    isPageKey(event) &&
    byKey(event, {
      ArrowRight: acts.next,
      PageDown: acts.next, // of a presenter's remote control
      o: acts.open,
      r: acts.reveal,
      l: acts.pace,
      v: acts.votes,
      ArrowDown: () => acts.choose(1),
      ArrowUp: () => acts.choose(-1),
    });
  if (!act) return;
  event.preventDefault();
  act();
});
window.addEventListener("resize", fit);
paint();
lecturer.follow();
