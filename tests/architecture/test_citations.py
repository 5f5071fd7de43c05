"""Every citation resolves: ``crush 3.4``, ``decisions noise``, ``rule 10``, ``ADR 4``, ``seed 004``, paths and links of docs/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.not_on_windows("same-everywhere")

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ROOMS = ("pyshellhooks", "conformance", "tests", "docs", "benchmarks", "examples")


def _headings(page: str, pattern: str) -> set[str]:
    found = re.findall(pattern, (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == len(set(found)), f"{page} has a heading twice"
    return set(found)


SECTIONS = {
    page.stem: _headings(f"contracts/{page.name}", r"^#{2,4} (\d+(?:\.\d+)*)\.? ")
    for page in (DOCS / "contracts").glob("*.md")
    if page.stem != "README"
}
DECISIONS = _headings("contracts/README.md", r"^### (.+)$")
SEEDS = _headings("seeds.md", r"^## (\d{3}) ")
RULES = _headings("rules.md", r"^## (\d+)\. ")
ADRS = {str(int(page.name[:4])) for page in (DOCS / "adr").glob("[0-9]*.md")}

_SYSTEMS = "|".join(sorted(SECTIONS))
_NUMBER = r"\d+(?:\.\d+)*"
_CONTRACT = re.compile(rf"\b({_SYSTEMS}) ({_NUMBER}(?:(?:, | and | to ){_NUMBER})*)\b")
_ENGLISH = "and|are|from|ignored|in|is|of|that|the|to"  # what may follow the word where it is no citation
_DECISION = re.compile(rf"\bdecisions (?!(?:{'|'.join(DECISIONS)}|{_ENGLISH})\b)[a-z_]+")
_NUMBERED = (
    (re.compile(r"\b[Rr]ules? (\d+(?:(?:, | and )\d+)*)\b"), RULES),
    (re.compile(r"\bADRs? ?(\d+)"), ADRS),
    (re.compile(r"\bseeds? (\d{3})\b"), SEEDS),
)
_PATH = re.compile(
    r"\bdocs/(?:(?:adapters|adr|contracts|dialects)/(?!SYSTEM\b)[\w-]+|rules|seeds)\.md\b"
)  # SYSTEM: any, in a recipe
#: What does not lie in the repository, and spellings of which one is enough.
_STALE = re.compile(
    rf"(?<!docs/)\bcontracts/\w+\.md|\b(?:{_SYSTEMS})\.md,? {_NUMBER}|\bDESIGN\b|README, [\x22\x27]|\bruntime-facts|\bdemand\.md|\b[Ii]ssue \d"
)


def wrong(text: str) -> Iterator[str]:
    """Yield the citations in a text that resolve to nothing."""
    text = re.sub(r"\s*\n[ \t#:]*", " ", text)  # a citation may go on in the next line of a comment
    for system, numbers in _CONTRACT.findall(text):
        for number in re.findall(_NUMBER, numbers):
            if number not in SECTIONS[system]:
                yield f"{system} {number}"
    yield from _DECISION.findall(text)
    for pattern, known in _NUMBERED:
        for found in pattern.finditer(text):
            if not set(re.findall(r"\d+", found[1])) <= known:
                yield found[0]
    yield from (path for path in _PATH.findall(text) if not (ROOT / path).is_file())


@pytest.mark.parametrize("room", [*ROOMS, "*.md", "*.toml"])
def test_citations_resolve(room: str) -> None:
    paths = ROOT.glob(room) if "*" in room else (ROOT / room).rglob("*.*")
    read, found = 0, []
    for path in paths:
        if path.suffix in (".py", ".toml", ".md", ".txt") and path != Path(__file__).resolve():
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            read += 1
            found += [f"{path.relative_to(ROOT)}: {one}" for one in wrong(text)]
            if room != "docs" and path.name != "CHANGELOG.md":
                found += [f"{path.relative_to(ROOT)}: {one}" for one in _STALE.findall(text)]
    assert read and not found, "\n".join(found)


@pytest.mark.parametrize("page", [*DOCS.rglob("*.md"), *ROOT.glob("*.md")], ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)\s#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize(
    "text",
    ["crush 3.99", "gemini 2.1 and 2.7", "# firebender 5,\n# 88", "decisions nosie", "rule 99", "rules 2 and 99"]
    + ["ADR 99", "seed 099", "docs/contracts/none.md"],
)
def test_it_can_fail(text: str) -> None:
    assert list(wrong(text))


def test_correct_citations_pass() -> None:
    right = "crush 3.4, 3.5 and 4; decisions tool\n# names, rules 2 and 3 (ADR 4), seed 004, docs/rules.md. The decisions of a person."
    assert not list(wrong(right))
