// The connection's watch on a clock that the test moves by hand, on a page that is none.
import assert from "node:assert/strict";
import {beforeEach, mock, test} from "node:test";
import connection from "../../lrbn_viz/app/shared/js/connection.js";

/** @typedef {Parameters<typeof connection.render>[0]} Rendered */

let now = 0;
/** @type {number[]} */
let asked = []; // when a token was asked for
/** @type {Record<string, () => void>} */
let listeners = {};
/** @type {string | null} */
let stored = null; // in the browser's tab
const model = {
  token: "",
  token_seconds: 300,
  born: "one",
  task: "",
  offline: "",
  unsaved: [],
  live: true,
  /** @param {string} name @param {() => void} callback */
  on: (name, callback) => {
    listeners[name] = callback;
  },
  /** @param {Message} message */
  send_msg: ({type}) => {
    if (type === "token") asked.push(now);
  },
};

// An element that takes everything and shows nothing.
const node = () => ({
  dataset: {},
  style: {setProperty() {}},
  classList: {add() {}},
  hidden: false,
  offsetHeight: 0,
  textContent: "",
  addEventListener() {},
  setAttribute() {},
  removeAttribute() {},
  append() {},
  attachShadow: node,
});

const ignored = {addEventListener() {}, dispatchEvent() {}};

beforeEach(() => {
  now = 1000;
  asked = [];
  listeners = {};
  stored = null;
  model.token = "";
  mock.timers.reset();
  mock.timers.enable({apis: ["setInterval", "setTimeout"]});
  mock.method(performance, "now", () => now);
  class ClientConnection {
    send() {}
    _on_message() {}
  }
  const globals = {
    window: {
      ...ignored,
      Bokeh: {require: () => ({ClientConnection})},
      location: {reload() {}, origin: "http://here"},
    },
    document: {
      ...ignored,
      hidden: false,
      querySelectorAll: () => [],
      body: node(),
      documentElement: node(),
      createElement: node,
    },
    ResizeObserver: class {
      observe() {}
    },
    Element: class {},
    Text: class {},
    ShadowRoot: class {},
    sessionStorage: {
      getItem: () => stored,
      setItem: (/** @type {string} */ _, /** @type {string} */ value) => {
        stored = value;
      },
      removeItem: () => {
        stored = null;
      },
    },
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, {value, configurable: true});
  connection.render(/** @type {Rendered} */ (/** @type {unknown} */ ({model, el: node()})));
  asked = []; // the first request, which shows which websocket is the page's, is lost
  const session = {
    document: {config: {setv() {}}, on_event() {}},
    request_server_info: () => Promise.resolve(),
  };
  window.lrbnConnection?.adopt(
    /** @type {BokehConnection} */ (/** @type {unknown} */ ({session, _repull_session_doc() {}})),
  );
});

/** @param {number} ms */
async function pass(ms) {
  for (const end = now + ms; now < end;) {
    now += 250;
    mock.timers.tick(250);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // answers of the server
  }
}

test("the first token is asked for every three seconds until it comes", async () => {
  await pass(13000);
  assert.ok(asked.length >= 4, `asked at ${asked} ms`);
  for (let n = 1; n < asked.length; n++)
    assert.ok(Math.abs(asked[n] - asked[n - 1] - 3000) <= 500, `asked at ${asked} ms`);
});

test("once there is a token, the next is asked for after a hundred seconds", async () => {
  await pass(4000);
  model.token = "let me in";
  listeners.token();
  const before = asked.length,
    last = asked[before - 1];
  await pass(95000);
  assert.equal(asked.length, before);
  await pass(8000);
  assert.equal(asked.length, before + 1);
  assert.ok(Math.abs(asked[before] - last - 100000) <= 500, `asked at ${asked} ms`);
});

test("what the page left to itself outlives a second reload that comes before it was taken", () => {
  const watch = window.lrbnConnection;
  assert.ok(watch);
  stored = JSON.stringify({
    since: 0,
    at: Date.now(),
    states: [
      ["playing", true],
      ["speed", 2],
    ],
    unsaved: [],
  });
  watch.arrive();
  assert.equal(watch.left("speed"), 2); // one part was whole already
  watch.reload();
  watch.arrive();
  assert.equal(watch.left("playing"), true);
  assert.equal(watch.left("speed"), undefined);
});

test("a page that is cut off before it has a token comes back with the one it was opened with", async () => {
  const watch = window.lrbnConnection;
  assert.ok(watch?.connection);
  const tries = /** @type {string[]} */ ([]);
  Object.assign(watch.connection, {
    token: "opened with",
    socket: null,
    _receiver: {},
    _pending_replies: new Map(),
    connect() {
      tries.push(this.token);
      return Promise.resolve();
    },
  });
  globalThis.fetch = async () => new Response();
  watch.reload = () => {
    tries.push("opened again");
  };
  watch.lose();
  await pass(1000);
  assert.deepEqual(new Set(tries), new Set(["opened with"]));
});

test("a page that its server has not answered yet is being opened, and one that it leaves without an answer is not called lost", async () => {
  const watch = /** @type {import("../../lrbn_viz/app/shared/js/connection.js").Connection} */ (
    window.lrbnConnection
  );
  mock.method(watch, "probe", () => {}); // whether it answers others is another question
  const {
      connection: {session},
    } = /** @type {{connection: any}} */ (watch),
    answer = session.request_server_info;
  session.request_server_info = () => new Promise(() => {});
  await pass(3000);
  assert.match(
    watch.words.textContent ?? "",
    /^Working: opening the page\. No answer from the server since .*, as it is busy with this\.$/,
  );
  watch.heard();
  session.request_server_info = answer;
  await pass(3000);
  assert.equal(watch.words.textContent, "");
  session.request_server_info = () => new Promise(() => {});
  await pass(4000);
  assert.match(
    watch.words.textContent ?? "",
    /^No answer from the server since .*\. It may be busy\. Trying again\.\.\.$/,
  );
});
