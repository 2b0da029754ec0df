// The server of a class, as a student's page sees it: what the class does now comes by a websocket, or by requests that the
// server answers once something has changed, where a network lets no websocket through.

const RETRY_MS = 500, // after which a lost server is asked again; up to twice as much, so that a class does not come at once
  QUICK_MS = 1000, // in which a server that lets a request wait does not answer without a change
  VOTE_TRIES = 4; // of a vote whose reply is lost; the server counts it once

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const pause = () => wait(RETRY_MS * (1 + Math.random()));

/** @param {string} address @param {object} what */
const post = (address, what) =>
  fetch(address, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(what)});

export class ClassLink {
  version = "";
  polls = false; // whether no websocket comes through
  leads = false; // whether the lecturer leads
  /** @type {() => void} */ told = () => {};
  /** @type {Promise<void>} */ first = new Promise((done) => (this.told = done)); // the server has said it, or does not answer

  /** @param {{changed: (state: ClassState) => void, lost: (lost: boolean) => void}} acts @param {boolean} onBoard  whether the page is a part of the lecturer's board, which is no student */
  constructor(acts, onBoard) {
    this.acts = acts;
    this.where = onBoard ? "board=1" : "";
    this.voice = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join(""); // of this page's predictions; identifies no person
  }

  // Follow the class as long as the page is open.
  async follow() {
    for (;;) {
      try {
        const before = this.version,
          asked = performance.now();
        const reply = await fetch(
          `state?since=${this.polls ? encodeURIComponent(this.version) : ""}&${this.where}`,
          {cache: "no-store"},
        );
        if (!reply.ok) throw new Error(reply.statusText);
        this.take(await reply.json());
        if (!this.polls) await this.listen();
        else if (this.version === before && performance.now() - asked < QUICK_MS) await pause(); // no place to wait
      } catch {
        this.told();
        this.acts.lost(true);
        await pause();
      }
    }
  }

  /** @param {ClassState} state */
  take(state) {
    this.acts.lost(false);
    if (state.version === this.version) return;
    this.version = state.version;
    this.leads = state.phase !== "own";
    this.told();
    this.acts.changed(state);
  }

  // Follow it by a websocket until that is lost; rejects then.
  listen() {
    const address = new URL(`events?${this.where}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    return new Promise((done, failed) => {
      const socket = new WebSocket(address);
      let opened = false;
      socket.onmessage = ({data}) => {
        opened = true;
        this.take(JSON.parse(data));
      };
      socket.onclose = () => {
        if (opened) return failed(new Error("the websocket was closed"));
        this.polls = true;
        done(null);
      };
    });
  }

  // Get a step of a lesson, or what stands against it.
  /** @param {string} lesson @param {number} step @returns {Promise<{step: LiveStep} | {error: string}>} */
  async stepOf(lesson, step) {
    await this.first;
    if (this.leads) return {error: ""}; // the page says so in any case
    try {
      const reply = await fetch(`steps?${new URLSearchParams({lesson, step: String(step)})}`);
      return await reply.json();
    } catch {
      return {error: "The class's server does not answer. Check the connection, and try again."};
    }
  }

  // Tell a prediction at the page's own pace, and get the answer or what stands against it.
  /** @param {string} lesson @param {number} step @param {number} option @returns {Promise<import("./lessons.js").Told>} */
  async predicted(lesson, step, option) {
    try {
      const reply = await post("predictions", {lesson, step, option, voice: this.voice});
      return await reply.json();
    } catch {
      return {error: "The class's server does not answer. Check the connection, and press the button again."};
    }
  }

  // Vote, and return what the server says against it; empty if it counts.
  /** @param {ClassState} state @param {number} option @returns {Promise<string>} */
  async vote({lesson, step, round}, option) {
    for (let n = 0; n < VOTE_TRIES; n++) {
      try {
        const reply = await post("votes", {lesson, step, round, option});
        return reply.ok ? "" : (await reply.json()).error;
      } catch {
        await pause();
      }
    }
    return "Your vote was not counted: the class's server does not answer. Press the button again.";
  }
}
