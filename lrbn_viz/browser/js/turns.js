// Turns of work on a worker's thread, between which it reads its messages.

// Run each given function in a turn of its own: at once, as a timer would wait for milliseconds.
/** @returns {(turn: () => void) => void} */
export function turns() {
  const channel = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return (turn) => {
    waiting.push(turn);
    channel.port2.postMessage(null);
  };
}
