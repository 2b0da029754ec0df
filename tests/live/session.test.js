// The page's session shows what the explorer's shows after the same acts: traces, words, menus and addresses.
import assert from "node:assert/strict";
import {test} from "node:test";
import {loadKernels} from "../../lrbn_viz/browser/js/memory.js";
import {Session} from "../../lrbn_viz/view/live/js/session.js";
import {knownOf} from "../../lrbn_viz/view/live/js/truth.js";
import {decodeModels, unpack} from "../../lrbn_viz/view/player/js/decode.js";
import {block} from "../js/blocks.js";

assert.ok(loadKernels(block("kernel.wasm")));

/** @returns {Session} */
function page() {
  /** @type {Block<LiveMeta, LiveArrays>} */
  const {meta, arrays} = unpack(block("session_page.bin")),
    session = new Session(decodeModels(block("session_models.bin")), meta, arrays);
  session.open({});
  return session;
}

/** @type {{act: [string, ...any], menus: (Omit<LaneChoices, "models"> & {models: string[]})[], address: LiveAddress}[]} */
const answers = /** @type {any} */ (unpack(block("answers.bin")).meta).answers;

/** @param {object} all @param {string[]} names */
const without = (all, ...names) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));

/** @param {TraceMeta} meta */
const compared = ({lanes, title, caption, cursor}) => ({title, caption, cursor, lanes});

// Equal but for rounding
/** @param {any} found @param {any} wanted @param {string} said */
function alike(found, wanted, said) {
  if (typeof wanted === "number" && typeof found === "number")
    assert.ok(
      Math.abs(found - wanted) <= 1e-8 * Math.max(1, Math.abs(wanted)),
      `${said}: ${found}, expected ${wanted}`,
    );
  else if (wanted === null || typeof wanted !== "object") assert.deepEqual(found, wanted, said);
  else {
    assert.deepEqual(Object.keys(found).sort(), Object.keys(wanted).sort(), said);
    for (const [name, value] of Object.entries(wanted)) alike(found[name], value, `${name} of ${said}`);
  }
}

// What the page's worker finds of small models, found here.
/** @param {Session} session */
function findTruth(session) {
  for (const lane of session.unknown) {
    const {model} = session.lanes[lane];
    session.known.set(
      session.traces[lane],
      knownOf(
        session.modelOf(model),
        session.info(model),
        Float64Array.from(session.x),
        session.traces[lane],
      ),
    );
  }
  assert.deepEqual(session.unknown, []);
}

test("after each act traces, words, menus and the address are the explorer's", () => {
  const session = page();
  answers.forEach(({act: [kind, ...rest], menus, address}, n) => {
    const said = `act ${n}, ${kind} ${rest.join(" ")}`;
    if (kind === "lane") session.chooseIn(rest[0], rest[1], rest[2]);
    if (kind === "image") session.choose(rest[0]);
    if (kind === "hold") session.hold(rest[0], rest[1], rest[2]);
    if (kind === "swap") session.swap();
    if (kind === "draw") session.draw(rest[0]);
    if (kind === "cursor") [session.cursor] = rest;
    if (kind === "select") [session.selected] = rest;
    /** @type {Block<TraceMeta, Arrays>} */
    const waiting = unpack(session.packed());
    assert.deepEqual(
      waiting.meta.lanes.flatMap(({pending}, lane) => (pending ? [lane] : [])),
      session.unknown,
      said,
    );
    findTruth(session);
    /** @type {Block<TraceMeta, Arrays>} */
    const found = unpack(session.packed()),
      wanted = /** @type {Block<TraceMeta, Arrays>} */ (unpack(block(`answer${n}.bin`)));
    alike(compared(found.meta), compared(wanted.meta), said);
    assert.deepEqual(Object.keys(found.arrays).sort(), Object.keys(wanted.arrays).sort(), said);
    for (const [name, array] of Object.entries(found.arrays)) {
      const other = Array.from(wanted.arrays[name]);
      if (/log_joint$|log_odds$|truth\.(marginals|covariance)$|distance\./.test(name))
        array.forEach((value, k) =>
          assert.ok(Math.abs(value - other[k]) <= 1e-5 * Math.max(1, Math.abs(value)), `${name} of ${said}`),
        );
      else assert.deepEqual(Array.from(array), other, `${name} of ${said}`);
    }
    const shown = session.menus.map(({models, ...menu}) => ({
      ...menu,
      models: models.flatMap(([, entries]) => entries.map(([name]) => name)).sort(),
    }));
    assert.deepEqual(shown, menus, said);
    const rival = session.lanes[1].model; // addresses of the explorer leave the usual one out
    assert.deepEqual(
      without(session.address, "visit"),
      {rival, ...without(address, "visit", "unit", "units", "since", "data")},
      said,
    );
  });
});

test("an address brings back what it was written from", () => {
  const session = page();
  for (const {
    act: [kind, ...rest],
  } of answers) {
    if (kind === "lane") session.chooseIn(rest[0], rest[1], rest[2]);
    if (kind === "hold") session.hold(rest[0], rest[1], rest[2]);
    if (kind === "draw") session.draw(rest[0]);
    const again = page();
    assert.deepEqual(again.open(session.address), []);
    assert.deepEqual(again.address, session.address);
    assert.deepEqual(again.packed(), session.packed());
  }
});

test("what does not fit is left out, in words, and the page is there", () => {
  const session = page();
  const said = session.open({
    model: "nope",
    image: "99999",
    drawn: "!",
    algorithm: "greedy",
    start: "last",
    seed: "-1",
    clamp: "900on",
    visit: "x",
    rival_seed: "1e9",
  });
  assert.equal(said.length, 9);
  for (const name of [
    "model",
    "image",
    "drawn",
    "algorithm",
    "start",
    "seed",
    "clamp",
    "visit",
    "rival_seed",
  ])
    assert.ok(
      said.some((words) => words.startsWith(`${name}: `)),
      name,
    );
  assert.ok(session.packed().length > 0);
});
