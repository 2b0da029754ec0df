// A visitor's table in the live page, a text of rows and columns that are on, off or not known, or a visitor's pictures: as
// observations of a data set and of a run that learns from them. Nothing of it leaves the page.

import {packBits} from "../../player/js/decode.js";
import {many} from "../../player/js/format.js";
import {bitsOfFile} from "../../player/js/image_file.js";
import {UNKNOWN} from "../../player/js/known.js";
import {Generator} from "../../../browser/js/random.js";
import {withSettings} from "./model_file.js";
import {pack} from "./write.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {
  table_words: {pairs, unknown: UNKNOWN_WORDS},
  max_name_length: MAX_NAME,
} = constants;
const DELIMITERS = [",", ";", "\t", "|"];
const SIDE = 16, // pixels of a picture's height and width
  MAX_PICTURES = 2000;
const MAX_COLUMNS = 1000,
  MAX_ROWS = 50000,
  MIN_ROWS = 20, // of which all is known: fewer teach nothing
  MAX_SHOWN = 2000, // rows of the Inference view
  MAX_HELD = 200; // rows that no model learns from, at most a fifth
const SPREAD = 0.1; // of initial weights

const STATES = new Map([
  ...pairs.flatMap(
    ([one, zero]) =>
      /** @type {[string, number][]} */ ([
        [one, 1],
        [zero, 0],
      ]),
  ),
  ...UNKNOWN_WORDS.map((word) => /** @type {[string, number]} */ ([word, UNKNOWN])),
]);

// State of a cell; undefined where it has none.
/** @param {string} cell */
function stateOf(cell) {
  const word = cell.trim().toLowerCase(),
    known = STATES.get(word);
  if (known !== undefined) return known;
  const number = Number(word);
  return number === 0 || number === 1 ? number : undefined;
}

// Cells of a text, row by row; a cell in quotes may hold what separates cells and rows, and quotes that are written twice.
/** @param {string} text @param {string} delimiter */
function cellsOf(text, delimiter) {
  const rows = [],
    end = text.length;
  /** @type {string[]} */
  let row = [];
  for (let at = 0; at < end;) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < end && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    }
    const start = at;
    while (at < end && text[at] !== delimiter && text[at] !== "\n") at++;
    row.push(cell + text.slice(start, at));
    if (text[at] !== delimiter || at + 1 === end) {
      if (text[at] === delimiter) row.push("");
      if (row.length > 1 || row[0].trim()) rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}

/** @typedef {{name: string, names: string[] | null, shape: [number, number], n: number, n_v: number, states: Uint8Array}} Table  `states` row by row */

/** @param {string} text @param {string} name @returns {Table} */
export function readTable(text, name) {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"),
    [line] = plain.split("\n", 1),
    counts = DELIMITERS.map((delimiter) => line.split(delimiter).length),
    cells = cellsOf(plain, DELIMITERS[counts.indexOf(Math.max(...counts))]),
    n_v = cells[0]?.length ?? 0,
    named = cells.length > 0 && cells[0].some((cell) => stateOf(cell) === undefined),
    rows = named ? cells.slice(1) : cells;
  if (n_v < 2 || n_v > MAX_COLUMNS)
    throw new Error(`expected a table of 2 to ${many(MAX_COLUMNS)} columns, got ${many(n_v)}`);
  if (!rows.length || rows.length > MAX_ROWS)
    throw new Error(`expected 1 to ${many(MAX_ROWS)} rows below the names, got ${many(rows.length)}`);
  const names = named ? cells[0].map((cell) => cell.trim()) : null;
  if (names) checkNames(names);
  const states = new Uint8Array(rows.length * n_v);
  rows.forEach((row, m) => {
    const where = `row ${many(m + 1)}`;
    if (row.length !== n_v)
      throw new Error(`expected ${many(n_v)} cells in ${where}, got ${many(row.length)}`);
    row.forEach((cell, i) => {
      const state = stateOf(cell);
      if (state === undefined)
        throw new Error(
          `expected yes or no, true or false, 1 or 0, or nothing in each cell, got \u201c${cell.slice(0, 40)}\u201d in ${where}, column ${names?.[i] ?? i + 1}: the explorer reads numbers and classes, too`,
        );
      states[m * n_v + i] = state;
    });
  });
  const side = Math.sqrt(n_v),
    picture = !names && Number.isInteger(side) && side > 3; // rows of pixels have no names
  return {
    name: name.slice(0, MAX_NAME),
    names: picture ? null : (names ?? Array.from({length: n_v}, (_, i) => `column ${i + 1}`)),
    shape: picture ? [side, side] : [1, n_v],
    n: rows.length,
    n_v,
    states,
  };
}

// Pictures as rows of pixels that are ink or none.
/** @param {File[]} files @param {string} name @returns {Promise<Table>} */
export async function readPictures(files, name) {
  if (files.length > MAX_PICTURES)
    throw new Error(`expected at most ${many(MAX_PICTURES)} pictures, got ${many(files.length)}`);
  const n_v = SIDE * SIDE,
    states = new Uint8Array(files.length * n_v);
  for (const [m, file] of files.entries()) {
    const bits = await bitsOfFile(file, SIDE, SIDE).catch(() => {
      throw new Error(`expected pictures that this browser can show, got ${file.name}`);
    });
    if (!bits) throw new Error(`expected pictures of two tones or more, got ${file.name}, which has one`);
    states.set(bits, m * n_v);
  }
  return {name, names: null, shape: [SIDE, SIDE], n: files.length, n_v, states};
}

// As core/names.py has it.
/** @param {string[]} names */
function checkNames(names) {
  for (const [n, name] of names.entries()) {
    if (!name || name.length > MAX_NAME || /\p{C}/u.test(name))
      throw new Error(
        `expected a name of 1 to ${MAX_NAME} characters for each column, got \u201c${name.slice(0, 80)}\u201d for column ${n + 1}`,
      );
    if (names.indexOf(name) < n) throw new Error(`expected names that differ, got \u201c${name}\u201d twice`);
  }
}

// -- a run that learns from it

// Rows of which all is known, in an order that the seed draws.
/** @param {Table} table @param {Generator} generator */
function wholeRows({n, n_v, states}, generator) {
  const rows = Array.from({length: n}, (_, m) => states.subarray(m * n_v, (m + 1) * n_v)).filter(
    (row) => !row.includes(UNKNOWN),
  );
  return Array.from(generator.permuted(Int32Array.from(rows.keys())), (m) => rows[m]);
}

/** @param {Uint8Array[]} rows @param {number} n_v */
function bitsOf(rows, n_v) {
  const stride = Math.ceil(n_v / 8),
    bits = new Uint8Array(rows.length * stride);
  rows.forEach((row, m) => bits.set(packBits(row), m * stride));
  return bits;
}

// The run of two models with `n_h` latents each on a table: what training_blocks of Python packs for a data set.
/** @param {Table} table @param {OwnRun} own @param {number} n_h @returns {{meta: PageRunMeta, arrays: Arrays}} */
export function runOn(table, own, n_h) {
  const {name, names, shape, n_v} = table,
    generator = new Generator(0),
    rows = wholeRows(table, generator);
  if (rows.length < MIN_ROWS)
    throw new Error(
      `expected at least ${MIN_ROWS} rows of which all is known, to learn from, got ${many(rows.length)}`,
    );
  const n_held = Math.min(MAX_HELD, Math.floor(rows.length / 5)),
    n_train = rows.length - n_held,
    left = table.n - rows.length;
  /** @type {Arrays} */
  const arrays = {images: bitsOf(rows.slice(0, n_train), n_v), held: bitsOf(rows.slice(n_train), n_v)};
  own.lanes.forEach(({n_particles, predicts, settings: {nonnegative}}, n) => {
    arrays[`${n}.W`] = generator
      .uniforms(n_h * n_v)
      .map((share) => SPREAD * (nonnegative ? share : 2 * share - 1));
    arrays[`${n}.b`] = new Float64Array(n_v);
    arrays[`${n}.d`] = new Float64Array(n_h);
    if (predicts) arrays[`${n}.predicted`] = Uint16Array.from({length: n_v}, (_, i) => i);
    if (n_particles) arrays[`${n}.particles`] = generator.coins(n_particles * n_h);
  });
  const lanes = own.lanes.map((lane) => ({
    ...lane,
    n_h,
    settings: {...lane.settings, n_h},
    words: lane.words.replace(/(= )\d+/, `$1${n_h}`),
    per_pass: Math.ceil(n_train / own.batch_size),
    info: {
      ...lane.info,
      file:
        lane.info.file &&
        withSettings(
          {...lane.info.file, head: {...lane.info.file.head, ...(names && {columns: JSON.stringify(names)})}},
          {n_components: n_h},
        ),
    },
  }));
  const meta = {
    dataset: name,
    title: name,
    training_image: `${name}, training ${names ? "row" : "image"}`,
    about: !names
      ? own.about_pictures
      : left
        ? `${own.about} ${many(left)} row${left === 1 ? " has a cell that is" : "s have cells that are"} not known: no model learns from ${left === 1 ? "it" : "them"}.`
        : own.about,
    image_shape: shape,
    variables: names,
    n_train,
    n_held,
    batch_size: own.batch_size,
    n_iter: own.n_iter,
    seed: 0,
    lanes,
    models: {
      image_shape: shape,
      models: own.models.map((model) => ({...model, ...(names && {pixels: names})})),
    },
    own,
    first: true,
  };
  return {meta, arrays};
}

// -- its rows in the Inference view

// Blocks of a data set of the page: the table's rows, and the models of a run before it learns.
/** @param {Table} table @param {{meta: PageRunMeta, arrays: Arrays}} run @param {FileKind[]} file_kinds */
export function blocksOf({name, names, shape, n, n_v, states}, {meta, arrays}, file_kinds) {
  const shown = Math.min(n, MAX_SHOWN),
    rows = Array.from({length: shown}, (_, m) => states.subarray(m * n_v, (m + 1) * n_v)),
    keys = meta.lanes.map(({title}) => `${title} before learning from ${name}`),
    infos = meta.lanes.map(({info}, n) => ({...info, key: keys[n], title: keys[n], partner: keys[1 - n]})),
    unknown = rows.map((row) => row.map((state) => Number(state === UNKNOWN)));
  const images = {
    models: infos,
    shown: keys,
    data: name,
    dataset: name,
    test_image: `${name}, ${names ? "row" : "image"}`,
    part: "",
    title: "",
    rounded: "",
    image: 0,
    class_names: [names ? "row" : "image"],
    variables: names,
    image_shape: shape,
    binary: true,
    lessons: [],
    in_class: false,
    opening: {},
    file_kinds,
  };
  return {
    models: pack(
      {...meta.models, models: meta.models.models.map((model, n) => ({...model, key: keys[n]}))},
      Object.fromEntries(Object.entries(arrays).filter(([name]) => /^\d\.[Wbd]$/.test(name))),
    ),
    images: pack(images, {
      pixels: bitsOf(rows, n_v),
      unknown: bitsOf(unknown, n_v),
      index: Uint32Array.from(rows.keys()),
      label: new Uint16Array(shown),
    }),
    usage: null,
  };
}
