"""Optional packages, by the extra that installs them, and the sentence that names a missing extra."""

from __future__ import annotations

EXTRAS: dict[str, tuple[str, ...]] = {
    "cluster": ("dask", "distributed", "optuna"),
    "notebook": ("IPython", "anywidget", "docutils", "ipywidgets", "matplotlib", "traitlets"),
    "report": ("matplotlib",),
    "serve": ("prometheus_client",),
}
"""Modules that each extra of the package installs; pyproject.toml lists their packages."""


class MissingExtra(ModuleNotFoundError):
    """An optional package is missing; the message names its extra and the command that installs it."""


def missing_extra(extra: str, needs: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error to raise for a module that could not be imported.

    Parameters
    ----------
    extra : str
        One of `EXTRAS`.
    needs : str
        Subject and verb of the sentence, such as ``"animations need"``.
    error : ModuleNotFoundError
        Error of the import, with the name of the module.

    Returns
    -------
    ModuleNotFoundError
        A `MissingExtra`, or `error` itself if its module belongs to no extra: then the fault is elsewhere.
    """
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS[extra]:
        return error
    return MissingExtra(
        f"{needs} {module}, which is not installed; install it with "
        f'pip install "lrbn_viz[{extra}]", or in a checkout pip install -e ".[{extra}]".',
        name=module,
    )
