// Hosts: Panel's JSComponent and anywidget both call render({model, el}); they differ in how a property is read, and in
// how removal is signalled: Panel's model emits "remove", anywidget calls the function that render returned, which has to
// call `end`.

import {toBytes} from "./decode.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {{live?: boolean}} Live  whether the page is whole */

/** @template Properties @param {PanelModel<Properties> | Widget<Properties & Live>} model @returns {model is Widget<Properties & Live>} */
const isWidget = (model) => "save_changes" in /** @type {object} */ (model);

/** @template Properties @param {PanelModel<Properties> | Widget<Properties & Live>} model @returns {Host<Properties & Live>} */
export function hostOf(model) {
  /** @type {(() => void)[]} */
  const ends = [],
    removed = (/** @type {() => void} */ callback) => {
      ends.push(callback);
    };
  const end = () => {
    for (const callback of ends.splice(0)) callback();
  };
  if (isWidget(model)) {
    return {
      get: (name) => model.get(name),
      set: (name, value) => {
        model.set(name, value);
        model.save_changes();
      },
      on: (name, callback) => {
        model.on(`change:${name}`, callback);
        removed(() => model.off(`change:${name}`, callback));
      },
      send: (message) => model.send(message),
      removed,
      end,
    };
  }
  const panel = /** @type {PanelModel<Properties> & Live} */ (model);
  panel.on("remove", end);
  return {
    get: (name) => panel[name],
    set: (name, value) => {
      /** @type {Properties & Live} */ (panel)[name] = value;
    },
    on: (name, callback) => panel.on(name, callback),
    send: (message) => panel.send_msg(message),
    removed,
    end,
  };
}

// Related properties arrive in one message, in any order. Afterwards the functions of all changed properties are called,
// in the order of the table, each once, with the property's value. If one returns a promise, later ones wait for it. Returns
// a function that calls them now, the first time all; it returns the promise that is waited for.
/** @param {Record<string, (value: any) => void | Promise<void>>} acts  by property @param {Pick<Host<any>, "get" | "on" | "removed">} host */
export function together(acts, host) {
  let changed = new Set(Object.keys(acts)),
    gone = false;
  host.removed(() => {
    gone = true;
  });
  /** @type {Promise<void> | undefined} */
  let waiting;
  const all = () => {
    const now = changed;
    changed = new Set();
    const due = new Map(
      Object.entries(acts)
        .filter(([name]) => now.has(name))
        .map(([name, act]) => [act, host.get(name)]),
    );
    for (const [act, value] of due) {
      const done = waiting ? waiting.then(() => (gone ? undefined : act(value))) : act(value);
      if (!done) continue;
      const mine = (waiting = done.catch(reportError).then(() => {
        if (waiting === mine) waiting = undefined;
      }));
    }
    return waiting;
  };
  for (const name of Object.keys(acts)) {
    host.on(name, () => {
      if (!changed.size) queueMicrotask(all);
      changed.add(name);
    });
  }
  return all;
}

// Passes the blocks of a property to `take`: at once or, if it names files that contain them (app/shared/weights.py), when
// all files have arrived.
/** @param {Bytes} data @param {(...blocks: Bytes[]) => void} take */
export function withBlocks(data, take) {
  const bytes = toBytes(data),
    begin = new TextDecoder().decode(bytes.subarray(0, 4));
  if (begin !== constants.kept_files) return take(data);
  const addresses = new TextDecoder().decode(bytes.subarray(4)).split("\n");
  return Promise.all(
    addresses.map(async (address) => {
      const asked = window.lrbnAsked?.get(address); // requested by the page's head (app/shared/head.py)
      window.lrbnAsked?.delete(address);
      const answer = await (asked ?? fetch(address));
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  ).then((blocks) => take(...blocks));
}

// Actions of the user in words, by the type of their message, for a page that cannot send them or waits. Other messages are
// not actions of the user.
/** @type {Record<string, string>} */
const ACTS = {
  image: "another image",
  lane: "choosing what a lane shows",
  swap: "swapping the lanes",
  to_training: "going back to training",
  draw: "drawing",
  hold: "holding a unit",
  name: "naming a unit",
  basins: "the search for optima",
  climb: "the way to an optimum",
  compare: "loading the model",
  usage: "counting how often units are on",
  choose: "choosing from the menu",
  class: "another class of images",
  more: "more images",
  start: "starting the run",
  pause: "pausing the run",
  step: "one minibatch",
  stop: "stopping the run",
  reset: "restarting the run",
  leave: "leaving the run",
  branch: "branching",
  back: "going back",
  look: "looking back",
  inspect: "inspecting an image",
  filter: "looking up the filter's past",
  attach: "opening the run",
  delete: "deleting the run",
  undo: "restoring the run",
  edit: "changing the form",
  carry: "changing the form",
  list: "showing the run to others",
  end: "ending the run",
  show: "opening the model",
  save: "saving the model",
  begin: "sending the file",
  cancel: "cancelling the file",
  accept: "using the data",
  make: "making the file",
  write_again: "writing the run to disk",
  walk: "the interpolation",
  go: "opening the page",
  sweep: "opening the sweep",
  again: "looking for new results",
  train: "opening the Train page",
  on: "training on",
};

const RETRY_MS = 100; // between two attempts to send
const MAX_WAIT_MS = 20_000; // after which an incomplete component no longer delays the actions of others

// Sends waiting messages: those of each component in order, and actions of the user in order across components. Otherwise a
// run could begin before the form's last changes are known.
function sayInOrder() {
  const waiting = window.lrbnEarly ?? [],
    behind = new Set(),
    left = [];
  let held = false,
    again = false;
  for (const each of waiting.splice(0)) {
    if (each.live() && !behind.has(each.host) && !(each.isAct && held)) {
      try {
        each.go();
        continue;
      } catch (error) {
        // the page does not know the component yet: BokehJS cannot send messages of incomplete parts
        if (performance.now() - each.at > MAX_WAIT_MS) {
          reportError(error);
          continue;
        }
        again = true;
      }
    }
    left.push(each);
    behind.add(each.host);
    if (each.isAct && !held && performance.now() - each.at < MAX_WAIT_MS) {
      held = true;
      setTimeout(sayInOrder, MAX_WAIT_MS);
    }
  }
  waiting.unshift(...left);
  if (again) setTimeout(sayInOrder, RETRY_MS);
}

// Messages to the server. They would be lost before the page is complete, so they wait until the server sets `live`; hosts
// without that property receive them at once. `then` is called when the waiting ends. Without a connection `send` refuses an
// action with a message, and drops other messages; `keep` sends a state of the page, such as a cursor, after reconnection.
/** @param {{get(name: "live"): boolean | undefined, on(name: "live", callback: () => void): void, send(message: Message): void}} host @param {() => void} [then] */
export function outbox(host, then) {
  const live = () => host.get("live") !== false;
  host.on("live", () => {
    if (!live()) return;
    sayInOrder();
    then?.();
  });
  /** @param {Message} message @param {string} what */
  const say = (message, what) => {
    (window.lrbnEarly ??= []).push({
      host,
      live,
      isAct: what !== "",
      at: performance.now(),
      go: () => host.send(message),
    });
    sayInOrder();
  };
  /** @type {Send} */
  const send = (message, what = ACTS[message.type] || "") => {
    // `what`: the action in words, if more exact than in ACTS
    if (window.lrbnConnection) return window.lrbnConnection.act(what, () => say(message, what));
    say(message, what);
    return true;
  };
  return {
    live,
    send,
    /** @param {string} key @param {unknown} value @param {() => void} go */
    keep: (key, value, go) => {
      if (window.lrbnConnection) window.lrbnConnection.keep(key, value, go);
      else go();
    },
    /** @param {string} key */
    left: (key) => window.lrbnConnection?.left(key),
    /** @param {string} what */
    open: (what) => window.lrbnConnection?.act(what, () => {}, true) ?? true,
  };
}
