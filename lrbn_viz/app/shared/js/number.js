// A whole number in a field. What is no such number stays as it was typed, with the reason below it.

import {byKey, element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {themed} from "../../../view/player/js/theme.js";
import {nameDialog} from "./sidebar.js";
import NUMBER_STYLE from "./number.css";
import constants from "../../../io/constants.json" with {type: "json"};

/** @param {Rendered<{label: string, text: string, message: string, start: number, end: number}>} rendered */
function render({model, el}) {
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
  const label = element("label", {for: "number"}, model.label);
  const root = element(
    "div",
    {class: "lv-number"},
    element("style", {}, themed(".lv-number") + NUMBER_STYLE),
    label,
    input,
    note,
  );
  const show = () => {
    label.textContent = model.label;
    if (input.value !== model.text) input.value = model.text;
    note.textContent = model.message;
    input.setAttribute("aria-invalid", String(Boolean(model.message)));
  };
  el.append(root);
  nameDialog(el);
  const unwatch = watchScheme(root);
  together({label: show, text: show, message: show}, host)();
  model.on("remove", () => {
    unwatch();
    root.remove();
  });
}

export default {render};
