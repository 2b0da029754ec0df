// A question before an action that loses data. The dialog is modal: the rest of the page is inert while it is open, Escape
// answers no, and the focus returns afterwards.

import {element} from "../../player/js/dom.js";

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
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page ignores keys meanwhile
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus();
      answer(dialog.returnValue === "yes");
    });
    root.append(dialog);
    dialog.showModal();
  });
}
