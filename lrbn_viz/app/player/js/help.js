// What the keys do and the menus mean, on "?". Here is also the way back from a link that hides parts of the page.

const KEYS = [
  ["space", "play or pause"], ["\u2192  \u2190", "one visit on, one back"], ["shift + \u2192  \u2190", "next flip, previous flip"],
  ["page down / up", "next sweep, previous sweep"], ["home / end", "start, end"], ["n  p  r", "next, previous, random image"],
  ["arrows in a grid", "select a unit"], ["arrows, enter", "in the chart of other starts: choose an optimum, go to it"], ["escape", "follow the visits again"], ["s", "save a picture of this view"], ["?", "this list"],
];

class Help {
  constructor(player) {
    this.player = player;
    this.keys = element("dl");
    this.back = element("p", {class: "lv-caption"}, "Parts of this page are hidden. ",
      element("button", {type: "button", class: "lv-btn lv-small", onclick: () => { player.showAll(); this.node.close(); }}, "show all panels and controls"));
    const orders = Object.values(UNIT_ORDERS).flatMap(([name, meaning]) => [element("dt", {}, name), element("dd", {}, meaning)]);
    this.node = element("dialog", {class: "lv-help", "aria-label": "Keyboard"},
      element("h2", {}, "Keyboard"), this.keys, this.back,
      element("details", {}, element("summary", {}, "Orders of the units"), element("dl", {}, ...orders)),
      element("form", {method: "dialog"}, element("button", {class: "lv-btn lv-small"}, "close")));
    this.node.addEventListener("click", (event) => { if (event.target === this.node) this.node.close(); });
  }

  show() {
    const {callbacks, hidden} = this.player, gone = {"n  p  r": !callbacks.image || hidden.has("images"), s: hidden.has("export")};
    this.keys.replaceChildren(...KEYS.filter(([key]) => !gone[key]).flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)]));
    this.back.hidden = !hidden.size;
    this.node.showModal();
  }
}
