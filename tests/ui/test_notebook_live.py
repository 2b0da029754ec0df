"""The notebook's player infers anew without a kernel: in an exported notebook, and in a page of HTML."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

pytest.importorskip("playwright")

from extension.executed import executed
from nbconvert import HTMLExporter
from playwright.sync_api import Page, expect
from saved_notebooks import saved
from ui.journeys import seek, state, wait_for_rest
from ui.test_notebook_player import host

import lrbn_viz
from lrbn_viz.notebook import NotebookPlayer, ask, show_trace, stand_alone

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "06_several_layers.ipynb"
FRAME = '<iframe title="cell" style="width: 1100px; height: {height}; border: 0" srcdoc="{html}"></iframe>'


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    return lrbn_viz.load_dataset("mnist5k").test_X[2]


def export(path: Path, *widgets: NotebookPlayer) -> str:
    """Write a notebook whose cells show the players, and its outputs as a page, a frame each."""
    cells = [
        nbformat.v4.new_code_cell(
            "show_trace(...)",
            outputs=[nbformat.v4.new_output("display_data", {"text/html": widget.to_html()})],
        )
        for widget in widgets
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path.with_suffix(".ipynb"))
    read = nbformat.read(path.with_suffix(".ipynb"), 4)
    frames = []
    for widget, cell in zip(widgets, read.cells, strict=True):
        html = "<!doctype html><title>cell</title>" + cell.outputs[0].data["text/html"]
        frames.append(
            FRAME.format(html=html.replace("&", "&amp;").replace('"', "&quot;"), height=f"{widget.height}px")
        )
    page = "<!doctype html><meta charset='utf-8'><title>notebook</title>" + "".join(frames)
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


def is_shown(frame: Any, lane: int, trace: Any) -> None:
    shown = state(frame)["lanes"][lane]
    assert shown["h"] == trace.latents(trace.n_visits).tolist()
    assert shown["wrong"] == trace.wrong_pixels()[-1]
    assert abs(shown["logJoint"] - trace.log_joint_at(trace.n_visits)) < 1e-6


def pixels(frame: Any, n_v: int) -> np.ndarray:
    return np.array(frame.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].x)"), np.uint8)[:n_v]


def draw(frame: Any, page: Page) -> None:
    box = frame.get_by_role("application", name=re.compile("^Input image")).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 60, steps=6)
    page.mouse.up()
    wait_for_rest(frame)


def test_an_exported_notebook_is_drawn_on_held_and_inferred_anew(context, seen, tmp_path, image):
    lrbn: Any = lrbn_viz.pretrained("lrbn-200-mnist-flat")
    deep: Any = lrbn_viz.pretrained("lrbn-200-200-mnist")
    rival = lrbn_viz.factorised(lrbn)
    recorded = lrbn.map_trace(image, init="zeros", order="random", random_state=4)
    two = show_trace(recorded, rival.map_trace(image), title="a six", names=("mine", "theirs"))
    one = show_trace(deep.map_trace(image), models=[deep])
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page = context.new_page()
    page.set_viewport_size({"width": 1200, "height": 2000})
    page.goto(export(tmp_path / "notebook.html", two, one))
    frames = page.frames[1:]
    assert len(frames) == 2
    for frame in frames:
        frame.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        wait_for_rest(frame)
    first, second = frames
    seek(first, 10**9)
    is_shown(first, 0, recorded)
    expect(first.get_by_label("Inference in lane 1")).to_have_value("recorded")
    expect(first.get_by_label("Start in lane 1")).to_be_hidden()

    first.evaluate("() => window.lrbnPlayers[0].hold(12, 'on', 0)")
    seek(first, 10**9)
    is_shown(first, 0, lrbn.trace(image, "icm", init="conditional", clamp={12: 1}))
    is_shown(first, 1, rival.map_trace(image))
    first.get_by_label("Inference in lane 1").select_option("annealed")
    first.get_by_label("Seed in lane 1").fill("7")
    first.get_by_label("Seed in lane 1").press("Enter")
    seek(first, 10**9)
    is_shown(first, 0, lrbn.trace(image, "annealed", init="conditional", clamp={12: 1}, random_state=7))
    first.get_by_role("button", name="Draw", exact=True).click()
    draw(first, page)
    drawn = pixels(first, 784)
    assert (drawn != image).sum() > 10
    seek(first, 10**9)
    is_shown(first, 0, lrbn.trace(drawn, "annealed", init="conditional", clamp={12: 1}, random_state=7))
    expect(first.get_by_text("a six, ")).to_be_visible()
    first.get_by_label("Inference in lane 1").select_option("recorded")
    seek(first, 10**9)
    is_shown(first, 0, recorded)
    assert (pixels(first, 784) == image).all()

    second.get_by_role("button", name="Draw", exact=True).click()
    draw(second, page)
    seek(second, 10**9)
    drawn = pixels(second, 784)
    assert (drawn != image).sum() > 10
    is_shown(second, 0, deep.trace(drawn, next(iter(deep.trace_methods)), init="conditional"))
    assert all(url.startswith(("file:", "blob:", "about:")) for url in requests), requests
    seen.assert_clean()


def converted(path: Path, notebook: Any) -> Path:
    """Write the page that nbconvert makes of a notebook with `stand_alone`, without a user's settings."""
    exporter = HTMLExporter(preprocessors=[stand_alone])
    page, _ = exporter.from_notebook_node(notebook, {"config_dir": str(path.parent)})
    path.write_text(page, encoding="utf-8")
    return path


def test_a_page_of_nbconvert_asks_no_other_host_and_shows_formulas_and_players(
    context, seen, tmp_path, image
):
    model: Any = lrbn_viz.pretrained("lrbn-16-digits")
    traces = [model.map_trace(x) for x in lrbn_viz.load_dataset("digits").test_X[:2]]
    players = [show_trace(trace, title=f"digit {n}", cursor=-1) for n, trace in enumerate(traces)]
    text = r"Each pays $-\log P(h_j \mid x)$, and *all* $$\sum_j \Big[d_j + h^*_j\Big].$$"
    notebook = saved(*players, ask("it rises", "it falls"), text=text)
    path = converted(tmp_path / "notebook.html", notebook)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.length === 2 && lrbnPlayers.every(({lanes}) => lanes)")
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
    for n, trace in enumerate(traces):
        # by its title: which of them is there first is chance
        at_end = """(n) => {
          const player = lrbnPlayers.find(({meta}) => meta.title === `digit ${n}`);
          return [player.k, player.latents(0, player.k)];
        }"""
        assert page.evaluate(at_end, n) == [trace.n_visits, trace.latents(trace.n_visits).tolist()]
    expect(page.get_by_role("img", name=re.compile("digit 0"))).to_be_hidden()
    inline, displayed = page.locator(".jp-MarkdownOutput math").all()
    assert inline.evaluate("(node) => node.textContent.replace(/\\s/g, '')") == "−log⁡P(hj∣x)"
    assert displayed.get_attribute("display") == "block"
    assert all(
        node.evaluate("(node) => node.getBoundingClientRect().height > 10") for node in (inline, displayed)
    )
    expect(page.locator(".jp-MarkdownOutput em")).to_have_text("all")
    expect(page.get_by_role("radiogroup", name="Your prediction").get_by_role("radio")).to_have_count(2)
    seen.assert_clean()


def test_a_page_of_nbconvert_shows_pictures_where_no_script_runs(browser, tmp_path):
    model: Any = lrbn_viz.pretrained("lrbn-16-digits")
    player = show_trace(model.map_trace(lrbn_viz.load_dataset("digits").test_X[0]), title="a digit")
    path = converted(tmp_path / "notebook.html", saved(player))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.get_by_role("img", name=re.compile("^a digit"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"LRBN: \d+ visits, \d+ flips; at the end"))).to_be_visible()
    expect(page.get_by_text("To get it moving, run this cell")).to_be_visible()
    context.close()


@pytest.mark.slow
def test_a_notebook_that_nbconvert_exports_is_drawn_on_without_a_network(context, tmp_path):
    path = tmp_path / "notebook.ipynb"
    nbformat.write(executed(NOTEBOOK), path)
    command = [sys.executable, "-m", "nbconvert", "--to", "html", str(path)]
    preprocessor = "--HTMLExporter.preprocessors=lrbn_viz.notebook.stand_alone"
    subprocess.run([*command, preprocessor], check=True, capture_output=True)
    context.set_offline(True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(path.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_for_rest(page)
    before = pixels(page, 64)
    page.get_by_role("application", name=re.compile("^Input image")).scroll_into_view_if_needed()
    page.get_by_role("button", name="Draw", exact=True).click()
    draw(page, page)
    assert (pixels(page, 64) != before).sum() > 0
    expect(page.get_by_text(re.compile(r"two layers, \d+ pixels? changed"))).to_be_visible()
    question = page.get_by_role("radiogroup", name="Your prediction").first
    question.get_by_role("radio").last.check()
    assert faults == []


def test_the_widget_asks_no_kernel_and_what_python_sets_is_followed(page, seen, tmp_path):
    model: Any = lrbn_viz.pretrained("lrbn-16-digits")
    x = lrbn_viz.load_dataset("digits").test_X[8]
    player = show_trace(model.map_trace(x), cursor=3)
    page.goto(host(tmp_path / "notebook.html", player))
    page.wait_for_function("window.ready && window.lrbnPlayers?.length === 1")
    wait_for_rest(page)
    page.get_by_label("Inference in lane 1").select_option("gibbs")
    seek(page, 10**9)
    is_shown(page, 0, model.trace(x, "gibbs", init="conditional", random_state=0))
    page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].truth")
    assert page.evaluate("models[0].sent") == []
    page.get_by_role("button", name="Draw", exact=True).click()
    draw(page, page)
    page.wait_for_function("models[0].get('drawing')")
    told = page.evaluate("models[0].saved.at(-1)")
    player.set_state({name: told[name] for name in ("cursor", "drawing", "end")})
    np.testing.assert_array_equal(player.drawing, pixels(page, 64))
    assert player.end == page.evaluate("lrbnPlayers[0].clock.end")
    page.evaluate("models[0].set('cursor', 5)")
    assert page.evaluate("lrbnPlayers[0].k") == 5
    page.evaluate(
        "models[0].set('drawing', ''); models[0].set('turn', models[0].get('turn') + 1)"
    )  # as the trace arrives that Python shows
    page.wait_for_function(
        "document.querySelector('[aria-label=\"Inference in lane 1\"]').value === 'recorded'"
    )
    seek(page, 10**9)
    is_shown(page, 0, model.map_trace(x))
    seen.assert_clean()


def test_weights_are_in_a_widget_once_and_what_the_engine_cannot_infer_is_replayed(image):
    model: Any = lrbn_viz.pretrained("lrbn-200-mnist-flat")
    trace = model.map_trace(image)
    shown = show_trace(trace, lrbn_viz.factorised(model).map_trace(image))
    weights = 2 * 200 * 784  # bytes, in half precision
    assert weights < len(shown.models) < 1.05 * weights
    assert len(shown.engine) < 10_000
    assert show_trace(trace, live=False).engine == b""
    rng = np.random.default_rng(0)
    more: Any = {"V": rng.normal(0, 1, (6, 3)), "c": np.zeros(3)}
    network: Any = lrbn_viz.RWS.from_params(rng.normal(0, 1, (6, 3)), np.zeros(6), np.zeros(3), **more)
    x = np.array([1, 0, 1, 1, 0, 0])
    assert show_trace(network.trace(x), models=[network]).engine
    particles = network.trace(x, "particles", random_state=0)
    assert show_trace(particles, models=[network]).engine
