// The button in the header that switches between the dark and the light theme.

import {ancestors, element} from "../../../view/player/js/dom.js";
import {withHeader} from "../../../view/player/js/theme.js";
import BUTTON_STYLE from "./theme_button.css";

const SETTLE_MS = 300; // ms without a change
const SVG = "http://www.w3.org/2000/svg";

// A sun where the page is light, a moon where it is dark.
const SUN =
  "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM11 1.500h2v3.500h-2zM11 19h2v3.500h-2zM1.500 11h3.500v2h-3.500zM19 11h3.500v2h-3.500zM4 5.400l1.400-1.400 2.500 2.500-1.400 1.400zM16.100 17.500l1.400-1.400 2.500 2.500-1.400 1.400zM4 18.600l2.500-2.500 1.400 1.400-2.500 2.500zM16.100 6.500l2.500-2.500 1.400 1.400-2.500 2.500z";
const MOON = "M14 2.500a9.600 9.600 0 1 0 7.500 12.800A7.800 7.800 0 0 1 14 2.500z";

/** @param {{el: HTMLElement}} host */
function render({el}) {
  const svg = document.createElementNS(SVG, "svg"),
    path = document.createElementNS(SVG, "path"),
    root = document.documentElement;
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  const button = element(
    "button",
    {
      type: "button",
      class: "lv-theme",
      "aria-label": "Toggle theme",
      title: "Dark or light page",
      onclick: () => window.lrbnTheme?.choose(!window.lrbnTheme.dark),
    },
    svg,
  );
  const follow = () => {
    const dark = Boolean(window.lrbnTheme?.dark);
    path.setAttribute("d", dark ? MOON : SUN);
    button.setAttribute("aria-pressed", String(dark));
  };
  new MutationObserver(follow).observe(root, {attributes: true, attributeFilter: ["data-theme"]});
  follow();
  el.append(element("style", {}, withHeader(".lv-theme") + BUTTON_STYLE), button);
  correct(el);
}

// Panel's components follow data-theme, but each also reports its theme to all others, and on a slow machine one may report
// its old theme. If the page has settled in the wrong theme, data-theme is set again.
/** @param {HTMLElement} el */
function correct(el) {
  const page = ancestors(el).find(
      ({classList}) => classList.contains("mui-light") || classList.contains("mui-dark"),
    ),
    {lrbnTheme} = window;
  if (!page || !lrbnTheme) return lrbnTheme?.settled();
  /** @type {Timer | undefined} */
  let settled;
  const follows = () => page.classList.contains("mui-dark") === lrbnTheme.dark;
  const check = () => {
    if (follows()) lrbnTheme.settled();
    clearTimeout(settled);
    settled = setTimeout(() => {
      if (!follows()) lrbnTheme.again();
    }, SETTLE_MS);
  };
  new MutationObserver(check).observe(page, {attributes: true, attributeFilter: ["class"]});
  check();
}

export default {render};
