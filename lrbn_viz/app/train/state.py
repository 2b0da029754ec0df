"""The training of one visitor: a run, from its form to the displayed moment of its past.

No widgets here. The page reads a run; only the run's own thread changes it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, cast

import param

from lrbn_viz.app.train.filter_view import FilterPast, FilterView
from lrbn_viz.app.train.form import form_fields, plain, run_fields, text_of, value_of
from lrbn_viz.app.train.form_state import FormState
from lrbn_viz.app.train.history_view import HistoryView, Moment
from lrbn_viz.app.train.inspection import Inspection, inspection_of
from lrbn_viz.app.train.model_files import saved_model
from lrbn_viz.app.train.opening import Opened, TargetPage, opened_file, opened_run
from lrbn_viz.app.visitors.excess import excess
from lrbn_viz.app.visitors.runs import READ_ONLY, VisitorRuns
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.constants import OPEN_ON_INFERENCE
from lrbn_viz.studies.runs import Deleted, RunConfig
from lrbn_viz.studies.runs.registry import LiveRun, NewEvents, RunRegistry, get_registry

LIST_SECONDS = 2.0
"""Seconds after which a displayed page refreshes its list of runs."""


class TrainState(FormState):
    """State of the Train page.

    Parameters
    ----------
    registry : RunRegistry, optional
        The process's own by default.
    visitor : Visitor, optional
        Visitor of the page; by default the owner of the machine.
    present : callable
        True if the visitor's page is still open; runs on the registry's threads.
    load : callable
        Function from a name and ``binary`` to a Dataset.
    **params
        Of :class:`~lrbn_viz.app.train.form_state.FormState`.
    """

    status = param.String(default="none", constant=True, doc='A job\'s status; "none" or "loading" before.')
    run_name = param.String(default="", constant=True)
    carry_on = param.Boolean(default=False)
    cursor = param.Integer(default=-1, constant=True, doc="The past moment looked at; -1: the present.")
    shown = param.Integer(
        default=-1, constant=True, doc="The minibatch of the moment that is shown; -1: now."
    )
    stored = param.List(default=[], constant=True, doc="All runs that there are, as the registry lists them.")
    deleted = param.List(default=[], constant=True, doc="Runs that were deleted and can be restored.")
    deleting = param.String(default="", constant=True, doc="The run that is being deleted.")
    save_asked = param.Parameter(
        default=None, constant=True, doc="The lane whose model the board asks to save, as a list of one."
    )
    opened = param.Parameter(default=None, constant=True, doc="`Opened` for another page, the newest.")

    def __init__(
        self,
        registry: RunRegistry | None = None,
        *,
        visitor: Visitor = HOME,
        present: Callable[[], bool] = lambda: True,
        load: Callable[..., Dataset] = load_dataset,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.registry = registry or get_registry()
        self.has_cluster = self.registry.workers is not None
        self.runs = VisitorRuns(self.registry, visitor, self.limits)
        self.present, self._load = present, load
        self.live: LiveRun | None = None
        self._history_view, self._filter_view = HistoryView(self.registry), FilterView(self.registry)
        self.notices: list[str] = []
        self._opening: Future[LiveRun] | None = None
        self._then: Callable[[], None] = lambda: None
        self._after = 0
        self._last_status = ""
        self._tasks: list[tuple[Future[Any], str]] = []  # and the beginning of the message about an OSError
        self._probed: Future[None] = Future()
        self._probed.set_result(None)
        self._trash: Future[list[Deleted]] | None = None
        self._set(stored=self.runs.stored)
        self.refresh()
        self.runs.tidy()

    @property
    def steered(self) -> LiveRun | None:
        """The watched run if the visitor may control it; else None, with a message on the page."""
        if self.live is not None and not self.runs.steers(self.live):
            self._set(error=READ_ONLY)
            return None
        return self.live

    # -- the form

    def edit(self, path: str, text: str) -> None:
        """Change one field of the form and, if possible, of the paused run."""
        before = self.form
        super().edit(path, text)
        if self.form is before or self.live is None or path in self.messages:
            return
        if self.status == "loading" or self.fixed(path) or self.steered is None:
            return
        if path == "amount":
            amount = value_of(run_fields(self.form.budget)[path], text)
            run = self.live.run
            budget = {"n_iter" if self.form.budget == "passes" else "max_seconds": amount}
            longer = replace(run.config, **budget)
            too_much = excess(self.limits, longer, run.dataset.n_v, len(run.dataset.train_X))
            if "amount" in too_much:
                self._set(messages={**self.messages, path: too_much["amount"]})
                return
            run.extend(**budget)
            self.live.epoch_id += 1
            return
        lane, _, name = path.partition(".")
        lanes, field = list(self.live.run.lanes), form_fields(self.form.lanes[int(lane)].system)[name]
        if int(lane) >= len(lanes):  # the form is that of another run by now
            return
        try:
            self.live.run.change(lanes[int(lane)], **{name: value_of(field, text)})
        except (ValueError, TypeError) as error:
            self._set(messages={**self.messages, path: plain(error)})

    def fixed(self, path: str) -> str:
        """Return the reason why a field cannot be changed now; empty if it can."""
        if self.live is None or self.status in ("none", "loading"):
            return ""
        lane, _, name = path.partition(".")
        if path == "amount":
            return "Pause to change it." if self.status == "running" else ""
        if name in ("", "system"):
            return "Part of this run: begin a new one to change it."
        field = form_fields(self.form.lanes[int(lane)].system)[name]
        if field.fixed:
            return field.fixed
        return "Pause to change it." if self.status == "running" else ""

    # -- the run

    def start(self) -> None:
        """Start the form's run, or continue the existing one."""
        if self._opening is not None:
            return
        if self.live is not None and self.status != "none":
            if self.steered is not None:
                self.look(-1)
                self._when_free(self.live.run.start)
            return
        self._begin(lambda live: live.run.start())

    def train_on(self) -> None:
        """Continue a run that has used its budget with the same budget again."""
        live = self.steered
        if live is None or self._opening is not None or live.run.job.status != "done":
            return
        config = live.run.config
        if config.max_seconds == math.inf:
            amount = 2 * config.n_iter
        else:  # a long step may have exceeded the budget by far
            reached = max(lane.training.seconds for lane in live.run.lanes.values())
            amount = round(reached + config.max_seconds, 2)
        self.edit("amount", text_of(amount))
        if "amount" in self.messages:
            self._set(error=f"The run cannot continue: {self.messages['amount']}")
        else:
            self.start()

    def step(self) -> None:
        """Train every model on one minibatch, then pause."""
        if self._opening is not None:
            return
        if self.live is None:
            self._begin(self._step)
        elif self.status != "running" and self.steered is not None:
            self.look(-1)
            self._when_free(lambda live=self.live: self._step(live))

    def _step(self, live: LiveRun) -> None:
        live.run.advance(max(1, sum(not lane.training.over for lane in live.run.lanes.values())))

    def pause(self) -> None:
        """Pause after the current step; the models are then probed."""
        if self.status == "running" and (live := self.steered) is not None:
            live.run.pause()

    def stop(self) -> None:
        """End the run with a last checkpoint; its history can still be viewed."""
        if (live := self.live) is not None:
            self._send(lambda: self.runs.stop(live))

    def reset(self) -> None:
        """Release the run, and make a new one from the form; an equal seed gives an equal run."""
        if self._opening is not None:
            return
        if not self.model_file.busy:  # otherwise the run stays, with a message
            self.leave()
        self._begin(lambda live: None)

    def leave(self) -> None:
        """Release the run; it stays on disk."""
        if self.live is None or self._opening is not None:
            return
        self._let_go()
        self.notices = []
        self._set(status="none", run_name="", cursor=-1, shown=-1, error="")

    def _let_go(self) -> None:
        """Stop watching the run; without other watchers it ends with a last checkpoint."""
        live = self.live
        if live is None:
            return
        self.runs.detach(live, self.present)
        if not live.watched and not live.carry_on and self.runs.steers(live):
            self._send(lambda: self.runs.release(live))
        self.live, self._history_view = None, HistoryView(self.registry)
        self._filter_view = FilterView(self.registry)

    def close(self) -> None:
        """Stop watching, as the visitor has left. The registry ends the run."""
        if self.live is not None:
            self.runs.detach(self.live, self.present)

    def _begin(self, then: Callable[[LiveRun], None]) -> None:
        if self.model_file.busy:
            self._set(error="A model file is being uploaded: wait until it has been read, or cancel it.")
            return
        try:
            config = self.config()
        except ValueError as error:
            self._set(error=f"The run cannot start: {error}")
            return
        given = {name: self._given[n] for n, name in enumerate(config.lanes) if n in self._given}

        def make() -> LiveRun:
            return self.runs.start(config, self._load(config.dataset, binary=config.binary), start_from=given)

        self._open(make, then)

    def open(self, name: str, moment: int = -1) -> None:
        """Watch a run in memory, or resume one from disk, paused.

        Parameters
        ----------
        name : str
        moment : int
            Step of a stored moment to show; -1: the present.
        """
        if self._opening is not None or (self.live is not None and self.live.name == name):
            return
        self.leave()

        def load(config: RunConfig) -> Dataset:
            return self._load(config.dataset, binary=config.binary)

        def then(live: LiveRun) -> None:
            self.adopt(live.run.config)
            self.look(moment)

        self._open(lambda: self.runs.resume(name, load), then)

    def _open(self, make: Callable[[], LiveRun], then: Callable[[LiveRun], None]) -> None:
        self._opening = self.registry.ask(make)
        self._then = lambda: then(cast("LiveRun", self.live))
        self._last_status = ""
        self._set(status="loading", error="")

    def poll(self) -> NewEvents | None:
        """Take over new events; called about thirty times a second while the page is shown."""
        if self._opening is not None and self._opening.done():
            opening, self._opening = self._opening, None
            self._opened(opening)
        if self._trash is not None and self._trash.done():
            trash, self._trash = self._trash, None
            found = trash.result()
            if [run.key for run in found] != [run.key for run in self.deleted]:
                self._set(deleted=found)
        if time.monotonic() - self.registry.listed > LIST_SECONDS:
            self.registry.refresh()
        if self.stored is not (stored := self.runs.stored):
            self._set(stored=stored)
            self._trash = self.registry.ask(self.runs.deleted)
        live = self.live
        if live is None:
            self._see_tasks()
            return None
        if not self.runs.watches(live):
            self.leave()
            self._set(error=f"{live.name} is no longer shown to others.")
            return None
        events = live.listen(self._after)
        self._after = events.upto
        for notice in events.notices:
            self.notices = [*self.notices[-4:], notice.words]
            self._set(error=notice.words)
        self._see_tasks()  # now, as messages of the worker before the task's end are older than its result
        status = live.run.job.status
        if self._opening is None and (status != self.status or self._last_status != status):
            self._last_status = status
            self._set(status=status)
            if status == "failed":
                self._set(error=f"Training stopped: {live.run.job.error}")
            self.refresh()
        if status == "paused" and self._probed.done() and self.runs.steers(live):
            stale = [lane for lane in live.run.lanes.values() if lane.probe.step != lane.training.step]
            if any(lane.error is None for lane in stale):
                self._probed = live.run.look()
        try:
            self._history_view.see(live.run)
            shown = -1 if self.moment is None else self.moment.step
            if shown != self.shown:  # setting it thirty times a second took nearly half of a message's time
                self._set(shown=shown)
        except Exception as error:  # any error: the page continues and reports it
            self._set(error=f"That moment cannot be shown: {error}")
        try:
            self._filter_view.see()
        except Exception as error:  # such as that of a model that has diverged
            self._set(error=f"The filter's past cannot be shown: {plain(error)}")
        return events

    def _send(self, task: Callable[[], Any], failed: str = "") -> None:
        """Submit a slow task to the registry's executor.

        Parameters
        ----------
        task : callable
            Function; the page shows the text that it returns, or the error that it raises.
        failed : str
            Beginning of the message about an error of the disk.
        """
        self._tasks.append((self.registry.ask(task), failed))

    def _when_free(self, act: Callable[[], Any]) -> None:
        """Apply a function to the run at once, or after the executor's current task, such as a branch."""
        if self._tasks:
            self._send(act)
        else:
            act()

    def _see_tasks(self) -> None:
        done = [each for each in self._tasks if each[0].done()]
        for task, failed in done:
            self._tasks.remove((task, failed))
            error = task.exception()
            if error is not None:
                self._set(error=f"{failed if isinstance(error, OSError) else ''}{plain(error)}")
            elif isinstance(words := task.result(), str):
                self._set(error=words)
        if done:
            self._set(deleting="" if not self._tasks else self.deleting)
            self.refresh()

    def _opened(self, opening: Future[LiveRun]) -> None:
        error = opening.exception()
        if error is not None:
            self._set(status="none" if self.live is None else self.live.run.job.status, error=plain(error))
            return
        live = opening.result()
        self._let_go()
        self.live, self._after = live, 0
        if self.runs.steers(live):
            live.carry_on = live.carry_on or self.carry_on
        self.carry_on = live.carry_on
        self.runs.attach(live, self.present)
        self._last_status = ""
        self._set(run_name=live.name, cursor=-1, shown=-1)
        self._then()
        self._set(status=live.run.job.status)

    @param.depends("carry_on", watch=True)
    def _pass_on(self) -> None:
        if self.live is not None and self.live.carry_on != self.carry_on and self.steered is not None:
            self.live.carry_on = self.carry_on

    @property
    def listed(self) -> bool | None:
        """True if other visitors see the run in their lists; None without such a run or other visitors."""
        live = self.live
        if live is None or self.runs.visitor.is_owner or not self.runs.steers(live):
            return None
        return live.run.listed

    def show_to_others(self, listed: bool) -> None:
        """Show the run in the lists of other visitors, or hide it."""
        if (live := self.steered) is not None:
            self._send(lambda: self.runs.show_to_others(live, listed))

    @property
    def folder_removed(self) -> bool:
        """True if the run's folder was removed, so that the run is in memory only."""
        return self.live is not None and self.live.run.folder_removed

    def write_again(self) -> None:
        """Restore the run's removed folder, and then remove the message about it."""
        live = self.steered if self.folder_removed else None
        if live is None:
            return
        run = live.run

        def write() -> str:
            run.write_again().result()
            return ""

        self._set(error="")
        self._send(write)

    # -- the history of the run

    @property
    def moment(self) -> Moment | None:
        """The displayed stored moment; None: the present, or a moment that is not loaded yet."""
        return self._history_view.moment

    def look(self, step: int) -> None:
        """Show the last stored moment before a step, or with -1 the present."""
        step = -1 if self.live is None else max(step, -1)
        self._history_view.look(None if self.live is None else self.live.run, step)
        self._set(cursor=step, shown=-1 if self.moment is None else self.moment.step)

    @property
    def filter_past(self) -> FilterPast | None:
        """The last requested filter at stored moments, once it is known."""
        return self._filter_view.past

    def look_into(self, lane: int, unit: int) -> None:
        """Request a unit's filter at the stored moments of the run; invalid units are ignored."""
        if self.live is not None:
            self._filter_view.look(self.live.run, lane, unit)

    def branch(self) -> None:
        """Make a new run that continues from the displayed moment, paused.

        The old run is unchanged and stays on disk.
        """
        if not self._may_leave_present():
            return
        live, step = cast("LiveRun", self.live), self.cursor
        failed = {name: lane.error for name, lane in live.run.lanes.items() if lane.error is not None}

        def then(branch: LiveRun) -> None:
            if failed:
                self._set(
                    error=" ".join(
                        f"{name} had stopped: {plain(error)} In this branch it goes on from minibatch "
                        f"{branch.run.lanes[name].training.step}; change its settings first."
                        for name, error in failed.items()
                    )
                )

        self._open(lambda: self.runs.branch(live, step), then)

    def go_back(self, step: int) -> None:
        """Return the run to the displayed moment, paused, and discard all later steps.

        Parameters
        ----------
        step : int
            Minibatch of that moment in the visitor's confirmation; ignored if another one is shown now.
        """
        moment = self.moment
        if not self._may_leave_present() or moment is None or moment.step != step:
            return
        live, asked = cast("LiveRun", self.live), moment.asked
        self.look(-1)
        self._set(error="")

        def go() -> None:
            if live.run.job.status == "running":
                raise ValueError("The run has been started meanwhile; pause it to go back.")
            try:
                live.run.go_back(asked)
            finally:
                live.epoch_id += 1

        self._send(go, "The run did not go back: its checkpoint cannot be written. ")

    def _may_leave_present(self) -> bool:
        """Return whether the displayed moment is a past one from which the run can continue."""
        if self.live is None or self._opening is not None or self.steered is None:
            return False
        return self.cursor >= 0 and self.status != "running"

    def inspection(self, number: int) -> Inspection | None:
        """Return the data with which the Inference page shows the last E-step of one image.

        None, with the reason in `error`, if that is impossible.
        """
        if self.status == "running" or (live := self.steered) is None:
            return None
        try:
            return inspection_of(live, number)
        except IndexError:  # the minibatch has changed since
            return None
        except ValueError as error:
            self._set(error=str(error))
            return None

    # -- stored runs and model files

    def refresh(self) -> None:
        """Update the list of runs; `poll` takes over the result."""
        self.registry.refresh()
        self._trash = self.registry.ask(self.runs.deleted)

    def end(self, name: str) -> None:
        """End a run in memory with a last checkpoint: the visitor's own, or any for a lecturer."""
        self._send(lambda: self.runs.end(name))

    def delete(self, name: str) -> None:
        """Move a run to the trash, from which `undo` restores it."""
        self._set(error="", deleting=name)
        self._send(lambda: self.runs.delete(name), f"{name} could not be deleted: ")

    def undo(self, key: str) -> None:
        """Restore a deleted run.

        Parameters
        ----------
        key : str
            Key of one of `deleted`.
        """

        def go() -> str | None:
            was, name = self.runs.restore(key)
            return None if name == was else f"{was} is back as {name}: another run has its name now."

        self._send(go, "The run could not be restored: ")

    def open_lanes(self, lanes: Sequence[int], page: TargetPage = "inference") -> None:
        """Show models of the run, at the displayed moment, on another page."""
        live = self.steered
        names = [] if live is None else list(live.run.lanes)
        if live is None or not lanes or not all(0 <= lane < len(names) for lane in lanes):
            return
        if self._moment_is_missing("open"):
            return
        snapshots = None if self.moment is None else self.moment.snapshots
        self._set(opened=opened_run(live, lanes, snapshots)._replace(page=page))

    def open_all_lanes(self, page: TargetPage = "inference") -> None:
        """Show the models of all lanes on another page."""
        if self.live is not None:
            self.open_lanes(range(len(self.live.run.lanes)), page)

    def draw_with_all_lanes(self) -> None:
        """Show on the Generate page the images that the models of all lanes draw."""
        self.open_all_lanes("generate")

    def models_now(self) -> Opened | None:
        """Return the present models of the run; None without a run or before its first step."""
        live = self.live
        if live is None or self._opening is not None or live.run.step == 0 or not self.runs.steers(live):
            return None
        return opened_run(live, range(len(live.run.lanes)), None)

    def _begin_from(self, lane: int, model: Any) -> str:
        """Start a lane of the next run from a model, or show the model on the Inference page."""
        if lane != OPEN_ON_INFERENCE:
            return super()._begin_from(lane, model)
        filename = self.model_file.progress.filename
        found = opened_file(model, filename, self.datasets(), self.form.dataset, self._load)
        self._set(opened=found)
        images = title_of(found.data.name, self.datasets())
        return f"{model.short} of {model.n_latents_:,} units, on the Inference page with images of {images}."

    def _moment_is_missing(self, act: str) -> bool:
        """Return whether the requested moment is still being loaded; the page then shows a message."""
        missing = self.cursor >= 0 and (self.moment is None or self.moment.asked != self.cursor)
        if missing:
            self._set(error=f"The moment is still being loaded; {act} the model once it is shown.")
        return missing

    def ask_to_save(self, lane: int) -> None:
        """Save a lane's model through the form, as its own button does."""
        self._set(save_asked=[lane])

    def saved_model(self, lane: int) -> Future[tuple[str, bytes]] | None:
        """Start writing a lane's model at the displayed moment to a file: its name and content."""
        live = self.steered
        if live is None or not 0 <= lane < len(live.run.lanes):
            return None
        if self._moment_is_missing("save"):
            return None
        name = list(live.run.lanes)[lane]
        return saved_model(live, lane, None if self.moment is None else self.moment.snapshots[name])
