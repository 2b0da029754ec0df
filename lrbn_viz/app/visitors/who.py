"""Who visits: the owner of the machine, a visitor with a token, a lecturer."""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal["home", "visitor", "lecturer"]


class Visitor(NamedTuple):
    """Somebody whose browser shows the explorer.

    Attributes
    ----------
    id : str
        Names them in stored runs, as `is_owner` takes it; empty at home, where nobody is told from another.
    role : {"home", "visitor", "lecturer"}
        At home everything is theirs. A lecturer sees all runs, and may end them.
    """

    id: str
    role: Role = "visitor"

    @property
    def at_home(self) -> bool:
        """Whether nobody is kept apart from anybody."""
        return self.role == "home"

    @property
    def teaches(self) -> bool:
        """Whether they have the lecturer's role."""
        return self.role == "lecturer"

    def owns(self, owner: str | None) -> bool:
        """Whether what has this owner is theirs; what is nobody's is the lecturer's, None is unknown."""
        if self.at_home:
            return True
        return owner == self.id if owner else owner == "" and self.teaches

    def sees(self, owner: str | None, listed: bool = False) -> bool:
        """Whether they may know of it: theirs, or listed, or all for a lecturer."""
        return self.owns(owner) or listed or self.teaches


HOME = Visitor("", "home")
"""Whoever uses the explorer on a machine of their own."""
