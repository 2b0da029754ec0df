// Which theme the page has: that of its link; else the one that was chosen here before; else the system's. This runs in
// the page's head, before anything is drawn. What draws follows data-theme: Panel's components and ours.

const LONGEST = 5000; // ms after which a dark page is shown as it is
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
  } // a browser that lends no storage remembers nothing
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
    } // then it holds for this page alone
    if (linked) linked = name; // the server writes the link anew
    show();
  },
  // Whoever follows only changes is told of two: to the other theme and back, before anything is drawn.
  again() {
    root.dataset.theme = this.dark ? "light" : "dark";
    queueMicrotask(show);
  },
  // A dark page is not shown while its components are light still (shell.py): they have followed, or do not.
  settled() {
    root.dataset.settled = "";
  },
});
window.addEventListener("load", () => setTimeout(lrbnTheme.settled, LONGEST));
system.addEventListener("change", show);
window.addEventListener("storage", ({key}) => {
  if (key === KEY) show();
}); // chosen in another tab
show();
