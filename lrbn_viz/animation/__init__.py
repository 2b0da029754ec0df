"""Traces and training as moving pictures for slides: animated WebP or PNG, and MP4 where ffmpeg is found.

The drawing code uses the methods of a trace or of stored moments of training, not their types.
"""

from lrbn_viz.animation.encode import FORMATS, check_format
from lrbn_viz.animation.learning import LearningLane, Moment, animate_learning
from lrbn_viz.animation.settings import SIZES, Settings
from lrbn_viz.animation.still import trace_html
from lrbn_viz.animation.traces import animate_traces

__all__ = [
    "FORMATS",
    "SIZES",
    "LearningLane",
    "Moment",
    "Settings",
    "animate_learning",
    "animate_traces",
    "check_format",
    "trace_html",
]
