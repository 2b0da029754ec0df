"""The frame of all pages: header with links, side bar, page content, theme."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import panel as pn
import panel_material_ui as pmui
from jinja2 import Template
from panel.io.resources import LOCAL_DIST
from panel.viewable import Viewable

# Imported for the components that they define, which must exist before a page opens.
import lrbn_viz.app.compare.component
import lrbn_viz.app.generate.component
import lrbn_viz.app.lessons.component
import lrbn_viz.app.shared.fields
import lrbn_viz.app.sweeps.component
import lrbn_viz.app.train.component
import lrbn_viz.app.upload.component  # noqa: F401 - for what it defines, as said above
from lrbn_viz.app.address import (
    END,
    FIRST,
    Address,
    link_to,
    names_of_first,
    read_address,
    read_beside_own,
    read_page,
    settings_of,
    settings_of_other_pages,
    shortened,
    whole_state,
    write_address,
    write_lesson,
    write_page,
)
from lrbn_viz.app.claims import offered_lessons
from lrbn_viz.app.host import host, require_one_process
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.panels.export import AnimationOfLanes, ExportPanel
from lrbn_viz.app.inference.panels.gallery import GalleryPanel
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.panels.views import ViewsPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.lessons.panel import BesideLesson, LessonsPanel
from lrbn_viz.app.lessons.state import LessonRun
from lrbn_viz.app.shared.component import InlineStyles
from lrbn_viz.app.shared.connection import ConnectionWatch, is_returning
from lrbn_viz.app.shared.head import HEAD, TEMPLATE
from lrbn_viz.app.shared.loading import absent_images
from lrbn_viz.app.shared.location import use_plain_location
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.app.shared.navigation import Navigation, ThemeButton
from lrbn_viz.app.shared.notice_bar import NoticeBar
from lrbn_viz.app.shared.notices import notices_for
from lrbn_viz.app.shared.polling import Poller
from lrbn_viz.app.shared.query import MAX_QUERY_LENGTH, Query, query_of
from lrbn_viz.app.shared.sockets import application_of, close_connections, send_small_packets_at_once
from lrbn_viz.app.sweeps.names import sweep_names
from lrbn_viz.app.train.linked import (
    BESIDE_GENERATORS,
    Linked,
    bring_back,
    bring_back_generators,
    linked_generators,
    linked_models,
)
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.app.warmup import download_once, is_compiling, is_downloading, warm_up_once
from lrbn_viz.io.constants import GUIDE_COOKIE
from lrbn_viz.io.glossary import NAME
from lrbn_viz.io.storage import sweeps_folder
from lrbn_viz.io.theme import DARK, FONT, HEADER, LIGHT, SIZES
from lrbn_viz.view.player.panels import PANELS

if TYPE_CHECKING:
    from lrbn_viz.app.compare.own import OwnModel
    from lrbn_viz.app.inference.lanes import OwnModels
    from lrbn_viz.app.train.inspection import Inspection
    from lrbn_viz.app.train.opening import Opened
    from lrbn_viz.studies.runs import RunConfig
    from lrbn_viz.view.lessons import Lesson

ADDRESS_MS = 250  # longer than between two points of a stroke

BAR: dict[str, Any] = {
    "& .MuiAppBar-root": {
        "backgroundColor": HEADER["ground"],
        "backgroundImage": "none",
        "color": HEADER["ink"],
        "boxShadow": "none",
    },
    "& .MuiToolbar-root": {"minHeight": "3rem !important"},
    "@media (max-width: 600px)": {  # five or six links, each wide enough for a finger
        "& .MuiToolbar-root": {"paddingLeft": ".75rem", "paddingRight": ".1rem"},
        "& .MuiToolbar-root a[href='/']": {"display": "none !important"},  # its name
        "& .MuiToolbar-root .MuiIconButton-root": {
            "marginRight": ".1rem",
            "minWidth": "44px",
            "minHeight": "44px",
        },
    },
    "@media print": {  # the whole page, not only the visible part
        "& .MuiAppBar-root, & nav, & .MuiToolbar-root": {"display": "none !important"},
        "&, & .main, & .MuiBox-root": {"overflow": "visible !important", "height": "auto !important"},
        "& .main": {"marginLeft": "0 !important"},  # a closed side bar lets it begin beside the paper
    },
}
SIDE_BAR_WIDTH: int = SIZES["side_bar"]
# From 1920 pixels on, the header and the side bar grow with the window, as the player does.
FONT_SIZE = "html { font-size: max(100%, calc(6px + 10 * 100vw / 1920)) !important; }"
# A dark page is dark before anything is drawn. The server sends the light theme, hidden until it has
# followed the page's theme (scheme.js defines when).
GROUND = f"""
html[data-theme="dark"] {{ color-scheme: dark; }}
html[data-theme="dark"] body {{ background-color: {DARK["page"]}; }}
html[data-theme="dark"]:not([data-settled]) body > :not(#loader) {{ visibility: hidden; }}
"""
LESS_MOTION = "@media (prefers-reduced-motion: reduce)"
LOADER = LESS_MOTION + " { .spinner { animation: none !important; } }"
THEME: dict[str, Any] = {
    scheme: {
        "palette": {
            "primary": {"main": colours[primary]},
            "background": {"default": colours["page"], "paper": colours["surface"]},
        }
    }
    for scheme, colours, primary in (("light", LIGHT, "ink"), ("dark", DARK, "focus"))
}
# Controls in the side bar of the Inference page.
SIDE_BAR = ("gallery", "view", "export")

# The baseline of its style is what the theme puts into every component, whichever has what moves.
NO_MOTION: dict[str, Any] = {
    "*, *::before, *::after": {"transition": "none !important", "animation": "none !important"},
    ".MuiTouchRipple-root": {"display": "none !important"},
}
# Focus by keyboard is visible in every component, as in the pages' own.
for _name, _scheme in THEME.items():
    _styles = {
        LESS_MOTION: NO_MOTION,
        ".MuiButtonBase-root:focus-visible": {
            "outline": f"2px solid {(LIGHT if _name == 'light' else DARK)['focus']}",
            "outlineOffset": "2px",
        },
        ".MuiAppBar-root :focus-visible": {
            "outline": f"2px solid {HEADER['focus']}",
            "outlineOffset": "-2px",
        },
    }
    _scheme["components"] = {"MuiCssBaseline": {"styleOverrides": _styles}}
    _scheme["typography"] = {"fontFamily": FONT, "h3": {"fontSize": "1.05rem", "fontWeight": 650}}


def _on_load() -> None:
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        application = application_of(document.session_context)
        if application is not None and not host().trusts(application):
            close_connections(document.session_context)
            return
        send_small_packets_at_once(document.session_context)


def keep_to_this_server() -> None:
    """Load all style sheets from this server.

    Panel configures this for a page that it serves, but not for one that is made again for a websocket after
    its first session expired: that page would request files from another host.
    """
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        base = f"{pn.state.rel_path}/" if pn.state.rel_path else ""
        document.template_variables.setdefault("dist_url", base + LOCAL_DIST)
        document.template_variables[HEAD] = host().head(document)


def make_it_of_the_links_theme() -> None:
    """Use Panel's dark theme for a page whose link asks for it, whatever else the link contains.

    Panel reads the setting too, but raises an error if it is no text.
    """
    if pn.state.curdoc is not None:
        asked = pn.state.session_args.get("theme", [b""])[0]
        config: Any = pn.config
        config.theme = "dark" if asked == b"dark" else "default"


def follow_no_busy_state(page: pmui.Page) -> None:
    """Disconnect a page from the busy state of the server.

    The whole server has one such state: every page would receive two messages for each click of any visitor,
    and would stay in memory after its visitor has left.
    """
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", [])):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)


def _presence() -> Callable[[], bool]:
    """Return a thread-safe function that tells whether a browser still shows this session's page."""
    document = pn.state.curdoc
    context: Any = None if document is None else document.session_context
    if context is None:
        return lambda: True

    def present() -> bool:
        session = context.session
        return session is not None and not session.destroyed and session.connection_count > 0

    return present


class Parts(NamedTuple):
    """Parts that a page puts into the shell.

    Attributes
    ----------
    main, sidebar : list
        Content of the page and of the side bar.
    shown : callable
        Called with whether the page is shown, for pages that poll while they are.
    state : object
        State from which the address is written.
    offline : str
        Sentence on the functions that work without the server, and on those that do not.
    unsaved : callable
        Returns the parts that the page's address would not restore, in words.
    """

    main: list[Any]
    sidebar: list[Any]
    shown: Callable[[bool], None] = lambda shown: None
    state: Any = None
    offline: str = ""
    unsaved: Callable[[], list[str]] = list


class Tally(Protocol):
    """Protocol of a counter of the predictions of a class."""

    def count(self, lesson: str, step: int, option: int, voice: str) -> None:
        """Count a prediction; raise ValueError if it is not counted."""
        ...

    def withholds(self, lesson: str, step: int, /) -> bool:
        """Return whether nobody may be told the answer to a question now."""
        ...


class PageEntry(NamedTuple):
    """A page of the explorer: its title in the header, and the function that makes its parts."""

    title: str
    build: Callable[[Explorer], Parts]


class Frame(InlineStyles, pmui.Page):
    """The header, the side bar and the page that is shown."""


class Explorer:
    """All pages of one visitor, one of which is shown; each is made when it is first opened.

    Hidden pages are not in the document, so that they cause neither messages nor painting.

    Parameters
    ----------
    session : Session
        State of the Inference page.
    address : Address, optional
        Parsed link: the first page, the initial states of all pages, and ignored settings.
    tally : Tally, optional
        Counter of the predictions of a class.
    visitor : Visitor, optional
        At home by default.

    Attributes
    ----------
    notices : Notices
        One-time notices of the page.
    page : panel_material_ui.Page
    shown : str
        Name of the page shown.
    """

    def __init__(
        self,
        session: Session,
        address: Address | None = None,
        tally: Tally | None = None,
        visitor: Visitor = HOME,
    ) -> None:
        self.session, self.visitor = session, visitor
        self.address = address or read_address("", PAGES)
        self.lessons = LessonRun(
            offered_lessons,
            self._show_step,
            lambda: session.hidden,
            session.hide,
            (tuple(PANELS), tuple(CONTROLS)),
            (lambda *_: False) if tally is None else tally.withholds,
        )
        self._parts: dict[str, Parts] = {}
        begun = "lesson" in self.address.states.get("lessons", {})  # shown beside the first page
        self.shown = ("" if begun and self.address.page == "lessons" else self.address.page) or next(
            iter(PAGES)
        )
        self.notices = notices_for(pn.state.curdoc)
        self.notices.add(*self.address.words)
        self._notice_bar = NoticeBar(self.notices, sizing_mode="stretch_width", margin=0)
        self._links = Navigation(
            on_go=self.go,
            on_show=self.show_place,
            search=self.address_now,
            on_wide=self.widen,
            on_narrow=self.follow_width,
            pages=[(key, PAGES[key].title, link_to(key)) for key in self._offered()],
            page=self.shown,
            about=NAME,
            owns_address=pn.state.location is not None,
            align="center",
            styles={"flex": "0 1 auto", "min-width": "0"},  # keeps room for the theme's button on a phone
        )
        self.watch = ConnectionWatch(sizing_mode="stretch_width", margin=0)
        on_phone = _on_phone()
        self.page = Frame(
            title="lrbn_viz",
            header=[self._links, ThemeButton(styles={"margin-left": "auto"}, align="center")],
            theme_toggle=False,  # a model of this module, as Panel's own is not kept with the page
            sidebar_width=SIDE_BAR_WIDTH,
            theme_config=THEME,
            sx=BAR,
            raw_css=[FONT_SIZE, LOADER, GROUND],
            busy_indicator=None,
            template=TEMPLATE,
            meta_description=f"Step, play and scrub inference in an LRBN ({NAME}) beside an RBM.",
            main=[self.watch, self._notice_bar, *self._parts_of(self.shown).main],
            sidebar=list(self._parts_of(self.shown).sidebar),  # a copy, as the list is modified in place
            **_side_bar(self._parts_of(self.shown).sidebar, is_open=not on_phone),
        )
        self._side_was_open, self._closed_for_room, self._narrow = not on_phone, on_phone, on_phone
        self._parts_of(self.shown).shown(True)
        self.watch.offline = self._parts_of(self.shown).offline
        follow_no_busy_state(self.page)
        self._address_due: Any = None
        session.param.watch(lambda *_: self.write_address(), list(settings_of("inference")))
        self.lessons.param.watch(lambda *_: self.write_address(), list(settings_of("lessons")))
        if tally is not None:
            voice = secrets.token_urlsafe(12)  # this visit has no owner
            self.lessons.param.watch(lambda *_: self._count(tally, voice), "chosen")
        session.param.watch(lambda *_: self._hide_links(), "hidden")
        self._keeps_theme = bool(session.theme)  # its link says one
        self.page.param.watch(lambda *_: self._name_theme(), "dark_theme")
        session.param.watch(lambda *_: self._name_theme(), "present")
        if session.present:
            self._name_theme()
        self._hide_links()

    def _offered(self) -> list[str]:
        """Return the names of the pages with a link; that of sweeps only if there are sweeps."""
        has_sweeps = self.shown == "sweeps" or (self.visitor.is_owner and sweep_names(sweeps_folder()))
        return [name for name in PAGES if name != "sweeps" or has_sweeps]

    def _count(self, tally: Tally, voice: str) -> None:
        """Count the visitor's prediction among those of the class."""
        run = self.lessons
        if run.chosen >= 0:
            with suppress(ValueError):  # an own lesson that was added after the class had begun
                tally.count(run.lesson, run.step, run.chosen, voice)

    def _hide_links(self) -> None:
        self._links.visible = not self.session.hides("pages")

    def _name_theme(self) -> None:
        """Add the theme to the address in presenter mode, or if the link contained it; else remove it."""
        named = self._keeps_theme or self.session.present
        self.session.theme = ("dark" if self.page.dark_theme else "light") if named else ""

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
        side = self._at_side(parts.sidebar)
        self.page.param.update(main=[self.watch, self._notice_bar, *parts.main], **side)
        parts.shown(True)
        self.watch.offline = parts.offline
        self.write_address()

    def _at_side(self, controls: list[Any]) -> dict[str, Any]:
        """Return the settings of the page that show controls in its side bar.

        Without controls it is closed and has no width: the page's library would show an open one empty, and
        would shift the content to the left by the width of a closed one.
        """
        had = bool(self.page.sidebar)
        if had and not controls:
            self._side_was_open = bool(self.page.sidebar_open)
        # on a narrow page it would cover what the visitor is about
        is_open = self._side_was_open and not self._narrow
        change = {} if had == bool(controls) else _side_bar(controls, is_open)
        return {"sidebar": list(controls), **change}

    def show_at_side(self, controls: list[Any]) -> None:
        """Show other controls in the side bar."""
        self.page.param.update(**self._at_side(controls))

    def begin_lesson(self, lesson: str, step: int = 1) -> None:
        """Begin a lesson on the page that it is about; unknown lessons are ignored."""
        self.lessons.begin(lesson, step)
        if self.lessons.running is not None:
            self.go(next(iter(PAGES)))

    def show_place(self, page: str, lesson: str, step: int) -> None:
        """Show the page of an address from the browser's history, and the lesson if it names one."""
        self.go(page)
        if page != next(iter(PAGES)):
            return
        if lesson and (lesson, step) != (self.lessons.lesson, self.lessons.step):
            self.begin_lesson(lesson, step)
        elif not lesson:
            self.lessons.leave()

    def _show_step(self, query: str, hidden: str) -> None:
        """Show the state of a lesson's step, and hide the other panels of the page."""
        found = whole_state(query)
        cursor = found.pop("cursor")
        for name in ("theme", "present", "captions", "hidden"):  # the visitor's own theme
            found.pop(name)
        self.session.param.update(**found, hidden=hidden)
        self.session.cursor = min(cursor, self.session.n_visits)

    def inspect(self, found: Inspection) -> None:
        """Show on the Inference page how models in training infer an image."""
        model_name, rival_name = found.models
        self.session.inspect(
            model_name,
            rival_name,
            found.data,
            found.x,
            found.origin,
            found.algorithm,
            found.start,
            found.models,
        )
        self.go(next(iter(PAGES)))

    def open_models(self, opened: Opened) -> None:
        """Show models that were trained here, or opened from a file, on another page."""
        if opened.page == "generate":
            self.session.offer_models(opened.models, opened.data)
            generation = self._parts_of(opened.page).state
            generation.bring(self.opened_models())
            generation.show(*opened.models)
        else:
            self.session.open_models(opened.models, opened.data)
        self.go(opened.page)

    def train_with(self, config: RunConfig) -> None:
        """Open the Train page's form with a configuration; the run that is open there is released."""
        state = self._parts_of("train").state
        if state.run_name:
            state.leave()
        state.adopt(config)
        self.go("train")

    def opened_models(self) -> list[Opened | OwnModels]:
        """Return the models of this session by run or file: those of the run on the Train page in its current
        state, and opened ones.
        """
        train = self._parts.get("train")
        now = None if train is None else train.state.models_now()
        return [*([] if now is None else [now]), *self.session.opened]

    def own_models(self) -> list[OwnModel]:
        """Return the models of this session one by one."""
        from lrbn_viz.app.compare.own import own_model

        opened = self.opened_models()
        found = {name: (model, each.data) for each in opened for name, model in each.models.items()}
        return [own_model(name, model, data) for name, (model, data) in found.items()]

    def widen(self, width: int) -> None:
        """Adapt the width of the side bar to the font size of a screen of `width` pixels."""
        letters = max(16.0, 6.0 + 10.0 * min(width, 7680) / 1920)  # the factor of FONT_SIZE
        self.page.sidebar_width = round(SIDE_BAR_WIDTH * letters / 16.0)

    def follow_compilation(self) -> None:
        """Tell the browser whether the server compiles its kernels, until it has."""

        def tell() -> None:
            self.watch.compiling = is_compiling()

        tell()
        Poller(tell, is_compiling).follow()

    def make_room(self) -> None:
        """Close the side bar, which on a phone covers the page."""
        self.page.sidebar_open = False

    def follow_width(self, narrow: bool) -> None:
        """Close the side bar when the page becomes narrow; open it when the page becomes wide."""
        self._narrow = narrow
        if narrow:
            self._closed_for_room |= bool(self.page.sidebar_open)
            self.make_room()
        elif self._closed_for_room:
            self._closed_for_room, self._side_was_open = False, True
            self.page.sidebar_open = bool(self.page.sidebar)

    def note_unsaved(self) -> None:
        """Tell the browser which parts of the page its address would not restore."""
        self.watch.unsaved = [words for parts in self._parts.values() for words in parts.unsaved()]

    def write_address(self) -> None:
        """Write the address of the displayed page and its state after a pause without changes.

        Each address is a message and an entry of the browser's history, and a stroke changes the image often.
        """
        document = pn.state.curdoc
        if document is None:
            return
        if self._address_due is not None:
            document.remove_timeout_callback(self._address_due)
        self._address_due = document.add_timeout_callback(self._write_address, ADDRESS_MS)

    def _write_address(self) -> None:
        self._address_due = None
        if pn.state.location is not None:
            pn.state.location.search = self._query()

    def address_now(self) -> str:
        """Write a pending address at once, and return its query."""
        document = pn.state.curdoc
        if document is not None and self._address_due is not None:
            document.remove_timeout_callback(self._address_due)
            self._write_address()
        return self._query()

    def _query(self) -> str:
        if self.shown != next(iter(PAGES)):
            return write_address(self.session, self.shown, self._parts_of(self.shown).state)
        if self.lessons.running is not None:
            return write_lesson(self.lessons, self.session.theme)
        return write_address(self.session)


def _on_phone() -> bool:
    """Return whether the browser identifies itself as that of a phone.

    Then the side bar starts closed: it would cover the page before the browser reports its width.
    """
    return "Mobi" in pn.state.headers.get("User-Agent", "")


def _side_bar(controls: list[Any], is_open: bool) -> dict[str, Any]:
    """Return the settings of a side bar; without controls it is closed and has no width."""
    if controls:
        return {"sidebar_open": is_open, "sidebar_variant": "auto"}
    return {"sidebar_open": False, "sidebar_variant": "temporary"}


def _inference(explorer: Explorer) -> Parts:
    session = explorer.session
    panels = [
        GalleryPanel(session),
        ViewsPanel(session, settings_of("inference")["hidden"].name),
        ExportPanel(session, lambda: write_page(FIRST, session)),
        AnimationOfLanes(session),
    ]

    replay = ReplayPanel(session, on_narrow=explorer.make_room, on_back=lambda: explorer.go("train"))

    def unsaved() -> list[str]:
        own = session.own_models or session.given is not None
        return ["the models that were trained or opened here, and their image"] if own else []

    parts = Parts(
        main=[BesideLesson(explorer.lessons, replay, lambda: explorer.go("lessons"))],
        sidebar=[],
        offline="Playing, stepping and scrubbing still work; all other controls need the server.",
        unsaved=unsaved,
    )
    session.param.watch(lambda *_: explorer.note_unsaved(), ["model_name", "rival_name", "given"])

    def fill() -> None:
        """Remove the side bar and its button if a link hides all its controls."""
        parts.sidebar[:] = [] if all(map(session.hides, SIDE_BAR)) else panels

    def follow(*_: object) -> None:
        before = len(parts.sidebar)
        fill()
        if len(parts.sidebar) != before and explorer.shown == "inference":
            explorer.show_at_side(parts.sidebar)

    fill()
    session.param.watch(follow, "hidden")
    return parts


def _train(explorer: Explorer) -> Parts:
    from lrbn_viz.app.train.animation import AnimationOfRun
    from lrbn_viz.app.train.panel import BoardPanel, FormPanel  # imports the engine
    from lrbn_viz.app.train.state import TrainState
    from lrbn_viz.app.upload.panel import UploadPanel
    from lrbn_viz.app.upload.state import OwnData, UploadState

    own = OwnData()
    state = TrainState(
        visitor=explorer.visitor,
        limits=host().limits_of(explorer.visitor),
        present=_presence(),
        load=own.load,
        datasets=own.datasets,
    )

    def accepted(name: str, binary: bool) -> None:
        state.edit("dataset", name)
        state.edit("binary", "binary" if binary else "grey")

    asked = explorer.address.states["train"]
    if "preset" in asked:
        state.choose_preset(asked["preset"])
    if "run_name" in asked:
        pn.state.onload(lambda: state.open(asked["run_name"], asked.get("cursor", -1)))
    state.param.watch(lambda *_: explorer.write_address(), list(settings_of("train")))
    upload = UploadState(own, accepted)
    first = state.form

    def unsaved() -> list[str]:
        words = ["the data file that was being added"] if upload.stage != "empty" else []
        return words + (["changes of the form"] if not state.run_name and state.form != first else [])

    state.param.watch(lambda *_: explorer.note_unsaved(), ["form", "run_name"])
    upload.param.watch(lambda *_: explorer.note_unsaved(), "stage")
    pn.state.on_session_destroyed(lambda _: state.close())
    board = BoardPanel(state, on_inspect=explorer.inspect, on_narrow=explorer.make_room)
    return Parts(
        main=[board],
        sidebar=[UploadPanel(upload), FormPanel(state, on_open=explorer.open_models), AnimationOfRun(state)],
        shown=board.shown,
        state=state,
        offline="The figures are the last received; all controls need the server.",
        unsaved=unsaved,
    )


def _parts_around(
    panel: Any, sidebar: list[Any], state: Any, offline: str, unsaved: Callable[[], list[str]] = list
) -> Parts:
    """Return the parts of a page with one panel, which takes over results when it is shown."""
    return Parts(
        main=[panel], sidebar=sidebar, shown=panel.refresh, state=state, offline=offline, unsaved=unsaved
    )


def _generate(explorer: Explorer) -> Parts:
    from lrbn_viz.app.generate.panel import DrawingSettings, GeneratePanel
    from lrbn_viz.app.generate.state import GenerateState

    generation = GenerateState(own=explorer.opened_models(), **explorer.address.states["generate"])
    if generation.shows_own:
        beside = read_beside_own(explorer.address.beside_own, generation)
        generation.param.update(**beside.found)
        explorer.notices.add(*beside.ignored)

    def unsaved() -> list[str]:
        return ["the models of this session that draw"] if generation.shows_own else []

    generation.param.watch(lambda *_: explorer.write_address(), list(settings_of("generate")))
    generation.param.watch(lambda *_: explorer.note_unsaved(), ["model_name", "rival_name"])
    panel = GeneratePanel(generation, explorer.opened_models, on_narrow=explorer.make_room)
    offline = "You can still step through what is drawn; all other controls need the server."
    return _parts_around(panel, [DrawingSettings(generation)], generation, offline, unsaved)


def _compare(explorer: Explorer) -> Parts:
    from lrbn_viz.app.compare.panel import ComparePanel, CompareSettings
    from lrbn_viz.app.compare.state import CompareState

    def unsaved() -> list[str]:
        return ["the models of this session that are compared"] if comparison.own else []

    comparison = CompareState(**explorer.address.states["compare"])
    comparison.param.watch(lambda *_: explorer.write_address(), list(settings_of("compare")))
    comparison.param.watch(lambda *_: explorer.note_unsaved(), "own")
    pn.state.on_session_destroyed(lambda _: comparison.close())
    panel = ComparePanel(comparison, explorer.own_models, on_narrow=explorer.make_room)
    offline = "Figures and images can still be saved; other systems and images need the server."
    return _parts_around(panel, [CompareSettings(comparison)], comparison, offline, unsaved)


def _lessons(explorer: Explorer) -> Parts:
    return Parts(
        main=[LessonsPanel(explorer.lessons, explorer.begin_lesson)],
        sidebar=[],
        offline="Starting a lesson needs the server.",
    )


def _sweeps(explorer: Explorer) -> Parts:
    from lrbn_viz.app.sweeps.panel import SweepsPanel
    from lrbn_viz.app.sweeps.state import SweepsState

    state = SweepsState(explorer.visitor.is_owner, **explorer.address.states["sweeps"])
    state.param.watch(lambda *_: explorer.write_address(), list(settings_of("sweeps")))
    panel = SweepsPanel(state, explorer.train_with)
    offline = "The trials can still be sorted and filtered; other sweeps need the server."
    return _parts_around(panel, [], state, offline)


PAGES: dict[str, PageEntry] = {
    "inference": PageEntry("Inference", _inference),
    "train": PageEntry("Train", _train),
    "generate": PageEntry("Generate", _generate),
    "compare": PageEntry("Compare", _compare),
    "lessons": PageEntry("Lessons", _lessons),
    "sweeps": PageEntry("Sweeps", _sweeps),
}
"""Pages by the name that addresses give them; the first is shown where an address names none."""


# Replaces a page whose address is too long for the token of its session.
_SHORTER = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>lrbn_viz</title>
<meta http-equiv="refresh" content="0; url=?{{ shorter | e }}">
</head>
<body>
<p>This link is too long. <a href="?{{ shorter | e }}">Open the explorer without its longest settings</a></p>
</body>
</html>
"""
)


def _lesson_of(address: Address, query: str) -> tuple[Lesson, int] | None:
    """Return the lesson and the step that an address names; errors are added to its ignored settings."""
    asked = address.states["lessons"]
    name, step = asked.get("lesson", ""), asked.get("step", 1)
    if not name:
        return None
    lesson = next((each for each in offered_lessons()[0] if each.id == name), None)
    if lesson is None:
        address.ignored.append(f"lesson: there is no lesson called {name} here; none is begun.")
        del asked["lesson"]
        return None
    if step > len(lesson.steps):
        words = f"step: expected a step from 1 to {len(lesson.steps)}, got {step}; the first is shown."
        address.ignored.append(words)
        step = 1
    if also := names_of_first(query):
        words = f"{', '.join(also)}: a lesson says itself what the page shows; not used."
        address.ignored.append(words)
    return lesson, step


def _guide() -> Lesson:
    """Return the guided beginning."""
    return next(lesson for lesson in offered_lessons()[0] if lesson.guide)


def _begins_here(query: str) -> bool:
    """Return whether a browser that has not been guided yet opens an address without settings."""
    document = pn.state.curdoc
    asked = document is not None and document.session_context is not None
    there = first_look.read(first_look.BEGINNING) is not None
    bare = set(Query(query).texts) <= {"theme"}
    return asked and there and bare and GUIDE_COOKIE not in (pn.state.cookies or {})


def _without_effect(address: Address, query: str, page: str) -> list[str]:
    """Return a sentence for each other page whose settings a link names, which have no effect on this one."""
    here = PAGES[page].title
    sentences = []
    for other, names in settings_of_other_pages(address, query, page).items():
        what, they = ("a setting", "it has") if len(names) == 1 else ("settings", "they have")
        there = PAGES[other].title
        sentences.append(
            f"{', '.join(names)}: {what} of the {there} page; {they} no effect on the {here} page."
        )
    return sentences


def _brought_back(
    linked: Linked | None, generators: Linked | None, session: Session, visitor: Visitor, address: Address
) -> tuple[Address, list[str]]:
    """Show the models of runs that an address names, on the Inference page and on the Generate page.

    Returns the address with the names of the latter, and sentences for the page.
    """
    if linked is None and generators is None:
        return address, []
    from lrbn_viz.app.visitors.runs import VisitorRuns  # imports the engine, so only for such a link
    from lrbn_viz.datasets import load_dataset
    from lrbn_viz.studies.runs.registry import get_registry

    runs, words = VisitorRuns(get_registry(), visitor), []
    if linked is not None:
        words += bring_back(linked, session, runs, load_dataset)
    if generators is not None:
        shown, said = bring_back_generators(generators, session, runs, load_dataset)
        words += said
        if shown:
            address.states["generate"].update(shown)
            settings = {name: generators.settings.get(name, "") for name in BESIDE_GENERATORS}
            address = address._replace(beside_own={name: text for name, text in settings.items() if text})
    return address, words


def build_page(session: Session | None = None, tally: Tally | None = None) -> Viewable:
    """Make the explorer for one visitor, at the page and in the state that the address names.

    An address that names no setting of the Inference page, or its theme alone, opens it with its first look,
    and tells the story of it. One that names some of them means the defaults of the others.
    The page says in words what it ignored. An address of more than `MAX_QUERY_LENGTH` characters
    leads to the same one without its longest values. `tally` counts the predictions of a class, where one is
    served.
    """
    return host().make(lambda: _build_page(session, tally))


def _build_page(session: Session | None, tally: Tally | None) -> Viewable:
    require_one_process()
    make_it_of_the_links_theme()
    visitor = host().admit()
    if is_returning():  # its old session is gone: the browser notices, and requests its address
        return pn.Spacer()
    download_once()
    query = query_of(pn.state.session_args)
    document = pn.state.curdoc
    use_plain_location(document)
    if len(query) > MAX_QUERY_LENGTH and document is not None:
        document.template = _SHORTER
        document.template_variables["shorter"] = shortened(query)
        return pn.Spacer()
    host().begin_page(document, visitor)
    keep_to_this_server()
    pn.state.onload(_on_load)
    linked, rest = linked_models(query), query
    if linked is not None:
        rest = linked.rest
    generators = linked_generators(rest)
    if generators is not None:
        rest = generators.rest
    address = read_address(rest, PAGES)
    lesson = _lesson_of(address, query)
    if session is None and lesson is None and _begins_here(query):
        lesson, look = (_guide(), 1), first_look.read(first_look.BEGINNING)
        session = Session(first_look=look, theme=address.states[FIRST].get("theme", ""))
    if session is None and lesson is not None:
        theme = {"theme": address.states[FIRST].get("theme", "")}
        session = Session(**{**read_page(FIRST, lesson[0].shown_at(lesson[1])[0]).found, **theme})
    if session is None:
        told = linked is not None or names_of_first(rest)
        look = None if told else first_look.read()
        shown = {} if look is None else look.settings
        settings = {name: value for name, value in address.states[FIRST].items() if name not in shown}
        session = Session(first_look=look, **settings)
    if session.cursor > session.n_visits:
        got, session.cursor = session.cursor, session.n_visits
        if got != END:
            address.ignored.append(
                f"visit: expected a whole number from 0 to {session.n_visits:,}, got {got}; "
                "the last is shown."
            )
    words = absent_images(is_downloading())
    if lesson is None:
        address, said = _brought_back(linked, generators, session, visitor, address)
        words += said
    explorer = Explorer(session, address, tally, visitor)
    explorer.notices.add(*words, *_without_effect(address, query, explorer.shown))
    if lesson is not None:
        explorer.lessons.begin(lesson[0].id, lesson[1])
    page = explorer.page
    warm_up_once()  # after the kernels that this page needs
    explorer.follow_compilation()
    return page
