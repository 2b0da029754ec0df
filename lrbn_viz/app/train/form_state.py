"""The form of a future run: typed texts, checked at once.

No widgets here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import param

from lrbn_viz.app.shared.loading import usual_dataset
from lrbn_viz.app.train.form import (
    NONE,
    LaneForm,
    RunForm,
    config_of,
    edited,
    find_errors,
    find_too_large,
    find_unlearnable,
    form_of,
    lane_of,
    run_fields,
    settings_of,
    text_of,
    with_lane,
)
from lrbn_viz.app.train.model_files import ModelUpload
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.app.visitors.excess import excess
from lrbn_viz.app.visitors.limits import NO_LIMITS, Limits
from lrbn_viz.catalog import DATASETS, system_of
from lrbn_viz.datasets import DatasetInfo
from lrbn_viz.studies.runs import RunConfig
from lrbn_viz.studies.runs.estimate import estimate


class FormState(param.Parameterized):
    """The form of a run, with error messages.

    Parameters
    ----------
    datasets : callable
        Returns the descriptions of all offered data sets by name.
    limits : Limits, optional
        None by default.

    Attributes
    ----------
    has_cluster : bool
        True if the operator of the server lets runs use a cluster.
    """

    has_cluster = False

    estimate = param.String(default="", constant=True, doc="What the form's run would take, in words.")
    form = param.Parameter(constant=True)
    preset = param.String(default="", constant=True)
    messages = param.Dict(
        default={}, constant=True, doc="What is wrong with a field of the form, by its path."
    )
    error = param.String(default="", constant=True, doc="What went wrong last, in words.")
    given = param.Parameter(
        default=(), constant=True, doc="Lanes that the next run begins from a model in a file."
    )

    def __init__(
        self,
        datasets: Callable[[], Mapping[str, DatasetInfo]] = lambda: DATASETS,
        limits: Limits = NO_LIMITS,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.datasets, self.limits = datasets, limits
        self._given: dict[int, Any] = {}
        self.model_file = ModelUpload(self._begin_from)
        self.choose_preset(next(iter(PRESETS)))

    def _set(self, **values: Any) -> None:
        with param.edit_constant(self):
            self.param.update(**values)

    def choose_preset(self, name: str) -> None:
        """Fill in the form from one of the `PRESETS`."""
        if name not in PRESETS:
            return
        preset, before = PRESETS[name], PRESETS.get(self.preset)
        dataset = usual_dataset()
        if self.form is not None and not (before is not None and self.form.dataset == before.dataset):
            dataset = self.form.dataset  # the visitor's choice
        budget = "seconds" if "max_seconds" in preset.run else "passes"
        texts = {path: text_of(field.default) for path, field in run_fields(budget).items()}
        if self.form is not None:
            texts["seed"] = self.form.texts["seed"]
        amount = {"n_iter": "amount", "max_seconds": "amount"}
        texts |= {amount.get(key, key): text_of(value) for key, value in preset.run.items()}
        lanes = tuple(lane_of(lane.system, lane.settings) for lane in preset.lanes)
        form = RunForm(
            preset.dataset or dataset,
            preset.binary,
            cast("tuple[LaneForm, LaneForm]", lanes),
            budget,
            texts,
        )
        self._given.clear()
        self._set(given=())
        self._set(preset=name, form=form)
        self._judge()

    def edit(self, path: str, text: str) -> None:
        """Change one field of the form.

        Parameters
        ----------
        path : str
            "dataset", "binary", "budget", "batch_size", "amount", "seed", or a lane's "0.system",
            "1.learning_rate" and so on. Others, as a browser may send, are ignored.
        text : str
            Typed or chosen text.
        """
        form = edited(self.form, path, text, self.datasets())
        lane, _, name = path.partition(".")
        if form is None or (name == "where" and text == "cluster" and not self.has_cluster):
            return
        if path == "dataset" and "1.system" in self._unlearnable(form):
            form = with_lane(form, 1, LaneForm(NONE, {}))
            self._given.pop(1, None)
            self._set(given=tuple(self._given))
        if name == "system":
            self._given.pop(int(lane), None)
            self._set(given=tuple(self._given))
        self._set(form=form)
        self._judge()

    def _unlearnable(self, form: RunForm) -> dict[str, str]:
        """Return the messages about models that cannot learn from a form's data set, by a field's path."""
        info = self.datasets().get(form.dataset)
        return {} if info is None else find_unlearnable(form, info.n_unknown)

    def _judge(self) -> None:
        info = self.datasets().get(self.form.dataset)
        if info is None:
            self._set(messages=find_errors(self.form), estimate="")
            return
        n_v = math.prod(info.image_shape)
        messages = find_too_large(self.form, n_v) | find_errors(self.form) | self._unlearnable(self.form)
        words = ""
        if not messages:
            config = config_of(self.form)
            messages = excess(self.limits, config, n_v, info.n_train)
            words = estimate(config, n_v, info.n_train).words()
        self._set(messages=messages, estimate=words)

    def config(self) -> RunConfig:
        """Return the form as a configuration.

        Raises
        ------
        ValueError
            The form has errors, which are in `messages`.
        """
        if self.messages:
            raise ValueError("; ".join(self.messages.values()))
        return config_of(self.form)

    def adopt(self, config: RunConfig) -> None:
        """Set the form to the configuration of an opened run."""
        self._set(form=form_of(config), preset="")
        self._judge()

    def _begin_from(self, lane: int, model: Any) -> str:
        """Start a lane of the next run from a model; return a message about it.

        Raises
        ------
        ValueError
            The model takes the other kind of images.
        """
        if (model.visible == "bernoulli") != self.form.binary:
            own, other = ("binary", "grey") if self.form.binary else ("grey", "binary")
            raise ValueError(
                f"it has {model.visible} units; expected a model of {own} images. Choose {other} "
                "images first."
            )
        kind = str(system_of(model))
        self._set(form=with_lane(self.form, lane, lane_of(kind, settings_of(model))))
        self._judge()
        self._given[lane] = model.params_
        self._set(given=tuple(self._given))
        return (
            f"{kind} of {model.n_latents_:,} units for images of {model.n_visible_:,} pixels. The next run "
            "begins from it."
        )
