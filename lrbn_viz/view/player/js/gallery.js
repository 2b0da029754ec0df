// The image picker: chips for the classes, thumbnails as one list in which the arrow keys move.

import {unpack, unpackBits} from "./decode.js";
import {byKey, element, setAttribute, setText, watchScheme} from "./dom.js";
import {StillView} from "./draw.js";
import {rowWords, someOf} from "./names.js";
import {coloursOf} from "./theme.js";
import {STYLE} from "./style.js";
import GALLERY_STYLE from "./gallery.css";

export class Gallery {
  chosen = -1;
  chips = element("div", {class: "lv-chips", role: "group", "aria-label": "Class"});
  thumbs = element("div", {class: "lv-thumbs", role: "listbox", "aria-label": "Images", tabindex: -1});
  heading = element("h2", {}, "Image");
  own = element("p", {class: "lv-caption lv-own", role: "status"});
  /** @type {HTMLElement[]} */ nodes = [];
  /** @type {PixelTables} */ tables;
  /** @type {Block<GalleryMeta, GalleryArrays> | undefined} */ block;

  // `style`: the players' style, unless the page has it
  /** @param {HTMLElement} root @param {{choose: (index: number) => void, narrow: (label: number) => void, more: () => void}} acts */
  constructor(root, {choose, narrow, more}, style = STYLE) {
    this.choose = choose;
    this.narrow = narrow;
    this.more = element("button", {type: "button", class: "lv-btn lv-more", onclick: more});
    this.root = element(
      "div",
      {class: "lv lv-gallery"},
      element("style", {}, style + GALLERY_STYLE),
      this.heading,
      this.own,
      this.chips,
      this.thumbs,
      this.more,
    );
    root.append(this.root);
    this.thumbs.addEventListener("keydown", (event) => this.key(event));
    this.unwatch = watchScheme(this.root, (dark) => {
      ({tables: this.tables} = coloursOf(dark));
      if (this.block) this.paint(this.block);
    });
  }

  /** @param {ArrayBuffer} data @param {number} shownClass @param {number} chosen */
  load(data, shownClass, chosen) {
    /** @type {Block<GalleryMeta, GalleryArrays>} */
    const block = unpack(data),
      {meta} = block;
    this.block = block;
    /** @param {number} label @param {string} text */
    const chip = (label, text) =>
      element(
        "button",
        {
          type: "button",
          class: "lv-chip",
          "aria-pressed": String(label === shownClass),
          onclick: () => this.narrow(label),
        },
        text,
      );
    const focused = this.chips.querySelector(":focus") !== null;
    this.chips.replaceChildren(chip(-1, "all"), ...meta.class_names.map((name, label) => chip(label, name)));
    if (focused)
      /** @type {HTMLElement | null} */ (this.chips.querySelector('[aria-pressed="true"]'))?.focus();
    this.chosen = chosen;
    setText(this.heading, rowWords(Boolean(meta.variables)).rows);
    this.thumbs.setAttribute("aria-label", meta.variables ? "Rows" : "Images");
    this.thumbs.toggleAttribute("data-table", Boolean(meta.variables));
    this.paint(block);
    const hidden = meta.total - block.arrays.index.length;
    this.more.hidden = hidden <= 0;
    this.more.textContent = `${hidden} more`;
  }

  /** @param {Block<GalleryMeta, GalleryArrays>} given */
  paint({meta, arrays}) {
    const [rows, columns] = meta.image_shape,
      n_v = rows * columns,
      stride = meta.binary ? Math.ceil(n_v / 8) : n_v;
    this.nodes = Array.from(arrays.index, (index, n) => {
      const row = arrays.pixels.subarray(n * stride, (n + 1) * stride);
      const ink = meta.binary ? unpackBits(row, n_v).map((on) => 255 * on) : row,
        size = Math.ceil(n_v / 8),
        unknown = arrays.unknown && unpackBits(arrays.unknown.subarray(n * size, (n + 1) * size), n_v);
      const {variables} = meta,
        on =
          variables &&
          someOf(
            variables.filter((_, i) => ink[i] > 127),
            3,
          ),
        name = `${meta.class_names[arrays.label[n]]}, ${rowWords(Boolean(variables)).row} ${index}${on ? `: ${on}` : ""}`;
      const image = on
        ? element("span", {class: "lv-thumb-words"}, on)
        : this.picture(rows, columns, ink, unknown);
      return element(
        "div",
        {
          class: "lv-thumb",
          role: "option",
          "data-index": index,
          "aria-label": name,
          title: name,
          "aria-selected": "false",
          tabindex: -1,
          onclick: () => this.choose(index),
        },
        image,
      );
    });
    this.thumbs.replaceChildren(...this.nodes);
    this.mark(this.chosen);
  }

  /** @param {number} rows @param {number} columns @param {ArrayLike<number>} ink @param {Uint8Array} [unknown] */
  picture(rows, columns, ink, unknown) {
    const image = element("img", {alt: ""}),
      hatch = unknown?.some(Boolean)
        ? {unknown: (/** @type {number} */ i) => unknown[i] === 1, filled: false, colours: this.tables.hatch}
        : null;
    new StillView(image, rows, columns).paint((i) => this.tables.ink[ink[i]], hatch);
    return image;
  }

  /** @param {number} chosen */
  mark(chosen) {
    this.chosen = chosen;
    const on = this.nodes.find((node) => Number(node.dataset.index) === chosen),
      stop = on ?? this.nodes[0];
    for (const node of this.nodes) {
      setAttribute(node, "aria-selected", String(node === on));
      setAttribute(node, "tabindex", node === stop ? "0" : "-1"); // one Tab stop; arrow keys move within the list
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const {nodes} = this,
      at = nodes.indexOf(/** @type {HTMLElement} */ (event.composedPath()[0]));
    if (at < 0) return;
    const columns = getComputedStyle(this.thumbs).gridTemplateColumns.split(" ").length;
    const to = byKey(event, {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: nodes.length - 1,
    });
    if (event.key === "Enter" || event.key === " ") this.choose(Number(nodes[at].dataset.index));
    else if (to === undefined) return;
    else nodes[Math.max(0, Math.min(nodes.length - 1, to))].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  remove() {
    this.unwatch();
    this.root.remove();
  }
}
