// Work in pieces by a generator: each piece runs as a separate task, after waiting clicks, or all pieces run now.

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
