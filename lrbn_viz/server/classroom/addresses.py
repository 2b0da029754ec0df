"""The address by which a class reaches this machine, also as a QR code."""

from __future__ import annotations

import socket

import segno

from lrbn_viz.io.theme import LIGHT

ALL_ADDRESSES = frozenset({"0.0.0.0", "::", ""})
"""Addresses that mean: listen on all addresses."""


def own_address() -> str:
    """Return the address of this machine in its network; ``localhost`` where it is in none.

    No packet is sent: to connect by UDP only asks the system which way it would take.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # reserved for examples
            return str(asked.getsockname()[0])
        except OSError:
            return "localhost"


def free_port(address: str) -> int:
    """Return a port that is not in use."""
    with socket.socket() as tried:
        tried.bind((address, 0))
        return int(tried.getsockname()[1])


def reached_by(address: str, port: int) -> str:
    """Return the address by which others reach a server that listens on `address`."""
    return f"http://{own_address() if address in ALL_ADDRESSES else address}:{port}"


def qr_terminal(address: str) -> str:
    """Return an address as a QR code for a terminal, two rows of squares in a line of text."""
    code = segno.make(address, error="m", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "\u2588", (0, 1): "\u2580", (1, 0): "\u2584", (1, 1): " "}  # light on dark
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join(
        "".join(blocks[int(bool(a)), int(bool(b))] for a, b in zip(upper, lower, strict=True))
        for upper, lower in pairs
    )


def qr_svg(address: str) -> str:
    """Return an address as a QR code: an SVG element, dark on light in every theme, as cameras want it."""
    code = segno.make(address, error="m", micro=False)
    return code.svg_inline(scale=8, border=3, dark=LIGHT["ink"], light=LIGHT["surface"], omitsize=True)
