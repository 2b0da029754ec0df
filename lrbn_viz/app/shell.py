"""The pages around the panels: header with links, side bar, what is in the middle, theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import panel as pn
import panel_material_ui as pmui
from panel.io.resources import LOCAL_DIST

import lrbn_viz.app.player.board
import lrbn_viz.app.player.generator
import lrbn_viz.app.player.upload_box  # noqa: F401 - components defined once a page is open reach it too late
from lrbn_viz.app.garbage import spare_the_imported
from lrbn_viz.app.link import NAMES, read_link, write_link
from lrbn_viz.app.own_data import OwnData, Upload
from lrbn_viz.app.panels.export import ExportPanel
from lrbn_viz.app.panels.gallery import GalleryPanel
from lrbn_viz.app.panels.replay import ReplayPanel
from lrbn_viz.app.panels.settings import SettingsPanel
from lrbn_viz.app.panels.views import ViewsPanel
from lrbn_viz.app.player.nav import Navigation
from lrbn_viz.app.session import Session
from lrbn_viz.app.sockets import send_small_packets_at_once

if TYPE_CHECKING:
    from lrbn_viz.app.inspection import Inspection

ADDRESS_MS = 250  # longer than from one point of a stroke to the next

FONT = (
    'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", '
    '"Liberation Sans", Arial, sans-serif'
)
BAR: dict[str, Any] = {
    "& .MuiAppBar-root": {
        "backgroundColor": "#17202a",
        "backgroundImage": "none",
        "color": "#e8edf2",
        "boxShadow": "none",
    },
    "& .MuiToolbar-root": {"minHeight": "3rem !important"},
}
SIDE_BAR_WIDTH = 288  # pixels, where letters have 16
# From 1920 pixels on, the header and the side bar grow with the window, as the player does.
LETTERS = "html { font-size: max(100%, calc(6px + 10 * 100vw / 1920)) !important; }"
LESS_MOTION = "@media (prefers-reduced-motion: reduce)"
LOADER = LESS_MOTION + " { .spinner { animation: none !important; } }"
THEME: dict[str, Any] = {
    "light": {
        "palette": {"primary": {"main": "#17202a"}, "background": {"default": "#f3f5f7", "paper": "#ffffff"}}
    },
    "dark": {
        "palette": {"primary": {"main": "#8ecbff"}, "background": {"default": "#0f1419", "paper": "#182028"}}
    },
}
# Controls of the Inference page that are at its side.
SIDE_BAR = ("gallery", "model", "algorithm", "start", "seed", "view", "export")

# The baseline of its style is what the theme puts into every component, whichever has what moves.
STILL: dict[str, Any] = {
    "*, *::before, *::after": {"transition": "none !important", "animation": "none !important"},
    ".MuiTouchRipple-root": {"display": "none !important"},
}
for _scheme in THEME.values():
    _scheme["components"] = {"MuiCssBaseline": {"styleOverrides": {LESS_MOTION: STILL}}}
    _scheme["typography"] = {"fontFamily": FONT, "h3": {"fontSize": "1.05rem", "fontWeight": 650}}


def _on_load() -> None:
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        send_small_packets_at_once(document.session_context)


def keep_to_this_server() -> None:
    """Let all style sheets come from this server.

    Panel says so to a page that it serves, but not to one that is made anew for a websocket, as its first
    session was given up before the browser came back: that one would ask a host outside.
    """
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        base = f"{pn.state.rel_path}/" if pn.state.rel_path else ""
        document.template_variables.setdefault("dist_url", base + LOCAL_DIST)


def follow_no_busy_state(page: pmui.Page) -> None:
    """Let a page not show whether the server is busy.

    That state is one for the whole server: following it, every page would be sent two messages for each click
    of any visitor, and be kept in memory when its visitor has gone.
    """
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", [])):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)


def _query() -> str:
    """Return the query string with which the page was asked for."""
    return urlencode([(name, value.decode()) for name, (value, *_) in pn.state.session_args.items()])


def _presence() -> Callable[[], bool]:
    """Return a function, for any thread, that says whether a browser still shows this session's page."""
    document = pn.state.curdoc
    context: Any = None if document is None else document.session_context
    if context is None:
        return lambda: True

    def present() -> bool:
        session = context.session
        return session is not None and not session.destroyed and session.connection_count > 0

    return present


class Parts(NamedTuple):
    """What a page puts into the shell.

    Attributes
    ----------
    main, sidebar : list
        What is in the middle and at the side.
    shown : callable
        Told whether the page is shown now, for one that asks for news while it is.
    address : callable
        Returns what the page adds to the address, by name.
    """

    main: list[Any]
    sidebar: list[Any]
    shown: Callable[[bool], None] = lambda shown: None
    address: Callable[[], Mapping[str, str]] = dict


class PageEntry(NamedTuple):
    """A page of the explorer: its title in the header, and what makes its parts when it is first opened."""

    title: str
    build: Callable[[Explorer], Parts]


class Models:
    """Trained models by name: those that come with the package, and the latest few that were added."""

    def __init__(self) -> None:
        self._added: dict[str, Any] = {}

    def add(self, models: Mapping[str, Any]) -> None:
        """Know further models."""
        self._added = dict([*self._added.items(), *models.items()][-8:])

    def __call__(self, name: str) -> Any:
        """Return the model of that name; ValueError where there is none."""
        from lrbn_viz import pretrained

        return self._added[name] if name in self._added else pretrained(name)


class Explorer:
    """All pages for one visitor, of which one is shown; the others are made when they are first opened.

    A page that is not shown is not in the document at all, so that it costs neither messages nor paints.

    Parameters
    ----------
    session : Session
        State of the Inference page.
    name : str
        The page shown first; the Inference page where there is none of that name.
    models : Models, optional
        The session's models by name, where more may be added.

    Attributes
    ----------
    page : panel_material_ui.Page
    shown : str
        Name of the page shown.
    """

    def __init__(self, session: Session, name: str = "", models: Models | None = None) -> None:
        self.session = session
        self.models = models or Models()
        self._parts: dict[str, Parts] = {}
        self.shown = name if name in PAGES else next(iter(PAGES))
        self._links = Navigation(
            on_go=self.go,
            on_wide=self.widen,
            pages=[(key, entry.title) for key, entry in PAGES.items()],
            page=self.shown,
        )
        self.page = pmui.Page(
            title="lrbn_viz",
            header=[self._links],
            sidebar_width=SIDE_BAR_WIDTH,
            theme_config=THEME,
            sx=BAR,
            raw_css=[LETTERS, LOADER],
            busy_indicator=None,
            meta_description="Step, play and scrub inference in an LRBN beside an RBM.",
            main=self._parts_of(self.shown).main,
            sidebar=list(self._parts_of(self.shown).sidebar),  # a list of its own: ours changes in place
        )
        self._parts_of(self.shown).shown(True)
        follow_no_busy_state(self.page)
        self._address_due: Any = None
        session.param.watch(lambda *_: self.write_address(), list(NAMES.values()))
        session.param.watch(lambda *_: self._hide_links(), "hidden")
        self._hide_links()

    def _hide_links(self) -> None:
        self._links.visible = not self.session.hides("pages")

    def _parts_of(self, name: str) -> Parts:
        if name not in self._parts:
            self._parts[name] = PAGES[name].build(self)
        return self._parts[name]

    def go(self, name: str) -> None:
        """Show another page."""
        if name == self.shown:
            return
        parts = self._parts_of(name)
        self._parts_of(self.shown).shown(False)
        self.shown = self._links.page = name
        self.page.param.update(main=parts.main, sidebar=list(parts.sidebar))
        parts.shown(True)
        self.write_address()

    def inspect(self, found: Inspection) -> None:
        """Show on the Inference page how models that are being trained see an image."""
        self.models.add(found.models)
        lrbn, rbm = found.models
        self.session.inspect(lrbn, rbm, found.data, found.x, found.origin, found.algorithm, found.start)
        self.go(next(iter(PAGES)))

    def widen(self, width: int) -> None:
        """Make the side bar wide enough for the letters of a wide screen, `width` pixels."""
        letters = max(16.0, 6.0 + 10.0 * min(width, 7680) / 1920)  # as in LETTERS
        self.page.sidebar_width = round(SIDE_BAR_WIDTH * letters / 16.0)

    def make_room(self) -> None:
        """Close the side bar, which on a phone covers the page."""
        self.page.sidebar_open = False

    def write_address(self) -> None:
        """Let the address name the page shown and all that it shows, once that rests.

        Each address is a message and a step of the browser's way back, and a stroke changes the image often.
        """
        document = pn.state.curdoc
        if document is None:
            return
        if self._address_due is not None:
            document.remove_timeout_callback(self._address_due)
        self._address_due = document.add_timeout_callback(self._write_address, ADDRESS_MS)

    def _write_address(self) -> None:
        self._address_due = None
        location = pn.state.location
        if location is None:
            return
        state = write_link(self.session)
        if self.shown != next(iter(PAGES)):
            own = {"page": self.shown, **self._parts_of(self.shown).address()}
            state = f"?{urlencode(own)}&{state.removeprefix('?')}"
        location.search = state


def _inference(explorer: Explorer) -> Parts:
    session = explorer.session
    panels = [GalleryPanel(session), SettingsPanel(session), ViewsPanel(session), ExportPanel(session)]
    parts = Parts(main=[ReplayPanel(session, on_narrow=explorer.make_room)], sidebar=[])

    def fill() -> None:
        """Leave out a side bar, and the button for it, when a link leaves out all that is in it."""
        parts.sidebar[:] = [] if all(map(session.hides, SIDE_BAR)) else panels

    def follow(*_: object) -> None:
        before = len(parts.sidebar)
        fill()
        if len(parts.sidebar) != before and explorer.shown == "inference":
            explorer.page.sidebar = list(parts.sidebar)

    fill()
    session.param.watch(follow, "hidden")
    return parts


def _train(explorer: Explorer) -> Parts:
    from lrbn_viz.app.panels.train import BoardPanel, FormPanel  # brings the engine: when the page is opened
    from lrbn_viz.app.panels.upload import UploadPanel
    from lrbn_viz.app.studio import Studio

    own = OwnData()
    studio = Studio(present=_presence(), load=own.load, datasets=own.datasets)

    def accepted(name: str, binary: bool) -> None:
        studio.edit("dataset", name)
        studio.edit("binary", "binary" if binary else "grey")

    asked = dict(parse_qsl(_query())).get("run")
    if asked:
        pn.state.onload(lambda: studio.open(asked))
    studio.param.watch(lambda *_: explorer.write_address(), "run_name")
    pn.state.on_session_destroyed(lambda _: studio.close())
    board = BoardPanel(studio, on_inspect=explorer.inspect, on_narrow=explorer.make_room)
    return Parts(
        main=[board],
        sidebar=[UploadPanel(Upload(own, accepted)), FormPanel(studio)],
        shown=board.shown,
        address=lambda: {"run": studio.run_name} if studio.run_name else {},
    )


def _generate(explorer: Explorer) -> Parts:
    from lrbn_viz.app.generation import NAMES as DRAWING_NAMES
    from lrbn_viz.app.generation import Generation, read_generation, write_generation
    from lrbn_viz.app.panels.generate import DrawingSettings, GeneratePanel

    generation = Generation(**read_generation(_query()))
    generation.param.watch(lambda *_: explorer.write_address(), list(DRAWING_NAMES.values()))
    panel = GeneratePanel(generation, on_narrow=explorer.make_room)
    return Parts(
        main=[panel],
        sidebar=[DrawingSettings(generation)],
        shown=panel.refresh,
        address=lambda: write_generation(generation),
    )


PAGES: dict[str, PageEntry] = {
    "inference": PageEntry("Inference", _inference),
    "train": PageEntry("Train", _train),
    "generate": PageEntry("Generate", _generate),
}
"""Pages by the name that addresses give them; the first is shown where an address names none."""


def build_page(session: Session | None = None) -> pmui.Page:
    """Make the explorer for one visitor, at the page and in the state that the address names."""
    query = _query()
    spare_the_imported()
    keep_to_this_server()
    pn.state.onload(_on_load)
    models = Models()
    session = session or Session(load_model=models, **read_link(query))
    return Explorer(session, dict(parse_qsl(query)).get("page", ""), models).page
