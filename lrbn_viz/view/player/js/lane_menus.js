// Menus in a lane's header: the model, its inference, the start and the seed. Hosts without choices, such as a replay, have
// none. The menus are <select> elements, whose keys are known.

import {element, setText} from "./dom.js";
import {many} from "./format.js";
import {TERMS} from "./glossary.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {max_seed: MAX_SEED} = constants;

/** @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} chosen */
function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, title]) => element("option", {value}, title)));
  select.value = chosen;
}

export class LaneMenus {
  /** @type {LaneChoices | undefined} */ choices;
  key = "";

  /** @param {number} index @param {Player} player */
  constructor(index, player) {
    this.index = index;
    this.player = player;
    const lane = `lane ${index + 1}`;
    /** @param {LanePart} part @param {string} label */
    const select = (part, label) => {
      const node = element("select", {
        "aria-label": `${label} in ${lane}`,
        onchange: () => this.choose(part, node.value, node.selectedOptions[0]?.text ?? ""),
      });
      return node;
    };
    // a label and its menu stay on one line
    /** @param {LanePart} part @param {HTMLElement} text @param {HTMLElement[]} controls */
    const pair = (part, text, ...controls) =>
      element("span", {class: "lv-lane-pair", "data-part": part}, text, ...controls);
    /** @param {string} key @param {string} what */
    const word = (key, what) => {
      const node = player.glossary.word(key, what);
      node.setAttribute("aria-label", `${what}: what this one is, in ${lane}`);
      return node;
    };
    this.by = word("inference", "inference");
    this.from = word("start", "start");
    this.model = select("model", "Model");
    this.model.dataset.part = "model";
    this.algorithm = select("algorithm", "Inference");
    this.start = select("start", "Start");
    this.startPair = pair("start", this.from, this.start);
    // beside its menu where there is room, else on the next line
    this.resume = element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-small",
        "data-part": "start",
        "aria-label": `Continue from the cursor in ${lane}`,
        title: "Begin again from the state at the cursor",
        onclick: () => this.choose("start", "last", "the state at the cursor"),
      },
      "continue",
    );
    this.seed = element("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      class: "lv-seed",
      "aria-label": `Seed in ${lane}`,
      onchange: () => this.chooseSeed(),
    });
    this.seedPair = pair("seed", element("span", {"aria-hidden": "true"}, "seed"), this.seed);
    this.swap = element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-small",
        "data-part": "model",
        "aria-label": "Swap the lanes",
        title: "Swap the lanes",
        onclick: () => player.callbacks.swap?.(),
      },
      "swap",
    );
    this.complaint = element("p", {class: "lv-complaint", role: "alert"});
    this.node = element(
      "div",
      {class: "lv-lane-menus", role: "group", "aria-label": `What ${lane} shows`, hidden: true},
      this.model,
      pair("algorithm", this.by, this.algorithm),
      this.startPair,
      this.resume,
      this.seedPair,
      ...(index ? [this.swap] : []),
      this.complaint,
    );
  }

  // Whether there is any choice.
  get offered() {
    return Boolean(this.choices);
  }

  /** @param {LaneChoices | undefined} choices */
  load(choices) {
    const key = JSON.stringify(choices);
    if (key === this.key) return;
    this.key = key;
    this.choices = choices;
    this.node.hidden = !choices;
    if (!choices) return;
    const {models, model, algorithms, algorithm, starts, start, note, seed} = choices;
    const grouped = models.length > 1;
    this.model.replaceChildren(
      ...models.flatMap(([group, entries]) => {
        const options = entries.map(([value, title]) => element("option", {value}, title));
        return grouped ? [element("optgroup", {label: group}, ...options)] : options;
      }),
    );
    this.model.value = model;
    this.model.title = this.model.selectedOptions[0]?.text ?? ""; // whole, where there is no room for it
    fill(this.algorithm, algorithms, algorithm);
    fill(this.start, starts, start);
    this.start.title = note;
    this.player.glossary.set(this.by, algorithm in TERMS ? algorithm : "inference");
    this.player.glossary.set(this.from, start in TERMS ? start : "start");
    this.startPair.hidden = this.resume.hidden = !starts.length;
    this.seed.value = String(seed ?? 0);
    this.seedPair.hidden = seed === null;
    this.complain("");
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll("[data-part]")))
      node.toggleAttribute("data-hidden", !this.player.shows(node.dataset.part ?? ""));
  }

  /** @param {LanePart} part @param {string} value @param {string} title */
  choose(part, value, title) {
    const {lane} = this.player.callbacks;
    if (lane?.(this.index, part, value, `choosing \u201c${title}\u201d`)) return;
    this.key = ""; // refused: the menus return to the current values
    this.load(this.choices);
  }

  chooseSeed() {
    const text = this.seed.value.trim();
    if (!/^[0-9]{1,10}$/.test(text) || Number(text) > MAX_SEED)
      return this.complain(
        `Expected a whole number from 0 to ${many(MAX_SEED)}, got ${text ? `\u201c${text.slice(0, 40)}\u201d` : "nothing"}.`,
      );
    this.complain("");
    this.choose("seed", text, `seed ${text}`);
  }

  /** @param {string} text */
  complain(text) {
    setText(this.complaint, text);
    this.seed.setAttribute("aria-invalid", String(Boolean(text)));
  }
}
