"""Ignore rules of .gitignore, .ignore, .rgignore and the command line (gitignore(5), as ripgrep 13 implements it)."""

from __future__ import annotations

from collections.abc import Iterable

from ...command import Call, reason
from ...errors import UsageError
from ...text import decode, paced
from ..support.lines import read_all
from .globs import GlobError, PathGlob, bytewise, compile_path_glob


class _Rule:
    """One rule of an ignore file."""

    __slots__ = ("_glob", "_last", "includes", "only_directories")

    def __init__(self, glob: PathGlob, last: str, includes: bool, only_directories: bool) -> None:
        self._glob = glob
        self._last = last  # the last part of every path that matches; "": unknown
        self.includes = includes
        self.only_directories = only_directories

    def matches(self, parts: list[str], is_directory: bool) -> bool:
        if self.only_directories and not is_directory:
            return False
        if self._last and self._last != parts[-1]:
            return False  # most rules end here, without a run of the glob
        return self._glob.matches(parts)


class Rules:
    """The rules of a file or of the command line. The last matching rule decides."""

    __slots__ = ("_rules", "mistakes")

    def __init__(self, lines: Iterable[str], *, ignore_case: bool = False) -> None:
        self._rules: list[_Rule] = []
        self.mistakes: list[tuple[int, str]] = []  # line number, message
        for number, line in enumerate(lines, 1):
            try:
                self.add(line, ignore_case)
            except GlobError as error:
                self.mistakes.append((number, str(error)))

    def __bool__(self) -> bool:
        return bool(self._rules)

    def add(self, line: str, ignore_case: bool) -> None:
        """Add the rule of a line. Raise ``GlobError`` for an invalid glob."""
        if line.startswith("#"):
            return
        text = line
        if not line.endswith("\\ "):  # gitignore(5): a backslash keeps a blank at the end
            text = line.rstrip()
        if not text:
            return
        includes = absolute = False
        if text.startswith(("\\!", "\\#")):
            text = text[1:]
        else:
            includes = text.startswith("!")
            text = text[includes:]
            absolute = text.startswith("/")
            text = text[absolute:]
        only_directories = text.endswith("/")
        text = text.removesuffix("/")
        anywhere = not absolute and "/" not in text  # gitignore(5)
        try:
            glob = compile_path_glob(text, ignore_case, anywhere=anywhere)
        except GlobError as error:
            raise GlobError(f"error parsing glob '{line}': {error}") from None
        last = text.rpartition("/")[2]
        if ignore_case or not last.isascii() or _MAGIC.intersection(text):
            last = ""
        self._rules.append(_Rule(glob, last, includes, only_directories))

    def verdict(self, path: str, is_directory: bool) -> bool | None:
        """Return True if a path is ignored, False if a ``!`` rule includes it, and None if no rule matches."""
        if not self._rules:
            return None
        parts = bytewise(path).split("/")
        for rule in reversed(self._rules):
            if rule.matches(parts, is_directory):
                return not rule.includes
        return None

    @property
    def has_exclusions(self) -> bool:
        """Return whether any rule has no ``!``."""
        return not all(rule.includes for rule in self._rules)


_MAGIC = frozenset("*?[]{}\\,")


class Overrides:
    """The globs of ``-g`` and ``--iglob``: a matching path is searched, or skipped if ``!`` precedes the glob.

    If any glob has no ``!``, files that match none are skipped.
    """

    __slots__ = ("_names", "_rules")

    def __init__(self, globs: list[str], iglobs: list[str], ignore_case: bool) -> None:
        self._rules = Rules(())
        for glob, folded in [*((glob, ignore_case) for glob in globs), *((glob, True) for glob in iglobs)]:
            try:
                self._rules.add(glob, folded)
            except GlobError as error:
                raise UsageError(str(error), hint=False) from None
        self._names = self._rules.has_exclusions

    def verdict(self, path: str, is_directory: bool) -> bool | None:
        """Return True if a path is skipped, False if a glob includes it, and None if no glob decides."""
        verdict = self._rules.verdict(path, is_directory)
        if verdict is not None:
            return not verdict
        # A directory is entered all the same: files below it may match.
        if self._names and not is_directory:
            return True
        return None


class Reader:
    """Reads the ignore files of one call and reports their errors."""

    __slots__ = ("_call", "_ignore_case", "_loud")

    def __init__(self, call: Call, *, ignore_case: bool, loud: bool) -> None:
        self._call = call
        self._ignore_case = ignore_case
        self._loud = loud

    def rules(self, path: str, shown: str, *, must: bool = False) -> Rules:
        """Return the rules of a file, none if it is missing. ``must``: the user named it, so that is reported."""
        call = self._call
        try:
            stream = call.fs.open(path, 0).retain()
        except OSError as error:
            if must:
                self.complain(f"{shown}: {reason(error)}")
            return _NONE
        try:
            text = decode(read_all(call, stream))
        except OSError:
            return _NONE
        finally:
            stream.release()
        # Case always matters in a file that the user named.
        rules = Rules(paced(text.split("\n")), ignore_case=self._ignore_case and not must)
        for number, message in rules.mistakes:
            self.complain(f"{shown}: line {number}: {message}")
        return rules

    def complain(self, message: str) -> None:
        """Report an error in an ignore file. It does not change the exit status."""
        if self._loud:
            self._call.error(message)


_NONE = Rules(())


def excludes_of_git(call: Call) -> str | None:
    """Return the path of the user's own ignore file for git (gitignore(5), core.excludesFile), which may be missing."""
    home = call.env.get("HOME", "")
    config = call.env.get("XDG_CONFIG_HOME", "")
    if not config and home:
        config = f"{home}/.config"
    paths: list[str] = []
    if home:
        paths.append(f"{home}/.gitconfig")
    if config:
        paths.append(f"{config}/git/config")
    for path in paths:
        if (found := _excludes_file(call, path)) is not None:
            if not home:
                return found
            return found.replace("~", home)
    if not config:
        return None
    return f"{config}/git/ignore"


def _excludes_file(call: Call, path: str) -> str | None:
    try:
        stream = call.fs.open(call.path(path), 0).retain()
    except OSError:
        return None
    try:
        text = decode(read_all(call, stream))
    except OSError:
        return None
    finally:
        stream.release()
    for line in paced(text.split("\n")):
        name, equals, value = line.partition("=")
        if equals and name.strip().lower() == "excludesfile":
            value = value.strip().removeprefix('"').removesuffix('"').strip()
            if value and not any(map(str.isspace, value)):
                return value
    return None


def exclude_file(call: Call, git: str) -> str | None:
    """Return the path of a clone's exclude file. ``.git`` is a directory, or a file that names it (git-worktree)."""
    try:
        stream = call.fs.open(git, 0).retain()
    except OSError:
        return f"{git}/info/exclude"
    try:
        text = decode(stream.read(4096))
    except OSError:  # it is a directory
        return f"{git}/info/exclude"
    finally:
        stream.release()
    if not text.startswith("gitdir: "):
        return None
    directory = call.fs.absolute(git.rpartition("/")[0] or "/", text.removeprefix("gitdir: ").partition("\n")[0])
    try:
        common = decode(call.fs.read_bytes(f"{directory}/commondir")).partition("\n")[0]
    except (OSError, ValueError):
        return None
    return f"{call.fs.absolute(directory, common)}/info/exclude"
