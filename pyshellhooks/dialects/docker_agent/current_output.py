"""The parser of a hook's output in the edition ``current`` (docker_agent 10.4): stricter than that of the document."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import EventSpec
from ...hooks.failure_notices import deny_ignored, failing, status_hint
from ...hooks.model import Decision, HookOutcome, HookRun, HookSpec
from ...hooks.output import WrongType, after, exit_status, failure, read_object, salvaged, text_of, typed
from ...jsontext.compact import JSON, loads_member, members
from ...jsontext.explain import ignored
from ...notice import Notice
from ...text import lines
from .current_tables import CAPABILITIES, KEYS_OF_ANSWERS
from .parse_output import PERMISSIONS, folded, found_block, inner_members
from .tables import DENIED, DENY_CODE

_OUTER = frozenset(
    ["continue", "stop_reason", "suppress_output", "system_message", "decision", "reason", "hook_specific_output"]
)
_INNER = frozenset(["hook_event_name", *(key for keys in KEYS_OF_ANSWERS.values() for key in keys)])
_TYPES: dict[str, type] = {
    "permission_decision": str,
    "permission_decision_reason": str,
    "updated_input": dict,
    "updated_messages": list,
    "updated_tool_response": str,
    "metadata": dict,
    "additional_context": str,
    "instruction_context": list,
    "summary": str,
    "hook_event_name": str,
}


def parse(run: HookRun, spec: HookSpec, row: EventSpec) -> HookOutcome:
    """Parse one run."""
    failed = failure(run)
    if failed is not None:
        return failed
    outcome = _answer(run, spec, row) if run.classify() == "ok" else _status(run, row)
    if outcome.decision is Decision.DENY and row.guards == "result":  # the result stays, and the loop stops
        outcome.keeps_result = outcome.halt = True
    return after(outcome, run)


def _status(run: HookRun, row: EventSpec) -> HookOutcome:
    status = exit_status(run)
    guards = "deny" in row.can
    block = found_block(text_of(run.stdout))
    if status != DENY_CODE:
        faults = [deny_ignored(f"exit status {status}")] if guards and block is not None else []
        return failing("nonzero", f"exited with status {status}", *faults, hint=status_hint(row))
    if not guards:
        return failing("nonzero", f"exit status 2 blocks nothing: {row.native} can't be blocked", kind="status-ignored")
    reason = text_of(run.stderr) or (block.reason if block is not None else "") or DENIED
    return HookOutcome("nonzero", Decision.DENY, reason=reason)


def _answer(run: HookRun, spec: HookSpec, row: EventSpec) -> HookOutcome:
    text = text_of(run.stdout)
    strict = bool(spec.extra.get("strict_output"))
    if not text:
        return HookOutcome()
    problem = "strict_output needs one JSON object, or nothing"
    if text[0] == "{":
        try:
            return _structured(text, row, strict)
        except WrongType as error:
            problem = str(error)
    block = found_block(text) if "deny" in row.can else None
    if block is not None:
        return salvaged(block, problem, DENIED)
    if text[0] == "{" or strict:
        return failing("bad_output", problem)
    outcome = HookOutcome(context=text if "context" in row.can else "")
    outcome.notices = ignored(text)
    return outcome


def _structured(text: str, row: EventSpec, strict: bool) -> HookOutcome:
    """Read an answer. Raises ``WrongType`` for one that is a failure of its hook."""
    read_object(text)
    inner_pairs = inner_members(text)
    raw = folded(inner_pairs)
    value = {key: loads_member(part) for key, part in folded(members(text)).items() if key != "hook_specific_output"}
    inner = {key: loads_member(part) for key, part in raw.items()}
    for key, kind in _TYPES.items():
        typed(inner, key, kind, None)
    outcome = HookOutcome()
    _decide(outcome, value, inner, row)
    if strict:
        _check_strictly(value, inner, row)
    capabilities = CAPABILITIES[row.native]
    outcome.user_message = lines(outcome.user_message, typed(value, "system_message", str, ""))
    if "context" in capabilities:
        outcome.context = typed(inner, "additional_context", str, "")
    if "input" in capabilities:
        outcome.rewrite = raw.get("updated_input")
    if "response" in capabilities and "updated_tool_response" in raw:
        outcome.output = raw["updated_tool_response"]
    outcome.effects = _effects(inner, capabilities)
    _report_ignored(outcome, inner, capabilities, row)
    return outcome


def _decide(outcome: HookOutcome, value: Mapping[str, JSON], inner: Mapping[str, JSON], row: EventSpec) -> None:
    """Read the decision. An unknown word is a failure."""
    word, permission = typed(value, "decision", str, ""), typed(inner, "permission_decision", str, "")
    if word not in ("", "block"):
        raise WrongType(f'decision "{word[:40]}" is not "block"')
    if permission and permission not in PERMISSIONS:
        raise WrongType(f'permission_decision "{permission[:40]}" is not allow, ask or deny')
    stops = not typed(value, "continue", bool, True)
    why = typed(inner, "permission_decision_reason", str, "")
    decision = PERMISSIONS.get(permission, Decision.NONE)
    capabilities = CAPABILITIES[row.native]
    judges = "decision" in capabilities or ("approval" in capabilities and decision is not Decision.ASK)
    if not judges and not (decision is Decision.DENY and "deny" in row.can):  # the stricter of the two: a deny counts
        decision = Decision.NONE
    reasons = [why] if decision is not Decision.NONE else []
    if stops or word == "block":
        if "deny" not in row.can:
            message = f"{row.native} returned a block, but this event cannot block"
            outcome.notices += (Notice(message, "block-ignored"),)
            return
        decision = Decision.DENY
        reasons = [typed(value, "stop_reason", str, "") if stops else "", typed(value, "reason", str, ""), *reasons]
    outcome.decision = decision
    outcome.reason = lines(*reasons) or (DENIED if decision is Decision.DENY else "")


def _effects(inner: Mapping[str, JSON], capabilities: frozenset[str]) -> dict[str, JSON]:
    effects: dict[str, JSON] = {}
    messages = inner.get("updated_messages")
    if "messages" in capabilities and messages:
        effects["llm_request"] = {"messages": messages}
    for key in ("summary", "metadata"):
        if key in capabilities and inner.get(key):
            effects[key] = inner[key]
    if "instructions" in capabilities and inner.get("instruction_context"):
        effects["instruction_context"] = inner["instruction_context"]
    return effects


def _supported(capabilities: frozenset[str]) -> set[str]:
    keys = {key for capability in capabilities for key in KEYS_OF_ANSWERS.get(capability, ())}
    return {"hook_event_name", *keys}


def _report_ignored(
    outcome: HookOutcome, inner: Mapping[str, JSON], capabilities: frozenset[str], row: EventSpec
) -> None:
    """Report the fields that this event does not have."""
    lost = [key for key in inner if key in _INNER and key not in _supported(capabilities)]
    if lost:
        message = f"{row.native} hooks ignore {', '.join(lost)}"
        outcome.notices += (Notice(message, "answer-ignored", hint="remove them"),)


def _check_strictly(value: Mapping[str, JSON], inner: Mapping[str, JSON], row: EventSpec) -> None:
    """Raise ``WrongType`` for a part that ``strict_output`` makes a failure."""
    unknown = [key for key in value if key not in _OUTER] + [key for key in inner if key not in _INNER]
    if unknown:
        raise WrongType(f'strict_output: unknown key "{unknown[0][:40]}"')
    if value.get("suppress_output"):
        raise WrongType("strict_output: suppress_output has no effect")
    named = inner.get("hook_event_name")
    if named and named != row.native:
        raise WrongType(f'strict_output: hook_event_name "{named}" is not {row.native}')
    blocks = value.get("continue") is False or value.get("decision") == "block"
    if blocks and "deny" not in row.can:
        raise WrongType(f"strict_output: {row.native} can't be blocked")
    lost = [key for key in inner if inner[key] and key not in _supported(CAPABILITIES[row.native])]
    if lost:
        raise WrongType(f"strict_output: {row.native} does not have {lost[0]}")
