// Files of NumPy's savez: a zip of .npy arrays, of which numbers and texts are read. Nothing in them is run. The browser
// inflates and deflates; the containers' layouts are those of PKWARE's APPNOTE and of NumPy's format.

import {fromHalf} from "../../player/js/decode.js";

const MAX_BYTES = 2 ** 28; // of all arrays of a file, as stored in it
const END = 0x06054b50, // marks of a zip's records
  CENTRAL = 0x02014b50,
  LOCAL = 0x04034b50;
const STORED = 0,
  DEFLATED = 8;
const VERSION = 20, // of zip, that reading needs
  EPOCH = 0x21; // 1 January 1980, so that equal models are equal files
const MAGIC = "\x93NUMPY";
const ALIGNED = 64; // bytes of which a header of .npy fills a multiple

/** @typedef {{shape: number[], fortran: boolean, values: Float64Array | Float32Array | Int32Array} | {shape: number[], text: string}} NpyArray */

/** @param {Uint8Array} bytes @param {GenericTransformStream} way */
async function through(bytes, way) {
  const blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(way)).arrayBuffer());
}

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** @param {string} expected @param {string} got */
const damaged = (expected, got) => new Error(`it is damaged: expected ${expected}, got ${got}`);

// -- zip

// The files of a zip, by name. Sizes and places are those of its directory, which is at its end.
/** @param {Uint8Array} bytes @returns {Promise<Map<string, Uint8Array>>} */
async function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("expected a file that save() wrote, a .npz, got something else");
  /** @type {Map<string, Uint8Array>} */
  const found = new Map();
  let total = 0;
  for (let n = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true); n > 0; n--) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL) throw damaged("an entry", "other bytes");
    const method = view.getUint16(at + 10, true),
      packed = view.getUint32(at + 20, true),
      size = view.getUint32(at + 24, true),
      lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true)),
      local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + lengths[0]));
    if ((total += size) > MAX_BYTES)
      throw new Error(`expected arrays of at most ${MAX_BYTES / 2 ** 20} MiB, got more`);
    if (local + 30 > end || view.getUint32(local, true) !== LOCAL) throw damaged("a file", "other bytes");
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
      raw = bytes.subarray(start, start + packed);
    if (method !== STORED && method !== DEFLATED) throw damaged("deflated arrays", `method ${method}`);
    const content = method ? await through(raw, new DecompressionStream("deflate-raw")) : raw;
    if (content.length !== size || crc32(content) !== view.getUint32(at + 16, true))
      throw damaged(`${name} as it was written`, "other bytes");
    found.set(name, content);
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return found;
}

// Bytes of a record of a zip: numbers of two bytes or, as bigints, of four.
/** @param {(number | bigint)[]} fields */
function record(fields) {
  const bytes = new Uint8Array(
      fields.map((field) => (typeof field === "bigint" ? 4 : 2)).reduce((sum, n) => sum + n, 0),
    ),
    view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of fields) {
    if (typeof field === "bigint") view.setUint32(at, Number(field), true);
    else view.setUint16(at, field, true);
    at += typeof field === "bigint" ? 4 : 2;
  }
  return bytes;
}

/** @param {[string, Uint8Array][]} files @returns {Promise<Blob>} */
async function zip(files) {
  const parts = [],
    directory = [];
  let offset = 0,
    listed = 0;
  for (const [file, content] of files) {
    const name = new TextEncoder().encode(file),
      packed = await through(content, new CompressionStream("deflate-raw")),
      about = [
        0,
        DEFLATED,
        0,
        EPOCH,
        BigInt(crc32(content)),
        BigInt(packed.length),
        BigInt(content.length),
        name.length,
        0,
      ];
    const head = record([BigInt(LOCAL), VERSION, ...about]),
      entry = record([BigInt(CENTRAL), VERSION, VERSION, ...about, 0, 0, 0, 0n, BigInt(offset)]);
    parts.push(head, name, packed);
    directory.push(entry, name);
    offset += head.length + name.length + packed.length;
    listed += entry.length + name.length;
  }
  const n = files.length,
    end = record([BigInt(END), 0, 0, n, n, BigInt(listed), BigInt(offset), 0]);
  return new Blob([...parts, ...directory, end]);
}

// -- npy

/** @type {Record<string, (view: DataView, at: number) => number>} */
const NUMBERS = {
  f4: (view, at) => view.getFloat32(at, true),
  f8: (view, at) => view.getFloat64(at, true),
  b1: (view, at) => view.getUint8(at),
  u1: (view, at) => view.getUint8(at),
  i1: (view, at) => view.getInt8(at),
  u2: (view, at) => view.getUint16(at, true),
  i2: (view, at) => view.getInt16(at, true),
  u4: (view, at) => view.getUint32(at, true),
  i4: (view, at) => view.getInt32(at, true),
  u8: (view, at) => Number(view.getBigUint64(at, true)),
  i8: (view, at) => Number(view.getBigInt64(at, true)),
};

/** @param {string} name @param {Uint8Array} bytes @returns {NpyArray} */
function arrayOf(name, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (String.fromCharCode(...bytes.subarray(0, 6)) !== MAGIC)
    throw damaged(`an array called ${name}`, "other bytes");
  const wide = bytes[6] > 1,
    start = (wide ? 12 : 10) + (wide ? view.getUint32(8, true) : view.getUint16(8, true)),
    header = new TextDecoder().decode(bytes.subarray(wide ? 12 : 10, start)),
    [, kind] = /'descr': '[<|]?([a-zA-Z]\d+)'/.exec(header) ?? [],
    [, order] = /'fortran_order': (True|False)/.exec(header) ?? [],
    [, sizes] = /'shape': \(([\d, ]*)\)/.exec(header) ?? [];
  if (!kind || !order || sizes === undefined)
    throw damaged(`numbers or a text in ${name}`, header.slice(0, 80));
  const shape = sizes
      .split(",")
      .filter((size) => size.trim())
      .map(Number),
    n = shape.reduce((product, size) => product * size, 1);
  /** @param {number} size */
  const check = (size) => {
    if (bytes.length - start !== n * size)
      throw damaged(`${n * size} bytes of ${name}`, `${bytes.length - start}`);
  };
  const size = Number(kind.slice(1));
  if (kind.startsWith("U")) {
    check(4 * size); // code points, then zeros
    const points = Array.from({length: n * size}, (_, i) => view.getUint32(start + 4 * i, true));
    return {shape, text: String.fromCodePoint(...points.filter(Boolean))};
  }
  check(size);
  const data = new DataView(bytes.buffer, bytes.byteOffset + start, n * size);
  let values;
  if (kind === "f2") {
    const apart = new Uint8Array(2 * n); // upper bytes, then lower ones
    for (let i = 0; i < 2 * n; i++) apart[(i >> 1) + (i % 2 ? 0 : n)] = data.getUint8(i);
    values = Float64Array.from(fromHalf(apart, n));
  } else if (kind in NUMBERS)
    values = Float64Array.from({length: n}, (_, i) => NUMBERS[kind](data, i * size));
  else throw damaged(`numbers or a text in ${name}`, `values of type ${kind}`);
  return {shape, fortran: order === "True", values};
}

/** @param {string} descr @param {number[]} shape @param {boolean} fortran @param {Uint8Array} content */
function npy(descr, shape, fortran, content) {
  const sizes = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`,
    said = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${sizes}, }`,
    length = Math.ceil((11 + said.length) / ALIGNED) * ALIGNED,
    header = `${said.padEnd(length - 11)}\n`,
    bytes = new Uint8Array(length + content.length);
  bytes.set(Array.from(MAGIC, (letter) => letter.charCodeAt(0)));
  bytes.set([1, 0, (length - 10) & 255, (length - 10) >> 8], 6);
  bytes.set(new TextEncoder().encode(header), 10);
  bytes.set(content, length);
  return bytes;
}

// -- both

/** @param {Uint8Array} bytes @returns {Promise<Map<string, NpyArray>>}  by name */
export async function readNpz(bytes) {
  try {
    const files = await unzip(bytes);
    return new Map(
      Array.from(files, ([file, content]) => {
        const name = file.replace(/\.npy$/, "");
        return [name, arrayOf(name, content)];
      }),
    );
  } catch (error) {
    // what the browser says of bytes that it cannot inflate, or that are not there
    if (error instanceof TypeError || error instanceof RangeError)
      throw damaged("a whole file", "a part of one, or other bytes");
    throw error;
  }
}

/** @param {Record<string, NpyArray>} arrays @returns {Promise<Blob>} */
export const writeNpz = (arrays) =>
  zip(
    Object.entries(arrays).map(([name, array]) => {
      if (!("text" in array)) {
        const whole = array.values instanceof Int32Array,
          {buffer} = whole ? array.values.slice() : Float64Array.from(array.values);
        return [
          `${name}.npy`,
          npy(whole ? "<i4" : "<f8", array.shape, array.fortran, new Uint8Array(buffer)),
        ];
      }
      const points = Uint32Array.from(Array.from(array.text), (letter) => letter.codePointAt(0) ?? 0);
      return [`${name}.npy`, npy(`<U${points.length}`, [], false, new Uint8Array(points.buffer))];
    }),
  );
