// What feeds the Generate view (view/generate/js): the server (app/generate/wire.py), or a live page (view/live/js/generate.js)
type PassLaneMeta = {
  model: string;
  title: string;
  chain: boolean;
  state: "" | "image" | "latents" | "image and latents";
  sizes: number[];
  latents: number;
  same: boolean;
  flat: boolean;
  held: Record<string, number>;
};
type PassesMeta = {
  lanes: PassLaneMeta[];
  passes: number;
  begins: string;
  class_names: string[];
  shown: number;
  step: number;
  key: string;
};
type Pixels = Uint8Array | Float32Array; // of one image
type PassArrays = {
  h: Uint8Array;
  x: Pixels;
  x0?: Pixels;
  uniform: Uint16Array;
  p: Float32Array;
} & Partial<NearArrays>;
// The nearest training image of each pass, where training images are at hand
type NearArrays = {near: Pixels; row: Uint32Array; label: Uint16Array; distance: Uint16Array | Float32Array};
type Moment = ReturnType<import("../lrbn_viz/view/generate/js/passes.js").Timeline["at"]>; // a step, as pass and phase
type WalkMeta = {
  lanes: {model: string; title: string; steps: number; constant: boolean}[];
  from: string;
  to: string;
  way: string;
  ways: [string, string][];
  at: number;
  n_test: number;
  passes: number;
};
type WalkArrays = {
  start: Uint8Array;
  end: Uint8Array;
  unit: Uint16Array;
  log_joint: Float32Array;
  images: Pixels;
};
type PassesBlock = Block<PassesMeta, Arrays & {shades?: Float32Array}>;
type WalksBlock = Block<WalkMeta, Arrays & {shades?: Float32Array}>;
