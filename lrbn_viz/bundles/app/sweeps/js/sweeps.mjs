// d4e265be5afeb50e43a68093891d2c6768e0075b0f4ab475a30d49df132c21fd
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
var captionedCard = (title, caption, ...content) => element("section", { class: "lv-card" }, element("h2", {}, title), caption.length ? element("p", { class: "lv-caption" }, ...caption) : null, ...content);
function setText(node, text) {
  const { firstChild } = node;
  if (firstChild instanceof Text && !firstChild.nextSibling) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}
function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function ancestors(node) {
  const found = [];
  for (let at = node; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at instanceof Element) found.push(at);
  return found;
}
var pageAround = (node) => ancestors(node).reverse().find(({ classList }) => classList.contains("mui-light") || classList.contains("mui-dark"));
function watchScheme(node, changed) {
  const system = window.matchMedia("(prefers-color-scheme: dark)"), page = document.documentElement;
  const marked = pageAround(node);
  let now;
  const check = () => {
    const { theme } = page.dataset, dark = marked ? marked.classList.contains("mui-dark") : theme ? theme === "dark" : system.matches;
    if (dark === now) return;
    now = dark;
    node.dataset.scheme = dark ? "dark" : "light";
    changed?.(dark);
  };
  const observer = new MutationObserver(check);
  for (const at of marked ? [page, marked] : [page]) observer.observe(at, { attributes: true, attributeFilter: ["class", "data-theme"] });
  system.addEventListener("change", check);
  check();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", check);
  };
}
var number = (value, digits = 1) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−").replace(/(?<!\.\d*)\d(?=(\d{3})+(\.|$))/g, "$&,");
var commas;
var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
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
var colours = ({ lanes, ...plain }) => [...Object.entries(plain), ["lane0", lanes[0]], ["lane1", lanes[1]]];
var themed = (selector, dark = `${selector}[data-scheme="dark"]`) => `${selector} { ${properties([...colours(theme_default.light), ["font", theme_default.font], ["letters", theme_default.sizes.letters]])} }
${dark} { ${properties(colours(theme_default.dark))} }
`;
var style_default = '.lv,.lv *{box-sizing:border-box}.lv [hidden],.lv [data-hidden]{display:none!important}.lv{--lv-hatch: repeating-linear-gradient(135deg, var(--lv-muted) 0 1.5px, var(--lv-line) 1.5px 5px);container-type:inline-size;background:var(--lv-page);color:var(--lv-ink);font-family:var(--lv-font);height:100%;width:100%;display:flex;flex-direction:column}.lv[data-scheme=dark]{color-scheme:dark}.lv-in{font-size:var(--lv-letters);line-height:1.35;padding:1.1em;display:flex;flex-direction:column;gap:1em;flex:1;min-height:0;overflow-y:auto;font-variant-numeric:tabular-nums}.lv-card{background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.75em;padding:0.85em 1em 1em;box-shadow:var(--lv-shadow);min-width:0;position:relative}.lv-save-card{position:absolute;right:0.5em;bottom:0.5em;display:flex;gap:0.3em;opacity:0}.lv-card:hover>.lv-save-card,.lv-save-card:focus-within{opacity:1}.lv-save-card .lv-btn{background:var(--lv-surface)}@media(hover:none){.lv-save-card{position:static;justify-content:flex-end;margin-top:0.5em;opacity:1}}.lv-in>[data-part]{content-visibility:auto;contain-intrinsic-size:auto 30em;flex-shrink:0}.lv-whole>[data-part]{content-visibility:visible}.lv h2,.lv h3,.lv p,.lv figure{margin:0}.lv h2{font-size:1.08em;font-weight:650;letter-spacing:-0.005em;display:flex;align-items:baseline;gap:0.5em;flex-wrap:wrap}.lv h2 small{font-weight:400;font-size:0.88em;color:var(--lv-muted)}.lv canvas,.lv img{display:block;width:100%}.lv img{height:auto}.lv .lv-pixels{image-rendering:pixelated;border-radius:0.3em;outline:1px solid var(--lv-line);background:var(--lv-ground)}.lv-label{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 0.6em;font-size:0.9em;color:var(--lv-muted);margin-bottom:0.4em;min-height:1.6em;line-height:1.6em}.lv-views .lv-label{flex-wrap:nowrap;white-space:nowrap;height:1.6em}.lv-label b{color:var(--lv-ink);font-weight:650;font-size:1.1em}.lv-box{display:block;contain:strict;width:100%;height:1.45em;line-height:1.45em;white-space:nowrap;text-overflow:ellipsis}.lv-box.lv-long{contain:none}.lv-views .lv-label,.lv-why h2{align-items:center}.lv-views .lv-label b{flex:1 0 6.8em;text-align:right}.lv-views .lv-latents .lv-box{display:flex;flex-wrap:wrap;justify-content:flex-end;align-content:flex-start;height:1.45em;overflow:hidden}.lv-views .lv-latents .lv-held-words{white-space:pre}.lv-views .lv-reconstruction .lv-label b{display:none}.lv-label i{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.08em}.lv-board{display:grid;grid-template-columns:minmax(9em,15%) minmax(0,1fr);gap:1em}.lv-input{grid-row:span 2;display:flex;flex-direction:column;gap:0.6em;align-self:stretch}.lv-lane{border-top:3px solid var(--lv-accent)}.lv-lane[data-lane="0"]{--lv-accent: var(--lv-lane0)}.lv-lane[data-lane="1"]{--lv-accent: var(--lv-lane1)}.lv-lane>header,.lv-why>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-lane>header{align-items:center}.lv-lane h2>span{color:var(--lv-accent)}.lv-lane-menus{display:flex;flex:1;align-items:center;gap:0.3em 0.45em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.88em;min-width:0}.lv-lane-menus select,.lv-lane-menus input{font:inherit;font-size:1em;color:var(--lv-ink);background:var(--lv-surface);field-sizing:content;max-width:min(100%,24em);height:2em;padding:0 0.3em;border:1px solid var(--lv-line);border-radius:0.45em}.lv-lane-menus>select{max-width:min(100%,38em)}.lv-lane-pair{display:inline-flex;align-items:center;gap:0.45em;min-width:0}.lv-lane-menus .lv-seed{min-width:3em;max-width:8em}.lv-lane-menus .lv-seed[aria-invalid=true]{border-color:var(--lv-bad)}.lv-lane-menus .lv-small{font-size:1em;height:2em;min-width:0;padding:0 0.6em}.lv-lane-menus .lv-complaint{flex-basis:100%}.lv-views{display:grid;grid-template-columns:17.5fr 17.5fr 30fr 35fr;gap:1.2em;align-items:start}.lv-views>figure{min-width:0;height:100%;display:flex;flex-direction:column}.lv-fill{flex:1;min-height:0;position:relative}.lv-fill canvas{position:absolute;inset:0;height:100%}.lv-latents .lv-fill{cursor:pointer}.lv-curve .lv-fill{cursor:ew-resize;touch-action:pan-y}.lv-check{font-size:0.86em;color:var(--lv-muted);display:inline-flex;align-items:center;gap:0.4em;white-space:nowrap}.lv-check::before{content:"";width:0.6em;height:0.6em;border-radius:50%;background:currentColor}.lv-check[data-ok=yes]{color:var(--lv-good)}.lv-check[data-ok=no]{color:var(--lv-bad);font-weight:650}.lv-check[data-ok=no]::before{border-radius:0;transform:rotate(45deg)}.lv-key{display:flex;gap:0.3em 1em;flex-wrap:wrap;color:var(--lv-muted);font-size:0.86em}.lv-key span{display:inline-flex;align-items:center;gap:0.4em}.lv-key span::before{content:"";width:0.75em;height:0.75em;border-radius:0.15em;background:var(--lv-swatch)}.lv-btn{font:inherit;color:var(--lv-ink);background:none;border:1px solid transparent;border-radius:0.5em;min-width:2.7em;height:2.7em;padding:0 0.45em;display:inline-flex;align-items:center;justify-content:center;gap:0.3em;cursor:pointer}.lv-btn svg{width:1.45em;height:1.45em;fill:currentColor;flex:none}.lv-btn:hover{background:var(--lv-faint)}.lv-btn:disabled{opacity:0.35;cursor:default;background:none}.lv kbd{font:inherit;font-size:0.74em;line-height:1;color:var(--lv-muted)}.lv-btn kbd{position:absolute;bottom:0.05em;left:0;right:0;text-align:center}.lv-btn{position:relative}.lv-btn.lv-main kbd{bottom:0.15em;color:inherit}.lv-btn:has(kbd)>svg{margin-bottom:0.3em}.lv-told{order:1}.lv-told>.lv-row{order:1}.lv-foot{order:2}.lv-transport{order:3}@media(hover:none){.lv kbd{display:none}}.lv-btn.lv-main{background:var(--lv-ink);color:var(--lv-surface);border-radius:50%;min-width:3em;width:3em;height:3em;padding:0}.lv-btn.lv-main:hover{opacity:0.88}.lv :focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv :is([data-part=draw],[data-part=images],.lv-hold,.lt-thumbs,.lv-walk-choice),.lt-transport :is(.lv-buttons,.lv-scrub),.lv .lt-go,.lv-needs{filter:opacity(var(--lv-offline, 1))}@container (min-width: 721px){.lv-input [data-part=images] .lv-btn{flex:0 1 2.7em;min-width:0;padding:0}}.lv-tools{flex-wrap:wrap;margin-top:0.45em}.lv-tools .lv-btn{min-width:2.15em;width:2.15em;height:2.15em;padding:0}.lv-btn[aria-pressed=true]{background:var(--lv-ink);color:var(--lv-surface)}.lv-complaint{color:var(--lv-bad);font-size:0.95em;overflow-wrap:anywhere}.lv-complaint:empty{display:none}.lv-input .lv-caption{min-height:4.05em;margin-top:0.3em;overflow-wrap:anywhere}.lv-pixels-frame{position:relative}.lv-drawing-cursor{position:absolute;pointer-events:none;outline:2px solid var(--lv-now);box-shadow:0 0 0 3px var(--lv-ink)}.lv-legends{grid-column:1 / -1;display:flex;flex-wrap:wrap;gap:0.15em 1.8em}.lv-legend{display:flex;flex-wrap:wrap;gap:0.15em 0.9em;color:var(--lv-muted);font-size:0.82em}.lv-legend>span{display:inline-flex;align-items:center;gap:0.35em}.lv-legend b{font-weight:650}.lv-card>:is(.lv-legend,.lv-legends){margin-top:0.7em}.lv-legend i{width:0.8em;height:0.8em;flex:none;border-radius:0.15em;background:var(--lv-swatch)}.lv-legend i[data-mark=square]{box-shadow:inset 0 0 0 1px var(--lv-line)}.lv-legend i[data-mark=hatch]{background:var(--lv-hatch)}.lv-legend i[data-mark=pale]{opacity:0.3}.lv-legend i[data-mark=dot]{width:0.5em;height:0.5em;border-radius:50%}.lv-legend i[data-mark=line]{height:3px}.lv-legend i[data-mark=broken]{height:0;background:none;border-top:3px dotted var(--lv-swatch)}.lv-legend i:is([data-mark=ring],[data-mark=dashes]){background:none;border:2px solid var(--lv-swatch)}.lv-legend i[data-mark=dashes]{border-style:dashed}.lv:not([data-scheme=dark]) .lv-on-dark,.lv[data-scheme=dark] .lv-on-light{display:none}.lv-why>.lv-legends{margin-top:0.7em}.lv-full-colour{flex:1 1 30em;font-size:0.82em}.lv-of{color:var(--lv-accent, inherit)}.lv-of select{font-size:0.88em;font-weight:400}.lv-scale{margin-top:0.8em}.lv-scale canvas{height:0.8em;border-radius:0.2em}.lv-scale>div{display:flex;justify-content:space-between;font-size:0.86em;color:var(--lv-muted);margin:0.15em 0 0.4em}.lv-row{display:flex;align-items:center;gap:0.2em}.lv-transport{flex:none;z-index:5;background:var(--lv-surface);border-top:1px solid var(--lv-line);box-shadow:var(--lv-lift);padding:0.5em 1.1em 0.6em;display:grid;gap:0.15em 1.2em;align-items:center;grid-template-columns:auto minmax(0,1fr) auto;font-size:var(--lv-letters);font-variant-numeric:tabular-nums}.lv-scrub{position:relative;height:2.5em}.lv-scrub canvas{position:absolute;inset:0;height:100%}.lv-range{position:absolute;inset:0;contain:size layout style}.lv-scrub input{-webkit-appearance:none;appearance:none;position:absolute;inset:0;width:100%;height:100%;margin:0;background:none;cursor:pointer}.lv-scrub input::-webkit-slider-thumb{-webkit-appearance:none;width:14px;height:1.7em;opacity:0}.lv-scrub input::-moz-range-thumb{width:14px;height:1.7em;border:0;opacity:0}.lv-scrub input::-webkit-slider-runnable-track,.lv-scrub input::-moz-range-track{background:none}.lv-scrub input:focus-visible{border-radius:0.4em}.lv-says{grid-column:2 / 3}.lv-buttons{grid-row:span 2}.lv-side{grid-row:span 2;display:flex;gap:0.4em 1em;align-items:end}.lv-side>*{flex:none}.lv-side .lv-small{font-size:inherit;min-width:2.9em;height:2.3em;padding:0 0.6em}.lv-side select{height:2.19em;padding:0 0.4em}.lv .lv-ask{font-size:0.86em;font-weight:650}.lv-speed{display:flex;flex-direction:column;gap:0.15em;font-size:0.86em;color:var(--lv-muted)}.lv select{font:inherit;font-size:1.05em;color:var(--lv-ink);background:var(--lv-surface);border:1px solid var(--lv-line);border-radius:0.45em;padding:0.3em 0.4em}.lv-says-key{display:flex;flex-wrap:wrap;gap:0.2em 1.4em;align-items:baseline}.lv-says-key>:first-child{flex:1 1 22em;min-width:0}.lv-flips>span{gap:0.3em}.lv-flips>span::before{display:none}.lv-flips>[data-mark]::before{display:block;width:0.8em;height:0.75em;border-radius:0;background:var(--lv-plus);clip-path:polygon(0 100%,50% 0,100% 100%)}.lv-flips>[data-mark=off]::before{background:var(--lv-minus);clip-path:polygon(0 0,100% 0,50% 100%)}.lv-flips>[data-mark=sweep]::before{width:2px;height:0.9em;background:var(--lv-muted);clip-path:none}:where(.lv-term){font:inherit;letter-spacing:inherit;color:inherit;background:none;border:0;margin:0;padding:0;text-align:inherit;cursor:help;text-decoration:underline dotted;text-decoration-thickness:0.08em;text-underline-offset:0.22em}.lv-glued{white-space:nowrap}.lv-bars small .lv-term{display:block;width:100%}.lv-term:hover{text-decoration-style:solid}.lv-explains{position:fixed;inset:auto;margin:0;width:max-content;max-width:min(26em,92vw);padding:0.7em 0.9em;border:1px solid var(--lv-line);border-radius:0.6em;background:var(--lv-surface);color:var(--lv-ink);box-shadow:0 4px 22px rgb(0 0 0 / 0.22);font-family:var(--lv-font);font-size:clamp(13px,calc(9.5px + 0.35cqi),26px);font-weight:400;line-height:1.4;text-align:left;white-space:normal;letter-spacing:normal}.lv-explains b{font-weight:650;font-size:1em}.lv-explains p{margin:0.25em 0 0}.lv-explains .lv-small{margin-top:0.6em;font-size:0.95em}.lv-equations>div{margin:1em 0;padding:0.1em 0.6em;border-left:3px solid transparent}.lv-equations>[data-asked]{border-color:var(--lv-now);background:var(--lv-faint)}.lv-equations h3{font-size:1em;font-weight:400;color:var(--lv-muted)}.lv-equations h3 b{color:var(--lv-ink);font-weight:650}.lv-formula{font-family:"STIX Two Text",Cambria,Georgia,"Liberation Serif",serif;font-size:1.12em;line-height:1.7;overflow-wrap:anywhere}.lv-equations.lv-help{max-width:min(48em,94vw)}.lv-told{flex:none;z-index:5;display:flex;flex-wrap:wrap;gap:0.4em 1.6em;align-items:center;background:var(--lv-surface);border-top:3px solid var(--lv-now);padding:0.6em 1.1em;font-size:var(--lv-letters);line-height:1.4}.lv-told-texts{flex:1 1 24em;display:grid;max-width:84em}.lv-told-texts>div{grid-area:1 / 1;visibility:hidden}.lv-told-texts>[data-shown=true]{visibility:visible}.lv-told p{font-size:1.06em}.lv-told a{color:var(--lv-focus);white-space:nowrap}.lv-told>.lv-row{gap:0.5em;margin-left:auto}.lv-told .lv-small{color:var(--lv-ink);height:2.5em;min-width:2.9em;font-size:0.95em}.lv .lv-told-next{background:var(--lv-ink);color:var(--lv-surface);border-color:var(--lv-ink)}.lv .lv-told-next:hover{background:var(--lv-ink);opacity:0.88}.lv-told [aria-disabled=true]{opacity:0.35;cursor:default}.lv-told-count{color:var(--lv-muted);font-size:0.95em;white-space:nowrap}.lv-pointed{box-shadow:0 0 0 3px var(--lv-surface),0 0 0 6px var(--lv-now);border-radius:0.4em}.lv-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.lv-tip{position:fixed;z-index:20;pointer-events:none;background:var(--lv-ink);color:var(--lv-surface);font-size:clamp(12.5px,calc(8.5px + 0.35cqi),26px);line-height:1.4;padding:0.35em 0.6em;border-radius:0.4em;white-space:pre}.lv-caption,.lv-says{color:var(--lv-muted);font-size:0.95em}:is(.lv-caption,.lv-says) b{color:var(--lv-ink);font-weight:650}.lv-small{height:2em;font-size:0.88em;color:var(--lv-muted);border-color:var(--lv-line);padding:0 0.8em}.lv .lv-small[aria-pressed=true]{color:var(--lv-surface)}.lv-hold{color:var(--lv-muted);font-size:0.95em;margin-right:0.6em}.lv-hold>span{margin-right:0.3em}.lv-hold .lv-btn{min-width:0}.lv-why-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-maps{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0.8em}.lv-bars{display:grid;grid-template:repeat(4,1.95em) 2.3em / minmax(6.4em,auto) minmax(0,1fr) auto;column-gap:0.8em;align-items:center;padding-top:1.5em}.lv-bars>span{grid-column:1;color:var(--lv-muted);line-height:1.1}.lv-bars small{display:block;height:1.1em;font-size:0.82em}.lv-bars small .lv-box{height:1.1em;line-height:1.1em;color:var(--lv-ink)}.lv-bars>b{grid-column:3;text-align:right;font-weight:650;width:4.6em}.lv-bars>span:nth-last-child(2){color:var(--lv-ink);font-weight:650}.lv-why-title{flex:0 0 14.2em}.lv-verdict{margin:-0.2em 0 0.9em!important;max-width:76em}.lv-verdict .lv-box{white-space:normal;height:2.9em}.lv-verdict .lv-long{height:auto;min-height:2.9em}.lv-track{grid-area:1 / 2 / 6 / 3;align-self:stretch;position:relative}.lv-track canvas{position:absolute;inset:0;height:100%}.lv-who{min-height:11.5em}.lv-who-head{display:flex;align-items:center;flex-wrap:wrap;gap:0.3em 0.5em;color:var(--lv-muted);font-size:0.9em;margin-bottom:0.5em;white-space:nowrap}.lv-who-head b{color:var(--lv-ink);margin-left:auto}.lv-who select{min-width:0;flex:0 1 auto;padding:0.15em 0.3em}.lv-who[data-stale=true]{opacity:0.3}.lv-who .lv-caption{margin-top:0.4em}.lv .lv-hold-it{display:flex;width:100%;min-width:0;padding:0 0.2em;height:1.9em;font-size:0.8em;white-space:nowrap;margin-top:0.2em}.lv-partners{display:grid;grid-template-columns:1fr 1fr;gap:0.3em 1.6em;grid-column:1 / -1}.lv-partners[data-stale=true]{opacity:0.3}.lv-chips-row{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:0.4em}.lv-partners .lv-chips-row{grid-template-columns:repeat(8,minmax(0,1fr))}.lv-partner>span{display:block;white-space:nowrap}.lv-who .lv-partner{width:100%}.lv-who .lv-partner>span:last-child{color:var(--lv-ink);font-weight:650}.lv-tile{font:inherit;font-size:0.84em;color:var(--lv-muted);background:none;border:0;padding:2px;border-radius:0.4em;cursor:pointer}.lv-partner{text-align:center}.lv-partner:hover{background:var(--lv-faint)}.lv-partner[data-on="1"]{color:var(--lv-ink);font-weight:650}.lv .lv-partner[data-on="1"] img{outline:2px solid var(--lv-lane0)}.lv-mosaics{display:grid;grid-template-columns:1fr 1fr;gap:1.6em}.lv-mosaics .lv-fill{aspect-ratio:2;cursor:pointer}.lv-rasters{display:grid;gap:0.8em}.lv-rasters[data-wide=false]{grid-template-columns:1fr 1fr;gap:1.6em}.lv-rasters .lv-fill{flex:none;cursor:pointer;touch-action:pan-y}.lv-meaning{margin-top:0.8em!important;max-width:60em}.lv-label small{font-size:0.9em}.lv-help{border:1px solid var(--lv-line);border-radius:0.75em;background:var(--lv-surface);color:var(--lv-ink);padding:1.2em 1.5em;font-size:clamp(15px,calc(10.5px + 0.34cqi),27px);max-width:min(34em,92vw);max-height:90vh;overflow-y:auto}.lv-help summary{cursor:pointer}.lv-help details,.lv-help .lv-caption{margin:0.9em 0}.lv-help::backdrop{background:rgb(0 0 0 / 0.45)}.lv-help dl{display:grid;grid-template-columns:auto auto;gap:0.4em 1.4em;margin:0.9em 0}.lv-words dl{display:block}.lv-words dt{margin-top:0.8em}.lv-help dt{font-weight:650}.lv-help dd{margin:0;color:var(--lv-muted)}.lv-matrix>header,.lv-mosaic>header,.lv-raster>header{display:flex;justify-content:space-between;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-matrix-body{display:grid;grid-template-columns:minmax(0,2.4fr) minmax(0,1fr);gap:1.6em}.lv-matrices{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.2em}.lv-matrices canvas{cursor:crosshair}.lv-pairs[data-named]{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr)}.lv-pairs:not([data-named]) .lv-axis{display:none}.lv-axis{list-style:none;margin:0;padding:0 0.4em 0 0;display:flex;flex-direction:column;font-size:0.82em;color:var(--lv-muted)}.lv-axis>li{flex:1 1 0;min-height:0;max-width:8em;display:flex;align-items:center;justify-content:flex-end;overflow:hidden;white-space:nowrap}.lv-axis:last-child{grid-column:2;flex-direction:row;padding:0.4em 0 0}.lv-axis:last-child>li{min-width:0;max-width:none;max-height:8em;writing-mode:vertical-rl;justify-content:flex-start}.lv-matrix[data-stale=true] .lv-matrices{opacity:0.35}.lv-pair-maps{display:grid;grid-template-columns:1fr 1fr;gap:0.8em}.lv-pair-value{font-size:1.6em;margin:0.5em 0 0.1em!important}.lv-truth>header,.lv-basins>header{display:flex;justify-content:space-between;align-items:baseline;gap:0.4em 1em;flex-wrap:wrap;margin-bottom:0.7em}.lv-truth-body{display:grid;grid-template-columns:minmax(0,36fr) minmax(0,30fr) minmax(0,34fr);gap:1.6em;align-items:start}.lv-truth-body .lv-fill{height:15em}.lv-truth-body .lv-fill canvas{cursor:pointer}.lv-truth-body .lv-maps+p{margin-top:0.6em;font-size:0.86em}.lv-truth-body .lv-maps canvas{cursor:crosshair}.lv-truth,.lv-basins{contain:layout style}.lv-truth[data-stale=true] .lv-truth-body{opacity:0.35}.lv-table{border-collapse:collapse;table-layout:fixed;width:100%;font-size:0.95em}.lv-table th{font-weight:400;color:var(--lv-muted);text-align:left;padding:0.38em 0.6em 0.38em 0}.lv-table thead th{vertical-align:bottom;border-bottom:1px solid var(--lv-line)}.lv-table thead th+th,.lv-table td{text-align:right;padding-right:0;padding-left:0.9em}.lv-table thead th+th{width:22%}.lv-table td{position:relative}.lv-table b{font-weight:650}.lv-table tbody tr:first-child>*{border-bottom:1px solid var(--lv-line)}.lv-ladder-table tbody tr:first-child>*{border:0}.lv-rung{display:flex;height:4px;margin-top:0.2em}.lv-rung i{background:var(--lv-muted)}.lv-rung i+i{background:var(--lv-accent)}.lv-share{position:absolute;right:0;bottom:0.15em;max-width:calc(100% - 0.9em);height:3px;border-radius:2px;background:var(--lv-accent)}.lv .lv-mark{display:inline-block;width:1em;height:1em;margin-right:0.5em;vertical-align:-0.12em}.lv-absent{display:grid;gap:0.8em}.lv-absent .lv-row{gap:0.5em;flex-wrap:wrap}.lv-absent p{max-width:62em}.lv sup{line-height:0}.lv-basins-body{display:grid;grid-template-columns:minmax(0,61fr) minmax(0,39fr);gap:1.6em;min-height:14.5em}.lv-basins-body .lv-fill{min-height:14.5em}.lv-basins-body .lv-fill canvas{cursor:pointer}.lv-basins[data-stale=true] canvas{visibility:hidden}.lv-waiting{position:absolute;inset:0;display:grid;place-content:center;text-align:center}.lv-optimum{display:grid;grid-template-columns:minmax(5em,36%) minmax(0,1fr);gap:1.2em;align-items:start;align-content:start}.lv-optimum h3{font-size:1em;font-weight:650;margin-bottom:0.4em}.lv-optimum dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0.15em 0.9em;margin:0 0 0.8em;font-size:0.95em}.lv-optimum dt{color:var(--lv-muted)}.lv-optimum dd{margin:0;grid-column:2}@container (max-width: 1280px){.lv-says .lv-box{white-space:normal;height:2.9em}}@container (max-width: 1000px){.lv-transport{padding:0.35em 0.6em 0.5em}.lv-buttons,.lv-side{grid-row:auto}.lv-says{grid-column:1 / -1}.lv-buttons .lv-btn span,.lv-speed-word{display:none}.lv-truth-body{grid-template-columns:1fr 1fr}.lv-truth-body>:last-child{grid-column:1 / -1}.lv-basins-body{grid-template-columns:minmax(0,1fr)}.lv-optimum{grid-template-columns:9em minmax(0,1fr)}.lv-mosaics,.lv-rasters[data-wide=false]{grid-template-columns:minmax(0,1fr)}.lv-matrix-body{grid-template-columns:minmax(0,1fr)}.lv-pair{max-width:22em}.lv-why-body{grid-template-columns:1fr 1fr}.lv-who{grid-column:1 / -1;min-height:9em}.lv-who .lv-chips-row{grid-template-columns:repeat(6,minmax(0,7em))}.lv-views{grid-template-columns:1fr 1fr 2fr}.lv-curve{grid-column:1 / -1}.lv-curve .lv-fill{min-height:8em}.lv-board{grid-template-columns:minmax(9em,14%) minmax(0,1fr)}}@container (max-width: 860px){.lv-transport{grid-template-columns:minmax(0,1fr) auto}.lv-scrub{grid-column:1 / -1;order:-1}.lv-buttons{justify-content:space-between}}@container (max-width: 720px){.lv-buttons,.lv-says,.lv-side{grid-column:1 / -1}.lv-says{order:3}.lv-side{order:4;justify-content:space-between;align-items:center}.lv-speed-word{display:inline}.lv-lane-menus{order:3;flex-basis:100%}.lv-in{padding:0.6em;gap:0.6em}.lv-board{grid-template-columns:minmax(0,1fr);gap:0.6em}.lv-input{flex-direction:row;grid-row:auto;align-items:flex-start;flex-wrap:wrap}.lv-input>.lv-pixels-box{width:6.5em}.lv-input>div:last-child{flex:1}.lv-input .lv-caption{min-height:2.7em}.lv-views{grid-template-columns:1fr 1fr;gap:0.8em}.lv-latents{grid-column:1 / -1}.lv-latents .lv-fill{aspect-ratio:2;flex:none}.lv-full-colour .lv-box{white-space:normal;height:2.9em}.lv-matrices .lv-label{flex-direction:column;height:auto;gap:0}.lv-truth-body{grid-template-columns:minmax(0,1fr);gap:1em}.lv-optimum{grid-template-columns:6.5em minmax(0,1fr);gap:0.8em}.lv-why-body,.lv-partners{grid-template-columns:minmax(0,1fr);gap:0.8em}.lv-bars{padding-top:0}.lv-verdict .lv-box,.lv-verdict .lv-long{height:5.8em;min-height:5.8em}.lv-verdict .lv-long{height:auto}.lv-chips-row,.lv-partners .lv-chips-row,.lv-who .lv-chips-row{grid-template-columns:repeat(4,minmax(0,1fr))}.lv-says-key>:first-child{flex-basis:100%}.lv-told{padding:0.5em 0.6em;gap:0.4em}.lv-speed{flex-direction:row;align-items:center;gap:0.4em}.lv-btn{min-width:2.4em;padding:0}.lv-btn span{display:none}.lv-why>header .lv-row{flex-wrap:wrap;gap:0.35em}.lv .lv-small{min-width:2.6em;height:2.3em;padding:0 0.7em}}@media(max-height:560px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport){max-height:3.7em;overflow-y:auto;overscroll-behavior:contain;grid-template-columns:auto minmax(0,1fr);align-items:start;padding-top:0.3em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{order:0;grid-column:1;grid-row:auto}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-scrub{order:1;grid-column:2}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-says,.lv-side){grid-column:1 / -1;order:3}}@media(max-height:560px)and (min-width:481px){@container (max-width: 600px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons{flex-wrap:wrap;justify-content:flex-start;width:14em}.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>.lv-buttons>:is(:first-child,:nth-child(6),:nth-child(7),:last-child){order:1}}}@media(max-height:560px)and (max-width:480px){.lv:not(.lv-presents) .lv-transport:not(.lt-transport)>:is(.lv-buttons,.lv-scrub){grid-column:1 / -1}}@media print{.lv{height:auto;zoom:0.8}.lv,.lv-in{display:block;overflow:visible}.lv-in{padding:0}.lv-in>*{margin-bottom:1em}.lv-in>[data-part]{content-visibility:visible}.lv-card{break-inside:avoid;box-shadow:none}.lv-fill canvas{object-fit:contain}.lv-transport,.lv-told,.lv-foot,.lv .lv-btn,.lv-save-card{display:none}}@media(prefers-reduced-motion:no-preference){.lv-btn{transition:background 0.12s}}@media(forced-colors:active){.lv-check::before,.lv-key span::before,.lv-legend i{forced-color-adjust:none}.lv-pointed{outline:3px solid Highlight}}\n';
var STYLE = themed(".lv") + style_default;
var Page = class {
  live = element("div", { class: "lv-sr", role: "status", "aria-live": "polite" });
  tipNode = element("div", { class: "lv-tip", hidden: true });
  colours;
  constructor(style = "", name = "lv") {
    this.root = element("div", { class: name, "data-scheme": "light" }, element("style", {}, STYLE + style));
  }
  appear(parent, list, { key, scheme, resized }) {
    const all = window[list] ||= [], resizes = new ResizeObserver(resized);
    const skip = ({ detail: part }) => {
      if (!this.root.isConnected) return;
      const node = this.placeOf(part) ?? this.root;
      if (node.tabIndex < 0) node.tabIndex = -1;
      node.focus();
    };
    const keyed = (event) => {
      if (this.root.getClientRects().length) key(event);
    };
    parent.append(this.root);
    const unwatch = watchScheme(this.root, scheme);
    resizes.observe(this.root);
    document.addEventListener("keydown", keyed);
    window.addEventListener("lrbn-skip", skip);
    all.push(this);
    this.vanish = () => {
      unwatch();
      resizes.disconnect();
      document.removeEventListener("keydown", keyed);
      window.removeEventListener("lrbn-skip", skip);
      all.splice(all.indexOf(this), 1);
      this.root.remove();
    };
    return resizes;
  }
  placeOf(part) {
    return part ? null : this.root;
  }
  tip(text, event) {
    const { tipNode } = this;
    tipNode.hidden = !text;
    if (!text || !event) return;
    tipNode.textContent = text;
    const { width, height } = tipNode.getBoundingClientRect();
    tipNode.style.left = `${Math.min(event.clientX + 14, window.innerWidth - width - 6)}px`;
    tipNode.style.top = `${Math.min(event.clientY + 16, window.innerHeight - height - 6)}px`;
  }
};
var NS = "http://www.w3.org/2000/svg";
var HEIGHT = 300;
var TOP = 58;
var BOTTOM = 26;
var LEAST = 112;
var AXIS_LIMIT_RATIO = 4;
function svg(name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== void 0) node.textContent = text;
  return node;
}
function short(value) {
  if (typeof value !== "number") return value === null ? "" : value;
  const size = Math.abs(value), text = size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : size >= 1e3 ? number(Number(value.toPrecision(4)), 0) : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}
var Axis = class {
  constructor(entry, valueOf, rows, best = 0) {
    this.entry = entry;
    this.best = best;
    this.valueOf = valueOf;
    const found = rows.map(valueOf).filter((value) => value !== null);
    if (entry.words.length) this.values = entry.words;
    else this.values = [...new Set(found)].sort((a, b) => a - b);
  }
  get ends() {
    const numbers = this.values, low = numbers[0], high = numbers[numbers.length - 1], middle = numbers[Math.floor(numbers.length / 2)];
    if (!this.best) return [low, high];
    return this.best > 0 ? [Math.max(low, high - AXIS_LIMIT_RATIO * (high - middle)), high] : [low, Math.min(high, low + AXIS_LIMIT_RATIO * (middle - low))];
  }
  share(value) {
    const { values } = this;
    if (values.length < 2) return 0.5;
    if (typeof value === "string") return values.indexOf(value) / (values.length - 1);
    const scale = this.entry.log ? Math.log : (x) => x, [low, high] = this.ends.map(scale);
    return high > low ? Math.min(1, Math.max(0, (scale(value) - low) / (high - low))) : 0.5;
  }
  get ticks() {
    const { values } = this, middle = values[Math.floor(values.length / 2)];
    if (!values.length) return [];
    if (typeof values[0] === "string" || values.length < 2) return values.map((value) => [short(value), this.share(value)]);
    const [low, high] = this.ends, last = values.length - 1;
    const written = values.length <= 6 && low === values[0] && high === values[last] ? values : [low, middle, high];
    return written.map((value) => [`${value === low && low > values[0] ? "≤ " : value === high && high < values[last] ? "≥ " : ""}${short(value)}`, this.share(value)]);
  }
};
var Lines = class {
  node = svg("svg", { role: "img", class: "lv-lines" });
  paths = /* @__PURE__ */ new Map();
  constructor(choose, tip) {
    this.choose = choose;
    this.tip = tip;
  }
  draw(axes, rows, width, words) {
    const step = Math.max(LEAST, (width - LEAST) / Math.max(1, axes.length - 1)), whole = step * (axes.length - 1) + LEAST;
    const x = (i) => LEAST / 2 + i * step, y = (share) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    setAttribute(this.node, "viewBox", `0 0 ${whole} ${HEIGHT}`);
    setAttribute(this.node, "style", `width: ${whole}px; height: ${HEIGHT}px`);
    this.paths.clear();
    const best = rows.filter(({ objective }) => objective !== null).length, lines = svg("g", { fill: "none" });
    [...rows].reverse().forEach((row) => {
      const points = axes.map((axis, i) => [axis.valueOf(row), x(i), axis]).filter(([value]) => value !== null);
      const d = points.map(([value, at, axis], i) => `${i ? "L" : "M"}${at} ${y(axis.share(value))}`).join("");
      const rank = rows.indexOf(row), strength = row.objective === null ? 0 : 1 - rank / Math.max(1, best - 1);
      const path = svg("path", { d, style: `--lv-strength: ${Math.round(100 * strength)}%`, "data-known": String(row.objective !== null) });
      path.addEventListener("click", () => this.choose(row.trial));
      path.addEventListener("pointermove", (event) => this.tip(words(row), event));
      path.addEventListener("pointerleave", () => this.tip(null));
      this.paths.set(row.trial, path);
      lines.append(path);
    });
    const drawn = axes.map((axis, i) => {
      const group = svg("g", {}), last = i === axes.length - 1;
      group.append(svg("line", { x1: x(i), x2: x(i), y1: y(0), y2: y(1) }));
      const { label, unit, log } = axis.entry, words2 = label.split(" "), half = words2.length > 2 ? Math.ceil(words2.length / 2) : words2.length;
      [words2.slice(0, half).join(" "), words2.slice(half).join(" ")].filter(Boolean).forEach((text, line) => group.append(svg("text", { x: x(i), y: 14 + 15 * line, class: "lv-axis-name" }, text)));
      const more = [unit, log ? "log scale" : ""].filter(Boolean).join(", ");
      if (more) group.append(svg("text", { x: x(i), y: 14 + 15 * (half < words2.length ? 2 : 1), class: "lv-axis-unit" }, more));
      for (const [words3, share] of axis.ticks) {
        const at = y(share);
        group.append(svg("line", { x1: x(i) - 4, x2: x(i), y1: at, y2: at }));
        group.append(svg("text", { x: x(i) + (last ? -8 : 7), y: at + 4, class: "lv-tick", "text-anchor": last ? "end" : "start" }, words3));
      }
      return group;
    });
    this.node.replaceChildren(lines, ...drawn);
  }
  mark(kept, chosen) {
    for (const [trial, path] of this.paths) {
      setAttribute(path, "data-kept", String(kept.has(trial)));
      setAttribute(path, "data-chosen", String(trial === chosen));
    }
    const above = this.paths.get(chosen);
    above?.parentNode?.append(above);
  }
};
var sweeps_default = '.lv-sweeps .lv-caption{max-width:62em;color:var(--lv-muted)}.lv-sweeps .lv-caption:empty{display:none}.lv-sweeps h2+.lv-caption,.lv-caption+.lv-caption{margin-top:0.3em}.lv-sweep-menu{display:flex;flex-wrap:wrap;gap:0.5em 1em;align-items:center;margin-top:0.7em}.lv-sweep-menu label{display:flex;gap:0.5em;align-items:center;min-width:0}.lv-sweeps select{font:inherit;color:var(--lv-ink);background:var(--lv-surface);height:2.2em;padding:0 0.4em;border:1px solid var(--lv-muted);border-radius:0.45em;min-width:0;max-width:100%}.lv-sweeps .lv-small{height:2.2em;padding:0 0.8em;border-color:var(--lv-muted)}.lv-scroll{overflow-x:auto}.lv-scroll:focus-visible{outline:2px solid var(--lv-focus);outline-offset:2px}.lv-lines{display:block;margin:0.6em auto 0;font-size:12.5px}.lv-lines line{stroke:var(--lv-muted)}.lv-lines text{fill:var(--lv-ink);text-anchor:middle}.lv-lines .lv-axis-name{font-weight:650}.lv-lines .lv-axis-unit{fill:var(--lv-muted)}.lv-lines .lv-tick{paint-order:stroke;stroke:var(--lv-surface);stroke-width:10px}.lv-lines .lv-tick[text-anchor=start]{text-anchor:start}.lv-lines .lv-tick[text-anchor=end]{text-anchor:end}.lv-lines path{stroke:color-mix(in srgb,var(--lv-lane0) var(--lv-strength),var(--lv-line));stroke-width:2;cursor:pointer}.lv-lines path[data-known=false]{stroke:var(--lv-bad);stroke-dasharray:4 4}.lv-lines path[data-kept=false]{stroke:var(--lv-faint);stroke-width:1;pointer-events:none}.lv-lines path[data-chosen=true]{stroke:var(--lv-now);stroke-width:4}.lv-lines path[data-kept=true]:hover{stroke-width:4}.lv-filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(13em,1fr));gap:0.7em 1.4em;margin-top:0.8em}.lv-filters fieldset{border:0;margin:0;padding:0;min-width:0}.lv-filters legend{padding:0;font-weight:650;font-size:0.95em}.lv-filters label{display:grid;grid-template-columns:2.6em minmax(0,1fr) 5.4em;gap:0.5em;align-items:center;font-size:0.92em;color:var(--lv-muted)}.lv-filters .lv-word{display:inline-flex;gap:0.35em;margin-right:0.9em;color:var(--lv-ink)}.lv-filters input{accent-color:var(--lv-focus);min-width:0;margin:0.2em 0}.lv-filters output{color:var(--lv-ink);text-align:right}.lv-filters+.lv-sweep-menu{min-height:2.2em}.lv-trials{border-collapse:collapse;width:100%;font-size:0.95em}.lv-trials th,.lv-trials td{padding:0.3em 0.6em;border-bottom:1px solid var(--lv-line);text-align:right;font-weight:400;white-space:nowrap}.lv-trials :is(th,td):first-child,.lv-trials :is(th,td).lv-text{text-align:left}.lv-trials td.lv-text{white-space:normal;min-width:11em;overflow-wrap:anywhere}.lv-trials thead th{vertical-align:bottom;padding:0}.lv-trials thead button{font:inherit;color:var(--lv-ink);background:none;border:0;cursor:pointer;padding:0.4em 0.6em;width:100%;text-align:inherit;border-radius:0.3em}.lv-trials thead button:hover{background:var(--lv-faint)}.lv-trials thead [aria-sort] button{font-weight:650}.lv-trials thead [aria-sort=ascending] button::after{content:" ↑";content:" ↑" / ""}.lv-trials thead [aria-sort=descending] button::after{content:" ↓";content:" ↓" / ""}.lv-trials tr[data-chosen=true]>*{background:color-mix(in srgb,var(--lv-now) 16%,var(--lv-surface))}.lv-trials tr[data-chosen=true]>th{box-shadow:inset 4px 0 var(--lv-now)}.lv-trials tbody button{font:inherit;color:var(--lv-ink);background:none;border:0;cursor:pointer;text-decoration:underline;text-underline-offset:0.2em;padding:0.1em 0.4em;border-radius:0.3em}.lv-chosen{border-left:4px solid var(--lv-now)}.lv-chosen p{margin:0.2em 0 0.6em;overflow-wrap:anywhere}\n';
var SweepsPage = class extends Page {
  chosen = -1;
  order = { at: 1, up: true };
  name = "";
  axes = [];
  kept = /* @__PURE__ */ new Map();
  sweep;
  title = element("h2");
  about = element("div");
  words = element("p", { class: "lv-caption", role: "status" });
  menu = element("select");
  filters = element("div", { class: "lv-filters", role: "group", "aria-label": "Show trials only where" });
  count = element("p", { class: "lv-caption", role: "status" });
  table = element("table", { class: "lv-trials" });
  details = element("section", { class: "lv-card lv-chosen", "aria-label": "The chosen trial", hidden: true });
  constructor(root, say) {
    super(sweeps_default, "lv lv-sweeps");
    this.say = say;
    this.lines = new Lines((trial) => this.choose(trial), (text, event) => this.tip(text, event));
    this.menu.addEventListener("change", () => say({ type: "sweep", name: this.menu.value }));
    this.menuLabel = element("label", {}, "Sweep", this.menu);
    const again = element("button", { type: "button", class: "lv-btn lv-small lv-needs", onclick: () => say({ type: "again" }) }, "Look for new results");
    const all = element("button", { type: "button", class: "lv-btn lv-small", onclick: () => this.showAll() }, "Show all trials");
    this.room = element("div", { class: "lv-scroll", role: "region", "aria-label": "Trials as lines over axes", tabindex: "0" }, this.lines.node);
    this.drawing = captionedCard("Trials as lines", ["Each line is a trial: it passes through the trial's settings and ends at its objective. A better trial is greener. A dashed line has no result: the training failed or is not finished. Click a line, or a trial in the table, to choose it."], this.room, this.filters, element("div", { class: "lv-sweep-menu" }, all, this.count));
    this.list = captionedCard("Trials", [], element("div", { class: "lv-scroll", role: "region", "aria-label": "Trials as a table", tabindex: "0" }, this.table));
    this.root.append(element("div", { class: "lv-in" }, element("div", { class: "lv-card" }, this.title, this.about, this.words, element("div", { class: "lv-sweep-menu" }, this.menuLabel, again)), this.drawing, this.details, this.list), this.live, this.tipNode);
    this.appear(root, "lrbnSweeps", { key: () => {
    }, scheme: () => {
    }, resized: () => this.draw() }).observe(this.room);
  }
  show({ names, shown, words, sweep }) {
    this.menu.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    this.menu.value = shown;
    this.menuLabel.hidden = !names.length;
    const same = this.name === shown && JSON.stringify(this.sweep?.axes) === JSON.stringify(sweep?.axes);
    this.name = shown;
    this.sweep = sweep;
    setText(this.title, sweep ? sweep.title : "Sweeps");
    setText(this.words, sweep?.left ? `${many(sweep.left)} of the trials are not done yet.` : words);
    this.about.replaceChildren(...(sweep?.about ?? []).map((text) => element("p", { class: "lv-caption" }, text)));
    this.drawing.hidden = this.list.hidden = !sweep;
    if (!sweep) {
      this.details.hidden = true;
      return;
    }
    if (!same) {
      this.chosen = -1;
      this.order = { at: 1, up: true };
      this.kept.clear();
    }
    const before = this.axes, goal = { name: "", label: sweep.unit, unit: "", words: [], log: false };
    this.axes = [...sweep.axes.map((entry, i) => new Axis(entry, (row) => row.values[i], sweep.rows)), new Axis(goal, ({ objective }) => objective, sweep.rows, sweep.higher ? 1 : -1)];
    if (same) this.kept = new Map(before.map((axis, i) => [this.axes[i], this.kept.get(axis)]).filter(([axis, kept]) => kept && this.fits(axis, before)).map((pair) => pair));
    this.draw();
    this.fillFilters();
    this.fillTable();
    this.mark();
  }
  fits(axis, before) {
    return before[this.axes.indexOf(axis)]?.values.join() === axis.values.join();
  }
  draw() {
    if (!this.sweep || !this.room.clientWidth) return;
    this.lines.draw(this.axes, this.sweep.rows, this.room.clientWidth - 2, (row) => this.spoken(row));
    const known = this.sweep.rows.filter(({ objective }) => objective !== null);
    this.lines.node.setAttribute("aria-label", `${many(this.sweep.rows.length)} trials over ${this.axes.map(({ entry }) => entry.label).join(", ")}${known.length ? `; the best, trial ${known[0].trial}, has ${short(known[0].objective)}` : ""}. The table lists the same trials.`);
    this.mark();
  }
  spoken(row) {
    const settings = (this.sweep?.axes ?? []).map(({ label }, i) => `${label} ${short(row.values[i])}`);
    return `Trial ${row.trial}: ${settings.join(", ")}${row.objective === null ? `; ${row.state}` : `; ${this.sweep?.unit}: ${short(row.objective)}`}`;
  }
  fillFilters() {
    this.filters.replaceChildren(...this.axes.filter(({ values }) => values.length > 1).map((axis) => {
      const { entry, values } = axis, box = element("fieldset", {}, element("legend", {}, entry.label));
      if (entry.words.length) {
        const kept = this.kept.get(axis) ?? new Set(entry.words);
        box.append(...entry.words.map((word) => {
          const input = element("input", { type: "checkbox" });
          input.checked = kept.has(word);
          input.addEventListener("change", () => {
            if (input.checked) kept.add(word);
            else kept.delete(word);
            this.kept.set(axis, kept);
            this.mark();
          });
          return element("label", { class: "lv-word" }, input, word);
        }));
        return box;
      }
      const ends = this.kept.get(axis) ?? [0, values.length - 1];
      ["from", "to"].forEach((end, i) => {
        const said = element("output", {}, short(values[ends[i]]));
        const slider = element("input", { type: "range", min: "0", max: String(values.length - 1), step: "1", value: String(ends[i]), "aria-label": `${entry.label} ${end}`, "aria-valuetext": short(values[ends[i]]) });
        slider.addEventListener("input", () => {
          ends[i] = Number(slider.value);
          setText(said, short(values[ends[i]]));
          slider.setAttribute("aria-valuetext", short(values[ends[i]]));
          this.kept.set(axis, ends);
          this.mark();
        });
        box.append(element("label", {}, end, slider, said));
      });
      return box;
    }));
  }
  showAll() {
    this.kept.clear();
    this.fillFilters();
    this.mark();
  }
  keeps(row) {
    for (const [axis, kept] of this.kept) {
      const value = axis.valueOf(row);
      if (kept instanceof Set) {
        if (!kept.has(String(value))) return false;
      } else {
        const whole = kept[0] <= 0 && kept[1] >= axis.values.length - 1;
        if (!whole && (value === null || value < axis.values[kept[0]] || value > axis.values[kept[1]])) return false;
      }
    }
    return true;
  }
  get columns() {
    const { axes, unit, rows } = this.sweep, ranks = new Map(rows.map(({ trial }, i) => [trial, i + 1]));
    return [{ name: "Trial", text: false, value: ({ trial }) => trial }, { name: "Rank", text: false, value: ({ trial }) => ranks.get(trial) ?? null }, { name: unit, text: false, value: ({ objective }) => objective, digits: 2 }, { name: "Standard error", text: false, value: ({ error }) => error, digits: 2 }, ...axes.map((axis, i) => ({ name: axis.label, text: axis.words.length > 0, value: (row) => row.values[i] })), { name: "Passes", text: false, value: ({ passes }) => passes }, { name: "CPU seconds", text: false, value: ({ seconds }) => seconds, digits: 1 }, { name: "State", text: true, value: ({ state, reason }) => reason ? `${state}: ${reason}` : state }];
  }
  fillTable() {
    const { sweep } = this;
    if (!sweep) return;
    const { columns } = this, { at, up } = this.order, { value: by } = columns[at];
    const rows = [...sweep.rows].sort((a, b) => {
      const one = by(a), two = by(b);
      if (one === null || two === null) return Number(one === null) - Number(two === null);
      return one === two ? 0 : one < two === up ? -1 : 1;
    });
    const head = columns.map(({ name, text }, i) => element("th", { scope: "col", class: text ? "lv-text" : null, "aria-sort": i === at ? up ? "ascending" : "descending" : null }, element("button", { type: "button", onclick: () => this.sortBy(i) }, name)));
    this.table.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows.map((row) => element("tr", { "data-trial": row.trial }, ...columns.map(({ text, value, digits }, i) => {
      const found = value(row), words = typeof found === "number" && digits !== void 0 && Math.abs(found) < 1e6 ? found.toFixed(digits).replace("-", "−") : short(found);
      if (i) return element("td", { class: text ? "lv-text" : null }, words);
      return element("th", { scope: "row" }, element("button", { type: "button", "aria-label": `Choose trial ${row.trial}`, "aria-pressed": "false", onclick: () => this.choose(row.trial) }, words));
    })))));
  }
  sortBy(at) {
    this.order = { at, up: at === this.order.at ? !this.order.up : true };
    this.fillTable();
    this.mark();
    this.table.querySelectorAll("thead button")[at].focus();
  }
  choose(trial) {
    this.chosen = trial === this.chosen ? -1 : trial;
    this.mark();
    const row = this.sweep?.rows.find((each) => each.trial === this.chosen);
    setText(this.live, row ? this.spoken(row) : "No trial is chosen.");
  }
  mark() {
    const { sweep } = this;
    if (!sweep) return;
    const kept = new Set(sweep.rows.filter((row2) => this.keeps(row2)).map(({ trial }) => trial));
    this.lines.mark(kept, this.chosen);
    for (const tr of this.table.querySelectorAll("tbody tr")) {
      const trial = Number(tr.dataset.trial), chosen = trial === this.chosen;
      tr.hidden = !kept.has(trial);
      setAttribute(tr, "data-chosen", String(chosen));
      setAttribute(tr.querySelector("button"), "aria-pressed", String(chosen));
    }
    setText(this.count, `${many(kept.size)} of ${many(sweep.rows.length)} trials are shown.`);
    const row = sweep.rows.find(({ trial }) => trial === this.chosen);
    this.details.hidden = !row;
    if (!row) return;
    this.details.replaceChildren(element("h2", {}, `Trial ${row.trial}`), element("p", {}, this.spoken(row).replace(/^[^:]*: /, "")), element("p", { class: "lv-caption" }, row.reason), element("button", { type: "button", class: "lv-btn lv-small lv-needs", onclick: () => this.say({ type: "train", trial: row.trial }) }, "Open the Train page with these settings"));
  }
  state() {
    const rows = Array.from(this.table.querySelectorAll("tbody tr"));
    return { shown: this.name, chosen: this.chosen, rows: rows.filter(({ hidden }) => !hidden).map(({ dataset }) => Number(dataset.trial)), lines: Array.from(this.lines.paths).filter(([, path]) => path.dataset.kept === "true").map(([trial]) => trial) };
  }
  remove() {
    this.vanish?.();
  }
};
function render({ model, el }) {
  const host = hostOf(model), { send } = outbox(host), page = new SweepsPage(el, send);
  page.show(host.get("view"));
  host.on("view", () => page.show(host.get("view")));
  host.removed(() => page.remove());
  return () => page.remove();
}
var sweeps_default2 = { render };
export { SweepsPage, sweeps_default2 as default };
