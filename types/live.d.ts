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
  draws_passes: boolean; // whether the page draws samples of it
  directed: boolean;
  usual_start: string; // of the model's own inference; empty: it is drawn
  opens_from: string;
  note: string; // the start that it is opened with; what each start ends with on average
  file: FileHead | null; // null where the page saves no such model
};
// What a file of a model holds beside its parameters and names, as texts (live/files.py)
type FileHead = {
  head: {kind: string; settings: string; provenance: string; columns?: string};
  layers: boolean; // whether its arrays are numbered, a layer each
};
// A kind of model that the page opens: how one is described, and its weights read factorised if they can be
type FileKind = {
  infos: LiveModel[]; // {} in the place of its name
  models: ModelsMeta["models"];
  own_sweeps: string[]; // methods that make as many sweeps as the file says
};
type LiveMeta = {
  models: LiveModel[];
  shown: [string, string];
  dataset: string; // the name of the data set
  part: "test" | ""; // of the data set, which the images are; empty: all of it
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
  in_class: boolean; // whether a class's server serves the page, and has the answers
  opening: LiveAddress; // what is shown where the page's own address says nothing
  file_kinds: FileKind[];
};
type LiveStep = {
  title: string;
  opening: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  state: string;
  train: Arrangement | null; // the run that a step about training shows while it asks
  look: string[];
  use: string[];
  text: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  question: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  options: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[][];
  do: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  sealed: string; // its LiveAnswer, encoded (live/lessons.py); empty: a class's server has it
};
// What a step says and shows once it is answered
type LiveAnswer = {
  right: number;
  why: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[][];
  reveal: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  take_home: import("../lrbn_viz/view/player/js/lesson.js").TreeNode[];
  then: string;
  after: string[];
  train: Arrangement | null;
};
// What a class's server tells a student's page (server/classroom)
type ClassState = {
  version: string;
  phase: "own" | "waiting" | "asked" | "voting" | "closed" | "revealed";
  round: number;
  lesson?: string;
  step?: number;
  asks?: LiveStep;
  mine: (number | null)[]; // what this browser has voted, by round
  answer?: LiveAnswer;
  votes?: number[][]; // for each option, by round
};
type LiveLesson = {
  id: string;
  title: string;
  minutes: number;
  guide: boolean;
  steps: (LiveStep | null)[]; // null: a class's server has it
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

// What a page that trains begins with (live/training.py)
type RunLane = {
  kind: "lrbn" | "rbm";
  title: string;
  words: string; // its settings
  settings: {learning_rate: number; decay_steps: number | null; [name: string]: unknown};
  offers: {name: string; label: string; values: [number | string, string][]}[]; // settings that may be changed
  e_step: string; // the inference that it learns with; empty: the usual one
  n_h: number;
  per_pass: number; // minibatches
  score: string;
  score_name: string;
  rows: PictureRow[];
  info: LiveModel; // for the Inference view
};
type PageRunMeta = {
  dataset: string;
  title: string; // of the data set
  training_image: string; // what a training image is called, but for its number
  about: string;
  image_shape: [number, number];
  variables: string[] | null; // names, where the data are no pictures
  n_train: number;
  n_held: number;
  batch_size: number;
  n_iter: number;
  seed: number;
  lanes: RunLane[];
  models: ModelsMeta; // of a block with both models
  own: OwnRun;
  first: boolean; // whether the page opens with it
};
// The run on a visitor's table, whose sizes the page fills in
type OwnRun = {
  about: string; // of a table
  about_pictures: string;
  batch_size: number;
  n_iter: number;
  lanes: (RunLane & {
    n_particles: number; // of persistent chains
    predicts: boolean; // whether its score predicts each column from the others
  })[];
  models: ModelsMeta["models"];
};

// What a live page offers to what is added to it
type Adopted = {key: string; algorithm: string}; // a model, and its inference; empty: the usual one
// A run that a lesson shows: settings of each lane that differ from the page's own, and how many epochs it has learned.
type Arrangement = {settings: Record<string, number | string>[]; epochs: number};
// A lesson that is about training, for the Train view.
type LessonPlace = {
  card: HTMLElement;
  asked: Arrangement | null; // the run that its step shows
  looksAt(part: string): boolean; // whether the step is about a part of the board
  address: LiveAddress;
};
// A page that trains, and the models that it trains.
type Trains = {
  dataset: string;
  images: Uint8Array[]; // bits in rows of whole bytes, of the training images and of those held out
  arrange(asked: Arrangement): void; // show the run of a lesson
  bring(): Promise<void>; // add the models as they are now
};
type LivePage = {
  frame: HTMLElement; // which its header and its parts are in
  views: import("../lrbn_viz/view/live/js/views.js").Views;
  readonly session: import("../lrbn_viz/view/live/js/session.js").Session; // of the data set that is shown
  readonly sessions: import("../lrbn_viz/view/live/js/session.js").Session[];
  training: Trains | null;
  readonly lesson: LessonPlace;
  ask(message: object, answered: (data: any) => void): Worker; // of a new worker of the engine
  fetchAll(): Promise<void>; // models that are not here yet
  // show models that the page did not come with, with the images of a data set
  present(
    dataset: string,
    models: Uint8Array,
    infos: LiveModel[],
    shown: Adopted[],
    x: Uint8Array | null,
    origin: string,
  ): void;
  // add such models, and show what is shown
  add(dataset: string, models: Uint8Array, infos: LiveModel[]): void;
  file_kinds: FileKind[];
  // add a data set and show it
  addSet(blocks: {models: Uint8Array; images: Uint8Array; usage: null}): void;
  freeName(name: string): string; // that no model and no data set of the page has
  // say what is to be done with a visitor's table or pictures
  learns(from: (files: File[]) => Promise<void>): void;
};
