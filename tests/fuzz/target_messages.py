"""Messages to every component, with the real states of all pages behind: no error, no line in the log."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import tempfile
from collections.abc import Sequence
from typing import Any, NamedTuple

from bokeh.document import Document
from fuzz import mutate
from fuzz.harness import Target
from panel.io.state import set_curdoc
from panel.viewable import Viewer

from lrbn_viz.app import shell
from lrbn_viz.app.address import read_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import (
    Bool,
    Float,
    Int,
    ListOf,
    Offered,
    OneOf,
    Str,
    Value,
    read_message,
)

ADDRESS = "?model=lrbn-12-digits&generator=lrbn-12-digits&passes=2&draw_seed=3"


class Sent(NamedTuple):
    """One thing that a browser sends: a message, or values of parameters."""

    component: int
    message: Any
    values: dict[str, Any] | None = None


class _Faults(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


class _Page(NamedTuple):
    document: Document
    explorer: shell.Explorer
    components: list[Component]
    viewers: dict[str, Any]
    faults: _Faults


@functools.cache
def _page() -> _Page:
    os.environ["LRBN_VIZ_RUNS"] = tempfile.mkdtemp()
    faults = _Faults()
    logging.getLogger().addHandler(faults)
    document = Document()
    components: dict[int, Component] = {}
    viewers: dict[str, Any] = {}
    with set_curdoc(document):
        address = read_address(ADDRESS, shell.PAGES)
        explorer = shell.Explorer(Session(**address.states["inference"]), address)
        page: Any = explorer.page
        for component in page.select(Component):
            components[id(component)] = component
        for name in shell.PAGES:
            parts = explorer._parts_of(name)
            for item in [*parts.main, *parts.sidebar]:
                if isinstance(item, Viewer):
                    viewers[type(item).__name__] = item
                viewable: Any = item.__panel__() if isinstance(item, Viewer) else item
                for component in viewable.select(Component):
                    components[id(component)] = component
    return _Page(document, explorer, list(components.values()), viewers, faults)


def _valid(rng: mutate.Random, value: Value, component: Component) -> Any:
    """Return something that a field takes, mostly near its bounds."""
    if isinstance(value, Int):
        near = [number for number in (-1, 0, 1, 2, 5, 11, 12, 24) if value.least <= number <= value.most]
        return mutate.pick(rng, [value.least, value.most, *near])
    if isinstance(value, Float):
        return mutate.pick(rng, [value.least, value.most, 0.5 * value.least + 0.5 * value.most])
    if isinstance(value, Bool):
        return bool(rng.random() < 0.5)
    if isinstance(value, OneOf):
        return mutate.pick(rng, value.choices)
    if isinstance(value, ListOf):
        return [_valid(rng, value.value, component) for _ in range(rng.integers(4))]
    if isinstance(value, Offered):
        offered = [name for name in value.choices(component) if not ("200" in name or "400" in name)]
        return mutate.pick(rng, offered or value.choices(component))
    assert isinstance(value, Str)
    session = _page().explorer.session
    texts = [
        "seed",
        "0.n_components",
        "preset",
        "small",
        "12",
        "t0",
        "s1",
        "AAAAAAAAAAA",
        "digits",
        "lrbn-16-digits",
    ]
    return mutate.pick(rng, [*texts, session.question, "1" * value.most, *map(str, mutate.WORDS)])[
        : value.most
    ]


def _some(rng: mutate.Random, number: int) -> Sent:
    component = _page().components[number]
    if component.set_by_browser and rng.random() < 0.5:
        names = sorted(component.set_by_browser)
        return Sent(
            number, None, {mutate.pick(rng, names): mutate.pick(rng, (0, 3, "", "0.5", "matrix", "usage"))}
        )
    kinds = component.kinds
    if not kinds:
        return Sent(number, {"type": "none"})
    kind = mutate.pick(rng, sorted(kinds))
    return Sent(
        number, {"type": kind, **{name: _valid(rng, value, component) for name, value in kinds[kind].items()}}
    )


def _sent(rng: mutate.Random, corpus: Sequence[Sent]) -> Sent:
    number = int(rng.integers(len(_page().components)))
    sent = _some(rng, number)
    if rng.random() < 0.2:
        return sent
    if sent.values is not None:
        names = [*sent.values, "live", "value", "options", "models", "cursor"]
        return Sent(number, None, {mutate.pick(rng, names): mutate.odd_value(rng)})
    with contextlib.suppress(TypeError, OverflowError):  # not of a message with bytes
        return Sent(number, mutate.edited(rng, sent.message))
    return Sent(number, mutate.odd_value(rng))


def _send(sent: Sent) -> None:
    document, explorer, components, viewers, faults = _page()
    component = components[sent.component]
    faults.texts.clear()
    with set_curdoc(document):
        _calm(explorer, viewers)
        before = _state(explorer)
        if sent.values is not None:
            component._process_events(sent.values)
        else:
            refused = read_message(sent.message, component.kinds, component) is None
            component._handle_msg(sent.message)
            assert not refused or _state(explorer) == before, "a message that is none has changed something"
        viewers["UploadPanel"].upload.poll()
        explorer.session.models  # noqa: B018 - whatever was chosen can be shown
        assert explorer.shown in shell.PAGES
        said = [text for text in explorer.notices.texts if "Something went wrong" in text]
        explorer.notices.dismiss()
    assert faults.texts == [], f"{sent}: {faults.texts[0]}"
    assert said == []


def _state(explorer: shell.Explorer) -> tuple[Any, ...]:
    session = explorer.session
    return (
        session.model_name,
        session.index,
        session.drawn,
        session.traces,
        session.cursor,
        session.hidden,
        explorer.shown,
    )


def _calm(explorer: shell.Explorer, viewers: dict[str, Any]) -> None:
    """Keep what an input costs small, and no run in training: its form never can be."""
    state = viewers["FormPanel"].state
    if "seed" not in state.messages:
        state.edit("seed", "none")
    generation = viewers["GeneratePanel"].generation
    if generation.passes > 2 or generation.model_name != "lrbn-12-digits":
        generation.compare("lrbn-12-digits")
        generation.param.update(passes=2)
    if explorer.session.model_name not in ("lrbn-12-digits", "lrbn-16-digits"):
        explorer.session.compare("lrbn-12-digits")


def _corpus() -> Sequence[Sent]:
    import numpy as np

    rng = np.random.default_rng(0)
    return [_some(rng, number) for number in range(len(_page().components)) for _ in range(3)]


TARGETS = [Target("messages", _send, (), _corpus, _sent)]
