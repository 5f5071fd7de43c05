"""The reports of an engine about its hooks: events for an observer, and counts."""

from __future__ import annotations

import threading

from ..forks import renewed_after_fork
from ..hooks.model import FAILURES, HookEvent, HookSpec, Observer
from ..hooks.verdict import HookResult, Verdict
from ..jsontext.compact import JSON

_MOST_LOGGED = 1000  # notices that are remembered as logged; after these, no more are logged


class Reports:
    """The observer and the counts of an engine. An observer can't change a verdict, not even by raising."""

    __slots__ = ("__weakref__", "_lock", "_logged", "counts", "observe")

    def __init__(self, observe: Observer | None) -> None:
        self.observe = observe
        self.counts = {"fires": 0, "hooks": 0, "failures": 0, "blocked": 0, "abandoned": 0}
        self._logged: set[str] = set()
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    def invoked(self, spec: HookSpec, event: HookEvent) -> None:
        """Report that a hook begins, because its matcher takes the event."""
        if self.observe is not None:
            self._report("hook.invoked", spec, matched=True, **_about(event))

    def completed(self, result: HookResult, event: HookEvent) -> None:
        """Report the end of a hook, and its notices as warnings.

        A ``quiet`` hook fails without a warning, because its author allows it to fail (everruns 9).
        """
        if self.observe is None:
            return
        outcome, run = result.outcome, result.run
        about = _about(event)
        self._report(
            "hook.completed",
            result.spec,
            ended=outcome.ended,
            exit_code=run.status,
            seconds=run.seconds,
            duration_ms=round(run.seconds * 1000, 3),
            stdout_bytes=len(run.stdout),
            decision=outcome.decision.value,
            **about,
        )
        is_quiet = bool(result.spec.extra.get("quiet"))
        if is_quiet and outcome.ended in FAILURES and not outcome.blocks:
            return
        for notice in result.notices:
            self._report("hook.warning", result.spec, message=notice, **about)

    def once(self, notice: str) -> None:
        """Log a notice that many verdicts share, the first time only."""
        if notice in self._logged or len(self._logged) >= _MOST_LOGGED:
            return
        self._logged.add(notice)
        import logging

        log = logging.getLogger("pyshellhooks")
        if not log.handlers:
            log.addHandler(logging.NullHandler())  # a library must not write to stderr by default
        log.warning("%s", notice)
        self._call("hook.warning", {"message": notice})

    def fired(self, verdict: Verdict) -> None:
        """Count a verdict, and report it if it blocks."""
        # Hosts fire from several threads, and ``+=`` on an item is not atomic.
        counts = self.counts
        with self._lock:
            counts["fires"] += 1
            counts["blocked"] += verdict.blocked
            for result in verdict.hooks:
                counts["hooks"] += 1
                ended = result.outcome.ended
                if ended != "ok":
                    # A status that blocks (2 in most systems) is how a guard answers, and not a failure.
                    counts["failures"] += ended != "nonzero" or not result.outcome.blocks
                    counts["abandoned"] += ended == "abandoned"
        if self.observe is not None and verdict.blocked:
            data: dict[str, JSON] = {"event": verdict.event, "decision": verdict.decision.value, "halt": verdict.halt}
            data["hook_id"] = next((result.id for result in verdict.hooks if result.outcome.blocks), "")
            self._call("hook.blocked", {**data, "reason": verdict.reason, "user_message": verdict.user_message})

    def _report(self, name: str, spec: HookSpec, **data: JSON) -> None:
        known = {"id": spec.id, "hook_id": spec.id, "event": spec.event, "command": spec.command, "name": spec.title}
        self._call(name, {**known, **data})

    def _call(self, name: str, data: dict[str, JSON]) -> None:
        observe = self.observe
        if observe is None:
            return
        try:
            # An observer must not change a verdict: its exception is only logged.
            observe(name, data)
        except Exception:
            import logging

            logging.getLogger("pyshellhooks").exception("observe failed for %s", name)


def _about(event: HookEvent) -> dict[str, JSON]:
    """Return the ids of the session and the tool call, if the event has them."""
    result: dict[str, JSON] = {}
    if event.session is not None:
        result["session_id"] = event.session.id
    for name in ("session_id", "tool_call_id"):
        value = event.payload.get(event.row.places.get(name, name))
        if isinstance(value, str) and value:
            result[name] = value
    return result
