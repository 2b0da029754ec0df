"""Settings of all pages in addresses: one table, by which every address is read and written.

People type, cut and mail links: invalid settings are left out and named in words. No widgets here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from lrbn_viz.app.compare.offers import OWN, datasets, first_systems, text_to_systems
from lrbn_viz.app.compare.state import MAX_IMAGES, METHODS, MIN_IMAGES
from lrbn_viz.app.generate.state import MAX_STEPS, GenerateState, checked_end
from lrbn_viz.app.inference.lanes import LANES
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.lessons.state import lesson_id
from lrbn_viz.app.shared.loading import SMALL, SMALL_MODEL, USUAL, usual_dataset
from lrbn_viz.app.shared.menus import (
    CAPTIONS,
    CONTROLS,
    FACTORISED,
    LIVE,
    RIVAL_STATE,
    THEMES,
    draws,
    is_drawn,
    known_models,
    offered,
    partner,
    shipped_info,
)
from lrbn_viz.app.shared.query import MAX_NAMES, MAX_QUERY_LENGTH, Query, Reading, one_of, unknown_names
from lrbn_viz.app.shared.texts import (
    held_to_text,
    text_to_cards,
    text_to_held,
    text_to_latents,
    text_to_names,
    text_to_pixels,
    text_to_unit,
)
from lrbn_viz.app.shared.typed import quoted, run_name, whole_number
from lrbn_viz.app.sweeps.names import sweep_name
from lrbn_viz.io.constants import CHAIN_STARTS, MAX_PASSES, MAX_SEED, WALK_WAYS
from lrbn_viz.view.lessons.read import MAX_LESSON_STEPS
from lrbn_viz.view.player.panels import PANELS, REFERENCES, UNIT_ORDERS

ELSEWHERE = "an image of this link, in no test set"
"""Name of an image that a link contains without the test image from which it came."""
MAX_NUMBER = 2**31 - 1
END = MAX_NUMBER + 1
"""Visit of a link with ``end``: the last visit of any trace."""
_ROOM = 1000  # characters for the names of settings that are left out
_MAX_PROBLEMS_SHOWN = 10  # sentences; more would hide the page that the link opens


class Facts(NamedTuple):
    """Facts on which bounds depend: the model of a page, its images, and the page's settings so far."""

    found: Mapping[str, Any]
    default_model: str

    @property
    def info(self) -> Any:
        """Description of the first lane's model."""
        return shipped_info(self.found.get("model_name", self.default_model))

    @property
    def rival(self) -> Any:
        """Description of the model beside it."""
        return shipped_info(self.found.get("rival_name", partner(self.info.name)))

    @property
    def n_h(self) -> tuple[int, int]:
        """Latents of the two models."""
        return self.info.n_h, self.rival.n_h

    @property
    def n_v(self) -> int:
        """Pixels of an image."""
        rows, columns = self._data.image_shape
        return rows * columns

    @property
    def n_test(self) -> int:
        """Test images."""
        return self._data.n_test

    @property
    def passes(self) -> int:
        """Passes that the Generate page draws."""
        return self.found.get("passes", GenerateState.param["passes"].default)

    @property
    def compared(self) -> str:
        """The data set that the Compare page is about."""
        return self.found.get("dataset_name", usual_dataset())

    @property
    def _data(self) -> Any:
        from lrbn_viz.catalog import DATASETS

        return DATASETS[self.found.get("dataset_name", self.info.dataset)]


Read = Callable[[str, Facts], Any]
"""Function from a text and the facts to a value; it raises ValueError, in words, for an invalid text."""


def whole(least: int, most: int | Callable[[Facts], int]) -> Read:
    """Return a reader of integers within bounds."""
    return lambda text, facts: whole_number(text, least, most(facts) if callable(most) else most)


def choice(options: Collection[str]) -> Read:
    """Return a reader of one of some names."""
    return lambda text, facts: one_of(text, options)


def packed(read: Callable[..., object], *sizes: Callable[[Facts], Any]) -> Read:
    """Return a reader that accepts a text that `read` can read; the empty text stands for nothing."""

    def check(text: str, facts: Facts) -> str:
        if text:
            read(text, *(size(facts) for size in sizes))
        return text

    return check


def held(lane: int) -> Read:
    """Return a reader of the held units of a lane."""
    return lambda text, facts: held_to_text(text_to_held(text, facts.n_h[lane]))


def _not_of_a_session(text: str) -> str:
    """Return a model's name without the prefix of factorised ones; ValueError for models of the session."""
    name = text.removeprefix(FACTORISED)
    if name.startswith(LIVE):
        name = quoted(name.removeprefix(LIVE), 100)
        raise ValueError(f"{name} belongs to a session that has ended")
    return name


def _refuse_absent_images(dataset: str, what: str) -> None:
    """Raise ValueError if a data set's files need a download; `what` begins the sentence."""
    from lrbn_viz.datasets.dataset import title_of
    from lrbn_viz.datasets.load import at_hand, how_to_get

    if not at_hand(dataset):
        raise ValueError(f"{what} images ({title_of(dataset)}) are not at hand: {how_to_get(dataset)}")


def _refuse_without_images(text: str) -> None:
    """Raise ValueError for a model that is shipped, and whose images need a download."""
    info = shipped_info(text)
    if info is not None:
        _refuse_absent_images(info.dataset, f"{info.name} comes with the package, but its")


def _model(text: str, facts: Facts) -> str:
    name = _not_of_a_session(text)
    _refuse_without_images(text)
    if name not in known_models() or shipped_info(text) is None:
        raise ValueError(f"there is no model called {quoted(text)} here")
    return text


def _rival(text: str, facts: Facts) -> str:
    """Return the name of a model of the same images, or of some that it can take."""
    from lrbn_viz.catalog import DATASETS

    found, first = shipped_info(_model(text, facts)), facts.info
    same = found is not None and DATASETS[found.dataset].image_shape == DATASETS[first.dataset].image_shape
    if found is None or not same or found.binary != first.binary:
        raise ValueError(f"{quoted(text)} models images of another kind than {first.name}")
    return text


def _drawing_rival(text: str, facts: Facts) -> str:
    """Return the name of a model of the same data set that draws pass by pass."""
    found, first = shipped_info(_rival(text, facts)), facts.info
    if found is None or found.dataset != first.dataset or not draws(found):
        raise ValueError(f"{quoted(text)} draws no images beside {first.name}")
    return text


def _data_set(text: str, facts: Facts) -> str:
    """Return the name of a data set whose images are of the shape that the model takes."""
    from lrbn_viz.catalog import DATASETS
    from lrbn_viz.datasets import at_hand

    if text in DATASETS:
        _refuse_absent_images(text, "its")
    one_of(text, [name for name in DATASETS if at_hand(name)])
    if DATASETS[text].image_shape != DATASETS[facts.info.dataset].image_shape:
        raise ValueError(f"{facts.info.name} takes no images of {text}")
    return text


def _generator(text: str, facts: Facts) -> str:
    _refuse_without_images(text)
    if _not_of_a_session(text) != text or text not in known_models(is_drawn):
        raise ValueError(f"no model called {quoted(text)} here can draw images in the first lane")
    return text


def _end(text: str, facts: Facts) -> str:
    return checked_end(text, facts.n_test, facts.passes)


def _of_the_model(lane: int, menu: int) -> Read:
    """Return a reader of an entry in a menu of a lane's model."""

    def read(text: str, facts: Facts) -> str:
        infos = (facts.info, facts.rival)
        mine, other = infos[lane], infos[1 - lane]
        here = offered(mine.kind.model, other.kind.model, mine.n_h == other.n_h)[menu]
        if text not in here:
            raise ValueError(f"{mine.name} has {', '.join(here) or 'none'}, got {quoted(text)}")
        if menu and lane and text == RIVAL_STATE == facts.found.get("start"):
            raise ValueError("each lane would start from the other's last state")
        return text

    return read


class Setting(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    name : str
        Name in addresses.
    parameter : str
        Parameter of the page's state.
    default : int or str
        That parameter's value where no address names it.
    read : callable
        Reader of the text, which checks kind and bounds.
    instead : str
        Description of the value that replaces an invalid text; ``{default}`` stands for the default.
    unless : callable
        Function of the state: True if the setting is omitted.
    write : callable, optional
        Function of the state that returns the written text; by default the parameter's value.
    """

    name: str
    parameter: str
    default: int | str
    read: Read
    instead: str
    unless: Callable[[Any], bool] = lambda state: False
    write: Callable[[Any], int | str] | None = None

    def value(self, state: Any) -> int | str:
        """Return the value that an address contains for a page's state."""
        return getattr(state, self.parameter) if self.write is None else self.write(state)


def _starts(lane: int) -> Callable[[Any], bool]:
    """Return a function that tells whether a lane's model has no choice of a start."""
    return lambda state: not state.starts_of(lane)


def _usual_rival(state: Any) -> bool:
    known = shipped_info(state.model_name) is not None
    return known and state.rival_name == partner(state.model_name)


def _own_data_set(state: Any) -> bool:
    """Return whether the images are those of the first lane's model, or of no data set that has a name."""
    from lrbn_viz.catalog import DATASETS

    info = shipped_info(state.model_name)
    return info is None or state.dataset_name == info.dataset or state.dataset_name not in DATASETS


def _unknown_method(state: Any) -> bool:
    """Return whether the inference chosen for the first lane is not offered by its model."""
    return state.algorithm not in state.lanes[0][1].trace_methods


def _usual_method(state: Any) -> bool:
    """Return whether the second lane has its model's usual inference."""
    return state.methods[1] == next(iter(state.lanes[1][1].trace_methods))


def _of_the_session(state: Any) -> bool:
    """Return whether the compared images depend on models of the session only, which no link can name."""
    return state.dataset_name not in datasets()


_latents = packed(text_to_latents, lambda facts: facts.n_h[0])
_rival_latents = packed(text_to_latents, lambda facts: facts.n_h[1])
_pixels = packed(text_to_pixels, lambda facts: facts.n_v)


def _drawing(text: str, facts: Facts) -> str:
    if text and not facts.info.binary:
        raise ValueError(f"{facts.info.name} has grey images, which cannot be drawn")
    return _pixels(text, facts)


def _systems(text: str, facts: Facts) -> str:
    """Return which systems are compared; the empty text stands for the default ones."""
    if text:
        for name in text.split("."):
            _refuse_without_images(name)
        text_to_systems(text, facts.compared)
    return text


def _highlighted(text: str, facts: Facts) -> str:
    if text:
        one_of(text, (facts.found.get("systems") or first_systems(facts.compared)).split("."))
    return text


def _compared_data(text: str, facts: Facts) -> str:
    from lrbn_viz.catalog import DATASETS

    if text in DATASETS:
        _refuse_absent_images(text, "its")
    return one_of(text, datasets())


def _preset(text: str, facts: Facts) -> str:
    from lrbn_viz.app.train.presets import PRESETS  # imports the engine, so only if a link names a recipe

    return one_of(text, PRESETS)


def _usual_recipe(state: Any) -> bool:
    """Return whether the form has the first recipe, or belongs to a run."""
    from lrbn_viz.app.train.presets import PRESETS

    return bool(state.run_name) or state.preset == next(iter(PRESETS))


_unit = packed(text_to_unit, lambda facts: facts.n_h[0], lambda facts: facts.n_h[1])
_parts = packed(text_to_names, lambda facts: [*PANELS, *CONTROLS])


def _visit(text: str, facts: Facts) -> int:
    """Return a number of visits, or `END`."""
    return END if text == "end" else whole_number(text, 0, MAX_NUMBER)


_row = whole(0, lambda facts: facts.n_test - 1)
_pass = whole(0, lambda facts: facts.passes - 1)

# By page, in the order of reading and writing.
SETTINGS: dict[str, tuple[Setting, ...]] = {
    "inference": (
        Setting("model", "model_name", "lrbn-200-mnist-flat", _model, "{default} is shown"),
        Setting(
            "rival",
            "rival_name",
            "rbm-200-mnist-likeliest",
            _rival,
            "the model that belongs beside it is shown",
            _usual_rival,
        ),
        Setting("data", "dataset_name", USUAL, _data_set, "the model's own images are shown", _own_data_set),
        Setting("image", "index", 0, _row, "image 0 is shown", lambda state: state.origin and state.drawn),
        Setting("drawn", "drawn", "", _drawing, "the image is shown as it is"),
        Setting(
            "algorithm",
            "algorithm",
            "icm",
            _of_the_model(0, 0),
            "the usual one is used",
            _unknown_method,
            lambda state: state.methods[0],
        ),
        Setting(
            "start",
            "start",
            "",
            _of_the_model(0, 1),
            "the usual one is used",
            _starts(0),
            lambda state: state.start_of(0),  # written even if it is the default
        ),
        Setting("from", "start_state", "", _latents, "no start state is used"),
        Setting("clamp", "clamp", "", held(0), "no unit is held"),
        Setting("seed", "seed", 0, whole(0, MAX_SEED), "0 is used"),
        Setting(
            "rival_algorithm",
            "rival_algorithm",
            "",
            _of_the_model(1, 0),
            "the usual one is used",
            _usual_method,
            lambda state: state.methods[1],
        ),
        Setting(
            "rival_start",
            "rival_start",
            "",
            _of_the_model(1, 1),
            "the usual one is used",
            _starts(1),
        ),
        Setting("rival_from", "rival_start_state", "", _rival_latents, "no start state is used"),
        Setting("rival_clamp", "rival_clamp", "", held(1), "no unit is held"),
        Setting(
            "rival_seed",
            "rival_seed",
            0,
            whole(0, MAX_SEED),
            "0 is used",
            lambda state: not state.rival_seed,
        ),
        Setting("visit", "cursor", 0, _visit, "visit 0 is shown"),
        Setting("unit", "selected", "", _unit, "the unit visited in lane 1 is explained"),
        Setting("units", "unit_order", "number", choice(UNIT_ORDERS), "units are ordered by number"),
        Setting(
            "since",
            "reference",
            "last",
            choice(REFERENCES),
            "a unit's own last visit is compared with",
            lambda state: state.reference == "last",
        ),
        Setting("hide", "hidden", "", _parts, "nothing is hidden"),
        Setting("present", "present", "", packed(text_to_cards), "all cards are shown"),
        Setting(
            "captions",
            "captions",
            "on",
            choice(CAPTIONS),
            "presenter mode has captions",
            lambda state: state.captions == "on",
        ),
        Setting("theme", "theme", "", choice(THEMES), "the visitor's own theme is used"),
    ),
    "train": (
        Setting("run", "run_name", "", lambda text, facts: run_name(text), "no run is opened"),
        Setting("moment", "cursor", -1, whole(0, MAX_NUMBER), "the present is shown"),
        Setting("preset", "preset", "", _preset, "the usual recipe is chosen", _usual_recipe),
    ),
    "generate": (
        Setting("generator", "model_name", "lrbn-200-200-mnist-likeliest", _generator, "{default} draws"),
        Setting(
            "generator_beside",
            "rival_name",
            "rbm-200-mnist-likeliest",
            _drawing_rival,
            "the model that belongs beside it draws",
            _usual_rival,
        ),
        Setting("draw_seed", "seed", 0, whole(0, MAX_SEED), "0 is used"),
        Setting("chain", "begin", "noise", choice(CHAIN_STARTS), "the chain starts from noise"),
        Setting("chain_image", "index", 0, _row, "test image 0 is used"),
        Setting("passes", "passes", 24, whole(1, MAX_PASSES), "{default} are drawn"),
        Setting("generator_clamp", "held", "", held(0), "no unit is held"),
        Setting("generator_beside_clamp", "rival_held", "", held(1), "no unit is held"),
        Setting("walk_from", "walk_from", "t0", _end, "{default} is used"),
        Setting("walk_to", "walk_to", "t1", _end, "{default} is used"),
        Setting("walk", "walk_way", "best", choice(WALK_WAYS), "{default} is used"),
        Setting("walk_at", "walk_at", -1, whole(0, 1000), "the middle is shown"),
        Setting("pass", "shown", -1, _pass, "the last is shown"),
        Setting("pass_step", "step", -1, whole(0, MAX_STEPS), "all steps are shown"),
    ),
    "compare": (
        Setting(
            "compare_data",
            "dataset_name",
            USUAL,
            _compared_data,
            "systems of {default} are compared",
            _of_the_session,
        ),
        Setting("systems", "systems", "", _systems, "the first ones are compared", _of_the_session),
        Setting(
            "compare_images", "images", 8, whole(MIN_IMAGES, MAX_IMAGES), "{default} test images are shown"
        ),
        Setting("compare_seed", "seed", 0, whole(0, MAX_SEED), "0 is used"),
        Setting("compare_by", "method", "usual", choice(METHODS), "the usual one is used"),
        Setting(
            "highlight",
            "chosen",
            "",
            _highlighted,
            "no system is highlighted",
            lambda state: _of_the_session(state) or state.chosen.startswith(OWN),
        ),
    ),
    "lessons": (
        Setting("lesson", "lesson", "", lambda text, facts: lesson_id(text), "no lesson is begun"),
        Setting("step", "step", 1, whole(1, MAX_LESSON_STEPS), "the first is shown"),
    ),
    "sweeps": (
        Setting("sweep", "chosen", "", lambda text, facts: sweep_name(text), "the one begun last is shown"),
    ),
}
FIRST = "inference"
"""The page whose state every address restores, whichever is shown; its defaults are written too."""

NAMES = frozenset(row.name for rows in SETTINGS.values() for row in rows)
_KNOWN = {*NAMES, "page", "too_long", "bokeh-session-id", "bokeh-token"}  # the last are Panel's own
_EVERYWHERE = {"theme", "hide"}
"""Settings of the Inference page that apply on all pages: the theme, and whether the header has links."""


def whole_state(query: str) -> dict[str, Any]:
    """Return all parameters of the Inference page's state that an address stands for, defaults too."""
    defaults = {row.parameter: row.default for row in SETTINGS[FIRST]}
    return {**defaults, "binary": True, "origin": "", "given": None, **read_page(FIRST, query).found}


def names_of_first(query: str) -> list[str]:
    """Return the names of the settings that determine what the Inference page shows, without the theme."""
    known = {row.name for row in SETTINGS[FIRST]} - {"theme"}
    return [name for name in Query(query).texts if name in known]


def settings_of(page: str) -> dict[str, Setting]:
    """Return the rows of one page by the parameter of its state."""
    return {row.parameter: row for row in SETTINGS[page]}


class Address(NamedTuple):
    """Contents of an address.

    Attributes
    ----------
    page : str
        Name of the page; empty where it names none.
    states : dict
        Parameters of each page's state, by the page's name.
    ignored : list of str
        One sentence for each setting that was left out: its name, the reason, and the value used instead.
    beside_own : mapping
        Texts of settings of the Generate page that depend on the models of a run; see `read_beside_own`.
    """

    page: str
    states: dict[str, dict[str, Any]]
    ignored: list[str]
    beside_own: Mapping[str, str] = MappingProxyType({})

    @property
    def words(self) -> list[str]:
        """Sentences for the page about ignored settings: the first ones, and the number of the others."""
        more = len(self.ignored) - _MAX_PROBLEMS_SHOWN
        sentences = ["Some of this link was ignored:"] if self.ignored else []
        sentences += self.ignored[:_MAX_PROBLEMS_SHOWN]
        return [*sentences, f"So were {more:,} more of its settings."] if more > 0 else sentences


def read_address(query: str, pages: Collection[str]) -> Address:
    """Read an address. The result is valid, whatever the address contains.

    Parameters
    ----------
    query : str
        The query string, with or without its ``?``.
    pages : collection of str
        Names of the pages; the first is shown where the address names none.
    """
    link = Query(query)
    link.take("page", "page", lambda text: one_of(text, pages), f"{next(iter(pages))} is shown")
    if "too_long" in link.texts:
        names = [name for name in link.texts["too_long"].split(".")[:MAX_NAMES] if name in _KNOWN]
        what = ", ".join(dict.fromkeys(names)) or "settings that no page has"
        link.ignored.append(f"The link had more than {MAX_QUERY_LENGTH:,} characters; left out: {what}.")
    states = {page: read_page(page, query) for page in SETTINGS}
    ignored = [*link.ignored, *(words for reading in states.values() for words in reading.ignored)]
    ignored += unknown_names(link, _KNOWN)
    return Address(
        link.found.get("page", ""),
        {page: reading.found for page, reading in states.items()},
        list(dict.fromkeys(ignored)),
    )


def settings_of_other_pages(address: Address, query: str, page: str) -> dict[str, list[str]]:
    """Return the valid settings of a link that the page shown does not use, by the page of each.

    The explorer's own addresses contain the whole state of the Inference page, on each page. Without the
    settings that it always writes, those of that page have been typed for another one.

    Parameters
    ----------
    address : Address
        The link, as it was read.
    query : str
        Its query.
    page : str
        Name of the page shown.
    """
    names = Query(query).texts.keys()
    used = {page, FIRST} if names >= _ALWAYS_WRITTEN else {page}
    if page == FIRST and "lesson" in address.states["lessons"]:  # shown beside this page
        used.add("lessons")
    found = {
        other: [
            row.name
            for row in SETTINGS[other]
            if row.name in names and row.parameter in state and row.name not in _EVERYWHERE
        ]
        for other, state in address.states.items()
        if other not in used
    }
    return {other: foreign for other, foreign in found.items() if foreign}


def _is_always_written(row: Setting) -> bool:
    """Return whether each address contains a setting of the Inference page."""
    return row.default != "" and row.unless is Setting._field_defaults["unless"]


_ALWAYS_WRITTEN = {row.name for row in SETTINGS[FIRST] if _is_always_written(row)}


def read_page(page: str, query: str) -> Reading:
    """Return the parameters of a page's state that a link names, and its errors in words."""
    link, rows = Query(query), settings_of(page)
    defaults = _defaults(page)
    facts = Facts(link.found, str(defaults.get("model_name", "")))
    for row in rows.values():
        _take(link, row, facts, defaults[row.parameter])
    for name, row in rows.items():
        if defaults[name] != row.default:
            link.found.setdefault(name, defaults[name])
    if "model_name" in link.found:
        info = facts.info
        link.found.setdefault("rival_name", partner(info.name))
        link.found.setdefault("dataset_name", info.dataset)
        if page == FIRST and not info.binary:
            link.found["binary"] = False
    if page == FIRST:
        _repair_image_and_starts(link)
    return link.reading


def _defaults(page: str) -> dict[str, Any]:
    """Return the defaults of a page's settings by parameter: of 8x8 digits if the usual images are absent."""
    defaults = {row.parameter: row.default for row in SETTINGS[page]}
    if usual_dataset() == USUAL:
        return defaults
    if "model_name" in defaults:
        return {**defaults, "model_name": SMALL_MODEL}
    return defaults | ({"dataset_name": SMALL} if "dataset_name" in defaults else {})


class _OwnFacts(NamedTuple):
    """Facts on which the bounds of settings depend if the models belong to one session."""

    n_h: tuple[int, int]
    n_test: int
    passes: int


def read_beside_own(texts: Mapping[str, str], state: GenerateState) -> Reading:
    """Return settings of the Generate page beside the session's own models, and in words what is wrong.

    Parameters
    ----------
    texts : mapping
        Texts of the settings by name.
    state : GenerateState
        With the models, whose sizes and images give the bounds.
    """
    first, second = (model.n_latents_ for model in state.models)
    facts: Any = _OwnFacts((first, second), len(state.dataset.test_X), state.passes)
    link = Query("?" + urlencode(texts))
    for row in settings_of("generate").values():
        if row.name in texts:
            _take(link, row, facts, row.default)
    return link.reading


def _take(link: Query, row: Setting, facts: Facts, default: Any) -> None:
    """Read one setting of a link."""
    instead = row.instead.format(default=default)
    link.take(row.name, row.parameter, lambda text: row.read(text, facts), instead)


def _repair_image_and_starts(link: Query) -> None:
    """Leave out settings of the Inference page that require another one which is missing."""
    found = link.found
    if found.get("drawn") and "image" not in link.texts:
        found["origin"] = ELSEWHERE
    for prefix, names in zip(("", "rival_"), LANES, strict=True):
        begin = f"{prefix}from"
        if found.get(names.start) == "last" and not found.get(names.state):
            why = f"last needs a start state, in the setting {begin}"
            link.leave_out(f"{prefix}start", names.start, why, "the usual one is used")
            found.pop(names.state, None)
        if found.get(names.state) and found.get(names.start) != "last":
            why = f"a start state needs {prefix}start to be last"
            link.leave_out(begin, names.state, why, "it is not used")


def write_page(page: str, state: Any) -> dict[str, str]:
    """Return the parameters of an address that restore a page's state, by name."""
    values = {row: row.value(state) for row in SETTINGS[page] if not row.unless(state)}
    return {
        row.name: str(value)
        for row, value in values.items()
        if value != "" and (page == FIRST or value != row.default)
    }


def link_to(page: str) -> str:
    """Return the query (with its ``?``) that opens a page as the header does."""
    return "?" + urlencode({"page": page})


def write_lesson(lesson: Any, theme: str = "") -> str:
    """Return the query (with its ``?``) of a lesson's step, which contains the state of the page."""
    return "?" + urlencode({**write_page("lessons", lesson), **({"theme": theme} if theme else {})})


def write_address(session: Session, page: str = "", state: Any = None) -> str:
    """Return the query (with its ``?``) that brings back the Inference page and, over it, another one.

    Of a page without a state, such as the list of lessons, it contains only the name.
    """
    named = {"page": page} if page else {}
    own = {} if state is None else write_page(page, state)
    return "?" + urlencode({**named, **own, **write_page(FIRST, session)})


def shortened(query: str) -> str:
    """Return a query of fewer than `MAX_QUERY_LENGTH` characters; ``too_long`` names what was left out."""
    texts = dict(Query(query).texts)
    left_out = []
    while len(urlencode(texts)) > MAX_QUERY_LENGTH - _ROOM:
        longest = max(texts, key=lambda name: len(urlencode({name: texts[name]})))
        del texts[longest]
        left_out.append(longest)
    return urlencode({**texts, "too_long": ".".join(name for name in left_out if name in _KNOWN)})
