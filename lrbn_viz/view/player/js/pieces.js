// Work in pieces: a generator that pauses. Each piece may be a task of its own, after clicks that wait; or all run now.

/** @type {(() => void)[]} */
const waiting = [];
/** @type {MessageChannel | undefined} */
let channel;

/** @param {() => void} callback */
export function soon(callback) {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  waiting.push(callback);
  channel.port2.postMessage(0);
}

/** @template Result @param {Generator<unknown, Result>} pieces @returns {Result} */
export function atOnce(pieces) {
  let step = pieces.next();
  while (!step.done) step = pieces.next();
  return step.value;
}
