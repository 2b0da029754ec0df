// The run of a page that trains, on a thread of its own.

import {clockOfWorker} from "../../../browser/js/turns.js";
import {PageRun} from "./run.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);
const run = new PageRun((said) => scope.postMessage(said), clockOfWorker());

scope.onmessage = ({data}) => run.handle(data);
