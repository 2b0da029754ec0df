// 064872fbb111be62a17b84fde4f814403fd4f4969afdee74ca96f2c0a99cc073
"use strict";
(() => {
  var MAX_HIDDEN_MS = 5e3;
  var KEY = "lrbn-theme";
  var root = document.documentElement;
  var system = window.matchMedia("(prefers-color-scheme: dark)");
  var known = (name) => name === "dark" ? "dark" : name === "light" ? "light" : null;
  function remembered() {
    try {
      return known(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }
  var linked = known(new URLSearchParams(location.search).get("theme"));
  function show() {
    root.dataset.theme = linked ?? remembered() ?? (system.matches ? "dark" : "light");
  }
  var lrbnTheme = window.lrbnTheme = { get dark() {
    return root.dataset.theme === "dark";
  }, choose(dark) {
    const name = dark ? "dark" : "light";
    try {
      localStorage.setItem(KEY, name);
    } catch {
      linked = name;
    }
    if (linked) linked = name;
    show();
  }, again() {
    root.dataset.theme = this.dark ? "light" : "dark";
    queueMicrotask(show);
  }, settled() {
    root.dataset.settled = "";
  } };
  window.addEventListener("load", () => setTimeout(lrbnTheme.settled, MAX_HIDDEN_MS));
  system.addEventListener("change", show);
  window.addEventListener("storage", ({ key }) => {
    if (key === KEY) show();
  });
  show();
})();
