// Parallel coordinates: an axis for each setting and one for the objective, a line for each trial.

import {setAttribute} from "../../../view/player/js/dom.js";
import {number} from "../../../view/player/js/format.js";

const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 300,
  TOP = 58,
  BOTTOM = 26,
  LEAST = 112; // pixels: height of the drawing, margins above and below the axes, least distance of two axes
const AXIS_LIMIT_RATIO = 4; // limit of the objective's axis: this many times the median trial's distance from the best

/** @typedef {{name: string, label: string, unit: string, words: string[], log: boolean}} AxisEntry */
/** @typedef {{trial: number, values: (number | string)[], objective: number | null, error: number | null, passes: number, seconds: number, state: string, reason: string}} TrialRow */

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

/** @param {number | string | null} value */
export function short(value) {
  if (typeof value !== "number") return value === null ? "" : value;
  const size = Math.abs(value),
    text =
      size !== 0 && (size < 1e-3 || size >= 1e6)
        ? value.toExponential(2)
        : size >= 1000
          ? number(Number(value.toPrecision(4)), 0)
          : String(Number(value.toPrecision(4)));
  return text.replace("-", "\u2212");
}

// An axis: the distinct values of all trials in order, and the position of a value, from 0 at the bottom to 1.
export class Axis {
  // `best`: of an objective the side of the best value, 1 or -1.
  /** @param {AxisEntry} entry @param {(row: TrialRow) => number | string | null} valueOf @param {TrialRow[]} rows @param {number} [best] */
  constructor(entry, valueOf, rows, best = 0) {
    this.entry = entry;
    this.best = best;
    this.valueOf = valueOf;
    const found = rows.map(valueOf).filter((value) => value !== null);
    if (entry.words.length) this.values = /** @type {(number | string)[]} */ (entry.words);
    else this.values = [...new Set(/** @type {number[]} */ (found))].sort((a, b) => a - b);
  }

  // Ends of the axis, without values so far from the best that all others would coincide.
  /** @type {[number, number]} */
  get ends() {
    const numbers = /** @type {number[]} */ (this.values),
      low = numbers[0],
      high = numbers[numbers.length - 1],
      middle = numbers[Math.floor(numbers.length / 2)];
    if (!this.best) return [low, high];
    return this.best > 0
      ? [Math.max(low, high - AXIS_LIMIT_RATIO * (high - middle)), high]
      : [low, Math.min(high, low + AXIS_LIMIT_RATIO * (middle - low))];
  }

  /** @param {number | string} value */
  share(value) {
    const {values} = this;
    if (values.length < 2) return 0.5;
    if (typeof value === "string") return values.indexOf(value) / (values.length - 1);
    const scale = this.entry.log ? Math.log : (/** @type {number} */ x) => x,
      [low, high] = this.ends.map(scale);
    return high > low ? Math.min(1, Math.max(0, (scale(value) - low) / (high - low))) : 0.5;
  }

  // Labels of the axis with their positions: all values if they are few, else the ends and the middle.
  /** @returns {[string, number][]} */
  get ticks() {
    const {values} = this,
      middle = values[Math.floor(values.length / 2)];
    if (!values.length) return [];
    if (typeof values[0] === "string" || values.length < 2)
      return values.map((value) => [short(value), this.share(value)]);
    const [low, high] = this.ends,
      last = values.length - 1;
    const written =
      values.length <= 6 && low === values[0] && high === values[last] ? values : [low, middle, high];
    return written.map((value) => [
      `${value === low && low > /** @type {number} */ (values[0]) ? "\u2264 " : value === high && high < /** @type {number} */ (values[last]) ? "\u2265 " : ""}${short(value)}`,
      this.share(value),
    ]);
  }
}

export class Lines {
  node = /** @type {SVGSVGElement} */ (svg("svg", {role: "img", class: "lv-lines"}));
  /** @type {Map<number, SVGElement>} */ paths = new Map();

  /** @param {(trial: number) => void} choose @param {(words: string | null, event?: MouseEvent) => void} tip */
  constructor(choose, tip) {
    this.choose = choose;
    this.tip = tip;
  }

  /** @param {Axis[]} axes @param {TrialRow[]} rows @param {number} width @param {(row: TrialRow) => string} words */
  draw(axes, rows, width, words) {
    const step = Math.max(LEAST, (width - LEAST) / Math.max(1, axes.length - 1)),
      whole = step * (axes.length - 1) + LEAST;
    const x = (/** @type {number} */ i) => LEAST / 2 + i * step,
      y = (/** @type {number} */ share) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    setAttribute(this.node, "viewBox", `0 0 ${whole} ${HEIGHT}`);
    setAttribute(this.node, "style", `width: ${whole}px; height: ${HEIGHT}px`);
    this.paths.clear();
    const best = rows.filter(({objective}) => objective !== null).length,
      lines = svg("g", {fill: "none"});
    [...rows].reverse().forEach((row) => {
      // the best is drawn last, above the others
      const points = axes
        .map((axis, i) => [axis.valueOf(row), x(i), axis])
        .filter(([value]) => value !== null);
      const d = points
        .map(
          ([value, at, axis], i) =>
            `${i ? "L" : "M"}${at} ${y(/** @type {Axis} */ (axis).share(/** @type {number | string} */ (value)))}`,
        )
        .join("");
      const rank = rows.indexOf(row),
        strength = row.objective === null ? 0 : 1 - rank / Math.max(1, best - 1);
      const path = svg("path", {
        d,
        style: `--lv-strength: ${Math.round(100 * strength)}%`,
        "data-known": String(row.objective !== null),
      });
      path.addEventListener("click", () => this.choose(row.trial));
      path.addEventListener("pointermove", (event) =>
        this.tip(words(row), /** @type {MouseEvent} */ (event)),
      );
      path.addEventListener("pointerleave", () => this.tip(null));
      this.paths.set(row.trial, path);
      lines.append(path);
    });
    const drawn = axes.map((axis, i) => {
      const group = svg("g", {}),
        last = i === axes.length - 1;
      group.append(svg("line", {x1: x(i), x2: x(i), y1: y(0), y2: y(1)}));
      const {label, unit, log} = axis.entry,
        words = label.split(" "),
        half = words.length > 2 ? Math.ceil(words.length / 2) : words.length;
      [words.slice(0, half).join(" "), words.slice(half).join(" ")]
        .filter(Boolean)
        .forEach((text, line) =>
          group.append(svg("text", {x: x(i), y: 14 + 15 * line, class: "lv-axis-name"}, text)),
        );
      const more = [unit, log ? "log scale" : ""].filter(Boolean).join(", ");
      if (more)
        group.append(
          svg("text", {x: x(i), y: 14 + 15 * (half < words.length ? 2 : 1), class: "lv-axis-unit"}, more),
        );
      for (const [words, share] of axis.ticks) {
        const at = y(share);
        group.append(svg("line", {x1: x(i) - 4, x2: x(i), y1: at, y2: at}));
        group.append(
          svg(
            "text",
            {x: x(i) + (last ? -8 : 7), y: at + 4, class: "lv-tick", "text-anchor": last ? "end" : "start"},
            words,
          ),
        );
      }
      return group;
    });
    this.node.replaceChildren(lines, ...drawn);
  }

  /** @param {Set<number>} kept @param {number} chosen */
  mark(kept, chosen) {
    for (const [trial, path] of this.paths) {
      setAttribute(path, "data-kept", String(kept.has(trial)));
      setAttribute(path, "data-chosen", String(trial === chosen));
    }
    const above = this.paths.get(chosen);
    above?.parentNode?.append(above);
  }
}
