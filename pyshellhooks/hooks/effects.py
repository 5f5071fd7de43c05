"""The effects that a verdict can have beside its own parts (``Verdict.effects``): the kind and meaning of each.

A dialect's ``render`` decides which events of its system can have an effect. ``discard_prompt``, ``defer`` and
``env_file`` are not listed, because a hook's output expresses them in other ways.
"""

from __future__ import annotations

from typing import NamedTuple

from ..jsontext.compact import JSON


class Effect(NamedTuple):
    """``kind``: as in ``dialect.Field``, or "variables" (an object of strings). ``sample``: a valid example."""

    kind: str
    about: str
    sample: JSON


EFFECTS: dict[str, Effect] = {
    "suppress_output": Effect("boolean", "hides the hook's stdout from the transcript", True),
    "terminal_sequence": Effect("string", "output for the person's terminal: OSC sequences and BEL", "\x07"),
    "session_title": Effect("string", "the session's title", "A title"),
    "suppress_original_prompt": Effect("boolean", "the model does not see the prompt itself", True),
    "initial_user_message": Effect("string", "the first message of the session", "Begin."),
    "watch_paths": Effect("strings", "paths to watch from now on", ["/work/.env"]),
    "reload_skills": Effect("boolean", "reads the skills again", True),
    "retry": Effect("boolean", "the model may try the call again", True),
    "updated_permissions": Effect("array", "rules to add beside an allow", [{"type": "addRules"}]),
    "elicitation": Effect(
        "object", "the answer to the server: action and content", {"action": "accept", "content": {"x": 1}}
    ),
    "worktree_path": Effect("string", "the path of the worktree", "/tmp/tree"),
    "env": Effect("variables", "variables for later hooks of the session", {"A": "1"}),
    "plugin_paths": Effect("strings", "directories of plugins", ["/plugin"]),
    "tail_tool_call": Effect("object", "a tool to run next; its result replaces this one", {"name": "x", "args": {}}),
    "clear_context": Effect("boolean", "forgets the conversation", True),
    "tool_config": Effect("object", "which tools the model may choose", {"mode": "ANY", "allowedFunctionNames": ["a"]}),
    "llm_request": Effect(
        "object",
        "the parts of the request that change",
        {"model": "another", "messages": [{"role": "user", "content": "hi"}], "config": {"temperature": 0}},
    ),
    "llm_response": Effect(
        "object",
        "the replacement of the model's answer",
        {"candidates": [{"content": {"role": "model", "parts": ["x"]}}]},
    ),
    "tool_error": Effect("string", "the error that the model sees", "it failed"),
}
