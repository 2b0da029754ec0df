// Entry point of the explorer's player and of exported pages.

import {begin} from "./adapters.js";

export {createPlayer} from "./adapters.js";

/** @param {Parameters<typeof begin>[0]} host */
export function render(host) {
  return begin(host).remove;
}

export default {render};
