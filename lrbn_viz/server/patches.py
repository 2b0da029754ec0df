"""What the server replaces of other packages: the only module that assigns to a part of one.

`PATCHES` lists each replacement with the issue that reports its fault upstream. The replacements themselves
stand in the modules that they belong to; everything else uses public interfaces (`application`). Tests show
for each that its fault is still there: ``tests/app/test_patches.py``.
"""

from __future__ import annotations

import functools
import inspect
import pkgutil
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

from lrbn_viz.server.application import ServedApplication
from lrbn_viz.server.traffic.head import own_files_alone
from lrbn_viz.server.traffic.sending import all_that_waits


class Patch(NamedTuple):
    """Replacement of a function or class of another package.

    Attributes
    ----------
    place : str
        Module or class that has it.
    name : str
        Its name there.
    parameters : tuple of str
        Parameters of the original that the replacement relies on.
    others : tuple of str
        Further names of the place that it relies on.
    replace : callable
        Returns the replacement; takes the original, and its place.
    tested : str
        Version of the package that it was tested with.
    issue : str
        Address of the upstream issue.
    says : str
        What that issue asks for, and its state.
    why : str
        Reason for the replacement, as a sentence.
    report : str
        Text for a report of what a closed issue leaves, which nobody has made yet; empty where it is open.
    """

    place: str
    name: str
    parameters: tuple[str, ...]
    others: tuple[str, ...]
    replace: Callable[[Any, Any], Any]
    tested: str
    issue: str
    says: str
    why: str
    report: str = ""

    @property
    def package(self) -> str:
        """Name of the package whose part is replaced."""
        return self.place.partition(".")[0]

    def row(self) -> str:
        """Return the patch as a row of the table in the documentation: what, why, and the issue."""
        link = f"[{self.package} {self.issue.rpartition('/')[2]}]({self.issue})"
        return f"| `{self.place}.{self.name}` | {self.why} | {link}: {self.says} |"


PATCHES = (
    Patch(
        place="bokeh.server.server",
        name="BokehTornado",
        parameters=(
            "applications", "exclude_cookies", "exclude_headers", "include_cookies", "include_headers",
            "keep_alive_milliseconds", "secret_key", "sign_sessions", "kwargs",
        ),
        others=("Server",),
        replace=lambda original, place: ServedApplication,
        tested="3.9.2",
        issue="https://github.com/bokeh/bokeh/issues/9416",
        says="headers of all answers can be set; open",
        why=(
            "Every request passes the gate, and every answer has security headers and is counted. A plug-in "
            "of panel serve can only add addresses."
        ),
    ),
    Patch(
        place="panel.io.document",
        name="_dispatch_msgs",
        parameters=("doc",),
        others=("_WRITE_MSGS", "_WRITE_BLOCK", "_dispatch_write_task"),
        replace=all_that_waits,
        tested="1.9.4",
        issue="https://github.com/holoviz/panel/issues/6603",
        says="the last change is not shown; closed, and this cause remains",
        why="What changes while a page is sent to is sent then, and not with the page's next change.",
        report=(
            "While `_dispatch_msgs` waits for its messages to be written, the document changes, and the "
            "socket's `write_lock` is taken. A second `_dispatch_msgs` keeps the new message and begins a "
            "third after 10 ms. Meanwhile the first ends and deletes the document's entry of `_WRITE_BLOCK`; "
            "so the third returns at once, and the message waits for the next change of the document. The "
            "entry may be deleted only if `_WRITE_MSGS` has no message of the document."
        ),
    ),
    Patch(
        place="panel.io.resources.Resources",
        name="extra_resources",
        parameters=("self", "resources", "resource_type"),
        others=(),
        replace=lambda original, place: own_files_alone(original),
        tested="1.9.4",
        issue="https://github.com/holoviz/panel/issues/4559",
        says="pages load files that they do not use; closed for scripts, and styles remain",
        why="A page that lists its own files is made without looking for those of all components.",
        report=(
            "`Resources` goes through all subclasses of `ReactiveCustomBase` for each page, also for those "
            "that the page does not show, and for pages whose template lists their own files. With "
            "panel-material-ui that is a third of the time in which a page is made. The files of a class "
            "could be kept, or be those of the document's models alone."
        ),
    ),
)  # fmt: skip
"""All replacements."""


class PatchError(RuntimeError):
    """Error of a package that has no such part to replace."""


@functools.cache
def apply_patches() -> None:
    """Make all replacements, once; none if one of them cannot be made.

    Raises
    ------
    PatchError
        A package has another version, without a part or with another form of it.
    """
    found = [(patch, *_find(patch)) for patch in PATCHES]
    for patch, place, original in found:
        setattr(place, patch.name, patch.replace(original, place))


def _find(patch: Patch) -> tuple[Any, Any]:
    """Return the place of what is replaced, and the original; raise `PatchError` if it is not as expected."""
    try:
        place = pkgutil.resolve_name(patch.place)
        original = getattr(place, patch.name)
        for other in patch.others:
            getattr(place, other)
        takes = inspect.signature(original).parameters
    except (ImportError, AttributeError, TypeError, ValueError):
        takes = None
    if takes is None or not all(each in takes for each in patch.parameters):
        raise PatchError(
            f"{patch.package} {version(patch.package)} has no {patch.place}.{patch.name} with the parameters "
            f"{', '.join(patch.parameters)}, which the server replaces; it was tested with {patch.package} "
            f"{patch.tested}. Install that version, or serve this machine alone, without lrbn_viz.server."
        )
    return place, original
