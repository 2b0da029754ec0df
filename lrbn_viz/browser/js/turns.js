// Turns of work on a worker's thread, between which it reads its messages.

/**
 * The time, in ms, and functions that run a turn: `later` once messages have been read, `wait` after so many ms.
 * @typedef {{now(): number, later(turn: () => void): void, wait(turn: () => void, ms: number): void}} Clock
 */
/**
 * What a turn does: its steps, until `over`; `after` them what is to be told, at the time `now`, at which it may pause.
 * @typedef {{over: boolean, step(): void, after(now: number): void, fail(error: unknown): void}} Work
 */

const AT_A_TIME = 12, // ms of steps between two looks for messages
  WAIT = 8, // ms until the next turn of work that is slowed down
  AHEAD = 50; // a late turn makes up for a share of 1/50 s at most

// The clock of a worker, which runs each turn at once, as a timer would wait for milliseconds.
/** @returns {Clock} */
export function clockOfWorker() {
  const channel = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    later(turn) {
      waiting.push(turn);
      channel.port2.postMessage(null);
    },
    wait: (turn, ms) => setTimeout(turn, ms),
  };
}

// Work that plays in turns, as fast as it can or at a pace, until it pauses or is over.
export class Turns {
  playing = false;
  waiting = false; // for the next turn
  due = 0; // steps that slow work may take
  turned = 0;
  steps = Infinity; // a second

  /** @param {Clock} clock @param {Work} work */
  constructor(clock, work) {
    this.clock = clock;
    this.work = work;
  }

  // Steps a second.
  get pace() {
    return this.steps;
  }

  set pace(steps) {
    this.steps = steps;
    this.due = 0;
  }

  play() {
    this.playing = !this.work.over;
    this.due = 0;
    this.turned = this.clock.now();
    this.turnLater();
  }

  pause() {
    this.playing = false;
  }

  turnLater() {
    if (this.waiting || !this.playing) return;
    this.waiting = true;
    const turn = () => {
      this.waiting = false;
      this.turn();
    };
    if (this.due < 1 && this.pace !== Infinity) this.clock.wait(turn, WAIT);
    else this.clock.later(turn);
  }

  turn() {
    if (!this.playing) return;
    const {clock, work, pace} = this,
      began = clock.now();
    this.due = pace === Infinity ? Infinity : this.due + (pace * (began - this.turned)) / 1000;
    this.turned = began;
    try {
      while (!work.over && this.due >= 1 && clock.now() - began < AT_A_TIME) {
        work.step();
        this.due -= 1;
      }
    } catch (error) {
      this.playing = false;
      return work.fail(error);
    }
    if (pace !== Infinity) this.due = Math.min(this.due, 1 + pace / AHEAD);
    if (work.over) this.playing = false;
    work.after(clock.now());
    this.turnLater();
  }
}
