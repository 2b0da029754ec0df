"""The doctor: a sound installation is well, and each kind of fault is found, in words that name nobody."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lrbn_viz import cli
from lrbn_viz.doctor import bench, elsewhere, machine, oracles, selftest
from lrbn_viz.doctor.elsewhere import examine_elsewhere
from lrbn_viz.doctor.examine import PARTS, SECONDS, examine
from lrbn_viz.doctor.report import Finding, as_json, as_text, is_well
from lrbn_viz.doctor.selftest import TESTS, self_test
from lrbn_viz.io.privacy import redact

real = subprocess.Popen
WAITING = """
import json, sys, time
print(json.dumps({"part": "kernels first", "state": "ok", "words": "well"}), flush=True)
time.sleep(600)
"""
"""What another process does whose kernels take long."""


def state_of(findings: Any) -> dict[str, str]:
    return {each.part: each.state for each in findings}


# -- kernels


@pytest.mark.parametrize("name", TESTS)
def test_sound_kernels_compute_what_their_formulas_say(name: str):
    TESTS[name]()


def broken(kernel: Any, which: int) -> Callable[..., Any]:
    """A kernel of which one thing is off: what it returns, or one of the arrays that it fills."""

    def off(*arguments: Any) -> Any:
        found = kernel(*arguments)
        if found is None:
            arguments[which][...] += 0.5
            return None
        if isinstance(found, tuple):
            return (found[0] + 1, *found[1:])
        return found + 1

    return off


KERNELS = {
    "numbers": ("lrbn_viz.kernels.numerics", "next_uniform", -1),
    "exp and log": ("lrbn_viz.kernels.simd.math", "exp32", -1),
    "batches": ("lrbn_viz.lrbn.batch_kernel", "fill_log_odds", -1),
    "evidence": ("lrbn_viz.lrbn.start", "_evidence", -1),
    "posterior": ("lrbn_viz.lrbn.exact", "enumerate_joints", -1),
    "M-step": ("lrbn_viz.lrbn.regression", "_regress", -1),
    "M-step over all images": ("lrbn_viz.lrbn.logistic", "_slabs", -1),
    "annealing": ("lrbn_viz.lrbn.ais", "_likelihoods", -1),
    "undirected layers": ("lrbn_viz.rivals.rbm.kernels", "latent_means", -1),
    "particles": ("lrbn_viz.rivals.sbn.kernels", "momentum_step", -1),
    "mean field": ("lrbn_viz.lrbn.means.batch", "ascend_means", -3),
    "means of one image": ("lrbn_viz.lrbn.means.moments", "bound_of", -1),
    "prior of weights": ("lrbn_viz.rivals.sbn.beliefs", "fit_prior", -2),
}
"""One kernel of each test, as its callers name it, and the argument that it fills if it returns nothing."""


@pytest.mark.parametrize("name", KERNELS)
def test_a_broken_kernel_is_found(name: str, monkeypatch):
    module, kernel, which = KERNELS[name]
    sound = getattr(sys.modules[module], kernel)
    off = tuple(broken(each, which) for each in sound) if isinstance(sound, tuple) else broken(sound, which)
    monkeypatch.setattr(f"{module}.{kernel}", off)
    monkeypatch.setattr(selftest, "TESTS", {name: TESTS[name]})
    assert state_of(self_test()) == {f"kernels {name}": "wrong"}


def test_a_trace_that_says_another_number_is_found(monkeypatch):
    from lrbn_viz.core.trace import ICMTrace

    def off(self: ICMTrace, k: int) -> Any:
        return 1 - sound(self, k)

    sound = ICMTrace.latents
    monkeypatch.setattr(ICMTrace, "latents", off)
    with pytest.raises(selftest.Differs, match="trace"):
        TESTS["traces"]()


def test_a_kernel_that_does_not_run_is_found(monkeypatch):
    def fail() -> None:
        raise RuntimeError("no such instruction")

    monkeypatch.setitem(TESTS, "undirected layers", fail)
    (found,) = (each for each in self_test() if each.part == "kernels undirected layers")
    assert found.state == "wrong"
    assert "no such instruction" in found.words


RUN = """
import os, sys, json
from lrbn_viz.doctor import selftest

selftest.DRAWS = selftest.CHAINS = 20  # uncompiled they are slow, and too few to compare
ran = set()
def note(frame, event, argument):
    if event == "call" and "lrbn_viz" in frame.f_code.co_filename:
        ran.add((frame.f_globals.get("__name__"), frame.f_code.co_name))
sys.setprofile(note)
for test in selftest.TESTS.values():
    try:
        test()
    except selftest.Differs:
        pass
sys.setprofile(None)
print(json.dumps(sorted(ran)))
"""
LISTED = """
import json, pkgutil
from importlib import import_module
import lrbn_viz
from numba.core.dispatcher import Dispatcher

found = set()
for info in pkgutil.walk_packages(lrbn_viz.__path__, "lrbn_viz."):
    if info.name.split(".")[1] in {"kernels", "lrbn", "measure", "rivals", "training"}:
        module = import_module(info.name)
        for value in vars(module).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Dispatcher) and each.py_func.__module__ == info.name:
                    found.add((info.name, each.py_func.__code__.co_name))
print(json.dumps(sorted(found)))
"""
WITHOUT_JIT = {"_compiled_exp", "_compiled_exp32", "_compiled_log"}
"""Kernels that have another form without the JIT."""


def run(script: str, **environment: str) -> set[tuple[str, str]]:
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return {(module, name) for module, name in json.loads(done.stdout)}


@pytest.mark.slow
def test_the_self_test_runs_every_kernel():
    missed = {each for each in run(LISTED) - run(RUN, NUMBA_DISABLE_JIT="1") if each[1] not in WITHOUT_JIT}
    assert missed == set()


def test_oracles_are_those_of_the_tests():
    import naive

    params = oracles.draw_params(5, 3)
    H, x = oracles.states(3), np.array([1, 0, 1, 1, 0])
    for visible in ("bernoulli", "gaussian"):
        joints = oracles.log_joint(params, visible, x, H)
        assert joints == pytest.approx([naive.log_joint(params, visible, x, h) for h in H])
        assert oracles.log_evidence(params, visible, x) == pytest.approx(
            naive.posterior(params, visible, x).log_evidence
        )
    q, tilts = np.array([0.2, 0.5, 0.9]), np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    assert oracles.tilted_bound(params, x, q, tilts) == pytest.approx(naive.tilted_bound(params, x, q, tilts))
    assert oracles.quadratic_bound(params, x, q) == pytest.approx(
        naive.quadratic_bound(params, x, q, np.zeros((5, 3)))
    )


# -- the machine


def test_this_installation_is_well():
    found = list(examine(part for part in PARTS if part not in ("kernels", "speed")))
    assert is_well(found), as_text(found)
    assert {each.part.split()[0] for each in found} >= {
        "versions",
        "threads",
        "kernel",
        "data",
        "models",
        "runs",
        "disk",
    }


def test_an_old_and_a_missing_dependency_are_found(monkeypatch):
    versions = {"numpy": "1.26.4"}

    def version(name: str) -> str:
        if name == "tqdm":
            raise machine.PackageNotFoundError(name)
        return versions.get(name, "999")

    monkeypatch.setattr(machine, "version", version)
    monkeypatch.setattr(
        machine, "machine", lambda: dict.fromkeys(("python", "system", "processor", "cores"), "x")
    )
    found = machine.versions()
    assert found.state == "wrong"
    assert "numpy 1.26.4 is older than 2.0" in found.words
    assert "tqdm is missing" in found.words


def test_the_extras_that_are_not_installed_are_named_and_are_no_fault(monkeypatch):
    asked = [
        "numpy>=2.0", "llvmlite", "matplotlib>=3.9; extra == 'report'", 'dask>=2026.8 ; extra == "cluster"',
        "prometheus-client>=0.20; extra == 'serve'", "pyright[nodejs]>=1.1; extra == 'test'",
    ]  # fmt: skip

    def version(name: str) -> str:
        if name in ("matplotlib", "dask", "pyright"):
            raise machine.PackageNotFoundError(name)
        return "999"

    monkeypatch.setattr(machine, "requires", lambda name: asked)
    monkeypatch.setattr(machine, "version", version)
    found = machine.versions()
    assert found.state == "ok"
    assert found.words.endswith("; without the extras cluster, report")
    assert found.values["absent extras"] == ["cluster", "report"]
    assert found.values["packages"] == dict.fromkeys(("numpy", "llvmlite", "prometheus-client"), "999")


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root writes everywhere")
def test_an_unwritable_folder_is_told_from_others(tmp_path: Path):
    tmp_path.chmod(0o500)
    assert not machine.can_write(tmp_path)
    tmp_path.chmod(0o700)
    assert machine.can_write(tmp_path / "not" / "yet" / "there")


@pytest.mark.parametrize(("complete", "state"), [(True, "warning"), (False, "wrong")])
def test_an_unwritable_cache_is_found(complete: bool, state: str, tmp_path: Path, monkeypatch):
    path = tmp_path / "compiled"
    if complete:
        path.write_bytes(b"")
    monkeypatch.setattr("lrbn_viz.app.warmup.compiled_path", lambda: path)
    monkeypatch.setattr(machine, "can_write", lambda folder: False)
    found = machine.kernel_cache()
    assert found.state == state
    assert "NUMBA_CACHE_DIR" in found.words


def test_a_folder_that_cannot_be_made_cannot_be_written_to(tmp_path: Path, monkeypatch):
    def refuse(**_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(machine.tempfile, "TemporaryFile", refuse)
    assert not machine.can_write(tmp_path)


def test_wrong_data_files_are_found(tmp_path: Path, monkeypatch):
    (tmp_path / "letter.data.gz").write_bytes(b"not the letters")
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    found = {each.part: each for each in machine.data()}
    assert found["data ocr_letters"].state == "wrong"
    assert "letter.data.gz" in found["data ocr_letters"].words
    assert found["data mnist"].state == "ok"  # not here
    assert found["data digits"].state == "ok"


def test_a_damaged_model_is_found(monkeypatch):
    def damaged(name: str) -> Any:
        if name == "lrbn-12-digits":
            raise ValueError("its checksum is another")
        return None

    monkeypatch.setattr("lrbn_viz.catalog.pretrained", damaged)
    found = machine.models()
    assert found.state == "wrong"
    assert "lrbn-12-digits: its checksum is another" in found.words


@pytest.mark.parametrize(("free", "state"), [(10**8, "wrong"), (10**9, "warning"), (10**11, "ok")])
def test_a_full_disk_is_found(free: int, state: str, monkeypatch):
    usage = shutil.disk_usage(".")._replace(free=free)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda folder: usage)
    assert machine.disk().state == state


def test_a_slow_machine_is_warned_of(monkeypatch):
    def prepare() -> Callable[[], float]:
        return lambda: 1e-6

    slow = bench.Measured("images", 1e9, prepare)
    monkeypatch.setattr(bench, "MEASURED", {"batches": slow, "traces": slow._replace(expected=1e-9)})
    assert [each.state for each in bench.bench(0.01)] == ["warning", "ok"]


@pytest.mark.parametrize("name", bench.MEASURED)
def test_what_is_measured_runs(name: str):
    assert bench.MEASURED[name].prepare()() > 0


# -- what takes long on a new machine


def test_a_part_that_takes_longer_than_there_is_time_says_how_far_it_came_and_what_to_do(monkeypatch):
    monkeypatch.setattr(elsewhere, "SCRIPT", WAITING)
    monkeypatch.setattr(machine, "is_compiled", lambda: False)
    clock = [0.0]
    for module in ("elsewhere", "examine"):
        monkeypatch.setattr(f"lrbn_viz.doctor.{module}.monotonic", lambda: clock[0])
    looking = examine(["kernels", "speed"])
    found = [next(looking)]
    clock[0] += SECONDS
    found += looking
    assert [(each.part, each.state) for each in found] == [
        ("kernels first", "ok"), ("kernels", "warning"), ("speed", "warning"),
    ]  # fmt: skip
    assert "time was up after 1 were looked at" in found[1].words
    assert "lrbn-viz compile compiles all of them" in found[1].words


def test_kernels_that_end_their_process_are_found(monkeypatch):
    monkeypatch.setattr(elsewhere, "SCRIPT", "import os, sys; print('oh', file=sys.stderr); os._exit(11)")
    (found,) = examine(["kernels"])
    assert (found.part, found.state) == ("kernels", "wrong")
    assert found.words == "the process ended with status 11 after 0: oh"


def test_what_another_process_finds_is_what_this_one_does():
    (found,) = examine_elsewhere("versions", 60.0)
    assert found == machine.versions()


def test_another_process_tells_findings_without_values_too(monkeypatch):
    """JSON has no form of the mapping that stands for no values, and all kernels were "wrong"."""
    selftest_of_one = "from lrbn_viz.doctor import selftest; selftest.TESTS = {'none': lambda: None}"
    monkeypatch.setattr(elsewhere, "SCRIPT", f"{selftest_of_one}\n{elsewhere.SCRIPT}")
    (found,) = examine_elsewhere("kernels", 60.0)
    assert (found.part, found.state, dict(found.values)) == ("kernels none", "ok", {})


def test_no_kernel_is_compiled_and_no_page_imported_before_the_parts_in_another_process(tmp_path):
    """Compilation would take from the time of the self-test, and the import of Panel is two seconds."""
    script = """
import sys
from numba.core import event
compiled = []
event.register("numba:compile", type("Heard", (event.Listener,), {
    "on_start": lambda self, heard: compiled.append(str(heard.data.get("dispatcher"))),
    "on_end": lambda self, heard: None,
})())
from lrbn_viz.doctor import machine
assert machine.threads().state == "ok"
machine.kernel_cache()
assert not compiled, compiled
assert "panel" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr


def test_the_warning_of_an_incomplete_cache_is_cured_by_what_it_says(tmp_path, monkeypatch, capsys):
    path = tmp_path / "compiled"
    monkeypatch.setattr("lrbn_viz.app.warmup.compiled_path", lambda: path)
    monkeypatch.setattr("lrbn_viz.doctor.selftest.self_test", lambda: iter([]))
    before = machine.kernel_cache()
    assert before.state == "warning"
    (command,) = re.findall(r"lrbn-viz (\w+)", before.words)
    monkeypatch.setattr(
        "lrbn_viz.app.warmup.subprocess.Popen",
        lambda *_, **how: real(["touch", str(path)], **{**how, "env": None}),
    )
    assert cli.main([command]) == 0
    assert capsys.readouterr().out.startswith("the kernel cache is complete: ")
    assert machine.kernel_cache().state == "ok"


def test_looking_is_shown_part_by_part(monkeypatch, capsys):
    monkeypatch.setattr("lrbn_viz.doctor.examine.PARTS", {"disk": PARTS["disk"], "runs": PARTS["runs"]})
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().err.splitlines() == ["looked at disk", "looked at runs"]


# -- the report


def test_a_report_names_no_folder_no_user_and_no_machine(monkeypatch):
    monkeypatch.setattr("lrbn_viz.io.privacy._names", lambda: ["ada", "analytical-engine"])
    words = f"{Path.home()}/runs of ada on analytical-engine; Canada"
    for text in (as_text([Finding("runs", "ok", words)]), as_json([Finding("runs", "ok", words)])):
        assert "~/runs of <somebody> on <somebody>; Canada" in text


def test_folders_that_variables_name_are_named_by_these(monkeypatch):
    monkeypatch.setenv("LRBN_VIZ_RUNS", "/srv/of-somebody/runs")
    assert redact("in /srv/of-somebody/runs/one") == "in $LRBN_VIZ_RUNS/one"


def test_a_part_that_cannot_be_looked_at_is_wrong(monkeypatch):
    def fail() -> Any:
        raise OSError("no such device")

    monkeypatch.setitem(PARTS, "disk", fail)
    assert [(each.part, each.state) for each in examine(["disk"])] == [("disk", "wrong")]


@pytest.mark.parametrize(("state", "status"), [("ok", 0), ("warning", 0), ("wrong", 1)])
def test_the_exit_status_says_whether_something_is_wrong(state: Any, status: int, capsys, monkeypatch):
    monkeypatch.setattr(
        "lrbn_viz.doctor.examine.examine", lambda parts: iter([Finding("disk", state, "words")])
    )
    assert cli.main(["doctor", "--quick", "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert found["well"] is (status == 0)
    assert found["findings"][0]["words"] == "words"
    assert cli.main(["doctor", "--quick"]) == status
    assert "words" in capsys.readouterr().out


def test_quick_measures_nothing(monkeypatch, capsys):
    asked: list[str] = []

    def note(parts: Any) -> Any:
        asked.extend(parts)
        return [Finding("disk", "ok", "words")]

    monkeypatch.setattr("lrbn_viz.doctor.examine.examine", note)
    cli.main(["doctor", "--quick"])
    assert "kernels" in asked
    assert "speed" not in asked


def test_differences_of_shape_and_not_a_number_are_differences():
    for found, expected in (([1.0], [1.0, 2.0]), ([np.nan], [0.0]), ([1.1], [1.0])):
        with pytest.raises(selftest.Differs):
            selftest.same("a number", found, expected)
    with pytest.raises(selftest.Differs):
        selftest.near("a draw", np.zeros((1000, 1)), [0.5])
