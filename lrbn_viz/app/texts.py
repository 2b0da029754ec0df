"""Images, latent states and held units as short texts, for addresses and messages."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


def pixels_to_text(x: NDArray) -> str:
    """Write a binary image (or latent state) as base64 for addresses, eight a byte, the first the top bit."""
    return base64.urlsafe_b64encode(np.packbits(np.asarray(x, np.uint8)).tobytes()).decode().rstrip("=")


def text_to_pixels(text: str, n_v: int) -> NDArray[np.uint8]:
    """Read what `pixels_to_text` wrote; (n_v,) uint8.

    Raises
    ------
    ValueError
        The text is no base64, or does not hold n_v pixels.
    """
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if len(raw) != -(-n_v // 8):
        raise ValueError(f"expected {n_v} pixels in {-(-n_v // 8)} bytes, got {len(raw)} bytes.")
    return np.unpackbits(np.frombuffer(raw, np.uint8), count=n_v)


def held_to_text(held: Mapping[int, int]) -> str:
    """Write which units are held at which state for addresses, such as ``"3on.17off"``."""
    return ".".join(f"{unit}{'on' if state else 'off'}" for unit, state in sorted(held.items()))


def text_to_held(text: str, n_h: int) -> dict[int, int]:
    """Read what `held_to_text` wrote.

    Raises
    ------
    ValueError
        The text is nothing like that, or names a unit that a model of n_h latents lacks.
    """
    held = {}
    for part in text.split(".") if text else ():
        match = re.fullmatch(r"([0-9]{1,6})(on|off)", part)
        if match is None or int(match[1]) >= n_h:
            raise ValueError(
                f"expected units below {n_h} with their states, such as 3on.17off, got {part!r}."
            )
        held[int(match[1])] = int(match[2] == "on")
    return held
