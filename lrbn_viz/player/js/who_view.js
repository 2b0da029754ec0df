// Who changed a unit's log-odds, as pictures: the flips since the reference, the strongest first. A click goes to the
// flip's visit; beside it the unit can be held as it was before.

import {element, setAttribute} from "./dom.js";
import {filterPicture} from "./draw.js";
import {signed} from "./format.js";
import {REFERENCES} from "./who.js";

const MOST = 6;

export class WhoView {
  sum = element("b");
  tiles = element("div", {class: "lv-chips-row"});
  words = element("p", {class: "lv-caption"});

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.reference = element("select", {"aria-label": "Compared with", "data-part": "since", onchange: () => player.compareWith(this.reference.value)},
      ...Object.entries(REFERENCES).map(([value, text]) => element("option", {value}, text)));
    this.node = element("div", {class: "lv-who", role: "group", "aria-label": "Who did it"},
      element("div", {class: "lv-who-head"}, element("span", {}, "Who did it, compared with"), this.reference, this.sum), this.tiles, this.words);
  }

  /** @param {string} reference */
  choose(reference) { if (this.reference.value !== reference) this.reference.value = reference; }

  clear() {
    this.tiles.replaceChildren();
    this.words.textContent = this.sum.textContent = "";
  }

  /** @param {Lane} lane @param {number} index @param {number} j @param {import("./who.js").Change} change @param {Colours} colours */
  show(lane, index, j, change, colours) {
    const {causes, sum} = change, nearly = change.about ? "\u2248" : "", strongest = causes.filter(({nats}) => nats !== 0).sort((one, other) => Math.abs(other.nats) - Math.abs(one.nats));
    const shown = strongest.slice(0, MOST), left = strongest.slice(MOST);
    const within = this.tiles.contains(/** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement);
    this.tiles.replaceChildren(...shown.map((cause) => this.tile(lane, index, j, cause, colours, nearly)));
    if (within) (this.tiles.querySelector("button") ?? this.reference).focus(); // what had the focus is gone
    this.sum.textContent = lane.model.factorised ? "" : `${nearly}${signed(sum)}\u00a0nats`;
    this.words.textContent = this.inWords(lane, change, shown.length, left);
    setAttribute(this.node, "aria-label", `Who did it: ${lane.model.factorised ? "no other unit" : `${nearly}${signed(sum)} nats since ${REFERENCES[this.reference.value]}`}`);
  }

  /** @param {Lane} lane @param {import("./who.js").Change} change @param {number} shown @param {import("./who.js").Cause[]} left */
  inWords(lane, {since, first, about}, shown, left) {
    if (lane.model.factorised) return `Given the image, no unit of this model looks at another: each decides alone, so two units that ${lane.model.pixels ? "cause the same event are both taken to be its cause" : "draw the same stroke both draw it"}.`;
    const {particles} = lane.meta, from = since < 0 ? "" : this.reference.value === "last" ? (particles && !first ? "Since the particle before. " : first ? "It was not visited before: since the start. " : `Since the state on which its last visit decided, ${since ? `after visit ${since}` : "the start"}. `) : "";
    const units = since < 0 || particles ? "unit" : "flip", more = left.reduce((all, {nats}) => all + nats, 0);
    const off = about ? `\u2248: ${since < 0 ? "by rounded weights" : lane.offInWords}.` : ""; // all others off is no state of the trace
    if (left.length) return `${from}${left.length} more ${units}${left.length > 1 ? "s" : ""}: ${about ? "\u2248" : ""}${signed(more)} nats together. ${off}`;
    if (shown) return from + off;
    if (since < 0 && lane.model.restricted) return "No unit of this model looks at another of its own layer.";
    return from + (since < 0 ? "No other unit of its layer is on." : `No ${particles ? "change" : "flip"} of another unit changed it.`);
  }

  /** @param {Lane} lane @param {number} index @param {number} j @param {import("./who.js").Cause} cause @param {Colours} colours @param {string} nearly */
  tile(lane, index, j, {visit, unit, after, nats}, {tables}, nearly) {
    const {player} = this, means = lane.meta.means, now = means ? `mean ${after.toFixed(2)}` : after ? "on" : "off";
    const came = visit ? `${means ? "moved to" : "turned"} ${now} at visit ${visit}` : `${now} since the start`;
    const go = element("button", {
      type: "button", class: "lv-partner", "data-visit": visit, "data-unit": unit, title: `${lane.nameOf(unit)} ${came}: ${nearly}${signed(nats)} nats. Go there.`,
      "aria-label": `${lane.nameOf(unit)} ${came}, ${nearly}${signed(nats)} nats; go there`, onclick: () => { player.pause(); player.seek(visit); },
    }, filterPicture(lane, unit, tables), element("span", {}, `${lane.model.names?.[unit] ?? unit} ${means ? "" : now}`), element("span", {}, `${nearly}${signed(nats, 1)}`));
    if (!player.holds(index) || means) return element("div", {}, go);
    const held = lane.held.has(unit), state = held ? "free" : after ? "off" : "on";
    const hold = element("button", {
      type: "button", class: "lv-btn lv-small lv-hold-it", "data-part": "hold", "aria-label": held ? `Free ${lane.unitName(unit)}` : `Hold ${lane.unitName(unit)} ${state}, and see`,
      title: held ? "Free this unit" : `Hold ${lane.unitName(unit)} ${state}, as it was before, and see`, onclick: () => { player.select(index, j); player.callbacks.hold?.(unit, state, index); },
    }, held ? "free" : `hold ${state}`);
    hold.toggleAttribute("data-hidden", !player.shows("hold"));
    return element("div", {}, go, hold);
  }
}
