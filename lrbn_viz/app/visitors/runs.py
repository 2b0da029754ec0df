"""Access of one visitor to the runs of a server; only this module checks ownership.

Requests for another's run are refused with the same message as those for runs that do not exist. All
functions with names from a page accept any text.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lrbn_viz.app.visitors.excess import excess
from lrbn_viz.app.visitors.limits import (
    NO_LIMITS,
    LimitReached,
    Limits,
    free_disk_mib,
    server_mib,
)
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.datasets import Dataset
from lrbn_viz.io import background
from lrbn_viz.studies.runs import Deleted, RunConfig, StoredRun
from lrbn_viz.studies.runs.registry import LiveRun, Present, RunRegistry

READ_ONLY = "This run belongs to another visitor: you can watch it, but not change it."


class VisitorRuns:
    """Rights of one visitor on the runs of a registry.

    Parameters
    ----------
    registry : RunRegistry
    visitor : Visitor, optional
        By default the owner of the machine, with full access.
    limits : Limits, optional
        None by default.
    """

    def __init__(self, registry: RunRegistry, visitor: Visitor = HOME, limits: Limits = NO_LIMITS) -> None:
        self.registry, self.visitor, self.limits = registry, visitor, limits
        self._seen: tuple[list[StoredRun], list[StoredRun]] = ([], [])

    def _missing(self, name: str) -> FileNotFoundError:
        if self.visitor.is_owner:
            words = "on this server; it may have been deleted."
        else:
            words = "that you may open; it may have been deleted, or be another visitor's."
        return FileNotFoundError(f"There is no run called {name[:200]} {words}")

    def _check_owned(self, name: str) -> None:
        """Raise an error unless a run is the visitor's; called on the registry's executor."""
        if not self.visitor.is_owner and not self.visitor.owns(self._owner(name)):
            raise self._missing(name)

    def _owner(self, name: str) -> str | None:
        try:
            return self.registry.owner_of(name)
        except ValueError:  # not the name of a run
            return None

    # -- lists of runs

    @property
    def stored(self) -> list[StoredRun]:
        """Runs that the visitor may see, newest first; a new list object after every change."""
        if self.visitor.is_owner:
            return self.registry.stored
        if self._seen[0] is not self.registry.stored:
            seen = [run for run in self.registry.stored if self.visitor.sees(run.owner, run.listed)]
            self._seen = self.registry.stored, (self._seen[1] if seen == self._seen[1] else seen)
        return self._seen[1]

    def deleted(self) -> list[Deleted]:
        """Return the visitor's runs that can be restored; call it through `ask`."""
        return [run for run in self.registry.deleted() if self.visitor.owns(run.owner)]

    def tidy(self) -> None:
        """Delete runs that nobody has opened for a long time; at most once an hour."""
        days = self.limits.expiry_days
        if days < math.inf and time.monotonic() - self.registry.expired > 3600.0:
            self.registry.expired = time.monotonic()
            self.registry.ask(lambda: self.registry.expire(days)).add_done_callback(background.log_error)

    def ask(self, function: Callable[[], Any]) -> Future[Any]:
        """Run `function` on the registry's executor."""
        return self.registry.ask(function)

    # -- actions, each to be called through `ask`; errors are those of the registry

    def start(self, config: RunConfig, dataset: Dataset, **settings: Any) -> LiveRun:
        """Start a run that belongs to the visitor.

        Raises
        ------
        LimitReached
            A limit is reached; the message says which.
        """
        if config.on_cluster and self.registry.workers is None:
            raise ValueError('This server has no cluster; choose this process under "Where it runs".')
        too_much = excess(self.limits, config, dataset.n_v, len(dataset.train_X))
        if too_much:
            raise LimitReached(next(iter(too_much.values())))
        self._check_room(new=True)
        return self.registry.start(
            config,
            dataset,
            owner=self.visitor.id,
            most_seconds=self.limits.computed_seconds,
            **settings,
        )

    def resume(self, name: str, load: Callable[[RunConfig], Dataset]) -> LiveRun:
        """Return a run of the visitor's, or one in memory that they may watch."""
        live = self.registry.live(name)
        if live is None or not self.visitor.sees(live.run.owner, live.run.listed):
            self._check_owned(name)
        if live is None:
            self._check_room()
        return self.registry.resume(name, load, most_seconds=self.limits.computed_seconds)

    def models(self, name: str, load: Callable[[RunConfig], Dataset]) -> tuple[dict[str, Any], Dataset]:
        """Return the models of one of the visitor's runs, each with its minibatches, and their images."""
        self._check_owned(name)
        return self.registry.models(name, load)

    def branch(self, live: LiveRun, step: int) -> LiveRun:
        """Make a run that continues from a stored moment of one of the visitor's runs."""
        if not self.steers(live):
            raise ValueError(READ_ONLY)
        self._check_room(new=True)
        return self.registry.branch(live, step)

    def _check_room(self, new: bool = False) -> None:
        """Raise an error if the visitor may have no further run in memory or, for a new run, on disk."""
        if self.visitor.is_owner:
            return
        limits, mine = self.limits, self.visitor.id
        live = [run for run in self.registry.owned(mine) if not run.run.job.ended]
        stored = self.registry.stored_runs()
        mib = {run.name: run.bytes / 2**20 for run in stored}
        memory = server_mib()
        taken = {
            "runs": len(live) + 1,
            "memory_mib": 0.0 if memory is None else memory,
            "stored_runs": sum(run.owner == mine for run in stored) + new,
            "disk_mib": sum(mib[run.name] for run in stored if run.owner == mine),
            "all_disk_mib": sum(mib.values()),
        }
        for name, value in taken.items():
            if value > getattr(limits, name) and (new or name in ("runs", "memory_mib")):
                raise LimitReached(limits.words(name))
        if new and free_disk_mib(self.registry.folder) < limits.free_mib:
            raise LimitReached(limits.words("free_mib"))

    def delete(self, name: str) -> Deleted:
        """Move a run of the visitor's to the trash."""
        self._check_owned(name)
        return self.registry.delete(name)

    def restore(self, key: str) -> tuple[str, str]:
        """Restore a deleted run of the visitor."""
        if not self.visitor.is_owner and key not in {run.key for run in self.deleted()}:
            raise ValueError(f"expected a run that you deleted, got {os.path.basename(key)[:60]!r}.")
        return self.registry.restore(key)

    def stop(self, live: LiveRun) -> None:
        """End a run, with a last checkpoint: one of the visitor's, or any for a lecturer."""
        if not (self.steers(live) or self.visitor.teaches):
            raise ValueError(READ_ONLY)
        live.run.stop()

    def end(self, name: str) -> None:
        """End a run in memory by its name, as `stop` does."""
        live = self.registry.live(name)
        if live is None or not (self.steers(live) or self.visitor.teaches):
            raise self._missing(name)
        self.stop(live)

    # -- watching runs

    def steers(self, live: LiveRun) -> bool:
        """Return whether a run in memory belongs to the visitor, who may control, change and remove it."""
        return self.visitor.owns(live.run.owner)

    def watches(self, live: LiveRun) -> bool:
        """Return whether the visitor may still watch a run in memory."""
        if self.steers(live):
            return True
        return self.registry.live(live.name) is live and self.visitor.sees(live.run.owner, live.run.listed)

    def may_end(self, stored: StoredRun) -> bool:
        """Return whether a run of `stored` is another's that a lecturer may end."""
        return self.visitor.teaches and stored.live in ("running", "paused") and not self.owns(stored)

    def may_open(self, stored: StoredRun) -> bool:
        """Return whether the visitor can open a run of `stored`: their own, or one in memory that may be
        watched.
        """
        return self.visitor.owns(stored.owner) or bool(stored.live)

    def owns(self, stored: StoredRun) -> bool:
        """Return whether a run of `stored` belongs to the visitor."""
        return self.visitor.owns(stored.owner)

    def attach(self, live: LiveRun, present: Present) -> None:
        """Let the visitor's page watch a run. Only its owner's pages keep it running."""
        if self.steers(live):
            self.registry.attach(live, present)

    def detach(self, live: LiveRun, present: Present) -> None:
        """End the watching of a run by the visitor's page."""
        self.registry.detach(live, present)

    def release(self, live: LiveRun) -> None:
        """End a run without watchers, unless it is set to continue or is another's."""
        if self.steers(live) and not live.watched and not live.carry_on:
            self.registry.release(live)

    def show_to_others(self, live: LiveRun, listed: bool) -> None:
        """Show a run of the visitor in others' lists, or hide it; call it through `ask`."""
        if self.steers(live) and not self.visitor.is_owner and live.run.listed != listed:
            live.run.listed = listed
            if live.run.saved_step >= 0:  # otherwise the first checkpoint stores it
                live.run.save()
            self.registry.refresh()
