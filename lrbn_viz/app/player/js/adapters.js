// Hosts: Panel's JSComponent and anywidget both call render({model, el}); they differ in how a property is read.

function hostOf(model) {
  if (typeof model.save_changes === "function") { // anywidget
    return {
      get: (name) => model.get(name),
      set: (name, value) => { model.set(name, value); model.save_changes(); },
      on: (name, callback) => model.on(`change:${name}`, callback),
      send: (message) => model.send(message),
      removed: () => {},
    };
  }
  return {
    get: (name) => model[name],
    set: (name, value) => { model[name] = value; },
    on: (name, callback) => model.on(name, callback),
    send: (message) => model.send_msg(message),
    removed: (callback) => model.on("remove", callback),
  };
}

function render({model, el}) {
  const host = hostOf(model);
  const root = el || document.createElement("div");
  const has = (name) => { const data = host.get(name); return data && data.byteLength > 0; };
  // What is sent before the page is whole is lost: it waits until the server says that it is. Other hosts listen at once.
  const early = [];
  const live = () => host.get("live") !== false;
  const send = (message) => { if (live()) host.send(message); else early.push(message); };
  host.on("live", () => { if (live()) early.splice(0).forEach(host.send); });
  const player = createPlayer(root, {
    rested: (k) => { if (host.get("cursor") !== k) host.set("cursor", k); },
    selected: (lane, unit) => send({type: "select", lane, unit}),
    hold: host.get("offers_holding") ? (unit, state) => send({type: "hold", unit, state}) : undefined,
    draw: host.get("offers_drawing") ? (bits) => send({type: "draw", bits}) : undefined,
    image: host.get("offers_images") ? (way) => send({type: "image", way}) : undefined,
  });
  root.__player = player;
  // On a phone the open picker would cover the lanes.
  if (host.get("offers_images") && window.innerWidth < 600) send({type: "narrow"});
  // models and trace may arrive in one message, in either order: read both once it has been taken in whole
  let waiting = new Set();
  const load = () => {
    const changed = waiting;
    waiting = new Set();
    if (changed.has("models") && has("models")) player.setModels(host.get("models"));
    if (changed.has("trace") && has("trace")) player.setTrace(host.get("trace"));
  };
  const later = (name) => {
    if (!waiting.size) queueMicrotask(load);
    waiting.add(name);
  };
  for (const name of ["models", "trace"]) {
    host.on(name, () => later(name));
    waiting.add(name);
  }
  host.on("cursor", () => { if (host.get("cursor") !== player.k) player.seek(host.get("cursor")); });
  host.removed(() => player.remove());
  load();
  return el ? () => player.remove() : root;
}

export {createPlayer, render};
export default {render};
