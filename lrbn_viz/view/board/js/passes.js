// Progress of passes over all images, and the workers that make them.

import {card, element} from "../../player/js/dom.js";
import {clockText, many} from "../../player/js/format.js";

/** @type {Record<PassesWords["lanes"][number]["what"], [string, string]>} */
const DOES = {
  between: ["between two passes", ""],
  opening: ["reaching the cluster", ""],
  images: ["sending images", "piece"],
  e_step: ["E-step", "piece"],
  m_step: ["exchange of codes and M-step", "block"],
};

/** @param {number} count @param {string} word */
const several = (count, word) => `${many(count)} ${word}${count === 1 ? "" : "s"}`;

export class PassesCard {
  text = "";
  where = element("span", {class: "lt-where"});
  link = element(
    "a",
    {class: "lv-btn lv-small", target: "_blank", hidden: true},
    "Dask\u2019s dashboard \u2197",
  );
  lanes = element("div", {class: "lt-passes"});
  note = element("p", {class: "lt-note"});
  node = card(
    {class: "lt-work", "aria-label": "Passes", hidden: true},
    ["Current pass"],
    [this.where, this.link],
    this.lanes,
    this.note,
  );

  constructor() {
    this.link.setAttribute("rel", "noopener noreferrer");
  }

  // `status` is that of the run; `words` are missing if it learns from minibatches or has ended.
  /** @param {PassesWords | undefined} words @param {string} status */
  show(words, status) {
    const text = JSON.stringify([words, status]);
    if (text === this.text) return;
    this.text = text;
    this.node.hidden = !words;
    if (!words) return;
    this.where.replaceChildren(...this.place(words));
    this.link.hidden = !words.link;
    if (words.link) this.link.setAttribute("href", words.link);
    this.lanes.replaceChildren(...words.lanes.map((lane) => this.lane(lane)));
    const going = words.lanes.some(({what}) => what !== "between");
    this.note.textContent =
      status === "paused" && going
        ? "The current pass is completed; then the run is paused. Stop discards it and keeps the last whole pass."
        : status === "running"
          ? "Pause takes effect after this pass; Stop at once, and keeps the last whole pass."
          : "";
  }

  /** @param {PassesWords} words @returns {(string | Node)[]} */
  place({workers, gone, names}) {
    if (workers === null) return ["in this process"];
    const found = /** @type {(string | Node)[]} */ ([
      "on ",
      element("b", {}, several(workers, "worker")),
      " of a cluster",
    ]);
    if (gone) found.push(`, ${gone} gone${names?.length ? `: ${names.join(", ")}` : ""}`);
    return found;
  }

  /** @param {PassesWords["lanes"][number]} lane */
  lane({title, what, done, of, left}) {
    const [does, piece] = DOES[what],
      rest = left === undefined ? "" : `, ${clockText(left)} left of it`;
    const said = of ? `${does}, ${many(done)} of ${several(of, piece)}${rest}` : does;
    const bar = element("progress", {max: Math.max(of, 1), value: done, "aria-label": `${title}: ${does}`});
    return element("div", {class: "lt-pass"}, element("span", {}, element("b", {}, title), ` ${said}`), bar);
  }
}
