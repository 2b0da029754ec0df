// The form beside the training board; the server checks every field while it is edited.

import {unpack} from "../../../view/player/js/decode.js";
import {download, element, setText, watchScheme} from "../../../view/player/js/dom.js";
import {clockText, many, mebibytes} from "../../../view/player/js/format.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {STYLE} from "../../../view/player/js/style.js";
import {FileSender} from "../../shared/js/sending.js";
import SENDING_STYLE from "../../shared/js/sending.css";
import FIELDS_STYLE from "../../shared/js/side_fields.css";
import {nameDialog} from "../../shared/js/sidebar.js";
import {confirmAct} from "../../../view/board/js/confirm.js";
import CONFIRM_STYLE from "../../../view/board/js/confirm.css";
import FORM_STYLE from "./form.css";
import constants from "../../../io/constants.json" with {type: "json"};

// Links of a stored run: address before its name, text, preposition and title.
const LINKS = [
  ["page=train&", "Link", "to", "A link to this run"],
  ["", "Models", "of", "Its models on the Inference page"],
  ["page=generate&", "Samples", "of", "Samples of its models on the Generate page"],
];
const {open_on_inference: OPEN_ON_INFERENCE} = constants; // in place of a lane

/** @type {ModelFile} */
const NO_FILE = {stage: "empty", filename: "", size: 0, received: 0, words: "", refused: false, number: 0};

class TrainForm {
  /** @type {Map<string, ReturnType<TrainForm["field"]>>} */ fields = new Map();
  shape = ""; // keys of the current form, models and runs; a change rebuilds them
  modelsKey = "";
  runsKey = "";
  refusal = ""; // reason why a file was not sent
  restored = ""; // the run being restored, and the one being deleted; the focus follows them
  deletes = "";
  /** @type {number[]} */ saving = [];
  /** @type {StoredRun[]} */ stored = [];
  /** @type {Map<string, {name: string, until: number}>} */ deleted = new Map();
  /** @type {{node: HTMLElement, left: HTMLElement, until: number}[]} */ rows = [];
  /** @type {ModelFile} */ file = NO_FILE;
  /** @type {ReturnType<typeof setInterval> | undefined} */ ticking;
  groups = element("div");
  explain = element(
    "button",
    {
      type: "button",
      class: "lv-btn lv-small lt-explain",
      "aria-pressed": "false",
      onclick: () => this.toggleHelp(),
    },
    "Explain the settings",
  );
  moreTitle = element("summary", {}, "More settings");
  more = element("details", {class: "lt-more"});
  about = element("p", {class: "lt-about"});
  estimate = element("p", {class: "lt-about", role: "status"});
  carry = element("input", {
    type: "checkbox",
    id: "carry",
    onchange: () => this.say({type: "carry", on: this.carry.checked}),
  });
  list = element("input", {
    type: "checkbox",
    id: "list",
    onchange: () => this.say({type: "list", on: this.list.checked}),
  });
  listBox = element(
    "label",
    {class: "lt-tick", for: "list", hidden: true},
    this.list,
    "Let other visitors watch this run",
  );
  models = element("fieldset");
  fileWords = element("p", {role: "status"});
  fileProgress = element("progress", {max: 1, "aria-label": "Progress of the model file"});
  fileCancel = element(
    "button",
    {type: "button", class: "lv-btn lv-small", onclick: () => this.cancelFile()},
    "Cancel",
  );
  fileBox = element("div", {class: "lt-file"}, this.fileWords, this.fileProgress, this.fileCancel);
  runs = element("ul", {class: "lt-runs"});
  trash = element("div", {class: "lt-trash"});
  announced = element("p", {class: "lv-sr", role: "status"});
  runsBox = element(
    "fieldset",
    {},
    element("legend", {}, "Stored runs"),
    this.announced,
    this.trash,
    this.runs,
  );
  root = element(
    "div",
    {class: "lv lv-side-fields lt-form"},
    element("style", {}, STYLE + SENDING_STYLE + FIELDS_STYLE + FORM_STYLE + CONFIRM_STYLE),
    this.models,
    this.runsBox,
    this.groups,
    this.estimate,
    this.explain,
    this.more,
    element("label", {class: "lt-tick", for: "carry"}, this.carry, "Go on when I close this tab"),
    this.listBox,
  );

  // `limit`: bytes of the largest model file
  /** @param {HTMLElement} root @param {Send} say @param {number} limit */
  constructor(root, say, limit) {
    this.say = say;
    this.limit = limit;
    this.sender = new FileSender(say, (file) => {
      this.refusal = `${file.name} can no longer be read. Choose it again.`;
      this.cancelFile();
    });
    root.append(this.root);
    this.unwatch = watchScheme(this.root);
  }

  /** @param {Form} form */
  load(form) {
    if (!form.groups) return;
    const shape = JSON.stringify(
      form.groups.map((group) =>
        group.fields.map(({path, label, unit, help, options}) => [path, label, unit, help, options?.length]),
      ),
    );
    if (shape !== this.shape) this.build(form.groups, shape);
    for (const group of form.groups) {
      for (const field of group.fields) {
        const built = this.fields.get(field.path);
        if (built) this.update(built, field);
      }
    }
    this.about.textContent = form.about;
    setText(this.estimate, form.estimate);
    if (form.groups.some(({more, fields}) => more && fields.some(({message}) => message)))
      this.more.open = true; // settings with errors are visible
    this.carry.checked = form.carry_on;
    this.loadModels(form);
  }

  /** @param {FormGroup[]} groups @param {string} shape */
  build(groups, shape) {
    this.shape = shape;
    const focused = this.root.getRootNode().activeElement?.id;
    this.fields.clear();
    /** @param {FormGroup} group */
    const made = (group) => {
      const fields = group.fields.map((field) => this.field(field));
      for (const field of fields) this.fields.set(field.path, field);
      const legend = element("legend", {"data-lane": group.lane}, group.title);
      return element(
        "fieldset",
        {},
        legend,
        ...fields.map((field) => field.node),
        group.about ? this.about : null,
      );
    };
    this.groups.replaceChildren(...groups.filter(({more}) => !more).map(made));
    this.more.replaceChildren(this.moreTitle, ...groups.filter(({more}) => more).map(made));
    if (focused) this.root.getRootNode().getElementById(focused)?.focus();
  }

  // Help stands below all settings at once, so that targets of clicks do not move.
  toggleHelp() {
    const on = this.root.dataset.explain !== "true";
    this.root.dataset.explain = String(on);
    this.explain.setAttribute("aria-pressed", String(on));
  }

  /** @param {FormField} given */
  field({path, label, unit, options, help, wide}) {
    const id = `f-${path}`,
      note = element("p", {id: `${id}-note`, role: "status"});
    const described = {id, "aria-describedby": `${id}-help ${id}-note`};
    const edit = () => this.say({type: "edit", path, text: input.value.slice(0, constants.typed_characters)});
    /** @type {HTMLInputElement | HTMLSelectElement} */
    const input = options
      ? element(
          "select",
          {...described, onchange: edit},
          ...options.map(([value, title]) => element("option", {value}, title)),
        )
      : element("input", {
          ...described,
          type: "text",
          inputmode: "decimal",
          autocomplete: "off",
          oninput: edit,
        });
    const name = element(
      "label",
      {for: id},
      label,
      ...(unit ? [" ", element("small", {}, `(${unit})`)] : []),
    );
    const words = element("p", {id: `${id}-help`, class: "lt-help"}, help);
    const node = element("div", {class: "lt-field", "data-wide": Boolean(wide)}, name, input, words, note);
    return {path, node, input, note, words, help};
  }

  /** @param {ReturnType<TrainForm["field"]>} built @param {FormField} field */
  update({node, input, note, words, help}, {value, message, fixed}) {
    if (input.value !== value && input !== this.root.getRootNode().activeElement) input.value = value;
    if (input.tagName === "SELECT") input.value = value;
    input.disabled = Boolean(fixed);
    node.title = fixed || help;
    setText(words, [fixed, help].filter(Boolean).join(" "));
    input.setAttribute("aria-invalid", String(Boolean(message)));
    if (note.textContent !== message) note.textContent = message;
  }

  /** @param {Form} given */
  loadModels({lanes, running, given, shown}) {
    const key = JSON.stringify([lanes, running, given, shown]);
    if (key === this.modelsKey) return;
    this.modelsKey = key;
    const rows = lanes.map((title, index) =>
      element("button", {
        type: "button",
        class: "lv-btn lv-small",
        "data-save": shown < 0 ? title : `${title} of minibatch ${many(shown)}`,
        "data-lane": index,
        onclick: () => this.say({type: "save", lane: index}),
      }),
    );
    /** @param {number} lane @param {string} title */
    const show = (lane, title) =>
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small",
          "data-show": lane,
          title: "On the Inference page, visit by visit",
          onclick: () => this.say({type: "show", lane}),
        },
        `Open ${title}`,
      );
    const shows = lanes.map((title, index) => show(index, title));
    if (lanes.length > 1) shows.push(show(-1, "both"));
    shows.push(
      element(
        "button",
        {
          type: "button",
          class: "lv-btn lv-small",
          "data-draw": "",
          title: "On the Generate page, pass by pass",
          onclick: () => this.say({type: "draw"}),
        },
        lanes.length > 1 ? "Draw with both" : `Draw with ${lanes[0]}`,
      ),
    );
    const picks = [0, 1, OPEN_ON_INFERENCE].map((lane) => {
      const side = lane ? "right" : "left",
        taken = given.includes(lane);
      const label =
        lane === OPEN_ON_INFERENCE ? "Model file for the Inference page" : `Model file for the ${side} lane`;
      const text =
        lane === OPEN_ON_INFERENCE
          ? "Open a file"
          : taken
            ? `${lane ? "Right" : "Left"}: from a file`
            : `Begin ${side} from a file`;
      const file = element("input", {
        type: "file",
        accept: ".npz",
        hidden: true,
        "aria-label": label,
        onchange: () => this.give(lane, file),
      });
      return [
        file,
        element(
          "button",
          {
            type: "button",
            class: "lv-btn lv-small",
            "data-begin": lane,
            title: lane === OPEN_ON_INFERENCE ? "On the Inference page, visit by visit" : null,
            onclick: () => file.click(),
          },
          text,
        ),
      ];
    });
    this.models.replaceChildren(
      element("legend", {}, "Models"),
      ...(rows.length
        ? [element("div", {class: "lt-row"}, ...shows), element("div", {class: "lt-row"}, ...rows)]
        : []),
      element("div", {class: "lt-row"}, ...picks.flat()),
      this.fileBox,
    );
    this.showSaving();
    this.showFile();
  }

  // A large model takes a second to be written.
  showSaving() {
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      this.models.querySelectorAll("[data-save]")
    )) {
      const busy = this.saving.includes(Number(button.dataset.lane));
      setText(button, `${busy ? "Saving" : "Save"} ${button.dataset.save}${busy ? "\u2026" : ""}`);
      button.disabled = busy;
    }
  }

  /** @param {number} lane @param {HTMLInputElement} input */
  give(lane, input) {
    const [file] = input.files ?? [],
      most = this.limit;
    input.value = ""; // so that the same file can be chosen again
    if (!file) return;
    if (!/\.npz$/i.test(file.name))
      this.refusal = `${file.name} is no .npz file. Choose a model that was saved here, or with save() in Python.`;
    else if (!file.size) this.refusal = `${file.name} is empty. Choose another file.`;
    else if (file.size > most)
      this.refusal = `${file.name} has ${mebibytes(file.size)} MiB; at most ${mebibytes(most)} MiB can be read. Save the model in less precision: save(path, dtype=numpy.float32).`;
    else {
      this.refusal = "";
      this.sender.begin(file, {lane});
      this.file = {...NO_FILE, stage: "receiving", filename: file.name, size: file.size};
    }
    this.showFile();
  }

  cancelFile() {
    this.sender.stop();
    this.say({type: "cancel"});
    this.file = NO_FILE; // at once, even if messages are still coming
    this.showFile();
  }

  /** @param {ModelFile} file */
  followFile(file) {
    if (!this.sender.concerns(file.number)) return;
    if (file.stage === "receiving" && !this.sender.file) return; // cancelled in this browser meanwhile
    if (file.stage === "receiving") this.sender.next(file.received);
    else this.sender.stop();
    this.file = file;
    this.showFile();
  }

  showFile() {
    const {stage, filename, size, received, words, refused} = this.file,
      busy = stage === "receiving" || stage === "reading";
    const doing =
      stage === "reading"
        ? `Reading ${filename}\u2026`
        : `Sending ${filename}: ${mebibytes(received)} of ${mebibytes(size)} MiB`;
    setText(this.fileWords, this.refusal || (busy ? doing : words));
    this.fileWords.dataset.kind = this.refusal || refused ? "bad" : busy ? "busy" : "good";
    if (stage === "reading")
      this.fileProgress.removeAttribute("value"); // indeterminate
    else this.fileProgress.value = busy ? received / Math.max(1, size) : 0;
    this.fileProgress.hidden = this.fileCancel.hidden = !busy;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      this.models.querySelectorAll("[data-begin]")
    ))
      button.disabled = busy;
  }

  // All runs; one that cannot be opened shows the reason.
  /** @param {StoredRuns} given */
  loadRuns({stored = [], name, deleting, deleted = [], listed = null}) {
    this.loadTrash({deleted});
    this.listBox.hidden = listed === null;
    this.list.checked = Boolean(listed);
    this.runsBox.hidden = !stored.length && !this.deleted.size;
    const key = JSON.stringify([stored, name, deleting]);
    if (key === this.runsKey) return;
    this.runsKey = key;
    const focused = this.root.getRootNode().activeElement?.getAttribute("aria-label");
    this.stored = stored;
    // Unchanged entries keep their elements, as a click may be about to reach them.
    const shown = new Map(
      Array.from(/** @type {Iterable<HTMLElement>} */ (this.runs.children), (item) => [
        item.dataset.key,
        item,
      ]),
    );
    const items = stored.map((run) => {
      const here = run.name === name,
        gone = run.name === deleting,
        entry = JSON.stringify([run, here, gone]);
      return shown.get(entry) || this.runItem(run, here, gone, entry);
    });
    items.forEach((item, n) => {
      if (this.runs.children[n] !== item) this.runs.insertBefore(item, this.runs.children[n] || null);
    });
    while (this.runs.childElementCount > items.length) this.runs.lastElementChild?.remove();
    if (focused)
      for (const button of this.runs.querySelectorAll("button"))
        if (button.getAttribute("aria-label") === focused) button.focus();
    if (this.restored && this.focus(this.runs, `[data-run="${this.restored}"] button`)) this.restored = "";
  }

  /** @param {StoredRun} run @param {boolean} here @param {boolean} gone @param {string} key */
  runItem(run, here, gone, key) {
    const word = !run.owned ? "Watch" : run.live ? "Attach" : "Resume";
    /** @param {string} text @param {() => void} act */
    const button = (text, act) =>
      element(
        "button",
        {type: "button", class: "lv-btn lv-small", "aria-label": `${text} ${run.name}`, onclick: act},
        text,
      );
    const buttons = gone
      ? [element("small", {role: "status"}, "is being deleted\u2026")]
      : [
          here
            ? [element("small", {}, "on this page")]
            : run.can_open
              ? [button(word, () => this.say({type: "attach", name: run.name}))]
              : [],
          run.can_end ? [button("End", () => this.say({type: "end", name: run.name}))] : [],
          run.can_link
            ? LINKS.map(([page, text, preposition, title]) =>
                element(
                  "a",
                  {
                    class: "lv-btn lv-small",
                    href: `?${page}run=${run.name}`,
                    title,
                    "aria-label": `${text} ${preposition} ${run.name}`,
                  },
                  text,
                ),
              )
            : [],
          !here && run.can_delete ? [button("Delete", () => this.askToDelete(run, this.stored))] : [],
        ].flat();
    return element(
      "li",
      {"data-run": run.name, "data-key": key, "aria-busy": gone ? "true" : null},
      element(
        "div",
        {},
        element("b", {}, run.title),
        ...run.results.map((text) => element("div", {class: "lt-result"}, text)),
        " ",
        element("small", {}, run.words),
      ),
      buttons.length ? element("div", {class: "lt-row"}, ...buttons) : null,
    );
  }

  /** @param {StoredRun} run @param {StoredRun[]} stored */
  async askToDelete(run, stored) {
    const branches = stored.filter((other) => other.parent === run.name).length;
    const yes = await confirmAct(this.root, {
      title: "Delete this run?",
      words: [
        `${run.title}, ${run.words.replace(/\.$/, "")}.`,
        "You can undo this for 10 minutes. Then it is removed for good." +
          (branches
            ? ` Its ${branches === 1 ? "branch stays" : `${branches} branches stay`}, without this run's curves beside its own.`
            : ""),
      ],
      act: "Delete",
      keep: "Cancel",
    });
    if (!yes) return;
    this.deletes = run.name;
    this.say({type: "delete", name: run.name});
  }

  // Deleted runs that can be restored, with the remaining time.
  /** @param {{deleted: DeletedRun[]}} given */
  loadTrash({deleted}) {
    const now = performance.now();
    const before = this.deleted;
    this.deleted = new Map(
      deleted.map(({key, name, seconds_left}) => [
        key,
        {name, until: before.get(key)?.until ?? now + 1000 * seconds_left},
      ]),
    );
    if ([...before.keys()].join() === [...this.deleted.keys()].join()) return;
    /** @param {string} key @param {string} name */
    const undo = (key, name) => {
      this.restored = name;
      this.say({type: "undo", key});
    };
    this.rows = Array.from(this.deleted, ([key, {name, until}]) => {
      const left = element("small"),
        button = element(
          "button",
          {
            type: "button",
            class: "lv-btn lv-small",
            "aria-label": `Undo: restore ${name}`,
            onclick: () => undo(key, name),
          },
          "Undo",
        );
      return {
        left,
        until,
        node: element("div", {"data-key": key}, element("span", {}, `${name} was deleted. `, left), button),
      };
    });
    this.trash.replaceChildren(...this.rows.map(({node}) => node));
    this.tick();
    clearInterval(this.ticking);
    if (this.deleted.size) this.ticking = setInterval(() => this.tick(), 1000);
    const [first] = this.deleted.values();
    if (this.deletes && first?.name === this.deletes) {
      this.announced.textContent = `${first.name} was deleted. You can undo this for 10 minutes.`;
      this.deletes = "";
      this.focus(this.trash, "button");
    }
  }

  tick() {
    for (const {node, left, until} of this.rows) {
      const seconds = (until - performance.now()) / 1000;
      node.hidden = seconds <= 0; // the server has removed it by now
      setText(left, `${clockText(Math.max(0, seconds))} left to undo.`);
    }
  }

  /** @param {HTMLElement} list @param {string} selector */
  focus(list, selector) {
    const found = /** @type {HTMLElement | null} */ (list.querySelector(selector));
    found?.focus();
    return Boolean(found);
  }

  remove() {
    this.sender.stop();
    clearInterval(this.ticking);
    this.unwatch();
    this.root.remove();
  }
}

/** @param {Rendered<{form: Form, runs: StoredRuns, file: ModelFile, limit: number, saving: number[]}>} host */
function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const form = new TrainForm(el, send, model.limit);
  form.load(model.form);
  form.loadRuns(model.runs);
  if (model.file?.filename) form.followFile(model.file); // drawn again with the same message
  nameDialog(el);
  model.on("form", () => form.load(model.form));
  model.on("runs", () => form.loadRuns(model.runs));
  model.on("saving", () => {
    form.saving = model.saving;
    form.showSaving();
  });
  model.on("file", () => form.followFile(model.file));
  model.on("msg:custom", (data) => {
    /** @type {Block<{name: string}, {content: Uint8Array<ArrayBuffer>}>} */
    const {meta, arrays} = unpack(data);
    download(new Blob([arrays.content], {type: "application/octet-stream"}), meta.name);
  });
  model.on("remove", () => form.remove());
}

export default {render};
