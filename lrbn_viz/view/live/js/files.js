// The files of the live page: a model that is opened or saved, and the page itself with the models in it.
// They are read and written in the browser; nothing is sent.

import {unpack} from "../../player/js/decode.js";
import {closeButton, download, element, setText, shutByItself} from "../../player/js/dom.js";
import {pack} from "./write.js";

const MAX_BYTES = 2 ** 26; // of a file that is opened
const MODELS = ".npz", // what the browser's dialog offers
  LEARNED_FROM = ".csv,.tsv,.txt,image/*";
export const ADDED = "added"; // id of the element of a page that holds what was added to it

/** @typedef {{name: string, save: (() => Promise<Blob>) | null}} SavedLane  `save` is null where the page saves no such model */
/** @typedef {{set: number, infos: LiveModel[], models: Uint8Array}} AddedModels */
/** @typedef {{models: Uint8Array, images: Uint8Array, usage: null}} AddedSet */
/** @typedef {(files: File[]) => Promise<void>} Learn  begin to learn from a table, or from pictures */

export class Files {
  said = element("p", {role: "status"});
  saves = element("p", {class: "lv-row"});
  title = element("h2", {tabindex: "-1"}, "Files");

  asked = element(
    "p",
    {id: "live-files-opened"},
    "A model is opened as the explorer and Python save it: .npz.",
  );
  /** @type {Learn | undefined} */ learn;

  /** @param {{lanes(): SavedLane[], open(file: File): Promise<string>, page: {name: string, write(): Promise<Blob>} | null}} given */
  constructor({lanes, open, page}) {
    this.lanes = lanes;
    const input = (this.input = element("input", {
      type: "file",
      accept: MODELS,
      "aria-describedby": this.asked.id,
      onchange: async () => {
        const files = [...(input.files ?? [])];
        input.value = ""; // so that the same file can be chosen again
        if (files.length) await this.tell(this.opened(files, open), files[0].name);
      },
    }));
    this.node = shutByItself(
      element(
        "dialog",
        {class: "lv-help live-files", "aria-label": "Files"},
        this.title,
        element("p", {}, "Files are read and written in this browser. Nothing is sent."),
        this.asked,
        element("label", {}, "Open ", input),
        element("p", {}, "Save a model, for Python (load_model), the explorer or this page:"),
        this.saves,
        page && element("p", {}, "Save this page, with the models that were opened or learned in it:"),
        page &&
          element(
            "p",
            {class: "lv-row"},
            button("this page", () =>
              this.tell(
                page.write().then((blob) => (download(blob, page.name), `${page.name} is saved.`)),
                page.name,
              ),
            ),
          ),
        this.said,
        closeButton(),
      ),
    );
  }

  /** @param {File[]} files @param {(file: File) => Promise<string>} open */
  async opened(files, open) {
    const {learn} = this,
      [file] = files,
      size = files.reduce((sum, each) => sum + each.size, 0),
      model = !learn || file.name.toLowerCase().endsWith(MODELS);
    if (size > MAX_BYTES)
      throw new Error(`expected at most ${MAX_BYTES / 2 ** 20} MiB, got ${Math.ceil(size / 2 ** 20)}`);
    if (model && files.length > 1) throw new Error(`expected one model, got ${files.length} files`);
    const said = model ? await open(file) : "";
    if (!model) {
      await learn(files);
      this.node.close();
    }
    this.fill();
    return said;
  }

  // Say how work ends.
  /** @param {Promise<string>} work @param {string} name */
  async tell(work, name) {
    try {
      setText(this.said, await work);
    } catch (error) {
      const {message} = /** @type {Error} */ (error);
      setText(this.said, `${name}: ${message}. Nothing has changed.`);
    }
  }

  // Tables and pictures are opened, too: models learn from them.
  /** @param {Learn} learn */
  learns(learn) {
    this.learn = learn;
    this.input.accept = `${MODELS},${LEARNED_FROM}`;
    this.input.multiple = true;
    setText(
      this.asked,
      "A model is opened as the explorer and Python save it: .npz. Models learn from a table (.csv, a row for each observation, columns of yes and no) or from 20 pictures or more, opened at once.",
    );
  }

  // Say which models can be saved.
  fill() {
    this.saves.replaceChildren(
      ...this.lanes().map(({name, save}) =>
        save
          ? button(name, () =>
              this.tell(
                save().then((blob) => (download(blob, fileOf(name)), `${fileOf(name)} is saved.`)),
                name,
              ),
            )
          : element("span", {}, `${name} is saved from the explorer.`),
      ),
    );
  }

  show() {
    this.fill();
    setText(this.said, "");
    this.node.showModal();
    this.title.focus();
  }
}

/** @param {string} text @param {() => void} press */
const button = (text, press) =>
  element("button", {type: "button", class: "lv-btn lv-small", onclick: press}, text);

/** @param {string} name */
const fileOf = (name) =>
  `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}.npz`;

// -- the page

/** @typedef {{sets: AddedSet[], models: AddedModels[], opening: LiveAddress}} Added  data sets and models that the page did not come with, and what it shows */

// What was added to a page before it was saved; null if nothing was.
/** @returns {Added | null} */
export function addedHere() {
  const text = document.getElementById(ADDED)?.textContent?.trim();
  if (!text) return null;
  /** @type {Block<{sets: number, parts: {set: number, infos: LiveModel[]}[], opening: LiveAddress}, Record<string, Uint8Array>>} */
  const {meta, arrays} = unpack(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  return {
    sets: Array.from({length: meta.sets}, (_, n) => ({
      models: arrays[`models of ${n}`],
      images: arrays[`images of ${n}`],
      usage: null,
    })),
    models: meta.parts.map((part, n) => ({...part, models: arrays[`models${n}`]})),
    opening: meta.opening,
  };
}

// This page as a file that holds these.
/** @param {Added} added */
export async function pageWith({sets, models, opening}) {
  const parts = models.map(({set, infos}) => ({set, infos})),
    block = pack(
      {sets: sets.length, parts, opening},
      Object.fromEntries([
        ...sets.flatMap(({models, images}, n) => [
          [`models of ${n}`, models],
          [`images of ${n}`, images],
        ]),
        ...models.map(({models}, n) => [`models${n}`, models]),
      ]),
    ),
    page = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true)),
    place = page.querySelector(`#${ADDED}`);
  for (const node of page.querySelectorAll("body > *"))
    if (!node.matches("noscript, script, #live")) node.remove();
  page.querySelector("#live")?.replaceChildren();
  for (const {name} of Array.from(page.attributes)) if (name !== "lang") page.removeAttribute(name);
  if (place) place.textContent = await base64(block);
  return new Blob(["<!DOCTYPE html>\n", page.outerHTML, "\n"], {type: "text/html"});
}

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<string>} */
const base64 = (bytes) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1]);
    reader.onerror = () => reject(new Error("the models cannot be written"));
    reader.readAsDataURL(new Blob([bytes]));
  });
