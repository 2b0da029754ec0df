// A file on its way to the server: each piece once the one before is in, and once more where it was lost.
import assert from "node:assert/strict";
import {beforeEach, mock, test} from "node:test";
import {FileSender} from "../../lrbn_viz/app/shared/js/sending.js";

const PIECE = 384 * 1024;
const bytes = Uint8Array.from({length: PIECE + 1000}, (_, i) => (i * 7) % 251);
const file = new File([bytes], "own.npz");

/** @type {Message[]} */
let sent = [];
/** @type {File[]} */
let failed = [];
/** @type {FileSender} */
let sender;

beforeEach(() => {
  sent = [];
  failed = [];
  mock.timers.reset();
  mock.timers.enable({apis: ["setTimeout"]});
  sender = new FileSender(
    (message) => {
      sent.push(message);
      return true;
    },
    (lost) => failed.push(lost),
  );
});

const pieces = () => sent.filter(({type}) => type === "piece");

// What was sent from one place on, until as many pieces are sent: reading a file takes turns of its own.
/** @param {number} count */
async function until(count) {
  while (pieces().length < count)
    await new Promise((done) => {
      setImmediate(done);
    });
}

test("a file is announced, then sent whole, a piece after each answer", async () => {
  sender.begin(file, {lane: 1});
  assert.deepEqual(sent, [{type: "begin", name: "own.npz", size: bytes.length, number: 1, lane: 1}]);
  await sender.next(0);
  await sender.next(0); // the same answer again asks for nothing
  await sender.next(PIECE);
  await sender.next(bytes.length); // all of it is in
  assert.deepEqual(
    pieces().map(({at}) => at),
    [0, PIECE],
  );
  assert.deepEqual(
    Buffer.concat(pieces().map((piece) => Buffer.from(String(piece.bytes), "base64"))),
    Buffer.from(bytes),
  );
});

test("a piece that was lost with the connection is sent again when it is back, and no other is", async () => {
  sender.begin(file);
  await sender.next(0);
  sender.again(PIECE); // the server has more than what was sent: nothing was lost
  sender.again(0);
  await until(2);
  assert.deepEqual(
    pieces().map(({at}) => at),
    [0, 0],
  );
  assert.equal(pieces()[0].bytes, pieces()[1].bytes);
});

test("without an answer for half a minute a piece is sent again", async () => {
  sender.begin(file);
  await sender.next(0);
  mock.timers.tick(29000);
  assert.equal(pieces().length, 1);
  mock.timers.tick(2000);
  await until(2);
  assert.deepEqual(
    pieces().map(({at}) => at),
    [0, 0],
  );
});

test("a file that can no longer be read is given up and said, and one that was stopped is not sent", async () => {
  const gone = Object.assign(new File([bytes], "gone.npz"), {
    slice: () => ({arrayBuffer: () => Promise.reject(new Error("gone"))}),
  });
  sender.begin(gone);
  await sender.next(0);
  assert.deepEqual([failed, sender.file, pieces()], [[gone], null, []]);
  sender.begin(file);
  const reading = sender.next(0);
  sender.stop();
  await reading;
  assert.deepEqual(pieces(), []);
});

test("what is said late of a file that was cancelled does not concern the next one", () => {
  assert.ok(sender.concerns(0)); // what the server knows when a page opens
  sender.begin(file);
  sender.stop();
  sender.begin(file);
  assert.deepEqual([sent[0].number, sent[1].number], [1, 2]);
  assert.deepEqual([sender.concerns(1), sender.concerns(2)], [false, true]);
});
