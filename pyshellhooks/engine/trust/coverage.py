"""The check that trusted hashes cover every file that a hook runs; a directory without its own ``trust`` requires it.

A repository may copy a trusted config and its scripts byte for byte, beside its own ``Makefile`` or module. So there each
command must be a function, a utility that runs no file, or a shell script with a known hash whose commands are all such.
The check reads the text and runs nothing. A command in doubt is not covered (docs/trust.md, "Clones").
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ...analysis.named_commands import SHELLS, WRAPPERS, NamedCommand, named_by, named_commands, nodes, static_text
from ...command.registry import Registry
from ...errors import ShellSyntaxError, Stop
from ...fs.base import FileSystem
from ...syntax.nodes.commands import Function
from ...syntax.nodes.simple import Redirect
from ...syntax.nodes.words import ProcessSub, Word
from ...syntax.parser import parse
from ...text import decode
from ...utilities._index import INDEX
from ..scripts.referenced_scripts import (
    AWKS,
    Candidate,
    Project,
    candidates,
    is_file,
    jq_operands,
    path_values,
    paths_of,
    spelled,
)

if TYPE_CHECKING:
    from ...hooks.model import HookJob

#: Builtins and utilities that run no file; for those in ``_CODE`` and ``_RUNNING``, ``_is_harmless`` decides.
_PLAIN = frozenset(
    ": . [ break builtin caller cd command continue declare dirs disown echo eval exec exit export false fg bg getopts jobs kill let "
    "local mapfile popd printf pushd pwd read readarray readonly return set shift shopt source test times trap true type typeset "
    "ulimit umask unalias unset wait awk b2sum base64 basename cat chmod cksum cmp column comm cp cut date diff dirname egrep env "
    "expr fgrep find fold gawk getopt grep head hostname id join jq ln ls mawk md5sum mkdir mktemp mv nawk nice nl nohup nproc od "
    "paste printenv readlink realpath rev rm rmdir sed seq setsid sha1sum sha224sum sha256sum sha384sum sha512sum shasum sleep sort "
    "stat strings sum tac tail tee timeout touch tr tty uname uniq uuidgen wc which whoami xargs xxd yes".split()
)  # fmt: skip
_SPEAKING = frozenset({"echo", "printf", "test", "[", ":", "export", "local", "declare", "set"})  # they open no operand
_SHEBANG = re.compile(rb"#!\s*(\S*/env\s+)?(\S*/)?(sh|bash|dash)(\s+-\w+)?\s*$")
#: Variables that lead to code. In a text, ``$NAME`` does not match, because it only reads the variable.
_STEERING = re.compile(r"(?<![\w${])(?:PATH|ENV|BASH_ENV|CDPATH|HOME|AWKPATH|AWKLIBPATH|(?:LD|DYLD)_\w+)(?!\w)")
_ELSEWHERE = ("PATH", "ENV")  # programs of the project on PATH have hashes; ENV is for interactive shells alone
#: Parts of awk, jq and sed programs that run a command or read a file.
_AWK_RUNS = re.compile(r"\bsystem\b|(?<!\|)\|(?!\|)|@|\bgetline\b[^;}\n]*<")
_JQ_READS = re.compile(r"\b(?:import|include)\b")
_SED_RUNS = re.compile(
    r"(?:^|[;{}\n!0-9$,/])\s*e(?:\s|$)|[^\w\s][gpiImM0-9]*e[gpiImM0-9]*\s*(?:$|[;}\n])"
    r"|(?:^|[;{}\n0-9$])\s*[rR]\s*[^\s;}]|/\s*[rR]\s+\S"
)
_CODE = {**dict.fromkeys(AWKS, _AWK_RUNS), "jq": _JQ_READS, "sed": _SED_RUNS}

#: Options with which a plain command runs or reads code.
_RUNNING = {
    **dict.fromkeys(AWKS, re.compile(r"^(?:-[ilE]|--(?:inc|lo|ex))")),
    **dict.fromkeys(SHELLS, re.compile(r"^(?:--.|[-+]\w*[il])")),
    **dict.fromkeys(("mapfile", "readarray"), re.compile(r"^-\w*C")),
    "jq": re.compile(r"^(?:-\w*L|--library)"),
    **dict.fromkeys(("egrep", "fgrep", "grep"), re.compile(r"^(?:-\w*[rR]|--(?:dereference|recursive|directories))")),
    "sort": re.compile(r"^--(?:co|files0)"),
    "wc": re.compile(r"^--files0"),
}
#: Commands that print, copy or compare the files of their operands.
_OPENING = frozenset(
    "awk base64 cat cmp column comm cp cut diff egrep fgrep fold gawk grep head join ln mawk mv nawk nl od paste rev sed sort "
    "strings tac tail uniq xxd".split()
)
#: Of these the first operand is a pattern or a program, unless an option gives it.
_PROGRAM_FIRST = {
    **dict.fromkeys(AWKS, re.compile(r"^(?:-f|--file)")),
    **dict.fromkeys(("egrep", "fgrep", "grep"), re.compile(r"^(?:-\w*[ef]|--(?:regexp|file))")),
    "sed": re.compile(r"^(?:-\w*[ef]|--(?:expression|file))"),
}
_EXPANDED = re.compile(r"[*?\[{]")  # a pattern of file names, or a list in braces


class _Uncovered(Exception):
    """A command runs, or may run, a file without a hash."""


def uncovered(job: HookJob, project: Project, fs: FileSystem, contents: Mapping[str, bytes]) -> str:
    """Return the first command that may run a file without a hash in ``contents``; ``""`` if all are covered."""
    look = _CoverageCheck(job, project, fs, contents)
    try:
        for name, value in job.env.items():
            steers = name not in _ELSEWHERE and bool(_STEERING.fullmatch(name))
            if steers and look.leads_into_project(name, value):
                return name
        if job.argv is not None:
            look.commands(named_by(job.argv), set())
        else:
            look.text(job.command, set())
    except _Uncovered as found:
        return str(found)
    except (ShellSyntaxError, RecursionError, Stop):
        return job.spec.title
    return ""


class _CoverageCheck:
    """The check of one job and the scripts that it runs, on the job's file system."""

    def __init__(self, job: HookJob, project: Project, fs: FileSystem, contents: Mapping[str, bytes]) -> None:
        self._job = job
        self._project = project
        self._fs = fs
        self._contents = contents
        self._values = {**path_values(job.env), "PWD": job.cwd}
        self._open: list[str] = []  # the texts being checked: a script may run itself

    def leads_into_project(self, name: str, value: str) -> bool:
        """Return whether a part of a variable is, or as a relative path may be, a path of the project."""
        if name.startswith("LD_"):
            value = value.replace(" ", os.pathsep)
        parts = [part for part in value.split(os.pathsep) if part]
        return any(not os.path.isabs(part) or self._project.holds(part) for part in parts)

    def text(self, text: str, functions: set[str]) -> None:
        """Check a shell's text. ``functions``: the known ones; those of the text are added."""
        if text in self._open:
            return
        steered = _STEERING.search(text)
        if steered:
            raise _Uncovered(steered[0])
        self._open.append(text)
        tree = parse(text)
        commands = named_commands(text, self._values, untold=True)
        moves = any(command.name in ("cd", "pushd") for command in commands)
        for node in nodes(tree):
            if isinstance(node, Function):
                functions.add(node.name)
            if not isinstance(node, Redirect) or node.op not in ("<", "<>"):
                continue
            if isinstance(node.target, Word):
                self._check_redirection(node.target, text, moves)
        self.commands(commands, functions)
        self._open.pop()

    def _check_redirection(self, target: Word, text: str, moves: bool) -> None:
        """Check the file of a redirection. ``moves``: the text changes its directory."""
        if any(isinstance(part, ProcessSub) for part in target.parts):
            return
        word = static_text(target, self._values)
        if word is None or _EXPANDED.search(word):
            raise _Uncovered(text[target.pos : target.end])
        if moves and not word.startswith("/"):
            raise _Uncovered(text[target.pos : target.end])
        self._reads(word, [self._job.cwd])

    def commands(self, commands: Iterable[NamedCommand], functions: set[str]) -> None:
        """Check commands in order, since a sourced script defines functions for later commands."""
        before: NamedCommand | None = None
        looked_up = False  # ``command -v name`` runs nothing
        for command, candidate in candidates(commands, self._job.cwd):
            is_new, before = command is not before, command
            if command.by != "command":
                looked_up = command.name == "command" and command.words[1:2] in (("-v",), ("-V",))
            elif looked_up:
                continue
            if _leads_anywhere(candidate):
                raise _Uncovered(candidate.by or self._job.spec.title)
            contents = self._contents_of(candidate)
            if command.script:
                self._script(command, contents, functions)
            elif is_new:
                self._program(command, candidate, contents, functions)
            else:
                self._program_file(candidate, contents)

    def _contents_of(self, candidate: Candidate) -> list[bytes]:
        """Return the known contents of the files that a word may mean. Raise if a file of the project is not known."""
        assert candidate.word is not None
        there = [path for path in paths_of(candidate, self._job, self._fs, self._project) if is_file(self._fs, path)]
        for path in there:
            if path not in self._contents and self._project.key(self._fs, path) is not None:
                raise _Uncovered(candidate.word)
        return [self._contents[path] for path in there if path in self._contents]

    def _script(self, command: NamedCommand, contents: list[bytes], functions: set[str]) -> None:
        if not contents:
            raise _Uncovered(command.name or command.by)
        for data in contents:
            self.text(decode(data), functions if command.by in (".", "source") else set())

    def _program_file(self, candidate: Candidate, contents: list[bytes]) -> None:
        """Check the file of ``awk -f`` and the like."""
        runs = _CODE.get(candidate.by)
        if runs is None or not contents:
            raise _Uncovered(candidate.by)
        if any(runs.search(decode(data)) for data in contents):
            raise _Uncovered(candidate.by)

    def _program(self, command: NamedCommand, candidate: Candidate, contents: list[bytes], functions: set[str]) -> None:
        """Check a command by its name: a script of the project, a function, or a utility."""
        for data in contents:
            first = data.partition(b"\n")[0]
            if first.startswith(b"#!") and not _SHEBANG.match(first):
                raise _Uncovered(command.name)  # its interpreter reads modules beside it
            self.text(decode(data), set())
        is_own_function = not command.by and command.name in functions
        if not contents and not is_own_function:
            self._utility(command, candidate)

    def _utility(self, command: NamedCommand, candidate: Candidate) -> None:
        """Check a command that is neither a script of the project nor a function."""
        base = command.name.rpartition("/")[2]
        if base not in _PLAIN and base not in SHELLS:
            raise _Uncovered(command.name)
        if command.by == "xargs" and _is_led_by_input(base):
            raise _Uncovered(f"xargs {command.name}")
        if not _is_harmless(base, list(command.words[1:])):
            raise _Uncovered(command.name)
        if any(_is_unknown_file(word, candidate.adrift) for word in _opened(base, command.words[1:])):
            raise _Uncovered(command.name)
        if base not in _SPEAKING:
            self._operands(command, candidate)

    def _operands(self, command: NamedCommand, candidate: Candidate) -> None:
        """Check the words after a command's name, and the values of its long options, as files that it reads."""
        for word in command.words[1:]:
            self._reads(word, candidate.directories)
            if word is not None and word.startswith("--"):
                self._reads(word.partition("=")[2], candidate.directories)

    def _reads(self, word: str | None, directories: Iterable[str]) -> None:
        """Raise if a command reads a file of the project: its content may become the hook's output, or code."""
        if not word:
            return
        for directory in directories:
            path = spelled(self._fs, directory, word)
            known = path in self._contents or not is_file(self._fs, path)
            if not known and self._project.key(self._fs, path) is not None:
                raise _Uncovered(word)


def _leads_anywhere(candidate: Candidate) -> bool:
    """Return whether the text does not determine the file that a command runs."""
    if candidate.word is None:
        return True
    is_relative = not candidate.searched and not candidate.word.startswith("/")
    return candidate.adrift and is_relative


def _is_led_by_input(base: str) -> bool:
    """Return whether words that ``xargs`` reads can make a command run code or open a file."""
    if base in ("find", "eval"):
        return True
    return any(base in names for names in (_CODE, _OPENING, WRAPPERS, SHELLS))


def _is_unknown_file(word: str | None, adrift: bool) -> bool:
    """Return whether the text does not determine the file that a word names. ``adrift``: nor the directory."""
    if word is None or _EXPANDED.search(word):
        return True
    if word.startswith(("/", "-")):
        return False
    return adrift and word != ""


@cache
def _valued_letters(name: str) -> frozenset[str]:
    """Return the short options of a utility whose value may be the next word, from its declaration."""
    utility = Registry(INDEX).get(name)
    flags = utility.listed if utility is not None else ()
    letters: set[str] = set()
    for flag in flags:
        if flag.value and not flag.optional:
            letters.update(flag.short)
    return frozenset(letters)


def _takes_next_word(word: str, valued: frozenset[str]) -> bool:
    """Return whether a word of short options ends with one whose value is the next word (POSIX XBD 12.2)."""
    is_cluster = len(word) > 1 and not word.startswith("--")
    return is_cluster and word[-1] in valued


def _opened(base: str, rest: Sequence[str | None]) -> list[str | None]:
    """Return the words that name files for a command that prints, copies or compares them."""
    if base == "jq":
        values = [rest[at + 2] for at, word in enumerate(rest[:-2]) if word in ("--slurpfile", "--rawfile")]
        return [*jq_operands(rest)[1][1:], *values]
    if base not in _OPENING:
        return []
    valued = _valued_letters(base)
    operands, is_value, is_over = list[str | None](), False, False
    for word in rest:
        if is_value:
            is_value = False
        elif word is None or is_over or not word.startswith("-"):
            operands.append(word)
        else:
            is_over = word == "--"
            is_value = _takes_next_word(word, valued)
    option = _PROGRAM_FIRST.get(base)
    if option is None or any(option.match(word) for word in rest if word is not None):
        return operands
    return operands[1:]


def _first_operand(rest: Iterable[str | None]) -> str | None:
    """Return the first operand of awk; ``""`` if it has none."""
    is_value = False
    for word in rest:
        if is_value:
            is_value = False
        elif word is None or not word.startswith("-"):
            return word
        else:
            is_value = word in ("-v", "-F", "-f")
    return ""


def _is_harmless(base: str, rest: list[str | None]) -> bool:
    """Return whether a plain command, with these words, runs no other command or file."""
    for pattern in (_CODE.get(base), _RUNNING.get(base)):
        if pattern is not None and any(pattern.search(word) for word in rest if word is not None):
            return False
    if base in AWKS:
        return _first_operand(rest) is not None
    if base == "jq":
        from_file, operands = jq_operands(rest)
        if from_file:
            return True
        return operands != [] and operands[0] is not None
    return True
