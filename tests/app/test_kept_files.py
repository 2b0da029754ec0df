"""Files that a browser keeps: who may ask for them, what is answered, and what where none are kept."""

from __future__ import annotations

import gzip
import http.client
import time
from collections.abc import Iterator
from typing import Any

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.server.server import Server
from panel.io.state import set_curdoc

from lrbn_viz.app import host as hosts
from lrbn_viz.app.inference.component import ImageGallery
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.weights import models_block, refer, referred
from lrbn_viz.server.traffic import files
from lrbn_viz.server.traffic.files import KeptFiles, PackedPages, kept_address
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.wire import unpack

SCRIPT = b"export default 1;\n" * 200


@pytest.fixture(scope="module", params=["", "team/a"])
def server(request) -> Iterator[Server]:
    """A page that keeps a script and says where, on a thread of this process; also below a prefix."""

    def page():
        return pn.pane.Str(str(kept_address(SCRIPT, "script.js", "text/javascript")))

    name = f"test-kept-{request.param}"
    thread = pn.serve(
        {"explorer": page},
        port=0,
        address="127.0.0.1",
        threaded=True,
        show=False,
        verbose=False,
        server_id=name,
        prefix=request.param,
        extra_patterns=files.ROUTES,
    )
    deadline = time.monotonic() + 60
    while name not in pn.state._servers and time.monotonic() < deadline:
        time.sleep(0.05)
    server = pn.state._servers[name][0]
    server._tornado.add_transform(PackedPages)
    yield server
    thread.stop()


def ask(
    server: Server, path: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port or 0, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer, answer.read()


def test_a_server_answers_for_what_its_page_keeps_packed_and_for_ever(server):
    # Inside: On a server for many visitors, libraries, the components' scripts and the shipped models have
    # addresses that contain a hash of their content: they are compressed, sent once, and cached by the
    # browser.
    page = f"{server.prefix}/explorer"
    assert ask(server, page)[0].status == 200
    address = f"{server.prefix}/{files.KEPT.keep(SCRIPT, 'script.js', 'text/javascript')}"
    answer, content = ask(server, address, **{"Accept-Encoding": "gzip, br"})
    assert answer.status == 200
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(content) == SCRIPT
    assert len(content) < len(SCRIPT) / 10
    assert answer.headers["Content-Type"] == "text/javascript"
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Vary"] == "Accept-Encoding"
    # who cannot unpack it gets it as it is
    answer, content = ask(server, address)
    assert (answer.headers["Content-Encoding"], content) == (None, SCRIPT)
    # a page that lost its connection asks only whether somebody is there
    answer, content = ask(server, address, "HEAD", **{"Accept-Encoding": "gzip"})
    assert (answer.status, content) == (200, b"")
    # what is not kept is not there, and nothing else is reached by such an address
    for other in (f"{files.PLACE}/{'0' * 32}/script.js", f"{files.PLACE}/../../etc/passwd", files.PLACE):
        assert ask(server, f"{server.prefix}/{other}")[0].status == 404
    # pages are packed too, and still made anew each time
    answer, content = ask(server, page, **{"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Cache-Control"] == "no-store"
    assert b"<html" in gzip.decompress(content)


def test_a_large_file_of_the_server_s_own_travels_whole_and_as_it_is(server):
    """Tornado sends it in chunks: none of them may be packed if the first is not."""
    answer, content = ask(server, f"{server.prefix}/static/js/bokeh.min.js", **{"Accept-Encoding": "gzip"})
    assert answer.status == 200
    assert answer.getheader("Content-Encoding") is None
    assert len(content) == int(answer.getheader("Content-Length") or 0) > 2**16


def test_equal_contents_have_one_address_and_others_another():
    kept = KeptFiles()
    first = kept.keep(b"a", "a.js", "text/javascript")
    assert kept.keep(b"a", "a.js", "text/javascript") == first
    assert kept.keep(b"b", "a.js", "text/javascript") != first


def test_without_a_server_the_script_itself_is_sent():
    document = Document()
    with set_curdoc(document):
        gallery = ImageGallery(on_choose=lambda row: None, on_class=lambda label: None, on_more=lambda: None)
        model: Any = gallery.get_root(document)
    assert kept_address(b"", "a", "b") is None
    assert (model.bundle, model.esm) == (None, ImageGallery._esm)


def test_only_shipped_models_are_sent_as_files(monkeypatch):
    session = Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
    shape = session.dataset.image_shape
    models = dict(session.models)
    whole = pack_models(models, shape)
    assert models_block(models, shape) == whole  # no server
    keeping = hosts.Host()
    monkeypatch.setattr(keeping, "kept_address", lambda block, name, kind: f"./{name}")
    monkeypatch.setattr(hosts, "_current", [keeping])
    sent = models_block(models, shape)
    assert referred(sent) == ["./lrbn-12-digits.bin", "./rbm-12-digits.bin"]
    own = {f"live:run {name}": model for name, model in models.items()}
    assert referred(models_block(own, shape)) == []
    assert [one["key"] for one in unpack(models_block(own, shape))[0]["models"]] == list(own)


def test_addresses_travel_in_the_place_of_blocks():
    assert referred(refer(["./a", "../b"])) == ["./a", "../b"]
    assert referred(b"LRB1 a block") == []
    assert referred("a text") == []
