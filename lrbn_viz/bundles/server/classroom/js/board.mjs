// 7c12f2679d64b9f575ff006a2658aa378770d5423986d52be224fe92067f6b54
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
  var commas;
  var many = (n) => (commas ??= new Intl.NumberFormat("en")).format(n);
  var EVERY_MS = 1e3;
  var key = new URLSearchParams(window.location.search).get("key") ?? "";
  var found = (id) => document.getElementById(id);
  var which = found("which");
  var answer = found("answer");
  var forget = found("forget");
  var shown = found("shown");
  var questions = [];
  var newest = "";
  var chosen = false;
  var lost = false;
  var nameOf = ({ lesson, step }) => `${lesson}.${step}`;
  function paint() {
    const question = questions.find((each) => nameOf(each) === which.value);
    if (!question) return;
    const total = question.counts.reduce((sum, count) => sum + count, 0), marked = answer.getAttribute("aria-pressed") === "true";
    const bars = question.options.map((option, n) => {
      const right = marked && n === question.right, share = total ? question.counts[n] / total : 0;
      return element("div", { class: "bar", "data-right": right ? "" : null }, element("span", {}, right ? `${option} (right)` : option), element("output", {}, many(question.counts[n])), element("div", {}, element("div", { style: `width: ${100 * share}%` })));
    });
    const people = total === 1 ? "1 prediction" : `${many(total)} predictions`;
    shown.replaceChildren(element("p", {}, element("b", {}, question.question)), ...bars, element("p", { class: "muted" }, lost ? `${people}. The server does not answer; these are its last counts.` : people));
  }
  async function ask() {
    try {
      const reply = await fetch(`counts?key=${encodeURIComponent(key)}`);
      if (!reply.ok) throw new Error(reply.statusText);
      const board = await reply.json();
      lost = false;
      if (!questions.length) which.replaceChildren(...board.questions.map((each) => element("option", { value: nameOf(each) }, each.title)));
      questions = board.questions;
      const now = board.newest ? `${board.newest[0]}.${board.newest[1]}` : "";
      if (now !== newest && !chosen) which.value = now;
      newest = now;
    } catch {
      lost = true;
    }
    paint();
    setTimeout(ask, EVERY_MS);
  }
  which.addEventListener("change", () => {
    chosen = true;
    answer.setAttribute("aria-pressed", "false");
    setText(answer, "Mark the right answer");
    paint();
  });
  answer.addEventListener("click", () => {
    const marked = answer.getAttribute("aria-pressed") !== "true";
    answer.setAttribute("aria-pressed", String(marked));
    setText(answer, marked ? "Hide the right answer" : "Mark the right answer");
    paint();
  });
  forget.addEventListener("click", async () => {
    const [lesson, step] = which.value.split(".");
    await fetch(`counts?${new URLSearchParams({ key, lesson, step })}`, { method: "DELETE" });
  });
  ask();
})();
