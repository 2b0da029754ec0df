"""Findings, for people and for programs. The report contains no user or host names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from lrbn_viz.io.privacy import redact

State = Literal["ok", "warning", "wrong"]


class Finding(NamedTuple):
    """Result of one check.

    Attributes
    ----------
    part : str
        Part of the installation, such as ``"kernel cache"``.
    state : {"ok", "warning", "wrong"}
        True if it is as it should be; with a warning the package works, and something is worth knowing.
    words : str
        What was found, and what to do.
    values : mapping
        The same for programs: JSON values by name.
    """

    part: str
    state: State
    words: str
    values: Mapping[str, Any] = MappingProxyType({})

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values, by name."""
        return {**self._asdict(), "values": dict(self.values)}


def is_well(findings: Sequence[Finding]) -> bool:
    """Return whether no finding is an error."""
    return all(each.state != "wrong" for each in findings)


def as_text(findings: Sequence[Finding]) -> str:
    """Return a report to be read, or pasted into a report of a fault."""
    width = max(len(each.part) for each in findings)
    marks = {"ok": "ok     ", "warning": "WARNING", "wrong": "WRONG  "}
    lines = [f"{marks[each.state]}  {each.part:<{width}}  {each.words}" for each in findings]
    counts = {state: sum(each.state == state for each in findings) for state in ("wrong", "warning")}
    lines.append(f"\n{counts['wrong']} wrong, {counts['warning']} to be warned of, {len(findings)} looked at")
    return redact("\n".join(lines))


def as_json(findings: Sequence[Finding]) -> str:
    """Return the same as JSON."""
    found = {
        "well": is_well(findings),
        "findings": [each.plain() for each in findings],
    }
    return redact(json.dumps(found, indent=1, ensure_ascii=False))
