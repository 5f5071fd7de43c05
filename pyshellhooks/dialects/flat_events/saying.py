"""A verdict in the words of the flat form: the inverse of ``answers`` (firebender 5, 6)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.saying import MESSAGE, WITHHOLD, Said, Saying, as_json, mcp_result, parsed, plain
from ...hooks.wire import JSON
from .answers import is_variable
from .vendor import Vendor


def say(saying: Saying, vendor: Vendor) -> Said:
    """Say it as JSON at exit status 0. Nothing to say is an empty object: silence has blocked (cursor 6)."""
    row = vendor.events[saying.row.native]
    can = {*row.can, MESSAGE}
    mcp = "output" in can and "MCP" in vendor.tool_names(str(saying.field("tool_name") or ""))
    if mcp:
        can.add(WITHHOLD)
        _fit_mcp_result(saying)
    else:
        can.discard("output")
    if row.completed and saying.field("status") not in (None, "completed"):
        can.discard("followup")  # dropped there, unless the subagent completed
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
    """Say a decision in the words that the event's document has."""
    reason, prompt = saying.why, saying.row.guards == "prompt"
    # Firebender's words for it on a tool call; Cursor does not read them.
    firebender = {"decision": saying.word, "reason": reason} if saying.row.rewrite else {}
    return {
        "permission": saying.word,
        **firebender,
        "agent_message": reason,
        "continue": not saying.denied
        if prompt
        else None,  # on a prompt Cursor reads this key and the next one only (cursor 5)
        "user_message": saying.user_message or (reason if prompt else None),
    }


def _fit_mcp_result(saying: Saying) -> None:
    """Make of a result the object that an MCP server's tool gives."""
    if saying.output is not None and saying.output.lstrip()[:1] != "{":
        saying.note("a result that is no object", "its text is said as an MCP server would")
        saying.output = str.__str__(mcp_result(plain(saying.output)))


def _effects(saying: Saying, can: set[str]) -> set[str]:
    """Return the effects that have words; what of the variables no environment can hold is left out."""
    env = parsed(saying.effects.get("env"))
    if "env" in can and isinstance(env, dict):
        good = {name: text for name, text in env.items() if isinstance(text, str) and is_variable(name, text)}
        if good != env:
            saying.note("a variable that no environment can hold", "it is left out")
        saying.effects["env"] = good
    return {name for name, word in (("env", "env"), ("plugin_paths", "plugins")) if word in can}
