"""What several hooks of one Qwen Code event do together (qwen 5.3, 6.6)."""

from __future__ import annotations

from collections.abc import Sequence

from ...hooks.aggregate import shallow_merge
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText
from ...notice import Notice
from ..grouped_events.run_reader import specific_of
from .parse_output import answer_of
from .tables import TODOS

_BLOCKS = frozenset(["block", "deny"])
_PROMPTS = ("UserPromptSubmit", "UserPromptExpansion")


def rewritten(event: HookEvent, outcome: HookOutcome) -> HookEvent:
    """Return the event with the context after the prompt, or in ``shipped`` with the tool input of the hook before."""
    changed: dict[str, JSON] = {}
    if outcome.ended == "ok" and outcome.context and event.row.native in _PROMPTS:
        changed["prompt"] = f"{event.payload['prompt']}\n\n{outcome.context}"
    if outcome.ended == "ok" and outcome.rewrite is not None and event.row.native == "PreToolUse":
        text, _ = shallow_merge(str.__str__(event.payload["tool_input"]), [outcome.rewrite])
        if text is not None:
            changed["tool_input"] = JsonText(text)
    if not changed:
        return event
    return HookEvent(
        event.row,
        {**event.payload, **changed},
        fields=event.fields,
        subjects=event.subjects,
        cwd=event.cwd,
        project_dir=event.project_dir,
        neutral=event.neutral,
        session=event.session,
        notices=event.notices,
    )


def with_losses(event: HookEvent, results: Sequence[HookResult], verdict: Verdict, quirks: frozenset[str]) -> Verdict:
    """Return the verdict without the blocks that the program loses among several hooks, or with a notice of them."""
    if event.row.native == "PreToolUse":
        verdict.updated_input_text = None  # it is for the next hook only
    if event.row.native == "PermissionRequest" and "unread_blocks_pass" in quirks:
        _refuse_silence(results, verdict)
    quirk, why = _loss(event, results)
    if not why or not _is_blocked_by_answers(results, verdict):
        return verdict
    if quirk in quirks:
        verdict.decision = Decision.ALLOW if event.row.native == "PreToolUse" else Decision.NONE
        verdict.reason = ""
    else:
        notice = Notice(f"{why}: Qwen Code goes on", "off-in-agent", hint="let one hook decide")
        verdict.notices = (*verdict.notices, notice)
    return verdict


def _loss(event: HookEvent, results: Sequence[HookResult]) -> tuple[str, str]:
    """Return the quirk by which the program loses a block, and why; two empty texts if it loses none."""
    answers = [answer for result in results if (answer := answer_of(result.run)) is not None]
    if event.row.native == "PreToolUse":
        words = [specific_of(answer).get("permissionDecision") for answer in answers]
        words = [word for word in words if word in ("allow", "ask", "deny")]
        if words and words[-1] == "allow":
            return "last_allow_wins", "a permissionDecision of allow cancels a deny"
        tops = [answer.get("decision") for answer in answers]
        if not words and "ask" in tops and len(tops) > 1 and not _BLOCKS.intersection(map(str, tops)):
            return "last_allow_wins", 'a "decision": "ask" is lost beside another answer'
    elif event.row.native in TODOS and len(answers) == 1 and answers[0].get("decision") == "deny":
        return "lone_denies_pass", 'a single hook must block by "decision": "block"'
    return "", ""


def _is_blocked_by_answers(results: Sequence[HookResult], verdict: Verdict) -> bool:
    """Return whether hooks themselves refuse the act or ask a person, without a halt or a failure of this library."""
    if verdict.halt or verdict.decision not in (Decision.DENY, Decision.ASK):
        return False
    refusing = [result.outcome for result in results if result.outcome.decision in (Decision.DENY, Decision.ASK)]
    return all(outcome.ended in ("ok", "nonzero") and outcome.internal_failure is None for outcome in refusing)


def _refuse_silence(results: Sequence[HookResult], verdict: Verdict) -> None:
    """Deny a permission on which several hooks have an output and none has a decision, as the program does."""
    if verdict.decision is not Decision.NONE:
        return
    verdict.reason = ""
    if sum(answer_of(result.run) is not None for result in results) > 1:
        verdict.decision = Decision.DENY
        verdict.reason = "several hooks have answered, and none has decided"
