// The name of a latent: a button that opens a field, where the host keeps names.

import {element, setAttribute, setText} from "./dom.js";
import {unitName} from "./names.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {() => {j: number, index: number, lane: Lane}} Subject */

export class UnitNamer {
  /** @type {{j: number, index: number, lane: Lane} | null} */ of = null; // whose name is being written

  /** @param {Player} player @param {Subject} subject */
  constructor(player, subject) {
    this.player = player;
    this.subject = subject;
    this.button = element(
      "button",
      {type: "button", class: "lv-btn lv-small lv-name-it", onclick: () => this.begin()},
      "name",
    );
    this.field = element("input", {
      type: "text",
      maxlength: String(constants.max_name_length),
      autocomplete: "off",
      hidden: true,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onblur: () => this.end(),
    });
    this.complaint = element("span", {class: "lv-complaint", role: "alert"});
    this.node = element("div", {class: "lv-row lv-namer"}, this.button, this.field, this.complaint);
  }

  /** @param {Lane} lane @param {number} j */
  show(lane, j) {
    const offered = Boolean(this.player.callbacks.name);
    if (this.node.hidden === offered) this.node.hidden = !offered;
    if (!this.of) setAttribute(this.button, "aria-label", `Name ${unitName(lane.model, j)}`);
  }

  begin() {
    const of = (this.of = this.subject()),
      {names} = of.lane.model;
    this.player.pause();
    this.field.value = names?.[of.j] ?? "";
    this.field.placeholder = unitName({}, of.j);
    this.field.setAttribute(
      "aria-label",
      `Name of ${unitName(of.lane.model, of.j)}; Enter keeps it, Escape does not`,
    );
    this.field.hidden = false;
    this.button.hidden = true;
    this.field.focus();
    this.field.select();
  }

  end(focus = false) {
    if (!this.of) return;
    this.of = null;
    setText(this.complaint, "");
    this.button.hidden = false;
    if (focus) this.button.focus();
    this.field.hidden = true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation(); // the page has keys of its own
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault(); // the button, which has the focus next, would be pressed
    if (event.key === "Escape") this.end(true);
    else if (this.of) this.keep(this.of);
  }

  /** @param {{j: number, index: number, lane: Lane}} of */
  keep({j, index, lane}) {
    const name = this.field.value.trim(),
      {model} = lane;
    const taken = Array.from({length: model.n_h}, (_, k) => k).find(
      (k) => k !== j && name !== "" && unitName(model, k) === name,
    );
    if (taken !== undefined)
      return setText(this.complaint, `Another unit is called \u201c${name}\u201d. Choose a different name.`);
    this.end(true);
    this.player.callbacks.name?.(j, name, index);
  }
}
