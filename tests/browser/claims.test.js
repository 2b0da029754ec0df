// What a live page infers at the addresses of lessons, for Python, which asks the claims of the lessons of it.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {Session} from "../../lrbn_viz/view/live/js/session.js";
import {decodeModels, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block} from "../js/blocks.js";

assert.ok(loadKernels(block("kernels")));
/** @type {Block<{sets: number}, Record<string, Uint8Array>>} */
const others = unpack(block("others"));

/** @param {Bytes | ArrayBuffer} models @param {Bytes | ArrayBuffer} images */
function opened(models, images) {
  /** @type {Block<LiveMeta, LiveArrays>} */
  const {meta, arrays} = unpack(images);
  return new Session(decodeModels(models), meta, arrays);
}
const sessions = [
  opened(block("models"), block("images")),
  ...Array.from({length: others.meta.sets}, (_, n) =>
    opened(others.arrays[`models${n}`], others.arrays[`images${n}`]),
  ),
];
/** @type {string[]} */
const queries = /** @type {any} */ (unpack(block("queries")).meta).queries;

test("the page infers at each address, and ignores nothing of it", () => {
  const found = queries.map((query) => {
    const address = Object.fromEntries(new URLSearchParams(query)),
      session = /** @type {Session} */ (sessions.find(({infos}) => infos.has(address.model)));
    assert.ok(session, query);
    assert.deepEqual(session.open(address), [], query);
    return session.traces.map(({h0, unit, after, logOdds, logJoint, sweep}, lane) => ({
      model: session.lanes[lane].model,
      x: Array.from(session.x, (value) => (Number.isNaN(value) ? null : value)),
      h0: Array.from(h0),
      unit: Array.from(unit),
      after: Array.from(after),
      log_odds: Array.from(logOdds),
      log_joint: Array.from(logJoint),
      sweep: Array.from(sweep),
    }));
  });
  writeFileSync(join(/** @type {string} */ (process.env.BLOCKS), "found.json"), JSON.stringify(found));
});
