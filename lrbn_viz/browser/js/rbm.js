// Inference of an RBM by Python's kernels: lrbn_viz/rivals/rbm/trace.py.

import {Record} from "./lrbn.js";
import {kernels, keptWith} from "./memory.js";

/** @typedef {import("./lrbn.js").Trace} Trace */

const SWEEPS = 16; // at a time
const CURSOR = {visits: 0, done: 2}; // places, of three

const machineOf = keptWith((/** @type {Layer} */ {n_h, n_v, exact, b, d, visible, precision}) => {
  const memory = kernels();
  return memory.tuple("Machine", {
    gaussian: visible === "gaussian",
    rows: memory.of("f8", exact, n_h, n_v),
    b: memory.of("f8", b),
    d: memory.of("f8", d),
    precision: memory.of("f8", precision ?? new Float64Array(n_v).fill(1)),
  });
});

// logit P(h_j = 1 | x) of every latent, nats.
/** @param {Layer} layer @param {ArrayLike<number>} x */
export function latentLogOdds(layer, x) {
  const memory = kernels(),
    machine = machineOf(layer);
  return memory.scope(() => {
    const image = memory.of("f8", Float64Array.from(x)),
      fixed = memory.array("f8", layer.n_h);
    memory.call("place_visible", {machine, x: image, fixed});
    return fixed.view.slice();
  });
}

// ICM from all off: of an image of which all is known one visit to each latent, since none looks at another one.
/** @param {Layer} layer @param {ArrayLike<number>} x  NaN where it is not known @returns {Trace} */
export function visitIndependent(layer, x) {
  const memory = kernels(),
    {n_h, n_v} = layer,
    machine = machineOf(layer);
  return memory.scope(() => {
    const image = memory.of("f8", Float64Array.from(x)),
      fixed = memory.array("f8", n_h),
      joint = memory.call("place_visible", {machine, x: image, fixed}),
      cursor = memory.array("i8", 3),
      n_visits = SWEEPS * n_h,
      columns = memory.columns("Visits", n_visits);
    const given = {
      machine,
      x: image,
      fixed,
      u: memory.array("f8", n_v),
      h: memory.array("u1", n_h),
      total: memory.of("f8", [joint]),
      cursor,
      visits: memory.tuple("Visits", columns),
      n_visits,
    };
    const record = new Record(new Uint8Array(n_h), joint);
    while (!cursor.view[CURSOR.done]) {
      cursor.view[CURSOR.visits] = 0n; // whole sweeps end before: these begin a record of their own
      memory.call("visit_independent", given);
      record.add(columns, columns.log_joint, Number(cursor.view[CURSOR.visits]));
    }
    record.sweep = record.unit.map((_, k) => Math.floor(k / n_h));
    return record.trace({});
  });
}
