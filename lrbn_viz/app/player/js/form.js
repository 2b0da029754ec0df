// The form at the side of the training board: every field is judged by the server as it is typed.

const FORM_STYLE = `
.lv.lt-form { background: none; font-size: .875rem; padding: .9em; height: auto; display: block; }
.lt-form fieldset { border: 0; margin: 0 0 1em; padding: 0; min-width: 0; } .lt-form legend { font-weight: 650; padding: 0; margin-bottom: .4em; }
.lt-form legend[data-lane="0"] { color: var(--lv-lane0); } .lt-form legend[data-lane="1"] { color: var(--lv-lane1); }
.lt-field { display: grid; grid-template-columns: minmax(0, 1fr) 8.6em; gap: .1em .6em; align-items: center; margin-bottom: .4em; }
.lt-field label { color: var(--lv-muted); font-size: .92em; } .lt-field[data-wide] { grid-template-columns: minmax(0, 1fr); }
.lv.lt-form input[type="text"], .lv.lt-form select { font: inherit; font-size: .95em; width: 100%; height: 2.3em; padding: 0 .5em; color: var(--lv-ink); background: var(--lv-surface);
  border: 1px solid color-mix(in srgb, var(--lv-muted) 60%, var(--lv-surface)); border-radius: 4px; }
.lv.lt-form :is(input, select):disabled { color: var(--lv-muted); background: var(--lv-faint); cursor: not-allowed; }
.lv.lt-form [aria-invalid="true"] { border-color: var(--lv-bad); outline: 1px solid var(--lv-bad); }
.lt-field > p { grid-column: 1 / -1; color: var(--lv-bad); font-size: .86em; margin: 0; overflow-wrap: anywhere; } .lt-field > p:empty { display: none; }
.lt-about { color: var(--lv-muted); font-size: .88em; line-height: 1.4; } .lt-tick { display: flex; gap: .5em; align-items: baseline; font-size: .94em; margin-bottom: .8em; }
.lt-row { display: flex; gap: .4em; flex-wrap: wrap; margin: .3em 0; } .lv .lt-row .lv-small { color: var(--lv-ink); height: 2.2em; }
.lt-runs { list-style: none; margin: 0; padding: 0; max-height: 20em; overflow-y: auto; } .lt-runs li { padding: .45em 0; border-top: 1px solid var(--lv-line); font-size: .9em; }
.lt-runs li > div:first-child { overflow-wrap: anywhere; } .lt-runs b { font-weight: 650; } .lt-runs small { color: var(--lv-muted); }
`;

class TrainForm {
  constructor(root, say) {
    Object.assign(this, {say, fields: new Map()});
    this.groups = element("div");
    this.about = element("p", {class: "lt-about"});
    this.carry = element("input", {type: "checkbox", id: "carry", onchange: () => say({type: "carry", on: this.carry.checked})});
    this.models = element("fieldset");
    this.runs = element("ul", {class: "lt-runs"});
    this.runsBox = element("fieldset", {}, element("legend", {}, "Kept runs"), this.runs);
    this.root = element("div", {class: "lv lt-form"}, element("style", {}, STYLE + FORM_STYLE), this.groups,
      element("label", {class: "lt-tick", for: "carry"}, this.carry, "Go on when I close this tab"), this.models, this.runsBox);
    root.append(this.root);
    this.unwatch = watchScheme(this.root, (dark) => { this.root.dataset.scheme = dark ? "dark" : "light"; });
  }

  load(form) {
    if (!form.groups) return;
    const shape = JSON.stringify(form.groups.map((group) => group.fields.map((field) => [field.path, field.options?.length])));
    if (shape !== this.shape) this.build(form.groups, shape);
    for (const group of form.groups) for (const field of group.fields) this.update(field);
    this.about.textContent = form.about;
    this.carry.checked = form.carry_on;
    this.loadModels(form);
    this.loadRuns(form);
  }

  build(groups, shape) {
    this.shape = shape;
    const focused = this.root.getRootNode().activeElement?.id;
    this.fields.clear();
    this.groups.replaceChildren(...groups.map((group) => {
      const nodes = group.fields.map((field) => this.field(field));
      const legend = element("legend", {"data-lane": group.lane}, group.title);
      return element("fieldset", {}, legend, ...nodes, group.about ? this.about : null);
    }));
    if (focused) this.root.getRootNode().getElementById(focused)?.focus();
  }

  field({path, label, options, help, wide}) {
    const id = `f-${path}`, note = element("p", {id: `${id}-note`, role: "status"});
    const edit = () => this.say({type: "edit", path, text: input.value});
    const input = options
      ? element("select", {id, onchange: edit}, ...options.map(([value, title]) => element("option", {value}, title)))
      : element("input", {id, type: "text", inputmode: "decimal", autocomplete: "off", oninput: edit, "aria-describedby": `${id}-note`});
    const node = element("div", {class: "lt-field", "data-wide": Boolean(wide), title: help}, element("label", {for: id}, label), input, note);
    this.fields.set(path, {node, input, note, help});
    return node;
  }

  update({path, value, message, fixed}) {
    const {node, input, note, help} = this.fields.get(path);
    if (input.value !== value && input !== this.root.getRootNode().activeElement) input.value = value;
    if (input.tagName === "SELECT") input.value = value;
    input.disabled = Boolean(fixed);
    node.title = fixed || help || "";
    input.setAttribute("aria-invalid", String(Boolean(message)));
    if (note.textContent !== message) note.textContent = message;
  }

  loadModels({lanes, running, given}) {
    const key = JSON.stringify([lanes, running, given]);
    if (key === this.modelsKey) return;
    this.modelsKey = key;
    const rows = [];
    for (const [index, title] of lanes.entries()) {
      rows.push(element("button", {type: "button", class: "lv-btn lv-small", onclick: () => this.say({type: "save", lane: index})}, `Save ${title}`));
    }
    const picks = [0, 1].map((lane) => {
      const file = element("input", {type: "file", accept: ".npz", hidden: true, "aria-label": `Model file for the ${lane ? "right" : "left"} lane`, onchange: () => this.give(lane, file)});
      return [file, element("button", {type: "button", class: "lv-btn lv-small", onclick: () => file.click()}, given.includes(lane) ? `${lane ? "Right" : "Left"}: from a file` : `Begin ${lane ? "right" : "left"} from a file`)];
    });
    this.models.replaceChildren(element("legend", {}, "Models"), ...(rows.length ? [element("div", {class: "lt-row"}, ...rows)] : []),
      element("div", {class: "lt-row"}, ...picks.flat()));
  }

  give(lane, file) {
    const [chosen] = file.files;
    if (!chosen) return;
    const reader = new FileReader();
    reader.onload = () => this.say({type: "give", lane, base64: reader.result.slice(reader.result.indexOf(",") + 1)});
    reader.readAsDataURL(chosen);
    file.value = "";
  }

  loadRuns({stored, name}) {
    const key = JSON.stringify([stored, name]);
    if (key === this.runsKey) return;
    this.runsKey = key;
    this.runsBox.hidden = !stored.length;
    this.runs.replaceChildren(...stored.map((run) => {
      const here = run.name === name, word = run.live ? "Attach" : "Resume";
      const act = (text, type) => element("button", {type: "button", class: "lv-btn lv-small", "aria-label": `${text} ${run.name}`, onclick: () => this.say({type, name: run.name})}, text);
      return element("li", {"data-run": run.name}, element("div", {}, element("b", {}, run.title), " ", element("small", {}, run.words)),
        element("div", {class: "lt-row"}, here ? element("small", {}, "on this page") : act(word, "attach"), here || run.watched ? null : act("Delete", "delete")));
    }));
  }

  download(name, content) {
    const url = URL.createObjectURL(new Blob([content], {type: "application/octet-stream"}));
    const link = element("a", {href: url, download: name});
    this.root.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  remove() { this.unwatch(); this.root.remove(); }
}

function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const form = new TrainForm(el, send);
  form.load(model.form);
  nameDialog(el);
  model.on("form", () => form.load(model.form));
  model.on("msg:custom", (data) => { const {meta, arrays} = unpack(data); form.download(meta.name, arrays.content); });
  model.on("remove", () => form.remove());
}

export default {render};
