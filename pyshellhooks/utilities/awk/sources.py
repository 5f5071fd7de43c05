"""The source texts of a program: ``-f -e -E -i``, and the files that they include (gawk manual 2.2, 2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import normpath

from ...command import Call, Flags, Options, reason
from ...errors import UsageError
from ...regexes import lazy_pattern
from ...text import decode
from .values import AwkError

_INCLUDE = lazy_pattern(r'(?m)^[ \t]*@include[ \t]+"([^"\n]*)"[ \t\r]*(?:;|(?=#)|$)')
_COMMAND_LINE = "cmd. line"


class AwkFlags(Flags):
    """Flags in which ``-E`` ends the options: the words after its file are operands (gawk manual 2.2)."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        for at, word in enumerate(argv):
            if word.startswith("-") and ("E" in word or word.startswith("--e")):
                for end in (at + 1, at + 2):
                    try:
                        options, operands = super().parse(argv[:end], env)
                    except UsageError:
                        continue
                    if operands:
                        return super().parse(argv, env)
                    if options.given[-1:] and options.given[-1][0] == "exec":
                        return options, list(argv[end:])
        return super().parse(argv, env)


class Sources:
    """The fragments of a program: texts with their names in messages."""

    __slots__ = ("_call", "_included", "_programs", "fragments", "in_place")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._included: set[str] = set()
        self._programs: set[str] = set()
        self.fragments: list[tuple[str, str]] = []
        self.in_place = False  # gawk's extension "inplace" is included

    def add(self, text: str, name: str = _COMMAND_LINE) -> None:
        """Add a text; each file that it includes is added in the place of its ``@include``."""
        at = lines = 0
        for match in _INCLUDE.finditer(text):
            # Newlines in front of the text keep the line numbers of messages right.
            self.fragments.append(("\n" * lines + text[at : match.start()], name))
            lines = text.count("\n", 0, match.start())
            if match[1]:
                self.add_file(match[1], include=True, place=(name, lines + 1))
            at = match.end()
        self.fragments.append(("\n" * lines + text[at:], name))

    def add_file(self, name: str, *, include: bool = False, place: tuple[str, int] | None = None) -> None:
        """Add a file; an included file is added only once. ``place``: name and line of the ``@include``."""
        path, text = self._read(name, f"{place[0]}:{place[1]}" if place else "")
        own, others = self._programs, self._included
        if include:
            own, others = others, own
        if path in others:
            behind = ""
            if place:
                behind = f"{place[0]}:{place[1] + 1}"  # gawk has read the newline by then
            raise AwkError(f"cannot include `{name}' and use it as a program file", behind)
        if include and path in own:
            return
        own.add(path)
        self.add(text.removesuffix("\n"), name)

    def _candidates(self, name: str) -> Iterator[str]:
        directories = [""]
        if "/" not in name and name != "-":
            directories += [entry for entry in self._call.env.get("AWKPATH", "").split(":") if entry]
        for suffix in ("", ".awk"):
            for directory in directories:
                if directory:
                    yield f"{directory}/{name}{suffix}"
                else:
                    yield f"{name}{suffix}"

    def _read(self, name: str, where: str) -> tuple[str, str]:
        """Return the path and the text of a file of the working directory or of a directory of AWKPATH."""
        problem: OSError | None = None
        for path in self._candidates("-" if name == "/dev/stdin" else name):
            try:
                return normpath(self._call.path(path)), self._text(path)
            except IsADirectoryError as error:
                text = f"cannot read source file `{name}': {reason(error)}"
                raise AwkError(text, f"{name}:1", "error") from None
            except OSError as error:
                problem = problem or error
        assert problem is not None
        if name in ("inplace", "inplace.awk"):
            if self._call.opts.sandbox:
                raise AwkError("extensions are not allowed in sandbox mode", where)
            self.in_place = True
            return name, ""
        text = f"cannot open source file `{name}' for reading: {reason(problem)}"
        raise AwkError(text, where, "error" if where else "fatal")

    def _text(self, path: str) -> str:
        stream = self._call.open_input(path)
        try:
            chunks: list[bytes] = []
            while chunk := stream.read():
                self._call.check()
                chunks.append(chunk)
        finally:
            stream.release()
        return decode(b"".join(chunks))
