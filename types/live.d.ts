// The live page (live/page.py): what Python writes into it.

type LiveModel = {
  key: string;
  title: string;
  short: string;
  partner: string;
  methods: import("../lrbn_viz/browser/js/engine.js").Method[];
  starts: [string, string][];
  whole_starts: string[]; // of these, that need an image of which all is known
  several_layers: boolean;
  has_rbm_parameters: boolean;
  takes_clamp: boolean;
  takes_unknown: boolean;
  has_ladder: boolean;
  directed: boolean;
  usual_start: string; // of the model's own inference; empty: it is drawn
  opens_from: string;
  note: string; // the start that it is opened with; what each start ends with on average
};
type LiveMeta = {
  models: LiveModel[];
  shown: [string, string];
  data: string;
  /* the data set's title */ test_image: string;
  /* what a test image is called, but for its number */ title: string;
  rounded: string;
  /* what is to be said of rounded weights */ image: number;
  class_names: string[];
  variables: string[] | null; // names, where the data are no pictures
  image_shape: [number, number];
  binary: boolean;
  lessons: LiveLesson[]; // that need no other models and images
  predictions: string; // the address that is told them; empty: none
  opening: LiveAddress; // what is shown where the page's own address says nothing
};
type LiveStep = {
  title: string;
  state: string;
  then: string;
  look: string[];
  after: string[];
  use: string[];
  text: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  question: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  options: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[][];
  do: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  sealed: string; // live/lessons.py
};
type LiveLesson = {
  id: string;
  title: string;
  minutes: number;
  guide: boolean;
  opening: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  steps: LiveStep[];
};
type LiveArrays = {
  pixels: Uint8Array;
  /* bits, or bytes of ink */ index: Uint32Array;
  unknown?: Uint8Array; // bits of those that are not known, where any is
  label: Uint16Array;
  x?: Float64Array;
  shades?: Float32Array;
};

// What a page's address holds, by the names that the explorer's addresses have
type LiveAddress = Record<string, string>;
