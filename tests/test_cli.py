"""The command line: what a person types, and what comes back."""

from __future__ import annotations

import argparse
import re
import socket
import subprocess
import sys
import time
from importlib.metadata import entry_points
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from lrbn_viz import cli
from lrbn_viz.datasets import DATASETS
from lrbn_viz.server import options


def test_the_installed_command_is_this_main():
    (command,) = [entry for entry in entry_points(group="console_scripts") if entry.name == "lrbn-viz"]
    assert command.load() is cli.main


def test_version_names_the_package_and_a_number(capsys):
    assert cli.main(["--version"]) == 0
    assert re.fullmatch(r"lrbn_viz \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)


def parsers_of(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return a parser and those of its commands."""
    subparsers = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return [
        parser,
        *(each for action in subparsers for one in action.choices.values() for each in parsers_of(one)),
    ]


def test_each_option_has_one_name_beside_its_negation():
    for parser in parsers_of(cli.build_parser()):
        for action in parser._actions:
            names = {name.removeprefix("--no-") for name in action.option_strings if name.startswith("--")}
            assert len({name.removeprefix("--") for name in names}) <= 1, (parser.prog, action.option_strings)


def test_datasets_lists_every_data_set_once_with_its_source(capsys):
    assert cli.main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(DATASETS)
    for line, info in zip(lines, DATASETS.values(), strict=True):
        source = "download" if info.needs_files else "included"
        assert line.endswith(f" {source}  {info.description}")
        assert f" {info.image_shape[0]}x{info.image_shape[1]} " in line


def test_download_of_an_included_data_set_reports_its_checked_size(capsys):
    assert cli.main(["datasets", "--download", "digits"]) == 0
    assert capsys.readouterr().out == "digits: 1,437 training and 360 test images, checked\n"


def test_download_of_an_unknown_name_lists_the_known_ones(capsys):
    assert cli.main(["datasets", "--download", "mnits"]) == 1
    message = capsys.readouterr().err
    assert "mnits" in message
    assert all(name in message for name in DATASETS)


def test_a_broken_data_file_is_a_message_and_not_a_traceback(capsys, monkeypatch, tmp_path):
    (tmp_path / "letter.data.gz").write_bytes(b"not the letters")
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    assert cli.main(["datasets", "--download", "ocr_letters"]) == 1
    assert "letter.data.gz" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["dance"], "dance"),
        (["serve", "--port", "70000"], "0 to 65535"),
        (["serve", "--port", "-1"], "--port"),
        (["serve", "--port", "http"], "0 to 65535"),
        (["datasets", "--download"], "--download"),
        (["reproduce"], "DATASET"),
        (["reproduce", "mnits"], "'mnist', 'caltech', 'ocr'"),
        (["reproduce", "mnist", "--seed", "-1"], "--seed"),
        (["reproduce", "mnist", "--seed", "one"], "'one'"),
        (["reproduce", "mnist", "--seconds", "0"], "above 0, got '0'"),
        (["reproduce", "mnist", "--seconds", "inf"], "'inf'"),
    ],
)
def test_a_wrong_call_says_what_is_wrong_and_returns_2(arguments, said, capsys):
    assert cli.main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_cluster_without_dask_says_which_extra_brings_it():
    script = (
        "import sys; sys.modules['dask'] = None\n"
        "try: import lrbn_viz.cluster\n"
        "except ModuleNotFoundError as error: print(error.name, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert "dask" in done.stdout
    assert 'pip install "lrbn_viz[cluster]"' in done.stdout


def test_help_lists_the_commands_and_imports_nothing_heavy():
    heavy = "{'numba', 'panel', 'bokeh', 'holoviews', 'sklearn'}"
    script = (
        "import sys; from lrbn_viz import cli; assert cli.main(['--help']) == 0; "
        f"assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert all(command in done.stdout for command in ("serve", "datasets", "reproduce", "--version"))


# The gate's servers are begun by the same command in a process that has imported the package.
@pytest.mark.slow
def test_serve_answers_with_the_explorer_page():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "lrbn_viz.cli", "serve", "--no-show", "--address", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            body, deadline = "", time.monotonic() + 120
            while not body and server.poll() is None and time.monotonic() < deadline:
                try:
                    with urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
                        body = answer.read().decode()
                except URLError:
                    time.sleep(0.2)
        finally:
            server.terminate()
        printed = server.stdout.read().decode() if server.stdout else ""
    assert "<title>LRBN explorer</title>" in body, printed


def test_serve_on_a_taken_port_says_so(capsys, monkeypatch):
    monkeypatch.setattr(options, "write_logs", lambda *_: None)  # loggers keep the handlers that they have
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["serve", "--no-show", "--address", "127.0.0.1", "--port", str(port)]) == 1
    assert f"127.0.0.1:{port}" in capsys.readouterr().err
