"""What a session hides is out of the page, files say what they hold, and units' usage is counted right."""

from __future__ import annotations

import numpy as np
import pytest

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.app.inference.panels.export import ExportPanel
from lrbn_viz.app.inference.panels.gallery import GalleryPanel
from lrbn_viz.app.inference.panels.views import ViewsPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.view.player.export import LIMIT, data_size
from lrbn_viz.view.player.panels import PANELS
from lrbn_viz.view.player.usage import IMAGES, count_usage
from lrbn_viz.view.player.wire import unpack


@pytest.fixture
def session() -> Session:
    return Session(
        dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits", index=5, cursor=9
    )


def test_the_usage_of_a_unit_is_the_share_of_images_whose_map_state_has_it_on():
    models = {name: pretrained(name) for name in ("lrbn-12-digits", "rbm-12-digits")}
    X = load_dataset("digits").test_X
    meta, arrays = unpack(count_usage(models, X))
    assert meta["models"] == list(models)
    assert meta["images"] == min(IMAGES, len(X))
    for position, found in enumerate(models.values()):
        share = found.transform(X[:IMAGES], method="states").mean(axis=0)
        np.testing.assert_allclose(arrays[str(position)], share, atol=1e-7)
        assert 0 < share.max() <= 1
    few, _ = unpack(count_usage(models, X[:7]))
    assert few["images"] == 7


def test_what_a_session_hides_is_out_of_the_page_and_comes_back(session):
    gallery = GalleryPanel(session)
    export, views = ExportPanel(session), ViewsPanel(session, "hide")
    parts = {
        "gallery": [gallery.gallery],
        "export": [export.downloads],
        "view": [views.menu],
    }
    assert set(parts) <= set(CONTROLS)
    for name in parts:
        session.hide(name)
        for other, members in parts.items():
            assert all(part.visible == (other != name) for part in members), (name, other)
    session.hide("")
    assert all(part.visible for members in parts.values() for part in members)


def test_a_view_that_is_made_while_something_is_hidden_is_made_without_it(session):
    session.hide("gallery")
    assert not GalleryPanel(session).gallery.visible
    assert ExportPanel(session).downloads.visible


def test_the_menu_of_panels_follows_the_session_and_the_session_the_menu(session):
    menu = ViewsPanel(session, "hide").menu
    assert [name for name, _ in menu.panels] == list(PANELS)
    assert [name for name, _ in menu.tools] == list(CONTROLS)
    session.hide("seed.matrix")
    assert menu.hidden == "matrix.seed"
    menu.hidden = "why.seed"  # as the browser's ticks arrive
    assert session.hidden == "why.seed"
    menu.hidden = "why.kitchen"  # as no browser of ours says
    assert session.hidden == "why.seed"


def test_a_view_without_anything_to_show_cannot_be_made(session):
    with pytest.raises(TypeError, match="abstract"):
        SessionView(session)  # pyright: ignore[reportAbstractUsage]


def test_files_are_named_after_what_they_hold(session):
    panel = ExportPanel(session)
    assert panel.replay().name == "8x8-digits-test-image-5-visit-9.html"
    assert panel.trace().name == "8x8-digits-test-image-5-trace.npz"
    session.draw("A" * 11)
    assert panel.trace().name == f"8x8-digits-test-image-5-{session.pixels_changed}-pixels-changed-trace.npz"


def test_a_file_asked_for_twice_is_sent_twice_and_an_unknown_one_never(session):
    downloads = ExportPanel(session).downloads
    sent = []
    downloads.param.watch(lambda event: sent.append(unpack(event.new)), "made")
    for name in ("trace", "trace", "kitchen", None, 3):
        downloads._handle_msg({"type": "make", "name": name})
    downloads._handle_msg("trace")
    assert [meta["name"] for meta, _ in sent] == ["8x8-digits-test-image-5-trace.npz"] * 2
    first, second = (arrays["content"].tobytes() for _, arrays in sent)
    assert first == second == ExportPanel(session).trace().content


@pytest.mark.parametrize("algorithm", ["icm", "annealed"])
def test_a_page_is_small_however_many_units_were_ever_on(algorithm):
    session = Session(algorithm=algorithm, start="random", unit_order="usage")
    page = ExportPanel(session).replay().content
    assert data_size(page.decode()) <= LIMIT
