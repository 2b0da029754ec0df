"""Go on with an LRBN of two layers that comes with the package, and judge it by held-out images.

    python tests/bench/bench_longer.py lrbn-200-200-caltech-likeliest [--passes 15] [--rate 0.05] [--copies 1]

Both layers learn together by kept chains, annealed once, from the shipped parameters. After each so many
passes, and of the parameters' average at the end, the first held-out images are judged by AIS; before the
first pass too. Seconds are the process's own, without those of judging. Nothing here looks at test images
unless --judged says of how many: those are measured once, at the end, before and after.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.measure import log_likelihood
from lrbn_viz.studies.reproduce.recipes import ANNEALED_E_STEP
from lrbn_viz.studies.reproduce.split import split
from lrbn_viz.studies.reproduce.train import model_of, training_of
from tools.weights.train import RECIPES, Staged

MODELS = [name for name, recipe in RECIPES.items() if isinstance(recipe, Staged) and recipe.how.fine_tune]


def nats(model: Any, X: NDArray, n_temperatures: int) -> str:
    """Return the mean nats of images by AIS, with the standard error, in words."""
    return str(log_likelihood(model, X, n_temperatures=n_temperatures))


def main() -> None:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train an LRBN of two layers for longer, and judge it.")
    parser.add_argument("model", choices=MODELS, help="where to begin")
    parser.add_argument("--passes", type=int, default=15, help="over the images, after that which anneals")
    parser.add_argument("--every", type=int, default=5, help="judge after so many passes")
    parser.add_argument("--rate", type=float, default=0.05, help="learning rate at first")
    parser.add_argument("--rate-end", type=float, default=0.002, help="and at the end")
    parser.add_argument("--sweeps", type=int, default=1, help="of a chain at each visit of its image")
    parser.add_argument("--weight", type=float, default=1.0, help="of the image in the E-step")
    parser.add_argument("--average", type=float, default=0.4, help="share of the passes that are averaged")
    parser.add_argument("--copies", type=int, help="of each image to learn from; else as the recipe has it")
    parser.add_argument("--held-out", type=int, default=250, help="held-out images, the first ones")
    parser.add_argument("--temperatures", type=int, default=2000, help="of each chain")
    parser.add_argument("--judged", type=int, default=0, help="test images, the first ones; 0: none")
    parser.add_argument("--keep", type=Path, help="file for the model")
    options = parser.parse_args()

    known = RECIPES[options.model]
    assert isinstance(known, Staged)
    assert known.how.fine_tune is not None
    plain: dict[str, Any] = {
        "persistent": True,
        "likelihood_weight": options.weight,
        "lowest_rate": 1.0,
        "learning_rate": options.rate,
    }
    if options.copies:
        plain["copies"] = options.copies
    more = [
        {"n_iter": 1, **plain, **ANNEALED_E_STEP, "anew": True, "learning_rate_end": options.rate},
        {
            "n_iter": options.passes,
            **plain,
            "e_step": "gibbs",
            "warm_sweeps": options.sweeps,
            "learning_rate_end": options.rate_end,
            "average": options.average,
        },
    ]
    alone = known.how._replace(fine_tune={**known.how.fine_tune, "stages": more}, patience=None)
    dataset = load_dataset(known.dataset)
    data = split(dataset)
    model = pretrained(options.model)
    run = training_of(alone, data.train_X, data.validation_X, 0, dataset.image_shape)
    before = len(run.plan) - len(more)
    run.warm_start(model.layers, [0] * before)
    X = data.validation_X[: options.held_out]
    print(f"before: held out {nats(model, X, options.temperatures)}", flush=True)
    spent, began, last = 0.0, time.process_time(), 0
    for stage, _, event in run:
        done = event.epoch  # whole passes before the one that this step is of
        if stage == before or done == last or done % options.every:
            continue
        spent, last = spent + time.process_time() - began, done
        now = model_of(alone, [state.params for state in run.state])
        print(f"{done} passes, {spent:.0f} CPU s: held out {nats(now, X, options.temperatures)}", flush=True)
        began = time.process_time()
    spent += time.process_time() - began
    now = model_of(alone, [state.params for state in run.state])
    print(f"at the end, {spent:.0f} CPU s: held out {nats(now, X, options.temperatures)}", flush=True)
    if options.keep is not None:
        now.save(options.keep)
    for title, each in (("before", model), ("after", now)) if options.judged else ():
        first = data.test_X[: options.judged]
        print(f"{title}: {len(first)} test images {nats(each, first, options.temperatures)}", flush=True)


if __name__ == "__main__":
    main()
