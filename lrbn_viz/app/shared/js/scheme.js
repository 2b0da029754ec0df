// The theme of the page: that of its link, else the one chosen here before, else the system's. This runs in the page's
// head, before anything is drawn. Panel's components and ours follow data-theme.

const MAX_HIDDEN_MS = 5000; // ms after which a dark page is shown as it is
const KEY = "lrbn-theme",
  root = document.documentElement,
  system = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {string | null | undefined} name */
const known = (name) => (name === "dark" ? "dark" : name === "light" ? "light" : null);

function remembered() {
  try {
    return known(localStorage.getItem(KEY));
  } catch {
    return null;
  } // the browser offers no storage
}

let linked = known(new URLSearchParams(location.search).get("theme"));

function show() {
  root.dataset.theme = linked ?? remembered() ?? (system.matches ? "dark" : "light");
}

const lrbnTheme = (window.lrbnTheme = {
  get dark() {
    return root.dataset.theme === "dark";
  },
  choose(dark) {
    const name = dark ? "dark" : "light";
    try {
      localStorage.setItem(KEY, name);
    } catch {
      linked = name;
    } // then the choice holds for this page only
    if (linked) linked = name; // the server writes the link again
    show();
  },
  // Two changes, to the other theme and back, notify observers of changes before anything is drawn.
  again() {
    root.dataset.theme = this.dark ? "light" : "dark";
    queueMicrotask(show);
  },
  // A dark page is hidden until its components are dark (shell.py), or the time is over.
  settled() {
    root.dataset.settled = "";
  },
});
window.addEventListener("load", () => setTimeout(lrbnTheme.settled, MAX_HIDDEN_MS));
system.addEventListener("change", show);
window.addEventListener("storage", ({key}) => {
  if (key === KEY) show();
}); // chosen in another tab
show();
