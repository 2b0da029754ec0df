"""A visitor's own data: a file received piece by piece, previewed, and accepted by name. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import param

from lrbn_viz.app.shared.transfer import FileReceiver, Transfer
from lrbn_viz.app.upload.preview import Choices, Preview, preview_of
from lrbn_viz.datasets import DATASETS, Dataset, DatasetInfo, load_dataset
from lrbn_viz.datasets.own import OwnImages, decode_own, limits, make_dataset
from lrbn_viz.datasets.own.columns import ColumnsNeeded
from lrbn_viz.datasets.own.images import RefusedData, ShapeNeeded
from lrbn_viz.datasets.own.make import ink_is_dark, question_of, usual_name
from lrbn_viz.datasets.own.read import kind_of, table_text
from lrbn_viz.datasets.own.tables import ListedColumn, list_columns
from lrbn_viz.io.background import Executor
from lrbn_viz.io.storage import mib

MAX_STORED = 4
"""Largest number of a visitor's data sets; the oldest is removed. Runs store their own data."""

# One at a time for all visitors, as reading a file may take seconds and much memory.
_reader = Executor("own-data")


class OwnData:
    """A visitor's own data sets, in addition to the built-in ones."""

    def __init__(self) -> None:
        self._stored: dict[str, tuple[OwnImages, Choices, DatasetInfo]] = {}

    def add(self, images: OwnImages, choices: Choices, info: DatasetInfo) -> None:
        """Store a data set under its name; an older one of that name is replaced."""
        self._stored.pop(info.name, None)
        self._stored[info.name] = (images, replace(choices, name=info.name), info)
        while len(self._stored) > MAX_STORED:
            del self._stored[next(iter(self._stored))]

    def load(self, name: str, *, binary: bool = True) -> Dataset:
        """Return a data set by name, the visitor's own or a built-in one; binary or standardised.

        Raises
        ------
        ValueError
            There is no such data set, or it cannot be made binary with the visitor's choices.
        """
        if name not in self._stored:
            return load_dataset(name, binary=binary)
        images, choices, _ = self._stored[name]
        return make_dataset(images, **replace(choices, binary=binary).arguments())

    def datasets(self) -> Mapping[str, DatasetInfo]:
        """Return the descriptions of all offered data sets by name."""
        return {**DATASETS, **{name: info for name, (_, _, info) in self._stored.items()}}


class Look(NamedTuple):
    """Result of reading a file.

    Attributes
    ----------
    images : OwnImages or None
    preview : Preview or None
    columns : tuple of ListedColumn
        Columns of a table.
    question : str
        Question about the columns, in words.
    error : str
        Error message if the file cannot be read with these choices, but with another choice of columns.
    """

    images: OwnImages | None
    preview: Preview | None
    columns: tuple[ListedColumn, ...] = ()
    question: str = ""
    error: str = ""


class UploadState(FileReceiver):
    """Upload of one file, from which a data set is made.

    Parameters
    ----------
    own : OwnData
        Storage of accepted data sets.
    accepted : callable
        Called with the name of an accepted data set, and whether its images are binary.
    """

    stage = param.Selector(
        default="empty", objects=["empty", "receiving", "reading", "preview", "accepting"], constant=True
    )
    number = param.Integer(
        default=0,
        constant=True,
        doc="Which of the page's files it is: the page ignores answers about others.",
    )
    received = param.Integer(default=0, constant=True, doc="Bytes that are in.")
    filename = param.String(default="", constant=True)
    error = param.String(default="", constant=True, doc="Why the file or a choice is refused, in words.")
    question = param.String(
        default="", constant=True, doc="What is asked about the columns of a table, in words."
    )
    columns = param.Parameter(
        default=(), constant=True, doc="Those of a table, as `list_columns` describes them."
    )
    asks_shape = param.Boolean(
        default=False, constant=True, doc="Whether the images must be scaled to a size that is not given yet."
    )
    choices = param.ClassSelector(class_=Choices, default=Choices(), constant=True)
    preview = param.Parameter(default=None, constant=True)
    accepted = param.String(default="", constant=True, doc="Name of the data set accepted last.")

    def __init__(
        self, own: OwnData, accepted: Callable[[str, bool], None] = lambda name, binary: None
    ) -> None:
        super().__init__()
        self.own, self._accepted = own, accepted
        self._images: OwnImages | None = None
        self._read_with: tuple[Any, ...] = ()
        self._choose_next: dict[str, Any] = {}
        self._accept_next = False

    @property
    def images(self) -> OwnImages:
        """Contents of the file; only while there is a preview."""
        assert self._images is not None
        return self._images

    @property
    def limit(self) -> int:
        """Largest size of an accepted file, bytes."""
        return limits().file_bytes

    def begin(self, filename: str, size: int, number: int = 0) -> None:
        """Expect a file of `size` bytes, which replaces any earlier one."""
        self.cancel()
        self._set(accepted="", number=number)
        if not 0 <= size <= self.limit:
            self._set(
                error=f"{filename} has {mib(size)}; expected at most {mib(self.limit)}. Use fewer images, "
                "or ask the operator of the server to set LRBN_VIZ_MAX_MIB."
            )
            return
        if self._expect(filename[-200:], size):
            self._set(stage="receiving", filename=filename[-200:])
            if size == 0:
                self._read()

    def _receive(self, transfer: Transfer) -> None:
        self._set(received=transfer.received)
        if transfer.whole:
            self._read()

    def choose(self, **values: Any) -> None:
        """Change the choices; the file is read again if necessary, after the current reading."""
        if self.stage == "reading" and self._images is not None:
            self._choose_next |= values
        elif self.stage in ("preview", "empty") and self._transfer is not None:
            self._follow(values)

    def _follow(self, values: dict[str, Any]) -> None:
        choices = replace(self.choices, **values)
        if self._images is not None and self._images.columns and choices.height == 1:
            choices = replace(choices, height=0, width=0)  # the current number of columns
        self._set(choices=choices)
        if self._reading(choices) != self._read_with or self._images is None:
            self._read()
        else:
            self._look()

    def _reading(self, choices: Choices) -> tuple[Any, ...]:
        """Return the choices that decide how the file is read."""
        kind = kind_of(self.filename)
        if kind == "csv":
            return choices.labels, choices.left_out, choices.thresholds
        return (choices.image_shape if kind == "zip" else None,)

    def _read(self) -> None:
        choices, transfer, filename = self.choices, self._transfer, self.filename
        assert transfer is not None
        self._read_with = self._reading(choices)
        kind, bounds = kind_of(filename), limits()

        def work() -> Look:
            content, columns = transfer.content(), ()
            if kind != "csv":
                shape = choices.image_shape if kind == "zip" else None
                return look(decode_own(content, filename, bounds, image_shape=shape))
            with suppress(RefusedData):  # the error is reported when the file is read
                columns = list_columns(table_text(content, filename, bounds), filename, bounds)
            try:
                how = choices.of_table(columns)
                return look(decode_own(content, filename, bounds, lenient=True, **how), columns)
            except RefusedData as error:
                if not columns:
                    raise
                return Look(None, None, columns, error=str(error))

        def look(images: OwnImages, columns: tuple[ListedColumn, ...] = ()) -> Look:
            return Look(images, preview_of(images, choices), columns, _asked(images, choices))

        self._begin("reading", work)

    def _look(self) -> None:
        """Read the same images with other choices."""
        images, choices, columns = self._images, self.choices, self.columns
        assert images is not None
        self._begin(
            "reading", lambda: Look(images, preview_of(images, choices), columns, _asked(images, choices))
        )

    def _begin(self, stage: str, work: Callable[[], Any]) -> None:
        self._work = _reader.submit(work)
        self._set(stage=stage, error="", question="", asks_shape=False)

    def accept(self) -> None:
        """Make and store the data set, after the reading with the last choices."""
        images, choices = self._images, self.choices
        self._accept_next = self.stage == "reading" and images is not None
        if self.stage == "preview" and images is not None:
            self._begin("accepting", lambda: make_dataset(images, **choices.arguments()).info)

    def cancel(self) -> None:
        """Discard the file."""
        self._forget()
        self._images = None
        self._choose_next, self._accept_next = {}, False
        self._set(
            stage="empty",
            received=0,
            filename="",
            error="",
            question="",
            columns=(),
            asks_shape=False,
            choices=Choices(),
            preview=None,
        )

    @property
    def busy(self) -> bool:
        """True if `poll` has something to wait for."""
        return self._work is not None

    def _take_over(self, found: Any) -> None:
        if self.stage == "accepting":
            self._keep(found)
        else:
            self._show(found)

    def _refuse(self, words: str, error: Exception) -> None:
        """Show an error, with the last valid preview of the file if there is one."""
        self._accept_next = False
        self._images = None if isinstance(error, MemoryError) else self._images
        stage = "preview" if self._images is not None and self.preview is not None else "empty"
        asked = error.on_page if isinstance(error, ColumnsNeeded) else ""
        self._set(
            stage=stage,
            error="" if asked else words,
            question=asked,
            asks_shape=isinstance(error, ShapeNeeded),
        )
        self._choose_again()

    def _show(self, found: Look) -> None:
        """Show a preview of the file; while a question is open, the columns concerned are left out."""
        images, preview, choices = found.images, found.preview, self.choices
        self._set(columns=found.columns)
        if images is None or preview is None:
            self._refuse(found.error, ValueError(found.error))
            return
        if images.question:
            choices = _without_the_asked(choices, found.columns)
            self._read_with = self._reading(choices)
        elif choices.labels == "auto" and images.class_column in {each.number for each in found.columns}:
            choices = replace(choices, labels=str(images.class_column))
            self._read_with = self._reading(choices)
        if found.question:
            self._accept_next = False
        if self._images is None:  # the first reading: defaults from the data
            choices = replace(
                choices,
                name=choices.name or usual_name(images),
                threshold=round(preview.otsu, 2),
                invert=ink_is_dark(images),
            )
        self._images = images
        if self._choose_again():  # the result is no longer needed
            return
        self._set(stage="preview", preview=preview, choices=choices, question=found.question)
        if self._accept_next:
            self.accept()

    def _choose_again(self) -> bool:
        """Read the file again if choices changed during the reading."""
        values, self._choose_next = self._choose_next, {}
        if values:
            self._follow(values)
        return bool(values)

    def _keep(self, info: DatasetInfo) -> None:
        assert self._images is not None
        binary = self.choices.binary
        self.own.add(self._images, self.choices, info)
        self.cancel()
        self._accepted(info.name, binary)
        self._set(accepted=info.name)


def _asked(images: OwnImages, choices: Choices) -> str:
    """Return the question about a table with these choices."""
    return question_of(images, choices.threshold) if choices.binary else images.question


def _without_the_asked(choices: Choices, columns: tuple[ListedColumn, ...]) -> Choices:
    """Return choices that leave out the columns about which a question is open."""
    labels = "none" if choices.labels == "auto" else choices.labels
    given = {number for number, _ in choices.thresholds}
    words = {each.number for each in columns if each.kind == "words" and str(each.number) != labels}
    return replace(choices, labels=labels, left_out=tuple(sorted({*choices.left_out, *words} - given)))
