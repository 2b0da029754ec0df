// What of an address is a step of the way back, and which of the server's addresses are heeded.
import assert from "node:assert/strict";
import {test} from "node:test";
import {placeOf, WayBack} from "../../lrbn_viz/app/shared/js/navigation.js";

const NAMES = ["inference", "train", "compare", "lessons"];

test("an address shows the page that it names, the first where it names none or another, and its lesson", () => {
  /** @type {[string, string, string, number][]} */
  const cases = [
    ["", "inference", "", 1],
    ["?model=m&image=3", "inference", "", 1],
    ["?page=train&run=r", "train", "", 1],
    ["?image=2&page=compare", "compare", "", 1],
    ["?page=nowhere", "inference", "", 1],
    ["?lesson=start&step=2", "inference", "start", 2],
    ["?page=lessons", "lessons", "", 1],
    ["?page=lessons&lesson=start", "inference", "start", 1],
    ["?page=train&lesson=start", "train", "", 1],
    ["?lesson=start&step=x", "inference", "start", 1],
  ];
  for (const [search, page, lesson, step] of cases)
    assert.deepEqual(placeOf(search, NAMES), {page, lesson, step}, search);
});

// A browser's history: the addresses, and which of them is shown.
/** @param {string} search */
function browser(search) {
  const steps = [search];
  let at = 0;
  const location = {
    get search() {
      return steps[at];
    },
    get href() {
      return `http://here/explorer${steps[at]}`;
    },
  };
  /** @param {string | URL | null} [url] */
  const searchOf = (url) => new URL(url ?? "", location.href).search;
  const history = /** @type {History} */ ({
    pushState: (_data, _unused, url) => {
      steps.splice(++at, Infinity, searchOf(url));
    },
    replaceState: (_data, _unused, url) => {
      steps[at] = searchOf(url);
    },
  });
  const way = new WayBack(history, location, () => NAMES);
  return {
    steps,
    history,
    way,
    back: () => {
      at -= 1;
      return way.begin(way.here);
    },
    get shown() {
      return steps[at];
    },
  };
}

/** @param {string} page */
const to = (page) => ({page, lesson: "", step: 1});

test("a change of what a page shows takes the place of its address, another page or lesson is a step", () => {
  const {steps, history} = browser("?model=m");
  history.pushState({}, "", "/explorer?model=m&image=2");
  assert.deepEqual(steps, ["?model=m&image=2"]);
  history.pushState({}, "", "/explorer?page=compare&model=m");
  history.pushState({}, "", "/explorer?lesson=start");
  history.pushState({}, "", "/explorer?lesson=start&step=2");
  assert.deepEqual(steps, ["?model=m&image=2", "?page=compare&model=m", "?lesson=start&step=2"]);
});

test("the server's answer to an older navigation, and its address, do not overrule a newer one", () => {
  const it = browser("?page=compare&image=2");
  const first = it.way.begin(to("lessons"), "?page=lessons"),
    second = it.back(); // before the server has said a word
  it.history.pushState({}, "", "/explorer?page=lessons&image=2"); // of the first
  it.way.end(first, "?page=lessons&image=2");
  it.history.pushState({}, "", "/explorer?page=lessons&image=3");
  assert.equal(it.shown, "?page=compare&image=2");
  assert.equal(it.way.wanted?.page, "compare");
  it.way.end(second, "?page=compare&image=3");
  assert.equal(it.shown, "?page=compare&image=3");
  assert.equal(it.way.wanted, null);
  it.history.pushState({}, "", "/explorer?page=compare&image=4"); // what it says by itself is heeded again
  assert.deepEqual(it.steps, ["?page=compare&image=4", "?page=lessons"]);
});

test("a link's answer takes the place of its address, also where the server shows a lesson there", () => {
  const it = browser("?page=lessons");
  it.way.end(it.way.begin(to("inference"), "?model=m"), "?lesson=start&step=2");
  assert.deepEqual(it.steps, ["?page=lessons", "?lesson=start&step=2"]);
});
