// The dialog for own data: a file is sent in pieces, each after the one before was received. A preview shows the effect of
// each choice, and data are stored only when they are accepted.

import {unpack} from "../../../view/player/js/decode.js";
import {element, penOf, setText, watchScheme} from "../../../view/player/js/dom.js";
import {fitCanvas, PixelView} from "../../../view/player/js/draw.js";
import {many, mebibytes, signedColour} from "../../../view/player/js/format.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {coloursOf} from "../../../view/player/js/theme.js";
import {STYLE} from "../../../view/player/js/style.js";
import {VariableTable} from "../../../view/player/js/variable_table.js";
import VARIABLES_STYLE from "../../../view/player/js/variables.css";
import {FileSender} from "../../shared/js/sending.js";
import SENDING_STYLE from "../../shared/js/sending.css";
import UPLOAD_STYLE from "./upload.css";
import constants from "../../../io/constants.json" with {type: "json"};

/** @param {string} label @param {HTMLElement} node */
const field = (label, node) => element("label", {}, label, node);
/** @param {HTMLElement} node @param {string} text */
const inline = (node, text) => element("label", {class: "lv-inline"}, node, text);

class UploadBox {
  turn = 0; // number of the newest choices
  told = "";
  /** @type {ArrayBuffer | null} */ shown = null;
  /** @type {PreviewMeta | undefined} */ meta;
  /** @type {PreviewArrays} */ arrays;
  /** @type {PixelView[]} */ views = [];
  /** @type {Colours} */ colours;
  file = element("input", {
    type: "file",
    accept: ".npz,.npy,.csv,.tsv,.txt,.zip,.gz",
    hidden: true,
    "aria-label": "File",
    onchange: () => this.begin(this.file.files?.[0]),
  });
  limit = element("p", {class: "lv-caption"});
  drop = element(
    "div",
    {
      class: "lv-drop",
      ondragover: (event) => {
        event.preventDefault();
        this.drop.dataset.over = "true";
      },
      ondragleave: () => {
        this.drop.dataset.over = "false";
      },
      ondrop: (event) => {
        event.preventDefault();
        this.drop.dataset.over = "false";
        this.begin(event.dataTransfer?.files[0]);
      },
    },
    element("p", {}, "Drop a file here, or"),
    element("button", {type: "button", class: "lv-btn", onclick: () => this.file.click()}, "Choose a file"),
    this.file,
    element(
      "p",
      {class: "lv-caption"},
      ".npz or .npy arrays, a .csv table with one image per line, or a .zip of PNG or JPEG images, one folder per class",
    ),
    this.limit,
  );
  scale = [this.number(1, 128), this.number(1, 128)];
  scaling = element(
    "form",
    {
      class: "lv-own-scale",
      onsubmit: (event) => {
        event.preventDefault();
        this.rescale();
      },
    },
    field("Height, pixels", this.scale[0]),
    field("Width, pixels", this.scale[1]),
    element("button", {type: "submit", class: "lv-btn"}, "Scale to this size"),
  );
  progress = element("progress", {max: 1, value: 0, "aria-label": "Progress of the upload"});
  working = element("p", {class: "lv-caption", role: "status"});
  wait = element("div", {}, this.working, this.progress);
  complaint = element("p", {class: "lv-complaint", role: "alert"});
  done = element("p", {class: "lv-caption lv-own-done", role: "status"});

  name = element("input", {type: "text", maxlength: 60, onchange: () => this.tell()});
  height = this.number(1, 128, () => this.tell());
  width = this.number(1, 128, () => this.tell());
  share = this.number(5, 50, () => this.tell());
  seed = this.number(0, constants.max_seed, () => this.tell());
  labels = element("select", {onchange: () => this.tell()});
  question = element("p", {class: "lv-complaint", role: "alert", hidden: true});
  columns = element("div", {class: "lv-own-columns", role: "group", "aria-label": "Columns that are read"});
  table = element(
    "div",
    {class: "lv-own-table", hidden: true},
    this.question,
    field("Column of the classes", this.labels),
    this.columns,
  );
  /** @type {TableMeta | undefined} */ listed;
  said = ""; // key of the listed columns
  /** @type {{node: HTMLElement, read: HTMLInputElement, cut: HTMLInputElement | HTMLSelectElement | null}[]} */ rows =
    [];
  binary = element("input", {type: "radio", name: "kind", value: "binary", onchange: () => this.change()});
  grey = element("input", {type: "radio", name: "kind", value: "grey", onchange: () => this.change()});
  invert = element("input", {type: "checkbox", onchange: () => this.change()});
  threshold = element("input", {
    type: "range",
    min: 0.01,
    max: 0.99,
    step: 0.01,
    class: "lv-own-range",
    "aria-label": "Threshold",
    oninput: () => this.paint(),
    onchange: () => this.tell(),
  });
  best = element(
    "button",
    {
      type: "button",
      class: "lv-btn lv-small",
      onclick: () => {
        this.threshold.value = String(this.meta?.otsu);
        this.change();
      },
    },
    "Best",
  );
  histogram = element("canvas", {role: "img"});
  thresholdLabel = element("span");
  thresholdValue = element("b");
  thresholds = element(
    "figure",
    {},
    element(
      "div",
      {class: "lv-label"},
      this.thresholdLabel,
      element("span", {class: "lv-row"}, this.thresholdValue, this.best),
    ),
    element("div", {class: "lv-own-histogram"}, this.histogram),
    this.threshold,
  );
  shareField = field("For testing, %", this.share);
  images = element("div", {class: "lv-own-images", role: "img"});
  facts = element("dl", {class: "lv-own-facts"});
  imagesLabel = element("span");
  cells = new VariableTable("Training rows, by variable; scrolls");
  become = element("span");
  inverts = element("span");
  shape = element(
    "div",
    {class: "lv-own-two"},
    field("Height, pixels", this.height),
    field("Width, pixels", this.width),
  );
  preview = element(
    "div",
    {class: "lv-own-body"},
    element(
      "div",
      {},
      this.facts,
      element("div", {class: "lv-label"}, this.imagesLabel),
      this.images,
      this.cells.node,
    ),
    element(
      "div",
      {class: "lv-own-fields"},
      field("Name", this.name),
      element(
        "fieldset",
        {},
        element("legend", {}, this.become),
        inline(this.binary, "binary"),
        inline(this.grey, "standardised"),
      ),
      this.thresholds,
      element("label", {class: "lv-inline"}, this.invert, this.inverts),
      this.shape,
      element("div", {class: "lv-own-two"}, this.shareField, field("Seed of the split", this.seed)),
    ),
  );

  accept = element(
    "button",
    {type: "button", class: "lv-btn lv-primary", onclick: () => this.send({type: "accept"})},
    "Accept",
  );
  title = element("small");
  dialog = element(
    "dialog",
    {
      "aria-labelledby": "own-title",
      oncancel: (event) => {
        event.preventDefault();
        this.close();
      },
      onkeydown: (event) => event.stopPropagation(), // the page ignores keys in the dialog
    },
    element("h2", {id: "own-title"}, "Your own data ", this.title),
    this.drop,
    this.wait,
    this.table,
    this.preview,
    this.complaint,
    this.scaling,
    element(
      "footer",
      {},
      element("button", {type: "button", class: "lv-btn", onclick: () => this.close()}, "Cancel"),
      this.accept,
    ),
  );
  root = element(
    "div",
    {class: "lv lv-own"},
    element("style", {}, STYLE + SENDING_STYLE + VARIABLES_STYLE + UPLOAD_STYLE),
    element(
      "button",
      {type: "button", class: "lv-btn lv-own-open", onclick: () => this.open()},
      "Use your own data\u2026",
    ),
    this.done,
    this.dialog,
  );

  /** @param {HTMLElement} root @param {Upload} model @param {Send} send */
  constructor(root, model, send) {
    this.model = model;
    this.send = send;
    this.sender = new FileSender(send, (file) => {
      this.complaint.textContent = `${file.name} can no longer be read. Choose it again.`;
    });
    root.append(this.root);
    this.unwatch = watchScheme(this.root, (dark) => {
      this.colours = coloursOf(dark);
      this.paint();
    });
    this.resizes = new ResizeObserver(() => this.paint());
    this.resizes.observe(this.histogram);
  }

  /** @param {number} least @param {number} most @param {() => void} [onchange] */
  number(least, most, onchange) {
    return element("input", {type: "number", min: least, max: most, step: 1, onchange});
  }

  change() {
    this.paint();
    this.tell();
  }

  open() {
    this.done.textContent = "";
    this.follow();
    this.dialog.showModal();
  }

  close() {
    this.sender.stop();
    this.file.value = "";
    this.complaint.textContent = "";
    this.send({type: "cancel"});
    this.dialog.close();
  }

  /** @param {File | undefined} file */
  begin(file) {
    this.file.value = ""; // so that the same file can be chosen again
    if (!file) return;
    this.complaint.textContent = "";
    this.sender.begin(file); // the server refuses a file that is too large, and requests no piece
  }

  // Choices are numbered, so that answers to older ones do not undo newer choices.
  /** @param {object} choices */
  choose(choices) {
    this.turn = Math.max(this.turn, this.meta?.turn ?? 0) + 1;
    this.send({type: "choose", turn: this.turn, ...choices});
  }

  // The choices about the columns of a table.
  ofTable() {
    const chosen = this.rows.map(({read, cut}) => ({
      read: read.checked || read.disabled,
      cut: cut?.value ?? "",
    }));
    return {
      labels: this.labels.value || "auto",
      left_out: chosen.flatMap(({read}, n) => (read ? [] : [n])),
      thresholds: chosen.map(({cut}) => cut),
    };
  }

  tell() {
    if (!this.meta || this.preview.hidden) {
      this.tellDefaults({});
      return;
    }
    const whole = (/** @type {HTMLInputElement} */ node) =>
      Math.max(-(2 ** 53), Math.min(2 ** 53, Math.round(Number(node.value)))) || 0;
    this.choose({
      name: this.name.value,
      ...this.ofTable(),
      height: whole(this.height),
      width: whole(this.width),
      binary: this.binary.checked,
      threshold: Number(this.threshold.value),
      invert: this.invert.checked,
      share: Number(this.share.value) / 100,
      seed: whole(this.seed),
    });
  }

  // Send the same file again, with scaled images.
  rescale() {
    const [height, width] = this.scale.map((node) => Math.round(Number(node.value)) || 0);
    this.tellDefaults({height, width});
  }

  // Nothing of the file is shown yet: reset all choices.
  /** @param {{height?: number, width?: number}} size */
  tellDefaults({height = 0, width = 0}) {
    this.choose({
      name: "",
      ...this.ofTable(),
      height,
      width,
      binary: true,
      threshold: 0.5,
      invert: false,
      share: 0.2,
      seed: 0,
    });
  }

  // Show the stage of the server.
  follow() {
    const {model} = this,
      {stage} = model,
      mib = 2 ** 20;
    if (!this.sender.concerns(model.number)) return;
    this.limit.textContent = `at most ${(model.limit / mib).toLocaleString("en", {maximumFractionDigits: 1})} MiB, images of at most 128 \u00d7 128 pixels`;
    this.drop.hidden = stage !== "empty";
    this.wait.hidden = !["receiving", "reading", "accepting"].includes(stage);
    this.title.textContent = model.filename;
    if (stage === "reading" || stage === "preview") this.sender.stop(); // the file is complete
    const {file} = this.sender;
    if (stage === "receiving" && file) {
      this.working.textContent = `Sending ${file.name}: ${mebibytes(model.received)} of ${mebibytes(file.size)} MiB`;
      this.progress.value = model.received / Math.max(1, file.size);
      this.sender.next(model.received);
    } else if (stage === "reading" || stage === "accepting") {
      this.working.textContent =
        stage === "reading" ? `Reading ${model.filename}\u2026` : "Making the data set\u2026";
      this.progress.removeAttribute("value");
    }
    this.complaint.textContent = model.error;
    this.scaling.hidden = !model.asks_shape;
    this.putTable();
    const known = model.preview?.byteLength ? model.preview : null;
    this.preview.hidden = this.accept.hidden = !known;
    this.accept.disabled = stage !== "preview";
    if (known && this.shown !== known) this.show(known);
    if (!model.accepted) this.told = "";
    else if (model.accepted !== this.told) {
      this.told = model.accepted;
      this.done.textContent = `${model.accepted} is in the menu of data sets.`;
      if (this.dialog.open) this.dialog.close();
    }
  }

  /** @param {PreviewMeta} meta */
  putChoices(meta) {
    /** @param {HTMLInputElement} node @param {string | number} value */
    const put = (node, value) => {
      if (node.getRootNode().activeElement !== node) node.value = String(value);
    };
    put(this.name, meta.name);
    put(this.threshold, meta.threshold);
    put(this.share, Math.round(100 * meta.test_share));
    put(this.seed, meta.seed);
    put(this.height, meta.image_shape?.[0] ?? "");
    put(this.width, meta.image_shape?.[1] ?? "");
    this[meta.binary ? "binary" : "grey"].checked = true;
    this.invert.checked = meta.invert;
  }

  // The columns of a table, and the question about them.
  putTable() {
    const {model, question} = this,
      known = "columns" in model.table ? /** @type {TableMeta} */ (model.table) : undefined;
    this.table.hidden = !known || model.stage === "receiving";
    setText(question, model.question);
    question.hidden = !model.question;
    if (known === this.listed) return;
    this.listed = known;
    const {columns, turn} = known ?? {columns: [], turn: this.turn},
      said = JSON.stringify(columns);
    if (said !== this.said || !known) {
      this.said = said;
      this.rows = columns.map((column) => this.row(column));
      this.columns.replaceChildren(...this.rows.map(({node}) => node));
      this.columns.hidden = !columns.some((column) => column[8]);
      const places = columns.length
        ? columns.map(([n, , entry]) => [String(n), entry])
        : [
            ["0", "the first"],
            ["-1", "the last"],
          ];
      this.labels.replaceChildren(
        ...[["auto", "detect automatically"], ["none", "none"], ...places].map(([value, text]) =>
          element("option", {value}, text),
        ),
      );
    }
    if (!known || turn < this.turn) return;
    const cuts = new Map(known.thresholds);
    this.labels.value = known.labels;
    this.rows.forEach(({node, read, cut}, n) => {
      const isClass = known.labels === String(n);
      read.checked = !isClass && !known.left_out.includes(n);
      read.disabled = isClass;
      node.dataset.class = String(isClass);
      if (cut && cut.getRootNode().activeElement !== cut) cut.value = cuts.get(n) ?? "";
      if (cut) cut.disabled = isClass;
    });
  }

  // One column: whether it is read, and its threshold.
  /** @param {ListedColumn} column */
  row([, title, , kind, first, words, low, high]) {
    const read = element("input", {
      type: "checkbox",
      "aria-label": `Read ${title}`,
      onchange: () => this.tell(),
    });
    /** @type {HTMLInputElement | HTMLSelectElement | null} */
    let cut = null;
    // a choice about a column also includes it
    const say = () => {
      if (cut?.value) read.checked = true;
      this.tell();
    };
    if (kind === "numbers")
      cut = element("input", {
        type: "number",
        step: "any",
        "aria-label": `${title} is 1 from`,
        onchange: say,
      });
    else if (kind === "words")
      cut = element(
        "select",
        {"aria-label": `${title} is 1 for`, onchange: say},
        ...["", ...words].map((word) => element("option", {value: word}, word || "\u2013")),
      );
    const what = cut
      ? element("span", {class: "lv-own-cut"}, kind === "numbers" ? "1 from" : "1 for", cut)
      : element("span", {class: "lv-own-cut"}, `${words.find((word) => /^[yt]/i.test(word)) ?? "yes"} is 1`);
    const node = element(
      "div",
      {},
      element(
        "label",
        {class: "lv-inline"},
        read,
        element(
          "span",
          {},
          title,
          " ",
          element("small", {}, `${first}, \u2026${kind === "numbers" ? ` (${low} to ${high})` : ""}`),
        ),
      ),
      what,
      element("span", {class: "lv-own-cut lv-own-class"}, "the class"),
    );
    return {node, read, cut};
  }

  /** @param {ArrayBuffer} data */
  show(data) {
    this.shown = data;
    /** @type {Block<PreviewMeta, PreviewArrays>} */
    const {meta, arrays} = unpack(data);
    this.meta = meta;
    this.arrays = arrays;
    if (meta.turn >= this.turn) this.putChoices(meta);
    this.shareField.hidden = meta.own_split;
    const names = meta.classes.map(([name, n]) => `${name} (${n})`);
    /** @type {Record<string, string>} */
    const facts = {
      [meta.variables ? "Rows" : "Images"]:
        `${many(meta.n)}: ${many(meta.n_train)} for training and ${many(meta.n_test)} for testing${meta.own_split ? ", as the file says" : ""}`,
      [meta.variables ? "Variables" : "Pixels"]: meta.variables
        ? many(meta.n_v)
        : meta.image_shape
          ? meta.image_shape.join(" \u00d7 ")
          : `${meta.n_v}, of unknown height and width`,
      Values: `${meta.low} to ${meta.high}${meta.two_valued ? ", two values: binary as they are" : ""}`,
      Classes: names.length
        ? names.slice(0, 10).join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "")
        : "none",
    };
    if (meta.n_unknown)
      facts["Not known"] =
        `${many(meta.n_unknown)} of ${many(meta.n * meta.n_v)} values, ${meta.variables ? "hatched" : "shown in grey"}`;
    if (meta.notes.length) facts.Note = meta.notes.join(" ");
    this.facts.replaceChildren(
      ...Object.entries(facts).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    );
    const [rows, columns] = meta.image_shape || [1, meta.n_v],
      n = arrays.intensity.length / meta.n_v;
    const canvases = Array.from({length: n}, () =>
      element("canvas", {class: "lv-pixels", "aria-hidden": "true"}),
    );
    const {variables} = meta;
    setText(this.become, variables ? "Values become" : "Pixels become");
    setText(this.inverts, variables ? "1 stands for no (invert)" : "Ink is dark (invert)");
    this.shape.hidden = variables !== null;
    const label = `${n} training ${variables ? "rows" : "images"} as they will be trained on`;
    this.views = variables ? [] : canvases.map((canvas) => new PixelView(canvas, rows, columns));
    this.images.hidden = variables !== null;
    this.cells.node.hidden = variables === null;
    this.cells.load(variables ?? [], variables ? [{label, n}] : []);
    this.images.replaceChildren(...(variables ? [] : canvases));
    this.images.setAttribute("aria-label", label);
    this.paint();
  }

  paint() {
    if (!this.meta || !this.colours) return;
    const {
        meta,
        arrays,
        colours: {palette, tables},
      } = this,
      {n_v} = meta,
      binary = this.binary.checked,
      invert = this.invert.checked,
      at = Number(this.threshold.value);
    const grey = tables.ink[128]; // of what is not known, between black and white
    const middle = meta.two_valued ? 0.5 * (meta.least + meta.most) : at;
    const [rows, each] = meta.variables
      ? ["Training rows, a column for each", "variable's"]
      : ["Training images", "pixel's"];
    this.imagesLabel.textContent = binary
      ? `${rows}, as they will be trained on`
      : `${rows}, standardised: orange above each ${each} mean, blue below`;
    /** @param {number} at */
    const colour = (at) => {
      const value = binary ? arrays.intensity[at] : arrays.standard[at];
      if (Number.isNaN(value)) return grey;
      if (binary) return tables.ink[value >= middle - 1e-7 !== invert ? 255 : 0];
      return signedColour(tables.signed, ((invert ? -1 : 1) * value) / 3);
    };
    this.views.forEach((view, m) => view.paint((i) => colour(m * n_v + i)));
    if (meta.variables) {
      const unknown = (/** @type {number} */ m, /** @type {number} */ i) =>
        Number.isNaN(arrays.intensity[m * n_v + i]);
      const hatch = meta.n_unknown ? {unknown, filled: false, colours: tables.hatch} : null;
      this.cells.paint(0, (m, i) => colour(m * n_v + i), hatch);
    }
    const cutting = binary && !meta.two_valued;
    this.threshold.hidden = this.best.hidden = !cutting;
    this.thresholdLabel.textContent =
      (meta.variables ? "Values" : "Intensities") + (cutting ? ", and the threshold" : "");
    this.thresholdValue.textContent = cutting ? at.toFixed(2) : "";
    this.paintHistogram(arrays.histogram, cutting ? at : null, invert, palette);
  }

  // Logarithms of the counts, so that rare intensities are visible; ink in full colour, the rest faint.
  /** @param {Uint32Array} counts @param {number | null} at @param {boolean} invert @param {Palette} palette */
  paintHistogram(counts, at, invert, palette) {
    const {histogram: canvas} = this;
    fitCanvas(canvas);
    const context = penOf(canvas),
      {width, height} = canvas,
      top = Math.log1p(counts.reduce((most, n) => Math.max(most, n), 1)),
      step = width / counts.length;
    context.clearRect(0, 0, width, height);
    let ink = 0,
      all = 0;
    counts.forEach((n, bin) => {
      const full = at === null || (bin + 0.5) / counts.length >= at !== invert,
        tall = n ? Math.max(1, (Math.log1p(n) / top) * (height - 4)) : 0;
      context.fillStyle = full ? palette.muted : palette.line;
      context.fillRect(bin * step, height - tall, Math.max(1, step - 0.5), tall);
      all += n;
      if (full) ink += n;
    });
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    if (at !== null) {
      context.fillStyle = palette.now;
      context.fillRect(at * width - 1.5, 0, 3, height);
    }
    const share = `${Math.round((100 * ink) / all)} % of all ${this.meta?.variables ? "observations are on" : "pixels are ink"}`;
    if (at !== null)
      this.thresholdValue.textContent = `${at.toFixed(2)}: ${share.replace(/ of all \w+ are/, "")}`;
    canvas.setAttribute(
      "aria-label",
      `Histogram of intensities${at === null ? "" : `, threshold ${at.toFixed(2)}, ${share}`}`,
    );
  }

  remove() {
    this.sender.stop();
    this.unwatch();
    this.resizes.disconnect();
    this.root.remove();
  }
}

/** @param {Rendered<Upload>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host),
    box = new UploadBox(el, model, send);
  const follow = () => box.follow();
  together(
    {
      stage: follow,
      number: follow,
      received: follow,
      filename: follow,
      error: follow,
      question: follow,
      asks_shape: follow,
      table: follow,
      preview: follow,
      accepted: follow,
      limit: follow,
    },
    host,
  )();
  // a lost piece is sent again when the server has reported the received size
  /** @param {WindowEventMap["lrbn-connection"]} event */
  const back = ({detail: {open}}) => {
    if (open) setTimeout(() => box.sender.again(model.received), 1500);
  };
  window.addEventListener("lrbn-connection", back);
  model.on("remove", () => {
    window.removeEventListener("lrbn-connection", back);
    box.remove();
  });
}

export default {render};
