// The connection to the server: detection of its loss, a message on the page, and reconnection.
//
// Bokeh's own reconnection loads the whole document again, without its binary parts, and only within five minutes of the
// page's opening. Here the page is kept: its websocket is opened again, and the server sends all changed properties.
// If the server no longer has the session, the page is reloaded from its address.

import {ancestors, element, setText} from "../../../view/player/js/dom.js";
import {timeOfDay} from "../../../view/player/js/format.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {withHeader} from "../../../view/player/js/theme.js";
import CONNECTION_STYLE from "./connection.css";

const CHECK_INTERVAL_MS = 1000; // between two checks of the connection
const MAX_SILENCE_MS = 1600; // without an answer, after which the page shows a message
const SUSPENDED_MS = 2500; // delay of a timer in a page that was suspended, whose measurement is ignored
const SOCKET_TIMEOUT_MS = 2000; // without an answer on the websocket, while other requests are answered, after which it counts as dead
const WORKING_TIMEOUT_MS = 20000; // the same after a slow request, such as loading a model
const OPEN_TIMEOUT_MS = 6000; // without a message on a new websocket, after which it is closed
const TOKEN_INTERVAL_MS = 100000; // between two requests for a token, which is valid for 300 s
const TOKEN_RETRY_MS = 3000; // between two requests until the first token has arrived
const SHOW_WORK_MS = 300; // after which slow work shows a message
const STORAGE_KEY = "lrbn-return"; // key in the tab's storage of the state that a reload restores

/** @typedef {{born: string, token: string, token_seconds: number, offline: string, unsaved: string[], task: string, compiling: boolean}} Server */
/** @typedef {{value: unknown, go: () => void, at: number}} Kept */

export class Connection {
  /** @type {"ok" | "silent" | "lost"} */ state = "ok";
  /** @type {Map<string, Kept>} */ held = new Map();
  /** @type {Map<string, Kept>} */ recent = new Map();
  asked = 0; // time of the pending check; 0: none
  beatAt = 0;
  heardAt = performance.now();
  heardTime = 0;
  lastTick = performance.now();
  confirmed = 0;
  attempts = 0;
  letIn = 0;
  since = 0;
  round = 0;
  busy = "";
  trying = false;
  token = "";
  born = "";
  /** @type {number | undefined} */ tokenAt;
  /** @type {{what: string, at: number} | undefined} */ lately;
  /** @type {Map<string, unknown> | undefined} */ states;
  /** @type {PanelModel<Server> | undefined} */ model;
  /** @type {HTMLElement | undefined} */ node;
  /** @type {BokehConnection | undefined} */ connection;
  /** @type {((height: number) => void) | undefined} */ room;
  /** @type {string | undefined} */ lastRefused;
  /** @type {Timer | undefined} */ fade;
  /** @type {Timer | undefined} */ late;
  /** @type {Timer | undefined} */ later;
  /** @type {Timer | undefined} */ next;
  words = element("p");
  refused = element("p", {class: "refused"});
  again = element("button", {type: "button", onclick: () => this.attempt(true)}, "Try now");
  host = element("div", {class: "lv-connection", role: "region", "aria-label": "Connection"});
  // Seconds so far, beside the words and not in them: a screen reader says the words once.
  elapsed = [0, 1].map(() => element("span", {class: "elapsed", "aria-hidden": "true"}));
  line = element("div", {class: "line", hidden: true}, this.words, this.elapsed[0], this.again, this.refused);
  task = element("span");
  begunAt = 0;

  constructor() {
    this.build();
    this.patch();
    this.arrive();
    this.timer = setInterval(() => this.tick(), 250);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.tick();
    });
    for (const kind of ["pointerdown", "click", "keydown", "beforeinput"])
      window.addEventListener(kind, (event) => this.guard(event), {capture: true});
  }

  // -- the page's words

  build() {
    const {host} = this;
    const alert = element("div", {role: "alert", "aria-atomic": "true"}, this.line);
    const status = element("div", {class: "task", role: "status"}, this.task, this.elapsed[1]);
    host
      .attachShadow({mode: "open"})
      .append(
        element("style", {}, withHeader(":host") + CONNECTION_STYLE),
        alert,
        element("div", {class: "room"}),
        status,
      );
    document.body.append(host);
    const resized = new ResizeObserver(() => this.makeRoom());
    for (const node of [this.line, document.body]) resized.observe(node);
  }

  // The message stands below the header and beside the side bar; the page's content moves down, so that nothing is covered.
  makeRoom() {
    this.room?.(this.line.hidden ? 0 : this.line.offsetHeight);
  }

  /** @param {Connection["state"] | "back" | "working"} state @param {string} text */
  show(state, text) {
    clearTimeout(this.fade);
    this.line.hidden = !text;
    this.line.dataset.state = state;
    this.again.hidden = state !== "lost";
    setText(this.refused, "");
    setText(this.words, text);
    if (text && state === "back") this.fade = setTimeout(() => this.show("ok", ""), 8000);
    this.makeRoom();
  }

  /** @param {string} what */
  refuse(what) {
    this.lastRefused = what;
    setText(
      this.refused,
      `Not done: ${what}. ${this.state === "silent" ? "The server does not answer" : "The server cannot be reached"}; try again when it is back.`,
    );
  }

  // -- what is sent

  get open() {
    return this.state === "ok";
  }

  // An action of the user: sent now, or refused with a message. With `asks`: whether it would be sent.
  /** @param {string} what @param {() => void} go */
  act(what, go, asks = false) {
    if (!this.open) {
      if (what) this.refuse(what);
      return false;
    }
    if (what && !asks) {
      this.lately = {what, at: performance.now()};
      this.begin(what);
    }
    go();
    return true;
  }

  // A state of the page, such as a cursor: the newest value is sent after reconnection.
  /** @param {string} key @param {unknown} value @param {() => void} go */
  keep(key, value, go) {
    const entry = {value, go, at: performance.now()};
    if (!this.open) {
      this.held.set(key, entry);
      return;
    }
    this.recent.set(key, entry);
    go();
  }

  // A message about slow work, until the server has processed all messages.
  /** @param {string} what */
  begin(what) {
    if (!this.busy) this.begunAt = performance.now();
    this.busy = what;
    clearTimeout(this.late);
    this.late = setTimeout(() => this.showTask(), SHOW_WORK_MS);
    const mine = ++this.round;
    const done = () => {
      if (this.round === mine) {
        clearTimeout(this.late);
        this.busy = "";
        this.showTask();
      }
    };
    queueMicrotask(() => this.roundtrip().then(done, done));
  }

  // The server's current work for the page, in words; empty: none is known. Until its first answer it opens the page, for
  // which a new server loads models.
  get work() {
    return this.busy || this.model?.task || (this.confirmed ? "" : "opening the page");
  }

  // A visitor's action that waits for kernels, in words. The server says that it compiles some; which, nobody knows.
  get waitsForKernels() {
    return this.busy && this.model?.compiling
      ? `Working: ${this.busy}. The explorer compiles what this needs, once for an installation`
      : "";
  }

  showTask() {
    const work = this.busy || this.model?.task;
    setText(this.task, work && this.open ? this.waitsForKernels || `Working: ${work}...` : "");
    this.showElapsed();
  }

  showElapsed() {
    const seconds = this.waitsForKernels && Math.floor((performance.now() - this.begunAt) / 1000),
      text = seconds ? `${seconds} s so far` : "";
    for (const node of this.elapsed) setText(node, text);
  }

  // About the server's work on other threads.
  follow() {
    clearTimeout(this.later);
    if (this.model?.task) this.later = setTimeout(() => this.showTask(), SHOW_WORK_MS);
    else this.showTask();
  }

  /** @returns {Promise<unknown>} */
  roundtrip() {
    return this.connection?.session?.request_server_info() || Promise.resolve();
  }

  // Without a connection the controls of the side bar, which need the server, show a message.
  /** @param {Event} event */
  guard(event) {
    if (
      this.open ||
      !this.model ||
      !event
        .composedPath()
        .some((node) => node instanceof Element && node.classList.contains("MuiDrawer-root"))
    )
      return;
    if (
      event instanceof KeyboardEvent &&
      event.type === "keydown" &&
      (["Tab", "Escape", "Shift", "Control", "Alt", "Meta"].includes(event.key) ||
        event.ctrlKey ||
        event.metaKey)
    )
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== "click") this.refuse("this needs the server");
  }

  // -- Bokeh's websocket

  patch() {
    const {ClientConnection} = window.Bokeh.require("client/connection"),
      watch = this,
      {send, _on_message: take} = ClientConnection.prototype;
    /** @this {BokehConnection} @param {{msgtype(): string}} message */
    ClientConnection.prototype.send = function (message) {
      watch.adopt(this);
      if (watch.open || message.msgtype() !== "PATCH-DOC") send.call(this, message);
    };
    /** @this {BokehConnection} @param {MessageEvent} event */
    ClientConnection.prototype._on_message = function (event) {
      watch.heard();
      take.call(this, event);
    };
  }

  /** @param {BokehConnection} connection */
  adopt(connection) {
    const {session} = connection;
    if (this.connection === connection || !session) return;
    this.connection = connection;
    const {document: page} = session,
      pull = connection._repull_session_doc.bind(connection);
    page.config.setv({reconnect_session: false, notify_connection_status: false}, {sync: false});
    page.on_event("connection_lost", () => this.lose());
    connection._repull_session_doc = async (resolve, reject) => {
      if (!this.born) {
        pull(resolve, reject);
        return;
      }
      try {
        const {doc_json} = await connection._pull_doc_json();
        resolve(session);
        if (JSON.stringify(doc_json).includes(this.born)) this.resume();
        else this.reload();
      } catch (error) {
        reject(error);
      }
    };
  }

  // -- checks of the connection

  heard() {
    this.heardAt = performance.now();
    this.heardTime = Date.now();
    if (this.state === "silent") this.answered();
  }

  tick() {
    this.showElapsed();
    const now = performance.now(),
      slept = now - this.lastTick > SUSPENDED_MS;
    this.lastTick = now;
    if (!this.connection || !this.model) return;
    if (!this.line.hidden) this.makeRoom(); // presenter mode may have begun
    if (slept) {
      this.asked = 0;
      this.beatAt = 0;
    }
    if (this.state === "lost") {
      if (slept) this.attempt();
      return;
    }
    if (this.state === "silent") return;
    if (this.asked && now - Math.max(this.asked, this.heardAt) > MAX_SILENCE_MS) {
      this.fall();
      return;
    }
    if (!this.asked && now - this.beatAt >= (document.hidden ? 5 : 1) * CHECK_INTERVAL_MS) this.beat(now);
    const due = this.token ? TOKEN_INTERVAL_MS : TOKEN_RETRY_MS; // the first request may be lost while a busy server starts
    if (now - (this.tokenAt ?? -due) >= due) {
      this.tokenAt = now;
      this.model.send_msg({type: "token"});
    }
  }

  /** @param {number} now */
  beat(now) {
    this.asked = this.beatAt = now;
    this.roundtrip().then(
      () => {
        if (this.asked === now) this.asked = 0;
        this.confirmed = now;
        for (const [key, entry] of this.recent) if (entry.at < now) this.recent.delete(key);
      },
      () => {},
    );
  }

  // No answer: the server is busy, or the connection is dead. An HTTP request distinguishes the two.
  fall() {
    this.state = "silent";
    this.since = this.heardTime || Date.now();
    const {work, waitsForKernels} = this,
      silent = `No answer from the server since ${timeOfDay(this.since)}`;
    this.showTask();
    if (waitsForKernels) this.show("working", waitsForKernels);
    else if (work) this.show("working", `Working: ${work}. ${silent}, as it is busy with this.`);
    else this.show("silent", `${silent}. It may be busy. Trying again...`);
    this.mark();
    this.probe();
  }

  answered() {
    this.state = "ok";
    this.asked = 0;
    this.show("ok", "");
    this.release();
    this.mark();
  }

  async probe() {
    while (this.state === "silent") {
      const before = performance.now();
      const reached = await this.reached();
      if (this.state !== "silent") return;
      if (reached !== undefined) {
        // Read answers that have arrived meanwhile: with many pages on few cores a page may be late.
        for (
          let waited = 0;
          this.state === "silent" &&
          waited < (reached ? (this.work ? WORKING_TIMEOUT_MS : SOCKET_TIMEOUT_MS) : 300);
          waited += 100
        )
          await new Promise((done) => setTimeout(done, 100));
        if (this.state === "silent") this.drop();
        return;
      }
      if (performance.now() - before < 500) await new Promise((done) => setTimeout(done, 500));
    }
  }

  // true: the server answers; false: it does not exist; undefined: unknown.
  async reached() {
    // the icon, which a server has that was just started: it answers for kept files once it has made a page
    const icons = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel~=icon]"));
    const asset =
      Array.from(icons, (icon) => icon.href).find((href) => href.startsWith(window.location.origin)) ||
      window.location.origin;
    const stop = new AbortController(),
      timer = setTimeout(() => stop.abort(), 2500);
    try {
      await fetch(asset, {method: "HEAD", cache: "no-store", signal: stop.signal});
      return true;
    } catch (error) {
      return error instanceof DOMException && error.name === "AbortError" ? undefined : false;
    } finally {
      clearTimeout(timer);
    }
  }

  drop() {
    this.forget();
    this.lose();
  }

  // Drop a websocket that does not answer; closing it properly would need an answer.
  forget() {
    const {connection} = this,
      socket = connection?.socket;
    if (!connection) return;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
      connection.socket = null;
    }
    connection._pending_replies.forEach((reply) => reply.reject("Disconnected"));
    connection._pending_replies.clear();
  }

  lose() {
    if (this.state === "lost" || !this.model) return;
    const since = this.state === "silent" ? this.since : Date.now();
    this.state = "lost";
    this.since = since;
    this.attempts = 0;
    for (const [key, entry] of this.recent)
      if (entry.at >= this.confirmed && !this.held.has(key)) this.held.set(key, entry);
    this.recent.clear();
    const {lately} = this,
      open =
        lately && lately.at >= this.confirmed
          ? ` The last thing asked for (${lately.what}) may not have arrived.`
          : "";
    this.show("lost", `Connection lost at ${timeOfDay(since)}. Trying again... ${this.model.offline}${open}`);
    this.showTask();
    this.mark();
    this.attempt();
  }

  // -- reconnection

  async attempt(now = false) {
    if (this.state !== "lost" || (this.trying && !now)) return;
    clearTimeout(this.next);
    if (this.trying) return;
    this.trying = true;
    this.attempts++;
    try {
      // by an HTTP request first, as browsers delay websockets after many failures
      if (await this.reached()) {
        if (Date.now() > this.letIn)
          this.reload(); // the session has expired by now
        else await this.connect();
      }
    } catch {
      /* nothing is there yet */
    }
    this.trying = false;
    if (this.state === "lost") this.next = setTimeout(() => this.attempt(), this.attempts < 60 ? 700 : 2500);
  }

  async connect() {
    const {connection} = this;
    if (!connection || connection.socket) return; // the connection exists, or is being opened
    connection.token = this.token || connection.token; // the token of the page's opening, until another has arrived
    const Receiver = /** @type {new () => object} */ (connection._receiver.constructor);
    connection._receiver = new Receiver(); // the old receiver may hold part of a message
    const begun = performance.now();
    /** @type {Timer | undefined} */
    let timer;
    const silence = new Promise((_, reject) => {
      timer = setInterval(() => {
        if (performance.now() - Math.max(begun, this.heardAt) < OPEN_TIMEOUT_MS) return;
        this.forget();
        reject(new Error("no answer"));
      }, 500);
    });
    try {
      await Promise.race([connection.connect(), silence]);
    } finally {
      clearInterval(timer);
    }
  }

  resume() {
    this.state = "ok";
    this.asked = this.beatAt = 0;
    this.heardAt = performance.now();
    this.tokenAt = this.heardAt - TOKEN_INTERVAL_MS;
    this.release();
    this.model?.send_msg({type: "back"});
    this.show(
      "back",
      `Back at ${timeOfDay(Date.now())}. The connection was lost at ${timeOfDay(this.since)}.`,
    );
    this.mark();
  }

  release() {
    const held = Array.from(this.held.values());
    this.held.clear();
    for (const {go} of held) go();
  }

  // The server has deleted this session: reload the page from its address, with the state that only the browser knows.
  reload() {
    const states = Array.from(this.held, ([key, {value}]) => /** @type {[string, unknown]} */ ([key, value]));
    window.dispatchEvent(new CustomEvent("lrbn-leave", {detail: states}));
    states.push(...(this.states ?? [])); // states stored by the last reload that no component has taken
    try {
      sessionStorage.setItem(
        STORAGE_KEY,
        JSON.stringify({since: this.since, at: Date.now(), states, unsaved: this.model?.unsaved ?? []}),
      );
    } catch {
      /* private windows may have no storage */
    }
    window.location.reload();
  }

  arrive() {
    try {
      /** @type {{since: number, at: number, states: [string, unknown][], unsaved: string[]} | null} */
      const back = JSON.parse(sessionStorage.getItem(STORAGE_KEY) || "null");
      sessionStorage.removeItem(STORAGE_KEY);
      if (!back || Date.now() - back.at > 60000) return;
      this.states = new Map(back.states);
      const lost = back.unsaved.length ? ` Not brought back: ${back.unsaved.join(", ")}.` : "";
      this.show(
        "back",
        `Back at ${timeOfDay(Date.now())}. The connection was lost at ${timeOfDay(back.since)}; the page was opened again from its address.${lost}`,
      );
      if (lost) clearTimeout(this.fade);
    } catch {
      /* what is stored there is not ours */
    }
  }

  // Return the state that a component stored before the reload.
  /** @param {string} key */
  left(key) {
    const value = this.states?.get(key);
    this.states?.delete(key);
    return value;
  }

  mark() {
    document.documentElement.style.setProperty("--lv-offline", this.open ? "" : ".4");
    for (const drawer of this.drawers()) {
      drawer.style.opacity = this.open ? "" : ".45";
      if (this.open) drawer.removeAttribute("aria-disabled");
      else drawer.setAttribute("aria-disabled", "true");
    }
    window.dispatchEvent(new CustomEvent("lrbn-connection", {detail: {open: this.open, since: this.since}}));
  }

  drawers() {
    const roots = this.node ? new Set(ancestors(this.node).map((at) => at.getRootNode())) : [];
    return Array.from(roots, (root) =>
      Array.from(/** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".MuiDrawer-root"))),
    ).flat();
  }

  // -- the component on the server's side

  /** @param {PanelModel<Server>} model @param {HTMLElement} node */
  serve(model, node) {
    this.model = model;
    this.node = node;
    this.born = model.born;
    const admit = () => {
      if (!model.token) return;
      this.token = model.token;
      this.letIn = Date.now() + 1000 * model.token_seconds;
    };
    this.letIn = performance.timeOrigin + 1000 * model.token_seconds;
    admit();
    model.on("token", admit);
    model.on("task", () => this.follow());
    this.room = (height) => {
      node.style.height = `${height}px`;
      document.documentElement.style.setProperty("--lv-lost", `${height}px`); // presenter mode covers the page below the message
      if (!height) return;
      const presents = window.lrbnPlayers?.some(({root}) => root.classList.contains("lv-presents")),
        {style} = this.host;
      const {top, left, right} = presents
        ? {top: 0, left: 0, right: window.innerWidth}
        : node.getBoundingClientRect();
      if (right > left)
        Object.assign(style, {
          top: `${Math.max(0, top)}px`,
          left: `${left}px`,
          right: `${window.innerWidth - right}px`,
        });
    };
    this.makeRoom();
    this.follow();
  }
}

/** @param {Rendered<Server>} host */
function render({model, el}) {
  const watch = (window.lrbnConnection ||= new Connection());
  const node = element("div");
  el.append(node);
  watch.serve(model, node);
  const {send} = outbox(hostOf(model));
  send({type: "token"}); // the first message identifies the page's websocket
}

export default {render};
