"""The run of one call of diff: pairs of files, and directories entry by entry."""

from __future__ import annotations

import errno
import os
import stat
import time

from ...command import Call
from ...command.call import reason
from ...errors import Stop, UsageError
from ...text import encode
from ...times.moments import moment, strftime
from ..support.lines import whole
from .flags import hinted
from .hunks import Printer
from .settings import Settings
from .texts import Text, changes, is_binary

_DEEPEST = 100  # directories in each other
_KINDS = (
    (stat.S_ISDIR, "directory"),
    (stat.S_ISLNK, "symbolic link"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISCHR, "character special file"),
    (stat.S_ISBLK, "block special file"),
    (stat.S_ISSOCK, "socket"),
)


class Side:
    """One file of a pair: its name, and its state or why there is none."""

    __slots__ = ("error", "found", "name")

    def __init__(self, name: str, found: os.stat_result | None, error: OSError | None) -> None:
        self.name = name
        self.found = found
        self.error = error

    @property
    def is_dir(self) -> bool:
        return self.found is not None and stat.S_ISDIR(self.found.st_mode)

    @property
    def absent(self) -> bool:
        return self.error is not None and self.error.errno in (errno.ENOENT, errno.EBADF)

    def kind(self) -> str:
        mode = 0 if self.found is None else self.found.st_mode
        for test, word in _KINDS:
            if test(mode):
                return word
        return "regular file" if self.found is None or self.found.st_size else "regular empty file"


class Comparison:
    """The run of one call."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.settings = Settings(call)
        self.follow = not call.opts.no_dereference
        self.stdin: bytes | None = None

    def look(self, name: str) -> Side:
        if name == "-":
            return Side(name, None, None)
        try:
            return Side(name, self.call.fs.stat(self.call.path(name), follow=self.follow), None)
        except OSError as error:
            return Side(name, None, error)

    def operands(self, one: str, other: str) -> int:
        """Compare two operands; a file and a directory mean the file of the same name in the directory."""
        pair = [self.look(one), self.look(other)]
        for side in (0, 1):
            mine, its = pair[side], pair[1 - side]
            if mine.is_dir and not its.is_dir and its.error is None:
                if its.name == "-":
                    raise UsageError("cannot compare '-' to a directory", 2, hint=False)
                base = its.name.rstrip("/").rpartition("/")[2]
                pair[side] = self.look(_below(mine.name, base))
                break
        return self.pair(pair, 0)

    def pair(self, pair: list[Side], depth: int) -> int:
        """Compare two names, which may be absent on one side."""
        one, other = pair
        if self._may_lack(one, other):
            if other.is_dir or one.is_dir:
                return self.directories(pair, depth)
            return self.files(pair, depth)
        status = 0
        for side in pair:
            if side.error is not None:
                self.call.error(f"{side.name}: {reason(side.error)}")
                status = 2
        if status:
            return status
        if one.is_dir and other.is_dir:
            if depth and not self.settings.recursive:
                self._say(f"Common subdirectories: {one.name} and {other.name}")
                return 0
            return self.directories(pair, depth)
        return self._kinds(pair) if self._differ_in_kind(pair) else self.files(pair, depth)

    def _may_lack(self, one: Side, other: Side) -> bool:
        """Say whether just one is absent and counts as empty."""
        settings = self.settings
        if one.absent and other.error is None:
            return settings.new_first
        return other.absent and one.error is None and settings.new_file

    def _differ_in_kind(self, pair: list[Side]) -> bool:
        modes = [0 if side.found is None else stat.S_IFMT(side.found.st_mode) for side in pair]
        odd = (stat.S_IFDIR, stat.S_IFLNK)
        return modes[0] != modes[1] and any(mode in odd for mode in modes)

    def _kinds(self, pair: list[Side]) -> int:
        one, other = pair
        self._say(f"File {one.name} is a {one.kind()} while file {other.name} is a {other.kind()}")
        return 1

    def _say(self, line: str) -> None:
        self.call.out.write(encode(line + "\n"))

    def directories(self, pair: list[Side], depth: int) -> int:
        """Compare the entries of two directories, in order of their names."""
        if depth > _DEEPEST:
            raise Stop("limit", f"more than {_DEEPEST} directories in each other")
        names: list[set[str]] = []
        for side in pair:
            try:
                found = self.call.fs.scandir(self.call.path(side.name)) if side.is_dir else iter(())
                names.append({entry.name for entry in found if not self.settings.excludes(entry.name)})
            except OSError as error:
                self.call.error(f"{side.name}: {reason(error)}")
                return 2
        start = self.call.opts.value("starting_file") if not depth else ""
        status = 0
        for name in sorted(names[0] | names[1], key=encode):
            self.call.check()
            if start and encode(name) < encode(start):
                continue
            status = max(status, self._entry(pair, name, [name in some for some in names], depth))
        return status

    def _entry(self, pair: list[Side], name: str, there: list[bool], depth: int) -> int:
        inner = [
            self.look(_below(side.name, name)) if here else Side(_below(side.name, name), None, _absent())
            for side, here in zip(pair, there, strict=True)
        ]
        if not all(there) and not self._may_lack(*inner):
            self._say(f"Only in {pair[there.index(True)].name}: {name}")
            return 1
        if not all(there) and any(side.is_dir for side in inner) and not self.settings.recursive:
            self._say(f"Common subdirectories: {inner[0].name} and {inner[1].name}")
            return 0
        return self.pair(inner, depth + 1)

    def _read(self, side: Side) -> bytes:
        if side.absent:
            return b""
        if side.name == "-":
            if self.stdin is None:
                self.stdin = whole(self.call, self.call.stdin)
            return self.stdin
        stream = self.call.open_input(side.name)
        try:
            return whole(self.call, stream)
        finally:
            stream.release()

    def files(self, pair: list[Side], depth: int) -> int:
        """Compare the contents of two files."""
        one, other = pair
        if all(side.found is not None and stat.S_ISLNK(side.found.st_mode) for side in pair):
            return self._links(pair)
        data: list[bytes] = []
        for side in pair:
            try:
                data.append(self._read(side))
            except OSError as error:
                self.call.error(f"{side.name}: {reason(error)}")
                return 2
        same = data[0] == data[1]
        if same:
            return self._same(pair)
        if not self.call.opts.text and any(is_binary(part) for part in data):
            return self._brief(pair, "Files" if self.settings.brief else "Binary files")
        if self.call.opts.strip_trailing_cr:
            data = [part.replace(b"\r\n", b"\n") for part in data]
        return self._texts(pair, data, depth)

    def _links(self, pair: list[Side]) -> int:
        targets = [self.call.fs.readlink(self.call.path(side.name)) for side in pair]
        return self._same(pair) if targets[0] == targets[1] else self._brief(pair, "Symbolic links")

    def _same(self, pair: list[Side]) -> int:
        if self.settings.report_same:
            self._say(f"Files {pair[0].name} and {pair[1].name} are identical")
        return 0

    def _names(self, pair: list[Side]) -> list[str]:
        """Return the names to show: labels go before."""
        labels = self.settings.labels
        return labels + [side.name for side in pair][len(labels) :]

    def _brief(self, pair: list[Side], what: str) -> int:
        names = self._names(pair)
        self._say(f"{what} {names[0]} and {names[1]} differ")
        return 1

    def _texts(self, pair: list[Side], data: list[bytes], depth: int) -> int:
        settings = self.settings
        texts = [Text(part) for part in data]
        robust = settings.style != "ed"
        found = changes(self.call, texts, settings.key, settings.horizon, robust)
        for change in found:
            change.ignored = settings.trivial(texts, (change,))
        if all(change.ignored for change in found):
            return self._same(pair)
        if settings.brief:
            return self._brief(pair, "Files")
        if depth:
            names = [_quoted(name) for name in self._names(pair)]
            self._say(f"diff{settings.switches} {names[0]} {names[1]}")
        labels = [self._label(side, place) for place, side in enumerate(pair)]
        Printer(settings, texts, labels).print(found)
        if robust:
            return 1
        for side, text in zip(pair, texts, strict=True):
            if not text.whole and text.lines:
                self.call.error(f"{side.name}: No newline at end of file\n")
        return 1

    def _label(self, side: Side, place: int) -> str:
        labels = self.settings.labels
        if place < len(labels):
            return labels[place]
        if side.found is not None:
            when = side.found.st_mtime_ns
        else:
            when = 0 if side.absent else time.time_ns()
        zone = self.call.zone
        return f"{_quoted(side.name)}\t{strftime('%Y-%m-%d %H:%M:%S.%N %z', moment(when, zone))}"


def _absent() -> OSError:
    return OSError(errno.ENOENT, "No such file or directory")


def _below(directory: str, name: str) -> str:
    return f"{directory}{name}" if directory.endswith("/") else f"{directory}/{name}"


def _quoted(name: str) -> str:
    """Quote a name in a header, where blanks or other signs would make it hard to read back."""
    if not any(char in ' "\\' or char < " " for char in name):
        return name
    escapes = {"\\": "\\\\", '"': '\\"', "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    inner = "".join(escapes.get(char) or (f"\\{ord(char):03o}" if char < " " else char) for char in name)
    return f'"{inner}"'


def run_diff(call: Call) -> int:
    """Run one call."""
    comparison = Comparison(call)
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
        raise hinted(f"missing operand after '{call.argv[-1]}'", "diff")
    if len(args) > 2:
        raise hinted(f"extra operand '{args[2]}'", "diff")
    return comparison.operands(args[0], args[1])
