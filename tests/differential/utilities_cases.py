"""Generated calls of utilities, read from the utilities' own tables of options."""

from __future__ import annotations

import random
import re
import shlex
from posixpath import normpath
from typing import NamedTuple

from pyshellhooks.command import Utility
from pyshellhooks.command.flags import Flag
from pyshellhooks.utilities.support.kinds import Choice, Number

from .utilities_values import (
    EXECUTABLE,
    FILES,
    LEFT_OUT,
    LISTS,
    NEEDED,
    NOT_ASKED,
    OPERANDS,
    READERS,
    VALUES,
    VALUES_OF,
    WORDS,
)


class Case(NamedTuple):
    """A call. ``stdin`` is a pipe's text, ``source`` the file that it is in place of that; ``files`` what is there before."""

    utility: str
    words: tuple[str, ...]
    stdin: str = ""
    source: str = ""
    files: tuple[str, ...] = tuple(FILES)

    def script(self) -> str:
        """Spell it for a shell."""
        line = " ".join(spelled(word) for word in (self.utility, *self.words))
        if self.utility == "yes" or (
            self.utility == "shuf" and re.search(r" -[ezi]*r| --r", line)
        ):  # which do not end by themselves
            line += " | head -n 3"
        return f"{line} < {spelled(self.source)}" if self.source else line

    def pasted(self) -> str:
        """Write it as a case of ``conformance/cases``, without answers."""
        from conformance.record import value

        files = {name: FILES[name] for name in self.files}
        row: dict[str, object] = {"id": "NAME", "script": self.script()}
        if self.stdin:
            row["stdin"] = self.stdin
        if files:
            row["files"] = files
        if EXECUTABLE.intersection(files):
            row["executable"] = sorted(EXECUTABLE.intersection(files))
        if any(ord(letter) > 127 for text in (self.stdin, *files.values()) for letter in text):
            row["encoding"] = "latin-1"
        return value(row, False) + ","


def safe(case: Case) -> bool:
    """Say whether a call names no place outside its directory: no absolute name unless it is only looked at, no way up."""
    names = {
        part for word in case.words for part in (word, word.partition("=")[2], word[2:] if word[:1] == "-" else "")
    }
    outside = any(name.startswith("/") or normpath(name).split("/")[0] == ".." for name in names)
    return case.utility not in NOT_ASKED and (case.utility in READERS or not outside)


def endless(case: Case) -> bool:
    """Say whether a call fills the disk: shuf -r with -o."""
    words = " ".join(("", *case.words))
    repeats = re.search(r" -[a-z]*r| --rep", words) and not re.search(r" -[a-z]*n| --h", words)
    return case.utility == "shuf" and bool(repeats and re.search(r" -[a-z]*o| --o", words))


def spelled(word: str) -> str:
    """Quote a word for a shell; in ``$'…'`` what can't be read otherwise."""
    if word.isprintable():
        return shlex.quote(word)
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", "'": "\\'"}
    return "$'" + "".join(named.get(c, c if c.isprintable() else f"\\x{ord(c):02x}") for c in word) + "'"


class Generator:
    """Makes calls of one utility; the same for the same seed."""

    def __init__(self, utility: Utility, seed: int) -> None:
        self.utility = utility
        self.chance = random.Random(f"{seed} {utility.name}")
        self.flags = [flag for flag in utility.listed if self.made(flag)]
        self.slots = [self.slot(text) for text in OPERANDS[utility.name].split()]

    def made(self, flag: Flag) -> bool:
        return f"{self.utility.name}.{flag.dest}" not in LEFT_OUT and flag.dest not in ("help", "version", "show_limits") and not (
            flag.short in (("V",), ("h",)) and not flag.value and not flag.long
        )  # fmt: skip

    @staticmethod
    def slot(text: str) -> tuple[str, int, int]:
        """Read a slot: its list, and how few and how many words it makes."""
        found = re.fullmatch(r"(.+?)([?*+]?)(\d*)", text)
        assert found is not None
        name, sign, most = found.groups()
        return name, 0 if sign in ("?", "*") else 1, int(most or {"?": 1, "": 1}.get(sign, 3))

    def case(self) -> Case:
        """Make a call that is safe."""
        while not safe(made := self.any_case()) or endless(made):
            pass
        return made

    def any_case(self) -> Case:
        chance = self.chance
        options = self.options()
        operands = self.operands()
        if chance.random() < 0.1:
            operands.insert(0, "--")
        words = [word for group in options for word in group]
        if options and chance.random() < 0.15:
            at = chance.randrange(len(options))
            late = options.pop(at)
            words = [*(word for group in options for word in group), *operands[:1], *late, *operands[1:]]
        else:
            words += operands
        source = stdin = ""
        if chance.random() < 0.25:
            source = self.pick(VALUES["FILE"][0], ["bin", "nonl", "e0", "crlf", "d"])
        elif chance.random() < 0.85:
            stdin = FILES[chance.choice([name for name in FILES if FILES[name] and not FILES[name].startswith("->")])]
        return Case(self.utility.name, tuple(word for word in words if "\0" not in word), stdin, source)

    def options(self) -> list[list[str]]:
        chance = self.chance
        count = chance.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 4)) if self.flags else 0
        flags = chance.choices(self.flags, k=count) if count else []
        if flags and chance.random() < 0.12:
            flags.append(chance.choice(flags))
        if (needed := NEEDED.get(self.utility.name)) and chance.random() < 0.92:
            short = chance.choice(needed)
            flags.append(next(flag for flag in self.flags if short[1:] in flag.short))
        if self.utility.name == "find":
            flags = [flag for flag in flags if flag.short]
        groups = [self.spelled(flag) for flag in flags]
        if chance.random() < 0.03:
            groups.append([chance.choice(("-%", "--nope", "--nope=1", "-é", "-1", "+1", "-9x"))])
        return self.bundled(groups)

    def bundled(self, groups: list[list[str]]) -> list[list[str]]:
        """Join short options into one word, now and then."""
        joined: list[list[str]] = []
        for group in groups:
            last = joined[-1] if joined else []
            short = group[0][:1] == "-" and group[0][1:2] != "-" and len(group[0]) > 1
            if short and len(last) == 1 and re.fullmatch(r"-\w+", last[0]) and self.chance.random() < 0.4:
                joined[-1] = [last[0] + group[0][1:], *group[1:]]
            else:
                joined.append(group)
        return joined

    def spelled(self, flag: Flag) -> list[str]:
        """Spell an option, with a value where it takes one."""
        chance = self.chance
        name = chance.choice([*flag.short, *flag.long])
        if len(name) == 1:
            if not flag.value:
                return [f"-{name}"]
            if flag.optional and chance.random() < 0.5:
                return [f"-{name}"]
            value = self.value(flag)
            return [f"-{name}{value}"] if flag.optional or (value and chance.random() < 0.5) else [f"-{name}", value]
        if len(name) > 4 and chance.random() < 0.15:
            name = name[: chance.randint(3, len(name))]
        if not flag.value:
            return [f"--{name}=x"] if chance.random() < 0.02 else [f"--{name}"]
        if flag.optional:
            return [f"--{name}"] if chance.random() < 0.4 else [f"--{name}={self.value(flag)}"]
        return [f"--{name}={self.value(flag)}"] if chance.random() < 0.6 else [f"--{name}", self.value(flag)]

    def value(self, flag: Flag) -> str:
        """Make a value by what the row says of it."""
        if (
            pools := VALUES_OF.get(f"{self.utility.name.replace('egrep', 'grep').replace('fgrep', 'grep')}.{flag.dest}")
        ) is not None:
            return self.pick(*pools)
        if isinstance(flag.kind, Choice):
            words = [word for group in flag.kind.words for word in group]
            return self.pick(words, ["", "x", *(word[:-1] for word in words)])
        if isinstance(flag.kind, Number):
            return self.pick(*VALUES["NUM"])
        return self.pick(*VALUES[WORDS.get(flag.value, "STRING")])

    def pick(self, usual: list[str], odd: list[str]) -> str:
        return self.chance.choice(usual if self.chance.random() < 0.66 or not odd else odd)

    def operands(self) -> list[str]:
        chance = self.chance
        words: list[str] = []
        for name, least, most in self.slots:
            pools = LISTS.get(name) or VALUES.get(name)
            for _ in range(chance.randint(least, most)):
                word = self.pick(*pools) if pools else name
                words += word.split(" ") if name == "COMMAND" else [word]
        if words and chance.random() < 0.06:
            words.pop(chance.randrange(len(words)))
        if chance.random() < 0.05:
            words.append(self.pick(*VALUES["FILE"]))
        return words
