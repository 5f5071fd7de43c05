"""Building the fields of one word: quoted text, literal text and split values, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import Stop
from ..pattern.glob import escape, has_magic
from ..state.splitting import DEFAULT_IFS, split
from ..text import EVERY, paced

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx


def _may_be_magic(text: str) -> bool:
    """Look for the characters alone: a bracket may close in a later piece of the word."""
    return "*" in text or "?" in text or "[" in text or "(" in text


LARGE = 4096  # characters from which on a new value counts towards the run's memory
FEW = 16  # parts of a word that are joined before somebody looks how long they are together
ELEMENT = 64  # bytes that an element of an array counts as, at least


def bounded(ctx: Ctx, text: str) -> str:
    """Hold a large new value against the limits and the deadline: there may be many of them."""
    ctx.task.check()
    if len(text) > ctx.limits.string:
        raise Stop("limit", f"a value is longer than {ctx.limits.string} characters", "string")
    ctx.run.grew(len(text))
    return text


def gathered(ctx: Ctx, texts: Iterable[str]) -> str:
    """Join the parts of a word, of which there may be many; stop when they are too long, not when they are one text."""
    parts: list[str] = []
    size = 0
    for text in texts:
        size += len(text)
        if len(text) > LARGE:
            ctx.task.check()
            if size > ctx.limits.string:
                break
        parts.append(text)
    if size > ctx.limits.string:
        raise Stop("limit", f"a value is longer than {ctx.limits.string} characters", "string")
    return "".join(parts)


class FieldBuilder:
    """Collects fields of one word. Each has its text and, where it may glob, its pattern (quoted parts escaped)."""

    __slots__ = ("_magic", "_pattern", "_text", "ctx", "done", "extglob", "glob", "ifs", "vanished")

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx
        ifs = ctx.vars.get("IFS", DEFAULT_IFS)
        self.ifs: str = ifs if isinstance(ifs, str) else (ifs.get(ctx) or "")
        self.glob = not ctx.noglob
        self.extglob = "extglob" in ctx.shopts
        self.done: list[str] = []
        self._text: list[str] | None = None  # None: no field is open
        self._pattern: list[str] = []
        self._magic = False
        self.vanished = False  # a list of no items was added in quotes

    def is_open(self) -> bool:
        """Say whether a field has begun."""
        return self._text is not None

    def drop_empty(self) -> None:
        """Take back the open field if nothing is in it."""
        if self._text is not None and not any(self._text):
            self._text = None
            self._pattern.clear()

    def quoted(self, text: str) -> None:
        """Add quoted text; opens a field even when empty."""
        if self._text is None:
            self._text = []
        self._text.append(text)
        if self.glob:
            self._pattern.append(escape(text))

    def literal(self, text: str) -> None:
        """Add unquoted text that is not split, or no more: it globs."""
        if self._text is None:
            self._text = []
        self._text.append(text)
        if self.glob:
            self._pattern.append(text)
            self._magic = self._magic or _may_be_magic(text)

    def value(self, text: str) -> None:
        """Add an unquoted expansion: splits and globs."""
        if len(text) > LARGE:
            self.ctx.task.check()
            self.ctx.run.grew(len(text))
        lead, fields, trail = split(text, self.ifs)
        if lead and self._text is not None:
            self.end()
        count = len(fields)
        if count > 1000:
            self.ctx.run.grew(count * ELEMENT)
        self._hold(count)
        if count > 2 and not (self.glob and _may_be_magic(text)):  # those in the middle stand alone, and are no pattern
            self._pieces(fields[:1], ended=True)
            self.done.extend(fields[1:-1])
            fields = fields[-1:]
        self._pieces(fields, ended=trail)
        if not fields and trail and self._text is not None:
            self.end()

    def _pieces(self, fields: list[str], *, ended: bool) -> None:
        last = len(fields)
        for number, field in enumerate(fields, 1):
            if not number % EVERY:
                self.ctx.task.check()
            if field or self._text is None:
                self.literal(field)
            if number < last or ended:
                self.end()

    def quoted_list(self, items: list[str]) -> None:
        """Add ``"$@"``: one field each, the first and last joined to what stands beside them."""
        if not items:
            self.vanished = True
            return
        self.quoted(items[0])
        if len(items) > 1:
            self.end()
            self.done.extend(items[1:-1])  # whole fields: nothing in them splits or globs
            self._hold()
            self.quoted(items[-1])

    def value_list(self, items: list[str]) -> None:
        """Add ``$@`` or ``$*`` unquoted: each item is split on its own."""
        if self.ifs and self.ifs[0] not in " \t\n":
            # The separator is no blank: an empty item is a field of its own (bash joins and splits again).
            self.value(self.ifs[0].join(items))
            return
        last = len(items) - 1
        for number, item in enumerate(paced(items)):
            if item:
                self.value(item)
            if number != last:
                self.end()

    def end(self) -> None:
        """Close the open field (an empty one counts) and expand its pathnames."""
        if self._text is None:
            return
        text = gathered(self.ctx, self._text) if len(self._text) > FEW else "".join(self._text)
        if len(text) > LARGE:
            bounded(self.ctx, text)
        if self._magic and has_magic(pattern := "".join(self._pattern), self.extglob):
            from .globbing import expand_pathname

            self.done.extend(expand_pathname(self.ctx, pattern, text))
            self._hold()
        else:
            self.done.append(text)
        self._text = None
        self._pattern.clear()
        self._magic = False

    def _hold(self, more: int = 0) -> None:
        """Hold the number of fields against the limit."""
        if len(self.done) + more > self.ctx.limits.expansion:
            raise Stop("limit", f"a word expands to more than {self.ctx.limits.expansion} fields", "expansion")

    def finish(self) -> list[str]:
        """Return the fields."""
        self.end()
        return self.done
