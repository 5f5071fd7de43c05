"""The files of a project that a hook's command names as scripts, which trust covers beside the config (docs/trust.md).

These are the command itself, the operands that a shell or another interpreter runs, and the files that ``.`` reads. They
are found in the text of the command, with the variables and the directory of its job; nothing is run. Files that a script
reads in turn are not found.
"""

from __future__ import annotations

import errno
import os
import posixpath
import re
import stat as modes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import FileIO
from itertools import pairwise
from typing import TYPE_CHECKING

from ...analysis.named_commands import SHELLS, WRAPPERS, NamedCommand, named_by, named_commands, shell_operand
from ...builtins._index import INDEX as BUILTINS
from ...errors import Stop
from ...fs.base import READ, FileSystem
from ...fs.host import HostFS
from ...fs.layer import Layer
from ...fs.pinned import plain
from ...text import encode, folded_name
from ...utilities._index import INDEX as UTILITIES

if TYPE_CHECKING:
    from ...hooks.model import HookJob

LARGEST = 1 << 25  # bytes of a script to hash
_CAREFUL = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_REMEMBERED = 256
_LONG = 1 << 16  # characters; longer commands are not cached
_PATH = 4096  # characters; jobs with a longer directory are not cached
_LINK = "a link to "  # with the target: the content that is hashed for a link out of the project

#: Programs that run a file, and their options after which the next word is code instead of a file.
_RUNNERS: dict[str, tuple[str, ...]] = {
    "python": ("-c", "-m"),
    "pypy": ("-c", "-m"),
    "node": ("-e", "-p", "--eval", "--print"),
    "deno": ("eval",),
    "bun": ("-e", "--eval", "-p", "--print"),
    "tsx": ("-e", "--eval"),
    "ts-node": ("-e", "--eval"),
    "ruby": ("-e", "-ne", "-pe"),
    "perl": ("-e", "-E", "-ne", "-pe", "-lne", "-nle"),
    "php": ("-r",),
    "pwsh": ("-c", "-command", "-encodedcommand"),
    "powershell": ("-c", "-command", "-encodedcommand"),
    "zsh": (),
    "ksh": (),
    "bc": (),
}
#: Programs that run a command or a file after a subcommand, or without one ("").
_LAUNCHERS: dict[str, frozenset[str]] = {
    "uv": frozenset({"run"}),
    "poetry": frozenset({"run"}),
    "pipenv": frozenset({"run"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "npm": frozenset({"exec"}),
    "npx": frozenset({""}),
    "bunx": frozenset({""}),
    "time": frozenset({""}),
    "busybox": frozenset({""}),
}
AWKS = ("awk", "gawk", "mawk", "nawk")
#: Utilities that run a program from a file, their options (letters) with a value, and those whose value is such a file.
_PROGRAMS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(AWKS, ("fFvEi", "fEi")),
    **dict.fromkeys(("sed", "gsed"), ("fel", "f")),
}
_FILE_OPTIONS = ("--file", "--from-file", "--exec", "--include")
#: Options of jq, and the number of words that each takes.
_OF_JQ = {
    **dict.fromkeys(("--arg", "--argjson", "--slurpfile", "--rawfile"), 2),
    **dict.fromkeys(("--indent", "-L", "--library-path"), 1),
}
_JQS = frozenset({"jq", "gojq", "jaq", "yq", "xq", "tomlq"})
#: Utilities, each with its option whose value is a program to run.
_RUN_BY_OPTION = {
    "enable": "-f",
    "hash": "-p",
    "mapfile": "-C",
    "readarray": "-C",
    "rg": "--pre",
    "sort": "--compress-program",
    "split": "--filter",
}
_OPENING = frozenset({"git", "gh", "curl", "wget", "open", "code"})  # they do not run the files that they name
_ENV_ELSEWHERE = re.compile(r"-\w*[SC]|--split-string|--chdir")
_OWN_WORDS = frozenset({"run"})  # ``deno run x.ts``
_SUFFIXES = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1")


class Project:
    """A project's directory, as spelled and by its real path."""

    __slots__ = ("path", "real", "roots")

    def __init__(self, path: str, real: str) -> None:
        self.path = path
        self.real = real
        self.roots = tuple(dict.fromkeys(one.rstrip("/") for one in (path, real)))

    def relative(self, path: str) -> str | None:
        """Return a path relative to the project's root, without following links; None if it is outside or the root."""
        flat = posixpath.normpath(absolute(path))
        for root in self.roots:
            if flat.startswith(f"{root}/") and flat != f"{root}/":
                return flat[len(root) + 1 :]
        return self._relative_in_other_spelling(flat)

    def _relative_in_other_spelling(self, flat: str) -> str | None:
        """Return a path relative to a root that it spells otherwise, on a disk that ignores case.

        On macOS and Windows ``../PROJECT/guard.sh`` is the project's file, and a change of it must be noticed. The
        disk decides whether both spellings are one directory.
        """
        parts = flat.split("/")
        for root in self.roots:
            length = root.count("/") + 1
            above = "/".join(parts[:length])
            if len(parts) <= length or folded_name(above) != folded_name(root):
                continue
            try:
                if os.path.samefile(above, root):
                    return "/".join(parts[length:])
            except OSError:
                continue
        return None

    def holds(self, path: str) -> bool:
        """Return whether a path of the disk is the project's directory or inside it."""
        real = absolute(os.path.realpath(path))
        if real == self.real:
            return True
        return self.relative(path) is not None or self.relative(real) is not None

    def key(self, fs: FileSystem, path: str) -> str | None:
        """Return the name in trust records of the file that hooks see at a path; None if it is not the project's.

        The name of a link in the project is the link's own, and files below a linked directory are named below the link.
        """
        found, rest = self._name(fs, path), ""
        while found is None and isinstance(fs, Layer) and path.rfind("/") > 0:
            path, _, last = path.rpartition("/")
            rest = f"/{last}{rest}"
            there, at = _bottom(fs, path)
            found = None
            if there is not fs and not _is_program_s(there):
                found = self.relative(at)
        return None if found is None else found + rest

    def _name(self, fs: FileSystem, path: str) -> str | None:
        there, at = _bottom(fs, path)
        if _is_program_s(there):
            return None
        found = self.relative(path if there is fs else at)
        if found is not None:
            return found
        try:
            return self.relative(there.realpath(at))
        except OSError:
            return None

    def content(self, fs: FileSystem, path: str) -> tuple[bytes, bool]:
        """Return the content that trust covers for a file, and whether it is the file's own. Raises OSError.

        For a link out of the project (``.venv/bin/python``) it is a text with the target's path, not the target's content.
        """
        there, at = _bottom(fs, path)
        real = there.realpath(at)
        if self.relative(real) is None:
            there.stat(at)
            return encode(f"{_LINK}{real}\n"), False
        data = read_disk(at) if isinstance(there, HostFS) else _read(fs, path)
        if data.startswith(encode(_LINK)):
            # It has the same hash as a link, and would pass as the trusted link.
            raise OSError(errno.EINVAL, "it is a regular file with the text that represents a link", path)
        return data, True


def _is_program_s(fs: FileSystem) -> bool:
    """Return whether a file system contains the host program's own files."""
    if isinstance(fs, HostFS):
        return False
    from ...fs.memory import MemoryFS
    from ...fs.overlay import OverlayFS

    return isinstance(fs, MemoryFS) and not isinstance(fs, OverlayFS)


def _bottom(fs: FileSystem, path: str) -> tuple[FileSystem, str]:
    """Return the file system under all layers that has a path, and the path there; missing last parts are kept.

    The last part is not followed: a link of the project belongs to the project, whatever its target.
    """
    while isinstance(fs, Layer):
        rest, at = "", path.rstrip("/") or "/"
        while True:
            try:
                inner, found = fs.place(at, False)
                break
            except OSError:
                if at in ("", "/"):
                    return fs, path
                at, _, last = at.rpartition("/")
                at, rest = at or "/", f"/{last}{rest}"
        fs, path = inner, found.rstrip("/") + rest if rest else found
    return fs, path


def absolute(path: str) -> str:
    """Return an absolute path, with ``/`` on Windows too."""
    if path[1:2] == ":":
        return path.replace("\\", "/")
    return path if path.startswith("/") else os.path.abspath(path).replace(os.sep, "/")


class Script:
    """A file that a hook names: its path in the hook's file system, and its name in the project.

    ``expected``: it is missing, and is included only because it was trusted.
    """

    __slots__ = ("expected", "key", "path")

    def __init__(self, path: str, key: str, expected: bool = False) -> None:
        self.path = path
        self.key = key
        self.expected = expected

    def __repr__(self) -> str:
        return f"Script({self.key!r})"


class Named:
    """The project's scripts that one command names, and the commands whose files its text does not determine.

    ``outside``: the script outside the project to which a relative path leads from the call's directory, or ``""``.
    """

    __slots__ = ("outside", "scripts", "untold")

    def __init__(self, scripts: Iterable[Script], untold: Iterable[str] = (), outside: str = "") -> None:
        self.scripts = tuple(scripts)
        self.untold = tuple(untold)
        self.outside = outside


_Key = tuple[str, tuple[str, ...] | None, str, tuple[tuple[str, str], ...]]


class Reader:
    """A finder of the scripts of one project that jobs name, with a cache of the words that may name one."""

    __slots__ = ("_known", "project")

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[_Key, tuple[Candidate, ...]] = {}

    def named(self, job: HookJob, fs: FileSystem, expects: Callable[[str], bool] = lambda name: False) -> Named:
        """Return the project's scripts that a job names, on the file system that the job uses.

        ``expects`` returns whether a script was trusted under a name: then it is included even if it is missing and
        another file matches the same word.
        """
        found: dict[str, Script] = {}
        untold: dict[str, None] = {}
        outside = ""
        for one in self._candidates(job):
            if one.word is None:
                untold[one.by or job.spec.title] = None
                continue
            paths = paths_of(one, job, fs, self.project)
            there = self._places(one, paths, fs)
            for script in self._scripts(paths, there, fs, expects):
                found.setdefault(script.path, script)
            is_relative = not one.searched and not one.word.startswith("/")
            if is_relative and not outside:
                outside = self._outside(there, fs)
        if outside and self.project.holds(job.cwd):
            outside = ""  # the command's own words lead there
        return Named(found.values(), untold, outside)

    def _places(self, one: Candidate, paths: Sequence[str], fs: FileSystem) -> Sequence[str]:
        """Return the paths of files. If none exists and the word is ``sure``, return its path after the last ``cd``."""
        found = [path for path in paths if is_file(fs, path)]
        if not found and one.sure and not one.searched:
            return paths[:1]
        return found

    def _scripts(
        self, paths: Iterable[str], there: Sequence[str], fs: FileSystem, expects: Callable[[str], bool]
    ) -> Iterator[Script]:
        """Yield the project's scripts among the paths that a word may mean: those ``there``, and those expected."""
        for path in paths:
            key = self.project.key(fs, path)
            if key is None:
                continue
            if path in there or expects(key):
                yield Script(path, key, path not in there)

    def _outside(self, there: Sequence[str], fs: FileSystem) -> str:
        """Return the first file of a relative word's paths, if none of them is the project's; else ``""``."""
        if any(self.project.key(fs, path) for path in there):
            return ""
        return next((path for path in there if is_file(fs, path)), "")

    def _candidates(self, job: HookJob) -> tuple[Candidate, ...]:
        values = tuple(path_values(job.env).items())
        key = (job.command, job.argv, job.cwd, values)
        found = self._known.get(key)
        if found is None:
            found = tuple(_candidates(job, dict(values)))
            if len(job.command) < _LONG and len(job.cwd) <= _PATH:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[key] = found
        return found


def paths_of(one: Candidate, job: HookJob, fs: FileSystem, project: Project) -> list[str]:
    """Return every path that a word may mean. Which one runs depends on ``cd`` in a subshell, or on a file mode."""
    assert one.word is not None
    if one.searched:
        paths = [spelled(fs, job.cwd, f"{part or '.'}/{one.word}") for part in job.env.get("PATH", "").split(":")]
        return [path for path in paths if project.relative(path) is not None]
    return [spelled(fs, directory, one.word) for directory in one.directories]


def path_values(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with an absolute path; only these can lead to a script."""
    return {name: value for name, value in env.items() if value[:1] == "/" or value[1:3] in (":/", ":\\")}


class Candidate:
    """A word that may name a script. ``word`` is None if it is computed at run time; ``by``: the command.

    ``sure``: it is included even if the file is missing. ``searched``: it is searched in PATH. ``adrift``: an earlier
    ``cd`` leads to a directory that is computed at run time.
    """

    __slots__ = ("adrift", "by", "directories", "searched", "sure", "word")

    def __init__(
        self, word: str | None, by: str, directories: Iterable[str], sure: bool, searched: bool = False
    ) -> None:
        self.word = word
        self.by = by
        self.directories = tuple(directories)
        self.sure = sure
        self.searched = searched
        self.adrift = False


def _candidates(job: HookJob, values: Mapping[str, str]) -> Iterator[Candidate]:
    if job.argv is not None:
        commands = named_by(job.argv)
    else:
        try:
            commands = named_commands(job.command, {**values, "PWD": job.cwd}, untold=True)
        except (RecursionError, Stop):
            return  # no scripts: the hook fails on every run
    for _, one in candidates(commands, job.cwd):
        yield one


def candidates(commands: Iterable[NamedCommand], cwd: str) -> Iterator[tuple[NamedCommand, Candidate]]:
    """Yield the words that may name scripts, each with its command, for a text that starts in this directory."""
    directories, adrift = [cwd], False
    for command in commands:
        moves = command.name in ("cd", "pushd") and not command.script
        if moves and len(command.words) > 1:
            to = next((word for word in command.words[1:] if word is None or not word.startswith("-")), None)
            adrift |= to is None
            if to:
                whole = to if to[1:2] == ":" else posixpath.join(directories[0], to)
                directories = [posixpath.normpath(whole), *directories]
            continue
        found: Iterable[Candidate] = [Candidate(command.name or None, command.name or command.by, directories, True)]
        if command.name and not command.script:
            found = _of_words(list(command.words), directories)
        for one in found:
            one.adrift = adrift
            yield command, one


def runs_file(command: NamedCommand, one: Candidate) -> bool:
    """Return whether a command runs the file that a word names: by its path, or as the operand of a shell."""
    if one.by not in (one.word, command.name):
        return False
    return command.script or one.by == one.word


def _of_words(words: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    name = words[0]
    if not name:
        return
    if "/" in name or "\\" in name:
        yield Candidate(name, name, directories, True)
    else:
        yield Candidate(name, name, directories, True, searched=True)
    base = name.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    yield from _operands(base, words[1:], directories)


def _operands(base: str, rest: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    """Yield the operands that an interpreter or a launcher runs. ``named_commands`` has already expanded shells."""
    if base in _LAUNCHERS:
        yield from _launched(base, rest, directories)
        return
    codes = _RUNNERS.get(_runner(base))
    if codes is not None:
        yield from _run(base, rest, codes, directories)
    elif base in _PROGRAMS:
        yield from _program_files(base, rest, directories)
    elif base in _JQS:
        yield from _jq_file(rest, directories)
    elif base in _RUN_BY_OPTION:
        yield from _behind_option(base, rest, directories)
    elif _is_untold(base, rest):
        yield Candidate(None, base, directories, False)
    elif not _is_known_command(base):
        for word in rest:  # it may be a launcher or an interpreter
            path = (word or "").rpartition("=")[2]
            if _is_file_name(path):
                yield Candidate(path, base, directories, False)


def _is_known_command(base: str) -> bool:
    """Return whether a command is known to run none of its operands in an unknown way."""
    return any(base in names for names in (UTILITIES, BUILTINS, WRAPPERS, _OPENING))


def _behind_option(base: str, rest: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    """Yield the program in an option of a utility: ``sort --compress-program=./x``, ``mapfile -C ./x``."""
    option = _RUN_BY_OPTION[base]
    for word, following in pairwise([*rest, None]):
        if word == option:
            yield Candidate(following, base, directories, False)
        elif word is not None and word.startswith(f"{option}="):
            yield Candidate(word.partition("=")[2], base, directories, False)


def jq_operands(rest: Iterable[str | None]) -> tuple[bool, list[str | None]]:
    """Return whether jq's filter is in a file, and jq's operands: the first is the filter or file (jq 1.8 manual)."""
    from_file, operands, skip = False, list[str | None](), 0
    for word in rest:
        if skip:
            skip -= 1
        elif word is None or not word.startswith("-"):
            operands.append(word)
        else:
            is_cluster = "f" in word and not word.startswith("--")  # of short options, ``-nf``
            from_file |= is_cluster or word == "--from-file"
            skip = _OF_JQ.get(word, 0)
    return from_file, operands


def _jq_file(rest: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    """Yield the file with jq's filter, which is the first operand if ``-f`` is among the options."""
    from_file, operands = jq_operands(rest)
    if from_file and operands:
        yield Candidate(operands[0], "jq", directories, True)


def _is_command(word: str) -> bool:
    """Return whether a launcher's operand is a command with its own arguments, and not just a file."""
    if any(word in names for names in (_LAUNCHERS, SHELLS, _PROGRAMS)):
        return True
    return "/" in word or bool(_runner(word))


def _launched(base: str, rest: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    """Yield the command or the file that a launcher runs."""
    after = _words_after_subcommand(rest, _LAUNCHERS[base])
    if not after:
        return
    first, own = after[0], rest[: len(rest) - len(after)]
    if base == "uv" and _is_python(first, own):
        yield Candidate(first, base, directories, True)
    elif not first:
        yield Candidate(first, base, directories, False)
    elif _is_command(first):
        for command in named_by(after):
            if command.script:
                yield Candidate(command.name, base, directories, True)
            else:
                yield from _of_words(list(command.words), directories)
    else:
        yield Candidate(first, base, directories, _is_file_name(first))


def _is_python(word: str | None, own: list[str | None]) -> bool:
    """Return whether ``uv run`` runs a file with Python, whatever its mode and first line (uv 0.13.9).

    ``own``: uv's own words before the file.
    """
    if "-s" in own or "--script" in own:
        return True
    return word is not None and word.lower().endswith((".py", ".pyw"))


def _is_untold(base: str, rest: list[str | None]) -> bool:
    """Return whether a command's target is computed at run time or follows rules not implemented here (``env -S``)."""
    if base in SHELLS:
        return shell_operand(rest)[1] is None
    if base == "env":
        return any(word is not None and _ENV_ELSEWHERE.match(word) for word in rest)
    return base in (".", "source", "eval", "trap") and None in (rest if base == "eval" else rest[:1])


def _program_files(base: str, rest: list[str | None], directories: list[str]) -> Iterator[Candidate]:
    """Yield the program files of awk and sed: ``awk -f file``, ``sed -nf file``."""
    (valued, files), index = _PROGRAMS[base], 0
    while index < len(rest):
        word = rest[index] or ""
        index += 1
        if word == "--":
            return
        name, _, value = word.partition("=")
        if name not in _FILE_OPTIONS:
            if not word.startswith("-") or word.startswith("--"):
                continue
            letters = word[1:]
            place = next((place for place, letter in enumerate(letters) if letter in valued), -1)
            if place < 0 or letters[place] not in files:
                index += place >= 0 and place == len(letters) - 1
                continue
            value = letters[place + 1 :]
        if not value and index < len(rest):
            yield Candidate(rest[index], base, directories, True)
            index += 1
        elif value:
            yield Candidate(value, base, directories, True)


def _run(base: str, rest: list[str | None], codes: tuple[str, ...], directories: list[str]) -> Iterator[Candidate]:
    """Yield the operand that an interpreter runs, preceded by words that may instead be the value of an option."""
    is_powershell = base.startswith(("pwsh", "power"))
    if not rest or rest == ["-"]:  # it reads its program from stdin
        yield Candidate(None, base, directories, False)
    for word in rest:
        if word is None:
            yield Candidate(None, base, directories, False)
            return
        option = word.lower() if is_powershell else word
        if option in codes:
            if is_powershell:  # PowerShell code, which is not parsed here
                yield Candidate(None, base, directories, False)
            return
        is_cluster = word.startswith("-") and not word.startswith("--")
        if is_cluster and "c" in word and base.startswith(("zsh", "ksh")):
            yield Candidate(None, base, directories, False)  # with other letters: -lc
            return
        if word.startswith("-") or word in _OWN_WORDS:
            continue
        sure = _is_file_name(word)
        yield Candidate(word, base, directories, sure)
        if sure:
            return


def _words_after_subcommand(words: list[str | None], own: frozenset[str]) -> list[str | None]:
    """Return the words after a launcher's subcommand and options."""
    index = 0
    if "" not in own:
        while index < len(words) and words[index] not in own:
            index += 1
        index += 1
    while index < len(words):
        word = words[index]
        if word is None or not word.startswith("-"):
            break
        index += 1
        if word == "--":
            break
        if word in ("-p", "--package", "--with", "--python", "--extra", "--group", "--directory", "--project"):
            index += 1
    return words[index:]


def _runner(name: str) -> str:
    """Return the name of an interpreter without its version; ``""`` if it is not an interpreter."""
    bare = name.replace("\\", "/").rpartition("/")[2].removesuffix(".exe").rstrip("0123456789.")
    return bare if bare in _RUNNERS else ""


def _is_file_name(word: str) -> bool:
    if "/" in word or "\\" in word:
        return True
    return word.lower().endswith(_SUFFIXES)


def spelled(fs: FileSystem, cwd: str, word: str) -> str:
    """Return a path in the spelling in which the shell opens the file."""
    return plain(fs.absolute(cwd, word))


def is_file(fs: FileSystem, path: str) -> bool:
    """Return whether a path leads to a regular file."""
    try:
        return modes.S_ISREG(fs.stat(path).st_mode)
    except OSError:
        return False


def is_directory(fs: FileSystem, path: str) -> bool:
    """Return whether a path leads to a directory."""
    try:
        return modes.S_ISDIR(fs.stat(path).st_mode)
    except OSError:
        return False


def open_regular(path: str) -> FileIO:
    """Open a regular file of the disk, without blocking on a FIFO or a device. Raises OSError.

    A file that its owner may not read is an error for root too, because with this mode the hook may be unable to run it.
    """
    file = FileIO(os.open(path, os.O_RDONLY | _CAREFUL), "rb")
    try:
        _check_mode(os.fstat(file.fileno()).st_mode, path)
    except OSError:
        file.close()
        raise
    return file


def _check_mode(mode: int, path: str) -> None:
    """Raise ``OSError`` for a file that is not regular, or that its owner may not read."""
    if not modes.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    if not mode & modes.S_IRUSR:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def read_disk(path: str, largest: int = LARGEST) -> bytes:
    """Read a regular file of the disk. Raises OSError, also for one that is too large."""
    with open_regular(path) as file:
        return _bounded(path, file.read, largest)


def _read(fs: FileSystem, path: str) -> bytes:
    _check_mode(fs.stat(path).st_mode, path)
    stream = fs.open(path, READ).retain()
    try:
        return _bounded(path, stream.read, LARGEST)
    finally:
        stream.release()


def _bounded(path: str, read: Callable[[int], bytes], largest: int) -> bytes:
    parts: list[bytes] = []
    left = largest + 1
    while left > 0 and (data := read(min(left, 1 << 20))):
        parts.append(data)
        left -= len(data)
    if left <= 0:
        raise OSError(errno.EFBIG, f"it is larger than {largest} bytes", path)
    return b"".join(parts)


__all__ = [
    "Candidate",
    "Named",
    "Project",
    "Reader",
    "Script",
    "absolute",
    "candidates",
    "is_file",
    "jq_operands",
    "open_regular",
    "path_values",
    "paths_of",
    "read_disk",
    "runs_file",
    "spelled",
]
