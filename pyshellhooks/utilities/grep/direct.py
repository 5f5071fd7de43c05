"""``grep -q PATTERN`` on a complete text in memory, without a scan (command/direct.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...command import Direct, DirectContext, Flags
from ...errors import UsageError
from ...patterns.charclass import is_utf8
from ...patterns.engines import Regex
from .settings import Search, Settings, build_search, settings_of, syntax_of

_LARGE = 65536  # bytes; a larger text is scanned, which reads it only up to the first match
_KNOWN = frozenset(
    (
        "basic_regexp",
        "extended_regexp",
        "fixed_strings",
        "ignore_case",
        "line_regexp",
        "no_ignore_case",
        "no_messages",
        "quiet",
        "regexp",
        "word_regexp",
    )
)


def make_direct(flags: Flags, default_syntax: str, words: Sequence[str]) -> Direct | None:
    """Return the direct function for some arguments, or None if they need more than whether a line matches."""
    try:
        opts, operands = flags.parse(words, {})
        if "quiet" not in opts or not _KNOWN.issuperset(dest for dest, _ in opts.given):
            return None
        settings = settings_of(opts)
        syntax = syntax_of(settings, default_syntax)
    except UsageError:
        return None
    texts = opts.all("regexp") or operands[:1]
    if not texts or len(operands) != ("regexp" not in opts):
        return None
    patterns = tuple(dict.fromkeys("\n".join(texts).split("\n")))
    make = partial(build_search, patterns, syntax, settings.ignore_case, settings.word, settings.whole_lines, False)
    made: dict[bool, Search | None] = {}  # by whether the locale is UTF-8

    def answer(data: bytes, context: DirectContext) -> tuple[int, bytes] | None:
        utf8 = is_utf8(context.env)
        if utf8 not in made:
            made[utf8] = _without_warnings(make(utf8))
        return _answer(made[utf8], settings, data, context)

    return answer


def _without_warnings(search: Search | None) -> Search | None:
    """Return a search with a linear matcher and nothing to report; None for any other, which needs the whole command."""
    if search is None or not isinstance(search.matcher, Regex):
        return None
    if search.matcher.warnings:
        return None
    return search


def _answer(search: Search | None, settings: Settings, data: bytes, context: DirectContext) -> tuple[int, bytes] | None:
    if search is None or len(data) > _LARGE or 0 in data:
        return None
    if settings.word:
        lines = data if data[-1:] == b"\n" else data + b"\n"
        is_line = bool(data) and next(search.finder.runs(lines, 0, context.scope), None) is not None
    else:
        found = search.matcher.find(data, 0, scope=context.scope)
        # An empty match after the last newline does not belong to a line.
        is_line = found >= 0 and (data.rfind(b"\n", 0, found) + 1 < len(data))
    return (0 if is_line else 1), b""
