"""Events and jobs of systems of Claude Code's form (claude_code 4, 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...hooks.dialect import EventSpec
from ...hooks.fields import FieldProblems, arguments_text
from ...hooks.model import HookEvent, HookSession
from ...hooks.verdict import Verdict
from ...jsontext.compact import JSON

_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


def event_of(
    row: EventSpec,
    payload: dict[str, JSON],
    fields: Mapping[str, JSON],
    subjects: tuple[str, ...],
    place: tuple[str, str],
    problems: FieldProblems,
    *,
    neutral: bool,
    session: HookSession | None,
) -> HookEvent:
    """Return the event of a payload; the arguments of a tool call are spelled when a hook needs them.

    ``place``: the working directory and the project's directory.
    """

    def spell() -> dict[str, JSON]:
        return {**payload, arguments: arguments_text(payload[arguments])}

    arguments = row.places.get("tool_input", "")
    called = bool(arguments)
    return HookEvent(
        row,
        None if called else payload,
        spell=spell if called else None,
        fields=fields,
        subjects=subjects,
        cwd=place[0],
        project_dir=place[1],
        neutral=neutral,
        session=session,
        notices=tuple(problems.notices),
        faults=tuple(problems.faults),
    )


def stop_counter(event: str, payload: Mapping[str, JSON]) -> str:
    """Return the name of the session's counter of refused stops."""
    return f"{event}:{payload.get('agent_id') or ''}"


def blocks_so_far(event: str, payload: Mapping[str, JSON], session: HookSession | None) -> int:
    """Return how many stops in a row, of the agent or of this subagent, hooks have refused."""
    return 0 if session is None else session.counters.get(stop_counter(event, payload), 0)


def count_refused_stops(event: HookEvent, verdict: Verdict) -> None:
    """Count a refused stop in the event's session; an accepted one resets the count."""
    session = event.session
    if session is None or "followup" not in event.row.can:
        return
    counter = stop_counter(event.row.native, event.payload)
    if verdict.followup is not None:
        session.count(counter)
    else:
        session.counters.pop(counter, None)


def expanded(text: str, allowed: frozenset[str], env: Mapping[str, str]) -> str:
    """Expand variables in a header; those that are not allowed are empty, so that a typing error leaks no secret."""

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return env.get(name, "") if name in allowed else ""

    return _VARIABLE.sub(value, text)
