// The notebook's player (notebook.py), which infers anew by itself: with a kernel, without one, and in an exported page.
// What it begins with are the traces that Python made.

import {begin, render as replay} from "../../player/js/adapters.js";
import {decodeModels, part, unpack, unpackBits} from "../../player/js/decode.js";
import {useKernel} from "./kernel.js";
import {Session} from "./session.js";
import {knownOf} from "./truth.js";

const RECORDED = "recorded"; // what the menu calls the trace that Python made
const REST_MS = 250; // after which small models' posteriors are enumerated: longer than from one point of a stroke to the next

/** @typedef {import("../../player/js/adapters.js").Properties & {engine?: ArrayBuffer | DataView}} Properties */
/** @typedef {{meta: LaneMeta, arrays: Record<string, Numbers>, trace: import("./icm.js").Trace}} Recorded */

/** @param {LaneMeta} meta @param {Record<string, Numbers>} arrays @returns {Recorded} */
function recordedLane(meta, arrays) {
  const {n_h, n_visits, means, sampled, converged, at_once: atOnce = false} = meta;
  /** @param {Numbers} values @param {number} n */
  const states = (values, n) => (means ? Float64Array.from(values) : unpackBits(values, n));
  const h0 = states(arrays.h0, n_h), after = Array.from(states(arrays.after, n_visits)), h = Float64Array.from(h0), unit = Array.from(arrays.unit);
  const flipped = unit.map((j, k) => {
    const moved = h[j] !== after[k];
    h[j] = after[k];
    return moved;
  });
  const particles = meta.particles && {particles: Array.from({length: n_visits}, (_, k) => unpackBits(arrays.particles, n_visits * n_h).subarray(k * n_h, (k + 1) * n_h))};
  return {meta, arrays, trace: {...particles, h0, unit, after, flipped, logOdds: Array.from(arrays.log_odds), logJoint: Array.from(arrays.log_joint), sweep: Array.from(arrays.sweep), converged, sampled, means, atOnce}};
}

export class NotebookSession extends Session {
  /** @param {Map<string, Model>} models @param {LiveMeta} meta @param {LiveArrays} arrays @param {Block<TraceMeta, Arrays>} given */
  constructor(models, meta, arrays, given) {
    super(models, meta, arrays);
    this.shows = given.meta.lanes.length;
    this.given = given.meta;
    /** @type {Map<import("./session.js").LaneState, Recorded>} */
    this.recorded = new Map(given.meta.lanes.map((lane, n) => [this.lanes[n], recordedLane(lane, part(given.arrays, n))]));
    for (const [lane, {meta: {held}}] of this.recorded) {
      lane.algorithm = RECORDED;
      lane.held = new Map(Object.entries(held).map(([unit, state]) => [Number(unit), state]));
    }
    this.infer();
    this.cursor = given.meta.cursor ?? 0;
  }

  // What a lane shows of what Python made; nothing where it was inferred anew.
  /** @param {number} lane */
  recordOf(lane) { return this.lanes[lane].algorithm === RECORDED ? this.recorded.get(this.lanes[lane]) : undefined; }

  /** @override @param {number} lane @param {import("./icm.js").Start} start */
  traceOf(lane, start) { return this.recordOf(lane)?.trace ?? super.traceOf(lane, start); }

  /** @override @param {number} lane */
  packedLane(lane) { return this.recordOf(lane) ?? super.packedLane(lane); }

  // A lane infers anew from here on, by its model's usual inference.
  /** @param {number} lane */
  leave(lane) { if (this.recordOf(lane)) this.lanes[lane].algorithm = this.info(this.lanes[lane].model).methods[0].name; }

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
      this.drawn = null; // of this image it was made, and with these units held
      this.lanes[lane].held = new Map(Object.entries(this.recorded.get(this.lanes[lane])?.meta.held ?? {}).map(([unit, state]) => [Number(unit), state]));
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
  get unknown() { return super.unknown.filter((lane) => !this.recordOf(lane)); }

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
      const algorithms = /** @type {[string, string][]} */ ([[RECORDED, `as recorded: ${record.meta.subtitle}`], ...menu.algorithms]);
      return this.recordOf(n) ? {...menu, algorithms, algorithm: RECORDED, starts: [], start: "", seed: null} : {...menu, algorithms};
    });
  }

  /** @override */
  get words() {
    const {pixelsChanged: changed, given: {title = "", caption = ""}} = this;
    if (!changed) return {...super.words, title, caption};
    return {...super.words, title: "Own image", caption: `${[title, caption].filter(Boolean).join(", ") || "the image"}, ${changed} pixel${changed === 1 ? "" : "s"} changed`};
  }
}

// The widget's model, but that the session answers what the player asks for.
class Answering {
  /** @type {Map<string, (() => void)[]>} */ listeners = new Map();
  /** @type {Partial<Properties>} */ own = {};
  /** @type {Player | undefined} */ player;
  /** @type {Timer | undefined} */ timer;
  /** @type {NotebookSession} */ session;
  restarts = () => this.restart();

  /** @param {Widget<Properties>} widget */
  constructor(widget) {
    this.widget = widget;
    this.restart();
    widget.on("change:trace", this.restarts); // Python has another one; it is told before the player is
  }

  restart() {
    const {widget} = this;
    /** @type {Block<LiveMeta, LiveArrays & {kernel: Uint8Array<ArrayBuffer>}>} */
    const {meta, arrays} = unpack(/** @type {Bytes} */ (widget.get("engine")));
    useKernel(arrays.kernel.slice());
    this.session = new NotebookSession(decodeModels(widget.get("models")), meta, arrays, unpack(widget.get("trace")));
    this.own = {menus: this.session.menus, offers_drawing: true, offers_holding: true};
    this.tell("menus");
  }

  /** @template {keyof Properties} Name @param {Name} name @returns {Properties[Name]} */
  get(name) { return /** @type {Properties[Name]} */ (name in this.own ? this.own[name] : this.widget.get(name)); }

  /** @template {keyof Properties} Name @param {Name} name @param {Properties[Name]} value */
  set(name, value) { this.widget.set(name, value); }

  save_changes() { this.widget.save_changes(); }

  /** @param {string} event @param {() => void} callback */
  on(event, callback) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), callback]);
    this.widget.on(event, callback);
  }

  /** @param {string} event @param {() => void} callback */
  off(event, callback) {
    this.listeners.set(event, (this.listeners.get(event) ?? []).filter((each) => each !== callback));
    this.widget.off(event, callback);
  }

  // The end: it listens to the widget no more, which outlives what is on the page.
  remove() {
    clearTimeout(this.timer);
    this.widget.off("change:trace", this.restarts);
  }

  /** @param {"trace" | "menus"} name */
  tell(name) { for (const callback of this.listeners.get(`change:${name}`) ?? []) callback(); }

  // What Panel's server answers in the explorer
  /** @param {Message} message */
  send(message) {
    const {session, player} = this, {type, lane, part: changed, value, bits, unit, state} = /** @type {any} */ (message);
    if (!["draw", "hold", "lane", "swap"].includes(type)) return;
    session.cursor = player?.k ?? 0;
    session.selected = player?.choices.selected ?? "";
    if (type === "draw") session.draw(bits);
    else if (type === "hold") session.hold(unit, state, lane);
    else if (type === "lane") session.chooseIn(lane, changed, value);
    else session.swap();
    this.show({selected: session.selected});
    clearTimeout(this.timer);
    if (session.unknown.length) this.timer = setTimeout(() => this.findTruth(), REST_MS);
  }

  /** @param {Partial<Choices>} [choices] */
  show(choices) {
    Object.assign(this.own, {trace: this.session.packed(choices).buffer, menus: this.session.menus});
    this.tell("menus");
    this.tell("trace");
  }

  findTruth() {
    const {session} = this;
    for (const lane of session.unknown) {
      const {model} = session.lanes[lane];
      session.known.set(session.traces[lane], knownOf(session.modelOf(model), session.info(model), Float64Array.from(session.x), session.traces[lane]));
    }
    session.cursor = this.player?.k ?? 0;
    this.show();
  }
}

/** @param {{model: Widget<Properties>, el: HTMLElement}} host */
export function render({model, el}) {
  if (!model.get("engine")?.byteLength) return replay({model, el});
  const answering = new Answering(model), {player, remove} = begin({model: /** @type {any} */ (answering), el});
  answering.player = player;
  return () => { answering.remove(); remove(); };
}

export default {render};
