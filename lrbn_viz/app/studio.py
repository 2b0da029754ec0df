"""What one visitor trains: the draft of a run, the run itself, and the moment of it that is looked at.

No widgets here. Texts come in as they are typed and are judged at once; a run is watched, never touched from
another thread than its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple, cast

import param

from lrbn_viz.app.draft import (
    Draft,
    Lane,
    complaints,
    config_of,
    draft_of,
    edited,
    lane_of,
    number_of,
    plain,
    text_of,
    value_of,
    with_lane,
)
from lrbn_viz.app.inspection import Inspection, inspection_of
from lrbn_viz.app.keeper import Heard, Keeper, LiveRun, the_keeper
from lrbn_viz.app.model_files import model_file, read_model
from lrbn_viz.app.presets import FIELDS, PRESETS
from lrbn_viz.catalog import DATASETS
from lrbn_viz.datasets import Dataset, DatasetInfo, load_dataset
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.recording import Probe
from lrbn_viz.runs import RunConfig


class Moment(NamedTuple):
    """A kept moment of the run's past.

    Attributes
    ----------
    step : int
        Minibatches that the models had seen, the lane that is furthest behind.
    lanes : mapping from a lane's name to its state and its Probe
    """

    step: int
    lanes: dict[str, tuple[Any, Probe]]


class Studio(param.Parameterized):
    """State of the Train page.

    Parameters
    ----------
    keeper : Keeper, optional
        The process's own by default.
    present : callable
        Whether the visitor's page is still open; runs on the keeper's threads.
    load : callable
        From a name and ``binary`` to a Dataset.
    datasets : callable
        Returns what is known of all data sets on offer, by name.
    """

    draft = param.Parameter(constant=True)
    preset = param.String(default="", constant=True)
    messages = param.Dict(
        default={}, constant=True, doc="What is wrong with a field of the draft, by its path."
    )
    status = param.String(default="none", constant=True, doc='A job\'s status; "none" or "loading" before.')
    run_name = param.String(default="", constant=True)
    carry_on = param.Boolean(default=False)
    cursor = param.Integer(default=-1, constant=True, doc="The past moment looked at; -1: the present.")
    trouble = param.String(default="", constant=True, doc="What went wrong last, in words.")
    given = param.Parameter(
        default=(), constant=True, doc="Lanes that the next run begins from a model in a file."
    )
    stored = param.List(default=[], constant=True, doc="Runs that can be opened.")

    def __init__(
        self,
        keeper: Keeper | None = None,
        present: Callable[[], bool] = lambda: True,
        load: Callable[..., Dataset] = load_dataset,
        datasets: Callable[[], Mapping[str, DatasetInfo]] = lambda: DATASETS,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.keeper = keeper or the_keeper()
        self.present, self._load, self.datasets = present, load, datasets
        self.live: LiveRun | None = None
        self.moment: Moment | None = None
        self.notices: list[str] = []
        self._opening: Future[LiveRun] | None = None
        self._then: Callable[[], None] = lambda: None
        self._asked: Future[Moment] | None = None
        self._wanted = self._asked_step = -1
        self._after = 0
        self._told = ""
        self._errands: list[Future[Any]] = []
        self._probed: Future[None] = Future()
        self._probed.set_result(None)
        self._given: dict[int, LRBNParams] = {}
        self.choose_preset(next(iter(PRESETS)))
        self.refresh()

    def _set(self, **values: Any) -> None:
        with param.edit_constant(self):
            self.param.update(**values)

    # -- the draft

    def choose_preset(self, name: str) -> None:
        """Begin the draft anew from one of the `PRESETS`."""
        if name not in PRESETS:
            return
        preset = PRESETS[name]
        kept = self.draft.dataset if self.draft is not None else "mnist5k"
        texts = {"batch_size": "20", "amount": "5", "seed": "0"}
        if self.draft is not None:
            texts["seed"] = self.draft.texts["seed"]
        texts |= {"amount" if key == "n_iter" else key: text_of(value) for key, value in preset.run.items()}
        lanes = tuple(lane_of(lane.system, lane.settings) for lane in preset.lanes)
        draft = Draft(
            preset.dataset or kept, preset.binary, cast("tuple[Lane, Lane]", lanes), "passes", texts
        )
        self._given.clear()
        self._set(given=())
        self._set(preset=name, draft=draft)
        self._judge()

    def edit(self, path: str, text: str) -> None:
        """Change one field of the draft; while a run is paused, the run as well if it can be changed.

        Parameters
        ----------
        path : str
            "dataset", "binary", "budget", "batch_size", "amount", "seed", or a lane's "0.system",
            "1.learning_rate" and so on. Any other is ignored: it comes from a browser.
        text : str
            As it was typed or chosen.
        """
        draft = edited(self.draft, path, text, self.datasets())
        if draft is None:
            return
        lane, _, name = path.partition(".")
        if name == "system":
            self._given.pop(int(lane), None)
            self._set(given=tuple(self._given))
        self._set(draft=draft)
        self._judge()
        if self.live is None or path in self.messages:
            return
        if name:
            self._change_run(int(lane), name, text)
        elif path == "amount" and not self.fixed(path):
            self.live.run.extend(number_of("int", text))
            self.live.era += 1

    def _judge(self) -> None:
        self._set(messages=complaints(self.draft))

    def config(self) -> RunConfig:
        """Return the draft as a configuration.

        Raises
        ------
        ValueError
            Something in it is wrong; `messages` says what.
        """
        if self.messages:
            raise ValueError("; ".join(self.messages.values()))
        return config_of(self.draft)

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
        self.live, self.moment, self._asked = None, None, None
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

        self._open(lambda: self.keeper.resume(name, load), lambda live: self._adopt_draft(live.run.config))

    def _open(self, make: Callable[[], LiveRun], then: Callable[[LiveRun], None]) -> None:
        self._opening = self.keeper.ask(make)
        self._then = lambda: then(cast("LiveRun", self.live))
        self._set(status="loading", trouble="")

    def _adopt_draft(self, config: RunConfig) -> None:
        """Show the configuration of a run that was opened."""
        self._set(draft=draft_of(config), preset="")
        self._judge()

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
        self._see_moment()
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

    def look(self, step: int) -> None:
        """Look at the kept moment nearest before a step, or with -1 at the present."""
        if self.live is None or step < 0:
            self._wanted, self.moment = -1, None
            self._set(cursor=-1)
            return
        self._wanted = step
        self._set(cursor=step)
        self._ask_moment()

    def _ask_moment(self) -> None:
        if self._asked is not None or self.live is None:
            return
        run, step = self.live.run, self._wanted
        self._asked_step = step
        self._asked = self.keeper.ask(
            lambda: Moment(step, {name: lane.moment(step) for name, lane in run.lanes.items()})
        )

    def _see_moment(self) -> None:
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        if self._wanted < 0:
            return
        error = asked.exception()
        if error is not None:
            self._set(trouble=f"That moment cannot be shown: {error}")
            return
        found = asked.result()
        self.moment = found._replace(step=min(probe.step for _, probe in found.lanes.values()))
        if self._wanted != self._asked_step:
            self._ask_moment()

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

    def give_model(self, lane: int, content: bytes) -> None:
        """Let a lane of the next run begin from the model in a file; a file that is none is said so."""
        if lane not in (0, 1):
            return
        try:
            model = read_model(content, self.draft.binary)
        except ValueError as error:
            self._set(trouble=f"The model was not read: {error}")
            return
        kind = type(model).__name__
        settings = {field.name: getattr(model, field.name) for field in FIELDS[kind]}
        self._set(draft=with_lane(self.draft, lane, lane_of(kind, settings)), trouble="")
        self._judge()
        self._given[lane] = model.params_
        self._set(given=tuple(self._given))
