// The Train view of a live page: the training board, fed by a worker of the page (run_worker.js), and the settings of its run.

import {TrainBoard} from "../../board/js/board.js";
import {IN_PAGE} from "../../board/js/trainer.js";
import {unpack} from "../../player/js/decode.js";
import {element, setText} from "../../player/js/dom.js";
import {many, number} from "../../player/js/format.js";
import {withSettings} from "./model_file.js";
import {labelled, menu, numberField, numberIn, settingsOf} from "./settings.js";
import {blocksOf, readPictures, readTable, runOn} from "./own_table.js";
import {pack} from "./write.js";
import TRAIN_STYLE from "./train.css";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {import("./run.js").Said} Said */
/** @typedef {import("./run.js").Trained} Trained */

const {max_seed: MAX_SEED} = constants;
const LATENTS = [2, 4, 8, 16, 32, 64], // that are offered for a visitor's table
  OWN_LATENTS = 8; // at first

// Names of speeds, and minibatches a second; null: as many as the device computes.
/** @param {number} per_pass @returns {[string, number | null][]} */
const speeds = (per_pass) => [
  ["full speed", null],
  ["an epoch a second", per_pass],
  ["10 minibatches a second", 10],
  ["2 minibatches a second", 2],
];

const bytesIn = (/** @type {Numbers} */ array) => /** @type {Uint8Array} */ (array);

/** @typedef {{table: import("./own_table.js").Table, run: Block<PageRunMeta, Arrays>}} OwnTable */

/**
 * @param {LivePage} page
 * @param {{run: ArrayBuffer, worker: string, kernels: ArrayBuffer}} given  a block, the address of the worker's script, and the kernels' module
 * @param {OwnTable} [own]  a visitor's table, and the run that learns from it
 */
export function createTraining(page, given, own) {
  /** @type {Block<PageRunMeta, Arrays>} */
  const {meta, arrays} = own?.run ?? unpack(given.run),
    {kernels} = given,
    closed = new AbortController(),
    {signal} = closed,
    worker = new Worker(given.worker);
  const tell = (/** @type {object} */ message) => worker.postMessage(message);

  const main = element("main", {class: "live-view", "aria-label": "Train"}),
    style = element("style", {}, TRAIN_STYLE);
  page.views.add({name: "train", title: "Train", main, address: () => page.lesson.address});
  page.frame.append(style);
  page.training = {
    dataset: meta.dataset,
    images: [bytesIn(arrays.images), bytesIn(arrays.held)],
    arrange: (asked) => arrange(asked),
    bring: () =>
      new Promise((done) => {
        brought = done;
        tell({type: "show"});
      }),
  };

  // -- the board, and the run's settings

  const changes = element("p", {class: "live-changes", role: "status"});
  /** @type {{what: string, step: number}[]} */
  let changed = []; // settings, each with the minibatch after which it holds
  /** @type {Record<string, number | string>[]} */
  let altered = meta.lanes.map(() => ({})); // settings of each lane that the visitor or a lesson has changed
  const tellChanges = () => {
    const said = changed.map(
      ({what, step}) => `${what} from epoch ${number(step / meta.lanes[0].per_pass, 2)}`,
    );
    setText(changes, said.length ? `Changed: ${said.join("; ")}.` : "");
  };
  const seeded = element("p", {class: "live-changes", role: "status"});
  const seed = numberField(
    "Seed",
    "Equal seeds and settings give equal runs: the seed draws the order of the images, and all random states. Initial parameters are the same for all.",
    meta.seed,
    () => {
      const value = readSeed();
      if (value !== null) tell({type: "seed", value});
      tellSeed();
    },
  );
  const readSeed = () => numberIn(seed, MAX_SEED); // null if it is none
  const tellSeed = () => {
    const value = readSeed(),
      of = board.meta?.seed;
    seed.setAttribute("aria-invalid", String(value === null));
    if (value === null) setText(seeded, `Seed: a whole number from 0 to ${many(MAX_SEED)}.`);
    else
      setText(
        seeded,
        value === of ? "" : `Seed ${value} holds from the next Reset; this run has seed ${of}.`,
      );
  };
  const pace = menu(
    "Speed",
    speeds(meta.lanes[0].per_pass).map(([text]) => [text, text]),
    "full speed",
    (chosen) => {
      const [, value] = speeds(meta.lanes[0].per_pass).find(([text]) => text === chosen) ?? ["", null];
      tell({type: "pace", value: value ?? Infinity});
    },
  );
  /** @type {(() => void)[]} */
  const menus = []; // each shows the present value
  const settings = meta.lanes.flatMap(({title, offers, settings: of}, lane) =>
    offers.map(({name, label, values}) => {
      const select = menu(
        `${title}: ${label}`,
        values.map(([value, text]) => [String(value), text]),
        String(of[name]),
        (chosen) => {
          const [value, text] = values.find(([each]) => String(each) === chosen) ?? values[0],
            [{step}] = board.lanes;
          tell({type: "set", lane, name, value});
          altered[lane][name] = value;
          if (step) changed.push({what: `${title}, ${label} ${text}`, step});
          tellChanges();
        },
      );
      menus.push(() => (select.value = String(altered[lane][name] ?? of[name])));
      return labelled(
        `${title}: ${label}`,
        element("i", {style: `background: var(--lv-lane${lane})`, "aria-hidden": "true"}),
        select,
      );
    }),
  );
  /** @param {OwnTable} own */
  const latents = ({table}) =>
    menu(
      "Latents of each model",
      LATENTS.map((n) => [String(n), String(n)]),
      String(meta.lanes[0].n_h),
      (chosen) => again({table, run: runOn(table, meta.own, Number(chosen))}),
    );
  const course = settingsOf(
    "Settings of the run",
    `Settings of the run: ${meta.title}`,
    signal,
    element(
      "p",
      {class: "live-about"},
      element("b", {}, meta.title),
      `: ${many(meta.n_train)} training ${meta.variables ? "rows" : "images"}, ${many(meta.n_held)} held out. ${meta.about}`,
    ),
    ...(own ? [labelled("Latents of each model", latents(own))] : []),
    ...settings,
    labelled("Speed", pace),
    labelled("Seed", seed),
    changes,
    seeded,
  );
  const host = element("div", {class: "live-body live-board"});
  main.append(course, host);
  let draws = false; // whether the models that are asked for go to the Generate view
  const board = new TrainBoard(
    host,
    (message) => {
      if (message.type === "reset") changed = [];
      draws = message.type === "draw";
      tell(draws ? {type: "show"} : message);
      return true;
    },
    () => true,
    IN_PAGE,
  );
  // -- what the worker says

  worker.onmessage = ({data}) => receive(data);
  worker.onerror = ({message}) => setText(board.error, `Training ended: ${message}`);
  let asked = 0; // how many times a lesson has asked for a run
  // Parts that a lesson speaks of are kept in sight until its run has ended, as they grow, or the visitor scrolls.
  let keeps = false;
  const keepInSight = () => {
    if (keeps && page.lesson.looksAt("curves")) board.curves.scrollIntoView({block: "nearest"});
  };
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
    main.addEventListener(kind, () => (keeps = false), {capture: true, passive: true, signal});
  /** @param {Said} said */
  const receive = (said) => {
    if ("frames" in said) {
      for (const frame of said.frames) board.take(frame);
      if (said.pictures) board.show(/** @type {Block<BoardMeta, BoardArrays>} */ (said.pictures));
    } else if ("models" in said) infer(said.models);
    else if ("failed" in said) setText(board.error, said.failed);
    else {
      board.show(/** @type {Block<BoardMeta, BoardArrays>} */ (said));
      keepInSight();
      if (said.meta.kind === "rest" && said.meta.arranged === asked) keeps = false;
      if (said.meta.kind !== "run") return;
      const [{step}] = board.lanes; // where the run goes on: a setting that was changed later holds from here
      for (const each of changed) each.step = Math.min(each.step, step);
      tellChanges();
      tellSeed();
    }
  };
  /** @type {(() => void) | null} */
  let brought = null; // whom the models are for, if not for the Inference view
  // Show models in the Inference view, or add them to the page for another view.
  /** @param {Trained} trained */
  const infer = ({names, weights, step, row, x}) => {
    const at = `${row === null ? "after" : "before"} minibatch ${many(step)}`,
      keys = names.map((name) => `${name} in training${own ? ` on ${meta.title}` : ""}, ${at}`),
      changes = changed.map(({what, step}) => `${what}, from minibatch ${step}`),
      provenance = JSON.stringify({
        data: meta.dataset,
        minibatches: step,
        seed: board.meta?.seed ?? meta.seed,
        ...(changes.length && {changes}),
      }),
      infos = meta.lanes.map(({info}, n) => ({
        ...info,
        key: keys[n],
        title: keys[n],
        partner: keys[1 - n],
        file: info.file && withSettings({...info.file, head: {...info.file.head, provenance}}, altered[n]),
      }));
    const models = pack(
      {...meta.models, models: meta.models.models.map((model, n) => ({...model, key: keys[n]}))},
      Object.fromEntries(
        weights.flatMap(({rows: W, b, d}, n) => [
          [`${n}.W`, W],
          [`${n}.b`, b],
          [`${n}.d`, d],
        ]),
      ),
    );
    if (brought) {
      page.add(meta.dataset, models, infos);
      brought();
      brought = null;
      return;
    }
    page.views.show("");
    const origin = row === null ? "" : `${meta.training_image} ${many(row)}, of minibatch ${many(step)}`;
    page.present(
      meta.dataset,
      models,
      infos,
      meta.lanes.map(({e_step}, n) => ({key: keys[n], algorithm: e_step})),
      x,
      origin,
    );
    if (draws) page.views.show("generate");
    draws = false;
  };

  // Show the run that a lesson asks for, and the lesson beside it.
  /** @param {Arrangement} asked */
  const arrange = ({settings: chosen, epochs}) => {
    if (own) return again();
    altered = chosen.map((of) => ({...of}));
    changed = [];
    for (const show of menus) show();
    seed.value = String(meta.seed);
    tell({type: "arrange", settings: chosen, epochs});
    asked++;
    main.prepend(page.lesson.card);
    page.views.show("train");
    keeps = true;
    keepInSight();
  };

  tell({type: "open", kernels, meta, arrays});
  const still = window.matchMedia("(prefers-reduced-motion: reduce)"),
    calm = () => tell({type: "calm", on: still.matches});
  still.addEventListener("change", calm, {signal});
  calm();
  if (page.lesson.asked) arrange(page.lesson.asked);
  else if (own || (meta.first && !location.hash)) page.views.show("train");
  else page.views.follow();

  // -- a visitor's table

  // Learn from another table, or with other models; else from the page's own images.
  /** @param {OwnTable} [next] */
  const again = (next) => {
    page.views.remove("train");
    closed.abort();
    worker.terminate();
    board.vanish?.();
    style.remove();
    window.lrbnTraining = createTraining(page, given, next);
  };
  page.learns(async (files) => {
    const [file] = files,
      pictures = !/\.(csv|tsv|txt)$/i.test(file.name),
      name = page.freeName(pictures ? `${many(files.length)} pictures` : file.name.replace(/\.[^.]*$/, "")),
      table = pictures ? await readPictures(files, name) : readTable(await file.text(), name),
      next = {table, run: runOn(table, meta.own, OWN_LATENTS)};
    page.addSet(blocksOf(table, next.run, page.file_kinds));
    again(next);
  });
  return {board, tell};
}
