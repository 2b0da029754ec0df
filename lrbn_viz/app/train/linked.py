"""Links to models that were trained here; each is read from its run, on disk or in memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from lrbn_viz.app.shared.menus import FACTORISED, LIVE
from lrbn_viz.app.shared.query import Query
from lrbn_viz.app.shared.texts import text_to_unit
from lrbn_viz.app.shared.typed import whole_number

if TYPE_CHECKING:
    from lrbn_viz.app.visitors.runs import VisitorRuns
    from lrbn_viz.datasets import Dataset

_NAME = re.compile(
    rf"(?:{re.escape(FACTORISED)})?{re.escape(LIVE)}"
    r"(?P<run>[A-Za-z0-9][A-Za-z0-9._-]{0,199}) (?P<lane>.{1,100}), minibatch (?P<step>\d{1,15})"
)
_LANES = ("model", "rival")
_BROUGHT = (
    "image",
    "visit",
    "unit",
    "algorithm",
    "start",
    "seed",
    "rival_algorithm",
    "rival_start",
    "rival_seed",
)
_NOT_BROUGHT = ("drawn", "from", "clamp", "rival_from", "rival_clamp", "data")
_OWN = {*_LANES, *_BROUGHT, *_NOT_BROUGHT}
"""Settings of a link that are about its models."""


class Linked(NamedTuple):
    """Models of a run that a link names.

    Attributes
    ----------
    run : str
        Its name.
    lanes : tuple of str
        Whose models, the first lane's first; empty: all.
    step : int
        The minibatch that the link was made at; -1 where it names none.
    settings : dict
        What the link says about the models, by name.
    rest : str
        The query without that.
    """

    run: str
    lanes: tuple[str, ...]
    step: int
    settings: dict[str, str]
    rest: str


def linked_models(query: str) -> Linked | None:
    """Return the run's models that a query names; None where it names none.

    The Inference page is shown with them: ``?run=NAME`` names all models of a run.
    """
    texts = Query(query).texts
    found = [match for name in _LANES if (match := _NAME.fullmatch(texts.get(name, "")))]
    whole = not found and texts.get("page", "inference") == "inference" and "model" not in texts
    if whole and "run" in texts:
        named = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}", texts["run"])
        if named is None:
            return None
        run, lanes, step = named[0], (), -1
    elif found:
        run = found[0]["run"]
        own = [match for match in found if match["run"] == run]
        lanes, step = tuple(dict.fromkeys(match["lane"] for match in own)), int(own[0]["step"])
    else:
        return None
    taken = _OWN | ({"run"} if not found else set())
    rest = {name: text for name, text in texts.items() if name not in taken}
    return Linked(run, lanes, step, {name: texts[name] for name in _OWN & set(texts)}, "?" + urlencode(rest))


def bring_back(linked: Linked, session: Any, runs: VisitorRuns, load: Callable[..., Dataset]) -> list[str]:
    """Show the models of a link in an Inference page's session; return sentences to be said."""
    from lrbn_viz.app.train.opening import Opened

    try:
        models, data = runs.models(linked.run, lambda config: load(config.dataset, binary=config.binary))
        unknown = [lane for lane in linked.lanes if lane not in models]
        if unknown:
            raise ValueError(f"{linked.run} has no model called {unknown[0]}; it has {', '.join(models)}.")
    except Exception as error:  # whatever lies there, the page opens and says so
        return [str(error) or f"{linked.run} cannot be read ({type(error).__name__})."]
    shown = {lane: models[lane] for lane in (linked.lanes or list(models)[:2])}
    opened = Opened(
        {f"{LIVE}{linked.run} {lane}, minibatch {step}": model for lane, (model, step) in shown.items()}, data
    )
    session.open_models(opened.models, opened.data)
    words = [
        f"{name}: not restored with the model of a run." for name in _NOT_BROUGHT if name in linked.settings
    ]
    steps = {step for _, step in shown.values()}
    if linked.step >= 0 and steps != {linked.step} and len(steps) == 1:
        words.append(
            f"{linked.run} is stored at minibatch {steps.pop()}, which is shown instead of {linked.step}."
        )
    return words + _settings(linked.settings, session)


def _settings(texts: dict[str, str], session: Any) -> list[str]:
    """Apply the settings of a link to a session's models; return the invalid ones."""
    words: list[str] = []
    for lane, name in enumerate(_LANES):  # a model beside them that comes with the package
        text = texts.get(name, "")
        if text and not _NAME.fullmatch(text):
            session.choose_in(lane, "model", text)
    for lane, before in enumerate(("", "rival_")):
        for part in ("algorithm", "start", "seed"):
            if before + part in texts:
                session.choose_in(lane, part, texts[before + part])
    try:
        session.index = whole_number(texts.get("image", "0"), 0, len(session.dataset.test_X) - 1)
    except ValueError as error:
        words.append(f"image: {str(error).rstrip('.')}; image 0 is shown.")
    visit = texts.get("visit", "0")
    try:
        session.cursor = (
            session.n_visits if visit == "end" else min(whole_number(visit, 0, 2**31), session.n_visits)
        )
    except ValueError as error:
        words.append(f"visit: {str(error).rstrip('.')}; visit 0 is shown.")
    unit = texts.get("unit", "")
    try:
        text_to_unit(unit, *(model.n_latents_ for _, model in session.lanes))
        session.select(unit)
    except ValueError as error:
        words.append(f"unit: {str(error).rstrip('.')}; the unit visited in lane 1 is explained.")
    return words
