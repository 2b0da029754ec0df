// Where a run learns, and what a board says and offers for that reason.

/**
 * `lacks` are the messages that nobody answers there; `titles` are those of buttons that do something else there, by the
 * types of their messages.
 * @typedef {{lacks: string[], titles: Record<string, string>, clock: string, discards: string}} Trainer
 */

/** @type {Trainer} */
export const ON_SERVER = {
  lacks: ["slow"],
  titles: {},
  clock: "by the clock of the server's machine",
  discards: "in memory and on disk",
};

/** @type {Trainer} */
export const IN_PAGE = {
  lacks: ["stop", "leave", "save"],
  titles: {
    reset: "Reset: from the beginning, with the chosen seed",
    branch: "Branch: learn on from the moment shown; curves of what came later stay, dashed",
    back: "Go back here and forget what came later",
  },
  clock: "by the clock of this device",
  discards: "and its curves",
};
