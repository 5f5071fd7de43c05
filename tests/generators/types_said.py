"""What can be said on each event: asked of each dialect's own ``render``, for the signatures of ``answer``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pyshellhooks import Verdict
from pyshellhooks.hooks.dialect import Dialect, EventSpec
from pyshellhooks.hooks.effects import EFFECTS
from pyshellhooks.hooks.fields import sample
from pyshellhooks.jsontext.compact import dumps

DECISIONS = ("allow", "ask", "deny")
_SHELL_RESULT = {"stdout": "secret", "stderr": "", "interrupted": False, "isImage": False}
_MCP_RESULT = [{"type": "text", "text": "secret"}]
#: What else a verdict may hold: name -> the verdict's own part, and values that count somewhere.
_PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "user_message": ("user_message", ("dear person",)),
    "context": ("context", ("by the way",)),
    "updated_output": (
        "updated_output_text",
        (dumps({**_SHELL_RESULT, "stdout": "x"}), dumps(_MCP_RESULT), '{"a":1}', '"x"'),
    ),
}


class Sayable(NamedTuple):
    """What an event can be told: decisions, those that need nothing beside them, whether everything can end, the rest."""

    decisions: tuple[str, ...]
    alone: tuple[str, ...]
    halt: bool
    parts: tuple[str, ...]


def calls(dialect: Dialect, row: EventSpec) -> Iterator[dict[str, Any]]:
    """Yield an event's fields: about a tool of the system's own, and about one of an MCP server."""
    fields = sample(row, neutral=False)
    place = row.places.get("tool_input")
    if place is not None and not isinstance(fields.get(place), str):
        fields[place] = {"command": "rm", "timeout": 5}
    if row.native == "PostToolUse":
        fields["tool_response"] = _SHELL_RESULT
    yield fields
    if "tool_name" in row.places:
        name = (dialect.mcp_names("server", "search") or ("MCP:search",))[0]
        yield {**fields, "tool_name": name}


def _is_expressible(dialect: Dialect, row: EventSpec, **parts: Any) -> bool:
    """Say whether some call of the event can be told a verdict in full."""
    verdict = Verdict(row.native, **parts)
    return any(not dialect.answer(row.native, verdict, fields).notices for fields in calls(dialect, row))


def _rewrites(row: EventSpec) -> str:
    if row.target == "prompt":
        return '"another prompt"'
    return '{"model":"another"}' if row.target == "llm_request" else '{"command":"ls","timeout":5}'


def sayable(dialect: Dialect, row: EventSpec) -> Sayable:
    """Ask what can be said on an event, alone or beside a decision that can be said."""
    decisions = [word for word in DECISIONS if _is_expressible(dialect, row, decision=word, reason="why")]
    alone = tuple(decisions)
    # Elicitation: what is accepted belongs to an allow.
    if "allow" in row.can and "allow" not in decisions:
        accepted = {"elicitation": EFFECTS["elicitation"].sample}
        if _is_expressible(dialect, row, decision="allow", effects=accepted):
            decisions.insert(0, "allow")
    more = [{"decision": word, "reason": "" if word == "allow" else "why"} for word in decisions]
    passing = [
        {},
        *(base for base in more if base["decision"] != "deny"),
    ]  # what is refused is neither changed nor goes on
    halt = _is_expressible(dialect, row, halt=True, reason="why")
    bases = [{}, *more, *([{"halt": True, "reason": "why"}] if halt else [])]

    def expressible(bases: list[dict[str, Any]], **parts: Any) -> bool:
        return any(_is_expressible(dialect, row, **base, **parts) for base in bases)

    found = [
        name for name, (key, values) in _PARTS.items() if any(expressible(bases, **{key: value}) for value in values)
    ]
    if expressible(passing, updated_input_text=_rewrites(row)):
        found.append("updated_input")
    if expressible(passing, followup="go on"):
        found.append("followup")
    found += [name for name, effect in EFFECTS.items() if expressible(bases, effects={name: effect.sample})]
    return Sayable(tuple(decisions), alone, halt, tuple(found))
