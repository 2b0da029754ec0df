// f0eb8d47ec146bd8055a5ee4825f8d4d1499f47950186828f155cc5ed677491e
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
var theme_default = { font: 'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif', light: { page: "#f3f5f7", surface: "#ffffff", ink: "#17202a", muted: "#566270", line: "#dbe0e6", faint: "#edf0f3", lanes: ["#00755a", "#7b4bb3"], plus: "#c94f00", minus: "#0067b0", now: "#d98a00", focus: "#0067b0", good: "#00755a", bad: "#b3261e", ground: "#fbfcfd", stroke: "#17202a", shadow: "0 1px 2px rgb(23 32 42 / .06)", lift: "0 -2px 16px rgb(23 32 42 / .10)" }, dark: { page: "#0f1419", surface: "#182028", ink: "#e8edf2", muted: "#a0acb8", line: "#2c3742", faint: "#222c36", lanes: ["#3ecf9f", "#c29bf0"], plus: "#ff9147", minus: "#5cb4f5", now: "#ffc53d", focus: "#8ecbff", good: "#3ecf9f", bad: "#ff8a80", ground: "#0b0f13", stroke: "#e8edf2", shadow: "none", lift: "0 -2px 18px rgb(0 0 0 / .5)" }, header: { ground: "#17202a", ink: "#e8edf2", link: "#c3ccd6", current: "#ffffff", mark: "#ffc53d", focus: "#8ecbff", line: "#566270", lost: "#7a2417", back: "#0b5c47" }, sizes: { letters: "clamp(13px, calc(9.6px + .38cqi), 30px)", side_bar: 288 } };
var FONT = theme_default.font;
var PALETTES = { light: theme_default.light, dark: theme_default.dark };
var properties = (values) => values.map(([name, value]) => `--lv-${name}: ${value};`).join(" ");
var withHeader = (selector) => `${selector} { ${properties([...Object.entries(theme_default.header).map(header), ["font", theme_default.font]])} }
`;
var header = ([name, value]) => [`header-${name}`, value];
var theme_button_default = ".lv-theme{display:grid;place-content:center;width:2.5rem;height:2.5rem;padding:0;border:0;border-radius:50%;background:none;color:var(--lv-header-ink);cursor:pointer}.lv-theme:hover{background:rgb(255 255 255 / 0.09)}.lv-theme:focus-visible{outline:2px solid var(--lv-header-focus);outline-offset:-2px}@media(max-width:600px){.lv-theme{width:44px;height:44px}}.lv-theme svg{width:1.4rem;height:1.4rem;fill:currentColor}\n";
var SETTLE_MS = 300;
var SVG = "http://www.w3.org/2000/svg";
var SUN = "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM11 1.500h2v3.500h-2zM11 19h2v3.500h-2zM1.500 11h3.500v2h-3.500zM19 11h3.500v2h-3.500zM4 5.400l1.400-1.400 2.500 2.500-1.400 1.400zM16.100 17.500l1.400-1.400 2.500 2.500-1.400 1.400zM4 18.600l2.500-2.500 1.400 1.400-2.500 2.500zM16.100 6.500l2.500-2.500 1.400 1.400-2.500 2.500z";
var MOON = "M14 2.500a9.600 9.600 0 1 0 7.500 12.800A7.800 7.800 0 0 1 14 2.500z";
function render({ el }) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path"), root = document.documentElement;
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  const button = element("button", { type: "button", class: "lv-theme", "aria-label": "Toggle theme", title: "Dark or light page", onclick: () => window.lrbnTheme?.choose(!window.lrbnTheme.dark) }, svg);
  const follow = () => {
    const dark = Boolean(window.lrbnTheme?.dark);
    path.setAttribute("d", dark ? MOON : SUN);
    button.setAttribute("aria-pressed", String(dark));
  };
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  follow();
  el.append(element("style", {}, withHeader(".lv-theme") + theme_button_default), button);
  correct(el);
}
function correct(el) {
  const page = ancestors(el).find(({ classList }) => classList.contains("mui-light") || classList.contains("mui-dark")), { lrbnTheme } = window;
  if (!page || !lrbnTheme) return lrbnTheme?.settled();
  let settled;
  const follows = () => page.classList.contains("mui-dark") === lrbnTheme.dark;
  const check = () => {
    if (follows()) lrbnTheme.settled();
    clearTimeout(settled);
    settled = setTimeout(() => {
      if (!follows()) lrbnTheme.again();
    }, SETTLE_MS);
  };
  new MutationObserver(check).observe(page, { attributes: true, attributeFilter: ["class"] });
  check();
}
var theme_button_default2 = { render };
export { theme_button_default2 as default };
