"""Behavior of the edition ``gemini@shipped`` only: parsing of answers, merging, variables (gemini 1, 3, 4, 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...hooks.dialect import EventSpec
from ...hooks.failure_notices import failing, status_hint
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun
from ...hooks.output import exit_status, failure
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.chunks import changed
from ...jsontext.compact import JSON, WireError, dumps
from ...text import lines
from .merging import merge
from .parse_output import BLOCKING, decoded, fit, read_answer, trimmed
from .stable_model import tool_config, union
from .tables import EVENTS, VARIABLES

JsonObject = dict[str, JSON]
_ANSWER = "answer"  # the effect in which an outcome keeps its hook's answer; used in this module only
_NULLISH = (None, "", False, 0)


# -- one run ----------------------------------------------------------------------------------------------------------


def parse(run: HookRun, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    """Parse one run: JSON decides whatever the exit status, which only determines the meaning of plain text."""
    failed = failure(run)
    if failed is not None:
        return failed
    if run.late:
        outcome = failing("timed_out", "timed out; its late output is ignored")
        outcome.faults = run.faults
        return outcome
    ended = run.classify()
    answer = _answer(run)
    if answer is None:
        outcome = HookOutcome(ended, faults=run.faults)
        if ended == "nonzero":
            message = f"exit status {exit_status(run)} without an answer"
            outcome.notices = failing(ended, message, hint=status_hint(row)).notices
        return outcome
    outcome = _read(answer, row, quirks)
    outcome.ended = ended
    outcome.faults += run.faults
    outcome.effects = {**outcome.effects, _ANSWER: answer}
    return outcome


def _answer(run: HookRun) -> JsonObject | None:
    """Return a run's output as an answer object; None without output."""
    text = trimmed(run.stdout) or trimmed(run.stderr)
    if not text:
        return None
    try:
        value, _ = decoded(text)
    except WireError:
        return _plain(text, 0 if run.kind == "signaled" else exit_status(run))
    if isinstance(value, list):
        return {}
    return value if isinstance(value, dict) else None


def _plain(text: str, status: int) -> JsonObject:
    if status == 0:
        return {"decision": "allow", "systemMessage": text}
    if status == 1:
        return {"decision": "allow", "systemMessage": f"Warning: {text}"}
    return {"decision": "deny", "reason": text}


def _read(answer: JsonObject, row: EventSpec, quirks: frozenset[str]) -> HookOutcome:
    outcome = read_answer(answer, dumps(answer), row, quirks)
    fit(outcome, row, quirks)
    effects = dict(outcome.effects)
    if outcome.halt:
        effects.pop("discard_prompt", None)  # the program tests for a stop before a block
    elif outcome.followup is None:
        effects.pop("clear_context", None)
    outcome.effects = effects
    outcome.context = changed(outcome.context, _escaped)
    return outcome


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")


# -- merging ----------------------------------------------------------------------------------------------------------


def merged(event: HookEvent, results: Sequence[HookResult], quirks: frozenset[str]) -> Verdict:
    """Merge the answers by the event's rule, and parse the resulting answer (gemini 5)."""
    row = event.row
    outcomes = [result.outcome for result in results]
    answers = [outcome.effects[_ANSWER] for outcome in outcomes if _ANSWER in outcome.effects]
    final = []
    if answers:
        whole = _RULES[EVENTS[row.native].joined](answers)
        # The messages of all hooks are shown, whatever the rule does with the other keys (gemini 2.3).
        outcome = _read({**whole, "systemMessage": _joined(answers, "systemMessage")}, row, quirks)
        outcome.notices = ()  # the notices of each hook's own outcome are in the results
        final.append(outcome)
    # A block that comes from the failure policy, not from an answer, is added to the merged answer.
    final += [outcome for outcome in outcomes if outcome.blocks and not _answer_blocks(outcome, row, quirks)]
    verdict = merge(event, final, results, rewrite="replace" if row.subject == "tool_name" else "")
    verdict.effects = {key: value for key, value in verdict.effects.items() if key != _ANSWER}
    if event.payload.get("source") == "clear":
        verdict.context = ""
    if verdict.decision is Decision.ALLOW and answers:
        verdict.reason = final[0].reason
    return verdict


def _answer_blocks(outcome: HookOutcome, row: EventSpec, quirks: frozenset[str]) -> bool:
    answer = outcome.effects.get(_ANSWER)
    return answer is not None and _read(answer, row, quirks).blocks


def _any_blocks(answers: Sequence[JsonObject]) -> JsonObject:
    """Merge by the rule of events about tools, the agent and a session's start: any block blocks, texts are joined."""
    whole: JsonObject = {}
    stopping = [answer for answer in answers if answer.get("continue") is False]
    if stopping:
        whole.update({"continue": False, "stopReason": _joined(stopping, "stopReason")})
    words = [answer.get("decision") for answer in answers]
    blocking = [word for word in words if word in BLOCKING]
    if blocking or "ask" in words:
        whole["decision"] = blocking[-1] if blocking else "ask"
    elif not stopping:
        whole["decision"] = "allow"
    whole["reason"] = _joined(answers, "reason")
    whole["suppressOutput"] = any(answer.get("suppressOutput") for answer in answers)
    specifics = [specific for answer in answers if isinstance(specific := answer.get("hookSpecificOutput"), dict)]
    if specifics:
        together: JsonObject = {}
        for specific in specifics:
            together.update(specific)
        contexts = [text for specific in specifics if isinstance(text := specific.get("additionalContext"), str)]
        together["additionalContext"] = lines(*contexts)
        together["clearContext"] = any(specific.get("clearContext") is True for specific in specifics)
        whole["hookSpecificOutput"] = together
    return whole


def _joined(answers: Sequence[JsonObject], key: str) -> str:
    texts = [answer.get(key) for answer in answers]
    return "\n".join(text if isinstance(text, str) else dumps(text) for text in texts if text not in _NULLISH)


def _later_wins(answers: Sequence[JsonObject]) -> JsonObject:
    """Merge by the rule of model events: each key of a later answer replaces the earlier one, even a deny."""
    whole: JsonObject = {}
    specific: JsonObject = {}
    for answer in answers:
        whole.update(answer)
        inner = answer.get("hookSpecificOutput")
        if isinstance(inner, dict):
            specific.update(inner)
    return {**whole, "hookSpecificOutput": specific} if specific else whole


def _last(answers: Sequence[JsonObject]) -> JsonObject:
    """Merge by the rule of events that cannot be blocked: each top-level key of a later answer replaces the earlier."""
    whole: JsonObject = {}
    for answer in answers:
        whole.update(answer)
    return whole


def _selection(answers: Sequence[JsonObject]) -> JsonObject:
    """Merge by the rule of tool selection: any answer sets a mode; other keys are ignored."""
    configs = []
    for answer in answers:
        inner = answer.get("hookSpecificOutput")
        config = inner.get("toolConfig") if isinstance(inner, dict) else None
        configs.append((tool_config(config)[0] if config is not None else None) or {})
    return {"hookSpecificOutput": {"toolConfig": union(configs)}}


_RULES = {"any_blocks": _any_blocks, "later_wins": _later_wins, "last": _last, "selection": _selection}


# -- variables --------------------------------------------------------------------------------------------------------

_REFERENCE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})")


def filled_in(text: str, env: Mapping[str, str]) -> str:
    """Expand variables as the program does when it reads its settings; an unknown one without default is kept."""

    def value(match: re.Match[str]) -> str:
        variable = env.get(match[1] or match[2])
        return variable if variable is not None else match[3] if match[3] is not None else match[0]

    return _REFERENCE.sub(value, text)


def pasted(command: str, variables: Mapping[str, str]) -> str:
    """Paste the call's variables into a command, quoted for bash; ``${NAME}`` is left to the shell."""
    for name in VARIABLES:
        command = command.replace(f"${name}", quoted(variables.get(name, "")))
    return command


def quoted(text: str) -> str:
    """Quote a value as the program's library does for bash (gemini 3)."""
    if re.search(r"[\"\s\\]", text) and "'" not in text:
        return "'" + text + "'"
    if re.search(r"[\"'\s]", text):
        return '"' + re.sub(r'(["\\$`!])', r"\\\1", text) + '"'
    return re.sub(r"([A-Za-z]:)?([#!\"$&'()*,:;<=>?@\[\\\]^`{|}])", lambda m: (m[1] or "") + "\\" + m[2], text)
