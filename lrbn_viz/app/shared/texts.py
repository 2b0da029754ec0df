"""Images, latent states, held units and lists of names as short texts, for addresses and messages."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.shared.typed import quoted
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import MAX_PRESENTED
from lrbn_viz.view.player.panels import CARDS


def pixels_to_text(x: NDArray) -> str:
    """Write a binary image (or latent state) as base64 for addresses; the top bit of a byte comes first.

    Where pixels are not known, NaN, the bytes of the pixels that are on are followed by as many of those that
    are not known.
    """
    x = np.asarray(x)
    unknown = unknown_in(x)
    planes = [x] if unknown is None else [np.where(unknown, 0, x), unknown]
    raw = b"".join(np.packbits(plane.astype(np.uint8)).tobytes() for plane in planes)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def text_to_pixels(text: str, n_v: int) -> NDArray:
    """Read what `pixels_to_text` wrote; (n_v,) uint8, or float64 with NaN for pixels that are not known.

    Raises
    ------
    ValueError
        The text is no base64, does not hold n_v pixels, or says of one that is not known that it is on.
    """
    on, *rest = _planes(text, n_v, 2)
    if not rest or not rest[0].any():
        return on
    if (on & rest[0]).any():
        raise ValueError(
            f"expected {n_v} pixels, each on, off or not known; got one that is on and not known."
        )
    return np.where(rest[0], np.nan, on)


def text_to_latents(text: str, n_h: int) -> NDArray[np.uint8]:
    """Read the states of latents that `pixels_to_text` wrote; (n_h,) uint8.

    Raises
    ------
    ValueError
        The text is no base64, or does not hold n_h states.
    """
    return _planes(text, n_h, 1)[0]


def _planes(text: str, n_v: int, most: int) -> list[NDArray[np.uint8]]:
    """Read one to `most` rows of n_v bits, each of whole bytes."""
    n_bytes = -(-n_v // 8)
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ValueError(f"expected {n_v} pixels in {n_bytes} bytes of base64, got {quoted(text)}.") from None
    if len(raw) not in (n_bytes, most * n_bytes):
        raise ValueError(f"expected {n_v} pixels in {n_bytes} bytes of base64, got {len(raw):,} bytes.")
    rows = np.frombuffer(raw, np.uint8).reshape(-1, n_bytes)
    return list(np.unpackbits(rows, axis=1, count=n_v))


def held_to_text(held: Mapping[int, int]) -> str:
    """Write held units and their states for addresses, such as ``"3on.17off"``.

    Units are numbers even where they have names. A name given on the page belongs to its session and is not
    in the address, and another file of the same model may have other names or none: a link by names would
    then hold nothing, or another unit. A number names the same row of weights as long as the model exists.
    """
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
                f"expected units below {n_h} with their states, such as 3on.17off, got {quoted(part)}."
            )
        held[int(match[1])] = int(match[2] == "on")
    return held


def names_to_text(names: Collection[str], known: Collection[str]) -> str:
    """Write the names in the order of `known`, such as ``"matrix.seed"``; unknown names are left out."""
    return ".".join(name for name in known if name in names)


def text_to_names(text: str, known: Collection[str]) -> list[str]:
    """Read what `names_to_text` wrote.

    Raises
    ------
    ValueError
        A name is not `known`, or comes twice.
    """
    names = text.split(".") if text else []
    if not set(names) <= set(known) or len(set(names)) < len(names):
        raise ValueError(f"expected different names out of {', '.join(known)}, got {quoted(text)}.")
    return names


def text_to_cards(text: str) -> list[str]:
    """Read the cards of presenter mode from the text of `names_to_text`; empty if it is off.

    Raises
    ------
    ValueError
        A name is unknown or repeated, or there are too many cards.
    """
    names = text_to_names(text, CARDS)
    if len(names) > MAX_PRESENTED:
        raise ValueError(f"expected at most {MAX_PRESENTED} cards, got {quoted(text)}.")
    return names


def text_to_unit(text: str, *n_h: int) -> tuple[int, int]:
    """Read the lane and number of the selected unit, such as ``"0.49"``.

    Unit -1 is the visited one: of the first lane for an empty text, of the second for ``"lane2"``.

    Raises
    ------
    ValueError
        The text is nothing like that, or names a unit that a lane's model, of so many latents each, lacks.
    """
    if not text:
        return 0, -1
    if text == "lane2" and len(n_h) > 1:
        return 1, -1
    match = re.fullmatch(r"([01])\.([0-9]{1,6})", text)
    if match is None or int(match[1]) >= len(n_h) or int(match[2]) >= n_h[int(match[1])]:
        most = " and ".join(map(str, n_h))
        raise ValueError(
            f"expected a lane and a unit below {most}, such as 0.49, or lane2, got {quoted(text)}."
        )
    return int(match[1]), int(match[2])
