// Held units in addresses.

/** @param {Map<number, number>} held */
export const textOfHeld = (held) =>
  Array.from(held)
    .sort(([a], [b]) => a - b)
    .map(([unit, value]) => `${unit}${value ? "on" : "off"}`)
    .join(".");

/** @param {string} text @param {number} n_h @returns {Map<number, number> | null} */
export function heldOfText(text, n_h) {
  /** @type {Map<number, number>} */
  const held = new Map();
  for (const part of text ? text.split(".") : []) {
    const match = /^([0-9]{1,6})(on|off)$/.exec(part);
    if (!match || Number(match[1]) >= n_h) return null;
    held.set(Number(match[1]), Number(match[2] === "on"));
  }
  return held;
}
