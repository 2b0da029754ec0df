// The Why card: the terms of one unit's log-odds, the causes of their change, and the units it interacts with.

import {namedCauses, subjectOf, termsAt} from "./asked.js";
import {box, card, element, setAttribute, setText} from "./dom.js";
import {filterPicture, largest, PixelMap, PixelView} from "./draw.js";
import {brief, capital, isZero, many, signed} from "./format.js";
import {termName} from "./glossary.js";
import {COMPETE, Interactions} from "./interactions.js";
import {legend} from "./legend.js";
import {UnitNamer} from "./namer.js";
import {unitName, variablesOf} from "./names.js";
import {registerView} from "./registry.js";
import {VariableBars} from "./variables.js";
import {emptyListWords, question, verdict} from "./verdict.js";
import {paintWaterfall} from "./waterfall.js";
import {whoChanged} from "./who.js";
import {WhoView} from "./who_view.js";

/** @typedef {"prior" | "evidence" | "alone" | "others" | "logOdds"} Term */

/** @type {[Term, string][]} */
const TERMS = [
  ["prior", "prior"],
  ["evidence", "evidence"],
  ["alone", "alone"],
  ["others", "others"],
  ["logOdds", "log-odds"],
]; // and its key in the glossary
const LAST = 2.3 / (4 * 1.95 + 2.3); // the last row's share of the bars' height, as in theme.js
const MIN_FULL_COLOUR = 0.01; // least nats of a pixel that have full colour
const PARTNERS = 8;

class WhyCard {
  waits = true;
  title = box();
  note = element("small");
  verdict = box();
  effect = box();
  fullColour = box(); // of the maps
  maps = element("div", {class: "lv-maps"});
  // in place of the maps, where the data are no pictures: a row for each variable, or for each unit of the layer below
  variables = new VariableBars([
    {kind: "signed", title: "Weight", help: "The unit's weight for each"},
    {kind: "signed", title: "Evidence", help: "What each says for the unit"},
    {
      kind: "signed",
      title: "Others",
      help: "What the units that are on change: blue explains away, orange supports",
    },
  ]);
  partners = element("div", {class: "lv-partners"});
  bars = element("canvas", {"aria-hidden": "true"});
  values = {prior: box(), evidence: box(), alone: box(), others: box(), logOdds: box()};
  shape = [0, 0];
  /** @type {number | null} */ under = null;
  /** @type {Model | undefined} */ model;
  /** @type {ReturnType<WhyCard["makeMaps"]>} */ views;
  /** @type {LogOddsTerms & {lane: number, decided: boolean, now: number}} */ terms;
  /** @type {Float64Array | undefined} */ interactions;
  /** @type {import("./who.js").Change | undefined} */ change;
  /** @type {import("./verdict.js").Facts} */ facts;
  named = {of: "", units: /** @type {number[]} */ ([])}; // other units that the sentence names, and the key of the explained state

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.who = new WhoView(player);
    this.follow = element(
      "button",
      {type: "button", class: "lv-btn lv-small", onclick: () => player.select(player.selected.lane, -1)},
      "follow the visits",
    );
    /** @param {string} state @param {string} text @param {string} label */
    const hold = (state, text, label) =>
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small",
          "data-state": state,
          "aria-label": label,
          onclick: () => {
            const {j, index} = this.subject();
            player.hold(j, state, index);
          },
        },
        text,
      );
    this.holds = [
      hold("on", "on", "Hold this unit on"),
      hold("off", "off", "Hold this unit off"),
      hold("free", "free", "Free this unit"),
    ];
    this.freeAll = element(
      "button",
      {
        type: "button",
        class: "lv-btn lv-small",
        onclick: () => player.hold(-1, "free", this.subject().index),
      },
      "free all",
    );
    this.holding = element(
      "div",
      {class: "lv-row lv-hold", role: "group", "aria-label": "Hold the unit", "data-part": "hold"},
      element("span", {}, "hold"),
      ...this.holds,
      this.freeAll,
    );
    this.namer = new UnitNamer(player, () => this.subject());
    this.effectTerm = player.glossary.word("explain-away", this.effect);
    const rows = TERMS.map(([name, key]) => [
      element(
        "span",
        {},
        player.glossary.word(key, termName(key)),
        name === "others" ? element("small", {}, this.effectTerm) : null,
      ),
      element("b", {}, this.values[name]),
    ]);
    this.table = element(
      "div",
      {class: "lv-bars", role: "group", "aria-label": "the terms of the log-odds"},
      element("div", {class: "lv-track"}, this.bars),
      ...rows.flat(),
    );
    this.node = card(
      {class: "lv-why", "aria-label": "Why is this unit on or off?"},
      [element("span", {class: "lv-why-title"}, this.title), this.note],
      [element("div", {class: "lv-row"}, this.namer.node, this.holding, this.follow)],
      element("p", {class: "lv-verdict"}, this.verdict),
      element("div", {class: "lv-why-body"}, this.maps, this.table, this.who.node, this.partners),
      element(
        "div",
        {class: "lv-legends"},
        legend([
          ["square", "plus", "for the unit"],
          ["square", "minus", "against it"],
          ["ring", "lane0", "a unit that is on"],
        ]),
        element("span", {class: "lv-caption lv-full-colour"}, this.fullColour),
      ),
    );
  }

  /** @param {Lane[]} lanes */
  load([{model}]) {
    const {rows, columns} = model;
    if (this.shape[0] !== rows || this.shape[1] !== columns) this.views = this.makeMaps(rows, columns);
    if (this.model !== model) {
      this.partners.replaceChildren();
      this.who.clear();
    }
    this.model = model;
    for (const node of [this.partners, this.who.node])
      node.toggleAttribute("data-named", Boolean(model.names));
    this.maps.toggleAttribute("data-table", Boolean(variablesOf(model)));
    this.variables.node.hidden = !variablesOf(model);
    this.under = null;
    this.named.of = "";
    this.waits = true; // the displayed partners are of an earlier image until the cursor rests
  }

  /** @param {number} rows @param {number} columns */
  makeMaps(rows, columns) {
    this.shape = [rows, columns];
    this.under = null;
    /** @param {string} text @param {string} help */
    const view = (text, help) =>
      Object.assign(new PixelMap(rows, columns, text), {text, help, label: element("span", {}, text)});
    const views = {
      filter: view("Filter", ""),
      evidence: view("Evidence", "what each says for the unit"),
      others: view("Others", "what the units that are on change: blue explains away, orange supports"),
    };
    this.maps.replaceChildren(
      ...Object.values(views).map(({canvas, label}) =>
        element("figure", {}, element("div", {class: "lv-label"}, label), canvas),
      ),
      this.variables.node,
    );
    return views;
  }

  // Evidence is a map of the pixels, or, further up, of the units of the layer below, row by row from number 0 on.
  /** @param {Layer} given */
  fitMaps({layer, n_v, first}) {
    if (this.under === layer || !this.model) return;
    this.under = layer;
    const variables = variablesOf(this.model);
    if (variables) {
      const {model} = this,
        below = layer ? Array.from({length: n_v}, (_, i) => unitName(model, first - n_v + i)) : variables;
      this.variables.load(below);
      this.variables.list.setAttribute(
        "aria-label",
        layer ? `The units of layer ${layer}` : "The observations",
      );
      return;
    }
    const across = layer ? Math.ceil(Math.sqrt(n_v)) : this.shape[1],
      down = layer ? Math.ceil(n_v / across) : this.shape[0];
    for (const map of [this.views.evidence, this.views.others]) {
      map.view = new PixelView(map.canvas, down, across);
      map.canvas.setAttribute("aria-label", layer ? `${map.text}, by unit of layer ${layer}` : map.text);
      map.label.title = `${map.help}; ${layer ? `by unit of layer ${layer}: ${first - n_v} to ${first - 1}, row by row` : "by pixel"}`;
    }
    this.views.filter.label.title = layer
      ? "what the unit does to the image, by way of the units below it"
      : "the unit's weights";
  }

  subject() {
    return subjectOf(this.player);
  }

  // The facts about the explained unit at the cursor.
  explain() {
    const {index, j, lane} = this.subject(),
      {decided, now, terms, facts} = termsAt(lane, j);
    this.terms = {lane: index, decided, now, ...terms};
    this.facts = facts;
    return {
      index,
      j,
      lane,
      decided,
      now,
      terms,
      facts,
      said: verdict(facts, this.named.of === this.nameOf(lane, j) ? this.named.units : []),
    };
  }

  caption() {
    return this.explain().said;
  }

  /** @param {number} k @param {Colours} colours */
  paint(k, colours) {
    const {index, j, lane, decided, now, terms, facts, said} = this.explain(),
      {tables, palette} = colours,
      {filters} = lane.model,
      at = j * lane.n_v;
    this.fitMaps(lane.layerOf(j));
    this.namer.show(lane, j);
    const top = largest(filters, at, at + lane.n_v),
      strongest = Math.max(MIN_FULL_COLOUR, largest(terms.evidence), largest(terms.others));
    if (lane.variables) this.paintVariables(lane, j, terms, strongest);
    else {
      setText(
        this.fullColour,
        `Full colour: ${brief(strongest)} nats a pixel in Evidence and Others; the strongest weight in Filter`,
      );
      this.views.filter.paint((i) => filters[at + i], top, tables.signed);
      this.views.evidence.paint((i) => terms.evidence[i], strongest, tables.signed);
      this.views.others.paint((i) => terms.others[i], strongest, tables.signed);
    }
    const pinned = this.player.selected.unit >= 0,
      stale = this.player.clock.playing || this.waits;
    setText(this.title, question(facts));
    setText(this.verdict, said);
    this.verdict.classList.toggle("lv-long", !stale); // while it changes at each frame, it has the usual height
    setText(this.note, this.noteOf(lane, j, decided, now));
    this.paintHolding(lane, index, j);
    if (this.follow.hidden === pinned) this.follow.hidden = !pinned;
    this.paintBars(terms, palette);
    this.who.choose(this.player.reference);
    for (const part of [this.partners, this.who.node]) setAttribute(part, "data-stale", String(stale));
  }

  // What each variable, or each unit of the layer below, is for the unit.
  /** @param {Lane} lane @param {number} j @param {LogOddsTerms} terms @param {number} strongest */
  paintVariables(lane, j, terms, strongest) {
    const {W, n_v, first} = lane.layerOf(j),
      at = (j - first) * n_v,
      top = largest(W, at, at + n_v);
    setText(
      this.fullColour,
      `Longest bar: ${brief(strongest)} nats in Evidence and Others; the strongest weight in Weight`,
    );
    for (let i = 0; i < n_v; i++) {
      this.variables.bar(i, 0, W[at + i] / top);
      this.variables.bar(i, 1, terms.evidence[i] / strongest);
      this.variables.bar(i, 2, terms.others[i] / strongest);
    }
  }

  // The lane, the layer, and whether a decision or a state is explained.
  /** @param {Lane} lane @param {number} j @param {boolean} decided @param {number} now */
  noteOf(lane, j, decided, now) {
    const {layers, without} = lane.model,
      exact = lane.tellsAll || (decided && lane.known),
      which = [
        lane.meta.title,
        ...(layers.length > 1 ? [`layer ${lane.layerOf(j).layer + 1}`] : []),
        ...(exact ? [] : [`terms ${lane.offInWords}`]),
        ...(without ? [`without what ${without} says`] : []),
      ].join(", ");
    if (decided && lane.meta.at_once)
      return `${which}: as visit ${many(lane.k)} decided, on ${now ? `the state after visit ${many(now)}` : "the start"}, with its whole sweep`;
    if (decided) return `${which}: as visit ${many(lane.k)} decided`;
    const state = lane.k ? `the state after visit ${many(lane.k)}` : "the start";
    if (lane.meta.means) return `${which}: ${state}, the others at their means`;
    if (lane.held.has(j)) return `${which}: ${state}; it is never visited`;
    return `${which}: ${state}, not a decision`;
  }

  /** @param {Lane} lane @param {number} j */
  nameOf(lane, j) {
    return `${lane.meta.title}.${lane.k}.${j}`;
  }

  // Units of some models cannot be held: those of an RBM decide in parallel, independently.
  /** @param {Lane} lane @param {number} index @param {number} j */
  paintHolding(lane, index, j) {
    const hidden = !this.player.holds(index);
    if (this.holding.hidden !== hidden) this.holding.hidden = hidden;
    const state = lane.held.has(j) ? (lane.held.get(j) ? "on" : "off") : "free";
    for (const button of this.holds)
      setAttribute(button, "aria-pressed", String(button.dataset.state === state));
    const {size} = lane.held;
    if (this.freeAll.disabled === size > 0) this.freeAll.disabled = !size;
    setText(this.freeAll, size ? `free all ${size}` : "free all");
  }

  /** @param {LogOddsTerms} given @param {Palette} palette */
  paintBars({prior, evidenceSum, aloneSum, othersSum, logOdds}, palette) {
    paintWaterfall(this.bars, [prior, evidenceSum, aloneSum, othersSum], logOdds, palette, LAST);
    const values = {prior, evidence: evidenceSum, alone: aloneSum, others: othersSum, logOdds};
    for (const [name] of TERMS) setText(this.values[name], signed(values[name]));
    const effect = this.effectOf(othersSum);
    setText(this.effect, effect);
    if (this.effectTerm.hidden !== !effect) this.effectTerm.hidden = !effect;
    this.player.glossary.set(this.effectTerm, othersSum < 0 ? "explain-away" : "others");
  }

  // The effect of the other units, in the field's terms.
  /** @param {number} nats */
  effectOf(nats) {
    if (isZero(nats)) return "";
    return nats > 0 ? "supported" : this.facts.summed ? "opposed" : "explained away";
  }

  // For tests and other scripts of the page.
  get snapshot() {
    return {
      ...this.terms,
      interactions: Array.from(this.interactions || []),
      title: this.title.textContent,
      verdict: this.verdict.textContent,
      note: this.note.textContent,
      change: this.change,
    };
  }

  // When the cursor rests: update the causes, the strongest competitors and allies, and the text of the bars.
  /** @param {Colours} colours */
  *rest(colours) {
    const {index, j, lane} = this.subject(),
      {prior, evidenceSum, aloneSum, othersSum, logOdds} = this.terms,
      {reference} = this.player;
    if (lane.variables) {
      const {W, n_v, first} = lane.layerOf(j),
        {evidence, others} = this.terms;
      this.variables.say(
        (i) =>
          `weight ${signed(W[(j - first) * n_v + i])}, evidence ${signed(evidence[i])} nats, others ${signed(others[i])} nats`,
      );
    }
    this.table.setAttribute(
      "aria-label",
      `${capital(lane.unitName(j))}: prior ${signed(prior)}, evidence ${signed(evidenceSum)}, ${termName("alone")} ${signed(aloneSum)}, others ` +
        `${signed(othersSum)}${this.effectOf(othersSum) && `, ${this.effectOf(othersSum)}`}, log-odds ${signed(logOdds)}`,
    );
    const change = (this.change = yield* whoChanged(lane, j, reference));
    this.who.show(lane, index, j, change, colours);
    yield;
    const {causes} = reference === "off" ? change : yield* whoChanged(lane, j, "off");
    this.named = {of: this.nameOf(lane, j), units: namedCauses(causes, othersSum)};
    yield;
    lane.interactions ||= new Interactions(lane);
    const values = (this.interactions = lane.interactions.row(j)),
      order = Array.from(values.keys()).sort((k, l) => values[k] - values[l]);
    /** @param {string} name @param {string} help @param {number[]} units @param {number} sign */
    const list = (name, help, units, sign) =>
      element(
        "div",
        {},
        element("div", {class: "lv-label"}, element("span", {title: help}, name)),
        element(
          "div",
          {class: "lv-chips-row"},
          ...units.slice(0, PARTNERS).map((k) => this.partner(lane, index, k, values[k], colours)),
        ),
        units.length
          ? ""
          : element("p", {class: "lv-caption"}, emptyListWords(this.facts, sign, this.named.units)),
      );
    if (lane.independent) this.partners.replaceChildren();
    else {
      this.partners.replaceChildren(
        list(
          `Competitors (below ${signed(-COMPETE, 1)} nats)`,
          "Turning one on lowers this unit's log-odds by more than half a nat; the strongest first",
          order.filter((k) => values[k] < -COMPETE),
          -1,
        ),
        list(
          `Allies (above ${signed(COMPETE, 1)} nats)`,
          "Turning one on raises this unit's log-odds by more than half a nat; the strongest first",
          order.reverse().filter((k) => values[k] > COMPETE),
          1,
        ),
      );
    }
    this.waits = false;
    for (const part of [this.partners, this.who.node]) part.dataset.stale = "false";
    setText(this.verdict, verdict(this.facts, this.named.units));
    this.verdict.classList.add("lv-long");
    this.player.presenter.paint(lane.k);
  }

  /** @param {Lane} lane @param {number} index @param {number} k @param {number} value @param {Colours} given */
  partner(lane, index, k, value, {tables}) {
    return element(
      "button",
      {
        type: "button",
        class: "lv-tile lv-partner",
        "data-on": lane.h[k],
        "data-unit": k,
        title: `${lane.unitName(k)}, ${lane.stateOf(k)}: ${lane.about}${signed(value)} nats`,
        "aria-label": `${lane.unitName(k)}, ${lane.stateOf(k)}, interaction ${lane.about}${signed(value)} nats`,
        onclick: () => this.player.select(index, k),
      },
      filterPicture(lane, k, tables),
      lane.model.names ? element("span", {class: "lv-variable-name"}, lane.unitName(k)) : null,
      element("span", {}, `${lane.about}${signed(value, 1)}`),
    );
  }
}

registerView("why", (player) => new WhyCard(player));
