"""The notices about hooks: the hook, its place in the config, the problem, and the hint. Pure.

All have one form: ``title (file:line:column): problem; hint``. ``hooks.failure_notices`` finds the problems of a hook.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..notice import Notice
from .model import HookSpec
from .verdict import HookResult

_SHORT = 60


def hook_notice(spec: HookSpec, notice: Notice) -> Notice:
    """Return a notice about a hook in the common form. A hook that is not from a file is named by its id."""
    return notice.about(spec.id, short(spec.title), str(spec.origin) or spec.id)


def hook_notices(results: Sequence[HookResult]) -> tuple[Notice, ...]:
    """Return the notices of all hooks."""
    notices: list[Notice] = []
    for result in results:
        outcome = result.outcome
        has_own = bool(outcome.notices) or bool(result.run.notices) or outcome.internal_failure is not None
        if has_own or outcome.ended != "ok":  # the usual hook has none: building the list is left out
            notices += [hook_notice(result.spec, notice) for notice in result.notices]
    return tuple(notices)


def short(text: str) -> str:
    """Shorten a command for a message: its first line, at most 60 characters."""
    line = text.strip().partition("\n")[0]
    if len(line) <= _SHORT and line == text.strip():
        return line
    return line[: _SHORT - 3] + "..."
