// The pages as links in the header: a plain click changes the page in place, any other opens the address.

import {element} from "../../../player/js/dom.js";
import {hostOf, outbox} from "../../../player/js/host.js";
import theme from "../../../theme.json" with {type: "json"};

const {font, header} = theme;

const NAV_STYLE = `
.lv-nav { display: flex; gap: .15em; margin-left: .75em; font-family: ${font}; font-size: .875rem; }
.lv-nav a { color: ${header.link}; text-decoration: none; padding: .45em .8em; border-radius: .5em; white-space: nowrap; }
.lv-nav a:hover { background: rgb(255 255 255 / .09); color: ${header.current}; }
.lv-nav a[aria-current] { color: ${header.current}; font-weight: 650; box-shadow: inset 0 -2px ${header.mark}; border-radius: .5em .5em 0 0; }
.lv-nav a:focus-visible { outline: 2px solid ${header.focus}; outline-offset: -2px; }
.lv-nav-name { color: ${header.link}; font-family: ${font}; font-size: .8125rem; margin-left: 1.2em; white-space: nowrap; }
.lv-header { display: flex; flex-wrap: wrap; align-items: baseline; }
@media (max-width: 900px) { .lv-nav-name { flex-basis: 100%; font-size: .6875rem; line-height: 1; margin: 0 0 .3em 1em; } }
@media (max-width: 600px) { .lv-nav { gap: 0; margin-left: .5em; font-size: .8125rem; } .lv-nav a { padding: .45em .35em; } .lv-nav-name { margin-left: .85em; font-size: .6rem; } }
@media (max-width: 420px) { .lv-nav { margin-left: .2em; font-size: .65rem; } .lv-nav a { padding: .7em .16em; } .lv-nav-name { margin-left: .3em; } }
`;

const SKIP_STYLE = `
.lv-skip { position: fixed; left: .5em; top: .4em; z-index: 2000; padding: .5em 1em; border-radius: .4em; font: 650 .875rem ${font}; color: ${header.current}; background: ${header.ground}; }
.lv-skip:not(:focus) { clip-path: inset(50%); } .lv-skip:focus { outline: 2px solid ${header.focus}; outline-offset: -3px; }
`;

// What an address shows, as far as it is a step of the browser's way back: a page, or a lesson.
/** @param {string} search @param {string[]} names  of pages, the first is the one of an address that names none */
export function pageOf(search, names) {
  const asked = new URLSearchParams(search), page = asked.get("page") ?? "";
  return {page: names.includes(page) ? page : names[0], lesson: asked.get("lesson") ?? ""};
}

// The way back has a step for each page, and none for each change of what a page shows: those take the place of the address before.
/** @param {() => string[]} names @param {(page: string) => void} show */
function stepByPages(names, show) {
  if (window.lrbnSteps) { window.lrbnSteps.show = show; return; } // the header may be drawn anew
  const steps = window.lrbnSteps = {show}, {history, location} = window, push = history.pushState.bind(history);
  const key = (/** @type {string} */ search) => JSON.stringify(pageOf(search, names()));
  history.pushState = (data, unused, url) => {
    if (key(new URL(url ?? "", location.href).search) === key(location.search)) history.replaceState(data, unused, url); else push(data, unused, url);
  };
  window.addEventListener("popstate", () => steps.show(pageOf(location.search, names()).page));
}

// The first stop of the Tab key: past the header and the side bar to what the page shows, which page.js brings into focus.
function addSkipLink() {
  if (document.querySelector(".lv-skip")) return; // the header may be drawn anew
  const begin = document.querySelector("[data-root-id][id]");
  document.body.prepend(element("style", {}, SKIP_STYLE), element("a", {
    class: "lv-skip", href: `#${begin?.id ?? ""}`, onclick: (event) => { event.preventDefault(); window.dispatchEvent(new Event("lrbn-skip")); },
  }, "Skip to what the page shows"));
}

/** @param {Rendered<{pages: [string, string, string][], page: string, about: string}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model));
  /** @param {MouseEvent} event @param {string} name @param {string} title @param {string} address */
  const go = (event, name, title, address) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // the browser's own: another tab
    event.preventDefault();
    if (open(name, title)) history.pushState({}, "", new URL(address, window.location.href)); // the server writes the whole of it
  };
  /** @param {string} name @param {string} title */
  const open = (name, title) => (name === model.page ? false : send({type: "go", page: name}, `opening the ${title} page`));
  stepByPages(() => model.pages.map(([name]) => name), (name) => open(name, model.pages.find(([each]) => each === name)?.[1] ?? name));
  const root = element("nav", {class: "lv-nav", "aria-label": "Pages"});
  const fill = () => {
    const focused = root.querySelector(":focus") !== null;
    root.replaceChildren(...model.pages.map(([name, title, address]) => element("a", {
      href: address, "aria-current": name === model.page ? "page" : null, onclick: (event) => go(event, name, title, address),
    }, title)));
    if (focused) /** @type {HTMLElement | null} */ (root.querySelector("[aria-current]"))?.focus();
  };
  fill();
  addSkipLink();
  el.append(element("style", {}, NAV_STYLE), element("div", {class: "lv-header"}, root, element("span", {class: "lv-nav-name"}, model.about)));
  model.on("page", fill);
  if (window.innerWidth > 1920) send({type: "wide", width: window.innerWidth}); // letters grow there, and what holds them
}

export default {render};
