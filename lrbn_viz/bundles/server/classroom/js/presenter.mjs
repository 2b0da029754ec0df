// db6853c2c035341d8b0eb79441a56451f9ead02eaa1533da517676ab18e8bae1
"use strict";
(() => {
  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") node.addEventListener(name.slice(2), value);
      else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child != null));
    return node;
  }
  function setText(node, text) {
    const { firstChild } = node;
    if (firstChild instanceof Text && !firstChild.nextSibling) {
      if (firstChild.data !== text) firstChild.data = text;
    } else if (node.textContent !== text) node.textContent = text;
  }
  var byKey = ({ key: key2 }, table) => table[key2];
  function isPageKey(event, slider) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
    const target = event.composedPath()[0], { tagName } = target;
    if (target !== slider && (["INPUT", "TEXTAREA", "SELECT"].includes(tagName) || target.isContentEditable)) return false;
    return event.key !== " " || tagName !== "BUTTON";
  }
  var commas;
  var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
  var EVERY_MS = 1e3;
  var key = new URLSearchParams(window.location.search).get("key") ?? "";
  var withKey = (address) => `${address}?key=${encodeURIComponent(key)}`;
  var found = (id) => document.getElementById(id);
  function labelOf({ following, round, question }) {
    if (following === "vote") return `Begin vote ${round + 1}`;
    if (following === "close") return `End vote ${round}`;
    if (following === "reveal") return "Reveal the answer";
    return question ? "Open the next question" : "Open the question on all screens";
  }
  function wordsOf({ phase, round, voted, missing, screens }) {
    const here = screens === 1 ? "1 screen" : `${many(screens)} screens`;
    if (phase === "voting" || phase === "closed") return `Vote ${round}: ${many(voted)} voted, ${many(missing)} ${missing === 1 ? "has" : "have"} not answered.`;
    if (phase === "asked") return `On all screens (${here}). Nobody can vote yet.`;
    return phase === "revealed" ? `Revealed on all screens (${here}).` : `${here} in the class.`;
  }
  var Lecturer = class {
    board = null;
    lost = false;
    leading = false;
    refusal = "";
    constructor(took, paint2) {
      this.took = took;
      this.paint = paint2;
    }
    take(now) {
      const before = this.board;
      this.board = now;
      this.took(now, before);
    }
    async follow() {
      try {
        const reply = await fetch(withKey("counts"));
        if (!reply.ok) throw new Error(reply.statusText);
        this.take(await reply.json());
        this.lost = false;
      } catch {
        this.lost = true;
      }
      this.paint();
      setTimeout(() => this.follow(), EVERY_MS);
    }
    async lead(command, question = ".0") {
      if (this.leading) return;
      const [lesson, step] = question.split(".");
      this.leading = true;
      this.refusal = "";
      try {
        const reply = await fetch(withKey("lead"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ command, lesson, step: Number(step) }) });
        const now = await reply.json();
        if (reply.ok) this.take(now);
        else this.refusal = now.error;
      } catch {
        this.lost = true;
      }
      this.leading = false;
      this.paint();
    }
  };
  var MINUTE = 60;
  var PLAIN = /* @__PURE__ */ new Set(["p", "strong", "em", "ul", "ol", "li", "blockquote", "h4", "code", "pre", "br"]);
  var [next, back] = ["next", "back"].map(found);
  var shown = -2;
  var content = (tree) => tree.map((node) => {
    if (typeof node === "string") return node;
    const [kind, ...rest] = node;
    return PLAIN.has(kind) ? element(kind, {}, ...content(rest)) : element("span", {}, ...content(rest.slice(1)));
  });
  var time = (seconds, minutes) => `${Math.floor(seconds / MINUTE)}:${String(Math.floor(seconds % MINUTE)).padStart(2, "0")} of ${minutes} min`;
  function paint() {
    const { board, lost, refusal } = lecturer, said = found("said");
    if (!board) return setText(said, lost ? "The server does not answer." : "The page of the class is being prepared.");
    const { lecture, led } = board;
    if (!lecture) return setText(said, "No plan is served: begin the server with --plan.");
    const { at, parts, asks } = lecture, part = parts[at], after = parts[at + 1];
    setText(found("title"), lecture.title);
    setText(found("total"), time(lecture.seconds, lecture.minutes));
    setText(found("place"), part ? `Part ${at + 1} of ${parts.length}` : `${parts.length} parts`);
    setText(found("part"), part?.title ?? "The lecture has not begun");
    setText(found("time"), part ? time(lecture.part_seconds, part.minutes) : "");
    found("time").toggleAttribute("data-late", Boolean(part) && lecture.part_seconds > part.minutes * MINUTE);
    if (shown !== at) found("notes").replaceChildren(...content(part?.notes ?? []));
    shown = at;
    setText(next, `${asks ? labelOf(led) : part ? "Go on" : "Begin"} (→)`);
    next.toggleAttribute("disabled", !asks && !after);
    back.toggleAttribute("disabled", at < 1);
    setText(found("after"), after ? `Next: ${after.title} (${after.minutes} min)` : "This is the last part.");
    setText(said, [refusal, lost ? "The server does not answer; this is its last word." : "", wordsOf(led)].filter(Boolean).join(" "));
  }
  var lecturer = new Lecturer(() => {
  }, paint);
  var go = () => lecturer.lead("next");
  var goBack = () => lecturer.lead("back");
  next.addEventListener("click", go);
  back.addEventListener("click", goBack);
  document.addEventListener("keydown", (event) => {
    const act = !event.repeat && isPageKey(event) && byKey(event, { ArrowRight: go, PageDown: go, " ": go, ArrowLeft: goBack, PageUp: goBack });
    if (!act) return;
    event.preventDefault();
    act();
  });
  paint();
  lecturer.follow();
})();
