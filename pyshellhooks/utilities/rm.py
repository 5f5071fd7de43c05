"""rm: remove files (POSIX XCU rm; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import stat
from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, Options, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode, paced
from .support.kinds import Choice
from .support.quoting import quote_name
from .support.records import agrees
from .support.roots import refuses_root


class _Removal:
    """One call of rm."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.fs = call.fs
        self.recursive = opts.recursive or "R" in opts
        self.directories = opts.dir
        self.verbose = opts.verbose
        last = opts.last_of("force", "i", "I", "interactive")
        self.force = _ignores_missing(opts)
        when = opts.value("interactive", "always") if last == "interactive" else ""
        self.prompts = last == "i" or when == "always"
        self.prompts_once = last == "I" or when == "once"
        self.failed = False
        self.same_device = opts.one_file_system
        self.device = 0  # the device of the operand

    def fail(self, name: str, error: OSError) -> bool:
        self.call.error(f"cannot remove {quote_name(name)}: {reason(error)}")
        self.failed = True
        return False

    def operand(self, name: str) -> None:
        if name.rstrip("/").rpartition("/")[2] in (".", "..") and self._removes_directory(name):
            self.call.error(f"refusing to remove '.' or '..' directory: skipping {quote_name(name)}")
            self.failed = True
            return
        try:
            path = self.call.path(name)
            file_status = self.fs.stat(path, follow=False)
        except OSError as error:
            is_missing = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL)
            if not (self.force and is_missing):
                self.fail(name, error)
            return
        self.device = file_status.st_dev
        self.remove(name, path, file_status.st_mode)

    def _removes_directory(self, name: str) -> bool:
        return self.recursive or (self.directories and self._is_empty(self.call.path(name)))

    def remove(self, name: str, path: str, mode: int) -> bool:
        """Remove one file or tree. Return whether it was removed."""
        self.call.check()
        if stat.S_ISDIR(mode):
            return not self._keeps(name, path) and self.remove_directory(name, path)
        if self.prompts and not agrees(self.call, f"remove {self.kind(path, mode)} {quote_name(name)}? "):
            return False
        try:
            self.fs.unlink(path)
        except OSError as error:
            # Another process may have removed it since its directory was read.
            if self.force and error.errno == errno.ENOENT:
                return True
            return self.fail(name, error)
        if self.verbose:
            self.call.out.write(encode(f"removed {quote_name(name)}\n"))
        return True

    def _keeps(self, name: str, path: str) -> bool:
        """Return whether a directory must stay because it is a root or a mount point, at or below an operand."""
        try:
            refused = self.recursive and refuses_root(self.call, name, self.fs.root_at(path))
        except OSError as error:
            self.fail(name, error)
            return True
        self.failed |= refused
        return refused

    def kind(self, path: str, mode: int) -> str:
        """Return the kind of a file as the prompt names it (gnulib file_type)."""
        if stat.S_ISLNK(mode):
            return "symbolic link"
        if stat.S_ISREG(mode):
            return "regular file" if self.fs.stat(path, follow=False).st_size else "regular empty file"
        if stat.S_ISFIFO(mode):
            return "fifo"
        return "character special file" if stat.S_ISCHR(mode) else "special file"

    def remove_directory(self, name: str, path: str) -> bool:
        if not self.recursive:
            if not self.directories:
                return self.fail(name, OSError(errno.EISDIR, "Is a directory"))
            if not self._is_empty(path):
                return self.fail(name, OSError(errno.ENOTEMPTY, "Directory not empty"))
            return self._rmdir(name, path)
        try:
            entries = sorted(self.fs.scandir(path), key=lambda entry: entry.name)
        except OSError as error:
            return self._remove_unread(name, path, error)
        # GNU prompts twice for a directory with entries: before it descends, and before it removes the directory.
        if entries and self.prompts and not agrees(self.call, f"descend into directory {quote_name(name)}? "):
            return False
        prefix = name if name.endswith("/") else f"{name}/"
        empty = True
        for entry in entries:
            if not self._remove_entry(prefix + entry.name, f"{path.rstrip('/')}/{entry.name}"):
                empty = False
        return empty and self._rmdir(name, path)

    def _remove_entry(self, name: str, path: str) -> bool:
        """Remove an entry of a directory. Return whether it is gone."""
        try:
            file_status = self.fs.stat(path, follow=False)
        except FileNotFoundError:
            return True
        is_other_device = stat.S_ISDIR(file_status.st_mode) and file_status.st_dev != self.device
        if self.same_device and is_other_device:
            self.call.error(f"skipping {quote_name(name)}, since it's on a different device")
            self.failed = True
            return False
        return self.remove(name, path, file_status.st_mode)

    def _is_empty(self, path: str) -> bool:
        try:
            return not any(True for _ in self.fs.scandir(path))
        except OSError:
            return True  # the removal reports the error

    def _rmdir(self, name: str, path: str) -> bool:
        if self.prompts and not agrees(self.call, f"remove directory {quote_name(name)}? "):
            return False
        try:
            self.fs.rmdir(path)
        except OSError as error:
            if self.force and error.errno in (errno.ENOENT, errno.ENOTDIR):
                return False
            return self.fail(name, error)
        self._report_removed(name)
        return True

    def _remove_unread(self, name: str, path: str, why: OSError) -> bool:
        """Remove a directory that cannot be read. This succeeds if it is empty."""
        try:
            if self.prompts or why.errno != errno.EACCES:
                raise why
            self.fs.rmdir(path)
        except OSError:
            return self.fail(name, why)
        self._report_removed(name)
        return True

    def _report_removed(self, name: str) -> None:
        if self.verbose:
            self.call.out.write(encode(f"removed directory {quote_name(name)}\n"))


def _root(argument: RawArgument) -> str:
    if argument.text != "all":
        raise UsageError(f"unrecognized --preserve-root argument: {quote_name(argument.text)}", hint=False)
    return argument.text


_WHEN = Choice(("never", "no", "none"), ("once",), ("always", "yes"))


def _ignores_missing(opts: Options) -> bool:
    """Return whether missing files are ignored: after ``-f``, unless a later option turns prompting on."""
    quiet = False
    for dest, value in opts.given:
        prompts = dest in ("i", "I") or (dest == "interactive" and value != "never")
        if prompts:
            quiet = False
        elif dest == "force":
            quiet = True
    return quiet


class _RmFlags(Flags):
    """Options of rm. ``--no-preserve-root`` must not be abbreviated, because of its effect."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        full = "--no-preserve-root"
        for word in argv:
            if word == "--":
                break
            is_abbreviation = len(word) > 2 and word != full
            if is_abbreviation and full.startswith(word):
                raise UsageError("you may not abbreviate the --no-preserve-root option", hint=False)
        return super().parse(argv, env)


@utility(
    "rm",
    paths=True,
    summary="Remove (unlink) the FILE(s).",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=_RmFlags(
        [
            Flag("-f", "--force", help="ignore nonexistent files and arguments, never prompt"),
            Flag("-i", help="prompt before every removal"),
            Flag("-I", help="prompt once before removing more than three files, or when removing recursively"),
            Flag(
                "--interactive",
                value="WHEN",
                optional=True,
                kind=_WHEN,
                help="prompt: never, once (-I), or always (-i)",
            ),
            Flag("--one-file-system", help="skip directories on other file systems than their operand's"),
            Flag("--no-preserve-root", help="do not treat '/' and mount points specially; a drive or share stays"),
            Flag(
                "--preserve-root",
                value="all",
                optional=True,
                kind=_root,
                help="do not remove '/' or a mount point (default)",
            ),
            Flag("-r", "--recursive", help="remove directories and their contents recursively"),
            Flag("-R", help="the same as -r"),
            Flag("-d", "--dir", help="remove empty directories"),
            Flag("-v", "--verbose", help="explain what is being done"),
        ]
    ),
)
def rm(call: Call) -> int:
    removal = _Removal(call)
    if not call.args:
        if removal.force:
            return 0
        raise UsageError("missing operand")
    count = len(call.args)
    removes_much = removal.recursive or count > 3
    if removal.prompts_once and removes_much:
        plural = "s" if count > 1 else ""
        how = " recursively" if removal.recursive else ""
        if not agrees(removal.call, f"remove {count} argument{plural}{how}? "):
            return 0
    for name in paced(call.args):
        removal.operand(name)
    return int(removal.failed)


def remove_tree(call: Call, name: str, *, verbose: bool) -> bool:
    """Remove a file or tree for mv, which has copied it to another place. Return whether it was removed."""
    removal = _Removal(call)
    removal.recursive, removal.verbose, removal.prompts = True, verbose, False
    path = call.path(name)
    return removal.remove(name, path, call.fs.stat(path, follow=False).st_mode)
