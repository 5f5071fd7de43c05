"""Which cases use which option of which utility.

    python -m conformance.coverage [--missing | --against-help | --ids] [NAME...]

The options are those that the utilities declare. A case uses one if a command of its script, read from the script's
tree through ``env``, ``xargs``, ``sh -c`` and the like, gives it: clustered, abbreviated or long, as the utility's own
parser reads it. What is put together at run time is not seen.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from pyshellhooks.analysis.named_commands import NamedCommand, named_commands
from pyshellhooks.builtins._index import INDEX as BUILTINS
from pyshellhooks.command import Flag, Flags, Registry, Utility
from pyshellhooks.errors import ShellSyntaxError, UsageError
from pyshellhooks.utilities._index import INDEX

from . import oracles
from .case import Case, ShellCase, load

THRICE = frozenset({"grep", "sed", "awk", "find", "sort", "date"})
# Other names of a utility: its cases count for the one that it is.
SAME = {
    "egrep": "grep",
    "fgrep": "grep",
    "gawk": "awk",
    "mawk": "awk",
    "nawk": "awk",
    "[": "test",
    "xq": "yq",
    "tomlq": "yq",
}

UNFAILING = frozenset({"echo", "false", "true"})  # they have nothing to complain about


class Covered:
    """What the cases do with one utility: ids by option (in the order of the declaration), all ids, ids of errors."""

    __slots__ = ("cases", "errors", "flags", "name")

    def __init__(self, name: str, flags: Sequence[Flag]) -> None:
        self.name = name
        self.flags: dict[str, list[str]] = {spelled(flag): [] for flag in flags}
        self.cases: list[str] = []
        self.errors: list[str] = []

    @property
    def needed_cases(self) -> int:
        """How many cases each option should have."""
        return 3 if self.name in THRICE else 1

    def missing(self) -> list[tuple[str, int]]:
        """Return the options with fewer cases than wanted, and how many each has."""
        return [(flag, len(ids)) for flag, ids in self.flags.items() if len(ids) < self.needed_cases]


def spelled(flag: Flag) -> str:
    """Write the names of an option: ``-n, --lines``."""
    return ", ".join([*(f"-{name}" for name in flag.short), *(f"--{name.partition(' ')[0]}" for name in flag.long)])


class Reader:
    """Reads the options out of a command's words as the utility would, each declared option on its own."""

    __slots__ = ("_flags", "_parser", "_words")

    def __init__(self, command: Utility) -> None:
        self._flags = command.listed
        self._words = {name: flag for flag in self._flags for name in spelled(flag).split(", ")}
        self._parser: Flags | None = None
        # A word like find's -name is no option for a parser of clusters.
        if command.flags is not None and all(len(name) == 1 for flag in self._flags for name in flag.short):
            numeric = ""
            own = []
            for number, flag in enumerate(self._flags):
                if command.flags.numeric and flag.dest == command.flags.numeric:
                    numeric = str(number)
                names = [*(f"-{name}" for name in flag.short), *(f"--{name}" for name in flag.long)]
                own.append(Flag(*names, value=flag.value, optional=flag.optional, dest=str(number)))
            # A utility may read its words in its own way: the copy does too.
            self._parser = copy(command.flags)
            Flags.__init__(self._parser, own, permute=command.flags.permute, numeric=numeric)

    def read(self, words: Sequence[str | None]) -> set[str]:
        """Return the options that are used, as ``spelled`` writes them."""
        texts = ["_" if word is None else word for word in words[1:]]
        if self._parser is None:
            return set(self._by_name(texts))
        # What comes behind a mistake is not read by the utility either; what comes before it is.
        for end in range(len(texts), -1, -1):
            try:
                options, _ = self._parser.parse(texts[:end], {})
            except UsageError:
                continue
            return {name for dest, _ in options.given if (name := self._named(dest))}
        return set()

    def _named(self, dest: str) -> str:
        if dest.isdecimal():
            return spelled(self._flags[int(dest)])
        # What the utility's own reader put there.
        return next((spelled(flag) for flag in self._flags if flag.dest == dest), "")

    def _by_name(self, texts: Sequence[str]) -> Iterator[str]:
        for text in texts:
            if text in self._words:
                yield spelled(self._words[text])
            elif re.fullmatch(r"-[A-Za-z]{2,}", text) and all(f"-{letter}" in self._words for letter in text[1:]):
                yield from (spelled(self._words[f"-{letter}"]) for letter in text[1:])


def commands(script: str) -> list[NamedCommand]:
    """Return the commands of a script that its utilities run: a builtin of that name runs only by a program."""
    try:
        found = named_commands(script)
    except ShellSyntaxError:
        return []
    return [one for one in found if not one.script and (one.name not in BUILTINS or one.by not in ("", "command"))]


def complains(name: str, case: ShellCase, last: str) -> bool:
    """Say whether a case shows an error of a utility: its message, or the status of the script's last command."""
    shown = "\n".join(text for text in (case.stdout, case.stderr, case.stderr_matches) if text)
    if re.search(rf"(?m)^\W*(?:\S+: line \d+: )?{re.escape(name)}: ", shown):
        return True
    return bool(case.status) and last == name


def cover(cases: Iterable[Case], registry: Registry | None = None) -> dict[str, Covered]:
    """Return what the shell cases cover, by utility."""
    registry = registry or Registry(INDEX)
    table: dict[str, Covered] = {}
    readers: dict[str, Reader] = {}
    for name in sorted(registry.names()):
        if SAME.get(name, name) == name:
            command = registry.get(name)
            assert command is not None
            table[name] = Covered(name, command.listed)
            readers[name] = Reader(command)
    for case in cases:
        if isinstance(case, ShellCase):
            _of_case(case, table, readers)
    return table


def _of_case(case: ShellCase, table: dict[str, Covered], readers: dict[str, Reader]) -> None:
    found = commands(case.script)
    used: dict[str, set[str]] = {}
    for one in found:
        name = SAME.get(one.name, one.name)
        if name in table:
            used.setdefault(name, set()).update(readers[name].read(one.words))
    for name, flags in used.items():
        covered = table[name]
        covered.cases.append(case.id)
        for flag in flags:
            covered.flags[flag].append(case.id)
        if complains(name, case, found[-1].name):
            covered.errors.append(case.id)


def report(table: Iterable[Covered], ids: bool = False) -> str:
    """Write the table: a utility, then its options with the number of their cases."""
    lines = []
    for covered in table:
        lines.append(f"{covered.name}: {len(covered.cases)} cases, {len(covered.errors)} show an error")
        for flag, names in covered.flags.items():
            lines.append(f"  {flag:44} {len(names):4}" + (f"  {' '.join(names)}" if ids else ""))
    return "\n".join(lines)


def shortfall(table: Iterable[Covered]) -> list[str]:
    """List what lacks cases: options, and utilities without a case of an error."""
    lines = []
    for covered in table:
        lines += [f"{covered.name} {flag}: {count} of {covered.needed_cases}" for flag, count in covered.missing()]
        if not covered.cases:
            lines.append(f"{covered.name}: no case")
        elif covered.name not in UNFAILING and not covered.errors:
            lines.append(f"{covered.name}: no case shows an error")
    return lines


def summary(table: Iterable[Covered]) -> str:
    """Say it in one line."""
    table = list(table)
    flags = sum(len(covered.flags) for covered in table)
    none = sum(not ids for covered in table for ids in covered.flags.values())
    few = sum(len(covered.missing()) for covered in table) - none
    return (
        f"{len(table)} utilities, {flags} options: {flags - none} with a case, {none} without one, {few} of "
        f"{', '.join(sorted(THRICE))} with fewer than three; {sum(not covered.cases for covered in table)} utilities without a case"
    )


def options_of_help(text: str) -> set[str]:
    """Return the options that a GNU help text lists at the start of its lines."""
    found: set[str] = set()
    for line in text.splitlines():
        if re.match(r" {0,8}-", line):
            head = re.split(r" {2,}", line.strip())[0]
            found.update(re.findall(r"(?<![\w-])(--[a-zA-Z][\w-]*|-[A-Za-z0-9](?![A-Za-z]))", head))
            # "  -n, --line  text" and "      --line" both; the text itself is not looked at.
    return found - {"--help", "--version"}


def lacking(command: Utility) -> list[str] | None:
    """Return the options that the real tool's ``--help`` lists and ours lacks; None without that tool, or with another version."""
    path = oracles.find(command.name)
    if path is None or oracles.lacking(command.name):
        return None
    said = subprocess.run([path, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    ours = {name for flag in command.listed for name in spelled(flag).split(", ")}
    return sorted(options_of_help(said.stdout) - ours)


def _against_help(names: Sequence[str]) -> int:
    registry = Registry(INDEX)
    for name in names:
        command = registry.get(name)
        assert command is not None
        found = lacking(command)
        if found is None:
            print(f"{name}: {oracles.lacking(name)}")
        elif found:
            print(f"{name}: {' '.join(found)}")
    return 0


def main(argv: list[str] | None = None) -> int:
    """Run the command line above; 1 if ``--missing`` finds something."""
    parser = argparse.ArgumentParser(prog="python -m conformance.coverage", description=__doc__)
    parser.add_argument("--missing", action="store_true", help="list only what lacks cases; status 1 if there is any")
    parser.add_argument("--ids", action="store_true", help="name the cases of each option")
    parser.add_argument(
        "--against-help", action="store_true", help="list what the real tools' --help has and ours lacks"
    )
    parser.add_argument("name", nargs="*", help="only these utilities")
    options = parser.parse_args(argv)
    wrong = [name for name in options.name if name not in INDEX or name in SAME]
    if wrong:
        parser.error(f"no such utility: {', '.join(wrong)}")
    if options.against_help:
        return _against_help(options.name or sorted(set(INDEX) - set(SAME)))
    table = cover(load())
    chosen = [covered for name, covered in table.items() if not options.name or name in options.name]
    short = shortfall(chosen)
    print("\n".join(short) if options.missing else report(chosen, options.ids))
    print(summary(chosen))
    return int(options.missing and bool(short))


if __name__ == "__main__":
    sys.exit(main())
