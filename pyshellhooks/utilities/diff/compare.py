"""Shortest edit between two sequences: Myers' algorithm in linear space (E. W. Myers, Algorithmica 1, 1986).

Among edits of the same length it chooses the same as GNU diff, so that the hunks are identical: which side of a path
wins, which confusing lines are discarded first, and where a run of changes goes that could be in several places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

Check = Callable[[], None]
_FAR = 1 << 60
_LEAST_EFFORT = 4096  # minimum number of steps on a range before a good split is taken instead of the best one
_KEEP, _DROP, _MAYBE = 0, 1, 2
_NOWHERE = (1, 0)  # an empty range of diagonals: paths of the same parity cannot meet in this step


class Edit:
    """The edit: ``changed[f][i + 1]`` is true if line i of file f is deleted or inserted; both ends are False."""

    __slots__ = ("changed", "check", "lines")

    def __init__(self, left: Sequence[int], right: Sequence[int], minimal: bool, check: Check) -> None:
        self.lines = (left, right)
        self.check = check
        self.changed = (bytearray(len(left) + 2), bytearray(len(right) + 2))
        candidates = self._lines_to_search(minimal)
        sides = [[line[at] for at in places] for line, places in zip(self.lines, candidates, strict=True)]
        search = _Search(sides[0], sides[1], check)
        search.compare(0, len(sides[0]), 0, len(sides[1]), minimal)
        for changed, places, marks in zip(self.changed, candidates, search.marks, strict=True):
            for at, mark in zip(places, marks, strict=True):
                if mark:
                    changed[at + 1] = 1
        self._shift(0)
        self._shift(1)

    def _lines_to_search(self, minimal: bool) -> list[list[int]]:
        """Return the lines to search; lines that cannot or should not match are marked as changed and left out."""
        candidates: list[list[int]] = []
        for side in (0, 1):
            own, other = self.lines[side], self.lines[1 - side]
            counts = Counter(other)
            # GNU diff: about five times the square root of a 64th of the lines.
            many, rest = 5, len(own) // 64 >> 2
            while rest > 0:
                many, rest = many * 2, rest >> 2
            found = [counts[line] for line in own]
            if minimal:
                candidates.append(list(range(len(own))))
                continue
            fate = bytearray(_fate(count, many) for count in found)
            _settle(fate)
            places = []
            for at, drop in enumerate(fate):
                if drop:
                    self.changed[side][at + 1] = 1
                else:
                    places.append(at)
            candidates.append(places)
        return candidates

    def _shift(self, side: int) -> None:
        """Shift each run of changes of one file: back while that merges runs, then forward.

        It ends at a change of the other file if there is one to meet.
        """
        lines, changed, other = self.lines[side], self.changed[side], self.changed[1 - side]
        end = len(lines)
        at = across = 0
        while True:
            while at < end and not changed[at + 1]:
                while other[across + 1]:
                    across += 1
                across += 1
                at += 1
            if at >= end:
                return
            self.check()
            start = at
            while changed[at + 1]:
                at += 1
            while other[across + 1]:
                across += 1
            while True:
                length = at - start
                while start and lines[start - 1] == lines[at - 1]:
                    start, at = start - 1, at - 1
                    changed[start + 1], changed[at + 1] = 1, 0
                    while changed[start]:
                        start -= 1
                    across -= 1
                    while other[across + 1]:
                        across -= 1
                if other[across]:
                    meeting = at
                else:
                    meeting = end
                while at < end and lines[start] == lines[at]:
                    changed[start + 1], changed[at + 1] = 0, 1
                    start, at = start + 1, at + 1
                    while changed[at + 1]:
                        at += 1
                    across += 1
                    while other[across + 1]:
                        meeting = at
                        across += 1
                if length == at - start:
                    break
            while meeting < at:
                start, at = start - 1, at - 1
                changed[start + 1], changed[at + 1] = 1, 0
                across -= 1
                while other[across + 1]:
                    across -= 1


def _fate(count: int, many: int) -> int:
    """Return how to treat a line that occurs ``count`` times in the other file."""
    if not count:
        return _DROP
    if count > many:
        return _MAYBE
    return _KEEP


def _settle(fate: bytearray) -> None:
    """Decide about lines that match too often: discard them only inside a run of discarded lines."""
    at, end = 0, len(fate)
    while at < end:
        if fate[at] == _MAYBE:
            fate[at] = _KEEP
        elif fate[at] == _DROP:
            stop = at
            while stop < end and fate[stop] != _KEEP:
                stop += 1
            while fate[stop - 1] == _MAYBE:
                stop -= 1
                fate[stop] = _KEEP
            _settle_run(fate, at, stop)
            at = stop - 1
        at += 1


def _settle_run(fate: bytearray, start: int, stop: int) -> None:
    length = stop - start
    maybe = fate.count(_MAYBE, start, stop)
    if maybe * 4 > length:
        for at in range(start, stop):
            if fate[at] == _MAYBE:
                fate[at] = _KEEP
        return
    # About the square root of a quarter of the run: so many doubtful lines in a row are kept.
    most, rest = 1, length >> 4
    while rest > 0:
        most, rest = most << 1, rest >> 2
    most += 1
    at = start
    while at < stop:
        row = at
        while row < stop and fate[row] == _MAYBE:
            row += 1
        if row - at >= most:
            fate[at:row] = bytes(row - at)
        at = max(row, at + 1)
    _settle_end(fate, range(start, stop))
    _settle_end(fate, range(stop - 1, start - 1, -1))


def _settle_end(fate: bytearray, places: range) -> None:
    """Keep the doubtful lines near one end of a run.

    It stops at three discarded lines in a row, or at a discarded line after eight lines.
    """
    row = 0
    for distance, at in enumerate(places):
        if distance >= 8 and fate[at] == _DROP:
            return
        if fate[at] == _DROP:
            row += 1
            if row == 3:
                return
        else:
            row = 0
            fate[at] = _KEEP


class _Search:
    """Divide and conquer search: it finds the middle of an edit and then searches both halves."""

    __slots__ = ("back", "check", "effort", "forth", "left", "marks", "offset", "right")

    def __init__(self, left: list[int], right: list[int], check: Check) -> None:
        self.left = left
        self.right = right
        self.check = check
        self.marks = (bytearray(len(left)), bytearray(len(right)))
        self.offset = len(right) + 1
        diagonals = len(left) + len(right) + 3
        self.forth = [0] * diagonals
        self.back = [0] * diagonals
        effort = 1
        while diagonals:
            effort, diagonals = effort << 1, diagonals >> 2
        self.effort = max(_LEAST_EFFORT, effort)

    def compare(self, x: int, x_end: int, y: int, y_end: int, minimal: bool) -> None:
        """Mark the differences between two ranges. It uses a stack: halves may nest deeper than Python's recursion."""
        left, right = self.left, self.right
        stack = [(x, x_end, y, y_end, minimal)]
        while stack:
            x, x_end, y, y_end, minimal = stack.pop()
            while x < x_end and y < y_end and left[x] == right[y]:
                x, y = x + 1, y + 1
            while x < x_end and y < y_end and left[x_end - 1] == right[y_end - 1]:
                x_end, y_end = x_end - 1, y_end - 1
            if x == x_end:
                self.marks[1][y:y_end] = b"\1" * (y_end - y)
            elif y == y_end:
                self.marks[0][x:x_end] = b"\1" * (x_end - x)
            else:
                middle_x, middle_y, low_minimal, high_minimal = self._middle(x, x_end, y, y_end, minimal)
                stack.append((middle_x, x_end, middle_y, y_end, high_minimal))
                stack.append((x, middle_x, y, middle_y, low_minimal))

    def _middle(self, x: int, x_end: int, y: int, y_end: int, minimal: bool) -> tuple[int, int, bool, bool]:
        """Extend the farthest paths from both ends, one edit at a time, until they meet; return the point.

        It also returns whether to search each half for the minimal edit.
        """
        offset = self.offset
        forth, back = self.forth, self.back
        lowest, highest = x - y_end + offset, x_end - y + offset
        f_mid, b_mid = x - y + offset, x_end - y_end + offset
        f_low = f_high = f_mid
        b_low = b_high = b_mid
        odd = (f_mid - b_mid) & 1
        forth[f_mid], back[b_mid] = x, x_end
        cost = 0
        while True:
            cost += 1
            self.check()
            if f_low > lowest:
                f_low -= 1
                forth[f_low - 1] = -1
            else:
                f_low += 1
            if f_high < highest:
                f_high += 1
                forth[f_high + 1] = -1
            else:
                f_high -= 1
            meeting = (b_low, b_high) if odd else _NOWHERE
            met = self._advance((x_end, y_end), f_low, f_high, meeting)
            if met is not None:
                return forth[met], forth[met] - met + offset, True, True
            if b_low > lowest:
                b_low -= 1
                back[b_low - 1] = _FAR
            else:
                b_low += 1
            if b_high < highest:
                b_high += 1
                back[b_high + 1] = _FAR
            else:
                b_high -= 1
            meeting = _NOWHERE if odd else (f_low, f_high)
            met = self._retreat((x, y), b_low, b_high, meeting)
            if met is not None:
                return back[met], back[met] - met + offset, True, True
            if not minimal and cost >= self.effort:
                return self._best((x, x_end, y, y_end), (f_low, f_high), (b_low, b_high))

    def _advance(self, ends: tuple[int, int], low: int, high: int, meeting: tuple[int, int]) -> int | None:
        """Extend each path from the start by an edit; return the diagonal on which one meets a path from the end."""
        left, right, forth, back, offset = self.left, self.right, self.forth, self.back, self.offset
        x_end, y_end = ends
        b_low, b_high = meeting
        for diagonal in range(high, low - 1, -2):
            under, over = forth[diagonal - 1], forth[diagonal + 1]
            x = over if under < over else under + 1
            y = x - diagonal + offset
            while x < x_end and y < y_end and left[x] == right[y]:
                x += 1
                y += 1
            forth[diagonal] = x
            if b_low <= diagonal <= b_high and back[diagonal] <= x:
                return diagonal
        return None

    def _retreat(self, starts: tuple[int, int], low: int, high: int, meeting: tuple[int, int]) -> int | None:
        """Extend each path from the end by an edit; return the diagonal on which one meets a path from the start."""
        left, right, forth, back, offset = self.left, self.right, self.forth, self.back, self.offset
        x_start, y_start = starts
        f_low, f_high = meeting
        for diagonal in range(high, low - 1, -2):
            under, over = back[diagonal - 1], back[diagonal + 1]
            x = under if under < over else over - 1
            y = x - diagonal + offset
            while x > x_start and y > y_start and left[x - 1] == right[y - 1]:
                x -= 1
                y -= 1
            back[diagonal] = x
            if f_low <= diagonal <= f_high and x <= forth[diagonal]:
                return diagonal
        return None

    def _best(
        self, box: tuple[int, int, int, int], forths: tuple[int, int], backs: tuple[int, int]
    ) -> tuple[int, int, bool, bool]:
        """Give up on the shortest edit and split at the point that a path reached farthest."""
        x, x_end, y, y_end = box
        offset = self.offset
        f_best, f_x = -1, x
        for diagonal in range(forths[1], forths[0] - 1, -2):
            at = min(self.forth[diagonal], x_end)
            down = at - diagonal + offset
            if down > y_end:
                at, down = y_end + diagonal - offset, y_end
            if f_best < at + down:
                f_best, f_x = at + down, at
        b_best, b_x = _FAR, x_end
        for diagonal in range(backs[1], backs[0] - 1, -2):
            at = max(x, self.back[diagonal])
            down = at - diagonal + offset
            if down < y:
                at, down = y + diagonal - offset, y
            if at + down < b_best:
                b_best, b_x = at + down, at
        if x_end + y_end - b_best < f_best - (x + y):
            return f_x, f_best - f_x, True, False
        return b_x, b_best - b_x, False, True
