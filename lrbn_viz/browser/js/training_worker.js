// A run of training on a thread of its own.

import {Learner} from "./learner.js";
import {turns} from "./turns.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);
const learner = new Learner((answer) => scope.postMessage(answer), turns());

scope.onmessage = ({data}) => learner.handle(data);
