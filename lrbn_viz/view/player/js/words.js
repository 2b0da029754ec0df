// The glossary: every term that explains itself on the pages, by its name, with a way to its equation. It comes with the
// player, so it is there offline.

import {closeButton, element, shutByItself} from "./dom.js";
import {EQUATIONS, TERMS, equationName} from "./glossary.js";

export class Words {
  node = shutByItself(element("dialog", {class: "lv-help lv-words", "aria-label": "Glossary"}));

  /** @param {import("./equations.js").Equations} equations */
  constructor(equations) {
    this.equations = equations;
  }

  // Its content, made when it is first shown.
  fill() {
    const entries = Object.entries(TERMS).sort(([, one], [, other]) =>
      one.name.localeCompare(other.name, "en"),
    );
    this.node.append(
      element("h2", {}, "Glossary"),
      element("p", {class: "lv-caption"}, "The words with a dotted underline on these pages, explained."),
      element(
        "dl",
        {},
        ...entries.flatMap(([key, {name, text, equation}]) => {
          const number = EQUATIONS.find((one) => one.key === equation)?.number;
          const lead =
            number &&
            element(
              "button",
              {
                type: "button",
                class: "lv-btn lv-small",
                "aria-label": `${name}: ${equationName(number)}`,
                onclick: () => this.equations.show(equation ?? undefined),
              },
              equationName(number),
            );
          return [
            element("dt", {"data-word": key}, name),
            element("dd", {}, text, ...(lead ? [" ", lead] : [])),
          ];
        }),
      ),
      closeButton(),
    );
  }

  show() {
    if (!this.node.childElementCount) this.fill();
    this.node.showModal();
    this.node.scrollTop = 0;
  }
}
