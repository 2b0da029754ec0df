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
import VARIABLES_STYLE from "../../../view/player/js/variables.css";
import GENERATE_STYLE from "./generate.css";
import constants from "../../../io/constants.json" with {type: "json"};

// Custom properties of this page's style sheet, from the theme and from the interpolation.
const SIZES = `.lv { --lv-on-now: ${PALETTES.light.ink}; --lv-walk-pictures: ${WALK_PICTURES};
  --lv-walk-wide: ${WALK_PICTURES + 0.6}fr; --lv-walk-narrow: ${WALK_PICTURES / 2 + 0.6}fr; }
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
    super(SIZES + VARIABLES_STYLE + GENERATE_STYLE);
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

  // The cursor keeps its pass if the passes belong to the same draw; otherwise the server sets it.
  /** @param {Bytes} data */
  setPasses(data) {
    const old = this.timeline,
      timeline = new Timeline(data, this.models),
      {meta} = timeline;
    const at = old?.meta.key === meta.key ? this.at() : null;
    this.timeline = timeline;
    timeline.lanes.forEach((lane, i) => this.cards[i].load(lane, timeline));
    this.clock.end = timeline.end;
    this.transport.load(timeline, constants.max_passes);
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

  // The cursor rests: update texts and the server, which is too slow for each frame.
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

  // The state at the cursor, for tests and other scripts of the page.
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
    const cursor = /** @type {{shown: number, step: number} | undefined} */ (left("cursor")); // cursor before a reload
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
