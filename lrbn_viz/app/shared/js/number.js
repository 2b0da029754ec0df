// A whole number in a field. What is no such number stays as it was typed, with the reason below it.

import {byKey, element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {cssVariables, FONT, PALETTES} from "../../../view/player/js/theme.js";
import {nameDialog} from "./sidebar.js";

const NUMBER_STYLE = `
.lv-number { ${cssVariables(PALETTES.light)} font-family: ${FONT}; font-size: .875rem; color: var(--lv-ink); background: none; }
.lv-number[data-scheme="dark"] { ${cssVariables(PALETTES.dark)} color-scheme: dark; }
.lv-number label { display: block; font-size: .86em; color: var(--lv-muted); margin: 0 0 .25em .1em; }
.lv-number input { font: inherit; font-variant-numeric: tabular-nums; color: var(--lv-ink); background: var(--lv-surface); width: 100%; height: 2.5rem; box-sizing: border-box;
  padding: 0 .7em; border: 1px solid color-mix(in srgb, var(--lv-muted) 60%, var(--lv-surface)); border-radius: 4px; }
.lv-number input:hover { border-color: var(--lv-muted); }
.lv-number input:focus-visible { outline: 2px solid var(--lv-focus); outline-offset: 2px; }
.lv-number input[aria-invalid="true"] { border-color: var(--lv-bad); box-shadow: inset 0 0 0 1px var(--lv-bad); }
.lv-number p { color: var(--lv-bad); font-size: .86em; line-height: 1.35; margin: .25em .1em 0; overflow-wrap: anywhere; } .lv-number p:empty { display: none; }
`;
const TYPED_CHARACTERS = 10000; // that are sent: text so long is no number, whatever follows

/** @param {Rendered<{label: string, text: string, message: string, start: number, end: number}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host);
  const note = element("p", {id: "note", role: "status"});
  const edit = () => send({type: "edit", text: input.value.slice(0, TYPED_CHARACTERS)});
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
  const root = element("div", {class: "lv-number"}, element("style", {}, NUMBER_STYLE), label, input, note);
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
