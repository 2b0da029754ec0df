"""Background work: one after another on a named thread, errors by futures, an end that waits for nobody."""

from __future__ import annotations

import ast
import gc
import logging
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lrbn_viz.io import background
from lrbn_viz.io.background import Executor, log_error

PACKAGE = Path(background.__file__).parents[1]

BEGIN_THREADS = {
    "Thread", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "ThreadPool", "to_thread",
    "run_in_executor", "start_new_thread", "start_joinable_thread",
}  # fmt: skip
"""Names by which Python begins threads."""

ELSEWHERE = {
    "measure/sampling.py": "shares one computation out among the cores; its threads end within the call",
}
"""Files that begin threads although it is not their purpose, and why."""


def begins_threads(source: str) -> bool:
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.ClassDef) and any(name_of(base) in BEGIN_THREADS for base in node.bases):
            return True
        if called is not None and name_of(called) in BEGIN_THREADS:
            return True
    return False


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_threads_begin_in_one_module_and_where_a_reason_is_given():
    # Inside: Every thread is started in io/background.py, with exceptions that a test lists with their
    # reasons.
    sources = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "apps").glob("*.py")]
    found = {path for path in sources if begins_threads(path.read_text(encoding="utf-8"))}
    names = {path.relative_to(PACKAGE).as_posix() for path in found}
    assert names == {"io/background.py", *ELSEWHERE}


@pytest.mark.parametrize(
    "source",
    [
        "import threading\nthreading.Thread(target=print).start()",
        "with ThreadPoolExecutor(2) as pool: pass",
        "async def f(): await asyncio.to_thread(print)",
        "class Mine(threading.Thread): pass",
    ],
)
def test_a_thread_begun_elsewhere_is_noticed(source):
    assert begins_threads(source)
    assert not begins_threads("import threading\nlock = threading.Lock()  # Thread()")


@pytest.fixture
def executor() -> Iterator[Executor]:
    executor = Executor("at-work")
    yield executor
    executor.close(30)


@pytest.fixture
def held(executor) -> Iterator[Callable[[], None]]:
    """The executor at work on something, until what this gives is called."""
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        go_on.wait(30)

    executor.submit(wait)
    assert begun.wait(30)
    yield go_on.set
    go_on.set()


def threads_named(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == name]


def test_functions_are_called_one_after_another_on_one_named_thread_which_ends(executor, held):
    order: list[int] = []

    def note(n: int, *, twice: bool = False) -> tuple[int, threading.Thread]:
        order.append(n)
        return n * (1 + twice), threading.current_thread()

    futures = [executor.submit(note, n, twice=n > 1) for n in range(4)]
    assert not any(future.done() for future in futures)
    assert len(threads_named("at-work")) == 1
    held()
    results, threads = zip(*(future.result(30) for future in futures), strict=True)
    assert (order, results) == ([0, 1, 2, 3], (0, 1, 4, 6))
    assert {(thread.name, thread.daemon) for thread in threads} == {("at-work", True)}
    threads[0].join(30)
    assert not threads_named("at-work"), "nothing to do, no thread"
    assert executor.submit(note, 7).result(30)[0] == 7, "and it begins again"


def test_an_error_comes_back_and_the_next_one_is_served(executor):
    failed = executor.submit(divmod, 1, 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(30)
    assert executor.submit(divmod, 7, 2).result(30) == (3, 1)


def test_what_waits_can_be_cancelled_and_what_has_begun_cannot(executor, held):
    called: list[str] = []
    first, second = executor.submit(called.append, "first"), executor.submit(called.append, "second")
    assert first.cancel()
    held()
    second.result(30)
    assert called == ["second"]
    assert not second.cancel()


def test_closing_cancels_what_waits_and_waits_for_what_has_begun(executor, held):
    waiting = executor.submit(print, "never")
    executor.close()
    assert waiting.cancelled()
    assert threads_named("at-work"), "what has begun goes on"
    held()
    executor.close(30)
    assert not threads_named("at-work")
    assert executor.submit(divmod, 7, 2).result(30) == (3, 1), "closing is no end"


def test_many_threads_may_submit_at_once(executor):
    """Each thread's own come in its order, and none is lost between the last task and the thread's end."""
    done: list[tuple[int, int]] = []

    def submit(who: int) -> None:
        for n in range(300):
            future = executor.submit(done.append, (who, n))
            if n % 50 == who:
                future.result(30)  # lets the executor's thread end now and then

    threads = [background.start(lambda who=who: submit(who), f"submits-{who}") for who in range(4)]
    for thread in threads:
        thread.join(60)
    executor.submit(int).result(30)
    for who in range(4):
        assert [n for each, n in done if each == who] == list(range(300))


def test_arrays_of_a_task_that_failed_are_let_go_of_at_once(executor):
    class Large:
        pass

    def fail(large: Large) -> None:
        raise MemoryError

    large = Large()
    left = weakref.ref(large)
    gc.disable()
    try:
        assert isinstance(executor.submit(fail, large).exception(30), MemoryError)
        del large
        executor.close(30)
        for thread in threads_named("at-work"):
            thread.join(30)
        assert left() is None
    finally:
        gc.enable()


def test_the_error_of_a_future_that_nobody_asks_is_logged_once(executor, held, caplog):
    for future in (executor.submit(divmod, 7, 2), executor.submit(divmod, 1, 0)):
        future.add_done_callback(log_error)
    cancelled = executor.submit(print)
    cancelled.add_done_callback(log_error)
    cancelled.cancel()
    with caplog.at_level(logging.ERROR, "lrbn_viz.io.background"):
        held()
        executor.submit(int).result(30)
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a niceness per thread")
def test_a_thread_may_be_less_urgent_than_the_one_that_begins_it():
    found: list[int] = []

    def look() -> None:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    look()
    for niceness in (0, 19):
        background.start(look, "polite", niceness).join(30)
    look()
    assert found == [found[0], found[0], 19, found[0]]


AT_WORK_WHEN_THE_PROCESS_ENDS = """
import threading, time
from lrbn_viz.io.background import Executor, start
begun = threading.Event()
executor = Executor("busy")
executor.submit(lambda: (begun.set(), time.sleep(600)))
executor.submit(print, "what waits is dropped")
start(lambda: time.sleep(600), "another")
assert begun.wait(60)
print("the end", flush=True)
"""


def test_a_process_ends_without_waiting_for_its_threads():
    # They would work for ten minutes.
    done = subprocess.run(
        [sys.executable, "-c", AT_WORK_WHEN_THE_PROCESS_ENDS], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")
