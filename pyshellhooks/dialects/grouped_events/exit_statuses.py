"""Outcomes of runs that failed with an exit status, and of blocks in invalid output (claude_code 6, decisions noise)."""

from __future__ import annotations

from ...hooks.failure_notices import failing, status_hint, strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun
from ...hooks.output import Block, text_of
from ...notice import Notice
from .blocks import DEFAULT_REASON, apply_block
from .rows import output_rules_of


def shown_status(run: HookRun) -> str:
    """Return the exit status of a run for a message."""
    return str(run.status) if run.kind == "exited" else f"{run.status} (a signal)"


def message_of_status(run: HookRun) -> str:
    """Return the exit status of a run with the first line of its stderr."""
    first = text_of(run.stderr).partition("\n")[0]
    status = f"exit status {shown_status(run)}"
    return f"{status}: {first}" if first else status


def failed_status(run: HookRun, event: HookEvent, block: Block | None, *others: Notice) -> HookOutcome:
    """Return the outcome of a status that is only a failure. ``block``: the block in the output, which is ignored."""
    problems = list(others)
    if block is not None:
        beside = f"a block in its output is ignored with exit status {shown_status(run)}"
        hint = "print only the block and exit with 0, or exit with 2"
        problems.append(strict_fault(beside, "deny-ignored", hint))
    return failing("nonzero", message_of_status(run), *problems, hint=status_hint(event.row))


def salvaged(block: Block, event: HookEvent, problem: str) -> HookOutcome:
    """Honour a block found in otherwise invalid output."""
    outcome = failing("bad_output", f"{problem}; its {_effect_of(block, event)} counts")
    if block.halt:
        outcome.halt = True
        outcome.reason = block.reason
        outcome.user_message = block.user_message
        if "deny" in event.row.can:
            outcome.decision = Decision.DENY
    else:
        output_rules = output_rules_of(event.row)
        what = output_rules.block or output_rules.exit2 or "deny"
        apply_block(outcome, event, what, block.reason or DEFAULT_REASON)
    return outcome


def _effect_of(block: Block, event: HookEvent) -> str:
    """Return the word for the effect of a block: some events can't be denied, and a block of Stop is a follow-up."""
    if "deny" in event.row.can:
        return "deny"
    return "halt" if block.halt else "block"
