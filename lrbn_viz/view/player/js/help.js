// Help on "?": keys and orders of units, and a button that shows the parts which a link hides.

import {tellAgain} from "./story.js";
import {closeButton, element, shutByItself} from "./dom.js";
import {DRAWING_KEYS} from "./drawing_cursor.js";
import {UNIT_ORDERS} from "./orders.js";

const KEYS = [
  ["space", "play or pause"],
  ["\u2192  \u2190", "next visit, previous visit"],
  ["shift + \u2192  \u2190", "next flip, previous flip, of the lane asked about"],
  ["o  shift + o", "next, previous unit that turns off"],
  ["page down / up", "next sweep, previous sweep"],
  ["home / end", "start, end"],
  ["n  p  r", "next, previous, random image"],
  ["arrows in a grid", "select a unit"],
  ["in the input image", `to draw: ${DRAWING_KEYS}`],
  ["arrows, enter", "in the chart of other starts: choose an optimum, go to it"],
  ["c  shift + c", "next, previous caption"],
  ["escape", "follow the visits again; dismiss the captions"],
  ["f", "presenter mode: one or two cards, enlarged; Escape leaves it"],
  ["s", "save a picture of this view"],
  ["?", "this list"],
];

export class Help {
  keys = element("dl");
  title = element("h2", {tabindex: -1}, "Keyboard");

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.back = element(
      "p",
      {class: "lv-caption"},
      "Parts of this page are hidden. ",
      this.leadsTo("show all panels and controls", () => player.showAll()),
    );
    const {
      callbacks: {lane},
      equations,
      words,
    } = player;
    this.words = this.leadsTo("glossary", () => words.show());
    this.list = this.leadsTo("equations", () => equations.show());
    this.again = element(
      "button",
      {type: "button", class: "lv-btn lv-small", hidden: !lane, onclick: tellAgain},
      "the first look, with captions",
    );
    const orders = Object.values(UNIT_ORDERS).flatMap(([name, meaning]) => [
      element("dt", {}, name),
      element("dd", {}, meaning),
    ]);
    this.node = shutByItself(
      element(
        "dialog",
        {class: "lv-help", "aria-label": "Keyboard"},
        this.title,
        this.keys,
        this.back,
        element("details", {}, element("summary", {}, "Orders of the units"), element("dl", {}, ...orders)),
        element("p", {class: "lv-row"}, this.words, this.list, this.again),
        closeButton(),
      ),
    );
  }

  // A button that closes the dialog and then shows something else.
  /** @param {string} label @param {() => void} show */
  leadsTo(label, show) {
    const onclick = () => {
      this.node.close();
      show();
    };
    return element("button", {type: "button", class: "lv-btn lv-small", onclick}, label);
  }

  show() {
    const {callbacks, hidden} = this.player,
      gone = /** @type {Record<string, boolean>} */ ({
        "n  p  r": !callbacks.image || hidden.has("images"),
        "in the input image": !this.player.input.drawable,
        "c  shift + c": !this.player.story.shown,
        s: hidden.has("export"),
        f: hidden.has("view"),
      });
    this.keys.replaceChildren(
      ...KEYS.filter(([key]) => !gone[key]).flatMap(([key, text]) => [
        element("dt", {}, key),
        element("dd", {}, text),
      ]),
    );
    this.back.hidden = !hidden.size;
    this.node.showModal();
    this.title.focus(); // so that it opens at its beginning, not at its first button
    this.node.scrollTop = 0;
  }
}
