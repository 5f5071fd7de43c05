"""Compiled POSIX expressions, and the choice of the engine that runs each.

===========  ==============================================================================================
literal      ``bytes.find``
``re``       patterns proven harmless (cost_bound.py), on ASCII data up to the length that the proof covers
``re2``      all others: linear, releases the GIL, leftmost-longest as POSIX requires
``regex``    back-references, counts above 1000, ``\\b`` beyond ASCII, or without re2; always
             with a timeout, which ends the run (``Stop("regex")``)
===========  ==============================================================================================

``regex`` matches leftmost-*first*: of ``a|ab`` it takes ``a``. So its match only determines the start. leftmost_longest.py finds
the end of the longest match from there; for groups or back-references, it is the module's own search, with a timeout,
too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..text import PIECE, decode, encode, forget, paced, pause, remembered
from .characters import is_valid, next_character
from .cost_bound import Profile, profile
from .emit import Options, Re2Emitter, ReEmitter, UnsupportedError
from .flavors.posix import parse_posix
from .literals import literal_of, literal_tree, literals_of
from .programs import Engine, Re2Engine, RegexEngine, Search, Spans, load_re2, select_re2
from .timed_regex import LONG
from .tree import Alternation, Anchor, Char, Concatenation, Node

if TYPE_CHECKING:
    from ..cancel import CancelScope

_AT_ONCE = 1 << 20  # bytes
_PIECE = 512
_PARTS = 8192  # texts of one list that ``parts`` yields
_FEW = 4  # lines for each match: with fewer, it is faster to test each line


def use_re2(wanted: bool) -> None:
    """Switch RE2 off or on (for tests, and hosts that must not load it). Clears the cache of expressions."""
    select_re2(wanted)
    forget(_compile)


class Regex:
    """A compiled expression on bytes. ``groups``: their number; ``warnings``: those that GNU grep would print."""

    __slots__ = (
        "_ascii",
        "_bytewise",
        "_countable",
        "_exact",
        "_fast",
        "_grouped",
        "_literal",
        "_literals",
        "_longest",
        "_other",
        "_pattern",
        "_strays",
        "_tailed",
        "groups",
        "provable",
        "spec",
        "warnings",
    )

    def __init__(self, tree: Node, groups: int, options: Options, *, prove: bool, warnings: Sequence[str]) -> None:
        self.groups = groups
        self.warnings = warnings
        self.spec = (tree, options)  # for other kinds of search
        self._bytewise = not options.utf8  # a character is a byte, so that ``re`` may search any data
        self._literal = literal_of(tree, options)
        self._literals = [self._literal] if self._literal else literals_of(tree, options)
        self.provable = prove  # the tree describes everything that it may match
        self._pattern: Any = None  # for ``re``
        self._tailed: Any = None  # the same, followed by the rest of the line
        self._grouped: Any = None  # the same, as a group; the pattern must have none itself
        self._fast: Any = None
        self._longest = -1
        self._exact = False
        self._countable = False
        self._ascii: Engine | None = None  # for data on which _fast must not run
        self._other: Engine | None = None  # for such data beyond ASCII
        self._strays: Engine | None = None  # for whole words next to invalid bytes, for which RE2 has no syntax
        if self._literal is None and prove:
            proof = profile(
                tree, ignore_case=options.ignore_case, multiline=options.newline_anchors, followed=options.word
            )
            if proof is not None:
                self._compile_fast(tree, options, proof)

    def _compile_fast(self, tree: Node, options: Options, proof: Profile) -> None:
        import re

        text = ReEmitter(options).whole(tree)
        if len(text) > LONG:
            return  # the module caches 512 of them
        self._pattern = re.compile(text.encode("ascii"))
        self._fast = self._pattern.search
        self._longest = proof.longest
        self._exact = proof.exact or options.first
        # ``re`` searches for a pattern's literal prefix, and tries no other position.
        has_prefix = _begins_with_letters(tree) and not options.ignore_case and not options.word
        self._countable = self._exact and has_prefix and proof.longest >= _AT_ONCE

    def search(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> Spans | None:
        """Return the spans of the leftmost-longest match from ``start`` on, the whole first, (-1, -1) for unset groups.

        ``^`` and ``\\b`` take the data before ``start`` into account.
        """
        literal = self._literal
        if literal is not None:
            at = data.find(literal, start)
            if at < 0:
                return None
            return ((at, at + len(literal)),)
        if self._exact and len(data) <= self._longest and (self._bytewise or data.isascii()):
            match = self._fast(data, start)
            if match is None:
                return None
            spans: Spans = match.regs
            return spans
        return self._engine(data).search(data, start, scope)

    def searcher(self, data: bytes, scope: CancelScope | None = None) -> Callable[[int], Spans | None]:
        """Return ``search`` for repeated searches in one text; the checks of the whole text are done once."""
        if self._literal is not None:
            return lambda at: self.search(data, at)
        if self._exact and len(data) <= self._longest and (self._bytewise or data.isascii()):
            fast = self._fast

            def search_fast(at: int) -> Spans | None:
                match = fast(data, at)
                if match is None:
                    return None
                spans: Spans = match.regs
                return spans

            return search_fast
        engine = self._engine(data)
        return lambda at: engine.search(data, at, scope)

    def find(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> int:
        """Return the start of the leftmost match, or -1. Cheaper than ``search``, as the end is not needed."""
        if self._literal is not None:
            return data.find(self._literal, start)
        if len(data) <= self._longest and (self._bytewise or data.isascii()):
            match = self._fast(data, start)
            if match is None:
                return -1
            begin: int = match.start()
            return begin
        return self._engine(data).find(data, start, scope)

    def test(self, data: bytes, *, scope: CancelScope | None = None) -> bool:
        """Return whether there is a match."""
        if self._literal is not None:
            return data.find(self._literal) >= 0  # ``in`` raises and drops an exception first
        if len(data) <= self._longest and (self._bytewise or data.isascii()):
            return self._fast(data) is not None
        return self._engine(data).find(data, 0, scope) >= 0

    def matches(self, data: bytes, scope: CancelScope | None = None) -> Iterator[Spans]:
        """Yield all matches, except an empty one right after another (sed's ``g``, ``grep -o``)."""
        search = self.searcher(data, scope)
        at = 0
        previous = -1
        while at <= len(data):
            if len(data) > PIECE:
                pause()
            spans = search(at)
            if spans is None:
                return
            low, high = spans[0]
            if low == high == previous:
                at = next_character(data, at)
                continue
            yield spans
            previous = high
            at = high if high > low else next_character(data, high)

    def every(self, data: bytes, scope: CancelScope | None = None) -> Iterator[Spans]:
        """Yield all matches of a pattern with ``Options.lines`` that never matches the empty text."""
        at = 0
        for start, stop in self._pieces(data):
            if start > at:
                yield from self._linear_matches(data, at, start, scope)
            for match in self._pattern.finditer(data, start, stop):
                yield match.regs
            at = stop
            if scope is not None:
                scope.check()
        yield from self._linear_matches(data, at, len(data), scope)

    def texts(self, data: bytes, scope: CancelScope | None = None) -> list[bytes]:
        """Return the texts of all matches of ``every``."""
        if self._literal is not None:
            return [self._literal] * data.count(self._literal)
        if self._pattern is None or self._pattern.groups:
            return [data[low:high] for (low, high), *_ in self.every(data, scope)]
        found: list[bytes] = []
        at = 0
        for start, stop in self._pieces(data):
            if start > at:
                found += [data[low:high] for (low, high), *_ in self._linear_matches(data, at, start, scope)]
            found += self._pattern.findall(data, start, stop)
            at = stop
            if scope is not None:
                scope.check()
        return found + [data[low:high] for (low, high), *_ in self._linear_matches(data, at, len(data), scope)]

    def parts(self, data: bytes, scope: CancelScope | None = None) -> Iterator[list[bytes]]:
        """Split the data, in pieces: the matches of ``every`` are at odd indexes, the text between at even ones."""
        at = 0
        pieces: Iterable[tuple[int, int]] = self._pieces(data)
        if self._literal is not None and len(self._literal) <= LONG and len(data) <= _AT_ONCE:
            pieces = [(0, len(data))]
        for start, stop in pieces:
            yield from self._linear_parts(data, at, start, scope)
            if self._grouped is None:
                self._grouped = self._framed(b"(%b)")
            yield self._grouped.split(data[start:stop])
            at = stop
            if scope is not None:
                scope.check()
        yield from self._linear_parts(data, at, len(data), scope)

    def _linear_parts(self, data: bytes, at: int, stop: int, scope: CancelScope | None) -> Iterator[list[bytes]]:
        out: list[bytes] = []
        for (low, high), *_ in self._linear_matches(data, at, stop, scope):
            out += (data[at:low], data[low:high])
            at = high
            if len(out) > _PARTS:
                yield [*out, b""]
                out = []
        yield [*out, data[at:stop]]

    def replaced(self, data: bytes, new: bytes, scope: CancelScope | None = None) -> bytes:
        """Replace all matches of ``every`` by ``new``."""
        if self._literal is not None:
            return data.replace(self._literal, new)
        out: list[bytes] = []
        at = 0
        for start, stop in self._pieces(data):
            if start > at:
                out.append(self._replaced(data, at, start, new, scope))
            if b"\\" in new:  # in a text, ``sub`` would read it as an escape
                out.append(self._pattern.sub(lambda _: new, data[start:stop]))
            else:
                out.append(self._pattern.sub(new, data[start:stop]))
            at = stop
            if scope is not None:
                scope.check()
        out.append(self._replaced(data, at, len(data), new, scope))
        return b"".join(out)

    def _replaced(self, data: bytes, at: int, stop: int, new: bytes, scope: CancelScope | None) -> bytes:
        out: list[bytes] = []
        for (low, high), *_ in self._linear_matches(data, at, stop, scope):
            out += (data[at:low], new)
            at = high
        out.append(data[at:stop])
        return b"".join(out)

    def count(self, data: bytes, scope: CancelScope | None = None) -> int | None:
        """Return the number of lines with a match; each ends with a newline. None if a search for runs is faster."""
        if self._literal:
            if len(data) > _AT_ONCE or len(self._literal) > LONG:
                return None
            return len(self._with_tail().findall(data))
        if not self._countable or not data.isascii():
            return None
        at = lines = 0
        for start, stop in self._pieces(data):
            lines += sum(1 for _ in self._linear_firsts(data, at, start, scope))
            lines += len(self._with_tail().findall(data, start, stop))
            at = stop
            if scope is not None:
                scope.check()
        return lines + sum(1 for _ in self._linear_firsts(data, at, len(data), scope))

    def others(self, data: bytes) -> bytes | None:
        """Return the lines without a match; all lines end with a newline. None if a search for runs is faster."""
        literals = self._literals
        if not literals or len(data) > _AT_ONCE or len(literals[0]) > LONG:
            return None
        if data.count(literals[0]) * len(literals) * _FEW > data.count(b"\n"):
            return _lines_without(literals, data)
        if len(literals) > 1:
            return None
        between = self._framed(b"%b[^\\n]*\\n").split(data)
        return b"".join([part[: part.rfind(b"\n") + 1] for part in between])

    def _with_tail(self) -> Any:
        """Return the pattern for ``re``, followed by the rest of the line as a last group."""
        if self._tailed is None:
            self._tailed = self._framed(b"(?:%b)([^\\n]*\\n)")
        return self._tailed

    def _framed(self, frame: bytes) -> Any:
        import re

        flag = b"(?i)" if self.spec[1].ignore_case else b""
        if self._literal is None:
            text = self._pattern.pattern.removeprefix(flag)
        else:
            text = re.escape(self._literal)
        return re.compile(flag + frame % text)

    def firsts(self, data: bytes, scope: CancelScope | None = None) -> Iterator[Spans]:
        """Yield the first match of each line that has one; all lines end with a newline."""
        at = 0
        for start, stop in self._pieces(data):
            if start > at:
                yield from self._linear_firsts(data, at, start, scope)
            for match in self._with_tail().finditer(data, start, stop):
                spans = match.regs
                yield ((spans[0][0], spans[-1][0]), *spans[1:-1])
            at = stop
            if scope is not None:
                scope.check()
        yield from self._linear_firsts(data, at, len(data), scope)

    def nths(self, data: bytes, number: int, scope: CancelScope | None = None) -> Iterator[Spans]:
        """Yield the match with a number, from 1 on, of each line's matches of ``every``."""
        search: Search | None = None
        if not self._exact or not (self._bytewise or data.isascii()):
            search = self._line_searcher(data, scope)
        low = turns = 0
        while (end := data.find(b"\n", low)) >= 0:
            spans: Spans | None = None
            if search is None and end - low <= min(self._longest, _AT_ONCE):
                match = next(islice(self._pattern.finditer(data, low, end), number - 1, None), None)
                if match is not None:
                    spans = match.regs
            else:
                search = search or self._line_searcher(data, scope)
                at = low
                for _ in paced(range(number)):
                    spans = search(data, at)
                    if spans is None or spans[0][0] > end:
                        break
                    at = spans[0][1]
                if spans is None and at == low:
                    return
                if spans is not None and spans[0][0] > end:
                    if at == low:  # this line has no match: continue in the line of the next one
                        low = data.rfind(b"\n", 0, spans[0][0]) + 1
                        continue
                    spans = None
            if spans is not None:
                yield spans
            low = end + 1
            turns += 1
            if not turns & 255 and scope is not None:
                scope.check()

    def _linear_firsts(self, data: bytes, at: int, stop: int, scope: CancelScope | None) -> Iterator[Spans]:
        search = self._line_searcher(data, scope)
        turns = 0
        while at < stop:
            spans = search(data, at)
            if spans is None or spans[0][0] >= stop:
                return
            yield spans
            at = data.find(b"\n", spans[0][1]) + 1 or stop
            turns += 1
            if not turns & 255 and scope is not None:
                scope.check()

    def _line_searcher(self, data: bytes, scope: CancelScope | None) -> Search:
        if self._literal is not None:
            return _literal_searcher(self._literal)
        engine = self._engine(data)
        if isinstance(engine, Re2Engine):
            if engine.direct is not None:
                return engine.direct
            return lambda data, at: engine.search(data, at, scope)
        # Other engines first decode the whole text.
        return lambda data, at: _search_by_line(engine, data, at, scope)

    def _pieces(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield ranges of lines that ``re`` may search in one call, which can't be interrupted."""
        if not self._exact or not (self._bytewise or data.isascii()):
            return
        most = _AT_ONCE
        if self._longest < _AT_ONCE:  # with a polynomial bound only short pieces are fast
            most = min(self._longest, _PIECE)
        start, size = 0, len(data)
        while start < size:
            stop = size
            if size - start > most:
                stop = data.rfind(b"\n", start, start + most) + 1
            if stop > start:
                yield start, stop
                start = stop
            else:
                start = data.find(b"\n", start) + 1 or size

    def _linear_matches(self, data: bytes, at: int, stop: int, scope: CancelScope | None) -> Iterator[Spans]:
        if at >= stop:
            return
        search = self._line_searcher(data, scope)
        turns = 0
        while True:
            spans = search(data, at)
            if spans is None or spans[0][0] >= stop:
                return
            yield spans
            at = spans[0][1]
            turns += 1
            is_due = not turns & 255 or stop - at > PIECE  # a search in a long line may take long
            if is_due and scope is not None:
                scope.check()

    def _engine(self, data: bytes) -> Engine:
        if self._ascii is None:
            self._choose()
        if data.isascii():
            engine = self._ascii
        elif self._other is None and self._by_words(data):
            tree, options = self.spec
            engine = self._strays = self._strays or RegexEngine(tree, options, self._exact)
        else:
            engine = self._other or self._ascii
        assert engine is not None
        return engine

    def _by_words(self, data: bytes) -> bool:
        """Return whether RE2 would have to search whole words in invalid UTF-8."""
        if not self.spec[1].word or self._bytewise:
            return False
        return isinstance(self._ascii, Re2Engine) and not is_valid(data)

    def _choose(self) -> None:
        tree, options = self.spec
        if load_re2():
            emitter = Re2Emitter(options)
            try:
                linear = Re2Engine(emitter.whole(tree), self.groups, options)
            except UnsupportedError:
                pass
            else:
                if emitter.ascii_only and options.utf8:
                    self._other = RegexEngine(tree, options, self._exact)
                self._ascii = linear
                return
        self._ascii = RegexEngine(tree, options, self._exact)


def _begins_with_letters(tree: Node) -> bool:
    head = tree.parts[:2] if isinstance(tree, Concatenation) else []
    return len(head) == 2 and all(isinstance(part, Char) for part in head)


def _literal_searcher(literal: bytes) -> Search:
    size = len(literal)

    def search(data: bytes, at: int) -> Spans | None:
        low = data.find(literal, at)
        if low < 0:
            return None
        return ((low, low + size),)

    return search


def _lines_without(literals: list[bytes], data: bytes) -> bytes:
    lines = data[:-1].split(b"\n")
    for literal in literals:
        byte = literal[0]
        if len(literal) == 1:
            lines = [line for line in lines if byte not in line]  # faster than ``find``
        else:
            lines = [line for line in lines if line.find(literal) < 0]
    return b"\n".join([*lines, b""])


def _search_by_line(engine: Engine, data: bytes, at: int, scope: CancelScope | None) -> Spans | None:
    low = data.rfind(b"\n", 0, at) + 1
    while low <= len(data):
        end = data.find(b"\n", low)
        if end < 0:
            end = len(data)
        spans = engine.search(data[low:end], max(at - low, 0), scope)
        if spans is not None:
            return [(-1, -1) if start < 0 else (start + low, stop + low) for start, stop in spans]
        low = end + 1
    return None


@remembered(256)
def _compile(
    patterns: tuple[str, ...],
    syntax: str,
    dialect: str,
    whole_lines: bool,
    switches: tuple[bool, bool, bool, bool, bool, bool],
) -> Regex:
    options = Options(*switches)
    options.dfa = dialect in ("grep", "awk", "sed")
    trees: list[Node] = []
    groups = 0
    warnings: list[str] = []
    provable = True
    for pattern in paced(patterns):
        if options.ignore_case and not pattern.isascii():
            provable = False  # the other case of some letters beyond ASCII is an ASCII letter
        text = pattern if options.utf8 else encode(pattern).decode("latin-1")
        if syntax == "fixed":
            trees.append(literal_tree(text))
            continue
        parsed = parse_posix(text, syntax == "extended", dialect, groups)
        trees.append(parsed.tree)
        groups = parsed.groups
        warnings += parsed.warnings
        options.captures |= parsed.referenced
    tree = trees[0] if len(trees) == 1 else Alternation(trees)
    if whole_lines:
        tree = Concatenation([Anchor("^"), tree, Anchor("$")])
    return Regex(tree, groups, options, prove=provable, warnings=warnings)


def compile_patterns(
    patterns: tuple[str, ...],
    *,
    syntax: str,
    dialect: str = "posix",
    ignore_case: bool = False,
    newline_anchors: bool = False,
    newline_dot: bool = True,
    captures: bool = True,
    word: bool = False,
    whole_lines: bool = False,
    utf8: bool = True,
) -> Regex:
    """Compile several patterns into one that matches if any of them does (``grep -e a -e b``).

    ``syntax``: ``basic``, ``extended`` or ``fixed``. ``word``: no word character may be next to the match.
    ``utf8`` false is the C locale: characters are bytes.
    """
    switches = (ignore_case, newline_anchors, newline_dot, captures, word, utf8)
    return _compile(patterns, syntax, dialect, whole_lines, switches)


def compile_posix(
    pattern: str,
    *,
    extended: bool,
    dialect: str = "posix",
    ignore_case: bool = False,
    newline_anchors: bool = False,
    newline_dot: bool = True,
    captures: bool = True,
    utf8: bool = True,
) -> Regex:
    """Compile a POSIX BRE or ERE (POSIX XBD 9, with GNU's extensions). Raise ``PatternError`` with glibc's message.

    ``newline_anchors``: ``^`` and ``$`` match at newlines too. ``newline_dot``: ``.`` and ``[^x]`` match a newline.
    ``dialect``: ``posix`` (regcomp: the shell's ``=~``, expr), ``grep``, ``sed`` or ``awk``. The result is cached.
    """
    switches = (ignore_case, newline_anchors, newline_dot, captures, False, utf8)
    return _compile((pattern,), "extended" if extended else "basic", dialect, False, switches)


def match_text(
    pattern: str, text: str, ignore_case: bool = False, scope: CancelScope | None = None
) -> list[str | None] | None:
    """Match as ``[[ text =~ pattern ]]``; return the elements of BASH_REMATCH, None for groups that took no part."""
    data = encode(text)
    spans = compile_posix(pattern, extended=True, ignore_case=ignore_case).search(data, scope=scope)
    if spans is None:
        return None
    return [None if low < 0 else decode(data[low:high]) for low, high in spans]


# Other rooms know the engines by this module.
__all__ = [
    "Regex",
    "RegexEngine",
    "Spans",
    "compile_patterns",
    "compile_posix",
    "load_re2",
    "match_text",
    "use_re2",
]
