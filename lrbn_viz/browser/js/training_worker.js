// A run of training on a thread of its own.

import {Learner} from "./learner.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object, transfer: ArrayBuffer[]): void}} */
const scope = /** @type {any} */ (self);
const turns = new MessageChannel(); // which wait for nothing, as timers do
/** @type {(() => void)[]} */
const waiting = [];

turns.port1.onmessage = () => waiting.shift()?.();

/** @param {any} value @returns {ArrayBuffer[]} */
function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

const learner = new Learner(
  (answer) => scope.postMessage(answer, buffersOf(answer)),
  (turn) => {
    waiting.push(turn);
    turns.port2.postMessage(null);
  },
);

scope.onmessage = ({data}) => learner.handle(data);
