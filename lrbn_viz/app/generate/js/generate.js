// The Generate page: both models drawing pass by pass in lock-step, and the interpolation between two codes.

import {Clock} from "../../../view/player/js/clock.js";
import {decodeModels} from "../../../view/player/js/decode.js";
import {byKey, element, isPageKey, widthAround} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together, withBlocks} from "../../../view/player/js/host.js";
import {Page} from "../../../view/player/js/page.js";
import {coloursOf, PALETTES} from "../../../view/player/js/theme.js";
import {PassLaneCard} from "./pass_lane.js";
import {PassTransport} from "./pass_transport.js";
import {meanOf, Timeline} from "./passes.js";
import {WALK_PICTURES, WalkCard} from "./walk.js";

const MOST_PASSES = 240;

const GENERATE_STYLE = `
.lv-passes { display: grid; gap: 1em; }
.lv-pass > header .lv-row { gap: .3em .8em; flex-wrap: wrap; } .lv-pass .lv-small { white-space: nowrap; min-width: max-content; } .lv-pass .lv-small span { display: inline; }
.lv-pass-views { display: grid; grid-template-columns: 12.5fr 34fr 12.5fr 12.5fr 12.5fr; gap: 1.2em; align-items: start; }
.lv-pass-views > figure { min-width: 0; height: 100%; display: flex; flex-direction: column; }
.lv-latents .lv-fill { min-height: 4em; } .lv-near[data-empty="true"] canvas { opacity: .5; }
.lv-strip-label { margin-top: .5em; }
.lv-strip { display: grid; grid-template-columns: repeat(var(--lv-across, 24), minmax(0, 1fr)); gap: .35em; }
.lv-sample { cursor: pointer; border-radius: .35em; display: grid; gap: 2px; padding: 2px; text-align: center; font-size: .74em; color: var(--lv-muted); line-height: 1.25; }
.lv-sample[data-done="false"] { opacity: .28; } .lv-sample[aria-selected="true"] { background: var(--lv-now); color: ${PALETTES.light.ink}; font-weight: 650; opacity: 1; }
.lv-pass .lv-caption:empty { display: none; } .lv-pass .lv-caption { margin-top: .6em; }
.lv-walk { display: grid; gap: 1em; } .lv-walk > header { display: flex; justify-content: space-between; align-items: center; gap: .5em 1.2em; flex-wrap: wrap; }
.lv-walk-choice { gap: .5em 1em; flex-wrap: wrap; } .lv-picker { gap: .4em; }
.lv-number { font: inherit; font-size: 1.05em; width: 4.6em; color: var(--lv-ink); background: var(--lv-surface); border: 1px solid var(--lv-line); border-radius: .45em; padding: .3em .4em; }
.lv-walk h3 { font-size: 1em; font-weight: 650; display: flex; gap: .6em; align-items: baseline; margin-bottom: .3em; } .lv-walk h3 small { font-weight: 400; color: var(--lv-muted); }
.lv-walk-lane[data-lane="0"] h3 > span { color: var(--lv-lane0); } .lv-walk-lane[data-lane="1"] h3 > span { color: var(--lv-lane1); }
.lv-walk-body { display: grid; grid-template-columns: minmax(0, 12fr) minmax(0, 88fr); gap: 1.2em; align-items: start; }
.lv-walk-way { display: grid; gap: .5em; } .lv-walk-row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, ${WALK_PICTURES + 0.6}fr) minmax(0, 1fr); gap: 1em; align-items: end; }
.lv-walk-pictures { display: grid; grid-template-columns: repeat(${WALK_PICTURES}, minmax(0, 1fr)); gap: .4em; } .lv-walk-pictures img { cursor: pointer; }
.lv .lv-walk-pictures img[data-now="true"] { outline: 3px solid var(--lv-now); }
.lv-walk .lv-fill { height: 4.6em; cursor: ew-resize; touch-action: pan-y; } .lv-walk-slider { display: flex; gap: .8em; align-items: center; }
.lv-walk-range { flex: 1; min-width: 0; accent-color: var(--lv-now); height: 1.8em; cursor: pointer; }
@container (max-width: 860px) {
  .lv-pass-views { grid-template-columns: 1fr 1fr 1fr 1fr; } .lv-pass .lv-latents { grid-column: 1 / -1; grid-row: 2; } .lv-pass .lv-latents .lv-fill { aspect-ratio: 4; flex: none; }
  .lv-strip { grid-template-columns: repeat(12, minmax(0, 1fr)); }
}
@container (max-width: 720px) {
  .lv .lv-strip-label { flex-wrap: wrap; height: auto; gap: 0 .6em; } .lv-pass-views { grid-template-columns: 1fr 1fr; gap: .7em; } .lv-pass .lv-latents .lv-fill { aspect-ratio: 2.4; } .lv-pass .lv-latents { grid-row: auto; order: -1; }
  .lv-strip { grid-template-columns: repeat(8, minmax(0, 1fr)); } .lv-walk-row { gap: .5em; grid-template-columns: minmax(0, 1fr) minmax(0, ${WALK_PICTURES / 2 + 0.6}fr) minmax(0, 1fr); }
  .lv-walk-body { grid-template-columns: minmax(0, 1fr); } .lv-walk-now { width: 6.5em; } .lv-walk-pictures { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  .lv-walk-pictures img:nth-child(even) { display: none; }
}
@media (max-height: 560px) and (min-width: 481px) { /* a window that is enlarged to 200 %: a lane's latents and its pictures are in sight together */
  .lv .lv-pass-views { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: .4em 1.2em; } .lv .lv-pass .lv-latents { grid-column: 1 / -1; grid-row: auto; order: -1; }
  .lv .lv-pass .lv-latents .lv-fill { aspect-ratio: auto; flex: none; height: 4.6em; min-height: 0; } .lv .lv-pass .lv-pixels { max-width: 7em; }
}
`;

export class GeneratePage extends Page {
  clock = new Clock(
    () => this.paint(),
    () => this.rest(),
  );
  /** @type {Map<string, Model>} */ models = new Map();
  /** @type {Timeline} */ timeline;

  /** @param {HTMLElement} root @param {(message: Message) => void} say */
  constructor(root, say, whole = () => true) {
    super(GENERATE_STYLE);
    this.say = say;
    this.whole = whole;
    this.clock.speed = 120;
    this.cards = [0, 1].map((index) => new PassLaneCard(index, this));
    this.walk = new WalkCard(this);
    this.transport = new PassTransport(this, this.clock.speed);
    this.root.append(
      element(
        "div",
        {class: "lv-in"},
        element("div", {class: "lv-passes"}, ...this.cards.map((card) => card.node)),
        this.walk.node,
      ),
      this.transport.node,
      this.live,
      this.tipNode,
    );
    this.appear(root, "lrbnGenerators", {
      key: (event) => this.key(event),
      scheme: (dark) => {
        this.colours = coloursOf(dark);
        this.clock.dirty();
      },
      resized: () => this.clock.dirty(),
    });
  }

  /** @param {Bytes[]} blocks */
  setModels(...blocks) {
    this.models = decodeModels(...blocks);
  }

  // Of the same draw (a unit held, more passes) the cursor's own pass stays; another begins where the server says.
  /** @param {Bytes} data */
  setPasses(data) {
    const old = this.timeline,
      timeline = new Timeline(data, this.models),
      {meta} = timeline;
    const at = old?.meta.key === meta.key ? this.at() : null;
    this.timeline = timeline;
    timeline.lanes.forEach((lane, i) => this.cards[i].load(lane, timeline));
    this.clock.end = timeline.end;
    this.transport.load(timeline, MOST_PASSES);
    const k = at
      ? timeline.find(Math.min(at.t, timeline.passes - 1), at.whole ? -1 : at.step)
      : timeline.find(meta.shown, meta.step);
    if (this.clock.playing) this.clock.k = this.clock.position = k;
    else this.seek(k);
    this.clock.dirty();
  }

  /** @param {Bytes} data */
  setWalks(data) {
    this.walk.load(data, this.models);
  }

  at() {
    return this.timeline.at(this.clock.k);
  }
  /** @param {number} k */
  seek(k) {
    this.clock.seek(k);
  }
  pause() {
    this.clock.pause();
  }
  toggle() {
    if (this.clock.playing) this.pause();
    else this.clock.play();
  }
  /** @param {number} speed */
  setSpeed(speed) {
    this.clock.speed = speed;
    this.transport.speed.value = String(speed);
  }
  /** @param {number} lane @param {number} unit @param {string} state */
  hold(lane, unit, state) {
    this.say({type: "hold", lane, unit, state});
  }

  /** @param {string} way */
  move(way) {
    const {k, end} = this.clock,
      {timeline} = this;
    this.pause();
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(end);
    if (way === "back" || way === "step") return this.seek(k + (way === "step" ? 1 : -1));
    const stops = way.startsWith("phase") ? timeline.stops() : timeline.starts.slice(1);
    return this.seek(
      way.endsWith("Back")
        ? (stops.findLast((stop) => stop < k) ?? 0)
        : (stops.find((stop) => stop > k) ?? end),
    );
  }

  paint() {
    if (!this.timeline || !this.colours) return;
    const at = this.at();
    for (const card of this.cards) card.paint(at, this.colours);
    this.walk.paint(this.colours);
    this.transport.paint(this.clock.k, this.colours.palette);
  }

  // The cursor rests: now, and not sixty times a second, the words and the server are told.
  rest() {
    if (!this.timeline) return;
    if (this.clock.stale) this.clock.frame(performance.now());
    for (const card of this.cards) card.label();
    this.walk.label();
    this.live.textContent = this.transport.sentence();
    const at = this.at(),
      last = at.t === this.timeline.passes - 1 && at.whole;
    this.say({type: "cursor", shown: last ? -1 : at.t, step: at.whole ? -1 : at.step});
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.timeline || !this.root.isConnected || !isPageKey(event, this.transport.scrub.range)) return;
    const way = byKey(
      event,
      event.shiftKey
        ? {ArrowRight: "phase", ArrowLeft: "phaseBack"}
        : {
            ArrowRight: "step",
            ArrowLeft: "back",
            Home: "first",
            End: "last",
            PageDown: "pass",
            PageUp: "passBack",
          },
    );
    if (way) this.move(way);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }

  // What is shown at the cursor, for tests and for other scripts on the page.
  state() {
    const at = this.at(),
      {lanes} = this.timeline;
    return {
      k: this.clock.k,
      end: this.clock.end,
      playing: this.clock.playing,
      ...at,
      key: this.timeline.meta.key,
      passes: this.timeline.passes,
      lanes: lanes.map((lane) => ({
        title: lane.meta.title,
        h: Array.from(lane.h[at.t]),
        x: Array.from(lane.x[at.t]),
        near: Array.from(lane.near[at.t]),
        row: lane.row[at.t],
        distance: lane.distance[at.t],
        held: Object.fromEntries(lane.held),
        p: Array.from(lane.probabilities(at.t)),
        mean: Array.from(
          lane.activations(at.t, Math.min(at.added, lane.on[at.t].length)),
          meanOf(lane.model),
        ),
      })),
      walk: this.walk.meta && {
        share: this.walk.share,
        way: this.walk.meta.way,
        from: this.walk.meta.from,
        to: this.walk.meta.to,
        lanes: this.walk.lanes.map((lane) => ({
          steps: lane.steps,
          unit: Array.from(lane.unit),
          joint: Array.from(lane.joint),
          mean: Array.from(lane.activations(this.walk.share), meanOf(lane.model)),
        })),
      },
    };
  }

  remove() {
    this.clock.stop();
    clearTimeout(this.walk.timer);
    this.vanish?.();
  }
}

/** @param {Rendered<{models: ArrayBuffer, passes: ArrayBuffer, walks: ArrayBuffer}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    STATES = ["cursor", "walked"];
  const {live, send, keep, left} = outbox(host, () => {
    const cursor = /** @type {{shown: number, step: number} | undefined} */ (left("cursor")); // where they were before a reload
    const walked = /** @type {{at: number} | undefined} */ (left("walked"));
    if (cursor && page.timeline) page.seek(page.timeline.find(cursor.shown, cursor.step));
    if (walked) page.walk.seek(walked.at / 1000, true);
    const speed = left("speed");
    if (typeof speed === "number") page.setSpeed(speed);
    if (left("playing")) page.clock.play();
  });
  /** @param {Message} message */
  const say = (message) => {
    if (STATES.includes(message.type)) keep(message.type, message, () => send(message));
    else send(message);
  };
  const page = new GeneratePage(el, say, live);
  const load = together(
    {
      models: (data) => {
        if (data.byteLength) return withBlocks(data, (...blocks) => page.setModels(...blocks));
      },
      passes: (data) => {
        if (data.byteLength) page.setPasses(data);
      },
      walks: (data) => {
        if (data.byteLength) page.setWalks(data);
      },
    },
    host,
  );
  if (widthAround(el) < 600) send({type: "narrow"}); // on a phone the open menus would cover the lanes
  /** @param {CustomEvent<[string, unknown][]>} event */
  const leave = ({detail: states}) => {
    states.push(["playing", page.clock.playing], ["speed", page.clock.speed]);
  };
  window.addEventListener("lrbn-leave", leave);
  host.removed(() => {
    window.removeEventListener("lrbn-leave", leave);
    page.remove();
  });
  load();
  return () => page.remove();
}

export default {render};
