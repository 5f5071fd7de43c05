"""Compilation and searches with a time limit, for the ``regex`` module, which backtracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Stop

if TYPE_CHECKING:
    from ..cancel import CancelScope

REGEX_TIMEOUT = 10.0  # seconds of one search if the run has no earlier deadline
_DEAF = 9e-8  # seconds for a character, in which the module does not check its timeout
_LONG = 1 << 21
LONG = 4096  # characters above which a pattern is too large for the cache of ``re``, which holds 512
_MOST_COMPILED = 1 << 17  # characters of patterns after which a module's cache is emptied
_compiled = {"re2": 0, "regex": 0}


def compile_regex(text: str, flags: int = 0) -> Any:
    """Call ``regex.compile`` for a pattern of a script, without leaving it in the module's caches.

    They hold 500 patterns of any size. The module keeps even an uncached pattern's text until ``purge``, which only
    costs other patterns a compilation.
    """
    import regex

    program = regex.compile(text, flags, cache_pattern=False)
    _count(regex, "regex", len(text))
    return program


def compile_re2(re2: Any, text: bytes, options: Any) -> Any:
    """Call ``re2.compile``. The module caches 128 programs of any size: up to a gigabyte, by its documentation."""
    program = re2.compile(text, options)
    _count(re2, "re2", len(text))
    return program


def _count(module: Any, name: str, size: int) -> None:
    _compiled[name] += size + 100
    if _compiled[name] > _MOST_COMPILED:
        _compiled[name] = 0
        module.purge()


def time_left(scope: CancelScope | None, most: float | None = None) -> float:
    """Return the seconds that a search may take. Raise ``Stop`` if the run is over."""
    if most is None or most > REGEX_TIMEOUT:
        most = REGEX_TIMEOUT
    if scope is None:
        return most
    scope.check()
    left = scope.remaining()
    if left is None:
        return most
    return max(0.001, min(left, most))


def deaf_for(text: str, start: int) -> float:
    """Return the seconds for which the ``regex`` module may not check its timeout; 0 for a short text."""
    size = len(text) - start
    if size <= _LONG:
        return 0.0
    return size * _DEAF


def search_bounded(
    program: Any,
    text: str,
    start: int,
    scope: CancelScope | None,
    name: str = "a regular expression",
    most: float | None = None,
) -> Any:
    """Search with a program of the ``regex`` module, and give its match or None.

    In a long text the module checks its timeout late, so there it is shorter. Raise ``Stop`` after the timeout, or if
    the memory for backtracking is full (1 GiB, soon full if a group calls itself before it consumes a character): then
    it is unknown whether the pattern matches.
    """
    return _bounded(program.search, text, start, time_left(scope, most), name)


def _bounded(look: Any, text: str, start: int, seconds: float, name: str) -> Any:
    try:
        return look(text, start, timeout=max(0.001, seconds - deaf_for(text, start)))
    except TimeoutError:
        raise Stop("regex", f"{name} took too long") from None
    except MemoryError:
        raise Stop("regex", f"{name} needs too much memory") from None


def match_bounded(program: Any, text: str, start: int, scope: CancelScope | None) -> Any:
    """Match at ``start``, with the limits of ``search_bounded``."""
    return _bounded(program.match, text, start, time_left(scope), "a regular expression")


def fullmatch_bounded(
    program: Any, text: str, scope: CancelScope | None, name: str = "a regular expression", most: float | None = None
) -> Any:
    """Match a whole text, with the limits of ``search_bounded``."""
    return _bounded(program.fullmatch, text, 0, time_left(scope, most), name)
