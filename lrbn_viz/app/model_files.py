"""Models as files that people save and give back."""

from __future__ import annotations

import tempfile
from pathlib import Path

from lrbn_viz.app.keeper import LiveRun
from lrbn_viz.estimators import LRBN, RBM, load_model

MODEL_BYTES = 32 * 2**20
"""Size of a model file that is read at most."""


def model_file(live: LiveRun, lane: int, cursor: int) -> tuple[str, bytes]:
    """Return the name and the content of a file with a lane's model at a moment of the run; -1: as it is."""
    run = live.run
    name = list(run.lanes)[lane]
    model = run.model(name, cursor if cursor >= 0 else None)
    record = run.lanes[name]
    step = record.training.step if cursor < 0 else record.history.at(cursor).step
    story = {"data": run.config.dataset, "run": live.name, "minibatches": step, "seed": run.config.seed}
    kind = name.lower().replace(" ", "-")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        model.save(path, provenance=story)
        content = path.read_bytes()
    return f"{kind}-{model.n_components}-{run.config.dataset}-{step}.npz", content


def read_model(content: bytes, binary: bool) -> LRBN | RBM:
    """Read a model file's content.

    Parameters
    ----------
    binary : bool
        Whether the model is to be one of binary images.

    Raises
    ------
    ValueError
        It is too large, none, of several layers, or of the other kind of images.
    """
    if len(content) > MODEL_BYTES:
        raise ValueError(f"expected at most {MODEL_BYTES >> 20} MB, got {len(content) >> 20} MB.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        path.write_bytes(content)
        try:
            model = load_model(path)
        except (ValueError, TypeError, KeyError, OSError) as error:
            # where it lay on the server is no news to who has given it
            raise ValueError(str(error).replace(str(path), "the file")) from error
    if not isinstance(model, LRBN | RBM):
        raise ValueError(f"expected an LRBN or an RBM of one layer, got {type(model).__name__}.")
    if (model.visible == "bernoulli") != binary:
        raise ValueError(f"it has {model.visible} units; choose images of that kind first.")
    return model
