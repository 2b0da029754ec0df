"""Links of lessons: which lesson and step each opens, and the state of the page there.

``python -m compat.lessons`` (in ``tests``) adds links of lessons that have come since to the stored ones,
whose answers stay as they are.
"""

from __future__ import annotations

import json

from compat.opened import DATA, Values

STORED = DATA / "lessons.json"
PAGES = ("inference", "train", "generate", "lessons")


def opened(query: str) -> Values:
    """Return what a link with a lesson opens, and what its page shows before and after the prediction."""
    from lrbn_viz.app.address import read_address
    from lrbn_viz.app.lessons.state import LessonRun
    from lrbn_viz.lessons import shipped_lessons
    from lrbn_viz.player.panels import PANELS

    def settings(query: str) -> Values:
        address = read_address(query, PAGES)
        return {"inference": address.states["inference"], "ignored": address.ignored}

    address, shown = read_address(query, PAGES), []
    asked = address.states["lessons"]
    run = LessonRun(
        lambda: (shipped_lessons(), []),
        lambda query, hidden: shown.append(settings(query)),
        str,
        lambda hidden: None,
        (list(PANELS), []),
    )
    run.begin(asked.get("lesson", ""), asked.get("step", 1))
    if run.running:
        run.predict(run.step, 0)
    return {
        "lesson": run.lesson,
        "step": run.step,
        "ignored": sorted({sentence.split(":")[0] for sentence in address.ignored}),
        "shown": shown,
    }


def main() -> None:
    """Add what is not stored yet."""
    from lrbn_viz.lessons import shipped_lessons

    stored: dict[str, Values] = json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}
    steps = [(lesson.id, step) for lesson in shipped_lessons() for step in range(1, len(lesson.steps) + 1)]
    queries = [f"?lesson={name}&step={step}" for name, step in steps]
    queries += [f"?lesson={steps[0][0]}", f"?lesson={steps[0][0]}&step=x&theme=dark", "?lesson=UPPER"]
    answers = {query: stored.get(query) or opened(query) for query in queries}
    STORED.write_text(json.dumps({**stored, **answers}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
