"""``Gate``: the decision of the hooks on one step of an agent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ..hooks.verdict import Verdict
from ..text import lines

BLOCKED = "blocked by a hook"


class Gate:
    """The decision of the hooks on one step of an agent: a prompt, a call, a result, the end.

    ``value``: the arguments, the prompt, the result, or the text that the agent continues with.
    ``denied`` (str or None): the reason why the step must not go ahead, for the model; None if it may.
    ``ask`` (str or None): an open question. The gate is denied until a person confirms it (``answered``).
    ``halt`` (bool): the agent's loop must end; the gate is denied as well.
    ``context`` (str): more text for the model. ``rewritten`` (bool): hooks changed ``value``.
    ``notices`` (tuple of str): for a person. ``verdict`` (``Verdict`` or None): None if the hooks could not run.
    """

    __slots__ = ("ask", "context", "denied", "halt", "notices", "rewritten", "value", "verdict")

    def __init__(
        self,
        value: Any = None,
        denied: str | None = None,
        context: str = "",
        halt: bool = False,
        ask: str | None = None,
        rewritten: bool = False,
        notices: tuple[str, ...] = (),
        verdict: Verdict | None = None,
    ) -> None:
        self.value = value
        self.denied = denied
        self.context = context
        self.halt = halt
        self.ask = ask
        self.rewritten = rewritten
        self.notices = notices
        self.verdict = verdict

    def answered(self, yes: bool) -> Gate:
        """Return the gate after a person's answer. Only ``True`` is a yes. A gate without a question returns itself."""
        if self.ask is None:
            return self
        denied = None if yes is True else f"not confirmed: {self.ask}"
        return Gate(self.value, denied, self.context, False, None, self.rewritten, self.notices, self.verdict)

    @classmethod
    def joined(cls, gates: Iterable[Gate]) -> Gate:
        """Return one gate for several: denied like the first denied one, with the context of all."""
        known = list(gates)
        first = next((gate for gate in known if gate.denied is not None), cls())
        return cls(None, first.denied, lines(*(gate.context for gate in known)), first.halt)

    def __bool__(self) -> NoReturn:
        """Raise ``TypeError``: ``if gate`` could mean "it may go ahead" or "it is denied"."""
        raise TypeError("a gate is neither true nor false: test gate.denied, which is None if the step may go ahead")

    def __repr__(self) -> str:
        if self.ask:
            state = "ask"
        elif self.halt:
            state = "halt"
        else:
            state = "open" if self.denied is None else "denied"
        if self.rewritten:
            state += ", rewritten"
        return f"Gate({state}, {self.denied or self.value!r:.80})"


def guarded(verdict: Verdict, original: Any, kind: type, new: Any) -> Gate:
    """Return the gate of a step that hooks can deny, ask about and rewrite.

    ``original`` is the value before the hooks, ``new`` the rewritten one or None. A ``new`` that is not a ``kind`` is a deny.
    """
    denied: str | None = verdict.reason or BLOCKED
    if verdict.blocked:
        return Gate(original, denied, verdict.context, verdict.halt, verdict=verdict)
    if new is not None and not isinstance(new, kind):
        # The original was not judged as it is: a hook wanted another one.
        invalid = f"a hook rewrote this to an invalid value: {new!r:.80}"
        return Gate(original, invalid, verdict.context, verdict=verdict)
    ask: str | None = None
    if verdict.needs_approval:
        ask = verdict.user_message or verdict.reason or "a hook asks for confirmation"
    if verdict.proceeds:
        denied = None
    elif ask is not None:
        denied = f"not confirmed: {ask}"
    value = original if new is None else new
    return Gate(value, denied, verdict.context, False, ask, new is not None, (), verdict)
