// Samples equal those of Python's draw_passes, unit by unit and pixel by pixel, and paths between codes those of interpolate.
import assert from "node:assert/strict";
import {test} from "node:test";
import {draw_passes, noise_image} from "../../lrbn_viz/browser/js/engine.js";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {hasPaths, interpolate} from "../../lrbn_viz/browser/js/paths.js";
import {decodeModels, part, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block, near} from "../js/blocks.js";

assert.ok(loadKernels(block("kernel.wasm")));

const NORMAL = 1e-13; // of normal numbers, whose tables are not NumPy's to the last digit

/** @param {ArrayLike<number>} values */
const largest = (values) => Math.max(1, ...Array.from(values, Math.abs));

/** @typedef {{name: string, models: string, directed: boolean, n: number, held: [number, number][], seed: number, noise: boolean, way: string}} Draw */
/** @type {Block<{draws: Draw[]}, Arrays>} */
const {meta, arrays} = unpack(block("passes.bin"));

meta.draws.forEach(({name, models, directed, n, held, seed, noise, way}, i) => {
  test(`${name}, seed ${seed}, ${held.length} held`, () => {
    const model = /** @type {Model} */ (decodeModels(block(models)).get(name)),
      gaussian = model.visible === "gaussian",
      wanted = part(/** @type {Arrays} */ (arrays), i),
      x0 = noise ? noise_image(model.n_v, seed, gaussian) : wanted.x0,
      found = draw_passes({...model, directed}, n, x0, new Map(held), seed);
    near(x0, wanted.x0, gaussian ? NORMAL : 0);
    assert.equal(found.x0, directed ? null : x0);
    for (const [rows, of] of /** @type {const} */ ([
      [found.H, wanted.H],
      [found.uniforms, wanted.uniforms],
    ]))
      assert.deepEqual(
        rows.flatMap((row) => Array.from(row)),
        Array.from(of),
      );
    near(
      found.X.flatMap((row) => Array.from(row)),
      wanted.X,
      gaussian ? NORMAL * largest(wanted.X) : 0,
    );
    near(
      found.probabilities.flatMap((row) => Array.from(row)),
      wanted.probabilities,
      1e-12,
    );
    assert.equal(hasPaths({...model, directed}), way !== "");
    if (!way) return;
    const {unit, logJoint} = interpolate({...model, directed}, found.H[0], found.H[1], way),
      joints = Array.from(wanted.log_joint);
    assert.deepEqual(Array.from(unit), Array.from(wanted.unit), way);
    near(
      Array.from(logJoint).filter(Number.isFinite),
      joints.filter(Number.isFinite),
      1e-9 * Math.max(1, ...joints.filter(Number.isFinite).map(Math.abs)),
    );
    assert.equal(logJoint.length, joints.length);
  });
});
