"""Published files: taken from a folder or downloaded, and never accepted unless whole."""

import dataclasses
import gzip
import hashlib
import http.server
import os
import re
import shutil
import socket
import sys
import threading
import zlib
from pathlib import Path

import numpy as np
import pooch
import pytest

from lrbn_viz.datasets import DATA_VARIABLE, DATASETS, DataFileError, at_hand, decode, load_dataset
from lrbn_viz.datasets.files import MNIST, MNIST5K, PublishedFile, locate, packed, read_checked

FILES = {name: info.files for name, info in DATASETS.items() if info.files}
NAMED_FOLDER = os.environ.get(DATA_VARIABLE)  # before any test changes it
CONTENT = np.random.default_rng(3).integers(0, 256, 50_000, dtype=np.uint8).tobytes()
TEXT = b"".join(b"%d\tletter\n" % row for row in range(9_000))


@pytest.fixture
def published():
    """The folder of the real published files; the test is skipped where there is none."""
    folder = (
        Path(NAMED_FOLDER) if NAMED_FOLDER else Path(__file__).parents[2] / "shared" / "data" / "original"
    )
    if not folder.is_dir():
        pytest.skip(f"no folder of published data files: set {DATA_VARIABLE}")
    return folder


@pytest.fixture
def no_variable(monkeypatch):
    """The data folder variable unset, and no proxy between a test and its own server."""
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


class Server:
    """A local server: `files` maps a name to its bytes, `promised` to a longer length it claims to send."""

    def __init__(self):
        server = self
        self.files: dict[str, bytes] = {}
        self.promised: dict[str, int] = {}
        self.requests: list[str] = []
        self.watched: Path | None = None
        self.seen: list[list[str]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.requests.append(self.path)
                name = self.path.rsplit("/", 1)[1]
                if self.path.startswith("/broken/") or name not in server.files:
                    self.send_error(404)
                    return
                content = server.files[name]
                self.send_response(200)
                self.send_header("Content-Length", str(server.promised.get(name, len(content))))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2])
                if server.watched is not None:
                    server.seen.append(sorted(path.name for path in server.watched.iterdir()))
                self.wfile.write(content[len(content) // 2 :])

            def log_message(self, format, *args):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}/"


@pytest.fixture
def server(no_variable):
    """A running `Server`."""
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


def described(name: str, content: bytes, *addresses: str, unpacked: bool = False) -> PublishedFile:
    return PublishedFile(
        name, len(content), hashlib.sha256(content).hexdigest(), tuple(a + name for a in addresses), unpacked
    )


def assert_says_everything(error: DataFileError, file: PublishedFile, *found: str) -> None:
    message = str(error)
    for expected in (
        file.name,
        f"{file.n_bytes:,} bytes",
        f"sha256 {file.sha256}",
        f"set {DATA_VARIABLE} to a folder",
        "connect to the network",
        *file.addresses,
        *found,
    ):
        assert expected in message


def test_the_addresses_and_sums_are_those_published():
    mnist = FILES["mnist"]
    assert [file.n_bytes for file in mnist] == [9_912_422, 28_881, 1_648_877, 4_542]
    for file in mnist:
        assert file.addresses == (
            f"https://storage.googleapis.com/cvdf-datasets/mnist/{file.name}",
            f"https://ossci-datasets.s3.amazonaws.com/mnist/{file.name}",
        )
    assert FILES["caltech101_silhouettes"][0].addresses == (
        "https://people.cs.umass.edu/~marlin/data/caltech101_silhouettes_28_split1.mat",
    )
    assert FILES["ocr_letters"][0].addresses == ("http://ai.stanford.edu/~btaskar/ocr/letter.data.gz",)
    assert FILES["mnist5k"] == FILES["mnist"][:2]
    assert set(FILES) == {"mnist5k", "mnist", "caltech101_silhouettes", "ocr_letters"}


def test_real_files_have_the_sums(published):
    for file in (file for files in FILES.values() for file in files):
        content = (published / file.name).read_bytes()
        if file.sum_of_unpacked:
            content = gzip.decompress(content)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.n_bytes, file.sha256)


def test_a_download_has_its_final_name_only_when_whole_and_is_not_repeated(server, tmp_path):
    file = described("images.bin", CONTENT, server.address)
    server.files[file.name] = CONTENT
    server.watched = tmp_path
    path = locate(file, tmp_path)
    assert path == tmp_path / "images.bin"
    assert read_checked(file, path) == CONTENT
    assert len(server.seen) == 1
    assert len(server.seen[0]) == 1
    assert server.seen[0][0].endswith(".partial")
    assert [entry.name for entry in tmp_path.iterdir()] == ["images.bin"]
    locate(file, tmp_path)
    assert server.requests == ["/images.bin"]


def test_the_second_address_is_tried_when_the_first_fails_or_sends_something_else(server, tmp_path):
    file = described("images.bin", CONTENT, server.address + "broken/", server.address)
    server.files[file.name] = CONTENT
    assert read_checked(file, locate(file, tmp_path / "new" / "folder")) == CONTENT
    assert server.requests == ["/broken/images.bin", "/images.bin"]


@pytest.mark.parametrize("promised", [len(CONTENT), 7_000], ids=["connection cut", "short answer"])
def test_a_download_cut_short_leaves_nothing_and_says_everything(server, tmp_path, promised):
    file = described("images.bin", CONTENT, server.address)
    server.files[file.name] = CONTENT[:7_000]
    server.promised[file.name] = promised
    with pytest.raises(DataFileError) as caught:
        locate(file, tmp_path)
    assert_says_everything(caught.value, file, "7,000 bytes" if promised == 7_000 else "cannot be downloaded")
    assert list(tmp_path.iterdir()) == []


def test_a_download_with_a_wrong_sum_leaves_nothing_and_names_every_address(server, tmp_path):
    wrong = bytes(len(CONTENT))
    file = described("images.bin", CONTENT, server.address + "broken/", server.address)
    server.files[file.name] = wrong
    with pytest.raises(DataFileError) as caught:
        locate(file, tmp_path)
    assert_says_everything(caught.value, file, "404", hashlib.sha256(wrong).hexdigest())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", list(FILES))
def test_without_a_network_the_error_says_both_ways_to_get_the_file_in_two_lines(
    name, no_variable, tmp_path, monkeypatch
):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    files = tuple(dataclasses.replace(file, addresses=(closed + file.name,)) for file in FILES[name])
    monkeypatch.setitem(DATASETS, name, dataclasses.replace(DATASETS[name], files=files))
    with pytest.raises(DataFileError) as caught:
        load_dataset(name, data_home=tmp_path)
    first, second = str(caught.value).splitlines()
    host = closed.split("/")[2]
    assert first == f"The data file {files[0].name} is not in {tmp_path}, and {host} cannot be reached."
    held = f"set {DATA_VARIABLE} to a folder that holds {files[0].name}"
    assert all(words in second for words in ("Either connect to the network", held, *files[0].addresses))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", list(FILES))
def test_a_data_set_downloads_into_the_cache_folder_and_loads(name, server, published, tmp_path, monkeypatch):
    real = load_dataset(name, data_home=published)
    files = tuple(dataclasses.replace(f, addresses=(server.address + f.name,)) for f in FILES[name])
    monkeypatch.setitem(DATASETS, name, dataclasses.replace(DATASETS[name], files=files))
    monkeypatch.setattr("lrbn_viz.datasets.files.user_cache_path", lambda project: tmp_path / project)
    for file in files:
        server.files[file.name] = (published / file.name).read_bytes()
    data = load_dataset(name)
    assert sorted(path.name for path in (tmp_path / "lrbn_viz").iterdir()) == sorted(f.name for f in files)
    assert len(server.requests) == len(files)
    np.testing.assert_array_equal(data.train_X, real.train_X)
    np.testing.assert_array_equal(data.test_y, real.test_y)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_download_is_followed_by_a_bar_on_a_terminal_only(
    terminal, server, published, tmp_path, monkeypatch, capsys
):
    (file,) = FILES["ocr_letters"]
    file = dataclasses.replace(file, addresses=(server.address + file.name,))
    server.files[file.name] = (published / file.name).read_bytes()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    locate(file, tmp_path)
    assert ("100%|" in capsys.readouterr().err) == terminal


@pytest.mark.parametrize("name", list(FILES))
def test_a_file_missing_from_the_named_folder_is_an_error_without_any_download(name, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a download was tried")

    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "absent"))
    monkeypatch.setattr(pooch, "HTTPDownloader", refuse)
    with pytest.raises(DataFileError) as caught:
        load_dataset(name)
    assert_says_everything(caught.value, FILES[name][0], str(tmp_path / "absent"))
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("damage", ["truncated", "empty", "one byte changed"])
@pytest.mark.parametrize("name", list(FILES))
def test_a_damaged_file_in_the_named_folder_is_an_error(name, damage, published, tmp_path, monkeypatch):
    for file in FILES[name]:
        shutil.copy(published / file.name, tmp_path / file.name)
    file = FILES[name][-1]
    content = bytearray((published / file.name).read_bytes())
    if damage == "one byte changed":
        content[len(content) // 2] ^= 0x10
    else:
        del content[len(content) // 2 if damage == "truncated" else 0 :]
    (tmp_path / file.name).unlink()
    (tmp_path / file.name).write_bytes(content)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    with pytest.raises(DataFileError) as caught:
        load_dataset(name)
    assert_says_everything(caught.value, file, str(tmp_path / file.name))
    found = str(caught.value).split("Found:")[1]
    if damage == "empty":
        assert "has 0 bytes" in found
    elif not file.sum_of_unpacked:
        assert f"{len(content):,} bytes and sha256 {hashlib.sha256(content).hexdigest()}" in found


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param(name, file, marks=pytest.mark.slow if name == "mnist" else ())
        for name, files in FILES.items()
        for file in files
    ],
)
def test_no_file_of_another_sum_reaches_a_decoder(name, file, published, tmp_path, monkeypatch):
    """Decoders and the libraries that they use trust what they are given."""
    reached = []
    changed = dataclasses.replace(DATASETS[name], read=lambda *contents: reached.append(contents))
    monkeypatch.setitem(DATASETS, name, changed)
    for other in FILES[name]:
        shutil.copy(locate(other, published), tmp_path)
    path = tmp_path / file.name
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(5):
        content = bytearray(whole)
        content[int(rng.integers(len(whole)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(content)
        # One of the bits of a gzip file says the time or the system: what is in it is then as published.
        if not file.sum_of_unpacked or gzip.decompress(whole) != unpacked(bytes(content)):
            with pytest.raises(DataFileError):
                load_dataset(name, data_home=tmp_path)
    for content in (whole[:-1], whole[: len(whole) // 2], b"", b"\0" * file.n_bytes):
        path.write_bytes(content)
        with pytest.raises(DataFileError):
            load_dataset(name, data_home=tmp_path)
    assert not reached


def unpacked(content: bytes) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return b""


def test_a_far_larger_file_is_not_taken_into_memory(tmp_path):
    path = tmp_path / "table.gz"
    with open(path, "wb") as file:
        file.truncate(2**40)  # of nothing, which takes no room on the disk
    with pytest.raises(DataFileError, match=re.escape(f"{path} has {2**40:,} bytes")):
        read_checked(PACKED, path)


@pytest.mark.parametrize(
    ("what", "damage"),
    [
        ("the header", lambda content: b"MATLAB 4.0" + content[10:]),
        ("a zero in the header", lambda content: content[:2] + b"\0" + content[3:]),
        ("an element", lambda content: content[:128] + b"\x0e" + content[129:]),
        ("a length", lambda content: content[:132] + b"\xff\xff\xff\x7f" + content[136:]),
        ("compressed data", lambda content: content[:140] + b"\0\0\0\0" + content[144:]),
        ("the end", lambda content: content[:-3]),
        ("more at the end", lambda content: content + b"\0\0\0"),
        ("all of it", lambda content: b""),
    ],
)
def test_a_malformed_mat_is_refused_before_scipy_sees_it(what, damage, published, monkeypatch):
    content = locate(FILES["caltech101_silhouettes"][0], published).read_bytes()
    seen = []
    monkeypatch.setattr("scipy.io.loadmat", lambda *args: seen.append(args))
    with pytest.raises(ValueError, match=r"the MATLAB file is damaged: expected .*, got .*Download it again"):
        decode.caltech101_silhouettes(damage(content))
    assert not seen


def test_a_mat_of_other_dimensions_is_refused_before_scipy_sees_it(published, monkeypatch):
    """What crashed its reader: lengths that are not those of the dimensions, within right compressed data."""
    content = locate(FILES["caltech101_silhouettes"][0], published).read_bytes()
    n_packed = int.from_bytes(content[132:136], "little")
    raw, rest = bytearray(zlib.decompress(content[136 : 136 + n_packed])), content[136 + n_packed :]
    monkeypatch.setattr("scipy.io.loadmat", lambda *_: pytest.fail("it reached SciPy"))
    for place in (*range(0, 48, 4), *range(64, 120, 4)):  # but for the name and what pads it
        for number in (3, 6, 2**16, 2**31 - 1, 2**32 - 1):
            odd = bytearray(raw)
            odd[place : place + 4] = number.to_bytes(4, "little")
            if odd == raw:
                continue
            packed = zlib.compress(odd)
            with pytest.raises(ValueError, match="the MATLAB file is damaged: expected"):
                decode.caltech101_silhouettes(
                    content[:132] + len(packed).to_bytes(4, "little") + packed + rest
                )


def test_a_file_replaced_on_disk_is_read_again(published, tmp_path, monkeypatch):
    file = FILES["caltech101_silhouettes"][0]
    copy = tmp_path / file.name
    copy.write_bytes((published / file.name).read_bytes())
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    load_dataset("caltech101_silhouettes")
    copy.write_bytes(copy.read_bytes()[:1000])
    with pytest.raises(DataFileError, match="1,000 bytes"):
        load_dataset("caltech101_silhouettes")


PACKED = described("table.gz", TEXT, "http://127.0.0.1/", unpacked=True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("table.gz", gzip.compress(TEXT, mtime=0)),
        ("table.gz", gzip.compress(TEXT, 1, mtime=5)),
        ("table.gz", TEXT),
        ("table", TEXT),
        ("table", gzip.compress(TEXT, mtime=0)),
    ],
)
def test_a_file_summed_decompressed_may_lie_compressed_or_not(name, content, tmp_path, monkeypatch):
    (tmp_path / name).write_bytes(content)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert read_checked(PACKED, locate(PACKED)) == TEXT


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (gzip.compress(TEXT, mtime=0)[:-20], "cut short"),
        (gzip.compress(TEXT, mtime=0)[:-4], "cut short"),
        (gzip.compress(TEXT, mtime=0)[:100], "cut short"),
        (gzip.compress(TEXT, mtime=0)[:40] + b"\x00\xff" * 500, "bytes that do not decompress"),
        (gzip.compress(TEXT[:-1], mtime=0), "bytes and sha256"),
        (gzip.compress(TEXT + bytes(10**7), mtime=0), "bytes and sha256"),
        (TEXT[:-1], f"{len(TEXT) - 1:,} bytes and sha256"),
        (b"<html>moved</html>", "18 bytes and sha256"),
    ],
)
def test_a_damaged_file_summed_decompressed_is_refused_in_either_form(content, found, tmp_path):
    (tmp_path / "table.gz").write_bytes(content)
    with pytest.raises(DataFileError, match=re.escape(found)) as caught:
        read_checked(PACKED, tmp_path / "table.gz")
    assert_says_everything(caught.value, PACKED, str(tmp_path))


def test_a_server_may_send_the_decompressed_form_under_the_compressed_name(server, tmp_path):
    file = described("table.gz", TEXT, server.address, unpacked=True)
    server.files[file.name] = TEXT
    assert read_checked(file, locate(file, tmp_path)) == TEXT


def test_a_folder_that_cannot_be_made_is_named(no_variable, tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    with pytest.raises(DataFileError, match="cannot be written"):
        locate(PACKED, tmp_path / "plain" / "folder")


def test_data_home_comes_before_the_variable(published, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert load_dataset("caltech101_silhouettes", data_home=published).train_X.shape == (6364, 784)


def test_what_is_at_hand_is_known_without_a_download(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert at_hand("digits")
    there: set[str] = set()
    for name, files in FILES.items():  # mnist5k is made of the first two files of mnist
        assert at_hand(name) == (there >= {file.name for file in files})
        for file in files:
            (tmp_path / file.names[-1]).touch()
        there |= {file.name for file in files}
        assert at_hand(name)
    monkeypatch.delenv(DATA_VARIABLE)
    monkeypatch.setattr("lrbn_viz.datasets.files.user_cache_path", lambda _: tmp_path)
    assert at_hand("mnist")


@pytest.fixture
def carried(published, no_variable, tmp_path, monkeypatch):
    """An installation that carries the images of `mnist5k`, on a machine without any published file."""
    read = (read_checked(file, locate(file, published)) for file in MNIST[:2])
    folder = tmp_path / "carried"
    folder.mkdir()
    (folder / MNIST5K.name).write_bytes(gzip.compress(decode.pack_mnist5k(*read)))
    monkeypatch.setattr("lrbn_viz.datasets.files.PACKED_FOLDER", folder)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))  # empty
    return folder


def test_a_distribution_carries_the_images_that_pages_begin_with(carried, published):
    info = DATASETS["mnist5k"]
    assert at_hand("mnist5k")
    assert not info.needs_files
    assert DATASETS["mnist"].needs_files
    own, loaded = (load_dataset("mnist5k", data_home=home) for home in (None, published))
    for part in ("train_X", "train_y", "test_X", "test_y"):
        np.testing.assert_array_equal(getattr(own, part), getattr(loaded, part), strict=True)


def test_a_damaged_file_of_a_distribution_is_refused(carried):
    path = carried / MNIST5K.name
    content = bytearray(gzip.decompress(path.read_bytes()))
    content[1000] ^= 1
    path.write_bytes(gzip.compress(content))
    with pytest.raises(DataFileError, match=r"mnist5k\.gz is missing[\s\S]*Install the package again"):
        load_dataset("mnist5k")


def test_a_checkout_carries_no_images_of_others():
    assert packed(MNIST5K) is None
