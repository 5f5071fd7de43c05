"""ln: make links (POSIX XCU ln; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
import stat

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


class _Kept(Exception):
    """What has the name stays; ``agreed``: nothing is wrong."""

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

    def link(self, target: str, name: str) -> bool:
        """Make one link; says whether all is well."""
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
            if call.opts.relative:
                parent = fs.realpath(path.rpartition("/")[0] or "/")
                target = relative(fs.realpath(source), parent)
            replacing, saved = self._make_room(target, source, name, path)
            if replacing:
                self._replace(target, source, path)
            else:
                self._make(target, source, path)
            self._made.add(path)
        except _Kept as kept:
            return kept.agreed
        except OSError as error:
            # GNU names the target only where it may be what is wrong.
            bare = target != "" and (self.symbolic or isinstance(error, FileExistsError))
            to = "" if bare else f" {self.arrow} {quote_name(target)}"
            call.error(f"failed to create {self.kind} link {quote_name(name)}{to}: {reason(error)}")
            return False
        if call.opts.verbose:
            call.out.write(encode(f"{saved}{quote_name(name)} {self.arrow} {quote_name(target)}\n"))
        return True

    def _make(self, target: str, source: str, path: str) -> None:
        if self.symbolic:
            self.fs.symlink(target, path)
        else:
            self.fs.link(self.fs.realpath(source) if self.call.opts.logical else source, path)

    def _replace(self, target: str, source: str, path: str) -> None:
        """Make the link beside and rename it: what had the name is lost only for a link that is there."""
        beside = f"{path.rpartition('/')[0]}/Cu{os.urandom(6).hex()}"
        self._make(target, source, beside)
        try:
            self.fs.rename(beside, path)
        finally:
            # One that failed, or two names of one file, which a rename leaves both.
            try:
                self.fs.unlink(beside)
            except FileNotFoundError:
                pass

    def _is_same(self, source: str, path: str, old: Stat) -> bool:
        """Say whether with the name the file itself would go."""
        try:
            found = self.fs.stat(source, follow=self.symbolic or self.call.opts.logical)
        except OSError:
            return False
        if not os.path.samestat(old, found) or (self.symbolic and self.backup.on):
            return False
        (above, _, one), (there, _, other) = source.rpartition("/"), path.rpartition("/")
        return found.st_nlink == 1 or (
            one == other and self.fs.realpath(above or "/") == self.fs.realpath(there or "/")
        )

    def _refuse_directory(self, source: str, target: str, name: str) -> bool:
        """Say whether the target of a hard link is a directory, which no system lets one link."""
        call = self.call
        if not stat.S_ISDIR(self.fs.stat(source, follow=call.opts.logical).st_mode):
            return False
        if call.opts.directory:
            call.error(f"failed to create hard link {quote_name(name)} => {quote_name(target)}: {_REFUSED}")
        else:
            call.error(f"{name_of(target)}: hard link not allowed for directory")
        return True

    def _in_the_way(self, name: str, path: str) -> Stat | None:
        """Return what has the name."""
        try:
            old = self.fs.stat(path, follow=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.call.error(f"failed to access {quote_name(name)}: {reason(error)}")
            raise _Kept(False) from None
        return old

    def _make_room(self, target: str, source: str, name: str, path: str) -> tuple[bool, str]:
        """Set aside what has the name; returns whether it is to be replaced, and how ``-v`` says what was done."""
        call, fs = self.call, self.fs
        if name.endswith("/") and not fs.exists(path.rstrip("/")):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        old = (
            self._in_the_way(name, path)
            if self.how is not None or "backup" in call.opts or "suffix" in call.opts
            else None
        )
        if old is None:
            return False, ""
        if self.how == "interactive" and not agrees(call, f"replace {quote_name(name)}? "):
            raise _Kept(True)
        why = ""
        if stat.S_ISDIR(old.st_mode):
            why = f"{name_of(name)}: cannot overwrite directory"
        elif path in self._made and not self.symbolic:
            why = f"will not overwrite just-created {quote_name(name)} with {quote_name(target)}"
        elif self._is_same(source, path, old):
            why = f"{quote_name(target)} and {quote_name(name)} are the same file"
        if why:
            call.error(why)
            raise _Kept(False)
        if not self.backup.on:
            return True, ""
        ending = self.backup.ending(path)
        fs.rename(path, path + ending)
        return False, f"{quote_name(name + ending)} ~ "


_REFUSED = "Operation not permitted"


def _problem(call: Call, name: str) -> str:
    """Say why a name is no directory to link in."""
    there = name != "" and call.fs.exists(call.path(name))
    return "Not a directory" if there else "No such file or directory"


def _is_folder(call: Call, name: str) -> bool:
    try:
        return stat.S_ISDIR(call.fs.stat(call.path(name), follow="no_dereference" not in call.opts).st_mode)
    except OSError:
        return False


@utility(
    "ln",
    summary="Create links to TARGETs, in the current directory or in DIRECTORY.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... TARGET... [LINK_NAME | DIRECTORY]",
    flags=[
        *BACKUP_FLAGS,
        Flag("-d", "-F", "--directory", help="(refused: no system lets one hard link directories)"),
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
    return 0 if all([linker.link(target, name) for target, name in pairs]) else 1


def _check_goal(call: Call, folder: str) -> None:
    """Refuse what ``-t`` names, unless it is a directory."""
    if _is_folder(call, folder):
        return
    problem = _problem(call, folder)
    if problem.startswith("Not"):
        raise UsageError(f"target {quote_name(folder)} is not a directory", hint=False)
    raise UsageError(f"failed to access {quote_name(folder)}: {problem}", hint=False)


def _pairs(call: Call) -> list[tuple[str, str]]:
    """Return each target with the name of its link."""
    opts, args = call.opts, call.args
    if opts.no_target_directory:
        if "target_directory" in opts:
            raise UsageError("cannot combine --target-directory and --no-target-directory", hint=False)
        if len(args) < 2:
            raise UsageError(f"missing destination file operand after {quote_name(args[0])}")
        if len(args) > 2:
            raise UsageError(f"extra operand {quote_name(args[2])}")
        return [(args[0], args[1])]
    targets, folder = args, opts.value("target_directory")
    if not folder and len(args) == 1:
        folder = "."
    elif not folder and _is_folder(call, args[-1]):
        targets, folder = args[:-1], args[-1]
    elif not folder and len(args) == 2:
        return [(args[0], args[1])]
    elif not folder:
        raise UsageError(f"target {quote_name(args[-1])}: {_problem(call, args[-1])}", hint=False)
    return [(target, f"{folder.rstrip('/')}/{base_of(target)}") for target in targets]
