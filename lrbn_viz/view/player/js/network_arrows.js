// The arrows of the network view: a line for each weight between two boxes, and arcs between units that compete. Coordinates
// are CSS pixels from the corner of the drawing.

import {isZero, signed} from "./format.js";
import {FONT} from "./theme.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{from: number, to: number, weight: number}} Edge  nodes by their number: latents, then visible units */
/** @typedef {{from: number, to: number, nats: number}} Arc */
/** @typedef {{edges: Edge[], boxes: Box[], strongest: number, heads: boolean, nats: Map<Edge, number>, arcs: Arc[], about: string}} Network */

const SHARE = 0.1; // of the strongest weight: weaker ones are left out at first
const MANY = 60; // arrows at first, at most
const PORTS = 0.72; // share of a box's width on which arrows begin or end
const ASIDE = 0.25; // of a box's width: where an arc ends, from the middle towards the other box
const RING = 0.45; // of a letter: the ring around the explained unit
const RISE = 3.4; // letters by which the middle of an arc is drawn upwards
const CURVE = 16; // straight pieces of an arc
const LABEL_AT = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]; // places of an arrow's nats between its ends: the first that is free
const LETTER = 0.82; // size of these numbers, in letters of the page

// The weights of all layers, as edges between nodes.
/** @param {Pick<Model, "layers" | "n_h">} model @returns {Edge[]} */
export const edgesOf = ({layers, n_h}) =>
  layers.flatMap(({layer, first, n_v, W}) =>
    Array.from(W, (weight, at) => ({
      from: first + Math.floor(at / n_v),
      to: layer ? first - n_v + (at % n_v) : n_h + (at % n_v),
      weight,
    })),
  );

// The size below which weights are left out at first.
/** @param {Edge[]} edges */
export function usualThreshold(edges) {
  const sizes = edges.map(({weight}) => Math.abs(weight)).sort((a, b) => b - a);
  return Math.max(SHARE * (sizes[0] ?? 0), sizes[MANY - 1] ?? 0);
}

// Where the arrows begin or end on a side of their boxes: next to each other, in the order of the boxes at their other ends.
/** @param {Edge[]} edges @param {Box[]} boxes @param {"from" | "to"} side @param {boolean} across @returns {Map<Edge, number>} */
function ports(edges, boxes, side, across) {
  const other = side === "from" ? "to" : "from",
    long = (/** @type {number} */ node) => (across ? boxes[node].height : boxes[node].width),
    middle = (/** @type {number} */ node) => (across ? boxes[node].y : boxes[node].x) + long(node) / 2;
  /** @type {Map<number, Edge[]>} */
  const byNode = new Map();
  for (const edge of edges) byNode.set(edge[side], [...(byNode.get(edge[side]) ?? []), edge]);
  /** @type {Map<Edge, number>} */
  const found = new Map();
  for (const [node, group] of byNode) {
    group.sort((one, two) => middle(one[other]) - middle(two[other]));
    group.forEach((edge, n) =>
      found.set(edge, middle(node) + long(node) * PORTS * ((n + 0.5) / group.length - 0.5)),
    );
  }
  return found;
}

/** @param {Pen} context @param {[number, number][]} points */
function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], n) => (n ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

/** @param {Pen} context @param {[number, number]} from @param {[number, number]} tip @param {number} size */
function head(context, [x0, y0], [x, y], size) {
  const length = Math.hypot(x - x0, y - y0) || 1,
    [u, v] = [(x - x0) / length, (y - y0) / length];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - size * (u + 0.5 * v), y - size * (v - 0.5 * u));
  context.lineTo(x - size * (u - 0.5 * v), y - size * (v + 0.5 * u));
  context.lineTo(x, y);
  context.fill();
}

// A number on a line, at the first of some places where neither a box nor another number is.
/** @param {Pen} context @param {string} text @param {[number, number][]} places @param {number} font @param {Palette} palette @param {string} colour @param {Box[]} taken  to which its own is added */
function label(context, text, places, font, palette, colour, taken) {
  context.font = `650 ${font}px ${FONT}`;
  const width = context.measureText(text).width + 0.7 * font,
    height = 1.6 * font,
    boxes = places.map(([x, y]) => ({x: x - width / 2, y: y - height / 2, width, height})),
    box = boxes.find((each) => !taken.some((other) => overlap(each, other))) ?? boxes[0];
  taken.push(box);
  context.globalAlpha = 1;
  context.fillStyle = palette.surface;
  context.beginPath();
  context.roundRect(box.x, box.y, width, height, 0.3 * font);
  context.fill();
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, box.x + width / 2, box.y + height / 2);
}

/** @param {Box} one @param {Box} two */
const overlap = (one, two) =>
  one.x < two.x + two.width &&
  two.x < one.x + one.width &&
  one.y < two.y + two.height &&
  two.y < one.y + one.height;

// The points of an arc from one box to another: above both, or straight where they stand in different rows.
/** @param {Box} from @param {Box} to @param {number} font @returns {[number, number][]} */
function arcOf(from, to, font) {
  const below = Math.sign(to.y - from.y),
    apart = Math.abs(to.y - from.y) > from.height / 2,
    towards = Math.sign(from.x - to.x) || 1,
    side = apart ? 0 : ASIDE * towards,
    start = [from.x + from.width * (0.5 - side), from.y + (apart && below > 0 ? from.height : 0)],
    end = [
      to.x + to.width * (0.5 + side),
      apart && below < 0 ? to.y + to.height + RING * font : to.y - RING * font,
    ],
    middle = [
      (start[0] + end[0]) / 2,
      apart ? (start[1] + end[1]) / 2 : Math.min(from.y, to.y) - RISE * font,
    ];
  return Array.from({length: CURVE + 1}, (_, n) => {
    const t = n / CURVE,
      at = (/** @type {number} */ axis) =>
        (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * middle[axis] + t * t * end[axis];
    return [at(0), at(1)];
  });
}

// Of boxes above each other in a column: beside them, where no arrow leads.
/** @param {Box} from @param {Box} to @param {number} font @returns {[number, number][]} */
const besideOf = (from, to, font) =>
  Array.from({length: CURVE + 1}, (_, n) => {
    const t = n / CURVE,
      [start, end] = [from, to].map(({y, height}) => y + height / 2);
    return [Math.min(from.x, to.x) - RING * font - 2 * t * (1 - t) * RISE * font, (1 - t) * start + t * end];
  });

// Whether the boxes stand in columns, each of the one before being left of what it leads to: on narrow pages, where rows
// would have to be wrapped, and arrows would pass under the boxes of the row before.
/** @param {Edge[]} edges @param {Box[]} boxes */
const isAcross = (edges, boxes) =>
  edges.length > 0 && edges.every(({from, to}) => boxes[from].x + boxes[from].width <= boxes[to].x);

/** @param {Pen} context @param {Network} network @param {number} threshold @param {number} font @param {Palette} palette */
export function drawNetwork(context, network, threshold, font, palette) {
  const {edges, boxes, strongest, heads, nats, arcs, about} = network,
    drawn = edges.filter(({weight}) => weight && Math.abs(weight) >= threshold),
    across = isAcross(edges, boxes),
    begins = ports(drawn, boxes, "from", across),
    ends = ports(drawn, boxes, "to", across),
    told = nats.size + arcs.length > 0;
  /** @type {(() => void)[]} */
  const labels = [],
    taken = [...boxes];
  const colour = (/** @type {number} */ value) => (value < 0 ? palette.minus : palette.plus);
  // those of the decision last, above the others
  for (const edge of drawn.sort((one, two) => Number(nats.has(one)) - Number(nats.has(two)))) {
    const {from, to, weight} = edge,
      share = Math.abs(weight) / strongest,
      width = font * (0.07 + 0.3 * share),
      size = heads ? font * (0.5 + 0.55 * share) : 0;
    const [begin, end] = [begins.get(edge) ?? 0, ends.get(edge) ?? 0],
      gap = heads ? 1 : 0,
      start = /** @type {[number, number]} */ (
        across ? [boxes[from].x + boxes[from].width, begin] : [begin, boxes[from].y + boxes[from].height]
      ),
      tip = /** @type {[number, number]} */ (across ? [boxes[to].x - gap, end] : [end, boxes[to].y - gap]),
      length = Math.hypot(tip[0] - start[0], tip[1] - start[1]) || 1,
      shaft = 1 - (0.97 * size) / length;
    context.globalAlpha = !told || nats.has(edge) ? 1 : 0.28;
    context.strokeStyle = context.fillStyle = colour(weight);
    context.lineWidth = width;
    line(context, [start, [start[0] + shaft * (tip[0] - start[0]), start[1] + shaft * (tip[1] - start[1])]]);
    if (heads) head(context, start, tip, size);
    const value = nats.get(edge);
    if (value !== undefined)
      labels.push(() =>
        label(
          context,
          `${about}${signed(value)}`,
          LABEL_AT.map((t) => [start[0] + t * (tip[0] - start[0]), start[1] + t * (tip[1] - start[1])]),
          LETTER * font,
          palette,
          colour(value),
          taken,
        ),
      );
  }
  context.globalAlpha = 1;
  for (const {from, to, nats: value} of arcs) {
    const points = across ? besideOf(boxes[from], boxes[to], font) : arcOf(boxes[from], boxes[to], font);
    context.strokeStyle = context.fillStyle = colour(value);
    context.lineWidth = font * 0.16;
    context.setLineDash([0.4 * font, 0.3 * font]);
    line(context, points.slice(0, -1));
    context.setLineDash([]);
    head(context, points[CURVE - 2], points[CURVE], 0.7 * font);
    labels.push(() =>
      label(
        context,
        `${about}${signed(value)}`,
        LABEL_AT.map((t) => points[Math.round(t * CURVE)]),
        LETTER * font,
        palette,
        colour(value),
        taken,
      ),
    );
  }
  for (const paint of labels) paint();
  return drawn.length;
}

// Nats that are written as more or less than 0.00.
/** @param {[Edge, number][]} entries */
export const told = (entries) => new Map(entries.filter(([, nats]) => !isZero(nats)));
