// The transport: buttons, scrub bar over the flips of every lane, speed, and one sentence about the newest visit.

import {SPEEDS} from "./clock.js";
import {Controls} from "./controls.js";
import {bold, element, plainText, setRich} from "./dom.js";
import {many, number, signed} from "./format.js";
import {ParticleReplay} from "./replay.js";
import {setFace} from "./scrub.js";

export class Transport extends Controls {
  n_visits = 0;
  /** @type {Lane[]} */ lanes;
  of = 0; // number of the lane whose flips are marked

  /** @param {Player} player */
  constructor(player) {
    super(player, "Visit", SPEEDS, "visits/s");
    this.player = player;
    this.showSpeed(player.clock.speed);
    /** @param {"png" | "svg"} kind @param {string} what */
    const save = (kind, what) =>
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small",
          "aria-label": `Save this view as ${kind.toUpperCase()}`,
          title: what,
          onclick: () => player.save(kind),
        },
        kind.toUpperCase(),
      );
    const {glossary} = player;
    this.flips = [
      element("span", {"data-mark": "on"}, "turns on"),
      element("span", {"data-mark": "off"}, "turns off"),
    ];
    this.act = document.createTextNode("at a ");
    this.key = element(
      "div",
      {class: "lv-key lv-flips"},
      ...this.flips,
      element("span", {}, this.act, glossary.word("visit", "visit")),
      element("span", {"data-mark": "sweep"}, "new ", glossary.word("sweep", "sweep")),
    );
    this.node = this.arrange(
      [
        this.go("flip", "Next flip", "Shift+\u2192", "flip"),
        this.go("offBack", "Previous turned-off unit", "Shift+O"),
        this.go("off", "Next turned-off unit", "O", "off"),
        this.go("sweep", "Next sweep", "Page Down", "sweep"),
      ],
      [
        this.speedMenu({"data-part": "speed"}),
        element(
          "div",
          {class: "lv-speed", role: "group", "aria-label": "Picture of this view", "data-part": "export"},
          element("span", {class: "lv-speed-word"}, "Picture"),
          element(
            "div",
            {class: "lv-row"},
            save("png", "Picture of this view, for slides (S)"),
            save("svg", "Picture of this view in lines and letters, for print"),
          ),
        ),
        player.presenter.button,
        element(
          "button",
          {
            type: "button",
            class: "lv-btn lv-small lv-ask",
            "aria-label": "Keys and help",
            title: "Keys and help (?)",
            onclick: () => player.help.show(),
          },
          "?",
        ),
      ],
      element("div", {class: "lv-says lv-says-key"}, element("div", {}, this.says), this.key),
    );
  }

  /** @param {Lane[]} lanes @param {number} n_visits */
  load(lanes, n_visits) {
    this.lanes = lanes;
    this.n_visits = n_visits;
    this.stale = true;
  }

  /** @param {number} speed */
  showSpeed(speed) {
    if (this.speed.value !== String(speed)) this.speed.value = String(speed);
  }

  /** @param {number} k @param {Palette} palette */
  paint(k, palette) {
    const {player} = this;
    if (this.scrub.fit() || this.stale || this.palette !== palette || this.of !== player.selected.lane)
      this.paintStrip(palette);
    const playing = player.clock.playing;
    this.scrub.show(k, this.n_visits, palette, playing);
    setFace(this.playButton, playing ? "pause" : "play", playing ? "Pause" : "Play");
    setRich(this.says, this.words(k));
    if (!playing) this.scrub.say(`visit ${many(k)} of ${many(this.n_visits)}`);
  }

  // Behind the thumb: the bar, sweep boundaries, and a mark for every flip of the selected lane: above the bar if the unit turns
  // on, below if it turns off, on the bar for a changed mean.
  /** @param {Palette} palette */
  paintStrip(palette) {
    const {lane: of} = this.player.selected,
      lane = this.lanes[of],
      {context, height, ratio, x: along} = this.scrub.ground(palette),
      x = (/** @type {number} */ k) => along(k / Math.max(1, this.n_visits));
    context.fillStyle = palette.surface;
    if (lane.sweepStarts.length < 80)
      for (const k of lane.sweepStarts.slice(1))
        context.fillRect(x(k) - ratio, height * 0.3, 2 * ratio, height * 0.4);
    const {
        flips,
        after,
        meta: {means},
      } = lane,
      half = 0.085 * height;
    for (const mark of this.flips) mark.hidden = Boolean(means);
    this.act.data = means ? "a bar: moved at a " : "at a ";
    if (means) {
      context.fillStyle = palette.lanes[of % 2];
      for (const k of flips)
        context.fillRect(x(k + 1) - 0.6 * ratio, height * 0.36, 1.2 * ratio, height * 0.28);
    } else
      for (const on of [1, 0]) {
        const [base, tip] = on ? [height * 0.3, height * 0.06] : [height * 0.7, height * 0.94];
        context.fillStyle = on ? palette.plus : palette.minus;
        context.beginPath();
        for (const k of flips)
          if (after[k] === on) {
            const at = x(k + 1);
            context.moveTo(at - half, base);
            context.lineTo(at + half, base);
            context.lineTo(at, tip);
            context.rect(at - half / 5, on ? base : height * 0.5, 0.4 * half, height * 0.2);
          }
        context.fill();
      }
    this.of = of;
    this.stale = false;
    this.palette = palette;
  }

  /** @param {number} k */
  words(k) {
    const {lane: of} = this.player.selected,
      lane = this.lanes[of],
      at = `${many(k)} of ${many(this.n_visits)}`,
      {title, start} = lane.meta;
    if (k === 0)
      return [
        "Visit ",
        bold(at),
        `: the start${of || start ? ` (${[...(of ? [title] : []), ...(start ? [start] : [])].join(": ")})` : ""}`,
      ];
    if (k > lane.n_visits) return ["Visit ", bold(at), `: ${lane.meta.title} has finished`];
    if (lane instanceof ParticleReplay) {
      return [
        "Visit ",
        bold(at),
        `, ${of ? `${title}, ` : ""}particle ${k + 1}: log weight ${number(lane.logOdds[k - 1], 2)}, `,
        bold(`${number(100 * lane.after[k - 1], 1)} %`),
        ` of the weight so far`,
      ];
    }
    const j = lane.currentUnit,
      flipped = lane.flippedNow,
      now = lane.stateOf(j);
    return [
      "Visit ",
      bold(at),
      `, ${of ? `${title}, ` : ""}sweep ${lane.currentSweep + 1}: ${lane.unitName(j)} `,
      flipped ? bold(`${lane.meta.means ? "moved to" : "turned"} ${now}`) : `stays ${now}`,
      `, log-odds ${signed(lane.logOdds[k - 1])}`,
    ];
  }

  /** @param {number} k */
  said(k) {
    return plainText(this.words(k));
  }

  /** @param {number} k */
  sentence(k) {
    const counts = this.lanes
      .map((lane) => `${lane.meta.title} ${lane.wrongInWords.replace("px wrong", "wrong pixels")}`)
      .join(", ");
    return `${this.said(k)}. ${counts}.`;
  }
}
