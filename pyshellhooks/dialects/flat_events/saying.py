"""A verdict in the words of the flat form: the inverse of ``answers`` (firebender 5, 6)."""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.saying import MESSAGE, WITHHOLD, Said, Saying, mcp_result, parsed, plain
from ...hooks.wire import JSON, JsonText
from .answers import is_variable
from .vendor import Vendor

_AS_PROMPT = "beforeSubmitPrompt"  # reads ``continue`` and ``user_message`` only (cursor 5)


def say(saying: Saying, vendor: Vendor) -> Said:
    """Say it as JSON at exit status 0. Nothing to say is an empty object: silence has blocked (cursor 6)."""
    row = saying.row
    can = {*row.can, MESSAGE}
    mcp = "output" in can and "MCP" in vendor.tool_names(str(saying.field("tool_name") or ""))
    if mcp:
        can.add(WITHHOLD)
        _fit_mcp_result(saying)
    else:
        can.discard("output")
    if row.native == "subagentStop" and saying.field("status") not in (None, "completed"):
        can.discard("followup")  # dropped there, unless the subagent completed
    if saying.followup is not None and not saying.followup.strip():
        saying.followup = "go on" if "followup" in can else None
    saying.fit(can, _effects(saying, can))
    answer: dict[str, JSON] = {}
    if saying.decision is not Decision.NONE and "deny" in can:
        answer.update(_decision(saying))
    elif saying.user_message:
        answer["user_message"] = saying.user_message
    if saying.rewrite is not None:
        answer["updated_input"] = JsonText(saying.rewrite)
    if saying.denied and saying.withholds and mcp:
        answer["updated_mcp_tool_output"] = mcp_result(saying.told)
    elif saying.output is not None:
        answer["updated_mcp_tool_output"] = JsonText(saying.output)
    if saying.context:
        answer["additional_context"] = saying.context
    if saying.followup is not None:
        answer["followup_message"] = saying.followup
    for name, key in (("env", "env"), ("plugin_paths", "pluginPaths")):
        if name in saying.effects:
            answer[key] = saying.effects[name]
    said = saying.said(answer)
    return said if answer else said._replace(stdout="{}")


def _decision(saying: Saying) -> dict[str, JSON]:
    """Say a decision in the words that the event's document has."""
    reason = saying.told if saying.denied else saying.reason
    said: dict[str, JSON] = {"permission": saying.decision.value}
    if saying.row.native == "preToolUse":  # Firebender's words for it; Cursor does not read them
        said["decision"] = saying.decision.value
        if reason:
            said["reason"] = reason
    if reason:
        said["agent_message"] = reason
    shown = saying.user_message
    if saying.row.native == _AS_PROMPT:
        said["continue"] = not saying.denied
        shown = shown or reason
    if shown:
        said["user_message"] = shown
    return said


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
