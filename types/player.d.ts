// The shapes that several files of the player speak of. Only the type checker reads this folder, so nothing of it is
// shipped. The names hold everywhere; what one file alone needs is declared there.

type Palette = (typeof import("../lrbn_viz/io/theme.json"))["light"];
type PixelTables = {ink: Uint32Array; error: Uint32Array[]; signed: Uint32Array; hatch: Uint32Array};
type Colours = {palette: Palette; tables: PixelTables};
type Size = {width: number; height: number};
type Timer = ReturnType<typeof setTimeout>;

// What draws: a canvas's context, or the one that writes SVG (svg.js), which has what is used of it.
type Pen = Pick<
  CanvasRenderingContext2D,
  | "save"
  | "restore"
  | "transform"
  | "translate"
  | "scale"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "rect"
  | "roundRect"
  | "arc"
  | "fill"
  | "stroke"
  | "clip"
  | "setLineDash"
  | "fillRect"
  | "strokeRect"
  | "measureText"
  | "fillText"
  | "drawImage"
  | "globalAlpha"
  | "lineWidth"
  | "lineJoin"
  | "strokeStyle"
  | "fillStyle"
  | "font"
  | "letterSpacing"
  | "textAlign"
  | "textBaseline"
  | "imageSmoothingEnabled"
>;
type Painter = (context: Pen) => void;
type TextPart = string | {tag: "b" | "i"; text: string};

// Packed blocks (wire.py): each reader says what is in its own.
type Numbers = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;
type Arrays = Record<string, Numbers>;
type Bytes = ArrayBuffer | ArrayBufferView;
type Block<Meta, Content> = {meta: Meta; arrays: Content};

// Models (packing.py). W: row j = weights of latent j; precision: 1 / variance of each Gaussian visible unit, where they are not 1.
type Visible = "bernoulli" | "gaussian" | "noisy-or";
type VisibleUnits = {
  binary: boolean;
  threshold: number; // activation above which 1 is more probable than 0
  mean: (a: number) => number;
  raise: (a: number, w: number) => number; // of the log normaliser, by a latent of weight w
  evidence: (x: number, b: number, w: number) => number;
  alone: (b: number, w: number) => number;
  byOthers: (x: number, a: number, w: number) => number;
  product?: {share: (x: number, a: number) => [number, number]; rate: number; sign: number}; // of interactions.js
};
type Layer = {
  layer: number;
  first: number;
  n_v: number;
  n_h: number;
  W: Float32Array;
  exact: Float32Array | Float64Array;
  b: Float64Array;
  d: Float64Array;
  visible: Visible;
  precision?: Float64Array;
  brief?: boolean; // of one image only
};
type Recognition = {V: Float64Array; c: Float64Array}; // log-odds V'x + c; V: a row a latent
type Model = {
  top?: {U: Float64Array; e: Float64Array}; // of a deep belief network: the RBM on top; U: a row a lower latent
  recognition?: Recognition[]; // of each layer; none where there is no such network, or nothing infers here
  key: string;
  visible: Visible;
  factorised: boolean;
  rounded: boolean;
  layers: Layer[];
  filters: Float32Array;
  n_v: number;
  n_h: number;
  W: Float32Array;
  b: Float64Array;
  d: Float64Array;
  rows: number;
  columns: number;
  names?: string[];
  pixels?: string[]; // what each latent, each visible unit means, where that is known
  without?: string; // what the terms leave out: of a deep belief network the layer above
  restricted?: boolean; // no unit looks at another of its layer, as in a deep Boltzmann machine
  own?: boolean; // rounded weights are this model's own
  of?: number; // the model before it, by place, whose weights it has
};
type ModelsMeta = {
  image_shape: [number, number];
  models: Pick<
    Model,
    "key" | "visible" | "factorised" | "restricted" | "without" | "names" | "pixels" | "of" | "own"
  >[];
};

// Traces (packing.py, truth.py)
type Approximation = {name: string; kl: number; total_variation: number; samples: number | null};
type Known = {log_evidence: number; approximations: Approximation[]}; // of a model whose states can all be tried
type Truth = Known & {map: Uint8Array; marginals: Float64Array; covariance: Float32Array};
type Rung = {name: string; kl: number; total_variation: number};
type Distance = {rungs: Rung[]; kl: Float32Array; variation: Float32Array}; // element k belongs to the state after k visits
// Probabilities that units are on (beliefs.py): first of all with nothing known, then of all given what is; `apart` by the same weights as an RBM.
type Beliefs = {
  log_evidence: number;
  latents: Float64Array;
  visibles: Float64Array;
  apart: Float64Array | null;
};
type LaneMeta = {
  model: string;
  title: string;
  subtitle: string;
  normalised: boolean;
  sampled: boolean;
  means: boolean;
  at_once?: boolean;
  optimum: number | null;
  truth: Known | null;
  distance?: Pick<Distance, "rungs"> | null;
  beliefs?: Pick<Beliefs, "log_evidence"> | null;
  converged: boolean;
  n_h: number;
  n_v: number;
  n_visits: number;
  off?: number; // nats that terms by rounded weights are off at most
  model_title: string;
  start: string;
  seed: number | null;
  held: Record<string, number>;
  pending?: boolean; // what is exactly known of it comes later
  particles?: boolean; // each visit is to all units: it adds a weighted state
};
type TraceMeta = {
  lanes: LaneMeta[];
  title?: string;
  caption?: string;
  cursor?: number;
  question?: string;
  choices?: Partial<Choices>;
  small?: [string, string][];
};
type States = Uint8Array | Float32Array; // bits, or means between 0 and 1
type Lane = import("../lrbn_viz/view/player/js/replay.js").LaneReplay;
type LatentState = import("../lrbn_viz/view/player/js/replay.js").LatentState;
type LogOddsTerms = {
  unit: number;
  layer: number;
  prior: number;
  evidence: Float64Array;
  alone: Float64Array;
  others: Float64Array;
  evidenceSum: number;
  aloneSum: number;
  othersSum: number;
  logOdds: number;
};
type RasterRows = {byVisit: boolean; ends: number[]; states: Uint8Array; turns: Int8Array; count: number};

// What a person chose beside the cursor, as the host's properties and addresses hold it
type Choices = {
  selected: string;
  unit_order: string;
  reference: string;
  hidden: string;
  present: string;
  captions: string;
};

// What can be chosen in a lane's header (app/inference/wire.py), models in groups; no starts, or no seed, where there is nothing to choose
type LanePart = "model" | "algorithm" | "start" | "seed";
type LaneChoices = {
  models: [string, [string, string][]][];
  model: string;
  algorithms: [string, string][];
  algorithm: string;
  starts: [string, string][];
  start: string;
  note: string;
  /* what each start ends with on average */ seed: number | null;
  holds: boolean;
  unknown: boolean; // whether the model takes images of which a part is not known
};

// What a host does for the player, each as far as it can
type Callbacks = {
  rested?: (k: number) => void;
  open?: (what: string) => boolean;
  chose?: (name: keyof Choices) => void;
  usage?: () => void;
  basins?: (key: string, lane: number) => void;
  climb?: (key: string, row: number, lane: number) => void;
  compare?: (model: string) => void;
  hold?: (unit: number, state: string, lane?: number) => void;
  name?: (unit: number, name: string, lane: number) => void; // empty: by its number again
  lane?: (lane: number, part: LanePart, value: string, what: string) => boolean;
  swap?: () => void;
  back?: () => void;
  draw?: (bits: string) => void;
  image?: (way: string) => void;
};

type Player = import("../lrbn_viz/view/player/js/player.js").Player;

// A view of the player (registry.js). It is loaded with each trace, painted at each frame while it is in sight, and
// told when the cursor rests; `rest` may work in pieces.
interface View {
  node: HTMLElement;
  load(lanes: Lane[], meta: TraceMeta): void;
  paint?(k: number, colours: Colours, fontSize: number): void;
  rest?(colours: Colours): Generator<unknown, unknown> | void;
  caption?(): string; // what it says at the cursor, in a sentence, in sight or not
  makeRoom?(fontSize: number): void; // before a paint: sizes that depend on the trace
  take?(data: Bytes): void; // what the server found for this view
  remove?(): void;
  readonly snapshot?: object; // for tests and other scripts
}
