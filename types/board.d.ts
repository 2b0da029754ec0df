// What feeds the training board (view/board/js): the server (app/train/blocks.py, frames.py, feed.py), or a live page's worker
type PassesWords = {
  lanes: {
    title: string;
    what: "between" | "opening" | "images" | "e_step" | "m_step";
    done: number;
    of: number;
    left?: number;
  }[];
  workers: number | null;
  gone?: number;
  link?: string;
  names?: string[]; // null: in the server's own process
};
type RunWords = {status: string; error: string; cursor: number; removed: boolean; passes?: PassesWords};
type TrainLaneMeta = {
  title: string;
  system: string;
  settings: string;
  n_h: number;
  n_train: number;
  per_pass: number;
  step: number;
  glance: number;
  probe: number;
  seconds: number;
  history: number[];
  error: string;
  score: string; // what its validation score is
  score_name: string; // the same, as the title of a chart
  rows: PictureRow[];
};
type RunMeta = {
  kind: "run";
  name: string;
  parent: {name: string; step: number; error: string} | null;
  ancestors?: {name: string; step: number}[]; // of the parent, the first run first, and where each was left
  dataset: string;
  binary: boolean;
  tones: [number, number];
  image_shape: [number, number];
  coarse_shape: [number, number];
  variables: string[] | null;
  figures: string[];
  statuses: string[];
  n_iter: number;
  max_seconds: number | null;
  level_by: string;
  whole: boolean;
  checkpoint_seconds: number | null; // null: none are made
  budget_mb: number | null; // of stored moments; null: there is no bound
  saved_at: number;
  seed?: number; // of a run in a page
  arranged?: number; // of a run in a page: how many times a lesson has asked for a run
  words: RunWords;
  lanes: TrainLaneMeta[];
};
type PastLane = {step: number; passes: number; seconds: number; figures: Record<string, [number, number]>};
type MomentMeta = {kind: "moment"; step: number; asked: number; lanes: PastLane[]; words: RunWords};
type RestMeta = {kind: "rest"; rows: number[]; steps: number[]; arranged?: number};
type PicturesMeta = {
  kind: "pictures";
  lanes: {steps: {glance?: number; probe?: number; filters?: number}; figures: Record<string, number>}[];
};
// One minibatch in slow motion: of each lane the E-step of its images, if it has one, and the units that the step changed most
type SlowLane = {
  e_step: string | null; // its method
  n_h: number;
  units: number[]; // the most changed first
  largest: number[]; // change of a weight of each
};
type SlowMeta = {kind: "slow"; step: number; rows: number[]; lanes: SlowLane[]};
// Of each lane, and in it of each unit: weights before the step and after it. Of an E-step, image after image: its start and
// the state after each flip; `ends` has the number of states up to the end of each image.
type SlowArrays = {before: Float64Array; after: Float64Array} & Partial<FlipArrays>;
type FlipArrays = {
  ends: Uint32Array;
  unit: Int32Array; // -1: the start
  sweep: Uint32Array;
  log_odds: Float64Array; // nats, of the unit being on
  log_joint: Float64Array; // nats
  states: Uint8Array; // (n, n_h)
  means: Uint8Array; // (n, n_v), bytes: the reconstruction
};
type BoardMeta =
  | RunMeta
  | SlowMeta
  | MomentMeta
  | RestMeta
  | PicturesMeta
  | import("../lrbn_viz/view/board/js/large.js").FilterMeta
  | ({kind: "none"; seen: string /* what two models see of the images */} & RunWords);
type BoardArrays = Arrays & {
  minibatch: Uint8Array;
} & import("../lrbn_viz/view/board/js/large.js").FilterArrays;
type Pictures = {
  original: Uint8Array;
  reconstructions: Uint8Array;
  samples: Uint8Array;
  usage: Uint8Array;
  rows: Uint8Array;
};
type PictureRow = {
  title: string;
  help: string;
  unit: string;
  number: "" | "share" | "count" | "value";
  most: number;
}; // system.py has them
type FrameLane = {step: number; seconds: number; rate: number; history: number[]; values: [number, number][]};
type FramePiece = {kind: string; lane: number; index: number; content: Uint8Array};
type Frame = {
  number: number;
  status: string;
  progress: number;
  left: number;
  savedAt: number;
  lanes: FrameLane[];
  pieces: FramePiece[];
};
