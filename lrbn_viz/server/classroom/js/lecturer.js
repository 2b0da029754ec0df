// What the lecturer's pages share: the state of the class, which the server is asked for once a second, and the commands, each
// of which is answered with the state that it leads to.

import {many} from "../../../view/player/js/format.js";

/** @typedef {{lesson: string, step: number, title: string, text: string, question: string, options: string[], right: number, counts: number[]}} Question */
/** @typedef {{phase: ClassState["phase"], round: number, following: "lead" | "open" | "vote" | "close" | "reveal", show: string, question: [string, number] | null, votes: number[][], voted: number, missing: number, screens: number, answer: {why: string[], reveal: string} | null}} Led */
/** @typedef {{title: string, minutes: number, at: number, asks: boolean, seconds: number, part_seconds: number, parts: {title: string, minutes: number, notes: import("../../../view/player/js/lesson.js").TreeNode[]}[]}} Lecture */
/** @typedef {{questions: Question[], newest: [string, number] | null, led: Led, lecture: Lecture | null}} Board */

const EVERY_MS = 1000;
const key = new URLSearchParams(window.location.search).get("key") ?? "";
export const withKey = (/** @type {string} */ address) => `${address}?key=${encodeURIComponent(key)}`;
/** @type {<Found extends HTMLElement>(id: string) => Found} */
export const found = (id) => /** @type {any} */ (document.getElementById(id));

/** @param {[string, number] | null} question */
export const named = (question) => (question ? question.join(".") : "");

// The words for the command that comes next.
/** @param {Led} led */
export function labelOf({following, round, question}) {
  if (following === "vote") return `Begin vote ${round + 1}`;
  if (following === "close") return `End vote ${round}`;
  if (following === "reveal") return "Reveal the answer";
  return question ? "Open the next question" : "Open the question on all screens";
}

/** @param {Led} led */
export function wordsOf({phase, round, voted, missing, screens}) {
  const here = screens === 1 ? "1 screen" : `${many(screens)} screens`;
  if (phase === "voting" || phase === "closed")
    return `Vote ${round}: ${many(voted)} voted, ${many(missing)} ${missing === 1 ? "has" : "have"} not answered.`;
  if (phase === "asked") return `On all screens (${here}). Nobody can vote yet.`;
  return phase === "revealed" ? `Revealed on all screens (${here}).` : `${here} in the class.`;
}

export class Lecturer {
  /** @type {Board | null} */ board = null;
  lost = false; // whether the server does not answer
  leading = false; // whether a command is on its way
  refusal = ""; // what the server said to the last command

  /** @param {(board: Board, before: Board | null) => void} took  called with a state and the one before @param {() => void} paint */
  constructor(took, paint) {
    this.took = took;
    this.paint = paint;
  }

  /** @param {Board} now */
  take(now) {
    const before = this.board;
    this.board = now;
    this.took(now, before);
  }

  async follow() {
    try {
      const reply = await fetch(withKey("counts"));
      if (!reply.ok) throw new Error(reply.statusText);
      this.take(await reply.json());
      this.lost = false;
    } catch {
      this.lost = true;
    }
    this.paint();
    setTimeout(() => this.follow(), EVERY_MS);
  }

  /** @param {string} command @param {string} [question] */
  async lead(command, question = ".0") {
    if (this.leading) return;
    const [lesson, step] = question.split(".");
    this.leading = true;
    this.refusal = "";
    try {
      const reply = await fetch(withKey("lead"), {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify({command, lesson, step: Number(step)}),
      });
      const now = await reply.json();
      if (reply.ok) this.take(now);
      else this.refusal = now.error;
    } catch {
      this.lost = true;
    }
    this.leading = false;
    this.paint();
  }
}
