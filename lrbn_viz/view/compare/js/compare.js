// The comparison of systems: a menu of them, their reconstructions of the same images, and samples. The server feeds it
// (app/compare), which adds figures and the paper's tables, or a live page, which adds log P(x).

import {unpack, unpackBits} from "../../player/js/decode.js";
import {StillView} from "../../player/js/draw.js";
import {captionedCard, download, element, setAttribute, setText} from "../../player/js/dom.js";
import {capital, number} from "../../player/js/format.js";
import {legend} from "../../player/js/legend.js";
import {Page} from "../../player/js/page.js";
import {coloursOf} from "../../player/js/theme.js";
import {sheet} from "./sheet.js";
import {inRows, rowWords} from "../../player/js/names.js";
import {VariableTable} from "../../player/js/variable_table.js";
import VARIABLES_STYLE from "../../player/js/variables.css";
import COMPARE_STYLE from "./compare.css";

/** @typedef {{name: string, title: string, inference: string, number: number, words: string, own: boolean}} SystemEntry */
/** @typedef {{dataset: string, images: string, most: number, systems: SystemEntry[], leftOut: string, chosen: string}} Menu */
/** @typedef {{name: string, done: boolean, error: string, wrong: number[], on: number[], milliseconds: number, how: string}} SeenSystem */
/** @typedef {import("../../player/js/variable_table.js").Columns} Columns */
/** @typedef {{image_shape: [number, number], variables: string[] | null, rows: number[], classes: string[], one_means: string, seen: SeenSystem[]}} PicturesMeta */

/**
 * What a page says otherwise than another one.
 * @typedef {{shipped: string, none: string, marks: string, timed: string, exact: string}} Words
 */

/** @param {number[]} values */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

// The colour of value i: of what is wrong, where the truth is known; nothing is shown of what is not made yet.
/** @param {Uint8Array | null} x @param {Uint8Array | null} truth @param {number} i @param {Uint32Array} ink @param {Uint32Array} signed */
const colourOf = (x, truth, i, ink, signed) =>
  x && truth && truth[i] !== x[i] ? signed[x[i] ? 510 : 0] : ink[x?.[i] ? 255 : 0];

export class ComparePage extends Page {
  /** @type {Menu} */ menu = {dataset: "", images: "", most: 0, systems: [], leftOut: "", chosen: ""};
  /** @type {{highlight(name: string): void, embed(dark: boolean): void}[]} */ cards = []; // that follow the highlight and the theme
  /** @type {Record<"seen" | "drawn" | "chosen", (() => void)[]>} */ painters = {
    seen: [],
    drawn: [],
    chosen: [],
  };
  systems = element("ul", {class: "lv-systems"});
  own = element("ul", {class: "lv-systems", "aria-label": "Models of this session"});
  leftOut = element("p", {class: "lv-caption"});
  most = element("p", {class: "lv-caption", role: "status"});
  progress = element("p", {class: "lv-progress", role: "status"});
  seen = element("div", {
    class: "lv-scroll",
    role: "region",
    "aria-label": "The same test images through all systems",
    tabindex: "0",
  });
  chooser = element("div", {class: "lv-choose", role: "group", "aria-label": "Highlight a system"});
  seenLegend = element("div");
  values = element("span");
  seenTitle = element("span");
  seenWords = element("span");
  drawnWords = element("span");
  chosen = element("div", {class: "lv-now-chosen", hidden: true});
  drawn = element("div");

  /** @param {HTMLElement} root @param {(message: Message, what?: string) => boolean} say @param {Words} words @param {() => boolean} [whole]  whether the page is complete */
  constructor(root, say, words, whole = () => true) {
    super(VARIABLES_STYLE + COMPARE_STYLE, "lv lv-compare");
    this.words = words;
    this.whole = whole;
    setAttribute(this.systems, "aria-label", words.shipped);
    this.other = element("button", {
      type: "button",
      class: "lv-btn lv-small",
      onclick: () => say({type: "other"}, this.other.textContent ?? ""),
    });
    this.legend(false);
    this.say = say;
    const save = (/** @type {string} */ what, /** @type {() => void} */ act) =>
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small",
          "data-kind": "images",
          "aria-label": `${what}: save as PNG`,
          onclick: act,
        },
        "Save as PNG",
      );
    this.drawnCard = captionedCard(
      "Samples",
      [this.drawnWords],
      this.drawn,
      element(
        "div",
        {class: "lv-row"},
        save("Samples of all systems", () => this.saveImages("samples")),
      ),
    );
    this.content = element(
      "div",
      {class: "lv-in"},
      captionedCard(
        "Systems",
        [`Tick the systems that are compared. ${words.marks} `, this.values],
        this.systems,
        element("h3", {class: "lv-own"}, "Models of this session"),
        this.own,
        this.leftOut,
        this.most,
        this.progress,
      ),
      captionedCard(
        this.seenTitle,
        [this.seenWords],
        this.seen,
        this.seenLegend,
        element(
          "div",
          {class: "lv-row"},
          this.other,
          save("Reconstructions of all systems", () => this.saveImages("reconstructions")),
        ),
      ),
      this.drawnCard,
    );
    this.root.append(this.content, this.live, this.tipNode);
    this.appear(root, "lrbnComparisons", {
      key: () => {},
      scheme: (dark) => {
        this.dark = dark;
        this.colours = coloursOf(dark);
        this.paintImages();
        for (const each of this.cards) each.embed(dark);
      },
      resized: () => {},
    });
  }

  /** @param {string} name */
  entry(name) {
    return this.menu.systems.find((system) => system.name === name);
  }
  get compared() {
    return this.menu.systems.filter(({number: n}) => n).sort((a, b) => a.number - b.number);
  }
  /** @param {string} name */
  highlight(name) {
    this.say({type: "highlight", system: name}, "highlighting a system");
  }

  /** @param {SystemEntry} entry */
  badge({number: n, inference}) {
    return element("span", {class: "lv-no", "data-inference": inference, "aria-hidden": "true"}, String(n));
  }

  // A button that highlights a system, for the keyboard.
  /** @param {SystemEntry} entry */
  nameButton(entry) {
    return element(
      "button",
      {
        type: "button",
        class: "lv-name",
        "data-system": entry.name,
        "aria-pressed": String(entry.name === this.menu.chosen),
        onclick: () => this.highlight(entry.name),
      },
      this.badge(entry),
      element("span", {}, entry.title),
    );
  }

  /** @param {Menu} menu */
  setMenu(menu) {
    const before = this.menu;
    this.menu = menu;
    if (
      JSON.stringify([before.systems, before.leftOut]) !== JSON.stringify([menu.systems, menu.leftOut]) ||
      !this.own.firstChild
    ) {
      this.fillSystems();
      const at = /** @type {ShadowRoot} */ (this.root.getRootNode()).activeElement?.getAttribute(
        "data-system",
      );
      this.chooser.replaceChildren(...this.compared.map((entry) => this.nameButton(entry)));
      if (at)
        /** @type {HTMLElement | null} */ (
          this.chooser.querySelector(`[data-system="${CSS.escape(at)}"]`)
        )?.focus();
    }
    this.showChosen();
    if (before.chosen !== menu.chosen)
      this.live.textContent = menu.chosen
        ? `${this.entry(menu.chosen)?.title} is highlighted.`
        : "No system is highlighted.";
  }

  fillSystems() {
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode()),
      focused = root.activeElement?.getAttribute("data-tick");
    const count = this.compared.length;
    const item = (/** @type {SystemEntry} */ entry) => {
      const tick = element("input", {
        type: "checkbox",
        "data-tick": entry.name,
        onchange: () => {
          const sent = this.say(
            {type: "compare", system: entry.name, on: tick.checked},
            tick.checked ? "comparing one more system" : "comparing one system fewer",
          );
          if (!sent) tick.checked = !tick.checked;
        },
      });
      tick.checked = entry.number > 0;
      tick.disabled = (count === 1 && tick.checked) || (count >= this.menu.most && !tick.checked);
      return element(
        "li",
        {},
        element(
          "label",
          {},
          tick,
          entry.number ? this.badge(entry) : null,
          element("span", {}, entry.title, element("small", {}, entry.words)),
        ),
      );
    };
    const own = this.menu.systems.filter((entry) => entry.own);
    this.systems.replaceChildren(...this.menu.systems.filter((entry) => !entry.own).map(item));
    this.own.replaceChildren(
      ...(own.length
        ? own.map(item)
        : [element("li", {class: "lv-none"}, element("small", {}, this.words.none))]),
    );
    setText(this.leftOut, this.menu.leftOut);
    setText(
      this.most,
      count >= this.menu.most
        ? `${count} systems are compared, as many as fit. Untick one to compare another.`
        : "",
    );
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.root.querySelector(`[data-tick="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  showChosen() {
    const {chosen} = this.menu;
    for (const node of this.root.querySelectorAll(".lv-name"))
      node.setAttribute("aria-pressed", String(node.getAttribute("data-system") === chosen));
    for (const node of this.root.querySelectorAll("[data-of]"))
      node.setAttribute("data-chosen", String(node.getAttribute("data-of") === chosen));
    for (const card of this.cards) card.highlight(chosen);
    this.fillChosen();
  }

  /** @param {string} text */
  setProgress(text) {
    setText(this.progress, text);
    this.root.setAttribute("aria-busy", String(text !== ""));
  }

  /** @param {Bytes} block */
  setPictures(block) {
    /** @type {Block<PicturesMeta, Record<string, Uint8Array>>} */
    const {meta, arrays} = unpack(block);
    this.pictures = meta;
    this.arrays = arrays;
    this.fillSeen();
    this.fillDrawn();
    this.fillChosen();
  }

  // Image `at` of an array in the block, as pixels.
  /** @param {string} name @param {number} at */
  image(name, at) {
    const {pictures, arrays} = this;
    if (!pictures || !arrays?.[name]) return null;
    const [rows, columns] = pictures.image_shape,
      bytes = Math.ceil((rows * columns) / 8);
    return unpackBits(arrays[name].subarray(at * bytes, (at + 1) * bytes), rows * columns);
  }

  // Groups of columns of a table, painted like the pictures: a column for each row of the data.
  /** @param {"seen" | "drawn" | "chosen"} part @param {string} label @param {string[]} variables @param {{columns: Omit<Columns, "n">, made: (Uint8Array | null)[], truth: (Uint8Array | null)[] | null, observed?: boolean}[]} groups  observed: of the test rows, where unknown values are hatched */
  table(part, label, variables, groups) {
    const table = new VariableTable(label);
    table.load(
      variables,
      groups.map(({columns, made}) => ({...columns, n: made.length})),
    );
    const paint = () => {
      if (!this.colours) return;
      const {ink, signed, hatch} = this.colours.tables,
        unknown = (this.pictures?.rows ?? []).map((_, m) => this.image("unknown", m));
      groups.forEach(({made, truth, observed}, group) =>
        table.paint(
          group,
          (m, i) => colourOf(made[m], unknown[m]?.[i] ? null : (truth?.[m] ?? null), i, ink, signed),
          observed && unknown[0]
            ? {unknown: (m, i) => unknown[m]?.[i] === 1, filled: truth !== null, colours: hatch}
            : null,
        ),
      );
    };
    paint();
    this.painters[part].push(paint);
    return table.node;
  }

  // Of a table: what was observed, and beside it what each system reconstructs; the names of the variables stand once.
  /** @param {PicturesMeta} pictures @param {string[]} variables */
  seenTable({rows, classes, seen}, variables) {
    const truth = rows.map((_, i) => this.image("x", i));
    const given = `${rows.map((row, i) => `${classes[i]}, no. ${row}`).join("; ")}`;
    return this.table("seen", "Test rows and reconstructions, by variable; scrolls", variables, [
      {
        columns: {title: "Test rows", label: `test rows: ${given}`, foot: element("small", {}, given)},
        made: truth,
        truth: null,
        observed: true,
      },
      ...seen.map((each, place) => {
        const entry = this.entry(each.name),
          title = entry?.title ?? each.name,
          wrong = each.done ? `${each.wrong.join(", ")} wrong` : "";
        return {
          columns: {
            title,
            label: `reconstructions of ${title}: ${wrong || each.error || "waiting"}`,
            foot: element(
              "div",
              {"data-of": each.name, "data-chosen": String(each.name === this.menu.chosen)},
              entry ? this.nameButton(entry) : each.name,
              ...[wrong, ...this.aboutSeen(each, "observations")].map((words) => element("small", {}, words)),
            ),
          },
          made: rows.map((_, i) => (each.done ? this.image(`${place}.made`, i) : null)),
          truth,
          observed: true,
        };
      }),
    ]);
  }

  // What is said of a system's reconstructions.
  /** @param {SeenSystem} seen @param {string} cells */
  aboutSeen(seen, cells) {
    return seen.done
      ? [
          `${number(mean(seen.wrong))} wrong ${cells}`,
          `${number(mean(seen.on))} latents on`,
          `${capital(seen.how)}: ${number(seen.milliseconds, seen.milliseconds < 0.1 ? 3 : seen.milliseconds < 10 ? 2 : 1)} ms ${cells === "pixels" ? "an image" : "a row"}`,
        ]
      : [seen.error || "is waiting for its turn"];
  }

  // A picture of an image, or of a reconstruction with its wrong pixels marked.
  /** @param {"seen" | "drawn" | "chosen"} part @param {Uint8Array} pixels @param {Uint8Array | null} truth @param {string} alt */
  picture(part, pixels, truth, alt) {
    const [rows, columns] = /** @type {PicturesMeta} */ (this.pictures).image_shape;
    const image = element("img", {class: "lv-pixels", alt}),
      view = new StillView(image, rows, columns);
    const paint = () => {
      if (!this.colours) return;
      const {ink, signed} = this.colours.tables;
      view.paint((i) => colourOf(pixels, truth, i, ink, signed));
    };
    paint();
    this.painters[part].push(paint);
    return image;
  }

  // Paint again in the current theme.
  paintImages() {
    for (const paint of Object.values(this.painters).flat()) paint();
  }

  /** @param {boolean} table */
  legend(table) {
    const {row, cell} = rowWords(table);
    setText(
      this.values,
      table ? "Each observation is 0 or 1." : "All images are thresholded: each pixel is 0 or 1.",
    );
    setText(this.other, inRows("Other images", table));
    setText(this.seenTitle, inRows("The same test images", table));
    setText(
      this.seenWords,
      table
        ? "Each system infers its latents from a test row and decodes them again: a column for each row of the data, first as observed. The nearer the columns of a system are to these, the better. Press a name to highlight that system everywhere."
        : "Each system infers its latents from a test image and decodes them again. The nearer a row is to the images above it, the better. Press a name to highlight that system everywhere.",
    );
    setText(
      this.drawnWords,
      `${table ? "Rows" : "Images"} that each system draws by itself, by the seed of this page: ${this.words.exact} The more they look like the test ${row}s, the better.`,
    );
    this.seenLegend.replaceChildren(
      legend([
        ["square", "ink", `${table ? "an" : "a"} ${cell} that is 1`],
        ["square", "plus", "wrong: 1 in the reconstruction alone"],
        ["square", "minus", `wrong: 1 in the ${row} alone`],
      ]),
    );
  }

  fillSeen() {
    const {pictures} = this;
    if (!pictures) return;
    this.painters.seen = [];
    this.legend(pictures.variables !== null);
    if (pictures.variables) return this.seen.replaceChildren(this.seenTable(pictures, pictures.variables));
    const numbers = pictures.rows.map((_, i) => i);
    const head = element(
      "tr",
      {},
      element("th", {scope: "col"}, "Test image"),
      ...numbers.map((i) =>
        element(
          "th",
          {scope: "col"},
          this.picture(
            "seen",
            /** @type {Uint8Array} */ (this.image("x", i)),
            null,
            `test image ${pictures.rows[i]}`,
          ),
          element("small", {}, `${pictures.classes[i]}, no. ${pictures.rows[i]}`),
        ),
      ),
    );
    const rows = pictures.seen.map((seen, place) => {
      const entry = this.entry(seen.name);
      const about = this.aboutSeen(seen, "pixels");
      const cells = numbers.map((i) => {
        const made = seen.done ? this.image(`${place}.made`, i) : null;
        if (!made) return element("td", {}, element("small", {}, seen.error ? "" : "…"));
        const wrong = seen.wrong[i];
        return element(
          "td",
          {},
          this.picture(
            "seen",
            made,
            this.image("x", i),
            `reconstruction of test image ${pictures.rows[i]}, ${wrong} pixels wrong`,
          ),
          element("small", {}, `${wrong} wrong`),
        );
      });
      return element(
        "tr",
        {"data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen)},
        element(
          "th",
          {scope: "row"},
          entry ? this.nameButton(entry) : seen.name,
          ...about.map((words) => element("small", {}, words)),
        ),
        ...cells,
      );
    });
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode()),
      focused = this.seen.contains(root.activeElement)
        ? root.activeElement?.getAttribute("data-system")
        : null;
    this.seen.replaceChildren(
      element(
        "table",
        {class: "lv-seen", style: `--lv-n: ${numbers.length}`},
        element("thead", {}, head),
        element("tbody", {}, ...rows),
      ),
    );
    this.seen.append(element("p", {class: "lv-caption"}, this.words.timed));
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.seen.querySelector(`[data-system="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  fillDrawn() {
    const {pictures} = this;
    if (!pictures) return;
    this.painters.drawn = [];
    if (pictures.variables)
      return this.drawn.replaceChildren(
        this.table(
          "drawn",
          "Samples of all systems, by variable; scrolls",
          pictures.variables,
          pictures.seen.map((seen, place) => {
            const entry = this.entry(seen.name),
              title = entry?.title ?? seen.name;
            return {
              columns: {
                title,
                label: `samples of ${title}`,
                foot: element(
                  "div",
                  {"data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen)},
                  entry ? this.nameButton(entry) : title,
                ),
              },
              made: pictures.rows.map((_, i) => (seen.done ? this.image(`${place}.samples`, i) : null)),
              truth: null,
            };
          }),
        ),
      );
    this.drawn.replaceChildren(
      ...pictures.seen.map((seen, place) => {
        const entry = this.entry(seen.name),
          strip = element("div", {class: "lv-strip-now", style: `--lv-n: ${pictures.rows.length}`});
        if (seen.done) {
          strip.append(
            ...pictures.rows.map((_, i) =>
              this.picture(
                "drawn",
                /** @type {Uint8Array} */ (this.image(`${place}.samples`, i)),
                null,
                `sample ${i + 1} of ${entry?.title}`,
              ),
            ),
          );
        } else strip.textContent = "…";
        return element(
          "div",
          {class: "lv-drawn", "data-of": seen.name, "data-chosen": String(seen.name === this.menu.chosen)},
          entry ? this.nameButton(entry) : element("span", {}, seen.name),
          strip,
        );
      }),
    );
  }

  // All systems' images in one picture: reconstructions of the test images, or samples.
  /** @param {"reconstructions" | "samples"} kind */
  async saveImages(kind) {
    const {pictures, colours} = this;
    if (!pictures || !colours) return;
    const {ink, signed} = colours.tables,
      made = kind === "reconstructions";
    const plain = (/** @type {Uint8Array | null} */ x) => (/** @type {number} */ i) => ink[x?.[i] ? 255 : 0];
    const marked =
      (/** @type {Uint8Array} */ x, /** @type {Uint8Array | null} */ truth) => (/** @type {number} */ i) =>
        colourOf(x, truth, i, ink, signed);
    const rows = [
      {
        name: pictures.variables ? "Test rows" : "Test images",
        words: [this.menu.images],
        images: pictures.rows.map((_, i) => plain(this.image("x", i))),
        below: pictures.rows.map((row, i) => `${pictures.classes[i]}, no. ${row}`),
      },
    ];
    pictures.seen.forEach((seen, place) => {
      const entry = this.entry(seen.name),
        of = pictures.rows.map((_, i) => this.image(`${place}.${made ? "made" : "samples"}`, i));
      rows.push({
        name: `${entry?.number ?? ""} ${entry?.title ?? seen.name}`,
        images: of.flatMap((x, i) => (x ? [made ? marked(x, this.image("x", i)) : plain(x)] : [])),
        words: !seen.done
          ? [seen.error || "not done yet"]
          : made
            ? [
                `${number(mean(seen.wrong))} wrong ${pictures.variables ? "observations" : "pixels"}`,
                capital(seen.how),
              ]
            : [entry?.words ?? ""],
        below: made && seen.done ? seen.wrong.map((wrong) => `${wrong} wrong`) : [],
      });
    });
    const kindOf = pictures.variables ? "row" : "image";
    const title = made ? `Reconstructions of test ${kindOf}s` : `Samples, below test ${kindOf}s`;
    const note = made
      ? `Orange: 1 in the reconstruction alone. Blue: 1 in the ${kindOf} alone.`
      : "Drawn by each system itself.";
    const blob = await new Promise((/** @type {(found: Blob | null) => void} */ done) =>
      sheet(title, note, rows, pictures, colours.palette).toBlob(done, "image/png"),
    );
    if (blob) download(blob, `${kind}-${this.menu.dataset}.png`);
  }

  // The images of the highlighted system, beside the figures.
  fillChosen() {
    const {pictures} = this,
      place = pictures?.seen.findIndex(({name}) => name === this.menu.chosen) ?? -1;
    const entry = this.entry(this.menu.chosen),
      seen = pictures?.seen[place];
    this.painters.chosen = [];
    this.chosen.hidden = !pictures || !entry || !seen;
    if (!pictures || !entry || !seen) return this.chosen.replaceChildren();
    const strip = element("div", {class: "lv-strip-now", style: `--lv-n: ${pictures.rows.length}`});
    strip.toggleAttribute("data-table", pictures.variables !== null);
    if (seen.done && pictures.variables) {
      const truth = pictures.rows.map((_, i) => this.image("x", i)),
        made = pictures.rows.map((_, i) => this.image(`${place}.made`, i));
      strip.append(
        this.table("chosen", "Test rows and reconstructions, by variable; scrolls", pictures.variables, [
          {columns: {title: "Test rows", label: "test rows"}, made: truth, truth: null, observed: true},
          {
            columns: {title: "Reconstructions", label: `reconstructions of ${entry.title}`},
            made,
            truth,
            observed: true,
          },
        ]),
      );
    } else if (seen.done) {
      strip.append(
        ...pictures.rows.map((row, i) =>
          this.picture(
            "chosen",
            /** @type {Uint8Array} */ (this.image(`${place}.made`, i)),
            this.image("x", i),
            `reconstruction of test image ${row}`,
          ),
        ),
      );
    }
    const words = seen.done
      ? `: ${number(mean(seen.wrong))} wrong ${pictures.variables ? "observations on these rows" : "pixels on these images"}, ${entry.words}`
      : " is waiting for its turn";
    this.chosen.replaceChildren(element("p", {}, element("b", {}, entry.title), words), strip);
  }

  // The displayed state, for tests and other scripts of the page.
  state() {
    return {
      dataset: this.menu.dataset,
      chosen: this.menu.chosen,
      systems: this.compared.map(({name}) => name),
      rows: this.pictures?.rows ?? [],
      done: this.pictures?.seen.filter(({done}) => done).map(({name}) => name) ?? [],
      progress: this.progress.textContent,
    };
  }

  remove() {
    this.vanish?.();
  }
}
