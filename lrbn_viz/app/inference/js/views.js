// The side bar's list of panels, and a teacher's link: an address that opens the page as it is, without some controls.

import {closeButton, element, watchScheme} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/style.js";
import VIEWS_STYLE from "./views.css";

/** @param {string[]} names */
const list = (names) => names.join(".");

/** @typedef {{panels: [string, string][], tools: [string, string][], hidden: string, setting: string}} Menu */

class ViewsMenu {
  link = element("input", {
    type: "text",
    readonly: true,
    "aria-label": "Link",
    onfocus: () => this.link.select(),
  });
  said = element("p", {class: "lv-caption lv-said", role: "status"});
  dialog = element("dialog", {
    class: "lv-help lv-teacher",
    tabindex: -1,
    "aria-label": "Teacher's link",
    onclose: () => this.dialog.replaceChildren(),
  });
  /** @type {Set<string>} */ hidden = new Set();
  /** @type {ReturnType<ViewsMenu["ticks"]>} */ controlTicks = [];

  // `hide(names)` receives what is to be out of sight; `panels` and `tools` are pairs of name and title; addresses
  // call the list `setting`.
  /** @param {HTMLElement} root @param {Menu} menu @param {(names: string) => void} hide */
  constructor(root, {panels, tools, setting}, hide) {
    this.controls = tools;
    this.setting = setting;
    this.panelTicks = this.ticks(panels, () => hide(list([...this.unticked(), ...this.hiddenControls()])));
    this.root = element(
      "div",
      {class: "lv lv-views-menu"},
      element("style", {}, STYLE + VIEWS_STYLE),
      element("h2", {id: "panels"}, "Panels"),
      element(
        "div",
        {class: "lv-ticks", role: "group", "aria-labelledby": "panels"},
        ...this.panelTicks.map(([, , label]) => label),
      ),
      element(
        "button",
        {type: "button", class: "lv-btn lv-small lv-open", onclick: () => this.open()},
        "Teacher's link \u2026",
      ),
      this.dialog,
    );
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the player ignores keys meanwhile
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    root.append(this.root);
    this.unwatch = watchScheme(this.root);
  }

  // [name, box, label] of each
  /** @param {[string, string][]} entries @param {() => void} changed */
  ticks(entries, changed) {
    return entries.map(([name, title]) => {
      const box = element("input", {type: "checkbox", value: name, onchange: changed});
      return /** @type {const} */ ([name, box, element("label", {}, box, title)]);
    });
  }

  /**  */
  unticked() {
    return this.panelTicks.filter(([, box]) => !box.checked).map(([name]) => name);
  }
  hiddenControls() {
    return this.controls.map(([name]) => name).filter((name) => this.hidden.has(name));
  }

  /** @param {string} names */
  show(names) {
    this.hidden = new Set(names.split(".").filter(Boolean));
    for (const [name, box] of this.panelTicks) box.checked = !this.hidden.has(name);
  }

  open() {
    this.controlTicks = this.ticks(this.controls, () => this.write());
    for (const [name, box] of this.controlTicks) box.checked = this.hidden.has(name);
    this.dialog.replaceChildren(
      element("h2", {}, "Teacher's link"),
      element(
        "p",
        {class: "lv-caption"},
        "Whoever opens this link sees the image, the visit and the panels that you see now, without what you tick below. " +
          "The help (?) shows everything again.",
      ),
      element(
        "fieldset",
        {class: "lv-ticks"},
        element("legend", {}, "Leave out"),
        ...this.controlTicks.map(([, , label]) => label),
      ),
      element(
        "div",
        {class: "lv-link"},
        this.link,
        element("button", {type: "button", class: "lv-btn lv-small", onclick: () => this.copy()}, "copy"),
      ),
      this.said,
      closeButton(),
    );
    this.write();
    this.dialog.showModal();
  }

  // The address of the page's current state, without the hidden parts.
  write() {
    const address = new URL(window.location.href);
    const names = list([
      ...this.unticked(),
      ...this.controlTicks.filter(([, box]) => box.checked).map(([name]) => name),
    ]);
    if (names) address.searchParams.set(this.setting, names);
    else address.searchParams.delete(this.setting);
    this.link.value = address.href;
    this.said.textContent = "";
  }

  // The clipboard is available to pages from https or this machine only; otherwise the selected text is copied.
  async copy() {
    this.link.select();
    let copied = true;
    try {
      await navigator.clipboard.writeText(this.link.value);
    } catch {
      copied = document.execCommand("copy");
    }
    this.said.textContent = copied ? "Copied." : "The browser did not allow copying: press Ctrl+C now.";
  }

  remove() {
    this.unwatch();
    this.root.remove();
  }
}

/** @param {Rendered<Menu>} host */
function render({model, el}) {
  const {live} = outbox(hostOf(model), () => share());
  /** @type {string | null} */
  let wish = null; // the requested list, until the server is ready
  const share = () => {
    if (live() && wish !== null) {
      model.hidden = wish;
      wish = null;
    }
  };
  const menu = new ViewsMenu(el, model, (names) => {
    wish = names;
    share();
  });
  menu.show(model.hidden);
  model.on("hidden", () => menu.show(model.hidden));
  model.on("remove", () => menu.remove());
}

export default {render};
