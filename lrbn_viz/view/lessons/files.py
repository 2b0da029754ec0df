"""Lessons from folders: those of the package, and a teacher's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from lrbn_viz.view.lessons.lesson import Lesson, LessonError, Problem
from lrbn_viz.view.lessons.read import MAX_BYTES, Vocabulary, read_lesson

SHIPPED = Path(__file__).parent
"""The folder of the package's own lessons."""
MAX_FILES = 200


class BadLesson(NamedTuple):
    """A file that is no lesson, and why, by line."""

    file: str
    problems: tuple[Problem, ...]


def read_file(path: Path, vocabulary: Vocabulary | None = None) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    LessonError
        It cannot be read, or is no lesson.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        words = f"expected text in UTF-8, got the byte {error.object[error.start]:#04x}; save it as UTF-8."
        raise LessonError(path.name, [Problem(line, words)]) from None
    except OSError as error:
        words = f"expected a file that can be read, got: {error.strerror or error}."
        raise LessonError(path.name, [Problem(1, words)]) from None
    return read_lesson(text, path.name, vocabulary)


def read_folder(folder: Path, vocabulary: Vocabulary | None = None) -> tuple[list[Lesson], list[BadLesson]]:
    """Return the lessons of a folder in the order of their names, and the files that are none.

    ``README.md`` is no lesson; of two with one id the second is none.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".md" and path.name != "README.md")
    except OSError as error:
        words = f"expected a folder of lessons, got: {error.strerror or error}."
        return [], [BadLesson(str(folder), (Problem(1, words),))]
    lessons: dict[str, Lesson] = {}
    bad = []
    for path in paths[:MAX_FILES]:
        try:
            lesson = read_file(path, vocabulary)
        except LessonError as error:
            bad.append(BadLesson(error.file, error.problems))
            continue
        if lesson.id in lessons:
            first = lessons[lesson.id].file
            words = f"expected an id of its own, got {lesson.id}, which is that of {first}; choose another."
            bad.append(BadLesson(lesson.file, (Problem(1, words),)))
            continue
        lessons[lesson.id] = lesson
    if len(paths) > MAX_FILES:
        words = f"expected at most {MAX_FILES} files in a folder, got {len(paths)}; the others are left out."
        bad.append(BadLesson(str(folder), (Problem(1, words),)))
    return list(lessons.values()), bad


@cache
def shipped_lessons() -> tuple[Lesson, ...]:
    """Return the lessons of the package, in their order.

    Raises
    ------
    LessonError
        One of them is damaged.
    """
    lessons, bad = read_folder(SHIPPED)
    if bad:
        raise LessonError(bad[0].file, bad[0].problems)
    return tuple(lessons)
