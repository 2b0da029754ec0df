"""Links to models that were trained here; the models are read from their run, on disk or in memory."""

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
    from lrbn_viz.app.train.opening import Opened
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
"""Settings of a link that concern its models."""
_GENERATORS = {"generator": "model_name", "generator_beside": "rival_name"}
"""Settings of the Generate page's models, with the parameters of its state."""
BESIDE_GENERATORS = ("chain_image", "generator_clamp", "generator_beside_clamp", "walk_from", "walk_to")
"""Settings of the Generate page whose bounds depend on the models and their images."""


class Linked(NamedTuple):
    """Models of a run that a link names.

    Attributes
    ----------
    run : str
        Its name.
    lanes : tuple of str
        Lanes of the models, the first lane's first; empty: all lanes.
    step : int
        Minibatch at which the link was made; -1 if it names none.
    settings : dict
        Settings that concern the models, by name.
    rest : str
        The query without these settings.
    """

    run: str
    lanes: tuple[str, ...]
    step: int
    settings: dict[str, str]
    rest: str


def linked_models(query: str) -> Linked | None:
    """Return the run's models that a query names for the Inference page; None where it names none.

    ``?run=NAME`` names all models of a run.
    """
    return _linked(query, "inference", _LANES, _OWN)


def linked_generators(query: str) -> Linked | None:
    """Return the run's models that a query names for the Generate page; None where it names none.

    ``?page=generate&run=NAME`` names all models of a run.
    """
    return _linked(query, "generate", tuple(_GENERATORS), {*_GENERATORS, *BESIDE_GENERATORS})


def _linked(query: str, page: str, lanes_of_page: tuple[str, ...], about: set[str]) -> Linked | None:
    """Return the run's models that a query names for a page, whose settings `about` them are taken."""
    texts = Query(query).texts
    found = [match for name in lanes_of_page if (match := _NAME.fullmatch(texts.get(name, "")))]
    whole = not found and texts.get("page", "inference") == page and lanes_of_page[0] not in texts
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
    taken = about | ({"run"} if not found else set())
    rest = {name: text for name, text in texts.items() if name not in taken}
    return Linked(run, lanes, step, {name: texts[name] for name in about & set(texts)}, "?" + urlencode(rest))


def bring_back(linked: Linked, session: Any, runs: VisitorRuns, load: Callable[..., Dataset]) -> list[str]:
    """Show the models of a link in an Inference page's session; return sentences for the page."""
    opened, words = _opened(linked, runs, load)
    if opened is None:
        return words
    session.open_models(opened.models, opened.data)
    left_out = [
        f"{name}: not restored with the model of a run." for name in _NOT_BROUGHT if name in linked.settings
    ]
    return left_out + words + _settings(linked.settings, session)


def bring_back_generators(
    linked: Linked, session: Any, runs: VisitorRuns, load: Callable[..., Dataset]
) -> tuple[dict[str, str], list[str]]:
    """Offer the models of a link in a session's menus, without showing them on its Inference page.

    Returns the names of the models that the Generate page shows, by the parameters of its state, and
    sentences to be said.
    """
    opened, words = _opened(linked, runs, load)
    if opened is None:
        return {}, words
    able = {_lane_of(name, linked.run): name for name, model in opened.models.items() if model.draws_passes}
    if not able:
        return {}, [*words, f"{linked.run} has no model that draws pass by pass."]
    new = {name: model for name, model in opened.models.items() if session.own_with(name) is None}
    if new:
        session.offer_models(new, opened.data)
    found: dict[str, str] = {}
    for setting, parameter in _GENERATORS.items():
        text = linked.settings.get(setting, "")
        lane = _lane_of(text, linked.run)
        if lane in able:
            found[parameter] = (FACTORISED if text.startswith(FACTORISED) else "") + able[lane]
        elif lane:
            words.append(f"{setting}: the model {lane} of {linked.run} does not draw pass by pass.")
        elif text:
            found[parameter] = text  # a model beside them that comes with the package
    return {"model_name": next(iter(able.values())), **found}, words


def _lane_of(name: str, run: str) -> str:
    """Return the lane of a run's model by its name; empty for other models."""
    match = _NAME.fullmatch(name)
    return match["lane"] if match is not None and match["run"] == run else ""


def _opened(
    linked: Linked, runs: VisitorRuns, load: Callable[..., Dataset]
) -> tuple[Opened | None, list[str]]:
    """Return the models of a link with their images, or None, and sentences for the page."""
    from lrbn_viz.app.train.opening import Opened

    try:
        models, data = runs.models(linked.run, lambda config: load(config.dataset, binary=config.binary))
        unknown = [lane for lane in linked.lanes if lane not in models]
        if unknown:
            raise ValueError(f"{linked.run} has no model called {unknown[0]}; it has {', '.join(models)}.")
    except Exception as error:  # whatever the files contain, the page opens and reports the error
        return None, [str(error) or f"{linked.run} cannot be read ({type(error).__name__})."]
    shown = {lane: models[lane] for lane in (linked.lanes or list(models)[:2])}
    opened = Opened(
        {f"{LIVE}{linked.run} {lane}, minibatch {step}": model for lane, (model, step) in shown.items()}, data
    )
    words = []
    steps = {step for _, step in shown.values()}
    if linked.step >= 0 and steps != {linked.step} and len(steps) == 1:
        words.append(
            f"{linked.run} is stored at minibatch {steps.pop()}, which is shown instead of {linked.step}."
        )
    return opened, words


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
