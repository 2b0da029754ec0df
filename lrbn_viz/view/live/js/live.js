// The live page: the player and the gallery with a session in the page. No server is needed.

import {decodeModels, unpack} from "../../player/js/decode.js";
import {element, setText} from "../../player/js/dom.js";
import {many} from "../../player/js/format.js";
import {Gallery} from "../../player/js/gallery.js";
import {rowWords} from "../../player/js/names.js";
import {TERMS} from "../../player/js/glossary.js";
import {soon} from "../../player/js/pieces.js";
import {CHOICES, Player} from "../../player/js/player.js";
import {themed, withHeader} from "../../player/js/theme.js";
import {Engine, Optima, Truths} from "./beside.js";
import {loadKernels, WITHOUT} from "../../../browser/js/memory.js";
import {ClassLink} from "./class.js";
import {ADDED, addedHere, Files, pageWith} from "./files.js";
import {LiveLessons} from "./lessons.js";
import {blockOf, openedModel, ownKey, savedModel} from "./model_file.js";
import {Session} from "./session.js";
import {Views} from "./views.js";
import {pack} from "./write.js";
import LIVE_STYLE from "./live.css";
import constants from "../../../io/constants.json" with {type: "json"};

const MAX_TITLE = 60; // characters of a file's name that a model is called by
const WRITE_MS = 250; // after which the address is written; longer than between two points of a stroke

const REHEARSALS = 12, // of a stroke, after which its code is compiled
  SPARE_MS = 12, // that one may take
  LATEST_MS = 2000, // after which work is done though the page is not idle, such as while it plays
  IDLE_MS = 50; // longest time for which browsers call themselves idle; what takes longer is not rehearsed again

// Run some work when nothing else is due; returns false where browsers do not say when that is.
/** @param {(left: number) => void} work */
const whenIdle = (work) =>
  Boolean(window.requestIdleCallback?.((deadline) => work(deadline.timeRemaining()), {timeout: LATEST_MS}));

// Names in addresses of the view's settings, beside those of the session.
/** @type {Record<keyof Choices, string>} */
const NAMES = {
  selected: "unit",
  unit_order: "units",
  reference: "since",
  hidden: "hide",
  present: "present",
  captions: "captions",
};
/** @type {Choices} */
const USUAL = {
  selected: "",
  unit_order: "number",
  reference: "last",
  hidden: "",
  present: "",
  captions: "on",
};

const LED = "Your lecturer leads the class: each question opens here by itself.",
  LOST = "The class's server does not answer. This page tries again by itself.";

// A model in words, with the full name of its kind from the glossary.
/** @param {Pick<LiveModel, "title" | "short">} model */
const kindOf = ({title, short}) => {
  const name = TERMS[short.toLowerCase()]?.name.split(": ").at(-1);
  return `${title}${name ? ` (${name})` : ""}.`;
};

/** @param {LiveAddress} otherwise @returns {LiveAddress} */
const addressHere = (otherwise) =>
  location.hash.length > 1 ? Object.fromEntries(new URLSearchParams(location.hash.slice(1))) : otherwise;

const styles = () =>
  element("style", {}, themed(":root", ':root[data-theme="dark"]') + withHeader(".live") + LIVE_STYLE);

/** @typedef {{models: Bytes, images: Bytes, usage: Bytes | null}} SetBlocks */
/**
 * A view whose code comes when it is first shown: what makes it, from the page and its main element.
 * @typedef {{open(asked: LiveAddress | null): void, close?(): void, address(): LiveAddress}} LaterView
 * @typedef {{createView(page: LivePage, main: HTMLElement, given: any): LaterView}} ViewCode
 */
/** @type {Record<string, {title: string, fits(page: LivePage): boolean}>} */
const LATER = {
  generate: {
    title: "Generate",
    fits: ({sessions}) => sessions.some(({meta}) => meta.models.some(({draws_passes}) => draws_passes)),
  },
  compare: {title: "Compare", fits: () => true},
};

// The blocks of a page's other data sets.
/** @param {Bytes | null} others @returns {SetBlocks[]} */
function setsIn(others) {
  if (!others) return [];
  /** @type {Block<{sets: number}, Record<string, Uint8Array>>} */
  const {meta, arrays} = unpack(others);
  return Array.from({length: meta.sets}, (_, n) => ({
    models: arrays[`models${n}`],
    images: arrays[`images${n}`],
    usage: arrays[`usage${n}`],
  }));
}

// A data set of the page: its session, and what workers find of it.
class PageSet {
  /** @param {SetBlocks} blocks @param {Engine} beside @param {{basins(set: PageSet, block: Uint8Array): void, known(set: PageSet): void}} found */
  constructor({models, images, usage}, beside, found) {
    /** @type {Block<LiveMeta, LiveArrays>} */
    const {meta, arrays} = unpack(images);
    this.session = new Session(decodeModels(models), meta, arrays);
    this.usage = usage;
    this.optima = new Optima(beside, this.session, (block) => found.basins(this, block));
    this.truths = new Truths(beside, this.session, () => found.known(this));
  }
}

/**
 * @param {HTMLElement} root
 * @param {SetBlocks & {others: Bytes | null, kernels: ArrayBuffer, engine: string, rest: (() => Promise<Bytes[]>) | null, views: Record<string, () => Promise<[ViewCode, any]>>}} given  blocks, those of other data sets, the kernels' module, the address of the worker's script, where there are further models, what fetches them, and what loads further views
 */
export function createPage(root, {others, kernels, engine, rest, views: later, ...own}) {
  if (!loadKernels(kernels)) {
    root.append(styles(), element("p", {class: "live-without", role: "alert"}, WITHOUT));
    return null;
  }
  const page = document.documentElement,
    beside = new Engine(engine, kernels),
    found = {
      basins: (/** @type {PageSet} */ set, /** @type {Uint8Array} */ block) => {
        if (set === here) player.give("basins", block);
      },
      known: (/** @type {PageSet} */ set) => {
        if (set !== here) return;
        here.session.cursor = player.k;
        player.setTrace(here.session.packed());
      },
    },
    sets = [own, ...setsIn(others)].map((blocks) => new PageSet(blocks, beside, found)),
    {meta} = sets[0].session;
  let [here] = sets,
    shownClass = -1,
    shown = constants.thumbnails;
  /** @type {Timer | undefined} */
  let writing;

  const darkened = window.matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | undefined} */
  let chosenTheme;
  const follow = () => {
    page.dataset.theme = chosenTheme ?? (darkened.matches ? "dark" : "light");
    themeButton.setAttribute("aria-pressed", String(page.dataset.theme === "dark"));
  };
  const themeButton = element(
    "button",
    {
      type: "button",
      title: "Dark or light page",
      onclick: () => {
        chosenTheme = page.dataset.theme === "dark" ? "light" : "dark";
        follow();
        write();
      },
    },
    "Dark",
  );
  darkened.addEventListener("change", follow);

  const rows = () => rowWords(Boolean(here.session.meta.variables));
  const aside = element("aside", {id: "live-images"});
  const imagesButton = element("button", {
    type: "button",
    "aria-controls": "live-images",
    onclick: () => showImages(aside.hidden),
  });
  /** @param {boolean} on */
  const showImages = (on) => {
    aside.hidden = !on;
    imagesButton.setAttribute("aria-expanded", String(on));
  };
  const lessonsButton = element(
    "button",
    {type: "button", hidden: !meta.lessons.length, onclick: () => lessons.list()},
    "Lessons",
  );
  const filesButton = element("button", {type: "button", onclick: () => files.show()}, "Files");
  const words = element("p"),
    said = element("p"),
    main = element("main", {"aria-label": "Inference"});
  const notice = element(
    "div",
    {class: "live-notice", role: "status", hidden: true},
    said,
    element(
      "button",
      {
        type: "button",
        onclick: () => {
          notice.hidden = true;
        },
      },
      "Close",
    ),
  );
  root.append(
    element(
      "div",
      {class: "live"},
      styles(),
      element(
        "header",
        {},
        element("h1", {}, meta.title),
        words,
        imagesButton,
        lessonsButton,
        filesButton,
        themeButton,
      ),
      notice,
      aside,
      main,
    ),
  );
  const rounded = element("p", {class: "live-rounded", hidden: !meta.rounded}, meta.rounded);
  words.after(rounded);

  const acts = {
    choose: (/** @type {number} */ index) => act((session) => session.choose(index)),
    narrow: (/** @type {number} */ label) => {
      shownClass = label;
      shown = constants.thumbnails;
      fill();
    },
    more: () => {
      shown += constants.thumbnails;
      fill();
    },
  };
  const gallery = new Gallery(aside, acts, ""); // in the player's style
  const fill = () => {
    const {meta: about, arrays: thumbnails} = here.session.gallery(shownClass, shown);
    gallery.load(pack(about, thumbnails).buffer, shownClass, mark());
  };
  const mark = () => (here.session.pixelsChanged ? -1 : here.session.index);

  const frame = /** @type {HTMLElement} */ (main.parentElement),
    inClass = element("p", {class: "live-class", role: "status", hidden: true}),
    onBoard = meta.in_class && location.search === "?board";
  let leads = false, // whether the lecturer leads
    lost = false; // whether the class's server does not answer
  const sayClass = () => {
    const waits = leads && !lessons.isLed;
    setText(inClass, lost ? LOST : waits ? LED : "");
    inClass.hidden = onBoard || !(lost || waits);
    lessonsButton.hidden = leads || !meta.lessons.length;
  };
  rounded.after(inClass);
  frame.toggleAttribute("data-board", onBoard);
  const link = meta.in_class
    ? new ClassLink(
        {
          changed: (state) => {
            leads = state.phase !== "own";
            lessons.follow(state);
            sayClass();
          },
          lost: (now) => {
            if (now === lost) return;
            lost = now;
            sayClass();
          },
        },
        onBoard,
      )
    : null;
  const views = new Views(frame, [words, main, aside, imagesButton, lessonsButton, filesButton]);
  /** @type {LivePage["training"]} */
  let training = null;
  const lessons = new LiveLessons(main, meta.lessons, {
    open: (query, hide, presented) => {
      if (!main.contains(lessons.root)) main.prepend(lessons.root);
      views.show("");
      /** @type {LiveAddress} */
      const shown = onBoard ? {present: presented.join("."), captions: "off"} : {};
      openAt({...Object.fromEntries(new URLSearchParams(query)), hide, ...shown});
    },
    stepOf: (lesson, step) => /** @type {ClassLink} */ (link).stepOf(lesson, step), // others have all steps
    say: (words) => {
      if (!player.lanes) openAt({}); // the page begins with a step that did not come
      setText(said, words);
      notice.hidden = !words;
    },
    train: (asked) => {
      if (!player.lanes) openAt({}); // what the Inference view shows meanwhile
      training?.arrange(asked); // else once it is there
    },
    hidden: () => player.choices.hidden,
    hide: (names) => player.hide(names),
    changed: () => {
      if (lessons.running) showImages(false);
      write();
    },
    panels: () => Object.keys(player.panels),
    predicted: (lesson, step, option) => /** @type {ClassLink} */ (link).predicted(lesson, step, option), // a page of no class has the answers
    vote: (state, option) => /** @type {ClassLink} */ (link).vote(state, option),
  });
  lessons.onBoard = onBoard;
  const player = new Player(main, {
    rested: (k) => {
      here.session.cursor = k;
      write();
    },
    chose: (name) => {
      if (name === "selected") here.session.selected = player.choices.selected;
      write();
    },
    usage: own.usage ? () => giveUsage() : undefined,
    image: (way) => act((session) => session.choose(/** @type {"next"} */ (way))),
    draw: (text) => act((session) => session.draw(text)),
    name: (unit, name, lane) => act((session) => session.nameUnit(unit, name, lane)),
    hold: (unit, state, lane = 0) => act((session) => session.hold(unit, state, lane)),
    lane: (lane, part, value) => {
      if (part === "model" && !here.session.infos.has(value))
        openAt({...viewOf({selected: ""}), model: value});
      else if (part === "model" && here.session.lacks(value))
        withAll(() => act((session) => session.chooseIn(lane, part, value)));
      else act((session) => session.chooseIn(lane, part, value));
      return true;
    },
    swap: () => act((session) => session.swap()),
    basins: (question, lane) => here.optima.ask(question, lane),
    climb: (question, row, lane) => {
      const start = here.optima.startOf(question, row, lane),
        {session} = here;
      if (!start) return;
      Object.assign(session.lanes[lane], {
        algorithm: session.info(session.lanes[lane].model).methods[0].name,
        start: "last",
        state: start,
        held: new Map(),
      });
      act(() => {
        session.infer();
        session.cursor = 0;
      });
    },
  });
  const giveUsage = () => here.usage && player.setUsage(here.usage);

  /** @param {PageSet} set */
  const groupsBeside = (set) => sets.filter((each) => each !== set).map((each) => each.session.group);

  // Show a data set of the page.
  /** @param {PageSet} set */
  const use = (set) => {
    const {session} = (here = set),
      {title} = rows();
    session.elsewhere = groupsBeside(set);
    player.models = session.models;
    giveUsage();
    aside.setAttribute("aria-label", title);
    setText(imagesButton, title);
    rounded.hidden = !session.meta.rounded;
    shownClass = -1;
    shown = constants.thumbnails;
  };

  /** @param {Partial<Choices>} [choices] */
  const show = (choices) => {
    const {session, truths} = here,
      {data, part} = session.meta,
      n = session.arrays.index.length,
      [{model}] = session.lanes,
      upper = session.infos.get(ownKey(model)) ?? session.info(model);
    setText(
      words,
      `${kindOf(upper)} All on this page is computed in your browser. ${data}: ${many(n)} ${part && `${part} `}${rows().row}${n === 1 ? "" : "s"}.`,
    );
    if (session.refused) setText(said, session.refused);
    if (session.refused) notice.hidden = false;
    player.setMenus(session.menus);
    player.setTrace(session.packed(choices));
    truths.find();
    gallery.mark(mark());
    setText(
      gallery.own,
      session.pixelsChanged ? `${rows().own}, in place of ${rows().row} ${session.index}.` : "",
    );
    write();
  };
  /** @param {(session: Session) => void} change */
  const act = (change) => {
    const {session} = here;
    session.cursor = player.k;
    change(session);
    show({selected: session.selected});
  };

  // -- files

  /** @type {import("./files.js").AddedModels[]} */
  const addedModels = [];
  /** @type {import("./files.js").AddedSet[]} */
  const addedSets = [];
  /** @param {import("./files.js").AddedSet} blocks */
  const addSet = (blocks) => {
    addedSets.push(blocks);
    sets.push(new PageSet(blocks, beside, found));
    here.session.elsewhere = groupsBeside(here);
  };
  // Add models to a data set of the page.
  /** @param {import("./files.js").AddedModels} more */
  const add = (more) => {
    const {session} = sets[more.set];
    session.add(decodeModels(more.models), more.infos);
    addedModels.push(more);
    if (sets[more.set] === here) player.models = session.models;
  };
  /** @param {PageSet} set @param {Uint8Array} models @param {LiveModel[]} infos @param {Adopted[]} shown @param {Uint8Array | null} x @param {string} origin */
  const present = (set, models, infos, shown, x, origin) => {
    lessons.leave();
    if (here !== set) {
      use(set);
      fill();
    }
    add({set: sets.indexOf(set), models, infos});
    act((session) => session.adopt(shown, x, origin));
  };
  /** @param {string} dataset */
  const setOf = (dataset) => sets.findLast(({session}) => session.meta.dataset === dataset) ?? sets[0];
  // A name like this one that no model and no data set of the page has.
  /** @param {string} name */
  const freeName = (name) => {
    const stem = name.slice(0, MAX_TITLE),
      taken = (/** @type {string} */ name) =>
        sets.some(({session: {infos, meta}}) => infos.has(name) || meta.dataset === name);
    let free = stem;
    for (let n = 2; taken(free); n++) free = `${stem} ${n}`;
    return free;
  };
  /** @param {File} file */
  const openModel = async (file) => {
    const name = freeName(file.name.replace(/\.npz$/i, ""));
    const opened = await openedModel(
      new Uint8Array(await file.arrayBuffer()),
      name,
      sets.flatMap(({session}) => session.meta.file_kinds),
    );
    const fitting = [here, ...sets].filter(
        ({session}) => session.n_v === opened.n_v && session.meta.binary === (opened.visible === "bernoulli"),
      ),
      set = fitting.find(({session}) => opened.data.startsWith(session.meta.dataset)) ?? fitting[0];
    if (!set) {
      const sizes = sets.map(({session}) => `${session.n_v} (${session.meta.data})`).join(" or ");
      throw new Error(`expected a model of ${sizes} visible units, got ${opened.n_v} ${opened.visible} ones`);
    }
    // a directed model above, beside its weights read factorised if they can be; another below the model that is shown
    const [first, second] = opened.infos,
      [upper, lower] = set.session.lanes,
      keys = first.directed ? [first.key, second?.key ?? lower.model] : [upper.model, first.key],
      shown = keys.map((key) => ({key, algorithm: ""}));
    if (!second) first.partner = keys.find((key) => key !== first.key) ?? first.key;
    present(set, blockOf(opened, set.session.meta.image_shape), opened.infos, shown, null, "");
    return `${name} is shown: ${kindOf(first)} ${many(opened.n_v)} visible units, ${many(here.session.modelOf(first.key).n_h)} latents.`;
  };
  const files = new Files({
    lanes: () =>
      [...new Set(here.session.lanes.map(({model}) => ownKey(model)))].map((key) => {
        const info = here.session.infos.get(key),
          file = info?.file;
        return {
          name: info?.title ?? key,
          save: file ? () => savedModel(here.session.modelOf(key), file) : null,
        };
      }),
    open: openModel,
    page: document.getElementById(ADDED) && {
      name: `${ownKey(meta.title)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")}.html`,
      write: () =>
        pageWith({
          sets: addedSets,
          models: addedModels,
          opening: {...here.session.address, visit: String(player.k), ...viewOf()},
        }),
    },
  });
  main.parentElement?.append(files.node);
  player.dialogs.push(files);
  const before = addedHere();
  before?.sets.forEach(addSet);
  before?.models.forEach(add);

  // -- models that come after the first picture

  /** @type {Promise<void> | null} */
  let coming = null;
  const comeAll = () =>
    (coming ??= (rest?.() ?? Promise.resolve([])).then((blocks) => {
      const {models} = sets[0].session;
      for (const [key, model] of decodeModels(...blocks)) models.set(key, model);
    }));
  // What fails now is fetched when it is asked for.
  const fetchRest = () => {
    const {session} = sets[0],
      small = session.small.length;
    comeAll().then(
      () => {
        if (here !== sets[0] || session.small.length === small) return;
        session.cursor = player.k;
        show(); // further models that can be asked about
      },
      () => (coming = null),
    );
  };
  // Do something once all models are here.
  /** @param {() => void} then */
  const withAll = (then) => {
    setText(said, "The models are being fetched.");
    notice.hidden = false;
    comeAll().then(
      () => {
        notice.hidden = true;
        then();
      },
      () => {
        coming = null;
        setText(said, "The models cannot be fetched. Check the connection, and choose again.");
        notice.hidden = false;
      },
    );
  };

  // -- the address

  /** @type {LiveAddress} */
  let opened; // last
  // The view's settings that are not the usual ones, as addresses name them.
  /** @param {Partial<Choices>} [changed] */
  const viewOf = (changed) => {
    const choices = {...player.choices, ...changed};
    return Object.fromEntries(
      CHOICES.filter((name) => choices[name] !== USUAL[name]).map((name) => [NAMES[name], choices[name]]),
    );
  };
  let written = location.hash;
  const write = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      // another address was opened, and will be read
      if (!views.shown && location.hash !== written && location.hash !== views.written) return;
      const address = lessons.running ? lessons.address : {...here.session.address, ...viewOf()};
      if (chosenTheme) address.theme = chosenTheme;
      written = `#${new URLSearchParams(address)}`;
      if (views.shown) {
        views.address = written;
        views.write();
      } else history.replaceState(null, "", written);
    }, WRITE_MS);
  };
  const open = () => {
    written = location.hash;
    const address = addressHere(before?.opening ?? meta.opening),
      {lesson, step = "1"} = address;
    if (lesson !== undefined && lessons.begin(lesson, Number(step))) return;
    const {beginning} = lessons;
    if (!onBoard && beginning && !Object.keys(address).length && lessons.begin(beginning)) return;
    lessons.leave();
    openAt(
      address,
      lesson === undefined
        ? []
        : [
            `lesson: this page has no lesson called \u201c${lesson.slice(0, 60)}\u201d of so many steps; none is begun.`,
          ],
    );
  };
  /** @param {LiveAddress} address @param {string[]} [wrong] */
  const openAt = (address, wrong = []) => {
    const {model} = address,
      set = sets.find(({session: {infos}}) => model !== undefined && infos.has(model)) ?? sets[0];
    opened = address;
    chosenTheme = ["dark", "light"].includes(address.theme) ? address.theme : chosenTheme;
    follow();
    if (set.session.namesOf(address).some((name) => set.session.lacks(name)))
      return withAll(() => {
        if (opened === address) openAt(address, wrong);
      });
    if (set !== here) {
      use(set);
      fill();
    }
    const {session} = here,
      ignored = [...wrong, ...session.open(address)];
    const choices = /** @type {Partial<Choices>} */ (
      Object.fromEntries(CHOICES.map((name) => [name, address[NAMES[name]] ?? USUAL[name]]))
    );
    session.selected = choices.selected ?? "";
    setText(said, ignored.length ? `Some of this link was ignored: ${ignored.join(" ")}` : "");
    notice.hidden = !ignored.length;
    show(choices);
  };
  window.addEventListener("hashchange", () => {
    if (location.hash !== written) open();
  });
  showImages(window.innerWidth > 700);
  use(here);
  open();
  link?.follow();
  // the lanes are painted first: in the next frame
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      soon(() => {
        fill();
        whenIdle(rehearse);
        if (rest && !whenIdle(fetchRest)) fetchRest();
      }),
    ),
  );
  let rehearsals = REHEARSALS;
  /** @param {number} left  ms until something else is due */
  const rehearse = (left) => {
    const began = performance.now();
    if (left > SPARE_MS && player.lanes && player.atRest) {
      player.rehearse(here.session.rehearsed());
      rehearsals--;
    }
    if (rehearsals && performance.now() - began < IDLE_MS) whenIdle(rehearse);
  };
  /** @type {LivePage & {player: Player, readonly session: Session, readonly optima: Optima}} */
  const made = {
    player,
    get session() {
      return here.session;
    },
    get sessions() {
      return sets.map(({session}) => session);
    },
    get optima() {
      return here.optima;
    },
    frame,
    views,
    get training() {
      return training;
    },
    set training(made) {
      training = made;
    },
    lesson: {
      card: lessons.root,
      get asked() {
        return lessons.trained;
      },
      looksAt: (part) => Boolean(lessons.running) && lessons.look.includes(part),
      get address() {
        return lessons.trained ? lessons.address : {};
      },
    },
    ask: (message, answered) => beside.ask(message, answered),
    fetchAll: comeAll,
    present: (dataset, ...what) => present(setOf(dataset), ...what),
    add: (dataset, models, infos) => add({set: sets.indexOf(setOf(dataset)), models, infos}),
    file_kinds: meta.file_kinds,
    addSet: (blocks) => {
      addSet(blocks);
      lessons.leave();
      openAt({model: sets[sets.length - 1].session.meta.shown[0]});
    },
    learns: (learn) => files.learns(learn),
    freeName,
  };
  for (const [name, load] of Object.entries(later)) {
    const {title, fits} = LATER[name],
      main = element("main", {class: `live-view live-${name}`, "aria-label": title});
    /** @type {LaterView | undefined} */
    let view;
    const open = async (/** @type {LiveAddress | null} */ asked) => {
      try {
        const [[{createView}, given]] = await Promise.all([load(), name === "compare" && comeAll()]);
        if (!view) main.replaceChildren(); // what was said of an error
        view ??= createView(made, main, given);
      } catch (error) {
        const words = "This view cannot be loaded. Check the connection, and press its button again.";
        main.replaceChildren(element("p", {class: "live-without", role: "alert"}, words));
        throw error;
      }
      view.open(asked);
    };
    if (fits(made))
      views.add({
        name,
        title,
        main,
        open,
        close: () => view?.close?.(),
        address: () => view?.address() ?? {},
      });
  }
  views.follow();
  return made;
}
