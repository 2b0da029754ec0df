"""The page on many visitors in the documentation: a table and curves, made from what `bench_soak.py` found.

What was found lies in ``docs/load/figures.json``, part by part, so that each can be measured anew alone.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "load.md"
FOUND = ROOT / "docs" / "load" / "figures.json"
CURVES = ROOT / "docs" / "load" / "curves.svg"
BEGIN, END = "<!-- figures begin -->\n", "<!-- figures end -->\n"
HEAD = "| quantity | bound | measured |\n| --- | --- | --- |\n"
WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 120, 46, 28, 62
INK, GRID = "#333", "#ddd"
COLOURS = ("#1f6fb2", "#c2571a")


class Line(NamedTuple):
    """A curve: its name, and its points, minutes and values."""

    name: str
    points: list[list[float]]


def write_part(name: str, found: Mapping[str, Any]) -> None:
    """Keep what a part has found, and write the page and the curves anew."""
    known = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    busy = os.getloadavg()[2] / (os.cpu_count() or 1)  # of a quarter of an hour, the bench's own among it
    known[name] = {
        **found,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "day": time.strftime("%Y-%m-%d"),
        "load_average_a_core": round(busy, 1),
    }
    known = dict(sorted(known.items()))  # as it is read again
    FOUND.parent.mkdir(exist_ok=True)
    FOUND.write_text(json.dumps(known, separators=(",", ":")) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(known) + END + rest.partition(END)[2], encoding="utf-8")
    CURVES.write_text(drawn(known), encoding="utf-8")


def table(known: Mapping[str, Any]) -> str:
    """Return all figures for the page."""
    crowds = [(name, known[name]) for name in sorted(known) if name.startswith("load")]
    crowds.sort(key=lambda pair: pair[1]["sessions"])
    lines = [HEAD]
    for name, found in [*crowds, *([("soak", known["soak"])] if "soak" in known else [])]:
        lines += [f"| {what} | {asked} | {value} |\n" for what, asked, value in crowd_rows(name, found)]
    for name, title in (
        ("worst", "beside an abusive visitor"),
        ("slow", "beside a visitor who reads nothing"),
    ):
        if name in known:
            lines += [
                f"| {title}: {what} | {asked} | {value} |\n" for what, asked, value in rows(name, known[name])
            ]
    when = [
        f"{name}: {found['day']}, {found['machine']}, {found['load_average_a_core']:g} programs per core"
        for name, found in known.items()
    ]
    return "".join(lines) + "\nMeasured: " + "; ".join(when) + ".\n"


def crowd_rows(name: str, found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of a crowd: what, what is asked for, what was found."""
    who = f"{found['sessions']} visitors, {found['minutes']:g} minutes"
    bounded = name != "soak" and found["sessions"] <= 25
    click, opened = found["click"], found["open"]
    ms = ", ".join(f"{1000 * click[name]:.0f}" for name in ("p50", "p95", "worst"))
    yield f"{who}: errors, lost steps", "0, 0", f"{found['errors']}, {found['lost']}"
    yield (
        f"{who}: clicks, p50, p95, worst",
        "p95 under 500 ms" if bounded else "none",
        f"{click['count']:,}: {ms} ms",
    )
    yield (
        f"{who}: pages opened, p50, p95, worst",
        "p95 under 3 s" if bounded else "none",
        f"{opened['count']:,}: {opened['p50']:.2f}, {opened['p95']:.2f}, {opened['worst']:.2f} s",
    )
    yield f"{who}: requests refused by a limit", "none", f"{found['refused']}"
    yield (
        f"{who}: memory, maximum and after all have left",
        "the latter under 150 MiB",
        f"{found['grown_most']:+.0f}, {found['grown']:+.0f} MiB",
    )
    if name == "soak":
        yield f"{who}: memory, second half minus the first", "under 10 MiB", f"{found['halves']:+.1f} MiB"
    yield f"{who}: cores that the server used", "none", f"{found['cores']:.2f}"


def rows(name: str, found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of one visitor beside another."""
    alone, beside = found["alone"], found["beside"]
    asked = "under 2" if name == "worst" else "under 1.5"
    times = f"{found['ratio']:.2f} ({1000 * beside['p95']:.0f} ms, alone {1000 * alone['p95']:.0f} ms)"
    yield "click p95 relative to that alone", asked, times
    yield "errors, lost steps", "0, 0", f"{found['errors']}, {found['lost']}"
    yield "memory, maximum", "under 50 MiB" if name == "slow" else "none", f"{found['grown_most']:+.0f} MiB"


# -- curves


def drawn(known: Mapping[str, Any]) -> str:
    """Return the curves of all crowds as SVG: memory on the left, waiting on the right."""
    names = sorted(
        (name for name in known if "clicks" in known[name]), key=lambda name: known[name]["sessions"]
    )
    parts = []
    for row, name in enumerate(names):
        found, y = known[name], TOP + row * (HEIGHT + GAP)
        title = f"{found['sessions']} visitors, {found['minutes']:g} minutes"
        memory = [Line("memory", found["memory"])]
        waits = [Line("click p95", found["clicks"]), Line("opening p95", found["opened"])]
        parts.append(panel(LEFT, y, f"{title}: memory, MiB", memory))
        parts.append(panel(2 * LEFT + WIDTH + 20, y, f"{title}: waiting, s", waits))
    width, height = 2 * (LEFT + WIDTH) + 40, TOP + max(1, len(names)) * (HEIGHT + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="11" fill="{INK}">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{"".join(parts)}</svg>\n'
    )


def panel(x: float, y: float, title: str, lines: list[Line]) -> str:
    """Return one panel with its axes: time from 0, values from 0."""
    points = [point for line in lines for point in line.points]
    end = max((at for at, _ in points), default=1.0)
    top = 1.15 * max((value for _, value in points), default=1.0)
    parts = [f'<text x="{x}" y="{y - 8}" font-weight="bold">{title}</text>\n']
    for n in range(5):
        at = y + HEIGHT - n * HEIGHT / 4
        parts.append(f'<path d="M{x} {at:.1f}h{WIDTH}" stroke="{GRID}"/>')
        parts.append(f'<text x="{x - 5}" y="{at + 4:.1f}" text-anchor="end">{top * n / 4:.3g}</text>\n')
        across = x + n * WIDTH / 4
        parts.append(
            f'<text x="{across:.1f}" y="{y + HEIGHT + 15}" text-anchor="middle">{end * n / 4:.3g}</text>\n'
        )
    for n, (line, colour) in enumerate(zip(lines, COLOURS, strict=False)):
        path = " ".join(
            f"{x + WIDTH * at / end:.1f},{y + HEIGHT - HEIGHT * value / top:.1f}" for at, value in line.points
        )
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>\n')
        if len(lines) > 1:
            parts.append(f'<text x="{x + 6 + 90 * n}" y="{y + 12}" fill="{colour}">{line.name}</text>\n')
    parts.append(f'<text x="{x + WIDTH}" y="{y + HEIGHT + 28}" text-anchor="end">minutes</text>\n')
    return "".join(parts)
