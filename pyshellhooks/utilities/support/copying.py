"""Copying of files and trees for cp, and for mv if it cannot rename (GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
import stat

from ...command.call import Call, reason
from ...command.flags import Options, RawArgument
from ...errors import UsageError
from ...fs.base import Stat
from ...streams.base import Stream
from ...text import encode
from ..basename import base_of
from .backups import Backup
from .quoting import name_of, quote_name
from .records import agrees
from .same_file import Sameness, Verdict, replace_by_link


class Copier:
    """The options of a copy, set by cp, or by mv for its purpose."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.fs = call.fs
        self.recursive = False
        self.follow = True  # links as operands and inside trees
        self.follow_operands = True
        self.same_device = False  # -x
        self.device = 0  # the device of the operand
        self.default_mode = False  # --no-preserve=mode
        self.preserve: set[str] = set()  # mode, timestamps, links
        self.force = False
        self.no_clobber = False
        self.interactive = False
        self.update = False
        self.verbose = False
        self.moving = False  # for mv: the source is removed after the copy
        self.hard_links = False
        self.symbolic_links = False
        self.attributes_only = False
        self.backup = Backup(call)
        self.remove_destination = False
        self.failed = False
        self._copied: dict[tuple[int, int], str] = {}
        self._made: set[tuple[int, int]] = set()
        self._operands: set[tuple[int, int, str]] = set()

    def fail(self, message: str) -> bool:
        self.call.error(message)
        self.failed = True
        return False

    def write_verbose(self, text: str) -> None:
        if self.verbose:
            self.call.out.write(encode(text + "\n"))

    def status_of(self, path: str, follow: bool) -> Stat | None:
        try:
            return self.fs.stat(path, follow=follow)
        except FileNotFoundError:
            return None

    def remember(self, there: str) -> None:
        """Remember a created file, so that another source of the same name does not overwrite it."""
        made = self.status_of(there, follow=False)
        if made is not None:
            self._made.add((made.st_dev, made.st_ino))

    def is_new(self, old: Stat) -> bool:
        """Return whether this call created a file that it would now overwrite."""
        return (old.st_dev, old.st_ino) in self._made and not self.backup.numbered

    def is_link(self, path: str) -> bool:
        """Return whether a path, without trailing slashes, is a symbolic link."""
        found = self.status_of(path.rstrip("/") or "/", follow=False)
        return found is not None and stat.S_ISLNK(found.st_mode)

    # --- one file or tree --------------------------------------------------------------------------------------

    def copy(
        self,
        source: str,
        goal: str,
        *,
        operand: bool = True,
        above: tuple[tuple[int, int], ...] = (),
        note: str = "",
    ) -> bool:
        """Copy one file or tree; names are written as the user wrote them. Return whether all of it succeeded.

        ``above``: the directories that contain it; ``note``: the text at the end of its ``--verbose`` line.
        """
        self.call.check()
        follow = self.follow_operands if operand else self.follow
        try:
            path = self.call.path(source)
            file_status = self.fs.stat(path, follow=follow)
        except OSError as error:
            return self.fail(f"cannot stat {quote_name(source)}: {reason(error)}")
        directory = stat.S_ISDIR(file_status.st_mode)
        if directory and not self.recursive:
            return self.fail(f"-r not specified; omitting directory {quote_name(source)}")
        try:
            there = self.call.path(goal)
        except OSError as error:
            return self._not_made(source, goal, file_status, error)
        if operand:
            self.device = file_status.st_dev
            if self._is_repeated(source, file_status):
                return True
        try:
            old = self._looked_at(file_status, goal, there)
            self._check(source, file_status, goal, there, old, operand)
            if directory:
                return self._directory(source, path, goal, there, file_status, above)
            ending = self._make_room(source, file_status, goal, there, old, follow)
        except _Skip:
            return True
        except _Refused:
            return False
        if ending:
            note = f" (backup: {quote_name(goal + ending)})"
        if self._leaf(source, path, goal, there, file_status, note):
            return True
        return bool(ending) and self.put_back(goal, there, ending)

    def _check(self, source: str, file_status: Stat, goal: str, there: str, old: Stat | None, operand: bool) -> None:
        """Raise ``_Skip`` if the existing file stays, or report an error and raise ``_Refused``."""
        try:
            if old is not None:
                follow = self.follow_operands if operand else self.follow
                self._check_replacement(source, file_status, goal, there, old, follow)
                self._check_kinds(source, file_status, goal, old, operand)
            if operand:
                self._check_link(source, goal, there)
        except OSError as error:
            raise self._refused(f"cannot stat {quote_name(goal)}: {reason(error)}") from None

    def _make_room(self, source: str, file_status: Stat, goal: str, there: str, old: Stat | None, follow: bool) -> str:
        """Back up or remove the file that will be replaced. Return the suffix of its backup, or ""."""
        if self.symbolic_links and not source.startswith("/") and not self._here(there):
            # In another directory the relative link would name another file.
            raise self._refused(f"{name_of(goal)}: can make relative symbolic links only in current directory")
        if old is None:
            return ""
        if self.backup.sets_aside(source):
            ending = self.set_aside(source, file_status, goal, there)
            if not ending:
                raise _Refused
            return ending
        if self._removes(file_status, old, follow) and not self._clear(goal, there):
            raise _Refused
        return ""

    def _is_repeated(self, source: str, file_status: Stat) -> bool:
        """Return whether an operand was given before; if so, print a warning."""
        # With backups, the first copy survives as the backup of the second, so GNU copies again.
        may_repeat = self.backup.on or stat.S_ISDIR(file_status.st_mode)
        known = file_status.st_dev, file_status.st_ino, source
        if known in self._operands and not may_repeat:
            self.call.error(f"warning: source file {quote_name(source)} specified more than once")
            return True
        self._operands.add(known)
        return False

    def set_aside(self, source: str, file_status: Stat, goal: str, there: str) -> str:
        """Rename the existing file to its backup. Return its suffix, or "" after an error, which is reported."""
        there = there.rstrip("/") or "/"
        if self.backup.is_of(source, file_status, there):
            what = "moved" if self.moving else "copied"
            self.fail(f"backing up {quote_name(goal)} might destroy source;  {quote_name(source)} not {what}")
            return ""
        try:
            ending = self.backup.ending(there)
            self.fs.rename(there, there + ending)
        except OSError as error:
            self.fail(f"cannot backup {quote_name(goal)}: {reason(error)}")
            return ""
        return ending

    def put_back(self, goal: str, there: str, ending: str) -> bool:
        """Rename a backup back because the copy failed. Return False, as the copy is still a failure."""
        there = there.rstrip("/") or "/"
        try:
            self.fs.rename(there + ending, there)
        except OSError as error:
            return self.fail(f"cannot un-backup {quote_name(goal)}: {reason(error)}")
        self.write_verbose(f"{quote_name(goal + ending)} -> {quote_name(goal)} (unbackup)")
        return False

    def _looked_at(self, file_status: Stat, goal: str, there: str) -> Stat | None:
        """Return the status of the existing file, through a link if the copy is written through it."""
        try:
            return self.status_of(there, follow=self._writes_through(file_status))
        except OSError as error:
            raise self._refused(f"cannot stat {quote_name(goal)}: {reason(error)}") from None

    def _check_replacement(
        self, source: str, file_status: Stat, goal: str, there: str, old: Stat, follow: bool
    ) -> None:
        """Raise unless a file may be replaced and the user agrees to it."""
        verdict = Verdict.FINE
        if not self.no_clobber:
            verdict = self._sameness(follow).judge(self.call.path(source), file_status, there, old)
            if verdict is Verdict.SAME:
                raise self._refused(f"{quote_name(source)} and {quote_name(goal)} are the same file")
        if not stat.S_ISDIR(file_status.st_mode):
            is_current = old.st_mtime_ns >= file_status.st_mtime_ns
            if self.no_clobber or (self.update and is_current):
                raise _Skip
            if self.interactive and not agrees(self.call, f"overwrite {quote_name(goal)}? "):
                raise _Skip
        # Only now: GNU prompts for a link to the same file too, which it then leaves alone.
        if verdict is Verdict.DONE:
            raise _Skip

    def _check_kinds(self, source: str, file_status: Stat, goal: str, old: Stat, operand: bool) -> None:
        """Refuse to replace a directory by a file or the reverse, or to overwrite the copy of another operand."""
        directory = stat.S_ISDIR(file_status.st_mode)
        if directory != stat.S_ISDIR(old.st_mode):
            if directory:
                names = f"non-directory {quote_name(goal)} with directory {quote_name(source)}"
                raise self._refused(f"cannot overwrite {names}")
            raise self._refused(f"cannot overwrite directory {quote_name(goal)} with non-directory")
        if not directory and operand and self.is_new(old):
            raise self._refused(f"will not overwrite just-created {quote_name(goal)} with {quote_name(source)}")

    def _check_link(self, source: str, goal: str, there: str) -> None:
        """Refuse to write through a link that the copy of another operand created."""
        if self.backup.on:
            return  # the link is renamed, so nothing is written through it
        named = self.status_of(there, follow=False)
        if named is not None and stat.S_ISLNK(named.st_mode) and self.is_new(named):
            raise self._refused(f"will not copy {quote_name(source)} through just-created symlink {quote_name(goal)}")

    def _sameness(self, follow: bool) -> Sameness:
        return Sameness(
            self.fs,
            follow=follow,
            backup=self.backup.on,
            moving=self.moving,
            clears=self.remove_destination,
            hard_links=self.hard_links,
            symbolic_links=self.symbolic_links,
        )

    def _refused(self, message: str) -> _Refused:
        self.fail(message)
        return _Refused()

    def _writes_through(self, file_status: Stat) -> bool:
        """Return whether a link at the destination is followed."""
        replaces = self.remove_destination or self.backup.on
        if replaces or self.hard_links or self.symbolic_links:
            return False
        if stat.S_ISLNK(file_status.st_mode):
            return False
        return stat.S_ISREG(file_status.st_mode) or not self.recursive

    def _leaf(self, source: str, path: str, goal: str, there: str, file_status: Stat, note: str) -> bool:
        """Copy anything but a directory. Return whether it succeeded."""
        try:
            report = f"{quote_name(source)} -> {quote_name(goal)}{note}"
            if not self.moving:
                self.write_verbose(report)
            if self.hard_links or self.symbolic_links:
                return self._link(source, path, goal, there)
            if self._as_twin(file_status, goal, there):
                return True
            if self.moving:
                self.write_verbose(f"copied {report}")
            if not self._create(source, path, goal, there, file_status):
                return False
        except BrokenPipeError:
            raise  # SIGPIPE ends GNU's without a message
        except OSError as error:
            return self._not_made(source, goal, file_status, error)
        self.remember(there)
        self._copied[file_status.st_dev, file_status.st_ino] = there
        return True

    def _create(self, source: str, path: str, goal: str, there: str, file_status: Stat) -> bool:
        """Create a link, a FIFO or a file as a copy of one. Return whether it succeeded."""
        if stat.S_ISLNK(file_status.st_mode):
            self.fs.symlink(self.fs.readlink(path), there)
            return True
        if self.recursive and stat.S_ISFIFO(file_status.st_mode):
            return self._fifo(goal, there, file_status)
        # Without -R, cp reads a FIFO or a device as if it were a file.
        if self.recursive and not stat.S_ISREG(file_status.st_mode):
            return self.fail(f"cannot copy special file {quote_name(source)}")
        if not self._content(source, path, goal, there, file_status):
            return False
        self._attributes(there, file_status)
        return True

    def _not_made(self, source: str, goal: str, file_status: Stat, error: OSError) -> bool:
        """Report that the destination could not be created."""
        what, end = "regular file", ""
        if stat.S_ISDIR(file_status.st_mode):
            what = "directory"
        elif self.hard_links:
            what, end = "hard link", f" to {quote_name(source)}"
        elif self.symbolic_links:
            what, end = "symbolic link", f" to {quote_name(source)}"
        elif stat.S_ISLNK(file_status.st_mode):
            what = "symbolic link"
        return self.fail(f"cannot create {what} {quote_name(goal)}{end}: {reason(error)}")

    def _as_twin(self, file_status: Stat, goal: str, there: str) -> bool:
        """Hard-link the destination to an earlier copy of the same file. Return whether there was one."""
        if "links" not in self.preserve:
            return False
        # When mv moves a file, its names that were moved before are gone, so they do not count as links.
        if file_status.st_nlink <= 1 and not self.moving:
            return False
        twin = self._copied.get((file_status.st_dev, file_status.st_ino))
        if twin is None:
            return False
        if self._clear(goal, there):
            self.fs.link(twin, there)
        return True

    def _clear(self, goal: str, there: str) -> bool:
        """Remove the file at the destination. Return whether it is gone."""
        try:
            self.fs.unlink(there)
        except FileNotFoundError:
            return True
        except OSError as error:
            return self.fail(f"cannot remove {quote_name(goal)}: {reason(error)}")
        self.write_verbose(f"removed {quote_name(goal)}")
        return True

    def _removes(self, file_status: Stat, old: Stat, follow: bool) -> bool:
        """Return whether a file is removed before it is replaced, so that its other hard links keep their content."""
        if self.attributes_only or self.remove_destination:
            return self.remove_destination
        if "links" in self.preserve and old.st_nlink > 1:
            return True
        return not follow and not stat.S_ISREG(file_status.st_mode)

    def _link(self, source: str, path: str, goal: str, there: str) -> bool:
        """Create a hard or a symbolic link instead of a copy."""
        kind = "hard" if self.hard_links else "symbolic"

        def make(at: str) -> None:
            if not self.hard_links:
                self.fs.symlink(source, at)
            elif self.follow:
                self.fs.link(self.fs.realpath(path), at)
            else:
                self.fs.link(path, at)

        # With -i the user has agreed to the replacement before; of symbolic links GNU wants -f all the same.
        replaces = self.force or (self.hard_links and self.interactive)
        try:
            try:
                make(there)
            except FileExistsError:
                if not replaces:
                    raise
                replace_by_link(self.fs, make, there)
        except OSError as error:
            arrow = f"{quote_name(goal)} to {quote_name(source)}"
            return self.fail(f"cannot create {kind} link {arrow}: {reason(error)}")
        self.remember(there)
        return True

    def _here(self, there: str) -> bool:
        """Return whether a path is in the working directory; True if unknown, as the copy then fails anyway."""
        try:
            return os.path.samestat(self.fs.stat(there.rpartition("/")[0] or "/"), self.fs.stat(self.call.cwd))
        except OSError:
            return True

    def _content(self, source: str, path: str, goal: str, there: str, file_status: Stat) -> bool:
        """Copy the bytes of a file. Return whether it succeeded."""
        fs, call = self.fs, self.call
        try:
            stream = fs.open(path, os.O_RDONLY).retain()
        except OSError as error:
            return self.fail(f"cannot open {quote_name(source)} for reading: {reason(error)}")
        try:
            # For instance, the source is a link to a file that was just backed up.
            if not os.path.samestat(file_status, fs.stat(path)):
                return self.fail(f"skipping file {quote_name(source)}, as it was replaced while being copied")
            if goal.endswith("/"):
                raise OSError(errno.ENOTDIR, "Not a directory")
            old = self.status_of(there, follow=False)
            if old is not None and stat.S_ISLNK(old.st_mode) and self.status_of(there, follow=True) is None:
                return self.fail(f"not writing through dangling symlink {quote_name(goal)}")
            out = self._open_copy(there, file_status, exists=old is not None)
            try:
                while not self.attributes_only and (chunk := stream.read(65536)):
                    call.check()
                    out.write(chunk)
            finally:
                out.release()
        finally:
            stream.release()
        return True

    def _fifo(self, goal: str, there: str, file_status: Stat) -> bool:
        try:
            mode = 0o666 if self.default_mode else stat.S_IMODE(file_status.st_mode)
            self.fs.mkfifo(there, mode & ~self.call.umask)
        except OSError as error:
            return self.fail(f"cannot create fifo {quote_name(goal)}: {reason(error)}")
        self._attributes(there, file_status)
        return True

    def _attributes(self, there: str, file_status: Stat) -> None:
        if "mode" in self.preserve:
            self.fs.chmod(there, stat.S_IMODE(file_status.st_mode))
        if "timestamps" in self.preserve:
            self.fs.utime(there, (file_status.st_atime_ns, file_status.st_mtime_ns))

    def _open_copy(self, there: str, file_status: Stat, *, exists: bool) -> Stream:
        """Open the destination of a file; with --force an existing one that cannot be opened is removed first."""
        mode = 0o666 if self.default_mode else stat.S_IMODE(file_status.st_mode)
        mode &= ~self.call.umask & 0o777
        flags = os.O_WRONLY | os.O_CREAT
        if not self.attributes_only:
            flags |= os.O_TRUNC
        try:
            return self.fs.open(there, flags, mode).retain()
        except OSError:
            if not self.force or not exists:
                raise
            self.fs.unlink(there)
            return self.fs.open(there, flags, mode).retain()

    def _directory(
        self, source: str, path: str, goal: str, there: str, file_status: Stat, above: tuple[tuple[int, int], ...]
    ) -> bool:
        """Copy a directory and all in it. Return whether all of it succeeded."""
        fs = self.fs
        identity = file_status.st_dev, file_status.st_ino
        if identity in above:
            return self.fail(f"cannot copy cyclic symbolic link {quote_name(source)}")
        parent = fs.realpath(there)
        if f"{parent}/".startswith(f"{fs.realpath(path).rstrip('/')}/"):
            return self.fail(f"cannot copy a directory, {quote_name(source)}, into itself, {quote_name(goal)}")
        made = self.status_of(there, follow=True) is None
        mode = stat.S_IMODE(file_status.st_mode)
        problem = f"cannot create directory {quote_name(goal)}"
        try:
            if made:
                # Writable by us until its content is there; the mode proper is set after the loop below.
                fs.mkdir(there, mode & ~self.call.umask | 0o700)
                report = f"{quote_name(source)} -> {quote_name(goal)}"
                self.write_verbose(f"created directory {quote_name(goal)}" if self.moving else report)
            problem = f"cannot access {quote_name(source)}"
            entries = sorted(fs.scandir(path), key=lambda entry: entry.name)
        except OSError as error:
            return self.fail(f"{problem}: {reason(error)}")
        if self.same_device and file_status.st_dev != self.device:
            entries = []  # with -x a directory of another file system is created but left empty
        good = True
        for entry in entries:
            inner = f"{source.rstrip('/')}/{entry.name}"
            inner_goal = f"{goal.rstrip('/')}/{entry.name}"
            if not self.copy(inner, inner_goal, operand=False, above=(*above, identity)):
                good = False
        if "mode" in self.preserve:
            fs.chmod(there, mode)
        elif made:
            fs.chmod(there, mode & ~self.call.umask)
        # Last, as each entry that was created changed the directory's time.
        if "timestamps" in self.preserve:
            fs.utime(there, (file_status.st_atime_ns, file_status.st_mtime_ns))
        return good


class _Skip(Exception):
    """This file is left alone without an error."""


class _Refused(Exception):
    """This file is left alone because of an error, which has been reported."""


def refuse_both(opts: Options, no_clobber: bool) -> None:
    """Refuse --backup together with --no-clobber."""
    if no_clobber and ("backup" in opts or "suffix" in opts):
        raise UsageError("options --backup and --no-clobber are mutually exclusive")


def only_target(argument: RawArgument) -> str:
    """Return the value of ``-t``, which may be given only once."""
    if "target_directory" in argument.before:
        raise UsageError("multiple target directories specified", hint=False)
    return argument.text


def operands(call: Call) -> tuple[list[str], str | None]:
    """Return the sources of cp and mv and the target directory; if None, the second source is the destination."""
    sources, folder = _split(call)
    if call.opts.strip_trailing_slashes:
        stripped = [source.rstrip("/") or source[:1] for source in sources]
        sources = stripped if folder is not None else [stripped[0], *sources[1:]]
    return sources, folder


def _split(call: Call) -> tuple[list[str], str | None]:
    opts, args, fs = call.opts, call.operands(), call.fs
    if not args:
        raise UsageError("missing file operand")
    if "target_directory" in opts:
        folder = opts.value("target_directory")
        if opts.no_target_directory:
            raise UsageError("cannot combine --target-directory (-t) and --no-target-directory (-T)", hint=False)
        try:
            mode = fs.stat(call.path(folder)).st_mode
        except OSError as error:
            raise UsageError(f"target directory {quote_name(folder)}: {reason(error)}", hint=False)
        if not stat.S_ISDIR(mode):
            raise UsageError(f"target directory {quote_name(folder)}: Not a directory", hint=False)
        return args, folder
    if len(args) == 1:
        raise UsageError(f"missing destination file operand after {quote_name(args[0])}")
    if opts.no_target_directory:
        if len(args) > 2:
            raise UsageError(f"extra operand {quote_name(args[2])}")
        return args, None
    try:
        if stat.S_ISDIR(fs.stat(call.path(args[-1])).st_mode):
            return args[:-1], args[-1]
        problem = "Not a directory"
    except OSError as error:
        problem = reason(error)
    if len(args) > 2:
        raise UsageError(f"target {quote_name(args[-1])}: {problem}", hint=False)
    return args, None


def inside(folder: str, source: str) -> str:
    """Return the path that a source gets inside a directory."""
    base = base_of(source)
    if base == "/":
        return folder
    # A source ".." is copied into the directory itself.
    last = "." if base == ".." else base
    above = folder.rstrip("/")
    if folder and not above:
        above = "/"
    return f"{above}/{last}".replace("//", "/")
