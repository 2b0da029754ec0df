// Work on a thread of its own: the search for local optima, exact results of small models, and samples.

import {findBasins, packBasins, pageStarts} from "./basins.js";
import {drawnArrays} from "./drawn.js";
import {loadKernels} from "../../../browser/js/memory.js";
import {knownOf} from "./truth.js";

/** @type {{onmessage: ((event: MessageEvent) => void) | null, postMessage(message: object): void}} */
const scope = /** @type {any} */ (self);

scope.onmessage = ({data}) => {
  loadKernels(data.kernels);
  if (data.kind === "truth")
    return scope.postMessage(
      data.lanes.map((/** @type {Parameters<typeof knownOf>} */ lane) => knownOf(...lane)),
    );
  if (data.kind === "passes") return scope.postMessage(drawnArrays(data.draw));
  const {question, lane, layer, x, titles, starts} = data;
  const found = findBasins(layer, x, pageStarts(layer.n_h), starts);
  scope.postMessage({
    block: packBasins(found, layer, x, question, lane, titles),
    starts: found.optima.map(({start}) => start),
  });
};
