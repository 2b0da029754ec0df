// Panel and anywidget both call render({model, el}): the player follows the properties models, trace and cursor, and
// those that hold what a person chose. A host without one of these properties is not told of it.

const CHOICES = ["selected", "unit_order", "hidden"];

function render({model, el}) {
  const host = hostOf(model);
  const root = el || document.createElement("div");
  const has = (name) => { const data = host.get(name); return data && data.byteLength > 0; };
  const {live, send} = outbox(host, () => { rested(player.k); CHOICES.forEach(share); });
  const rested = (k) => { if (live() && host.get("cursor") !== k) host.set("cursor", k); };
  const share = (name) => {
    const value = player.choices[name], known = host.get(name);
    if (live() && known !== undefined && known !== value) host.set(name, value);
  };
  const player = createPlayer(root, {
    rested,
    chose: share,
    usage: host.get("offers_usage") ? () => send({type: "usage"}) : undefined,
    basins: host.get("offers_basins") ? (key) => send({type: "basins", key}) : undefined,
    climb: host.get("offers_basins") ? (key, row) => send({type: "climb", key, row}) : undefined,
    compare: host.get("offers_models") ? (model) => send({type: "compare", model}) : undefined,
    hold: host.get("offers_holding") ? (unit, state) => send({type: "hold", unit, state}) : undefined,
    draw: host.get("offers_drawing") ? (bits) => send({type: "draw", bits}) : undefined,
    image: host.get("offers_images") ? (way) => send({type: "image", way}) : undefined,
  }, {inNotebook: Boolean(host.get("in_notebook"))});
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
  host.on("basins", () => { if (has("basins")) player.setBasins(host.get("basins")); });
  host.on("usage", () => { if (has("usage")) player.setUsage(host.get("usage")); });
  for (const name of CHOICES) host.on(name, () => player.adopt(name, host.get(name)));
  host.removed(() => player.remove());
  load();
  if (player.lanes) player.seek(host.get("cursor")); // drawn anew, it is where it was left, not where the trace began
  for (const name of CHOICES) if (host.get(name)) player.adopt(name, host.get(name));
  return el ? () => player.remove() : root;
}

export {createPlayer, render};
export default {render};
