"""The effect of a failed hook on the verdict, and its notices. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..hooks.dialect import CLOSED, GUARDED, OPEN, EventSpec
from ..hooks.internal_failures import DENY, VENDOR, InternalFailure, Kind
from ..hooks.model import FAILURES, Decision, HookOutcome, HookSpec
from ..hooks.notices import hook_notices, short
from ..hooks.verdict import HookResult, Verdict
from ..text import lines


class FailurePolicy:
    """The policy for failures: the hook's own ``on_failure``, else the engine's, else the row of the event.

    A failure that only this library can cause denies between the last two, on events that guard a call, a prompt or a
    result (``own_failures="deny"``, ADR 9). ``strict`` overrides all.
    """

    __slots__ = ("on_failure", "own_failures", "strict")

    def __init__(self, on_failure: str | None = None, strict: bool = False, own_failures: str = DENY) -> None:
        if on_failure not in (None, OPEN, CLOSED):
            raise ValueError(f'on_failure must be "open" or "closed", got {on_failure!r}')
        self.on_failure = on_failure
        self.strict = strict
        self.own_failures = own_failures

    def apply(self, outcome: HookOutcome, spec: HookSpec, row: EventSpec, own: InternalFailure | None = None) -> None:
        """Turn a failure that must not pass into a deny. A block by the hook itself is left unchanged.

        ``internal_failure``: the hook's failure that only this library can cause, if any.
        """
        ended = outcome.ended
        failed = ended in FAILURES
        if own is not None:
            outcome.internal_failure = own.notice(self.own_failures)
            if self.own_failures == VENDOR and not failed:
                if not outcome.faults:
                    outcome.faults = (own.text,)
                own = None
        if outcome.blocks or not row.deniable:
            return
        if failed or own is not None:
            if self.strict or self._is_closed(ended, spec, row, own):
                _deny(outcome, f"hook failed: {short(spec.title)}: {_failure_detail(outcome, own)}")
        elif self.strict and outcome.faults:
            _deny(outcome, f"hook failed: {short(spec.title)}: {outcome.faults[0]}")

    def _is_closed(self, ended: str, spec: HookSpec, row: EventSpec, own: InternalFailure | None) -> bool:
        """Return whether a failure of a hook denies, by its own ``on_failure`` or by the policies after it."""
        written = spec.on_failure
        if written is not None and not isinstance(written, str):
            written = written.get(ended)
        return self._policy(ended, written, row, own) == CLOSED

    def _policy(self, ended: str, written: str | None, row: EventSpec, own: InternalFailure | None) -> str:
        """Return ``OPEN`` or ``CLOSED`` for a failure; ``written``: the ``on_failure`` of the hook."""
        policy = written or self.on_failure
        if policy:
            return policy
        is_ours = own is not None and self.own_failures == DENY
        if is_ours and row.guards in GUARDED:
            return CLOSED
        return row.failure.get(ended, OPEN)

    def crashed(self, row: EventSpec, problem: str, results: Sequence[HookResult] = ()) -> Verdict:
        """Return the verdict of an event that ended with an internal error: a guarded act must not pass."""
        failure = InternalFailure(Kind.CRASHED, problem)
        notice = failure.notice(self.own_failures).changed(before=f"{row.native}: ")
        closed = self.strict or self._policy("not_started", None, row, failure) == CLOSED
        denies = closed and row.deniable
        if any([result.outcome.blocks for result in results]):
            denies = True
        return Verdict(
            row.native,
            Decision.DENY if denies else Decision.NONE,
            reason=problem if denies else "",
            hooks=results,
            notices=[notice],
            faults=[notice],
            withholds=denies and row.guards == "result",
        )

    def finish(self, verdict: Verdict, row: EventSpec) -> Verdict:
        """Add the notices of each hook to the verdict; under ``strict`` a refused rewrite denies."""
        notices = hook_notices(verdict.hooks)
        if notices:
            verdict.notices += notices
        is_refused = self.strict and bool(verdict.faults)
        if is_refused and not verdict.blocked and row.deniable:
            verdict.decision = Decision.DENY
            verdict.reason = lines(verdict.reason, *verdict.faults)
            verdict.updated_input_text = None
        # A block of a result withholds it from the model, unless each hook that blocked lets the model see it.
        if row.guards == "result" and verdict.blocked:
            blocking = [hook.outcome for hook in verdict.hooks if hook.outcome.blocks]
            keeps_result = bool(blocking) and all([outcome.keeps_result for outcome in blocking])
            verdict.withholds = is_refused or not keeps_result
        if notices:  # ``apply`` has already decided on these faults, for each hook
            verdict.faults += tuple([notice for notice in notices if notice.fault])
        return verdict


def deny_untrusted(outcome: HookOutcome, row: EventSpec, why: str) -> None:
    """Deny a guarded event whose hook must not run because it is not trusted; no option or hook can override this."""
    if row.guards in GUARDED:
        _deny(outcome, why)


def _failure_detail(outcome: HookOutcome, own: InternalFailure | None) -> str:
    """Return the cause of a failure for the reason of its deny."""
    if own is not None and outcome.ended in ("ok", "nonzero"):
        return own.text  # the hook itself ran well: the notices of its output are not the cause
    if outcome.notices:
        return outcome.notices[0]
    return outcome.ended.replace("_", " ")


def _deny(outcome: HookOutcome, reason: str) -> None:
    outcome.decision = Decision.DENY
    outcome.reason = reason
    outcome.rewrite = outcome.output = None
    outcome.keeps_result = False


def enforce(verdict: Verdict) -> Verdict:
    """Turn ``ask`` into ``deny``, for hosts that can't prompt a person."""
    if verdict.decision is not Decision.ASK:
        return verdict
    reason = verdict.reason or "a hook requires confirmation, which is not available here"
    return verdict.replace(decision=Decision.DENY, reason=reason, updated_input_text=None)
