"""The parts of a config that another system can't express, each at its place in the file."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import Diagnostic
from ..hooks.model import Origin

#: The subjects of losses.
EVENT, MATCHER, FIELD, DECISION, FAILURE, TIMEOUT, VARIABLE, SCRIPT, PERMISSION = (
    "event",
    "matcher",
    "field",
    "decision",
    "failure",
    "timeout",
    "variable",
    "script",
    "permission",
)


class Loss:
    """One part that the other system can't express.

    An ``error`` is a weaker guard: fewer calls are guarded, or a decision is lost. A ``warning`` is any other part that is
    lost. A ``hint`` is a change that makes nothing weaker: the hook runs on more calls, or a decision is stricter.
    """

    __slots__ = ("about", "diagnostic")

    def __init__(self, about: str, diagnostic: Diagnostic) -> None:
        self.about = about
        self.diagnostic = diagnostic

    @property
    def weaker(self) -> bool:
        """Whether the converted config guards less."""
        return self.diagnostic.severity == "error"

    def as_json(self) -> dict[str, object]:
        """Return the loss as a JSON object."""
        fields = self.diagnostic.as_json()
        names = ("file", "line", "column", "severity", "message", "hint")
        return {"about": self.about, **{name: fields[name] for name in names}}

    def __repr__(self) -> str:
        return f"Loss({self.about}: {self.diagnostic})"


class Losses:
    """The losses of one hook, at the hook's place."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self.all: list[Loss] = []

    def weaker(self, about: str, message: str, hint: str = "") -> None:
        """Add a loss that weakens a guard."""
        self._add(about, message, hint, "error")

    def lost(self, about: str, message: str, hint: str = "") -> None:
        """Add a loss that weakens no guard."""
        self._add(about, message, hint, "warning")

    def changed(self, about: str, message: str, hint: str = "") -> None:
        """Add a change that makes the guard no weaker."""
        self._add(about, message, hint, "hint")

    def of_guard(self, guards: bool, about: str, message: str, hint: str = "") -> None:
        """Add a loss that weakens a guard, if the hook is one."""
        self._add(about, message, hint, "error" if guards else "warning")

    def extend(self, others: Iterable[Loss]) -> None:
        """Add losses that were found elsewhere."""
        self.all += others

    def _add(self, about: str, message: str, hint: str, severity: str) -> None:
        self.all.append(Loss(about, self._origin.diagnostic(message, hint, severity)))
