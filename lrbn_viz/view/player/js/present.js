// Presenter mode: one or two cards fill the window at twice the font size, above a sentence about the visit.

import {element, icon, iconButton, setAttribute, setText} from "./dom.js";
import {PixelView} from "./draw.js";
import {viewTitles} from "./registry.js";
import choices from "../choices.json" with {type: "json"};
import constants from "../../../io/constants.json" with {type: "json"};

// Everything outside of a node is inert for keys and screen readers, as it is covered.
/** @param {HTMLElement} node @returns {() => void}  gives it back */
function seclude(node) {
  const made = /** @type {HTMLElement[]} */ ([]);
  for (let at = /** @type {Element} */ (node); at !== document.body && at.parentNode;) {
    const {parentNode} = at,
      parent = /** @type {Element | ShadowRoot} */ (parentNode);
    for (const beside of parent.children) {
      if (beside !== at && beside instanceof HTMLElement && !beside.inert) {
        beside.inert = true;
        made.push(beside);
      }
    }
    at = parent instanceof ShadowRoot ? parent.host : parent;
  }
  return () => {
    for (const each of made) each.inert = false;
  };
}

export class Presenter {
  /** @type {string[]} */ cards = []; // names of the displayed cards; empty: presenter mode is off
  captions = true;
  before = ["lane1", "why"]; // initial cards
  /** @type {(() => void) | null} */ letBack = null;
  /** @type {PixelView | undefined} */ view;
  happens = element("b");
  because = element("span");

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.titles = /** @type {Record<string, string>} */ ({...choices.cards, ...viewTitles()});
    this.button = iconButton("present", "Presenter mode", "F", () => this.enter());
    this.button.classList.add("lv-present-it");
    this.button.dataset.part = "view";
    this.button.hidden = player.inNotebook;
    this.menus = [0, 1].map((at) =>
      element("select", {
        "aria-label": at ? "Second card" : "First card",
        onchange: () => this.choose(this.menus.map(({value}) => value)),
      }),
    );
    /** @param {string} text @param {string} title @param {() => void} onclick */
    const button = (text, title, onclick) =>
      element("button", {type: "button", class: "lv-btn lv-small", title, onclick}, text);
    this.captionButton = button("captions", "Say below what happens", () => {
      this.say(!this.captions);
      player.callbacks.chose?.("captions");
    });
    this.themeButton = button("", "Dark or light page", () => {
      window.lrbnTheme?.choose(!window.lrbnTheme.dark);
      this.fill();
    });
    this.leaveButton = button("leave", "Leave presenter mode (Escape)", () => this.leave());
    this.leaveButton.setAttribute("aria-label", "Leave presenter mode");
    this.leaveButton.prepend(icon("leave"));
    this.seen = element("span", {class: "lv-foot-words", hidden: true}); // where it is no picture
    this.line = element("p", {class: "lv-caption-line"}, this.happens, " ", this.because);
    // the image is always shown
    this.picture = element("canvas", {
      class: "lv-pixels lv-foot-image",
      role: "img",
      "aria-label": "Input image",
    });
    this.node = element(
      "div",
      {class: "lv-foot", role: "group", "aria-label": "Presenter mode", hidden: true},
      this.picture,
      this.seen,
      this.line,
      element(
        "div",
        {class: "lv-presenter"},
        ...this.menus,
        this.captionButton,
        this.themeButton,
        this.leaveButton,
      ),
    );
  }

  get on() {
    return this.cards.length > 0;
  }

  // The existing cards of these names.
  /** @returns {Record<string, HTMLElement>} */
  get nodes() {
    const {input, cards, panels} = this.player,
      lanes = cards.map(({node}, index) => [`lane${index + 1}`, node]);
    return Object.fromEntries([
      ["image", input.node],
      ...lanes,
      ...Object.entries(panels).map(([name, {node}]) => [name, node]),
    ]);
  }

  // Whether a panel is painted: in presenter mode only displayed ones.
  /** @param {string} name */
  presents(name) {
    return !this.on || this.cards.includes(name);
  }

  enter() {
    if (!this.player.inNotebook) this.choose(this.on ? this.cards : this.before);
  } // a notebook's page is not covered

  leave() {
    if (!this.on) return;
    this.choose([]);
    this.button.focus();
  }

  // The user chooses cards.
  /** @param {string[]} names */
  choose(names) {
    const begins = !this.on;
    this.show(names);
    this.player.callbacks.chose?.("present");
    if (begins && this.on) this.leaveButton.focus();
  }

  // Display these cards, at most two, in their order on the page; none leaves the mode.
  /** @param {string[]} names */
  show(names) {
    const wanted = new Set(names);
    this.cards = Object.keys(this.titles)
      .filter((name) => wanted.has(name) && this.player.shows(name))
      .slice(0, constants.max_presented);
    if (this.on) this.before = this.cards;
    this.fill();
    this.player.refresh();
  }

  /** @param {boolean} captions */
  say(captions) {
    this.captions = captions;
    this.fill();
    this.player.refresh();
  }

  // Apply the choice of cards to the page; again when lanes have arrived.
  fill() {
    const {player, on, cards} = this,
      {root, board} = player;
    if (!on && !root.classList.contains("lv-presents")) return;
    player.sizes = new WeakMap(); // a displayed card has another size than a hidden one
    root.classList.toggle("lv-presents", on);
    root.classList.toggle("lv-captions", this.captions);
    root.dataset.cards = cards.join(".");
    for (const [name, node] of Object.entries(this.nodes))
      node.toggleAttribute("data-aside", on && !cards.includes(name));
    board.toggleAttribute("data-aside", on && !cards.some((name) => /^(image|lane\d)$/.test(name)));
    this.node.hidden = !on;
    const table = Boolean(player.lanes?.[0].variables);
    this.picture.hidden = cards.includes("image") || table;
    this.seen.hidden = cards.includes("image") || !table;
    if (player.lanes) {
      const [
        {
          model: {rows, columns},
        },
      ] = player.lanes;
      this.view = new PixelView(this.picture, rows, columns);
      this.picture.style.setProperty("--lv-shape", `${columns} / ${rows}`);
    }
    this.line.hidden = !this.captions;
    setAttribute(this.captionButton, "aria-pressed", String(this.captions));
    this.themeButton.hidden = !window.lrbnTheme;
    setText(this.themeButton, window.lrbnTheme?.dark ? "light" : "dark");
    this.menus.forEach((menu, at) => {
      const there = Object.keys(this.titles).filter(
        (name) => name in this.nodes && player.shows(name) && name !== cards[1 - at],
      );
      menu.replaceChildren(
        ...(at ? [element("option", {value: ""}, "no second card")] : []),
        ...there.map((name) => element("option", {value: name}, this.titles[name])),
      );
      menu.value = cards[at] ?? "";
    });
    if (on && !this.letBack && root.isConnected) this.letBack = seclude(root);
    if (!on) {
      this.letBack?.();
      this.letBack = null;
    }
    player.sight.follow();
  }

  /** @param {number} k */
  paint(k) {
    if (!this.on) return;
    if (this.view && !this.picture.hidden && this.player.colours)
      this.player.input.paintOn(this.view, this.player.colours.tables);
    if (!this.seen.hidden) setText(this.seen, this.player.input.observedWords);
    if (!this.captions) return;
    setText(this.happens, `${this.player.transport.said(k)}.`);
    setText(
      this.because,
      Object.values(this.player.panels)
        .map((panel) => panel.caption?.() ?? "")
        .join(""),
    );
  }
}
