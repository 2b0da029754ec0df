// Two buttons in a corner of a card that save it as a picture. They are visible under the pointer or with the focus.

import {element} from "./dom.js";

/** @param {Player} player @param {string} name  of the card, as addresses have it */
export function saveCard(player, name) {
  const title = player.presenter.titles[name];
  /** @param {"png" | "svg"} kind */
  const button = (kind) =>
    element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-small",
        "aria-label": `Save \u201c${title}\u201d as ${kind.toUpperCase()}`,
        title: `Save this card as ${kind.toUpperCase()}`,
        onclick: () => player.save(kind, name),
      },
      kind.toUpperCase(),
    );
  return element(
    "div",
    {
      class: "lv-save-card",
      role: "group",
      "aria-label": `Picture of \u201c${title}\u201d`,
      "data-part": "export",
    },
    button("png"),
    button("svg"),
  );
}
