"""Compare each utility with the real one on generated calls: ``python -m tests.differential.utilities_generator --seconds 60``.

A call is options from the utility's own table (short, bundled, long, abbreviated, repeated, behind operands), values of
their kinds, usual ones and odd, and operands. Both programs run it in a fresh directory with the same files; status, stdout,
stderr and the files afterwards are compared. What differs is made smaller and printed once for each form, as a case that can be
pasted into ``conformance/cases/utilities``. ``utilities_explained.toml`` has the differences that are meant, with reasons.
At the end, a line for each utility: calls, differences, explained ones, and those that the real one could not say.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.oracles import lacking
from pyshellhooks.command import Registry, Utility
from pyshellhooks.utilities._index import INDEX

from .utilities_cases import Case, Generator
from .utilities_runs import PATH, Answer, Place
from .utilities_values import NOT_ASKED

EXPLAINED = Path(__file__).with_name("utilities_explained.toml")
TRIES = 60  # calls of each that making a difference smaller may take


class Explained(NamedTuple):
    """A difference that is meant. ``differs`` are the parts that it may show in; the patterns are searched for in the call and in what was said."""

    id: str
    reason: str
    utilities: frozenset[str]
    pattern: re.Pattern[str]
    differs: frozenset[str]
    messages: re.Pattern[str] | None
    case: Case | None

    def explains(self, found: Difference) -> bool:
        """Say whether it explains a difference."""
        return (
            (not self.utilities or found.case.utility in self.utilities)
            and self.differs.issuperset(found.kinds)
            and self.pattern.search(found.case.script()) is not None
            and (self.messages is None or self.messages.search(found.all_output()) is not None)
        )


class Difference(NamedTuple):
    """A call that differs, and in what: of ``ended status stdout stderr files``."""

    case: Case
    kinds: tuple[str, ...]
    real: Answer
    own: Answer

    def all_output(self) -> str:
        """Return all that both wrote."""
        texts = (self.real.stderr, self.own.stderr, self.real.stdout, self.own.stdout)
        return b"\n".join(texts).decode("utf-8", "surrogateescape")

    def form(self) -> str:
        """Say what kind of difference it is: the utility, its options, what differs, and the message without values."""
        options = sorted(
            {re.split(r"[=\d]", word)[0] for word in self.case.words if word.startswith("-") and word != "-"}
        )
        words = re.sub(r"['‘\"].*?['’\"]|\d+", "", self.real.stderr.decode("utf-8", "replace"))[:50]
        named = "" if self.kinds == ("stderr",) else " ".join(options)
        return f"{self.case.utility} {named}|{' '.join(self.kinds)}|{words}"

    def shown(self) -> str:
        """Write it down: the case, and the two answers."""
        lines = [f"# {' '.join(self.kinds)}: {self.case.script()}", self.case.pasted()]
        for name, answer in (("real", self.real), ("ours", self.own)):
            parts = [f"{answer.status}" if answer.ended == "exited" else answer.ended]
            parts += [
                f"{part} {value[:300]!r}" for part, value in (("out", answer.stdout), ("err", answer.stderr)) if value
            ]
            parts += [f"files {answer.tree!r:.400}"] if "files" in self.kinds else []
            lines.append(f"#   {name}: {'  '.join(parts)}")
        return "\n".join(lines)


def load_explained(path: Path = EXPLAINED) -> list[Explained]:
    """Read the table."""
    return [
        Explained(
            entry["id"],
            entry["reason"],
            frozenset(entry.get("utilities", "").split()),
            re.compile(entry.get("pattern", ""), re.DOTALL),
            frozenset(entry["differs"].split()),
            re.compile(entry["messages"], re.DOTALL) if "messages" in entry else None,
            Case(entry["words"][0], tuple(entry["words"][1:]), entry.get("stdin", ""), entry.get("source", ""))
            if "words" in entry
            else None,
        )
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["explained"]
    ]


def compare(place: Place, case: Case) -> Difference | str | None:
    """Run both. None if they agree, a text where that can't be said."""
    real = place.real(case)
    if real is None:
        return "the real one takes too much"
    own = place.ours(case)
    if own.ended.startswith("stopped") and "limit" in own.ended:
        return "a limit of ours"
    values = (
        ("ended", own.ended, real.ended),
        ("status", own.status, real.status),
        ("stdout", own.stdout, real.stdout),
        ("stderr", own.stderr, real.stderr),
        ("files", own.tree, real.tree),
    )
    kinds = tuple(name for name, mine, theirs in values if mine != theirs)
    return Difference(case, kinds, real, own) if kinds else None


def smaller(case: Case) -> Iterator[Case]:
    """Yield calls with one thing less."""
    for at in range(len(case.words)):
        yield case._replace(words=case.words[:at] + case.words[at + 1 :])
    if case.source:
        yield case._replace(source="")
    if case.stdin:
        yield case._replace(stdin="")
        lines = case.stdin.splitlines(keepends=True)
        for at in range(len(lines)):
            if len(lines) > 1:
                yield case._replace(stdin="".join(lines[:at] + lines[at + 1 :]))
    named = tuple(name for name in case.files if name in case.script())
    if named != case.files:
        yield case._replace(files=named)
    for at in range(len(case.files)):
        yield case._replace(files=case.files[:at] + case.files[at + 1 :])


def shrink(place: Place, found: Difference) -> Difference:
    """Make the call smaller as long as it differs in the same."""
    best, left, again = found, TRIES, True
    while again and left > 0:
        again = False
        for case in smaller(best.case):
            left -= 1
            other = compare(place, case)
            if (
                isinstance(other, Difference)
                and other.kinds == found.kinds
                and (other.real.status == 0) == (found.real.status == 0)
            ):
                best, again = other, True
                break
            if left <= 0:
                break
    return best


class Tally:
    """What has been seen of one utility."""

    def __init__(self) -> None:
        self.runs = self.differing = self.explained = self.unsaid = 0

    def row(self, name: str) -> str:
        return f"{name:12}{self.runs:8}{self.differing:8}{self.explained:10}{self.unsaid:8}"


class Search:
    """Generated calls of several utilities, in turn."""

    def __init__(self, place: Place, seed: int, names: Sequence[str], known: list[Explained]) -> None:
        registry = Registry(INDEX)
        found: list[Utility] = [utility for name in names if (utility := registry.get(name)) is not None]
        self.place = place
        self.generators = [Generator(utility, seed) for utility in found]
        self.known = known
        self.tallies = {utility.name: Tally() for utility in found}
        self.forms: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.differences: list[Difference] = []

    def turn(self, show: bool = False) -> None:
        """Compare one call of each utility."""
        for generator in self.generators:
            if (found := self.judge(generator.case())) is None:
                continue
            self.forms[found.form()] += 1
            if self.forms[found.form()] == 1:
                self.differences.append(found)
                if show:
                    print(found.shown(), flush=True)

    def judge(self, case: Case) -> Difference | None:
        """Compare one call; what nothing explains is given, made small."""
        tally = self.tallies[case.utility]
        tally.runs += 1
        found = compare(self.place, case)
        if found is None:
            return None
        if isinstance(found, str):
            tally.unsaid += 1
            return None
        if not self.explained(found):
            found = shrink(self.place, found)
            if not self.explained(found):
                tally.differing += 1
                return found
        tally.explained += 1
        return None

    def explained(self, found: Difference) -> bool:
        reason = next((entry.id for entry in self.known if entry.explains(found)), "")
        if reason:
            self.reasons[reason] += 1
        return bool(reason)

    def summary(self) -> str:
        """Write the table."""
        total = Tally()
        for tally in self.tallies.values():
            total.runs += tally.runs
            total.differing += tally.differing
            total.explained += tally.explained
            total.unsaid += tally.unsaid
        rows = [tally.row(name) for name, tally in self.tallies.items()]
        head = f"{'utility':12}{'runs':>8}{'differ':>8}{'explained':>10}{'unsaid':>8}"
        reasons = [f"{count:8} {reason}" for reason, count in self.reasons.most_common()]
        return "\n".join([head, *rows, total.row("all"), *reasons])


ASKED = [name for name in INDEX if name not in NOT_ASKED]


def utilities() -> list[str]:
    """Name the utilities that the machine has too, in the version that our cases cite."""
    return [name for name in ASKED if not lacking(name, PATH)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.utilities_generator", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--turns", type=int, default=10**9, help="stop after so many calls of each utility")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--utility", action="append", help="only this one; may be given again")
    parser.add_argument("--all", action="store_true", help="print what is explained too")
    options = parser.parse_args(argv)
    for name in options.utility or ():
        if name not in utilities():
            parser.error(f"{name} is no utility that the machine has too: {' '.join(utilities())}")
    with Place() as place:
        search = Search(place, options.seed, options.utility or utilities(), [] if options.all else load_explained())
        until = time.monotonic() + options.seconds
        turns = 0
        try:
            while time.monotonic() < until and turns < options.turns:
                search.turn(show=True)
                turns += 1
        except KeyboardInterrupt:
            pass
    print(search.summary())
    return 1 if search.forms else 0


if __name__ == "__main__":
    sys.exit(main())
