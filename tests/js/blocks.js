// Blocks that Python packed for these tests, and what the engine says of them; test_javascript.py writes both.
import {readFileSync} from "node:fs";
import {join} from "node:path";

/** @param {string} name */
function read(name) {
  const folder = process.env.BLOCKS;
  if (!folder) throw new Error("these tests need blocks from Python: run pytest tests/js, which runs them");
  return readFileSync(join(folder, name));
}

// As Panel hands them over; a view into a larger buffer, not at a multiple of 8, is how a notebook does.
/** @param {string} name */
export function block(name) {
  const bytes = read(name);
  return /** @type {ArrayBuffer} */ (
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  );
}

export const expected = JSON.parse(read("expected.json").toString());

/** @param {ArrayLike<number>} found @param {ArrayLike<number>} wanted @param {number} most */
export function near(found, wanted, most) {
  if (found.length !== wanted.length)
    throw new Error(`${found.length} values where ${wanted.length} were expected`);
  for (let i = 0; i < wanted.length; i++) {
    if (!(Math.abs(found[i] - wanted[i]) <= most))
      throw new Error(`value ${i} is ${found[i]}; expected ${wanted[i]} within ${most}`);
  }
}
