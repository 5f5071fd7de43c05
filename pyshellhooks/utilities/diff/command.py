"""Implementation of diff: pairs of files, and directories entry by entry."""

from __future__ import annotations

import errno
import os
import stat
import time

from ...command import Call
from ...errors import Stop, UsageError
from ...text import encode
from ...times.moments import moment, strftime
from ..support.lines import check_buffer_size, read_all
from .columns import Columns
from .directories import pairs
from .flags import hinted
from .hunks import Printer
from .pages import Pages
from .settings import Settings
from .texts import Change, Text, Write, changes, is_binary

_DEEPEST = 100  # nested directories
_SPELT = {byte: f"\\{byte:03o}" for byte in (*range(32), *range(128, 256))}
_SPELT |= {ord(char): f"\\{letter}" for char, letter in zip('\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True)}
_COMPARED = (stat.S_IFREG, stat.S_IFLNK)  # the entries of a directory that are compared, besides directories
_KINDS = (
    (stat.S_ISDIR, "directory"),
    (stat.S_ISLNK, "symbolic link"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISCHR, "character special file"),
    (stat.S_ISBLK, "block special file"),
    (stat.S_ISSOCK, "socket"),
)


class Side:
    """One file of a pair: its name, and its status or the error of ``stat``. ``absent``: it counts as empty."""

    __slots__ = ("absent", "error", "found", "name")

    def __init__(
        self, name: str, found: os.stat_result | None = None, error: OSError | None = None, *, absent: bool = False
    ) -> None:
        self.name = name
        self.found = found
        self.error = error
        self.absent = absent

    @property
    def is_dir(self) -> bool:
        if self.found is None:
            return False
        return stat.S_ISDIR(self.found.st_mode)

    @property
    def mode(self) -> int:
        """The kind of the file, as in ``st_mode``; 0 for standard input and for a missing file."""
        if self.found is None:
            return 0
        return stat.S_IFMT(self.found.st_mode)

    @property
    def identity(self) -> tuple[int, int] | None:
        """The device and inode, which are equal for two names of one file; None if the file has no inode."""
        if self.found is None or not self.found.st_ino:
            return None
        return self.found.st_dev, self.found.st_ino

    @property
    def is_missing(self) -> bool:
        if self.error is None:
            return False
        return self.error.errno in (errno.ENOENT, errno.EBADF)

    @property
    def is_closed(self) -> bool:
        """Whether it is an empty file without any permissions."""
        facts = self.found
        if facts is None or not stat.S_ISREG(facts.st_mode):
            return False
        return not facts.st_size and not facts.st_mode & 0o777

    def kind(self) -> str:
        for test, word in _KINDS:
            if test(self.mode):
                return word
        if self.found is None or self.found.st_size:
            return "regular file"
        return "regular empty file"


class Comparison:
    """One call of diff."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.settings = Settings(call)
        self.follow = not call.opts.no_dereference
        self.stdin: bytes | None = None
        self.above: list[list[Side]] = []  # the pairs of directories that contain the current pair
        self.deferred: list[bytes] = []  # messages that -l writes at the end

    def look(self, name: str) -> Side:
        if name == "-":
            return Side(name)
        try:
            return Side(name, self.call.fs.stat(self.call.path(name), follow=self.follow))
        except OSError as error:
            return Side(name, error=error)

    def _marked(self, pair: list[Side], depth: int) -> list[Side]:
        """Return the pair with missing files marked as absent, with -N or -P, if the other file exists.

        An empty file without permissions counts as missing too: ``patch`` creates such files.
        """
        exists = any(side.error is None for side in pair)
        sides: list[Side] = []
        for side, counts in zip(pair, (self.settings.new_first, self.settings.new_file), strict=True):
            # Below the operands a missing file is an error, since its directory listed it.
            is_missing = side.is_closed or (not depth and side.is_missing and exists)
            if counts and is_missing:
                sides.append(Side(side.name, absent=True))
            else:
                sides.append(side)
        return sides

    def operands(self, one: str, other: str) -> int:
        """Compare two operands; a file and a directory are compared by the file of the same name in the directory."""
        pair = self._marked([self.look(one), self.look(other)], 0)
        for side in (0, 1):
            mine, its = pair[side], pair[1 - side]
            is_file = not (its.is_dir or its.absent or its.error)
            if mine.is_dir and is_file:
                if its.name == "-":
                    raise UsageError("cannot compare '-' to a directory", 2, hint=False)  # it has no name to look for
                base = its.name.rstrip("/").rpartition("/")[2]
                pair[side] = self.look(_below(mine.name, self._entry_named(mine.name, base)))
                break
        return self.pair(pair, 0)

    def _entry_named(self, directory: str, name: str) -> str:
        """Return the name of a directory's entry; with --ignore-file-name-case, the entry may differ in case."""
        if not self.settings.fold_names:
            return name
        try:
            names = {entry.name for entry in self.call.fs.scandir(self.call.path(directory))}
        except OSError:
            return name
        if name in names:
            return name
        return min((one for one in names if one.lower() == name.lower()), default=name)

    def pair(self, pair: list[Side], depth: int) -> int:
        """Compare two files or directories; one of them may be absent."""
        one, other = pair
        if self._complained(pair):
            return 2
        if one.absent and other.absent:
            return 0
        if one.absent or other.absent:
            if one.is_dir or other.is_dir:
                return self.directories(pair, depth)
            return self.files(pair, depth)
        if self._is_one_file(pair) and not self.settings.shows_same:
            return 0 if one.is_dir else self._same(pair)
        if one.is_dir and other.is_dir:
            if depth and not self.settings.recursive:
                self._write_message(f"Common subdirectories: {one.name} and {other.name}")
                return 0
            return self.directories(pair, depth)
        if self._differ_in_kind(pair, depth):
            return self._kinds(pair)
        return self.files(pair, depth)

    def _complained(self, pair: list[Side]) -> bool:
        """Report each file that cannot be accessed; return whether there is one."""
        wrong = [(side.name, side.error) for side in pair if side.error is not None]
        for name, error in wrong:
            self.call.fail(name, error)
        return bool(wrong)

    def _is_one_file(self, pair: list[Side]) -> bool:
        """Return whether both names are the same path, so that it need not be read.

        GNU compares inodes, but a virtual file system may use one for several files.
        """
        one, other = pair
        if one.name == "-" or other.name == "-":
            return one.name == other.name
        return self.call.path(one.name) == self.call.path(other.name)

    @staticmethod
    def _differ_in_kind(pair: list[Side], depth: int) -> bool:
        """Return whether two files cannot be compared because of their kinds.

        Below directories, FIFOs and devices are never compared.
        """
        modes = [side.mode for side in pair]
        if depth and not all(mode in _COMPARED for mode in modes):
            return True
        if modes[0] == modes[1]:
            return False
        return any(mode in (stat.S_IFDIR, stat.S_IFLNK) for mode in modes)

    def _kinds(self, pair: list[Side]) -> int:
        names = self._names(pair)
        self._write_message(f"File {names[0]} is a {pair[0].kind()} while file {names[1]} is a {pair[1].kind()}")
        return 1

    def _write_message(self, line: str) -> None:
        if self.call.opts.sdiff_merge_assist:
            line = " " + line  # sdiff copies a line that begins with a blank
        data = encode(line + "\n")
        if self.settings.paginate:
            self.deferred.append(data)  # pr must not read messages as part of a file
            check_buffer_size(self.call, len(self.deferred) * 64 + len(data))
        else:
            self.call.out.write(data)

    def directories(self, pair: list[Side], depth: int) -> int:
        """Compare the entries of two directories in the order of their names."""
        if self.settings.style == "formats":
            raise UsageError("-D option not supported with directories", 2, hint=False)
        if depth > _DEEPEST:
            raise Stop("limit", f"more than {_DEEPEST} nested directories")
        if all(side.absent or self._is_loop(side, place) for place, side in enumerate(pair)):
            self.call.error(f"{pair[pair[0].absent].name}: recursive directory loop")
            return 2
        names: list[list[str]] = []
        for side in pair:
            try:
                found = self.call.fs.scandir(self.call.path(side.name)) if side.is_dir else iter(())
                names.append([entry.name for entry in found if not self.settings.excludes(entry.name)])
            except OSError as unread:
                self.call.fail(side.name, unread)
                return 2
        if depth:
            start = ""
        else:
            start = self.call.opts.value("starting_file")
        status = 0
        self.above.append(pair)
        for entries in pairs(names, start, fold=self.settings.fold_names):
            self.call.check()
            status = max(status, self._entry(pair, entries, depth))
        self.above.pop()
        return status

    def _is_loop(self, side: Side, place: int) -> bool:
        """Return whether a directory is one of its own ancestors."""
        if side.identity is None:
            return False
        return any(pair[place].identity == side.identity for pair in self.above)

    def _entry(self, pair: list[Side], names: tuple[str | None, str | None], depth: int) -> int:
        """Compare two entries of directories. If one is missing, it is absent and has the name of the other."""
        here = str(names[1] if names[0] is None else names[0])
        counts = (self.settings.new_first, self.settings.new_file)
        missing = [name is None for name in names]
        if any(gone and not count for gone, count in zip(missing, counts, strict=True)):
            self._write_message(f"Only in {pair[missing.index(False)].name}: {here}")
            return 1
        looked: list[Side] = []
        for side, name in zip(pair, names, strict=True):
            if name is None:
                looked.append(Side(_below(side.name, here), absent=True))
            else:
                looked.append(self.look(_below(side.name, name)))
        inner = self._marked(looked, depth + 1)
        if any(missing):
            there = inner[missing.index(False)]
            if there.found is not None and stat.S_IFMT(there.found.st_mode) not in (*_COMPARED, stat.S_IFDIR):
                self._write_message(f"Only in {pair[missing.index(False)].name}: {here}")
                return 1
            if there.is_dir and not self.settings.recursive:
                self._write_message(f"Common subdirectories: {inner[0].name} and {inner[1].name}")
                return 0
        return self.pair(inner, depth + 1)

    def _read(self, side: Side) -> bytes:
        if side.absent:
            return b""
        if side.name == "-":
            if self.stdin is None:  # both operands may be "-"
                self.stdin = read_all(self.call, self.call.stdin)
            return self.stdin
        stream = self.call.open_input(side.name)
        try:
            return read_all(self.call, stream)
        finally:
            stream.release()

    def files(self, pair: list[Side], depth: int) -> int:
        """Compare the contents of two files."""
        if any(side.found is not None and stat.S_ISLNK(side.found.st_mode) for side in pair):
            return self._links(pair)
        data = self._contents(pair)
        if len(data) < 2:
            return 2
        same = data[0] == data[1]
        if same and self.settings.is_robust and not self.settings.shows_same:
            return self._same(pair)
        if not self.call.opts.text and any(is_binary(part) for part in data):
            if same:
                return self._same(pair)
            return self._brief(pair, "Files" if self.settings.brief else "Binary files")
        if self.call.opts.strip_trailing_cr:
            data = [part.replace(b"\r\n", b"\n") for part in data]
        return self._texts(pair, data, depth)

    def _contents(self, pair: list[Side]) -> list[bytes]:
        """Return the contents of both files; a file that cannot be read is reported and left out."""
        data: list[bytes] = []
        for side in pair:
            try:
                data.append(self._read(side))
            except OSError as unread:
                self.call.fail(side.name, unread)
        return data

    def _links(self, pair: list[Side]) -> int:
        targets: list[str] = []
        for side in pair:
            try:
                targets.append(self.call.fs.readlink(self.call.path(side.name)))
            except OSError as error:  # a link is compared with an absent file, which has no target
                self.call.fail(side.name, error)
                return 2
        if targets[0] == targets[1]:
            return self._same(pair)
        self._write_message(f"Symbolic links {pair[0].name} and {pair[1].name} differ")
        return 1

    def _same(self, pair: list[Side]) -> int:
        if self.settings.report_same:
            names = self._names(pair)
            self._write_message(f"Files {names[0]} and {names[1]} are identical")
        return 0

    def _names(self, pair: list[Side]) -> list[str]:
        """Return the names for messages: labels take precedence."""
        labels = self.settings.labels
        return labels + [side.name for side in pair][len(labels) :]

    def _brief(self, pair: list[Side], what: str) -> int:
        names = self._names(pair)
        self._write_message(f"{what} {names[0]} and {names[1]} differ")
        return 1

    def _texts(self, pair: list[Side], data: list[bytes], depth: int) -> int:
        settings = self.settings
        texts = [Text(part) for part in data]
        found = changes(self.call, texts, settings.key, settings.horizon, settings.is_robust)
        for change in found:
            change.ignored = settings.trivial(texts, (change,))
        same = all(change.ignored for change in found)
        if settings.brief:
            status = self._same(pair) if same else self._brief(pair, "Files")
        else:
            if not same or settings.shows_same:
                self._print(pair, texts, found, depth)
            status = 0 if same else 1
        if not settings.is_robust:
            for name, text in zip(self._names(pair), texts, strict=True):
                if text.lines and not text.whole:
                    self.call.error(f"{name}: No newline at end of file\n")
                    status = 2
        if status or settings.brief:
            return status
        return self._same(pair)

    def _print(self, pair: list[Side], texts: list[Text], found: list[Change], depth: int) -> None:
        """Write the changes between two texts, after a header with -l and for files of directories."""
        settings = self.settings
        names = [_quoted(name) for name in self._names(pair)]
        header = f"diff{settings.switches} {names[0]} {names[1]}"
        if settings.paginate:
            with Pages(self.call, header) as pages:
                self._write(pair, texts, found, pages.write)
            return
        if depth:
            self.call.out.write(encode(header + "\n"))
        self._write(pair, texts, found, self.call.out.write)

    def _write(self, pair: list[Side], texts: list[Text], found: list[Change], write: Write) -> None:
        settings = self.settings
        if settings.formats is not None:
            settings.formats.print(texts, found, write)
        elif settings.style == "columns":
            Columns(settings, texts, write).print(found)
        else:
            labels = [self._label(side, place) for place, side in enumerate(pair)]
            Printer(settings, texts, labels, write).print(found)

    def _label(self, side: Side, place: int) -> str:
        labels = self.settings.labels
        if place < len(labels):
            return labels[place]
        if side.found is not None:
            when = side.found.st_mtime_ns
        else:
            when = 0 if side.absent else time.time_ns()
        return f"{_quoted(side.name)}\t{strftime(self.settings.time_format, moment(when, self.call.zone))}"


def _below(directory: str, name: str) -> str:
    return f"{directory}{name}" if directory.endswith("/") else f"{directory}/{name}"


def _quoted(name: str) -> str:
    """Quote a name in a header if blanks or special characters would make it ambiguous."""
    if not any(byte in _SPELT or byte == 32 for byte in encode(name)):
        return name
    return '"' + "".join([_SPELT.get(byte) or chr(byte) for byte in encode(name)]) + '"'


def run_diff(call: Call) -> int:
    """Run diff and return the exit status."""
    comparison = Comparison(call)
    status = _compare(comparison, call)
    for line in comparison.deferred:
        call.out.write(line)
    return status


def _compare(comparison: Comparison, call: Call) -> int:
    opts, args = call.opts, call.args
    status = 0
    if "from_file" in opts or "to_file" in opts:
        if "from_file" in opts and "to_file" in opts:
            raise UsageError("--from-file and --to-file both specified", 2, hint=False)
        for name in args:
            if "from_file" in opts:
                status = max(status, comparison.operands(opts.value("from_file"), name))
            else:
                status = max(status, comparison.operands(name, opts.value("to_file")))
        return status
    if len(args) < 2:
        # GNU's message has the last word of argv, in which getopt has moved the operands after the options.
        last = call.argv[-1]
        if args:
            last = args[0]
        raise hinted(f"missing operand after '{last}'", "diff")
    if len(args) > 2:
        raise hinted(f"extra operand '{args[2]}'", "diff")
    return comparison.operands(args[0], args[1])
