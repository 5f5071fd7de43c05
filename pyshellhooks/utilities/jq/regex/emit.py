"""Emitters from a tuned tree to an engine's syntax: ``re`` on ASCII, RE2 on UTF-8, ``regex`` on characters.

They raise ``UnsupportedError`` if an engine's results might differ from Oniguruma's; ``machine`` supports all
patterns.
"""

from __future__ import annotations

from typing import TypeGuard

from ....patterns.emit import RE2_MOST, UnsupportedError
from .nodes import (
    HOLLOW,
    HOLLOW_CAPTURES,
    INFINITE,
    Atomic,
    Back,
    Callout,
    Choice,
    Condition,
    Dot,
    Fail,
    Group,
    Look,
    Node,
    Place,
    Repeat,
    Sequence,
    Set,
    Text,
    children,
)
from .sets import ALL_ASCII, WORD, CharSet

_MOST_COUNT = 5000  # product of nested counts: ``regex`` unrolls a body as many times
_MOST_CLASSES = 100
_WORD_SET = CharSet(classes=[(WORD, False)])
_WORD_TEXT = _WORD_SET.regex_text()


class Mode:
    """The kind of subjects and results for which a program is compiled.

    ``ascii``: subjects in ASCII only. ``newline``: their last character is a newline. ``captures``: the spans of a
    match are needed, and not only whether there is one.
    """

    __slots__ = ("ascii", "captures", "newline")

    def __init__(self, ascii: bool, newline: bool, captures: bool) -> None:
        self.ascii = ascii
        self.newline = newline
        self.captures = captures


class Writer:
    """Emitter for ``regex``."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.groups = 0

    def whole(self, tree: Node, groups: int) -> str:
        """Return the text of a pattern with this number of groups."""
        text = self.write(tree, 1, True)
        if self.mode.captures and self.groups != groups:
            raise UnsupportedError  # a removed part contained a group
        return text

    def write(self, node: Node, times: int, top: bool = False) -> str:
        """Return the text of a node, for use in a sequence. ``times``: the product of the counts around it."""
        if isinstance(node, Text):
            return "".join([self.char(char) for char in node.text])
        if isinstance(node, Set):
            return self.set(node.chars)
        if isinstance(node, Dot):
            return "(?s:.)" if node.newline else r"[^\n]"
        if isinstance(node, Sequence):
            return self.sequence(node, times, top)
        if isinstance(node, Choice):
            return "(?:" + "|".join([self.write(choice, times) for choice in node.choices]) + ")"
        if isinstance(node, Group):
            return self.group(node, times)
        if isinstance(node, Repeat):
            return self.repeat(node, times)
        if isinstance(node, Place):
            return self.place(node.kind)
        if isinstance(node, Callout | Fail):
            if isinstance(node, Fail) or node.fails:
                return self.nothing()
            return ""
        return self.special(node, times, top)

    def sequence(self, node: Sequence, times: int, top: bool) -> str:
        parts = node.parts
        out: list[str] = []
        for at, part in enumerate(parts):
            text = None
            if _is_word_boundary(part) and not self.mode.ascii:
                before = parts[at - 1] if at else None
                text = _edge(part.kind == "word", before, parts[at + 1 : at + 2])
            if text is None:
                text = self.write(part, times, top)
            out.append(text)
        return "".join(out)

    def char(self, char: str) -> str:
        if char.isascii():
            return char if char.isalnum() else f"\\x{ord(char):02x}"
        if self.mode.ascii or "\ud800" <= char <= "\udfff":
            return self.nothing()
        return self.beyond(ord(char))

    def beyond(self, code: int) -> str:
        """Return the text of a non-ASCII character."""
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

    def nothing(self) -> str:
        """Return a text that never matches."""
        return "(?!)"

    def set(self, chars: CharSet) -> str:
        if chars.odd():
            raise UnsupportedError
        if self.mode.ascii:
            return self.mask(chars.mask())
        return chars.regex_text()

    def mask(self, mask: int) -> str:
        if not mask:
            return self.nothing()
        if mask == ALL_ASCII:
            return "(?s:.)"
        if not mask & (mask - 1):
            return self.char(chr(mask.bit_length() - 1))
        if mask.bit_count() > 64:  # the shorter of two equal texts
            return "[^" + mask_members(ALL_ASCII & ~mask) + "]"
        return "[" + mask_members(mask) + "]"

    def group(self, node: Group, times: int) -> str:
        if node.called or not node.number:
            raise UnsupportedError
        self.groups += 1
        opener = "(" if self.mode.captures or node.referenced else "(?:"
        return opener + self.write(node.body, times) + ")"

    def repeat(self, node: Repeat, times: int) -> str:
        if node.hollow:
            self.hollow(node)
        least, most = node.least, node.most
        times *= max(least, most, 1)
        if times > _MOST_COUNT:
            raise UnsupportedError
        body = self.write(node.body, times)
        if least == most == 1:
            return f"(?:{body})"
        if not body:
            return ""
        if not is_single(node.body, body):
            body = f"(?:{body})"
        return body + counts_text(least, most) + ("" if node.greedy else "?")

    def hollow(self, node: Repeat) -> None:
        """Raise ``UnsupportedError`` if the engine treats a repetition with a possibly empty body differently."""
        most = HOLLOW if self.mode.captures else HOLLOW_CAPTURES
        if node.hollow > most or node.watched:
            raise UnsupportedError
        if node.least > 1 and depends(node.body):
            raise UnsupportedError  # Oniguruma ends the repetition after an empty turn

    def place(self, kind: str) -> str:
        if kind in ("word", "not_word"):
            return self.word(kind == "word")
        text = {
            "begin": r"\A",
            "end": r"\Z",
            "semi_end": r"(?=\n?\Z)",
            "line_begin": r"(?:\A|(?<=\n)(?!\Z))",
            "line_end": r"(?=\n|\Z)",
            "start": r"\G",
        }.get(kind)
        if text is None:
            raise UnsupportedError
        return text

    def word(self, wanted: bool) -> str:
        if self.mode.ascii:
            return r"\b" if wanted else r"(?!\b)"
        if wanted:
            return f"(?:(?<={_WORD_TEXT})(?!{_WORD_TEXT})|(?<!{_WORD_TEXT})(?={_WORD_TEXT}))"
        return f"(?:(?<={_WORD_TEXT})(?={_WORD_TEXT})|(?<!{_WORD_TEXT})(?!{_WORD_TEXT}))"

    def special(self, node: Node, times: int, top: bool) -> str:
        """Return the text of a node that only a backtracking engine supports."""
        if isinstance(node, Atomic):
            return f"(?>{self.write(node.body, times)})"
        if isinstance(node, Look):
            if not node.ahead and has_group(node.body):
                raise UnsupportedError
            sign = "!" if node.negative else "="
            if not node.ahead:
                sign = "<" + sign
            return f"(?{sign}{self.write(node.body, times)})"
        if isinstance(node, Back):
            return self.back_reference(node)
        if isinstance(node, Condition):
            return self.condition(node, times)
        raise UnsupportedError

    def back_reference(self, node: Back) -> str:
        if node.test or node.inner or node.level is not None:
            raise UnsupportedError
        if node.fold and not self.mode.ascii:
            raise UnsupportedError  # the engines fold other characters in different ways
        if not self.mode.captures:
            raise UnsupportedError  # without captures the groups' numbers would differ
        texts = [f"(?i:\\{number})" if node.fold else f"(?:\\{number})" for number in node.numbers]
        if len(texts) == 1:
            return texts[0]
        return "(?>" + "|".join(texts) + ")"

    def condition(self, node: Condition, times: int) -> str:
        if has_group(node.test) or isinstance(node.test, Back):
            raise UnsupportedError
        test = self.write(node.test, times)
        yes = "" if node.yes is None else self.write(node.yes, times)
        no = "" if node.no is None else self.write(node.no, times)
        return f"(?:(?>{test}){yes}|(?!{test}){no})"


class ReWriter(Writer):
    """Emitter for ``re``, on ASCII only."""

    def place(self, kind: str) -> str:
        if kind == "start":
            raise UnsupportedError
        return super().place(kind)

    def special(self, node: Node, times: int, top: bool) -> str:
        raise UnsupportedError


class Re2Writer(Writer):
    """Emitter for RE2 on bytes."""

    def __init__(self, mode: Mode) -> None:
        super().__init__(mode)
        self.weight = 0

    def write(self, node: Node, times: int, top: bool = False) -> str:
        if isinstance(node, Set) and node.chars.classes and not self.mode.ascii:
            # RE2 compiles each class to many bytes, once per turn, while it holds the GIL.
            self.weight += times
            if self.weight > _MOST_CLASSES:
                raise UnsupportedError
        return super().write(node, times, top)

    def sequence(self, node: Sequence, times: int, top: bool) -> str:
        parts = node.parts
        out: list[str] = []
        for at, part in enumerate(parts):
            is_last = top and at == len(parts) - 1
            kind = part.kind if isinstance(part, Place) else ""
            if kind == "line_begin" and self._consumes(parts[at + 1 :]):
                # Oniguruma's differs only at the very end of a text, where it does not match.
                out.append("(?m:^)")
            elif kind == "semi_end" and is_last:
                out.append(self._last_end())
            else:
                out.append(self.write(part, times, is_last))
        return "".join(out)

    @staticmethod
    def _consumes(parts: list[Node]) -> bool:
        """Return whether some parts match at least one character."""
        for part in parts:
            if isinstance(part, Set | Dot):
                return True
            if isinstance(part, Text) and part.text:
                return True
        return False

    def _last_end(self) -> str:
        if not self.mode.newline:
            return r"\z"
        if self.mode.captures:
            raise UnsupportedError
        return r"\n?\z"

    def beyond(self, code: int) -> str:
        return f"\\x{{{code:x}}}"

    def nothing(self) -> str:
        return r"[^\x00-\x{10FFFF}]"

    def set(self, chars: CharSet) -> str:
        if self.mode.ascii or chars.odd():
            return super().set(chars)
        text = chars.re2_text()
        if text is None:
            raise UnsupportedError
        return text

    def repeat(self, node: Repeat, times: int) -> str:
        if max(node.least, node.most) > RE2_MOST:
            raise UnsupportedError
        return super().repeat(node, times)

    def hollow(self, node: Repeat) -> None:
        if self.mode.captures:
            raise UnsupportedError  # RE2 takes more of a lazy repetition
        super().hollow(node)

    def place(self, kind: str) -> str:
        if kind == "semi_end" and not self.mode.newline:
            return r"\z"
        if kind == "line_begin" and not self.mode.newline:
            return "(?m:^)"
        text = {"begin": r"\A", "end": r"\z", "line_end": "(?m:$)", "word": r"\b", "not_word": r"\B"}.get(kind)
        if text is None:
            raise UnsupportedError
        if kind in ("word", "not_word") and not self.mode.ascii:
            raise UnsupportedError  # RE2's \b knows only ASCII
        return text

    def special(self, node: Node, times: int, top: bool) -> str:
        raise UnsupportedError


def _edge(wanted: bool, before: Node | None, after: list[Node]) -> str | None:
    """Return a word boundary with a single, faster test, None unless one side's kind of character is known."""
    right = is_word(after[0], False) if after else None
    if right is not None:
        sign = "!" if right is wanted else "="
        return f"(?<{sign}{_WORD_TEXT})"
    left = is_word(before, True) if before is not None else None
    if left is not None:
        sign = "!" if left is wanted else "="
        return f"(?{sign}{_WORD_TEXT})"
    return None


def _is_word_boundary(node: Node) -> TypeGuard[Place]:
    return isinstance(node, Place) and node.kind in ("word", "not_word")


def is_word(node: Node, from_end: bool) -> bool | None:
    """Return whether all matches of a node begin (or end) with a word character, or none does; None if unknown."""
    if isinstance(node, Text):
        if not node.text:
            return None
        return _WORD_SET.contains(node.text[-1 if from_end else 0])
    if isinstance(node, Set):
        if node.chars.latin:
            return not node.chars.negated
        mask = node.chars.mask()
        if not mask or node.chars.odd() or node.chars.beyond() is not False:
            return None
        words = mask & _WORD_SET.mask()
        if words == mask:
            return True
        if words:
            return None
        return False
    if isinstance(node, Group | Atomic) or (isinstance(node, Repeat) and node.least):
        return is_word(node.body, from_end)
    if isinstance(node, Sequence) and node.parts:
        return is_word(node.parts[-1 if from_end else 0], from_end)
    if isinstance(node, Choice):
        sides = {is_word(choice, from_end) for choice in node.choices}
        return sides.pop() if len(sides) == 1 else None
    return None


def counts_text(least: int, most: int) -> str:
    """Return the text of a repetition's counts."""
    if most == INFINITE:
        return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
    if (least, most) == (0, 1):
        return "?"
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{most}}}"


def is_single(node: Node, text: str) -> bool:
    """Return whether a repetition operator may directly follow the text of a node."""
    if isinstance(node, Group | Choice) or len(text) == 1:
        return True
    return isinstance(node, Set | Dot) and not text.startswith("(?!")


def depends(node: Node) -> bool:
    """Return whether the position decides if a node can match the empty text."""
    return isinstance(node, Place | Look | Back | Condition | Atomic) or any(depends(part) for part in children(node))


def has_group(node: Node) -> bool:
    """Return whether a node contains a group."""
    return isinstance(node, Group) or any(has_group(part) for part in children(node))


def mask_members(mask: int) -> str:
    """Return the members of a bracket expression for ASCII characters, given as a bit mask."""
    out: list[str] = []
    code = 0
    while code < 128:
        if not mask >> code & 1:
            code += 1
            continue
        end = code
        while end < 127 and mask >> (end + 1) & 1:
            end += 1
        out.append(_member(code))
        if end > code + 1:
            out.append("-")
        if end > code:
            out.append(_member(end))
        code = end + 1
    return "".join(out)


def _member(code: int) -> str:
    char = chr(code)
    return char if char.isalnum() else f"\\x{code:02x}"


def in_ascii(node: Node) -> Node:
    """Return a tree with the same matches on ASCII, without the parts that need other characters."""
    if isinstance(node, Text):
        return node if node.text.isascii() else Fail()
    if isinstance(node, Set):
        if not node.chars.mask() and not node.chars.odd():
            return Fail()
        return node
    if isinstance(node, Sequence):
        parts = [in_ascii(part) for part in node.parts]
        if any(isinstance(part, Fail) for part in parts) and not has_group(node):
            return Fail()
        return Sequence(parts)
    if isinstance(node, Choice) and not node.lasting:
        choices = [in_ascii(choice) for choice in node.choices]
        left: list[Node] = [choice for choice in choices if not isinstance(choice, Fail)]
        if not left:
            return Fail()
        if len(left) == 1:
            return left[0]
        return Choice(left)
    if isinstance(node, Repeat):
        body = in_ascii(node.body)
        if isinstance(body, Fail):
            return Fail() if node.least else Text("")
        repeat = Repeat(body, node.least, node.most, node.greedy)
        repeat.hollow, repeat.watched = node.hollow, node.watched
        return repeat
    return node
