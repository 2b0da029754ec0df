// The image picker: chips for the classes, thumbnails as one list in which the arrow keys move.

const GALLERY_STYLE = `
.lv-gallery { padding: .9em .9em .4em; background: none; min-height: 0; font-size: .875rem; }
.lv-gallery h2 { font-size: 1em; margin: 0 0 .6em; }
.lv-chips { display: flex; flex-wrap: wrap; gap: .3em; margin-bottom: .7em; max-height: 9em; overflow-y: auto; }
.lv-chip { font: inherit; font-size: .92em; min-width: 2em; height: 2em; padding: 0 .55em; border-radius: 1em; border: 1px solid var(--lv-line);
  background: none; color: var(--lv-ink); cursor: pointer; } .lv-chip:hover { background: var(--lv-faint); }
.lv-chip[aria-pressed="true"] { background: var(--lv-ink); color: var(--lv-surface); border-color: var(--lv-ink); font-weight: 650; }
.lv-thumbs { display: grid; grid-template-columns: repeat(auto-fill, minmax(2.375rem, 1fr)); gap: 4px; max-height: min(46vh, 34em); overflow-y: auto; padding: 3px; }
.lv-thumb { padding: 0; border: 0; background: none; border-radius: 5px; cursor: pointer; display: block; aspect-ratio: 1; }
.lv .lv-thumb img { height: 100%; object-fit: contain; image-rendering: pixelated; border-radius: 5px; }
.lv-thumb[aria-selected="true"] { outline: 3px solid var(--lv-now); outline-offset: 0; }
.lv-more { width: 100%; margin-top: .5em; font-size: .92em; height: 2.4em; color: var(--lv-muted); }
`;

class Gallery {
  constructor(root, {choose, narrow, more}) {
    Object.assign(this, {choose, narrow});
    this.chips = element("div", {class: "lv-chips", role: "group", "aria-label": "Class"});
    this.thumbs = element("div", {class: "lv-thumbs", role: "listbox", "aria-label": "Images", tabindex: -1});
    this.more = element("button", {type: "button", class: "lv-btn lv-more", onclick: more});
    this.root = element("div", {class: "lv lv-gallery"}, element("style", {}, STYLE + GALLERY_STYLE),
      element("h2", {}, "Image"), this.chips, this.thumbs, this.more);
    root.append(this.root);
    this.thumbs.addEventListener("keydown", (event) => this.key(event));
    this.unwatch = watchScheme(this.root, (dark) => {
      this.root.dataset.scheme = dark ? "dark" : "light";
      this.tables = pixelTables(PALETTES[dark ? "dark" : "light"]);
      if (this.block) this.paint();
    });
  }

  load(data, shownClass, chosen) {
    this.block = unpack(data);
    const {meta} = this.block;
    const chip = (label, text) => element("button", {
      type: "button", class: "lv-chip", "aria-pressed": String(label === shownClass), onclick: () => this.narrow(label),
    }, text);
    const focused = this.chips.querySelector(":focus") !== null;
    this.chips.replaceChildren(chip(-1, "all"), ...meta.class_names.map((name, label) => chip(label, name)));
    if (focused) this.chips.querySelector('[aria-pressed="true"]').focus();
    this.paint();
    this.mark(chosen);
    const hidden = meta.total - this.block.arrays.index.length;
    this.more.hidden = hidden <= 0;
    this.more.textContent = `${hidden} more`;
  }

  paint() {
    const {meta, arrays} = this.block, [rows, columns] = meta.image_shape;
    const stride = Math.ceil(rows * columns / 8);
    const kept = this.thumbs.children;
    const had = Array.from(kept);
    const nodes = Array.from(arrays.index, (index, n) => {
      const image = element("img", {alt: ""});
      const bits = unpackBits(arrays.pixels.subarray(n * stride, (n + 1) * stride), rows * columns);
      new StillView(image, rows, columns).paint((i) => this.tables.ink[bits[i] ? 255 : 0]);
      const name = meta.class_names[arrays.label[n]];
      return element("div", {
        class: "lv-thumb", role: "option", "data-index": index, "aria-label": `${name}, image ${index}`, title: `${name}, image ${index}`,
        "aria-selected": "false", tabindex: -1, onclick: () => this.choose(index),
      }, image);
    });
    this.thumbs.replaceChildren(...nodes);
    if (had.length) this.mark(this.chosen);
  }

  mark(chosen) {
    this.chosen = chosen;
    let stop = null;
    for (const node of this.thumbs.children) {
      const on = Number(node.dataset.index) === chosen;
      setAttribute(node, "aria-selected", String(on));
      if (on) stop = node;
    }
    stop ||= this.thumbs.firstElementChild;
    for (const node of this.thumbs.children) setAttribute(node, "tabindex", node === stop ? "0" : "-1"); // one stop for the Tab key; arrows move within
  }

  key(event) {
    const nodes = Array.from(this.thumbs.children), at = nodes.indexOf(event.composedPath()[0]);
    if (at < 0) return;
    const columns = getComputedStyle(this.thumbs).gridTemplateColumns.split(" ").length;
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: nodes.length - 1}[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(Number(nodes[at].dataset.index));
    else if (to === undefined) return;
    else nodes[Math.max(0, Math.min(nodes.length - 1, to))].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  remove() { this.unwatch(); this.root.remove(); }
}

function render({model, el}) {
  const root = el || document.createElement("div");
  const {send} = outbox(hostOf(model));
  const say = (type, value) => send({type, value});
  const gallery = new Gallery(root, {
    choose: (index) => { gallery.mark(index); say("choose", index); },
    narrow: (label) => say("class", label),
    more: () => say("more", 0),
  });
  nameDialog(root);
  const load = () => gallery.load(model.images, model.shown_class, model.chosen);
  load();
  let pending = false; // the class and its images arrive together; draw once
  const later = () => { if (!pending) { pending = true; queueMicrotask(() => { pending = false; load(); }); } };
  model.on("images", later);
  model.on("chosen", () => gallery.mark(model.chosen));
  model.on("remove", () => gallery.remove());
  return el ? undefined : root;
}

export default {render};
