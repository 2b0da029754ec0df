"""Kinds of visitors: the owner of the machine, a visitor with a token, a lecturer."""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal["home", "visitor", "lecturer"]


class Visitor(NamedTuple):
    """Somebody whose browser shows the explorer.

    Attributes
    ----------
    id : str
        Identifies the visitor in stored runs, for `is_owner_id`; empty for the owner of the machine.
    role : {"home", "visitor", "lecturer"}
        "home" is the owner, with full access. A lecturer sees all runs, and may end them.
    """

    id: str
    role: Role = "visitor"

    @property
    def is_owner(self) -> bool:
        """True if the visitor is the owner of the machine, with full access."""
        return self.role == "home"

    @property
    def teaches(self) -> bool:
        """True if the visitor has the lecturer's role."""
        return self.role == "lecturer"

    def owns(self, owner: str | None) -> bool:
        """Return whether the visitor owns an object with this owner; the lecturer owns objects without one,
        None is unknown.
        """
        if self.is_owner:
            return True
        return owner == self.id if owner else owner == "" and self.teaches

    def sees(self, owner: str | None, listed: bool = False) -> bool:
        """Return whether the visitor may know of an object: their own, a listed one; any for a lecturer."""
        return self.owns(owner) or listed or self.teaches


HOME = Visitor("", "home")
"""The owner, who uses the explorer on their own machine."""
