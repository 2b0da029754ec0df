"""Preparation of a cluster's worker before its first task: ``dask worker ADDRESS --preload lrbn_viz.worker``.

Its kernels keep to the thread that calls them, and memory that holds nothing goes back to the system.
"""

from __future__ import annotations

from typing import Any

from lrbn_viz.io.background import trim_memory
from lrbn_viz.kernels.numerics import keep_to_one_thread

__all__ = ["dask_setup"]

MEMORY_CHECK_INTERVAL = 2.0
"""Interval between two checks of the memory, seconds."""
MEMORY_SHARE = 0.5
"""Share of its limit above which a worker releases memory; Dask moves data to disk above 0.6, and starts no
task above 0.8.
"""


def dask_setup(worker: Any) -> None:
    """Prepare a worker; Dask calls this.

    Parameters
    ----------
    worker : distributed.Worker
    """
    from tornado.ioloop import PeriodicCallback

    keep_to_one_thread()
    if limit := worker.memory_manager.memory_limit:
        PeriodicCallback(lambda: _give_back(worker, limit), 1000 * MEMORY_CHECK_INTERVAL).start()


def _give_back(worker: Any, limit: float) -> None:
    """Release memory if the process has much more than its values need.

    The C library keeps pages among which something is still used. Values of some kilobytes that Dask has
    moved to disk may leave so many of them that no task would ever be begun again.
    """
    held = worker.monitor.get_process_memory()
    values = getattr(getattr(worker.data, "fast", None), "total_weight", 0)
    if held > MEMORY_SHARE * limit and held - values > MEMORY_SHARE * limit:
        trim_memory()
