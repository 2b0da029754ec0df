"""The command `lrbn-viz`: serve the explorer, list and download data sets, reproduce the paper's tables, run
sweeps, build the documentation.

Everything heavy is imported by the subcommand that needs it, so that `lrbn-viz --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from lrbn_viz import __version__
from lrbn_viz.core.extras import MissingExtra
from lrbn_viz.io.constants import MAX_SEED
from lrbn_viz.studies.reproduce.recipes import RECIPES
from lrbn_viz.studies.reproduce.systems import ALL, SECONDS

if TYPE_CHECKING:
    from panel.viewable import Viewable

    from lrbn_viz.cluster import Cluster
    from lrbn_viz.server.classroom.plan import Plan
    from lrbn_viz.server.classroom.room import Classroom
    from lrbn_viz.studies.reproduce.run import Reproduction
    from lrbn_viz.view.animation.settings import Progress, Settings
    from lrbn_viz.view.lessons import BadLesson, Lesson

AddParser = Callable[..., argparse.ArgumentParser]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of `lrbn-viz`; each subcommand stores its function as `run`."""
    parser = argparse.ArgumentParser(
        prog="lrbn-viz",
        description="Step, play and scrub inference in Latent Regression Bayesian Networks beside an RBM.",
    )
    parser.add_argument("--version", action="version", version=f"lrbn_viz {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _declare_serve(commands.add_parser)
    _declare_export(commands.add_parser)
    _declare_animate(commands.add_parser)
    _declare_datasets(commands.add_parser)
    _declare_lessons(commands.add_parser)
    _declare_reproduce(commands.add_parser)
    _declare_sweep(commands.add_parser)
    _declare_doctor(commands.add_parser)
    _declare_compile(commands.add_parser)
    _declare_docs(commands.add_parser)
    return parser


def _declare_serve(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz serve`."""
    serve = add_parser("serve", help="open the explorer in a browser")
    serve.add_argument(
        "--port", type=_port, default=5006, help="port to listen on; 0 picks a free one (5006)"
    )
    serve.add_argument(
        "--address", default="localhost",
        help="address to listen on; 0.0.0.0 for all of this machine's (localhost)",
    )  # fmt: skip
    serve.add_argument(
        "--prefix",
        metavar="PATH",
        default="",
        help="serve below this path, such as /explorer, behind a proxy",
    )
    serve.add_argument(
        "--behind-proxy", action="store_true",
        help="trust the headers of a proxy about the client; only if nobody else can reach the port",
    )  # fmt: skip
    serve.add_argument(
        "--auth", metavar="HOW", default="none",
        help="authentication: none, basic with a name and a password, or a provider of Panel's, such as "
        "github (none)",
    )  # fmt: skip
    serve.add_argument(
        "--users", metavar="FILE",
        help="names and passwords of --auth basic, as a JSON object; else all use LRBN_VIZ_PASSWORD",
    )  # fmt: skip
    serve.add_argument(
        "--embed", metavar="ORIGIN", nargs="+", default=[],
        help="sites whose pages may show the explorer in a frame, such as https://moodle.example.org",
    )  # fmt: skip
    serve.add_argument(
        "--metrics", action=argparse.BooleanOptionalAction, default=None,
        help="serve metrics for Prometheus at /metrics (only on an address of this machine)",
    )  # fmt: skip
    serve.add_argument("--log-level", choices=["debug", "info", "warning", "error"], default="warning",
                       help="lowest level that is logged (warning)")  # fmt: skip
    serve.add_argument("--log-format", choices=["text", "json"], default="text",
                       help="format of the log: lines of text or of JSON (text)")  # fmt: skip
    serve.add_argument("--no-show", dest="show", action="store_false", help="do not open a browser window")
    serve.add_argument(
        "--allow-websocket-origin",
        metavar="HOST:PORT",
        action="append",
        help="host and port by which the page is reached, if they differ from the address; may be repeated",
    )
    _add_visitor_options(serve)
    serve.set_defaults(run=_serve)


def _add_visitor_options(serve: argparse.ArgumentParser) -> None:
    """Add the options of `lrbn-viz serve` about classes, what visitors share, their limits and a cluster."""
    serve.add_argument(
        "--class", dest="classroom", action="store_true",
        help="serve a class: in addition to the explorer a live page, an address for the class with its QR "
        "code, and counts of the predictions in lessons",
    )  # fmt: skip
    serve.add_argument(
        "--class-address", metavar="URL",
        help="address by which the class reaches this machine, if it differs from the detected one",
    )  # fmt: skip
    serve.add_argument(
        "--class-models", metavar="NAME", nargs="+", default=[],
        help="shipped models of the live page, of one data set (those of all lessons)",
    )  # fmt: skip
    serve.add_argument(
        "--plan", metavar="FILE",
        help="lecture plan of the class: a Markdown file, or 20-minutes or 90-minutes",
    )  # fmt: skip
    apart = serve.add_mutually_exclusive_group()
    apart.add_argument(
        "--shared", dest="shared", action="store_true", default=None,
        help="let every visitor list, control and delete every run (by default only users of this machine "
        "may)",
    )  # fmt: skip
    apart.add_argument(
        "--apart", dest="shared", action="store_false",
        help="keep all visitors apart, including those of this machine",
    )  # fmt: skip
    serve.add_argument(
        "--limit", dest="limits", metavar="NAME=VALUE", action="append", default=[],
        help="limit for each visitor, such as runs=5; may be repeated; inf means no limit",
    )  # fmt: skip
    serve.add_argument(
        "--cluster", metavar="ADDRESS", nargs="?", const="",
        help="let runs that learn in whole passes use the workers of a Dask scheduler, or without an address "
        "processes of this machine, one for each core; pages cannot choose another",
    )  # fmt: skip


def _declare_export(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz export`."""
    export = add_parser(
        "export",
        help="write the explorer as one file that needs no server, or as a static site",
        description="Write a live page, which infers images in any browser, without Python: one file, which "
        "needs no server and no network, or a static site for any web server.",
    )
    form = export.add_mutually_exclusive_group(required=True)
    form.add_argument("--live", action="store_true", help="write a live page of one file")
    form.add_argument(
        "--site", metavar="FOLDER",
        help="write it as a static site: index.html, and files that it fetches when they are needed",
    )  # fmt: skip
    export.add_argument(
        "--model", metavar="NAME", nargs="+", default=[],
        help="shipped models of one data set; the first is shown first (those of all lessons)",
    )  # fmt: skip
    export.add_argument("--images", metavar="N", type=int, default=200, help="number of test images (200)")
    export.add_argument(
        "--small",
        action="store_true",
        help="round weights to 8 bits: a smaller file with slightly different models",
    )
    export.add_argument(
        "--train", action="store_true", default=None,
        help="let the page train an LRBN beside an RBM, on the images of its models: digits, bars or MNIST",
    )  # fmt: skip
    export.add_argument(
        "--out", metavar="FILE", default="live.html", help="file to write with --live (live.html)"
    )
    export.set_defaults(run=_export)


def _declare_animate(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz animate`."""
    animate = add_parser(
        "animate",
        help="write an animation of a trace, an address of the explorer or a training run",
        description="Write inference or training as an animated WebP or PNG, or as an MP4 by ffmpeg.",
    )
    animate.add_argument(
        "what", metavar="WHAT",
        help="a saved trace (.npz); an address of the explorer, or its part after the ?; or a stored run, by "
        "its name or its folder, which is trained once more",
    )  # fmt: skip
    animate.add_argument(
        "--out", metavar="FILE", default="animation.webp", help="file to write (animation.webp)"
    )
    animate.add_argument("--size", choices=["small", "medium", "large"], default="medium",
                         help="640 x 360, 960 x 540 or 1280 x 720 pixels (medium)")  # fmt: skip
    animate.add_argument("--speed", metavar="N", type=float, default=8.0, help="frames per second (8)")
    animate.add_argument(
        "--frames", metavar="N", type=int, default=160, help="largest number of frames (160)"
    )
    animate.add_argument("--theme", choices=["light", "dark"], default="light", help="theme (light)")
    animate.add_argument(
        "--shape",
        metavar="ROWSxCOLUMNS",
        type=_shape,
        help="shape of a saved trace's image, if it is not square",
    )
    animate.set_defaults(run=_animate)


def _declare_datasets(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz datasets`."""
    datasets = add_parser("datasets", help="list the data sets, or download one")
    datasets.add_argument("--download", metavar="NAME", help="fetch and check this data set's files")
    datasets.set_defaults(run=_datasets)


def _declare_lessons(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz lessons`."""
    lessons = add_parser("lessons", help="list the lessons, or check a folder of your own")
    what = lessons.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listed = what.add_parser("list", help="list the lessons of the package, or of a folder")
    listed.add_argument("folder", metavar="FOLDER", nargs="?", help="a folder of Markdown files")
    listed.set_defaults(run=_list_lessons)
    check = what.add_parser(
        "check",
        help="report errors in the lessons of a folder, by file and line",
        description="Report errors in the lessons of a folder, by file and line. Their claims are computed "
        "from the states that the explorer shows.",
    )
    check.add_argument("folder", metavar="FOLDER", help="a folder of Markdown files")
    check.set_defaults(run=_check_lessons)


def _declare_reproduce(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz reproduce`."""
    reproduce = add_parser(
        "reproduce",
        help="train and measure the paper's models on a data set, and write a report",
        description="Train and measure the paper's models on each of some data sets, and write a report. The "
        "command may be stopped at any moment; the same command continues from there.",
    )
    reproduce.add_argument(
        "datasets", metavar="DATASET", nargs="+", choices=list(RECIPES), help=", ".join(RECIPES)
    )
    reproduce.add_argument(
        "--output", metavar="FOLDER",
        help="folder for results and report (reproduction-DATASET); each of several data sets has a "
        "subfolder",
    )  # fmt: skip
    reproduce.add_argument(
        "--only", metavar="CONFIG", nargs="+",
        help=f"parts to run: configurations of the LRBN ({_configurations()}), {ALL} for every kind of "
        "model, trained for equal seconds, or one of these, such as DBN-200-200 or DBN-200-200.stochastic",
    )  # fmt: skip
    reproduce.add_argument(
        "--seconds", metavar="N", type=_seconds, default=SECONDS,
        help=f"CPU seconds of training of each system ({SECONDS:g})",
    )  # fmt: skip
    reproduce.add_argument(
        "--quick", action="store_true", help="small layers, few images, one pass: a test that everything runs"
    )
    reproduce.add_argument(
        "--earlier", metavar="REPORT",
        help="a report of the same systems and seconds, whose rows are used if this run has none, so that "
        "one system can be measured again without the others",
    )  # fmt: skip
    reproduce.add_argument(
        "--seed", type=_seed, default=0, help="seed of training and of every estimator (0)"
    )
    reproduce.add_argument(
        "--cluster", metavar="ADDRESS", nargs="?", const="",
        help="distribute all stages over the workers of a Dask scheduler, or without an address over "
        "processes of this machine, one for each core: independent stages run in parallel, training in "
        "turns of 20 s. The results equal those of one process; CPU seconds are those of a worker's process",
    )  # fmt: skip
    reproduce.set_defaults(run=_reproduce)


def _declare_sweep(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz sweep`."""
    sweep = add_parser(
        "sweep",
        help="train a model with many settings, and rank them",
        description="Train one kind of model with many settings, as defined in a TOML file, and measure each "
        "on images held out from the training images. The command may be stopped at any moment; the same "
        "command continues from there.",
    )
    sweep.add_argument("space", metavar="FILE", help="definition of the sweep, such as examples/sweep.toml")
    sweep.add_argument(
        "--output", metavar="FOLDER",
        help="folder for results and report (one with the file's name, in the explorer's folder of sweeps)",
    )  # fmt: skip
    where = sweep.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=_workers,
        help="number of training processes of this machine (one per core); 0 trains in this process",
    )  # fmt: skip
    where.add_argument(
        "--cluster", metavar="ADDRESS",
        help="train on the workers of a Dask scheduler, such as tcp://192.168.1.20:8786",
    )  # fmt: skip
    sweep.set_defaults(run=_sweep)


def _declare_doctor(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz doctor`."""
    doctor = add_parser(
        "doctor",
        help="check this installation, and print a report for bug reports",
        description="Check versions, threads, the kernel cache, data, models, runs and disk space, compare "
        "every kernel with its formula, and measure for ten seconds. The report contains no folder and no "
        "user name. The exit status is 1 if there is an error.",
    )
    doctor.add_argument("--json", action="store_true", help="print the report as JSON")
    doctor.add_argument("--quick", action="store_true", help="measure nothing")
    doctor.set_defaults(run=_doctor)


def _declare_compile(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz compile`."""
    compile_command = add_parser(
        "compile",
        help="compile all kernels now, so that no page has to wait for them",
        description="Compile the kernels of pages, training and the doctor into the kernel cache, which "
        "takes some minutes on a new machine. Kernels in the cache are not compiled again.",
    )
    compile_command.set_defaults(run=_compile)


def _declare_docs(add_parser: AddParser) -> None:
    """Declare the command `lrbn-viz docs`."""
    docs = add_parser(
        "docs",
        help="build the documentation of a checkout, and open it",
        description="Build the changed pages of a checkout's documentation into docs/_build/html, and "
        'open it. No network is needed. Building needs the packages of pip install -e ".[docs]".',
    )
    docs.add_argument("--no-show", dest="show", action="store_false", help="do not open a browser window")
    docs.add_argument("--strict", action="store_true", help="build all pages, and fail on a warning")
    docs.set_defaults(run=_docs)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `lrbn-viz` with `argv` (the process's own arguments by default).

    Returns
    -------
    int
        Exit status: 0 if the command did its work, 1 if it failed, 2 if it was asked wrongly.
    """
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit as asked:  # argparse has printed help (0) or what is wrong (2)
        return asked.code if isinstance(asked.code, int) else 2
    try:
        return arguments.run(arguments)
    except MissingExtra as error:
        return _failed(str(error))


def _port(text: str) -> int:
    """Return `text` as a port number."""
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(
            f"expected a port from 0 to 65535, got {text!r}; pass 0 for a free one"
        )
    return int(text)


def _workers(text: str) -> int:
    """Return `text` as a number of processes."""
    if not text.isdecimal() or int(text) > 1024:
        raise argparse.ArgumentTypeError(f"expected a number of processes from 0 to 1024, got {text!r}")
    return int(text)


def _seed(text: str) -> int:
    """Return `text` as a seed."""
    if not text.isdecimal() or int(text) > MAX_SEED:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to {MAX_SEED}, got {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    """Return `text` as a number of seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, got {text!r}")
    return seconds


def _shape(text: str) -> tuple[int, int]:
    """Return `text` as rows and columns."""
    sides = text.split("x")
    if len(sides) != 2 or not all(side.isdecimal() and 0 < int(side) <= 4096 for side in sides):
        raise argparse.ArgumentTypeError(f"expected rows and columns such as 16x8, got {text!r}")
    return int(sides[0]), int(sides[1])


def _configurations() -> str:
    """Return the names of all configurations, each once."""
    return ", ".join(dict.fromkeys(config for recipes in RECIPES.values() for config in recipes))


def _failed(words: str) -> int:
    """Report an error, and return the exit status for it."""
    print(f"lrbn-viz: {words}", file=sys.stderr)
    return 1


def _serve(arguments: argparse.Namespace) -> int:
    from lrbn_viz.server.memory import use_system_allocator

    use_system_allocator()

    import panel as pn

    from lrbn_viz.app.shell import build_page
    from lrbn_viz.app.visitors.local import is_local
    from lrbn_viz.server.options import exposure, prepare_server

    page = build_page
    try:
        how, more = prepare_server(arguments)
        if how.shared is False or (how.shared is None and not is_local(arguments.address)):
            _announce_lecturer(arguments, how.lecturer_key)
        if arguments.plan and not arguments.classroom:
            raise ValueError("--plan leads a class: pass --class, too.")
        if arguments.classroom:
            room = _classroom(arguments)

            def page() -> Viewable:
                return build_page(tally=room.tally)

            more["extra_patterns"] += room.patterns()
        if warning := exposure(arguments):
            print(warning, flush=True)
        pn.serve(
            page,
            port=arguments.port,
            address=arguments.address,
            websocket_origin=arguments.allow_websocket_origin,
            show=arguments.show,
            title="LRBN explorer",
            **more,
        )
    except ValueError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(
            f"cannot listen on {arguments.address}:{arguments.port}: {error}; "
            "pass another --port, or --port 0 for a free one"
        )
    return 0


def _announce_lecturer(arguments: argparse.Namespace, key: str) -> None:
    """Print the address at which a lecturer sees the runs of all; this fixes the port."""
    from lrbn_viz.server.classroom.addresses import free_port, reached_by

    arguments.port = arguments.port or free_port(arguments.address)
    address = (arguments.class_address or reached_by(arguments.address, arguments.port)).rstrip("/")
    place = "/".join(part for part in (address, (arguments.prefix or "").strip("/"), "lecturer") if part)
    print(f"A lecturer sees all runs  {place}?key={key}", flush=True)


def _classroom(arguments: argparse.Namespace) -> Classroom:
    """Return the class that is served, once its addresses are printed; ports and origins are then settled."""
    from lrbn_viz.app.claims import offered_lessons
    from lrbn_viz.server.classroom.addresses import free_port, qr_terminal, reached_by
    from lrbn_viz.server.classroom.room import Classroom

    arguments.port = arguments.port or free_port(arguments.address)
    address = (arguments.class_address or reached_by(arguments.address, arguments.port)).rstrip("/")
    host = address.partition("://")[2].partition("/")[0]
    if not host:
        raise ValueError(f"expected an address such as http://192.168.1.20:5006, got {address!r}")
    known = arguments.allow_websocket_origin or []
    arguments.allow_websocket_origin = [*known, host, f"localhost:{arguments.port}"]
    lessons = {lesson.id: lesson for lesson in offered_lessons()[0]}
    plan = _plan(arguments.plan, lessons) if arguments.plan else None
    room = Classroom(lessons, tuple(arguments.class_models), address, plan)
    print(
        f"{qr_terminal(room.entrance)}\nThe class opens  {room.entrance}\nYou open         {room.board}",
        flush=True,
    )
    if plan is not None:
        print(f"Your notes       {room.presenter}", flush=True)
    if arguments.address in ("localhost", "127.0.0.1"):
        print("Only this machine reaches it: pass --address 0.0.0.0 to serve your network.", flush=True)
    return room


def _plan(name: str, lessons: Mapping[str, Lesson]) -> Plan:
    """Return the lecture plan of a file or of a shipped one's name."""
    from lrbn_viz.app.claims import wrong_with
    from lrbn_viz.server.classroom.plan import open_plan
    from lrbn_viz.server.classroom.tally import options_of

    return open_plan(name, lambda question: bool(options_of(lessons, question)), wrong_with)


def _export(arguments: argparse.Namespace) -> int:
    from lrbn_viz.datasets import DataFileError
    from lrbn_viz.view.live.page import export_live
    from lrbn_viz.view.live.site import PAGE, export_site

    site = arguments.site
    export, target = (export_live, arguments.out) if site is None else (export_site, site)
    try:
        size = export(
            target,
            *(arguments.model or _models_instead(arguments.train)),
            n_images=arguments.images,
            small=arguments.small,
            train=arguments.train,
        )
    except (DataFileError, ValueError) as error:
        return _failed(str(error))
    except OSError as error:
        other = "file with --out" if site is None else "folder with --site"
        return _failed(f"cannot write {target}: {error}; pass another {other}")
    how = "open it in a browser" if site is None else f"open {PAGE} by a web server"
    print(f"{target}: {size / 1e6:.2f} MB, {how}")
    return 0


def _models_instead(train: bool | None) -> tuple[str, ...]:
    """Return the models of a live page whose usual images are not at hand and cannot be downloaded."""
    from lrbn_viz.datasets import DataFileError, load_dataset
    from lrbn_viz.datasets.load import how_to_get
    from lrbn_viz.view.live.page import IMAGES, TRAINING_MODELS

    try:
        if not train:
            load_dataset(IMAGES)
    except DataFileError:
        words = "are not at hand: the page has the model of 8x8 digits"
        print(f"lrbn-viz: the images of {IMAGES} {words}; {how_to_get(IMAGES)}", file=sys.stderr)
        return TRAINING_MODELS
    return ()


def _animate(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from lrbn_viz.datasets import DataFileError
    from lrbn_viz.view.animation.encode import check_format
    from lrbn_viz.view.animation.settings import Settings

    what, out = arguments.what, arguments.out
    try:
        check_format(out)
        settings = Settings(arguments.size, arguments.speed, arguments.frames, theme=arguments.theme)
        with tqdm(unit="", leave=False) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            if what.endswith(".npz"):
                from lrbn_viz.core.trace import Trace
                from lrbn_viz.view.animation.traces import animate_traces

                trace = Trace.load(what)
                size = animate_traces(
                    out, [trace], image_shape=arguments.shape, title=Path(what).stem, settings=settings,
                    progress=progress,
                )  # fmt: skip
            elif "=" in what:
                size = _animate_address(what, Path(out), settings, progress)
            else:
                size = _animate_run(what, out, settings, progress)
    except KeyboardInterrupt:
        return _failed(f"stopped; {out} was not written")
    except (DataFileError, ValueError, FileNotFoundError) as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"cannot write {out}: {error}; pass another file with --out")
    print(f"{out}: {size / 1e6:.2f} MB")
    return 0


def _animate_address(what: str, out: Path, settings: Settings, progress: Progress) -> int:
    """Write an animation of an address of the Inference page."""
    from lrbn_viz.app.address import SETTINGS, read_address, read_page
    from lrbn_viz.app.inference.panels.export import animation_of
    from lrbn_viz.app.inference.state import Session

    query = what.partition("?")[2] or what
    if wrong := read_page("inference", query).ignored:
        raise ValueError(f"nothing is written, as the page would show something else: {' '.join(wrong)}")
    address = read_address(query, list(SETTINGS))
    for sentence in address.words:
        print(f"lrbn-viz: {sentence}", file=sys.stderr)
    animation_of(Session(**address.states["inference"])).write(out, settings, progress)
    return out.stat().st_size


def _animate_run(what: str, out: str, settings: Settings, progress: Progress) -> int:
    """Write how the models of a stored run learned."""
    from lrbn_viz.io.storage import runs_folder
    from lrbn_viz.studies.runs import is_run_name
    from lrbn_viz.studies.runs.retraining import trained_again
    from lrbn_viz.view.animation.runs import animate_run

    folder = Path(what) if Path(what).is_dir() or not is_run_name(what) else runs_folder() / what
    if not (folder / "run.json").is_file():
        raise ValueError(
            f"{what} is no trace (.npz), no address of the explorer and no stored run; expected one of these."
        )
    run = trained_again(folder, progress=progress)
    return animate_run(out, run, settings=settings, progress=progress)


def _datasets(arguments: argparse.Namespace) -> int:
    from lrbn_viz.datasets import DATASETS, DataFileError, load_dataset

    if arguments.download is None:
        width = max(map(len, DATASETS))
        for info in DATASETS.values():
            height, columns = info.image_shape
            source = "download" if info.needs_files else "included"
            unknown = f" ({info.n_unknown:,} values not known)" if info.n_unknown else ""
            print(f"{info.name:<{width}}  {height:>2}x{columns:<2}  {source}  {info.description}{unknown}")
        return 0
    try:
        dataset = load_dataset(arguments.download)
    except (DataFileError, ValueError) as error:
        return _failed(str(error))
    print(
        f"{dataset.name}: {len(dataset.train_X):,} training and {len(dataset.test_X):,} test images, checked"
    )
    return 0


def _list_lessons(arguments: argparse.Namespace) -> int:
    from lrbn_viz.view.lessons import read_folder
    from lrbn_viz.view.lessons.files import SHIPPED

    lessons, bad = read_folder(SHIPPED if arguments.folder is None else Path(arguments.folder))
    width = max((len(lesson.id) for lesson in lessons), default=0)
    for lesson in lessons:
        print(f"{lesson.id:<{width}}  {lesson.minutes:>2} min  {len(lesson.steps)} steps  {lesson.title}")
    return _say_bad(bad)


def _check_lessons(arguments: argparse.Namespace) -> int:
    from lrbn_viz.app.claims import check_folder
    from lrbn_viz.datasets import DataFileError

    try:
        lessons, bad = check_folder(Path(arguments.folder))
    except DataFileError as error:
        return _failed(str(error))
    for lesson in lessons:
        claims = sum(len(step.claims) for step in lesson.steps)
        print(f"{lesson.file}: {len(lesson.steps)} steps, {claims} claims, all true")
    if not lessons and not bad:
        return _failed(f"expected lessons, files *.md, in {arguments.folder}, got none; name another folder")
    return _say_bad(bad)


def _say_bad(bad: Sequence[BadLesson]) -> int:
    """Print the errors in files, and return the exit status."""
    for file, problems in bad:
        for line, words in problems:
            print(f"{file}:{line}: {words}", file=sys.stderr)
    return 1 if bad else 0


def _reproduce(arguments: argparse.Namespace) -> int:
    from lrbn_viz.chunks import PoolLost
    from lrbn_viz.datasets import DataFileError
    from lrbn_viz.studies.reproduce.run import Reproduction
    from lrbn_viz.studies.reproduce.store import FolderInUse

    names = list(dict.fromkeys(arguments.datasets))
    folders = {name: arguments.output or f"reproduction-{name}" for name in names}
    if len(names) > 1:
        if arguments.earlier is not None:
            return _failed("--earlier is of one data set; name one, got " + ", ".join(names))
        if arguments.output is not None:
            folders = {name: str(Path(arguments.output) / name) for name in names}
    where = " and ".join(folders.values())
    try:
        runs = [
            Reproduction(
                name,
                folders[name],
                only=arguments.only,
                seconds=arguments.seconds,
                seed=arguments.seed,
                fast=arguments.quick,
                earlier=arguments.earlier,
            )
            for name in names
        ]
        if arguments.cluster is None:
            for run in runs:
                run.run(sys.stderr)
        else:
            _distribute(runs, arguments.cluster)
    except KeyboardInterrupt:
        print(f"\nlrbn-viz: stopped; the same command goes on from what is in {where}", file=sys.stderr)
        return 130
    except PoolLost as error:
        return _failed(f"{error} What is finished is kept: the same command goes on from what is in {where}.")
    except (DataFileError, ValueError, FloatingPointError, FolderInUse) as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"cannot write to {where}: {error}; pass another folder with --output")
    for run in runs:
        print(run.store.folder / "report.md")
    diverged = [config for run in runs for config in run.diverged]
    if diverged:
        return _failed(f"training diverged: {', '.join(diverged)}; the report has the others")
    return 0


def _distribute(runs: Sequence[Reproduction], address: str) -> None:
    """Run reproductions on the workers of a cluster; without an address, on processes of this machine."""
    try:
        from lrbn_viz.cluster import Cluster
        from lrbn_viz.studies.reproduce.distribute import distribute
    except MissingExtra as error:
        raise ValueError(f"{error} Or leave --cluster out.") from error

    with Cluster(address or None, n_workers=None) as pool:
        for _ in distribute(runs, pool, sys.stderr):
            pass


def _sweep(arguments: argparse.Namespace) -> int:
    from lrbn_viz.chunks import PoolLost
    from lrbn_viz.datasets import DataFileError
    from lrbn_viz.io.storage import sweeps_folder
    from lrbn_viz.studies.reproduce.store import FolderInUse
    from lrbn_viz.studies.sweep.report import REPORT, as_text
    from lrbn_viz.studies.sweep.results import WAITING
    from lrbn_viz.studies.sweep.run import SweepRun
    from lrbn_viz.studies.sweep.space import read_space

    try:
        space = read_space(arguments.space)
    except ValueError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"cannot read {arguments.space}: {error.strerror}; expected a TOML file of a sweep")
    folder = Path(arguments.output or sweeps_folder() / Path(arguments.space).stem)
    try:
        run = SweepRun(space, folder)
        with _workers_for(arguments, len(run.plan.trials)) as workers:
            run.run(workers, sys.stderr)
    except KeyboardInterrupt:
        print(f"\nlrbn-viz: stopped; the same command goes on from what is in {folder}", file=sys.stderr)
        return 130
    except (DataFileError, ValueError, FolderInUse, PoolLost) as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"cannot write to {folder}: {error}; pass another folder with --output")
    print(as_text(space, run.rows))
    print(folder / REPORT)
    left = sum(row.state == WAITING for row in run.rows)
    if left:
        return _failed(f"workers died of some trials: {left} are not done; the same command tries them again")
    if not any(row.objective is not None for row in run.rows):
        return _failed("no trial gave a model; the report says why")
    return 0


def _workers_for(arguments: argparse.Namespace, n_trials: int) -> AbstractContextManager[Cluster | None]:
    """Return the workers that train, as a context; it yields None if this process trains."""
    if arguments.workers == 0:
        return nullcontext()
    from lrbn_viz.cluster import Cluster

    if arguments.cluster is not None:
        return Cluster(arguments.cluster)
    return Cluster(n_workers=arguments.workers or min(os.cpu_count() or 1, n_trials))


def _doctor(arguments: argparse.Namespace) -> int:
    from lrbn_viz.doctor.examine import PARTS, examine
    from lrbn_viz.doctor.report import as_json, as_text, is_well

    findings = []
    for found in examine(part for part in PARTS if not (arguments.quick and part == "speed")):
        findings.append(found)
        print(f"looked at {found.part}", file=sys.stderr)
    print(as_json(findings) if arguments.json else as_text(findings))
    return 0 if is_well(findings) else 1


def _compile(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from lrbn_viz.app.warmup import compile_elsewhere, compiled_path
    from lrbn_viz.doctor.machine import kernel_sizes
    from lrbn_viz.doctor.selftest import self_test

    if compiled_path() is None:
        return _failed(
            "compiled kernels cannot be kept: NUMBA_DISABLE_JIT is set, or no folder can be written to; "
            "unset it, or set NUMBA_CACHE_DIR to a folder that can be written to"
        )
    with tqdm(desc="compiling kernels", unit=" files", bar_format="{desc}: {n} files, {elapsed}") as bar:

        def show() -> None:
            bar.update(len(kernel_sizes()) - bar.n)

        if compile_elsewhere(show) != 0:
            return _failed("not all kernels could be compiled; lrbn-viz doctor says what is wrong")
        for found in self_test():  # it has some of its own
            show()
            if found.state == "wrong":
                return _failed(f"{found.part}: {found.words}")
    print(f"the kernel cache is complete: {len(kernel_sizes())} files")
    return 0


DOCS_NEED = {
    "sphinx": "Sphinx",
    "myst_nb": "MyST-NB",
    "pydata_sphinx_theme": "its theme",
    "numpydoc": "numpydoc",
}
"""Modules that are needed to build the documentation, and their names on the package index."""


def _docs(arguments: argparse.Namespace) -> int:
    import subprocess
    import webbrowser
    from importlib.util import find_spec
    from pathlib import Path

    sources = Path(__file__).resolve().parents[1] / "docs"
    if not (sources / "conf.py").is_file():
        return _failed(
            "the documentation is not part of an installed package. It is in the folder docs of a checkout "
            "and of the source distribution (lrbn_viz-*.tar.gz), to be read as text from docs/index.md on. "
            'To build it as a site take a checkout, install it with pip install -e ".[docs]" and run this '
            "again. In Python, help(lrbn_viz) and help of each name say what they do."
        )
    site = sources / "_build" / "html" / "index.html"
    missing = [name for module, name in DOCS_NEED.items() if find_spec(module) is None]
    if missing and (arguments.strict or not site.is_file()):
        return _failed(
            f"building the documentation needs {', '.join(missing)}; "
            f'install them with pip install -e ".[docs]" in {sources.parent}'
        )
    if missing:
        print(f"not built anew, as {', '.join(missing)} is missing: this is what was built before")
    else:
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-n"]
        command += ["-d", str(site.parents[1] / "doctrees")]
        command += ["-W", "-E", "-a"] if arguments.strict else []
        if subprocess.run([*command, str(sources), str(site.parent)]).returncode:
            return _failed("the documentation was not built; what was wrong is said above")
    print(site)
    if arguments.show:
        webbrowser.open(site.as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main())
