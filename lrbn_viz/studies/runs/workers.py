"""The cluster on which runs may make their passes, and how far such a pass is.

The operator of the server names the cluster. Nothing of Dask is imported before a run asks for it.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from lrbn_viz.chunks import LOCAL_POOL, Abandoned, Pool, Watched
from lrbn_viz.core.extras import missing_extra
from lrbn_viz.io import background
from lrbn_viz.studies.runs.recording import LaneRecord

if TYPE_CHECKING:
    from lrbn_viz.cluster import Cluster

CLUSTER_VARIABLE = "LRBN_VIZ_CLUSTER"
"""Environment variable with the address of a Dask scheduler, or ``local``: processes of this machine, one for
each core, or with ``local:3`` three."""
POLL_SECONDS = 1.0
"""Interval at which a run updates its list of workers, seconds."""
LONG_SECONDS = 5.0
"""Duration of a phase from which on its remaining time is reported, seconds."""
OPEN_SECONDS = 30.0
"""Time within which a scheduler must answer, seconds."""


class Seen(NamedTuple):
    """The workers of a cluster.

    Attributes
    ----------
    there, gone : tuple of str
        Addresses of the workers that are connected, and of those that were and no longer are.
    link : str
        Address of Dask's dashboard; empty where there is none.
    """

    there: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    link: str = ""


class Workers:
    """The cluster of a server: begun when a run first needs it, and shared by all.

    Parameters
    ----------
    where : str
        Address of a cluster, in the form of :data:`CLUSTER_VARIABLE`.

    Attributes
    ----------
    seen : Seen
        The workers, as a run last saw them.

    Raises
    ------
    ValueError
        `where` is neither; or Dask is not installed.
    """

    def __init__(self, where: str) -> None:
        local = re.fullmatch(r"local(?::([1-9][0-9]{0,2}))?", where)
        if local is None and not re.fullmatch(r"[a-z]+://\S{1,300}", where):
            raise ValueError(
                f"expected the address of a Dask scheduler, such as tcp://192.168.1.20:8786, or local, or "
                f"local:3 for three processes of this machine; got {where[:60]!r}."
            )
        if find_spec("distributed") is None:
            missing = ModuleNotFoundError(name="distributed")
            raise ValueError(f"{missing_extra('cluster', 'a cluster needs', missing)} Or name no cluster.")
        self._where = where
        self._how: dict[str, Any] = (
            {"address": where}
            if local is None
            else {"n_workers": int(local[1]) if local[1] else None, "dashboard": True}
        )
        self._lock = threading.Lock()
        self._cluster: Cluster | None = None
        self._known: set[str] = set()
        self._looked = 0.0
        self.seen = Seen()

    def pool(self) -> Cluster:
        """Return the cluster; this takes seconds if it has to be started.

        Raises
        ------
        PoolLost, ValueError
            As :class:`lrbn_viz.cluster.Cluster`.
        """
        with self._lock:
            if self._cluster is None:
                from lrbn_viz.cluster import Cluster

                self._known.clear()
                self._cluster = Cluster(**self._how, timeout=OPEN_SECONDS)
                atexit.register(
                    self.close
                )  # called before what Dask has registered, which ends its parts anyhow
            return self._cluster

    def look(self) -> None:
        """See which workers there are, if that was not seen a moment ago."""
        cluster = self._cluster
        if cluster is None or time.monotonic() - self._looked < POLL_SECONDS:
            return
        self._looked = time.monotonic()
        there = cluster.workers
        self._known.update(there)
        link = self.seen.link if self.seen.there else cluster.dashboard_link
        self.seen = Seen(tuple(there), tuple(sorted(self._known.difference(there))), link)

    def lose(self, pool: Pool) -> None:
        """Release a lost cluster; the next run that needs a cluster starts another."""
        with self._lock:
            cluster = self._cluster
            if cluster is None or cluster is not pool:
                return
            self._cluster = None
            self.seen = Seen()
        cluster.close()

    def close(self) -> None:
        """End what was begun."""
        if self._cluster is not None:
            self.lose(self._cluster)


def workers_of_environment() -> Workers | None:
    """Return the cluster that the environment names; None where it names none.

    Raises
    ------
    ValueError
        As :class:`Workers`.
    """
    where = os.environ.get(CLUSTER_VARIABLE, "").strip()
    return Workers(where) if where else None


class Pass(NamedTuple):
    """Progress of a pass.

    Attributes
    ----------
    what : {"opening", "images", "e_step", "m_step"}
        Phase of the pass; "opening": connecting to a cluster.
    done, pieces : int
        Of this.
    rate : float
        Images a second of the E-step so far, or of the last one; 0 before anything is known.
    began, phase_began : float
        When the pass did, and what is being done now, by the monotonic clock.
    """

    what: str
    done: int
    pieces: int
    rate: float
    began: float
    phase_began: float = 0.0

    @property
    def left(self) -> float | None:
        """Estimate of the seconds that the rest of this work takes, where it takes long; else None."""
        spent = time.monotonic() - self.phase_began
        if not self.done or spent < LONG_SECONDS:
            return None
        return spent * (self.pieces - self.done) / self.done


class Passes:
    """Computes the passes of a lane that learns from all images at once, and reports their progress.

    Parameters
    ----------
    lane : LaneRecord
    workers : Workers or None
        None: in this process.
    attend : callable
        Called some times a second while a pass is made.
    given_up : callable
        True if the pass is to be abandoned.
    """

    def __init__(
        self,
        lane: LaneRecord,
        workers: Workers | None,
        attend: Callable[[], None],
        given_up: Callable[[], bool],
    ) -> None:
        self.lane, self.workers = lane, workers
        self._attend, self._given_up = attend, given_up
        self.pool: Pool = LOCAL_POOL
        self.now: Pass | None = None
        self._began = self._phase_began = 0.0

    def begin(self) -> None:
        """Reach the cluster, if the passes are made on one, and have them made there.

        Raises
        ------
        PoolLost, ValueError
            As :meth:`Workers.pool`.
        """
        if self.workers is not None:
            self.now = Pass("opening", 0, 0, 0.0, time.monotonic())
            opening: Future[Cluster] = Future()  # on a thread of its own, since a page may ask meanwhile
            background.start(partial(background.fulfil, opening, self.workers.pool), "training-cluster")
            while not opening.done():
                self._apply_commands()
                wait([opening], timeout=0.1)
            self.pool = opening.result()
            self.workers.look()
        self.put(self.lane.training.system)

    def put(self, system: Any) -> None:
        """Set the passes of a system, from the next one on."""
        self.lane.training.system = system.with_pool(Watched(self.pool, self._tell))

    @property
    def rate(self) -> float:
        """Images a second: of whole passes, and of the first one's E-step until that is made."""
        training = self.lane.training
        if training.epoch and training.seconds:
            return training.epoch * len(training.X) / training.seconds
        return 0.0 if self.now is None else self.now.rate

    @property
    def seconds(self) -> float:
        """Seconds since the start of the current pass; 0 if there is none."""
        now = self.now
        return time.monotonic() - now.began if now is not None and self.lane.training.making else 0.0

    def release(self) -> None:
        """Release a lost cluster."""
        if self.workers is not None:
            self.workers.lose(self.pool)

    def end(self) -> None:
        """Release everything that is held on workers."""
        self.now, self.pool = None, LOCAL_POOL
        self.lane.training.system = self.lane.training.acting = self.lane.training.system.with_pool(
            LOCAL_POOL
        )

    def _tell(self, what: str, done: int, pieces: int) -> None:
        if self.workers is not None:
            self.workers.look()
        now, before = time.monotonic(), self.now
        if before is None or what != before.what or done < before.done:
            self._phase_began = now
            if what != "m_step" and not (before is not None and before.what == "images"):
                self._began = now
        rate = 0.0 if before is None else before.rate
        if what == "e_step" and done and now > self._phase_began:
            rate = done / pieces * len(self.lane.training.X) / (now - self._phase_began)
        self.now = Pass(what, done, pieces, rate, self._began, self._phase_began)
        self._apply_commands()

    def _apply_commands(self) -> None:
        """Apply pending commands; abandon the pass if one of them asks for this."""
        self._attend()
        if self._given_up():
            raise Abandoned("the pass was abandoned; the last complete pass is kept.")
