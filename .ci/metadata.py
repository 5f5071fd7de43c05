"""Make what a package index shows of the project's public address: its links, and README with absolute ones.

The address is one setting, ``tool.hatch.metadata.hooks.custom.address`` in pyproject.toml; hatchling runs this when it builds.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

try:
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # where nothing is built: the tests and the site ask for the functions alone
    MetadataHookInterface = object

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def urls(address: str) -> dict[str, str]:
    """Give the links of a package's page; none without an address."""
    if not address:
        return {}
    return {
        "Repository": address,
        "Documentation": f"{address}/blob/main/docs/index.md",
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
    }


def absolute(text: str, address: str) -> str:
    """Lead a page's links to the files of the public address; without one, a link is its text and a picture is left out."""

    def link(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        words = _LINK.sub(link, words)
        if address:
            return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/main/{path})"
        return "" if picture else words

    return _LINK.sub(link, text)


class CustomMetadataHook(MetadataHookInterface):  # type: ignore[misc]
    """What hatchling asks for the dynamic fields."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the links and the description."""
        address = self.config["address"]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["urls"] = urls(address)
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(readme, address)}
