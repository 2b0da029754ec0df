// Terms with explanations: a term has a dotted underline, and shows its meaning and a link to its equation on hover, focus
// and touch. The texts are in glossary.json, which Python reads too.

import entries from "../../../io/glossary.json" with {type: "json"};
import {element, setAttribute, setText} from "./dom.js";
import {unbroken} from "./format.js";

/** @typedef {{name: string, text: string, equation: string | null}} Term */

/** @type {Record<string, Term>} */
export const TERMS = entries.terms;
export const EQUATIONS = entries.equations;
// Names of terms within a sentence, and beside their bars.
/** @param {string} key */
export const termName = (key) => TERMS[key].name.toLowerCase();

const CLOSE_DELAY_MS = 250; // time for the pointer to move between a term and its explanation
let boxes = 0; // for unique ids on the page

/** @param {string} key */
const numberOf = (key) => EQUATIONS.find((equation) => equation.key === key)?.number ?? "";
/** @param {string} number */
export const equationName = (number) => (/^\d/.test(number) ? `equation ${number}` : number);

export class Glossary {
  /** @type {HTMLElement | null} */ open = null; // the explained term
  pinned = false; // opened by a click or a touch: stays until the next one
  /** @type {Timer | undefined} */ timer;
  name = element("b");
  text = element("p", {id: `lv-term-${++boxes}`});

  /** @param {(equation: string) => void} showEquation */
  constructor(showEquation) {
    this.link = element("button", {
      type: "button",
      class: "lv-btn lv-small",
      onclick: () => {
        const term = this.open,
          {equation} = TERMS[term?.dataset.term ?? ""] ?? {};
        this.hide();
        term?.focus(); // the focus returns here when the list is closed
        this.hide();
        if (equation) showEquation(equation);
      },
    });
    // in the browser's top layer, so that no card clips it
    this.node = element(
      "div",
      {class: "lv-explains", popover: "manual", role: "group", "aria-label": "What it means"},
      this.name,
      this.text,
      this.link,
    );
    this.node.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.node.addEventListener("pointerleave", () => this.hideSoon());
    this.node.addEventListener("focusout", () => this.hideSoon());
    this.node.addEventListener("keydown", (event) => this.escape(event));
    this.node.addEventListener("click", (event) => event.stopPropagation()); // an element around it may handle clicks
  }

  // A word or another element with the explanation of a term.
  /** @param {string} key @param {(Node | string)[]} content */
  word(key, ...content) {
    const node = element(
      "button",
      {
        type: "button",
        class: "lv-term",
        "data-term": key,
        onclick: (event) => {
          event.stopPropagation();
          if (this.open === node && this.pinned) return this.hide();
          this.show(node);
          this.pinned = true;
        },
      },
      ...content,
    );
    node.addEventListener("pointerenter", ({pointerType}) => {
      if (pointerType === "mouse" && this.open !== node) this.show(node);
    });
    node.addEventListener("pointerleave", () => this.hideSoon());
    node.addEventListener("focus", () => {
      if (node.matches(":focus-visible")) this.show(node);
    });
    node.addEventListener("blur", () => this.hideSoon());
    node.addEventListener("keydown", (event) => this.escape(event));
    return node;
  }

  // Text in which no line ends within a formula, or between a word and the punctuation beside it: a button is a box of its
  // own, which a line may end after.
  /** @param {(Node | string)[]} content @returns {(Node | string)[]} */
  glued(content) {
    const found = /** @type {(Node | string)[]} */ ([]),
      rest = [...content];
    for (let node = rest.shift(); node !== undefined; node = rest.shift()) {
      const before = found.at(-1),
        after = rest[0];
      if (!(node instanceof HTMLElement) || !node.matches(".lv-term")) {
        found.push(typeof node === "string" ? unbroken(node) : node);
        continue;
      }
      const open = typeof before === "string" ? (/[([]*$/.exec(before)?.[0] ?? "") : "",
        close = typeof after === "string" ? (/^[.,;:!?)\]]*/.exec(after)?.[0] ?? "") : "";
      if (open) found[found.length - 1] = /** @type {string} */ (before).slice(0, -open.length);
      if (close) rest[0] = /** @type {string} */ (after).slice(close.length);
      found.push(open || close ? element("span", {class: "lv-glued"}, open, node, close) : node);
    }
    return found;
  }

  // A press elsewhere closes a pinned explanation.
  /** @param {Event} event */
  pressed(event) {
    const path = event.composedPath();
    if (this.open && !path.includes(this.open) && !path.includes(this.node)) this.hide();
  }

  // Assign another term to the word.
  /** @param {HTMLElement} node @param {string} key */
  set(node, key) {
    setAttribute(node, "data-term", key);
  }

  /** @param {HTMLElement} term */
  show(term) {
    clearTimeout(this.timer);
    if (this.open === term) return;
    this.hide();
    const {name, text, equation} = TERMS[term.dataset.term ?? ""];
    setText(this.name, name);
    setText(this.text, text);
    this.link.hidden = !equation;
    if (equation) setText(this.link, equationName(numberOf(equation)));
    term.after(this.node); // the next Tab stop is inside it
    this.node.showPopover();
    this.open = term;
    term.setAttribute("aria-describedby", this.text.id);
    this.place(term);
  }

  /** @param {HTMLElement} term */
  place(term) {
    const at = term.getBoundingClientRect(),
      {width, height} = this.node.getBoundingClientRect();
    const below = at.bottom + 6,
      above = at.top - height - 6;
    this.node.style.left = `${Math.max(6, Math.min(at.left, window.innerWidth - width - 6))}px`;
    this.node.style.top = `${Math.max(6, below + height > window.innerHeight - 6 ? above : below)}px`;
  }

  hide() {
    clearTimeout(this.timer);
    if (!this.open) return;
    this.open.removeAttribute("aria-describedby");
    this.open = null;
    this.pinned = false;
    this.node.hidePopover();
  }

  // What the pointer passed over is gone with the page that moves away below it. What a key or a press opened stays beside
  // its word: focusing a word scrolls it into sight, which the browser tells only after the key.
  scrolled() {
    if (!this.open) return;
    if (this.pinned || this.open.matches(":focus-visible") || this.node.matches(":focus-within"))
      this.place(this.open);
    else this.hide();
  }

  hideSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const root = /** @type {ShadowRoot | Document} */ (this.node.getRootNode()),
        focused = root.activeElement;
      const stays =
        this.pinned ||
        this.node.matches(":hover") ||
        this.node.contains(focused) ||
        (this.open && focused === this.open && this.open.matches(":focus-visible"));
      if (!stays) this.hide();
    }, CLOSE_DELAY_MS);
  }

  /** @param {KeyboardEvent} event */
  escape(event) {
    if (event.key !== "Escape" || !this.open) return;
    event.stopPropagation();
    const term = this.open;
    if (this.node.contains(/** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement))
      term.focus();
    this.hide();
  }
}
