"""Findings on the disk: the smallest input of each kind, and what it shows, until it does so no more."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from zlib import crc32

from .target import Finding, Target, minimised, observe

REGRESS = Path(__file__).with_name("regress")
KNOWN = Path(__file__).with_name("known.toml")


def known() -> dict[tuple[str, str], str]:
    """Return the findings that can't be mended: (target, kind) -> reason."""
    rows = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("known", [])
    return {(row["target"], row["kind"]): row["reason"] for row in rows}


class Findings:
    """The directory of one target: ``KIND.input`` with ``KIND.txt`` beside it."""

    def __init__(self, directory: Path, target: Target) -> None:
        self.directory = directory
        self.target = target
        self._explained = known()
        self._seen = {path.stem for path in directory.glob("*.input")}

    def is_new(self, finding: Finding) -> bool:
        """Say whether it is the first of its kind, and nobody has explained it."""
        return (self.target.name, finding.kind) not in self._explained and _stem(finding) not in self._seen

    def save(self, data: bytes, finding: Finding) -> Path:
        """Save an input and a smaller one with the same finding; give its path."""
        stem = _stem(finding)
        self._seen.add(stem)
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self.directory / f"{stem}.input"
        path.write_bytes(data)
        smaller = minimised(self.target, data, finding)
        path.write_bytes(smaller)
        shown = observe(self.target, smaller) or finding
        parts = "\n".join(
            f"{name}: {part!r}" for name, part in zip(self.target.parts, self.target.split(smaller), strict=True)
        )
        path.with_suffix(".txt").write_text(
            f"{shown.kind}\n{parts}\n\n{shown.detail}\n", encoding="utf-8", errors="backslashreplace"
        )
        return path

    def stand(self) -> list[Path]:
        """Run all again; give those that stand. The others are put into ``mended``."""
        standing = []
        for path in sorted(self.directory.glob("*.input")):
            if observe(self.target, path.read_bytes()) is not None:
                standing.append(path)
                continue
            place = self.directory / "mended"
            place.mkdir(exist_ok=True)
            for one in (path, path.with_suffix(".txt")):
                if one.exists():
                    one.replace(place / one.name)
        return standing


def _stem(finding: Finding) -> str:
    words = re.sub(r"\W+", "-", finding.kind).strip("-")[:60]
    return f"{words}-{crc32(finding.kind.encode('utf-8', 'replace')):08x}"
