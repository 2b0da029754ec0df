"""What one visitor trains: a run, from its draft to the moment of its past that is looked at.

No widgets here. A run is watched, never touched from another thread than its own.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

import param

from lrbn_viz.app.draft import number_of, plain, value_of
from lrbn_viz.app.drafting import Drafting
from lrbn_viz.app.inspection import Inspection, inspection_of
from lrbn_viz.app.keeper import Heard, Keeper, LiveRun, the_keeper
from lrbn_viz.app.model_files import model_file
from lrbn_viz.app.past import Moment, Past
from lrbn_viz.app.presets import FIELDS
from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.runs import RunConfig


class Studio(Drafting):
    """State of the Train page.

    Parameters
    ----------
    keeper : Keeper, optional
        The process's own by default.
    present : callable
        Whether the visitor's page is still open; runs on the keeper's threads.
    load : callable
        From a name and ``binary`` to a Dataset.
    **params
        Of :class:`~lrbn_viz.app.drafting.Drafting`.
    """

    status = param.String(default="none", constant=True, doc='A job\'s status; "none" or "loading" before.')
    run_name = param.String(default="", constant=True)
    carry_on = param.Boolean(default=False)
    cursor = param.Integer(default=-1, constant=True, doc="The past moment looked at; -1: the present.")
    stored = param.List(default=[], constant=True, doc="Runs that can be opened.")

    def __init__(
        self,
        keeper: Keeper | None = None,
        present: Callable[[], bool] = lambda: True,
        load: Callable[..., Dataset] = load_dataset,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.keeper = keeper or the_keeper()
        self.present, self._load = present, load
        self.live: LiveRun | None = None
        self._past = Past(self.keeper)
        self.notices: list[str] = []
        self._opening: Future[LiveRun] | None = None
        self._then: Callable[[], None] = lambda: None
        self._after = 0
        self._told = ""
        self._errands: list[Future[Any]] = []
        self._probed: Future[None] = Future()
        self._probed.set_result(None)
        self.refresh()

    # -- the draft

    def edit(self, path: str, text: str) -> None:
        """Change one field of the draft; while a run is paused, the run as well if it can be changed."""
        before = self.draft
        super().edit(path, text)
        if self.draft is before or self.live is None or path in self.messages:
            return
        lane, _, name = path.partition(".")
        if name:
            self._change_run(int(lane), name, text)
        elif path == "amount" and not self.fixed(path):
            self.live.run.extend(number_of("int", text))
            self.live.era += 1

    def fixed(self, path: str) -> str:
        """Return why a field cannot be changed now; empty where it can."""
        if self.live is None or self.status in ("none", "loading"):
            return ""
        lane, _, name = path.partition(".")
        if path == "amount" and self.draft.budget == "passes":
            return "Pause to change it." if self.status == "running" else ""
        if name in ("", "system"):
            return "Part of this run: begin a new one to change it."
        field = next(field for field in FIELDS[self.draft.lanes[int(lane)].system] if field.name == name)
        if field.fixed:
            return field.fixed
        return "Pause to change it." if self.status == "running" else ""

    def _change_run(self, lane: int, name: str, text: str) -> None:
        if self.live is None or self.fixed(f"{lane}.{name}"):
            return
        names = list(self.live.run.lanes)
        field = next(field for field in FIELDS[self.draft.lanes[lane].system] if field.name == name)
        if lane >= len(names):
            return
        try:
            self.live.run.change(names[lane], **{name: value_of(field, text)})
        except (ValueError, TypeError) as error:
            self._set(messages={**self.messages, f"{lane}.{name}": plain(error)})

    # -- the run

    def start(self) -> None:
        """Begin the draft's run, or go on with the one there is."""
        if self.live is not None and self.status != "none":
            self.look(-1)
            self._when_free(self.live.run.start)
            return
        self._begin(lambda live: live.run.start())

    def step(self) -> None:
        """Train every model on one minibatch, then pause."""
        if self.live is None:
            self._begin(self._step)
        elif self.status != "running":
            self.look(-1)
            self._when_free(lambda live=self.live: self._step(live))

    def _step(self, live: LiveRun) -> None:
        live.run.advance(max(1, sum(not lane.training.over for lane in live.run.lanes.values())))

    def pause(self) -> None:
        """Stop after the step in hand; the models are probed as they then are."""
        if self.live is not None and self.status == "running":
            self.live.run.pause()

    def stop(self) -> None:
        """End the run with a last checkpoint; what it was stays to be looked at."""
        if self.live is not None:
            self._send(self.live.run.stop)

    def reset(self) -> None:
        """Let go of the run and make the draft's anew, before its first step: same seed, same run."""
        self.leave()
        self._begin(lambda live: None)

    def leave(self) -> None:
        """Let go of the run; it stays on disk."""
        live = self.live
        if live is None:
            return
        self.keeper.detach(live, self.present)
        if not live.watched and not live.carry_on:
            self._send(lambda: self.keeper.release(live))
        self.live, self._past = None, Past(self.keeper)
        self.notices = []
        self._set(status="none", run_name="", cursor=-1, trouble="")

    def close(self) -> None:
        """Watch nothing any more: the visitor has gone. The keeper sees to the run."""
        if self.live is not None:
            self.keeper.detach(self.live, self.present)

    def _begin(self, then: Callable[[LiveRun], None]) -> None:
        if self._opening is not None:
            return
        try:
            config = self.config()
        except ValueError as error:
            self._set(trouble=f"The run cannot start: {error}")
            return
        given = {name: self._given[n] for n, name in enumerate(config.lanes) if n in self._given}

        def make() -> LiveRun:
            return self.keeper.start(
                config, self._load(config.dataset, binary=config.binary), start_from=given
            )

        self._open(make, then)

    def open(self, name: str) -> None:
        """Watch a run that is in memory, or take up one that is on disk; paused there, going on here."""
        if self._opening is not None or (self.live is not None and self.live.name == name):
            return
        self.leave()

        def load(config: RunConfig) -> Dataset:
            return self._load(config.dataset, binary=config.binary)

        self._open(lambda: self.keeper.resume(name, load), lambda live: self.adopt(live.run.config))

    def _open(self, make: Callable[[], LiveRun], then: Callable[[LiveRun], None]) -> None:
        self._opening = self.keeper.ask(make)
        self._then = lambda: then(cast("LiveRun", self.live))
        self._set(status="loading", trouble="")

    def poll(self) -> Heard | None:
        """Take in what has happened; called some thirty times a second while the page is shown."""
        if self._opening is not None and self._opening.done():
            opening, self._opening = self._opening, None
            self._opened(opening)
        self._see_errands()
        live = self.live
        if live is None:
            return None
        heard = live.listen(self._after)
        self._after = heard.upto
        for notice in heard.notices:
            self.notices = [*self.notices[-4:], notice.words]
            self._set(trouble=notice.words)
        status = live.run.job.status
        if status != self.status or self._told != status:
            self._told = status
            self._set(status=status)
            if status == "failed":
                self._set(trouble=f"Training stopped: {live.run.job.error}")
            self.refresh()
        if status == "paused" and self._probed.done():
            stale = [lane for lane in live.run.lanes.values() if lane.probe.step != lane.training.step]
            if any(lane.error is None for lane in stale):
                self._probed = live.run.look()
        try:
            self._past.see(live.run)
        except Exception as error:  # whatever it is, the page goes on and says so
            self._set(trouble=f"That moment cannot be shown: {error}")
        return heard

    def _send(self, errand: Callable[[], Any]) -> None:
        """Let the keeper's desk do something that may take a while."""
        self._errands.append(self.keeper.ask(errand))

    def _when_free(self, act: Callable[[], Any]) -> None:
        """Do something to the run at once, or after what the desk is doing to it, such as a branch."""
        if self._errands:
            self._send(act)
        else:
            act()

    def _see_errands(self) -> None:
        done = [errand for errand in self._errands if errand.done()]
        for errand in done:
            self._errands.remove(errand)
            error = errand.exception()
            if error is not None:
                self._set(trouble=plain(error))
        if done:
            self.refresh()

    def _opened(self, opening: Future[LiveRun]) -> None:
        error = opening.exception()
        if error is not None:
            self._set(status="none", trouble=plain(error))
            return
        live = opening.result()
        self.live, self._after = live, 0
        live.carry_on = live.carry_on or self.carry_on
        self.carry_on = live.carry_on
        self.keeper.attach(live, self.present)
        self._told = ""
        self._set(run_name=live.name)
        self._then()
        self._set(status=live.run.job.status)

    @param.depends("carry_on", watch=True)
    def _pass_on(self) -> None:
        if self.live is not None:
            self.live.carry_on = self.carry_on

    # -- its past

    @property
    def moment(self) -> Moment | None:
        """The kept moment that is looked at; None: the present, or one that is not found yet."""
        return self._past.moment

    def look(self, step: int) -> None:
        """Look at the kept moment nearest before a step, or with -1 at the present."""
        step = -1 if self.live is None else max(step, -1)
        self._past.look(None if self.live is None else self.live.run, step)
        self._set(cursor=step)

    def branch(self) -> None:
        """Make the run go on from the moment looked at; it waits there, paused."""
        if self.live is None or self.cursor < 0 or self.status == "running":
            return
        live, step = self.live, self.cursor
        self.look(-1)
        self._set(trouble="")

        def go() -> None:
            live.run.go_back(step)
            live.era += 1

        self._send(go)

    def inspection(self, number: int) -> Inspection | None:
        """Return what the Inference page needs to show how the last step saw one image of its minibatch.

        None, with the reason in `trouble`, where it cannot show that.
        """
        if self.live is None or self.status == "running":
            return None
        try:
            return inspection_of(self.live, number)
        except IndexError:  # the minibatch has changed since
            return None
        except ValueError as error:
            self._set(trouble=str(error))
            return None

    # -- runs on disk, and models in files

    def refresh(self) -> None:
        """Look again which runs there are."""
        self._set(stored=self.keeper.kept())

    def delete(self, name: str) -> None:
        """Remove a run from disk."""
        try:
            self.keeper.delete(name)
        except (OSError, ValueError) as error:
            self._set(trouble=f"{name} could not be deleted: {error}")
        self.refresh()

    def saved_model(self, lane: int) -> tuple[str, bytes] | None:
        """Return the name and the content of a file with a lane's model at the moment looked at."""
        if self.live is None or not 0 <= lane < len(self.live.run.lanes):
            return None
        return model_file(self.live, lane, self.cursor)
