"""Programs of the ``regex`` module, which backtracks: each search ends the run when its time is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Stop

if TYPE_CHECKING:
    from ..cancel import CancelScope

REGEX_TIMEOUT = 10.0  # seconds of one search where the run itself has no nearer deadline
_DEAF = 9e-8  # seconds for a character
_LONG = 1 << 21
LONG = 4096  # characters of a pattern that is too large for the cache of ``re``, which keeps 512
_MOST_COMPILED = 1 << 17  # characters of patterns after which a module's cache is emptied
_compiled = {"re2": 0, "regex": 0}


def compile_regex(text: str, flags: int = 0) -> Any:
    """Do ``regex.compile`` for a pattern of a script, and leave it in no cache of the module.

    Those count 500 patterns of any size. The text of one that is not to be cached is kept all the same, until ``purge``: that
    costs others a compilation, and nothing else.
    """
    import regex

    program = regex.compile(text, flags, cache_pattern=False)
    _count(regex, "regex", len(text))
    return program


def compile_re2(re2: Any, text: bytes, options: Any) -> Any:
    """Do ``re2.compile``. The module keeps 128 programs of any size: up to a gigabyte, says its documentation."""
    program = re2.compile(text, options)
    _count(re2, "re2", len(text))
    return program


def _count(module: Any, name: str, size: int) -> None:
    _compiled[name] += size + 100
    if _compiled[name] > _MOST_COMPILED:
        _compiled[name] = 0
        module.purge()


def time_left(scope: CancelScope | None, most: float | None = None) -> float:
    """Return the seconds that a search may take."""
    most = REGEX_TIMEOUT if most is None else min(most, REGEX_TIMEOUT)
    if scope is None:
        return most
    scope.check()
    left = scope.remaining()
    return most if left is None else max(0.001, min(left, most))


def deaf_for(text: str, start: int) -> float:
    """Return the seconds for which a program of the ``regex`` module may not hear of its time; 0 for a short text."""
    size = len(text) - start
    return size * _DEAF if size > _LONG else 0.0


def search_bounded(
    program: Any,
    text: str,
    start: int,
    scope: CancelScope | None,
    name: str = "a regular expression",
    most: float | None = None,
) -> Any:
    """Search with a program of the ``regex`` module, and give its match or None.

    It hears of its time only behind what goes back over a long text, and so it gets less of it there. Raises ``Stop`` where
    its time is over, or the memory that it keeps its way back in (1 GiB, soon full where a group
    calls itself before it takes a character): nobody knows then whether it matches.
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
    """Match with a program from a place on, as ``search_bounded`` searches."""
    return _bounded(program.match, text, start, time_left(scope), "a regular expression")
