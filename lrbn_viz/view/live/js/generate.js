// The Generate view of a live page: samples of the page's models, which a worker of the page draws (drawn.js) as Python does.

import {GeneratePage} from "../../generate/js/page.js";
import {element, setText} from "../../player/js/dom.js";
import {many} from "../../player/js/format.js";
import {isWhole} from "../../../browser/js/whole.js";
import {heldOfText, textOfHeld} from "./held.js";
import {labelled, numberField, numberIn, settingsOf} from "./settings.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {
  factorised: FACTORISED,
  max_passes: MAX_PASSES,
  max_seed: MAX_SEED,
  chain_starts: CHAIN_STARTS,
  walk_ways: WAYS,
} = constants;
const USUAL = {seed: 0, begin: "noise", index: 0, passes: 24, shown: -1, step: -1};
const WALK = {from: "t0", to: "t1", way: "best", at: -1}; // ends: t and a test image's row, or s and the number of a pass

/** @typedef {import("./session.js").Session} Session */
/** @typedef {ReturnType<typeof import("./drawn.js").drawnArrays>} Found */
/** @typedef {{key: string, held: Map<number, number>}} Drawer  a lane: its model, and units that are held */

class LiveGeneration {
  /** @type {Drawer[]} */ lanes = [];
  settings = {...USUAL};
  walk = {...WALK};
  /** @type {Session} */ session;
  /** @type {Worker | null} */ worker = null;
  followed = ""; // models of the Inference view when this one was last shown
  drawn = ""; // what was drawn last
  /** @type {Found | undefined} */ found;

  /** @param {LivePage} page @param {HTMLElement} main */
  constructor(page, main) {
    this.page = page;
    this.generator = this.select("Model", (key) => this.compare(key));
    this.beside = this.select("Beside it", (key) => this.standBeside(key));
    this.begin = this.select("Chains start from", (begin) => this.change({begin}));
    this.begin.replaceChildren(
      ...Object.entries(CHAIN_STARTS).map(([value, text]) => element("option", {value}, text)),
    );
    this.index = this.number("Test image", "index");
    this.passes = this.number("Passes", "passes");
    this.seed = this.number("Seed", "seed");
    this.beginning = labelled("Chains start from", this.begin);
    this.image = labelled("Test image", this.index);
    this.status = element("p", {class: "live-changes", role: "status"});
    const host = element("div", {class: "live-body"});
    main.append(
      settingsOf(
        "Settings of the samples",
        "Models and settings of the samples",
        new AbortController().signal,
        labelled("Model", this.generator),
        labelled("Beside it", this.beside),
        this.beginning,
        this.image,
        labelled("Passes", this.passes),
        labelled("Seed", this.seed),
        element(
          "button",
          {
            type: "button",
            class: "live-another",
            onclick: () => this.change({seed: (this.settings.seed + 1) % (MAX_SEED + 1)}),
          },
          "Another seed",
        ),
        this.status,
      ),
      host,
    );
    this.view = new GeneratePage(host, (message) => this.hear(message));
  }

  /** @param {string} name @param {(value: string) => void} choose */
  select(name, choose) {
    const made = element("select", {"aria-label": name, onchange: () => choose(made.value)});
    return made;
  }

  /** @param {string} name @param {"index" | "passes" | "seed"} setting */
  number(name, setting) {
    const field = numberField(name, "", USUAL[setting], () => {
      const value = numberIn(field, MAX_SEED),
        wrong = value === null ? "not a whole number" : this.refused(setting, value);
      field.setAttribute("aria-invalid", String(wrong !== ""));
      setText(this.status, wrong && `${name}: ${wrong}.`);
      if (value !== null && !wrong) this.change({[setting]: value});
    });
    return field;
  }

  // Why a setting cannot have this value; empty if it can.
  /** @param {"index" | "passes" | "seed"} setting @param {number} value */
  refused(setting, value) {
    if (setting === "index") {
      const at = this.session.arrays.index.indexOf(value);
      if (at < 0) return `this page has no image ${many(value)}`;
      return isWhole(this.session.valuesAt(at)) ? "" : `a chain starts from a whole image`;
    }
    const [least, most] = setting === "passes" ? [1, MAX_PASSES] : [0, MAX_SEED];
    return value >= least && value <= most ? "" : `expected a whole number from ${least} to ${many(most)}`;
  }

  // -- models

  // Keys and titles of a data set's models that draw.
  /** @param {Session} session @returns {[string, string][]} */
  modelsOf({meta}) {
    return meta.models
      .filter(({key, draws_passes}) => draws_passes && !key.startsWith(FACTORISED))
      .map(({key, title}) => [key, title]);
  }

  /** @param {Session} session @param {string} key */
  draws(session, key) {
    return Boolean(session.infos.get(key)?.draws_passes);
  }

  /** @param {string} key @returns {Session | undefined} */
  sessionOf(key) {
    return [this.page.session, ...this.page.sessions].find((session) => this.draws(session, key));
  }

  // The model that one is shown beside at first: a trained one if there is any, and not the same weights read factorised, which
  // were learned for another model.
  /** @param {Session} session @param {string} key */
  partnerOf(session, key) {
    const {partner, directed} = session.info(key),
      draws = this.draws(session, partner);
    if (draws && !partner.startsWith(FACTORISED)) return partner;
    const [other] = this.modelsOf(session).find(([each]) => session.info(each).directed !== directed) ?? [];
    return other ?? (draws ? partner : key);
  }

  // Show models: those that are named if they draw, else the first ones of the page that do.
  /** @param {string | undefined} key @param {string} [beside] */
  take(key, beside) {
    const session =
      (key !== undefined && this.sessionOf(key)) ||
      [this.page.session, ...this.page.sessions].find((each) => this.modelsOf(each).length) ||
      this.page.session;
    const first = key !== undefined && this.draws(session, key) ? key : this.modelsOf(session)[0][0],
      second = beside !== undefined && this.draws(session, beside) ? beside : this.partnerOf(session, first);
    if (this.session !== session) {
      const [row, next = row] = session.arrays.index.filter((_, at) => isWhole(session.valuesAt(at)));
      Object.assign(this.settings, row === undefined ? {begin: USUAL.begin} : {index: row});
      Object.assign(this.walk, {from: `t${row}`, to: `t${next}`});
    }
    this.session = session;
    this.lanes = [first, second].map((key) => ({key, held: new Map()}));
  }

  /** @param {string} key */
  compare(key) {
    this.take(key);
    this.change({});
  }
  /** @param {string} key */
  standBeside(key) {
    this.lanes[1] = {key, held: new Map()};
    this.change({});
  }

  // -- what the visitor does

  /** @param {Partial<typeof USUAL>} settings */
  change(settings) {
    Object.assign(this.settings, settings);
    if (this.settings.shown >= this.settings.passes) Object.assign(this.settings, {shown: -1, step: -1});
    this.fill();
    this.page.views.write();
    this.draw();
  }

  // What the view says, as it says it to the server (app/generate/component.py).
  /** @param {Message} message */
  hear({type, ...said}) {
    const {settings} = this;
    if (type === "cursor") this.keep(settings, {shown: said.shown, step: said.step});
    else if (type === "walked") this.keep(this.walk, {at: said.at});
    else if (type === "more")
      this.change({passes: Math.min(MAX_PASSES, 2 * settings.passes), shown: settings.passes - 1, step: -1});
    else if (type === "walk") this.interpolate(String(said.start), String(said.end), String(said.way));
    else if (type === "hold") this.hold(Number(said.lane), Number(said.unit), String(said.state));
  }

  // Note what the view shows, in the address while it is this view's; it is said a moment later.
  /** @param {object} of @param {object} said */
  keep(of, said) {
    Object.assign(of, said);
    if (this.page.views.shown === "generate") this.page.views.write();
  }

  /** @param {number} lane @param {number} unit  -1: all @param {string} state */
  hold(lane, unit, state) {
    const {held} = this.lanes[lane];
    if (unit < 0) held.clear();
    else if (state === "free") held.delete(unit);
    else held.set(unit, Number(state === "on"));
    this.change({});
  }

  // An end of the interpolation; null if there is none such.
  /** @param {string} text @returns {import("./drawn.js").End | null} */
  endOf(text) {
    const number = Number(text.slice(1)),
      row = this.session.arrays.index.indexOf(number);
    if (!/^[ts]\d{1,6}$/.test(text)) return null;
    if (text[0] === "s") return number < this.settings.passes ? {x: null, pass: number} : null;
    const x = row < 0 ? null : Float64Array.from(this.session.valuesAt(row));
    return x && isWhole(x) ? {x, pass: -1} : null;
  }

  /** @param {string} from @param {string} to @param {string} way */
  interpolate(from, to, way) {
    if (!this.endOf(from) || !this.endOf(to) || !(way in WAYS)) {
      setText(this.status, "Interpolation: this page has no such image, or a part of it is not known.");
      return this.showWalk();
    }
    setText(this.status, "");
    Object.assign(this.walk, {from, to, way});
    this.change({});
  }

  // -- drawing

  fill() {
    const {session, settings} = this,
      [first, second] = this.lanes.map(({key}) => key),
      groups = [session, ...this.page.sessions.filter((each) => each !== session)]
        .map((each) => /** @type {const} */ ([each.meta.data, this.modelsOf(each)]))
        .filter(([, models]) => models.length);
    if (!groups[0][1].some(([key]) => key === first))
      groups[0] = [groups[0][0], [[first, session.info(first).title], ...groups[0][1]]];
    const options = (/** @type {[string, string][]} */ models) =>
      models.map(([value, text]) => element("option", {value}, text));
    this.generator.replaceChildren(
      ...groups.map(([label, models]) => element("optgroup", {label}, ...options(models))),
    );
    const others = this.modelsOf(session);
    for (const key of [FACTORISED + first, second])
      if (session.infos.has(key) && !others.some(([other]) => other === key))
        others.unshift([key, session.info(key).title]);
    this.beside.replaceChildren(...options(others));
    this.generator.value = first;
    this.beside.value = second;
    this.begin.value = settings.begin;
    this.index.value = String(settings.index);
    this.passes.value = String(settings.passes);
    this.seed.value = String(settings.seed);
    for (const field of [this.index, this.passes, this.seed]) field.setAttribute("aria-invalid", "false");
    this.beginning.hidden = this.lanes.every(({key}) => session.info(key).directed);
    this.image.hidden = this.beginning.hidden || settings.begin !== "data";
  }

  // The image that chains start from; null: noise.
  get start() {
    const {session, settings} = this,
      row = session.arrays.index.indexOf(settings.index);
    return settings.begin === "noise" || row < 0 ? null : Float64Array.from(session.valuesAt(row));
  }

  // The page's training images of the data set that is shown.
  get training() {
    const {training} = this.page;
    const {dataset, binary} = this.session.meta;
    if (training?.dataset !== dataset || !binary) return null;
    const [some, held] = training.images,
      images = new Uint8Array(some.length + held.length);
    images.set(some);
    images.set(held, some.length);
    return images;
  }

  async draw() {
    const {session, lanes, page} = this,
      {passes, seed} = this.settings;
    if (lanes.some(({key}) => session.lacks(key))) {
      setText(this.status, "The models are being fetched.");
      try {
        await page.fetchAll();
      } catch {
        return setText(this.status, "The models cannot be fetched. Check the connection, and choose again.");
      }
      if (lanes !== this.lanes) return; // others were chosen meanwhile
      setText(this.status, "");
    }
    const {training, start: x0} = this,
      drawers = lanes.map(({key, held}) => {
        const {layers, factorised, top, recognition, restricted} = session.modelOf(key),
          {directed, methods, usual_start} = session.info(key),
          model = {layers, factorised, top, recognition, restricted, directed};
        return {model, method: methods[0], usual_start, x0, held: new Map(held)};
      });
    this.worker?.terminate();
    this.drawn = this.question;
    const {ends, walk} = this;
    this.worker = page.ask(
      {kind: "passes", draw: {passes, seed, training, ends, way: walk.way, lanes: drawers}},
      (/** @type {Found} */ found) => {
        this.worker = null;
        this.show(found);
      },
    );
  }

  // Of what the samples are.
  get question() {
    const {seed, passes} = this.settings;
    return JSON.stringify([
      this.key,
      seed,
      passes,
      this.lanes.map(({held}) => textOfHeld(held)),
      Boolean(this.training),
      [this.walk.from, this.walk.to, this.walk.way],
    ]);
  }

  // Both ends of the interpolation; those that were chosen before may be of passes that are not drawn any more.
  get ends() {
    const {walk} = this,
      [row] = this.session.arrays.index;
    for (const end of /** @type {const} */ (["from", "to"]))
      if (!this.endOf(walk[end])) walk[end] = this.endOf(`t${row}`) ? `t${row}` : "s0";
    return [walk.from, walk.to].map((text) => /** @type {import("./drawn.js").End} */ (this.endOf(text)));
  }

  get begins() {
    return this.settings.begin === "noise" ? "noise" : `test image ${this.settings.index}`;
  }

  get key() {
    return `${this.lanes.map(({key}) => key).join(" ")} ${this.settings.seed} ${this.begins}`;
  }

  /** @param {Found} found */
  show(found) {
    const {session, settings, lanes} = this,
      titles = session.titlesOf(lanes.map(({key}) => key));
    /** @type {PassesBlock["arrays"]} */
    const arrays = session.arrays.shades ? {shades: session.arrays.shades} : {};
    const metas = lanes.map(({key, held}, lane) => {
      const model = session.modelOf(key),
        {directed} = session.info(key),
        state = directed ? "" : model.top ? "latents" : model.restricted ? "image and latents" : "image",
        sizes = model.layers.map(({n_h}) => n_h);
      for (const [name, array] of Object.entries(found[lane].passes)) arrays[`${lane}.${name}`] = array;
      return {
        model: key,
        title: titles[lane],
        chain: !directed,
        state: /** @type {PassLaneMeta["state"]} */ (state),
        sizes: model.top ? [...sizes, model.top.e.length] : sizes,
        latents: model.n_h,
        same: key.startsWith(FACTORISED),
        flat: directed && model.layers.length === 1 && !model.d.some(Boolean),
        held: Object.fromEntries(held),
      };
    });
    this.view.setModels(session.models);
    this.view.setPasses({
      meta: {
        lanes: metas,
        passes: settings.passes,
        begins: this.begins,
        class_names: session.meta.class_names,
        shown: settings.shown,
        step: settings.step,
        key: this.key,
      },
      arrays,
    });
    this.found = found;
    this.showWalk();
  }

  showWalk() {
    const {session, lanes, settings, walk, found} = this,
      titles = session.titlesOf(lanes.map(({key}) => key)),
      walks = (found ?? []).flatMap((lane) => (lane.walk ? [lane.walk] : []));
    if (walks.length < 2) return this.view.setWalks(null);
    /** @type {Arrays} */
    const arrays = {};
    walks.forEach((of, lane) => {
      for (const [name, array] of Object.entries(of)) arrays[`${lane}.${name}`] = array;
    });
    const rows = session.arrays.index;
    this.view.setWalks({
      meta: {
        lanes: lanes.map(({key}, lane) => ({
          model: key,
          title: titles[lane],
          steps: walks[lane].unit.length,
          constant: !session.info(key).directed,
        })),
        from: walk.from,
        to: walk.to,
        way: walk.way,
        ways: Object.entries(WAYS),
        at: walk.at,
        n_test: rows[rows.length - 1] + 1,
        passes: settings.passes,
      },
      arrays,
    });
  }

  // -- the page

  /** @param {LiveAddress | null} asked */
  open(asked) {
    const now = this.page.session.lanes.map(({model}) => model);
    if (asked) this.read(asked);
    else if (!this.lanes.length || now.join(" ") !== this.followed) this.take(now[0], now[1]);
    this.followed = now.join(" ");
    this.fill();
    this.page.views.write();
    if (this.question !== this.drawn) this.draw();
  }

  // Read an address, whose names are those of the explorer's addresses.
  /** @param {LiveAddress} asked */
  read(asked) {
    /** @type {string[]} */
    const ignored = [];
    const [first, second] = this.page.session.lanes.map(({model}) => model),
      {generator, generator_beside: beside} = asked;
    this.settings = {...USUAL};
    this.take(
      generator ?? first,
      beside ?? (generator === undefined && !second.startsWith(FACTORISED) ? second : undefined),
    );
    [generator, beside].forEach((wanted, n) => {
      if (wanted !== undefined && wanted !== this.lanes[n].key)
        ignored.push(`this page draws nothing of a model called \u201c${wanted.slice(0, 60)}\u201d`);
    });
    const whole = (/** @type {string} */ name, /** @type {"index" | "passes" | "seed"} */ setting) => {
      const text = asked[name];
      if (text === undefined) return;
      const wrong = /^\d{1,10}$/.test(text) ? this.refused(setting, Number(text)) : "not a whole number";
      if (wrong) ignored.push(`${name}: ${wrong}`);
      else this.settings[setting] = Number(text);
    };
    whole("draw_seed", "seed");
    whole("passes", "passes");
    if (asked.chain === "data") {
      this.settings.begin = "data";
      whole("chain_image", "index");
    }
    ["generator_clamp", "generator_beside_clamp"].forEach((name, n) => {
      const held = heldOfText(asked[name] ?? "", this.session.info(this.lanes[n].key) ? this.unitsOf(n) : 0);
      if (held) this.lanes[n].held = held;
      else ignored.push(`${name}: expected units with their states, such as 3on.17off`);
    });
    for (const [name, setting] of /** @type {const} */ ([
      ["pass", "shown"],
      ["pass_step", "step"],
    ]))
      if (/^\d{1,7}$/.test(asked[name] ?? "")) this.settings[setting] = Number(asked[name]);
    const {
      walk = WALK.way,
      walk_from: from = this.walk.from,
      walk_to: to = this.walk.to,
      walk_at: at,
    } = asked;
    if (walk in WAYS && this.endOf(from) && this.endOf(to)) Object.assign(this.walk, {from, to, way: walk});
    else ignored.push("walk: expected a way of interpolation, and ends that the page has");
    if (/^\d{1,4}$/.test(at ?? "") && Number(at) <= 1000) this.walk.at = Number(at);
    setText(this.status, ignored.length ? `Some of this link was ignored: ${ignored.join("; ")}.` : "");
  }

  // Latents of a lane's model, if it is here.
  /** @param {number} lane */
  unitsOf(lane) {
    return this.session.models.get(this.lanes[lane].key)?.n_h ?? 0;
  }

  /** @returns {LiveAddress} */
  address() {
    const {settings, lanes, walk} = this,
      [first, second] = lanes;
    if (!first) return {};
    /** @type {LiveAddress} */
    const found = {generator: first.key, generator_beside: second.key};
    if (settings.seed) found.draw_seed = String(settings.seed);
    if (settings.begin === "data") Object.assign(found, {chain: "data", chain_image: String(settings.index)});
    if (settings.passes !== USUAL.passes) found.passes = String(settings.passes);
    if (first.held.size) found.generator_clamp = textOfHeld(first.held);
    if (second.held.size) found.generator_beside_clamp = textOfHeld(second.held);
    for (const [name, value, usual] of /** @type {[string, string | number, string | number][]} */ ([
      ["walk_from", walk.from, WALK.from],
      ["walk_to", walk.to, WALK.to],
      ["walk", walk.way, WALK.way],
      ["walk_at", walk.at, WALK.at],
    ]))
      if (value !== usual) found[name] = String(value);
    if (settings.shown >= 0) found.pass = String(settings.shown);
    if (settings.step >= 0) found.pass_step = String(settings.step);
    return found;
  }
}

/** @param {LivePage} page @param {HTMLElement} main */
export const createView = (page, main) => new LiveGeneration(page, main);
