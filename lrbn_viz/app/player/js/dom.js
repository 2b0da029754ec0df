// Building the page's elements without a framework.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// Writing what is there already would have the page laid out again for nothing, and new letters in the same node
// cost less than a new node.
function setText(node, text) {
  const {firstChild} = node;
  if (firstChild?.nodeType === Node.TEXT_NODE && !firstChild.nextSibling) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}

// A box for text that changes at every frame. Its size does not depend on the text, so that only the box is laid out
// anew; items of a flex box or a grid never are alone, so it is inside one.
function box() { return element("span", {class: "lv-box"}); }

function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// Text with <b> and <i> only; everything else is escaped. Equal texts are taken to be marked alike.
function setRich(node, parts) {
  if (node.textContent === parts.map((part) => part.text ?? part).join("")) return;
  node.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : element(part.tag, {}, part.text))));
}
const bold = (text) => ({tag: "b", text});

function download(blob, name) {
  const link = element("a", {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000); // the browser reads it after the click
}

const ICONS = {
  first: "M5 5h2.2v14H5zM19.5 5v14L8.5 12z",
  back: "M16.8 5H19v14h-2.2zM15.5 5v14L5 12z",
  play: "M7.5 4.5v15l12.5-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  step: "M5 5h2.2v14H5zM8.5 5v14L19 12z",
  flip: "M3.5 5.5v13L13 12zM17.5 8.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6z",
  sweep: "M4 5.5v13l8-6.5zM12.5 5.5v13l8-6.5z",
  last: "M4.5 5v14l11-7zM16.8 5H19v14h-2.2z",
  previousImage: "M15.5 4.5v15L6 12z",
  nextImage: "M8.5 4.5v15L18 12z",
  shuffle: "M17 4l4 3.5L17 11V8.5h-2.2L7.3 17H3v-2h3.4l7.5-8.5H17zM3 6.500h4.300l2.400 2.700-1.300 1.500L6.400 8.500H3zM17 13l4 3.500L17 20v-2.500h-3l-2.600-3 1.300-1.500 2.100 2.500H17z",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function iconButton(name, label, keys, onclick, text) {
  const button = element("button", {
    type: "button", class: "lv-btn", "aria-label": label, title: keys ? `${label} (${keys})` : label, "data-do": name, onclick,
  }, icon(name));
  if (text) button.append(element("span", {}, text));
  return button;
}

// Whether the page around `node` is dark: Panel's page marks an ancestor, other hosts set data-theme or leave it
// to the system. Calls `changed(dark)` now and at every change; returns a function that stops watching.
function watchScheme(node, changed) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const marked = [document.documentElement];
  for (let at = node; at; at = at.parentNode || at.host) {
    if (at.classList && (at.classList.contains("mui-light") || at.classList.contains("mui-dark"))) marked.push(at);
  }
  const isDark = () => {
    for (const at of marked.slice(1)) return at.classList.contains("mui-dark");
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : system.matches;
  };
  let now = null;
  const check = () => { if (isDark() !== now) changed(now = isDark()); };
  const observer = new MutationObserver(check);
  for (const at of marked) observer.observe(at, {attributes: true, attributeFilter: ["class", "data-theme"]});
  system.addEventListener("change", check);
  check();
  return () => { observer.disconnect(); system.removeEventListener("change", check); };
}
