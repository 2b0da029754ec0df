// The live page (live/page.py): what Python writes into it.

type LiveModel = {
  key: string; title: string; short: string; partner: string; methods: import("../lrbn_viz/live/js/infer.js").Method[]; starts: [string, string][];
  several_layers: boolean; reads_factorised: boolean; takes_clamp: boolean; has_ladder: boolean;
  usual_start: string; // of the model's own inference; empty: it is drawn
};
type LiveMeta = {
  models: LiveModel[]; shown: [string, string]; data: string; title: string; rounded: string; /* what is to be said of rounded weights */ image: number; class_names: string[]; image_shape: [number, number]; binary: boolean;
  opening: LiveAddress; // what is shown where the page's own address says nothing
};
type LiveArrays = {pixels: Uint8Array; /* bits, or bytes of ink */ index: Uint32Array; label: Uint16Array; x?: Float64Array; shades?: Float32Array};

// What a page's address holds, by the names that the explorer's addresses have
type LiveAddress = Record<string, string>;
