"""The notebook's player in Chromium, hosted as anywidget hosts it, by a page that passes the bytes on."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import pytest
from saved_notebooks import outputs_of

pytest.importorskip("playwright")

from playwright.sync_api import expect

import lrbn_viz
from lrbn_viz.notebook import NotebookPlayer, load_figures, show_figure, show_trace
from lrbn_viz.notebook.page import BLOCKS
from lrbn_viz.view.plots import interaction_matrix

# What anywidget does in a notebook: imports the text as a module from a blob, and calls render({model, el})
# of it with a model of get, set, save_changes, on, off, send and widget_manager; bytes are DataViews.
HOST = """<!doctype html><html lang="en"><meta charset="utf-8"><title>notebook</title>
<body data-jp-theme-light="%(light)s"><main></main>
<script type="module">
const {states, blocks} = %(states)s;
const decode = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const open = ({bytes, values}) => {
  const state = {...values};
  for (const [name, text] of Object.entries(bytes)) state[name] = decode(text);
  return state;
};
window.fetched = []; // which shared widgets were asked for
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
  save_changes() { this.saved.push({...this.state, trace: null, engine: null}); }
  send(message) { this.sent.push(message); }
  get widget_manager() {
    return {get_model: async (id) => { fetched.push(id); return new Model(open(blocks[id])); }};
  }
}
// as a message from Python arrives: all of it is set before anybody is told
window.receive = (model, widget) => {
  const state = open(widget);
  Object.assign(blocks, widget.blocks);
  const changed = Object.keys(state).filter((name) => state[name] !== model.state[name]);
  Object.assign(model.state, state);
  for (const name of changed) for (const call of model.callbacks[`change:${name}`] || []) call();
};
window.models = [];
const views = [];
// What becomes of an output that is cleared, as when its cell is run again
window.clearOutputs = async () => {
  for (const {el, cleanup} of views.splice(0)) { (await cleanup)?.(); el.remove(); }
};
window.show = (model, module, place = document.querySelector("main")) => {
  const el = document.createElement("div");
  place.append(el);
  views.push({el, cleanup: module.default.render({model, el})});
};
window.again = []; // shows each player once more
for (const widget of states) {
  const module = await import(URL.createObjectURL(new Blob([widget.esm], {type: "text/javascript"})));
  if (Object.keys(module).join() !== "default") throw new Error("expected a default export alone");
  const model = new Model(open(widget));
  window.models.push(model);
  window.again.push((place) => window.show(model, module, place));
  window.show(model, module);
}
await Promise.all(views.map(({cleanup}) => cleanup));
window.ready = true;
</script>"""


def state_of(widget: anywidget.AnyWidget) -> dict[str, Any]:
    """Return the state of a widget as the page reads it: bytes as base64, and the rest."""
    state = {name: value for name, value in widget.get_state().items() if not name.startswith("_")}
    blobs = {name: value for name, value in state.items() if isinstance(value, bytes)}
    return {
        "bytes": {name: base64.b64encode(value).decode() for name, value in blobs.items()},
        "values": {name: value for name, value in state.items() if name not in blobs},
    }


def message_of(widget: NotebookPlayer) -> dict[str, Any]:
    """Return what the browser is told of a player, and of what it shares with others."""
    blocks = {block.model_id: state_of(block) for block in (getattr(widget, name) for name in BLOCKS)}
    return {**state_of(widget), "esm": widget.get_state()["_esm"], "blocks": blocks}


def host(path: Path, *widgets: NotebookPlayer, light: bool = True) -> str:
    states = [message_of(widget) for widget in widgets]
    blocks = {key: block for state in states for key, block in state.pop("blocks").items()}
    text = json.dumps({"states": states, "blocks": blocks}).replace("</", "<\\/")
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


def test_python_shows_another_trace_of_another_model_in_the_same_player(page, seen, tmp_path, two_traces):
    widget = show_trace(two_traces[0], title="one", hide=["why"])
    page.goto(host(tmp_path / "notebook.html", widget))
    page.wait_for_function("window.ready && lrbnPlayers.length === 1")
    page.evaluate("window.first = lrbnPlayers[0]")
    other: Any = lrbn_viz.pretrained("lrbn-12-digits")
    x = lrbn_viz.load_dataset("digits").test_X[3]
    shown = [other.map_trace(x), lrbn_viz.factorised(other).map_trace(x)]
    states = "() => lrbnPlayers[0].lanes.map((_, n) => lrbnPlayers[0].latents(n, lrbnPlayers[0].clock.end))"
    arrived = """([n, k]) => lrbnPlayers.length === 1 && lrbnPlayers[0].lanes?.length === n
        && lrbnPlayers[0].k === k"""
    for traces, options in ((shown, {"cursor": 3}), ([shown[0]], {"live": False}), (shown, {})):
        widget.show(*traces, title="another", height=500, **options)
        page.evaluate("(widget) => receive(models[0], widget)", message_of(widget))
        page.wait_for_function(arrived, arg=[len(traces), options.get("cursor", 0)])
        assert page.evaluate(states) == [trace.latents(trace.n_visits).tolist() for trace in traces]
        assert page.evaluate("lrbnPlayers[0].choices.hidden") == "why"
        assert page.locator(".lv").evaluate("(node) => node.getBoundingClientRect().height") == 500
        if "cursor" in options:
            assert page.evaluate("lrbnPlayers[0] === first"), "it went on as it was"
    seen.assert_clean()


def test_players_load_their_code_once_on_a_page(page, seen, tmp_path, two_traces):
    page.goto(host(tmp_path / "notebook.html", *(show_trace(two_traces[0]) for _ in range(3))))
    page.wait_for_function("window.ready && lrbnPlayers.length === 3")
    assert page.evaluate("lrbnCode.size") == 1
    assert page.evaluate("lrbnPlayers[0].constructor === lrbnPlayers[2].constructor")
    assert page.evaluate("new Set(fetched).size") == 3, "the code, the kernels, and the weights"
    seen.assert_clean()


def test_the_picture_of_a_player_is_in_sight_where_the_player_is_not(page, seen, tmp_path, two_traces):
    widget = show_trace(*two_traces, title="a test digit")
    path = tmp_path / "notebook.html"
    host(path, widget)
    still = outputs_of(widget)[1]["text/html"]
    path.write_text(path.read_text(encoding="utf-8").replace("<main>", f"{still}<main>"), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("window.ready && lrbnPlayers.length === 1")
    picture = page.get_by_role("img", name="a test digit")
    expect(picture).to_be_hidden()
    page.evaluate("clearOutputs()")
    expect(picture).to_be_visible()
    assert picture.evaluate("(node) => [node.naturalWidth, node.naturalHeight]") == [640, 360]
    page.evaluate("""() => { // as marimo shows it
      const tree = document.body.appendChild(document.createElement("div")).attachShadow({mode: "open"});
      again[0](tree);
    }""")
    expect(picture).to_be_hidden()
    page.evaluate("clearOutputs()")
    expect(picture).to_be_visible()
    seen.assert_clean()


def test_panels_left_out_of_a_notebook_come_back_and_a_picture_is_saved(page, seen, tmp_path, two_traces):
    widget = show_trace(*two_traces, title="A test digit!", cursor=12, hide=["matrix", "why"])
    page.goto(host(tmp_path / "notebook.html", widget))
    page.wait_for_function("window.ready && window.lrbnPlayers?.length === 1")
    shown = """Object.entries(lrbnPlayers[0].panels)
        .filter(([, panel]) => panel.node.getClientRects().length).map(([name]) => name)"""
    assert page.evaluate(shown) == ["raster", "truth", "ladder", "mosaic", "network"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this view as SVG").click()
    assert download.value.suggested_filename == "a-test-digit-visit-12.svg"
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_role("button", name="show all panels and controls").click()
    assert page.evaluate(shown) == ["why", "raster", "truth", "ladder", "matrix", "mosaic", "network"]
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
    is_now = "(scheme) => document.querySelector('.lv').dataset.scheme === scheme"
    page.wait_for_function(is_now, arg=other)
    page.evaluate("delete document.body.dataset.jpThemeLight")
    for classes, scheme in {
        "vscode-light": "light",
        "vscode-dark": "dark",
        "vscode-high-contrast vscode-high-contrast-light": "light",
        "vscode-high-contrast": "dark",
    }.items():
        page.evaluate("(classes) => { document.body.className = classes; }", classes)
        page.wait_for_function(is_now, arg=scheme)


def test_a_figure_is_drawn_without_a_network(page, seen, tmp_path):
    J = np.array([[0.0, -2.9], [-2.9, 0.0]])
    figure = interaction_matrix(J, names=("burglary", "earthquake"), title="Interactions")
    html = "<!doctype html><meta charset='utf-8'><title>figure</title>" + load_figures()._repr_html_()
    path = tmp_path / "figure.html"
    path.write_text(html + show_figure(figure)._repr_html_(), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("window.Bokeh && Bokeh.documents.length === 1 && Bokeh.documents[0].is_idle")
    seen.assert_clean()
