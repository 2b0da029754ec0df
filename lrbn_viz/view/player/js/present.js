// Presenter mode: a card or two fill the window in letters twice as large, over a line that says what happens.

import {element, icon, iconButton, setAttribute, setText} from "./dom.js";
import {PixelView} from "./draw.js";
import {viewTitles} from "./registry.js";
import {LETTERS} from "./theme.js";

export const MOST = 2; // cards at once

const LANE_AND_WHY = '.lv-presents[data-cards^="lane"][data-cards$=".why"]'; // those that it begins with

export const PRESENT_STYLE = `
.lv [data-aside] { display: none !important; }
.lv.lv-presents { position: fixed; inset: var(--lv-lost, 0px) 0 0; width: auto; height: auto; z-index: 1400; }
.lv-presents .lv-in, .lv-presents .lv-caption-line { font-size: calc(2 * ${LETTERS}); } .lv-presents .lv-in { padding: .5em; gap: .5em; } .lv-presents .lv-card { padding: .5em .7em .6em; }
.lv-presents .lv-board { grid-template-columns: minmax(0, 1fr); gap: .5em; } .lv-presents .lv-input { grid-row: auto; }
.lv-presents[data-cards^="image.lane"] .lv-board { grid-template-columns: minmax(0, 24%) minmax(0, 1fr); }
.lv-presents[data-cards="image"] .lv-board { grid-template-columns: minmax(0, min(100%, 62vh)); justify-content: center; }
.lv-presents .lv-views { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1.7fr); } .lv-presents .lv-curve { grid-column: 1 / -1; } .lv-presents .lv-curve .lv-fill { min-height: 4.5em; }
.lv-presents[data-cards^="image.lane"] .lv-views { grid-template-columns: minmax(0, 1fr) minmax(9.4em, 1fr) minmax(0, 1.7fr); }
.lv-presents[data-cards="lane1.lane2"] .lv-views { grid-template-columns: minmax(7em, 15fr) minmax(9.6em, 19fr) minmax(11.4em, 24fr) minmax(0, 42fr); gap: .6em; } .lv-presents[data-cards="lane1.lane2"] .lv-curve { grid-column: auto; }
.lv-presents .lv-why-body { grid-template-columns: minmax(0, 30fr) minmax(0, 36fr) minmax(0, 34fr); gap: .8em; } .lv-presents .lv-partners { display: none; }
.lv-presents .lv-maps { grid-template-columns: minmax(0, 1fr); } .lv-presents[data-cards*="."] .lv-maps { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.lv-presents[data-cards="why"] .lv-why-body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .lv-presents[data-cards="why"] .lv-maps { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.lv-presents:is([data-cards="lane1"], [data-cards="lane2"]) .lv-curve .lv-fill { min-height: 7em; }
.lv-presents .lv-truth-body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .lv-presents .lv-truth-body > :last-child { grid-column: 1 / -1; } .lv-presents .lv-truth-body .lv-maps { grid-template-columns: repeat(auto-fit, minmax(6em, 1fr)); }
.lv-presents .lv-why-title { flex-basis: auto; } .lv-presents .lv-why-title .lv-box { contain: none; }
.lv-presents.lv-captions :is(.lv-verdict, .lv-says), .lv-presents .lv-lane-menus, .lv-presents .lv-told { display: none; }
.lv-presents .lv-save-card { display: none; }
.lv-foot { flex: none; background: var(--lv-surface); border-top: 1px solid var(--lv-line); padding: .4em 1em 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 1em; } .lv-foot > :not(.lv-foot-image) { grid-column: 2; }
.lv .lv-foot-image { grid-row: 1 / span 2; width: auto; height: 6.5rem; aspect-ratio: var(--lv-shape); align-self: center; } .lv-foot + .lv-transport { border-top: 0; box-shadow: none; }
.lv-presents:not(.lv-captions) .lv-foot { align-items: center; } .lv-presents:not(.lv-captions) .lv-foot-image { height: 4rem; grid-row: 1; }
.lv .lv-caption-line { line-height: 1.3; min-height: 2.6em; max-width: 60em; margin: 0 auto; text-wrap: balance; } .lv-caption-line b { font-weight: 650; } .lv-caption-line span { color: var(--lv-muted); }
.lv-presenter { display: flex; flex-wrap: wrap; gap: .3em .6em; align-items: center; justify-content: center; font-size: ${LETTERS}; color: var(--lv-muted); padding-top: .3em; }
.lv-presenter select { max-width: 15em; } .lv .lv-presenter .lv-small { font-size: .95em; } .lv-presenter svg { width: 1.2em; height: 1.2em; }
.lv-side .lv-present-it { min-width: 2.4em; height: 2.3em; border-color: var(--lv-line); } .lv-presents .lv-side { display: none; }
.lv-presents .lv-who .lv-chips-row { grid-template-columns: repeat(auto-fill, minmax(4.6em, 1fr)); }
@container (min-width: 1100px) { /* a lane and why: both in view at once, and what the colours mean below them */
  ${LANE_AND_WHY} .lv-views { grid-template-columns: minmax(6.4em, 20vh) minmax(8.8em, 20vh) 27fr 35fr; gap: .8em; } ${LANE_AND_WHY} .lv-error canvas { max-width: 20vh; } ${LANE_AND_WHY} .lv-error .lv-label b { flex-basis: 6em; }
  ${LANE_AND_WHY} .lv-curve { grid-column: auto; } ${LANE_AND_WHY} .lv-board { display: contents; } ${LANE_AND_WHY} .lv-board > .lv-legends { order: 1; }
  ${LANE_AND_WHY} .lv-bars { grid-template-rows: repeat(4, 1.62em) 2em; padding-top: 0; } ${LANE_AND_WHY} .lv-card > header { margin-bottom: .1em; }
}
@container (min-width: 1100px) and (max-width: 1800px) { ${LANE_AND_WHY} .lv-hold { display: none; } }
@container (min-width: 721px) {
  .lv-presents[data-cards="why"] .lv-bars { grid-column: 2; grid-row: 1 / span 2; } .lv-presents[data-cards="why"] :is(.lv-maps, .lv-who) { grid-column: 1; }
}
@container (max-width: 720px) {
  .lv-side .lv-speed-word { display: none; }
  .lv-presents .lv-board, .lv-presents .lv-why-body, .lv-presents .lv-truth-body { grid-template-columns: minmax(0, 1fr) !important; }
  .lv-presents .lv-views { grid-template-columns: 1fr 1fr !important; } .lv-presents .lv-latents, .lv-presents .lv-curve { grid-column: 1 / -1 !important; } .lv-presents .lv-maps { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .lv-presents .lv-in select { max-width: 100%; } .lv-presents .lv-check { white-space: normal; } .lv-presents .lv-views .lv-label { flex-wrap: wrap; white-space: normal; height: auto; }
}
@container (max-width: 600px) {
  .lv-presents .lv-in, .lv-presents .lv-card { padding: .3em .4em; } .lv-presents .lv-views, .lv-presents .lv-matrices, .lv-presents .lv-mosaics, .lv-presents .lv-rasters { grid-template-columns: minmax(0, 1fr) !important; }
  .lv-presents .lv-maps { grid-template-columns: repeat(auto-fit, minmax(5em, 1fr)) !important; }
  .lv-presents .lv-bars { grid-template-columns: minmax(5.2em, auto) minmax(0, 1fr) auto; column-gap: .3em; } .lv-presents .lv-bars > b { width: auto; min-width: 3.9em; }
  .lv-presents .lv-why-title { flex: 1 1 100%; } .lv-presents .lv-why-title .lv-box { white-space: normal; height: auto; } .lv-presents .lv-in select { font-size: .7em; } .lv-presents .lv-table { table-layout: auto; }
  .lv-presents .lv-table thead th + th { width: auto; } .lv-presents .lv-table thead th + th, .lv-presents .lv-table td { padding-left: .3em; }
  .lv-presents .lv-scale span:nth-child(even) { display: none; } .lv-presents .lv-verdict .lv-box { height: auto; min-height: 8.7em; contain: none; }
}
`;

// What is beside a node, and beside all that holds it, is out of reach of keys and screen readers, as it is covered.
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
  /** @type {string[]} */ cards = []; // in view, by name; none: all are, as usual
  captions = true;
  before = ["lane1", "why"]; // those to begin with
  /** @type {(() => void) | null} */ letBack = null;
  /** @type {PixelView | undefined} */ view;
  happens = element("b");
  because = element("span");

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.titles = /** @type {Record<string, string>} */ ({
      image: "The image",
      lane1: "Lane 1",
      lane2: "Lane 2",
      ...viewTitles(),
    });
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
    this.line = element("p", {class: "lv-caption-line"}, this.happens, " ", this.because);
    // the image is in sight whichever cards are
    this.picture = element("canvas", {
      class: "lv-pixels lv-foot-image",
      role: "img",
      "aria-label": "Input image",
    });
    this.node = element(
      "div",
      {class: "lv-foot", role: "group", "aria-label": "Presenter mode", hidden: true},
      this.picture,
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

  // Cards by name, as far as there are any now.
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

  // Whether a panel is to be painted: in presenter mode those alone that are in view.
  /** @param {string} name */
  presents(name) {
    return !this.on || this.cards.includes(name);
  }

  enter() {
    if (!this.player.inNotebook) this.choose(this.on ? this.cards : this.before);
  } // a notebook is no page of ours to cover

  leave() {
    if (!this.on) return;
    this.choose([]);
    this.button.focus();
  }

  // A person chooses cards.
  /** @param {string[]} names */
  choose(names) {
    const begins = !this.on;
    this.show(names);
    this.player.callbacks.chose?.("present");
    if (begins && this.on) this.leaveButton.focus();
  }

  // Put these cards in view: in the order in which they stand, no more than two; none leaves the mode.
  /** @param {string[]} names */
  show(names) {
    const wanted = new Set(names);
    this.cards = Object.keys(this.titles)
      .filter((name) => wanted.has(name) && this.player.shows(name))
      .slice(0, MOST);
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

  // The page as the cards have it; again when lanes have come.
  fill() {
    const {player, on, cards} = this,
      {root, board} = player;
    if (!on && !root.classList.contains("lv-presents")) return;
    player.sizes = new WeakMap(); // a card that comes into view has no longer the size of one that is out of it
    root.classList.toggle("lv-presents", on);
    root.classList.toggle("lv-captions", this.captions);
    root.dataset.cards = cards.join(".");
    for (const [name, node] of Object.entries(this.nodes))
      node.toggleAttribute("data-aside", on && !cards.includes(name));
    board.toggleAttribute("data-aside", on && !cards.some((name) => /^(image|lane\d)$/.test(name)));
    this.node.hidden = !on;
    this.picture.hidden = cards.includes("image");
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
