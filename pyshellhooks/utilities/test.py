"""test and [: evaluate a condition (POSIX XCU test; for more than four arguments, bash's parser)."""

from __future__ import annotations

import operator
import os
import stat
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..command import Call, utility
from ..command.usual_places import means_a_program
from ..errors import UsageError
from ..fs.identity import identity
from ..text import pause

if TYPE_CHECKING:
    from ..fs.base import FileSystem, Stat


class ShellState(Protocol):
    """The state of a shell that ``test`` can query."""

    def is_set(self, name: str) -> bool:
        """Return whether a variable (``name`` or ``name[subscript]``) has a value."""

    def option(self, name: str) -> bool:
        """Return whether a ``set -o`` option is on."""

    def isatty(self, fd: int) -> bool:
        """Return whether a descriptor is a terminal."""

    def is_reference(self, name: str) -> bool:
        """Return whether a variable is a name reference (``-R``)."""

    def is_program(self, path: str) -> bool:
        """Return whether a missing path would run an in-process program: ``/usr/bin/jq``."""


class _NoShell:
    """The state for ``test`` outside of a shell, as in ``env test -x /usr/bin/jq``."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call = call

    def is_set(self, name: str) -> bool:
        return False

    def option(self, name: str) -> bool:
        return False

    def isatty(self, fd: int) -> bool:
        return False

    def is_reference(self, name: str) -> bool:
        return False

    def is_program(self, path: str) -> bool:
        return means_a_program(self.call.fs, path, self.call.programs)


NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}
TEXTUAL: dict[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_FILES = frozenset(("-nt", "-ot", "-ef"))
BINARY = frozenset((*NUMERIC, *TEXTUAL, *_FILES))
UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_TYPES = {"-f": stat.S_IFREG, "-d": stat.S_IFDIR, "-p": stat.S_IFIFO, "-S": stat.S_IFSOCK, "-b": stat.S_IFBLK}
_TYPES["-c"] = stat.S_IFCHR
_BITS = {"-u": stat.S_ISUID, "-g": stat.S_ISGID, "-k": stat.S_ISVTX}
_OF_A_PROGRAM = frozenset(("-a", "-e", "-f", "-r", "-s", "-x"))  # true of an in-process program that has no file
_ACCESS = {"-r": os.R_OK, "-w": os.W_OK, "-x": os.X_OK}


def _wrong(message: str) -> UsageError:
    return UsageError(message, 2, hint=False)


def integer(word: str) -> int:
    """Parse a decimal number with surrounding blanks.

    Leading zeros are ignored. Raise ``UsageError`` with bash's message.
    """
    # The common case first; int() alone would accept "1_0" and the digits of any script.
    if word.isascii() and word.isdigit() and len(word) < 19:
        return int(word)
    text = word.lstrip(" \t\n\v\f\r").rstrip(" \t")
    digits = text[1:] if text.startswith(("-", "+")) else text
    if digits.isascii() and digits.isdigit():
        significant = digits.lstrip("0") or "0"
        value = int(significant) if len(significant) < 20 else 2**64
        if text.startswith("-"):
            value = -value
        if -(2**63) <= value < 2**63:
            return value
    raise _wrong(f"{word}: integer expression expected")


def evaluate(
    args: Sequence[str],
    fs: FileSystem,
    cwd: str,
    shell: ShellState,
    *,
    bracket: bool = False,
) -> bool:
    """Evaluate the arguments of ``test``, without the name and a final ``]``, which ``bracket`` reports.

    Up to four arguments, their number determines their meaning (POSIX XCU test); more are parsed by the grammar with
    ``-a``, ``-o`` and parentheses. Raise ``UsageError`` (status 2) with bash's messages.
    """
    count = len(args)
    if count == 3:
        left, middle, right = args
        textual = TEXTUAL.get(middle)
        if textual is not None:
            return textual(left, right)
        numeric = NUMERIC.get(middle)
        if numeric is not None:
            return numeric(integer(left), integer(right))
    elif count == 2:
        middle, right = args
        if middle == "-n":
            return right != ""
        if middle == "-z":
            return right == ""
    elif count == 1:
        return args[0] != ""
    elif not count:
        return False
    return Evaluation(args, fs, cwd, shell, bracket).run()


class Evaluation:
    """One evaluation: the arguments and the parser's position."""

    __slots__ = ("args", "at", "bracket", "cwd", "fs", "shell")

    def __init__(self, args: Sequence[str], fs: FileSystem, cwd: str, shell: ShellState, bracket: bool) -> None:
        self.args = args
        self.at = 0
        self.fs = fs
        self.cwd = cwd
        self.shell = shell
        self.bracket = bracket

    def run(self) -> bool:
        args = self.args
        count = len(args)
        # POSIX decides calls of up to four arguments by their number, so that no value is taken for an operator.
        if count == 2:
            return self.two(args)
        if count == 3:
            return self.three(args)
        if count == 4 and args[0] == "!":
            return not self.three(args[1:])
        if count == 4 and args[0] == "(" and args[3] == ")":
            return self.two(args[1:3])
        value = self.disjunction()
        if self.at < count:
            rest = args[self.at]
            raise _wrong(f"syntax error: `{rest}' unexpected" if rest.startswith("-") else "too many arguments")
        return value

    def two(self, args: Sequence[str]) -> bool:
        first, word = args
        if first == "!":
            return not word
        if first in UNARY:
            return self.unary(first, word)
        raise _wrong(f"{first}: unary operator expected")

    def three(self, args: Sequence[str]) -> bool:
        left, middle, right = args
        if middle in BINARY:
            return self.binary(left, middle, right)
        if middle == "-a":
            return bool(left and right)
        if middle == "-o":
            return bool(left or right)
        if left == "!":
            return not self.two(args[1:])
        if left == "(" and right == ")":
            return middle != ""
        raise _wrong(f"{middle}: binary operator expected")

    # The grammar. Both operands of -a and -o are evaluated, as bash reports the errors of both.

    def disjunction(self) -> bool:
        value = self.conjunction()
        while self.accepts("-o"):
            value = self.conjunction() or value
        return value

    def conjunction(self) -> bool:
        value = self.term()
        while self.accepts("-a"):
            value = self.term() and value
        return value

    def accepts(self, word: str) -> bool:
        """Return whether the next argument is a word, and pass it if so."""
        if self.at >= len(self.args) or self.args[self.at] != word:
            return False
        self.at += 1
        return True

    def term(self) -> bool:
        args = self.args
        negated = False
        pause()
        while self.accepts("!"):
            negated = not negated
        at = self.at
        left = len(args) - at
        if not left:
            raise _wrong("argument expected")
        word = args[at]
        if word == "(":
            value = self.group()
        elif left >= 3 and args[at + 1] in BINARY:
            self.at += 3
            value = self.binary(word, args[at + 1], args[at + 2])
        elif left >= 2 and word in UNARY:
            self.at += 2
            value = self.unary(word, args[at + 1])
        else:
            self.at += 1
            value = word != ""
        return value is not negated

    def group(self) -> bool:
        self.at += 1
        if self.at >= len(self.args):
            raise _wrong("argument expected")
        value = self.disjunction()
        if self.at >= len(self.args):
            found = ", found ]" if self.bracket else ""
            raise _wrong(f"`)' expected{found}")
        if not self.accepts(")"):
            raise _wrong(f"`)' expected, found {self.args[self.at]}")
        return value

    # The primaries.

    def status(self, word: str, follow: bool = True) -> Stat | None:
        try:
            return self.fs.stat(self.fs.absolute(self.cwd, word), follow=follow)
        except (OSError, ValueError):
            return None

    def binary(self, left: str, middle: str, right: str) -> bool:
        textual = TEXTUAL.get(middle)
        if textual is not None:
            return textual(left, right)
        numeric = NUMERIC.get(middle)
        if numeric is not None:
            return numeric(integer(left), integer(right))
        one, other = self.status(left), self.status(right)
        if middle == "-ef":
            return one is not None and other is not None and os.path.samestat(one, other)
        if middle == "-ot":
            one, other = other, one
        if one is None:
            return False
        # Bash counts an existing file as newer than a missing one; POSIX leaves it open.
        return other is None or one.st_mtime_ns > other.st_mtime_ns

    def unary(self, first: str, word: str) -> bool:
        if first in ("-n", "-z"):
            return (word == "") is (first == "-z")
        if first in _ACCESS:
            return self.access(first, word)
        if first in ("-v", "-o", "-R", "-t"):
            return self.test_shell_state(first, word)
        file_status = self.status(word, follow=first not in ("-h", "-L"))
        if file_status is None:
            return first in _OF_A_PROGRAM and self.shell.is_program(word)
        mode = file_status.st_mode
        if first in _TYPES:
            return stat.S_IFMT(mode) == _TYPES[first]
        if first in _BITS:
            return mode & _BITS[first] != 0
        return self.about(first, file_status, word)

    def access(self, first: str, word: str) -> bool:
        # By access(2) with the effective ids, as bash does: mode bits alone do not cover ACLs and root.
        try:
            if self.fs.access(self.fs.absolute(self.cwd, word), _ACCESS[first]):
                return True
        except OSError:
            pass
        return first in _OF_A_PROGRAM and self.shell.is_program(word)

    def about(self, first: str, file_status: Stat, word: str) -> bool:
        if first in ("-h", "-L"):
            return stat.S_ISLNK(file_status.st_mode)
        if first == "-s":
            return file_status.st_size > 0
        if first == "-N":
            return file_status.st_mtime_ns > file_status.st_atime_ns
        if first in ("-O", "-G"):
            return self.is_owned(first, file_status, word)
        return True

    def is_owned(self, first: str, file_status: Stat, word: str) -> bool:
        # Files in memory belong to the only user; so do all files on systems without owners.
        if not hasattr(os, "geteuid") or self.fs.host_path(self.fs.absolute(self.cwd, word)) is None:
            return True
        who = identity(self.fs)
        if first == "-O":
            return file_status.st_uid == who.euid()
        return file_status.st_gid == who.egid()

    def test_shell_state(self, first: str, word: str) -> bool:
        shell = self.shell
        if first == "-v":
            return shell.is_set(word)
        if first == "-o":
            return shell.option(word)
        if first == "-R":
            return shell.is_reference(word)
        try:
            return shell.isatty(integer(word))
        except UsageError:
            return False  # bash's -t is false, not an error, for a word that is not a number


_SUMMARY = "Evaluate a conditional expression; the status is 0 if it is true."


@utility("test", summary=_SUMMARY, usage="[EXPRESSION]", flags=None, usage_status=2)
def test(call: Call) -> int:
    return 0 if evaluate(call.args, call.fs, call.cwd, _NoShell(call)) else 1


@utility("[", summary=_SUMMARY, usage="[EXPRESSION] ]", flags=None, usage_status=2)
def bracket(call: Call) -> int:
    if call.args == ["--help"]:
        call.out.write(bracket.help().encode())
        return 0
    if not call.args or call.args[-1] != "]":
        raise _wrong("missing `]'")
    return 0 if evaluate(call.args[:-1], call.fs, call.cwd, _NoShell(call), bracket=True) else 1
