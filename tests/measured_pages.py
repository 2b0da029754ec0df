"""``python -m tests.measured_pages``: tables of the documentation, made from what was measured.

Prints the pages whose tables are not those of ``lrbn_viz/weights/measured.json`` and of the stored reports;
with ``--write`` it writes them. Each stands between two comments, of which the first names it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from textwrap import fill
from typing import Any

from lrbn_viz.app.compare.offers import comparable, is_known
from lrbn_viz.catalog import PRETRAINED, PretrainedInfo, annealed_of, annealed_sweeps, measured
from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.annealed import FIGURE, rivals, section, shipped
from lrbn_viz.studies.reproduce.figures import errors_over_sweeps, save
from lrbn_viz.studies.reproduce.report import likeliest
from lrbn_viz.studies.reproduce.reported import GOALS
from lrbn_viz.studies.reproduce.tables import WAYS

DOCS = Path(__file__).resolve().parents[1] / "docs"
PLACE = re.compile(r"(<!-- measured: (\w+) -->\n\n).*?(\n\n<!-- end of measured -->)", re.DOTALL)
REPORTS = {"MNIST": "mnist", "Caltech": "caltech", "OCR letters": "ocr"}
"""Folders of the stored reports, by the heading of their column."""
LRBN_REPORTS = {name: DOCS / "reproduction" / name / "report.md" for name in REPORTS.values()}
PAPER = DOCS.parent / "paper" / "paper.md"
PAGES = (DOCS / "results.md", DOCS / "explorer.md", *LRBN_REPORTS.values(), PAPER)
DATASETS = {"MNIST": "mnist5k", "Caltech": "caltech101_silhouettes", "OCR letters": "ocr_letters"}
RIVAL = {"MNIST": "rbm-200-mnist-likeliest", "Caltech": "rbm-200-caltech-likeliest",
         "OCR letters": "rbm-200-ocr-likeliest"}  # fmt: skip
"""The RBM beside which a data set's LRBNs stand."""
REPRODUCED = {
    "MNIST": ("lrbn-200-200-mnist", "lrbn-200-mnist-flat", "lrbn-200-200-mnist-likeliest"),
    "Caltech": ("lrbn-200-200-caltech", "lrbn-400-caltech-flat", "lrbn-200-200-caltech-likeliest"),
    "OCR letters": ("lrbn-200-200-ocr", "lrbn-200-ocr-flat", "lrbn-200-200-ocr-likeliest"),
}
"""Of each data set the model for both aims, that of the fewest wrong pixels, and the likeliest one."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], labels: int = 1) -> str:
    """Return Markdown; all columns but the first `labels` are of figures."""
    rule = ["---"] * labels + ["---:"] * (len(head) - labels)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


# -- stored reports


def stored_cells(report: str) -> dict[str, str]:
    """Return the first nats of each row of a stored report of all systems, as printed, by the row."""
    text = (DOCS / "reproduction" / report / "systems.md").read_text(encoding="utf-8")
    part = text[text.index("| system | latents |") :].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[2:]]
    return {f"{row[0]}, {row[1]}": row[4] for row in rows}


def thirty_seconds() -> str:
    """Return the nats of every system after the same seconds, a column for each data set."""
    columns = {title: stored_cells(report) for title, report in REPORTS.items()}
    names: list[str] = []
    for cells in columns.values():
        before = -1
        for name in cells:
            if name not in names:
                names.insert(before + 1, name)
            before = names.index(name)
    rows = [[name, *(_rounded(cells.get(name, "")) for cells in columns.values())] for name in names]
    return table(["system, latents", *columns], [row for row in rows if any(row[1:])])


def _rounded(cell: str) -> str:
    """Return a figure without its error, with one digit; words, such as an interval's, as they are."""
    return f"{float(cell.split('±')[0]):.1f}" if re.match(r"-?\d", cell) else cell


# -- models of the package


def nats_of(nats: dict[str, Any]) -> list[str]:
    """Return the cells of a model's nats: the figure, or the interval that it lies in, and both bounds."""
    low, high = nats["low"], nats["high"]
    if high is None:
        return [f"about {nats['value']:.1f}", "", ""]
    said = f"{nats['value']:.1f}" if is_known(nats) else nats_between(low, high)
    return [said, f"{low:.1f}", f"{high:.1f}"]


def pixels_of(name: str) -> tuple[str, float, float | None]:
    """Return a model's usual inference, its wrong pixels by that, and those annealed, where it can be."""
    counts, point = measured(name)["wrong pixels"], annealed_of(measured(name))
    way = next(key for key in counts if key != "images")
    return way, counts[way], None if point is None else point["wrong pixels"]


def systems_of(dataset: str) -> dict[str, PretrainedInfo]:
    """Return the models of a data set that can be compared by name, whether or not its files are at hand."""
    return {name: info for name, info in PRETRAINED.items() if comparable(info) and info.dataset == dataset}


def shown_systems(title: str) -> list[str]:
    """Return the models of a data set that the package offers first, the likeliest first."""
    return sorted(systems_of(DATASETS[title]), key=lambda name: -measured(name)["nats"]["value"])


def _figures(name: str) -> list[str]:
    found, (_, usual, annealed) = measured(name), pixels_of(name)
    seconds = found["CPU seconds"]
    return [
        f"`{name}`", *nats_of(found["nats"]), _pixels(usual), "" if annealed is None else _pixels(annealed),
        "" if seconds is None else f"{seconds:.0f}",
    ]  # fmt: skip


def _pixels(count: float) -> str:
    return f"{count:.2f}" if count >= 0.005 or not count else f"{count:.3f}"


ANNEALED = f"annealed, {annealed_sweeps():,} sweeps"
HEAD = ["`pretrained(...)`", "nats", "lower bound", "upper bound", "wrong pixels", ANNEALED, "CPU seconds"]


def mnist_systems() -> str:
    """Return the systems of MNIST, and who has most nats and fewest wrong pixels."""
    names = shown_systems("MNIST")
    words = fill(f"{_likeliest(names)} {_fewest(names)}", 120, break_on_hyphens=False)
    return f"{table(HEAD, [_figures(name) for name in names])}\n\n{words}"


def _likeliest(names: Sequence[str]) -> str:
    nats = {name: measured(name)["nats"] for name in names}
    highest = {name: inf if found["high"] is None else found["high"] for name, found in nats.items()}
    for name, found in nats.items():
        if all(found["low"] > high for other, high in highest.items() if other != name):
            return (
                f"The likeliest is `{name}`: its lower bound is above the upper bounds of all others. Of two "
                "models whose intervals overlap, nothing here tells which is likelier."
            )
    return "No model's lower bound is above the upper bounds of all others: which is likeliest is open."


def _fewest(names: Sequence[str]) -> str:
    usual = {name: pixels_of(name)[1] for name in names}
    annealed = {name: count for name in names if (count := pixels_of(name)[2]) is not None}
    best, worst = min(usual, key=usual.__getitem__), max(usual, key=usual.__getitem__)
    last = min(annealed, key=annealed.__getitem__)
    return (
        f"By its usual inference `{best}` makes the fewest pixels wrong, {_pixels(usual[best])}, and "
        f"`{worst}` the most, {_pixels(usual[worst])}; {ANNEALED}, `{last}` makes the fewest, "
        f"{_pixels(annealed[last])}."
    )


def beside_rbm() -> str:
    """Return for each data set which LRBNs make fewer pixels wrong than the RBM, and by which inference."""
    parts = []
    for title, rival in RIVAL.items():
        _, limit, _ = pixels_of(rival)
        groups: dict[str, list[str]] = {"fewer by ICM": [], "fewer by annealing only": [], "not fewer": []}
        for name, info in systems_of(DATASETS[title]).items():
            way, usual, annealed = pixels_of(name)
            if not info.system.endswith("LRBN") or annealed is None:
                continue
            kinds = list(groups)
            group = kinds[0 if usual < limit else 1 if annealed < limit else 2]
            groups[group].append(f"`{name}` ({_pixels(usual)} by {WAYS[way]}, {_pixels(annealed)} annealed)")
        said = "; ".join(f"{group}: {', '.join(names)}" for group, names in groups.items() if names)
        line = f"- {title}: `{rival}` makes {_pixels(limit)} pixels wrong. {said[0].upper()}{said[1:]}."
        parts.append(fill(line, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
    return "\n".join(
        [f"Here annealed means {annealed_sweeps():,} sweeps of annealing, and then ICM.\n", *parts]
    )


def reproduced() -> str:
    """Return the models of the package that the reproduction's configurations gave, and the paper's."""
    rows = []
    for title, names in REPRODUCED.items():
        pixels, nats = GOALS[REPORTS[title]].together
        cells = [
            f"`{name}`: {_annealed_and_icm(name)}; {nats_of(measured(name)['nats'])[0]} nats"
            for name in names
        ]
        rows.append([title, f"{pixels:.2f}; {nats:.1f} nats", *cells])
    head = ["", "the paper, 200-200, ICM and CSL", "both aims", "fewest wrong pixels", "likeliest"]
    return f"{table(head, rows, labels=len(head))}\n\nWrong pixels: {ANNEALED}."


def _annealed_and_icm(name: str) -> str:
    _, usual, point = pixels_of(name)
    return f"{_pixels(usual)} by ICM" if point is None else f"{_pixels(point)} ({_pixels(usual)})"


def rivals_of_report(name: str) -> str:
    """Return the paragraph of a report on rivals that its first words do not name."""
    return rivals(name, likeliest(name))


TABLES: dict[str, Callable[[], str]] = {
    "thirty_seconds": thirty_seconds,
    "mnist_systems": mnist_systems,
    "beside_rbm": beside_rbm,
    "reproduced": reproduced,
    **{f"sweeps_{name}": partial(section, name) for name in LRBN_REPORTS},
    **{f"rivals_{name}": partial(rivals_of_report, name) for name in LRBN_REPORTS if rivals_of_report(name)},
}


def written(text: str) -> str:
    """Return a page with its tables as they are measured."""
    return PLACE.sub(lambda place: f"{place[1]}{TABLES[place[2]]()}{place[3]}", text)


def main() -> None:
    """Compare the pages, or write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the tables into the pages")
    chosen = parser.parse_args()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        made = written(text)
        if made != text:
            print(page.name, "was written anew" if chosen.write else "has other tables than were measured")
        if chosen.write:
            page.write_text(made, encoding="utf-8")
    for name, report in LRBN_REPORTS.items() if chosen.write else ():
        if curves := shipped(name):
            figure = errors_over_sweeps(curves)
            save(figure, report.parent / "figures" / f"{FIGURE}.svg")
            if name == "mnist":
                save(figure, PAPER.with_name(f"{FIGURE}.png"))  # its journal takes no SVG


if __name__ == "__main__":
    main()
