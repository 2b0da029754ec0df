"""Animations of the run that is shown on the Train page."""

from __future__ import annotations

from pathlib import Path

from lrbn_viz.app.shared.animation import AnimationPanel, Work
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.app.visitors.runs import READ_ONLY
from lrbn_viz.view.animation.settings import Progress, Settings


class AnimationOfRun(AnimationPanel):
    """Makes animations of the run on the Train page.

    Parameters
    ----------
    state : TrainState
    """

    def __init__(self, state: TrainState) -> None:
        def prepare() -> Work:
            live = state.steered
            if live is None and state.live is not None:
                raise ValueError(READ_ONLY)
            if live is None:
                raise ValueError("No model is trained yet; press Start, or open a stored run.")

            def write(path: Path, settings: Settings, progress: Progress) -> None:
                from lrbn_viz.view.animation.runs import animate_run  # imports Matplotlib, on a thread

                animate_run(path, live.run, settings=settings, progress=progress)

            return Work(f"{live.run.config.dataset}-training", write)

        super().__init__(prepare)
