// The transport's clock against a browser's clock that the test moves by hand.
import assert from "node:assert/strict";
import {after, beforeEach, test} from "node:test";
import {Clock} from "../../lrbn_viz/view/player/js/clock.js";
import {atOnce, soon} from "../../lrbn_viz/view/player/js/pieces.js";

// an open port would keep Node waiting after the last test
/** @type {MessagePort[]} */
const ports = [];
globalThis.MessageChannel = class extends MessageChannel {
  constructor() {
    super();
    ports.push(this.port1);
  }
};
after(() => ports.forEach((port) => port.close()));

/** @type {((now: number) => void)[]} */
let asked = [];
let still = false;
let now = 0;

beforeEach(() => {
  asked = [];
  still = false;
  now = performance.now();
  Object.assign(globalThis, {
    window: {matchMedia: () => ({matches: still})},
    requestAnimationFrame: (/** @type {(now: number) => void} */ callback) => asked.push(callback),
    cancelAnimationFrame: () => {
      asked = [];
    },
  });
});

function made(end = 100) {
  /** @type {number[]} */
  const painted = [];
  /** @type {number[]} */
  const rests = [];
  const clock = new Clock(
    (k) => painted.push(k),
    (k) => rests.push(k),
  );
  clock.end = end;
  return {clock, painted, rests};
}

/** @param {number} ms */
function pass(ms) {
  now += ms;
  for (const callback of asked.splice(0)) callback(now);
}

test("however often a paint is asked for, there is one a frame", () => {
  const {clock, painted} = made();
  for (let k = 0; k < 5; k++) clock.seek(k);
  pass(16);
  assert.deepEqual(painted, [4]);
});

test("the cursor stays within the trace", () => {
  const {clock} = made(10);
  clock.seek(99);
  assert.equal(clock.k, 10);
  clock.seek(-3);
  assert.equal(clock.k, 0);
});

test("it plays as far as it is told, once, and from there to the end", () => {
  const {clock, rests} = made(30);
  clock.speed = 60;
  clock.playTo(10);
  now = performance.now();
  for (let frame = 0; frame < 30; frame++) pass(1000 / 60);
  assert.equal(clock.k, 10);
  assert.equal(clock.playing, false);
  clock.playTo(4); // it is past that
  assert.equal(clock.playing, false);
  clock.play();
  now = performance.now();
  for (let frame = 0; frame < 60; frame++) pass(1000 / 60);
  assert.equal(clock.k, 30);
  clock.stop();
  assert.deepEqual(rests, []);
});

test("it plays at its speed, ends at the end, and begins anew from there", () => {
  const {clock} = made(30);
  clock.speed = 60;
  clock.play();
  now = performance.now();
  for (let frame = 0; frame < 12; frame++) pass(1000 / 60);
  assert.ok(Math.abs(clock.k - 12) <= 2, `${clock.k} visits in 12 frames`);
  for (let frame = 0; frame < 30; frame++) pass(1000 / 60);
  assert.equal(clock.k, 30);
  assert.equal(clock.playing, false);
  clock.play();
  assert.equal(clock.k, 0);
  clock.stop();
});

test("a frame that began before it was asked for does not take the cursor before the start", () => {
  const {clock, painted} = made(30);
  clock.play();
  now = performance.now();
  pass(-8);
  assert.deepEqual([clock.k, painted], [0, [0]]);
  clock.stop();
});

test("a tab that was hidden goes on where it was", () => {
  const {clock} = made(1000);
  clock.play();
  now = performance.now();
  pass(60000);
  assert.ok(clock.k <= 7, `${clock.k} visits after a minute without frames`);
  clock.stop();
});

test("who asks for less motion gets still pictures, far apart", () => {
  still = true;
  const {clock, painted} = made(1000);
  clock.play();
  now = performance.now();
  for (let frame = 0; frame < 60; frame++) pass(1000 / 60);
  assert.ok(new Set(painted).size <= 4, `${new Set(painted).size} pictures in a second`);
  clock.stop();
});

test("once the cursor rests, the page is told where", async () => {
  const {clock, rests} = made();
  clock.seek(3);
  clock.seek(7);
  assert.equal(clock.settling, true);
  await new Promise((done) => {
    setTimeout(done, 200);
  });
  assert.deepEqual(rests, [7]);
});

test("work in pieces gives its result at once, or piece by piece after other work", async () => {
  function* pieces() {
    yield 1;
    yield 2;
    return "all";
  }
  assert.equal(atOnce(pieces()), "all");
  /** @type {number[]} */
  const order = [];
  await /** @type {Promise<void>} */ (
    new Promise((done) => {
      soon(() => order.push(1));
      soon(() => {
        order.push(2);
        done();
      });
      order.push(0);
    })
  );
  assert.deepEqual(order, [0, 1, 2]);
});
