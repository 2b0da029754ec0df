// The explain-away matrices of the lanes at the resting cursor, side by side, and the pair under the pointer.

const ORDERS = {on: "units that are on", index: "all units by number", chain: "all units, strongest neighbours"};

class MatrixCard {
  constructor(player) {
    this.player = player;
    this.order = element("select", {"aria-label": "Units shown", "data-part": "order", onchange: () => this.player.rest(this.player.k)},
      ...Object.entries(ORDERS).map(([value, text]) => element("option", {value}, text)));
    this.pictures = element("div", {class: "lv-matrices"});
    this.detail = element("div", {class: "lv-pair"});
    this.node = element("section", {class: "lv-card lv-matrix", "aria-label": "Explain-away matrix"},
      element("header", {}, element("h2", {}, "Who explains away whom ",
        element("small", {}, "change of a row unit's log-odds, in nats, when a column unit turns on")), this.order),
      element("div", {class: "lv-matrix-body"}, this.pictures, this.detail));
  }

  load(lanes, rows, columns) {
    this.shape = [rows, columns];
    this.lanes = lanes;
    this.matrices = null; // what is still shown is another image's until the cursor rests
    if (this.views?.length !== lanes.length) this.makeViews();
    lanes.forEach((lane, index) => setText(this.views[index].title, lane.meta.title));
  }

  makeViews() {
    this.views = this.lanes.map((_, index) => {
      const canvas = element("canvas", {class: "lv-pixels", role: "img", "aria-label": "interactions of all pairs of units, known once the cursor rests"});
      const view = {canvas, title: element("span"), value: element("b")};
      const at = (event) => {
        const {order = []} = view, size = canvas.clientWidth / Math.max(1, order.length);
        const pair = [order[Math.floor(event.offsetY / size)], order[Math.floor(event.offsetX / size)]];
        return pair.includes(undefined) || !this.matrices ? null : pair;
      };
      canvas.addEventListener("pointermove", (event) => { const pair = at(event); this.pointed = pair !== null; if (pair) this.show(index, ...pair); });
      canvas.addEventListener("pointerleave", () => { this.pointed = false; });
      canvas.addEventListener("click", (event) => { const pair = at(event); if (pair) this.player.select(index, pair[0]); });
      view.node = element("figure", {}, element("div", {class: "lv-label"}, view.title, view.value), canvas);
      return view;
    });
    this.pictures.replaceChildren(...this.views.map((view) => view.node));
  }

  paint() { setAttribute(this.node, "data-stale", String(this.player.clock.playing || !this.matrices)); }

  * rest(colours) {
    if (!this.views) return;
    this.colours = colours;
    const begin = performance.now(), matrices = [];
    for (const lane of this.lanes) {
      lane.interactions ||= new Interactions(lane);
      matrices.push(yield* lane.interactions.matrix());
    }
    this.matrices = matrices;
    this.node.dataset.stale = "false";
    // one scale for all lanes: the eye may compare them
    const top = Math.max(0.5, ...this.matrices.map((matrix) => largest(matrix)));
    this.lanes.forEach((lane, index) => {
      const {n_h} = lane, matrix = this.matrices[index], view = this.views[index];
      const every = Array.from({length: n_h}, (_, j) => j);
      if (this.order.value === "chain") view.order = chainOrder(matrix, n_h);
      else view.order = this.order.value === "on" ? every.filter((j) => lane.h[j]) : every;
      const {order} = view, table = colours.tables.signed, m = Math.max(1, order.length);
      new PixelView(view.canvas, m, m).paint((p) => {
        const value = order.length ? matrix[order[Math.floor(p / m)] * n_h + order[p % m]] / top : 0;
        return table[255 + Math.round(255 * Math.max(-1, Math.min(1, Math.sign(value) * Math.abs(value) ** 0.6)))];
      });
      let competing = 0;
      for (const j of order) for (const k of order) if (matrix[j * n_h + k] < -0.5) competing++;
      const pairs = order.length * (order.length - 1) / 2;
      view.value.textContent = lane.model.factorised ? "exactly zero" : `${competing / 2} of ${pairs} pairs compete`;
      view.canvas.setAttribute("aria-label", `${lane.meta.title}: ${m} by ${m} interactions, ` +
        (lane.model.factorised ? "all exactly zero" : `strongest ${number(top, 1)} nats, ${competing / 2} pairs below minus half a nat`));
    });
    this.ms = performance.now() - begin;
    if (!this.pointed) this.showStrongest();
  }

  // Until someone points at a pair: the fiercest one.
  showStrongest() {
    const matrix = this.matrices[0], {n_h} = this.lanes[0], {order} = this.views[0];
    let worst = [order[0] ?? 0, order[0] ?? 0];
    for (const j of order) for (const k of order) if (matrix[j * n_h + k] < matrix[worst[0] * n_h + worst[1]]) worst = [j, k];
    this.show(0, ...worst);
  }

  show(index, j, k) {
    const lane = this.lanes[index], value = this.matrices[index][j * lane.n_h + k], {tables} = this.colours;
    const filter = (unit) => {
      const map = new PixelMap(...this.shape, `filter of unit ${unit}`), at = unit * lane.n_v;
      const {filters} = lane.model, top = largest(filters, at, at + lane.n_v);
      map.paint((i) => filters[at + i], top, tables.signed);
      return element("figure", {}, element("div", {class: "lv-label"}, element("span", {}, `${lane.nameOf(unit)}, ${lane.h[unit] ? "on" : "off"}`)), map.canvas);
    };
    const words = lane.model.factorised ? "Units of an RBM never interact once the image is known."
      : j === k ? "A unit with itself."
        : value < 0 ? "Competitors: when one is on, the other has less left to explain." : "Allies: when one is on, the other fits better.";
    this.detail.replaceChildren(element("div", {class: "lv-pair-maps"}, filter(j), filter(k)),
      element("p", {class: "lv-pair-value"}, element("b", {}, j === k ? "" : `${signed(value)} nats`)), element("p", {class: "lv-caption"}, words));
  }
}
