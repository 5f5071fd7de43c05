"""Rendering of a verdict as output in the flat form: the inverse of ``parse_output`` (firebender 5, 6)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, Said, Saying, as_json, mcp_result, parsed, plain
from ...jsontext.compact import JSON
from .parse_output import is_variable
from .vendor import Vendor


def say(saying: Saying, vendor: Vendor) -> Said:
    """Render it as JSON at exit status 0. An empty verdict is ``{}``: an empty stdout has blocked (cursor 6)."""
    row = vendor.events[saying.row.native]
    can = {*row.can, MESSAGE}
    mcp = "output" in can and "MCP" in vendor.tool_names(str(saying.field("tool_name") or ""))
    if mcp:
        can.add(WITHHOLD)
        _fit_mcp_result(saying)
    else:
        can.discard("output")
    if row.completed and saying.field("status") not in (None, "completed"):
        can.discard("followup")  # ignored unless the subagent completed
    if saying.followup is not None and not saying.followup.strip():
        saying.followup = "go on" if "followup" in can else None
    saying.fit(can, _effects(saying, can))
    decides = saying.decision is not Decision.NONE and "deny" in can
    withheld = saying.denied and saying.withholds and mcp
    said = saying.said(
        {
            **(_decision(saying) if decides else {"user_message": saying.user_message or None}),
            "updated_input": as_json(saying.rewrite),
            "updated_mcp_tool_output": mcp_result(saying.told) if withheld else as_json(saying.output),
            "additional_context": saying.context or None,
            "followup_message": saying.followup,
            "env": saying.effects.get("env"),
            "pluginPaths": saying.effects.get("plugin_paths"),
        }
    )
    return said if said.stdout else said._replace(stdout="{}")


def _decision(saying: Saying) -> dict[str, JSON]:
    """Return the keys of a decision that the event documents."""
    reason, prompt = saying.why, saying.row.guards == "prompt"
    # Firebender's keys on a tool call; Cursor ignores them.
    firebender = {"decision": saying.word, "reason": reason} if saying.row.rewrite else {}
    return {
        "permission": saying.word,
        **firebender,
        "agent_message": reason,
        "continue": not saying.denied
        if prompt
        else None,  # on a prompt Cursor reads only this key and the next one (cursor 5)
        "user_message": saying.user_message or (reason if prompt else None),
    }


def _fit_mcp_result(saying: Saying) -> None:
    """Convert a result that is not an object to the result object of an MCP tool."""
    if saying.output is not None and saying.output.lstrip()[:1] != "{":
        saying.note("a result that is not an object", "its text becomes the text of an MCP result")
        saying.output = str.__str__(mcp_result(plain(saying.output)))


def _effects(saying: Saying, can: set[str]) -> set[str]:
    """Return the effects that the form has keys for; remove variables that no environment can hold."""
    env = parsed(saying.effects.get("env"))
    if "env" in can and isinstance(env, dict):
        good = {name: text for name, text in env.items() if isinstance(text, str) and is_variable(name, text)}
        if good != env:
            saying.note("a variable that no environment can hold", "it is omitted")
        saying.effects["env"] = good
    return {name for name, word in (("env", "env"), ("plugin_paths", "plugins")) if word in can}
