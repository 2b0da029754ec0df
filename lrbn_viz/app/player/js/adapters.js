// Panel and anywidget both call render({model, el}): the player follows the properties models, trace and cursor.

function render({model, el}) {
  const host = hostOf(model);
  const root = el || document.createElement("div");
  const has = (name) => { const data = host.get(name); return data && data.byteLength > 0; };
  const {live, send} = outbox(host, () => rested(player.k));
  const rested = (k) => { if (live() && host.get("cursor") !== k) host.set("cursor", k); };
  const player = createPlayer(root, {
    rested,
    selected: (lane, unit) => send({type: "select", lane, unit}),
    hold: host.get("offers_holding") ? (unit, state) => send({type: "hold", unit, state}) : undefined,
    draw: host.get("offers_drawing") ? (bits) => send({type: "draw", bits}) : undefined,
    image: host.get("offers_images") ? (way) => send({type: "image", way}) : undefined,
  });
  player.whole = live;
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
