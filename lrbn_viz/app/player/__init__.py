"""The trace player: a canvas component that replays whole traces in the browser, and its hosts."""

from lrbn_viz.app.player.host import TracePlayer
from lrbn_viz.app.player.packing import Lane, pack, pack_models, pack_trace, unpack

__all__ = ["Lane", "TracePlayer", "pack", "pack_models", "pack_trace", "unpack"]
