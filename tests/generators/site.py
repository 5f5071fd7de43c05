"""What the site adds to the pages: links that leave docs/, lists of pages, and the project's public address.

mkdocs calls the functions whose names begin with ``on_`` (mkdocs.yml, ``hooks``). ``python -m tests.generators.site`` prints
the addresses of other sites that the pages name, with the pages; nothing is fetched.
"""

from __future__ import annotations

import posixpath
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_LINK = re.compile(r"(?<!\\)(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s]+)\)")
_FENCE = re.compile(r"(^ *```.*?^ *```[ \t]*$)", re.MULTILINE | re.DOTALL)  # in a list, too
_ADDRESS = re.compile(r"https?://[^\s)>\"'`|]+")


def settings() -> dict[str, Any]:
    """Return what pyproject.toml says of the project: ``address`` and ``released``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    return found


def outward(text: str, page: str, address: str) -> str:
    """Lead links from a page in docs/ to what is not there (examples, cases) to the public address.

    Without an address such a link is its text. A link to a directory of docs/ leads there too, as a site has no listing.
    """

    def link(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target.partition("#")[0]))
        inside = path.startswith("docs/") and not (ROOT / path).is_dir()
        before = found.string[: found.start()].rpartition("\n")[2]
        if picture or inside or not target.partition("#")[0] or before.count("`") % 2:  # the last: it stands in code
            return found[0]
        return f"[{words}]({address}/blob/main/{path})" if address else words

    parts = _FENCE.split(text)
    return "".join(part if at % 2 else _LINK.sub(link, part) for at, part in enumerate(parts))


def bars(text: str) -> str:
    r"""Spell ``\|`` in code inside a table as Python-Markdown needs it; GitHub's reader takes the backslash away itself."""

    def code(found: re.Match[str]) -> str:
        inner = found[1].replace("&", "&amp;").replace("<", "&lt;").replace("\\|", "&#124;")
        return f"<code>{inner.replace('*', '&#42;').replace('_', '&#95;')}</code>"

    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("|") and "\\|" in line:
            lines[at] = re.sub(r"`([^`]*\\\|[^`]*)`", code, line)
    return "\n".join(lines)


def brackets(text: str) -> str:
    """Escape ``[Q]`` outside of code: brackets that no address follows are a text, and not a reference to an object."""
    parts = re.split(r"(^ *```.*?^ *```[ \t]*$|`+[^`\n]+`+)", text, flags=re.MULTILINE | re.DOTALL)
    plain = re.compile(r"(?<![\\!])\[([^\[\]\n]+)\](?![(:])")
    return "".join(part if at % 2 else plain.sub(r"\[\1\]", part) for at, part in enumerate(parts))


def lists(text: str) -> str:
    """Let lists and tables begin as on GitHub: behind a paragraph without an empty line, and two or three blanks deep."""
    made: list[str] = []
    item = re.compile(r"( *)((?:[-*]|\d+[.)]) +)\S")
    open_items: list[tuple[int, int]] = []  # columns of the marker and of the text behind it
    fenced = parted = False
    for line in text.split("\n"):
        column = len(line) - len(line.lstrip())
        found = None if fenced else item.match(line)
        before = made[-1] if made else ""
        if line.strip() and not fenced:
            while open_items and (column < open_items[-1][1] if found is None else column <= open_items[-1][0]):
                open_items.pop()
        inside = open_items[-1][1] if open_items else 0
        begins = (found or line.startswith("|")) and column == 0 and not fenced
        lead = before.startswith(" ") and not parted
        if (
            begins
            and before.strip()
            and not lead
            and not before.startswith(("|", "#", "<"))
            and item.match(before) is None
        ):
            made.append("")
        made.append(line if not line.strip() else "    " * len(open_items) + line[min(inside, column) :])
        parted = not line.strip() or (parted and found is None)  # since the last item, by an empty line
        if found:
            open_items.append((column, column + len(found[2])))
        if line.lstrip().startswith("```"):
            fenced = not fenced
    return "\n".join(made)


def with_examples(text: str) -> str:
    """Put the programs of examples/ that a page links to below it, whole: on the site a link may have nowhere to lead."""
    names = dict.fromkeys(re.findall(r"\]\((?:\.\./)*(examples/\w+\.py)\)", text))
    for name in names:
        text += (
            f'\n\n## The whole example\n\n```python title="{name}"\n{(ROOT / name).read_text(encoding="utf-8")}```\n'
        )
    return text


def listed(nav: list[Any]) -> list[Any]:
    """Fill in the lists of a nav: ``adr/*`` stands for all pages in that directory, by name."""
    made: list[Any] = []
    for entry in nav:
        if isinstance(entry, dict):
            made += [{title: listed(below) if isinstance(below, list) else below} for title, below in entry.items()]
        elif entry.endswith("/*"):
            made += sorted(
                page.relative_to(DOCS).as_posix() for page in DOCS.glob(f"{entry}.md") if page.name != "README.md"
            )
        else:
            made.append(entry)
    return made


def on_config(config: Any) -> Any:
    """Set the address, and fill in the lists of the nav."""
    address = settings()["address"]
    if address:
        config.repo_url, config.repo_name = address, posixpath.basename(address)
        config.edit_uri = "edit/main/docs/"
    config.nav = listed(config.nav)
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Change a page's text before it becomes HTML."""
    whole = with_examples(markdown)
    return lists(brackets(bars(outward(whole, page.file.src_uri, settings()["address"]))))


def addresses() -> dict[str, list[str]]:
    """Return the addresses of other sites in README and docs/, each with the pages that name it."""
    found: dict[str, list[str]] = {}
    for page in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")]):
        for address in _ADDRESS.findall(page.read_text(encoding="utf-8")):
            pages = found.setdefault(address.rstrip(".,;:*"), [])
            if page.relative_to(ROOT).as_posix() not in pages:
                pages.append(page.relative_to(ROOT).as_posix())
    return found


def fetched(site: Path) -> list[str]:
    """Return what the built pages would fetch from other machines when someone opens them: there should be nothing."""
    tag = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"?(https?://[^\s\">]+)[^>]*>")
    wrong: dict[str, int] = {}
    for page in site.rglob("*.html"):
        for found in tag.finditer(page.read_text(encoding="utf-8")):
            if 'rel="canonical"' not in found[0]:
                wrong[found[1]] = wrong.get(found[1], 0) + 1
    return [f"{address} (in {number} pages)" for address, number in sorted(wrong.items())]


def unread(site: Path) -> list[str]:
    """Return what the pages show of Markdown that was not read as such: a list, a table, a fence or code inside a paragraph."""
    wrong = []
    for page in sorted(site.rglob("*.html")):
        article = page.read_text(encoding="utf-8").partition("<article")[2].partition("</article")[0]
        for text in re.findall(r"<(?:p|li|td)>(.*?)</(?:p|li|td)>", article, re.DOTALL):
            bare = re.sub(r"<code>.*?</code>", "", text, flags=re.DOTALL)
            found = re.search(r"(?:^|\n) *(?:[-*] |\d+\. |\|.*\||```).*|`[^`\n]+`|\*\*\w.*|\]\([^)]*\)", bare)
            if found:
                wrong.append(f"{page.relative_to(site)}: {found[0].strip()[:80]}")
    return wrong


def main(argv: list[str] | None = None) -> int:
    """Print the external addresses; with a directory, also look for what its pages would fetch."""
    for address, pages in sorted(addresses().items()):
        print(address, " ".join(pages))
    built = [Path(name) for name in (sys.argv[1:] if argv is None else argv)]
    wrong = [f"a page fetches from another machine: {line}" for site in built for line in fetched(site)]
    wrong += [f"not read as Markdown: {line}" for site in built for line in unread(site)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
