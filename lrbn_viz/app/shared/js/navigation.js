// Links to the pages in the header: a plain click changes the page in place, any other opens the address.

import {element, watchWidth} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {withHeader} from "../../../view/player/js/theme.js";
import NAV_STYLE from "./navigation.css";
import SKIP_STYLE from "./skip.css";

const NARROW = 900; // pixels

/** @typedef {{page: string, lesson: string, step: number}} Place */

// The part of an address that makes an entry of the browser's history: a page, or a lesson beside the first page.
/** @param {string} search @param {string[]} names  of pages, the first is the one of an address that names none @returns {Place} */
export function placeOf(search, names) {
  const asked = new URLSearchParams(search),
    named = asked.get("page") ?? "",
    lesson = asked.get("lesson") ?? "";
  const page = names.includes(named) ? named : names[0],
    beside = lesson !== "" && (page === names[0] || page === "lessons");
  return beside
    ? {page: names[0], lesson, step: Math.max(1, Math.floor(Number(asked.get("step"))) || 1)}
    : {page, lesson: "", step: 1};
}

// The browser's history. It has an entry for each page and each lesson; changes of their state replace the address of the
// entry. Navigations are numbered, and each answer of the server contains the number: answers to older navigations than
// the newest are ignored.
export class WayBack {
  /** @type {(place: Place) => void} */ show = () => {};
  asked = 0; // number of the newest navigation
  answered = 0; // number of the navigation that the server answered last
  /** @type {Place | null} */ wanted = null; // target of the newest, until it is answered

  /** @param {Pick<History, "pushState" | "replaceState">} history @param {{readonly search: string, readonly href: string}} location @param {() => string[]} names */
  constructor(history, location, names) {
    this.push = history.pushState.bind(history);
    this.replace = history.replaceState.bind(history);
    this.location = location;
    this.names = names;
    history.pushState = (data, unused, url) => this.write(String(url ?? ""));
  }

  /** @param {Place} place */
  key({page, lesson}) {
    return JSON.stringify([page, lesson]);
  }

  get here() {
    return placeOf(this.location.search, this.names());
  }

  // An address that the server sends without a navigation.
  /** @param {string} url */
  write(url) {
    if (this.answered < this.asked) return; // of a page that has been left
    const {search} = new URL(url, this.location.href);
    if (this.key(placeOf(search, this.names())) === this.key(this.here)) this.replace({}, "", url);
    else this.push({}, "", url);
  }

  // Begin a navigation; `url` is that of a link, or missing if the browser has changed the address itself.
  /** @param {Place} place @param {string} [url] @returns {number} */
  begin(place, url = "") {
    this.wanted = place;
    if (url) this.push({}, "", url);
    return ++this.asked;
  }

  // The server has carried out a navigation: write the complete address of its state.
  /** @param {number} number @param {string} search */
  end(number, search) {
    this.answered = Math.max(this.answered, number);
    if (number !== this.asked) return;
    this.wanted = null;
    this.replace({}, "", search);
  }
}

// Skip links, the first stops of the Tab key: to the page's content, which page.js focuses, and to named parts of it, if it
// has them (player.js).
/** @type {[import("../../../view/player/js/player.js").Place | "", string][]} */
const SKIPS = [
  ["", "Skip to what the page shows"],
  ["captions", "Skip to the captions"],
  ["transport", "Skip to Play"],
  ["input", "Skip to the input image"],
  ["lanes", "Skip to the lanes"],
];

function addSkipLinks() {
  if (document.querySelector(".lv-skip")) return; // the header may be drawn anew
  const begin = document.querySelector("[data-root-id][id]");
  const links = SKIPS.map(([part, words]) =>
    element(
      "a",
      {
        class: "lv-skip",
        href: `#${begin?.id ?? ""}`,
        onclick: (event) => {
          event.preventDefault();
          window.dispatchEvent(new CustomEvent("lrbn-skip", {detail: part}));
        },
      },
      words,
    ),
  );
  // parts of the Inference page only; missing parts have no link
  const follow = () =>
    links.forEach((link, n) => {
      link.hidden = n > 0 && !window.lrbnPlayers?.[0]?.placeOf(/** @type {any} */ (SKIPS[n][0]));
    });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Tab") follow();
    },
    {capture: true},
  );
  follow();
  document.body.prepend(element("style", {}, withHeader(".lv-skip") + SKIP_STYLE), ...links);
}

// One history for the page, as the header may be drawn again. In a notebook, whose address is not ours, it is not used.
/** @param {() => string[]} names @param {boolean} ownsAddress */
function wayBack(names, ownsAddress) {
  if (!ownsAddress)
    return new WayBack({pushState: () => {}, replaceState: () => {}}, {search: "", href: ""}, names);
  if (window.lrbnWayBack) return window.lrbnWayBack;
  const way = (window.lrbnWayBack = new WayBack(window.history, window.location, names));
  window.addEventListener("popstate", () => way.show(way.here));
  return way;
}

/** @param {Rendered<{pages: [string, string, string][], page: string, about: string, answer: [number, string], owns_address: boolean}>} host */
function render({model, el}) {
  const host = hostOf(model),
    {send, keep} = outbox(host),
    way = wayBack(() => model.pages.map(([name]) => name), model.owns_address);
  /** @param {string} page */
  const titleOf = (page) => model.pages.find(([name]) => name === page)?.[1] ?? page;
  /** @param {MouseEvent} event @param {string} name @param {string} title @param {string} address */
  const go = (event, name, title, address) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // left to the browser: a new tab
    event.preventDefault();
    if (name === model.page && !way.wanted) return;
    if (!send({type: "go", page: name, number: way.asked + 1}, `opening the ${title} page`)) return; // refused with a message
    way.begin({page: name, lesson: "", step: 1}, way.wanted?.page === name ? "" : address); // repeated request: no new entry
  };
  // The browser went to another address. Without a connection the newest one is requested after reconnection.
  way.show = (place) => {
    const number = way.begin(place);
    keep("place", place, () =>
      send({type: "show", ...place, number}, `opening the ${titleOf(place.page)} page`),
    );
  };
  model.on("answer", () => way.end(...model.answer));
  const root = element("nav", {class: "lv-nav", "aria-label": "Pages"});
  const fill = () => {
    const focused = root.querySelector(":focus") !== null;
    root.replaceChildren(
      ...model.pages.map(([name, title, address]) =>
        element(
          "a",
          {
            href: address,
            "aria-current": name === model.page ? "page" : null,
            onclick: (event) => go(event, name, title, address),
          },
          title,
        ),
      ),
    );
    if (focused) /** @type {HTMLElement | null} */ (root.querySelector("[aria-current]"))?.focus();
  };
  fill();
  if (model.owns_address) addSkipLinks(); // only in the explorer's own window
  el.append(
    element("style", {}, withHeader(".lv-header") + NAV_STYLE),
    element("div", {class: "lv-header"}, root, element("span", {class: "lv-nav-name"}, model.about)),
  );
  model.on("page", fill);
  // In a narrow page, as at 200 % zoom or in a notebook cell, an open side bar leaves little room.
  let narrow = false;
  host.removed(
    watchWidth(el, (width) => {
      if (narrow !== (narrow = width < NARROW)) send({type: "narrow", narrow}, "");
    }),
  );
  if (model.owns_address && window.innerWidth > 1920) send({type: "wide", width: window.innerWidth}); // letters are larger there, and so are their boxes
}

export default {render};
