// Common parts of pages: a root in the colours of its surroundings, a tip beside the pointer, keys, and removal.

import {element, watchScheme} from "./dom.js";
import {STYLE} from "./style.js";

export class Page {
  live = element("div", {class: "lv-sr", role: "status", "aria-live": "polite"});
  tipNode = element("div", {class: "lv-tip", hidden: true});
  /** @type {Colours} */ colours;

  constructor(style = "", name = "lv") {
    this.root = element("div", {class: name, "data-scheme": "light"}, element("style", {}, STYLE + style));
  }

  // Add the page to the document; `list` on the window is for tests and other scripts. Returns the observer of sizes.
  /**
   * @param {HTMLElement} parent @param {"lrbnPlayers" | "lrbnBoards" | "lrbnGenerators" | "lrbnComparisons" | "lrbnLessons" | "lrbnSweeps"} list
   * @param {{key: (event: KeyboardEvent) => void, scheme: (dark: boolean) => void, resized: ResizeObserverCallback}} acts
   */
  appear(parent, list, {key, scheme, resized}) {
    const all = (window[list] ||= []),
      resizes = new ResizeObserver(resized);
    /** @param {CustomEvent<string>} event */
    const skip = ({detail: part}) => {
      // by the header's links
      if (!this.root.isConnected) return;
      const node = this.placeOf(part) ?? this.root;
      if (node.tabIndex < 0) node.tabIndex = -1;
      node.focus();
    };
    /** @param {KeyboardEvent} event */
    const keyed = (event) => {
      if (this.root.getClientRects().length) key(event); // a page that is not shown has no keys
    };
    parent.append(this.root);
    const unwatch = watchScheme(this.root, scheme);
    resizes.observe(this.root);
    document.addEventListener("keydown", keyed);
    window.addEventListener("lrbn-skip", skip);
    all.push(this);
    this.vanish = () => {
      unwatch();
      resizes.disconnect();
      document.removeEventListener("keydown", keyed);
      window.removeEventListener("lrbn-skip", skip);
      all.splice(all.indexOf(this), 1);
      this.root.remove();
    };
    return resizes;
  }

  // Target of a skip link that names a part of the page; null if the page lacks it.
  /** @param {string} part @returns {HTMLElement | null} */
  placeOf(part) {
    return part ? null : this.root;
  }

  // Show a text beside the pointer, or hide it if it is empty.
  /** @param {string | null} text @param {MouseEvent} [event] */
  tip(text, event) {
    const {tipNode} = this;
    tipNode.hidden = !text;
    if (!text || !event) return;
    tipNode.textContent = text;
    const {width, height} = tipNode.getBoundingClientRect();
    tipNode.style.left = `${Math.min(event.clientX + 14, window.innerWidth - width - 6)}px`;
    tipNode.style.top = `${Math.min(event.clientY + 16, window.innerHeight - height - 6)}px`;
  }
}
