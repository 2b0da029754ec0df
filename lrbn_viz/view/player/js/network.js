// The network view of a small model: units as nodes, weights as arrows, and of each unit the probability before and after what
// is observed. A press on a visible unit changes what is observed of it, a press on a latent holds it.

import {namedCauses, subjectOf, termsAt} from "./asked.js";
import {bold, card, element, setAttribute, setRich, setText} from "./dom.js";
import {fitCanvas, repaint} from "./draw.js";
import {staysStale} from "./exact.js";
import {many, number, signed} from "./format.js";
import {termName} from "./glossary.js";
import {LaneChoice} from "./lane_choice.js";
import {legend} from "./legend.js";
import {variablesOf, visibleName} from "./names.js";
import {drawNetwork, edgesOf, told, usualThreshold} from "./network_arrows.js";
import {NetworkNode, Roving} from "./network_nodes.js";
import {atOnce} from "./pieces.js";
import {registerView} from "./registry.js";
import {UNITS} from "./units.js";
import {observationOf, stateWord} from "./variables.js";
import {question, verdict} from "./verdict.js";
import {whoChanged} from "./who.js";
import constants from "../../../io/constants.json" with {type: "json"};

const {latents: MAX_LATENTS, visibles: MAX_VISIBLES} = constants.network;
const FEW = 5; // nodes of a row that have room for longer names
const NARROW = 2; // nodes of a row on a narrow page; of more, rows become columns
const STEPS = 100; // of the threshold's slider
const PAPER = {width: "500px", fontSize: "13px"}; // beside a list of images, too
const CHANGED = 5e-5; // of a probability: the least that is announced

/** @param {Lane} lane */
const fits = ({n_h, n_v, model}) => n_h <= MAX_LATENTS && n_v <= MAX_VISIBLES && UNITS[model.visible].binary;

// What the inference of a lane says of a latent where its probabilities are not enumerated.
/** @param {Lane} lane @param {number} j @returns {{title: string, value: number | null}} */
function inferred(lane, j) {
  const {meta, h, unit, after, k} = lane;
  if (meta.particles) return {title: "share of weight", value: h[j]};
  if (meta.means) return {title: "mean", value: h[j]};
  if (lane.model.factorised) return {title: "probability", value: lane.conditional(j)};
  if (!meta.sampled) return {title: "state", value: h[j]};
  let visits = 0,
    on = 0;
  for (let v = 0; v < k; v++) {
    if (unit[v] !== j) continue;
    visits++;
    on += after[v];
  }
  return {title: "share of samples", value: visits ? on / visits : null};
}

class NetworkCard {
  title = element("small");
  stage = element("div", {class: "lv-network-stage lv-fill"});
  canvas = element("canvas", {"aria-hidden": "true"});
  said = element("p", {class: "lv-network-said"});
  sum = element("p", {class: "lv-caption"});
  help = element("p", {class: "lv-caption"});
  announced = element("div", {class: "lv-sr", role: "status", "aria-live": "polite"});
  slider = element("input", {
    type: "range",
    min: "0",
    max: String(STEPS),
    step: "1",
    oninput: () => this.limit((Number(this.slider.value) / STEPS) * this.strongest),
  });
  limitWords = element("b");
  absent = element("p", {class: "lv-caption lv-absent"});
  threshold = 0;
  strongest = 1;
  fontSize = 12;
  letters = 12; // the stage's, pixels
  drawnArrows = 0;
  layout = ""; // for which the boxes were measured
  pressed = ""; // what was pressed, until the answer is here
  /** @type {NetworkNode[]} */ nodes = []; // latents, then visible units
  /** @type {import("./network_arrows.js").Box[]} */ boxes = [];
  /** @type {import("./network_arrows.js").Edge[]} */ edges = [];
  /** @type {import("./network_arrows.js").Network | null} */ network = null;
  /** @type {Lane[]} */ lanes = [];
  /** @type {Lane | undefined} */ of; // the lane that is shown
  /** @type {Lane} */ lane;
  /** @type {Model | undefined} */ model;
  /** @type {Colours} */ colours;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.which = new LaneChoice(player, "Lane of the network");
    this.roving = new Roving(this.stage);
    this.canvas.vector = (context) => this.draw(context);
    this.slider.setAttribute("aria-label", "Smallest weight that has an arrow");
    this.limiter = element(
      "label",
      {class: "lv-network-limit"},
      element("span", {}, "arrows from "),
      this.limitWords,
      this.slider,
    );
    this.apart = legend([["square", "apart", "the same weights, each unit by itself"]]);
    this.bars = legend([
      ["square", "muted", "prior: nothing known"],
      ["square", "accent", "posterior: given what is observed"],
    ]);
    this.body = element(
      "div",
      {class: "lv-network-body"},
      this.stage,
      this.said,
      this.sum,
      element(
        "div",
        {class: "lv-legends"},
        this.bars,
        this.apart,
        legend([
          ["line", "plus", "weight above 0"],
          ["line", "minus", "below 0"],
          ["ring", "now", "the unit that is explained"],
        ]),
      ),
      this.help,
    );
    this.node = card(
      {class: "lv-network", "aria-label": "Network"},
      ["Network ", this.which.node, this.title],
      [],
      this.body,
      this.absent,
      this.announced,
    );
    window.addEventListener("beforeprint", this.paper);
    window.addEventListener("afterprint", this.screen);
  }

  // On paper the drawing has a size of its own: nodes that stood elsewhere than on the screen would leave their arrows.
  paper = () => this.fix(PAPER);
  screen = () => this.fix({width: "", fontSize: ""});

  /** @param {{width: string, fontSize: string}} size */
  fix(size) {
    if (this.body.hidden || !this.colours) return;
    Object.assign(this.stage.style, size);
    this.layout = "";
    this.measure();
    repaint(this.canvas, (context) => this.draw(context));
  }

  remove() {
    window.removeEventListener("beforeprint", this.paper);
    window.removeEventListener("afterprint", this.screen);
  }

  /** @param {Lane[]} lanes */
  load(lanes) {
    const same = lanes.some(({model}) => model === this.model);
    if (staysStale(this.node, same && Boolean(this.lane?.beliefs), lanes)) return;
    this.lanes = lanes;
    this.of = undefined;
    this.follow();
  }

  // Show the selected lane, if it is small enough.
  follow() {
    const lane = this.which.choose(this.lanes, fits),
      before = this.of ?? this.lane;
    if (lane === this.of) return;
    this.of = this.lane = lane;
    const offered = fits(lane);
    this.body.hidden = !offered;
    if (offered) this.node.querySelector("header")?.append(this.limiter);
    else this.limiter.remove();
    this.absent.hidden = offered;
    this.place(offered && variablesOf(lane.model) !== null);
    if (!offered) return this.loadAbsent(lane);
    const {index} = this.which;
    this.node.style.setProperty("--lv-accent", `var(--lv-lane${index % 2})`);
    this.node.style.setProperty("--lv-apart", `var(--lv-lane${(index + 1) % 2})`);
    if (this.model !== lane.model) this.loadModel(lane);
    this.apart.hidden = !lane.beliefs?.apart;
    setText(this.title, this.titleOf(lane));
    setText(this.help, this.helpWords);
    this.announce(before, lane);
  }

  // The first card of the page where units are named variables; else the last.
  /** @param {boolean} first */
  place(first) {
    const {inner} = this.player;
    if (first === (inner.firstElementChild === this.node)) return;
    if (first) inner.prepend(this.node);
    else inner.append(this.node);
  }

  /** @param {Lane} lane */
  loadAbsent({n_h, n_v, model}) {
    setText(this.title, "");
    const limits = `at most ${MAX_LATENTS} latents and ${MAX_VISIBLES} visible units that are on or off`,
      has = `${n_h} latents and ${many(n_v)} visible units${UNITS[model.visible].binary ? "" : " of real values"}`;
    setText(
      this.absent,
      `Models of ${limits} are drawn here as a network that one can press; this one has ${has}.`,
    );
  }

  /** @param {Lane} lane */
  titleOf({beliefs, meta, n_h}) {
    if (!beliefs) return "probabilities by the lane's inference";
    const evidence = meta.normalised ? `; log\u00a0P(x) ${number(beliefs.log_evidence, 4)} nats` : "";
    return `all ${many(2 ** n_h)} states of ${n_h} latents enumerated${evidence}`;
  }

  get helpWords() {
    const {player, lane} = this,
      parts = [];
    if (player.input.drawable)
      parts.push(
        `Press an observation to make it ${player.input.takesUnknown ? "not known, on, or off" : "on or off"}.`,
      );
    if (this.canHold) parts.push("Press a latent to hold it on, then off, then free.");
    if (!lane.model.factorised && !lane.model.restricted)
      parts.push(
        "Numbers on arrows: what each observation says for the explained unit, in nats; dashed: what another latent takes from it or adds.",
      );
    return parts.join(" ");
  }

  // The nodes and arrows of another model.
  /** @param {Lane} lane */
  loadModel({model, n_h, n_v}) {
    this.model = model;
    this.edges = edgesOf(model);
    this.strongest = Math.max(1e-9, ...this.edges.map(({weight}) => Math.abs(weight)));
    this.threshold = usualThreshold(this.edges);
    this.slider.value = String(Math.round((STEPS * this.threshold) / this.strongest));
    this.nodes = [
      ...Array.from({length: n_h}, (_, j) => new NetworkNode("latent", j, () => this.press(j))),
      ...Array.from({length: n_v}, (_, i) => new NetworkNode("visible", i, () => this.press(n_h + i))),
    ];
    const {layers} = model;
    /** @param {string} label @param {NetworkNode[]} nodes */
    const row = (label, nodes) =>
      element(
        "div",
        {
          class: "lv-network-row",
          role: "group",
          "aria-label": label,
          style: `--lv-nodes: ${nodes.length}`,
          "data-many": nodes.length > FEW,
        },
        ...nodes.map(({button}) => button),
      );
    const rows = layers
      .map(({layer, first, n_h: n}) =>
        row(layers.length > 1 ? `Layer ${layer + 1}` : "Latents", this.nodes.slice(first, first + n)),
      )
      .reverse();
    this.stage.replaceChildren(this.canvas, ...rows, row("Observations", this.nodes.slice(n_h)));
    this.stage.toggleAttribute("data-columns", layers.length === 1 && Math.max(n_h, n_v) > NARROW);
    const order = layers.flatMap((_, n) => {
      const {first, n_h: size} = layers[layers.length - 1 - n];
      return this.nodes.slice(first, first + size);
    });
    this.roving.load([...order, ...this.nodes.slice(n_h)]);
    this.layout = "";
  }

  /** @param {number} threshold */
  limit(threshold) {
    this.threshold = threshold;
    this.player.clock.dirty();
  }

  // What a press on a node does.
  /** @param {number} node */
  press(node) {
    const {player, lane, which, nodes} = this,
      {kind, unit} = nodes[node];
    this.roving.stop(nodes[node]);
    if (kind === "visible") {
      if (!player.input.drawable) return;
      this.pressed = visibleName(lane.model, unit);
      return player.input.toggle(unit);
    }
    const {selected} = player,
      chosen = selected.lane === which.index && selected.unit === unit;
    if (!this.canHold) return player.select(which.index, chosen ? -1 : unit);
    this.pressed = lane.unitName(unit);
    player.hold(unit, this.nextHold(unit), which.index);
  }

  // What a press on a node does, in words.
  /** @param {NetworkNode} node */
  actionOf({kind, unit}) {
    if (kind === "visible")
      return this.player.input.drawable ? `Press to make it ${this.nextObservation(unit)}.` : "";
    if (!this.canHold) return "Press to explain it.";
    const next = this.nextHold(unit);
    return next === "free" ? "Press to free it." : `Press to hold it ${next}.`;
  }

  // A link or a lesson may leave holding out.
  get canHold() {
    const {player, which} = this;
    return player.holds(which.index) && player.shows("hold");
  }

  /** @param {number} j */
  nextHold(j) {
    const {held} = this.lane;
    return !held.has(j) ? "on" : held.get(j) ? "off" : "free";
  }

  // As the input card has it.
  /** @param {number} i */
  nextObservation(i) {
    const off = this.player.input.takesUnknown ? "not known" : "on";
    return {unknown: "on", on: "off", off}[observationOf(this.lane.x, i)];
  }

  // What a press has changed, to screen readers.
  /** @param {Lane | undefined} before @param {Lane} lane */
  announce(before, lane) {
    const {pressed} = this;
    if (!pressed) return;
    this.pressed = "";
    const node = this.nodes.findIndex((_, n) => this.nameOf(n) === pressed),
      {words} = this.factsOf(node),
      {n_h} = lane;
    const changes = Array.from({length: n_h}, (_, j) => j).flatMap((j) => {
      const [now, was] = [lane, before].map((each) => each?.beliefs?.latents[n_h + j]);
      return now !== undefined && was !== undefined && Math.abs(now - was) >= CHANGED
        ? [`${lane.unitName(j)} ${now.toFixed(2)}, before ${was.toFixed(2)}`]
        : [];
    });
    const changed = lane.beliefs ? `${changes.join("; ") || "No latent's probability changes"}.` : "";
    setText(this.announced, `${pressed}: ${words}. ${changed}`);
  }

  /** @param {number} node */
  nameOf(node) {
    const {kind, unit} = this.nodes[node];
    return kind === "latent" ? this.lane.unitName(unit) : visibleName(this.lane.model, unit);
  }

  /** @param {number} node @returns {import("./network_nodes.js").NodeFacts} */
  factsOf(node) {
    const {lane, player} = this,
      {beliefs, n_h, n_v, held} = lane,
      {kind, unit} = this.nodes[node],
      decided = kind === "latent" && unit === this.explained;
    if (kind === "visible") {
      return {
        state: observationOf(lane.x, unit),
        words: stateWord(lane.x, unit),
        decided,
        able: player.input.drawable,
        bars: beliefs
          ? [
              {name: "prior", title: "prior", value: beliefs.visibles[unit]},
              {name: "posterior", title: "posterior", value: beliefs.visibles[n_v + unit]},
            ]
          : [{name: "posterior", title: "mean", value: lane.mean(unit)}],
      };
    }
    const on = lane.h[unit],
      holds = held.has(unit);
    /** @type {import("./network_nodes.js").NodeBar[]} */
    const bars = beliefs
      ? [
          {name: "prior", title: "prior", value: beliefs.latents[unit]},
          {name: "posterior", title: "posterior", value: beliefs.latents[n_h + unit]},
          ...(beliefs.apart
            ? [{name: /** @type {const} */ ("apart"), title: "by itself", value: beliefs.apart[n_h + unit]}]
            : []),
        ]
      : [{name: "posterior", ...inferred(lane, unit)}];
    return {
      state: on === 1 ? "on" : on ? "between" : "off",
      words: holds ? `held ${held.get(unit) ? "on" : "off"}` : lane.stateOf(unit),
      decided,
      able: true, // where it is not held it is selected
      bars,
    };
  }

  // The explained unit; -1 at the start, where no decision was made and no unit is selected.
  get explained() {
    const {index, j} = subjectOf(this.player),
      {selected} = this.player,
      {k, currentUnit, n_h} = this.lane; // perhaps an earlier lane, until exact results of the new one are here
    const found =
      index === this.which.index && j < n_h && (selected.unit >= 0 || (k > 0 && currentUnit >= 0));
    return found ? j : -1;
  }

  // What made the decision: nats of each arrow of the explained unit, and what others of its layer changed.
  /** @param {number} j */
  decision(j) {
    const {lane, edges} = this;
    if (j < 0) return null;
    const {terms, facts} = termsAt(lane, j),
      {first, n_h, layer} = lane.layerOf(j),
      {causes} = atOnce(whoChanged(lane, j, "off")),
      below = layer ? first - lane.layerOf(j).n_v : lane.n_h;
    const nats = told(
      edges.flatMap((edge) => {
        if (edge.from === j && edge.to >= below)
          return [[edge, terms.evidence[edge.to - below] + terms.alone[edge.to - below]]];
        return edge.to === j && edge.from >= first + n_h ? [[edge, edge.weight * lane.h[edge.from]]] : [];
      }),
    );
    const arcs = causes
      .filter(({nats: value}) => Math.abs(value) >= 0.005)
      .map(({unit, nats: value}) => ({from: unit, to: j, nats: value}));
    return {terms, facts, nats, arcs, said: verdict(facts, namedCauses(causes, terms.othersSum))};
  }

  /** @param {number} k @param {Colours} colours @param {number} fontSize */
  paint(k, colours, fontSize) {
    if (!this.lanes.length) return;
    this.follow();
    if (this.body.hidden) return;
    const {lane, nodes} = this;
    this.colours = colours;
    this.fontSize = fontSize;
    nodes.forEach((node, n) => node.show(this.nameOf(n), this.factsOf(n)));
    const j = this.explained,
      found = this.decision(j);
    setRich(this.said, found ? [bold(question(found.facts)), ` ${found.said}`] : [this.restWords]);
    setText(this.sum, found ? this.sumOf(j, found) : "");
    this.measure();
    this.network = {
      edges: this.edges,
      boxes: this.boxes,
      strongest: this.strongest,
      heads: !lane.model.factorised && !lane.model.restricted,
      nats: found?.nats ?? new Map(),
      arcs: found?.arcs ?? [],
      about: lane.about,
    };
    repaint(this.canvas, (context) => this.draw(context));
    setText(this.limitWords, `${number(this.threshold, 2)} nats`);
  }

  get restWords() {
    return "Each visit decides one latent: the arrows that made the decision then have their nats.";
  }

  // The nats of the arrows and what they sum to, in words.
  /** @param {number} j @param {NonNullable<ReturnType<NetworkCard["decision"]>>} found */
  sumOf(j, {terms, nats, arcs}) {
    const {lane, about} = {lane: this.lane, about: this.lane.about},
      above = lane.layerOf(j).first + lane.layerOf(j).n_h;
    const parts = Array.from(nats, ([{from, to}, value]) => [
      this.nameOf(from === j ? to : from),
      value,
      from,
    ]);
    const words = [
      `${termName("prior")} ${signed(terms.prior)}`,
      ...parts
        .filter(([, , from]) => Number(from) < above)
        .map(([name, value]) => `${name} ${about}${signed(Number(value))}`),
      ...arcs.map(({from, nats: value}) => `${lane.unitName(from)} ${about}${signed(value)}`),
    ];
    return `${words.join(", ")}; ${termName("log-odds")} ${signed(terms.logOdds)}.`;
  }

  // Where the nodes stand in the drawing.
  measure() {
    const {canvas, nodes} = this;
    fitCanvas(canvas);
    const layout = [canvas.width, canvas.height, this.fontSize].join();
    if (layout === this.layout) return;
    this.layout = layout;
    this.letters = parseFloat(getComputedStyle(this.stage).fontSize);
    this.boxes = nodes.map(
      ({button: {offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height}}) => ({
        x,
        y,
        width,
        height,
      }),
    );
  }

  /** @param {Pen} context */
  draw(context) {
    if (!this.network || !this.boxes.length) return;
    const ratio = window.devicePixelRatio || 1;
    context.save();
    context.scale(ratio, ratio);
    this.drawnArrows = drawNetwork(context, this.network, this.threshold, this.letters, this.colours.palette);
    context.restore();
  }

  // When the cursor rests: the words for screen readers.
  rest() {
    if (this.body.hidden || !this.lanes.length) return;
    this.nodes.forEach((node, n) => node.say(this.nameOf(n), this.factsOf(n), this.actionOf(node)));
    setText(this.help, this.helpWords); // a control may have been hidden, or shown again
    const some = this.edges.filter(({weight}) => weight).length;
    setAttribute(
      this.slider,
      "aria-valuetext",
      `${number(this.threshold, 2)} nats: ${this.drawnArrows} of ${some} arrows`,
    );
  }

  // For tests and other scripts of the page.
  get snapshot() {
    const {lane, body, nodes, network} = this;
    if (!lane || body.hidden) return {offered: false};
    return {
      offered: true,
      lane: this.which.index,
      evidence: lane.beliefs?.log_evidence ?? null,
      threshold: this.threshold,
      arrows: this.drawnArrows,
      explained: this.explained,
      nats: Array.from(network?.nats ?? [], ([{from, to}, nats]) => ({from, to, nats})),
      arcs: network?.arcs ?? [],
      nodes: nodes.map((_, n) => ({name: this.nameOf(n), ...this.factsOf(n)})),
    };
  }
}

registerView("network", (player) => new NetworkCard(player));
