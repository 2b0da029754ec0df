"""Write a live page: models, images and the engine in one file of HTML.

The page infers in JavaScript, in double precision, with the models' own weights. Every decision is the one
that Python's ``trace`` makes: a test compares them, for each kind of inference, start and model that a page
offers.
"""

from __future__ import annotations

import html
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.browser.module import module
from lrbn_viz.catalog import PRETRAINED, factorised, pretrained, starts_in_words, usual_start
from lrbn_viz.core.model import Model, TraceMethod
from lrbn_viz.core.units import UNITS
from lrbn_viz.core.validation import check_integer
from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.datasets.dataset import image_title, title_of
from lrbn_viz.io.constants import FACTORISED, FACTORISED_TITLES
from lrbn_viz.io.storage import write_atomic
from lrbn_viz.measure import reconstruction_error
from lrbn_viz.view.lessons import Lesson, shipped_lessons
from lrbn_viz.view.live.files import NAME, file_of, tiny
from lrbn_viz.view.live.lessons import (
    SetName,
    Shown,
    described_lesson,
    fitting,
    guided,
    lessons_on_training,
    shown_in_pages,
)
from lrbn_viz.view.live.training import check_trains, training_blocks
from lrbn_viz.view.player.export import as_text, page_in_one_file
from lrbn_viz.view.player.greyscale import shades
from lrbn_viz.view.player.packing import pack_images, pack_models, rounded_model
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.usage import count_usage
from lrbn_viz.view.player.wire import pack, unpack

N_IMAGES = 200
"""Test images of a page, unless others are asked for."""
MAX_IMAGES = 2000
N_IMAGES_BESIDE = 40
"""First test images of each other data set, of which the page holds what the lessons show."""
MAX_WEIGHTS_BESIDE = 5000
"""Largest number of weights of a model of another data set: with all its bits some kB of the file."""
N_MEASURED = 1000
"""Test images on which rounded weights are measured, the first ones."""
LEVELS = (127, 127)
"""Levels of rounded weights, on either side of zero: 8 bits."""
MODELS = (
    "lrbn-200-mnist-strokes",
    "rbm-200-mnist-likeliest",
    "lrbn-200-mnist-flat",
    "lrbn-200-mnist-learned",
)
"""Models of the page if none is named: those of all lessons on digits."""
IMAGES = PRETRAINED[MODELS[0]].dataset
"""Data set of these models."""
TRAINING_MODELS = ("lrbn-16-digits",)
"""The same of a page that trains."""

BODY = """<noscript>This page computes in the browser; it needs JavaScript.</noscript>
<div id="live" style="height: 100%"></div>"""
_ADDED = """
<script type="text/plain" id="added"></script>"""
# A page defines `block`, which returns the bytes of a name, `script`, which returns the address of a script,
# `more`, the names of blocks that come after the first picture, and `later`, whether training may come then.
_START = """const root = document.getElementById("live");
const first = Promise.all(["models", "images", "usage", "others", "kernels"].map(block));
const [{createPage}, engine] = await Promise.all([script("code").then((it) => import(it)), script("engine")]);
const [models, images, usage, others, kernels] = await first;
const rest = more.length ? () => Promise.all(more.map(block)) : null;
const views = {%s};
window.lrbnLive = createPage(root, {models, images, usage, others, kernels, engine, rest, views});"""
_VIEW = '%s: async () => [await import(await script("%s")), %s]'
_TRAIN = """
const train = async () => {
  const [{createTraining}, worker, run, kernels] = await Promise.all([
    script("train").then((it) => import(it)), script("trainer"), block("run"), block("learning"),
  ]);
  window.lrbnTraining = window.lrbnLive && createTraining(window.lrbnLive, {run, worker, kernels});
};
const now = %s && (!later || !location.hash);
if (now || /page=(train|generate)/.test(location.hash)) await train();
else (window.requestIdleCallback ?? setTimeout)(train);"""
_IN_FILE = """const blocks = {%s}, more = [], later = false;
const block = async (name) => blocks[name];
const script = async (name) =>
  URL.createObjectURL(new Blob([blocks[name]], {type: "text/javascript"}));
"""

STARTS = {"conditional", "paper", "zeros", "random", "recognition"}
"""Starts that the engine supports, by name."""


class PageParts(NamedTuple):
    """Parts of a page: its title, its blocks by name, and its lessons."""

    title: str
    blocks: dict[str, bytes]
    lessons: tuple[Lesson, ...]


class LiveModel(NamedTuple):
    """One model of a page: its name in links, what people read, and the model."""

    name: str
    title: str
    model: Model


UNDIRECTED = {"top", "undirected"}
"""Bounds of models with undirected layers, whose traces are of means, whatever the method."""


def is_live(kind: Model | type[Model]) -> bool:
    """Return whether the page's engine supports a model: an LRBN of any depth, or independent latents."""
    if kind.visible_units and not UNITS[kind.visible_units].in_browser:
        return False
    directed = kind.graph == "directed" and bool(live_methods(kind)) and set(kind.starts) <= STARTS
    return kind.factorised or directed or kind.mean_field_bound in UNDIRECTED


def live_methods(kind: Model | type[Model]) -> dict[str, TraceMethod]:
    """Return the kinds of inference of a model that the page's engine knows."""
    known = {"visits", "mean-field", "recognition", "particles"}
    return {name: each for name, each in kind.trace_methods.items() if _kind_of(each) in known}


def draws_passes(kind: Model | type[Model]) -> bool:
    """Return whether the page's engine draws samples of a model pass by pass."""
    return kind.draws_passes and is_live(kind)


def _kind_of(method: TraceMethod) -> str:
    """Return the kind of a method's visits: they decide on states, unless the method names another kind."""
    return method.arguments.get("kind", "visits")


def live_html(
    models: Sequence[str | LiveModel] = (),
    *,
    data: Dataset | None = None,
    n_images: int = N_IMAGES,
    image: int = 0,
    opening: Mapping[str, str] | None = None,
    title: str | None = None,
    small: bool = False,
    train: bool | None = None,
) -> str:
    """Return a page that infers images in the browser: one file, which asks no server for anything.

    Parameters
    ----------
    models : sequence of str or LiveModel
        Names of shipped models, or models with a name and a title; all take images of one data set. An LRBN
        of one layer brings its own weights read factorised, and the first model is shown beside these. The
        page holds the small models of other data sets, too, that lessons and the guide show. When there are
        none, those of all lessons on digits, or of a page that trains the model of 8x8 digits.
    data : Dataset, optional
        Whose test images the page has; those of the first model, which is a shipped one, when None.
    n_images : int
        How many of them, the first ones; 1 to 2,000.
    image : int
        Row of the test image that is shown first. It is there even if it is not among the first ones.
    opening : mapping from name to text, optional
        What else is shown first, as the addresses of the explorer say it. An address of the page itself,
        after its ``#``, says it in the same way.
    title : str, optional
        Title of the page; the kind of the first model, live, when None.
    small : bool
        Round the weights to 8 bits, a row a step of its own, for a file of half the size. These are other
        models: the page says so, and how many pixels they get wrong beside those with all bits.
    train : bool, optional
        Let the page train models itself, an LRBN by hard EM beside an RBM, on the data set of its models, and
        begin with that. When None, the page of all lessons trains, too, on 8x8 digits, and no other does.

    Returns
    -------
    str
        The HTML: with one model of 200 latents and 200 images half a megabyte.

    Raises
    ------
    ValueError
        A model is not known, is of a kind that the page cannot infer, or takes other images; there are too
        many images, or too few; or the page would train on a data set that it cannot.
    """
    parts = live_blocks(
        models, data=data, n_images=n_images, image=image, opening=opening, title=title, small=small,
        train=train,
    )  # fmt: skip
    return _in_one_file(parts, bool(train))


def class_html(models: Sequence[str], lessons: Sequence[Lesson]) -> tuple[str, tuple[Lesson, ...]]:
    """Return the live page of a class, without the steps of lessons, and its lessons.

    Parameters
    ----------
    models : sequence of str
        As in :func:`live_html`.
    lessons : sequence of Lesson
        Offered ones, of which the page has those that it can run, and those on training that it can.

    Raises
    ------
    ValueError
        As :func:`live_html`.
    """
    parts = live_blocks(models, lessons=lessons, for_class=True)
    return _in_one_file(parts, first=False), parts.lessons


def _in_one_file(parts: PageParts, first: bool) -> str:
    """Return the page of these blocks; with `first` it begins with training."""
    texts = {name: as_text(block) for name, block in parts.blocks.items()}
    start = _IN_FILE % ", ".join(parts.blocks) + start_script(parts.blocks, first)
    return page_in_one_file(html.escape(parts.title), BODY + _ADDED, start, texts)


VIEWS = {
    "generate": "{}",
    "compare": '{worker: await script("comparer"), measuring: await block("measuring"), kernels}',
}
"""Blocks with the code of views, which comes when they are first shown, and what it is given."""


def start_script(blocks: Collection[str], first: bool) -> str:
    """Return the JavaScript that begins a page of these blocks once `block`, `script` and `more` are defined.

    With `first` it begins with training, if its address says nothing else.
    """
    train = _TRAIN % str(first).lower() if "train" in blocks else ""
    views = ", ".join(_VIEW % (name, name, given) for name, given in VIEWS.items() if name in blocks)
    return f"{{\n{_START % views}{train}\n}}"  # a scope: a page has names of its own


def live_blocks(
    models: Sequence[str | LiveModel] = (),
    *,
    data: Dataset | None = None,
    n_images: int = N_IMAGES,
    image: int = 0,
    opening: Mapping[str, str] | None = None,
    title: str | None = None,
    small: bool = False,
    train: bool | None = None,
    apart: bool = False,
    lessons: Sequence[Lesson] | None = None,
    for_class: bool = False,
) -> PageParts:
    """Return the title, the blocks and the lessons of a page of :func:`live_html`.

    Of `lessons`, those of the package when None, it has those that it can run; `for_class` without steps.
    With `apart` the block ``"models"`` has those that are shown first, ``"models1"`` and so on the others.
    """
    asked = [_found(model) for model in models or (TRAINING_MODELS if train else MODELS)]
    if not asked:
        raise ValueError(f"expected at least one model, got none; such as {MODELS[0]}.")
    dataset = data if data is not None else _images_of(asked[0])
    shown = shown_in_pages()
    shipped = _all_shipped([each.name for each in asked], dataset)
    own_set = shown.get(SetName(dataset.name, dataset.binary), Shown((), ())) if shipped else Shown((), ())
    names = [each.name for each in asked]
    chosen = [*asked, *(each for each in _small_models(own_set.models) if each.name not in names)]
    exact = with_factorised(chosen)
    small = small and any(_n_weights(each) > MAX_WEIGHTS_BESIDE for each in chosen)
    every = with_factorised([rounded(each) for each in chosen]) if small else exact
    for each in every.values():
        _check(each, dataset)
    if train:
        check_trains(dataset)
    learns_from = dataset if train else None
    if not models and train is None:
        learns_from = _images_of(_found(TRAINING_MODELS[0]))
    # what a lesson says is true of shipped models, with all bits
    taught = shipped and not small
    rows = own_set.rows if taught and set(own_set.models) & set(every) else ()
    meta, arrays = live_images(every.values(), dataset, n_images, image, rows)
    others = [found for each in shown.values() if each is not own_set and (found := _small_set(*each))]
    own = [(tuple(every) if taught else (), arrays["index"].tolist())]
    held = {name: rows for names, rows, *_ in (*own, *others) for name in names}
    can_hide = dataset.binary and all(each["takes_unknown"] for each in meta["models"])
    here = guided(fitting(shipped_lessons() if lessons is None else lessons, held), names, can_hide)
    here += lessons_on_training(learns_from.name) if learns_from is not None else ()
    title = f"{next(iter(every.values())).model.short} live" if title is None else title
    meta |= {"title": title, "opening": dict(opening or {})}
    meta |= {"lessons": [described_lesson(lesson, not for_class) for lesson in here], "in_class": for_class}
    if small:
        meta["rounded"] = _rounded_words(exact.values(), every, dataset)
    models_here = {name: each.model for name, each in every.items()}
    parts = _first_and_others(exact, meta["shown"]) if apart else [exact]
    blocks = {
        "code": module_text("view/live/js/live.js").encode(),
        "engine": module_text("view/live/js/worker.js").encode(),
        "models": packed_models(parts[0], dataset, small=small),
        "images": pack(meta, arrays),
        "usage": count_usage(models_here, dataset.test_X),
        "others": _joined([each.blocks for each in others]),
        "kernels": module(),
        "generate": module_text("view/live/js/generate.js").encode(),
    }
    if learns_from is not None:
        blocks |= training_blocks(learns_from, described, first=bool(train)) | comparing_blocks()
    blocks |= {f"models{n}": packed_models(part, dataset, small=small) for n, part in enumerate(parts[1:], 1)}
    return PageParts(title, blocks, tuple(here))


def comparing_blocks() -> dict[str, bytes]:
    """Return what a page needs that compares models: code, which it loads when it is asked for."""
    # a page of one or two models shows them side by side in any case, and would be a tenth larger
    return {
        "compare": module_text("view/live/js/compare.js").encode(),
        "comparer": module_text("view/live/js/compare_worker.js").encode(),
        "measuring": module("measuring"),
    }


def _first_and_others(every: Mapping[str, LiveModel], shown: Sequence[str]) -> list[dict[str, LiveModel]]:
    """Return the models that are shown first, and each other one; each with its weights read factorised."""
    first = {name.removeprefix(FACTORISED) for name in shown}
    parts: dict[str, dict[str, LiveModel]] = {"": {}}
    for name, each in every.items():
        own = name.removeprefix(FACTORISED)
        parts.setdefault("" if own in first else own, {})[name] = each
    return list(parts.values())


class SmallSet(NamedTuple):
    """Models of another data set than a page's own, with some test images of it."""

    names: tuple[str, ...]
    rows: list[int]
    blocks: dict[str, bytes]


@cache
def _small_set(models: Sequence[str], rows: Sequence[int]) -> SmallSet | None:
    """Return shipped models of one data set with its first test images and these; None if they are large."""
    chosen = _small_models(models)
    if not chosen:
        return None
    every = with_factorised(chosen)
    dataset = _images_of(next(iter(every.values())))
    meta, arrays = live_images(every.values(), dataset, N_IMAGES_BESIDE, 0, rows)
    found = {name: each.model for name, each in every.items()}
    blocks = {
        "models": packed_models(every, dataset, small=False),
        "images": pack(meta, arrays),
        "usage": count_usage(found, dataset.test_X),
    }
    return SmallSet(tuple(every), arrays["index"].tolist(), blocks)


def _small_models(names: Sequence[str]) -> list[LiveModel]:
    """Return the shipped models of these names; none if one of them is large."""
    found = [_found(name) for name in names if not name.startswith(FACTORISED)]
    return [] if any(_n_weights(each) > MAX_WEIGHTS_BESIDE for each in found) else found


def _n_weights(each: LiveModel) -> int:
    return each.model.n_visible_ * each.model.n_latents_


def _joined(sets: Sequence[Mapping[str, bytes]]) -> bytes:
    """Return the blocks of several data sets as one."""
    arrays = {
        f"{name}{n}": np.frombuffer(block, np.uint8)
        for n, blocks in enumerate(sets)
        for name, block in blocks.items()
    }
    return pack({"sets": len(sets)}, arrays)


def _all_shipped(names: Iterable[str], data: Dataset) -> bool:
    """Return whether all models, by name, are shipped ones, with the images that they come with."""
    infos = [PRETRAINED.get(name.removeprefix(FACTORISED)) for name in names]
    return all(info is not None and info.dataset == data.name for info in infos)


def rounded(each: LiveModel) -> LiveModel:
    """Return a model with weights of 8 bits, called so."""
    model: Any = each.model
    fine = np.ones(model.n_latents_, bool)
    other: Any = rounded_model(model, fine, LEVELS)
    other.set_params(**model.get_params())  # its own start and sweeps
    return LiveModel(each.name, f"{each.title}, weights of 8 bits", other)


def packed_models(every: Mapping[str, LiveModel], data: Dataset, *, small: bool) -> bytes:
    """Return the models as a block: their weights exactly, or of 8 bits."""
    models = {name: each.model for name, each in every.items()}
    if not small:
        return pack_models(models, data.image_shape, exact=True)
    fine = {name: np.ones(model.n_latents_, bool) for name, model in models.items()}
    return pack_models(models, data.image_shape, fine, LEVELS, own=True)


def _rounded_words(exact: Iterable[LiveModel], every: Mapping[str, LiveModel], data: Dataset) -> str:
    """Return the page's sentence about rounded weights, with the reconstruction error that they have."""
    X = data.test_X[:N_MEASURED]
    said = []
    for each in exact:
        if each.name.startswith(FACTORISED):
            continue
        both = every[each.name].model, each.model
        errors = [float(reconstruction_error(model, X).mean()) for model in both]
        states = [np.hstack(model.infer(X)) > 0.5 for model in both]
        others = float((states[0] != states[1]).any(axis=1).mean())
        said.append(
            f"{each.title}: {errors[0]:.2f}, with all bits {errors[1]:.2f}; "
            f"{100 * others:.0f} % of the images end in other states."
        )
    unit = "Wrong pixels" if data.binary else "Squared error"
    return (
        "The weights in this file are rounded to 8 bits: these are other models than those with all bits. "
        f"{unit} of an image, mean of {len(X):,} test images. {' '.join(said)}"
    )


def export_live(
    path: str | os.PathLike[str],
    *models: str,
    n_images: int = N_IMAGES,
    small: bool = False,
    train: bool | None = None,
) -> int:
    """Write a live page of shipped models to a file, whole or not at all; return its bytes.

    Parameters
    ----------
    path : path
    *models : str
        Names of shipped models of one data set; when there are none, those of all lessons on digits, or of a
        page that trains the model of 8x8 digits.
    n_images : int
        Test images, the first ones; 1 to 2,000.
    small : bool
        Round the weights to 8 bits; the page says that these are other models.
    train : bool, optional
        Let the page train an LRBN beside an RBM itself, on the data set of its models (8x8 digits, bars,
        MNIST), and begin with that; when None, the page of all lessons trains on digits.

    Raises
    ------
    ValueError
        As :func:`live_html`.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.export_live("page.html", "lrbn-2-alarm", n_images=2) > 10_000  # bytes
    True
    """
    return write_atomic(path, live_html(models, n_images=n_images, small=small, train=train).encode())


def _found(model: str | LiveModel) -> LiveModel:
    if isinstance(model, LiveModel):
        return model
    if model not in PRETRAINED:
        raise ValueError(
            f"no pretrained model is called {model!r}; expected one of {', '.join(live_names())}."
        )
    return LiveModel(model, PRETRAINED[model].title, pretrained(model))


@cache
def live_names() -> tuple[str, ...]:
    """Return the names of the shipped models that a live page can hold."""
    return tuple(name for name, info in PRETRAINED.items() if is_live(info.kind.model))


def with_factorised(chosen: Sequence[LiveModel]) -> dict[str, LiveModel]:
    """Return models by name, and after them the weights of each, factorised, where they can be read so."""
    if not chosen:
        raise ValueError(f"expected at least one model, got none; such as {MODELS[0]}.")
    every = {each.name: each for each in chosen}
    for each in chosen:
        if each.model.has_rbm_parameters:
            name, title = FACTORISED + each.name, f"{FACTORISED_TITLES[1]} ({each.title})"
            every[name] = LiveModel(name, title, factorised(each.model))
    return every


def _images_of(first: LiveModel) -> Dataset:
    info = PRETRAINED.get(first.name)
    if info is None:
        raise ValueError(f"{first.name} is no shipped model: give data=, whose test images it takes.")
    return load_dataset(info.dataset, binary=info.binary)


def _check(each: LiveModel, data: Dataset) -> None:
    """Raise ValueError, in words, for a model that the page cannot show."""
    model = each.model
    if not is_live(model):
        raise ValueError(
            f"{each.name} is a {model.short}; a live page does not know how it infers. "
            f"Choose one of {_others(data)}, or open the explorer."
        )
    if model.n_visible_ != data.n_v or (model.visible == "bernoulli") != data.binary:
        kind = "binary" if data.binary else "real-valued"
        raise ValueError(
            f"{each.name} takes images of {model.n_visible_} {model.visible} units; those of {data.name} are "
            f"{kind}, of {data.n_v} pixels."
        )


def _others(data: Dataset) -> str:
    """Return the names of the shipped models of a data set's images that a page can hold."""
    names = [name for name in live_names() if PRETRAINED[name].dataset == data.name]
    return ", ".join(names) or ", ".join(MODELS)


def _partner(name: str, every: Collection[str]) -> str:
    """Return the name of the model that one is shown beside: its weights, factorised, or another here."""
    if name.startswith(FACTORISED):
        return name.removeprefix(FACTORISED)
    if FACTORISED + name in every:
        return FACTORISED + name
    return next((other for other in every if other != name and not other.startswith(FACTORISED)), name)


def described(name: str, title: str, model: Model, partner: str = "") -> dict[str, Any]:
    """Return the description of a model for the page's session; JSON values.

    `partner` is the name of the model that it is shown beside at first; its own when empty.
    """
    return {
        "key": name,
        "title": title,
        "short": model.short,
        "partner": partner or name,
        "methods": [_method(key, method, model) for key, method in live_methods(model).items()],
        "starts": list(model.starts.items()) if "init" in model.trace_options else [],
        "whole_starts": sorted(model.whole_starts),
        "several_layers": model.several_layers,
        "has_rbm_parameters": partner == FACTORISED + name,
        "directed": model.graph == "directed",
        "takes_clamp": "clamp" in model.trace_options,
        "takes_unknown": model.takes_unknown
        and not all(method.whole_only for method in live_methods(model).values()),
        "has_ladder": model.has_rbm_parameters,
        "draws_passes": draws_passes(model),
        "usual_start": _usual_start(model),
        "opens_from": usual_start(name),
        "note": starts_in_words(name) if "init" in model.trace_options else "",
        "file": None if name.startswith(FACTORISED) else file_of(model),
    }


@cache
def file_kinds(visible: str) -> list[dict[str, Any]]:
    """Return how the models of files are described that a page opens, by kind, with their weights factorised.

    ``infos`` are for the page's session, and ``models`` for the player; ``own_sweeps`` the methods that make
    as many sweeps as the file says.
    """
    found = []
    for model in tiny(visible):
        every = with_factorised([LiveModel(NAME, NAME, model)])
        models = {name: each.model for name, each in every.items()}
        found.append(
            {
                "infos": [described(*each, _partner(each.name, every)) for each in every.values()],
                "models": unpack(pack_models(models, (model.n_visible_, 1)))[0]["models"],
                "own_sweeps": [
                    name for name, how in live_methods(model).items() if "max_sweeps" not in how.arguments
                ],
            }
        )
    return found


def _usual_start(model: Model) -> str:
    """Return the start of a model's own inference; empty if it is random or has no name."""
    start = getattr(model, "init", "")
    return start if isinstance(start, str) and start != "random" else ""


def _method(name: str, method: TraceMethod, model: Model) -> dict[str, Any]:
    """Return how a method visits latents; JSON values."""
    how = method.arguments
    temperature = how.get("temperature", 0.0)
    return {
        "name": name,
        "title": method.title,
        "kind": "mean-field" if model.mean_field_bound in UNDIRECTED else _kind_of(method),
        "guess": how.get("guess", True),
        "order": how.get("order", "sequential"),
        "temperature": list(temperature) if isinstance(temperature, tuple) else temperature,
        "max_sweeps": _sweeps_of(method, model),
        "bound": model.mean_field_bound,
        "sampled": method.sampled,
        "start": method.start,
        "whole_only": method.whole_only,
        "in_part": method.in_part,
        "n_particles": how.get("n_particles", 0),
        "draws": method.draws,
    }


def _sweeps_of(method: TraceMethod, model: Model) -> int:
    """Return how many sweeps a method makes at most, after a recognition network's pass if it begins so."""
    kind = _kind_of(method)
    if model.mean_field_bound in UNDIRECTED:
        return method.arguments.get("n_sweeps", model.mean_field_sweeps)
    if model.mean_field_bound and kind != "visits":
        return model.mean_field_sweeps if kind == "mean-field" else 0
    return method.arguments.get("max_sweeps", getattr(model, "max_sweeps", 0))


def live_images(
    models: Iterable[LiveModel], data: Dataset, n_images: int, image: int, others: Sequence[int] = ()
) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Return the images for the page's session: metadata and arrays of a packed block.

    Of the images the first `n_images` test images, the one in row `image`, which is shown first, and those in
    the rows `others`.
    """
    check_integer(n_images, "n_images", 1, MAX_IMAGES)
    check_integer(image, "image", 0, len(data.test_X) - 1)
    every = {each.name: each for each in models}
    first = next(iter(every))
    rows = np.union1d(np.arange(min(n_images, len(data.test_X))), [image, *others]).astype(np.int64)
    X = data.test_X[rows]
    arrays = {
        **pack_images(data, X),
        "index": rows.astype(np.uint32),
        "label": data.test_y[rows].astype(np.uint16),
    }
    grey = shades(data)
    if grey is not None:
        arrays |= {"x": np.asarray(X, np.float64), "shades": grey}
    meta = {
        "models": [described(*each, _partner(each.name, every)) for each in every.values()],
        "file_kinds": file_kinds("bernoulli" if data.binary else "gaussian"),
        "shown": [first, _partner(first, every)],
        "title": "",
        "rounded": "",
        "lessons": [],
        "in_class": False,
        "opening": {},
        "dataset": data.name,
        "part": "test",
        "data": title_of(data.name),
        "test_image": image_title(data.name, "test", table=data.is_table),
        "image": image,
        "class_names": list(data.class_names),
        "variables": data.variables,
        "image_shape": list(data.image_shape),
        "binary": data.binary,
    }
    return meta, arrays
