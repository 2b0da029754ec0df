"""Pictures of the view: sharp, named after what they show, whole files of their own."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from ui.journeys import open_page, save, seek, trace_of, wait_for_rest

from lrbn_viz import load_dataset
from lrbn_viz.app.shared.menus import BY_ITSELF

SVG = "{http://www.w3.org/2000/svg}"


def test_the_png_shows_the_view_twice_as_fine_and_is_named_after_what_it_shows(explorer, tmp_path, seen):
    from PIL import Image

    seek(explorer, 300)
    path = save(explorer, "png", tmp_path)
    assert path.name == "mnist-subset-test-image-0-visit-300.png"
    picture = Image.open(io.BytesIO(path.read_bytes())).convert("RGB")
    width, image, curve, colours = explorer.evaluate(
        """() => {
          const player = window.lrbnPlayers[0], inner = player.inner.getBoundingClientRect();
          const place = (node) => {
            const {left, top, width, height} = node.getBoundingClientRect();
            return [left - inner.left, top - inner.top + player.inner.scrollTop, width, height];
          };
          const {palette} = player.colours, curve = player.cards[0].curve.canvas;
          return [inner.width, place(player.input.canvas), place(curve), palette];
        }"""
    )
    assert picture.width == 2 * round(width)
    x = load_dataset("mnist5k").test_X[0].reshape(28, 28)
    left, top, size, _ = image
    ink, ground = (tuple(bytes.fromhex(colours[name][1:])) for name in ("stroke", "ground"))
    for row, column in np.ndindex(28, 28):
        at = (2 * (left + (column + 0.5) * size / 28), 2 * (top + (row + 0.5) * size / 28))
        shown = picture.getpixel((int(at[0]), int(at[1])))
        assert shown == (ink if x[row, column] else ground), (row, column)
    # the curve is drawn anew, in lines as sharp as the picture: its own colour in full, not a blur
    left, top, wide, high = (int(2 * value) for value in curve)
    part = np.asarray(picture)[top : top + high, left : left + wide].reshape(-1, 3)
    accent = np.array(list(bytes.fromhex(colours["lanes"][0][1:])))
    assert (np.abs(part.astype(int) - accent).max(axis=1) == 0).sum() > 400
    seen.assert_clean()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_the_svg_holds_lines_letters_and_pixel_maps_and_asks_no_one(explorer, tmp_path, seen, scheme):
    if scheme == "dark":
        explorer.get_by_label("Toggle theme").click()
        explorer.wait_for_function("() => window.lrbnPlayers[0].root.dataset.scheme === 'dark'")
    seek(explorer, 300)
    path = save(explorer, "svg", tmp_path)
    assert path.name == "mnist-subset-test-image-0-visit-300.svg"
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    texts = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    trace = trace_of(index=0)
    for words in (
        "LRBN",
        "RBM",
        "Reconstruction",
        f"{trace.wrong_pixels()[300]} px wrong",
        f"Why {'did' if trace.flipped[299] else 'does'} unit {trace.unit[299]} "
        f"{'turn' if trace.flipped[299] else 'stay'} {'on' if trace.after[299] else 'off'}?",
        "threshold",
        "others",
        "Changes compared with",
        "its own last visit",
        "3, MNIST subset, test image 0",
        "by number",
    ):
        assert words in texts, words
    title = root.findtext(f"{SVG}title") or ""
    for words in (
        "MNIST subset, test image 0",
        "Visit 300 of",
        "LRBN: LRBN-200, flat prior, ICM, units in order",
    ):
        assert words in title
    # curves and bars are shapes; only pixel maps are images, each of its own pixels, held in the file
    assert len(list(root.iter(f"{SVG}rect"))) > 250
    boxes = sum((node.get("d") or "").count("M") for node in root.iter(f"{SVG}path"))
    assert boxes > 400, "the units of both lanes, those off in one path and those on in another"
    assert len(list(root.iter(f"{SVG}path"))) > 10
    images = list(root.iter(f"{SVG}image"))
    assert len(images) > 400, "the filters of both models among them"
    for node in images:
        address = node.get("{http://www.w3.org/1999/xlink}href") or ""
        assert address.startswith("data:image/png;base64,")
    small = [node for node in images if "pixelated" in (node.get("style") or "")]
    first = base64.b64decode((small[0].get("{http://www.w3.org/1999/xlink}href") or "").split(",")[1])
    assert int.from_bytes(first[16:20], "big") == 28, "28 pixels across, however large it is shown"
    assert not list(root.iter(f"{SVG}foreignObject"))
    page_colour = explorer.evaluate("() => window.lrbnPlayers[0].colours.palette.page")
    assert next(root.iter(f"{SVG}rect")).get("fill") == page_colour
    # a browser draws it, alone
    page = explorer.context.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("() => document.querySelectorAll('text').length") == len(texts)
    seen.assert_clean()


@pytest.mark.slow
def test_a_hidden_panel_is_in_no_picture_and_the_key_saves_one(page, serve_app, tmp_path):
    open_page(page, serve_app.url + "?hide=mosaic.matrix.truth&algorithm=gibbs&visit=50")
    page.locator("body").click(position={"x": 700, "y": 8})
    with page.expect_download() as download:
        page.keyboard.press("s")
    assert download.value.suggested_filename == "mnist-subset-test-image-0-visit-50.png"
    text = save(page, "svg", tmp_path).read_text(encoding="utf-8")
    assert ">Gibbs sampling<" in text
    assert ">Units over sweeps<" in text
    for title in ("Filters", "Explain-away matrix", "The exact posterior"):
        assert f">{title}<" not in text


@pytest.mark.parametrize("half", [0, 1])
def test_each_card_is_saved_alone_by_buttons_in_its_corner(explorer, tmp_path, seen, half: int):
    """Half of the cards on each page: a browser drops the eleventh download of a frame within ten seconds."""
    from PIL import Image

    seek(explorer, 300)
    widths = explorer.evaluate(
        """() => Object.fromEntries(Object.entries(window.lrbnPlayers[0].presenter.nodes)
          .filter(([name]) => window.lrbnPlayers[0].shows(name))
          .map(([name, node]) => [name, node.offsetWidth]))"""
    )
    margin = explorer.evaluate("() => parseFloat(getComputedStyle(window.lrbnPlayers[0].inner).paddingTop)")
    assert len(widths) > 5
    assert {"image", "lane1", "lane2", "why"} <= set(widths)
    for name, width in list(widths.items())[half::2]:
        card = explorer.evaluate_handle(
            "name => window.lrbnPlayers[0].presenter.nodes[name]", name
        ).as_element()
        button = card.query_selector(".lv-save-card button:first-child")
        card.scroll_into_view_if_needed()
        button.focus()
        with explorer.expect_download() as download:
            explorer.keyboard.press("Enter")
        assert download.value.suggested_filename == f"mnist-subset-test-image-0-visit-300-{name}.png"
        picture = Image.open(io.BytesIO(download.value.path().read_bytes()))
        assert abs(picture.width - 2 * (width + 2 * margin)) <= 2, name
    why = explorer.evaluate_handle("() => window.lrbnPlayers[0].presenter.nodes.why").as_element()
    why.query_selector(".lv-save-card button:last-child").focus()
    with explorer.expect_download() as download:
        explorer.keyboard.press("Enter")
    text = download.value.path().read_text(encoding="utf-8")
    for words in ("Changes compared with", "MNIST subset, test image 0"):
        assert words in text
    for words in (">Filters<", ">Reconstruction<", ">PNG<"):
        assert words not in text
    seen.assert_clean()


def test_the_picture_of_a_card_calls_models_as_their_lanes_do(explorer):
    explorer.get_by_role("combobox", name="Model in lane 2", exact=True).select_option(BY_ITSELF)
    explorer.wait_for_function(
        "words => window.lrbnPlayers[0].lanes[1].meta.model_title.startsWith(words)", arg=BY_ITSELF
    )
    button = explorer.get_by_role("button", name=re.compile("^Save .* as SVG$")).first
    button.focus()
    with explorer.expect_download() as download:
        explorer.keyboard.press("Enter")
    title = ET.fromstring(download.value.path().read_text(encoding="utf-8")).findtext(f"{SVG}title") or ""
    lanes = explorer.evaluate(
        """() => window.lrbnPlayers[0].cards.slice(0, 2)
          .map(({title, subtitle}) => [title.textContent, subtitle.textContent])"""
    )
    assert lanes[1][1].startswith(f"{BY_ITSELF} (LRBN-200, flat prior), ")
    assert "; ".join(f"{name}: {how}" for name, how in lanes) in title


@pytest.mark.parametrize(
    "name",
    [
        "inference",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("train", "generate", "compare", "lessons")),
    ],
)
def test_a_page_is_printed_whole_on_a4_without_its_buttons_and_no_card_is_cut(page, serve_app, name, seen):
    page.goto(serve_app.flat if name == "inference" else f"{serve_app.url}?page={name}")
    page.locator(".lv-in").first.wait_for()
    if name == "inference":
        wait_for_rest(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 within Chromium's margins
    clipped = page.evaluate(
        """() => {
          const lists = ["lrbnPlayers", "lrbnBoards", "lrbnGenerators", "lrbnComparisons", "lrbnLessons"];
          const {root} = lists.flatMap((list) => window[list] ?? []).find(({root}) => root.offsetWidth);
          const found = [];
          const above = ({parentNode}) => (parentNode instanceof ShadowRoot ? parentNode.host : parentNode);
          for (let node = root; node !== document; node = above(node)) {
            if (getComputedStyle(node).overflowY !== "visible") found.push(node.className || node.tagName);
          }
          return found;
        }"""
    )
    assert clipped == []
    for hidden in ("banner", "navigation"):
        assert page.get_by_role(hidden).locator("visible=true").count() == 0
    assert page.locator(".lv-transport, .lv-in .lv-btn").locator("visible=true").count() == 0
    for card in page.locator(".lv-in .lv-card").locator("visible=true").all():
        box = card.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 718
        if name == "inference":
            assert box["height"] <= 1047
    margins = dict.fromkeys(("top", "bottom", "left", "right"), "10mm")
    pages = page.pdf(format="A4", print_background=True, margin=margins).count(b"/Type /Page\n")
    assert pages >= (3 if name == "inference" else 1)
    seen.assert_clean()
