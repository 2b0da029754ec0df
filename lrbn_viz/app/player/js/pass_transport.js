// The transport of the Generate page: steps, phases and passes; a scrub bar with a mark where each pass begins.

const PASS_SPEEDS = [10, 30, 60, 120, 300, 1000, 3000];
Object.assign(ICONS, {phase: ICONS.flip, pass: ICONS.sweep});

class PassTransport {
  constructor(page, speed) {
    this.page = page;
    const go = (name, label, keys) => iconButton(name, label, keys, () => page.move(name));
    this.playButton = iconButton("play", "Play", "space", () => page.toggle());
    this.playButton.classList.add("lv-main");
    this.scrub = new Scrub("Step", (k) => { page.pause(); page.seek(k); });
    this.says = box();
    this.speed = element("select", {"aria-label": "Speed", onchange: () => page.setSpeed(Number(this.speed.value))},
      ...PASS_SPEEDS.map((value) => element("option", {value}, `${value} steps/s`)));
    this.speed.value = String(speed);
    this.more = element("button", {type: "button", class: "lv-btn lv-small", onclick: () => page.say({type: "more"})}, "Run on");
    this.node = element("div", {class: "lv-transport", role: "group", "aria-label": "Transport"},
      element("div", {class: "lv-row lv-buttons"},
        go("first", "First", "Home"), go("back", "Step back", "\u2190"), this.playButton, go("step", "Step", "\u2192"),
        go("phase", "Next phase", "Shift+\u2192"), go("pass", "Next pass", "Page Down"), go("last", "Last", "End")),
      this.scrub.node,
      element("div", {class: "lv-pass-side"}, element("label", {class: "lv-speed"}, element("span", {class: "lv-speed-word"}, "Speed"), this.speed), this.more),
      element("div", {class: "lv-says"}, this.says));
  }

  load(timeline, most) {
    this.timeline = timeline;
    this.more.disabled = timeline.passes >= most;
    this.more.title = this.more.disabled ? `at most ${most} passes` : `draw ${Math.min(most, 2 * timeline.passes) - timeline.passes} passes more`;
    this.stale = true;
  }

  paint(k, palette) {
    if (this.scrub.fit() || this.stale || this.palette !== palette) this.paintStrip(palette);
    const {playing} = this.page.clock;
    this.scrub.show(k, this.timeline.end, palette, playing);
    if (this.showsPlaying !== playing) {
      this.showsPlaying = playing;
      this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
      this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
      this.playButton.title = `${playing ? "Pause" : "Play"} (space)`;
    }
    setRich(this.says, this.words());
    if (!playing) this.scrub.say(this.sentence());
  }

  paintStrip(palette) {
    const {scrub: {strip}, timeline} = this, context = strip.getContext("2d"), {width, height} = strip;
    const ratio = window.devicePixelRatio || 1, inset = THUMB / 2 * ratio; // marks meet the thumb's centre
    const x = (k) => inset + (width - 2 * inset) * k / timeline.end, top = height * 0.3, tall = height * 0.4;
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.faint;
    context.beginPath();
    context.roundRect(inset, top, width - 2 * inset, tall, 3 * ratio);
    context.fill();
    // where pixels are drawn, at the end of each pass, and between passes a gap
    timeline.starts.slice(1).forEach((end, t) => {
      context.fillStyle = palette.line;
      const begin = x(end - timeline.rows);
      context.fillRect(begin, top, x(end) - begin, tall);
      if (t < timeline.passes - 1 && timeline.passes < 100) { context.fillStyle = palette.surface; context.fillRect(x(end) - ratio, top, 2 * ratio, tall); }
    });
    Object.assign(this, {stale: false, palette});
  }

  words() {
    const at = this.page.at(), pass = `${at.t + 1} of ${this.timeline.passes}`;
    if (!at.step && !at.t) return ["Nothing is drawn yet: the LRBN begins with its prior, the RBM's chain with ", bold(this.timeline.meta.begins)];
    return ["Pass ", bold(pass), ". ", this.page.cards.map((card) => card.says(at)).join("; ")];
  }

  sentence() { return `${this.words().map((part) => (typeof part === "string" ? part : part.text)).join("")}.`; }
}
