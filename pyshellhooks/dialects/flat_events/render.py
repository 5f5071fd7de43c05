"""Rendering of a verdict as output in the flat form: the inverse of ``parse_output`` (firebender 5, 6)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, HookOutput, Rendering, as_json, mcp_result, parsed, plain
from ...jsontext.compact import JSON
from .parse_output import is_variable
from .vendor import Vendor


def render(rendering: Rendering, vendor: Vendor) -> HookOutput:
    """Render it as JSON at exit status 0. An empty verdict is ``{}``: an empty stdout has blocked (cursor 6)."""
    row = vendor.events[rendering.row.native]
    can = {*row.can, MESSAGE}
    mcp = "output" in can and "MCP" in vendor.tool_names(str(rendering.field("tool_name") or ""))
    if mcp:
        can.add(WITHHOLD)
        _fit_mcp_result(rendering)
    else:
        can.discard("output")
    if row.completed and rendering.field("status") not in (None, "completed"):
        can.discard("followup")  # ignored unless the subagent completed
    if rendering.followup is not None and not rendering.followup.strip():
        rendering.followup = "go on" if "followup" in can else None
    rendering.fit(can, _effects(rendering, can))
    decides = rendering.decision is not Decision.NONE and "deny" in can
    withheld = rendering.denied and rendering.withholds and mcp
    output = rendering.json_output(
        {
            **(_decision(rendering) if decides else {"user_message": rendering.user_message or None}),
            "updated_input": as_json(rendering.rewrite),
            "updated_mcp_tool_output": mcp_result(rendering.block_reason) if withheld else as_json(rendering.output),
            "additional_context": rendering.context or None,
            "followup_message": rendering.followup,
            "env": rendering.effects.get("env"),
            "pluginPaths": rendering.effects.get("plugin_paths"),
        }
    )
    return output if output.stdout else output._replace(stdout="{}")


def _decision(rendering: Rendering) -> dict[str, JSON]:
    """Return the keys of a decision that the event documents."""
    reason, prompt = rendering.why, rendering.row.guards == "prompt"
    # Firebender's keys on a tool call; Cursor ignores them.
    firebender = {"decision": rendering.word, "reason": reason} if rendering.row.rewrite else {}
    return {
        "permission": rendering.word,
        **firebender,
        "agent_message": reason,
        "continue": not rendering.denied
        if prompt
        else None,  # on a prompt Cursor reads only this key and the next one (cursor 5)
        "user_message": rendering.user_message or (reason if prompt else None),
    }


def _fit_mcp_result(rendering: Rendering) -> None:
    """Convert a result that is not an object to the result object of an MCP tool."""
    if rendering.output is not None and rendering.output.lstrip()[:1] != "{":
        rendering.note("a result that is not an object", "its text becomes the text of an MCP result")
        rendering.output = str.__str__(mcp_result(plain(rendering.output)))


def _effects(rendering: Rendering, can: set[str]) -> set[str]:
    """Return the effects that the form has keys for; remove variables that no environment can hold."""
    env = parsed(rendering.effects.get("env"))
    if "env" in can and isinstance(env, dict):
        good = {name: text for name, text in env.items() if isinstance(text, str) and is_variable(name, text)}
        if good != env:
            rendering.note("a variable that no environment can hold", "it is omitted")
        rendering.effects["env"] = good
    return {name for name, word in (("env", "env"), ("plugin_paths", "plugins")) if word in can}
