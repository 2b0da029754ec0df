// The notebook's player (notebook/widget.py), which infers in the browser: with a kernel, without one, and in an exported
// page. It begins with the traces that Python made.

import {begin} from "../../player/js/adapters.js";
import {decodeModels, part, unpack, unpackBits} from "../../player/js/decode.js";
import {textOfStates} from "../../player/js/known.js";
import {element} from "../../player/js/dom.js";
import {inflate, sharedBytes} from "./block.js";
import {loadKernels} from "../../../browser/js/memory.js";
import {Session} from "./session.js";
import {knownOf} from "./truth.js";
import choices from "../../player/choices.json" with {type: "json"};

const RECORDED = "recorded"; // name in the menu of the trace that Python made
const REST_MS = 250; // after which small models' posteriors are enumerated; longer than between two points of a stroke

/** @typedef {import("../../player/js/adapters.js").Properties & {engine: ArrayBuffer, turn: number, end: number, height: number, still: string, drawing: string}} Properties */
/** @typedef {{models: ArrayBuffer, kernels: ArrayBuffer, trace: ArrayBuffer, engine: ArrayBuffer}} Blocks */
/** @typedef {{meta: LaneMeta, arrays: Record<string, Numbers>, trace: import("../../../browser/js/lrbn.js").Trace}} Recorded */

/** @param {LaneMeta} meta @param {Record<string, Numbers>} arrays @returns {Recorded} */
function recordedLane(meta, arrays) {
  const {n_h, n_visits, means, sampled, converged, at_once: atOnce = false} = meta;
  /** @param {Numbers} values @param {number} n */
  const states = (values, n) => (means ? Float64Array.from(values) : unpackBits(values, n));
  const h0 = states(arrays.h0, n_h),
    after = Array.from(states(arrays.after, n_visits)),
    unit = Array.from(arrays.unit);
  const particles = meta.particles && {
    particles: Array.from({length: n_visits}, (_, k) =>
      unpackBits(arrays.particles, n_visits * n_h).subarray(k * n_h, (k + 1) * n_h),
    ),
  };
  return {
    meta,
    arrays,
    trace: {
      ...particles,
      h0,
      unit,
      after,
      logOdds: Array.from(arrays.log_odds),
      logJoint: Array.from(arrays.log_joint),
      sweep: Array.from(arrays.sweep),
      converged,
      sampled,
      means,
      atOnce,
    },
  };
}

export class NotebookSession extends Session {
  /** @param {Map<string, Model>} models @param {LiveMeta} meta @param {LiveArrays} arrays @param {Block<TraceMeta, Arrays>} given */
  constructor(models, meta, arrays, given) {
    super(models, meta, arrays);
    this.shows = given.meta.lanes.length;
    this.given = given.meta;
    /** @type {Map<import("./session.js").LaneState, Recorded>} */
    this.recorded = new Map(
      given.meta.lanes.map((lane, n) => [this.lanes[n], recordedLane(lane, part(given.arrays, n))]),
    );
    for (const [
      lane,
      {
        meta: {held},
      },
    ] of this.recorded) {
      lane.algorithm = RECORDED;
      lane.held = new Map(Object.entries(held).map(([unit, state]) => [Number(unit), state]));
    }
    this.infer();
    this.cursor = given.meta.cursor ?? 0;
  }

  // Python's results of a lane; none if it was inferred in the browser.
  /** @param {number} lane */
  recordOf(lane) {
    return this.lanes[lane].algorithm === RECORDED ? this.recorded.get(this.lanes[lane]) : undefined;
  }

  /** @override @param {number} lane @param {import("../../../browser/js/lrbn.js").Start} start */
  traceOf(lane, start) {
    return this.recordOf(lane)?.trace ?? super.traceOf(lane, start);
  }

  /** @override @param {number} lane */
  packedLane(lane) {
    return this.recordOf(lane) ?? super.packedLane(lane);
  }

  // Infer a lane in the browser from now on, by its model's usual inference.
  /** @param {number} lane */
  leave(lane) {
    if (this.recordOf(lane)) this.lanes[lane].algorithm = this.info(this.lanes[lane].model).methods[0].name;
  }

  /** @override @param {string} text */
  draw(text) {
    if (text) this.lanes.forEach((_, lane) => this.leave(lane));
    super.draw(text);
  }

  /** @override @param {number} unit @param {string} state @param {number} lane */
  hold(unit, state, lane) {
    this.leave(lane);
    super.hold(unit, state, lane);
  }

  /** @override @param {number} lane @param {LanePart} part @param {string} value */
  chooseIn(lane, part, value) {
    if (value === RECORDED && part === "algorithm") {
      this.drawn = null; // it is of this image, with these held units
      this.lanes[lane].held = new Map(
        Object.entries(this.recorded.get(this.lanes[lane])?.meta.held ?? {}).map(([unit, state]) => [
          Number(unit),
          state,
        ]),
      );
    } else if (part !== "model") this.leave(lane);
    super.chooseIn(lane, part, value);
  }

  /** @override */
  settle() {
    const kept = this.lanes.filter((_, lane) => this.recordOf(lane));
    super.settle();
    for (const lane of kept) lane.algorithm = RECORDED;
  }

  /** @override */
  get unknown() {
    return super.unknown.filter((lane) => !this.recordOf(lane));
  }

  /** @override */
  get titles() {
    const titles = super.titles;
    return this.lanes.map((lane, n) => this.recorded.get(lane)?.meta.title ?? titles[n]);
  }

  /** @override */
  get menus() {
    return super.menus.map((menu, n) => {
      const record = this.recorded.get(this.lanes[n]);
      if (!record) return menu;
      const algorithms = /** @type {[string, string][]} */ ([
        [RECORDED, `as recorded: ${record.meta.subtitle}`],
        ...menu.algorithms,
      ]);
      return this.recordOf(n)
        ? {...menu, algorithms, algorithm: RECORDED, starts: [], start: "", seed: null}
        : {...menu, algorithms};
    });
  }

  /** @override */
  get words() {
    const {
      pixelsChanged: changed,
      given: {title = "", caption = ""},
    } = this;
    if (!changed) return {...super.words, title, caption};
    return {
      ...super.words,
      title: "Own image",
      caption: `${[title, caption].filter(Boolean).join(", ") || "the image"}, ${changed} pixel${changed === 1 ? "" : "s"} changed`,
    };
  }
}

// The widget's blocks, decompressed.
/** @param {Widget<Properties>} widget @returns {Promise<Blocks>} */
async function blocksOf(widget) {
  const [models, kernels, trace, engine] = await Promise.all([
    sharedBytes(widget, "weights"),
    sharedBytes(widget, "kernels"),
    inflate(widget.get("trace")),
    inflate(widget.get("engine")),
  ]);
  return {models, kernels, trace, engine};
}

// The widget's model with decompressed blocks. If the models can be inferred in the browser, a session answers the player's
// requests.
class Answering {
  /** @type {Map<string, (() => void)[]>} */ listeners = new Map();
  /** @type {Partial<Properties>} */ own = {};
  /** @type {Player | undefined} */ player;
  /** @type {Timer | undefined} */ timer;
  /** @type {NotebookSession | undefined} */ session;

  /** @param {Widget<Properties>} widget @param {Blocks} blocks */
  constructor(widget, blocks) {
    this.widget = widget;
    this.take(blocks);
  }

  /** @param {Blocks} blocks */
  take(blocks) {
    clearTimeout(this.timer);
    this.own = {...blocks};
    if (!blocks.engine.byteLength) return;
    /** @type {Block<LiveMeta, LiveArrays>} */
    const {meta, arrays} = unpack(blocks.engine),
      drawing = this.widget.get("drawing");
    if (!loadKernels(blocks.kernels)) return; // the trace that Python made can still be played
    const session = (this.session = new NotebookSession(
      decodeModels(blocks.models),
      meta,
      arrays,
      unpack(blocks.trace),
    ));
    Object.assign(this.own, {offers_drawing: true, offers_holding: true});
    if (drawing) {
      // the state in which the notebook was saved
      session.draw(drawing);
      this.own.trace = session.packed().buffer;
    }
    this.own.menus = session.menus;
  }

  // Python has set new traces.
  /** @param {Blocks} blocks */
  show(blocks) {
    this.take(blocks);
    for (const name of /** @type {const} */ (["menus", "models", "trace"])) this.tell(name);
  }

  /** @template {keyof Properties} Name @param {Name} name @returns {Properties[Name]} */
  get(name) {
    return /** @type {Properties[Name]} */ (name in this.own ? this.own[name] : this.widget.get(name));
  }

  /** @template {keyof Properties} Name @param {Name} name @param {Properties[Name]} value */
  set(name, value) {
    this.widget.set(name, value);
  }

  save_changes() {
    this.widget.save_changes();
  }

  /** @param {string} event @param {() => void} callback */
  on(event, callback) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), callback]);
    if (!(event.slice("change:".length) in this.own)) this.widget.on(event, callback);
  }

  /** @param {string} event @param {() => void} callback */
  off(event, callback) {
    this.listeners.set(
      event,
      (this.listeners.get(event) ?? []).filter((each) => each !== callback),
    );
    this.widget.off(event, callback);
  }

  /** @param {"trace" | "menus" | "models"} name */
  tell(name) {
    for (const callback of this.listeners.get(`change:${name}`) ?? []) callback();
  }

  // The answers that Panel's server gives in the explorer
  /** @param {Message} message */
  send(message) {
    const {session, player} = this,
      {type, lane, part: changed, value, bits, unit, state} = /** @type {any} */ (message);
    if (!session || !["draw", "hold", "lane", "swap"].includes(type)) return;
    session.cursor = player?.k ?? 0;
    session.selected = player?.choices.selected ?? "";
    if (type === "draw") session.draw(bits);
    else if (type === "hold") session.hold(unit, state, lane);
    else if (type === "lane") session.chooseIn(lane, changed, value);
    else session.swap();
    this.pack(session, {selected: session.selected});
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(session), REST_MS);
  }

  /** @param {NotebookSession} session @param {Partial<Choices>} [choices] */
  pack(session, choices) {
    Object.assign(this.own, {trace: session.packed(choices).buffer, menus: session.menus});
    this.tell("menus");
    this.tell("trace");
  }

  // A pen rests: compute exact results of small models, and send the drawn image to Python.
  /** @param {NotebookSession} session */
  rest(session) {
    this.report(session);
    const {unknown} = session;
    for (const lane of unknown) {
      const {model, held} = session.lanes[lane];
      session.known.set(
        session.traces[lane],
        knownOf(
          session.modelOf(model),
          session.info(model),
          Float64Array.from(session.x),
          session.traces[lane],
          held,
        ),
      );
    }
    if (!unknown.length) return;
    session.cursor = this.player?.k ?? 0;
    this.pack(session);
  }

  /** @param {NotebookSession} session */
  report(session) {
    const now = {drawing: session.drawn ? textOfStates(session.drawn) : "", end: session.nVisits};
    if (this.widget.get("drawing") === now.drawing && this.widget.get("end") === now.end) return;
    this.widget.set("drawing", now.drawing);
    this.widget.set("end", now.end);
    this.widget.save_changes();
  }
}

/** @param {{model: Widget<Properties>, el: HTMLElement}} host */
export async function render({model, el}) {
  // the host owns the widget's box, and not every host gives it the requested height
  const box = element("div", {class: "lrbn-notebook"});
  /** @type {Answering | undefined} */
  let answering;
  let remove = () => {},
    gone = false,
    asked = 0;
  const open = async () => {
    const mine = ++asked,
      blocks = await blocksOf(model);
    if (gone || mine !== asked) return; // other traces are shown by now
    if (answering && Boolean(answering.session) === blocks.engine.byteLength > 0)
      return answering.show(blocks);
    remove();
    answering = new Answering(model, blocks);
    const begun = begin({model: /** @type {any} */ (answering), el: box});
    answering.player = begun.player;
    remove = begun.remove;
  };
  const size = () => {
    box.style.height = `${model.get("height")}px`;
  };
  const again = () => {
    open().catch(reportError);
  };
  size();
  el.append(box);
  model.on("change:height", size);
  model.on("change:turn", again); // Python increments it when all its blocks are set
  await open();
  // hide the static picture that replaces the player in saved notebooks
  const style = element("style", {}, `[${choices.still}="${model.get("still")}"] { display: none; }`);
  // marimo puts only the player into a shadow tree, whose styles do not reach the picture
  if (model.get("still")) (el.getRootNode() instanceof ShadowRoot ? document.head : el).append(style);
  return () => {
    gone = true;
    model.off("change:height", size);
    model.off("change:turn", again);
    clearTimeout(answering?.timer);
    remove();
    style.remove();
    el.replaceChildren();
  };
}

export default {render};
