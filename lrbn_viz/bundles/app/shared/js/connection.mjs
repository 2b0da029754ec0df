// 99cd70e7f726c5ee51e3e5f51245de4f71de06c4a1454f5fbf863d172cee1ae9
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
function setText(node, text) {
  const { firstChild } = node;
  if (firstChild instanceof Text && !firstChild.nextSibling) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}
function ancestors(node) {
  const found = [];
  for (let at = node; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at instanceof Element) found.push(at);
  return found;
}
var timeOfDay = (at) => new Date(at).toLocaleTimeString("en-GB");
var isWidget = (model) => "save_changes" in model;
function hostOf(model) {
  const ends = [], removed = (callback) => {
    ends.push(callback);
  };
  const end = () => {
    for (const callback of ends.splice(0)) callback();
  };
  if (isWidget(model)) {
    return { get: (name) => model.get(name), set: (name, value) => {
      model.set(name, value);
      model.save_changes();
    }, on: (name, callback) => {
      model.on(`change:${name}`, callback);
      removed(() => model.off(`change:${name}`, callback));
    }, send: (message) => model.send(message), removed, end };
  }
  const panel = model;
  panel.on("remove", end);
  return { get: (name) => panel[name], set: (name, value) => {
    panel[name] = value;
  }, on: (name, callback) => panel.on(name, callback), send: (message) => panel.send_msg(message), removed, end };
}
var ACTS = { image: "another image", lane: "choosing what a lane shows", swap: "swapping the lanes", to_training: "going back to training", draw: "drawing", hold: "holding a unit", name: "naming a unit", basins: "the search for optima", climb: "the way to an optimum", compare: "loading the model", usage: "counting how often units are on", choose: "choosing from the menu", class: "another class of images", more: "more images", start: "starting the run", pause: "pausing the run", step: "one minibatch", stop: "stopping the run", reset: "restarting the run", leave: "leaving the run", branch: "branching", back: "going back", look: "looking back", inspect: "inspecting an image", filter: "looking up the filter's past", attach: "opening the run", delete: "deleting the run", undo: "restoring the run", edit: "changing the form", carry: "changing the form", list: "showing the run to others", end: "ending the run", show: "opening the model", save: "saving the model", begin: "sending the file", cancel: "cancelling the file", accept: "using the data", make: "making the file", write_again: "writing the run to disk", walk: "the interpolation", go: "opening the page", sweep: "opening the sweep", again: "looking for new results", train: "opening the Train page", on: "training on" };
var RETRY_MS = 100;
var MAX_WAIT_MS = 2e4;
function sayInOrder() {
  const waiting = window.lrbnEarly ?? [], behind = /* @__PURE__ */ new Set(), left = [];
  let held = false, again = false;
  for (const each of waiting.splice(0)) {
    if (each.live() && !behind.has(each.host) && !(each.isAct && held)) {
      try {
        each.go();
        continue;
      } catch (error) {
        if (performance.now() - each.at > MAX_WAIT_MS) {
          reportError(error);
          continue;
        }
        again = true;
      }
    }
    left.push(each);
    behind.add(each.host);
    if (each.isAct && !held && performance.now() - each.at < MAX_WAIT_MS) {
      held = true;
      setTimeout(sayInOrder, MAX_WAIT_MS);
    }
  }
  waiting.unshift(...left);
  if (again) setTimeout(sayInOrder, RETRY_MS);
}
function outbox(host, then) {
  const live = () => host.get("live") !== false;
  host.on("live", () => {
    if (!live()) return;
    sayInOrder();
    then?.();
  });
  const say = (message, what) => {
    (window.lrbnEarly ??= []).push({ host, live, isAct: what !== "", at: performance.now(), go: () => host.send(message) });
    sayInOrder();
  };
  const send = (message, what = ACTS[message.type] || "") => {
    if (window.lrbnConnection) return window.lrbnConnection.act(what, () => say(message, what));
    say(message, what);
    return true;
  };
  return { live, send, keep: (key, value, go) => {
    if (window.lrbnConnection) window.lrbnConnection.keep(key, value, go);
    else go();
  }, left: (key) => window.lrbnConnection?.left(key), open: (what) => window.lrbnConnection?.act(what, () => {
  }, true) ?? true };
}
var theme_default = { font: 'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif', light: { page: "#f3f5f7", surface: "#ffffff", ink: "#17202a", muted: "#566270", line: "#dbe0e6", faint: "#edf0f3", lanes: ["#00755a", "#7b4bb3"], plus: "#c94f00", minus: "#0067b0", now: "#d98a00", focus: "#0067b0", good: "#00755a", bad: "#b3261e", ground: "#fbfcfd", stroke: "#17202a", shadow: "0 1px 2px rgb(23 32 42 / .06)", lift: "0 -2px 16px rgb(23 32 42 / .10)" }, dark: { page: "#0f1419", surface: "#182028", ink: "#e8edf2", muted: "#a0acb8", line: "#2c3742", faint: "#222c36", lanes: ["#3ecf9f", "#c29bf0"], plus: "#ff9147", minus: "#5cb4f5", now: "#ffc53d", focus: "#8ecbff", good: "#3ecf9f", bad: "#ff8a80", ground: "#0b0f13", stroke: "#e8edf2", shadow: "none", lift: "0 -2px 18px rgb(0 0 0 / .5)" }, header: { ground: "#17202a", ink: "#e8edf2", link: "#c3ccd6", current: "#ffffff", mark: "#ffc53d", focus: "#8ecbff", line: "#566270", lost: "#7a2417", back: "#0b5c47" }, sizes: { letters: "clamp(13px, calc(9.6px + .38cqi), 30px)", side_bar: 288 } };
var FONT = theme_default.font;
var PALETTES = { light: theme_default.light, dark: theme_default.dark };
var properties = (values) => values.map(([name, value]) => `--lv-${name}: ${value};`).join(" ");
var withHeader = (selector) => `${selector} { ${properties([...Object.entries(theme_default.header).map(header), ["font", theme_default.font]])} }
`;
var header = ([name, value]) => [`header-${name}`, value];
var connection_default = ":host{position:fixed;inset:0 0 auto 0;z-index:1400;pointer-events:none;font-family:var(--lv-font);font-size:0.9375rem;line-height:1.4}*{box-sizing:border-box}[hidden]{display:none!important}.line{pointer-events:auto;display:flex;gap:0.3rem 1rem;align-items:center;justify-content:center;flex-wrap:wrap;padding:0.5rem 1rem;color:var(--lv-header-current);background:var(--lv-header-lost);box-shadow:0 2px 10px rgb(0 0 0 / 0.3)}.line[data-state=back]{background:var(--lv-header-back)}.line[data-state=working]{background:var(--lv-header-ground)}.line p{margin:0;max-width:70rem}.line b{font-weight:650}.line button{font:inherit;color:inherit;background:none;border:1px solid currentColor;border-radius:0.4rem;padding:0.15rem 0.8rem;cursor:pointer}.line button:hover{background:rgb(255 255 255 / 0.14)}.line button:focus-visible{outline:2px solid var(--lv-header-current);outline-offset:2px}.refused{flex-basis:100%;text-align:center;font-weight:650}.refused:empty{display:none}.task{position:absolute;top:calc(100% + 0.4rem);left:50%;transform:translateX(-50%);display:flex;flex-wrap:wrap;gap:0.3rem;justify-content:center;width:max-content;max-width:calc(100vw - 1rem)}.task>span{display:block;padding:0.35rem 0.9rem;border-radius:1rem;color:var(--lv-header-current);background:var(--lv-header-ground);border:1px solid var(--lv-header-line);box-shadow:0 2px 10px rgb(0 0 0 / 0.25)}.task>span:empty{display:none}.elapsed{font-variant-numeric:tabular-nums}.room{height:3.1rem}.line:not([hidden])~.room{display:none}\n";
var CHECK_INTERVAL_MS = 1e3;
var MAX_SILENCE_MS = 1600;
var SUSPENDED_MS = 2500;
var SOCKET_TIMEOUT_MS = 2e3;
var WORKING_TIMEOUT_MS = 2e4;
var OPEN_TIMEOUT_MS = 6e3;
var TOKEN_INTERVAL_MS = 1e5;
var TOKEN_RETRY_MS = 3e3;
var SHOW_WORK_MS = 300;
var STORAGE_KEY = "lrbn-return";
var Connection = class {
  state = "ok";
  held = /* @__PURE__ */ new Map();
  recent = /* @__PURE__ */ new Map();
  asked = 0;
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
  tokenAt;
  lately;
  states;
  model;
  node;
  connection;
  room;
  lastRefused;
  fade;
  late;
  later;
  next;
  words = element("p");
  refused = element("p", { class: "refused" });
  again = element("button", { type: "button", onclick: () => this.attempt(true) }, "Try now");
  host = element("div", { class: "lv-connection", role: "region", "aria-label": "Connection" });
  elapsed = [0, 1].map(() => element("span", { class: "elapsed", "aria-hidden": "true" }));
  line = element("div", { class: "line", hidden: true }, this.words, this.elapsed[0], this.again, this.refused);
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
    for (const kind of ["pointerdown", "click", "keydown", "beforeinput"]) window.addEventListener(kind, (event) => this.guard(event), { capture: true });
  }
  build() {
    const { host } = this;
    const alert = element("div", { role: "alert", "aria-atomic": "true" }, this.line);
    const status = element("div", { class: "task", role: "status" }, this.task, this.elapsed[1]);
    host.attachShadow({ mode: "open" }).append(element("style", {}, withHeader(":host") + connection_default), alert, element("div", { class: "room" }), status);
    document.body.append(host);
    const resized = new ResizeObserver(() => this.makeRoom());
    for (const node of [this.line, document.body]) resized.observe(node);
  }
  makeRoom() {
    this.room?.(this.line.hidden ? 0 : this.line.offsetHeight);
  }
  show(state, text) {
    clearTimeout(this.fade);
    this.line.hidden = !text;
    this.line.dataset.state = state;
    this.again.hidden = state !== "lost";
    setText(this.refused, "");
    setText(this.words, text);
    if (text && state === "back") this.fade = setTimeout(() => this.show("ok", ""), 8e3);
    this.makeRoom();
  }
  refuse(what) {
    this.lastRefused = what;
    setText(this.refused, `Not done: ${what}. ${this.state === "silent" ? "The server does not answer" : "The server cannot be reached"}; try again when it is back.`);
  }
  get open() {
    return this.state === "ok";
  }
  act(what, go, asks = false) {
    if (!this.open) {
      if (what) this.refuse(what);
      return false;
    }
    if (what && !asks) {
      this.lately = { what, at: performance.now() };
      this.begin(what);
    }
    go();
    return true;
  }
  keep(key, value, go) {
    const entry = { value, go, at: performance.now() };
    if (!this.open) {
      this.held.set(key, entry);
      return;
    }
    this.recent.set(key, entry);
    go();
  }
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
  get work() {
    return this.busy || this.model?.task || (this.confirmed ? "" : "opening the page");
  }
  get waitsForKernels() {
    return this.busy && this.model?.compiling ? `Working: ${this.busy}. The explorer compiles what this needs, once for an installation` : "";
  }
  showTask() {
    const work = this.busy || this.model?.task;
    setText(this.task, work && this.open ? this.waitsForKernels || `Working: ${work}...` : "");
    this.showElapsed();
  }
  showElapsed() {
    const seconds = this.waitsForKernels && Math.floor((performance.now() - this.begunAt) / 1e3), text = seconds ? `${seconds} s so far` : "";
    for (const node of this.elapsed) setText(node, text);
  }
  follow() {
    clearTimeout(this.later);
    if (this.model?.task) this.later = setTimeout(() => this.showTask(), SHOW_WORK_MS);
    else this.showTask();
  }
  roundtrip() {
    return this.connection?.session?.request_server_info() || Promise.resolve();
  }
  guard(event) {
    if (this.open || !this.model || !event.composedPath().some((node) => node instanceof Element && node.classList.contains("MuiDrawer-root"))) return;
    if (event instanceof KeyboardEvent && event.type === "keydown" && (["Tab", "Escape", "Shift", "Control", "Alt", "Meta"].includes(event.key) || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== "click") this.refuse("this needs the server");
  }
  patch() {
    const { ClientConnection } = window.Bokeh.require("client/connection"), watch = this, { send, _on_message: take } = ClientConnection.prototype;
    ClientConnection.prototype.send = function(message) {
      watch.adopt(this);
      if (watch.open || message.msgtype() !== "PATCH-DOC") send.call(this, message);
    };
    ClientConnection.prototype._on_message = function(event) {
      watch.heard();
      take.call(this, event);
    };
  }
  adopt(connection) {
    const { session } = connection;
    if (this.connection === connection || !session) return;
    this.connection = connection;
    const { document: page } = session, pull = connection._repull_session_doc.bind(connection);
    page.config.setv({ reconnect_session: false, notify_connection_status: false }, { sync: false });
    page.on_event("connection_lost", () => this.lose());
    connection._repull_session_doc = async (resolve, reject) => {
      if (!this.born) {
        pull(resolve, reject);
        return;
      }
      try {
        const { doc_json } = await connection._pull_doc_json();
        resolve(session);
        if (JSON.stringify(doc_json).includes(this.born)) this.resume();
        else this.reload();
      } catch (error) {
        reject(error);
      }
    };
  }
  heard() {
    this.heardAt = performance.now();
    this.heardTime = Date.now();
    if (this.state === "silent") this.answered();
  }
  tick() {
    this.showElapsed();
    const now = performance.now(), slept = now - this.lastTick > SUSPENDED_MS;
    this.lastTick = now;
    if (!this.connection || !this.model) return;
    if (!this.line.hidden) this.makeRoom();
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
    const due = this.token ? TOKEN_INTERVAL_MS : TOKEN_RETRY_MS;
    if (now - (this.tokenAt ?? -due) >= due) {
      this.tokenAt = now;
      this.model.send_msg({ type: "token" });
    }
  }
  beat(now) {
    this.asked = this.beatAt = now;
    this.roundtrip().then(() => {
      if (this.asked === now) this.asked = 0;
      this.confirmed = now;
      for (const [key, entry] of this.recent) if (entry.at < now) this.recent.delete(key);
    }, () => {
    });
  }
  fall() {
    this.state = "silent";
    this.since = this.heardTime || Date.now();
    const { work, waitsForKernels } = this, silent = `No answer from the server since ${timeOfDay(this.since)}`;
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
      if (reached !== void 0) {
        for (let waited = 0; this.state === "silent" && waited < (reached ? this.work ? WORKING_TIMEOUT_MS : SOCKET_TIMEOUT_MS : 300); waited += 100) await new Promise((done) => setTimeout(done, 100));
        if (this.state === "silent") this.drop();
        return;
      }
      if (performance.now() - before < 500) await new Promise((done) => setTimeout(done, 500));
    }
  }
  async reached() {
    const icons = document.querySelectorAll("link[rel~=icon]");
    const asset = Array.from(icons, (icon) => icon.href).find((href) => href.startsWith(window.location.origin)) || window.location.origin;
    const stop = new AbortController(), timer = setTimeout(() => stop.abort(), 2500);
    try {
      await fetch(asset, { method: "HEAD", cache: "no-store", signal: stop.signal });
      return true;
    } catch (error) {
      return error instanceof DOMException && error.name === "AbortError" ? void 0 : false;
    } finally {
      clearTimeout(timer);
    }
  }
  drop() {
    this.forget();
    this.lose();
  }
  forget() {
    const { connection } = this, socket = connection?.socket;
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
    for (const [key, entry] of this.recent) if (entry.at >= this.confirmed && !this.held.has(key)) this.held.set(key, entry);
    this.recent.clear();
    const { lately } = this, open = lately && lately.at >= this.confirmed ? ` The last thing asked for (${lately.what}) may not have arrived.` : "";
    this.show("lost", `Connection lost at ${timeOfDay(since)}. Trying again... ${this.model.offline}${open}`);
    this.showTask();
    this.mark();
    this.attempt();
  }
  async attempt(now = false) {
    if (this.state !== "lost" || this.trying && !now) return;
    clearTimeout(this.next);
    if (this.trying) return;
    this.trying = true;
    this.attempts++;
    try {
      if (await this.reached()) {
        if (Date.now() > this.letIn) this.reload();
        else await this.connect();
      }
    } catch {
    }
    this.trying = false;
    if (this.state === "lost") this.next = setTimeout(() => this.attempt(), this.attempts < 60 ? 700 : 2500);
  }
  async connect() {
    const { connection } = this;
    if (!connection || connection.socket) return;
    connection.token = this.token || connection.token;
    const Receiver = connection._receiver.constructor;
    connection._receiver = new Receiver();
    const begun = performance.now();
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
    this.model?.send_msg({ type: "back" });
    this.show("back", `Back at ${timeOfDay(Date.now())}. The connection was lost at ${timeOfDay(this.since)}.`);
    this.mark();
  }
  release() {
    const held = Array.from(this.held.values());
    this.held.clear();
    for (const { go } of held) go();
  }
  reload() {
    const states = Array.from(this.held, ([key, { value }]) => [key, value]);
    window.dispatchEvent(new CustomEvent("lrbn-leave", { detail: states }));
    states.push(...this.states ?? []);
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ since: this.since, at: Date.now(), states, unsaved: this.model?.unsaved ?? [] }));
    } catch {
    }
    window.location.reload();
  }
  arrive() {
    try {
      const back = JSON.parse(sessionStorage.getItem(STORAGE_KEY) || "null");
      sessionStorage.removeItem(STORAGE_KEY);
      if (!back || Date.now() - back.at > 6e4) return;
      this.states = new Map(back.states);
      const lost = back.unsaved.length ? ` Not brought back: ${back.unsaved.join(", ")}.` : "";
      this.show("back", `Back at ${timeOfDay(Date.now())}. The connection was lost at ${timeOfDay(back.since)}; the page was opened again from its address.${lost}`);
      if (lost) clearTimeout(this.fade);
    } catch {
    }
  }
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
    window.dispatchEvent(new CustomEvent("lrbn-connection", { detail: { open: this.open, since: this.since } }));
  }
  drawers() {
    const roots = this.node ? new Set(ancestors(this.node).map((at) => at.getRootNode())) : [];
    return Array.from(roots, (root) => Array.from(root.querySelectorAll(".MuiDrawer-root"))).flat();
  }
  serve(model, node) {
    this.model = model;
    this.node = node;
    this.born = model.born;
    const admit = () => {
      if (!model.token) return;
      this.token = model.token;
      this.letIn = Date.now() + 1e3 * model.token_seconds;
    };
    this.letIn = performance.timeOrigin + 1e3 * model.token_seconds;
    admit();
    model.on("token", admit);
    model.on("task", () => this.follow());
    this.room = (height) => {
      node.style.height = `${height}px`;
      document.documentElement.style.setProperty("--lv-lost", `${height}px`);
      if (!height) return;
      const presents = window.lrbnPlayers?.some(({ root }) => root.classList.contains("lv-presents")), { style } = this.host;
      const { top, left, right } = presents ? { top: 0, left: 0, right: window.innerWidth } : node.getBoundingClientRect();
      if (right > left) Object.assign(style, { top: `${Math.max(0, top)}px`, left: `${left}px`, right: `${window.innerWidth - right}px` });
    };
    this.makeRoom();
    this.follow();
  }
};
function render({ model, el }) {
  const watch = window.lrbnConnection ||= new Connection();
  const node = element("div");
  el.append(node);
  watch.serve(model, node);
  const { send } = outbox(hostOf(model));
  send({ type: "token" });
}
var connection_default2 = { render };
export { Connection, connection_default2 as default };
