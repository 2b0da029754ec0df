// Colours, type and sizes for CSS and pixels; Python reads the same theme.json.

import theme from "../../../io/theme.json" with {type: "json"};

export const FONT = theme.font;

export const PALETTES = {light: theme.light, dark: theme.dark};

/** @param {[string, string][]} values @returns {string} custom properties, by which style sheets know the theme */
const properties = (values) => values.map(([name, value]) => `--lv-${name}: ${value};`).join(" ");

/** @param {Palette} palette @returns {[string, string][]} */
const colours = ({lanes, ...plain}) => [...Object.entries(plain), ["lane0", lanes[0]], ["lane1", lanes[1]]];

// The CSS rules that give the theme to the elements of a selector and their descendants.
/** @param {string} selector @param {string} [dark]  the same, where it is dark */
export const themed = (selector, dark = `${selector}[data-scheme="dark"]`) =>
  `${selector} { ${properties([...colours(theme.light), ["font", theme.font], ["letters", theme.sizes.letters]])} }
${dark} { ${properties(colours(theme.dark))} }
`;

// The same for the header's colours, which are equal on light and dark pages.
/** @param {string} selector */
export const withHeader = (selector) =>
  `${selector} { ${properties([...Object.entries(theme.header).map(header), ["font", theme.font]])} }\n`;

/** @param {[string, string]} named @returns {[string, string]} */
const header = ([name, value]) => [`header-${name}`, value];

/** @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
/** @param {number[]} rgb */
const pack32 = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0; // ImageData is RGBA in memory order
/** @param {number[]} from @param {number[]} to @param {number} t */
const mix = (from, to, t) => from.map((value, c) => Math.round(value + (to[c] - value) * t));

// Look-up tables for pixels: `hatch` for one that is not known, its ground and its lines; `ink` for P(x = 1) in 256 steps, `error[x]` for (mean - x) in -255..255.
/** @param {Palette} palette @returns {PixelTables} */
function pixelTables(palette) {
  const ground = rgb(palette.ground),
    stroke = rgb(palette.stroke),
    plus = rgb(palette.plus),
    minus = rgb(palette.minus);
  const ink = Uint32Array.from({length: 256}, (_, i) => pack32(mix(ground, stroke, i / 255)));
  const error = [0, 1].map((x) => {
    const base = mix(ground, stroke, x ? 0.13 : 0);
    return Uint32Array.from({length: 511}, (_, i) => {
      const value = (i - 255) / 255,
        size = Math.abs(value);
      const strength = size > 0.5 ? 0.7 + 0.6 * (size - 0.5) : 0.6 * size; // a jump where the pixel turns wrong
      return pack32(mix(base, value > 0 ? plus : minus, strength));
    });
  });
  const signed = Uint32Array.from({length: 511}, (_, i) => {
    const value = (i - 255) / 255;
    return pack32(mix(ground, value > 0 ? plus : minus, Math.abs(value) ** 0.7));
  });
  const hatch = Uint32Array.from([palette.line, palette.muted], (colour) => pack32(rgb(colour)));
  return {ink, error, signed, hatch};
}

/** @type {Map<Palette, Colours>} */
const made = new Map(); // shared by all parts of a page

/** @param {boolean} dark @returns {Colours} */
export function coloursOf(dark) {
  const palette = PALETTES[dark ? "dark" : "light"],
    colours = made.get(palette) ?? {palette, tables: pixelTables(palette)};
  made.set(palette, colours);
  return colours;
}
