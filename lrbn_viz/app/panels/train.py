"""The Train page: the board in the middle and the form at the side, over one studio."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.draft import NONE, RUN_FIELDS, relevant
from lrbn_viz.app.inspection import Inspection
from lrbn_viz.app.player.board import TrainBoard, TrainForm
from lrbn_viz.app.player.feed import Feed
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.presets import FIELDS, PRESETS
from lrbn_viz.app.studio import Studio

FRAME_MS = 33


class BoardPanel(Viewer):
    """The board, fed while its page is shown.

    Parameters
    ----------
    studio : Studio
    on_inspect : callable
        Takes an `Inspection` to be shown on the Inference page.
    on_narrow : callable
        Called on a screen so narrow that the open form would cover the board.
    """

    def __init__(
        self, studio: Studio, on_inspect: Callable[[Inspection], None], on_narrow: Callable[[], None]
    ) -> None:
        super().__init__()
        self.studio = studio
        self.feed = Feed(studio)
        self.board = TrainBoard(
            {
                "open": self.feed.open,
                "seen": self.feed.acknowledge,
                "start": studio.start,
                "pause": studio.pause,
                "step": studio.step,
                "stop": studio.stop,
                "reset": studio.reset,
                "leave": studio.leave,
                "branch": studio.branch,
                "look": studio.look,
                "inspect": self._inspect,
                "narrow": on_narrow,
            },
            sizing_mode="stretch_both",
        )
        self._polling: Any = None
        self._on_inspect = on_inspect

    def _inspect(self, number: int) -> None:
        found = self.studio.inspection(number)
        if found is not None:
            self._on_inspect(found)

    def shown(self, shown: bool) -> None:
        """Begin or cease to ask the run what is new."""
        if shown and self._polling is None:
            self._polling = pn.state.add_periodic_callback(self.poll, period=FRAME_MS)
        elif not shown and self._polling is not None:
            self._polling.stop()
            self._polling = None

    def poll(self) -> None:
        """Send what is new."""
        if not self.board.live or not self.studio.present():
            return
        for content in self.feed.messages():
            self.board.tell(content)

    def __panel__(self) -> Viewable:
        return self.board


class FormPanel(Viewer):
    """The form, written anew whenever the studio changes.

    Parameters
    ----------
    studio : Studio
    """

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.studio = studio
        self.form = TrainForm(
            {
                "edit": self._edit,
                "carry": self._carry,
                "attach": studio.open,
                "delete": studio.delete,
                "save": self._save,
                "give": self._give,
            },
            form=self._written(),
            sizing_mode="stretch_width",
        )
        studio.param.watch(
            self._write,
            ["draft", "preset", "messages", "status", "run_name", "carry_on", "stored", "trouble", "given"],
        )

    def _edit(self, path: str, text: str) -> None:
        if path == "preset":
            self.studio.choose_preset(text)
        else:
            self.studio.edit(path, text)

    def _carry(self, on: bool) -> None:
        self.studio.carry_on = on

    def _save(self, lane: int) -> None:
        found = self.studio.saved_model(lane)
        if found is not None:
            self.form.tell(pack({"name": found[0]}, {"content": np.frombuffer(found[1], np.uint8)}))

    def _give(self, lane: int, text: str) -> None:
        try:
            content = base64.b64decode(text, validate=True)
        except binascii.Error:
            content = b""
        self.studio.give_model(lane, content)

    def _write(self, *_: object) -> None:
        self.form.form = self._written()

    def _written(self) -> dict[str, Any]:
        studio = self.studio
        draft, live = studio.draft, studio.live
        datasets = [[name, name] for name in studio.datasets()]
        presets = [[name, preset.title] for name, preset in PRESETS.items()]
        if not studio.preset:
            presets.insert(0, ["", "as this run was set"])
        chosen = PRESETS.get(studio.preset)
        first = [
            self._field("dataset", "Data set", draft.dataset, datasets, wide=True),
            self._field(
                "binary",
                "Images",
                "binary" if draft.binary else "grey",
                [["binary", "binary"], ["grey", "grey"]],
            ),
            self._field("preset", "Recipe", studio.preset, presets, wide=True),
        ]
        budget = [
            self._field(
                "budget", "Budget in", draft.budget, [["passes", "passes"], ["seconds", "seconds a model"]]
            ),
            *(self._field(name, label, draft.texts[name]) for name, (label, _) in RUN_FIELDS.items()),
        ]
        groups = [{"title": "What to train", "fields": first, "about": True}]
        for number, lane in enumerate(draft.lanes):
            systems = [[name, name] for name in FIELDS] + ([[NONE, "none"]] if number else [])
            fields = [self._field(f"{number}.system", "Model", lane.system, systems)]
            for field in FIELDS.get(lane.system, ()):
                if relevant(field, lane, draft.binary):
                    options = [list(pair) for pair in field.choices.items()] or None
                    path = f"{number}.{field.name}"
                    fields.append(self._field(path, field.label, lane.texts[field.name], options, field.help))
            groups.append(
                {"title": "Right model" if number else "Left model", "lane": number, "fields": fields}
            )
        groups.append({"title": "Budget", "fields": budget})
        return {
            "groups": groups,
            "about": chosen.about if chosen else "",
            "carry_on": studio.carry_on,
            "lanes": list(live.run.lanes) if live is not None else [],
            "given": list(studio.given),
            "running": studio.status == "running",
            "name": studio.run_name,
            "stored": [_offer(stored) for stored in studio.stored],
        }

    def _field(
        self, path: str, label: str, value: str, options: Any = None, help: str = "", wide: bool = False
    ) -> dict[str, Any]:
        studio = self.studio
        fixed = studio.fixed(path)
        return {
            "path": path,
            "label": label,
            "value": value,
            "options": options,
            "help": help,
            "wide": wide,
            "message": studio.messages.get(path, ""),
            "fixed": fixed,
        }

    def __panel__(self) -> Viewable:
        return self.form


def _offer(stored: Any) -> dict[str, Any]:
    """Return what the list of runs says of one."""
    began = time.strftime("%d %b %H:%M", time.localtime(stored.began))
    size = f"{stored.bytes / 2**20:.1f} MB" if stored.bytes else "no checkpoint yet"
    doing = f"{stored.live}, " if stored.live else ""
    lanes = " and ".join(stored.config.lanes)
    return {
        "name": stored.name,
        "title": f"{stored.config.dataset}: {lanes}",
        "words": f"{doing}{began}, {size}",
        "live": bool(stored.live),
        "watched": stored.watched,
    }
