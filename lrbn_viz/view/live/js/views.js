// The views of a live page, of which one is shown: a button for each in the header, and its name in the address.

import {element, setText} from "../../player/js/dom.js";

const ORDER = ["", "train", "generate", "compare"], // of the buttons
  NAME = "page"; // in addresses
export const ADDED = "added"; // event of the buttons' place: there is one view more

/** @typedef {(on: boolean) => void} Follow  what a view does when it is shown, or another one is */
/** @typedef {(main: HTMLElement) => Promise<Follow | void>} Open  fill a view's place, when it is first shown */
/** @typedef {{button: HTMLElement, main: HTMLElement | null, open: Open | null, follow: Follow}} View */

export class Views {
  /** @type {Map<string, View>} */ all = new Map();
  shown = ""; // the name of a view; empty: Inference
  /** @type {boolean[]} */ hidden = []; // what of the Inference view was hidden
  address = ""; // of the Inference view
  nav = element("nav", {class: "live-views", "aria-label": "Views", hidden: true});

  /** @param {HTMLElement} frame  of the page @param {HTMLElement[]} inference  what belongs to the Inference view alone @param {() => void} back  once that is shown again, with its address */
  constructor(frame, inference, back) {
    this.frame = frame;
    this.inference = inference;
    this.back = back;
    this.add("", "Inference", null);
    frame.querySelector("header h1")?.after(this.nav);
    window.addEventListener("hashchange", () => this.show(this.named));
  }

  // The name of the view that the address has.
  get named() {
    return this.query.get(NAME) ?? "";
  }

  get query() {
    return new URLSearchParams(location.hash.slice(1));
  }

  // Add a view, and show it if the address names it. Its code may come when it is first shown.
  /** @param {string} name @param {string} title @param {HTMLElement | null} main @param {Open | null} [open] */
  add(name, title, main, open = null) {
    const button = element(
      "button",
      {type: "button", "aria-pressed": String(name === this.shown), onclick: () => this.show(name)},
      title,
    );
    this.all.set(name, {button, main, open, follow: () => {}});
    this.nav.replaceChildren(...ORDER.flatMap((each) => this.all.get(each)?.button ?? []));
    this.nav.hidden = this.all.size < 2;
    this.nav.dispatchEvent(new Event(ADDED));
    if (!main) return;
    main.hidden = true;
    this.frame.append(main);
    if (this.named === name) this.show(name);
  }

  // Add a view whose code comes when it is first shown.
  /** @param {string} name @param {string} title @param {Open} open */
  later(name, title, open) {
    this.add(name, title, element("main", {class: `live-${name}`, "aria-label": title}), open);
  }

  /** @param {string} name */
  remove(name) {
    const view = this.all.get(name);
    if (this.shown === name) this.show("");
    this.all.delete(name);
    view?.main?.remove();
    view?.button.remove();
    this.nav.hidden = this.all.size < 2;
  }

  /** @param {string} name */
  show(name) {
    const view = this.all.get(name),
      before = this.all.get(this.shown);
    if (!view || name === this.shown) return;
    if (!this.shown) {
      this.hidden = this.inference.map((node) => node.hidden);
      this.address = this.named ? "" : location.hash; // a page may begin with another view
    }
    this.shown = name;
    for (const [each, {button, main}] of this.all) {
      button.setAttribute("aria-pressed", String(each === name));
      if (main) main.hidden = each !== name;
    }
    this.inference.forEach((node, n) => (node.hidden = Boolean(name) || this.hidden[n]));
    if (name) {
      if (this.named !== name) this.write(name, {});
    } else {
      this.replace(this.address || location.pathname + location.search);
      this.back();
    }
    before?.follow(false);
    this.open(view);
  }

  /** @param {View} view */
  async open(view) {
    const {open, main} = view;
    if (!open || !main) return view.follow(true);
    view.open = null;
    const said = element("p", {class: "live-without", role: "status"}, "It is being fetched.");
    main.append(said);
    try {
      view.follow = (await open(main)) ?? view.follow;
      said.remove();
    } catch (error) {
      view.open = open; // when it is shown again
      setText(said, `It cannot be fetched: ${/** @type {Error} */ (error).message}`);
    }
  }

  // Write a view's own part of the address, if it is shown.
  /** @param {string} name @param {Record<string, string>} query */
  write(name, query) {
    if (name === this.shown) this.replace(`#${new URLSearchParams({[NAME]: name, ...query})}`);
  }

  /** @param {string} address */
  replace(address) {
    history.replaceState(null, "", address);
  }
}
