"""Run generated scripts on us and on a real shell, cut down what differs, and name its cause.

A cause that we know has an entry in ``known_differences.toml``: a pattern that the cut-down script matches, a reason, and
a script that shows it and must still differ. All else is unexplained.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from .generated_commands import Generator
from .mutated_scripts import case_scripts, harmless, mutated
from .real_and_ours import PHASES, Comparison, Place

KNOWN = Path(__file__).with_name("known_differences.toml")


class Known(NamedTuple):
    """A difference that is explained. ``differs`` are the kinds that it may show in; ``pattern`` is searched for."""

    id: str
    reason: str
    shell: str
    script: str
    pattern: re.Pattern[str]
    differs: frozenset[str]
    messages: re.Pattern[str] | None
    sometimes: bool

    def explains(self, script: str, kinds: str, said: str) -> bool:
        """Say whether it explains what a cut-down script shows; ``said`` is what both shells wrote."""
        return (
            self.differs.issuperset(kinds.split())
            and self.pattern.search(script) is not None
            and (self.messages is None or self.messages.search(said) is not None)
        )


class Difference(NamedTuple):
    """A script that differs: what it was, what is left of it, in what it differs, and the cause if we know it."""

    script: str
    smallest: str
    kinds: str
    cause: str


def load_known(path: Path = KNOWN) -> list[Known]:
    """Read the table."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["difference"]
    return [
        Known(
            entry["id"],
            entry["reason"],
            entry.get("shell", "bash"),
            entry["script"],
            re.compile(entry.get("pattern", ""), re.DOTALL),
            frozenset(entry["differs"].split()),
            re.compile(entry["messages"], re.DOTALL) if "messages" in entry else None,
            entry.get("sometimes", False),
        )
        for entry in entries
    ]


def scripts(seed: int, count: int, bash: bool = True) -> Iterator[str]:
    """Yield scripts to run: three of four as generated, one damaged (a generated one or a case's) that is harmless."""
    random = Random(f"differential {seed} {bash}")
    cases = [text for text in case_scripts() if harmless(text)] if bash else []
    for number in range(count):
        if number % 4:
            yield Generator(random, bash).script()
            continue
        while True:
            plain = random.choice(cases) if cases and random.random() < 0.5 else Generator(random, bash, False).script()
            if harmless(text := mutated(plain, random)):
                yield text
                break


class Judge:
    """Compares scripts in one directory with bash, or with dash and, where that differs, with bash too."""

    def __init__(self, place: Place, program: str, known: list[Known]) -> None:
        self.place = place
        self.compare = Comparison(place, program)
        self.bash = Comparison(place, "bash")
        self.known = known

    def __call__(self, script: str) -> Difference | None:
        """Judge one script."""
        kinds = self.compare(script)
        if not kinds:
            return None
        if self.compare.program != "bash":
            kinds = self.bash(script)
            if not kinds:
                return Difference(script, script, kinds, "bash-and-dash-differ")
        # What differs from dash and from bash is cut down, and explained, by its difference from bash.
        smallest = script
        for phases in (PHASES[:2], PHASES[2:]):
            smallest = self.bash.smallest(smallest, kinds, phases)
            if cause := self.cause(smallest, kinds):
                break
        return Difference(script, smallest, kinds, cause)

    def cause(self, script: str, kinds: str) -> str:
        """Name the entry that explains a difference; empty if none does."""
        if not self.known:
            return ""
        answers = [shell(script) for shell in (self.place.ours, self.place.real)]
        said = b"\n".join(text for answer in answers for text in (answer.stderr, answer.stdout))
        text = said.decode("utf-8", "surrogateescape")
        return next((entry.id for entry in self.known if entry.explains(script, kinds, text)), "")
