// What is exactly known of a model small enough to try all its states, beside what approximations say of them.

// By their names in the packed block: title, and what each one is.
const APPROXIMATIONS = {
  state: ["end of the lane", "sure of the state in which the lane ends"],
  feed_forward: ["feed-forward", "independent units, each by its conditional with all others off: what a factorised model does with these weights"],
  mean_field: ["mean field", "independent units, as close to the posterior as changing one at a time can bring them"],
  marginals: ["exact marginals", "independent units, each as often on as it truly is"],
  gibbs: ["Gibbs", "the states after each sweep of a Gibbs chain"],
};

// Corners of each one's mark around (0, 0), so that shape says what colour says; the exact marginals are the bars.
const MARKS = {
  state: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  feed_forward: [[0, -1], [1, 0.8], [-1, 0.8]],
  mean_field: Array.from({length: 16}, (_, n) => [0.95 * Math.sin(n * Math.PI / 8), 0.95 * Math.cos(n * Math.PI / 8)]),
  gibbs: [[0, -1.15], [1.15, 0], [0, 1.15], [-1.15, 0]],
};
const MARKED = Object.keys(MARKS);

function drawMark(context, name, x, y, size, palette) {
  const corners = MARKS[name].map(([dx, dy]) => [x + dx * size, y + dy * size]);
  context.beginPath();
  context.moveTo(...corners[0]);
  for (const corner of [...corners.slice(1), corners[0]]) context.lineTo(...corner);
  context.fillStyle = {state: palette.ink, feed_forward: palette.minus, mean_field: palette.lanes[1], gibbs: palette.plus}[name];
  context.fill();
  context.lineWidth = size * 0.3;
  context.strokeStyle = palette.surface;
  context.stroke();
}

// 0.152 -> "15.2 %", 0.00000032 -> "3.2 x 10^-7"
function chance(p) {
  if (p >= 0.001 || p === 0) return `${number(100 * p, p >= 0.1 ? 1 : 2)}\u00a0%`;
  const [digits, power] = p.toExponential(1).split("e");
  return `${digits} \u00d7 10${Array.from(power, (sign) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[sign] || "\u207b").join("")}`;
}
const many = (n) => n.toLocaleString("en");

class TruthCard {
  constructor(player) {
    this.player = player;
    this.title = element("small");
    this.chance = element("b");
    this.live = element("span", {class: "lv-caption"}, "P(", element("i", {}, "h"), " | ", element("i", {}, "x"), ") of the state at the cursor ", this.chance);
    this.chart = element("canvas", {role: "img", "aria-label": "exact marginals"});
    this.chart.vector = (context) => { this.draw(context); this.drawState(context, "cursor", this.lane.h); };
    this.rows = element("tbody");
    const head = (...words) => element("th", {scope: "col"}, ...words);
    this.table = element("table", {class: "lv-table"}, element("thead", {}, element("tr", {}, head("approximation ", element("i", {}, "q")),
      head("KL(", element("i", {}, "q"), " \u2016 ", element("i", {}, "p"), "), nats"), head("total variation"))), this.rows);
    this.maps = element("div", {class: "lv-maps"});
    this.body = element("div", {class: "lv-truth-body"},
      element("figure", {}, element("div", {class: "lv-label"}, element("span", {}, "How often each unit is on")), element("div", {class: "lv-fill"}, this.chart)),
      this.table,
      element("div", {}, this.maps, element("p", {class: "lv-caption"}, "Covariance of each pair of units: orange, on together; blue, one instead of the other. Diagonal: variance.")));
    this.absent = element("div", {class: "lv-absent"});
    this.node = element("section", {class: "lv-card lv-truth", "aria-label": "The exact posterior"},
      element("header", {}, element("h2", {}, "The exact posterior ", this.title), this.live), this.body, this.absent);
    this.listen();
  }

  listen() {
    const at = (event) => this.unitAt(event.offsetX);
    this.chart.addEventListener("pointermove", (event) => this.player.tip(at(event) < 0 ? null : this.describe(at(event)), event));
    this.chart.addEventListener("pointerleave", () => this.player.tip(null));
    this.chart.addEventListener("click", (event) => { if (at(event) >= 0) this.player.select(0, at(event)); });
  }

  load(lanes, meta) {
    const [lane] = lanes, {truth, n_h} = lane;
    Object.assign(this, {lane, truth, drawn: ""});
    this.node.hidden = !truth && (n_h <= 16 || lane.model.factorised);
    this.live.hidden = this.body.hidden = !truth;
    this.absent.hidden = Boolean(truth);
    setText(this.title, truth ? `all ${many(2 ** n_h)} states of ${n_h} units tried` : "");
    if (!truth) return this.loadAbsent(n_h, meta.small || []);
    this.row = this.addRows();
    const {approximations} = truth, place = (name) => 1 + approximations.findIndex((entry) => entry.name === name);
    const {samples} = approximations[place("gibbs") - 1];
    this.covariances = [["exact", 0], ["independent", place("mean_field")], [`Gibbs, ${many(samples)}`, place("gibbs")]].map(([title, row]) => this.covariance(title, row));
    this.maps.replaceChildren(...this.covariances.map((view) => view.node));
  }

  loadAbsent(n_h, small) {
    const {compare} = this.player.callbacks, says = JSON.stringify([n_h, small]);
    if (this.saysAbsent === says) return;
    this.saysAbsent = says;
    const buttons = compare ? small.map(([name, title]) => element("button", {type: "button", class: "lv-btn lv-small", onclick: () => compare(name)}, title)) : [];
    this.absent.replaceChildren(
      element("p", {class: "lv-caption"}, `${n_h} units have 2`, element("sup", {}, n_h), " states: too many to try, so what is exactly true of them stays unknown. " +
        "For a model of at most 16 units this card knows the posterior, its most probable state and its covariances, and how far each approximation is from them."),
      ...(buttons.length ? [element("div", {class: "lv-row"}, ...buttons)] : []));
  }

  // One row an approximation, and before them that of the state at the cursor, which moves.
  addRows() {
    const {approximations} = this.truth, worst = Math.max(...approximations.map((entry) => entry.kl), 1e-9);
    this.worst = worst;
    const row = (name, title, help, samples) => {
      const mark = element("canvas", {class: "lv-mark", "aria-hidden": "true"});
      if (MARKS[name]) mark.vector = (context) => drawMark(context, name, mark.width / 2, mark.height / 2, mark.width * 0.36, this.colours.palette);
      const cell = () => { const value = element("b"), bar = element("i", {class: "lv-share"}); return {value, bar, node: element("td", {}, value, bar)}; };
      const parts = {mark, kl: cell(), variation: cell()};
      const words = samples ? `${title}, ${many(samples)} states` : title;
      parts.node = element("tr", {title: help}, element("th", {scope: "row"}, mark, words), parts.kl.node, parts.variation.node);
      return parts;
    };
    const cursor = row("", "state at the cursor", "sure of the state at the cursor");
    this.marks = [];
    this.rows.replaceChildren(cursor.node, ...approximations.map(({name, kl, total_variation: variation, samples}) => {
      const parts = row(name, ...(APPROXIMATIONS[name] || [name, ""]), samples);
      if (MARKS[name]) this.marks.push(parts.mark);
      this.fill(parts, kl, variation);
      return parts.node;
    }));
    return cursor;
  }

  fill({kl, variation}, nats, share) {
    kl.value.textContent = number(nats, 3);
    variation.value.textContent = number(share, 3);
    kl.bar.style.width = `${(100 * Math.min(1, nats / this.worst)).toFixed(1)}%`;
    variation.bar.style.width = `${(100 * share).toFixed(1)}%`;
  }

  covariance(title, row) {
    const {n_h} = this.lane, values = this.truth.covariance.subarray(row * n_h * n_h, (row + 1) * n_h * n_h);
    const map = new PixelMap(n_h, n_h, title), value = element("b");
    const at = (event) => { const size = map.canvas.clientWidth / n_h; return [event.offsetY, event.offsetX].map((place) => this.lane.order[Math.floor(place / size)]); };
    map.canvas.addEventListener("pointermove", (event) => {
      const [j, k] = at(event);
      this.player.tip(j === undefined || k === undefined ? null : this.describePair(j, k), event);
    });
    map.canvas.addEventListener("pointerleave", () => this.player.tip(null));
    map.canvas.addEventListener("click", (event) => { const [j] = at(event); if (j !== undefined) this.player.select(0, j); });
    let strongest = 0;
    for (let j = 0; j < n_h; j++) for (let k = 0; k < j; k++) if (Math.abs(values[j * n_h + k]) > Math.abs(strongest)) strongest = values[j * n_h + k];
    const independent = Math.abs(strongest) < 1e-9;
    value.textContent = independent ? "0" : signed(strongest, 2);
    const label = `${title}: covariances of ${n_h} units, ${independent ? "all zero" : `strongest ${signed(strongest, 3)}`}`;
    map.canvas.setAttribute("aria-label", label);
    const node = element("figure", {}, element("div", {class: "lv-label"}, element("span", {}, title), value), map.canvas);
    return {title, values, strongest, map, node};
  }

  // Each frame: what depends on the state at the cursor.
  paint(k, colours, fontSize) {
    if (!this.truth) return;
    const {lane, truth, chart, player: {selected}} = this, state = lane.h.join("");
    const drawn = `${selected.lane} ${selected.unit} ${lane.order.join()}`;
    const same = !fitCanvas(chart) && drawn === this.drawn && this.colours === colours && this.fontSize === fontSize;
    if (same && state === this.state) return;
    Object.assign(this, {drawn, state, colours, fontSize});
    const p = Math.min(1, Math.exp(lane.logJointNow - truth.log_evidence));
    this.chance.textContent = chance(p);
    this.fill(this.row, Math.max(0, truth.log_evidence - lane.logJointNow), 1 - p);
    if (!same) {
      this.layer = element("canvas", {width: chart.width, height: chart.height});
      this.draw(this.layer.getContext("2d"));
    }
    const context = chart.getContext("2d");
    context.clearRect(0, 0, chart.width, chart.height);
    context.drawImage(this.layer, 0, 0);
    this.drawState(context, "cursor", lane.h);
  }

  // At rest: the pictures that the cursor does not change, and words for those who cannot see them.
  rest(colours) {
    if (!this.truth) return;
    const {lane, truth: {marginals, map}} = this, {n_h, order} = lane, {ink, signed: table} = colours.tables;
    const top = Math.max(0.01, ...this.covariances.map((view) => Math.abs(view.strongest)));
    for (const {values, map: {view}} of this.covariances) {
      view.paint((p) => {
        const j = order[Math.floor(p / n_h)], k = order[p % n_h], value = values[j * n_h + k];
        return j === k ? ink[byte(value)] : table[255 + Math.round(255 * Math.max(-1, Math.min(1, value / top)))];
      });
    }
    for (const mark of this.marks) {
      fitCanvas(mark);
      const context = mark.getContext("2d");
      context.clearRect(0, 0, mark.width, mark.height);
      mark.vector(context);
    }
    const said = Array.from(lane.h, (_, j) => `unit ${j} ${marginals[j].toFixed(2)}`).join(", ");
    const differs = lane.h.reduce((sum, on, j) => sum + (on !== map[j]), 0);
    this.chart.setAttribute("aria-label", `Exact probability that each unit is on: ${said}. The state at the cursor differs from the exact MAP state in ${differs} units.`);
  }

  describe(j) {
    const {lane, truth: {marginals, map, approximations}} = this, {n_h} = lane;
    const others = approximations.map(({name}, row) => `${APPROXIMATIONS[name][0]} ${marginals[(1 + row) * n_h + j].toFixed(3)}`);
    return `unit ${j} is on with probability ${marginals[j].toFixed(3)}\n${others.join("\n")}\nexact MAP ${map[j] ? "on" : "off"}, at the cursor ${lane.h[j] ? "on" : "off"}`;
  }

  describePair(j, k) {
    const {n_h} = this.lane, values = this.covariances.map(({title, values}) => `${title} ${signed(values[j * n_h + k], 3)}`);
    return `${j === k ? `variance of unit ${j}` : `covariance of units ${j} and ${k}`}\n${values.join("\n")}`;
  }

  unitAt(x) {
    if (!this.frame) return -1;
    const place = Math.floor((x * this.chart.width / this.chart.clientWidth - this.frame.left) / this.frame.wide);
    return this.lane.order[place] ?? -1;
  }

  // A column a unit: the exact probability as a bar, a mark for each approximation, below them the exact MAP state;
  // the row of the state at the cursor stays empty.
  draw(context) {
    const {chart, lane, truth: {marginals, map, approximations}, colours: {palette}, player: {selected}} = this, {n_h, order} = lane;
    const screen = window.devicePixelRatio || 1, font = 0.82 * this.fontSize * screen, line = screen * Math.max(1, this.fontSize / 14);
    context.font = `${font}px ${FONT}`;
    const left = context.measureText("exact MAP").width + font * 0.6, wide = (chart.width - left) / n_h, box = Math.min(wide * 0.72, font * 1.25);
    const top = font * 0.6, bottom = chart.height - 2 * (box + font * 0.35) - font * 1.7, y = (p) => bottom - p * (bottom - top), x = (place) => left + place * wide;
    this.frame = {left, wide, box, line, rows: {"exact MAP": bottom + font * 0.55, cursor: bottom + font * 0.9 + box}};
    const chosen = selected.lane === 0 ? order.indexOf(selected.unit) : -1;
    if (chosen >= 0) { context.fillStyle = palette.faint; context.fillRect(x(chosen), top, wide, chart.height - top); }
    context.lineWidth = line;
    context.strokeStyle = palette.line;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const p of [0, 0.5, 1]) {
      context.beginPath(); context.moveTo(left, y(p)); context.lineTo(chart.width, y(p)); context.stroke();
      context.fillText(String(p), left - font * 0.5, y(p));
    }
    for (const [text, from] of Object.entries(this.frame.rows)) context.fillText(text, left - font * 0.5, from + box / 2);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const size = Math.min(wide * 0.14, font * 0.42), every = context.measureText("88").width > wide ? 2 : 1;
    order.forEach((j, place) => {
      const middle = x(place) + wide / 2, value = y(marginals[j]);
      context.globalAlpha = 0.45;
      context.fillStyle = palette.lanes[0];
      context.fillRect(x(place) + wide * 0.08, value, wide * 0.84, bottom - value);
      context.globalAlpha = 1;
      context.fillRect(x(place) + wide * 0.08, value - line, wide * 0.84, 2 * line);
      MARKED.forEach((name, n) => {
        const row = 1 + approximations.findIndex((entry) => entry.name === name);
        drawMark(context, name, middle + (n - 1.5) * wide * 0.22, y(marginals[row * n_h + j]), size, palette);
      });
      context.fillStyle = palette.muted;
      if (place % every === 0) context.fillText(String(j), middle, chart.height - font * 0.3);
    });
    this.drawState(context, "exact MAP", map);
  }

  // A row of squares; those that differ from the exact MAP state are framed.
  drawState(context, row, state) {
    const {lane: {order}, truth: {map}, colours: {palette}, frame: {left, wide, box, line, rows}} = this;
    context.lineWidth = 2 * line;
    context.strokeStyle = palette.now;
    order.forEach((j, place) => {
      context.beginPath();
      context.roundRect(left + (place + 0.5) * wide - box / 2, rows[row], box, box, box * 0.18);
      context.fillStyle = state[j] ? palette.lanes[0] : palette.faint;
      context.fill();
      if (state[j] !== map[j]) context.stroke();
    });
  }
}
