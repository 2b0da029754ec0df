// Choice of the lane in a view of one lane: the selected lane if it has the view's data, else the first that has. If several
// have them, a menu selects another.

import {element, setText} from "./dom.js";

export class LaneChoice {
  index = 0;
  asked = -1;
  title = element("span");
  /** @type {Lane[] | undefined} */ among;

  /** @param {Player} player @param {string} label */
  constructor(player, label) {
    this.player = player;
    this.menu = element("select", {
      "aria-label": label,
      onchange: () => player.select(Number(this.menu.value), -1),
    });
    this.node = element("span", {class: "lv-of"}, this.title, this.menu);
  }

  // Choose among lanes, of which some have the data, and show the lane's title.
  /** @param {Lane[]} lanes @param {(lane: Lane) => boolean} has */
  choose(lanes, has) {
    const {selected} = this.player;
    if (lanes === this.among && selected.lane === this.asked) return lanes[this.index]; // called at each frame
    this.among = lanes;
    this.asked = selected.lane;
    const able = lanes.filter(has),
      asked = lanes[selected.lane];
    this.index = Math.max(0, lanes.indexOf(able.includes(asked) ? asked : (able[0] ?? asked)));
    const lane = lanes[this.index];
    this.menu.hidden = able.length < 2;
    this.title.hidden = !this.menu.hidden || lanes.length < 2;
    setText(this.title, lane.meta.title);
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${this.index % 2})`);
    const options = able.map((each) => [String(lanes.indexOf(each)), each.meta.title]),
      key = JSON.stringify(options);
    if (this.menu.dataset.key !== key) {
      this.menu.dataset.key = key;
      this.menu.replaceChildren(...options.map(([value, text]) => element("option", {value}, text)));
    }
    this.menu.value = String(this.index);
    return lane;
  }
}
