// Drawing: each function paints one canvas from a lane's replay at its cursor, and keeps nothing but buffers.

// A canvas of one image, a pixel a value; CSS scales it up without smoothing.
class PixelView {
  constructor(canvas, rows, columns) {
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    this.context = canvas.getContext("2d");
    this.image = this.context.createImageData(columns, rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // `colour(i)` is the 32-bit colour of pixel i
  paint(colour) {
    const {pixels} = this;
    for (let i = 0; i < pixels.length; i++) pixels[i] = colour(i);
    this.context.putImageData(this.image, 0, 0);
  }
}

// An <img> of one image, for pictures that are many and seldom change: every canvas in a page is a layer of its own,
// and the browser goes through all layers at every frame.
class StillView extends PixelView {
  constructor(image, rows, columns) {
    super(element("canvas"), rows, columns);
    image.width = columns; // so that the browser knows its shape before it has read it
    image.height = rows;
    this.shown = image;
  }

  paint(colour) {
    super.paint(colour);
    this.shown.src = this.context.canvas.toDataURL();
  }
}

const byte = (value) => Math.max(0, Math.min(255, Math.round(255 * value)));

function paintInput(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.x[i], i))]);
}

function paintReconstruction(view, lane, tables) {
  view.paint((i) => tables.ink[byte(lane.shade(lane.mean(i), i))]);
}

function paintError(view, lane, tables) {
  if (lane.shades) { // the residual in shares of ink, twice as strong, as the training board has it
    const residual = (i) => lane.shade(lane.mean(i), i) - lane.shade(lane.x[i], i);
    return view.paint((i) => tables.signed[255 + Math.round(255 * Math.max(-1, Math.min(1, 2 * residual(i))))]);
  }
  view.paint((i) => {
    const difference = Math.max(-1, Math.min(1, lane.mean(i) - lane.x[i]));
    return tables.error[lane.x[i] > 0.5 ? 1 : 0][255 + Math.round(255 * difference)];
  });
}

// Sizes asked for before anything is painted: in the midst of a paint, once some text has changed, each question
// would have the whole page laid out.
const askedSizes = new Map();

function withSizes(canvases, paint, known = new Map()) {
  for (const canvas of canvases) askedSizes.set(canvas, known.get(canvas) || [canvas.clientWidth, canvas.clientHeight]);
  try { paint(); } finally { askedSizes.clear(); }
}

// Make the drawing buffer as fine as the screen; true if it changed size.
function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = askedSizes.get(canvas) || [canvas.clientWidth, canvas.clientHeight];
  const width = Math.max(1, Math.round(across * ratio));
  const height = Math.max(1, Math.round(down * ratio));
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}

// A canvas in the page would have the page laid out at each new font; this one is in none.
const ruler = element("canvas").getContext("2d");

function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

// Rows and columns for n squares in a box: about the largest squares, without a ragged last row if that is close.
function gridShape(n, width, height) {
  let best = {columns: n, rows: 1, size: 0}, score = 0;
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const size = Math.min(width / columns, height / rows);
    const value = n % columns ? size : 1.15 * size; // a full rectangle may cost a little size
    if (value > score) [best, score] = [{columns, rows, size}, value];
  }
  return best;
}

// The latent grid: filled = on, tint = P(h_j = 1 | rest) at its newest visit, dot = flipped in this sweep,
// heavy ring = the unit just visited, thin ring = the selected unit, cross = held, never visited. Units of upper layers
// are round.
function drawLatents(context, {width, height}, lane, palette, accent, selected, current) {
  const {columns, size} = gridShape(lane.n_h, width, height);
  const gap = Math.max(1, size * 0.14), side = size - gap, radius = side * 0.18;
  const addBox = (place, grow) => {
    const x = (place % columns) * size + gap / 2, y = Math.floor(place / columns) * size + gap / 2;
    const corner = lane.order[place] < lane.model.layers[0].n_h ? radius : side / 2;
    context.roundRect(x - grow, y - grow, side + 2 * grow, side + 2 * grow, corner + grow / 2);
  };
  const box = (place, grow) => {
    context.beginPath();
    addBox(place, grow);
  };
  // all units off, then all units on: two paths cost a fraction of a path a unit
  for (const state of [0, 1]) {
    context.beginPath();
    for (let place = 0; place < lane.n_h; place++) if (lane.h[lane.order[place]] === state) addBox(place, 0);
    context.fillStyle = state ? accent : palette.faint;
    context.fill();
  }
  for (let place = 0; place < lane.n_h; place++) {
    const j = lane.order[place], midX = (place % columns + 0.5) * size, midY = (Math.floor(place / columns) + 0.5) * size;
    const on = lane.h[j] === 1;
    const probability = on ? null : lane.conditional(j);
    if (probability > 0.02) {
      box(place, 0);
      context.globalAlpha = 0.55 * probability;
      context.fillStyle = accent;
      context.fill();
      context.globalAlpha = 1;
    }
    if (lane.flippedThisSweep(j)) {
      context.beginPath();
      context.arc(midX, midY, side * 0.19, 0, 7);
      context.fillStyle = on ? palette.surface : accent;
      context.fill();
    }
    if (lane.held?.has(j)) {
      const arm = side * 0.3;
      context.beginPath();
      for (const way of [-1, 1]) {
        context.moveTo(midX - arm, midY - way * arm);
        context.lineTo(midX + arm, midY + way * arm);
      }
      context.lineWidth = Math.max(1.5, side * 0.14);
      context.strokeStyle = on ? palette.surface : palette.ink;
      context.stroke();
    }
  }
  if (selected >= 0 && selected < lane.n_h) {
    box(lane.order.indexOf(selected), gap / 2);
    context.lineWidth = Math.max(1.5, size * 0.09);
    context.strokeStyle = palette.ink;
    context.setLineDash([size * 0.22, size * 0.14]);
    context.stroke();
    context.setLineDash([]);
  }
  if (current >= 0) {
    box(lane.order.indexOf(current), 0);
    context.lineWidth = Math.max(2, gap * 1.1);
    context.strokeStyle = palette.now;
    context.stroke();
  }
}

// Unit under a point of the grid (CSS pixels), or -1.
function latentAt(canvas, lane, x, y) {
  const ratio = canvas.width / canvas.clientWidth;
  const {columns, size} = gridShape(lane.n_h, canvas.width, canvas.height);
  const column = Math.floor(x * ratio / size), row = Math.floor(y * ratio / size);
  const place = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && place < lane.n_h ? lane.order[place] : -1;
}

// Numbers in text: a true minus sign, and a sign where the sign is the message.
const number = (value, digits = 1) => value.toFixed(digits).replace("-", "\u2212");
const signed = (value, digits = 2) => (value >= 0 ? "+" : "") + number(value, digits);
