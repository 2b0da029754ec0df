// A field for a whole number. Invalid text stays in the field, with a message below it.

import {byKey, element} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {showField} from "./field.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @param {Rendered<{label: string, text: string, message: string, start: number, end: number}>} rendered */
function render(rendered) {
  const {model} = rendered;
  const host = hostOf(model),
    {send} = outbox(host);
  const note = element("p", {id: "note", role: "status"});
  const edit = () => send({type: "edit", text: input.value.slice(0, constants.typed_characters)});
  /** @param {KeyboardEvent} event */
  const step = (event) => {
    const by = byKey(event, {ArrowUp: 1, ArrowDown: -1});
    if (!by || !/^[0-9]{1,15}$/.test(input.value)) return;
    event.preventDefault();
    input.value = String(Math.max(model.start, Math.min(model.end, Number(input.value) + by)));
    edit();
  };
  const input = element("input", {
    id: "number",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    "aria-describedby": "note",
    onchange: edit,
    onkeydown: step,
  });
  const label = showField(rendered, input, note);
  const show = () => {
    label.textContent = model.label;
    if (input.value !== model.text) input.value = model.text;
    note.textContent = model.message;
    input.setAttribute("aria-invalid", String(Boolean(model.message)));
  };
  together({label: show, text: show, message: show}, host)();
}

export default {render};
