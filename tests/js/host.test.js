// What a person does on parts of the page that are not whole yet reaches the server in the order in which it was done.
import assert from "node:assert/strict";
import {beforeEach, mock, test} from "node:test";
import {outbox} from "../../lrbn_viz/view/player/js/host.js";

/** @type {string[]} */
let heard = [];
let now = 0;

/** A component that becomes whole when it is told to. @param {string} name @param {boolean} live */
function component(name, live) {
  let whole = live;
  /** @type {(() => void)[]} */
  const callbacks = [];
  const {send} = outbox({
    get: () => whole,
    on: (_, callback) => {
      callbacks.push(callback);
    },
    send: ({type}) => {
      heard.push(`${name} ${type}`);
    },
  });
  return {
    send,
    wake: () => {
      whole = true;
      callbacks.forEach((callback) => callback());
    },
  };
}

beforeEach(() => {
  heard = [];
  now = 0;
  mock.timers.reset();
  mock.timers.enable({apis: ["setTimeout"]});
  Object.assign(globalThis, {window: {}});
  mock.method(performance, "now", () => now);
});

test("a run begins after the changes of a form that becomes whole later", () => {
  const form = component("form", false),
    board = component("board", true);
  form.send({type: "edit"});
  form.send({type: "edit"});
  board.send({type: "start"});
  assert.deepEqual(heard, []);
  form.wake();
  assert.deepEqual(heard, ["form edit", "form edit", "board start"]);
});

test("what is no act of a person waits for nobody else, and a component's own words keep their order", () => {
  const form = component("form", false),
    board = component("board", true);
  form.send({type: "edit"});
  board.send({type: "open"});
  assert.deepEqual(heard, ["board open"]);
  board.send({type: "start"});
  board.send({type: "seen"});
  assert.deepEqual(heard, ["board open"]);
  form.wake();
  assert.deepEqual(heard, ["board open", "form edit", "board start", "board seen"]);
});

test("a component that never becomes whole does not hold the others back for ever", () => {
  const form = component("form", false),
    board = component("board", true);
  form.send({type: "edit"});
  board.send({type: "start"});
  now = 20_000;
  mock.timers.tick(20_000);
  assert.deepEqual(heard, ["board start"]);
});

test("what cannot be said yet, as the page does not know the component, is said again, in its order", () => {
  let known = false;
  const {send} = outbox({
    get: () => true,
    on: () => {},
    send: ({type}) => {
      if (!known) throw new Error("not serializable");
      heard.push(type);
    },
  });
  const board = component("board", true);
  send({type: "choose"});
  send({type: "edit"});
  board.send({type: "start"});
  assert.deepEqual(heard, [], "a person's acts keep their order");
  mock.timers.tick(100);
  assert.deepEqual(heard, []);
  known = true;
  mock.timers.tick(100);
  assert.deepEqual(heard, ["choose", "edit", "board start"]);
});

test("what cannot be said for long is an error that is told, and holds nobody back", () => {
  /** @type {unknown[]} */
  const told = [];
  Object.assign(globalThis, {reportError: (/** @type {unknown} */ error) => told.push(error)});
  const {send} = outbox({
    get: () => true,
    on: () => {},
    send: () => {
      throw new Error("never");
    },
  });
  send({type: "choose"});
  now = 20_001;
  mock.timers.tick(100);
  assert.equal(told.length, 1);
  component("board", true).send({type: "start"});
  assert.deepEqual(heard, ["board start"]);
});
