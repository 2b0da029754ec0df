// What the keys do, on "?".

const KEYS = [
  ["space", "play or pause"], ["\u2192  \u2190", "one visit on, one back"], ["shift + \u2192  \u2190", "next flip, previous flip"],
  ["page down / up", "next sweep, previous sweep"], ["home / end", "start, end"], ["n  p  r", "next, previous, random image"],
  ["arrows in a grid", "select a unit"], ["escape", "follow the visits again"], ["?", "this list"],
];

function makeHelp(offersImages) {
  const rows = KEYS.filter(([key]) => offersImages || key !== "n  p  r");
  const dialog = element("dialog", {class: "lv-help", "aria-label": "Keyboard"},
    element("h2", {}, "Keyboard"),
    element("dl", {}, ...rows.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)])),
    element("form", {method: "dialog"}, element("button", {class: "lv-btn lv-small"}, "close")));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  return dialog;
}
