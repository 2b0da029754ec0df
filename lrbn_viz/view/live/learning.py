"""What a page needs that trains models itself: the script of its worker, and the kernels that this calls."""

from __future__ import annotations

from typing import NamedTuple

from lrbn_viz.browser.module import module
from lrbn_viz.view.player.source import module_text


class LearningCode(NamedTuple):
    """Code of a page that learns.

    Attributes
    ----------
    script : str
        JavaScript of a worker, which takes and sends the messages that ``browser/js/learner.js`` describes.
    kernels : bytes
        The WebAssembly module that the first message hands to it.
    """

    script: str
    kernels: bytes


def learning_code() -> LearningCode:
    """Return the code of a page that learns.

    Raises
    ------
    BundleError
        The bundle of the worker is missing.
    """
    return LearningCode(module_text("browser/js/training_worker.js"), module("learning"))
