"""Write the generated pages in docs/: ``python -m tests.generators.reference [--check]``.

Each fact is said once, where it is declared: a utility's options, a system's tables, a command's parser. ``--check`` writes
nothing and fails where a page is stale, missing, or left over; a test does so too.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import GENERATED, ROOT, api_pages, code_tables, command_pages, json_pages, system_pages, utility_pages

DOCS = ROOT / "docs"


def build() -> dict[str, str]:
    """Return the texts of all pages, by their paths below docs/."""
    rooms = (utility_pages, system_pages, command_pages, api_pages, json_pages)
    generated = {path: text + GENERATED for room in rooms for path, text in room.pages().items()}
    return {**generated, **code_tables.pages()}


def stale(pages: dict[str, str], docs: Path = DOCS) -> list[str]:
    """Return the paths of pages that are not what they would be, and of generated ones that would not be there."""
    found = {page.relative_to(docs).as_posix(): page.read_text(encoding="utf-8") for page in docs.rglob("*.md")}
    left = [path for path, text in found.items() if text.endswith(GENERATED) and path not in pages]
    return sorted([*left, *(path for path, text in pages.items() if found.get(path) != text)])


def main(argv: list[str] | None = None) -> int:
    """Write the pages, or say which are stale."""
    arguments = sys.argv[1:] if argv is None else argv
    pages = build()
    for path in stale(pages):
        if arguments == ["--check"]:
            print(f"docs/{path} is stale: run python -m tests.generators.reference", file=sys.stderr)
        elif path in pages:
            (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
            (DOCS / path).write_text(pages[path], encoding="utf-8", newline="\n")
        else:
            (DOCS / path).unlink()
    return 1 if arguments == ["--check"] and stale(pages) else 0


if __name__ == "__main__":
    sys.exit(main())
