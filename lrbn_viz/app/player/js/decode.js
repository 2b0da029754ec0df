// Reading packed blocks (packing.py): magic, header length, JSON header, arrays at multiples of 8 bytes.

const ARRAY_TYPES = {
  i1: Int8Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f2: Uint16Array, f4: Float32Array, f8: Float64Array,
};

// Bytes arrive as an ArrayBuffer (Panel), a DataView (anywidget) or a Uint8Array (a stand-alone page).
function toBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function unpack(data) {
  let bytes = toBytes(data);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "LRB1") throw new Error("not a packed block");
  if (bytes.byteOffset % 8) bytes = bytes.slice(); // typed arrays need their own alignment
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const arrays = {};
  for (const [name, entry] of Object.entries(header.arrays)) {
    const count = entry.shape.reduce((product, n) => product * n, 1);
    const raw = new ARRAY_TYPES[entry.dtype](bytes.buffer, bytes.byteOffset + 8 + length + entry.offset, count);
    arrays[name] = entry.dtype === "f2" ? fromHalf(raw) : raw;
  }
  return {meta: header.meta, arrays};
}

// float16 -> float32. Through the bit pattern: exact, also for subnormal numbers.
function fromHalf(raw) {
  const out = new Float32Array(raw.length);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < raw.length; i++) {
    const half = raw[i];
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
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

function unpackBits(packed, count) {
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = (packed[i >> 3] >> (7 - (i & 7))) & 1;
  return out;
}

// Weights rounded to multiples of a step of their row, or as they are.
function scaled(W, scale, n_v) {
  return scale ? Float32Array.from(W, (value, at) => value * scale[Math.floor(at / n_v)]) : W;
}

// -> Map key -> {key, visible, factorised, n_v, n_h, W (row j = weights of latent j), b, d, rows, columns}
function decodeModels(data) {
  const {meta, arrays} = unpack(data);
  const [rows, columns] = meta.image_shape;
  const models = new Map();
  meta.models.forEach((model, i) => {
    const b = arrays[`${i}.b`], d = arrays[`${i}.d`];
    models.set(model.key, {
      ...model, b, d, W: scaled(arrays[`${i}.W`], arrays[`${i}.scale`], b.length), n_v: b.length, n_h: d.length, rows, columns,
    });
  });
  return models;
}
