"""Arrays that steps of training and inference reuse."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Workspace(threading.local):
    """Arrays by name that each step reuses; each thread has its own.

    Otherwise each step of 100 images and five particles would allocate about 3 MB, which the system clears.
    """

    def __init__(self) -> None:
        self._room: dict[str, NDArray[Any]] = {}
        self._above: Workspace | None = None

    @property
    def above(self) -> Workspace:
        """Arrays of the next layer up, by the same names."""
        if self._above is None:
            self._above = Workspace()
        return self._above

    def array(self, name: str, *shape: int, dtype: type = np.float32) -> NDArray[Any]:
        """Return an uninitialised array, in the memory of the last array of this name if that fits."""
        size = math.prod(shape)
        room = self._room.get(name)
        if room is None or room.size < size:
            room = self._room[name] = np.empty(size, dtype)
        return room[:size].reshape(shape)

    def __deepcopy__(self, memo: dict[int, Any]) -> Workspace:
        return Workspace()

    def __reduce__(self) -> tuple[type[Workspace], tuple[()]]:
        return Workspace, ()


def layer_workspaces(work: Workspace, n_layers: int) -> list[Workspace]:
    """Return the workspace of each layer, the lowest first."""
    found = [work]
    while len(found) < n_layers:
        found.append(found[-1].above)
    return found
