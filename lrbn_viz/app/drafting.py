"""What a run will be, while it is being filled in: texts as they are typed, judged at once.

No widgets here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import param

from lrbn_viz.app.draft import (
    Draft,
    Lane,
    complaints,
    config_of,
    draft_of,
    edited,
    lane_of,
    text_of,
    with_lane,
)
from lrbn_viz.app.model_files import read_model
from lrbn_viz.app.presets import FIELDS, PRESETS
from lrbn_viz.catalog import DATASETS
from lrbn_viz.datasets import DatasetInfo
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.runs import RunConfig


class Drafting(param.Parameterized):
    """The draft of a run and what is wrong with it.

    Parameters
    ----------
    datasets : callable
        Returns what is known of all data sets on offer, by name.
    """

    draft = param.Parameter(constant=True)
    preset = param.String(default="", constant=True)
    messages = param.Dict(
        default={}, constant=True, doc="What is wrong with a field of the draft, by its path."
    )
    trouble = param.String(default="", constant=True, doc="What went wrong last, in words.")
    given = param.Parameter(
        default=(), constant=True, doc="Lanes that the next run begins from a model in a file."
    )

    def __init__(
        self, datasets: Callable[[], Mapping[str, DatasetInfo]] = lambda: DATASETS, **params: Any
    ) -> None:
        super().__init__(**params)
        self.datasets = datasets
        self._given: dict[int, LRBNParams] = {}
        self.choose_preset(next(iter(PRESETS)))

    def _set(self, **values: Any) -> None:
        with param.edit_constant(self):
            self.param.update(**values)

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
        """Change one field of the draft.

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

    def adopt(self, config: RunConfig) -> None:
        """Make the draft that of a run that was opened."""
        self._set(draft=draft_of(config), preset="")
        self._judge()

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
