"""The input of a Gemini CLI hook: stdin and environment (gemini 2)."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ...hooks.aggregate import shallow_merge
from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import (
    FieldProblems,
    arguments_text,
    gather,
    json_text,
    set_cwd_and_session,
    subject_of,
    timestamp,
    variable,
)
from ...hooks.model import HookEvent, HookOutcome, HookSession, HookSpec
from ...hooks.tools import own_names as names_of
from ...jsontext.compact import JSON, JsonText, compact, document, dumps, fields_of, to_bytes
from .redaction import Redaction
from .stable_model import stable_request
from .tables import RETRIES, TOOLS, VARIABLES

_STRUCTURED = frozenset(["tool_input", "llm_response", "tool_response"])


class Base:
    """Data that all jobs of an engine share: the inherited variables, after each redaction."""

    __slots__ = ("_redacted", "env", "plans_dir")

    def __init__(self, host_context: HostContext) -> None:
        self.env = {name: value for name, value in host_context.env.items() if name not in VARIABLES}
        self.plans_dir = str(host_context.settings.get("plans_dir") or "")
        self._redacted: dict[Redaction, dict[str, str]] = {}

    def variables(self, redaction: Redaction) -> dict[str, str]:
        """Return a copy of the inherited variables."""
        found = self._redacted.get(redaction)
        if found is None:
            found = self._redacted[redaction] = redaction.applied(self.env)
        return found.copy()


def make_event(
    row: EventSpec,
    neutral: bool,
    fields: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
    quirks: frozenset[str],
) -> HookEvent:
    """Build the event, with Gemini CLI's field names and order (gemini 2.1)."""
    payload, spare, problems = gather(row, fields, neutral)
    payload["hook_event_name"] = row.native
    cwd, project_dir = set_cwd_and_session(payload, spare, host_context, session)
    if "tool_response" in payload:
        payload["tool_response"] = _tool_response(payload["tool_response"], fields, spare, problems)
    if "stop_hook_active" in payload and "stop_hook_active" not in fields:
        loops = spare.get("loop_count")
        payload["stop_hook_active"] = bool(loops or (session is not None and session.counters.get(RETRIES)))
    now = time.time()

    def spell() -> dict[str, JSON]:
        return _spelled_payload(payload, now, quirks)

    return HookEvent(
        row,
        None,
        spell=spell,
        fields=fields,
        subjects=_subjects(row, payload),
        cwd=cwd,
        project_dir=project_dir,
        neutral=neutral,
        session=session,
        notices=tuple(problems.notices),
        faults=tuple(problems.faults),
    )


def _spelled_payload(payload: Mapping[str, JSON], now: float, quirks: frozenset[str]) -> dict[str, JSON]:
    payload = {key: _spelled(key, value, quirks) for key, value in payload.items()}
    payload["timestamp"] = payload["timestamp"] or timestamp(now)
    return payload


def _subjects(row: EventSpec, payload: Mapping[str, JSON]) -> tuple[str, ...]:
    if not row.subject:
        return ()
    return (subject_of(payload[row.subject]),)


def own_names(tool: str, quirks: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return Gemini CLI's names for a tool of another system."""
    return names_of(tool, TOOLS, lambda server, name: mcp_names(server, name, quirks))


def mcp_names(server: str, tool: str, quirks: frozenset[str]) -> tuple[str, ...]:
    """Return Gemini CLI's names for a tool of an MCP server: the documented one, and the program's."""
    shipped = f"mcp_{server}_{tool}"
    return (shipped,) if "single_underscore_mcp" in quirks else (f"mcp__{server}__{tool}", shipped)


def _spelled(key: str, value: JSON, quirks: frozenset[str]) -> JSON:
    """Return the value of a field, structured ones as JSON text. A str of a structured field is JSON text already."""
    if key == "llm_request":
        return stable_request(value, quirks)
    if key in _STRUCTURED:
        return arguments_text(value)
    return JsonText(compact(value)) if isinstance(value, JsonText) else value


def _tool_response(
    value: JSON, fields: Mapping[str, JSON], spare: Mapping[str, JSON], problems: FieldProblems
) -> JsonText:
    """Return a tool's result as JSON text. A str under the system's own name is JSON text already."""
    return (
        json_text("tool_response", value, problems)
        if "tool_response" in fields
        else _result(value, spare.get("tool_error"))
    )


def _result(output: JSON, error: JSON) -> JsonText:
    """Convert the neutral ``tool_output`` and ``tool_error``, of any depth, to Gemini CLI's form of a result."""
    if isinstance(output, JsonText) and output[0] == "{":
        output = fields_of(output)
    if isinstance(output, dict) and (not output or "llmContent" in output):
        whole = dict(output)
    else:
        if isinstance(output, dict):
            output = JsonText(document(output))
        shown = str.__str__(output if isinstance(output, str) else dumps(output))
        whole = {"llmContent": output, "returnDisplay": shown}
    if error and "error" not in whole:
        is_object = isinstance(error, dict) or (isinstance(error, JsonText) and error[0] == "{")
        whole["error"] = (
            error if is_object else {"message": str.__str__(error if isinstance(error, str) else dumps(error))}
        )
    return JsonText(document(whole))


def text_of(event: HookEvent, key: str) -> str:
    """Return a structured field's JSON text, which patches are merged into."""
    return str.__str__(event.payload[key])


def rewritten(event: HookEvent, outcome: HookOutcome) -> HookEvent:
    """Return the event as the next hook of a sequential group sees it (gemini 5, "Sequential chaining").

    Only an answer at exit status 0 changes the event; a hook that blocks does not end the chain.
    """
    if outcome.ended != "ok":
        return event
    changed: dict[str, JSON] = {}
    row = event.row
    if row.target == "prompt" and outcome.context:
        changed["prompt"] = f"{event.payload['prompt']}\n\n{outcome.context}"
    elif outcome.rewrite is not None and row.rewrite:
        text, _ = shallow_merge(text_of(event, row.target), [outcome.rewrite])
        if text is not None:
            changed[row.target] = JsonText(text)
    if not changed:
        return event
    return HookEvent(
        row,
        {**event.payload, **changed},
        fields=event.fields,
        subjects=event.subjects,
        cwd=event.cwd,
        project_dir=event.project_dir,
        neutral=event.neutral,
        session=event.session,
        notices=event.notices,
    )


def stdin(event: HookEvent, quirks: frozenset[str]) -> bytes:
    """Return the payload as one line of compact JSON."""
    return to_bytes(document(event.payload) + ("" if "no_final_newline" in quirks else "\n"))


def variables(event: HookEvent, spec: HookSpec, host_context: HostContext, quirks: frozenset[str]) -> dict[str, str]:
    """Return a hook's environment: inherited variables, then the call's, then its own (gemini 2.2)."""
    base: Base = host_context.base
    env = base.variables(spec.extra.get("redaction") or Redaction())
    project = event.cwd if "project_dir_is_cwd" in quirks else event.project_dir
    env.update(call_variables(event, project, base.plans_dir))
    env.update(spec.env or {})
    for name, value in env.items():
        if "\0" in value:  # a variable can't hold a NUL, and the program would not start
            env[name] = value.replace("\0", "")
    return env


def call_variables(event: HookEvent, project: str, plans_dir: str) -> dict[str, str]:
    """Return the variables that describe the call."""
    project = variable(project)
    found = {"GEMINI_PROJECT_DIR": project}
    if plans_dir:
        found["GEMINI_PLANS_DIR"] = plans_dir
    found["GEMINI_CWD"] = variable(event.cwd)
    found["GEMINI_SESSION_ID"] = variable(event.payload["session_id"])
    found["CLAUDE_PROJECT_DIR"] = project
    return found
