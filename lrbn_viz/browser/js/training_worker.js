// A run of training on a thread of its own.

import {Learner} from "./learner.js";
import {clockOfWorker} from "./turns.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object, transfer: ArrayBuffer[]): void}} */
const scope = /** @type {any} */ (self);

const learner = new Learner((answer) => scope.postMessage(answer, buffersOf(answer)), clockOfWorker());

/** @param {any} value @returns {ArrayBuffer[]} */
function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

scope.onmessage = ({data}) => learner.handle(data);
