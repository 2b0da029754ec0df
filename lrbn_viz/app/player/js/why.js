// Why one unit is on or off: the three terms of its log-odds, pixel by pixel, and the units it interacts with.
//
//   log-odds = d_j + sum_i w_ij x_i - sum_i [softplus(a_i + w_ij) - softplus(a_i)],   a without unit j
//
// The last sum is what the other units have explained away; an RBM's log-odds lacks it. With a layer above, what that
// one generates for the unit, its activation, takes the place of d_j; further up x is the states of the units below.

function logOddsTerms(lane, j) {
  const {model, h} = lane, layer = lane.layerOf(j), {W, b, n_v, first} = layer, at = (j - first) * n_v;
  const {x, a} = lane.under(layer), above = model.layers[layer.layer + 1], gaussian = layer.visible === "gaussian";
  const evidence = new Float64Array(n_v), explained = new Float64Array(n_v);
  let evidenceSum = 0, explainedSum = 0;
  for (let i = 0; i < n_v; i++) {
    const w = W[at + i], rest = a[i] - h[j] * w;
    evidence[i] = w * (gaussian && !model.factorised ? x[i] - b[i] : x[i]);
    if (!model.factorised) explained[i] = gaussian ? w * (w / 2 + rest - b[i]) : softplus(rest + w) - softplus(rest);
    evidenceSum += evidence[i];
    explainedSum += explained[i];
  }
  const prior = above ? lane.under(above).a[j - first] : layer.d[j - first];
  return {unit: j, layer: layer.layer, prior, evidence, explained, evidenceSum, explainedSum, logOdds: prior + evidenceSum - explainedSum};
}

class PixelMap {
  constructor(rows, columns, label, still = false) {
    this.canvas = still ? element("img", {class: "lv-pixels", alt: label}) : element("canvas", {class: "lv-pixels", role: "img", "aria-label": label});
    this.view = new (still ? StillView : PixelView)(this.canvas, rows, columns);
  }

  // Signed values; `scale` is the value shown in full colour
  paint(valueAt, scale, table) {
    this.view.paint((i) => table[255 + Math.round(255 * Math.max(-1, Math.min(1, valueAt(i) / scale)))]);
  }
}

function largest(values, begin = 0, end = values.length) {
  let top = 1e-9;
  for (let i = begin; i < end; i++) top = Math.max(top, Math.abs(values[i]));
  return top;
}

const TERMS = [
  ["prior", "prior", "How often the unit is on before anything is seen: d"],
  ["evidence", "evidence", "What the image says, pixel by pixel: all that an RBM sees"],
  ["explained", "explained away", "What the other units already account for"],
  ["logOdds", "log-odds", "The sum: above 0 the unit is more likely on than off"],
];

class WhyCard {
  constructor(player) {
    this.player = player;
    this.title = box();
    this.note = element("small");
    this.follow = element("button", {type: "button", class: "lv-btn lv-small", onclick: () => player.select(0, -1)}, "follow the visits");
    const hold = (state, text, label) => element("button", {
      type: "button", class: "lv-btn lv-small", "data-state": state, "aria-label": label, onclick: () => player.hold(this.subject()[1], state),
    }, text);
    this.holds = [hold("on", "on", "Hold this unit on"), hold("off", "off", "Hold this unit off"), hold("free", "free", "Let this unit go")];
    this.freeAll = element("button", {type: "button", class: "lv-btn lv-small", onclick: () => player.hold(-1, "free")}, "free all");
    this.holding = element("div", {class: "lv-row lv-hold", role: "group", "aria-label": "Hold the unit", "data-part": "hold"}, element("span", {}, "hold"), ...this.holds, this.freeAll);
    this.bars = {};
    const rows = TERMS.map(([name, text, help]) => {
      const canvas = element("canvas", {"aria-hidden": "true"}), value = box();
      this.bars[name] = {canvas, value};
      return [element("span", {title: help}, text), element("div", {class: "lv-track"}, canvas), element("b", {}, value)];
    });
    this.table = element("div", {class: "lv-bars", role: "img", "aria-label": "the terms of the log-odds"}, ...rows.flat());
    this.maps = element("div", {class: "lv-maps"});
    this.partners = element("div", {class: "lv-partners"});
    this.node = element("section", {class: "lv-card lv-why", "aria-label": "Why is this unit on or off?"},
      element("header", {}, element("h2", {}, element("span", {class: "lv-why-title"}, this.title), this.note), element("div", {class: "lv-row"}, this.holding, this.follow)),
      element("div", {class: "lv-why-body"}, this.maps, this.table, this.partners));
  }

  load(rows, columns) {
    const {model} = this.player.lanes[0];
    if (this.shape?.[0] !== rows || this.shape[1] !== columns) this.makeMaps(rows, columns);
    if (this.model !== model) this.partners.replaceChildren();
    Object.assign(this, {model, waits: true}); // the partners shown are another image's until the cursor rests
  }

  makeMaps(rows, columns) {
    this.shape = [rows, columns];
    this.views = {};
    this.labels = {};
    this.under = null;
    const figure = (name, text) => {
      this.views[name] = new PixelMap(rows, columns, text);
      this.labels[name] = element("span", {}, text);
      return element("figure", {}, element("div", {class: "lv-label"}, this.labels[name]), this.views[name].canvas);
    };
    this.maps.replaceChildren(figure("filter", "Filter"), figure("evidence", "Evidence"), figure("explained", "Explained away"));
  }

  // Evidence is a map of the pixels, or, further up, of the units of the layer below, row by row from number 0 on.
  fitMaps({layer, n_v, first}) {
    if (this.under === layer) return;
    this.under = layer;
    const across = layer ? Math.ceil(Math.sqrt(n_v)) : this.shape[1], down = layer ? Math.ceil(n_v / across) : this.shape[0];
    for (const [name, text] of [["evidence", "Evidence"], ["explained", "Explained away"]]) {
      const map = this.views[name];
      map.view = new PixelView(map.canvas, down, across);
      map.canvas.setAttribute("aria-label", layer ? `${text}, by unit of layer ${layer}` : text);
      this.labels[name].title = layer ? `by unit of layer ${layer}: ${first - n_v} to ${first - 1}, row by row` : "by pixel";
    }
    this.labels.filter.title = layer ? "what the unit does to the image, by way of the units below it" : "the unit's weights";
  }

  // The unit asked about: the selected one, else the one just visited in the first lane (at the start, the first).
  subject() {
    const {selected, cards} = this.player, {lane} = cards[0];
    if (selected.unit >= 0 && cards[selected.lane]) return [selected.lane, selected.unit];
    return [0, lane.k > 0 ? lane.currentUnit : lane.n_visits ? lane.unit[0] : 0];
  }

  paint(k, colours) {
    const [index, j] = this.subject(), lane = this.player.cards[index].lane, {tables} = colours;
    const terms = logOddsTerms(lane, j), {filters} = lane.model, at = j * lane.n_v;
    this.terms = {lane: index, ...terms};
    this.fitMaps(lane.layerOf(j));
    const top = largest(filters, at, at + lane.n_v), strongest = Math.max(largest(terms.evidence), largest(terms.explained));
    this.views.filter.paint((i) => filters[at + i], top, tables.signed);
    this.views.evidence.paint((i) => terms.evidence[i], strongest, tables.signed);
    this.views.explained.paint((i) => -terms.explained[i], strongest, tables.signed);
    setText(this.title, `Why is unit ${j} ${lane.h[j] ? "on" : "off"}?`);
    const layered = lane.model.layers.length > 1 ? `layer ${terms.layer + 1}, ` : "";
    const pinned = this.player.selected.unit >= 0;
    this.paintHolding(lane, index, j);
    setText(this.note, `${lane.meta.title}, ${layered}${lane.held.has(j) ? "held by you" : pinned ? "selected" : lane.k > 0 ? "just visited" : "to be visited first"}`);
    if (this.follow.hidden === pinned) this.follow.hidden = !pinned;
    this.paintBars(terms, colours.palette);
    setAttribute(this.partners, "data-stale", String(this.player.clock.playing || this.waits));
  }

  // Only the first lane's units can be held: the others decide at once, and each alone.
  paintHolding(lane, index, j) {
    const hidden = !this.player.callbacks.hold || index > 0;
    if (this.holding.hidden !== hidden) this.holding.hidden = hidden;
    const state = lane.held.has(j) ? (lane.held.get(j) ? "on" : "off") : "free";
    for (const button of this.holds) setAttribute(button, "aria-pressed", String(button.dataset.state === state));
    const {size} = this.player.lanes[0].held;
    if (this.freeAll.disabled === size > 0) this.freeAll.disabled = !size;
    setText(this.freeAll, size ? `free all ${size}` : "free all");
  }

  // A waterfall: each bar begins where the one above ends; the last is the sum, from zero.
  // Pictures, and not boxes: those would have the page laid out, or put together anew, at each frame.
  paintBars({prior, evidenceSum, explainedSum, logOdds}, palette) {
    const ends = {prior: [0, prior], evidence: [prior, prior + evidenceSum], explained: [prior + evidenceSum, logOdds], logOdds: [0, logOdds]};
    const values = {prior, evidence: evidenceSum, explained: -explainedSum, logOdds};
    const all = Object.values(ends).flat(), low = Math.min(0, ...all), span = Math.max(1e-6, Math.max(0, ...all) - low);
    const ratio = window.devicePixelRatio || 1;
    for (const [name] of TERMS) {
      const {canvas, value} = this.bars[name], [from, to] = ends[name];
      fitCanvas(canvas);
      const {width, height} = canvas, context = canvas.getContext("2d"), x = (at) => ratio + (width - 2 * ratio) * (at - low) / span;
      canvas.vector = (pen) => {
        pen.fillStyle = values[name] >= 0 ? palette.plus : palette.minus;
        pen.fillRect(x(Math.min(from, to)), height / 6, Math.max(2 * ratio, x(Math.max(from, to)) - x(Math.min(from, to))), height * 2 / 3);
        pen.fillStyle = palette.muted;
        pen.fillRect(x(0) - ratio / 2, 0, ratio, height);
      };
      context.clearRect(0, 0, width, height);
      canvas.vector(context);
      setText(value, signed(values[name]));
    }
  }

  // When the cursor rests: the strongest competitors and allies, and words for the bars.
  rest(colours) {
    const [index, j] = this.subject(), lane = this.player.cards[index].lane;
    const {prior, evidenceSum, explainedSum, logOdds} = this.terms;
    this.table.setAttribute("aria-label", `Unit ${j}: prior ${prior.toFixed(2)}, evidence ${evidenceSum.toFixed(2)}, explained away ` +
      `${(-explainedSum).toFixed(2)}, log-odds ${logOdds.toFixed(2)}`);
    lane.interactions ||= new Interactions(lane);
    const values = this.values = lane.interactions.row(j);
    const order = Array.from(values.keys()).filter((k) => k !== j).sort((k, l) => values[k] - values[l]);
    const n = Math.min(6, order.length >> 1);
    const list = (name, help, units) => element("div", {}, element("div", {class: "lv-label"}, element("span", {title: help}, name)),
      element("div", {class: "lv-chips-row"}, ...units.map((k) => this.partner(lane, index, k, values[k], colours))));
    if (lane.model.factorised) {
      this.partners.replaceChildren(element("p", {class: "lv-caption"},
        "Given the image, no unit of an RBM looks at another: each decides alone, so two units that draw the same stroke both draw it."));
    } else {
      this.partners.replaceChildren(
        list("Strongest competitors", "Turning one on lowers this unit's log-odds", order.slice(0, n)),
        list("Strongest allies", "Turning one on raises this unit's log-odds", order.slice(-n).reverse()));
    }
    this.waits = false;
    this.partners.dataset.stale = "false";
  }

  partner(lane, index, k, value, {tables}) {
    const map = new PixelMap(...this.shape, `filter of unit ${k}`, true);
    const {filters} = lane.model, at = k * lane.n_v, top = largest(filters, at, at + lane.n_v);
    map.paint((i) => filters[at + i], top, tables.signed);
    return element("button", {
      type: "button", class: "lv-partner", "data-on": lane.h[k], "data-unit": k, title: `unit ${k}, ${lane.h[k] ? "on" : "off"}: ${signed(value)} nats`,
      "aria-label": `unit ${k}, ${lane.h[k] ? "on" : "off"}, interaction ${signed(value)} nats`, onclick: () => this.player.select(index, k),
    }, map.canvas, element("span", {}, signed(value, 1)));
  }
}
