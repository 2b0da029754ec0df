// The Compare page: the comparison of systems that a live page shows, too, with figures and the paper's tables.

import {ComparePage} from "../../../view/compare/js/compare.js";
import {tableNode} from "../../../view/compare/js/table.js";
import {captionedCard, element, setAttribute, setText, widthAround} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {FigureCard} from "./figure.js";

/** @typedef {import("../../../view/compare/js/compare.js").Menu & {paper: {words: string, address: string}}} ServedMenu */

/** @type {import("../../../view/compare/js/compare.js").Words} */
const WORDS = {
  shipped: "Models that come with the package",
  none: "No model of this session takes these images. Train one on the Train page, or open one from a file there: it is then listed here.",
  marks:
    "Each has a number, which stands beside its mark in the figures: round where latents are inferred as states, square where exactly, a triangle where as means.",
  timed:
    "Milliseconds are the time of inference for one image, measured just now on the server's machine with all these images at once.",
  exact: "an LRBN and other directed networks exactly, an RBM, a DBN and a DBM by a Gibbs chain.",
};

class ServedComparison extends ComparePage {
  /** @type {import("./figure.js").FigureData[]} */ data = [];
  /** @type {FigureCard[]} */ drawings = [];
  figures = element("div", {class: "lv-figures"});
  papers = element("div", {class: "lv-papers"});
  paper = element("a", {target: "_blank"});

  /** @param {HTMLElement} root @param {(message: Message, what?: string) => boolean} say @param {() => boolean} whole */
  constructor(root, say, whole) {
    super(root, say, WORDS, whole);
    this.drawnCard.before(
      captionedCard(
        "Figures",
        [
          "All figures are of test images. Those of shipped models were measured once; those of models of this session are measured now, on fewer images and within seconds, by the estimator that the table names. Press a mark, or a name, to highlight a system and to see its images.",
        ],
        this.chooser,
        this.chosen,
        this.figures,
      ),
    );
    this.content.append(
      captionedCard(
        "The paper's tables",
        [
          "Figures that the paper reports, and those measured here, in columns of their own. The paper: ",
          this.paper,
          ".",
        ],
        this.papers,
      ),
    );
  }

  /** @param {ServedMenu} menu */
  setMenu(menu) {
    setText(this.paper, menu.paper.words);
    setAttribute(this.paper, "href", menu.paper.address);
    super.setMenu(menu);
  }

  /** @param {string} text */
  setFigures(text) {
    this.data = text ? JSON.parse(text) : [];
    const {drawings} = this;
    while (drawings.length > this.data.length) drawings.pop()?.remove();
    while (drawings.length < this.data.length) drawings.push(new FigureCard((name) => this.highlight(name)));
    this.cards = drawings;
    this.figures.replaceChildren(...drawings.map(({node}) => node));
    drawings.forEach((card, i) => {
      card.chosen = this.menu.chosen;
      card.show(this.data[i], this.menu.dataset, this.dark === true);
    });
  }

  /** @param {import("../../../view/compare/js/table.js").PaperTable[]} tables */
  setTables(tables) {
    this.papers.replaceChildren(...tables.map(tableNode));
  }

  state() {
    return {
      ...super.state(),
      figures: this.drawings.map((card) => ({
        name: card.data?.name,
        drawn: Boolean(card.view),
        selected: card.sources.map((source) => Array.from(source.selected.indices)),
      })),
    };
  }

  remove() {
    for (const card of this.drawings) card.remove();
    this.cards = this.drawings = [];
    super.remove();
  }
}

/** @param {Rendered<{menu: ServedMenu, pictures: ArrayBuffer, figures: string, tables: import("../../../view/compare/js/table.js").PaperTable[], progress: string}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    {live, send} = outbox(host),
    page = new ServedComparison(el, send, live);
  const load = together(
    {
      menu: (menu) => page.setMenu(menu),
      pictures: (block) => {
        if (block.byteLength) page.setPictures(block);
      },
      figures: (text) => page.setFigures(text),
      tables: (tables) => page.setTables(tables),
      progress: (text) => page.setProgress(text),
    },
    host,
  );
  if (widthAround(el) < 600) send({type: "narrow"}); // on a phone the open menus would cover the page
  host.removed(() => page.remove());
  load();
  return () => page.remove();
}

export default {render};
