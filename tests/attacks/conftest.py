"""Two servers of the explorer that attackers reach: one keeps visitors apart, one is shared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attacks.attacker import Client, Page
from served import served

ROOT = Path(__file__).resolve().parents[2]
PAGES = 9
# Few are a flood already where many processes share the cores.
APART = ("--apart", "--class", "--limit", "messages_a_second=10", "--limit", f"pages={PAGES}")
SHARED = ("--shared",)


class World:
    """A served explorer, and somebody whose run is attacked.

    Attributes
    ----------
    url, key : str
        Of the server, and the lecturer's secret.
    class_key : str
        Secret of who leads the class; empty where none is served.
    runs : Path
        The server's folder of runs.
    victim : Client
    page : Page
        The victim's, on which the run `target` trains.
    """

    def __init__(self, url: str, key: str, runs: Path, class_key: str = "") -> None:
        self.url, self.key, self.runs, self.class_key = url, key, runs, class_key
        self.victim = Client(url)
        self._clients = [self.victim]
        self._page: Page | None = None
        self._target = ""

    @property
    def page(self) -> Page:
        """The victim's page."""
        if self._page is None:
            self._page = self.victim.open()
        return self._page

    @property
    def target(self) -> str:
        """The name of a run that the victim trains now, and that is on disk."""
        if self._target and self.page.run_name != self._target:
            self.page.say("TrainForm", type="attach", name=self._target)
            self.page.wait(lambda: self.page.run_name == self._target)
            self.page.say("TrainBoard", type="start")
            self.page.wait(lambda: ", running," in (self.page.find(self._target) or {"words": ""})["words"])
        if not self._target:
            name = self.page.train()
            self.page.wait(lambda: (self.runs / name / "checkpoint").exists())
            self.page.wait(lambda: ", running," in (self.page.find(name) or {"words": ""})["words"])
            self._target = name
        return self._target

    def harmed(self, harmed: bool) -> bool:
        """Return whether the target was harmed; then the next one who asks for it gets another."""
        if harmed:
            self.spent()
        return harmed

    def spent(self) -> None:
        """Take note that the target was harmed: the next one who asks for it gets another."""
        self._target = ""

    def halted(self) -> bool:
        """Whether the target is halted, as the victim's page sees it."""
        found = self.page.find(self._target)
        return found is None or ", running," not in found["words"]

    def client(self) -> Client:
        """Return somebody else, who has no cookie."""
        client = Client(self.url)
        self._clients.append(client)
        return client

    def leave(self) -> None:
        """Close what attackers have opened."""
        for client in self._clients[1:]:
            client.close()
        del self._clients[1:]


@contextmanager
def world(runs: Path, *options: str) -> Iterator[World]:
    """Serve the explorer by the command of the package."""
    with served(*options, LRBN_VIZ_RUNS=str(runs), LRBN_VIZ_CHECKPOINT_SECONDS="0.5") as server:
        keys = [
            re.findall(rf"{page}\?key=(\S+)", "\n".join(server.printed)) for page in ("lecturer", "board")
        ]
        key, class_key = (found[0] if found else "" for found in keys)
        found = World(server.url, key, runs, class_key)
        yield found
        found.leave()
        found.victim.close()


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server that keeps visitors apart."""
    with world(tmp_path_factory.mktemp("apart"), *APART) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server that keeps nobody apart: what a test calls an attack succeeds here."""
    with world(tmp_path_factory.mktemp("shared"), *SHARED) as found:
        yield found
