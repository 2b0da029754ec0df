// The third state of a visible unit: not known. Among the values of an image it is NaN, as in Python; among the states that
// one presses and that travel in links it is a number of its own beside 0 and 1.

import {packBits, unpackBits} from "./decode.js";

export const UNKNOWN = 2;

// States of the values of a binary image.
/** @param {ArrayLike<number>} x */
export const statesOf = (x) =>
  Uint8Array.from(x, (value) => (Number.isNaN(value) ? UNKNOWN : Number(value > 0.5)));

// The states of a packed image (packing.py).
/** @param {{x: ArrayLike<number>, unknown?: ArrayLike<number>}} packed @param {number} n_v */
export function statesOfBits({x, unknown}, n_v) {
  const states = unpackBits(x, n_v);
  if (unknown)
    unpackBits(unknown, n_v).forEach((is, i) => {
      if (is) states[i] = UNKNOWN;
    });
  return states;
}

// Values of states: bits where all are known.
/** @param {Uint8Array} states @returns {Uint8Array | Float32Array} */
export const valuesOf = (states) =>
  states.includes(UNKNOWN) ? Float32Array.from(states, (state) => (state === UNKNOWN ? NaN : state)) : states;

// States as base64 for addresses, as `pixels_to_text` writes them: eight a byte, the first in the top bit; those that are on
// and, if any is not known, those that are not.
/** @param {ArrayLike<number>} states */
export function textOfStates(states) {
  const on = packBits(states),
    unknown = packBits(states, UNKNOWN),
    bytes = unknown.some(Boolean) ? [...on, ...unknown] : on;
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

// The states of such a text; null where it does not hold n of them.
/** @param {string} text @param {number} n */
export function statesOfText(text, n) {
  const bytes = Math.ceil(n / 8);
  let raw;
  try {
    raw = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
  if (raw.length !== bytes && raw.length !== 2 * bytes) return null;
  const states = unpackBits(raw, n);
  if (raw.length === bytes) return states;
  const unknown = unpackBits(raw.subarray(bytes), n);
  return states.some((on, i) => on && unknown[i]) ? null : states.map((on, i) => (unknown[i] ? UNKNOWN : on));
}
