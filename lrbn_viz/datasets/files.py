"""The published files behind four of the data sets: their sources, and the check of their content.

A file is looked for in one folder, chosen in this order: the `data_home` argument, the folder named by the
environment variable ``LRBN_VIZ_DATA``, the user's cache folder. A missing file is downloaded into `data_home`
or the cache; ``LRBN_VIZ_DATA`` names somebody's own folder and is only read. Whatever the folder, every read
is checked by length and sha256.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from platformdirs import user_cache_path

from lrbn_viz.io.storage import write_atomic

DATA_VARIABLE = "LRBN_VIZ_DATA"
PACKED_FOLDER = Path(__file__).parent
"""Folder of the files that a distribution carries."""
_TIMEOUT_SECONDS = 30.0
_MAX_OVERHEAD = 2**20  # bytes by which a packed file may be larger than what is in it
_GZIP_MAGIC = b"\x1f\x8b"
_MNIST_ADDRESSES = (
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
)


class DataFileError(OSError):
    """A published data file is missing, cut short, altered, or cannot be downloaded."""


class _Fault(Exception):
    """A fault in some content, as a clause; becomes a DataFileError in public functions."""


@dataclass(frozen=True)
class PublishedFile:
    """One file exactly as its authors publish it.

    Attributes
    ----------
    name : file name, the same in every folder and at every address.
    n_bytes, sha256 : length and hexadecimal sum of the content that is checked.
    addresses : full download addresses, tried in this order.
    sum_of_unpacked : True if `n_bytes` and `sha256` are those of the decompressed content. Such a file may
        lie in the folder (or arrive from a server) either compressed or not, under `name` or under `name`
        without ``.gz``.
    """

    name: str
    n_bytes: int
    sha256: str
    addresses: tuple[str, ...]
    sum_of_unpacked: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """File names accepted in a data folder, the published one first."""
        return (self.name, self.name.removesuffix(".gz")) if self.sum_of_unpacked else (self.name,)


def _mnist(name: str, n_bytes: int, sha256: str) -> PublishedFile:
    return PublishedFile(name, n_bytes, sha256, tuple(folder + name for folder in _MNIST_ADDRESSES))


MNIST = (
    _mnist(
        "train-images-idx3-ubyte.gz",
        9_912_422,
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    ),
    _mnist(
        "train-labels-idx1-ubyte.gz",
        28_881,
        "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    ),
    _mnist(
        "t10k-images-idx3-ubyte.gz",
        1_648_877,
        "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    ),
    _mnist(
        "t10k-labels-idx1-ubyte.gz",
        4_542,
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    ),
)
CALTECH101_SILHOUETTES = (
    PublishedFile(
        "caltech101_silhouettes_28_split1.mat",
        872_124,
        "eb6735e8d84b1850fabc5590124aab1755e90c9fd28123585324398405e1e42a",
        ("https://people.cs.umass.edu/~marlin/data/caltech101_silhouettes_28_split1.mat",),
    ),
)
MNIST5K = PublishedFile(
    "mnist5k.gz",
    3_925_024,
    "aebc9a702d4a983e3e20b8963cd7de446d95b3a9dc06ef22b3d2dfa80b303230",
    (),
    sum_of_unpacked=True,
)
"""Of `mnist5k`, as :func:`~lrbn_viz.datasets.decode.pack_mnist5k` makes it: a distribution carries it. A
checkout does not, as no data of other people are committed.
"""
OCR_LETTERS = (
    PublishedFile(
        "letter.data.gz",
        14_557_249,
        "535363d0b7bc34246b1f8731719540f526b6807b12dda5d430d011d160bc7882",
        ("http://ai.stanford.edu/~btaskar/ocr/letter.data.gz",),
        sum_of_unpacked=True,
    ),
)


def locate(file: PublishedFile, data_home: str | os.PathLike[str] | None = None) -> Path:
    """Path of `file` in the data folder, downloaded first where that is allowed and needed.

    A file that is already there is not read here; `read_checked` does that.

    Raises
    ------
    DataFileError
        If the file is not there and is not to be, or cannot be, downloaded whole.
    """
    folder = _folder(data_home)
    found = _found(file, folder)
    if found is not None:
        return found
    if data_home is None and os.environ.get(DATA_VARIABLE):
        raise _error(file, f"it is not in {folder}, the folder that {DATA_VARIABLE} names")
    return _download(file, folder)


def packed(file: PublishedFile | None) -> Path | None:
    """Return the path of a file that this installation carries in the place of published files; None if it
    does not.
    """
    return None if file is None else _found(file, PACKED_FOLDER)


def at_hand(files: tuple[PublishedFile, ...]) -> bool:
    """Return whether no file needs a download."""
    return all(_found(file, _folder(None)) is not None for file in files)


def _folder(data_home: str | os.PathLike[str] | None) -> Path:
    """Folder of the published files."""
    if data_home is not None:
        return Path(data_home)
    own_folder = os.environ.get(DATA_VARIABLE)
    if own_folder:
        return Path(own_folder)
    return user_cache_path("lrbn_viz")


def _found(file: PublishedFile, folder: Path) -> Path | None:
    """Path of the file in a folder, if it is there."""
    return next((folder / name for name in file.names if (folder / name).is_file()), None)


def read_checked(file: PublishedFile, path: Path) -> bytes:
    """Content of the file at `path`, whole as published; decompressed if its name ends in ``.gz``.

    Raises
    ------
    DataFileError
        If the length or the sum is not the published one, or the file cannot be read.
    """
    try:
        n_bytes = path.stat().st_size
        if n_bytes > file.n_bytes + _MAX_OVERHEAD:  # before it is in memory
            raise _error(file, f"{path} has {n_bytes:,} bytes")
        content = path.read_bytes()
    except DataFileError:
        raise
    except OSError as problem:
        raise _error(file, f"{path} cannot be read: {problem}") from problem
    try:
        return _checked(file, content, str(path))
    except _Fault as fault:
        raise _error(file, str(fault)) from fault


def _checked(file: PublishedFile, content: bytes, source: str) -> bytes:
    """The decompressed content if `content` is the published file, a fault that names `source` otherwise."""
    if not file.sum_of_unpacked:
        _compare(file, content, source)  # before decompressing: nothing unknown is handed to zlib
        return gzip.decompress(content) if file.name.endswith(".gz") else content
    if content.startswith(_GZIP_MAGIC):
        # max_length bounds what a wrong file can make us allocate; one more byte than expected shows that it
        # is wrong.
        unpacker = zlib.decompressobj(wbits=31)
        try:
            unpacked = unpacker.decompress(content, file.n_bytes + 1)
        except zlib.error as problem:
            raise _Fault(
                f"{source} has {len(content):,} bytes that do not decompress ({problem})"
            ) from problem
        if not unpacker.eof and len(unpacked) <= file.n_bytes:
            raise _Fault(
                f"{source} is cut short: its {len(content):,} bytes end inside the compressed data, "
                f"after {len(unpacked):,} bytes of content"
            )
        content = unpacked
    _compare(file, content, source)
    return content


def _compare(file: PublishedFile, content: bytes, source: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if len(content) != file.n_bytes or found != file.sha256:
        raise _Fault(f"{source} has {len(content):,} bytes and sha256 {found}")


def _download(file: PublishedFile, folder: Path) -> Path:
    """Download `file` into `folder`; its final name appears only once the content is whole and checked."""
    import pooch  # 0.1 s to import, so only where it is needed

    problems: list[str] = []
    silent: list[str] = []
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    fetch = pooch.HTTPDownloader(timeout=_TIMEOUT_SECONDS, progressbar=on_terminal)

    def store(part: BinaryIO) -> None:
        for address in file.addresses:
            part.truncate(part.seek(0))  # without what another address has sent
            try:
                fetch(address, part, None)
                part.seek(0)
                _checked(file, part.read(), address)
            except _Fault as fault:
                problems.append(f"what came from {fault}")
            except Exception as problem:  # requests, urllib3 and ssl share no base class below Exception
                if not part.tell() and getattr(problem, "response", None) is None:
                    silent.append(urlsplit(address).netloc)
                problems.append(f"{address} cannot be downloaded: {type(problem).__name__}: {problem}")
            else:
                return
        if len(silent) == len(file.addresses):
            raise DataFileError(
                f"The data file {file.name} is not in {folder}, and {' and '.join(silent)} cannot be "
                f"reached.\nEither connect to the network, or set {DATA_VARIABLE} to a folder that holds "
                f"{' or '.join(file.names)}, as found at {' or '.join(file.addresses)}."
            )
        raise _error(file, f"it is not in {folder}, and " + "; ".join(problems))

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / file.name, store)
    except DataFileError:
        raise
    except OSError as problem:
        raise _error(file, f"the download folder {folder} cannot be written: {problem}") from problem
    return folder / file.name


def _error(file: PublishedFile, found: str) -> DataFileError:
    """One message for every way a file can be wrong: name, expected, found, and both ways to get it."""
    unpacked = " once decompressed" if file.sum_of_unpacked else ""
    fault = (
        f"The data file {file.name} is missing or damaged.\n"
        f"Expected: {file.n_bytes:,} bytes{unpacked}, sha256 {file.sha256}.\n"
        f"Found: {found}.\n"
    )
    if not file.addresses:
        return DataFileError(f"{fault}Install the package again, which carries this file.")
    return DataFileError(
        f"{fault}Do one of these: (1) set {DATA_VARIABLE} to a folder that holds a whole "
        f"{' or '.join(file.names)}; (2) connect to the network, remove any damaged copy and leave "
        f"{DATA_VARIABLE} unset, and the file is downloaded from {' or '.join(file.addresses)}."
    )
