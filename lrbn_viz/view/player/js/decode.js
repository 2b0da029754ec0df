// Reading packed blocks (packing.py): magic, header length, JSON header, arrays at multiples of 8 bytes.

import constants from "../../../io/constants.json" with {type: "json"};

/** @type {Record<string, new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers>} */
const ARRAY_TYPES = {
  i1: Int8Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f2: Uint8Array, // the upper bytes of all numbers, then the lower ones
  f4: Float32Array,
  f8: Float64Array,
};

// Bytes are an ArrayBuffer (Panel), a DataView (anywidget) or a Uint8Array (a stand-alone page).
/** @param {Bytes} data */
export function toBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** @template Meta, Content @param {Bytes} data @returns {Block<Meta, Content>}  what the reader says is in it */
export function unpack(data) {
  let bytes = toBytes(data);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== constants.packed_block)
    throw new Error("not a packed block");
  if (bytes.byteOffset % 8) bytes = bytes.slice(); // typed arrays need aligned offsets
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(4, true);
  /** @type {{meta: Meta, arrays: Record<string, {dtype: string, shape: number[], offset: number}>}} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  /** @type {Arrays} */
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) {
    const count = entry.shape.reduce((product, n) => product * n, 1);
    const isHalf = entry.dtype === "f2",
      raw = new ARRAY_TYPES[entry.dtype](
        bytes.buffer,
        bytes.byteOffset + 8 + length + entry.offset,
        isHalf ? 2 * count : count,
      );
    arrays[name] = isHalf ? fromHalf(/** @type {Uint8Array} */ (raw), count) : raw;
  }
  return {meta: header.meta, arrays: /** @type {Content} */ (arrays)};
}

// The arrays of one part of a block, such as a lane, by their names in the part.
/** @template Content @param {Arrays} arrays @param {number} number @returns {Content} */
export function part(arrays, number) {
  const prefix = `${number}.`,
    found = Object.entries(arrays).filter(([name]) => name.startsWith(prefix));
  return /** @type {Content} */ (
    Object.fromEntries(found.map(([name, array]) => [name.slice(prefix.length), array]))
  );
}

// float16 -> float32. Through the bit pattern: exact, also for subnormal numbers.
/** @param {Uint8Array} raw @param {number} count */
export function fromHalf(raw, count) {
  const out = new Float32Array(count);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < count; i++) {
    const upper = raw[i],
      sign = (upper & 0x80) << 24,
      exponent = (upper >> 2) & 0x1f,
      fraction = ((upper & 3) << 8) | raw[count + i];
    if (exponent === 0) {
      const value = fraction * 2 ** -24;
      out[i] = sign ? -value : value;
    } else if (exponent === 31) {
      bits[i] = sign | 0x7f800000 | (fraction << 13);
    } else {
      bits[i] = sign | ((exponent + 112) << 23) | (fraction << 13);
    }
  }
  return out;
}

/** @param {ArrayLike<number>} packed @param {number} count */
export function unpackBits(packed, count) {
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = (packed[i >> 3] >> (7 - (i & 7))) & 1;
  return out;
}

// Eight bits per byte, the first in the top bit: which values are the given one.
/** @param {ArrayLike<number>} values */
export function packBits(values, one = 1) {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (let i = 0; i < values.length; i++) if (values[i] === one) bytes[i >> 3] |= 128 >> (i & 7);
  return bytes;
}

// Weights, rounded to multiples of a step of their row or exact.
/** @param {Numbers} W @param {Float32Array | undefined} scale @param {number} n_v */
function scaled(W, scale, n_v) {
  return scale
    ? Float32Array.from(W, (value, at) => value * scale[Math.floor(at / n_v)])
    : /** @type {Float32Array} */ (W);
}

// The layers of model i, the lowest first; units of all layers are numbered consecutively, a layer's from `first` on.
// W: row j = weights of its latent j on what is below; that is x, or the latents of the layer before; `exact` has all bits.
/** @param {Arrays} arrays @param {Visible} visible */
function layersOf(arrays, visible) {
  /** @type {Layer[]} */
  const layers = [];
  for (let layer = 0, first = 0; arrays[`b${layer || ""}`]; layer++) {
    /** @param {string} name */
    const of = (name) => arrays[`${name}${layer || ""}`];
    const W = of("W"),
      scale = /** @type {Float32Array | undefined} */ (of("scale")),
      b = /** @type {Float64Array} */ (of("b")),
      d = /** @type {Float64Array} */ (of("d"));
    const precision = layer ? undefined : /** @type {Float64Array | undefined} */ (arrays.precision);
    const single = W instanceof Float64Array ? Float32Array.from(W) : scaled(W, scale, b.length);
    layers.push({
      layer,
      first,
      n_v: b.length,
      n_h: d.length,
      W: single,
      exact: W instanceof Float64Array ? W : single,
      b,
      d,
      visible: layer ? "bernoulli" : visible,
      precision,
    });
    first += d.length;
  }
  return layers;
}

// The layer that a unit belongs to.
/** @type {(layers: Layer[], unit: number) => Layer} */
export const layerAt = (layers, unit) => layers[layers.findLastIndex((layer) => layer.first <= unit)];

// The recognition networks of model i, the lowest layer's first: weights, one row per latent, and offsets. Empty without any.
/** @param {Arrays} arrays */
function recognitionOf(arrays) {
  /** @type {Recognition[]} */
  const networks = [];
  for (let layer = 0; arrays[`V${layer || ""}`]; layer++)
    networks.push({
      V: Float64Array.from(arrays[`V${layer || ""}`]),
      c: /** @type {Float64Array} */ (arrays[`c${layer || ""}`]),
    });
  return networks;
}

// The RBM on top of model i, if it has one.
/** @param {Arrays} arrays */
const topOf = ({U, e}) => (U ? {U: Float64Array.from(U), e: /** @type {Float64Array} */ (e)} : undefined);

// Filter of each unit: its weights, or for an upper unit those of the units below, weighted by its weights.
/** @param {Layer[]} layers */
function filtersOf(layers) {
  const [{n_v, W}] = layers;
  if (layers.length === 1) return W;
  const {first, n_h} = layers[layers.length - 1],
    filters = new Float32Array((first + n_h) * n_v);
  filters.set(W);
  for (const upper of layers.slice(1)) {
    const below = layers[upper.layer - 1].first;
    for (let k = 0; k < upper.n_h; k++)
      for (let j = 0; j < upper.n_v; j++) {
        const weight = upper.W[k * upper.n_v + j],
          from = (below + j) * n_v,
          to = (upper.first + k) * n_v;
        for (let i = 0; i < n_v; i++) filters[to + i] += weight * filters[from + i];
      }
  }
  return filters;
}

// -> Map key -> {key, visible, factorised, layers, rounded (whether weights are not the model's own, to save bytes), filters
// (row j = those of unit j), n_h (of all layers), rows, columns}, and n_v, W, b, d of the lowest layer
/** @param {Bytes[]} blocks @returns {Map<string, Model>} */
export function decodeModels(...blocks) {
  return new Map(
    blocks.flatMap((data) => {
      /** @type {Block<ModelsMeta, Arrays>} */
      const {
        meta: {
          models,
          image_shape: [rows, columns],
        },
        arrays,
      } = unpack(data);
      return models.map((model, i) => {
        const own = model.of ?? i,
          layers = layersOf(part(arrays, own), model.visible),
          [{n_v, W, b, d}] = layers;
        const n_h = layers.reduce((sum, layer) => sum + layer.n_h, 0),
          rounded = `${own}.scale` in arrays && !model.own;
        return /** @type {[string, Model]} */ ([
          model.key,
          {
            ...model,
            layers,
            recognition: recognitionOf(part(arrays, i)),
            top: topOf(part(arrays, i)),
            rounded,
            filters: filtersOf(layers),
            n_v,
            n_h,
            W,
            b,
            d,
            rows,
            columns,
          },
        ]);
      });
    }),
  );
}
