// Captions about the first traces (app/inference/first_look.py): each moves the cursor to its visit, and points at the parts
// of the page that it names. They end when other traces are shown, for which they would be false, or when they are
// dismissed, which the browser remembers.

import {element, setAttribute, setText} from "./dom.js";
import {TERMS} from "./glossary.js";
import choices from "../choices.json" with {type: "json"};

/** @typedef {{title: string, text: string, visit: number, parts: string[], link?: string, words?: string, here?: boolean}} Caption */

const STORED = "lrbn-viz-first-look"; // key of the dismissal in the browser's storage

// Parts that captions point at, by their names in Python.
/** @type {Record<string, string>} */
const PARTS = choices.story_parts;

// Progress of the captions on this page, so that a player that is drawn again continues them.
const told = {begun: false, at: 0};

// Some browsers offer no storage; then a dismissal is not remembered.
/** @template Value @param {(storage: Storage) => Value} act @returns {Value | undefined} */
export function stored(act) {
  try {
    return act(window.localStorage);
  } catch {
    return undefined;
  }
}

// Open the page's address without settings, which shows the captions again.
export function tellAgain() {
  stored((storage) => storage.removeItem(STORED));
  window.location.assign(window.location.pathname);
}

// Key of the displayed traces.
/** @param {TraceMeta} meta */
const keyOf = ({question, lanes}) =>
  JSON.stringify([
    question,
    lanes.map(({model, subtitle, start, seed, held, n_visits}) => [
      model,
      subtitle,
      start,
      seed,
      held,
      n_visits,
    ]),
  ]);

// Whether a card is drawn, and whole in its room.
/** @param {Element} node @param {Element} within */
function isSeen(node, within) {
  const {top, bottom, height} = node.getBoundingClientRect(),
    room = within.getBoundingClientRect();
  return height > 0 && top >= room.top && bottom <= room.bottom;
}

export class Story {
  /** @type {Caption[]} */ captions = [];
  at = -1; // no caption is shown
  key = "";
  count = element("span", {class: "lv-told-count"});
  texts = element("div", {class: "lv-told-texts"});
  status = element("div", {class: "lv-sr", role: "status"});
  /** @type {Element[]} */ pointed = [];
  answers = false; // a card that answers is in sight, in the place of what the caption speaks of

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @param {string} text @param {string} label @param {() => void} onclick */
    const button = (text, label, onclick) =>
      element("button", {type: "button", class: "lv-btn lv-small", "aria-label": label, onclick}, text);
    this.back = button("Back", "Back: previous caption", () => this.go(this.at - 1));
    this.next = button("Next", "Next caption", () => this.go(this.at + 1));
    this.next.classList.add("lv-told-next");
    this.close = button("\u00d7", "Dismiss the captions", () => this.end(true));
    this.node = element(
      "section",
      {class: "lv-told", "aria-label": "What is shown, in captions", hidden: true},
      // the buttons come first in the Tab order, before the terms in the text above them
      element(
        "div",
        {class: "lv-row"},
        this.count,
        this.back,
        this.next,
        element("kbd", {"aria-hidden": "true"}, "C"),
        this.close,
      ),
      this.texts,
      this.status,
    );
  }

  get shown() {
    return this.at >= 0;
  }

  // Show captions for the displayed traces, unless they were dismissed before. Returns whether they begin now.
  /** @param {Caption[]} captions */
  tell(captions) {
    if (!captions.length || stored((storage) => storage.getItem(STORED)) === "dismissed") return false;
    const {begun} = told;
    told.begun = true;
    this.captions = captions;
    this.key = keyOf(this.player.meta);
    this.texts.replaceChildren(
      ...captions.map((caption) =>
        element("div", {}, element("h2", {}, caption.title), element("p", {}, ...this.content(caption))),
      ),
    );
    this.node.hidden = false;
    this.show(told.at);
    return !begun;
  }

  // Text with explained terms, and the link of a caption.
  /** @param {Caption} caption */
  content({text, link, words, here}) {
    const parts = text.split(/\[([^\]]+)\]\(([\w-]+)\)/),
      {glossary} = this.player;
    /** @type {(Node | string)[]} */
    const content = glossary.glued(
      parts.flatMap((part, n) =>
        n % 3 === 2
          ? []
          : n % 3 === 1
            ? [TERMS[parts[n + 1]] ? glossary.word(parts[n + 1], part) : part]
            : [part],
      ),
    );
    if (link) content.push(" ", element("a", {href: link, target: here ? null : "_blank"}, words));
    return content;
  }

  /** @param {number} at */
  show(at) {
    const {
      captions,
      player: {root},
    } = this;
    this.at = told.at = at;
    Array.from(this.texts.children, (node, n) => setAttribute(node, "data-shown", String(n === at)));
    setText(this.count, `${at + 1} of ${captions.length}`);
    setAttribute(this.back, "aria-disabled", String(at === 0));
    setText(this.next, at + 1 < captions.length ? "Next" : "Done");
    setAttribute(
      this.next,
      "aria-label",
      at + 1 < captions.length ? "Next caption" : "Done: dismiss the captions",
    );
    const nodes = captions[at].parts.flatMap((part) => Array.from(root.querySelectorAll(PARTS[part])));
    this.point(nodes.filter((node) => !node.closest("[hidden]"))); // of pictures and lists of variables one is there
  }

  /** @param {Element[]} nodes */
  point(nodes) {
    for (const node of this.pointed) node.classList.remove("lv-pointed");
    this.pointed = nodes;
    for (const node of nodes) node.classList.add("lv-pointed");
    this.answers = false;
    this.player.sight.show(this, nodes);
  }

  // A person asks about a unit while a caption shows: where the card that answers is out of sight, it comes into sight, with the
  // latents that the unit is one of if there is room. Once nobody asks, what the caption speaks of returns.
  /** @param {number} lane @param {number} unit */
  asked(lane, unit) {
    if (!this.shown) return;
    const {panels, cards, sight, presenter} = this.player,
      answer = panels.why?.node;
    if (unit < 0) {
      if (this.answers) sight.show(this, this.pointed);
      this.answers = false;
    } else if (answer && !presenter.on && !isSeen(answer, this.player.inner)) {
      const latents = /** @type {HTMLElement} */ (cards[lane].node.querySelector(".lv-latents"));
      sight.show(this, [latents, answer], [answer]);
      this.answers = true;
    }
  }

  // Go to another caption and its visit; after the last one the captions end.
  /** @param {number} at */
  go(at) {
    const {captions, player} = this;
    if (!this.shown || at < 0) return;
    if (at >= captions.length) return this.end(true);
    player.pause();
    if (player.selected.unit >= 0 || player.selected.lane) player.select(0, -1);
    player.seek(captions[at].visit);
    this.show(at);
    setText(this.status, `${this.count.textContent}: ${this.texts.children[at].textContent}`);
  }

  // Other traces are shown, for which the captions would be false.
  /** @param {TraceMeta} meta */
  follow(meta) {
    if (this.shown && keyOf(meta) !== this.key) this.end(this.at === this.captions.length - 1);
  }

  /** @param {boolean} dismissed */
  end(dismissed) {
    if (!this.shown) return;
    const within = this.node.contains(
      /** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement,
    );
    this.point([]);
    this.at = -1;
    this.player.glossary.hide();
    this.node.hidden = true;
    if (within) this.player.transport.playButton.focus(); // the focused element was removed
    if (dismissed) stored((storage) => storage.setItem(STORED, "dismissed"));
  }
}
