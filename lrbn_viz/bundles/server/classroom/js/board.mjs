// 4fc497e32a884eff2542a317f007756c486383cbb412d800f9d5ebf277e48dd8
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
  function setHidden(node, hidden) {
    if (node.hidden !== hidden) node.hidden = hidden;
  }
  var byKey = ({ key: key2 }, table2) => table2[key2];
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
  var named = (question) => question ? question.join(".") : "";
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
    constructor(took2, paint2) {
      this.took = took2;
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
  var SIZES = [1.5, 0.5];
  var LANE_WIDTH = 1440;
  var which = found("which");
  var lane = found("lane");
  var table = found("table");
  var [open, pace, next, reveal, votes, answer, forget] = ["open", "pace", "next", "reveal", "votes", "answer", "forget"].map(found);
  var shown = found("shown");
  var said = found("said");
  var around = lane.parentElement;
  var root = shown.parentElement;
  var newest = "";
  var chosen = false;
  var nameOf = ({ lesson, step }) => `${lesson}.${step}`;
  var isPressed = (button) => button.getAttribute("aria-pressed") === "true";
  var press = (button, on) => button.setAttribute("aria-pressed", String(on));
  var bar = (title, count, total) => element("div", { class: "bar" }, element("small", {}, title), element("div", {}, element("div", { style: `width: ${total ? 100 * count / total : 0}%` })), element("output", {}, many(count)));
  var sum = (counts) => counts.reduce((total, count) => total + count, 0);
  function paint() {
    const { board, lost, refusal } = lecturer;
    if (!board) return setText(said, lost ? "The server does not answer." : "The page of the class is being prepared.");
    const { led, questions, lecture } = board, leads = led.phase !== "own", asked = named(led.question), question = questions.find((each) => nameOf(each) === (asked || which.value)), marks = leads ? led.phase === "revealed" : isPressed(answer), label = lecture && !lecture.asks ? partWords(lecture) : labelOf(led);
    root.dataset.phase = led.show ? "shown" : led.phase;
    press(pace, leads);
    setText(pace, leads ? "Leave the class its own pace (L)" : "Lead the class (L)");
    setText(next, `${label} (→)`);
    setHidden(next, !leads && !lecture);
    setHidden(open, !leads || asked === which.value || !(asked || lecture));
    setHidden(reveal, led.phase !== "closed" || led.following === "reveal");
    setHidden(votes, !led.round || led.phase === "voting");
    setText(votes, isPressed(votes) ? "Hide the votes (V)" : "Show the votes (V)");
    setHidden(answer, leads);
    setHidden(forget, leads);
    setHidden(around, !asked && !led.show);
    if (leads && !lane.src) lane.src = "live.html?board";
    if (led.show !== demonstrated) show(led.show);
    if (led.show) shown.replaceChildren(element("h2", {}, lecture?.parts[lecture.at]?.title));
    else if (question) {
      const rows = leads ? isPressed(votes) && led.phase !== "voting" ? led.votes.map((counts, n) => [`vote ${n + 1}`, counts]) : [] : [["", question.counts]];
      const options = question.options.map((option, n) => {
        const right = marks && n === question.right, why = led.answer?.why[n];
        return element("li", { "data-right": right }, element("span", {}, right ? `${option} (right)` : option), why ? element("p", { class: "why" }, why) : null, element("div", { class: "bars" }, ...rows.map(([title, counts]) => bar(title, counts[n], sum(counts)))));
      });
      shown.replaceChildren(led.answer ? "" : element("p", { class: "asks" }, question.text), element("h2", {}, question.question), element("ol", {}, ...options), ...led.answer ? [element("p", { class: "told" }, led.answer.reveal)] : []);
    }
    const total = question ? sum(question.counts) : 0, counted = total === 1 ? "1 prediction" : `${many(total)} predictions`;
    setText(said, [refusal, lost ? "The server does not answer; this is its last word." : "", leads ? wordsOf(led) : counted].filter(Boolean).join(" "));
    fit();
  }
  var demonstrated = "";
  function show(query) {
    demonstrated = query;
    if (query) lane.src = `live.html?board#${query.slice(1)}`;
  }
  function partWords({ parts, at }) {
    const part = parts[at + 1];
    return part ? `Go on: ${part.title}` : "The plan has ended";
  }
  function fit() {
    const [largest, smallest] = SIZES, { clientWidth, clientHeight } = around;
    if (clientWidth) {
      const scale = clientWidth / LANE_WIDTH;
      lane.style.width = `${LANE_WIDTH}px`;
      lane.style.height = `${clientHeight / scale}px`;
      lane.style.transform = `scale(${scale})`;
    }
    for (let size = largest; size >= smallest; size -= 0.05) {
      shown.style.fontSize = `${size}em`;
      if (shown.scrollHeight <= shown.clientHeight) return;
    }
  }
  function took(now, before) {
    if (!before) which.replaceChildren(...now.questions.map((each) => element("option", { value: nameOf(each) }, each.title)));
    const asked = named(now.led.question);
    if (asked && asked !== named(before?.led.question ?? null)) which.value = asked;
    const latest = named(now.newest);
    if (now.led.phase === "own" && latest && latest !== newest && !chosen) which.value = latest;
    newest = latest;
  }
  var lecturer = new Lecturer(took, paint);
  var lead = (command) => lecturer.lead(command, which.value);
  var acts = { next() {
    const { board } = lecturer;
    if (!board || next.hidden) return;
    const { led, lecture } = board, isOpen = named(led.question) === which.value;
    if (lecture) return lead("next");
    if (led.following === "open" && isOpen) which.selectedIndex += which.selectedIndex + 1 < which.length ? 1 : 0;
    lead(led.following);
  }, open() {
    const { board } = lecturer;
    if (board && board.led.phase !== "own") lead("open");
  }, reveal() {
    if (!reveal.hidden) lead("reveal");
  }, pace() {
    const { board } = lecturer;
    if (board) lead(board.led.phase === "own" ? "lead" : "own");
  }, votes() {
    press(votes, !isPressed(votes));
    paint();
  }, choose(by) {
    which.selectedIndex = Math.min(Math.max(which.selectedIndex + by, 0), which.length - 1);
    choose();
  } };
  var choose = () => {
    chosen = true;
    mark(false);
  };
  var mark = (on) => {
    press(answer, on);
    setText(answer, on ? "Hide the right answer" : "Mark the right answer");
    paint();
  };
  table.href = withKey("counts.csv");
  which.addEventListener("change", choose);
  for (const [button, act] of [[open, acts.open], [pace, acts.pace], [next, acts.next], [reveal, acts.reveal], [votes, acts.votes], [answer, () => mark(!isPressed(answer))]]) button.addEventListener("click", act);
  forget.addEventListener("click", async () => {
    const [lesson, step] = which.value.split(".");
    await fetch(`${withKey("counts")}&${new URLSearchParams({ lesson, step })}`, { method: "DELETE" });
  });
  document.addEventListener("keydown", (event) => {
    const act = !event.repeat && isPageKey(event) && byKey(event, { ArrowRight: acts.next, PageDown: acts.next, o: acts.open, r: acts.reveal, l: acts.pace, v: acts.votes, ArrowDown: () => acts.choose(1), ArrowUp: () => acts.choose(-1) });
    if (!act) return;
    event.preventDefault();
    act();
  });
  window.addEventListener("resize", fit);
  paint();
  lecturer.follow();
})();
