// The memory of Python's kernels in the browser: arrays and named tuples in it, and calls by the table that the build of
// the module wrote (lrbn_viz/browser/build.py). JavaScript gives a kernel the address of a block with its arguments.

import table from "../table.json" with {type: "json"};

const SLOT = 8, // bytes of an argument in a block
  PAGE = 65536, // by which memory grows
  STACK = 4 * PAGE, // of compiled code, between its constant data and the arrays
  SMALLEST = 64, // bytes of an array: a cache line
  BLOCK = 1024; // of a call's arguments

const VIEWS = {
  f8: Float64Array,
  f4: Float32Array,
  i8: BigInt64Array,
  i4: Int32Array,
  u8: BigUint64Array,
  u2: Uint16Array,
  u1: Uint8Array,
  "?": Uint8Array,
};

/** @typedef {keyof typeof VIEWS} Dtype  as NumPy names it */
/** @typedef {keyof KernelTuples} TupleName */
/** @typedef {keyof KernelArguments} KernelName */
/** @typedef {Record<string, string>} Fields  types by name, as in the table */

const TUPLES = /** @type {Record<string, Fields>} */ (table.tuples),
  FUNCTIONS = /** @type {Record<string, Fields>} */ (table.functions);

/** @param {string} type  of an array */
const dtypeOf = (type) => /** @type {Dtype} */ (type.split("[")[0]);

/** @template {Dtype} D  A C-ordered array in the kernels' memory. */
export class KernelArray {
  /** @param {Memory} memory @param {D} dtype @param {number[]} shape */
  constructor(memory, dtype, shape) {
    this.memory = memory;
    this.dtype = dtype;
    this.shape = shape;
    this.length = shape.reduce((product, n) => product * n, 1);
    this.address = memory.room(this.length * VIEWS[dtype].BYTES_PER_ELEMENT);
  }

  // Its numbers: a view, valid until the memory grows.
  get view() {
    const View = VIEWS[this.dtype];
    return /** @type {InstanceType<typeof VIEWS[D]>} */ (
      new View(this.memory.bytes.buffer, this.address, this.length)
    );
  }

  free() {
    this.memory.free(this.address, this.length * VIEWS[this.dtype].BYTES_PER_ELEMENT);
  }
}

/** @template {TupleName} N  A named tuple in the kernels' memory: a block, which holds its fields. */
export class KernelTuple {
  /** @param {Memory} memory @param {N} name @param {KernelTuples[N]} fields */
  constructor(memory, name, fields) {
    this.memory = memory;
    this.fields = fields;
    this.size = SLOT * Object.values(TUPLES[name]).reduce((sum, type) => sum + slotsOf(type), 0);
    this.address = memory.room(this.size);
    memory.write(this.address, TUPLES[name], fields);
  }

  free() {
    this.memory.free(this.address, this.size);
  }
}

/** @param {string} type */
const slotsOf = (type) => (type in TUPLES ? 1 : 1 + type.split(":").length - 1);

/** @typedef {KernelArray<any> | KernelTuple<any>} Placed */

export class Memory {
  /** @type {Map<number, number[]>} */ unused = new Map(); // addresses by their size, a power of two
  /** @type {Placed[][]} */ scopes = [];
  /** @type {[address: number, size: number][]} */ allocated = []; // by the kernel that runs

  /** @param {BufferSource} module @param {keyof typeof table.data} name  of the module: what infers, or what learns */
  constructor(module, name = "kernels") {
    const data = table.data[name]; // bytes from address 0 on, of constants
    this.bytes = new WebAssembly.Memory({initial: 1 + Math.ceil((data + STACK) / PAGE)});
    this.used = Math.ceil(data / SMALLEST) * SMALLEST + STACK;
    const stack = new WebAssembly.Global({value: "i32", mutable: true}, this.used),
      allocate = (/** @type {number} */ size) => this.allocate(size),
      env = {__linear_memory: this.bytes, __stack_pointer: stack, allocate};
    const {exports} = new WebAssembly.Instance(new WebAssembly.Module(module), {env});
    this.functions = /** @type {Record<string, (block: number) => void>} */ (exports);
    this.block = this.room(BLOCK);
  }

  /** @param {number} size  bytes */
  static sizeOf(size) {
    return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(size || 1)));
  }

  /** @param {number} size  bytes @returns {number} the address of as many that nothing uses */
  room(size) {
    const whole = Memory.sizeOf(size),
      left = this.unused.get(whole)?.pop();
    if (left !== undefined) return left;
    const address = this.used,
      lacking = (this.used += whole) - this.bytes.buffer.byteLength;
    if (lacking > 0) this.bytes.grow(Math.ceil(lacking / PAGE));
    return address;
  }

  // The same for a kernel, until its call ends.
  /** @param {number} size */
  allocate(size) {
    const address = this.room(size);
    this.allocated.push([address, size]);
    return address;
  }

  /** @param {number} address @param {number} size */
  free(address, size) {
    const whole = Memory.sizeOf(size);
    const left = this.unused.get(whole);
    if (left) left.push(address);
    else this.unused.set(whole, [address]);
  }

  // Run `work`, and free all that it has placed in the memory.
  /** @template Result @param {() => Result} work @returns {Result} */
  scope(work) {
    this.scopes.push([]);
    try {
      return work();
    } finally {
      for (const placed of /** @type {Placed[]} */ (this.scopes.pop())) placed.free();
    }
  }

  // Run `work`, and return what it has placed in the memory, which stays there.
  /** @template Result @param {() => Result} work @returns {{made: Result, placed: Placed[]}} */
  kept(work) {
    /** @type {Placed[]} */
    const placed = [];
    this.scopes.push(placed);
    try {
      return {made: work(), placed};
    } finally {
      this.scopes.pop();
    }
  }

  /** @template {Placed} P @param {P} placed @returns {P} */
  noted(placed) {
    this.scopes.at(-1)?.push(placed);
    return placed;
  }

  // An array of zeros.
  /** @template {Dtype} D @param {D} dtype @param {number[]} shape @returns {KernelArray<D>} */
  array(dtype, ...shape) {
    const made = this.noted(new KernelArray(this, dtype, shape));
    new Uint8Array(this.bytes.buffer, made.address, made.view.byteLength).fill(0);
    return made;
  }

  // An array of these numbers, which may be a view of this memory.
  /** @template {Exclude<Dtype, "i8" | "u8">} D @param {D} dtype @param {ArrayLike<number>} values @param {number[]} shape @returns {KernelArray<D>} */
  of(dtype, values, ...shape) {
    // the memory may grow for the array, and then the view is not valid any more
    if (ArrayBuffer.isView(values) && values.buffer === this.bytes.buffer) values = Array.from(values);
    const made = this.noted(new KernelArray(this, dtype, shape.length ? shape : [values.length]));
    /** @type {Float64Array} */ (made.view).set(values);
    return made;
  }

  /** @template {TupleName} N @param {N} name @param {KernelTuples[N]} fields @returns {KernelTuple<N>} */
  tuple(name, fields) {
    return this.noted(new KernelTuple(this, name, fields));
  }

  // Arrays for the columns of a record, whose fields have one axis, by name.
  /** @template {TupleName} N @param {N} name @param {number} n  rows @returns {KernelTuples[N]} */
  columns(name, n) {
    const made = Object.entries(TUPLES[name]).map(([field, type]) => [field, this.array(dtypeOf(type), n)]);
    return Object.fromEntries(made);
  }

  // Write a block of arguments.
  /** @param {number} at @param {Fields} types @param {Record<string, any>} values */
  write(at, types, values) {
    const view = new DataView(this.bytes.buffer);
    for (const [name, type] of Object.entries(types)) {
      const value = values[name];
      if (value === undefined) throw new TypeError(`a kernel's argument is missing: ${name}, ${type}`);
      if (typeof value === "object") {
        const {address, shape = [], dtype} = /** @type {KernelArray<Dtype>} */ (value);
        if (dtype !== undefined && (dtype !== dtypeOf(type) || slotsOf(type) !== 1 + shape.length))
          throw new TypeError(`${name}: expected ${type}, got ${dtype} of ${shape.length} axes`);
        view.setInt32(at, address, true);
        shape.forEach((n, axis) => view.setInt32(at + SLOT * (1 + axis), n, true));
      } else if (type === "f8") view.setFloat64(at, Number(value), true);
      else if (type === "f4") view.setFloat32(at, Number(value), true);
      else view.setInt32(at, Number(value), true);
      at += SLOT * slotsOf(type);
    }
  }

  // Call a kernel; returns its result, if it has one.
  /** @template {KernelName} N @param {N} name @param {KernelArguments[N]} values @returns {number} */
  call(name, values) {
    this.write(this.block, FUNCTIONS[name], values);
    try {
      this.functions[name](this.block);
    } finally {
      for (const [address, size] of this.allocated.splice(0)) this.free(address, size);
    }
    return new DataView(this.bytes.buffer).getFloat64(this.block, true);
  }
}

/** @type {Memory | null} */
let memory = null;

export const WITHOUT =
  "This page computes by WebAssembly with vectors of 128 bits, which this browser does not offer. Chrome and Edge " +
  "have them since version 91, Firefox since 89, Safari since 16.4.";

// Load the kernels, once for all that a page shows; returns false if the browser cannot run them.
/** @param {BufferSource} module @param {keyof typeof table.data} [name] */
export function loadKernels(module, name) {
  try {
    memory ??= new Memory(module, name);
  } catch {
    return false;
  }
  return true;
}

export function kernels() {
  if (!memory) throw new Error("the kernels are not loaded");
  return memory;
}

/** @type {FinalizationRegistry<Placed[]>} */
const registry = new FinalizationRegistry((placed) => placed.forEach((each) => each.free()));

// What `make` places in the memory for an object, made once: it is freed after the object is gone.
/** @template {object} Owner, Made @param {(owner: Owner) => Made} make @returns {(owner: Owner) => Made} */
export function keptWith(make) {
  /** @type {WeakMap<Owner, Made>} */
  const known = new WeakMap();
  return (owner) => {
    const found = known.get(owner);
    if (found) return found;
    const {made, placed} = kernels().kept(() => make(owner));
    known.set(owner, made);
    registry.register(owner, placed);
    return made;
  };
}

export const CONSTANTS = table.constants;
