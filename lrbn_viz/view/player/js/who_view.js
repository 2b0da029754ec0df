// Pictures of the causes of a change in a unit's log-odds: the flips since the reference, the strongest first. A click goes to
// the flip's visit; a button beside it holds the unit in its state before.

import {element, setAttribute} from "./dom.js";
import {filterPicture} from "./draw.js";
import {many, signed} from "./format.js";
import {shortUnitName} from "./names.js";
import {REFERENCES} from "./who.js";

const MOST = 6;

export class WhoView {
  sum = element("b");
  tiles = element("div", {class: "lv-chips-row"});
  words = element("p", {class: "lv-caption"});
  // The list stays the same after one of its units is held. k: the visit that is then shown, once it is known.
  /** @type {{of: string, units: number[], before: Lane, k: number | null} | null} */ kept = null;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.reference = element(
      "select",
      {
        "aria-label": "Compared with",
        "data-part": "since",
        onchange: () => player.compareWith(this.reference.value),
      },
      ...Object.entries(REFERENCES).map(([value, text]) => element("option", {value}, text)),
    );
    this.node = element(
      "div",
      {class: "lv-who", role: "group", "aria-label": "Changes of the log-odds"},
      element(
        "div",
        {class: "lv-who-head"},
        element("span", {}, "Changes compared with"),
        this.reference,
        this.sum,
      ),
      this.tiles,
      this.words,
    );
  }

  /** @param {string} reference */
  choose(reference) {
    if (this.reference.value !== reference) this.reference.value = reference;
  }

  clear() {
    this.tiles.replaceChildren();
    this.words.textContent = this.sum.textContent = "";
  }

  /** @param {Lane} lane @param {number} index @param {number} j @param {import("./who.js").Change} change @param {Colours} colours */
  show(lane, index, j, change, colours) {
    const {causes, sum} = change,
      nearly = change.about ? "\u2248" : "",
      strongest = causes
        .filter(({nats}) => nats !== 0)
        .sort((one, other) => Math.abs(other.nats) - Math.abs(one.nats));
    const kept = this.keptFor(lane, index, j),
      shown = kept ? kept.map((unit) => together(causes, unit, lane)) : strongest.slice(0, MOST);
    const left = strongest.filter(({unit}) => !shown.some((cause) => cause.unit === unit));
    const within = this.tiles.contains(
      /** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement,
    );
    const units = shown.map(({unit}) => unit),
      before = within ? this.focused : undefined;
    this.tiles.replaceChildren(
      ...shown.map((cause) => this.tile(lane, index, j, cause, colours, nearly, units)),
    );
    // the focused button was replaced: focus the same button of the same unit, or else the first
    const same = /** @type {HTMLElement | null} */ (before ? this.tiles.querySelector(before) : null);
    if (within) (same ?? this.tiles.querySelector("button") ?? this.reference).focus();
    this.sum.textContent = lane.independent ? "" : `${nearly}${signed(sum)}\u00a0nats`;
    this.words.textContent = this.inWords(lane, change, shown.length, left);
    setAttribute(
      this.node,
      "aria-label",
      `Changes of the log-odds: ${lane.independent ? "no other unit" : `${nearly}${signed(sum)} nats compared with ${REFERENCES[this.reference.value]}`}`,
    );
  }

  /** @param {number} index @param {number} j */
  nameOf(index, j) {
    return [index, j, this.reference.value, this.player.meta.caption].join(".");
  }

  // The units of the list, until another unit or visit is shown.
  /** @param {Lane} lane @param {number} index @param {number} j */
  keptFor(lane, index, j) {
    const {kept} = this;
    if (!kept) return null;
    if (kept.k === null && lane !== kept.before) kept.k = lane.k;
    if (kept.of !== this.nameOf(index, j) || (kept.k ?? lane.k) !== lane.k) this.kept = null;
    return this.kept && this.kept.units;
  }

  // The selector of the focused button of a tile.
  get focused() {
    const button = /** @type {HTMLElement | null} */ (
        /** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement
      ),
      unit = button?.dataset.unit;
    return unit === undefined
      ? undefined
      : `[data-unit="${unit}"]${button?.dataset.part ? "[data-part]" : ":not([data-part])"}`;
  }

  /** @param {Lane} lane @param {import("./who.js").Change} change @param {number} shown @param {import("./who.js").Cause[]} left */
  inWords(lane, {since, first, about}, shown, left) {
    if (lane.independent)
      return `Given the image, the units of this model do not depend on each other: each decides by itself, so two units that ${lane.variables ? "cause the same event are both taken to be its cause" : "draw the same stroke both draw it"}.`;
    const {particles} = lane.meta,
      from =
        since < 0
          ? ""
          : this.reference.value === "last"
            ? particles && !first
              ? "Since the particle before. "
              : first
                ? "It was not visited before: since the start. "
                : `Since the state in which it was last visited, ${since ? `after visit ${many(since)}` : "the start"}. `
            : "";
    const units = since < 0 || particles ? "unit" : "flip",
      more = left.reduce((all, {nats}) => all + nats, 0);
    const off = about ? `\u2248: ${since < 0 ? "by rounded weights" : lane.offInWords}.` : ""; // all others off is no state of the trace
    if (left.length)
      return `${from}${left.length} more ${units}${left.length > 1 ? "s" : ""}: ${about ? "\u2248" : ""}${signed(more)} nats together. ${off}`;
    if (shown) return from + off;
    if (since < 0 && lane.model.restricted && lane.whole)
      return "Units of one layer of this model do not depend on each other.";
    return (
      from +
      (since < 0
        ? "No other unit of its layer is on."
        : `No ${particles ? "change" : "flip"} of another unit changed it.`)
    );
  }

  /** @param {Lane} lane @param {number} index @param {number} j @param {import("./who.js").Cause} cause @param {Colours} colours @param {string} nearly @param {number[]} units  of the list */
  tile(lane, index, j, {visit, unit, after, nats}, {tables}, nearly, units) {
    const {player} = this,
      means = lane.meta.means,
      now = means ? `mean ${after.toFixed(2)}` : after ? "on" : "off";
    const came = lane.held.has(unit)
      ? `is held ${now}`
      : visit
        ? `${means ? "moved to" : "turned"} ${now} at visit ${many(visit)}`
        : `${now} since the start`;
    const go = element(
      "button",
      {
        type: "button",
        class: "lv-tile lv-partner",
        "data-visit": visit,
        "data-unit": unit,
        title: `${lane.nameOf(unit)} ${came}: ${nearly}${signed(nats)} nats. Go there.`,
        "aria-label": `${lane.nameOf(unit)} ${came}, ${nearly}${signed(nats)} nats; go there`,
        onclick: () => {
          player.pause();
          player.seek(visit);
        },
      },
      filterPicture(lane, unit, tables),
      element("span", {}, `${shortUnitName(lane.model, unit)} ${means ? "" : now}`),
      element("span", {}, `${nearly}${signed(nats, 1)}`),
    );
    if (!player.holds(index) || means) return element("div", {}, go);
    const held = lane.held.has(unit),
      state = held ? "free" : after ? "off" : "on";
    const hold = element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-small lv-hold-it",
        "data-part": "hold",
        "data-unit": unit,
        "aria-label": held ? `Free ${lane.unitName(unit)}` : `Hold ${lane.unitName(unit)} ${state}, and see`,
        title: held ? "Free this unit" : `Hold ${lane.unitName(unit)} ${state}, as it was before, and see`,
        onclick: () => {
          this.kept = {of: this.nameOf(index, j), units, before: lane, k: null};
          player.select(index, j);
          player.callbacks.hold?.(unit, state, index);
        },
      },
      held ? "free" : `hold ${state}`,
    );
    hold.toggleAttribute("data-hidden", !player.shows("hold"));
    return element("div", {}, go, hold);
  }
}

// The sum of a unit's effects.
/** @param {import("./who.js").Cause[]} causes @param {number} unit @param {Lane} lane @returns {import("./who.js").Cause} */
function together(causes, unit, lane) {
  const its = causes.filter((cause) => cause.unit === unit),
    last = its.at(-1);
  return {
    visit: last?.visit ?? 0,
    unit,
    after: last?.after ?? lane.h[unit],
    nats: its.reduce((sum, {nats}) => sum + nats, 0),
  };
}
