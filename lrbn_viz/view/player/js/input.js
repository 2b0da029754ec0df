import {bold, element, iconButton, ICONS, setAttribute, setRich, setText} from "./dom.js";
import {paintInput, paintStates, PixelView} from "./draw.js";
import {DrawingCursor, DRAWING_KEYS} from "./drawing_cursor.js";
import {bitsOfFile} from "./image_file.js";
import {statesOf, textOfStates, UNKNOWN} from "./known.js";
import {someOf, variablesOf} from "./names.js";
import {UNITS} from "./units.js";
import {observationOf, VariableSwitches} from "./variables.js";

// The input card: the image, or a list of observations, the way to other images, and tools that change it; inference follows every stroke.

/** @type {Record<string, [string, string]>} */
const TOOLS = {
  draw: ["Draw", "M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19zM15 5.500l3.500 3.500"],
  erase: ["Erase", "M9 19h11v1.500H7.500L3 16l9.500-10.500L19 12l-6.500 7zM6 15.700l3.700 3.800"],
  unknown: [
    "Not known: paint what is not observed",
    "M12 3a5.500 5.500 0 0 0-5.500 5.500h3a2.500 2.500 0 1 1 3.900 2c-2 1.300-2.900 2.300-2.900 4.500h3c0-1.100.5-1.600 1.900-2.500A5.500 5.500 0 0 0 12 3zM10.500 17.500h3v3h-3z",
  ],
  occlude: ["Cover a rectangle with paper: drag over the image", "M4 6h16v12H4z"],
  hide: [
    "Hide a rectangle, which is then not known: drag over the image",
    "M3 5h18v14H3zM5 7v4l4-4zM5 14v3h1L16 7h-4zM9 17h4l6-6V7.500zM16 17h3v-3z",
  ],
};
const UNKNOWN_TOOLS = new Set(["unknown", "hide"]); // of models that take images of which a part is not known
/** @type {Record<string, number>} */
const MAKES = {draw: 1, erase: 0, occlude: 0, unknown: UNKNOWN, hide: UNKNOWN};
const RECTANGLES = new Set(["occlude", "hide"]);
/** @type {Record<string, [string, string]>} */
const ACTIONS = {
  noise: [
    "Flip one pixel in twenty",
    "M4 4h3v3H4zM11 6h3v3h-3zM17 3h3v3h-3zM6 11h3v3H6zM14 12h3v3h-3zM4 17h3v3H4zM10 18h3v3h-3zM18 17h3v3h-3z",
  ],
  invert: ["Invert", "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 5v14a7 7 0 1 1 0-14z"],
  upload: ["Open an image file", "M5 19h14v2H5zM11 16h2V8l3 3 1.400-1.400L12 4.200 6.600 9.600 8 11l3-3z"],
  clear: ["Start from an empty image", "M5 5h14v14H5zM7 7v10h10V7z"],
  forget: [
    "Nothing known: no pixel is observed",
    "M4 4h16v16H4zM6 6v12h12V6zM12 7a3.300 3.300 0 0 0-3.300 3.300h1.800a1.500 1.500 0 1 1 2.300 1.200c-1.200.8-1.700 1.400-1.700 2.700h1.800c0-.7.3-1 1.100-1.500A3.300 3.300 0 0 0 12 7zM11.100 15.300h1.800v1.800h-1.800z",
  ],
  reset: ["Back to the data set's image", "M5 4v5h5L8 7a6 6 0 1 1-1.800 6.500l-2 .6A8 8 0 1 0 6.600 5.600z"],
};

// What remains of them where the data are no pictures, and how it is called there.
/** @type {Record<string, string>} */
const LIST_ACTIONS = {
  invert: "Turn every observation round",
  clear: "Nothing observed on",
  forget: "Nothing known",
  reset: "Back to the data set's row",
};

// Whether a lane's images are binary.
/** @param {Lane | undefined} lane */
const takesStrokes = (lane) => Boolean(lane && UNITS[lane.model.visible].binary);

export class InputCard {
  stale = true;
  sending = false;
  waiting = false; // for the answer, or for the frame that shows it
  frame = 0; // that begins after an answer
  canvas = element("canvas", {class: "lv-pixels", role: "img", "aria-label": "input image"});
  caption = element("p", {class: "lv-caption"});
  heading = element("span", {}, "Input ");
  switches = new VariableSwitches((i) => this.toggle(i)); // in place of the image, where data are no pictures
  /** @type {HTMLButtonElement[]} */ actions = [];
  file = element("input", {
    type: "file",
    accept: "image/*",
    hidden: true,
    onchange: () => this.open(this.file.files?.[0]),
  });
  complaint = element("p", {class: "lv-complaint", role: "alert"});
  /** @type {[string, HTMLButtonElement][]} */ toolButtons = [];
  words = "Input image";
  /** @type {string | null} */ tool = null;
  /** @type {Uint8Array | null} */ states = null; // of the pixels: 0, 1 or UNKNOWN
  /** @type {{tool: string, corners: [[number, number], [number, number]], before: Uint8Array, after: Uint8Array} | null} */ rectangle =
    null; // what was covered or hidden last
  /** @type {[number, number] | null} */ from = null; // where a stroke has come to
  /** @type {Uint8Array} */ before;
  /** @type {Lane} */ lane;
  /** @type {PixelView} */ view;
  /** @type {Timer | undefined} */ timeout;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    const {callbacks} = player;
    /** @param {string} name @param {string} label @param {string} way @param {string} keys */
    const choose = (name, label, way, keys) => iconButton(name, label, keys, () => callbacks.image?.(way));
    this.tools = callbacks.draw ? this.makeTools() : null;
    this.cursor = callbacks.draw ? new DrawingCursor(this) : null;
    this.back = element("button", {
      type: "button",
      class: "lv-btn lv-small",
      "data-part": "pages",
      hidden: true,
      onclick: () => callbacks.back?.(),
    });
    this.node = element(
      "section",
      {class: "lv-card lv-input", "aria-label": "Input image"},
      element(
        "div",
        {class: "lv-pixels-box"},
        element("div", {class: "lv-label"}, element("span", {}, this.heading, element("i", {}, "x"))),
        element("div", {class: "lv-pixels-frame"}, this.canvas, this.cursor?.node, this.switches.list),
        this.cursor?.said,
      ),
      // words last: they change with the image, and no button may move for that
      element(
        "div",
        {class: "lv-input-side"},
        callbacks.image
          ? element(
              "div",
              {class: "lv-row", "data-part": "images"},
              choose("previousImage", "Previous image", "previous", "P"),
              choose("shuffle", "Random image", "random", "R"),
              choose("nextImage", "Next image", "next", "N"),
            )
          : null,
        ...(this.tools ? [this.tools, this.file] : []),
        this.caption,
        this.back,
        ...(this.tools ? [this.complaint] : []),
      ),
    );
  }

  makeTools() {
    /** @type {(name: string, entry: [string, string], onclick: () => void) => HTMLButtonElement} */
    const button = (name, [label, path], onclick) => {
      ICONS[name] ||= path;
      return iconButton(name, label, "", onclick);
    };
    this.toolButtons = Object.entries(TOOLS).map(([name, entry]) => {
      const node = button(name, entry, () => this.take(name));
      node.setAttribute("aria-pressed", "false");
      return [name, node];
    });
    const {canvas} = this;
    this.actions = Object.entries(ACTIONS).map(([name, entry]) => button(name, entry, () => this.act(name)));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.drawable || !this.states || !this.heard()) return;
      if (!this.tool) this.hold("draw");
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      this.before = this.states.slice();
      const from = (this.from = this.point(event));
      this.cursor?.place(from);
      this.stroke(from, from);
    });
    // where the browser tells of moves as they come, and not once a frame, the answer comes a frame sooner
    canvas.addEventListener("onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove", (event) => {
      let {from} = this;
      if (!from) return;
      let inked = false;
      for (const part of event.getCoalescedEvents?.() || [event]) {
        const to = this.point(part);
        inked = this.ink(from, to) || inked;
        if (!RECTANGLES.has(this.tool ?? "")) this.from = from = to;
      }
      if (inked) this.changed();
    });
    const up = () => {
      this.from = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    return element(
      "div",
      {class: "lv-row lv-tools", role: "group", "aria-label": "Change the image", "data-part": "draw"},
      ...this.toolButtons.map(([, node]) => node),
      ...this.actions,
    );
  }

  // The named variables in place of an image; null for images.
  get variables() {
    return this.lane ? variablesOf(this.lane.model) : null;
  }

  // Observe a variable as the next of: not known, on, off.
  /** @param {number} i */
  toggle(i) {
    if (!this.states || !this.drawable || !this.heard()) return;
    const state = this.states[i],
      afterOff = this.takesUnknown ? UNKNOWN : 1;
    this.states[i] = state === UNKNOWN ? 1 : state ? 0 : afterOff;
    this.changed();
  }

  // Whether all lanes' models take images of which a part is not known.
  get takesUnknown() {
    const {menus} = this.player;
    return menus.length > 0 && menus.every(({unknown}) => unknown);
  }

  // Take a tool in the hand, or put it down. What was just covered is hidden by one press, and the other way round: the
  // difference between a pixel that is off and one that is not known.
  /** @param {string} name */
  take(name) {
    const {rectangle, states, tool} = this;
    this.hold(tool === name ? null : name);
    if (!RECTANGLES.has(name) || !rectangle || rectangle.tool === name || !states || !this.heard()) return;
    if (states.some((state, i) => state !== rectangle.after[i])) return; // something else was changed since
    this.before = rectangle.before;
    this.stroke(...rectangle.corners, name);
  }

  // A way back to where the models came from; none where the words are empty.
  /** @param {string} words */
  lead(words) {
    setText(this.back, words);
    this.back.hidden = !words;
  }

  // Whether a change would be answered; if not, the page says so.
  heard() {
    return this.player.callbacks.open?.("drawing") ?? true;
  }

  /** @param {string | null} tool */
  hold(tool) {
    this.tool = tool;
    for (const [name, node] of this.toolButtons) node.setAttribute("aria-pressed", String(name === tool));
    this.canvas.style.cursor = tool ? "crosshair" : "";
    this.canvas.style.touchAction = tool ? "none" : "";
  }

  // Whether strokes are taken: binary images, of a host that takes them, where no link leaves drawing out.
  get drawable() {
    return Boolean(this.tools) && takesStrokes(this.lane) && this.player.shows("draw");
  }

  // What follows from that.
  follow() {
    const {canvas, drawable} = this;
    if (!this.tools) return;
    this.tools.hidden = !takesStrokes(this.lane);
    if (!drawable || this.variables) this.hold(null);
    for (const [name, node] of this.toolButtons)
      node.hidden = Boolean(this.variables) || (UNKNOWN_TOOLS.has(name) && !this.takesUnknown);
    if (this.tool && UNKNOWN_TOOLS.has(this.tool) && !this.takesUnknown) this.hold(null);
    for (const node of this.actions) {
      const {do: name = ""} = node.dataset,
        words = (this.variables && LIST_ACTIONS[name]) || ACTIONS[name][0];
      node.hidden =
        (Boolean(this.variables) && !(name in LIST_ACTIONS)) || (name === "forget" && !this.takesUnknown);
      setAttribute(node, "aria-label", words);
      setAttribute(node, "title", words);
    }
    setAttribute(canvas, "role", drawable ? "application" : "img"); // an application is told arrow keys
    if (drawable) setAttribute(canvas, "tabindex", "0");
    else canvas.removeAttribute("tabindex");
    setAttribute(canvas, "aria-label", this.words + (drawable ? `. To draw: ${DRAWING_KEYS}` : ""));
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  point(event) {
    const box = this.canvas.getBoundingClientRect(),
      {rows, columns} = this.lane.model;
    return [
      ((event.clientX - box.left) / box.width) * columns,
      ((event.clientY - box.top) / box.height) * rows,
    ];
  }

  /** @param {[number, number]} from @param {[number, number]} to @param {string | null} tool */
  stroke(from, to, tool = this.tool) {
    if (this.ink(from, to, tool)) this.changed();
  }

  // Change the pixels under a stroke; returns whether any is another than before, else there is nothing to paint or say.
  /** @param {[number, number]} from @param {[number, number]} to @param {string | null} tool */
  ink([x0, y0], [x1, y1], tool = this.tool) {
    if (!this.states || !tool) return false;
    const {
        states,
        lane: {
          model: {rows, columns},
        },
      } = this,
      before = states.slice(),
      made = MAKES[tool];
    if (RECTANGLES.has(tool)) {
      const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)],
        [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
      states.set(this.before);
      for (let r = Math.floor(top); r < bottom; r++)
        for (let c = Math.floor(left); c < right; c++) {
          if (r >= 0 && r < rows && c >= 0 && c < columns) states[r * columns + c] = made;
        }
      this.rectangle = {
        tool,
        corners: [
          [x0, y0],
          [x1, y1],
        ],
        before: this.before,
        after: states.slice(),
      };
    } else {
      const radius = Math.max(0.75, columns / 22);
      const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0)) || 1;
      for (let n = 0; n <= steps; n++) {
        const x = x0 + ((x1 - x0) * n) / steps,
          y = y0 + ((y1 - y0) * n) / steps;
        for (let r = Math.floor(y - radius); r <= y + radius; r++)
          for (let c = Math.floor(x - radius); c <= x + radius; c++) {
            const inside = Math.hypot(c + 0.5 - x, r + 0.5 - y) <= radius;
            if (inside && r >= 0 && r < rows && c >= 0 && c < columns) states[r * columns + c] = made;
          }
      }
    }
    return states.some((state, i) => state !== before[i]);
  }

  /** @param {string} name */
  act(name) {
    if (!this.states) return;
    this.complaint.textContent = "";
    if (!this.heard()) return;
    if (name === "upload") return this.file.click();
    if (name === "reset") {
      this.sending = false;
      this.waiting = false;
      return this.player.callbacks.draw?.("");
    }
    const {states} = this;
    for (let i = 0; i < states.length; i++) {
      const turns = name === "invert" || (name === "noise" && Math.random() < 0.05);
      if (turns && states[i] !== UNKNOWN) states[i] = 1 - states[i];
      if (name === "clear") states[i] = 0;
      if (name === "forget") states[i] = UNKNOWN;
    }
    if (name === "clear") this.hold("draw"); // there is nothing else to do with an empty image
    this.changed();
  }

  /** @param {File | undefined} file */
  async open(file) {
    if (!file) return;
    this.file.value = ""; // so that the same file can be chosen again
    let bits = null,
      complaint = "";
    try {
      bits = await bitsOfFile(file, this.lane.model.rows, this.lane.model.columns);
      if (!bits) complaint = `${file.name} shows one even tone. Choose an image with ink on paper.`;
    } catch {
      complaint = `${file.name} is no image that the browser can read. Choose a PNG or JPEG file.`;
    }
    this.complaint.textContent = complaint;
    if (!bits || !this.states || !this.heard()) return;
    this.states = bits;
    this.changed();
  }

  // Show the stroke now; send the newest image as soon as the answer to the one before is here and painted. A pen tells of
  // more moves than there are frames: a second image within a frame would be inferred and painted for nobody to see, and on
  // a slow computer would leave the frames no time.
  changed() {
    if (this.frame) this.waiting = true;
    else this.show();
  }

  show() {
    if (this.states) this.paintStates(this.states);
    this.ask();
  }

  ask() {
    if (this.sending) {
      this.waiting = true;
      return;
    }
    const {states} = this,
      shown = statesOf(this.lane.x);
    if (!states || states.every((state, i) => state === shown[i])) return; // shown already: no answer would come
    this.sending = true;
    this.player.callbacks.draw?.(textOfStates(states));
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.answered(), 1000); // an answer that never comes must not stop the pen
  }

  answered() {
    clearTimeout(this.timeout);
    if (this.sending) this.frame ||= requestAnimationFrame(() => this.painted());
    this.sending = false;
  }

  // The frame after an answer has begun: what has changed since is shown in it.
  painted() {
    this.frame = 0;
    if (!this.waiting) return;
    this.waiting = false;
    this.show();
  }

  /** @param {Lane} lane */
  load(lane) {
    const {rows, columns, visible} = lane.model;
    this.lane = lane;
    this.view = PixelView.of(this.view, this.canvas, rows, columns);
    this.answered();
    if (!this.waiting && !this.from) this.states = UNITS[visible].binary ? statesOf(lane.x) : null;
    this.cursor?.fit(rows, columns);
    this.stale = true;
  }

  // Texts of the image, and what can be done with it: with the parts beside the lanes, since a new caption causes a
  // layout of the page.
  /** @param {TraceMeta} meta */
  describe(meta) {
    const {variables} = this,
      what = variables ? "Observations" : "Input";
    setRich(this.caption, [bold(meta.title || ""), meta.caption ? ` ${meta.caption}` : ""]);
    this.words = `${variables ? what : "Input image"}: ${[meta.title, meta.caption].filter(Boolean).join(" ")}`;
    setText(this.heading, `${what} `);
    setAttribute(this.node, "aria-label", variables ? what : "Input image");
    this.node.toggleAttribute("data-table", variables !== null);
    this.switches.list.hidden = !variables;
    this.switches.load(variables ?? [], this.drawable);
    if (!this.tools) setAttribute(this.canvas, "aria-label", this.words);
    this.follow();
  }

  /** @param {Uint8Array} states */
  paintStates(states) {
    if (this.variables) this.switches.paint(states);
    paintStates(this.view, states, this.player.colours.tables);
  }

  /** @param {PixelTables} tables */
  paint(tables) {
    if (this.stale) {
      this.paintOn(this.view, tables);
      if (this.variables)
        this.switches.paint(this.states ?? Float64Array.from(this.lane.x, this.lane.shade, this.lane));
    }
    this.stale = false;
  }

  // What is observed on, and what is not known, in words; empty for images.
  get observedWords() {
    const {variables, lane, states} = this,
      x = states ?? lane?.x;
    if (!variables) return "";
    /** @param {import("./variables.js").Observation} what */
    const those = (what) => variables.filter((_, i) => observationOf(x, i) === what),
      unknown = those("unknown");
    return `On: ${someOf(those("on"), 8)}${unknown.length ? `. Not known: ${someOf(unknown, 8)}` : ""}`;
  }

  // The image as it is now, there or elsewhere.
  /** @param {PixelView} view @param {PixelTables} tables */
  paintOn(view, tables) {
    const {states} = this;
    if (states) paintStates(view, states, tables);
    else paintInput(view, this.lane, tables);
  }
}
