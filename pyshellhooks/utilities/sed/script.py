"""The data structures of a parsed sed script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...patterns.engines import Regex
from ...patterns.lines import LineFinder

if TYPE_CHECKING:
    from .arrangement import Arrangement
    from .bulk import Plan


class Address:
    """An address.

    ``kind``: ``number``, ``step`` (first~step), ``last`` ($), ``regex``, ``plus`` (,+N) or ``multiple`` (,~N).
    """

    __slots__ = ("finder", "flags", "kind", "number", "regex", "shown", "step")

    def __init__(self, kind: str, number: int = 0, step: int = 0, regex: Regex | None = None) -> None:
        self.kind = kind
        self.number = number
        self.step = step
        self.regex = regex  # None for the empty regex, which means the last one used
        self.shown = ""  # the expression as written, and its flags
        self.flags = ""
        self.finder: LineFinder | None = None  # of the lines it matches, created when first used


class Replacement:
    """The right side of ``s``: literal bytes, group numbers, and case operators (``\\U \\L \\E \\u \\l``) as str."""

    __slots__ = ("highest", "literal", "parts")

    def __init__(self, parts: list[bytes | int | str]) -> None:
        self.parts = parts
        self.highest = max((part for part in parts if isinstance(part, int)), default=0)
        self.literal: bytes | None = None  # the whole replacement, if it is the same for every match
        if all(isinstance(part, bytes) for part in parts):
            self.literal = b"".join(part for part in parts if isinstance(part, bytes))


class Substitution:
    """The arguments of an ``s`` command."""

    __slots__ = (
        "evaluate",
        "every",
        "flags",
        "number",
        "numbered",
        "printed",
        "regex",
        "replacement",
        "shown",
        "target",
    )

    def __init__(self, regex: Regex | None, replacement: Replacement) -> None:
        self.regex = regex
        self.replacement = replacement
        self.every = False
        self.number = 1
        self.printed = False
        self.evaluate = False
        self.target: str | None = None  # the file of the w flag
        self.numbered = False
        self.shown = ""  # the expression as written, and its flags
        self.flags = ""


class Command:
    """One command. ``index`` is its position in the program, ``jump`` the target of ``{``, ``b``, ``t`` and ``T``."""

    __slots__ = (
        "first",
        "index",
        "jump",
        "label",
        "listed",
        "name",
        "negated",
        "number",
        "second",
        "sides",
        "substitution",
        "table",
        "text",
    )

    def __init__(self, name: str, first: Address | None, second: Address | None, negated: bool) -> None:
        self.name = name
        self.first = first
        self.listed = first  # as written; the parser changes ``first`` for 0r
        self.second = second
        self.negated = negated
        self.index = 0
        self.jump = 0
        self.number = -1  # q Q l L
        self.label = ""  # b t T, and the file name of r R w W
        self.text: bytes | None = b""  # a i c e
        self.substitution: Substitution | None = None
        self.table: dict[str, str] | None = None  # y
        self.sides: tuple[list[str], list[str]] = ([], [])  # and its two sides as written


class Program:
    """A parsed script: a list of commands, with blocks and labels resolved to positions. It has no state of a run.

    ``plans`` caches the bulk plans, with ``-n`` and without (bulk.py); ``arrangements`` caches those of scripts that
    write every few lines in the same order (arrangement.py).
    """

    __slots__ = ("arrangements", "commands", "files", "plans", "quiet")

    def __init__(self, commands: list[Command], quiet: bool) -> None:
        self.commands = commands
        self.quiet = quiet  # the script begins with #n
        self.plans: dict[bool, Plan | None] = {}
        self.arrangements: dict[bool, Arrangement | None] = {}
        self.files: list[str] = []  # the files of w
        for command in commands:
            if command.name in "wW":
                self.files.append(command.label)
            elif command.substitution is not None and command.substitution.target is not None:
                self.files.append(command.substitution.target)
