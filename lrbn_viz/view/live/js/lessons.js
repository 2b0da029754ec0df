// Lessons in the live page, with the functions of the explorer's server (app/lessons/state.py). The answer of a step is
// encoded in the script's data, and enters the document after the prediction.

import {closeButton, element, watchScheme} from "../../player/js/dom.js";
import {LessonCard} from "../../player/js/lesson.js";
import {stored} from "../../player/js/story.js";
import constants from "../../../io/constants.json" with {type: "json"};
import LESSON_STYLE from "../../player/js/lesson.css";
import LIST_STYLE from "./lessons.css";

// Controls that are hidden unless a step uses them.
export const CONTROLS = [
  "gallery",
  "images",
  "draw",
  "model",
  "algorithm",
  "start",
  "seed",
  "hold",
  "order",
  "export",
  "view",
];

/** @typedef {import("../../player/js/lesson.js").TreeNode} TreeNode */
/** @typedef {{right: number, reveal: TreeNode[], take_home: TreeNode[]}} Sealed */
/** @typedef {{open: (query: string, hidden: string) => void, train: (asked: Arrangement) => void, hidden: () => string, hide: (names: string) => void, changed: () => void, panels: () => string[], predicted: (lesson: string, step: number, option: number) => void}} LiveActs */

const GUIDED = constants.guide_cookie; // key in the browser's storage
const remember = () => stored((storage) => storage.setItem(GUIDED, "1"));

/** @param {string} text @returns {Sealed} */
const unseal = (text) =>
  JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));

export class LiveLessons {
  /** @type {LiveLesson | null} */ running = null;
  step = 1;
  chosen = -1; // predicted option; -1: none yet
  before = ""; // hidden parts before the lesson began
  everything = false; // whether all of the page is shown beside the lesson

  /** @param {HTMLElement} main @param {LiveLesson[]} lessons @param {LiveActs} acts */
  constructor(main, lessons, acts) {
    this.lessons = lessons;
    this.acts = acts;
    this.card = new LessonCard(
      {
        predict: (step, option) => this.predict(step, option),
        walk: (way) => this.walk(way),
        leave: () => this.leave(),
        all: () => this.showAll(),
        begin: (lesson) => {
          this.begin(lesson);
        },
        list: () => this.list(),
      },
      (id, step) => `#${new URLSearchParams({lesson: id, ...(step > 1 ? {step: String(step)} : {})})}`,
    );
    this.root = element(
      "div",
      {class: "lv live-lesson", hidden: true},
      element("style", {}, LESSON_STYLE + LIST_STYLE),
      this.card.node,
    );
    this.dialog = element(
      "dialog",
      {class: "lv-help live-lessons", "aria-label": "Lessons"},
      element("h2", {}, "Lessons"),
      element("p", {}, "Each lesson asks for a prediction, and then shows the result on the page itself."),
      element(
        "ul",
        {},
        ...lessons.map(({id, title, minutes}) =>
          element(
            "li",
            {},
            element(
              "button",
              {
                type: "button",
                onclick: () => {
                  this.dialog.close();
                  this.begin(id);
                },
              },
              element("span", {}, title),
              element("small", {}, `${minutes} min`),
            ),
          ),
        ),
      ),
      closeButton(),
    );
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the player ignores keys meanwhile
    this.listRoot = element("div", {class: "lv", style: "position: fixed; height: 0; width: 0"}, this.dialog);
    main.append(this.root);
    main.parentElement?.append(this.listRoot); // in sight beside each view
    watchScheme(this.root);
    watchScheme(this.listRoot);
  }

  list() {
    this.dialog.showModal();
  }

  // Show a step; returns whether it exists.
  /** @param {string} id */
  begin(id, step = 1) {
    const lesson = this.lessons.find((each) => each.id === id);
    if (!lesson?.steps[step - 1]) return false;
    if (!this.running) this.before = this.acts.hidden();
    this.go(lesson, step);
    return true;
  }

  /** @param {"next" | "back"} way */
  walk(way) {
    const {running, step} = this;
    if (!running) return;
    if (way === "next" && this.answered && running.steps[step]) this.go(running, step + 1);
    else if (way === "back" && step > 1) this.go(running, step - 1);
  }

  /** @param {number} step @param {number} option */
  predict(step, option) {
    if (!this.running || step !== this.step || this.answered) return;
    this.chosen = option;
    this.acts.predicted(this.running.id, step, option);
    const {state, then, after, train} = this.now;
    if (train.length) this.acts.train(train[1]);
    else if (then !== state || after.length) this.acts.open(then, this.outOfSight);
    this.show();
  }

  // Show all of the page beside the lesson, or again what its step is about.
  showAll() {
    this.everything = !this.everything;
    this.acts.hide(this.outOfSight);
    this.show();
  }

  leave() {
    if (!this.running) return;
    if (this.running.guide) remember();
    this.running = null;
    this.everything = false;
    this.root.hidden = true;
    this.card.end();
    this.acts.hide(this.before);
    this.acts.changed();
  }

  /** @param {LiveLesson} lesson @param {number} step */
  go(lesson, step) {
    this.running = lesson;
    this.step = step;
    this.chosen = -1;
    const {state, train} = this.now;
    if (train.length) this.acts.train(train[0]);
    else this.acts.open(state, this.outOfSight);
    this.show();
  }

  get now() {
    return /** @type {LiveLesson} */ (this.running).steps[this.step - 1];
  }
  // The run that is shown, if the step is about training.
  get trained() {
    return this.running ? (this.now.train[this.answered ? 1 : 0] ?? null) : null;
  }
  get answered() {
    return !this.now.options.length || this.chosen >= 0;
  }
  get look() {
    return [...this.now.look, ...(this.answered ? this.now.after : [])];
  }
  get outOfSight() {
    if (this.everything) return "";
    return [
      ...this.acts.panels().filter((name) => !this.look.includes(name)),
      ...CONTROLS.filter((name) => !this.now.use.includes(name)),
    ].join(".");
  }

  // The address while a lesson runs.
  /** @returns {LiveAddress} */
  get address() {
    return this.running ? {lesson: this.running.id, ...(this.step > 1 ? {step: String(this.step)} : {})} : {};
  }

  show() {
    const {running, step, now, chosen, answered} = this;
    if (!running) return;
    const last = step === running.steps.length,
      next = this.lessons[this.lessons.indexOf(running) + 1];
    this.root.hidden = false;
    this.card.show({
      id: running.id,
      lesson: running.title,
      step,
      steps: running.steps.length,
      title: now.title,
      look: this.look,
      now: answered && now.after.length ? now.after : now.look,
      opening: step === 1 ? running.opening : [],
      text: now.text,
      question: now.question,
      options: now.options,
      answered,
      do: now.do,
      use: now.use,
      guide: running.guide,
      everything: this.everything,
      ...(answered ? {chosen, after: last && next ? [next.id, next.title] : [], ...unseal(now.sealed)} : {}),
    });
    if (running.guide && last) remember();
    this.acts.changed();
  }

  // The guide, where the page has one that this browser has not shown yet.
  get beginning() {
    const guide = this.lessons.find((lesson) => lesson.guide);
    return guide && !stored((storage) => storage.getItem(GUIDED)) ? guide.id : null;
  }
}
