// The lecturer's page: one question, its votes, and the commands that lead the class from one to the next. It asks the server
// once a second; each command is answered with the state that it leads to.

import {byKey, element, isPageKey, setHidden, setText} from "../../../view/player/js/dom.js";
import {many} from "../../../view/player/js/format.js";

/** @typedef {{lesson: string, step: number, title: string, text: string, question: string, options: string[], right: number, counts: number[]}} Question */
/** @typedef {{phase: ClassState["phase"], round: number, question: [string, number] | null, votes: number[][], voted: number, missing: number, screens: number, answer: {why: string[], reveal: string} | null}} Led */
/** @typedef {{questions: Question[], newest: [string, number] | null, led: Led}} Board */

const EVERY_MS = 1000,
  SIZES = [1.5, 0.5], // largest and smallest size of letters, of the usual one
  LANE_WIDTH = 1440, // pixels of the window that the lane is drawn for, and then made smaller
  ROUNDS = 2;
const key = new URLSearchParams(window.location.search).get("key") ?? "",
  withKey = (/** @type {string} */ address) => `${address}?key=${encodeURIComponent(key)}`;
/** @type {<Found extends HTMLElement>(id: string) => Found} */
const found = (id) => /** @type {any} */ (document.getElementById(id));
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
/** @type {Board | null} */ let board = null;
let newest = ""; // question of the last prediction; the page follows the class until the lecturer chooses one
let chosen = false;
let lost = false;
let leading = false; // whether a command is on its way
let refusal = ""; // what the server said to the last command

/** @param {{lesson: string, step: number}} question */
const nameOf = ({lesson, step}) => `${lesson}.${step}`;
/** @param {[string, number] | null} question */
const named = (question) => (question ? question.join(".") : "");
const isPressed = (/** @type {Element} */ button) => button.getAttribute("aria-pressed") === "true";
const press = (/** @type {Element} */ button, /** @type {boolean} */ on) =>
  button.setAttribute("aria-pressed", String(on));

// The name of the command that comes next, and its words on the button.
/** @param {Led} led @returns {["open" | "vote" | "close" | "reveal", string]} */
function following({phase, round, question}) {
  if (phase === "asked") return ["vote", "Begin vote 1"];
  if (phase === "voting") return ["close", `End vote ${round}`];
  if (phase === "closed")
    return round < ROUNDS ? ["vote", `Begin vote ${round + 1}`] : ["reveal", "Reveal the answer"];
  return ["open", question ? "Open the next question" : "Open the question on all screens"];
}

/** @param {Led} led */
function words({phase, round, voted, missing, screens}) {
  const here = screens === 1 ? "1 screen" : `${many(screens)} screens`;
  if (phase === "voting" || phase === "closed")
    return `Vote ${round}: ${many(voted)} voted, ${many(missing)} ${missing === 1 ? "has" : "have"} not answered.`;
  if (phase === "asked") return `On all screens (${here}). Nobody can vote yet.`;
  return phase === "revealed" ? `Revealed on all screens (${here}).` : `${here} in the class.`;
}

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
  if (!board)
    return setText(said, lost ? "The server does not answer." : "The page of the class is being prepared.");
  const {led, questions} = board,
    leads = led.phase !== "own",
    asked = named(led.question),
    question = questions.find((each) => nameOf(each) === (asked || which.value)),
    marks = leads ? led.phase === "revealed" : isPressed(answer),
    [, label] = following(led);
  root.dataset.phase = led.phase;
  press(pace, leads);
  setText(pace, leads ? "Leave the class its own pace (L)" : "Lead the class (L)");
  setText(next, `${label} (\u2192)`);
  setHidden(next, !leads);
  setHidden(open, !asked || asked === which.value);
  setHidden(reveal, led.phase !== "closed" || led.round === ROUNDS);
  setHidden(votes, !led.round || led.phase === "voting");
  setText(votes, isPressed(votes) ? "Hide the votes (V)" : "Show the votes (V)");
  setHidden(answer, leads);
  setHidden(forget, leads);
  setHidden(around, !asked);
  if (leads && !lane.src) lane.src = "live.html?board";
  if (question) {
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
    [refusal, lost ? "The server does not answer; this is its last word." : "", leads ? words(led) : counted]
      .filter(Boolean)
      .join(" "),
  );
  fit();
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

/** @param {Board} now */
function take(now) {
  if (!board)
    which.replaceChildren(
      ...now.questions.map((each) => element("option", {value: nameOf(each)}, each.title)),
    );
  const before = named(board?.led.question ?? null),
    asked = named(now.led.question);
  board = now;
  if (asked && asked !== before) which.value = asked;
  const latest = named(now.newest);
  if (now.led.phase === "own" && latest && latest !== newest && !chosen) which.value = latest;
  newest = latest;
}

async function ask() {
  try {
    const reply = await fetch(withKey("counts"));
    if (!reply.ok) throw new Error(reply.statusText);
    take(await reply.json());
    lost = false;
  } catch {
    lost = true;
  }
  paint();
  setTimeout(ask, EVERY_MS);
}

/** @param {string} command @param {string} [question] */
async function lead(command, question = which.value) {
  const [lesson, step] = question.split(".");
  if (leading) return;
  leading = true;
  refusal = "";
  try {
    const reply = await fetch(withKey("lead"), {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({command, lesson, step: Number(step)}),
    });
    const now = await reply.json();
    if (reply.ok) take(now);
    else refusal = `${now.error} `;
  } catch {
    lost = true;
  }
  leading = false;
  paint();
}

const acts = {
  next() {
    if (!board || next.hidden) return;
    const {led} = board,
      [command] = following(led),
      isOpen = named(led.question) === which.value;
    if (command === "open" && isOpen) which.selectedIndex += which.selectedIndex + 1 < which.length ? 1 : 0;
    lead(command);
  },
  open() {
    if (board && board.led.phase !== "own") lead("open");
  },
  reveal() {
    if (!reveal.hidden) lead("reveal");
  },
  pace() {
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
ask();
