"""Metrics of a process in Prometheus' format, through its client library: ``/metrics``.

The number of series is bounded by the package's own code: classes of components, of statuses and of times.
No visitor, session, run or address is named.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tornado.web import HTTPError, RequestHandler

from lrbn_viz import __version__
from lrbn_viz.app.visitors.local import is_forwarded
from lrbn_viz.core.extras import missing_extra
from lrbn_viz.server.traffic.observed import OBSERVED

if TYPE_CHECKING:
    from prometheus_client import Metric

METRICS = "LRBN_VIZ_METRICS"
"""Environment variable: 1 gives metrics to everybody, 0 to nobody; by default to this machine only."""


def metrics_asked(address: str | None) -> bool:
    """Return whether a server that listens on `address` answers with metrics.

    Raises
    ------
    ValueError
        The environment says neither 0 nor 1.
    """
    said = os.environ.get(METRICS, "")
    if said not in ("", "0", "1"):
        raise ValueError(f"{METRICS} must be 0 or 1, got {said[:40]!r}.")
    return said == "1" if said else is_local(address)


def is_local(address: str | None) -> bool:
    """Return whether only this machine reaches a server that listens on `address`; None: on all addresses."""
    return address in ("localhost", "::1") or (address or "").startswith("127.")


class Metrics(RequestHandler):
    """Handler of the metrics; empty if they are disabled."""

    def get(self) -> None:
        """Send the metrics in the text format."""
        if not metrics_asked(None if is_forwarded(self.request) else _listens_on(self)):
            raise HTTPError(404)
        try:
            from prometheus_client import CollectorRegistry, ProcessCollector
            from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
        except ModuleNotFoundError as missing:
            self.set_status(501)
            self.finish(f"{missing_extra('serve', 'Metrics need', missing)}\n")
            return

        registry = CollectorRegistry(auto_describe=False)
        ProcessCollector(registry=registry)  # memory, processor time, open files
        counted = _Counted(self.application)
        registry.register(counted)  # pyright: ignore[reportArgumentType] - it has `collect`, all that is called
        self.set_header("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(generate_latest(registry))

    def compute_etag(self) -> None:
        """Return no tag: the answer is that of now."""


def _listens_on(handler: RequestHandler) -> str:
    """Return the address at which this request came in."""
    connection: Any = handler.request.connection
    return str(connection.stream.socket.getsockname()[0])


class _Counted:
    """Collector of families of series, as Prometheus' client requires it.

    Parameters
    ----------
    application : BokehTornado
        Whose sessions are counted.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    def collect(self) -> Iterator[Metric]:
        """Yield the families, as they are now."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        from lrbn_viz.studies.runs.registry import get_registry  # brings the engine

        info = GaugeMetricFamily("lrbn_viz_info", "1, with the version.", labels=["version"])
        info.add_metric([__version__], 1)
        yield info
        sessions = sum(len(self._application.get_sessions(path)) for path in self._application.app_paths)
        yield GaugeMetricFamily("lrbn_viz_sessions", "Sessions that are held now.", value=sessions)
        runs = GaugeMetricFamily(
            "lrbn_viz_runs", "Runs that this process holds, by status.", labels=["status"]
        )
        for status, count in sorted(Counter(get_registry().statuses()).items()):
            runs.add_metric([status], count)
        yield runs
        counts, total = OBSERVED.pages.read()
        pages = HistogramMetricFamily("lrbn_viz_page_seconds", "From the request for a page to its answer.")
        pages.add_metric([], counts, total)
        yield pages
        messages = HistogramMetricFamily(
            "lrbn_viz_message_seconds", "From a browser's message to its answer.", labels=["component"]
        )
        for component, times in sorted(OBSERVED.messages.items()):
            messages.add_metric([component], *times.read())
        yield messages
        answers = CounterMetricFamily("lrbn_viz_answers", "Answers over HTTP.", labels=["status"])
        for status, count in sorted(OBSERVED.answers.items()):
            answers.add_metric([status], count)
        yield answers
        errors = CounterMetricFamily("lrbn_viz_errors", "Errors, by where.", labels=["where"])
        for where in ("log", "message", "page"):
            errors.add_metric([where], OBSERVED.errors[where])
        yield errors
