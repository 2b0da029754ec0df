// The Train view of a live page: the training board, fed by a worker of the page (run_worker.js), and the settings of its run.

import {TrainBoard} from "../../board/js/board.js";
import {IN_PAGE} from "../../board/js/trainer.js";
import {unpack} from "../../player/js/decode.js";
import {element, setText} from "../../player/js/dom.js";
import {many, number} from "../../player/js/format.js";
import {withSettings} from "./model_file.js";
import {blocksOf, readPictures, readTable, runOn} from "./own_table.js";
import {pack} from "./write.js";
import TRAIN_STYLE from "./train.css";
import constants from "../../../io/constants.json" with {type: "json"};

/** @typedef {import("./run.js").Said} Said */
/** @typedef {import("./run.js").Trained} Trained */

const {max_seed: MAX_SEED} = constants;
const VIEW = "train"; // in addresses
const LATENTS = [2, 4, 8, 16, 32, 64], // that are offered for a visitor's table
  OWN_LATENTS = 8; // at first
const NARROW = "(max-width: 700px)"; // as in train.css

// Names of speeds, and minibatches a second; null: as many as the device computes.
/** @param {number} per_pass @returns {[string, number | null][]} */
const speeds = (per_pass) => [
  ["full speed", null],
  ["an epoch a second", per_pass],
  ["10 minibatches a second", 10],
  ["2 minibatches a second", 2],
];

/** @param {string} text @param {HTMLElement[]} parts */
const labelled = (text, ...parts) => element("label", {}, ...parts.slice(0, -1), text, parts.at(-1) ?? "");

/** @param {string} name @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} choose */
function menu(name, options, chosen, choose) {
  const select = element(
    "select",
    {"aria-label": name, onchange: () => choose(select.value)},
    ...options.map(([value, text]) => element("option", {value}, text)),
  );
  select.value = chosen;
  return select;
}

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

  const main = element("main", {class: "live-train", "aria-label": "Train"}),
    show = (/** @type {boolean} */ on) => page.views.show(on ? VIEW : "");
  const style = element("style", {}, TRAIN_STYLE);
  page.frame.append(style);

  // -- the board, and the run's settings

  const changes = element("p", {class: "live-changes", role: "status"});
  /** @type {{what: string, step: number}[]} */
  let changed = []; // settings, each with the minibatch after which it holds
  /** @type {Record<string, number | string>[]} */
  const altered = meta.lanes.map(() => ({})); // settings of each lane that the visitor has changed
  const tellChanges = () => {
    const said = changed.map(
      ({what, step}) => `${what} from epoch ${number(step / meta.lanes[0].per_pass, 2)}`,
    );
    setText(changes, said.length ? `Changed: ${said.join("; ")}.` : "");
  };
  const seeded = element("p", {class: "live-changes", role: "status"});
  const seed = element("input", {
    inputmode: "numeric",
    autocomplete: "off",
    class: "live-seed",
    "aria-label": "Seed",
    title:
      "Equal seeds and settings give equal runs: the seed draws the order of the images, and all random states. Initial parameters are the same for all.",
    value: String(meta.seed),
    onchange: () => {
      const value = readSeed();
      if (value !== null) tell({type: "seed", value});
      tellSeed();
    },
  });
  // Null if it is none.
  const readSeed = () => {
    const text = seed.value.trim();
    return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SEED ? Number(text) : null;
  };
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
  const settings = meta.lanes.flatMap(({title, offers, settings: of}, lane) =>
    offers.map(({name, label, values}) =>
      labelled(
        `${title}: ${label}`,
        element("i", {style: `background: var(--lv-lane${lane})`, "aria-hidden": "true"}),
        menu(
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
        ),
      ),
    ),
  );
  /** @param {OwnTable} own */
  const latents = ({table}) =>
    menu(
      "Latents of each model",
      LATENTS.map((n) => [String(n), String(n)]),
      String(meta.lanes[0].n_h),
      (chosen) => again({table, run: runOn(table, meta.own, Number(chosen))}),
    );
  const course = element(
    "details",
    {class: "live-course"},
    element("summary", {}, `Settings of the run: ${meta.title}`),
    element(
      "div",
      {role: "group", "aria-label": "Settings of the run"},
      element(
        "p",
        {},
        element("b", {}, meta.title),
        `: ${many(meta.n_train)} training ${meta.variables ? "rows" : "images"}, ${many(meta.n_held)} held out. ${meta.about}`,
      ),
      ...(own ? [labelled("Latents of each model", latents(own))] : []),
      ...settings,
      labelled("Speed", pace),
      labelled("Seed", seed),
      changes,
      seeded,
    ),
  );
  const narrow = window.matchMedia(NARROW),
    unfold = () => (course.open = !narrow.matches); // a phone shows the models first
  narrow.addEventListener("change", unfold, {signal});
  unfold();
  const host = element("div", {class: "live-board"});
  main.append(course, host);
  const board = new TrainBoard(
    host,
    (message) => {
      if (message.type === "reset") changed = [];
      tell(message);
      return true;
    },
    () => true,
    IN_PAGE,
  );
  // -- what the worker says

  worker.onmessage = ({data}) => receive(data);
  worker.onerror = ({message}) => setText(board.error, `Training ended: ${message}`);
  /** @param {Said} said */
  const receive = (said) => {
    if ("frames" in said) {
      for (const frame of said.frames) board.take(frame);
      if (said.pictures) board.show(/** @type {Block<BoardMeta, BoardArrays>} */ (said.pictures));
    } else if ("models" in said) infer(said.models);
    else if ("failed" in said) setText(board.error, said.failed);
    else {
      board.show(/** @type {Block<BoardMeta, BoardArrays>} */ (said));
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
    show(false);
    const origin = row === null ? "" : `${meta.training_image} ${many(row)}, of minibatch ${many(step)}`;
    page.present(
      meta.dataset,
      models,
      infos,
      meta.lanes.map(({e_step}, n) => ({key: keys[n], algorithm: e_step})),
      x,
      origin,
    );
  };

  tell({type: "open", kernels, meta, arrays});
  const still = window.matchMedia("(prefers-reduced-motion: reduce)"),
    calm = () => tell({type: "calm", on: still.matches});
  still.addEventListener("change", calm, {signal});
  calm();
  page.training = {
    bring: () =>
      new Promise((done) => {
        brought = done;
        tell({type: "show"});
      }),
  };
  page.views.add(VIEW, "Train", main);
  if (own || (meta.first && !location.hash)) show(true);

  // -- a visitor's table

  // Learn from another table, or with other models.
  /** @param {OwnTable} next */
  const again = (next) => {
    show(false);
    closed.abort();
    worker.terminate();
    board.vanish?.();
    page.views.remove(VIEW);
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
  return {board, tell, show};
}
