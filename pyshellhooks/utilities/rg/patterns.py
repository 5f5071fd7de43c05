"""The patterns of a call and their compilation (Rust's regex crate, or PCRE with ``-P``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...command import Call
from ...errors import UsageError
from ...patterns.emit import Options
from ...patterns.engines import Regex, Spans
from ...patterns.flavors.rust import Parsed, parse_all
from ...patterns.flavors.rust_classes import ASCII_WORD, WORD
from ...patterns.lines import LineFinder
from ...patterns.perl import PerlRegex, compile_perl
from ...patterns.tree import (
    Alternation,
    Anchor,
    Bracket,
    Char,
    Concatenation,
    Dot,
    Group,
    Node,
    PatternError,
    Repeat,
    every_node,
)
from ...regexes import lazy_pattern
from ...text import encode, paced, remembered
from ..support.lines import read_all
from .settings import Settings, Switches

if TYPE_CHECKING:
    from ...cancel import CancelScope

_EMPTY = "(?:z{0})*"  # an empty pattern, in a form that may be an alternative
_END = (
    "the literal '\"{}\"' is not allowed in a regex\n\n"
    "Consider enabling multiline mode with the --multiline flag (or -U for short).\n"
    "When multiline mode is enabled, new line characters can be matched."
)
_LOOK = (
    "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around."
)  # fmt: skip


class Pattern:
    """The compiled patterns of a call.

    ``names``: numbers of the named groups. ``across``: a match may contain a line end. ``lines``: the finder of
    matching lines.
    """

    __slots__ = ("_first", "_regex", "across", "lines", "names")

    def __init__(
        self, regex: Regex | PerlRegex, lines: LineFinder, *, names: dict[str, int], across: bool, first: int
    ) -> None:
        self._regex = regex
        self._first = first  # the group that is the match; with -w the whole match includes neighbouring characters
        self.lines = lines
        self.names = names
        self.across = across

    def searcher(self, data: bytes, scope: CancelScope | None) -> Callable[[int], Spans | None]:
        """Return a function that finds the first match from an offset on: the spans of the match and of its groups."""
        regex, first = self._regex, self._first
        if isinstance(regex, Regex):
            search = regex.searcher(data, scope)
        else:

            def search(at: int) -> Spans | None:
                return regex.search(data, at, scope=scope)

        if not first:
            return search
        return lambda at: None if (found := search(at)) is None else found[first:]

    def test(self, data: bytes, scope: CancelScope | None) -> bool:
        """Return whether the data contains a match."""
        return self._regex.test(data, scope=scope)

    def matches(self, data: bytes, scope: CancelScope | None, at: int = 0) -> Iterator[Spans]:
        """Yield the matches in order, without an empty one directly after another match."""
        search = self.searcher(data, scope)
        previous = -1
        turns = 0
        while at <= len(data) and (spans := search(at)) is not None:
            low, high = spans[0]
            at = high + (low == high)
            if low < high or high != previous:
                yield spans
            previous = high
            turns += 1
            if not turns & 255 and scope is not None:
                scope.check()


def patterns_of(call: Call) -> list[str] | None:
    """Return the patterns of a call: those of options, else the first operand; None if there is neither."""
    opts = call.opts
    result: list[str] = opts.all("regexp")
    for name in opts.all("file"):
        result += _pattern_file(call, name)
    if "regexp" in opts or "file" in opts:
        return result
    if not call.args:
        return None
    return [call.args.pop(0)]


def _pattern_file(call: Call, name: str) -> list[str]:
    stream = call.open_input(name)
    try:
        data = read_all(call, stream)
    finally:
        stream.release()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        shown = "<stdin>" if name == "-" else name
        line = data[: _first_invalid(data)].count(b"\n") + 1
        raise UsageError(f"{shown}:{line}: the pattern is not UTF-8", hint=False) from None
    if not text:
        return []
    lines = text.removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in paced(lines)]


def _first_invalid(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def compile_patterns(patterns: list[str], settings: Settings) -> Pattern:
    """Compile the patterns of a call. Raise ``UsageError`` with ripgrep's messages."""
    engine = settings.engine
    if engine != "pcre2":
        try:
            return _rust(tuple(patterns), settings.switches)
        except UsageError as error:
            if engine == "default":
                if error.message.endswith(("is not supported", "are not supported")):
                    raise UsageError(error.message + _LOOK, hint=False) from None
                raise
    return _perl(tuple(patterns), settings.switches)


@remembered(64)
def _rust(patterns: tuple[str, ...], switches: Switches) -> Pattern:
    text = "|".join([_written(pattern, switches) for pattern in paced(patterns)])
    try:
        parsed, ignore_case = _parsed(text, switches)
        tree = parsed.tree
        by_line = not switches.multiline and not switches.records
        if by_line:
            _refuse_ends(tree, "\r\n" if switches.crlf else "\n")
        if switches.crlf:
            tree = _before_return(tree, by_line)
        groups = parsed.groups
        if switches.word:
            tree = _word(tree, switches)
            groups += 1
        options = Options(
            ignore_case,
            newline_anchors=True,
            newline_dot=switches.multiline or switches.records,
            captures=groups > 0,
            utf8=switches.unicode,
            first=True,
        )
        regex = Regex(tree, groups, options, prove=_is_provable(tree, text), warnings=())
        if not regex.provable:
            regex.test(b"")  # the engine now reports if the pattern is too large
            regex.test(b"\xc3\xa9")
    except PatternError as error:
        raise UsageError(_shown(text, error), hint=False) from None
    except RecursionError:
        raise UsageError("regex parse error: the expression nests too deeply", hint=False) from None
    across = switches.multiline and _takes_newline(tree)
    first = int(switches.word)
    return Pattern(regex, LineFinder(tree, options, regex), names=parsed.names, across=across, first=first)


def _written(pattern: str, switches: Switches) -> str:
    if switches.fixed:
        pattern = "".join(["\\" + char if char in _SPECIAL else char for char in paced(pattern)])
    if switches.whole_lines:
        pattern = f"^(?:{pattern})$"
    return pattern or _EMPTY


_SPECIAL = frozenset("\\.+*?()|[]{}^$#&-~")


def _parsed(text: str, switches: Switches) -> tuple[Parsed, bool]:
    """Parse the patterns. Return also whether the whole ignores case."""
    if not (switches.unicode or switches.fixed or text.isascii()):
        first = next(at for at, char in enumerate(text) if char > "\x7f")
        raise PatternError("Unicode not allowed here", first)
    flags = "m" + "u" * switches.unicode + "s" * switches.dot_all
    if switches.unicode:
        subject = text
    else:
        subject = encode(text).decode("latin-1")
    ignore_case = switches.case == "ignore"
    if not ignore_case or _LETTERS_ONLY.search(text):
        parsed = parse_all(subject, flags + "i" * ignore_case, bytes_too=True)
        if switches.case != "smart" or parsed.has_upper or not parsed.has_literal:
            return parsed, False
        if _LETTERS_ONLY.search(text):
            return parse_all(subject, flags + "i", bytes_too=True), False
    # One option for all is faster than a flag on each letter.
    return parse_all(subject, flags, bytes_too=True), True


_ESCAPED = lazy_pattern(r"(?s)\\.")
# Matches anything but letters and operators: case cannot be decided for the whole then.
_LETTERS_ONLY = lazy_pattern(r"\(\?|\[|\\[pPwWsSdDbBxuU]|[^\x00-\x7f]")


def _shown(text: str, error: PatternError) -> str:
    """Format a syntax error as the crate does, with a mark below its position."""
    if error.offset < 0:
        return error.message
    at = min(error.offset, len(text))
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    if end < 0:
        end = len(text)
    else:
        end = min(end, at + 1000)
    start = max(start, at - 1000)  # a pattern may be one long line
    line = text[start:end]
    mark = " " * (at - start) + "^"
    return f"regex parse error:\n    {line}\n    {mark}\nerror: {error.message}"


def _before_return(tree: Node, by_line: bool) -> Node:
    """Return a tree in which line ends also match before a carriage return, which no other part matches by line."""
    if isinstance(tree, Anchor) and tree.kind == "$":
        return Concatenation([Repeat(Char("\r"), 0, 1, lazy=True), tree])
    if isinstance(tree, Concatenation):
        return Concatenation([_before_return(part, by_line) for part in paced(tree.parts)])
    if isinstance(tree, Alternation):
        return Alternation([_before_return(choice, by_line) for choice in paced(tree.choices)])
    if isinstance(tree, Group):
        return Group(tree.number, _before_return(tree.body, by_line))
    if isinstance(tree, Repeat):
        return Repeat(_before_return(tree.body, by_line), tree.least, tree.most, tree.lazy)
    if not by_line:
        return tree
    if isinstance(tree, Dot):
        return Bracket("\r\n", negated=True)
    if isinstance(tree, Bracket):
        return _without_return(tree)
    return tree


def _without_return(chars: Bracket) -> Bracket:
    if chars.negated:
        return Bracket(chars.chars + "\r", chars.ranges, chars.classes, negated=True)
    ranges = [part for pair in chars.ranges for part in _ranges_without_line_ends(*pair)]
    return Bracket(chars.chars.replace("\r", ""), tuple(ranges), chars.classes)


def _ranges_without_line_ends(low: str, high: str) -> list[tuple[str, str]]:
    if not low <= "\r" <= high:
        return [(low, high)]
    return [(left, right) for left, right in ((low, "\f"), ("\x0e", high)) if left <= right]


def _refuse_ends(tree: Node, ends: str) -> None:
    """Raise if a part of the pattern can match only a line end."""
    for node in paced(every_node(tree)):
        found: set[str] = set()
        if isinstance(node, Char):
            found = {node.char}
        elif isinstance(node, Bracket) and not node.negated and not node.classes:
            found = {*node.chars, *(end for pair in node.ranges for end in pair)}
        if found and found.issubset(ends):
            raise PatternError(_END.format(repr(min(found))[1:-1]))


def _takes_newline(tree: Node) -> bool:
    """Return whether a match may contain a line end."""
    for node in paced(every_node(tree)):
        if isinstance(node, Dot):
            return True
        if isinstance(node, Char) and node.char == "\n":
            return True
        if isinstance(node, Bracket) and _may_be_newline(node):
            return True
    return False


def _may_be_newline(chars: Bracket) -> bool:
    if any(name.startswith("\\P") for name in chars.classes):
        return True  # a negated property may include it
    is_member = "\n" in chars.chars or any(low <= "\n" <= high for low, high in chars.ranges)
    return is_member != chars.negated


def _word(tree: Node, switches: Switches) -> Node:
    """Return a tree for ``-w``.

    It also matches the characters around the match, which are not word characters; group 1 is the match.
    """
    word = WORD if switches.unicode else ASCII_WORD
    other = Bracket(word.chars, word.ranges, word.classes, negated=True)
    end: Node = Anchor("$")
    if switches.crlf:
        end = _before_return(end, True)
    return Concatenation([Alternation([Anchor("^"), other]), Group(1, tree), Alternation([end, other])])


def _is_provable(tree: Node, text: str) -> bool:
    """Return whether ``re`` may decide about ASCII data.

    It has no properties, and the Kelvin sign does not match k there.
    """
    if not text.isascii():
        return False
    for node in paced(every_node(tree)):
        if isinstance(node, Bracket) and any(map(_is_property, node.classes)):
            return False
    return True


def _is_property(name: str) -> bool:
    return name.startswith("\\")


@remembered(64)
def _perl(patterns: tuple[str, ...], switches: Switches) -> Pattern:
    text = "|".join([_written(pattern, switches) for pattern in paced(patterns)])
    ignore_case = switches.case == "ignore"
    if switches.case == "smart":
        plain = _ESCAPED.sub("", text)  # the S of \S is not a capital letter
        ignore_case = plain == plain.lower()
    try:
        regex = compile_perl(
            text,
            ignore_case=ignore_case,
            word=switches.word,
            multiline=switches.multiline,
            dot_all=switches.dot_all,
            unicode=switches.unicode,
        )
    except PatternError as error:
        raise UsageError(f"PCRE2: error compiling pattern: {error.message}", hint=False) from None
    lines = LineFinder(regex.tree, regex.options, regex, exact=regex.linear is not None, alone=True)
    return Pattern(regex, lines, names=regex.names, across=switches.multiline, first=0)
