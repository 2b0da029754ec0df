// The views of a live page: a button in its header for each, of which one is pressed, and the view's name in the address.

import {element} from "../../player/js/dom.js";
import VIEWS_STYLE from "./views.css";

export const ADDED = "added"; // event of the buttons' place: there is one view more
const ORDER = ["", "train", "generate", "compare"]; // of the buttons; the first is Inference

/**
 * A view beside Inference. `open` is called each time it is shown, with the page's address if that named it, and `address`
 * gives what the address says of it beside its name. `close` is called when another view is shown.
 * @typedef {{name: string, title: string, main: HTMLElement, open?: (asked: LiveAddress | null) => void, close?: () => void, address?: () => LiveAddress}} View
 */

export class Views {
  shown = ""; // name; empty: Inference
  /** @type {Map<string, View & {button: HTMLElement}>} */ views = new Map();
  /** @type {boolean[]} */ hidden = []; // parts of the Inference view, while another one is shown
  address = ""; // of the Inference view, meanwhile
  written = ""; // address, last
  nav = element("nav", {class: "live-views", "aria-label": "Views", hidden: true});
  inference = this.button("Inference", "");

  /** @param {HTMLElement} frame @param {HTMLElement[]} parts  of the Inference view */
  constructor(frame, parts) {
    this.frame = frame;
    this.parts = parts;
    this.inference.setAttribute("aria-pressed", "true");
    this.nav.append(this.inference);
    frame.querySelector("header h1")?.after(this.nav);
    frame.append(element("style", {}, VIEWS_STYLE));
    window.addEventListener("hashchange", () => this.follow());
  }

  /** @param {string} title @param {string} name */
  button(title, name) {
    return element(
      "button",
      {type: "button", "aria-pressed": "false", "data-view": name, onclick: () => this.show(name)},
      title,
    );
  }

  /** @param {View} view */
  add(view) {
    const button = this.button(view.title, view.name),
      place = ORDER.indexOf(view.name);
    this.views.set(view.name, {...view, button});
    const buttons = /** @type {HTMLElement[]} */ (Array.from(this.nav.children)),
      after = buttons.find((each) => ORDER.indexOf(each.dataset.view ?? "") > place);
    this.nav.insertBefore(button, after ?? null);
    this.nav.hidden = false;
    view.main.hidden = true;
    this.frame.append(view.main);
    this.nav.dispatchEvent(new Event(ADDED));
  }

  /** @param {string} name */
  remove(name) {
    const view = this.views.get(name);
    if (this.shown === name) this.show("");
    view?.button.remove();
    view?.main.remove();
    this.views.delete(name);
    this.nav.hidden = !this.views.size;
  }

  // Show the view that the page's address names.
  follow() {
    const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
      name = this.views.has(asked.page) ? asked.page : "",
      known = location.hash === this.written;
    this.written = location.hash;
    if (name && name === this.shown) this.views.get(name)?.open?.(known ? null : asked);
    else this.show(name, asked);
  }

  /** @param {string} name @param {LiveAddress | null} [asked]  the page's address, if it named the view */
  show(name, asked = null) {
    const before = this.shown;
    if (before === name) return;
    this.shown = name;
    this.views.get(before)?.close?.();
    this.inference.setAttribute("aria-pressed", String(!name));
    for (const view of this.views.values()) {
      view.button.setAttribute("aria-pressed", String(view.name === name));
      view.main.hidden = view.name !== name;
    }
    if (!before) {
      this.hidden = this.parts.map((node) => node.hidden);
      // a page may begin with this view, before that of Inference has written an address
      this.address = new URLSearchParams(location.hash.slice(1)).has("page") ? "" : location.hash;
    }
    this.parts.forEach((node, n) => (node.hidden = Boolean(name) || this.hidden[n]));
    this.written = location.hash;
    if (!asked) this.write();
    this.views.get(name)?.open?.(asked);
  }

  // Write the shown view's address, unless another one was opened and will be read; that of Inference is as it was before.
  write() {
    if (location.hash !== this.written) return;
    const {shown} = this,
      own = {page: shown, ...this.views.get(shown)?.address?.()};
    this.written = shown ? `#${new URLSearchParams(own)}` : this.address;
    history.replaceState(null, "", this.written || location.pathname + location.search);
  }
}
