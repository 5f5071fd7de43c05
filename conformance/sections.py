"""Which cases prove which section of the contracts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator

from .case import HERE, Case

SECTIONS = HERE / "sections.toml"


def normative() -> dict[str, str]:
    """Return the sections that bind us and what they are about: ``gemini 2.1`` -> ``stdin``."""
    document = tomllib.loads(SECTIONS.read_text(encoding="utf-8"))
    document.pop("informs")
    return {f"{name} {number}": title for name, rows in document.items() for number, title in rows.items()}


def informative() -> dict[str, str]:
    """Return the sections that need no case, and why."""
    found: dict[str, str] = tomllib.loads(SECTIONS.read_text(encoding="utf-8"))["informs"]
    return found


def rules(case: Case) -> list[str]:
    """Split what a case says it proves: ``gemini 2.1; decisions noise``."""
    return [rule.strip() for rule in case.rule.split(";")]


def proofs(cases: Iterable[Case]) -> dict[str, list[str]]:
    """Return the ids of the cases that prove each section that binds. A rule of a finer number proves its section too."""
    found: dict[str, list[str]] = {name: [] for name in normative()}
    for case in cases:
        for rule in rules(case):
            while rule and rule not in found:
                rule = rule.rpartition(".")[0]
            if rule:
                found[rule].append(case.id)
    return found


def report(cases: Iterable[Case]) -> Iterator[tuple[str, str, int, str]]:
    """Yield the table: section, what it is about, how many cases, and their files."""
    titles = normative()
    for section, ids in proofs(cases).items():
        files = sorted({id.rpartition("/")[0] for id in ids})
        yield section, titles[section], len(ids), " ".join(files) or "NONE"


def unknown(cases: Iterable[Case]) -> list[str]:
    """Return the rules of hook cases that name no section of any contract."""
    known = normative().keys() | informative().keys()
    systems = {name.partition(" ")[0] for name in known}
    wrong = []
    for case in cases:
        for rule in rules(case):
            name = rule
            while name and name not in known:
                name = name.rpartition(".")[0]
            if not name and rule.partition(" ")[0] in systems:
                wrong.append(f"{case.id}: {rule}")
    return wrong
