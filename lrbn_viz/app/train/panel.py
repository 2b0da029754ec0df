"""The Train page: the board, and the form in the side bar, both views of one state."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import starmap
from typing import Any

import numpy as np
from panel.io.callbacks import PeriodicCallback
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.shared.component import report_errors_on_page
from lrbn_viz.app.shared.polling import Poller
from lrbn_viz.app.train.component import TrainBoard, TrainForm
from lrbn_viz.app.train.feed import Feed
from lrbn_viz.app.train.form import (
    NONE,
    RUN,
    is_whole,
    offered,
    options_of,
    run_fields,
    systems_for,
    text_of,
    unknown_in_words,
)
from lrbn_viz.app.train.inspection import Inspection
from lrbn_viz.app.train.model_files import MODEL_BUDGET
from lrbn_viz.app.train.opening import Opened
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.app.visitors.runs import VisitorRuns
from lrbn_viz.catalog import SYSTEMS, UNITS
from lrbn_viz.core.fields import Field
from lrbn_viz.datasets.dataset import DatasetInfo, title_of
from lrbn_viz.studies.runs import LaneConfig, RunConfig, StoredRun, is_run_name
from lrbn_viz.studies.runs.estimate import layer_sizes, time_words
from lrbn_viz.view.player.wire import pack

FRAME_MS = 33
ESSENTIAL = (*UNITS, "learning_rate")
"""Settings of a model that the form always shows; all others are under "More settings"."""
MIN_GAP = 0.6e-3 * FRAME_MS
"""Smallest interval between two messages, seconds; with less, two would be painted together."""


class BoardPanel(Viewer):
    """The board, updated while its page is shown.

    Parameters
    ----------
    state : TrainState
    on_inspect : callable
        Called with an `Inspection` for the Inference page.
    on_narrow : callable
        Called on narrow screens, where the open form covers the board.
    """

    def __init__(
        self, state: TrainState, on_inspect: Callable[[Inspection], None], on_narrow: Callable[[], None]
    ) -> None:
        super().__init__()
        self.state = state
        self.feed = Feed(state)
        self.board = TrainBoard(
            {
                "open": self.feed.open,
                "seen": self.feed.acknowledge,
                "start": state.start,
                "pause": state.pause,
                "step": state.step,
                "stop": state.stop,
                "reset": state.reset,
                "leave": state.leave,
                "branch": state.branch,
                "write_again": state.write_again,
                "back": state.go_back,
                "look": state.look,
                "inspect": self._inspect,
                "filter": state.look_into,
                "narrow": on_narrow,
                "sight": self._set_in_sight,
                "on": state.train_on,
                "show": state.open_all_lanes,
                "draw": state.draw_with_all_lanes,
                "save": state.ask_to_save,
            },
            sizing_mode="stretch_both",
        )
        self._polling: Any = None
        self._sent_at = 0.0
        self._on_inspect = on_inspect

    def _inspect(self, number: int) -> None:
        found = self.state.inspection(number)
        if found is not None:
            self._on_inspect(found)

    def _set_in_sight(self, on: bool) -> None:
        self.feed.in_sight = on

    def shown(self, shown: bool) -> None:
        """Start or stop polling the run for news."""
        if shown and self._polling is None:
            # In the background, as each call would set the server's busy state twice, at double cost.
            self._polling = PeriodicCallback(callback=self.poll, period=FRAME_MS, background=True)
            self._polling.start()
        elif not shown and self._polling is not None:
            self._polling.stop()
            self._polling = None

    def poll(self) -> None:
        """Send new data to the board."""
        if not self.board.live or not self.state.present() or time.monotonic() - self._sent_at < MIN_GAP:
            return
        for content in self.feed.messages():
            self._sent_at = time.monotonic()
            self.board.tell(content)

    def __panel__(self) -> Viewable:
        return self.board


class FormPanel(Viewer):
    """The form, which is sent again whenever the state changes.

    Parameters
    ----------
    state : TrainState
    on_open : callable
        Called with the `Opened` models for another page.
    """

    def __init__(self, state: TrainState, on_open: Callable[[Opened], None] = lambda opened: None) -> None:
        super().__init__()
        self.state = state
        upload = state.model_file
        state.param.watch(lambda event: on_open(event.new), "opened")
        self._poller = Poller(upload.poll, lambda: upload.busy)
        self._saving: dict[int, Future[tuple[str, bytes]]] = {}
        self._saver = Poller(self.poll_saving, lambda: bool(self._saving))
        self.form = TrainForm(
            {
                "edit": self._edit,
                "carry": self._carry,
                "list": state.show_to_others,
                "end": state.end,
                "attach": state.open,
                "delete": state.delete,
                "undo": state.undo,
                "save": self._save,
                "show": self._show,
                "draw": state.draw_with_all_lanes,
                "begin": upload.begin,
                "piece": upload.take,
                "cancel": upload.cancel,
            },
            form=self._written(),
            runs=self._listed(),
            limit=MODEL_BUDGET.file_bytes,
            sizing_mode="stretch_width",
        )
        state.param.watch(
            lambda *_: self.form.param.update(form=self._written()),
            [
                "form",
                "preset",
                "messages",
                "estimate",
                "status",
                "run_name",
                "carry_on",
                "error",
                "given",
                "shown",
            ],
        )
        # separate, so that a list of hundreds of runs is not sent at every key stroke
        state.param.watch(
            lambda *_: self.form.param.update(runs=self._listed()),
            ["stored", "run_name", "deleted", "deleting", "status"],
        )
        upload.param.watch(self._follow, "progress")
        state.param.watch(lambda event: self._save(*event.new), "save_asked")

    def _edit(self, path: str, text: str) -> None:
        if path == "preset":
            self.state.choose_preset(text)
        else:
            self.state.edit(path, text)

    def _carry(self, on: bool) -> None:
        self.state.carry_on = on

    def _save(self, lane: int) -> None:
        work = None if lane in self._saving else self.state.saved_model(lane)
        if work is not None:
            self._saving[lane] = work
            self.form.saving = list(self._saving)
            self._saver.follow()

    def _show(self, lane: int) -> None:
        """Show a lane's model on the Inference page; -1: the models of all lanes."""
        if lane < 0:
            self.state.open_all_lanes()
        else:
            self.state.open_lanes([lane])

    def poll_saving(self) -> None:
        """Send the files that the thread has written."""
        for lane, work in list(self._saving.items()):
            if work.done():
                del self._saving[lane]
                self.form.saving = list(self._saving)
                with report_errors_on_page("saving a model"):
                    name, content = work.result()
                    self.form.tell(pack({"name": name}, {"content": np.frombuffer(content, np.uint8)}))

    def _follow(self, *_: object) -> None:
        """Show the progress of a model file."""
        self.form.file = self.state.model_file.progress._asdict()
        self._poller.follow()

    def _written(self) -> dict[str, Any]:
        state = self.state
        form, live = state.form, state.live
        known = state.datasets()
        datasets = [[name, title_of(name, known)] for name in known]
        presets = [[name, preset.title] for name, preset in PRESETS.items()]
        if not state.preset:
            presets.insert(0, ["", "as this run was set"])
        chosen = PRESETS.get(state.preset)
        n_unknown = known[form.dataset].n_unknown if form.dataset in known else 0
        able = systems_for(n_unknown)
        first = [
            self._menu("preset", "Recipe", state.preset, presets, wide=True),
            self._menu("dataset", "Data set", form.dataset, datasets, wide=True),
        ]
        whole = any(map(is_whole, form.lanes))
        amounts = run_fields(form.budget)
        first.append(self._field("amount", amounts.pop("amount"), form.texts["amount"]))
        budget = [
            self._field("binary", RUN["binary"], text_of(form.binary, RUN["binary"])),
            self._field("budget", RUN["level_by"], form.budget),
            *(
                self._field(path, each, form.texts[path])
                for path, each in amounts.items()
                if not (whole and path == "batch_size")
            ),
        ]
        groups: list[dict[str, Any]] = [{"title": "What to train", "fields": first, "about": True}]
        more: list[dict[str, Any]] = [{"title": "Both models", "fields": budget, "more": True}]
        for number, lane in enumerate(form.lanes):
            systems = [[name, name] for name in SYSTEMS if name in able or name == lane.system]
            systems += [[NONE, "none"]] if number else []
            fields = [self._menu(f"{number}.system", "Model", lane.system, systems)]
            others = []
            for name, field in offered(lane, form.binary).items():
                if name == "where" and not state.has_cluster and lane.texts[name] == field.default:
                    continue
                part = fields if name in ESSENTIAL else others
                part.append(self._field(f"{number}.{name}", field, lane.texts[name]))
            title = "Right model" if number else "Left model"
            groups.append({"title": title, "lane": number, "fields": fields})
            if others:
                more.append({"title": title, "lane": number, "fields": others, "more": True})
        return {
            "groups": groups + more,
            "about": " ".join(filter(None, [chosen.about if chosen else "", unknown_in_words(n_unknown)])),
            "estimate": state.estimate if state.live is None else "",
            "carry_on": state.carry_on,
            "lanes": list(live.run.lanes) if live is not None and state.runs.steers(live) else [],
            "shown": state.shown,
            "given": list(state.given),
            "running": state.status == "running",
        }

    def _listed(self) -> dict[str, Any]:
        state = self.state
        return {
            "name": state.run_name,
            "deleting": state.deleting,
            "stored": [_offer(stored, state.runs, state.datasets()) for stored in state.stored],
            "deleted": [
                {"key": run.key, "name": run.name, "seconds_left": run.seconds_left} for run in state.deleted
            ],
            "listed": state.listed,
        }

    def _field(self, path: str, field: Field, value: str) -> dict[str, Any]:
        """Return the page's description of a hyper-parameter."""
        options = options_of(field)
        pairs = None if options is None else [list(pair) for pair in options.items()]
        shown = self._menu(path, field.label, value, pairs)
        return shown | {"unit": field.unit or "", "help": field.hint}

    def _menu(
        self, path: str, label: str, value: str, options: list[list[str]] | None, wide: bool = False
    ) -> dict[str, Any]:
        state = self.state
        return {
            "path": path,
            "label": label,
            "unit": "",
            "value": value,
            "options": options,
            "help": "",
            "wide": wide,
            "message": state.messages.get(path, ""),
            "fixed": state.fixed(path),
        }

    def __panel__(self) -> Viewable:
        return self.form


def _sized(name: str, lane: LaneConfig) -> str:
    """Return a lane's name with the latents of each of its layers, such as ``LRBN-200``."""
    return "-".join([name, *map(str, layer_sizes(lane).values())])


def _results(stored: StoredRun, config: RunConfig, known: Mapping[str, DatasetInfo]) -> list[str]:
    """Return the results of each model so far, in words, for data sets that are described by name."""
    info = known.get(config.dataset)
    unit = "observations wrong" if info is not None and info.is_table else "px wrong"
    unit = unit if config.binary else "squared error"
    found = []
    for name, result in stored.results.items():
        wrong = "" if result.wrong_pixels is None else f"{result.wrong_pixels:.3g} {unit}, "
        found.append(f"{name}: {wrong}{time_words(result.seconds)} by the clock, minibatch {result.step:,}")
    return found


def _offer(stored: StoredRun, runs: VisitorRuns, known: Mapping[str, DatasetInfo]) -> dict[str, Any]:
    """Return the description of a run in the list, and the possible actions."""
    began = time.strftime("%d %b %H:%M", time.localtime(stored.began))
    parent, results = "", [] if stored.config is None else _results(stored, stored.config, known)
    if stored.config is None:
        title, words = stored.name, f"cannot be read: {stored.error.rstrip('.')}."
    else:
        lanes = " and ".join(starmap(_sized, stored.config.lanes.items()))
        title = f"{title_of(stored.config.dataset, known)}: {lanes}"
        words = f"{began}, {stored.bytes / 2**20:.1f} MB" if stored.bytes else f"{began}, no checkpoint yet"
        if stored.live:
            words = f"{stored.live}, {words}"
        if stored.config.parent is not None:
            parent = stored.config.parent.name
            words = f"branch of {parent} at minibatch {stored.config.parent.step}, {words}"
        words = f"{stored.name}, {words}"
    if not runs.owns(stored):
        words = f"{'shown to all' if stored.listed else 'of a visitor'}, {words}"
    elif stored.listed and not runs.visitor.is_owner:
        words = f"shown to all, {words}"
    if stored.busy:
        words += " Open in another program." if stored.config is None else ". Open in another program."
    return {
        "name": stored.name,
        "title": title,
        "words": words,
        "results": results,
        "parent": parent,
        "live": bool(stored.live),
        "owned": runs.owns(stored),
        "can_open": stored.config is not None and not stored.busy and runs.may_open(stored),
        "can_link": stored.config is not None and bool(stored.bytes) and runs.owns(stored),
        "can_end": runs.may_end(stored),
        "can_delete": is_run_name(stored.name)
        and not stored.busy
        and not stored.watched
        and runs.owns(stored),
    }
