// A question asked on the page before something is lost. The dialog is the browser's own: the rest of the page is out of
// reach while it is open, Escape says no, and the focus goes back to where it was.

import {element} from "../../../view/player/js/dom.js";

export const CONFIRM_STYLE = `
.lv dialog.lv-confirm { width: min(32em, calc(100vw - 2em)); padding: 1.2em 1.3em; color: var(--lv-ink); background: var(--lv-surface); border: 1px solid var(--lv-line); border-radius: .75em;
  box-shadow: 0 8px 40px rgb(0 0 0 / .3); font-size: 15px; line-height: 1.45; overflow-wrap: anywhere; }
.lv-confirm::backdrop { background: rgb(0 0 0 / .45); }
.lv .lv-confirm h2 { display: block; margin: 0 0 .5em; } .lv .lv-confirm p { margin: 0 0 .6em; } .lv-confirm p:last-of-type { color: var(--lv-muted); }
.lv-confirm > div { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .6em; margin-top: 1em; }
.lv .lv-confirm button { padding: 0 1em; border-color: color-mix(in srgb, var(--lv-muted) 60%, var(--lv-surface)); }
.lv .lv-confirm button[data-act] { background: var(--lv-bad); border-color: var(--lv-bad); color: var(--lv-surface); font-weight: 650; }
`;

// `root` is the component's outermost element; resolves to whether the answer was yes.
/** @param {HTMLElement} root @param {{title: string, words: string[], act: string, keep: string}} question @returns {Promise<boolean>} */
export function confirmAct(root, {title, words, act, keep}) {
  const scope = root.getRootNode(),
    before = /** @type {HTMLElement | null} */ (scope.activeElement);
  return new Promise((answer) => {
    /** @param {string} text @param {string} value @param {Attributes} attributes */
    const button = (text, value, attributes) =>
      element(
        "button",
        {type: "button", class: "lv-btn", onclick: () => dialog.close(value), ...attributes},
        text,
      );
    const ids = {"aria-labelledby": "lv-confirm-title", "aria-describedby": "lv-confirm-words"};
    const dialog = element(
      "dialog",
      {class: "lv-confirm", role: "alertdialog", ...ids},
      element("h2", {id: ids["aria-labelledby"]}, title),
      element(
        "div",
        {id: ids["aria-describedby"], style: "display: block; margin: 0"},
        ...words.map((line) => element("p", {}, line)),
      ),
      element("div", {}, button(keep, "", {autofocus: true}), button(act, "yes", {"data-act": true})),
    );
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page's own keys wait
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus();
      answer(dialog.returnValue === "yes");
    });
    root.append(dialog);
    dialog.showModal();
  });
}
