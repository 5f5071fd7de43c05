"""``FieldBuilder``: the fields of one word, from quoted text, literal text and split values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import Stop
from ..patterns.glob import escape, has_magic
from ..state.splitting import DEFAULT_IFS, split
from ..text import EVERY, paced

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx


def no_text(ctx: Ctx) -> str:
    """Return the empty text: the expansion of a word that is not written, as in ``${x/a}``."""
    return ""


def _may_be_magic(text: str) -> bool:
    """Return whether a text has a pattern character; a bracket may close in a later piece of the word."""
    # These four searches take a third of the time of a search for a set of characters.
    return "*" in text or "?" in text or "[" in text or "(" in text


LARGE = 4096  # characters; a longer new value counts towards the run's memory
FEW = 16  # parts of a word that are joined without a check of their total length
ELEMENT = 64  # bytes that an element of an array counts as, at least


def bounded(ctx: Ctx, text: str) -> str:
    """Return a large new value. Raises ``Stop`` beyond the limits or after the deadline: there may be many of them."""
    ctx.task.check()
    if len(text) > ctx.limits.string:
        raise Stop("limit", f"a value is longer than {ctx.limits.string} characters", "string")
    ctx.run.grew(len(text))
    return text


def gathered(ctx: Ctx, texts: Iterable[str]) -> str:
    """Return the joined parts of a word. Raises ``Stop`` as soon as they are too long, before they are joined."""
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
    """Collects the fields of one word. Each has its text and, if it may glob, its pattern (quoted parts escaped)."""

    __slots__ = ("_magic", "_pattern", "_text", "ctx", "done", "extglob", "glob", "ifs", "vanished")

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx
        ifs = ctx.vars.get("IFS", DEFAULT_IFS)
        if isinstance(ifs, str):
            self.ifs: str = ifs
        else:
            self.ifs = ifs.get(ctx) or ""
        self.glob = not ctx.noglob
        self.extglob = "extglob" in ctx.shopts
        self.done: list[str] = []
        self._text: list[str] | None = None  # None: no field is open
        self._pattern: list[str] = []
        self._magic = False
        self.vanished = False  # whether an empty list was added in quotes

    def is_open(self) -> bool:
        """Return whether a field has begun."""
        return self._text is not None

    def drop_empty(self) -> None:
        """Discard the open field if it is empty."""
        if self._text is not None and not any(self._text):
            self._text = None
            self._pattern.clear()

    def quoted(self, text: str) -> None:
        """Add quoted text, which begins a field even if it is empty."""
        if self._text is None:
            self._text = []
        self._text.append(text)
        if self.glob:  # with ``set -f`` a pattern is not needed
            self._pattern.append(escape(text))

    def literal(self, text: str) -> None:
        """Add unquoted text that is not split, or already split; it is a part of a pattern."""
        if self._text is None:
            self._text = []
        self._text.append(text)
        if self.glob:
            self._pattern.append(text)
            if not self._magic:
                self._magic = _may_be_magic(text)

    def value(self, text: str) -> None:
        """Add an unquoted expansion, with field splitting and pathname expansion."""
        if len(text) > LARGE:
            self.ctx.task.check()
            self.ctx.run.grew(len(text))
        lead, fields, trail = split(text, self.ifs)
        if lead and self._text is not None:
            self.end()
        count = len(fields)
        # The memory of a few fields is not worth a count.
        if count > 1000:
            self.ctx.run.grew(count * ELEMENT)
        self._hold(count)
        if count > 2:
            has_patterns = self.glob and _may_be_magic(text)
            if not has_patterns:  # the middle ones are complete, and need no loop
                self._pieces(fields[:1], ended=True)
                self.done.extend(fields[1:-1])
                fields = fields[-1:]
        self._pieces(fields, ended=trail)
        if trail and not fields:
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
        """Add ``"$@"``: one field for each item, the first and last joined to the adjacent parts of the word."""
        if not items:
            self.vanished = True
            return
        self.quoted(items[0])
        if len(items) > 1:
            self.end()
            self.done.extend(items[1:-1])  # complete fields: quoted, so not split and not patterns
            self._hold()
            self.quoted(items[-1])

    def value_list(self, items: list[str]) -> None:
        """Add an unquoted ``$@`` or ``$*``: each item is split on its own."""
        if self.ifs and self.ifs[0] not in " \t\n":
            # With a non-blank separator an empty item is a field too (bash joins and splits again).
            self.value(self.ifs[0].join(items))
            return
        last = len(items) - 1
        for number, item in enumerate(paced(items)):
            if item:
                self.value(item)
            if number != last:
                self.end()

    def end(self) -> None:
        """End the open field (even an empty one), with pathname expansion."""
        if self._text is None:
            return
        if len(self._text) > FEW:
            text = gathered(self.ctx, self._text)
        else:
            text = "".join(self._text)
        if len(text) > LARGE:
            bounded(self.ctx, text)
        if self._magic and has_magic(pattern := "".join(self._pattern), self.extglob):
            # Most runs expand no pathname, so that they do not load this.
            from .globbing import expand_pathname

            self.done.extend(expand_pathname(self.ctx, pattern, text))
            self._hold()
        else:
            self.done.append(text)
        self._text = None
        self._pattern.clear()
        self._magic = False

    def _hold(self, more: int = 0) -> None:
        """Raise ``Stop`` if the number of fields is beyond the limit."""
        if len(self.done) + more > self.ctx.limits.expansion:
            raise Stop("limit", f"a word expands to more than {self.ctx.limits.expansion} fields", "expansion")

    def finish(self) -> list[str]:
        """End the open field and return all fields."""
        self.end()
        return self.done
