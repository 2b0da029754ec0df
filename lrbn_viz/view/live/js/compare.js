// The Compare view of a live page: the comparison of systems, fed by workers of the page (compare_worker.js), with log P(x)
// in the place of the server's figures.

import {ComparePage} from "../../compare/js/compare.js";
import {tableNode} from "../../compare/js/table.js";
import {packBits} from "../../player/js/decode.js";
import {captionedCard, element, setText} from "../../player/js/dom.js";
import {many, number} from "../../player/js/format.js";
import {isExact} from "../../../browser/js/likelihood.js";
import {Generator} from "../../../browser/js/random.js";
import {rowWords} from "../../player/js/names.js";
import {jsonOf} from "./model_file.js";
import {FACTORISED} from "./session.js";
import {ADDED} from "./views.js";
import {pack} from "./write.js";
import VIEW_STYLE from "./compare.css";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./compare_worker.js").Looked} Looked */
/** @typedef {import("../../../browser/js/likelihood.js").LogLikelihood} LogLikelihood */
/** @typedef {import("../../compare/js/table.js").PaperTable} Table */

const {most_compared: MOST, n_shown: SHOWN, max_seed: MAX_SEED} = constants;
const {images_measured: MEASURED, images_bracketed: BRACKETED, narrow_nats: NARROW} = constants;
const FIRST = 4; // systems that are compared at first
const TEMPERATURES = [100, 300, 1000],
  USUAL = 300;

/** @type {import("../../compare/js/compare.js").Words} */
const WORDS = {
  shipped: "Models that come with this page",
  none: "No other model takes these images. Models that this page trains, or opens from a file, are listed here.",
  marks: "Each has a number: round where latents are inferred as states by a search, square where exactly.",
  timed:
    "Milliseconds are the time of inference for one image, measured just now in this browser, one image after another and with a record of every visit.",
  exact: "an LRBN exactly, an RBM by a Gibbs chain, with the random numbers of Python.",
};

// A worker that answers one question at a time.
class Helper {
  /** @type {Worker | null} */ worker = null;
  /** @type {((why: Error) => void) | null} */ fail = null;

  /** @param {string} address  of the script @param {ArrayBuffer} kernels @param {string} module  their name */
  constructor(address, kernels, module) {
    this.begin = () => {
      const worker = new Worker(address);
      worker.postMessage({kernels, module});
      return worker;
    };
  }

  /** @param {object} question @param {(share: number) => void} [told] @returns {Promise<any>} */
  ask(question, told = () => {}) {
    const worker = (this.worker ??= this.begin());
    return new Promise((done, fail) => {
      this.fail = fail;
      worker.onmessage = ({data}) => {
        if ("share" in data) told(data.share);
        else if ("failed" in data) fail(new Error(data.failed));
        else done(data.found);
      };
      worker.onerror = ({message}) => fail(new Error(message));
      worker.postMessage(question);
    });
  }

  // End the worker; what it was asked for fails.
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.fail?.(new Stopped());
  }
}
class Stopped extends Error {}

/** @param {LiveModel} info @param {Model} model @param {boolean} whole  whether all values of the images are known */
const methodOf = ({methods}, model, whole) =>
  methods.find(({whole_only}) => whole || !whole_only) ?? methods[0];

// Whether this page has all that compares a model: it infers states, and draws and measures by the page's kernels.
/** @param {LiveModel} info @param {Model} model */
function fits(info, model) {
  if (model.visible !== "bernoulli" || model.top || info.key.startsWith(FACTORISED)) return false;
  return model.factorised ? info.file !== null : info.directed && info.methods[0].kind === "visits";
}

// The interval of the mean, in words, if its bounds are too far apart for one figure.
/** @param {LogLikelihood} found */
const between = ({lower, upper}) =>
  upper - lower > NARROW ? `between ${number(lower, 1)} and ${number(upper, 1)}` : null;

class Comparison {
  seed = 0;
  chosen = "";
  n_temperatures = USUAL;
  estimating = false; // whether AIS was asked for
  working = false;
  /** @type {Session} */ session;
  /** @type {Session | null} */ followed = null; // that the Inference view showed last
  /** @type {Map<Session, Set<string>>} */ ticked = new Map();
  /** @type {Map<string, any>} */ found = new Map(); // by question; an error as such
  /** @type {{title: string, share: number} | null} */ at = null; // what is being measured
  stale = true; // the displayed images are others

  /** @param {LivePage} page @param {HTMLElement} main @param {{worker: string, kernels: ArrayBuffer, measuring: ArrayBuffer}} given */
  constructor(page, main, {worker, kernels, measuring}) {
    this.page = page;
    this.looks = new Helper(worker, kernels, "kernels");
    this.measures = new Helper(worker, measuring, "measuring");
    this.session = page.session;
    const host = element("div", {class: "live-compared"});
    this.data = element("select", {
      "aria-label": "Data set",
      onchange: () => this.use(page.sessions[Number(this.data.value)]),
    });
    this.choice = element("label", {class: "live-choice"}, "Data set ", this.data);
    main.append(element("style", {}, VIEW_STYLE), this.choice, host);
    this.board = new ComparePage(
      host,
      (message) => {
        this.act(message);
        return true;
      },
      WORDS,
    );
    this.bring = element(
      "button",
      {type: "button", class: "lv-btn lv-small live-bring", onclick: () => this.take()},
      "Add the models in training as they are now",
    );
    this.board.own.after(this.bring);
    this.words = element("span");
    this.how = element("ul");
    this.bar = element("progress", {max: "1", value: "0", "aria-label": "Measurement of log P(x)"});
    this.bar.hidden = true;
    this.said = element("span", {class: "lv-caption"});
    this.press = element("button", {
      type: "button",
      class: "lv-btn lv-small",
      onclick: () => this.estimate(),
    });
    this.temperatures = element(
      "select",
      {
        "aria-label": "Temperatures of AIS",
        onchange: () => {
          this.n_temperatures = Number(this.temperatures.value);
          this.show();
        },
      },
      ...TEMPERATURES.map((n) => element("option", {value: String(n)}, `${many(n)} temperatures`)),
    );
    this.temperatures.value = String(USUAL);
    this.table = element("div", {class: "lv-papers"});
    this.board.drawnCard.before(
      captionedCard(
        "log P(x) of test images",
        [this.words],
        element("div", {class: "lv-row live-ais"}, this.press, this.temperatures, this.bar, this.said),
        this.table,
        element(
          "details",
          {class: "lv-caption live-how"},
          element("summary", {}, "How it is measured"),
          this.how,
        ),
      ),
    );
    page.views.nav.addEventListener(ADDED, () => this.fillMenu()); // training may come later
    this.read({});
  }

  // What the address says; unknown names are ignored.
  /** @param {LiveAddress} asked */
  read({seed: chosen_seed, data, systems}) {
    const {sessions, session} = this.page,
      seed = Number(chosen_seed);
    this.followed = session;
    const count = (/** @type {Session} */ each) => this.offered(each).length,
      most = sessions.reduce((best, each) => (count(each) > count(best) ? each : best), session),
      asked = sessions.find(({meta}) => meta.dataset === data);
    this.session = asked && count(asked) ? asked : count(session) > 1 ? session : most;
    if (Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED) this.seed = seed;
    const names = this.offered(this.session).map(({key}) => key),
      chosen = (systems ?? "").split(".").filter((name) => names.includes(name));
    if (chosen.length) this.ticked.set(this.session, new Set(chosen.slice(0, MOST)));
  }

  /** @returns {LiveAddress} */
  address() {
    const came = this.compared.filter((name) => this.session.came.has(name)).join(".");
    return {
      data: this.session.meta.dataset,
      ...(came && {systems: came}),
      ...(this.seed && {seed: String(this.seed)}),
    };
  }

  // Take over the models that the page trains, with the data that they learn from.
  async take() {
    const {training} = this.page;
    if (!training) return;
    const counts = this.page.sessions.map((each) => each.meta.models.length);
    await training.bring();
    const session = this.page.sessions.find((each, n) => each.meta.models.length > counts[n]);
    if (session) this.session = session;
    this.follow();
  }

  // Follow the Inference view, which may show other data or further models.
  follow() {
    const {session} = this.page;
    if (session !== this.followed && this.offered(session).length > 1) this.session = session;
    this.followed = session;
    const {ticked} = this,
      names = ticked.get(this.session);
    for (const {key} of this.offered(this.session))
      if (names && names.size < MOST && !this.session.came.has(key) && !this.known.has(key)) names.add(key);
    this.use(this.session);
  }
  /** @type {Set<string>} */ known = new Set(); // names that were offered before

  /** @param {Session} session */
  use(session) {
    if (session !== this.session) this.stop();
    this.session = session;
    for (const {key} of this.offered(session)) this.known.add(key);
    this.show();
  }

  // The systems of a data set, those that came with the page first.
  /** @param {Session} session */
  offered(session) {
    if (!session.meta.binary) return [];
    const infos = session.meta.models.filter(
      (info) => session.models.has(info.key) && fits(info, session.modelOf(info.key)),
    );
    return [
      ...infos.filter(({key}) => session.came.has(key)),
      ...infos.filter(({key}) => !session.came.has(key)),
    ];
  }

  // Names of those that are compared, in order.
  get compared() {
    const names = this.offered(this.session).map(({key}) => key),
      own = names.filter((name) => !this.session.came.has(name)),
      first = new Set([...own, ...names].slice(0, FIRST)),
      chosen = this.ticked.get(this.session) ?? first;
    this.ticked.set(this.session, chosen);
    return names.filter((name) => chosen.has(name));
  }

  /** @param {Message} message */
  act({type, system, on}) {
    const {compared} = this,
      name = String(system);
    if (type === "other") this.seed = (this.seed + 1) % (MAX_SEED + 1);
    else if (type === "highlight") this.chosen = this.chosen === name ? "" : name;
    else if (type === "compare") {
      const names = new Set(compared);
      if (on) names.add(name);
      else names.delete(name);
      if (names.size && names.size <= MOST) this.ticked.set(this.session, names);
    }
    this.show();
  }

  // -- the images

  // How many images log P(x) is measured of, the first ones; those that are shown are some of them.
  get nMeasured() {
    return Math.min(MEASURED, this.session.arrays.index.length);
  }

  get rows() {
    const drawn = new Generator(this.seed).permuted(Int32Array.from(Array(this.nMeasured).keys()));
    return Array.from(drawn.subarray(0, SHOWN));
  }

  /** @param {number[]} rows  in this page */
  images(rows) {
    const {n_v} = this.session,
      X = new Float64Array(rows.length * n_v);
    rows.forEach((row, m) => X.set(this.session.valuesAt(row), m * n_v));
    return X;
  }

  // -- questions

  /** @param {string} name */
  modelOf(name) {
    const {key, layers, factorised, visible, n_h, n_v, recognition} = this.session.modelOf(name);
    return {key, layers, factorised, visible, n_h, n_v, recognition};
  }

  /** @param {string} kind @param {string} name @param {unknown[]} of */
  keyOf(kind, name, ...of) {
    return JSON.stringify([kind, this.session.meta.dataset, name, ...of]);
  }
  /** @param {string} name */
  lookKey = (name) => this.keyOf("look", name, this.rows);
  /** @param {string} name */
  drawKey = (name) => this.keyOf("draw", name, this.seed);
  /** @param {string} name */
  measureKey(name) {
    return this.keyOf("measure", name, isExact(this.modelOf(name)) ? 0 : this.n_temperatures);
  }

  // The next question without an answer: what is seen comes first, then sums, then estimates.
  /** @returns {{key: string, name: string, ask: () => Promise<any>} | null} */
  next() {
    const {compared, session, rows, seed, n_temperatures} = this,
      unanswered = (/** @type {(name: string) => string} */ keyOf) =>
        compared.find((name) => !this.found.has(keyOf(name)));
    let name = unanswered(this.lookKey);
    if (name !== undefined) {
      const info = session.info(name),
        model = this.modelOf(name),
        X = this.images(rows),
        method = methodOf(info, session.modelOf(name), !X.some(Number.isNaN)),
        start = method?.start || info.usual_start || info.opens_from;
      return {
        key: this.lookKey(name),
        name,
        ask: () => this.looks.ask({kind: "look", model, method, start, X}),
      };
    }
    name = unanswered(this.drawKey);
    if (name !== undefined) {
      const info = session.info(name),
        model = this.modelOf(name),
        settings = model.factorised && info.file ? jsonOf(info.file.head.settings) : null;
      return {
        key: this.drawKey(name),
        name,
        ask: () => this.measures.ask({kind: "draw", model, settings, n: rows.length, seed}),
      };
    }
    const keyOf = (/** @type {string} */ each) => this.measureKey(each);
    name = compared.find(
      (each) => !this.found.has(keyOf(each)) && (this.estimating || isExact(this.modelOf(each))),
    );
    if (name === undefined) return null;
    const model = this.modelOf(name),
      {title} = session.info(name),
      X = this.images(Array.from(Array(this.nMeasured).keys()));
    return {
      key: keyOf(name),
      name,
      ask: () => {
        this.tell({title, share: 0});
        const n_bracket = Math.min(BRACKETED, this.nMeasured),
          question = {kind: "measure", model, X, n_temperatures, n_bracket, seed: 0};
        return this.measures.ask(question, (share) => this.tell({title, share}));
      },
    };
  }

  async work() {
    if (this.working) return;
    this.working = true;
    for (let job = this.next(); job; job = this.next()) {
      const {key, ask} = job;
      setText(this.board.progress, "");
      if (key.startsWith('["look"'))
        this.board.setProgress(`${this.session.info(job.name).title} infers the latents.`);
      let answer;
      try {
        answer = await ask();
      } catch (error) {
        answer = error;
      }
      this.tell(null);
      if (answer instanceof Stopped) this.estimating = false;
      else this.found.set(key, answer);
      if (answer instanceof Stopped && this.isSum(key)) this.found.set(key, new Error("stopped"));
      this.fill();
    }
    this.estimating = false;
    this.working = false;
    this.board.setProgress("");
    this.fill();
  }

  // Whether a question is one that asks itself again unless it is answered.
  /** @param {string} key */
  isSum = (key) => JSON.parse(key).at(-1) === 0 && key.startsWith('["measure"');

  estimate() {
    if (this.at) return this.stop();
    for (const name of this.compared)
      if (this.found.get(this.measureKey(name)) instanceof Error) this.found.delete(this.measureKey(name));
    this.estimating = true;
    this.fill();
    this.work();
  }

  stop() {
    this.estimating = false;
    if (this.at) this.measures.stop();
  }

  /** @param {Comparison["at"]} at */
  tell(at) {
    const begun = Boolean(this.at) !== Boolean(at);
    this.at = at;
    this.bar.hidden = !at;
    if (at) this.bar.value = at.share;
    setText(this.said, at ? `${at.title}: ${number(100 * at.share, 0)} %` : "");
    if (begun) this.fillPress();
  }

  // -- what is shown

  show() {
    this.fillMenu();
    this.fill();
    this.page.views.write();
    this.work();
  }

  fillMenu() {
    const {sessions} = this.page,
      options = sessions.flatMap((each, n) =>
        this.offered(each).length ? [element("option", {value: String(n)}, each.meta.data)] : [],
      );
    this.data.replaceChildren(...options);
    this.data.value = String(sessions.indexOf(this.session));
    this.choice.hidden = options.length < 2;
    this.bring.hidden = !this.page.training;
  }

  /** @param {string} name @returns {LogLikelihood | null} */
  measured(name) {
    const found = this.found.get(this.measureKey(name));
    return !found || found instanceof Error ? null : found;
  }

  /** @param {string} name */
  wordsOf(name) {
    const {n_h} = this.session.modelOf(name),
      found = this.measured(name),
      latents = `${many(n_h)} latents`;
    return found
      ? `${latents}, ${between(found) ?? number(found.mean, 2)} nats${found.bound === "exact" ? ", exact" : ""}`
      : latents;
  }

  fill() {
    const {session, compared, rows} = this,
      {meta, arrays} = session,
      {row: word} = rowWords(Boolean(meta.variables)),
      offered = this.offered(session);
    if (!compared.includes(this.chosen)) this.chosen = "";
    const all = meta.models.filter(({key}) => !key.startsWith(FACTORISED)).length,
      left = all - offered.length;
    this.board.setMenu({
      dataset: meta.dataset,
      images: meta.data,
      most: MOST,
      systems: offered.map(({key, title}) => ({
        name: key,
        title,
        inference: session.modelOf(key).factorised ? "exact" : "states",
        number: compared.indexOf(key) + 1,
        words: this.wordsOf(key),
        own: !session.came.has(key),
      })),
      leftOut: [
        left
          ? `Not here: ${many(left)} ${left === 1 ? "model" : "models"} of another kind, which the explorer compares.`
          : "",
        meta.part
          ? ""
          : `The ${word}s are those of the file: models trained here may have learned from them.`,
      ]
        .filter(Boolean)
        .join(" "),
      chosen: this.chosen,
    });
    const X = rows.map((row) => session.valuesAt(row)),
      unknown = X.some((x) => x.some(Number.isNaN)),
      bits = (/** @type {ArrayLike<number>[]} */ images) =>
        Uint8Array.from(images.flatMap((x) => Array.from(packBits(x)))),
      parts = (/** @type {Uint8Array} */ all) =>
        rows.map((_, m) => all.subarray(m * session.n_v, (m + 1) * session.n_v));
    /** @type {Record<string, Uint8Array>} */
    const blocks = {
      x: bits(X.map((x) => Uint8Array.from(x, (value) => Number(value > 0.5)))),
      ...(unknown && {
        unknown: bits(X.map((x) => Uint8Array.from(x, (value) => Number(Number.isNaN(value))))),
      }),
    };
    const seen = compared.map((name, place) => {
      /** @type {Looked | Error | undefined} */
      const looked = this.found.get(this.lookKey(name)),
        drawn = this.found.get(this.drawKey(name)),
        failed = [looked, drawn].find((each) => each instanceof Error);
      if (!looked || !drawn || looked instanceof Error || drawn instanceof Error)
        return {name, done: false, error: failed?.message ?? "", wrong: [], on: [], milliseconds: 0, how: ""};
      blocks[`${place}.made`] = bits(parts(looked.made));
      blocks[`${place}.samples`] = bits(parts(drawn));
      const {wrong, on, milliseconds} = looked,
        model = session.modelOf(name),
        how = model.factorised ? "exact, one pass" : methodOf(session.info(name), model, !unknown).title;
      return {name, done: true, error: "", wrong, on, milliseconds, how: how.split(";")[0]};
    });
    const classes = rows.map((row) => meta.class_names[arrays.label[row]]),
      about = {image_shape: meta.image_shape, variables: meta.variables, classes, one_means: "ink", seen},
      block = pack({...about, rows: rows.map((row) => arrays.index[row])}, blocks),
      text = JSON.stringify([about, rows]);
    if (text !== this.packed) this.board.setPictures(/** @type {Bytes} */ (block.buffer));
    this.packed = text;
    this.fillTable();
    this.fillPress();
  }
  packed = ""; // what the pictures were made of

  fillPress() {
    const open = this.compared.filter((name) => !this.measured(name));
    setText(this.press, this.at ? "Stop" : "Estimate by AIS");
    this.press.disabled = !this.at && !open.length;
    this.temperatures.disabled = Boolean(this.at);
  }

  fillTable() {
    const {session, compared, rows, nMeasured} = this,
      {row: word} = rowWords(Boolean(session.meta.variables));
    setText(
      this.words,
      `In nats; higher is better. Of a model with few states the value is exact: a sum over all of them. Of the others it is estimated by annealed importance sampling (AIS), and the mean over the ${word}s lies between the two bounds.`,
    );
    this.how.replaceChildren(
      ...[
        "Bounds hold in expectation. More temperatures bring them nearer to each other; where they are more than a nat apart, the interval stands in place of the mean.",
        `Of an LRBN, AIS is the lower bound. The upper one is as far above it as annealing back leads, on ${word}s that the model draws.`,
        "Of an RBM, AIS of log Z gives the upper bound. The lower one is as far below it as RAISE is.",
        `Values of single ${word}s are those of AIS.`,
        `± is one standard error: of the mean over the ${word}s, and of the estimate of log Z, which the bound does not contain.`,
      ].map((text) => element("li", {}, text)),
    );
    const head = [
      {name: "system", source: "", digits: 0},
      {name: `mean of ${many(nMeasured)} ${word}s`, source: "measured", digits: 2},
      {name: "lower bound", source: "measured", digits: 2},
      {name: "upper bound", source: "measured", digits: 2},
      {name: "how", source: "", digits: 0},
      {name: "error of log Z", source: "measured", digits: 2},
      ...rows.map((row) => ({name: `no. ${session.arrays.index[row]}`, source: "measured", digits: 2})),
    ];
    const lines = compared.map((name) => {
      const {title} = session.info(name),
        found = this.found.get(this.measureKey(name));
      if (!found || found instanceof Error) {
        const exact = isExact(this.modelOf(name)),
          why = found ? `not measured: ${found.message}` : exact ? "waits for its turn" : "not estimated yet";
        return [title, null, null, null, why, ...Array(1 + rows.length).fill(null)];
      }
      /** @type {LogLikelihood} */
      const {values, bound, mean, standard_error, lower, upper, estimator_error, n_temperatures, n_chains} =
          found,
        how = {
          exact: "exact, summed over states",
          lower: `AIS, ${many(n_temperatures)} temperatures`,
          upper: `AIS of log Z, ${many(n_temperatures)} temperatures, ${many(n_chains)} chains`,
        }[bound];
      return [
        title,
        between(found) ?? {value: mean, standard_error},
        lower,
        upper,
        how,
        bound === "upper" ? `± ${number(estimator_error, 2)}` : null,
        ...rows.map((row) => values[row]),
      ];
    });
    const table = /** @type {Table} */ ({title: "", columns: head, rows: lines, notes: []}),
      text = JSON.stringify(table);
    if (text === this.tabled) return;
    this.tabled = text;
    this.table.replaceChildren(tableNode({...table, title: `log P(x) of ${session.meta.data}`}));
  }
  tabled = "";
}

/**
 * @param {LivePage} page @param {HTMLElement} main @param {{worker: string, kernels: ArrayBuffer, measuring: ArrayBuffer}} given  the address of the workers' script, and the kernels of both
 */
export function createView(page, main, given) {
  const comparison = new Comparison(page, main, given);
  return {
    open(/** @type {LiveAddress | null} */ asked) {
      if (asked) comparison.read(asked);
      comparison.follow();
    },
    close: () => comparison.stop(),
    address: () => comparison.address(),
  };
}
