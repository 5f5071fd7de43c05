"""Parser of a Codex hook's run: exit status and stdout (codex 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...hooks.failure_notices import BAD_OUTPUT, failing, strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import Block, WrongType, after, exit_status, failure, find_block, text_of
from ...jsontext.compact import JSON, WireError
from ...jsontext.explain import ignored, stops
from ...jsontext.skeleton import loads_outline
from ...notice import FAILURE, Notice
from ..grouped_events.blocks import DEFAULT_REASON, apply_block
from ..grouped_events.exit_statuses import failed_status, message_of_status, salvaged
from ..grouped_events.parse_json import HINTS, Reader, blocks_in
from ..grouped_events.rows import output_rules_of
from .tables import EVENTS, FEW_KEYS, FORM

_RESERVED = ("updatedInput", "updatedPermissions", "interrupt")  # codex 8.8
_ASYNC = "remove async, so that Codex waits for the hook"


def parse(run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Return the outcome of one run."""
    failed = failure(run)
    if failed is not None:
        return failed
    status = exit_status(run) if run.kind == "exited" else -1
    text = text_of(run.stdout)
    if spec.extra.get("async"):
        return after(_asynchronous(run, status, text, event), run)
    if event.row.native == "SessionEnd":  # nothing of its output is read
        return after(HookOutcome() if status == 0 else failed_status(run, event, None), run)
    if status == 2:
        outcome = _exit_2(run, text, event, quirks)
    elif status != 0:
        outcome = failed_status(run, event, _block(text, event))
    else:
        outcome = _answer(text, event, quirks)
    return after(outcome, run)


def _block(text: str, event: HookEvent) -> Block | None:
    """Return the block in an output that Codex can't read, or None."""
    return find_block(text, lambda value: blocks_in(value, event), HINTS) if text else None


def _exit_2(run: HookRun, text: str, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Apply exit status 2, which blocks with stderr as the reason and ignores stdout (codex 8.1)."""
    what, reason = output_rules_of(event.row).exit2, text_of(run.stderr)
    if not what:
        return failed_status(run, event, _block(text, event))
    outcome = HookOutcome("nonzero")
    if not reason:
        message = "exit status 2 without a message on stderr: Codex goes on"
        hint = "write the reason to stderr"
        if "silent_exit_2_passes" in quirks:
            return failing("nonzero", message, hint=hint)
        outcome.notices = (Notice(message, "off-in-agent", hint=hint),)
    apply_block(outcome, event, what, reason or DEFAULT_REASON)
    return outcome


def _answer(text: str, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Read stdout at exit status 0 (codex 8.2)."""
    if not text:
        return HookOutcome()
    if text[0] not in "{[":
        return _plain(text, event, quirks)
    try:
        value = loads_outline(text)
    except WireError as error:
        return _unreadable(f"stdout is not one JSON object: {stops(text, error)}", text, event, quirks)
    if not isinstance(value, dict):
        return _unreadable("stdout is JSON but not an object", text, event, quirks)
    decision = _specific(value).get("decision")
    if event.row.native == "PermissionRequest" and isinstance(decision, dict):
        reserved = [name for name in _RESERVED if decision.get(name)]
        if reserved:
            outcome = HookOutcome("bad_output")
            message = f"{reserved[0]} is reserved in Codex, which denies the request"
            outcome.notices = (Notice(message, "answer-ignored", hint=f"leave {reserved[0]} out"),)
            apply_block(outcome, event, "deny", message)
            return outcome
    try:
        outcome = Reader(_with_event(value, event), text, event, FORM).read()
    except WrongType as error:
        return _unreadable(str(error), text, event, quirks)
    problems = list(_problems(value, event))
    if problems:
        return _refused(outcome, problems, quirks)
    if outcome.decision is Decision.ALLOW and "allow" not in event.row.can:
        outcome.decision = Decision.NONE  # it only carries the new input
    if event.row.native == "PostToolUse" and "halt_replaces_result" in quirks:
        outcome.halt = False
    return outcome


def _plain(text: str, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Read plain text, which is context on some events, and no answer on a stop."""
    block = _block(text, event)
    if block is not None:
        return _salvaged(block, "stdout has other text beside a JSON object", event, quirks)
    if "followup" in event.row.can:
        return failing("bad_output", f"stdout must be JSON on {event.row.native}")
    return HookOutcome(context=text if output_rules_of(event.row).text == "context" else "", notices=ignored(text))


def _unreadable(problem: str, text: str, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Read an output that can't be parsed; a block in it still counts (decisions noise)."""
    block = _block(text, event)
    return failing("bad_output", problem) if block is None else _salvaged(block, problem, event, quirks)


def _salvaged(block: Block, problem: str, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    if "invalid_answers_pass" in quirks:
        return _lost(problem)
    outcome = salvaged(block, event, problem)
    outcome.notices = (Notice(f"{problem}: Codex ignores the answer and goes on", "off-in-agent", hint=BAD_OUTPUT),)
    return outcome


def _lost(problem: str) -> HookOutcome:
    """Return the failure of a hook whose block has no effect."""
    return failing("bad_output", problem, strict_fault(f"a block is ignored: {problem}", "deny-ignored", BAD_OUTPUT))


def _refused(outcome: HookOutcome, problems: list[str], quirks: frozenset[str]) -> HookOutcome:
    """Return the outcome of an answer that Codex refuses as a whole: only a block or an ask in it counts (codex 10.1)."""
    problem = "; ".join(problems)
    restricts = outcome.blocks or outcome.followup is not None or outcome.decision is Decision.ASK
    if not restricts:
        return failing("bad_output", problem)
    if "invalid_answers_pass" in quirks:
        return _lost(problem)
    outcome.ended = "bad_output"
    outcome.rewrite = outcome.output = None
    outcome.context = ""
    outcome.reason = outcome.reason.strip() or DEFAULT_REASON
    outcome.effects = {}
    message = f"{problem}: Codex ignores the answer and goes on"
    outcome.notices = (
        Notice(message, "off-in-agent", hint="correct the answer, or exit with 2 and a reason on stderr"),
    )
    outcome.faults = ()
    return outcome


def _asynchronous(run: HookRun, status: int, text: str, event: HookEvent) -> HookOutcome:
    """Read a hook for which Codex does not wait: no decision counts (codex 3)."""
    outcome = HookOutcome("ok" if status == 0 else "nonzero")
    if status == 2 or _block(text, event) is not None:
        message = "it is asynchronous: its decision is ignored"
        outcome.notices = (Notice(message, "block-ignored", hint=_ASYNC, fault=FAILURE),)
    elif status != 0:
        outcome.notices = failing("nonzero", message_of_status(run), hint="exit with 0").notices
    return outcome


# -- the rules of its schema (codex 8.3 to 8.7) -----------------------------------------------------------------------


def _specific(value: Mapping[str, JSON]) -> Mapping[str, JSON]:
    specific = value.get("hookSpecificOutput")
    return specific if isinstance(specific, dict) else {}


def _with_event(value: Mapping[str, JSON], event: HookEvent) -> Mapping[str, JSON]:
    """Return an answer with the name of this event: Codex takes that of any event."""
    specific = _specific(value)
    if not specific:
        return value
    return {**value, "hookSpecificOutput": {**specific, "hookEventName": event.row.native}}


def _blank(value: JSON) -> bool:
    return not isinstance(value, str) or not value.strip()


def _problems(value: Mapping[str, JSON], event: HookEvent) -> Iterator[str]:
    """Yield the reasons for which Codex refuses an answer."""
    native, output_rules, specific = event.row.native, output_rules_of(event.row), _specific(value)
    known = set(FEW_KEYS.get(native, FORM.universal))
    if output_rules.block:
        known |= {"decision", "reason"}
    if output_rules.fields:
        known.add("hookSpecificOutput")
    unknown = [key for key in value if key not in known]
    unknown += [key for key in specific if key not in output_rules.fields and key != "hookEventName"]
    if unknown:
        yield f'unknown key "{unknown[0][:40]}"'
    if isinstance(value.get("hookSpecificOutput"), dict) and specific.get("hookEventName") not in EVENTS:
        yield "hookSpecificOutput has no hookEventName"
    if value.get("decision") == "block" and _blank(value.get("reason")):
        yield "a block without a reason"
    if native == "PreToolUse":
        yield from _problems_of_call(value, specific)


def _problems_of_call(value: Mapping[str, JSON], specific: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the parts of an answer that Codex does not support before a tool call (codex 8.4)."""
    word, rewrites = specific.get("permissionDecision"), specific.get("updatedInput") is not None
    if word == "deny" and _blank(specific.get("permissionDecisionReason")):
        yield "a deny without a reason"
    if word == "ask":
        yield 'permissionDecision "ask" is not supported'
    if word == "allow" and not rewrites:
        yield 'permissionDecision "allow" without updatedInput'
    if rewrites and word != "allow":
        yield 'updatedInput without permissionDecision "allow"'
    if value.get("decision") == "approve":
        yield 'decision "approve" is not supported'
    if value.get("continue") is False:
        yield '"continue": false is not supported'
    for key in ("stopReason", "suppressOutput"):
        if value.get(key):
            yield f"{key} is not supported"
