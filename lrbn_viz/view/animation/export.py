"""Inference as an animation in a file, with each setting as an argument."""

from __future__ import annotations

import os
from collections.abc import Sequence

from lrbn_viz.core.trace import Trace
from lrbn_viz.view.animation.settings import Progress, Settings


def export_animation(
    path: str | os.PathLike[str],
    *traces: Trace,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    names: Sequence[str] = (),
    size: tuple[int, int] | str = "medium",
    frames_per_second: float = 8.0,
    n_frames: int = 160,
    theme: str = "light",
    progress: Progress | None = None,
) -> int:
    """Write inference as an animation for a slide, with a frame for each visit that changes a latent.

    A frame shows the image, its reconstruction with wrong pixels in colour, all latents, the weights of the
    one visited, and log P(x, h) so far; its caption describes the visit. Two traces are shown one below the
    other, both after the same number of visits; one that has ended stands still.

    Parameters
    ----------
    path : path
        Ends in .webp, .png, .apng (both animated PNG) or, where ffmpeg is found, .mp4.
    *traces : Trace
        One or two, of the same image.
    image_shape : (rows, columns), optional
        Shape of the image; None: it is square.
    title : str
        Above everything, such as the name of the image.
    names : sequence of str
        Names of the traces, such as the models'.
    size : {"small", "medium", "large"} or (int, int)
        640 x 360, 960 x 540 or 1280 x 720 pixels, or others.
    frames_per_second : float
        From 0.5 to 60.
    n_frames : int
        Frames at most; where more visits change a latent, some between are left out, evenly.
    theme : {"light", "dark"}
    progress : callable, optional
        Called after each frame with the number of drawn frames and of all frames.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    TypeError
        Something other than traces follows the path.
    ValueError
        A setting is out of range, the traces are not of one image of that shape, or ffmpeg is needed and not
        found.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, digits = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits")
    >>> trace = model.map_trace(digits.test_X[0])
    >>> lrbn_viz.export_animation("icm.webp", trace, size="small", n_frames=4) > 1_000  # bytes
    True
    """
    if wrong := [type(each).__name__ for each in traces if not isinstance(each, Trace)]:
        raise TypeError(
            f"expected traces after the path, as model.map_trace(x) returns them; got {', '.join(wrong)}. "
            'Call export_animation("icm.webp", trace).'
        )
    from lrbn_viz.view.animation.traces import animate_traces  # brings matplotlib

    settings = Settings(size, frames_per_second, n_frames, theme=theme)
    return animate_traces(
        path, traces, image_shape=image_shape, title=title, names=names, settings=settings, progress=progress
    )
