// The Generate page: both models drawing pass by pass in lock-step, and the interpolation between two codes.

import {Clock} from "../../player/js/clock.js";
import {byKey, element, isPageKey} from "../../player/js/dom.js";
import {Page} from "../../player/js/page.js";
import {coloursOf, PALETTES} from "../../player/js/theme.js";
import {PassLaneCard} from "./pass_lane.js";
import {PassTransport} from "./pass_transport.js";
import {meanOf, Timeline} from "./passes.js";
import {WALK_PICTURES, WalkCard} from "./walk.js";
import VARIABLES_STYLE from "../../player/js/variables.css";
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

  /** @param {Map<string, Model>} models */
  setModels(models) {
    this.models = models;
  }

  // The cursor keeps its pass if the passes belong to the same draw; otherwise the block says where it is.
  /** @param {PassesBlock} block */
  setPasses(block) {
    const old = this.timeline,
      timeline = new Timeline(block, this.models),
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

  // Null: a model has no path between its codes.
  /** @param {WalksBlock | null} block */
  setWalks(block) {
    if (block) this.walk.load(block, this.models);
    else this.walk.leave();
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
    if (!this.timeline || !this.colours || !this.root.getClientRects().length) return; // a hidden page has no sizes
    const at = this.at();
    for (const card of this.cards) card.paint(at, this.colours);
    this.walk.paint(this.colours);
    this.transport.paint(this.clock.k, this.colours.palette);
  }

  // The cursor rests: update texts, and tell who feeds the page, too slow for each frame.
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
        ...(lane.nearest && {
          near: Array.from(lane.nearest.near[at.t]),
          row: lane.nearest.row[at.t],
          distance: lane.nearest.distance[at.t],
        }),
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
