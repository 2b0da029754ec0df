// A run of training on a thread of its own.

import {Learner} from "./learner.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);
const turns = new MessageChannel(); // which wait for nothing, as timers do
/** @type {(() => void)[]} */
const waiting = [];

turns.port1.onmessage = () => waiting.shift()?.();

const learner = new Learner(
  (answer) => scope.postMessage(answer),
  (turn) => {
    waiting.push(turn);
    turns.port2.postMessage(null);
  },
);

scope.onmessage = ({data}) => learner.handle(data);
