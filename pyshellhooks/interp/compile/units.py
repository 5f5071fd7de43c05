"""The cache of compiled text. Its unit is one complete command (rule 8)."""

from __future__ import annotations

import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import Stop
from ...syntax.parser import Modes, Parser
from ...syntax.source import Source
from ...text import remembered
from . import WORDS, Exec, compile_list

if TYPE_CHECKING:
    from ...state.context import ExecutionContext as Ctx

BYTES = 64 * 1024 * 1024  # that all programs together may take
SHARE = BYTES // 2  # that one program may take
PER_COMMAND, PER_CHARACTER = 3000, 20  # estimated bytes of closures (measured: 17 KB for a line with an if)
PER_LINE, PER_ENTRY = 40, 100  # bytes of a line's offset; of a command's offset, or an alias in a key
KEPT = 1000  # commands of one text that are cached when first compiled

Unit = tuple["Exec | None", int]
"""A complete command, compiled, and where the next one starts; None at the end of the text."""

_MODES: dict[tuple[bool, bool, int], Modes] = {}


def modes_of(ctx: Ctx) -> Modes:
    """Return the modes that affect parsing now: extglob, posix mode, aliases."""
    shopts = ctx.shopts
    key = ("extglob" in shopts, "posix" in shopts, ctx.limits.parser_depth)
    if ctx.aliases and "expand_aliases" in shopts:
        return Modes(extglob=key[0], posix=key[1], aliases=dict(ctx.aliases), depth=ctx.limits.parser_depth)
    modes = _MODES.get(key)
    if modes is None:
        modes = _MODES[key] = Modes(extglob=key[0], posix=key[1], depth=ctx.limits.parser_depth)
    return modes


class Program:
    """One text and its compiled commands, by offset and modes.

    Python's garbage collector walks through all cached closures again and again. A text of thousands of commands mostly
    runs once, so commands after the first ``KEPT`` are cached only when they are compiled a second time.
    """

    __slots__ = ("_begun", "_cached_units", "_met", "_units", "is_cached", "size", "source")

    def __init__(self, text: str, name: str, line: int, once: bool) -> None:
        self.source = Source(text, name, line, made=once)
        self._begun = self.size = sys.getsizeof(text) + PER_LINE * text.count("\n") + 1000  # bytes, about
        self.is_cached = False
        self._units: dict[object, dict[int, Unit]] = {}
        self._cached_units = 0  # commands, in all modes
        self._met: set[int] = set()  # the offsets of commands that were compiled and not kept

    def units(self, modes: Modes) -> dict[int, Unit]:
        """Return the units that have been compiled in these modes, by offset."""
        found = self._units.get(modes.key)
        if found is None:
            self._grow(sum(PER_ENTRY + len(value) for value in modes.aliases.values()))
            found = self._units.setdefault(modes.key, {})
        return found

    def unit(self, offset: int, modes: Modes) -> Unit:
        """Compile the complete command at an offset."""
        parser = Parser(self.source, modes, offset)
        node = parser.next()
        try:
            compiled = (compile_list(node) if node is not None else None, parser.offset)
        except RecursionError:
            raise Stop("limit", "a command nests deeper than the stack") from None
        if self._cached_units < KEPT or offset in self._met:
            self._grow(_weight(self.source.text[offset : compiled[1]]))
            self.units(modes)[offset] = compiled
            self._cached_units += 1
        else:
            self._grow(PER_ENTRY)
            self._met.add(offset)
        return compiled

    def _grow(self, size: int) -> None:
        """Add to the size; a program that exceeds its share, by length or ever new aliases, drops its units first."""
        global _cached_size
        with _lock:
            gone = 0
            if self.size + size > SHARE:
                gone = self.size - self._begun
                self._units.clear()
                self._met.clear()
            self.size += size - gone
            if self.is_cached:
                _cached_size += size - gone
                _drop()


_programs: OrderedDict[tuple[str, str, int, bool], Program] = OrderedDict()
_cached_size = 0
_seen: dict[int, None] = {}
_lock = threading.RLock()  # a handler of a signal may run a script in the thread that holds it


def _after_fork() -> None:
    # Another thread may have held it when the host forked.
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def program(text: str, name: str, line: int, once: bool) -> Program:
    """Return the program of a text. ``once``: one-off text (``eval``), which is cached when it is seen again."""
    global _cached_size
    key = (text, name, line, once)
    found = _programs.get(key)
    if found is not None:
        try:
            _programs.move_to_end(key)
        except KeyError:
            pass  # another thread dropped it meanwhile; ours is as good
        return found
    made = Program(text, name, line, once)
    if once and not _seen_before(hash(key)):
        return made
    with _lock:
        other = _programs.pop(key, None)  # of another thread, meanwhile
        if other is not None:
            _forget(other)
        _programs[key] = made
        made.is_cached = True
        _cached_size += made.size
        _drop()
    return made


def _drop() -> None:
    """Drop the least recently used programs if all together take too much."""
    while _cached_size > BYTES and len(_programs) > 1:
        _forget(_programs.popitem(last=False)[1])


def _forget(dropped: Program) -> None:
    global _cached_size
    dropped.is_cached = False  # it may be running, and grow
    _cached_size -= dropped.size


def _weight(text: str) -> int:
    """Estimate the bytes of a compiled command by its length and its number of separators."""
    return PER_COMMAND * sum(map(text.count, ";|&(\n")) + PER_CHARACTER * len(text)


def _seen_before(mark: int) -> bool:
    if mark in _seen:
        return True
    if len(_seen) > 2000:
        _seen.clear()
    _seen[mark] = None
    return False


@remembered(500)
def arithmetic_text(text: str) -> Callable[[Ctx, int], int]:
    """Return the compiled form of an expression that is known at run time only."""
    from ...expand.arithmetic import compile_text

    return compile_text(text, WORDS)
