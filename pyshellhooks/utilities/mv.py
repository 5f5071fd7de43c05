"""mv: move files (POSIX XCU mv; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
import stat

from ..command import Call, Flag, utility
from ..command.call import reason
from ..fs.base import Stat
from .support.backups import FLAGS as BACKUP_FLAGS
from .support.copying import Copier, inside, only_target, operands, refuse_both
from .support.quoting import quote_name
from .support.records import agrees
from .support.same_file import Sameness, Verdict, differ_in_case


class _Mover:
    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.copier = Copier(call)
        prompt = opts.last_of("force", "interactive", "no_clobber")
        self.interactive, self.no_clobber = prompt == "interactive", prompt == "no_clobber"
        self.update = opts.update
        self.verbose = self.copier.verbose = opts.verbose
        self.copier.moving = True
        self.backup = self.copier.backup

    def fail(self, message: str) -> None:
        self.copier.fail(message)

    def move(self, source: str, goal: str) -> None:
        call, fs = self.call, self.call.fs
        call.check()
        try:
            path = call.path(source)
            file_status = fs.stat(path, follow=False)
        except OSError as error:
            self.fail(f"cannot stat {quote_name(source)}: {reason(error)}")
            return
        old = None
        try:
            there = call.path(goal)
        except OSError as error:
            self.fail(f"cannot move {quote_name(source)} to {quote_name(goal)}: {reason(error)}")
            return
        try:
            old = fs.stat(there, follow=False)
        except FileNotFoundError:
            pass
        except OSError as error:
            self.fail(f"cannot stat {quote_name(goal)}: {reason(error)}")
            return
        if old is None or self._may_replace(source, path, file_status, goal, there, old):
            self._rename(source, goal, path, there, old)

    def _may_replace(self, source: str, path: str, file_status: Stat, goal: str, there: str, old: Stat) -> bool:
        """Return whether the existing target may be replaced; report an error if not."""
        call = self.call
        if self.no_clobber:
            return False
        directory = stat.S_ISDIR(file_status.st_mode)
        sameness = Sameness(call.fs, follow=False, backup=self.backup.on, moving=True)
        if sameness.judge(path, file_status, there, old) is Verdict.SAME:
            # On a disk that ignores case, a rename to another case of the same name is not a mistake.
            if os.path.samestat(file_status, old) and differ_in_case(call.fs, path, file_status, there):
                return True
            self.fail(f"{quote_name(source)} and {quote_name(goal)} are the same file")
            return False
        is_current = old.st_mtime_ns >= file_status.st_mtime_ns
        if self.update and not directory and is_current:
            return False
        if self.interactive and not agrees(call, f"overwrite {quote_name(goal)}? "):
            return False
        # With a backup, the target may be of another kind.
        if not self.backup.on and stat.S_ISDIR(old.st_mode) != directory:
            if directory:
                self.fail(f"cannot overwrite non-directory {quote_name(goal)} with directory {quote_name(source)}")
            else:
                self.fail(f"cannot overwrite directory {quote_name(goal)} with non-directory")
            return False
        if not stat.S_ISDIR(old.st_mode) and self.copier.is_new(old):
            self.fail(f"will not overwrite just-created {quote_name(goal)} with {quote_name(source)}")
            return False
        return True

    def _rename(self, source: str, goal: str, path: str, there: str, old: Stat | None) -> None:
        fs, copier = self.call.fs, self.copier
        note = ending = ""
        if old is not None and self.backup.sets_aside(source):
            ending = copier.set_aside(source, fs.stat(path, follow=False), goal, there)
            if not ending:
                return
            note = f" (backup: {quote_name(goal + ending)})"
        try:
            if source.endswith("/") and copier.is_link(path):
                raise OSError(errno.ENOTDIR, "Not a directory")  # the slash follows the link, which rename(2) refuses
            if stat.S_ISDIR(fs.stat(path, follow=False).st_mode) and fs.root_at(path) is not None:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))  # as rename(2): a root is not copied and removed
            fs.rename(path, there)
        except OSError as error:
            if error.errno == errno.EXDEV:
                self._across(source, goal, path, there, note)
            elif error.errno == errno.EINVAL:
                self.fail(f"cannot move {quote_name(source)} to a subdirectory of itself, {quote_name(goal)}")
            else:
                self.fail(f"cannot move {quote_name(source)} to {quote_name(goal)}: {reason(error)}")
            if ending and copier.status_of(there, follow=False) is None:
                copier.put_back(goal, there, ending)
            return
        copier.remember(there)
        copier.write_verbose(f"renamed {quote_name(source)} -> {quote_name(goal)}{note}")

    def _across(self, source: str, goal: str, path: str, there: str, note: str) -> None:
        """Copy to another file system and remove the source.

        Like rename(2), it replaces only files and empty directories.
        """
        from .rm import remove_tree

        fs, copier = self.call.fs, self.copier
        mode = fs.stat(path, follow=False).st_mode
        if stat.S_IFMT(mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK, stat.S_IFIFO):
            self.fail(f"cannot copy special file {quote_name(source)}")
            return
        try:
            if stat.S_ISDIR(mode):
                fs.rmdir(there)
            else:
                fs.unlink(there)
        except FileNotFoundError:
            pass
        except OSError as error:
            names = f"{quote_name(source)} to {quote_name(goal)}"
            self.fail(f"inter-device move failed: {names}; unable to remove target: {reason(error)}")
            return
        copier.recursive = True
        copier.follow = copier.follow_operands = False
        copier.preserve = {"mode", "timestamps", "links"}
        if copier.copy(source, goal, note=note):
            self.copier.failed |= not remove_tree(self.call, source, verbose=self.verbose)


@utility(
    "mv",
    paths=True,
    summary="Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... SOURCE... DEST",
    flags=[
        *BACKUP_FLAGS,
        Flag("-f", "--force", help="do not prompt before overwriting"),
        Flag("-i", "--interactive", help="prompt before overwrite"),
        Flag("-n", "--no-clobber", help="do not overwrite an existing file"),
        Flag("--strip-trailing-slashes", help="remove any trailing slashes from each SOURCE argument"),
        Flag(
            "-t",
            "--target-directory",
            value="DIRECTORY",
            kind=only_target,
            help="move all SOURCE arguments into DIRECTORY",
        ),
        Flag("-T", "--no-target-directory", help="treat DEST as a normal file"),
        Flag("-u", "--update", help="move only when the SOURCE file is newer than the destination"),
        Flag("-v", "--verbose", help="explain what is being done"),
        Flag("-Z", "--context", help="(no effect: security contexts are not supported)"),
    ],
)
def mv(call: Call) -> int:
    sources, folder = operands(call)
    refuse_both(call.opts, call.opts.last_of("force", "interactive", "no_clobber") == "no_clobber")
    mover = _Mover(call)
    if folder is None:
        mover.move(sources[0], sources[1])
    elif "target_directory" not in call.opts and _changes_case(call, sources, folder):
        mover.move(sources[0], folder)
    else:
        for source in sources:
            mover.move(source, inside(folder, source))
    return int(mover.copier.failed)


def _changes_case(call: Call, sources: list[str], folder: str) -> bool:
    """Return whether ``mv src Src`` renames a directory on a disk that ignores case, where both names are one."""
    if len(sources) != 1 or sources[0] == folder:
        return False
    try:
        path, there = call.path(sources[0]), call.path(folder)
        status, target = call.fs.stat(path, follow=False), call.fs.stat(there, follow=False)
    except OSError:
        return False
    return os.path.samestat(status, target) and differ_in_case(call.fs, path, status, there)
