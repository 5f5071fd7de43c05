"""The tests of ``test`` and ``[[`` that need the shell's state."""

from __future__ import annotations

from collections.abc import Callable

from ..command.usual_places import means_a_program
from ..expand.params import fetch_named
from ..expand.subscripts import base as base_of
from ..state import variables
from ..state.context import OPTION_ATTRIBUTES
from ..state.context import ExecutionContext as Ctx
from ..state.references import split_reference


class ShellTests:
    """Implements ``-v``, ``-o``, ``-R`` and ``-t``, and ``-x`` for the usual paths of our utilities."""

    __test__ = False
    __slots__ = ("ctx",)

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx

    def is_set(self, name: str) -> bool:
        """``-v name``, ``-v name[i]``."""
        ctx = self.ctx
        reference = split_reference(name)
        if reference is None:
            # bash parses a positional parameter with strtoimax, which skips blanks and accepts a sign.
            number = name.lstrip(" \t\n").rstrip(" \t").removeprefix("+")
            is_number = number.isdigit() and number.isascii()
            return is_number and fetch_named(ctx, number) is not None
        base, subscript = reference
        if subscript is None:
            return variables.get(ctx, name) is not None
        binding = base_of(ctx, base)[1]
        if variables.is_associative(binding):
            key = ctx.run.evaluator.expand_subscript(ctx, subscript)
            if not key:
                variables.bad_subscript(ctx, base)
            return key in (binding.value or {})
        return self._has(base, subscript, lambda: ctx.run.evaluator.subscript_number(ctx, subscript))

    def has_element(self, name: str, key: str) -> bool:
        """``[[ -v name[key] ]]`` with a key that was expanded with its word: it is not expanded again (bash 5.2).

        A guard tests ``[[ -v allowed[$command] ]]``: no text in the key may run, or count as another key.
        """
        binding = base_of(self.ctx, name)[1]
        if variables.is_associative(binding):
            return key in (binding.value or {})
        shielded = key.replace("[", "\\[").replace("]", "\\]")
        return bool(key) and self._has(name, key, lambda: variables.evaluated(self.ctx, shielded))

    def _has(self, name: str, subscript: str, number: Callable[[], int]) -> bool:
        real, binding = base_of(self.ctx, name)
        if subscript in ("@", "*"):
            return bool(variables.elements(binding, self.ctx))
        return variables.element_at(self.ctx, binding, real, number()) is not None

    def is_reference(self, name: str) -> bool:
        """``-R name``."""
        binding = self.ctx.vars.get(name)
        return variables.is_nameref(binding) and bool(binding.value)

    def option(self, name: str) -> bool:
        """``-o option``."""
        if name in OPTION_ATTRIBUTES:
            return bool(getattr(self.ctx, name))
        return name in self.ctx.shopts

    def is_program(self, path: str) -> bool:
        """``-x /usr/bin/jq`` if no file exists there."""
        return means_a_program(self.ctx.fs, path, self.ctx.run.registry)

    def isatty(self, number: int) -> bool:
        """``-t fd``."""
        stream = self.ctx.fds.entries.get(number)
        return stream is not None and stream.isatty()
