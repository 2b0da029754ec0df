// Turns of work: as fast as it can or at a pace, until it pauses, is over or fails.
import assert from "node:assert/strict";
import {test} from "node:test";
import {Turns} from "../../lrbn_viz/browser/js/turns.js";
import {clockOf} from "./clock.js";

/** @param {{until?: number, fails?: number}} [how] */
function begun({until = Infinity, fails = Infinity} = {}) {
  const at = {now: 0, waits: /** @type {number[]} */ ([])},
    pending = /** @type {(() => void)[]} */ ([]);
  const work = {
    steps: 0,
    told: 0,
    failed: "",
    get over() {
      return this.steps >= until;
    },
    step() {
      this.steps += 1;
      if (this.steps === fails) throw new Error("diverged");
    },
    after() {
      this.told += 1;
    },
    fail(/** @type {unknown} */ error) {
      this.failed = String(error);
    },
  };
  const turns = new Turns(clockOf(pending, at), work);
  const next = () => /** @type {() => void} */ (pending.shift())();
  return {turns, work, at, pending, next};
}

test("a turn takes steps for 12 ms, and messages are read before the next one", () => {
  const {turns, work, next, pending, at} = begun();
  turns.play();
  next();
  assert.ok(work.steps > 5 && work.steps <= 12, `${work.steps}`);
  assert.deepEqual([work.told, pending.length, at.waits.length], [1, 1, 0]);
  turns.pause();
  next();
  assert.deepEqual([work.told, pending.length], [1, 0]);
});

test("playing twice takes one turn at a time", () => {
  const {turns, pending} = begun();
  turns.play();
  turns.play();
  assert.equal(pending.length, 1);
});

test("a pace is kept, and a long pause is not made up for", () => {
  const {turns, work, at, next} = begun();
  turns.pace = 10;
  turns.play();
  const from = at.now;
  while (at.now - from < 2000) {
    at.now += 8;
    next();
  }
  assert.ok(Math.abs(work.steps - 20) <= 1, `${work.steps}`);
  assert.deepEqual([...new Set(at.waits)], [8]);
  const {steps} = work;
  at.now += 100_000;
  next();
  next();
  assert.ok(work.steps - steps <= 12, "no more than a turn's");
  turns.pace = Infinity;
  next();
  next();
  assert.ok(work.steps > steps + 5);
});

test("it ends when the work is over, and when a step fails", () => {
  const whole = begun({until: 3});
  whole.turns.play();
  whole.next();
  assert.deepEqual([whole.work.steps, whole.work.told, whole.turns.playing], [3, 1, false]);
  whole.turns.play();
  assert.equal(whole.pending.length, 0);
  const fails = begun({fails: 2});
  fails.turns.play();
  fails.next();
  assert.deepEqual(
    [fails.work.failed, fails.turns.playing, fails.pending.length],
    ["Error: diverged", false, 0],
  );
  assert.equal(fails.work.told, 0);
});
