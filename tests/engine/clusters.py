"""Clusters of tests: on threads of this process, or of processes where these are what is tested."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from distributed import LocalCluster

from lrbn_viz.cluster import Cluster

KINDS: list[Any] = ["threads", pytest.param("processes", marks=pytest.mark.slow)]
"""Of clusters, as a parameter: those of processes take seconds to begin, and hold the same in the nightly."""


@contextmanager
def threads(n_workers: int = 2) -> Iterator[LocalCluster]:
    """Begin a scheduler and workers on threads of this process; they are spoken to as others are."""
    here: Any = LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.ERROR,
    )
    with here:
        yield here


class Begun(NamedTuple):
    """A cluster, whether its workers are processes, and what ends its scheduler where they are threads."""

    cluster: Cluster
    processes: bool
    end: Callable[[], object] = lambda: None


@contextmanager
def begun(kind: str, n_workers: int = 2, **how: Any) -> Iterator[Begun]:
    """Begin a cluster of one of `KINDS`; `how` as :class:`Cluster` takes it."""
    if kind == "processes":
        with Cluster(n_workers=n_workers, **how) as found:
            yield Begun(found, True)
        return
    with threads(n_workers) as here, Cluster(here.scheduler_address, **how) as found:
        yield Begun(found, False, here.close)
