"""Extent of the measurements of every trained configuration: plain settings per data set."""

from __future__ import annotations

from typing import NamedTuple

WIDEST = 1.5
"""Nats between the bounds of log P(x) up to which it counts as known."""


class Budget(NamedTuple):
    """Settings of the measurements of every trained configuration."""

    annealed_sweeps: int = 1000
    """Sweeps of annealed MAP inference in reconstruction."""
    ais_images: int = 1000
    ais_temperatures: tuple[int, int] = (1000, 2000)
    ais_chains: int = 1
    """`ais_images`, `ais_temperatures` and `ais_chains`: so many test images, drawn once; steps of a chain in
    a model of one layer and in deeper ones; chains per image. Two layers relax more slowly than one: with
    equal steps their brackets are three to seven times as wide.
    """
    bracket_images: int = 100
    """Images drawn from the model on which AIS is run both ways; 0 leaves that out."""
    map_sweeps: int = 30
    """Annealing sweeps before ICM in the MAP bound."""
    csl_samples: int = 100_000
    csl_repetitions: int = 10
    """`csl_samples` and `csl_repetitions`: ancestral samples of each repetition."""
    code_images: int = 5000
    code_sweeps: int = 30
    """`code_images` and `code_sweeps`: training images of the linear classifier at most; annealing sweeps of
    its codes.
    """
    validation_images: int = 1000
    validation_ais_images: int = 250
    """`validation_images` and `validation_ais_images`: held-out images at most whose reconstruction and
    likelihood choose between configurations.
    """
    nats_images: int = 200
    nats_drawn: int = 50
    """`nats_images` and `nats_drawn`: of every system alike: test images whose log P(x) is estimated, drawn
    once, and images of which it is bounded on the other side.
    """
    nats_temperatures: tuple[int, int] = (250, 500)
    """Steps of a chain for each layer of a directed model, and of any other: at first, for chains
    are made longer where the bounds are too far apart.
    """
    nats_work: tuple[float, float] = (150.0, 1000.0)
    """How long they are made at most, of each kind of model: in thousands of millions of
    multiplications, which take a directed model about a second.
    """
    errors_images: int = 1000
    """Test images, drawn once, whose wrong pixels are counted."""

    def temperatures(self, n_layers: int) -> int:
        """Return the steps of an AIS chain in a model of so many layers."""
        return self.ais_temperatures[n_layers > 1]


BUDGETS: dict[str, Budget] = {
    # On 10,000 test images the slowest measurements are kept short; elsewhere AIS's chains are longer. More
    # samples of CSL would not do: a single one of them decides what an image's value is. The search goes on
    # gaining: on 200 validation images, 200, 500 and 1,000 sweeps leave two layers 5.3, 4.4 and 4.1 wrong
    # pixels.
    "mnist": Budget(annealed_sweeps=400, ais_temperatures=(700, 1400), csl_samples=20_000, errors_images=300),
    "caltech": Budget(ais_temperatures=(1000, 8000), errors_images=150),
    "ocr": Budget(ais_temperatures=(2000, 4000)),
}


QUICK = Budget(
    annealed_sweeps=5,
    ais_images=20,
    ais_temperatures=(20, 40),
    bracket_images=10,
    map_sweeps=3,
    csl_samples=200,
    csl_repetitions=2,
    code_images=150,
    code_sweeps=3,
    validation_images=20,
    validation_ais_images=10,
    nats_images=20,
    nats_drawn=5,
    nats_temperatures=(20, 20),
    nats_work=(0.0, 0.0),
    errors_images=20,
)
QUICK_IMAGES = {"training": 300, "test": 60}
