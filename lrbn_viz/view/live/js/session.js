// The state of the live page: the image, the lanes, their traces. It answers the player as the server's session does
// (app/inference), with the same choices, menus, words and settings in addresses.

import {many} from "../../player/js/format.js";
import {
  statesOf,
  statesOfBits,
  statesOfText,
  textOfStates,
  UNKNOWN,
  valuesOf,
} from "../../player/js/known.js";
import {renamed, rowWords} from "../../player/js/names.js";
import {believes} from "./beliefs.js";
import {heldOfText, textOfHeld} from "./held.js";
import {laneOf, packTrace, tell} from "./write.js";
import {latentsAfter, trace} from "../../../browser/js/engine.js";
import constants from "../../../io/constants.json" with {type: "json"};

export const FACTORISED = constants.factorised; // prefix of the names of factorised models
const {max_exact_interactive: MAX_EXACT, max_seed: MAX_SEED} = constants;
export const RIVAL_STATE = constants.rival_state; // name in addresses of a start from the other lane's last state

/** @typedef {{model: string, algorithm: string, start: string, state: Uint8Array | null, held: Map<number, number>, seed: number}} LaneState */

// States of latents from addresses; null where there are not n.
/** @param {string} text @param {number} n @returns {Uint8Array | null} */
export function bitsOfText(text, n) {
  const states = statesOfText(text, n);
  return states?.includes(UNKNOWN) ? null : states;
}

export class Session {
  cursor = 0;
  /** @type {Uint8Array | null} */ drawn = null; // states of the pixels of the edited image, itself never edited; null: unchanged
  /** @type {{image: number, drawn: Uint8Array | null, given: ArrayLike<number>, x: ArrayLike<number>, unknown: number, changed: number, whole: boolean} | undefined} */ kept;
  origin = ""; // what an image is that is none of the page's test images
  refused = ""; // why the image is whole again, in words
  /** @type {import("../../../browser/js/lrbn.js").Trace[]} */ traces = [];
  /** @type {WeakMap<import("../../../browser/js/lrbn.js").Trace, import("./write.js").Known>} */ known =
    new WeakMap(); // of small models' traces
  selected = "";
  /** @type {LaneChoices["models"]} */ elsewhere = []; // models of the page's other data sets, for the first lane's menu

  /** @param {Map<string, Model>} models @param {LiveMeta} meta @param {LiveArrays} arrays */
  constructor(models, meta, arrays) {
    this.models = models;
    this.meta = meta;
    this.arrays = arrays;
    this.n_v = meta.image_shape[0] * meta.image_shape[1];
    this.infos = new Map(meta.models.map((info) => [info.key, info]));
    this.came = new Set(this.infos.keys()); // with the page
    this.image = Math.max(0, arrays.index.indexOf(meta.image)); // row in this page; addresses contain the row in the data set
    /** @type {[LaneState, LaneState]} */
    this.lanes = [this.usual(meta.shown[0]), this.usual(meta.shown[1])];
    this.shows = 2; // number of lanes; with one, the other is not inferred
  }

  /** @param {string} name */
  info(name) {
    const info = this.infos.get(name);
    if (!info) throw new Error(`this page has no model called ${name}`);
    return info;
  }

  /** @param {string} name */
  modelOf(name) {
    return /** @type {Model} */ (this.models.get(name));
  }

  /** @param {string} model @returns {LaneState} */
  usual(model) {
    return {
      model,
      algorithm: this.info(model).methods[0].name,
      start: "",
      state: null,
      held: new Map(),
      seed: 0,
    };
  }

  // Values of a row of this page's images.
  /** @param {number} image */
  valuesAt(image) {
    const {arrays, n_v} = this,
      stride = Math.ceil(n_v / 8),
      row = (/** @type {Uint8Array} */ rows) => rows.subarray(image * stride, (image + 1) * stride);
    if (arrays.x) return arrays.x.subarray(image * n_v, (image + 1) * n_v);
    return valuesOf(
      statesOfBits({x: row(arrays.pixels), unknown: arrays.unknown && row(arrays.unknown)}, n_v),
    );
  }

  // The image of the data set, the one in its place, and what follows from them; kept while they are these two.
  get seen() {
    const {n_v, image, drawn} = this;
    if (this.kept?.image === image && this.kept.drawn === drawn) return this.kept;
    const given = this.valuesAt(image),
      x = drawn ? valuesOf(drawn) : given,
      before = statesOf(given);
    let unknown = 0,
      changed = 0;
    for (let i = 0; i < n_v; i++) {
      if (Number.isNaN(x[i])) unknown++;
      else if (drawn && drawn[i] !== before[i]) changed++;
    }
    return (this.kept = {image, drawn, given, x, unknown, changed, whole: !unknown});
  }

  get x() {
    return this.seen.x;
  }
  get whole() {
    return this.seen.whole;
  }
  get pixelsChanged() {
    return this.seen.changed;
  }

  // Give every pixel a value again if the model of a lane takes no others, and say so.
  makeWhole() {
    const titles = this.lanes
      .slice(0, this.shows)
      .map(({model}) => this.info(model))
      .filter((info) => !info.takes_unknown)
      .map(({title}) => title);
    this.refused = "";
    const {x, given, whole} = this.seen;
    if (!titles.length || whole) return;
    this.drawn = Uint8Array.from(x, (value, i) => Number((Number.isNaN(value) ? given[i] : value) > 0.5));
    if (this.drawn.every((state, i) => state === given[i])) this.drawn = null;
    this.refused = `${Array.from(new Set(titles)).join(" and ")}: infers whole images only, so that every pixel has a value again. An LRBN or an RBM takes images of which a part is not known.`;
  }

  get nVisits() {
    return Math.max(0, ...this.traces.map((trace) => trace.unit.length));
  }

  // Titles by name of a lane's possible starts; the other lane's last state only if that lane does not start from this one's.
  /** @param {number} lane @returns {Map<string, string>} */
  startsOf(lane) {
    const [mine, other] = [this.lanes[lane], this.lanes[1 - lane]].map(({model}) => this.info(model));
    if (!mine.starts.length || this.methodOf(lane).start) return new Map();
    const starts = new Map(mine.starts.filter(([name]) => this.whole || !mine.whole_starts.includes(name))),
      same =
        this.shows > 1 &&
        this.modelOf(mine.key).n_h === this.modelOf(other.key).n_h &&
        !mine.several_layers &&
        !other.several_layers;
    const waits = this.lanes[1 - lane].start === RIVAL_STATE && same && other.starts.length;
    if (same && !waits)
      starts.set(
        RIVAL_STATE,
        `the ${other.short}'s ${this.modelOf(other.key).factorised ? "MAP state" : "last state"}`,
      );
    return starts.set("last", "the state at the cursor");
  }

  /** @param {number} lane */
  startOf(lane) {
    const starts = this.startsOf(lane),
      {start, model} = this.lanes[lane];
    return (
      [start, this.info(model).opens_from].find((each) => starts.has(each)) ??
      starts.keys().next().value ??
      ""
    );
  }

  // The methods by which a lane's model infers the image.
  /** @param {number} lane */
  methodsOf(lane) {
    const {methods} = this.info(this.lanes[lane].model);
    return methods.filter(({whole_only}) => this.whole || !whole_only);
  }

  // What a method is called for the image.
  /** @param {import("../../../browser/js/engine.js").Method} method */
  called({title, in_part}) {
    return (!this.whole && in_part) || title;
  }

  /** @param {number} lane */
  methodOf(lane) {
    const methods = this.methodsOf(lane);
    return methods.find(({name}) => name === this.lanes[lane].algorithm) ?? methods[0];
  }

  /** @param {number} lane  whether its seed decides anything */
  draws(lane) {
    return this.methodOf(lane).draws || this.startOf(lane) === "random";
  }

  // Run both lanes on the image.
  infer() {
    this.makeWhole();
    const atEnd = this.drawn !== null || (this.traces.length > 0 && this.cursor >= this.nVisits),
      first = !this.traces.length;
    /** @type {import("../../../browser/js/lrbn.js").Trace[]} */
    const traces = [];
    for (const lane of this.startOf(0) === RIVAL_STATE ? [1, 0] : [0, 1].slice(0, this.shows)) {
      const {state} = this.lanes[lane],
        name = this.startOf(lane);
      /** @type {import("../../../browser/js/lrbn.js").Start} */
      let start = name;
      if (name === RIVAL_STATE) start = latentsAfter(traces[1 - lane]);
      else if (name === "last" && state) start = state;
      traces[lane] = this.traceOf(lane, start);
    }
    this.traces = traces;
    if (!first) this.cursor = atEnd ? this.nVisits : 0;
  }

  // Infer the image once more; returns what `packed` does, and changes nothing.
  rehearsed() {
    const {traces, cursor, refused} = this;
    this.infer();
    const block = this.packed();
    Object.assign(this, {traces, cursor, refused});
    return block;
  }

  /** @param {number} lane @param {import("../../../browser/js/lrbn.js").Start} start */
  traceOf(lane, start) {
    const {model, held, seed} = this.lanes[lane];
    return trace(this.modelOf(model), this.methodOf(lane), this.x, start, held, seed);
  }

  // -- actions of the visitor

  /** @param {"previous" | "next" | "random" | number} way  a number is a row of the data set */
  choose(way) {
    const n = this.arrays.index.length;
    if (way === "random") this.image = Math.floor(Math.random() * n);
    else if (typeof way === "number") this.image = Math.max(0, this.arrays.index.indexOf(way));
    else this.image = (this.image + (way === "next" ? 1 : n - 1)) % n;
    this.drawn = null;
    this.origin = "";
    this.infer();
  }

  // Take models that the page did not come with: the first in the menus.
  /** @param {Map<string, Model>} models @param {LiveModel[]} infos */
  add(models, infos) {
    for (const [key, model] of models) this.models.set(key, model);
    for (const info of infos) this.infos.set(info.key, info);
    this.meta.models = [...infos, ...this.meta.models.filter(({key}) => !models.has(key))];
  }

  // Show models, and an image in place of this one; null: it stays.
  /** @param {Adopted[]} shown  one for each lane @param {Uint8Array | null} x @param {string} origin */
  adopt(shown, x, origin) {
    this.lanes = [this.usual(shown[0].key), this.usual(shown[1].key)];
    shown.forEach(({algorithm}, lane) => {
      if (algorithm) this.lanes[lane].algorithm = algorithm;
    });
    if (x) Object.assign(this, {drawn: x, origin});
    this.selected = "";
    this.traces = [];
    this.settle();
    this.infer();
    this.cursor = 0;
  }

  /** @param {string} text  the image as addresses have it; empty: as the data set has it */
  draw(text) {
    this.origin = "";
    this.drawn = text ? statesOfText(text, this.n_v) : null;
    this.infer();
  }

  /** @param {number} unit  -1: all @param {string} state @param {number} lane */
  hold(unit, state, lane) {
    const {held, model} = this.lanes[lane],
      {n_h} = this.modelOf(model);
    if (!this.info(model).takes_clamp) return;
    for (const j of unit < 0 ? Array(n_h).keys() : [unit]) {
      held.delete(j);
      if (state !== "free") held.set(j, Number(state === "on"));
    }
    const {cursor} = this,
      before = this.traces[lane],
      [of, asked] = this.selected.split(".").map(Number);
    this.infer();
    // a displayed decision stays displayed, if it still exists
    if (of !== lane || asked === undefined || before?.unit[cursor - 1] !== asked) return;
    const {unit: units, sweep} = this.traces[lane],
      k = units.findIndex((j, n) => j === asked && sweep[n] === before.sweep[cursor - 1]);
    if (k >= 0) this.cursor = k + 1;
  }

  // Name a unit of a lane's model, and of the same weights read factorised.
  /** @param {number} unit @param {string} name @param {number} lane */
  nameUnit(unit, name, lane) {
    const key = this.lanes[lane].model.replace(FACTORISED, "");
    for (const each of [key, FACTORISED + key]) {
      const model = this.models.get(each);
      if (model) model.names = renamed(model, unit, name);
    }
  }

  /** @param {number} lane @param {LanePart} part @param {string} value */
  chooseIn(lane, part, value) {
    const mine = this.lanes[lane];
    if (part === "model") this.showModel(lane, value);
    else if (part === "algorithm") mine.algorithm = value;
    else if (part === "seed") mine.seed = Math.min(MAX_SEED, Number(value) || 0);
    else {
      mine.start = value;
      mine.state = null;
      if (value === "last") {
        mine.state = this.stateAt(lane, this.cursor);
        this.cursor = 0;
      }
    }
    this.infer();
  }

  // Show another model in a lane; the other lane's stays unless it is the partner of the old one.
  /** @param {number} lane @param {string} name */
  showModel(lane, name) {
    const before = this.lanes[lane].model,
      beside = this.lanes[1 - lane].model,
      names = [before, beside];
    names[0] = name;
    if (lane === 0 && beside === this.info(before).partner) names[1] = this.info(name).partner;
    else if (beside === FACTORISED + before)
      names[1] = this.info(name).has_rbm_parameters ? FACTORISED + name : this.info(name).partner;
    [lane, 1 - lane].forEach((at, n) => {
      const mine = this.lanes[at];
      if (mine.model !== names[n])
        this.lanes[at] = {
          ...this.usual(names[n]),
          algorithm: mine.algorithm,
          start: mine.start === this.info(mine.model).opens_from ? "" : mine.start,
          seed: mine.seed,
        };
    });
    this.settle();
    this.selected = /^(1\.|lane2)/.test(this.selected) ? "lane2" : "";
  }

  // Keep previous choices that the models offer.
  settle() {
    this.lanes.forEach((mine, lane) => {
      mine.algorithm = this.methodOf(lane).name;
      if (mine.start === "last" && !mine.state) mine.start = "";
      if (!this.startsOf(lane).has(mine.start)) mine.start = "";
    });
  }

  swap() {
    const {cursor} = this,
      [lane, unit] = this.selected.split(".");
    this.lanes.reverse();
    this.selected = unit ? `${1 - Number(lane)}.${unit}` : "";
    this.infer();
    this.cursor = cursor; // both traces are unchanged
  }

  // The states of a lane after k visits; of means, the more probable ones.
  /** @param {number} lane @param {number} k */
  stateAt(lane, k) {
    return latentsAfter(this.traces[lane], k);
  }

  // The lanes with small models whose exact results are not known yet.
  get unknown() {
    return this.traces.flatMap((trace, lane) => {
      const model = this.modelOf(this.lanes[lane].model),
        {
          layers: [{n_h}],
          layers,
          factorised,
        } = model;
      const {directed} = this.info(this.lanes[lane].model),
        small = directed && layers.length === 1 && n_h <= MAX_EXACT && !factorised;
      return (small || (factorised && believes(model))) && !this.known.has(trace) ? [lane] : [];
    });
  }

  // -- data for the player

  // Titles by name of the models that a lane can show.
  /** @param {number} lane @returns {[string, string][]} */
  modelsFor(lane) {
    const shown = this.lanes[lane].model,
      other = this.lanes[1 - lane].model;
    /** @type {Map<string, string>} */
    const found = new Map();
    if (this.info(other).has_rbm_parameters) found.set(FACTORISED + other, this.readAs[1]);
    for (const {key, title} of this.meta.models) if (!key.startsWith(FACTORISED)) found.set(key, title);
    return found.has(shown) ? Array.from(found) : [[shown, this.info(shown).title], ...found];
  }

  // Titles of a lane and in menus of a model's weights, factorised: where pixels are not known it is an RBM that infers.
  get readAs() {
    return this.whole ? constants.factorised_titles : constants.undirected_titles;
  }

  /** @param {LiveModel} info */
  titleOf({title}) {
    return title.replace(constants.factorised_titles[1], this.readAs[1]);
  }

  // Models of this data set, as a menu of another one lists them.
  /** @returns {LaneChoices["models"][number]} */
  get group() {
    const {data, models} = this.meta,
      own = models.filter(({key}) => !key.startsWith(FACTORISED));
    return [data, own.map(({key, title}) => [key, title])];
  }

  get titles() {
    return this.titlesOf(this.lanes.map(({model}) => model));
  }

  // Titles of lanes that show these models.
  /** @param {string[]} names */
  titlesOf(names) {
    const infos = names.map((name) => this.info(name)),
      kinds = infos.map(({key, short}) => (key.startsWith(FACTORISED) ? this.readAs[0] : short));
    if (kinds[0] !== kinds[1]) return kinds;
    return infos[0] === infos[1]
      ? kinds.map((kind, n) => `${kind} ${n + 1}`)
      : infos.map((info) => this.titleOf(info));
  }

  /** @returns {LaneChoices[]} */
  get menus() {
    return this.lanes
      .slice(0, this.shows)
      .map(({model, seed}, lane) => ({
        models: [[this.meta.data, this.modelsFor(lane)], ...(lane ? [] : this.elsewhere)],
        model,
        algorithms: this.methodsOf(lane).map((method) => [method.name, this.called(method)]),
        algorithm: this.methodOf(lane).name,
        starts: Array.from(this.startsOf(lane)),
        start: this.startOf(lane),
        note: this.startsOf(lane).size ? this.info(model).note : "",
        seed: this.draws(lane) ? seed : null,
        holds: this.info(model).takes_clamp,
        unknown: this.info(model).takes_unknown,
      }));
  }

  // Models of this page whose posterior can be enumerated.
  /** @returns {[string, string][]} */
  get small() {
    return this.meta.models.flatMap(({key, title, directed}) => {
      const model = this.models.get(key);
      if (!model) return []; // not yet
      const {n_h, layers, factorised} = model;
      return directed && n_h <= MAX_EXACT && layers.length === 1 && !factorised
        ? [/** @type {[string, string]} */ ([key, title])]
        : [];
    });
  }

  get index() {
    return this.arrays.index[this.image];
  }
  get label() {
    return this.meta.class_names[this.arrays.label[this.image]];
  }

  // The metadata of a packed trace, without the lanes.
  get words() {
    const {changed, unknown} = this.seen,
      {model} = this.lanes[0],
      words = rowWords(Boolean(this.meta.variables));
    /** @param {number} n @param {string} what */
    const counted = (n, what) => (n ? `, ${many(n)} ${words.cell}${n === 1 ? "" : "s"} ${what}` : "");
    return {
      question: `${model}.${this.lanes[1].model}.${this.drawn ? textOfStates(this.drawn) : this.index}`,
      small: this.small,
      title: this.origin ? "" : changed ? words.own : this.label,
      cursor: this.cursor,
      caption:
        this.origin ||
        `${this.meta.test_image} ${this.index}${counted(changed, "changed")}${counted(unknown, "not known")}`,
    };
  }

  /** @param {Partial<Choices>} choices */
  packed(choices = {}) {
    return packTrace(
      {...this.words, choices},
      this.traces.map((_, lane) => this.packedLane(lane)),
    );
  }

  /** @param {number} lane */
  packedLane(lane) {
    const {model, seed, held} = this.lanes[lane],
      info = this.info(model),
      found = this.modelOf(model),
      trace = this.traces[lane],
      {shades} = this.arrays;
    const packed = laneOf(found, this.x, trace, {
      title: this.titles[lane],
      subtitle: this.called(this.methodOf(lane)) + (found.layers.length > 1 ? ", layer by layer" : ""),
      model_title: this.titleOf(info),
      start: this.methodOf(lane).start || (this.startsOf(lane).get(this.startOf(lane)) ?? ""),
      seed: this.draws(lane) ? seed : null,
      held: Object.fromEntries(held),
    });
    packed.meta.sampled = this.methodOf(lane).sampled;
    packed.meta.normalised = info.directed;
    if (this.unknown.includes(lane)) packed.meta.pending = true;
    tell(packed, this.known.get(trace) ?? null);
    if (shades) packed.arrays.shades = shades;
    return packed;
  }

  // -- addresses, with the explorer's names and texts

  /** @returns {LiveAddress} */
  get address() {
    /** @type {LiveAddress} */
    const found = {model: this.lanes[0].model, rival: this.lanes[1].model, image: String(this.index)};
    if (this.drawn) found.drawn = textOfStates(this.drawn);
    this.lanes.forEach((mine, lane) => {
      const prefix = lane ? "rival_" : "";
      if (this.methodOf(lane) !== this.info(mine.model).methods[0] || !lane)
        found[`${prefix}algorithm`] = this.methodOf(lane).name;
      if (this.startsOf(lane).size && (!lane || mine.start)) found[`${prefix}start`] = this.startOf(lane);
      if (this.startOf(lane) === "last" && mine.state) found[`${prefix}from`] = textOfStates(mine.state);
      if (mine.held.size) found[`${prefix}clamp`] = textOfHeld(mine.held);
      if (mine.seed || !lane) found[`${prefix}seed`] = String(mine.seed);
    });
    return {...found, visit: String(this.cursor)};
  }

  // Names of the models that an address shows; `unknown` is told of names that the page does not have.
  /** @param {LiveAddress} address @param {(setting: string, wanted: string, shown: string) => void} [unknown] */
  namesOf(address, unknown) {
    const names = /** @type {[string, string]} */ ([...this.meta.shown]);
    for (const [n, name] of ["model", "rival"].entries()) {
      const wanted = address[name];
      if (wanted === undefined) {
        if (n && address.model !== undefined && this.infos.has(names[0]))
          names[1] = this.info(names[0]).partner;
      } else if (this.infos.has(wanted)) names[n] = wanted;
      else unknown?.(name, wanted, names[n]);
    }
    return names;
  }

  // Whether a model of the page, or the one that it is shown beside, is not here yet.
  /** @param {string} name */
  lacks(name) {
    return !this.models.has(name) || !this.models.has(this.info(name).partner);
  }

  // Apply an address; returns a sentence for each setting that was left out.
  /** @param {LiveAddress} address @returns {string[]} */
  open(address) {
    /** @type {string[]} */
    const ignored = [];
    /** @param {string} name @param {string} why @param {string} instead */
    const leaveOut = (name, why, instead) => ignored.push(`${name}: ${why}; ${instead}.`);
    /** @param {string} name @param {string} text @param {number} most */
    const whole = (name, text, most) => {
      if (/^[0-9]{1,10}$/.test(text) && Number(text) <= most) return Number(text);
      leaveOut(
        name,
        `expected a whole number from 0 to ${many(most)}, got \u201c${text.slice(0, 40)}\u201d`,
        "0 is used",
      );
      return 0;
    };
    const names = this.namesOf(address, (name, wanted, shown) =>
      leaveOut(
        name,
        `this page has no model called \u201c${wanted.slice(0, 60)}\u201d`,
        `${this.info(shown).title} is shown`,
      ),
    );
    this.lanes = [this.usual(names[0]), this.usual(names[1])];
    this.drawn = null;
    this.origin = "";
    this.traces = [];
    const row = address.image === undefined ? this.meta.image : Number(address.image);
    this.image = this.arrays.index.indexOf(row);
    if (this.image < 0) {
      leaveOut(
        "image",
        `this page has no test image ${String(address.image).slice(0, 20)}`,
        `image ${this.meta.image} is shown`,
      );
      this.image = Math.max(0, this.arrays.index.indexOf(this.meta.image));
    }
    if (address.drawn) {
      this.drawn = this.meta.binary ? statesOfText(address.drawn, this.n_v) : null;
      if (!this.drawn)
        leaveOut("drawn", `expected ${this.n_v} pixels of a binary image`, "the image is shown as it is");
    }
    this.lanes.forEach((mine, lane) => {
      const prefix = lane ? "rival_" : "",
        {n_h} = this.modelOf(mine.model);
      /** @param {string} name */
      const of = (name) => address[prefix + name];
      if (of("algorithm") !== undefined) {
        mine.algorithm = of("algorithm");
        if (this.methodOf(lane).name !== mine.algorithm)
          leaveOut(
            `${prefix}algorithm`,
            `${this.info(mine.model).title} has no inference called \u201c${mine.algorithm.slice(0, 40)}\u201d`,
            "its usual one is used",
          );
      }
      if (of("from")) mine.state = bitsOfText(of("from"), n_h);
      if (of("start") !== undefined) {
        mine.start = of("start");
        if (mine.start === "last" && !mine.state) {
          leaveOut(
            `${prefix}start`,
            `last needs the state that it begins from, in the setting ${prefix}from`,
            "the usual one is used",
          );
          mine.start = "";
        } else if (!this.startsOf(lane).has(mine.start)) {
          leaveOut(
            `${prefix}start`,
            `${this.info(mine.model).title} has no start called \u201c${mine.start.slice(0, 40)}\u201d`,
            "its usual one is used",
          );
        }
      }
      if (of("clamp")) {
        const held = heldOfText(of("clamp"), n_h);
        if (held) mine.held = held;
        else
          leaveOut(
            `${prefix}clamp`,
            `expected units below ${n_h} with their states, such as 3on.17off`,
            "no unit is held",
          );
      }
      if (of("seed") !== undefined) mine.seed = whole(`${prefix}seed`, of("seed"), MAX_SEED);
    });
    this.settle();
    this.infer();
    this.cursor =
      address.visit === "end"
        ? this.nVisits
        : Math.min(this.nVisits, whole("visit", address.visit ?? "0", MAX_SEED));
    return ignored;
  }

  // The thumbnails of a class (-1: all), up to a number, in the format of the gallery.
  /** @param {number} label @param {number} most */
  gallery(label, most) {
    const {arrays, meta} = this,
      rows = Array.from(arrays.index.keys()).filter((row) => label < 0 || arrays.label[row] === label),
      shown = rows.slice(0, most);
    /** @param {Uint8Array} of */
    const rowsOf = (of) => {
      const size = of.length / arrays.index.length,
        found = new Uint8Array(shown.length * size);
      shown.forEach((row, n) => found.set(of.subarray(row * size, (row + 1) * size), n * size));
      return found;
    };
    return {
      meta: {
        binary: meta.binary,
        variables: meta.variables,
        class_names: meta.class_names,
        image_shape: meta.image_shape,
        total: rows.length,
      },
      arrays: {
        pixels: rowsOf(arrays.pixels),
        ...(arrays.unknown ? {unknown: rowsOf(arrays.unknown)} : {}),
        index: Uint32Array.from(shown, (row) => arrays.index[row]),
        label: Uint16Array.from(shown, (row) => arrays.label[row]),
      },
    };
  }
}
