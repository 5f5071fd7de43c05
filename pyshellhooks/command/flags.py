"""Declared options and their parser (POSIX XBD 12.2, GNU getopt_long)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from ..errors import UsageError
from ..text import decode, encode, paced

T = TypeVar("T")
_DIGITS = "0123456789"


class RawArgument:
    """A value as given, for the kind that parses it.

    ``option`` is the option as spelled (``-n``, ``--lines``; "" for an operand), ``before`` the options before it.
    """

    __slots__ = ("before", "env", "flag", "option", "text")

    def __init__(
        self,
        text: str,
        env: Mapping[str, str],
        *,
        option: str = "",
        flag: Flag | None = None,
        before: Options | None = None,
    ) -> None:
        self.text = text
        self.env = env
        self.option = option
        self.flag = flag
        self.before = before if before is not None else Options()


# Parses a value or raises UsageError. A returned text replaces the given one.
Kind = Callable[[RawArgument], object]


class Flag:
    """One option. ``value`` names its argument (``NUM``); ``optional``: it may be omitted (``--color[=WHEN]``).

    ``kind`` parses the argument at once, so that the first wrong word of a call is reported, as by GNU's programs;
    ``utilities/support/kinds.py`` contains the shared kinds.
    The key of the option in ``Options`` is ``dest``: the long name with ``_`` for ``-``, else the short letter.
    """

    __slots__ = ("dest", "help", "kind", "long", "optional", "short", "value")

    def __init__(
        self,
        *names: str,
        value: str = "",
        optional: bool = False,
        kind: Kind | None = None,
        help: str = "",
        dest: str = "",
    ) -> None:
        self.short = tuple(n[1:] for n in names if len(n) == 2)
        self.long = tuple(n[2:] for n in names if n.startswith("--"))
        self.value = value
        self.optional = optional
        self.kind = kind
        self.help = help
        self.dest = dest or (self.long[0].replace("-", "_") if self.long else self.short[0])


class Options:
    """The options of one call, in the given order.

    ``opts.archive`` is True if the option was given. ``opts.value("format")`` is its last value as text,
    ``opts.integer("lines", 10)`` as a number. ``opts.all("expression")`` are all values, ``opts.given`` the (dest,
    value) pairs in order.
    """

    __slots__ = ("_last", "_read", "given")

    def __init__(self) -> None:
        self.given: list[tuple[str, str | None]] = []
        self._last: dict[str, str | None] = {}
        self._read: dict[str, list[object]] = {}

    def add(self, dest: str, value: str | None, read: object = None) -> None:
        """Record one occurrence; ``read`` is the value as its kind parsed it."""
        self.given.append((dest, value))
        self._last[dest] = value
        if read is not None:
            self._read.setdefault(dest, []).append(read)

    def __getattr__(self, dest: str) -> bool:
        return dest in self._last

    def __contains__(self, dest: str) -> bool:
        return dest in self._last

    def value(self, dest: str, default: str = "") -> str:
        """Return the last value as text."""
        got = self._last.get(dest)
        return default if got is None else got

    def all(self, dest: str) -> list[str]:
        """Return all values of an option."""
        return [v for d, v in self.given if d == dest and v is not None]

    def integer(self, dest: str, default: int) -> int:
        """Return the last value of a numeric option, or the default if the option has no value."""
        return self.read(dest, int)[-1] if self._last.get(dest) is not None else default

    def read(self, dest: str, kind: type[T]) -> list[T]:
        """Return all values of an option as its kind parsed them. Raise TypeError if one is not a ``kind``."""
        fields = []
        for value in self._read.get(dest, ()):
            if not isinstance(value, kind):
                raise TypeError(f"the option {dest} is not read as {kind.__name__}")
            fields.append(value)
        return fields

    def last_of(self, *dests: str) -> str | None:
        """Return the last given of several options that exclude each other."""
        for dest, _ in reversed(self.given):
            if dest in dests:
                return dest
        return None


def _leading_digits(text: str) -> str:
    return text[: len(text) - len(text.lstrip(_DIGITS))]


class _UnknownError(UsageError):
    """An unknown or ambiguous option."""


class Flags:
    """The options of a utility and the way they are parsed.

    ``permute``: options may follow operands (GNU), else the first operand ends them (POSIX; env, xargs, nice).
    ``numeric``: ``-5`` means this option with value 5, also among other letters (``grep -n2``).
    ``programs``: after one of these, an unknown option ends the options and is the first operand (gawk).
    ``implied`` are the long options without a row: ``--help``, and ``--version`` if the utility has a ``version``.
    """

    __slots__ = ("_long", "_short", "flags", "implied", "numeric", "permute", "programs")

    def __init__(
        self, flags: Sequence[Flag] = (), *, permute: bool = True, numeric: str = "", programs: Sequence[str] = ()
    ) -> None:
        self.flags = tuple(flags)
        self.permute = permute
        self.numeric = numeric
        self.programs = programs
        self._short = {name: flag for flag in self.flags for name in flag.short}
        self._long = {name: flag for flag in self.flags for name in flag.long}
        self.implied: tuple[str, ...] = ("help",)

    def __iter__(self) -> Iterator[Flag]:
        return iter(self.flags)

    def __contains__(self, long: str) -> bool:
        return long in self._long

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        """Split ``argv`` (without the name) into options and operands.

        Raise ``UsageError`` with GNU's message for the first wrong word.

        ``env`` is the call's: its locale determines the quotes of messages, and with ``POSIXLY_CORRECT`` the first
        operand ends the options.
        """
        options = Options()
        operands: list[str] = []
        arguments = paced(argv)
        for argument in arguments:
            if len(argument) < 2 or argument[0] != "-":
                operands.append(argument)
                if not self.permute or "POSIXLY_CORRECT" in env:
                    break
            elif argument == "--":
                break
            elif not self._parse_word(argument, arguments, options, env):
                operands.append(argument)
                break
            elif argument[1] == "-" and self.implied_option(options):
                break  # help is printed, whatever follows
        operands.extend(arguments)
        return options, operands

    def _parse_word(self, word: str, arguments: Iterator[str], options: Options, env: Mapping[str, str]) -> bool:
        """Parse a word of options. Return False if it has an unknown option that ends the options."""
        try:
            if word[1] == "-":
                self._parse_long(word[2:], arguments, options, env)
            else:
                self._parse_short(word[1:], arguments, options, env)
        except _UnknownError:
            if any(name in options for name in self.programs):
                return False
            raise
        return True

    def implied_option(self, options: Options) -> str:
        """Return the name of the implied option that was given, or ""."""
        return next((name for name in self.implied if name in options and name not in self._long), "")

    def take(self, options: Options, flag: Flag, value: str, option: str, env: Mapping[str, str]) -> None:
        """Record a value after its kind has parsed it."""
        if flag.kind is None:
            options.add(flag.dest, value)
            return
        read = flag.kind(RawArgument(value, env, option=option, flag=flag, before=options))
        if isinstance(read, str):
            options.add(flag.dest, read)
        else:
            options.add(flag.dest, value, read)

    def _take_number(self, options: Options, digits: str, env: Mapping[str, str]) -> None:
        flag = next((flag for flag in self.flags if flag.dest == self.numeric), Flag(dest=self.numeric))
        self.take(options, flag, digits, f"-{digits[0]}", env)

    def _parse_short(self, cluster: str, arguments: Iterator[str], options: Options, env: Mapping[str, str]) -> None:
        at = 0
        while at < len(cluster):
            letter = cluster[at]
            at += 1
            if self.numeric and letter in _DIGITS:
                digits = letter + _leading_digits(cluster[at:])
                at += len(digits) - 1
                self._take_number(options, digits, env)
                continue
            flag = self._short.get(letter)
            if flag is None:
                byte = decode(encode(letter)[:1])  # getopt works on bytes
                raise _UnknownError(f"invalid option -- '{byte}'")
            if not flag.value:
                options.add(flag.dest, None)
                continue
            value: str | None = cluster[at:]
            if not value:
                # An optional value must be in the same word: -b may be followed by an operand.
                value = None if flag.optional else next(arguments, None)
            if value is not None:
                self.take(options, flag, value, f"-{letter}", env)
            elif flag.optional:
                options.add(flag.dest, None)
            else:
                raise UsageError(f"option requires an argument -- '{letter}'")
            return

    def _parse_long(self, text: str, arguments: Iterator[str], options: Options, env: Mapping[str, str]) -> None:
        name, equals, value = text.partition("=")
        if name not in self._long:
            name = self._meant(name, text)
        flag = self._long.get(name)
        if equals and (flag is None or not flag.value):
            raise UsageError(f"option '--{name}' doesn't allow an argument")
        if flag is None:  # --help or --version
            options.add(name, None)
            return
        if not flag.value:
            options.add(flag.dest, None)
            return
        following: str | None = value
        if not equals:
            following = None if flag.optional else next(arguments, None)
        if following is not None:
            self.take(options, flag, following, f"--{name}", env)
        elif flag.optional:
            options.add(flag.dest, None)
        else:
            raise UsageError(f"option '--{name}' requires an argument")

    def _meant(self, start: str, text: str) -> str:
        """Return the long name that ``start`` abbreviates; it may be an implied one."""
        if start in self.implied:
            return start
        near = [name for name in (*self._long, *self.implied) if name.startswith(start)]
        if not near:
            raise _UnknownError(f"unrecognized option '--{text}'")
        # Synonyms of one option are not ambiguous.
        meanings = {self._long[name].dest if name in self._long else name for name in near}
        if len(meanings) > 1:
            choices = " ".join(f"'--{name}'" for name in dict.fromkeys(near))
            raise _UnknownError(f"option '--{text}' is ambiguous; possibilities: {choices}")
        return near[0]
