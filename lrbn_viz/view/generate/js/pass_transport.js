// The transport of the Generate page: steps, phases and passes; a scrub bar with a mark where each pass begins.

import {Controls} from "../../player/js/controls.js";
import {bold, element, ICONS, plainText, setRich} from "../../player/js/dom.js";
import {many} from "../../player/js/format.js";
import {setFace} from "../../player/js/scrub.js";

const PASS_SPEEDS = [10, 30, 60, 120, 300, 1000, 3000];
Object.assign(ICONS, {phase: ICONS.flip, pass: ICONS.sweep});

/** @typedef {import("./passes.js").Timeline} Timeline */

export class PassTransport extends Controls {
  /** @type {Timeline} */ timeline;

  /** @param {import("./page.js").GeneratePage} page @param {number} speed */
  constructor(page, speed) {
    super(page, "Step", PASS_SPEEDS, "steps/s");
    this.page = page;
    this.speed.value = String(speed);
    this.more = element(
      "button",
      {type: "button", class: "lv-btn lv-small lv-needs", onclick: () => page.say({type: "more"})},
      "Draw more",
    );
    this.node = this.arrange(
      [this.go("phase", "Next phase", "Shift+\u2192"), this.go("pass", "Next pass", "Page Down")],
      [this.speedMenu(), this.more],
      element("div", {class: "lv-says"}, this.says),
    );
  }

  /** @param {Timeline} timeline @param {number} most */
  load(timeline, most) {
    this.timeline = timeline;
    this.more.disabled = timeline.passes >= most;
    this.more.title = this.more.disabled
      ? `at most ${many(most)} passes`
      : `draw ${many(Math.min(most, 2 * timeline.passes) - timeline.passes)} more passes`;
    this.stale = true;
  }

  /** @param {number} k @param {Palette} palette */
  paint(k, palette) {
    if (this.scrub.fit() || this.stale || this.palette !== palette) this.paintStrip(palette);
    const {playing} = this.page.clock;
    this.scrub.show(k, this.timeline.end, palette, playing);
    setFace(this.playButton, playing ? "pause" : "play", playing ? "Pause" : "Play");
    setRich(this.says, this.words());
    if (!playing) this.scrub.say(this.sentence());
  }

  /** @param {Palette} palette */
  paintStrip(palette) {
    const {timeline} = this,
      {context, height, ratio, x: along} = this.scrub.ground(palette),
      x = (/** @type {number} */ k) => along(k / timeline.end);
    const top = height * 0.3,
      tall = height * 0.4;
    // a mark where pixels are drawn, at the end of each pass, and a gap between passes
    timeline.starts.slice(1).forEach((end, t) => {
      context.fillStyle = palette.line;
      const begin = x(end - timeline.rows);
      context.fillRect(begin, top, x(end) - begin, tall);
      if (t < timeline.passes - 1 && timeline.passes < 100) {
        context.fillStyle = palette.surface;
        context.fillRect(x(end) - ratio, top, 2 * ratio, tall);
      }
    });
    this.stale = false;
    this.palette = palette;
  }

  words() {
    const at = this.page.at(),
      pass = `${many(at.t + 1)} of ${many(this.timeline.passes)}`;
    if (!at.step && !at.t) return ["Nothing is drawn yet: ", ...this.beginnings()];
    return ["Pass ", bold(pass), ". ", this.page.cards.map((card) => card.says(at)).join("; ")];
  }

  // The start of each lane in words, such as: the LRBN begins with its prior, the RBM's chain with noise.
  beginnings() {
    const {lanes, meta} = this.timeline;
    return lanes.flatMap(({meta: {title, chain}}, i) => {
      const who = `${i ? ", " : ""}the ${title}${chain ? "'s chain" : ""}${i ? "" : " begins"} with `;
      return chain ? [who, bold(meta.begins)] : [`${who}its prior`];
    });
  }

  sentence() {
    return `${plainText(this.words())}.`;
  }
}
