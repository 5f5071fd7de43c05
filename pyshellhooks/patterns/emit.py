"""Emitters from a tree to an engine's syntax: ``re`` (ASCII data), ``re2`` (UTF-8 bytes), ``regex`` (characters)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TypeGuard

from ..text import paced
from .charclass import CLASSES
from .glibc import FOLDS, members
from .ranges import ASCII_RANGES
from .tree import (
    Alternation,
    Anchor,
    BackReference,
    Bracket,
    Char,
    Concatenation,
    Dot,
    Group,
    IgnoreCase,
    Look,
    Node,
    Repeat,
)


def _written(code: int) -> str:
    return chr(code) if chr(code).isalnum() else f"\\x{code:02x}"


def _written_range(low: int, high: int) -> str:
    if low == high:
        return _written(low)
    return f"{_written(low)}-{_written(high)}"


# Members of a bracket expression.
_ASCII = {name: "".join([_written_range(low, high) for low, high in ranges]) for name, ranges in ASCII_RANGES.items()}
_BLANK = r"\u1680\u2000-\u2006\u2008-\u200A\u205F\u3000"
# Beyond ASCII: the tables (glibc.py) of a class, and further members. Other classes have no such members.
_BEYOND = {
    "alnum": (("alpha",), ""),
    "alpha": (("alpha",), ""),
    "blank": ((), _BLANK),
    "cntrl": ((), r"\x80-\x9f\u2028\u2029"),
    "graph": (("alpha", "punct"), ""),
    "lower": (("lower",), ""),
    "print": (("alpha", "punct"), _BLANK),
    "punct": (("punct",), ""),
    "space": ((), rf"{_BLANK}\u2028\u2029"),
    "upper": (("upper",), ""),
}
# Without the newline, to search many lines at once.
_LINE_ASCII = {"cntrl": r"\x00-\x09\x0b-\x1f\x7f", "space": r"\t\x0b-\r "}
_NEWLINE = r"\n"
RE2_MOST = 1000
# By direction (true: ahead) and negation.
_LOOKS = {(True, False): "(?=", (True, True): "(?!", (False, False): "(?<=", (False, True): "(?<!"}


def beyond_ascii(name: str) -> str:
    """Return the text for a class's characters beyond ASCII inside a bracket expression."""
    tables, more = _BEYOND.get(name, ((), ""))
    return "".join([members(table) for table in tables]) + more


def _lists(node: Bracket, char: str) -> bool:
    if char in node.chars:
        return True
    return any(low <= char <= high for low, high in node.ranges)


def _negated_fold_letters(node: Bracket, named: str) -> str:
    """Return the letters of ``FOLDS`` that a negated bracket matches: in no class, and no case of one in ``named``."""
    taken = "".join([FOLDS[char] for char in named])
    tests = [CLASSES["alpha" if name in ("lower", "upper") else name] for name in node.classes]
    letters: list[str] = []
    for char in FOLDS:
        is_in_class = any(test(char) for test in tests)
        if char not in taken and not is_in_class:
            letters.append(char)
    return "".join(letters)


def _without_folds(node: Bracket) -> Bracket:
    """Return a bracket that matches none of the letters of ``FOLDS``, whose cases differ from the engine's."""
    if node.negated:
        return Bracket(node.chars + "".join(FOLDS), node.ranges, node.classes, True)
    chars = "".join([char for char in node.chars if char not in FOLDS])
    ranges: list[tuple[str, str]] = []
    for low, high in node.ranges:
        ranges += _between_folds(low, high)
    return Bracket(chars, tuple(ranges), node.classes)


def _between_folds(low: str, high: str) -> Iterator[tuple[str, str]]:
    for char in sorted(FOLDS):
        if low <= char <= high:
            if low < char:
                yield low, chr(ord(char) - 1)
            low = chr(ord(char) + 1)
    if low <= high:
        yield low, high


class UnsupportedError(Exception):
    """This engine does not support the pattern; another one does."""


class Options:
    """The options of a whole pattern."""

    __slots__ = ("captures", "dfa", "first", "ignore_case", "newline_anchors", "newline_dot", "utf8", "word")

    def __init__(
        self,
        ignore_case: bool = False,
        newline_anchors: bool = False,
        newline_dot: bool = True,
        captures: bool = True,
        word: bool = False,
        utf8: bool = True,
        first: bool = False,
    ) -> None:
        self.ignore_case = ignore_case
        self.newline_anchors = newline_anchors
        self.newline_dot = newline_dot
        self.captures = captures
        self.word = word
        self.utf8 = utf8
        self.first = first  # match the first alternative in Perl's order, not the longest
        self.dfa = False  # a dot matches no encoded surrogate (gnulib's dfa, of grep, awk and sed); in glibc it does

    @property
    def lines(self) -> bool:
        """Whether the data consists of many lines, each of which is matched separately (as in grep)."""
        return self.newline_anchors and not self.newline_dot


class Emitter(ABC):
    """Writer of a pattern in the syntax of one engine. Raises ``UnsupportedError`` if the engine lacks a feature."""

    most_times: int | None = None  # the engine's largest count of a repetition
    surrogates = ""  # never in a bracket: invalid bytes, and halves of a surrogate pair in UTF-8

    def __init__(self, options: Options) -> None:
        self.options = options
        self.strays = self.surrogates if options.utf8 else ""
        self.left_by_dot = self.strays
        self.folds = options.ignore_case and options.utf8 and not options.first
        self.opening = "(" if options.captures else "(?:"

    def emit(self, node: Node) -> str:
        """Return the text of a node, for use in a sequence."""
        # Helpers, and even comprehensions, would take further frames of the stack, which deep nesting needs.
        if isinstance(node, Char):
            folded = self.folded(node.char) if self.folds else ""
            return folded or self.char(node.char)
        texts: list[str] = []
        if isinstance(node, Concatenation):
            for part in paced(self.arranged(node.parts)):
                texts.append(self.emit(part))
            return "".join(texts)
        if isinstance(node, Alternation):
            for choice in paced(node.choices):
                texts.append(self.emit(choice))
            return f"(?:{'|'.join(texts)})"
        if isinstance(node, Group):
            return f"{self.opening}{self.emit(node.body)})"
        if isinstance(node, IgnoreCase):
            return f"(?i:{self.emit(node.body)})"
        if isinstance(node, Repeat):
            return self.repeat(node)
        if isinstance(node, Bracket):
            return self.folding(node)
        if isinstance(node, Dot):
            return self.dot()
        if isinstance(node, Anchor):
            return self.anchor(node)
        if isinstance(node, Look):
            return self.look(node)
        assert isinstance(node, BackReference)
        return self.back_reference(node)

    def folded(self, chars: str) -> str:
        """Return the text for the cases of those letters for which glibc's differ from the engine's, or ""."""
        cases = "".join([FOLDS.get(char, "") for char in chars])
        return self.exactly("".join(dict.fromkeys(cases)))

    def exactly(self, chars: str) -> str:
        """Return the text for exactly these characters. RE2 parses [Kk] as k in any case, and so matches U+212A."""
        if not chars:
            return ""
        choices = "|".join([self.char(char) for char in chars])
        return f"(?-i:{choices})"

    def folding(self, node: Bracket) -> str:
        """Return the text of a bracket; letters of ``FOLDS`` are an alternative to it, as the engine's cases differ."""
        if not self.folds:
            return self.bracket(node)
        named = "".join([char for char in FOLDS if _lists(node, char)])
        if not named:
            return self.bracket(node)
        if node.negated:
            letters = self.exactly(_negated_fold_letters(node, named))
        else:
            letters = self.folded(named)
        rest = _without_folds(node)
        has_members = rest.chars or rest.ranges or rest.classes
        if not has_members and not rest.negated:
            return letters
        text = self.bracket(rest)
        return f"(?:{letters}|{text})" if letters else text

    def arranged(self, parts: list[Node]) -> list[Node]:
        """Return the parts of a sequence, possibly replaced, before they are emitted."""
        return parts

    def repeat(self, node: Repeat) -> str:
        times = max(node.least, node.most or 0)
        if self.most_times is not None and times > self.most_times:
            raise UnsupportedError
        body = self.emit(node.body)
        if not isinstance(node.body, Char | Dot | Bracket | Group | IgnoreCase):
            body = f"(?:{body})"
        body = self.repeated(body, node)
        return body + "?" if node.lazy else body

    @staticmethod
    def repeated(body: str, node: Repeat) -> str:
        """Return the body with its repetition operator."""
        match node.least, node.most:
            case 0, None:
                return body + "*"
            case 1, None:
                return body + "+"
            case 0, 1:
                return body + "?"
            case 1, 1:
                # The ``?`` of a lazy one needs an operator: on its own it would make the body optional.
                return f"{body}{{1}}" if node.lazy else body
        if node.most is None:
            return f"{body}{{{node.least},}}"
        if node.least == node.most:
            return f"{body}{{{node.least}}}"
        return f"{body}{{{node.least},{node.most}}}"

    def char(self, char: str) -> str:
        if char.isalnum() and char.isascii():
            return char
        return self.code(char)

    @abstractmethod
    def code(self, char: str) -> str:
        """Return the text of a character that may be special, inside or outside brackets."""

    def classes(self, name: str) -> str:
        if name.startswith("\\"):
            return name
        if not self.options.utf8:
            return self._ascii_class(name)
        return self._ascii_class(name) + beyond_ascii(name)

    def _ascii_class(self, name: str) -> str:
        if self.options.lines and name in _LINE_ASCII:
            return _LINE_ASCII[name]
        return _ASCII[name]

    def _listed(self, node: Bracket) -> str:
        """Return the single characters of a bracket; a search in many lines must not match their newlines."""
        if self.options.lines:
            return node.chars.replace("\n", "")
        return node.chars

    def members(self, node: Bracket) -> str:
        parts = [self.char(char) for char in self._listed(node)]
        for low, high in node.ranges:
            parts += self.range(low, high)
        any_case = self.options.ignore_case and not self.options.first  # lower and upper match any letter (GNU)
        for name in node.classes:
            if any_case and name in ("lower", "upper"):
                parts.append(self.classes("alpha"))
            else:
                parts.append(self.classes(name))
        return "".join(parts)

    def range(self, low: str, high: str) -> list[str]:
        if self.options.lines and low <= "\n" <= high:
            ends = (low, "\t"), ("\v", high)
            return [f"{self.char(left)}-{self.char(right)}" for left, right in ends if left <= right]
        if self.strays and low < "\ud800" and high > "\udfff":
            return [f"{self.char(low)}-\ud7ff", f"\ue000-{self.char(high)}"]
        if low == high:
            return [self.char(low)]
        return [f"{self.char(low)}-{self.char(high)}"]

    def bracket(self, node: Bracket) -> str:
        members = self.members(node)
        if node.negated:
            newline = "" if self.options.newline_dot else _NEWLINE
            return f"[^{members}{newline}{self.strays}]"
        return f"[{members}]" if members else self.nothing()

    def nothing(self) -> str:
        """Return a text that never matches."""
        return "(?!)"

    def dot(self) -> str:
        if not self.options.newline_dot:
            return f"[^{_NEWLINE}{self.left_by_dot}]"
        return f"[^{self.left_by_dot}]" if self.left_by_dot else "(?s:.)"

    def anchor(self, node: Anchor) -> str:
        options, kind = self.options, node.kind
        if options.lines:  # each line is a text of its own
            kind = {"`": "^", "'": "$"}.get(kind, kind)
        if kind == "^":
            return "(?m:^)" if options.newline_anchors else r"\A"
        if kind == "$":
            return "(?m:$)" if options.newline_anchors else self.end_of_text()
        if kind == "`":
            return r"\A"
        if kind == "'":
            return self.end_of_text()
        return self.boundary(node)

    def end_of_text(self) -> str:
        return r"\Z"

    def boundary(self, node: Anchor) -> str:
        # Before 3.14 re's \B does not match in the empty text.
        return {"b": r"\b", "B": r"(?!\b)", "<": r"\b(?=\w)", ">": r"\b(?<=\w)"}[node.kind]

    def back_reference(self, node: BackReference) -> str:
        raise UnsupportedError

    def look(self, node: Look) -> str:
        raise UnsupportedError

    def whole(self, tree: Node) -> str:
        """Return the text of the whole pattern, with flags and the conditions for whole words."""
        body = self.emit(tree)
        if self.options.word:
            body = rf"(?<!{self.word()})(?:{body})(?!{self.word()})"
        return f"(?i){body}" if self.options.ignore_case else body

    def word(self) -> str:
        """Return the text for a character of a word."""
        return f"[_{self.classes('alnum')}]"


class ReEmitter(Emitter):
    """For ``re`` on bytes; correct only for ASCII data (for any data if the locale is not UTF-8)."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.folds = False

    def code(self, char: str) -> str:
        if not self.options.utf8 or char <= "\x7f":
            return f"\\x{ord(char):02x}"
        # A group, since a repetition after it applies to all bytes of the character.
        return "(?:" + "".join([f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass")]) + ")"

    def classes(self, name: str) -> str:
        return self._ascii_class(name)

    def members(self, node: Bracket) -> str:
        top = "\x7f" if self.options.utf8 else "\xff"  # no larger character occurs in the data
        parts = [self.char(char) for char in self._listed(node) if char <= top]
        for low, high in node.ranges:
            if low <= top:
                parts += self.range(low, min(high, top))
        parts += [self.classes(name) for name in node.classes]
        return "".join(parts)

    def bracket(self, node: Bracket) -> str:
        excludes_newline = node.negated and not self.options.newline_dot
        if excludes_newline or self.members(node):
            return super().bracket(node)
        return r"[\x00-\xff]" if node.negated else r"[^\x00-\xff]"


class Re2Emitter(Emitter):
    """For RE2 on bytes: linear time. No look-around, no back-references.

    ``ascii_only``: the emitted text is correct on ASCII only, because in ``\\b`` only ASCII letters count, and ``\\B``
    matches between the bytes of a character.
    """

    most_times = RE2_MOST
    surrogates = r"\x{d800}-\x{dfff}"

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.left_by_dot = self.strays if options.dfa else ""
        self.ascii_only = False

    def code(self, char: str) -> str:
        if "\ud800" <= char <= "\udfff":
            raise UnsupportedError
        return f"\\x{{{ord(char):x}}}"

    def classes(self, name: str) -> str:
        head, *codes = super().classes(name).split("\\u")
        return head + "".join([f"\\x{{{code[:4]}}}{code[4:]}" for code in codes])

    def nothing(self) -> str:
        # RE2 lacks look-around, and with it ``(?!)``.
        return r"[^\x00-\x{10FFFF}]"

    def end_of_text(self) -> str:
        return r"\z"

    def boundary(self, node: Anchor) -> str:
        if node.kind in "<>":
            raise UnsupportedError
        # In Perl only ASCII letters make words.
        is_ascii = self.options.first and node.word is None  # the flavor means ASCII letters, too
        if node.kind == "B" or not is_ascii:
            self.ascii_only = True
        return f"\\{node.kind}"

    def arranged(self, parts: list[Node]) -> list[Node]:
        # Next to a word character the GNU operators \< and \> are the same as \b, which RE2 supports.
        if self.options.first or not any(map(_is_word_edge, parts)):
            return parts
        out: list[Node] = []
        for at, part in enumerate(parts):
            if _is_word_edge(part):
                beside = at + 1 if part.kind == "<" else at - 1
                if 0 <= beside < len(parts) and starts_with_word(parts[beside], part.kind == ">"):
                    part = Anchor("b")
            out.append(part)
        return out

    def whole(self, tree: Node) -> str:
        body = self.emit(tree)
        if self.options.word:
            # Without look-around the neighbours are part of the match, and the engine returns group 1 as group 0.
            start = "(?m:^)" if self.options.newline_anchors else r"\A"
            end = "(?m:$)" if self.options.newline_anchors else r"\z"
            word = self.classes("alnum")
            # A newline must not be a neighbour: the longest match would begin in the previous line.
            newline = r"\n" if self.options.lines else ""
            other = f"[^{word}_{newline}]"
            body = rf"(?:{start}|{other})({body})(?:{other}|{end})"
        return f"(?i){body}" if self.options.ignore_case else body


class RegexEmitter(Emitter):
    """For the ``regex`` module on characters; an invalid byte is a surrogate, which only its own literal matches."""

    surrogates = "\ud800-\udfff"

    def code(self, char: str) -> str:
        return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"

    def boundary(self, node: Anchor) -> str:
        # The engine's \b uses another version of Unicode, and treats invalid bytes as Latin-1.
        word = self._word_characters(node)
        start = f"(?<!{word})(?={word})"
        end = f"(?<={word})(?!{word})"
        match node.kind:
            case "<":
                return start
            case ">":
                return end
            case "b":
                return f"(?:{end}|{start})"
        return f"(?!(?:{end}|{start}))"

    def _word_characters(self, node: Anchor) -> str:
        if node.word is not None:
            return self.bracket(node.word)
        if self.options.first:
            return f"[_{_ASCII['alnum']}]"
        return self.word()

    def back_reference(self, node: BackReference) -> str:
        if node.optional:
            return f"(?({node.number})\\{node.number}|)"
        return f"(?:\\{node.number})"

    def look(self, node: Look) -> str:
        return f"{_LOOKS[node.ahead, node.negative]}{self.emit(node.body)})"


def _is_word_edge(part: Node) -> TypeGuard[Anchor]:
    return isinstance(part, Anchor) and part.kind in "<>"


def starts_with_word(node: Node, from_end: bool = False) -> bool:
    """Return whether every match of a node begins (or ends) with an ASCII word character."""
    if isinstance(node, Char):
        return node.char in _WORD_CHARACTERS
    if isinstance(node, Group):
        return starts_with_word(node.body, from_end)
    if isinstance(node, Repeat):
        return node.least > 0 and starts_with_word(node.body, from_end)
    if isinstance(node, Concatenation):
        if not node.parts:
            return False
        return starts_with_word(node.parts[-1 if from_end else 0], from_end)
    if isinstance(node, Alternation):
        return all(starts_with_word(choice, from_end) for choice in node.choices)
    return isinstance(node, Bracket) and _is_in_words(node)


_WORD_CHARACTERS = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
_WORD_CLASSES = frozenset({"alnum", "alpha", "digit", "lower", "upper", "xdigit"})


def _is_in_words(node: Bracket) -> bool:
    """Return whether a bracket certainly matches ASCII word characters only."""
    if node.negated:
        return False
    for low, high in node.ranges:
        if low == "_" or low not in _WORD_CHARACTERS or high not in "9Zz":
            return False
    return _WORD_CHARACTERS.issuperset(node.chars) and _WORD_CLASSES.issuperset(node.classes)
