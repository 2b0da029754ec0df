"""Lessons that ask first: Markdown files with steps, questions, and claims that the engine checks.

`read_lesson` reads a text, `shipped_lessons` those of the package, `read_folder` a folder of a teacher's own.
README.md in this folder describes the format.
"""

from lrbn_viz.view.lessons.files import BadLesson, read_file, read_folder, shipped_lessons
from lrbn_viz.view.lessons.language import Claim, ClaimError, World
from lrbn_viz.view.lessons.lesson import Lesson, LessonError, Option, Problem, Step
from lrbn_viz.view.lessons.read import Vocabulary, read_lesson

__all__ = [
    "BadLesson",
    "Claim",
    "ClaimError",
    "Lesson",
    "LessonError",
    "Option",
    "Problem",
    "Step",
    "Vocabulary",
    "World",
    "read_file",
    "read_folder",
    "read_lesson",
    "shipped_lessons",
]
