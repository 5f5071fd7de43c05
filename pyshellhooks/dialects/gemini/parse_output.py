"""The parser of a Gemini CLI hook's output: exit codes, the answer on stdout, plain text (gemini 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...hooks.dialect import EventSpec
from ...hooks.failure_notices import deny_ignored, failing, status_hint, strict_fault
from ...hooks.model import Decision, HookOutcome, HookRun
from ...hooks.output import (
    WHITE_SPACE,
    Block,
    after,
    exit_status,
    failure,
    find_block,
    foreign_key_notices,
    late_block_notice,
    salvaged,
    spelled,
    text_of,
)
from ...hooks.suggest import did_you_mean
from ...jsontext.compact import JSON, WireError, dumps, loads
from ...jsontext.explain import hint_for, stops
from ...jsontext.skeleton import loads_outline
from ...notice import Notice
from ...text import lines
from .stable_model import has_parts, tool_config
from .tables import DENY_CODE, EVENTS, NO_REASON

BLOCKING = ("deny", "block")
_DECISIONS = {
    "allow": Decision.ALLOW,
    "approve": Decision.ALLOW,
    "deny": Decision.DENY,
    "block": Decision.DENY,
    "ask": Decision.ASK,
}
_WORDS = "write allow, deny, block or ask"
_HINTS = ("decision", "continue")
_KEYS = ("decision", "reason", "continue", "stopReason", "systemMessage", "suppressOutput", "hookSpecificOutput")
_CLAUDE = ("permissionDecision", "permissionDecisionReason", "updatedInput")


def parse(run: HookRun, row: EventSpec, quirks: frozenset[str] = frozenset()) -> HookOutcome:
    """Parse one run as documented: exit 0 parses stdout, exit 2 blocks, any other exit status is a warning.

    A deny, a stop or a question in JSON counts at any exit status, on either stream (ADR 16).
    """
    failed = failure(run)
    if failed is not None:
        return failed
    outcome = _answer(run, row) if run.classify() == "ok" else _status(run, row, quirks)
    if not outcome.blocks and _is_stricter("stderr_is_a_log", row, quirks):
        outcome = _with_stderr(outcome, run, row)
    fit(outcome, row)
    if run.late and outcome.followup is not None and not outcome.halt:
        # On AfterAgent a deny is a follow-up; it counts in the grace like any other deny.
        outcome.notices += (late_block_notice(),)
        outcome.faults += run.faults
        return outcome
    return after(outcome, run)


def trimmed(data: bytes) -> str:
    """Return a stream as text, trimmed as by JavaScript's ``trim``, for which a byte order mark is white space."""
    return text_of(data).strip("\ufeff" + WHITE_SPACE) if data else ""


# -- exit statuses ----------------------------------------------------------------------------------------------------


def _status(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    status = exit_status(run)
    if status == DENY_CODE:
        return _exit_2(run, row, quirks)
    restriction = _restriction(trimmed(run.stdout), row)
    faults = []
    if restriction is not None and _is_stricter("other_exits_are_warnings", row, quirks):
        restriction.ended = "nonzero"
        restriction.notices = (_counts(restriction, "stdout", status), *restriction.notices)
        return restriction
    if restriction is not None and restriction.blocks:
        faults.append(deny_ignored(f"exit status {status}"))
    first_line = trimmed(run.stderr).partition("\n")[0]
    message = f"exit status {status} is a warning" + (f": {first_line}" if first_line else "")
    return failing("nonzero", message, *faults, hint=status_hint(row))


def _exit_2(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    """Read exit status 2, which denies whatever the answer is; a stop in the answer counts as well."""
    text, error = trimmed(run.stdout), trimmed(run.stderr)
    outcome = HookOutcome("nonzero", Decision.DENY, reason=error or _stdout_reason(text) or NO_REASON)
    stream, restriction = "stdout", _restriction(text, row)
    if restriction is None and _whole_answer(text) is None and _is_stricter("stderr_is_a_log", row, quirks):
        stream, restriction = "stderr", _whole_restriction(error, row)
    if restriction is None or not restriction.halt:
        takes_stderr = _whole_answer(text) is None and _whole_restriction(error, row) is not None
        if restriction is None and "deny" in row.can and not takes_stderr:
            outcome.notices = _unblocked_notice(text or error)
        return outcome
    if not _is_stricter("other_exits_are_warnings", row, quirks):
        message = '"continue": false is ignored with exit status 2'
        outcome.notices = outcome.faults = (strict_fault(message, "answer-ignored", "use exit 0 with it"),)
        return outcome
    outcome.halt = True
    outcome.user_message = restriction.user_message
    if stream == "stderr":
        outcome.reason = restriction.reason
    outcome.notices = (_counts(restriction, stream, DENY_CODE), *restriction.notices)
    outcome.faults = restriction.faults
    return outcome


def _unblocked_notice(output: str) -> tuple[Notice, ...]:
    """Return a notice if the program does not block at exit status 2 with this output; else () (gemini 4)."""
    if not output:
        message = "exit status 2 without any output: Gemini CLI continues"
        return (Notice(message, "off-in-agent", hint="write the reason to stderr"),)
    if _whole_answer(output) is not None:
        message = "exit status 2 with JSON that denies nothing: Gemini CLI uses the JSON and continues"
        return (Notice(message, "off-in-agent", hint="print no JSON, and write the reason to stderr"),)
    return ()


def _stdout_reason(text: str) -> str:
    """Return the reason on stdout, for an exit status 2 without stderr."""
    try:
        value = loads(text)
    except WireError:
        return text
    return _field_text(value.get("reason")) or _field_text(value.get("stopReason")) if isinstance(value, dict) else text


# -- answers that the document ignores and the program counts ----------------------------------------------------------


def _is_stricter(letter: str, row: EventSpec, quirks: frozenset[str]) -> bool:
    """Return whether this edition is stricter than the letter of the document, and the event can stop the agent."""
    return letter not in quirks and "halt" in row.can


def _with_stderr(outcome: HookOutcome, run: HookRun, row: EventSpec) -> HookOutcome:
    """Return the deny, stop or question that is the whole of stderr, if stdout has no answer; else the outcome."""
    restriction = _whole_restriction(trimmed(run.stderr), row)
    if restriction is None or (not restriction.blocks and outcome.decision is Decision.ASK):
        return outcome
    if _whole_answer(trimmed(run.stdout)) is not None:
        # The document and the program agree here: the answer on stdout counts.
        message = f"{_named(restriction)} on stderr is ignored beside the answer on stdout"
        ignored = strict_fault(message, "deny-ignored", "print one answer, on stdout")
        outcome.notices += (ignored,)
        outcome.faults += (ignored,)
        return outcome
    restriction.notices = (_counts(restriction, "stderr", exit_status(run)), *restriction.notices)
    restriction.ended = outcome.ended
    if outcome.ended != "nonzero":  # its notice would report that the exit status is only a warning
        restriction.notices = (*outcome.notices, *restriction.notices)
        restriction.faults = (*outcome.faults, *restriction.faults)
        restriction.user_message = lines(outcome.user_message, restriction.user_message)
    return restriction


def _restriction(text: str, row: EventSpec) -> HookOutcome | None:
    """Return the deny, stop or question on stdout; as at exit status 0, a deny or a stop is found even amid noise."""
    outcome = _whole_restriction(text, row)
    if outcome is not None or not text or _whole_answer(text) is not None:
        return outcome
    block = find_block(text, _blocks, _HINTS)
    return None if block is None else salvaged(block, "", NO_REASON).replace(notices=())


def _whole_restriction(text: str, row: EventSpec) -> HookOutcome | None:
    """Return the deny, stop or question if the whole text is an answer, without its allow, rewrite or context."""
    answer = _whole_answer(text)
    if answer is None:
        return None
    outcome = read_answer(*answer, row)
    if not outcome.blocks and outcome.decision is not Decision.ASK:
        return None
    decision = Decision.NONE if outcome.decision is Decision.ALLOW else outcome.decision
    return outcome.replace(decision=decision, context="", rewrite=None, effects={})


def _whole_answer(text: str) -> tuple[dict[str, JSON], str] | None:
    """Return the answer object if the whole text is one, and its JSON text; None for any other text."""
    if text[:1] not in ("{", '"'):
        return None
    try:
        value, inner = decoded(text, loads_outline)
    except WireError:
        return None
    return (value, inner) if isinstance(value, dict) else None


def _counts(outcome: HookOutcome, stream: str, status: int) -> Notice:
    beside = f" beside exit status {status}" if status else ""
    hint = "print only the answer on stdout and exit with 0: Gemini CLI documents no other way"
    return Notice(f"{_named(outcome)} on {stream} counts{beside}", "deny-counts", hint=hint)


def _named(outcome: HookOutcome) -> str:
    return "a stop" if outcome.halt else _NAMES[outcome.decision]


_NAMES = {Decision.DENY: "a deny", Decision.ASK: "an ask"}


# -- answers ----------------------------------------------------------------------------------------------------------


def decoded(text: str, read: Callable[[str], JSON] = loads) -> tuple[JSON, str]:
    """Parse an answer; a JSON string is parsed once more (gemini 4). Return the value and its JSON text.

    Raises ``WireError``.
    """
    value = read(text)
    return (read(value), value) if isinstance(value, str) else (value, text)


def _answer(run: HookRun, row: EventSpec) -> HookOutcome:
    text = trimmed(run.stdout)
    if not text:
        return HookOutcome()
    try:
        value, inner = decoded(text, loads_outline)
        if isinstance(value, dict):
            return read_answer(value, inner, row)
        if value is None:
            return HookOutcome()
        problem = "stdout is JSON but not an object"
    except WireError as error:
        problem = f"stdout is not one JSON object: {stops(text, error)}"
        value = None
    block = find_block(text, _blocks, _HINTS)
    if block is not None:
        return salvaged(block, problem, NO_REASON, can_deny="deny" in row.can)
    if value is not None:
        return failing("bad_output", problem)
    if text[0] == "{":
        outcome = failing("bad_output", problem)
        outcome.user_message = text
        return outcome
    # The document forbids plain text; the program shows it to the user.
    message = "stdout is plain text, not JSON: it is shown to the user and decides nothing"
    notice = strict_fault(message, hint=hint_for(text) or "print one JSON object, or nothing")
    return HookOutcome(user_message=text, notices=(notice,), faults=(notice,))


def _blocks(value: dict[str, JSON]) -> Block | None:
    """Return the block of an object that denies or stops, whatever its other keys; else None."""
    halt = value.get("continue") is False
    if not halt and value.get("decision") not in BLOCKING:
        return None
    reason = _field_text(value.get("reason"))
    stopped = (_field_text(value.get("stopReason")) or reason) if halt else ""
    return Block(stopped or reason, halt=halt, user_message=stopped)


def read_answer(
    value: Mapping[str, JSON], text: str, row: EventSpec, quirks: frozenset[str] = frozenset()
) -> HookOutcome:
    """Read an answer object; ``text`` is its JSON text. An unusable part is a fault; the other parts still count."""
    outcome = HookOutcome()
    outcome.halt = value.get("continue") is False
    if not isinstance(value.get("continue"), bool | None):
        _fault(outcome, f"continue must be true or false, not {_short(value['continue'])}", "write true or false")
    outcome.decision = _decision(value.get("decision"), row, outcome)
    reason = _text_field(value, "reason", outcome)
    stopped = _text_field(value, "stopReason", outcome) or reason
    is_stop = outcome.halt or ("stop_reason_first" in quirks and "llm_response" in EVENTS[row.native].effects)
    outcome.reason = (stopped if is_stop else reason) or (NO_REASON if outcome.blocks else "")
    shown = [_text_field(value, "systemMessage", outcome), stopped if outcome.halt and "halt" in row.can else ""]
    outcome.user_message = lines(*shown)
    strangers = foreign_key_notices(value, "Gemini CLI", _KEYS)
    outcome.notices += strangers
    outcome.faults += strangers
    effects: dict[str, JSON] = {}
    if value.get("suppressOutput"):
        effects["suppress_output"] = True
    specific = value.get("hookSpecificOutput")
    if isinstance(specific, dict):
        _specific(specific, text, row, outcome, effects, quirks)
    elif specific is not None:
        _fault(outcome, "hookSpecificOutput is not an object", "give an object")
    outcome.effects = effects
    return outcome


def _decision(word: JSON, row: EventSpec, outcome: HookOutcome) -> Decision:
    if word is None:
        return Decision.NONE
    if not isinstance(word, str):
        _fault(outcome, f"the decision {_short(word)} is not a string", _WORDS)
        return Decision.NONE
    decision = _DECISIONS.get(word)
    if decision is None:
        _fault(outcome, f"unknown decision {_short(word)}", did_you_mean(word, _DECISIONS) or _WORDS)
        return Decision.NONE
    if decision is Decision.ASK and "ask" not in row.can:
        _fault(outcome, f"decision ask works on BeforeTool only, not on {row.native}", "leave it out, or deny")
        return Decision.NONE
    return decision


def _specific(
    specific: dict[str, JSON],
    text: str,
    row: EventSpec,
    outcome: HookOutcome,
    effects: dict[str, JSON],
    quirks: frozenset[str],
) -> None:
    """Read ``hookSpecificOutput``, whose fields depend on the event (gemini 2.3)."""
    for key in _CLAUDE:
        if key in specific:
            hint = 'Gemini CLI reads "decision" and "tool_input"'
            _fault(outcome, f"hookSpecificOutput.{key} is Claude Code's", hint)
    context = specific.get("additionalContext")
    if context is not None and "context" in row.can:
        if isinstance(context, str):
            outcome.context = context
        else:
            _fault(outcome, "additionalContext is not a string; it is ignored", "give a string")
    known = EVENTS[row.native].effects
    if row.rewrite and _object(specific, row.target, outcome):
        outcome.rewrite = spelled(text, "hookSpecificOutput", row.target)
    if "tail_tool_call" in known and _object(specific, "tailToolCallRequest", outcome):
        effects["tail_tool_call"] = specific["tailToolCallRequest"]
    if "clear_context" in known and specific.get("clearContext") is True:
        effects["clear_context"] = True
    if "tool_config" in known and specific.get("toolConfig") is not None:
        config, problem = tool_config(specific["toolConfig"])
        if problem:
            _fault(outcome, problem, "give mode and allowedFunctionNames")
        if config is not None:
            effects["tool_config"] = config
    if "llm_response" in known and _object(specific, "llm_response", outcome):
        response = specific["llm_response"]
        if row.guards == "prompt":
            is_used = outcome.decision is Decision.DENY or "synthetic_needs_deny" not in quirks
        else:
            is_used = "empty_replacement_ignored" not in quirks or has_parts(response)
        if is_used:
            effects["llm_response"] = response


def _object(specific: Mapping[str, JSON], key: str, outcome: HookOutcome) -> bool:
    value = specific.get(key)
    if value is not None and not isinstance(value, dict):
        _fault(outcome, f"hookSpecificOutput.{key} is not an object; it is ignored", "give an object")
    return isinstance(value, dict)


def _text_field(value: Mapping[str, JSON], key: str, outcome: HookOutcome) -> str:
    item = value.get(key)
    if isinstance(item, dict | list):
        _fault(outcome, f"{key} is not a string", "give a string")
    return _field_text(item)


def _field_text(item: JSON) -> str:
    """Return a text field's text: ``""`` for a falsy value (as in JavaScript), JSON for another non-string."""
    if isinstance(item, str):
        return item
    return dumps(item) if item else ""


def _fault(outcome: HookOutcome, what: str, hint: str) -> None:
    notice = strict_fault(what, hint=hint)
    outcome.notices += (notice,)
    outcome.faults += (notice,)


def _short(value: JSON) -> str:
    text = dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def fit(outcome: HookOutcome, row: EventSpec, quirks: frozenset[str] = frozenset()) -> None:
    """Adapt a block to the event: a deny, a follow-up, or ignored with a notice (gemini 2.3)."""
    if outcome.user_message and EVENTS[row.native].silent and "every_message_shown" not in quirks:
        outcome.user_message = ""
        message = f"{row.native} shows no message to the user; systemMessage is ignored"
        outcome.notices += (Notice(message, "answer-ignored", hint="remove systemMessage"),)
    if not outcome.blocks:
        return
    denied = outcome.decision is Decision.DENY
    if "deny" in row.can:
        if denied and row.target == "prompt":
            outcome.effects = {**outcome.effects, "discard_prompt": True}
        return
    if "followup" in row.can:
        outcome.decision = Decision.NONE
        if denied:
            outcome.followup = outcome.reason or NO_REASON
        if not outcome.halt:
            outcome.reason = ""
        return
    outcome.decision, outcome.halt = Decision.NONE, False
    if outcome.ended == "bad_output":
        outcome.user_message = ""  # the text of the ignored stop
    reason = f": {outcome.reason}" if outcome.reason not in ("", NO_REASON) else ""
    message = f"{row.native} can't be blocked; the hook's block is ignored{reason}"
    outcome.notices += (Notice(message, "block-ignored", hint="block on an event that can be blocked"),)
    outcome.reason = ""
