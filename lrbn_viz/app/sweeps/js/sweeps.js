// The Sweeps page: trials as lines over axes and as a table, with sorting and filters; a trial's settings for training.

import {captionedCard, element, setAttribute, setText} from "../../../view/player/js/dom.js";
import {many} from "../../../view/player/js/format.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {Page} from "../../../view/player/js/page.js";
import {Axis, Lines, short} from "./axes.js";
import SWEEP_STYLE from "./sweeps.css";

/** @typedef {import("./axes.js").AxisEntry} AxisEntry */
/** @typedef {import("./axes.js").TrialRow} TrialRow */
/** @typedef {{title: string, about: string[], left: number, higher: boolean, unit: string, axes: AxisEntry[], rows: TrialRow[]}} SweepEntry */
/** @typedef {{names: string[], shown: string, words: string, sweep?: SweepEntry}} View */
/** @typedef {{name: string, text: boolean, value: (row: TrialRow) => number | string | null, digits?: number}} Column */

export class SweepsPage extends Page {
  chosen = -1;
  order = {at: 1, up: true}; // column by which the table is sorted; at first the rank
  name = "";
  /** @type {Axis[]} */ axes = [];
  /** @type {Map<Axis, [number, number] | Set<string>>} what of an axis is kept: places of values, or words */ kept =
    new Map();
  /** @type {SweepEntry | undefined} */ sweep;
  title = element("h2");
  about = element("div");
  words = element("p", {class: "lv-caption", role: "status"});
  menu = element("select");
  filters = element("div", {class: "lv-filters", role: "group", "aria-label": "Show trials only where"});
  count = element("p", {class: "lv-caption", role: "status"});
  table = element("table", {class: "lv-trials"});
  details = element("section", {class: "lv-card lv-chosen", "aria-label": "The chosen trial", hidden: true});

  /** @param {HTMLElement} root @param {(message: Message, what?: string) => boolean} say */
  constructor(root, say) {
    super(SWEEP_STYLE, "lv lv-sweeps");
    this.say = say;
    this.lines = new Lines(
      (trial) => this.choose(trial),
      (text, event) => this.tip(text, event),
    );
    this.menu.addEventListener("change", () => say({type: "sweep", name: this.menu.value}));
    this.menuLabel = element("label", {}, "Sweep", this.menu);
    const again = element(
      "button",
      {type: "button", class: "lv-btn lv-small lv-needs", onclick: () => say({type: "again"})},
      "Look for new results",
    );
    const all = element(
      "button",
      {type: "button", class: "lv-btn lv-small", onclick: () => this.showAll()},
      "Show all trials",
    );
    this.room = element(
      "div",
      {class: "lv-scroll", role: "region", "aria-label": "Trials as lines over axes", tabindex: "0"},
      this.lines.node,
    );
    this.drawing = captionedCard(
      "Trials as lines",
      [
        "Each line is a trial: it passes through the trial's settings and ends at its objective. A better trial is greener. A dashed line has no result: the training failed or is not finished. Click a line, or a trial in the table, to choose it.",
      ],
      this.room,
      this.filters,
      element("div", {class: "lv-sweep-menu"}, all, this.count),
    );
    this.list = captionedCard(
      "Trials",
      [],
      element(
        "div",
        {class: "lv-scroll", role: "region", "aria-label": "Trials as a table", tabindex: "0"},
        this.table,
      ),
    );
    this.root.append(
      element(
        "div",
        {class: "lv-in"},
        element(
          "div",
          {class: "lv-card"},
          this.title,
          this.about,
          this.words,
          element("div", {class: "lv-sweep-menu"}, this.menuLabel, again),
        ),
        this.drawing,
        this.details,
        this.list,
      ),
      this.live,
      this.tipNode,
    );
    this.appear(root, "lrbnSweeps", {key: () => {}, scheme: () => {}, resized: () => this.draw()}).observe(
      this.room,
    );
  }

  /** @param {View} view */
  show({names, shown, words, sweep}) {
    this.menu.replaceChildren(...names.map((name) => element("option", {value: name}, name)));
    this.menu.value = shown;
    this.menuLabel.hidden = !names.length;
    const same = this.name === shown && JSON.stringify(this.sweep?.axes) === JSON.stringify(sweep?.axes);
    this.name = shown;
    this.sweep = sweep;
    setText(this.title, sweep ? sweep.title : "Sweeps");
    setText(this.words, sweep?.left ? `${many(sweep.left)} of the trials are not done yet.` : words);
    this.about.replaceChildren(
      ...(sweep?.about ?? []).map((text) => element("p", {class: "lv-caption"}, text)),
    );
    this.drawing.hidden = this.list.hidden = !sweep;
    if (!sweep) {
      this.details.hidden = true;
      return;
    }
    if (!same) {
      this.chosen = -1;
      this.order = {at: 1, up: true};
      this.kept.clear();
    }
    const before = this.axes,
      goal = {name: "", label: sweep.unit, unit: "", words: [], log: false};
    this.axes = [
      ...sweep.axes.map((entry, i) => new Axis(entry, (row) => row.values[i], sweep.rows)),
      new Axis(goal, ({objective}) => objective, sweep.rows, sweep.higher ? 1 : -1),
    ];
    if (same)
      this.kept = new Map(
        before
          .map((axis, i) => [this.axes[i], this.kept.get(axis)])
          .filter(([axis, kept]) => kept && this.fits(/** @type {Axis} */ (axis), before))
          .map((pair) => /** @type {[Axis, [number, number]]} */ (pair)),
      );
    this.draw();
    this.fillFilters();
    this.fillTable();
    this.mark();
  }

  // Whether positions on an axis keep their meaning with new results.
  /** @param {Axis} axis @param {Axis[]} before */
  fits(axis, before) {
    return before[this.axes.indexOf(axis)]?.values.join() === axis.values.join();
  }

  draw() {
    if (!this.sweep || !this.room.clientWidth) return;
    this.lines.draw(this.axes, this.sweep.rows, this.room.clientWidth - 2, (row) => this.spoken(row));
    const known = this.sweep.rows.filter(({objective}) => objective !== null);
    this.lines.node.setAttribute(
      "aria-label",
      `${many(this.sweep.rows.length)} trials over ${this.axes.map(({entry}) => entry.label).join(", ")}` +
        `${known.length ? `; the best, trial ${known[0].trial}, has ${short(known[0].objective)}` : ""}. The table lists the same trials.`,
    );
    this.mark();
  }

  /** @param {TrialRow} row */
  spoken(row) {
    const settings = (this.sweep?.axes ?? []).map(({label}, i) => `${label} ${short(row.values[i])}`);
    return `Trial ${row.trial}: ${settings.join(", ")}${row.objective === null ? `; ${row.state}` : `; ${this.sweep?.unit}: ${short(row.objective)}`}`;
  }

  fillFilters() {
    this.filters.replaceChildren(
      ...this.axes
        .filter(({values}) => values.length > 1)
        .map((axis) => {
          const {entry, values} = axis,
            box = element("fieldset", {}, element("legend", {}, entry.label));
          if (entry.words.length) {
            const kept = /** @type {Set<string>} */ (this.kept.get(axis) ?? new Set(entry.words));
            box.append(
              ...entry.words.map((word) => {
                const input = element("input", {type: "checkbox"});
                input.checked = kept.has(word);
                input.addEventListener("change", () => {
                  if (input.checked) kept.add(word);
                  else kept.delete(word);
                  this.kept.set(axis, kept);
                  this.mark();
                });
                return element("label", {class: "lv-word"}, input, word);
              }),
            );
            return box;
          }
          const ends = /** @type {[number, number]} */ (this.kept.get(axis) ?? [0, values.length - 1]);
          ["from", "to"].forEach((end, i) => {
            const said = element("output", {}, short(values[ends[i]]));
            const slider = element("input", {
              type: "range",
              min: "0",
              max: String(values.length - 1),
              step: "1",
              value: String(ends[i]),
              "aria-label": `${entry.label} ${end}`,
              "aria-valuetext": short(values[ends[i]]),
            });
            slider.addEventListener("input", () => {
              ends[i] = Number(slider.value);
              setText(said, short(values[ends[i]]));
              slider.setAttribute("aria-valuetext", short(values[ends[i]]));
              this.kept.set(axis, ends);
              this.mark();
            });
            box.append(element("label", {}, end, slider, said));
          });
          return box;
        }),
    );
  }

  showAll() {
    this.kept.clear();
    this.fillFilters();
    this.mark();
  }

  /** @param {TrialRow} row */
  keeps(row) {
    for (const [axis, kept] of this.kept) {
      const value = axis.valueOf(row);
      if (kept instanceof Set) {
        if (!kept.has(String(value))) return false;
      } else {
        const whole = kept[0] <= 0 && kept[1] >= axis.values.length - 1;
        if (!whole && (value === null || value < axis.values[kept[0]] || value > axis.values[kept[1]]))
          return false;
      }
    }
    return true;
  }

  /** @returns {Column[]} */
  get columns() {
    const {axes, unit, rows} = /** @type {SweepEntry} */ (this.sweep),
      ranks = new Map(rows.map(({trial}, i) => [trial, i + 1]));
    return [
      {name: "Trial", text: false, value: ({trial}) => trial},
      {name: "Rank", text: false, value: ({trial}) => ranks.get(trial) ?? null},
      {name: unit, text: false, value: ({objective}) => objective, digits: 2},
      {name: "Standard error", text: false, value: ({error}) => error, digits: 2},
      ...axes.map((axis, i) => ({
        name: axis.label,
        text: axis.words.length > 0,
        value: (/** @type {TrialRow} */ row) => row.values[i],
      })),
      {name: "Passes", text: false, value: ({passes}) => passes},
      {name: "CPU seconds", text: false, value: ({seconds}) => seconds, digits: 1},
      {name: "State", text: true, value: ({state, reason}) => (reason ? `${state}: ${reason}` : state)},
    ];
  }

  fillTable() {
    const {sweep} = this;
    if (!sweep) return;
    const {columns} = this,
      {at, up} = this.order,
      {value: by} = columns[at];
    const rows = [...sweep.rows].sort((a, b) => {
      // equal rows stay in the order of their rank
      const one = by(a),
        two = by(b);
      if (one === null || two === null) return Number(one === null) - Number(two === null);
      return one === two ? 0 : one < two === up ? -1 : 1;
    });
    const head = columns.map(({name, text}, i) =>
      element(
        "th",
        {
          scope: "col",
          class: text ? "lv-text" : null,
          "aria-sort": i === at ? (up ? "ascending" : "descending") : null,
        },
        element("button", {type: "button", onclick: () => this.sortBy(i)}, name),
      ),
    );
    this.table.replaceChildren(
      element("thead", {}, element("tr", {}, ...head)),
      element(
        "tbody",
        {},
        ...rows.map((row) =>
          element(
            "tr",
            {"data-trial": row.trial},
            ...columns.map(({text, value, digits}, i) => {
              const found = value(row),
                words =
                  typeof found === "number" && digits !== undefined && Math.abs(found) < 1e6
                    ? found.toFixed(digits).replace("-", "\u2212")
                    : short(found);
              if (i) return element("td", {class: text ? "lv-text" : null}, words);
              return element(
                "th",
                {scope: "row"},
                element(
                  "button",
                  {
                    type: "button",
                    "aria-label": `Choose trial ${row.trial}`,
                    "aria-pressed": "false",
                    onclick: () => this.choose(row.trial),
                  },
                  words,
                ),
              );
            }),
          ),
        ),
      ),
    );
  }

  /** @param {number} at */
  sortBy(at) {
    this.order = {at, up: at === this.order.at ? !this.order.up : true};
    this.fillTable();
    this.mark();
    /** @type {HTMLElement} */ (this.table.querySelectorAll("thead button")[at]).focus(); // the pressed button is drawn again
  }

  /** @param {number} trial */
  choose(trial) {
    this.chosen = trial === this.chosen ? -1 : trial;
    this.mark();
    const row = this.sweep?.rows.find((each) => each.trial === this.chosen);
    setText(this.live, row ? this.spoken(row) : "No trial is chosen.");
  }

  // Mark the trials that pass the filters, and the chosen one.
  mark() {
    const {sweep} = this;
    if (!sweep) return;
    const kept = new Set(sweep.rows.filter((row) => this.keeps(row)).map(({trial}) => trial));
    this.lines.mark(kept, this.chosen);
    for (const tr of /** @type {NodeListOf<HTMLElement>} */ (this.table.querySelectorAll("tbody tr"))) {
      const trial = Number(tr.dataset.trial),
        chosen = trial === this.chosen;
      tr.hidden = !kept.has(trial);
      setAttribute(tr, "data-chosen", String(chosen));
      setAttribute(/** @type {Element} */ (tr.querySelector("button")), "aria-pressed", String(chosen));
    }
    setText(this.count, `${many(kept.size)} of ${many(sweep.rows.length)} trials are shown.`);
    const row = sweep.rows.find(({trial}) => trial === this.chosen);
    this.details.hidden = !row;
    if (!row) return;
    this.details.replaceChildren(
      element("h2", {}, `Trial ${row.trial}`),
      element("p", {}, this.spoken(row).replace(/^[^:]*: /, "")),
      element("p", {class: "lv-caption"}, row.reason),
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small lv-needs",
          onclick: () => this.say({type: "train", trial: row.trial}),
        },
        "Open the Train page with these settings",
      ),
    );
  }

  // The displayed state, for tests and other scripts of the page.
  state() {
    const rows = /** @type {HTMLElement[]} */ (Array.from(this.table.querySelectorAll("tbody tr")));
    return {
      shown: this.name,
      chosen: this.chosen,
      rows: rows.filter(({hidden}) => !hidden).map(({dataset}) => Number(dataset.trial)),
      lines: Array.from(this.lines.paths)
        .filter(([, path]) => path.dataset.kept === "true")
        .map(([trial]) => trial),
    };
  }

  remove() {
    this.vanish?.();
  }
}

/** @param {Rendered<{view: View}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host),
    page = new SweepsPage(el, send);
  page.show(host.get("view"));
  host.on("view", () => page.show(host.get("view")));
  host.removed(() => page.remove());
  return () => page.remove();
}

export default {render};
