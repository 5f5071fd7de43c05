"""The parser of an Everruns hook's output: empty, a decision in JSON, or a failure (everruns 5)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.aggregate import shallow_merge
from ...hooks.dialect import CLOSED
from ...hooks.failure_notices import failing, strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import (
    WHITE_SPACE,
    Block,
    WrongType,
    after,
    exit_status,
    failure,
    find_block,
    read_object,
    salvaged,
    spelled,
    text_of,
    typed,
)
from ...hooks.suggest import did_you_mean
from ...jsontext.chunks import mapped
from ...jsontext.compact import JSON, compact, document, dumps, loads, members
from ...jsontext.compact import JsonText as Text
from ...jsontext.skeleton import loads_outline
from ...notice import Notice
from .payload import changed
from .tables import LARGEST_OUTPUT

_QUOTED = 80  # bytes of an answer that a message shows
_DECISIONS = ("allow", "mutate", "block")
_GENERIC = "blocked by hook"
_HINTS = ("decision",)


def parse(run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Parse one run."""
    failed = failure(run) or _unusable(run)
    outcome = (
        failed if failed is not None and run.kind not in ("exited", "signaled") else _answer(run, event, quirks, failed)
    )
    if run.late and "lost_blocks" in quirks:
        outcome = failing("timed_out", "timed out")
    outcome = after(outcome, run)
    if outcome.blocks and "deny" not in event.row.can:
        what = f"{event.row.native} can't be blocked; the hook's output is ignored"
        notice = Notice(what, "block-ignored", hint="block on an event that can be blocked")
        outcome = HookOutcome(outcome.ended, notices=(*outcome.notices, notice), faults=outcome.faults)
    if "output" in event.row.can and spec.on_failure == CLOSED and outcome.ended not in ("ok", "nonzero"):
        # everruns 5: nothing is left to block, so the failure takes the place of the tool's error.
        message = outcome.notices[0] if outcome.notices else outcome.ended.replace("_", " ")
        outcome.effects = {"tool_error": f"hook failed: {spec.title}: {message}"}
    return outcome


def _unusable(run: HookRun) -> HookOutcome | None:
    """Return the failure of a run whose command does not parse or whose output is too large; else None."""
    if run.unparsed:
        return failing("not_started", "the command does not parse", then=run.unparsed)
    size = len(run.stdout) + len(run.stderr)
    if size > LARGEST_OUTPUT:
        return failing("too_much_output", f"{size} bytes of output; at most {LARGEST_OUTPUT} are accepted")
    return None


def _answer(run: HookRun, event: HookEvent, quirks: frozenset[str], failed: HookOutcome | None) -> HookOutcome:
    text = run.stdout.decode("utf-8", "replace").lstrip(WHITE_SPACE)
    if failed is not None:
        return _salvage(text, run, event, failed, quirks) or failed
    if not text:
        return _silence(run)
    try:
        if text[0] != "{":
            raise WrongType(f"stdout is neither empty nor a JSON object: {_quoted(text)}")
        value = read_object(text)
        outcome = _decision(value, text, run, event, quirks)
    except WrongType as error:
        failed = failing("bad_output", str(error))
        return _salvage(text, run, event, failed, quirks) or failed
    status = exit_status(run)
    if status:
        message = f"exit status {status} is ignored beside JSON"
        outcome.notices += (Notice(message, "status-ignored", hint="exit with 0"),)
    return outcome


def _silence(run: HookRun) -> HookOutcome:
    """Read a run without an answer: its status alone decides, whatever its ``on_error``."""
    status = exit_status(run)
    if status == 0:
        return HookOutcome()
    return HookOutcome("nonzero", Decision.DENY, reason=text_of(run.stderr) or f"hook exited with status {status}")


def _salvage(
    text: str, run: HookRun, event: HookEvent, failed: HookOutcome, quirks: frozenset[str]
) -> HookOutcome | None:
    """Return the outcome of a block found in an invalid answer; None without a block (decisions noise)."""
    if "lost_blocks" in quirks:
        return None
    block = find_block(text, _blocks, _HINTS)
    if block is None:
        return None
    reason = text_of(run.stderr) or _GENERIC
    outcome = salvaged(block, failed.notices[0], reason, can_deny="deny" in event.row.can)
    outcome.ended = failed.ended
    return outcome


def _blocks(value: dict[str, JSON]) -> Block | None:
    """Return the block of an object that blocks, whatever its other keys; else None."""
    if value.get("decision") != "block":
        return None
    reason, message = value.get("reason"), value.get("user_message")
    return Block(reason if isinstance(reason, str) else "", user_message=message if isinstance(message, str) else "")


def _decision(value: dict[str, JSON], text: str, run: HookRun, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Read the JSON form. Raises ``WrongType``."""
    word = typed(value, "decision", str, "")
    reason, message = typed(value, "reason", str, ""), typed(value, "user_message", str, "")
    if word == "block":
        default = _GENERIC if "generic_reason" in quirks else text_of(run.stderr) or _GENERIC
        if "dropped_user_message" in quirks and event.row.guards == "call":
            message = ""
        return HookOutcome("ok", Decision.DENY, reason=reason or default, user_message=message)
    if word == "mutate":
        if value.get("patch") is None:
            raise WrongType('decision "mutate" without a patch')
        return _mutation(spelled(text, "patch"), event, reason)
    if word and word != "allow":
        hint = did_you_mean(word, _DECISIONS) or ('did you mean "block"?' if word in ("deny", "reject") else "")
        raise WrongType(
            f'unknown decision "{word[:40]}" (expected one of: {", ".join(_DECISIONS)}){"; " + hint if hint else ""}'
        )
    allows = word == "allow" and "allow" in event.row.can
    return HookOutcome("ok", Decision.ALLOW if allows else Decision.NONE, reason=reason)


def _mutation(patch: str, event: HookEvent, reason: str) -> HookOutcome:
    row = event.row
    outcome = HookOutcome("ok", reason=reason)
    value = loads_outline(patch)
    parts = mapped(members(patch)) if isinstance(value, Mapping) else {}
    if row.guards == "call":
        if isinstance(value, Mapping) and isinstance(value.get("arguments"), Mapping):
            outcome.rewrite = parts["arguments"]
        else:
            _refuse(outcome, "patch.arguments is not an object; the arguments are unchanged")
    elif row.target == "prompt":
        if isinstance(value, Mapping) and isinstance(value.get("message"), str):
            outcome.rewrite = parts["message"]
        else:
            _refuse(outcome, "patch.message is not a string; the prompt is unchanged")
    elif "output" in row.can:
        if isinstance(value, Mapping):
            _result(outcome, value, parts, event)
        else:
            _refuse(outcome, "patch is not an object; the result is unchanged")
    else:
        _refuse(outcome, f"{row.native} has nothing to change; the patch is ignored")
    return outcome


def _refuse(outcome: HookOutcome, why: str) -> None:
    notice = strict_fault(why, "rewrite-refused", "use the documented form of a patch for this event")
    outcome.notices += (notice,)
    outcome.faults += (notice,)


def _result(outcome: HookOutcome, value: Mapping[str, JSON], parts: Mapping[str, str], event: HookEvent) -> None:
    """Apply a patch to a tool's result: the result, then its error, then the context (everruns 5)."""
    current: JSON = event.payload["result"]
    text = compact(parts["result"]) if "result" in parts else None
    error = value.get("error")
    if isinstance(error, str):
        outcome.effects = {"tool_error": error}
    elif "error" in parts:
        _refuse(outcome, "patch.error is not a string; the error is unchanged")
    context = value.get("additional_context")
    if isinstance(context, str):
        text = with_context(dumps(current) if text is None else text, parts["additional_context"])
    elif context is not None:
        _refuse(outcome, "patch.additional_context is not a string; it is ignored")
    if text is not None:
        outcome.output = text
    elif not isinstance(error, str) and not outcome.faults:
        _refuse(outcome, "patch has none of result, error and additional_context; the result is unchanged")


def with_context(result: str, context: str) -> str:
    """Add a context (JSON text of a string) to a result as ``hook_context``; wrap a result that is not an object."""
    if result.startswith("{"):
        merged, _ = shallow_merge(result, [document({"hook_context": Text(context)})])
        return merged if merged is not None else result
    pairs: dict[str, JSON] = {} if result == "null" else {"value": Text(result)}
    return document({**pairs, "hook_context": Text(context)})


def rewritten(event: HookEvent, outcome: HookOutcome) -> HookEvent:
    """Return the event as the next hook of the chain and its matcher see it."""
    changes: dict[str, JSON] = {}
    if outcome.rewrite is not None:
        if event.row.guards == "call":
            changes["arguments"] = merged_arguments(event, outcome.rewrite)
        else:
            changes["message"] = loads(outcome.rewrite)
    if outcome.output is not None:
        changes["result"] = Text(outcome.output)
    if "tool_error" in outcome.effects:
        changes.update(error=outcome.effects["tool_error"], success=False)
    return changed(event, **changes) if changes else event


def merged_arguments(event: HookEvent, patch: str) -> Text:
    """Merge a patch into the arguments, key by top-level key; replace arguments that are not an object (everruns 5)."""
    current = str.__str__(event.payload["arguments"])
    if not current.startswith("{"):
        return Text(compact(patch))
    merged, _ = shallow_merge(current, [patch])
    return Text(merged if merged is not None else current)


def _quoted(text: str) -> str:
    """Return the beginning of an answer, at most 80 bytes, cut between characters."""
    return text.rstrip().encode("utf-8", "replace")[:_QUOTED].decode("utf-8", "ignore")
