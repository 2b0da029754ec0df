"""Parameters of the models that a page shows, packed for its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lrbn_viz.app.host import host
from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.io.constants import KEPT_FILES
from lrbn_viz.view.player.packing import pack_models, same_parameters

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model


def refer(addresses: Sequence[str]) -> bytes:
    """Return the replacement of blocks for a component: the addresses of files that hold them."""
    return KEPT_FILES + "\n".join(addresses).encode()


def referred(block: object) -> list[str]:
    """Return the addresses that `refer` wrote; empty for any other bytes."""
    if not isinstance(block, bytes) or not block.startswith(KEPT_FILES):
        return []
    return block.removeprefix(KEPT_FILES).decode().split("\n")


def same_weights(one: Model, other: Model) -> bool:
    """Return whether two models are of one kind and have equal weights; a run makes new model objects."""
    return one is other or (type(one) is type(other) and same_parameters(one, other))


def models_block(models: Mapping[str, Model], image_shape: tuple[int, int]) -> bytes:
    """Pack models as `pack_models` does; of shipped models only the addresses of weight files.

    Parameters
    ----------
    models : mapping from name to fitted model
    image_shape : (int, int)
        Rows and columns of one image.
    """
    from lrbn_viz.catalog import PRETRAINED, pretrained

    owners = {name: name.removeprefix(FACTORISED) for name in models}
    shipped = set(owners.values()) <= PRETRAINED.keys()
    # files are kept for all visitors; names that one of them gave are not among them
    if not shipped or any(
        models[name].latent_names_ != pretrained(owner).latent_names_ for name, owner in owners.items()
    ):
        return pack_models(models, image_shape)
    addresses = []
    for owner in dict.fromkeys(owners.values()):
        block = pack_models({name: models[name] for name in models if owners[name] == owner}, image_shape)
        address = host().kept_address(block, f"{owner}.bin", "application/octet-stream")
        if address is None:
            return pack_models(models, image_shape)
        addresses.append(address)
    return refer(addresses)
