// Lessons in the live page, with the functions of the explorer's server (app/lessons/state.py). The answer of a step is
// encoded in the script's data, and enters the document after the prediction. In a class its server has the answer, and a
// lecturer may lead through the questions.

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

/** @typedef {{answer: LiveAnswer} | {error: string}} Told  what a class's server says to a prediction */
/**
 * What lessons do to the page; `open` shows an address, and `presented` are the cards that fill the lecturer's board.
 * @typedef {{open: (query: string, hidden: string, presented: string[]) => void, stepOf: (lesson: string, step: number) => Promise<{step: LiveStep} | {error: string}>, say: (words: string) => void, train: (asked: Arrangement) => void, hidden: () => string, hide: (names: string) => void, changed: () => void, panels: () => string[], predicted: (lesson: string, step: number, option: number) => Promise<Told>, vote: (state: ClassState, option: number) => Promise<string>}} LiveActs
 */

const GUIDED = constants.guide_cookie; // key in the browser's storage
const remember = () => stored((storage) => storage.setItem(GUIDED, "1"));

/** @param {string} text @returns {LiveAnswer} */
const unseal = (text) =>
  JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));

export class LiveLessons {
  /** @type {LiveLesson | null} */ running = null;
  step = 1;
  /** @type {LiveStep | null} */ current = null; // the step
  chosen = -1; // predicted option; -1: none yet
  /** @type {LiveAnswer | null} */ answer = null; // of the step, once it may be seen
  /** @type {ClassState | null} */ led = null; // what the lecturer has opened; null: the page goes at its own pace
  refusal = ""; // what the class's server has said to a prediction or a vote that it did not count
  before = ""; // hidden parts before the lesson began
  onBoard = false; // whether the page is a part of the lecturer's board, which has the question itself
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
    if (!lesson || !(step - 1 in lesson.steps)) return false;
    this.reach(lesson, step);
    return true;
  }

  /** @param {"next" | "back"} way */
  walk(way) {
    const {running, step} = this;
    if (!running) return;
    if (way === "next" && this.answered && step < running.steps.length) this.reach(running, step + 1);
    else if (way === "back" && step > 1) this.reach(running, step - 1);
  }

  // Show a step once it is here.
  /** @param {LiveLesson} lesson @param {number} step */
  async reach(lesson, step) {
    const known = lesson.steps[step - 1];
    if (known) return this.go(lesson, step, known);
    const told = await this.acts.stepOf(lesson.id, step);
    if (this.isLed) return;
    if ("step" in told) this.go(lesson, step, told.step);
    else this.acts.say(told.error);
  }

  /** @param {number} step @param {number} option */
  predict(step, option) {
    const {running, now} = this;
    if (!running || step !== this.step || this.answered) return;
    if (this.led) this.vote(option);
    else if (now.sealed) this.found(unseal(now.sealed), option);
    else
      this.acts.predicted(running.id, step, option).then((told) => {
        if (running !== this.running || now !== this.now || this.answered || this.led) return;
        if ("answer" in told) this.found(told.answer, option);
        else this.refuse(told.error);
      });
  }

  // The answer to the step may be seen now.
  /** @param {LiveAnswer} answer @param {number} option */
  found(answer, option) {
    const {state} = this.now,
      {then, after, train} = answer;
    this.chosen = option;
    this.answer = answer;
    this.refusal = "";
    if (train) this.acts.train(train);
    else if (then !== state || after.length) this.acts.open(then, this.outOfSight, this.presented);
    this.show();
  }

  /** @param {string} words */
  refuse(words) {
    this.refusal = words;
    this.show();
  }

  // -- led by a lecturer

  /** @param {number} option */
  async vote(option) {
    const {led} = this;
    if (!led || led.phase !== "voting" || this.voted != null) return;
    const refusal = await this.acts.vote(led, option);
    if (this.led?.version !== led.version) return;
    if (!refusal) this.led.mine[led.round - 1] = option;
    this.refuse(refusal);
  }
  // Whether a question is open that the lecturer has chosen.
  get isLed() {
    return this.led?.lesson !== undefined;
  }
  // This browser's vote of the present round.
  get voted() {
    return this.led?.mine[this.led.round - 1];
  }
  // The last vote that this browser has made; -1: none.
  get lastVote() {
    return this.led?.mine.findLast((option) => option !== null) ?? -1;
  }

  // The class's server says what the class does now.
  /** @param {ClassState} state */
  follow(state) {
    const before = this.led,
      {lesson, step = 1, phase, answer} = state;
    this.refusal = "";
    this.led = phase === "own" ? null : state;
    if (lesson === undefined) {
      if (before?.lesson !== undefined) this.leave();
      else if (this.running) this.show();
      return;
    }
    const found = this.lessons.find((each) => each.id === lesson);
    if (!found || !state.asks) return;
    const isShown =
      this.running === found && this.step === step && before?.lesson === lesson && before.step === step;
    if (!isShown || (this.answer && !answer)) {
      this.go(found, step, state.asks);
    }
    if (answer && !this.answer) this.found(answer, this.lastVote);
    else this.show();
  }

  // Show all of the page beside the lesson, or again what its step is about.
  showAll() {
    this.everything = !this.everything;
    this.acts.hide(this.outOfSight);
    this.show();
  }

  leave() {
    if (!this.running || this.isLed) return;
    if (this.running.guide) remember();
    this.running = null;
    this.everything = false;
    this.root.hidden = true;
    this.card.end();
    this.acts.hide(this.before);
    this.acts.changed();
  }

  /** @param {LiveLesson} lesson @param {number} step @param {LiveStep} current */
  go(lesson, step, current) {
    if (!this.running) this.before = this.acts.hidden();
    this.running = lesson;
    this.current = current;
    this.step = step;
    this.chosen = -1;
    this.refusal = "";
    const {state, train, options, sealed} = this.now;
    this.answer = options.length ? null : unseal(sealed);
    if (train) this.acts.train(train);
    else this.acts.open(state, this.outOfSight, this.presented);
    this.show();
  }

  get now() {
    return /** @type {LiveStep} */ (this.current);
  }
  // The run that is shown, if the step is about training.
  get trained() {
    return this.running ? (this.answer ?? this.now).train : null;
  }
  get answered() {
    return this.answer !== null;
  }
  get look() {
    return [...this.now.look, ...(this.answer?.after ?? [])];
  }
  // The cards that the step is about now.
  get presented() {
    return this.answer?.after.length ? this.answer.after : this.now.look;
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
    const {running, step, now, chosen, answer, led} = this;
    if (!running) return;
    const last = step === running.steps.length,
      next = this.lessons[this.lessons.indexOf(running) + 1];
    this.root.hidden = this.onBoard;
    this.card.show({
      id: running.id,
      lesson: running.title,
      step,
      steps: running.steps.length,
      title: now.title,
      look: this.look,
      now: this.presented,
      opening: now.opening,
      text: now.text,
      question: now.question,
      options: now.options,
      answered: answer !== null,
      refusal: this.refusal,
      led:
        led && this.isLed
          ? {phase: led.phase, round: led.round, mine: this.voted ?? null, votes: led.votes ?? []}
          : null,
      do: now.do,
      use: now.use,
      guide: running.guide,
      everything: this.everything,
      ...(answer ? {...answer, chosen, after: last && next ? [next.id, next.title] : []} : {}),
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
