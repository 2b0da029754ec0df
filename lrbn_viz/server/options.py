"""Options of `lrbn-viz serve` for Panel's server, and its messages about access."""

from __future__ import annotations

import os
import secrets
from argparse import Namespace
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lrbn_viz.core.extras import missing_extra
from lrbn_viz.io.storage import read_json
from lrbn_viz.server.classroom.addresses import free_port, reached_by
from lrbn_viz.server.host import ROUTES, install
from lrbn_viz.server.logs import write_logs
from lrbn_viz.server.metrics import METRICS, is_local, metrics_asked
from lrbn_viz.server.traffic.headers import read_origins
from lrbn_viz.server.visitors.serving import Serving, serving_of_environment
from lrbn_viz.studies.runs.workers import CLUSTER_VARIABLE, workers_of_environment

PASSWORD = "LRBN_VIZ_PASSWORD"
"""Environment variable: the one password of ``--auth basic`` without ``--users``."""
KEY, SECRET = "PANEL_OAUTH_KEY", "PANEL_OAUTH_SECRET"
COOKIES = "PANEL_COOKIE_SECRET"
"""Environment variable: what signs the cookies of those who signed in; else it is drawn at each start."""
_MIN_PASSWORD_LENGTH = 8


def prepare_server(arguments: Namespace) -> tuple[Serving, dict[str, Any]]:
    """Prepare this process to serve visitors, and return how it serves, and the options of Panel's server.

    Parameters
    ----------
    arguments : Namespace
        Those of `lrbn-viz serve`.

    Raises
    ------
    ValueError
        Options cannot be meant, such as an origin with a path.
    MissingExtra
        Metrics are asked for, and their library is not installed.
    """
    write_logs(arguments.log_format, arguments.log_level)
    metrics = arguments.metrics
    if metrics and find_spec("prometheus_client") is None:
        raise missing_extra("serve", "--metrics needs", ModuleNotFoundError(name="prometheus_client"))
    if metrics is None:
        metrics = metrics_asked(None if arguments.behind_proxy else arguments.address)
    if not is_local(arguments.address):
        arguments.port = arguments.port or free_port(arguments.address)
        if not arguments.allow_websocket_origin:
            reached = reached_by(arguments.address, arguments.port).partition("://")[2]
            arguments.allow_websocket_origin = [reached, f"localhost:{arguments.port}"]
    found: dict[str, Any] = {"extra_patterns": list(ROUTES), **_auth(arguments)}
    if arguments.prefix:
        found["prefix"] = _prefix(arguments.prefix)
    if arguments.behind_proxy:
        found["use_xheaders"] = True
    if arguments.cluster is not None:
        os.environ[CLUSTER_VARIABLE] = arguments.cluster or "local"
    workers_of_environment()  # it is said now, and not on a page, where that cannot be
    how = _serving(arguments)
    install(how, read_origins(" ".join(arguments.embed)) if arguments.embed else None, all_pages=True)
    os.environ[METRICS] = str(int(metrics))  # a visitor may come by way of this machine: then it is settled
    return how, found


def _serving(arguments: Namespace) -> Serving:
    """Return how to serve, by the options, and where these say nothing by the environment."""
    how = serving_of_environment()
    shared = False if arguments.shared is None and arguments.behind_proxy else arguments.shared
    return replace(
        how,
        shared=how.shared if shared is None else shared,
        limits=how.limits.with_values(arguments.limits),
        framed=bool(arguments.embed),
    )


def _prefix(text: str) -> str:
    """Return a prefix as Bokeh wants it."""
    parts = [part for part in text.split("/") if part]
    if not parts or any(not part.replace("-", "").replace("_", "").isalnum() for part in parts):
        raise ValueError(f"expected a prefix such as /explorer, of letters, digits, - and _, got {text!r}.")
    return "/".join(parts)


def _auth(arguments: Namespace) -> dict[str, Any]:
    """Return the options by which Panel authenticates users."""
    if arguments.auth == "none":
        if arguments.users:
            raise ValueError("--users needs --auth basic.")
        return {}
    from panel.auth import AUTH_PROVIDERS

    found: dict[str, Any] = {
        "cookie_secret": os.environ.get(COOKIES) or secrets.token_urlsafe(32),
        "login_template": str(Path(__file__).with_name("login.html")),
    }
    if arguments.auth == "basic":
        return {**found, "basic_auth": _passwords(arguments.users)}
    if arguments.auth not in AUTH_PROVIDERS:
        raise ValueError(
            "expected --auth none, basic, or one of Panel's providers, "
            f"{', '.join(sorted(AUTH_PROVIDERS))}, got {arguments.auth!r}."
        )
    key, secret = os.environ.get(KEY), os.environ.get(SECRET)
    if not key or not secret:
        raise ValueError(f"--auth {arguments.auth} needs {KEY} and {SECRET} in the environment.")
    found.pop("login_template")  # the provider has its own
    found["oauth_error_template"] = str(Path(__file__).with_name("refused.html"))
    return {**found, "oauth_provider": arguments.auth, "oauth_key": key, "oauth_secret": secret}


def _passwords(users: str | None) -> str:
    """Return the file of names and passwords, or the one password for everybody."""
    if users is not None:
        said = read_json(Path(users).read_bytes(), "the file of names and passwords")
        if not said or not all(
            isinstance(each, str) and len(each) >= _MIN_PASSWORD_LENGTH for each in said.values()
        ):
            raise ValueError(
                f"expected names, and passwords of at least {_MIN_PASSWORD_LENGTH} characters, in {users}."
            )
        return users
    password = os.environ.get(PASSWORD, "")
    if len(password) < _MIN_PASSWORD_LENGTH:
        raise ValueError(
            f"--auth basic needs --users FILE, a JSON object of names and passwords, or {PASSWORD} in the "
            f"environment with at least {_MIN_PASSWORD_LENGTH} characters."
        )
    return password


def exposure(arguments: Namespace) -> str:
    """Return the warnings to the operator about who can reach the server; empty if nobody else can."""
    if is_local(arguments.address) and not arguments.behind_proxy:
        return ""
    metrics = metrics_asked(arguments.address)
    let_in = {
        "none": "everybody who reaches the port; --auth asks for a name and a password",
        "basic": "users with a password",
    }.get(arguments.auth, f"users who sign in by {arguments.auth}")
    rows = {
        "Listens on": f"{arguments.address}, port {arguments.port}: other machines reach it",
        "Lets in": let_in,
        "Travels": "unencrypted, unless a proxy before it speaks HTTPS" if not arguments.behind_proxy
        else "as the proxy before it says; nobody else may reach the port",
        "Websockets": "from pages of " + ", ".join(arguments.allow_websocket_origin),
        "In frames": "of " + ", ".join(["this server", *arguments.embed]),
        "Health": "answered to everybody, at /health, /health/live and /health/ready",
        "Metrics": "answered to everybody, at /metrics" if metrics else "not answered; --metrics does",
    }  # fmt: skip
    lines = "\n".join(f"  {name:<11} {words}" for name, words in rows.items())
    return (
        f"Warning: this server is open to others.\n{lines}\nSECURITY.md says what is defended, and what not."
    )
