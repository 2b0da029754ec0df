"""Work on pieces of images on other processes and machines, by Dask: a :class:`lrbn_viz.chunks.Pool`.

Only who imports this module needs ``dask`` and ``distributed``: ``pip install "lrbn_viz[cluster]"``.

Everything that goes to a worker goes as a task, which the scheduler can give to another worker again: what is
lost with one is computed again, with the same result. Data are never scattered, as scattered data could not
be computed again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import os
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urljoin

from lrbn_viz.core.extras import missing_extra

try:
    import dask.config
    from distributed import Client, KilledWorker, LocalCluster, as_completed, wait
except ModuleNotFoundError as missing:
    raise missing_extra("cluster", "a cluster needs", missing) from missing

from lrbn_viz.chunks import PoolLost, WorkLost
from lrbn_viz.core.validation import Interval, check_integer, check_number

__all__ = ["Cluster"]


def __dir__() -> list[str]:
    return sorted(__all__)


_LOST = (concurrent.futures.CancelledError, asyncio.CancelledError, OSError, TimeoutError)

_LEAVE_KEYS_ALONE = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""Code that a worker of this machine runs first: only this process is to handle a terminal's Ctrl-C."""


@contextmanager
def _environment_kept() -> Iterator[None]:
    """Undo Dask's changes of this process's environment: the thread limits for libraries of workers."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


class Cluster:
    """Workers of a Dask cluster: of this machine, or those of a scheduler at an address.

    A context, which ends what it has begun; it never ends a scheduler that it was given the address of. In a
    script it stands under ``if __name__ == "__main__":``, since workers of this machine import the script.

    Parameters
    ----------
    address : str, optional
        Of a scheduler, such as ``tcp://192.168.1.20:8786``. None: a scheduler and workers of this machine,
        single-threaded processes that end with the context.
    n_workers : int, optional
        Processes, where there is no `address`; None: one for each core.
    memory_limit : str or float
        Memory limit of each worker, such as "2 GB", or a share of the machine's: above it, a worker restarts.
    span : int
        Grains of 1,024 images of a piece, a power of two. It decides nothing but how many tasks there are.
    timeout : float
        Seconds in which the scheduler must answer and have a worker.
    dashboard : bool
        True if workers of this machine have Dask's dashboard, at `dashboard_link`.

    Raises
    ------
    PoolLost
        Nobody answers at the address, or no worker comes.
    ValueError
        Workers or the scheduler have another version of Python, NumPy, Numba, Dask or this package, or none;
        or another source of it.

    Examples
    --------
    >>> import lrbn_viz
    >>> from lrbn_viz.cluster import Cluster
    >>> X = lrbn_viz.load_dataset("bars").train_X[:500]
    >>> with Cluster(n_workers=1) as cluster:
    ...     model = lrbn_viz.LRBN(16, schedule="batch", n_iter=2, random_state=0).fit(X, pool=cluster)
    >>> model.n_iter_
    2
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        n_workers: int | None = 2,
        memory_limit: str | float = "auto",
        span: int = 2,
        timeout: float = 30.0,
        dashboard: bool = False,
    ) -> None:
        if n_workers is not None:
            check_integer(n_workers, "n_workers", 1)
        check_number(timeout, "timeout", Interval(0, closed="neither"))
        if check_integer(span, "span", 1) & (span - 1):
            raise ValueError(f"span must be a power of two, so that sums stay the same; got {span}.")
        self.span = span
        self._own: LocalCluster | None = None
        if address is None:
            with _environment_kept():
                self._own = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    memory_limit=memory_limit,
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": dashboard},
                    preload=[_LEAVE_KEYS_ALONE, "lrbn_viz.worker"],
                    silence_logs=logging.ERROR,  # what is left undone on Ctrl-C is no news
                )
            address = self._own.scheduler_address
        self.address = address
        try:
            self._client: Any = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise PoolLost(
                f"no Dask scheduler answers at {address} within {timeout:g} s ({error}); begin one with "
                "dask scheduler, or leave the address out for workers of this machine."
            ) from error
        try:
            self._client.wait_for_workers(1, timeout=timeout)
            self._check_versions()
        except TimeoutError as error:
            self.close()
            raise PoolLost(
                f"the scheduler at {address} has no worker within {timeout:g} s; begin some with dask worker "
                f"{address}."
            ) from error
        except BaseException:
            self.close()
            raise

    def _check_versions(self) -> None:
        """Raise ValueError if workers differ in the versions of libraries that affect results."""

        def versions() -> dict[str, str]:  # sent as it is, so that it also runs where the package is not
            import hashlib
            import importlib
            import platform
            from pathlib import Path

            found = {"Python": platform.python_version()}
            for name in ("lrbn_viz", "numpy", "numba", "dask"):
                try:
                    found[name] = importlib.import_module(name).__version__
                except ImportError:
                    found[name] = "none"
            total = hashlib.sha256()  # a checkout changes and keeps its version
            if found["lrbn_viz"] != "none":
                folder = Path(str(importlib.import_module("lrbn_viz").__file__)).parent
                for path in sorted(folder.rglob("*.py")):
                    total.update(path.read_bytes())
            return {**found, "source of lrbn_viz": total.hexdigest()[:12]}

        here = versions()
        there = {f"the worker at {at}": found for at, found in self._client.run(versions).items()}
        there["the scheduler"] = self._client.run_on_scheduler(versions)
        for who, found in there.items():
            for name, version in here.items():
                if found[name] != version:
                    raise ValueError(
                        f"{who} has {name} {found[name]}, this process {version}: expected one version "
                        "on all, as results would differ. Install the same version and restart the cluster."
                    )

    @property
    def dashboard_link(self) -> str:
        """Address of Dask's dashboard; empty if there is none."""
        try:
            link = self._client.dashboard_link or ""
            # A scheduler without a dashboard has other pages there; one that has it needs seconds to make the
            # first page, and lists its plots at once.
            plots_link = urljoin(link, "individual-plots.json")
            with urllib.request.urlopen(plots_link, timeout=5) as plots:
                return link if json.load(plots) else ""
        except (KeyError, ValueError, OSError, RuntimeError):  # or it is lost
            return ""

    @property
    def workers(self) -> list[str]:
        """Addresses of the present workers."""
        return sorted(self.threads)

    @property
    def threads(self) -> dict[str, int]:
        """The number of tasks that each present worker runs at a time, by its address.

        Raises
        ------
        PoolLost
            The scheduler does not answer.
        """
        try:
            found = self._client.scheduler_info(n_workers=-1)["workers"]
        except (*_LOST, KeyError) as error:  # a client that has lost its scheduler knows nothing
            raise self._lost(error) from error
        return {address: int(about["nthreads"]) for address, about in found.items()}

    @property
    def peak_bytes(self) -> dict[str, int]:
        """Most memory that each worker's process has held at a time, by address; not on Windows."""

        def peak() -> int:
            import resource
            import sys

            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            return most if sys.platform == "darwin" else most * 1024

        return dict(self._client.run(peak))

    def begin(self, what: str, pieces: int) -> None:
        """Do nothing: Dask's dashboard counts tasks by their names; see :class:`lrbn_viz.chunks.Pool`."""

    def submit(self, what: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function on a worker; see :class:`lrbn_viz.chunks.Pool`."""
        if self._ended:
            raise self._lost(ConnectionError())
        try:
            # Images go with their tasks, by intent: scattered, as Dask would advise, they could be lost.
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
                return self._client.submit(function, *args, key=f"{what}-{uuid.uuid4().hex}", pure=False)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise self._lost(error) from error

    def gather(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of handles, once they exist."""
        try:
            return self._client.gather(list(values))
        except KilledWorker as error:
            raise self._killed(error) from error
        except _LOST as error:
            raise self._lost(error) from error

    def finished(self, value: Any) -> bool:
        """Return whether the value of a handle exists, or will never exist; see
        :class:`lrbn_viz.chunks.Pool`.
        """
        return value.done()

    def wait(self, values: Sequence[Any], seconds: float, first: bool = False) -> bool:
        """Wait for values, but at most for some seconds; see :class:`lrbn_viz.chunks.Pool`."""
        try:
            with self._client.as_current():
                wait(values, timeout=seconds, return_when="FIRST_COMPLETED" if first else "ALL_COMPLETED")
        except TimeoutError as error:
            if self._ended:  # then they would be waited for in vain
                raise self._lost(error) from error
            return False
        except _LOST as error:
            raise self._lost(error) from error
        return True

    @property
    def _ended(self) -> bool:
        """True if the client no longer tries to reach its scheduler."""
        return self._client.status in ("closing", "closed")

    def arrivals(self, values: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield each handle with its value, in the order of arrival.

        A :class:`~lrbn_viz.chunks.PoolLost` stands in the place of one whose task ended too many workers: the
        others go on. An error of a task is raised.
        """
        arriving = as_completed(list(values), loop=self._client.loop)
        while True:
            try:
                value = next(arriving, None)
                if value is None:
                    return
                error = value.exception() if value.status == "error" else None
                found = value.result() if error is None else None
            except _LOST as lost:
                raise self._lost(lost) from lost
            if isinstance(error, KilledWorker):
                found = self._killed(error)
            elif error is not None:
                raise error
            yield value, found

    def _killed(self, error: KilledWorker) -> WorkLost:
        return WorkLost(
            f"a task ended {error.allowed_failures + 1} workers of {self.address}, most likely for want "
            "of memory; give workers more (memory_limit), or a smaller span."
        )

    def _lost(self, error: BaseException) -> PoolLost:
        return PoolLost(
            f"the Dask scheduler at {self.address} is lost ({type(error).__name__}); begin it again, or take "
            "another."
        )

    def close(self) -> None:
        """End the processes that this started, and release its data on workers."""
        self._client.close(timeout=5)
        if self._own is not None:
            with contextlib.suppress(TimeoutError):  # of many values on disk: they end with this process
                self._own.close(timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
