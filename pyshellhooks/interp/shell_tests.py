"""What ``test`` and ``[[`` may ask of the shell."""

from __future__ import annotations

from ..expand import variables
from ..expand.failure import ExpansionError
from ..expand.params import fetch_named
from .context import OPTION_ATTRIBUTES
from .context import ExecutionContext as Ctx


class ShellTests:
    """Answers ``-v``, ``-o``, ``-R`` and ``-t``."""

    __test__ = False
    __slots__ = ("ctx",)

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx

    def is_set(self, name: str) -> bool:
        """``-v name``, ``-v name[i]``."""
        ctx = self.ctx
        if name.endswith("]") and "[" in name:
            base, _, subscript = name[:-1].partition("[")
            held = ctx.vars.get(base)
            if subscript in ("@", "*"):
                if isinstance(held, variables.Var) and held.kind == "A" and subscript in held.associative():
                    return True
                return bool(variables.elements(held, ctx))
            try:
                return variables.get_element(ctx, base, ctx.expand_text(subscript)) is not None
            except ExpansionError as error:
                if error.fatal:
                    raise
                return False
        try:
            return fetch_named(ctx, name) not in (None, [])
        except ExpansionError:
            return False

    def is_reference(self, name: str) -> bool:
        """``-R name``."""
        held = self.ctx.vars.get(name)
        return isinstance(held, variables.Var) and held.nameref and bool(held.value)

    def option(self, name: str) -> bool:
        """``-o option``."""
        if name in OPTION_ATTRIBUTES:
            return bool(getattr(self.ctx, name))
        return name in self.ctx.shopts

    def isatty(self, number: int) -> bool:
        """``-t fd``."""
        stream = self.ctx.fds.entries.get(number)
        return stream is not None and stream.isatty()
