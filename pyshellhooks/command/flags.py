"""Declared options, and the one parser for them (POSIX XBD 12.2, GNU getopt_long)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import UsageError
from ..text import paced


class Flag:
    """One option. ``value`` names its argument (``NUM``); ``optional`` makes the argument optional (``--color[=WHEN]``).

    The key under which ``Options`` holds it is ``dest``: the long name with ``_`` for ``-``, else the short letter.
    """

    __slots__ = ("dest", "help", "long", "optional", "short", "value")

    def __init__(self, *names: str, value: str = "", optional: bool = False, help: str = "", dest: str = "") -> None:
        self.short = tuple(n[1:] for n in names if len(n) == 2)
        self.long = tuple(n[2:] for n in names if n.startswith("--"))
        self.value = value
        self.optional = optional
        self.help = help
        self.dest = dest or (self.long[0].replace("-", "_") if self.long else self.short[0])


class Options:
    """The options of one call, in the order they were given.

    ``opts.lines`` is the last value of ``--lines`` (True for a flag without argument; None if absent),
    ``opts.all("expression")`` every value, ``opts.given`` the (dest, value) pairs in order.
    """

    __slots__ = ("_last", "given")

    def __init__(self) -> None:
        self.given: list[tuple[str, str | None]] = []
        self._last: dict[str, str | bool] = {}

    def add(self, dest: str, value: str | None) -> None:
        """Record one occurrence."""
        self.given.append((dest, value))
        self._last[dest] = True if value is None else value

    def __getattr__(self, dest: str) -> str | bool | None:
        return self._last.get(dest)

    def __contains__(self, dest: str) -> bool:
        return dest in self._last

    def value(self, dest: str, default: str = "") -> str:
        """Return the last value as text."""
        got = self._last.get(dest)
        return got if isinstance(got, str) else default

    def all(self, dest: str) -> list[str]:
        """Return every value of an option that takes one."""
        return [v for d, v in self.given if d == dest and v is not None]

    def last_of(self, *dests: str) -> str | None:
        """Say which of several options that exclude each other came last."""
        for dest, _ in reversed(self.given):
            if dest in dests:
                return dest
        return None


class Flags:
    """The options of a utility, and how they are read.

    ``permute``: options may follow operands (GNU), else the first operand ends them (POSIX; env, xargs, nice).
    ``numeric``: ``-5`` stands for this option with value 5 (head, tail, grep's context).
    """

    __slots__ = ("_long", "_short", "flags", "numeric", "permute")

    def __init__(self, flags: Sequence[Flag] = (), *, permute: bool = True, numeric: str = "") -> None:
        self.flags = tuple(flags)
        self.permute = permute
        self.numeric = numeric
        self._short = {name: flag for flag in self.flags for name in flag.short}
        self._long = {name: flag for flag in self.flags for name in flag.long}

    def __iter__(self) -> Iterator[Flag]:
        return iter(self.flags)

    def __contains__(self, long: str) -> bool:
        return long in self._long

    def parse(self, argv: Sequence[str], *, posixly_correct: bool = False) -> tuple[Options, list[str]]:
        """Split ``argv`` (without the name) into options and operands; UsageError in GNU's words."""
        options = Options()
        operands: list[str] = []
        arguments = paced(argv)
        for argument in arguments:
            if len(argument) < 2 or argument[0] != "-":
                operands.append(argument)
                if not self.permute or posixly_correct:
                    break
            elif argument == "--":
                break
            elif argument[1] == "-":
                self._parse_long(argument[2:], arguments, options)
            elif self.numeric and argument[1:].isdecimal():
                options.add(self.numeric, argument[1:])
            else:
                self._parse_short(argument[1:], arguments, options)
        operands.extend(arguments)
        return options, operands

    def _parse_short(self, cluster: str, arguments: Iterator[str], options: Options) -> None:
        at = 0
        while at < len(cluster):
            letter = cluster[at]
            at += 1
            flag = self._short.get(letter)
            if flag is None:
                raise UsageError(f"invalid option -- '{letter}'")
            if not flag.value:
                options.add(flag.dest, None)
                continue
            rest = cluster[at:]
            if rest:
                options.add(flag.dest, rest)
            elif flag.optional:
                options.add(flag.dest, None)
            else:
                value = next(arguments, None)
                if value is None:
                    raise UsageError(f"option requires an argument -- '{letter}'")
                options.add(flag.dest, value)
            return

    def _parse_long(self, text: str, arguments: Iterator[str], options: Options) -> None:
        name, equals, value = text.partition("=")
        flag = self._long.get(name)
        if flag is None:
            near = [n for n in self._long if n.startswith(name)]
            if name == "help" or (not near and name and "help".startswith(name)):
                options.add("help", None)
                return
            meant = {self._long[n].dest for n in near}
            if not near:
                raise UsageError(f"unrecognized option '--{text}'")
            if len(meant) > 1:
                choices = " ".join(f"'--{n}'" for n in near)
                raise UsageError(f"option '--{text}' is ambiguous; possibilities: {choices}")
            flag, name = self._long[near[0]], near[0]
        if not flag.value:
            if equals:
                raise UsageError(f"option '--{name}' doesn't allow an argument")
            options.add(flag.dest, None)
        elif equals:
            options.add(flag.dest, value)
        elif flag.optional:
            options.add(flag.dest, None)
        else:
            following = next(arguments, None)
            if following is None:
                raise UsageError(f"option '--{name}' requires an argument")
            options.add(flag.dest, following)
