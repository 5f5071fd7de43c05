"""Lines of the two files, their keys under the options that ignore differences, and the changes between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...command import Call
from ...command.flags import Options
from ...errors import Stop
from ...regexes import lazy_pattern
from ...text import EVERY, paced, pause
from .compare import Edit

_SPACE = lazy_pattern(rb"[ \t\v\f\r]+")
_BLANKS = b" \t\v\f\r"
_EVEN = lazy_pattern(rb"[\t -~]*")  # lines in which each byte but a tab is one column
_PROBE = 4096  # bytes in which a NUL makes a file binary: GNU's first read, a block of most file systems
Key = Callable[[bytes], bytes]
Write = Callable[[bytes], None]


class Change:
    """A change: lines ``at[0]`` to ``at[0] + count[0]`` of the first file became those of the second.

    ``ignored``: by -B or -I.
    """

    __slots__ = ("at", "count", "ignored")

    def __init__(self, at: tuple[int, int], count: tuple[int, int]) -> None:
        self.at = at
        self.count = count
        self.ignored = False


class Text:
    """The lines of one file, without their newlines; ``whole``: the last line has a newline."""

    __slots__ = ("lines", "whole")

    def __init__(self, data: bytes) -> None:
        self.lines = data.split(b"\n")
        self.whole = not self.lines[-1]
        if self.whole:
            self.lines.pop()

    def lacks_newline(self, at: int) -> bool:
        """Return whether a line is the last one and has no newline."""
        return not self.whole and at == len(self.lines) - 1


class Tabs:
    """Tab stops at every ``every`` columns. A line of more than ``most`` bytes after the expansion raises ``Stop``."""

    __slots__ = ("_most", "every")

    def __init__(self, every: int, most: int) -> None:
        self.every = every
        self._most = most

    def counted(self, line: bytes) -> bytes:
        """Expand tabs to spaces, as -E compares lines: each byte takes a column."""
        tabs = line.count(b"\t")
        if tabs and len(line) + tabs * self.every > self._most:
            raise Stop("limit", f"a line without its tabs is larger than {self._most} bytes", "string")
        return line.expandtabs(self.every) if tabs else line

    def expanded(self, line: bytes, again: bytes = b"") -> bytes:
        """Expand tabs to spaces, as -t does.

        A byte that is not printable ASCII takes no column, and a backspace goes back by one. A carriage return goes to
        the first column, where ``again`` is written.
        """
        plain = self.counted(line)
        if _EVEN.fullmatch(line):
            return plain
        out: list[bytes] = []
        column = 0
        for at, byte in enumerate(paced(line), 1):
            char = b"%c" % byte
            if char == b"\t":
                char = b" " * (self.every - column % self.every)
                column += len(char)
            elif char == b"\r":
                column = 0
                if at < len(line):  # nothing follows a carriage return at the end
                    char += again
            elif char == b"\b":
                char = b"\b" if column else b""
                column -= bool(column)
            elif b" " <= char <= b"~":
                column += 1
            out.append(char)
        return b"".join(out)


def is_binary(data: bytes) -> bool:
    """Return whether a file is binary: it has a NUL near its start."""
    return b"\0" in data[:_PROBE]


def key_of(opts: Options, tabs: Tabs) -> Key | None:
    """Return the function from a line to the part that is compared, or None for the whole line."""
    steps: list[Key] = []
    if opts.ignore_all_space:
        steps.append(lambda line: line.translate(None, _BLANKS))
    elif opts.ignore_space_change:
        steps.append(lambda line: _SPACE.sub(b" ", line.rstrip(_BLANKS)))  # -b also ignores blanks at the end
    else:
        if opts.ignore_tab_expansion:
            steps.append(tabs.counted)
        if opts.ignore_trailing_space:
            steps.append(lambda line: line.rstrip(_BLANKS))
    if opts.ignore_case:
        steps.append(bytes.lower)
    if not steps:
        return None

    def key(line: bytes) -> bytes:
        for step in steps:
            line = step(line)
        return line

    return key


def changes(call: Call, texts: Sequence[Text], key: Key | None, horizon: int, robust: bool) -> list[Change]:
    """Return the changes between two texts, in order.

    ``horizon``: the number of equal lines before and after the difference that the search includes.
    """
    left, right = texts[0].lines, texts[1].lines
    # For the options that ignore blanks at the end of a line, a missing newline is one of these blanks.
    opts = call.opts
    ignores_end = opts.ignore_all_space or opts.ignore_space_change or opts.ignore_trailing_space
    newline_counts = robust and not ignores_end

    def last_differs(one: int, other: int) -> bool:
        return texts[0].lacks_newline(one) != texts[1].lacks_newline(other)

    most = min(len(left), len(right))
    head = _same(left, right)
    if head and last_differs(head - 1, head - 1):
        head -= 1
    head = max(0, head - horizon)
    tail = 0
    if texts[0].whole == texts[1].whole:
        tail = max(0, min(most - head, _same(reversed(left), reversed(right))) - horizon)
    numbers: dict[bytes | tuple[bytes], int] = {}
    sides = []
    for text in texts:
        lines = text.lines[head : len(text.lines) - tail]
        keys: list[bytes | tuple[bytes]] = list(map(key, paced(lines)) if key else lines)
        has_partial_end = not text.whole and not tail
        if newline_counts and has_partial_end and lines:
            # A line without its newline equals no line with one.
            keys[-1] = (bytes(keys[-1]),)  # type: ignore[arg-type]
        # Numbers compare faster than texts, and each line is compared many times.
        sides.append([numbers.setdefault(key, len(numbers)) for key in paced(keys)])
    edit = Edit(sides[0], sides[1], call.opts.minimal, call.check)
    return _script(edit, head)


def _same(left: Iterable[bytes], right: Iterable[bytes]) -> int:
    """Return the number of equal lines at the start."""
    count = 0
    for one, other in zip(paced(left), right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _script(edit: Edit, head: int) -> list[Change]:
    """Return the changes for the marks of both sides."""
    one, other = edit.changed
    ends = len(edit.lines[0]), len(edit.lines[1])
    found: list[Change] = []
    x = y = 0
    while x < ends[0] or y < ends[1]:
        if not x % EVERY:
            pause()
        if one[x + 1] or other[y + 1]:
            x_start, y_start = x, y
            while one[x + 1]:
                x += 1
            while other[y + 1]:
                y += 1
            found.append(Change((x_start + head, y_start + head), (x - x_start, y - y_start)))
        x += 1
        y += 1
    return found
