"""Attacks of one visitor on another: each fails where they are kept apart, else succeeds.

An attack is a function that returns whether it got what it was after. Where a shared server does not have
what is attacked, the proof that the attack is one is that it succeeds for who has the right.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from attacks.conftest import World
from attacks.raider import Page, Refused


@pytest.fixture(autouse=True)
def _leave(apart: World, shared: World):
    yield
    apart.leave()
    shared.leave()


def attach(page: Page, name: str) -> bool:
    """Try to watch a run; whether it is watched."""
    page.say("TrainForm", type="attach", name=name)
    page.wait(lambda: page.run_name == name or "There is no run" in page.error)
    return page.run_name == name


def got(page: Page, condition: Callable[[], bool], seconds: float = 1.5) -> bool:
    """Whether something comes within some seconds."""
    with suppress(AssertionError):
        return page.wait(condition, seconds)
    return False


def list_runs(world: World) -> bool:
    target, page = world.target, world.client().open()
    page.settle()
    page.listen(2.2)  # a list is two seconds old at most
    return target in "".join(page.told)


def attach_to_a_run(world: World) -> bool:
    return attach(world.client().open(), world.target)


def pause_a_run(world: World) -> bool:
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainBoard", type="pause")
    page.settle()
    found = world.stands()
    if found:
        world.spent()
    return found


def stop_a_run(world: World) -> bool:
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainBoard", type="stop")
    page.settle()
    found = world.stands()
    if found:
        world.spent()
    return found


def end_a_run_by_its_name(world: World) -> bool:
    target, page = world.target, world.client().open()
    page.say("TrainForm", type="end", name=target)
    page.settle()
    found = world.stands()
    if found:
        world.spent()
    return found


def download_a_model(world: World) -> bool:
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainForm", type="save", lane=0)
    page.settle()
    return got(page, lambda: ".npz" in "".join(page.told))


def delete_a_run(world: World) -> bool:
    target, page = world.target, world.client().open()
    world.page.say("TrainBoard", type="leave")  # nobody watches it, else it is refused to anybody
    world.page.wait(lambda: not world.page.run_name)
    page.say("TrainForm", type="delete", name=target)
    page.wait(lambda: not (world.runs / target).exists() or "There is no run" in page.error)
    found = not (world.runs / target).exists()
    if found:
        world.spent()
    else:
        world.page.say("TrainForm", type="attach", name=target)
        world.page.wait(lambda: world.page.run_name == target)
        world.page.say("TrainBoard", type="start")
    return found


def inspect_a_run(world: World) -> bool:
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainForm", type="show", lane=0)
    return got(page, lambda: f"live:{target}" in "".join(page.told))


def refused(attack, world: World, *words: object) -> bool:
    """Whether an attack fails: it gets nothing, or is not let in."""
    try:
        return not attack(world, *words)
    except Refused:
        return True


ON_RUNS = [
    list_runs,
    attach_to_a_run,
    pause_a_run,
    stop_a_run,
    end_a_run_by_its_name,
    download_a_model,
    inspect_a_run,
    delete_a_run,
]


@pytest.mark.parametrize("attack", ON_RUNS, ids=lambda attack: attack.__name__)
def test_attack(attack, apart: World, shared: World):
    assert refused(attack, apart)
    assert attack(shared), "else this would be no attack"
