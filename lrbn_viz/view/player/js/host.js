// Hosts: Panel's JSComponent and anywidget both call render({model, el}); they differ in how a property is read, and in
// how the end is told: Panel's model says "remove", anywidget calls what render returned, which has to call `end`.

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

// What belongs together arrives in one message, in any order. Once all of it is in, the acts of those properties that
// changed are done, in their own order, each once, with what its property held then. Where an act returns a promise, all
// later ones wait for it. Returns a function that does them now, at first all; it returns what is waited for.
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

// Gives the blocks that a property holds to `take`: at once, or, where it names files that hold them (app/shared/
// weights.py), when all of these are here.
/** @param {Bytes} data @param {(...blocks: Bytes[]) => void} take */
export function withBlocks(data, take) {
  const bytes = toBytes(data),
    begin = new TextDecoder().decode(bytes.subarray(0, 4));
  if (begin !== constants.kept_files) return take(data);
  const addresses = new TextDecoder().decode(bytes.subarray(4)).split("\n");
  return Promise.all(
    addresses.map(async (address) => {
      const asked = window.lrbnAsked?.get(address); // by the page's head (app/shared/head.py)
      window.lrbnAsked?.delete(address);
      const answer = await (asked ?? fetch(address));
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  ).then((blocks) => take(...blocks));
}

// What a message asks for, in words: for a page that cannot send it, and for one that waits. What is not here is none
// of a person's acts.
/** @type {Record<string, string>} */
const ACTS = {
  image: "another image",
  lane: "choosing what a lane shows",
  swap: "swapping the lanes",
  to_training: "going back to training",
  draw: "drawing",
  hold: "holding a unit",
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

const AGAIN_MS = 100; // until what could not be said is said again
const LONGEST_MS = 20_000; // after which a component that is still not whole holds others' acts back no more

// Says what can be said of all that waits: each component's words in their order, and a person's acts in theirs, whichever
// component they belong to; else a run would begin before the form's last changes are known.
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
        // the page does not know the component yet: while parts of it arrive, BokehJS can send nothing of them
        if (performance.now() - each.at > LONGEST_MS) {
          reportError(error);
          continue;
        }
        again = true;
      }
    }
    left.push(each);
    behind.add(each.host);
    if (each.isAct && !held && performance.now() - each.at < LONGEST_MS) {
      held = true;
      setTimeout(sayInOrder, LONGEST_MS);
    }
  }
  waiting.unshift(...left);
  if (again) setTimeout(sayInOrder, AGAIN_MS);
}

// Words for the server. What is said before the page is whole is lost, so it waits until the server says that it is
// (`live`); hosts without that property listen at once. `then` is called when the waiting ends. While the connection
// is lost, `send` refuses an act in words and forgets what is none; `keep` says a state of the page, such as a cursor,
// when it is back.
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
    // `what`: more exactly than in ACTS
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
