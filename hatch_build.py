"""Metadata of a distribution that its checkout cannot hold: addresses, and a README that holds outside it.

Links of README.md are relative, as a checkout and its host need them. On a package index they would lead
nowhere: there they begin with the repository's address or, while pyproject.toml names none, are plain words,
without the picture.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\(((?!\w+:)[^)#]+)\)\n*")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(((?!\w+:)[^)]+)\)")


def outside(readme: str, repository: str) -> str:
    """Return the text of README.md with links that hold outside the repository.

    Parameters
    ----------
    readme : str
    repository : str
        Address of the repository's files, such as ``https://example.org/owner/name/blob/v0.1.0``; empty if
        there is none yet.
    """
    if not repository:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    raw = repository.replace("/blob/", "/raw/")
    with_pictures = PICTURE.sub(lambda found: f"![{found[1]}]({raw}/{found[2]})\n\n", readme)
    return LINK.sub(lambda found: f"[{found[1]}]({repository}/{found[2]})", with_pictures)


class AddressesHook(MetadataHookInterface):
    """Adds the long description and the addresses to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dynamic fields."""
        repository = self.config.get("repository", "").rstrip("/")
        files = f"{repository}/blob/v{metadata['version']}" if repository else ""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": outside(text, files)}
        metadata["urls"] = (
            {
                "Repository": repository,
                "Issues": f"{repository}/issues",
                "Changelog": f"{files}/CHANGELOG.md",
                "Documentation": f"{files}/docs/index.md",
            }
            if repository
            else {}
        )
