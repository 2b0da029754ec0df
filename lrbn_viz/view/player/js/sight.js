// Layout by which all parts that a caption or a lesson names are visible together: if there is room, the page only scrolls;
// otherwise other parts are hidden, and the named ones are reduced as far as necessary. The end restores the page.

import {bringIntoView} from "./scroll.js";

const PICTURE_HEIGHTS = [220, 170, 130, 100, 76, 60, 46]; // largest heights of pictures, pixels
/** @type {[string, number][]} */
const LAYOUTS = [
  ["whole", 0],
  ["quiet", 0],
  ...["quiet small", "quiet small beside", "quiet small lean"].flatMap((name) =>
    PICTURE_HEIGHTS.map((tall) => /** @type {[string, number]} */ ([name, tall])),
  ),
];
const TIGHT_HEIGHT = 76; // the same if there is not enough room
// The same in presenter mode: down to 64, and then without the Why card's sentence down to 44.
/** @type {[string, number][]} */
const PRESENTED = [
  ...Array.from({length: 24}, (_, n) => /** @type {[string, number]} */ (["present", 524 - 20 * n])),
  ...Array.from({length: 25}, (_, n) => /** @type {[string, number]} */ (["present brief", 524 - 20 * n])),
];
const FIT_MIN_WIDTH = 1000; // least width, pixels, for which presenter mode fits cards into the window; in narrower ones they form a column
const SIDE_BY_SIDE_WIDTH = 560; // least width, pixels, of two lanes side by side
const MARGIN = 8; // pixels around, for the rings of pointed-at parts

// From the top of the first to the bottom of the last.
/** @param {Element[]} nodes @returns {[number, number]} */
function between(nodes) {
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  return [Math.min(...boxes.map(({top}) => top)), Math.max(...boxes.map(({bottom}) => bottom))];
}

export class Sight {
  /** @type {object | null} */ owner = null;
  /** @type {HTMLElement[][]} */ wanted = []; // groups of named parts; without room for all, the last group
  /** @type {HTMLElement[]} */ nodes = []; // the visible ones of them
  key = "";
  tight = false; // not even the last group fits: its beginning is shown
  tall = 0; // pixels that what stays whole was tall
  whole = false; // whether it was completely visible
  layout = 0; // in presenter mode, as PRESENTED counts

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.resizes = new ResizeObserver(() => this.follow());
  }

  // Show parts of the player together; `owner` names the caption or lesson, and `now` are the indispensable parts. The
  // transport is always visible.
  /** @param {object} owner @param {Element[]} nodes @param {Element[]} now */
  show(owner, nodes, now = nodes) {
    const {inner} = this.player,
      within = [nodes, now].map((some) =>
        /** @type {HTMLElement[]} */ (some).filter((node) => inner.contains(node)),
      );
    this.clear();
    this.owner = owner;
    this.wanted = now.length < nodes.length ? within : within.slice(0, 1);
    if (!within[0].length) return this.end(owner);
    for (const node of [inner, ...within[0]]) this.resizes.observe(node);
    this.key = "";
    this.follow();
  }

  // Mark each node for the style sheet: named, or containing a named one.
  /** @param {HTMLElement[]} nodes */
  mark(nodes) {
    const {root, inner} = this.player;
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-told]")))
      delete node.dataset.told;
    for (const node of nodes) {
      for (let at = node; at !== inner; at = /** @type {HTMLElement} */ (at.parentElement))
        at.dataset.told ??= "in";
    }
    for (const node of nodes) node.dataset.told = "self";
    this.nodes = nodes;
  }

  // Restore the page.
  /** @param {object} owner */
  end(owner) {
    if (this.owner !== owner) return;
    this.clear();
    this.owner = null;
    this.wanted = [];
    this.player.refresh();
  }

  clear() {
    this.resizes.disconnect();
    this.mark([]);
    this.set(null);
    this.player.root.removeAttribute("data-no-legends");
  }

  /** @param {[string, number] | null} layout */
  set(layout) {
    const {root} = this.player;
    root.toggleAttribute("data-input", Boolean(layout && this.player.input.node.dataset.told));
    if (!layout) {
      delete root.dataset.sight;
      return;
    }
    [root.dataset.sight] = layout;
    root.style.setProperty("--lv-tall", `${layout[1]}px`);
  }

  get seen() {
    return this.nodes.filter((node) => node.getClientRects().length);
  }

  // Number of parts that are drawn; others need an answer of the server.
  get drawn() {
    return this.wanted[0].filter((node) => !node.closest("[data-hidden], [hidden]")).length;
  }

  // Height from the top of the first drawn part to the bottom of the last.
  get extent() {
    const [top, bottom] = between(this.seen);
    return {top: top - MARGIN, height: bottom - top + 2 * MARGIN};
  }

  // The same of what is to stay whole: all of them, or the first where they have no room together.
  get kept() {
    return between(this.tight ? this.seen.slice(0, 1) : this.seen);
  }

  get keptInRoom() {
    const [top, bottom] = this.kept,
      room = this.player.inner.getBoundingClientRect();
    return top >= room.top - 1 && bottom <= room.bottom + 1;
  }

  get fits() {
    return this.extent.height <= this.player.inner.clientHeight;
  }

  // Adapt to changed sizes of the named parts or of the window.
  follow() {
    const {player} = this,
      {inner, presenter} = player;
    if (presenter.on) return this.present();
    if (!this.owner) {
      if (player.root.dataset.sight) this.clear();
      return;
    }
    if (!inner.clientHeight || !this.drawn) return;
    const key = [inner.clientWidth, window.innerHeight, this.drawn].join();
    if (key === this.key && (this.fits || this.tight)) {
      if (!this.whole) return;
      if (!this.keptInRoom) {
        // it has grown with a longer sentence
        if (this.tight) bringIntoView(this.seen[0]);
        else this.scroll();
      }
      this.remember();
      return;
    }
    this.key = key;
    const before = player.root.dataset.sight,
      layouts = LAYOUTS.filter(
        ([name]) => !name.endsWith("beside") || inner.clientWidth >= SIDE_BY_SIDE_WIDTH,
      );
    this.tight = !this.wanted.some((nodes) => {
      this.mark(nodes);
      return layouts.some((layout) => {
        this.set(layout);
        return this.fits;
      });
    });
    if (this.tight) this.set(["quiet small", TIGHT_HEIGHT]);
    this.scroll();
    player.sizes = new WeakMap();
    if (before !== player.root.dataset.sight) player.refresh();
    else player.clock.dirty();
  }

  // In presenter mode the displayed cards fill the screen with pictures as large as possible. Their sizes change with the
  // window or the cards, and otherwise only if a longer text needs the room.
  present() {
    const {player} = this,
      {inner, presenter} = player;
    this.resizes.observe(inner);
    const key = [
        "present",
        window.innerWidth,
        window.innerHeight,
        ...presenter.cards,
        presenter.captions,
      ].join(),
      anew = key !== this.key;
    const cards = presenter.cards.map((name) => presenter.nodes[name]).filter(Boolean);
    for (const node of cards) this.resizes.observe(node); // pictures come after the first layout
    const fits = () => {
      // the cards; legends may stand below
      const boxes = cards.map((node) => node.getBoundingClientRect());
      return (
        Math.max(...boxes.map(({bottom}) => bottom)) - Math.min(...boxes.map(({top}) => top)) <=
        inner.clientHeight - 2 * MARGIN
      );
    };
    if (!cards.length) return;
    if (!anew && (this.tight || fits())) return;
    const first = anew ? 0 : this.layout;
    this.key = key;
    this.tight =
      inner.clientWidth < FIT_MIN_WIDTH ||
      !PRESENTED.some((layout, n) => {
        if (n < first) return false;
        this.set(layout);
        this.layout = n;
        return fits();
      });
    if (this.tight) this.set(null);
    this.showLegends();
    player.sizes = new WeakMap();
    player.clock.dirty();
  }

  // Below the presented cards, legends are displayed only if there is room for all of them: none is cut by the caption.
  showLegends() {
    const {root, inner} = this.player;
    root.removeAttribute("data-no-legends");
    root.toggleAttribute("data-no-legends", !this.tight && inner.scrollHeight > inner.clientHeight);
  }

  scroll() {
    const {inner} = this.player,
      box = inner.getBoundingClientRect(),
      {top, height} = this.extent,
      spare = inner.clientHeight - height;
    inner.scrollBy({top: top - box.top - inner.clientTop - Math.max(0, spare) / 2, behavior: "instant"});
    bringIntoView(this.seen[0]); // if the page around scrolls, too
    this.remember();
  }

  // How tall it is, and whether it is seen whole: then it stays so where it grows.
  remember() {
    const [top, bottom] = this.kept;
    this.tall = bottom - top;
    this.whole = this.keptInRoom;
  }

  // The user may have scrolled elsewhere; `follow` handles growth.
  scrolled() {
    if (!this.owner || !this.seen.length) return;
    const [top, bottom] = this.kept;
    if (bottom - top === this.tall) this.remember();
  }

  remove() {
    this.resizes.disconnect();
  }
}
