// Building the page's elements without a framework.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes  `onclick` and the like listen; true stands without a value, false and null are left out
 * @param {(Node | string | null | undefined)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** @typedef {(Node | string | null | undefined)[]} Children */

// A card: its heading, what is beside the heading, and its content; `class` has the names beside lv-card.
/**
 * @param {Attributes & {class: string}} attributes
 * @param {Children} heading
 * @param {Children} beside
 * @param {Children} content
 */
export const card = (attributes, heading, beside, ...content) =>
  element(
    "section",
    {...attributes, class: `lv-card ${attributes.class}`},
    element("header", {}, element("h2", {}, ...heading), ...beside),
    ...content,
  );

// A card with a title, a caption unless it is empty, and its content.
/** @param {string | Node} title @param {Children} caption @param {Children} content */
export const captionedCard = (title, caption, ...content) =>
  element(
    "section",
    {class: "lv-card"},
    element("h2", {}, title),
    caption.length ? element("p", {class: "lv-caption"}, ...caption) : null,
    ...content,
  );

// A dialog that a click beside it closes.
/** @param {HTMLDialogElement} dialog */
export function shutByItself(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
export const closeButton = () =>
  element("form", {method: "dialog"}, element("button", {class: "lv-btn lv-small"}, "close"));

// Unchanged text is not written, which would cause a layout, and a new text in the same node costs less than a new node.
/** @param {Node} node @param {string} text */
export function setText(node, text) {
  const {firstChild} = node;
  if (firstChild instanceof Text && !firstChild.nextSibling) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}

// What draws on a canvas.
/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function penOf(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context)
    throw new Error(
      "this browser lends no 2d context to a canvas; close other pages that draw, and open this one again",
    );
  return context;
}

// A box for text that changes at every frame. Its size does not depend on the text, so that layout is limited to the box;
// items of a flex box or a grid cannot be limited, so it is inside one.
export function box() {
  return element("span", {class: "lv-box"});
}

// Free the pixels of canvases that are not shown again: browsers do so late, when they collect what is unused.
/** @param {ParentNode} node */
export function release(node) {
  for (const canvas of node.querySelectorAll("canvas")) canvas.width = canvas.height = 0;
}

/** @param {Element} node @param {string} name @param {string} value */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// The same value again would make the browser match the page's styles once more.
/** @param {HTMLElement} node @param {boolean} hidden */
export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

// Text with <b> and <i> only; everything else is escaped. Equal texts are taken to be marked alike.
/** @param {Element} node @param {TextPart[]} parts */
export function setRich(node, parts) {
  if (node.textContent === plainText(parts)) return;
  node.replaceChildren(
    ...parts.map((part) => (typeof part === "string" ? part : element(part.tag, {}, part.text))),
  );
}
/** @param {TextPart[]} parts */
export const plainText = (parts) =>
  parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
/** @type {(text: string) => TextPart} */
export const bold = (text) => ({tag: "b", text});

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = element("a", {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000); // the browser reads the file after the click
}

/** @type {Record<string, string>} */
export const ICONS = {
  first: "M5 5h2.2v14H5zM19.5 5v14L8.5 12z",
  back: "M16.8 5H19v14h-2.2zM15.5 5v14L5 12z",
  play: "M7.5 4.5v15l12.5-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  step: "M5 5h2.2v14H5zM8.5 5v14L19 12z",
  flip: "M3.5 5.5v13L13 12zM17.5 8.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6z",
  off: "M3.5 5.500v13L12 12zM13.500 8.500h8.500L17.750 16z",
  offBack: "M20.500 5.500v13L12 12zM2 8.500h8.500L6.250 16z",
  sweep: "M4 5.5v13l8-6.5zM12.5 5.5v13l8-6.5z",
  last: "M4.5 5v14l11-7zM16.8 5H19v14h-2.2z",
  present: "M3 4h18v12H3zM5 6v8h14V6zM8 18h8v2H8z",
  leave:
    "M6.400 5L12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
  previousImage: "M15.5 4.5v15L6 12z",
  nextImage: "M8.5 4.5v15L18 12z",
  shuffle:
    "M17 4l4 3.5L17 11V8.5h-2.2L7.3 17H3v-2h3.4l7.5-8.5H17zM3 6.500h4.300l2.400 2.700-1.300 1.500L6.400 8.500H3zM17 13l4 3.500L17 20v-2.500h-3l-2.600-3 1.300-1.500 2.100 2.500H17z",
};

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** @param {string} name @param {string} label @param {string} keys @param {() => void} onclick @param {string} [text] */
export function iconButton(name, label, keys, onclick, text) {
  const button = element(
    "button",
    {
      type: "button",
      class: "lv-btn",
      "aria-label": label,
      title: keys ? `${label} (${keys})` : label,
      "data-do": name,
      onclick,
    },
    icon(name),
  );
  if (text) button.append(element("span", {}, text));
  if (keys) button.append(element("kbd", {"aria-hidden": "true"}, shortKeys(keys)));
  return button;
}

// Names of keys on buttons, as short as on a keyboard.
/** @param {string} keys */
const shortKeys = (keys) => keys.replace("Shift+", "\u21e7").replace("Page Down", "PgDn");

// The entry of a table for the pressed key.
/** @template Value @param {KeyboardEvent} event @param {Record<string, Value>} table @returns {Value | undefined} */
export const byKey = ({key}, table) => table[key];

// Distance that an arrow key moves in a grid with so many columns.
/** @param {KeyboardEvent} event @param {number} columns */
export const arrowMove = (event, columns) =>
  byKey(event, {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns});

// Whether a key belongs to the page: pressed alone or with shift, outside of fields and of buttons that it activates.
/** @param {KeyboardEvent} event @param {Element} [slider]  a field whose keys are the page's */
export function isPageKey(event, slider) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]),
    {tagName} = target;
  if (target !== slider && (["INPUT", "TEXTAREA", "SELECT"].includes(tagName) || target.isContentEditable))
    return false;
  return event.key !== " " || tagName !== "BUTTON";
}

// The elements around a node, the nearest first, out of each shadow root into its host.
/** @param {Node} node */
export function ancestors(node) {
  const found = [];
  for (
    let at = /** @type {Node | null} */ (node);
    at;
    at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)
  )
    if (at instanceof Element) found.push(at);
  return found;
}

// The box of Panel's page around `node`, which marks it with its scheme, as it may mark, later, what it holds: as wide as the
// window, or in a notebook as the cell. Undefined in other hosts.
/** @param {HTMLElement} node */
const pageAround = (node) =>
  ancestors(node)
    .reverse()
    .find(({classList}) => classList.contains("mui-light") || classList.contains("mui-dark"));

/** @param {HTMLElement} node @returns {number} */
export const widthAround = (node) => pageAround(node)?.getBoundingClientRect().width ?? window.innerWidth;

// Calls `changed` with the width of the page around `node`, now and at every change; one out of sight has none, and the
// width of paper does not count. Returns a function that stops watching.
/** @param {HTMLElement} node @param {(width: number) => void} changed */
export function watchWidth(node, changed) {
  const prints = window.matchMedia("print"),
    check = () => {
      if (widthAround(node) > 0 && !prints.matches) changed(widthAround(node));
    };
  const resizes = new ResizeObserver(check);
  check();
  resizes.observe(pageAround(node) ?? document.documentElement);
  return () => resizes.disconnect();
}

// Whether the page around `node` is dark: Panel's page says so, other hosts set data-theme or leave it to the system. Marks
// `node` and calls `changed(dark)`, now and at every change; returns a function that stops watching.
/** @param {HTMLElement} node @param {(dark: boolean) => void} [changed] */
export function watchScheme(node, changed) {
  const system = window.matchMedia("(prefers-color-scheme: dark)"),
    page = document.documentElement;
  const marked = pageAround(node);
  /** @type {boolean | undefined} */
  let now;
  const check = () => {
    const {theme} = page.dataset,
      dark = marked ? marked.classList.contains("mui-dark") : theme ? theme === "dark" : system.matches;
    if (dark === now) return;
    now = dark;
    node.dataset.scheme = dark ? "dark" : "light";
    changed?.(dark);
  };
  const observer = new MutationObserver(check);
  for (const at of marked ? [page, marked] : [page])
    observer.observe(at, {attributes: true, attributeFilter: ["class", "data-theme"]});
  system.addEventListener("change", check);
  check();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", check);
  };
}
