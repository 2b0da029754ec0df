"""Build the kernels for browsers: ``python -m lrbn_viz.browser.build``; with ``--check`` compare them.

The modules, ``kernels.wasm``, ``learning.wasm`` and ``measuring.wasm``, and the table of what their
functions take, ``table.json``, are committed and ship with the package, so that nobody who opens or writes a
page needs a compiler. ``origin.json`` says of which sources the modules were built.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any

from lrbn_viz.browser.module import NAMES, ORIGIN, SCRIPT, TABLE, digest_of, path_of

PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0"}
PLAIN |= {"NUMBA_NUM_THREADS": "1", "NUMBA_DISABLE_JIT": "0"}
"""Environment in which Numba compiles for no processor in particular, and leaves the code as it is written:
once optimised it contains this machine's places of a structure's fields, and its vectors. Numba reads these
as it is imported.
"""
TYPES = Path(__file__).resolve().parents[2] / "types" / "kernels.d.ts"
"""The same table as types, for the checker of JavaScript."""
OUTPUTS = (*map(path_of, NAMES), TABLE, ORIGIN, SCRIPT, TYPES)
"""What a build writes."""


def main() -> int:
    """Build, or compare; return the process's status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="compare the committed module with one built anew"
    )
    parser.add_argument(
        "--folder", type=Path, help="write to a folder, and not in the place of the committed ones"
    )
    asked = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in PLAIN.items()):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **PLAIN, "NUMBA_CACHE_DIR": folder}
            return subprocess.run(
                [sys.executable, "-m", __spec__.name, *sys.argv[1:]], env=environment
            ).returncode
    # What is compiled for browsers cannot be kept for later, which Numba says of each function.
    warnings.filterwarnings("ignore", message="Cannot cache compiled function")
    files = built()
    if asked.check:
        other = [path.name for path, content in files.items() if _committed(path) != content]
        print(f"Not of these sources: {', '.join(other)}. Build them anew." if other else "Of these sources.")
        return int(bool(other))
    for path, content in files.items():
        if path == TYPES and not path.parent.is_dir():
            continue  # an installed package, without what checks its JavaScript
        (asked.folder / path.name if asked.folder else path).write_bytes(content)
    print(*(f"{path_of(name).name}: {len(files[path_of(name)]):,} bytes." for name in NAMES), sep="\n")
    return 0


def _committed(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def built() -> dict[Path, bytes]:
    """Return what belongs into each file, built of the sources as they stand."""
    from lrbn_viz.browser import compiler
    from lrbn_viz.browser.entries import MATHEMATICS, MODULES, TUPLES, constants
    from lrbn_viz.browser.script import script

    every = {name: of() for name, of in MODULES.items()}
    modules = {name: compiler.compiled(each, MATHEMATICS) for name, each in every.items()}
    tuples = {each.name: each.fields for each in TUPLES}
    functions = {name: _described(entry.arguments) for each in every.values() for name, entry in each.items()}
    sources = _sources()
    hashes = {name: sha256(each).hexdigest() for name, each in modules.items()}
    origin = {"modules": hashes, "sources": digest_of(sources), "files": sources}
    table = {
        "data": {name: compiler.data_size(each) for name, each in modules.items()},
        "constants": constants(),
        "tuples": tuples,
        "functions": functions,
    }
    return {
        **{path_of(name): each for name, each in modules.items()},
        TABLE: _text(table),
        ORIGIN: _text(origin),
        SCRIPT: script().encode(),
        TYPES: _types(tuples, functions).encode(),
    }


def _text(value: Any) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()


def _described(arguments: Any) -> dict[str, str]:
    """Return each argument's type, a named tuple's by its name."""
    return {name: each if isinstance(each, str) else each.name for name, each in arguments.items()}


def _sources() -> list[str]:
    """Return the files of all functions that were compiled in this process, relative to the package."""
    import gc

    from numba.core.dispatcher import Dispatcher

    package = Path(__file__).resolve().parents[1]
    found = {
        Path(each.py_func.__code__.co_filename)
        for each in gc.get_objects()
        if issubclass(type(each), Dispatcher) and each.overloads  # not isinstance, which asks weak references
    }
    found |= {path for path in Path(__file__).parent.glob("*.py") if path.name != "module.py"}
    found |= set((package / "kernels" / "simd").glob("*.py"))
    found |= {package / "io" / name for name in ("constants.json", "constants.py")}
    return sorted(path.relative_to(package).as_posix() for path in found if path.is_relative_to(package))


def _types(tuples: dict[str, Any], functions: dict[str, Any]) -> str:
    """Return declarations in TypeScript of the functions, and of what their tuples are made of."""

    def of(written: str) -> str:
        if written in tuples:
            return f'KernelTuple<"{written}">'
        if "[" in written:
            return f'KernelArray<"{written.partition("[")[0]}">'
        return "boolean" if written == "?" else "number"

    def fields(given: dict[str, str]) -> str:
        return "".join(f"    {name}: {of(each)};\n" for name, each in given.items())

    memory = 'import("../lrbn_viz/browser/js/memory.js")'
    lines = [
        "// Written by lrbn_viz/browser/build.py: what the kernels in the browser take.\n\n",
        f"type KernelArray<D extends {memory}.Dtype> =\n  {memory}.KernelArray<D>;\n",
        f"type KernelTuple<N extends keyof KernelTuples> = {memory}.KernelTuple<N>;\n\n",
        "interface KernelTuples {\n",
    ]
    lines += [f"  {name}: {{\n{fields(given)}  }};\n" for name, given in tuples.items()]
    lines.append("}\n\ninterface KernelArguments {\n")
    lines += [f"  {name}: {{\n{fields(given)}  }};\n" for name, given in functions.items()]
    return "".join(lines) + "}\n"


if __name__ == "__main__":
    raise SystemExit(main())
