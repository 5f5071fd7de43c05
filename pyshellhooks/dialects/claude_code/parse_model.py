"""A model's answer to a hook of type ``prompt`` or ``agent``: ``{"ok": ..., "reason": ...}`` (claude_code 6)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.failure_notices import failing
from ...hooks.model import HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import Block, WrongType, exit_status, find_block, read_object, text_of, typed
from ...jsontext.compact import JSON
from ...notice import Notice
from ..grouped_events.blocks import apply_block
from .events import EVENTS

#: Blocks that end the turn if they come from a model.
_ENDS_TURN = frozenset(["result", "discard", "halt"])


def parse_model_answer(run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
    """Return the outcome of one answer."""
    if exit_status(run) != 0:
        first = text_of(run.stderr).partition("\n")[0] or f"status {run.status}"
        return failing(
            "nonzero", f"the {spec.kind} hook failed: {first}", hint="check the host's handler of such hooks"
        )
    text = text_of(run.stdout)
    try:
        value = read_object(text)
        if value.get("ok") is None:
            raise WrongType("ok is missing")
        if typed(value, "ok", bool, True):
            return HookOutcome()
        return _refused(typed(value, "reason", str, ""), spec, event, HookOutcome())
    except WrongType as error:
        problem = f"the answer is not {{ok, reason}}: {error}"
    block = find_block(text, _refuses, ("ok",))
    if block is not None:
        return _refused(block.reason, spec, event, failing("bad_output", f"{problem}; treated as a refusal"))
    return failing("bad_output", problem)


def _refuses(value: Mapping[str, JSON]) -> Block | None:
    ok, reason = value.get("ok"), value.get("reason")
    if ok is False or (isinstance(ok, str) and ok.lower() in ("false", "no")):
        return Block(reason if isinstance(reason, str) else "")
    return None


def _refused(reason: str, spec: HookSpec, event: HookEvent, outcome: HookOutcome) -> HookOutcome:
    """Apply a refusal to the outcome: a deny, a continuation of the agent, or the end of the turn."""
    output_rules = EVENTS[event.row.native].output_rules
    reason = reason or "refused by hook"
    what = output_rules.block or output_rules.exit2
    if not what:
        message = f"a refusal from a {spec.kind} hook has no effect on {event.row.native}: {reason}"
        outcome.notices += (Notice(message, "block-ignored", hint="use it on an event that can be blocked"),)
        return outcome
    apply_block(outcome, event, what, reason)
    if what in _ENDS_TURN and not (what == "result" and spec.extra.get("continue_on_block")):
        outcome.halt = True
        outcome.user_message = reason
    return outcome
