"""What a failed hook means, and what people are told about it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..hooks.dialect import CLOSED, OPEN, EventSpec
from ..hooks.model import FAILURES, Decision, HookOutcome, HookSpec
from ..hooks.verdict import HookResult, Verdict

_SHORT = 60


class FailurePolicy:
    """Decides for failures: the hook's own policy, else the engine's, else the event's row; ``strict`` over all."""

    __slots__ = ("on_failure", "strict")

    def __init__(self, on_failure: str | None = None, strict: bool = False) -> None:
        if on_failure not in (None, OPEN, CLOSED):
            raise ValueError(f'on_failure is "open" or "closed", not {on_failure!r}')
        self.on_failure = on_failure
        self.strict = strict

    def apply(self, outcome: HookOutcome, spec: HookSpec, row: EventSpec) -> None:
        """Turn a failure that must not pass into a deny. A block that the hook did give stays as it is."""
        if outcome.blocks or not row.guards or row.guards == "stop":
            return
        ended = outcome.ended
        if ended in FAILURES:
            own = spec.on_failure
            if own is not None and not isinstance(own, str):
                own = own.get(ended)
            policy = own or self.on_failure or row.failure.get(ended, OPEN)
            if self.strict or policy == CLOSED:
                detail = outcome.notices[0] if outcome.notices else ended.replace("_", " ")
                _deny(outcome, f"hook failed: {short(spec.title)}: {detail}")
        elif self.strict and outcome.faults:
            _deny(outcome, f"hook failed: {short(spec.title)}: {outcome.faults[0]}")

    def finish(self, verdict: Verdict, row: EventSpec) -> Verdict:
        """Add what each hook has to say to the verdict's notices; under ``strict`` a refused rewrite denies."""
        notices = hook_notices(verdict.hooks)
        if notices:
            verdict.notices += notices
        if self.strict and verdict.faults and not verdict.blocked and row.guards not in ("", "stop"):
            verdict.decision = Decision.DENY
            verdict.reason = "\n".join(filter(None, (verdict.reason, *verdict.faults)))
            verdict.updated_input_text = None
        if row.guards == "result" and verdict.blocked:
            blocking = [one.outcome for one in verdict.hooks if one.outcome.blocks]
            stands = bool(blocking) and all([outcome.stands for outcome in blocking])
            verdict.withholds = not stands or (self.strict and bool(verdict.faults))
        return verdict


def hook_notices(results: Sequence[HookResult]) -> tuple[str, ...]:
    """Give the notices of all hooks, each under its hook's name: no failure is ever silent."""
    found: list[str] = []
    for result in results:
        outcome = result.outcome
        if outcome.ended == "ok" and not outcome.notices and not result.run.notices:
            continue
        title = short(result.spec.title)
        notices = result.notices
        if not notices and not outcome.blocks:
            notices = (outcome.ended.replace("_", " "),)
        found += [f"{title}: {notice}" for notice in notices]
    return tuple(found)


def short(text: str) -> str:
    """Fit a command into a message: its first line, at most 60 characters."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _SHORT and line == text.strip() else line[: _SHORT - 3] + "..."


def _deny(outcome: HookOutcome, reason: str) -> None:
    outcome.decision = Decision.DENY
    outcome.reason = reason
    outcome.rewrite = outcome.output = None
    outcome.stands = False


def enforce(verdict: Verdict) -> Verdict:
    """Turn ``ask`` into ``deny``, where nobody can be asked."""
    if verdict.decision is not Decision.ASK:
        return verdict
    reason = verdict.reason or "a hook wants this to be confirmed, and nobody can be asked"
    return verdict.replace(decision=Decision.DENY, reason=reason, updated_input_text=None)
