// Panel and anywidget both call render({model, el}): the player follows the properties models, trace and cursor, and
// those with the user's choices. Properties that a host lacks are not reported to it.

import {widthAround} from "./dom.js";
import {hostOf, outbox, together, withBlocks} from "./host.js";
import {CHOICES, Player} from "./player.js";

/**
 * @typedef {{models: ArrayBuffer | DataView, trace: ArrayBuffer | DataView, basins: ArrayBuffer, usage: ArrayBuffer, cursor: number, live?: boolean, in_notebook?: boolean, menus?: LaneChoices[], back?: string, story?: import("./story.js").Caption[]} & Choices
 *   & Partial<Record<"offers_images" | "offers_drawing" | "offers_holding" | "offers_names" | "offers_basins" | "offers_models" | "offers_usage", boolean>>} Properties
 */

/** @param {HTMLElement} root @param {Callbacks} callbacks @param {{inNotebook?: boolean}} [options] */
export function createPlayer(root, callbacks, options) {
  return new Player(root, callbacks, options);
}

// The player over a host; `remove` ends it.
/** @param {{model: PanelModel<Properties> | Widget<Properties>, el: HTMLElement}} host */
export function begin({model, el}) {
  const host = hostOf(model);
  /** @param {"basins" | "usage"} name @param {(data: Bytes) => void} take */
  const read = (name, take) => {
    const data = host.get(name);
    if (data?.byteLength) take(data);
  };
  const {live, send, keep, left, open} = outbox(host, () => {
    const k = left("cursor"); // the cursor before a reload
    if (typeof k === "number") player.seek(k);
    for (const name of CHOICES) {
      const value = left(name);
      if (typeof value === "string") player.adopt(name, value);
    }
    const speed = left("speed");
    if (typeof speed === "number") player.setSpeed(speed);
    if (left("playing")) player.play();
    if (!player.clock.playing) rested(player.k);
    CHOICES.forEach(share);
  });
  /** @param {number} k */
  const rested = (k) => {
    if (live() && host.get("cursor") !== k) keep("cursor", k, () => host.set("cursor", k));
  };
  /** @param {keyof Choices} name */
  const share = (name) => {
    const value = player.choices[name],
      known = host.get(name);
    if (live() && known !== undefined && known !== value) keep(name, value, () => host.set(name, value));
  };
  const player = createPlayer(
    el,
    {
      rested,
      open,
      chose: share,
      usage: host.get("offers_usage") ? () => send({type: "usage"}) : undefined,
      basins: host.get("offers_basins") ? (key, lane) => send({type: "basins", key, lane}) : undefined,
      climb: host.get("offers_basins")
        ? (key, row, lane) => send({type: "climb", key, row, lane})
        : undefined,
      compare: host.get("offers_models") ? (model) => send({type: "compare", model}) : undefined,
      hold: host.get("offers_holding")
        ? (unit, state, lane = 0) => send({type: "hold", unit, state, lane})
        : undefined,
      name: host.get("offers_names")
        ? (unit, name, lane) => send({type: "name", unit, name, lane})
        : undefined,
      lane: (lane, part, value, what) => send({type: "lane", lane, part, value}, what),
      swap: () => send({type: "swap"}),
      back: () => send({type: "to_training"}),
      draw: host.get("offers_drawing") ? (bits) => send({type: "draw", bits}) : undefined,
      image: host.get("offers_images") ? (way) => send({type: "image", way}) : undefined,
    },
    {inNotebook: Boolean(host.get("in_notebook"))},
  );
  player.whole = live;
  // On a phone the open picker would cover the lanes.
  if (host.get("offers_images") && widthAround(el) < 600) send({type: "narrow"});
  // models first, whichever of the two comes first
  const load = together(
    {
      models: (data) => {
        if (data?.byteLength) return withBlocks(data, (...blocks) => player.setModels(...blocks));
      },
      trace: (data) => {
        if (data?.byteLength) player.setTrace(data);
      },
    },
    host,
  );
  host.on("cursor", () => {
    if (host.get("cursor") !== player.k) player.seek(host.get("cursor"));
  });
  host.on("basins", () => read("basins", (data) => player.give("basins", data)));
  host.on("usage", () => read("usage", (data) => player.setUsage(data)));
  const offer = () => {
    player.setMenus(host.get("menus") ?? []);
    player.input.lead(host.get("back") ?? "");
  };
  host.on("menus", offer);
  host.on("back", offer);
  for (const name of CHOICES) host.on(name, () => player.adopt(name, host.get(name)));
  /** @param {CustomEvent<[string, unknown][]>} event */
  const leave = ({detail: states}) => {
    states.push(["cursor", player.k], ["playing", player.clock.playing]);
    if (player.chosenSpeed) states.push(["speed", player.chosenSpeed]);
  };
  window.addEventListener("lrbn-leave", leave);
  host.removed(() => {
    window.removeEventListener("lrbn-leave", leave);
    player.remove();
  });
  offer();
  const first = () => {
    if (player.lanes) player.seek(host.get("cursor")); // drawn again, it keeps the cursor
    for (const name of CHOICES) if (host.get(name)) player.adopt(name, host.get(name));
    read("basins", (data) => player.give("basins", data));
    player.tell(host.get("story") ?? []);
  };
  const waiting = load();
  if (waiting) waiting.then(first);
  else first();
  return {player, remove: host.end};
}
