"""The notebook's player in Chromium, hosted as anywidget hosts it, by a page that passes the bytes on."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("playwright")

import lrbn_viz
from lrbn_viz.notebook import NotebookPlayer, load_figures, show_figure, show_trace
from lrbn_viz.plots import interaction_matrix

# What anywidget does in a notebook: imports the text as a module from a blob, and calls render({model, el})
# with a model of get, set, save_changes, on and send, in which bytes are DataViews.
HOST = """<!doctype html><meta charset="utf-8"><title>notebook</title>
<body data-jp-theme-light="%(light)s"><main></main>
<script type="module">
const states = %(states)s;
const decode = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
class Model {
  constructor(state) { this.state = state; this.callbacks = {}; this.saved = []; this.sent = []; }
  get(name) { return this.state[name]; }
  set(name, value) {
    this.state[name] = value;
    for (const call of this.callbacks[`change:${name}`] || []) call();
  }
  on(event, call) { (this.callbacks[event] ||= []).push(call); }
  off(event, call) { this.callbacks[event] = (this.callbacks[event] || []).filter((each) => each !== call); }
  get listeners() { return Object.values(this.callbacks).flat().length; }
  save_changes() { this.saved.push({...this.state, models: null, trace: null, engine: null}); }
  send(message) { this.sent.push(message); }
}
window.models = [];
const views = [];
// What becomes of an output that is cleared, as when its cell is run again
window.clearOutputs = async () => {
  for (const {el, cleanup} of views.splice(0)) { (await cleanup)?.(); el.remove(); }
};
window.show = (model, height, module) => {
  const el = document.createElement("div");
  el.style.height = height;
  document.querySelector("main").append(el);
  views.push({el, cleanup: module.default.render({model, el})});
};
window.again = []; // shows each player once more
for (const {esm, height, bytes, values} of states) {
  const state = {...values};
  for (const [name, text] of Object.entries(bytes)) state[name] = decode(text);
  const module = await import(URL.createObjectURL(new Blob([esm], {type: "text/javascript"})));
  const model = new Model(state);
  window.models.push(model);
  window.again.push(() => window.show(model, height, module));
  window.show(model, height, module);
}
window.ready = true;
</script>"""


def host(path: Path, *widgets: NotebookPlayer, light: bool = True) -> str:
    states = []
    for widget in widgets:
        state = widget.get_state()
        bytes_of = {name: base64.b64encode(state[name]).decode() for name in ("models", "trace", "engine")}
        names = (
            "cursor",
            "offers_images",
            "offers_drawing",
            "in_notebook",
            "hidden",
            "selected",
            "unit_order",
            "reference",
        )
        values = {name: state[name] for name in names}
        states.append(
            {"esm": state["_esm"], "height": widget.layout.height, "bytes": bytes_of, "values": values}
        )
    text = json.dumps(states).replace("</", "<\\/")
    path.write_text(HOST % {"states": text, "light": str(light).lower()}, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def two_traces():
    data = lrbn_viz.load_dataset("digits")
    x = data.test_X[0]
    lrbn: Any = lrbn_viz.pretrained("lrbn-16-digits")
    rbm: Any = lrbn_viz.pretrained("rbm-16-digits")
    return lrbn.map_trace(x, init="random", random_state=0), rbm.map_trace(x)


def test_the_notebook_player_shows_the_states_of_the_engine_at_every_visit(
    page, seen, tmp_path, artifacts, two_traces
):
    widget = show_trace(*two_traces, title="a test digit", cursor=-1)
    page.goto(host(tmp_path / "notebook.html", widget))
    page.wait_for_function("window.ready && window.lrbnPlayers?.length === 1")
    assert page.evaluate("lrbnPlayers[0].k") == widget.cursor
    for lane, trace in enumerate(two_traces):
        for k in range(trace.n_visits + 1):
            shown = page.evaluate("([lane, k]) => lrbnPlayers[0].latents(lane, k)", [lane, k])
            assert shown == trace.latents(k).tolist(), f"lane {lane}, k = {k}"
    artifacts(page, "notebook-player")
    seen.assert_clean()


def test_the_cursor_travels_both_ways(page, seen, tmp_path, two_traces):
    page.goto(host(tmp_path / "notebook.html", show_trace(*two_traces)))
    page.wait_for_function("window.ready")
    page.evaluate("models[0].set('cursor', 5)")  # as a change from Python arrives
    assert page.evaluate("lrbnPlayers[0].k") == 5
    page.get_by_role("button", name="Step", exact=False).first.click()
    page.wait_for_function("models[0].get('cursor') === lrbnPlayers[0].k && lrbnPlayers[0].k !== 5")
    assert page.evaluate("models[0].saved.at(-1).cursor") == page.evaluate("lrbnPlayers[0].k")
    seen.assert_clean()


def test_panels_left_out_of_a_notebook_come_back_and_a_picture_is_saved(page, seen, tmp_path, two_traces):
    widget = show_trace(*two_traces, title="A test digit!", cursor=12, hide=["matrix", "why"])
    page.goto(host(tmp_path / "notebook.html", widget))
    page.wait_for_function("window.ready && window.lrbnPlayers?.length === 1")
    shown = """Object.entries(lrbnPlayers[0].panels)
        .filter(([, panel]) => panel.node.getClientRects().length).map(([name]) => name)"""
    assert page.evaluate(shown) == ["raster", "truth", "ladder", "mosaic"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this view as SVG").click()
    assert download.value.suggested_filename == "a-test-digit-visit-12.svg"
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_role("button", name="show all panels and controls").click()
    assert page.evaluate(shown) == ["why", "raster", "truth", "ladder", "matrix", "mosaic"]
    page.wait_for_function("models[0].get('hidden') === ''")
    seen.assert_clean()
    for wrong in (["kitchen"], "why"):
        with pytest.raises(ValueError, match="expected some of why, raster"):
            show_trace(*two_traces, hide=wrong)


SHOW_ALL = """async (times) => {
  await clearOutputs();
  for (let n = 0; n < times; n++) for (const show of again) show();
}"""


def count_nodes(page) -> int:
    """Return how many nodes the page's documents hold, those that are no longer shown too."""
    session = page.context.new_cdp_session(page)
    for _ in range(2):  # the first frees what calls the finalizers of the rest
        session.send("HeapProfiler.collectGarbage")
    nodes = session.send("Memory.getDOMCounters")["nodes"]
    session.detach()
    return nodes


def test_players_shown_three_times_hold_no_more_nodes_than_once_and_none_when_cleared(
    page, seen, tmp_path, two_traces
):
    page.goto(
        host(tmp_path / "notebook.html", show_trace(*two_traces), show_trace(two_traces[0], live=False))
    )
    page.wait_for_function("window.ready && lrbnPlayers.length === 2")
    page.evaluate(SHOW_ALL, 0)
    page.wait_for_function("lrbnPlayers.length === 0")
    assert page.evaluate("models.map((model) => model.listeners)") == [0, 0]
    empty = count_nodes(page)
    counts = []
    for _ in range(3):
        page.evaluate(SHOW_ALL, 2)
        page.wait_for_function("lrbnPlayers.length === 4 && lrbnPlayers.every((player) => player.atRest)")
        counts.append(count_nodes(page))
    assert counts[0] > empty + 4 * 500, "players are not counted"
    assert max(counts[1:]) <= 1.2 * counts[0], counts
    page.evaluate(SHOW_ALL, 0)
    assert count_nodes(page) <= 1.2 * empty, "cleared outputs hold what they showed"
    seen.assert_clean()


def test_keys_move_only_the_player_that_has_the_focus(page, seen, tmp_path, two_traces):
    page.goto(host(tmp_path / "notebook.html", show_trace(*two_traces), show_trace(two_traces[0])))
    page.wait_for_function("window.ready && lrbnPlayers.length === 2")
    cursors = "lrbnPlayers.map((player) => player.k)"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(cursors) == [0, 0], "the notebook's own keys must stay the notebook's"
    page.locator(".lv").nth(1).locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(cursors) == [0, 2]
    page.locator(".lv").first.locator("h2").first.click()  # anywhere on the other player
    page.keyboard.press("End")
    assert page.evaluate(cursors) == [two_traces[0].n_visits, 2]
    # JupyterLab matches its shortcuts from the focused element outwards and stops at this mark.
    assert page.evaluate("document.activeElement.getAttribute('data-lm-suppress-shortcuts')") == "true"
    seen.assert_clean()


@pytest.mark.parametrize("light", [True, False])
def test_the_player_is_dark_where_the_notebook_is(page, tmp_path, two_traces, light):
    page.emulate_media(color_scheme="dark" if light else "light")  # the system says the opposite
    page.goto(host(tmp_path / "notebook.html", show_trace(two_traces[0]), light=light))
    page.wait_for_function("window.ready && lrbnPlayers.length === 1")
    assert page.locator(".lv").get_attribute("data-scheme") == ("light" if light else "dark")
    page.evaluate("document.body.dataset.jpThemeLight = document.body.dataset.jpThemeLight !== 'true'")
    other = "dark" if light else "light"
    page.wait_for_function("(other) => document.querySelector('.lv').dataset.scheme === other", arg=other)


def test_a_figure_is_drawn_without_a_network(page, seen, tmp_path):
    J = np.array([[0.0, -2.9], [-2.9, 0.0]])
    figure = interaction_matrix(J, names=("burglary", "earthquake"), title="Interactions")
    html = "<!doctype html><meta charset='utf-8'><title>figure</title>" + load_figures()._repr_html_()
    path = tmp_path / "figure.html"
    path.write_text(html + show_figure(figure)._repr_html_(), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("window.Bokeh && Bokeh.documents.length === 1 && Bokeh.documents[0].is_idle")
    seen.assert_clean()
