"""ln: make links (POSIX XCU ln; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
import stat
from typing import NoReturn

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..fs.base import Stat
from ..text import encode
from .basename import base_of
from .realpath import relative
from .support.backups import FLAGS as BACKUP_FLAGS
from .support.backups import Backup
from .support.copying import only_target
from .support.quoting import name_of, quote_name
from .support.records import agrees
from .support.same_file import replace_by_link


class _NotReplaced(Exception):
    """The existing file of the name is kept; ``agreed``: this is not an error."""

    def __init__(self, agreed: bool) -> None:
        self.agreed = agreed


class _Linker:
    """The links of one call."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.fs = call.fs
        self.symbolic = opts.symbolic
        self.arrow, self.kind = ("->", "symbolic") if opts.symbolic else ("=>", "hard")
        self.how = opts.last_of("force", "interactive")
        self.backup = Backup(call)
        self._made: set[str] = set()
        self._aside = ""  # suffix of the name of the backup, empty without one

    def link(self, target: str, name: str) -> bool:
        """Create one link; return whether it succeeded."""
        call, fs = self.call, self.fs
        path = call.path(name) if name else ""
        try:
            source = call.path(target) if target else ""
            if not self.symbolic and self._refuse_directory(source, target, name):
                return False
        except OSError as error:
            call.error(f"failed to access {quote_name(target)}: {reason(error)}")
            return False
        try:
            if call.opts.relative and target:
                parent = fs.realpath(path.rpartition("/")[0] or "/")
                target = relative(fs.realpath(source), parent)
            self._aside = ""
            self._check_destination(name, path)
            try:
                self._make(target, source, path)
            except FileExistsError:
                # Only after this first attempt: no backup and no prompt if the link cannot be created at all.
                if not self._replaces:
                    raise
                self._make_again(target, source, name, path)
            self._made.add(path)
        except _NotReplaced as kept:
            return kept.agreed
        except OSError as error:
            self._fail(target, name, path, error)
            return False
        if call.opts.verbose:
            saved = f"{quote_name(name + self._aside)} ~ " if self._aside else ""
            call.out.write(encode(f"{saved}{quote_name(name)} {self.arrow} {quote_name(target)}\n"))
        return True

    def _check_destination(self, name: str, path: str) -> None:
        """Raise an error if the name is an existing directory, or ends with a slash and does not exist."""
        if name.endswith("/") and not self.fs.exists(path.rstrip("/")):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        if not self._replaces:
            return  # the system call fails for a directory
        old = self._in_the_way(name, path)
        if old is not None and stat.S_ISDIR(old.st_mode):
            self._refuse(f"{name_of(name)}: cannot overwrite directory")

    def _fail(self, target: str, name: str, path: str, error: OSError) -> None:
        """Report that a link could not be created, and restore the backup."""
        # GNU's message contains the target only if it may be the cause of the error.
        bare = target != "" and (self.symbolic or isinstance(error, FileExistsError))
        to = "" if bare else f" {self.arrow} {quote_name(target)}"
        self.call.error(f"failed to create {self.kind} link {quote_name(name)}{to}: {reason(error)}")
        self._put_back(name, path)

    def _put_back(self, name: str, path: str) -> None:
        """Rename a backup to its old name, since no link could be created in its place."""
        if self._aside:
            try:
                self.fs.rename(path + self._aside, path)
            except OSError as error:
                self.call.error(f"cannot un-backup {quote_name(name)}: {reason(error)}")

    @property
    def _replaces(self) -> bool:
        return self.how is not None or self.backup.on

    def _make_again(self, target: str, source: str, name: str, path: str) -> None:
        """Create a link in the place of an existing file."""
        if self._make_room(target, source, name, path):
            replace_by_link(self.fs, lambda beside: self._make(target, source, beside), path)
        else:
            self._make(target, source, path)

    def _make(self, target: str, source: str, path: str) -> None:
        if self.symbolic:
            self.fs.symlink(target, path)
            return
        if self.call.opts.logical:
            source = self.fs.realpath(source)
        self.fs.link(source, path)

    def _is_same(self, source: str, path: str, old: Stat) -> bool:
        """Return whether replacing the name would remove the target file itself."""
        if self.call.opts.relative:  # the link will point to the resolved file
            source = self.fs.realpath(source.rstrip("/") or "/")
        try:
            file_status = self.fs.stat(source, follow=self.symbolic or self.call.opts.logical)
        except OSError:
            return False
        if self.symbolic and self.backup.on:
            return False  # the backup keeps the file
        if not os.path.samestat(old, file_status):
            return False
        if file_status.st_nlink == 1:
            return True
        # The file has other names; it is lost only if the target is this very name.
        (above, _, one), (there, _, other) = source.rpartition("/"), path.rpartition("/")
        return one == other and self.fs.realpath(above or "/") == self.fs.realpath(there or "/")

    def _refuse_directory(self, source: str, target: str, name: str) -> bool:
        """Return whether the target of a hard link is a directory, which is reported: no system allows such links."""
        call = self.call
        if not stat.S_ISDIR(self.fs.stat(source, follow=call.opts.logical).st_mode):
            return False
        if call.opts.directory:
            call.error(f"failed to create hard link {quote_name(name)} => {quote_name(target)}: {_REFUSED}")
        else:
            call.error(f"{name_of(target)}: hard link not allowed for directory")
        return True

    def _in_the_way(self, name: str, path: str) -> Stat | None:
        """Return the status of the existing file with the name, or None."""
        try:
            old = self.fs.stat(path, follow=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.call.error(f"failed to access {quote_name(name)}: {reason(error)}")
            raise _NotReplaced(False) from None
        return old

    def _make_room(self, target: str, source: str, name: str, path: str) -> bool:
        """Back up the existing file if required; return whether the name must still be replaced."""
        old = self._in_the_way(name, path)
        if old is None:
            return False
        if path in self._made and self._keeps_made():
            self._refuse(f"will not overwrite just-created {quote_name(name)} with {quote_name(target)}")
        same = self._is_same(source, path, old)
        if self.how == "interactive":
            if not agrees(self.call, f"replace {quote_name(name)}? "):
                raise _NotReplaced(True)
            # GNU's ln would remove the file now that the user has agreed.
        if same:
            self._refuse(f"{quote_name(target)} and {quote_name(name)} are the same file")
        if not self.backup.on:
            return True
        self._aside = self._set_aside(name, path)
        # If both names are hard links of one file, rename(2) does nothing and the name still exists.
        return self._in_the_way(name, path) is not None

    def _keeps_made(self) -> bool:
        """Return whether a link of this call must not be replaced by another one of it, as ``ln -f a/x b/x c`` would."""
        return not self.symbolic and self.how == "force" and not self.backup.numbered

    def _refuse(self, message: str) -> NoReturn:
        self.call.error(message)
        raise _NotReplaced(False)

    def _set_aside(self, name: str, path: str) -> str:
        try:
            ending = self.backup.ending(path)
            self.fs.rename(path, path + ending)
        except OSError as error:
            self.call.error(f"cannot backup {quote_name(name)}: {reason(error)}")
            raise _NotReplaced(False) from None
        return ending


_REFUSED = "Operation not permitted"


def _problem(call: Call, name: str) -> str:
    """Return the error for a name that is not a directory."""
    if name == "" or _goal(call, name) is None:
        return "No such file or directory"
    return "Not a directory"


def _is_folder(call: Call, name: str) -> bool:
    found = _goal(call, name)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _goal(call: Call, name: str) -> Stat | None:
    """Return the status of the last operand, or None; with ``-n`` a symbolic link is not followed."""
    try:
        return call.fs.stat(call.path(name), follow="no_dereference" not in call.opts)
    except OSError:
        return None


@utility(
    "ln",
    paths=True,
    summary="Create links to TARGETs, in the current directory or in DIRECTORY.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... TARGET... [LINK_NAME | DIRECTORY]",
    flags=[
        *BACKUP_FLAGS,
        Flag("-d", "-F", "--directory", help="(refused: systems don't allow hard links to directories)"),
        Flag("-i", "--interactive", help="prompt whether to remove destinations"),
        Flag("-f", "--force", help="remove existing destination files"),
        Flag("-L", "--logical", help="dereference TARGETs that are symbolic links"),
        Flag("-n", "--no-dereference", help="treat LINK_NAME as a normal file if it is a link to a directory"),
        Flag("-P", "--physical", help="make hard links directly to symbolic links (default)"),
        Flag("-r", "--relative", help="with -s, create links relative to link location"),
        Flag("-s", "--symbolic", help="make symbolic links instead of hard links"),
        Flag(
            "-t",
            "--target-directory",
            value="DIRECTORY",
            kind=only_target,
            help="specify the DIRECTORY in which to create the links",
        ),
        Flag("-T", "--no-target-directory", help="treat LINK_NAME as a normal file always"),
        Flag("-v", "--verbose", help="print name of each linked file"),
    ],
)
def ln(call: Call) -> int:
    if "target_directory" in call.opts:
        _check_goal(call, call.opts.value("target_directory"))
    if not call.args:
        raise UsageError("missing file operand")
    if call.opts.relative and not call.opts.symbolic:
        raise UsageError("cannot do --relative without --symbolic", hint=False)
    pairs = _pairs(call)
    linker = _Linker(call)
    status = 0
    for target, name in pairs:
        if not linker.link(target, name):
            status = 1
    return status


def _check_goal(call: Call, folder: str) -> None:
    """Raise UsageError if the argument of ``-t`` is not a directory."""
    if _is_folder(call, folder):
        return
    problem = _problem(call, folder)
    if problem.startswith("Not"):
        raise UsageError(f"target {quote_name(folder)} is not a directory", hint=False)
    raise UsageError(f"failed to access {quote_name(folder)}: {problem}", hint=False)


def _pairs(call: Call) -> list[tuple[str, str]]:
    """Return each target with the name of its link."""
    opts, args = call.opts, call.operands()
    if opts.no_target_directory:
        if "target_directory" in opts:
            raise UsageError("cannot combine --target-directory and --no-target-directory", hint=False)
        if len(args) < 2:
            raise UsageError(f"missing destination file operand after {quote_name(args[0])}")
        if len(args) > 2:
            raise UsageError(f"extra operand {quote_name(args[2])}")
        return [(args[0], args[1])]
    targets, folder = args, opts.value("target_directory")
    if not folder:
        if len(args) == 1:
            folder = "."
        elif _is_folder(call, args[-1]):
            targets, folder = args[:-1], args[-1]
        elif len(args) == 2:
            return [(args[0], args[1])]
        else:
            raise UsageError(f"target {quote_name(args[-1])}: {_problem(call, args[-1])}", hint=False)
    return [(target, f"{folder.rstrip('/')}/{base_of(target)}") for target in targets]
