// A step of a lesson: its text, the question with its options and, after the prediction, the answer.
// Texts come as trees (view/lessons/markup.py) and become elements here: no HTML of a file is ever read.

import {element, setText} from "./dom.js";
import {Equations} from "./equations.js";
import {Glossary, TERMS} from "./glossary.js";

/** @typedef {string | [string, ...any[]]} TreeNode */
/**
 * @typedef {{id: string, lesson: string, step: number, steps: number, title: string, look: string[], now: string[], opening: TreeNode[], text: TreeNode[], question: TreeNode[],
 *   options: TreeNode[][], answered: boolean, do: TreeNode[], use: string[], guide: boolean, everything: boolean, chosen?: number, right?: number, why?: TreeNode[][], reveal?: TreeNode[], take_home?: TreeNode[], after?: string[],
 *   refusal?: string, led?: Led | null}} LessonView
 */
// What a class does with the question: the phase and the number of its vote, this browser's vote, and once they may be seen the votes of all.
/** @typedef {{phase: ClassState["phase"], round: number, mine: number | null, votes: number[][]}} Led */
/** @typedef {{predict: (step: number, option: number) => void, walk: (way: "next" | "back") => void, leave: () => void, all: () => void, begin: (lesson: string) => void, list: () => void}} LessonActs */

const ELEMENTS = new Set(["p", "strong", "em", "ul", "ol", "li", "blockquote", "h4", "code", "pre", "br"]);

// Selectors of the controls that a step uses, and the card that they are in.
/** @type {Record<string, [string, string]>} */
const CONTROLS = {
  draw: ["image", '[data-part="draw"]'],
  images: ["image", '[data-part="images"]'],
  hold: ["why", ".lv-hold"],
  model: ["lane2", ".lv-lane[data-lane='1'] .lv-lane-menus"],
};

// Selectors of the player's cards by their names in lessons.
/** @type {Record<string, string>} */
const CARDS = {image: ".lv-input", lane1: ".lv-lane[data-lane='0']", lane2: ".lv-lane[data-lane='1']"};

// What a student may do about a question that the lecturer has opened.
/** @param {Led} led */
function wordsOf({phase, round, mine}) {
  if (phase === "asked") return "Think about it. The vote has not begun.";
  if (phase === "closed")
    return `Vote ${round} has ended. Discuss the question with your neighbours; the answer comes later.`;
  if (mine !== null) return `Your vote is counted (vote ${round}). The answer comes later.`;
  return round > 1 ? "Vote 2: choose again, after the discussion." : "Vote 1: choose what you expect.";
}

/** @param {number[][]} votes @param {number} option */
const votesOf = (votes, option) => votes.map((counts, n) => `vote ${n + 1}: ${counts[option]}`).join(", ");

export class LessonCard {
  /** @type {LessonView | null} */ view = null;
  /** @type {LessonView | null} */ shown = null; // before
  /** @type {Element[]} */ pointed = [];
  equations = new Equations();
  glossary = new Glossary((equation) => this.equations.show(equation));
  inner = element("div", {class: "lv-lesson-in"});
  status = element("div", {class: "lv-sr", role: "status"});
  node = element(
    "section",
    {class: "lv-lesson", "aria-label": "Lesson", tabindex: -1},
    this.inner,
    this.status,
    this.equations.node,
  );

  // `linkTo(id, step)` returns the address of a step
  /** @param {LessonActs} acts @param {(id: string, step: number) => string} linkTo */
  constructor(acts, linkTo) {
    this.acts = acts;
    this.linkTo = linkTo;
    this.node.addEventListener("pointerdown", (event) => this.glossary.pressed(event));
    this.node.addEventListener("scroll", () => this.glossary.scrolled());
  }

  /** @param {TreeNode[]} tree @returns {(Node | string)[]} */
  content(tree) {
    return this.glossary.glued(
      tree.map((node) => {
        if (typeof node === "string") return node;
        const [kind, ...rest] = node;
        if (kind === "term" && TERMS[rest[0]])
          return this.glossary.word(rest[0], ...this.content(rest.slice(1)));
        if (kind === "a" && /^(https?:\/\/|\?)/.test(rest[0]))
          return element("a", {href: rest[0], target: "_blank"}, ...this.content(rest.slice(1)));
        if (ELEMENTS.has(kind)) return element(/** @type {"p"} */ (kind), {}, ...this.content(rest));
        return element("span", {}, ...this.content(rest.slice(1)));
      }),
    );
  }

  /** @param {TreeNode[]} tree @param {string} [name] */
  text(tree, name = "") {
    return element("div", {class: `lv-lesson-text ${name}`}, ...this.content(tree));
  }

  // Show a step; the focus depends on the step before.
  /** @param {LessonView} view */
  show(view) {
    const before = this.view,
      answers = Boolean(
        before &&
        before.id === view.id &&
        before.step === view.step &&
        !before.answered &&
        view.answered &&
        view.options.length,
      );
    const moves = before !== null && !(before.id === view.id && before.step === view.step);
    this.shown = before;
    this.view = view;
    this.glossary.hide();
    const title = element("h2", {tabindex: -1}, view.title);
    const parts = [
      element(
        "header",
        {},
        element("span", {}, view.lesson),
        element("span", {}, `Step ${view.step} of ${view.steps}`),
      ),
      title,
    ];
    if (view.opening.length) parts.push(this.text(view.opening));
    if (view.text.length) parts.push(this.text(view.text));
    const asked = view.options.length ? this.question(view) : null;
    if (asked) parts.push(asked);
    const found =
      view.answered && view.options.length
        ? element(
            "h3",
            {tabindex: -1},
            view.chosen === -1
              ? "This is what happens."
              : view.chosen === view.right
                ? "That is what happens."
                : "Not what you expected: this is what happens.",
          )
        : null;
    if (found) parts.push(found);
    if (view.reveal?.length) parts.push(this.text(view.reveal));
    if (view.take_home?.length)
      parts.push(
        element(
          "div",
          {class: "lv-lesson-home"},
          element("h3", {}, "To take home"),
          this.text([["p", ...view.take_home]]),
        ),
      );
    if (view.do.length)
      parts.push(
        element(
          "p",
          {class: "lv-lesson-do"},
          element("b", {}, view.options.length && !view.answered ? "First answer, then do: " : "Do: "),
          element("span", {}, ...this.content(view.do)),
        ),
      );
    if (!view.led) parts.push(this.ways(view));
    this.inner.replaceChildren(...parts);
    if (view.led?.phase === "voting" && before?.led?.phase !== "voting")
      asked?.scrollIntoView({block: "nearest"});
    if (view.led && !answers && !moves) setText(this.status, view.refusal || wordsOf(view.led));
    if (answers && found) {
      setText(this.status, found.textContent ?? "");
      found.focus({preventScroll: true});
      found.scrollIntoView({block: "nearest"});
      if (this.node.scrollHeight > this.node.clientHeight)
        this.node.scrollTop = Math.max(0, found.offsetTop - this.node.offsetTop - 8);
    } else if (moves) {
      setText(this.status, `Step ${view.step} of ${view.steps}: ${view.title}`);
      this.node.scrollTop = 0;
      title.focus({preventScroll: true});
    }
    if (view.everything) this.point([], [], []);
    else this.point(view.look, view.now, view.use);
  }

  /** @param {LessonView} view */
  question(view) {
    const {led} = view,
      name = `lesson-${view.id}-${view.step}`,
      chosen = view.answered ? view.chosen : led?.mine,
      fixed = view.answered || Boolean(led && (led.phase !== "voting" || led.mine !== null)),
      picked = fixed ? -1 : this.picked(view);
    const says = element(
      "p",
      {class: "lv-lesson-says", role: led ? null : "status"}, // what a class does is told by a region that stays
      view.refusal || (led && !view.answered ? wordsOf(led) : ""),
    );
    const options = view.options.map((tree, n) => {
      const right = view.answered && n === view.right,
        mine = n === chosen,
        why = (view.answered && view.why?.[n]) || [];
      const words = [
        right ? (mine ? "the result, as you predicted" : "the result") : mine ? "your prediction" : "",
        view.answered && led?.votes.length ? votesOf(led.votes, n) : "",
      ].filter(Boolean);
      const radio = element("input", {
        type: "radio",
        name,
        value: String(n),
        onchange: () => {
          if (!led) setText(says, "");
          check.setAttribute("aria-disabled", "false");
        },
      });
      radio.checked = mine || n === picked;
      radio.disabled = fixed;
      return element(
        "label",
        {"data-right": right},
        radio,
        element(
          "span",
          {},
          ...this.content(tree),
          words.length ? element("small", {}, words.join("; ")) : null,
          why.length ? element("small", {class: "lv-lesson-why"}, ...this.content(why)) : null,
        ),
      );
    });
    const check = element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-do",
        "data-main": true,
        "aria-disabled": String(picked < 0),
        onclick: () => {
          const chosen = options.findIndex(
            (label) => /** @type {HTMLInputElement} */ (label.firstElementChild).checked,
          );
          if (chosen < 0) setText(says, "Choose what you expect first: a guess is enough.");
          else this.acts.predict(view.step, chosen);
        },
      },
      led ? "Vote" : "See what happens",
    );
    return element(
      "fieldset",
      {"data-answered": fixed},
      element("legend", {}, ...this.content(view.question)),
      element("div", {}, ...options),
      fixed ? null : check,
      view.answered ? null : says,
    );
  }

  // The option that is chosen and not told yet, where the same question is shown again.
  /** @param {LessonView} view */
  picked({id, step, led}) {
    const {shown} = this,
      again = shown && shown.id === id && shown.step === step && shown.led?.round === led?.round;
    if (!again) return -1;
    const radios = [
      .../** @type {NodeListOf<HTMLInputElement>} */ (this.inner.querySelectorAll("label > input")),
    ];
    return radios.findIndex(({checked, disabled}) => checked && !disabled);
  }

  /** @param {LessonView} view */
  ways(view) {
    const last = view.step === view.steps,
      [after, title] = view.after ?? [];
    /** @param {string} words @param {() => void} act @param {boolean} [main] */
    const button = (words, act, main = false) =>
      element("button", {type: "button", class: "lv-btn lv-do", "data-main": main, onclick: act}, words);
    const next = button(
      "Next",
      () => {
        if (view.answered) this.acts.walk("next");
        else setText(this.status, "Answer the question first.");
      },
      view.answered,
    );
    if (!view.answered) next.setAttribute("aria-disabled", "true");
    return element(
      "nav",
      {"aria-label": view.guide ? "Steps" : "Steps of the lesson", class: view.guide ? "lv-guide" : null},
      view.step > 1 ? button("Back", () => this.acts.walk("back")) : null,
      last ? null : next,
      last && view.answered && after
        ? button(
            view.guide ? "Begin the first lesson" : `Next lesson: ${title}`,
            () => this.acts.begin(after),
            true,
          )
        : null,
      last && view.answered && !(view.guide && after)
        ? button("All lessons", () => this.acts.list(), !after)
        : null,
      view.guide ? button(view.everything ? "Show less" : "Show all", () => this.acts.all()) : null,
      button(view.guide ? (last ? "Close" : "Skip") : "Leave the lesson", () => this.acts.leave()),
      view.guide ? null : element("a", {href: this.linkTo(view.id, view.step)}, "Link to this step"),
    );
  }

  // Mark cards of the player beside the lesson when it exists, and scroll to those that the text names.
  /** @param {string[]} look @param {string[]} now @param {string[]} use */
  point(look, now, use, patience = 100) {
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    this.pointed = [];
    clearTimeout(this.timer);
    const player = window.lrbnPlayers?.[0];
    if (!player?.lanes) {
      if (patience > 0) this.timer = setTimeout(() => this.point(look, now, use, patience - 1), 100);
      return;
    }
    this.pointed = this.nodesOf(player, look);
    for (const node of this.pointed) node.classList.add("lv-pointed");
    /** @param {string[]} cards */
    const used = (cards) =>
      use.flatMap((name) => {
        const [card, control] = CONTROLS[name] ?? [];
        return control && cards.includes(card) ? Array.from(player.root.querySelectorAll(control)) : [];
      });
    player.sight.show(this, [...this.pointed, ...used(look)], [...this.nodesOf(player, now), ...used(now)]);
  }

  /** @param {Player} player @param {string[]} names */
  nodesOf(player, names) {
    return names.flatMap((name) =>
      Array.from(player.root.querySelectorAll(CARDS[name] ?? `[data-part="${CSS.escape(name)}"]`)),
    );
  }

  // The lesson has ended: remove all marks from the player.
  end() {
    clearTimeout(this.timer);
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    window.lrbnPlayers?.[0]?.sight.end(this);
    this.pointed = [];
    this.view = null;
  }

  remove() {
    this.end();
    this.node.remove();
  }
}
