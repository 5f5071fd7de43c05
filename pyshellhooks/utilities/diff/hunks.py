"""Output formats of diff (POSIX XCU diff; GNU diffutils 3.8): normal, unified, context, ed, forward ed and RCS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...text import encode, paced
from .texts import Change, Text, Write

if TYPE_CHECKING:
    from .settings import Settings

_HEADER, _NUMBERS, _DELETED, _ADDED = "hd", "ln", "de", "ad"
_NO_NEWLINE = b"\\ No newline at end of file\n"


class Printer:
    """Printer of the changes between two texts."""

    def __init__(self, settings: Settings, texts: Sequence[Text], labels: Sequence[str], write: Write) -> None:
        self.settings = settings
        self.texts = texts
        self.labels = labels
        self.write = write
        self.check = settings.call.check
        self.seen = 0  # number of lines that were searched for a function's name
        self.function = b""

    def print(self, changes: list[Change]) -> None:
        style = self.settings.style
        if style in ("unified", "context"):
            self._print_context(changes, style == "unified")
            return
        print_one = {"ed": self._write_for_ed, "forward": self._forward, "rcs": self._rcs}.get(style, self._normal)
        order: Iterable[Change] = changes
        if style == "ed":
            order = reversed(changes)
        for change in paced(order):
            if not change.ignored:
                print_one(change)

    def _line(self, flag: bytes, side: int, at: int, narrow: bool = False) -> None:
        """Write one line after its mark."""
        settings = self.settings
        text = self.texts[side].lines[at]
        if settings.initial_tab and (flag or not narrow):
            flag += b"\t"
        elif flag and not narrow:
            flag += b" "
        if settings.suppress_blank and not text:
            flag = flag.rstrip(b" \t")  # --suppress-blank-empty: neither the mark's blank nor the tab of -T
        if settings.expand:
            again = b"" if settings.style == "unified" else flag
            text = settings.tabs.expanded(text, again)
        common = settings.style == "unified" and flag in (b"", b" ", b"\t")
        part = (_DELETED, _ADDED)[side]
        if common:
            part = ""
        self._write_painted(part, flag + text)
        if self.texts[side].lacks_newline(at):
            self.write(_NO_NEWLINE)

    def _write_painted(self, part: str, text: bytes, rest: bytes = b"") -> None:
        """Write a line; with --color its first part is colored."""
        self.write(self.settings.colors.painted(part, text) + rest + b"\n")

    def _added(self, at: int) -> bytes:
        """Return a line of the second file, for the formats ed, forward ed and RCS."""
        line = self.texts[1].lines[at]
        if not self.settings.expand:
            return line
        return self.settings.tabs.expanded(line)

    def _normal(self, change: Change) -> None:
        self._write_painted(_NUMBERS, _range(change, 0) + _kind(change) + _range(change, 1))
        for side, flag in ((0, b"<"), (1, b">")):
            # POSIX XCU diff: "---" only between the two parts of a change.
            if side and all(change.count):
                self.write(b"---\n")
            for at in paced(range(change.at[side], change.at[side] + change.count[side])):
                self._line(flag, side, at)

    def _rcs(self, change: Change) -> None:
        at, count = change.at, change.count
        if count[0]:
            self.write(b"d%d %d\n" % (at[0] + 1, count[0]))
        if count[1]:
            self.write(b"a%d %d\n" % (at[0] + count[0], count[1]))
            for line in paced(range(at[1], at[1] + count[1])):
                newline = b"" if self.texts[1].lacks_newline(line) else b"\n"
                self.write(self._added(line) + newline)

    def _forward(self, change: Change) -> None:
        """Write the forward ed command for a change and the added lines.

        ed cannot run these commands, since each command changes the line numbers of the next ones.
        """
        self.write(_kind(change) + _range(change, 0).replace(b",", b" ") + b"\n")
        if change.count[1]:
            for at in paced(range(change.at[1], change.at[1] + change.count[1])):
                self.write(self._added(at) + b"\n")
            self.write(b".\n")

    def _write_for_ed(self, change: Change) -> None:
        """Write a change for ed; a line that is a single dot is written as two dots, and corrected by a command."""
        self.write(_range(change, 0) + _kind(change) + b"\n")
        if not change.count[1]:
            return
        inserting = True
        for at in paced(range(change.at[1], change.at[1] + change.count[1])):
            if not inserting:
                self.write(b"a\n")
                inserting = True
            if self.texts[1].lines[at] == b".":
                self.write(b"..\n.\ns/.//\n")
                inserting = False
            else:
                self.write(self._added(at) + b"\n")
        # A final line that was a single dot has already ended the insertion.
        if inserting:
            self.write(b".\n")

    def _print_context(self, changes: list[Change], unified: bool) -> None:
        begun = False
        for hunk in _grouped(changes, self.settings.context):
            self.check()
            if all(change.ignored for change in hunk) and self.settings.trivial(self.texts, hunk):
                continue
            if not begun:
                begun = True
                if unified:
                    marks = (b"---", b"+++")
                else:
                    marks = (b"***", b"---")
                for mark, label in zip(marks, self.labels, strict=True):
                    self._write_painted(_HEADER, mark + b" " + encode(label))
            first, last = hunk[0], hunk[-1]
            bounds = []
            for side in (0, 1):
                low = first.at[side] - self.settings.context
                high = last.at[side] + last.count[side] + self.settings.context
                bounds.append((max(0, low), min(len(self.texts[side].lines), high)))
            if unified:
                self._write_unified(hunk, bounds)
            else:
                self._context(hunk, bounds)

    def _function(self, start: int) -> bytes:
        """Return the last line before a hunk that matches -F or -p, after a blank; empty if none matches."""
        pattern = self.settings.function
        if pattern is None:
            return b""
        for at in range(start - 1, self.seen - 1, -1):
            line = self.texts[0].lines[at]
            if any(one.test(line, scope=self.settings.call.scope) for one in pattern):
                self.function = line.lstrip(b" \t\v\f\r")[:40].rstrip(b" \t\v\f\r")  # GNU: at most 40 bytes
                break
        # Each line is searched once: the function of a later hunk may be this one.
        self.seen = max(self.seen, start)
        if not self.function:
            return b""
        return b" " + self.function

    def _write_unified(self, hunk: list[Change], bounds: list[tuple[int, int]]) -> None:
        (low, high), (other_low, other_high) = bounds
        function = self._function(low)
        self._write_painted(_NUMBERS, b"@@ -%s +%s @@" % (_span(low, high), _span(other_low, other_high)), function)
        at = low
        for change in hunk:
            for line in paced(range(at, change.at[0])):
                self._unified_line(b" ", 0, line)
            for side, flag in ((0, b"-"), (1, b"+")):
                for line in paced(range(change.at[side], change.at[side] + change.count[side])):
                    self._unified_line(flag, side, line)
            at = change.at[0] + change.count[0]
        for line in paced(range(at, high)):
            self._unified_line(b" ", 0, line)

    def _unified_line(self, flag: bytes, side: int, at: int) -> None:
        if self.settings.initial_tab and flag == b" ":
            flag = b""
        self._line(flag, side, at, narrow=not self.settings.initial_tab)

    def _context(self, hunk: list[Change], bounds: list[tuple[int, int]]) -> None:
        function = self._function(bounds[0][0])
        self.write(b"***************" + function + b"\n")
        for side, frame, single in ((0, b"*** %s ****", b"-"), (1, b"--- %s ----", b"+")):
            low, high = bounds[side]
            if high <= low + 1:
                span = b"%d" % high
            else:
                span = b"%d,%d" % (low + 1, high)
            self._write_painted(_NUMBERS, frame % span)
            # POSIX XCU diff: a side without changes shows only its range.
            if not any(change.count[side] for change in hunk):
                continue
            at = low
            for change in hunk:
                start = change.at[side]
                for line in paced(range(at, start)):
                    self._line(b" ", side, line)
                flag = b"!" if all(change.count) else single
                at = start + change.count[side]
                for line in paced(range(start, at)):
                    self._line(flag, side, line)
            for line in paced(range(at, high)):
                self._line(b" ", side, line)


def _kind(change: Change) -> bytes:
    if all(change.count):
        return b"c"
    if change.count[0]:
        return b"d"
    return b"a"


def _range(change: Change, side: int) -> bytes:
    start, count = change.at[side], change.count[side]
    if count < 2:
        return b"%d" % (start + count)
    return b"%d,%d" % (start + 1, start + count)


def _span(low: int, high: int) -> bytes:
    count = high - low
    if count == 1:
        return b"%d" % high
    return b"%d,%d" % (low + 1 if count else low, count)


def _grouped(changes: list[Change], context: int) -> Iterator[list[Change]]:
    """Yield the changes that are close enough for one hunk; an ignored change must be closer to join a hunk."""
    group: list[Change] = []
    for change in changes:
        if group:
            last = group[-1]
            if change.ignored:
                near = context
            else:
                near = 2 * context + 1
            if change.at[0] - (last.at[0] + last.count[0]) >= near:
                yield group
                group = []
        group.append(change)
    if group:
        yield group
