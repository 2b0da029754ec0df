"""A page from a disk that learns: no more than the worker, a run to begin with, and what it has answered."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from lrbn_viz import load_dataset
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.view.live.learning import learning_code
from lrbn_viz.view.live.training import settings_of

_PAGE = """<!doctype html><meta charset="utf-8"><title>learns</title><script type="module">
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const run = %s, code = %s;
const doubles = (text) => new Float64Array(bytes(text).buffer);
const worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
window.answers = [];
window.painted = 0;
worker.onmessage = ({data}) => answers.push({...data, at: performance.now()});
window.tell = (message) => worker.postMessage(message);
const paint = () => { window.painted += 1; requestAnimationFrame(paint); };
paint();
const {rows, b, d} = run.parameters;
tell({
  act: "begin", kind: "lrbn", kernels: bytes(run.kernels), batch_size: 20, seed: 0, n_iter: run.n_iter,
  settings: {...run.settings, decay_steps: run.settings.decay_steps ?? Infinity},
  parameters: {rows: doubles(rows), b: doubles(b), d: doubles(d)},
  images: {X: bytes(run.images), n_v: run.n_v},
});
</script>"""


def _text(array: bytes | np.ndarray) -> str:
    data = array if isinstance(array, bytes) else np.ascontiguousarray(array).tobytes()
    return base64.b64encode(data).decode()


def write_learning_page(path: Path, dataset: str, n_h: int, n_iter: int, **settings: Any) -> int:
    """Write a page that begins a run of an LRBN; return the number of its training images."""
    X = (load_dataset(dataset).train_X > 0.5).astype(np.uint8)
    system = HardEM(n_h=n_h, **settings)
    params = system.init(X, np.random.default_rng(0)).params
    code = learning_code()
    run = {
        "kernels": _text(code.kernels),
        "settings": settings_of(system, "lrbn"),
        "parameters": {"rows": _text(params.W.T), "b": _text(params.b), "d": _text(params.d)},
        "images": _text(X),
        "n_v": X.shape[1],
        "n_iter": n_iter,
    }
    path.write_text(_PAGE % (json.dumps(run), json.dumps(code.script)), encoding="utf-8")
    return len(X)
