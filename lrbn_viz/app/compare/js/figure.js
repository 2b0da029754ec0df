// A figure that HoloViews made, embedded by BokehJS: in the page's colours, with one system highlighted, and as a file.

import {download, element} from "../../../view/player/js/dom.js";
import {PALETTES} from "../../../view/player/js/theme.js";
import {tableNode} from "../../../view/compare/js/table.js";

const LETTER = 16,
  HEIGHT = 360; // pixels: of a letter for which figures are made, and of a figure

// Colours of the dark theme, by those of the light one, which figures are made in.
/** @type {Map<string, string>} */
const DARK = new Map();
for (const [name, light] of Object.entries(PALETTES.light)) {
  const dark = PALETTES.dark[/** @type {keyof Palette} */ (name)];
  const others = [dark].flat();
  [light].flat().forEach((from, i) => {
    if (from.startsWith("#") && !DARK.has(from)) DARK.set(from, others[i]);
  });
}

/** @typedef {{name: string, title: string, caption: string, missing: string, csv: string, systems: string[], table: import("../../../view/compare/js/table.js").PaperTable | null, item: object | null}} FigureData */

export class FigureCard {
  plot = element("div", {class: "lv-plot"});
  title = element("h3");
  caption = element("p", {class: "lv-caption"});
  missing = element("p", {class: "lv-caption"});
  table = element("div", {class: "lv-figure-table"}); // the same figures in numbers, where it has such a table
  turn = 0; // number of the embedding; a result is dropped if a newer one has begun
  embedding = Promise.resolve(); // the last embedding
  /** @type {BokehPlotView | undefined} */ view;
  /** @type {BokehSource[]} */ sources = [];
  chosen = "";

  // `choose` is called with the name of a system whose mark was clicked.
  /** @param {(name: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    const button = (/** @type {"png" | "svg" | "csv"} */ kind) =>
      element(
        "button",
        {type: "button", class: "lv-btn lv-small", "data-kind": kind, onclick: () => this.save(kind)},
        kind.toUpperCase(),
      );
    this.buttons = ["png", "svg", "csv"].map((kind) => button(/** @type {"png" | "svg" | "csv"} */ (kind)));
    this.node = element(
      "figure",
      {class: "lv-figure"},
      element(
        "div",
        {class: "lv-figure-head"},
        this.title,
        element("div", {class: "lv-row"}, ...this.buttons),
      ),
      this.plot,
      element("figcaption", {}, this.caption, this.missing),
      this.table,
    );
  }

  /** @param {FigureData} data @param {string} dataset @param {boolean} dark */
  async show(data, dataset, dark) {
    this.data = data;
    this.file = `${data.name}-${dataset}`;
    this.title.textContent = data.title;
    this.caption.textContent = data.caption;
    this.missing.textContent = data.missing;
    this.table.replaceChildren(...(data.table ? [tableNode(data.table)] : []));
    for (const button of this.buttons) {
      const kind = button.dataset.kind;
      button.setAttribute(
        "aria-label",
        `${data.title}: save ${kind === "csv" ? "its data as CSV" : `as ${kind?.toUpperCase()}`}`,
      );
      button.disabled = kind !== "csv" && !data.item;
    }
    await this.embed(dark);
  }

  /** @param {boolean} dark */
  embed(dark) {
    this.embedding = this.draw(dark);
    return this.embedding;
  }

  /** @param {boolean} dark */
  async draw(dark) {
    const mine = ++this.turn,
      {data} = this;
    if (!data) return;
    this.clear();
    this.plot.setAttribute("role", "group");
    this.plot.setAttribute(
      "aria-label",
      `${data.title}, drawn; its data can be saved as CSV${data.table ? ", and are in the table beside it" : ""}`,
    );
    if (!data.item) {
      this.plot.replaceChildren(
        element("p", {class: "lv-caption"}, "No system that is compared has these figures."),
      );
      return;
    }
    const scale = Math.max(1, parseFloat(getComputedStyle(this.plot).fontSize) / LETTER); // letters are larger on a projector
    const text = JSON.stringify(data.item).replace(
      /"(\d+)px"/g,
      (_, size) => `"${Math.round(size * scale)}px"`,
    );
    const item = JSON.parse(
      dark ? text.replace(/#[0-9a-f]{6}/g, (colour) => DARK.get(colour) ?? colour) : text,
    );
    const {surface} = PALETTES[dark ? "dark" : "light"],
      {attributes} = item.doc.roots[0];
    Object.assign(attributes, {background_fill_color: surface, border_fill_color: surface}); // without a white ground
    attributes.height = Math.round((attributes.height ?? HEIGHT) * scale);
    const holder = element("div", {class: "lv-plot-in"});
    this.plot.replaceChildren(holder);
    const views = await window.Bokeh.embed.embed_item(item, holder).catch((error) => {
      if (holder.isConnected) throw error; // otherwise the page was left before the figure was drawn
    });
    if (!views) return;
    const [view] = [...views];
    if (mine !== this.turn) return view.model.document?.clear();
    this.view = view;
    const events = view.canvas_view?.events_el;
    if (events) events.tabIndex = -1; // keyboard users choose by the systems' buttons
    const drawn = view.model.renderers.map((renderer) => renderer.data_source); // a line across has none
    this.sources = drawn
      .filter((source) => source !== undefined)
      .filter((source) => source.get_column("system"));
    for (const source of this.sources)
      source.selected.on_change(source.selected.properties.indices, () => this.tapped(source));
    this.highlight(this.chosen);
  }

  /** @param {BokehSource} source */
  tapped(source) {
    if (this.setting) return;
    const [at] = source.selected.indices,
      name = at === undefined ? "" : String(source.get_column("system")?.[at]);
    if (name !== this.chosen) this.choose(name || this.chosen); // no mark hit: remove the highlight
  }

  /** @param {string} name */
  highlight(name) {
    this.chosen = name;
    this.setting = true; // set by the page, not by a click
    for (const source of this.sources) {
      source.selected.indices = Array.from(source.get_column("system") ?? []).flatMap((of, i) =>
        of === name ? [i] : [],
      );
    }
    this.setting = false;
  }

  /** @param {"png" | "svg" | "csv"} kind */
  async save(kind) {
    if (!this.data) return;
    if (kind === "csv") {
      download(new Blob([this.data.csv], {type: "text/csv"}), `${this.file}.csv`);
      return;
    }
    for (let turn = -1; turn !== this.turn;) {
      // a figure that is being drawn is saved when it is finished
      ({turn} = this);
      await this.embedding;
    }
    if (this.view) download(await this.view.export(kind, true).to_blob(), `${this.file}.${kind}`);
  }

  clear() {
    const document = this.view?.model.document;
    this.view = undefined;
    this.sources = [];
    document?.clear();
    const all = window.Bokeh.documents,
      at = document ? all.indexOf(document) : -1;
    if (at >= 0) all.splice(at, 1);
  }

  remove() {
    this.turn += 1;
    this.clear();
  }
}
