// 7eefd93b2f59572474963d625118997a5efdc06335ce999f2570f6f060a3aef3
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
function ancestors(node) {
  const found = [];
  for (let at = node; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at instanceof Element) found.push(at);
  return found;
}
var pageAround = (node) => ancestors(node).reverse().find(({ classList }) => classList.contains("mui-light") || classList.contains("mui-dark"));
var widthAround = (node) => pageAround(node)?.getBoundingClientRect().width ?? window.innerWidth;
function watchWidth(node, changed) {
  const prints = window.matchMedia("print"), check = () => {
    if (widthAround(node) > 0 && !prints.matches) changed(widthAround(node));
  };
  const resizes = new ResizeObserver(check);
  check();
  resizes.observe(pageAround(node) ?? document.documentElement);
  return () => resizes.disconnect();
}
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
var navigation_default = ".lv-nav{display:flex;gap:0.15em;margin-left:0.75em;font-family:var(--lv-font);font-size:0.875rem}.lv-nav a{color:var(--lv-header-link);text-decoration:none;padding:0.45em 0.8em;border-radius:0.5em;white-space:nowrap}.lv-nav a:hover{background:rgb(255 255 255 / 0.09);color:var(--lv-header-current)}.lv-nav a[aria-current]{color:var(--lv-header-current);font-weight:650;box-shadow:inset 0 -2px var(--lv-header-mark);border-radius:0.5em 0.5em 0 0}.lv-nav a:focus-visible{outline:2px solid var(--lv-header-focus);outline-offset:-2px}.lv-nav-name{color:var(--lv-header-link);font-family:var(--lv-font);font-size:0.8125rem;margin-left:1.2em;white-space:nowrap}.lv-header{display:flex;flex-wrap:wrap;align-items:baseline}@media(max-width:900px){.lv-nav-name{flex-basis:100%;font-size:0.6875rem;line-height:1;margin:0 0 0.3em 1em}}@media(max-width:600px){.lv-header{flex-wrap:nowrap;min-width:0}.lv-nav{gap:0;margin-left:0;font-size:0.75rem;min-width:0;overflow-x:auto;scrollbar-width:none}.lv-nav-name{display:none}.lv-nav a{padding:0 0.3em;min-width:44px;min-height:44px;display:grid;place-content:center}.lv-nav:has(a:nth-child(6)){font-size:0.6875rem;gap:4px}.lv-nav:has(a:nth-child(6)) a{padding:0 0.1em}}\n";
var skip_default = ".lv-skip{position:fixed;left:0.5em;top:0.4em;z-index:2000;padding:0.5em 1em;border-radius:0.4em;font:650 0.875rem var(--lv-font);color:var(--lv-header-current);background:var(--lv-header-ground)}.lv-skip[hidden]{display:none}.lv-skip:not(:focus){clip-path:inset(50%)}.lv-skip:focus{outline:2px solid var(--lv-header-focus);outline-offset:-3px}\n";
var NARROW = 900;
function placeOf(search, names) {
  const asked = new URLSearchParams(search), named = asked.get("page") ?? "", lesson = asked.get("lesson") ?? "";
  const page = names.includes(named) ? named : names[0], beside = lesson !== "" && (page === names[0] || page === "lessons");
  return beside ? { page: names[0], lesson, step: Math.max(1, Math.floor(Number(asked.get("step"))) || 1) } : { page, lesson: "", step: 1 };
}
var WayBack = class {
  show = () => {
  };
  asked = 0;
  answered = 0;
  wanted = null;
  constructor(history, location, names) {
    this.push = history.pushState.bind(history);
    this.replace = history.replaceState.bind(history);
    this.location = location;
    this.names = names;
    history.pushState = (data, unused, url) => this.write(String(url ?? ""));
  }
  key({ page, lesson }) {
    return JSON.stringify([page, lesson]);
  }
  get here() {
    return placeOf(this.location.search, this.names());
  }
  write(url) {
    if (this.answered < this.asked) return;
    const { search } = new URL(url, this.location.href);
    if (this.key(placeOf(search, this.names())) === this.key(this.here)) this.replace({}, "", url);
    else this.push({}, "", url);
  }
  begin(place, url = "") {
    this.wanted = place;
    if (url) this.push({}, "", url);
    return ++this.asked;
  }
  end(number, search) {
    this.answered = Math.max(this.answered, number);
    if (number !== this.asked) return;
    this.wanted = null;
    this.replace({}, "", search);
  }
};
var SKIPS = [["", "Skip to what the page shows"], ["captions", "Skip to the captions"], ["transport", "Skip to Play"], ["input", "Skip to the input image"], ["lanes", "Skip to the lanes"]];
function addSkipLinks() {
  if (document.querySelector(".lv-skip")) return;
  const begin = document.querySelector("[data-root-id][id]");
  const links = SKIPS.map(([part, words]) => element("a", { class: "lv-skip", href: `#${begin?.id ?? ""}`, onclick: (event) => {
    event.preventDefault();
    window.dispatchEvent(new CustomEvent("lrbn-skip", { detail: part }));
  } }, words));
  const follow = () => links.forEach((link, n) => {
    link.hidden = n > 0 && !window.lrbnPlayers?.[0]?.placeOf(SKIPS[n][0]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") follow();
  }, { capture: true });
  follow();
  document.body.prepend(element("style", {}, withHeader(".lv-skip") + skip_default), ...links);
}
function wayBack(names, ownsAddress) {
  if (!ownsAddress) return new WayBack({ pushState: () => {
  }, replaceState: () => {
  } }, { search: "", href: "" }, names);
  if (window.lrbnWayBack) return window.lrbnWayBack;
  const way = window.lrbnWayBack = new WayBack(window.history, window.location, names);
  window.addEventListener("popstate", () => way.show(way.here));
  return way;
}
function render({ model, el }) {
  const host = hostOf(model), { send, keep } = outbox(host), way = wayBack(() => model.pages.map(([name]) => name), model.owns_address);
  const titleOf = (page) => model.pages.find(([name]) => name === page)?.[1] ?? page;
  const go = (event, name, title, address) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (name === model.page && !way.wanted) return;
    if (!send({ type: "go", page: name, number: way.asked + 1 }, `opening the ${title} page`)) return;
    way.begin({ page: name, lesson: "", step: 1 }, way.wanted?.page === name ? "" : address);
  };
  way.show = (place) => {
    const number = way.begin(place);
    keep("place", place, () => send({ type: "show", ...place, number }, `opening the ${titleOf(place.page)} page`));
  };
  model.on("answer", () => way.end(...model.answer));
  const root = element("nav", { class: "lv-nav", "aria-label": "Pages" });
  const fill = () => {
    const focused = root.querySelector(":focus") !== null;
    root.replaceChildren(...model.pages.map(([name, title, address]) => element("a", { href: address, "aria-current": name === model.page ? "page" : null, onclick: (event) => go(event, name, title, address) }, title)));
    if (focused) root.querySelector("[aria-current]")?.focus();
  };
  fill();
  if (model.owns_address) addSkipLinks();
  el.append(element("style", {}, withHeader(".lv-header") + navigation_default), element("div", { class: "lv-header" }, root, element("span", { class: "lv-nav-name" }, model.about)));
  model.on("page", fill);
  let narrow = false;
  host.removed(watchWidth(el, (width) => {
    if (narrow !== (narrow = width < NARROW)) send({ type: "narrow", narrow }, "");
  }));
  if (model.owns_address && window.innerWidth > 1920) send({ type: "wide", width: window.innerWidth });
}
var navigation_default2 = { render };
export { WayBack, navigation_default2 as default, placeOf };
