// Files that the server makes when a button asks for them.

const DOWNLOADS_STYLE = `
.lv-downloads { padding: .5em .9em 1.2em; background: none; height: auto; font-size: .875rem; }
.lv-downloads h2 { font-size: 1em; margin: 0 0 .5em; } .lv-downloads div { display: grid; grid-template-columns: 1fr 1fr; gap: .5em; }
.lv-downloads .lv-btn { height: 2.6em; color: var(--lv-ink); font-size: 1em; padding: 0 .4em; }
`;

function render({model, el}) {
  const root = el || document.createElement("div");
  const {send} = outbox(hostOf(model));
  const node = element("div", {class: "lv lv-downloads"}, element("style", {}, STYLE + DOWNLOADS_STYLE), element("h2", {}, "Take away"),
    element("div", {}, ...model.files.map(([name, title]) => element("button", {type: "button", class: "lv-btn lv-small", onclick: () => send({type: "make", name})}, title))));
  root.append(node);
  const unwatch = watchScheme(node, (dark) => { node.dataset.scheme = dark ? "dark" : "light"; });
  model.on("made", () => {
    const {meta, arrays} = unpack(model.made);
    download(new Blob([arrays.content], {type: meta.type}), meta.name);
  });
  model.on("remove", () => { unwatch(); root.remove(); });
  return el ? undefined : root;
}

export default {render};
