// Numbers as text, in sentences with a true minus sign, with commas from 1,000 on, and with a plus sign for differences.
/** @param {number} value */
export const number = (value, digits = 1) =>
  value
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, "") // without a negative zero
    .replace("-", "\u2212")
    .replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
/** @param {number} value */
export const signed = (value, digits = 2) => number(value, digits).replace(/^(?=\d)/, "+");
// Whether nats are written as +0.00.
/** @param {number} value */
export const isZero = (value) => signed(value) === signed(0);

/** @param {number} value */
export const brief = (value) => number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

// 0.152 -> "15.2 %", 0.00000032 -> "3.2 x 10^-7"
/** @param {number} p */
export function chance(p) {
  if (p >= 0.001 || p === 0) return `${number(100 * p, p >= 0.1 ? 1 : 2)}\u00a0%`;
  const [digits, power] = p.toExponential(1).split("e");
  return `${digits} \u00d7 10${Array.from(power, (sign) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[Number(sign)] || "\u207b").join("")}`;
}
// Text in which no line ends within a joint probability.
/** @param {string} text */
export const unbroken = (text) =>
  text.replace(/(log )?P(\*?)\(x, h\)/g, (_, log, star) => `${log ? "log\u00a0" : ""}P${star}(x,\u00a0h)`);
// With a capital letter, as a sentence or a line begins.
/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const WHOLE = new Intl.NumberFormat("en"); // a number's own toLocaleString makes one each time

/** @param {number} n */
export const many = (n) => WHOLE.format(n);

/** @param {number} n */
export const mebibytes = (n) =>
  (n / 2 ** 20).toLocaleString("en", {minimumFractionDigits: 1, maximumFractionDigits: 1});

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.ceil(seconds),
    hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

// Round numbers from low to high, of about a given number, and the digits that distinguish them.
/** @param {number} low @param {number} high @param {number} count */
export function niceTicks(low, high, count) {
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough) ?? 10);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) ticks.push(tick);
  return {ticks, digits: Math.max(0, -Math.floor(Math.log10(step)))};
}

// "mnist5k test image 0, changed" at visit 650 -> mnist5k-test-image-0-changed-visit-650.png; of a card -> ...-650-why.png
/** @param {{caption?: string, title?: string}} meta @param {number} k @param {string} kind @param {string} [card] */
export function fileName({caption, title}, k, kind, card) {
  const words = (caption || title || "trace")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${words || "trace"}-visit-${k}${card ? `-${card}` : ""}.${kind}`;
}

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// A share, 0 to 1, as a byte.
/** @param {number} value */
export const byte = (value) => clamp(Math.round(255 * value), 0, 255);

// The colour of a value between -1 and 1 in a table of 511.
/** @param {Uint32Array} table @param {number} value */
export const signedColour = (table, value) => table[255 + Math.round(255 * clamp(value, -1, 1))];

/** @param {number} at  milliseconds since 1970 */
export const timeOfDay = (at) => new Date(at).toLocaleTimeString("en-GB");
