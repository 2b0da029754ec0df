// A model as a file that Python's save and load_model write and read (estimators/base.py).

import {readNpz, writeNpz} from "./npz.js";
import {pack} from "./write.js";
import constants from "../../../io/constants.json" with {type: "json"};

const NAME = "{}"; // what stands for a file's name (live/files.py)
const {factorised: FACTORISED} = constants;

/** @typedef {import("./npz.js").NpyArray} NpyArray */
/** @typedef {{shape: number[], fortran: boolean, values: Float64Array | Float32Array | Int32Array}} Numeric */

// JSON as Python writes it, which knows infinity.
/** @param {string} text */
export const jsonOf = (text) => JSON.parse(text.replace(/-?\bInfinity\b|\bNaN\b/g, "null"));

/** @param {Model} model @param {FileHead} file @returns {Promise<Blob>} */
export function savedModel(model, {head, layers}) {
  /** @type {Record<string, NpyArray>} */
  const arrays = {};
  for (const [name, text] of Object.entries(head)) arrays[name] = {shape: [], text};
  const {names: latents = [], pixels: visibles = []} = model;
  if (latents.length + visibles.length) arrays.names = {shape: [], text: JSON.stringify({latents, visibles})};
  if (layers) arrays.n_layers = {shape: [], fortran: false, values: Int32Array.of(model.layers.length)};
  for (const {layer, n_v, n_h, exact, b, d} of model.layers) {
    const number = layers ? layer : "";
    // a row of the page is a unit, of Python a pixel: the same order in memory, said to be Fortran's
    arrays[`W${number}`] = {shape: [n_v, n_h], fortran: true, values: exact};
    arrays[`b${number}`] = {shape: [n_v], fortran: false, values: b};
    arrays[`d${number}`] = {shape: [n_h], fortran: false, values: d};
  }
  return writeNpz(arrays);
}

/** @param {Map<string, NpyArray>} arrays @param {string} name */
function textOf(arrays, name) {
  const array = arrays.get(name);
  if (!array || !("text" in array))
    throw new Error(`expected a file of a model, which says its ${name}; got none`);
  return array.text;
}

/** @param {Map<string, NpyArray>} arrays @param {string} name @param {(number | undefined)[]} shape  undefined: any size */
function numbersOf(arrays, name, shape) {
  const array = arrays.get(name);
  if (!array || "text" in array) throw new Error(`it is damaged: expected numbers called ${name}, got none`);
  const {shape: got, values} = array;
  if (got.length !== shape.length || shape.some((size, n) => size !== undefined && size !== got[n]))
    throw new Error(
      `it is damaged: expected ${name} of shape ${shape.map((size) => size ?? "any").join(" x ")}, got ${got.join(" x ")}`,
    );
  if (!values.every(Number.isFinite))
    throw new Error(`it is damaged: expected finite numbers in ${name}, got others`);
  return array;
}

// Weights as the page has them, a row a unit.
/** @param {Numeric} W */
function rowsOf({shape: [n_v, n_h], fortran, values}) {
  if (fortran) return Float64Array.from(values);
  return Float64Array.from({length: n_v * n_h}, (_, at) => values[(at % n_v) * n_h + Math.floor(at / n_v)]);
}

// `data` is what the model learned from, as its file says.
/** @typedef {{n_v: number, visible: Visible, data: string, infos: LiveModel[], described: ModelsMeta["models"], arrays: Record<string, Float64Array>}} OpenedModel */

// A model of a file, called `name`: how it is described, beside its weights read factorised if they can be, and its arrays.
/** @param {Uint8Array} bytes @param {string} name @param {FileKind[]} kinds @returns {Promise<OpenedModel>} */
export async function openedModel(bytes, name, kinds) {
  const found = await readNpz(bytes),
    kind = textOf(found, "kind"),
    head = {kind, settings: textOf(found, "settings"), provenance: textOf(found, "provenance")},
    layered = found.has("n_layers"),
    n_layers = layered ? numbersOf(found, "n_layers", []).values[0] : 1,
    known = kinds.find(
      ({infos: [{file, several_layers}]}) => file?.head.kind === kind && several_layers === n_layers > 1,
    );
  if (!known || found.has("classes")) {
    const others =
      [...new Set(kinds.map(({infos: [{file}]}) => file?.head.kind))].join(" or an ") || "other model";
    throw new Error(`expected an ${others}, got ${kind.slice(0, 40)}: open it in the explorer`);
  }
  /** @type {Record<string, Float64Array>} */
  const arrays = {};
  let n_v,
    below = /** @type {number | undefined} */ (undefined);
  for (let layer = 0; layer < n_layers; layer++) {
    const number = layered ? layer : "",
      at = layer || "",
      W = numbersOf(found, `W${number}`, [below, undefined]),
      [rows, n_h] = W.shape;
    n_v ??= rows;
    arrays[`0.W${at}`] = rowsOf(W);
    arrays[`0.b${at}`] = Float64Array.from(numbersOf(found, `b${number}`, [rows]).values);
    arrays[`0.d${at}`] = Float64Array.from(numbersOf(found, `d${number}`, [n_h]).values);
    below = n_h;
  }
  const {max_sweeps, init, visible} = jsonOf(head.settings),
    named = found.has("names") ? jsonOf(textOf(found, "names")) : {},
    columns = found.has("columns") ? {columns: textOf(found, "columns")} : {},
    called = (/** @type {string} */ text) => text.replaceAll(NAME, () => name);
  const infos = known.infos.map((info) => {
    const usual_start = info.usual_start && typeof init === "string" && init !== "random" ? init : "";
    return {
      ...info,
      key: called(info.key),
      title: called(info.title),
      partner: called(info.partner),
      usual_start,
      opens_from: usual_start,
      methods: info.methods.map((method) =>
        max_sweeps && known.own_sweeps.includes(method.name) ? {...method, max_sweeps} : method,
      ),
      file: info.file && {...info.file, head: {...head, ...columns}},
    };
  });
  const described = known.models.map((model) => ({
    ...model,
    key: called(model.key),
    ...(named.latents?.length && {names: named.latents}),
    ...(named.visibles?.length && {pixels: named.visibles}),
  }));
  const data = String(jsonOf(head.provenance)?.data ?? "");
  return {n_v: n_v ?? 0, visible, data, infos, described, arrays};
}

/** @param {OpenedModel} opened @param {[number, number]} shape  of an image: rows and columns */
export const blockOf = ({described, arrays}, shape) =>
  pack({kind: "models", image_shape: shape, models: described}, arrays);

// A file's head with other values of settings. Its text is Python's JSON, which keeps infinity: only these values change.
/** @param {FileHead} file @param {Record<string, number | string>} changed @returns {FileHead} */
export const withSettings = (file, changed) => ({
  ...file,
  head: {
    ...file.head,
    settings: Object.entries(changed).reduce(
      (text, [name, value]) => text.replace(new RegExp(`("${name}": )[^,}]+`), `$1${JSON.stringify(value)}`),
      file.head.settings,
    ),
  },
});

// The name of the weights that are read factorised, without what says so.
/** @param {string} key */
export const ownKey = (key) => key.replace(FACTORISED, "");
