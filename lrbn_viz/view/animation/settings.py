"""Appearance and speed of an animation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lrbn_viz.io.theme import DARK, LIGHT

Progress = Callable[[int, int], object]
"""Callback for progress, with the number of drawn frames and the total number of frames."""

SIZES: Mapping[str, tuple[int, int]] = {"small": (640, 360), "medium": (960, 540), "large": (1280, 720)}
"""Pixels across and down, all of the shape of a slide."""
MIN_SIDE, MAX_SIDE = 160, 3840
MAX_FRAMES = 2000
THEMES: Mapping[str, Mapping[str, Any]] = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class Settings:
    """Settings of an animation.

    Attributes
    ----------
    size : tuple of int or str
        Pixels across and down, or a name of `SIZES`; an odd number is made even, as videos need it.
    frames_per_second : float
        From 0.5 to 60.
    n_frames : int
        Frames at most, from 2. Where more happens, moments between are left out evenly.
    hold : float
        Seconds for which the last frame stays, before it begins again.
    theme : {"light", "dark"}

    Raises
    ------
    ValueError
        A setting is none of these.
    """

    size: tuple[int, int] | str = "medium"
    frames_per_second: float = 8.0
    n_frames: int = 160
    hold: float = 2.5
    theme: str = "light"

    def __post_init__(self) -> None:
        if isinstance(self.size, str):
            if self.size not in SIZES:
                raise ValueError(f"size must be one of {', '.join(SIZES)}, or pixels; got {self.size!r}.")
        elif len(self.size) != 2 or not all(MIN_SIDE <= side <= MAX_SIDE for side in self.size):
            raise ValueError(
                f"size must be two numbers of pixels from {MIN_SIDE} to {MAX_SIDE}; got {self.size!r}."
            )
        if not 0.5 <= self.frames_per_second <= 60:
            raise ValueError(f"frames_per_second must be from 0.5 to 60; got {self.frames_per_second!r}.")
        if not 2 <= self.n_frames <= MAX_FRAMES:
            raise ValueError(f"n_frames must be from 2 to {MAX_FRAMES}; got {self.n_frames!r}.")
        if not 0 <= self.hold <= 60:
            raise ValueError(f"hold must be from 0 to 60 seconds; got {self.hold!r}.")
        if self.theme not in THEMES:
            raise ValueError(f"theme must be one of {', '.join(THEMES)}; got {self.theme!r}.")

    @property
    def pixels(self) -> tuple[int, int]:
        """Pixels across and down, both even."""
        width, height = SIZES[self.size] if isinstance(self.size, str) else self.size
        return 2 * round(width / 2), 2 * round(height / 2)

    @property
    def colours(self) -> Mapping[str, Any]:
        """Colours by their names in `theme.json`."""
        return THEMES[self.theme]

    def milliseconds(self, n: int) -> list[int]:
        """Return for how long each of `n` frames is shown."""
        return [round(1000 / self.frames_per_second)] * (n - 1) + [
            round(1000 * max(self.hold, 1 / self.frames_per_second))
        ]
