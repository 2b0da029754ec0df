// Common parts of every transport: its play button, its scrub bar, its menu of speeds, and their arrangement.

import {box, element, iconButton} from "./dom.js";
import {many} from "./format.js";
import {Scrub} from "./scrub.js";

export class Controls {
  stale = true;
  says = box();
  /** @type {Palette | undefined} */ palette;

  /**
   * @param {{move: (name: string) => void, toggle: () => void, pause: () => void, seek: (k: number) => void, setSpeed: (speed: number) => void}} played
   * @param {string} place  label of the scrub bar: what it counts
   * @param {number[]} speeds
   * @param {string} unit  of a speed, such as "steps/s"
   */
  constructor(played, place, speeds, unit) {
    this.played = played;
    this.playButton = iconButton("play", "Play", "space", () => played.toggle());
    this.playButton.classList.add("lv-main");
    this.scrub = new Scrub(place, (k) => {
      played.pause();
      played.seek(k);
    });
    this.speed = element(
      "select",
      {"aria-label": "Speed", onchange: () => played.setSpeed(Number(this.speed.value))},
      ...speeds.map((speed) => element("option", {value: speed}, `${many(speed)} ${unit}`)),
    );
  }

  // A button that moves the cursor.
  /** @param {string} name @param {string} label @param {string} keys @param {string} [text] */
  go(name, label, keys, text) {
    return iconButton(name, label, keys, () => this.played.move(name), text);
  }

  // The transport; `farther` are the buttons between a single step and the end.
  /** @param {HTMLButtonElement[]} farther @param {Node[]} side @param {Node} says */
  arrange(farther, side, says) {
    return element(
      "div",
      {class: "lv-transport", role: "group", "aria-label": "Transport"},
      element(
        "div",
        {class: "lv-row lv-buttons"},
        this.go("first", "First", "Home"),
        this.go("back", "Step back", "\u2190"),
        this.playButton,
        this.go("step", "Step", "\u2192"),
        ...farther,
        this.go("last", "Last", "End"),
      ),
      this.scrub.node,
      element("div", {class: "lv-side"}, ...side),
      says,
    );
  }

  // The menu of speeds with its label.
  /** @param {Attributes} attributes */
  speedMenu(attributes = {}) {
    return element(
      "label",
      {class: "lv-speed", ...attributes},
      element("span", {class: "lv-speed-word"}, "Speed"),
      this.speed,
    );
  }
}
