"""A few visitors at once, as the bench lets many come and go: nothing fails, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator

import pytest
from bench import bench_soak
from bench.bench_soak import curve, halves, quantiles
from bench.crowd import Guest, Record, Visit, come_and_go
from bench.soak_page import BEGIN, CURVES, END, FOUND, PAGE, drawn, table
from served import Served, served

SECONDS = 3.0
ROUNDS = 20
"""Each of `SECONDS`: the first is enough, but on a machine that is busy with much else."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that has made its first page."""

    async def come() -> None:
        (await Guest.open(f"{found.url}/")).close()

    with served("--apart", LRBN_VIZ_RUNS=str(tmp_path_factory.mktemp("load"))) as found:
        asyncio.run(come())
        yield found


@pytest.mark.slow
def test_visitors_who_come_and_go_meet_no_error_and_lose_no_step(server: Served, tmp_path):
    record = Record()

    async def crowd() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(
            *(come_and_go(f"{server.url}/", record, end, seed, think=0.2, stay=4.0) for seed in range(3))
        )

    for _ in range(ROUNDS):
        asyncio.run(crowd())
        if record.acts["open"] >= 3 and len(record.clicks) >= 3:
            break
    assert (record.errors, record.lost, record.refused) == ([], [], [])
    (tmp_path / "log").write_text("\n".join(server.printed), encoding="utf-8")
    assert bench_soak.Served("", 0, tmp_path / "log").complaints() == []
    assert record.acts["open"] >= 3
    assert record.acts["leave"] == record.acts["open"] == len(record.opened)
    assert len(record.clicks) >= 3


def test_a_step_that_the_server_does_not_hold_is_noticed(server: Served):
    record = Record()

    async def visit() -> None:
        guest = await Guest.open(f"{server.url}/")
        seen = Visit(guest, record, random.Random(0))
        await seen.pick()
        await seen.compare()
        assert record.lost == []
        seen.row += 1  # as if another had been asked for
        await seen.compare()
        guest.close()

    asyncio.run(visit())
    assert len(record.lost) == 1


def test_what_is_said_of_many_visitors_is_what_was_found():
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0] == table(found)
    assert CURVES.read_text(encoding="utf-8") == drawn(found)


def test_errors_of_a_log_are_told_with_what_they_are(tmp_path):
    log = tmp_path / "log"
    log.write_text(
        "2026-01-01T00:00:00Z info here: Traceback, as a word\n"
        "2026-01-01T00:00:01Z error there: it failed\nTraceback (most recent call last):\n"
        '  File "x.py", line 1, in <module>\nValueError: of this\n'
        "2026-01-01T00:00:02Z warning here: late\n"
        "Traceback (most recent call last):\n  File\nKeyError: 2\n"
    )
    assert bench_soak.Served("", 0, log).complaints() == [
        "2026-01-01T00:00:01Z error there: it failed | ValueError: of this",
        "Traceback (most recent call last): | KeyError: 2",
    ]


def test_figures_of_waiting_and_memory():
    assert quantiles([0.1, 0.2, 0.3]) == {"p50": 0.2, "p95": 0.29, "worst": 0.3, "count": 3}
    assert curve([(10.0, 1.0), (10.5, 3.0), (49.0, 2.0)], 10.0, 40.0) == [[0.008, 2.9], [0.658, 2.0]]
    assert halves([[0.0, 100.0], [1.0, 102.0], [2.0, 110.0], [3.0, 112.0]], 4.0) == 10.0
