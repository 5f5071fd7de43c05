"""The table of stalls: every builtin, expansion, operator and utility on what has no end or has megabytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from stall_scripts import ARITHMETIC, BUILTINS, PARAMETERS, PATTERNS, REDIRECTIONS, WORDS
from stall_utilities import UTILITIES

# Its value doubles at each of 40 levels.
BOMB = "m=0; n='m<40?(m+=1,n,n,m-=1):0'; "
MANY = 100_000


def sized() -> dict[str, str]:
    """Return variables of the environment, and files of ``$IN`` by the same names in lower case: 30 MB."""
    return {
        "LONG": "a" * 10_000_000,
        "DIGITS": "1" * 1_000_000,
        "CONTROL": "\x01" * 5_000_000,
        "ODD": "é" * 3_000_000,
        "FIELDS": "a " * 1_000_000,
        "LINES": "".join(f"{number}\n" for number in range(1_000_000)),
        "OPEN": "(" * 300_000,
        "STARS": "*a" * 100_000,
        "QUOTES": "\\'\"`" * 500_000,
    }


WORDS_OF = ('"$LONG"', '"$DIGITS"', '"$CONTROL"', '"$OPEN"', "$FIELDS")
VALUES_OF = ("LONG", "DIGITS", "CONTROL", "ODD", "FIELDS", "LINES", "STARS", "QUOTES")
FILES = tuple(f"$IN/{name}" for name in ("long", "digits", "control", "fields", "lines", "quotes"))
ENDLESS = ("/dev/zero", "/dev/urandom", "<(yes abc)")
FIFO = "$IN/fifo"


_REPEATED = re.compile(r"""printf (?:-- )?'((?:[^'%]|%d)*)(?:%\.0s)?' \{1\.\.(\d+)\}""")


def ready(script: str) -> tuple[str, dict[str, str]]:
    """Take out of a script's time what its printf repeats: else the deadline comes before what the row is about.

    Returns the script with variables in the place of that, and their values.
    """
    values: dict[str, str] = {}

    def take(found: re.Match[str]) -> str:
        name = f"READY{len(values)}"
        each = found[1].encode("ascii").decode("unicode_escape")
        numbers = range(1, int(found[2]) + 1)
        values[name] = "".join([each.replace("%d", str(number)) for number in numbers])
        return f'echo -n "${{{name}}}"'

    script = _REPEATED.sub(take, script)
    return re.sub(r'\$\(echo -n "(\$\{READY\d+\})"\)', r"\1", script), values


class Cell:
    """One script. ``subject``: whose row it is. ``host``: on the disk and not in memory."""

    __slots__ = ("host", "script", "subject")

    def __init__(self, subject: str, script: str, host: bool) -> None:
        self.subject = subject
        self.script = script
        self.host = host

    @property
    def name(self) -> str:
        return f"{'host' if self.host else 'memory'} {self.subject}: {self.script}"


def _filled(subject: str, row: str, placed: str) -> Iterator[Cell]:
    """Yield a row's cells: with each word and each input that it has a place for."""
    script = row.replace("{u}", placed)
    if "{n}" in script:
        script = BOMB + script.replace("{n}", "n")
    words = WORDS_OF if "{w}" in script else ("",)
    inputs = (*FILES, *ENDLESS) if "{i}" in script else ("",)
    for at, (given, word) in enumerate(product(inputs, words)):
        if given and word and at % 7:
            continue  # both at once: some of them
        filled = script.replace("{i}", given).replace("{w}", word)
        yield Cell(subject, filled, False)
        # What the two file systems differ in is what their streams do.
        if given in ENDLESS:
            yield Cell(subject, filled, True)
    if "{i}" in script:
        yield Cell(subject, script.replace("{i}", FIFO).replace("{w}", "x"), True)


def cells() -> list[Cell]:
    """Return the whole table."""
    found = [cell for name, rows in UTILITIES.items() for row in rows for cell in _filled(name, row, name)]
    found += [cell for name, rows in BUILTINS.items() for row in rows for cell in _filled(name, row, name)]
    for subject, rows in (("arithmetic", ARITHMETIC), ("word", WORDS), ("redirection", REDIRECTIONS)):
        for row in rows:
            values = [f"x=${value}; " for value in VALUES_OF[:3]] if "$x" in row and "x=" not in row else [""]
            found += [cell for value in values for cell in _filled(subject, value + row, "")]
    for subject, rows in (("parameter", PARAMETERS), ("pattern", PATTERNS)):
        for row in rows:
            values = VALUES_OF if "x" in row else ("LONG",)
            found += [Cell(subject, f"x=${value}; {row}", False) for value in values]
    return list({cell.name: cell for cell in found}.values())
