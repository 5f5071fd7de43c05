"""Builtins for regular expressions: ``test``, and the base of ``match``, ``capture``, ``scan``, ``splits`` and ``sub``.

The patterns have Oniguruma's syntax; the engines are in ``pyshellhooks.utilities.jq.regex.oniguruma``. Offsets count characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.values import describe, kind

if TYPE_CHECKING:
    from ..regex.oniguruma import Onig
    from ..regex.subject import Spans, Subject
    from ..running import Run

function = Family()

_OPTIONS = {"i": 1, "x": 2, "m": 4, "s": 8, "p": 12}  # the option bits of tokens
_MOST_KEPT = 100_000  # characters of patterns


class _Programs(dict[tuple[Any, Any], "tuple[Onig, bool]"]):
    """Cache of compiled patterns by text and flags, each with whether it has the flag ``g``."""

    size = 0

    def keep(self, regex: str, flags: str | None, program: tuple[Onig, bool]) -> None:
        """Cache a pattern; drop all others if they get too many."""
        size = len(regex) + 200
        if size > _MOST_KEPT // 2:
            return
        if self.size + size > _MOST_KEPT:
            self.clear()
            self.size = 0
        self.size += size
        self[regex, flags] = program


_programs = _Programs()


def forget() -> None:
    """Clear the cache of compiled patterns, for tests that hide an engine."""
    _programs.clear()


def _program(run: Run, regex: Any, flags: Any) -> tuple[Onig, bool]:
    """Return the compiled pattern, and whether the flags contain ``g``."""
    try:
        return _programs[regex, flags]
    except (KeyError, TypeError):
        pass
    if type(regex) is not str:
        raise JqError(f"{describe(regex)} is not a string")
    if flags is not None and type(flags) is not str:
        raise JqError(f"{describe(flags)} is not a string")
    options = 0
    for flag in flags or "":
        if flag not in "gimnlpsx":
            raise JqError(f"{flags} is not a valid modifier string")
        options |= _OPTIONS.get(flag, 0)
    from ....patterns.tree import PatternError
    from ..regex.oniguruma import compile_onig

    wanted = flags or ""
    try:
        program = compile_onig(regex, options, not_empty="n" in wanted, longest="l" in wanted, scope=run.scope)
    except PatternError as error:
        raise JqError(f"Regex failure: {error.message}") from None
    found = program, "g" in wanted
    _programs.keep(regex, flags, found)
    return found


def is_match(run: Run, value: Any, regex: Any, flags: Any) -> bool:
    """Return whether a text matches."""
    if type(value) is not str:
        raise _not_a_text(value)
    return _program(run, regex, flags)[0].test(value, run.scope)


def _not_a_text(value: Any) -> JqError:
    return JqError(f"{describe(value)} cannot be matched, as it is not a string")


def _matches(run: Run, value: Any, regex: Any, flags: Any) -> tuple[Onig, Subject, Iterator[Spans]]:
    """Return the pattern, the subject, and an iterator over the spans of the matches."""
    if type(value) is not str:
        raise _not_a_text(value)
    program, every = _program(run, regex, flags)
    from ..regex.subject import Subject

    subject = Subject(value)
    return program, subject, _places(run, program, subject, every)


def _places(run: Run, program: Onig, subject: Subject, every: bool) -> Iterator[Spans]:
    start = 0
    while start <= subject.size:
        run.check()
        spans = program.search(subject, start, run.scope)
        if spans is None:
            return
        yield spans
        if not every:
            return
        low, high = spans[0]
        # After an empty match jq continues one byte further, which may be inside a character.
        start = high + (low == high)


def _span(subject: Subject, low: int, high: int) -> tuple[int, int, str]:
    """Return the offset and the length in characters, and the text."""
    if subject.ascii:
        return low, high - low, subject.text[low:high]
    text = subject.data[low:high].decode("utf-8", "replace")
    if not subject.is_head(low):
        # jq does not find the start of the character, and counts from the start of the text.
        return 0, subject.chars(high), text
    offset = subject.chars(low)
    return offset, subject.chars(high) - offset, text


def match_list(run: Run, value: Any, regex: Any, flags: Any) -> list[dict[str, Any]]:
    """Return the match objects of ``match``."""
    program, subject, places = _matches(run, value, regex, flags)
    names = program.names
    out: list[dict[str, Any]] = []
    for spans in places:
        low, high = spans[0]
        if low == high:
            offset, length, text = subject.chars(low), 0, ""
            captures = [_no_capture(names[n], *_nothing(spans[n], offset)) for n in range(1, len(spans))]
        else:
            offset, length, text = _span(subject, low, high)
            captures = [_capture(subject, names[n], *spans[n]) for n in range(1, len(spans))]
        run.made(64 * (4 + 5 * len(captures)) + length)
        out.append({"offset": offset, "length": length, "string": text, "captures": captures})
    return out


def _nothing(span: tuple[int, int], offset: int) -> tuple[int, str | None]:
    """Return the offset and the text of a group in an empty match: every group that took part is empty, too."""
    return (-1, None) if span[0] < 0 else (offset, "")


def _no_capture(name: str | None, offset: int, text: str | None) -> dict[str, Any]:
    return {"offset": offset, "string": text, "length": 0, "name": name}


def _capture(subject: Subject, name: str | None, low: int, high: int) -> dict[str, Any]:
    if low < 0:
        return _no_capture(name, -1, None)
    if low == high:
        return _no_capture(name, subject.chars(low), "")
    offset, length, text = _span(subject, low, high)
    return {"offset": offset, "length": length, "string": text, "name": name}


def _texts(subject: Subject, spans: Spans) -> list[str | None]:
    """Return the texts of the groups."""
    if spans[0][0] == spans[0][1]:
        return [None if low < 0 else "" for low, _ in spans[1:]]
    return [None if low < 0 else _span(subject, low, high)[2] for low, high in spans[1:]]


def _named(program: Onig, subject: Subject, spans: Spans) -> dict[str, str | None]:
    """Return the texts of the named groups; of several with one name the last."""
    if not program.has_names:
        return {}
    texts = _texts(subject, spans)
    return {name: text for name, text in zip(program.names[1:], texts, strict=True) if name is not None}


def matches(run: Run, value: Any, regex: Any, flags: Any, test: bool) -> bool | list[dict[str, Any]]:
    """Return the matches, or with ``test`` whether there is one, as jq's ``_match_impl`` does."""
    if test:
        return is_match(run, value, regex, flags)
    return match_list(run, value, regex, flags)


def capture_list(run: Run, value: Any, regex: Any, flags: Any) -> list[dict[str, str | None]]:
    """Return the results of ``capture``."""
    program, subject, places = _matches(run, value, regex, flags)
    return [_named(program, subject, spans) for spans in places]


def scan_list(run: Run, value: Any, regex: Any, flags: Any) -> list[Any]:
    """Return the results of ``scan``: the matched texts, or arrays of the groups' texts."""
    program, subject, places = _matches(run, value, regex, with_every(flags, first=True))
    if program.groups:
        return [_texts(subject, spans) for spans in places]
    out: list[Any] = []
    for spans in places:
        low, high = spans[0]
        run.made(64 + high - low)
        out.append(_span(subject, low, high)[2] if low < high else "")
    return out


def split_list(run: Run, value: Any, regex: Any, flags: Any) -> list[str]:
    """Return the results of ``splits``."""
    _, subject, places = _matches(run, value, regex, with_every(flags))
    out: list[str] = []
    before = 0
    for spans in places:
        offset, after = _ends(subject, spans)
        run.made(64 + max(0, offset - before))
        out.append(value[before:offset])
        before = after
    out.append(value[before:])
    return out


def _ends(subject: Subject, spans: Spans) -> tuple[int, int]:
    low, high = spans[0]
    if low == high:
        offset = subject.chars(low)
        return offset, offset
    if subject.ascii:
        offset, length, _ = low, high - low, ""
    else:
        offset, length, _ = _span(subject, low, high)
    return offset, offset + length


def sub_pieces(run: Run, value: Any, regex: Any, flags: Any) -> tuple[list[tuple[str, dict[str, str | None]]], str]:
    """Split a text for ``sub``: the text before each match with the named captures, and the text after the last one.

    The replacement's first results for all matches make the first result of ``sub``, and so on: each follows the text
    before its match. Without a match, or without any result of the replacement, the text itself is the result.
    """
    program, subject, places = _matches(run, value, regex, flags)
    out: list[tuple[str, dict[str, str | None]]] = []
    before = 0
    for spans in places:
        offset, after = _ends(subject, spans)
        run.made(128 + max(0, offset - before))
        out.append((value[before:offset], _named(program, subject, spans)))
        before = after
    return out, value[before:]


def with_every(flags: Any, first: bool = False) -> Any:
    """Add the flag ``g``, with the errors of jq's ``+``."""
    if flags is None:
        return "g"
    if type(flags) is not str:
        one, other = ("g", flags) if first else (flags, "g")
        raise JqError(f"{describe(one)} and {describe(other)} cannot be added")
    return "g" + flags if first else flags + "g"


def pattern_of(value: Any) -> tuple[Any, Any]:
    """Return the pattern and the flags from a single argument: a string, or an array of both."""
    if type(value) is str:
        return value, None
    if type(value) is list and value:
        return value[0], value[1] if len(value) > 1 else None
    raise JqError(f"{kind(value)} not a string or array")


@function("test")
def test(run: Run, value: Any, regex: Any, flags: Any) -> bool:
    """Return whether a text matches."""
    return is_match(run, value, regex, flags)


@function("test")
def test_one(run: Run, value: Any, regex: Any) -> bool:
    """Return whether a text matches; the argument may be an array of the pattern and the flags."""
    return is_match(run, value, *pattern_of(regex))


@function("_match_impl")
def match_impl(run: Run, value: Any, regex: Any, flags: Any, test: Any) -> bool | list[dict[str, Any]]:
    """Return the matches, or whether there is one."""
    return matches(run, value, regex, flags, test is True)


@function("_pattern_of")
def pattern_and_flags(run: Run, value: Any, regex: Any) -> list[Any]:
    """Return the pattern and the flags from a single argument, as an array."""
    return list(pattern_of(regex))


@function("_captures")
def captures(run: Run, value: Any, regex: Any, flags: Any) -> list[dict[str, str | None]]:
    """Return the results of ``capture``."""
    return capture_list(run, value, regex, flags)


@function("_scan", first_outer=True)
def scan(run: Run, value: Any, regex: Any, flags: Any) -> list[Any]:
    """Return the results of ``scan``."""
    return scan_list(run, value, regex, flags)


@function("split", first_outer=True)
def split(run: Run, value: Any, regex: Any, flags: Any) -> list[str]:
    """Return the text split at the matches."""
    return split_list(run, value, regex, flags)


@function("_sub", first_outer=True)
def sub(run: Run, value: Any, regex: Any, flags: Any) -> list[Any]:
    """Return the pieces of a text for ``sub``: ``[[before, captures], ...], after``."""
    pieces, after = sub_pieces(run, value, regex, flags)
    return [[[before, named] for before, named in pieces], after]
