// The transport: buttons, scrub bar over the flips of every lane, speed, and one sentence about the newest visit.

class Transport {
  constructor(player) {
    this.player = player;
    const go = (name, label, keys, text) => iconButton(name, label, keys, () => player.move(name), text);
    this.playButton = iconButton("play", "Play", "space", () => player.toggle());
    this.playButton.classList.add("lv-main");
    this.scrub = new Scrub("Visit", (k) => { player.pause(); player.seek(k); });
    this.says = box();
    this.speed = element("select", {"aria-label": "Speed", onchange: () => player.setSpeed(Number(this.speed.value))},
      ...SPEEDS.map((speed) => element("option", {value: speed}, `${speed} visits/s`)));
    this.showSpeed(player.clock.speed);
    const save = (kind, what) => element("button", {
      type: "button", class: "lv-btn lv-small", "aria-label": `Save this view as ${kind.toUpperCase()}`, title: what, onclick: () => player.save(kind),
    }, kind.toUpperCase());
    this.node = element("div", {class: "lv-transport", role: "group", "aria-label": "Transport"},
      element("div", {class: "lv-row lv-buttons"},
        go("first", "First", "Home"), go("back", "Step back", "\u2190"), this.playButton, go("step", "Step", "\u2192"),
        go("flip", "Next flip", "Shift+\u2192", "flip"), go("sweep", "Next sweep", "Page Down", "sweep"), go("last", "Last", "End")),
      this.scrub.node,
      element("div", {class: "lv-side"},
        element("label", {class: "lv-speed", "data-part": "speed"}, element("span", {class: "lv-speed-word"}, "Speed"), this.speed),
        element("div", {class: "lv-speed", role: "group", "aria-label": "Picture of this view", "data-part": "export"},
          element("span", {class: "lv-speed-word"}, "Picture"),
          element("div", {class: "lv-row"}, save("png", "Picture of this view, for slides (S)"), save("svg", "Picture of this view in lines and letters, for print"))),
        element("button", {type: "button", class: "lv-btn lv-small lv-ask", "aria-label": "Keys and help", title: "Keys and help (?)", onclick: () => player.help.show()}, "?")),
      element("div", {class: "lv-says"}, this.says));
  }

  load(lanes, n_visits) {
    this.lanes = lanes;
    this.n_visits = n_visits;
    this.stale = true;
  }

  showSpeed(speed) { if (this.speed.value !== String(speed)) this.speed.value = String(speed); }

  paint(k, palette) {
    const {player} = this;
    if (this.scrub.fit() || this.stale || this.palette !== palette) this.paintStrip(palette);
    const playing = player.clock.playing;
    this.scrub.show(k, this.n_visits, palette, playing);
    if (this.showsPlaying !== playing) {
      this.showsPlaying = playing;
      this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
      this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
      this.playButton.title = `${playing ? "Pause" : "Play"} (space)`;
    }
    setRich(this.says, this.words(k));
    if (!playing) this.scrub.say(`visit ${k} of ${this.n_visits}`);
  }

  // Behind the thumb: the bar, sweep boundaries, and a mark for every flip of the first lane.
  paintStrip(palette) {
    const {scrub: {strip}, lanes} = this, context = strip.getContext("2d"), {width, height} = strip;
    const ratio = window.devicePixelRatio || 1, inset = THUMB / 2 * ratio; // marks meet the thumb's centre
    const x = (k) => inset + (width - 2 * inset) * k / Math.max(1, this.n_visits);
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.faint;
    context.beginPath();
    context.roundRect(inset, height * 0.3, width - 2 * inset, height * 0.4, 3 * ratio);
    context.fill();
    context.fillStyle = palette.surface;
    if (lanes[0].sweepStarts.length < 80) for (const k of lanes[0].sweepStarts.slice(1)) context.fillRect(x(k) - ratio, height * 0.3, 2 * ratio, height * 0.4);
    context.fillStyle = palette.lanes[0];
    for (const k of lanes[0].flips) context.fillRect(x(k + 1) - 0.6 * ratio, height * 0.36, 1.2 * ratio, height * 0.28);
    Object.assign(this, {stale: false, palette});
  }

  words(k) {
    const lane = this.lanes[0], at = `${k} of ${this.n_visits}`;
    if (k === 0) return ["Visit ", bold(at), `: the start (${this.player.meta.start || "given state"})`];
    if (k > lane.n_visits) return ["Visit ", bold(at), `: ${lane.meta.title} has finished`];
    const j = lane.currentUnit, flipped = lane.flippedNow, now = lane.h[j] ? "on" : "off";
    return ["Visit ", bold(at), `, sweep ${lane.currentSweep + 1}: unit ${j} `, flipped ? bold(`turned ${now}`) : `stays ${now}`,
      `, log-odds ${signed(lane.logOdds[k - 1])}`];
  }

  said(k) { return this.words(k).map((part) => (typeof part === "string" ? part : part.text)).join(""); }

  sentence(k) {
    const counts = this.lanes.map((lane) => `${lane.meta.title} ${lane.wrongInWords.replace("px wrong", "wrong pixels")}`).join(", ");
    return `${this.said(k)}. ${counts}.`;
  }
}
