// The blocks and properties that the app's pages are sent; Python's side is named at each.

// The form beside it (app/train/panel.py, model_files.py)
type FormField = {
  path: string;
  label: string;
  unit: string;
  help: string;
  options: [string, string][] | null;
  wide?: boolean;
  value: string;
  message: string;
  fixed: string;
};
type FormGroup = {title: string; lane?: number | null; about?: boolean; more?: boolean; fields: FormField[]};
type Form = {
  groups: FormGroup[];
  about: string;
  estimate: string;
  carry_on: boolean;
  lanes: string[];
  running: boolean;
  given: number[];
  shown: number;
};
type StoredRun = {
  name: string;
  title: string;
  words: string;
  results: string[];
  live: boolean;
  owned: boolean;
  can_open: boolean;
  can_link: boolean;
  can_end: boolean;
  can_delete: boolean;
  parent: string | null;
};
type DeletedRun = {key: string; name: string; seconds_left: number};
type StoredRuns = {
  stored?: StoredRun[];
  name?: string;
  deleting?: string;
  deleted?: DeletedRun[];
  listed?: boolean | null;
};
type ModelFile = {
  stage: string;
  filename: string;
  size: number;
  received: number;
  words: string;
  refused: boolean;
  number: number;
};

// A visitor's own data (app/upload/wire.py)
type PreviewMeta = {
  turn: number;
  n: number;
  n_train: number;
  n_test: number;
  n_v: number;
  n_unknown: number;
  classes: [string, number][];
  image_shape: [number, number] | null;
  variables: string[] | null;
  notes: string[];
  two_valued: boolean;
  least: number;
  most: number;
  otsu: number;
  low: string;
  high: string;
  own_split: boolean;
  kind_of_file: string;
  name: string;
  binary: boolean;
  threshold: number;
  invert: boolean;
  test_share: number;
  seed: number;
};
type PreviewArrays = {intensity: Float32Array; standard: Float32Array; histogram: Uint32Array};
// A column: its number, its name, both, the kind, its first values, its words, the smallest and largest number, whether it is no pixel.
type ListedColumn = [
  number,
  string,
  string,
  "numbers" | "yes or no" | "words",
  string,
  string[],
  number,
  number,
  boolean,
];
type TableMeta = {
  turn: number;
  columns: ListedColumn[];
  labels: string;
  left_out: number[];
  thresholds: [number, string][];
};
type Upload = {
  stage: string;
  number: number;
  received: number;
  filename: string;
  error: string;
  question: string;
  asks_shape: boolean;
  table: TableMeta | Record<string, never>;
  preview: ArrayBuffer | null;
  accepted: string;
  limit: number;
};

// The picker of images (app/inference/panels)
type GalleryMeta = {
  binary: boolean;
  variables?: string[] | null;
  class_names: string[];
  image_shape: [number, number];
  total: number;
};
type GalleryArrays = {
  pixels: Uint8Array;
  /* bits, or bytes of ink */ unknown?: Uint8Array;
  index: Uint32Array;
  label: Uint16Array;
};
