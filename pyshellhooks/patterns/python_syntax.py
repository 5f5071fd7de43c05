"""Matchers in the syntax of Python's ``re``: ``re`` checks them, and the ``regex`` module searches, with a time limit.

``re`` itself has no time limit, and a search in it can't be ended. The module reads more than ``re`` does: a text that
is literal in ``re`` and has a meaning there is escaped (https://docs.python.org/3/library/re.html).

Known difference: a bracket in a comment of an expression with ``(?x)`` counts as the beginning of a class.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..text import remembered
from .repeats import check_repeats
from .timed_regex import compile_regex, fullmatch_bounded, search_bounded
from .tree import PatternError

if TYPE_CHECKING:
    from ..cancel import CancelScope

_LONGEST = 10_000  # characters of a matcher; ``re`` compiles without a time limit
#: The parts of an expression that decide where a bracket or a brace is literal.
_PART = re.compile(
    r"\\."
    r"|(?P<class>\[\^?\]?(?:[^\]\\]|\\.?)*+\]?)"
    r"|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}"
    r"|(?P<any>\{,\})"
    r"|(?P<brace>\{)",
    re.DOTALL,
)
#: In a class: an escape, or what may mean a set or an operation on sets in future, of which ``re`` warns.
_OF_SETS = re.compile(r"\\.|(?P<set>\[)|(?P<first>[-&~|])(?P=first)", re.DOTALL)


class PythonMatcher:
    """A compiled matcher. ``whole``: it must match the whole subject."""

    __slots__ = ("_name", "_program", "_whole")

    def __init__(self, pattern: str, *, ignores_case: bool, whole: bool) -> None:
        import regex

        self._name = f"the matcher {pattern!r}"
        self._whole = whole
        if len(pattern) > _LONGEST:
            raise PatternError("expression too big", 0)
        text = _PART.sub(_translated, pattern)
        _check(text)
        try:
            check_repeats(text)
            self._program = compile_regex(text, regex.VERSION0 | (regex.IGNORECASE if ignores_case else 0))
        except (regex.error, OverflowError):
            raise PatternError("expression too big", 0) from None
        except RecursionError:
            raise PatternError("expression nests too deeply", 0) from None

    def search(self, text: str, scope: CancelScope | None = None, most: float | None = None) -> bool:
        """Return whether the expression matches. ``most``: a limit in seconds. Raise ``Stop`` at the limit."""
        if self._whole:
            return fullmatch_bounded(self._program, text, scope, self._name, most) is not None
        return search_bounded(self._program, text, 0, scope, self._name, most) is not None


def _check(pattern: str) -> None:
    """Raise ``PatternError``, with Python's message, for an expression that ``re`` refuses."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise PatternError(error.msg, error.pos or 0) from None
    except OverflowError as error:
        raise PatternError(str(error), 0) from None
    except RecursionError:
        raise PatternError("expression nests too deeply", 0) from None


def _translated(part: re.Match[str]) -> str:
    """Return a part of an expression as the ``regex`` module must read it; ``re`` reads the result alike."""
    text = part[0]
    if part["class"]:
        begin = 2 if text.startswith("[^") else 1
        return text[:begin] + _OF_SETS.sub(_escaped, text[begin:])
    if part["any"]:
        return "*"
    return "\\{" if part["brace"] else text


def _escaped(part: re.Match[str]) -> str:
    if part["set"]:
        return "\\["
    if part["first"]:
        return f"{part['first']}\\{part['first']}"
    return part[0]


@remembered(256)
def compile_python(pattern: str, ignores_case: bool = False, whole: bool = False) -> PythonMatcher:
    """Compile a matcher; results are cached. Raise ``PatternError`` with Python's message and the offset."""
    return PythonMatcher(pattern, ignores_case=ignores_case, whole=whole)
