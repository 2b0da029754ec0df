// What runs beside the page: the search for local optima.

import {findBasins, packBasins} from "./basins.js";
import {useKernel} from "./kernel.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);

scope.onmessage = ({data: {question, lane, kernel, layer, x, titles, starts}}) => {
  useKernel(kernel);
  const n_starts = layer.n_h <= 50 ? 1000 : 500, found = findBasins(layer, x, n_starts, starts);
  scope.postMessage({block: packBasins(found, layer, x, question, lane, titles), starts: found.optima.map(({start}) => start)});
};
