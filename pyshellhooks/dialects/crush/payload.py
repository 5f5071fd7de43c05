"""Input of a Crush hook: stdin and environment (crush 2)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import arguments_text, gather, lost, set_cwd_and_session, subject_of, text_of, variable
from ...hooks.internal_failures import InternalFailure, Kind
from ...hooks.model import Delivery, HookEvent, HookSession
from ...hooks.tools import ARGUMENTS, KIND_OF
from ...hooks.tools import own_names as names_of
from ...jsontext.compact import (
    JSON,
    JsonText,
    document,
    dumps,
    html_safe,
    loads,
    members,
    to_bytes,
    well_formed,
)
from ...notice import Notice
from .tables import FORCED, INPUT_PREFIX, INPUT_VARIABLES, MARKERS, TOOLS

# Linux starts no program with a variable longer than this.
LARGEST_VARIABLE = 128 * 1024

_Sought = dict[str, tuple[str, ...]]
# Variable -> the names of the tool's argument that it holds, Crush's own first.
OWN_NAMES: _Sought = {variable: (own,) for own, variable in INPUT_VARIABLES.items()}
ALL_NAMES: _Sought = {variable: (own, *ARGUMENTS[own]) for own, variable in INPUT_VARIABLES.items()}


def base_environment(env: Mapping[str, str], quirks: frozenset[str]) -> dict[str, str]:
    """Return the variables that every hook inherits: the host's, without those that describe another call."""
    if "inherited_tool_input" in quirks:
        base = dict(env)
    else:
        base = {name: value for name, value in env.items() if not name.startswith(INPUT_PREFIX)}
    base.update(MARKERS)
    base.update(FORCED)
    return base


def make_event(
    row: EventSpec,
    neutral: bool,
    fields: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
    quirks: frozenset[str],
) -> HookEvent:
    """Build the event, with Crush's field names and order."""
    payload, spare, problems = gather(row, fields, neutral)
    payload["event"] = row.native
    cwd, project_dir = set_cwd_and_session(payload, spare, host_context, session)
    tool = subject_of(payload["tool_name"])

    def spell() -> dict[str, JSON]:
        tool_input = arguments_text(payload["tool_input"])
        if "lost_inputs" in quirks and lost(fields.get("tool_input"), tool_input):
            tool_input = JsonText("{}")
        return {**payload, "tool_input": tool_input}

    return HookEvent(
        row,
        None,
        spell=spell,
        fields=fields,
        subjects=(tool,),
        cwd=cwd,
        project_dir=project_dir,
        neutral=neutral,
        session=session,
        notices=tuple(problems.notices),
        faults=tuple(problems.faults),
    )


def own_names(tool: str) -> tuple[str, ...]:
    """Return Crush's names for a tool of another system."""
    return names_of(tool, TOOLS, lambda server, name: (f"mcp_{server}_{name}",))


def tool_input(event: HookEvent) -> str:
    """Return the tool's input, into which patches are merged."""
    return str.__str__(event.payload["tool_input"])


def deliver(event: HookEvent, host_context: HostContext, quirks: frozenset[str]) -> Delivery:
    """Return the input that all hooks of the event share."""
    payload = event.payload
    end = "" if "no_final_newline" in quirks else "\n"
    if "html_escapes" in quirks:
        go_payload = {k: v if isinstance(v, JsonText) else _go(v) for k, v in payload.items()}
        stdin = to_bytes(html_safe(document(go_payload)) + end)
    else:
        stdin = to_bytes(document(payload) + end)
    env: dict[str, str] = host_context.base.copy()
    env["CRUSH_EVENT"] = event.row.native
    env["CRUSH_TOOL_NAME"] = variable(payload["tool_name"])
    env["CRUSH_SESSION_ID"] = variable(payload["session_id"])
    env["CRUSH_CWD"] = variable(event.cwd)
    env["CRUSH_PROJECT_DIR"] = variable(event.cwd if "project_dir_is_cwd" in quirks else event.project_dir)
    _input_variables(event, env, quirks)
    if b"\\u0000" in stdin:
        _without_nul(event, env)
    return Delivery(stdin, env)


def _go(value: JSON) -> JSON:
    return well_formed(value) if isinstance(value, str) else value


def _input_variables(event: HookEvent, env: dict[str, str], quirks: frozenset[str]) -> None:
    """Set CRUSH_TOOL_INPUT_* from the top level of the input, whatever the tool (crush 2.2, 2.4).

    Under a neutral event name the caller's tools may be another system's, so ``cmd`` counts as ``command``, too.
    """
    tool_input = event.fields.get("tool_input")
    sought = OWN_NAMES
    if event.neutral and KIND_OF.get(text_of(event.payload["tool_name"])) not in ("list", "glob", "grep"):
        sought = ALL_NAMES  # their path is a place to search, not a file
    if not isinstance(tool_input, Mapping):
        tool_input = _top_level(event.payload["tool_input"], sought, "first_duplicate" in quirks)
    for key, names in sought.items():
        for name in names:
            if name in tool_input:
                break
        else:
            continue
        item = tool_input[name]
        if not isinstance(item, str):
            item = "" if item is None else dumps(item)
        if len(item) >= LARGEST_VARIABLE:
            message = f"{key} holds {len(item)} characters; some systems can't start a program with so many"
            event.notices += (Notice(message, "input-too-large", hint="read stdin in the hook"),)
        env[key] = item if item.isascii() else well_formed(item)


def _top_level(tool_input: str, sought: _Sought, first: bool) -> dict[str, JSON]:
    """Return the members that become variables: strings unescaped, other values as they are spelled.

    Of equal keys the last one counts, or the ``first``.
    """
    keys = {name for names in sought.values() for name in names}
    if tool_input[:1] != "{" or not ("\\u" in tool_input or any(f'"{key}"' in tool_input for key in keys)):
        return {}
    pairs = [(key, _variable(raw)) for key, raw in members(tool_input) if key in keys]
    return dict(reversed(pairs) if first else pairs)


def _variable(raw: str) -> JSON:
    """Return a member's value for a variable: None, an unescaped string, or another value as it is spelled."""
    if raw == "null":
        return None
    return loads(raw) if raw[0] == '"' else raw


def _without_nul(event: HookEvent, env: dict[str, str]) -> None:
    """Remove NULs: a variable can't hold one, and the program would not start, which disarms a guard (crush 2.4)."""
    for key, value in env.items():
        if "\0" in value:
            env[key] = value.replace("\0", "")
            event.internal_failure = InternalFailure(
                Kind.NUL, f"{key}: NUL characters were removed, because no variable can hold them"
            )
